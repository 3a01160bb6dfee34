"""Rules that are laid over a full grid, so that the grid obeys them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

from .._layout import Cell
from ..errors import listed
from ..grid import Grid
from ..rules import Arrow, Difference, KillerCage, Ratio, Rule, Thermometer, Whispers

__all__ = ["LAID", "checked_kinds", "lay"]

Fits = Callable[[list[Cell]], bool]

LARGEST_CAGE = 5
ROUNDS = 50
"""How often cages are laid until they cover the grid."""


def lay(kinds: Iterable[str], solution: Grid, rng: Random) -> list[Rule]:
    """Rules of these kinds that the solution obeys; equal seeds of `rng` give equal rules.

    Cages cover the grid, with 2 to 5 cells each and no digit twice. Lines have 3 to 6 cells, and
    lines of one kind share no cell. Dots are between some of the neighbours that could have one.
    ValueError for a kind that is not in `LAID`.
    """
    return [rule for kind in checked_kinds(kinds) for rule in LAID[kind](solution, rng)]


def checked_kinds(kinds: Iterable[str]) -> tuple[str, ...]:
    """The kinds, each once; ValueError for one that cannot be laid."""
    found = tuple(dict.fromkeys(kinds))
    for kind in found:
        if kind not in LAID:
            raise ValueError(f"{kind!r} cannot be laid over a grid; expected {listed(LAID, 'or')}")
    return found


# --- cages --------------------------------------------------------------------------------


def _cages(solution: Grid, rng: Random) -> list[Rule]:
    cages: list[list[Cell]] = []
    for _ in range(ROUNDS):
        cages = _partition(solution, rng)
        if all(len(cage) > 1 for cage in cages):
            break
    # A cage of one cell would be a given; in some small grids a cell has no partner left.
    return [
        KillerCage(tuple(sorted(cage)), sum=sum(solution[cell] for cell in cage))
        for cage in sorted(map(sorted, cages))
        if len(cage) > 1
    ]


def _partition(solution: Grid, rng: Random) -> list[list[Cell]]:
    """Connected cages that cover the grid; a cell alone joins a neighbour's cage if it can."""
    free, cages = dict.fromkeys(solution.cells), dict[Cell, list[Cell]]()
    starts = list(free)
    rng.shuffle(starts)
    for start in starts:
        if start not in free:
            continue
        cage = [start]
        size = rng.randint(2, min(LARGEST_CAGE, solution.size))
        while len(cage) < size:
            held = {solution[cell] for cell in cage}
            near = dict.fromkeys(each for cell in cage for each in _sides(cell, solution.size))
            fitting = [
                cell
                for cell in near
                if cell in free and cell not in cage and solution[cell] not in held
            ]
            if not fitting:
                break
            cage.append(rng.choice(fitting))
        if len(cage) == 1:
            for cell in _sides(start, solution.size):
                joined = cages.get(cell, [])
                held = {solution[each] for each in joined}
                if 0 < len(joined) < LARGEST_CAGE and solution[start] not in held:
                    cage = joined
                    cage.append(start)
                    break
        for cell in cage:
            free.pop(cell, None)
            cages[cell] = cage
    return list({id(cage): cage for cage in cages.values()}.values())


# --- lines --------------------------------------------------------------------------------


def _lines(
    solution: Grid, rng: Random, longest: int, fits: Fits, complete: Fits | None = None
) -> Iterator[list[Cell]]:
    """Lines of at least 3 cells without a common cell, some n of them, whose starts all fit."""
    free = dict.fromkeys(solution.cells)
    found = 0
    for _ in range(6 * solution.size):
        if found == solution.size or not free:
            return
        line = [rng.choice(list(free))]
        length = rng.randint(3, max(3, longest))
        while len(line) < length and not (complete and len(line) > 2 and complete(line)):
            fitting = [
                cell
                for cell in _around(line[-1], solution.size)
                if cell in free and cell not in line and fits([*line, cell])
            ]
            if not fitting:
                break
            line.append(rng.choice(fitting))
        if len(line) > 2 and (complete is None or complete(line)):
            found += 1
            for cell in line:
                del free[cell]
            yield line


def _thermometers(solution: Grid, rng: Random) -> list[Rule]:
    def rises(line: list[Cell]) -> bool:
        return solution[line[-2]] < solution[line[-1]]

    longest = min(6, solution.size)
    return [Thermometer(tuple(line)) for line in _lines(solution, rng, longest, rises)]


def _whispers(solution: Grid, rng: Random) -> list[Rule]:
    step = (solution.size + 1) // 2

    def jumps(line: list[Cell]) -> bool:
        return abs(solution[line[-2]] - solution[line[-1]]) >= step

    lines = _lines(solution, rng, min(6, solution.size), jumps)
    return [Whispers(tuple(line), difference=step) for line in lines]


def _arrows(solution: Grid, rng: Random) -> list[Rule]:
    def rest(line: list[Cell]) -> int:
        return solution[line[0]] - sum(solution[cell] for cell in line[1:])

    lines = _lines(
        solution,
        rng,
        min(6, solution.size),
        lambda line: rest(line) >= 0,
        lambda line: not rest(line),
    )
    return [Arrow((line[0],), tuple(line[1:])) for line in lines]


# --- dots ---------------------------------------------------------------------------------


def _dots(solution: Grid, rng: Random, fits: Callable[[int, int], bool]) -> list[tuple[Cell, Cell]]:
    """Half of the pairs of neighbours whose digits, the smaller one first, fit."""
    pairs = [
        (cell, other)
        for cell in solution.cells
        for other in _sides(cell, solution.size)
        if cell < other and fits(*sorted((solution[cell], solution[other])))
    ]
    return sorted(rng.sample(pairs, (len(pairs) + 1) // 2))


def _white_dots(solution: Grid, rng: Random) -> list[Rule]:
    return [Difference(pair) for pair in _dots(solution, rng, lambda low, high: high == low + 1)]


def _black_dots(solution: Grid, rng: Random) -> list[Rule]:
    return [Ratio(pair) for pair in _dots(solution, rng, lambda low, high: high == 2 * low)]


def _sides(cell: Cell, size: int) -> list[Cell]:
    """The cells that share a side with the cell."""
    return [
        each for each in _around(cell, size) if each.row == cell.row or each.column == cell.column
    ]


def _around(cell: Cell, size: int) -> list[Cell]:
    """The cells that share a side or a corner with the cell."""
    return [
        Cell(row, column)
        for row in range(max(1, cell.row - 1), min(size, cell.row + 1) + 1)
        for column in range(max(1, cell.column - 1), min(size, cell.column + 1) + 1)
        if (row, column) != cell
    ]


LAID: dict[str, Callable[[Grid, Random], list[Rule]]] = {
    "killer_cage": _cages,
    "thermometer": _thermometers,
    "arrow": _arrows,
    "whispers": _whispers,
    "difference": _white_dots,
    "ratio": _black_dots,
}
"""What lays a kind of rule, by the name of the kind."""
