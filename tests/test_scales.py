"""Two scales of difficulty: figures that are known, and what follows from them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from helpers.puzzles import CLASSIC, PRINTED, SMALL

import pylogic_sudoku as pls
from pylogic_sudoku.explain import SudokuRule
from pylogic_sudoku.grid import Grid
from pylogic_sudoku.techniques import TECHNIQUES
from pylogic_sudoku.techniques._scales import SCALES, scale_of

HARD, _, MIDDLING, _ = PRINTED
EMPTY = Grid((0,) * 81, (3, 3))
FULL = tuple(tuple(frozenset(range(1, 10)) for _ in range(9)) for _ in range(9))
ONE, OTHER, THIRD = pls.Placement(1, 1, 1), pls.Placement(1, 5, 1), pls.Placement(5, 5, 2)


def step(technique: str, **parts) -> pls.Step:
    empty = {"must": (), "most": (), "placed": None, "removed": ()}
    return pls.Step(EMPTY, EMPTY, FULL, technique, **(empty | parts), scale="se")


@pytest.mark.parametrize(
    ("house", "rating"), [(("box", 1), 1.2), (("row", 1), 1.5), (("column", 1), 1.5)]
)
def test_a_hidden_single_is_easier_in_a_box(house, rating):
    rule = SudokuRule(("somewhere", *house, 1))
    assert step("hidden single", must=(rule,), placed=ONE).weight == rating


@pytest.mark.parametrize(
    ("length", "more"), [(4, 0), (5, 0.1), (6, 0.1), (8, 0.2), (12, 0.3), (16, 0.4), (24, 0.5)]
)
def test_a_chain_is_harder_the_longer_it_is(length, more):
    about_one_digit = ((ONE,), (OTHER,)) * (length // 2) + ((ONE,),) * (length % 2)
    assert step("X-chain", chain=about_one_digit).weight == round(6.6 + more, 1)
    assert step("continuous nice loop", chain=about_one_digit).weight == round(6.5 + more, 1)


def test_a_chain_about_cells_and_digits_is_harder():
    mixed = ((ONE,), (OTHER,), (pls.Placement(1, 5, 2),), (THIRD,))
    assert step("AIC", chain=mixed).weight == 7.0
    through_cells = ((ONE,), (ONE._replace(digit=2),), (OTHER._replace(digit=2),), (OTHER,))
    assert step("AIC", chain=through_cells).weight == 6.6


@pytest.mark.slow
def test_each_pointing_is_one_or_the_other():
    way = pls.steps(MIDDLING, scale="se")
    assert {each.weight for each in way if each.technique == "pointing"} <= {1.7, 2.6}


def test_pointing_that_leaves_one_place_is_easier():
    gone = tuple(pls.Placement(1, column, 1) for column in range(4, 9))
    must, most = SudokuRule(("somewhere", "box", 1, 1)), SudokuRule(("once", "row", 1, 1))
    pointing = step("pointing", must=(must,), most=(most,), removed=gone)
    assert pointing.weight == 2.6
    but = [frozenset({1, 2}) if column == 8 else frozenset({2, 3}) for column in range(9)]
    assert replace(pointing, candidates=(tuple(but), *FULL[1:])).weight == 1.7


def test_steps_are_tried_in_the_order_of_the_scale():
    for scale, first in (("hodoku", "naked single"), ("se", "hidden single")):
        assert pls.hint(SMALL, scale=scale).technique == first


@pytest.mark.parametrize("puzzle", [SMALL, CLASSIC, pytest.param(MIDDLING, marks=pytest.mark.slow)])
def test_the_rating_is_that_of_the_hardest_step(puzzle):
    taken = list(pls.steps(puzzle, scale="se"))
    rating = pls.rate(puzzle, scale="se")
    assert rating.number == max(each.weight for each in taken)
    assert (rating.scale, {each.scale for each in taken}) == ("se", {"se"})
    assert rating.hardest in {each.technique for each in taken if each.weight == rating.number}
    assert rating == pls.explain.rate(puzzle, scale="se")


def test_levels_of_sudoku_explainer():
    level = scale_of("se").level
    found = [level("", rating) for rating in (1.0, 1.2, 1.5, 2.5, 2.6, 6.0, 6.2, 9.0)]
    assert found == ["easy", "easy", "medium", "hard"] + ["fiendish"] * 2 + ["diabolical"] * 2


@pytest.mark.slow
def test_no_step_is_easier_than_the_least_of_its_technique():
    for scale in SCALES:
        assert scale.least.keys() == TECHNIQUES.keys()
    for each in pls.steps(HARD, scale="se"):
        key = next(key for key, known in TECHNIQUES.items() if known.name == each.technique)
        assert each.weight >= scale_of("se").least[key]


def test_wrong_scale():
    with pytest.raises(ValueError, match="scale must be 'hodoku' or 'se', not 'other'"):
        pls.steps(SMALL, scale="other")


# --- at the command line ------------------------------------------------------------------------


def test_one_line_a_step(command):
    _, said, _ = command("explain", "--steps", "--list", SMALL)
    first, *_, last = said.splitlines()
    way = list(pls.steps(SMALL))
    assert first == "  1. naked single:           r1c4=2"
    assert last == "The puzzle is solved."
    assert len(said.splitlines()) == len(way) + 1


def test_rate_by_either_scale(command):
    for options, said in (
        ([], "easy (48, naked single)\n"),
        (["--scale", "se"], "easy (1.2, hidden single)\n"),
    ):
        assert command("explain", "--rate", *options, SMALL)[:2] == (0, said)
    _, said, _ = command("explain", "--rate", "--scale", "se", "-f", "json", SMALL)
    answer = json.loads(said)
    assert (answer["number"], answer["scale"]) == (1.2, "se")


@pytest.mark.parametrize(
    ("option", "fitting"),
    [
        (["--list"], "--list goes with --steps"),
        (["--scale", "se"], "--scale se goes with --steps or --hint or --rate"),
    ],
)
def test_options_that_do_not_fit(option, fitting, command):
    code, _, message = command("explain", "--conflicts", *option, SMALL)
    assert (code, fitting in message) == (2, True)
