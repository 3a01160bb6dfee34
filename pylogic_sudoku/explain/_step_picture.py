"""The picture of a step: what goes or is placed, and which candidates and houses matter.

The candidates with a part of their own are told apart, and a chain is drawn as a chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from ..draw import PARTS, Highlight, Link, Picture
from ..errors import listed
from ..grid import Placement
from ..techniques._addition import met, standing
from ..techniques._table import MINIMAL_SET
from ._explanation import of_rules

if TYPE_CHECKING:
    from ._step import Step

__all__ = ["picture"]

MOST_HOUSES, MOST_BASES = 10, 4
"""With more houses than that, or more that are the reason, outlines would hide what matters."""


def picture(step: Step) -> Picture:
    """The position of the step with all that matters highlighted."""
    highlights = [_what_follows(step), *_roles(step)]
    others = {placement for _, part in step.roles for placement in part}
    others |= {*step.removed, *filter(None, [step.placed])}
    reason = met(step.must, step.puzzle.layout) & standing(step.candidates)
    reason |= {placement for node in step.chain for placement in node}
    if reason - others:
        highlights.append(_of("why", "reason", reason - others))
    highlights += [*_houses(step), *of_rules(step.rules)]
    return Picture(
        step.grid,
        step.puzzle,
        step.candidates,
        tuple(highlights),
        step.technique,
        tuple(_links(step)),
    )


def _what_follows(step: Step) -> Highlight:
    if step.placed is None:
        return _of("what goes", "removed", step.removed)
    label = f"{step.placed.digit} goes here"
    return Highlight(label, "target", (step.placed.cell,), (step.placed,))


def _roles(step: Step) -> Iterator[Highlight]:
    """A look for each part: "set B" has that of b, the others have those that are left, in turn."""
    names = [name for name, _ in step.roles]
    own = {name: name[-1].lower() for name in names if name[-2:-1] == " "}
    own = {name: letter for name, letter in own.items() if letter in PARTS}
    free = [letter for letter in PARTS if letter not in own.values()] or PARTS
    others = [name for name in names if name not in own]
    looks = own | {name: free[at % len(free)] for at, name in enumerate(others)}
    for name, part in step.roles:
        yield _of(_label(name), looks[name], part)


def _label(name: str) -> str:
    """The name of a part as the sentence has it, such as ``set A``."""
    return f"set {name[-1].upper()}" if name.startswith("set ") else name


def _of(label: str, role: str, candidates: Iterable[Placement]) -> Highlight:
    return Highlight(label, role, candidates=tuple(sorted(candidates)))


def _houses(step: Step) -> Iterator[Highlight]:
    """The houses that the step is about, unless they are many or links show them.

    Those that must hold a digit, such as the rows of a fish, and those that hold it at most once,
    such as its columns, have a look and a line in the legend each.
    """
    must = {rule[1:3] for rule in step.must if rule[0] == "somewhere"}
    most = {rule[1:3] for rule in step.most if rule[0] == "once"} - must
    too_many = len(must or most) > MOST_BASES or len(must | most) > MOST_HOUSES
    if step.technique == MINIMAL_SET.name or step.chain or too_many:
        return
    for role, about in (("house", must), ("cover", most)) if must else (("house", most),):
        houses = [each for each in step.puzzle.layout.houses if each[:2] in about]
        for number, house in enumerate(houses):
            label = "" if number else listed(houses)
            yield Highlight(label, role, house.cells)


def _links(step: Step) -> Iterator[Link]:
    """The links of the chain, strong and weak in turn."""
    for at, (one, two) in enumerate(pairwise(step.chain)):
        yield Link(one, two, strong=at % 2 == 0)
