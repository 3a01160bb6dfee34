"""The race: every contestant on the same puzzles, in turns, its answers checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any

from ..engines.signals import undisturbed
from ..grid import Grid
from .process import Done, Process, Ready, Refused, Start
from .sets import PuzzleSet
from .solver import Contestant

__all__ = ["Result", "SetResult", "measure"]

START = 60.0
"""Seconds for a contestant to load what it needs and to warm up, beside its time for the set."""


@dataclass
class Result:
    """What one contestant did with a set."""

    contestant: str
    version: str = ""
    rounds: list[list[float]] = field(default_factory=list)
    """Seconds for each puzzle that it did, by round."""
    note: str = ""
    """Why it did nothing, or not all."""
    wrong: str = ""
    """A wrong answer that it gave."""

    @property
    def done(self) -> int:
        """How many puzzles it did."""
        return sum(map(len, self.rounds))

    @property
    def seconds(self) -> list[float]:
        """The mean time of a puzzle in each round."""
        return [fmean(times) for times in self.rounds if times]

    def times(self, other: Result) -> float | None:
        """How many times the other's time it took: the median of the rounds.

        Only puzzles count that both have done.
        """
        ratios = []
        for mine, others in zip(self.rounds, other.rounds, strict=False):
            if both := min(len(mine), len(others)):
                ratios.append(sum(mine[:both]) / sum(others[:both]))
        return median(ratios) if ratios else None


@dataclass
class SetResult:
    """What all of them did with a set."""

    puzzles: PuzzleSet
    results: list[Result]

    def of(self, contestant: str) -> Result | None:
        """The result of the one of this name, if it took part."""
        return next((r for r in self.results if r.contestant == contestant), None)


class _Racer:
    """One contestant on its way through a set."""

    def __init__(self, contestant: Contestant, puzzles: PuzzleSet, seconds: float) -> None:
        self.result = Result(contestant.name)
        self.solved: set[Grid] = set()
        self.unsolved: set[Grid] = set()
        self._contestant = contestant
        self._set = puzzles
        self._limit = self._left = seconds
        self.process = Process()

    @property
    def running(self) -> bool:
        return not self.result.note and not self.result.wrong and self._left > 0

    def warm_up(self) -> None:
        puzzle = self._set.warm_up
        self.process.start(Start(self._contestant, self._set.task, self._set.limit, puzzle))
        said = self._hear(START + self._limit)
        if isinstance(said, Ready):
            self.result.version = said.version
            if self._set.task == "enumerate":
                self._check(puzzle, len(set(said.solutions)))
            for grid in said.solutions:
                self._check(puzzle, grid)

    def race(self, puzzles: Sequence[Grid], share: float) -> None:
        """One round, in which it may begin puzzles for this share of its time."""
        self.process.give(puzzles, share)
        times: list[float] = []
        self.result.rounds.append(times)
        finished = False
        while not finished and self.running:
            said = self._hear(self._limit)
            if isinstance(said, Done):
                for puzzle, answer in zip(puzzles[len(times) :], said.answers, strict=False):
                    self._check(puzzle, answer)
                times += said.seconds
                finished = said.finished
        self._left -= sum(times)

    def _hear(self, seconds: float) -> Ready | Done | None:
        said = self.process.hear(seconds)
        if said is None:
            self.result.note = f"stopped, no answer within {seconds:g} s"
        elif isinstance(said, Refused):
            self.result.note = said.why
            return None
        return said

    def _check(self, puzzle: Grid, answer: Any) -> None:
        if isinstance(answer, int):
            if self._set.expected not in (None, answer):
                self._wrong(puzzle, f"{answer} solutions, not {self._set.expected}")
        elif answer is None:
            self.unsolved.add(puzzle)
        elif answer.is_solution_of(puzzle):
            self.solved.add(puzzle)
        else:
            self._wrong(puzzle, str(answer))

    def _wrong(self, puzzle: Grid, answer: str) -> None:
        self.result.wrong = self.result.wrong or f"wrong on {puzzle}: {answer}"


def _end(racers: Sequence[_Racer]) -> None:
    for racer in racers:
        racer.process.end()


def measure(
    puzzles: PuzzleSet,
    contestants: Sequence[Contestant],
    rounds: int = 5,
    seconds: float = 30,
    tell: Callable[[str], None] = lambda _what: None,
) -> SetResult:
    """What the contestants do with a set, each of them with so many seconds for all of it.

    In each round they take turns at the same share of the puzzles, one at work and the others
    asleep; who is slow does fewer of them, and who does not come back at all is stopped. `tell`
    hears what happens. Every answer is checked while no time is taken. All processes have ended
    when this returns or raises.
    """
    racers: list[_Racer] = []
    try:
        for contestant in contestants:
            racer = _Racer(contestant, puzzles, seconds)
            racers.append(racer)
            tell(f"{racer.result.contestant} warms up")
            racer.warm_up()
        shares = puzzles.rounds(rounds)
        for number, share in enumerate(shares):
            turn = number % len(racers)
            for racer in racers[turn:] + racers[:turn]:
                if racer.running:
                    tell(f"round {number + 1} of {len(shares)}: {racer.result.contestant}")
                    racer.race(share, seconds / len(shares))
        solved = set[Grid]().union(*(racer.solved for racer in racers))
        for racer in racers:
            for puzzle in racer.unsolved & solved:
                racer._wrong(puzzle, "no solution")
    finally:
        undisturbed(lambda: _end(racers))
    return SetResult(puzzles, [racer.result for racer in racers])
