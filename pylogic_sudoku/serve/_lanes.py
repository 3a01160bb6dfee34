"""Who is asked next: quick questions never wait for slow ones.

Every question runs in a process of its own, which is killed where nobody waits for the answer any
more. A question starts in the quick lane. One that takes more than a little work (`QUICK`) is
asked again in the slow lane, whose places go round: each client has as many of its questions in
that queue as there are places, and its others wait behind those.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from threading import Thread
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import anyio
from anyio import to_process

from ..errors import BackendFailure, SolveTimeout, SudokuError
from ._limits import QUICK, QUICK_WAIT, SECONDS, WAITING

__all__ = ["Busy", "Lanes"]

T = TypeVar("T")

MARGIN = 0.25
"""Seconds over its time until a question that does not keep it is stopped."""
GRACE = 20.0
"""Seconds over its time until a process that does not answer is killed; it may have to start."""
STARTING = 60.0
"""Seconds that the engines have to start."""


class Busy(SudokuError):
    """Too many questions are waiting already."""


class Lanes:
    """The processes that answer questions; belongs to one event loop.

    A question is a function that can be pickled, whose last argument is the seconds that it has.
    `prepare` is called once in each process, in nobody's time.
    """

    def __init__(
        self,
        seconds: float = SECONDS,
        places: int | None = None,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        self.seconds = seconds
        self._prepare = prepare
        self.places = places or max(2, os.cpu_count() or 1)
        self._quick = anyio.CapacityLimiter(self.places)
        self._slow = anyio.CapacityLimiter(self.places)
        self._processes = anyio.CapacityLimiter(2 * self.places)
        self._clients: WeakValueDictionary[str, anyio.Semaphore] = WeakValueDictionary()
        self._waiting = 0

    async def ask(
        self, client: str, seconds: float | None, question: Callable[..., T], *arguments: Any
    ) -> T:
        """What the question answers within `seconds`, or within the seconds of this object.

        Raises what the question raises, BackendFailure where its process ends, SolveTimeout, Busy.
        """
        limit = min(seconds or self.seconds, self.seconds)
        if self._waiting >= WAITING:
            raise Busy("too many questions are waiting already; try again in a moment")
        self._waiting += 1
        try:
            with suppress(SolveTimeout):
                async with self._quick:
                    answer = await self._run(min(QUICK_WAIT, limit), question, arguments, QUICK)
                if not _cut_off(answer):
                    return answer
            return await self._ask_slowly(client, limit, question, arguments)
        finally:
            self._waiting -= 1

    async def start(self) -> None:
        """Starts the processes of the quick lane; others start as they are needed."""
        async with anyio.create_task_group() as group:
            for _ in range(self.places):
                group.start_soon(self._run, STARTING, _nothing, ())

    async def _ask_slowly(
        self, client: str, seconds: float, question: Callable[..., T], arguments: tuple[Any, ...]
    ) -> T:
        turn = self._clients.setdefault(client, anyio.Semaphore(self.places))
        async with turn, self._slow:
            return await self._run(seconds, question, arguments)

    async def _run(
        self,
        seconds: float,
        question: Callable[..., T],
        arguments: tuple[Any, ...],
        work: float | None = None,
    ) -> T:
        ask = partial(_in_time, self._prepare, seconds, work, question, *arguments)
        with anyio.move_on_after(seconds + GRACE):
            try:
                return await to_process.run_sync(ask, cancellable=True, limiter=self._processes)
            except anyio.BrokenWorkerProcess:
                raise BackendFailure("the engine's process ended without an answer") from None
        raise SolveTimeout("the engine", seconds)


def _cut_off(answer: object) -> bool:
    return isinstance(answer, dict) and answer.get("stopped") == "time"


@cache
def _prepared(prepare: Callable[[], object]) -> None:
    prepare()


@cache
def _end_with_server() -> None:
    """Has this process end, whatever it is doing, when the pipe is closed that it is asked by."""
    if not hasattr(select, "poll"):
        return
    pipe = select.poll()
    pipe.register(0, 0)  # reads nothing; the end is reported in any case

    def watch() -> None:
        pipe.poll()
        os._exit(0)

    Thread(target=watch, daemon=True).start()


def _nothing(_seconds: float) -> None:
    pass


def _in_time(
    prepare: Callable[[], object] | None,
    seconds: float,
    work: float | None,
    question: Callable[..., T],
    *arguments: Any,
) -> T:
    """What the question answers; SolveTimeout where it does not keep its time.

    `work` is the time of a processor that it may take.
    """
    armed = [True]

    def stop(*_signal: object) -> None:
        if armed:  # once: between two questions it would break the process
            armed.clear()
            raise SolveTimeout("the engine", seconds)

    _end_with_server()
    if prepare:
        _prepared(prepare)
    if not hasattr(signal, "setitimer"):
        return question(*arguments, seconds)
    try:
        signal.signal(signal.SIGALRM, stop)
        signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds + MARGIN)
        signal.setitimer(signal.ITIMER_PROF, work or 0)
        return question(*arguments, seconds)
    finally:
        armed.clear()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
