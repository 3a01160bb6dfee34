"""A command on sudokus: it gets the givens as facts, and prints the digit of each cell."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import closing
from copy import copy
from typing import Self

from ...errors import BackendFailure
from ...problem import Atom
from ...puzzle import Grid, Puzzle
from ...running.command import program_of
from ...running.workers import Budget
from ..command.instances import asked, found
from ..command.named import Command
from ..command.printed import AtomReader
from ..program import Program, program_named
from .base import SudokuEngine
from .ground_once import facts_of, regions
from .puzzles import vocabulary

__all__ = ["CommandBackend"]


class CommandBackend(SudokuEngine):
    """A command that gets the givens of a puzzle, and perhaps a program that states sudoku.

    The program is ``encodings/sudoku.lp``, unless the command names another one. Without any, the
    facts are ``initial/3``, and answers consist of ``sudoku/3``.
    """

    def __init__(self, command: Command) -> None:
        self.name = command.name
        self.engine = os.path.basename(command.words[0])
        self._command = command
        self._program = _program(command)
        self._most: int | None = None
        if self._program:
            self.knows = self._program.knows - {"rules"}
            self.shapes = self._program.shapes

    def version(self) -> str:
        """The path of its program, since only the command itself knows its version."""
        return program_of(self._command.words)

    def with_limit(self, limit: int | None) -> Self:
        limited = copy(self)
        limited._most = limit
        return limited

    def solutions(self, question: Grid | Puzzle, timeout: float | None = None) -> Generator[Grid]:
        given, answer = "initial", "sudoku"
        if self._program and self._program.path.suffix == ".lp":
            given, answer = vocabulary(self._program)
        reader = AtomReader({(answer, 3)})
        path = self._program.path if self._program else None
        with asked(self._command, path, self._facts(question, given)) as words:
            yield from found(
                self._command,
                words,
                lambda atoms, _: self._grid(question, reader.atoms(atoms)),
                Budget(self.name, timeout),
                self._most,
            )

    def solve(self, question: Grid | Puzzle, timeout: float | None = None) -> Grid | None:
        with closing(self.with_limit(1).solutions(question, timeout)) as solutions:
            return next(solutions, None)

    def count(
        self, question: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> int:
        if limit == 0:
            return 0
        return super(CommandBackend, self.with_limit(limit)).count(question, limit, timeout)

    def _facts(self, puzzle: Grid | Puzzle, given: str) -> str:
        """The facts of a puzzle, and the shape of its boxes as constants."""
        rows, columns = puzzle.layout.box
        sizes = {"box_rows": rows, "box_columns": columns, "subgrid_size": rows}
        fact = "constant({},{})." if self._command.reads_prolog else "#const {}={}. [override]"
        lines = [fact.format(*each) for each in sizes.items()]
        return "\n".join((*lines, *facts_of(puzzle, given), *regions(puzzle.layout), ""))

    def _grid(self, puzzle: Grid | Puzzle, atoms: Iterable[Atom]) -> Grid:
        """The grid with these digits; BackendFailure if they do not fill it."""
        size = puzzle.size
        digits = [0] * (size * size)
        for atom in atoms:
            row, column, digit = atom.arguments
            if not all(isinstance(each, int) and 1 <= each <= size for each in atom.arguments):
                expected = f"row, column and digit from 1 to {size}"
                raise BackendFailure(f"it prints the atom {atom}; expected {expected}")
            offset = (row - 1) * size + column - 1
            if digits[offset] not in (0, digit):
                raise BackendFailure(f"it puts two digits in r{row}c{column}")
            digits[offset] = digit
        if 0 in digits:
            cell = puzzle.cells[digits.index(0)]
            raise BackendFailure(f"it leaves {cell} open")
        return Grid(tuple(digits), puzzle.box)


def _program(command: Command) -> Program | None:
    """The program that a command gets; None if it gets none."""
    if command.program is None:
        return None
    return program_named(command.program or "clingo")
