"""One puzzle to order, by `make`: full grids are dug until a puzzle is what was asked for.

A random full grid is filled, and givens are removed from it as long as the solution stays unique,
which clingo says. If the puzzle should have a level, it is judged, and givens are put back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
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


class Tried:
    """The puzzles that did not meet the request, and why: for the message if none does."""

    def __init__(self) -> None:
        self.number = 0
        """Full grids that were dug."""
        self._reasons: Counter[str] = Counter()
        self._nearest: tuple[int, int] | None = None

    def note(self, reason: str) -> None:
        """A puzzle was rejected for a reason such as ``"easy"``."""
        self._reasons[reason] += 1

    def note_givens(self, number: int, least: int, most: int) -> None:
        """A puzzle had too few givens or too many; the nearest number is kept."""
        self.note(f"with too {'few' if number < least else 'many'} givens")
        off = max(least - number, number - most), number
        self._nearest = min(self._nearest or off, off)

    def error(self, limit: str, doing: str = "") -> NotGenerated:
        """The error that says so; `limit` names the bound that ended it, `doing` what ran then."""
        said = [f"{number} {reason}" for reason, number in self._reasons.most_common()]
        said += [f"the nearest had {self._nearest[1]} givens"] if self._nearest else []
        more = f" ({', '.join(said)})" if said else ""
        tried = counted(self.number, "puzzle")
        last = f"; time ran out while {doing}" if doing else ""
        message = f"no puzzle meets the request: {tried} tried within {limit}{more}{last}"
        return NotGenerated(message)


class _Dug(NamedTuple):
    """A full grid, and what digging left of it."""

    full: Grid
    order: list[int]
    """The groups of cells, in the order in which they were tried."""
    kept: int
    strict: bool
    """False if one given of a group could be removed alone."""


def make(request: Request, number: int, progress: Progress | None = None) -> Made:
    """The puzzle of that number, which depends on this and the request alone.

    NotGenerated if there is none within the bounds of the request.
    """
    random = Random(f"{request.seed}/{number}")
    budget = Budget("clingo", request.timeout, progress)
    tried = Tried()
    try:
        while request.tries is None or tried.number < request.tries:
            tried.number += 1
            budget.turn_to("removing givens", f"from full grid {tried.number}")
            full = request.solution or budget.spend(partial(full_grid, request.layout, random))
            now = request.with_rules(lay(request.kinds, full, random))
            puzzle = _fit(now, _dig_one(now, full, random, budget), budget, tried)
            if puzzle:
                _certify(request, puzzle, budget)
                return Made(puzzle, tried.number)
    except SolveTimeout as error:
        raise tried.error(f"the limit of {request.timeout:g} s", error.doing) from None
    raise tried.error("the limit of tries")


def _dig_one(request: Request, full: Grid, random: Random, budget: Budget) -> _Dug:
    """A puzzle with one solution and not many more givens than it needs."""
    known = unavoidable_sets(full.digits, request.layout)
    order = list(groups(full.size, request.symmetry))
    random.shuffle(order)
    least = _least(request, random)
    with others(request.layout, full.digits, budget) as (session, another):

        def inside() -> _Dug:
            kept = dig(order, least, known, another)
            strict = True
            if request.minimal and request.symmetry:
                single = [1 << cell for cell in range(len(full.digits)) if kept >> cell & 1]
                strict = dig(single, 0, known, another) == kept
            return _Dug(full, order, kept, strict)

        return session.run(inside)


def _least(request: Request, random: Random) -> int:
    """The number of givens at which digging stops.

    A puzzle that is to be hard is dug as far as possible; an easy one gets some givens back.
    With rules that were laid, it is dug as far as possible too, as the rules are its clues.
    """
    if request.minimal or request.level or (request.kinds and not request.givens):
        return 0
    return random.randint(*request.givens) if request.givens else -(-len(request.layout.cells) // 3)


def _fit(request: Request, dug: _Dug, budget: Budget, tried: Tried) -> Grid | Puzzle | None:
    """What was asked for, made from what was dug; None if that is not possible."""
    number = dug.kept.bit_count()
    least, most = request.givens or (0, len(request.layout.cells))
    if number > most or (number < least and request.minimal):
        tried.note_givens(number, least, most)
    elif not dug.strict:
        tried.note("with a given that is not needed")
    elif request.level:
        return _as_hard(request, dug, least, most, budget, tried)
    else:
        return _puzzle(request, dug.full, dug.kept)
    return None


def _as_hard(
    request: Request, dug: _Dug, least: int, most: int, budget: Budget, tried: Tried
) -> Grid | Puzzle | None:
    """The puzzle, with as many removed givens put back as make it as hard as it should be."""
    wanted = RANKS[str(request.level)]
    back = [] if request.minimal else removed_in_turn(dug.order, dug.kept)
    kept = dug.kept
    if not request.givens:
        most = max(kept.bit_count(), len(dug.full.digits) * 4 // 9)
    first = harder = None
    for group in (0, *back):  # more givens make a puzzle easier, or nearly always
        more = kept | group
        if more.bit_count() > most or (harder and not group & harder.open):
            continue
        if more.bit_count() < least:
            kept = more
            continue
        puzzle = _puzzle(request, dug.full, more)
        budget.turn_to("rating what is left", f"of full grid {tried.number}")
        found = judge(wanted, puzzle, budget)
        if found.rank == wanted:
            return puzzle
        first = first or found
        if found.rank > wanted:
            kept, harder = more, found
        elif not harder:  # too easy from the beginning
            break
    if not first:
        tried.note("whose pattern cannot have that number of givens")
    else:
        tried.note([*LEVELS][first.rank] if first.rank < wanted else f"harder than {request.level}")
    return None


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
    """How hard the puzzle is beside a level of this rank. A `Look` nearly always tells."""
    open_cells = -1
    if not puzzle.layout.rules:
        look = Look(puzzle.layout, puzzle.givens)
        least = 0 if look.settle(0) else 1 if wanted and look.settle(3) else HARD
        open_cells = look.open
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
# It is in plain Python and takes a millisecond or two, while `steps` takes a hundred. It decides
# which puzzles are worth those, but never what is said of a puzzle.


class Look:
    """The candidates of a puzzle: for each cell, the digit d adds 2**(d-1).

    The layout has no rules but its houses.
    """

    def __init__(self, layout: Layout, givens: Iterable[Placement]) -> None:
        self._layout = layout
        self.cells = [(1 << layout.size) - 1] * len(layout.cells)
        self._placed: set[int] = set()
        """The cells whose digit is removed from the others of their houses."""
        for given in givens:
            self.cells[given.cell.offset(layout.size)] = 1 << given.digit - 1

    @property
    def solved(self) -> bool:
        return len(self._placed) == len(self.cells)

    @property
    def open(self) -> int:
        """The cells whose digit is not known, as a sum of 2**offset."""
        return sum(1 << at for at in range(len(self.cells)) if at not in self._placed)

    def settle(self, largest: int) -> bool:
        """Whether these techniques solve the puzzle, each used as long as it does something.

        They are singles if `largest` is 0; else locked candidates too, and sets of up to so many.
        """
        ways: list[Callable[[], bool]] = [self._singles]
        if largest:
            ways += [self._locked, *(partial(self._sets, size) for size in range(2, largest + 1))]
        while any(way() for way in ways):
            pass
        return self.solved

    def _singles(self) -> bool:
        """Place every digit that is alone in its cell, or has one place in a house."""
        cells, placed, before = self.cells, self._placed, len(self._placed)
        for at, digits in enumerate(cells):
            if at not in placed and not digits & digits - 1:
                self._place(at)
        for house in self._layout.offsets:
            once = twice = 0
            for at in house:
                twice |= once & cells[at]
                once |= cells[at]
            if alone := once & ~twice:
                for at in house:
                    if at not in placed and cells[at] & alone:
                        cells[at] &= alone
                        self._place(at)
        return len(placed) > before

    def _place(self, at: int) -> None:
        self._placed.add(at)
        for peer in peers(self._layout)[at]:
            self.cells[peer] &= ~self.cells[at]

    def _locked(self) -> bool:
        """Remove a digit from the rest of a house if another house needs it where they meet."""
        changed = False
        cells = self.cells
        for both, ours, theirs in _meetings(self._layout):
            gone = _union(cells[at] for at in both) & ~_union(cells[at] for at in ours)
            for at in theirs:
                changed |= cells[at] & gone > 0
                cells[at] &= ~gone
        return changed

    def _sets(self, size: int) -> bool:
        """Naked and hidden sets of so many cells and digits."""
        changed = False
        for house in self._layout.offsets:
            free = [at for at in house if at not in self._placed]
            if len(free) > size:
                digits = [self.cells[at] for at in free]
                _confine(digits, size)
                places = _transposed(digits, self._layout.size)
                _confine(places, size)
                for at, left in zip(free, _transposed(places, len(free)), strict=True):
                    changed |= self.cells[at] != left
                    self.cells[at] = left
        return changed


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def _transposed(masks: Sequence[int], bits: int) -> list[int]:
    """For each bit, the numbers of the masks that have it, as a mask."""
    return [
        sum((mask >> bit & 1) << number for number, mask in enumerate(masks)) for bit in range(bits)
    ]


def _confine(masks: list[int], size: int) -> None:
    """Where so many masks have as many bits in all, take these from the others."""
    few = [number for number, mask in enumerate(masks) if 0 < mask.bit_count() <= size]
    for some in combinations(few, size):
        union = _union(masks[number] for number in some)
        if union.bit_count() == size:
            for number in range(len(masks)):
                if number not in some:
                    masks[number] &= ~union


@lru_cache(32)
def _meetings(layout: Layout) -> list[tuple[list[int], ...]]:
    """Of two houses that share several cells: these, the rest of the one and of the other."""
    pairs = [(set(one), set(other)) for one, other in permutations(layout.offsets, 2)]
    return [
        tuple(map(sorted, (one & other, one - other, other - one)))
        for one, other in pairs
        if len(one & other) > 1
    ]


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
    a grid by a seed.
    """
    for _ in range(0 if layout.rules else ATTEMPTS):
        if digits := _fill(layout, random):
            return Grid(_mix(digits, layout, random), layout.box)
    found = searched_grid(layout, random.getrandbits(31), timeout)
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


def removed_in_turn(groups: Sequence[int], kept: int) -> list[int]:
    """The groups that were removed, the last one first."""
    return [group for group in reversed(groups) if not group & kept]


# --- what clingo is asked: a full grid, and whether some givens leave another solution ------
#
# The rules of a layout are ground once. A worker digs a puzzle as a whole, since that asks some
# fifty short questions.

MAX_LAYOUTS = 8
"""Layouts whose programs are kept."""

_workers = Workers("pylogic_sudoku making")
_idle: Shelf[list[_Program]] = Shelf(list, MAX_LAYOUTS)


def searched_grid(layout: Layout, seed: int, timeout: float | None = None) -> Grid | None:
    """A full grid, found by a search with random choices; None if there is none.

    It depends on the seed alone, as the program is ground for this search.
    """
    options = ("--rand-freq=1", "--sign-def=rnd", f"--seed={seed}", "--models=1")
    session = Session(_workers, Budget("clingo", timeout))
    control = session.make(lambda: grounded(with_rules("sudoku", layout), layout, options))

    def first() -> Grid | None:
        with control.solve(yield_=True) as handle:
            model = handle.model()
            if model is None and not handle.get().exhausted:
                raise Unfinished
            if model is None:
                return None
            return Grid.of(map(placement_of, model.symbols(shown=True)), layout.box)

    return session.ask(control, first)


class _Program(LayoutProgram):
    """``sudoku.lp``, ground for one layout, with questions about givens as sets of cells."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._settings.models = 2

    def another(self, digits: Sequence[int], kept: int) -> int:
        """See `others`."""
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


@contextmanager
def others(
    layout: Layout, digits: Sequence[int], budget: Budget
) -> Iterator[tuple[Session, Callable[[int], int]]]:
    """A session, and what says in it where another solution differs from `digits`, which are one.

    It takes the cells that are given, and returns those that differ, or 0 if there is no other.
    """
    session = Session(_workers, budget)
    with session.lent(_idle[layout], lambda: _Program(layout)) as program:
        yield (
            session,
            lambda kept: session.ask(program.control, lambda: program.another(digits, kept)),
        )
