"""Reports for platforms: Gradescope, CodeRunner of Moodle, and what reads JUnit XML."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from json import dumps
from platform import node
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..results import Report, Result, number_text
from ..verdict import Outcome
from .form import Format
from .page import details


class Gradescope(Format):
    """``results.json``: a test for each instance, which every student may see."""

    name = "gradescope"
    ending = "json"
    holds_many = False

    def text(self, report: Report) -> str:
        results: dict[str, Any] = {
            "score": report.points,
            "output": "\n".join(filter(None, (report.summary, report.hollow))),
            "output_format": "text",
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "tests": [_test(number, result) for number, result in enumerate(report.results, 1)],
        }
        if times := [each.milliseconds for each in report.results if each.timed]:
            results["execution_time"] = sum(times) / 1000
        return dumps(results, indent=1)


def _test(number: int, result: Result) -> dict[str, Any]:
    return {
        "score": result.points or 0,
        "max_score": result.worth,
        "status": "passed" if result.passed else "failed",
        "name": f"{result.instance}: {result.how}",
        "name_format": "text",
        "number": str(number),
        "output": details(result) or "<p>a success</p>",
        "output_format": "html",
        "visibility": "visible",
    }


_HEADER = ["iscorrect", "Instance", "Result", "Points", "What is wrong", "ishidden"]


class CodeRunner(Format):
    """The mark as a fraction, and a table with a row for each instance.

    A combinator template grader of CodeRunner prints this.
    """

    name = "coderunner"
    ending = "json"
    holds_many = False

    def text(self, report: Report) -> str:
        hollow = f"<p>{escape(report.hollow)}</p>" if report.hollow else ""
        return dumps(
            {
                "fraction": report.fraction,
                "prologuehtml": f"<p>{escape(report.summary)}</p>",
                "testresults": [_HEADER, *map(_row, report.results)],
                # A format for each column but iscorrect and ishidden: plain text, or HTML.
                "columnformats": ["%s", "%s", "%s", "%h"],
                "epiloguehtml": hollow,
            }
        )


def _row(result: Result) -> list[object]:
    # No row is hidden: a hidden instance shows no more than its number, outcome and points.
    points = f"{number_text(result.points or 0)}/{number_text(result.worth)}"
    passed = int(result.passed and bool(result.counts))
    return [passed, result.instance, result.outcome, points, details(result), 0]


class JUnit(Format):
    """XML that Jenkins, GitLab, CodeGrade and others read.

    Each program is a test suite, with a test case for each instance.
    """

    name = "junit"
    ending = "xml"

    def text(self, report: Report) -> str:
        suites = Element("testsuites", {"name": report.title})
        for program, one in report.programs.items():
            suite = SubElement(suites, "testsuite", {"name": program})
            if any(each.timed for each in one.results):
                suite.set("timestamp", datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S"))
                suite.set("hostname", node() or "localhost")
            if report.with_points:
                properties = SubElement(suite, "properties")
                for name, number in (("points", one.points), ("worth", one.worth)):
                    SubElement(properties, "property", {"name": name, "value": number_text(number)})
            for result in one.results:
                _case(suite, result)
        if report.incomplete:  # or else all might seem to be right
            suite = SubElement(suites, "testsuite", {"name": report.verdict})
            case = SubElement(
                suite, "testcase", {"name": report.verdict, "classname": report.title}
            )
            SubElement(case, "error", {"type": "stopped", "message": report.incomplete})
        for element in (suites, *suites):
            counts = {"tests": "testcase", "failures": "failure", "errors": "error"}
            counts |= {} if element is suites else {"skipped": "skipped"}
            for name, tag in counts.items():
                element.set(name, str(len(list(element.iter(tag)))))
            if times := [
                each.attrib["time"] for each in element.iter("testcase") if "time" in each.attrib
            ]:
                element.set("time", f"{sum(map(float, times)):.3f}")
        indent(suites, " ")
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode")


def _case(suite: Element, result: Result) -> None:
    case = SubElement(suite, "testcase", {"name": result.instance, "classname": result.program})
    if result.timed:
        case.set("time", f"{result.milliseconds / 1000:.3f}")
    if not result.passed:
        kind = "error" if result.outcome == Outcome.ERROR else "failure"
        kind = kind if result.graded else "skipped"
        about = {"type": result.way, "message": result.how}
        SubElement(case, kind, about).text = result.text
    elif result.text:
        SubElement(case, "system-out").text = result.text
