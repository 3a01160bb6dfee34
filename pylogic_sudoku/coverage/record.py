"""A record of trials, a JSON object a line, with which a run that was stopped goes on.

The first line says what is tried: the programs, the instances and the limits. A record of another
program or instance is refused.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from ..errors import InvalidProblem
from ..questions.journal import Journal
from .edits import Edit, files_of
from .plan import Plan
from .trials import Trial

__all__ = ["Record", "described", "key_of"]

Key = tuple[str, str, int, int, str, str]


class Record:
    """A file of trials, open for more.

    Raises:
        InvalidProblem: If the file is not a record, or one of something else.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self._plan = plan
        self.known: list[tuple[str, Trial]] = []
        """The trials of the plan that the file has already."""
        head = described(plan)
        self._journal = Journal(path)
        lines = self._journal.lines
        if lines and lines[0] != head:
            self._journal.close()
            changed = [name for name in head if lines[0].get(name) != head[name]]
            raise InvalidProblem(
                f"{path} is a record of something else ({', '.join(changed)} differ); give another"
                " name, or remove it"
            )
        self._read(lines[1:])
        if not lines:
            self._journal.add(head)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    def add(self, name: str, trial: Trial) -> None:
        """Write one more trial, of a program."""
        edit = key_of(name, trial.edit)[1:]
        self._journal.add({"program": name, "edit": edit, **trial.to_json()})

    def _read(self, lines: list[dict[str, Any]]) -> None:
        edits = {key_of(name, edit): edit for name, own in self._plan.edits.items() for edit in own}
        known: dict[Key, tuple[str, Trial]] = {}
        for line in lines:
            key: Key = (line["program"], *line["edit"])
            if edit := edits.get(key):
                known[key] = line["program"], Trial(edit, line["outcomes"])
        self.known = list(known.values())


def key_of(name: str, edit: Edit) -> Key:
    """Return what distinguishes an edit of a program from all others of the problem."""
    return name, edit.file.name, edit.start, edit.end, edit.new, edit.kind


def described(plan: Plan) -> dict[str, Any]:
    """Return what two runs have in common if their results can be put together, as JSON."""
    some = next(iter(plan.tasks.values()))
    programs = {
        name: sha256(b"\0".join(file.read_bytes() for file in files_of(task.path))).hexdigest()
        for name, task in plan.tasks.items()
    }
    return {
        "record": "mutants" if some.ends_early else "coverage",
        "problem": plan.problem.name,
        "programs": programs,
        "instances": {each.label: str(each) for each in some.instances},
        "limit": some.limit,
        "timeout": some.timeout,
    }
