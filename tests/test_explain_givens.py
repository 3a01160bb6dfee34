"""Givens that must go, that clash or that are missing: compared with every possible set."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from itertools import combinations, islice
from random import Random

import numpy as np
import pytest
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import COUNTS, EMPTY, IMPOSSIBLE, PRINTED, SEVERAL

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.explain import Clash, Solvable

EVERY = list(all_solutions(Grid((0,) * 16, (2, 2))))

# The instances and queries of a published example of explaining sudoku.
FOUR = Grid.parse("1.....1....2.2..")
NINE = Grid.parse(
    "...7.96.....631.....9.28.....348....8.....7...76...8..4.597....6273.4....9..56..."
)


def some_puzzles(number: int) -> list[Grid]:
    """4x4 puzzles with five to nine givens, most of them without a solution."""
    choose = Random(3)
    found = []
    for seed in range(number):
        cells = list(dig(full_grid((2, 2), seed), 5 + seed % 5, seed).digits)
        for at in choose.sample([at for at in range(16) if cells[at]], 2 if seed % 4 else 0):
            cells[at] = choose.randint(1, 4)
        found.append(Grid(tuple(cells), (2, 2)))
    return found


PUZZLES = some_puzzles(12)


def broken_by(grid: Grid, puzzle: Grid) -> frozenset[tuple[int, int, int]]:
    """The givens that this grid does not have."""
    return frozenset(g for g in puzzle.givens if grid.rows[g[0] - 1][g[1] - 1] != g[2])


def only(puzzle: Grid, givens: tuple[tuple[int, int, int], ...]) -> Grid:
    return Grid((0,) * len(puzzle.digits), puzzle.box).with_(*givens)


# --- why not -----------------------------------------------------------------------------


@pytest.mark.parametrize("puzzle", PUZZLES, ids=str)
def test_the_fewest_givens_that_must_go(puzzle):
    choose = Random(str(puzzle))
    for row, column, digit in [tuple(choose.randint(1, 4) for _ in range(3)) for _ in range(4)]:
        sets = {
            broken_by(grid, puzzle) for grid in EVERY if grid.rows[row - 1][column - 1] == digit
        }
        fewest = min(map(len, sets))
        explanation = pls.why_not(puzzle, (row, column), digit)
        explanation.verify()
        every = list(explanation.all())
        for found in (explanation, *every):
            assert len(found.givens) == fewest
            assert found.witness.rows[row - 1][column - 1] == digit
            assert broken_by(found.witness, puzzle) == set(found.givens)
        assert len(every) == len({frozenset(found.givens) for found in every})
        assert {frozenset(found.givens) for found in every} == {
            broken for broken in sets if len(broken) == fewest
        }


def test_the_published_queries():
    four = pls.why_not(FOUR, "r3c2", 1)
    assert four.givens == ()
    assert str(four).startswith("r3c2 can be 1: no given has to go.")
    nine = pls.why_not(NINE, "r2c2", 2)
    assert nine.givens == ((8, 2, 2),)
    assert "once r8c2 = 2 is no longer given" in str(nine)
    assert [found.givens for found in nine.all()] == [((8, 2, 2),)]
    for explanation in (four, nine):
        explanation.verify()


def test_a_given_in_the_cell_must_go_too():
    explanation = pls.why_not(NINE, "r1c4", 8)
    assert (1, 4, 7) in explanation.givens
    explanation.verify()


def test_each_engine_verifies_what_must_go(backend):
    pls.why_not(PUZZLES[1], (1, 1), 2).verify(backend)
    pls.why_not(NINE, "r2c2", 2).verify(backend)


@pytest.mark.parametrize(("box", "fewest"), [((2, 3), 9), ((3, 3), 11), ((4, 4), 7)], ids=str)
def test_full_grids(box, fewest):
    full = full_grid(box, 1)
    explanation = pls.why_not(full, "r1c1", full.digits[0] % full.size + 1)
    assert explanation.witness.is_solution_of(full.without(*explanation.givens))
    assert len(explanation.givens) == fewest
    if full.size < 16:
        explanation.verify()


@pytest.mark.parametrize("digit", [0, 5, "1", None])
def test_not_a_digit(digit):
    with pytest.raises(pls.InvalidPuzzle, match="not a digit of this puzzle; expected 1 to 4"):
        pls.why_not(FOUR, "r1c1", digit)


def test_a_digit_may_come_from_numpy():
    cell, digit = np.array([1, 1]), np.array([2])[0]
    assert pls.why_not(FOUR, cell, digit).to_json() == pls.why_not(FOUR, "r1c1", 2).to_json()


def test_every_answer_to_conflicts_has_givens_a_solution_and_all_clashes():
    clash, solvable = pls.conflicts("11.............."), pls.conflicts(FOUR)
    assert (clash.solution, len(list(clash.all()))) == (None, 1)
    assert (solvable.givens, solvable.smallest, list(solvable.all())) == ((), True, [])
    assert solvable.solution.is_solution_of(FOUR)


def test_a_wrong_removal_is_noticed():
    explanation = pls.why_not(NINE, "r2c2", 2)
    more = (*explanation.givens, NINE.givens[0])
    for wrong in (
        replace(explanation, digit=3),
        replace(explanation, givens=()),
        replace(explanation, givens=more),
        replace(explanation, givens=NINE.givens),
        replace(explanation, witness=full_grid((3, 3), 1)),
    ):
        with pytest.raises(pls.Disagreement):
            wrong.verify()


# --- conflicts ---------------------------------------------------------------------------


def every_clash(puzzle: Grid) -> set[frozenset[tuple[int, int, int]]]:
    """The sets of givens that no grid has together, without those that contain another."""
    kept = [frozenset(puzzle.givens) - broken_by(grid, puzzle) for grid in EVERY]
    found: set[frozenset[tuple[int, int, int]]] = set()
    for size in range(len(puzzle.givens) + 1):
        for chosen in map(frozenset, combinations(puzzle.givens, size)):
            minimal = not any(less <= chosen for less in found)
            if minimal and not any(chosen <= possible for possible in kept):
                found.add(chosen)
    return found


@pytest.mark.parametrize("puzzle", PUZZLES, ids=str)
def test_every_minimal_clash_once(puzzle):
    expected = every_clash(puzzle)
    explanation = pls.conflicts(puzzle)
    fewest = pls.conflicts(puzzle, smallest=True)
    for found in (explanation, fewest):
        found.verify()
        assert isinstance(found, Clash if expected else Solvable)
    if expected:
        assert set(explanation.givens) in expected
        assert len(fewest.givens) == min(map(len, expected))
        every = list(explanation.all())
        assert len(every) == len(expected)
        assert {frozenset(found.givens) for found in every} == expected
        for found in every:
            found.verify()


def test_some_puzzles_clash_and_some_do_not():
    assert {type(pls.conflicts(puzzle)) for puzzle in PUZZLES} == {Clash, Solvable}
    assert max(len(every_clash(puzzle)) for puzzle in PUZZLES) > 3


@pytest.mark.parametrize("smallest", [False, True])
@pytest.mark.parametrize("puzzle", [p for p, number in COUNTS.items() if not number][:3])
def test_clashes_of_9x9(puzzle, smallest, backend):
    explanation = pls.conflicts(puzzle, smallest=smallest)
    assert explanation.smallest is smallest
    assert not Grid.parse(puzzle).duplicates()
    if backend == "clingo" or not smallest:
        explanation.verify(backend)
    assert not pls.count(only(explanation.puzzle, explanation.givens), limit=1)


def test_clashes_are_found_as_they_are_read():
    found = pls.conflicts(list(COUNTS)[7]).all()
    assert len({frozenset(clash.givens) for clash in islice(found, 3)}) == 3
    found.close()
    assert pls.conflicts("11" + "." * 79).givens == ((1, 1, 1), (1, 2, 1))


def test_what_two_givens_share_is_named():
    assert "  r1c1 and r1c2 both hold 1 (row 1, box 1)\n" in str(pls.conflicts("11" + "." * 14))


def test_a_wrong_clash_is_noticed():
    clash = pls.conflicts("11.2" + "." * 12)
    for members in (((1, 1, 1),), (*clash.core.members, (1, 4, 2))):
        with pytest.raises(pls.Disagreement):
            replace(clash, core=replace(clash.core, members=members)).verify()
    with pytest.raises(pls.Disagreement):
        replace(pls.conflicts(FOUR), solution=full_grid((2, 2), 1)).verify()


# --- ambiguity ---------------------------------------------------------------------------


def fewest_to_tell_apart(solutions: list[Grid]) -> int:
    placements = sorted({given for grid in solutions for given in grid.givens})
    has = [set(grid.givens) for grid in solutions]
    for size in range(len(placements)):
        for chosen in combinations(placements, size):
            if sum(given.issuperset(chosen) for given in has) == 1:
                return size
    raise AssertionError


@pytest.mark.parametrize(
    "puzzle",
    ["1.....1....2.2..", "12..34......4321", "1..4............", SEVERAL, "1234" + "." * 12],
)
def test_the_fewest_extra_givens(puzzle, backend):
    grid = Grid.parse(puzzle)
    solutions = list(all_solutions(grid))
    explanation = pls.ambiguity(puzzle)
    assert explanation.smallest
    assert set(explanation.solutions) == set(solutions)
    assert len(explanation.extra) == fewest_to_tell_apart(solutions)
    assert len(list(all_solutions(grid.with_(*explanation.extra)))) == 1
    assert set(explanation.cells) == {
        cell for cell in grid.cells if len({solution[cell] for solution in solutions}) > 1
    }
    explanation.verify(backend)


def test_too_many_solutions_to_be_sure():
    explanation = pls.ambiguity(EMPTY)
    assert not explanation.smallest
    assert len(explanation.cells) == 81
    assert 17 <= len(explanation.extra) < 40
    assert "fewer others may do" in str(explanation)
    explanation.verify()
    assert pls.ambiguity(FOUR, limit=3).smallest is False
    assert pls.ambiguity(FOUR, limit=4).smallest is True


def test_nothing_is_open_in_a_proper_puzzle():
    explanation = pls.ambiguity(next(iter(PRINTED)))
    assert (explanation.cells, explanation.extra) == ((), ())
    assert str(explanation) == "Nothing is open: the puzzle has one solution."
    explanation.verify()
    with pytest.raises(pls.InvalidPuzzle, match=r"no solution.*ask for its conflicts"):
        pls.ambiguity(IMPOSSIBLE)
    with pytest.raises(ValueError, match="limit must be 2 or more"):
        pls.ambiguity(FOUR, limit=1)


def test_a_wrong_claim_of_what_is_open_is_noticed():
    explanation = pls.ambiguity(FOUR)
    nothing = tuple((frozenset(),) * 4 for _ in range(4))
    for wrong in (
        {"extra": explanation.extra[:1]},
        {"extra": (*explanation.extra, (1, 2, 4))},
        {"solutions": explanation.solutions[1:]},
        {"candidates": nothing},
        {"candidates": nothing, "solutions": None},
    ):
        with pytest.raises(pls.Disagreement):
            replace(explanation, **wrong).verify()


# --- what all of them have ---------------------------------------------------------------

EXPLANATIONS = {
    "why_not": lambda: pls.why_not(NINE, "r2c2", 2),
    "nothing must go": lambda: pls.why_not(FOUR, "r3c2", 1),
    "conflicts": lambda: pls.conflicts(IMPOSSIBLE),
    "smallest conflicts": lambda: pls.conflicts("11" + "." * 14, smallest=True),
    "no conflicts": lambda: pls.conflicts(FOUR),
    "ambiguity": lambda: pls.ambiguity(FOUR),
    "no ambiguity": lambda: pls.ambiguity(EVERY[0]),
    "great ambiguity": lambda: pls.ambiguity(FOUR, limit=2),
}


@pytest.mark.parametrize("name", EXPLANATIONS)
def test_text_json_picture_and_pickle(name):
    explanation = EXPLANATIONS[name]()
    assert isinstance(explanation, pls.Explanation)
    assert explanation.text() == str(explanation) == str(explanation).strip()
    data = json.loads(json.dumps(explanation.to_json()))
    assert data["question"] == name.replace("nothing must go", "why_not").split()[-1]
    assert Grid.parse(json.dumps(data["puzzle"])) == explanation.puzzle
    picture = explanation.picture()
    assert picture.to_svg().startswith("<svg")
    assert picture.to_text()
    assert pickle.loads(pickle.dumps(explanation)) == explanation


def test_the_picture_strikes_the_givens_that_must_go():
    answer = pls.why_not(NINE, "r2c2", 2)
    target, gone = answer.picture().highlights
    assert answer.picture().title == "What r2c2 = 2 takes"
    assert target.cells == (answer.cell,)
    assert (gone.role, gone.cells, gone.candidates) == ("removed", (), answer.givens)
    # Each stands beside the digit that the grid has there now.
    assert all(answer.witness[given.cell] != given.digit for given in answer.givens)
    text = answer.picture().to_text()
    assert all(f"{given.digit}" in text for given in answer.givens)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: pls.why_not(NINE, "r2c2", 2),
        lambda: pls.why_not(FOUR, "r3c2", 1),
        lambda: pls.why("...." * 4, "r1c3"),
        lambda: pls.conflicts(FOUR),
    ],
    ids=["must go", "nothing must go", "open", "solvable"],
)
def test_the_short_text_has_no_grid(ask):
    answer = ask()
    first, *grid = answer.text().splitlines()
    assert len(grid) > 3
    assert answer.short()[:-1] in first
    assert "\n" not in answer.short()
