"""Many puzzles in several processes, in order and with bounded memory.

`solve_many` is the public question; `map_in_order` and `stream_in_order` do the same for any
function, in this process, in processes of our own or by somebody's executor.

Items go to a process in batches, and few batches are under way at a time, so memory stays bounded.
A process of ours never outlives the one that started it, however that one ends. They share no lock
or semaphore, so there is none to leak. There is no thread either: the thread that asks for answers
also hands out the work, so nothing holds a lock when Python ends in the middle of it.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from math import inf
from select import select
from threading import Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

from ..engines import AnyEngine
from ..errors import BackendFailure, InvalidPuzzle, LogicError, Message, ProgramWarning
from ..problem import Answer, Instance
from ..question import Question, as_question, several
from ..running import workers
from ..running.workers import POLLING, Budget, checked_timeout, defer_signals
from . import checked_optional, solve

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future
    from multiprocessing.connection import Connection

    from ..formats import PuzzleLike
    from ..puzzle import Grid


T = TypeVar("T")
R = TypeVar("R")
_Done = tuple[list[R | LogicError], float]
"""Outcomes, and the seconds that they took."""
_Parts = tuple[list[R], LogicError | None]

MAX_JOBS = 1000
"""Processes that may share the work."""
BATCH = 250
"""The most items that go to a process at once."""
SECONDS = 0.05
"""The time that a batch should take: long compared with the half millisecond for sending it there
and back, but short enough that no process is left with a batch when all others have finished."""
LOOK = 0.002
"""Seconds after which the processes are looked after again while answers are handed out."""
WAITING = 3
"""Batches per process that are under way, or done and not yet requested."""
MAX_PARTS = 5_000
"""Parts of an answer that another process may send; a longer answer is computed here."""


class InOrder(Iterator[R]):
    """Answers in their order, each computed on demand, or a little before.

    An error is raised in its place, with the number of the answer (from 0) as `index`. It ends a
    ``for`` loop but not this iterator: `next` continues with the answer after it.
    """

    def __init__(self, outcomes: Generator[tuple[Any, R | LogicError]]) -> None:
        self._outcomes = outcomes
        self._index = -1

    def __next__(self) -> R:
        _, answer = next(self._outcomes)
        self._index += 1
        if isinstance(answer, LogicError):
            answer.index = self._index
            raise answer
        return answer

    def close(self) -> None:
        """Stop all work on what is left."""
        self._outcomes.close()


class SolvedPuzzles(InOrder[R]):
    """The answers to many puzzles, in their order: a solution, or None if there is none."""


@overload
def solve_many(
    puzzles: Iterable[Instance],
    backend: str | AnyEngine = "clingo",
    jobs: int | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
) -> SolvedPuzzles[Answer | None]: ...
@overload
def solve_many(
    puzzles: Iterable[PuzzleLike],
    backend: str | AnyEngine = "clingo",
    jobs: int | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
) -> SolvedPuzzles[Grid | None]: ...
def solve_many(
    puzzles: Iterable[Any],
    backend: str | AnyEngine = "clingo",
    jobs: int | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
) -> SolvedPuzzles[Any]:
    """Solve puzzles in order, lazily: a solution of each, or None if it has none.

    Memory does not grow with the number of puzzles. Iterating raises the error of a puzzle in its
    place, with the number of the puzzle as ``error.index``; `next` then continues with the
    following puzzle. A KeyboardInterrupt has the `best` of the puzzle that is waited for, unless
    others before it are in its batch.

    Args:
        puzzles: Puzzles or instances, each as for `solve`.
        backend: The name of an engine (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another
            package adds), or a backend object.
        jobs: The number of processes that share the work. They are spawned, so a script that uses
            them needs ``if __name__ == "__main__":``. With an `executor`, the number of its workers
            (default: the number of processors here).
        executor: Any executor like those of ``concurrent.futures`` whose workers can import this
            package, instead of our processes.
        timeout: In seconds, over 0, for each puzzle; None means no limit.

    Raises:
        InvalidPuzzle: If a puzzle cannot be read. Raised while iterating.
        BackendUnavailable: If the engine cannot be used here. Raised while iterating.
        SolveTimeout: If the time for a puzzle is used up. Raised while iterating.
        BackendFailure: If the engine breaks, or cannot answer the question. Raised while iterating.
        ValueError: At once, if the timeout or the number of jobs is out of range.
        TypeError: At once, if the timeout is not a number, or the number of jobs is not whole.

    >>> [str(grid) for grid in solve_many(["4......3...13...", "4......3...13..1"])]
    ['4312124324313124', 'None']
    """
    jobs = checked_jobs(jobs, ours=executor is None)
    ask = partial(solve, backend=backend, timeout=checked_timeout(timeout))
    readable_puzzles = map(readable, several(puzzles, "solve_many"))
    return SolvedPuzzles(map_in_order(ask, readable_puzzles, jobs, executor))


def readable(puzzle: PuzzleLike | Instance) -> Question | InvalidPuzzle:
    """The puzzle, or why it cannot be read: puzzles are read ahead, errors raised in turn."""
    try:
        question: Question = as_question(puzzle)
        return question
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
) -> Generator[tuple[T | InvalidPuzzle, R | LogicError]]:
    """Each item with its outcome, in order; items are read as they are needed.

    The outcome is what `function` returns or the LogicError that it raises; an item that is an
    InvalidPuzzle is its own outcome.

    With more than one of `jobs`, or an `executor`, `function` and the items must be picklable. Our
    processes are spawned, since an engine does not survive a fork, and end with the iterator. If
    one of them dies, it is replaced and its items are tried once more, one at a time; the outcome
    of an item that kills its process again is a BackendFailure, and so is that of one which cannot
    be sent.
    """
    attempt = partial(_attempt, function)
    if executor:
        yield from _by(_Foreign(executor), attempt, items, jobs or os.cpu_count() or 1)
    elif jobs and jobs > 1:
        with closing(_Processes(jobs)) as ours:
            yield from _by(ours, attempt, items, jobs)
    else:
        for item in items:
            yield item, attempt(item)


def _attempt(function: Callable[[T], R], item: T | InvalidPuzzle) -> R | LogicError:
    if isinstance(item, InvalidPuzzle):
        return item
    try:
        return function(item)
    except LogicError as error:
        return error


def stream_in_order(
    function: Callable[[T], Generator[R]],
    items: Iterable[T],
    jobs: int,
) -> Generator[tuple[T, Iterator[R]]]:
    """Each item with the parts of its answer, to be read before the next item.

    In this process the parts arrive one by one; with more than one of `jobs`, which are used as by
    `map_in_order`, they arrive when the answer is complete.
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
        try:
            for item, answer in answers:
                parts_so_far, error = ([], answer) if isinstance(answer, LogicError) else answer
                if len(parts_so_far) > MAX_PARTS:
                    with closing(function(item)) as parts:
                        yield item, parts
                else:
                    yield item, _replayed(parts_so_far, error)
        except KeyboardInterrupt as stop:  # what is known of the item that was waited for
            if hasattr(stop, "item"):
                yield stop.item, _replayed([], stop)
            raise  # reading the answer would have raised it


def _listed(function: Callable[[T], Generator[R]], item: T) -> _Parts[R]:
    """The parts of an answer, or enough to see that they are too many, and the error at its end."""
    parts_so_far: list[R] = []
    try:
        with closing(function(item)) as parts:
            parts_so_far.extend(islice(parts, MAX_PARTS + 1))
    except LogicError as error:
        return parts_so_far, error
    return parts_so_far, None


def _replayed(parts: list[R], error: BaseException | None) -> Iterator[R]:
    yield from parts
    if error:
        raise error


# --- by whom ---


def next_size(size: int, done: int, seconds: float) -> int:
    """The size of the next batch, when `done` items took this many seconds."""
    return max(1, min(2 * size, BATCH, int(done * SECONDS / (seconds or SECONDS))))


class _Foreign:
    """Somebody's executor, whose workers look after themselves."""

    def __init__(self, executor: Executor) -> None:
        self.submit = executor.submit

    def result(self, future: Future[R]) -> R:
        """Its result; a signal that comes just before the wait does not wake it, so poll."""
        while not future.done():
            with suppress(Exception):
                future.result(POLLING)
        return future.result()

    def look(self) -> None:
        pass


def _by(
    pool: _Foreign | _Processes,
    function: Callable[[T], R],
    items: Iterable[T],
    jobs: int,
) -> Generator[tuple[T, R | LogicError]]:
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
                    future = pool.submit(_all, function, batch)
                under_way.append((batch, future))
            if not under_way:
                return
            batch, future = under_way[0]
            outcomes: list[R | LogicError] | None = None
            if future:
                try:
                    outcomes, seconds = pool.result(future)
                    size = next_size(size, len(batch), seconds)
                except NotStarted:
                    raise
                except KeyboardInterrupt as stop:
                    stop.item = batch[0]  # type: ignore[attr-defined]
                    raise
                except Exception:
                    pass
            if outcomes is None:
                outcomes = [_alone(pool, function, item) for item in batch]
            under_way.popleft()
            looked = perf_counter()
            for pair in zip(batch, outcomes, strict=True):
                yield pair
                if perf_counter() > looked + LOOK:
                    pool.look()
                    looked = perf_counter()
    finally:
        for _, future in under_way:
            if future:
                future.cancel()


def _alone(pool: _Foreign | _Processes, function: Callable[[T], R], item: T) -> R | LogicError:
    """The outcome of an item whose batch failed: only the item that caused it is lost."""
    try:
        return pool.result(pool.submit(function, item))
    except BackendFailure as error:
        return error
    except Exception as error:
        failure = BackendFailure(f"the executor could not do it: {error!r}")
        failure.__cause__ = error
        return failure


def _all(function: Callable[[T], R], batch: list[T]) -> _Done[R]:
    start = perf_counter()
    outcomes: list[R | LogicError] = []
    for item in batch:
        outcomes.append(function(item))
        workers.report = None  # the caller waits for the first one
    return outcomes, perf_counter() - start


# --- processes of our own: first what runs in one of them, then what runs here ---
#
# To import pickle, traceback and multiprocessing takes longer than to solve a puzzle, and most
# commands need no process: so they are imported where they are used.


NAME = "pylogic_sudoku worker"


class _Improved(NamedTuple):
    """The arguments of a call of `Budget.improve` in another process."""

    best: Any
    bound: tuple[int, ...] | None


class NotStarted(BackendFailure):
    """A process for the work cannot be started, so none of it can be done."""


def _work(pipe: Connection) -> None:
    """Say that this process has started, and answer one call after the other."""
    import pickle

    from ..running import notices

    def report(best: Any, bound: tuple[int, ...] | None) -> None:
        with suppress(OSError), sending:  # the other process may have ended
            if select([], [pipe], [], 0)[1]:  # the search does not wait for a slow reader
                pipe.send(_Improved(best, bound))

    sending = Lock()
    warned: list[Message] = []
    notices.send = warned.append
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
        try:
            with sending:
                pipe.send_bytes(data)
            data = pipe.recv_bytes()
        except (EOFError, OSError):
            return  # the other process has ended
        try:
            function, arguments = pickle.loads(data)
            workers.report = report
            answer = function(*arguments), tuple(warned)
            warned.clear()
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


def _tell(warned: Iterable[Message]) -> None:
    """Warn of what a worker has reported."""
    from ..running.notices import tell

    for each in warned:
        tell(each)


class _Process:
    """A process of ours and the end of its pipe; `future` is of the call that it works on."""

    def __init__(self) -> None:
        from multiprocessing import current_process, get_context, resource_tracker
        from multiprocessing.connection import Pipe

        main = sys.modules["__main__"]
        if (script := getattr(main, "__file__", None)) and not os.path.exists(script):
            del main.__file__  # a script on standard input: a worker would look for this file
        self.future: Future[Any] | None = None
        self.known = Budget("", None)
        """The best answer so far for the first item of the call, if it is an optimization."""
        self.started = False
        self._closing = Lock()
        self.pipe, theirs = Pipe()
        spawned = get_context("spawn").Process
        self._process = spawned(target=_work, args=(theirs,), name=NAME, daemon=True)
        # A process that starts here does not hear Ctrl-C until it ignores it, or it would print a
        # traceback. The tracker starts with the first process, and would unblock Ctrl-C.
        resource_tracker.ensure_running()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        except RuntimeError:
            if current_process().name == NAME:
                os._exit(1)  # a worker runs the script again: the next lines report it
            raise
        except OSError as error:
            raise NotStarted(f"a worker process cannot be started: {error}") from error
        finally:
            theirs.close()
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    @property
    def free(self) -> bool:
        return self.started and self.future is None

    def send(self, future: Future[Any], call: object) -> None:
        """Let the process work on this call, whose answer the future gets."""
        self.future = future
        self.known = Budget("", None)
        try:
            self.pipe.send(call)
        except OSError:
            pass  # it has ended, which `receive` finds out
        except Exception as error:
            self.future = None
            future.set_exception(TypeError(f"the call cannot be sent: {error}"))

    def receive(self) -> bool:
        """Take what the process has sent; False if it has ended."""
        answer: Any
        future, self.future = self.future, None
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError):
            answer = BackendFailure("the process that worked on it died")
            self.kill()
        except Exception as error:
            answer = error
        if isinstance(answer, _Improved):
            self.future = future
            self.known.improve(*answer)
        elif future is None:
            self.started = answer is None
        elif isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            result, warned = answer
            try:
                if warned:
                    _tell(warned)
                future.set_result(result)
            except ProgramWarning as error:  # it shall be an error
                future.set_exception(error)
        return not self.pipe.closed

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        with self._closing:  # another thread may have seen the end of it, too
            self.pipe.close()


class _Processes:
    """An executor with processes of ours, which get their work while answers are awaited."""

    def __init__(self, jobs: int) -> None:
        import multiprocessing.util  # noqa: F401  (what it does at the end comes after `close`)

        self._jobs = jobs
        self._tasks: deque[tuple[Future[Any], object]] = deque()
        self._processes: list[_Process] = []
        self._closed = False
        self._owner = os.getpid()
        atexit.register(self.close)  # an iterator may still be open when Python ends

    def submit(self, function: Callable[..., R], *arguments: Any) -> Future[R]:
        """Call the function in a process; the result is BackendFailure if the process dies."""
        from concurrent.futures import Future

        future = Future[R]()
        self._tasks.append((future, (function, arguments)))
        self.look()
        return future

    def result(self, future: Future[R]) -> R:
        try:
            while not future.done():
                self.look(POLLING)
        except KeyboardInterrupt as error:
            for process in self._processes:
                if process.future is future:
                    process.known.tell(error)
            raise
        return future.result()

    def look(self, seconds: float = 0.0) -> None:
        """Hand out the work that waits, and take the answers that come within these seconds."""
        try:
            self._look(seconds)
        except (OSError, ValueError):
            if not self._closed:
                raise
        if self._closed:  # Python ends, in another thread than this one, which ends with it
            raise SystemExit

    def _look(self, seconds: float) -> None:
        from multiprocessing.connection import wait

        for process in self._processes:
            if process.free and (task := self._next()):
                process.send(*task)
        starting = sum(not process.started for process in self._processes)
        for _ in range(min(self._jobs - len(self._processes), len(self._tasks) - starting)):
            self._start()
        busy = {process.pipe: process for process in self._processes if not process.free}
        for pipe in wait(list(busy), seconds) if busy else ():
            process = busy[pipe]  # type: ignore[index]
            started = process.started
            if process.receive():
                if process.free and (task := self._next()):
                    process.send(*task)
            elif not self._closed:
                self._processes.remove(process)
                if not started:
                    self._refuse(NotStarted(_UNGUARDED))

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        if os.getpid() == self._owner:  # a fork has a copy of this, but not its processes
            defer_signals(self._end)

    def _end(self) -> None:
        self._closed = True
        atexit.unregister(self.close)
        while self._processes:
            self._processes.pop().kill()

    def _start(self) -> None:
        def start() -> None:
            if not self._closed:
                self._processes.append(_Process())

        try:
            defer_signals(start)
        except NotStarted as error:
            self._refuse(error)

    def _next(self) -> tuple[Future[Any], object] | None:
        """The first task that is not cancelled."""
        while self._tasks:
            task = self._tasks.popleft()
            if task[0].set_running_or_notify_cancel():
                return task
        return None

    def _refuse(self, error: NotStarted) -> None:
        if task := self._next():
            task[0].set_exception(error)


_UNGUARDED = (
    "a worker process ended while it started. Python runs a script again in each"
    ' worker: put what it does under `if __name__ == "__main__":`'
)
