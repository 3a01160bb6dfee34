"""clingo with encodings of ours, ground for a box shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import clingo

from ..._resources import resource
from ...grid import Box

__all__ = ["OPTIONS", "encoding", "grounded"]

OPTIONS = (
    "--configuration=frumpy",
    "--sign-def=pos",
    "--forget-on-step=varScores,signs,lemmaScores,lemmas",
)
"""Try a digit rather than its absence, and learn nothing from one puzzle for the next: together
four times as fast on hard puzzles, and half as fast again on others (``benchmarks/NOTES.md``)."""


@cache
def encoding(name: str) -> str:
    """The text of one of ``encodings/``."""
    return resource(f"encodings/{name}.lp").read_text(encoding="utf-8")


def grounded(program: str, box: Box, options: Sequence[str] = OPTIONS) -> clingo.Control:
    """The program, ground; RuntimeError with all that clingo has to say if that fails."""
    messages: list[str] = []
    control = clingo.Control(
        [*options, f"-cbox_rows={box[0]}", f"-cbox_columns={box[1]}"],
        logger=lambda _code, message: messages.append(message),
    )
    try:
        control.add("base", [], program)
        control.ground()
    except RuntimeError as error:
        raise RuntimeError(f"{error}\n{''.join(messages)}".rstrip()) from None
    return control
