"""The questions, as OpenAPI documents them: it follows from their signatures."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal, Self, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    WithJsonSchema,
    create_model,
    model_validator,
)

from ..engines import programs
from ..errors import InvalidPuzzle
from ..formats import FORMATS, READ_ONLY
from ..puzzle.cells import MAX_SIZE, Box
from ..techniques.table import BY_NAME, LEVELS
from . import SIZE

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


def our_program(name: str) -> str:
    """Return the name; InvalidPuzzle for a file, since clients may run only our programs."""
    if ":" in name and all(name != program.name for program in programs()):
        raise InvalidPuzzle(f"there is no program {name!r}")
    return name


Rows = list[list[int | None]]
"""Rows of digits, null for an empty cell."""
CellName = Annotated[str, Field(pattern=r"^r\d{1,2}c\d{1,2}$", examples=["r1c3"])]
Digit = Annotated[int, Field(ge=1, le=MAX_SIZE)]
EngineName = Annotated[str, Field(max_length=100, examples=["prolog", "prolog:classic"])]
"""An engine, perhaps with one of our programs."""
Name = Annotated[str, Field(max_length=100)]
Answer = dict[str, Any]
"""The answer to a question, as JSON; the question's docstring describes it."""


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
    unread: list[str] | None = Field(
        None, description="What its text draws or says that is not among the rules."
    )


_DIGIT = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
_ROWS = {"type": "array", "items": {"type": "array", "items": _DIGIT}}
_PUZZLE = {
    "anyOf": [{"type": "string"}, _ROWS, PuzzleObject.model_json_schema()],
    "description": "Text in any format, rows, or an object with regions, marks and rules.",
}


class Asked(BaseModel):
    """A question."""

    model_config = ConfigDict(extra="forbid", use_enum_values=True, validate_default=True)


class Limited(Asked):
    """A question that may have a time limit of its own."""

    timeout: float | None = Field(
        None, gt=0, description="Time limit in seconds, if it is shorter than the server's."
    )


class Puzzle(Limited):
    """A question about a puzzle."""

    puzzle: Annotated[Any, WithJsonSchema(_PUZZLE)] = Field(examples=[EXAMPLE, JIGSAW, KILLER])
    box: Box | None = Field(None, description="Rows and columns of a box.", examples=[[2, 2]])


class Either(Limited):
    """A question to a program about a puzzle, or about an instance of a problem."""

    puzzle: Annotated[Any, WithJsonSchema(_PUZZLE)] = Field(
        None, examples=[EXAMPLE, JIGSAW, KILLER]
    )
    box: Box | None = Field(None, description="Rows and columns of a box.", examples=[[2, 2]])
    problem: Name = Field("", description="A problem that comes with the package.")
    instance: str = Field("", description="The facts of its instance.")
    texts: Mapping[str, str] = Field(
        {},
        description="The programs that are changed, by their names; without a problem, both"
        " programs, and #show in that for clingo says what answers consist of.",
    )
    engine: EngineName = Field(
        "clingo", description="The program that is asked; draw for a picture."
    )

    @model_validator(mode="after")
    def _about_one(self) -> Self:
        ways = ({"puzzle", "box"}, {"problem", "instance", "texts"})
        if sum(bool(self.model_fields_set & way) for way in ways) != 1:
            raise ValueError("expected a puzzle, or an instance of a problem")
        return self


def arguments(question: Callable[..., Any]) -> dict[str, Any]:
    """The arguments of a question that the client gives, by name: the type and the default of each.

    These are the keyword-only ones but `place`, which the server sets.
    """
    types = get_type_hints(question, include_extras=True)
    return {
        name: (types[name], ... if each.default is each.empty else each.default)
        for name, each in inspect.signature(question).parameters.items()
        if each.kind is each.KEYWORD_ONLY and name != "place"
    }


def has_place(question: Callable[..., Any]) -> bool:
    """True if the question makes files, in a folder of the server."""
    return "place" in inspect.signature(question).parameters


def request(question: Callable[..., Any]) -> type[Asked]:
    """The class of what the question is asked with.

    It is about a puzzle if it takes a `puzzle`, and about either if it takes who is `asked`.
    """
    name = "".join(word.title() for word in question.__name__.split("_"))
    taken = inspect.signature(question).parameters
    about = Puzzle if "puzzle" in taken else Either if "asked" in taken else Asked
    return create_model(f"Ask{name}", __base__=about, **arguments(question))


class AtomSet(BaseModel):
    """An answer to an instance: its atoms, and what it costs if something is minimized."""

    model_config = ConfigDict(extra="forbid")

    atoms: list[str] = Field(examples=[["queen(1,2)", "queen(2,4)"]])
    cost: list[int] = []


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
Added = Annotated[int, Field(ge=0)]
"""A number of rules."""
