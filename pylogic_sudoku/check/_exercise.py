"""An exercise to set: instances and reference solutions, made from puzzles."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path

from .._api import PuzzleLike, at_most
from .._compare import compare
from .._saving import check_target, save
from ..engines import get
from ..errors import InvalidPuzzle, SolveTimeout
from ..formats import as_grid, as_puzzle
from ..formats._facts import ATOMS
from ..grid import Grid
from ._instances import Vocabulary, vocabulary_of

__all__ = ["Exercise"]

ENGINES = ("clingo", "prolog")


class Exercise:
    """A folder with ``instances/*.lp`` and ``solutions/*.json``; `add` adds one of each.

    InvalidPuzzle if the folder already holds an exercise; OSError if it cannot be made.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        limit: int = 925,
        timeout: float | None = None,
        vocabulary: str | Vocabulary = "initial",
    ) -> None:
        self.instances = Path(folder) / "instances"
        self.solutions = Path(folder) / "solutions"
        self._limit = at_most(limit) or 0
        self._timeout = timeout
        words = vocabulary_of(vocabulary) if isinstance(vocabulary, str) else vocabulary
        self._vocabulary = words
        self._number = 0
        for place, ending in ((self.instances, "lp"), (self.solutions, "json")):
            if any(place.glob(f"*.{ending}")):
                raise InvalidPuzzle(f"{place} already holds *.{ending} files; give a new folder")
        for place in (self.instances, self.solutions):
            place.mkdir(parents=True, exist_ok=True)
        check_target(self.instances / "ex000.lp")
        check_target(self.solutions / "ex000.json")

    def add(self, puzzle: PuzzleLike, comment: str = "") -> Path:
        """Write one instance and its solutions, and return the file of the instance.

        Both engines search for `limit` solutions (0 for all). InvalidPuzzle for a puzzle that has
        regions or marks but no rules, Disagreement if the engines differ, FileExistsError if
        another program writes to the same folder. After an OSError neither file exists.
        """
        asked = as_puzzle(puzzle)
        grid = asked if asked.layout.rules else as_grid(asked)
        most = self._limit + 1 if self._limit else None
        comparison = compare(grid, ENGINES, most, self._timeout)
        comparison.check()
        if not comparison.finished:
            raise SolveTimeout(ENGINES[0], self._timeout or 0.0)
        found = sorted(comparison.solutions, key=lambda solution: solution.digits)
        more = bool(self._limit) and len(found) > self._limit
        number = self._number + 1
        file = self.instances / f"ex{number:03}.lp"
        facts = re.sub(rf"\b{ATOMS[0]}\(", f"{self._vocabulary.given}(", grid.format("facts"))
        remark = "".join(f"% {line}\n" for line in comment.splitlines())
        self._write(
            file,
            f"{remark}{facts}\n",
            self._output(file, found[: self._limit or None], more),
        )
        self._number = number
        return file

    def _write(self, file: Path, instance: str, solutions: str) -> None:
        reference = self.solutions / f"{file.stem}.json"
        try:
            reference.touch(exist_ok=False)
        except FileExistsError as error:
            why = "already exists; another program writes to this folder"
            raise FileExistsError(error.errno, why, str(reference)) from None
        try:
            # The reference first, so that an instance always has its solutions.
            save(reference, solutions)
            save(file, instance)
        except BaseException:
            file.unlink(missing_ok=True)
            reference.unlink(missing_ok=True)
            raise

    def _output(self, file: Path, solutions: list[Grid], more: bool) -> str:
        """Return the solutions as clingo writes answer sets with ``--outf=2``."""
        witnesses = [{"Value": self._atoms(solution)} for solution in solutions]
        engines = ", ".join(f"{get(name).engine} {get(name).version()}" for name in ENGINES)
        return json.dumps(
            {
                "Solver": f"pylogic-sudoku {version('pylogic-sudoku')} ({engines})",
                "Input": [file.name],
                "Call": [{"Witnesses": witnesses} if witnesses else {}],
                "Result": "SATISFIABLE" if witnesses else "UNSATISFIABLE",
                "Models": {"Number": len(witnesses), "More": "yes" if more else "no"},
            },
            indent=1,
        )

    def _atoms(self, solution: Grid) -> list[str]:
        name = self._vocabulary.solution
        return [f"{name}({x},{y},{digit})" for x, y, digit in solution.givens]
