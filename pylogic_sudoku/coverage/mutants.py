"""Mutants: small changes of programs, and whether the instances notice them.

A mutant is *killed* by an instance of the folder, and *survives* if only a small instance that the
folder lacks notices it. If no small one does either, it is taken to be *equivalent*: the report
says how many instances are behind that. If none of these has an answer, it is *unknown*.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from ..errors import counted
from ..problem import Instance
from ..problem.folder import Problem
from ..questions.many import checked_jobs
from .edits import Edit, mutants_of
from .plan import Plan, plan_of, with_edits
from .pool import Pool, differences, lines_about
from .result import line_of, table
from .suggestions import TRIES, Suggestion, suggest
from .trials import LIMIT, TIMEOUT, Trial

__all__ = ["Mutants", "ProgramMutants", "judged", "mutate", "sampled"]

HEADINGS = ("program", "file", "mutants", "killed", "late", "survived", "equivalent", "unknown")
REORDERED = "order"
"""The kind of changes that exchange two goals. Read as logic, a body is the same in any order, so
most of those that are not noticed are equivalent, and change the search at most. They are listed
apart, in a line each, for half of all that is equivalent would hide the rest; but none is left out,
since a goal that must come first, such as a domain, is noticed where it does not."""


def sampled(plan: Plan, number: int | None = None, seed: int = 0) -> Plan:
    """The plan with mutants instead of missing parts: all, or a sample of this number."""
    every = [(name, each) for name, task in plan.tasks.items() for each in mutants_of(task.path)]
    if number is not None and number < len(every):
        chosen = set(random.Random(seed).sample(range(len(every)), number))
        every = [each for at, each in enumerate(every) if at in chosen]
    edits: dict[str, tuple[Edit, ...]] = {
        name: tuple(each for own, each in every if own == name) for name in plan.tasks
    }
    return with_edits(plan, edits, ends_early=True)


@dataclass(frozen=True)
class ProgramMutants:
    """The mutants of one program, by what became of them."""

    name: str
    file: str
    killed: tuple[Trial, ...]
    late: tuple[Trial, ...]
    """Those that do not end in time, and are not noticed otherwise."""
    survived: tuple[Suggestion, ...]
    equivalent: tuple[Suggestion, ...]
    unknown: tuple[Trial, ...]
    """Those that are not known in time."""
    undecided: tuple[Suggestion, ...] = ()
    """Those about which the small instances say nothing; they count as unknown."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of all, and of each kind, in the order of the fields."""
        unknown = (*self.unknown, *self.undecided)
        kinds = (self.killed, self.late, self.survived, self.equivalent, unknown)
        lengths = tuple(map(len, kinds))
        return (sum(lengths), *lengths)

    def to_json(self) -> dict[str, Any]:
        """The numbers, and the mutants that no instance of the folder kills."""
        return {
            "program": self.name,
            "file": self.file,
            **dict(zip(HEADINGS[2:], self.numbers, strict=True)),
            "survivors": [each.to_json() for each in self.survived],
            "equivalents": [each.to_json() for each in self.equivalent],
            **({"undecided": [e.to_json() for e in self.undecided]} if self.undecided else {}),
        }


@dataclass(frozen=True)
class Mutants:
    """The mutants of a problem's programs; ``str`` of it is a table and the survivors."""

    problem: Problem
    programs: tuple[ProgramMutants, ...]
    instances: tuple[str, ...]
    """The labels of the instances."""
    skipped: dict[str, str]
    """The programs that cannot be run here, and the reasons."""
    incomplete: str = ""
    """The reason why some mutants were not tried; empty if all were."""

    @property
    def survived(self) -> tuple[Suggestion, ...]:
        """The mutants that only instances notice which the folder lacks."""
        return tuple(each for one in self.programs for each in one.survived)

    @property
    def differences(self) -> tuple[Pool, ...]:
        """The small instances on which two programs differ, one of each pair of programs."""
        found = (
            each
            for one in self.programs
            for each in (*one.survived, *one.equivalent, *one.undecided)
        )
        return differences(each.pool for each in found if each.pool)

    @property
    def score(self) -> float:
        """The share of killed ones, even by time alone, of those that can be killed; 1 of none."""
        killed = sum(len(each.killed) + len(each.late) for each in self.programs)
        mortal = killed + len(self.survived)
        return killed / mortal if mortal else 1.0

    @property
    def summary(self) -> str:
        """The score in words."""
        killed = sum(len(each.killed) + len(each.late) for each in self.programs)
        equivalent = sum(len(each.equivalent) for each in self.programs)
        words = f"{self.problem.name}: {killed} of {counted(killed + len(self.survived), 'mutant')}"
        return f"{words} killed ({self.score:.0%}), {equivalent} equivalent"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield self.summary
        rows = ([each.name, each.file, *map(str, each.numbers)] for each in self.programs)
        yield from (f"  {line}" for line in table(HEADINGS, rows))
        for name, why in self.skipped.items():
            yield f"not tried: {name}: {why}"
        if self.incomplete:
            yield f"INCOMPLETE: {self.incomplete}"
        equivalent = [each for one in self.programs for each in one.equivalent]
        for heading, found in (
            ("Survived:", self.survived),
            ("Equivalent:", [each for each in equivalent if each.trial.edit.kind != REORDERED]),
            ("Not known:", [each for one in self.programs for each in one.undecided]),
        ):
            if found:
                yield heading
                for each in found:
                    yield line_of(each.trial)
                    yield f"    {each}"
        reordered = [each.trial for each in equivalent if each.trial.edit.kind == REORDERED]
        for heading, trials in (
            ("Equivalent, two goals exchanged:", reordered),
            ("Noticed by time alone:", [each for one in self.programs for each in one.late]),
            ("Not known in time:", [each for one in self.programs for each in one.unknown]),
        ):
            if trials:
                yield heading
                yield from map(line_of, trials)
        yield from lines_about(self.differences)

    def __repr__(self) -> str:
        return f"<Mutants: {self.summary}>"

    def to_json(self) -> dict[str, Any]:
        """The score, the mutants of each program, and the differences between programs."""
        found = self.differences
        return {
            "problem": self.problem.name,
            "folder": str(self.problem.folder),
            "instances": list(self.instances),
            "score": round(self.score, 4),
            "programs": [each.to_json() for each in self.programs],
            **({"differences": [each.to_json() for each in found]} if found else {}),
            **({"skipped": self.skipped} if self.skipped else {}),
            **({"incomplete": self.incomplete} if self.incomplete else {}),
        }


def judged(
    plan: Plan,
    found: Iterable[tuple[str, Trial]],
    tries: int | None = TRIES,
    jobs: int | None = None,
    stopped: str = "",
) -> Mutants:
    """Sort mutants that were tried; `stopped` is the reason if some were not.

    Those that no instance of the folder notices are tried on small ones, unless `stopped`.
    """
    by_name: dict[str, list[Trial]] = {name: [] for name in plan.tasks}
    for name, trial in found:
        by_name[name].append(trial)
    done = sum(map(len, by_name.values()))
    missed = [
        (name, each) for name, own in by_name.items() for each in own if each.verdict == "missed"
    ]
    suggested: list[Suggestion] = []
    if not stopped:
        with closing(suggest(plan, missed, tries, jobs, edges=False)) as suggestions:
            suggested = list(suggestions)
    programs = []
    for name, own in by_name.items():
        mine = [each for each in suggested if each.program == name]
        programs.append(
            ProgramMutants(
                name,
                plan.tasks[name].path.name,
                _having(own, "noticed"),
                _having(own, "late"),
                tuple(each for each in mine if each.kind in ("instance", "unconfirmed")),
                tuple(each for each in mine if each.kind == "none"),
                _having(own, "unknown") + (_having(own, "missed") if stopped else ()),
                tuple(each for each in mine if each.kind == "unknown"),
            )
        )
    some = next(iter(plan.tasks.values()), None)
    labels = tuple(each.label for each in some.instances) if some else ()
    incomplete = f"{stopped} after {done} of {plan.number} mutants" if stopped else ""
    return Mutants(plan.problem, tuple(programs), labels, plan.skipped, incomplete)


def _having(trials: Sequence[Trial], verdict: str) -> tuple[Trial, ...]:
    return tuple(each for each in trials if each.verdict == verdict)


def mutate(
    problem: Problem | str | os.PathLike[str],
    instances: Sequence[Instance | str] | None = None,
    programs: Sequence[str] | None = None,
    number: int | None = 100,
    seed: int = 0,
    limit: int | None = LIMIT,
    timeout: float | None = TIMEOUT,
    tries: int | None = TRIES,
    jobs: int | None = None,
) -> Mutants:
    """Try small changes of a problem's programs on its instances.

    A change is another number, bound, comparison or sign, two arguments or goals exchanged, a
    literal negated, a literal, goal, clause or statement left out, or a choice without its bound.

    Args:
        problem: A `Problem`, its folder, or the name of a bundled one.
        instances: Instances, names of instances, or facts; all of the folder without it.
        programs: Names of programs, such as ``"prolog:queens_dual"``; all without it.
        number: The size of the sample; None means all changes.
        seed: The sample is the same for the same seed.
        limit: The most answers to an instance that are compared, 1 or more; None means all.
        timeout: In seconds, over 0, for a program and an instance; None means no limit.
        tries: The number of small instances on which a change is tried that none of the folder
            notices; None means all.
        jobs: The number of processes that share the work.

    Raises:
        InvalidProblem: If there is no such problem, program or instance.
        BackendUnavailable: If an engine cannot be used here, and no other program can be tried.
        BackendFailure: If a program fails as it is.
        ValueError: If a number is out of range.
        TypeError: If a number is of another type.
    """
    plan = sampled(plan_of(problem, instances, programs, limit, timeout), number, seed)
    with closing(plan.run(checked_jobs(jobs))) as found:
        return judged(plan, list(found), tries, jobs)
