"""The board of the page as an image."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from .._demands import as_cell
from ..draw import Highlight, Picture
from ..draw._noted import COLOURS, Notes, draw
from ..draw._picture import Link
from ..errors import InvalidPuzzle
from ..grid import Candidates, Cell, Grid
from ..puzzle import Puzzle
from . import _schema as schema
from ._questions import Answer, Source, placements

__all__ = ["Drawn", "ToDraw", "drawn"]

_Cells = dict[str, list[int]]


class Chained(BaseModel):
    """A line from one candidate, or a group of them, to another."""

    start: list[tuple[str, int]] = Field(alias="from")
    end: list[tuple[str, int]] = Field(alias="to")
    strong: bool


class ToDraw(schema.Puzzle):
    """A puzzle, and what its board shows."""

    grid: schema.Rows | None = Field(None, description="The digits; if null, the givens.")
    candidates: list[list[list[int]]] | None = Field(None, description="Rows of pencil marks.")
    corner: _Cells = Field({}, description="Marks in the corners of cells.")
    centre: _Cells = Field({}, description="Marks in the middle of cells.")
    colours: dict[str, int] = Field(
        {}, description=f"The colours of cells: 1 to {len(COLOURS)}, {', '.join(COLOURS)}."
    )
    highlights: list[schema.Highlight] = Field([])
    links: list[Chained] = Field([])
    title: str = Field("", max_length=200)


class Drawn(BaseModel):
    """An image."""

    svg: str


def drawn(source: Source, board: dict[str, Any], _timeout: float) -> Answer:
    """The board of this puzzle as SVG; InvalidPuzzle if its parts do not fit together."""
    puzzle = source.parse()
    grid = puzzle.grid if board["grid"] is None else Grid.from_rows(board["grid"], puzzle.box)
    rows = board["candidates"]
    candidates: Candidates | None = rows and tuple(tuple(map(frozenset, row)) for row in rows)
    highlights = tuple(
        Highlight(
            each["label"],
            each["role"],
            tuple(as_cell(name, puzzle) for name in each["cells"]),
            placements(each["candidates"], puzzle),
        )
        for each in board["highlights"]
    )
    links = tuple(
        Link(placements(each["start"], puzzle), placements(each["end"], puzzle), each["strong"])
        for each in board["links"]
    )
    picture = Picture(grid, puzzle, candidates, highlights, board["title"] or puzzle.title, links)
    return {"svg": draw(picture, _notes(board, puzzle))}


def _marks(named: _Cells, puzzle: Puzzle) -> dict[Cell, list[int]]:
    """The marks of the cells that have some."""
    found = {as_cell(name, puzzle): sorted(digits) for name, digits in named.items() if digits}
    for cell, digits in found.items():
        if digits[0] < 1 or digits[-1] > puzzle.size:
            raise InvalidPuzzle(f"the marks of {cell} are {digits}; expected 1 to {puzzle.size}")
    return found


def _notes(board: dict[str, Any], puzzle: Puzzle) -> Notes:
    corner, centre = (_marks(board[kind], puzzle) for kind in ("corner", "centre"))
    for cell, colour in board["colours"].items():
        if not 1 <= colour <= len(COLOURS):
            raise InvalidPuzzle(f"{cell} has colour {colour}; expected 1 to {len(COLOURS)}")
    colours = {as_cell(name, puzzle): colour for name, colour in board["colours"].items()}
    return Notes(corner, centre, colours)
