"""Rules for the whole grid, by the names that people use.

>>> from pylogic_sudoku.puzzle.cells import Layout
>>> [str(rule.cells[1]) for rule in named("X-sudoku", Layout((3, 3)))]
['r2c2', 'r2c8']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from ..errors import InvalidPuzzle
from ..puzzle.cells import Cells, Layout, diagonals, same_places, windoku
from .base import KINDS, Rule, from_json, no_rule, plain_name
from .pairs import nonconsecutive
from .sets import Different


def disjoint_groups(blocks: Sequence[Cells]) -> list[Rule]:
    """The rules of the disjoint groups of some boxes or regions; of a single one there are none."""
    return _different("disjoint group", same_places(blocks) if len(blocks) > 1 else ())


def _different(name: str, sets: Iterable[Cells]) -> list[Rule]:
    return [Different(cells, name) for cells in sets]


def _windows(layout: Layout) -> list[Rule]:
    rows, columns = layout.box
    return _different("windoku", windoku(layout.size) if rows == columns > 1 else ())


_SETS: dict[str, Callable[[Layout], list[Rule]]] = {
    "diagonal \\": lambda layout: _different("diagonal", diagonals(layout.size)[:1]),
    "diagonal /": lambda layout: _different("diagonal", diagonals(layout.size)[1:]),
    "X-sudoku": lambda layout: _different("diagonal", diagonals(layout.size)),
    "windoku": _windows,
    "disjoint groups": lambda layout: disjoint_groups([block.cells for block in layout.blocks]),
    "nonconsecutive": lambda _layout: [nonconsecutive()],
}
_ALSO = {
    **dict.fromkeys(("diagonal", "diagonals", "sudokux"), "xsudoku"),
    **dict.fromkeys(("hyper", "hypersudoku", "windows"), "windoku"),
    **{"knight": "antiknight", "king": "antiking", "taxicab": "antitaxicab"},
    **{"entropy": "globalentropy", "disjoint": "disjointgroups"},
}
"""Other names of the sets and kinds, in small letters and without signs, and these likewise."""


def whole_grid(layout: Layout) -> dict[str, list[Rule]]:
    """The sets of rules that a grid of this layout can have, each by its title.

    A set is a group of rules that belong together, such as those of a windoku.
    """
    alone: dict[str, list[Rule]] = {
        rule_class.title: [rule_class()] for rule_class in KINDS.values() if not rule_class.types
    }
    sets: dict[str, list[Rule]] = {}
    for title, rules in ({title: make(layout) for title, make in _SETS.items()} | alone).items():
        with suppress(InvalidPuzzle):
            for rule in rules:
                rule.check(layout)
            if rules:
                sets[title] = rules
    return sets


def named(name: str, layout: Layout) -> list[Rule]:
    """The rules of this name; InvalidPuzzle if there are none, or if they need cells."""
    plain = plain_name(name)
    plain = _ALSO.get(plain, plain)
    sets = whole_grid(layout)
    for title, rules in sets.items():
        if title == name or (plain_name(title) == plain and name not in sets):
            return rules
    if plain in map(plain_name, _SETS):
        raise InvalidPuzzle(f"{layout} has no rules {name!r}")
    kind = next((each for each in KINDS if plain_name(each) == plain), None)
    if kind is None:
        raise no_rule(name)
    return [from_json({"rule": kind})]
