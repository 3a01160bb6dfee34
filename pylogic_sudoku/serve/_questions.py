"""What the page can ask: plain functions from plain data to plain data.

They run in processes of their own (see `lanes`), so arguments and answers are pickled, and the
last argument of each is the seconds that it may take. Cells are named ``r1c1`` in what they
answer, grids are rows with 0 for an empty cell.
"""

from __future__ import annotations

from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

from .. import _api as api
from .. import explain as explanations
from .. import formats
from ..draw import Highlight
from ..engines import backends
from ..errors import InvalidPuzzle, SolveTimeout
from ..explain._steps import steps as way_of
from ..grid import Box, Grid
from ._limits import PUZZLES, SIZE

__all__ = ["Source", "candidates", "count", "engines", "explain", "read", "solve", "steps"]
__all__ += ["start", "write"]

Answer = dict[str, Any]


class Source(NamedTuple):
    """A puzzle as it was sent: text in any format, or rows."""

    puzzle: str | list[list[int | None]]
    box: Box | None = None

    def grid(self) -> Grid:
        """The puzzle; InvalidPuzzle if it is none or too large."""
        if isinstance(self.puzzle, str):
            return _fitting(Grid.parse(self.puzzle, box=self.box))
        return _fitting(Grid.from_rows(self.puzzle, self.box))


def _fitting(grid: Grid) -> Grid:
    if grid.size > SIZE:
        raise InvalidPuzzle(
            f"the page takes grids up to {SIZE}x{SIZE}, this one is {grid.size}x{grid.size}"
        )
    return grid


def _plain(grid: Grid) -> Answer:
    return {"box": grid.box, "rows": grid.rows}


def start() -> None:
    """Starts every engine that is here, so that the first question does not wait for it."""
    engines(0)
    api.solve("." * 81)


def engines(_timeout: float) -> list[Answer]:
    """Every engine, and why one cannot be used."""
    return [info._asdict() for info in backends()]


def read(text: str, form: str | None, box: Box | None, _timeout: float) -> Answer:
    """The first puzzles of a text of one or many."""
    try:
        found = [_fitting(Grid.parse(text, form, box))]
        more = False
    except InvalidPuzzle as error:
        try:
            with closing(formats.split(text, box, form)) as pieces:  # type: ignore[type-var]
                texts = [piece for _, piece in islice(pieces, PUZZLES + 1)]
        except InvalidPuzzle:
            raise error from None
        if len(texts) < 2:
            raise
        found = [_fitting(Grid.parse(piece, form, box)) for piece in texts[:PUZZLES]]
        more = len(texts) > PUZZLES
    return {"puzzles": [_plain(grid) for grid in found], "more": more}


def write(source: Source, form: str, _timeout: float) -> Answer:
    """The grid as text."""
    return {"text": source.grid().format(form)}


def solve(source: Source, engine: str, limit: int, timeout: float) -> Answer:
    """Solutions up to `limit`; those found so far where time runs out."""
    grid = source.grid()
    found: list[Grid] = []
    stopped = None
    try:
        # One more than asked for tells whether these are all.
        for solution in api.solutions(grid, engine, limit + 1, timeout):
            if len(found) == limit:
                stopped = "limit"
            else:
                found.append(solution)
    except SolveTimeout:
        stopped = "time"
    return {"solutions": [solution.rows for solution in found], "stopped": stopped}


def count(source: Source, engine: str, limit: int, timeout: float) -> Answer:
    """The number of solutions up to `limit`."""
    found = api.count(source.grid(), engine, limit + 1, timeout)
    return {"count": min(found, limit), "stopped": "limit" if found > limit else None}


def candidates(source: Source, engine: str, timeout: float) -> Answer:
    """For every cell the digits that it has in some solution."""
    rows = api.candidates(source.grid(), engine, timeout)
    return {"candidates": [[sorted(digits) for digits in row] for row in rows]}


def explain(kind: str, source: Source, about: tuple[Any, ...], timeout: float) -> Answer:
    """What the function of `explain` with this name says."""
    return _plain_explanation(getattr(explanations, kind)(source.grid(), *about, timeout=timeout))


def steps(source: Source, limit: int, timeout: float) -> Answer:
    """Steps to the solution up to `limit`; those found so far where time runs out."""
    found: list[Answer] = []
    stopped = None
    try:
        way = way_of(source.grid(), timeout)
        for step in way:
            found.append(_plain_explanation(step))
            if len(found) == limit:
                stopped = "limit"
                break
        outcome = way.outcome()
    except SolveTimeout:
        stopped, outcome = "time", "Time ran out."
    return {"steps": found, "outcome": outcome, "stopped": stopped}


def _plain_explanation(explanation: explanations.Explanation) -> Answer:
    picture = explanation.picture()
    marks = picture.candidates
    return {
        "text": explanation.text(),
        "explanation": explanation.to_json(),
        "rows": picture.grid.rows,
        "candidates": marks and [[sorted(digits) for digits in row] for row in marks],
        "highlights": [_plain_highlight(each) for each in picture.highlights],
    }


def _plain_highlight(highlight: Highlight) -> Answer:
    return {
        "label": highlight.label,
        "role": highlight.role,
        "cells": [f"r{row}c{column}" for row, column in highlight.cells],
        "candidates": [(f"r{row}c{column}", digit) for row, column, digit in highlight.candidates],
    }
