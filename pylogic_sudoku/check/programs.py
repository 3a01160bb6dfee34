"""A foreign program, ASP or Prolog, and its answers to one instance.

`Submission.run` gives an `Output`; the answers are read and judged while the program runs. Programs
for sudoku are in `sudoku`, those for any other problem in `problems`.
"""

from __future__ import annotations

import json
import os
import re
import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from errno import EACCES
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import IO, Any, Generic, Literal, TypeVar

from ..engines import notices
from ..engines.process import Ended, Feed, Limits, limits_memory
from ..engines.prolog.search import message_of
from ..engines.prolog.start import installing
from ..engines.prolog.swipl import command as swipl_command
from ..engines.prolog.swipl import swipl
from ..engines.sandbox import PLAIN, Room, Sandbox
from ..errors import BackendUnavailable, InvalidPuzzle, Message, counted, explained
from ..files import open_regular, read_regular, resource
from ..problem.text import LARGEST, too_large
from ._run_clingo import ALLOWING, may_read
from .cases import Case
from .diagnosis import WIDTH, Diagnosis

Q = TypeVar("Q")
"""A puzzle, or an instance of another problem."""
V = TypeVar("V")
"""A grid, or an answer to an instance."""
Said = tuple[notices.Severity, Message]
"""A complaint about a program."""

PROLOG_FILES = (".pl", ".pro", ".prolog")
PROGRAM_FILES = (".lp", *PROLOG_FILES)
"""The endings of the names of programs."""
AT_ONCE = 1 << 18
"""Bytes to read before the time limit is checked again: a few hundred answers."""
RESULT_BYTES = 6_000_000
"""Bytes of one line of results: no runner writes a longer one."""
LINES = 20
"""Lines of a program's messages that are shown, of `WIDTH` characters."""
GRACE = 1.0
"""Seconds that a program may run after a wrong answer, or its last one. Most end by then."""
STAGES = ("loading", "grounding", "searching")


PROGRAM_BYTES = 16 << 20
"""Bytes of the file of a program."""
RUN_CLINGO = Path(__file__).with_name("_run_clingo.py")
_MODULES = {
    "sudoku_grader": resource("prolog/host/grader.pl"),
    "sudoku_submission": resource("prolog/host/submission.pl"),
    "sudoku_diagnosis": resource("prolog/sudoku/diagnosis.pl"),
}
"""The modules whose predicates `prolog_command` calls, and their files."""
_PROLOG = [
    *(_MODULES["sudoku_grader"], _MODULES["sudoku_diagnosis"]),
    *(resource(f"prolog/{name}.pl") for name in ("host/clauses", "sudoku/repair")),
]
_LOADING = [resource(f"prolog/host/{name}.pl") for name in ("loading", "dialects")]
OF_RUNS = (RUN_CLINGO, _PROLOG[0], *_LOADING)
"""Our own files with which a program runs."""
OF_QUESTIONS = (Path(__file__).parents[1], *_PROLOG, *_LOADING)
"""Those with which it is explained. Of the package, the sandbox hides the logic programs."""
OUT_OF_MEMORY = "out of memory"
"""The beginning of the message about a program that needs more than its limit."""
_OUT_OF_MEMORY = re.compile(
    r"bad_alloc|MemoryError|(out of|not enough|cannot allocate|could not allocate) memory"
    r"|failed to map segment",
    re.IGNORECASE,
)
_UNOPENED = re.compile(r"file could not be opened:\n\s+(.+)")
_BOM = b"\xef\xbb\xbf"
_NAME = re.compile(r"_*[a-z]\w*", re.ASCII)


@dataclass(slots=True)
class Output(Generic[V]):
    """The result of one run of a program."""

    stopped: Literal["decided", "timeout", "error"] | None = None
    """Why it did not finish; None if it did."""
    seconds: float = 0
    answers: list[Attempt[V]] = field(default_factory=list)
    """Each once: of a sudoku, each set of filled cells."""
    exhausted: bool = False
    """True if it has no other answers."""
    total: int = 0
    """The number of its answers with repetitions; 0 if they were not counted."""
    again: str = ""
    """The way in which the same grid was repeated."""
    ending: str = ""
    """The reason why it was stopped."""
    message: str = ""
    """Its errors and warnings, as text."""
    messages: list[Message] = field(default_factory=list)
    """Its errors."""
    warnings: list[Message] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Remarks on the program that may explain wrong answers."""
    flawed: bool = False
    """True if the program cannot run on any instance."""

    @property
    def repeats(self) -> str:
        """A remark if the same grid was found several times."""
        number = len(self.answers)
        if self.total <= number:
            return ""
        grids = counted(number, "grid" if number == 1 else "different grid")
        return f"{self.total} answers, but only {grids}: {self.again}"


@dataclass(frozen=True, slots=True)
class Submission(ABC, Generic[Q, V]):
    """A program to grade."""

    path: Path
    sandbox: Sandbox = field(default=PLAIN, kw_only=True)
    unnamed: Path | None = field(default=None, kw_only=True)
    """The folder of its files, if messages are to name these without it."""

    @property
    @abstractmethod
    def tells_lines(self) -> bool:
        """True if the engine's messages about it name the line of the mistake."""

    @property
    @abstractmethod
    def needs(self) -> tuple[Path, ...]:
        """Our own files with which it runs."""

    @abstractmethod
    def command(self, files: Files[Q], most: int) -> list[str]:
        """Return the command that writes up to `most` answers (0 for all) to ``files.results``."""

    @abstractmethod
    def read(self, question: Q, *parts: Any) -> Attempt[V]:
        """Return the answer to the question that the program has written.

        An error if these are not the parts of one.
        """

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
        """Return why the program does not end; None if nothing is known."""
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

    def _start(
        self,
        files: Files[Q],
        command: list[str],
        needed: Iterable[Path],
        feed: Feed,
        decided: Callable[[], bool] = lambda: False,
    ) -> Ended:
        """Run the command in the sandbox, in the folder of the program, where it finds its files.

        The `needed` files are ours.
        """
        folder = self.path.parent.resolve()
        room = Room(folder, files.folder, (*needed, *files.passed))
        return self.sandbox.run(command, room, files.limits, files.errors, decided, feed)

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
            return Output("error", message=str(message), messages=[message], flawed=True)
        with TemporaryDirectory(prefix="pylogic-sudoku-", dir=limits.folder) as folder:
            files = Files(Path(folder), instance, question, limits, self.unnamed)
            command = self.command(files, most)
            read = partial(self.read, question)
            with Feed() as feed:
                feed.send(files.first)
                tell = partial(feed.send, files.held)
                results = _Results(files.results, read, most, wrong, limits.max_output, tell)
                ended = self._start(files, command, self.needs, feed, results.decided)
            results.finish()
            return _conclude(results, ended, files)

    def ask(
        self,
        files: Files[Q],
        command: list[str],
        needed: Iterable[Path],
    ) -> tuple[list[Any], Ended]:
        """Run the command; return the lists that it wrote, even if its time ran out."""
        with Feed() as feed:
            feed.send(files.first + files.held)
            ended = self._start(files, command, needed, feed)
        try:
            with open_regular(files.results, follow=False) as file:
                content = file.read(RESULT_BYTES)
        except OSError:
            content = b""
        lines = []
        with suppress(ValueError, RecursionError):
            for line in content.decode(errors="replace").splitlines():
                lines.append(json.loads(line))
        return [line for line in lines if isinstance(line, list)], ended

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
        if not content.removeprefix(_BOM).strip():
            return "the file is empty"
        return "the file is not text in UTF-8" if b"\0" in content else ""


def check_prolog() -> None:
    """BackendUnavailable if there is no SWI-Prolog."""
    if swipl() is None:
        raise BackendUnavailable("there is no swipl here", installing())


def prolog_command(task: str, limits: Limits, *arguments: str) -> list[str]:
    """Return the command for a task, a predicate of a module such as ``sudoku_grader:grade``."""
    file = _MODULES[task.partition(":")[0]]
    # Prolog reports full stacks; a process that gets no more memory just ends.
    stacks = f"--stack-limit={max(1, limits.megabytes // 2)}m"
    return [
        *(*swipl_command(), "-q", "-f", "none", "--no-packs", stacks),
        *("-g", task, "-t", "halt", str(file), "--", *arguments),
    ]


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


# --- one run: its files, and what it writes, read while it runs ---------------------------


class Files(Generic[Q]):
    """The question of one run, its temporary folder, and the shown names of its files."""

    def __init__(
        self,
        folder: Path,
        instance: Case,
        question: Q,
        limits: Limits,
        unnamed: Path | None = None,
    ) -> None:
        self.instance, self.question, self.limits = instance, question, limits
        self._unnamed = unnamed
        self.results, self.errors = folder / "results", folder / "errors"
        self.folder = folder.resolve()
        self.program = Path()
        self.passed: list[Path] = []
        """The files that the program may read."""
        self.first = ""
        """The first part of what the runner reads."""
        self.held = ""
        """The rest, which has the instance: a running program gets it when it is loaded. So
        whatever keeps it from being loaded depends on no instance, and may be shown."""
        self._shown: dict[str, str] = {}

    def pass_on(self, path: Path, kind: str, text: str | None = None) -> str:
        """Return the path of the file, or of a copy with other text or without byte order mark.

        For clingo, that mark is a syntax error.
        """
        passed = path.parent.resolve() / path.name
        content = passed.read_bytes() if text is None else text.encode()
        if text is not None or content.startswith(_BOM):
            passed = self.folder / kind / path.name
            passed.parent.mkdir()
            passed.write_bytes(content.removeprefix(_BOM))
        self.passed.append(passed)
        if kind == "program":
            self.program = path
        self._shown[str(passed)] = str(path)
        return str(passed)

    def hold(self, path: Path, text: str) -> None:
        """Let a runner of clingo get the instance as a file, which it writes itself."""
        place = self.folder / "instance" / path.name
        self._shown[str(place)] = str(path)
        self.held = json.dumps([str(place), text.removeprefix("\ufeff")]) + "\n"

    def out_of_sight(self, complaint: str) -> str:
        """Return a remark if clingo's messages name a file that the sandbox hides."""
        names = _UNOPENED.findall(complaint)
        if any((self.program.parent / name).is_file() for name in names):
            return f"\nThis file is outside the program's own folder; {ALLOWING}."
        return ""

    def plain(self, text: str) -> str:
        """Return the message with the file names that the user gave."""
        for passed, shown in self._shown.items():
            text = text.replace(passed, shown)
        if self._unnamed:
            text = text.replace(f"{self._unnamed}/", "")
        lines = text.strip().splitlines()
        if len(lines) > LINES:
            lines[LINES:] = [f"... and {len(lines) - LINES} more lines"]
        return "\n".join(line if len(line) < WIDTH else f"{line[:WIDTH]}..." for line in lines)

    def sorted(self, said: Iterable[Said]) -> tuple[list[Message], list[Message]]:
        """Return the errors and the warnings, with the file names that the user gave."""
        found: dict[str, list[Message]] = {"error": [], "warning": []}
        for severity, each in said:
            shown = each._replace(text=self.plain(each.text), file=self.plain(each.file))
            found[severity].append(shown)
        return found["error"], found["warning"]


@dataclass
class _Results(Generic[V]):
    """The file of results of one run, read while it grows."""

    path: Path
    read: Callable[..., Attempt[V]]
    """Makes an answer of its parts."""
    most: int
    """No more answers are expected; 0 for any number."""
    is_wrong: Callable[[Attempt[V]], bool]
    max_output: int
    tell: Callable[[], None]
    """Gives the instance to the runner."""
    output: Output[V] = field(default_factory=Output)
    """The answers so far."""
    stage: str = STAGES[0]
    said: list[Said] = field(default_factory=list)
    """The complaints of the runner about the program."""
    failed: tuple[str, str] | None = None
    """The kind of failure, and its text."""
    ready: bool = False
    """True if the program may know the instance."""
    ended: bool = False
    wrong: bool = False
    """True if there is a wrong answer."""
    spoilt: bool = False
    """True if the program has written to the file: a line is not from a runner."""
    _file: IO[bytes] | None = None
    _size: int = 0
    _cut: bytes = b""
    _until: float = inf

    def decided(self) -> bool:
        """Read on; True if the program can be stopped."""
        self._read()
        return self.spoilt or monotonic() >= self._until

    def finish(self) -> None:
        """Read the rest; an incomplete last line is ignored."""
        while self._read():
            pass
        if self._file:
            self._size = os.fstat(self._file.fileno()).st_size
            self._file.close()

    def full(self) -> bool:
        """True if the file has reached its size limit."""
        return self._size >= self.max_output << 20

    def _read(self) -> bool:
        """Read the next lines; False if there is nothing new."""
        try:
            self._file = self._file or open_regular(self.path, follow=False)
        except FileNotFoundError:  # not there yet
            return False
        except OSError:
            self.spoilt = True
            return False
        part = self._file.read(AT_ONCE)
        *lines, self._cut = (self._cut + part).split(b"\n")
        for line in lines:
            self._take_in(line)
        if len(self._cut) > RESULT_BYTES or len(self.output.answers) > (self.most or inf):
            self.spoilt = True
        return bool(part) and not self.spoilt

    def _take_in(self, line: bytes) -> None:
        before = len(self.output.answers)
        try:
            kind, *rest = json.loads(line.decode(errors="replace"))
            self._take(kind, *rest)
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
            self.spoilt = True
        if not self.wrong and any(map(self.is_wrong, self.output.answers[before:])):
            self.wrong = True
            self._until = monotonic() + GRACE

    def _take(self, kind: str, *rest: Any) -> None:
        output = self.output
        if kind == "answer":
            output.answers.append(self.read(*rest))
        elif kind == "found":  # not while there are no repetitions
            output.total, output.again = int(rest[0]), text_of(rest[1])
        elif kind == "ready":
            if not self.ready:
                self.ready = True
                self.tell()
        elif kind == "stage":
            self.stage = STAGES[STAGES.index(rest[0])]
        elif kind == "note":
            output.notes.append(text_of(rest[0]))
        elif kind == "message":
            self.said.append(said_of(*rest))
        elif kind == "failed":
            self.failed = (text_of(rest[0]), text_of(rest[1]))
            self._until = monotonic() + GRACE
        elif kind == "end":
            output.exhausted, output.total = bool(rest[0]), int(rest[1])
            self.ended = True
            self._until = monotonic() + GRACE  # an engine may hang as it halts
        else:
            raise ValueError(kind)


def text_of(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def said_of(severity: object, fields: Any) -> Said:
    """Return a complaint as a runner writes it: a message of ``prolog/host/loading.pl``.

    A ValueError or a TypeError for fields that no message has.
    """
    kind, file, line, column, text, cure = fields
    words = map(text_of, (kind, file, text, cure))
    kind, file, text, cure = words
    message = message_of([kind, file, int(line), int(column), text, cure])
    return ("error" if severity == "error" else "warning"), message


def _conclude(results: _Results[V], ended: Ended, files: Files[Any]) -> Output[V]:
    """Return the result of a run that has ended."""
    if results.spoilt:
        message = "the program has tampered with the grader's result file"
        return Output("error", ended.seconds, message=message)
    output, limits = results.output, files.limits
    output.seconds, output.message = ended.seconds, files.plain(ended.errors)
    output.notes = list(map(files.plain, output.notes))
    most = f"{limits.max_output} MB of"
    has_ended = results.ended or results.failed  # the rest of the run adds nothing
    if results.full():
        output.stopped, output.ending = "error", f"{len(output.answers)} answers fill {most} output"
        output.ending += "; see limit and max_output"
    elif ended.code is None and results.wrong and not has_ended:
        output.stopped = "decided"
        output.ending = "stopped after a wrong answer; missing ones are not counted"
    elif ended.code is None and not has_ended:
        output.stopped, output.ending = "timeout", f"stopped while {results.stage}"
    elif not results.ended and ended.written >= limits.max_output << 20:
        output.stopped, output.ending = "error", f"over {most} messages; see max_output"
    elif results.failed:
        output.stopped, (kind, text) = "error", results.failed
        output.flawed = not results.ready and kind != "memory"
        if kind == "memory":
            output.message = _out_of_memory(limits)
        elif kind == "clingo" and output.message:
            output.message += files.out_of_sight(ended.errors)
        else:
            output.message = f"{files.plain(text)}\n{output.message}".strip()
    elif not results.ended:
        # A runner opens the file first: without it, the engine has not started.
        refused = ended.errors.startswith(("bwrap: ", "no namespaces: "))
        hopeless = not files.results.exists() and limits_memory() and not refused
        cause = OUT_OF_MEMORY if hopeless else output.message
        output.stopped, output.message = "error", _death(ended, cause, limits)
    output.message = explained(output.message)
    said = [*results.said, *notices.printed(ended.errors)]
    output.messages, output.warnings = files.sorted(said)
    if output.stopped == "error" and not output.messages:
        text = output.ending or (results.failed and results.failed[1]) or output.message
        output.messages = [notices.raised(files.plain(text))]
    return output


def _out_of_memory(limits: Limits) -> str:
    return f"{OUT_OF_MEMORY} (the limit is {limits.megabytes} MB)"


def _death(ended: Ended, errors: str, limits: Limits) -> str:
    """Return the message about a program whose process ended early."""
    if _OUT_OF_MEMORY.search(errors):
        return _out_of_memory(limits)
    code = ended.code or 0
    how = f"the program exited with code {code} before finishing"
    if code == 0:
        how += ": it seems to call halt, which ends Prolog before an answer can be read; remove it"
    if code < 0:
        name = signal.strsignal(-code) or f"signal {-code}"
        how = f"the program ended early ({name}), possibly out of memory"
    return f"{how}\n{errors}".strip()


# --- an answer -----------------------------------------------------------------------------


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
