"""The look of a value in a notebook."""

from __future__ import annotations

from html import escape
from typing import Any


def html_part(text: str, *pictures: Any) -> str:
    """A part of an HTML page, without scripts: the first line of a text, the pictures, the rest.

    The rest shows on request. Texts with several lines keep their spaces.
    """
    first, _, rest = text.partition("\n")
    drawn = "".join(picture.to_svg() for picture in pictures)
    row = f'<div style="display:flex;flex-wrap:wrap;gap:16px">{drawn}</div>' if drawn else ""
    block = f'<pre style="max-height:24em;overflow:auto">{escape(rest)}</pre>'
    more = f"<details><summary>More</summary>{block}</details>" if rest else ""
    return f"<p>{escape(first)}</p>{row}{more}"
