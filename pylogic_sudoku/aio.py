"""The questions of the package for asyncio: if the asking task is cancelled, the engine stops.

>>> import asyncio
>>> from pylogic_sudoku import aio
>>> asyncio.run(aio.count("." * 16))
288

Each question takes the parameters of the function of the same name. It runs in its own thread, so
it does not block the event loop. `solutions`, `steps`, `trace`, `solve_many` and `cross_check` are
for ``async for``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial, wraps
from inspect import getdoc
from threading import Event
from typing import Any, ParamSpec, TypeVar

from . import explain, proofs, questions, techniques
from .questions import comparison, many
from .reasons import refusal as reasons
from .running.workers import Job, Workers, stop_event

__all__ = [
    "ambiguity",
    "call",
    "candidate_counts",
    "candidates",
    "certify",
    "compare",
    "conflicts",
    "count",
    "cross_check",
    "hint",
    "is_unique",
    "measure",
    "propagate",
    "rate",
    "redundant",
    "refusal",
    "smallest_difference",
    "smallest_search",
    "solutions",
    "solve",
    "solve_many",
    "steps",
    "steps_to",
    "trace",
    "why",
    "why_not",
]

P = ParamSpec("P")
T = TypeVar("T")

END: Any = object()

_workers = Workers("pylogic_sudoku aio")


async def call(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function that asks engines in its own thread; return or raise what it does.

    If the task is cancelled, for example by ``asyncio.timeout``, the engine stops its search and
    can be used again; the function ends when it next asks an engine.

    >>> asyncio.run(call(lambda: questions.count("." * 16) + questions.count("." * 81, limit=1)))
    289
    """
    job, answer = _begin(partial(function, *args, **kwargs))
    try:
        return await answer
    finally:
        job.abandon()
        if answer.done():
            answer.cancel()  # or asyncio would complain about an error that is raised too late


def _begin(function: Callable[[], T]) -> tuple[Job[None], asyncio.Future[T]]:
    """Start the function in a thread; the future will have what it returns or raises."""
    context, stop, future = copy_context(), Event(), Future[T]()
    context.run(stop_event.set, stop)
    future.set_running_or_notify_cancel()
    job = _workers.send(lambda: _settle(future, partial(context.run, function)), stop.set)
    return job, asyncio.wrap_future(future)


def _settle(future: Future[T], function: Callable[[], T]) -> None:
    """Run the function and settle the future."""
    try:
        future.set_result(function())
    except StopIteration:
        future.set_exception(RuntimeError("StopIteration cannot be raised in a coroutine"))
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
    async def iterated(*args: P.args, **kwargs: P.kwargs) -> AsyncGenerator[T, None]:
        items = await call(function, *args, **kwargs)
        following = partial(next, items, END)
        job, answer = _begin(following)
        try:
            while (item := await answer) is not END:
                yield item
                job, answer = _begin(following)
        finally:
            job.abandon(getattr(items, "close", _nothing))
            if answer.done():
                answer.cancel()  # as above

    iterated.__doc__ = _documented(function, "Iterate over it with ``async for``.")
    return iterated


def _documented(function: Callable[..., Any], use: str) -> str:
    """The docstring of the function without its examples, and how the coroutine is used."""
    text = (getdoc(function) or "").partition("\n>>> ")[0].rstrip()
    return f"{text}\n\n{use} If the task is cancelled, the engine stops."


def _nothing() -> None:
    pass


solve = _awaited(questions.solve)
count = _awaited(questions.count)
is_unique = _awaited(questions.is_unique)
candidates = _awaited(questions.candidates)
candidate_counts = _awaited(questions.candidate_counts)
propagate = _awaited(questions.propagate)
measure = _awaited(questions.measure)
certify = _awaited(proofs.certify)
compare = _awaited(comparison.compare)
smallest_difference = _awaited(comparison.smallest_difference)
smallest_search = _awaited(comparison.smallest_search)
refusal = _awaited(reasons.refusal)
why = _awaited(explain.why)
why_not = _awaited(explain.why_not)
conflicts = _awaited(explain.conflicts)
ambiguity = _awaited(explain.ambiguity)
redundant = _awaited(explain.redundant)
hint = _awaited(techniques.hint)
rate = _awaited(techniques.rate)
steps_to = _awaited(techniques.steps_to)
solutions = _iterated(questions.solutions)
trace = _iterated(questions.trace)
steps = _iterated(techniques.steps)
solve_many = _iterated(many.solve_many)
cross_check = _iterated(comparison.cross_check)
