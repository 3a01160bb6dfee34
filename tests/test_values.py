"""Results at the prompt: a repr of one short line, and values that can be copied and compared."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, product

import pytest
from helpers.puzzles import CLASSIC, TWO
from helpers.puzzles import SMALL as EASY

import pylogic_sudoku as pls
from pylogic_sudoku.check import Verdict
from pylogic_sudoku.explain import Foil

GRID = pls.Grid.parse(CLASSIC)
OTHER = pls.Grid(tuple(digit and digit % 9 + 1 for digit in GRID.digits), GRID.box)
CERTIFICATE = replace(pls.certify(EASY), maker="clingo")
EVERYTHING = tuple(product(range(1, 10), repeat=3))

# How to get one of every kind of result, and how it shows itself; "" if there are times in it.
RESULTS: dict[str, tuple[Callable[[], object], str]] = {
    "grid": (lambda: GRID, f"Grid.parse('{CLASSIC}')"),
    "puzzle": (
        lambda: pls.Puzzle(TWO, "1112 1222 3334 3444", {"r1c3": {3, 4}}, title="Mine"),
        f"<Puzzle {TWO}, 4 regions, 1 mark, 'Mine'>",
    ),
    "house": (lambda: GRID.houses[0], "<House row 1: 9 cells>"),
    "conflict": (
        lambda: pls.Grid.parse("11..............").duplicates()[0],
        "Duplicate(digit=1, cells=(Cell(row=1, column=1), Cell(row=1, column=2)),"
        " houses=('row 1', 'box 1'))",
    ),
    "why, given": (lambda: pls.why(CLASSIC, "r1c1"), "<Given: r1c1 is 5 because it is given>"),
    "why, forced": (lambda: pls.why(CLASSIC, "r5c5"), "<Forced r5c5 = 5: 9 rules, 8 givens>"),
    "why, open": (lambda: pls.why("...." * 4, "r1c3"), ""),
    "the MUS of an explanation": (lambda: pls.why(CLASSIC, "r5c5").mus, "<Mus: 17 demands>"),
    "why_not": (lambda: pls.why_not(CLASSIC, "r1c3", 7), ""),
    "why_not, nothing": (
        lambda: pls.why_not(EASY, "r2c1", 1),
        "<Removal: r2c1 can be 1: no given has to go>",
    ),
    "conflicts": (lambda: pls.conflicts("11.............."), "<Clash: 2 givens>"),
    "conflicts, none": (
        lambda: pls.conflicts(EASY),
        "<Solvable: No givens clash, as a solution shows>",
    ),
    "ambiguity": (
        lambda: pls.ambiguity(TWO),
        "<Ambiguity: The puzzle has 2 solutions, which differ in r1c3, r1c4, r3c3 and r3c4>",
    ),
    "hint": (lambda: pls.hint(EASY), "<Step: naked single places r1c4 = 2>"),
    "a step that removes much": (
        lambda: replace(pls.hint(EASY), technique="pointing", placed=None, removed=EVERYTHING),
        "<Step: pointing removes 729 candidates>",
    ),
    "rating": (lambda: pls.rate(EASY), "<Rating: easy (48, naked single)>"),
    "certificate": (lambda: CERTIFICATE, "<Certificate: unique, 0 lemmas by clingo>"),
    "comparison": (
        lambda: pls.compare(TWO),
        "<Comparison: agree, solutions: clingo 2, prolog 2>",
    ),
    "answer": (
        lambda: pls.Answer(frozenset([GRID, OTHER]), False, 0.00123456),
        "<Answer: solutions=2, complete=False, seconds=0.00123>",
    ),
    "cross_check": (
        lambda: next(pls.cross_check([TWO])),
        "<CrossCheck: <Comparison: agree, solutions: clingo 2, prolog 2>>",
    ),
    "cross_check, long error": (
        lambda: pls.CrossCheck(GRID, None, pls.BackendFailure("x" * 500)),
        "",
    ),
    "backends": (lambda: pls.backends()[0], ""),
    "picture": (lambda: pls.why(CLASSIC, "r5c5").picture(), "<Picture 'Why r5c5 is 5'>"),
    "picture, long title": (lambda: pls.draw.Picture(GRID, title="long " * 100), ""),
    "highlight": (
        lambda: pls.draw.difference(GRID, OTHER),
        "<Highlight 'differs': difference, 30 cells, 30 candidates>",
    ),
    "verdict": (
        lambda: Verdict("ex001", "wrong", 12, 5, 1, 2, OTHER, GRID, "r1c1 holds 4, but 5 is given"),
        "<Verdict ex001: failure, missing 1, extra 2, 12 ms>",
    ),
    "foil": (lambda: Foil(OTHER, GRID.givens[:2], 220, 417), ""),
}


@pytest.mark.parametrize(("make", "shown"), RESULTS.values(), ids=RESULTS)
def test_a_result_shows_itself_in_one_short_line(make, shown):
    result = repr(make())
    assert len(result) < 200
    assert "\n" not in result
    assert not shown or result == shown


@pytest.mark.parametrize("make", [make for make, _ in RESULTS.values()], ids=RESULTS)
@pytest.mark.parametrize(
    "again",
    [copy.copy, copy.deepcopy, lambda result: pickle.loads(pickle.dumps(result))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_of_a_result_is_equal_and_as_good_a_key(make, again):
    result = make()
    if isinstance(result, pls.CrossCheck) and result.error:
        assert again(result).error.args == result.error.args  # errors are not values
    else:
        assert again(result) == result
        assert {again(result): 1}[result] == 1
        assert repr(again(result)) == repr(result)


@pytest.mark.parametrize("make", [make for make, _ in RESULTS.values()], ids=RESULTS)
def test_a_result_is_frozen(make):
    result = make()
    fields = (getattr(result, name, ()) for name in ("_fields", "__dataclass_fields__"))
    for name in (*chain(*fields), "colour"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(result, name, None)


def test_steps_show_how_far_they_have_come():
    way = pls.steps(EASY)
    next(way)
    assert repr(way) == "<Steps: 11 empty cells>"
    assert len(list(way)) == 11
    assert repr(way) == "<Steps: 0 empty cells>"


def test_a_disagreement_says_how_many_solutions_each_engine_gave():
    answers = {
        "clingo": pls.Answer(frozenset([OTHER]), True, 0.5),
        "prolog": pls.Answer(frozenset(), True, 0.5),
    }
    comparison = pls.Comparison(
        GRID, answers, {"clingo": frozenset(), "prolog": frozenset([OTHER])}
    )
    assert repr(comparison) == "<Comparison: disagree, solutions: clingo 1, prolog 0>"
    with pytest.raises(pls.Disagreement) as caught:
        comparison.check()
    assert len(str(caught.value)) < 300
