"""The face of a format, and the formats by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from ..results import Report, Result

FORMATS: dict[str, Format] = {}
"""Every format, by its name."""


class Format(ABC):
    """A format of reports. One with a name is there for users as soon as its class is."""

    name: ClassVar[str] = ""
    ending: ClassVar[str]
    """The usual one of a file."""
    holds_many: ClassVar[bool] = True
    """True if it can hold any number of programs; or else it is about one."""

    def __init_subclass__(cls) -> None:
        if cls.name:
            FORMATS[cls.name] = cls()

    @abstractmethod
    def text(self, report: Report) -> str:
        """Return the whole report. It says `INCOMPLETE` if the run was."""


class Streamed(Format):
    """A format in which each result can be printed as soon as it is known."""

    as_table: ClassVar[bool] = False
    """True if people like a table at the end better where there are several programs."""
    has_all: ClassVar[bool] = True
    """True if even what was not run has a place."""

    @abstractmethod
    def result(self, result: Result, with_points: bool = False) -> str:
        """Return a result, with points if these were set."""

    def brief(self, result: Result, with_points: bool = False, several: bool = False) -> str:
        """Return a result on one line; of several programs, with the program."""
        return self.result(result, with_points)

    @abstractmethod
    def end(self, report: Report) -> str:
        """Return the end, below the results."""


def streamed() -> dict[str, Streamed]:
    """Return the formats in which results can be printed one by one."""
    return {name: each for name, each in FORMATS.items() if isinstance(each, Streamed)}


def write(report: Report, form: str) -> str:
    """Return the report in one of `FORMATS`; ValueError if it is too much for that format."""
    if form not in FORMATS:
        raise ValueError(f"there is no report {form!r}; choose one of {', '.join(FORMATS)}")
    if not FORMATS[form].holds_many and len(report.programs) > 1:
        raise ValueError(
            f"a report for {form} is about one program, but there are {len(report.programs)}"
        )
    written = FORMATS[form].text(report)
    return written if written[-1:] in ("", "\n") else f"{written}\n"
