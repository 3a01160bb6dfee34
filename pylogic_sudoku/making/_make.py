"""One puzzle to order: full grids are dug until a puzzle is what was asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from ..engines import able
from ..engines.budget import Budget, Progress
from ..errors import Disagreement, NotGenerated, SolveTimeout, counted
from ..grid import Grid
from ..puzzle import Puzzle
from ._dig import dig, full_grid, removed_in_turn, unavoidable_sets
from ._made import Made
from ._request import Request, groups
from ._rules import lay

if TYPE_CHECKING:
    from ..engines.clingo.making import Maker

__all__ = ["Tried", "make"]


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
            puzzle = _fitting(now, _dug(now, random, budget), budget, tried)
            if puzzle:
                _certify(request, puzzle, budget)
                return Made(puzzle, tried.number)
    except SolveTimeout as error:
        raise tried.error(f"the limit of {request.timeout:g} s", error.doing) from None
    raise tried.error("the limit of tries")


def _with_rules(request: Request, random: Random, budget: Budget) -> Request:
    """The request for a full grid of its own and for rules that are laid over this one."""
    from ..engines.clingo.making import asked

    def inside(maker: Maker) -> Grid:
        return full_grid(request.layout, random, maker.grid)

    full, empty = request.solution or asked(request.layout, budget, inside), request.empty
    whole = empty if isinstance(empty, Puzzle) else Puzzle(empty)
    rules = (*whole.rules, *lay(request.kinds, full, random))
    return replace(request, solution=full, empty=Puzzle(whole.grid, whole.regions, rules=rules))


def _dug(request: Request, random: Random, budget: Budget) -> _Dug:
    """A puzzle with one solution and not many more givens than it needs."""
    from ..engines.clingo.making import asked

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

    return asked(request.layout, budget, inside)


def _least(request: Request, random: Random) -> int:
    """The number of givens at which digging stops.

    A puzzle that is to be hard is dug as far as possible; an easy one gets some givens back.
    With rules that were laid, it is dug as far as possible too, as the rules are its clues.
    """
    if request.minimal or request.level or (request.kinds and not request.givens):
        return 0
    return random.randint(*request.givens) if request.givens else -(-len(request.layout.cells) // 3)


def _fitting(request: Request, dug: _Dug, budget: Budget, tried: Tried) -> Grid | Puzzle | None:
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
    from ._judge import Verdict, judged  # explanations take long to import

    back = [] if request.minimal else removed_in_turn(dug.order, dug.kept)
    kept, (least, most) = dug.kept, givens
    if not request.givens:
        most = max(kept.bit_count(), len(dug.full.digits) * 4 // 9)
    last, tallies = Verdict(0), iter([tried])  # what is wrong with the first one is noted
    for group in (0, *back):  # more givens make a puzzle easier, or nearly always
        more = kept | group
        if more.bit_count() > most or (last.harder and not group & last.open):
            continue
        if more.bit_count() < least:
            kept = more
            continue
        puzzle = _puzzle(request, dug.full, more)
        budget.turn_to("rating what is left", f"of full grid {tried.number}")
        found = judged(level, puzzle, budget, next(tallies, Tried()))
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
