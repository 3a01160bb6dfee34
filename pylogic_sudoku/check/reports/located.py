"""Lines as compilers print them, which editors and continuous integration find."""

from __future__ import annotations

from ..results import Report, Result
from .form import Streamed


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
        lines: dict[str, None] = {}
        told: set[tuple[str, str]] = set()
        for each in report.results:
            way = each.program, each.way
            for severity, message in each.remarks():
                # What an earlier instance explains needs no line of its own.
                if message.line or way not in told:
                    lines[message.located(severity)] = None
            told.add(way)
        if report.incomplete:
            lines[f"INCOMPLETE: {report.incomplete}"] = None
        return "\n".join(lines)
