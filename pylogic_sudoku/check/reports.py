"""Results of programs, and the reports on them in the formats that platforms and people read.

A `Result` is one program on one instance, as `mark` makes it from a verdict. A `Report` has all
results, and `write` makes the text of a file from it. All formats use the words of the results, so
a student reads the same everywhere.
"""

from __future__ import annotations

import csv as _csv
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from html import escape
from io import StringIO
from json import dumps
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..errors import counted
from .diagnosis import Place, plain, printable
from .verdict import NOT_RUN, WAYS, Outcome, Verdict, worth

if TYPE_CHECKING:
    from ..draw import Picture
    from ..question import Question

TEMPLATES = Path(__file__).with_name("templates")


class Part(NamedTuple):
    """A part of the words on a result, and the answer that it is about."""

    words: str
    lines: tuple[str, ...] = ()
    """The answer, for people; none if there is nothing to show."""
    rule: str = ""
    """The rule that the answer breaks, if any."""
    picture: Picture | None = None
    """The answer to its question; what is wrong is marked."""
    places: tuple[Place, ...] = ()
    """Where in the program the reason is, the most likely place first."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Result(Verdict):
    """A verdict as a student may see it."""

    program: str
    hidden: bool = False
    """True if it is without everything that reveals the instance."""
    timed: bool = True
    """False if it does not include the time of the program."""
    worth: float = 1
    """The points of a success."""
    part: float = 0
    """The part of them that is left for its way of failing."""
    counts: bool | None = True
    """False for a success on an instance without solutions if the program solves no other kind, as
    a program without any answer would; None if that is not known yet."""

    @property
    def points(self) -> float | None:
        """The points earned; None if they are not known yet."""
        if not self.passed:
            return round(self.worth * self.part, 4)
        return None if self.counts is None else self.worth if self.counts else 0

    @property
    def was_run(self) -> bool:
        """False if the grading was stopped before."""
        return self.way != "stopped"

    @property
    def cell(self) -> str:
        """The text for a table: the outcome, or that it was not run."""
        return self.outcome if self.was_run else NOT_RUN

    @property
    def how(self) -> str:
        """The kind of failure in a few words; ``a success`` if there is none."""
        return WAYS[self.way][1]

    @property
    def why_ungraded(self) -> str:
        """The reason why an instance is not graded, with its name."""
        return f"{self.instance}: {self.message or self.how}"

    @property
    def mistake(self) -> str:
        """The kind of its mistake in a few words; empty if the program made none."""
        # Of a program at fault, the mistake is that of the first instance.
        known = self.at_fault and not self.error
        if self.passed or not self.graded or not self.was_run or known:
            return ""
        if self.fault:
            return self.fault.mistake
        return self.error or self.how

    @property
    def text(self) -> str:
        """The whole report as text, with each answer on lines of its own."""
        lines = []
        for each in self.parts():
            lines += each.words.splitlines()
            below = (*each.lines, *map(str, each.places), *each.rule.splitlines())
            lines += [f"    {line}" for line in below]
        return "\n".join(lines)

    def parts(self) -> Iterator[Part]:
        """Yield the remarks, in the order in which they are shown."""
        if self.hidden and not self.passed:
            yield Part(f"a hidden instance: {self.how}")
        if self.question is not None:
            yield from self._of_answers(self.question)
        if why := self.diagnosis:
            yield Part(why.summary, places=why.places)
        if self.message:
            yield Part(self.message)
        if self.way == "timeout" and self.timed and not self.hidden:
            yield Part(f"{counted(self.answers, 'answer')} until then")

    def _of_answers(self, question: Question) -> Iterator[Part]:
        """Yield the remarks about answers to the question."""
        if (answer := self.missing_answer) is not None:
            words = plain(f"missing: {question.lacking(self.missing)}, such as")
            picture = question.drawn(answer, title="a missing solution")
            yield Part(words, _lines(question, answer), picture=picture)
        if (answer := self.extra_answer) is not None:
            answers = counted(self.answers, "answer")
            least = f"at least {self.extra} ({answers} until then)"
            number = f"{self.extra} of {answers}" if self.exhausted else least
            lines = _lines(question, answer)
            marks = self.fault.marks(answer, question) if self.fault else ()
            picture = question.drawn(answer, marks, self.rule) if lines else None
            yield Part(
                plain(f"extra: {number}{question.about}, such as"), lines, self.rule, picture
            )


def _lines(question: Question, answer: Any) -> tuple[str, ...]:
    return tuple(map(printable, question.lines(answer)))


_OF_ALL = tuple(each.name for each in fields(Verdict))
_OF_HIDDEN = ("way", "at_fault", "solvable")
"""The fields of a verdict on a hidden instance that are shown: the kind of failure. A program may
write all others, even its time, so that they tell what it has read. If it is at fault itself, the
message is shown too: until then it has not got the instance."""


def mark(
    program: str,
    verdict: Verdict,
    hidden_ones: Sequence[str] = (),
    *,
    points: Mapping[str, float] = MappingProxyType({}),
    times: bool = True,
) -> Result:
    """Return the result of a program; a hidden instance has its number among the hidden ones.

    `points` are those of `Grader.points`. All texts are made `plain` here, for every report.
    """
    hidden = verdict.instance in hidden_ones
    times = times and not hidden
    told = ("message", "error") if verdict.at_fault and verdict.error else ()
    names = (*_OF_HIDDEN, *told) if hidden else _OF_ALL
    facts = {name: getattr(verdict, name) for name in names}
    if hidden:
        facts["instance"] = f"hidden {hidden_ones.index(verdict.instance) + 1}"
    facts |= {name: plain(text) for name, text in facts.items() if type(text) is str}
    if fault := facts.get("fault"):
        facts["fault"] = replace(fault, words=plain(fault.words), mistake=plain(fault.mistake))
    if not times:
        facts["milliseconds"] = 0
    return Result(
        **facts,
        program=printable(program),
        hidden=hidden,
        timed=times,
        worth=worth(verdict, points),
        part=points.get(verdict.way, 0),
        counts=True if verdict.solvable or verdict.way else None,
    )


@dataclass(frozen=True)
class Report:
    """All results, of one program or of many, each with the same instances."""

    results: tuple[Result, ...]
    title: str = "Sudoku"
    incomplete: str = ""
    """Why not all was graded, such as ``interrupted after 2 of 5 instances``; empty if it was."""
    with_points: bool = False
    """True if points were set, so that it shows them."""

    def __post_init__(self) -> None:
        solved = {each.program for each in self.results if each.passed and each.solvable}
        graded = {each.program for each in self.results if each.graded and each.solvable}
        hollow = graded - solved
        results = (
            each if each.solvable or each.way else replace(each, counts=each.program not in hollow)
            for each in self.results
        )
        object.__setattr__(self, "results", tuple(results))

    @cached_property
    def programs(self) -> dict[str, Report]:
        """A report on each program; it may be complete though this one is not."""
        by_program: dict[str, list[Result]] = {}
        for result in self.results:
            by_program.setdefault(result.program, []).append(result)
        return {
            name: replace(
                self,
                results=tuple(results),
                incomplete="" if all(each.was_run for each in results) else self.incomplete,
            )
            for name, results in by_program.items()
        }

    @property
    def instances(self) -> list[str]:
        """The names of the instances, in their order."""
        return list(dict.fromkeys(result.instance for result in self.results))

    @property
    def successes(self) -> int:
        """The number of successes that count."""
        return sum(result.passed and bool(result.counts) for result in self.results)

    @property
    def graded(self) -> int:
        """The greatest possible number of successes: the programs are not to blame for the rest."""
        return sum(result.graded for result in self.results)

    @property
    def points(self) -> float:
        """The points earned by all programs."""
        return round(sum(result.points or 0 for result in self.results), 4)

    @property
    def worth(self) -> float:
        """The points that all programs could earn."""
        return round(sum(result.worth for result in self.results), 4)

    @property
    def fraction(self) -> float:
        """The part of the points that was earned, from 0 to 1; 0 if there are none to earn."""
        return round(self.points / self.worth, 6) if self.worth else 0

    @property
    def score(self) -> str:
        """The points as text, such as ``3/5``."""
        return f"{_number(self.points)}/{_number(self.worth)}"

    @property
    def passed(self) -> bool:
        """True if every result is a success, and all was graded."""
        return not self.incomplete and all(result.passed for result in self.results)

    @property
    def verdict(self) -> str:
        """``SUCCESS`` or ``FAILURE``.

        It is ``INCOMPLETE`` if the run was stopped, and ``NOT GRADED`` if only instances or
        references are at fault.
        """
        if self.incomplete:
            return "INCOMPLETE"
        if self.passed:
            return "SUCCESS"
        blameless = all(each.passed or not each.graded for each in self.results)
        return "NOT GRADED" if blameless else "FAILURE"

    @property
    def summary(self) -> str:
        """The number of instances that each program solved; for several, how many solved all."""
        begin = f"{self.verdict}: {self.incomplete}; " if self.incomplete else ""
        if len(self.programs) > 1:
            right = sum(each.passed for each in self.programs.values())
            return f"{begin}{right} of {len(self.programs)} programs passed"
        number = len(self.results)
        more = f", {number - self.graded} not graded" if self.graded < number else ""
        if self.with_points:
            more += f", points: {self.score}"
        return f"{begin}{self.successes} of {number} passed{more}"

    @property
    def hollow(self) -> str:
        """A sentence about successes that do not count; empty if there are none."""
        number = sum(each.passed and not each.counts for each in self.results)
        if len(self.programs) > 1 or not number:
            return ""
        return (
            f"not counted: {counted(number, 'instance')} without solutions, since the program"
            " passes none that has some"
        )

    @property
    def common(self) -> Iterator[tuple[str, ...]]:
        """The instances at fault with the reason, and the mistakes of several programs.

        Each is one or two lines; the most frequent mistakes are first.
        """
        if len(self.programs) == 1:
            return
        yield from dict.fromkeys((each.why_ungraded,) for each in self.results if not each.graded)
        by_mistake: dict[str, list[Result]] = {}
        for result in self.results:
            if result.mistake:
                by_mistake.setdefault(result.mistake, []).append(result)
        shared = [
            (list(dict.fromkeys(each.program for each in results)), mistake, results)
            for mistake, results in by_mistake.items()
        ]
        for programs, mistake, results in sorted(shared, key=lambda each: -len(each[0])):
            if len(programs) > 1:
                where = ", ".join(dict.fromkeys(each.instance for each in results))
                yield f"{len(programs)} programs: {mistake} ({where})", ", ".join(programs)


# --- as the command prints it: a line for each instance, and the remarks -----------------


def text(report: Report) -> str:
    """Return what the command prints about one program; of several, about each of them."""
    several = len(report.programs) > 1
    printed = []
    for program, one in report.programs.items():
        printed += [program] if several else []
        for result in filter(lambda each: each.was_run, one.results):
            printed += lines(result, report.with_points)
        printed += [one.summary, ""] if several else []
    return "\n".join([*printed, *ending(report)])


def ending(report: Report) -> list[str]:
    """Return the lines below the results, and the verdict on all."""
    shared = [line for head, *more in report.common for line in (head, *(f"    {m}" for m in more))]
    hollow = [report.hollow] if report.hollow else []
    return [*shared, *hollow, report.summary, report.verdict]


def _number(number: float) -> str:
    """Return the number without needless zeros."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def brief(result: Result, with_points: bool = False) -> str:
    """Return the line of a result, with the first remark."""
    first = next(iter(result.text.splitlines()), "")
    return f"{_head(result, with_points)}  {first}".rstrip()


def lines(result: Result, with_points: bool = False) -> list[str]:
    """Return the line of a result, and the remarks indented."""
    below = (f"    {line}" for line in result.text.splitlines())
    return [_head(result, with_points), *below]


def _head(result: Result, with_points: bool) -> str:
    head = f"{result.instance:<12} {result.outcome:<7}"
    if result.timed:
        head += f" {result.milliseconds:>7} ms"
    if with_points and result.points is not None:
        head += f"  {_number(result.points)}/{_number(result.worth)} points"
    return head.rstrip()


# --- reports that other programs read: platforms, spreadsheets, scripts ------------------


def details(result: Result) -> str:
    """Return the words of a result with its pictures, as HTML."""
    pieces = []
    for part in result.parts():
        pieces.append(f"<p>{'<br>'.join(map(escape, part.words.splitlines()))}</p>")
        if part.picture:
            pieces.append(_image(part.picture))
        elif len(part.lines) > 1:
            pieces.append(f"<pre>{escape(chr(10).join(part.lines))}</pre>")
        elif part.lines:
            pieces.append(f"<p><code>{escape(part.lines[0])}</code></p>")
        if part.rule:
            pieces.append(f"<p>{escape(part.rule)}</p>")
        if part.places:
            items = "\n".join(map(_item, part.places))
            pieces.append(f"<ol>\n{items}\n</ol>")
    return "\n".join(pieces)


def _item(place: Place) -> str:
    code = f"<code>{escape(place.text)}</code>"
    return f"<li><b>{escape(place.where)}</b><br>{code}<br>{escape(place.words)}</li>"


def _image(picture: Picture) -> str:
    """Return the picture as an image: some platforms remove SVG elements from HTML."""
    data = b64encode(picture.to_svg().encode()).decode()
    alt = escape(picture.described, quote=True)
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{alt}" style="max-width: 100%">'


# --- Gradescope: results.json ---


def gradescope(report: Report) -> str:
    """Return a test for each instance, which every student may see."""
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


# --- Moodle CodeRunner: what a combinator template grader prints ---


_HEADER = ["iscorrect", "Instance", "Result", "Points", "What is wrong", "ishidden"]


def coderunner(report: Report) -> str:
    """Return the mark as a fraction, and a table with a row for each instance."""
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
    points = f"{_number(result.points or 0)}/{_number(result.worth)}"
    passed = int(result.passed and bool(result.counts))
    return [passed, result.instance, result.outcome, points, details(result), 0]


# --- JUnit XML, which Jenkins, GitLab, CodeGrade and others read ---


def junit(report: Report) -> str:
    """Return a test suite for each program, with a test case for each instance."""
    suites = Element("testsuites", {"name": report.title})
    for program, one in report.programs.items():
        suite = SubElement(suites, "testsuite", {"name": program})
        if report.with_points:
            properties = SubElement(suite, "properties")
            for name, number in (("points", one.points), ("worth", one.worth)):
                SubElement(properties, "property", {"name": name, "value": _number(number)})
        for result in one.results:
            _case(suite, result)
    if report.incomplete:  # or else all might seem to be right
        suite = SubElement(suites, "testsuite", {"name": report.verdict})
        case = SubElement(suite, "testcase", {"name": report.verdict, "classname": report.title})
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


# --- a table for a spreadsheet or a gradebook ---


def csv(report: Report) -> str:
    """Return how often each program passed, its outcome on each instance, and its mistakes.

    The reason why an instance is not graded is with the mistakes. If the report is incomplete,
    there is a last row with the reason.
    """
    out = StringIO()
    table = _csv.writer(out, lineterminator="\n")
    heads = ["passed", "of", *(["points", "worth"] if report.with_points else [])]
    table.writerow(["program", *heads, *map(_cell, report.instances), "mistakes"])
    for program, one in report.programs.items():
        words = (each.mistake if each.graded else each.why_ungraded for each in one.results)
        mistakes = dict.fromkeys(filter(None, words))
        cells: list[object] = [one.successes, one.graded]
        cells += [_number(one.points), _number(one.worth)] if report.with_points else []
        cells += [result.cell for result in one.results]
        table.writerow([_cell(program), *cells, _cell("; ".join(mistakes))])
    if report.incomplete:
        table.writerow([f"INCOMPLETE: {report.incomplete}"])
    return out.getvalue()


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in tuple("=+-@\t\r") else text


# --- JSON: an object for each result, and a last one for all ---


_IN_JSON: tuple[str, ...] = (
    *("instance", "outcome", "way", "milliseconds", "answers", "missing", "extra"),
    *(
        "missing_grid",
        "extra_grid",
        "missing_answer",
        "extra_answer",
        "rule",
        "message",
        "exhausted",
        "graded",
        "diagnosis",
    ),
    *("program", "hidden", "points", "worth"),
)


def json(report: Report) -> str:
    """Return a line for each result and one for all."""
    records: list[dict[str, Any]] = [*map(record, report.results), total(report)]
    return "\n".join(map(dumps, records))


def record(result: Result) -> dict[str, Any]:
    """Return one result as an object; of an answer, the name has its kind: grids are rows."""
    facts = {name: getattr(result, name) for name in _IN_JSON}
    if not result.has_atoms:
        facts["missing_answer"] = facts["extra_answer"] = None
    for name in ("missing_grid", "extra_grid", "missing_answer", "extra_answer", "diagnosis"):
        facts[name] = None if facts[name] is None else facts[name].to_json()
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


# --- a page for people: a table of all programs, what they share, and each mistake -------

_SIGNS = dict(zip(Outcome, "✓✗…!?", strict=True))
_MARKS = "marks.css"
"""The style of the table and of what is below it."""


def html(report: Report) -> str:
    """Return a whole page, without scripts."""
    return _template("report.html").substitute(
        title=escape(report.title),
        style=_template(_MARKS).template,
        summary=escape("; ".join(filter(None, (report.summary, report.hollow)))),
        table=_table(report),
        common=_common(report),
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
    last = "points" if report.with_points else "passed"
    rows = [f'<tr><th scope="col">program</th>{names}<th scope="col">{last}</th></tr></thead>']
    for program, one in report.programs.items():
        cells = "".join(
            f'<td class="{each.outcome.name.lower()}">{_SIGNS[each.outcome]} {each.cell}</td>'
            for each in one.results
        )
        head, last = f'<th scope="row">{escape(program)}</th>', escape(one.score)
        rows.append(f'<tr>{head}{cells}<td class="n">{last}</td></tr>')
    return '<table class="sudoku-marks">\n<thead>' + "\n".join(rows) + "\n</table>"


def _common(report: Report) -> str:
    lines = [f"<li>{'<br>'.join(map(escape, each))}</li>" for each in report.common]
    return "\n".join(["<h2>What programs share</h2>\n<ul>", *lines, "</ul>"]) if lines else ""


def _wrong(report: Report) -> str:
    """Return the details of each program that is not all right; one alone is unfolded."""
    opened = " open" if len(report.programs) == 1 else ""
    sections = []
    for program, one in report.programs.items():
        shown = "\n".join(
            f"<section>\n<h3>{escape(result.instance)}: {result.outcome}</h3>\n{body}\n</section>"
            for result in one.results
            if (body := details(result))
        )
        if shown:
            head = escape(f"{program}: {one.summary}")
            sections.append(
                f'<details class="sudoku-wrong"{opened}><summary>{head}</summary>\n'
                f'<div class="sudoku-mistakes">\n{shown}\n</div></details>'
            )
    return "\n".join(sections) or "<p>Nothing.</p>"


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
