"""The instances that a program is graded on, and their solutions.

An instance is a puzzle as a file of facts, in one of several vocabularies. Its reference solutions
come from a file that clingo wrote, or from our own engines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from .. import _api as api
from .._compare import compare
from .._layout import square_box
from ..engines import asked, names
from ..errors import InvalidPuzzle, SolveTimeout
from ..formats import as_grid, detect, parse, split
from ..formats._facts import ATOMS, SHAPE
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ._answers import broken_rule, read_answer

__all__ = [
    "VOCABULARIES",
    "Instance",
    "Reference",
    "Vocabulary",
    "check_folder",
    "engines",
    "find_instances",
    "from_engines",
    "from_file",
    "of_text",
    "vocabulary_of",
]

PATIENCE = 60.0
"""Minimum seconds for our own engines on an instance, however short the program's limit."""
_ATOM = re.compile(r"\s*(\w+)\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*", re.ASCII)
_Placements = list[tuple[int, int, int]]
_SHAPE = re.compile(rf"\b(?:{'|'.join(SHAPE)})\b")
_GIVEN = re.compile(rf"\b(?:{'|'.join(ATOMS)})(?=\s*\(((?>[^()]|\([^()]*\))*+)\))")
"""The name of a fact that our readers take for a given, if it has three arguments."""
_OTHER = re.compile(r'"(?:\\.|[^"\\\n])*+"?|%\*|%[^\n]*')
"""A string, a line comment, or the beginning of a block comment, as clingo reads them."""
_IN_BLOCK = re.compile(r"\*%|%\*|%[^\n]*")
"""What counts in a block comment: block comments nest, and may contain line comments."""


class Vocabulary(NamedTuple):
    """The names of the atoms that a program reads and shows; each has row, column and digit."""

    given: str
    solution: str

    def known(self, text: str) -> str:
        """Return the facts with the givens renamed to an atom that our readers know."""
        if self.given in ATOMS:
            return text
        return _renamed(text, re.finditer(rf"\b{self.given}(?=\s*\()", _code(text)), ATOMS[0])


def _code(text: str) -> str:
    """Return the text with blanks in place of comments and strings; the rest keeps its place."""
    pieces, at = [], 0
    while found := _OTHER.search(text, at):
        end, depth = found.end(), int(found.group() == "%*")
        while depth:
            mark = _IN_BLOCK.search(text, end)
            end = mark.end() if mark else len(text)
            depth += {"%*": 1, "*%": -1}.get(mark.group(), 0) if mark else -depth
        pieces += [text[at : found.start()], " " * (end - found.start())]
        at = end
    return "".join([*pieces, text[at:]])


def _renamed(text: str, names: Iterable[re.Match[str]], new: str) -> str:
    """Return the text with a new name in place of those that were found in its code."""
    pieces, at = [], 0
    for name in names:
        pieces += [text[at : name.start()], new]
        at = name.end()
    return "".join([*pieces, text[at:]])


VOCABULARIES = {
    "initial": Vocabulary("initial", "sudoku"),
    "sudoku": Vocabulary("sudoku", "sudoku"),
    "numberAt": Vocabulary("numberAt", "numberAt"),
}


def vocabulary_of(name: str, given: str | None = None, solution: str | None = None) -> Vocabulary:
    """Return the vocabulary of this name, with other atoms if given; ValueError for bad names."""
    if name not in VOCABULARIES:
        raise ValueError(
            f"there is no vocabulary {name!r}; choose one of {', '.join(VOCABULARIES)}"
        )
    found = VOCABULARIES[name]
    chosen = Vocabulary(given or found.given, solution or found.solution)
    for atom in chosen:
        if not re.fullmatch(r"_*[a-z]\w*", atom, re.ASCII):
            raise ValueError(f"{atom!r} is not a name of an atom; expected a name such as initial")
    return chosen


class Instance(NamedTuple):
    """A puzzle, and the facts about it that a program gets."""

    name: str
    path: Path
    text: str
    found: Grid | Puzzle | InvalidPuzzle | None = None
    """The puzzle if the file has another format, or why it cannot be read."""
    box: Box | None = None

    def puzzle(self, vocabulary: Vocabulary, size: int | None = None) -> Grid | Puzzle:
        """Return the puzzle; `size` is used if the file leaves it open."""
        if isinstance(self.found, InvalidPuzzle):
            raise self.found
        if self.found is not None:
            return self.found
        code = _code(self.text)
        box = self.box
        try:
            if box is None and size is not None and not _SHAPE.search(code):
                box = square_box(size)
            if not code.strip():
                rows, columns = box or (3, 3)
                return Grid((0,) * (rows * columns) ** 2, (rows, columns))
            return _parsed(vocabulary.known(self.text), "facts", box)
        except InvalidPuzzle as error:
            raise InvalidPuzzle(f"{self.path}: {error}") from None

    def text_for(self, vocabulary: Vocabulary) -> str:
        """Return the text with the givens renamed as the vocabulary wants."""
        return _with_givens(self.text, vocabulary.given)


@lru_cache(maxsize=64)  # each program of a class gets the same texts
def _with_givens(text: str, given: str) -> str:
    code = _code(text)
    if re.search(rf"\b{given}\s*\(", code):
        return text
    return _renamed(text, filter(_has_three, _GIVEN.finditer(code)), given)


def _has_three(atom: re.Match[str]) -> bool:
    """True if an atom has three arguments; in a pool, such as (1,1,5;1,2,3), each part has."""
    return all(part.count(",") == 2 for part in atom[1].split(";"))


def find_instances(
    place: Path, vocabulary: Vocabulary, form: str | None = None, box: Box | None = None
) -> Iterator[Instance]:
    """Return the instances in a folder or a file; InvalidPuzzle if there are none.

    In a folder they are the ``*.lp`` files, in the order of their names and numbers; each is read
    when its turn comes. Other files and hidden files are ignored. A file of facts is one instance;
    a file in another format may hold many, which are numbered.
    """
    if not place.is_dir():
        return iter(_of_file(place, vocabulary, form, box))
    found = (file for file in place.glob("*.lp") if file.is_file() and file.name[0] != ".")
    files = sorted(found, key=lambda file: _natural(file.name))
    if not files:
        raise InvalidPuzzle(
            f"{place}: there are no instances; expected files *.lp in this folder{_others(place)}"
        )
    return (each for file in files for each in _of_file_or_error(file, vocabulary, form, box))


def _others(folder: Path) -> str:
    """Return the files of a folder without any expected file, for a message."""
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
    return _of_content(_read(file), file, vocabulary, form, box)


def of_text(
    text: str, name: str, vocabulary: Vocabulary, form: str | None, box: Box | None
) -> list[Instance]:
    """Return the instances in a text: one as facts, one or many puzzles in another format."""
    return _of_content(text, Path(name), vocabulary, form, box)


def _of_content(
    text: str, file: Path, vocabulary: Vocabulary, form: str | None, box: Box | None
) -> list[Instance]:
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
            "" if isinstance(grid, InvalidPuzzle) else grid.format("facts"),
            grid,
        )
        for number, grid in enumerate(grids, 1)
    ]


def _parsed(text: str, form: str | None, box: Box | None) -> Grid | Puzzle:
    """The puzzle if it has rules, or else its grid."""
    found = parse(text, form, box)
    return found if isinstance(found, Puzzle) and found.rules else as_grid(found)


def _grids(
    file: Path, text: str, form: str | None, box: Box | None
) -> list[Grid | Puzzle | InvalidPuzzle]:
    """Return the puzzles in the text, or errors in their place; empty if the text is facts."""
    try:
        if (form or detect(text, box)) == "facts":
            return []
        pieces = list(split(text, box, form))
    except InvalidPuzzle as error:
        raise InvalidPuzzle(f"{file}: {error}") from None
    grids: list[Grid | Puzzle | InvalidPuzzle] = []
    for line, piece in pieces:
        try:
            grids.append(_parsed(piece, form, box))
        except InvalidPuzzle as error:
            grids.append(InvalidPuzzle(f"{file}, line {line}: {error}"))
    return grids


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise InvalidPuzzle(f"{file}: cannot be read: {error.strerror}") from None


def _natural(name: str) -> list[tuple[str, int]]:
    """Return a key that sorts ex2 before ex10."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]


class Reference(NamedTuple):
    """The solutions of an instance."""

    puzzle: Grid | Puzzle
    solutions: frozenset[Grid]
    complete: bool
    """True if these are all of them."""
    source: str
    """A file, or the engines."""


def engines(against: str) -> tuple[str, ...]:
    """Return the names of the engines that solve the instances; `against` may be ``all``."""
    return names() if against == "all" else (against,)


def check_folder(folder: Path) -> None:
    """InvalidPuzzle if the folder has no reference solutions at all."""
    if not any(folder.glob("*.json")):
        raise InvalidPuzzle(
            f"{folder}: there are no solutions; expected files *.json in this folder"
            f"{_others(folder)}"
        )


def from_engines(
    instance: Instance,
    vocabulary: Vocabulary,
    against: str,
    limit: int,
    timeout: float,
    longest: float | None = None,
) -> Reference:
    """Return what our engines find; Disagreement if they differ.

    They get some patience beyond the program's `timeout`, but never more than `longest`.
    """
    puzzle = instance.puzzle(vocabulary)
    who = asked(engines(against), puzzle)
    seconds = max(PATIENCE, timeout)
    seconds = seconds if longest is None else min(seconds, longest)
    most = limit + 1 if limit else None
    if len(who) > 1:
        comparison = compare(puzzle, who, most, seconds)
        comparison.check()
        if not comparison.finished:
            raise SolveTimeout(who[0], seconds)
        by = " and ".join(comparison.finished)
        if comparison.late:
            by = f"{by}, checked by {' and '.join(comparison.late)}"
        found = sorted(comparison.solutions, key=lambda grid: grid.digits)
    else:
        found = list(api.solutions(puzzle, who[0], most, seconds))
        by = who[0]
    complete = not limit or len(found) <= limit
    solutions = frozenset(islice(found, limit or None))
    return Reference(puzzle, solutions, complete, by)


def from_file(instance: Instance, vocabulary: Vocabulary, file: Path, limit: int) -> Reference:
    """Return what ``clingo --outf=2`` wrote; InvalidPuzzle, with the file's name, for all else."""
    try:
        answers, complete = _witnesses(_load(file), {vocabulary.solution, "sudoku"}, limit)
    except InvalidPuzzle as error:
        raise InvalidPuzzle(f"{file}: {error}") from None
    # A full grid has a known size; a few givens of a 4x4 puzzle look like 9x9.
    largest = max((max(each) for answer in answers for each in answer), default=0)
    size = largest if set(map(len, answers)) == {largest**2} else None
    puzzle = instance.puzzle(vocabulary, size)
    solutions = set()
    for number, placements in enumerate(answers, 1):
        answer = read_answer(placements, puzzle)
        broken = broken_rule(answer, puzzle)
        if broken:
            raise InvalidPuzzle(
                f"{file}: witness {number} is not a solution of {instance.path.name}: {broken}"
            )
        solutions.add(answer.grid)
    return Reference(puzzle, frozenset(solutions), complete, str(file))


def _load(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise InvalidPuzzle("there is no such file") from None
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidPuzzle(f"this is not valid JSON: {error}") from None


def _witnesses(output: Any, atoms: set[str], limit: int) -> tuple[list[_Placements], bool]:
    """Return the placements of every witness, and whether these are all answer sets."""
    result = output.get("Result") if isinstance(output, dict) else None
    if result == "UNSATISFIABLE":
        return [], True
    if result != "SATISFIABLE":
        raise InvalidPuzzle(
            'expected what clingo --outf=2 writes, with "Result" "SATISFIABLE" or'
            f' "UNSATISFIABLE", not {result!r}'
        )
    try:
        values = [witness["Value"] for witness in output["Call"][-1]["Witnesses"]]
        answers = [
            [each for text in value for each in _placements(text, atoms)] for value in values
        ]
        more = output.get("Models", {}).get("More")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise InvalidPuzzle(
            'expected "Call", whose last element has "Witnesses", each with a list of atoms as'
            ' "Value"'
        ) from None
    if not answers:
        raise InvalidPuzzle('it is satisfiable, but "Witnesses" is empty')
    return answers, more == "no" if more else len(answers) != limit


def _placements(text: str, atoms: set[str]) -> _Placements:
    match = _ATOM.fullmatch(text)
    if not match or match[1] not in atoms:
        return []
    return [(int(match[2]), int(match[3]), int(match[4]))]
