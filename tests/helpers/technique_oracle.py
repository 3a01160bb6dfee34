"""Techniques in plain Python, each looked for in its own way: the oracle of their programs.

A position is a dict from cells to sets of digits, the candidates of every open cell, by row and
column from 1. Every function yields the sets of candidates (cell, digit) that its technique
removes, or the one that it places; nothing, or an empty set, means that there is no step.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, permutations, product

from helpers.jigsaws import KEEP, REGIONS, jigsaw
from helpers.oracle import all_solutions, full_grid
from pylogic_sudoku import Grid, Placement, Puzzle
from pylogic_sudoku.rules import Different, KillerCage

Board = Grid | Puzzle
Cell = tuple[int, int]
Position = dict[Cell, set[int]]
Mark = tuple[int, int, int]
Gone = frozenset[Mark]

LINES, AREAS = ["row", "column"], ["box", "region"]
SETS = {"pair": 2, "triple": 3, "quad": 4}
FISH = {"X-wing": 2, "swordfish": 3, "jellyfish": 4}


def by_cell(left: Iterable[Mark]) -> Position:
    """The candidates of each cell."""
    marks: Position = defaultdict(set)
    for x, y, digit in left:
        marks[x, y].add(digit)
    return dict(marks)


def what(step) -> Mark | Gone:
    """The effect of a step, in the form that the functions here use."""
    return step.placed or frozenset(step.removed)


def digits(grid: Board) -> range:
    return range(1, grid.size + 1)


def houses(grid: Board, *kinds: str) -> list[list[Cell]]:
    return [[*house.cells] for house in grid.houses if not kinds or house.kind in kinds]


def different(grid: Board, full: bool = False) -> list[list[Cell]]:
    """The sets of different cells beside the houses; only those that hold every digit."""
    rules = [rule for rule in grid.layout.rules if isinstance(rule, Different | KillerCage)]
    return [[*rule.cells] for rule in rules if len(rule.cells) == grid.size or not full]


def peers(grid: Board) -> dict[Cell, set[Cell]]:
    """The cells that each cell sees."""
    of: dict[Cell, set[Cell]] = defaultdict(set)
    for house in houses(grid):
        for cell in house:
            of[cell] |= {*house} - {cell}
    return of


def spots(marks: Position, house: Iterable[Cell], digit: int) -> set[Cell]:
    return {cell for cell in house if digit in marks.get(cell, ())}


def removed(marks: Position, cells: Iterable[Cell], digits: Iterable[int]) -> Gone:
    return frozenset((*cell, d) for d in digits for cell in spots(marks, cells, d))


# --- singles and locked candidates ----------------------------------------------------------------


def full_house(grid: Board, marks: Position) -> Iterator[Mark]:
    for house in houses(grid):
        empty = [cell for cell in house if cell in marks]
        if len(empty) == 1:
            held = {grid[cell] for cell in house}
            yield (*empty[0], *({*digits(grid)} - held))


def naked_single(grid: Board, marks: Position) -> Iterator[Mark]:
    for cell, held in marks.items():
        if len(held) == 1:
            yield (*cell, min(held))


def hidden_single(grid: Board, marks: Position) -> Iterator[Mark]:
    several = [cells for cells in houses(grid) if sum(cell in marks for cell in cells) != 1]
    for cells, digit in product([*several, *different(grid, full=True)], digits(grid)):
        if len(where := spots(marks, cells, digit)) == 1:
            yield (*where.pop(), digit)


def locked(
    grid: Board, marks: Position, inside: list[list[Cell]], other: list[list[Cell]]
) -> Iterator[Gone]:
    for one, two, digit in product(inside, other, digits(grid)):
        where = spots(marks, one, digit)
        if where and where <= {*two}:
            yield removed(marks, {*two} - {*one}, [digit])


def pointing(grid: Board, marks: Position) -> Iterator[Gone]:
    yield from locked(grid, marks, houses(grid, *AREAS), houses(grid, *LINES))
    yield from locked(grid, marks, houses(grid), different(grid))


def claiming(grid: Board, marks: Position) -> Iterator[Gone]:
    yield from locked(grid, marks, houses(grid, *LINES), houses(grid, *AREAS))
    yield from locked(grid, marks, different(grid, full=True), houses(grid))


# --- sets of cells --------------------------------------------------------------------------------


def naked(number: int):
    def find(grid: Board, marks: Position) -> Iterator[Gone]:
        for house in [*houses(grid), *different(grid)]:
            cells = [cell for cell in house if len(marks.get(cell, ())) in range(1, number + 1)]
            for chosen in combinations(cells, number):
                held = set().union(*(marks[cell] for cell in chosen))
                if len(held) == number:
                    yield removed(marks, {*house} - {*chosen}, held)

    return find


def hidden(number: int):
    def find(grid: Board, marks: Position) -> Iterator[Gone]:
        for house in [*houses(grid), *different(grid, full=True)]:
            at = {d: spots(marks, house, d) for d in digits(grid)}
            for chosen in combinations([d for d in at if 1 <= len(at[d]) <= number], number):
                cells = set().union(*(at[d] for d in chosen))
                if len(cells) == number:
                    yield removed(marks, cells, {*digits(grid)} - {*chosen})

    return find


def locked_set(number: int):
    """Cells of one line and one box with as many digits, which go from both houses."""

    def find(grid: Board, marks: Position) -> Iterator[Gone]:
        for line, area in product(houses(grid, *LINES), houses(grid, *AREAS)):
            for cells in combinations(sorted({*line} & {*area} & marks.keys()), number):
                held = set().union(*(marks[cell] for cell in cells))
                in_area = removed(marks, {*area} - {*cells}, held)
                in_line = removed(marks, {*line} - {*area}, held)
                if len(held) == number and in_area and in_line:
                    yield in_area | in_line

    return find


def combinations_of_cages(grid: Board, marks: Position) -> Iterator[Gone]:
    """Candidates that no filling of a cage has, with the right sum and no digit twice."""
    for rule in grid.layout.rules:
        if isinstance(rule, KillerCage):
            held = [marks.get(cell, {grid[cell]}) for cell in rule.cells]
            ways = [w for w in product(*held) if sum(w) == rule.sum and len({*w}) == len(w)]
            gone: Gone = frozenset()
            for cell, kept in zip(rule.cells, zip(*ways, strict=True), strict=True):
                gone |= removed(marks, [cell], {*digits(grid)} - {*kept})
            yield gone


# --- fish -----------------------------------------------------------------------------------------


def fish(fins: str, number: int):
    """Fish by counting: rows against columns, or columns against rows, for one digit."""

    def find(grid: Board, marks: Position) -> Iterator[Gone]:
        sees = peers(grid)
        for digit, kinds in product(digits(grid), permutations(LINES)):
            lines, across = (
                [where for house in houses(grid, kind) if (where := spots(marks, house, digit))]
                for kind in kinds
            )
            for gone in of_one_digit(lines, across, sees, fins, number):
                yield removed(marks, gone, [digit])

    return find


def of_one_digit(
    lines: list[set[Cell]],
    across: list[set[Cell]],
    sees: dict[Cell, set[Cell]],
    fins: str,
    number: int,
) -> Iterator[set[Cell]]:
    for base in combinations(lines, number):
        based = set().union(*base)
        for cover in combinations([each for each in across if each & based], number):
            covered = set().union(*cover)
            spoiling = based - covered
            left = [len(where - spoiling) for where in base]
            sort = "" if not spoiling else "sashimi" if min(left) == 1 else "finned"
            if min(left) and fins == sort:
                yield {cell for cell in covered - based if spoiling <= sees[cell]}


# --- two strong links, wings ----------------------------------------------------------------------


def pairs(grid: Board, marks: Position, digit: int, *kinds: str) -> list[tuple[str, list[Cell]]]:
    """The houses with two places for the digit, by their kind."""
    found = []
    for kind in kinds or (*LINES, *AREAS):
        for house in houses(grid, kind):
            if len(where := spots(marks, house, digit)) == 2:
                found.append((kind, sorted(where)))
    return found


def two_links(grid: Board, marks: Position):
    """Two strong links, each as its kind, its end and where it touches; and what goes."""
    see = peers(grid)
    for digit in digits(grid):
        for (kind, one), (other, two) in combinations(pairs(grid, marks, digit), 2):
            for (p, q), (s, r) in product(permutations(one), permutations(two)):
                if len({p, q, r, s}) == 4 and r in see[q]:
                    yield (kind, p, q), (other, s, r), removed(marks, see[p] & see[s], [digit])


def turbot_fish(grid: Board, marks: Position) -> Iterator[Gone]:
    yield from (gone for *_, gone in two_links(grid, marks))


def skyscraper(grid: Board, marks: Position) -> Iterator[Gone]:
    for (kind, p, q), (other, s, r), gone in two_links(grid, marks):
        across = 1 if kind == "row" else 0  # what a skyscraper's feet have in common
        parallel = kind == other and kind in LINES
        if parallel and q[across] == r[across] and p[across] != s[across]:
            yield gone


def kite(grid: Board, marks: Position) -> Iterator[Gone]:
    for (kind, _, q), (other, _, r), gone in two_links(grid, marks):
        touch = any({q, r} <= {*area} for area in houses(grid, *AREAS))
        if touch and {kind, other} == {*LINES}:
            yield gone


def empty_rectangle(grid: Board, marks: Position) -> Iterator[Gone]:
    see = peers(grid)
    for digit, area in product(digits(grid), houses(grid, *AREAS)):
        where = spots(marks, area, digit)
        for x, y in product({x for x, _ in where}, {y for _, y in where}):
            row, column = {c for c in where if c[0] == x}, {c for c in where if c[1] == y}
            if row | column != where or not row - column or not column - row:
                continue
            for along, arm, across in ((0, x, y), (1, y, x)):
                for _, two in pairs(grid, marks, digit, LINES[1 - along]):
                    for near, far in permutations(two):
                        if near[along] == arm and near[1 - along] != across and near not in area:
                            cells = {c for c in see[far] if c[1 - along] == across} - {*area}
                            yield removed(marks, cells, [digit])


def w_wing(grid: Board, marks: Position) -> Iterator[Gone]:
    see = peers(grid)
    two = [cell for cell in marks if len(marks[cell]) == 2]
    for one, other in combinations(two, 2):
        if marks[one] != marks[other]:
            continue
        for linked in marks[one]:
            for _, ends in pairs(grid, marks, linked):
                for near, far in permutations(ends):
                    if near in see[one] and far in see[other] and not {one, other} & {near, far}:
                        yield removed(marks, see[one] & see[other], marks[one] - {linked})


def wing(number: int):
    """XY-wing or XYZ-wing, by how many candidates the pivot has."""

    def find(grid: Board, marks: Position) -> Iterator[Gone]:
        see = peers(grid)
        for pivot in (cell for cell in marks if len(marks[cell]) == number):
            near = [cell for cell in see[pivot] if len(marks.get(cell, ())) == 2]
            for one, other in combinations(near, 2):
                common = marks[one] & marks[other]
                if len(common) == 1 and marks[one] | marks[other] == marks[pivot] | common:
                    seen = see[one] & see[other]
                    yield removed(marks, seen & see[pivot] if number == 3 else seen, common)

    return find


# --- colours --------------------------------------------------------------------------------------


def components(grid: Board, marks: Position, digit: int) -> list[list[set[Cell]]]:
    """The two colours of each component of strong links."""
    colour: dict[Cell, tuple[int, int]] = {}
    links = [two for _, two in pairs(grid, marks, digit)]
    for number, start in enumerate(sorted({cell for two in links for cell in two})):
        new = [] if start in colour else [(start, 0)]
        while new:
            cell, side = new.pop()
            if cell not in colour:
                colour[cell] = number, side
                for two in links:
                    new += [(other, 1 - side) for other in two if cell in two and other != cell]
    return [
        [{cell for cell in colour if colour[cell] == (number, side)} for side in (0, 1)]
        for number in sorted({number for number, _ in colour.values()})
    ]


def simple_colours(grid: Board, marks: Position) -> Iterator[Gone]:
    see = peers(grid)
    for digit in digits(grid):
        for one, other in components(grid, marks, digit):
            outside = {c for c in marks if see[c] & one and see[c] & other} - one - other
            yield removed(marks, outside, [digit])
            for colour in (one, other):
                if any(see[cell] & colour for cell in colour):
                    yield removed(marks, colour, [digit])


def multi_colours(grid: Board, marks: Position) -> Iterator[Gone]:
    see = peers(grid)

    def meet(one: set[Cell], other: set[Cell]) -> bool:
        return any(see[cell] & other for cell in one)

    for digit in digits(grid):
        for one, other in permutations(components(grid, marks, digit), 2):
            for (a, b), (c, d) in product(permutations(one), permutations(other)):
                if meet(a, c):
                    cells = {cell for cell in marks if see[cell] & b and see[cell] & d}
                    yield removed(marks, cells, [digit])
                    if meet(a, d):
                        yield removed(marks, a, [digit])


# --- two almost locked sets -----------------------------------------------------------------------


def als_xz(grid: Board, marks: Position) -> Iterator[Gone]:
    """With sets of cells and no lists of links."""
    see = peers(grid)
    held: dict[frozenset[Cell], set[int]] = {}
    largest = grid.size - 1 if grid.size <= 9 else 4
    for house, size in product(houses(grid), range(1, largest + 1)):
        for cells in combinations([cell for cell in house if cell in marks], size):
            found = set().union(*(marks[cell] for cell in cells))
            if len(found) == size + 1:
                held[frozenset(cells)] = found

    def seeing(cells: Iterable[Cell], digit: int) -> Gone:
        """The candidates of the digit that see all of it in these cells."""
        of_digit = spots(marks, cells, digit)
        return removed(marks, (cell for cell in marks if of_digit <= see[cell]), [digit])

    for one, other in combinations(held, 2):
        both = held[one] & held[other]
        restricted = {
            digit
            for digit in both
            if all(spots(marks, other, digit) <= see[cell] for cell in spots(marks, one, digit))
        }
        if not restricted:
            continue
        twice = len(restricted) > 1
        gone = set().union(
            *(seeing(one | other, d) for d in (both if twice else both - restricted))
        )
        for each in (one, other) if twice else ():
            for digit in held[each] - restricted:
                gone |= {mark for mark in seeing(each, digit) if mark[:2] not in one | other}
        yield frozenset(gone)


TECHNIQUES = {
    "full house": full_house,
    "naked single": naked_single,
    "hidden single": hidden_single,
    "locked pair": locked_set(2),
    "locked triple": locked_set(3),
    "pointing": pointing,
    "claiming": claiming,
    "cage combinations": combinations_of_cages,
    **{f"naked {name}": naked(size) for name, size in SETS.items()},
    **{f"hidden {name}": hidden(size) for name, size in SETS.items()},
    "skyscraper": skyscraper,
    "2-string kite": kite,
    "turbot fish": turbot_fish,
    "empty rectangle": empty_rectangle,
    "W-wing": w_wing,
    "XY-wing": wing(2),
    "XYZ-wing": wing(3),
    **{
        f"{fins} {name}".strip(): fish(fins, size)
        for fins, (name, size) in product(("", "finned", "sashimi"), FISH.items())
    },
    "simple colours": simple_colours,
    "multi-colours": multi_colours,
    "ALS-XZ": als_xz,
}
"""By name, but for chains."""

# --- chains: every simple path of a few strong links, found by walking ----------------------------

Node = frozenset[Mark]
"""Candidates of which one holds."""


class Links:
    """The links between nodes, and which candidates clash."""

    def __init__(self, grid: Board, marks: Position, groups: bool = False) -> None:
        self.grid, self.marks = grid, marks
        self.all = {(*cell, digit) for cell, digits in marks.items() for digit in digits}
        self._peers = peers(grid)
        self.nodes = {frozenset([mark]) for mark in self.all}
        self.nodes |= self._groups() if groups else set()
        self.strong: dict[Node, set[Node]] = defaultdict(set)
        for rule in self._truths():
            for node in self.nodes:
                if node < rule and rule - node in self.nodes:
                    self.strong[node].add(rule - node)
        self._ways: dict[Node, dict[tuple[Node, bool], int]] = {}
        self.weak = {
            node: {other for other in self.strong if self.clash(node, other)}
            for node in self.strong
        }

    def _truths(self) -> set[Node]:
        cells = [frozenset(mark for mark in self.all if mark[:2] == cell) for cell in self.marks]
        return {*cells, *(where for house in houses(self.grid) for where in self._digits(house))}

    def _digits(self, cells) -> list[Node]:
        """The candidates in these cells, digit by digit."""
        return [removed(self.marks, cells, [digit]) for digit in digits(self.grid)]

    def _groups(self) -> set[Node]:
        full = defaultdict(set)
        for line, area in product(houses(self.grid, *LINES), enumerate(houses(self.grid, *AREAS))):
            for node in self._digits(set(line) & set(area[1])):
                if len(node) > 1:
                    full[area[0]].add(node)
        less = {
            one - other
            for nodes in full.values()
            for one, other in product(nodes, nodes)
            if len(one & other) == 1 and len(one) > 2
        }
        return less.union(*full.values())

    def clash(self, one: Node, other: Node) -> bool:
        """If one holds, the other does not."""
        return all(self.clashing(a, b) for a in one for b in other)

    def clashing(self, one: Mark, other: Mark) -> bool:
        if one[:2] == other[:2]:
            return one[2] != other[2]
        return one[2] == other[2] and other[:2] in self._peers[one[:2]]

    def common(self, one: Node, other: Node) -> Gone:
        """The candidates that clash with both."""
        return frozenset(
            mark
            for mark in self.all - one - other
            if self.clash(frozenset([mark]), one) and self.clash(frozenset([mark]), other)
        )

    def paths(self, most: int) -> Iterator[list[Node]]:
        """Chains that begin and end with a strong link, without repetition."""

        def longer(path: list[Node]) -> Iterator[list[Node]]:
            held = frozenset().union(*path)
            for on in self.strong[path[-1]]:
                if on & held:
                    continue
                now = [*path, on]
                if len(now) >= 4:
                    yield now
                if len(now) < 2 * most:
                    for off in self.weak[on]:
                        if not off & (held | on):
                            yield from longer([*now, off])

        for start in list(self.strong):
            yield from longer([start])

    def direct(self, path: list[Node]) -> bool:
        """True if no way from the first node, on which others may be twice, is shorter."""
        start = path[0]
        if start not in self._ways:
            ways = self._ways[start] = {(start, False): 0}
            for node, on in (queue := [(start, False)]):
                for after in self.weak[node] if on else self.strong[node]:
                    if after != start and (after, not on) not in ways:
                        ways[after, not on] = ways[node, on] + 1
                        queue.append((after, not on))
        ways = self._ways[start]
        return all(ways[node, bool(i % 2)] == i for i, node in enumerate(path))


def x_chain(grid: Board, marks: Position, most: int) -> Iterator[Gone]:
    links = Links(grid, marks)
    for path in links.paths(most):
        if len({mark[2] for node in path for mark in node}) == 1:
            yield links.common(path[0], path[-1])


def xy_chain(grid: Board, marks: Position, most: int) -> Iterator[Gone]:
    links = Links(grid, marks)
    for path in links.paths(most):
        nodes = [mark for (mark,) in path]
        in_cells = all(a[:2] == b[:2] for a, b in [*pairwise(nodes)][::2])
        between = all(a[2] == b[2] for a, b in [*pairwise(nodes)][1::2])
        if len(path) >= 6 and in_cells and between and nodes[0][2] == nodes[-1][2]:
            yield links.common(path[0], path[-1])


def aic(groups: bool):
    """AICs; if there may be groups and are any, only those that have one."""

    def find(grid: Board, marks: Position, most: int) -> Iterator[Gone]:
        links = Links(grid, marks, groups)
        least = min(2, max(map(len, links.nodes)))
        for path in links.paths(most):
            if max(map(len, path)) >= least and links.direct(path):
                yield links.common(path[0], path[-1])

    return find


CHAINS = {"x_chain": x_chain, "xy_chain": xy_chain, "aic": aic(False), "grouped_aic": aic(True)}
"""By key, each with at most this number of strong links."""


# --- random positions -----------------------------------------------------------------------------


def solved(shape: tuple[int, int] | int, seed: int) -> tuple[Grid, str | None]:
    """A full grid with boxes, or of a jigsaw of this size and its regions."""
    if isinstance(shape, int):
        return next(all_solutions(jigsaw(shape, KEEP[shape], seed % 100))), REGIONS[shape]
    return full_grid(shape, seed), None


def random_position(
    shape: tuple[int, int] | int, seed: int, share: int, extra: int, sets: bool = False
) -> tuple[Puzzle, frozenset[Placement]]:
    """Some cells of a full grid, and for the others their digit and some of those that fit.

    A shape is that of a box, or the size of a jigsaw. In a hundred, `share` cells are filled, and
    `extra` digits that fit are candidates. With `sets`, there is a set of different cells with
    every digit, and a cage with all but two.
    """
    solution, regions = solved(shape, seed)
    rng = random.Random(seed)
    kept = rng.sample(solution.cells, len(solution.cells) * share // 100)
    puzzle = Puzzle(
        solution.without(*{*solution.cells} - {*kept}),
        regions=regions,
        rules=random_sets(solution, random.Random(seed)) if sets else [],
    )
    together = [*houses(puzzle), *different(puzzle)]
    taken = {(cell, puzzle[other]) for cells in together for cell in cells for other in cells}
    left = {
        Placement(*cell, digit)
        for cell in puzzle.cells
        if cell not in kept
        for digit in digits(puzzle)
        if digit == solution[cell] or ((cell, digit) not in taken and rng.randrange(100) < extra)
    }
    return puzzle, frozenset(left)


def random_sets(solution: Grid, rng: random.Random) -> list[Different | KillerCage]:
    by_digit = [[cell for cell in solution.cells if solution[cell] == d] for d in digits(solution)]
    full, part = ([rng.choice(cells) for cells in by_digit] for _ in range(2))
    part = rng.sample(part, solution.size - 2)
    return [Different(full), KillerCage(part, sum=sum(solution[cell] for cell in part))]


def few_digits(
    shape: tuple[int, int] | int, seed: int, number: int, extra: int
) -> tuple[Puzzle, frozenset[Placement]]:
    """A full grid without its lowest digits, and in their cells their digit and others of these.

    There are this many. In a hundred, `extra` of the others are candidates. With two digits, nearly
    all pairs are equal.
    """
    solution, regions = solved(shape, seed)
    rng = random.Random(seed)
    left = {
        Placement(*cell, digit)
        for cell in solution.cells
        if solution[cell] <= number
        for digit in range(1, number + 1)
        if digit == solution[cell] or rng.randrange(100) < extra
    }
    cells = {placement.cell for placement in left}
    return Puzzle(solution.without(*cells), regions=regions), frozenset(left)
