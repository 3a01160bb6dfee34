"""Puzzles as instances that a program is graded on: facts, in one of several vocabularies.

Their sources are files, folders, texts and puzzles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ..errors import InvalidPuzzle, caused
from ..formats import PuzzleLike, as_grid, as_puzzle, begin, detect, located, parse, split
from ..formats.facts import ATOMS
from ..formats.text import CODE
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box
from .cases import Case, Vocabulary, is_there, name_apart

Source = PuzzleLike | Path
"""A file or folder, or a puzzle."""


def facts_of(puzzle: Grid | Puzzle, vocabulary: Vocabulary) -> str:
    """Return the puzzle as facts for a program."""
    return _renamed(puzzle.format("facts"), ATOMS[0], vocabulary.given)


def _known(text: str, vocabulary: Vocabulary) -> str:
    """Return the facts with the givens renamed to an atom that our readers know."""
    return text if vocabulary.given in ATOMS else _renamed(text, vocabulary.given, ATOMS[0])


def _renamed(facts: str, old: str, new: str) -> str:
    return re.sub(rf"\b{old}(?=\s*\()", new, facts)


def puzzle_of(instance: Case, vocabulary: Vocabulary) -> Grid | Puzzle:
    """Return the puzzle of an instance; InvalidPuzzle if it cannot be read.

    Of an instance that is read from a file of facts, `question` is the box shape, if it is given.
    """
    if isinstance(instance.question, InvalidPuzzle):
        raise instance.question
    if isinstance(instance.question, Grid | Puzzle):
        return instance.question
    box: Box | None = instance.question
    if not re.sub(CODE, "", instance.text).strip():
        rows, columns = box or (3, 3)
        return Grid((0,) * (rows * columns) ** 2, (rows, columns))
    try:
        return _parse(_known(instance.text, vocabulary), "facts", box)
    except InvalidPuzzle as error:
        raise InvalidPuzzle(f"{instance.path}: {error}") from None


def text_for(instance: Case, vocabulary: Vocabulary) -> str:
    """Return the text; if its givens have another name, the puzzle as facts, and no more."""
    if re.search(rf"\b{vocabulary.given}\s*\(", re.sub(CODE, "", instance.text)):
        return instance.text
    puzzle = puzzle_of(instance, vocabulary)
    return facts_of(puzzle, vocabulary) if puzzle.givens else instance.text


def find_instances(
    place: Path, vocabulary: Vocabulary, form: str | None = None, box: Box | None = None
) -> Iterator[Case]:
    """Return the instances in a folder or a file; InvalidPuzzle if there are none.

    In a folder they are the ``*.lp`` files, in the order of their names and numbers; each is read
    in its turn. Other files and hidden files are ignored. A file of facts is one instance;
    a file in another format may hold many, which are numbered.
    """

    def instances_in(file: Path) -> list[Case]:
        try:
            return _of_text(_read(file), file, vocabulary, form, box)
        except InvalidPuzzle as error:
            if file == place:
                raise
            return [Case(file.stem, file, "", error)]

    if not place.is_dir():
        return iter(instances_in(place))
    paths = (file for file in place.glob("*.lp") if file.is_file() and file.name[0] != ".")
    files = sorted(paths, key=lambda file: _natural(file.name))
    if not files:
        raise InvalidPuzzle(f"{place}: there are no instances; expected files *.lp in this folder")
    return (each for file in files for each in instances_in(file))


def _of_text(
    text: str, file: Path, vocabulary: Vocabulary, form: str | None, box: Box | None
) -> list[Case]:
    """Return the instances in a text: one as facts, one or many puzzles in another format."""
    form = form or ("facts" if file.suffix.lower() == ".lp" else None)
    try:
        known = _known(text, vocabulary)
        if (form or detect(known, box)) == "facts":
            return [Case(file.stem, file, text, box)]
        pieces = list(split(known, box, form))
    except InvalidPuzzle as error:
        raise InvalidPuzzle(f"{file}: {error}") from None
    entries: list[tuple[str, Grid | Puzzle | InvalidPuzzle]] = []
    for line, piece in pieces:
        try:
            puzzle = _parse(piece, form, box)
            entries.append((puzzle.format("facts"), puzzle))
        except InvalidPuzzle as error:
            unread = InvalidPuzzle(": ".join(located(begin(str(file), line), error)))
            entries.append(("", caused(unread, error)))
    errors = [each for _, each in entries if isinstance(each, InvalidPuzzle)]
    if errors and len(errors) == len(entries):
        raise errors[0]
    return [
        Case(file.stem if len(entries) == 1 else f"{file.stem}-{number}", file, *each)
        for number, each in enumerate(entries, 1)
    ]


def _parse(text: str, form: str | None, box: Box | None) -> Grid | Puzzle:
    """The puzzle if it has rules, or else its grid."""
    puzzle = parse(text, form, box)
    return puzzle if isinstance(puzzle, Puzzle) and puzzle.rules else as_grid(puzzle)


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise InvalidPuzzle(f"{file}: cannot be read: {error.strerror}") from None


def _natural(name: str) -> list[tuple[str, int]]:
    """Return a key that sorts ex2 before ex10."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]


def gather(
    sources: Source | Sequence[Source], vocabulary: Vocabulary, form: str | None, box: Box | None
) -> Iterator[Case]:
    """Return the instances of all sources, each under a name of its own.

    InvalidPuzzle if a source has none, or is neither a file nor a puzzle.
    """
    several: Sequence[Any] = [sources] if _is_one(sources) else sources  # type: ignore[assignment]
    by_source = [
        _of_source(source, number, vocabulary, form, box)
        for number, source in enumerate(several, 1)
    ]
    if not by_source:
        raise InvalidPuzzle("there are no instances; expected a file, a folder or puzzles")
    return name_apart(chain.from_iterable(by_source))


def _is_one(sources: Any) -> bool:
    """True for a single source, also for a puzzle as nested rows."""
    if isinstance(sources, str | Path | Grid | Puzzle):
        return True
    return bool(sources) and not isinstance(sources[0], str | Path | Grid | Puzzle)


def _of_source(
    source: Source, number: int, vocabulary: Vocabulary, form: str | None, box: Box | None
) -> Iterator[Case]:
    name = f"puzzle-{number}"
    if isinstance(source, Path) or (isinstance(source, str) and is_there(source)):
        return find_instances(Path(source), vocabulary, form, box)
    if isinstance(source, str):
        try:
            return iter(_of_text(source, Path(name), vocabulary, form, box))
        except InvalidPuzzle as error:
            if "\n" in source:
                raise
            raise InvalidPuzzle(
                f"{source}: there is no such file or folder, and as a puzzle it cannot be read:"
                f" {error}"
            ) from None
    puzzle = as_puzzle(source)
    return iter([Case(name, Path(f"{name}.lp"), puzzle.format("facts"), puzzle)])
