"""Counts and symmetries, which are unknown to the engines and hold for each of them."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from math import factorial
from typing import NamedTuple

import pytest
from helpers.gallery import ENCODINGS, SMALL, answers
from helpers.oracle import dig, full_grid
from helpers.programs import resource
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines.prolog.swipl import swipl

Symmetry = Callable[[Grid], Grid]

# --- the symmetries of a grid, each a way to carry any puzzle over ------------------------


def relabelled(digits: list[int]) -> Symmetry:
    """Digit d becomes digits[d - 1]; an empty cell stays empty."""
    return lambda grid: grid.relabelled(digits)


def rows_moved(order: list[int]) -> Symmetry:
    """Row r of the result is row order[r]."""
    return lambda grid: Grid.from_rows([grid.rows[row] for row in order], grid.box)


transposed = Grid.transposed


def columns_moved(order: list[int]) -> Symmetry:
    return lambda grid: transposed(rows_moved(order)(transposed(grid)))


def order_of_bands(box: tuple[int, int], order: list[int]) -> list[int]:
    """Rows in the order that moves whole bands."""
    return [band * box[0] + row for band in order for row in range(box[0])]


def order_within_bands(box: tuple[int, int], orders: list[list[int]]) -> list[int]:
    """Rows in an order that keeps each of them in its band."""
    return [band * box[0] + row for band, order in enumerate(orders) for row in order]


class Kind(NamedTuple):
    """A kind of symmetry: for a box shape, strategies of its members."""

    name: str
    members: Callable[[tuple[int, int]], st.SearchStrategy[Symmetry]]


def _orders(length: int) -> st.SearchStrategy[list[int]]:
    return st.permutations(range(length))


def _bands(box: tuple[int, int]) -> st.SearchStrategy[list[int]]:
    return _orders(box[1]).map(lambda order: order_of_bands(box, order))


def _within(box: tuple[int, int]) -> st.SearchStrategy[list[int]]:
    orders = st.tuples(*[_orders(box[0])] * box[1])
    return orders.map(lambda orders: order_within_bands(box, list(orders)))


KINDS = [
    Kind("digits", lambda box: st.permutations(range(1, box[0] * box[1] + 1)).map(relabelled)),
    Kind("bands", lambda box: _bands(box).map(rows_moved)),
    Kind("stacks", lambda box: _bands(box[::-1]).map(columns_moved)),
    Kind("rows", lambda box: _within(box).map(rows_moved)),
    Kind("columns", lambda box: _within(box[::-1]).map(columns_moved)),
    Kind("transposition", lambda box: st.just(transposed)),
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

    def shuffled(length: int, start: int = 0) -> list[int]:
        return rng.sample(range(start, start + length), length)

    for _ in range(20):
        for move in (
            relabelled(shuffled(9, 1)),
            rows_moved(order_of_bands((3, 3), shuffled(3))),
            columns_moved(order_of_bands((3, 3), shuffled(3))),
            rows_moved(order_within_bands((3, 3), [shuffled(3) for _ in range(3)])),
            columns_moved(order_within_bands((3, 3), [shuffled(3) for _ in range(3)])),
            transposed,
        ):
            puzzle, found = move(puzzle), {move(one) for one in found}
    assert set(pls.solutions(puzzle, backend)) == found


def test_the_moves_do_what_their_names_say():
    grid = Grid.from_rows([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]])
    assert str(relabelled([2, 1, 3, 4])(grid)) == "2134342112434312"
    assert str(rows_moved(order_of_bands((2, 2), [1, 0]))(grid)) == "2143432112343412"
    assert str(rows_moved(order_within_bands((2, 2), [[1, 0], [0, 1]]))(grid)) == "3412123421434321"
    assert str(columns_moved([1, 0, 2, 3])(grid)) == "2134431212433421"
    assert str(transposed(grid)) == "1324241331424231"
    assert transposed(Grid((0,) * 36, (2, 3))).box == (3, 2)


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
