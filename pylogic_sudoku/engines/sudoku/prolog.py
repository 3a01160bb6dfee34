"""The constraint engine: ``prolog/sudoku.pl`` in SWI-Prolog, through janus.

`prolog.search` makes every call to Prolog.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from ...errors import BackendFailure
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Box, Layout, Placement
from ..base import Event, Measurement
from ..prolog import hosts
from ..prolog.search import KINDS, Loaded, PrologSearches, Search
from .base import SudokuEngine, checked_demands

if TYPE_CHECKING:  # the modules of rules take longer to import than a puzzle to solve
    from ...rules import Rule
    from ...rules.clauses import Claim, Clause
    from ...rules.demands import Demand
    from ..program import Program


__all__ = ["PrologBackend", "WasmBackend", "of_program", "shape"]


def of_program(program: Program) -> PrologBackend:
    """SWI-Prolog on another program."""
    return PrologBackend(program=program)


class PrologBackend(PrologSearches, SudokuEngine):
    """SWI-Prolog on ``prolog/sudoku.pl``, or on another program.

    `stack_limit` is in bytes and applies to each search; exceeding it is a BackendFailure.
    """

    name = "prolog"
    engine = "SWI-Prolog"
    knows = frozenset({"regions", "marks", "rules", "programs"})

    def __init__(self, stack_limit: int = 2**30, program: Program | None = None) -> None:
        self._stack_limit = stack_limit
        self._program = program
        if program:
            self.name, self.knows, self.shapes = program.name, program.knows, program.shapes

    def version(self) -> str:
        return hosts.version(self.name, False, *_PARTS)

    def solutions(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Generator[Grid]:
        return self._stream(self._search("solution", puzzle), timeout)

    def solve(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Grid | None:
        digits = self._answer(self._search("solution", puzzle), timeout)
        return Grid(tuple(digits), puzzle.box) if digits else None

    def count(
        self, puzzle: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> int:
        if timeout is not None:
            return super().count(puzzle, limit, timeout)  # which knows how many it found in time
        search = self._search("count", puzzle, Limit=-1 if limit is None else limit)
        return int(self._answer(search, timeout))

    def propagate(
        self, puzzle: Grid | Puzzle, timeout: float | None = None
    ) -> list[set[int]] | None:
        self._watch()
        sets = self._answer(self._search("left", puzzle), timeout)
        digits = range(1, puzzle.size + 1)
        return [{d for d in digits if each >> d & 1} for each in sets] or None

    def measure(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Measurement[Grid]:
        measured, digits = self._work(self._search("measure", puzzle), timeout)
        return measured._replace(solution=Grid(tuple(digits), puzzle.box) if digits else None)

    def trace(
        self, puzzle: Grid | Puzzle, timeout: float | None = None
    ) -> Generator[Event[Placement, Grid]]:
        self._watch()
        return self._stream(self._search("trace", puzzle), timeout)

    def _watch(self) -> None:
        if self._program:
            self._must_be_seen(self._program.text)

    def consistent(
        self, layout: Layout, demands: Iterable[Demand], timeout: float | None = None
    ) -> bool:
        search = self._about("consistent", layout, checked_demands(layout, demands))
        return bool(self._answer(search, timeout))

    def first_refused(
        self, claim: Claim, lemmas: Sequence[Clause], timeout: float | None = None
    ) -> int | None:
        from ...rules.clauses import clauses_of
        from ...rules.demands import all_rules, exclusions

        layout = claim.puzzle.layout
        named: Iterable[Demand] | None = claim.demands
        if named is None:
            named = (*all_rules(layout), *claim.puzzle.givens, *exclusions(claim.puzzle))
        demands = checked_demands(layout, named)
        rules = (demand[1] for demand in demands if demand[0] == "rule")
        search = self._about(
            "first_refused",
            layout,
            demands,
            RuleClauses=[list(map(list, clauses_of(rule, layout))) for rule in rules],
            Solution=list(claim.solution.digits) if claim.solution else [],
            Lemmas=list(map(list, lemmas)),
        )
        refused = self._answer(search, timeout)
        return refused[0] if refused else None

    def _about(
        self, question: str, layout: Layout, demands: Iterable[Demand], **inputs: object
    ) -> Search:
        """A question about demands."""
        from ...rules.demands import sorted_out

        rules, holds, excluded = sorted_out(demands)
        inputs |= {
            "Demands": [list(rule) for rule in rules if rule.beyond is None],
            "Rules": terms([rule.beyond for rule in rules if rule.beyond is not None]),
            "Holds": list(map(list, holds)),
            "Excluded": list(map(list, excluded)),
            "StackLimit": self._stack_limit,
        }
        return self._of(question, _DEMANDS, layout, inputs)

    def _search(self, question: str, puzzle: Grid | Puzzle, **inputs: object) -> Search:
        """A question about a puzzle."""
        inputs |= {
            "Program": _loaded(self._program).module if self._program else "sudoku",
            "Digits": list(puzzle.digits),
            "Rules": terms(puzzle.layout.rules),
            "Excluded": [list(each) for each in puzzle.excluded],
            "StackLimit": self._stack_limit,
        }
        return self._of(question, _PUZZLE, puzzle.layout, inputs, self._program)

    def _of(
        self,
        question: str,
        posed: str,
        layout: Layout,
        inputs: dict[str, object],
        program: Program | None = None,
    ) -> Search:
        inputs["Shape"] = shape(layout)
        read = partial(_event if question == "trace" else _solution, box=layout.box)
        kinds = [_clauses(kind) for kind in own_kinds(layout.rules)]
        texts = [*([_loaded(program)] if program else []), *kinds]
        is_foreign = bool(kinds) or (program is not None and not program.is_ours)
        parts = [*_PARTS, *_MORE_PARTS.get(question, ())]
        if layout.rules:
            parts.append("rules/kinds")
        kind_of_search = hosts.search_class(self.name)
        return kind_of_search(question, posed, inputs, read, parts, texts, is_foreign)


class WasmBackend(PrologBackend):
    """The same in SWI-Prolog as WebAssembly, whatever else is installed."""

    name = hosts.WASM


_PUZZLE = "puzzle(Program, Digits, Shape, Rules, Excluded)"
_DEMANDS = "demands(Shape, Demands, Rules, Holds, Excluded)"
_PARTS = ("sudoku", "sudoku/questions")
"""The files of ``prolog/`` that every question needs."""
_MORE_PARTS = {
    **dict.fromkeys(("left", "measure", "trace"), ("sudoku/trace",)),
    "consistent": ("sudoku/consistent",),
    "first_refused": ("sudoku/consistent", "sudoku/proof"),
}
"""Those that one of them needs in addition."""


def _loaded(program: Program) -> Loaded:
    return Loaded("sudoku", program.path.resolve(), program.text)


def _clauses(kind: type[Rule]) -> Loaded:
    """The clauses of a kind of rules, which somebody else has defined."""
    from ...rules.own import module_of

    text, module = kind.prolog, module_of(kind)
    if not text:
        raise BackendFailure(f"SWI-Prolog: the rule {kind.kind} has no clause for Prolog")
    return Loaded("rule", f"{kind.kind}-{module}.pl", text, module)


@lru_cache(256)
def shape(layout: Layout) -> object:
    """The shape as the bridge names it: the size of a box, or rows of labels."""
    return layout.box if layout.regions is None else layout.labels


def terms(rules: Sequence[Rule]) -> str:
    """The rules as one text for the bridge, a list of Prolog terms; empty if there are none."""
    if not rules:
        return ""
    from ...rules.base import term
    from ...rules.own import module_of

    modules = {kind.kind: module_of(kind) for kind in own_kinds(rules)}
    return f"[{','.join(term(each, modules) for each in rules)}]"


def own_kinds(rules: Sequence[Rule]) -> list[type[Rule]]:
    """The kinds of rules that have clauses of their own."""
    if not rules:
        return []
    from ...rules.base import everything

    kinds = {type(each) for each in everything(rules)}
    return sorted((kind for kind in kinds if kind.prolog is not None), key=lambda kind: kind.kind)


def _solution(digits: list[int], box: Box) -> Grid:
    return Grid(tuple(digits), box)


def _event(data: list[Any], box: Box) -> Event[Placement, Grid]:
    number, level, *rest = data
    kind = KINDS[number]
    if kind == "solution":
        return Event(kind, level, solution=_solution(rest[0], box))
    placed, excluded = (tuple(Placement(*each) for each in part) for part in (*rest, [], [])[:2])
    return Event(kind, level, placed, excluded)
