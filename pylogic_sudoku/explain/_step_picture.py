"""The picture of a step: what goes or is placed, and which candidates and houses matter.

Each part that candidates play has a look of its own, and a chain is drawn as a chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle, pairwise
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
    """A look for each part, in turn, with the name that the sentence has, such as "set A"."""
    for (name, part), look in zip(step.roles, cycle(PARTS)):
        yield _of(name.replace("set a", "set A").replace("set b", "set B"), look, part)


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
