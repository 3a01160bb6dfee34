"""The cells of diagonals, extra regions and clues beside the grid."""

from __future__ import annotations

import doctest

import pytest

from pylogic_sudoku import InvalidPuzzle, rules
from pylogic_sudoku import _geometry as geometry


def names(cells):
    return " ".join(map(str, cells))


def test_the_examples_are_right():
    assert doctest.testmod(geometry).failed == 0


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (rules.row(2, 3), "r2c1 r2c2 r2c3"),
        (rules.row(2, 3, reverse=True), "r2c3 r2c2 r2c1"),
        (rules.column(3, 3), "r1c3 r2c3 r3c3"),
        (rules.column(3, 3, reverse=True), "r3c3 r2c3 r1c3"),
        (rules.diagonals(3)[0], "r1c1 r2c2 r3c3"),
        (rules.diagonals(3)[1], "r1c3 r2c2 r3c1"),
        (rules.diagonal_from((0, 0), "DR", 3), "r1c1 r2c2 r3c3"),
        (rules.diagonal_from((4, 2), "ur", 3), "r3c3"),
        (rules.diagonal_from((2, 4), "UL", 3), "r1c3"),
        (rules.diagonal_from((2, 0), "DR", 3), "r3c1"),
        (rules.edge_line((0, 1), 3), "r1c1 r2c1 r3c1"),
        (rules.edge_line((4, 1), 3), "r3c1 r2c1 r1c1"),
        (rules.edge_line((1, 0), 3), "r1c1 r1c2 r1c3"),
        (rules.edge_line((1, 4), 3), "r1c3 r1c2 r1c1"),
        (rules.windoku(4)[0], "r2c2 r2c3 r3c2 r3c3"),
    ],
)
def test_cells_come_in_the_order_in_which_they_are_seen(cells, expected):
    assert names(cells) == expected


def test_windoku_has_four_regions_of_nine_cells():
    assert [names(cells[::8]) for cells in rules.windoku()] == [
        "r2c2 r4c4",
        "r2c6 r4c8",
        "r6c2 r8c4",
        "r6c6 r8c8",
    ]


@pytest.mark.parametrize("box", [(2, 3), (3, 3)])
def test_disjoint_groups_share_out_the_grid(box):
    groups = rules.disjoint_groups(box)
    n = box[0] * box[1]
    assert [len(group) for group in groups] == [n] * n
    assert len({cell for group in groups for cell in group}) == n * n
    for group in groups:
        assert len({((row - 1) % box[0], (column - 1) % box[1]) for row, column in group}) == 1


def test_nonconsecutive_is_a_negative_rule():
    assert rules.nonconsecutive() == rules.Negative(differences=[1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rules.row(0, 4), "0 is not a row or column from 1 to 4"),
        (lambda: rules.windoku(6), "square boxes"),
        (lambda: rules.diagonal_from((0, 1), "D", 4), "expected one of UL, UR, DL, DR"),
        (lambda: rules.diagonal_from((0, 1), "UL", 4), "sees no cell"),
        (lambda: rules.diagonal_from((2, 2), "UL", 4), "not beside a 4x4 grid"),
        (lambda: rules.edge_line((0, 0), 4), "not beside a 4x4 grid"),
        (lambda: rules.edge_line("r1c1", 4), "expected its row and column"),
    ],
)
def test_what_is_not_beside_the_grid_is_refused(make, message):
    with pytest.raises(InvalidPuzzle, match=message):
        make()
