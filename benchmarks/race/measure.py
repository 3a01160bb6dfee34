"""The race: every contestant on the same puzzles, in a process of its own, its answers checked.

A contestant solves many puzzles in a row, so it finds the caches of the processor warm; `turns` is
for cold ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
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
    *,
    cpu: bool = False,
) -> SetResult:
    """Race the contestants on a set; each has this number of seconds for all of it.

    With `cpu` these are seconds of processor time. In each round the contestants take turns at the
    same share of the puzzles, one at work and the others asleep. A slow contestant solves fewer of
    them; one that does not answer is stopped. `report` gets what is going on. Answers are checked
    while no time is taken. All processes have ended when this returns or raises.
    """
    racers: list[Racer] = []
    processes: list[Process] = []
    try:
        for contestant in contestants:
            report(f"{contestant.name} warms up")
            racers.append(racer := Racer(contestant, puzzles, seconds, cpu))
            processes.append(process := Process())
            racer.enter(process)
        shares = puzzles.rounds(rounds)
        for number, share in enumerate(shares):
            turn = number % len(racers)
            for racer in racers[turn:] + racers[:turn]:
                if racer.running:
                    report(f"round {number + 1} of {len(shares)}: {racer.result.contestant}")
                    racer.begin_round(seconds / len(shares))
                    racer.ask(share)
                    racer.wait()
                    racer.check()
    finally:
        end(processes)
    return checked(puzzles, racers)


def end(processes: Iterable[Process]) -> None:
    """Kill these processes."""

    def each() -> None:
        for process in processes:
            process.end()

    undisturbed(each)


def checked(puzzles: PuzzleSet, racers: Sequence[Racer]) -> SetResult:
    """Return the results; who found no solution is wrong if somebody else did."""
    solved = set[Grid]().union(*(racer.solved for racer in racers))
    for racer in racers:
        for puzzle in racer.unsolved & solved:
            racer.is_wrong(puzzle, "no solution")
    return SetResult(puzzles, [racer.result for racer in racers])


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
        self._asked: Sequence[Grid] = ()
        self._answers: list[Grid | None] = []

    @property
    def running(self) -> bool:
        return not self.result.note and not self.result.wrong and self._left > 0

    @property
    def in_round(self) -> bool:
        """True if it has time left in this round."""
        return self.running and self._share > 0

    def enter(self, process: Process) -> None:
        """Load and warm up in this process, where it works from now on."""
        self._process, self._number = process, process.ready
        puzzle = trivial(self._set.box)
        process.send(Start(self.contestant, puzzle, self._cpu))
        message = self._receive(START + self._patience)
        if isinstance(message, Ready):
            process.ready += 1
            self.result.version = message.version
            self._check(puzzle, message.solution)

    def begin_round(self, share: float) -> None:
        """From now on it may begin puzzles until these seconds are over."""
        self._share = share
        self.result.rounds.append([])

    def ask(self, puzzles: Sequence[Grid]) -> None:
        """Send it puzzles; `wait` has to follow."""
        self._asked, self._answers = puzzles, []
        self._process.send(Ask(self._number, puzzles, self._share))

    def wait(self) -> None:
        """Wait until it has solved them, or until it fails."""
        finished = False
        while not finished and not self.result.note:
            message = self._receive(self._patience)
            if isinstance(message, Done):
                self.result.rounds[-1] += message.seconds
                self._answers += message.answers
                self._left -= sum(message.seconds)
                self._share -= sum(message.seconds)
                finished = message.finished

    def check(self) -> None:
        """Check its answers to the puzzles that it was sent last."""
        for puzzle, answer in zip(self._asked, self._answers, strict=False):
            self._check(puzzle, answer)

    def is_wrong(self, puzzle: Grid, answer: str) -> None:
        """Note that this answer is wrong."""
        self.result.wrong = self.result.wrong or f"wrong on {puzzle}: {answer}"

    def _receive(self, seconds: float) -> Message:
        message: Message = self._process.receive(seconds)
        if isinstance(message, Refused):
            self.result.note = message.why
        return message

    def _check(self, puzzle: Grid, answer: Grid | None) -> None:
        if answer is None:
            self.unsolved.add(puzzle)
        elif answer.is_solution_of(puzzle):
            self.solved.add(puzzle)
        else:
            self.is_wrong(puzzle, str(answer))
