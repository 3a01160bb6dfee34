"""The output of the commands: streams that may be full or closed, grids, tables, pictures."""

from __future__ import annotations

import errno
import io
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from math import ceil
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Self, TextIO, TypeVar

from ..files import append_to, check_target, is_regular
from ..puzzle import Grid, Puzzle
from ..running.workers import now_doing, waits

if TYPE_CHECKING:
    from pathlib import Path

    from _typeshed import ReadableBuffer
    from click import UsageError
    from rich.console import Console

    from ..draw import Picture


OUTPUT_LOST, PIPE_CLOSED = 6, 141

_DISK_FAILED = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def echo(text: object = "") -> None:
    """Print to standard output, at once."""
    print(text, flush=True)


def print_soon(text: object) -> None:
    """Print to standard output, to a file or a pipe when this process waits for an engine."""
    print(text, flush=sys.stdout.isatty())


waits.append(lambda: sys.stdout.flush())


def say(message: str) -> None:
    """Print to standard error, at once, and after all that was printed before."""
    sys.stdout.flush()
    print(message, file=sys.stderr, flush=True)


def usage_error(message: str) -> UsageError:
    """The error of click for a wrong use of the command line."""
    import click

    return click.UsageError(message)


# --- streams and files --------------------------------------------------------------------


def exit_codes(of_one: str) -> str:
    """The end of a help: all exit codes, with the meaning of 1."""
    return f"""\
Exit codes: 0 done, 1 {of_one}, 2 bad usage or bad input, 3 an engine is missing
or broke, 4 out of time, 5 the engines disagree, 6 the output cannot be written, 130 interrupted
(143 by TERM, 129 by HUP)."""


EXIT_CODES = exit_codes("some puzzle has no solution")


class OutputLost(Exception):
    """An answer cannot be written: the reason, and the exit code that it means.

    It is not an OSError: if click or rich see that of a closed pipe, they end the program
    themselves, with another exit code.
    """

    def __init__(self, error: OSError, stream: str = "") -> None:
        """`stream` names what cannot be written; without it, the error names its file."""
        super().__init__(f"{stream or error.filename}: {error.strerror}")
        self.code = OUTPUT_LOST if stream or error.errno in _DISK_FAILED else 2
        if isinstance(error, BrokenPipeError):
            self.code = PIPE_CLOSED


class _Stream(io.RawIOBase):
    """A file to write to, which is opened when it is needed.

    It fails once, by OutputLost, and then discards all text. `stream` is its name, if it is one of
    ours; lost messages are silent unless their reader has gone.
    """

    def __init__(self, opened: Callable[[], io.FileIO], stream: str, terminal: bool) -> None:
        super().__init__()
        self._opened = opened
        self._stream = stream
        self._file: io.FileIO | None = None
        self._terminal = terminal
        self._failed = False
        self._handed_over = b""

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._terminal

    def write(self, data: ReadableBuffer) -> int:
        size = memoryview(data).nbytes
        if self._failed:
            return size
        before, self._handed_over = self._handed_over, b""
        if before and bytes(data).startswith(before):
            return len(before)
        sizes: list[int | None] = []

        def write() -> None:
            self._file = self._file or self._opened()
            while True:  # one call writes and notes the size: Ctrl-C may come after any
                sizes.extend(map(self._file.write, (data,)))
                if sizes[-1] is not None:
                    break
                select.select([], [self._file], [])  # the reader asks not to block

        try:
            if self._terminal:
                _status.make_way(write)
            else:
                write()
            return sizes[-1] or 0
        except KeyboardInterrupt:  # the buffer will offer again what has been written
            if size <= io.DEFAULT_BUFFER_SIZE:  # a longer text passes it by, and is not kept
                self._handed_over = bytes(data)[: sizes[-1] if sizes and sizes[-1] else 0]
            raise
        except OSError as error:
            self._failed = True
            if self._stream == "standard error" and not isinstance(error, BrokenPipeError):
                return size
            lost = self._stream and f"{self._stream} cannot be written"
            raise OutputLost(error, lost) from None

    def at_once(self, data: bytes) -> None:
        """Write past all buffers."""
        self._file = self._file or self._opened()
        self._file.write(data)

    def close(self) -> None:
        if self._file:
            self._file.close()
        super().close()


def watch() -> None:
    """Make a failing standard output raise OutputLost, and a failing standard error be silent.

    A stream that was closed at the start is opened on the null device; otherwise the next file
    to be opened would take its number, and an engine could write its messages there. Writing to
    a closed standard output fails, as it should.
    """
    for name, flags in (("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            number, mode = os.open(os.devnull, flags), "r" if name == "stdin" else "w"
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115
    sys.stdout = _watched(sys.stdout, "standard output")
    sys.stderr = _watched(sys.stderr, "standard error")


def _watched(stream: TextIO, name: str) -> TextIO:
    raw = getattr(stream, "buffer", None)
    if type(getattr(raw, "raw", raw)) is not io.FileIO:
        return stream  # a test's, or the console of Windows
    stream.flush()
    opened = partial(io.FileIO, stream.fileno(), "wb", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(_Stream(opened, name, stream.isatty())),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=getattr(stream, "line_buffering", False),
        write_through=getattr(stream, "write_through", False),
    )


def check_output(path: str | Path | None, *sources: str | None) -> None:
    """Fail before any work if writing this file would fail or destroy a source.

    UsageError if the file is one of the sources under any name, `-` being standard input; OSError
    if it cannot be written.
    """
    if path is None:
        return
    if not os.path.exists(path) or os.path.isdir(path) or is_regular(path):
        check_target(path)
    for source in filter(None, sources):
        with suppress(OSError, ValueError):
            if not os.path.exists(path) and os.path.realpath(source) == os.path.realpath(path):
                raise usage_error(f"{path} is given twice; give the output another name")
            status = os.fstat(0) if source == "-" else os.stat(source)
            if stat.S_ISREG(status.st_mode) and os.path.samestat(status, os.stat(path)):
                raise usage_error(f"{path} is read as input; give the output another name")


@contextmanager
def printing_to(path: str | Path | None, *sources: str) -> Iterator[None]:
    """Let what is printed go to this file, if there is one; see `check_output`.

    The file is written bit by bit, so what a run has found before it is killed is there. A run that
    prints nothing leaves the file as it was.
    """
    if path is None:
        yield
        return
    check_output(path, *sources)
    before = sys.stdout
    file = _Stream(partial(append_to, path, "wb"), "", terminal=False)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(file), encoding="utf-8")
    try:
        yield
    finally:
        written, sys.stdout = sys.stdout, before
        written.close()


# --- grids, one after another -------------------------------------------------------------

ONE_EACH = ("facts", "dzn")
"""Formats whose files hold one puzzle: clingo and MiniZinc would mix several up."""

_CLOSE = ("line", "json", "csv", "opensudoku")
"""Formats without a blank line between puzzles."""

_ONCE = {"csv": (1, 0), "opensudoku": (2, 1)}
"""The numbers of lines at the head and at the end that are written once for all puzzles."""


class GridPrinter:
    """Print puzzles in one format, each as soon as it can; leave the context after the last.

    A second puzzle in a format that holds one is a UsageError.
    """

    def __init__(self, form: str) -> None:
        self._form = form
        self._end = ""
        self._first = True
        self._shapes: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._end:
            echo(self._end)

    def _lost_shape(self, shape: str) -> None:
        """Say once that the output needs its box shape to be read again."""
        if shape not in self._shapes:
            self._shapes.add(shape)
            say(f"{self._form} has no place for {shape} boxes: read it again with --box {shape}")

    def __call__(self, puzzle: Grid | Puzzle) -> None:
        """Print the puzzle."""
        first, self._first = self._first, False
        if self._form in ONE_EACH and not first:
            raise usage_error(
                f"a file of the format {self._form} holds one puzzle, but there are several; write"
                " each to its own file"
            )
        lines = puzzle.format(self._form).splitlines()
        if self._form in _CLOSE and lines[0].startswith("#C"):  # a box shape, one line too many
            del lines[0]
            self._lost_shape("{}x{}".format(*puzzle.box))
        head, tail = _ONCE.get(self._form, (0, 0))
        end = len(lines) - tail
        self._end = "\n".join(lines[end:])
        gap = "" if first or self._form in _CLOSE else "\n"
        echo(gap + "\n".join(lines[0 if first else head : end]))


def written(puzzle: Grid | Puzzle) -> str:
    """The puzzle as a line, or as JSON if a line cannot hold it."""
    if puzzle.is_plain:
        return str(puzzle.grid)
    return puzzle.format("json")


class SolutionPrinter(GridPrinter):
    """Print the solution of each puzzle in one format, or that it has none.

    Lines and rows of a table pair with the input: one without a solution is empty. A
    table has the puzzle in its first column, which is empty if the puzzle cannot be read. Nothing
    is printed before the first puzzle that can be read, so a slip leaves the file as it was.
    """

    def __init__(self, form: str) -> None:
        super().__init__(form)
        self._held = 0
        self._lines = False

    def unread(self) -> None:
        """Print that a puzzle cannot be read."""
        self._held += 1

    def solution(self, puzzle: Grid | Puzzle, solution: Grid | Puzzle | None) -> None:
        """Print the solution of the puzzle, if it has one."""
        held, self._held = self._held, 0
        for _ in range(held):
            self._print(None, None)
        self._print(puzzle, solution)

    def __exit__(self, *ended: object) -> None:
        if self._lines:
            for _ in range(self._held):
                self._print(None, None)
        super().__exit__(*ended)

    def _print(self, puzzle: Grid | Puzzle | None, solution: Grid | Puzzle | None) -> None:
        self._lines = True
        if self._form == "csv":
            self._row(puzzle, solution)
        elif solution is not None:
            self(solution)
        elif self._form == "line":
            echo()

    def _row(self, *grids: Grid | Puzzle | None) -> None:
        import csv

        rows = csv.writer(sys.stdout, lineterminator="\n")
        if self._first:
            rows.writerow(("puzzle", "solution"))
        rows.writerow([each and written(each) for each in grids])
        sys.stdout.flush()
        self._first = False


# --- terminals ----------------------------------------------------------------------------


def console(stderr: bool = False) -> Console:
    """The terminal, in colour if it and the user want that."""
    from rich.console import Console

    return Console(stderr=stderr, color_system=None if os.environ.get("NO_COLOR") else "auto")


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str | None]]) -> None:
    """Print a table; if it is wider than the terminal, print each field on its own line."""
    from rich.table import Table
    from rich.text import Text

    terminal = console()
    # As they are: in text that rich reads, [red] in the name of a file would be a colour.
    table = Table()
    for heading in headings:
        table.add_column(Text(heading))
    for row in rows:
        table.add_row(*(Text(value or "") for value in row))
    natural = terminal.measure(table, options=terminal.options.update(width=10_000)).maximum
    if natural <= terminal.width:
        terminal.print(table)
        return
    for row in rows:
        for heading, value in zip(headings, row, strict=True):
            echo(f"{heading}: {value or ''}")
        echo()


def print_picture(picture: Picture, rules: bool = True) -> None:
    """Print a picture as the terminal can show it: colours, line drawing, width.

    The rules beyond plain sudoku are below it in words, if `rules`.
    """
    from ..draw import in_ascii

    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    text = picture.to_text(color=sys.stdout.isatty() and not dull, rules=rules)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = in_ascii(text)
    echo(text)


# --- work that takes long shows what it is doing, for instance on a line of the terminal ---

T = TypeVar("T")

QUIET = 2.0
"""Seconds for which a terminal may show nothing."""
ATTENTION = 0.25
"""Seconds between two looks at the clock."""
_bars: list[object] = []
"""The bar, while there is one: it has a clock."""


class _StatusLine:
    """The line of a terminal that shows what is being done while nothing else appears there.

    It appears two seconds after the last output that reached the terminal, wherever answers go:
    `_Stream` reports all output. A thread writes it, since the work occupies the main thread.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._what = ""
        self._started = self._since = 0.0
        self._shown = self._running = False

    @contextmanager
    def during(self, what: str) -> Iterator[Callable[[str], None]]:
        """Watch the block; the function that this yields changes what is being done."""
        before = self._what
        self._what, self._started = what, monotonic()
        try:
            if self._running or _bars or not _takes_lines(sys.stderr):
                yield self._turn_to
                return
            self._since, self._running, done = self._started, True, Event()
            watcher = Thread(target=self._watch, args=(done,), daemon=True)
            watcher.start()
            try:
                yield self._turn_to
            finally:
                done.set()
                watcher.join()
                self._running = False
                self.make_way()
        finally:
            self._what = before

    def make_way(self, write: Callable[[], None] = lambda: None) -> None:
        """Remove the line and call the function, which writes; it may reappear in two seconds.

        No context manager, since a generator keeps the lock if Ctrl-C comes between its yield and
        the block: the words about Ctrl-C would then wait for it without end.
        """
        with self._lock:
            if self._shown:
                _write_line("")
            self._shown = False
            write()
            self._since = monotonic()

    def _turn_to(self, what: str) -> None:
        self._what, self._started = what, monotonic()

    def _watch(self, done: Event) -> None:
        while not done.wait(ATTENTION):
            now = monotonic()
            with self._lock:
                if now - self._since >= QUIET:
                    self._write(now - self._started)

    def _write(self, seconds: float) -> None:
        from shutil import get_terminal_size

        text = ": ".join(filter(None, (self._what, now_doing())))
        _write_line(f"{text} … {seconds:.0f} s"[: get_terminal_size().columns - 1])
        self._shown = True


def _takes_lines(stream: TextIO) -> bool:
    """True for a terminal on which a line can be replaced."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _write_line(text: str) -> None:
    """Put the text in place of the line.

    Not through the stream: its lock may belong to a thread that waits to clear the line.
    """
    line = f"\r\x1b[2K{text}"
    raw = getattr(getattr(sys.stderr, "buffer", None), "raw", None)
    with suppress(OSError):
        if isinstance(raw, _Stream):
            raw.at_once(line.encode(sys.stderr.encoding, "replace"))
        else:  # a test's
            print(line, end="", file=sys.stderr, flush=True)


_status = _StatusLine()


def waiting(what: str) -> AbstractContextManager[Callable[[str], None]]:
    """Let a terminal show what is being done if nothing else appears there for two seconds.

    The function that the context manager returns changes what is being done.
    """
    return _status.during(what)


def patient(parts: Iterator[T], what: str) -> Iterator[T]:
    """Yield the parts, each awaited as in `waiting`."""
    with waiting(what) as turn_to:
        for part in parts:
            yield part
            turn_to(what)


class Pace:
    """The part of a long run that is done, and an estimate of the time for the rest.

    They begin the line that shows what is being done; where there is none, nothing is counted.
    """

    def __init__(self, total: Callable[[], int | None]) -> None:
        shown = not _bars and _takes_lines(sys.stderr)
        self._total = (total() if shown else None) or 0
        self._start = monotonic()

    def at(self, done: int) -> str:
        """The words while the next one is being done; "" if there is only one."""
        if self._total < 2:
            return ""
        seconds = monotonic() - self._start
        left = seconds / done * (self._total - done) if done and seconds >= QUIET else 0
        return f"{done + 1:,} of {self._total:,}{_left(left)}: "


def _left(seconds: float) -> str:
    """An estimate in words, or "" for none."""
    if not seconds:
        return ""
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours:
        return f", about {hours} h {minutes} min left"
    return f", about {minutes} min left" if seconds >= 90 else f", about {ceil(seconds)} s left"


@contextmanager
def progress(total: Callable[[], int | None], shown: bool = False) -> Iterator[Callable[[], None]]:
    """Show a progress bar if standard error is a terminal, unless answers `shown` there do.

    Call the function that this yields after each answer. `total` returns the number of answers.
    """
    if shown or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich import progress as rich

    times = (rich.TimeElapsedColumn(), rich.TimeRemainingColumn())
    columns = (rich.BarColumn(), rich.MofNCompleteColumn(), *times)
    with rich.Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total())
        _bars.append(bar)
        try:
            yield lambda: bar.advance(task)
        finally:
            _bars.clear()
