"""Our encodings, ground and read, with rules and regions.

`LayoutProgram` is ``sudoku.lp`` for all puzzles of a layout, `PuzzleProgram` ``one_puzzle.lp`` for
one hard puzzle, `Removals` ``why_not.lp``. Another program is a `FreshProgram`, next door.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import clingo

from ...errors import BackendFailure
from ...files import encoding
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Layout, Placement
from ...running.workers import Unfinished
from ..clingo.decoding import Decoder, Meanings, key, keys
from ..clingo.session import EXACT, GroundProgram, brave, ground, shown
from .base import hard_after

OPTIONS = (
    "--configuration=frumpy",
    "--sign-def=pos",
    "--forget-on-step=varScores,signs,lemmaScores,lemmas",
)
"""Try a digit rather than its absence, and learn nothing from one puzzle for the next: together
four times as fast on hard puzzles, and half as fast again on others (``benchmarks/NOTES.md``)."""
RULED = OPTIONS[1:]
"""With rules beyond plain sudoku: clingo's own configuration takes fewer conflicts than frumpy on
hard puzzles, and the same time on others (``benchmarks/NOTES.md``)."""
CAGED = ("--configuration=crafty", *RULED)
"""With cages that have sums in more than half of the cells: a quarter less time on hard killers
(``benchmarks/NOTES.md``)."""
LONG = ("--configuration=trendy", "--sign-def=pos", "--heuristic=Vsids,98")
"""For one long search: as fast as any of some fifty settings tried (``benchmarks/NOTES.md``)."""
LISTING = (*LONG, "--sat-prepro=no")
"""For one with many answers, each of which costs more if variables have been eliminated."""

BRIEF = 81_000
"""Conflicts, times the cells of the grid, that a search may have in the caller's own thread, where
Ctrl-C and time limits must wait: 1,000 for a 9x9 puzzle, about 20 ms. Nearly every question is
answered by then. The limit on models is a fifth of that; beyond it, the cost of counting again in a
worker is negligible."""
HARD = 300
"""Conflicts after which a puzzle gets a program of its own, unless it is large and loose, or has
rules and few givens. With 25x25 they take a fifth of the time of grounding it: nearly all puzzles
need fewer or far more."""
UNLIMITED = "umax", 0
"""The limits of a search without any: conflicts and models."""


class TooManyModels(Unfinished):
    """The search ended because it had found as many solutions as it was allowed to."""


def _options(layout: Layout) -> tuple[str, ...]:
    """The options of clingo for all puzzles of a layout."""
    if not layout.rules:
        return OPTIONS
    from ...rules.sums import KillerCage

    cages = (rule.cells for rule in layout.rules if isinstance(rule, KillerCage) and rule.sum)
    return CAGED if 2 * len({*chain.from_iterable(cages)}) > layout.size**2 else RULED


def with_few_givens(puzzle: Grid | Puzzle) -> bool:
    """True if it has rules beyond plain sudoku, and less than a quarter of its cells are given.

    There a `PuzzleProgram` is slower: its grounding has little to leave out. With more givens it is
    faster, with rules too (``benchmarks/NOTES.md``).
    """
    return bool(puzzle.layout.rules) and 4 * len(puzzle.givens) < len(puzzle.digits)


def with_rules(name: str, layout: Layout) -> str:
    """One of ``encodings/``, with the modules and the facts of the rules of a layout."""
    if not layout.rules:
        return encoding(name)
    from ...rules.base import everything, facts
    from ...rules.own import asp_modules, check_module

    kinds = {type(rule) for rule in everything(layout.rules)}
    ours = (kind.kind for kind in kinds if kind.asp is None)
    for kind in kinds:
        if kind.asp == "":
            raise BackendFailure(f"clingo: the rule {kind.kind} has no module for clingo")
        if kind.asp:
            check_module(kind.kind, kind.asp, tuple(sorted(kind.types)))
    own = frozenset(kind.asp for kind in kinds if kind.asp is not None)
    return "\n".join(
        (encoding(name, "rules", modules=tuple(asp_modules(ours)), own=own), *facts(layout.rules))
    )


def grounded(program: str, layout: Layout, options: Sequence[str] = OPTIONS) -> clingo.Control:
    """The program, ground for a layout; a RuntimeError has clingo's messages."""
    exact = (EXACT,) if layout.rules else ()
    return ground("\n".join((program, *regions(layout))), (*options, *exact, *shape(layout)))


def shape(layout: Layout) -> tuple[str, str]:
    """The options of clingo that name the shape of the boxes."""
    return f"-cbox_rows={layout.box[0]}", f"-cbox_columns={layout.box[1]}"


def regions(layout: Layout) -> Iterator[str]:
    """The facts that name the regions."""
    for number, region in enumerate(layout.regions or (), 1):
        for row, column in region:
            yield f"region({number},{row},{column})."


def facts_of(puzzle: Grid | Puzzle, name_of_givens: str) -> Iterator[str]:
    """The givens of a puzzle, under this name, and its marks."""
    for name, placements in ((name_of_givens, puzzle.givens), ("excluded", puzzle.excluded)):
        yield from (f"{name}({row},{column},{digit})." for row, column, digit in placements)


def placement_of(symbol: clingo.Symbol) -> Placement:
    """The row, column and digit that are the symbol's last arguments."""
    text = str(symbol)[:-1].replace("(", ",")  # half the time of asking for each argument
    row, column, digit = map(int, text.rsplit(",", 3)[1:])
    return Placement(row, column, digit)


class CellDecoder(Decoder[tuple[int, int], Grid]):
    """``sudoku/3`` as offsets of cells, and digits."""

    def __init__(self, control: clingo.Control, box: tuple[int, int]) -> None:
        super().__init__(control)
        self.box = box
        self._size = box[0] * box[1]
        self._known = Meanings(self._meaning)

    def answer(self, model: clingo.Model) -> Grid:
        digits = [0] * (self._size * self._size)
        for offset, digit in self.meanings(model.symbols(shown=True)):
            digits[offset] = digit
        return Grid(tuple(digits), self.box)

    def meanings(self, symbols: Sequence[clingo.Symbol]) -> Iterable[tuple[int, int]]:
        return map(self._known.__getitem__, keys(symbols))

    @cached_property
    def literals(self) -> list[tuple[int, tuple[int, int]]]:
        atoms = self.control.symbolic_atoms.by_signature("sudoku", 3)
        return [(atom.literal, self._known[key(atom.symbol)]) for atom in atoms]

    def literal(self, offset: int, digit: int) -> int:
        """The literal of a digit in a cell; 0 if the program has no such atom."""
        row, column = divmod(offset, self._size)
        place = map(clingo.Number, (row + 1, column + 1, digit))
        atom = self.control.symbolic_atoms[clingo.Function("sudoku", [*place])]
        return atom.literal if atom else 0

    def _meaning(self, symbol: clingo.Symbol) -> tuple[int, int]:
        row, column, digit = placement_of(symbol)
        return (row - 1) * self._size + column - 1, digit


class LayoutProgram(GroundProgram[Grid]):
    """``sudoku.lp``, ground for one layout: givens and marks are assumed."""

    def __init__(self, layout: Layout, options: Sequence[str] = ()) -> None:
        options = options or _options(layout)
        self._adopt(grounded(with_rules("sudoku", layout), layout, options), layout)

    def _adopt(self, control: clingo.Control, layout: Layout) -> None:
        self.control = control
        self.decoder = CellDecoder(control, layout.box)
        size = self._size = layout.size
        configuration: Any = self.control.configuration
        self._settings = configuration.solve
        self._settings.models = 0
        self._allowed: tuple[int | str, int] = UNLIMITED
        self._threads = 1
        # _literals[offset][digit] is assumed for a given; 0 until it is looked up.
        self._literals = [[0] * (size + 1) for _ in range(size * size)]

    def allow(self, conflicts: int | str, models: int, threads: int = 1) -> None:
        """Let searches end, perhaps unfinished, after this number of conflicts or models."""
        if self._allowed != (conflicts, models):
            self._allowed = conflicts, models
            self._settings.models = models
            self._settings.solve_limit = f"{conflicts},umax"
        if self._threads != threads:
            self._threads = self._settings.parallel_mode = threads

    def allow_until_hard(self, puzzle: Grid | Puzzle, threads: int) -> None:
        """Let searches end, perhaps unfinished, where the puzzle is one for `PuzzleProgram`."""
        if with_few_givens(puzzle):
            self.allow(*UNLIMITED, threads)
        else:
            conflicts = hard_after(HARD, puzzle)
            self.allow(conflicts, conflicts + 1)

    def search(self, puzzle: Grid | Puzzle, threads: int = 1) -> clingo.SolveHandle:
        """A handle on the solutions, or those up to where a `PuzzleProgram` takes over."""
        self.allow_until_hard(puzzle, threads)
        return self._solve(puzzle)

    def read(self, handle: clingo.SolveHandle) -> Grid | None:
        """The solution that a search has reached, or None when there are no more."""
        model = handle.model()
        if model is None and not handle.get().exhausted:
            raise Unfinished
        return self.decoder.answer(model) if model else None

    def first(self, puzzle: Grid | Puzzle) -> Grid | None:
        """A solution, or None."""
        with self._solve(puzzle) as handle:
            return self.read(handle)

    def count(
        self,
        puzzle: Grid | Puzzle,
        limit: int | None,
        on_model: Callable[[clingo.Model], None] | None,
    ) -> int:
        """The number of solutions up to `limit` (not 0), without reading them.

        `on_model` is called for each.
        """
        most = self._allowed[1]
        self._settings.models = min((m for m in (limit, most) if m), default=0)
        try:
            result = self.control.solve(assumptions=self._assumptions(puzzle), on_model=on_model)
        finally:
            self._settings.models = most
        model_count = int(self.control.statistics["summary"]["models"]["enumerated"])
        if not result.exhausted and model_count != limit:
            raise TooManyModels if model_count == most else Unfinished
        return model_count

    def candidates(self, puzzle: Grid | Puzzle) -> list[set[int]]:
        """For each cell, the digits that are brave consequences."""
        cells: list[set[int]] = [set() for _ in puzzle.digits]
        found = brave(self.control, self._assumptions(puzzle), read=shown) or ()
        for offset, digit in self.decoder.meanings(found):
            cells[offset].add(digit)
        return cells

    def candidate_counts(self, puzzle: Grid | Puzzle, limit: int | None) -> list[dict[int, int]]:
        """For each cell, the number of solutions with each of its candidates, up to `limit`.

        Once a candidate has reached the limit, every further solution must have one that has not,
        so none is missed below the limit, and the search ends when all have reached it.
        """
        counts: list[dict[int, int]] = [{} for _ in puzzle.digits]
        below = {
            (offset, digit): self._literal(offset, digit)
            for offset in range(len(puzzle.digits))
            for digit in range(1, self._size + 1)
        }

        def add(model: clingo.Model) -> None:
            reached = False
            for offset, digit in self.decoder.meanings(model.symbols(shown=True)):
                number = counts[offset][digit] = counts[offset].get(digit, 0) + 1
                if number == limit:
                    del below[offset, digit]
                    reached = True
            if reached:
                model.context.add_clause(list(below.values()))

        if not self.control.solve(self._assumptions(puzzle), on_model=add).exhausted:
            most = self._allowed[1]
            model_count = int(self.control.statistics["summary"]["models"]["enumerated"])
            raise TooManyModels if model_count == most else Unfinished
        return [
            {digit: min(number, limit or number) for digit, number in sorted(cell.items())}
            for cell in counts
        ]

    def _solve(self, puzzle: Grid | Puzzle) -> clingo.SolveHandle:
        return self.control.solve(assumptions=self._assumptions(puzzle), yield_=True)

    def _assumptions(self, puzzle: Grid | Puzzle) -> list[int]:
        literals, literal = self._literals, self._literal
        assumed = [
            literals[offset][digit] or literal(offset, digit)
            for offset, digit in enumerate(puzzle.digits)
            if digit
        ]
        for row, column, digit in puzzle.excluded:
            assumed.append(-literal((row - 1) * self._size + column - 1, digit))
        return assumed

    def _literal(self, offset: int, digit: int) -> int:
        """The literal of a digit in a cell, looked up when it is first needed.

        To look up all of them takes as long as to ground the program, and one puzzle needs few.
        """
        if not self._literals[offset][digit]:
            self._literals[offset][digit] = self.decoder.literal(offset, digit)
        return self._literals[offset][digit]


class PuzzleProgram(LayoutProgram):
    """``one_puzzle.lp``, ground for one puzzle: for a long search, by one thread or several."""

    def __init__(self, puzzle: Grid | Puzzle, threads: int, settings: Sequence[str]) -> None:
        facts = facts_of(puzzle, "initial")
        program = "\n".join((with_rules("one_puzzle", puzzle.layout), *facts))
        options = (*settings, f"--parallel-mode={threads}")
        self._adopt(grounded(program, puzzle.layout, options), puzzle.layout)

    def _assumptions(self, _puzzle: Grid | Puzzle) -> list[int]:
        return []


class Removed(NamedTuple):
    """One of the smallest sets of givens that must go."""

    givens: tuple[Placement, ...]
    grid: Grid
    """A full grid with the other givens and the placement in question."""


class Removals(GroundProgram[Removed]):
    """``why_not.lp``, ground for a puzzle and a placement in question.

    Its answers get better until they are optimal.
    """

    OPTIONS = ("--opt-strategy=usc", "--opt-mode=optN", "--project", "--models=0")
    """Find the smallest number of givens by cores of clashing ones, then every set of that size."""

    def __init__(self, puzzle: Grid | Puzzle, query: tuple[int, int, int]) -> None:
        self._box = puzzle.box
        program = [
            with_rules("sudoku", puzzle.layout),
            encoding("explaining/why_not"),
            *facts_of(puzzle, "removable"),
            f"query{tuple(query)}.",
        ]
        self.control = grounded("\n".join(program), puzzle.layout, self.OPTIONS)
        if not puzzle.givens:  # then nothing is minimized or projected, and any grid will do
            self.control.configuration.solve.models = 1  # type: ignore[union-attr]

    def read(self, handle: clingo.SolveHandle) -> Removed | None:
        """The set that the search has reached, or None at its end."""
        while (model := handle.model()) and model.cost and not model.optimality_proven:
            handle.resume()
        if model is None:
            return None
        held: list[Placement] = []
        removed: list[Placement] = []
        for symbol in model.symbols(shown=True):
            (removed if symbol.name == "removed" else held).append(placement_of(symbol))
        return Removed(tuple(sorted(removed)), Grid.of(held, self._box))
