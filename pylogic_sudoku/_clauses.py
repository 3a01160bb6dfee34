"""A puzzle in clauses, as SAT solvers and proof checkers take it.

Variable n*n*(row - 1) + n*(column - 1) + digit says that the cell holds the digit; a literal is a
variable, or minus a variable for "does not hold"; a clause is a tuple of literals, one of which
must be true. All of this is plain Python that knows no engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import Any, NamedTuple

from .errors import InvalidPuzzle
from .grid import Grid, Layout, Placement
from .puzzle import Puzzle

__all__ = ["Claim", "Clause", "Demand", "literal", "negated", "of_demand", "of_layout"]
__all__ += ["placement", "rules_of", "said"]

Clause = tuple[int, ...]
Demand = tuple[Any, ...]
"""A rule, a given or a mark: see ``_demands.py``."""


class Claim(NamedTuple):
    """The claim that no grid is a solution of a puzzle, or of some of its demands alone."""

    puzzle: Grid | Puzzle
    solution: Grid | None = None
    """If there is one, the claim is that no other grid is a solution."""
    demands: tuple[Demand, ...] | None = None
    """The rules, givens and marks that count, as an explanation names them; None for all."""

    def rules(self) -> tuple[Clause, ...]:
        """The clauses of its rules, each once."""
        if self.demands is None:
            return of_layout(self.puzzle.layout)
        return tuple(chain.from_iterable(clauses for _, clauses in self.by_rule()))

    def by_rule(self) -> Iterator[tuple[Demand, tuple[Clause, ...]]]:
        """Each of its rules, with the clauses that no rule before it has."""
        layout = self.puzzle.layout
        rules = rules_of(layout) if self.demands is None else self.demands
        return _by_rule(layout, (demand for demand in rules if not _fact(layout.size, demand)))

    def facts(self) -> tuple[Clause, ...]:
        """The clauses of one literal: its givens and marks."""
        n = self.puzzle.size
        if self.demands is not None:
            return tuple((fact,) for each in self.demands if (fact := _fact(n, each)))
        holds = ((literal(n, each),) for each in self.puzzle.givens)
        return (*holds, *((-literal(n, each),) for each in self.puzzle.excluded))

    def another(self) -> tuple[Clause, ...]:
        """The clause that excludes the solution, if there is one."""
        if self.solution is None:
            return ()
        return (negated(literal(self.puzzle.size, each) for each in self.solution.givens),)

    def clauses(self) -> tuple[Clause, ...]:
        """All clauses: of its rules, givens and marks, and the one that excludes the solution."""
        return (*self.rules(), *self.facts(), *self.another())


def literal(size: int, placement: Iterable[int]) -> int:
    """The variable that says that a cell of an n x n grid holds a digit."""
    row, column, digit = placement
    return size * size * (row - 1) + size * (column - 1) + digit


def placement(size: int, literal: int) -> Placement:
    """What the variable of a literal says."""
    cell, digit = divmod(abs(literal) - 1, size)
    return Placement(cell // size + 1, cell % size + 1, digit + 1)


def negated(literals: Iterable[int]) -> Clause:
    """The clause that not all of the literals are true."""
    return tuple(-each for each in literals)


def said(size: int, clause: Clause) -> str:
    """The clause as a person reads it.

    >>> said(9, (-5, 12))
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

    BackendFailure if it has a rule that cannot be said in clauses.
    """
    return tuple(chain.from_iterable(each for _, each in _by_rule(layout, rules_of(layout))))


def rules_of(layout: Layout) -> list[Demand]:
    """Its rules: one digit in each cell, the houses, and the rules beyond these."""
    houses = (("house", house.kind, house.number) for house in layout.houses)
    return [("cells",), *houses, *(("rule", rule) for rule in layout.rules)]


def _by_rule(
    layout: Layout, rules: Iterable[Demand]
) -> Iterator[tuple[Demand, tuple[Clause, ...]]]:
    known: set[Clause] = set()
    for rule in rules:
        clauses = tuple(dict.fromkeys(of_demand(layout, rule)))
        yield rule, tuple(clause for clause in clauses if clause not in known)
        known.update(clauses)


def _fact(size: int, demand: Demand) -> int:
    """The literal that a given or a mark makes true; 0 for a rule."""
    if isinstance(demand[0], int):
        return literal(size, demand)
    return -literal(size, demand[1:]) if demand[0] == "excluded" else 0


def of_demand(layout: Layout, demand: Demand) -> Iterator[Clause]:
    """The clauses of one rule, some perhaps twice; BackendFailure as for `of_layout`."""
    n = layout.size
    digits = range(1, n + 1)
    match demand:
        case ("cells",):
            for cell in layout.cells:
                yield from _exactly_one([literal(n, (*cell, digit)) for digit in digits])
        case ("house", kind, number):
            for digit in digits:
                yield from _exactly_one(_places(layout, kind, number, digit))
        case ("filled", row, column):
            yield tuple(literal(n, (row, column, digit)) for digit in digits)
        case ("single", row, column):
            yield from _at_most_one([literal(n, (row, column, digit)) for digit in digits])
        case ("somewhere", kind, number, digit):
            yield tuple(_places(layout, kind, number, digit))
        case ("once", kind, number, digit):
            yield from _at_most_one(_places(layout, kind, number, digit))
        case ("rule", rule):
            from .rules._clauses import clauses_of

            yield from clauses_of(rule, layout)
        case _:
            raise InvalidPuzzle(f"{demand!r} is not a rule of {layout}")


def _places(layout: Layout, kind: str, number: int, digit: int) -> list[int]:
    for house in layout.houses:
        if (house.kind, house.number) == (kind, number):
            return [literal(layout.size, (*cell, digit)) for cell in house.cells]
    raise InvalidPuzzle(f"{layout} has no {kind} {number}")


def _exactly_one(literals: list[int]) -> Iterator[Clause]:
    yield tuple(literals)
    yield from _at_most_one(literals)


def _at_most_one(literals: list[int]) -> Iterator[Clause]:
    return map(negated, combinations(literals, 2))
