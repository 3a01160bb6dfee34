"""What the commands that draw share: where a picture goes."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click

from ..draw import SUFFIXES, Picture
from ..draw._text import in_ascii
from ..grid import Grid
from ._run import Run, say

__all__ = ["OUTPUT", "for_one_file", "print_picture"]


def _file(_context: Any, parameter: Any, path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower() not in SUFFIXES:
        raise click.BadParameter(
            f"{path.name!r} should end in one of {', '.join(SUFFIXES)}", param=parameter
        )
    return path


OUTPUT = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_file,
    metavar="FILE",
    help=f"Write a file, of the kind that its name says: {', '.join(SUFFIXES)}.",
)


def for_one_file(run: Run) -> Iterator[tuple[str, Grid]]:
    """The puzzle of the run, and where it stands; UsageError if there are several."""
    found = list(islice(run.puzzles(), 2))
    if len(found) > 1:
        raise click.UsageError("-o takes one puzzle, but there are several")
    yield from found


def print_picture(picture: Picture) -> None:
    """Prints it as the terminal can take it: colours, line drawing, width."""
    plain = picture.to_text()
    if sys.stdout.isatty():
        wide, columns = max(map(len, plain.splitlines())), shutil.get_terminal_size().columns
        if wide > columns:
            say(f"{wide} columns wide, and this terminal has {columns}: -o FILE.svg makes a file.")
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    text = plain if dull or not sys.stdout.isatty() else picture.to_text(color=True)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = in_ascii(text)
    click.echo(text)
