"""A table for a spreadsheet or a gradebook."""

from __future__ import annotations

import csv
from io import StringIO

from ..results import Report, number_text
from .form import Format


class Csv(Format):
    """The successes of each program, its outcome on each instance, and its mistakes.

    The reason why an instance is not graded is with the mistakes. If the report is incomplete,
    there is a last row with the reason.
    """

    name = "csv"
    ending = "csv"

    def text(self, report: Report) -> str:
        out = StringIO()
        table = csv.writer(out, lineterminator="\n")
        heads = ["passed", "of", *(["points", "worth"] if report.with_points else [])]
        table.writerow(["program", *heads, *map(cell, report.instances), "mistakes"])
        for program, one in report.programs.items():
            cells: list[object] = [one.successes, one.graded]
            cells += [number_text(one.points), number_text(one.worth)] if report.with_points else []
            cells += [result.cell for result in one.results]
            table.writerow([cell(program), *cells, cell("; ".join(mistakes(one)))])
        if report.incomplete:
            table.writerow([f"INCOMPLETE: {report.incomplete}"])
        return out.getvalue()


def mistakes(report: Report) -> list[str]:
    """Return the mistakes of a program, each once, and why instances are not graded."""
    words = (each.mistake if each.graded else each.why_ungraded for each in report.results)
    return list(dict.fromkeys(filter(None, words)))


def cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in tuple("=+-@\t\r") else text
