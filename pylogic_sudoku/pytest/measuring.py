"""Coverage and mutants at the end of a session: ``--logic-cov`` and ``--logic-mutants``.

They are about the folders that are named, or else those of the tests that were collected. With
xdist the processes tell their folders, and the first process measures.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ..coverage.mutants import judged, sampled
from ..coverage.plan import Plan, covered, plan_of
from ..coverage.trials import TIMEOUT, Trial
from ..errors import InvalidProblem, LogicError
from ..problem.folder import Problem
from .folders import PairItem
from .marks import WrongMark, marked_by
from .stash import FOLDERS, folders

__all__ = ["measure", "note", "report"]

_texts: pytest.StashKey[list[str]] = pytest.StashKey()
"""The lines of the section at the end."""
INTERRUPTED = "interrupted"


def note(session: pytest.Session) -> None:
    """Keep the folders that the collected tests are about."""
    config = session.config
    found = {str(each) for item in session.items for each in _folders_of(item)}
    config.stash.setdefault(folders, set()).update(found)
    if hasattr(config, "workeroutput"):
        config.workeroutput[FOLDERS] = sorted(found)


def _folders_of(item: pytest.Item) -> Iterator[Path]:
    if isinstance(item, PairItem):
        yield item.parent.parent.problem.folder
    elif mark := item.get_closest_marker("logic"):
        try:
            yield marked_by(item, mark).problem.folder
        except (WrongMark, LogicError):  # which its test reports
            return


def measure(config: pytest.Config, exitstatus: int) -> None:
    """Measure what was asked for, and keep the text for the end of the session."""
    lines = config.stash.setdefault(_texts, [])
    if exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        lines.append("not measured, since the session did not run to its end")
        return
    options = config.option
    given = [each for each in options.logic_cov or () if each]
    known: set[str] = config.stash.get(folders, set())
    problems = given or sorted(known)
    if not problems:
        lines.append(
            "nothing to measure: no test is about a folder; name one, as in --logic-cov=FOLDER"
        )
    for each in problems:
        try:
            lines.extend(_measured(_problem(config, each), config))
        except LogicError as error:
            lines.append(f"{each}: {error}")
        if lines and INTERRUPTED in lines[-1]:
            return


def _problem(config: pytest.Config, folder: str) -> Problem:
    """The problem in a folder here or below pytest's root, or a bundled one."""
    near = [base / folder for base in (config.invocation_params.dir, config.rootpath)]
    there = next((each for each in near if each.is_dir()), None)
    problem = Problem(there or folder)
    if not problem.paths:
        raise InvalidProblem(f"{problem.folder} has no program")
    return problem


def _measured(problem: Problem, config: pytest.Config) -> Iterator[str]:
    """Yield the lines about a problem."""
    options = config.option
    jobs = getattr(options, "numprocesses", None) or None
    plan = plan_of(problem, timeout=options.logic_timeout or TIMEOUT)
    if options.logic_cov is not None:
        yield from _taken(plan, jobs, lambda found, why: str(covered(plan, found, why)))
    if options.logic_mutants is not None:
        mutants = sampled(plan, options.logic_mutants or None)
        yield from _taken(
            mutants, jobs, lambda found, why: str(judged(mutants, found, jobs=jobs, stopped=why))
        )


def _taken(
    plan: Plan, jobs: int | None, text: Callable[[list[tuple[str, Trial]], str], str]
) -> Iterator[str]:
    """Yield the lines about all trials of a plan, or about those before Ctrl-C."""
    found: list[tuple[str, Trial]] = []
    try:
        results: Generator[tuple[str, Trial]]
        with closing(plan.run(jobs)) as results:
            for each in results:
                found.append(each)
        lines = text(found, "")
    except KeyboardInterrupt:
        lines = f"{text(found, INTERRUPTED)}\n{INTERRUPTED}"
    yield from lines.splitlines()


def report(terminal: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Write the section."""
    if lines := config.stash.get(_texts, []):
        terminal.section("logic coverage")
        for line in lines:
            terminal.write_line(line)
