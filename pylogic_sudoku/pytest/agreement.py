"""The agreement of programs, and properties of all answers, as values for an assert.

`agree` and `holds` return a `Verdict`, which is false if a test should fail. The plugin adds the
text of a false one to the message of the assert, and sets `Running.limits` to those of the test.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path
from types import EllipsisType
from typing import Any, ClassVar, NamedTuple

from ..errors import InvalidProblem, SolveTimeout, counted, listed, shortened, shown
from ..problem import Answer, Instance
from ..problem.folder import Problem
from ..questions import solutions
from ..questions.comparison import Comparison, by_size, compare, solution_text
from .stash import roots

__all__ = ["Agreement", "Limits", "Property", "Running", "Verdict", "agree", "holds"]

LIMIT = 50
"""Answers that each program is asked for, unless a test has another limit."""
SMALL = 20
"""Answers of each program that a diff shows, at most."""
FACTS = 500
"""Characters of the facts of an instance that a message shows."""


class Limits(NamedTuple):
    """The programs that a test compares, and the limits of their engines."""

    programs: tuple[str, ...] = ()
    limit: int | None = LIMIT
    timeout: float | None = None
    source: str = ""
    """The origin of the timeout: an option, or an argument of a mark."""


class Running:
    """The state of the test that runs in this process."""

    limits: ClassVar[Limits] = Limits()
    failed: ClassVar[Verdict | None] = None
    """The last verdict that was false."""


class Verdict(ABC):
    """A result that is true or false; ``str`` of it has all details, ``repr`` one line."""

    @abstractmethod
    def _is_right(self) -> bool:
        """True if the test should pass."""

    @abstractmethod
    def lines(self, diff: Callable[[object, object], list[str]] | None = None) -> Iterator[str]:
        """The details, a line each; `diff` returns the lines that show how two sets differ."""

    def __bool__(self) -> bool:
        if self._is_right():
            return True
        Running.failed = self
        return False

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<{shortened(next(self.lines()))}>"


class Agreement(Verdict):
    """The comparison of programs on an instance: true if all finished, and found the same."""

    def __init__(self, comparison: Comparison[Instance, Answer], limits: Limits) -> None:
        self.comparison = comparison
        """The `Comparison`, as `compare` returns it."""
        self._limits = limits

    def _is_right(self) -> bool:
        return self.comparison.agree

    def lines(self, diff: Callable[[object, object], list[str]] | None = None) -> Iterator[str]:
        comparison = self.comparison
        yield f"{place(comparison.puzzle)}: {comparison.summary}"
        if comparison.puzzle.name:
            yield f"  instance: {shortened(str(comparison.puzzle) or 'no facts', FACTS)}"
        for name, answer in comparison.answers.items():
            yield f"  {name}: {answer.number}"
        for each in comparison.differences:
            yield f"  {each}"
        if comparison.timed_out:
            yield f"  {limit_text(self._limits)}"
        sets = [answer.solutions for answer in comparison.answers.values()]
        small = all(len(each) <= SMALL for each in sets)
        if diff and small and len(sets) == 2 and sets[0] != sets[1]:
            left, right = ({str(answer) for answer in each} for each in sets)
            yield f"  {' == '.join(comparison.answers)}:"
            yield from (f"    {line}" for line in diff(left, right)[1:] if line)  # not both sets


class Property(Verdict):
    """The answers of a program that lack a property: true if there are none."""

    def __init__(
        self, instance: Instance, backend: str, number: int, lacking: dict[Answer, str]
    ) -> None:
        self.instance = instance
        self.backend = backend
        self.number = number
        """The number of answers that were looked at."""
        self.lacking = lacking
        """The answers without the property, each with the message of its assert or nothing."""

    def _is_right(self) -> bool:
        return not self.lacking

    def lines(self, diff: Callable[[object, object], list[str]] | None = None) -> Iterator[str]:
        where, number = place(self.instance), counted(self.number, "answer")
        if not self.lacking:
            yield f"{where}: each of {number} of {self.backend} has the property"
            return
        few = len(self.lacking)
        yield f"{where}: {few} of {number} of {self.backend} {_lack(few)} the property"
        if self.instance.name:
            yield f"  instance: {shortened(str(self.instance) or 'no facts', FACTS)}"
        answer = min(self.lacking, key=by_size)
        yield f"  the smallest one: {shortened(solution_text(answer), FACTS)}"
        if why := self.lacking[answer]:
            yield from (f"    {line}" for line in why.splitlines())


def _lack(number: int) -> str:
    return "lacks" if number == 1 else "lack"


def place(instance: Instance) -> str:
    """The problem and the instance, at the head of a message."""
    return f"{instance.problem.name}, {shortened(instance.label, 100)}"


def limit_text(limits: Limits) -> str:
    """A sentence about the time limit and its origin."""
    return f"the limit of {limits.timeout:g} s is that of {limits.source}"


def agree(
    instance: Instance,
    *programs: str,
    limit: int | EllipsisType | None = ...,
    timeout: float | EllipsisType | None = ...,
) -> Agreement:
    """Compare programs on an instance, for an assert.

    A program whose time runs out is not in agreement, even if it accepts what the others found.

    Args:
        instance: An instance of a `Problem`.
        programs: The names of two or more programs, such as ``"prolog:talks_next"``. With a single
            one, it is compared with the first of the folder. Without any, they are those of the
            mark; or else clingo and prolog if the folder has both, or all that it has.
        limit: The most answers that each program is asked for; None means all. Without it, that of
            the mark, or 50. Beyond it, each must accept what the others found.
        timeout: In seconds, over 0, for each program; None means none. Without it, that of the mark
            or of the option ``--logic-timeout``.

    Raises:
        SolveTimeout: If the time of a program runs out and there is no answer to confirm.
        BackendUnavailable: If an engine cannot be used here.
        BackendFailure: If an engine breaks, for instance because a program ends its process.
        InvalidProblem: If there is no such program, or just one to compare.
    """
    __tracebackhide__ = True
    limits = limits_of(limit, timeout)
    names = compared(_instance(instance, "agree"), programs or limits.programs)
    return agreement_of(instance, names, limits)


def agreement_of(instance: Instance, names: tuple[str, ...], limits: Limits) -> Agreement:
    """Compare these programs within these limits."""
    try:
        comparison = compare(instance, names, limits.limit, limits.timeout)
    except SolveTimeout as error:
        raise located(error, limits) from None
    return Agreement(comparison, limits)


def holds(
    instance: Instance,
    backend: str,
    has_property: Callable[[Answer], object],
    limit: int | None = None,
    timeout: float | EllipsisType | None = ...,
) -> Property:
    """Look for answers without a property, for an assert.

    All answers are looked at, so that the smallest one without it is known. There may be none to
    look at, and then the property holds.

    Args:
        instance: An instance of a `Problem`.
        backend: The name of a program.
        has_property: A function of an `Answer`. It returns True or False; an assert that fails in
            it counts as False, and its message is shown.
        limit: The most answers that are looked at; None means all.
        timeout: In seconds, over 0; None means none. Without it, that of the mark or of
            ``--logic-timeout``.

    Raises:
        SolveTimeout: If the time is used up.
        BackendUnavailable: If the engine cannot be used here.
        BackendFailure: If the engine breaks.
        TypeError: If the function returns None.
    """
    __tracebackhide__ = True
    limits = limits_of(..., timeout)
    lacking: dict[Answer, str] = {}
    number = 0
    try:
        for answer in solutions(_instance(instance, "holds"), backend, limit, limits.timeout):
            number += 1
            why = _lacks(has_property, answer)
            if why is not None:
                lacking[answer] = why
    except SolveTimeout as error:
        raise located(error, limits) from None
    return Property(instance, backend, number, lacking)


def _lacks(has_property: Callable[[Answer], object], answer: Answer) -> str | None:
    """The message of an assert, or no words, if an answer lacks the property; None if not."""
    __tracebackhide__ = True
    try:
        value = has_property(answer)
    except AssertionError as error:
        return str(error)
    if value is None:
        name = getattr(has_property, "__name__", "the property")
        raise TypeError(
            f"{name} returned None for {answer!r}; return True or False, also after asserts"
        )
    return None if value else ""


def _instance(given: Any, function: str) -> Instance:
    __tracebackhide__ = True
    if not isinstance(given, Instance):
        raise TypeError(
            f"{function} takes an instance, not {shown(given)}; expected one, such as"
            " Problem('queens').instance('size(8).')"
        )
    return given


def limits_of(limit: int | EllipsisType | None, timeout: float | EllipsisType | None) -> Limits:
    """The limits of the test that runs, unless others are given."""
    limits = Running.limits
    if not isinstance(limit, EllipsisType):
        limits = limits._replace(limit=limit)
    if not isinstance(timeout, EllipsisType):
        limits = limits._replace(timeout=timeout, source="the argument timeout")
    return limits


def compared(instance: Instance, programs: tuple[str, ...]) -> tuple[str, ...]:
    """The programs to compare on an instance; InvalidProblem if there are not two of them."""
    paths = instance.problem.paths
    if len(programs) > 1:
        return programs
    first = reference(paths)
    if programs:
        return programs if programs[0] == first else (first, *programs)
    names = ("clingo", "prolog") if {"clingo", "prolog"} <= {*paths} else tuple(paths)
    if len(names) < 2:
        raise InvalidProblem(
            f"{instance.problem.folder} has one program, {listed(names) or 'none'}; two are needed"
            " to agree: add one in the other language"
        )
    return names


def reference(paths: Any) -> str:
    """The first program of a problem, with which others are compared; empty without any."""
    return next(iter(paths), "")


def named_problem(folder: str | os.PathLike[str], beside: Path | None) -> Problem:
    """The problem in a folder beside a file, below pytest's root, or here; or a bundled one.

    InvalidProblem if there is none.
    """
    bases = dict.fromkeys((*([beside] if beside else []), *roots[-1:]))
    for base in bases:
        path = base / folder
        if path.is_dir() and any(path.glob("*.[lp][pl]")):
            return Problem(path)
    try:
        return Problem(folder)
    except InvalidProblem as error:
        places = f"; it was looked for in {listed(bases)}" if bases else ""
        meant = [near for base in bases for near in _neighbours(base, folder)]
        hint = f"; did you mean {meant[0]!r}?" if meant else ""
        raise InvalidProblem(f"{error}{places}{hint}") from None


def _neighbours(base: Path, folder: str | os.PathLike[str]) -> list[str]:
    """Folders beside the one that is not there whose names are nearly the same."""
    above = (base / folder).parent
    if not above.is_dir():
        return []
    names = get_close_matches(Path(folder).name, [each.name for each in above.iterdir()])
    return [
        str(Path(folder).parent / each) for each in names if any((above / each).glob("*.[lp][pl]"))
    ]


def located(error: SolveTimeout, limits: Limits) -> SolveTimeout:
    """The error with a note on the origin of its time limit."""
    if limits.source:
        error.add_note(limit_text(limits))
    return error
