"""Work that takes long shows what it is doing, for instance on a line of the terminal.

A thread of its own writes that, since the work occupies the main thread. It disappears when the
work ends.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, TypeVar

from ..engines.budget import now_doing
from ._output import console

if TYPE_CHECKING:
    from rich.live import Live

__all__ = ["Waiting", "patient", "progress", "waiting"]

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds until something is said."""
ATTENTION = 0.25
"""Seconds between two looks at the clock."""


class Waiting(ABC):
    """Shows what is being done and for how long, once it has taken two seconds."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._watched = False
        self._since: float | None = None
        self._shown = False
        self._what = ""

    def enter(self, what: str) -> None:
        """Begin work that may take long, and that prints nothing before `leave`."""
        self._what, self._since = what, monotonic()
        if not self._watched:
            self._watched = True
            Thread(target=self._watch, daemon=True).start()

    def leave(self) -> None:
        """End the work."""
        if self._since is None:
            return
        with self._lock:
            if self._shown:
                self.hide()
            self._shown, self._since = False, None

    def text(self) -> str:
        """What is being done, or "" if that is not known."""
        said = ": ".join(filter(None, (self._what, now_doing())))
        seconds = monotonic() - (self._since or monotonic())
        return f"{said} … {seconds:.0f} s" if said else ""

    @abstractmethod
    def show(self, first: bool) -> None:
        """Show the text, for the first time or again."""

    @abstractmethod
    def hide(self) -> None:
        """Remove the text."""

    def _watch(self) -> None:
        while True:
            sleep(ATTENTION)
            with self._lock:
                since = self._since
                if since is None or monotonic() - since < PATIENCE:
                    continue
                if self.text():
                    self.show(not self._shown)
                    self._shown = True
                elif self._shown:
                    self.hide()
                    self._shown = False


class _Terminal(Waiting):
    """A line on standard error, if that is a terminal."""

    def __init__(self) -> None:
        super().__init__()
        self._live: Live | None = None
        self.barred = False
        """True while there is a bar instead, which has a clock."""

    def enter(self, what: str) -> None:
        if not self.barred and sys.stderr.isatty():
            super().enter(what)

    def show(self, first: bool) -> None:
        if not first:
            return  # it renews itself
        from rich.live import Live
        from rich.text import Text

        self._live = Live(
            get_renderable=lambda: Text(self.text(), no_wrap=True, overflow="ellipsis"),
            console=console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def hide(self) -> None:
        if self._live:
            self._live.stop()


_terminal = _Terminal()


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Around work that prints nothing: after two seconds, a terminal shows what is being done."""
    _terminal.enter(what)
    try:
        yield
    finally:
        _terminal.leave()


def patient(parts: Iterator[T], what: str) -> Iterator[T]:
    """Yield the parts, each awaited as in `waiting`."""
    while True:
        with waiting(what):
            part = next(parts, _END)
        if part is _END:
            return
        yield part  # type: ignore[misc]


_END = object()


@contextmanager
def progress(total: Callable[[], int | None]) -> Iterator[Callable[[], None]]:
    """Show a progress bar if standard error is a terminal.

    Call the function that this yields after each answer. `total` returns the number of answers.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total(), rate="")

        def advance() -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, advance=1, rate=f"{speed:.0f}/s" if speed else "")

        _terminal.barred = True
        try:
            yield advance
        finally:
            _terminal.barred = False
