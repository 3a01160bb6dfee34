"""The puzzles that a program is graded on: files of facts, in one of several vocabularies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .._layout import square_box
from ..errors import InvalidPuzzle
from ..formats import detect, split
from ..formats._answers import ATOMS, SHAPE
from ..grid import Box, Grid

__all__ = ["VOCABULARIES", "Instance", "Vocabulary", "find_instances"]
__all__ += ["passed_over", "vocabulary_of"]

_SHAPE = re.compile(rf"\b(?:{'|'.join(SHAPE)})\b")
_COMMENT = re.compile(r"%\*.*?\*%|%[^\n]*", re.DOTALL)


class Vocabulary(NamedTuple):
    """The atoms, each with row, column and digit, that a program takes and gives."""

    given: str
    solution: str

    def known(self, text: str) -> str:
        """The facts, with the givens renamed to an atom that our readers know."""
        if self.given in ATOMS:
            return text
        return re.sub(rf"\b{self.given}(?=\s*\()", ATOMS[0], text)


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
            raise ValueError(f"{atom!r} is not a name of an atom; expected one such as initial")
    return chosen


class Instance(NamedTuple):
    """A puzzle, and the facts that a program gets of it."""

    name: str
    path: Path
    text: str
    found: Grid | InvalidPuzzle | None = None
    """The puzzle if it was in another format, or why it cannot be read."""
    box: Box | None = None

    def puzzle(self, vocabulary: Vocabulary, size: int | None = None) -> Grid:
        """What is given; `size` is that of the grid where the file leaves it open."""
        if isinstance(self.found, InvalidPuzzle):
            raise self.found
        if self.found is not None:
            return self.found
        bare = _COMMENT.sub("", self.text)
        box = self.box
        try:
            if box is None and size is not None and not _SHAPE.search(bare):
                box = square_box(size)
            if not bare.strip():
                rows, columns = box or (3, 3)
                return Grid((0,) * (rows * columns) ** 2, (rows, columns))
            return Grid.parse(vocabulary.known(self.text), format="facts", box=box)
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


def find_instances(
    place: Path, vocabulary: Vocabulary, form: str | None = None, box: Box | None = None
) -> Iterator[Instance]:
    """The instances in a folder or a file; InvalidPuzzle if there are none.

    Of a folder they are the ``*.lp`` files, in the order of their names and numbers, each read when
    its turn comes; other files and hidden ones are passed over. A file of facts is one instance;
    one in another format may hold many, which are numbered.
    """
    if not place.is_dir():
        return iter(_of_file(place, vocabulary, form, box))
    found = (file for file in place.glob("*.lp") if file.is_file() and file.name[0] != ".")
    files = sorted(found, key=lambda file: _natural(file.name))
    if not files:
        raise InvalidPuzzle(
            f"{place}: there are no instances; expected files *.lp in this folder"
            f"{passed_over(place)}"
        )
    return (each for file in files for each in _of_file_or_error(file, vocabulary, form, box))


def passed_over(folder: Path) -> str:
    """The files of a folder that has none of the expected ones, for a message."""
    names = sorted(file.name for file in folder.iterdir() if file.name[0] != ".")
    if not names:
        return ", which is empty"
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f", not {', '.join(names[:3])}{more}"


def _of_file_or_error(
    file: Path, vocabulary: Vocabulary, form: str | None, box: Box | None
) -> list[Instance]:
    try:
        return _of_file(file, vocabulary, form, box)
    except InvalidPuzzle as error:
        return [Instance(file.stem, file, "", error)]


def _of_file(
    file: Path, vocabulary: Vocabulary, form: str | None, box: Box | None
) -> list[Instance]:
    text = _read(file)
    facts = file.suffix.lower() == ".lp"
    try:
        grids = _grids(file, vocabulary.known(text), form, box)
        error = next((grid for grid in grids if isinstance(grid, InvalidPuzzle)), None)
        if error and (facts or all(isinstance(grid, InvalidPuzzle) for grid in grids)):
            raise error
    except InvalidPuzzle:
        if not facts:
            raise
        grids = []
    if not grids:
        return [Instance(file.stem, file, text, box=box)]
    return [
        Instance(
            file.stem if len(grids) == 1 else f"{file.stem}-{number}",
            file,
            grid.format("facts") if isinstance(grid, Grid) else "",
            grid,
        )
        for number, grid in enumerate(grids, 1)
    ]


def _grids(file: Path, text: str, form: str | None, box: Box | None) -> list[Grid | InvalidPuzzle]:
    """The puzzles in the text, each or why it is none; nothing if the text is facts."""
    try:
        if (form or detect(text, box)) == "facts":
            return []
        pieces = list(split(text, box, form))
    except InvalidPuzzle as error:
        raise InvalidPuzzle(f"{file}: {error}") from None
    grids: list[Grid | InvalidPuzzle] = []
    for line, piece in pieces:
        try:
            grids.append(Grid.parse(piece, form, box))
        except InvalidPuzzle as error:
            grids.append(InvalidPuzzle(f"{file}, line {line}: {error}"))
    return grids


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise InvalidPuzzle(f"{file}: cannot be read: {error.strerror}") from None


def _natural(name: str) -> list[tuple[str, int]]:
    """Sorts ex2 before ex10."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]
