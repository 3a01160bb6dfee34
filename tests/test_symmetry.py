"""Counts and symmetries, which are unknown to the engines and hold for each of them."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from dataclasses import replace
from math import factorial
from typing import Any, NamedTuple

import pytest
from helpers.gallery import ENCODINGS, SMALL, answers
from helpers.oracle import dig, full_grid
from helpers.programs import resource
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Symmetry
from pylogic_sudoku.engines.prolog.swipl import swipl

# --- the symmetries of a grid, each a way to carry any puzzle over ------------------------


def lines_of_bands(box: tuple[int, int], order: list[int]) -> tuple[int, ...]:
    """Where each row goes, if whole bands are put in this order, from 0."""
    return tuple(
        order[row // box[0]] * box[0] + row % box[0] + 1 for row in range(len(order) * box[0])
    )


def lines_within_bands(box: tuple[int, int], orders: list[list[int]]) -> tuple[int, ...]:
    """Where each row goes, if each stays in its band."""
    return tuple(band * box[0] + row + 1 for band, order in enumerate(orders) for row in order)


class Kind(NamedTuple):
    """A kind of symmetry: for a box shape, strategies of its members."""

    name: str
    members: Callable[[tuple[int, int]], st.SearchStrategy[Symmetry]]


def _only(
    field: str, box: tuple[int, int], values: st.SearchStrategy[Any]
) -> st.SearchStrategy[Symmetry]:
    same = Symmetry.identity(box[0] * box[1])
    return values.map(lambda value: replace(same, **{field: value}))


def _orders(length: int) -> st.SearchStrategy[list[int]]:
    return st.permutations(range(length))


def _bands(box: tuple[int, int]) -> st.SearchStrategy[tuple[int, ...]]:
    return _orders(box[1]).map(lambda order: lines_of_bands(box, order))


def _within(box: tuple[int, int]) -> st.SearchStrategy[tuple[int, ...]]:
    orders = st.tuples(*[_orders(box[0])] * box[1])
    return orders.map(lambda orders: lines_within_bands(box, list(orders)))


def _digits(box: tuple[int, int]) -> st.SearchStrategy[tuple[int, ...]]:
    return st.permutations(range(1, box[0] * box[1] + 1)).map(tuple)


KINDS = [
    Kind("digits", lambda box: _only("digits", box, _digits(box))),
    Kind("bands", lambda box: _only("rows", box, _bands(box))),
    Kind("stacks", lambda box: _only("columns", box, _bands(box[::-1]))),
    Kind("rows", lambda box: _only("rows", box, _within(box))),
    Kind("columns", lambda box: _only("columns", box, _within(box[::-1]))),
    Kind("transposition", lambda box: _only("transposed", box, st.just(True))),
]


@st.composite
def puzzles(draw: st.DrawFn) -> Grid:
    """Dug from full grids, some with a digit changed: one, many or no solutions."""
    box = draw(st.sampled_from([(2, 2), (1, 4), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)]))
    n = box[0] * box[1]
    least = {4: 2, 6: 13, 8: 32, 9: 34}[n]
    seed = draw(st.integers(0, 10**6))
    puzzle = dig(full_grid(box, seed), draw(st.integers(least, n * n - 1)), seed)
    if draw(st.integers(0, 3)) == 0:
        cell, digit = draw(st.integers(0, n * n - 1)), draw(st.integers(1, n))
        puzzle = Grid((*puzzle.digits[:cell], digit, *puzzle.digits[cell + 1 :]), box)
    return puzzle


LIMIT = 500
"""Puzzles with more solutions are not compared; with so many givens they are rare."""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_solutions_are_carried_to_the_solutions(backend, kind, data):
    puzzle = data.draw(puzzles())
    symmetry = data.draw(kind.members(puzzle.box))
    found = set(pls.solutions(puzzle, backend, limit=LIMIT))
    moved = symmetry(puzzle)
    if len(found) == LIMIT:
        assert pls.count(moved, backend, limit=LIMIT) == LIMIT
        return
    assert set(pls.solutions(moved, backend, limit=LIMIT)) == {symmetry(one) for one in found}


@pytest.mark.slow
def test_all_symmetries_at_once_on_a_puzzle_of_many_solutions(backend):
    """The 176 solutions of a puzzle, after a hundred random moves in a row."""
    puzzle = Grid.parse(
        "...7.96.....631.....9.28.....348....8.....7...76...8..4.597....6273.4....9..56..."
    )
    found = set(pls.solutions(puzzle, backend))
    assert len(found) == 176
    rng = random.Random(1)
    bands = [range(1, 4), range(4, 7), range(7, 10)]

    def lines() -> tuple[int, ...]:
        return tuple(line for band in rng.sample(bands, 3) for line in rng.sample(band, 3))

    for _ in range(20):
        move = Symmetry(tuple(rng.sample(range(1, 10), 9)), lines(), lines(), True)
        puzzle, found = move(puzzle), {move(one) for one in found}
    assert set(pls.solutions(puzzle, backend)) == found


# --- counts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("box", "number"),
    [((2, 2), 288), ((1, 4), 576), ((4, 1), 576), ((1, 3), 12), ((3, 1), 12)],
    ids=str,
)
def test_numbers_of_full_grids(backend, box, number):
    assert pls.count(Grid((0,) * (box[0] * box[1]) ** 2, box), backend) == number


def first_row(row: list[int], box: tuple[int, int]) -> Grid:
    n = len(row)
    return Grid((*row, *[0] * (n * n - n)), box)


def test_every_first_row_begins_as_many_4x4_grids(backend):
    """Relabelling carries one first row to another, so all grids are 4! times those of one."""
    counts = {
        pls.count(first_row(row, SMALL), backend)
        for row in ([1, 2, 3, 4], [4, 3, 2, 1], [2, 4, 1, 3], [3, 1, 4, 2])
    }
    assert counts == {12}
    assert 12 * factorial(4) == pls.count("." * 16, backend) == 288


@pytest.mark.slow
@pytest.mark.parametrize("box", [(2, 3), (3, 2)], ids=str)
def test_every_first_row_begins_as_many_6x6_grids(box):
    """39,168 for each of the 720 first rows, which is the known number of 6x6 grids."""
    rows = [random.Random(seed).sample(range(1, 7), 6) for seed in range(12)]
    counts = {pls.count(first_row(row, box)) for row in rows}
    assert counts == {39_168}
    assert 39_168 * factorial(6) == 28_200_960


@pytest.mark.slow
@pytest.mark.parametrize("box", [(2, 3), (3, 2)], ids=str)
def test_every_first_row_begins_as_many_6x6_grids_in_prolog(box):
    assert pls.count(first_row([4, 6, 1, 5, 2, 3], box), "prolog") == 39_168


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


def test_4x4_grids_with_both_diagonals_in_prolog():
    """Constraints between the rules and the search."""
    goal = (
        "Rows = [[A,_,_,E],[_,B,F,_],[_,G,C,_],[H,_,_,D]], sudoku_rules(Rows),"
        " all_different([A,B,C,D]), all_different([E,F,G,H]),"
        " aggregate_all(count, sudoku_search(Rows), Count), writeln(Count)"
    )
    done = subprocess.run(
        [str(swipl()), "-g", goal, "-t", "halt", str(resource("prolog/sudoku.pl"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("48\n", "")


def test_the_diagonals_are_what_plain_python_finds_too(backend):
    def diagonals(grid: Grid) -> bool:
        down = {row[place] for place, row in enumerate(grid.rows)}
        up = {row[3 - place] for place, row in enumerate(grid.rows)}
        return len(down) == len(up) == 4

    assert sum(map(diagonals, pls.solutions("." * 16, backend))) == 48
