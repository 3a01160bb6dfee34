"""JUnit XML, which Jenkins, GitLab, CodeGrade and others read."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from .._result import Report, Result, number_text

__all__ = ["junit"]

_ELEMENTS = {"failure": "failure", "timeout": "failure", "error": "error"}


def junit(report: Report) -> str:
    """Return a test suite for each program, with a test case for each instance."""
    suites = Element("testsuites", {"name": report.title, **_counts(report.results)})
    for program, results in report.programs.items():
        suite = SubElement(suites, "testsuite", {"name": program, **_counts(results)})
        suite.set("skipped", str(sum(not result.verdict.graded for result in results)))
        only = report.only(program)
        properties = SubElement(suite, "properties")
        for name, number in (("points", only.points), ("worth", only.worth)):
            SubElement(properties, "property", {"name": name, "value": number_text(number)})
        for result in results:
            _case(suite, result)
    if report.incomplete:
        _say_incomplete(suites, report)
    indent(suites, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode")


def _say_incomplete(suites: Element, report: Report) -> None:
    """Add an error, or else all might seem to be right."""
    for count in ("tests", "errors"):
        suites.set(count, str(int(suites.get(count, "0")) + 1))
    about = {"name": report.verdict, "tests": "1", "failures": "0", "errors": "1", "skipped": "0"}
    suite = SubElement(suites, "testsuite", about)
    case = SubElement(suite, "testcase", {"name": report.verdict, "classname": report.title})
    SubElement(case, "error", {"type": "stopped", "message": report.incomplete})


def _counts(results: Sequence[Result]) -> dict[str, str]:
    kinds = [_kind(result) for result in results]
    counts = {
        "tests": str(len(results)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
    }
    if all(result.timed for result in results):
        counts["time"] = f"{sum(result.seconds or 0 for result in results):.3f}"
    return counts


def _kind(result: Result) -> str:
    if not result.verdict.graded:
        return "skipped"
    return _ELEMENTS.get(result.outcome, "")


def _case(suite: Element, result: Result) -> None:
    case = SubElement(suite, "testcase", {"name": result.instance, "classname": result.program})
    if result.seconds is not None:
        case.set("time", f"{result.seconds:.3f}")
    if kind := _kind(result):
        about = {"type": result.verdict.way, "message": result.way}
        SubElement(case, kind, about).text = result.text
    elif result.text:
        SubElement(case, "system-out").text = result.text
