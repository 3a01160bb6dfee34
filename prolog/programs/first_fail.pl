% Sudoku by all_distinct, labelled by first fail.
%
%   swipl prolog/programs/first_fail.pl
%   ?- Rows = [[_,2,_,_],[_,_,1,_],[_,3,_,_],[_,_,_,4]], sudoku(Rows, 2-2).
%
% Paradigm: constraint logic programming
% Shape:    boxes of any size
% Knows:    regions, marks
%
% Teaches:  The order of the search is one more word: the cell with the fewest digits left comes
%           first, since it is the first to fail.
% Costs:    With the same propagation as classic.pl, the search makes far fewer choices on hard
%           puzzles, and takes half the time.

:- module(first_fail, [sudoku/2, sudoku_rules/2]).
:- use_module(library(clpfd)).
:- use_module('../sudoku/grid', [must_be_grid/3, sudoku_houses/3]).

sudoku(Rows, Shape) :-
    sudoku_rules(Rows, Shape),
    term_variables(Rows, Cells),
    labeling([ff], Cells).

sudoku_rules(Rows, Shape) :-
    must_be_grid(Rows, Shape, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    sudoku_houses(Rows, Shape, Houses),
    maplist(all_distinct, Houses).
