"""Small puzzles with rules, and those of their solutions that obey them in Python.

They are for mutation tests: an instance has a rule of some kind and one of another.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import islice
from typing import NamedTuple

from helpers.jigsaws import REGIONS
from helpers.oracle import all_solutions, full_grid
from helpers.rules import MAKERS, fitting
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.rules import (
    KINDS,
    AntiKnight,
    AnyOf,
    Arrow,
    Automaton,
    BetweenLine,
    Contains,
    Different,
    Greater,
    KillerCage,
    LittleKiller,
    LockoutLine,
    Lunchbox,
    Palindrome,
    RegionSumLine,
    RellikCage,
    Renban,
    Rule,
    SameValues,
    Sandwich,
    SumLine,
    Thermometer,
    Total,
)


def example(kind: str) -> tuple[Puzzle, Grid, Grid]:
    """A puzzle with the example of a rule, a grid that obeys it, and one that does not."""
    fields, *texts = KINDS[kind].example
    good, bad = (Grid.parse(text.replace(" ", "")) for text in texts)
    return Puzzle("." * len(good.digits), rules=[KINDS[kind](**fields)]), good, bad


EVERY = tuple(all_solutions(Grid.parse("." * 16)))
"""All 288 grids of 4x4."""


class Instance(NamedTuple):
    """Rules, a grid with some givens, and those of its solutions that obey the rules."""

    rules: tuple[Rule, ...]
    grid: Grid | Puzzle
    obeying: frozenset[Grid]


def kinds_in(rule: Rule) -> set[str]:
    nested = [part for option in getattr(rule, "options", ()) for part in option]
    return {rule.kind}.union(*map(kinds_in, nested))


@cache
def instance(kind: str, seed: int) -> Instance:
    """A rule of this kind, and one of any kind, which is obeyed by the grid that they are for."""
    rng = random.Random(f"{kind} {seed}")
    box = (2, 3) if seed % 4 == 1 else (2, 2)
    made_for = fitting(kind, box, seed) or full_grid(box, seed)
    empty = Grid((0,) * len(made_for.digits), box)
    rules = [MAKERS[kind](rng, made_for)]
    for _ in range(5 * (seed % 4 > 0)):  # mostly one that the grid obeys
        if made_for.is_solution_of(Puzzle(empty, rules=rules)):
            break
        rules = [MAKERS[kind](rng, made_for)]
    for _ in range(60):
        decoy = MAKERS[rng.choice(sorted(MAKERS))](rng, made_for)
        if made_for.is_solution_of(Puzzle(empty, rules=[decoy])):
            rules.insert(rng.randint(0, 1), decoy)
            break
    return of(rules, empty if box == (2, 2) else with_some_solutions(made_for, rng))


def with_some_solutions(grid: Grid, rng: random.Random) -> Grid:
    """Givens of this grid that leave 2 to 60 solutions, so that some are nearly the grid."""
    kept = rng.sample(grid.givens, len(grid.givens) // 3)
    while True:
        puzzle = Grid.of(kept, grid.box)
        if sum(1 for _ in islice(all_solutions(puzzle), 61)) < 61:
            return puzzle
        kept.append(rng.choice([given for given in grid.givens if given not in kept]))


def of(rules: list[Rule], grid: Grid | Puzzle) -> Instance:
    """The rules, and all solutions of the grid."""
    areas = grid.layout.regions
    puzzle = Puzzle(Grid((0,) * len(grid.digits), grid.box), areas, rules=rules)
    grids = all_solutions(grid) if grid.givens or areas else EVERY
    return Instance(tuple(rules), grid, frozenset(g for g in grids if g.is_solution_of(puzzle)))


KNIGHTS = [
    "325461614235146352253614532146461523",
    "542316361254136425254631425163613542",
    "463512215364351246642135124653536421",
    "625413314562541326263145136254452631",
]
"""Grids of 6x6 in which digits are repeated by one of the moves of a knight alone."""

SELDOM_DRAWN = [
    Thermometer("r2c2 r3c3"),
    Thermometer("r2c2 r3c3", slow=True),
    Greater("r2c2 r3c3"),
    Contains("r1c1 r2c2 r3c3", [1, 2], exactly=True),
    Contains("r1c1 r2c2", [1, 1], exactly=True),
    BetweenLine("r2c2 r3c3 r4c4"),
    BetweenLine("r2c2 r3c3 r3c4"),
    LockoutLine("r2c2 r3c3 r4c4", difference=1),
    LockoutLine("r2c2 r3c3 r3c4", difference=2),
    LockoutLine("r1c1 r1c2 r1c3", difference=2),
    Palindrome("r1c1 r1c2 r2c2 r3c3 r4c3 r4c4"),
    SameValues(["r2c2", "r3c3"]),
    KillerCage("r2c2 r3c2 r3c3"),
    *(RellikCage("r1c1 r1c2 r1c3", total) for total in range(3, 9)),
    *(SumLine("r1c1 r1c2 r2c2 r2c1", total, loop=True) for total in range(3, 8)),
    *(SumLine("r1c1 r1c2 r1c3 r1c4", total) for total in (3, 4, 5, 7)),
    *(SumLine("r1c1 r1c2 r1c3 r2c3 r2c2 r2c1", total, loop=True) for total in (4, 5, 7)),
    SumLine("r2c2 r3c3", 8),
    SumLine("r1c1 r1c2 r2c2 r2c1 r3c1 r4c1", 5),
    Total("r1c1 r1c2 r1c3 r2c1 r3c1", 12),  # more than half of a row, and of a column
    Total("r1c1 r1c2 r1c3 r1c3 r2c4", 14),  # a cell counts twice
    Total("r1c1 r1c2 r1c3 r4c4 r3c3", 13, weights=[2, 2, 2, 1, -1]),
    Total("r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r3c1", 21),
    RegionSumLine("r1c1 r2c2 r3c3 r4c4 r2c1 r1c2"),  # comes back to a box
    RegionSumLine("r1c1 r2c2 r3c3", [["r1c1", "r2c2"]]),
    RegionSumLine("r1c1 r2c2 r3c2 r3c3", [["r1c1"], ["r3c2", "r3c3"]]),
    AnyOf([[KillerCage("r1c1 r1c2", 3)], [KillerCage("r4c3 r4c4", 7)]]),
    AnyOf([[Sandwich("r1c1 r1c2 r1c3 r1c4", 2)], [KillerCage("r4c3 r4c4", 7)]]),
    *(Sandwich("r1c1 r1c2 r1c3", total) for total in (0, 2, 3)),
    *(Sandwich("r1c1 r2c3 r3c2 r4c4", total) for total in (0, 2, 3, 4)),
    *(Lunchbox("r2c2 r3c2 r3c3", total) for total in range(4)),
    *(Lunchbox("r2c2 r3c3 r3c2", total) for total in range(4)),
    Automaton("r1c1 r2c3 r3c2", "[^1][^2]3?.?"),
    Automaton("r1c1 r2c3 r1c1 r3c2", "(.1|2.|[34])*"),  # a cell is named twice
    Automaton("r2c3", "[13]"),
    Automaton(  # an odd number of digits is less than 3
        "r1c1 r2c2 r3c3",
        start=[1],
        accepting=[0],
        arcs=[(at, digit, at ^ (digit < 3)) for at in (0, 1) for digit in range(1, 5)],
    ),
    Automaton(  # many digits are accepted in several ways
        "r1c1 r2c2 r2c3",
        start=[0, 1],
        accepting=[2],
        arcs=[*((0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 2), (1, 2, 2), (2, 0, 2), (2, 3, 1))],
    ),
]
"""Rules that the makers make seldom or never."""

TOGETHER: list[list[Rule]] = [
    [
        Total("r2c2 r1c1 r1c2 r3c2 r4c2", 13),
        Total("r4c4 r2c2 r4c1 r1c3 r1c4 r4c4", 18),
    ],
    [
        RegionSumLine("r4c1 r3c2 r2c3 r1c3 r1c4"),
        Total("r4c3 r3c3 r4c3", 15, weights=[3, 3, 3]),
    ],
    # Little killers that go one way, and such a diagonal of different digits.
    [
        LittleKiller("r1c1 r2c2 r3c3 r4c4", 11),
        LittleKiller("r4c3 r3c2 r2c1", 6),
        LittleKiller("r1c2 r2c3 r3c4", 6),
    ],
    [
        Different("r1c1 r2c2 r3c3 r4c4"),
        LittleKiller("r4c3 r3c2 r2c1", 10),
        LittleKiller("r1c2 r2c3 r3c4", 5),
    ],
    [
        Different("r4c1 r3c2 r2c3 r1c4"),
        LittleKiller("r1c3 r2c2 r3c1", 11),
        LittleKiller("r2c4 r3c3 r4c2", 5),
    ],
    [  # of three different digits nothing is known
        Different("r1c1 r2c2 r3c3"),
        LittleKiller("r1c2 r2c3 r3c4", 6),
        LittleKiller("r4c3 r3c2 r2c1", 7),
    ],
    [  # one of those in each direction, and one that need not be obeyed
        LittleKiller("r1c1 r2c2 r3c3 r4c4", 11),
        LittleKiller("r1c3 r2c2 r3c1", 6),
        AnyOf([[LittleKiller("r1c2 r2c3 r3c4", 6)], [LittleKiller("r2c1 r3c2 r4c3", 5)]]),
    ],
]
"""Rules that show only together what they say of sums."""


WEIGHED: list[tuple[str, list[int]]] = [
    ("r1c1 r1c2 r2c1 r5c1", [2, 2, 2, 1]),  # half of a box
    ("r1c1 r1c2 r2c1 r3c5 r4c5 r4c6 r5c1", [1, 1, 1, 1, 1, 1, -1]),  # of two boxes
    ("r1c1 r1c2 r2c1 r3c5 r4c5 r4c6", [1, 1, 1, -1, -1, -1]),
    ("r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r2c1 r3c1 r4c1 r5c1 r6c1", [1] * 11),  # a row and a column
    ("r6c1 r6c2 r6c3 r6c5 r2c4", [2, 2, 2, 2, 1]),  # most of a row
]
"""Cells of 6x6 that fill half of a box, or more of a house, and their weights."""


@cache
def extras() -> tuple[Instance, ...]:
    """Instances of those, and with larger grids of what shows only there."""
    twelve = full_grid((3, 4), 1)
    alone = [[rule] for rule in SELDOM_DRAWN]
    found = [of(rules, Grid.parse("." * 16)) for rules in alone + TOGETHER]
    for digit in (9, 10, 11):  # the number in a circle of two cells ends in one digit
        last = next(cell for cell in twelve.cells if twelve[cell] == digit)
        first = next(cell for cell in twelve.cells if twelve[cell] == 1)
        total, arm = 10 + twelve[last], []
        for cell in sorted(twelve.cells, key=lambda cell: -twelve[cell]):
            if cell not in (first, last) and twelve[cell] <= total:
                arm.append(cell)
                total -= twelve[cell]
        found.append(of([Arrow((first, last), arm)], twelve))
    twelfth = next(cell for cell in twelve.cells if twelve[cell] == 12)
    parts = [next(cell for cell in twelve.cells if twelve[cell] == digit) for digit in (5, 7)]
    found.append(of([Arrow([twelfth], parts)], twelve))
    # Too many sets of digits to list them.
    cage = dict(sorted((twelve[cell], cell) for cell in twelve.cells)[::13][:7])
    found += [of([KillerCage(cage.values(), sum(cage) + more)], twelve) for more in (0, 1)]
    found.append(of([RegionSumLine("r1c2 r1c3 r2c3 r2c2")], Puzzle("." * 16, REGIONS[4])))
    rng = random.Random(1)
    for box in ((1, 5), (2, 4)):  # thirds that are not equal
        grid = full_grid(box, 1)
        for _ in range(4):
            line = MAKERS["entropic_line"](rng, grid)
            found.append(of([line], with_some_solutions(grid, rng)))
    for box in ((2, 3), (3, 2)):
        grid = full_grid(box, 1)
        for cells, weights in WEIGHED:
            weighed = zip(Total(cells, 0).cells, weights, strict=True)
            total = sum(grid[cell] * weight for cell, weight in weighed)
            rule = Total(cells, total, weights=weights)
            found.append(of([rule], with_some_solutions(grid, rng)))
        run = [next(cell for cell in grid.cells if grid[cell] == digit) for digit in (4, 2, 5, 3)]
        found.append(of([Renban(run)], with_some_solutions(grid, rng)))
    found += [of([AntiKnight()], Grid.parse(text, box=(2, 3))) for text in KNIGHTS]
    return tuple(found)


def a_rule(kind: str, cells: object = None, **fields: object) -> dict[str, object]:
    """The JSON of a rule."""
    return {"rule": kind, **({} if cells is None else {"cells": cells}), **fields}


ONCE_WRONG = [
    a_rule("zipper_line", "r4c4 r3c4 r3c3 r4c4 r3c4 r3c3"),  # r3c4 has itself opposite
    a_rule("any_of", options=[[a_rule("palindrome", "r1c2 r1c1 r2c1")]]),
    a_rule("any_of", options=[[a_rule("clone", "r1c1", copies="r2c3")]]),
    a_rule("contains", "r1c1 r2c3", digits=[1], exactly=True),
    a_rule("contains", "r1c1 r2c3 r3c2 r4c4", digits=[1, 1, 2], exactly=True),
    a_rule("thermometer", "r1c1 r3c3 r2c4"),
    a_rule("sum_line", "r1c1 r3c3 r4c1", sum=5, loop=True),
    a_rule("rellik_cage", "r1c1 r1c2", sum=11),
    a_rule("modular_line", "r1c1 r1c2 r1c3 r1c4", modulus=5),
    a_rule("region_sum_line", "r1c1 r2c2 r4c3 r3c4", regions=["r1c1 r1c4", "r4c3 r3c4"]),
    *(
        a_rule(kind, cells)
        for kind in ("palindrome", "between_line", "zipper_line", "renban", "region_sum_line")
        for cells in ("r1c1", "r1c1 r1c2")
    ),
]
"""Rules on which an engine once erred, in JSON."""

PAIR = "r1c1 r1c2"
TURN = "r1c1 r1c2 r2c2 r2c1 r1c1"
MILLION = 1_000_000
OBEYED_BY_NONE = [
    a_rule("killer_cage", PAIR, sum=MILLION),
    a_rule("killer_cage", PAIR, sum=0),
    a_rule("automaton", PAIR, regex="1"),
    a_rule("automaton", PAIR, start=[0], accepting=[1], arcs=[[0, 1, 0], [1, 1, 1]]),
    a_rule("any_of", options=[[a_rule("automaton", PAIR, regex="3")]]),
    a_rule("little_killer", PAIR, sum=MILLION),
    a_rule("sum_line", PAIR, sum=MILLION, loop=True),
    a_rule("sandwich", PAIR, sum=MILLION),
    a_rule("lunchbox", PAIR, sum=MILLION),
    a_rule("x_sum", PAIR, sum=MILLION),
    a_rule("skyscraper", PAIR, value=0),
    a_rule("hidden_skyscraper", PAIR, value=5),
    a_rule("thermometer", TURN),
    a_rule("whispers", PAIR),
    a_rule("lockout_line", PAIR),
    a_rule("renban", "r1c1 r1c2 r1c3 r2c3 r2c2"),
    a_rule("different", "r1c1 r1c2 r1c3 r2c3 r2c2"),
    a_rule("difference", PAIR, value=4),
    a_rule("ratio", PAIR, value=0),
    a_rule("pair_sum", PAIR, value=10),
    a_rule("contains", PAIR, digits=[1, 2, 3]),
    a_rule("contains", PAIR, digits=[1, 1], exactly=True),
    a_rule("double_arrow", PAIR),
    a_rule("lockout_line", "r1c1"),
    a_rule("lunchbox", "r1c1 r1c2 r2c1 r2c2 r3c3", sum=3),
    a_rule("look_and_say", PAIR, digits=[1, 2], counts=[2, 1]),
    a_rule("nabner", "r1c1 r1c2 r1c3"),
    a_rule("total", PAIR, sum=4, weights=[1, -1]),
    a_rule("arrow", circle="r1c1 r1c2", arm="r1c3 r1c4"),
    a_rule("double_arrow", "r1c1 r2c2 r1c3 r1c4 r2c4 r3c4 r4c4 r4c3 r4c2 r4c1 r3c1"),
    a_rule("rellik_cage", "r1c1 r1c2 r1c3 r2c3 r2c2", sum=10),
]
"""In JSON, for a 4x4 grid."""
