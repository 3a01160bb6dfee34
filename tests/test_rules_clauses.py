"""Rules beyond plain sudoku in clauses: the smallest ones of each part, and what they do not reach.

That the same grids satisfy them as obey the rules is what test_rules asks the sat engine.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path

import pytest
from helpers.oracle import full_grid
from helpers.rule_instances import a_rule
from helpers.rules import MAKERS, fitting

import pylogic_sudoku as pls
from pylogic_sudoku import BackendFailure, Cell, Puzzle
from pylogic_sudoku.engines.sudoku import get
from pylogic_sudoku.proofs.checker import Propagation, _Prepared
from pylogic_sudoku.puzzle.cells import Layout
from pylogic_sudoku.rules import define, from_json, nonconsecutive
from pylogic_sudoku.rules.base import Part
from pylogic_sudoku.rules.clauses import (
    Claim,
    Clause,
    _of_part,
    clauses_of,
    literal,
    of_layout,
)

SMALL = Layout((2, 2))
NINE = Layout((3, 3))
DIAGONAL = [f"r{at}c{at}" for at in range(1, 10)]
ROW = [f"r1c{at}" for at in range(1, 10)]
LINE = [*ROW, *(f"r2c{at}" for at in range(9, 0, -1))]
"""Cells that touch."""


@pytest.fixture(params=sorted(MAKERS))
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def passing(part: Part, place: Sequence[Cell], size: int) -> Iterator[dict[Cell, int]]:
    """The digits of the cells that pass."""
    cells = sorted(set(place))
    for choice in product(range(1, size + 1), repeat=len(cells)):
        held = dict(zip(cells, choice, strict=True))
        if part.passes(*(held[each] for each in place)):
            yield held


def smallest(part: Part, place: tuple[Cell, ...], size: int) -> set[Clause]:
    """By definition: what no digits complete, though they complete all but any one of it."""
    cells = sorted(set(place))
    digits = range(1, size + 1)
    possible = {
        frozenset(some)
        for held in passing(part, place, size)
        for number in range(len(cells) + 1)
        for some in combinations(held.items(), number)
    }
    found = set()
    for number in range(len(cells) + 1):
        for where in combinations(cells, number):
            for choice in product(digits, repeat=number):
                some = frozenset(zip(where, choice, strict=True))
                if some not in possible and all(some - {each} in possible for each in some):
                    found.add(tuple(-literal(size, (*cell, d)) for cell, d in sorted(some)))
    return found


@pytest.mark.one_in(3)
def test_the_clauses_of_each_part_are_the_smallest_ones(kind):
    rng = random.Random(kind)
    tried = 0
    for seed in range(6):
        rule = MAKERS[kind](rng, full_grid((2, 2), seed))
        expected: set[Clause] = set()
        parts = [
            (part._replace(sorts=()), list(map(tuple, part.places))) for part in rule.parts(SMALL)
        ]
        if any(len(set(place)) > 4 for _, places in parts for place in places):
            continue
        found: list[Clause] = []
        for part, places in parts:
            found += _of_part(part._replace(places=places), 4)
            for place in places:
                expected |= smallest(part, place, 4)
        assert set(found) == expected, rule
        tried += 1
    assert tried


def test_propagation_excludes_a_digit_for_which_nothing_is_left():
    """The sum of two cells is 10, and one does not hold 3: the other does not hold 7."""
    rule = from_json(a_rule("pair_sum", ["r1c1", "r5c5"], value=10))
    puzzle = Puzzle("." * 81, rules=[rule], marks={"r1c1": [1, 2, 4, 5, 6, 7, 8, 9]})
    state = Propagation(_Prepared(9, Claim(puzzle).clauses()))
    impossible = [digit for digit in range(1, 10) if state.follows((-literal(9, (5, 5, digit)),))]
    assert impossible == [7]


@pytest.mark.parametrize("rounds", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_prolog_finds_that_each_clause_follows_from_its_rule(kind, rounds):
    """By its own programs for the rules, before it checks a proof."""
    rng = random.Random(kind)
    for seed in range(rounds):
        rule = MAKERS[kind](rng, fitting(kind, (2, 2), seed) or full_grid((2, 2), seed))
        try:
            clauses = clauses_of(rule, SMALL)
        except BackendFailure:  # it is too large
            assert kind in ("any_of", "arrow")
            continue
        if len(clauses) < 500:
            puzzle = Puzzle("." * 16, rules=[rule])
            no_lemmas = get("prolog").first_refused(Claim(puzzle), ())
            assert no_lemmas == 0 or pls.solve(puzzle) is None


@pytest.mark.parametrize(
    ("rule", "numbers"),
    [
        (a_rule("different", DIAGONAL), {2: 36 * 9}),
        (a_rule("killer_cage", DIAGONAL), {2: 36 * 9}),
        (a_rule("killer_cage", DIAGONAL[:8], sum=40), {1: 8, 2: 28 * 8}),
        (a_rule("killer_cage", DIAGONAL[:3], sum=6), {1: 18, 2: 9}),
        (a_rule("pair_sum", DIAGONAL[:2], value=10), {2: 72 + 18}),
        (a_rule("thermometer", DIAGONAL[:2]), {1: 2, 2: 28 + 2, **dict.fromkeys(range(3, 8), 2)}),
        (a_rule("anti_knight"), {2: 224 * 9}),
        (nonconsecutive().to_json(), {2: 144 * 16, 8: 144 * 14}),
        (a_rule("rellik_cage", DIAGONAL[:4], sum=3), {1: 4, 2: 6 * 8 + 12, 7: 12 * 2}),
        (a_rule("contains", DIAGONAL[:4], digits=[1, 1]), {3: 4}),
        (a_rule("look_and_say", DIAGONAL, digits=[7], counts=[2]), {3: 84, 8: 9}),
        (a_rule("global_entropy"), {12: 3 * 64}),
        (a_rule("contains", DIAGONAL[:4], digits=[1, 2, 3, 4]), {1: 20, 2: 24}),
        (a_rule("index", ROW, control=["r1c1"], value=3), {1: 1, 2: 64 + 8}),
    ],
    ids=str,
)
def test_the_numbers_of_clauses_are_those_by_hand(rule, numbers):
    """By the number of literals."""
    lengths = [len(clause) for clause in clauses_of(from_json(rule), NINE)]
    assert {length: lengths.count(length) for length in set(lengths)} == numbers


def test_clauses_that_the_houses_have_are_the_same_ones():
    row = from_json(a_rule("different", ROW))
    assert of_layout(Layout((3, 3), None, (row,))) == of_layout(NINE)


def test_a_rule_that_no_digits_obey_is_a_contradiction():
    options = a_rule("killer_cage", ["r1c1", "r1c2"], sum=2)
    rule = from_json(a_rule("any_of", options=[[options]]))
    assert clauses_of(rule, NINE) == ((),)


ALTERNATIVES = [
    [a_rule("little_killer", DIAGONAL[:4], sum=9)],
    [
        a_rule("different", ROW[3:]),
        a_rule("arrow", circle=ROW[1:2], arm=ROW[2:4]),
    ],
]
TWO_CHESS = [[a_rule("anti_knight")], [a_rule("anti_king")]]
TOO_MANY = "cells of it depend on each other, too many to try all digits"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (a_rule("skyscraper", ROW, value=3), f"9 {TOO_MANY}"),
        (a_rule("little_killer", DIAGONAL[:6], sum=30), "it would take more than 30,000"),
        (a_rule("any_of", options=ALTERNATIVES), f"6 {TOO_MANY}"),
        (a_rule("any_of", options=TWO_CHESS), "it would take more than 40,000"),
    ],
    ids=["cells", "clauses", "options", "clauses in all"],
)
def test_what_clauses_do_not_reach_is_refused(rule, why, monkeypatch):
    monkeypatch.setattr("pylogic_sudoku.rules.clauses.MAX_IN_ALL", 40_000)  # else it takes long
    rule = from_json(rule)
    message = f"{rule}: clauses cannot say this rule: {why}; solve, count and compare by clingo or"
    with pytest.raises(BackendFailure, match=f"^{re.escape(message)} prolog"):
        of_layout(Layout((3, 3), None, (rule,)))


def test_a_rule_of_ones_own_needs_python_and_its_cells():
    asp = "kind(low). violated(R) :- rule(R,low), holds(R,cells,_,N), N > 2."
    low = define("low", asp=asp)("r1c1 r4c4")
    with pytest.raises(BackendFailure, match="this rule: it is not written in Python;"):
        clauses_of(low, SMALL)

    def holds(rule, digits):
        return all(digits[cell] <= 2 for cell in rule.cells)

    low = define("low", asp=asp, holds=holds)("r1c1 r4c4")
    assert sorted(clauses_of(low, SMALL)) == [(-64,), (-63,), (-4,), (-3,)]
    low = define("low", asp=asp, holds=lambda _rule, digits: min(digits.values()) < 2)("r1c1")
    with pytest.raises(BackendFailure, match="it is about cells that it does not name;"):
        clauses_of(low, SMALL)


LARGEST = {
    "arrow": lambda more: {"circle": LINE[:1], "arm": LINE[1 : 8 + more]},
    "total": lambda more: {"cells": LINE[: 5 + more], "sum": 5 * (5 + more)},
    "little_killer": lambda more: {"cells": LINE[: 5 + more], "sum": 5 * (5 + more)},
    "double_arrow": lambda more: {"cells": LINE[: 5 + more]},
    "sum_line": lambda more: {"cells": LINE[: 5 + more], "sum": 10},
    "automaton": lambda more: {"cells": LINE[: 5 + more], "regex": ".*([12]3|[45]6).*"},
    "hidden_skyscraper": lambda more: {"cells": LINE[: 5 + more], "value": 2},
    "lunchbox": lambda more: {"cells": LINE[: 5 + more], "sum": 10},
    "sandwich": lambda more: {"cells": LINE[: 5 + more], "sum": 10},
    "skyscraper": lambda more: {"cells": LINE[: 5 + more], "value": 2},
    "x_sum": lambda more: {"cells": LINE[: 5 + more], "sum": 10},
    "region_sum_line": lambda more: {"cells": [*ROW[1 - more : 3], *ROW[3:6]]},
    "same_values": lambda more: {"groups": [ROW[: 2 + more], DIAGONAL[5 : 7 + more]]},
    "contains": lambda more: {"cells": LINE[: 6 + more], "digits": [1, 2, 3, 4]},
    "rellik_cage": lambda more: {"cells": LINE[: 7 + more], "sum": 20},
    "counting_circles": lambda more: {"cells": LINE[: 10 + more]},
    "look_and_say": lambda _: {"cells": LINE[:13], "digits": [1, 2, 3], "counts": [1, 2, 3]},
    "count_different": lambda more: {"control": ["r9c9"], "cells": LINE[: 4 + more]},
    "any_of": lambda more: {
        "options": [
            [a_rule("total", LINE[: 3 + more], sum=9)],
            [a_rule("thermometer", LINE[4:9])],
        ]
    },
}
"""The largest rule that the table in ``docs/rules.md`` promises, and one with a cell more."""


def test_the_table_has_every_kind_with_a_limit():
    text = (Path(__file__).parent.parent / "docs" / "rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`\w+`.*) \| (.*) \|$", text, re.MULTILINE)
    limited = [kind for kinds, _ in rows for kind in re.findall(r"`(\w+)`", kinds)]
    assert sorted(set(limited) & set(MAKERS)) == sorted(LARGEST)
    for kind in set(MAKERS) - set(LARGEST):
        clauses_of(MAKERS[kind](random.Random(kind), full_grid((3, 3), 1)), NINE)


@pytest.mark.slow
@pytest.mark.parametrize("kind", LARGEST)
def test_the_table_is_right(kind):
    assert clauses_of(from_json({"rule": kind, **LARGEST[kind](0)}), NINE)
    if kind not in ("look_and_say", "rellik_cage"):
        with pytest.raises(BackendFailure):
            clauses_of(from_json({"rule": kind, **LARGEST[kind](1)}), NINE)
