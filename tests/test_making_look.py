"""The first look at a puzzle, before it is rated."""

from __future__ import annotations

import pytest

import pylogic_sudoku as pls
from pylogic_sudoku.explain import steps
from pylogic_sudoku.making import _judge
from pylogic_sudoku.making._look import Look

JIGSAW = "11122 11322 43332 44355 44555"
LAST = {0: "hidden_single", 3: "hidden_triple", 4: "hidden_quad"}


def left_by_steps(puzzle: pls.Grid | pls.Puzzle, last: str) -> set[tuple[int, int, int]]:
    """The candidates where steps by these techniques end."""
    way = steps(puzzle)
    way.up_to(last)
    if last == "hidden_single":
        allowed = {"full house", "naked single", "hidden single"}
    else:
        allowed = {each.name for each in pls.techniques.TECHNIQUES.values()} - {"minimal set"}
    while True:
        left = {
            (row, column, digit)
            for row, cells in enumerate(way.candidates, 1)
            for column, cell in enumerate(cells, 1)
            for digit in cell
        }
        step = next(way, None)
        if step is None or step.technique not in allowed:
            return left


@pytest.mark.parametrize("largest", LAST)
@pytest.mark.parametrize(
    "shape",
    [{"box": (2, 3)}, {"regions": JIGSAW}, pytest.param({}, marks=pytest.mark.slow)],
    ids=str,
)
def test_it_ends_where_steps_by_the_same_techniques_end(shape, largest):
    for puzzle in pls.generate(4, True, seed=2, **shape):
        look = Look(puzzle.layout, puzzle.givens)
        solved = look.settle(largest)
        left = left_by_steps(puzzle, LAST[largest])
        masks = {(*cell, mask) for cell, mask in zip(puzzle.cells, look.cells, strict=True)}
        digits = range(1, puzzle.size + 1)
        open_cells = {cell[:2] for at, cell in enumerate(puzzle.cells) if look.open >> at & 1}
        assert left == {
            (x, y, digit)
            for x, y, mask in masks
            for digit in digits
            if (x, y) in open_cells and mask >> digit - 1 & 1
        }
        assert solved == (not left)


def test_rating_counts_towards_the_time_limit(monkeypatch, clock):
    def by_steps(*_arguments):
        clock.now += 60
        return _judge.HARDER

    monkeypatch.setattr(_judge, "_by_steps", by_steps)
    made = pls.generate(seed=1, level="easy", tries=None, timeout=60)
    with pytest.raises(pls.NotGenerated, match=r"within the limit of 60 s"):
        next(made)
