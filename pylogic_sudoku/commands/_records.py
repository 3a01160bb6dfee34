"""The log of ``compare``: a JSON object on a line for each puzzle, in a file that only grows."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import Any, BinaryIO

import click

from .._saving import append_to, is_regular, write_all

__all__ = ["OUTCOMES", "Log"]

OUTCOMES = ("unique", "several", "none", "checked", "timed out", "error", "disagreement")
"""The first three are what engines that agree have found."""


class Log:
    """The file to which a run appends its records; no file if `path` is None.

    It must be new or empty, unless it is a device or a pipe. ClickException if it is not, or if
    another run writes to it; OSError, which names it, if it cannot be used.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path or ""
        self._file: BinaryIO | None = None
        if path is None:
            return
        regular = is_regular(path) or not os.path.exists(path)
        self._file = append_to(path)
        try:
            if regular:
                self._lock()
                if os.fstat(self._file.fileno()).st_size:
                    raise self._refused("it exists and is not empty; give another name")
        except BaseException:
            self._file.close()
            raise

    def write(self, record: dict[str, Any]) -> None:
        """Append it, as one line."""
        if self._file is None:
            return
        try:
            write_all(self._file, json.dumps(record).encode() + b"\n")
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

    def _refused(self, why: str) -> click.ClickException:
        return click.ClickException(f"{self._path}: {why}")
