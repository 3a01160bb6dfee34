"""The process in which a contestant works: what it is sent, and what it sends back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time
from typing import Any, NamedTuple

from pylogic_sudoku import BackendFailure, BackendUnavailable, Grid
from pylogic_sudoku.running.process import kill, started
from pylogic_sudoku.running.wasm import ISOLATES

from .solvers import Contestant, Solver

MAIN = "import sys, {} as process; process.serve(int(sys.argv[1]))"
SLOW = 0.1
"""Seconds of the clock: an answer that took longer is sent before the next puzzle begins."""


class Start(NamedTuple):
    """The contestant is to load and to warm up."""

    contestant: Contestant
    warm_up: Grid


class Ready(NamedTuple):
    """The contestant has warmed up."""

    version: str
    solution: Grid | None
    """Its answer to the puzzle of the warm-up."""


class Refused(NamedTuple):
    """The contestant does not take part, or no longer."""

    why: str


class Ask(NamedTuple):
    """Puzzles for the contestant, which is ready."""

    puzzles: Sequence[Grid]
    seconds: float
    """It begins no puzzle after these."""
    cpu: bool
    """True for processor time, False for the clock."""


class Done(NamedTuple):
    """The contestant has solved the next of its puzzles."""

    seconds: list[float]
    """For each puzzle."""
    answers: list[Grid | None]
    """For each puzzle."""
    finished: bool
    """True after the last one, or if it is out of time."""


Message = Ready | Refused | Done


class Process:
    """A process for contestants; `end` must be called.

    The function `serve` of a module answers in it.
    """

    def __init__(self, module: str = __name__) -> None:
        self.lost = False
        """True once it has died, or given no answer in time."""
        self._pipe, theirs = Pipe()
        # In a session of its own, it is not reached by Ctrl-C, and its children end with it.
        with theirs:
            self._process = started(
                [sys.executable, "-P", "-c", MAIN.format(module), str(theirs.fileno())],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                pass_fds=[theirs.fileno()],
                stderr=subprocess.DEVNULL,
            )

    def send(self, message: object) -> None:
        with suppress(ConnectionError):  # if it has died, `receive` reports it
            self._pipe.send(message)

    def receive(self, seconds: float) -> Any:
        """Return the next message; if it has died or takes more than these seconds, say so."""
        try:
            if self._pipe.poll(seconds):
                return self._pipe.recv()
            why = f"stopped, no answer within {seconds:g} s"
        except (EOFError, ConnectionError):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            why = f"its process died (exit code {self._process.returncode})"
        self.lost = True
        return Refused(why)

    def end(self) -> None:
        """Kill the process and all its children; a second time it does nothing."""
        if not self._pipe.closed:
            self._pipe.close()
            kill(self._process)


# --- in the process itself --------------------------------------------------------------


def serve(pipe_number: int) -> None:
    """Answer until the pipe is closed."""
    solver: Solver
    with Connection(pipe_number) as pipe, suppress(EOFError, ConnectionError):
        while True:
            message = pipe.recv()
            try:
                if isinstance(message, Start):
                    contestant, puzzle = message
                    solver = contestant.make(puzzle.box)
                    solution = solver.solve(puzzle)
                    pipe.send(Ready(_version(contestant), solution))
                else:
                    _work(pipe, solver, message)
            except ImportError as error:
                pipe.send(Refused(f"not installed: {error}"))
            except BackendUnavailable as error:
                pipe.send(Refused(error.why))
            except BackendFailure as error:
                pipe.send(Refused(str(error)))
            except (EOFError, ConnectionError):
                raise
            except Exception as error:
                pipe.send(Refused(f"broke: {type(error).__name__}: {error}"))


def _version(contestant: Contestant) -> str:
    try:
        return version(contestant.package)
    except PackageNotFoundError:
        return ""


def _work(pipe: Connection, solver: Solver, ask: Ask) -> None:
    """Solve one puzzle after the other; the time for sending answers is not counted."""
    solve, clock = solver.solve, _processor_time if ask.cpu else perf_counter
    times: list[float] = []
    answers: list[Grid | None] = []
    left = ask.seconds
    for puzzle in ask.puzzles:
        began, start = perf_counter(), clock()
        answer = solve(puzzle)
        passed = clock() - start
        times.append(passed)
        answers.append(answer)
        left -= passed
        if left <= 0:
            break
        if perf_counter() - began > SLOW:
            pipe.send(Done(times, answers, False))
            times, answers = [], []
    pipe.send(Done(times, answers, True))


def _processor_time() -> float:
    """The processor time of this process, of its ended children, and of those with V8."""
    children = getrusage(RUSAGE_CHILDREN)
    seconds = process_time() + children.ru_utime + children.ru_stime
    return seconds + sum(map(seconds_of, ISOLATES.pids()))


def seconds_of(pid: int) -> float:
    """The processor time of a process and of its ended children; 0 if it is not there."""
    with suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        ticks = sum(map(int, stat.rpartition(")")[2].split()[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")
    return 0.0
