"""Explanations of puzzles with regions and marks: compared with every grid and every set."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from helpers.oracle import all_solutions
from test_steps import check_simplest, walk

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Placement, Puzzle
from pylogic_sudoku._demands import exclusions, rules, said_marks

SMALL = "1112122233343444"
"""Four regions of a 4x4 grid."""


def made(seed: int, kept: int, marked: int, regions: str | None = SMALL) -> Puzzle:
    """A 4x4 puzzle with solutions, and as many givens and marks."""
    choose = Random(seed)
    empty = Puzzle(Grid((0,) * 16, (2, 2)), regions)
    solution = choose.choice(list(all_solutions(empty)))
    cells = choose.sample(solution.cells, kept + marked)
    marks = {cell: {solution[cell], choose.randint(1, 4)} for cell in cells[kept:]}
    return Puzzle(Grid.of([(*c, solution[c]) for c in cells[:kept]], (2, 2)), regions, marks)


PUZZLES = [made(seed, 3, 4) for seed in range(4)] + [made(seed, 2, 6, None) for seed in range(4)]
SPOILT = [
    puzzle.with_((*Random(seed).choice(puzzle.cells), seed % 4 + 1))
    for seed, puzzle in enumerate(PUZZLES)
]
"""The same with another digit somewhere: most have no solution."""


def demanded(puzzle: Puzzle) -> list[tuple]:
    return [*puzzle.givens, *exclusions(puzzle)]


def obeys(grid: Grid, demand: tuple) -> bool:
    *excluded, row, column, digit = demand
    return (grid[row, column] == digit) is not bool(excluded)


def every_grid(puzzle: Puzzle) -> list[Grid]:
    """All full grids with these regions, whatever the givens and marks."""
    return list(all_solutions(Puzzle(Grid((0,) * 16, (2, 2)), puzzle.regions)))


# --- why -------------------------------------------------------------------------------------


@pytest.mark.parametrize("grain", ["rule", "house"])
@pytest.mark.parametrize("puzzle", PUZZLES[2:6], ids=repr)
def test_every_cell_is_explained(puzzle, grain):
    solutions = list(all_solutions(puzzle))
    for cell in puzzle.cells:
        digits = {solution[cell] for solution in solutions}
        answer = pls.why(puzzle, cell, smallest=cell.row == 3, grain=grain)
        answer.verify()
        assert answer.puzzle == puzzle
        assert (len(digits) == 1) == (answer.digit in digits)
        assert set(answer.rules) <= set(rules(puzzle.layout, grain))
        assert set(answer.givens) <= set(puzzle.givens)
        assert set(answer.excluded) <= set(puzzle.excluded)
        assert pickle.loads(pickle.dumps(answer)) == answer


def test_each_engine_verifies_marks(backend):
    for cell in PUZZLES[4].cells:
        pls.why(PUZZLES[4], cell).verify(backend)


def test_each_engine_verifies_regions(backend):
    for cell in PUZZLES[0].cells:
        pls.why(PUZZLES[0], cell, grain="house").verify(backend)


def test_a_mark_alone_forces_a_digit():
    puzzle = Puzzle(Grid((0,) * 16, (2, 2)), marks={"r1c3": [3]})
    answer = pls.why(puzzle, "r1c3")
    assert (answer.rules, answer.givens) == ((("filled", 1, 3),), ())
    assert answer.excluded == ((1, 3, 1), (1, 3, 2), (1, 3, 4))
    assert str(answer) == (
        "r1c3 is 3, because:\n"
        "  r1c3 must hold a digit\n"
        "  r1c3 may not hold 1, 2 or 4 (mark)\n"
        "None of these can be spared: 1 rule and 3 excluded digits."
    )
    data = json.loads(json.dumps(answer.to_json()))
    assert data["excluded"] == {"r1c3": [1, 2, 4]}
    assert data["puzzle"] == puzzle.to_json()
    shown = {each.label: each.cells for each in answer.picture().highlights}
    assert shown == {"r1c3 is 3": ((1, 3),), "marks that matter": ((1, 3),)}


def test_regions_are_named_by_number():
    answers = [pls.why(PUZZLES[0], cell) for cell in PUZZLES[0].cells]
    assert any("region" in str(answer) for answer in answers)
    assert not any("box" in str(answer) for answer in answers)
    houses = [each for answer in answers for each in answer.picture().highlights]
    assert any(each.role == "house" and each.label.startswith("region") for each in houses)


def test_a_wrong_mark_is_noticed():
    answer = pls.why(Puzzle(Grid((0,) * 16, (2, 2)), marks={"r1c3": [3]}), "r1c3")
    for members in (answer.core.members[:-1], (*answer.core.members, ("excluded", 1, 1, 1))):
        with pytest.raises(pls.Disagreement):
            replace(answer, core=replace(answer.core, members=members)).verify()


def test_equal_marks_share_a_sentence():
    excluded = [Placement(1, 2, 4), Placement(3, 1, 2), Placement(1, 2, 2), Placement(3, 1, 4)]
    assert list(said_marks(excluded)) == ["r1c2 and r3c1 may not hold 2 or 4 (marks)"]


@pytest.mark.parametrize("smallest", [False, True])
def test_the_only_digit_that_there_is(smallest, backend):
    answer = pls.why(".", "r1c1", smallest, "house")
    assert str(answer) == (
        "r1c1 is 1, because:\n  every cell holds one digit\nNothing else is needed."
    )
    answer.verify(backend)


# --- why not ---------------------------------------------------------------------------------


@pytest.mark.parametrize("puzzle", PUZZLES + SPOILT, ids=repr)
def test_the_fewest_givens_that_must_go(puzzle):
    choose = Random(repr(puzzle))
    kept = [g for g in every_grid(puzzle) if all(obeys(g, each) for each in exclusions(puzzle))]
    for cell, digit in [(choose.choice(puzzle.cells), choose.randint(1, 4)) for _ in range(5)]:
        sets = {
            frozenset(given for given in puzzle.givens if not obeys(grid, given))
            for grid in kept
            if grid[cell] == digit
        }
        if not sets:
            with pytest.raises(pls.NoSolution, match=rf"{cell} cannot be {digit} whichever givens"):
                pls.why_not(puzzle, cell, digit)
            continue
        fewest = min(map(len, sets))
        answer = pls.why_not(puzzle, cell, digit)
        answer.verify()
        assert answer.witness.is_solution_of(puzzle.without(*answer.givens))
        assert {frozenset(each.givens) for each in answer.all()} == {
            gone for gone in sets if len(gone) == fewest
        }
        assert answer.to_json()["puzzle"] == puzzle.to_json()


@pytest.mark.parametrize("puzzle", ["." * 16, Puzzle("." * 16, SMALL)], ids=repr)
def test_without_givens_none_has_to_go(puzzle, backend):
    (answer,) = pls.why_not(puzzle, "r1c1", 1).all()
    assert (answer.givens, answer.witness["r1c1"]) == ((), 1)
    answer.verify(backend)


def test_a_mark_stays():
    puzzle = Puzzle(Grid((0,) * 16, (2, 2)), marks={"r1c3": [3]})
    with pytest.raises(pls.NoSolution, match="r1c3 cannot be 2 whichever givens go: its mark"):
        pls.why_not(puzzle, "r1c3", 2)


# --- conflicts -------------------------------------------------------------------------------


def every_clash(puzzle: Puzzle) -> set[frozenset[tuple]]:
    """The minimal sets of givens and exclusions that no grid obeys."""
    demands = demanded(puzzle)
    kept = [frozenset(d for d in demands if obeys(g, d)) for g in every_grid(puzzle)]
    found: set[frozenset[tuple]] = set()
    for size in range(len(demands) + 1):
        for chosen in map(frozenset, combinations(demands, size)):
            minimal = not any(less <= chosen for less in found)
            if minimal and not any(chosen <= possible for possible in kept):
                found.add(chosen)
    return found


@pytest.mark.parametrize("puzzle", SPOILT, ids=repr)
def test_every_minimal_clash_once(puzzle):
    expected = every_clash(puzzle)
    fewest = pls.conflicts(puzzle, smallest=True)
    fewest.verify()
    assert bool(expected) == (not list(all_solutions(puzzle))) == (fewest.solution is None)
    every = list(fewest.all())
    assert len(every) == len(expected)
    assert {frozenset(each.core.members) for each in every} == expected
    if expected:
        assert len(fewest.core.members) == min(map(len, expected))
    for each in every:
        each.verify()
        cells = {cell for high in each.picture().highlights for cell in high.cells}
        assert cells == {placement.cell for placement in (*each.givens, *each.excluded)}


def test_some_clash_by_givens_and_marks_together():
    clashes = [clash for puzzle in SPOILT for clash in pls.conflicts(puzzle).all()]
    both = next(each for each in clashes if each.givens and each.excluded)
    assert str(both).startswith("The puzzle has no solution, because these givens and marks clash:")
    assert all(f"  {line}" in str(both).splitlines() for line in said_marks(both.excluded))


def test_marks_alone_can_clash(backend):
    clash = pls.conflicts(Puzzle(Grid((0,) * 16, (2, 2)), marks={"r1c1": [1], "r1c4": [1]}))
    assert str(clash) == (
        "The puzzle has no solution, because these marks clash:\n"
        "  r1c1 and r1c4 may not hold 2, 3 or 4 (marks)\n"
        "None of these 6 can be spared: without any one, the others can stand."
    )
    clash.verify(backend)


def test_a_single_mark_can_clash(backend):
    clash = pls.conflicts(Puzzle(".", marks={"r1c1": []}))
    assert str(clash) == (
        "The puzzle has no solution, because one mark alone rules it out:\n"
        "  r1c1 may not hold 1 (mark)\n"
        "Nothing else is needed."
    )
    clash.verify(backend)


def test_regions_alone_can_be_impossible():
    # Region 1 is row 1 but for r1c4, and r2c4: so r1c4 and r2c4 hold the same digit.
    puzzle = Puzzle(Grid((0,) * 16, (2, 2)), "1112222133334444")
    clash = pls.conflicts(puzzle)
    assert str(clash) == (
        "The puzzle has no solution whatever its givens: its regions allow no grid."
    )
    clash.verify()
    pls.conflicts(puzzle, smallest=True).verify()


# --- ambiguity -------------------------------------------------------------------------------


@pytest.mark.parametrize("puzzle", [made(1, 1, 1), made(9, 1, 2)], ids=repr)
@pytest.mark.parametrize("limit", [2, None])
def test_what_is_open(puzzle, limit):
    solutions = list(all_solutions(puzzle))
    assert len(solutions) > 2
    answer = pls.ambiguity(puzzle, limit)
    answer.verify()
    assert answer.smallest is (limit is None)
    assert set(answer.cells) == {c for c in puzzle.cells if len({s[c] for s in solutions}) > 1}
    assert len(list(all_solutions(puzzle.with_(*answer.extra)))) == 1
    assert answer.to_json()["puzzle"] == puzzle.to_json()


# --- steps -----------------------------------------------------------------------------------


@pytest.mark.parametrize("puzzle", PUZZLES, ids=repr)
def test_steps_respect_regions_and_marks(puzzle):
    solutions = list(all_solutions(puzzle))
    for step in walk(puzzle, solutions):
        assert step.puzzle == puzzle
        marked = {p for p in puzzle.excluded if p.digit in step.candidates[p.row - 1][p.column - 1]}
        assert not marked
        check_simplest(step)
        step.verify()
        assert step.to_json()["puzzle"] == puzzle.to_json()
        assert step.picture().puzzle == puzzle
