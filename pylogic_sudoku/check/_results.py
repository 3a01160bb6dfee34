"""What a runner writes of a program, read and judged while the program runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import monotonic
from typing import IO, Any

from ..grid import Grid
from ._answers import Answer, read_answer
from ._limited import LARGEST_FILE

__all__ = ["Results"]

GRACE = 1.0
"""Seconds for which a program goes on after a wrong answer: most end by then, and all is known."""
AT_ONCE = 1 << 18
"""Bytes to read before checking the time limit again: a few hundred answers."""
LONGEST_LINE = 1 << 20
"""Bytes of a line; no runner writes a longer one."""
STAGES = ("loading", "grounding", "searching")


class Results:
    """The file of results of one run, which `read` takes in as it grows."""

    def __init__(
        self, path: Path, puzzle: Grid, atom: str, most: int, wrong: Callable[[Answer], bool]
    ) -> None:
        self.answers: list[Answer] = []
        """Each set of filled cells once."""
        self.stage = STAGES[0]
        self.found = 0
        """The number of answers, repetitions included; not up to date while there are none."""
        self.again = ""
        """How the same grid comes again."""
        self.notes: list[str] = []
        """What may explain a wrong answer."""
        self.failed: tuple[str, str] | None = None
        """The kind of failure, and its text."""
        self.ended = False
        self.exhausted = False
        self.wrong = False
        """True if there is a wrong answer."""
        self.spoilt = False
        """True if a line does not come from a runner: the program has written to the file."""
        self._path, self._puzzle, self._atom = path, puzzle, atom
        self._most = most or inf
        self._is_wrong = wrong
        self._file: IO[bytes] | None = None
        self._cut = b""
        self._until = inf

    def decided(self) -> bool:
        """Reads on; True if the program can be stopped."""
        self._read()
        return self.spoilt or monotonic() >= self._until

    def finish(self) -> None:
        """Reads the rest; a last line that was cut off is passed over."""
        while self._read():
            pass
        if self._file:
            self._file.close()

    def full(self) -> bool:
        """True if the results have reached the size where they are cut off."""
        return self._path.exists() and self._path.stat().st_size >= LARGEST_FILE

    def _read(self) -> bool:
        """Takes in the next lines; False if there is nothing new."""
        try:
            self._file = self._file or self._path.open("rb")
        except OSError:  # not there yet
            return False
        part = self._file.read(AT_ONCE)
        *lines, self._cut = (self._cut + part).split(b"\n")
        for line in lines:
            self._take_in(line)
        if len(self._cut) > LONGEST_LINE or len(self.answers) > self._most:
            self.spoilt = True
        return bool(part) and not self.spoilt

    def _take_in(self, line: bytes) -> None:
        before = len(self.answers)
        try:
            kind, *rest = json.loads(line.decode(errors="replace"))
            self._take(kind, *rest)
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
            self.spoilt = True
        if not self.wrong and any(map(self._is_wrong, self.answers[before:])):
            self.wrong = True
            self._until = monotonic() + GRACE

    def _take(self, kind: str, *rest: Any) -> None:
        if kind == "answer":
            cells, note = rest
            self.answers.append(read_answer(cells, self._puzzle, _text(note), self._atom))
        elif kind == "found":
            self.found, self.again = int(rest[0]), _text(rest[1])
        elif kind == "stage":
            self.stage = STAGES[STAGES.index(rest[0])]
        elif kind == "note":
            self.notes.append(_text(rest[0]))
        elif kind == "failed":
            self.failed = (_text(rest[0]), _text(rest[1]))
        elif kind == "end":
            self.exhausted, self.found = bool(rest[0]), int(rest[1])
            self.ended = True
        else:
            raise ValueError(kind)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value
