"""Each rule of each encoding dropped or changed: small instances must notice every one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from clingo.ast import AST, parse_string
from helpers.gallery import ENCODINGS, SMALL, WRONG, Answer, Encoding, answers
from helpers.jigsaws import jigsaw
from helpers.mutants import BATTERY, QUIET, grounds, judged, mutants_of_encoding, solutions

from pylogic_sudoku import Grid, Puzzle


class Instance(NamedTuple):
    facts: str
    options: list[str]
    expected: frozenset[Answer]


JIGSAWS = [jigsaw(4, 2, 1), jigsaw(4, 2, 2, marked=4), jigsaw(6, 6, 1, marked=6)]


def of(encoding: Encoding, puzzle: Grid | Puzzle, more: str = "") -> Instance:
    """The puzzle, with more facts that leave it its solutions."""
    expected = frozenset(map(encoding.shown, solutions(puzzle)))
    return Instance(f"{encoding.givens(puzzle)} {more}", encoding.options(puzzle.box), expected)


def instances(encoding: Encoding) -> Iterator[Instance]:
    for puzzle in BATTERY:
        if encoding.claims(puzzle.box):
            yield of(encoding, puzzle)
    if encoding.name == "sudoku":
        for puzzle in (*JIGSAWS, *BATTERY[:7]):
            cells = [
                f"house({house.kind},{house.number},{x},{y})"
                for house in puzzle.houses
                for x, y in house.cells
            ]
            houses = " ".join(f":- not {each}." for each in cells)
            number = "#count { K,N,X,Y : house(K,N,X,Y) }"
            yield of(encoding, puzzle, f"{houses} :- {number} != {len(cells)}.")
        # A rule without its module, and one with a module that demands nothing.
        yield Instance("rule(1,fog).", encoding.options(SMALL), frozenset())
        yield of(encoding, BATTERY[0], "rule(1,fog). kind(fog).")
    for given in filter(None, (encoding.given, encoding.also_given)):
        for facts in WRONG.values():
            yield Instance(facts.format(given), encoding.options(SMALL), frozenset())


def noticed(program: str, instance: Instance) -> bool:
    """True if the answers are not exactly those expected, each once, without a grumble."""
    facts, options, expected = instance
    found, grumbles = answers(program, facts, options, limit=len(expected) + 1)
    return bool(grumbles) or len(found) != len(expected) or frozenset(found) != expected


# What the battery cannot notice: patterns of the names of mutants, and why they mean the same.
HALVES = "as many digits as cells: none twice, and every cell or digit once, follow from each other"
ORDER = "the clash of two cells is stated for either order of them, and one is enough"
INJECTIVE = "other numbers for the boxes, but no two boxes get the same"
INSIDE = "there are no cells outside the grid to count"
EQUIVALENT: dict[str, dict[str, str]] = {
    "sudoku": {
        "{ sudoku(X,Y,N) : digit(N) } = 1 * = 1 -> [<>]=": HALVES,
        ":- house(*) } = 1. | * = 1 -> [<>]=": HALVES,
    },
    "pairwise": {
        "{ sudoku(X,Y,N) : digit(N) } = 1 * = 1 -> >=": HALVES,
        ":- * | [XY] != [AB] -> [XY] < [AB]": ORDER,
        ":- * same_box(X,Y,A,B), * | without [XY] != [AB]": (
            "cells that share a row or a column as well as a box clash there already"
        ),
    },
    "numbered_box": {
        "{ numberAt(Row,Column,Number) : * = 1 -> >=": HALVES,
        ":- * | * < Other -> * > Other": ORDER,
        "inBox(* | *+((Column-1)/box_columns)) -> *-((Column-1)/box_columns))": INJECTIVE,
    },
    "subgrid_labels": {
        "{ sudoku(X,Y,N) : digit(N) } = 1 * = 1 -> >=": HALVES,
        ":- * | * < * -> * > *": ORDER,
        "label(* | *+((Y-1)/Side)) -> *-((Y-1)/Side))": INJECTIVE,
        "* | without not initial(X,Y,N)*": (
            "to choose a digit for a cell that has one only makes the ground program larger"
        ),
        ":- initial(X,Y,N), initial(X,Y,M), N < M. | dropped": (
            "one digit too many for the row: the search finds out, where this rule knows at once"
        ),
    },
    "cardinality": {
        "{ sudoku(X,Y,N) : digit(N) } = 1 * = 1 -> [<>]=": HALVES,
        ":- * } = 1. | * = 1 -> [<>]=": HALVES,
        ":- * | without row(X) after the colon": INSIDE,
        ":- * | without column(Y) after the colon": INSIDE,
    },
}


# The encoding that the package runs is always mutated, those to read by the slow tests.
@pytest.fixture(
    params=[
        pytest.param(e, marks=[] if e.name == "sudoku" else pytest.mark.slow) for e in ENCODINGS
    ],
    ids=lambda encoding: encoding.name,
)
def encoding(request: pytest.FixtureRequest) -> Encoding:
    return request.param


@pytest.mark.slow
def test_every_mutant_of_an_encoding_is_noticed(encoding):
    checks = list(instances(encoding))
    killed, alive = [], []
    for mutant in mutants_of_encoding(encoding.program):
        if grounds(mutant.program, encoding):
            dead = any(noticed(mutant.program, check) for check in checks)
            (killed if dead else alive).append(mutant.name)
    judged(killed, alive, EQUIVALENT.get(encoding.name, {}))


def test_an_encoding_that_is_only_written_anew_is_not_noticed(encoding):
    """Else the battery would notice how mutants are made, not what is wrong with them."""
    statements: list[AST] = []
    parse_string(encoding.program, statements.append)
    anew = "\n".join(str(part) for part in statements if part.ast_type not in QUIET)
    for check in instances(encoding):
        assert not noticed(encoding.program, check)
        assert not noticed(anew, check)
