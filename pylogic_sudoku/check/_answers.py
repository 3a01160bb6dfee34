"""Answers and solutions: what a program answers, and the reference that it is compared with.

The reference solutions of an instance come from a file that clingo wrote, or from our engines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from math import isqrt
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from .. import _api as api
from .._compare import compare
from .._placement import Duplicate
from ..errors import InvalidPuzzle, SolveTimeout
from ..grid import Grid, cells_of
from ..puzzle import Puzzle
from ..rules._broken import broken_rules
from ._instances import Instance, Vocabulary, others

__all__ = ["Answer", "Fault", "Reference", "alike", "broken_rule", "check_folder"]
__all__ += ["from_file", "read_answer", "solved"]

RawPlacement = tuple[int | str, int | str, int | str]
"""Row, column and digit as the program wrote them: text if they are not numbers."""

_ATOM = re.compile(r"\s*(\w+)\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*", re.ASCII)
_Placements = list[tuple[int, int, int]]
_Digits = tuple[int, ...]


class Fault(NamedTuple):
    """Why an answer is not a solution."""

    words: str
    """Such as ``r1c1 and r1c2 both hold 5 (row 1)``."""
    mistake: str
    """Its kind, which other answers may share, such as ``a digit is twice in a row``."""
    duplicate: Duplicate | None = None
    """The two cells, if they are the fault."""
    empty: bool = False
    """True if empty cells are the fault."""

    def __str__(self) -> str:
        return self.words


class Answer(NamedTuple):
    """The cells that a program filled in."""

    grid: Grid
    """Empty where the program gives no digit; the smallest digit where it gives several."""
    fault: Fault | None
    """Why the grid is not full, such as ``r1c1 is empty``; None if each cell has one digit."""


def read_answer(
    placements: Sequence[RawPlacement], puzzle: Grid | Puzzle, note: str = "", atom: str = ""
) -> Answer:
    """Return the answer to the puzzle.

    `note` is the runner's remark on an answer that is not full.
    """
    n = puzzle.size
    filled: dict[int, int] = {}
    outside: Fault | None = None
    twice: Fault | None = None
    for x, y, digit in placements:
        if not all(isinstance(part, int) and 1 <= part <= n for part in (x, y, digit)):
            shown = f"{atom}({x},{y},{digit})" if atom else f"{digit} in row {x}, column {y}"
            words = f"{shown}: expected row, column and digit to be 1 to {n}"
            outside = outside or Fault(words, "an atom is outside the grid")
            continue
        row, column, number = int(x), int(y), int(digit)
        cell = (row - 1) * n + column - 1
        other = filled.setdefault(cell, number)
        if other != number:
            filled[cell] = min(other, number)
            words = f"{cells_of(n)[cell]} holds both {other} and {number}"
            twice = twice or Fault(words, "a cell holds two digits")
    note = _smaller(filled, n) or note
    grid = Grid(tuple(filled.get(cell, 0) for cell in range(n * n)), puzzle.box)
    return Answer(grid, outside or twice or _empty(grid, note))


def _smaller(filled: dict[int, int], n: int) -> str:
    """Return a remark if the cells are a full grid of a smaller size."""
    side = isqrt(len(filled))
    square = {row * n + column for row in range(side) for column in range(side)}
    if not 4 <= side < n or filled.keys() != square or max(filled.values()) > side:
        return ""
    return (
        f"this is a full grid of {side}x{side}, but the puzzle is {n}x{n}; an instance gives its"
        " box shape, such as #const box_rows=2. #const box_columns=3."
    )


def _empty(grid: Grid, note: str) -> Fault | None:
    if 0 not in grid.digits:
        return None
    number = grid.digits.count(0)
    first = grid.cells[grid.digits.index(0)]
    words = f"{first} is empty" if number == 1 else f"{first} and {number - 1} more cells are empty"
    mistake = "a cell is empty"
    if number == len(grid.digits):
        words, mistake = "every cell is empty", "no digit is shown"
    return Fault(f"{words} ({note})" if note else words, mistake, empty=True)


def broken_rule(answer: Answer, puzzle: Grid | Puzzle) -> Fault | None:
    """Return the first rule that the answer breaks; None if it is a solution."""
    if answer.fault:
        return answer.fault
    for cell, given, found in zip(puzzle.cells, puzzle.digits, answer.grid.digits, strict=True):
        if given not in (0, found):
            words = f"{cell} holds {found}, but {given} is given there"
            return Fault(words, "a given is not kept")
    filled = replace(puzzle, grid=answer.grid) if isinstance(puzzle, Puzzle) else answer.grid
    for duplicate in filled.duplicates():
        kind = next(each.kind for each in puzzle.houses if str(each) == duplicate.houses[0])
        kind = "box" if kind == "region" else kind
        return Fault(str(duplicate), f"a digit is twice in a {kind}", duplicate)
    for cell, digit in ((each.cell, each.digit) for each in puzzle.excluded):
        if answer.grid[cell] == digit:
            words = f"{cell} holds {digit}, but its mark excludes {digit}"
            return Fault(words, "a mark is ignored")
    if isinstance(filled, Puzzle):
        for rule in broken_rules(filled):
            return Fault(f"{rule} is broken", f"{rule.title} is broken")
    return None


# --- the reference ---


class Reference(NamedTuple):
    """The solutions of an instance."""

    puzzle: Grid | Puzzle
    solutions: frozenset[Grid]
    complete: bool
    """True if these are all of them."""
    source: str
    """A file, or the engines."""


def check_folder(folder: Path) -> None:
    """InvalidPuzzle if the folder has no reference solutions at all."""
    if not any(folder.glob("*.json")):
        raise InvalidPuzzle(
            f"{folder}: there are no solutions; expected files *.json in this folder"
            f"{others(folder)}"
        )


def solved(
    puzzle: Grid | Puzzle, who: Sequence[str], limit: int, seconds: float | None
) -> Reference:
    """Return what these engines find; Disagreement if they differ, SolveTimeout if none ends."""
    most = limit + 1 if limit else None
    if len(who) > 1:
        comparison = compare(puzzle, who, most, seconds)
        comparison.check()
        if not comparison.finished:
            raise SolveTimeout(who[0], seconds or 0.0)
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


# --- solutions in another guise ---


def alike(missing: Collection[Grid], found: Collection[Grid], puzzle: Grid | Puzzle) -> bool:
    """True if each missing solution is one of those found in another guise.

    The grid may be turned or mirrored and its digits exchanged, if that carries the puzzle to
    itself. False as well for puzzles with rules or marks.
    """
    if isinstance(puzzle, Puzzle):
        return False
    givens = puzzle.digits
    left = {_normal(grid.digits, dict(zip(givens, givens, strict=True))) for grid in missing}
    for move in (itemgetter(*places) for places in _moves(puzzle)):
        names = _exchange(move(givens), givens)
        for grid in found if names else ():
            left.discard(_normal(move(grid.digits), names))
    return not left


def _moves(grid: Grid) -> Iterator[_Digits]:
    """Yield the turns and mirrors that keep the boxes: where the digit of each cell comes from."""
    n = grid.size
    rows = tuple(tuple(range(row * n, row * n + n)) for row in range(n))
    square = grid.box[0] == grid.box[1]
    for across in (False, True) if square else (False,):
        turned = tuple(zip(*rows, strict=True)) if across else rows
        for upside in (turned, turned[::-1]):
            yield sum(upside, ())
            yield sum((row[::-1] for row in upside), ())


def _exchange(moved: _Digits, givens: _Digits) -> dict[int, int]:
    """Return the new names of digits that make the moved givens the givens; empty if none do."""
    names = dict(zip(moved, givens, strict=True))
    one_to_one = len(set(names.values())) == len(names) and names.get(0, 0) == 0
    return names if one_to_one and tuple(map(names.get, moved)) == givens else {}


def _normal(digits: _Digits, names: dict[int, int]) -> bytes:
    """Return the grid with the new names; all others are numbered as they come, from 255 down.

    So two grids are the same exactly if an exchange of digits without a given makes them so.
    """
    order, new = dict.fromkeys(digits), count(255, -1)
    called = [names[digit] if digit in names else next(new) for digit in order]
    return bytes(digits).translate(bytes.maketrans(bytes(order), bytes(called)))
