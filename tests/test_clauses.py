"""A puzzle in clauses: what satisfies them are its grids, no more and no fewer."""

from __future__ import annotations

from itertools import chain, product
from math import comb

import pytest
from helpers.jigsaws import KEEP, jigsaw
from helpers.oracle import all_solutions, dig, full_grid
from pysat.solvers import Solver

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle
from pylogic_sudoku.puzzle.cells import Layout
from pylogic_sudoku.rules import KillerCage, Thermometer
from pylogic_sudoku.rules.clauses import Claim, literal, of_layout, placement
from pylogic_sudoku.rules.clauses import clause_in_words as said

EMPTY = Grid.parse("." * 16)


def grids(claim: Claim) -> list[Grid]:
    """The grids of all models, which must say of each digit whether a cell holds it."""
    size, box = claim.puzzle.size, claim.puzzle.box
    found = []
    with Solver(bootstrap_with=claim.clauses()) as solver:
        for model in solver.enum_models():
            assert {abs(each) for each in model} == set(range(1, size**3 + 1))
            found.append(Grid.of((placement(size, each) for each in model if each > 0), box))
    return found


@pytest.mark.parametrize("size", [1, 4, 6, 9, 36])
def test_the_variables_are_numbered_by_row_column_and_digit(size):
    numbers = range(1, size + 1)
    found = [literal(size, each) for each in product(numbers, repeat=3)]
    assert found == list(range(1, size**3 + 1))
    assert [placement(size, each) for each in found] == list(product(numbers, repeat=3))
    assert placement(size, -1) == placement(size, 1)


def test_a_clause_in_words():
    assert said(9, (-5, 12)) == "r1c1 is not 5 or r1c2 is 3"
    assert said(4, (64,)) == "r4c4 is 4"
    assert said(9, ()) == "a contradiction"


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (3, 4)], ids=str)
def test_the_number_of_clauses_has_a_closed_form(box):
    """For 9x9: 81 cells and 243 digits of houses, 1 + 36 each; but a box and a line share pairs."""
    rows, columns = box
    n = rows * columns
    exactly_one = 1 + comb(n, 2)
    twice = n * n * (rows * comb(columns, 2) + columns * comb(rows, 2))
    clauses = of_layout(Layout(box))
    assert len(clauses) == len(set(clauses)) == 4 * n * n * exactly_one - twice
    assert (len(clauses) == 10_530) == (box == (3, 3))
    assert sum(len(clause) == n for clause in clauses) == 4 * n * n + (n == 2)


RULED = Puzzle(EMPTY, rules=[KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2")])
SOLVED = dig(full_grid((2, 2), 1), 4, 1)
BOXES = [(1, 4), (2, 2), (2, 3), (3, 2)]


@pytest.mark.parametrize(
    "claim",
    [
        Claim(EMPTY),
        *(Claim(dig(full_grid(box, 5), 3 * (box[0] * box[1]) // 2, 5)) for box in BOXES),
        *(Claim(jigsaw(size, KEEP[size], 3, marked=3)) for size in (4, 5, 6)),
        Claim(RULED),
        Claim(SOLVED, next(all_solutions(SOLVED))),
    ],
)
def test_the_grids_of_a_claim_satisfy_its_clauses_and_nothing_else(claim):
    found, puzzle = grids(claim), claim.puzzle
    expected = {grid for grid in all_solutions(puzzle) if grid.is_solution_of(puzzle)}
    assert len(found) == len(set(found)) > 0
    assert set(found) == expected - {claim.solution}


def test_the_small_rules_of_an_explanation_are_those_of_the_puzzle():
    layout = EMPTY.layout
    cells = [(kind, *cell) for cell in layout.cells for kind in ("filled", "single")]
    houses = [
        (kind, house.kind, house.number, digit)
        for house in layout.houses
        for digit in range(1, 5)
        for kind in ("at_least_once", "at_most_once")
    ]
    large = [("cells",), *(("house", house.kind, house.number) for house in layout.houses)]
    for demands in (cells + houses, large):
        found = Claim(EMPTY, demands=tuple(demands)).rule_clauses()
        assert set(found) == set(of_layout(layout))
        assert len(set(found)) == len(found)


def test_demands_are_all_that_counts():
    cage = KillerCage("r1c1 r1c2", sum=3)
    puzzle = Puzzle("12.." + "." * 12, marks={"r4c4": [1, 2]}, rules=[cage])
    demands = (("single", 1, 1), (1, 1, 1), ("excluded", 4, 4, 3))
    assert set(Claim(puzzle, demands=demands).clauses()) == {
        *(
            clause
            for clause in of_layout(EMPTY.layout)
            if max(map(abs, clause)) <= 4 != len(clause)
        ),
        (1,),
        (-63,),
    }
    assert not Claim(puzzle, demands=()).clauses()
    ruled = Claim(puzzle, demands=(("rule", cage),)).clauses()
    assert set(ruled) == {(-3,), (-4,), (-7,), (-8,), (-1, -5), (-2, -6)}
    assert len(ruled) == 6


@pytest.mark.parametrize("demand", [("house", "box", 5), ("odd", 1, 1)])
def test_an_unknown_rule_is_refused(demand):
    with pytest.raises(InvalidPuzzle):
        Claim(EMPTY, demands=(demand,)).clauses()


def test_only_the_facts_are_the_puzzles_own():
    one, other = EMPTY.with_(r1c1=1), EMPTY.with_(r1c1=2)
    assert Claim(one).rule_clauses() is Claim(other).rule_clauses()
    assert (Claim(one).facts(), Claim(other).facts()) == (((1,),), ((2,),))
    assert set(chain(*Claim(one).rule_clauses())) == {*range(1, 65), *range(-64, 0)}
