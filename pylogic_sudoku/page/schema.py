"""What requests and answers look like, as OpenAPI documents it."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, field_validator

from ..engines import programs
from ..errors import InvalidPuzzle
from ..formats import FORMATS, READ_ONLY
from ..puzzle.cells import MAX_SIZE, Box
from ..techniques.table import BY_NAME, LEVELS
from . import COUNTED, EVENTS, SIZE, SOLUTIONS, STEPS
from .board import Source

Rows = list[list[int | None]]
CELL = Field(pattern=r"^r\d{1,2}c\d{1,2}$", examples=["r1c3"])
Format = StrEnum("Format", {name: name for name in FORMATS})  # type: ignore[misc]
Readable = StrEnum("Readable", {name: name for name in [*FORMATS, *READ_ONLY]})  # type: ignore[misc]
Technique = StrEnum("Technique", {name: name for name in BY_NAME})  # type: ignore[misc]
Level = StrEnum("Level", {name: name for name in LEVELS})  # type: ignore[misc]
EXAMPLE = "4......3...13..."
GRID = [[4, 3, 1, 2], [1, 2, 4, 3], [2, 4, 3, 1], [3, 1, 2, 4]]
JIGSAW: dict[str, Any] = {
    "grid": [[1, None, None, 4], [None] * 4, [None, None, None, 3], [None] * 4],
    "regions": [[1, 1, 1, 2], [1, 2, 2, 2], [3, 3, 3, 4], [3, 4, 4, 4]],
    "marks": {"r1c2": "even", "r2c3": [1, 4]},
}
KILLER: dict[str, Any] = {
    "grid": [[None] * 4] * 4,
    "rules": [{"rule": "killer_cage", "cells": ["r1c1", "r1c2"], "sum": 3}],
}
DIGIT = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
ROWS = {"type": "array", "items": {"type": "array", "items": DIGIT}}
PUZZLE = {
    "anyOf": [{"type": "string"}, ROWS, {"$ref": "#/components/schemas/PuzzleObject"}],
    "description": "Text in any format, rows, or an object with regions, marks and rules.",
}


class PuzzleObject(BaseModel):
    """A puzzle as our own JSON has it."""

    model_config = ConfigDict(json_schema_extra={"examples": [JIGSAW, KILLER]})

    box: Box | None = Field(None, description="Rows and columns of a box.")
    grid: Rows = Field(description="null for an empty cell.")
    regions: list[list[int]] | None = Field(
        None, description="The number of the region of each cell; regions replace the boxes."
    )
    marks: dict[str, list[int] | Literal["odd", "even"]] | None = Field(
        None, description='The digits that a cell may hold, or "odd" or "even".'
    )
    rules: list[dict[str, Any]] | None = Field(
        None, description='Each has its kind under "rule", and the fields of the kind.'
    )
    title: str | None = None
    author: str | None = None


class Text(BaseModel):
    """One or many puzzles."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(examples=[EXAMPLE])
    format: Readable | None = Field(None, description="The format, if detection is wrong.")
    box: Box | None = Field(
        None, description="The box shape, if the text leaves it open.", examples=[[2, 3]]
    )


class Wanted(BaseModel):
    """What a new puzzle is to be like."""

    model_config = ConfigDict(extra="forbid")

    level: Level = Level.easy  # type: ignore[attr-defined]


class Puzzle(BaseModel):
    """A puzzle."""

    model_config = ConfigDict(extra="forbid")

    puzzle: Annotated[Any, WithJsonSchema(PUZZLE)] = Field(examples=[EXAMPLE, JIGSAW, KILLER])
    box: Box | None = Field(None, description="Rows and columns of a box.", examples=[[2, 2]])
    timeout: float | None = Field(
        None, gt=0, description="Time limit in seconds, if it is shorter than the server's."
    )

    def source(self) -> Source:
        """What the questions take; InvalidPuzzle if the puzzle is too deep to be written."""
        if isinstance(self.puzzle, str):
            return Source(self.puzzle, None, self.box)
        try:
            return Source(json.dumps(self.puzzle), "json", self.box)
        except RecursionError:
            raise InvalidPuzzle("the puzzle holds too many lists within lists") from None


class Check(Puzzle):
    """A puzzle, and the digits that a person has filled in."""

    entries: Rows = Field(description="Rows like those of the puzzle, null for an empty cell.")
    removed: list[Candidate] = Field(
        [], max_length=SIZE**3, description="Candidates that the person has crossed out."
    )


class Write(Puzzle):
    """A puzzle, and how to write it."""

    format: Format = Format.line  # type: ignore[attr-defined]


class Asked(Puzzle):
    """A puzzle, and the engine to ask, perhaps with one of our programs."""

    engine: str = Field("clingo", max_length=100, examples=["prolog", "prolog:classic"])

    @field_validator("engine")
    @classmethod
    def _ours(cls, name: str) -> str:
        """No file of this machine is a program for those who can reach the server."""
        if ":" in name and all(name != program.name for program in programs()):
            raise ValueError(f"there is no program {name!r}")
        return name


class Solve(Asked):
    """A puzzle, and how many solutions are wanted."""

    limit: int = Field(1, ge=1, le=SOLUTIONS)


class Confirm(Asked):
    """A puzzle, the engine to ask, and full grids that are solutions for another engine."""

    grids: list[Rows] = Field(max_length=SOLUTIONS, examples=[[GRID]])


class TraceUpTo(Asked):
    """A puzzle, the engine to watch, and how many events are wanted."""

    limit: int = Field(EVENTS, ge=1, le=EVENTS)


class CountUpTo(Asked):
    """A puzzle, and where to stop counting."""

    limit: int = Field(2, ge=1, le=10**9)


class Candidate(BaseModel):
    """A digit that a cell could hold."""

    cell: str = CELL
    digit: int = Field(ge=1, le=MAX_SIZE)


class StepsUpTo(Puzzle):
    """A puzzle, and how many steps are wanted."""

    limit: int = Field(1, ge=1, le=STEPS)
    soon: float | None = Field(
        None,
        ge=0,
        description="Answer after so many seconds with the steps so far, if there are any.",
    )
    taken: list[tuple[Technique, Annotated[int, Field(ge=0, le=10**6)]]] = Field(
        [],
        max_length=SIZE**3,
        description="The techniques and weights of the steps before, which count for the rating.",
    )
    removed: list[Candidate] = Field(
        [],
        max_length=SIZE**3,
        description="Candidates that earlier steps have removed; no step removes them again.",
    )


class AtCell(Puzzle):
    """A puzzle and one of its cells."""

    cell: str = CELL


class AtDigit(AtCell):
    """A puzzle, one of its cells and a digit."""

    digit: int = Field(ge=1, le=MAX_SIZE)


class Engine(BaseModel):
    """What is known of one engine."""

    name: str
    engine: str
    available: bool
    version: str | None
    why: str | None
    fix: str | None
    optional: bool = Field(description="Whether the package is whole without it.")


class RuleField(BaseModel):
    """A field of a rule that a person enters."""

    name: str
    type: Literal["cells", "flag", "number", "numbers", "text"]
    required: bool
    default: bool | int | str | list[int] | None


class Kind(BaseModel):
    """A kind of rule; the page can set it if a person can enter all that it needs."""

    kind: str
    title: str
    text: str = Field(description="What it means, in a sentence.")
    line: bool = Field(description="Whether each cell touches the next.")
    settable: bool
    fields: list[RuleField]


class About(BaseModel):
    """The engines, the kinds of rules, and the limits of this server."""

    engines: list[Engine]
    formats: list[str] = Field(description="Those that are written.")
    readable: list[str] = Field(description="Those that are read.")
    timeout: float
    solutions: int
    steps: int
    size: int
    rules: int
    kinds: list[Kind]
    programs: bool = Field(description="Whether this server runs changed programs.")
    questions: list[str] = Field(description="What can be asked; the page hides what cannot.")


class Puzzles(BaseModel):
    """The first puzzles of a text; `more` is true if it holds others."""

    puzzles: list[PuzzleObject]
    more: bool


class Made(BaseModel):
    """A new puzzle."""

    puzzle: PuzzleObject


class ShownRule(BaseModel):
    """A rule for a person."""

    text: str
    cells: list[str]
    broken: bool = Field(description="Whether the digits of the grid already break it.")


class Room(BaseModel):
    """How far clues reach out of the grid on each side, in cells."""

    left: float
    top: float
    right: float
    bottom: float


class Rules(BaseModel):
    """The rules of a puzzle, in its order; `svg` is empty if nothing is drawn."""

    rules: list[ShownRule]
    svg: str = Field(
        description="A <g> behind the digits. A cell is 40 wide, the grid begins at (0, 0)."
    )
    room: Room
    labels: bool = Field(description="Whether some cell has a label in its upper left corner.")


class RuleSet(BaseModel):
    """Rules that belong together."""

    title: str
    rules: list[dict[str, Any]]


class RuleSets(BaseModel):
    """Rules for the whole grid of a puzzle."""

    sets: list[RuleSet]


class Written(BaseModel):
    """A puzzle as text. A comment gives the box shape or the format if that would be unclear."""

    text: str
    same: bool = Field(description="Whether reading the text gives the same puzzle.")


Stopped = Literal["limit", "time"] | None


class Solutions(BaseModel):
    """Distinct solutions in no particular order; all of them if nothing stopped the search."""

    solutions: list[Rows]
    stopped: Stopped
    seconds: float = Field(description="How long the engine searched, without its start.")


class Confirmed(BaseModel):
    """The grids that the engine does not accept as solutions."""

    rejected: list[Rows]


class Count(BaseModel):
    """The number of solutions; there are more if `stopped` is ``"limit"``.

    If it is ``"time"``, this is the number of those that were found in time, as far as it is known.
    """

    count: int
    stopped: Stopped
    seconds: float


class Candidates(BaseModel):
    """Rows of cells, and for each cell the digits that it has in at least one solution."""

    candidates: list[list[list[int]]]


class Propagated(BaseModel):
    """Rows of cells, and for each cell the digits that are left; null if there is no solution."""

    candidates: list[list[list[int]]] | None
    seconds: float = Field(description="With the set-up of the engine, but without its start.")


class Measured(BaseModel):
    """The work for the first solution, in seconds and numbers; null if the engine does not say."""

    solved: bool = Field(description="Whether there is a solution.")
    runs: int = Field(description="This is the median of so many runs.")
    setup: float | None = Field(None, description="Grounding, or posting the constraints.")
    propagation: float | None = Field(
        None, description="Before the first choice; clpfd propagates while it posts."
    )
    search: float | None = None
    choices: int | None = None
    conflicts: int | None = Field(None, description="Dead ends, in Prolog.")
    inferences: int | None = None


class Event(BaseModel):
    """One thing that happens in a search; a placement is a row, a column and a digit."""

    kind: Literal["choice", "implied", "conflict", "back", "solution"]
    level: int = Field(description="How many choices are open. After `back`, all above are undone.")
    placed: list[tuple[int, int, int]] = []
    excluded: list[tuple[int, int, int]] = Field(
        [], description="Digits that a cell does not hold; not those of cells that are filled in."
    )
    solution: str | None = None


class Traced(BaseModel):
    """The search for one solution, from its beginning."""

    events: list[Event]
    number: int = Field(description="How many events there are; more if something `stopped` it.")
    stopped: Stopped = Field(description=f"`limit`: at {COUNTED:,} events it is watched no more.")


class Highlight(BaseModel):
    """Cells and candidates that matter, in one role."""

    label: str
    role: str
    cells: list[str]
    candidates: list[tuple[str, int]]
    rim: str | None = Field(
        None, description="The outline of a house, as the path of an SVG element."
    )


class Chained(BaseModel):
    """A line from one candidate, or a group of them, to another."""

    start: list[tuple[str, int]] = Field(alias="from")
    end: list[tuple[str, int]] = Field(alias="to")
    strong: bool = Field(description="Whether at least one of the two holds; else at most one.")


class Link(Chained):
    """The same, drawn."""

    path: str = Field(description="The path of an SVG element; a cell is 40 wide.")


class Explained(BaseModel):
    """An explanation: to read, to work with, and to see on the grid."""

    title: str = Field(description="What it is about, in a few words.")
    text: str
    short: str = Field(description="The text without full grids.")
    explanation: dict[str, Any]
    grid: Rows = Field(description="The grid to show it on, null for an empty cell.")
    candidates: list[list[list[int]]] | None = Field(description="Its pencil marks.")
    highlights: list[Highlight]
    links: list[Link] = Field(description="The links of a chain, in order.")


class Rated(BaseModel):
    """How hard a puzzle is."""

    level: str
    number: int
    hardest: str | None = Field(description="The technique of the hardest step.")


class Steps(BaseModel):
    """The way to the solution, the simplest step first; all of it if nothing stopped the search."""

    steps: list[Explained]
    outcome: str = Field(description="How far the steps lead, in a sentence.")
    stopped: Stopped
    rating: Rated | None = Field(description="That of the puzzle, if the steps solve it.")


class Checked(BaseModel):
    """What is known of the digits that a person has filled in."""

    verdict: Literal["solved", "right", "wrong", "several", "none", "impossible", "unknown"] = (
        Field(
            description="`right`: they lead to a solution. `wrong`: some differ from the only"
            " solution. `several`: the puzzle has several solutions, and none of them has all of"
            " these digits. `none`: the puzzle has no solution. `impossible`: no solution has them,"
            " and time ran out before more was known. `unknown`: time ran out."
        )
    )
    wrong: list[str] = Field(
        description="The cells whose digit is in no solution; if `several`, there may be none."
    )
    clash: list[str] = Field(
        description="If none is `wrong`: cells whose digits no solution has together."
    )
    needed: list[Candidate] = Field(description="What is `removed`, though every solution has it.")
    stopped: Literal["time"] | None


class Changed(Asked):
    """A puzzle, an engine, and the files of its program that differ from ours."""

    files: dict[str, str] = Field({}, examples=[{"sudoku.lp": "#show sudoku/3."}])


class File(BaseModel):
    """A file of a program."""

    name: str
    text: str


class Program(BaseModel):
    """What an engine runs on a puzzle."""

    name: str = Field(description="That of the backend, to be asked as `engine`.")
    engine: str
    title: str
    teaches: str
    files: list[File] = Field(description="What matters most comes first.")
    suits: bool | str = Field(description="true, or why it cannot solve the puzzle.")


class Programs(BaseModel):
    """The programs that come with the package, the shortest first."""

    programs: list[Program]


class Place(BaseModel):
    """A line of a file."""

    file: str
    line: int


class Blamed(Place):
    """A statement or goal of a program."""

    column: int = Field(description="From 1; 0 if it is not known.")
    text: str
    words: str = Field(description="What it does to the solution.")


class Diagnosed(BaseModel):
    """Why a program loses a solution, or gives an answer that is not one."""

    kind: str
    summary: str = Field(description="One sentence.")
    places: list[Blamed] = Field(description="The most likely first.")
    seconds: float


class Ran(BaseModel):
    """What a changed program did, beside the solutions that clingo finds."""

    outcome: Literal["success", "failure", "timeout", "error"]
    text: str = Field(description="The outcome in a sentence or two.")
    message: str = Field(description="Errors, warnings, and repeated answers.")
    answers: int = Field(description="Different answers that were compared.")
    missing: int
    wrong: int
    duplicates: int
    grids: list[Rows] = Field(description="The different answers, empty where they have no digit.")
    missing_grid: Rows | None
    wrong_grid: Rows | None
    places: list[Place] = Field(description="What the message is about.")
    diagnosis: Diagnosed | None = Field(None, description="Why it is not right, if that is known.")
    seconds: float = Field(description="From the start of its process to its end.")
    stopped: Literal["time"] | None


class Error(BaseModel):
    """What is wrong, in words for a person."""

    error: str
    boxes: list[Box] | None = Field(
        None, description="If only the box shape is not known: those that fit, the usual one first."
    )
    without: str | None = Field(
        None, description="If clues of the text are not known: the puzzle without them."
    )


class ToDraw(Puzzle):
    """A puzzle, and what its board shows."""

    grid: Rows | None = Field(None, description="The digits; if null, the givens.")
    candidates: list[list[list[int]]] | None = Field(None, description="Rows of pencil marks.")
    highlights: list[Highlight] = Field([])
    links: list[Chained] = Field([])
    title: str = Field("", max_length=200)


class Drawn(BaseModel):
    """An image."""

    svg: str
