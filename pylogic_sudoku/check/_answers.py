"""Answers of a foreign program: read and judged while the program runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, isqrt
from pathlib import Path
from time import monotonic
from typing import IO, Any, NamedTuple

from ..grid import Grid, cells_of
from ..puzzle import Puzzle
from ..rules._broken import broken_rules
from ._bounds import Bounds

__all__ = ["Answer", "Results", "broken_rule", "read_answer"]

RawPlacement = tuple[int | str, int | str, int | str]
"""Row, column and digit as the program wrote them: text if they are not numbers."""

AT_ONCE = 1 << 18
"""Bytes to read before the time limit is checked again: a few hundred answers."""
STAGES = ("loading", "grounding", "searching")


class Answer(NamedTuple):
    """The cells that a program filled in."""

    grid: Grid
    """Empty where the program gives no digit; the smallest digit where it gives several."""
    fault: str
    """Why the grid is not full, such as ``r1c1 is empty``; empty if each cell has one digit."""


def read_answer(
    placements: Sequence[RawPlacement], puzzle: Grid | Puzzle, note: str = "", atom: str = ""
) -> Answer:
    """Return the answer to the puzzle.

    `note` is the runner's remark on an answer that is not full.
    """
    n = puzzle.size
    filled: dict[int, int] = {}
    outside = twice = ""
    for x, y, digit in placements:
        if not all(isinstance(part, int) and 1 <= part <= n for part in (x, y, digit)):
            shown = f"{atom}({x},{y},{digit})" if atom else f"{digit} in row {x}, column {y}"
            outside = outside or f"{shown}: expected row, column and digit to be 1 to {n}"
            continue
        row, column, number = int(x), int(y), int(digit)
        cell = (row - 1) * n + column - 1
        other = filled.setdefault(cell, number)
        if other != number:
            filled[cell] = min(other, number)
            twice = twice or f"{cells_of(n)[cell]} holds both {other} and {number}"
    note = _smaller(filled, n) or note
    grid = Grid(tuple(filled.get(cell, 0) for cell in range(n * n)), puzzle.box)
    return Answer(grid, outside or twice or _empty(grid, note))


def _smaller(filled: dict[int, int], n: int) -> str:
    """Return a remark if the cells are a full grid of a smaller size."""
    side = isqrt(len(filled))
    square = {row * n + column for row in range(side) for column in range(side)}
    if not 4 <= side < n or filled.keys() != square or max(filled.values()) > side:
        return ""
    return (
        f"this is a full grid of {side}x{side}, but the puzzle is {n}x{n}; an instance gives its"
        " box shape, such as #const box_rows=2. #const box_columns=3."
    )


def _empty(grid: Grid, note: str) -> str:
    if 0 not in grid.digits:
        return ""
    number = grid.digits.count(0)
    first = grid.cells[grid.digits.index(0)]
    fault = f"{first} is empty" if number == 1 else f"{first} and {number - 1} more cells are empty"
    if number == len(grid.digits):
        fault = "every cell is empty"
    return f"{fault} ({note})" if note else fault


def broken_rule(answer: Answer, puzzle: Grid | Puzzle) -> str:
    """Return the first rule that the answer breaks; empty if it is a solution."""
    if answer.fault:
        return answer.fault
    for cell, given, found in zip(puzzle.cells, puzzle.digits, answer.grid.digits, strict=True):
        if given not in (0, found):
            return f"{cell} holds {found}, but {given} is given there"
    filled = replace(puzzle, grid=answer.grid) if isinstance(puzzle, Puzzle) else answer.grid
    for duplicate in filled.duplicates():
        return str(duplicate)
    for cell, digit in ((each.cell, each.digit) for each in puzzle.excluded):
        if answer.grid[cell] == digit:
            return f"{cell} holds {digit}, but its mark excludes {digit}"
    if isinstance(filled, Puzzle):
        for rule in broken_rules(filled):
            return f"{rule} is broken"
    return ""


class Results:
    """The file of results of one run, read while it grows."""

    def __init__(
        self,
        path: Path,
        puzzle: Grid | Puzzle,
        atom: str,
        most: int,
        wrong: Callable[[Answer], bool],
        bounds: Bounds,
    ) -> None:
        self.answers: list[Answer] = []
        """Each set of filled cells once."""
        self.stage = STAGES[0]
        self.found = 0
        """The number of answers with repetitions; not up to date while there are none."""
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
        """True if the program has written to the file: a line does not come from a runner."""
        self._path, self._puzzle, self._atom = path, puzzle, atom
        self._most = most or inf
        self._bounds = bounds
        self._is_wrong = wrong
        self._file: IO[bytes] | None = None
        self._cut = b""
        self._until = inf

    def decided(self) -> bool:
        """Read on; True if the program can be stopped."""
        self._read()
        return self.spoilt or monotonic() >= self._until

    def finish(self) -> None:
        """Read the rest; an incomplete last line is ignored."""
        while self._read():
            pass
        if self._file:
            self._file.close()

    def full(self) -> bool:
        """True if the file has reached its size limit."""
        return self._path.exists() and self._path.stat().st_size >= self._bounds.output << 20

    def _read(self) -> bool:
        """Read the next lines; False if there is nothing new."""
        try:
            self._file = self._file or self._path.open("rb")
        except OSError:  # not there yet
            return False
        part = self._file.read(AT_ONCE)
        *lines, self._cut = (self._cut + part).split(b"\n")
        for line in lines:
            self._take_in(line)
        if len(self._cut) > self._bounds.result_bytes or len(self.answers) > self._most:
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
            self._until = monotonic() + self._bounds.grace

    def _take(self, kind: str, *rest: Any) -> None:
        if kind == "answer":
            placements, note = rest
            self.answers.append(read_answer(placements, self._puzzle, _text(note), self._atom))
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
