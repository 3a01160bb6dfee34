"""A command as an engine: it gets files with a program and with facts, and prints answers.

The program may be that of another version, with other options, or another solver's. `found` runs
such a command, and `CommandInstances` asks it about an instance. What it prints is projected to the
output predicates here, and each answer is given once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from copy import copy
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self, TypeVar

from ...errors import BackendFailure, counted
from ...problem import Answer, Atom, Instance, Signature
from ...problem.atoms import is_asp, is_constant, quoted
from ...problem.folder import declared
from ...running.command import program_of, running
from ...running.workers import Budget
from ..base import ProblemEngine
from .named import Command
from .printed import FINISHED, AtomReader, Ending, Output

__all__ = ["CommandInstances", "asked", "found"]

A = TypeVar("A")
MOST_SPELLINGS = 64
"""Ways to write an atom whose texts may be names or in quotes, up to which they are all tried."""
_WANTED = "pls_wanted_"
"""The beginning of the predicates that hold an answer to be confirmed."""


@contextmanager
def asked(
    command: Command, program: Path | None, facts: str
) -> Iterator[Callable[[int], list[str]]]:
    """A function of a limit that returns the words of a command with a file of these facts."""
    with TemporaryDirectory(prefix="pylogic-sudoku-") as folder:
        file = Path(folder) / ("instance.pl" if command.reads_prolog else "instance.lp")
        file.write_text(facts, encoding="utf-8")
        yield lambda limit: command.filled(str(program or ""), str(file), limit)


def found(
    command: Command,
    words: Callable[[int], list[str]],
    read: Callable[[list[str], tuple[int, ...]], A],
    budget: Budget,
    most: int | None,
) -> Generator[A]:
    """The answers that a command prints, each once: all of them, or at least `most`.

    `words` are those of the command for a limit, and `read` makes an answer of its atoms and its
    costs. Of answers with costs, the best ones are given, once it is proved that they are.
    BackendFailure if the command fails, or ends before it has printed as many as it should.
    """
    so_far: set[A] = set()
    for limit in dict.fromkeys((most or 0, 0)):
        ending = yield from _run(command, words(limit), read, budget, so_far, limit)
        if ending is None:  # what it minimizes needs all answers
            continue
        if not ending.more and (not limit or ending.number < limit):
            return
        if most is not None and len(so_far) >= most:
            return
        if not limit:  # or some answers were the same in the outputs
            printed = counted(ending.number, "answer")
            raise _failure(command, f"it has printed {printed}, and there may be more; {_ALL}")


_ALL = "give it {limit}, or 0, as the number of answers that it looks for"


def _failure(command: Command, why: str) -> BackendFailure:
    return BackendFailure(f"{command.name}: {why}")


def _run(
    command: Command,
    words: list[str],
    read: Callable[[list[str], tuple[int, ...]], A],
    budget: Budget,
    so_far: set[A],
    limit: int,
) -> Generator[A, None, Ending | None]:
    """The new answers of one run; its ending, or None if its limit must be none."""
    output = Output()
    best = _Best[A](budget)
    with running(words, budget) as run:

        def printed() -> Iterator[Any]:
            for part in run.parts():
                yield from output.feed(part)
            if (code := run.code) not in FINISHED:
                how = f"exit code {code}" if code >= 0 else f"it was ended by signal {-code}"
                raise _failure(command, ": ".join(filter(None, (how, run.message))))
            yield from output.end(code)

        try:
            for atoms, costs in printed():
                answer = read(atoms, costs)
                if costs:
                    if limit:
                        return None
                    best.add(answer, costs)
                elif answer not in so_far:
                    so_far.add(answer)
                    yield answer
            ending = output.ending(run.code)
        except BackendFailure as error:
            if str(error).startswith(f"{command.name}: "):
                raise
            raise _failure(command, str(error)) from None
    if best.number:
        yield from best.proved(command, ending)
    return ending


class _Best(list[A]):
    """The answers with the least costs so far."""

    def __init__(self, budget: Budget) -> None:
        super().__init__()
        self._budget = budget
        self.number = 0
        """The number of times that one of them was printed."""
        self._costs: tuple[int, ...] = ()

    def add(self, answer: A, costs: tuple[int, ...]) -> None:
        if not self.number or costs < self._costs:
            self.clear()
            self.number, self._costs = 0, costs
            self._budget.improve(answer, None)
        if costs == self._costs:
            self.number += 1
            if answer not in self:
                self.append(answer)

    def proved(self, command: Command, ending: Ending) -> Iterator[A]:
        """The answers; BackendFailure unless it is proved that they are the best, and all."""
        if ending.result != "OPTIMUM FOUND":
            raise _failure(
                command,
                f"its answers have costs, and it has proved none to be the best ({ending.result})",
            )
        self._budget.improve(None, None)
        yield from self
        # To find all, clingo prints the first of them once more.
        if not (command.enumerates_optima or ending.optimal > 1 or self.number > ending.optimal):
            raise _failure(
                command,
                "it has printed one best answer, and there may be others; add --opt-mode=optN",
            )


class CommandInstances(ProblemEngine):
    """A command that gets the facts of an instance, and perhaps a program; see `named`."""

    def __init__(
        self, command: Command, program: Path | None, outputs: Iterable[Signature]
    ) -> None:
        self.name = command.name
        self.engine = os.path.basename(command.words[0])
        self._command = command
        self._program = program
        self._outputs = frozenset(outputs)
        self._most: int | None = None

    def version(self) -> str:
        """The path of its program, since only the command itself knows its version."""
        return program_of(self._command.words)

    def with_limit(self, limit: int | None) -> Self:
        if not self._confirms:  # what follows the limit may be asked for
            return self
        limited = copy(self)
        limited._most = limit
        return limited

    def solutions(self, question: Instance, timeout: float | None = None) -> Generator[Answer]:
        return self._found(question, Budget(self.name, timeout), self._most)

    def solve(self, question: Instance, timeout: float | None = None) -> Answer | None:
        with closing(self._found(question, Budget(self.name, timeout), 1)) as answers:
            return next(answers, None)

    def count(
        self, question: Instance, limit: int | None = None, timeout: float | None = None
    ) -> int:
        if limit == 0:
            return 0
        limited = copy(self)
        limited._most = limit
        return super(CommandInstances, limited).count(question, limit, timeout)

    def confirms(self, question: Instance, answer: Answer, timeout: float | None = None) -> bool:
        if not self._confirms:
            return super().confirms(question, answer, timeout)
        if not is_asp(str(answer)) or not {atom.signature for atom in answer} <= self._outputs:
            return False
        spelled = [(atom.signature, list(_spellings(atom))) for atom in answer]
        if any(len(ways) > MOST_SPELLINGS for _, ways in spelled):
            return super().confirms(question, answer, timeout)
        only = self._found(question, Budget(self.name, timeout), 1, _only(spelled, self._outputs))
        with closing(only) as answers:
            return next(answers, None) == answer

    def enumerates(self, question: Instance, timeout: float | None = None) -> bool:
        return not self._confirms

    @property
    def _confirms(self) -> bool:
        """True if constraints about the atoms of answers can be added to its facts.

        They cannot be to another language, to variables, to terms that are shown, and to a program
        that minimizes, whose best answers are then others.
        """
        if self._program is None or self._command.reads_prolog or not self._outputs:
            return False
        about = declared(self._program)
        return self._program.suffix == ".lp" and not (
            about.heads is None or about.theory or about.terms or about.optimizes
        )

    def _found(
        self, question: Instance, budget: Budget, most: int | None, constraints: str = ""
    ) -> Generator[Answer]:
        reader = AtomReader(self._outputs)
        facts = self._facts(question) + constraints
        with asked(self._command, self._program, facts) as words:
            yield from found(
                self._command,
                words,
                lambda atoms, costs: Answer(reader.atoms(atoms), costs),
                budget,
                most if self._program is None or not declared(self._program).optimizes else None,
            )

    def _facts(self, question: Instance) -> str:
        if self._command.reads_prolog:
            return "".join(f"{fact.text}.\n" for fact in question.clauses)
        return question.text + self._shows

    @property
    def _shows(self) -> str:
        """Statements that show those outputs that the program does not show itself."""
        if self._program is None or self._program.suffix != ".lp":
            return ""
        about = declared(self._program)
        if about.theory or not (about.shown or about.terms):
            return ""
        missing = sorted(self._outputs - about.shown)
        return "".join(f"#show {name}/{arity}.\n" for name, arity in missing)


# --- an answer as constraints ---


def _only(spelled: list[tuple[Signature, list[str]]], outputs: Iterable[Signature]) -> str:
    """Constraints that exclude every answer but one, whose atoms are written in these ways."""
    lines = [f":- {', '.join(f'not {each}' for each in ways)}.\n" for _, ways in spelled]
    lines += (f"{_wanted(each)}.\n" for _, ways in spelled for each in ways)
    there = {signature for signature, _ in spelled}
    for name, arity in sorted(outputs):
        arguments = ",".join(f"X{number}" for number in range(arity))
        atom = f"{name}({arguments})" if arity else name
        unless = f", not {_wanted(atom)}" if (name, arity) in there else ""
        lines.append(f":- {atom}{unless}.\n")
    return "".join(lines)


def _wanted(atom: str) -> str:
    """The atom of a predicate of ours with the same arguments."""
    sign = "neg_" if atom.startswith("-") else ""
    return f"{_WANTED}{sign}{atom.removeprefix('-')}"


def _spellings(value: Any) -> Iterator[str]:
    """The ways to write an atom or a value: ``red`` and ``"red"`` are the same text."""
    if isinstance(value, str):
        yield from (value, quoted(value)) if is_constant(value) else (quoted(value),)
    elif isinstance(value, tuple):
        comma = "," * (len(value) == 1)
        for each in product(*map(_listed, value)):
            yield f"({','.join(each)}{comma})"
    elif isinstance(value, Atom):
        if not value.arguments or value.name == "[]":
            yield str(value)
            return
        is_sign = value.name == "-" and not isinstance(value.arguments[0], int)
        for each in product(*map(_listed, value.arguments)):
            yield f"-{each[0]}" if is_sign else f"{value.name}({','.join(each)})"
    else:
        yield str(value)


def _listed(value: Any) -> list[str]:
    return list(_spellings(value))
