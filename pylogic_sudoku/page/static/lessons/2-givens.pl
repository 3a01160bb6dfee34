% 2. Keep the givens
%
% Nothing needs to be added here: Rows has the givens already, and a variable that has a value keeps it.
% In ASP this takes a rule, since there a puzzle is a set of facts beside the answer.

:- module(sudoku, [sudoku/3]).
:- reexport(library(clpfd)).

sudoku(Rows, _, _) :-
    length(Rows, Size),
    append(Rows, Cells),
    Cells ins 1..Size,
    label(Cells).
