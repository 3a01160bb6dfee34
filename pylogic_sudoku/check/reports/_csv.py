"""A table for a spreadsheet or a gradebook: a row for each program."""

from __future__ import annotations

import csv as _csv
from io import StringIO

from .._result import Report, number_text
from .._shared import kind

__all__ = ["csv"]


def csv(report: Report) -> str:
    """Return the points of each program, its outcome on each instance, and its mistakes.

    A last row says so if the report is incomplete.
    """
    out = StringIO()
    table = _csv.writer(out, lineterminator="\n")
    table.writerow(["program", "points", "of", "passed", *map(_cell, report.instances), "mistakes"])
    for program, results in report.programs.items():
        only = report.only(program)
        passed = sum(result.passed for result in results)
        mistakes = dict.fromkeys(filter(None, map(kind, results)))
        numbers = [number_text(only.points), number_text(only.worth), passed]
        cells = [result.cell for result in results]
        table.writerow([_cell(program), *numbers, *cells, _cell("; ".join(mistakes))])
    if report.incomplete:
        table.writerow([f"INCOMPLETE: {report.incomplete}"])
    return out.getvalue()


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in tuple("=+-@\t\r") else text
