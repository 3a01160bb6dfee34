"""Removed candidates and pictures in the JSON API."""

from __future__ import annotations

import re

import pytest
from helpers.puzzles import LOOSE, PRINTED
from helpers.serving import asked

import pylogic_sudoku as pls

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
