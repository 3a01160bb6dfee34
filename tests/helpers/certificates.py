"""Certificates whose every lemma matters, and a slow check of them that is written another way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from pylogic_sudoku import Certificate, Grid, Puzzle
from pylogic_sudoku.puzzle import Mark

PAIR = Puzzle(
    "." * 16,
    marks={"r2c2": {1, 3, 4}, "r2c3": {3, 4}, "r3c4": {1, 2}, "r4c4": {1, 2}},
)
"""No solution: r3c4 and r4c4 need 1 and 2, and so does what is left of box 2."""

BY_HAND = Certificate(PAIR, (), ((-29,), (-30,), (-13,)), "a person")
"""r2c4 is not 1; r2c4 is not 2; r1c4 is not 1."""

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."


def refutes(puzzle: Grid | Puzzle, solution: Grid | None, lemmas: Sequence[Iterable[int]]) -> bool:
    """True if each lemma follows by unit propagation, and then a contradiction."""
    clauses = [*_clauses(puzzle)]
    if solution:
        clauses.append([-_variable(puzzle.size, *each) for each in solution.givens])
    for lemma in (*lemmas, ()):
        if _consistent(clauses, {-each for each in lemma}):
            return False
        clauses.append(list(lemma))
    return True


def _variable(n: int, row: int, column: int, digit: int) -> int:
    return ((row - 1) * n + column - 1) * n + digit


def _clauses(puzzle: Grid | Puzzle) -> Iterable[list[int]]:
    n = puzzle.size
    digits = range(1, n + 1)
    groups = [[_variable(n, *cell, digit) for digit in digits] for cell in puzzle.cells]
    for house in puzzle.houses:
        groups += [[_variable(n, *cell, digit) for cell in house.cells] for digit in digits]
    for group in groups:
        yield group
        yield from ([-one, -other] for one, other in combinations(group, 2))
    yield from ([_variable(n, *each)] for each in puzzle.givens)
    marks: tuple[Mark, ...] = getattr(puzzle, "marks", ())
    for mark in marks:
        yield from ([-_variable(n, *mark.cell, d)] for d in digits if d not in mark.digits)


def _consistent(clauses: list[list[int]], true: set[int]) -> bool:
    """False if propagation makes a clause false."""
    while True:
        before = len(true)
        for clause in clauses:
            open_ = [each for each in clause if -each not in true]
            if not open_:
                return False
            if len(open_) == 1:
                true.add(open_[0])
        if len(true) == before:
            return True
