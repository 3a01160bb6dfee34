"""Random rules that are laid over a full grid, which obeys them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from random import Random

from ..errors import InvalidPuzzle, listed
from ..puzzle import Grid
from ..puzzle.cells import Cell, Layout, sides, touch
from ..rules import KINDS, Arrow, Difference, KillerCage, Ratio, Rule, Thermometer, Whispers
from ..rules.base import Digits, plain_name
from ..rules.whole import named

Fits = Callable[[list[Cell]], bool]

LARGEST_CAGE = 5
ROUNDS = 50
"""The number of attempts to lay cages that cover the grid."""


def lay(kinds: Iterable[str], solution: Grid, rng: Random) -> list[Rule]:
    """Rules of these kinds that the solution obeys; equal seeds of `rng` give equal rules.

    Cages cover the grid, with 2 to 5 cells each and no digit twice. Lines have 3 to 6 cells, and
    lines of one kind share no cell. Dots are between some of the neighbours that could have one.
    """
    return [rule for kind in kinds for rule in LAID[kind](solution, rng)]


def rules_named(name: str, layout: Layout) -> list[Rule]:
    """The rules for the whole grid of this name; InvalidPuzzle if it has none."""
    kinds = [each for kind, each in KINDS.items() if plain_name(kind) == plain_name(name)]
    needed = [field for each in kinds for field in each.types if field not in each.defaults]
    if needed:
        raise InvalidPuzzle(
            f"the rule {name!r} needs {listed(needed)}; a kind that can be laid over a grid without"
            f" is {listed(LAID, 'or')}"
        )
    return named(name, layout)


def _cages(solution: Grid, rng: Random) -> list[Rule]:
    # A cage of one cell would be a given; in some small grids a cell has no partner left.
    for _ in range(ROUNDS):
        cages = _partition(solution, rng)
        if min(map(len, cages)) > 1:
            break
    return [
        KillerCage(tuple(cage), sum=sum(solution[cell] for cell in cage))
        for cage in sorted(map(sorted, cages))
        if len(cage) > 1
    ]


def _partition(solution: Grid, rng: Random) -> list[list[Cell]]:
    """Connected cages that cover the grid, joined from single cells."""
    cages = {cell: [cell] for cell in solution.cells}
    pairs = _neighbours(solution)
    rng.shuffle(pairs)
    for most in (rng.randint(2, LARGEST_CAGE), LARGEST_CAGE):
        for one, other in pairs:
            joined = [*cages[one], *cages[other]]
            alone = 1 in (len(cages[one]), len(cages[other]))
            fits = len(joined) == len({solution[cell] for cell in joined}) <= most
            if fits and (alone or rng.random() < 0.3):
                cages |= dict.fromkeys(joined, joined)
    return list({id(cage): cage for cage in cages.values()}.values())


def _neighbours(solution: Grid) -> list[tuple[Cell, Cell]]:
    """The pairs of cells that share a side."""
    return [(one, two) for one in solution.cells for two in sides(one, solution.size) if one < two]


def _lines(
    solution: Grid, rng: Random, make: Callable[[list[Cell]], Rule], grows: Fits | None = None
) -> list[Rule]:
    """Up to n lines of 3 to 6 cells without a common cell.

    A line that is longer yet must keep its rule, or satisfy `grows`.
    """
    free, lines = dict.fromkeys(solution.cells), list[Rule]()
    digits = Digits(solution.digits, solution.layout)
    longest = max(3, min(6, solution.size))

    def holds(line: list[Cell]) -> bool:
        return make(line).holds(digits)

    for _ in range(6 * solution.size):
        if len(lines) == solution.size or not free:
            break
        line = [rng.choice(list(free))]
        length = rng.randint(3, longest)
        while len(line) < length:
            near = [cell for cell in free if touch(cell, line[-1])]
            near = [cell for cell in near if cell not in line and (grows or holds)([*line, cell])]
            if not near:
                break
            line.append(rng.choice(near))
        if len(line) > 2 and holds(line):
            lines.append(make(line))
            free = {cell: None for cell in free if cell not in line}
    return lines


def _arrows(solution: Grid, rng: Random) -> list[Rule]:
    def grows(line: list[Cell]) -> bool:
        return sum(solution[cell] for cell in line[1:]) <= solution[line[0]]

    return _lines(solution, rng, lambda line: Arrow(line[:1], line[1:]), grows)


def _whispers(solution: Grid, rng: Random) -> list[Rule]:
    step = (solution.size + 1) // 2
    return _lines(solution, rng, lambda line: Whispers(line, difference=step))


def _dots(make: Callable[[tuple[Cell, Cell]], Rule], solution: Grid, rng: Random) -> list[Rule]:
    """Half of the dots that neighbours could have."""
    digits = Digits(solution.digits, solution.layout)
    dots = [(pair, dot) for pair in _neighbours(solution) if (dot := make(pair)).holds(digits)]
    return [dot for _, dot in sorted(rng.sample(dots, (len(dots) + 1) // 2))]


LAID: dict[str, Callable[[Grid, Random], list[Rule]]] = {
    "killer_cage": _cages,
    "thermometer": partial(_lines, make=Thermometer),
    "arrow": _arrows,
    "whispers": _whispers,
    "difference": partial(_dots, Difference),
    "ratio": partial(_dots, Ratio),
}
"""The function that lays a kind of rule, by the name of the kind."""
