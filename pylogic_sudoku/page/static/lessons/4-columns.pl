% 4. No digit twice in a column
%
% transpose/2 turns the grid, so that the rule for rows also constrains the columns. The answers are
% Latin squares.

:- module(sudoku, [sudoku/3]).
:- reexport(library(clpfd)).

sudoku(Rows, _, _) :-
    length(Rows, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    transpose(Rows, Columns),
    maplist(all_different, Rows),
    maplist(all_different, Columns),
    label(Cells).
