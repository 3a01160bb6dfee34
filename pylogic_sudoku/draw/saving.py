"""Drawings as files: the suffix of a file chooses its format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..errors import BackendUnavailable
from ..files import install_command, save

if TYPE_CHECKING:
    from os import PathLike

SUFFIXES = (".svg", ".png", ".pdf", ".html", ".txt")
"""The suffixes of the files that `Picture.save` writes."""


class Drawn(Protocol):
    """A drawing in the formats that are text."""

    def to_svg(self) -> str: ...
    def to_html(self) -> str: ...
    def to_text(self) -> str: ...


def save_drawn(drawn: Drawn, path: str | PathLike[str]) -> None:
    """Write a file of the kind that its suffix names; see `Picture.save`."""
    name, suffix = Path(path).name, Path(path).suffix.lower()
    if suffix in (".png", ".pdf"):
        require(suffix)
        import cairosvg  # type: ignore[import-untyped]

        image = drawn.to_svg().encode()
        png = suffix == ".png"
        save(path, cairosvg.svg2png(image, scale=2) if png else cairosvg.svg2pdf(image))
        return
    if suffix not in SUFFIXES:
        raise ValueError(
            f"no picture can be written as {name!r}; choose one of {', '.join(SUFFIXES)}"
        )
    text = {".svg": drawn.to_svg, ".html": drawn.to_html, ".txt": drawn.to_text}[suffix]()
    save(path, text + "\n")


def require(suffix: str) -> None:
    """BackendUnavailable if pictures with this suffix need CairoSVG, and it is missing."""
    if suffix not in (".png", ".pdf"):
        return
    try:
        import cairosvg  # noqa: F401
    except ImportError:
        needed = f"{suffix[1:].upper()} files need CairoSVG"
        raise BackendUnavailable(needed, f"Install it: {install_command('draw')}") from None
    except OSError as error:
        raise BackendUnavailable(
            f"{suffix[1:].upper()} files need the cairo library: {error}",
            "Install it with your system's packages: libcairo2 on Debian, elsewhere cairo.",
        ) from None
