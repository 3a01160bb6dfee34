"""The subject of a request, and the program that is asked about it.

A `Source` is the subject as the request states it: a puzzle, or an instance of a problem, which is
in `problems` next door. It says who is `Asked`: a program of the package by its engine, `Ours`, or
a changed one. The functions of `questions` ask either, and the source puts answers into JSON.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, NamedTuple

from .. import questions as api
from ..engines import engine_for
from ..engines.registry import spec_of, unknown
from ..errors import (
    BackendFailure,
    BackendUnavailable,
    InvalidProblem,
    InvalidPuzzle,
    SolveTimeout,
)
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box
from ..questions.comparison import answer_of
from ..reasons.refusal import refusal
from . import COUNTED
from .board import parse, sorted_marks
from .schema import Answer, our_program

Stopped = Literal["limit", "time"] | None


class Found(NamedTuple):
    """The answers of a program, one more than were asked for if there are more."""

    answers: Iterable[Any]
    stopped: Stopped
    seconds: float
    first: float | None
    """The seconds until the first; None if they are not known."""


class Asked(ABC):
    """A program, and the question that it is asked."""

    source: Source

    @abstractmethod
    def ours(self) -> Ours:
        """The same, if it is a program of the package; InvalidProblem if it is a changed one."""

    @abstractmethod
    def solve(self, limit: int, timeout: float) -> Found:
        """Its answers up to a limit."""

    @abstractmethod
    def refusal(self, answer: Any, timeout: float) -> Answer:
        """The reason why it does not have an answer, as JSON."""

    @abstractmethod
    def blame(self, timeout: float) -> Answer:
        """The diagnosis of a changed program, as JSON."""

    @abstractmethod
    def propagate(self, timeout: float) -> Answer:
        """The candidates that it has left before it guesses, as JSON."""

    @abstractmethod
    def trace(self, limit: int, timeout: float) -> Answer:
        """Its search, as JSON."""


class Source(ABC):
    """The subject of a request."""

    @abstractmethod
    def put_to(self, engine: str, place: str) -> AbstractContextManager[Asked]:
        """Ask the program of this name, which has started; files are in the folder `place`."""

    @abstractmethod
    def answers(self, found: Iterable[Any], limit: int) -> list[Any]:
        """Answers as JSON, up to a limit."""

    @abstractmethod
    def answer(self, shown: Any, question: Any) -> Any:
        """The answer that such JSON stands for; an error if it is none."""

    @abstractmethod
    def left(self, remaining: Any) -> Answer:
        """The candidates that propagation leaves, as fields; null if it finds a contradiction."""

    @abstractmethod
    def candidates(self, known: Any) -> Any:
        """The candidates of all answers, as JSON."""

    @abstractmethod
    def candidate(self, each: Any) -> Answer:
        """One candidate, as fields."""


@dataclass(frozen=True)
class Ours(Asked):
    """A program of the package."""

    source: Source
    question: Any
    engine: Any

    def ours(self) -> Ours:
        return self

    def solve(self, limit: int, timeout: float) -> Found:
        # One more than requested shows whether these are all.
        result = answer_of(self.engine, self.question, limit + 1, timeout)
        stopped: Stopped = None if result.complete else "time" if result.timed_out else "limit"
        return Found(result.solutions, stopped, result.seconds, result.first)

    def rejected(self, answers: list[Any], timeout: float) -> list[Any]:
        """Those answers of another program that it rejects."""
        others = dict.fromkeys(self.source.answer(each, self.question) for each in answers)
        rejected = self.engine.rejected(self.question, list(others), timeout)
        return self.source.answers((each for each in others if each in rejected), len(others))

    def refusal(self, answer: Any, timeout: float) -> Answer:
        if not self.question.has_atoms:
            raise InvalidPuzzle("a refusal is for an answer to an instance; a puzzle has none")
        reason = refusal(
            self.question, self.source.answer(answer, self.question), self.engine, timeout
        )
        places = [each.to_json() for each in reason.lines]
        says: Answer = {"text": str(reason), "says": reason.says}
        return {**says, "places": places, "stopped": None}

    def blame(self, timeout: float) -> Answer:
        raise InvalidProblem("only a changed program of a problem has a diagnosis")

    def propagate(self, timeout: float) -> Answer:
        with _visible_work():
            return self.source.left(api.propagate(self.question, self.engine, timeout))

    def trace(self, limit: int, timeout: float) -> Answer:
        with _visible_work():
            search = api.trace(self.question, self.engine, None, timeout)
        return _watched(search, limit)


@contextmanager
def _visible_work() -> Iterator[None]:
    """The engine is here; so it is the question that is wrong if its work cannot be seen."""
    try:
        yield
    except BackendUnavailable as error:
        raise InvalidProblem(error.why) from None


UNSAID: Answer = {"placed": [], "excluded": [], "solution": None}
"""The values that an event may lack."""


def _watched(search: api.Trace[Any, Any], limit: int) -> Answer:
    events: list[Answer] = []
    number, stopped = 0, None
    with closing(search) as stream:
        try:
            for event in stream:
                if number == max(COUNTED, limit):
                    stopped = "limit"
                    break
                number += 1
                if number <= limit:
                    events.append(UNSAID | api.to_json(event))
        except SolveTimeout:
            stopped = "time"
    return {"events": events, "number": number, "stopped": stopped}


# --- a puzzle -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class PuzzleSource(Source):
    """A puzzle as text, and its format and box shape if they are known."""

    text: str
    format: str | None = None
    box: Box | None = None

    def read(self) -> Puzzle:
        """The puzzle; InvalidPuzzle if there is none, or if it is too large."""
        return parse(self.text, self.format, self.box)

    @contextmanager
    def put_to(self, engine: str, place: str) -> Iterator[Asked]:
        puzzle = self.read()
        yield Ours(self, puzzle, started(engine, puzzle))

    def answers(self, found: Iterable[Any], limit: int) -> list[Any]:
        return [each.to_json() for each in islice(found, limit)]

    def answer(self, shown: Any, question: Any) -> Grid:
        if not isinstance(shown, list):
            raise InvalidPuzzle("a solution of a puzzle is its rows, such as [[1, 2], [2, 1]]")
        return Grid.from_rows(shown, question.box)

    def left(self, remaining: Any) -> Answer:
        return {"candidates": sorted_marks(remaining)}

    def candidates(self, known: Any) -> Any:
        return sorted_marks(known)

    def candidate(self, each: Any) -> Answer:
        return {"cell": str(each.cell), "digit": each.digit}


def started(engine: str, puzzle: Puzzle) -> Any:
    """The engine for a puzzle, which has started: that does not count as the puzzle's time.

    InvalidPuzzle if there is none of this name, or if it cannot solve such puzzles.
    """
    our_program(engine)
    if spec_of(engine.partition(":")[0]) is None:
        raise InvalidPuzzle(str(unknown(engine)))
    try:
        chosen = engine_for(engine, puzzle)
    except BackendFailure as error:
        unsuited = InvalidPuzzle(str(error))
        unsuited.messages = error.messages
        raise unsuited from None
    chosen.version()
    return chosen
