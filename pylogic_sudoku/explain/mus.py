"""Minimal sets of demands that contradict each other, and sets that must go: how they are found.

Some demands are *hard*, others are *soft*. A `Mus` (minimal unsatisfiable subset) is a minimal set
of soft demands that contradicts the hard ones. A correction set is a minimal set of soft demands
without which the rest is consistent.

Every MUS hits every correction set. So a smallest MUS is a smallest hitting set of correction sets,
and the other way round (implicit hitting sets, as in SMUS and MaxHS); the sets that were hit prove
that no smaller one exists. All MUSes are enumerated by MARCO (Liffiton and others).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from ..errors import SolveTimeout
from ..reasons.minimal import minimal
from ..rules.demands import Demand
from ..running.workers import Budget
from .answer import Mus

if TYPE_CHECKING:
    from ..engines.sudoku.rulebook import DemandSolver


def shrink(solver: DemandSolver, mus: Mus, budget: Budget) -> Mus:
    """A MUS of minimum size, or the best that is found before time runs out.

    The bounds on the size of a smallest MUS become the activity of the budget, in another thread.
    """
    best = replace(mus, correction_sets=())

    def search() -> None:
        nonlocal best
        for better in MusSearch(solver, mus.hard, mus.soft).narrow(mus):
            bounds = better.least, len(better.members)
            if bounds != (best.least, len(best.members)):
                least, most = bounds
                budget.turn_to("looking for a set of minimum size", f"of {least} to {most} members")
            best = better

    with suppress(SolveTimeout):
        solver.run(search)
    return best


class MusSearch:
    """Finds which of the soft demands contradict the hard ones, and which of them must go.

    A search asks the solver hundreds of questions: run it as a whole by `DemandSolver.run`.
    """

    def __init__(
        self, solver: DemandSolver, hard: Iterable[Demand], soft: Iterable[Demand]
    ) -> None:
        self._solver = solver
        self._hard = tuple(hard)
        self._soft = tuple(soft)
        self._anyway = solver.literals(self._hard)
        # A literal may represent one demand only, so demands that occur twice are merged.
        self._of = dict(zip(solver.literals(self._soft), self._soft, strict=True))

    def mus(self) -> Mus | None:
        """A MUS; None if nothing is contradicted.

        If there are several, the first soft demands are preferred, as deletion begins with the
        last.
        """
        members = self._minimal(list(self._of))
        return None if members is None else Mus(self._hard, self._soft, self._demands(members))

    def every_mus(self) -> Iterator[Mus]:
        """Every MUS, once, found on demand (MARCO)."""
        # The subsets not yet known to be consistent or not.
        unknown = self._solver.hitting_sets(self._of)
        while (chosen := unknown.large()) is not None:
            members = self._minimal([demand for demand in self._of if demand in chosen])
            if members is None:
                unknown.hit(self._correction_set(chosen))
            else:
                unknown.spare(members)
                yield Mus(self._hard, self._soft, self._demands(members))

    def narrow(self, mus: Mus) -> Iterator[Mus]:
        """MUSes no larger than this one, with ever better bounds; the last is a smallest (SMUS)."""
        hitting_sets = self._solver.hitting_sets(self._of)
        correction_sets: list[tuple[Demand, ...]] = []
        best = mus.members
        for number in count(1):
            chosen = hitting_sets.smallest() or set()
            if self._solver.unsat_core([*self._anyway, *chosen]) is not None:
                best = self._demands(demand for demand in self._of if demand in chosen)
            elif number.bit_count() == 1:  # now and then, as that takes many questions
                best = min(best, self._around(chosen), key=len)
            yield Mus(self._hard, self._soft, best, tuple(correction_sets), len(chosen))
            if len(best) == len(chosen):
                return
            for disjoint, members in enumerate(self._disjoint_correction_sets(chosen), 1):
                hitting_sets.hit(members)
                correction_sets.append(self._demands(members))
                if disjoint > len(chosen):  # as in the first round
                    yield Mus(self._hard, self._soft, best, tuple(correction_sets), disjoint)

    def _around(self, chosen: Collection[int]) -> tuple[Demand, ...]:
        """A MUS that holds as many of these demands as deletion leaves it."""
        rest = [demand for demand in self._of if demand not in chosen]
        return self._demands(sorted(self._minimal([*chosen, *rest]) or (), key=[*self._of].index))

    def _disjoint_correction_sets(self, chosen: Collection[int]) -> Iterator[list[int]]:
        """Correction sets without these demands, which are consistent.

        They are disjoint, as such sets raise the bound fastest.
        """
        have = set(chosen)
        while True:
            members = self._correction_set(have)
            yield members
            have.update(members)
            if self._solver.satisfied_soon([*self._anyway, *have]) is None:
                return

    def muses_to_hit(self) -> list[tuple[Demand, ...]]:
        """MUSes, until a smallest hitting set of theirs is a smallest correction set.

        The hard demands must be consistent.
        """
        hitting_sets = self._solver.hitting_sets(self._of)
        muses: list[tuple[Demand, ...]] = []
        while True:
            chosen = hitting_sets.smallest() or set()
            untouched = [demand for demand in self._of if demand not in chosen]
            if not (mus := self._minimal(untouched)):
                return muses
            while mus:
                # Disjoint MUSes raise the bound fastest.
                hitting_sets.hit(mus)
                muses.append(self._demands(mus))
                untouched = [demand for demand in untouched if demand not in mus]
                mus = self._minimal(untouched)

    def _minimal(self, soft: Sequence[int]) -> list[int] | None:
        return minimal(self._solver, self._anyway, soft)

    def _correction_set(self, have: Collection[int]) -> list[int]:
        """A nearly minimal correction set of what is not in `have`, which must be consistent.

        Minimality is not proved when a check would be slow, and no caller needs it.
        """
        hard = [*self._anyway, *have]
        consistent_demands: list[int] = []
        members: list[int] = []
        undecided = [demand for demand in self._of if demand not in have]
        many = len(undecided)
        while undecided:
            satisfied = self._solver.satisfied_soon(
                [*hard, *consistent_demands, *undecided[:many]], undecided
            )
            if satisfied is not None:
                consistent_demands += [demand for demand in undecided if demand in satisfied]
                undecided = [demand for demand in undecided if demand not in satisfied]
                many *= 2
            elif many > 1:
                many = (min(many, len(undecided)) + 1) // 2
            else:
                members.append(undecided.pop(0))
        return members

    def _demands(self, members: Iterable[int]) -> tuple[Demand, ...]:
        return tuple(self._of[member] for member in members)
