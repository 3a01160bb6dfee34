"""Programs for clingo: our encodings, ground for a layout, and the one door to clingo's errors."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

import clingo

from ..._resources import located
from ...errors import BackendFailure
from ...grid import Grid, Layout, Placement
from ...puzzle import Puzzle
from ..base import patience

__all__ = ["BRIEF", "EXACT", "HARD", "LISTING", "LONG", "OPTIONS", "Many", "OwnProgram"]
__all__ += ["Program", "Removals", "Removed", "Unfinished", "constants", "encoding", "grounded"]
__all__ += ["in_use", "placement_of", "regions", "translated", "with_rules"]

OPTIONS = (
    "--configuration=frumpy",
    "--sign-def=pos",
    "--forget-on-step=varScores,signs,lemmaScores,lemmas",
)
"""Try a digit rather than its absence, and learn nothing from one puzzle for the next: together
four times as fast on hard puzzles, and half as fast again on others (``benchmarks/NOTES.md``)."""
LONG = ("--configuration=trendy", "--sign-def=pos", "--heuristic=Vsids,98")
"""For one long search: as fast as any of some fifty settings tried (``benchmarks/NOTES.md``)."""
LISTING = (*LONG, "--sat-prepro=no")
"""For one with many answers, each of which costs more if variables have been eliminated."""
EXACT = "--eq=0"
"""With rules beyond plain sudoku, clingo 5.8 would find some answers twice and miss others: it
simplifies sums and other aggregates wrongly if some of their atoms turn out to be equivalent."""

BRIEF = 81_000
"""Conflicts, times the cells of the grid, that a search may have in the caller's own thread, where
Ctrl-C and time limits must wait: 1,000 for a 9x9 puzzle, about 20 ms. Nearly every question is
answered by then. The limit on models is a fifth of that; beyond it, the cost of counting again in a
worker is negligible."""
HARD = 300
"""Conflicts after which a puzzle gets a program of its own, unless it is large and loose. With
25x25 they take a fifth of the time of grounding it: nearly all puzzles need fewer or far more."""
in_use: set[object] = set()
"""Programs that a search is using. In a reference cycle the garbage collector may free a program's
control before it closes the search; a program that is in here is never garbage."""


class Unfinished(Exception):
    """The search ended before it had an answer."""


class Many(Unfinished):
    """The search ended because it had found as many solutions as it was allowed to."""


@contextmanager
def translated() -> Iterator[None]:
    """Raise clingo's own errors as BackendFailure: every call into clingo is in such a block."""
    try:
        yield
    except RecursionError:  # a RuntimeError, but the caller's
        raise
    except (RuntimeError, MemoryError) as error:
        raise BackendFailure(f"clingo: {error}") from None


@cache
def encoding(
    *names: str,
    kinds: frozenset[str] = frozenset(),
    own: frozenset[os.PathLike[str] | str] = frozenset(),
) -> str:
    """The texts of some of ``encodings/``, and of what they include, each once.

    Of ``encodings/rules/`` it has the sections of these kinds of rules alone; `own` are sections of
    somebody else: files or texts.
    """
    seen: set[str] = set()

    def text_of(path: str) -> str:
        if path in seen:
            return ""
        seen.add(path)
        with open(path, encoding="utf-8") as file:
            return whole(file.read(), os.path.dirname(path))

    def whole(text: str, folder: str) -> str:
        found = _INCLUDE.sub(lambda each: text_of(included(folder, each[1])), text)
        return f"{found}\n"

    def included(folder: str, name: str) -> str:
        """A section of somebody else finds ours without their folder."""
        found = os.path.join(folder, name)
        return os.path.realpath(found if os.path.exists(found) else os.path.join(ours, name))

    ours = os.path.realpath(located("encodings"))
    texts = [text_of(os.path.join(ours, f"{name}.lp")) for name in names]
    if kinds:
        from ...rules._sources import asp_sections

        texts += (whole(text, os.path.join(ours, "rules")) for text in asp_sections(kinds))
    for section in sorted(own, key=str):
        if isinstance(section, str):
            texts.append(whole(section, ours))
        else:
            texts.append(text_of(os.path.realpath(section)))
    return "\n".join(texts)


_INCLUDE = re.compile(r'^#include "([^"]+)"\.', re.MULTILINE)


def with_rules(name: str, layout: Layout) -> str:
    """One of ``encodings/``, with the sections and the facts of the rules of a layout."""
    if not layout.rules:
        return encoding(name)
    from ...rules._rule import everything, facts

    kinds = {type(rule) for rule in everything(layout.rules)}
    ours = frozenset(kind.kind for kind in kinds if kind.asp is None)
    for kind in kinds:
        if kind.asp == "":
            raise BackendFailure(f"clingo: the rule {kind.kind} has no section for clingo")
    own = frozenset(kind.asp for kind in kinds if kind.asp is not None)
    return "\n".join((encoding(name, "rules", kinds=ours, own=own), *facts(layout.rules)))


def grounded(
    program: str,
    layout: Layout,
    options: Sequence[str] = OPTIONS,
    file: os.PathLike[str] | None = None,
) -> clingo.Control:
    """The program and the file, ground; a BackendFailure has all that clingo says."""
    messages: list[str] = []
    with translated():
        control = clingo.Control(
            [*options, *([EXACT] if layout.rules else []), *constants(layout)],
            logger=lambda _code, message: messages.append(message),
        )
        try:
            control.add("base", [], "\n".join((program, *regions(layout))))
            if file:
                control.load(os.fspath(file))
            control.ground()
        except RuntimeError as error:
            raise RuntimeError(f"{error}\n{''.join(messages)}".rstrip()) from None
    return control


def constants(layout: Layout) -> tuple[str, ...]:
    """The shape of the boxes, as options for clingo."""
    return f"-cbox_rows={layout.box[0]}", f"-cbox_columns={layout.box[1]}"


def regions(layout: Layout) -> Iterator[str]:
    """The facts that name the regions."""
    for number, region in enumerate(layout.regions or (), 1):
        for row, column in region:
            yield f"region({number},{row},{column})."


def placement_of(symbol: clingo.Symbol) -> Placement:
    """The row, column and digit that are the symbol's last arguments."""
    text = str(symbol)[:-1].replace("(", ",")  # half the time of asking for each argument
    row, column, digit = map(int, text.rsplit(",", 3)[1:])
    return Placement(row, column, digit)


# A symbol's number is a good key; hashing the symbol itself calls into C for each of 81 cells.
_key: Callable[[clingo.Symbol], Any] = (
    attrgetter("_rep") if hasattr(clingo.Number(1), "_rep") else lambda symbol: symbol
)


def _keys(symbols: Sequence[clingo.Symbol]) -> Iterable[Any]:
    """All keys in one call if clingo exposes the raw array (private; true up to 5.8)."""
    numbers = getattr(symbols, "_p_symbols", None)
    return map(_key, symbols) if numbers is None else list(numbers)


class Program:
    """``sudoku.lp``, ground for one layout: givens and marks are assumed; one search at a time."""

    def __init__(self, layout: Layout) -> None:
        self._adopt(grounded(with_rules("sudoku", layout), layout), layout)

    def _adopt(self, control: clingo.Control, layout: Layout) -> None:
        self.control = control
        self.box = layout.box
        size = self._size = layout.size
        configuration: Any = self.control.configuration
        self._settings = configuration.solve
        self._settings.models = 0
        self._allowed: tuple[int | None, bool] = (None, False)
        self._most = 0  # models of a search; 0 for no limit
        # literal[offset][digit] is assumed for a given; meaning[key] is what a symbol says.
        self._literal = [[0] * (size + 1) for _ in range(size * size)]
        self._meaning: dict[Any, tuple[int, int]] = {}
        for atom in self.control.symbolic_atoms.by_signature("sudoku", 3):
            row, column, digit = placement_of(atom.symbol)
            offset = (row - 1) * size + column - 1
            self._literal[offset][digit] = atom.literal
            self._meaning[_key(atom.symbol)] = offset, digit

    def interrupt(self) -> None:
        """Make the running search return soon."""
        self.control.interrupt()

    def allow(self, conflicts: int | None, brief: bool = False) -> None:
        """Let searches end, perhaps unfinished, after so many conflicts; None for no limit.

        A `brief` search calls nothing of ours: Ctrl-C there could end the process.
        """
        if self._allowed != (conflicts, brief):
            self._allowed = conflicts, brief
            models = 0 if conflicts is None else conflicts // (5 if brief else 1) + 1
            self._most = self._settings.models = models
            self._settings.solve_limit = f"{'umax' if conflicts is None else conflicts},umax"

    def enumerate(self, puzzle: Grid | Puzzle) -> clingo.SolveHandle:
        """A handle on the solutions up to where a puzzle counts as hard, to be read one by one."""
        self.allow(patience(HARD, puzzle.digits.count(0), self._size))
        return self._solve(puzzle)

    def read(self, handle: clingo.SolveHandle) -> Grid | None:
        """The solution that a search has reached, or None when there are no more."""
        model = handle.model()
        if model is None and not handle.get().exhausted:
            raise Unfinished
        return self._grid(model) if model else None

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

        `on_model` is called for each, except in a brief search.
        """
        self._settings.models = min((m for m in (limit, self._most) if m), default=0)
        on_model = None if self._allowed[1] else on_model
        try:
            result = self.control.solve(assumptions=self._assumptions(puzzle), on_model=on_model)
        finally:
            self._settings.models = self._most
        found = int(self.control.statistics["summary"]["models"]["enumerated"])
        if not result.exhausted and found != limit:
            raise Many if found == self._most else Unfinished
        return found

    def candidates(self, puzzle: Grid | Puzzle) -> list[set[int]]:
        """For each cell, the digits that are brave consequences."""
        cells: list[set[int]] = [set() for _ in puzzle.digits]
        self._settings.enum_mode = "brave"
        try:
            with self._solve(puzzle) as handle:
                # Each model adds to the one before; the last holds all of them.
                for _ in handle:
                    pass
                if not handle.get().exhausted:
                    raise Unfinished
                for offset, digit in self._shown(last) if (last := handle.last()) else ():
                    cells[offset].add(digit)
        finally:
            self._settings.enum_mode = "auto"
        return cells

    def _solve(self, puzzle: Grid | Puzzle) -> clingo.SolveHandle:
        return self.control.solve(assumptions=self._assumptions(puzzle), yield_=True)

    def _grid(self, model: clingo.Model) -> Grid:
        digits = [0] * len(self._literal)
        for offset, digit in self._shown(model):
            digits[offset] = digit
        return Grid(tuple(digits), self.box)

    def _shown(self, model: clingo.Model) -> Iterable[tuple[int, int]]:
        return map(self._meaning.__getitem__, _keys(model.symbols(shown=True)))

    def _assumptions(self, puzzle: Grid | Puzzle) -> list[int]:
        literal = self._literal
        assumed = [literal[offset][digit] for offset, digit in enumerate(puzzle.digits) if digit]
        for row, column, digit in puzzle.excluded:
            assumed.append(-literal[(row - 1) * self._size + column - 1][digit])
        return assumed


class OwnProgram(Program):
    """``one_puzzle.lp``, ground for one puzzle: for a long search, by one thread or several."""

    def __init__(self, puzzle: Grid | Puzzle, threads: int, settings: Sequence[str]) -> None:
        facts = [f"initial{tuple(given)}." for given in puzzle.givens]
        facts += [f"excluded{tuple(placement)}." for placement in puzzle.excluded]
        program = "\n".join((with_rules("one_puzzle", puzzle.layout), *facts))
        options = (*settings, f"--parallel-mode={threads}")
        self._adopt(grounded(program, puzzle.layout, options), puzzle.layout)

    def enumerate(self, puzzle: Grid | Puzzle) -> clingo.SolveHandle:
        """A handle on all solutions, to be read one by one."""
        return self._solve(puzzle)

    def _assumptions(self, _puzzle: Grid | Puzzle) -> list[int]:
        return []


class Removed(NamedTuple):
    """One of the smallest sets of givens that must go."""

    givens: tuple[Placement, ...]
    grid: Grid
    """A full grid with the other givens and the placement in question."""


class Removals:
    """``why_not.lp``, ground for a puzzle and a placement in question."""

    OPTIONS = ("--opt-strategy=usc", "--opt-mode=optN", "--project", "--models=0")
    """Find the smallest number of givens by cores of clashing ones, then every set of that size."""

    def __init__(self, puzzle: Grid | Puzzle, query: tuple[int, int, int]) -> None:
        self._box = puzzle.box
        facts = [f"removable{tuple(given)}." for given in puzzle.givens]
        facts += [f"excluded{tuple(placement)}." for placement in puzzle.excluded]
        program = [
            with_rules("sudoku", puzzle.layout),
            encoding("why_not"),
            *facts,
            f"query{tuple(query)}.",
        ]
        self.control = grounded("\n".join(program), puzzle.layout, self.OPTIONS)
        if not puzzle.givens:  # then nothing is minimized or projected, and any grid will do
            self.control.configuration.solve.models = 1  # type: ignore[union-attr]

    def interrupt(self) -> None:
        """Make the running search return soon."""
        self.control.interrupt()

    def enumerate(self, _puzzle: Grid | Puzzle) -> clingo.SolveHandle:
        """A handle on the models, which get better until they are optimal."""
        return self.control.solve(yield_=True)

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
