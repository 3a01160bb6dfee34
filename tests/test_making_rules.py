"""Rules that are laid over a full grid: what they look like, and puzzles with them."""

from __future__ import annotations

import random
from itertools import chain, pairwise

import pytest
from helpers.oracle import full_grid

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.making._rules import DRAWN, LAID, draw, lay
from pylogic_sudoku.rules import KINDS

SHAPES = [(2, 2), (1, 5), (2, 3), (3, 3), (3, 4)]
LINES = ["thermometer", "arrow", "whispers"]


def cells_of(rule):
    return (*rule.circle, *rule.arm) if rule.kind == "arrow" else rule.cells


def touch(one, other):
    return max(abs(one.row - other.row), abs(one.column - other.column)) == 1


@pytest.mark.parametrize("kind", LAID)
@pytest.mark.parametrize("box", SHAPES, ids=str)
def test_the_solution_obeys_what_is_laid_over_it(kind, box):
    solution = full_grid(box, 1)
    for seed in range(10):
        rules = lay([kind], solution, random.Random(seed))
        empty = Grid((0,) * len(solution.digits), box)
        assert {rule.kind for rule in rules} <= {kind}
        assert solution.is_solution_of(Puzzle(empty, rules=rules))
        assert rules == lay([kind], solution, random.Random(seed))
    if box == (3, 3):
        assert len(rules) > 4
        assert rules != lay([kind], solution, random.Random(10))


@pytest.mark.parametrize("box", SHAPES, ids=str)
def test_cages_cover_the_grid_and_hold_no_digit_twice(box):
    solution = full_grid(box, 2)
    for seed in range(10):
        cages = [rule.cells for rule in lay(["killer_cage"], solution, random.Random(seed))]
        assert sorted(chain(*cages)) == sorted(solution.cells)
        for cage in cages:
            assert 2 <= len(cage) <= 5
            assert len({solution[cell] for cell in cage}) == len(cage)
            assert joined(cage) == {*cage}


def joined(cage):
    """The cells that are reached from the first one by steps over sides."""
    found = {cage[0]}
    for _ in cage:
        found |= {
            cell
            for cell in cage
            if any(abs(cell.row - at.row) + abs(cell.column - at.column) == 1 for at in found)
        }
    return found


@pytest.mark.parametrize("kind", LINES)
def test_lines_have_3_to_6_cells_and_share_none(kind):
    solution = full_grid((3, 3), 3)
    for seed in range(10):
        lines = [cells_of(rule) for rule in lay([kind], solution, random.Random(seed))]
        assert len({*chain(*lines)}) == len([*chain(*lines)])
        for line in lines:
            assert 3 <= len(line) <= 6
            assert all(touch(*pair) for pair in pairwise(line))


@pytest.mark.parametrize("kind", DRAWN)
@pytest.mark.parametrize("holds", [True, False])
def test_any_kind_is_drawn_so_that_the_grid_obeys_it_or_does_not(kind, holds):
    found = []
    for seed in range(20):
        grid = full_grid(SHAPES[2 + seed % 2], seed)
        rule = draw(kind, grid, random.Random(seed), holds)
        assert rule.kind == kind
        assert rule == draw(kind, grid, random.Random(seed), holds)
        empty = Grid((0,) * len(grid.digits), grid.box)
        found.append(grid.is_solution_of(Puzzle(empty, rules=[rule])) == holds)
    # A rule over the whole grid is what it is, and a palindrome is hard to find.
    assert sum(found) >= 12 or not KINDS[kind].types, found


def test_several_kinds_are_laid_one_after_another():
    rules = lay(["ratio", "thermometer", "ratio"], full_grid((3, 3), 1), random.Random(1))
    kinds = [rule.kind for rule in rules]
    assert kinds == sorted(kinds)
    assert {*kinds} == {"ratio", "thermometer"}


def test_another_kind_is_refused_by_its_name():
    with pytest.raises(ValueError, match=r"'sandwich' cannot be laid .* killer_cage, .* or ratio"):
        pls.generate(rules=["sandwich"])
    with pytest.raises(TypeError, match=r"must be a list, such as \['arrow'\]"):
        pls.generate(rules="arrow")


@pytest.mark.parametrize("kind", ["killer_cage", "thermometer"])
@pytest.mark.parametrize("box", [(2, 2), (2, 3)], ids=str)
def test_puzzles_over_a_given_grid(kind, box):
    solution = full_grid(box, 5)
    for puzzle in pls.generate(2, seed=1, rules=[kind], solution=solution, certify=True):
        assert [*pls.solutions(puzzle, "prolog", limit=2)] == [solution]
        assert {rule.kind for rule in puzzle.rules} == {kind}
        fewer = [puzzle.grid.without(given[:2]) for given in puzzle.grid.givens]
        assert not any(pls.is_unique(Puzzle(grid, rules=puzzle.rules)) for grid in fewer)


def test_each_puzzle_has_a_grid_and_rules_of_its_own():
    one, other = pls.generate(2, seed=1, rules=["killer_cage"], box=(2, 3))
    assert one.rules != other.rules
    assert pls.solve(one) != pls.solve(other)


def test_rules_of_ones_own_hold_beside_those_that_are_laid():
    own = pls.rules.Different(pls.rules.diagonals(4)[0])
    (puzzle,) = pls.generate(seed=2, box=(2, 2), rules=[own, "thermometer"])
    assert puzzle.rules[0] == own
    assert {rule.kind for rule in puzzle.rules[1:]} <= {"thermometer"}
    assert pls.count(puzzle, "prolog", limit=2) == 1
