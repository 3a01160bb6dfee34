"""The collections of real puzzles with rules, in the forms that they are published in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle
from pylogic_sudoku.rules import KINDS

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "corpora" / "variants"
"""Beside the checkout; it is not part of the repository."""


class Published(NamedTuple):
    """A puzzle, with the solution that was published with it if there is one."""

    name: str
    puzzle: Puzzle
    solution: Grid | None


class Unread(NamedTuple):
    """A puzzle that we cannot hold, and why."""

    name: str
    reason: str


class _Beyond(Exception):
    """We have nothing for this."""


def published(folder: Path = FOLDER) -> Iterator[Published | Unread]:
    """The puzzles of ``iss-half.jsonl``: rules as objects, and the allowed digits of cells."""
    with (folder / "iss-half.jsonl").open(encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            try:
                puzzle = _puzzle(record["puzzle"])
                yield Published(record["name"], puzzle, _grid(record["solution"], puzzle))
            except (_Beyond, InvalidPuzzle) as error:
                yield Unread(record["name"], str(error))


def _puzzle(record: Mapping[str, Any]) -> Puzzle:
    n = record["rows"]
    if (record["cols"], record["min"], record["max"]) != (n, 1, n):
        raise _Beyond(
            f"{n} rows, {record['cols']} columns, digits {record['min']} to {record['max']}"
        )
    if not record["latin"]:
        raise _Beyond("digits may repeat in a row or column")
    regions, marks = record["regions"], record["allowed"]
    if regions is not None and len(regions) != n:
        raise _Beyond(f"{len(regions)} regions in a grid of {n} rows")
    givens = {cell: digits[0] for cell, digits in marks.items() if len(digits) == 1}
    grid = Grid((0,) * (n * n), (1, n)).with_(**givens)  # without regions, the boxes are the rows
    more = {cell: digits for cell, digits in marks.items() if cell not in givens}
    return Puzzle(grid, regions, more, [_rule(each) for each in record["rules"]])


def _rule(record: Mapping[str, Any]) -> dict[str, Any]:
    """The same rule in our JSON."""
    fields = dict(record)
    kind = fields["rule"]
    if kind == "count_of":
        return {
            "rule": "look_and_say",
            "cells": fields["cells"],
            "digits": [fields["digit"]],
            "counts": [fields["count"]],
        }
    if kind == "negative":
        pairs = {"difference": "differences", "ratio": "ratios", "sum": "sums"}
        found: dict[str, Any] = {"rule": kind, "exempt": fields["except"]}
        for what, value in fields["of"]:
            found.setdefault(pairs[what], []).append(value)
        return found
    if kind == "any_of":
        options = [[_rule(each) for each in option] for option in fields["options"]]
        return {"rule": kind, "options": options}
    if kind not in KINDS:
        raise _Beyond(f"no rule {kind}")
    return fields


def _grid(digits: str | None, puzzle: Puzzle) -> Grid | None:
    if not digits or len(digits) != len(puzzle.digits):
        return None
    if puzzle.size > 9:  # A is 1
        return Grid(tuple(ord(letter) - ord("A") + 1 for letter in digits), puzzle.box)
    return Grid(Grid.parse(digits, box=puzzle.box).digits, puzzle.box)


def killers(folder: Path = FOLDER) -> Iterator[Published | Unread]:
    """The puzzles of ``killers.txt``, in the short and the long text form."""
    name = ""
    for line in (folder / "killers.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            name = line[1:].strip()
        elif line.strip():
            text, *solution = line.split()
            try:
                puzzle = Puzzle.parse(text, "killer")
                yield Published(name, puzzle, _grid("".join(solution[:1]), puzzle))
            except InvalidPuzzle as error:
                yield Unread(name, str(error))


def jigsaws(folder: Path = FOLDER) -> Iterator[tuple[str, bool, Puzzle]]:
    """The layouts of ``jigsaw-layouts.txt``: a heading, whether a grid exists, and an empty one."""
    heading = ""
    for line in (folder / "jigsaw-layouts.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.split()[-1]
        elif line.strip():
            exists = "INVALID" not in heading
            yield heading, exists, Puzzle("." * len(line.strip()), regions=line.strip())
