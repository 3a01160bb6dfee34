"""Gradescope: ``results.json``."""

from __future__ import annotations

from json import dumps
from typing import Any

from .._result import Report, Result
from ._parts import details, image

__all__ = ["gradescope"]


def gradescope(report: Report) -> str:
    """Return a test for each instance, which every student may see."""
    results: dict[str, Any] = {
        "score": report.points,
        "output": report.summary,
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(number, result) for number, result in enumerate(report.results, 1)],
    }
    if all(result.timed for result in report.results):
        results["execution_time"] = round(sum(each.seconds or 0 for each in report.results), 3)
    return dumps(results, indent=1)


def _test(number: int, result: Result) -> dict[str, Any]:
    return {
        "score": result.points,
        "max_score": result.worth,
        "status": "passed" if result.passed else "failed",
        "name": f"{result.instance}: {result.way}",
        "name_format": "text",
        "number": str(number),
        "output": details(result, image) or "<p>a success</p>",
        "output_format": "html",
        "visibility": "visible",
    }
