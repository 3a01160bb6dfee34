"""Explanations as the page gets them: text, data, and what to mark on its board."""

from __future__ import annotations

from typing import Any

from .. import explain as explanations
from ..draw import Highlight, Picture
from ..draw._links import Lines, Spot
from ..draw._looks import Square, rim
from ..draw._picture import mark_columns
from ..draw._rules import Rules
from ..explain._walk import line
from ..grid import Cell
from ._rules import SIDE

__all__ = ["explained"]

ROOM = {"": (0.06, 0.06, 0.06), "large": (0.02, 0.02, 0.02), "labelled": (0.17, 0.06, 0.03)}
"""The room that a cell leaves around its pencil marks: above, beside and below, as a part of its
side. board.css says the same."""

Answer = dict[str, Any]


def explained(explanation: explanations.Explanation) -> Answer:
    """The explanation as plain data."""
    picture = explanation.picture()
    pencil = picture.candidates
    step = isinstance(explanation, explanations.Step)
    return {
        "title": line(explanation) if step else picture.described,  # type: ignore[arg-type]
        "text": explanation.text(),
        "short": explanation.short(),
        "explanation": explanation.to_json(),
        "grid": picture.grid.to_json(),
        "candidates": pencil and [[sorted(digits) for digits in row] for row in pencil],
        "highlights": [_highlight(each, picture.grid.size) for each in picture.highlights],
        "links": _links(picture),
    }


def _highlight(highlight: Highlight, n: int) -> Answer:
    cells = [Cell(*cell) for cell in highlight.cells]
    framed = highlight.role in ("house", "cover") and cells
    return {
        "label": highlight.label,
        "role": highlight.role,
        "cells": list(map(str, cells)),
        "candidates": _named(highlight.candidates),
        "rim": rim(cells, n, lambda at: _square(at, n)) if framed else None,
    }


def _square(at: int, n: int) -> Square:
    row, column = divmod(at, n)
    return (column + 0.5) * SIDE, (row + 0.5) * SIDE, SIDE


def _named(candidates: tuple[tuple[int, int, int], ...]) -> list[tuple[str, int]]:
    return [(str(Cell(row, column)), digit) for row, column, digit in candidates]


def _links(picture: Picture) -> list[Answer]:
    """The links, each with its line from mark to mark."""
    if not picture.links:
        return []
    lines = Lines(picture.links, _spots(picture), SIDE / 6)
    return [
        {
            "from": _named(link.start),
            "to": _named(link.end),
            "strong": link.strong,
            "path": curve.path(),
        }
        for link, curve in lines.curves()
    ]


def _spots(picture: Picture) -> dict[tuple[int, int, int], Spot]:
    """Where the board shows each digit; a cell is as wide as in the drawing of the rules."""
    n = picture.grid.size
    labelled = picture.layout.rules and Rules(picture.layout.rules, n, SIDE).labels
    above, beside, below = ROOM["labelled" if labelled else "large" if n > 9 else ""]
    columns = mark_columns(n)
    rows = -(-n // columns)
    wide, high = (1 - 2 * beside) / columns, (1 - above - below) / rows
    spots: dict[tuple[int, int, int], Spot] = {}
    for cell, look in zip(picture.grid.cells, picture.looks(), strict=True):
        left, top = (cell.column - 1) * SIDE, (cell.row - 1) * SIDE
        if look.digit:
            spots[*cell, look.digit] = left + SIDE / 2, top + SIDE / 2, 0.3 * SIDE
        for digit in look.marks:
            down, right = divmod(digit - 1, columns)
            x, y = beside + (right + 0.5) * wide, above + (down + 0.5) * high
            spots[*cell, digit] = left + x * SIDE, top + y * SIDE, SIDE / 8
    return spots
