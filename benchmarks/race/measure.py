"""The race: every contestant on the same puzzles, its answers checked.

In a process of its own a contestant solves many puzzles in a row, so it finds the caches of the
processor warm. (The study asks its contestants in turns, so they find them cold.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median

from pylogic_sudoku import Grid
from pylogic_sudoku.running.workers import defer_signals

from .process import Ask, Done, Message, Process, Ready, Refused, Start
from .sets import PuzzleSet, trivial
from .solvers import Contestant

START = 60.0
"""Seconds for a contestant to load and to warm up, in addition to its time for the set."""

PATIENCE = 3
"""An answer may take this many times its processor time, because others use the processor too."""


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
    report: Callable[[str], object],
    *,
    rounds: int,
    timeout: float,
    cpu: bool,
) -> SetResult:
    """Race the contestants on a set; each has `timeout` seconds for all of it.

    With `cpu` these are seconds of processor time. In each round the contestants work one after the
    other on the same share of the puzzles, the others asleep. A slow contestant solves fewer of
    them; one that does not answer is stopped. `report` gets what is going on. Answers are checked
    while no time is taken. All processes have ended when this returns or raises.
    """
    racers = [Racer(each, puzzles, timeout, cpu) for each in contestants]
    try:
        for racer in racers:
            report(f"{racer.result.contestant} warming up")
            racer.warm_up()
        shares = puzzles.rounds(rounds)
        for number, share in enumerate(shares):
            turn = number % len(racers)
            for racer in racers[turn:] + racers[:turn]:
                report(f"round {number + 1} of {len(shares)}: {racer.result.contestant}")
                racer.work(share, timeout / len(shares))
    finally:

        def end() -> None:
            for racer in racers:
                racer.process.end()

        defer_signals(end)
    solved = set[Grid]().union(*(racer.solved for racer in racers))
    for racer in racers:  # who found no solution is wrong if somebody else did
        for puzzle in racer.unsolved & solved:
            racer.is_wrong(puzzle, "no solution")
    return SetResult(puzzles, [racer.result for racer in racers])


class Racer:
    """One contestant on its way through a set, in a process of its own."""

    def __init__(
        self, contestant: Contestant, puzzles: PuzzleSet, seconds: float, cpu: bool
    ) -> None:
        self.result = Result(contestant.name)
        self.process = Process()
        self.solved: set[Grid] = set()
        self.unsolved: set[Grid] = set()
        self._contestant = contestant
        self._warm_up = trivial(puzzles.box)
        self._cpu = cpu
        self._patience = seconds * PATIENCE if cpu else seconds

    def warm_up(self) -> None:
        """Load, and solve an easy puzzle."""
        self.process.send(Start(self._contestant, self._warm_up))
        message = self._received(START + self._patience)
        if isinstance(message, Ready):
            self.result.version = message.version
            self._check(self._warm_up, message.solution)

    def work(self, puzzles: Sequence[Grid], seconds: float) -> None:
        """Solve these puzzles, until it fails or its time is over; check its answers."""
        self.result.rounds.append([])
        if self.result.note or self.result.wrong:
            return
        self.process.send(Ask(puzzles, seconds, self._cpu))
        answers: list[Grid | None] = []
        while isinstance(message := self._received(self._patience), Done):
            self.result.rounds[-1] += message.seconds
            answers += message.answers
            if message.finished:
                break
        for puzzle, answer in zip(puzzles, answers, strict=False):
            self._check(puzzle, answer)

    def is_wrong(self, puzzle: Grid, answer: str) -> None:
        """Note that this answer is wrong."""
        self.result.wrong = self.result.wrong or f"wrong on {puzzle}: {answer}"

    def _check(self, puzzle: Grid, answer: Grid | None) -> None:
        if answer is None:
            self.unsolved.add(puzzle)
        elif answer.is_solution_of(puzzle):
            self.solved.add(puzzle)
        else:
            self.is_wrong(puzzle, str(answer))

    def _received(self, seconds: float) -> Message:
        message: Message = self.process.receive(seconds)
        if isinstance(message, Refused):
            self.result.note = message.why
        return message
