"""Turbot fish, wings and colours: the programs against plain Python, and an example of each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from helpers import techniques_wings
from helpers.jigsaws import REGIONS
from helpers.technique_oracle import by_cell, random_position

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Step
from pylogic_sudoku.techniques import find

ORACLE = techniques_wings.TECHNIQUES
SHAPES = [(3, 3), (3, 3), (2, 3), (2, 4), *REGIONS]
EMPTY = Grid((0,) * 81, (3, 3))


# --- every position -------------------------------------------------------------------------------


def position(seed: int):
    """A puzzle, and the candidates of its open cells by row and column."""
    rng = random.Random(seed)
    shape = rng.choice(SHAPES)
    share, extra = rng.choice([0, 10, 20, 30, 40]), rng.choice([5, 10, 15, 20, 25])
    puzzle, left = random_position(shape, seed, share, extra)
    marks = by_cell(left)
    return puzzle, marks


def differences(seeds: range) -> Iterator[tuple[int, str]]:
    """Where a program does not find what plain Python does; last, how much there is to find."""
    found = 0
    for seed in seeds:
        puzzle, marks = position(seed)
        numbers = range(1, puzzle.size + 1)
        rows = [[marks.get((x, y), set()) for y in numbers] for x in numbers]
        for technique, oracle in ORACLE.items():
            expected = {*oracle(puzzle, marks)} - {frozenset()}
            if {frozenset(step.removed) for step in find(puzzle, rows, technique)} != expected:
                yield seed, technique
            found += len(expected)
    yield found, "found"


def test_asp_finds_what_plain_python_finds():
    *wrong, (found, _) = differences(range(8))
    assert wrong == []
    assert found > 50


@pytest.mark.slow
def test_asp_finds_what_plain_python_finds_in_many_positions():
    *wrong, (found, _) = differences(range(8, 150))
    assert wrong == []
    assert found > 2000


# --- an example of each ---------------------------------------------------------------------------


def five(rows=None, columns=None, box=None):
    """All candidates, but 5 only in these columns of a row, rows of a column, or cells of a box."""
    number, cells = box or (0, ())

    def stands(x: int, y: int) -> bool:
        in_box = (x - 1) // 3 * 3 + (y - 1) // 3 + 1 == number
        return (
            y in (rows or {}).get(x, {y})
            and x in (columns or {}).get(y, {x})
            and (not in_box or f"r{x}c{y}" in cells)
        )

    numbers = range(1, 10)
    return [[{d for d in numbers if d != 5 or stands(x, y)} for y in numbers] for x in numbers]


def cells(digits, rows=None):
    """All candidates but in some cells, which have only these; and 5 as above."""
    marks = five(rows)
    for cell, found in digits.items():
        marks[int(cell[1]) - 1][int(cell[3]) - 1] = found
    return marks


SKYSCRAPER = five({2: {3, 8}, 7: {3, 9}})

EXAMPLES = [
    (
        "skyscraper",
        SKYSCRAPER,
        "5 fits in row 2 only in r2c3 and r2c8 and in row 7 only in r7c3 and r7c9. r2c3 and "
        "r7c3 are both in column 3, so they do not both hold it. Hence r2c8 or r7c9 is 5, and 5"
        " goes from r1c9, r3c9, r8c8 and r9c8, which both see.",
    ),
    (
        "2-string kite",
        five({2: {3, 8}}, {1: {1, 6}}),
        "5 fits in row 2 only in r2c3 and r2c8 and in column 1 only in r1c1 and r6c1. r2c3 and "
        "r1c1 are both in box 1, so they do not both hold it. Hence r2c8 or r6c1 is 5, and 5 "
        "goes from r6c8, which both see.",
    ),
    (
        "2-string kite",
        five({1: {3, 8}, 3: {1, 9}}, {1: {3, 6}, 3: {1, 4}}),
        "In column 1, column 3, row 1 and row 3, 5 fits only in two cells each. r1c3 and r3c1 "
        "are both in box 1, so they do not both hold it. Hence r1c8 or r6c1 is 5, and so is "
        "r3c9 or r4c3. It goes from the cells that both of a pair see: 5 from r4c9 and r6c8.",
    ),
    (
        "turbot fish",
        five({9: {3, 4}}, box=(4, ("r4c1", "r5c3"))),
        "5 fits in box 4 only in r4c1 and r5c3 and in row 9 only in r9c3 and r9c4. r5c3 and "
        "r9c3 are both in column 3, so they do not both hold it. Hence r4c1 or r9c4 is 5, and 5"
        " goes from r4c4, which both see.",
    ),
    (
        "empty rectangle",
        five({}, {8: {5, 7}}, (4, ("r4c2", "r5c1", "r5c3"))),
        "In box 4, 5 is left only in r4c2, r5c1 and r5c3, and in column 8 only in r5c8 and "
        "r7c8. If r7c8 is not 5, then r5c8 is, and box 4 holds it in r4c2. Either way 5 goes "
        "from r7c2.",
    ),
    (
        "empty rectangle",
        five({8: {6, 9}}, {1: {1, 9}}, (2, ("r1c4", "r1c5", "r2c6"))),
        "In box 2, 5 is left only in r1c4, r1c5 and r2c6; in row 8 only in r8c6 and r8c9 and in"
        " column 1 only in r1c1 and r9c1. Two empty rectangles remove this: 5 from r1c9 and "
        "r9c6.",
    ),
    (
        "W-wing",
        cells({"r1c1": {2, 5}, "r5c6": {2, 5}}, {8: {1, 6}}),
        "r1c1 and r5c6 are both 2 or 5. In row 8, 5 fits only in r8c1 and r8c6, so one of the "
        "two sees a 5 and is 2: 2 goes from r1c6 and r5c1, which both see.",
    ),
    (
        "XYZ-wing",
        cells({"r1c1": {1, 2, 3}, "r1c5": {1, 3}, "r2c2": {2, 3}}),
        "r1c1 is 1, 2 or 3: if it is 1, then r1c5 is 3; if it is 2, then r2c2 is 3. In any case"
        " 3 goes from r1c2 and r1c3, which all three see.",
    ),
    (
        "simple colours",
        five({2: {3, 8}, 6: {1, 8}}, {8: {2, 6}}),
        "By strong links, 5 is in all of r2c3 and r6c8 or in all of r2c8 and r6c1. So it goes "
        "from r1c1, r3c1, r4c3 and r5c3, which see both.",
    ),
    (
        "simple colours",
        five({2: {3, 8}, 6: {1, 8}}, {8: {2, 6}, 1: {3, 6}}),
        "By strong links, 5 is in all of r2c3, r3c1 and r6c8 or in all of r2c8 and r6c1. Two "
        "of r2c3, r3c1 and r6c8 see each other, so 5 goes from all of these.",
    ),
    (
        "multi-colours",
        SKYSCRAPER,
        "By strong links, 5 is in r2c3 or in r2c8, and it is in r7c3 or in r7c9. It cannot be in "
        "r2c3 and in r7c3 at once, as two of these cells see each other. Hence it is in r2c8 or in "
        "r7c9, and it goes from r1c9, r3c9, r8c8 and r9c8, which see both.",
    ),
    (
        "multi-colours",
        five({2: {3, 8}, 7: {3, 9}}, {8: {2, 8}}),
        "By strong links, 5 is in all of r2c3 and r8c8 or in r2c8, and it is in r7c3 or in r7c9. "
        "Of r2c3 and r8c8, some see r7c3 and some r7c9, so 5 goes from all of these.",
    ),
]


def steps(technique: str, marks) -> list[Step]:
    return find(EMPTY, marks, technique)


def test_there_is_an_example_of_each():
    assert {technique for technique, *_ in EXAMPLES} == {*ORACLE}


@pytest.mark.parametrize(("technique", "marks", "text"), EXAMPLES)
def test_example_is_found_described_and_right(technique, marks, text, backend):
    (said,) = [step for step in steps(technique, marks) if step.text() == text]
    said.verify(backend)


# --- addition -------------------------------------------------------------------------------------


def by_colours_or_dual(step: Step) -> bool:
    return step.technique.endswith("colours") or (
        step.technique == "2-string kite" and not step.chain
    )


def test_wings_and_turbot_fish_add_up():
    found = [step for technique, marks, _ in EXAMPLES for step in steps(technique, marks)]
    assert len(found) > 12
    assert all(step.adds_up() != by_colours_or_dual(step) for step in found)


def test_it_does_not_add_up_without_one_of_the_rules():
    for step in steps("skyscraper", SKYSCRAPER):
        for rule in step.must:
            rest = tuple(each for each in step.must if each != rule)
            assert not replace(step, must=rest).adds_up()


# --- what the parts are ---------------------------------------------------------------------------


def test_the_chain_of_a_skyscraper_goes_from_end_to_end():
    (step,) = steps("skyscraper", SKYSCRAPER)
    assert [each.cell for node in step.chain for each in node] == [(2, 8), (2, 3), (7, 3), (7, 9)]


def test_an_empty_rectangle_is_a_node_for_each_line():
    (step,) = steps("empty rectangle", five({}, {8: {5, 7}}, (4, ("r4c2", "r5c1", "r5c2"))))
    assert [[(each.row, each.column) for each in node] for node in step.chain] == [
        [(4, 2), (5, 2)],
        [(5, 1)],
        [(5, 8)],
        [(7, 8)],
    ]
    assert [role for role, _ in step.roles] == ["rectangle"]


def test_if_both_ends_are_in_line_it_is_not_a_skyscraper():
    marks = five({2: {3, 8}, 7: {3, 8}})
    assert steps("X-wing", marks)
    assert steps("skyscraper", marks) == []


def test_an_empty_rectangle_takes_two_lines():
    assert steps("empty rectangle", five({}, {8: {5, 7}}, (4, ("r5c1", "r5c2", "r5c3")))) == []
    assert steps("empty rectangle", five({}, {8: {5, 7}}, (4, ("r4c2", "r5c1", "r6c3")))) == []


def test_the_names_people_use_are_found():
    for name in ("two-string kite", "2-String Kite", "simple coloring", "multi colors"):
        assert pls.techniques.find(EMPTY, five(), name) == []
