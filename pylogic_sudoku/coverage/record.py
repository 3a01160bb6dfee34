"""A record of trials, a JSON object a line, with which a run that was stopped goes on.

The first line says what is tried: the programs, the instances and the limits. A record of another
program or instance is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any, Self

from ..errors import InvalidProblem
from ..files import append_to
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
        lines = list(_objects(path)) if path.exists() else []
        if lines and lines[0] != head:
            changed = [name for name in head if lines[0].get(name) != head[name]]
            raise InvalidProblem(
                f"{path} is a record of something else ({', '.join(changed)} differ); give another"
                " name, or remove it"
            )
        self._read(lines[1:])
        self._file: FileIO = append_to(path)
        if not lines:
            self._write(head)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, name: str, trial: Trial) -> None:
        """Write one more trial, of a program."""
        self._write({"program": name, "edit": key_of(name, trial.edit)[1:], **trial.to_json()})

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line).encode() + b"\n")

    def _read(self, lines: list[dict[str, Any]]) -> None:
        edits = {key_of(name, edit): edit for name, own in self._plan.edits.items() for edit in own}
        known: dict[Key, tuple[str, Trial]] = {}
        for line in lines:
            key: Key = (line["program"], *line["edit"])
            if edit := edits.get(key):
                known[key] = line["program"], Trial(edit, line["outcomes"])
        self.known = list(known.values())


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file; one that was not written to its end is cut off."""
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        os.truncate(path, len(whole))
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise InvalidProblem(
                f"{path}:{number}: it is no line of a record; give another name, or remove it"
            )
        yield value


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
