"""Any program for clingo that states sudoku, with the givens of one puzzle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from time import perf_counter

import clingo

from ...errors import BackendFailure
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Placement
from ..clingo.decoding import Decoder, Meanings, keys
from ..clingo.ground_per_question import FreshProgram, Grounding
from ..clingo.session import EXACT, ground
from ..program import Program, head
from .ground_once import OPTIONS, facts_of, placement_of, regions, shape, with_rules

WATCHED = (*OPTIONS, "--sat-prepro=no")
"""As the engine searches, but no variable is eliminated: a propagator could not see it."""

_PREDICATE = re.compile(r"\b(\w+)\(\w+,\w+,\w+\)")


def grounding(
    program: Program, puzzle: Grid | Puzzle, search: Sequence[str] = ()
) -> Grounding[Placement, Grid]:
    """Return a function that grounds a program with the givens of a puzzle, and these options."""
    input_name, output_name = vocabulary(program)
    layout = puzzle.layout
    facts = [*facts_of(puzzle, input_name), *regions(layout)]
    options = [*WATCHED, *shape(layout), f"-csubgrid_size={layout.box[0]}"]
    if layout.rules or not program.is_ours:
        options.append(EXACT)
    # clingo takes an option only once.
    names = {each.partition("=")[0] for each in search}
    options = [*(each for each in options if each.partition("=")[0] not in names), *search]
    path: Path | None = program.path
    if "rules" in program.knows and layout.rules:
        facts.insert(0, with_rules(program.path.stem, layout))
        path = None
    # Of the puzzle no rule is needed any more, and a custom one need not be known elsewhere.
    grid = Grid(puzzle.digits, puzzle.box)
    return partial(_ground, "\n".join(facts), options, path, grid, output_name, program.name)


def _ground(
    text: str, options: Sequence[str], path: Path | None, grid: Grid, output_name: str, name: str
) -> FreshProgram[Placement, Grid]:
    start = perf_counter()
    control = ground(text, options, path)
    decoder = GridDecoder(control, grid, output_name, name)
    return FreshProgram(decoder, perf_counter() - start, optimizes=False)


class GridDecoder(Decoder[Placement, Grid]):
    """Atoms that put digits into the cells of a puzzle."""

    def __init__(self, control: clingo.Control, puzzle: Grid, answer: str, name: str) -> None:
        super().__init__(control)
        self._meanings = Meanings(self._meaning)
        self._puzzle = puzzle
        self._answer = answer
        self._name = name
        self._givens = frozenset(puzzle.givens)

    def answer(self, model: clingo.Model) -> Grid:
        """The full grid in a model; BackendFailure if there is none."""
        puzzle = self._puzzle
        digits = [0] * len(puzzle.digits)
        for placement in map(self._meanings.__getitem__, keys(model.symbols(atoms=True))):
            if placement is None:
                continue
            row, column, digit = placement
            offset = (row - 1) * puzzle.size + column - 1
            if digits[offset] not in (0, digit):
                raise BackendFailure(f"{self._name} puts two digits in r{row}c{column}")
            digits[offset] = digit
        if 0 in digits:
            cell = puzzle.cells[digits.index(0)]
            raise BackendFailure(
                f"{self._name} leaves {cell} open: no atom {self._answer}/3 is there"
            )
        return Grid(tuple(digits), puzzle.box)

    def _meaning(self, symbol: clingo.Symbol) -> Placement | None:
        """Return the placement of an atom; None if it is of another predicate."""
        if not symbol.match(self._answer, 3):
            return None
        if (placement := self._placement(symbol)) is None:
            raise BackendFailure(
                f"{self._name} has the atom {symbol}; expected row, column and digit from"
                f" 1 to {self._puzzle.size}"
            )
        return placement

    @cached_property
    def literals(self) -> list[tuple[int, Placement]]:
        atoms = self.control.symbolic_atoms.by_signature(self._answer, 3)
        placed = ((atom.literal, self._placement(atom.symbol)) for atom in atoms)
        return [(literal, placement) for literal, placement in placed if placement]

    def is_whole(self, remaining: Sequence[Placement]) -> bool:
        """True if every cell has a digit left."""
        return len({placement[:2] for placement in remaining}) == len(self._puzzle.digits)

    def news(
        self, placed: set[Placement], excluded: set[Placement]
    ) -> tuple[tuple[Placement, ...], tuple[Placement, ...]]:
        """Not the givens, and no digit that a filled cell does not hold."""
        placed = placed - self._givens
        cells = {each[:2] for each in placed | self._givens}
        open_ = {each for each in excluded if each[:2] not in cells}
        return tuple(sorted(placed)), tuple(sorted(open_))

    def _placement(self, symbol: clingo.Symbol) -> Placement | None:
        """Return the placement of an atom of the answer; None unless the puzzle has such a cell."""
        try:
            placement = placement_of(symbol)
        except ValueError:  # an argument is not a number
            return None
        return placement if all(1 <= each <= self._puzzle.size for each in placement) else None


def vocabulary(program: Program) -> tuple[str, str]:
    """The predicates of the givens and of the answer in a program for clingo.

    The head says them under Input and Output. Without a head, the answer is what ``#show`` names,
    or sudoku; givens are initial if the program mentions that, else the same as the answer.
    """
    text = program.text
    labels = head(text)[1]
    show = re.search(r"^#show\s+(\w+)/3", text, re.MULTILINE)
    output_label = _PREDICATE.search(labels.get("Output", ""))
    answer = output_label[1] if output_label else show[1] if show else "sudoku"
    input_label = _PREDICATE.search(labels.get("Input", ""))
    if input_label:
        return input_label[1], answer
    return "initial" if re.search(r"\binitial\s*\(", text) else answer, answer
