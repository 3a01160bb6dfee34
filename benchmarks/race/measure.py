"""The race: every contestant on the same puzzles, in turns, its answers checked.

Each contestant has a process of its own, which measures the time of each puzzle.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from multiprocessing.connection import Connection, Pipe
from statistics import fmean, median
from time import perf_counter
from typing import Any, NamedTuple

from pylogic_sudoku import BackendUnavailable, Grid
from pylogic_sudoku.check._process import kill, started
from pylogic_sudoku.engines.signals import undisturbed

from .sets import PuzzleSet, Task
from .solvers import Contestant, Solver, Unfit

__all__ = ["Result", "SetResult", "measure", "serve"]

MAIN = f"import sys, {__name__} as measure; measure.serve(int(sys.argv[1]))"
START = 60.0
"""Seconds for a contestant to load and to warm up, in addition to its time for the set."""
SLOW = 0.1
"""Seconds: an answer that took longer is sent before the next puzzle begins."""


@dataclass
class Result:
    """The result of one contestant on one set."""

    contestant: str
    version: str = ""
    rounds: list[list[float]] = field(default_factory=list)
    """Seconds for each puzzle that it solved, by round."""
    note: str = ""
    """Why it did not solve all puzzles, or none."""
    wrong: str = ""
    """A wrong answer that it gave."""

    @property
    def done(self) -> int:
        """The number of puzzles that it solved."""
        return sum(map(len, self.rounds))

    @property
    def seconds(self) -> list[float]:
        """The mean time of a puzzle in each round."""
        return [fmean(times) for times in self.rounds if times]

    def times(self, other: Result) -> float | None:
        """Return its time divided by the other's: the median of the rounds.

        Only puzzles count that both have solved.
        """
        ratios = []
        for mine, others in zip(self.rounds, other.rounds, strict=False):
            if both := min(len(mine), len(others)):
                ratios.append(sum(mine[:both]) / sum(others[:both]))
        return median(ratios) if ratios else None


@dataclass
class SetResult:
    """The results of all contestants on one set."""

    puzzles: PuzzleSet
    results: list[Result]

    def of(self, contestant: str) -> Result | None:
        """Return the result of the contestant of this name, if it took part."""
        return next((r for r in self.results if r.contestant == contestant), None)


def measure(
    puzzles: PuzzleSet,
    contestants: Sequence[Contestant],
    rounds: int = 5,
    seconds: float = 30,
    report: Callable[[str], object] = lambda _what: None,
) -> SetResult:
    """Race the contestants on a set; each has this number of seconds for all of it.

    In each round they take turns at the same share of the puzzles, one at work and the others
    asleep. A slow contestant solves fewer of them; one that does not answer is stopped. `report`
    gets what is going on. Answers are checked while no time is taken. All processes have ended
    when this returns or raises.
    """
    racers: list[_Racer] = []
    try:
        for contestant in contestants:
            racer = _Racer(contestant, puzzles, seconds)
            racers.append(racer)
            report(f"{racer.result.contestant} warms up")
            racer.warm_up()
        shares = puzzles.rounds(rounds)
        for number, share in enumerate(shares):
            turn = number % len(racers)
            for racer in racers[turn:] + racers[:turn]:
                if racer.running:
                    report(f"round {number + 1} of {len(shares)}: {racer.result.contestant}")
                    racer.race(share, seconds / len(shares))
        solved = set[Grid]().union(*(racer.solved for racer in racers))
        for racer in racers:
            for puzzle in racer.unsolved & solved:
                racer.is_wrong(puzzle, "no solution")
    finally:
        undisturbed(lambda: _end(racers))
    return SetResult(puzzles, [racer.result for racer in racers])


def _end(racers: Sequence[_Racer]) -> None:
    for racer in racers:
        racer.process.end()


class _Racer:
    """One contestant on its way through a set."""

    def __init__(self, contestant: Contestant, puzzles: PuzzleSet, seconds: float) -> None:
        self.result = Result(contestant.name)
        self.solved: set[Grid] = set()
        self.unsolved: set[Grid] = set()
        self.process = _Process()
        self._contestant = contestant
        self._set = puzzles
        self._limit = self._left = seconds

    @property
    def running(self) -> bool:
        return not self.result.note and not self.result.wrong and self._left > 0

    def warm_up(self) -> None:
        puzzle = self._set.warm_up
        self.process.send(_Start(self._contestant, self._set.task, self._set.limit, puzzle))
        message = self._receive(START + self._limit)
        if isinstance(message, _Ready):
            self.result.version = message.version
            if self._set.task == "enumerate":
                self._check(puzzle, len(set(message.solutions)))
            for grid in message.solutions:
                self._check(puzzle, grid)

    def race(self, puzzles: Sequence[Grid], share: float) -> None:
        """Run one round; it may begin puzzles until this share of its time is over."""
        self.process.send((puzzles, share))
        times: list[float] = []
        self.result.rounds.append(times)
        finished = False
        while not finished and self.running:
            message = self._receive(self._limit)
            if isinstance(message, _Done):
                for puzzle, answer in zip(puzzles[len(times) :], message.answers, strict=False):
                    self._check(puzzle, answer)
                times += message.seconds
                finished = message.finished
        self._left -= sum(times)

    def is_wrong(self, puzzle: Grid, answer: str) -> None:
        """Note that this answer is wrong."""
        self.result.wrong = self.result.wrong or f"wrong on {puzzle}: {answer}"

    def _receive(self, seconds: float) -> _Ready | _Done | None:
        message = self.process.receive(seconds)
        if message is None:
            self.result.note = f"stopped, no answer within {seconds:g} s"
        elif isinstance(message, _Refused):
            self.result.note = message.why
            return None
        return message

    def _check(self, puzzle: Grid, answer: Any) -> None:
        if isinstance(answer, int):
            if self._set.expected not in (None, answer):
                self.is_wrong(puzzle, f"{answer} solutions, not {self._set.expected}")
        elif answer is None:
            self.unsolved.add(puzzle)
        elif answer.is_solution_of(puzzle):
            self.solved.add(puzzle)
        else:
            self.is_wrong(puzzle, str(answer))


class _Start(NamedTuple):
    """The first message to a contestant's process."""

    contestant: Contestant
    task: Task
    limit: int | None
    """How many solutions it is to enumerate."""
    warm_up: Grid


class _Ready(NamedTuple):
    """The contestant has warmed up."""

    version: str
    solutions: list[Grid | None]
    """Its answers to the puzzle of the warm-up."""


class _Refused(NamedTuple):
    """The contestant does not take part, or no longer."""

    why: str


class _Done(NamedTuple):
    """The contestant has solved the next of its puzzles."""

    seconds: list[float]
    """For each puzzle."""
    answers: list[Any]
    """For each puzzle a grid or None; or the number of solutions."""
    finished: bool
    """True at the end of the round, with all puzzles or out of time."""


class _Process:
    """A process for one contestant; `end` must be called."""

    def __init__(self) -> None:
        self._pipe, theirs = Pipe()
        # In a session of its own, it is not reached by Ctrl-C, and its children end with it.
        with theirs:
            self._process = started(
                [sys.executable, "-P", "-c", MAIN, str(theirs.fileno())],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                pass_fds=[theirs.fileno()],
                stderr=subprocess.DEVNULL,
            )

    def send(self, message: object) -> None:
        with suppress(ConnectionError):  # if it has died, `receive` reports it
            self._pipe.send(message)

    def receive(self, seconds: float) -> _Ready | _Refused | _Done | None:
        """Return the next message, or None if there is none within these seconds."""
        try:
            if not self._pipe.poll(seconds):
                return None
            message: _Ready | _Refused | _Done = self._pipe.recv()
            return message
        except (EOFError, ConnectionError):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            return _Refused(f"its process died (exit code {self._process.returncode})")

    def end(self) -> None:
        """Kill the process and all its children."""
        self._pipe.close()
        kill(self._process)


# --- in the contestant's process --------------------------------------------------------


def serve(pipe_number: int) -> None:
    """Answer until the pipe is closed."""
    with Connection(pipe_number) as pipe, suppress(EOFError, ConnectionError):
        try:
            _serve(pipe, pipe.recv())
        except ImportError as error:
            pipe.send(_Refused(f"not installed: {error}"))
        except BackendUnavailable as error:
            pipe.send(_Refused(error.why))
        except Unfit as error:
            pipe.send(_Refused(str(error)))
        except (EOFError, ConnectionError):
            raise
        except Exception as error:
            pipe.send(_Refused(f"broke: {type(error).__name__}: {error}"))


def _serve(pipe: Connection, start: _Start) -> None:
    solver = start.contestant.make(start.warm_up.box)
    ask = _question(solver, start)
    solutions = _warmed_up(solver, ask, start)
    pipe.send(_Ready(_version(start.contestant), solutions))
    work = partial(_together if solver.parallel else _in_turn, ask, pipe)
    while True:
        puzzles, seconds = pipe.recv()
        work(puzzles, seconds)


def _version(contestant: Contestant) -> str:
    try:
        return version(contestant.package)
    except PackageNotFoundError:
        return ""


def _question(solver: Solver, start: _Start) -> Callable[[Any], Any]:
    if start.task == "solve":
        return solver.solve_all if solver.parallel else solver.solve
    if start.task == "count":
        return solver.count
    return lambda puzzle: sum(1 for _ in _solutions(solver, start, puzzle))


def _solutions(solver: Solver, start: _Start, puzzle: Grid) -> Iterable[Any]:
    return islice(solver.solutions(puzzle, start.limit), start.limit)


def _warmed_up(solver: Solver, ask: Callable[[Any], Any], start: _Start) -> list[Grid | None]:
    if start.task == "enumerate":
        found = _solutions(solver, start, start.warm_up)
        return [one if isinstance(one, Grid) else solver.read(one) for one in found]
    answer = ask([start.warm_up] if solver.parallel else start.warm_up)
    return [] if start.task == "count" else list(answer) if solver.parallel else [answer]


def _in_turn(
    ask: Callable[[Grid], Any], pipe: Connection, puzzles: Sequence[Grid], seconds: float
) -> None:
    """Solve one puzzle after the other; the time for sending answers is not counted."""
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
            pipe.send(_Done(times, answers, False))
            times, answers = [], []
    pipe.send(_Done(times, answers, True))


def _together(
    ask: Callable[[Sequence[Grid]], Iterator[Grid | None]],
    pipe: Connection,
    puzzles: Sequence[Grid],
    seconds: float,
) -> None:
    """Solve all puzzles at once; the total time is divided equally."""
    answers: list[Any] = []
    start = perf_counter()
    with closing(ask(puzzles)) as found:  # type: ignore[type-var]
        for answer in found:
            answers.append(answer)
            if perf_counter() - start > seconds:
                break
        passed = perf_counter() - start
    pipe.send(_Done([passed / len(answers)] * len(answers), answers, True))
