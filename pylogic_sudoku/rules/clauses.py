"""A puzzle in clauses, as SAT solvers and proof checkers take it.

Variable n*n*(row - 1) + n*(column - 1) + digit means that the cell holds the digit; a literal is a
variable, or minus a variable for "does not hold"; a clause is a tuple of literals, one of which
must be true. All of this is plain Python that knows no engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import (
    chain,
    combinations,
    combinations_with_replacement,
    islice,
    permutations,
    product,
)
from math import comb, prod
from typing import NamedTuple

from ..errors import BackendFailure, InvalidPuzzle
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Cell, Cells, Layout, Placement
from .base import Empty, Numbers, Part, Rule
from .demands import Demand, all_rules, cell_rules, exclusions, placements_of

Clause = tuple[int, ...]


class Claim(NamedTuple):
    """The claim that no grid is a solution of a puzzle, or of some of its demands alone."""

    puzzle: Grid | Puzzle
    solution: Grid | None = None
    """If there is one, the claim is that no other grid is a solution."""
    demands: tuple[Demand, ...] | None = None
    """The rules, givens and marks that count, as an explanation names them; None for all."""

    def rule_clauses(self) -> tuple[Clause, ...]:
        """The clauses of its demands, or of all rules of its layout; each once."""
        if self.demands is None:
            return of_layout(self.puzzle.layout)
        return _of_demands(self.puzzle.layout, self.demands)

    def facts(self) -> tuple[Clause, ...]:
        """The clauses of its givens and marks, which have one literal; demands include theirs."""
        if self.demands is not None:
            return ()
        return _of_demands(self.puzzle.layout, (*self.puzzle.givens, *exclusions(self.puzzle)))

    def another(self) -> tuple[Clause, ...]:
        """The clause that excludes the solution, if there is one."""
        if self.solution is None:
            return ()
        return (negated(literal(self.puzzle.size, each) for each in self.solution.givens),)

    def clauses(self) -> tuple[Clause, ...]:
        """All clauses: of its rules, givens and marks, and the one that excludes the solution."""
        return (*self.rule_clauses(), *self.facts(), *self.another())


def literal(size: int, placement: Iterable[int]) -> int:
    """The variable that is true if a cell of an n x n grid holds a digit."""
    row, column, digit = placement
    return size * size * (row - 1) + size * (column - 1) + digit


def placement(size: int, literal: int) -> Placement:
    """The placement that the variable of a literal stands for."""
    cell, digit = divmod(abs(literal) - 1, size)
    return Placement(cell // size + 1, cell % size + 1, digit + 1)


def negated(literals: Iterable[int]) -> Clause:
    """The clause that not all of the literals are true."""
    return tuple(-each for each in literals)


def clause_in_words(size: int, clause: Clause) -> str:
    """The clause as a person reads it.

    >>> clause_in_words(9, (-5, 12))
    'r1c1 is not 5 or r1c2 is 3'
    """
    words = []
    for each in clause:
        row, column, digit = placement(size, each)
        words.append(f"r{row}c{column} is {'not ' * (each < 0)}{digit}")
    return " or ".join(words) or "a contradiction"


@lru_cache(32)
def of_layout(layout: Layout) -> tuple[Clause, ...]:
    """The clauses of all rules of a layout, each once.

    BackendFailure if clauses cannot express one of its rules.
    """
    return _of_demands(layout, all_rules(layout))


def _of_demands(layout: Layout, demands: Iterable[Demand]) -> tuple[Clause, ...]:
    clauses = chain.from_iterable(of_demand(layout, demand) for demand in demands)
    return tuple(dict.fromkeys(clauses))


def of_demand(layout: Layout, demand: Demand) -> Iterator[Clause]:
    """The clauses of one demand, some perhaps twice; BackendFailure as for `of_layout`."""
    match demand:
        case (int(), *_):
            yield (literal(layout.size, demand),)
        case ("excluded", *placement):
            yield (-literal(layout.size, placement),)
        case ("cells",):
            for each in cell_rules(layout):
                yield from of_demand(layout, each)
        case ("house", kind, number):
            for digit, name in product(
                range(1, layout.size + 1), ("at_least_once", "at_most_once")
            ):
                yield from of_demand(layout, (name, kind, number, digit))
        case ("rule", rule):
            yield from clauses_of(rule, layout)
        case _:
            places = placements_of(demand, layout._replace(rules=()))
            literals = tuple(sorted(literal(layout.size, each) for each in places))
            if demand[0] in ("filled", "at_least_once"):
                yield literals
            else:
                yield from map(negated, combinations(literals, 2))


# --- rules beyond plain sudoku in clauses, as far as clauses reach ---
#
# A rule is a conjunction of parts (see `Rule.parts`). For each part the clauses exclude the
# smallest sets of placements that cannot be completed to digits that pass its test. So as soon as
# the digits that are known in the cells of one part rule out another digit there, unit propagation
# excludes it.

MAX_TRIED = 60_000
"""Ways to fill the cells of a part: five cells of a 9x9 grid, or ten whose order does not matter.
They take half a second."""

MAX_CLAUSES = 30_000
"""Clauses of one part in one place."""

MAX_IN_ALL = 200_000
"""Clauses of one rule."""

Some = tuple[tuple[int, ...], ...]
"""Digits of some of the cells: for each group of cells, in descending order."""


def clauses_of(rule: Rule, layout: Layout) -> tuple[Clause, ...]:
    """The clauses of a rule, which a full grid satisfies if and only if it obeys the rule.

    BackendFailure if clauses cannot express it, or it takes too many.
    """
    return _clauses_of(rule, layout._replace(rules=()))


@lru_cache(64)
def _clauses_of(rule: Rule, layout: Layout) -> tuple[Clause, ...]:
    clauses: dict[Clause, None] = {}
    try:
        for part in rule.parts(layout):
            for clause in _of_part(part, layout.size):
                clauses[clause] = None
                if len(clauses) > MAX_IN_ALL:
                    raise _TooMany(f"it would take more than {MAX_IN_ALL:,}")
    except _TooMany as error:
        raise _refused(rule, str(error)) from None
    except Empty:
        raise _refused(rule, "it is about cells that it does not name") from None
    except InvalidPuzzle:  # a custom rule
        raise _refused(rule, "it is not written in Python") from None
    return tuple(dict.fromkeys((*clauses, *_support_clauses(clauses, layout.size))))


class _TooMany(Exception):
    """There are more clauses, or more ways to fill some cells, than one can write down."""


def _refused(rule: Rule, why: str) -> BackendFailure:
    return BackendFailure(
        f"{rule}: clauses cannot say this rule: {why};"
        " solve, count and compare by clingo or prolog do without clauses"
    )


def _support_clauses(clauses: Iterable[Clause], size: int) -> Iterator[Clause]:
    """Clauses on the digits that one cell leaves to another cell.

    It follows from these clauses, since each cell holds a digit, but only by trying. With it, unit
    propagation excludes a digit as soon as nothing is left for it, which saves most of the lemmas.
    """
    never = {-clause[0] for clause in clauses if len(clause) == 1}
    clashes: dict[int, set[int]] = {}
    for clause in clauses:
        if len(clause) == 2 and max(clause) < 0:
            for one, other in permutations(clause):
                clashes.setdefault(-one, set()).add(-other)
    for one, others in clashes.items():
        for cell in sorted({(other - 1) // size for other in others}):
            digits = set(range(size * cell + 1, size * cell + size + 1)) - never
            supports = digits - others
            if len(supports) < len(digits) - 1:  # else the clauses do it themselves
                yield tuple(sorted((-one, *supports), key=abs))


def _of_part(part: Part, size: int) -> Iterator[Clause]:
    sorts = {sort[0]: sort for sort in part.sorts or [(digit,) for digit in range(1, size + 1)]}
    impossible: dict[tuple[int, ...], list[Some]] = {}
    for place in part.places:
        cells = tuple(dict.fromkeys(place))
        order = tuple(map(cells.index, place))
        groups = part.groups if part.groups and len(cells) == len(place) else [1] * len(cells)
        if order not in impossible:
            impossible[order] = list(_impossible(part, tuple(sorts), order, groups))
        remaining = iter(cells)
        grouped = [tuple(islice(remaining, length)) for length in groups]
        clauses = (
            clause
            for some in impossible[order]
            for where in product(*map(_orders, grouped, some))
            for clause in _not_held(size, chain(*where), [sorts[digit] for digit in chain(*some)])
        )
        yield from islice(clauses, MAX_CLAUSES)
        if next(clauses, None) is not None:
            raise _TooMany(f"it would take more than {MAX_CLAUSES:,}")


def _orders(cells: Cells, digits: Sequence[int]) -> Iterator[Cells]:
    """Each choice of cells for the digits, once; equal digits are side by side."""
    if not digits:
        yield ()
        return
    equal = digits.count(digits[0])
    for first in combinations(cells, equal):
        others = tuple(cell for cell in cells if cell not in first)
        for more in _orders(others, digits[equal:]):
            yield first + more


def _not_held(size: int, cells: Iterable[Cell], digit_sets: list[Numbers]) -> Iterator[Clause]:
    """State that not each of the cells holds one of its digits: a clause a choice, or one for all.

    One for all excludes less by unit propagation, but there may be thousands of choices.
    """
    cells = list(cells)
    one_by_one = prod(map(len, digit_sets)) <= size
    for choice in product(
        *([(d,) for d in digits] if one_by_one else [digits] for digits in digit_sets)
    ):
        pairs = zip(cells, choice, strict=True)
        literals = chain.from_iterable(_holds_none(size, *pair) for pair in pairs)
        yield tuple(sorted(literals, key=abs))


def _holds_none(size: int, cell: Cell, digits: Numbers) -> list[int]:
    """One of these is true if the cell holds none of the digits."""
    if len(digits) == 1:
        return [-literal(size, (*cell, *digits))]
    others = (digit for digit in range(1, size + 1) if digit not in digits)
    return [literal(size, (*cell, digit)) for digit in others]


def _impossible(
    part: Part, digits: Numbers, order: tuple[int, ...], groups: Sequence[int]
) -> Iterator[Some]:
    """The smallest choices of digits that no others complete so that they pass the test.

    `order` has the numbers of the different cells that are the cells of the place.
    """
    larger: set[Some] = set()
    for some in _fillings(digits, groups):
        filling = tuple(chain(*some))
        if part.passes(*(filling[at] for at in order)):
            larger.add(some)
    possible = larger
    while larger:
        larger = {less for some in larger for less in _with_one_less(some)}
        possible |= larger
    if not possible:
        yield ((),) * len(groups)
    tried = {more for some in possible for more in _with_one_more(some, digits, groups)}
    for some in sorted(tried - possible):
        if possible.issuperset(_with_one_less(some)):
            yield some


def _fillings(digits: Numbers, groups: Sequence[int]) -> Iterator[Some]:
    ways = prod(comb(len(digits) + length - 1, length) for length in groups)
    if ways > MAX_TRIED:
        raise _TooMany(
            f"{sum(groups)} cells of it depend on each other, too many to try all digits"
        )
    descending = sorted(digits, reverse=True)
    return product(*(combinations_with_replacement(descending, length) for length in groups))


def _with_one_less(some: Some) -> Iterator[Some]:
    for at, group in enumerate(some):
        for place in range(len(group)):
            yield (*some[:at], group[:place] + group[place + 1 :], *some[at + 1 :])


def _with_one_more(some: Some, digits: Numbers, groups: Sequence[int]) -> Iterator[Some]:
    for at, group in enumerate(some):
        for digit in digits if len(group) < groups[at] else ():
            more = tuple(sorted((*group, digit), reverse=True))
            yield (*some[:at], more, *some[at + 1 :])
