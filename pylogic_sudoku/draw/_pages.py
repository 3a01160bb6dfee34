"""Pictures on an HTML page: one alone, or many with a list through which one can walk.

There are no scripts. The list is a group of radio buttons, so the arrow keys, the mouse and fingers
walk through it. On paper, and where styles do not count, all pictures are shown in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from ._picture import Picture
from ._svg import draw

__all__ = ["Shown", "pages", "walk"]


class Shown(NamedTuple):
    """A picture in a list."""

    name: str
    """The line of the list."""
    text: str
    """The text above the picture."""
    picture: Picture


_PAGE = """
body { margin: 0 auto; max-width: 64rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif }
.alone { display: grid; place-items: center; min-height: 95vh }
figure { margin: 0 }
figcaption { max-width: 60ch; white-space: pre-wrap }
svg { max-width: 100%; height: auto; border-radius: 8px }"""

_WALK = """
.sudoku-walk { display: grid; grid-template: auto 1fr / minmax(10rem, 20rem) minmax(0, 1fr);
  gap: .5rem 1rem; align-items: start; text-align: start }
.sudoku-walk > p { grid-column: 1 / -1; margin: 0 }
.sudoku-walk > ol { max-height: 38rem; overflow: auto; margin: 0; padding: 2px; list-style: none }
.sudoku-walk > ol li { margin: 0 }
.sudoku-walk > ol label { display: flex; gap: .5em; padding: .2em .4em; border-radius: 6px;
  cursor: pointer; font-size: .9rem; line-height: 1.35 }
.sudoku-walk > ol label:has(:checked) { background: #d3e9ff; color: #16181d }
.sudoku-walk > ol label:has(:focus-visible) { outline: 2px solid #0b5aa8 }
.sudoku-walk > ol input { flex: none; margin: .25em 0 0 }
.sudoku-walk > figure { grid-area: 2 / 2; margin: 0 }
.sudoku-walk figcaption { max-width: 60ch; min-height: 3em; line-height: 1.5;
  white-space: pre-wrap }
.sudoku-walk svg { max-width: 100%; height: auto; border-radius: 8px }
@media (max-width: 44rem) {
  .sudoku-walk { display: flex; flex-direction: column; align-items: stretch }
  .sudoku-walk > ol { order: 1; max-height: 14rem }
}
@media print { .sudoku-walk { display: block } }"""


def pages(pictures: Iterable[tuple[str, Picture]]) -> str:
    """A whole HTML page with pictures, each under its text; several have a list to walk through."""
    shown = list(pictures)
    if len(shown) == 1:
        ((text, picture),) = shown
        styles, body = _PAGE, f'<div class="alone">\n{_figure(text, picture)}\n</div>'
    else:
        named = [Shown(each.described, text, each) for text, each in shown]
        styles, body = _PAGE, walk(named)
    title = shown[0][1].described if shown else "Sudoku"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{styles}
</style>
</head>
<body>
{body}
</body>
</html>"""


def walk(shown: Sequence[Shown], head: str = "") -> str:
    """A numbered list and the picture of its chosen line, as a part of an HTML page."""
    first = {1: ' checked="checked"'}
    lines = "\n".join(
        f'<li><label><input type="radio" name="shown"{first.get(number, "")}/>'
        f"<span>{number}. {escape(each.name)}</span></label></li>"
        for number, each in enumerate(shown, 1)
    )
    figures = "\n".join(_figure(each.text, each.picture) for each in shown)
    # A form of its own keeps its radio buttons apart from those of other lists on the page.
    return f"""<form class="sudoku-walk">
<style>{_WALK}{_hidden(len(shown))}
</style>
{f"<p>{escape(head)}</p>" if head else ""}
<ol>
{lines}
</ol>
{figures}
</form>"""


def _hidden(number: int) -> str:
    """The style that shows the picture of the chosen line alone."""
    chosen = ",\n".join(
        f".sudoku-walk:has(> ol > li:nth-child({at}) :checked) > figure:nth-of-type({at})"
        for at in range(1, number + 1)
    )
    if not chosen:
        return ""
    return f"""
@supports selector(:has(a)) {{ @media screen {{
.sudoku-walk > figure {{ display: none }}
{chosen} {{ display: block }} }} }}"""


def _figure(text: str, picture: Picture) -> str:
    caption = f"<figcaption>{escape(text)}</figcaption>\n" if text else ""
    return f"<figure>\n{caption}{draw(picture)}\n</figure>"
