"""Explanations of puzzles with rules beyond plain sudoku: brute force and both engines agree."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from helpers.oracle import full_grid
from helpers.ruled import KILLER
from helpers.rules import MAKERS

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Placement, Puzzle
from pylogic_sudoku._demands import CELLS, rules
from pylogic_sudoku.engines import get
from pylogic_sudoku.explain import Clash, Forced, Open, Solvable, SudokuRule
from pylogic_sudoku.explain._why_not import excluding
from pylogic_sudoku.rules import KINDS, Digits, KillerCage, Rule, Thermometer
from pylogic_sudoku.rules import rule as kind_of_rule

EVERY = list(pls.solutions("." * 16))
"""The 288 grids of 4x4."""
CAGE, LINE = KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2")
TWO_RULES = Puzzle("." * 16, rules=[CAGE, LINE])


def random_puzzle(kind: str, seed: int) -> Puzzle:
    """A 4x4 puzzle with a rule of this kind, perhaps one of another, and a few givens."""
    rng = random.Random(f"{kind} {seed}")
    grid = full_grid((2, 2), seed)
    kinds = [kind, *rng.sample(sorted(MAKERS), seed % 2)]
    several = [MAKERS[each](rng, grid) for each in kinds]
    givens = rng.sample(grid.givens, rng.randint(2, 4))
    if seed % 3 == 0:  # a digit that is often wrong
        row, column, digit = givens.pop()
        givens.append((row, column, digit % 4 + 1))
    return Puzzle("." * 16, rules=several).with_(*givens)


def solutions_of(puzzle: Puzzle) -> list[Grid]:
    return [grid for grid in EVERY if grid.is_solution_of(puzzle)]


def verified(answer: pls.Explanation) -> None:
    answer.verify("clingo")
    answer.verify("prolog")


OFTEN = {"any_of", "arrow", "contains", "different", "killer_cage", "negative", "region_sum_line"}
OFTEN |= {"anti_knight", "index", "sandwich", "thermometer", "whispers"}
"""Kinds that are always tested; the slow tests have all of them."""


@pytest.fixture(
    params=[
        pytest.param(kind, marks=[] if kind in OFTEN else pytest.mark.slow)
        for kind in sorted(MAKERS)
    ]
)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


# --- a rule alone ------------------------------------------------------------------------


def rules_alone(kind: str) -> Iterator[tuple[Rule, Grid]]:
    """A rule and a full grid, which need be no sudoku: the two of the example, and random ones."""
    fields, good, bad = KINDS[kind].example[:3]
    for text in (good, bad):
        yield KINDS[kind](**fields), Grid.parse(text.replace(" ", ""))
    rng = random.Random(kind)
    for seed in range(12):
        grid = full_grid((2, 2), seed)
        rule = MAKERS[kind](rng, grid)
        digits = list(grid.digits)
        for at in rng.sample(range(16), rng.choice([1, 4, 16])):
            digits[at] = rng.randint(1, 4)
        yield rule, Grid(tuple(digits), (2, 2))


@pytest.mark.slow
def test_a_rule_alone_means_the_same_to_every_engine_and_the_oracle(kind):
    """Also on grids that are no sudoku: explanations switch off houses, and rules stay."""
    answers = set()
    for rule, grid in rules_alone(kind):
        layout = Puzzle(Grid((0,) * len(grid.digits), grid.box), rules=[rule]).layout
        expected = rule.holds(Digits(grid.digits, layout))
        answers.add(expected)
        for engine in ("clingo", "prolog", "sat"):
            found = get(engine).consistent(layout, [CELLS, ("rule", rule)], grid.givens, [])
            assert found is expected, (engine, rule, grid)
    assert answers == {True, False}


def test_a_rule_that_is_not_demanded_may_be_broken(backend):
    wrong = [(1, 1, 3), (1, 2, 4)]
    layout = TWO_RULES.layout
    assert get(backend).consistent(layout, [CELLS], wrong, [])
    assert get(backend).consistent(layout, [("rule", LINE)], wrong, [])
    assert not get(backend).consistent(layout, [("rule", CAGE)], wrong, [])
    # It makes every cell hold one digit.
    assert get(backend).consistent(layout, [], [(1, 1, 1), (1, 1, 2)], [])
    assert not get(backend).consistent(layout, [("rule", LINE)], [(1, 1, 1), (1, 1, 2)], [])


# --- every kind --------------------------------------------------------------------------


def test_why_is_what_trying_every_grid_says(kind):
    for seed in range(1, 4):
        puzzle = random_puzzle(kind, seed)
        solutions = solutions_of(puzzle)
        empty = [cell for cell in puzzle.cells if not puzzle[cell]]
        for number, cell in enumerate(random.Random(seed).sample(empty, 2)):
            grain = ("rule", "house")[(seed + number) % 2]
            if not solutions:
                with pytest.raises(pls.NoSolution):
                    pls.why(puzzle, cell, grain=grain)
                continue
            answer = pls.why(puzzle, cell, grain=grain)
            digits = {grid[cell] for grid in solutions}
            assert isinstance(answer, Forced if len(digits) == 1 else Open), (puzzle, cell)
            if isinstance(answer, Forced):
                assert digits == {answer.digit}
                assert set(answer.rules) <= set(rules(puzzle.layout, grain))
                assert not {"filled", "single", "cells"} & {rule[0] for rule in answer.rules}
            else:
                assert set(answer.solutions) <= set(solutions)
            verified(answer)


def test_why_not_is_what_trying_every_grid_says(kind):
    for seed in range(2):
        puzzle = random_puzzle(kind, seed)
        cell = random.Random(seed).choice([cell for cell in puzzle.cells if not puzzle[cell]])
        bare = puzzle.without(*puzzle.givens)
        for digit in (1, 3):
            fits = [grid for grid in solutions_of(bare) if grid[cell] == digit]
            if not fits:
                with pytest.raises(pls.NoSolution, match="whichever givens go"):
                    pls.why_not(puzzle, cell, digit)
                core = excluding(puzzle, Placement(*cell, digit), None)
                assert core.rules
                for engine in ("clingo", "prolog"):
                    core.verify(puzzle, engine)
                continue
            wrong = [sum(grid[each.cell] != each.digit for each in puzzle.givens) for grid in fits]
            answer = pls.why_not(puzzle, cell, digit)
            assert len(answer.givens) == min(wrong)
            verified(answer)


def clashes(puzzle: Puzzle) -> set[frozenset]:
    """Every minimal set of givens and rules that no grid obeys, by trying all sets."""
    demands = [*puzzle.givens, *(("rule", rule) for rule in dict.fromkeys(puzzle.rules))]

    def kept(grid: Grid, demand: tuple) -> bool:
        if demand[0] == "rule":
            return grid.is_solution_of(Puzzle("." * 16, rules=[demand[1]]))
        return grid[demand[:2]] == demand[2]

    obeyed = {demand: {grid for grid in EVERY if kept(grid, demand)} for demand in demands}
    found: set[frozenset] = set()
    for size in range(len(demands) + 1):
        for some in map(frozenset, combinations(demands, size)):
            if not any(known <= some for known in found) and not set(EVERY).intersection(
                *(obeyed[demand] for demand in some)
            ):
                found.add(some)
    return found


def test_conflicts_are_what_trying_every_grid_says(kind):
    for seed in (3, 6):
        puzzle = random_puzzle(kind, seed)
        expected = clashes(puzzle)
        answer = pls.conflicts(puzzle)
        assert isinstance(answer, Clash if expected else Solvable)
        verified(answer)
        every = [frozenset(map(tuple, clash.core.members)) for clash in answer.all()]
        assert len(every) == len(expected)
        assert set(every) == expected
        if expected:
            fewest = pls.conflicts(puzzle, smallest=True)
            assert len(fewest.core.members) == min(map(len, expected))
            verified(fewest)


def test_ambiguity_is_what_trying_every_grid_says(kind):
    for seed in (1, 2):
        puzzle = random_puzzle(kind, seed)
        solutions = solutions_of(puzzle)
        if not solutions:
            with pytest.raises(pls.NoSolution):
                pls.ambiguity(puzzle)
            continue
        answer = pls.ambiguity(puzzle)
        assert set(answer.solutions) == set(solutions)
        verified(answer)


def test_steps_are_right_and_go_as_far_as_anything_is_sure(kind):
    puzzle = random_puzzle(kind, 2)
    solutions = solutions_of(puzzle)
    if not solutions:
        return
    way = pls.steps(puzzle)
    for step in way:
        for grid in solutions:
            assert step.placed is None or grid[step.placed.cell] == step.placed.digit
            assert all(grid[gone.cell] != gone.digit for gone in step.removed)
        verified(step)
    settled = {cell for cell in puzzle.cells if len({grid[cell] for grid in solutions}) == 1}
    assert {given.cell for given in way.grid.givens} == settled


# --- what is said of it ------------------------------------------------------------------


def test_why_names_the_rules():
    answer = pls.why(TWO_RULES, "r2c2")
    assert str(answer).split("\n")[2:-1] == [f"  {rule}" for rule in (LINE, CAGE)]
    assert sorted(str(rule.beyond) for rule in answer.rules if rule.beyond) == sorted(
        map(str, (CAGE, LINE))
    )
    data = json.loads(json.dumps(answer.to_json()))
    named = [rule for rule in data["rules"] if isinstance(rule["rule"], str)]
    assert {
        "rule": "thermometer",
        "cells": ["r2c1", "r2c2"],
        "text": "thermometer at r2c1 and r2c2",
    } in named
    assert len(named) == 2
    assert pickle.loads(pickle.dumps(answer)) == answer
    labels = {highlight.label: highlight.cells for highlight in answer.picture().highlights}
    assert labels[str(CAGE)] == CAGE.cells
    assert labels[str(LINE)] == LINE.cells
    assert answer.picture().to_svg().startswith("<svg")


def test_why_not_names_the_rules_if_no_given_is_to_blame():
    with pytest.raises(pls.NoSolution) as raised:
        pls.why_not(TWO_RULES, "r1c1", 3)
    assert str(raised.value) == f"r1c1 cannot be 3 whichever givens go: {CAGE}"
    with pytest.raises(pls.NoSolution) as raised:
        pls.why_not(TWO_RULES.with_((4, 4, 1)), "r1c4", 1)
    assert str(raised.value) == (
        f"r1c4 cannot be 1 whichever givens go: row 1 holds every digit once; {CAGE}"
    )
    # r5c5 is 4 in the only solution.
    core = excluding(KILLER, Placement(5, 5, 9), None)
    assert any(rule.beyond for rule in core.rules)
    core.verify(KILLER)


@pytest.mark.parametrize("grain", ["rule", "house"])
def test_the_smallest_has_a_proof(grain, backend):
    answer = pls.why(TWO_RULES, "r2c2", smallest=True, grain=grain)
    assert len(answer.core.members) == 3
    answer.verify(backend)


def test_the_rules_of_a_puzzle_are_listed_once():
    layout = Puzzle("." * 16, rules=[CAGE, LINE, CAGE]).layout
    assert [rule for rule in rules(layout) if rule.beyond] == [("rule", CAGE), ("rule", LINE)]
    assert len(rules(layout, "house")) == 12 + 2
    assert len(rules(layout)) == 2 * 12 * 4 + 2
    assert str(SudokuRule(("rule", CAGE))) == "killer cage (sum 3) at r1c1 and r1c2"


def test_a_clash_names_givens_and_rules():
    puzzle = TWO_RULES.with_((2, 1, 4))
    assert str(pls.conflicts(puzzle)).split("\n") == [
        "The puzzle has no solution, because these givens and rules clash:",
        "  r2c1 = 4",
        "  thermometer at r2c1 and r2c2",
        "None of these 2 can be spared: without any one, the others can stand.",
    ]
    data = pls.conflicts(puzzle).to_json()
    assert [rule["rule"] for rule in data["rules"]] == ["thermometer"]
    highlights = pls.conflicts(puzzle).picture().highlights
    assert [each.label for each in highlights] == ["givens that clash", str(LINE)]


def test_rules_alone_can_clash():
    down, up = Thermometer("r1c1 r1c2"), Thermometer("r1c2 r1c1")
    clash = pls.conflicts(Puzzle("." * 16, rules=[down, up]))
    assert (clash.givens, [rule.beyond for rule in clash.rules]) == ((), [down, up])
    assert "because these rules clash" in str(clash)
    verified(clash)


def test_a_rule_that_no_grid_obeys_is_named():
    """clingo finds that out before it searches, and then has no atom for it."""

    class Never(Rule):
        """No grid obeys it."""

        asp = "kind(never). broken(R) :- rule(R,never)."

        def holds(self, digits: Digits) -> bool:
            return False

    try:
        never = kind_of_rule(Never)()
    finally:
        del KINDS["never"]
    puzzle = Puzzle("1" + "." * 15, rules=[CAGE, never])
    clash = pls.conflicts(puzzle)
    assert [rule.beyond for rule in clash.rules] == [never]
    assert "one rule alone rules it out" in str(clash)
    clash.verify()


def test_what_is_wrong_is_noticed(backend):
    answer = pls.why(TWO_RULES, "r2c2")
    fewer = tuple(each for each in answer.core.members if each != ("rule", LINE))
    for members in (fewer, (*answer.core.members, ("rule", KillerCage("r4c4")))):
        with pytest.raises((pls.Disagreement, ValueError)):
            replace(answer, core=replace(answer.core, members=members)).verify(backend)


def test_asplain_refuses_rules():
    from pylogic_sudoku.explain import asplain

    with pytest.raises(pls.InvalidPuzzle, match=r"this puzzle has rules, .*a plain sudoku"):
        asplain(TWO_RULES, "sudoku(1,1,2)")
