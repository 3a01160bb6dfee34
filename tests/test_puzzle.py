"""Puzzles with regions and marks as values, and as text in every format that holds them."""

from __future__ import annotations

import json
import pickle
import re
from itertools import repeat

import numpy as np
import pytest
from helpers.gallery import Encoding, answers
from helpers.oracle import all_solutions

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, formats
from pylogic_sudoku.draw import mistakes, pencil_marks
from pylogic_sudoku.puzzle import Mark
from pylogic_sudoku.puzzle.cells import Cell, Layout, Placement

LABELS = "1112 1222 3334 3444"
FOUR = Grid.parse("1..4.....3......")
JIGSAW = Puzzle(FOUR, LABELS)
FIVE = "11122 11322 43332 44355 44555"
EVERYTHING = Puzzle(
    "1" + "." * 24, FIVE, {"r1c2": "even", "r5c5": {2, 3}, (3, 3): "odd"}, (), "Title", "Author"
)


def as_cells(labels: str) -> list[list[str]]:
    """The names of the cells of each label; the labels are 1 to n."""
    rows = list(enumerate(labels.split(), 1))
    cells = [(label, f"r{row}c{at}") for row, line in rows for at, label in enumerate(line, 1)]
    return [[name for each, name in cells if each == str(label)] for label, _ in rows]


# --- regions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "regions",
    [
        LABELS,
        LABELS.replace(" ", ""),
        LABELS.replace(" ", "\n"),
        " ".join(f"a{label}" for label in LABELS.replace(" ", "")),
        LABELS.split(),
        [" ".join(row) for row in LABELS.split()],
        [" ".join(f"r{label}" for label in row) for row in LABELS.split()],
        [" ".join(region) for region in as_cells(LABELS)],
        [[int(label) for label in row] for row in LABELS.split()],
        [tuple(row) for row in LABELS.split()],
        as_cells(LABELS),
        as_cells(LABELS)[::-1],
        [frozenset(Cell.of(name, 4) for name in region) for region in as_cells(LABELS)],
        (([cell.row, cell.column] for cell in region) for region in JIGSAW.regions),
        JIGSAW.regions,
    ],
)
def test_regions_are_labels_or_cells(regions):
    puzzle = Puzzle(FOUR, regions)
    assert puzzle == JIGSAW
    assert puzzle.regions[0] == ((1, 1), (1, 2), (1, 3), (2, 1))
    assert all(type(cell) is Cell for region in puzzle.regions for cell in region)


def test_regions_are_houses_instead_of_boxes():
    kinds = [house.kind for house in JIGSAW.houses]
    assert kinds == ["row"] * 4 + ["column"] * 4 + ["region"] * 4
    assert [str(house) for house in JIGSAW.houses[-2:]] == ["region 3", "region 4"]
    assert tuple(house.cells for house in JIGSAW.houses[8:]) == JIGSAW.regions
    assert JIGSAW.layout == Layout((2, 2), JIGSAW.regions)


@pytest.mark.parametrize("box", [(2, 3), (3, 2)])
def test_regions_that_are_boxes_are_these_boxes(box):
    boxes = [house.cells for house in Layout(box).blocks]
    puzzle = Puzzle(Grid((0,) * 36, (2, 3)), boxes)
    assert puzzle == Puzzle(Grid((0,) * 36, box))
    assert (puzzle.regions, puzzle.box, puzzle.is_plain) == (None, box, True)


def test_rows_may_be_regions_though_a_grid_with_boxes_of_one_row_has_no_boxes():
    rows = Puzzle("." * 16, "1111222233334444")
    assert [str(house) for house in rows.layout.blocks] == [f"region {n}" for n in range(1, 5)]
    assert Layout((1, 4)).blocks == Layout((4, 1)).blocks == Layout((1, 1)).blocks == ()
    assert str(Layout((1, 4))) == "a 4x4 grid without boxes"


def test_equal_rules_are_one_value_whatever_the_boxes_of_the_grid():
    other = Puzzle(Grid(FOUR.digits, (1, 4)), LABELS)
    assert other == JIGSAW
    assert hash(other) == hash(JIGSAW)
    assert len({other, JIGSAW, Puzzle(FOUR)}) == 2


@pytest.mark.parametrize(
    ("regions", "message"),
    [
        ([*as_cells(LABELS)[:3], as_cells(LABELS)[0]], "r1c1 is in two, or twice in one"),
        ([["r1c1", "r1c1", "r1c2", "r1c3"]] * 4, "r1c1 is in two, or twice in one"),
        (as_cells(LABELS)[:3], "3 regions, expected 4"),
        (as_cells(FIVE), "5 regions, expected 4"),
        ([*as_cells(LABELS)[:3], ["r4c4"]], "the region of r4c4 has 1 cell, expected 4"),
        ([*as_cells(LABELS)[:3], []], "3 that have cells, expected 4"),
        ([*as_cells(LABELS)[:3], ["r4c5"]], "'r4c5' is not a cell of a 4x4 grid; expected r1c1"),
        ([[(0, 1)]] * 4, "(0, 1) is not a cell of a 4x4 grid; expected a row and a column"),
        ([[(True, 1)]] * 4, "(True, 1) is not a cell"),
        ("1112 1222 3334 4444", "the region of r3c1 has 3 cells, expected 4"),
        (["1112", "12223", "3334", "444"], "r2c5 is in two, or twice in one"),
        ("1112 1222 3334 344", "15 labels, expected 16, one for each cell"),
        ("", "0 labels, expected 16, one for each cell"),
        (FIVE.split(), "5 rows of labels, expected 4"),
        (["1112", "1222", "3334", "344"], "the region of r3c4 has 3 cells, expected 4"),
        ([], "0 rows of labels, expected 4"),
        (repeat("1112"), "37 rows of labels, expected 4"),
        ([repeat((1, 1))] * 4, "the region of r1c1 has 37 cells, expected 4"),
        (4, "the regions are 4; expected sets of cells, or a label for each cell"),
        ([1, 2, 3, 4], "the regions are [1, 2, 3, 4]; expected sets of cells"),
        ([[[1], [], {}, 2]] * 4, "is not a cell of a 4x4 grid"),
        ([[{}, {}, {}, {}]] * 4, "expected sets of cells, or a label for each cell"),
    ],
)
def test_what_is_wrong_with_regions(regions, message):
    with pytest.raises(InvalidPuzzle, match=re.escape(message)):
        Puzzle(FOUR, regions)
    with pytest.raises(InvalidPuzzle, match=r"^the regions: 15 labels, expected one for each cell"):
        Puzzle("." * 16, regions="111122223333444")


# --- marks ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "marks",
    [
        {"r1c2": "even", "r2c1": [1, 3]},
        {(1, 2): {2, 4}, Cell(2, 1): "odd"},
        {"R1C2": (4, 2), "r2c1": iter([1, 3, 3])},
        [("r2c1", "odd"), ("r1c2", "even")],
        [[[2, 1], [1, 3]], [[1, 2], [2, 4]]],
        [Mark(Cell(1, 2), frozenset({2, 4})), Mark(Cell(2, 1), frozenset({1, 3}))],
        [("r1c2", {1, 2, 4}), ("r1c2", [2, 3, 4]), ("r2c1", "odd")],
        {"r1c2": "even", "r2c1": "odd", "r3c3": range(1, 5)},
    ],
)
def test_marks_are_a_dict_or_pairs(marks):
    puzzle = Puzzle(FOUR, marks=marks)
    assert puzzle.marks == (((1, 2), {2, 4}), ((2, 1), {1, 3}))
    assert puzzle == Puzzle(FOUR, None, {"r1c2": "even", "r2c1": "odd"})
    assert puzzle.excluded == ((1, 2, 1), (1, 2, 3), (2, 1, 2), (2, 1, 4))
    assert all(type(each) is Placement for each in puzzle.excluded)
    assert [str(mark) for mark in puzzle.marks] == ["r1c2 in {2, 4}", "r2c1 in {1, 3}"]


def test_a_mark_is_one_digit_or_none():
    assert Puzzle(FOUR, marks={"r1c2": 3}).marks == (((1, 2), {3}),)
    nothing = Puzzle(FOUR, marks=[("r1c2", "odd"), ("r1c2", "even")])
    assert nothing.excluded == tuple((1, 2, digit) for digit in range(1, 5))
    assert not list(all_solutions(nothing))


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ({"r5c1": "odd"}, "the marks: 'r5c1' is not a cell of a 4x4 grid; expected r1c1 to r4c4"),
        ({None: "odd"}, "the marks: None is not a cell"),
        ({"r1c1": [5]}, "the mark of r1c1 has 5; expected digits from 1 to 4"),
        ({"r1c1": 0}, "the mark of r1c1 has 0; expected digits from 1 to 4"),
        ({"r1c1": [True]}, "the mark of r1c1 has True"),
        ({"r1c1": ["1"]}, "the mark of r1c1 has '1'"),
        ({"r1c1": [1.0]}, "the mark of r1c1 has 1.0"),
        ({"r1c1": "prime"}, "the mark of r1c1 is 'prime'; expected 'odd', 'even' or digits"),
        ({"r1c1": None}, "the mark of r1c1 has None; expected digits"),
        (5, "the marks are 5; expected cells"),
        (["r1c1"], "the marks are ['r1c1']; expected cells"),
    ],
)
def test_what_is_wrong_with_marks(marks, message):
    with pytest.raises(InvalidPuzzle, match=re.escape(message)):
        Puzzle(FOUR, marks=marks)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"grid": "1.."}, "the line has 3 characters"),
        ({"grid": 5}, "the puzzle is 5; expected a list of rows"),
        ({"grid": JIGSAW}, "this puzzle has regions, which a grid alone cannot hold"),
        ({"grid": "." * 25}, "a 5x5 grid leaves its box shape open"),
        ({"grid": "." * 16, "regions": FIVE}, "the line has 16 characters; expected 25"),
        ({"grid": str(JIGSAW)}, "this puzzle has regions, which a grid alone cannot hold"),
        ({"rules": ("thermometer",)}, "'thermometer' is not a rule; expected one of pylogic_sud"),
        ({"rules": None}, "the rules are None; expected a list of rules"),
        ({"title": 5}, "the title is 5; expected text"),
        ({"author": None}, "the author is None; expected text"),
    ],
)
def test_what_is_wrong_with_other_parts(parts, message):
    with pytest.raises(InvalidPuzzle, match=re.escape(message)):
        Puzzle(**{"grid": FOUR, **parts})


# --- a value ----------------------------------------------------------------------------


def test_it_can_be_formatted_but_has_no_items():
    assert f"{EVERYTHING:json}" == f"{EVERYTHING}" == str(EVERYTHING)
    assert json.loads(str(EVERYTHING)) == EVERYTHING.to_json()
    assert f"{Puzzle(FOUR):rows}" == f"{FOUR:rows}"
    with pytest.raises(TypeError, match="not iterable"):
        list(JIGSAW)


def test_the_box_shape_of_a_solution_does_not_count_in_a_jigsaw():
    puzzle = Puzzle("." * 25, FIVE)
    solution = next(all_solutions(puzzle))
    assert Grid(solution.digits, (5, 1)).is_solution_of(puzzle)
    assert not Grid.parse("." * 16).is_solution_of(puzzle)


def test_a_title_does_not_make_another_puzzle():
    assert Puzzle(FOUR, LABELS, title="one") == Puzzle(FOUR, LABELS, author="other") != Puzzle(FOUR)
    assert Puzzle(FOUR) != FOUR
    again = pickle.loads(pickle.dumps(EVERYTHING))
    assert (again.title, again.author) == ("Title", "Author")


@pytest.mark.parametrize("puzzle", [FOUR, Puzzle(FOUR), JIGSAW, EVERYTHING])
def test_a_puzzle_reads_like_its_grid(puzzle):
    grid = puzzle.grid if isinstance(puzzle, Puzzle) else puzzle
    for name in ("size", "box", "digits", "rows", "cells", "givens"):
        assert getattr(puzzle, name) == getattr(grid, name)
    assert puzzle["r1c1"] == puzzle[1, 1] == grid.digits[0]
    public = {name for name in dir(Grid) if name[0] != "_"}
    # Rules, marks and regions would not follow a transposed or relabelled grid.
    of_grids = {"columns", "boxes", "transposed", "relabelled", "to_numpy"}
    assert public - set(dir(Puzzle)) == {"of", "from_rows", "is_solution_of", *of_grids}


def test_verbs_keep_the_rules():
    changed = EVERYTHING.with_((2, 2, 3), r1c1=0).without("r5c5")
    assert changed.grid == EVERYTHING.grid.with_((2, 2, 3), r1c1=0)
    assert (changed.regions, changed.marks) == (EVERYTHING.regions, EVERYTHING.marks)
    assert (changed.title, changed.author) == ("Title", "Author")


def test_duplicates_and_solutions_heed_the_rules():
    assert [each.houses for each in JIGSAW.with_(r2c1=1).duplicates()] == [("column 1", "region 1")]
    assert FOUR.with_(r2c2=1).duplicates()
    assert not JIGSAW.with_(r2c2=1).duplicates()
    (solution, *_) = solutions = list(all_solutions(Puzzle("." * 16, LABELS, {"r1c1": "even"})))
    assert {grid[1, 1] for grid in solutions} == {2, 4}
    assert all(grid.is_solution_of(Puzzle("." * 16, LABELS)) for grid in solutions)
    assert not solution.is_solution_of(Puzzle("." * 16, LABELS, {"r1c1": "odd"}))


def test_pencil_marks_and_mistakes_heed_the_rules():
    puzzle = Puzzle(FOUR, LABELS, {"r1c2": "even", "r4c4": "odd"})
    assert [set(digits) for digits in pencil_marks(puzzle)[0]] == [set(), {2}, {2, 3}, set()]
    wrong = FOUR.with_(r2c1=2, r1c3=2, r4c4=4)
    said = [highlight.label for highlight in mistakes(wrong, puzzle)]
    assert said == ["a digit more than once in a house", "not a digit that the mark allows"]
    assert mistakes(wrong, puzzle)[1].cells == ((4, 4),)


def test_a_grid_of_placements():
    assert Grid.of([(1, 1, 1), Placement(1, 4, 4), (3, 2, 3)], (2, 2)) == FOUR
    for placement in ((0, 1, 1), (5, 1, 1), (1, -1, 1)):
        with pytest.raises(IndexError, match="is not a cell of a 4x4 grid"):
            Grid.of([placement], (2, 2))
    with pytest.raises(InvalidPuzzle, match="r1c1 holds 5"):
        Grid.of([(1, 1, 5)], (2, 2))
    with pytest.raises(InvalidPuzzle, match="a 1000x1000 box is not possible"):
        Grid.of([], (1000, 1000))


# === A puzzle with regions and marks as text: every format that can say it, and what others refuse

PUZZLES = [JIGSAW, EVERYTHING, Puzzle(FOUR, marks={"r1c2": 3}), Puzzle("." * 81, marks={"r9c9": 1})]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=repr)
@pytest.mark.parametrize("form", sorted(formats.FORMATS.keys() - {*formats.HOLD_RULES, "pretty"}))
def test_other_formats_refuse_and_name_one_that_can(puzzle, form):
    with pytest.raises(InvalidPuzzle) as refused:
        puzzle.format(form)
    assert re.fullmatch(
        f"this puzzle has [a-z ]*(regions|marks), which '{form}' cannot hold; 'json' can",
        str(refused.value),
    )
    assert Puzzle(FOUR).format(form) == FOUR.format(form)


def test_pretty_draws_regions_and_marks():
    puzzle = Puzzle(FOUR, LABELS, {"r2c2": "odd", "r4c4": "even"})
    assert puzzle.format("pretty").splitlines() == [
        "┏━━━┯━━━┯━━━┳━━━┓",
        "┃ 1 │   │   ┃ 4 ┃",
        "┠───╆━━━┿━━━╃───┨",
        "┃   ┃( )│   │   ┃",
        "┣━━━╇━━━┿━━━╈━━━┫",
        "┃   │ 3 │   ┃   ┃",
        "┠───╆━━━┿━━━╃───┨",
        "┃   ┃   │   │[ ]┃",
        "┗━━━┻━━━┷━━━┷━━━┛",
        "( ) odd",
        "[ ] even",
    ]
    assert Puzzle(FOUR).format("pretty") == f"{FOUR:pretty}"


def test_a_grid_refuses_more_rules():
    for take in (Grid.parse, formats.as_grid):
        with pytest.raises(InvalidPuzzle, match="has regions and marks, which a grid alone"):
            take(str(EVERYTHING))
    assert Grid.parse(str(Puzzle(FOUR, title="plain"))) == FOUR


@pytest.mark.parametrize("name", ["grid", "regions", "marks", "rules", "excluded", "is_plain"])
def test_a_grid_has_what_a_puzzle_has_and_it_is_nothing(name):
    assert getattr(FOUR, name) == getattr(FOUR.to_puzzle(), name)


def test_another_grid_under_the_same_rules():
    solution = next(iter(all_solutions(EVERYTHING)))
    solved = EVERYTHING.with_grid(solution)
    assert (solved.grid, solved.with_grid(EVERYTHING.grid)) == (solution, EVERYTHING)
    assert FOUR.with_grid(solution) == solution
    assert EVERYTHING.to_puzzle() is EVERYTHING
    assert FOUR.to_puzzle() == Puzzle(FOUR)
    # A puzzle that is plain, and has no title, is read as its grid.
    plain = Puzzle(FOUR, title="plain")
    assert type(formats.as_puzzle(plain)) is type(formats.parse(str(Puzzle(FOUR)))) is Grid
    assert formats.parse(str(plain)).title == "plain"


def test_marks_may_be_arrays_and_in_json_words():
    marks = Puzzle(FOUR, marks={"r1c2": "even", "r1c3": 3})
    assert Puzzle(FOUR, marks={(1, 2): np.array([2, 4]), (1, 3): np.int64(3)}) == marks
    value = {"grid": FOUR.to_json(), "marks": {"r1c2": "even", "r1c3": [3]}}
    assert Puzzle.parse(json.dumps(value)) == marks


def test_the_box_of_a_jigsaw_does_not_matter_and_may_be_left_out():
    text = json.dumps({"grid": str(FOUR), "regions": LABELS, "box": [1, 4]})
    assert Puzzle.parse(text) == JIGSAW
    five = Puzzle("." * 25, FIVE)
    assert Puzzle([[0] * 5] * 5, FIVE) == five == Puzzle.parse(str(five))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"grid": ["....", "....", "....", "...."], "regions": 5}', "the regions are 5"),
        ('{"grid": "................", "regions": "1234"}', "the region of r1c1 has 1 cell"),
        ('{"grid": "................", "marks": {"r9c9": "odd"}}', "'r9c9' is not a cell of a 4x4"),
        ('{"grid": "................", "rules": ["fog"]}', "'fog' is not a rule"),
        ('{"grid": "................", "title": 5}', "the title is 5; expected text"),
        ('{"grid": "................", "regions": []}', "the regions: 0 rows of labels"),
        ('{"grid": "................", "regoins": []}', "unknown key 'regoins'; expected box, "),
        ("region(1,1,1). initial(2,2,2).", "r2c2 holds 2: over 1, the size of the grid"),
        ("region(1,1,1). region(2,1,2).", "the region of r1c1 has 1 cell, expected 2"),
        (" ".join(f"region({n},{n},1)." for n in range(1, 2_000)), "there are 1999 regions"),
        ("region(1,0,1).", "0 stands where a number from 1 up is expected"),
        ("region(1,1,2).", "is not a cell of a 1x1 grid"),
        ("#const box_rows=2. #const box_columns=2. excluded(1,1,5).", "r1c1 does not hold 5: over"),
        ("#const dim=2. initial(1,1,1). excluded(1,1,5).", "r1c1 does not hold 5: over 4"),
    ],
)
def test_wrong_text_is_reported(text, message):
    with pytest.raises(InvalidPuzzle, match=re.escape(message)):
        Puzzle.parse(text)


def test_facts_say_no_more_of_the_shape_than_those_of_a_grid():
    puzzle = Puzzle("5" + "." * 80, marks={"r1c2": [1, 2, 3, 4, 6, 7, 8]})
    assert puzzle.format("facts") == "excluded(1,2,5). excluded(1,2,9).\ninitial(1,1,5)."
    assert Puzzle.parse(puzzle.format("facts")) == puzzle
    text = Puzzle("." * 16, LABELS).format("facts")
    atoms = text.partition("\n")[2].replace(".", "")
    for found in (Puzzle.parse(text), Puzzle.parse(atoms, "answer"), Puzzle.parse(atoms)):
        assert found == Puzzle("." * 16, LABELS)


def test_facts_run_with_the_encoding():
    puzzle = Puzzle("." * 16, LABELS, {"r1c1": [1], "r2c1": "even", "r1c2": [3]})
    encoding = Encoding("sudoku")
    found, grumbles = answers(encoding.program, puzzle.format("facts"))
    assert {*found} == set(map(encoding.shown, all_solutions(puzzle)))
    assert (len(found) > 0, grumbles) == (True, [])


# --- a text takes its box shape from the puzzle that it is compared with ------------------


def test_a_text_has_the_box_shape_of_the_puzzle():
    solution = "612345543621135462426153261534354216"
    puzzle = Puzzle(Grid((0,) * 36, (2, 3)))
    rows = [[int(digit) for digit in solution[at : at + 6]] for at in range(0, 36, 6)]
    grid = Grid.parse(solution, box=(2, 3))
    for given in (solution, rows, grid, Puzzle(grid), grid.to_puzzle().to_json()):
        assert puzzle.holds(given)
        assert puzzle.with_grid(given).box == puzzle.grid.with_grid(given).box == (2, 3)
    assert grid.is_solution_of("6" + "." * 35)
    assert not puzzle.holds("1234341221434321")


def test_a_grid_of_other_boxes_is_refused_by_name():
    puzzle = Puzzle(Grid((0,) * 36, (2, 3)))
    grid = Grid((0,) * 36, (1, 6))
    message = "the grid has 1x6 boxes, but the puzzle has 2x3 boxes: read it with box=(2, 3) or"
    for other in (grid, f"#C1x6 boxes\n{grid}"):
        with pytest.raises(InvalidPuzzle) as caught:
            puzzle.holds(other)
        assert str(caught.value) == f"{message} --box 2x3"
    latin = Puzzle(Grid((0,) * 16, (1, 4)))
    assert not latin.holds(Grid((0,) * 16, (4, 1)))  # neither has boxes
