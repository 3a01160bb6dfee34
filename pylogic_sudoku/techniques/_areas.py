"""Sentences for steps that rest on one rule beyond plain sudoku."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..errors import listed
from ..explain._demands import SudokuRule
from ..explain._explanation import cells_in
from ..rules import Different, KillerCage
from ._words import gone, house

if TYPE_CHECKING:
    from ..explain import Step

__all__ = ["SENTENCES"]

FEW = 4
"""With more combinations than that, a list of them would help nobody."""


def _hidden_single(step: Step) -> str:
    assert step.placed
    return (
        f"{_area(step.must[0])} must hold {step.placed.digit},"
        f" and {step.placed.cell} is the only cell left for it"
    )


def _locked_candidates(step: Step) -> str:
    one, other = (_area(rule) if rule.beyond else house(rule) for rule in step.rules)
    return (
        f"in {one}, {step.removed[0].digit} fits only in cells of {other},"
        f" so it goes from the rest of {other}: {gone(step)}"
    )


def _naked(step: Step) -> str:
    chosen = dict(step.roles)["set"]
    digits = sorted({each.digit for each in chosen})
    return (
        f"{listed(cells_in(chosen))} hold {listed(digits)} between them, so these go from the rest"
        f" of {_area(step.most[0])}: {gone(step)}"
    )


def _hidden(step: Step) -> str:
    chosen = dict(step.roles)["set"]
    digits = sorted({each.digit for each in chosen})
    return (
        f"in {_area(step.must[0])}, {listed(digits)} fit only in {listed(cells_in(chosen))}, so all"
        f" else goes from there: {gone(step)}"
    )


def _combinations(step: Step) -> str:
    rule = step.rules[0].beyond
    left = [*_left(step, rule)] if isinstance(rule, KillerCage) else []
    if not 1 <= len(left) <= FEW:
        return _one_rule(step)
    sums = listed((" + ".join(map(str, digits)) for digits in left), "or")
    return f"the {rule} holds {sums}, so this goes: {gone(step)}"


def _one_rule(step: Step) -> str:
    return f"by the {step.rules[0]} alone, this goes: {gone(step)}"


def _left(step: Step, cage: KillerCage) -> Iterator[tuple[int, ...]]:
    """The sets of digits that a cage can hold."""
    cells = [
        {step.grid[cell]} if step.grid[cell] else step.candidates[cell.row - 1][cell.column - 1]
        for cell in cage.cells
    ]
    if len({*cage.cells}) < len(cells):
        return  # a cell that counts twice makes no plain sum
    for digits in combinations(range(1, step.grid.size + 1), len(cells)):
        if sum(digits) == cage.sum and _fit(frozenset(digits), sorted(cells, key=len)):
            yield digits


def _fit(digits: frozenset[int], cells: list[Any]) -> bool:
    """True if each digit has a cell of its own."""
    if not cells:
        return True
    return any(_fit(digits - {digit}, cells[1:]) for digit in digits & cells[0])


def _area(rule: SudokuRule) -> str:
    """The cells of a rule: ``the diagonal from r1c1 to r9c9``, ``the cage of r1c1 and r1c2``."""
    each: Any = rule.beyond
    cells = each.cells
    if isinstance(each, Different) and each.name:
        return f"the {each.name} from {cells[0]} to {cells[-1]}"
    what = "cage" if isinstance(each, KillerCage) else "set"
    return f"the {what} of {listed(dict.fromkeys(cells))}"


SENTENCES: dict[str, Callable[[Step], str]] = {
    "hidden_single": _hidden_single,
    **dict.fromkeys(("pointing", "claiming"), _locked_candidates),
    **dict.fromkeys(("naked_pair", "naked_triple", "naked_quad"), _naked),
    **dict.fromkeys(("hidden_pair", "hidden_triple", "hidden_quad"), _hidden),
    "cage_combinations": _combinations,
    "one_rule": _one_rule,
}
