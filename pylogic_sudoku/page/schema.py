"""What is asked and answered, as OpenAPI documents it.

An answer is a class. What a question is asked with follows from its signature, by `request`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    WithJsonSchema,
    create_model,
)

from ..engines import programs
from ..formats import FORMATS, READ_ONLY
from ..puzzle.cells import MAX_SIZE, Box
from ..techniques import Rating
from ..techniques.table import BY_NAME, LEVELS
from . import COUNTED, SIZE

Format = StrEnum("Format", {name: name for name in FORMATS})  # type: ignore[misc]
Readable = StrEnum("Readable", {name: name for name in [*FORMATS, *READ_ONLY]})  # type: ignore[misc]
Technique = StrEnum("Technique", {name: name for name in BY_NAME})  # type: ignore[misc]
Level = StrEnum("Level", {name: name for name in LEVELS})  # type: ignore[misc]
LINE, EASY = Format("line"), Level("easy")
EXAMPLE = "4......3...13..."
JIGSAW: dict[str, Any] = {
    "grid": [[1, None, None, 4], [None] * 4, [None, None, None, 3], [None] * 4],
    "regions": [[1, 1, 1, 2], [1, 2, 2, 2], [3, 3, 3, 4], [3, 4, 4, 4]],
    "marks": {"r1c2": "even", "r2c3": [1, 4]},
}
KILLER: dict[str, Any] = {
    "grid": [[None] * 4] * 4,
    "rules": [{"rule": "killer_cage", "cells": ["r1c1", "r1c2"], "sum": 3}],
}


def _ours(name: str) -> str:
    """No file of this machine is a program for those who can reach the server."""
    if ":" in name and all(name != program.name for program in programs()):
        raise ValueError(f"there is no program {name!r}")
    return name


Rows = list[list[int | None]]
"""Rows of digits, null for an empty cell."""
Marks = list[list[list[int]]]
"""Rows of cells, and for each cell its digits."""
CellName = Annotated[str, Field(pattern=r"^r\d{1,2}c\d{1,2}$", examples=["r1c3"])]
Digit = Annotated[int, Field(ge=1, le=MAX_SIZE)]
EngineName = Annotated[
    str, AfterValidator(_ours), Field(max_length=100, examples=["prolog", "prolog:classic"])
]
"""An engine, perhaps with one of our programs."""
Stopped = Literal["limit", "time"] | None


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


# --- what is asked --------------------------------------------------------------------------------

_DIGIT = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
_ROWS = {"type": "array", "items": {"type": "array", "items": _DIGIT}}
_PUZZLE = {
    "anyOf": [{"type": "string"}, _ROWS, {"$ref": "#/components/schemas/PuzzleObject"}],
    "description": "Text in any format, rows, or an object with regions, marks and rules.",
}


class Asked(BaseModel):
    """A question."""

    model_config = ConfigDict(extra="forbid", use_enum_values=True, validate_default=True)


class Puzzle(Asked):
    """A question about a puzzle."""

    puzzle: Annotated[Any, WithJsonSchema(_PUZZLE)] = Field(examples=[EXAMPLE, JIGSAW, KILLER])
    box: Box | None = Field(None, description="Rows and columns of a box.", examples=[[2, 2]])
    timeout: float | None = Field(
        None, gt=0, description="Time limit in seconds, if it is shorter than the server's."
    )


def arguments(question: Callable[..., Any]) -> dict[str, Any]:
    """The arguments of a question that the client gives, by name: the type and the default of each.

    These are those that have to be named, but `place`, which is the server's.
    """
    types = get_type_hints(question, include_extras=True)
    return {
        name: (types[name], ... if each.default is each.empty else each.default)
        for name, each in inspect.signature(question).parameters.items()
        if each.kind is each.KEYWORD_ONLY and name != "place"
    }


def request(question: Callable[..., Any]) -> type[Asked]:
    """The class of what the question is asked with; it is about a puzzle if it takes a `puzzle`."""
    name = "".join(word.title() for word in question.__name__.split("_"))
    about = Puzzle if "puzzle" in inspect.signature(question).parameters else Asked
    return create_model(f"Ask{name}", __base__=about, **arguments(question))


class Candidate(BaseModel):
    """A digit that a cell could hold."""

    cell: CellName
    digit: Digit


Removed = Annotated[Sequence[Candidate], Field(max_length=SIZE**3)]
"""Candidates that are removed, or crossed out, already."""
Weight = Annotated[int, Field(ge=0, le=10**6)]
Taken = Annotated[Sequence[tuple[Technique, Weight]], Field(max_length=SIZE**3)]
"""The techniques and weights of the steps before."""
Soon = Annotated[float | None, Field(ge=0)]
"""Seconds."""


# --- what is answered -----------------------------------------------------------------------------


class Engine(BaseModel):
    """What is known of one engine."""

    name: str
    engine: str
    available: bool
    version: str | None
    why: str | None
    fix: str | None
    optional: bool = Field(description="Whether the package is whole without it.")


Input = Literal["cells", "flag", "number", "numbers", "text"]


class RuleField(BaseModel):
    """A field of a rule that a person enters."""

    name: str
    type: Input
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


class Rules(BaseModel):
    """The rules of a puzzle, in its order; `svg` is empty if nothing is drawn."""

    rules: list[ShownRule]
    svg: str = Field(
        description="A <g> behind the digits. A cell is 40 wide, the grid begins at (0, 0)."
    )
    room: dict[str, float] = Field(
        description="How far clues reach out of the grid: left, top, right and bottom, in cells."
    )
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


class Solutions(BaseModel):
    """Distinct solutions in no particular order; all of them if nothing stopped the search."""

    solutions: list[Rows]
    stopped: Stopped
    seconds: float = Field(description="How long the engine searched, without its start.")


class Confirmed(BaseModel):
    """The grids that the engine does not accept as solutions."""

    rejected: list[Rows]


class Counted(BaseModel):
    """The number of solutions; there are more if `stopped` is ``"limit"``.

    If it is ``"time"``, this is the number of those that were found in time, as far as it is known.
    """

    count: int
    stopped: Stopped
    seconds: float


class Candidates(BaseModel):
    """Rows of cells, and for each cell the digits that it has in at least one solution."""

    candidates: Marks


class Propagated(BaseModel):
    """Rows of cells, and for each cell the digits that are left; null if there is no solution."""

    candidates: Marks | None
    seconds: float = Field(description="With the set-up of the engine, but without its start.")


class Measured(BaseModel):
    """The work for the first solution, in seconds and numbers; null if the engine does not say."""

    solved: bool = Field(description="Whether there is a solution.")
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


class Link(BaseModel):
    """A line from one candidate, or a group of them, to another."""

    strong: bool = Field(description="Whether at least one of the two holds; else at most one.")
    path: str = Field(description="The path of an SVG element; a cell is 40 wide.")


class Explained(BaseModel):
    """An explanation: to read, to work with, and to see on the grid."""

    title: str = Field(description="What it is about, in a few words.")
    text: str
    short: str = Field(description="The text without full grids.")
    explanation: dict[str, Any]
    grid: Rows = Field(description="The grid to show it on, null for an empty cell.")
    candidates: Marks | None = Field(description="Its pencil marks.")
    highlights: list[Highlight]
    links: list[Link] = Field(description="The links of a chain, in order.")
    stopped: Literal["time"] | None = None


class Walk(BaseModel):
    """The way to the solution, the simplest step first; all of it if nothing stopped the search."""

    steps: list[Explained]
    outcome: str = Field(description="How far the steps lead, in a sentence.")
    stopped: Stopped
    rating: Rating | None = Field(description="That of the puzzle, if the steps solve it.")


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


class Diagnosed(BaseModel):
    """Why a program loses a solution, or gives an answer that is not one."""

    summary: str = Field(description="One sentence.")
    places: list[Place] = Field(description="The most likely first.")


class Ran(BaseModel):
    """What a changed program did, beside the solutions that clingo finds."""

    outcome: Literal["success", "failure", "timeout", "error"]
    rule: str = Field(description="What the first wrong answer breaks; empty if none is wrong.")
    message: str = Field(description="Errors, warnings, and repeated answers.")
    missing: int
    wrong: int
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
