"""Weak and strong propagation, with and without learning: the contestants of the experiment.

Three statements of the same rules differ in what they know before a choice: `PAIRS` compares cells,
`EVERY` knows besides that each digit has a place in each house, and `DISTINCT` sees all cells of a
house at once. Four searches take them: a labeling of clpfd, by the fewest digits left or by weights
besides, and clasp without learning, without restarts, and as it is.

clasp without lookback searches as a labeling does, by propagation and chronological backtracking,
so with and without it one solver shows what learning brings, whatever the languages bring.
"""

from __future__ import annotations

from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines import engine_for, program_named
from pylogic_sudoku.engines.base import Measurement
from pylogic_sudoku.engines.clingo.ground_per_question import FreshProgram, Grounding
from pylogic_sudoku.engines.program import Program, describe
from pylogic_sudoku.engines.sudoku import SudokuEngine
from pylogic_sudoku.engines.sudoku.clingcon import ClingconBackend
from pylogic_sudoku.engines.sudoku.clingo import ClingoProgramBackend
from pylogic_sudoku.engines.sudoku.prolog import PrologBackend
from pylogic_sudoku.puzzle.cells import Placement

from .ours import Contestant

GROUPS = {
    ("sudoku", "made, minimal"): "sudoku, minimal",
    ("sudoku", "hard"): "sudoku, hard",
    ("sudoku", "made, 25x25"): "25x25",
    ("sudoku", "made, hard"): "25x25, hard",
    ("quasigroup", "order 15, 42 % holes"): "quasigroup 15",
    ("quasigroup", "order 20, 42 % holes"): "quasigroup 20",
    ("quasigroup", "order 25, 42 % holes"): "quasigroup 25",
    ("quasigroup", "order 30, 42 % holes"): "quasigroup 30",
    ("quasigroup", "order 35, 42 % holes"): "quasigroup 35",
}
"""The groups of the experiment, which all its contestants take, and their names in its tables."""

NO_LEARNING = {"restarts": "no", "deletion": "no", "heuristic": "none", "no_lookback": "1"}
"""Settings by which clasp takes the first open atom as the next choice, and learns nothing."""
NO_RESTARTS = {"restarts": "no"}

PAIRS, EVERY, DISTINCT = "pairs", "pairs and every digit", "all different at once"
LABELING, WEIGHTS = "labeling, first fail", "labeling, weights"
PLAIN, NO_RESTART, CLASP = "clasp, no learning", "clasp, no restarts", "clasp"
LAZY = "CP-SAT"

EXPERIMENT = {
    PAIRS: {
        LABELING: "prolog:different",
        WEIGHTS: "prolog:different, weights",
        PLAIN: "clingo:pairwise, no learning",
        NO_RESTART: "clingo:pairwise, no restarts",
        CLASP: "clingo:pairwise",
    },
    EVERY: {
        LABELING: "prolog, first fail",
        WEIGHTS: "prolog, weights",
        PLAIN: "clingo, no learning",
        NO_RESTART: "clingo, no restarts",
        CLASP: "clingo, fresh",
    },
    DISTINCT: {
        LABELING: "prolog:first_fail",
        WEIGHTS: "prolog:first_fail, weights",
        PLAIN: "clingcon, no learning",
        NO_RESTART: "clingcon, no restarts",
        CLASP: "clingcon",
        LAZY: "OR-tools",
    },
}
"""The contestant for each statement and search.

``all_distinct/1`` is the complete propagation of Régin ("A filtering algorithm for constraints of
difference in CSPs", 1994). That of clingcon's ``&distinct`` looks at bounds, and that of CP-SAT's
AllDifferent is chosen by its presolve; CP-SAT makes clauses of what propagation says, which is lazy
clause generation (Ohrimenko, Stuckey and Codish, 2009).
"""


def _with(
    fresh: FreshProgram[Placement, Grid], settings: dict[str, str]
) -> FreshProgram[Placement, Grid]:
    solver: Any = fresh.control.configuration.solver
    for name, value in settings.items():
        setattr(solver, name, value)
    return fresh


class _Clingo(ClingoProgramBackend):
    """clingo on one of our programs, with other settings of its search."""

    def __init__(self, program: Program, settings: dict[str, str]) -> None:
        super().__init__(program)
        self._settings = settings

    def grounding(self, question: Grid | Puzzle) -> Grounding[Placement, Grid]:
        make = super().grounding(question)
        return lambda: _with(make(), self._settings)


class _Clingcon(ClingconBackend):
    """clingcon with other settings of its search."""

    def __init__(self, settings: dict[str, str]) -> None:
        super().__init__()
        self._settings = settings

    def grounding(self, question: Grid | Puzzle) -> Grounding[Placement, Grid]:
        make = super().grounding(question)
        return lambda: _with(make(), self._settings)


class Ingredient(Contestant):
    """A program with another search than its own."""

    ingredient = True

    def __init__(self, name: str, paradigm: str, engine: SudokuEngine) -> None:
        self.name, self.paradigm = name, paradigm
        self._engine = engine

    def takes_part(self, family: str, group: str) -> bool:
        return (family, group) in GROUPS

    def version(self) -> str:
        return self._engine.version()

    def first(self, instance: Any, seconds: float) -> Measurement[Any]:
        measured: Measurement[Any] = self._able(instance).measure(instance, seconds)
        return measured

    def solutions(self, instance: Any, most: int, seconds: float) -> list[Any]:
        with closing(self._able(instance).solutions(instance, seconds)) as found:
            return list(islice(found, most))

    def _able(self, instance: Any) -> Any:
        """The engine; BackendFailure if its program cannot take the instance."""
        return engine_for(self._engine, instance)


def ingredients() -> list[Contestant]:
    """The contestants of the experiment that are not there otherwise."""
    found: list[Contestant] = []
    folder = Path(__file__).parent / "programs"
    for name, file in (
        ("prolog:different, weights", "different_weights.pl"),
        ("prolog, first fail", "every_digit.pl"),
        ("prolog, weights", "every_digit_weights.pl"),
        ("prolog:first_fail, weights", "distinct_weights.pl"),
    ):
        program = describe(f"prolog:{file}", folder / file)
        found.append(Ingredient(name, "CLP", PrologBackend(program=program)))
    # The engine of that name keeps programs, and has settings of its own.
    found.append(Ingredient("clingo, fresh", "ASP", _Clingo(program_named("clingo"), {})))
    for lacks, settings in (("learning", NO_LEARNING), ("restarts", NO_RESTARTS)):
        for name in ("clingo:pairwise", "clingo"):
            engine = _Clingo(program_named(name), settings)
            found.append(Ingredient(f"{name}, no {lacks}", "ASP", engine))
        found.append(Ingredient(f"clingcon, no {lacks}", "ASP", _Clingcon(settings)))
    return found
