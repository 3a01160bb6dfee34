"""Random rules that are laid over a full grid, which obeys them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

from ..errors import listed
from ..puzzle import Grid
from ..puzzle.cells import Cell, sides, touch
from ..rules import Arrow, Difference, KillerCage, Ratio, Rule, Thermometer, Whispers

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


def _grow(cells: list[Cell], near: Iterable[Cell], fits: Fits, rng: Random) -> bool:
    """Add to the cells one of those near that fits, if there is one."""
    fitting = [cell for cell in near if cell not in cells and fits([*cells, cell])]
    if fitting:
        cells.append(rng.choice(fitting))
    return bool(fitting)


def _added(grid: Grid, cells: Iterable[Cell]) -> int:
    return sum(grid[cell] for cell in cells)


def _cages(solution: Grid, rng: Random) -> list[Rule]:
    cages: list[list[Cell]] = []
    for _ in range(ROUNDS):
        cages = _partition(solution, rng)
        if all(len(cage) > 1 for cage in cages):
            break
    # A cage of one cell would be a given; in some small grids a cell has no partner left.
    return [
        KillerCage(tuple(cage), sum=_added(solution, cage))
        for cage in sorted(map(sorted, cages))
        if len(cage) > 1
    ]


def _partition(solution: Grid, rng: Random) -> list[list[Cell]]:
    """Connected cages that cover the grid; a cell alone joins a neighbour's cage if it can."""
    size, free, cages = solution.size, dict.fromkeys(solution.cells), dict[Cell, list[Cell]]()

    def fits(cage: list[Cell]) -> bool:
        return cage[-1] in free and len({solution[cell] for cell in cage}) == len(cage)

    starts = list(free)
    rng.shuffle(starts)
    for start in starts:
        if start not in free:
            continue
        wanted, cage = rng.randint(2, min(LARGEST_CAGE, size)), [start]
        near = dict.fromkeys(sides(start, size))
        while len(cage) < wanted and _grow(cage, near, fits, rng):
            near |= dict.fromkeys(sides(cage[-1], size))
        if len(cage) == 1:
            for cell in near:
                joined = cages.get(cell, [])
                if 0 < len(joined) < LARGEST_CAGE and fits([*joined, start]):
                    cage = joined
                    cage.append(start)
                    break
        for cell in cage:
            free.pop(cell, None)
            cages[cell] = cage
    return list({id(cage): cage for cage in cages.values()}.values())


def _lines(
    solution: Grid, rng: Random, fits: Fits, complete: Fits | None = None
) -> Iterator[list[Cell]]:
    """Lines of 3 to 6 cells without a common cell, some n of them, whose starts all fit."""
    free = dict.fromkeys(solution.cells)
    found = 0
    for _ in range(6 * solution.size):
        if found == solution.size or not free:
            return
        line = [rng.choice(list(free))]
        length = rng.randint(3, max(3, min(6, solution.size)))
        while len(line) < length and not (complete and len(line) > 2 and complete(line)):
            if not _grow(line, [cell for cell in free if touch(cell, line[-1])], fits, rng):
                break
        if len(line) > 2 and (complete is None or complete(line)):
            found += 1
            for cell in line:
                del free[cell]
            yield line


def _thermometers(solution: Grid, rng: Random) -> list[Rule]:
    def rises(line: list[Cell]) -> bool:
        return solution[line[-2]] < solution[line[-1]]

    return [Thermometer(tuple(line)) for line in _lines(solution, rng, rises)]


def _whispers(solution: Grid, rng: Random) -> list[Rule]:
    step = (solution.size + 1) // 2

    def jumps(line: list[Cell]) -> bool:
        return abs(solution[line[-2]] - solution[line[-1]]) >= step

    return [Whispers(tuple(line), difference=step) for line in _lines(solution, rng, jumps)]


def _arrows(solution: Grid, rng: Random) -> list[Rule]:
    def rest(line: list[Cell]) -> int:
        return solution[line[0]] - _added(solution, line[1:])

    lines = _lines(solution, rng, lambda line: rest(line) >= 0, lambda line: not rest(line))
    return [Arrow((line[0],), tuple(line[1:])) for line in lines]


def _dots(solution: Grid, rng: Random, fits: Callable[[int, int], bool]) -> list[tuple[Cell, Cell]]:
    """Half of the pairs of neighbours whose digits, the smaller one first, fit."""
    neighbours = ((one, two) for one in solution.cells for two in sides(one, solution.size))
    pairs = [
        (one, two)
        for one, two in neighbours
        if one < two and fits(*sorted((solution[one], solution[two])))
    ]
    return sorted(rng.sample(pairs, (len(pairs) + 1) // 2))


def _white_dots(solution: Grid, rng: Random) -> list[Rule]:
    return [Difference(pair) for pair in _dots(solution, rng, lambda low, high: high == low + 1)]


def _black_dots(solution: Grid, rng: Random) -> list[Rule]:
    return [Ratio(pair) for pair in _dots(solution, rng, lambda low, high: high == 2 * low)]


LAID: dict[str, Callable[[Grid, Random], list[Rule]]] = {
    "killer_cage": _cages,
    "thermometer": _thermometers,
    "arrow": _arrows,
    "whispers": _whispers,
    "difference": _white_dots,
    "ratio": _black_dots,
}
"""What lays a kind of rule, by the name of the kind."""
