"""The board of the page as an image."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from .._demands import as_cell
from ..draw import Highlight, Picture
from ..draw._picture import Link
from ..grid import Candidates, Grid
from . import _schema as schema
from ._questions import Answer, Source, placements

__all__ = ["Drawn", "ToDraw", "drawn"]


class Chained(BaseModel):
    """A line from one candidate, or a group of them, to another."""

    start: list[tuple[str, int]] = Field(alias="from")
    end: list[tuple[str, int]] = Field(alias="to")
    strong: bool


class ToDraw(schema.Puzzle):
    """A puzzle, and what its board shows."""

    grid: schema.Rows | None = Field(None, description="The digits; if null, the givens.")
    candidates: list[list[list[int]]] | None = Field(None, description="Rows of pencil marks.")
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
    return {"svg": picture.to_svg()}
