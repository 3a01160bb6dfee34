"""Necessary conditions for a technique to apply, checked before its program is ground.

There are sets with as many digits as cells, a wing ends in cells with two candidates, and a chain
is a walk along links. The conditions are not sufficient: only the program shows whether there is a
step, and which. Sets of cells, digits and nodes are integers, with a bit for each member.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import combinations, permutations
from operator import or_

from ..puzzle.cells import Cell, Layout, Placement

# --- sets of as many digits as cells, or of as many lines as lines that cross them ---

Links = Mapping[int, int]
"""The links of some numbers: bits of other numbers."""


def both_ways(pairs: Iterable[tuple[int, int]]) -> tuple[Links, Links]:
    """For each first number of a pair the second ones, and for each second one the first ones."""
    there, back = defaultdict[int, int](int), defaultdict[int, int](int)
    for one, other in pairs:
        there[one] |= 1 << other
        back[other] |= 1 << one
    return there, back


def closed_sets(links: Links, size: int) -> Iterator[tuple[int, ...]]:
    """Sets of `size` numbers with `size` others between them, one of which another number has."""
    few = sorted(each for each, others in links.items() if others.bit_count() <= size)
    for several in combinations(few, size):
        others = reduce(or_, map(links.__getitem__, several))
        if others.bit_count() == size and any(
            others & links[each] for each in links if each not in several
        ):
            yield several


@lru_cache(64)
def sight(layout: Layout) -> list[int]:
    """For each cell, the cells that it sees in its houses."""
    sight = [0] * len(layout.cells)
    for offsets in layout.offsets:
        for at, other in permutations(offsets, 2):
            sight[at] |= 1 << other
    return sight


def divided(pair: int, one: int, other: int) -> bool:
    """True if it is two cells, and each of two others sees one of them."""
    parts = pair & one, pair & other
    return pair.bit_count() == 2 and all(parts) and parts[0] | parts[1] == pair


# --- chains ---


class ChainFilter:
    """Candidates that a chain may use, since a walk that would remove a candidate visits them.

    A walk follows strong and weak links in turn, and may visit a candidate twice, a chain only
    once. `technique` is a key of `TECHNIQUES`: an X-chain has one digit, an XY-chain passes through
    cells with two candidates, and only nodes of a grouped AIC are groups.
    """

    def __init__(self, technique: str, layout: Layout, candidates: Collection[Placement]) -> None:
        self._places = places = sorted(candidates)
        bit = {place: 1 << number for number, place in enumerate(places)}
        cells: dict[Cell, int] = defaultdict(int)
        houses: dict[tuple[int, int], int] = defaultdict(int)
        numbers: dict[Cell, list[int]] = defaultdict(list)
        for number, house in enumerate(layout.houses):
            for cell in house.cells:
                numbers[cell].append(number)
        for place in places:
            cells[place.cell] |= bit[place]
            for number in numbers[place.cell]:
                houses[number, place.digit] |= bit[place]

        # A node is a set of candidates, and it clashes with what clashes with all of them.
        groups = _groups(layout, houses) if technique == "grouped_aic" else set()
        self._nodes = nodes = [*bit.values(), *groups]
        in_houses = {
            one: union(houses[number, place.digit] for number in numbers[place.cell]) & ~one
            for place, one in bit.items()
        }
        through_cells = technique in ("aic", "grouped_aic")
        self._clash = []
        for node in nodes:
            common = -1
            for number in members(node):
                common &= in_houses[1 << number]
            if through_cells and node.bit_count() == 1:
                common |= cells[places[node.bit_length() - 1].cell] & ~node
            self._clash.append(common)

        truths = [] if technique == "xy_chain" else [*houses.values()]
        truths += [] if technique == "x_chain" else [*cells.values()]
        index = {node: number for number, node in enumerate(nodes)}
        from_first: dict[int, list[int]] = defaultdict(list)
        for node in nodes:
            from_first[node & -node].append(node)
        self._strong = [0] * len(nodes)
        for truth in {*truths}:
            for node in (each for first in members(truth) for each in from_first[1 << first]):
                if not node & ~truth and truth & ~node in index:
                    self._strong[index[node]] |= 1 << index[truth & ~node]

        # The nodes that clash with a candidate: an end of a chain that removes it, or, for each
        # candidate of a node, the other end of a weak link.
        self._against = [0] * len(places)
        for number, strong in enumerate(self._strong):
            for candidate in members(self._clash[number]) if strong else ():
                self._against[candidate] |= 1 << number
        self._weak = [-1 if strong else 0 for strong in self._strong]
        for number, node in enumerate(nodes):
            for candidate in members(node):
                self._weak[number] &= self._against[candidate]

    def worth(self, longest: int) -> Iterator[tuple[int, list[Placement]]]:
        """Yield numbers of strong links, from 2, with the candidates on walks up to that length.

        Numbers without such walks are left out.
        """
        reaches = [_Reach(ends) for ends in self._against if ends]
        for number in range(longest):
            for reach in reaches:
                reach.extend(self._strong, self._weak)
            if returned := [reach for reach in reaches if reach.returned]:
                nodes = union(reach.nodes(number) for reach in returned)
                candidates = union(self._nodes[node] for node in members(nodes))
                if number:
                    yield number + 1, [self._places[each] for each in members(candidates)]
            elif not any(reach.off[-1] for reach in reaches):
                return


class _Reach:
    """The nodes on walks from those that clash with a candidate, which are off if it is true."""

    def __init__(self, ends: int) -> None:
        self._ends = ends
        self.off = [ends]
        """For each number of pairs of links, the nodes that are first off after them."""
        self.on: list[int] = []
        """The nodes that are first on one strong link later."""
        self._known_off, self._known_on = ends, 0

    def extend(self, strong: Sequence[int], weak: Sequence[int]) -> None:
        """Follow one more strong link, then one more weak link."""
        self.on.append(union(strong[node] for node in members(self.off[-1])) & ~self._known_on)
        self._known_on |= self.on[-1]
        self.off.append(union(weak[node] for node in members(self.on[-1])) & ~self._known_off)
        self._known_off |= self.off[-1]

    @property
    def returned(self) -> bool:
        """True if a node that clashes with the candidate is on, which is a contradiction."""
        return bool(self._known_on & self._ends)

    def nodes(self, number: int) -> int:
        """The nodes on walks that return after a strong link and up to `number` pairs of links."""
        nodes = reachable = 0
        for off, on in zip(self.off[number::-1], self.on, strict=False):
            reachable |= on
            nodes |= off & reachable
        return nodes


def _groups(layout: Layout, houses: dict[tuple[int, int], int]) -> set[int]:
    """The candidates of a digit where a line crosses a box or region, and all but one of them.

    The one that is left out is in such a group of another line, so there is a strong link.
    """
    groups: set[int] = set()
    lines = [at for at, house in enumerate(layout.houses) if house.kind in ("row", "column")]
    areas = [at for at, house in enumerate(layout.houses) if house.kind in ("box", "region")]
    for area, digit in ((area, digit) for area, digit in houses if area in areas):
        whole = {houses.get((line, digit), 0) & houses[area, digit] for line in lines}
        several = {node for node in whole if node.bit_count() > 1}
        groups |= several
        for one, other in permutations(several, 2):
            if (one & other).bit_count() == 1 and one.bit_count() > 2:
                groups.add(one & ~other)
    return groups


# --- bits ---


def members(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)
