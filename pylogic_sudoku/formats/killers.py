"""Killers as forums have them: characters that point to sums, numbers, and SumoCue's text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..errors import InvalidPuzzle, counted, shown
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, Cell, cells_of, checked_regions, diagonals
from .rows import split_lines
from .text import Head

_POINTS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0)}
_POINTS |= {"`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}
"""The cell of the same cage to which a character points."""
_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
_LONG = re.compile(r"3x3:(\w*):k:(.*)", re.DOTALL)
_CUE = re.compile(r"SumoCueV1(D?)(.*)", re.DOTALL | re.IGNORECASE)
_CUE_CELL = re.compile(r"([=+])(\d{1,3})(?:J(\d))?", re.IGNORECASE)
_POINTING = re.compile(r"(?=\S*[<>^])[<>^v0-9A-Za-j`',.]{81}(?:\s|\Z)")


_LETTERS = r"[|+ ]*(?:[A-Za-z][|+ ]*){4,}"
_SUM_OF_LETTER = r"(?<!\w)[A-Za-z]\s*[=:]\s*\d{1,3}\b"


def looks_like(head: Head) -> Iterator[str]:
    """Yield ``killer`` if the text looks like one; InvalidPuzzle for one drawn with letters."""
    rows = [line for line in head.lines if re.fullmatch(_LETTERS, line)]
    if len(rows) > 3 and len(re.findall(_SUM_OF_LETTER, head.content)) > 3:
        raise InvalidPuzzle(
            "this is a killer drawn with letters, which is not read: write its cages as JSON, such"
            ' as {"rule": "killer_cage", "cells": ["r1c1", "r1c2"], "sum": 3}'
        )
    if any(each.match(head.content) for each in (_LONG, _POINTING, _CUE)):
        yield "killer"


def split_killers(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """The lines; those of SumoCue's text after its first one begin with a sign."""
    start, text = 0, ""
    for number, line in split_lines(lines, box):
        if text and line.lstrip()[:1] in ("=", "+"):
            text += f"\n{line}"
            continue
        if text:
            yield start, text
        start, text = number, line
    if text:
        yield start, text


def read_killer(text: str, box: Box | None) -> Puzzle:
    """The cages of a killer: 81 characters, numbers behind ``3x3::k:``, or SumoCue's text."""
    if cue := _CUE.match("".join(text.split())):
        return _sumocue(cue[2], bool(cue[1]))
    if long := _LONG.match(text.strip()):
        numbers = [int(each[:9]) for each in re.findall(r"\d+", long[2].split()[0])]
        _check_81(numbers, "number")
        # The sum times 256, and the number of the cage; without a sum there is no cage.
        sums = {each: each // 256 for each in numbers if each >= 256}
        return _killer(numbers, sums, "d" in long[1])
    line = text.split()[0] if text.strip() else ""
    _check_81(line, "character")
    signs = dict(zip(cells_of(9), line, strict=True))
    heads = [_head(cell, signs) for cell in signs]
    return _killer(heads, {head: _SUMS.index(signs[head]) for head in heads})


def _sumocue(text: str, crossed: bool) -> Puzzle:
    """For each cell ``=`` and the sum of its cage, or ``+`` and the offset of a cell that has it.

    A sum of 0 means no sum. In a jigsaw, ``J`` and the number of its region follow.
    """
    entries = _CUE_CELL.findall(text)
    if rest := _CUE_CELL.sub("", text):
        raise InvalidPuzzle(f"{shown(rest)} in SumoCue's text; expected such as =12, +0 or =12J3")
    _check_81(entries, "cell")
    sums = {at: int(number) for at, (sign, number, _) in enumerate(entries) if sign == "="}
    heads = [at if at in sums else int(number) for at, (_, number, _) in enumerate(entries)]
    for cell, head in zip(cells_of(9), heads, strict=True):
        if head not in sums:
            raise InvalidPuzzle(f"{cell} is in the cage of cell {head}, which has no sum")
    givens = {at for at, sum_ in sums.items() if heads.count(at) == 1 and 1 <= sum_ <= 9}
    cages = {at: sum_ for at, sum_ in sums.items() if sum_ and at not in givens}
    grid = Grid.of([(*cells_of(9)[at], sums[at]) for at in sorted(givens)], (3, 3))
    labels = [label for *_, label in entries]
    if any(labels) and not all(labels):
        raise InvalidPuzzle(f"{cells_of(9)[labels.index('')]} has no region; expected such as J0")
    regions = checked_regions("".join(labels), 9) if any(labels) else None
    return Puzzle(grid, regions, rules=_killer(heads, cages, crossed).rules)


def _check_81(items: Sequence[Any], what: str) -> None:
    if len(items) != 81:
        raise InvalidPuzzle(f"this killer has {counted(len(items), what)}; expected 81")


def _head(cell: Cell, signs: dict[Cell, str]) -> Cell:
    """The cell of its cage that has the sum: each other cell points to another of the cage."""
    at = cell
    for _ in signs:
        sign = signs.get(at, "")
        if sign and sign in _SUMS:
            return at
        down, right = _POINTS.get(sign, (0, 0))
        at = Cell(at.row + down, at.column + right)
    raise InvalidPuzzle(
        f"the arrows from {cell} do not lead to a sum; expected <>^v, or a sum (0-9, A-Z, a-j), in"
        " every cell"
    )


def _killer(cage_of: Sequence[Any], sums: dict[Any, int], crossed: bool = False) -> Puzzle:
    """The puzzle with the cage of each cell, and the sum of each cage: 0 if it has none."""
    from ..rules import Different, KillerCage, Rule

    rules: list[Rule] = [Different(each, "diagonal") for each in diagonals(9) if crossed]
    cages: dict[Any, list[Cell]] = {}
    for cell, cage in zip(cells_of(9), cage_of, strict=True):
        cages.setdefault(cage, []).append(cell)
    rules += [KillerCage(cages[each], sums[each] or None) for each in cages if each in sums]
    return Puzzle(Grid((0,) * 81, (3, 3)), rules=rules)
