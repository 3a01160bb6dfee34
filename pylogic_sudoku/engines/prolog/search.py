"""The one Prolog of a process, and searches in it. Nothing here knows a cell.

A `Bridge` asks goals of ``prolog/host/bridge.pl``, whatever runs it: here, `_Prolog`, which is in
this process; in `wasm`, processes with WebAssembly.

Only this module and `start` know janus. What keeps the bridge reliable:

- Goals are constant and their data are inputs, because janus keeps every distinct goal text
  for ever, and text in a goal would be run.
- Prolog is called from threads of our own that stay attached (see `running`), and answers with
  integers, lists and texts only.
- A search for one answer is one call. A search for several is a Prolog engine, opened and
  destroyed explicitly (see ``prolog/host/bridge.pl``).
"""

from __future__ import annotations

import ctypes
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import BackendFailure, BackendUnavailable
from ...files import resource
from ...running import workers as running
from ...running.prolog import FITTING, import_janus, repairing
from ...running.workers import Budget, Workers
from ..base import Measurement

if TYPE_CHECKING:
    from ...running.foreign import ForkServer, Prepared
    from ...running.forking import Pushes


class Bridge(ABC):
    """A Prolog with ``prolog/host/bridge.pl``, and the files of ``prolog/`` that it has loaded."""

    def __init__(self) -> None:
        self._complaints: dict[str, list[str]] = {}
        """The messages of Prolog about each file of ``prolog/`` that it has loaded."""
        self._loading = threading.Lock()

    @abstractmethod
    def ask(self, goal: str, **inputs: object) -> Any:
        """Return the binding of Answer by a constant goal."""

    def _answer_in(self, answer: Any) -> Any:
        """The answer, or the BackendFailure that it stands for."""
        if isinstance(answer, str) or (isinstance(answer, list) and answer[:1] == _FAILED):
            text, *fields = [answer] if isinstance(answer, str) else answer[1:]
            from ...running import notices  # which our own program does without

            failure = BackendFailure(f"SWI-Prolog: {notices.without_modules(text)}")
            failure.messages = list(map(notices.of_prolog, fields))
            raise failure
        return answer

    def load(self, parts: Iterable[str], texts: Iterable[Loaded]) -> None:
        """Load files of ``prolog/``, and texts."""
        for part in parts:
            self.load_part(part)
        for text in texts:
            text.load(self)

    def load_part(self, part: str) -> None:
        """Load a file of ``prolog/`` once; BackendUnavailable with the errors in it."""
        with self._loading:
            if part not in self._complaints:
                self._complaints[part] = self.ask(_LOAD, Part=part)
        if complaints := self._complaints[part]:
            file = resource(f"prolog/{part}.pl")
            raise BackendUnavailable(f"{file} does not load:\n" + "\n".join(complaints), FITTING)


class _Prolog(Bridge):
    """The one Prolog of this process, started on first use."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._thread = threading.local()
        self._janus: Any = None
        self._pid = 0
        self._failure: BackendUnavailable | None = None

    def ask(self, goal: str, **inputs: object) -> Any:
        """The same; only for threads that never end."""
        janus = self._attached()
        try:
            result = janus.query_once(goal, inputs)
        except janus.PrologError as error:
            raise BackendFailure(f"SWI-Prolog: {error}") from error
        if not result["truth"]:
            raise BackendFailure(f"SWI-Prolog: {goal} is false")
        return self._answer_in(result.get("Answer"))

    def runs(self) -> bool:
        """True if Prolog was started in this process, not before a fork."""
        return self._janus is not None and (running.inline or self._pid == os.getpid())

    def _attached(self) -> Any:
        with self._lock:
            if self._failure:
                raise BackendUnavailable(self._failure.why, self._failure.fix)
            if self._janus is None:
                try:
                    self._start()
                except BackendUnavailable as failure:
                    self._failure = failure
                    raise
        if not self.runs():
            raise BackendUnavailable(
                "Prolog does not survive a fork, and this process was forked after it started",
                'Start worker processes with multiprocessing.get_context("spawn").',
            )
        if not hasattr(self._thread, "attached"):
            self._janus.attach_engine()
            self._thread.attached = True
        return self._janus

    def _start(self) -> None:
        janus = import_janus()
        bridge = str(resource("prolog/host/bridge.pl"))
        try:
            janus.query_once("load_files(File, [silent(true)])", {"File": bridge})
        except janus.PrologError as error:
            raise BackendUnavailable(f"{bridge} does not load: {error}", repairing()) from None
        self._janus, self._pid = janus, os.getpid()


# One for all backend objects: there is only one Prolog in a process.
prolog = _Prolog()
workers = Workers("pylogic_sudoku prolog")
_numbers = count(1)
_searches: dict[int, Search] = {}
"""Those that run in this process, by number."""


_OF_WHAT_IS_POSED = ("solution", "candidates", "enumerates", "left", "measure", "trace")
QUESTIONS = {
    **{name: f"{name}({{}})" for name in _OF_WHAT_IS_POSED},
    "count": "count({}, Limit)",
    "confirms": "confirms({}, Wanted)",
    "rejected": "rejected({}, Wanted)",
    "costs": "costs({}, Wanted)",
    "refusal": "refusal({}, Wanted)",
    "consistent": "consistent({})",
    "first_refused": "first_refused({}, RuleClauses, Solution, Lemmas)",
}
"""The questions to ``prolog/host/bridge.pl``, about what is posed; names in capitals are inputs of
the goal."""
KINDS: tuple[Any, ...] = ("", "choice", "implied", "conflict", "back", "solution")
"""The kinds of events, as the bridge numbers them."""
_LOAD = "pls_bridge:load(Part, Answer)"
_FAILED = ["pls_wrong"]
"""The beginning of an error that has its text and a message, see ``prolog/host/bridge.pl``."""
_LOADED = "pls_bridge:loaded(Module, File, Text, Kind, Answer)"


_THREADS = "aggregate_all(count, thread_property(_, status(_)), Answer)"
_MOVE = "atom_string(Path, Folder), working_directory(_, Path)"
_PREPARED = "pls_switched:prepared(Module, File, Text, Answer)"


def flag(goal: str, parts: Iterable[str] = ()) -> Any:
    """The value that a goal binds Answer to, in the Prolog that runs here, with these `parts`."""

    def ask() -> Any:
        prolog.load(parts, ())
        return prolog.ask(goal)

    return workers.call(ask, Budget("prolog", None), lambda: None)


def version(*parts: str) -> str:
    """The version of the Prolog that runs here; BackendUnavailable if none runs these `parts`."""
    return version_text(flag(VERSION, parts))


VERSION = "current_prolog_flag(version, Answer)"


def version_text(number: int) -> str:
    """A version as Prolog's flag has it, in words.

    >>> version_text(90209)
    '9.2.9'
    """
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def home() -> str:
    """The folder of the SWI-Prolog that runs here; BackendUnavailable if none does."""
    (folder,) = flag("(current_prolog_flag(home, Home), Answer = [Home])")  # a text is an error
    return str(folder)


class Loaded:
    """A text of clauses that a search needs: a changed text is another module."""

    def __init__(self, kind: str, file: Path | str, text: str, module: str = "") -> None:
        from hashlib import blake2b  # which our own program does without

        from ...running.notices import MODULE

        digest = blake2b(f"{file}\n{text}".encode(), digest_size=8).hexdigest()
        self.module = module or f"{MODULE}{digest}"
        self.path = file if isinstance(file, Path) else None
        self.text = text
        self._inputs = {
            "Module": self.module,
            "File": f"{file}#{self.module}" if isinstance(file, Path) else file,
            "Text": text,
            "Kind": kind,
        }

    @property
    def copy(self) -> str:
        """The module of the copy that `prepare` loads."""
        return f"{self.module}_switched"

    def prepare(self, bridge: Bridge) -> None:
        """Load a copy whose goals can be switched off, unless it has been."""
        inputs = {"Module": self.copy, "Text": self._inputs["Text"]}
        bridge.ask(_PREPARED, File=f"{self._inputs['File']}_switched", **inputs)

    def load(self, bridge: Bridge) -> None:
        """Load it once, and report the warnings; BackendFailure with the errors in it."""
        from ...running import notices  # which our own program does without

        errors, warnings = bridge.ask(_LOADED, **self._inputs)
        if errors:
            messages = list(map(notices.of_prolog, errors))
            text = "\n".join(map(str, messages))
            failure = BackendFailure(f"SWI-Prolog: {text}")
            failure.messages = messages
            raise failure
        if warnings:
            notices.report(map(notices.of_prolog, warnings))


class PrologSearches:
    """Questions to Prolog; for an engine with a `name`. `stack_limit` applies to each search."""

    name: str
    _stack_limit = 2**30

    def _stream(self, search: Search, timeout: float | None) -> Generator[Any]:
        budget = Budget(self.name, timeout)
        if search.is_foreign:
            data = _foreign_stream(search, budget)
        else:
            search.budget = budget
            data = workers.stream(search.items(), budget, search.interrupt)
        with closing(data):
            for each in data:
                yield search.read(each)

    def _answer(self, search: Search, timeout: float | None) -> Any:
        budget = Budget(self.name, timeout)
        if search.is_foreign:
            return _of_foreign(search, budget).call(budget, search.answer)
        search.budget = budget
        return workers.call(search.answer, budget, search.interrupt)

    def _work(self, search: Search, timeout: float | None) -> tuple[Measurement[Any], Any]:
        """The work for the first answer, which is left out, and Prolog's data for that answer."""
        setup, search_time, inferences, choices, dead_ends, *data = self._answer(search, timeout)
        known = setup >= 0
        measured: Measurement[Any] = Measurement(
            None,
            setup=setup / 1e6 if known else None,
            search=search_time / 1e6,
            choices=choices if known else None,
            conflicts=dead_ends if known else None,
            inferences=inferences,
        )
        return measured, data

    def _must_be_seen(self, text: str) -> None:
        """BackendUnavailable unless a program searches by what can be watched."""
        if "label" not in text:
            raise BackendUnavailable(
                f"{self.name} does not search by labeling/2, and so shows nothing of its work"
            )


class Search:
    """One search: `items` or `answer` runs in a worker, `interrupt` in any thread.

    `inputs` have the names that they have in the goals. `posed` is what the question is about.
    `parts`, files of ``prolog/``, and `texts` are what Prolog must have loaded before, and `read`
    makes an answer of what Prolog gives. With `is_foreign` one of the texts is not ours: then it is
    asked in a process of its own. `better` makes an answer of what Prolog gives on its way to the
    best one.
    """

    budget = Budget("prolog", None)
    """Of this process; it hears of better answers."""
    _bridge: Bridge = prolog

    def __init__(
        self,
        question: str,
        posed: str,
        inputs: dict[str, object],
        read: Callable[[Any], Any],
        parts: Iterable[str] = (),
        texts: Iterable[Loaded] = (),
        is_foreign: bool = False,
        better: Callable[[Any], Any] | None = None,
    ) -> None:
        self._question = QUESTIONS[question].format(posed)
        self.read = read
        self._better = better
        self.parts = tuple(parts)
        self.texts = tuple(texts)
        self._is_ours = not is_foreign
        self.is_foreign = is_foreign and _is_possible()
        self._prepares = question == "refusal"
        self.loads_anew = False
        self._number = next(_numbers)
        self._inputs = inputs | {"Number": self._number}
        self._open = False
        self._stopped = False
        self._closed = False
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        """Only what a child needs to search, which has loaded the rest already."""
        plain = {**self.__dict__, "read": None, "_lock": None}
        if self.loads_anew:
            return plain
        return {**plain, "parts": (), "texts": self.texts if self._prepares else ()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= {**state, "_lock": threading.Lock()}

    def items(self) -> Generator[Any]:
        """Prolog's data of the solutions or events; it may be closed in any thread."""
        try:
            self._load()
            self._open = True
            goal = f"pls_bridge:search_open(Number, StackLimit, {self._question})"
            self._bridge.ask(goal, **self._inputs)
            goal = "pls_bridge:search_next(Number, Answer)"
            while data := self._bridge.ask(goal, Number=self._number):
                yield data
        finally:
            workers.send(self._close)

    def pushes(self) -> Pushes:
        """All solutions, many at a time, in a process that does nothing else."""
        from ...running.forking import Pushes  # whose sockets sudokus do without

        return Pushes(self._push)

    def _push(self, put: Callable[[Any], object]) -> None:
        self._load()
        _receivers.append(put)
        goal = f"pls_bridge:push(Number, StackLimit, {self._question}, Answer)"
        self._bridge.ask(goal, **self._inputs)

    def answer(self) -> Any:
        """Prolog's data of the first answer, which needs no engine of its own."""
        try:
            self._load()
            goal = f"pls_bridge:answer(Number, StackLimit, {self._question}, Answer)"
            answer = self._bridge.ask(goal, **self._inputs)
            self._ended()
            return answer
        finally:
            self._close()

    def _ended(self) -> None:
        """Note that the search has come to its end, and has left nothing behind."""

    def _load(self) -> None:
        """Load what the question needs and Prolog has not.

        It must be before the search, as that may be stopped at any time.
        """
        _searches[self._number] = self
        self._bridge.load(self.parts, self.texts)
        if self._prepares:
            for text in self.texts:
                text.prepare(self._bridge)

    def improve(self, what: str, data: Any) -> None:
        """Note what Prolog has found on its way to the best answer."""
        if what == "better" and self._better:
            self.budget.improve(self._better(data), self.budget.bound)
        else:
            self.budget.improve(None, tuple(data) or None)

    def interrupt(self) -> None:
        """Make the running call return soon."""
        workers.send(self._stop)

    def _stop(self) -> None:
        # A stop counts even before the search begins; after its end, Prolog would never forget it.
        with self._lock:
            if not self._closed:
                self._stopped = True
                self._bridge.ask("pls_bridge:search_stop(Number)", Number=self._number)

    def _close(self) -> None:
        _searches.pop(self._number, None)
        with self._lock:
            self._closed = True
            # If Prolog does not run, the search has raised that already.
            if (self._open or self._stopped) and prolog.runs():
                self._bridge.ask("pls_bridge:search_close(Number)", Number=self._number)


def improved(number: int, what: str, data: Any) -> None:
    """Called by Prolog: the search with this number has found something, see `Search.improve`."""
    if search := _searches.get(number):
        search.improve(what, data)


# --- programs that are not ours ---


def _is_possible() -> bool:
    from ...running.foreign import is_possible  # which our own programs do without

    return is_possible()


Stamp = tuple[str, int, int]
"""A file, when it was changed, and its size."""


def prepare() -> None:
    """Make the Prolog of a fork server ready: what runs there has no thread but one."""
    from ...running.forking import flushed, moved

    with suppress(BackendUnavailable):  # each question raises it again
        prolog.ask("set_prolog_gc_thread(false)")
        prolog.load_part("host/questions")
        prolog.ask("pls_instances:warm_up")
        os.register_at_fork(after_in_child=_name_process)
        moved.append(lambda folder: prolog.ask(_MOVE, Folder=folder))
        flushed.append(lambda: prolog.ask("flush_output(user_output), flush_output(user_error)"))


_receivers: list[Callable[[Any], object]] = []


def handed_over(items: list[Any]) -> None:
    """Take items of the only search in this process; Prolog calls this."""
    _receivers[-1](items)


def _name_process() -> None:
    """Let the flag `pid` be this process: a program may send itself a signal.

    The first goal also makes the copies of memory that every question needs.
    """
    with suppress(AttributeError):  # where the functions of Prolog are not visible
        set_flag = ctypes.CDLL(None).PL_set_prolog_flag
        integer, force = 3, 0x8000  # PL_INTEGER and FF_FORCE of <SWI-Prolog.h>
        set_flag(b"pid", integer | force, ctypes.c_ssize_t(os.getpid()))
    prolog.ask("Answer = []")


def load_foreign(parts: Iterable[str], texts: Iterable[Loaded]) -> tuple[list[Stamp], bool]:
    """Load files of ``prolog/``, and texts; return the files that the texts have loaded, and
    whether a fork has all of it.

    It has no thread but one, and shares the place in a file that is open.
    """
    before = _descriptors()
    prolog.load(parts, texts)
    files = prolog.ask("pls_bridge:foreign_files(Answer)")
    stamps = [stamp for file in files if (stamp := _stamp(file))]
    return stamps, _descriptors() == before and prolog.ask(_THREADS) == 1


def _descriptors() -> list[str]:
    """The open files of this process, where the system shows them."""
    with suppress(OSError):
        return sorted(os.listdir("/proc/self/fd"))
    return []


def _stamp(file: str) -> Stamp | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return file, status.st_mtime_ns, status.st_size


def _are_current(loaded: tuple[list[Stamp], bool]) -> bool:
    return all(_stamp(stamp[0]) == stamp for stamp in loaded[0])


def _of_foreign(search: Search, budget: Budget) -> Prepared | ForkServer:
    """A process whose children have loaded what the search needs, or load it."""
    modules = tuple(text.module for text in search.texts)
    key = search.parts, modules
    from ..servers import SERVERS

    server = SERVERS["prolog"]
    prepared = server.prepared(key, _are_current, budget, load_foreign, search.parts, search.texts)
    search.loads_anew = not prepared.result[1]
    return server if search.loads_anew else prepared


def _foreign_stream(search: Search, budget: Budget) -> Generator[Any]:
    yield from _of_foreign(search, budget).stream(budget, search.items)


def pushed(search: Search, budget: Budget) -> Generator[list[Any]]:
    """The items of a foreign search for all solutions, as Prolog pushes them."""
    yield from _of_foreign(search, budget).stream(budget, search.pushes)


def foreign_version(*parts: str) -> str:
    """The version of the Prolog that foreign programs run in; BackendUnavailable if none does."""
    from ..servers import SERVERS

    return str(SERVERS["prolog"].call(Budget("prolog", None), version, *parts))
