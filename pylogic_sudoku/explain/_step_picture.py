"""The picture of a step: what goes or is placed, and which candidates and houses matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..draw import Highlight, Picture
from ..techniques._addition import met, standing
from ..techniques._table import MINIMAL_SET
from ._explanation import of_rules

if TYPE_CHECKING:
    from ._step import Step

__all__ = ["picture"]


def picture(step: Step) -> Picture:
    """The position of the step with all that matters highlighted."""
    layout = step.puzzle.layout
    reason = met(step.must, layout) & standing(step.candidates) - {step.placed, *step.removed}
    houses = {rule[1:3] for rule in step.rules if rule[0] in ("somewhere", "once")}
    if step.placed:
        label = f"{step.placed.digit} goes here"
        highlights = [Highlight(label, "target", (step.placed.cell,), (step.placed,))]
    else:
        highlights = [Highlight("what goes", "removed", candidates=tuple(sorted(step.removed)))]
    if reason:
        highlights.append(Highlight("why", "reason", candidates=tuple(sorted(reason))))
    for house in layout.houses if step.technique != MINIMAL_SET.name else ():
        if (house.kind, house.number) in houses:
            highlights.append(Highlight(str(house), "house", house.cells))
    highlights += of_rules(step.rules)
    return Picture(step.grid, step.puzzle, step.candidates, tuple(highlights), step.technique)
