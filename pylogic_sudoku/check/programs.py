"""A foreign program, ASP or Prolog, and what it answers to one instance."""

from __future__ import annotations

import json
import re
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Literal

from ..backends.start_prolog import INSTALL
from ..errors import BackendUnavailable, InvalidPuzzle
from ..grid import Grid
from ..resources import resource
from ..toplevel import swipl
from .answers import Answer, read_answer
from .instances import Instance, Vocabulary
from .limited import LARGEST_FILE
from .process import Ended, run

__all__ = ["AspProgram", "Limits", "Program", "PrologProgram", "Run"]

_RUN_CLINGO = Path(__file__).with_name("run_clingo.py")
_OUT_OF_MEMORY = re.compile(
    r"bad_alloc|MemoryError|(out of|not enough|cannot allocate|could not allocate) memory"
    r"|failed to map segment",
    re.IGNORECASE,
)
_BOM = b"\xef\xbb\xbf"
MOST_LINES = 20
"""Lines of a program's complaints that are shown."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use for one instance."""

    seconds: float
    megabytes: int


@dataclass(frozen=True, slots=True)
class Run:
    """What a program gave for one instance."""

    stopped: Literal["timeout", "error"] | None
    """Why it did not come to an end; None if it did."""
    answers: tuple[Answer, ...]
    """Each set of filled cells once."""
    exhausted: bool
    """True if it has no other answers."""
    found: int
    """Its answers, each counted as often as it came; 0 if it did not come to an end."""
    seconds: float
    message: str
    """Its errors and warnings."""


class _Files:
    """The temporary folder of one run, and the names under which its files are shown."""

    def __init__(self, folder: Path) -> None:
        self.results, self.errors = folder / "results", folder / "errors"
        self._folder = folder
        self._shown: dict[str, str] = {}

    def pass_on(self, path: Path, kind: str, text: str | None = None) -> str:
        """The path of the very file, or of a copy where it has another text or a byte order mark.

        clingo takes that mark for a syntax error.
        """
        passed = path.resolve()
        content = passed.read_bytes() if text is None else text.encode()
        if text is not None or content.startswith(_BOM):
            passed = self._folder / kind / path.name
            passed.parent.mkdir()
            passed.write_bytes(content.removeprefix(_BOM))
        self._shown[str(passed)] = str(path)
        return str(passed)

    def plain(self, text: str) -> str:
        """A message in which the files have the names that the user gave."""
        for passed, shown in self._shown.items():
            text = text.replace(passed, shown)
        lines = text.strip().splitlines()
        if len(lines) > MOST_LINES:
            lines[MOST_LINES:] = [f"... and {len(lines) - MOST_LINES} more lines"]
        return "\n".join(lines)

    def lines(self) -> Iterator[Any]:
        """The results, one by one; a last line that was cut off is passed over."""
        try:
            with self.results.open(encoding="utf-8", errors="replace") as file:
                for line in file:
                    yield json.loads(line)
        except (OSError, ValueError):
            return

    def number_of_lines(self) -> int:
        """How many results there are, without reading what they are."""
        try:
            with self.results.open("rb") as file:
                return sum(1 for _ in file)
        except OSError:
            return 0

    def full(self) -> bool:
        """True if the results have reached the size where they are cut off."""
        return self.results.exists() and self.results.stat().st_size >= LARGEST_FILE


@dataclass(frozen=True, slots=True)
class Program(ABC):
    """A program to grade."""

    path: Path
    vocabulary: Vocabulary

    atom: ClassVar[bool]
    """True if it says its answers as atoms."""

    @abstractmethod
    def command(
        self, instance: Instance, puzzle: Grid, most: int, limits: Limits, files: _Files
    ) -> list[str]:
        """The command that writes up to `most` answers (0 for all) to ``files.results``."""

    def check(self) -> None:
        """Raises an error if no instance at all can be run."""
        try:
            self.path.open("rb").close()
        except OSError as error:
            raise InvalidPuzzle(f"{self.path}: cannot be read: {error.strerror}") from None

    def run(self, instance: Instance, puzzle: Grid, most: int, limits: Limits) -> Run:
        """The answers to one instance, in a process of its own."""
        with TemporaryDirectory(prefix="pylogic-sudoku-") as folder:
            files = _Files(Path(folder))
            command = self.command(instance, puzzle, most, limits, files)
            # Its own folder, so that it finds what it includes.
            cwd = self.path.resolve().parent
            ended = run(command, limits.seconds, limits.megabytes, cwd, files.errors)
            return self._read(files, puzzle, ended)

    def _read(self, files: _Files, puzzle: Grid, ended: Ended) -> Run:
        if ended.code is None:
            number = files.number_of_lines()
            message = f"stopped; {number or 'no'} answers until then"
            return Run("timeout", (), False, 0, ended.seconds, message)
        if files.full():
            message = f"over {files.number_of_lines() - 1} answers are too many; give a limit"
            return Run("error", (), False, 0, ended.seconds, message)
        answers: list[Answer] = []
        exhausted, found = False, 0
        said = files.plain(ended.errors)
        stopped: Literal["error"] | None = "error"
        message = ""
        name = self.vocabulary.solution if self.atom else ""
        try:
            for kind, *rest in files.lines():
                if kind == "answer":
                    cells, note = rest
                    answers.append(read_answer(cells, puzzle, str(note), name))
                elif kind == "failed":
                    message = _failure(rest[0], files.plain(rest[1]), said)
                else:
                    exhausted, found = bool(rest[0]), int(rest[1])
                    stopped, message = None, said
        except (ValueError, TypeError, IndexError, AttributeError):
            # No runner writes such a line, but a program that has found the file may.
            return Run("error", (), False, 0, ended.seconds, "it has written to its own results")
        if stopped and not message:
            message = _death(ended.code, said)
        return Run(stopped, tuple(answers), exhausted, found, ended.seconds, message)


def _failure(kind: str, text: str, said: str) -> str:
    """What a runner says of a program that cannot go on."""
    if kind == "memory":
        return "out of memory"
    if kind == "clingo":
        return said or text
    return "\n".join(part for part in (text, said) if part)


def _death(code: int, said: str) -> str:
    """What is to say of a program that ended its process by itself."""
    if _OUT_OF_MEMORY.search(said):
        return "out of memory"
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        how = f"it crashed ({name})"
        if name == "SIGKILL":
            how = "the system has killed it, perhaps as it was out of memory"
    else:
        how = f"it has left by itself, with exit code {code}, before it was done"
    return f"{how}\n{said}".strip()


@dataclass(frozen=True, slots=True)
class AspProgram(Program):
    """A program for clingo."""

    constants: tuple[str, ...] = ()
    allow_scripts: bool = False

    atom = True

    def command(
        self, instance: Instance, puzzle: Grid, most: int, limits: Limits, files: _Files
    ) -> list[str]:
        text = instance.text_for(self.vocabulary)
        given = None if text == instance.text else text
        arguments = {
            "files": [
                files.pass_on(self.path, "program"),
                files.pass_on(instance.path, "instance", given),
            ],
            "results": str(files.results),
            "atom": self.vocabulary.solution,
            "limit": most,
            "constants": self.constants,
            "allow_scripts": self.allow_scripts,
        }
        # -P: a file clingo.py beside the program is not what we import.
        return [sys.executable, "-P", str(_RUN_CLINGO), json.dumps(arguments)]


@dataclass(frozen=True, slots=True)
class PrologProgram(Program):
    """A program for SWI-Prolog with a predicate that completes a list of rows."""

    predicate: str = "sudoku"

    atom = False

    def check(self) -> None:
        Program.check(self)
        if swipl() is None:
            raise BackendUnavailable("there is no swipl here", INSTALL)

    def command(
        self, instance: Instance, puzzle: Grid, most: int, limits: Limits, files: _Files
    ) -> list[str]:
        # Prolog says so when its stacks are full; a process that gets no more memory just ends.
        stacks = f"--stack-limit={max(1, limits.megabytes // 2)}m"
        return [
            *(str(swipl()), "-q", "-f", "none", "--no-packs", stacks),
            *("-g", "sudoku_grader:grade", "-t", "halt", str(resource("prolog/grader.pl"))),
            *("--", files.pass_on(self.path, "program"), str(files.results), self.predicate),
            *(str(most), str(puzzle.size), " ".join(map(str, puzzle.cells))),
        ]
