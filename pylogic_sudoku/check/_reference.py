"""The right answers: from a file that clingo wrote, or from our own engines."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from .. import _api as api
from .._compare import compare
from ..engines import names
from ..errors import InvalidPuzzle
from ..grid import Grid
from ._answers import broken_rule, read_answer
from ._instances import Instance, Vocabulary, passed_over

__all__ = ["Reference", "check_folder", "engines", "from_engines", "from_file"]

PATIENCE = 60.0
"""Seconds that our own engines have at least for an instance, however short the program's time."""
_ATOM = re.compile(r"\s*(\w+)\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*", re.ASCII)
_Place = tuple[int, int, int]


class Reference(NamedTuple):
    """The solutions of an instance."""

    puzzle: Grid
    solutions: frozenset[Grid]
    complete: bool
    """True if these are all of them."""
    source: str
    """Who says so: a file, or an engine."""


def engines(against: str) -> tuple[str, ...]:
    """The names of the engines that make the reference: one, or ``all``."""
    return names() if against == "all" else (against,)


def check_folder(folder: Path) -> None:
    """InvalidPuzzle if the folder has no reference solutions at all."""
    if not any(folder.glob("*.json")):
        raise InvalidPuzzle(
            f"{folder}: there are no solutions; expected files *.json in this folder"
            f"{passed_over(folder)}"
        )


def from_engines(
    instance: Instance, vocabulary: Vocabulary, against: str, limit: int, timeout: float
) -> Reference:
    """What our own engines find; Disagreement if several differ."""
    puzzle = instance.puzzle(vocabulary)
    asked = engines(against)
    seconds = max(PATIENCE, timeout)
    most = limit + 1 if limit else None
    if len(asked) > 1:
        comparison = compare(puzzle, asked, most, seconds)
        comparison.check()
        found = sorted(comparison.solutions, key=lambda grid: grid.digits)
    else:
        found = list(api.solutions(puzzle, asked[0], most, seconds))
    complete = not limit or len(found) <= limit
    solutions = frozenset(islice(found, limit or None))
    return Reference(puzzle, solutions, complete, " and ".join(asked))


def from_file(instance: Instance, vocabulary: Vocabulary, file: Path, limit: int) -> Reference:
    """What ``clingo --outf=2`` has written; InvalidPuzzle, with the file's name, for all else."""
    try:
        answers, complete = _witnesses(_load(file), {vocabulary.solution, "sudoku"}, limit)
    except InvalidPuzzle as error:
        raise InvalidPuzzle(f"{file}: {error}") from None
    # A full grid tells its size, where a few givens of a 4x4 puzzle look like 9x9.
    largest = max((max(cell) for cells in answers for cell in cells), default=0)
    size = largest if {len(cells) for cells in answers} == {largest**2} else None
    puzzle = instance.puzzle(vocabulary, size)
    solutions = set()
    for number, cells in enumerate(answers, 1):
        answer = read_answer(cells, puzzle)
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


def _witnesses(output: Any, atoms: set[str], limit: int) -> tuple[list[list[_Place]], bool]:
    """The cells of every witness, and whether these are all answer sets."""
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
        answers = [[cell for text in value for cell in _cells(text, atoms)] for value in values]
        more = output.get("Models", {}).get("More")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise InvalidPuzzle(
            'expected "Call", whose last element has "Witnesses", each with a list of atoms as'
            ' "Value"'
        ) from None
    if not answers:
        raise InvalidPuzzle('it is satisfiable, but "Witnesses" is empty')
    return answers, more == "no" if more else len(answers) != limit


def _cells(text: str, atoms: set[str]) -> list[_Place]:
    match = _ATOM.fullmatch(text)
    if not match or match[1] not in atoms:
        return []
    return [(int(match[2]), int(match[3]), int(match[4]))]
