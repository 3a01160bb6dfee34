"""Questions of the page about digits that are filled in, and about text that comes back."""

from __future__ import annotations

import pytest
from helpers.puzzles import CLASSIC, EMPTY, IMPOSSIBLE, PRINTED, TWO
from helpers.serving import asked
from test_formats_shared import pattern

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle, formats
from pylogic_sudoku.errors import SolveTimeout
from pylogic_sudoku.rules import KillerCage
from pylogic_sudoku.serve import _checking as checking
from pylogic_sudoku.serve._questions import Source

SOLUTION = PRINTED[CLASSIC]
CAGE = Puzzle(TWO, rules=[KillerCage(["r1c3", "r2c3"], sum=4)])
SHAPES = [(2, 3), (3, 3), (4, 4)]


def rows(line, box=(3, 3)):
    return Grid.parse(line, box=box).to_json()


def placed(line, **cells):
    return Grid.parse(line).with_(**cells).to_json()


@pytest.mark.parametrize(
    ("puzzle", "entries", "verdict", "wrong", "clash"),
    [
        (CLASSIC, rows(EMPTY), "right", [], []),
        (CLASSIC, placed(EMPTY, r1c3=4), "right", [], []),
        (CLASSIC, rows(SOLUTION), "solved", [], []),
        (CLASSIC, placed(SOLUTION, r1c3=1, r9c7=2), "wrong", ["r1c3", "r9c7"], []),
        (CLASSIC, placed(EMPTY, r1c3=1, r1c4=6), "wrong", ["r1c3"], []),
        (CLASSIC, placed(EMPTY, r1c1=9), "right", [], []),  # a given stands there
        (IMPOSSIBLE, placed(EMPTY, r1c1=1), "none", [], []),
        (TWO, placed("." * 16, r1c3=3, r2c3=1), "right", [], []),
        (TWO, placed("." * 16, r1c3=3, r1c4=3), "several", [], ["r1c3", "r1c4"]),
        (TWO, placed("." * 16, r1c3=3, r3c3=3), "several", [], ["r1c3", "r3c3"]),
        (TWO, placed("." * 16, r1c3=3, r3c1=1), "several", ["r3c1"], []),
        (CAGE.to_json(), placed("." * 16, r1c3=4), "wrong", ["r1c3"], []),
    ],
)
def test_check(client, puzzle, entries, verdict, wrong, clash):
    answer = asked(client, "check", puzzle=puzzle, entries=entries)
    found = {"verdict": verdict, "wrong": wrong, "clash": clash}
    assert answer == {**found, "needed": [], "stopped": None}


def test_a_digit_that_is_crossed_out_though_nothing_else_fits(client):
    right = [{"cell": "r1c3", "digit": 4}, {"cell": "r1c4", "digit": 6}]
    gone = [*right, {"cell": "r1c3", "digit": 1}]
    answer = asked(client, "check", puzzle=CLASSIC, entries=rows(EMPTY), removed=gone)
    assert (answer["verdict"], answer["needed"]) == ("right", right)
    body = {"puzzle": TWO, "entries": rows(TWO, (2, 2))}
    either = [{"cell": "r1c3", "digit": 3}, {"cell": "r1c3", "digit": 4}]
    assert asked(client, "check", **body, removed=either)["needed"] == []
    nowhere = [{"cell": "r5c1", "digit": 1}]
    assert "r5c1" in asked(client, "check", 422, **body, removed=nowhere)["error"]


def test_nothing_in_some_solution_is_called_wrong(client):
    solutions = [list(map(str, grid.digits)) for grid in pls.solutions(TWO)]
    for offset, other in ((2, "1"), (3, "1"), (6, "3"), (15, "2")):
        entries = ["."] * 16
        entries[offset] = other
        answer = asked(client, "check", puzzle=TWO, entries=rows("".join(entries), (2, 2)))
        possible = other in {solution[offset] for solution in solutions}
        given = TWO[offset] != "."
        assert (answer["wrong"] == []) == (possible or given)


@pytest.mark.parametrize(
    ("entries", "says"), [(rows(EMPTY), "has 9"), ([[9] * 4] * 4, "r1c1"), ([], "rows")]
)
def test_entries_have_to_fit(client, entries, says):
    assert says in asked(client, "check", 422, puzzle=TWO, entries=entries)["error"]


@pytest.mark.parametrize(
    ("ends", "verdict"), [("solve", "unknown"), ("count", "impossible"), ("candidates", "several")]
)
def test_what_is_known_when_time_runs_out(monkeypatch, ends, verdict):
    def late(*_):
        raise SolveTimeout("clingo", 1)

    monkeypatch.setattr(checking.api, ends, late)
    answer = checking.check(Source(TWO), placed("." * 16, r1c3=3, r1c4=3), [], 5)
    assert (answer["verdict"], answer["wrong"], answer["stopped"]) == (verdict, [], "time")


@pytest.mark.parametrize(
    "form", [form for form in formats.FORMATS if form not in ("hex", "pencil")]
)
@pytest.mark.parametrize("box", SHAPES, ids=str)
def test_what_share_offers_is_read_back(client, box, form):
    grid = pattern(box, 0.5)
    written = asked(client, "write", puzzle=grid.to_json(), box=box, format=form)
    assert written["same"]
    read = asked(client, "read", text=written["text"])
    assert read["puzzles"] == [{"box": list(box), "grid": grid.to_json()}]


def test_text_that_does_not_come_back_says_so(client):
    jigsaw = {"grid": [[None] * 5] * 5, "regions": ["11122", "11322", "43332", "44355", "44555"]}
    assert not asked(client, "write", puzzle=jigsaw, format="pretty")["same"]
    assert asked(client, "write", puzzle=jigsaw, format="prolog")["same"]


@pytest.mark.parametrize(
    ("size", "boxes"),
    [(6, [[2, 3], [3, 2], [1, 6], [6, 1]]), (8, [[2, 4], [4, 2], [1, 8], [8, 1]])],
)
def test_the_boxes_that_fit_are_offered(client, size, boxes):
    for text in ("." * size**2, "\n".join(["." * size] * size), "\n".join(["." * size**2] * 3)):
        answer = asked(client, "read", 422, text=text)
        assert answer["boxes"] == boxes
        assert asked(client, "read", text=text, box=boxes[0])["puzzles"][0]["box"] == boxes[0]


def test_other_errors_offer_no_boxes(client):
    assert "boxes" not in asked(client, "read", 422, text="12345")


def test_steps_say_their_technique_and_how_hard_they_are(client):
    answer = asked(client, "steps", puzzle=CLASSIC, limit=1)
    step = answer["steps"][0]["explanation"]
    known = pls.hint(CLASSIC)
    assert (step["technique"], step["level"]) == (known.technique, known.level)
    assert step["weight"] == known.weight
