"""One puzzle to order, by `make`: full grids are dug until a puzzle is what was asked for.

A random full grid is filled, and givens are removed from it as long as the solution stays unique,
which clingo says. If the puzzle should have a level, it is judged, and givens are put back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial, reduce
from itertools import combinations, permutations
from operator import or_
from random import Random
from typing import NamedTuple

from ..engines import able
from ..engines.clingo.program import (
    LayoutProgram,
    Session,
    Unfinished,
    grounded,
    placement_of,
    with_rules,
)
from ..engines.running import Budget, Progress, Shelf, Workers
from ..errors import (
    Disagreement,
    NoSolution,
    NotGenerated,
    SolveTimeout,
    counted,
)
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Layout, Placement
from ..techniques import steps
from ..techniques.table import LEVELS, TECHNIQUES
from .request import Made, Request, groups
from .rules import lay

COMMON_REASONS = 3
"""How many reasons an error names why puzzles did not meet the request."""


def make(request: Request, number: int, progress: Progress | None = None) -> Made:
    """The puzzle of that number, which depends on this and the request alone.

    NotGenerated, which says what was tried, if there is none within the bounds of the request.
    """
    random = Random(f"{request.seed}/{number}")
    budget = Budget("clingo", request.timeout, progress)
    tried, reasons = 0, Counter[str]()

    def failed(limit: str) -> NotGenerated:
        some = [f"{number} {reason}" for reason, number in reasons.most_common(COMMON_REASONS)]
        why = f" ({', '.join(some)})" if some else ""
        return NotGenerated(
            f"no puzzle meets the request: {counted(tried, 'puzzle')} tried within {limit}{why}"
        )

    try:
        while request.tries is None or tried < request.tries:
            tried += 1
            budget.turn_to("removing givens", f"from full grid {tried}")
            full = request.solution or budget.spend(partial(full_grid, request.layout, random))
            now = request.with_rules(lay(request.kinds, full, random))
            found = _dig(now, full, random, budget)
            if not isinstance(found, str):
                _certify(request, found, budget)
                return Made(found, tried)
            reasons[found] += 1
    except SolveTimeout as error:
        doing = f", the last while {error.doing}" if error.doing else ""
        raise failed(f"the limit of {request.timeout:g} s{doing}") from None
    raise failed("the limit of tries")


def _dig(request: Request, full: Grid, random: Random, budget: Budget) -> Grid | Puzzle | str:
    """What was asked for, made from a full grid; if that is not possible, why, in words."""
    known = unavoidable_sets(full.digits, request.layout)
    order = list(groups(full.size, request.symmetry))
    random.shuffle(order)
    enough = _enough(request, random)
    session = Session(_workers, budget)
    with session.lent(_idle[request.layout], lambda: _Program(request.layout)) as program:

        def another(kept: int) -> int:
            return session.ask(program.control, lambda: program.another(full.digits, kept))

        def inside() -> tuple[int, int]:
            kept = only = dig(order, enough, known, another)
            if request.minimal and request.symmetry:
                single = [1 << cell for cell in range(len(full.digits)) if kept >> cell & 1]
                only = dig(single, 0, known, another)
            return kept, only

        kept, only = session.run(inside)
    least, most = request.givens or (0, len(full.digits))
    number = kept.bit_count()
    if number > most or (number < least and request.minimal):
        return f"with {number} givens"
    if only != kept:
        return "with a given that is not needed"
    if request.level:
        # The last that was removed comes back first.
        back = [] if request.minimal else [each for each in reversed(order) if not each & kept]
        return _as_hard(request, full, kept, back, budget)
    return _puzzle(request, full, kept)


def _enough(request: Request, random: Random) -> int:
    """The number of givens at which digging stops.

    A puzzle that is to be hard is dug as far as possible; an easy one gets some givens back.
    With rules that were laid, it is dug as far as possible too, as the rules are its clues.
    """
    if request.minimal or request.level or (request.kinds and not request.givens):
        return 0
    return random.randint(*request.givens) if request.givens else -(-len(request.layout.cells) // 3)


def _as_hard(
    request: Request, full: Grid, kept: int, back: Iterable[int], budget: Budget
) -> Grid | Puzzle | str:
    """The puzzle, with as many groups put back as make it as hard as it should be, or why not."""
    wanted = RANKS[str(request.level)]
    # Without a wish, a few givens more than digging leaves.
    least, most = request.givens or (0, max(kept.bit_count(), len(full.digits) * 4 // 9))
    first = harder = None
    budget.turn_to("rating what is left")
    for group in (0, *back):  # more givens make a puzzle easier, or nearly always
        more = kept | group
        if more.bit_count() > most or (harder and not group & harder.open):
            continue
        if more.bit_count() < least:
            kept = more
            continue
        puzzle = _puzzle(request, full, more)
        found = judge(wanted, puzzle, budget)
        if found.rank == wanted:
            return puzzle
        first = first or found
        if found.rank > wanted:
            kept, harder = more, found
        elif not harder:  # too easy from the beginning
            break
    if not first:
        return "whose pattern cannot have that number of givens"
    return [*LEVELS][first.rank] if first.rank < wanted else f"harder than {request.level}"


def _puzzle(request: Request, full: Grid, kept: int) -> Grid | Puzzle:
    digits = (digit if kept >> cell & 1 else 0 for cell, digit in enumerate(full.digits))
    grid = Grid(tuple(digits), full.box)
    if isinstance(request.empty, Grid):
        return grid
    return Puzzle(grid, request.empty.regions, rules=request.empty.rules)


def _certify(request: Request, puzzle: Grid | Puzzle, budget: Budget) -> None:
    """Disagreement unless the engines that were asked for find one solution too.

    Digging has asked clingo already.
    """
    engines = [request.backend, *(("clingo", "prolog") if request.certify else ())]
    counts = {"making": "1 solution"}
    for backend in dict.fromkeys(engines) if engines != ["clingo"] else ():
        engine = able(backend, puzzle)
        budget.turn_to("confirming that there is one solution", f"by {engine.name}")
        number = budget.spend(partial(engine.count, puzzle, 2))
        counts[engine.name] = counted(number, "solution") if number < 2 else "several solutions"
    if len(set(counts.values())) > 1:
        raise Disagreement(puzzle, counts)


# --- whether a puzzle is as hard as it was asked to be -------------------------------------

RANKS = {level: rank for rank, level in enumerate(LEVELS)}
LIMITS = list(LEVELS.values())
HARDEST = [
    [key for key, technique in TECHNIQUES.items() if RANKS[technique.level] <= rank][-1]
    for rank in range(len(LEVELS))
]
"""For each level, the last technique in the table that is not harder."""
HARD = RANKS["hard"]


class Hardness(NamedTuple):
    """How hard a puzzle is, up to what was asked for."""

    rank: int
    """Of its level; if it is harder than it should be, of some level above that."""
    open: int
    """The cells in which a given could make it easier."""


def judge(wanted: int, puzzle: Grid | Puzzle, budget: Budget) -> Hardness:
    """How hard the puzzle is beside a level of this rank. A first look nearly always tells."""
    open_cells = -1
    if not puzzle.layout.rules:
        open_cells, least = left_open(puzzle.layout, puzzle.givens, 1), 0
        if open_cells and wanted:
            open_cells, least = left_open(puzzle.layout, puzzle.givens, 3), 1
        least = HARD if open_cells else least
        if not min(wanted, HARD) <= least <= wanted:
            return Hardness(least, open_cells)
    rank = budget.spend(lambda left: _by_steps(wanted, puzzle, left))
    return Hardness(rank, open_cells)


def _by_steps(wanted: int, puzzle: Grid | Puzzle, left: float | None) -> int:
    """Its level as of `rate`, but the way ends where the puzzle turns out to be too hard."""
    way = steps(puzzle, left)
    way.up_to(HARDEST[wanted])
    number = level = 0
    for step in way:
        number += step.weight
        level = max(level, RANKS[step.level])
        while number > LIMITS[level]:
            level += 1
        if level > wanted:
            break
    return level


# --- a first look: what singles, locked candidates and sets leave of a puzzle ---------------
#
# It is in plain Python and takes some milliseconds, while `steps` takes a hundred. It decides which
# puzzles are worth those, but never what is said of a puzzle. The cells where a digit can be are a
# whole number: the cell with offset i adds 2**i. So is a house.


def left_open(layout: Layout, givens: Iterable[Placement], largest: int) -> int:
    """The cells that singles do not settle, if `largest` is 1, as a sum of 2**offset.

    Otherwise those that locked candidates, and sets of up to so many cells, do not settle either.
    The layout has no rules but its houses.
    """
    left = [(1 << len(layout.cells)) - 1] * layout.size
    for given in givens:
        cell = 1 << given.cell.offset(layout.size)
        left = [cells & ~cell for cells in left]
        left[given.digit - 1] |= cell
    houses = [sum(1 << cell for cell in house) for house in layout.offsets]
    ways = [partial(_confine_sets, left, houses, size) for size in range(1, largest + 1)]
    if largest > 1:
        ways.insert(1, partial(_confine_locked, left, houses))
    while any(way() for way in ways):
        pass
    return _shared(left)


def _shared(left: Iterable[int]) -> int:
    """The cells where several digits can be."""
    once = twice = 0
    for cells in left:
        twice |= once & cells
        once |= cells
    return twice


def _confine_sets(left: list[int], houses: Iterable[int], size: int) -> bool:
    """Where so many digits of a house have as many cells in all, take these from the others.

    So too where all other cells of the house have so many digits. True if anything changed.
    """
    before = left[:]
    for house in houses:
        shared = _shared(left) & house
        digits = [digit for digit, cells in enumerate(left) if cells & shared]
        for number in {size, len(digits) - size} if len(digits) > size else ():
            for some in combinations(digits, number):
                union = house & reduce(or_, map(left.__getitem__, some))
                if union.bit_count() == number:
                    for digit in set(digits).difference(some):
                        left[digit] &= ~union
    return left != before


def _confine_locked(left: list[int], houses: Iterable[int]) -> bool:
    """Where all cells of a digit in one house are in another one too, take its rest from this."""
    before = left[:]
    for one, other in permutations(houses, 2):
        if one & other:
            for digit, cells in enumerate(left):
                if not cells & one & ~other:
                    left[digit] &= ~other | one
    return left != before


# --- random full grids, and the givens that are removed from them --------------------------
#
# A puzzle has one solution if and only if it gives a cell of each *unavoidable set*: cells that the
# full grid could fill in another way, while no other cell changes. A set of cells is a whole number
# here: the cell with offset i adds 2**i.

ATTEMPTS = 20
"""How often the cells are filled at random until a search is better."""


def full_grid(layout: Layout, random: Random, timeout: float | None = None) -> Grid:
    """A random full grid; NoSolution if there is none.

    A cell with the fewest digits left, chosen at random, gets one of them at random, and so on;
    when a cell has no digit left, it starts again. So grids that are the same up to symmetry and
    other digits are equally likely. But a grid is likelier than others if more of it was forced on
    the way; `_mix` removes most of that.

    With rules beyond the houses, or if that does not succeed soon, as in large grids, clingo finds
    a grid by a random search, which is ground anew so that it depends on its seed alone.
    """
    for _ in range(0 if layout.rules else ATTEMPTS):
        if digits := _fill(layout, random):
            return Grid(_mix(digits, layout, random), layout.box)
    options = ("--rand-freq=1", "--sign-def=rnd", f"--seed={random.getrandbits(31)}", "--models=1")
    session = Session(_workers, Budget("clingo", timeout))
    control = session.make(lambda: grounded(with_rules("sudoku", layout), layout, options))

    def search() -> Grid | None:
        with control.solve(yield_=True) as handle:
            if model := handle.model():
                return Grid.of(map(placement_of, model.symbols(shown=True)), layout.box)
            if not handle.get().exhausted:
                raise Unfinished
        return None

    found = session.ask(control, search)
    if found is None:
        raise NoSolution(f"there is no full grid that keeps all rules of {layout}")
    return found


def _fill(layout: Layout, random: Random) -> tuple[int, ...] | None:
    """A full grid, or None if a cell had no digit left."""
    beside = peers(layout)
    every = (1 << layout.size) - 1
    left = [every] * len(beside)
    digits = [0] * len(beside)
    empty = list(range(len(beside)))
    while empty:
        counts = [*map(int.bit_count, map(left.__getitem__, empty))]
        fewest = min(counts)
        if not fewest:
            return None
        tied = [at for at, count in enumerate(counts) if count == fewest]
        cell = empty.pop(tied[int(random.random() * len(tied))])
        choices = [digit for digit in range(layout.size) if left[cell] >> digit & 1]
        digit = choices[int(random.random() * fewest)]
        digits[cell] = digit + 1
        taken = ~(1 << digit)
        for peer in beside[cell]:
            left[peer] &= taken
    return tuple(digits)


def _mix(digits: tuple[int, ...], layout: Layout, random: Random) -> tuple[int, ...]:
    """The grid after random exchanges of two digits in parts of it, two for each cell.

    All results of an exchange are equally likely, and so are those of its reverse. So each exchange
    brings the grids nearer to being equally likely, or leaves them as they are.
    """
    cells, around = _cells_by_digit(digits, layout.size), _near(layout)
    pairs = list(combinations(range(layout.size), 2))
    for one, other in random.choices(pairs, k=2 * len(digits)) if pairs else ():
        for each in _exchangeable(cells[one] | cells[other], around):
            if random.random() < 0.5:
                cells[one] ^= each
                cells[other] ^= each
    found = [0] * len(digits)
    for digit, left in enumerate(cells, 1):
        while left:
            found[left.bit_length() - 1] = digit
            left &= ~(1 << left.bit_length() - 1)
    return tuple(found)


@lru_cache(32)
def peers(layout: Layout) -> list[list[int]]:
    """For each cell, the other cells that share a house with it."""
    return [
        [other for other in range(len(layout.cells)) if cells >> other & 1 and other != cell]
        for cell, cells in enumerate(_near(layout))
    ]


# --- unavoidable sets ---------------------------------------------------------------------


def unavoidable_sets(digits: Sequence[int], layout: Layout) -> list[int]:
    """The unavoidable sets of two digits of a full grid; none contains another.

    With rules beyond the houses, none is known.
    """
    if layout.rules:
        return []
    around = _near(layout)
    pairs = combinations(_cells_by_digit(digits, layout.size), 2)
    return [cells for one, other in pairs for cells in _exchangeable(one | other, around)]


def _exchangeable(both: int, around: Sequence[int]) -> list[int]:
    """The cells of two digits, split into sets; in each set alone the digits can change places.

    Cells in the same house are in the same set: if one of them changes, the other must too.
    """
    found = []
    while both:
        cells = new = both & -both
        while new and cells != both:  # mostly it is all of them, and that is seen early
            cell = new.bit_length() - 1
            reached = around[cell] & both
            new = (new | reached & ~cells) & ~(1 << cell)
            cells |= reached
        found.append(cells)
        both &= ~cells
    return found


def _cells_by_digit(digits: Sequence[int], size: int) -> list[int]:
    """The cells of each digit of a full grid."""
    cells = [0] * size
    for cell, digit in enumerate(digits):
        cells[digit - 1] |= 1 << cell
    return cells


@lru_cache(32)
def _near(layout: Layout) -> list[int]:
    """For each cell, the cells that share a house with it, and the cell itself."""
    around = [0] * len(layout.cells)
    for house in layout.offsets:
        cells = sum(1 << cell for cell in house)
        for cell in house:
            around[cell] |= cells
    return around


# --- digging ------------------------------------------------------------------------------


def dig(
    groups: Sequence[int], least: int, known: Iterable[int], another: Callable[[int], int]
) -> int:
    """The cells that remain given when each group in turn is removed if it can be.

    It can be if at least `least` givens remain, and the solution remains unique. `another` returns
    the cells in which another solution differs if only some cells are given, or 0. The unavoidable
    sets in `known` decide how many questions are asked, but not the result.

    A question is about several groups at once. If they can all be removed, each can be in its turn.
    If they cannot, an unavoidable set is found, and the next question is about fewer groups.
    """
    kept = sum(groups)
    at, size = 0, len(groups) // 2
    missed = [*known]  # those that have no given yet that stays
    while at < len(groups):
        left, end = kept, at
        while end < min(at + size, len(groups)):
            fewer = left & ~groups[end]
            if fewer.bit_count() < least or not all(map(fewer.__and__, missed)):
                break
            left, end = fewer, end + 1
        if end == at:  # this group stays
            missed = [each for each in missed if not each & groups[at]]
            at += 1
        elif found := another(left):
            missed.append(found)
            size = max(1, (end - at) * 3 // 4)
        else:
            kept, at, size = left, end, 2 * (end - at)
    return kept


# --- what clingo is asked: whether some givens leave another solution -----------------------
#
# The rules of a layout are ground once. A worker digs a puzzle as a whole, since that asks some
# fifty short questions.

MAX_LAYOUTS = 8
"""Layouts whose programs are kept."""

_workers = Workers("pylogic_sudoku making")
_idle: Shelf[list[_Program]] = Shelf(list, MAX_LAYOUTS)


class _Program(LayoutProgram):
    """``sudoku.lp``, ground for one layout, with questions about givens as sets of cells."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._settings.models = 2

    def another(self, digits: Sequence[int], kept: int) -> int:
        """The cells where another solution differs from `digits`, which are one; 0 if none does.

        `kept` are the cells that are given.
        """
        cells = zip(self._literal, digits, range(len(digits)), strict=True)
        givens = [literal[digit] for literal, digit, cell in cells if kept >> cell & 1]
        with self.control.solve(assumptions=givens, yield_=True) as handle:
            for model in handle:
                found = self._said(model.symbols(shown=True))
                if differs := sum(1 << cell for cell, digit in found if digits[cell] != digit):
                    return differs
            if not handle.get().exhausted:
                raise Unfinished
        return 0
