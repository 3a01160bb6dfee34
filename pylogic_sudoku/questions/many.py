"""Many puzzles in several processes, in order and with bounded memory.

`solve_many` is the public question; `map_in_order` and `stream_in_order` do the same for any
function, in this process, in a `Pool` of our own or by somebody's executor.

A worker of the pool sends the parts of an answer as they come, and waits while its pipe is full; so
memory stays bounded. It ends when its pipe is closed: a worker never outlives the process that
started it, however that process ends. Workers share no lock or semaphore, so there is none to leak.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import islice
from math import inf
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..engines import Backend
from ..engines.running import checked_timeout, undisturbed
from ..errors import BackendFailure, InvalidPuzzle, SudokuError
from ..formats import PuzzleLike, as_puzzle, many
from ..puzzle import Grid, Puzzle
from . import checked_optional, solve

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from multiprocessing.connection import Connection


T = TypeVar("T")
R = TypeVar("R")
_Done = tuple[list[R | SudokuError], float]
"""Outcomes, and the seconds that they took."""

MAX_JOBS = 61 if sys.platform == "win32" else 1000
"""Processes that may share the work; Windows cannot wait for more than 61."""
BATCH = 64
"""The most items that go to a process at once."""
SECONDS = 0.03
"""How long a batch should take: long compared with the half millisecond that sending it there and
back takes, but so short that no process is left with a batch when all others have finished."""
WAITING = 3
"""Batches per process that are under way, or done and not yet asked for."""


class SolvedPuzzles(Iterator[Grid | None]):
    """The answers to many puzzles, in their order: a solution, or None if there is none.

    The error of a puzzle is raised in its place, with the puzzle's number (from 0) as `index`.
    It ends a ``for`` loop but not this iterator: `next` goes on with the puzzle after it.
    """

    def __init__(self, outcomes: Generator[tuple[Any, Grid | SudokuError | None]]) -> None:
        self._outcomes = outcomes
        self._index = -1

    def __next__(self) -> Grid | None:
        _, answer = next(self._outcomes)
        self._index += 1
        if isinstance(answer, SudokuError):
            answer.index = self._index
            raise answer
        return answer

    def close(self) -> None:
        """Stop all work on the remaining puzzles."""
        self._outcomes.close()


def solve_many(
    puzzles: Iterable[PuzzleLike],
    backend: str | Backend = "clingo",
    jobs: int | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
) -> SolvedPuzzles:
    """Solve puzzles in order, lazily: a solution of each, or None if it has none.

    `jobs` processes share the work. They are spawned, so a script that uses them needs
    ``if __name__ == "__main__":``. Instead of our processes, `executor` may be any executor like
    those of ``concurrent.futures`` whose workers can import this package; `jobs` is then the
    number of its workers (default: the number of processors here). `timeout` is in seconds, over
    0, for each puzzle. Memory does not grow with the number of puzzles.

    Iterating raises the error of a puzzle in its place, with the number of the puzzle as
    ``error.index``: InvalidPuzzle, BackendUnavailable, SolveTimeout or BackendFailure; `next`
    then continues with the following puzzle. Raises ValueError or TypeError at once for an
    impossible timeout or number of jobs.

    >>> [str(grid) for grid in solve_many(["4......3...13...", "4......3...13..1"])]
    ['4312124324313124', 'None']
    """
    jobs = checked_jobs(jobs, ours=executor is None)
    ask = partial(solve, backend=backend, timeout=checked_timeout(timeout))
    read = map(readable, many(puzzles, "solve_many"))
    return SolvedPuzzles(map_in_order(ask, read, jobs, executor))


def readable(puzzle: PuzzleLike) -> Grid | Puzzle | InvalidPuzzle:
    """The puzzle, or why it cannot be read: puzzles are read ahead, errors raised in turn."""
    try:
        return as_puzzle(puzzle)
    except InvalidPuzzle as error:
        return error


def checked_jobs(jobs: int | None, ours: bool = True) -> int | None:
    """The number of processes; TypeError or ValueError if it is impossible for `ours`."""
    return checked_optional("jobs", jobs, 1, MAX_JOBS if ours else inf)


def map_in_order(
    function: Callable[[T], R],
    items: Iterable[T | InvalidPuzzle],
    jobs: int | None,
    executor: Executor | None = None,
) -> Generator[tuple[T | InvalidPuzzle, R | SudokuError]]:
    """Each item with its outcome, in order; items are read as they are needed.

    The outcome is what `function` returns or the SudokuError that it raises; an item that is an
    InvalidPuzzle is its own outcome.

    With more than one of `jobs`, or an `executor`, `function` and the items must be picklable. Our
    processes are spawned, since an engine does not survive a fork, and end with the iterator. If
    one of them dies, it is replaced and its items are tried once more, one at a time; the outcome
    of an item that kills its process again is a BackendFailure.
    """
    attempt = partial(_attempt, function)
    if executor:
        yield from _by(executor, attempt, items, jobs or os.cpu_count() or 1)
    elif jobs is None or jobs == 1:
        yield from ((item, attempt(item)) for item in items)
    else:
        with closing(Pool(jobs)) as pool:
            yield from pool.map(attempt, items)


def _attempt(function: Callable[[T], R], item: T | InvalidPuzzle) -> R | SudokuError:
    if isinstance(item, InvalidPuzzle):
        return item
    try:
        return function(item)
    except SudokuError as error:
        return error


def stream_in_order(
    function: Callable[[T], Generator[R]],
    items: Iterable[T],
    jobs: int,
    unread: list[tuple[T, list[R]]] | None = None,
) -> Generator[tuple[T, Iterator[R]]]:
    """Each item with the parts of its answer as they come, to be read before the next item.

    With more than one of `jobs`, it is like `map_in_order`; but an answer that has been read in
    part is not restarted if its process dies: it ends with BackendFailure. Parts that have arrived
    before the reader stops, or an error stops it, are added to `unread`.
    """
    if jobs == 1:
        for item in items:
            with closing(function(item)) as parts:
                yield item, parts
        return
    with closing(Pool(jobs)) as pool:
        yield from pool.stream(function, items, unread)


# --- by whom ---


def next_size(size: int, done: int, seconds: float) -> int:
    """How many items the next batch should have, when `done` of them took so many seconds."""
    return max(1, min(2 * size, BATCH, int(done * SECONDS / (seconds or SECONDS))))


def _by(
    executor: Executor, function: Callable[[T], R], items: Iterable[T], jobs: int
) -> Iterator[tuple[T, R | SudokuError]]:
    """`map_in_order` by an executor that is not ours to replace or to end.

    It may have its own ways to report that a worker died, or that it cannot do the work at all.
    """
    under_way: deque[tuple[list[T], Future[_Done[R]]]] = deque()
    rest = iter(items)
    size = 1
    try:
        while True:
            while len(under_way) < WAITING * jobs and (batch := list(islice(rest, size))):
                under_way.append((batch, _submit(executor, function, batch)))
            if not under_way:
                return
            batch, future = under_way[0]
            try:
                outcomes, seconds = future.result()
                size = next_size(size, len(batch), seconds)
            except Exception:
                outcomes = [_alone(executor, function, item) for item in batch]
            under_way.popleft()
            yield from zip(batch, outcomes, strict=True)
    finally:
        for _, future in under_way:
            future.cancel()


def _alone(executor: Executor, function: Callable[[T], R], item: T) -> R | SudokuError:
    """The outcome of an item whose batch failed: only the item that caused it is lost.

    BackendFailure is raised if the executor no longer does any work.
    """
    try:
        return executor.submit(function, item).result()
    except Exception as error:
        try:
            executor.submit(int).result()
        except Exception as broken:
            raise BackendFailure(f"the executor broke: {broken!r}") from broken
        return BackendFailure(f"the executor could not do it: {error!r}")


def _submit(executor: Executor, function: Callable[[T], R], batch: list[T]) -> Future[_Done[R]]:
    """The future of a batch; it fails later, not now, if the executor rejects the batch."""
    from concurrent.futures import Future  # a tenth of the time to import the package

    try:
        return executor.submit(_all, function, batch)
    except Exception as error:
        future: Future[_Done[R]] = Future()
        future.set_exception(error)
        return future


def _all(function: Callable[[T], R], batch: list[T]) -> _Done[R]:
    start = perf_counter()
    return [function(item) for item in batch], perf_counter() - start


# --- a pool: first what runs in a worker, then what runs here ---


NAME = "pylogic_sudoku worker"
HELD = 5000
"""Unread parts above which only the worker whose answer is wanted is read."""
STARTS = 3
"""How many workers in a row may be killed while they start."""
UNPICKLABLE = "expected a backend and puzzles that can be pickled, of classes in a module"


class _Mark(NamedTuple):
    """Stands for a part whose computation raised an error; without one, ends an answer."""

    error: Any = None


class _Outbox:
    """What a worker has to send; no part waits longer than `SECONDS` for the next one."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._lock = Lock()
        self._parts: list[object] = []
        self._filled = Event()
        Thread(target=self._send_what_waits, daemon=True).start()

    def put(self, part: object) -> None:
        with self._lock:
            self._parts.append(part)
            if len(self._parts) >= BATCH:
                self._send(None)
        if not self._filled.is_set():
            self._filled.set()

    def end(self, ended: tuple[int, float] | Exception | None) -> None:
        """Send everything, and how the batch ended: its items and seconds, or an error."""
        with self._lock:
            self._send(ended)

    def _send_what_waits(self) -> None:
        while True:
            self._filled.wait()
            self._filled.clear()
            sleep(SECONDS)
            with self._lock:
                if self._parts:
                    self._send(None)

    def _send(self, ended: object) -> None:
        parts, self._parts = self._parts, []
        try:
            message = pickle.dumps((parts, ended))
        except Exception:
            message = pickle.dumps(([_sendable(part) for part in parts], ended))
        try:
            self._pipe.send_bytes(message)
        except OSError:
            os._exit(1)


def _sendable(part: object) -> object:
    try:
        pickle.dumps(part)
    except Exception as error:
        return _Mark(TypeError(f"an answer cannot be sent to another process: {error}"))
    return part


def _portable(error: Exception) -> Exception:
    """The error in a form that can be sent, with its traceback in a note."""
    if not isinstance(error, SudokuError):
        error.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return BackendFailure(f"{type(error).__name__}: {error}")
    return error


def _work(pipe: Connection) -> None:
    """Answer until the pipe is closed."""
    # Ctrl-C in a terminal reaches all processes; the one that started this one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    inbox: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(pipe, inbox), daemon=True).start()
    outbox = _Outbox(pipe)
    outbox.end(None)
    while True:
        message = inbox.get()
        try:
            function, items = pickle.loads(message)
        except Exception as error:
            outbox.end(TypeError(f"a worker process cannot read its work: {error}; {UNPICKLABLE}"))
            continue
        start = perf_counter()
        for item in items:
            try:
                for part in function(item):
                    outbox.put(part)
            except Exception as error:
                outbox.put(_Mark(_portable(error)))
            outbox.put(_Mark())
        outbox.end((len(items), perf_counter() - start))


def _listen(pipe: Connection, inbox: SimpleQueue[bytes]) -> None:
    """Receive at any time, so that the sender never waits for the work."""
    try:
        while True:
            inbox.put(pipe.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)  # even in the middle of a search


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in a process that starts here until it ignores it: no traceback is printed."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it starts with the first worker, and unblocks Ctrl-C then
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Item:
    """One item under way, with the parts of its answer that have arrived but not been read."""

    __slots__ = ("again", "dropped", "ended", "number", "parts", "value", "was_read", "worker")

    def __init__(self, number: int, value: Any) -> None:
        self.number = number
        self.value = value
        self.parts: deque[Any] = deque()
        self.worker: _Worker | None = None
        self.was_read = self.ended = self.dropped = self.again = False

    def drop(self) -> None:
        """Let go of what has arrived, and of what will."""
        self.dropped = True
        self.parts.clear()


class _Worker:
    """A spawned process, and its unfinished items, in order."""

    def __init__(self) -> None:
        # These take as long to import as to solve a puzzle, and most commands need no process.
        from multiprocessing import current_process, get_context
        from multiprocessing.connection import Pipe

        self.ready = False
        self.items: deque[_Item] = deque()
        self.pipe, theirs = Pipe()
        with theirs:
            self.process = get_context("spawn").Process(target=_work, args=(theirs,), name=NAME)
            try:
                with _ctrl_c_blocked():
                    self.process.start()
            except RuntimeError:
                if current_process().name == NAME:
                    os._exit(1)  # a worker runs the script again: `_check_start` reports it
                raise
            except OSError as error:
                raise BackendFailure(f"a worker process cannot be started: {error}") from error

    def give(self, function: Callable[[Any], object], batch: list[_Item]) -> None:
        """Send it the items, to be worked on after those that it has."""
        try:
            message = pickle.dumps((function, [item.value for item in batch]))
        except Exception as error:
            text = f"the work cannot be sent to another process: {error}; {UNPICKLABLE}"
            raise TypeError(text) from error
        for item in batch:
            item.worker = self
        self.items.extend(batch)
        with suppress(OSError):  # if it has died, `_hear` notices
            self.pipe.send_bytes(message)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


class Pool:
    """A limited number of worker processes, replaced when they die; to be ended with `close`.

    They start when there is work for them, and work on one collection of items at a time.
    """

    def __init__(self, jobs: int) -> None:
        self._owner = os.getpid()
        self._jobs = jobs
        self._workers: list[_Worker] = []
        self._starts = 0
        # At exit multiprocessing waits for its processes, unless we have ended them before it does;
        # what is registered last comes first.
        import multiprocessing.util  # noqa: F401

        atexit.register(self.close)

    def close(self) -> None:
        """End the processes now."""
        if os.getpid() == self._owner:  # a fork has a copy of this pool, but not its processes
            atexit.unregister(self.close)
            undisturbed(self._end)

    def _end(self) -> None:
        while self._workers:
            self._workers.pop().end()

    def map(
        self, function: Callable[[T], R], items: Iterable[T]
    ) -> Iterator[tuple[T, R | BackendFailure]]:
        """Each item with what the function returns, or BackendFailure if its process died twice."""
        for item, parts in self.stream(partial(_only, function), items):
            try:
                yield item, next(parts)
            except BackendFailure as error:
                yield item, error

    def stream(
        self,
        function: Callable[[T], Iterable[R]],
        items: Iterable[T],
        unread: list[tuple[T, list[R]]] | None = None,
    ) -> Iterator[tuple[T, Iterator[R]]]:
        """Each item, with the parts of its answer as they come; unread parts are dropped.

        At the end those that are still there are added to `unread`.

        The parts end with the error that the function raised. An item whose process died is tried
        once more, alone, unless parts of its answer were read; then they end with BackendFailure.
        """
        self._function, self._source, self._size = function, enumerate(items), 1
        self._order = order = deque[_Item]()
        self._again: list[_Item] = []
        self._exhausted = False
        try:
            self._hand_out()
            while order and not any(worker.ready for worker in self._workers):
                self._listen()
            while True:
                self._hand_out()
                while not order and not self._exhausted:
                    self._listen()  # the workers still have items of earlier work
                if not order:
                    return
                yield order[0].value, self._parts(order[0])
                order.popleft().drop()
        finally:
            while order:
                item = order.popleft()
                if unread is not None:
                    parts = [part for part in item.parts if not isinstance(part, _Mark)]
                    unread.append((item.value, parts))
                item.drop()

    def _parts(self, item: _Item) -> Iterator[Any]:
        while True:
            while item.parts:
                part = item.parts.popleft()
                item.was_read = True
                if isinstance(part, _Mark):
                    raise part.error
                yield part
            if item.ended or item.dropped:
                return
            self._listen()

    def _hand_out(self) -> None:
        """Give batches to workers that have too little, or to new ones, as long as there are any.

        Slow items are handed out one by one, so that none waits behind another.
        """
        while True:
            ahead = 0 if self._again else (WAITING - 1) * (self._size - 1)
            free = [worker for worker in self._workers if len(worker.items) <= ahead]
            if not free and len(self._workers) == self._jobs:
                return
            if not (batch := self._batch()):
                return
            if not free:
                undisturbed(lambda: self._workers.append(_Worker()))
                free = self._workers[-1:]
            min(free, key=lambda worker: len(worker.items)).give(self._function, batch)

    def _batch(self) -> list[_Item]:
        """The next items to work on; none if too many answers wait to be read."""
        if self._again:
            return [self._again.pop(0)]
        if len(self._order) >= WAITING * self._size * self._jobs:
            return []
        batch = [_Item(*numbered) for numbered in islice(self._source, self._size)]
        self._exhausted = len(batch) < self._size
        self._order.extend(batch)
        return batch

    def _listen(self) -> None:
        """Wait until a worker has sent something, and receive it."""
        from multiprocessing.connection import wait

        self._hand_out()
        workers = {worker.pipe: worker for worker in self._workers}
        asked = self._order[0].worker if self._order else None
        full = sum(len(item.parts) for item in self._order) >= HELD
        for pipe in wait([asked.pipe] if asked and full else list(workers)):
            self._receive(workers[pipe])  # type: ignore[index]

    def _receive(self, worker: _Worker) -> None:
        message = None
        with suppress(EOFError, OSError):
            message = worker.pipe.recv_bytes()
        if message is None:  # it has died
            return self._replace(worker)
        worker.ready = True
        parts, ended = pickle.loads(message)
        for part in parts:
            item = worker.items[0]
            if isinstance(part, _Mark) and not part.error:
                item.ended = True
                worker.items.popleft()
            elif not item.dropped:
                item.parts.append(part)
        if isinstance(ended, Exception):
            self._workers.remove(worker)  # it may have more of this work
            worker.end()
            raise ended
        if ended:
            self._starts = 0
            self._size = next_size(self._size, *ended)

    def _replace(self, worker: _Worker) -> None:
        """Replace a worker that has died, and try its items again."""
        worker.process.join(5)
        self._check_start(worker)
        for item in worker.items:
            item.worker = None
            if not item.dropped and (item.was_read or item.again):
                twice = "" if item.was_read else ", twice"
                failure = BackendFailure(f"the process that worked on it died{twice}")
                item.parts.append(_Mark(failure))
                item.ended = True
            elif not item.dropped:
                item.parts.clear()
                item.again = True
                self._again.append(item)
        self._again.sort(key=lambda item: item.number)
        place = self._workers.index(worker)
        worker.end()
        undisturbed(lambda: self._workers.__setitem__(place, _Worker()))

    def _check_start(self, worker: _Worker) -> None:
        """BackendFailure if workers cannot start here."""
        self._starts += not worker.ready
        code = worker.process.exitcode
        if worker.ready or (code is not None and code < 0 and self._starts <= STARTS):
            return
        raise BackendFailure(
            f"a worker process ended while it started, with exit code {code}. Python runs a script"
            ' again in each worker: put what it does under `if __name__ == "__main__":`'
        )


def _only(function: Callable[[T], R], item: T) -> Iterator[R]:
    yield function(item)
