"""Makers of rules with sums."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pylogic_sudoku import Cell, Grid, Puzzle
from pylogic_sudoku.rules import (
    Arrow,
    DoubleArrow,
    KillerCage,
    LittleKiller,
    RegionSumLine,
    RellikCage,
    Rule,
    SumLine,
    Total,
    ZipperLine,
)

from .cells import cage, line, some


def killer_cage(rng: random.Random, grid: Grid) -> Rule:
    cells = cage(rng, grid, 2, min(4, grid.size))
    n, size = grid.size, len(cells)
    total = added(grid, cells) + rng.choice([0, 0, 0, 1])
    least, most = size * (size + 1) // 2, size * (2 * n - size + 1) // 2
    total = max(least, min(total, most))
    if rng.random() < 0.2:  # a cell that counts twice
        return KillerCage((*cells, cells[0]), sum=total + grid[cells[0]])
    return KillerCage(cells, sum=rng.choice([None, total, total, total]))


def total(rng: random.Random, grid: Grid) -> Rule:
    cells = some(rng, grid, 2, 5)
    if rng.random() < 0.5:
        cells = (*cells, cells[0])
    if rng.random() < 0.5:
        return Total(cells, added(grid, cells))
    weights = [rng.choice([-2, -1, 1, 3]) for _ in cells]
    found = sum(grid[cell] * weight for cell, weight in zip(cells, weights, strict=True))
    return Total(cells, found, weights)


def arrow(rng: random.Random, grid: Grid) -> Rule:
    if rng.random() < 0.3:  # a pill
        found = [
            (one, other, cells)
            for _ in range(50)
            for one, other in [line(rng, grid, 2, 2)]
            for cells in [line(rng, grid, 5, 9)]
            if added(grid, cells) == 10 * grid[one] + grid[other]
        ]
        if found:
            one, other, cells = rng.choice(found)
            return Arrow((one, other), cells)
    return until(
        lambda: Arrow((found := line(rng, grid, 2, 4))[:1], found[1:]),
        lambda rule: grid[rule.circle[0]] == added(grid, rule.arm),
    )


def little_killer(rng: random.Random, grid: Grid) -> Rule:
    n = grid.size
    start, down = rng.randint(1, n), rng.choice([True, False])
    cells = [Cell(at + 1 if down else n - at, start + at) for at in range(n - start + 1)]
    return LittleKiller(cells, added(grid, tuple(cells)))


def region_sum_line(rng: random.Random, grid: Grid) -> Rule:
    return until(
        lambda: RegionSumLine(line(rng, grid, 3, 6)),
        lambda rule: obeyed(rule, grid),
    )


def zipper_line(rng: random.Random, grid: Grid) -> Rule:
    return until(lambda: ZipperLine(line(rng, grid, 3, 5)), lambda rule: obeyed(rule, grid))


def sum_line(rng: random.Random, grid: Grid) -> Rule:
    def made() -> Rule:
        cells, total = line(rng, grid, 2, 6), rng.randint(grid.size, 2 * grid.size)
        (one, other), (a, b) = cells[0], cells[-1]
        loop = len(cells) > 2 and max(abs(one - a), abs(other - b)) == 1
        return SumLine(cells, min(total, added(grid, cells)), loop=loop)

    return until(made, lambda rule: obeyed(rule, grid))


def double_arrow(rng: random.Random, grid: Grid) -> Rule:
    return until(lambda: DoubleArrow(line(rng, grid, 3, 5)), lambda rule: obeyed(rule, grid))


def rellik_cage(rng: random.Random, grid: Grid) -> Rule:
    return RellikCage(cage(rng, grid, 2, min(4, grid.size)), rng.randint(3, 2 * grid.size))


def added(grid: Grid, cells: tuple[Cell, ...]) -> int:
    """The sum of the digits in these cells."""
    return sum(grid[cell] for cell in cells)


def obeyed(rule: Rule, grid: Grid) -> bool:
    """True if the grid obeys the rule."""
    return Puzzle(Grid((0,) * len(grid.digits), grid.box), rules=[rule]).holds(grid)


def until(made: Callable[[], Rule], wanted: Callable[[Any], bool]) -> Rule:
    """A rule of the wanted sort if some tries find one, or else the last try."""
    for _ in range(60):
        rule = made()
        if wanted(rule):
            break
    return rule


MAKERS = {
    "killer_cage": killer_cage,
    "total": total,
    "arrow": arrow,
    "little_killer": little_killer,
    "region_sum_line": region_sum_line,
    "zipper_line": zipper_line,
    "sum_line": sum_line,
    "double_arrow": double_arrow,
    "rellik_cage": rellik_cage,
}
