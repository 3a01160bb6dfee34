"""Steps as a person tells them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ._rules import Demand, Rule, listed, said

if TYPE_CHECKING:
    from ._step import Step

__all__ = ["tell"]


def tell(step: Step) -> str:
    """One or two sentences: what follows, and from what."""
    text = f"{_placing(step) if step.placed else _removing(step)}."
    return text if text.startswith("r") and text[1].isdigit() else text[0].upper() + text[1:]


def _placing(step: Step) -> str:
    row, column, digit = step.placed or (0, 0, 0)
    where = f"r{row}c{column}"
    match step.technique:
        case "full house":
            return f"{_house(step.must[0])} has one empty cell left, so {where} is {digit}"
        case "hidden single":
            return f"{Rule(step.must[0])}, and {where} is the only cell left for it"
    return f"{where} is {digit}, as no other digit is left for it"


def _removing(step: Step) -> str:
    must, most = step.must, step.most
    match step.technique:
        case "pointing" | "claiming":
            return (
                f"in {_house(must[0])}, {must[0][3]} fits only where {_house(most[0])} crosses it,"
                f" so it goes from the rest of {_house(most[0])}: {_gone(step)}"
            )
        case "naked pair" | "naked triple" | "naked quad":
            return (
                f"{_cells(must)} hold {_digits(most)} between them, so these go from the rest of"
                f" {_house(most[0])}: {_gone(step)}"
            )
        case "hidden pair" | "hidden triple" | "hidden quad":
            return (
                f"in {_house(must[0])}, {_digits(must)} fit only in {_cells(most)}, so all else"
                f" goes from there: {_gone(step)}"
            )
        case "X-wing" | "swordfish" | "jellyfish":
            return (
                f"in {_houses(must)}, {must[0][3]} fits only in {_houses(most)}, so it goes from"
                f" the rest of these: {_gone(step)}"
            )
        case "XY-wing":
            return _xy_wing(step)
    row, column, digit = step.removed[0]
    return (
        f"{digit} goes from r{row}c{column}, as with it not all of these {len(step.rules)} rules"
        f" could be obeyed: {'; '.join(said(step.rules))}"
    )


def _xy_wing(step: Step) -> str:
    gone = step.removed[0][2]
    two = {rule[1:]: step.candidates[rule[1] - 1][rule[2] - 1] for rule in step.must}  # type: ignore[operator]
    pivot = next(cell for cell, digits in two.items() if gone not in digits)
    ways = [
        f"if it is {digit}, then r{row}c{column} is {gone}"
        for digit in sorted(two[pivot])
        for (row, column), digits in two.items()
        if digits == {digit, gone}
    ]
    where = listed(f"r{row}c{column}" for row, column, _ in step.removed)
    return (
        f"r{pivot[0]}c{pivot[1]} is {listed(sorted(two[pivot])).replace(' and ', ' or ')}:"
        f" {'; '.join(ways)}. Either way {gone} goes from {where}, which both see"
    )


def _gone(step: Step) -> str:
    """What goes from where: ``2 from r3c7 and r3c9, 2 and 5 from r3c8``."""
    digits: dict[str, list[int]] = {}
    for row, column, digit in step.removed:
        digits.setdefault(f"r{row}c{column}", []).append(digit)
    cells: dict[str, list[str]] = {}
    for cell, gone in digits.items():
        cells.setdefault(listed(gone), []).append(cell)
    return "; ".join(f"{gone} from {listed(where)}" for gone, where in cells.items())


def _house(rule: Demand) -> str:
    return f"{rule[1]} {rule[2]}"


def _houses(rules: Iterable[Demand]) -> str:
    kinds = [(rule[1], rule[2]) for rule in rules]
    return f"{kinds[0][0]}s {listed(number for _, number in kinds)}"


def _digits(rules: Iterable[Demand]) -> str:
    return listed(rule[3] for rule in rules)


def _cells(rules: Iterable[Demand]) -> str:
    return listed(f"r{row}c{column}" for _, row, column in rules)
