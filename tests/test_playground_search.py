"""What engines know and how they search in the playground."""

from __future__ import annotations

import pytest
from helpers.playground import asked
from helpers.puzzles import SMALL

import pylogic_sudoku as pls
from pylogic_sudoku.questions import to_json

pytestmark = pytest.mark.slow

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


@pytest.fixture(scope="module")
def address(playground_address):
    return playground_address


def test_prolog_knows_and_searches_as_elsewhere(visit):
    page = visit()
    grid = pls.Grid.parse(HARD)
    for engine in ("prolog", "prolog:classic"):
        left = asked(page, "propagate", grid, engine=engine)["candidates"]
        assert left == [[sorted(digits) for digits in row] for row in pls.propagate(HARD, engine)]
        answer = asked(page, "trace", grid, engine=engine)
        events = [to_json(event) for event in pls.trace(HARD, engine)]
        empty = {"placed": [], "excluded": [], "solution": None}
        assert answer["events"] == [empty | event for event in events]
        assert (answer["number"], answer["stopped"]) == (len(events), None)
        first = asked(page, "trace", grid, engine=engine, limit=3)
        assert first == answer | {"events": answer["events"][:3]}
        work = asked(page, "measure", grid, engine=engine)
        known = pls.measure(HARD, engine)
        assert (work["choices"], work["conflicts"]) == (known.choices, known.conflicts)


def test_what_cannot_be_seen_is_said(visit):
    page = visit()
    contradiction = pls.Puzzle(pls.Grid.parse("1" + "." * 15), marks={"r1c2": [1]})
    assert asked(page, "propagate", contradiction, engine="prolog")["candidates"] is None
    grid = pls.Grid.parse(SMALL)
    for path in ("propagate", "trace"):
        assert "clingo shows its answers alone" in asked(page, path, grid, engine="clingo")["error"]
        error = asked(page, path, grid, engine="prolog:bits")["error"]
        assert "does not search by labeling/2" in error
