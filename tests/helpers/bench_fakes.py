"""Contestants that behave as they are told, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter

from benchmarks.race import process
from benchmarks.race.solvers import Contestant, Solver, Unfit
from helpers.oracle import all_solutions
from pylogic_sudoku import BackendUnavailable, Grid

BUSY = "import time\nwhile time.process_time() < 0.05: pass"


class Honest(Solver):
    def solve(self, puzzle: Grid) -> Grid | None:
        return next(all_solutions(puzzle), None)

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[object]:
        return (grid.digits for grid in all_solutions(puzzle))

    def count(self, puzzle: Grid) -> int:
        return sum(1 for _ in all_solutions(puzzle))


class OnlySolves(Solver):
    def solve(self, puzzle: Grid) -> Grid | None:
        return next(all_solutions(puzzle), None)


class Wrong(Honest):
    """Gives the puzzle back, leaves out the last solution, counts too many."""

    def solve(self, puzzle: Grid) -> Grid:
        return puzzle

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[object]:
        return list(super().solutions(puzzle, limit))[:-1]

    def count(self, puzzle: Grid) -> int:
        return super().count(puzzle) + 1


class Repeats(Honest):
    """Enumerates the first solution again and again."""

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[object]:
        found = list(super().solutions(puzzle, limit))
        return found[:1] * len(found)


class Denies(Honest):
    """Sees no solution anywhere."""

    def solve(self, puzzle: Grid) -> None:
        return None


class Bad(Honest):
    """Does its worst when it is asked for the third puzzle; the warm-up is the first."""

    def __init__(self, box: tuple[int, int], how: str, note: Path | None = None) -> None:
        super().__init__(box)
        self._how, self._note, self._asked = how, note, 0

    def solve(self, puzzle: Grid) -> Grid | None:
        self._asked += 1
        if self._asked < 3:
            return super().solve(puzzle)
        if self._how == "dies":
            os._exit(7)
        if self._how == "breaks":
            raise RuntimeError("said the engine")
        if self._note:
            child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
            self._note.write_text(f"{os.getpid()} {child.pid}")
        while True:
            Event().wait()


class Slow(Honest):
    """A puzzle takes it ten seconds by the clock, and no work."""

    def __init__(self, box: tuple[int, int]) -> None:
        super().__init__(box)
        self._passed = 0
        process.perf_counter = lambda: perf_counter() + self._passed

    def solve(self, puzzle: Grid) -> Grid | None:
        self._passed += 10
        return super().solve(puzzle)


class Busy(Honest):
    """A process that it starts works for at least 50 ms of processor time."""

    def solve(self, puzzle: Grid) -> Grid | None:
        subprocess.run([sys.executable, "-c", BUSY], check=True)
        return super().solve(puzzle)


class Together(Honest):
    """Solves all at once, as if in several processes."""

    parallel = True

    def solve_all(self, puzzles: Sequence[Grid]) -> Iterator[Grid | None]:
        yield from map(self.solve, puzzles)


class Noting(Honest):
    """Writes each puzzle to a file, with its own name and the process where it solves it."""

    def __init__(self, box: tuple[int, int], name: str, note: Path) -> None:
        super().__init__(box)
        self._name, self._note = name, note

    def solve(self, puzzle: Grid) -> Grid | None:
        with self._note.open("a") as note:
            note.write(f"{puzzle} {self._name} {os.getpid()}\n")
        return super().solve(puzzle)


class Absent(Solver):
    def __init__(self, box: tuple[int, int], error: type[Exception]) -> None:
        raise error("no module of that name")


class Limited(Solver):
    def __init__(self, box: tuple[int, int]) -> None:
        if box != (3, 3):
            raise Unfit("9x9 only")


MAKES = {
    "honest": Honest,
    "only-solves": OnlySolves,
    "wrong": Wrong,
    "repeats": Repeats,
    "denies": Denies,
    "dies": partial(Bad, how="dies"),
    "breaks": partial(Bad, how="breaks"),
    "hangs": partial(Bad, how="hangs"),
    "slow": Slow,
    "busy": Busy,
    "together": Together,
    "absent": partial(Absent, error=ImportError),
    "unavailable": partial(Absent, error=BackendUnavailable),
    "limited": Limited,
}


def fakes(*names: str) -> list[Contestant]:
    alone = ("together",)
    return [Contestant(name, MAKES[name], "click", "", name in alone) for name in names]


def noting(note: Path, *names: str) -> list[Contestant]:
    """Contestants that write there what they solve, and where."""
    return [Contestant(one, partial(Noting, name=one, note=note), "click", "") for one in names]


def hanging(note: Path) -> Contestant:
    """One that writes the numbers of its processes there before it hangs."""
    return Contestant("hangs", partial(Bad, how="hangs", note=note), "click", "")
