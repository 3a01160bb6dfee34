"""The questions of the package for asyncio: if the asking task is cancelled, the engine stops.

>>> import asyncio
>>> from pylogic_sudoku import aio
>>> asyncio.run(aio.count("." * 16))
288

Each question takes the parameters of the function of the same name. It runs in its own thread, so
it does not block the event loop. `solutions` and `steps` are for ``async for``.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial, wraps
from inspect import getdoc
from time import perf_counter
from typing import Any, ParamSpec, TypeVar

from . import explain, proofs, questions, techniques
from .engines.running import BATCH, PARTIAL_BATCH, Job, Stop, Workers
from .questions import comparison

__all__ = [
    "ambiguity",
    "call",
    "candidates",
    "certify",
    "compare",
    "conflicts",
    "count",
    "hint",
    "is_unique",
    "rate",
    "solutions",
    "solve",
    "steps",
    "why",
    "why_not",
]

P = ParamSpec("P")
T = TypeVar("T")

_workers = Workers("pylogic_sudoku aio")


async def call(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that asks engines in its own thread; return or raise what it does.

    If the task is cancelled, for example by ``asyncio.timeout``, the engine stops its search and
    can be used again; the function ends when it next asks an engine.

    >>> asyncio.run(call(lambda: questions.count("." * 16) + questions.count("." * 81, limit=1)))
    289
    """
    job, answer = _begin(partial(copy_context().run, function, *args, **kwargs))
    try:
        return await answer
    finally:
        job.abandon(_nothing)
        if answer.done():
            answer.cancel()  # as in `_iterated`


def _begin(function: Callable[[], T]) -> tuple[Job[None], asyncio.Future[T]]:
    """Start the function in a thread; the future will have what it returns or raises."""
    stop, future = Stop(), Future[T]()
    job = _workers.send(lambda: _settle(future, lambda: stop.run(function)), stop.set)
    return job, asyncio.wrap_future(future)


def _settle(future: Future[T], function: Callable[[], T]) -> None:
    """Run the function and settle the future, unless nobody waits for it."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(function())
    except StopIteration as error:  # cannot be raised in a coroutine
        failure = RuntimeError("the function raised StopIteration")
        failure.__cause__ = error
        future.set_exception(failure)
    except BaseException as error:
        future.set_exception(error)


def _awaited(function: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    @wraps(function, assigned=("__name__", "__qualname__"))
    async def ask(*args: P.args, **kwargs: P.kwargs) -> T:
        return await call(function, *args, **kwargs)

    ask.__doc__ = _documented(function, "Await it.")
    return ask


def _iterated(function: Callable[P, Iterator[T]]) -> Callable[P, AsyncGenerator[T, None]]:
    @wraps(function, assigned=("__name__", "__qualname__"))
    async def found(*args: P.args, **kwargs: P.kwargs) -> AsyncGenerator[T, None]:
        items = await call(function, *args, **kwargs)
        ready: deque[T] = deque()
        job, batch = _begin(partial(_batch, items, ready))
        try:
            while True:
                while not batch.done() or ready:
                    if ready:
                        yield ready.popleft()
                    else:
                        await asyncio.wait([batch], timeout=PARTIAL_BATCH)
                if not await batch:
                    return
                job, batch = _begin(partial(_batch, items, ready))
        finally:
            job.abandon(getattr(items, "close", _nothing))
            batch.cancel()  # or asyncio would complain about an error that comes too late

    found.__doc__ = _documented(function, "Iterate over it with ``async for``.")
    return found


def _documented(function: Callable[..., Any], use: str) -> str:
    """The docstring of the function without its examples, and how the coroutine is used."""
    text = (getdoc(function) or "").partition("\n>>> ")[0].rstrip()
    return f"{text}\n\n{use} If the task is cancelled, the engine stops."


def _batch(items: Iterator[T], ready: deque[T]) -> bool:
    """Move the items found within a moment; False if those were the last."""
    start = perf_counter()
    for item in items:
        ready.append(item)
        if perf_counter() - start > BATCH:
            return True
    return False


def _nothing() -> None:
    pass


solve = _awaited(questions.solve)
count = _awaited(questions.count)
is_unique = _awaited(questions.is_unique)
candidates = _awaited(questions.candidates)
certify = _awaited(proofs.certify)
compare = _awaited(comparison.compare)
why = _awaited(explain.why)
why_not = _awaited(explain.why_not)
conflicts = _awaited(explain.conflicts)
ambiguity = _awaited(explain.ambiguity)
hint = _awaited(techniques.hint)
rate = _awaited(techniques.rate)
solutions = _iterated(questions.solutions)
steps = _iterated(techniques.steps)
