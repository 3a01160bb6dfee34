"""Tasks, which programs are graded on: sudoku (`sudoku`), or any other problem (`problems`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from ..engines.base import Engine
from ..errors import SolveTimeout
from ..questions.comparison import compare
from ..running.sandbox import Sandbox
from .cases import Case
from .programs import PROLOG_FILES, Q, Submission, V
from .verdict import Reference

P = TypeVar("P", bound=Submission[Any, Any], covariant=True)
"""A program for such a task."""


class Task(ABC, Generic[Q, V, P]):
    """The subject of an exercise: sudoku, or another problem."""

    constants: tuple[str, ...]
    """For programs for clingo, each ``name=value``."""
    allow_scripts: bool

    @abstractmethod
    def gather(self, sources: Any) -> Iterator[Case]:
        """Return the instances of all sources, each under a name of its own."""

    def program(self, path: Path, sandbox: Sandbox, alone: bool) -> P:
        """Return the program in a file; if it is `alone`, ValueError for settings of no effect."""
        if path.suffix.lower() not in PROLOG_FILES:
            return self.for_clingo(path, sandbox, alone)
        if alone and (self.constants or self.allow_scripts):
            raise ValueError(f"{path} is a Prolog program; constants and scripts are for clingo")
        return self.for_prolog(path, sandbox)

    @abstractmethod
    def for_clingo(self, path: Path, sandbox: Sandbox, alone: bool) -> P:
        """Return the ASP program in a file, as `program` does."""

    @abstractmethod
    def for_prolog(self, path: Path, sandbox: Sandbox) -> P:
        """Return the Prolog program in a file."""

    def secrets(self, program: Path) -> Iterable[Path]:
        """Return files and folders that a program in this file must not read."""
        return ()

    @abstractmethod
    def engines(self, against: str) -> tuple[str, ...]:
        """Return the names of the engines that decide which answers are right."""

    @abstractmethod
    def engine(self, name: str) -> Engine[Any, Any, Any]:
        """Return one of them; BackendUnavailable if it is missing."""

    def check_engines(self, against: str) -> None:
        """BackendUnavailable if an engine for reference answers is missing."""
        for name in self.engines(against):
            self.engine(name).version()

    @abstractmethod
    def solve(self, instance: Case, against: str, limit: int, timeout: float) -> Reference[Q, V]:
        """Return what these engines find.

        Disagreement if they differ, SolveTimeout if none ends.
        """

    @abstractmethod
    def read(self, instance: Case, file: Path, limit: int) -> Reference[Q, V]:
        """Return what ``clingo --outf=2`` wrote; InvalidPuzzle, with the file, for all else."""


@dataclass(frozen=True)
class Found(Generic[V]):
    """The right answers to a question, as engines find them that agree."""

    answers: list[V]
    complete: bool
    """True if these are all of them."""
    by: tuple[str, ...]
    """The engines that finished."""
    source: str
    """The engines, in words."""


def found_by(
    engines: Sequence[str],
    question: Any,
    limit: int,
    seconds: float | None,
    order: Callable[[V], Any],
) -> Found[V]:
    """Return the first answers that these engines find, up to a limit, 0 for all.

    Disagreement if they differ, SolveTimeout if none ends.
    """
    comparison = compare(question, engines, limit + 1 if limit else None, seconds)
    comparison.check()
    if not comparison.finished:
        raise SolveTimeout(engines[0], seconds or 0.0)
    source = " and ".join(comparison.finished)
    if comparison.timed_out:
        source = f"{source}, confirmed by {' and '.join(comparison.timed_out)}"
    answers = sorted(comparison.solutions, key=order)
    complete = not limit or len(answers) <= limit
    return Found(answers[: limit or None], complete, comparison.finished, source)
