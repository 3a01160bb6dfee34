"""Chains in plain Python: every simple path of a few strong links, found by walking.

A position is a dict from cells to sets of digits, as in ``technique_oracle``. A node is a frozenset
of candidates (row, column, digit). Every function yields sets of candidates that go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise, product

from pylogic_sudoku import Grid, Puzzle

from .technique_oracle import AREAS, LINES, Position, houses

Mark = tuple[int, int, int]
Node = frozenset[Mark]


class Links:
    """The links between nodes, and which candidates clash."""

    def __init__(self, grid: Grid | Puzzle, marks: Position, groups: bool) -> None:
        self.grid, self.marks = grid, marks
        self.all = {(*cell, digit) for cell, digits in marks.items() for digit in digits}
        self._peers = {
            cell: {other for house in houses(grid) if cell in house for other in house} - {cell}
            for cell in marks
        }
        self.nodes = {frozenset([mark]) for mark in self.all} | (
            self._groups() if groups else set()
        )
        self.strong: dict[Node, set[Node]] = defaultdict(set)
        for rule in self._truths():
            for node in self.nodes:
                if node < rule and rule - node in self.nodes:
                    self.strong[node].add(rule - node)
        self._ways: dict[Node, dict[tuple[Node, bool], int]] = {}
        self.weak = {
            node: {other for other in self.strong if self.clash(node, other)}
            for node in self.strong
        }

    def _truths(self) -> set[Node]:
        cells = [frozenset(mark for mark in self.all if mark[:2] == cell) for cell in self.marks]
        return {*cells, *(where for house in houses(self.grid) for where in self._digits(house))}

    def _digits(self, cells) -> list[Node]:
        """The candidates in these cells, digit by digit."""
        digits = range(1, self.grid.size + 1)
        return [frozenset(m for m in self.all if m[2] == d and m[:2] in cells) for d in digits]

    def _groups(self) -> set[Node]:
        full = defaultdict(set)
        for line, area in product(houses(self.grid, *LINES), enumerate(houses(self.grid, *AREAS))):
            for node in self._digits(set(line) & set(area[1])):
                if len(node) > 1:
                    full[area[0]].add(node)
        less = {
            one - other
            for nodes in full.values()
            for one, other in product(nodes, nodes)
            if len(one & other) == 1 and len(one) > 2
        }
        return less.union(*full.values())

    def clash(self, one: Node, other: Node) -> bool:
        """If one holds, the other does not."""
        return all(self.clashing(a, b) for a in one for b in other)

    def clashing(self, one: Mark, other: Mark) -> bool:
        if one[:2] == other[:2]:
            return one[2] != other[2]
        return one[2] == other[2] and other[:2] in self._peers[one[:2]]

    def common(self, one: Node, other: Node) -> frozenset[Mark]:
        """What clashes with both."""
        return frozenset(
            mark
            for mark in self.all - one - other
            if self.clash(frozenset([mark]), one) and self.clash(frozenset([mark]), other)
        )

    def paths(self, most: int) -> Iterator[list[Node]]:
        """Chains that begin and end with a strong link, without repetition."""

        def longer(path: list[Node]) -> Iterator[list[Node]]:
            held = frozenset().union(*path)
            for on in self.strong[path[-1]]:
                if on & held:
                    continue
                now = [*path, on]
                if len(now) >= 4:
                    yield now
                if len(now) < 2 * most:
                    for off in self.weak[on]:
                        if not off & (held | on):
                            yield from longer([*now, off])

        for start in list(self.strong):
            yield from longer([start])

    def direct(self, path: list[Node]) -> bool:
        """True if no way from the first node, on which others may be twice, is shorter."""
        start = path[0]
        if start not in self._ways:
            ways = self._ways[start] = {(start, False): 0}
            for node, on in (queue := [(start, False)]):
                for after in self.weak[node] if on else self.strong[node]:
                    if after != start and (after, not on) not in ways:
                        ways[after, not on] = ways[node, on] + 1
                        queue.append((after, not on))
        ways = self._ways[start]
        return all(ways[node, bool(i % 2)] == i for i, node in enumerate(path))


def digits(node: Node) -> set[int]:
    return {mark[2] for mark in node}


def cells(node: Node) -> set[tuple[int, int]]:
    return {mark[:2] for mark in node}


def x_chain(links: Links, most: int) -> Iterator[frozenset[Mark]]:
    for path in links.paths(most):
        if len(set().union(*map(digits, path))) == 1:
            yield links.common(path[0], path[-1])


def xy_chain(links: Links, most: int) -> Iterator[frozenset[Mark]]:
    for path in links.paths(most):
        pairs = list(pairwise(path))
        in_cells = all(cells(a) == cells(b) for a, b in pairs[::2])
        between = all(digits(a) == digits(b) for a, b in pairs[1::2])
        if len(path) >= 6 and in_cells and between and digits(path[0]) == digits(path[-1]):
            yield links.common(path[0], path[-1])


def aic(links: Links, most: int) -> Iterator[frozenset[Mark]]:
    for path in grouped(links, links.paths(most)):
        if links.direct(path):
            yield links.common(path[0], path[-1])


def groups_in(links: Links) -> bool:
    return any(len(node) > 1 for node in links.nodes)


def grouped(links: Links, paths: Iterator[list[Node]]) -> Iterator[list[Node]]:
    """If there are groups at all, only the paths that have one."""
    groups = groups_in(links)
    return (path for path in paths if not groups or max(map(len, path)) > 1)


TECHNIQUES = {
    "x_chain": (x_chain, False),
    "xy_chain": (xy_chain, False),
    "aic": (aic, False),
    "grouped_aic": (aic, True),
}
"""Each with whether its nodes may be groups."""
