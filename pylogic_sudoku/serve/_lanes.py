"""The processes that answer questions, in two lanes: quick questions never wait for slow ones.

A question starts in the quick lane. If it takes longer than `QUICK`, it starts again in the slow
lane, in which the clients take turns. A process is killed if its question overruns its time, or if
nobody waits for the answer any more.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from threading import Thread
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import anyio
from anyio import to_process

from ..errors import BackendFailure, SolveTimeout, SudokuError

__all__ = ["TIMEOUT", "Busy", "Lanes"]

T = TypeVar("T")

TIMEOUT = 10.0
"""Seconds for each question, unless the server is started with another limit."""
QUICK = 0.5
"""Seconds after which a question is a slow one."""
GRACE = 10.0
"""Seconds after its time limit until a question is killed: its process may have to start first."""
STARTING = 60.0
"""Seconds for the engines to start."""
WAITING = 500
"""Most requests that may wait for an engine."""


class Busy(SudokuError):
    """Too many questions are waiting already."""


class Lanes:
    """Both lanes; they belong to one event loop.

    A question is a function that can be pickled; its last argument is its time limit in seconds.
    `prepare` is called once in each process, before its first question.
    """

    def __init__(
        self,
        timeout: float = TIMEOUT,
        places: int | None = None,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        self.timeout = timeout
        self.places = places or max(2, os.cpu_count() or 1)
        self._prepare = prepare
        self._quick = anyio.CapacityLimiter(self.places)
        self._slow = anyio.CapacityLimiter(self.places)
        self._processes = anyio.CapacityLimiter(2 * self.places)
        self._turns: WeakValueDictionary[str, anyio.Semaphore] = WeakValueDictionary()
        self._waiting = 0

    async def start(self) -> None:
        """Start the processes of the quick lane; others start as they are needed."""
        async with anyio.create_task_group() as group:
            for _ in range(self.places):
                group.start_soon(self._run, STARTING, _nothing)

    async def ask(
        self, client: str, timeout: float | None, question: Callable[..., T], *arguments: Any
    ) -> T:
        """Return the answer; `timeout` counts if it is shorter than the limit of these lanes.

        Raises Busy, SolveTimeout, BackendFailure if the process ends, and the question's errors.
        """
        limit = min(timeout or self.timeout, self.timeout)
        if self._waiting >= WAITING:
            raise Busy("too many questions are waiting already; try again in a moment")
        self._waiting += 1
        try:
            with suppress(SolveTimeout):
                async with self._quick:
                    answer = await self._run(min(QUICK, limit), question, *arguments)
                if not (isinstance(answer, dict) and answer.get("stopped") == "time"):
                    return answer
            # At most `places` questions of a client queue for the slow lane; its others wait.
            turn = self._turns.setdefault(client, anyio.Semaphore(self.places))
            async with turn, self._slow:
                return await self._run(limit, question, *arguments)
        finally:
            self._waiting -= 1

    async def _run(self, timeout: float, question: Callable[..., T], *arguments: Any) -> T:
        with anyio.move_on_after(timeout + GRACE):
            try:
                ask = partial(_answer, self._prepare, question, *arguments, timeout)
                return await to_process.run_sync(ask, cancellable=True, limiter=self._processes)
            except anyio.BrokenWorkerProcess:
                raise BackendFailure("the engine's process ended without an answer") from None
        raise SolveTimeout("the engine", timeout)


def _answer(prepare: Callable[[], object] | None, question: Callable[..., T], *arguments: Any) -> T:
    """Runs in the process."""
    _end_with_server()
    if prepare:
        _prepared(prepare)
    return question(*arguments)


@cache
def _prepared(prepare: Callable[[], object]) -> None:
    prepare()


@cache
def _end_with_server() -> None:
    """End this process, whatever it is doing, as soon as the server closes the pipe to it."""
    if not hasattr(select, "poll"):
        return
    pipe = select.poll()
    pipe.register(0, 0)  # reads nothing; the end is reported in any case

    def watch() -> None:
        pipe.poll()
        os._exit(0)

    Thread(target=watch, daemon=True).start()


def _nothing(_timeout: float) -> None:
    pass
