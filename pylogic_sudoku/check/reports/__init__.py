"""A report in the format that a platform reads: one small writer for each.

A writer gets the whole `Report` and returns the text of a file. All use the words of the results,
so a student reads the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable

from .._result import Report
from ._html import html, part
from ._platforms import coderunner, csv, gradescope, json, junit
from ._text import text

__all__ = ["CLASS", "FORMATS", "part", "write"]

_WRITERS: dict[str, Callable[[Report], str]] = {
    "gradescope": gradescope,
    "junit": junit,
    "coderunner": coderunner,
    "csv": csv,
    "html": html,
    "json": json,
    "text": text,
}

FORMATS = tuple(_WRITERS)
CLASS = ("csv", "html", "json", "junit", "text")
"""Formats for any number of programs; the others are for one."""


def write(report: Report, form: str) -> str:
    """Return the report in one of `FORMATS`; ValueError if it is too much for that format."""
    if form not in _WRITERS:
        raise ValueError(f"there is no report {form!r}; choose one of {', '.join(FORMATS)}")
    if form not in CLASS and len(report.programs) > 1:
        raise ValueError(
            f"a report for {form} is about one program, but there are {len(report.programs)}"
        )
    written = _WRITERS[form](report)
    return written if written.endswith("\n") else f"{written}\n"
