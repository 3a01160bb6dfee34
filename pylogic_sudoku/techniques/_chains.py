"""Sentences for chains, and their notation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..errors import listed
from ..grid import Placement
from ._words import gone

if TYPE_CHECKING:
    from ..explain import Step

__all__ = ["SENTENCES", "notation"]

Node = tuple[Placement, ...]


def notation(step: Step) -> str:
    """The chain in Eureka notation: ``(5)r1c2=(5)r1c7-(5)r4c7=(5)r4c3``; empty without a chain."""
    names = [f"({node[0].digit}){_cells(node)}" for node in step.chain]
    links = ["=" if number % 2 == 0 else "-" for number in range(len(names) - 1)]
    return "".join(part for pair in zip(names, [*links, ""], strict=True) for part in pair)


def _cells(node: Node) -> str:
    """The cells of a node: ``r4c7``, or ``r4c78`` for a group; ``r4c7r5c8`` if it has no line."""
    rows = sorted({each.row for each in node})
    columns = sorted({each.column for each in node})
    if len(rows) * len(columns) != len(node) or max(*rows, *columns) > 9:
        return "".join(str(each.cell) for each in node)
    return f"r{''.join(map(str, rows))}c{''.join(map(str, columns))}"


def _holds(node: Node, on: bool) -> str:
    """That a node holds or not."""
    digit, cells = node[0].digit, [each.cell for each in node]
    if len(node) == 1:
        return f"{cells[0]} is {digit}" if on else f"{cells[0]} is not {digit}"
    where = listed(cells, "or")
    return f"{digit} is in {where}" if on else f"{digit} is not in {where}"


def _told(chain: Sequence[Node]) -> str:
    """``if r1c2 is not 5, then r1c7 is 5, so r4c7 is not 5, so r4c3 is 5``."""
    first, second, *rest = [_holds(node, number % 2 == 1) for number, node in enumerate(chain)]
    return ", so ".join([f"if {first}, then {second}", *rest])


def _chain(step: Step) -> str:
    first, last = step.chain[0], step.chain[-1]
    return (
        f"{_told(step.chain)}. So {_holds(first, True)}, or {_holds(last, True)}, or both, and"
        f" whatever clashes with both goes: {gone(step)}"
    )


def _discontinuous(step: Step) -> str:
    if step.chain[0] == step.chain[-1]:
        (start,) = step.chain[0]
        return (
            f"{_told(step.chain)}. So {start.cell} must be {start.digit}, and all else goes from"
            f" it: {gone(step)}"
        )
    return _chain(step)


def _loop(step: Step) -> str:
    return (
        f"{_told(step.chain)}, which clashes with the beginning. So it is a loop, and of any two"
        f" neighbours in it, exactly one holds. Whatever clashes with two neighbours goes:"
        f" {gone(step)}"
    )


def _remote_pair(step: Step) -> str:
    cells = [node[0].cell for node in step.chain[::2]]
    one, other = sorted(step.chain[i][0].digit for i in (0, 1))
    return (
        f"{listed(cells)} hold only {one} or {other}, and each sees the next, so the two digits"
        f" take turns. Two of the cells that are an odd number of turns apart hold both digits"
        f" between them, so these go from cells that see both: {gone(step)}"
    )


SENTENCES: dict[str, Callable[[Step], str]] = {
    "remote_pair": _remote_pair,
    **dict.fromkeys(("x_chain", "xy_chain", "aic", "grouped_aic"), _chain),
    **dict.fromkeys(("continuous_nice_loop", "grouped_continuous_nice_loop"), _loop),
    **dict.fromkeys(("discontinuous_nice_loop", "grouped_discontinuous_nice_loop"), _discontinuous),
}
