"""Many puzzles in several processes, in order and with bounded memory.

`solve_many` is the public question; `map_in_order` and `stream_in_order` do the same for any
function, in this process, in processes of our own or by somebody's executor.

A worker of ours sends the parts of an answer as they come, and waits while its pipe is full; so
memory stays bounded. It ends when its pipe is closed: a worker never outlives the process that
started it, however that process ends. Workers share no lock or semaphore, so there is none to leak.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import islice
from math import inf
from queue import Empty, Queue, SimpleQueue
from threading import Event, Thread
from time import perf_counter
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
        return
    with closing(stream_in_order(partial(_only, attempt), items, jobs or 1)) as answers:
        for item, parts in answers:
            try:
                yield item, next(parts)
            except BackendFailure as error:
                yield item, error


def _only(function: Callable[[T], R], item: T) -> Generator[R]:
    yield function(item)


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
) -> Generator[tuple[T, Iterator[R]]]:
    """Each item with the parts of its answer as they come, to be read before the next item.

    With more than one of `jobs`, it is like `map_in_order`; but an answer that has been read in
    part is not restarted if its process dies: it ends with BackendFailure.
    """
    if jobs == 1:
        for item in items:
            with closing(function(item)) as parts:
                yield item, parts
        return
    with closing(_Pool(function, items, jobs)) as pool:
        yield from pool.answers()


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
    under_way: deque[tuple[list[T], Future[_Done[R]] | None]] = deque()
    rest = iter(items)
    size = 1
    try:
        while True:
            while len(under_way) < WAITING * jobs and (batch := list(islice(rest, size))):
                future = None
                with suppress(Exception):  # what was submitted before is not lost
                    future = executor.submit(_all, function, batch)
                under_way.append((batch, future))
            if not under_way:
                return
            batch, future = under_way[0]
            outcomes: list[R | SudokuError] = []
            if future:
                with suppress(Exception):
                    outcomes, seconds = future.result()
                    size = next_size(size, len(batch), seconds)
            outcomes = outcomes or [_alone(executor, function, item) for item in batch]
            under_way.popleft()
            yield from zip(batch, outcomes, strict=True)
    finally:
        for _, future in under_way:
            if future:
                future.cancel()


def _alone(executor: Executor, function: Callable[[T], R], item: T) -> R | SudokuError:
    """The outcome of an item whose batch failed: only the item that caused it is lost."""
    try:
        return executor.submit(function, item).result()
    except Exception as error:
        return BackendFailure(f"the executor could not do it: {error!r}")


def _all(function: Callable[[T], R], batch: list[T]) -> _Done[R]:
    start = perf_counter()
    return [function(item) for item in batch], perf_counter() - start


# --- processes of our own: first what runs in one of them, then what runs here ---
#
# To import pickle, traceback and multiprocessing takes longer than to solve a puzzle, and most
# commands need no process: so they are imported where they are used.


NAME = "pylogic_sudoku worker"
HELD = 5000
"""Unread parts above which only the worker whose answer is wanted is read."""
UNPICKLABLE = "expected a backend and puzzles that can be pickled, of classes in a module"


class _End(NamedTuple):
    """Ends the answer for one item, or the whole work if it is `fatal`."""

    error: Exception | None = None
    seconds: float = 0.0
    """How long the worker took for the item."""
    fatal: bool = False


def _work(pipe: Connection) -> None:
    """Answer until the pipe is closed."""
    import pickle

    # Ctrl-C in a terminal reaches all processes; the one that started this one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    inbox, outbox, urgent = SimpleQueue[Any](), Queue[bytes](BATCH), Event()
    Thread(target=_listen, args=(pipe, inbox), daemon=True).start()
    Thread(target=_send, args=(pipe, outbox, urgent), daemon=True).start()

    def put(part: object) -> None:
        try:
            data = pickle.dumps(part)
        except Exception as error:
            raise TypeError(f"an answer cannot be sent to another process: {error}") from None
        outbox.put(data)
        if outbox.full():
            urgent.set()

    while True:
        function, items = inbox.get()
        if isinstance(function, Exception):
            text = f"a worker process cannot read its work: {function}; {UNPICKLABLE}"
            put(_End(TypeError(text), fatal=True))
        for item in items:
            start, failure = perf_counter(), None
            try:
                for part in function(item):
                    put(part)
            except Exception as error:
                failure = _portable(error)
            put(_End(failure, perf_counter() - start))
        urgent.set()
        outbox.join()  # what comes next may end this process


def _listen(pipe: Connection, inbox: SimpleQueue[Any]) -> None:
    """Receive at any time, so that the sender never waits for the work."""
    while True:
        try:
            inbox.put(pipe.recv())
        except (EOFError, OSError):
            os._exit(0)  # even in the middle of a search
        except Exception as error:
            inbox.put((error, ()))


def _send(pipe: Connection, outbox: Queue[bytes], urgent: Event) -> None:
    """Say that the worker has started, and send its parts: many at once, each within `SECONDS`."""
    parts: list[bytes] = []
    while True:
        try:
            pipe.send(parts)
        except OSError:
            os._exit(1)
        for _ in parts:
            outbox.task_done()
        parts = [outbox.get()]
        urgent.wait(SECONDS)
        urgent.clear()
        with suppress(Empty):
            while len(parts) < BATCH:
                parts.append(outbox.get_nowait())


def _portable(error: Exception) -> Exception:
    """The error in a form that can be sent, with its traceback in a note."""
    import pickle
    import traceback

    if not isinstance(error, SudokuError):
        error.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return BackendFailure(f"{type(error).__name__}: {error}")
    return error


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

    def __init__(self, value: Any) -> None:
        self.value = value
        self.parts: deque[Any] = deque()
        self.end: _End | None = None
        self.was_read = self.again = False


class _Worker:
    """A spawned process, and its unfinished items, in order."""

    def __init__(self) -> None:
        from multiprocessing import current_process, get_context
        from multiprocessing.connection import Pipe

        self.ready = False
        self.items: deque[_Item] = deque()
        self.pipe, theirs = Pipe()
        spawned = get_context("spawn").Process
        with theirs:
            # At exit, multiprocessing waits for its processes, but ends those that are daemons.
            self.process = spawned(target=_work, args=(theirs,), name=NAME, daemon=True)
            try:
                with _ctrl_c_blocked():
                    self.process.start()
            except RuntimeError:
                if current_process().name == NAME:
                    os._exit(1)  # a worker runs the script again: `_replace` reports it
                raise
            except OSError as error:
                raise BackendFailure(f"a worker process cannot be started: {error}") from error

    def give(self, function: Callable[[Any], object], batch: list[_Item]) -> None:
        """Send it the items, to be worked on after those that it has."""
        try:
            with suppress(OSError):  # if it has died, `_listen` notices
                self.pipe.send((function, [item.value for item in batch]))
        except Exception as error:
            text = f"the work cannot be sent to another process: {error}; {UNPICKLABLE}"
            raise TypeError(text) from error
        self.items.extend(batch)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


class _Pool:
    """Worker processes for one collection of items; they start when there is work for them."""

    def __init__(
        self, function: Callable[[Any], Iterable[Any]], items: Iterable[Any], jobs: int
    ) -> None:
        self._function, self._source, self._jobs = function, iter(items), jobs
        self._owner = os.getpid()
        self._workers: list[_Worker] = []
        self._size = 1
        self._again: deque[_Item] = deque()
        """What dead workers have left, to be handed out once more."""
        self.order: deque[_Item] = deque()
        """The items under way."""

    def answers(self) -> Iterator[tuple[Any, Iterator[Any]]]:
        """Each item, with the parts of its answer as they come; unread parts are dropped."""
        self._hand_out()
        while self.order and not any(worker.ready for worker in self._workers):
            self._listen()
        while self.order:
            item = self.order[0]
            yield item.value, self._parts(item)
            while not item.end:
                item.parts.clear()
                self._listen()
            self.order.popleft()
            self._hand_out()

    def close(self) -> None:
        """End the processes now."""
        if os.getpid() == self._owner:  # a fork has a copy of this pool, but not its processes
            undisturbed(self._end)

    def _end(self) -> None:
        for worker in self._workers:
            worker.end()

    def _parts(self, item: _Item) -> Iterator[Any]:
        while item.parts or not item.end:
            if item.parts:
                item.was_read = True
                yield item.parts.popleft()
            else:
                self._listen()
        if item.end.error:
            raise item.end.error

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
            return [self._again.popleft()]
        if len(self.order) >= WAITING * self._size * self._jobs:
            return []
        batch = [_Item(value) for value in islice(self._source, self._size)]
        self.order.extend(batch)
        return batch

    def _listen(self) -> None:
        """Wait until a worker has sent something, and receive it."""
        import pickle
        from multiprocessing.connection import wait

        self._hand_out()
        workers = {worker.pipe: worker for worker in self._workers}
        full = sum(len(item.parts) for item in self.order) >= HELD
        asked = [pipe for pipe, each in workers.items() if full and self.order[0] in each.items]
        for pipe in wait(asked or workers):
            worker = workers[pipe]  # type: ignore[index]
            parts = None
            with suppress(EOFError, OSError):
                parts = worker.pipe.recv()
            if parts is None:
                self._replace(worker)
                continue
            worker.ready = True
            for part in map(pickle.loads, parts):
                self._keep(worker, part)

    def _keep(self, worker: _Worker, part: Any) -> None:
        if not isinstance(part, _End):
            worker.items[0].parts.append(part)
        elif part.fatal and part.error:
            raise part.error
        else:
            worker.items.popleft().end = part
            self._size = next_size(self._size, 1, part.seconds)

    def _replace(self, worker: _Worker) -> None:
        """Let others try the items of a worker that has died, each once and alone."""
        self._workers.remove(worker)
        worker.end()
        if not worker.ready:
            raise BackendFailure(
                "a worker process ended while it started. Python runs a script again in each"
                ' worker: put what it does under `if __name__ == "__main__":`'
            )
        for item in worker.items:
            if item.was_read or item.again:
                twice = "" if item.was_read else ", twice"
                item.end = _End(BackendFailure(f"the process that worked on it died{twice}"))
            else:
                item.parts.clear()
                item.again = True
                self._again.append(item)
