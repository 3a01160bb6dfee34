"""Pictures of grids: SVG, PNG, PDF, HTML, and boxes drawn in a terminal.

>>> from pylogic_sudoku import Grid
>>> print(Picture(Grid.parse("1..4.....3......")).to_text())
┏━━━┯━━━┳━━━┯━━━┓
┃ 1 │   ┃   │ 4 ┃
┠───┼───╂───┼───┨
┃   │   ┃   │   ┃
┣━━━┿━━━╋━━━┿━━━┫
┃   │ 3 ┃   │   ┃
┠───┼───╂───┼───┨
┃   │   ┃   │   ┃
┗━━━┷━━━┻━━━┷━━━┛
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BackendUnavailable
from ..files import install_command, save
from ..puzzle import pencil_marks
from . import svg, terminal
from .picture import PARTS, ROLES, Highlight, Link, Scene, difference, mistakes
from .svg import pages

if TYPE_CHECKING:
    from os import PathLike

__all__ = [
    "PARTS",
    "ROLES",
    "SUFFIXES",
    "Highlight",
    "Link",
    "Picture",
    "difference",
    "html_part",
    "mistakes",
    "pages",
    "pencil_marks",
    "require",
]

SUFFIXES = (".svg", ".png", ".pdf", ".html", ".txt")
"""The suffixes of the files that `Picture.save` writes."""


class Picture(Scene):
    """A grid to be drawn, with its writers. InvalidPuzzle if its parts do not fit together."""

    __slots__ = ()

    def to_svg(self) -> str:
        """An SVG image: small, without ids, and legible on any background."""
        return svg.draw(self)

    def to_text(self, color: bool = False, rules: bool = True) -> str:
        """Box-drawing characters; with `color`, and givens bold, for a terminal.

        The rules beyond plain sudoku are below the grid in words, if `rules`.
        """
        return terminal.draw(self, color, rules)

    def to_html(self) -> str:
        """A whole page with the SVG image on it."""
        return pages([("", self)])

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file of the kind that its suffix names: one of `SUFFIXES`.

        If that fails, an existing file is left unchanged. ValueError for any other suffix;
        BackendUnavailable if PNG or PDF lack CairoSVG; OSError.
        """
        name, suffix = Path(path).name, Path(path).suffix.lower()
        if suffix in (".png", ".pdf"):
            save(path, _convert(self.to_svg(), suffix))
            return
        if suffix not in SUFFIXES:
            raise ValueError(
                f"no picture can be written as {name!r}; choose one of {', '.join(SUFFIXES)}"
            )
        made = {".svg": self.to_svg, ".html": self.to_html, ".txt": self.to_text}[suffix]()
        save(path, made + "\n")

    def _repr_svg_(self) -> str:
        return self.to_svg()


def html_part(text: str, *pictures: Picture) -> str:
    """A part of an HTML page, without scripts: the first line of a text, the pictures, the rest.

    The rest shows on request. Texts with several lines keep their spaces.
    """
    first, _, rest = text.partition("\n")
    drawn = "".join(picture.to_svg() for picture in pictures)
    row = f'<div style="display:flex;flex-wrap:wrap;gap:16px">{drawn}</div>' if drawn else ""
    block = f'<pre style="max-height:24em;overflow:auto">{escape(rest)}</pre>'
    more = f"<details><summary>More</summary>{block}</details>" if rest else ""
    return f"<p>{escape(first)}</p>{row}{more}"


def require(suffix: str) -> None:
    """BackendUnavailable if pictures with this suffix need CairoSVG, and it is missing."""
    if suffix not in (".png", ".pdf"):
        return
    try:
        import cairosvg  # type: ignore[import-untyped]  # noqa: F401
    except ImportError:
        needed = f"{suffix[1:].upper()} files need CairoSVG"
        raise BackendUnavailable(needed, f"Install it: {install_command('draw')}") from None
    except OSError as error:
        raise BackendUnavailable(
            f"{suffix[1:].upper()} files need the cairo library: {error}",
            "Install it with your system's packages: libcairo2 on Debian, elsewhere cairo.",
        ) from None


def _convert(svg: str, suffix: str) -> bytes:
    require(suffix)
    import cairosvg

    if suffix == ".png":
        return bytes(cairosvg.svg2png(svg.encode(), scale=2))
    return bytes(cairosvg.svg2pdf(svg.encode()))
