"""GitHub Classroom: what a grader hands to its grading reporter."""

from __future__ import annotations

from json import dumps
from typing import Any

from .._result import Report, Result

__all__ = ["classroom"]

_STATUS = {"success": "pass", "failure": "fail", "timeout": "fail", "error": "error"}


def classroom(report: Report) -> str:
    """Return a test for each instance with its score; the reporter expects this in base64."""
    failed = any(_STATUS[result.outcome] == "fail" for result in report.results)
    status = "pass" if report.passed else "fail" if failed else "error"
    return dumps(
        {
            "version": 1,
            "status": status,
            "max_score": report.worth,
            "tests": [_test(result) for result in report.results],
        }
    )


def _test(result: Result) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": result.instance,
        "status": _STATUS[result.outcome],
        "message": result.text or None,
        "test_code": f"pylogic-sudoku check -e {result.program}",
        "filename": result.program,
        "line_no": 0,
        "score": result.points,
    }
    if result.timed:
        test["execution_time"] = f"{result.seconds:.3f}s"
    return test
