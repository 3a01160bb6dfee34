"""Puzzles as documents of f-puzzles, if f-puzzles can say all of their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import TYPE_CHECKING, Any

from .._geometry import beside, diagonals, disjoint_groups, neighbours, places, slopes
from .._layout import Box, Cell, usual_box
from ..errors import InvalidPuzzle
from ..grid import Grid
from ..puzzle import Mark, Puzzle
from ._fpuzzles import LINES, OUTSIDE, PAIRS
from ._made import index_rule

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["document_of"]


def document_of(puzzle: Grid | Puzzle) -> dict[str, Any]:
    """The document; InvalidPuzzle, which names the rule, if f-puzzles cannot say one."""
    more = puzzle if isinstance(puzzle, Puzzle) else Puzzle(puzzle)
    return _Writer(more).document()


class _Writer:
    """A document while it is written."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.size = puzzle.size
        self.found: dict[str, Any] = {}

    def document(self) -> dict[str, Any]:
        puzzle, n = self.puzzle, self.size
        rows = [[self._cell(digit) for digit in row] for row in puzzle.grid.rows]
        if puzzle.regions or puzzle.box != usual_box(n):
            for number, house in enumerate(puzzle.layout.houses[2 * n :]):
                for row, column in house.cells:
                    rows[row - 1][column - 1]["region"] = number
        for mark in puzzle.marks:
            self._mark(mark, rows[mark.cell.row - 1][mark.cell.column - 1])
        groups = self._disjoint_groups()
        for rule in puzzle.rules:
            if rule not in groups:
                self._rule(rule)
        names = {name: text for name in ("title", "author") if (text := getattr(puzzle, name))}
        return {"size": n, **names, "grid": rows, **self.found}

    def _cell(self, digit: int) -> dict[str, Any]:
        return {"value": digit, "given": True} if digit else {}

    def _mark(self, mark: Mark, cell: dict[str, Any]) -> None:
        for name in ("odd", "even"):
            wanted = {d for d in range(1, self.size + 1) if d % 2 == (name == "odd")}
            if mark.digits == wanted:
                self.clue(name, cell=_name(mark.cell))
                return
        cell["givenPencilMarks"] = sorted(mark.digits)

    def _disjoint_groups(self) -> list[Rule]:
        """The rules that make up the disjoint groups, if all of them are there."""
        if self.puzzle.regions or self.puzzle.box == (1, self.size):
            return []
        sets = {frozenset(cells) for cells in disjoint_groups(self.puzzle.box)}
        found = [each for each in self.puzzle.rules if each.kind == "different"]
        found = [each for each in found if frozenset(each.cells_used()) in sets]
        if len(found) != len(sets):
            return []
        self.found["disjointgroups"] = True
        return found

    def _rule(self, rule: Rule) -> None:
        write = _WRITERS.get(rule.kind)
        if write is None or not write(self, rule):
            raise InvalidPuzzle(f"f-puzzles has no way to say this rule: {rule}")

    def clue(self, key: str, **fields: Any) -> bool:
        self.found.setdefault(key, []).append(fields)
        return True

    def flag(self, key: str) -> bool:
        self.found[key] = True
        return True

    def marked(self, *kinds: str) -> set[frozenset[Cell]]:
        """The pairs of cells with a mark of one of these kinds."""
        return {frozenset(rule.cells_used()) for rule in self.puzzle.rules if rule.kind in kinds}


def _name(cell: tuple[int, int]) -> str:
    return "R{}C{}".format(*cell)


def _names(cells: Iterable[tuple[int, int]]) -> list[str]:
    return list(map(_name, cells))


# --- how each kind is written; False if f-puzzles cannot say this rule ---


def _line(writer: _Writer, rule: Any) -> bool:
    key = next(key for key, kind in LINES.items() if kind == rule.kind)
    more = {}
    if rule.kind == "thermometer" and rule.slow:
        key = "slowthermometer"
    elif rule.kind == "whispers":
        more = {"value": str(rule.difference)}
    elif (rule.kind == "lockout_line" and rule.difference != writer.size // 2) or (
        rule.kind == "modular_line" and rule.modulus != 3
    ):
        return False
    return writer.clue(key, lines=[_names(rule.cells)], **more)


def _cage(writer: _Writer, rule: Any) -> bool:
    more = {} if rule.sum is None else {"value": str(rule.sum)}
    return writer.clue("killercage", cells=_names(rule.cells), **more)


def _arrow(writer: _Writer, rule: Any) -> bool:
    if list(rule.circle) != sorted(rule.circle):
        return False
    near = [cell for cell in rule.circle if _touch(cell, rule.arm[0])]
    start = (near or rule.circle)[0]
    lines = [_names([start, *rule.arm])]
    return writer.clue("arrow", cells=_names(rule.circle), lines=lines)


def _touch(one: Cell, other: Cell) -> bool:
    return max(abs(one.row - other.row), abs(one.column - other.column)) == 1


def _little_killer(writer: _Writer, rule: Any) -> bool:
    for place, direction, cells in slopes(writer.size):
        if cells == rule.cells:
            fields = {"cell": _name(place), "direction": direction, "cells": _names(cells)}
            return writer.clue("littlekillersum", **fields, value=str(rule.sum))
    return False


def _outside(writer: _Writer, rule: Any) -> bool:
    key, field = next((key, each[1]) for key, each in OUTSIDE.items() if each[0] == rule.kind)
    for place in places(writer.size):
        if rule.cells == beside(place, writer.size):
            return writer.clue(key, cell=_name(place), value=str(getattr(rule, field)))
    return False


def _dot(writer: _Writer, rule: Any) -> bool:
    if not neighbours(*rule.cells):
        return False
    more = {} if rule.value == PAIRS[rule.kind] else {"value": str(rule.value)}
    return writer.clue(rule.kind, cells=_names(rule.cells), **more)


def _pair_sum(writer: _Writer, rule: Any) -> bool:
    letter = {10: "X", 5: "V"}.get(rule.value)
    if letter is None or not neighbours(*rule.cells):
        return False
    return writer.clue("xv", cells=_names(rule.cells), value=letter)


def _negative(writer: _Writer, rule: Any) -> bool:
    """It must exempt just the pairs that have marks, as f-puzzles exempts these."""
    exempt = {frozenset(pair) for pair in rule.exempt}
    keys = []
    if rule.differences or rule.ratios:
        ratios = {each.value for each in writer.puzzle.rules if each.kind == "ratio"}  # type: ignore[attr-defined]
        if exempt != writer.marked("difference", "ratio"):
            return False
        if rule.differences and set(rule.differences) != {1}:
            return False
        if rule.ratios and set(rule.ratios) != (ratios or {2}):
            return False
        keys += ["ratio"] if rule.ratios else []
    if rule.sums:
        if set(rule.sums) != {5, 10} or exempt != writer.marked("pair_sum"):
            return False
        keys += ["xv"]
    if rule.differences:
        writer.flag("nonconsecutive")
    if keys:
        found = writer.found.setdefault("negative", [])
        found += [key for key in keys if key not in found]
    return True


def _extreme(writer: _Writer, rule: Any) -> bool:
    """Several rules of a kind are one in f-puzzles: they may only be far apart."""
    for other in writer.puzzle.rules:
        if other.kind == rule.kind and other is not rule:
            for one in rule.cells:
                if any(neighbours(one, each) for each in other.cells_used()):
                    return False
    for cell in rule.cells:
        writer.clue(rule.kind, cell=_name(cell))
    return True


def _different(writer: _Writer, rule: Any) -> bool:
    for key in ("diagonal+", "diagonal-"):
        if set(rule.cells) == set(diagonals(writer.size)[key == "diagonal+"]):
            return writer.flag(key)
    return writer.clue("extraregion", cells=_names(rule.cells))


def _contains(writer: _Writer, rule: Any) -> bool:
    near = all(_touch(*pair) for pair in combinations(rule.cells, 2))
    if rule.exactly or len(set(rule.cells)) != 4 or not near:
        return False
    return writer.clue("quadruple", cells=_names(rule.cells), values=list(rule.digits))


def _clone(writer: _Writer, rule: Any) -> bool:
    return writer.clue("clone", cells=_names(rule.cells), cloneCells=_names(rule.copies))


def _index(writer: _Writer, rule: Any) -> bool:
    box: Box = writer.puzzle.box
    usual = ["column", "row"] + ([] if writer.puzzle.regions else ["box"])
    for what in usual:
        if rule == index_rule(what, rule.control[0], box):
            return writer.clue(f"{what}indexer", cells=_names(rule.control))
    return False


def _anti_knight(writer: _Writer, _: Rule) -> bool:
    return writer.flag("antiknight")


def _anti_king(writer: _Writer, _: Rule) -> bool:
    return writer.flag("antiking")


_WRITERS: dict[str, Callable[[_Writer, Any], bool]] = {
    "killer_cage": _cage,
    "arrow": _arrow,
    **dict.fromkeys(LINES.values(), _line),
    "little_killer": _little_killer,
    **{kind: _outside for kind, _ in OUTSIDE.values()},
    "difference": _dot,
    "ratio": _dot,
    "pair_sum": _pair_sum,
    "negative": _negative,
    "minimum": _extreme,
    "maximum": _extreme,
    "different": _different,
    "contains": _contains,
    "clone": _clone,
    "index": _index,
    "anti_knight": _anti_knight,
    "anti_king": _anti_king,
}
"""By kind."""
