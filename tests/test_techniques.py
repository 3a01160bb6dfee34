"""Techniques: each program against plain Python, an example of each, and what its steps say."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
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
        short = [
            each
            for each in found
            if technique == "remote_pair" or len(each.chain) <= 2 * MAX_LINKS[groups]
        ]
        assert {frozenset(each.removed) for each in short} == expected - {frozenset()}, seed


# --- an example of each ---------------------------------------------------------------------------


def only(digits: dict[str, set[int]]) -> Placements:
    """All candidates but in some cells, which have only these."""
    return frozenset((x, y, d) for x, y, d in ALL if d in digits.get(f"r{x}c{y}", {d}))


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
SASHIMI = FINNED - {(2, 8, 5)}
PAIR = frozenset(
    (x, y, d) for x, y, d in only({"r3c1": {2, 5}, "r3c2": {2, 5}}) if x == 3 or (x < 3 and y < 4)
)
"""A locked pair, and the candidates in its houses."""

EXAMPLES = [
    (
        "naked single",
        only({"r3c2": {5}}),
        "r3c2 is 5, as no other digit is left for it.",
    ),
    (
        "full house",
        frozenset({(3, 2, 5)}),
        "Row 3 has one empty cell left, so r3c2 is 5.",
    ),
    (
        "hidden single",
        nowhere({(3, 8): {2}}),
        "Row 3 must hold an 8, and r3c2 is the only cell left for it.",
    ),
    (
        "pointing",
        ALL - set(product((1, 2), (1, 2, 3), (5,))),
        "In box 1, 5 fits only where row 3 crosses it, so it goes from the rest of row 3: 5 from"
        " r3c4, r3c5, r3c6, r3c7, r3c8 and r3c9.",
    ),
    (
        "claiming",
        nowhere({(3, 5): {1, 3}}),
        "In row 3, 5 fits only where box 1 crosses it, so it goes from the rest of box 1: 5 from"
        " r1c1, r1c2, r1c3, r2c1, r2c2 and r2c3.",
    ),
    (
        "naked pair",
        only({"r3c1": {2, 5}, "r3c4": {2, 5}}),
        "r3c1 and r3c4 hold 2 and 5 between them, so these go from the rest of row 3: 2 and 5 from"
        " r3c2, r3c3, r3c5, r3c6, r3c7, r3c8 and r3c9.",
    ),
    (
        "hidden pair",
        nowhere({(3, 2): {1, 4}, (3, 5): {1, 4}}),
        "In row 3, 2 and 5 fit only in r3c1 and r3c4, so all else goes from there: 1, 3, 4, 6, 7,"
        " 8 and 9 from r3c1 and r3c4.",
    ),
    (
        "X-wing",
        nowhere({(2, 5): {3, 8}, (7, 5): {3, 8}}),
        "In rows 2 and 7, 5 fits only in columns 3 and 8, so it goes from the rest of these: 5 from"
        " r1c3, r1c8, r3c3, r3c8, r4c3, r4c8, r5c3, r5c8, r6c3, r6c8, r8c3, r8c8, r9c3 and r9c8.",
    ),
    (
        "XY-wing",
        only({"r1c1": {1, 2}, "r1c5": {1, 7}, "r4c1": {2, 7}}),
        "r1c1 is 1 or 2: if it is 1, then r1c5 is 7; if it is 2, then r4c1 is 7. Either way 7 goes"
        " from r4c5, which both see.",
    ),
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
        only({"r1c1": {2, 5}, "r5c6": {2, 5}}) & five({8: {1, 6}}),
        "r1c1 and r5c6 are both 2 or 5. In row 8, 5 fits only in r8c1 and r8c6, so one of the "
        "two sees a 5 and is 2: 2 goes from r1c6 and r5c1, which both see.",
    ),
    (
        "XYZ-wing",
        only({"r1c1": {1, 2, 3}, "r1c5": {1, 3}, "r2c2": {2, 3}}),
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
    (
        "locked pair",
        PAIR,
        "r3c1 and r3c2 hold 2 and 5 between them, so these go from the rest of box 1 and row 3: 2"
        " and 5 from r1c1, r1c2, r1c3, r2c1, r2c2, r2c3, r3c3, r3c4, r3c5, r3c6, r3c7, r3c8 and"
        " r3c9.",
    ),
    (
        "finned X-wing",
        FINNED,
        "In rows 2 and 7, 5 fits only in columns 3 and 8, but for the fin r2c9. Either the fin is"
        " 5, or 5 goes from the rest of columns 3 and 8. In both cases this goes: 5 from r1c8 and"
        " r3c8.",
    ),
    (
        "sashimi X-wing",
        SASHIMI,
        "In rows 2 and 7, 5 fits only in columns 3 and 8, but for the fin r2c9. Without the fin,"
        " row 2 has only r2c3. Either the fin is 5, or 5 goes from the rest of columns 3 and 8. In"
        " both cases this goes: 5 from r1c8 and r3c8.",
    ),
]


def found(technique: str, left: Placements) -> list[Step]:
    return find(EMPTY, rows(left, EMPTY), technique)


def gone(steps: list[Step]) -> set:
    return {what(step) for step in steps}


def test_there_is_an_example_of_each():
    chains = {TECHNIQUES[key].name for key in techniques_chains.TECHNIQUES}
    areas = {"cage combinations", "one rule", "minimal set"}
    assert {each.name for each in TECHNIQUES.values()} == {*COMPARED} | chains | areas
    # Their sentences are those of a pair and of an X-wing, with more cells and lines.
    ends = ("triple", "quad", "swordfish", "jellyfish")
    larger = {each for each in COMPARED if each.endswith(ends)}
    others = {"ALS-XZ", *larger}
    assert {technique for technique, *_ in EXAMPLES} == {*COMPARED} - others


@pytest.mark.parametrize(("technique", "left", "text"), EXAMPLES)
def test_example_is_found_described_and_right(technique, left, text):
    (said,) = [step for step in found(technique, left) if step.text() == text]
    for engine in ("clingo", "prolog", "sat"):
        said.verify(engine)


# --- addition -------------------------------------------------------------------------------------


def test_fish_wings_and_turbot_fish_add_up_but_not_colours_nor_two_kites_at_once():
    by_colours_or_dual = {False: 0, True: 0}
    for technique, left, _ in EXAMPLES:
        fins = technique.startswith(("finned", "sashimi"))
        if fins or technique in techniques_wings.TECHNIQUES:
            for step in found(technique, left):
                dual = technique == "2-string kite" and not step.chain
                expected = not (dual or technique.endswith("colours"))
                assert step.adds_up() == expected
                by_colours_or_dual[expected] += 1
    assert by_colours_or_dual[True] > 8
    assert by_colours_or_dual[False] > 4


def test_it_does_not_add_up_without_one_of_the_rules():
    for step in found("skyscraper", SKYSCRAPER):
        for rule in step.truths:
            rest = tuple(each for each in step.truths if each != rule)
            assert not replace(step, truths=rest).adds_up()


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


# --- chains -----------------------------------------------------------------------------------

KNOWN = {str(position): position for position in positions()}


def shortest(technique: str):
    position = KNOWN[technique]
    found = find(position.grid, position.candidates, technique)
    found = [step for step in found if {*step.removed} == position.removed]
    return min(found, key=lambda step: (len(step.chain), step.removed))


def test_a_chain_alternates_and_ends_with_a_digit_that_holds():
    said = shortest("XY-chain")
    assert said.text() == (
        "If r6c5 is not 1, then r6c5 is 7, so r5c4 is not 7, so r5c4 is 9, so r5c1 is not 9, so"
        " r5c1 is 5, so r9c1 is not 5, so r9c1 is 1. So r6c5 is 1, or r9c1 is 1, or both, and"
        " whatever clashes with both goes: 1 from r9c5."
    )
    assert said.adds_up()


def test_a_group_is_several_cells():
    said = shortest("grouped AIC")
    assert "so 8 is in r8c8 or r9c8, so 8 is not in r7c7 or r7c9, so r7c2 is 8" in said.text()


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
    position.write_text("".join(f"candidate{placement}.\n" for placement in sorted(left)))
    path = resource(f"encodings/{encoding}.lp")
    done = by_hand(path, position, *options)
    assert done.stderr == ""
    return done.stdout


def test_techniques_by_hand(tmp_path):
    examples = {technique: left for technique, left, _ in EXAMPLES}
    left = examples["X-wing"]
    said = run_by_hand(tmp_path, "techniques/sets", left, "-c", "technique=x_wing", "0")
    assert "technique(x_wing)" in said
    assert "remove(9,8,5)" in said
    assert "Models       : 1\n" in said
    assert "technique(x_wing)" in run_by_hand(tmp_path, "techniques/sets", left, "0")
    said = run_by_hand(tmp_path, "techniques/singles", examples["hidden single"])
    assert "place(hidden_single,at_least_once(row,3,8),3,2,8)" in said
    said = run_by_hand(tmp_path, "techniques/wings", examples["XY-wing"], "0")
    assert "technique(xy_wing)" in said
    said = run_by_hand(tmp_path, "techniques/fish", FINNED, "-c", "technique=finned_x_wing", "0")
    marks = [re.findall(r"remove\((\d),(\d),(\d)\)", line) for line in said.splitlines()]
    assert {frozenset(tuple(map(int, mark)) for mark in each) for each in marks if each} == (
        gone(found("finned X-wing", FINNED))
    )


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
CELLS = [digits for row in MARKS for digits in row]


def test_candidates_are_rows_or_one_list_and_text_will_do_for_a_cell():
    texts = ["".join(map(str, digits)) for digits in CELLS]
    rows = [texts[start : start + 4] for start in range(0, 16, 4)]
    steps = find(PUZZLE, MARKS, "hidden single")
    assert steps
    for candidates in (CELLS, texts, rows, iter(CELLS)):
        assert find(PUZZLE, candidates, "hidden single") == steps


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"candidates": [[{1.5}] * 4] * 4}, "4 rows of 4 sets of digits, or 16 sets"),
        ({"candidates": None}, "4 rows of 4 sets of digits, or 16 sets"),
        ({"candidates": CELLS[1:]}, "4 rows of 4 sets of digits, or 16 sets"),
        ({"candidates": [{5}] * 16}, "r1c1 has 5; expected 1 to 4"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    asked = {"candidates": MARKS, "technique": "naked pair", **change}
    with pytest.raises(pls.InvalidPuzzle, match=re.escape(message)):
        find(PUZZLE, **asked)


def test_a_technique_is_a_name():
    with pytest.raises(TypeError, match="not 5"):
        find(PUZZLE, MARKS, 5)
