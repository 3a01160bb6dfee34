"""The rules that the readers of formats make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._geometry import column, row
from .._layout import Box, Cell, Layout

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["index_rule", "made"]


def made(kind: str, /, **fields: Any) -> Rule:
    """The rule of this kind; InvalidPuzzle if there is no such kind or a field is wrong."""
    from ..rules import from_json  # which plain puzzles need not load

    return from_json({"rule": kind, **fields})


def index_rule(what: str, cell: Cell, box: Box) -> Rule:
    """The rule on a cell whose digit says where its own number is: in its row, column or box.

    If a cell in column c holds v, a *column* indexer, then the cell of its row in column v holds c.
    """
    n = box[0] * box[1]
    if what == "column":
        cells, value = row(cell.row, n), cell.column
    elif what == "row":
        cells, value = column(cell.column, n), cell.row
    else:
        cells = next(house.cells for house in Layout(box).houses[2 * n :] if cell in house.cells)
        value = cells.index(cell) + 1
    return made("index", control=[cell], cells=cells, value=value)
