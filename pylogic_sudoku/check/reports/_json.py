"""The report as JSON: an object for each result, and a last one for all."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from json import dumps
from typing import Any

from .._result import Report, Result

__all__ = ["json", "record", "total"]


def json(report: Report) -> str:
    """Return a line for each result and one for all."""
    records: list[dict[str, Any]] = [*map(record, report.results), total(report)]
    return "\n".join(map(dumps, records))


def record(result: Result) -> dict[str, Any]:
    """Return one result as an object: grids as rows."""
    fields = asdict(result.verdict)
    for name in ("missing_grid", "extra_grid"):
        grid = getattr(result.verdict, name)
        fields[name] = grid and grid.to_json()
    del fields["puzzle"], fields["cut"], fields["flawed"]
    if not result.timed:
        del fields["milliseconds"]
        fields.update(_steady(result))
    about = {"program": result.program, "points": result.points, "worth": result.worth}
    return {**fields, **about, "hidden": result.hidden}


def _steady(result: Result) -> dict[str, Any]:
    """Return what takes the place of counts that depend on the clock."""
    if not result.verdict.cut:
        return {}
    return {"answers": None, "extra": min(result.verdict.extra, 1), "message": result.words}


def total(report: Report) -> dict[str, Any]:
    """Return the object on the whole run."""
    results = report.results
    counts = {
        "instances": len(report.instances),
        "passed": sum(result.passed for result in results),
        "not_graded": sum(not result.verdict.graded for result in results),
    }
    if len(report.programs) > 1:
        counts["programs"] = len(report.programs)
    return {
        "verdict": report.verdict,
        **({"incomplete": report.incomplete} if report.incomplete else {}),
        **counts,
        **Counter(result.cell.replace(" ", "_") for result in results),
        "points": report.points,
        "worth": report.worth,
    }
