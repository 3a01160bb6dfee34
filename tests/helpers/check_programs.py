"""Programs to grade: right ones, and each kind of wrong one."""

from __future__ import annotations

CHOICE = """\
digit(1..9).
{ sudoku(X,Y,N) : digit(N) } = 1 :- digit(X), digit(Y).
"""
GIVENS = """\
:- initial(X,Y,N), not sudoku(X,Y,N).
"""
ROWS = """\
:- digit(X), digit(N), not { sudoku(X,Y,N) : digit(Y) } = 1.
"""
COLUMNS = """\
:- digit(Y), digit(N), not { sudoku(X,Y,N) : digit(X) } = 1.
"""
BOXES = """\
:- digit(B), digit(N),
   not { sudoku(X,Y,N) : digit(X), digit(Y), B = (X-1)/3*3 + (Y-1)/3 + 1 } = 1.
"""
SHOW = """\
#show sudoku/3.
"""
RIGHT = CHOICE + GIVENS + ROWS + COLUMNS + BOXES + SHOW

# The style in which the givens are facts of the very atoms of the solution.
PAIRWISE = """\
row(1..9). column(1..9). value(1..9).
sudoku(X,Y,N) : value(N) :- row(X), column(Y).
:- sudoku(X,Y,N), sudoku(X,Y,M), N < M.
:- sudoku(X,Y,N), sudoku(X,Z,N), Y < Z.
:- sudoku(X,Y,N), sudoku(Z,Y,N), X < Z.
:- sudoku(X,Y,N), sudoku(A,B,N), (X,Y) < (A,B), (X-1)/3 = (A-1)/3, (Y-1)/3 = (B-1)/3.
"""

PROLOG = """\
:- use_module(library(clpfd)).

sudoku(Rows) :-
    append(Rows, Cells),
    Cells ins 1..9,
    transpose(Rows, Columns),
    boxes(Rows, Boxes),
    maplist(all_distinct, Rows),
    maplist(all_distinct, Columns),
    maplist(all_distinct, Boxes),
    label(Cells).

boxes([], []).
boxes([A,B,C|Rows], Boxes) :-
    side_by_side(A, B, C, Boxes, Others),
    boxes(Rows, Others).

side_by_side([], [], [], Boxes, Boxes).
side_by_side([A,B,C|P], [D,E,F|Q], [G,H,I|R], [[A,B,C,D,E,F,G,H,I]|Boxes], Others) :-
    side_by_side(P, Q, R, Boxes, Others).
"""
