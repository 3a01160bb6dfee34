"""Prolog's share in explanations: its own, checked by clingo, and its checks of ours."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import IMPOSSIBLE, PRINTED, SEVERAL

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines import get
from pylogic_sudoku.engines.prolog.engine import PrologBackend
from pylogic_sudoku.explain._demands import rules

PROLOG = PrologBackend()
NEWSPAPER = Grid.parse(list(PRINTED)[3])
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""Takes Prolog seconds to explain, wherever one asks."""
SHAPES = [(2, 2), (2, 3), (3, 2), (1, 4)]


def forced(puzzle: Grid, cell: tuple[int, int], digit: int, elements: tuple, engine: str) -> bool:
    """Whether the engine says that these houses and givens leave no other digit."""
    houses = [element for element in elements if element[0] == "house"]
    givens = [element for element in elements if element[0] != "house"]
    assert set(givens) <= set(puzzle.givens)
    absent = [(*cell, digit)]
    return not get(engine).consistent(puzzle.box, [("cells",), *houses], givens, absent)


def is_minimal_reason(puzzle: Grid, cell: tuple[int, int], engine: str = "clingo") -> bool:
    """Whether the engine agrees that Prolog's reason forces the digit and has nothing to spare."""
    digit, elements = PROLOG.reason(puzzle, cell)
    fewer = combinations(elements, len(elements) - 1)
    return forced(puzzle, cell, digit, elements, engine) and not any(
        forced(puzzle, cell, digit, some, engine) for some in fewer
    )


@pytest.mark.parametrize("box", SHAPES, ids=str)
def test_clingo_agrees_with_every_reason(box):
    solution = full_grid(box, 5)
    puzzle = dig(solution, len(solution.digits) * 5 // 8, 5)
    assert list(all_solutions(puzzle)) == [solution]
    for place, given in enumerate(puzzle.digits):
        cell = place // puzzle.size + 1, place % puzzle.size + 1
        if given:
            assert PROLOG.reason(puzzle, cell) is None
        else:
            assert PROLOG.reason(puzzle, cell)[0] == solution.digits[place]
            assert is_minimal_reason(puzzle, cell)


@pytest.mark.parametrize("cell", [(1, 4), (3, 6), (7, 5), (9, 1)])
def test_clingo_agrees_with_reasons_in_a_newspaper_puzzle(cell):
    assert is_minimal_reason(NEWSPAPER, cell)


@pytest.mark.parametrize("grain", ["house", "rule"])
@pytest.mark.parametrize("cell", [(1, 4), (2, 2), (3, 6), (7, 5)])
def test_prolog_agrees_with_the_explanations_of_clingo(cell, grain):
    pls.why(NEWSPAPER, cell, grain=grain).verify("prolog")


def test_prolog_agrees_where_clingo_needs_search():
    pls.why(next(iter(PRINTED)), (1, 4), grain="house").verify("prolog")


def test_prolog_agrees_with_itself():
    assert is_minimal_reason(NEWSPAPER, (1, 4), "prolog")


@pytest.mark.parametrize("seed", range(4))
def test_the_engines_agree_on_random_rules(seed):
    """Rules of both grains, alone and mixed; half of them with more placements than they bear."""
    choose = Random(seed)
    answers = []
    for case in range(40):
        box = choose.choice([(2, 2), (1, 3), (2, 1)])
        fine, coarse = rules(box), [("cells",), *rules(box, "house")]
        pool = [fine, coarse, fine + coarse * 6][case % 3]
        chosen = choose.sample(pool, choose.randint(1, min(len(pool), 40)))
        size = box[0] * box[1]
        holds, lacks = (
            [tuple(choose.choices(range(1, size + 1), k=3)) for _ in range(choose.randint(0, most))]
            for most in (3, 3 * size)
        )
        asked = ([tuple(rule) for rule in chosen], holds, lacks)
        answers.append(PROLOG.consistent(box, *asked))
        assert get("clingo").consistent(box, *asked) is answers[-1], (box, asked)
    assert set(answers) == {True, False}


def test_no_reason_where_nothing_is_forced():
    puzzle = Grid.parse(SEVERAL)
    first, second = (solution.digits for solution in all_solutions(puzzle))
    place = next(place for place in range(81) if first[place] != second[place])
    assert PROLOG.reason(puzzle, (place // 9 + 1, place % 9 + 1)) is None
    assert PROLOG.reason(Grid.parse(IMPOSSIBLE), (1, 1)) is None


@pytest.mark.parametrize(
    "demand",
    [
        *[("filled", 0, 1), ("single", 1, 5), ("once", "row", 5, 1), ("once", "line", 1, 1)],
        *[("twice", "row", 1, 1), ("house", "box", 1, 1), ("cells", 1), ()],
    ],
)
def test_rules_that_the_grid_has_not(demand):
    with pytest.raises(ValueError, match=r"a grid with 2x2 boxes has no \("):
        PROLOG.consistent((2, 2), [demand], [], [])


def test_placements_and_cells_that_the_grid_has_not():
    for placements in ([(1, 1, 5)], []), ([], [(1, 0, 1)]):
        with pytest.raises(ValueError, match="boxes has no"):
            PROLOG.consistent((2, 2), [], *placements)
    with pytest.raises(ValueError, match="has no cell"):
        PROLOG.reason(NEWSPAPER, (10, 1))


def test_both_questions_stop_in_time_and_leave_nothing_behind():
    from test_prolog_bridge import wait_for_closed_searches

    with pytest.raises(pls.SolveTimeout):
        PROLOG.reason(Grid.parse(HARD), (1, 2), timeout=0.05)
    with pytest.raises(pls.SolveTimeout):
        PROLOG.consistent((5, 5), rules((5, 5)), [], [], timeout=0.01)
    wait_for_closed_searches()
    assert PROLOG.consistent((2, 2), rules((2, 2)), [], [])
