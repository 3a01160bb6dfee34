"""Text that is handed on gives the same puzzle again, without its format or its boxes."""

from __future__ import annotations

import json
import pickle
import random
from itertools import product
from pathlib import Path

import pytest
from helpers.command_line import invoke
from helpers.format_texts import CLASSIC, FOUR, SIX
from helpers.jigsaws import jigsaw
from helpers.ruled import KILLER, THERMOMETERS

from pylogic_sudoku import Grid, Puzzle, read_puzzles
from pylogic_sudoku._layout import OpenShape
from pylogic_sudoku.check._instances import VOCABULARIES, find_instances
from pylogic_sudoku.formats import FORMATS, READ_ONLY, as_puzzle, parse, shared, write
from pylogic_sudoku.serve._questions import read as read_on_the_page

SHAPES = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 3), (2, 6), (4, 4), (1, 5), (5, 1)]


def pattern(box, part, seed=0):
    """A grid with this part of the digits of a solution."""
    rows, columns = box
    n, chance = rows * columns, random.Random(seed)
    digits = [
        (y % rows * columns + y // rows + x) % n + 1 if chance.random() < part else 0
        for y in range(n)
        for x in range(n)
    ]
    return Grid(tuple(digits), box)


DETECTED = [format for format in FORMATS if format not in ("hex", "pencil")]


@pytest.mark.parametrize("format", DETECTED)
def test_every_format_comes_back_in_every_shape(format):
    for box, part in product(SHAPES, (1, 0.7, 0.4, 0.1)):
        grid = pattern(box, part)
        text, same = shared(grid, format)
        assert (same, as_puzzle(parse(text))) == (True, grid)
        assert [as_puzzle(each) for each in read_puzzles(text.splitlines())] == [grid]


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_clear_gets_no_comment(format):
    assert shared(FOUR, format) == (FOUR.format(format), format in DETECTED)


@pytest.mark.parametrize(
    ("puzzle", "formats"),
    [
        (jigsaw(6, 6, 1), ["json", "facts", "prolog", "fpuzzles", "fpuzzles-link"]),
        (jigsaw(4, 2, 1, 3), ["json", "facts"]),
        (KILLER, ["json", "facts", "prolog", "fpuzzles", "fpuzzles-link"]),
        (THERMOMETERS, ["json", "facts", "prolog", "fpuzzles", "fpuzzles-link"]),
    ],
    ids=["jigsaw", "marks", "killer", "thermometers"],
)
def test_rules_come_back_too(puzzle, formats):
    for format in formats:
        text, same = shared(puzzle, format)
        assert (same, as_puzzle(parse(text))) == (True, puzzle)


def test_a_drawing_is_not_said_to_come_back():
    _, same = shared(jigsaw(6, 6, 1), "pretty")
    assert not same


def test_comments_above_the_puzzles_count_for_all_of_them():
    text = "\n".join(["#C2x3 boxes", str(SIX), str(SIX)])
    assert list(read_puzzles(text.splitlines())) == [SIX, SIX]
    table = "# by hand\n#C2x3 boxes\npuzzle\n" + "\n".join([str(SIX)] * 3)
    assert list(read_puzzles(table.splitlines())) == [SIX] * 3
    assert Grid.parse(table) == SIX
    frames = f"#C2x3 boxes\n{SIX.format('rows')}\n\n{SIX.format('rows')}\n"
    assert list(read_puzzles(frames.splitlines())) == [SIX, SIX]


def test_a_game_may_state_its_boxes():
    text = f'<opensudoku><game box="2x3" data="{SIX}"/><game data="{CLASSIC}"/></opensudoku>'
    assert Grid.parse(text) == SIX
    assert list(read_puzzles([text])) == [SIX, Grid.parse(CLASSIC)]
    assert Grid.parse(text, box=(3, 2)).box == (3, 2)


def test_an_open_shape_says_its_size():
    with pytest.raises(OpenShape) as caught:
        Puzzle.parse("." * 36)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.size, str(again)) == (6, str(caught.value))


# === One text is the same puzzle through every door, whatever stands above the puzzle in it =======

NINE = Grid.parse(CLASSIC)
CHARACTERS = "j<<<<<<<<" * 9
LABELS = (
    CLASSIC + "AAAAAAAAABBBBBBBBBCCCCCCCCCDDDDDDDDDEEEEEEEEEFFFFFFFFFGGGGGGGGGHHHHHHHHHIIIIIIIII"
)
PAD = {"cells": [[{"value": digit or None} for digit in row] for row in NINE.rows]}

# Each line of a comment is what some format would take for a puzzle, or for a sign of its own.
SIGNS = ["5 3 . .", "[[1,2],[3,4]]", "Answer: 1", "puzzle,solution", "[Puzzle]", "[| 1 |]", CLASSIC]
SIGNS += ["initial(1,1,9).", "<game>", '"grid": [[{', "it's 50% off", 'an open " quote']
LINES = "".join(f"# {sign}\n" for sign in SIGNS * 12)
PERCENT = LINES.replace("# ", "% ") + "%" + "*" * 60 + "%\n"
SLASHES = "/*\n" + "\n".join(SIGNS * 12) + "\n*/\n"
BLOCK = SLASHES.replace("/*", "%*").replace("*/", "*%")
XML = '<?xml version="1.0"?>\n<!--\n' + "\n".join(SIGNS * 12) + "\n-->\n"

ABOVE = {
    "facts": [PERCENT, BLOCK, PERCENT + BLOCK + PERCENT, BLOCK.replace("\n*%", " *%")],
    "answer": [PERCENT.replace("% Answer", "% answer"), BLOCK],
    "clingo": [],
    "json": [],
    "fpuzzles": [],
    "prolog": [PERCENT, SLASHES, "%" + "*" * 60 + "\n" + PERCENT + SLASHES],
    "dzn": [PERCENT, SLASHES],
    "opensudoku": [XML],
    "scl": [],
}
"""Comments of the formats that have comments of their own, or none; the others have lines."""

ENDINGS = {"facts": "lp", "answer": "txt", "clingo": "json", "json": "json", "fpuzzles": "json"}
ENDINGS |= {"prolog": "pl", "dzn": "dzn", "opensudoku": "opensudoku", "csv": "csv", "sdk": "sdk"}

TEXTS = {name: write(NINE, name) for name in FORMATS}
TEXTS["opensudoku"] = TEXTS["opensudoku"].partition("\n")[2]
TEXTS |= {
    "killer": CHARACTERS,
    "jigsaw": LABELS,
    "scl": json.dumps(PAD),
    "iss": ".Thermo~R1C1~R1C2",
}


def test_every_format_has_a_text():
    assert TEXTS.keys() == FORMATS.keys() | READ_ONLY.keys()


@pytest.mark.parametrize("name", TEXTS)
def test_every_door(name, tmp_path):
    form = name if name in ("hex", "pencil") else None
    puzzle = as_puzzle(Puzzle.parse(TEXTS[name], form))
    for above in ["", "\n" * 100, *ABOVE.get(name, [LINES])]:
        text = above + TEXTS[name] + "\n"
        for ending in {"txt", ENDINGS.get(name, "txt")}:
            file = tmp_path / f"puzzle.{ending}"
            file.write_text(text, encoding="utf-8")
            found = {door: of(text, file, form) for door, of in DOORS.items()}
            assert found == {door: [puzzle] for door in DOORS}, (above[:20], ending)


def parsed(text: str, _file: Path, form: str | None) -> list[object]:
    return [as_puzzle(Puzzle.parse(text, form))]


def read(_text: str, file: Path, form: str | None) -> list[object]:
    return list(map(as_puzzle, read_puzzles(file, form)))


def read_as_lines(text: str, _file: Path, form: str | None) -> list[object]:
    return list(map(as_puzzle, read_puzzles(text.splitlines(keepends=True), form)))


def converted(_text: str, file: Path, form: str | None) -> list[object]:
    ran = invoke("convert", "-f", "json", file, *(["--from", form] if form else []))
    assert ran.exit_code == 0, ran.stderr
    return [as_puzzle(Puzzle.parse(line)) for line in ran.stdout.splitlines()]


def as_an_instance(_text: str, file: Path, form: str | None) -> list[object]:
    words = VOCABULARIES["initial"]
    return [as_puzzle(each.puzzle(words)) for each in find_instances(file, words, form)]


def on_the_page(text: str, _file: Path, form: str | None) -> list[object]:
    return [as_puzzle(each) for each in read_on_the_page(text, form, None, 0)["puzzles"]]


DOORS = {
    each.__name__: each
    for each in (parsed, read, read_as_lines, converted, as_an_instance, on_the_page)
}


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("given.lp", "cell(1,1).\ninitial(1,1,5) initial(2,2).", "line 2, column 16: syntax error"),
        ("rows.json", "[[1,_],[_,1]]", "this is not JSON"),
        ("rows.csv", "12", "expected"),
        ("rows.pl", "123456789\n" * 9, "no list of rows here"),
        ("rows.dzn", "123456789\n" * 9, "no array here"),
        ("games.xml", "123456789\n" * 9, "this is not XML"),
    ],
)
def test_the_ending_of_a_file_is_believed(name, text, complaint, tmp_path):
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        list(read_puzzles(file))
    ran = invoke("solve", file)
    assert ran.exit_code == 2
    assert complaint in ran.stderr


def test_a_prolog_file_whose_list_comes_late_is_known_by_its_ending(tmp_path):
    file = tmp_path / "problems.pl"
    file.write_text("helper(X) :- other(X).\n" * 70 + f"problem(1, {NINE.format('prolog')}).\n")
    assert list(read_puzzles(file)) == [NINE]
    assert invoke("count", file).stdout.strip().endswith("1")
