"""Symmetries, which are unknown to the engines and hold for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

import pytest
from helpers.fakes import Planted
from helpers.gallery import ENCODINGS, SMALL, answers
from helpers.rule_instances import example
from helpers.symmetry import Symmetry, grids, jigsaws, ruled, symmetries
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.rules import KINDS, Digits

LIMIT = 500
"""Puzzles with more solutions are not compared; with this number of givens they are rare."""

PUZZLES = {"grids": grids(), "jigsaws": jigsaws(), "rules": ruled()}


UNHURRIED = settings(
    deadline=None, database=None, report_multiple_bugs=False, suppress_health_check=[*HealthCheck]
)


def relations(puzzles: st.SearchStrategy, backend: str | pls.SudokuEngine) -> Callable[[], None]:
    """Properties of an engine alone, whatever the right answers are.

    An image has the solutions carried over. Of two puzzles that differ in a given, the one that has
    it has those solutions of the other that have that digit there.
    """

    def found(puzzle: Grid | Puzzle) -> list[Grid]:
        every = list(pls.solutions(puzzle, backend, limit=LIMIT))
        assert len(set(every)) == len(every)
        assume(len(every) < LIMIT)
        return every

    def digits(every: Iterable[Grid]) -> set[tuple[int, ...]]:
        return {each.digits for each in every}

    @given(data=st.data())
    def hold(data: st.DataObject) -> None:
        puzzle = data.draw(puzzles)
        before = found(puzzle)
        symmetry = data.draw(symmetries(puzzle))
        assert digits(found(symmetry(puzzle))) == digits(map(symmetry, before))
        cell = data.draw(st.sampled_from(puzzle.cells))
        digit = puzzle[cell] or data.draw(st.integers(1, puzzle.size))
        less = found(puzzle.without(cell)) if puzzle[cell] else before
        more = before if puzzle[cell] else found(puzzle.with_((*cell, digit)))
        assert digits(more) == digits(each for each in less if each[cell] == digit)

    return hold


@pytest.mark.one_in(3)
@pytest.mark.parametrize("puzzles", PUZZLES)
def test_images_and_changed_givens(backend, puzzles):
    examples = 5 if puzzles == "rules" else 15
    settings(UNHURRIED, max_examples=examples)(relations(PUZZLES[puzzles], backend))()


@pytest.mark.parametrize(
    "fault",
    [
        lambda _puzzle, found: (grid for grid in found if grid.digits[0] != 1),
        lambda puzzle, found: found if len(puzzle.givens) % 2 else list(found)[:-1],
    ],
    ids=["a solution with a 1 in the corner is lost", "a solution is lost if givens are even"],
)
def test_they_find_a_fault_that_every_engine_could_share(fault):
    once = settings(UNHURRIED, phases=(Phase.generate,))
    with pytest.raises(AssertionError):
        once(relations(grids(), Planted(fault)))()


@pytest.mark.parametrize("kind", [kind for kind, rule in KINDS.items() if rule.asp is None])
def test_a_turned_rule_says_the_same_about_a_turned_grid(kind):
    puzzle, good, bad = example(kind)
    same = tuple(range(1, good.size + 1))
    for rows, columns, turned in product((same, same[::-1]), (same, same[::-1]), (False, True)):
        turn = Symmetry(same, rows, columns, turned)
        image = turn(puzzle)
        (rule,) = image.rules
        rule.check(image.layout)
        assert rule.holds(Digits(turn(good).digits, image.layout))
        assert not rule.holds(Digits(turn(bad).digits, image.layout))


# --- a variant ------------------------------------------------------------------------------


DIAGONALS = """
diagonal(1, X, X)                          :- digit(X).
diagonal(2, X, box_rows*box_columns+1 - X) :- digit(X).
:- diagonal(D,_,_), digit(N), not { sudoku(X,Y,N) : diagonal(D,X,Y) } = 1.
"""


def test_4x4_grids_with_both_diagonals_in_asp():
    """Rules beside the encoding, as a person would add them."""
    sudoku = ENCODINGS[0]
    program = f'#include "{sudoku.path.as_posix()}".\n{DIAGONALS}'
    found, grumbles = answers(program, "", sudoku.options(SMALL))
    assert grumbles == []
    assert len(found) == len(set(found)) == 48
