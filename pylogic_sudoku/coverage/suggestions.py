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
from ..errors import LogicError, listed
from ..problem import Instance
from ..problem.facts import Constants
from ..problem.folder import Problem
from ..questions.comparison import compare
from ..running import notices
from .plan import Plan
from .pool import Pool, answers, pool_of
from .small import are_described, at_the_edge, constants_of, smallest
from .trials import Task, Trial, changed_program, engine_of, trials

__all__ = ["TRIES", "Suggestion", "suggest"]

TRIES = 200
"""Small instances that are tried for a change, unless another number is given."""
EDGE = 300
"""Instances at the edge that are tried for a change, at most."""
SAME = ("same", "alike")
"""The outcomes on an instance that does not notice a change."""
WORK = ("choices", "conflicts", "inferences")
"""The measures of work that are compared."""

Kind = Literal["instance", "unconfirmed", "edge", "none", "unknown"]
"""``"instance"``: one that makes sense notices the change; ``"unconfirmed"``: one does, and nothing
tells whether it makes sense; ``"edge"``: only one does that is no answer of ``instances.lp``;
``"none"``: no small one does, though some have an answer; ``"unknown"``: none of those that could
be tried has an answer, or the changed program does not end in time."""


@dataclass(frozen=True)
class Suggestion:
    """The smallest instance that notices a change, or the reason why there is none."""

    program: str
    trial: Trial
    kind: Kind
    instance: Instance | None
    tried: int
    """The number of small instances that were compared."""
    is_complete: bool
    """True if there are no more instances, of those that ``instances.lp`` describes."""
    effect: str = ""
    """The answers with and without the change, in words; or the instances on which it is late."""
    work: tuple[dict[str, int], dict[str, int]] | None = None
    """The choices, conflicts or inferences on the folder's instances, before and after a change
    that no small instance notices."""
    answered: int | None = None
    """The number of those with an answer, if no small instance notices the change: a program
    without any answers is right about the others, too."""
    pool: Pool | None = None
    """The small instances, and those on which the programs differ."""
    lacking: tuple[str, ...] = ()
    """Inputs in the changed text of which no instance in the folder has a fact, if no small one
    notices it."""

    def __str__(self) -> str:
        if self.instance is not None:
            facts = str(self.instance) or "an instance without facts"
            where = {
                "instance": "notices it",
                "unconfirmed": "notices it (unconfirmed)",
                "edge": "notices it, at the edge: it is not an answer of instances.lp",
            }[self.kind]
            return f"{facts} {where}: {self.effect}"
        left_out = self.pool.left_out if self.pool else ""
        of = (
            f"no instance in the folder has a fact of {listed(self.lacking)}"
            if self.lacking
            else ""
        )
        words = (self._search, left_out, of or (self._work if self.work else ""))
        return "; ".join(filter(None, words))

    @property
    def _search(self) -> str:
        """The instances that were tried in vain, in words."""
        if self.pool is None or not self.pool.instances:
            return "not known: there is no small instance to try"
        same = f"the same answers to {self.pool.of(self.tried)}"
        if self.kind == "none":
            number = "all" if self.answered == self.tried else self.answered
            verb = "has" if number == 1 else "have"
            return f"no instance notices it: {same}, {number} of which {verb} an answer"
        none = ", none of which has an answer" if not self.answered else ""
        return f"not known: {same}{none}{self.effect and f', and {self.effect}'}"

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
        facts = constants = None
        if self.instance is not None:
            facts = [each.text for each in self.instance.facts]
            constants = dict(self.instance.constants)
        left_out = {"differ": len(self.pool.differing)} if self.pool else {}
        return {
            "program": self.program,
            **self.trial.edit.to_json(),
            "suggestion": self.kind,
            "facts": facts,
            **({"constants": constants} if constants else {}),
            "tried": self.tried,
            **({} if self.answered is None else {"answered": self.answered}),
            **left_out,
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
    folder's program in the other language agrees with the unchanged one. Those on which they differ
    are in `Suggestion.pool`. Each that is suggested has been compared once more.

    Args:
        plan: The plan that the changes are from.
        missed: Changes that no instance notices, with the names of their programs.
        tries: The number of small instances to try; None means all.
        jobs: The number of processes that share the work.
        edges: Whether instances are tried that ``instances.lp`` does not describe, if none does
            that it describes.
    """
    problem = plan.problem
    posed = [each for task in plan.tasks.values() for each in task.instances]
    constants = constants_of(problem, posed)
    untried = smallest(problem, tries, constants)
    made = tuple(islice(untried, tries))
    is_complete = are_described(problem) and next(untried, None) is None
    edge = _Edge(problem, constants[0], edges)
    for name in dict.fromkeys(name for name, _ in missed):
        task = plan.tasks[name]
        own = [trial for each, trial in missed if each == name]
        pool = pool_of(task, made, is_complete)
        known = pool.is_described or len(pool.programs) > 1
        for trial, found, small in _searched(task, own, pool.instances, jobs):
            if found is not None:
                effect = _effect(task, trial, found)
                kind: Kind = "instance" if known else "unconfirmed"
                tried = len(small.outcomes)
                yield Suggestion(name, trial, kind, found, tried, False, effect, pool=pool)
            elif (beyond := edge.first(task, trial)) is not None:
                effect, tried = _effect(task, trial, beyond), len(small.outcomes)
                yield Suggestion(name, trial, "edge", beyond, tried, is_complete, effect, pool=pool)
            else:
                yield _in_vain(task, trial, small, pool)


def _in_vain(task: Task, trial: Trial, small: Trial, pool: Pool) -> Suggestion:
    """The suggestion for a change that no small instance notices."""
    same = [each for each in pool.instances if small.outcomes.get(each.label) in SAME]
    answered = sum(bool(task.result(each).solutions) for each in same)
    late = f"no end in time on {len(small.late)} more" if small.late else ""
    kind: Kind = "none" if answered and not late else "unknown"
    work = _work(task, trial) if kind == "none" else None
    tried, is_complete = len(same), pool.is_complete
    unseen = _unseen(task.instances[0].problem)
    lacking = tuple(each for each in unseen if _has(trial.edit.text, each))
    return Suggestion(
        *(task.program, trial, kind, None, tried, is_complete, late, work, answered, pool, lacking)
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
) -> Generator[tuple[Trial, Instance | None, Trial]]:
    """Each change, the first instance that notices it, and the outcomes on all that were tried."""
    if not pool:
        yield from ((each, None, Trial(each.edit, {})) for each in missed)
        return
    search = replace(task, instances=tuple(pool), ends_early=True, is_strict=False)
    named = {each.label: each for each in pool}
    with closing(trials(search, [each.edit for each in missed], jobs)) as results:
        for trial, (_, found) in zip(missed, results, strict=True):
            first = next(iter(found.noticing), None)
            yield trial, None if first is None else named[first], found


class _Edge:
    """The instances that ``instances.lp`` does not describe; none without it."""

    def __init__(self, problem: Problem, constants: Constants, is_wanted: bool) -> None:
        self._problem = problem
        self._constants = constants
        self._is_wanted = is_wanted and are_described(problem)

    @cached_property
    def _pool(self) -> tuple[Instance, ...]:
        return tuple(islice(at_the_edge(self._problem, self._constants), EDGE))

    def first(self, task: Task, trial: Trial) -> Instance | None:
        """The first of them that notices a change."""
        if not self._is_wanted:
            return None
        ((_, found, _),) = _searched(task, [trial], self._pool, None)
        return found


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
            return f"{answers(right)}, and an error after the change: {str(error)[:80]}"
    after = comparison.answers[changed.name]
    again = "" if comparison.outcome == "disagree" else ", which a second run did not confirm"
    return f"{answers(right)}, and {answers(after)} after the change{again}"


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
