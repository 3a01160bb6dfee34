"""Many puzzles in several processes, in order and with bounded memory.

`solve_many` is the public question; `map_in_order` and `stream_in_order` do the same for any
function, in this process, in processes of our own or by somebody's executor.

Items go to a process in batches, and only so many batches are under way that memory stays bounded.
A process of ours never outlives the one that started it, however that one ends. They share no lock
or semaphore, so there is none to leak.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from math import inf
from queue import SimpleQueue
from threading import Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from ..engines import Backend
from ..engines.running import POLLING, checked_timeout, undisturbed
from ..errors import BackendFailure, InvalidPuzzle, SudokuError
from ..formats import PuzzleLike, as_puzzle, many
from ..puzzle import Grid, Puzzle
from . import checked_optional, solve

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


T = TypeVar("T")
R = TypeVar("R")
_Done = tuple[list[R | SudokuError], float]
"""Outcomes, and the seconds that they took."""
_Parts = tuple[list[R], SudokuError | None]

MAX_JOBS = 1000
"""Processes that may share the work."""
BATCH = 250
"""The most items that go to a process at once."""
SECONDS = 0.05
"""How long a batch should take: long compared with the half millisecond that sending it there and
back takes, but so short that no process is left with a batch when all others have finished."""
WAITING = 3
"""Batches per process that are under way, or done and not yet asked for."""
MAX_PARTS = 5_000
"""Parts of an answer that come from another process; a longer answer is worked out here."""


class InOrder(Iterator[R]):
    """Answers in their order, each worked out when it is asked for, or a little before.

    An error is raised in its place, with the number of the answer (from 0) as `index`. It ends a
    ``for`` loop but not this iterator: `next` goes on with the answer after it.
    """

    def __init__(self, outcomes: Generator[tuple[Any, R | SudokuError]]) -> None:
        self._outcomes = outcomes
        self._index = -1

    def __next__(self) -> R:
        _, answer = next(self._outcomes)
        self._index += 1
        if isinstance(answer, SudokuError):
            answer.index = self._index
            raise answer
        return answer

    def close(self) -> None:
        """Stop all work on what is left."""
        self._outcomes.close()


class SolvedPuzzles(InOrder[Grid | None]):
    """The answers to many puzzles, in their order: a solution, or None if there is none."""


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
    of an item that kills its process again is a BackendFailure, and so is that of one which cannot
    be sent.
    """
    attempt = partial(_attempt, function)
    if executor:
        yield from _by(executor, attempt, items, jobs or os.cpu_count() or 1)
    elif jobs and jobs > 1:
        with closing(_Processes(jobs)) as ours:
            yield from _by(ours, attempt, items, jobs)
    else:
        for item in items:
            yield item, attempt(item)


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
    """Each item with the parts of its answer, to be read before the next item.

    The parts come one by one in this process; with more than one of `jobs`, which are used as by
    `map_in_order`, when the answer is complete.
    """
    if jobs == 1:
        for item in items:
            with closing(function(item)) as parts:
                yield item, parts
        return
    with (
        closing(_Processes(jobs)) as ours,
        closing(_by(ours, partial(_listed, function), items, jobs)) as answers,
    ):
        for item, answer in answers:
            found, error = ([], answer) if isinstance(answer, SudokuError) else answer
            if len(found) > MAX_PARTS:
                with closing(function(item)) as parts:
                    yield item, parts
            else:
                yield item, _told(found, error)


def _listed(function: Callable[[T], Generator[R]], item: T) -> _Parts[R]:
    """The parts of an answer, or enough to see that they are too many, and the error at its end."""
    found: list[R] = []
    try:
        with closing(function(item)) as parts:
            found.extend(islice(parts, MAX_PARTS + 1))
    except SudokuError as error:
        return found, error
    return found, None


def _told(parts: list[R], error: SudokuError | None) -> Iterator[R]:
    yield from parts
    if error:
        raise error


# --- by whom ---


def next_size(size: int, done: int, seconds: float) -> int:
    """How many items the next batch should have, when `done` of them took so many seconds."""
    return max(1, min(2 * size, BATCH, int(done * SECONDS / (seconds or SECONDS))))


def _by(
    executor: Executor | _Processes,
    function: Callable[[T], R],
    items: Iterable[T],
    jobs: int,
) -> Generator[tuple[T, R | SudokuError]]:
    """Each item with its outcome, in order, by an executor.

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
                try:
                    outcomes, seconds = _awaited(future)
                    size = next_size(size, len(batch), seconds)
                except NotStarted:
                    raise
                except Exception:
                    pass
            outcomes = outcomes or [_alone(executor, function, item) for item in batch]
            under_way.popleft()
            yield from zip(batch, outcomes, strict=True)
    finally:
        for _, future in under_way:
            if future:
                future.cancel()


def _alone(executor: Executor | _Processes, function: Callable[[T], R], item: T) -> R | SudokuError:
    """The outcome of an item whose batch failed: only the item that caused it is lost."""
    try:
        return _awaited(executor.submit(function, item))
    except BackendFailure as error:
        return error
    except Exception as error:
        failure = BackendFailure(f"the executor could not do it: {error!r}")
        failure.__cause__ = error
        return failure


def _awaited(future: Future[R]) -> R:
    """Its result; a signal that comes just before the wait does not wake it, hence the polling."""
    while not future.done():
        with suppress(Exception):
            future.result(POLLING)
    return future.result()


def _all(function: Callable[[T], R], batch: list[T]) -> _Done[R]:
    start = perf_counter()
    return [function(item) for item in batch], perf_counter() - start


# --- processes of our own: first what runs in one of them, then what runs here ---
#
# To import pickle, traceback and multiprocessing takes longer than to solve a puzzle, and most
# commands need no process: so they are imported where they are used.


NAME = "pylogic_sudoku worker"


class NotStarted(BackendFailure):
    """A process for the work cannot be started, so none of it can be done."""


def _work(pipe: Connection) -> None:
    """Say that this process has started, and answer one call after the other."""
    import pickle

    # Ctrl-C in a terminal reaches all processes; the one that started this one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    Thread(target=_end_with_parent, daemon=True).start()
    answer: object = None
    while True:
        try:
            data = pickle.dumps(answer)
        except Exception as error:
            data = pickle.dumps(TypeError(f"the answer cannot be sent: {error}"))
        pipe.send_bytes(data)
        try:
            function, arguments = pipe.recv()
            answer = function(*arguments), None
        except Exception as error:
            answer = _portable(error)


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
    os._exit(1)  # even in the middle of a search


def _portable(error: Exception) -> Exception:
    """The error in a form that can be sent, with its traceback in a note."""
    import pickle
    import traceback

    error.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return BackendFailure(f"{type(error).__name__}: {error}")
    return error


class _Processes:
    """An executor: for each of so many `jobs` a process of ours, and a thread that waits for it."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._threads = 0
        self._tasks = SimpleQueue[Any]()
        self._processes: list[BaseProcess] = []
        self._lock = Lock()
        self._closed = False
        self._owner = os.getpid()

    def submit(self, function: Callable[..., R], *arguments: Any) -> Future[R]:
        """What a process returns that calls the function; BackendFailure if it dies."""
        from concurrent.futures import Future

        future = Future[R]()
        self._tasks.put((future, (function, arguments)))
        if self._threads < self._jobs:
            self._threads += 1
            Thread(target=self._serve, daemon=True).start()
        return future

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        if os.getpid() == self._owner:  # a fork has a copy of this, but not its processes
            undisturbed(self._end)

    def _end(self) -> None:
        with self._lock:
            self._closed = True
        for process in self._processes:
            process.kill()
            process.join()
        for _ in range(self._threads):
            self._tasks.put(None)

    def _serve(self) -> None:
        from multiprocessing import resource_tracker

        # A process that starts here does not hear Ctrl-C until it ignores it, or it would print a
        # traceback. The tracker starts with the first process, and would unblock Ctrl-C.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        pipe = None
        while task := self._tasks.get():
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                pipe = pipe or self._started()
                pipe.send(call)
                answer = pipe.recv()
            except (EOFError, OSError):
                pipe = None
                answer = BackendFailure("the process that worked on it died")
            except Exception as error:
                answer = error
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer[0])

    def _started(self) -> Connection:
        """The pipe to a new process, which has started."""
        from multiprocessing import current_process, get_context
        from multiprocessing.connection import Pipe

        main = sys.modules["__main__"]
        if (script := getattr(main, "__file__", None)) and not os.path.exists(script):
            del main.__file__  # a script on standard input: a worker would look for this file
        pipe, theirs = Pipe()
        spawned = get_context("spawn").Process
        # At exit, multiprocessing waits for its processes, but ends those that are daemons.
        process = spawned(target=_work, args=(theirs,), name=NAME, daemon=True)
        with theirs, self._lock:
            if self._closed:
                raise NotStarted("there is no more work")
            try:
                process.start()
            except RuntimeError:
                if current_process().name == NAME:
                    os._exit(1)  # a worker runs the script again: the next lines report it
                raise
            except OSError as error:
                raise NotStarted(f"a worker process cannot be started: {error}") from error
            self._processes.append(process)
        try:
            pipe.recv()
        except (EOFError, OSError):
            raise NotStarted(
                "a worker process ended while it started. Python runs a script again in each"
                ' worker: put what it does under `if __name__ == "__main__":`'
            ) from None
        return pipe
