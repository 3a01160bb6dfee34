"""Z3, its solver for finite domains: a bit vector for each cell, Distinct for each house."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from time import process_time
from typing import Any

from pylogic_sudoku import BackendFailure, Grid, Puzzle, SolveTimeout
from pylogic_sudoku.engines.base import Measurement

from ..contestants import Contestant


class Z3(Contestant):
    """A solver for each puzzle; between two solutions it gets a clause against the first."""

    name, paradigm = "Z3", "SMT"

    def version(self) -> str:
        import_module("z3")
        return version("z3-solver")

    def first(self, puzzle: Grid | Puzzle, seconds: float) -> Measurement:
        start = process_time()
        solver, cells = self._model(puzzle)
        made = process_time()
        found = self._next(solver, cells, puzzle, seconds)
        return Measurement(found, setup=made - start, search=process_time() - made)

    def solutions(self, puzzle: Grid | Puzzle, most: int, seconds: float) -> list[Grid]:
        start = process_time()
        solver, cells = self._model(puzzle)
        found: list[Grid] = []
        while len(found) < most:
            grid = self._next(solver, cells, puzzle, seconds - (process_time() - start))
            if grid is None:
                break
            found.append(grid)
            pairs = zip(cells, grid.digits, strict=True)
            solver.add(import_module("z3").Or(*(cell != digit for cell, digit in pairs)))
        return found

    def _next(
        self, solver: Any, cells: list[Any], puzzle: Grid | Puzzle, seconds: float
    ) -> Grid | None:
        z3 = import_module("z3")
        solver.set("timeout", max(1, round(seconds * 1000)))
        answer = solver.check() if seconds > 0 else z3.unknown
        if answer == z3.unknown:
            raise SolveTimeout(self.name, seconds)
        if answer != z3.sat:
            return None
        model = solver.model()
        digits = (model.eval(cell, model_completion=True).as_long() for cell in cells)
        return Grid(tuple(digits), puzzle.box)

    def _model(self, puzzle: Grid | Puzzle) -> tuple[Any, list[Any]]:
        z3, n = import_module("z3"), puzzle.size
        unknown = {rule.kind for rule in puzzle.rules} - {"killer_cage", "greater"}
        if unknown or puzzle.marks:
            raise BackendFailure(f"no {', '.join(sorted(unknown)) or 'marks'} in this model")
        solver = z3.SolverFor("QF_FD")
        cells = [z3.BitVec(f"c{cell}", n.bit_length()) for cell in range(n * n)]
        for cell, given in zip(cells, puzzle.digits, strict=True):
            solver.add(cell == given if given else z3.And(z3.ULE(1, cell), z3.ULE(cell, n)))
        for house in puzzle.layout.offsets:
            solver.add(z3.Distinct(*(cells[cell] for cell in house)))
        at: dict[Any, Any] = dict(zip(puzzle.cells, cells, strict=True))
        for rule in puzzle.rules:
            parts: Any = [at[cell] for cell in getattr(rule, "cells", ())]
            if rule.kind == "greater":
                solver.add(*(z3.UGT(one, other) for one, other in pairwise(parts)))
                continue
            solver.add(z3.Distinct(*parts))
            if (total := getattr(rule, "sum", None)) is not None:
                # Wide enough for the sum of all digits of a row.
                wide = [z3.ZeroExt(8, part) for part in parts]
                solver.add(sum(wide[1:], wide[0]) == total)
        return solver, cells


CONTESTANT = Z3()
