"""Sentences for singles, locked candidates, sets, single rules and minimal sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ..._demands import SudokuRule, said
from ...errors import listed
from ...rules import Different, KillerCage
from ._words import cells, digits, digits_in, gone, house, houses, where

if TYPE_CHECKING:
    from ...explain import Step

__all__ = ["IN_AREAS", "SENTENCES"]

FEW = 4
"""With more combinations than that, a list of them would help nobody."""


def _naked_single(step: Step) -> str:
    return f"{_placed(step)}, as no other digit is left for it"


def _full_house(step: Step) -> str:
    return f"{house(step.must[0])} has one empty cell left, so {_placed(step)}"


def _hidden_single(step: Step) -> str:
    assert step.placed
    return f"{SudokuRule(step.must[0])}, and {step.placed.cell} is the only cell left for it"


def _placed(step: Step) -> str:
    assert step.placed
    return f"{step.placed.cell} is {step.placed.digit}"


def _locked_candidates(step: Step) -> str:
    (must,), (most,) = step.must, step.most
    return (
        f"in {house(must)}, {must[3]} fits only where {house(most)} crosses it,"
        f" so it goes from the rest of {house(most)}: {gone(step)}"
    )


def _naked(step: Step) -> str:
    return (
        f"{cells(step.must)} hold {digits(step.most)} between them, so these go from the rest of"
        f" {house(step.most[0])}: {gone(step)}"
    )


def _hidden(step: Step) -> str:
    return (
        f"in {house(step.must[0])}, {digits(step.must)} fit only in {cells(step.most)}, so all else"
        f" goes from there: {gone(step)}"
    )


def _fish(step: Step) -> str:
    return (
        f"in {houses(step.must)}, {step.must[0][3]} fits only in {houses(step.most)}, so it goes"
        f" from the rest of these: {gone(step)}"
    )


def _minimal_set(step: Step) -> str:
    (removed,) = step.removed
    return (
        f"{removed.digit} goes from {removed.cell}, as with it not all of these"
        f" {len(step.rules)} rules could be obeyed: {'; '.join(said(step.rules))}"
    )


# --- in the cells of a rule beyond plain sudoku ---


def _hidden_single_in_area(step: Step) -> str:
    assert step.placed
    return (
        f"{_area(step.must[0])} must hold {step.placed.digit},"
        f" and {step.placed.cell} is the only cell left for it"
    )


def _locked_candidates_in_area(step: Step) -> str:
    one, other = (_area(rule) if rule.beyond else house(rule) for rule in step.rules)
    return (
        f"in {one}, {step.removed[0].digit} fits only in cells of {other},"
        f" so it goes from the rest of {other}: {gone(step)}"
    )


def _naked_in_area(step: Step) -> str:
    chosen = dict(step.roles)["set"]
    return (
        f"{where(chosen)} hold {listed(digits_in(chosen))} between them, so these go from the rest"
        f" of {_area(step.most[0])}: {gone(step)}"
    )


def _hidden_in_area(step: Step) -> str:
    chosen = dict(step.roles)["set"]
    return (
        f"in {_area(step.must[0])}, {listed(digits_in(chosen))} fit only in {where(chosen)}, so all"
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
    for several in combinations(range(1, step.grid.size + 1), len(cells)):
        if sum(several) == cage.sum and _fit(frozenset(several), sorted(cells, key=len)):
            yield several


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
    "full_house": _full_house,
    "naked_single": _naked_single,
    "hidden_single": _hidden_single,
    **dict.fromkeys(("pointing", "claiming"), _locked_candidates),
    **dict.fromkeys(("naked_pair", "naked_triple", "naked_quad"), _naked),
    **dict.fromkeys(("hidden_pair", "hidden_triple", "hidden_quad"), _hidden),
    **dict.fromkeys(("x_wing", "swordfish", "jellyfish"), _fish),
    "cage_combinations": _combinations,
    "one_rule": _one_rule,
    "minimal_set": _minimal_set,
}

IN_AREAS: dict[str, Callable[[Step], str]] = {
    "hidden_single": _hidden_single_in_area,
    **dict.fromkeys(("pointing", "claiming"), _locked_candidates_in_area),
    **dict.fromkeys(("naked_pair", "naked_triple", "naked_quad"), _naked_in_area),
    **dict.fromkeys(("hidden_pair", "hidden_triple", "hidden_quad"), _hidden_in_area),
}
"""For steps in the cells of a rule beyond plain sudoku."""
