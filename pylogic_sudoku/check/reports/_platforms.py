"""Reports that other programs read: platforms, spreadsheets, scripts.

An HTML fragment of a result goes into several of them, and into our own page.
"""

from __future__ import annotations

import csv as _csv
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from html import escape
from io import StringIO
from json import dumps
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ...draw import Picture
from .._result import Report, Result, number_text

__all__ = ["coderunner", "csv", "details", "gradescope", "inline", "json", "junit"]
__all__ += ["record", "total"]


# --- pieces of HTML ---


def details(result: Result, drawn: Callable[[Picture], str]) -> str:
    """Return the words of a result with its pictures; a grid without picture is plain text."""
    pieces = []
    for part in result.parts:
        words = "<br>".join(map(escape, part.words.splitlines()))
        pieces.append(f"<p>{words}</p>")
        if part.picture:
            pieces.append(drawn(part.picture))
        elif part.grid:
            pieces.append(f"<pre>{escape(part.grid.format('pretty'))}</pre>")
        if part.rule:
            pieces.append(f"<p>{escape(part.rule)}</p>")
    return "\n".join(pieces)


def inline(picture: Picture) -> str:
    """Return the picture as SVG, for a page of our own or one that lets it through."""
    return picture.to_svg()


def image(picture: Picture) -> str:
    """Return the picture as an image, for platforms that remove SVG elements from HTML."""
    data = b64encode(picture.to_svg().encode()).decode()
    alt = escape(picture.described, quote=True)
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{alt}" style="max-width: 100%">'


# --- Gradescope: results.json ---


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


# --- Moodle CodeRunner: what a combinator template grader prints ---


_HEADER = ["iscorrect", "Instance", "Result", "Points", "What is wrong", "ishidden"]


def coderunner(report: Report) -> str:
    """Return the mark as a fraction, and a table with a row for each instance."""
    return dumps(
        {
            "fraction": report.fraction,
            "prologuehtml": f"<p>{escape(report.summary)}, points: {escape(report.score)}</p>",
            "testresults": [_HEADER, *map(_row, report.results)],
            # A format for each column but iscorrect and ishidden: plain text, or HTML.
            "columnformats": ["%s", "%s", "%s", "%h"],
            "epiloguehtml": "",
        }
    )


def _row(result: Result) -> list[object]:
    # No row is hidden: a hidden instance shows no more than its number and its points.
    shown = [result.instance, result.outcome, result.score, details(result, inline)]
    return [int(result.passed), *shown, 0]


# --- JUnit XML, which Jenkins, GitLab, CodeGrade and others read ---


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


# --- a table for a spreadsheet or a gradebook ---


def csv(report: Report) -> str:
    """Return the points of each program, its outcome on each instance, and its mistakes.

    A last row says so if the report is incomplete.
    """
    out = StringIO()
    table = _csv.writer(out, lineterminator="\n")
    table.writerow(["program", "points", "of", "passed", *map(_cell, report.instances), "mistakes"])
    for program, results in report.programs.items():
        only = report.only(program)
        passed = sum(result.passed for result in results)
        mistakes = dict.fromkeys(each.mistake for each in results if each.mistake)
        numbers = [number_text(only.points), number_text(only.worth), passed]
        cells = [result.cell for result in results]
        table.writerow([_cell(program), *numbers, *cells, _cell("; ".join(mistakes))])
    if report.incomplete:
        table.writerow([f"INCOMPLETE: {report.incomplete}"])
    return out.getvalue()


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in tuple("=+-@\t\r") else text


# --- JSON: an object for each result, and a last one for all ---


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
    for name in ("puzzle", "cut", "flawed", "fault", "steady", "see"):
        del fields[name]
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
