"""Sentences for singles, locked candidates, sets, basic fish and minimal sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..explain._demands import SudokuRule, said
from ._words import cells, digits, gone, house, houses

if TYPE_CHECKING:
    from ..explain import Step

__all__ = ["SENTENCES"]


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


SENTENCES: dict[str, Callable[[Step], str]] = {
    "full_house": _full_house,
    "naked_single": _naked_single,
    "hidden_single": _hidden_single,
    **dict.fromkeys(("pointing", "claiming"), _locked_candidates),
    **dict.fromkeys(("naked_pair", "naked_triple", "naked_quad"), _naked),
    **dict.fromkeys(("hidden_pair", "hidden_triple", "hidden_quad"), _hidden),
    **dict.fromkeys(("x_wing", "swordfish", "jellyfish"), _fish),
    "minimal_set": _minimal_set,
}
