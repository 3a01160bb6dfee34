"""The result of one program on one instance: the value that every table and report is made from.

A `Report` has the results of all programs, and knows what they have in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from ..draw import Highlight, Picture, mistakes
from ..errors import InvalidPuzzle, counted
from ..grid import Grid
from ..puzzle import Puzzle
from ._answers import Fault
from ._verdict import AT_FAULT, Outcome, Points, Verdict, Way

__all__ = ["NOT_RUN", "Marker", "Part", "Report", "Result", "Shared", "number_text"]

NOT_RUN = "not run"
_WAYS: dict[Way, str] = {
    "": "a success",
    "wrong": "an answer is wrong",
    "nothing": "there is no answer, but there are solutions",
    "missing": "solutions are missing",
    "symmetric": "solutions are missing that are answers turned, mirrored or with other digits",
    "timeout": "out of time",
    "error": "an error",
    "stopped": NOT_RUN,
}
_PLACE = re.compile(r"^(\w+: *)?\S+:\d+:\d+(-\d+(:\d+)?)?: (error: )?")
"""The place in a program with which an engine begins its message."""


class Part(NamedTuple):
    """A part of the words on a result, and the grid that it is about."""

    words: str
    grid: Grid | None = None
    """None if there is nothing to show."""
    rule: str = ""
    """The rule that the grid breaks, if any."""
    picture: Picture | None = None
    """The grid in its puzzle; what is wrong is marked."""


@dataclass(frozen=True, slots=True)
class Result:
    """One program on one instance, as a student may see it."""

    program: str
    verdict: Verdict
    points: float
    """The points earned."""
    worth: float
    """The points that can be earned."""
    hidden: bool = False
    """True if the verdict is without everything that tells the instance."""
    timed: bool = True
    """False if nothing in it depends on the clock."""

    @property
    def instance(self) -> str:
        """Its name; a hidden one has a number."""
        return self.verdict.instance

    @property
    def outcome(self) -> Outcome:
        """``success``, ``failure``, ``timeout`` or ``error``."""
        return self.verdict.outcome

    @property
    def passed(self) -> bool:
        """True for a success."""
        return self.verdict.passed

    @property
    def was_run(self) -> bool:
        """False if the grading was stopped before."""
        return self.verdict.way != "stopped"

    @property
    def cell(self) -> str:
        """What a table says of it: the outcome, or that it was not run."""
        return self.outcome if self.was_run else NOT_RUN

    @property
    def way(self) -> str:
        """How it failed, in a few words; ``a success`` if it did not."""
        return _WAYS[self.verdict.way] if self.verdict.graded else "not graded"

    @property
    def mistake(self) -> str:
        """The kind of its mistake in a few words; empty if the program made none."""
        verdict = self.verdict
        # Of a program that was not run, the mistake is that of another instance.
        if self.passed or not verdict.graded or not self.was_run or verdict.see:
            return ""
        if verdict.fault:
            return verdict.fault.mistake
        if verdict.way == "error" and verdict.message:
            return _PLACE.sub("", verdict.message.splitlines()[0])
        return self.way

    @property
    def seconds(self) -> float | None:
        """The time of the run; None if times are not to be shown."""
        return self.verdict.milliseconds / 1000 if self.timed else None

    @property
    def score(self) -> str:
        """The points as text, such as ``5/10``."""
        return f"{number_text(self.points)}/{number_text(self.worth)}"

    @property
    def parts(self) -> list[Part]:
        """What there is to say, in the order in which it is shown."""
        return list(_parts(self))

    @property
    def words(self) -> str:
        """What there is to say, without grids; empty for a success without remarks."""
        lines = (f"{each.words} {each.rule}".strip() for each in self.parts)
        return "\n".join(lines)

    @property
    def text(self) -> str:
        """What there is to say, with grids in plain text, on lines of their own."""
        lines = []
        for each in self.parts:
            lines += each.words.splitlines()
            below = each.grid.format("pretty").splitlines() if each.grid else []
            lines += [f"    {line}" for line in (*below, *each.rule.splitlines())]
        return "\n".join(lines)

    @property
    def reason(self) -> str:
        """What is wrong, on one line; empty for a success."""
        verdict = self.verdict
        if verdict.way in ("wrong", "nothing"):
            return plain(verdict.rule) or self.way
        if verdict.way in ("missing", "symmetric"):
            return f"{self.way}: {verdict.missing}" if verdict.missing else self.way
        if self.passed:
            return ""
        # The last part is the message; a hidden instance has one only if the program is at fault.
        message = self.parts[-1].words if self.parts else ""
        return message.partition("\n")[0] or self.way

    @property
    def picture(self) -> Picture | None:
        """The first picture: a wrong answer with what is wrong, or a missing solution."""
        return next((each.picture for each in reversed(self.parts) if each.picture), None)


def _parts(result: Result) -> Iterator[Part]:
    verdict = result.verdict
    if result.hidden:
        if not verdict.passed:
            yield Part(f"a hidden instance: {result.way}")
        if verdict.flawed:
            yield Part(plain(verdict.message))
        return
    if verdict.missing_grid:
        said = f"missing: {verdict.missing} of the reference solutions, such as"
        shown = _drawn(verdict.missing_grid, verdict, None, "a missing solution")
        yield Part(said, verdict.missing_grid, "", shown)
    if verdict.extra_grid:
        grid = verdict.extra_grid if verdict.extra_grid.givens else None
        rule = plain(verdict.rule)
        shown = _drawn(grid, verdict, verdict.fault, rule) if grid else None
        yield Part(_extra(verdict, result.timed), grid, rule, shown)
    message = verdict.message if result.timed else verdict.steady or verdict.message
    if message:
        yield Part(plain(message))


def _extra(verdict: Verdict, timed: bool) -> str:
    extra = verdict.extra
    if verdict.cut and not timed:
        return "extra: at least 1, such as"
    answers = counted(verdict.answers, "answer")
    exact, least = f"{extra} of {answers}", f"at least {extra} ({answers} until then)"
    return f"extra: {exact if verdict.exhausted else least}, such as"


def _drawn(grid: Grid, verdict: Verdict, fault: Fault | None, title: str) -> Picture | None:
    """Return the grid in its puzzle, with what is wrong; None if it cannot be drawn."""
    if verdict.puzzle is None:
        return None
    marks = _marks(grid, verdict.puzzle, fault) if fault else ()
    try:
        return Picture(grid, verdict.puzzle, highlights=marks, title=title)
    except InvalidPuzzle:  # a rule of the teacher's own
        return None


def _marks(grid: Grid, puzzle: Grid | Puzzle, fault: Fault) -> tuple[Highlight, ...]:
    """Return what shows the fault: of a digit that is there twice, the two cells and the house."""
    if fault.duplicate:
        names = fault.duplicate.houses
        cells = (cell for house in puzzle.houses if str(house) in names for cell in house.cells)
        return (
            Highlight(fault.words, "conflict", fault.duplicate.cells),
            Highlight(", ".join(names), "house", tuple(cells)),
        )
    if fault.empty:
        empty = tuple(cell for cell in grid.cells if not grid[cell])
        return (Highlight("empty", "difference", empty),)
    return mistakes(grid, puzzle)[:1]


def plain(text: str) -> str:
    """Return lines in which a program can fake neither a verdict nor terminal control codes."""
    lines = (line.expandtabs() for line in text.splitlines())
    return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in lines)


def number_text(number: float) -> str:
    """Return the number without needless zeros."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


class Marker:
    """Turns verdicts into results.

    The verdicts on a program come in the order of the instances, and hidden ones are numbered so.
    """

    def __init__(self, points: Points, times: bool = True, show_hidden: bool = False) -> None:
        self.points = points
        self._times = times
        self._show = show_hidden

    def results(self, program: str, verdicts: Iterable[Verdict]) -> Iterator[Result]:
        """Yield the results of one program, as its verdicts come."""
        shown: dict[str, str] = {}
        for verdict in verdicts:
            name = verdict.instance
            points, worth = self.points.earned(verdict), self.points.worth(verdict)
            hidden = name in self.points.hidden and not self._show
            if verdict.see in shown:
                see = shown[verdict.see]
                verdict = replace(verdict, message=AT_FAULT.format(see), see=see)
            if not self._times:
                verdict = replace(verdict, milliseconds=0)
            if hidden:
                shown[name] = f"hidden {len(shown) + 1}"
                verdict = _redacted(verdict, shown[name])
            yield Result(program, verdict, points, worth, hidden, self._times)


def _redacted(verdict: Verdict, name: str) -> Verdict:
    return replace(
        verdict,
        instance=name,
        answers=0,
        missing=0,
        extra=0,
        missing_grid=None,
        extra_grid=None,
        rule="",
        message=verdict.message if verdict.flawed else "",
        steady="",
        puzzle=None,
        fault=None,
    )


class Shared(NamedTuple):
    """A mistake, and who makes it."""

    mistake: str
    programs: tuple[str, ...]
    instances: tuple[str, ...]
    """Where at least one of them makes it."""


@dataclass(frozen=True)
class Report:
    """All results, of one program or of many, each with the same instances."""

    results: tuple[Result, ...]
    title: str = "Sudoku"
    with_points: bool = False
    """True if points were set; a table of several programs always has them."""
    incomplete: str = ""
    """Why not all was graded, such as ``interrupted after 2 of 5 instances``; empty if it was."""

    @cached_property
    def programs(self) -> dict[str, tuple[Result, ...]]:
        """The results of each program, in their order."""
        found: dict[str, list[Result]] = {}
        for result in self.results:
            found.setdefault(result.program, []).append(result)
        return {name: tuple(results) for name, results in found.items()}

    @property
    def instances(self) -> list[str]:
        """The names of the instances, in their order."""
        return list(dict.fromkeys(result.instance for result in self.results))

    @property
    def points(self) -> float:
        """The points earned by all programs."""
        return round(sum(result.points for result in self.results), 4)

    @property
    def worth(self) -> float:
        """The points that all programs could earn."""
        return round(sum(result.worth for result in self.results), 4)

    @property
    def fraction(self) -> float:
        """The part of the points that was earned, from 0 to 1; 0 if there are none to earn."""
        return round(self.points / self.worth, 6) if self.worth else 0.0

    @property
    def score(self) -> str:
        """The points as text, such as ``15/20``."""
        return f"{number_text(self.points)}/{number_text(self.worth)}"

    @property
    def passed(self) -> bool:
        """True if every result is a success, and all was graded."""
        return not self.incomplete and all(result.passed for result in self.results)

    @property
    def verdict(self) -> str:
        """``SUCCESS``, ``FAILURE``, or ``INCOMPLETE`` if not all was graded."""
        return "INCOMPLETE" if self.incomplete else "SUCCESS" if self.passed else "FAILURE"

    @property
    def summary(self) -> str:
        """How many instances each program solved; for several, how many solved all."""
        begin = f"{self.verdict}: {self.incomplete}; " if self.incomplete else ""
        if len(self.programs) > 1:
            right = sum(all(each.passed for each in found) for found in self.programs.values())
            return f"{begin}{right} of {len(self.programs)} programs passed"
        passed = sum(result.passed for result in self.results)
        ungraded = sum(not result.verdict.graded for result in self.results)
        more = f", {ungraded} not graded" if ungraded else ""
        return f"{begin}{passed} of {len(self.results)} passed{more}"

    def only(self, program: str) -> Report:
        """Return the report on one program, which may be complete though this one is not."""
        results = self.programs[program]
        incomplete = "" if all(result.was_run for result in results) else self.incomplete
        return replace(self, results=results, incomplete=incomplete)

    @property
    def not_graded(self) -> dict[str, str]:
        """The instances that are themselves at fault, with the reason."""
        return {each.instance: each.words for each in self.results if not each.verdict.graded}

    @property
    def shared(self) -> list[Shared]:
        """The kinds of mistakes that two programs or more make, the most frequent first."""
        found: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
        for result in self.results:
            if mistake := result.mistake:
                programs, instances = found.setdefault(mistake, ({}, {}))
                programs[result.program] = instances[result.instance] = None
        several = [
            Shared(mistake, tuple(programs), tuple(filter(instances.__contains__, self.instances)))
            for mistake, (programs, instances) in found.items()
            if len(programs) > 1
        ]
        return sorted(several, key=lambda each: -len(each.programs))

    @property
    def same_throughout(self) -> list[tuple[str, ...]]:
        """The programs whose mistakes are the same on every instance, in groups of two or more.

        Programs without a mistake are in no group, nor those that are only slow.
        """
        groups: dict[tuple[str, ...], list[str]] = {}
        for program, results in self.programs.items():
            if any(each.mistake and each.verdict.way != "timeout" for each in results):
                groups.setdefault(tuple(each.mistake for each in results), []).append(program)
        return [tuple(group) for group in groups.values() if len(group) > 1]
