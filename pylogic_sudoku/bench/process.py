"""A contestant in a process of its own, which takes the time of each puzzle."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from multiprocessing.connection import Connection, Pipe
from time import perf_counter
from typing import Any, NamedTuple

from .._batch import SolvedPuzzles
from ..check._process import kill, started
from ..errors import BackendUnavailable
from ..grid import Grid
from .sets import Task
from .solver import Contestant, Solver, Unfit

__all__ = ["Done", "Process", "Ready", "Refused", "Start", "serve"]

MAIN = f"import sys, {__name__} as process; process.serve(int(sys.argv[1]))"
SLOW = 0.1
"""Seconds for a puzzle from which on its answer is handed over before the next one begins."""


class Start(NamedTuple):
    """What a contestant is told first."""

    contestant: Contestant
    task: Task
    limit: int | None
    """How many solutions it is to enumerate."""
    warm_up: Grid


class Ready(NamedTuple):
    """It has started and warmed up."""

    version: str
    solutions: list[Grid | None]
    """What it said of the puzzle that it warmed up with."""


class Refused(NamedTuple):
    """It does not take part, or no longer."""

    why: str


class Done(NamedTuple):
    """The next of the puzzles that it was given."""

    seconds: list[float]
    """For each puzzle."""
    answers: list[Any]
    """A grid or None for each; a number where they were enumerated or counted."""
    finished: bool
    """Whether it stops here, with all of them or as its time is over."""


class Process:
    """A process for one contestant, to be ended with `end` however it went."""

    def __init__(self) -> None:
        self._pipe, theirs = Pipe()
        # In a session of its own, Ctrl-C does not reach it, and all that it starts ends with it.
        with theirs:
            self._process = started(
                [sys.executable, "-P", "-c", MAIN, str(theirs.fileno())],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                pass_fds=[theirs.fileno()],
                stderr=subprocess.DEVNULL,
            )

    def start(self, start: Start) -> None:
        """Has it load what it needs and warm up."""
        self._send(start)

    def give(self, puzzles: Sequence[Grid], seconds: float) -> None:
        """Has it solve these, but begin none when the time is over."""
        self._send((puzzles, seconds))

    def hear(self, seconds: float) -> Ready | Refused | Done | None:
        """What it says next; None if it says nothing for so long."""
        try:
            if not self._pipe.poll(seconds):
                return None
            said: Ready | Refused | Done = self._pipe.recv()
            return said
        except (EOFError, ConnectionError):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            return Refused(f"its process died (exit code {self._process.returncode})")

    def _send(self, what: object) -> None:
        with suppress(ConnectionError):  # if it has died, `hear` says so
            self._pipe.send(what)

    def end(self) -> None:
        """Ends it and all that it started, whatever they are doing."""
        self._pipe.close()
        kill(self._process)


def serve(pipe_number: int) -> None:
    """What runs in the process: answers until the pipe is closed."""
    with Connection(pipe_number) as pipe, suppress(EOFError, ConnectionError):
        try:
            _serve(pipe, pipe.recv())
        except ImportError as error:
            pipe.send(Refused(f"not installed: {error}"))
        except BackendUnavailable as error:
            pipe.send(Refused(error.why))
        except Unfit as error:
            pipe.send(Refused(str(error)))
        except (EOFError, ConnectionError):
            raise
        except Exception as error:
            pipe.send(Refused(f"broke: {type(error).__name__}: {error}"))


def _serve(pipe: Connection, start: Start) -> None:
    solver = start.contestant.make(start.warm_up.box)
    question = _question(solver, start)
    solutions = _warmed_up(solver, question, start)
    pipe.send(Ready(_version(start.contestant), solutions))
    work = partial(_together if solver.parallel else _in_turn, question, pipe)
    while True:
        puzzles, seconds = pipe.recv()
        work(puzzles, seconds)


def _version(contestant: Contestant) -> str:
    try:
        return version(contestant.package)
    except PackageNotFoundError:
        return ""


def _question(solver: Solver, start: Start) -> Callable[[Any], Any]:
    if start.task == "solve":
        return solver.solve_all if solver.parallel else solver.solve
    if start.task == "count":
        return solver.count
    return lambda puzzle: sum(1 for _ in _solutions(solver, start, puzzle))


def _solutions(solver: Solver, start: Start, puzzle: Grid) -> islice[Any]:
    return islice(solver.solutions(puzzle, start.limit), start.limit)


def _warmed_up(solver: Solver, question: Callable[[Any], Any], start: Start) -> list[Grid | None]:
    if start.task == "enumerate":
        found = _solutions(solver, start, start.warm_up)
        return [one if isinstance(one, Grid) else solver.read(one) for one in found]
    answer = question([start.warm_up] if solver.parallel else start.warm_up)
    return [] if start.task == "count" else list(answer) if solver.parallel else [answer]


def _in_turn(
    ask: Callable[[Grid], Any], pipe: Connection, puzzles: Sequence[Grid], seconds: float
) -> None:
    """Asks for one puzzle after the other; the clock stands while answers are handed over."""
    times: list[float] = []
    answers: list[Any] = []
    left = seconds
    for puzzle in puzzles:
        start = perf_counter()
        answer = ask(puzzle)
        passed = perf_counter() - start
        times.append(passed)
        answers.append(answer)
        left -= passed
        if left <= 0:
            break
        if passed > SLOW:
            pipe.send(Done(times, answers, False))
            times, answers = [], []
    pipe.send(Done(times, answers, True))


def _together(
    ask: Callable[[Sequence[Grid]], SolvedPuzzles],
    pipe: Connection,
    puzzles: Sequence[Grid],
    seconds: float,
) -> None:
    """Asks for all puzzles at once; each has its share of the time that they take together."""
    answers: list[Any] = []
    start = perf_counter()
    with closing(ask(puzzles)) as found:
        for answer in found:
            answers.append(answer)
            if perf_counter() - start > seconds:
                break
        passed = perf_counter() - start
    pipe.send(Done([passed / len(answers)] * len(answers), answers, True))
