"""Trials of changed programs: whether the answers to an instance are still the same.

A change is *noticed* by an instance if the answers differ there, or what they cost. The program as
it is runs once for each instance. A changed one stops at the first answer that is wrong; with more
answers than the limit, each of both must accept those that the other has found.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, Literal

from ..engines.base import ProblemEngine
from ..engines.choice import engine_for
from ..errors import BackendUnavailable, LogicError, SolveTimeout
from ..problem import Answer, Instance
from ..problem.folder import Problem
from ..questions.comparison import EngineResult, answer_of
from ..questions.many import map_in_order
from ..running import notices
from .edits import Edit, files_of

__all__ = ["LIMIT", "TIMEOUT", "Outcome", "Task", "Trial", "trials", "tried"]

LIMIT = 1_000
"""Answers to an instance that are compared, unless another limit is given."""
TIMEOUT = 5.0
"""Seconds for a program and an instance, unless another limit is given."""
LATE = 2
"""Instances on which a changed program may be late, if it is tried until one notices it."""
PATIENCE, LEAST = 10, 1.0
"""A changed program is late after this many times what the unchanged one takes, and seconds."""

Outcome = Literal["same", "alike", "differs", "error", "late", "unknown"]
"""The effect of a change on the answers to an instance: ``"same"``, all were compared; ``"alike"``,
each program accepts what the other has found up to the limit; ``"differs"``; ``"error"``, the
program fails; ``"late"``, it does not end in time, as it does unchanged; ``"unknown"``, not even
the unchanged program ends in time."""
NOTICED = ("differs", "error")


@dataclass(frozen=True)
class Task:
    """A program, the instances on which its changes are tried, and the limits."""

    program: str
    """The name of the backend that runs it, such as ``"prolog:queens_dual"``."""
    instances: tuple[Instance, ...]
    limit: int | None = LIMIT
    timeout: float | None = TIMEOUT
    ends_early: bool = False
    """True if a change is tried until one of the instances notices it."""
    is_strict: bool = True
    """False if an instance on which the unchanged program fails tells nothing."""
    folder: str = field(default="", compare=False)
    """The folder for copies of the problem; a temporary one without it."""

    @property
    def path(self) -> Path:
        """The file of the program."""
        return self.instances[0].problem.path(self.program).resolve()

    def result(self, instance: Instance) -> EngineResult[Answer]:
        """The answers of the unchanged program, which are found once."""
        return _right(self.program, instance, self.limit, self.timeout, self.stamps)

    @cached_property
    def stamps(self) -> tuple[tuple[Path, int, int], ...]:
        """The files of the program, as they are now."""
        statuses = ((file, file.stat()) for file in files_of(self.path))
        return tuple((file, status.st_mtime_ns, status.st_size) for file, status in statuses)


@dataclass(frozen=True)
class Trial:
    """The outcome of a change on each instance, by the instance's label."""

    edit: Edit
    outcomes: Mapping[str, Outcome]

    @property
    def noticing(self) -> tuple[str, ...]:
        """The instances that notice it by other answers, or an error."""
        return tuple(name for name, each in self.outcomes.items() if each in NOTICED)

    @property
    def late(self) -> tuple[str, ...]:
        """The instances on which the program no longer ends in time."""
        return self._with("late")

    @property
    def unknown(self) -> tuple[str, ...]:
        """The instances that even the unchanged program does not answer in time."""
        return self._with("unknown")

    @property
    def is_noticed(self) -> bool:
        """True if an instance notices it, even if by time alone."""
        return bool(self.noticing or self.late)

    @property
    def verdict(self) -> str:
        """``"noticed"``, ``"late"`` if by time alone, ``"unknown"`` or ``"missed"``."""
        if self.noticing:
            return "noticed"
        if self.late:
            return "late"
        return "unknown" if "unknown" in self.outcomes.values() else "missed"

    def _with(self, outcome: str) -> tuple[str, ...]:
        return tuple(name for name, each in self.outcomes.items() if each == outcome)

    def to_json(self) -> dict[str, Any]:
        """The edit, the verdict, and the outcomes by instance."""
        return {**self.edit.to_json(), "verdict": self.verdict, "outcomes": dict(self.outcomes)}


def trials(
    task: Task, edits: Iterable[Edit], jobs: int | None = None
) -> Generator[tuple[Edit, Trial]]:
    """Try the edits, each on the instances of the task, in order.

    Raises:
        BackendUnavailable: If the engine cannot be used here.
        BackendFailure: If the program itself fails on an instance.
    """
    with TemporaryDirectory(prefix="pylogic-sudoku-") as folder:
        ask = partial(tried, replace(task, folder=folder))
        with closing(map_in_order(ask, edits, jobs)) as outcomes:
            for edit, outcome in outcomes:
                if isinstance(outcome, LogicError):
                    raise outcome
                yield edit, outcome  # type: ignore[misc]


def tried(task: Task, edit: Edit) -> Trial:
    """Try one edit."""
    outcomes: dict[str, Outcome] = {}
    late = 0
    with changed_program(task, edit) as path:
        for instance in task.instances:
            outcomes[instance.label] = outcome = outcome_of(task, path, instance)
            late += outcome == "late"
            if task.ends_early and (outcome in NOTICED or late == LATE):
                break
    return Trial(edit, outcomes)


@contextmanager
def changed_program(task: Task, edit: Edit) -> Iterator[Path]:
    """Write the program with a change, beside the other files of its folder."""
    place = Path(mkdtemp(prefix="pylogic-sudoku-", dir=task.folder or None))
    try:
        for each in task.path.parent.iterdir():
            if each.suffix in (".lp", ".pl") and each.is_file():
                shutil.copyfile(each, place / each.name)
            else:
                (place / each.name).symlink_to(each)
        text = edit.file.read_bytes().decode("utf-8-sig")
        (place / edit.file.name).write_bytes(edit.applied(text).encode())
        yield place / task.path.name
    finally:
        shutil.rmtree(place, ignore_errors=True)


def outcome_of(task: Task, path: Path, instance: Instance) -> Outcome:
    """Compare the answers of a changed program with those of the unchanged one."""
    try:
        right = task.result(instance)
    except LogicError:
        if task.is_strict:
            raise
        return "unknown"
    if right.timed_out:
        return "unknown"
    engine, changed = engine_for(task.program, instance), engine_of(task.program, path, instance)
    timeout = task.timeout and min(task.timeout, PATIENCE * right.seconds + LEAST)
    with notices.collected():
        try:
            return _compared(instance, right, engine, changed, task.limit, timeout)
        except SolveTimeout:
            return "late"
        except BackendUnavailable:
            raise
        except LogicError:
            return "error"


def engine_of(program: str, path: Path, instance: Instance) -> ProblemEngine:
    """The engine of a program, with another file in its place."""
    problem = instance.problem
    name = f"{program.partition(':')[0]}:{path}"
    if search := problem.search(program):
        problem = Problem(problem.folder, {**problem.chosen_search, name: search})
    return engine_for(name, replace(instance, problem=problem))


def _compared(
    instance: Instance,
    right: EngineResult[Answer],
    engine: ProblemEngine,
    changed: ProblemEngine,
    limit: int | None,
    timeout: float | None,
) -> Outcome:
    found: set[Answer] = set()
    with closing(changed.solutions(instance, timeout)) as answers:
        for answer in islice(answers, None if right.complete else limit):
            if answer.cost != right.cost or (right.complete and answer not in right.solutions):
                return "differs"
            found.add(answer)
    if right.complete or len(found) < len(right.solutions):
        return "same" if len(found) == len(right.solutions) else "differs"
    if changed.rejected(instance, right.solutions - found, timeout):
        return "differs"
    return "differs" if engine.rejected(instance, found - right.solutions, timeout) else "alike"


@lru_cache(4_096)
def _right(
    program: str,
    instance: Instance,
    limit: int | None,
    timeout: float | None,
    _stamps: object,
) -> EngineResult[Answer]:
    with notices.collected():
        return answer_of(engine_for(program, instance), instance, limit, timeout)
