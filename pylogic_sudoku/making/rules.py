"""Random rules for a full grid: many that the grid obeys, or one of any kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from random import Random

from .. import rules
from ..errors import listed
from ..puzzle import Grid
from ..puzzle.cells import Cell, Cells
from ..rules import (
    KINDS,
    Arrow,
    Difference,
    Digits,
    KillerCage,
    Ratio,
    Rule,
    Thermometer,
    Whispers,
)
from ..rules.base import FIELDS

Fits = Callable[[list[Cell]], bool]
Maker = Callable[[Random, Grid], Rule]

LARGEST_CAGE = 5
ROUNDS = 50
"""How often cages are laid until they cover the grid."""
TRIES = 60
"""How often a rule is drawn until the grid obeys it, or does not."""


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


def draw(kind: str, solution: Grid, rng: Random, holds: bool | None = None) -> Rule:
    """A rule of any kind in `KINDS`, for grids of this layout.

    With `holds`, it is one that the solution obeys, or does not, if `TRIES` tries find one; what it
    does not obey is drawn for a copy with other digits. A rule without fields is what it is.
    """
    digits = Digits(solution.digits, solution.layout)
    made_for = solution
    for _ in range(TRIES):
        if holds is False:
            made_for = solution.relabelled(rng.sample(range(1, solution.size + 1), solution.size))
        rule = _drawn(kind, rng, made_for)
        if holds is None or not rule.types or rule.holds(digits) == holds:
            break
    return rule


# --- cells --------------------------------------------------------------------------------


def _around(cell: Cell, size: int) -> list[Cell]:
    """The cells that share a side or a corner with the cell."""
    return [
        Cell(row, column)
        for row in range(max(1, cell.row - 1), min(size, cell.row + 1) + 1)
        for column in range(max(1, cell.column - 1), min(size, cell.column + 1) + 1)
        if (row, column) != cell
    ]


def _sides(cell: Cell, size: int) -> list[Cell]:
    """The cells that share a side with the cell."""
    return [
        each for each in _around(cell, size) if each.row == cell.row or each.column == cell.column
    ]


def _neighbours(grid: Grid) -> list[tuple[Cell, Cell]]:
    """Each two cells that share a side, once."""
    size = grid.size
    return [(one, other) for one in grid.cells for other in _sides(one, size) if one < other]


def _grown(
    cells: list[Cell], wanted: int, near: Callable[[], Iterable[Cell]], fits: Fits, rng: Random
) -> Iterator[None]:
    """Add to the cells one of those near that fits, until they are as many as wanted."""
    while len(cells) < wanted:
        fitting = [cell for cell in near() if cell not in cells and fits([*cells, cell])]
        if not fitting:
            return
        cells.append(rng.choice(fitting))
        yield


def _grow_line(
    cells: list[Cell], wanted: int, size: int, fits: Fits, rng: Random
) -> Iterator[None]:
    return _grown(cells, wanted, lambda: _around(cells[-1], size), fits, rng)


def _grow_cage(cells: list[Cell], wanted: int, size: int, fits: Fits, rng: Random) -> list[Cell]:
    def near() -> Iterable[Cell]:
        return dict.fromkeys(each for cell in cells for each in _sides(cell, size))

    for _ in _grown(cells, wanted, near, fits, rng):
        pass
    return cells


def _anywhere(_cells: list[Cell]) -> bool:
    return True


def _line(rng: Random, grid: Grid, least: int, most: int) -> tuple[Cell, ...]:
    """A line that does not meet itself."""
    wanted = rng.randint(least, most)
    cells: list[Cell] = []
    while len(cells) < least:
        cells = [rng.choice(grid.cells)]
        for _ in _grow_line(cells, wanted, grid.size, _anywhere, rng):
            pass
    return tuple(cells)


def _cage(rng: Random, grid: Grid, least: int, most: int) -> tuple[Cell, ...]:
    """Cells that are joined by their sides."""
    wanted = rng.randint(least, min(most, grid.size))
    return tuple(_grow_cage([rng.choice(grid.cells)], wanted, grid.size, _anywhere, rng))


def _some(rng: Random, grid: Grid, least: int, most: int) -> tuple[Cell, ...]:
    """Different cells anywhere."""
    return tuple(rng.sample(grid.cells, rng.randint(least, most)))


def _seen(rng: Random, grid: Grid) -> tuple[Cell, ...]:
    """A row or column, from one of its ends."""
    number, at = rng.randint(1, grid.size), rng.choice([0, 1])
    cells = tuple(cell for cell in grid.cells if cell[at] == number)
    return cells if rng.random() < 0.5 else cells[::-1]


def _added(grid: Grid, cells: Iterable[Cell]) -> int:
    return sum(grid[cell] for cell in cells)


# --- many rules -----------------------------------------------------------------------------


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
    free, cages = dict.fromkeys(solution.cells), dict[Cell, list[Cell]]()

    def fits(cage: list[Cell]) -> bool:
        return cage[-1] in free and len({solution[cell] for cell in cage}) == len(cage)

    starts = list(free)
    rng.shuffle(starts)
    for start in starts:
        if start not in free:
            continue
        wanted = rng.randint(2, min(LARGEST_CAGE, solution.size))
        cage = _grow_cage([start], wanted, solution.size, fits, rng)
        if len(cage) == 1:
            for cell in _sides(start, solution.size):
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
        growing = _grow_line(
            line, length, solution.size, lambda cells: cells[-1] in free and fits(cells), rng
        )
        for _ in growing:
            if complete and len(line) > 2 and complete(line):
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
    pairs = [
        pair for pair in _neighbours(solution) if fits(*sorted(solution[cell] for cell in pair))
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

# --- one rule: on a line ----------------------------------------------------------------------


def _thermometer(rng: Random, grid: Grid) -> Rule:
    cells = _line(rng, grid, 2, 4)
    up = grid[cells[0]] < grid[cells[-1]]
    return Thermometer(cells if up else cells[::-1], slow=rng.random() < 0.3)


def _whisper(rng: Random, grid: Grid) -> Rule:
    if rng.random() < 0.2:  # a loop
        one, two = _line(rng, grid, 2, 2)
        near = [cell for cell in _around(one, grid.size) if cell in _around(two, grid.size)]
        return Whispers((one, two, rng.choice(near), one), difference=1)
    return Whispers(_line(rng, grid, 2, 4), difference=rng.randint(1, grid.size // 2))


def _lockout_line(rng: Random, grid: Grid) -> Rule:
    return rules.LockoutLine(_line(rng, grid, 2, 4), difference=rng.randint(1, grid.size // 2))


def _modular_line(rng: Random, grid: Grid) -> Rule:
    return rules.ModularLine(_line(rng, grid, 2, 5), modulus=rng.randint(2, min(4, grid.size)))


# --- one rule: on pairs -----------------------------------------------------------------------


def _difference(rng: Random, grid: Grid) -> Rule:
    one, other = pair = rng.choice(_neighbours(grid))
    return Difference(pair, value=rng.choice([1, abs(grid[one] - grid[other])]))


def _ratio(rng: Random, grid: Grid) -> Rule:
    pair = rng.choice(_neighbours(grid))
    low, high = sorted(grid[cell] for cell in pair)
    return Ratio(pair, value=2 if high % low else high // low)


def _pair_sum(rng: Random, grid: Grid) -> Rule:
    pair = _some(rng, grid, 2, 2)
    return rules.PairSum(pair, value=max(2, _added(grid, pair) - (rng.random() < 0.2)))


def _greater(rng: Random, grid: Grid) -> Rule:
    cells = sorted(_line(rng, grid, 2, 4), key=lambda cell: -grid[cell])
    several = len({grid[cell] for cell in cells}) == len(cells)
    return rules.Greater(cells if several else cells[:2])


def _negative(rng: Random, grid: Grid) -> Rule:
    """All pairs with one of the relations are exempt, or nearly all."""
    differences = rng.sample(range(1, grid.size), rng.randint(0, 1))
    ratios = rng.sample([2, 3], rng.randint(0, 1))
    sums = [grid.size + 1] if rng.random() < 0.5 or not differences + ratios else []
    exempt = []
    for side in _neighbours(grid):
        low, high = sorted(grid[cell] for cell in side)
        related = high - low in differences or low + high in sums
        if related or any(high == ratio * low for ratio in ratios) or rng.random() < 0.1:
            exempt.append(side if rng.random() < 0.5 else side[::-1])
    if exempt and rng.random() < 0.3:
        exempt.pop(rng.randrange(len(exempt)))
    return rules.Negative(differences, ratios, sums, exempt)


def _pair_table(rng: Random, grid: Grid) -> Rule:
    pairs = list(pairwise(_line(rng, grid, 2, 4)))
    allowed = {(grid[one], grid[other]) for one, other in pairs[rng.random() < 0.2 :]}
    allowed |= {(rng.randint(1, grid.size), rng.randint(1, grid.size)) for _ in range(3)}
    return rules.PairTable(pairs, sorted(allowed))


def _clone(rng: Random, grid: Grid) -> Rule:
    while True:
        cells = _cage(rng, grid, 1, 2)
        down, right = rng.choice(grid.cells)
        copies = [Cell(row + down - 2, column + right - 2) for row, column in cells]
        if copies != list(cells) and all(cell in grid.cells for cell in copies):
            return rules.Clone(cells, copies)


def _extreme(rng: Random, grid: Grid, sign: int) -> tuple[Cell, ...]:
    """Cells that are less than their neighbours; greater if the sign is -1."""

    def order(cell: Cell) -> int:
        return sign * grid[cell]

    around = {cell: _sides(cell, grid.size) for cell in grid.cells}
    cells = [cell for cell in around if order(cell) < min(map(order, around[cell]))]
    cells = rng.sample(cells, min(len(cells), rng.randint(1, 3)))
    if rng.random() < 0.2 or not cells:
        cells.append(rng.choice(grid.cells))
    if rng.random() < 0.3:  # two neighbours
        cells.append(min(around[cells[0]], key=order))
    return tuple(dict.fromkeys(cells))


# --- one rule: with a sum ---------------------------------------------------------------------


def _killer_cage(rng: Random, grid: Grid) -> Rule:
    cells = _cage(rng, grid, 2, 4)
    n, size = grid.size, len(cells)
    total = _added(grid, cells) + rng.choice([0, 0, 0, 1])
    total = max(size * (size + 1) // 2, min(total, size * (2 * n - size + 1) // 2))
    if rng.random() < 0.2:  # a cell that counts twice
        return KillerCage((*cells, cells[0]), sum=total + grid[cells[0]])
    return KillerCage(cells, sum=rng.choice([None, total, total, total]))


def _total(rng: Random, grid: Grid) -> Rule:
    cells = _some(rng, grid, 2, 5)
    if rng.random() < 0.5:
        cells = (*cells, cells[0])
    if rng.random() < 0.5:
        return rules.Total(cells, _added(grid, cells))
    weights = [rng.choice([-2, -1, 1, 3]) for _ in cells]
    found = sum(grid[cell] * weight for cell, weight in zip(cells, weights, strict=True))
    return rules.Total(cells, found, weights)


def _arrow(rng: Random, grid: Grid) -> Rule:
    if rng.random() < 0.3:  # a pill
        pills = ((_line(rng, grid, 2, 2), _line(rng, grid, 5, 9)) for _ in range(50))
        for (one, other), arm in pills:
            if _added(grid, arm) == 10 * grid[one] + grid[other]:
                return Arrow((one, other), arm)
    cells = _line(rng, grid, 2, 4)
    return Arrow(cells[:1], cells[1:])


def _little_killer(rng: Random, grid: Grid) -> Rule:
    n = grid.size
    start, down = rng.randint(1, n), rng.choice([True, False])
    cells = [Cell(at + 1 if down else n - at, start + at) for at in range(n - start + 1)]
    return rules.LittleKiller(cells, _added(grid, cells))


def _sum_line(rng: Random, grid: Grid) -> Rule:
    cells, total = _line(rng, grid, 2, 6), rng.randint(grid.size, 2 * grid.size)
    loop = len(cells) > 2 and cells[-1] in _around(cells[0], grid.size)
    return rules.SumLine(cells, min(total, _added(grid, cells)), loop=loop)


def _rellik_cage(rng: Random, grid: Grid) -> Rule:
    return rules.RellikCage(_cage(rng, grid, 2, 4), rng.randint(3, 2 * grid.size))


# --- one rule: beside the grid ----------------------------------------------------------------


def _between(found: Sequence[int]) -> int:
    """The sum of the digits between the lowest and the highest."""
    first, last = sorted((found.index(min(found)), found.index(max(found))))
    return sum(found[first + 1 : last])


def _sandwich(rng: Random, grid: Grid) -> Rule:
    cells = _seen(rng, grid)
    return rules.Sandwich(cells, _between([grid[cell] for cell in cells]))


def _lunchbox(rng: Random, grid: Grid) -> Rule:
    cells = _cage(rng, grid, 2, 4)
    most = sum(range(max(2, grid.size - len(cells) + 2), grid.size))
    return rules.Lunchbox(cells, min(most, _between([grid[cell] for cell in cells])))


def _x_sum(rng: Random, grid: Grid) -> Rule:
    cells = _seen(rng, grid)
    if rng.random() < 0.3:
        cells = cells[:-1]
    return rules.XSum(cells, _added(grid, cells[: grid[cells[0]]]))


def _skyscraper(rng: Random, grid: Grid) -> Rule:
    cells = _seen(rng, grid)
    return rules.Skyscraper(cells, len(set(accumulate((grid[cell] for cell in cells), max))))


def _hidden_skyscraper(rng: Random, grid: Grid) -> Rule:
    cells = _seen(rng, grid)
    found = [grid[cell] for cell in cells]
    hidden = [digit for at, digit in enumerate(found) if at and digit < max(found[:at])]
    return rules.HiddenSkyscraper(cells, (hidden or [1])[0])


# --- one rule: on a set of cells, or with numbers of digits -----------------------------------


def _different(rng: Random, grid: Grid) -> Rule:
    if rng.random() < 0.3:  # as many cells as digits
        order = rng.sample(range(grid.size), grid.size)
        return rules.Different([(row + 1, column + 1) for row, column in enumerate(order)])
    return rules.Different(_some(rng, grid, 2, 3))


def _same_values(rng: Random, grid: Grid) -> Rule:
    """Often cells that hold the same digits in this grid."""
    first = _some(rng, grid, 2, 4)
    groups = [first]
    for _ in range(rng.randint(1, 2)):
        group: list[Cell] = []
        for cell in first:
            same = [other for other in grid.cells if grid[other] == grid[cell]]
            others = same if rng.random() < 0.9 else grid.cells
            group.append(rng.choice([other for other in others if other not in group]))
        rng.shuffle(group)
        groups.append(tuple(group))
    return rules.SameValues(groups)


def _contains(rng: Random, grid: Grid) -> Rule:
    cells = _some(rng, grid, 2, 5)
    digits = [grid[cell] for cell in cells]
    if rng.random() < 0.3:
        digits[0] = rng.randint(1, grid.size)
    exactly = rng.random() < 0.4
    number = len(digits) if exactly else rng.randint(1, len(digits))
    return rules.Contains(cells, rng.sample(digits, number), exactly=exactly)


def _index(rng: Random, grid: Grid) -> Rule:
    control = rng.choice(grid.cells)
    size = max(grid[control], rng.randint(2, grid.size))
    cells = _some(rng, grid, size, size)
    right = grid[cells[grid[control] - 1]]
    return rules.Index([control], cells, rng.choice([right, right, rng.randint(1, grid.size)]))


def _counting_circles(rng: Random, grid: Grid) -> Rule:
    """Often all cells of some digits, or as many of them as the digit says."""
    cells: list[Cell] = []
    for digit in rng.sample(range(1, min(grid.size, 4) + 1), rng.randint(1, 2)):
        places = [cell for cell in grid.cells if grid[cell] == digit]
        cells += rng.sample(places, min(len(places), digit))
    if rng.random() < 0.2:
        cells.append(rng.choice([cell for cell in grid.cells if cell not in cells]))
    return rules.CountingCircles(rng.sample(cells, len(cells)))


def _look_and_say(rng: Random, grid: Grid) -> Rule:
    cells = _some(rng, grid, 3, 7)
    found = Counter(grid[cell] for cell in cells)
    digits = rng.sample(range(1, grid.size + 1), rng.randint(1, 2))
    counts = [found[digit] for digit in digits]
    if rng.random() < 0.2:
        counts[0] = rng.randint(0, 1)
    return rules.LookAndSay(cells, digits, counts)


def _count_different(rng: Random, grid: Grid) -> Rule:
    cells = _some(rng, grid, 2, 6)
    number = len({grid[cell] for cell in cells})
    right = [cell for cell in grid.cells if grid[cell] == number]
    control = rng.choice(right if rng.random() < 0.8 else grid.cells)
    return rules.CountDifferent([control], cells)


def _any_of(rng: Random, grid: Grid) -> Rule:
    """Options of one or two rules, or an any-of within."""

    def simple() -> Rule:
        kinds = ["thermometer", "killer_cage", "contains", "anti_knight", "index", "different"]
        return _drawn(rng.choice(kinds), rng, grid)

    options = [
        [simple() for _ in range(rng.choice([1, 2, 2]))] for _ in range(rng.choice([1, 2, 2]))
    ]
    if rng.random() < 0.2:
        options.append([rules.AnyOf([[simple()], [simple()]])])
    return rules.AnyOf(options)


DRAWN: dict[str, Maker] = {
    "thermometer": _thermometer,
    "whispers": _whisper,
    "renban": lambda rng, grid: rules.Renban(_line(rng, grid, 2, 4)),
    "nabner": lambda rng, grid: rules.Nabner(_line(rng, grid, 2, (grid.size + 1) // 2)),
    "palindrome": lambda rng, grid: rules.Palindrome(_line(rng, grid, rng.randint(2, 3), 5)),
    "between_line": lambda rng, grid: rules.BetweenLine(_line(rng, grid, 3, 5)),
    "lockout_line": _lockout_line,
    "modular_line": _modular_line,
    "difference": _difference,
    "ratio": _ratio,
    "pair_sum": _pair_sum,
    "greater": _greater,
    "negative": _negative,
    "pair_table": _pair_table,
    "clone": _clone,
    "minimum": lambda rng, grid: rules.Minimum(_extreme(rng, grid, 1)),
    "maximum": lambda rng, grid: rules.Maximum(_extreme(rng, grid, -1)),
    "killer_cage": _killer_cage,
    "total": _total,
    "arrow": _arrow,
    "little_killer": _little_killer,
    "region_sum_line": lambda rng, grid: rules.RegionSumLine(_line(rng, grid, 3, 6)),
    "sum_line": _sum_line,
    "rellik_cage": _rellik_cage,
    "sandwich": _sandwich,
    "lunchbox": _lunchbox,
    "x_sum": _x_sum,
    "skyscraper": _skyscraper,
    "hidden_skyscraper": _hidden_skyscraper,
    "different": _different,
    "same_values": _same_values,
    "contains": _contains,
    "index": _index,
    "counting_circles": _counting_circles,
    "look_and_say": _look_and_say,
    "count_different": _count_different,
    "any_of": _any_of,
}
"""What draws one rule, by the name of its kind; usually, but not always, the grid obeys it. Other
kinds are drawn from their fields alone."""


def _drawn(kind: str, rng: Random, grid: Grid) -> Rule:
    made = KINDS[kind]
    if kind in DRAWN:
        return DRAWN[kind](rng, grid)
    cells = _line if made.line else _some
    return made(
        **{
            name: cells(rng, grid, made.least, 5)
            if field is FIELDS[Cells]
            else rng.randint(1, 2 * grid.size)
            for name, field in made.types.items()
            if name not in made.defaults
        }
    )
