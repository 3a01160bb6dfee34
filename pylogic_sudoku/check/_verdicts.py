"""The verdicts on one program, as they come and as a whole."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ._points import Points
from ._result import Marker, Report
from ._verdict import Verdict

__all__ = ["Verdicts"]


class Verdicts(Iterator[Verdict]):
    """The verdicts on a program, one for each instance; true if every one is a success.

    They come as soon as they are known. Its truth, its text and its HTML wait for all of them, and
    can be asked for at any time: ``verdicts = grade(...)`` and ``assert verdicts, verdicts``.
    """

    def __init__(self, verdicts: Generator[Verdict], kept: object = None) -> None:
        self._coming = verdicts
        self._kept = kept  # the folder of a program that was given as text
        self._all: list[Verdict] = []
        self._read = 0

    def __next__(self) -> Verdict:
        if self._read == len(self._all):
            self._all.append(next(self._coming))
        self._read += 1
        return self._all[self._read - 1]

    def __bool__(self) -> bool:
        """True if every verdict is a success."""
        return all(verdict.passed for verdict in self.all)

    def __str__(self) -> str:
        """Return what the command prints."""
        from .reports import write

        return write(self._report, "text")

    __repr__ = __str__  # what pytest shows of a failed assertion

    def _repr_html_(self) -> str:
        from .reports import part

        return part(self._report)

    @property
    def all(self) -> tuple[Verdict, ...]:
        """All verdicts, also those that were read before."""
        self._all += self._coming
        return tuple(self._all)

    def close(self) -> None:
        """End the program that is running, and grade no more."""
        self._coming.close()

    @property
    def _report(self) -> Report:
        return Report(tuple(Marker(Points()).results("program", self.all)))
