"""Errors in the code of engines that are not ours, made errors of the package.

An engine of another package may raise anything. Here that becomes a BackendFailure, which names the
engine, the error and its place, and has the error as its cause.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FunctionType
from typing import Any

from ..errors import BackendFailure, LogicError


def guard(engine: type, methods: Iterable[str]) -> None:
    """Let those of these methods that are not ours raise no errors but ours."""
    for name in methods:
        method = getattr(engine, name, None)
        if isinstance(method, FunctionType) and not (_is_ours(method) or _is_guarded(method)):
            setattr(engine, name, _guarded(method))


def _is_ours(method: FunctionType) -> bool:
    return method.__module__.partition(".")[0] == __name__.partition(".")[0]


def _is_guarded(method: FunctionType) -> bool:
    return method.__code__ is _guarded(method).__code__


def _package(engine: type) -> str:
    return engine.__module__.partition(".")[0]


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(engine: Any, *arguments: Any, **named: Any) -> Any:
        with _failing(engine, method):
            result = method(engine, *arguments, **named)
        return _each(engine, method, result) if isinstance(result, Iterator) else result

    return call


def _each(engine: Any, method: Callable[..., Any], results: Iterator[Any]) -> Iterator[Any]:
    with _failing(engine, method):
        yield from results  # which closes them, too


@contextmanager
def _failing(engine: Any, method: Callable[..., Any]) -> Iterator[None]:
    try:
        yield
    except LogicError:
        raise
    except Exception as error:
        if isinstance(error, ValueError) and method.__name__ == "consistent":
            raise  # it is about a demand that the grid cannot have
        text = " ".join(str(error).split())
        raised = f"{type(error).__name__}{text and f': {text}'}"
        name = getattr(engine, "name", type(engine).__name__)
        place = _place(error, type(engine), method)
        raise BackendFailure(f"the {name} engine failed at {place}: {raised}") from error


def _place(error: Exception, engine: type, method: Callable[..., Any]) -> str:
    """The file and line of the engine's package where the error comes from."""
    frames = traceback.walk_tb(error.__traceback__)
    places = [
        f"{frame.f_code.co_filename}:{line}"
        for frame, line in frames
        if frame.f_globals.get("__name__", "").partition(".")[0] == _package(engine)
    ]
    code = method.__code__  # of a method that cannot be called as it is
    return places[-1] if places else f"{code.co_filename}:{code.co_firstlineno}"
