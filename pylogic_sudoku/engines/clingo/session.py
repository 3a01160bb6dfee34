"""Sessions: the way of a question to a ground program of clingo, and of its answers back.

A `Session` raises clingo's own errors as BackendFailure. It asks a program to begin a search, and
to `read` each of its answers.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import clingo

from ...errors import BackendFailure, InvalidProblem, Message, explained
from ...files import read_regular
from ...problem import Signature
from ...running.workers import Budget, Unfinished, Workers

EXACT = "--eq=0"
"""For rules beyond plain sudoku, and for every program that is not ours. Without it, clingo 5.8
finds some answers twice, misses others, and finds some that are none: it simplifies sums and other
aggregates wrongly if some of their atoms turn out to be equivalent or derive each other."""
in_use: set[object] = set()
"""Programs that a search is using. In a reference cycle the garbage collector may free a program's
control before it closes the search; a program that is in here is never garbage."""


CLINGO_ERRORS = (RuntimeError, MemoryError)
"""The errors of clingo. A RecursionError is a RuntimeError, but the caller's."""

_MOST = 1 << 24
"""The most bytes of a program whose text is read for a message about it."""

T = TypeVar("T")
G = TypeVar("G")


class Log:
    """Messages of clingo about a program while it is ground."""

    def __init__(self) -> None:
        self._said: list[tuple[clingo.MessageCode, str]] = []

    def __call__(self, code: clingo.MessageCode, message: str) -> None:
        self._said.append((code, message))

    def explained(self, error: RuntimeError) -> RuntimeError:
        """The error of clingo, with what it said before, as text and as `messages`."""
        words = "".join(message for _, message in self._said)
        whole = RuntimeError(explained(f"{error}\n{words}".rstrip(), _text_of))
        whole.messages = self._messages()  # type: ignore[attr-defined]
        return whole

    def report(
        self, inputs: Callable[[], Container[Signature]], control: clingo.Control | None = None
    ) -> None:
        """Report what is strange in a program; it is not if an instance lacks one of the inputs.

        The ground program, if it is given, says which predicate may be meant by an undefined one.
        """
        if messages := self._messages():
            from ...running import notices  # which our own programs do without

            known = inputs()
            derived = list(derivable(control)) if control else []
            notices.report(
                notices.meant(each, derived)
                for each in messages
                if each.kind != "atom-undefined" or notices.undefined_atom(each.text) not in known
            )

    def _messages(self) -> list[Message]:
        if not self._said:
            return []
        from ...running import notices

        return [notices.of_clingo(code.name, message, _text_of) for code, message in self._said]


def _text_of(file: str) -> str:
    """The text of a file that clingo names; empty if it cannot be read."""
    try:
        return read_regular(file, _MOST).decode(errors="replace")
    except OSError:
        return ""


def derivable(control: clingo.Control) -> Iterator[Signature]:
    """The predicates of which a ground program has atoms."""
    atoms = control.symbolic_atoms
    for name, arity, positive in atoms.signatures:
        if next(atoms.by_signature(name, arity, positive), None):
            yield ("" if positive else "-") + name, arity


def ground(
    text: str,
    options: Sequence[str],
    file: os.PathLike[str] | None = None,
    observer: Any = None,
    inputs: Callable[[], Container[Signature]] = frozenset,
) -> clingo.Control:
    """The text and the file, ground; a RuntimeError has clingo's messages.

    What clingo finds strange in the file is reported, but not that no rule has one of `inputs` as
    its head.
    """
    log = Log()
    control = clingo.Control(list(options), logger=log)
    try:
        if observer:
            control.register_observer(observer)
        control.add("base", [], text)
        if file:
            with loadable(file) as path:
                control.load(path)
        control.ground()
    except RuntimeError as error:
        raise log.explained(error) from None
    if file:
        log.report(inputs, control)
    return control


@contextmanager
def loadable(file: os.PathLike[str]) -> Iterator[str]:
    """The path of a file as clingo can take it; BackendFailure if it cannot.

    Errors within the block name the file, even if another one is loaded in its place.
    """
    from pathlib import Path  # our own programs do without

    from ...problem.text import check_program, plain

    path = Path(file)
    try:
        check_program(path)
    except InvalidProblem as error:
        raise BackendFailure(f"clingo: {error}") from None
    with plain(path) as name:
        yield name


class Minimized(clingo.Observer):
    """Sees whether a program that is being ground minimizes anything."""

    minimizes = False

    def minimize(self, priority: int, literals: Any) -> None:
        self.minimizes = True


class GroundProgram(ABC, Generic[T]):
    """A program that clingo has ground, with many answers; one search at a time."""

    control: clingo.Control
    budget: Budget | None = None
    """The budget of the question for which it is borrowed; it hears of better answers."""

    @abstractmethod
    def read(self, handle: clingo.SolveHandle) -> T | None:
        """The answer that a search has reached, or None when there are no more."""


def shown(model: clingo.Model) -> Sequence[clingo.Symbol]:
    """The symbols that a model shows."""
    return model.symbols(shown=True)


def brave(
    control: clingo.Control,
    assumptions: Sequence[int] = (),
    *,
    read: Callable[[clingo.Model], T],
) -> T | None:
    """The reading of the atoms of at least one answer; None if there is none.

    Of an optimization, only the best answers count. Unfinished if the search was cut short.
    """
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
            return read(last) if last else None
    finally:
        settings.enum_mode, settings.models = "auto", models


def all_answers(program: GroundProgram[Any]) -> clingo.SolveHandle:
    """A handle on all answers of a program, to be read one by one."""
    return program.control.solve(yield_=True)


def read_answer(program: GroundProgram[T], handle: clingo.SolveHandle) -> T | None:
    """The answer that a search has reached, as its program reads it."""
    return program.read(handle)


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
    def borrowed(self, idle: list[G], make: Callable[[], G]) -> Iterator[G]:
        """A program for the length of the block: one that is idle, or else a new one."""
        try:
            program = idle.pop()
        except IndexError:
            program = self.make(make)
        if isinstance(program, GroundProgram):
            program.budget = self._budget
        in_use.add(program)
        try:
            yield program
        finally:
            in_use.discard(program)
            if self.sound:
                idle.append(program)

    def run(self, loop: Callable[[], T]) -> T:
        """Run a function that asks many questions in one worker, and return its result.

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
        """The same in this thread. In the caller's, ask within `defer_signals`: Ctrl-C may arrive
        within a callback of clingo's, which then ends the program."""
        self._control = control
        return self._checked(question)

    def make(self, function: Callable[[], T]) -> T:
        """Run a function that prepares a program; return its result. It cannot be interrupted."""
        return self.run(lambda: self._checked(function))

    def answers(
        self,
        idle: list[Any],
        make: Callable[[], GroundProgram[Any]],
        begin: Callable[[Any], clingo.SolveHandle] = all_answers,
        read: Callable[[Any, clingo.SolveHandle], T | None] = read_answer,
    ) -> Generator[T]:
        """The answers of a borrowed program, one by one.

        `begin` starts the search for them, and `read` says what to read of each.
        """
        with self.borrowed(idle, make) as program:
            control = program.control
            with self.searching(control, lambda: begin(program)) as handle:

                def following() -> T | None:
                    handle.resume()
                    return read(program, handle)

                answer = self.ask(control, lambda: read(program, handle))
                while answer is not None:
                    yield answer
                    answer = self.ask(control, following)

    @contextmanager
    def searching(
        self, control: clingo.Control, begin: Callable[[], clingo.SolveHandle]
    ) -> Iterator[clingo.SolveHandle]:
        """A search for the length of the block."""
        handle = self.ask(control, begin)
        try:
            yield handle
        finally:
            try:
                handle.__exit__(None, None, None)  # type: ignore[no-untyped-call]
            except CLINGO_ERRORS:  # it would hide what broke the search
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
            if isinstance(error, CLINGO_ERRORS) and not isinstance(error, RecursionError):
                failure = BackendFailure(f"clingo: {error}")
                failure.messages = getattr(error, "messages", ())
                raise failure from error
            raise
