"""The race: every contestant on the same puzzles, its answers checked.

In a process of its own a contestant solves many puzzles in a row, so it finds the caches of the
processor warm. In turns with all others in one process it finds them cold: this is how an
application meets a solver, since between two puzzles it does other things.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, median

from pylogic_sudoku import Grid
from pylogic_sudoku.engines.running import undisturbed

from .process import Ask, Done, Message, Process, Ready, Refused, Start
from .sets import PuzzleSet, trivial
from .solvers import Contestant

START = 60.0
"""Seconds for a contestant to load and to warm up, in addition to its time for the set."""

PATIENCE = 3
"""An answer may take this many times its processor time, because others use the processor too."""

IN_TURNS = ", in turns"
"""The end of the name of a set that was raced in this way."""


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
    in_turns: bool,
    rounds: int,
    timeout: float,
    cpu: bool,
) -> SetResult:
    """Race the contestants on a set; each has `timeout` seconds for all of it.

    With `cpu` these are seconds of processor time. In each round the contestants work one after the
    other on the same share of the puzzles, the others asleep; `in_turns` on each of its puzzles, in
    an order that differs from puzzle to puzzle and is the same in each run. A slow contestant
    solves fewer of them; one that does not answer is stopped. `report` gets what is going on.
    Answers are checked while no time is taken. All processes have ended when this returns or
    raises.
    """
    racers = [Racer(each, puzzles, timeout, cpu) for each in contestants]
    rooms = [_Room(racers)] if in_turns else [_Room([racer]) for racer in racers]
    chance = random.Random(puzzles.name)
    try:
        for room in rooms:
            report(f"{room} warming up")
            room.fill()
        shares = puzzles.rounds(rounds)
        for number, share in enumerate(shares):
            turn = number % len(rooms)
            for room in rooms[turn:] + rooms[:turn]:
                report(f"round {number + 1} of {len(shares)}: {room}")
                for racer in room.racers:
                    racer.begin_round(timeout / len(shares))
                for part in [[puzzle] for puzzle in share] if in_turns else [share]:
                    able = [racer for racer in room.racers if racer.in_round]
                    room.race(chance.sample(able, len(able)), part)
    finally:

        def end() -> None:
            for room in rooms:
                room.end()

        undisturbed(end)
    solved = set[Grid]().union(*(racer.solved for racer in racers))
    for racer in racers:  # who found no solution is wrong if somebody else did
        for puzzle in racer.unsolved & solved:
            racer.is_wrong(puzzle, "no solution")
    named = replace(puzzles, name=puzzles.name + IN_TURNS) if in_turns else puzzles
    return SetResult(named, [racer.result for racer in racers])


class _Room:
    """The process of some contestants, a new one if it is lost."""

    def __init__(self, racers: Sequence[Racer]) -> None:
        self.racers = racers
        self.process: Process | None = None

    def __str__(self) -> str:
        return ", ".join(racer.result.contestant for racer in self.racers)

    def fill(self) -> None:
        """Have all who still run warm up in a new process; lose only those who cannot."""
        self.end()
        process = self.process = Process()
        for racer in self.racers:
            if racer.running:
                racer.enter(process)
            if process.lost:
                self.fill()
                return

    def race(self, order: Sequence[Racer], puzzles: Sequence[Grid]) -> None:
        """Have them solve these puzzles one after the other; check their answers afterwards."""
        for racer in order:
            if racer.running and self.process:
                racer.work(self.process, puzzles)
                if self.process.lost:
                    self.fill()
        for racer in order:
            racer.check()

    def end(self) -> None:
        """Kill its process."""
        if self.process:
            self.process.end()


class Racer:
    """One contestant on its way through a set."""

    def __init__(
        self, contestant: Contestant, puzzles: PuzzleSet, seconds: float, cpu: bool
    ) -> None:
        self.contestant = contestant
        self.result = Result(contestant.name)
        self.solved: set[Grid] = set()
        self.unsolved: set[Grid] = set()
        self._set = puzzles
        self._cpu = cpu
        self._left = seconds
        self._patience = seconds * PATIENCE if cpu else seconds
        self._share = 0.0
        self._answers: list[tuple[Grid, Grid | None]] = []

    @property
    def running(self) -> bool:
        return not self.result.note and not self.result.wrong and self._left > 0

    @property
    def in_round(self) -> bool:
        """True if it has time left in this round."""
        return self.running and self._share > 0

    def enter(self, process: Process) -> None:
        """Load and warm up in this process."""
        puzzle = trivial(self._set.box)
        process.send(Start(self.contestant, puzzle))
        message = self._received(process, START + self._patience)
        if isinstance(message, Ready):
            self.result.version = message.version
            self._answers.append((puzzle, message.solution))
            self.check()

    def begin_round(self, share: float) -> None:
        """From now on it may begin puzzles until these seconds are over."""
        self._share = share
        self.result.rounds.append([])

    def work(self, process: Process, puzzles: Sequence[Grid]) -> None:
        """Solve these puzzles, until it fails or its share of the time is over."""
        process.send(Ask(self.contestant.name, puzzles, self._share, self._cpu))
        asked = iter(puzzles)
        while isinstance(message := self._received(process, self._patience), Done):
            self.result.rounds[-1] += message.seconds
            self._answers += [(next(asked), answer) for answer in message.answers]
            self._left -= sum(message.seconds)
            self._share -= sum(message.seconds)
            if message.finished:
                return

    def check(self) -> None:
        """Check what it has answered since the last time."""
        for puzzle, answer in self._answers:
            if answer is None:
                self.unsolved.add(puzzle)
            elif answer.is_solution_of(puzzle):
                self.solved.add(puzzle)
            else:
                self.is_wrong(puzzle, str(answer))
        self._answers = []

    def is_wrong(self, puzzle: Grid, answer: str) -> None:
        """Note that this answer is wrong."""
        self.result.wrong = self.result.wrong or f"wrong on {puzzle}: {answer}"

    def _received(self, process: Process, seconds: float) -> Message:
        message: Message = process.receive(seconds)
        if isinstance(message, Refused):
            self.result.note = message.why
        return message
