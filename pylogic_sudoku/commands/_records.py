"""The log of ``compare``: a JSON object on a line for each puzzle, in a file that only grows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

import click

from .._saving import append_to, is_regular, write_all

__all__ = ["OUTCOMES", "Log"]

OUTCOMES = ("unique", "several", "none", "checked", "timed out", "error", "disagreement")
"""The first three are what engines that agree have found."""

_BEGINNINGS = (b'{"number": ', b'{"summary": ')
"""How a line of a log begins."""


class Log:
    """The file to which a run appends its records; no file if `path` is None.

    With `resume` it may hold the records of earlier runs, each followed by a summary; without, it
    must be new or empty. No record is ever removed, only the rest of a line that was cut off.
    ClickException if the file is not as expected; OSError, which names it, if it cannot be used.
    """

    def __init__(self, path: str | None, resume: bool) -> None:
        self._path = path or ""
        self._file: BinaryIO | None = None
        self._end: int | None = None
        self._open_line = False
        self.can_be_resumed = False
        if path is None:
            return
        self.can_be_resumed = is_regular(path) or not os.path.exists(path)
        if resume and not self.can_be_resumed:
            raise self._refused("--resume needs an ordinary file")
        self._file = append_to(path, "a+b" if resume else "ab")
        try:
            if self.can_be_resumed:
                self._lock()
                if not resume and os.fstat(self._file.fileno()).st_size:
                    raise self._refused(f"it exists and is not empty; {self._cure()}")
        except BaseException:
            self._file.close()
            raise

    def earlier(self) -> Iterator[dict[str, Any]]:
        """The records in the file, each as it is read; read them before the first `write`.

        ClickException at a line that no run wrote.
        """
        if self._file is None:
            return
        self._end = 0
        number = 0
        with open(self._file.fileno(), "rb", closefd=False) as lines:
            lines.seek(0)
            # In a file that is not ours, a line may be as long as the file.
            head = lines.peek(len(_BEGINNINGS[1]))[: len(_BEGINNINGS[1])]
            if head and not _begins_like_a_record(head):
                raise self._not_ours(1)
            for place, line in enumerate(lines, 1):
                ended = line.endswith(b"\n")
                record = _record(line)
                if record is None:
                    if ended or not _begins_like_a_record(line):
                        raise self._not_ours(place)
                    return
                self._end += len(line)
                self._open_line = not ended
                if "summary" in record:
                    continue
                number += 1
                if record["number"] != number:
                    raise self._refused(
                        f"line {place} has number {record['number']}, but {number} was expected"
                    )
                yield record

    def write(self, record: dict[str, Any]) -> None:
        """Append it, as one line."""
        if self._file is None:
            return
        try:
            if self._end is not None:
                if self._end < os.fstat(self._file.fileno()).st_size:
                    self._file.truncate(self._end)
                self._end = None
            start = b"\n" if self._open_line else b""
            self._open_line = False
            write_all(self._file, start + json.dumps(record).encode() + b"\n")
        except OSError as error:
            raise OSError(error.errno, error.strerror, self._path) from None

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._file:
            self._file.close()

    def _lock(self) -> None:
        """Keep other runs from writing to the file, if the system has locks."""
        assert self._file is not None
        try:
            from fcntl import LOCK_EX, LOCK_NB, flock
        except ImportError:
            return
        with suppress(OSError):  # some network drives have none
            try:
                flock(self._file, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                raise self._refused("another run is writing to it") from None

    def _cure(self) -> str:
        with open(self._path, "rb") as file:
            ours = file.read(20).startswith(_BEGINNINGS)
        if ours:
            return f"--resume {self._path} continues that run, or give another name"
        return "give another name"

    def _not_ours(self, place: int) -> click.ClickException:
        return self._refused(f"line {place} is not a record that compare --json wrote")

    def _refused(self, why: str) -> click.ClickException:
        return click.ClickException(f"{self._path}: {why}")


def _begins_like_a_record(line: bytes) -> bool:
    return any(line.startswith(start) or start.startswith(line) for start in _BEGINNINGS)


def _record(line: bytes) -> dict[str, Any] | None:
    """The record or summary on the line, or None."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    if "summary" in record:
        return record
    expected = {"number": int, "puzzle": str | dict, "box": list, "seconds": dict, "outcome": str}
    if not all(isinstance(record.get(key), kind) for key, kind in expected.items()):
        return None
    numbers = all(isinstance(seconds, float | int) for seconds in record["seconds"].values())
    return record if numbers and record["outcome"] in OUTCOMES else None
