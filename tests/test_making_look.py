"""The first look at a puzzle, before it is rated."""

from __future__ import annotations

import pytest

import pylogic_sudoku as pls
from pylogic_sudoku.explain import steps
from pylogic_sudoku.making import _judge
from pylogic_sudoku.making._look import Look

JIGSAW = "11122 11322 43332 44355 44555"
LAST = {(0, 0): "hidden_single", (3, 0): "hidden_triple", (4, 0): "hidden_quad", (4, 2): "x_wing"}


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


@pytest.mark.parametrize("settings", LAST)
@pytest.mark.parametrize(
    "shape",
    [{"box": (2, 3)}, {"regions": JIGSAW}, pytest.param({}, marks=pytest.mark.slow)],
    ids=str,
)
def test_it_ends_where_steps_by_the_same_techniques_end(shape, settings):
    for puzzle in pls.generate(4, True, seed=2, **shape):
        look = Look(puzzle.layout, puzzle.givens)
        solved = look.settle(*settings)
        left = left_by_steps(puzzle, LAST[settings])
        assert look.left == left
        assert solved == (not left)
        assert look.open.bit_count() == len({each[:2] for each in left})


def test_rating_counts_towards_the_time_limit(monkeypatch, clock):
    def beyond(*_arguments):
        clock.now += 60
        return _judge.HARDER

    monkeypatch.setattr(_judge, "_beyond", beyond)
    made = pls.generate(seed=1, technique="finned jellyfish", tries=None, timeout=60)
    with pytest.raises(pls.NotGenerated, match=r"within the limit of 60 s"):
        next(made)


@pytest.mark.slow
@pytest.mark.parametrize("technique", ["X-wing", "skyscraper"])
def test_a_rare_technique_is_needed(technique):
    """Of the puzzles that are dug, hardly any is like that; givens have to go back."""
    (puzzle,) = pls.generate(seed=7, technique=technique)
    assert pls.is_unique(puzzle)
    order = [each.name for each in pls.techniques.TECHNIQUES.values()]
    assert max(pls.rate(puzzle).techniques, key=order.index) == technique
