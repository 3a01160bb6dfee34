"""The report as the command prints it: a line for each instance, and what there is to say."""

from __future__ import annotations

from .._result import Report, Result
from .._shared import not_graded, same_throughout, shared

__all__ = ["common", "ending", "lines", "text"]


def text(report: Report) -> str:
    """Return what the command prints about one program; of several, about each of them."""
    several = len(report.programs) > 1
    printed = []
    for program, results in report.programs.items():
        printed += [program] if several else []
        printed += [line for result in results for line in lines(result, report.with_points)]
        printed += [_summary(report.only(program), True), ""] if several else []
    return "\n".join([*printed, *ending(report)])


def ending(report: Report) -> list[str]:
    """Return the lines below the results, and the verdict on all."""
    several = len(report.programs) > 1
    summary = [*common(report), report.summary] if several else [_summary(report)]
    return [*summary, "SUCCESS" if report.passed else "FAILURE"]


def _summary(report: Report, points: bool = False) -> str:
    return report.summary + (f", points: {report.score}" if points or report.with_points else "")


def lines(result: Result, points: bool = False) -> list[str]:
    """Return the line of a result, and indented what there is to say."""
    head = f"{result.instance:<12} {result.outcome:<7}"
    if result.timed:
        head += f" {result.verdict.milliseconds:>7} ms"
    if points:
        head += f"  {result.score} points"
    return [head.rstrip(), *(f"    {line}" for line in result.text.splitlines())]


def common(report: Report) -> list[str]:
    """Return what several programs have in common: instances at fault, and their mistakes."""
    said = [f"{instance}: {reason}" for instance, reason in not_graded(report).items()]
    for each in shared(report):
        where = ", ".join(each.instances)
        said.append(f"{len(each.programs)} programs: {each.mistake} ({where})")
        said.append(f"    {', '.join(each.programs)}")
    for group in same_throughout(report):
        said.append(f"the same mistakes on every instance: {', '.join(group)}")
    return said
