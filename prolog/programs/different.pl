% Sudoku by all_different alone.
%
%   swipl prolog/programs/different.pl
%   ?- Rows = [[_,2,_,_],[_,_,1,_],[_,3,_,_],[_,_,_,4]], sudoku(Rows, 2-2).
%
% Paradigm: constraint logic programming
% Shape:    boxes of any size
% Knows:    regions, marks
%
% Teaches:  Propagation that is too weak: a digit leaves the other cells of a house only when its
%           own cell is known. The search has to pay.
% Costs:    Each choice is cheap, but there are hundreds of times as many as with every_digit/1
%           beside it, as in the main program.

:- module(different, [sudoku/2, sudoku_rules/2]).
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
    maplist(all_different, Houses).
