"""One run of a foreign program, ASP or Prolog, and what it writes, read while it runs.

A `Child` is the command of a process that runs the program by one of our scripts, which writes
JSON lists to a file, one per line. `run` makes an `Output` of them, and `ask` returns them.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import IO, Any, Generic, Literal, NamedTuple, TypeVar

from ..errors import BackendUnavailable, Message, counted, explained
from ..files import open_regular, read_regular
from . import notices, wasm
from ._limited import NO_NAMESPACES
from .child import ALLOWING, may_read
from .process import WIDTH, Ended, Feed, Limits, limits_memory
from .sandbox import Room, Sandbox, is_sealed

A = TypeVar("A")
"""An answer of a program."""
Said = tuple[notices.Severity, Message]
"""A complaint about a program."""

AT_ONCE = 1 << 18
"""Bytes to read before the time limit is checked again: a few hundred answers."""
RESULT_BYTES = 6_000_000
"""Bytes of one line of results: no runner writes a longer one."""
LINES = 20
"""Lines of a program's messages that are shown, of `WIDTH` characters."""
GRACE = 1.0
"""Seconds that a program may run after a wrong answer, or its last one. Most end by then."""
STAGES = ("loading", "grounding", "searching")
_OUT_OF_MEMORY = re.compile(
    r"bad_alloc|MemoryError|(out of|not enough|cannot allocate|could not allocate) memory"
    r"|failed to map segment",
    re.IGNORECASE,
)
_UNOPENED = re.compile(r"file could not be opened:\n\s+(.+)")
BOM = b"\xef\xbb\xbf"
_HOST = "prolog/host"
MOST_SEALED = 2047
"""Megabytes that WebAssembly may have."""
SEEN_BYTES, SEEN_FILES = 16 << 20, 500
"""The most that WebAssembly sees of the folder of a program."""
_SEALED = Path(__file__).with_name("sealed.py")


class Sealed(NamedTuple):
    """A run of Prolog inside ``sealed.py``, without a process of the system for itself."""

    goal: str
    files: tuple[Path, ...]
    """Those of ours that are loaded."""
    arguments: tuple[str, ...]
    """The arguments of the program."""


class Child(NamedTuple):
    """A process that runs a foreign program by one of our scripts."""

    command: list[str]
    needed: tuple[Path, ...] = ()
    """Files and folders of ours that it needs."""
    sealed: Sealed | None = None
    """The same run by Prolog as WebAssembly; None if it has none."""


@dataclass(slots=True)
class Output(Generic[A]):
    """The result of one run of a program."""

    stopped: Literal["decided", "timeout", "error"] | None = None
    """Why it did not finish; None if it did."""
    seconds: float = 0
    answers: list[A] = field(default_factory=list)
    """Each once."""
    exhausted: bool = False
    """True if it has no other answers."""
    total: int = 0
    """The number of its answers with repetitions; 0 if they were not counted."""
    again: str = ""
    """The way in which the same answer was repeated."""
    noun: str = "answer"
    """A word for what is repeated."""
    ending: str = ""
    """The reason why it was stopped."""
    lacks_memory: bool = False
    """True if it needs more than its limit."""
    message: str = ""
    """Its errors and warnings, as text."""
    messages: list[Message] = field(default_factory=list)
    """Its errors."""
    warnings: list[Message] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Remarks on the program that may explain wrong answers."""
    remarks: list[str] = field(default_factory=list)
    """Remarks on a run that are no mistakes, even if all its answers are right."""
    flawed: bool = False
    """True if the program cannot run on any instance."""

    @property
    def repeats(self) -> str:
        """A remark if the same answer was found several times."""
        number = len(self.answers)
        if self.total <= number:
            return ""
        known = counted(number, self.noun if number == 1 else f"different {self.noun}")
        return f"{self.total} answers, but only {known}: {self.again}"


class Files:
    """The temporary folder of one run, what the child reads, and the shown names of its files."""

    def __init__(self, folder: Path, limits: Limits, unnamed: Path | None = None) -> None:
        self.limits = limits
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
        if text is not None or content.startswith(BOM):
            passed = self.folder / kind / path.name
            passed.parent.mkdir()
            passed.write_bytes(content.removeprefix(BOM))
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

    def text(self, file: str) -> str:
        """Return the text of a file of the program; empty for any other, or if it has none."""
        own = self.program.parent.resolve()
        place = own / next((each for each, shown in self._shown.items() if shown == file), file)
        if place not in self.passed and own not in place.resolve().parents:
            return ""
        try:
            return read_regular(place, RESULT_BYTES).decode(errors="replace")
        except OSError:
            return ""

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


@contextmanager
def opened(limits: Limits, unnamed: Path | None = None) -> Iterator[Files]:
    """The files of one run, which are removed at its end."""
    with TemporaryDirectory(prefix="pylogic-sudoku-", dir=limits.folder) as folder:
        yield Files(Path(folder), limits, unnamed)


def run(
    files: Files,
    child: Child,
    sandbox: Sandbox,
    read: Callable[..., A],
    most: int = 0,
    wrong: Callable[[A], bool] = lambda _answer: False,
    noun: str = "answer",
) -> Output[A]:
    """Run a program that writes up to `most` answers, 0 for any number.

    `read` makes an answer of its parts. The program is stopped soon after one for which `wrong` is
    true.
    """
    with Feed() as feed:
        feed.send(files.first)
        tell = partial(feed.send, files.held)
        output: Output[A] = Output(noun=noun)
        most_bytes = files.limits.max_output
        results = _Results(files.results, read, most, wrong, most_bytes, tell, output)
        ended = _start(files, child, sandbox, feed, results.decided)
    results.finish()
    return _conclude(results, ended, files)


def ask(files: Files, child: Child, sandbox: Sandbox) -> tuple[list[Any], Ended]:
    """Run a program; return the lists that are written, even if its time ran out."""
    with Feed() as feed:
        feed.send(files.first + files.held)
        ended = _start(files, child, sandbox, feed)
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


def _start(
    files: Files,
    child: Child,
    sandbox: Sandbox,
    feed: Feed,
    decided: Callable[[], bool] = lambda: False,
) -> Ended:
    """Run it in the sandbox, in the folder of the program, where it finds its files."""
    folder = files.program.parent.resolve()
    room = Room(folder, files.folder, (*child.needed, *files.passed))
    command, limits = child.command, files.limits
    if child.sealed and is_sealed(sandbox):
        command = _sealed(files, child, child.sealed, sandbox)
        sandbox = replace(sandbox, level="plain")
        limits = replace(limits, megabytes=0)  # V8 reserves more than it uses, and limits itself
    elif sandbox.level == "wasm" and files.program.suffix != ".lp":
        why = "SWI-Prolog as WebAssembly cannot show the work of a program"
        raise BackendUnavailable(why, "Choose another sandbox.")
    return sandbox.run(command, room, limits, files.errors, decided, feed)


def _sealed(files: Files, child: Child, sealed: Sealed, sandbox: Sandbox) -> list[str]:
    """The command that runs the program as WebAssembly; what it needs is in a file."""
    megabytes = min(files.limits.megabytes or MOST_SEALED, MOST_SEALED)
    own = files.program.parent.resolve()
    seen = _copies([own, *map(Path, sandbox.readable)], sandbox.visible(own))
    ours = {f"/{_HOST}/{each.name}": each for each in child.needed[0].glob("*.pl")}
    ours["/swipl/library/time.pl"] = child.needed[0] / "deadline.pl"
    tasks = {f"/prolog/{each.parent.name}/{each.name}": each for each in sealed.files}
    passed = {each.as_posix(): each for each in files.passed}
    job = {
        "path": [os.path.abspath(each) for each in sys.path],
        "data": str(wasm.DATA),
        "megabytes": megabytes,
        "options": ["-q", "-f", "none", "--no-packs", f"--stack-limit={megabytes // 2}m"],
        "goal": sealed.goal,
        "files": list(tasks),
        "folder": own.as_posix(),
        "argv": ["swipl", *sealed.arguments],
        "copies": [(there, str(here)) for there, here in (seen | ours | tasks | passed).items()],
        "results": str(files.results),
        "most": files.limits.max_output << 20,
    }
    place = files.folder / "job"
    place.write_text(json.dumps(job), encoding="utf-8")
    return [sys.executable, "-I", "-S", str(_SEALED), str(place)]


def _copies(places: Iterable[Path], visible: dict[str, bool]) -> dict[str, Path]:
    """The files in these folders, and these files, that a program may read, by their paths."""
    found: dict[str, Path] = {}
    left = SEEN_BYTES
    for path in (each for place in places for each in _files_in(place)):
        with suppress(OSError):
            if not path.is_file() or not may_read(str(path), visible):
                continue
            left -= path.stat().st_size
            if left < 0 or len(found) == SEEN_FILES:
                break
            found[path.as_posix()] = path
    return found


def _files_in(place: Path) -> Iterator[Path]:
    """The files of a folder, those on top first, or the file itself."""
    if place.is_file():
        yield place
    for folder, folders, names in os.walk(place):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(names))


@dataclass
class _Results(Generic[A]):
    """The file of results of one run, read while it grows."""

    path: Path
    read: Callable[..., A]
    """Makes an answer of its parts."""
    most: int
    """No more answers are expected; 0 for any number."""
    is_wrong: Callable[[A], bool]
    max_output: int
    tell: Callable[[], None]
    """Gives the instance to the runner."""
    output: Output[A]
    """The answers so far."""
    stage: str = STAGES[0]
    said: list[Said] = field(default_factory=list)
    """The complaints of the runner about the program."""
    derived: list[tuple[str, int]] = field(default_factory=list)
    """The predicates that may be meant by an undefined one."""
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
        elif kind == "derived":
            self.derived = [(text_of(name), int(arity)) for name, arity in rest[0]]
        elif kind == "note":
            output.notes.append(text_of(rest[0]))
        elif kind == "remark":
            output.remarks.append(text_of(rest[0]))
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
    """Return a text; TypeError if it is none."""
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
    message = notices.of_prolog([kind, file, int(line), int(column), text, cure])
    return ("error" if severity == "error" else "warning"), message


def _conclude(results: _Results[A], ended: Ended, files: Files) -> Output[A]:
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
    elif results.failed and results.failed[0] == "limit":
        output.stopped, output.ending = "timeout", files.plain(results.failed[1])
    elif not results.ended and ended.written >= limits.max_output << 20:
        output.stopped, output.ending = "error", f"over {most} messages; see max_output"
    elif results.failed:
        output.stopped, (kind, text) = "error", results.failed
        output.flawed = not results.ready and kind != "memory"
        if kind == "memory":
            output.lacks_memory = True
        elif kind == "clingo" and output.message:
            output.message += files.out_of_sight(ended.errors)
        else:
            output.message = f"{files.plain(text)}\n{output.message}".strip()
    elif not results.ended:
        # A runner opens the file first: without it, the engine has not started.
        refused = ended.code == NO_NAMESPACES or ended.errors.startswith("bwrap: ")
        hopeless = not files.results.exists() and limits_memory() and not refused
        output.lacks_memory = hopeless or bool(_OUT_OF_MEMORY.search(output.message))
        output.stopped, output.message = "error", _death(ended, output.message, files)
    if output.lacks_memory:
        output.message = f"out of memory (the limit is {limits.megabytes} MB)"
    output.message = explained(output.message, files.text)
    printed = list(notices.printed(ended.errors, files.text))
    told = [(severity, notices.meant(each, results.derived)) for severity, each in printed]
    meant = [new for new, old in zip(told, printed, strict=True) if new != old]
    output.messages, output.warnings = files.sorted([*results.said, *told])
    output.message = _with_warnings(output.message, results.said, meant, files)
    if output.stopped == "error" and not output.messages:
        text = output.ending or (results.failed and results.failed[1]) or output.message
        output.messages = [notices.raised(files.plain(text))]
    return output


def _with_warnings(message: str, said: Iterable[Said], meant: Iterable[Said], files: Files) -> str:
    """Return the message with the warnings that the process has not printed, and what is meant."""
    more = [str(each) for each in files.sorted(said)[1]]
    more += [f"{each.place}: {each.cure}" for each in files.sorted(meant)[1]]
    return "\n".join(filter(None, (message, *dict.fromkeys(more))))


def _death(ended: Ended, errors: str, files: Files) -> str:
    """Return the message about a program whose process ended early."""
    code = ended.code or 0
    how = f"the program exited with code {code} before finishing"
    if code == 0 and files.program.suffix != ".lp":
        how += notices.HALTED
    if code < 0:
        name = signal.strsignal(-code) or f"signal {-code}"
        how = f"the program ended early ({name}), possibly out of memory"
    return f"{how}\n{errors}".strip()
