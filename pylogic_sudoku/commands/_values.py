"""What options and arguments take: numbers, seconds, box shapes, engines and puzzles."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from .._layout import Box, checked_box
from ..engines import names
from ..errors import InvalidPuzzle

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["BackendName", "BoxShape", "Seconds", "Source", "Whole"]

MOST = 2**31 - 1
"""The largest number that every engine and every system can take."""

SECONDS_MOST = 1_000_000
"""Longer waits are too long for some system calls, which count milliseconds in 32 bits."""


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number from `least` to `most`."""

    name = "number"

    def __init__(self, least: int, most: int = MOST) -> None:
        self.least = least
        self.most = most

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        with suppress(ValueError):
            if self.least <= int(value) <= self.most:
                return int(value)
        self.fail(f"{value!r} is not a whole number from {self.least} to {self.most}", param, ctx)


class Seconds(click.ParamType):  # type: ignore[type-arg]
    """A time limit that an engine can be given."""

    name = "seconds"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        with suppress(ValueError):
            if 0 < float(value) <= SECONDS_MOST:
                return float(value)
        self.fail(
            f"{value!r} is not a number of seconds over 0 and up to {SECONDS_MOST}", param, ctx
        )


class BoxShape(click.ParamType):  # type: ignore[type-arg]
    """Rows and columns of a box, such as 2x3."""

    name = "RxC"

    def convert(self, value: Any, param: Any, ctx: Any) -> Box:
        try:
            rows, columns = map(int, str(value).lower().split("x"))
        except ValueError:
            self.fail(
                f"{value!r} is not a box shape; expected rows x columns, such as 2x3", param, ctx
            )
        try:
            return checked_box((rows, columns))
        except InvalidPuzzle as error:
            self.fail(str(error), param, ctx)


class BackendName(click.ParamType):  # type: ignore[type-arg]
    """The name of an engine, or one of the `others`."""

    name = "engine"

    def __init__(self, *others: str) -> None:
        self._others = others

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        known = (*names(), *self._others)
        if value not in known:
            self.fail(f"{value!r} is none of {', '.join(known)}", param, ctx)
        return str(value)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        known = (*names(), *self._others)
        return [CompletionItem(name) for name in known if name.startswith(incomplete)]


class Source(click.ParamType):  # type: ignore[type-arg]
    """A puzzle, or where puzzles are: the shell offers files."""

    name = "text"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        return str(value)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]
