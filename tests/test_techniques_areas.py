"""Steps in the all-different sets of rules, and each technique in positions of our own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from types import SimpleNamespace

import pytest
from helpers import technique_oracle
from helpers.oracle import full_grid
from helpers.positions import Labelled, positions
from helpers.technique_oracle import spots

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle, Step
from pylogic_sudoku.engines.running import Budget
from pylogic_sudoku.puzzle.cells import House, placements_in
from pylogic_sudoku.rules import Different, KillerCage, LittleKiller, Total
from pylogic_sudoku.techniques import TECHNIQUES, find
from pylogic_sudoku.techniques.position import Position

DIAGONAL = Different([(at, at) for at in range(1, 10)], name="diagonal")
CAGE = KillerCage("r1c2 r1c3 r2c2", sum=7)
EMPTY = Grid((0,) * 81, (3, 3))
ALL = range(1, 10)


def marks_but(digits=None, where=lambda x, y, d: True):
    """All candidates but in some cells, and only where a function allows it."""
    return [
        [{d for d in (digits or {}).get(f"r{x}c{y}", ALL) if where(x, y, d)} for y in ALL]
        for x in ALL
    ]


# --- every position -------------------------------------------------------------------------------


def position(seed: int):
    """A puzzle with all-different sets that its solution obeys, and candidates by cell."""
    rng = random.Random(seed)
    grid = full_grid((2, 3), seed)
    by_digit = {d: [c for c in grid.cells if grid[c] == d] for d in range(1, 7)}
    full = [rng.choice(by_digit[digit]) for digit in by_digit]
    part = [rng.choice(by_digit[digit]) for digit in rng.sample(sorted(by_digit), 4)]
    kept = rng.sample(grid.cells, rng.choice([4, 10, 16]))
    rules = [Different(full), KillerCage(part)]
    puzzle = Puzzle(grid.without(*set(grid.cells) - set(kept)), rules=rules)
    beside = [[*house.cells] for house in puzzle.houses] + [full, part]
    taken = {(c, puzzle[o]) for cells in beside for c in cells for o in cells}
    share = rng.randrange(10, 50)
    marks = {
        cell: {
            d
            for d in range(1, 7)
            if d == grid[cell] or ((cell, d) not in taken and rng.randrange(100) < share)
        }
        for cell in grid.cells
        if cell not in kept
    }
    return puzzle, marks, full, part


def expected(technique: str, puzzle: Puzzle, marks, full, part):
    """What a technique does in the houses, and in the two all-different sets."""
    in_houses = {*technique_oracle.TECHNIQUES[technique](puzzle, marks)}
    areas = [House("full", 1, tuple(full)), House("part", 2, tuple(part))]
    board = SimpleNamespace(houses=[*puzzle.houses, *areas], size=6, rows=puzzle.rows)
    only = SimpleNamespace(houses=areas[: 1 if technique.startswith("hidden") else 2], size=6)
    kinds = ["row", "column", "box"]
    if technique == "pointing":
        return in_houses | {*technique_oracle.locked(board, marks, kinds, ["full", "part"])}
    if technique == "claiming":
        return in_houses | {*technique_oracle.locked(board, marks, ["full"], kinds)}
    if technique == "hidden single":
        where = [(spots(marks, full, digit), digit) for digit in range(1, 7)]
        return in_houses | {(*min(cells), digit) for cells, digit in where if len(cells) == 1}
    return in_houses | {*technique_oracle.TECHNIQUES[technique](only, marks)}


KNOWN = ["hidden single", "pointing", "claiming", "naked pair", "naked triple", "hidden pair"]
KNOWN += ["hidden triple", "naked quad", "hidden quad"]


def rows(puzzle: Puzzle, marks):
    numbers = range(1, puzzle.size + 1)
    return [[marks.get((x, y), set()) for y in numbers] for x in numbers]


def beyond_houses(technique: str, seeds: range) -> int:
    """How many steps there are in areas, after a check that all expected ones are found."""
    count = 0
    for seed in seeds:
        puzzle, marks, full, part = position(seed)
        found = find(puzzle, rows(puzzle, marks), technique)
        wanted = expected(technique, puzzle, marks, full, part) - {frozenset()}
        assert {technique_oracle.what(step) for step in found} == wanted, seed
        count += sum(any(rule.beyond for rule in step.rules) for step in found)
    return count


def test_areas_are_searched_as_houses_are():
    assert sum(beyond_houses(technique, range(2)) for technique in KNOWN) > 10


@pytest.mark.slow
@pytest.mark.parametrize("technique", KNOWN)
def test_areas_are_searched_as_houses_are_in_many_positions(technique):
    assert beyond_houses(technique, range(2, 40)) > 5


@pytest.mark.parametrize("seed", range(3))
def test_combinations_are_those_that_add_up(seed):
    rng = random.Random(seed)
    puzzle, marks, full, _ = position(seed)
    solution = full_grid((2, 3), seed)
    cells = rng.sample(full, 3)
    cage = KillerCage(cells, sum=sum(solution[cell] for cell in cells))
    held = [marks.get(cell, {puzzle[cell]}) for cell in cage.cells]
    ways = [way for way in product(*held) if sum(way) == cage.sum and len({*way}) == len(way)]
    gone = {
        (*cell, digit)
        for at, cell in enumerate(cage.cells)
        for digit in marks.get(cell, set()) - {way[at] for way in ways}
    }
    start = Puzzle(puzzle.grid, rules=[cage])
    found = find(start, rows(puzzle, marks), "cage combinations")
    assert {each for step in found for each in step.removed} == gone


# --- an example of each ---------------------------------------------------------------------------


EXAMPLES = [
    (
        "hidden single",
        DIAGONAL,
        marks_but(where=lambda x, y, d: d != 5 or x != y or x == 4),
        "The diagonal from r1c1 to r9c9 must hold 5, and r4c4 is the only cell left for it.",
    ),
    (
        "pointing",
        DIAGONAL,
        marks_but(where=lambda x, y, d: d != 5 or x > 3 or y > 3 or x == y),
        "In box 1, 5 fits only in cells of the diagonal from r1c1 to r9c9, so it goes from the rest"
        " of the diagonal from r1c1 to r9c9: 5 from r4c4, r5c5, r6c6, r7c7, r8c8 and r9c9.",
    ),
    (
        "claiming",
        DIAGONAL,
        marks_but(where=lambda x, y, d: d != 5 or x != y or x < 3),
        "In the diagonal from r1c1 to r9c9, 5 fits only in cells of box 1, so it goes from the rest"
        " of box 1: 5 from r1c2, r1c3, r2c1, r2c3, r3c1 and r3c2.",
    ),
    (
        "naked pair",
        Different("r1c1 r4c2 r7c5"),
        marks_but({"r1c1": {2, 5}, "r7c5": {2, 5}}),
        "r1c1 and r7c5 hold 2 and 5 between them, so these go from the rest of the set of r1c1,"
        " r4c2 and r7c5: 2 and 5 from r4c2.",
    ),
    (
        "hidden pair",
        DIAGONAL,
        marks_but(where=lambda x, y, d: d > 2 or x != y or x in (4, 8)),
        "In the diagonal from r1c1 to r9c9, 1 and 2 fit only in r4c4 and r8c8, so all else goes"
        " from there: 3, 4, 5, 6, 7, 8 and 9 from r4c4 and r8c8.",
    ),
    (
        "cage combinations",
        Total("r1c2 r4c3", sum=3),
        marks_but(),
        "By the total (sum 3) at r1c2 and r4c3 alone, this goes: 3, 4, 5, 6, 7, 8 and 9 from r1c2"
        " and r4c3.",
    ),
]


@pytest.mark.parametrize(("technique", "rule", "marks", "text"), EXAMPLES)
def test_example_is_found_described_and_right(technique, rule, marks, text):
    found = find(Puzzle(EMPTY, rules=[rule]), marks, technique)
    (step,) = [step for step in found if step.text() == text]
    assert [each.beyond for each in step.rules if each.beyond] == [rule]
    step.picture()
    for engine in ("clingo", "prolog", "sat"):
        step.verify(engine)


def test_what_one_rule_does_not_prove_is_noticed(backend):
    (step,) = find(Puzzle(EMPTY, rules=[CAGE]), marks_but(), "cage combinations")
    wrong = Step(
        step.puzzle,
        step.grid,
        step.candidates,
        step.technique,
        (),
        step.links,
        None,
        (pls.Placement(1, 2, 1),),
    )
    with pytest.raises(pls.Disagreement):
        wrong.verify(backend)


def test_an_area_that_holds_a_digit_needs_it_nowhere_else():
    grid = EMPTY.with_(pls.Placement(1, 1, 5))
    marks = marks_but(where=lambda x, y, d: (x, y) != (1, 1) and (d != 5 or x != y or x == 4))
    assert find(Puzzle(grid, rules=[DIAGONAL]), marks, "hidden single") == []


def test_a_small_area_need_not_hold_a_digit():
    rule = Different("r1c1 r4c2 r7c5")
    marks = marks_but(where=lambda x, y, d: d != 5 or (x, y) not in ((4, 2), (7, 5)))
    for technique in ("hidden single", "claiming"):
        assert find(Puzzle(EMPTY, rules=[rule]), marks, technique) == []


def test_sums_are_cages_and_the_rest_is_one_rule():
    small = LittleKiller("r1c1 r2c2", sum=3)
    marks = marks_but({"r1c1": {1, 3}, "r2c2": {2}})
    assert find(Puzzle(EMPTY, rules=[small]), marks, "cage combinations")
    assert find(Puzzle(EMPTY, rules=[small]), marks, "one rule") == []


def test_a_placed_digit_goes_from_its_diagonal_at_once():
    way = pls.steps(Puzzle(EMPTY.with_(pls.Placement(1, 1, 5)), rules=[DIAGONAL]))
    assert all(5 not in way.candidates[at - 1][at - 1] for at in ALL)


# === Each technique in positions of our own, in which it is the simplest step =====================

POSITIONS = [*positions()]


def step_of(position: Labelled) -> pls.Step:
    """The step that is expected; fails if it is not found."""
    technique, grid, candidates, *expected, text = position
    found = find(grid, candidates, technique)
    (step,) = [each for each in found if each.text() == text]
    assert [step.placed, {*step.removed}] == expected
    return step


def quick() -> Iterator[object]:
    """One position of each technique; the others are marked as slow."""
    seen = set[str]()
    for position in POSITIONS:
        marks = [pytest.mark.slow] if position.technique in seen else []
        seen.add(position.technique)
        yield pytest.param(position, marks=marks, id=position.technique)


def test_every_technique_has_a_position():
    named = {each.name for each in TECHNIQUES.values()} - {"minimal set"}
    assert {each.technique for each in POSITIONS} == named


@pytest.mark.parametrize("position", [*quick()])
def test_the_technique_is_found_with_exactly_what_follows(position):
    step = step_of(position)
    assert step.technique == position.technique
    for engine in ("clingo", "sat"):
        step.verify(engine)


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_prolog_proves_the_step_and_there_is_a_picture(position):
    step = step_of(position)
    step.verify("prolog")
    assert step.picture().to_svg().startswith("<svg")


def simpler(position: Labelled) -> Iterator[str]:
    """The techniques that stand before this one and apply.

    One object answers for all programs, so each is ground once.
    """
    left = placements_in(position.candidates)
    asked = Position(position.grid, left, Budget("clingo", None))
    for key, technique in TECHNIQUES.items():
        if technique.name == position.technique:
            return
        if technique.program and not position.grid.layout.rules:
            found = asked.by(key)
        else:
            found = find(position.grid, position.candidates, key)
        if found:
            yield technique.name


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_no_simpler_technique_applies(position):
    assert [*simpler(position)] == []
