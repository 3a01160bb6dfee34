"""Exercism: ``results.json`` of a test runner, version 2."""

from __future__ import annotations

from json import dumps
from typing import Any

from .._result import Report, Result

__all__ = ["exercism"]

_STATUS = {"success": "pass", "failure": "fail", "timeout": "fail", "error": "error"}
MOST = 65_535
"""Characters of a message at the top."""


def exercism(report: Report) -> str:
    """Return a test for each instance; the status is ``error`` only if none could be run."""
    statuses = [_STATUS[result.outcome] for result in report.results]
    broken = all(status == "error" for status in statuses)
    status = "pass" if report.passed else "error" if broken else "fail"
    message = report.results[0].text[:MOST] if broken and report.results else None
    tests = [_test(result) for result in report.results]
    return dumps({"version": 2, "status": status, "message": message, "tests": tests}, indent=1)


def _test(result: Result) -> dict[str, Any]:
    puzzle = result.verdict.puzzle
    return {
        "name": result.instance,
        "status": _STATUS[result.outcome],
        "message": None if result.passed else result.text or result.way,
        "output": None,
        "test_code": puzzle.format("facts") if puzzle else "",
    }
