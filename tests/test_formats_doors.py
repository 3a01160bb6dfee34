"""One text is the same puzzle through every door, whatever stands above the puzzle in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.command_line import invoke
from helpers.format_texts import CLASSIC

from pylogic_sudoku import Grid, Puzzle, read_puzzles
from pylogic_sudoku.check._instances import VOCABULARIES, find_instances
from pylogic_sudoku.formats import FORMATS, READ_ONLY, as_puzzle, write
from pylogic_sudoku.serve._questions import read as read_on_the_page

NINE = Grid.parse(CLASSIC)
KILLER = "j<<<<<<<<" * 9
JIGSAW = (
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
TEXTS |= {"killer": KILLER, "jigsaw": JIGSAW, "scl": json.dumps(PAD), "iss": ".Thermo~R1C1~R1C2"}


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
