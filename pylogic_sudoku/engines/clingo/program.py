"""Programs for clingo: our encodings with rules and regions, ground, and read.

`LayoutProgram` is ``sudoku.lp`` for all puzzles of a layout, `PuzzleProgram` ``one_puzzle.lp`` for
one hard puzzle, `Removals` ``why_not.lp``; `Stated` is any program, with the givens of a puzzle. A
search asks them to `enumerate` and `read`. Every call into clingo is made by a `Session`, which
raises clingo's own errors as BackendFailure.
"""

from __future__ import annotations

import os
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from operator import attrgetter
from queue import Empty, Full, Queue
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeVar

import clingo

from ...errors import BackendFailure, explained
from ...files import encoding
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Layout, Placement
from .. import Program, head
from ..base import Event, Measurement, hard_after
from ..running import Budget, Unfinished, Workers

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
"""Conflicts after which a puzzle gets a program of its own, unless it is large and loose, or has
rules and few givens. With 25x25 they take a fifth of the time of grounding it: nearly all puzzles
need fewer or far more."""
UNLIMITED = "umax", 0
"""The limits of a search without any: conflicts and models."""
in_use: set[object] = set()
"""Programs that a search is using. In a reference cycle the garbage collector may free a program's
control before it closes the search; a program that is in here is never garbage."""


CLINGOS = (RuntimeError, MemoryError)
"""What clingo raises. A RecursionError is a RuntimeError, but the caller's."""

T = TypeVar("T")
G = TypeVar("G")


class Many(Unfinished):
    """The search ended because it had found as many solutions as it was allowed to."""


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


def grounded(
    program: str,
    layout: Layout,
    options: Sequence[str] = OPTIONS,
    file: os.PathLike[str] | None = None,
) -> clingo.Control:
    """The program and the file, ground; a BackendFailure has all that clingo says."""
    messages: list[str] = []
    shape = f"-cbox_rows={layout.box[0]}", f"-cbox_columns={layout.box[1]}"
    control = clingo.Control(
        [*options, *([EXACT] if layout.rules else []), *shape],
        logger=lambda _code, message: messages.append(message),
    )
    try:
        control.add("base", [], "\n".join((program, *regions(layout))))
        if file:
            control.load(os.fspath(file))
        control.ground()
    except RuntimeError as error:
        raise RuntimeError(explained(f"{error}\n{''.join(messages)}".rstrip())) from None
    return control


def regions(layout: Layout) -> Iterator[str]:
    """The facts that name the regions."""
    for number, region in enumerate(layout.regions or (), 1):
        for row, column in region:
            yield f"region({number},{row},{column})."


def facts_of(puzzle: Grid | Puzzle, given: str) -> Iterator[str]:
    """The givens of a puzzle, under this name, and its marks."""
    for name, placements in ((given, puzzle.givens), ("excluded", puzzle.excluded)):
        yield from (f"{name}({row},{column},{digit})." for row, column, digit in placements)


def placement_of(symbol: clingo.Symbol) -> Placement:
    """The row, column and digit that are the symbol's last arguments."""
    text = str(symbol)[:-1].replace("(", ",")  # half the time of asking for each argument
    row, column, digit = map(int, text.rsplit(",", 3)[1:])
    return Placement(row, column, digit)


def brave(control: clingo.Control, assumptions: Sequence[int]) -> Sequence[clingo.Symbol]:
    """What some answer shows; Unfinished if the search was cut short."""
    settings: Any = control.configuration.solve
    models = settings.models
    settings.enum_mode, settings.models = "brave", 0
    try:
        with control.solve(assumptions=assumptions, yield_=True) as handle:
            # Each model adds to the one before; the last holds all of them.
            for _ in handle:
                pass
            if not handle.get().exhausted:
                raise Unfinished
            last = handle.last()
            return last.symbols(shown=True) if last else ()
    finally:
        settings.enum_mode, settings.models = "auto", models


# A symbol's number is a good key; hashing the symbol itself calls into C for each of 81 cells.
_key: Callable[[clingo.Symbol], Any] = (
    attrgetter("_rep") if hasattr(clingo.Number(1), "_rep") else lambda symbol: symbol
)


def _keys(symbols: Sequence[clingo.Symbol]) -> Iterable[Any]:
    """All keys in one call if clingo exposes the raw array (private; true up to 5.8)."""
    numbers = getattr(symbols, "_p_symbols", None)
    return map(_key, symbols) if numbers is None else list(numbers)


class Answering(ABC, Generic[T]):
    """A program that clingo has ground, with many answers to one puzzle; one search at a time."""

    control: clingo.Control

    def enumerate(self, _puzzle: Grid | Puzzle, _threads: int = 1) -> clingo.SolveHandle:
        """A handle on all answers, to be read one by one."""
        return self.control.solve(yield_=True)

    @abstractmethod
    def read(self, handle: clingo.SolveHandle) -> T | None:
        """The answer that a search has reached, or None when there are no more."""


class LayoutProgram(Answering[Grid]):
    """``sudoku.lp``, ground for one layout: givens and marks are assumed."""

    def __init__(self, layout: Layout, options: Sequence[str] = ()) -> None:
        options = options or (RULED if layout.rules else OPTIONS)
        self._adopt(grounded(with_rules("sudoku", layout), layout, options), layout)

    def _adopt(self, control: clingo.Control, layout: Layout) -> None:
        self.control = control
        self.box = layout.box
        size = self._size = layout.size
        configuration: Any = self.control.configuration
        self._settings = configuration.solve
        self._settings.models = 0
        self._allowed: tuple[int | str, int] = UNLIMITED
        self._threads = 1
        # literal[offset][digit] is assumed for a given; meaning[key] is what a symbol says.
        self._literal = [[0] * (size + 1) for _ in range(size * size)]
        self._meaning: dict[Any, tuple[int, int]] = {}
        for atom in self.control.symbolic_atoms.by_signature("sudoku", 3):
            row, column, digit = placement_of(atom.symbol)
            offset = (row - 1) * size + column - 1
            self._literal[offset][digit] = atom.literal
            self._meaning[_key(atom.symbol)] = offset, digit

    def allow(self, conflicts: int | str, models: int, threads: int = 1) -> None:
        """Let searches end, perhaps unfinished, after so many conflicts or models."""
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

    def enumerate(self, puzzle: Grid | Puzzle, threads: int = 1) -> clingo.SolveHandle:
        """A handle on the solutions, or those up to where a `PuzzleProgram` takes over."""
        self.allow_until_hard(puzzle, threads)
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

        `on_model` is called for each.
        """
        most = self._allowed[1]
        self._settings.models = min((m for m in (limit, most) if m), default=0)
        try:
            result = self.control.solve(assumptions=self._assumptions(puzzle), on_model=on_model)
        finally:
            self._settings.models = most
        found = int(self.control.statistics["summary"]["models"]["enumerated"])
        if not result.exhausted and found != limit:
            raise Many if found == most else Unfinished
        return found

    def candidates(self, puzzle: Grid | Puzzle) -> list[set[int]]:
        """For each cell, the digits that are brave consequences."""
        cells: list[set[int]] = [set() for _ in puzzle.digits]
        for offset, digit in self._said(brave(self.control, self._assumptions(puzzle))):
            cells[offset].add(digit)
        return cells

    def _solve(self, puzzle: Grid | Puzzle) -> clingo.SolveHandle:
        return self.control.solve(assumptions=self._assumptions(puzzle), yield_=True)

    def _grid(self, model: clingo.Model) -> Grid:
        digits = [0] * len(self._literal)
        for offset, digit in self._said(model.symbols(shown=True)):
            digits[offset] = digit
        return Grid(tuple(digits), self.box)

    def _said(self, symbols: Sequence[clingo.Symbol]) -> Iterable[tuple[int, int]]:
        return map(self._meaning.__getitem__, _keys(symbols))

    def _assumptions(self, puzzle: Grid | Puzzle) -> list[int]:
        literal = self._literal
        assumed = [literal[offset][digit] for offset, digit in enumerate(puzzle.digits) if digit]
        for row, column, digit in puzzle.excluded:
            assumed.append(-literal[(row - 1) * self._size + column - 1][digit])
        return assumed


class PuzzleProgram(LayoutProgram):
    """``one_puzzle.lp``, ground for one puzzle: for a long search, by one thread or several."""

    def __init__(self, puzzle: Grid | Puzzle, threads: int, settings: Sequence[str]) -> None:
        facts = facts_of(puzzle, "initial")
        program = "\n".join((with_rules("one_puzzle", puzzle.layout), *facts))
        options = (*settings, f"--parallel-mode={threads}")
        self._adopt(grounded(program, puzzle.layout, options), puzzle.layout)

    def enumerate(self, puzzle: Grid | Puzzle, _threads: int = 1) -> clingo.SolveHandle:
        """A handle on all solutions, to be read one by one."""
        return self._solve(puzzle)

    def _assumptions(self, _puzzle: Grid | Puzzle) -> list[int]:
        return []


class Session:
    """Questions to programs, with one budget of time for all of them.

    A worker runs each question, or a loop of many as a whole, since each change of threads takes
    time on a busy machine. Where a worker runs already, it is `inside`. Whatever ends the waiting
    interrupts the question.
    """

    def __init__(self, workers: Workers, budget: Budget, inside: bool = False) -> None:
        self._workers = workers
        self._budget = budget
        self.sound = True
        """False once a question was interrupted or broke: its program may not be used again, as a
        late interrupt would stop the next search."""
        self._inside = inside
        self._control: clingo.Control | None = None

    @contextmanager
    def lent(self, idle: list[G], make: Callable[[], G]) -> Iterator[G]:
        """A program for the length of the block: one that is idle, or else a new one."""
        try:
            program = idle.pop()
        except IndexError:
            program = self.make(make)
        in_use.add(program)
        try:
            yield program
        finally:
            in_use.discard(program)
            if self.sound:
                idle.append(program)

    def run(self, loop: Callable[[], T]) -> T:
        """What a function that asks many questions returns, run by one worker.

        Unfinished or an error of ours if a question was interrupted or broke.
        """
        if self._inside:
            return loop()
        self._budget.remaining()

        def inside() -> T:
            self._inside = True
            try:
                return loop()
            finally:
                self._inside = False

        return self._workers.call(inside, self._budget, self.interrupt)

    def ask(self, control: clingo.Control, question: Callable[[], T]) -> T:
        """The answer to a question that solves with this control."""
        return self.run(lambda: self.ask_here(control, question))

    def ask_here(self, control: clingo.Control, question: Callable[[], T]) -> T:
        """The same in this thread. In the caller's, the question must be `undisturbed`: Ctrl-C may
        arrive within a callback of clingo's, which then ends the program."""
        self._control = control
        return self._checked(question)

    def make(self, function: Callable[[], T]) -> T:
        """What a function returns that prepares a program; that cannot be interrupted."""
        return self.run(lambda: self._checked(function))

    def answers(
        self,
        idle: list[Any],
        make: Callable[[], Answering[T]],
        puzzle: Grid | Puzzle,
        threads: int = 1,
    ) -> Generator[T]:
        """The answers of a program that is lent, one by one."""
        with self.lent(idle, make) as program:
            control = program.control
            handle = self.ask(control, lambda: program.enumerate(puzzle, threads))
            try:
                while (found := self.ask(control, lambda: program.read(handle))) is not None:
                    yield found
                    self.ask(control, handle.resume)
            finally:
                try:
                    handle.__exit__(None, None, None)
                except CLINGOS:  # it would hide what broke the search
                    self.sound = False

    def interrupt(self) -> None:
        """Make the running question return soon, and all that follow at once."""
        # In this order: a question that follows, or one that is just beginning, is not missed.
        self.sound = False
        if self._control:
            self._control.interrupt()

    def _checked(self, function: Callable[[], T]) -> T:
        if not self.sound:
            raise Unfinished
        try:
            return function()
        except Unfinished:
            raise
        except BaseException as error:
            # Whatever it was, the program may be in the middle of something.
            self.sound = False
            if isinstance(error, CLINGOS) and not isinstance(error, RecursionError):
                raise BackendFailure(f"clingo: {error}") from error
            raise


class Removed(NamedTuple):
    """One of the smallest sets of givens that must go."""

    givens: tuple[Placement, ...]
    grid: Grid
    """A full grid with the other givens and the placement in question."""


class Removals(Answering[Removed]):
    """``why_not.lp``, ground for a puzzle and a placement in question.

    Its answers get better until they are optimal.
    """

    OPTIONS = ("--opt-strategy=usc", "--opt-mode=optN", "--project", "--models=0")
    """Find the smallest number of givens by cores of clashing ones, then every set of that size."""

    def __init__(self, puzzle: Grid | Puzzle, query: tuple[int, int, int]) -> None:
        self._box = puzzle.box
        program = [
            with_rules("sudoku", puzzle.layout),
            encoding("why_not"),
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


# --- any program, with the givens of one puzzle, and what a propagator sees of its search ---

WATCHED = (*OPTIONS, "--sat-prepro=no")
"""As the engine searches, but no variable is eliminated: a propagator could not see it."""
AHEAD = 256
"""Events that a search may be ahead of its reader."""

_PREDICATE = re.compile(r"\b(\w+)\(\w+,\w+,\w+\)")


class Stated(Answering[Grid]):
    """A program, ground with the givens of one puzzle."""

    def __init__(self, program: Program, puzzle: Grid | Puzzle) -> None:
        start = perf_counter()
        given, self._answer = vocabulary(program)
        self._puzzle = puzzle
        facts = list(facts_of(puzzle, given))
        layout = puzzle.layout
        options = [*WATCHED, f"-csubgrid_size={layout.box[0]}"]
        if "rules" in program.knows and layout.rules:
            facts.insert(0, with_rules(program.path.stem, layout))
            self.control = grounded("\n".join(facts), layout, options)
        else:
            self.control = grounded("\n".join(facts), layout, options, program.path)
        configuration: Any = self.control.configuration
        self._settings = configuration.solve
        self._settings.models = 0
        self._name = program.name
        self.grounding = perf_counter() - start

    def read(self, handle: clingo.SolveHandle) -> Grid | None:
        """The solution that a search has reached, or None when there are no more."""
        model = handle.model()
        return self.grid(model) if model else None

    def grid(self, model: clingo.Model) -> Grid:
        """The full grid that a model says; BackendFailure if it says none."""
        puzzle = self._puzzle
        digits = [0] * len(puzzle.digits)
        for symbol in model.symbols(atoms=True):
            if symbol.match(self._answer, 3):
                placement = self._placement(symbol)
                if placement is None:
                    size = puzzle.size
                    raise BackendFailure(
                        f"{self._name} has the atom {symbol}; expected row, column and digit from"
                        f" 1 to {size}"
                    )
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

    def left(self) -> list[set[int]] | None:
        """For each cell the digits that are left before any choice; None if none may be there.

        BackendFailure if an answer leaves a cell open, as from the other questions.
        """
        cells: list[set[int]] = []

        def complete(placements: Iterable[Placement]) -> bool:
            cells[:] = (set() for _ in self._puzzle.digits)
            for row, column, digit in placements:
                cells[(row - 1) * self._puzzle.size + column - 1].add(digit)
            return all(cells)

        watch = _Rest(self.atoms(), ends=complete)
        self.control.register_propagator(watch)  # type: ignore[arg-type]
        with self.control.solve(yield_=True) as handle:
            self.read(handle)
        return cells if cells and all(cells) else None

    def atoms(self) -> list[tuple[int, Placement]]:
        """The literals of the answer's atoms, and their placements; none for other cells."""
        found = self.control.symbolic_atoms.by_signature(self._answer, 3)
        placed = ((atom.literal, self._placement(atom.symbol)) for atom in found)
        return [(literal, placement) for literal, placement in placed if placement]

    def _placement(self, symbol: clingo.Symbol) -> Placement | None:
        """Return the placement of an atom of the answer; None unless the puzzle has such a cell."""
        try:
            placement = placement_of(symbol)
        except ValueError:  # an argument is not a number
            return None
        return placement if all(1 <= each <= self._puzzle.size for each in placement) else None

    def measured(self) -> Measurement:
        """The first solution, and the work that it took."""
        watch = _Rest()
        self.control.register_propagator(watch)  # type: ignore[arg-type]
        start = perf_counter()
        self._settings.models = 1
        with self.control.solve(yield_=True) as handle:
            found = self.read(handle)
        end = perf_counter()
        solvers = self.control.statistics["solving"]["solvers"]
        settled = watch.settled or end
        return Measurement(
            found,
            setup=self.grounding,
            propagation=settled - start,
            search=end - settled,
            choices=int(solvers["choices"]),
            conflicts=int(solvers["conflicts"]),
        )


def vocabulary(program: Program) -> tuple[str, str]:
    """The predicates of the givens and of the answer in a program for clingo.

    The head says them under Input and Output. Without a head, the answer is what ``#show`` names,
    or sudoku; givens are initial if the program mentions that, else the same as the answer.
    """
    text = program.text
    labels = head(text)[1]
    shown = re.search(r"^#show\s+(\w+)/3", text, re.MULTILINE)
    said = _PREDICATE.search(labels.get("Output", ""))
    answer = said[1] if said else shown[1] if shown else "sudoku"
    given = _PREDICATE.search(labels.get("Input", ""))
    if given:
        return given[1], answer
    return "initial" if re.search(r"\binitial\s*\(", text) else answer, answer


class _Rest:
    """The time at which propagation first came to rest.

    The search ends there if `ends` says so of the placements that were possible then.
    """

    def __init__(
        self,
        atoms: Iterable[tuple[int, Placement]] = (),
        ends: Callable[[list[Placement]], bool] = lambda _open: False,
    ) -> None:
        self._atoms = atoms
        self._ends = ends
        self._ended = False
        self.settled: float | None = None

    def init(self, init: clingo.PropagateInit) -> None:
        self._literals = [(init.solver_literal(atom), what) for atom, what in self._atoms]
        init.check_mode = clingo.PropagatorCheckMode.Fixpoint

    def check(self, control: clingo.PropagateControl) -> None:
        if self.settled is None:
            self.settled = perf_counter()
            value = control.assignment.value
            possible = [what for literal, what in self._literals if value(literal) is not False]
            self._ended = self._ends(possible)
        if self._ended:
            control.add_clause([])


def events(session: Session, program: Program, puzzle: Grid | Puzzle) -> Generator[Event]:
    """The events of the search for one solution, by a program."""
    found: Queue[Event | BaseException | None] = Queue(AHEAD)
    left = threading.Event()

    def put(event: Event | BaseException | None) -> None:
        while session.sound and not left.is_set():
            try:
                return found.put(event, timeout=0.1)
            except Full:
                pass

    def on_model(model: clingo.Model) -> None:
        try:
            watch.solved(stated.grid(model))
        except BackendFailure as error:
            put(error)

    def on_finish(result: clingo.SolveResult) -> None:
        if result.unsatisfiable:
            watch.refuted()
        put(None)

    def begin() -> clingo.SolveHandle:
        stated.control.register_propagator(watch)  # type: ignore[arg-type]
        stated.control.configuration.solve.models = 1  # type: ignore[union-attr]
        return stated.control.solve(async_=True, on_model=on_model, on_finish=on_finish)

    with session.lent([], partial(Stated, program, puzzle)) as stated:
        watch = session.make(lambda: _Watch(stated.atoms(), puzzle.givens, put))
        handle = session.ask(stated.control, begin)
        try:
            while session.sound:
                with suppress(Empty):
                    event = found.get(timeout=0.1)
                    if isinstance(event, BaseException):
                        raise event
                    if event is None:
                        return
                    yield event
        finally:
            left.set()
            handle.cancel()


class _Watch:
    """Reports choices, what follows, and where the search goes back.

    clingo shows a propagator a state only when propagation has come to rest. So conflicts that
    follow each other with no such state between them are one event. All choices are seen.
    """

    def __init__(
        self,
        atoms: Sequence[tuple[int, Placement]],
        givens: Iterable[Placement],
        put: Callable[[Event], None],
    ) -> None:
        self._atoms = atoms
        self._givens = frozenset(givens)
        self._put = put
        self._changes: list[int] = []
        self._says: dict[int, list[Placement]] = {}
        self._root = 0
        self._level = 0

    def init(self, init: clingo.PropagateInit) -> None:
        for atom, placement in self._atoms:
            literal = init.solver_literal(atom)
            self._says.setdefault(literal, []).append(placement)
            init.add_watch(literal)
            init.add_watch(-literal)
        init.check_mode = clingo.PropagatorCheckMode.Fixpoint

    def propagate(self, control: clingo.PropagateControl, changes: Sequence[int]) -> None:
        self._arrive(control.assignment.decision_level, conflict=True)
        self._changes += changes

    def check(self, control: clingo.PropagateControl) -> None:
        level = control.assignment.decision_level
        if self._level == 0:
            self._root = max(self._root, level)
        self._arrive(level, conflict=True)
        self._flush()

    def decide(self, _thread: int, assignment: clingo.Assignment, literal: int) -> int:
        self._arrive(assignment.decision_level, conflict=False)
        self._level += 1
        placed = tuple(self._says.get(literal, ()))
        excluded = tuple(self._says.get(-literal, ()))
        self._put(Event("choice", self._level, placed, excluded))
        return 0

    def _arrive(self, decision_level: int, conflict: bool) -> None:
        level = max(0, decision_level - self._root)
        if level < self._level:
            self._changes.clear()
            if conflict:  # else it starts anew
                self._put(Event("conflict", self._level))
            self._put(Event("back", level))
            self._level = level

    def _flush(self) -> None:
        if self._changes:
            changes, self._changes = self._changes, []
            placed = {p for each in changes for p in self._says.get(each, ())} - self._givens
            cells = {p[:2] for p in placed | self._givens}
            excluded = {p for each in changes for p in self._says.get(-each, ())}
            excluded = {p for p in excluded if p[:2] not in cells}
            if placed or excluded:
                self._put(
                    Event("implied", self._level, tuple(sorted(placed)), tuple(sorted(excluded)))
                )

    def solved(self, grid: Grid) -> None:
        """Report the solution."""
        self._flush()
        self._put(Event("solution", self._level, solution=grid))

    def refuted(self) -> None:
        """Report that there is none."""
        self._put(Event("conflict", 0))
