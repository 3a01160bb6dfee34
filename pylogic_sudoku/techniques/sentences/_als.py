"""The sentence for almost locked sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ...errors import listed
from ...grid import Placement
from ._words import digits_in, gone, where

if TYPE_CHECKING:
    from ...explain import Step

__all__ = ["SENTENCES"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _xz(step: Step) -> str:
    one, other = _sets(step)
    ties = _restricted(step, one, other)
    start = f"{_named([one, other])}. Each has one digit more than cells"
    if len(ties) > 1:
        return (
            f"{start}. A and B do not both hold {ties[0]}, nor both {listed(ties[1:], 'or')}. So"
            f" each holds one of these and all its other digits, and this goes: {gone(step)}"
        )
    return (
        f"{start}. A and B do not both hold {ties[0]}, so one of them holds all its other digits."
        f" This goes, as it sees all cells of its digit in both: {gone(step)}"
    )


def _sets(step: Step) -> list[tuple[Placement, ...]]:
    """The candidates of the sets, in their order."""
    return [candidates for role, candidates in step.roles if role.startswith("set ")]


def _named(sets: Iterable[Iterable[Placement]]) -> str:
    """The sets with their letters: ``set A is r1c1 (2 and 3), set B is r1c7 (2 and 4)``."""
    return ", ".join(
        f"set {letter} is {_set(each)}" for letter, each in zip(LETTERS, sets, strict=False)
    )


def _set(candidates: Iterable[Placement]) -> str:
    """Cells and what they hold: ``r1c2 and r1c5 (2, 3 and 7)``."""
    held = [*candidates]
    return f"{where(held)} ({listed(digits_in(held))})"


def _restricted(step: Step, one: Iterable[Placement], other: Iterable[Placement]) -> list[int]:
    """The restricted digits: all their cells in one set see all their cells in the other."""
    houses = [set(house.cells) for house in step.puzzle.houses]

    def apart(first: Placement, second: Placement) -> bool:
        return first.cell == second.cell or not any(
            first.cell in house and second.cell in house for house in houses
        )

    firsts, seconds = [*one], [*other]
    common = {each.digit for each in firsts} & {each.digit for each in seconds}
    return [
        digit
        for digit in sorted(common)
        if not any(
            apart(first, second)
            for first in firsts
            for second in seconds
            if first.digit == second.digit == digit
        )
    ]


SENTENCES: dict[str, Callable[[Step], str]] = {
    "als_xz": _xz,
}
