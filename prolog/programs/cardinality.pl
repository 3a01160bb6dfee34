% Sudoku by counting: every digit once in each house.
%
%   swipl prolog/programs/cardinality.pl
%   ?- Rows = [[_,2,_,_],[_,_,1,_],[_,3,_,_],[_,_,_,4]], sudoku(Rows, 2-2).
%
% Paradigm: constraint logic programming
% Shape:    boxes of any size
% Knows:    regions, marks
%
% Teaches:  A rule may be stated about the values instead of the cells. global_cardinality/2 counts
%           how often each digit is there, and prunes as much as all_distinct/1.
% Costs:    The general count costs one and a half times as much as all_distinct/1, which knows that
%           each digit comes once.

:- module(cardinality, [sudoku/2, sudoku_rules/2]).
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
    maplist(every_digit_once, Houses).

every_digit_once(House) :-
    length(House, Size),
    findall(Digit-1, between(1, Size, Digit), DigitsOnce),
    global_cardinality(House, DigitsOnce).
