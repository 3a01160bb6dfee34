"""Moodle CodeRunner: what a combinator template grader prints."""

from __future__ import annotations

from html import escape
from json import dumps

from .._result import Report, Result
from ._parts import details, inline

__all__ = ["coderunner"]

_HEADER = ["iscorrect", "Instance", "Result", "Points", "What is wrong", "ishidden"]


def coderunner(report: Report) -> str:
    """Return the mark as a fraction, and a table with a row for each instance."""
    return dumps(
        {
            "fraction": report.fraction,
            "prologuehtml": f"<p>{escape(report.summary)}, points: {escape(report.score)}</p>",
            "testresults": [_HEADER, *map(_row, report.results)],
            # A format for each column but iscorrect and ishidden: plain text, or HTML.
            "columnformats": ["%s", "%s", "%s", "%h"],
            "epiloguehtml": "",
        }
    )


def _row(result: Result) -> list[object]:
    # No row is hidden: a hidden instance shows no more than its number and its points.
    shown = [result.instance, result.outcome, result.score, details(result, inline)]
    return [int(result.passed), *shown, 0]
