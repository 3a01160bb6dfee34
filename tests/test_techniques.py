"""Techniques: each program against plain Python, in positions of our own, and by hand."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import pytest
from helpers.jigsaws import REGIONS
from helpers.positions import Labelled, positions
from helpers.programs import clingo, resource
from helpers.technique_oracle import CHAINS, by_cell, random_position, what
from helpers.technique_oracle import TECHNIQUES as ORACLES

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle, Step
from pylogic_sudoku.puzzle.cells import Candidates, candidates_of, placements_in
from pylogic_sudoku.rules import Different, KillerCage, LittleKiller, Total
from pylogic_sudoku.running.workers import Budget
from pylogic_sudoku.techniques import TECHNIQUES, find
from pylogic_sudoku.techniques.position import Position
from pylogic_sudoku.techniques.step import SENTENCES
from pylogic_sudoku.techniques.way import start_candidates

EMPTY = Grid((0,) * 81, (3, 3))
ALL = range(1, 10)


# --- every position of which a full grid is a part ------------------------------------------------


class Drawn(NamedTuple):
    """The positions in which a program is compared with plain Python."""

    shapes: tuple[tuple[int, int] | int, ...]
    shares: range
    """In a hundred cells, how many are filled."""
    extras: range
    """In a hundred digits that fit, how many are candidates."""
    few: int = 3
    many: int = 6
    """The numbers of positions in the quick and in the slow test."""


SMALL = ((2, 2), (2, 3), (3, 2), (1, 5), (2, 4), *REGIONS, *REGIONS)
LARGER = ((3, 3), (3, 3), (2, 3), (2, 4), *REGIONS)
DRAWN = {
    **dict.fromkeys(
        ["singles", "locked", "sets", ""], Drawn(SMALL, range(71), range(5, 61), 4, 40)
    ),
    "fish": Drawn(((2, 2), (2, 3), (3, 2), 4, 5), range(71), range(5, 61), 3, 30),
    **dict.fromkeys(
        ["turbot", "wings", "colours"], Drawn(LARGER, range(0, 41, 10), range(5, 26, 5), 8, 142)
    ),
    "als": Drawn(((2, 2), (2, 3), (1, 5), *REGIONS), range(40, 76), range(5, 36), 3),
    **dict.fromkeys(
        ["chains", "grouped_chains"], Drawn(LARGER, range(20, 61), range(8, 22), 0, 24)
    ),
}
"""By the name of the program."""
MAX_LINKS = {"chains": 4, "grouped_chains": 3}
"""Strong links of the chains that are compared, as plain Python walks every path."""

COMPARED = [key for key, each in TECHNIQUES.items() if key in CHAINS or each.name in ORACLES]


def in_position(technique: str, seed: int, proved: int = 0) -> list[Step]:
    """The steps in a position: all are found, and some of them proved."""
    program = TECHNIQUES[technique].program
    rng = random.Random(f"{technique} {seed}")
    shape, share, extra = map(rng.choice, DRAWN[program][:3])
    puzzle, left = random_position(shape, seed, share, extra, sets=seed % 2 == 1)
    steps = find(puzzle, candidates_of(left, puzzle.size), technique)
    oracle = ORACLES.get(TECHNIQUES[technique].name)
    if most := MAX_LINKS.get(program):
        steps = [step for step in steps if len(step.chain) <= 2 * most]
        oracle = partial(CHAINS[technique], most=most)
    expected = {*oracle(puzzle, by_cell(left))} - {frozenset()}
    assert {what(step) for step in steps} == expected, seed
    for step in steps[:proved]:
        assert step.text()
        step.verify("prolog")
    return steps


def test_each_technique_is_compared_with_plain_python():
    assert {*TECHNIQUES} - {*COMPARED} == {"one_rule", "minimal_set"}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("technique", COMPARED)
def test_asp_finds_what_plain_python_finds(technique):
    for seed in range(DRAWN[TECHNIQUES[technique].program].few):
        in_position(technique, seed)


@pytest.mark.slow
@pytest.mark.parametrize("technique", COMPARED)
def test_asp_finds_what_plain_python_finds_in_many_positions(technique):
    *_, few, many = DRAWN[TECHNIQUES[technique].program]
    steps = [each for seed in range(few, few + many) for each in in_position(technique, seed, 2)]
    assert steps
    if TECHNIQUES[technique].program in ("singles", "sets"):
        looked_for = re.match("naked_s|full|locked|x_|swordfish|jellyfish", technique) is None
        assert any(rule.beyond for step in steps for rule in step.rules) == looked_for


# --- each technique in positions of our own, in which it is the simplest step ---------------------

POSITIONS = [*positions()]
KNOWN = {str(position): position for position in POSITIONS}


def step_of(position: Labelled) -> Step:
    """The step that is expected; fails if it is not found."""
    technique, grid, candidates, *expected, text = position
    (step,) = [each for each in find(grid, candidates, technique) if each.text() == text]
    assert [step.technique, step.placed, {*step.removed}] == [technique, *expected]
    return step


def quick() -> Iterator[object]:
    """One position of each technique; the others are marked as slow."""
    seen = set[str]()
    for position in POSITIONS:
        marks = [pytest.mark.slow] if position.technique in seen else []
        seen.add(position.technique)
        yield pytest.param(position, marks=marks, id=position.technique)


def test_every_technique_has_words_for_its_steps():
    assert [each.name for each in TECHNIQUES.values() if each.name not in SENTENCES] == []


def test_every_technique_has_a_position():
    assert {*KNOWN} == {each.name for each in TECHNIQUES.values()} - {"minimal set"}


@pytest.mark.parametrize("position", [*quick()])
def test_the_technique_is_found_with_exactly_what_follows(position):
    step = step_of(position)
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


def test_fins_and_rectangles_have_a_role():
    for technique, role in (("finned X-wing", "fin"), ("empty rectangle", "rectangle")):
        assert [name for name, _ in step_of(KNOWN[technique]).roles] == [role]


def test_steps_take_the_shortest_chain():
    position = KNOWN["XY-chain"]
    left = placements_in(position.candidates)
    asked = Position(position.grid, left, Budget("clingo", None))
    every = asked.by("xy_chain")
    first = asked.by("xy_chain", shortest=True)
    least = min(len(each.chain) for each in every)
    assert {len(each.chain) for each in first} == {least}
    assert {each.removed for each in first} == {
        each.removed for each in every if len(each.chain) == least
    }


# --- what steps say, and which rules they name ----------------------------------------------------


def marks(where=lambda x, y, d: True, **cells: set[int]) -> Candidates:
    """All candidates but in some cells, and only where a function allows it."""
    return [[{d for d in cells.get(f"r{x}c{y}", ALL) if where(x, y, d)} for y in ALL] for x in ALL]


def five(rows: dict[int, set[int]], columns: dict[int, set[int]]) -> Candidates:
    """All candidates, but 5 only in these columns of a row, and rows of a column."""
    return marks(lambda x, y, d: d != 5 or (y in rows.get(x, ALL) and x in columns.get(y, ALL)))


DIAGONAL = Different([(at, at) for at in ALL], name="diagonal")
EXAMPLES = [
    (
        "hidden single",
        DIAGONAL,
        marks(lambda x, y, d: d != 5 or x != y or x == 4),
        "The diagonal from r1c1 to r9c9 must hold 5, and r4c4 is the only cell left for it.",
    ),
    (
        "pointing",
        DIAGONAL,
        marks(lambda x, y, d: d != 5 or x > 3 or y > 3 or x == y),
        "In box 1, 5 fits only in cells of the diagonal from r1c1 to r9c9, so it can be removed"
        " from the rest of the diagonal from r1c1 to r9c9: 5 from r4c4, r5c5, r6c6, r7c7, r8c8"
        " and r9c9.",
    ),
    (
        "naked pair",
        Different("r1c1 r4c2 r7c5"),
        marks(r1c1={2, 5}, r7c5={2, 5}),
        "r1c1 and r7c5 hold 2 and 5 between them, so these can be removed from the rest of the set"
        " of r1c1, r4c2 and r7c5: 2 and 5 from r4c2.",
    ),
    (
        "cage combinations",
        Total("r1c2 r4c3", sum=3),
        marks(),
        "By the total (sum 3) at r1c2 and r4c3 alone, remove 3, 4, 5, 6, 7, 8 and 9 from r1c2"
        " and r4c3.",
    ),
    (
        "simple colours",
        None,
        five({2: {3, 8}, 6: {1, 8}}, {8: {2, 6}, 1: {3, 6}}),
        "By strong links, 5 is in all of r2c3, r3c1 and r6c8 or in all of r2c8 and r6c1. Two "
        "of r2c3, r3c1 and r6c8 see each other, so 5 can be removed from all of these.",
    ),
    (
        "multi-colours",
        None,
        five({2: {3, 8}, 7: {3, 9}}, {8: {2, 8}}),
        "By strong links, 5 is in all of r2c3 and r8c8 or in r2c8, and it is in r7c3 or in r7c9. "
        "Of r2c3 and r8c8, some see r7c3 and some r7c9, so 5 can be removed from all of these.",
    ),
]
"""Steps in sets of rules, and some that are not the simplest in any position of the files."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("technique", "rule", "left", "text"), EXAMPLES)
def test_example_is_found_described_and_right(technique, rule, left, text):
    found = find(Puzzle(EMPTY, rules=[rule] if rule else []), left, technique)
    (step,) = [step for step in found if step.text() == text]
    assert [each.beyond for each in step.rules if each.beyond] == ([rule] if rule else [])
    step.picture()
    for engine in ("clingo", "prolog", "sat"):
        step.verify(engine)


def test_what_one_rule_does_not_prove_is_noticed(backend):
    cage = KillerCage("r1c2 r1c3 r2c2", sum=7)
    (step,) = find(Puzzle(EMPTY, rules=[cage]), marks(), "cage combinations")
    with pytest.raises(pls.Disagreement):
        replace(step, removed=(pls.Placement(1, 2, 1),)).verify(backend)


def test_sums_are_cages_and_the_rest_is_one_rule():
    puzzle = Puzzle(EMPTY, rules=[LittleKiller("r1c1 r2c2", sum=3)])
    left = marks(r1c1={1, 3}, r2c2={2})
    assert find(puzzle, left, "cage combinations")
    assert find(puzzle, left, "one rule") == []


def test_a_placed_digit_goes_from_its_diagonal_at_once():
    way = pls.steps(Puzzle(EMPTY.with_(pls.Placement(1, 1, 5)), rules=[DIAGONAL]))
    assert all(5 not in way.candidates[at - 1][at - 1] for at in ALL)


# --- by hand --------------------------------------------------------------------------------------


@pytest.fixture
def said_by_hand(tmp_path):
    def run(encoding: str, left: frozenset[pls.Placement], *options: str) -> str:
        position = tmp_path / "position.lp"
        position.write_text("".join(f"candidate{tuple(each)}.\n" for each in sorted(left)))
        path = resource(f"encodings/techniques/{encoding}.lp")
        done = clingo(path, position, *options)
        assert done.stderr == ""
        return done.stdout

    return run


@pytest.mark.parametrize("technique", ["x_wing", "finned_x_wing", "xy_wing"])
def test_techniques_by_hand(said_by_hand, technique):
    position = KNOWN[TECHNIQUES[technique].name]
    left = placements_in(position.candidates) & start_candidates(position.grid)
    said = said_by_hand(TECHNIQUES[technique].program, left, "-c", f"technique={technique}", "0")
    assert f"technique({technique})" in said
    removed = [re.findall(r"remove\((\d),(\d),(\d)\)", line) for line in said.splitlines()]
    assert {frozenset(tuple(map(int, each)) for each in step) for step in removed if step} == (
        {what(step) for step in find(position.grid, position.candidates, technique)}
    )


def test_singles_by_hand(said_by_hand):
    left = placements_in(marks(lambda x, y, d: (x, d) != (3, 8) or y == 2))
    said = said_by_hand("singles", left)
    assert "place(at_least_once(row,3,8),3,2,8)" in said


# --- what `find` takes for a position, and what it refuses ----------------------------------------


@pytest.mark.parametrize(
    "name", ["two-string kite", "2-String Kite", "simple coloring", "multi colors"]
)
def test_a_technique_may_have_the_name_that_people_use(name):
    assert find(EMPTY, marks(), name) == []


PUZZLE = "1..4.....3......"
MARKS = pls.draw.pencil_marks(Grid.parse(PUZZLE))


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ([[{1.5}] * 4] * 4, "4 rows of 4 sets of digits"),
        (None, "4 rows of 4 sets of digits"),
        (MARKS[1:], "4 rows of 4 sets of digits"),
        ([[{5}] * 4] * 4, "r1c1 has 5; expected 1 to 4"),
    ],
)
def test_what_does_not_fit_is_refused(candidates, message):
    with pytest.raises(pls.InvalidPuzzle, match=message):
        find(PUZZLE, candidates, "naked pair")


def test_a_technique_is_a_name():
    with pytest.raises(TypeError, match="not 5"):
        find(PUZZLE, MARKS, 5)
