"""Rules that count digits, point at cells, or choose among other rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice, product

from ..puzzle.cells import Layout
from .base import (
    PLAIN,
    Cage,
    CellSet,
    CellsField,
    Digit,
    DigitList,
    Digits,
    Example,
    Numbers,
    NumbersField,
    One,
    OptionsField,
    Part,
    Rule,
    Split,
    rule,
)


def _told_apart(digits: Numbers, layout: Layout, parts: Iterator[Part]) -> Iterator[Part]:
    """The parts, where it does not matter which one of the other digits a cell holds."""
    named = [(digit,) for digit in dict.fromkeys(digits)]
    others = tuple(digit for digit in range(1, layout.size + 1) if digit not in digits)
    for part in parts:
        yield part._replace(sorts=[*named, others] if others else named)


@rule
class Contains(Rule):
    """The digits are in the cells, as in a quadruple; a digit listed twice is there twice.

    With `exactly`, each of the digits is there as often as it is listed, and no more often.
    """

    cells: CellSet
    digits: DigitList
    exactly: bool = False

    example = Example(
        {"cells": "r2c2 r2c3 r3c2 r3c3", "digits": [1, 4, 4]}, PLAIN, "1234 3412 4321 2143"
    )

    def problems(self, layout: Layout) -> Iterator[str]:
        if not self.digits:
            yield "expected one digit or more"

    def holds(self, digits: Digits) -> bool:
        wanted, occurrences = Counter(self.digits), Counter(digits[cell] for cell in self.cells)
        if self.exactly:
            return all(occurrences[digit] == times for digit, times in wanted.items())
        return wanted <= occurrences

    def parts(self, layout: Layout) -> Iterator[Part]:
        return _told_apart(self.digits, layout, Rule.parts(self, layout))


@rule
class Index(Split):
    """If the control cell holds K, the K-th of the cells holds the value.

    So it is in indexing, where the cells are those of a row, column or box, and in numbered rooms,
    where they are seen from the clue and the first is the control.
    """

    control: One
    cells: CellsField
    value: Digit

    example = Example(
        {"control": "r1c1", "cells": "r1c1 r1c2 r1c3 r1c4", "value": 3},
        "2341 4123 1432 3214",
        PLAIN,
    )

    def problems(self, layout: Layout) -> Iterator[str]:
        if len(self.cells) > layout.size:
            yield f"{len(self.cells)} cells, but there are {layout.size} digits"

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(lambda at: at <= len(self.cells), [self.control])
        for number, cell in enumerate(self.cells, 1):
            yield Part(
                lambda at, digit, number=number: at != number or digit == self.value,
                [(*self.control, cell)],
            )


@rule
class CountingCircles(Rule):
    """A digit N that is in these cells is in exactly N of them."""

    cells: CellSet

    example = Example({"cells": "r1c1 r1c2 r2c3"}, "1234 3421 2143 4312", PLAIN)

    def holds(self, digits: Digits) -> bool:
        occurrences = Counter(digits[cell] for cell in self.cells)
        return all(digit == times for digit, times in occurrences.items())


@rule
class LookAndSay(Rule):
    """Each of the digits appears in exactly as many of the cells as its count says."""

    cells: CellSet
    digits: DigitList
    counts: NumbersField

    example = Example(
        {"cells": "r1c1 r1c2 r2c2", "digits": [4, 1], "counts": [1, 1]},
        PLAIN,
        "1234 4312 2143 3421",
    )

    def problems(self, layout: Layout) -> Iterator[str]:
        if len(self.digits) != len(self.counts) or not self.digits:
            yield f"{len(self.digits)} digits, but {len(self.counts)} counts"
        if len(set(self.digits)) < len(self.digits):
            yield "a digit is named twice"
        if min(self.counts, default=0) < 0:
            yield f"the counts have {min(self.counts)}; expected 0 or more"

    def holds(self, digits: Digits) -> bool:
        occurrences = Counter(digits[cell] for cell in self.cells)
        return all(
            occurrences[each] == times for each, times in zip(self.digits, self.counts, strict=True)
        )

    def parts(self, layout: Layout) -> Iterator[Part]:
        return _told_apart(self.digits, layout, Rule.parts(self, layout))


@rule
class CountDifferent(Rule):
    """The digit in the control cell is the number of different digits in the cells."""

    control: One
    cells: Cage

    example = Example(
        {"control": "r1c2", "cells": "r1c1 r2c2 r3c3 r4c4"},
        "1324 4213 3142 2431",
        "1234 4312 2143 3421",
    )

    def holds(self, digits: Digits) -> bool:
        return len({digits[cell] for cell in self.cells}) == digits[self.control[0]]


@rule
class AnyOf(Rule):
    """The rules of at least one of the options are obeyed."""

    options: OptionsField

    example = Example(
        {
            "options": [
                [{"rule": "thermometer", "cells": "r1c1 r1c2 r1c3"}],
                [
                    {"rule": "different", "cells": "r1c1 r2c2 r3c3 r4c4"},
                    {"rule": "killer_cage", "cells": "r1c1 r1c2", "sum": 7},
                ],
            ]
        },
        PLAIN,
        "2134 4312 1243 3421",
    )

    def problems(self, layout: Layout) -> Iterator[str]:
        if not self.options or not all(self.options):
            yield "expected one option or more, each with one rule or more"
        for each in chain(*self.options):
            yield from (f"{each}: {wrong}" for wrong in each.wrong(layout))

    def holds(self, digits: Digits) -> bool:
        return any(all(each.holds(digits) for each in option) for option in self.options)

    def parts(self, layout: Layout) -> Iterator[Part]:
        """For each choice of a part of each option: one of them passes."""
        options = [
            [
                part._replace(places=list(part.places))
                for each in option
                for part in each.parts(layout)
            ]
            for option in self.options
        ]
        yield from map(_either, product(*options))

    def __str__(self) -> str:
        return " or ".join(map(_together, self.options))


def _either(parts: tuple[Part, ...]) -> Part:
    """State that one of these parts passes, for each choice of their places."""

    def passes(*digits: int) -> bool:
        remaining = iter(digits)
        return any(part.passes(*islice(remaining, width)) for part, width in widths)

    choices = (tuple(chain(*places)) for places in product(*(part.places for part in parts)))
    widths = [(part, len(place)) for part in parts for place in list(part.places)[:1]]
    return Part(passes, choices)


def _together(option: tuple[Rule, ...]) -> str:
    """The rules of an option in words, in brackets where ``or`` might be taken otherwise."""
    parts = [f"({each})" if isinstance(each, AnyOf) else str(each) for each in option]
    return parts[0] if len(parts) == 1 else f"({', and '.join(parts)})"
