"""For each kind of rule, a maker of rules to test with, and grids that obey what few grids obey.

A maker gets a random number generator and a full grid, and returns a rule for grids of that layout:
often one that the grid obeys, so that tests see both answers. It follows from the types of the
rule's fields and from `holds`: cells are drawn as their field demands, a number is one with which
the grid obeys the rule, and all is drawn again until it does. A few kinds need more than that.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Any

from pylogic_sudoku import Cell, Grid, InvalidPuzzle
from pylogic_sudoku.puzzle.cells import Cells, diagonal_from, sides, touch
from pylogic_sudoku.rules import KINDS, AnyOf, Digits, Rule, base

__all__ = ["MAKERS", "Maker", "fitting"]

Random = random.Random
Maker = Callable[[Random, Grid], Rule]
Fields = dict[str, Any]
TRIES = 100


def made(kind: str, rng: Random, grid: Grid) -> Rule:
    """In two cases of three one that the grid obeys, if it is found soon."""
    obeyed, size = rng.random() < 0.66, rng.random()
    for tried in range(TRIES):  # with ever fewer cells
        rule = drawn(kind, rng, grid, size * (1 - tried / TRIES))
        if not obeyed or not rule.types or holds(rule, grid):
            break
    return rule


def holds(rule: Rule, grid: Grid) -> bool:
    return rule.holds(Digits(grid.digits, grid.layout))


def drawn(name: str, rng: Random, grid: Grid, size: float) -> Rule:
    """A rule of the kind; the greater the size, from 0 to 1, the more cells it has."""
    kind = KINDS[name]
    while True:
        fields: Fields = {}
        for field, of in kind.types.items():
            if of in (base.FIELDS[Cells], base.FIELDS[base.Groups]):
                drawer = BY_SHAPE.get(kind.shapes.get(field), some)
                fields[field] = drawer(rng, grid, kind.least + int(size * (6 - kind.least)))
            elif of is base.FIELDS[bool]:
                fields[field] = rng.random() < 0.3
            elif of is base.FIELDS[int | None] and rng.random() < 0.25:
                fields[field] = None
        fields |= SPECIAL[name](rng, grid, fields) if name in SPECIAL else {}
        numbers = [each for each, of in kind.types.items() if of in NUMBERS and each not in fields]
        found: list[Rule] = []
        for number in range(3 * grid.size) if numbers else [0]:
            with suppress(InvalidPuzzle):
                rule = kind(**fields, **dict.fromkeys(numbers, number))
                rule.check(grid.layout)
                found.append(rule)
        if found:
            right = [rule for rule in found if holds(rule, grid)]
            return rng.choice(right if right and rng.random() < 0.8 else found)
        size *= 0.9


# --- cells, by what the type of a field says of them ---


def some(rng: Random, grid: Grid, number: int) -> Cells:
    """Different cells anywhere, or in half of all cases joined by their sides."""
    if rng.random() < 0.5:
        return tuple(rng.sample(grid.cells, number))
    return joined(rng, grid, number)


def joined(rng: Random, grid: Grid, number: int) -> Cells:
    cells = [rng.choice(grid.cells)]
    while len(cells) < number:
        near = {each for cell in cells for each in sides(cell, grid.size)} - {*cells}
        cells.append(rng.choice(sorted(near)))
    return tuple(cells)


def line(rng: Random, grid: Grid, number: int) -> Cells:
    """A line that does not meet itself."""
    cells: list[Cell] = []
    while len(cells) < number:
        near = [each for each in grid.cells if not cells or touch(each, cells[-1])]
        near = [each for each in near if each not in cells]
        cells = [*cells, rng.choice(near)] if near else []
    return tuple(cells)


def diagonal(rng: Random, grid: Grid, _number: int) -> Cells:
    cells = diagonal_from((0, rng.randint(0, grid.size - 1)), "DR", grid.size)
    return cells[:: rng.choice([1, -1])]


def seen(rng: Random, grid: Grid, number: int) -> Cells:
    """A row or column, or the cells of one, from one of its ends."""
    at, line = rng.choice([0, 1]), rng.randint(1, grid.size)
    cells = tuple(cell for cell in grid.cells if cell[at] == line)[:: rng.choice([1, -1])]
    return cells if rng.random() < 0.7 else cells[: max(number, grid.size - 1)]


def one_in_each_row(rng: Random, grid: Grid) -> Cells:
    columns = rng.sample(range(1, grid.size + 1), grid.size)
    return tuple(Cell(*each) for each in enumerate(columns, 1))


def groups(rng: Random, grid: Grid, number: int) -> list[Cells]:
    number = 1 + number // 2
    return [tuple(rng.sample(grid.cells, number)) for _ in range(rng.choice([2, 2, 3]))]


def shape(of: Any) -> base.Shape:
    return of.__metadata__[0]


NUMBERS = [base.FIELDS[each] for each in (int, int | None)]
BY_SHAPE: dict[Any, Callable[[Random, Grid, int], Any]] = {
    shape(base.Line): line,
    shape(base.LineOfTwoEnds): lambda rng, grid, number: line(rng, grid, max(3, number)),
    shape(base.Diagonal): diagonal,
    shape(base.Seen): seen,
    shape(base.Distinct): line,
    shape(base.Pair): lambda rng, grid, _number: joined(rng, grid, 2),
    shape(base.Pairs): lambda rng, grid, number: [*pairwise(line(rng, grid, max(2, number)))],
    shape(base.One): lambda rng, grid, _number: [rng.choice(grid.cells)],
    shape(base.CellSets): groups,
}


# --- kinds whose fields must fit each other, or that are special in some way ---


def loop(rng: Random, grid: Grid) -> Cells:
    one, two = joined(rng, grid, 2)
    near = [cell for cell in grid.cells if touch(cell, one) and touch(cell, two)]
    return one, two, rng.choice(near), one


def arrow(rng: Random, grid: Grid, _fields: Fields) -> Fields:
    cells = line(rng, grid, rng.randint(2, 4))
    if rng.random() < 0.8:
        return {"circle": cells[:1], "arm": cells[1:]}
    return {"circle": cells[:2], "arm": line(rng, grid, rng.randint(5, 9))}


def total(rng: Random, grid: Grid, fields: Fields) -> Fields:
    """In some a cell is there twice, or each has a weight."""
    cells = fields["cells"] + fields["cells"][: rng.randint(0, 1)]
    weights = [rng.choice([-2, -1, 1, 3]) for _ in cells] if rng.random() < 0.5 else []
    pairs = zip(cells, weights or [1] * len(cells), strict=True)
    found = sum(grid[cell] * weight for cell, weight in pairs)
    return {"cells": cells, "weights": weights, "sum": found + (rng.random() < 0.1)}


def contains(rng: Random, grid: Grid, fields: Fields) -> Fields:
    digits = [grid[cell] for cell in fields["cells"]]
    if rng.random() < 0.2:
        digits[0] = rng.randint(1, grid.size)
    number = rng.randint(1, len(digits))
    return {"digits": rng.sample(digits, number)}


def look_and_say(rng: Random, grid: Grid, _fields: Fields) -> Fields:
    cells = rng.sample(grid.cells, rng.randint(3, 7))
    found = [grid[cell] for cell in cells]
    digits = rng.sample(range(1, grid.size + 1), rng.randint(1, 2))
    return {"cells": cells, "digits": digits, "counts": [found.count(digit) for digit in digits]}


def counting_circles(rng: Random, grid: Grid, _fields: Fields) -> Fields:
    """All cells of some digits, or as many of them as the digit says, and perhaps one more."""
    cells = [rng.choice(grid.cells)] if rng.random() < 0.2 else []
    for digit in rng.sample(range(1, min(grid.size, 4) + 1), rng.randint(1, 2)):
        cells += rng.sample([cell for cell in grid.cells if grid[cell] == digit], digit)
    return {"cells": rng.sample(sorted({*cells}), len({*cells}))}


def clone(rng: Random, grid: Grid, _fields: Fields) -> Fields:
    cells, (down, right) = joined(rng, grid, rng.randint(1, 2)), rng.choice(grid.cells)
    copies = [(row + down - 2, column + right - 2) for row, column in cells]
    return {"cells": cells, "copies": [copy for copy in copies if min(copy) > 0]}


def negative(rng: Random, grid: Grid, _fields: Fields) -> Fields:
    """All pairs with one of the relations are exempt, or nearly all."""
    differences = rng.sample(range(1, grid.size), rng.randint(0, 1))
    ratios = rng.sample([2, 3], rng.randint(0, 1))
    sums = [grid.size + 1] if rng.random() < 0.5 or not differences + ratios else []
    exempt = []
    pairs = [(one, other) for one in grid.cells for other in sides(one, grid.size) if one < other]
    for pair in pairs:
        low, high = sorted(grid[cell] for cell in pair)
        related = high - low in differences or low + high in sums or high / low in ratios
        if related or rng.random() < 0.1:
            exempt.append(rng.sample(pair, 2))
    exempt = exempt[rng.random() < 0.3 :]
    return {"differences": differences, "ratios": ratios, "sums": sums, "exempt": exempt}


def pair_table(rng: Random, grid: Grid, fields: Fields) -> Fields:
    held = [(grid[one], grid[other]) for one, other in fields["pairs"]][rng.random() < 0.2 :]
    more = [(rng.randint(1, grid.size), rng.randint(1, grid.size)) for _ in range(3)]
    return {"allowed": sorted({*held, *more})}


def automaton(rng: Random, grid: Grid, fields: Fields) -> Fields:
    """An expression, or an automaton in which the digits are on one of the ways, or nearly."""
    cells = fields["cells"] + fields["cells"][: rng.random() < 0.2]
    word = [grid[cell] for cell in cells]
    if rng.random() < 0.4:
        parts = [rng.choice(PARTS).format(digit, rng.randint(1, grid.size)) for digit in word]
        return {"cells": cells, "regex": "".join(parts)}
    states = range(rng.randint(2, 4))
    way = [rng.choice(states) for _ in range(len(word) + 1)]
    arcs = list(zip(way, word, way[1:], strict=False))
    for _ in range(rng.randint(0, 4)):
        arcs.append((rng.choice(states), rng.randint(0, grid.size), rng.choice(states)))
    return {
        "cells": cells,
        "start": sorted({way[0], rng.choice(way)}),
        "accepting": sorted({way[-1], rng.choice(way)}),
        "arcs": sorted({*arcs[rng.random() < 0.1 :]}),
    }


PARTS = ["{0}", "{0}+", ".", "[{0}{1}]", "[^{1}]", "({1}|{0}){{1,2}}", "{1}?.?", ".*", "[{0}]?"]
"""Of an expression: for the first of two digits, or for both."""

SIMPLE = ["thermometer", "killer_cage", "contains", "anti_knight", "index", "different"]


def region_sum_line(rng: Random, grid: Grid, fields: Fields) -> Fields:
    """Sometimes with regions of its own, which have most cells of the line."""
    if rng.random() < 0.6:
        return {"regions": []}
    cells = list(dict.fromkeys(fields["cells"]))
    half, (one, other) = rng.randint(1, len(cells)), rng.sample(sorted({*grid.cells} - {*cells}), 2)
    return {"regions": [[*cells[:half], one], [*cells[half + rng.randint(0, 1) :], other]]}


def any_of(rng: Random, grid: Grid, _fields: Fields) -> Fields:
    """Options of one or two rules, or an any-of within."""
    some = [[drawn(rng.choice(SIMPLE), rng, grid, rng.random()) for _ in "12"] for _ in "123"]
    options: list[list[Rule]] = [each[: rng.randint(1, 2)] for each in some[: rng.randint(1, 2)]]
    inner = [AnyOf([each] for each in some[2])] if rng.random() < 0.2 else []
    return {"options": [*options, *filter(None, [inner])]}


def sometimes(share: float, other: Callable[..., Fields]) -> Callable[..., Fields]:
    return lambda rng, *more: other(rng, *more) if rng.random() < share else {}


SPECIAL: dict[str, Callable[[Random, Grid, Fields], Fields]] = {
    "whispers": sometimes(0.2, lambda rng, grid, _: {"cells": loop(rng, grid)}),
    "different": sometimes(0.3, lambda rng, grid, _: {"cells": one_in_each_row(rng, grid)}),
    "lunchbox": lambda rng, grid, _: {"cells": joined(rng, grid, rng.randint(2, 4))},
    "modular_line": lambda rng, grid, _: {"modulus": rng.randint(1, grid.size + 1)},
    **{
        made.__name__: made
        for made in (
            *(arrow, total, contains, look_and_say, counting_circles),
            *(clone, negative, pair_table, any_of, region_sum_line, automaton),
        )
    },
}

MAKERS: dict[str, Maker] = {kind: partial(made, kind) for kind in KINDS}
"""By kind, for those of the package: a test may define more."""

FITTING = {
    "anti_knight": ["4132 2314 3241 1423"],
    "anti_king": ["653142 142563 236415 415326 324651 561234"],
    "anti_taxicab": ["352461 641352 426135 135624 213546 564213"],
    "global_entropy": ["214536 635214 521463 346152 162345 453621"],
}
"""Grids that obey a rule which few grids obey."""


def fitting(kind: str, box: tuple[int, int], seed: int) -> Grid | None:
    """A grid of this box shape that obeys such a rule: one of those above, turned or mirrored."""
    for text in FITTING.get(kind, ()):
        rows = [list(map(int, row)) for row in text.split()]
        if len(rows) == box[0] * box[1]:
            if seed % 2:
                rows = rows[::-1]
            if seed % 3:
                rows = [row[::-1] for row in rows]
            return Grid.from_rows(rows, box)
    return None
