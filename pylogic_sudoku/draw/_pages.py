"""Pictures on an HTML page: one alone, or many with a list through which one can walk.

There are no scripts. The list is a group of radio buttons, so the arrow keys, the mouse and fingers
walk through it. A box to tick shows all pictures in columns under the list, as paper does, and
browsers for which styles do not count.
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
    note: str = ""
    """What follows the name in the heading of the picture."""


_PAGE = """
body { margin: 0 auto; max-width: 72rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif }
body:has(> form > .all :checked) { max-width: none }
.alone { display: grid; place-items: center; min-height: 95vh }
figure { margin: 0 }
figcaption { max-width: 60ch; white-space: pre-wrap }
svg { max-width: 100%; height: auto; border-radius: 8px }"""

_WALK = """
.sudoku-walk { display: grid; grid-template: auto auto 1fr / minmax(10rem, 20rem) minmax(0, 1fr);
  gap: .5rem 1rem; align-items: start; text-align: start }
.sudoku-walk > p, .sudoku-walk > .all { grid-column: 1 / -1; margin: 0 }
.sudoku-walk > ol { max-height: 38rem; overflow: auto; margin: 0; padding: 2px; list-style: none }
.sudoku-walk > ol li { margin: 0; break-inside: avoid }
.sudoku-walk > ol a { display: none; color: inherit }
.sudoku-walk > ol label { display: flex; gap: .5em; padding: .2em .4em; border-radius: 6px;
  cursor: pointer; font-size: .9rem; line-height: 1.35 }
.sudoku-walk > ol label:has(:checked) { background: #d3e9ff; color: #16181d }
.sudoku-walk > ol label:has(:focus-visible) { outline: 2px solid #0b5aa8 }
.sudoku-walk > ol input { flex: none; margin: .25em 0 0 }
.sudoku-walk > figure { grid-area: 3 / 2; margin: 0; break-inside: avoid }
.sudoku-walk figcaption { max-width: 60ch; min-height: 3em; line-height: 1.5;
  white-space: pre-wrap }
.sudoku-walk figcaption > div { font-weight: 600 }
.sudoku-walk figcaption small { font-weight: 400; white-space: nowrap }
.sudoku-walk svg { max-width: 100%; height: auto; border-radius: 8px }
@media (max-width: 44rem) {
  .sudoku-walk { display: flex; flex-direction: column; align-items: stretch }
  .sudoku-walk > ol { order: 1; max-height: 14rem }
}
@media screen {
.sudoku-walk:has(> .all :checked) { display: grid; align-items: stretch; gap: 1.5rem;
  grid-template: none / repeat(auto-fill, minmax(min(100%, 19rem), 1fr)) }
.sudoku-walk:has(> .all :checked) > ol { grid-column: 1 / -1; order: 0; columns: 16rem;
  max-height: none; font-size: .9rem }
.sudoku-walk:has(> .all :checked) > ol label:has(+ a) { display: none }
.sudoku-walk:has(> .all :checked) > ol a { display: block; padding: .2em .4em }
.sudoku-walk:has(> .all :checked) > figure { grid-area: auto; scroll-margin-top: 1rem }
.sudoku-walk:has(> .all :checked) > figure:target {
  outline: 2px solid #0b5aa8; outline-offset: .5rem }
}
@media print {
  .sudoku-walk { display: block; columns: 16rem }
  .sudoku-walk > :is(p, ol) { column-span: all }
  .sudoku-walk > ol { columns: 14rem; max-height: none }
  .sudoku-walk > .all, .sudoku-walk > ol input { display: none }
  .sudoku-walk > ol label:has(:checked) { background: none }
}"""


def pages(pictures: Iterable[tuple[str, Picture] | Shown], head: str = "") -> str:
    """A whole HTML page with pictures, each under its text; several have a list to walk through."""
    shown = [
        each if isinstance(each, Shown) else Shown(each[1].described, *each) for each in pictures
    ]
    if len(shown) == 1:
        body = f'<div class="alone">\n{_figure(shown[0].text, shown[0].picture)}\n</div>'
    else:
        body = walk(shown, head, linked=True)
    title = head or (shown[0].picture.described if shown else "Sudoku")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{_PAGE}
</style>
</head>
<body>
{body}
</body>
</html>"""


def walk(shown: Sequence[Shown], head: str = "", linked: bool = False) -> str:
    """A numbered list and the picture of its chosen line, as a part of an HTML page.

    With `linked`, the pictures have the ids ``p1``, ``p2`` and so on, and the list links to them if
    all are shown.
    """
    names = [f"{number}. {escape(each.name)}" for number, each in enumerate(shown, 1)]
    lines = "\n".join(_line(name, at, linked) for at, name in enumerate(names, 1))
    figures = "\n".join(
        _figure(each.text, each.picture, _heading(name, each.note), f"p{at}" if linked else "")
        for at, (name, each) in enumerate(zip(names, shown, strict=True), 1)
    )
    # A form of its own keeps its radio buttons apart from those of other lists on the page.
    return f"""<form class="sudoku-walk">
<style>{_WALK}{_hidden(len(shown))}
</style>
{f"<p>{escape(head)}</p>" if head else ""}
<label class="all"><input type="checkbox"/> Show all</label>
<ol>
{lines}
</ol>
{figures}
</form>"""


def _line(name: str, at: int, linked: bool) -> str:
    checked = ' checked="checked"' if at == 1 else ""
    link = f'<a href="#p{at}">{name}</a>' if linked else ""
    return (
        f'<li><label><input type="radio" name="shown"{checked}/>'
        f"<span>{name}</span></label>{link}</li>"
    )


def _heading(name: str, note: str) -> str:
    """A heading that the table of contents of a notebook does not take for one of its own."""
    small = f" <small>{escape(note)}</small>" if note else ""
    return f'<div role="heading" aria-level="2">{name}{small}</div>'


def _hidden(number: int) -> str:
    """The style that shows the picture of the chosen line alone, unless all are shown."""
    chosen = ",\n".join(
        f".sudoku-walk:has(> ol > li:nth-child({at}) :checked) > figure:nth-of-type({at})"
        for at in range(1, number + 1)
    )
    if not chosen:
        return ""
    return f"""
@supports selector(:has(a)) {{ @media screen {{
.sudoku-walk:not(:has(> .all :checked)) > figure {{ display: none }}
{chosen} {{ display: block }} }} }}"""


def _figure(text: str, picture: Picture, heading: str = "", id: str = "") -> str:
    caption = f"<figcaption>{heading}{escape(text)}</figcaption>\n" if text or heading else ""
    named = f' id="{id}"' if id else ""
    return f"<figure{named}>\n{caption}{draw(picture)}\n</figure>"
