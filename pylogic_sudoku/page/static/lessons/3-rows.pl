% 3. No digit twice in a row
%
% all_different/1 is a constraint: it is stated once, before any digit is tried, and takes the digit of a
% cell from the domains of the others in its row.

:- module(sudoku, [sudoku/3]).
:- reexport(library(clpfd)).

sudoku(Rows, _, _) :-
    length(Rows, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    maplist(all_different, Rows),
    label(Cells).
