"""Text and JSON, which the command prints: a piece for each result, and an end."""

from __future__ import annotations

from collections import Counter
from json import dumps
from typing import Any

from ..results import Report, Result, number_text
from .form import Streamed


class Text(Streamed):
    """A line for each instance, with the remarks below it."""

    name = "text"
    ending = "txt"
    as_table = True
    has_all = False

    def text(self, report: Report) -> str:
        """Return what the command prints about one program; of several, about each of them."""
        several = len(report.programs) > 1
        printed = []
        for program, one in report.programs.items():
            printed += [program] if several else []
            for result in filter(lambda each: each.was_run, one.results):
                printed.append(self.result(result, report.with_points))
            printed += [one.summary, ""] if several else []
        return "\n".join([*printed, self.end(report)])

    def result(self, result: Result, with_points: bool = False) -> str:
        below = (f"    {line}" for line in result.text.splitlines())
        return "\n".join([_head(result, with_points), *below])

    def brief(self, result: Result, with_points: bool = False, several: bool = False) -> str:
        """Return the line of a result, with the first remark."""
        program = f"{result.program}  " if several else ""
        first = next(iter(result.text.splitlines()), "")
        return f"{program}{_head(result, with_points)}  {first}".rstrip()

    def end(self, report: Report) -> str:
        """Return what programs share, the counts, and the verdict on all."""
        shared = [
            line for head, *more in report.common for line in (head, *(f"    {m}" for m in more))
        ]
        hollow = [report.hollow] if report.hollow else []
        return "\n".join([*shared, *hollow, report.summary, report.verdict])


def _head(result: Result, with_points: bool) -> str:
    head = f"{result.instance:<12} {result.outcome:<7}"
    if result.timed:
        head += f" {result.milliseconds:>7} ms"
    if with_points and result.points is not None:
        head += f"  {number_text(result.points)}/{number_text(result.worth)} points"
    return head.rstrip()


class Json(Streamed):
    """An object for each result, and a last one for all."""

    name = "json"
    ending = "json"

    def text(self, report: Report) -> str:
        return "\n".join([*map(self.result, report.results), self.end(report)])

    def result(self, result: Result, with_points: bool = False) -> str:
        return dumps(record(result))

    def end(self, report: Report) -> str:
        return dumps(total(report))


_ANSWERS = ("missing_grid", "extra_grid", "missing_answer", "extra_answer")
_IN_JSON: tuple[str, ...] = (
    *("instance", "outcome", "way", "milliseconds", "answers", "missing", "extra"),
    *(*_ANSWERS, "rule", "message", "exhausted", "graded", "diagnosis"),
    *("program", "hidden", "points", "worth"),
)


def record(result: Result) -> dict[str, Any]:
    """Return one result as an object; of an answer, the name has its kind: grids are rows."""
    facts = {name: getattr(result, name) for name in _IN_JSON}
    if not result.has_atoms:
        facts["missing_answer"] = facts["extra_answer"] = None
    for name in (*_ANSWERS, "diagnosis"):
        facts[name] = None if facts[name] is None else facts[name].to_json()
    for name in ("errors", "warnings"):
        if said := getattr(result, name):
            facts[name] = [each.to_json() for each in said]
    if not result.timed:
        del facts["milliseconds"]
        if facts["diagnosis"]:
            del facts["diagnosis"]["seconds"]
    return facts


def total(report: Report) -> dict[str, Any]:
    """Return the object on the whole run."""
    results = report.results
    counts = {
        "instances": len(report.instances),
        "passed": report.successes,
        "points": report.points,
        "worth": report.worth,
        "not_graded": len(results) - report.graded,
    }
    if len(report.programs) > 1:
        counts["programs"] = len(report.programs)
    return {
        "verdict": report.verdict,
        **({"incomplete": report.incomplete} if report.incomplete else {}),
        **counts,
        **Counter(result.cell.replace(" ", "_") for result in results),
    }
