"""Results of programs: verdicts as a student may see them, and all of them as a `Report`.

A `Result` is one program on one instance, as `mark` makes it from a verdict. All formats of
`reports` use its words, so a student reads the same everywhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import Message, counted
from ..files import part_of
from .diagnosis import Place, plain, printable
from .verdict import NOT_RUN, WAYS, Verdict, worth

if TYPE_CHECKING:
    from ..draw import Picture
    from ..question import Question


class Part(NamedTuple):
    """A part of the words on a result, and the answer that it is about."""

    words: str
    lines: tuple[str, ...] = ()
    """The answer, for people; none if there is nothing to show."""
    rule: str = ""
    """The rule that the answer breaks, if any."""
    picture: Picture | None = None
    """The answer to its question; what is wrong is marked."""
    places: tuple[Place, ...] = ()
    """The places of the reason in the program, the most likely first."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Result(Verdict):
    """A verdict as a student may see it."""

    program: str
    path: str = ""
    """The file of the program, as the user has named it."""
    hidden: bool = False
    """True if it is without everything that reveals the instance."""
    timed: bool = True
    """False if it does not include the time of the program."""
    worth: float = 1
    """The points of a success."""
    part: float = 0
    """The part of them that is left for its way of failing."""
    counts: bool | None = True
    """False for a success on an instance without solutions if the program solves no other kind, as
    a program without any answer would; None if that is not known yet."""

    @property
    def points(self) -> float | None:
        """The points earned; None if they are not known yet."""
        if not self.passed:
            return round(self.worth * self.part, 4)
        return None if self.counts is None else self.worth if self.counts else 0

    @property
    def was_run(self) -> bool:
        """False if the grading was stopped before."""
        return self.way != "stopped"

    @property
    def cell(self) -> str:
        """The text for a table: the outcome, or that it was not run."""
        return self.outcome if self.was_run else NOT_RUN

    @property
    def how(self) -> str:
        """The kind of failure in a few words; ``a success`` if there is none."""
        return WAYS[self.way][1]

    @property
    def why_ungraded(self) -> str:
        """The reason why an instance is not graded, with its name."""
        return f"{self.instance}: {self.message or self.how}"

    @property
    def mistake(self) -> str:
        """The kind of its mistake in a few words; empty if the program made none."""
        # Of a program at fault, the mistake is that of the first instance.
        known = self.at_fault and not self.error
        if self.passed or not self.graded or not self.was_run or known:
            return ""
        if self.fault:
            return self.fault.mistake
        return self.error or self.how

    @property
    def text(self) -> str:
        """The whole report as text, with each answer on lines of its own."""
        lines = []
        for each in self.parts():
            lines += each.words.splitlines()
            below = (*each.lines, *map(str, each.places), *each.rule.splitlines())
            lines += [f"    {line}" for line in below]
        return "\n".join(lines)

    def parts(self) -> Iterator[Part]:
        """Yield the remarks, in the order in which they are shown."""
        if self.hidden and not self.passed:
            yield Part(f"a hidden instance: {self.how}")
        if self.question is not None:
            yield from self._of_answers(self.question)
        if why := self.diagnosis:
            yield Part(why.summary, places=why.places)
        if self.message:
            yield Part(self.message)
        if self.way == "timeout" and self.timed and not self.hidden:
            yield Part(f"{counted(self.answers, 'answer')} until then")

    def remarks(self) -> Iterator[tuple[str, Message]]:
        """Yield messages about the program with their places, each an error, a warning or a note.

        One without a line is about the whole program.
        """
        yield from (("error", self._named(each)) for each in self.errors)
        yield from (("warning", self._named(each)) for each in self.warnings)
        if self.passed or not self.was_run or (self.at_fault and not self.error):
            return
        why = self.diagnosis
        summary = why.summary if why else ""
        for number, place in enumerate(why.places if why else ()):
            words = (place.words or place.text) if number else summary
            message = Message(words, "", place.file, place.line, place.column or None)
            yield "note" if number else "error", self._named(message)
        if self.errors or (why and why.places):
            return
        words = summary if why and why.kind != "stopped" else ""
        words = words or (f"{self.instance}: {self.how}" if self.graded else self.why_ungraded)
        yield "error" if self.graded else "note", self._named(Message(words))

    def _named(self, message: Message) -> Message:
        """The message with the file as the user names it, beginning with that of the program."""
        own = self.path or self.program
        folder = os.path.dirname(own)
        if message.file in ("", own, os.path.basename(own)):
            return message._replace(file=own)
        if not os.path.dirname(message.file):
            if found := part_of(own, message.file):
                return message._replace(file=found)
            return message._replace(file=own, line=None, column=None)
        inside = os.path.relpath(message.file, os.path.realpath(folder))
        outside = inside.startswith(os.pardir)
        return message._replace(file=message.file if outside else os.path.join(folder, inside))

    def _of_answers(self, question: Question) -> Iterator[Part]:
        """Yield the remarks about answers to the question."""
        if (answer := self.missing_answer) is not None:
            words = plain(f"missing: {question.lacking(self.missing)}, such as")
            picture = question.drawn(answer, title="a missing solution")
            yield Part(words, _lines(question, answer), picture=picture)
        if (answer := self.extra_answer) is not None:
            answers = counted(self.answers, "answer")
            least = f"at least {self.extra} ({answers} until then)"
            number = f"{self.extra} of {answers}" if self.exhausted else least
            lines = _lines(question, answer)
            marks = self.fault.marks(answer, question) if self.fault else ()
            picture = question.drawn(answer, marks, self.rule) if lines else None
            yield Part(
                plain(f"extra: {number}{question.about}, such as"), lines, self.rule, picture
            )


def _lines(question: Question, answer: Any) -> tuple[str, ...]:
    return tuple(map(printable, question.lines(answer)))


_OF_ALL = tuple(each.name for each in fields(Verdict))
_OF_HIDDEN = ("way", "at_fault", "solvable")
"""The fields of a verdict on a hidden instance that are shown: the kind of failure. A program may
write all others, even its time, so that they tell what it has read. If it is at fault itself, the
message is shown too: until then it has not got the instance."""


def mark(
    program: str,
    verdict: Verdict,
    hidden_ones: Sequence[str] = (),
    *,
    points: Mapping[str, float] = MappingProxyType({}),
    times: bool = True,
    path: str = "",
) -> Result:
    """Return the result of a program; a hidden instance has its number among the hidden ones.

    `points` are those of `Grader.points`. All texts are made `plain` here, for every report.
    """
    hidden = verdict.instance in hidden_ones
    times = times and not hidden
    told = ("message", "error", "errors") if verdict.at_fault and verdict.error else ()
    names = (*_OF_HIDDEN, *told) if hidden else _OF_ALL
    facts = {name: getattr(verdict, name) for name in names}
    if hidden:
        facts["instance"] = f"hidden {hidden_ones.index(verdict.instance) + 1}"
    if facts.get("warnings") and not _may_matter(verdict):
        kept = (each for each in verdict.warnings if each.kind != _OF_TUPLES)
        facts["warnings"] = tuple(kept)
        facts["message"] = _SAYS_TUPLES.sub("", verdict.message).strip()
    facts |= {name: plain(text) for name, text in facts.items() if type(text) is str}
    for name in ("errors", "warnings"):
        facts[name] = tuple(map(_plain, facts.get(name, ())))
    if fault := facts.get("fault"):
        facts["fault"] = replace(fault, words=plain(fault.words), mistake=plain(fault.mistake))
    if not times:
        facts["milliseconds"] = 0
    return Result(
        **facts,
        program=printable(program),
        path=printable(path),
        hidden=hidden,
        timed=times,
        worth=worth(verdict, points),
        part=points.get(verdict.way, 0),
        counts=True if verdict.solvable or verdict.way else None,
    )


_OF_TUPLES = "global-variable"
_SAYS_TUPLES = re.compile(
    r"^.*: info: global variable in tuple of aggregate element:\n.*\n?", re.MULTILINE
)
"""The words of clingo on a variable in an aggregate, which is a mistake only at times."""


def _may_matter(verdict: Verdict) -> bool:
    """True if a variable of an aggregate that has a value before may be the mistake."""
    if verdict.passed:
        return False
    named = {place.line for place in verdict.diagnosis.places} if verdict.diagnosis else set()
    lines = {each.line for each in verdict.warnings if each.kind == _OF_TUPLES}
    return not named or not named.isdisjoint(lines)


def _plain(message: Message) -> Message:
    file, text, cure = printable(message.file), plain(message.text), plain(message.cure)
    return message._replace(file=file, text=text, cure=cure)


@dataclass(frozen=True)
class Report:
    """All results, of one program or of many, each with the same instances."""

    results: tuple[Result, ...]
    title: str = "Sudoku"
    incomplete: str = ""
    """Why not all was graded, such as ``interrupted after 2 of 5 instances``; empty if it was."""
    with_points: bool = False
    """True if points were set, so that it shows them."""

    def __post_init__(self) -> None:
        solved = {each.program for each in self.results if each.passed and each.solvable}
        graded = {each.program for each in self.results if each.graded and each.solvable}
        hollow = graded - solved
        results = (
            each if each.solvable or each.way else replace(each, counts=each.program not in hollow)
            for each in self.results
        )
        object.__setattr__(self, "results", tuple(results))

    @cached_property
    def programs(self) -> dict[str, Report]:
        """A report on each program; it may be complete though this one is not."""
        by_program: dict[str, list[Result]] = {}
        for result in self.results:
            by_program.setdefault(result.program, []).append(result)
        return {
            name: replace(
                self,
                results=tuple(results),
                incomplete="" if all(each.was_run for each in results) else self.incomplete,
            )
            for name, results in by_program.items()
        }

    @property
    def instances(self) -> list[str]:
        """The names of the instances, in their order."""
        return list(dict.fromkeys(result.instance for result in self.results))

    @property
    def successes(self) -> int:
        """The number of successes that count."""
        return sum(result.passed and bool(result.counts) for result in self.results)

    @property
    def graded(self) -> int:
        """The greatest possible number of successes: the programs are not to blame for the rest."""
        return sum(result.graded for result in self.results)

    @property
    def points(self) -> float:
        """The points earned by all programs."""
        return round(sum(result.points or 0 for result in self.results), 4)

    @property
    def worth(self) -> float:
        """The points that all programs could earn."""
        return round(sum(result.worth for result in self.results), 4)

    @property
    def fraction(self) -> float:
        """The part of the points that was earned, from 0 to 1; 0 if there are none to earn."""
        return round(self.points / self.worth, 6) if self.worth else 0

    @property
    def score(self) -> str:
        """The points as text, such as ``3/5``."""
        return f"{number_text(self.points)}/{number_text(self.worth)}"

    @property
    def passed(self) -> bool:
        """True if every result is a success, and all was graded."""
        return not self.incomplete and all(result.passed for result in self.results)

    @property
    def verdict(self) -> str:
        """``SUCCESS`` or ``FAILURE``.

        It is ``INCOMPLETE`` if the run was stopped, and ``NOT GRADED`` if only instances or
        references are at fault.
        """
        if self.incomplete:
            return "INCOMPLETE"
        if self.passed:
            return "SUCCESS"
        blameless = all(each.passed or not each.graded for each in self.results)
        return "NOT GRADED" if blameless else "FAILURE"

    @property
    def summary(self) -> str:
        """The number of instances that each program solved; for several, how many solved all."""
        begin = f"{self.verdict}: {self.incomplete}; " if self.incomplete else ""
        if len(self.programs) > 1:
            right = sum(each.passed for each in self.programs.values())
            return f"{begin}{right} of {len(self.programs)} programs passed"
        number = len(self.results)
        more = f", {number - self.graded} not graded" if self.graded < number else ""
        if self.with_points:
            more += f", points: {self.score}"
        return f"{begin}{self.successes} of {number} passed{more}"

    @property
    def hollow(self) -> str:
        """A sentence about successes that do not count; empty if there are none."""
        number = sum(each.passed and not each.counts for each in self.results)
        if len(self.programs) > 1 or not number:
            return ""
        return (
            f"not counted: {counted(number, 'instance')} without solutions, since the program"
            " passes none that has some"
        )

    @property
    def common(self) -> Iterator[tuple[str, ...]]:
        """The instances at fault with the reason, and the mistakes of several programs.

        Each is one or two lines; the most frequent mistakes are first.
        """
        if len(self.programs) == 1:
            return
        yield from dict.fromkeys((each.why_ungraded,) for each in self.results if not each.graded)
        by_mistake: dict[str, list[Result]] = {}
        for result in self.results:
            if result.mistake:
                by_mistake.setdefault(result.mistake, []).append(result)
        shared = [
            (list(dict.fromkeys(each.program for each in results)), mistake, results)
            for mistake, results in by_mistake.items()
        ]
        for programs, mistake, results in sorted(shared, key=lambda each: -len(each[0])):
            if len(programs) > 1:
                where = ", ".join(dict.fromkeys(each.instance for each in results))
                yield f"{len(programs)} programs: {mistake} ({where})", ", ".join(programs)


def number_text(number: float) -> str:
    """Return the number without needless zeros."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
