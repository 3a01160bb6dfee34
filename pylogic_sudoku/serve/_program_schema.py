"""What requests and answers about programs look like, as OpenAPI documents it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from ._schema import Asked, Rows

__all__ = ["Changed", "Programs", "Ran"]


class Changed(Asked):
    """A puzzle, an engine, and the files of its program that differ from ours."""

    files: dict[str, str] = Field({}, examples=[{"sudoku.lp": "#show sudoku/3."}])


class File(BaseModel):
    """A file of a program."""

    name: str
    text: str


class Program(BaseModel):
    """What an engine runs on a puzzle."""

    engine: str
    files: list[File] = Field(description="What matters most comes first.")
    puzzle: str = Field(description="The puzzle as facts, or as a goal.")
    command: str = Field(description="For a terminal: prints up to two solutions.")


class Programs(BaseModel):
    """The programs that run on a puzzle."""

    programs: list[Program]


class Place(BaseModel):
    """A line of a file."""

    file: str
    line: int


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
    seconds: float = Field(description="From the start of its process to its end.")
    stopped: Literal["time"] | None
