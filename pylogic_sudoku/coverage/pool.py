"""The small instances on which changes of a program are tried, and those that are left out.

Without ``instances.lp`` nothing says which facts make sense. So they count if the program and the
one in the other language have the same answers; that they have others is news of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from ..engines.choice import engine_for
from ..errors import BackendUnavailable, LogicError, counted, listed
from ..problem import Instance
from ..questions.comparison import EngineResult, compare
from ..running import notices
from .small import are_described
from .trials import Task

__all__ = ["Pool", "answers", "differences", "lines_about", "pool_of"]


@dataclass(frozen=True)
class Pool:
    """Small instances for the changes of a program."""

    programs: tuple[str, ...]
    """The program, and the one that it was compared with, if there is one."""
    instances: tuple[Instance, ...]
    """Those that make sense: answers of ``instances.lp``, or those on which both programs agree."""
    asked: int
    """The number of instances from which these were chosen."""
    is_described: bool
    """True if they are answers of ``instances.lp``."""
    is_complete: bool = False
    """True if that program has no more answers."""
    differing: tuple[Instance, ...] = ()
    """Those on which the programs have different answers, the smallest first."""
    failing: tuple[Instance, ...] = ()
    """Those on which one of them fails, or does not end in time, the smallest first."""
    notes: tuple[str, str] = ("", "")
    """The numbers of answers to the first that differs, and the first failure, in words."""

    def of(self, number: int) -> str:
        """A number of the instances at first, in words."""
        if number < self.asked:
            which = "the " * self.is_described
            kind = "smallest" if self.is_described and not self.is_complete else "small"
            return f"{number} of {which}{self.asked} {kind} instances"
        if self.is_complete:
            return f"all {counted(number, 'small instance')}"
        if self.is_described:
            return f"the {counted(number, 'smallest instance')}"
        return counted(number, "small instance")

    @property
    def left_out(self) -> str:
        """The numbers of those that are left out, in words; empty if none is."""
        parts = (
            (self.differing, "the programs differ"),
            (self.failing, "one of them fails" if self.differing else "a program fails"),
        )
        than = "more" if self.instances else f"of {self.asked}"
        return " and ".join(f"on {len(found)} {than} {what}" for found, what in parts if found)

    @property
    def difference(self) -> str:
        """The smallest instances on which the programs differ or fail, in words; empty without."""
        parts = []
        for found, verb, note in (
            (self.differing, "differ", self.notes[0]),
            (self.failing, "one of them fails" if self.differing else "fail", self.notes[1]),
        ):
            if found:
                facts = str(found[0]) or "the one without facts"
                number = f"{len(found)} of {self.asked} small instances"
                parts.append(f"{verb} on {number}, the smallest is {facts} ({note})")
        return f"{listed(sorted(self.programs))} {'; '.join(parts)}" if parts else ""

    def to_json(self) -> dict[str, Any]:
        """The programs, the numbers, and the smallest instances that are left out."""
        smallest = (("difference", self.differing), ("failure", self.failing))
        return {
            "programs": sorted(self.programs),
            "tried": self.asked,
            "agree": len(self.instances),
            "differ": len(self.differing),
            "fail": len(self.failing),
            **{name: found[0].to_json() for name, found in smallest if found},
            "text": self.difference,
        }


def differences(pools: Iterable[Pool]) -> tuple[Pool, ...]:
    """The pools with instances on which two programs differ or fail, one of each pair."""
    found = {frozenset(each.programs): each for each in pools if each.difference}
    return tuple(found.values())


def lines_about(pools: Iterable[Pool]) -> Iterator[str]:
    """Yield the lines of a report about programs that differ."""
    for number, each in enumerate(pools):
        if not number:
            yield "The programs differ:"
        yield f"    {each.difference}"


def pool_of(task: Task, instances: tuple[Instance, ...], is_complete: bool) -> Pool:
    """The small instances that make sense for a task's program."""
    is_described = are_described(task.instances[0].problem)
    other = None if is_described or not instances else _other(task)
    if other is None:
        return Pool((task.program,), instances, len(instances), is_described, is_complete)
    one, two = sorted((task.program, other))
    stamps = tuple(Task(each, instances).stamps for each in (one, two))
    found = _compared((one, two), instances, task.limit, task.timeout, stamps)
    by_outcome: dict[str, list[_Compared]] = {"agree": [], "differ": [], "fail": []}
    for each in sorted(found, key=lambda each: len(each.instance.facts)):
        by_outcome[each.outcome].append(each)
    kept = {each.instance for each in by_outcome["agree"]}
    differing, failing = by_outcome["differ"], by_outcome["fail"]
    first, second = (next((each.note for each in own), "") for own in (differing, failing))
    return Pool(
        (task.program, other),
        tuple(each for each in instances if each in kept),
        len(instances),
        is_described,
        differing=tuple(each.instance for each in differing),
        failing=tuple(each.instance for each in failing),
        notes=(first, second),
    )


def _other(task: Task) -> str | None:
    """A program of the folder in the other language, or any other one, that can be run here."""
    instance = task.instances[0]
    paths = instance.problem.paths
    others = [name for name in paths if name != task.program]
    language = task.path.suffix
    for name in sorted(others, key=lambda name: paths[name].suffix == language):
        try:
            engine_for(name, instance).version()
        except BackendUnavailable:
            continue
        return name
    return None


class _Compared(NamedTuple):
    """An instance, the outcome of asking two programs about it, and a note on that."""

    instance: Instance
    outcome: str
    """``"agree"``, ``"differ"`` or ``"fail"``."""
    note: str = ""


@lru_cache(16)
def _compared(
    programs: tuple[str, str],
    instances: tuple[Instance, ...],
    limit: int | None,
    timeout: float | None,
    _stamps: object,
) -> tuple[_Compared, ...]:
    """Compare two programs on each instance; once, whichever of them has changes to be tried."""
    tasks = [Task(each, instances, limit, timeout) for each in programs]
    return tuple(_asked(tasks, each) for each in instances)


def _asked(tasks: list[Task], instance: Instance) -> _Compared:
    with notices.collected():
        try:
            one, two = (each.result(instance) for each in tasks)
            if late := [each.program for each in tasks if each.result(instance).timed_out]:
                return _Compared(instance, "fail", f"{listed(late)}: no end in time")
            if one.complete and two.complete:
                agree = (one.solutions, one.cost) == (two.solutions, two.cost)
            else:
                names = [each.program for each in tasks]
                agree = compare(instance, names, tasks[0].limit, tasks[0].timeout).agree
        except LogicError as error:
            return _Compared(instance, "fail", str(error).partition("\n")[0][:80])
    note = ", ".join(f"{each.program} has {answers(each.result(instance))}" for each in tasks)
    return _Compared(instance, "agree" if agree else "differ", note)


def answers(result: EngineResult[Any]) -> str:
    """The number of answers, in words."""
    return result.number.replace("solution", "answer")
