"""Sentences for wings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import listed
from ..explain._explanation import cells_in
from ._words import cell_of

if TYPE_CHECKING:
    from ..explain import Step

__all__ = ["SENTENCES"]


def _xy_wing(step: Step) -> str:
    gone = step.removed[0].digit
    two = {
        cell_of(rule): step.candidates[cell_of(rule).row - 1][cell_of(rule).column - 1]
        for rule in step.must
    }
    pivot = next(cell for cell, digits in two.items() if gone not in digits)
    ways = [
        f"if it is {digit}, then {cell} is {gone}"
        for digit in sorted(two[pivot])
        for cell, digits in two.items()
        if digits == {digit, gone}
    ]
    return (
        f"{pivot} is {listed(sorted(two[pivot]), 'or')}: {'; '.join(ways)}."
        f" Either way {gone} goes from {listed(cells_in(step.removed))}, which both see"
    )


SENTENCES: dict[str, Callable[[Step], str]] = {"xy_wing": _xy_wing}
