"""Messages with their lines, for editors and continuous integration: as compilers, or as SARIF."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from json import dumps
from typing import Any
from urllib.parse import quote

from ...errors import Message
from ..results import Report, Result
from ..verdict import WAYS
from .form import Format, Streamed


class Lines(Streamed):
    """``FILE:LINE:COLUMN: error: words``, and the same with ``warning`` or ``note``.

    Each is there once, though several instances show the same, so they come at the end. Without a
    mistake there are none.
    """

    name = "lines"
    ending = "txt"
    has_all = False

    def text(self, report: Report) -> str:
        return self.end(report)

    def result(self, result: Result, with_points: bool = False) -> str:
        return ""

    def end(self, report: Report) -> str:
        lines = [message.located(severity) for severity, message, _ in remarks_in(report)]
        if report.incomplete:
            lines.append(f"INCOMPLETE: {report.incomplete}")
        return "\n".join(dict.fromkeys(lines))


def remarks_in(report: Report) -> Iterator[tuple[str, Message, Result]]:
    """Yield each message about a place once, with its severity and the first result that has it."""
    known: set[tuple[str, Message]] = set()
    told: set[tuple[str, str]] = set()
    for each in report.results:
        way = each.program, each.way
        for severity, message in each.remarks():
            # What an earlier instance explains needs no line of its own.
            if (message.line or way not in told) and (severity, message) not in known:
                known.add((severity, message))
                yield severity, message, each
        told.add(way)


_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Sarif(Format):
    """SARIF 2.1.0, which code scanning of GitHub and other tools show beside the line."""

    name = "sarif"
    ending = "sarif"

    def text(self, report: Report) -> str:
        found = [_found(*each) for each in remarks_in(report)]
        rules = sorted({each["ruleId"] for each in found})
        driver = {
            "name": "pylogic-sudoku",
            "version": version("pylogic-sudoku"),
            "rules": [{"id": each, "shortDescription": {"text": _RULES[each]}} for each in rules],
        }
        run: dict[str, Any] = {"tool": {"driver": driver}, "results": found}
        run["columnKind"] = "unicodeCodePoints"
        if report.incomplete:
            notice = {"level": "error", "message": {"text": f"INCOMPLETE: {report.incomplete}"}}
            run["invocations"] = [
                {"executionSuccessful": False, "toolExecutionNotifications": [notice]}
            ]
        return dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


_RULES: dict[str, str] = {
    **{way: words for way, (_, words) in WAYS.items() if way},
    "engine": "the engine finds something strange in the program",
    "note": "a line that may be to blame",
}


def _found(severity: str, message: Message, result: Result) -> dict[str, Any]:
    """A result of SARIF for a message."""
    rule = {"note": "note", "warning": "engine"}.get(severity, str(result.way))
    found: dict[str, Any] = {
        "ruleId": rule,
        "level": severity,
        "message": {"text": message.words},
    }
    if message.file:
        place: dict[str, Any] = {"artifactLocation": {"uri": quote(message.file)}}
        if message.line:
            place["region"] = {"startLine": message.line}
            if message.column:
                place["region"]["startColumn"] = message.column
        found["locations"] = [{"physicalLocation": place}]
    return found
