"""The puzzles that a program is graded on: files of facts, in one of several vocabularies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..errors import InvalidPuzzle
from ..formats.givens import ATOMS
from ..grid import Grid, square_box

__all__ = ["VOCABULARIES", "Instance", "Vocabulary", "find_instances", "vocabulary_of"]

_COMMENT = re.compile(r"%\*.*?\*%|%[^\n]*", re.DOTALL)


class Vocabulary(NamedTuple):
    """The atoms, each with row, column and digit, that a program takes and gives."""

    given: str
    solution: str


VOCABULARIES = {
    "initial": Vocabulary("initial", "sudoku"),
    "sudoku": Vocabulary("sudoku", "sudoku"),
    "numberAt": Vocabulary("numberAt", "numberAt"),
}


def vocabulary_of(name: str, given: str | None = None, solution: str | None = None) -> Vocabulary:
    """The vocabulary of this name, with other atoms where they are given; else a ValueError."""
    if name not in VOCABULARIES:
        raise ValueError(f"no vocabulary {name!r}; choose one of {', '.join(VOCABULARIES)}")
    found = VOCABULARIES[name]
    chosen = Vocabulary(given or found.given, solution or found.solution)
    for atom in chosen:
        if not re.fullmatch(r"_*[a-z]\w*", atom, re.ASCII):
            raise ValueError(f"{atom!r} is no name of an atom; expected one such as initial")
    return chosen


class Instance(NamedTuple):
    """A file of facts."""

    name: str
    path: Path
    text: str

    def puzzle(self, vocabulary: Vocabulary, size: int | None = None) -> Grid:
        """What is given; `size` is that of the grid where the file leaves it open."""
        text = self.text
        if vocabulary.given not in ATOMS:
            text = re.sub(rf"\b{vocabulary.given}(?=\s*\()", ATOMS[0], text)
        bare = _COMMENT.sub("", text)
        try:
            if not bare.strip():
                n = size or 9
                return Grid((0,) * (n * n), square_box(n))
            box = None if size is None or "#const" in bare else square_box(size)
            return Grid.parse(text, format="facts", box=box)
        except InvalidPuzzle as error:
            raise InvalidPuzzle(f"{self.path}: {error}") from None

    def text_for(self, vocabulary: Vocabulary) -> str:
        """The text, where the givens have the name that the vocabulary wants."""
        bare = _COMMENT.sub("", self.text)
        if re.search(rf"\b{vocabulary.given}\s*\(", bare):
            return self.text
        names = "|".join(ATOMS)
        return re.sub(
            rf"\b(?:{names})(?=\s*\((?:\s*\d+\s*,){{2}}\s*\d+\s*\))", vocabulary.given, self.text
        )


def find_instances(place: Path) -> Iterator[Instance]:
    """Every ``*.lp`` file in a folder, in the order of their names and numbers; or the one file.

    Each is read when its turn comes. Other files and hidden ones are passed over. InvalidPuzzle
    if there is no instance.
    """
    files = [place]
    if place.is_dir():
        found = (file for file in place.glob("*.lp") if file.is_file() and file.name[0] != ".")
        files = sorted(found, key=lambda file: _natural(file.name))
    if not files:
        raise InvalidPuzzle(f"{place}: there are no instances; expected files *.lp in this folder")
    return (Instance(file.stem, file, _read(file)) for file in files)


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise InvalidPuzzle(f"{file}: cannot be read: {error.strerror}") from None


def _natural(name: str) -> list[tuple[str, int]]:
    """Sorts ex2 before ex10."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]
