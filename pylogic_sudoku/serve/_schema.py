"""What requests and answers look like, as OpenAPI documents it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..formats import FORMATS
from ..grid import MAX_SIZE, Box
from . import _limits as limits
from ._questions import Source

Rows = list[list[int | None]]
Cell = Field(pattern=r"^r\d{1,2}c\d{1,2}$", examples=["r1c3"])
Format = StrEnum("Format", {name: name for name in FORMATS})  # type: ignore[misc]
Side = Field(ge=1, le=MAX_SIZE)


class Text(BaseModel):
    """One or many puzzles."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(examples=["4......3...13..."])
    format: Format | None = Field(None, description="Where detection should not be trusted.")
    box: Box | None = Field(None, description="Where the text leaves it open.", examples=[[2, 3]])


class Puzzle(BaseModel):
    """A puzzle, as text in any format or as rows."""

    model_config = ConfigDict(extra="forbid")

    puzzle: str | Rows = Field(examples=["4......3...13..."])
    box: Box | None = Field(None, description="Rows and columns of a box.", examples=[[2, 2]])
    seconds: float | None = Field(None, gt=0, description="Time limit, if below the server's.")

    def source(self) -> Source:
        """What the questions take."""
        return Source(self.puzzle, self.box)


class Write(Puzzle):
    """A puzzle, and how to write it."""

    format: Format = Format.line  # type: ignore[attr-defined]


class Asked(Puzzle):
    """A puzzle, and the engine to ask."""

    engine: str = Field("clingo", max_length=100)


class Solve(Asked):
    """A puzzle, and how many solutions are wanted."""

    limit: int = Field(1, ge=1, le=limits.SOLUTIONS)


class CountUpTo(Asked):
    """A puzzle, and where to stop counting."""

    limit: int = Field(2, ge=1, le=10**9)


class StepsUpTo(Puzzle):
    """A puzzle, and how many steps are wanted."""

    limit: int = Field(1, ge=1, le=limits.STEPS)


class AtCell(Puzzle):
    """A puzzle and one of its cells."""

    cell: str = Cell


class AtDigit(AtCell):
    """A puzzle, one of its cells and a digit."""

    digit: int = Side


class Engine(BaseModel):
    """What is known of one engine."""

    name: str
    engine: str
    available: bool
    version: str | None
    why: str | None
    cure: str | None


class About(BaseModel):
    """The engines, and the limits of this server."""

    engines: list[Engine]
    formats: list[str]
    seconds: float
    solutions: int
    steps: int
    size: int


class Sheet(BaseModel):
    """A puzzle, 0 for an empty cell."""

    box: Box
    rows: list[list[int]]


class Puzzles(BaseModel):
    """What a text holds, from its beginning; `more` where it holds more than that."""

    puzzles: list[Sheet]
    more: bool


class Written(BaseModel):
    """A puzzle as text."""

    text: str


Stopped = Literal["limit", "time"] | None


class Solutions(BaseModel):
    """Distinct solutions in no particular order; all of them where nothing stopped the search."""

    solutions: list[list[list[int]]]
    stopped: Stopped


class Count(BaseModel):
    """The number of solutions; there are more where `stopped` is ``"limit"``."""

    count: int
    stopped: Stopped


class Candidates(BaseModel):
    """Rows of cells, and for each cell the digits that it has in at least one solution."""

    candidates: list[list[list[int]]]


class Highlight(BaseModel):
    """Cells and candidates that matter, in one role."""

    label: str
    role: str
    cells: list[str]
    candidates: list[tuple[str, int]]


class Explained(BaseModel):
    """An explanation: to read, to work with, and to see on the grid."""

    text: str
    explanation: dict[str, Any]
    rows: list[list[int]] = Field(description="The grid to show it on.")
    candidates: list[list[list[int]]] | None = Field(description="Its pencil marks.")
    highlights: list[Highlight]


class Steps(BaseModel):
    """The way to the solution, the simplest step first; all of it where nothing stopped it."""

    steps: list[Explained]
    outcome: str = Field(description="How far the steps have come, in a sentence.")
    stopped: Stopped


class Error(BaseModel):
    """What went wrong, in words for a person."""

    error: str
