"""Other sudoku solvers from PyPI, each with its best sensible settings; and the list of all.

If a peer leaves a choice (a solver, a way to model), it gets the fastest of those tried on easy,
17-clue and hard puzzles; `contestants` says which.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any

from pylogic_sudoku import Grid
from pylogic_sudoku.engines.prolog.swipl import swipl
from pylogic_sudoku.puzzle.cells import Box
from pylogic_sudoku.rules.clauses import of_layout

from . import solvers
from .solvers import Contestant, Solver, Unfit

CP_SAT = {
    "num_workers": 1,
    "linearization_level": 0,
    "symmetry_level": 0,
    "cp_model_probing_level": 0,
}
"""Settings of OR-tools, also for CPMpy."""


class Peer(Solver):
    """A solver of another package, which is imported when the solver is made."""

    module: str

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._module: Any = import_module(self.module)


class PythonSat(Solver):
    """A SAT solver that is kept, with at-least-one and pairwise at-most-one clauses.

    Givens are assumptions. To enumerate, a new one gets a clause against each solution.
    """

    def __init__(self, box: Box, solver: str) -> None:
        super().__init__(box)
        self._new: Any = partial(import_module("pysat.solvers").Solver, solver)
        self._size = box[0] * box[1]
        self._clauses = of_layout(Grid((0,) * self._size**2, box).layout)
        self._solver = self._new(bootstrap_with=self._clauses)

    def solve(self, puzzle: Grid) -> Grid | None:
        if not self._solver.solve(assumptions=self._givens(puzzle)):
            return None
        return self.read(self._cells(self._placements(self._solver)))

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterator[list[int]]:
        givens = self._givens(puzzle)
        with self._new(bootstrap_with=self._clauses) as solver:
            while solver.solve(assumptions=givens):
                found = self._placements(solver)
                yield self._cells(found)
                solver.add_clause([-placement for placement in found])

    def count(self, puzzle: Grid) -> int:
        return sum(1 for _ in self.solutions(puzzle, None))

    def _givens(self, puzzle: Grid) -> list[int]:
        size = self._size
        return [cell * size + digit for cell, digit in enumerate(puzzle.digits) if digit]

    def _placements(self, solver: Any) -> list[int]:
        return [literal for literal in solver.get_model() if literal > 0]

    def _cells(self, placements: Iterable[int]) -> list[int]:
        return [(literal - 1) % self._size + 1 for literal in placements]


class OrTools(Peer):
    """CP-SAT: an integer for each cell, a global constraint for each house."""

    module = "ortools.sat.python.cp_model"

    def solve(self, puzzle: Grid) -> Grid | None:
        model, cells = self._model(puzzle)
        solver = self._solver()
        found = solver.solve(model) in (self._module.OPTIMAL, self._module.FEASIBLE)
        return self.read(solver.value(cell) for cell in cells) if found else None

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[list[int]]:
        found: list[list[int]] = []

        class Collect(self._module.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
            def on_solution_callback(self) -> None:
                found.append([self.value(cell) for cell in cells])
                if len(found) == limit:
                    self.stop_search()

        model, cells = self._model(puzzle)
        solver = self._solver()
        solver.parameters.enumerate_all_solutions = True
        solver.solve(model, Collect())
        return found

    def _model(self, puzzle: Grid) -> tuple[Any, list[Any]]:
        model = self._module.CpModel()
        size = puzzle.size
        cells = [model.new_int_var(given or 1, given or size, "") for given in puzzle.digits]
        for house in puzzle.layout.offsets:
            model.add_all_different([cells[cell] for cell in house])
        return model, cells

    def _solver(self) -> Any:
        solver = self._module.CpSolver()
        for name, value in CP_SAT.items():
            setattr(solver.parameters, name, value)
        return solver


class Cpmpy(Peer):
    """CPMpy on CP-SAT, with the same settings."""

    module = "cpmpy"

    def solve(self, puzzle: Grid) -> Grid | None:
        model, cells = self._model(puzzle)
        found = model.solve(solver="ortools", **CP_SAT)
        return self.read(map(int, cells.value())) if found else None

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[list[int]]:
        found: list[list[int]] = []
        model, cells = self._model(puzzle)
        model.solveAll(
            solver="ortools",
            display=lambda: found.append(list(map(int, cells.value()))),
            solution_limit=limit,
            **CP_SAT,
        )
        return found

    def _model(self, puzzle: Grid) -> tuple[Any, Any]:
        cells = self._module.intvar(1, puzzle.size, shape=len(puzzle.digits))
        model = self._module.Model(
            [
                self._module.AllDifferent([cells[cell] for cell in house])
                for house in puzzle.layout.offsets
            ],
            [cells[cell] == given for cell, given in enumerate(puzzle.digits) if given],
        )
        return model, cells


class Z3(Peer):
    """A bit vector for each cell, `Distinct` for each house, the solver for finite domains."""

    module = "z3"

    def solve(self, puzzle: Grid) -> Grid | None:
        z3, size = self._module, puzzle.size
        solver = z3.SolverFor("QF_FD")
        cells = [z3.BitVec(f"c{cell}", size.bit_length()) for cell in range(size**2)]
        for cell, given in zip(cells, puzzle.digits, strict=True):
            solver.add(cell == given if given else z3.And(z3.ULE(1, cell), z3.ULE(cell, size)))
        for house in puzzle.layout.offsets:
            solver.add(z3.Distinct(*(cells[cell] for cell in house)))
        if solver.check() != z3.sat:
            return None
        model = solver.model()
        return self.read(model.eval(cell, model_completion=True).as_long() for cell in cells)


class PythonConstraint(Peer):
    """A variable for each cell, `AllDifferentConstraint`, backtracking with forward checking."""

    module = "constraint"

    def solve(self, puzzle: Grid) -> Grid | None:
        return next(map(self.read, self.solutions(puzzle, 1)), None)

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterator[list[int]]:
        problem = self._module.Problem(self._module.BacktrackingSolver())
        digits = list(range(1, puzzle.size + 1))
        for cell, given in enumerate(puzzle.digits):
            problem.addVariable(cell, [given] if given else digits)
        for house in puzzle.layout.offsets:
            problem.addConstraint(self._module.AllDifferentConstraint(), house)
        for answer in islice(problem.getSolutionIter(), limit):
            yield [answer[cell] for cell in range(len(puzzle.digits))]


class Pencilmark(Peer):
    """Its function solve, which also makes sure that there is only one solution."""

    module = "pencilmark"

    def solve(self, puzzle: Grid) -> Grid | None:
        rows, columns = self.box
        numbers = "".join(map(".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".__getitem__, puzzle.digits))
        try:
            answer = self._module.solve({"numbers": numbers, "box": f"{rows}x{columns}"})
        except self._module.NoSolution:
            return None
        except self._module.NotUnique:
            raise Unfit("refuses puzzles with several solutions") from None
        return self.read(answer)


class PySudoku(Peer):
    """Its only way to solve; its width and height are the columns and rows of a box."""

    module = "sudoku"

    def solve(self, puzzle: Grid) -> Grid | None:
        rows, columns = self.box
        board = [[given or None for given in row] for row in puzzle.rows]
        answer = self._module.Sudoku(columns, rows, board=board).solve().board
        return Grid.from_rows(answer, self.box) if answer[0][0] else None


class PySwip(Solver):
    """The sudoku example that comes with pyswip, on the SWI-Prolog that we use."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        if box != (3, 3):
            raise Unfit("9x9 only")
        if program := swipl():  # pyswip asks the first swipl on PATH
            os.environ["PATH"] = os.pathsep.join([str(program.parent), os.environ["PATH"]])
        self._example: Any = import_module("pyswip.examples.sudoku")

    def solve(self, puzzle: Grid) -> Grid | None:
        answer = self._example.solve(self._example.Matrix([list(row) for row in puzzle.rows]))
        return Grid.from_rows(answer.matrix, self.box) if answer else None


ALONE = {"clingo-jobs", "prolog-jobs", "pyswip"}
"""They cannot share a process with the others."""


def contestants(jobs: int, clingo_options: Sequence[str] = ()) -> tuple[Contestant, ...]:
    """Return all contestants: `jobs` processes for some, and one more for each set of options."""
    one, many = "our engine in one thread", f"solve_many in {jobs} processes"
    kept = "one solver for all, plain clauses, givens as assumptions, models made grids"
    loop = "in a loop: ground once, givens as assumptions, symbols made grids"
    fresh = "pairwise.lp, a fresh Control for each puzzle, defaults"
    process = "sudoku.lp, python -m clingo for each puzzle, defaults"
    classic = "programs/classic.pl: 27 all_distinct, label row by row"
    model = "CP-SAT, a model for each puzzle, AllDifferent, one worker"
    forward = "AllDifferentConstraint, BacktrackingSolver with forward checking"
    clingo: list[tuple[str, Callable[[Box], Solver], str]] = [
        ("clingo-bare", solvers.BareClingo, f"our program and options {loop}"),
        *(
            (
                f"clingo-bare {options.removeprefix('--configuration=')}",
                partial(solvers.BareClingo, options=options.split()),
                f"the same loop with {options} instead of our options",
            )
            for options in clingo_options
        ),
        ("clingo-symbols", solvers.SymbolsOnly, "clingo-bare, but the symbols are only read"),
        ("clingo-fresh", solvers.FreshClingo, fresh),
        ("clingo-process", solvers.ClingoProcess, process),
    ]
    found: list[tuple[str, Callable[[Box], Solver], str, str]] = [
        ("clingo", partial(solvers.Ours, backend="clingo"), "clingo", one),
        ("prolog", partial(solvers.Ours, backend="prolog"), "janus-swi", one),
        ("sat", partial(solvers.Ours, backend="sat"), "python-sat", one),
        ("clingo-jobs", partial(solvers.Parallel, backend="clingo", jobs=jobs), "clingo", many),
        ("prolog-jobs", partial(solvers.Parallel, backend="prolog", jobs=jobs), "janus-swi", many),
        *((name, make, "clingo", settings) for name, make, settings in clingo),
        ("prolog-classic", solvers.ClassicProlog, "janus-swi", classic),
        ("python-sat cadical195", partial(PythonSat, solver="cadical195"), "python-sat", kept),
        ("python-sat glucose4", partial(PythonSat, solver="glucose4"), "python-sat", kept),
        ("ortools", OrTools, "ortools", f"{model}; no linear relaxation, symmetry or probing"),
        ("cpmpy", Cpmpy, "cpmpy", "on ortools with the same settings"),
        ("z3", Z3, "z3-solver", "bit vectors, Distinct, solver for QF_FD"),
        ("py-sudoku", PySudoku, "py-sudoku", "solve()"),
        ("pencilmark", Pencilmark, "pencilmark", "solve(), which proves uniqueness too"),
        ("pyswip", PySwip, "pyswip", "its example: library(bounds), leftmost cell first"),
        ("python-constraint", PythonConstraint, "python-constraint2", forward),
    ]
    return tuple(Contestant(*each, alone=each[0] in ALONE) for each in found)
