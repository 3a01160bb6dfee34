% 1. A digit in each cell
:- module(sudoku, [sudoku/3]).
:- reexport(library(clpfd)).

/** <module> A digit in each cell

Every variable gets a domain, and label/1 tries its digits. The givens are there from the start,
as they are part of Rows. The rules are missing, so almost all answers are wrong.
*/

sudoku(Rows, _, _) :-
    length(Rows, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    label(Cells).
