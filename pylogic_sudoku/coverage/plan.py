"""Coverage: for each part of a program, the instances that notice that it is missing."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from ..engines.choice import engine_for
from ..errors import BackendUnavailable, InvalidProblem, choice, shown
from ..problem import Instance
from ..problem.folder import Problem
from ..questions import checked_limit
from ..questions.many import checked_jobs
from ..running.workers import checked_timeout
from .edits import Edit, parts_of
from .result import Coverage, ProgramCoverage
from .trials import LIMIT, TIMEOUT, Task, Trial, trials

__all__ = ["Plan", "cover", "covered", "plan_of", "with_edits"]


@dataclass(frozen=True)
class Plan:
    """The programs of a problem, the edits to try in each, and the instances to try them on."""

    problem: Problem
    tasks: dict[str, Task]
    """By the name of the backend."""
    edits: dict[str, tuple[Edit, ...]]
    skipped: dict[str, str]
    """The programs that cannot be run here, and the reasons."""

    @property
    def number(self) -> int:
        """The number of edits."""
        return sum(map(len, self.edits.values()))

    def run(
        self, jobs: int | None = None, known: Iterable[tuple[str, Trial]] = ()
    ) -> Generator[tuple[str, Trial]]:
        """Try the edits, in order: the program and the result of each.

        Args:
            jobs: The number of processes that share the work.
            known: Results that need not be found again, with the names of their programs.
        """
        results = {(name, trial.edit): trial for name, trial in known}
        for name, edits in self.edits.items():
            rest = [each for each in edits if (name, each) not in results]
            with closing(trials(self.tasks[name], rest, jobs)) as found:
                for edit in edits:
                    trial = results.get((name, edit)) or next(found)[1]
                    yield name, trial


def plan_of(
    problem: Problem | str | os.PathLike[str],
    instances: Sequence[Instance | str] | None = None,
    programs: Sequence[str] | None = None,
    limit: int | None = LIMIT,
    timeout: float | None = TIMEOUT,
) -> Plan:
    """Read the programs and instances of a problem; the edits leave out a part each.

    The arguments are those of `cover`.
    """
    found = problem if isinstance(problem, Problem) else Problem(problem)
    limit, timeout = checked_limit(limit, least=1), checked_timeout(timeout)
    posed = tuple(_instances(found, instances))
    if not posed:
        raise InvalidProblem(
            f"{found.folder} has no instances; write their facts into"
            f" {found.folder / 'instances'}/NAME.lp"
        )
    tasks: dict[str, Task] = {}
    skipped: dict[str, str] = {}
    for name in _programs(found, programs):
        try:
            engine_for(name, posed[0]).version()
        except BackendUnavailable as error:
            if programs is not None or len(found.paths) == 1:
                raise
            skipped[name] = str(error)
            continue
        tasks[name] = Task(name, posed, limit, timeout)
    edits = {name: tuple(parts_of(task.path)) for name, task in tasks.items()}
    return Plan(found, tasks, edits, skipped)


def _instances(problem: Problem, given: Sequence[Instance | str] | None) -> Iterable[Instance]:
    if given is None:
        return problem.instances.values()
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise TypeError(f"instances is {shown(given)}; expected a list of them, such as ['size=4']")
    return [each if isinstance(each, Instance) else problem.instance(each) for each in given]


def _programs(problem: Problem, given: Sequence[str] | None) -> list[str]:
    known = problem.paths
    if given is None:
        if not known:
            raise InvalidProblem(f"{problem.folder} has no program")
        return list(known)
    for name in given:
        if name not in known:
            raise InvalidProblem(f"{problem.name} has no program {name!r}; {choice(name, known)}")
    return list(dict.fromkeys(given))


def covered(plan: Plan, found: Iterable[tuple[str, Trial]], stopped: str = "") -> Coverage:
    """The coverage that trials show; `stopped` is the reason if some are missing."""
    by_name: dict[str, list[Trial]] = {name: [] for name in plan.tasks}
    for name, trial in found:
        by_name[name].append(trial)
    some = next(iter(plan.tasks.values()), None)
    labels = tuple(each.label for each in some.instances) if some else ()
    programs = tuple(
        ProgramCoverage(name, plan.tasks[name].path, tuple(own), labels)
        for name, own in by_name.items()
    )
    done = sum(map(len, by_name.values()))
    incomplete = f"{stopped} after {done} of {plan.number} parts" if stopped else ""
    return Coverage(plan.problem, programs, labels, plan.skipped, incomplete)


def cover(
    problem: Problem | str | os.PathLike[str],
    instances: Sequence[Instance | str] | None = None,
    programs: Sequence[str] | None = None,
    limit: int | None = LIMIT,
    timeout: float | None = TIMEOUT,
    jobs: int | None = None,
) -> Coverage:
    """Find out which parts of a problem's programs its instances notice.

    A part is a statement of an ASP program, or a clause or goal of a Prolog program. It is noticed
    by an instance if the answers differ once it is left out, or what they cost; if the program
    fails; or, counted apart, if it no longer ends: after the time limit, or ten times what it took
    before and one second.

    Args:
        problem: A `Problem`, its folder, or the name of a bundled one.
        instances: Instances, names of instances, or facts; all of the folder without it.
        programs: Names of programs, such as ``"prolog:queens_dual"``; all without it.
        limit: The most answers to an instance that are compared, 1 or more; None means all. Beyond
            it, each program must accept what the other one has found.
        timeout: In seconds, over 0, for a program and an instance; None means no limit.
        jobs: The number of processes that share the work. They are spawned, so a script that uses
            them needs ``if __name__ == "__main__":``.

    Raises:
        InvalidProblem: If there is no such problem, program or instance.
        BackendUnavailable: If an engine cannot be used here, and no other program can be tried.
        BackendFailure: If a program fails as it is.
        ValueError: If a number is out of range.
        TypeError: If a number is of another type.

    >>> coverage = cover("queens", ["size=4", "size=1"], ["clingo"])
    >>> print(coverage.programs[0].share, [trial.edit.line for trial in coverage.missed])
    0.8 [16]
    """
    plan = plan_of(problem, instances, programs, limit, timeout)
    with closing(plan.run(checked_jobs(jobs))) as found:
        return covered(plan, found)


def with_edits(plan: Plan, edits: dict[str, tuple[Edit, ...]], ends_early: bool) -> Plan:
    """The same plan with other edits."""
    tasks = {name: replace(each, ends_early=ends_early) for name, each in plan.tasks.items()}
    return replace(plan, tasks=tasks, edits=edits)
