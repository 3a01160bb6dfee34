"""Sentences for colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..errors import listed
from ..explain._explanation import cells_in
from ..grid import Placement

if TYPE_CHECKING:
    from ..explain import Step

__all__ = ["SENTENCES"]


def _simple(step: Step) -> str:
    colours, digit = _colours(step), step.removed[0].digit
    said = f"{digit} is in {_either(colours)}, as strong links say"
    if set(step.removed) <= set(colours["1a"]):
        return (
            f"{said}. Two of {_cells(step.removed)} see each other, so {digit} goes from all of"
            " these"
        )
    return f"{said}. So it goes from {_cells(step.removed)}, which both see"


def _multi(step: Step) -> str:
    colours, digit = _colours(step), step.removed[0].digit
    first, second = ({each: colours[each] for each in (f"{n}a", f"{n}b")} for n in (1, 2))
    said = f"{digit} is in {_either(first)}, and in {_either(second)}, as strong links say"
    if set(step.removed) == set(colours["1a"]):
        return (
            f"{said}. Of {_cells(step.removed)}, some see {_all(colours['2a'])} and some"
            f" {_all(colours['2b'])}, so {digit} goes from all of these"
        )
    return (
        f"{said}. It is not in {_all(colours['1a'])} together with {_all(colours['2a'])}, since"
        f" there they see each other. So it is in {_all(colours['1b'])} or {_all(colours['2b'])},"
        f" and goes from {_cells(step.removed)}, which both see"
    )


def _colours(step: Step) -> dict[str, tuple[Placement, ...]]:
    return {role.removeprefix("colour "): candidates for role, candidates in step.roles}


def _either(colours: dict[str, tuple[Placement, ...]]) -> str:
    return " or ".join(map(_all, colours.values()))


def _all(colour: tuple[Placement, ...]) -> str:
    return f"all of {_cells(colour)}" if len(colour) > 1 else _cells(colour)


def _cells(candidates: Iterable[Placement]) -> str:
    return listed(cells_in(candidates))


SENTENCES: dict[str, Callable[[Step], str]] = {
    "simple_colours": _simple,
    "multi_colours": _multi,
}
