"""Techniques: each program against plain Python, an example of each, and what its steps say."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from itertools import product
from typing import NamedTuple

import clingo
import pytest
from helpers import (
    technique_oracle,
    techniques_als,
    techniques_chains,
    techniques_fish,
    techniques_wings,
)
from helpers.jigsaws import REGIONS
from helpers.positions import positions
from helpers.programs import clingo as by_hand
from helpers.programs import resource
from helpers.technique_oracle import by_cell, random_position, rows, what

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle, Step
from pylogic_sudoku.engines.running import Budget
from pylogic_sudoku.puzzle.cells import placements_in
from pylogic_sudoku.techniques import TECHNIQUES, find
from pylogic_sudoku.techniques.position import Position
from pylogic_sudoku.techniques.way import start_candidates

Placements = frozenset[tuple[int, int, int]]

EMPTY = Grid((0,) * 81, (3, 3))
ALL = frozenset(product(range(1, 10), repeat=3))


# --- every position of which a full grid is a part ------------------------------------------------


class Compared(NamedTuple):
    """A technique in plain Python, and the positions in which its program is compared with it."""

    oracle: Callable[[Puzzle, technique_oracle.Position], Iterable[object]]
    shapes: tuple[tuple[int, int] | int, ...]
    shares: range
    """In a hundred cells, how many are filled."""
    extras: range
    """In a hundred digits that fit, how many are candidates."""
    few: int = 2
    many: int = 6
    """The numbers of positions in the quick and in the slow test."""


COMPARED: dict[str, Compared] = {}
for _name, _oracle in technique_oracle.TECHNIQUES.items():
    COMPARED[_name] = Compared(
        *(_oracle, ((2, 2), (2, 3), (3, 2), (1, 5), (2, 4), *REGIONS, *REGIONS)),
        *(range(71), range(5, 61)),
    )
for _name, _oracle in techniques_fish.TECHNIQUES.items():
    COMPARED[_name] = Compared(_oracle, ((2, 2), (2, 3), (3, 2), 4, 5), range(71), range(5, 61))
for _name, _oracle in techniques_wings.TECHNIQUES.items():
    COMPARED[_name] = Compared(
        *(_oracle, ((3, 3), (3, 3), (2, 3), (2, 4), *REGIONS)),
        *(range(0, 41, 10), range(5, 26, 5), 8, 142),
    )
COMPARED["ALS-XZ"] = Compared(
    *(techniques_als.als_xz, ((2, 2), (2, 3), (1, 5), *REGIONS)),
    *(range(40, 76), range(5, 36), 3),
)


def in_position(technique: str, seed: int, proved: int = 0) -> int:
    """The number of different steps in a position: all are found, and some of them proved."""
    oracle, shapes, shares, extras, *_ = COMPARED[technique]
    rng = random.Random(f"{technique} {seed}")
    shape = rng.choice(shapes)
    puzzle, left = random_position(shape, seed, rng.choice(shares), rng.choice(extras))
    expected = set(oracle(puzzle, by_cell(left))) - {frozenset()}
    steps = find(puzzle, rows(left, puzzle.grid), technique)
    assert {what(step) for step in steps} == expected, seed
    for step in steps[:proved]:
        assert step.text()
        step.verify("prolog")
    return len(expected)


@pytest.mark.parametrize("technique", COMPARED)
def test_asp_finds_what_plain_python_finds(technique):
    for seed in range(COMPARED[technique].few):
        in_position(technique, seed)


@pytest.mark.slow
@pytest.mark.parametrize("technique", COMPARED)
def test_asp_finds_what_plain_python_finds_in_many_positions(technique):
    *_, few, many = COMPARED[technique]
    assert sum(in_position(technique, seed, proved=2) for seed in range(few, few + many))


MAX_LINKS = {False: 4, True: 3}
"""Strong links of the chains that are compared, without groups and with them."""


@pytest.mark.slow
@pytest.mark.parametrize("technique", techniques_chains.TECHNIQUES)
def test_asp_finds_the_chains_that_plain_python_finds(technique):
    """Those of some length, as plain Python walks every path."""
    shapes = ((2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 3), *REGIONS, *REGIONS)
    oracle, groups = techniques_chains.TECHNIQUES[technique]
    for seed in range(12):
        rng = random.Random(f"{technique} {seed}")
        shape, share, extra = rng.choice(shapes), rng.randint(30, 70), rng.randint(5, 30)
        puzzle, left = random_position(shape, seed, share, extra)
        found = Position(puzzle, left, Budget("clingo", None)).by(technique)
        for each in found[:20]:
            each.verify("clingo")
        links = techniques_chains.Links(puzzle, by_cell(left), groups)
        expected = {frozenset(map(tuple, each)) for each in oracle(links, MAX_LINKS[groups])}
        short = [each for each in found if len(each.chain) <= 2 * MAX_LINKS[groups]]
        assert {frozenset(each.removed) for each in short} == expected - {frozenset()}, seed


# --- an example of each ---------------------------------------------------------------------------


def nowhere(lines: dict[tuple[int, int], set[int]]) -> Placements:
    """All candidates, but in (row, digit) the digit is only in these columns."""
    return frozenset((x, y, d) for x, y, d in ALL if y in lines.get((x, d), {y}))


def five(rows=None, columns=None, box=None) -> Placements:
    """All candidates, but 5 only in these columns of a row, rows of a column, or cells of a box."""
    number, cells = box or (0, ())

    def stands(x: int, y: int) -> bool:
        in_box = (x - 1) // 3 * 3 + (y - 1) // 3 + 1 == number
        return (
            y in (rows or {}).get(x, {y})
            and x in (columns or {}).get(y, {x})
            and (not in_box or f"r{x}c{y}" in cells)
        )

    return frozenset((x, y, d) for x, y, d in ALL if d != 5 or stands(x, y))


SKYSCRAPER = five({2: {3, 8}, 7: {3, 9}})
FINNED = frozenset(each for each in five({2: {3, 8, 9}, 7: {3, 8}}) if each[2] == 5)

MORE = [
    (
        "simple colours",
        five({2: {3, 8}, 6: {1, 8}}, {8: {2, 6}, 1: {3, 6}}),
        "By strong links, 5 is in all of r2c3, r3c1 and r6c8 or in all of r2c8 and r6c1. Two "
        "of r2c3, r3c1 and r6c8 see each other, so 5 goes from all of these.",
    ),
    (
        "multi-colours",
        five({2: {3, 8}, 7: {3, 9}}, {8: {2, 8}}),
        "By strong links, 5 is in all of r2c3 and r8c8 or in r2c8, and it is in r7c3 or in r7c9. "
        "Of r2c3 and r8c8, some see r7c3 and some r7c9, so 5 goes from all of these.",
    ),
]
"""Steps that are not the simplest in any position of the files."""


KNOWN = {str(position): position for position in positions()}


def found(technique: str, left: Placements) -> list[Step]:
    return find(EMPTY, rows(left, EMPTY), technique)


def gone(steps: list[Step]) -> set:
    return {what(step) for step in steps}


def test_each_technique_is_compared_with_plain_python():
    chains = {TECHNIQUES[key].name for key in techniques_chains.TECHNIQUES}
    areas = {"cage combinations", "one rule", "minimal set"}
    assert {each.name for each in TECHNIQUES.values()} == {*COMPARED} | chains | areas


@pytest.mark.parametrize(("technique", "left", "text"), MORE)
def test_example_is_found_described_and_right(technique, left, text):
    (said,) = [step for step in found(technique, left) if step.text() == text]
    for engine in ("clingo", "prolog", "sat"):
        said.verify(engine)


# --- what the parts are ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["two-string kite", "2-String Kite", "simple coloring", "multi colors"]
)
def test_a_technique_may_have_the_name_that_people_use(name):
    assert found(name, ALL) == []


def test_fins_and_rectangles_have_a_role_and_chains_go_from_end_to_end():
    (roles,) = {step.roles for step in found("finned X-wing", FINNED)}
    assert roles == (("fin", (pls.Placement(2, 9, 5),)),)
    (step,) = found("skyscraper", SKYSCRAPER)
    assert [each.cell for node in step.chain for each in node] == [(2, 8), (2, 3), (7, 3), (7, 9)]
    (step,) = found("empty rectangle", five({}, {8: {5, 7}}, (4, ("r4c2", "r5c1", "r5c2"))))
    assert [[(each.row, each.column) for each in node] for node in step.chain] == [
        *([(4, 2), (5, 2)], [(5, 1)], [(5, 8)], [(7, 8)]),
    ]
    assert [role for role, _ in step.roles] == ["rectangle"]


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


# --- by hand --------------------------------------------------------------------------------------


def run_by_hand(tmp_path, encoding: str, left: Placements, *options: str) -> str:
    position = tmp_path / "position.lp"
    position.write_text("".join(f"candidate{tuple(each)}.\n" for each in sorted(left)))
    path = resource(f"encodings/techniques/{encoding}.lp")
    done = by_hand(path, position, *options)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("technique", ["X-wing", "finned X-wing", "XY-wing"])
def test_techniques_by_hand(tmp_path, technique):
    key = next(key for key, each in TECHNIQUES.items() if each.name == technique)
    position = KNOWN[technique]
    left = placements_in(position.candidates) & start_candidates(position.grid)
    said = run_by_hand(tmp_path, TECHNIQUES[key].program, left, "-c", f"technique={key}", "0")
    assert f"technique({key})" in said
    removed = [re.findall(r"remove\((\d),(\d),(\d)\)", line) for line in said.splitlines()]
    assert {frozenset(tuple(map(int, each)) for each in step) for step in removed if step} == (
        gone(find(position.grid, position.candidates, technique))
    )


def test_singles_by_hand(tmp_path):
    left = nowhere({(3, 8): {2}})
    said = run_by_hand(tmp_path, "singles", left)
    assert "place(at_least_once(row,3,8),3,2,8)" in said


def test_the_encodings_say_nothing_on_standard_error_for_any_shape():
    for encoding in ("techniques/singles", "techniques/sets", "techniques/wings"):
        messages: list[str] = []
        control = clingo.Control(
            ["-cbox_rows=2", "-cbox_columns=3"],
            logger=lambda _, message, kept=messages: kept.append(message),
        )
        control.load(str(resource(f"encodings/{encoding}.lp")))
        control.ground()
        assert messages == []


# --- what `find` takes for a position, and what it refuses ---

PUZZLE = "1..4.....3......"
GRID = pls.Grid.parse(PUZZLE)
MARKS = pls.draw.pencil_marks(GRID)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"candidates": [[{1.5}] * 4] * 4}, "4 rows of 4 sets of digits"),
        ({"candidates": None}, "4 rows of 4 sets of digits"),
        ({"candidates": MARKS[1:]}, "4 rows of 4 sets of digits"),
        ({"candidates": [[{5}] * 4] * 4}, "r1c1 has 5; expected 1 to 4"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    asked = {"candidates": MARKS, "technique": "naked pair", **change}
    with pytest.raises(pls.InvalidPuzzle, match=re.escape(message)):
        find(PUZZLE, **asked)


def test_a_technique_is_a_name():
    with pytest.raises(TypeError, match="not 5"):
        find(PUZZLE, MARKS, 5)
