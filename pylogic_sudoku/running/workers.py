"""Running engines: within a time limit, in threads of their own, and stopped at any moment.

`Workers` run the calls of an engine. A call into C blocks the thread that makes it until it
returns, and no Python signal handler runs meanwhile. So engines run in daemon threads while the
caller waits on a queue, which signals and time limits do interrupt. Waking the caller costs about
50 microseconds, so solutions are sent in batches. The threads are kept: a thread that has called
Prolog cannot end without a leak.

A `Budget` is the time that a question may still take, `defer_signals` makes a call that no signal
may interrupt, and a `shelf` has the values that an engine keeps for the layouts that it has met.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal.getsignal is ten times slower
import atexit
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import lru_cache
from queue import Empty, SimpleQueue
from time import monotonic, perf_counter, sleep
from typing import Any, Generic, TypeVar

from ..errors import BackendFailure, SolveTimeout, cost_text

T = TypeVar("T")


# --- threads ---

BATCH = 0.001
"""Seconds of searching after which a batch of solutions ends with the next one."""
PARTIAL_BATCH = 0.02
"""Seconds until the caller takes the solutions of a batch that is still growing."""
POLLING = 0.1
"""Seconds between two looks at `stop_event`, and in case a signal does not wake the caller."""
GRACE = 2.0
"""Seconds that the end of the program waits for engines that still run."""

inline = False
"""True in a process that exists for one question: its engines work in the thread that asks, since
whoever waits for the process can end it."""


def work_inline() -> None:
    """Let the engines of this process work in the thread that asks, without limits of time."""
    global inline
    inline = True


class Unfinished(Exception):
    """The search ended before it had an answer."""


class Stopped(BaseException):
    """The thread was told to stop. A BaseException, so that no `except Exception` catches it."""


stop_event: ContextVar[threading.Event | None] = ContextVar("stop_event", default=None)
"""Once it is set, calls of engines in its context raise Stopped: within `POLLING`, or as they
begin. Code that calls no engine runs on until it calls one."""


def check_stop() -> None:
    """Raise Stopped if this thread was told to stop."""
    stop = stop_event.get()
    if stop and stop.is_set():
        raise Stopped


class Job(Generic[T]):
    """One call: the function to run, and later its outcome."""

    def __init__(self, function: Callable[[], T], interrupt: Callable[[], None]) -> None:
        self.interrupt = interrupt
        self._function = function
        self._reply: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()
        self._lock = threading.Lock()
        self.started = False
        self.finished = False
        self._close: Callable[[], None] | None = None

    def run(self, release: Callable[[], None]) -> None:
        """Run the function and reply; `release` is called when the thread is free again."""
        value = error = None
        try:
            value = self._function()
        except BaseException as raised:
            error = raised
        with self._lock:
            self.finished = True
        if self._close:
            self._close()
        release()
        if not self._close:
            self.reply(value, error)

    def reply(self, value: T | None, error: BaseException | None) -> None:
        """Let `result` return or raise this."""
        self._reply.put((value, error))

    def result(self, seconds: float | None) -> T:
        """Return or raise the outcome of the function; queue.Empty if that takes longer."""
        value, error = self._reply.get(timeout=seconds)
        if error is not None:
            raise error
        return value  # type: ignore[return-value]

    def abandon(self, close: Callable[[], None] | None = None) -> None:
        """Interrupt the function, and call `close` once it has returned.

        Does not wait: the caller may be the garbage collector, or the end of the program.
        """
        with self._lock:
            if self.started and not self.finished:
                self._close = close or _nothing
                self.interrupt()
                return
        if close:
            defer_signals(close, delay=0.01)


class Workers:
    """As many threads as there are calls at one time, each kept for later calls."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._idle: list[SimpleQueue[Job[Any]]] = []
        self._running: set[Job[Any]] = set()
        self._ended = False
        atexit.register(self._stop)
        if hasattr(os, "register_at_fork"):  # threads do not survive a fork
            os.register_at_fork(after_in_child=self._forget)

    def call(self, function: Callable[[], T], budget: Budget, interrupt: Callable[[], None]) -> T:
        """Run `function` in another thread, and return or raise its outcome.

        When the budget is used up (SolveTimeout), when this thread is stopped (Stopped), or on
        Ctrl-C, `interrupt` is called, which must make `function` return soon.
        """
        if inline:
            return function()
        check_stop()
        job = Job(function, interrupt)
        try:
            self._start(job)
            while True:
                try:
                    with budget:
                        return job.result(_least(POLLING, budget.seconds_left))
                except Empty:
                    budget.remaining()
                    check_stop()
        finally:
            job.abandon()

    def stream(
        self, search: Generator[T], budget: Budget, interrupt: Callable[[], None]
    ) -> Generator[T]:
        """The items of a search, which runs in another thread; none of them is None.

        `interrupt` is as for `call`, and makes the search go on to its next item or its end. The
        search is closed, in any thread, when this generator ends, is closed or is collected.
        """
        if inline:
            yield from search
            return
        items: deque[T] = deque()

        def batch() -> bool:
            start = perf_counter()
            while (item := next(search, None)) is not None:
                items.append(item)
                if perf_counter() - start > BATCH:
                    return True
            return False

        job = Job(batch, interrupt)
        try:
            while True:
                self._start(job)
                check_stop()  # not before: only a job that was started closes the search
                more = None
                while more is None:
                    try:
                        with budget:
                            more = job.result(_least(PARTIAL_BATCH, budget.seconds_left))
                    except Empty:
                        check_stop()
                        if not items:
                            budget.remaining()
                    while items:
                        yield items.popleft()
                if not more:
                    return
                job = Job(batch, interrupt)
        finally:
            job.abandon(search.close)

    def send(
        self, function: Callable[[], object], interrupt: Callable[[], None] = lambda: None
    ) -> Job[Any]:
        """Run `function` in another thread without waiting for it; not at all after the end.

        `interrupt` is as for `call`; it is called when the program ends or the job is abandoned.
        """
        job = Job(function, interrupt)
        if inline:
            job.run(_nothing)
        elif not self._ended:  # a thread that is started while Python exits never runs
            self._start(job)
        return job

    def _start(self, job: Job[Any]) -> None:
        """Give the job to a thread; a signal in the middle of it would lose one of them."""
        defer_signals(lambda: self._hand_over(job))

    def _hand_over(self, job: Job[Any]) -> None:
        try:
            jobs = self._idle.pop()
        except IndexError:
            jobs = SimpleQueue()
            thread = threading.Thread(target=self._work, args=(jobs,), name=self._name, daemon=True)
            try:
                thread.start()
            except RuntimeError as error:
                raise BackendFailure(f"cannot start a thread for the engine: {error}") from None
        job.started = True
        self._running.add(job)
        jobs.put(job)

    def _work(self, jobs: SimpleQueue[Job[Any]]) -> None:
        while True:
            job = jobs.get()
            job.run(lambda: self._idle.append(jobs))
            self._running.discard(job)
            del job  # or it would live on until the next one arrives

    def _stop(self) -> None:
        for job in list(self._running):
            job.abandon()
        deadline = perf_counter() + GRACE
        while self._running and perf_counter() < deadline:
            sleep(0.001)
        self._ended = True

    def _forget(self) -> None:
        for job in self._running:  # in the child, no thread is left to reply
            job.reply(None, BackendFailure("this process was forked in the middle of a search"))
        self._idle.clear()
        self._running.clear()


def _least(seconds: float, other: float | None) -> float:
    return seconds if other is None else min(seconds, other)


def _nothing() -> None:
    pass


# --- time limits ---

Progress = Callable[[str], object]
"""Called, perhaps in another thread, with what is being done whenever that changes: a phrase such
as ``"looking for a solution"``."""

LONGEST = 1_000_000
"""Seconds; some system calls cannot wait longer, since they count milliseconds in 32 bits."""


def checked_timeout(timeout: float | None, name: str = "timeout") -> float | None:
    """The limit in seconds, or None for no limit, even if it is longer than a clock can wait.

    TypeError if it is not a number, ValueError unless it is positive; both name it by its `name`.
    """
    if timeout is None:
        return None
    from numbers import Real  # which takes half a millisecond

    if isinstance(timeout, bool) or not isinstance(timeout, Real):
        raise TypeError(f"{name} must be a number of seconds or None, not {timeout!r}")
    if not timeout > 0:
        raise ValueError(f"{name} must be over 0 seconds, not {timeout!r}")
    return float(timeout) if timeout <= LONGEST else None


_running: dict[Budget, None] = {}


def now_doing() -> str:
    """The current activity under the budgets whose clock runs; "" if there are none."""
    running = list(_running)
    words = ", ".join(each.doing for each in running if each.doing)
    words = words or next((f"{each.backend} is searching" for each in running), "")
    costs = next((cost_text(each.best.cost) for each in running if each.best is not None), "")
    return f"{words}, best cost so far {costs}" if costs else words


report: Callable[[Any, tuple[int, ...] | None], object] | None = None
"""In a process that exists for one question: tells the process that asks what `Budget.improve` is
given."""


turn: Callable[[str], object] | None = None
"""In such a process: tells the process that asks what `Budget.turn_to` is to be given there."""


waits: list[Callable[[], object]] = []
"""Called before this process waits for an engine."""


class Budget:
    """Seconds that an engine may still use; the clock runs only inside its ``with`` block.

    `progress` is called with each new activity.
    """

    def __init__(
        self, backend: str, timeout: float | None, progress: Progress | None = None
    ) -> None:
        self.backend = backend
        self.seconds = self._seconds_left = checked_timeout(timeout)
        self._start: float | None = None
        self._depth = 0
        self._progress = progress
        self.doing = ""
        """The activity in words."""
        self.best: Any = None
        """The best answer so far to an optimization, as long as it is not proved to be the best."""
        self.bound: tuple[int, ...] | None = None
        """Costs of an optimization, if it is known that no answer costs less."""
        self.proved: Any = None
        """The best answer, once it is proved."""

    @property
    def seconds_left(self) -> float | None:
        """The seconds left, 0.0 if none are; None for no limit."""
        if self._seconds_left is None or self._start is None:
            return self._seconds_left
        return max(0.0, self._seconds_left - (perf_counter() - self._start))

    def turn_to(self, what: str, where: str = "") -> None:
        """Begin an activity, such as ``"looking for pairs"``, ``"at step 3"``."""
        self.doing = f"{what} {where}".rstrip()
        if self._progress:
            self._progress(self.doing)

    def improve(self, best: Any, bound: tuple[int, ...] | None) -> None:
        """Note the best answer so far and the bound; None for both once an answer is proved."""
        if best is not None:
            self.proved = None
        elif bound is None and self.best is not None:
            self.proved = self.best
        self.best, self.bound = best, bound
        if report:
            report(best, bound)

    def remaining(self) -> float | None:
        """The seconds left, for the next of several questions; SolveTimeout if none are."""
        seconds_left = self.seconds_left
        if seconds_left == 0.0:
            raise self.exceeded()
        return seconds_left

    def exceeded(self, within: str = "") -> SolveTimeout:
        """The error to raise when no time is left; it names the current activity.

        `within` is the same from a question within this one.
        """
        error = SolveTimeout(self.backend, self.seconds or 0.0)
        error.doing = ", ".join(filter(None, (self.doing, within)))
        error.best, error.bound, error.proved = self.best, self.bound, self.proved
        return error

    def spend(self, ask: Callable[[float | None], T]) -> T:
        """Ask a question with the remaining seconds; its timeouts name the whole limit."""
        with self:
            seconds_left = self.remaining()
            try:
                return ask(seconds_left)
            except SolveTimeout as error:
                self.best, self.bound, self.proved = error.best, error.bound, error.proved
                raise self.exceeded(error.doing) from None

    def __enter__(self) -> None:
        if not self._depth:
            for each in waits:
                each()
            _running[self] = None
            if self._seconds_left is not None:
                self._start = perf_counter()
        self._depth += 1

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self._depth -= 1
        if not self._depth:
            if isinstance(error, KeyboardInterrupt):
                self.tell(error)
            del _running[self]
            self._seconds_left, self._start = self.seconds_left, None

    def tell(self, error: Any) -> None:
        """Let Ctrl-C have what is known of an optimization, here or in a search within."""
        if self.best is not None or self.proved is not None:
            error.best, error.bound, error.proved = self.best, self.bound, self.proved
        if self.best is not None:
            costs = cost_text(self.best.cost)
            error.add_note(f"The best answer so far, of cost {costs}, not proved: {self.best}")


# --- signals ---
#
# clingo runs Python code of its own in every search. If a signal handler raises an exception there,
# such as KeyboardInterrupt, clingo may end the whole process ("error in
# SolveEventHandler::on_statistics going to terminate").

STOPS: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Ctrl-C, a polite request to end, and a closed terminal, a signal that Windows does not have."""
AGAIN = 1.0
"""Seconds after a signal in which another is ignored: the program is already ending."""
SWALLOWED = 0.1
"""Seconds until a signal is sent again whose exception Python has ignored."""

_SIGNALS = sorted(map(int, signal.valid_signals()))


def defer_signals(function: Callable[[], T], delay: float = 0.0) -> T:
    """Return or raise the outcome of the function; defer signals that arrive meanwhile.

    With `delay`, they are handled this many seconds later. That is for calls from places where
    Python ignores exceptions, such as garbage collection. Only the main thread runs signal
    handlers, and only a handler that was set in Python can be put back.
    """
    if threading.current_thread() is not threading.main_thread():
        return function()
    handlers = {n: handler for n in _SIGNALS if callable(handler := _signal.getsignal(n))}
    held: list[int] = []
    over = False

    def hold(number: int, frame: Any) -> None:
        if over:  # an exception may have kept us from restoring this handler
            handlers[number](number, frame)
        else:
            held.append(number)

    try:
        for number in handlers:
            signal.signal(number, hold)
        return function()
    finally:
        over = True
        try:
            if delay:
                _send_later(held, delay)
            else:
                _handle(held, handlers)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)


def _handle(signals: Sequence[int], handlers: Mapping[int, Any]) -> None:
    """Call the handlers in order, each even if one before it raises."""
    with ExitStack() as rest:
        for number in reversed(signals):
            rest.callback(handlers[number], number, None)


def _send_later(signals: Sequence[int], delay: float) -> None:
    for number in signals:
        main = threading.main_thread().ident or 0
        timer = threading.Timer(delay, signal.pthread_kill, [main, number])
        timer.daemon = True
        timer.start()


class _Stop:
    """The signal handler of the command line: raises KeyboardInterrupt."""

    def __init__(self) -> None:
        self.number: int | None = None
        """The first signal that arrived."""
        self._last = float("-inf")

    def __call__(self, number: int, _frame: object) -> None:
        if monotonic() - self._last >= AGAIN:
            self._last = monotonic()
            self.number = self.number or number
            raise KeyboardInterrupt

    def send_again(self) -> None:
        """Raise the exception once more, in a moment."""
        self._last = float("-inf")
        _send_later([self.number or signal.SIGINT], SWALLOWED)


_stop = _Stop()


@contextmanager
def heed_stops() -> Iterator[None]:
    """Make every signal that stops raise KeyboardInterrupt; `stopped` returns the one that came.

    A signal that is ignored, as after ``nohup``, stays ignored. One that arrives where Python
    ignores exceptions, as in a callback of its import system, is sent again. Only the command line
    uses this: a program that imports the package sets its own handlers.
    """
    unraisable = sys.unraisablehook

    def hook(ignored: sys.UnraisableHookArgs) -> None:
        if ignored.exc_type is KeyboardInterrupt:
            _stop.send_again()
        else:
            unraisable(ignored)

    sys.unraisablehook = hook
    before = {number: signal.getsignal(number) for number in STOPS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _stop)
    _stop.number = None
    try:
        yield
    finally:
        sys.unraisablehook = unraisable
        if _stop.number is None:
            for number, handler in before.items():
                signal.signal(number, handler)


def stopped() -> int | None:
    """The signal that stopped the program, or None; if one did, further ones are ignored."""
    if _stop.number is not None:
        for number in STOPS:
            signal.signal(number, signal.SIG_IGN)
    return _stop.number


# --- what is kept ---


def shelf(make: Callable[[], T], most: int = 32) -> Callable[[Hashable], T]:
    """Cache a value for each key, made when it is first looked up; from any thread.

    Of more than `most` keys, those are forgotten that were not looked up for the longest time: a
    collection of killers has a layout for each puzzle.
    """
    return lru_cache(most)(lambda _key: make())
