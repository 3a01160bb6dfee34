"""The result of one program on one instance: the value that every table and report is made from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from ..draw import Picture
from ..grid import Grid
from ._pictures import picture
from ._points import Points
from ._verdict import Outcome, Verdict

__all__ = ["Marker", "Part", "Report", "Result", "number_text", "plain"]

NOT_RUN = "not run"
_WAYS = {
    "": "a success",
    "wrong": "an answer is wrong",
    "nothing": "there is no answer, but there are solutions",
    "missing": "solutions are missing",
    "symmetric": "solutions are missing that are answers turned, mirrored or with other digits",
    "timeout": "out of time",
    "error": "an error",
    "stopped": NOT_RUN,
}
_COUNTED = (
    (re.compile(r"; [^;\n]* until then"), ""),
    (re.compile(r"^at least \d+ answers, but only [^:\n]*:", re.MULTILINE), "answers come again:"),
    (re.compile(r"^\d+ of them break no rule", re.MULTILINE), "some of them break no rule"),
)
"""What a message counts until the clock stops a run, and what is said in its place."""


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
        shown = _drawn(verdict.missing_grid, verdict, "", "a missing solution")
        yield Part(said, verdict.missing_grid, "", shown)
    if verdict.extra_grid:
        grid = verdict.extra_grid if verdict.extra_grid.givens else None
        rule = plain(verdict.rule)
        shown = _drawn(grid, verdict, rule, "") if grid else None
        yield Part(_extra(verdict, result.timed), grid, rule, shown)
    message = verdict.message
    if verdict.cut and not result.timed:
        for counted, steady in _COUNTED:
            message = counted.sub(steady, message)
    if message:
        yield Part(plain(message))


def _extra(verdict: Verdict, timed: bool) -> str:
    extra, number = verdict.extra, verdict.answers
    if verdict.cut and not timed:
        return "extra: at least 1, such as"
    answers = "1 answer" if number == 1 else f"{number} answers"
    exact, least = f"{extra} of {answers}", f"at least {extra} ({answers} until then)"
    return f"extra: {exact if verdict.exhausted else least}, such as"


def _drawn(grid: Grid, verdict: Verdict, rule: str, title: str) -> Picture | None:
    return picture(grid, verdict.puzzle, rule, title) if verdict.puzzle is not None else None


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
            verdict = replace(verdict, message=_renamed(verdict.message, shown))
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
        puzzle=None,
    )


def _renamed(message: str, shown: dict[str, str]) -> str:
    """Return the message without the name of a hidden instance, to which it may refer."""
    for name, number in shown.items():
        message = message.replace(f"see {name}", f"see {number}")
    return message


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
