"""Removed candidates and pictures in the JSON API, and the colours of cells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.puzzles import LOOSE, PRINTED
from helpers.serving import asked

import pylogic_sudoku as pls
from pylogic_sudoku.draw._noted import COLOURS

PUZZLE = list(PRINTED)[-1]
STATIC = Path(pls.__file__).parent / "serve/static"


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
        corner={"r1c4": [2, 6], "r3c1": list(range(1, 10)), "r1c1": [7]},
        centre={"r1c4": [8], "r2c2": [1, 2, 3, 4]},
        colours={"r9c9": 1, "r8c1": 9},
        highlights=why["highlights"],
        links=why["links"],
        title="A & B",
    )["svg"]
    assert svg.startswith("<svg")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert {"1234", "123456789", "A &amp; B"} <= set(texts)
    givens = sum(digit == "7" for digit in PUZZLE)
    assert texts.count("7") == givens + 2  # the numbers of a row and a column; a given has no marks
    for colour in ("yellow", "grey"):
        assert f'<path fill="{COLOURS[colour]}"' in svg
    assert COLOURS["red"] not in svg
    plain = asked(client, "picture", puzzle=PUZZLE, candidates=[[[]] * 9] * 9)["svg"]
    assert "Row 1: 5 3 . . 7" in plain


@pytest.mark.parametrize(
    ("board", "complaint"),
    [
        ({"colours": {"r1c1": 10}}, "r1c1 has colour 10; expected 1 to 9"),
        ({"corner": {"r1c10": [1]}}, "'r1c10' is not a cell of a 9x9 grid"),
        ({"centre": {"r1c4": [0]}}, "the marks of r1c4 are [0]; expected 1 to 9"),
        ({"corner": {"r1c4": [3, 10]}}, "the marks of r1c4 are [3, 10]; expected 1 to 9"),
        ({"candidates": [[[]]]}, "candidates are 9 rows of 9 sets of digits from 1 to 9"),
        ({"grid": [[1, 2], [2, 1]]}, "3x3 boxes make a grid of 9 rows, but this one has 2"),
    ],
)
def test_what_cannot_be_drawn(client, board, complaint):
    assert complaint in asked(client, "picture", 422, puzzle=PUZZLE, **board)["error"]


def test_marks_may_be_none_and_a_highlight_needs_no_rim(client):
    house = {"label": "", "role": "house", "cells": ["r1c1"], "candidates": []}
    board = {"corner": {"r1c4": []}, "centre": {"r1c4": []}, "highlights": [house]}
    assert asked(client, "picture", puzzle=PUZZLE, **board)["svg"].startswith("<svg")


def luminance(colour):
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def of(text, *names):
    """The colours of these names on a light page, and on a dark one."""
    found = [re.findall(rf"--{name}: (#[0-9a-f]{{6}})", text) for name in names]
    return list(zip(*(values[:2] for values in found), strict=True))


def test_digits_can_be_read_on_every_colour():
    hues = of((STATIC / "marks.css").read_text(), *(f"colour-{at}" for at in range(1, 10)))
    inks = of((STATIC / "style.css").read_text(), "ink", "entry", "soft", "found")
    assert len(hues) == len(inks) == 2
    assert list(hues[0]) == list(COLOURS.values())
    names = re.search(r"COLOURS = (\[.*\])", (STATIC / "notes.js").read_text())[1]
    assert re.findall(r'"(\w+)"', names) == list(COLOURS)
    for grounds, texts in zip(hues, inks, strict=True):
        for ground in grounds:
            assert min(contrast(ground, text) for text in texts) >= 4.5
