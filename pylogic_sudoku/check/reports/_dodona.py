"""Dodona: the lines of JSON that a judge prints."""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps
from typing import Any

from .._result import Report, Result
from ._parts import details, image

__all__ = ["dodona"]

_STATUS = {
    "success": "correct",
    "failure": "wrong",
    "timeout": "time limit exceeded",
    "error": "runtime error",
}
_Line = dict[str, Any]


def dodona(report: Report) -> str:
    """Return a judgement with a context for each instance."""
    lines = [
        {"command": "start-judgement"},
        {"command": "start-tab", "title": report.title},
        *(line for result in report.results for line in _context(result)),
        {"command": "close-tab"},
        {"command": "close-judgement"},
    ]
    return "\n".join(map(dumps, lines))


def _context(result: Result) -> Iterator[_Line]:
    yield {"command": "start-context"}
    yield {"command": "start-testcase", "description": _message("plain", result.instance)}
    yield {"command": "start-test", "expected": "a success"}
    if result.parts:
        yield {"command": "append-message", "message": _message("html", details(result, image))}
    yield {
        "command": "close-test",
        "generated": result.way,
        "status": {"enum": _status(result), "human": f"{result.way}, points: {result.score}"},
    }
    yield {"command": "close-testcase"}
    yield {"command": "close-context"}


def _status(result: Result) -> str:
    if not result.verdict.graded:
        return "internal error"
    if "out of memory" in result.verdict.message:
        return "memory limit exceeded"
    return _STATUS[result.outcome]


def _message(form: str, text: str) -> dict[str, str]:
    return {"format": form, "description": text}
