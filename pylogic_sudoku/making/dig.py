"""One puzzle to order, by `make`: full grids are dug until a puzzle is what was asked for.

A random full grid is filled, and givens are removed from it as long as the solution stays unique,
which clingo says. If the puzzle should have a level, it is judged, and givens are put back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial, reduce
from itertools import combinations, permutations
from operator import or_
from random import Random
from typing import NamedTuple, TypeVar

from ..engines import able
from ..engines.clingo.program import (
    LayoutProgram,
    Unfinished,
    grounded,
    in_use,
    translated,
    with_rules,
)
from ..engines.running import Budget, Progress, Workers
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

T = TypeVar("T")


class Tried:
    """The puzzles that did not meet the request, and why: for the message if none does."""

    def __init__(self) -> None:
        self.number = 0
        """Full grids that were dug."""
        self._reasons: Counter[str] = Counter()
        self._nearest: dict[str, tuple[int, int]] = {}

    def note(self, reason: str) -> None:
        """A puzzle was rejected for a reason such as ``"easy"``."""
        self._reasons[reason] += 1

    def near(self, name: str, value: int, wanted: tuple[int, int]) -> None:
        """A puzzle had a number that is out of range; the nearest one is kept."""
        least, most = wanted
        self.note(f"with {'too few' if value < least else 'too many'} {name}")
        off = max(least - value, value - most)
        self._nearest[name] = min(self._nearest.get(name, (off, value)), (off, value))

    def error(self, limit: str, doing: str = "") -> NotGenerated:
        """The error that says so; `limit` names the bound that ended it, `doing` what ran then."""
        said = [f"{number} {reason}" for reason, number in self._reasons.most_common()]
        said += [f"the nearest had {value} {name}" for name, (_, value) in self._nearest.items()]
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
            now = _with_rules(request, random, budget) if request.kinds else request
            puzzle = _fit(now, _dig_one(now, random, budget), budget, tried)
            if puzzle:
                _certify(request, puzzle, budget)
                return Made(puzzle, tried.number)
    except SolveTimeout as error:
        raise tried.error(f"the limit of {request.timeout:g} s", error.doing) from None
    raise tried.error("the limit of tries")


def _with_rules(request: Request, random: Random, budget: Budget) -> Request:
    """The request for a full grid of its own and for rules that are laid over this one."""

    def inside(maker: Maker) -> Grid:
        return full_grid(request.layout, random, maker.grid)

    full, empty = request.solution or ask(request.layout, budget, inside), request.empty
    rules = (*empty.rules, *lay(request.kinds, full, random))
    return replace(request, solution=full, empty=Puzzle(empty.grid, empty.regions, rules=rules))


def _dig_one(request: Request, random: Random, budget: Budget) -> _Dug:
    """A puzzle with one solution and not many more givens than it needs."""

    def inside(maker: Maker) -> _Dug:
        full = request.solution or full_grid(request.layout, random, maker.grid)
        known = unavoidable_sets(full.digits, request.layout)

        def another(kept: int) -> int:
            return maker.another(full.digits, kept)

        order = list(groups(full.size, request.symmetry))
        random.shuffle(order)
        kept = dig(order, _least(request, random), known, another)
        strict = True
        if request.minimal and request.symmetry:
            single = [1 << cell for cell in range(len(full.digits)) if kept >> cell & 1]
            strict = dig(single, 0, known, another) == kept
        return _Dug(full, order, kept, strict)

    return ask(request.layout, budget, inside)


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
        tried.near("givens", number, (least, most))
    elif not dug.strict:
        tried.note("with a given that is not needed")
    elif request.level:
        return _as_hard(request, request.level, dug, (least, most), budget, tried)
    else:
        return _puzzle(request, dug.full, dug.kept)
    return None


def _as_hard(
    request: Request,
    level: str,
    dug: _Dug,
    givens: tuple[int, int],
    budget: Budget,
    tried: Tried,
) -> Grid | Puzzle | None:
    """The puzzle, with as many removed givens put back as make it as hard as it should be."""
    back = [] if request.minimal else removed_in_turn(dug.order, dug.kept)
    kept, (least, most) = dug.kept, givens
    if not request.givens:
        most = max(kept.bit_count(), len(dug.full.digits) * 4 // 9)
    last, tallies = Hardness(0), iter([tried])  # what is wrong with the first one is noted
    for group in (0, *back):  # more givens make a puzzle easier, or nearly always
        more = kept | group
        if more.bit_count() > most or (last.harder and not group & last.open):
            continue
        if more.bit_count() < least:
            kept = more
            continue
        puzzle = _puzzle(request, dug.full, more)
        budget.turn_to("rating what is left", f"of full grid {tried.number}")
        found = judge(level, puzzle, budget, next(tallies, Tried()))
        if not found.harder:
            return puzzle
        if found.harder >= last.harder:
            kept, last = more, found
        elif not last.harder:  # too easy from the beginning
            return None
    if next(tallies, None):
        tried.note("whose pattern cannot have that number of givens")
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
    """How hard a puzzle is beside what was asked for."""

    harder: int
    """0 if it is as hard as it should be, -1 if it is easier, 1 if it is harder."""
    open: int = -1
    """For a harder one, the cells in which a given could make it easier; -1 for any."""


RIGHT, EASIER, HARDER = Hardness(0), Hardness(-1), Hardness(1)


def judge(level: str, puzzle: Grid | Puzzle, budget: Budget, tried: Tried) -> Hardness:
    """Whether the puzzle has this level; if not, that is noted. A `Look` nearly always tells."""
    wanted, look = RANKS[level], None
    if not puzzle.layout.rules:
        look = Look(puzzle.layout, puzzle.givens)
        least = 0 if look.settle(0) else 1 if wanted and look.settle(3) else HARD
        if least < min(wanted, HARD):
            tried.note([*LEVELS][least])
            return EASIER
        if least > wanted:
            tried.note(f"harder than {level}")
            return Hardness(1, look.open)
    found = budget.spend(lambda left: _by_steps(wanted, puzzle, left, tried))
    return found._replace(open=look.open) if look else found


def _by_steps(wanted: int, puzzle: Grid | Puzzle, left: float | None, tried: Tried) -> Hardness:
    """The same by `rate`, but the way ends where the puzzle turns out to be too hard."""
    way = steps(puzzle, left)
    way.up_to(HARDEST[wanted])
    number, level = 0, 0
    for step in way:
        number += step.weight
        level = max(level, RANKS[step.level])
        while number > LIMITS[level]:
            level += 1
        if level > wanted:
            tried.note(f"harder than {[*LEVELS][wanted]}")
            return HARDER
    if level < wanted:
        tried.note([*LEVELS][level])
        return EASIER
    return RIGHT


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
        for both, ours, theirs in _meetings(self._layout):
            changed |= self._without(theirs, self._all(both) & ~self._all(ours))
        return changed

    def _sets(self, size: int) -> bool:
        """Naked and hidden sets of so many cells and digits."""
        changed = False
        for house in self._layout.offsets:
            free = [at for at in house if at not in self._placed]
            if len(free) > size:
                changed |= self._naked(size, free)
                changed |= self._hidden(size, free)
        return changed

    def _naked(self, size: int, free: Collection[int]) -> bool:
        changed = False
        few = [at for at in free if self.cells[at].bit_count() <= size]
        for those in combinations(few, size):
            digits = self._all(those)
            if digits.bit_count() == size:
                changed |= self._without([at for at in free if at not in those], digits)
        return changed

    def _hidden(self, size: int, free: Collection[int]) -> bool:
        changed = False
        places = [
            {at for at in free if self.cells[at] >> digit & 1} for digit in range(self._layout.size)
        ]
        rare = [digit for digit, where in enumerate(places) if 0 < len(where) <= size]
        for digits in combinations(rare, size):
            where = set().union(*(places[digit] for digit in digits))
            if len(where) == size:
                changed |= self._without(where, ~sum(1 << digit for digit in digits))
        return changed

    def _all(self, cells: Iterable[int]) -> int:
        return reduce(or_, map(self.cells.__getitem__, cells), 0)

    def _without(self, cells: Iterable[int], digits: int) -> bool:
        """Remove digits from cells; true if one had any."""
        changed = False
        for at in cells:
            if self.cells[at] & digits:
                self.cells[at] &= ~digits
                changed = True
        return changed


@lru_cache(32)
def _meetings(layout: Layout) -> list[tuple[list[int], list[int], list[int]]]:
    """Of two houses that share several cells: these, the rest of the one and of the other."""
    found = []
    for one, other in permutations(layout.offsets, 2):
        both = [at for at in one if at in other]
        if len(both) > 1:
            found.append(
                (both, [at for at in one if at not in both], [at for at in other if at not in both])
            )
    return found


# --- random full grids, and the givens that are removed from them --------------------------
#
# A puzzle has one solution if and only if it gives a cell of each *unavoidable set*: cells that the
# full grid could fill in another way, while no other cell changes. A set of cells is a whole number
# here: the cell with offset i adds 2**i.

ATTEMPTS = 20
"""How often the cells are filled at random until a search is better."""


def full_grid(
    layout: Layout, random: Random, search: Callable[[int], tuple[int, ...] | None]
) -> Grid:
    """A random full grid; NoSolution if there is none.

    A cell with the fewest digits left, chosen at random, gets one of them at random, and so on;
    when a cell has no digit left, it starts again. So grids that are the same up to symmetry and
    other digits are equally likely. But a grid is likelier than others if more of it was forced on
    the way; `_mix` removes most of that.

    With rules beyond the houses, or if that does not succeed soon, as in large grids, `search`
    finds a grid by a seed.
    """
    for _ in range(0 if layout.rules else ATTEMPTS):
        if digits := _fill(layout, random):
            return Grid(_mix(digits, layout, random), layout.box)
    found = search(random.getrandbits(31))
    if found is None:
        raise NoSolution(f"there is no full grid that keeps all rules of {layout}")
    return Grid(found, layout.box)


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
    """Unavoidable sets of a full grid: those of two digits, and those in two rows or two columns.

    None contains another of its kind. There may be none known, as with rules beyond the houses.
    """
    if layout.rules:
        return []
    around = _near(layout)
    pairs = combinations(_cells_by_digit(digits, layout.size), 2)
    found = [cells for one, other in pairs for cells in _exchangeable(one | other, around)]
    if not layout.regions:
        height, width = layout.box
        lines = [[*range(at, at + layout.size)] for at in range(0, len(digits), layout.size)]
        found += _two_line_sets(digits, lines, height)
        found += _two_line_sets(digits, [*zip(*lines, strict=True)], width)
    return [*dict.fromkeys(found)]


def _two_line_sets(
    digits: Sequence[int], lines: Sequence[Sequence[int]], wide: int
) -> Iterator[int]:
    """The unavoidable sets in two lines of a band, which has so many.

    From a cell to the one beside it, from there to the same digit in the first line, and so on: in
    the cells on the way, the two lines can be exchanged.
    """
    for start in range(0, len(lines), wide):
        for one, other in combinations(lines[start : start + wide], 2):
            beside = {digits[cell]: (cell, near) for cell, near in zip(one, other, strict=True)}
            while beside:
                cells, digit = 0, next(iter(beside))
                while digit in beside:
                    cell, near = beside.pop(digit)
                    cells |= 1 << cell | 1 << near
                    digit = digits[near]
                yield cells


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

MOST_LAYOUTS = 8
"""Layouts whose programs are kept."""

_workers = Workers("pylogic_sudoku making")
_idle: dict[Layout, list[Maker]] = {}


class Maker(LayoutProgram):
    """``sudoku.lp``, ground for one layout, with questions about givens as sets of cells.

    A set of cells is a whole number: the cell with offset i adds 2**i.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._layout = layout
        self._settings.models = 2
        self._stopped = False
        self._asked = self.control

    def stop(self) -> None:
        """Make the running question raise Unfinished, and all that follow."""
        self._stopped = True
        self._asked.interrupt()

    def grid(self, seed: int) -> tuple[int, ...] | None:
        """The digits of a full grid, found by a search with random choices; None if there is none.

        It depends on the seed alone, as the program is ground for this search.
        """
        options = ("--rand-freq=1", "--sign-def=rnd", f"--seed={seed}", "--models=1")
        self._asked = grounded(with_rules("sudoku", self._layout), self._layout, options)
        try:
            if self._stopped:
                raise Unfinished
            with self._asked.solve(yield_=True) as handle:
                model = handle.model()
                if model is None and not handle.get().exhausted:
                    raise Unfinished
                return self._grid(model).digits if model else None
        finally:
            self._asked = self.control

    def another(self, digits: tuple[int, ...], kept: int) -> int:
        """Where another solution differs from `digits`, if the cells `kept` are given; 0 if none.

        `digits` must be a solution.
        """
        if self._stopped:
            raise Unfinished
        cells = zip(self._literal, digits, range(len(digits)), strict=True)
        givens = [literal[digit] for literal, digit, cell in cells if kept >> cell & 1]
        with self.control.solve(assumptions=givens, yield_=True) as handle:
            for model in handle:
                found = self._shown(model)
                if differs := sum(1 << cell for cell, digit in found if digits[cell] != digit):
                    return differs
            if not handle.get().exhausted:
                raise Unfinished
        return 0


def ask(layout: Layout, budget: Budget, question: Callable[[Maker], T]) -> T:
    """What a function of the layout's program returns, run by a worker."""

    def stop() -> None:
        for maker in taken:
            maker.stop()

    with _take(layout) as taken:

        def run() -> T:
            with translated():
                maker = taken[0] if taken else Maker(layout)
                taken[:] = [maker]
                in_use.add(maker)
                return question(maker)

        return _workers.call(run, budget, stop)


@contextmanager
def _take(layout: Layout) -> Iterator[list[Maker]]:
    """A list with an idle program of the layout, or empty; what it holds then is idle again."""
    idle = _idle.setdefault(layout, [])
    while len(_idle) > MOST_LAYOUTS:
        _idle.pop(next(iter(_idle)), None)
    taken = [idle.pop()] if idle else []
    try:
        yield taken
        idle += taken  # not if it was interrupted, or broke
    finally:
        in_use.difference_update(taken)
