"""The steps that lead to the digit of one cell, and no others."""

from __future__ import annotations

import pytest
from helpers.jigsaws import REAL, jigsaw
from helpers.oracle import all_solutions
from helpers.puzzles import CLASSIC, DIABOLICAL, SMALL
from helpers.ruled import SMALL_KILLER

import pylogic_sudoku as pls
from pylogic_sudoku.explain import _forced, _steps
from pylogic_sudoku.grid import Cell

SEVENTEEN = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
"""As few givens as a 9x9 puzzle with one solution can have."""
MARKED = jigsaw(6, 8, 1, marked=8)


def peers(cell, size=9):
    block = [(cell[0] - 1) // 3, (cell[1] - 1) // 3]
    return [
        (row, column)
        for row in range(1, size + 1)
        for column in range(1, size + 1)
        if (row, column) != tuple(cell)
        and (row == cell[0] or column == cell[1] or [(row - 1) // 3, (column - 1) // 3] == block)
    ]


def marks_after(puzzle, filled):
    """The digits that no filled cell excludes, for each empty cell: in plain Python."""
    held = {tuple(given.cell): given.digit for given in (*puzzle.givens, *filled)}
    return {
        tuple(cell): set(range(1, 10)) - {held.get(peer) for peer in peers(cell)}
        for cell in puzzle.cells
        if tuple(cell) not in held
    }


def is_single(placed, marks):
    """Whether a digit is the only one left for its cell, or its cell for it in some house."""
    cell, digit = tuple(placed.cell), placed.digit
    same = [
        [other for other in marks if other[0] == cell[0]],
        [other for other in marks if other[1] == cell[1]],
        [
            other
            for other in marks
            if all((a - 1) // 3 == (b - 1) // 3 for a, b in zip(other, cell, strict=True))
        ],
    ]
    alone = any([other for other in house if digit in marks[other]] == [cell] for house in same)
    return marks[cell] == {digit} or alone


def steps_to(puzzle, cell):
    return pls.why(puzzle, cell).steps()


def test_why_looks_for_no_step(monkeypatch):
    """No search is made whose result nobody asked for."""
    monkeypatch.setattr(_forced, "way_to", None)
    monkeypatch.setattr(_steps.Steps, "__init__", None)
    answer = pls.why(CLASSIC, "r1c3")
    assert len(answer.core.members) > 24
    assert answer.text().startswith("r1c3 is 4, because:\n")
    assert "steps" not in answer.to_json()


@pytest.mark.parametrize(
    ("puzzle", "cell", "most"), [(CLASSIC, "r1c3", 11), (SEVENTEEN, "r1c1", 18)]
)
def test_a_way_of_singles_is_right_and_short(puzzle, cell, most):
    grid = pls.Grid.parse(puzzle)
    way = steps_to(grid, cell)
    placed = [step.placed for step in way]
    assert len(placed) <= most < len(list(pls.steps(grid)))
    assert placed[-1].cell == Cell.of(cell, 9)
    assert way.outcome == f"{cell} is {placed[-1].digit}."
    for number, each in enumerate(placed):
        assert is_single(each, marks_after(grid, placed[:number]))


def test_its_steps_are_those_of_the_puzzle_in_their_order():
    rest = pls.steps(DIABOLICAL)
    for step in steps_to(DIABOLICAL, "r5c3"):
        one = next(one for one in rest if (one.placed, one.removed) == (step.placed, step.removed))
        assert step.placed or (step.technique, step.rules) == (one.technique, one.rules)


def test_each_step_shows_the_position_to_which_the_others_lead():
    grid = pls.Grid.parse(CLASSIC)
    for step in steps_to(CLASSIC, "r1c3"):
        assert step.grid == grid
        assert step.candidates == pls.draw.pencil_marks(grid)
        assert str(step.placed.digit) in step.text()
        grid = grid.with_(step.placed)


@pytest.mark.parametrize(
    ("puzzle", "cell"),
    [
        (SMALL, "r4c4"),
        (CLASSIC, "r1c3"),
        (DIABOLICAL, "r8c8"),
        (MARKED, "r1c4"),
        (SMALL_KILLER, "r2c2"),
        pytest.param(REAL, "r9c2", marks=pytest.mark.slow),
        *(pytest.param(DIABOLICAL, cell, marks=pytest.mark.slow) for cell in ("r1c8", "r5c3")),
    ],
)
def test_each_engine_verifies_each_step_in_its_position(puzzle, cell):
    puzzle = pls.formats.as_puzzle(puzzle)
    answer = pls.why(puzzle, cell)
    way = answer.steps()
    assert way[-1].placed == (*answer.cell, answer.digit)
    for step in way:
        step.verify("clingo")
        step.verify("prolog")


def test_a_cell_can_be_forced_though_there_are_several_solutions():
    puzzle = "12..34......4321"
    assert len(set(all_solutions(pls.Grid.parse(puzzle)))) == 2
    answer = pls.why(puzzle, "r2c3")
    assert answer.steps()[-1].placed == (2, 3, answer.digit)


def test_no_step_leads_to_a_given_or_to_a_cell_that_is_open():
    puzzle = pls.Grid.parse("12..34......4321")
    assert _forced.way_to(puzzle, Cell(1, 1), None) is None
    assert _forced.way_to(puzzle, Cell(1, 3), None) is None
    assert pls.why(puzzle, "r1c3").digit is None


def test_the_steps_heed_the_time_and_say_what_they_do():
    told = []
    answer = pls.why(CLASSIC, "r1c3")
    answer.steps(progress=told.append)
    assert "looking for singles and locked candidates at step 2" in told
    with pytest.raises(pls.SolveTimeout, match="while looking for"):
        answer.steps(timeout=1e-6)
