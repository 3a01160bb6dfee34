#!/usr/bin/env python3
"""Write the man pages of the commands into build/man/man1, made by click-man of their help.

make man
man -M build/man pylogic-sudoku-solve
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from inspect import cleandoc
from pathlib import Path

import click
from click_man.core import write_man_pages

from pylogic_sudoku.cli.app import cli, loaded

PAGES = Path(__file__).resolve().parent.parent / "build" / "man" / "man1"


def commands_below(group: click.Group) -> Iterator[click.Command]:
    yield group
    for each in group.commands.values():
        yield from commands_below(each) if isinstance(each, click.Group) else [each]


def as_roff(text: str) -> str:
    """Return a help text whose blocks that click leaves as they are, roff leaves so as well."""
    blocks = text.split("\n\n")
    kept = (each.removeprefix("\b\n") for each in blocks)
    return "\n\n".join(
        f".nf\n{text}\n.fi" if text != block else text
        for text, block in zip(kept, blocks, strict=True)
    )


def main() -> None:
    PAGES.mkdir(parents=True, exist_ok=True)
    for name in list(cli.commands):  # click-man reads them all, and each is imported on demand
        cli.add_command(loaded(name), name)
    for command in commands_below(cli):
        texts = [cleandoc(text) for text in (command.help, command.epilog) if text]
        command.short_help = texts[0].partition("\n\n")[0].replace("\n", " ")
        command.help = as_roff("\n\n".join(texts))
    write_man_pages("pylogic-sudoku", cli, version=version("pylogic-sudoku"), target_dir=str(PAGES))


if __name__ == "__main__":
    main()
