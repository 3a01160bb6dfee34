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


def _chain(step: Step) -> str:
    sets = _sets(step)
    pairs = pairwise(LETTERS[: len(sets)])
    ties = (
        f"{one} and {other} do not both hold {digit}"
        for digit, (one, other) in zip(_path(step, sets), pairs, strict=True)
    )
    return (
        f"{_named(sets)}. Each has one digit more than cells. {'; '.join(ties)}. So A or"
        f" {LETTERS[len(sets) - 1]} holds all its other digits, and this goes, as it sees all"
        f" cells of its digit in both: {gone(step)}"
    )


def _blossom(step: Step) -> str:
    roles = dict(step.roles)
    stem = roles["stem"]
    petals = "; ".join(
        f"{each.digit} takes the {each.digit} from {_set(roles[f'petal({each.digit})'])}"
        for each in stem
    )
    return (
        f"{stem[0].cell} is {listed((each.digit for each in stem), 'or')}: {petals}. Each of these"
        f" sets has one digit more than cells, so without this digit it holds all the others. In"
        f" each case this goes: {gone(step)}"
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
