"""What programs have in common: the kinds of their mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ._result import Report, Result

__all__ = ["Shared", "kind", "not_graded", "same_throughout", "shared"]

_KINDS = (
    (r"holds both", "a cell holds two digits"),
    (r"is given there", "a given is not kept"),
    (r"every cell is empty", "no digit is shown"),
    (r"is empty|cells are empty", "a cell is empty"),
    (r"expected row, column and digit", "an atom is outside the grid"),
    (r"\(row ", "a digit is twice in a row"),
    (r"\(column ", "a digit is twice in a column"),
    (r"\((box|region) ", "a digit is twice in a box"),
    (r"its mark excludes", "a mark is ignored"),
)
_HARMLESS = {"", "out of time"}
_PLACE = re.compile(r"^(\w+: *)?\S+:\d+:\d+(-\d+(:\d+)?)?: (error: )?")


class Shared(NamedTuple):
    """A mistake, and who makes it."""

    mistake: str
    programs: tuple[str, ...]
    instances: tuple[str, ...]
    """Where at least one of them makes it."""


def kind(result: Result) -> str:
    """Return the kind of the mistake in a few words; empty if the program made none."""
    verdict = result.verdict
    if result.passed or not verdict.graded or not result.was_run:
        return ""
    if verdict.way == "wrong":
        for pattern, words in _KINDS:
            if re.search(pattern, verdict.rule):
                return words
        if verdict.rule:
            return re.sub(r" at .*", "", verdict.rule) + " is broken"
    if verdict.way == "error" and verdict.message:
        if verdict.message.startswith("not run"):  # the mistake is that of an earlier instance
            return ""
        return _PLACE.sub("", verdict.message.splitlines()[0])
    return result.way


def not_graded(report: Report) -> dict[str, str]:
    """Return the instances that are themselves at fault, with the reason."""
    return {each.instance: each.words for each in report.results if not each.verdict.graded}


def shared(report: Report) -> list[Shared]:
    """Return the kinds of mistakes that two programs or more make, the most frequent first."""
    found: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for result in report.results:
        if mistake := kind(result):
            programs, instances = found.setdefault(mistake, ({}, {}))
            programs[result.program] = instances[result.instance] = None
    several = [
        Shared(mistake, tuple(programs), tuple(filter(instances.__contains__, report.instances)))
        for mistake, (programs, instances) in found.items()
        if len(programs) > 1
    ]
    return sorted(several, key=lambda each: -len(each.programs))


def same_throughout(report: Report) -> list[tuple[str, ...]]:
    """Return the programs whose mistakes are the same on every instance, in groups of two or more.

    Programs without a mistake are in no group, nor those that are only slow.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for program, results in report.programs.items():
        groups.setdefault(_mistakes(results), []).append(program)
    return [
        tuple(group) for made, group in groups.items() if set(made) - _HARMLESS and len(group) > 1
    ]


def _mistakes(results: Iterable[Result]) -> tuple[str, ...]:
    return tuple(map(kind, results))
