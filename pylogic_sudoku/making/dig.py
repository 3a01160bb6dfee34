"""One puzzle to order, by `make`: full grids are dug until a puzzle satisfies the request.

A random full grid is filled, and givens are removed from it as long as the solution stays unique,
which clingo says. If the puzzle should have a level, it is judged, and givens are put back.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from itertools import accumulate
from operator import or_
from random import Random

from ..engines import engine_for
from ..engines.clingo.session import Session
from ..engines.sudoku.ground_once import LayoutProgram
from ..errors import (
    Disagreement,
    NoSolution,
    NotGenerated,
    SolveTimeout,
    counted,
)
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Layout
from ..running.workers import Budget, Progress, Unfinished, Workers, shelf
from ..techniques import steps
from ..techniques.table import LEVELS, TECHNIQUES
from ..techniques.way import rating_of
from .request import Made, Request, groups
from .rules import lay

CONFLICTS = 2_000
"""The conflicts after which a question about laid rules is left open, and the givens stay.

With few givens, to see that large cages leave one solution may take minutes, and setters do not
ask for the last given. The search of a new program depends on its puzzle alone.
"""
COMMON_REASONS = 3
"""The number of reasons that an error gives for puzzles that did not meet the request."""


def make(request: Request, number: int, progress: Progress | None = None) -> Made:
    """The puzzle of that number, which depends on this and the request alone.

    NotGenerated, with the attempts, if there is none within the bounds of the request.
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
            result = _dig(now, full, random, budget)
            if not isinstance(result, str):
                _certify(request, result, budget)
                return Made(result, tried)
            reasons[result] += 1
    except SolveTimeout as error:
        doing = f", the last while {error.doing}" if error.doing else ""
        raise failed(f"the limit of {request.timeout:g} s{doing}") from None
    raise failed("the limit of tries")


def _dig(request: Request, full: Grid, random: Random, budget: Budget) -> Grid | Puzzle | str:
    """Make the requested puzzle from a full grid; if that is impossible, return why, in words."""
    order = list(groups(full.size, request.symmetry))
    random.shuffle(order)
    enough = _enough(request, random)
    conflicts = CONFLICTS if request.kinds and not request.minimal else None
    idle = [] if conflicts else _idle(request.layout)
    session = Session(_workers, budget)
    with session.borrowed(idle, lambda: _Program(request.layout, conflicts)) as program:

        def another(givens: int) -> int | None:
            return session.ask(program.control, lambda: program.another(full.digits, givens))

        def singles(givens: int) -> bool:
            return session.ask(program.control, lambda: program.singles(full.digits, givens))

        def inside() -> tuple[int, int]:
            givens = only = dig(order, enough, another)
            if request.minimal and request.symmetry:
                single = [1 << cell for cell in range(len(full.digits)) if givens >> cell & 1]
                only = dig(single, 0, another)
            return givens, only

        givens, only = session.run(inside)
        least, most = request.givens or (0, len(full.digits))
        number = givens.bit_count()
        if number > most or (number < least and request.minimal):
            return f"with {number} givens"
        if only != givens:
            return "with a given that is not needed"
        if request.level:
            # The last that was removed is put back first.
            back = (
                [] if request.minimal else [each for each in reversed(order) if not each & givens]
            )
            return _as_hard(request, full, givens, back, singles, budget)
        return _puzzle(request, full, givens)


def _enough(request: Request, random: Random) -> int:
    """The number of givens at which digging stops.

    A puzzle that is to be hard is dug as far as possible; an easy one gets some givens back.
    With rules that were laid, it is dug as far as possible too, as the rules are its clues.
    """
    if request.minimal or request.level or (request.kinds and not request.givens):
        return 0
    return random.randint(*request.givens) if request.givens else -(-len(request.layout.cells) // 3)


def _as_hard(
    request: Request,
    full: Grid,
    givens: int,
    back: Iterable[int],
    singles: Callable[[int], bool],
    budget: Budget,
) -> Grid | Puzzle | str:
    """The puzzle, with as many groups put back as make it as hard as it should be, or why not."""
    assert request.level is not None
    wanted = RANKS[request.level]
    # If no number is asked for, a few givens more than digging leaves.
    least, most = request.givens or (0, max(givens.bit_count(), len(full.digits) * 4 // 9))
    patterns = [
        more for more in accumulate((givens, *back), or_) if least <= more.bit_count() <= most
    ]
    if not patterns:
        return "whose pattern cannot have that number of givens"
    budget.turn_to("rating what is left")

    @cache
    def easiness(pattern: int) -> int:
        puzzle = _puzzle(request, full, pattern)
        return -budget.spend(lambda seconds_left: _rank(wanted, puzzle, seconds_left))

    # More givens make a puzzle easier, or nearly always.
    low, high = 0, len(patterns)
    if full.size <= 9 and not request.layout.rules:
        # What singles solve is easy, and clingo finds that in a millisecond; to rate a puzzle takes
        # some hundred, and to dig another grid less. So one puzzle of each grid is rated: of level
        # medium, the first that is not easy; above that, the hardest.
        easy = bisect_left(patterns, True, key=singles)
        if wanted and not easy:
            return "easy"
        low = high = easy - wanted if wanted < RANKS["hard"] else 0
    at = bisect_left(patterns, -wanted, low, high, key=easiness)
    if at == len(patterns):
        return f"harder than {request.level}"
    if easiness(patterns[at]) == -wanted:
        return _puzzle(request, full, patterns[at])
    return [*LEVELS][-easiness(patterns[at])]


def _puzzle(request: Request, full: Grid, givens: int) -> Grid | Puzzle:
    digits = (digit if givens >> cell & 1 else 0 for cell, digit in enumerate(full.digits))
    grid = Grid(tuple(digits), full.box)
    if isinstance(request.empty, Grid):
        return grid
    return Puzzle(grid, request.empty.regions, rules=request.empty.rules)


def _certify(request: Request, puzzle: Grid | Puzzle, budget: Budget) -> None:
    """Disagreement unless the requested engines find one solution too.

    Digging has asked clingo already.
    """
    engines = [request.backend, *(("clingo", "prolog") if request.certify else ())]
    counts = {"making": "1 solution"}
    for backend in dict.fromkeys(engines) if engines != ["clingo"] else ():
        engine = engine_for(backend, puzzle)
        budget.turn_to("confirming that there is one solution", f"by {engine.name}")
        number = budget.spend(partial(engine.count, puzzle, 2))
        counts[engine.name] = counted(number, "solution") if number < 2 else "several solutions"
    if len(set(counts.values())) > 1:
        raise Disagreement(puzzle, counts)


RANKS = {level: rank for rank, level in enumerate(LEVELS)}
HARDEST = [
    [key for key, technique in TECHNIQUES.items() if RANKS[technique.level] <= rank][-1]
    for rank in range(len(LEVELS))
]
"""For each level, the last technique in the table that is not harder."""


def _rank(wanted: int, puzzle: Grid | Puzzle, timeout: float | None) -> int:
    """The rank of its level, as of `rate`; some rank above the wanted one if it is harder."""
    way = steps(puzzle, timeout)
    way.up_to(HARDEST[wanted])
    weighed_steps, level = [], 0
    for step in way:
        weighed_steps.append(step.weighed)
        level = RANKS[rating_of(weighed_steps).level]
        if level > wanted:
            break
    return wanted + 1 if level <= wanted and 0 in way.grid.digits else level


# --- random full grids, and the givens that are removed from them --------------------------

ATTEMPTS = 20
"""The number of random fillings before a search is better."""


def full_grid(layout: Layout, random: Random, timeout: float | None = None) -> Grid:
    """A random full grid; NoSolution if there is none.

    A cell with the fewest digits left, chosen at random, gets one of them at random, and so on;
    when a cell has no digit left, it starts again. So grids that are the same up to symmetry and
    other digits are equally likely, but a grid is likelier than others if more of it was forced on
    the way.

    With rules beyond the houses, or if that does not succeed soon, as in large grids, clingo finds
    a grid by a random search, which is ground anew so that it depends on its seed alone.
    """
    for _ in range(0 if layout.rules else ATTEMPTS):
        if digits := _fill(layout, random):
            return Grid(digits, layout.box)
    options = ("--rand-freq=1", "--sign-def=rnd", f"--seed={random.getrandbits(31)}")
    session = Session(_workers, Budget("clingo", timeout))
    program = session.make(lambda: LayoutProgram(layout, options))
    empty = Grid((0,) * len(layout.cells), layout.box)
    grid = session.ask(program.control, lambda: program.first(empty))
    if grid is None:
        raise NoSolution(f"there is no full grid that keeps all rules of {layout}")
    return grid


def _fill(layout: Layout, random: Random) -> tuple[int, ...] | None:
    """A full grid, or None if a cell had no digit left."""
    peers = _peers(layout)
    free_digits = {cell: set(range(1, layout.size + 1)) for cell in range(len(peers))}
    digits = [0] * len(peers)
    while free_digits:
        fewest = min(map(len, free_digits.values()))
        if not fewest:
            return None
        cell = random.choice([cell for cell, free in free_digits.items() if len(free) == fewest])
        digits[cell] = random.choice(sorted(free_digits.pop(cell)))
        for peer in peers[cell] & free_digits.keys():
            free_digits[peer].discard(digits[cell])
    return tuple(digits)


@lru_cache(32)
def _peers(layout: Layout) -> list[set[int]]:
    """For each cell, the cells that share a house with it, and the cell itself."""
    return [
        set().union(*(house for house in layout.offsets if cell in house))
        for cell in range(len(layout.cells))
    ]


def dig(groups: Sequence[int], least: int, another: Callable[[int], int | None]) -> int:
    """The cells that remain given when each group in turn is removed if it can be.

    It can be if at least `least` givens remain, and the solution remains unique. `another` returns
    the cells in which another solution differs if only some cells are given, 0 if none does, or
    None if that is not found out. A set of cells is a whole number: the cell with offset i adds
    2**i.

    Several groups are asked about at once: if all can be removed, each can be in its turn.
    """
    unavoidable: list[int] = []  # of each of these sets of cells, one must be given

    def removed(groups: Sequence[int], givens: int) -> int:
        remaining = givens & ~sum(groups)
        if remaining.bit_count() >= least and all(map(remaining.__and__, unavoidable)):
            differing = another(remaining)
            if differing == 0:
                return remaining
            if differing:
                unavoidable.append(differing)
        half = len(groups) // 2
        return removed(groups[half:], removed(groups[:half], givens)) if half else givens

    return removed(groups, sum(groups))


# --- what clingo is asked: whether some givens leave another solution -----------------------
#
# The rules of a layout are ground once. A worker digs a puzzle as a whole, since that asks some
# fifty short questions.

_workers = Workers("pylogic_sudoku making")


class _Program(LayoutProgram):
    """``sudoku.lp``, ground for one layout, with questions about givens as sets of cells."""

    def __init__(self, layout: Layout, conflicts: int | None = None) -> None:
        super().__init__(layout)
        self._settings.models = 2
        self._conflicts = conflicts
        if conflicts:
            self._settings.solve_limit = f"{conflicts},umax"

    def another(self, digits: Sequence[int], givens: int) -> int | None:
        """The cells where another solution differs from `digits`, which are one; 0 if none does.

        `givens` are the cells that are given. None if that takes more conflicts than it may have.
        """
        with self.control.solve(
            assumptions=self._literals_of(digits, givens), yield_=True
        ) as handle:
            for model in handle:
                placed = self.decoder.meanings(model.symbols(shown=True))
                if differs := sum(1 << cell for cell, digit in placed if digits[cell] != digit):
                    return differs
            result = handle.get()
            if result.interrupted or not (result.exhausted or self._conflicts):
                raise Unfinished
        return 0 if result.exhausted else None

    def singles(self, digits: Sequence[int], givens: int) -> bool:
        """True if singles solve the puzzle: what clingo sees without a choice is just these."""
        self.control.solve(assumptions=self._literals_of(digits, givens))
        return not self.control.statistics["solving"]["solvers"]["choices"]

    def _literals_of(self, digits: Sequence[int], givens: int) -> list[int]:
        literals, literal = self._literals, self._literal
        return [
            literals[cell][digit] or literal(cell, digit)
            for cell, digit in enumerate(digits)
            if givens >> cell & 1
        ]


_idle = shelf(list[_Program], most=8)
