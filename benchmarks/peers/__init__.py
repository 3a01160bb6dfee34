"""Other solvers of puzzles with rules: the Interactive Sudoku Solver, and CP-SAT."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import process_time
from typing import Any, NamedTuple

from pylogic_sudoku import Puzzle
from pylogic_sudoku.rules import Rule

_SCRIPT = Path(__file__).with_name("iss.mjs")


class Asked(NamedTuple):
    """The number of solutions up to two, or None if it is late.

    The seconds are those of the processor, or the limit if it is late.
    """

    found: int | None
    seconds: float


class Refused(Exception):
    """The peer cannot read the puzzle, or has no such rule."""


class Iss:
    """A checkout of the Interactive Sudoku Solver, in one process of node that stays warm."""

    def __init__(self, checkout: Path, limit: float) -> None:
        self._checkout = checkout
        self._limit = limit
        self.published: list[dict[str, Any]] = self._start()

    def _start(self) -> Any:
        self._process = subprocess.Popen(
            ["node", str(_SCRIPT), str(self._checkout)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lines = Queue[str]()
        Thread(target=self._read, args=[self._process.stdout, self._lines], daemon=True).start()
        return json.loads(self._lines.get(timeout=60))

    @staticmethod
    def _read(lines: Iterable[str], queue: Queue[str]) -> None:
        for line in lines:
            queue.put(line)

    def ask(self, text: str) -> Asked:
        """The least time of several runs, or of one if it is long; Refused if it cannot."""
        assert self._process.stdin is not None
        print(json.dumps(text), file=self._process.stdin, flush=True)
        try:
            # Runs take 5 seconds, the last one up to the limit, and the machine may be busy.
            said = json.loads(self._lines.get(timeout=4 * (5 + self._limit)))
        except Empty:
            self.close()
            self._start()
            return Asked(None, self._limit)
        if "error" in said:
            raise Refused(said["error"])
        if said["seconds"] > self._limit:
            return Asked(None, self._limit)
        return Asked(said["found"], said["seconds"])

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def by_cp_sat(puzzle: Puzzle, limit: float) -> Asked | None:
    """The same from CP-SAT with one thread; None without it, or for kinds not stated here."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        return None
    if not {rule.kind for rule in puzzle.layout.rules} <= {"killer_cage", "arrow", "thermometer"}:
        return None
    start = process_time()
    n = puzzle.size
    model = cp_model.CpModel()
    cells = {
        (row, column): model.new_int_var(1, n, f"r{row}c{column}")
        for row in range(1, n + 1)
        for column in range(1, n + 1)
    }
    for house in puzzle.houses:
        model.add_all_different([cells[cell] for cell in house.cells])
    for row, column, digit in puzzle.givens:
        model.add(cells[row, column] == digit)
    for row, column, digit in puzzle.excluded:
        model.add(cells[row, column] != digit)
    for rule in puzzle.layout.rules:
        _state(model, cells, rule)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    found = 0
    while found < 2:
        solver.parameters.max_time_in_seconds = max(0.01, limit - (process_time() - start))
        status = solver.solve(model)
        if status == cp_model.UNKNOWN:
            return Asked(None, limit)
        if status == cp_model.INFEASIBLE:
            break
        found += 1
        others = []
        for cell, variable in cells.items():
            other = model.new_bool_var(f"{found} {cell}")
            model.add(variable != solver.value(variable)).only_enforce_if(other)
            others.append(other)
        model.add_bool_or(others)
    seconds = process_time() - start
    return Asked(None, limit) if seconds > limit else Asked(found, seconds)


def _state(model: Any, cells: dict[tuple[int, int], Any], rule: Rule) -> None:
    fields: Any = rule
    if rule.kind == "killer_cage":
        inside = [cells[cell] for cell in fields.cells]
        model.add_all_different(inside)
        if fields.sum is not None:
            model.add(sum(inside) == fields.sum)
    elif rule.kind == "arrow":
        circle = 0
        for cell in fields.circle:
            circle = 10 * circle + cells[cell]
        model.add(sum(cells[cell] for cell in fields.arm) == circle)
    else:
        line = [cells[cell] for cell in fields.cells]
        for lower, higher in pairwise(line):
            model.add(lower <= higher if fields.slow else lower < higher)
