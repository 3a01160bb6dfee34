"""A page for people: a table of all programs, what they share, and the picture of each mistake."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .._result import Report, Result
from .._verdict import Outcome
from ._platforms import details, inline

__all__ = ["html", "part"]

_SIGNS: dict[Outcome, str] = {"success": "✓", "failure": "✗", "timeout": "…", "error": "!"}
_STYLE = """
:root { color-scheme: light dark }
body { margin: 0 auto; max-width: 75rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem } h3 { margin-bottom: 0 }
.wide { overflow-x: auto }"""
_TABLE = """
.sudoku-marks { border-collapse: collapse; font-size: .95rem }
.sudoku-marks th, .sudoku-marks td { border: 1px solid #8886; padding: .2rem .6rem;
  text-align: left }
.sudoku-marks td { white-space: nowrap }
.sudoku-marks td.n { text-align: right }
.sudoku-marks .success { background: #2a9d4a26 }
.sudoku-marks .failure { background: #d3302626 }
.sudoku-marks .timeout { background: #d9860026 }
.sudoku-marks .error { background: #8a4fd326 }"""
_DETAILS = """
.sudoku-wrong { border-top: 1px solid #8886; padding: .4rem 0 }
.sudoku-wrong > summary { cursor: pointer; overflow-wrap: anywhere }
.sudoku-mistakes { display: grid; gap: 1rem 2rem;
  grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)) }
.sudoku-mistakes p { margin: .3rem 0; overflow-wrap: anywhere }
.sudoku-wrong svg { max-width: 22rem; height: auto; border-radius: 8px }
@media print { .sudoku-wrong::details-content { content-visibility: visible; height: auto } }"""


def html(report: Report) -> str:
    """Return a whole page, without scripts."""
    title = escape(report.title)
    several = len(report.programs) > 1
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{_STYLE}{_DETAILS}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{escape(report.summary)}. Points: {escape(report.score)}.</p>
<div class="wide" tabindex="0" role="region" aria-label="Results">
{_table(report)}
</div>
{_common(report) if several else ""}
<h2>What is wrong</h2>
{_wrong(report)}
</body>
</html>"""


def part(report: Report) -> str:
    """Return the table and what is wrong, for a page of others such as a notebook."""
    return f"<div><style>{_DETAILS}</style>\n{_table(report)}\n{_wrong(report)}\n</div>"


def _table(report: Report) -> str:
    """Return a table with a row for each program."""
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in report.instances)
    rows = "\n".join(
        _row(program, results, report.only(program).score)
        for program, results in report.programs.items()
    )
    return f"""<style>{_TABLE}
</style>
<table class="sudoku-marks">
<thead><tr><th scope="col">program</th>{names}<th scope="col">points</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>"""


def _row(program: str, results: Sequence[Result], score: str) -> str:
    cells = "".join(
        f'<td class="{each.outcome}">{_SIGNS[each.outcome]} {each.cell}</td>' for each in results
    )
    return (
        f'<tr><th scope="row">{escape(program)}</th>{cells}<td class="n">{escape(score)}</td></tr>'
    )


def _common(report: Report) -> str:
    lines = [
        f"<li>{escape(instance)}: {escape(reason)}</li>"
        for instance, reason in report.not_graded.items()
    ]
    lines += [
        f"<li>{escape(each.mistake)} ({escape(', '.join(each.instances))}):"
        f" {len(each.programs)} programs: {escape(', '.join(each.programs))}</li>"
        for each in report.shared
    ]
    lines += [
        f"<li>the same mistakes on every instance: {escape(', '.join(group))}</li>"
        for group in report.same_throughout
    ]
    if not lines:
        return ""
    return "<h2>What programs share</h2>\n<ul>\n" + "\n".join(lines) + "\n</ul>"


def _wrong(report: Report) -> str:
    """Return the details of each program that is not all right; one alone is unfolded."""
    opened = " open" if len(report.programs) == 1 else ""
    sections = []
    for program, results in report.programs.items():
        said = [result for result in results if result.parts]
        if said:
            shown = "\n".join(map(_mistake, said))
            only = report.only(program)
            head = f"{escape(program)}: {escape(only.summary)}, points: {escape(only.score)}"
            sections.append(
                f'<details class="sudoku-wrong"{opened}><summary>{head}</summary>\n'
                f'<div class="sudoku-mistakes">\n{shown}\n</div></details>'
            )
    return "\n".join(sections) or "<p>Nothing.</p>"


def _mistake(result: Result) -> str:
    head = f"<h3>{escape(result.instance)}: {result.outcome}</h3>"
    return f"<section>\n{head}\n{details(result, inline)}\n</section>"
