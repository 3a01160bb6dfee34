"""Pieces of HTML that several reports share."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from html import escape

from ...draw import Picture
from .._result import Result

__all__ = ["details", "image", "inline"]


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
