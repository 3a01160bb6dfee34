"""The report as the command prints it: a line for each instance, and what there is to say."""

from __future__ import annotations

from .._result import Report, Result

__all__ = ["brief", "common", "ending", "lines", "text", "totals"]


def text(report: Report) -> str:
    """Return what the command prints about one program; of several, about each of them."""
    several = len(report.programs) > 1
    printed = []
    for program, results in report.programs.items():
        printed += [program] if several else []
        run = (result for result in results if result.was_run)
        printed += [line for result in run for line in lines(result, report.with_points)]
        printed += [_summary(report.only(program), True), ""] if several else []
    return "\n".join([*printed, *ending(report)])


def ending(report: Report) -> list[str]:
    """Return the lines below the results, and the verdict on all."""
    return [*(common(report) if len(report.programs) > 1 else ()), *totals(report)]


def totals(report: Report) -> list[str]:
    """Return the last two lines: how many passed, and the verdict on all."""
    several = len(report.programs) > 1
    return [report.summary if several else _summary(report), report.verdict]


def _summary(report: Report, points: bool = False) -> str:
    return report.summary + (f", points: {report.score}" if points or report.with_points else "")


def lines(result: Result, points: bool = False) -> list[str]:
    """Return the line of a result, and indented what there is to say."""
    return [_head(result, points).rstrip(), *(f"    {line}" for line in result.text.splitlines())]


def brief(result: Result, points: bool = False) -> str:
    """Return the line of a result, and on it what is wrong."""
    return " ".join(f"{_head(result, points)}  {result.reason}".splitlines()).rstrip()


def _head(result: Result, points: bool) -> str:
    head = f"{result.instance:<12} {result.outcome:<7}"
    if result.timed:
        head += f" {result.verdict.milliseconds:>7} ms"
    if points:
        head += f"  {result.score} points"
    return head


def common(report: Report) -> list[str]:
    """Return what several programs have in common: instances at fault, and their mistakes."""
    said = [f"{instance}: {reason}" for instance, reason in report.not_graded.items()]
    for each in report.shared:
        where = ", ".join(each.instances)
        said.append(f"{len(each.programs)} programs: {each.mistake} ({where})")
        said.append(f"    {', '.join(each.programs)}")
    for group in report.same_throughout:
        said.append(f"the same mistakes on every instance: {', '.join(group)}")
    return said
