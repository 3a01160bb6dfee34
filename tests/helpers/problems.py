"""Small problems, written into a folder, and a plain-Python oracle for the first of them."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path

import pylogic_sudoku as pls

CLPFD = ":- use_module(library(clpfd)).\n"

QUEENS_LP = """\
% Queens that do not attack each other
#defined size/1.
{ queen(I,1..N) } = 1 :- size(N), I = 1..N.
:- queen(I,J), queen(K,J), I < K.
:- queen(I,J), queen(K,L), I < K, |J-L| = K-I.
#show queen/2.
"""
QUEENS_PL = """\
:- use_module(library(clpfd)).
model(Pairs) :-
    size(N), numlist(1, N, Rows), maplist([Row,queen(Row)-_]>>true, Rows, Pairs),
    pairs_values(Pairs, Queens), Queens ins 1..N, safe(Queens).
safe([]).
safe([Queen|Queens]) :- foldl(apart(Queen), Queens, 1, _), safe(Queens).
apart(A, B, Distance, Next) :-
    A #\\= B, abs(A-B) #\\= Distance, Next is Distance + 1.
"""
QUEENS_CLINGCON = """\
&dom { 1..N } = queen(I) :- size(N), I = 1..N.
&distinct { queen(I) : I = 1..N } :- size(N).
&distinct { queen(I)+I : I = 1..N } :- size(N).
&distinct { queen(I)-I : I = 1..N } :- size(N).
&show { queen(I) : size(N), I = 1..N }.
"""


def written(folder: Path, **files: str) -> pls.Problem:
    """The problem in a new folder, where the file ``mine.lp`` is written ``mine_lp``."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        stem, _, ending = name.rpartition("_")
        (folder / f"{stem}.{ending}").write_text(text, encoding="utf-8")
    return pls.Problem(folder)


def queens(size: int) -> set[frozenset[pls.Atom]]:
    """All answers, by trying every order of the columns."""
    return {
        frozenset(pls.Atom("queen", pair) for pair in enumerate(order, 1))
        for order in permutations(range(1, size + 1))
        if all(abs(order[i] - order[j]) != j - i for i, j in combinations(range(size), 2))
    }
