"""Minimal and smallest sets of demands that contradict each other.

Demands are literals of `Reasons`. `sure` are those that always hold; of `maybe` a set is sought
that contradicts them: a *core*. A *remedy* is a set of demands without which the rest is
consistent. Every core meets every remedy, and a smallest one of either kind is a smallest set
that meets all of the other kind; so the sets that were met prove how small it must be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..engines.clingo.rulebook import Reasons

__all__ = ["Smallest", "every_minimal", "minimal", "smallest_cores", "smallest_remedy"]


class Smallest(NamedTuple):
    """A smallest set, and sets that any such set has to meet: none with fewer members can."""

    members: list[int]
    met: tuple[tuple[int, ...], ...]


def minimal(reasons: Reasons, sure: Sequence[int], maybe: Sequence[int]) -> list[int] | None:
    """A core none of whose members can be spared, in the order given; None if there is no core.

    The last of `maybe` are the first to be spared.
    """
    core = reasons.refute([*sure, *maybe])
    if core is None:
        return None
    needed: list[int] = []
    left = [demand for demand in maybe if demand in core]
    while left:
        demand = left.pop()
        core = reasons.refute([*sure, *needed, *left])
        if core is None:
            needed.append(demand)
        else:
            left = [other for other in left if other in core]
    return needed[::-1]


def smallest_cores(
    reasons: Reasons, sure: Sequence[int], maybe: Sequence[int]
) -> Iterator[Smallest]:
    """Every smallest core, found as it is asked for; nothing if there is no core."""
    if reasons.refute([*sure, *maybe]) is None:
        return
    choice = reasons.choice(maybe)
    met: list[tuple[int, ...]] = []
    fewest = len(maybe)
    while (chosen := choice.smallest()) is not None and len(chosen) <= fewest:
        if reasons.refute([*sure, *chosen]) is not None:
            fewest = len(chosen)
            yield Smallest([demand for demand in maybe if demand in chosen], tuple(met))
            choice.not_all(chosen)
            continue
        # Remedies that have nothing in common tell most.
        have = set(chosen)
        while True:
            remedy = _remedy(reasons, [*sure, *have], [d for d in maybe if d not in have])
            choice.some(remedy)
            met.append(tuple(remedy))
            have.update(remedy)
            if not reasons.stands([*sure, *have]):
                break


def smallest_remedy(reasons: Reasons, sure: Sequence[int], maybe: Sequence[int]) -> Smallest | None:
    """A smallest remedy; None if `sure` contradicts itself."""
    choice = reasons.choice(maybe)
    met: list[tuple[int, ...]] = []
    while (chosen := choice.smallest()) is not None:
        left = [demand for demand in maybe if demand not in chosen]
        core = minimal(reasons, sure, left)
        if core is None:
            return Smallest([demand for demand in maybe if demand in chosen], tuple(met))
        while core is not None:
            # Cores that have nothing in common tell most.
            choice.some(core)
            met.append(tuple(core))
            left = [demand for demand in left if demand not in core]
            core = minimal(reasons, sure, left) if core else None
    return None


def every_minimal(
    reasons: Reasons, sure: Sequence[int], maybe: Sequence[int]
) -> Iterator[list[int]]:
    """Every core none of whose members can be spared, once, found as it is asked for."""
    # What is chosen is a subset of which nothing is known yet (Liffiton and others, MARCO).
    choice = reasons.choice(maybe)
    while (chosen := choice.large()) is not None:
        core = minimal(reasons, sure, [demand for demand in maybe if demand in chosen])
        if core is None:
            choice.some(_remedy(reasons, [*sure, *chosen], [d for d in maybe if d not in chosen]))
        else:
            choice.not_all(core)
            yield core


def _remedy(reasons: Reasons, sure: Sequence[int], maybe: Iterable[int]) -> list[int]:
    """A remedy, where `sure` are consistent: one of which hardly any demand could be kept.

    That none could be kept is not proved where it would take long: it need not be so.
    """
    kept: list[int] = []
    remedy: list[int] = []
    left = list(maybe)
    many = len(left)
    while left:
        if reasons.stands([*sure, *kept, *left[:many]], left):
            kept += [demand for demand in left if demand in reasons.true]
            left = [demand for demand in left if demand not in reasons.true]
            many *= 2
        elif many > 1:
            many = (min(many, len(left)) + 1) // 2
        else:
            remedy.append(left.pop(0))
    return remedy
