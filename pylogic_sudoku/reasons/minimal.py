"""Minimal sets of literals that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Solver(Protocol):
    """A search for literals that contradict each other; None if these do not."""

    def unsat_core(self, demands: Sequence[int]) -> set[int] | None: ...


def minimal(solver: Solver, hard: Sequence[int], soft: Sequence[int]) -> list[int] | None:
    """A MUS of literals, in the order given, by deletion from the end; None if there is none."""
    core = solver.unsat_core([*hard, *soft])
    if core is None:
        return None
    needed: list[int] = []
    untested = [demand for demand in soft if demand in core]
    while untested:
        demand = untested.pop()
        core = solver.unsat_core([*hard, *needed, *untested])
        if core is None:
            needed.append(demand)
        else:
            untested = [other for other in untested if other in core]
    return needed[::-1]
