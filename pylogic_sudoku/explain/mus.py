"""Sets of demands that contradict each other, and sets that must go: found, and checked.

Our words, and those of the field. Some demands are `sure`, others are `maybe`.

- A *core* is a minimal set of `maybe` that contradicts `sure`: a minimal unsatisfiable subset, MUS.
- A *remedy* is a minimal set of `maybe` without which the rest is consistent: a minimal correction
  set, MCS.

Every core meets every remedy. So a smallest core is a smallest hitting set of remedies, and the
other way round (implicit hitting sets, as in SMUS and MaxHS); the sets that were met prove that no
smaller one exists. All cores are enumerated by MARCO (Liffiton and others).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from ..engines import Backend, Checker, checker, get
from ..engines.running import Budget
from ..errors import Disagreement, SolveTimeout, counted
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Layout, Placement
from ..rules.demands import CELLS, Demand, SudokuRule, cell_rules, is_placement

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ..engines.clingo import ClingoBackend
    from ..engines.clingo.rulebook import Choice, Reasons


def clingo() -> ClingoBackend:
    """The engine that finds explanations."""
    return get("clingo")  # type: ignore[return-value]


def asking(layout: Layout, timeout: float | None) -> AbstractContextManager[Reasons]:
    """clingo, open for questions inside the block."""
    return clingo().reasons(layout, timeout)


def literals(reasons: Reasons, demands: Iterable[Demand]) -> list[int]:
    """The literals that stand for the demands."""
    return [
        -reasons.literal(demand[1:]) if demand[0] == "excluded" else reasons.literal(demand)
        for demand in demands
    ]


@dataclass(frozen=True, slots=True)
class Core:
    """A minimal unsatisfiable subset (MUS): no grid obeys `sure` and all members."""

    sure: tuple[Demand, ...]
    """What is demanded anyway."""
    maybe: tuple[Demand, ...]
    """What the members were chosen from."""
    members: tuple[Demand, ...]
    met: tuple[tuple[Demand, ...], ...] | None = None
    """If a smallest core was sought, correction sets that every core must hit; they prove `least`.
    None if the core is only minimal."""
    least: int = 0
    """No core has fewer members, as far as that is proved by `met`."""

    @property
    def smallest(self) -> bool:
        """True if it is proved that no core has fewer members."""
        return self.met is not None and self.least == len(self.members)

    @property
    def rules(self) -> tuple[SudokuRule, ...]:
        """The rules among the members."""
        return tuple(
            SudokuRule(demand)
            for demand in self.members
            if demand[0] != "excluded" and not is_placement(demand)
        )

    @property
    def givens(self) -> tuple[Placement, ...]:
        """The placements among the members."""
        return _placements(demand for demand in self.members if is_placement(demand))

    @property
    def excluded(self) -> tuple[Placement, ...]:
        """The marks among the members, as digits that a cell may not hold."""
        return _placements(demand[1:] for demand in self.members if demand[0] == "excluded")

    def counts(self) -> list[str]:
        """How many members of each kind there are, in words."""
        kinds = ((self.rules, "rule"), (self.givens, "given"), (self.excluded, "excluded digit"))
        return [counted(len(members), name) for members, name in kinds if members]

    def __repr__(self) -> str:
        return f"<Core: {counted(len(self.members), 'demand')}>"

    def verify(self, puzzle: Grid | Puzzle, backend: str | Backend = "clingo") -> None:
        """Check that the members contradict, that none is redundant, and the proof in `met`.

        The engine checks consistency; clingo finds the size of a smallest hitting set of `met`.
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
            check.fewest(self.met, self.least)


@dataclass(frozen=True, slots=True)
class Remedy:
    """A smallest correction set (MCS): without its members, a grid obeys `sure` and the rest."""

    sure: tuple[Demand, ...]
    maybe: tuple[Demand, ...]
    members: tuple[Demand, ...]
    met: tuple[tuple[Demand, ...], ...]
    """Cores that every remedy must hit, and that no smaller set of demands hits."""

    def __repr__(self) -> str:
        return f"<Remedy: {counted(len(self.members), 'demand')}>"

    def verify(self, puzzle: Grid | Puzzle, backend: str | Backend = "clingo") -> None:
        """Check that the rest is consistent, each member must go, and no set is smaller."""
        check = _Check(puzzle, checker(backend), self.sure)
        rest = [demand for demand in self.maybe if demand not in self.members]
        check(True, rest, "the rest can stand")
        for member in self.members:
            check(False, [*rest, member], f"{member} must go too")
        for core in self.met:
            check(False, core, f"one of {core} must go")
        check.fewest(self.met, len(self.members))


class _Check:
    """Asks an engine what an explanation claims; Disagreement if the engine differs."""

    def __init__(self, puzzle: Grid | Puzzle, engine: Checker, sure: Sequence[Demand]) -> None:
        self._puzzle = puzzle
        self._engine = engine
        self._sure = sure

    def __call__(self, expected: bool, demands: Iterable[Demand], claim: str) -> None:
        rules: list[Demand] = []
        holds: list[Demand] = []
        excluded: list[Demand] = []
        for demand in (*self._sure, *demands):
            if demand == CELLS and not self._puzzle.layout.rules:
                rules += map(tuple, cell_rules(self._puzzle.layout))
            elif demand[0] == "excluded":
                excluded.append(demand[1:])
            elif is_placement(demand):
                holds.append(demand)
            else:
                rules.append(tuple(demand))
        found = self._engine.consistent(
            self._puzzle.layout, rules, _placements(holds), _placements(excluded)
        )
        if found is not expected:
            self._differ(claim)

    def fewest(self, sets: Sequence[Collection[Demand]], number: int) -> None:
        """Check that no hitting set of these sets has fewer members than this."""
        name = {demand: n for n, demand in enumerate({d for s in sets for d in s}, 1)}
        with asking(self._puzzle.layout, None) as reasons:

            def smallest_hitting_set() -> set[int] | None:
                choice = reasons.choice(name.values())
                for members in sets:
                    choice.some(name[demand] for demand in members)
                return choice.smallest()

            chosen = reasons.run(smallest_hitting_set)
        if chosen is None or len(chosen) < number:
            self._differ(f"no fewer than {number} are enough")

    def _differ(self, claim: str) -> None:
        raise Disagreement(self._puzzle, {"explanation": claim, self._engine.name: "that is wrong"})


def minimal(reasons: Reasons, sure: Sequence[int], maybe: Sequence[int]) -> list[int] | None:
    """A MUS of literals, in the order given, by deletion from the end; None if there is none."""
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


def smaller(reasons: Reasons, core: Core, budget: Budget) -> Core:
    """A core of minimum size, or the best that is found before time runs out.

    The bounds on the size of a smallest core become the activity of the budget, in another thread.
    """
    best = replace(core, met=())

    def search() -> None:
        nonlocal best
        bounds = None
        for found in Question(reasons, core.sure, core.maybe).narrow(core):
            best, before = found, bounds
            bounds = found.least, len(found.members)
            if bounds != before:
                least, most = bounds
                budget.turn_to("looking for a set of minimum size", f"of {least} to {most} members")

    with suppress(SolveTimeout):
        reasons.run(search)
    return best


class Question:
    """Which of some demands contradict others, and which of them must go.

    A search asks hundreds of questions: run it as a whole by `Reasons.run`.
    """

    def __init__(self, reasons: Reasons, sure: Iterable[Demand], maybe: Iterable[Demand]) -> None:
        self._reasons = reasons
        self._sure = tuple(sure)
        self._maybe = tuple(maybe)
        self._anyway = literals(reasons, self._sure)
        # A literal may stand for one demand only, so demands that occur twice are merged.
        self._of = dict(zip(literals(reasons, self._maybe), self._maybe, strict=True))

    def core(self) -> Core | None:
        """A core; None if nothing is contradicted.

        If there are several, the first of `maybe` are preferred, as deletion begins with the last.
        """
        members = self._mus(list(self._of))
        return None if members is None else Core(self._sure, self._maybe, self._demands(members))

    def every_core(self) -> Iterator[Core]:
        """Every core, once, found as it is asked for (MARCO)."""
        choice = self._choice()  # among the subsets not yet known to be consistent or not
        while (chosen := choice.large()) is not None:
            core = self._mus([demand for demand in self._of if demand in chosen])
            if core is None:
                choice.some(self._correction_set(chosen))
            else:
                choice.not_all(core)
                yield Core(self._sure, self._maybe, self._demands(core))

    def narrow(self, core: Core) -> Iterator[Core]:
        """Cores no larger than this one, with ever better bounds; the last is a smallest (SMUS)."""
        choice = self._choice()
        met: list[tuple[Demand, ...]] = []
        best = core.members
        for number in count(1):
            chosen = choice.smallest() or set()
            enough = self._contradicts(chosen)
            if enough:
                best = self._demands(demand for demand in self._of if demand in chosen)
            elif number.bit_count() == 1:  # now and then, as that takes many questions
                best = min(best, self._around(chosen), key=len)
            yield Core(self._sure, self._maybe, best, tuple(met), len(chosen))
            if len(best) == len(chosen):
                return
            for disjoint, remedy in enumerate(self._disjoint_remedies(chosen), 1):
                choice.some(remedy)
                met.append(self._demands(remedy))
                if disjoint > len(chosen):  # as in the first round
                    yield Core(self._sure, self._maybe, best, tuple(met), disjoint)

    def _around(self, chosen: Collection[int]) -> tuple[Demand, ...]:
        """A core that holds as many of these demands as deletion leaves it."""
        rest = [demand for demand in self._of if demand not in chosen]
        return self._demands(sorted(self._mus([*chosen, *rest]) or (), key=[*self._of].index))

    def _disjoint_remedies(self, chosen: Collection[int]) -> Iterator[list[int]]:
        """Correction sets without these demands, which are consistent.

        They are disjoint, as such sets raise the bound fastest.
        """
        have = set(chosen)
        while True:
            remedy = self._correction_set(have)
            yield remedy
            have.update(remedy)
            if not self._reasons.stands([*self._anyway, *have]):
                return

    def smallest_remedy(self) -> Remedy | None:
        """A remedy of minimum size; None if `sure` contradicts itself."""
        choice = self._choice()
        met: list[list[int]] = []
        while (chosen := choice.smallest()) is not None:
            left = [demand for demand in self._of if demand not in chosen]
            core = self._mus(left)
            if core is None:
                members = [demand for demand in self._of if demand in chosen]
                return Remedy(self._sure, self._maybe, self._demands(members), self._sets(met))
            while core is not None:
                # Disjoint cores raise the bound fastest.
                choice.some(core)
                met.append(core)
                left = [demand for demand in left if demand not in core]
                core = self._mus(left) if core else None
        return None

    def _choice(self) -> Choice:
        return self._reasons.choice(self._of)

    def _contradicts(self, demands: Iterable[int]) -> bool:
        return self._reasons.refute([*self._anyway, *demands]) is not None

    def _mus(self, maybe: Sequence[int]) -> list[int] | None:
        return minimal(self._reasons, self._anyway, maybe)

    def _correction_set(self, have: Collection[int]) -> list[int]:
        """A nearly minimal correction set of what is not in `have`, which must be consistent.

        Minimality is not proved when a check would be slow, and no caller needs it.
        """
        sure = [*self._anyway, *have]
        kept: list[int] = []
        remedy: list[int] = []
        left = [demand for demand in self._of if demand not in have]
        many = len(left)
        while left:
            if self._reasons.stands([*sure, *kept, *left[:many]], left):
                kept += [demand for demand in left if demand in self._reasons.true]
                left = [demand for demand in left if demand not in self._reasons.true]
                many *= 2
            elif many > 1:
                many = (min(many, len(left)) + 1) // 2
            else:
                remedy.append(left.pop(0))
        return remedy

    def _sets(self, found: Iterable[Iterable[int]]) -> tuple[tuple[Demand, ...], ...]:
        return tuple(map(self._demands, found))

    def _demands(self, members: Iterable[int]) -> tuple[Demand, ...]:
        return tuple(self._of[member] for member in members)


def _placements(demands: Iterable[Demand]) -> tuple[Placement, ...]:
    return tuple(Placement(*map(int, demand)) for demand in demands)


# ----------------------------------------------------------------------
# Cores of what is near to a placement: they are short, and found quickly.
# ----------------------------------------------------------------------

FAR = 3
"""The greatest distance of a demand from what it may explain."""


def distance(puzzle: Grid | Puzzle, target: Placement) -> Callable[[Demand], int]:
    """How far a demand is from what decides about a placement: 0 to 3."""
    houses = [house for house in puzzle.houses if target.cell in house.cells]
    names = {(house.kind, house.number) for house in houses}
    seen = {cell for house in houses for cell in house.cells}

    def far(demand: Demand) -> int:
        match demand:
            case ("filled" | "single", int(row), int(column)):
                return 0 if (row, column) in seen else 1
            case ("excluded", int(row), int(column), _):
                return 0 if (row, column) in seen else 1
            case ("rule", rule):
                cells = set(rule.cells_used())
                return 0 if target.cell in cells else 1 if cells & seen or not cells else 2
            case ("at_least_once" | "at_most_once", kind, number, digit):
                if digit == target.digit:
                    return int((kind, number) not in names)
                # First which digits the cell sees, then where else these could go.
                return 2 if demand[0] == "at_most_once" and (kind, number) in names else FAR
            case (str(), kind, number):
                return int((kind, number) not in names)
            case (int(row), int(column), _):
                return 0 if (row, column) in seen else 1
        return FAR

    return far


def nearest(
    reasons: Reasons, sure: tuple[Demand, ...], demands: list[Demand], far: Callable[[Demand], int]
) -> Core | None:
    """A core of nearby demands if there is one: such cores are short, and found quickly."""
    demands = sorted(demands, key=far)
    for most in range(FAR):
        core = Question(reasons, sure, [d for d in demands if far(d) <= most]).core()
        if core:
            return core
    return Question(reasons, sure, demands).core()
