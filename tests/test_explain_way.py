"""The steps that lead to the digit of one cell: no others, and none of them redundant."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from helpers.jigsaws import REAL, jigsaw
from helpers.oracle import all_solutions
from helpers.puzzles import CLASSIC, DIABOLICAL, SMALL
from helpers.ruled import SMALL_KILLER

import pylogic_sudoku as pls
from pylogic_sudoku.explain import _why as module
from pylogic_sudoku.explain._way import way_to
from pylogic_sudoku.grid import Cell
from pylogic_sudoku.serve._explained import explained_why

LONG = 600
"""Seconds, half of them for the steps: enough for a machine that has much else to do."""
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


@pytest.mark.parametrize(
    ("puzzle", "cell", "most"), [(CLASSIC, "r1c3", 11), (SEVENTEEN, "r1c1", 16)]
)
def test_a_way_of_singles_is_right_and_needs_every_step(puzzle, cell, most):
    grid = pls.Grid.parse(puzzle)
    answer = pls.why(grid, cell, timeout=LONG)
    placed = [step.placed for step in answer.way]
    assert len(placed) <= most < len(answer.core.members) / 2
    assert placed[-1] == (*Cell.of(cell, 9), answer.digit)

    def right(several):
        return all(
            is_single(each, marks_after(grid, several[:number]))
            for number, each in enumerate(several)
        )

    assert right(placed)
    for number in range(len(placed) - 1):
        assert not right(placed[:number] + placed[number + 1 :])


def test_its_steps_are_those_of_the_puzzle_in_their_order():
    rest = iter(list(pls.steps(DIABOLICAL)))
    for step in pls.why(DIABOLICAL, "r5c3", reading="steps").way:
        one = next(one for one in rest if is_part(step, one))
        assert step.placed or (step.technique, step.rules) == (one.technique, one.rules)


def is_part(step, whole):
    return step.placed == whole.placed and {*step.removed} <= {*whole.removed}


def test_each_step_shows_the_position_to_which_the_others_lead():
    way = pls.why(CLASSIC, "r1c3", timeout=LONG).way
    grid = pls.Grid.parse(CLASSIC)
    for step in way:
        assert step.grid == grid
        assert step.candidates == pls.draw.pencil_marks(grid)
        assert str(step.placed.digit) in step.text()
        grid = grid.with_(step.placed)


@pytest.mark.parametrize("engine", ["clingo", "prolog"])
@pytest.mark.parametrize(
    ("puzzle", "cell"),
    [
        (SMALL, "r4c4"),
        (CLASSIC, "r1c3"),
        (DIABOLICAL, "r8c8"),
        (MARKED, "r1c4"),
        (SMALL_KILLER, "r2c2"),
    ],
    ids=["small", "classic", "diabolical", "marks", "killer"],
)
def test_each_engine_verifies_a_way(puzzle, cell, engine):
    answer = pls.why(puzzle, cell, reading="steps")
    assert answer.way[-1].placed == (*answer.cell, answer.digit)
    answer.verify(engine)


@pytest.mark.slow
def test_a_way_through_a_jigsaw():
    answer = pls.why(REAL, "r9c2", reading="steps")
    assert any("region" in str(step) for step in answer.way)
    answer.verify()


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["r1c8", "r5c3", "r9c4"])
def test_a_way_with_harder_techniques(cell):
    answer = pls.why(DIABOLICAL, cell, reading="steps")
    assert {step.technique for step in answer.way} - {"naked single", "hidden single", "full house"}
    assert len(answer.way) < len(list(pls.steps(DIABOLICAL)))
    answer.verify()


def test_of_several_removals_only_those_that_matter_are_named():
    answer = pls.why(DIABOLICAL, "r5c3", reading="steps")
    known = {step.removed for step in pls.steps(DIABOLICAL)}
    removals = [step for step in answer.way if step.removed]
    assert removals
    assert any(step.removed not in known for step in removals)


def test_a_wrong_way_is_noticed():
    answer = pls.why(CLASSIC, "r1c7", timeout=LONG)
    one, two = answer.way
    other = next(pls.steps(CLASSIC))
    wrong = [
        (one,),
        (two,),
        (two, one),
        (one, replace(two, must=one.must)),
        (other, *answer.way),
        way_to(pls.Grid.parse(CLASSIC), Cell(3, 1), None).steps,
    ]
    for steps in wrong:
        with pytest.raises(pls.Disagreement):
            replace(answer, way=replace(answer.way, steps=steps)).verify()


def test_a_redundant_step_is_noticed():
    grid = pls.Grid.parse(CLASSIC)
    answer = pls.why(CLASSIC, "r1c7", timeout=LONG)
    other = next(pls.steps(CLASSIC))
    assert other.placed not in [step.placed for step in answer.way]
    moved, position = [other], grid.with_(other.placed)
    for step in answer.way:
        moved.append(replace(step, grid=position, candidates=pls.draw.pencil_marks(position)))
        position = position.with_(step.placed)
    with pytest.raises(pls.Disagreement, match="is not used"):
        replace(answer, way=replace(answer.way, steps=tuple(moved))).verify()


# --- which reading -----------------------------------------------------------------------


def test_a_small_set_is_read_as_a_set_and_a_large_one_as_steps():
    small, large = pls.why(CLASSIC, "r5c5"), pls.why(CLASSIC, "r1c3", timeout=LONG)
    assert small.way is None
    assert small.text() == small.set_text()
    assert small.text().startswith("r5c5 is 5, because:\n")
    assert small.to_json()["steps"] is None
    lines = large.text().splitlines()
    assert lines[0] == f"r1c3 is 4. {len(large.way)} steps lead there:"
    assert lines[1:-1] == [f"{number:3}. {step}" for number, step in enumerate(large.way, 1)]
    assert lines[-1] == (
        f"The digit follows from {len(large.rules)} rules and {len(large.givens)} givens,"
        " none of which can be spared."
    )
    assert large.set_text().startswith("r1c3 is 4, because:\n")
    assert large.short() == f"r1c3 is 4. {len(large.way)} steps lead there."


@pytest.mark.parametrize("options", [{"grain": "house"}, {"reading": "set"}])
def test_who_asks_for_a_set_gets_one(options):
    answer = pls.why(CLASSIC, "r1c3", **options)
    assert answer.way is None
    assert "because" in answer.text()


def test_steps_can_be_had_beside_any_set():
    answer = pls.why(CLASSIC, "r5c5", grain="house", smallest=True, reading="steps")
    assert (answer.smallest, len(answer.way)) == (True, 1)
    assert answer.text().startswith("r5c5 is 5. 1 step leads there:\n")
    with pytest.raises(ValueError, match="reading must be 'steps', 'set' or None, not 'list'"):
        pls.why(CLASSIC, "r5c5", reading="list")


def test_the_picture_shows_what_comes_first():
    answer = pls.why(DIABOLICAL, "r5c3", reading="steps")
    picture = answer.picture()
    target, first, gone = picture.highlights
    *before, _ = answer.way
    assert target.cells == (answer.cell,)
    assert {*first.cells} == {step.placed.cell for step in before if step.placed}
    assert {*gone.candidates} == {each for step in before for each in step.removed}
    assert picture.grid[answer.cell] == answer.digit
    assert "candidates that go first" in picture.to_text()
    assert answer.set_picture().highlights != picture.highlights


def test_json_has_the_steps():
    answer = pls.why(CLASSIC, "r1c7", timeout=LONG)
    data = json.loads(json.dumps(answer.to_json()))
    assert [step["text"] for step in data["steps"]] == list(map(str, answer.way))
    assert len(data["rules"]) == len(answer.rules)


def test_the_page_gets_the_steps_and_the_set():
    answer = pls.why(CLASSIC, "r1c7", timeout=LONG)
    sent = explained_why(answer)
    assert [step["text"] for step in sent["steps"]] == list(map(str, answer.way))
    assert [step["grid"] for step in sent["steps"]] == [step.grid.to_json() for step in answer.way]
    assert sent["text"] == answer.text()
    assert sent["short"] == answer.short()
    assert sent["set"]["text"] == answer.set_text()
    assert sent["set"]["highlights"] != sent["highlights"]
    small = explained_why(pls.why(CLASSIC, "r5c5"))
    assert (small["steps"], small["set"], small["stopped"]) == (None, None, None)
    # The server asks again then, with more time.
    assert explained_why(replace(answer, way=None))["stopped"] == "time"


# --- time --------------------------------------------------------------------------------


def test_if_there_is_no_time_for_the_steps_the_answer_is_the_set(monkeypatch):
    limits = []

    def late(_puzzle, _cell, limit):
        limits.append(limit)
        raise pls.SolveTimeout("clingo", limit or 0.0)

    monkeypatch.setattr(module, "way_to", late)
    assert "because" in pls.why(CLASSIC, "r1c3").text()
    assert "because" in pls.why(CLASSIC, "r1c3", timeout=LONG).text()
    assert limits[0] == module.PATIENCE
    assert 0 < limits[1] <= LONG / 2
    with pytest.raises(pls.SolveTimeout, match=r"within 600 s"):
        pls.why(CLASSIC, "r1c3", reading="steps", timeout=LONG)
    assert LONG / 2 < limits[2] < LONG


def test_the_steps_heed_the_time():
    with pytest.raises(pls.SolveTimeout):
        way_to(pls.Grid.parse(CLASSIC), Cell(1, 3), 1e-6)


def test_a_cell_can_be_forced_though_there_are_several_solutions():
    puzzle = "12..34......4321"
    assert len(set(all_solutions(pls.Grid.parse(puzzle)))) == 2
    answer = pls.why(puzzle, "r2c3", reading="steps")
    assert answer.way[-1].placed == (2, 3, answer.digit)
    answer.verify()
