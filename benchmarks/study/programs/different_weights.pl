% Sudoku by all_different, and a search that weighs the cells.
%
% Paradigm: constraint logic programming
% Shape:    boxes of any size
% Knows:    regions, marks

:- module(different_weights, [sudoku/2]).
:- use_module(library(clpfd)).
:- use_module('../../../prolog/sudoku/grid', [must_be_grid/3, sudoku_houses/3]).
:- use_module('../../../prolog/sudoku/search', [search/1]).

sudoku(Rows, Shape) :-
    must_be_grid(Rows, Shape, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    sudoku_houses(Rows, Shape, Houses),
    maplist(all_different, Houses),
    term_variables(Cells, Open),
    search(Open).
