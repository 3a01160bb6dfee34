"""Questions of the page about candidates, pictures, digits that are filled in, and text."""

from __future__ import annotations

import re

import pytest
from helpers.puzzles import CLASSIC, LOOSE, PRINTED, TWO
from helpers.serving import asked
from test_formats_shared import pattern

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle, formats
from pylogic_sudoku.errors import SolveTimeout
from pylogic_sudoku.rules import KillerCage
from pylogic_sudoku.serve import _checking as checking
from pylogic_sudoku.serve._questions import Source

PUZZLE = list(PRINTED)[-1]
GONE = ("corner", "centre", "colours")


def explanations(answer):
    return [step["explanation"] for step in answer["steps"]]


def test_steps_go_on_without_what_is_removed(client):
    first, second = explanations(asked(client, "steps", puzzle=LOOSE, limit=2))
    (again,) = explanations(asked(client, "steps", puzzle=LOOSE, removed=first["removed"]))
    assert again == second


@pytest.mark.parametrize(
    ("cell", "digit", "complaint"),
    [
        ("r1c3", 4, "r1c3 can only be 4, so this candidate cannot be removed"),
        ("r10c1", 4, "'r10c1' is not a cell of a 9x9 grid; expected r1c1 to r9c9"),
        ("r1c3", 12, "a removed candidate is (1, 3, 12); expected (row, column, digit)"),
    ],
)
def test_what_cannot_be_removed(client, cell, digit, complaint):
    removed = [{"cell": cell, "digit": digit}]
    answer = asked(client, "steps", 422, puzzle=PUZZLE, removed=removed)
    assert answer["error"].startswith(complaint)


def test_a_picture_of_the_board(client):
    grid = pls.Grid.parse(PUZZLE).with_(r1c3=4).to_json()
    why = asked(client, "why", puzzle=PUZZLE, cell="r1c3")
    svg = asked(
        client,
        "picture",
        puzzle=PUZZLE,
        grid=grid,
        candidates=[[[], [], [], [2, 6], *[[]] * 5], *[[[]] * 9] * 8],
        highlights=why["highlights"],
        links=why["links"],
        title="A & B",
    )["svg"]
    assert svg.startswith("<svg")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert "A &amp; B" in texts
    givens = sum(digit == "2" for digit in PUZZLE)
    assert texts.count("2") == givens + 3  # the numbers of a row and a column, and the mark
    plain = asked(client, "picture", puzzle=PUZZLE, candidates=[[[]] * 9] * 9)["svg"]
    assert "Row 1: 5 3 . . 7" in plain


@pytest.mark.parametrize(
    ("board", "complaint"),
    [
        *(({name: {}}, f"{name}: Extra inputs are not permitted") for name in GONE),
        ({"candidates": [[[]]]}, "candidates are 9 rows of 9 sets of digits from 1 to 9"),
        ({"grid": [[1, 2], [2, 1]]}, "3x3 boxes make a grid of 9 rows, but this one has 2"),
    ],
)
def test_what_cannot_be_drawn(client, board, complaint):
    assert complaint in asked(client, "picture", 422, puzzle=PUZZLE, **board)["error"]


def test_a_highlight_needs_no_rim(client):
    house = {"label": "", "role": "house", "cells": ["r1c1"], "candidates": []}
    svg = asked(client, "picture", puzzle=PUZZLE, highlights=[house])["svg"]
    assert svg.startswith("<svg")


# === Questions of the page about digits that are filled in, and about text that comes back ========

CAGE = Puzzle(TWO, rules=[KillerCage(["r1c3", "r2c3"], sum=4)])
SHAPES = [(2, 3), (3, 3), (4, 4)]


def rows(line):
    return Grid.parse(line).to_json()


def placed(line, **cells):
    return Grid.parse(line).with_(**cells).to_json()


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"entries": [[9] * 4] * 4}, "r1c1"),
        ({"entries": []}, "rows"),
        ({"entries": rows(TWO), "removed": [{"cell": "r5c1", "digit": 1}]}, "r5c1"),
    ],
)
def test_what_is_checked_has_to_fit(client, body, says):
    assert says in asked(client, "check", 422, puzzle=TWO, **body)["error"]


def test_digits_are_checked_against_rules(client):
    answer = asked(client, "check", puzzle=CAGE.to_json(), entries=placed("." * 16, r1c3=4))
    assert (answer["verdict"], answer["wrong"]) == ("wrong", ["r1c3"])


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


def test_steps_say_their_technique_and_how_hard_they_are(client):
    answer = asked(client, "steps", puzzle=CLASSIC, limit=1)
    step = answer["steps"][0]["explanation"]
    known = pls.hint(CLASSIC)
    assert (step["technique"], step["level"]) == (known.technique, known.level)
    assert step["weight"] == known.weight
