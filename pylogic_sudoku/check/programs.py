"""A foreign program, ASP or Prolog, and its answers to one instance.

`Submission.run` gives an `Output`; the answers are read and judged while the program runs. Programs
for sudoku are in `sudoku`, those for any other problem in `problems`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from errno import EACCES
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Generic, TypeVar

from ..errors import InvalidPuzzle, Message
from ..files import read_regular
from ..problem.text import LARGEST, too_large
from ..running import runs
from ..running.child import ALLOWING, may_read
from ..running.process import Limits
from ..running.runs import BOM, Child, Files, opened
from ..running.sandbox import PLAIN, Sandbox
from .cases import Case
from .diagnosis import Diagnosis

Q = TypeVar("Q")
"""A puzzle, or an instance of another problem."""
V = TypeVar("V")
"""A grid, or an answer to an instance."""
PROLOG_FILES = (".pl", ".pro", ".prolog")
PROGRAM_FILES = (".lp", *PROLOG_FILES)
"""The endings of the names of programs."""
PROGRAM_BYTES = 16 << 20
"""Bytes of the file of a program."""
_NAME = re.compile(r"_*[a-z]\w*", re.ASCII)


@dataclass(frozen=True)
class Fault:
    """The reason why an answer is not a solution."""

    words: str
    """Such as ``r1c1 and r1c2 both hold 5 (row 1)``."""
    mistake: str
    """Its kind, which other answers may share, such as ``a digit is twice in a row``."""

    def __str__(self) -> str:
        return self.words

    def marks(self, answer: Any, question: Any) -> tuple[Any, ...]:
        """Return the parts of a picture of the answer that show it."""
        return ()


@dataclass(frozen=True, slots=True)
class Attempt(Generic[V]):
    """An answer of a program that is graded."""

    value: V
    """A grid has the cells that the program filled in; the smallest digit where it gives several.
    To another problem, the atoms."""
    fault: Fault | None = None
    """Why a grid is not full, such as ``r1c1 is empty``; None if each cell has one digit."""


Output = runs.Output[Attempt[V]]
"""The output of a program, whose answers are attempts."""


@dataclass(frozen=True, slots=True)
class Submission(ABC, Generic[Q, V]):
    """A program to grade."""

    noun: ClassVar[str] = "answer"
    """A word for its answers."""

    path: Path
    sandbox: Sandbox = field(default=PLAIN, kw_only=True)
    unnamed: Path | None = field(default=None, kw_only=True)
    """The folder of its files, if messages are to name these without it."""

    @property
    @abstractmethod
    def tells_lines(self) -> bool:
        """True if the engine's messages about it name the line of the mistake."""

    @abstractmethod
    def child(self, files: Files, instance: Case, question: Q, most: int) -> Child:
        """Return the child that writes up to `most` answers, 0 for all."""

    @abstractmethod
    def read(self, question: Q, *parts: Any) -> Attempt[V]:
        """Return the answer to the question that the program has written.

        An error if these are not the parts of one.
        """

    def reader(self, question: Q) -> Callable[..., Attempt[V]]:
        """Return what makes an answer of the parts that one run has written, in their order."""
        return partial(self.read, question)

    @abstractmethod
    def explain(self, instance: Case, question: Q, lost: V, limits: Limits) -> Diagnosis:
        """Return why this answer is not among those of the program; ``none`` if nothing is."""

    @abstractmethod
    def explain_wrong(
        self,
        instance: Case,
        question: Q,
        wrong: Attempt[V],
        lost: V | None,
        right: V | None,
        limits: Limits,
    ) -> Diagnosis | None:
        """Return why the program has a wrong answer; None if nothing is known.

        `lost` is a right answer that it lacks, and `right` any; None if there is none.
        """

    def explain_loop(self, instance: Case, question: Q, limits: Limits) -> Diagnosis | None:
        """Return why the program does not end, or ``slow`` if it may; None if nothing is known."""
        return None

    def check_engine(self) -> None:
        """BackendUnavailable if there is no engine for it."""

    def check(self) -> None:
        """Raise an error if the program cannot run at all."""
        try:
            self._content()
        except OSError as error:
            raise InvalidPuzzle(f"{self.path}: cannot be read: {error.strerror}") from None
        self.check_engine()

    def _content(self) -> bytes:
        """Return the program; OSError unless it is an ordinary file of its folder."""
        if not may_read(str(self.path), self._visible()):
            raise OSError(EACCES, f"it is a link to a file outside its folder; {ALLOWING}")
        return read_regular(self.path, PROGRAM_BYTES)

    def _visible(self) -> dict[str, bool]:
        return self.sandbox.visible(self.path.parent)

    def run(
        self,
        instance: Case,
        question: Q,
        most: int,
        limits: Limits,
        wrong: Callable[[Attempt[V]], bool] = lambda _answer: False,
    ) -> Output[V]:
        """Run the program on one instance, in a process of its own.

        It is stopped soon after an answer for which `wrong` is true.
        """
        flaw = self._flaw()
        if flaw:
            message = Message(flaw, "file", self.path.name if self.unnamed else str(self.path))
            return runs.Output("error", message=str(message), messages=[message], flawed=True)
        with opened(limits, self.unnamed) as files:
            child = self.child(files, instance, question, most)
            read = self.reader(question)
            return runs.run(files, child, self.sandbox, read, most, wrong, self.noun)

    def _flaw(self) -> str:
        """Return why the file cannot be a program; empty if it may be one."""
        try:
            str(self.path.absolute()).encode()
        except UnicodeEncodeError:
            return "its name, or that of its folder, is not UTF-8, which engines need; rename it"
        try:
            content = self._content()
        except OSError as error:
            return f"cannot be read: {error.strerror}"
        if not content.removeprefix(BOM).strip():
            return "the file is empty"
        return "the file is not text in UTF-8" if b"\0" in content else ""


def program_file(program: str | Path, predicate: str) -> tuple[Path, object]:
    """Return the file of the program, and what must be kept for as long as it is needed.

    A text with several lines is a program, which is written to a file of ours.
    """
    if isinstance(program, Path) or "\n" not in program:
        return Path(program), None
    folder = TemporaryDirectory(prefix="pylogic-sudoku-", ignore_cleanup_errors=True)
    prolog = re.search(rf"^\s*:-\s*(use_)?module\b|^\s*{predicate}\([A-Z_]\w*\)", program, re.M)
    path = Path(folder.name) / ("program.pl" if prolog else "program.lp")
    path.write_text(program, encoding="utf-8")
    return path, folder


def checked_constants(constants: Iterable[str]) -> tuple[str, ...]:
    """Return the constants, each ``name=value``; ValueError if clingo could not read one.

    clingo prints bytes of its memory in its error messages about such text. TypeError for other
    values than texts.
    """
    constants = [constants] if isinstance(constants, str) else list(constants)
    if not all(isinstance(each, str) for each in constants):
        raise TypeError(f"constants must be texts such as dim=3, not {constants}")
    checked: dict[str, str] = {}
    for text in constants:
        name, _, value = map(str.strip, text.partition("="))
        if not _NAME.fullmatch(name) or name == "not" or not _is_term(value):
            raise ValueError(
                f"{text!r} is not a constant; expected NAME=VALUE, such as dim=3: the value is a"
                f" number up to {LARGEST}, a name in small letters, or a term without variables"
            )
        checked[name] = f"{name}={value}"
    return tuple(checked.values())


def _is_term(text: str) -> bool:
    import clingo

    if not text.isprintable() or too_large(text):
        return False
    try:
        clingo.parse_term(text, logger=lambda _code, _message: None)
    except (RuntimeError, UnicodeError):  # clingo may cut a character in two in its complaint
        return False
    return True
