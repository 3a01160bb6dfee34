"""The process in which contestants answer, in turns; see `race.process`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from time import process_time
from typing import Any, Literal, NamedTuple

from pylogic_sudoku import BackendFailure, SolveTimeout
from pylogic_sudoku.problem.folder import bundled

from ..race.sets import trivial
from .contestants import contestants
from .families import PROBLEM, AnyInstance
from .ours import Contestant

Question = Literal["one", "left", "unique", "all", "stream"]
MOST: dict[Question, int] = {"one": 1, "unique": 2, "all": 1000, "stream": 2}
"""The most solutions that a question asks for."""
QUESTIONS: tuple[Question, ...] = ("one", "left", "unique", "all", "stream")
"""The last one is as ``"unique"``, to one that has just solved a puzzle of that layout."""


class Ask(NamedTuple):
    """A question to the contestant of this name."""

    contestant: str
    question: Question
    instance: AnyInstance
    seconds: float


@dataclass(frozen=True)
class Answer:
    """The answer of a contestant."""

    status: Literal["done", "timeout", "refused", "failed"]
    seconds: float = 0.0
    """Of the processor, from the question to the answer."""
    solutions: tuple[Any, ...] = ()
    """Grids, or the answers of a problem."""
    work: dict[str, float] = field(default_factory=dict)
    """Its own account of the work, by the names of `Measurement`; and ``left``."""
    why: str = ""


def serve(pipe_number: int) -> None:
    """Answer until the pipe is closed."""
    everyone = {each.name: each for each in contestants()}
    # Modules and programs are loaded now, so no instance pays for it.
    for problem in bundled():
        instance = next(iter(problem.instances.values()))
        for name, contestant in everyone.items():
            if contestant.takes_part(PROBLEM, problem.name):
                _answer(everyone, Ask(name, "one", instance, 10))
    for name, contestant in everyone.items():
        if contestant.takes_part("sudoku", ""):
            for question in QUESTIONS:
                _answer(everyone, Ask(name, question, trivial((3, 3)), 10))
    with Connection(pipe_number) as pipe, suppress(EOFError, ConnectionError):
        while True:
            pipe.send(_answer(everyone, pipe.recv()))


def _answer(everyone: dict[str, Contestant], ask: Ask) -> Answer:
    contestant, instance = everyone[ask.contestant], ask.instance
    solutions: tuple[Any, ...] = ()
    work: dict[str, float] = {}
    if ask.question == "stream":
        with suppress(BackendFailure, SolveTimeout):
            contestant.next(trivial(ask.instance.box), 1, ask.seconds)  # type: ignore[union-attr]
    start = process_time()
    try:
        if ask.question == "one":
            measured = contestant.first(instance, ask.seconds)
            solutions = () if measured.solution is None else (measured.solution,)
            work = measured.stats
        elif ask.question == "left":
            left = contestant.left(instance, ask.seconds)
            work = {} if left is None else {"left": left}
        elif ask.question == "stream":
            solutions = tuple(contestant.next(instance, MOST["stream"], ask.seconds))
        else:
            found = contestant.solutions(instance, MOST[ask.question], ask.seconds)
            solutions = tuple(found)
    except SolveTimeout:
        return Answer("timeout", process_time() - start)
    except BackendFailure as error:
        return Answer("refused", why=str(error))
    except Exception as error:  # a fault of one contestant does not end the study
        return Answer("failed", process_time() - start, why=f"{type(error).__name__}: {error}")
    return Answer("done", process_time() - start, solutions, work)
