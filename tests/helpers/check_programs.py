"""Programs to grade: right ones, and each kind of wrong one."""

from __future__ import annotations

from pylogic_sudoku.check import Grader
from pylogic_sudoku.check.exercise import program_text

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

PROLOG = program_text("Prolog", (3, 3), Grader())
