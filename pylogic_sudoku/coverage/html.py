"""A coverage as a page: the text of each program, coloured, and a table."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from .lines import pieces, words_of
from .result import HEADINGS, Coverage, ProgramCoverage, rows
from .trials import Trial

__all__ = ["as_html"]

STYLE = """\
:root { color-scheme: light dark; --text: #1c1c1c; --page: #fff; --quiet: #666; --rule: #ddd;
  --noticed: #dcf3dd; --late: #fdeebf; --missed: #ffd3d0; --unknown: #e3e3ec; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e6e6; --page: #1b1b1b; --quiet: #a5a5a5;
  --rule: #3d3d3d; --noticed: #1d3d24; --late: #574a12; --missed: #6a2320; --unknown: #3a3a4a; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page);
  margin: 2rem auto; max-width: 64rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: left; }
tr { border-bottom: 1px solid var(--rule); } td.n, th.n { text-align: right; }
pre { font: 14px/1.45 ui-monospace, monospace; overflow-x: auto; border: 1px solid var(--rule);
  padding: .5rem 0; border-radius: 4px; }
pre .row { display: block; padding: 0 .8rem; min-height: 1.45em; }
pre .at { display: inline-block; width: 3rem; color: var(--quiet); user-select: none;
  text-align: right; padding-right: 1rem; }
pre .by { display: inline-block; width: 2rem; color: var(--quiet); user-select: none;
  text-align: right; padding-right: 1rem; }
.noticed { background: var(--noticed); } .late { background: var(--late); }
.missed { background: var(--missed); text-decoration: underline wavy; }
.unknown { background: var(--unknown); }
.key span { padding: 0 .4rem; border-radius: 3px; margin-right: .6rem; }"""

KEY = (
    ("noticed", "without it some instance has other answers, or an error"),
    ("late", "noticed by time alone: without it the program does not end"),
    ("missed", "no instance notices that it is missing"),
    ("unknown", "even with it the program does not end in time"),
)


def as_html(coverage: Coverage) -> str:
    """The whole page, without scripts."""
    return "\n".join(_lines(coverage)) + "\n"


def _lines(coverage: Coverage) -> Iterator[str]:
    title = f"Coverage of {coverage.problem.name}"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>"
    yield f"<h1>{escape(title)}</h1>\n<p>{escape(coverage.summary)}.</p>"
    if coverage.incomplete:
        yield f"<p><strong>Incomplete: {escape(coverage.incomplete)}.</strong></p>"
    yield f"<p>Instances: {escape(', '.join(coverage.instances))}.</p>"
    yield from _table(coverage)
    marks = "<br>".join(f'<span class="{name}">{name}</span>{text}' for name, text in KEY)
    yield f'<p class="key">{marks}</p>'
    yield "<p>The number before a line is that of the instances that notice it.</p>"
    for name, why in coverage.skipped.items():
        yield f"<p>Not tried: {escape(name)}: {escape(why)}</p>"
    for program in coverage.programs:
        for file in program.files:
            yield from _program(file, program)
    yield "</body>\n</html>"


def _table(coverage: Coverage) -> Iterator[str]:
    def cells(row: list[str], tag: str) -> str:
        texts = (
            f"<{tag}{' class=n' if at > 1 else ''}>{escape(text)}</{tag}>"
            for at, text in enumerate(row)
        )
        return f"<tr>{''.join(texts)}</tr>"

    yield "<table>\n<thead>" + cells(list(HEADINGS), "th") + "</thead>\n<tbody>"
    yield from (cells(row, "td") for row in rows(coverage))
    yield "</tbody>\n</table>"


def _program(file: Path, program: ProgramCoverage) -> Iterator[str]:
    yield f"<h2>{escape(file.name)} <small>({escape(program.name)})</small></h2>\n<pre>"
    shown: list[str] = []
    for number, line in enumerate(pieces(file, program), 1):
        parts = [trial for text, trial in line if trial and text.strip(" \t,.;")]
        fewest = str(min(len(each.noticing) + len(each.late) for each in parts)) if parts else ""
        text = "".join(_piece(text, trial, program) for text, trial in line)
        head = f'<span class="at">{number}</span><span class="by">{fewest}</span>'
        shown.append(f'<span class="row">{head}{text}</span>')
    while shown and shown[-1].endswith('<span class="by"></span></span>'):
        shown.pop()
    yield "".join(shown) + "</pre>"


def _piece(text: str, trial: Trial | None, program: ProgramCoverage) -> str:
    if trial is None or not text.strip():
        return escape(text)
    words = escape(words_of(trial, program.instances))
    return f'<span class="{trial.verdict}" title="{words}">{escape(text)}</span>'
