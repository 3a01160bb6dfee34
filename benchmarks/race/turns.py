"""The race in one process: the contestants take turns, puzzle by puzzle.

This is how an application meets a solver: between two puzzles it does other things, so the caches
of the processor are cold.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from pylogic_sudoku import Grid

from .measure import Racer, SetResult, checked, end
from .process import Process
from .sets import PuzzleSet
from .solvers import Contestant

IN_TURNS = ", in turns"
"""The end of the name of a set that was raced in this way."""


def in_turns(
    puzzles: PuzzleSet,
    contestants: Sequence[Contestant],
    rounds: int = 5,
    seconds: float = 30,
    report: Callable[[str], object] = lambda _what: None,
    *,
    cpu: bool = False,
) -> SetResult:
    """Race the contestants on a set in one process; see `measure`.

    Their order is another one for each puzzle, and the same in each run. If one of them dies or
    does not answer, the others go on in a new process.
    """
    racers = [Racer(one, puzzles, seconds, cpu) for one in contestants]
    room = _Room(racers)
    chance = random.Random(puzzles.name)
    try:
        report("all warm up")
        room.fill()
        shares = puzzles.rounds(rounds)
        for number, share in enumerate(shares):
            report(f"in turns, round {number + 1} of {len(shares)}")
            for racer in racers:
                if racer.running:
                    racer.begin_round(seconds / len(shares))
            for puzzle in share:
                able = [racer for racer in racers if racer.in_round]
                room.race(chance.sample(able, len(able)), puzzle)
    finally:
        end(room.processes)
    return checked(replace(puzzles, name=puzzles.name + IN_TURNS), racers)


class _Room:
    """The process in which the contestants are, a new one if it is lost."""

    def __init__(self, racers: Sequence[Racer]) -> None:
        self.processes: list[Process] = []
        """All that there were."""
        self._racers = racers

    def fill(self) -> None:
        """Have all who still run warm up in a new process; lose only those who cannot."""
        end(self.processes)
        self.processes.append(process := Process())
        for racer in self._racers:
            if racer.running:
                racer.enter(process)
            if process.lost:
                self.fill()
                return

    def race(self, order: Sequence[Racer], puzzle: Grid) -> None:
        """Have them solve a puzzle one after the other, without a pause between."""
        waiting = order
        while waiting:
            for racer in waiting:
                racer.ask([puzzle])
            for place, racer in enumerate(waiting, 1):
                racer.wait()
                if self.processes[-1].lost:
                    self.fill()
                    waiting = [each for each in waiting[place:] if each.running]
                    break
            else:
                break
        for racer in order:
            racer.check()
