"""Variants of a puzzle, whose solutions follow from those of the puzzle.

A *part* is a given, a mark or a rule: with one part more, a puzzle keeps those solutions that obey
it. A `Symmetry` carries the solutions over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from ._symmetry import Symmetry
from .formats import as_puzzle
from .grid import Grid, Placement
from .puzzle import Mark, Puzzle

if TYPE_CHECKING:
    from .rules import Rule

__all__ = ["Change", "Part", "Variant", "changed", "parts", "variants", "with_only"]

AnyPuzzle = Grid | Puzzle

Part = Union[Placement, Mark, "Rule"]
"""A given, a mark or a rule."""
Change = Symmetry | Part
"""A symmetry, or a part that is added."""


def parts(puzzle: AnyPuzzle) -> tuple[Any, ...]:
    """The givens, then the marks, then the rules."""
    if isinstance(puzzle, Grid):
        return puzzle.givens
    return (*puzzle.givens, *puzzle.marks, *puzzle.rules)


def with_only(puzzle: AnyPuzzle, kept: Iterable[Any]) -> AnyPuzzle:
    """The same boxes or regions, with these parts and no others."""
    kept = list(kept)
    grid = Grid.of((part for part in kept if isinstance(part, Placement)), puzzle.box)
    marks = [part for part in kept if isinstance(part, Mark)]
    rules = [part for part in kept if not isinstance(part, Placement | Mark)]
    return as_puzzle(Puzzle(grid, puzzle.layout.regions, marks, rules))


def changed(puzzle: AnyPuzzle, change: Change) -> AnyPuzzle:
    """The puzzle carried over, or with the part added; ValueError if that is not possible."""
    if isinstance(change, Symmetry):
        return change(puzzle)
    if isinstance(change, Placement) and puzzle[change.cell]:
        raise ValueError(f"{change.cell} has a digit already")
    return with_only(puzzle, (*parts(puzzle), change))


# --- variants -----------------------------------------------------------------------------


class Variant(NamedTuple):
    """Two puzzles: one, and what a change makes of it."""

    puzzle: AnyPuzzle
    change: Change
    changed: AnyPuzzle

    def beside(self, one: AnyPuzzle) -> AnyPuzzle:
        """The other one of the two."""
        return self.changed if one == self.puzzle else self.puzzle

    def __str__(self) -> str:
        return f"{self.puzzle} with {self.change}"

    def __repr__(self) -> str:
        return f"<Variant: {self!s:.150}>"


def variants(puzzle: AnyPuzzle, number: int, seed: object, known: Grid | None) -> Iterator[Variant]:
    """Different variants, up to this number; one of the two puzzles of each is this one.

    They are in turn an image, a puzzle without a part, and one with another part; the same seed
    chooses the same ones. Half of the digits that are added come from `known`, a solution.
    """
    random = Random(f"{seed} {puzzle}")
    seen = {puzzle}
    for make in islice(cycle((_image, _without, _with)), 6 * number):
        variant = make(puzzle, random, known)
        if variant and (other := variant.beside(puzzle)) not in seen:
            seen.add(other)
            yield variant
            if len(seen) > number:
                return


def _image(puzzle: AnyPuzzle, random: Random, _known: Grid | None) -> Variant | None:
    layout = puzzle.layout
    same = Symmetry.identity(layout.size)
    if not same.keeps(layout):
        return None
    digits = same.digits if layout.rules else tuple(random.sample(same.digits, layout.size))
    if layout.rules or layout.regions:
        rows, columns = (random.choice((same.rows, same.rows[::-1])) for _ in range(2))
    else:
        rows, columns = (_shuffled(layout.size, height, random) for height in layout.box)
    symmetry = Symmetry(digits, rows, columns, random.random() < 0.5)
    return Variant(puzzle, symmetry, symmetry(puzzle))


def _shuffled(size: int, height: int, random: Random) -> tuple[int, ...]:
    """The numbers of lines, with whole bands of this height moved, and lines within them."""
    bands = [range(start, start + height) for start in range(1, size + 1, height)]
    random.shuffle(bands)
    return tuple(chain.from_iterable(random.sample(band, height) for band in bands))


def _without(puzzle: AnyPuzzle, random: Random, _known: Grid | None) -> Variant | None:
    all_parts = parts(puzzle)
    if not all_parts:
        return None
    at = random.randrange(len(all_parts))
    less = with_only(puzzle, all_parts[:at] + all_parts[at + 1 :])
    return Variant(less, all_parts[at], puzzle)


def _with(puzzle: AnyPuzzle, random: Random, known: Grid | None) -> Variant | None:
    empty = [cell for cell in puzzle.cells if not puzzle[cell]]
    if not empty:
        return None
    cell, every = random.choice(empty), range(1, puzzle.size + 1)
    part: Part
    marked = [mark.cell for mark in getattr(puzzle, "marks", ())]
    if marked and cell not in marked and random.random() < 0.5:
        part = Mark(cell, frozenset(random.sample(every, random.choice(every[:-1]))))
    elif known and random.random() < 0.5:
        part = Placement(*cell, known[cell])
    else:
        part = Placement(*cell, random.choice(every))
    return Variant(puzzle, part, changed(puzzle, part))
