"""Results at the prompt: a repr of one short line, and values that can be copied and compared."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, product

import numpy
import pytest
from helpers.puzzles import CLASSIC, TWO
from helpers.puzzles import SMALL as EASY

import pylogic_sudoku as pls
from pylogic_sudoku import draw
from pylogic_sudoku.check import Verdict
from pylogic_sudoku.explain import Foil
from pylogic_sudoku.rules import Thermometer

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
    "redundant": (
        lambda: pls.redundant(EASY),
        "<Redundancy: Nothing is redundant: without any given, the puzzle has several solutions>",
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
        lambda: pls.EngineResult(frozenset([GRID, OTHER]), False, 0.00123456),
        "<EngineResult: solutions=2, complete=False, seconds=0.00123>",
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
        "clingo": pls.EngineResult(frozenset([OTHER]), True, 0.5),
        "prolog": pls.EngineResult(frozenset(), True, 0.5),
    }
    comparison = pls.Comparison(
        GRID, answers, {"clingo": frozenset(), "prolog": frozenset([OTHER])}
    )
    assert repr(comparison) == "<Comparison: disagree, solutions: clingo 1, prolog 0>"
    with pytest.raises(pls.Disagreement) as caught:
        comparison.check()
    assert len(str(caught.value)) < 300


# === A puzzle argument takes every form of a puzzle ==============================================

FULL = pls.Grid.parse("4312124324313124")
BY_VALUE: dict[str, Callable[[object], object]] = {
    "is_solution_of": lambda puzzle: FULL.is_solution_of(puzzle),
    "holds": lambda puzzle: pls.Puzzle(FULL).holds(puzzle),
    "with_grid": lambda puzzle: (pls.Puzzle(FULL).with_grid(puzzle), FULL.with_grid(puzzle)),
    "Grid.to_svg": lambda puzzle: FULL.to_svg(puzzle),
    "Picture": lambda puzzle: draw.Picture(puzzle).to_svg(),
    "Picture's puzzle": lambda puzzle: draw.Picture(FULL, puzzle).to_svg(),
    "mistakes": lambda puzzle: draw.mistakes(FULL, puzzle) + draw.mistakes(puzzle, FULL),
    "difference": lambda puzzle: (draw.difference(FULL, puzzle), draw.difference(puzzle, FULL)),
    "pencil_marks": draw.pencil_marks,
    "Puzzle": pls.Puzzle,
    "solve": pls.solve,
    "why": lambda puzzle: pls.why(puzzle, "r1c2").text(),
    "find": lambda puzzle: len(
        pls.techniques.find(puzzle, draw.pencil_marks(EASY), "naked single")
    ),
}


@pytest.mark.parametrize("ask", BY_VALUE.values(), ids=BY_VALUE)
def test_a_puzzle_argument_takes_every_form_of_a_puzzle(ask):
    value = pls.Grid.parse(EASY)
    expected = ask(value)
    rows = [list(row) for row in value.rows]
    others = (EASY, value.format("pretty"), rows, numpy.array(rows), value.to_json())
    for other in (*others, value.to_puzzle(), value.to_puzzle().to_json()):
        assert ask(other) == expected, other


@pytest.mark.parametrize("ask", BY_VALUE.values(), ids=BY_VALUE)
@pytest.mark.parametrize("wrong", [5, b"1", "1 2 nothing", [[1], [2]], {"grid": 3}, object()])
def test_what_is_no_puzzle_is_an_invalid_puzzle(ask, wrong):
    with pytest.raises(pls.InvalidPuzzle):
        ask(wrong)


def test_a_picture_of_a_text_with_rules_draws_them():
    text = pls.Puzzle("." * 16, rules=[Thermometer("r1c1 r1c2")]).format("json")
    assert draw.Picture(text).to_svg() == pls.Puzzle.parse(text).to_svg()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ["clingo", "prolog:classic", "clingo:pairwise"])
@pytest.mark.parametrize("limit", [None, 5])
def test_a_copy_of_a_trace_goes_on_where_the_trace_is(engine, limit):
    search = pls.trace(CLASSIC, engine, limit)
    for taken in range(3):
        again = pickle.loads(pickle.dumps(search))
        other = copy.copy(search)
        assert (again.backend, again.puzzle) == (engine, pls.Grid.parse(CLASSIC))
        rest = list(again)
        assert rest == list(other)
        assert again.counts == pls.trace(CLASSIC, engine).counts
        assert rest == list(pls.trace(CLASSIC, engine, limit))[taken:]
        if rest:
            assert next(search) == rest[0]
