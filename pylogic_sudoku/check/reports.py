"""Results of programs, and the reports on them in the formats that platforms and people read.

A `Result` is one program on one instance, as `mark` makes it from a verdict. A `Report` has all
results, and `write` makes the text of a file from it. All formats use the words of the results, so
a student reads the same everywhere.
"""

from __future__ import annotations

import csv as _csv
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from io import StringIO
from json import dumps
from pathlib import Path
from string import Template
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..draw import Highlight, Picture, mistakes
from ..errors import InvalidPuzzle, counted
from ..puzzle import Grid, Puzzle
from .diagnosis import Place
from .programs import Fault
from .verdict import AT_FAULT, NOT_RUN, WAYS, Outcome, Points, Verdict

TEMPLATES = Path(__file__).with_name("templates")
_PLACE = re.compile(r"^(\w+: *)?\S+:\d+:\d+(-\d+(:\d+)?)?: (error: )?")
"""The place in a program with which an engine begins its message."""


class Part(NamedTuple):
    """A part of the words on a result, and the grid that it is about."""

    words: str
    grid: Grid | None = None
    """None if there is nothing to show."""
    rule: str = ""
    """The rule that the grid breaks, if any."""
    picture: Picture | None = None
    """The grid in its puzzle; what is wrong is marked."""
    places: tuple[Place, ...] = ()
    """Where in the program the reason is, the most likely place first."""


@dataclass(frozen=True, slots=True)
class Result:
    """One program on one instance, as a student may see it."""

    program: str
    verdict: Verdict
    points: float
    """The points earned."""
    worth: float
    """The points that can be earned."""
    hidden: bool = False
    """True if the verdict is without everything that tells the instance."""
    timed: bool = True
    """False if nothing in it depends on the clock."""

    @property
    def instance(self) -> str:
        """Its name; a hidden one has a number."""
        return self.verdict.instance

    @property
    def outcome(self) -> Outcome:
        """``success``, ``failure``, ``timeout`` or ``error``."""
        return self.verdict.outcome

    @property
    def passed(self) -> bool:
        """True for a success."""
        return self.verdict.passed

    @property
    def was_run(self) -> bool:
        """False if the grading was stopped before."""
        return self.verdict.way != "stopped"

    @property
    def cell(self) -> str:
        """What a table says of it: the outcome, or that it was not run."""
        return self.outcome if self.was_run else NOT_RUN

    @property
    def way(self) -> str:
        """How it failed, in a few words; ``a success`` if it did not."""
        return WAYS[self.verdict.way] if self.verdict.graded else "not graded"

    @property
    def mistake(self) -> str:
        """The kind of its mistake in a few words; empty if the program made none."""
        verdict = self.verdict
        # Of a program that was not run, the mistake is that of another instance.
        if self.passed or not verdict.graded or not self.was_run or verdict.see:
            return ""
        if verdict.fault:
            return verdict.fault.mistake
        if verdict.way == "error" and verdict.message:
            return _PLACE.sub("", verdict.message.splitlines()[0])
        return self.way

    @property
    def seconds(self) -> float | None:
        """The time of the run; None if times are not to be shown."""
        return self.verdict.milliseconds / 1000 if self.timed else None

    @property
    def score(self) -> str:
        """The points as text, such as ``5/10``."""
        return f"{number_text(self.points)}/{number_text(self.worth)}"

    @property
    def parts(self) -> list[Part]:
        """What there is to say, in the order in which it is shown."""
        return list(_parts(self))

    @property
    def words(self) -> str:
        """What there is to say, without grids; empty for a success without remarks."""
        lines = (f"{each.words} {each.rule}".strip() for each in self.parts)
        return "\n".join(lines)

    @property
    def text(self) -> str:
        """What there is to say, with grids in plain text, on lines of their own."""
        lines = []
        for each in self.parts:
            lines += each.words.splitlines()
            below = each.grid.format("pretty").splitlines() if each.grid else []
            below += map(str, each.places)
            lines += [f"    {line}" for line in (*below, *each.rule.splitlines())]
        return "\n".join(lines)

    @property
    def reason(self) -> str:
        """What is wrong, on one line; empty for a success."""
        verdict = self.verdict
        places = next((each.places for each in self.parts if each.places), ())
        where = f" ({places[0].where})" if places else ""
        if verdict.way in ("wrong", "nothing"):
            return (plain(verdict.rule) or self.way) + where
        if verdict.way == "missing":
            number = f": {verdict.missing}" if verdict.missing else ""
            return f"{self.way}{number}{where}"
        if self.passed:
            return ""
        # The last part is the message; a hidden instance has one only if the program is at fault.
        message = self.parts[-1].words if self.parts else ""
        return message.partition("\n")[0] or self.way

    @property
    def picture(self) -> Picture | None:
        """The first picture: a wrong answer with what is wrong, or a missing solution."""
        return next((each.picture for each in reversed(self.parts) if each.picture), None)


def _parts(result: Result) -> Iterator[Part]:
    verdict = result.verdict
    if result.hidden:
        if not verdict.passed:
            yield Part(f"a hidden instance: {result.way}")
        if verdict.flawed:
            yield Part(plain(verdict.message))
        return
    if verdict.missing_grid:
        said = f"missing: {verdict.missing} of the reference solutions, such as"
        shown = _draw(verdict.missing_grid, verdict, None, "a missing solution")
        yield Part(said, verdict.missing_grid, "", shown)
    if verdict.extra_grid:
        grid = verdict.extra_grid if verdict.extra_grid.givens else None
        rule = plain(verdict.rule)
        shown = _draw(grid, verdict, verdict.fault, rule) if grid else None
        yield Part(_extra(verdict, result.timed), grid, rule, shown)
    if why := verdict.diagnosis:
        places = tuple(Place._make(map(_one_line, each)) for each in why.places)
        yield Part(_one_line(why.summary), places=places)
    message = verdict.message if result.timed else verdict.steady or verdict.message
    if message:
        yield Part(plain(message))


def _one_line(value: Any) -> Any:
    """Return a text of a program that is safe to print on one line; a number as it is."""
    return " ".join(plain(value).split("\n")) if isinstance(value, str) else value


def _extra(verdict: Verdict, timed: bool) -> str:
    extra = verdict.extra
    if verdict.cut and not timed:
        return "extra: at least 1, such as"
    answers = counted(verdict.answers, "answer")
    exact, least = f"{extra} of {answers}", f"at least {extra} ({answers} until then)"
    return f"extra: {exact if verdict.exhausted else least}, such as"


def _draw(grid: Grid, verdict: Verdict, fault: Fault | None, title: str) -> Picture | None:
    """Return the grid in its puzzle, with what is wrong; None if it cannot be drawn."""
    if verdict.puzzle is None:
        return None
    marks = _marks(grid, verdict.puzzle, fault) if fault else ()
    try:
        return Picture(grid, verdict.puzzle, highlights=marks, title=title)
    except InvalidPuzzle:  # a rule of the teacher's own
        return None


def _marks(grid: Grid, puzzle: Grid | Puzzle, fault: Fault) -> tuple[Highlight, ...]:
    """Return what shows the fault: of a digit that is there twice, the two cells and the house."""
    if fault.duplicate:
        names = fault.duplicate.houses
        cells = (cell for house in puzzle.houses if str(house) in names for cell in house.cells)
        return (
            Highlight(fault.words, "conflict", fault.duplicate.cells),
            Highlight(", ".join(names), "house", tuple(cells)),
        )
    if fault.empty:
        empty = tuple(cell for cell in grid.cells if not grid[cell])
        return (Highlight("empty", "difference", empty),)
    return mistakes(grid, puzzle)[:1]


def plain(text: str) -> str:
    """Return lines in which a program can fake neither a verdict nor terminal control codes."""
    lines = (line.expandtabs() for line in text.splitlines())
    return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in lines)


def number_text(number: float) -> str:
    """Return the number without needless zeros."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def mark(
    program: str,
    verdicts: Iterable[Verdict],
    points: Points,
    *,
    times: bool = True,
    show_hidden: bool = False,
) -> Iterator[Result]:
    """Yield the results of one program, as its verdicts come.

    They come in the order of the instances, and hidden ones are numbered so.
    """
    shown: dict[str, str] = {}
    for verdict in verdicts:
        name = verdict.instance
        earned, worth = points.earned(verdict), points.worth(verdict)
        hidden = name in points.hidden and not show_hidden
        if verdict.see in shown:
            see = shown[verdict.see]
            verdict = replace(verdict, message=AT_FAULT.format(see), see=see)
        if not times:
            verdict = replace(verdict, milliseconds=0)
        if hidden:
            shown[name] = f"hidden {len(shown) + 1}"
            verdict = _redact(verdict, shown[name])
        yield Result(program, verdict, earned, worth, hidden, times)


def _redact(verdict: Verdict, name: str) -> Verdict:
    """Return no more than how the program failed, and what a fault of its own is."""
    return Verdict(
        name,
        verdict.way,
        verdict.milliseconds,
        message=verdict.message if verdict.flawed else "",
        exhausted=verdict.exhausted,
        graded=verdict.graded,
        cut=verdict.cut,
        flawed=verdict.flawed,
        see=verdict.see,
    )


class Shared(NamedTuple):
    """A mistake, and who makes it."""

    mistake: str
    programs: tuple[str, ...]
    instances: tuple[str, ...]
    """Where at least one of them makes it."""


@dataclass(frozen=True)
class Report:
    """All results, of one program or of many, each with the same instances."""

    results: tuple[Result, ...]
    title: str = "Sudoku"
    with_points: bool = False
    """True if points were set; a table of several programs always has them."""
    incomplete: str = ""
    """Why not all was graded, such as ``interrupted after 2 of 5 instances``; empty if it was."""

    @cached_property
    def programs(self) -> dict[str, Report]:
        """A report on each program; it may be complete though this one is not."""
        found: dict[str, list[Result]] = {}
        for result in self.results:
            found.setdefault(result.program, []).append(result)
        return {
            name: replace(
                self,
                results=tuple(results),
                incomplete="" if all(each.was_run for each in results) else self.incomplete,
            )
            for name, results in found.items()
        }

    @property
    def instances(self) -> list[str]:
        """The names of the instances, in their order."""
        return list(dict.fromkeys(result.instance for result in self.results))

    @property
    def points(self) -> float:
        """The points earned by all programs."""
        return round(sum(result.points for result in self.results), 4)

    @property
    def worth(self) -> float:
        """The points that all programs could earn."""
        return round(sum(result.worth for result in self.results), 4)

    @property
    def fraction(self) -> float:
        """The part of the points that was earned, from 0 to 1; 0 if there are none to earn."""
        return round(self.points / self.worth, 6) if self.worth else 0.0

    @property
    def score(self) -> str:
        """The points as text, such as ``15/20``."""
        return f"{number_text(self.points)}/{number_text(self.worth)}"

    @property
    def passed(self) -> bool:
        """True if every result is a success, and all was graded."""
        return not self.incomplete and self.right

    @property
    def right(self) -> bool:
        """True if every result is a success."""
        return all(result.passed for result in self.results)

    @property
    def verdict(self) -> str:
        """``SUCCESS``, ``FAILURE``, or ``INCOMPLETE`` if not all was graded."""
        return "INCOMPLETE" if self.incomplete else "SUCCESS" if self.passed else "FAILURE"

    @property
    def summary(self) -> str:
        """How many instances each program solved; for several, how many solved all."""
        begin = f"{self.verdict}: {self.incomplete}; " if self.incomplete else ""
        if len(self.programs) > 1:
            right = sum(each.right for each in self.programs.values())
            return f"{begin}{right} of {len(self.programs)} programs passed"
        passed = sum(result.passed for result in self.results)
        ungraded = sum(not result.verdict.graded for result in self.results)
        more = f", {ungraded} not graded" if ungraded else ""
        return f"{begin}{passed} of {len(self.results)} passed{more}"

    @property
    def not_graded(self) -> dict[str, str]:
        """The instances that are themselves at fault, with the reason."""
        return {each.instance: each.words for each in self.results if not each.verdict.graded}

    @property
    def shared(self) -> list[Shared]:
        """The kinds of mistakes that two programs or more make, the most frequent first."""
        found: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
        for result in self.results:
            if mistake := result.mistake:
                programs, instances = found.setdefault(mistake, ({}, {}))
                programs[result.program] = instances[result.instance] = None
        several = [
            Shared(mistake, tuple(programs), tuple(filter(instances.__contains__, self.instances)))
            for mistake, (programs, instances) in found.items()
            if len(programs) > 1
        ]
        return sorted(several, key=lambda each: -len(each.programs))

    @property
    def same_throughout(self) -> list[tuple[str, ...]]:
        """The programs whose mistakes are the same on every instance, in groups of two or more.

        Programs without a mistake are in no group, nor those that are only slow.
        """
        groups: dict[tuple[str, ...], list[str]] = {}
        for program, report in self.programs.items():
            if any(each.mistake and each.verdict.way != "timeout" for each in report.results):
                mistakes = tuple(each.mistake for each in report.results)
                groups.setdefault(mistakes, []).append(program)
        return [tuple(group) for group in groups.values() if len(group) > 1]


# --- as the command prints it: a line for each instance, and what there is to say --------


def text(report: Report) -> str:
    """Return what the command prints about one program; of several, about each of them."""
    several = len(report.programs) > 1
    printed = []
    for program, one in report.programs.items():
        printed += [program] if several else []
        for result in filter(lambda each: each.was_run, one.results):
            printed += lines(result, report.with_points)
        printed += [_summary(one, True), ""] if several else []
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
    """Return what several programs have in common, on lines of their own."""
    return [line for head, *more in _common(report) for line in (head, *(f"    {m}" for m in more))]


def _common(report: Report) -> Iterator[tuple[str, ...]]:
    """Yield the instances at fault, and the mistakes of several programs with these."""
    for instance, reason in report.not_graded.items():
        yield (f"{instance}: {reason}",)
    for each in report.shared:
        where = ", ".join(each.instances)
        yield f"{len(each.programs)} programs: {each.mistake} ({where})", ", ".join(each.programs)
    for group in report.same_throughout:
        yield (f"the same mistakes on every instance: {', '.join(group)}",)


# --- reports that other programs read: platforms, spreadsheets, scripts ------------------


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
        if part.places:
            items = "\n".join(map(_item, part.places))
            pieces.append(f"<ol>\n{items}\n</ol>")
    return "\n".join(pieces)


def _item(place: Place) -> str:
    code = f"<code>{escape(place.text)}</code>"
    return f"<li><b>{escape(place.where)}</b><br>{code}<br>{escape(place.words)}</li>"


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
    for program, one in report.programs.items():
        suite = SubElement(suites, "testsuite", {"name": program, **_counts(one.results)})
        suite.set("skipped", str(sum(not each.verdict.graded for each in one.results)))
        properties = SubElement(suite, "properties")
        for name, number in (("points", one.points), ("worth", one.worth)):
            SubElement(properties, "property", {"name": name, "value": number_text(number)})
        for result in one.results:
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
    for program, one in report.programs.items():
        passed = sum(result.passed for result in one.results)
        mistakes = dict.fromkeys(each.mistake for each in one.results if each.mistake)
        numbers = [number_text(one.points), number_text(one.worth), passed]
        cells = [result.cell for result in one.results]
        table.writerow([_cell(program), *numbers, *cells, _cell("; ".join(mistakes))])
    if report.incomplete:
        table.writerow([f"INCOMPLETE: {report.incomplete}"])
    return out.getvalue()


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in tuple("=+-@\t\r") else text


# --- JSON: an object for each result, and a last one for all ---


_IN_JSON: tuple[str, ...] = (
    *("instance", "outcome", "way", "milliseconds", "answers", "missing", "extra"),
    *("missing_grid", "extra_grid", "rule", "message", "exhausted", "graded", "diagnosis"),
)


def json(report: Report) -> str:
    """Return a line for each result and one for all."""
    records: list[dict[str, Any]] = [*map(record, report.results), total(report)]
    return "\n".join(map(dumps, records))


def record(result: Result) -> dict[str, Any]:
    """Return one result as an object: grids as rows."""
    verdict = result.verdict
    fields = {name: getattr(verdict, name) for name in _IN_JSON}
    for name in ("missing_grid", "extra_grid", "diagnosis"):
        fields[name] = fields[name] and fields[name].to_json()
    if not result.timed:
        del fields["milliseconds"]
        if fields["diagnosis"]:
            del fields["diagnosis"]["seconds"]
        if verdict.cut:  # then the counts depend on the clock
            fields |= {"answers": None, "extra": min(verdict.extra, 1), "message": result.words}
    about = {"program": result.program, "points": result.points, "worth": result.worth}
    return {**fields, **about, "hidden": result.hidden}


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


# --- a page for people: a table of all programs, what they share, and each mistake -------

_SIGNS: dict[str, str] = {"success": "✓", "failure": "✗", "timeout": "…", "error": "!"}
_MARKS = "marks.css"
"""The style of the table and of what is below it."""


def html(report: Report) -> str:
    """Return a whole page, without scripts."""
    return _template("report.html").substitute(
        title=escape(report.title),
        style=_template(_MARKS).template,
        summary=escape(report.summary),
        score=escape(report.score),
        table=_table(report),
        common=_common_html(report) if len(report.programs) > 1 else "",
        wrong=_wrong(report),
    )


def part(report: Report) -> str:
    """Return the table and what is wrong, for a page of others such as a notebook."""
    style = _template(_MARKS).template
    return f"<div><style>{style}</style>\n{_table(report)}\n{_wrong(report)}\n</div>"


def _template(name: str) -> Template:
    return Template((TEMPLATES / name).read_text(encoding="utf-8"))


def _table(report: Report) -> str:
    """Return a table with a row for each program."""
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in report.instances)
    rows = "\n".join(_html_row(program, one) for program, one in report.programs.items())
    return f"""<table class="sudoku-marks">
<thead><tr><th scope="col">program</th>{names}<th scope="col">points</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>"""


def _html_row(program: str, report: Report) -> str:
    cells = "".join(
        f'<td class="{each.outcome}">{_SIGNS[each.outcome]} {each.cell}</td>'
        for each in report.results
    )
    return (
        f'<tr><th scope="row">{escape(program)}</th>{cells}'
        f'<td class="n">{escape(report.score)}</td></tr>'
    )


def _common_html(report: Report) -> str:
    lines = [f"<li>{'<br>'.join(map(escape, each))}</li>" for each in _common(report)]
    if not lines:
        return ""
    return "<h2>What programs share</h2>\n<ul>\n" + "\n".join(lines) + "\n</ul>"


def _wrong(report: Report) -> str:
    """Return the details of each program that is not all right; one alone is unfolded."""
    opened = " open" if len(report.programs) == 1 else ""
    sections = []
    for program, one in report.programs.items():
        said = [result for result in one.results if result.parts]
        if said:
            shown = "\n".join(map(_mistake, said))
            head = f"{escape(program)}: {escape(one.summary)}, points: {escape(one.score)}"
            sections.append(
                f'<details class="sudoku-wrong"{opened}><summary>{head}</summary>\n'
                f'<div class="sudoku-mistakes">\n{shown}\n</div></details>'
            )
    return "\n".join(sections) or "<p>Nothing.</p>"


def _mistake(result: Result) -> str:
    head = f"<h3>{escape(result.instance)}: {result.outcome}</h3>"
    return f"<section>\n{head}\n{details(result, inline)}\n</section>"


# --- every format of a report ---------------------------------------------------------------

_WRITERS: dict[str, Callable[[Report], str]] = {
    "gradescope": gradescope,
    "junit": junit,
    "coderunner": coderunner,
    "csv": csv,
    "html": html,
    "json": json,
    "text": text,
}

FORMATS = tuple(_WRITERS)
CLASS = ("csv", "html", "json", "junit", "text")
"""Formats for any number of programs; the others are for one."""


def write(report: Report, form: str) -> str:
    """Return the report in one of `FORMATS`; ValueError if it is too much for that format."""
    if form not in _WRITERS:
        raise ValueError(f"there is no report {form!r}; choose one of {', '.join(FORMATS)}")
    if form not in CLASS and len(report.programs) > 1:
        raise ValueError(
            f"a report for {form} is about one program, but there are {len(report.programs)}"
        )
    written = _WRITERS[form](report)
    return written if written.endswith("\n") else f"{written}\n"
