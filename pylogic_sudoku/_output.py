"""What the command line writes to: standard streams that may be full or closed, and files."""

from __future__ import annotations

import errno
import io
import os
import select
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from ._saving import check_target, is_regular

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["PIPE_CLOSED", "OutputLost", "check_output", "watch"]

OUTPUT_LOST, PIPE_CLOSED = 6, 141

_DISK_FAILED = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


class OutputLost(Exception):
    """An answer cannot be written: the reason, and the exit code that it means.

    It is not an OSError: if click or rich see that of a closed pipe, they end the program
    themselves, with another exit code.
    """

    def __init__(self, place: str, error: OSError, code: int = OUTPUT_LOST) -> None:
        super().__init__(f"{place}: {error.strerror}")
        self.code = code

    @classmethod
    def of_file(cls, error: OSError) -> OutputLost:
        """The same for an error that names its file; exit code 2 if the name is to blame."""
        if isinstance(error, BrokenPipeError):
            return cls(error.filename, error, PIPE_CLOSED)
        return cls(error.filename, error, OUTPUT_LOST if error.errno in _DISK_FAILED else 2)


class _Stream(io.FileIO):
    """A standard stream that fails once, with OutputLost, and then swallows what it is given."""

    def __init__(self, descriptor: int, place: str, needed: bool) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self._place = place
        self._needed = needed
        self._lost = False

    def write(self, data: ReadableBuffer) -> int:
        size = memoryview(data).nbytes
        if self._lost:
            return size
        try:
            while (written := super().write(data)) is None:  # the reader asked us not to block
                select.select([], [self], [])
            return written
        except OSError as error:
            self._lost = True
            if isinstance(error, BrokenPipeError):
                raise OutputLost(self._place, error, PIPE_CLOSED) from None
            if self._needed:
                raise OutputLost(self._place, error) from None
            return size


def watch() -> None:
    """Makes a failing standard output raise OutputLost, and a failing standard error be silent.

    A stream that was closed at the start is opened on the null device; otherwise the next file
    that is opened would take its number, and an engine could write its messages there. Writing to
    a closed standard output fails, as it should.
    """
    if sys.stdin is None:
        _open_null(0, os.O_WRONLY)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        _open_null(1, os.O_RDONLY)
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        _open_null(2, os.O_WRONLY)
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    sys.stdout = _watched(sys.stdout, "standard output cannot be written", needed=True)
    sys.stderr = _watched(sys.stderr, "standard error cannot be written", needed=False)


def _open_null(descriptor: int, flags: int) -> None:
    opened = os.open(os.devnull, flags)
    if opened != descriptor:
        os.dup2(opened, descriptor)
        os.close(opened)
    os.set_inheritable(descriptor, True)


def _watched(stream: TextIO, place: str, needed: bool) -> TextIO:
    if type(stream) is not io.TextIOWrapper or type(_raw(stream)) is not io.FileIO:
        return stream  # a test's, or the console of Windows
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Stream(stream.fileno(), place, needed)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering or stream.write_through,
    )


def _raw(stream: io.TextIOWrapper) -> object:
    return getattr(stream.buffer, "raw", stream.buffer)


def check_output(path: str | Path | None, *sources: str | None) -> None:
    """Refuses a file to be written, before any work, if that would fail or destroy a source.

    UsageError if the file is one of the sources under any name, `-` being standard input; OSError
    if it cannot be written.
    """
    if path is None:
        return
    if not os.path.exists(path) or os.path.isdir(path) or is_regular(path):
        check_target(path)
    for source in filter(None, sources):
        with suppress(OSError, ValueError):
            read = os.fstat(0) if source == "-" else os.stat(source)
            if stat.S_ISREG(read.st_mode) and os.path.samestat(read, os.stat(path)):
                raise click.UsageError(f"{path} is read as input; give the output another name")
