"""A puzzle with regions and marks as text: every format that can say it, and what others refuse."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.oracle import all_solutions
from test_puzzle import EVERYTHING, FOUR, JIGSAW, LABELS, as_cells

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, formats

ENCODING = Path(__file__).resolve().parent.parent / "encodings" / "sudoku.lp"
PUZZLES = [JIGSAW, EVERYTHING, Puzzle(FOUR, marks={"r1c2": 3}), Puzzle("." * 81, marks={"r9c9": 1})]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=repr)
@pytest.mark.parametrize("form", ["json", "facts"])
def test_text_that_holds_every_rule(puzzle, form):
    text = puzzle.format(form)
    assert Puzzle.parse(text) == Puzzle.parse(text, form) == puzzle
    assert formats.as_puzzle(text) == puzzle
    assert list(formats.read_puzzles(text.splitlines())) == [puzzle]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=repr)
@pytest.mark.parametrize("form", sorted(formats.FORMATS.keys() - {*formats.HOLD_RULES, "pretty"}))
def test_other_formats_refuse_and_name_those_that_can(puzzle, form):
    all_of_it = ["json", "facts", *["prolog"] * (not puzzle.marks), "fpuzzles", "fpuzzles-link"]
    others = f"{', '.join(map(repr, all_of_it[:-1]))} and {all_of_it[-1]!r}"
    with pytest.raises(InvalidPuzzle) as refused:
        puzzle.format(form)
    assert re.fullmatch(
        f"this puzzle has [a-z ]*(regions|marks), which '{form}' cannot hold; {others} can",
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


def test_a_plain_puzzle_is_its_grid():
    assert type(formats.as_puzzle(Puzzle(FOUR, title="plain"))) is Grid
    assert type(formats.parse(str(Puzzle(FOUR)))) is Grid
    assert formats.parse(str(Puzzle(FOUR, title="plain"))).title == "plain"


@pytest.mark.parametrize(
    "more",
    [
        {"regions": as_cells(LABELS)},
        {"regions": LABELS.split()},
        {"regions": LABELS, "box": [1, 4]},
        {"regions": [[int(label) for label in row] for row in LABELS.split()], "marks": {}},
    ],
)
@pytest.mark.parametrize("rows", [FOUR.to_json(), str(FOUR), FOUR.format("rows")])
def test_json_that_others_may_write(more, rows):
    assert Puzzle.parse(json.dumps({"grid": rows, **more})) == JIGSAW


def test_marks_may_be_arrays():
    numpy = pytest.importorskip("numpy")
    marks = {(1, 2): numpy.array([2, 4]), (1, 3): numpy.int64(3)}
    assert Puzzle(FOUR, marks=marks) == Puzzle(FOUR, marks={"r1c2": "even", "r1c3": 3})


def test_marks_in_json_may_be_words():
    text = json.dumps({"grid": FOUR.to_json(), "marks": {"r1c2": "even", "r1c3": [3]}})
    assert Puzzle.parse(text) == Puzzle(FOUR, marks={"r1c2": "even", "r1c3": 3})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"grid": ["....", "....", "....", "...."], "regions": 5}', "the regions are 5"),
        ('{"grid": "................", "regions": "1234"}', "4 different labels, expected 2"),
        ('{"grid": "................", "marks": {"r9c9": "odd"}}', "'r9c9' is not a cell of a 4x4"),
        ('{"grid": "................", "rules": ["fog"]}', "'fog' is not a rule"),
        ('{"grid": "................", "title": 5}', "the title is 5; expected text"),
        ('{"grid": "................", "title": 0}', "the title is 0; expected text"),
        ('{"grid": "................", "regions": []}', "the regions: 0 rows of labels"),
        ('{"grid": "................", "regoins": []}', "unknown key 'regoins'; expected box, "),
        ("region(1,1,1). initial(2,2,2).", "r2c2 holds 2: over 1, the size of the grid"),
        ("region(1,1,1). region(2,1,2).", "the region of r1c1 has 1 cell, expected 2"),
        (" ".join(f"region({n},{n},1)." for n in range(1, 2_000)), "there are 1999 regions"),
        ("region(1,0,1).", "0 stands where a number from 1 up is expected"),
        ("region(1,1,1..9).", "is not a cell of a 1x1 grid"),
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


def test_facts_without_givens_and_full_stops():
    text = Puzzle("." * 16, LABELS).format("facts")
    assert Puzzle.parse(text) == Puzzle("." * 16, LABELS)
    atoms = text.partition("\n")[2].replace(".", "")
    assert Puzzle.parse(atoms, "answer") == Puzzle.parse(atoms) == Puzzle("." * 16, LABELS)


def test_facts_run_with_the_encoding(tmp_path):
    puzzle = Puzzle("." * 16, LABELS, {"r1c1": [1], "r2c1": "even", "r1c2": [3]})
    facts = tmp_path / "puzzle.lp"
    facts.write_text(puzzle.format("facts"))
    ran = subprocess.run(
        [sys.executable, "-m", "clingo", "--outf=2", "-Wnone", str(ENCODING), str(facts), "0"],
        capture_output=True,
        text=True,
        check=False,
    )
    found = {formats.as_grid(piece) for _, piece in formats.split(ran.stdout)}
    assert found == set(all_solutions(puzzle))
    assert found
