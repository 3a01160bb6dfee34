"""Sets of demands that contradict each other, and sets that must go: found, and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..engines import Backend, Checker, checker, get
from ..errors import Disagreement
from ..grid import Grid, Layout
from ._minimal import Smallest, every_minimal, minimal, smallest_cores, smallest_remedy
from ._rules import CELLS, Demand, Placement, Rule, cell_rules, counted

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ..engines.clingo.engine import ClingoBackend
    from ..engines.clingo.rulebook import Reasons

__all__ = ["Core", "Question", "Remedy", "asking", "clingo", "literals", "reason"]


def clingo() -> ClingoBackend:
    """The engine that finds explanations."""
    return get("clingo")  # type: ignore[return-value]


def asking(layout: Layout, timeout: float | None) -> AbstractContextManager[Reasons]:
    """clingo, to be asked in the block."""
    return clingo().reasons(layout, timeout)


def literals(reasons: Reasons, demands: Iterable[Demand]) -> list[int]:
    """The literals that stand for demands."""
    return [
        -reasons.literal(demand[1:]) if demand[0] == "lacks" else reasons.literal(demand)
        for demand in demands
    ]


@dataclass(frozen=True, slots=True)
class Core:
    """Demands that, together with what is demanded anyway, no grid obeys; none can be spared."""

    sure: tuple[Demand, ...]
    """What is demanded anyway."""
    maybe: tuple[Demand, ...]
    """What the members were chosen from."""
    members: tuple[Demand, ...]
    met: tuple[tuple[Demand, ...], ...] | None = None
    """Where no other core is smaller: sets each of which every core must meet, and which are not
    met by fewer demands than there are members."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(Rule(demand) for demand in self.members if _is_rule(demand))

    @property
    def placements(self) -> tuple[Placement, ...]:
        return tuple(demand for demand in self.members if _is_placement(demand))  # type: ignore[misc]

    @property
    def lacking(self) -> tuple[Placement, ...]:
        """Placements whose absence matters."""
        return tuple(demand[1:] for demand in self.members if demand[0] == "lacks")  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"<Core: {counted(len(self.members), 'demand')}>"

    def verify(self, puzzle: Grid, backend: str | Backend = "clingo") -> None:
        """Checks that the members contradict, that none can be spared, and the claim of `met`.

        All by `consistent` of the engine, but clingo counts how many demands meet all of `met`.
        """
        check = _Check(puzzle, checker(backend), self.sure)
        check(False, self.members, "these are a reason")
        for member in self.members:
            rest = [demand for demand in self.members if demand != member]
            check(True, rest, f"{member} cannot be spared")
        for remedy in self.met or ():
            rest = [demand for demand in self.maybe if demand not in remedy]
            check(True, rest, f"every reason has one of {remedy}")
        if self.met is not None:
            check.fewest(self.met, len(self.members))


@dataclass(frozen=True, slots=True)
class Remedy:
    """The fewest demands that must go for a grid to obey the rest and what is demanded anyway."""

    sure: tuple[Demand, ...]
    maybe: tuple[Demand, ...]
    members: tuple[Demand, ...]
    met: tuple[tuple[Demand, ...], ...]
    """Sets of demands one of which must go, and which are not met by fewer than the members."""

    def __repr__(self) -> str:
        return f"<Remedy: {counted(len(self.members), 'demand')}>"

    def verify(self, puzzle: Grid, backend: str | Backend = "clingo") -> None:
        """Checks that the rest is consistent, that each member must go, and that none are fewer."""
        check = _Check(puzzle, checker(backend), self.sure)
        rest = [demand for demand in self.maybe if demand not in self.members]
        check(True, rest, "the rest can stand")
        for member in self.members:
            check(False, [*rest, member], f"{member} must go too")
        for core in self.met:
            check(False, core, f"one of {core} must go")
        check.fewest(self.met, len(self.members))


class _Check:
    """Asks an engine what an explanation claims; Disagreement with the puzzle if it differs."""

    def __init__(self, puzzle: Grid, backend: Checker, sure: Sequence[Demand]) -> None:
        self._puzzle = puzzle
        self._backend = backend
        self._sure = sure

    def __call__(self, expected: bool, demands: Iterable[Demand], claim: str) -> None:
        rules: list[Demand] = []
        holds: list[Placement] = []
        lacks: list[Placement] = []
        for demand in (*self._sure, *demands):
            if demand == CELLS:
                rules += map(tuple, cell_rules(self._puzzle.layout))
            elif demand[0] == "lacks":
                lacks.append(demand[1:])  # type: ignore[arg-type]
            elif _is_placement(demand):
                holds.append(demand)  # type: ignore[arg-type]
            else:
                rules.append(tuple(demand))
        if self._backend.consistent(self._puzzle.layout, rules, holds, lacks) is not expected:
            self._differ(claim)

    def fewest(self, sets: Iterable[Collection[Demand]], number: int) -> None:
        """Checks that no fewer demands than this meet all of the sets."""
        names = {demand: place for place, demand in enumerate({d for s in sets for d in s}, 1)}
        with asking(self._puzzle.layout, None) as reasons:
            choice = reasons.choice(names.values())
            for members in sets:
                choice.some(names[demand] for demand in members)
            chosen = choice.smallest()
        if chosen is None or len(chosen) < number:
            self._differ(f"no fewer than {number} are enough")

    def _differ(self, claim: str) -> None:
        raise Disagreement(
            self._puzzle, {"explanation": claim, self._backend.name: "that is wrong"}
        )


class Question:
    """Which of some demands contradict others, or what has to go; answered as `Core`s."""

    def __init__(self, reasons: Reasons, sure: Iterable[Demand], maybe: Iterable[Demand]) -> None:
        self._reasons = reasons
        self._sure = tuple(sure)
        self._maybe = tuple(maybe)
        # A literal may stand for one demand only: what is demanded twice is demanded once.
        self._of = dict(zip(literals(reasons, self._maybe), self._maybe, strict=True))
        self._literals = literals(reasons, self._sure), list(self._of)

    def minimal(self) -> Core | None:
        """A core none of whose members can be spared; None if nothing is contradicted.

        The last of `maybe` are the first to be spared.
        """
        core = minimal(self._reasons, *self._literals)
        return None if core is None else self._core(core)

    def core(self, smallest: bool) -> Core | None:
        """A smallest core, or else a minimal one; None if nothing is contradicted."""
        return next(self.smallest(), None) if smallest else self.minimal()

    def every_minimal(self) -> Iterator[Core]:
        """Every such core, once, found as it is asked for."""
        return map(self._core, every_minimal(self._reasons, *self._literals))

    def smallest(self) -> Iterator[Core]:
        """Every core with the fewest members, found as it is asked for."""
        for found in smallest_cores(self._reasons, *self._literals):
            yield self._core(found.members, self._sets(found))

    def remedy(self) -> Remedy | None:
        """A remedy with the fewest members; None if what is sure contradicts itself."""
        found = smallest_remedy(self._reasons, *self._literals)
        if found is None:
            return None
        return Remedy(self._sure, self._maybe, self._demands(found.members), self._sets(found))

    def _core(
        self, members: Iterable[int], met: tuple[tuple[Demand, ...], ...] | None = None
    ) -> Core:
        return Core(self._sure, self._maybe, self._demands(members), met)

    def _sets(self, found: Smallest) -> tuple[tuple[Demand, ...], ...]:
        return tuple(map(self._demands, found.met))

    def _demands(self, members: Iterable[int]) -> tuple[Demand, ...]:
        return tuple(self._of[member] for member in members)


def reason(
    layout: Layout,
    sure: Iterable[Demand],
    maybe: Iterable[Demand],
    smallest: bool = False,
    timeout: float | None = None,
) -> Core | None:
    """Some of `maybe` that contradict `sure`, none of which can be spared; None if they do not.

    `smallest` for as few as can be; otherwise the last of `maybe` are the first to be spared.
    """
    with asking(layout, timeout) as reasons:
        question = Question(reasons, sure, maybe)
        return reasons.run(lambda: question.core(smallest))


def _is_rule(demand: Demand) -> bool:
    return isinstance(demand[0], str) and demand[0] != "lacks"


def _is_placement(demand: Demand) -> bool:
    return isinstance(demand[0], int)
