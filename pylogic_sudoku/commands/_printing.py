"""How grids follow each other in one text, of whatever format."""

from __future__ import annotations

from ..grid import Grid

__all__ = ["ONE_EACH", "Printer"]

ONE_EACH = ("facts", "dzn")
"""Formats whose files hold one puzzle: clingo and MiniZinc would mix several up."""

_CLOSE = ("line", "json", "csv", "opensudoku")
"""Formats in which no blank line stands between puzzles."""

_ONCE = {"csv": (1, 0), "opensudoku": (2, 1)}
"""How many lines at the head and at the end stand once, however many puzzles are between."""


class Printer:
    """The text of grids in one format, piece by piece; a piece has no final newline."""

    def __init__(self, form: str, removable: bool = False) -> None:
        self._form = form
        self._removable = removable
        self._head, self._tail = _ONCE.get(form, (0, 0))
        self._end: list[str] = []
        self._first = True

    def piece(self, grid: Grid) -> str:
        """The text of the next grid."""
        lines = grid.format(self._form, removable=self._removable).splitlines()
        end = len(lines) - self._tail
        self._end = lines[end:]
        first, self._first = self._first, False
        if first:
            return "\n".join(lines[:end])
        gap = "" if self._form in _CLOSE else "\n"
        return gap + "\n".join(lines[self._head : end])

    def end(self) -> str:
        """What stands after the last grid; empty for most formats, and if there was no grid."""
        return "\n".join(self._end)
