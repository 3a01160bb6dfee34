"""Sentences for almost locked sets, death blossoms and Sue de Coq."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

from ...errors import listed
from ...grid import Placement
from ._words import digits_in, gone, where

if TYPE_CHECKING:
    from ...explain import Step

__all__ = ["SENTENCES"]


def _xz(step: Step) -> str:
    one, other = _sets(step)
    ties = _restricted(step, one, other)
    shared = listed(ties)
    if len(ties) > 1:
        return (
            f"{_set(one)} and {_set(other)} are each one cell short. Each digit of {shared} fits"
            f" in only one of the two sets, so each set holds one of these and all its other"
            f" digits: this goes: {gone(step)}"
        )
    return (
        f"{_set(one)} and {_set(other)} are each one cell short. Only one of the two sets can hold"
        f" {shared}, so the other holds all its other digits, and this sees all their cells in both"
        f" sets and goes: {gone(step)}"
    )


def _chain(step: Step) -> str:
    sets = _sets(step)
    row = "; ".join(map(_set, sets))
    links = _path(step, sets)
    through = listed(
        f"{digit} of {where(one)} and {where(other)}"
        for digit, (one, other) in zip(links, pairwise(sets), strict=True)
    )
    return (
        f"these sets of cells are each one cell short: {row}. Only one of two neighbours can hold"
        f" the digit that links them: {through}. So the first or the last set holds all its other"
        f" digits, and this sees all their cells in both and goes: {gone(step)}"
    )


def _blossom(step: Step) -> str:
    roles = dict(step.roles)
    stem = roles["stem"]
    petals = "; ".join(
        f"if it is {each.digit}, {_set(roles[f'petal({each.digit})'])} do without {each.digit}"
        for each in stem
    )
    return (
        f"{stem[0].cell} is {listed((each.digit for each in stem), 'or')}: {petals}. Each of these"
        f" sets is one cell short, so it then holds all its other digits. Whichever it is, this"
        f" goes: {gone(step)}"
    )


def _sue_de_coq(step: Step) -> str:
    roles = dict(step.roles)
    line, box = (_set(roles[part]) for part in ("line", "box"))
    return (
        f"{_set(roles['crossing'])}, where a line crosses a box, share their digits with {line} in"
        f" the line and with {box} in the box. They are as many cells as they hold digits, so every"
        f" digit has its place in them, and this goes: {gone(step)}"
    )


def _sets(step: Step) -> list[tuple[Placement, ...]]:
    """The candidates of the sets, in their order."""
    return [candidates for role, candidates in step.roles if role.startswith("set ")]


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


def _path(step: Step, sets: list[tuple[Placement, ...]]) -> list[int]:
    """The digits that link each set to the next, no two in a row the same."""
    ties = [_restricted(step, one, other) for one, other in pairwise(sets)]
    gone = {each.digit for each in step.removed}
    paths: list[list[int]] = [[]]
    for tie in ties:
        paths = [[*path, digit] for path in paths for digit in tie if path[-1:] != [digit]]
    return next(path for path in paths if not gone & {path[0], path[-1]})


SENTENCES: dict[str, Callable[[Step], str]] = {
    "als_xz": _xz,
    "als_xy_wing": _chain,
    "als_xy_chain": _chain,
    "death_blossom": _blossom,
    "sue_de_coq": _sue_de_coq,
}
