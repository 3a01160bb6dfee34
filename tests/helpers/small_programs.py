"""Programs for 4x4 puzzles: a right, a wrong, a slow and a broken one in each language."""

from __future__ import annotations

from pylogic_sudoku.check import Grader
from pylogic_sudoku.check.exercise import program_text

GRID = """\
{ sudoku(X,Y,N) : N = 1..4 } = 1 :- X = 1..4, Y = 1..4.
:- initial(X,Y,N), not sudoku(X,Y,N).
:- sudoku(X,Y,N), sudoku(X,Z,N), Y < Z.
:- sudoku(X,Y,N), sudoku(Z,Y,N), X < Z.
"""
BOXES = ":- sudoku(X,Y,N), sudoku(A,B,N), (X,Y) < (A,B), (X-1)/2 = (A-1)/2, (Y-1)/2 = (B-1)/2.\n"
RIGHT = GRID + BOXES + "#show sudoku/3.\n"
WRONG = GRID + "#show sudoku/3.\n"
SLOW = RIGHT + "count(0). count(X+1) :- count(X).\n"
BROKEN = RIGHT + "a :- b\nc.\n"
NARROW = RIGHT + ":- sudoku(1,1,1).\n"
"""It loses the solutions that begin with 1."""

PROLOG = program_text("Prolog", (2, 2), Grader())
PROGRAMS = {
    "right.lp": RIGHT,
    "wrong.lp": WRONG,
    "slow.lp": SLOW,
    "broken.lp": BROKEN,
    "right.pl": PROLOG,
    "wrong.pl": PROLOG.replace("    maplist(all_distinct, Boxes),\n", ""),
    "slow.pl": PROLOG.replace("append(", "repeat, fail, append("),
    "broken.pl": PROLOG + "foo(X :- .\n",
}
UNIQUE, FOUR, LOOSE = "4......3...13...", "1..4.....3......", "................"
"""Puzzles with 1, 3 and 288 solutions."""
