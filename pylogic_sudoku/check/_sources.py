"""Where programs and instances come from: files, folders, and texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .._api import PuzzleLike
from ..errors import InvalidPuzzle
from ..formats import as_puzzle
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ._instances import Instance, Vocabulary, find_instances, of_text

__all__ = ["Source", "gathered", "program_file"]

Source = PuzzleLike | Path
"""A file or folder, or a puzzle."""
_NAME = re.compile(r"[\w./+~-]*[^\W\d_]{2}[\w./+~-]*")
"""What may be the name of a file: a word with two adjacent letters."""


def gathered(
    sources: Source | Sequence[Source], vocabulary: Vocabulary, form: str | None, box: Box | None
) -> Iterator[Instance]:
    """Return the instances of all sources, each under a name of its own.

    InvalidPuzzle if a source has none, or is neither a file nor a puzzle.
    """
    several: Sequence[Any] = [sources] if _is_one(sources) else sources  # type: ignore[assignment]
    found = [
        _of_source(source, number, vocabulary, form, box)
        for number, source in enumerate(several, 1)
    ]
    if not found:
        raise InvalidPuzzle("there are no instances; expected a file, a folder or puzzles")
    return found[0] if len(found) == 1 else _distinct(chain.from_iterable(found))


def _is_one(sources: Any) -> bool:
    """True for a single source, also for a puzzle as nested rows."""
    if isinstance(sources, str | Path | Grid | Puzzle):
        return True
    return bool(sources) and not isinstance(sources[0], str | Path | Grid | Puzzle)


def _of_source(
    source: Source, number: int, vocabulary: Vocabulary, form: str | None, box: Box | None
) -> Iterator[Instance]:
    name = f"puzzle-{number}"
    if isinstance(source, Path) or (isinstance(source, str) and _is_there(source)):
        return find_instances(Path(source), vocabulary, form, box)
    if isinstance(source, str):
        try:
            return iter(of_text(source, name, vocabulary, form, box))
        except InvalidPuzzle as error:
            if not _NAME.fullmatch(source):
                raise
            raise InvalidPuzzle(
                f"{source}: there is no such file or folder, and as a puzzle it cannot be read:"
                f" {error}"
            ) from None
    puzzle = as_puzzle(source)
    return iter([Instance(name, Path(f"{name}.lp"), puzzle.format("facts"), puzzle)])


def _is_there(text: str) -> bool:
    """True if this is a file or folder."""
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):  # too long for a name, or with a null character
        return False


def _distinct(instances: Iterator[Instance]) -> Iterator[Instance]:
    """Yield the instances; a name that comes again gets a number."""
    used: set[str] = set()
    for each in instances:
        name, number = each.name, 1
        while name in used:
            number += 1
            name = f"{each.name} ({number})"
        used.add(name)
        yield each._replace(name=name)


def program_file(program: str | Path, predicate: str) -> tuple[Path, object]:
    """Return the file of the program, and what must be kept for as long as it is needed.

    A text with several lines is a program, which is written to a file of ours.
    """
    if isinstance(program, Path) or "\n" not in program:
        return Path(program), None
    folder = TemporaryDirectory(prefix="pylogic-sudoku-", ignore_cleanup_errors=True)
    prolog = re.search(rf"^\s*:-\s*(use_)?module\b|^\s*{predicate}\([A-Z_]\w*\)", program, re.M)
    path = Path(folder.name) / ("program.pl" if prolog else "program.lp")
    path.write_text(program, encoding="utf-8")
    return path, folder
