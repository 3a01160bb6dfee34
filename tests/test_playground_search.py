"""What engines know and how they search, and reasons, in the playground."""

from __future__ import annotations

import re

import pytest
from helpers.playground import asked
from helpers.puzzles import CLASSIC, IMPOSSIBLE, TWO

import pylogic_sudoku as pls
from pylogic_sudoku.engines import get
from pylogic_sudoku.page.schema import JIGSAW

pytestmark = pytest.mark.slow

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


@pytest.fixture(scope="module")
def address(playground_address):
    return playground_address


def placement(cell, digit):
    row, column = map(int, cell[1:].split("c"))
    return row, column, digit


def parts_of(about):
    """The houses and givens of a reason, as an engine checks them."""
    houses = (rule["text"].split() for rule in about["rules"])
    givens = [placement(each["cell"], each["digit"]) for each in about["givens"]]
    return [("house", kind, int(number)) for kind, number, *_ in houses], givens


def forced(layout, about, houses, givens):
    gone = [placement(about["cell"], about["digit"])]
    return not get("clingo").consistent(layout, [("cells",), *houses], givens, gone)


def test_a_reason_forces_the_digit_and_nothing_can_be_spared(visit):
    page = visit()
    for line, cell in ((CLASSIC, "r1c3"), (CLASSIC, "r5c5"), (HARD, "r1c2")):
        puzzle = pls.Grid.parse(line)
        can_spare_nothing(puzzle, cell, asked(page, "why", puzzle, cell=cell))


def can_spare_nothing(puzzle, cell, answer):
    about, layout = answer["explanation"], puzzle.layout
    houses, givens = parts_of(about)
    assert forced(layout, about, houses, givens)
    for part in houses:
        assert not forced(layout, about, [each for each in houses if each != part], givens), part
    for part in givens:
        assert not forced(layout, about, houses, [each for each in givens if each != part]), part
    counts = f"{len(houses)} rules and {len(givens)} givens."
    assert answer["text"].endswith(f"None of these can be spared: {counts}")
    names = set(re.findall(r"r\dc\d", answer["text"]))
    assert names == {cell, *(each["cell"] for each in answer["explanation"]["givens"])}


def test_other_answers_to_why(visit):
    page = visit()
    grid = pls.Grid.parse(TWO)
    assert asked(page, "why", grid, cell="r1c1")["text"] == "r1c1 is 1 because it is given."
    assert asked(page, "why", grid, cell="r3c3")["text"].startswith("r3c3 is not forced: it is ")
    assert "no solution" in asked(page, "why", pls.Grid.parse(IMPOSSIBLE), cell="r1c3")["error"]
    jigsaw = pls.Puzzle.from_json(JIGSAW)
    text = asked(page, "why", jigsaw, cell="r1c2")["text"]
    assert text.startswith("r1c2 is 2, because:\n")
    assert "r1c2 is even, as its mark says" in text
