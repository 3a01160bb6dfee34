"""A page for people: a table of all programs, what they share, and each mistake."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from ..diagnosis import Place
from ..results import Report, Result
from ..verdict import Outcome
from .form import Format

if TYPE_CHECKING:
    from ...draw import Picture

TEMPLATES = Path(__file__).parents[1] / "templates"
_SIGNS = dict(zip(Outcome, "✓✗…!?", strict=True))
_MARKS = "marks.css"
"""The style of the table and of what is below it."""


class Html(Format):
    """A whole page, without scripts."""

    name = "html"
    ending = "html"

    def text(self, report: Report) -> str:
        return page(report.title, "; ".join(filter(None, (report.summary, report.hollow))), report)


def page(title: str, summary: str, report: Report | None) -> str:
    """Return a page with a title, a sentence, and the report, if there is one."""
    return _template("report.html").substitute(
        title=escape(title),
        style=_template(_MARKS).template,
        summary=escape(summary),
        table=_table(report) if report else "",
        common=_common(report) if report else "",
        wrong=_wrong(report) if report else "<p>There is nothing to grade.</p>",
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


# --- one result ---


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
