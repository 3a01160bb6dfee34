"""The missing instance: the smallest one that notices a change that no instance notices yet."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, Literal

from ..engines.choice import engine_for
from ..errors import LogicError, counted, listed
from ..problem import Instance
from ..problem.folder import Problem
from ..questions.comparison import EngineResult, compare
from ..running import notices
from .plan import Plan
from .small import are_described, at_the_edge, smallest
from .trials import Task, Trial, changed_program, engine_of, trials

__all__ = ["TRIES", "Suggestion", "suggest"]

TRIES = 200
"""Small instances that are tried for a change, unless another number is given."""
EDGE = 300
"""Instances at the edge that are tried for a change, at most."""
WORK = ("choices", "conflicts", "inferences")
"""The measures of work that are compared."""

Kind = Literal["instance", "unconfirmed", "edge", "none"]
"""``"instance"``: one that makes sense notices the change; ``"unconfirmed"``: one does, and nothing
tells whether it makes sense; ``"edge"``: only one does that is no answer of ``instances.lp``;
``"none"``: no small one does."""


@dataclass(frozen=True)
class Suggestion:
    """The smallest instance that notices a change, or the reason why there is none."""

    program: str
    trial: Trial
    kind: Kind
    instance: Instance | None
    tried: int
    """The number of instances that were compared."""
    is_complete: bool
    """True if there are no more instances, of those that ``instances.lp`` describes."""
    effect: str = ""
    """The answers with and without the change, in words."""
    work: tuple[dict[str, int], dict[str, int]] | None = None
    """The choices, conflicts or inferences on the folder's instances, before and after a change
    that no small instance notices."""
    lacking: tuple[str, ...] = ()
    """Inputs in the changed text of which no instance has a fact, if no small one notices it."""

    def __str__(self) -> str:
        if self.instance is not None:
            facts = str(self.instance) or "an instance without facts"
            where = {
                "instance": "notices it",
                "unconfirmed": "notices it (unconfirmed)",
                "edge": "notices it, at the edge: it is no answer of instances.lp",
            }[self.kind]
            return f"{facts} {where}: {self.effect}"
        which = "all" if self.is_complete else "the"
        number = counted(self.tried, "small instance" if self.is_complete else "smallest instance")
        words = f"no instance notices it: the same answers to {which} {number}"
        if not self.tried:
            words = "no small instance was tried: " + (
                "instances.lp has no answer"
                if self.is_complete
                else "the programs agree on none; describe those that make sense in instances.lp"
            )
        if self.lacking:
            return f"{words}; no instance in the folder has a fact of {listed(self.lacking)}"
        return f"{words}; {self._work}" if self.work else words

    @property
    def _work(self) -> str:
        before, after = self.work or ({}, {})
        pairs = [
            f"{before[name]:,} and {after[name]:,} {name}"
            for name in WORK
            if name in before and before[name] != after.get(name)
        ]
        if not pairs:
            return "the search does not change either"
        is_left_out = self.trial.edit.kind in ("statement", "clause", "goal")
        times = "with and without it" if is_left_out else "before and after"
        return f"only the search changes: {listed(pairs)} {times}"

    def to_json(self) -> dict[str, Any]:
        """The program, the change, the kind, and the facts of the instance."""
        facts = None if self.instance is None else [each.text for each in self.instance.facts]
        return {
            "program": self.program,
            **self.trial.edit.to_json(),
            "suggestion": self.kind,
            "facts": facts,
            "tried": self.tried,
            "complete": self.is_complete,
            "text": str(self),
            **({"before": self.work[0], "after": self.work[1]} if self.work else {}),
        }


def suggest(
    plan: Plan,
    missed: Sequence[tuple[str, Trial]],
    tries: int | None = TRIES,
    jobs: int | None = None,
    edges: bool = True,
) -> Generator[Suggestion]:
    """Look for the smallest instance that notices each of these changes, in order.

    One that makes sense is an answer of ``instances.lp``; without that program, one on which the
    folder's program in the other language agrees with the unchanged one. Each that is suggested has
    been compared once more.

    Args:
        plan: The plan that the changes are from.
        missed: Changes that no instance notices, with the names of their programs.
        tries: The number of small instances to try; None means all.
        jobs: The number of processes that share the work.
        edges: Whether instances are tried that ``instances.lp`` does not describe, if none does
            that it describes.
    """
    problem = plan.problem
    untried = smallest(problem)
    pool = tuple(islice(untried, tries))
    is_complete = next(untried, None) is None and are_described(problem)
    edge = _Edge(problem, edges)
    unseen = _unseen(problem)
    for name in dict.fromkeys(name for name, _ in missed):
        task = plan.tasks[name]
        own = [trial for each, trial in missed if each == name]
        known = are_described(problem) or _other(task) is not None
        for trial, found, tried in _searched(task, own, _sensible(task, pool), jobs):
            if found is not None:
                effect = _effect(task, trial, found)
                kind: Kind = "instance" if known else "unconfirmed"
                yield Suggestion(name, trial, kind, found, tried, False, effect)
            elif (beyond := edge.first(task, trial)) is not None:
                effect = _effect(task, trial, beyond)
                yield Suggestion(name, trial, "edge", beyond, tried, is_complete, effect)
            else:
                work = _work(task, trial) if tried else None
                lacking = tuple(each for each in unseen if _has(trial.edit.text, each))
                yield Suggestion(
                    name, trial, "none", None, tried, is_complete, work=work, lacking=lacking
                )


def _unseen(problem: Problem) -> tuple[str, ...]:
    """The inputs of which no instance in the folder has a fact."""
    seen = {fact.signature for each in problem.instances.values() for fact in each.facts}
    return tuple(f"{name}/{arity}" for name, arity in sorted({*problem.inputs} - seen))


def _has(text: str, predicate: str) -> bool:
    name = re.escape(predicate.partition("/")[0])
    return re.search(rf"(?<!\w){name}(?!\w)", text) is not None


def _searched(
    task: Task, missed: Sequence[Trial], pool: Sequence[Instance], jobs: int | None
) -> Generator[tuple[Trial, Instance | None, int]]:
    """Each change, the first instance that notices it, and the number of those that were tried."""
    if not pool:
        yield from ((trial, None, 0) for trial in missed)
        return
    search = replace(task, instances=tuple(pool), ends_early=True, is_strict=False)
    named = {each.label: each for each in pool}
    with closing(trials(search, [each.edit for each in missed], jobs)) as results:
        for trial, (_, found) in zip(missed, results, strict=True):
            first = next(iter(found.noticing), None)
            yield trial, None if first is None else named[first], len(found.outcomes)


class _Edge:
    """The instances that ``instances.lp`` does not describe; none without it."""

    def __init__(self, problem: Problem, is_wanted: bool) -> None:
        self._problem = problem
        self._is_wanted = is_wanted and are_described(problem)

    @cached_property
    def _pool(self) -> tuple[Instance, ...]:
        return tuple(islice(at_the_edge(self._problem), EDGE))

    def first(self, task: Task, trial: Trial) -> Instance | None:
        """The first of them that notices a change."""
        if not self._is_wanted:
            return None
        ((_, found, _),) = _searched(task, [trial], self._pool, None)
        return found


def _sensible(task: Task, pool: tuple[Instance, ...]) -> tuple[Instance, ...]:
    """Those of the instances that make sense."""
    if are_described(task.instances[0].problem) or not (other := _other(task)):
        return pool
    return _agreed(task.program, other, pool, task.limit, task.timeout)


def _agreed(
    program: str,
    other: str,
    pool: tuple[Instance, ...],
    limit: int | None,
    timeout: float | None,
) -> tuple[Instance, ...]:
    """The instances on which two programs agree."""
    kept = []
    for instance in pool:
        with notices.collected():
            try:
                agree = compare(instance, (program, other), limit, timeout).agree
            except LogicError:
                continue
        if agree:
            kept.append(instance)
    return tuple(kept)


def _other(task: Task) -> str | None:
    """A program of the folder in the other language, or any other one."""
    paths = task.instances[0].problem.paths
    others = [name for name in paths if name != task.program]
    language = task.path.suffix
    by_language = sorted(others, key=lambda name: paths[name].suffix == language)
    return next(iter(by_language), None)


def _effect(task: Task, trial: Trial, instance: Instance) -> str:
    """The numbers of answers with the unchanged and the changed program, compared anew."""
    with changed_program(task, trial.edit) as path, notices.collected():
        right = task.result(instance)
        try:
            changed = engine_of(task.program, path, instance)
            comparison = compare(
                instance, (engine_for(task.program, instance), changed), task.limit, task.timeout
            )
        except LogicError as error:
            return f"{_answers(right)}, and an error after the change: {str(error)[:80]}"
    after = comparison.answers[changed.name]
    again = "" if comparison.outcome == "disagree" else ", which a second run did not confirm"
    return f"{_answers(right)}, and {_answers(after)} after the change{again}"


def _answers(result: EngineResult[Any]) -> str:
    return result.number.replace("solution", "answer")


def _work(task: Task, trial: Trial) -> tuple[dict[str, int], dict[str, int]] | None:
    """The work on the folder's instances before and after a change; None if it is not known."""
    try:
        before = _total(task, [engine_for(task.program, each) for each in task.instances])
        with changed_program(task, trial.edit) as path:
            changed = [engine_of(task.program, path, each) for each in task.instances]
            return before, _total(task, changed)
    except LogicError:
        return None


def _total(task: Task, engines: Sequence[Any]) -> dict[str, int]:
    totals: dict[str, int] = {}
    with notices.collected():
        for engine, instance in zip(engines, task.instances, strict=True):
            stats = engine.measure(instance, task.timeout).stats
            for name in WORK:
                if name in stats:
                    totals[name] = totals.get(name, 0) + int(stats[name])
    return totals
