"""A file of JSON objects, one a line: a run adds what it has found, and a later one goes on.

A line is written at once, so a run that is stopped at any time has lost what it was doing, and no
more.
"""

from __future__ import annotations

import json
import os
from io import FileIO
from pathlib import Path
from typing import Any, Self

from ..errors import InvalidProblem
from ..files import append_to

__all__ = ["Journal"]


class Journal:
    """The file, open for more.

    Raises:
        InvalidProblem: If some line of it is no object.
        OSError: If it cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[dict[str, Any]] = _objects(path) if path.exists() else []
        """The objects that the file had at the beginning."""
        self._file: FileIO = append_to(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write no more."""
        self._file.close()

    def add(self, line: dict[str, Any]) -> None:
        """Write one more object."""
        self._file.write(json.dumps(line).encode() + b"\n")


def _objects(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file; a line that was not written to its end is cut off."""
    data = path.read_bytes()
    *lines, last = data.split(b"\n")
    found = []
    for number, line in enumerate([*lines, last] if last[:1] not in (b"", b"{") else lines, 1):
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise InvalidProblem(
                f"{path}:{number}: it is not a line of a record; give another name, or remove it"
            )
        found.append(value)
    if last:
        os.truncate(path, len(data) - len(last))
    return found
