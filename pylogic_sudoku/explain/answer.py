"""The shared parts of explanations: interface, sets of demands, parts of JSON and pictures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from ..draw import Highlight, Picture
from ..engines.sudoku import SudokuEngine, get
from ..errors import Disagreement, NoSolution, counted, listed
from ..formats import indented
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Placement
from ..rules.clauses import Claim
from ..rules.demands import Demand, SudokuRule, sorted_out
from ..running.workers import Budget

if TYPE_CHECKING:
    from ..proofs import Certificate


class Members:
    """Demands, and which of them are rules, givens and marks."""

    members: tuple[Demand, ...] = ()

    @property
    def rules(self) -> tuple[SudokuRule, ...]:
        """The rules that matter."""
        return sorted_out(self.members)[0]

    @property
    def givens(self) -> tuple[Placement, ...]:
        """The givens that matter."""
        return sorted_out(self.members)[1]

    @property
    def excluded(self) -> tuple[Placement, ...]:
        """The marks that matter, as digits that a cell may not hold."""
        return sorted_out(self.members)[2]

    def counts(self) -> list[str]:
        """The number of members of each kind, in words."""
        names = ("rule", "given", "excluded digit")
        kinds = zip(sorted_out(self.members), names, strict=True)
        return [counted(len(members), name) for members, name in kinds if members]


class Explanation(Members, ABC):
    """The answer to a question about a puzzle, with its reasons: a frozen value.

    It is false where it has found nothing of the kind: no conflict, nothing open or redundant.
    """

    puzzle: Grid | Puzzle
    """The puzzle of the question."""

    @abstractmethod
    def text(self) -> str:
        """The explanation as a person would give it, without a final newline."""

    def short(self) -> str:
        """The text without the full grids, which a page shows next to it."""
        return self.text()

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The explanation as numbers, texts, lists and dicts, ready for `json.dumps`."""

    @abstractmethod
    def picture(self) -> Picture:
        """The grid with all that matters highlighted."""

    @abstractmethod
    def verify(self, backend: str | SudokuEngine = "clingo") -> None:
        """Check with an engine that the explanation is right.

        Args:
            backend: The name of an engine, or a backend object.

        Raises:
            Disagreement: If the explanation is wrong.
            BackendUnavailable: If that engine cannot check explanations.
        """

    def __bool__(self) -> bool:
        return True

    def require(self, right: bool, claim: str = "", judge: str = "rules") -> None:
        """Raise a Disagreement, which names the claim and who denies it, unless the claim is right.

        Args:
            right: True if the claim is right.
            claim: The claim in words; without it, the text of the explanation.
            judge: The name of the engine that denies it, or ``"rules"``.

        Raises:
            Disagreement: If the claim is wrong.
        """
        _require(self.puzzle, right, claim or self.text(), judge)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        first = self.short().partition("\n")[0].rstrip(".")
        return f"<{type(self).__name__}: {shorten(first, 120, placeholder=' ...')}>"

    def _repr_html_(self) -> str:
        from ..notebook import html_part

        return html_part(self.text(), self.picture())


class Witnessed(Explanation):
    """An explanation that full grids show."""

    @property
    @abstractmethod
    def grids(self) -> tuple[Grid, ...]:
        """These grids."""

    def text(self) -> str:
        return "\n\n".join([self.short(), *(indented(grid, self.puzzle) for grid in self.grids)])


@dataclass(frozen=True, slots=True)
class Mus(Members):
    """A minimal unsatisfiable subset: no grid obeys the hard demands and all members."""

    hard: tuple[Demand, ...]
    """The demands that always hold."""
    soft: tuple[Demand, ...]
    """The demands that the members were chosen from."""
    members: tuple[Demand, ...] = field()
    correction_sets: tuple[tuple[Demand, ...], ...] | None = None
    """If a smallest MUS was sought, sets that every MUS must hit; they prove `least`. None if this
    one is only minimal."""
    least: int = 0
    """No MUS has fewer members, as far as the correction sets prove it."""

    @property
    def smallest(self) -> bool:
        """True if it is proved that no MUS has fewer members."""
        return self.correction_sets is not None and self.least == len(self.members)

    def __repr__(self) -> str:
        return f"<Mus: {counted(len(self.members), 'demand')}>"

    def verify(self, puzzle: Grid | Puzzle, backend: str | SudokuEngine = "clingo") -> None:
        """Check that the members contradict, that none is redundant, and the proof of `least`.

        The engine checks consistency; clingo finds the size of a smallest hitting set.
        """
        engine = get(backend)

        def check(demands: Iterable[Demand], expected: bool, claim: str) -> None:
            consistent = engine.consistent(puzzle.layout, (*self.hard, *demands))
            _require(puzzle, consistent is expected, claim, engine.name)

        check(self.members, False, "these are a reason")
        for member in self.members:
            check(_without(self.members, [member]), True, f"{member} cannot be spared")
        for needed in self.correction_sets or ():
            check(_without(self.soft, needed), True, f"every reason has one of {needed}")
        if self.correction_sets is not None:
            enough = fewest(puzzle, self.correction_sets) >= self.least
            _require(puzzle, enough, f"no fewer than {self.least} are enough", engine.name)


def fewest(puzzle: Grid | Puzzle, sets: Sequence[Collection[Demand]]) -> int:
    """The size of a smallest set that has a member of each of these; clingo finds it."""
    from ..engines.sudoku.rulebook import demand_solver

    name = {demand: n for n, demand in enumerate({d for s in sets for d in s}, 1)}
    with demand_solver(puzzle.layout, Budget("clingo", None)) as solver:

        def smallest() -> int:
            hitting_sets = solver.hitting_sets(name.values())
            for members in sets:
                hitting_sets.hit(name[demand] for demand in members)
            return len(hitting_sets.smallest() or ())

        return solver.run(smallest)


def _without(demands: Iterable[Demand], others: Collection[Demand]) -> list[Demand]:
    return [demand for demand in demands if demand not in others]


def _require(puzzle: Grid | Puzzle, right: bool, claim: str, judge: str) -> None:
    if not right:
        raise Disagreement(puzzle, {"explanation": claim, judge: "that is wrong"})


class MusExplanation(Explanation):
    """An explanation whose reason is a MUS."""

    mus: Mus

    @property
    def members(self) -> tuple[Demand, ...]:  # type: ignore[override]
        return self.mus.members

    @property
    def smallest(self) -> bool:
        """True if no such explanation has fewer members; in any case none is redundant."""
        return self.mus.smallest

    @property
    def least(self) -> int:
        """No such explanation has fewer members; 0 if that was not requested."""
        return self.mus.least

    def size(self) -> str:
        """A sentence on how many members there are, and whether fewer may do."""
        if len(self.members) <= 1:
            return "Nothing else is needed."
        claim = "No explanation needs fewer" if self.smallest else "None of these can be spared"
        size = f"{claim}: {listed(self.counts())}."
        if self.smallest or self.mus.correction_sets is None:
            return size
        known = f", though none with fewer than {self.least} members" if self.least > 1 else ""
        return f"{size} Time ran out: there may be a smaller set{known}."

    def json_members(self) -> dict[str, Any]:
        """The members and their number as JSON."""
        return {**json_demands(self), "smallest": self.smallest, "least": self.least}

    def kinds(self) -> list[str]:
        """The parts of the puzzle that matter in addition to rules: ``"givens"`` or ``"marks"``."""
        return ["givens"] * bool(self.givens) + ["marks"] * bool(self.excluded)

    @property
    def refuted(self) -> Grid | Puzzle:
        """The puzzle that has no solution, as these members show."""
        return self.puzzle

    def certificate(
        self, backend: str | SudokuEngine = "clingo", timeout: float | None = None
    ) -> Certificate:
        """A proof that `refuted` has no solution, from these rules, givens and marks alone.

        It does not prove that none of these is redundant; `verify` checks that. `timeout` is in
        seconds, over 0. Raises the errors of `certify`, and Disagreement if the engine finds that
        they do not contradict each other.
        """
        from ..proofs import prove

        demands = (*self.mus.hard, *self.mus.members)
        return prove(Claim(self.refuted, demands=tuple(map(tuple, demands))), backend, timeout)

    def verify(self, backend: str | SudokuEngine = "clingo") -> None:
        """Check that the members of the MUS contradict, and that none is redundant.

        For a smallest MUS, also check the proof: correction sets that every MUS must hit; clingo
        finds the size of their smallest hitting set.
        """
        self.mus.verify(self.puzzle, backend)


def no_solution(consequence: str) -> NoSolution:
    """The error for a question that makes sense only if the puzzle has a solution."""
    return NoSolution(
        f"the puzzle has no solution, so {consequence}; ask for its conflicts to see what clashes"
    )


def json_puzzle(question: str, puzzle: Grid | Puzzle) -> dict[str, Any]:
    """The beginning of the JSON of every explanation."""
    return {"question": question, "puzzle": puzzle.to_puzzle().to_json()}


def json_placements(placements: Iterable[tuple[int, int, int]]) -> list[dict[str, Any]]:
    """Placements with their cells by name."""
    return [{"cell": f"r{row}c{column}", "digit": digit} for row, column, digit in placements]


def json_demands(members: Members) -> dict[str, Any]:
    """The members as JSON; a rule beyond plain sudoku has its own keys."""
    excluded: dict[str, list[int]] = {}
    for placement in sorted(members.excluded):
        excluded.setdefault(str(placement.cell), []).append(placement.digit)
    parts = [(rule, rule.to_json()) for rule in members.rules]
    return {
        "rules": [
            {**(part if isinstance(part, dict) else {"rule": part}), "text": str(rule)}
            for rule, part in parts
        ],
        "givens": json_placements(members.givens),
        "excluded": excluded,
    }


def rule_highlights(rules: Iterable[SudokuRule]) -> list[Highlight]:
    """The cells of each rule beyond plain sudoku, to be highlighted."""
    return [
        Highlight(str(rule), "house", tuple(dict.fromkeys(rule.cells_used())))
        for rule in (each.beyond for each in rules)
        if rule is not None
    ]
