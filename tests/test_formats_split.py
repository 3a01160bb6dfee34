"""Many puzzles in one text: where each begins, and the message if there are none."""

from __future__ import annotations

import json

import pytest
from helpers.format_texts import CLASSIC, ENCODING, FOUR, LINE, SIX

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle
from pylogic_sudoku.formats import split

ROWS = "1..4\n....\n.3..\n...."
PRETTY = FOUR.format("pretty")
PROLOG = FOUR.format("prolog")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(LINE, [1], id="a line"),
        pytest.param(f"{LINE}\n{LINE}\n{LINE}", [1, 2, 3], id="lines"),
        pytest.param(f"# easy\n{LINE}\n\n% hard\n{LINE}\n", [2, 5], id="lines and comments"),
        pytest.param(f"{LINE} one\r\n{LINE} two\r\n", [1, 2], id="lines with names"),
        pytest.param(f"{LINE}\n" * 5, [1, 2, 3, 4, 5], id="as many lines as the rows of a grid"),
        pytest.param(ROWS, [1], id="rows"),
        pytest.param(f"{ROWS}\n\n{ROWS}\n \n{ROWS}", [1, 6, 11], id="blocks of rows"),
        pytest.param(f"Grid\n{ROWS}".replace("Grid", "# 01"), [2], id="a title"),
        pytest.param(f"# 1\n{ROWS}\n# 2\n{ROWS}\n", [2, 7], id="titles"),
        pytest.param(f"{PRETTY}\n\n{PRETTY}", [1, 7], id="pretty"),
        pytest.param(f"{' ' * 16}\n{ROWS}\n{' ' * 16}\n{ROWS}", [2, 7], id="lines of blanks"),
        pytest.param(f"{PROLOG}.\n{PROLOG}.", [1, 5], id="lists of rows"),
        pytest.param(
            f"% {LINE}\nproblem(1, {PROLOG}).\n\n% problem(0, [[_,_]]).\nproblem(2, {PROLOG}).",
            [2, 8],
            id="Prolog facts",
        ),
        pytest.param(f"\n{FOUR.format('facts')}\n", [1], id="facts"),
        pytest.param(json.dumps({"grid": FOUR.rows}, indent=1), [1], id="JSON"),
        pytest.param(f'{{\n"grid": "{LINE}"}}\n' * 3, [1, 3, 5], id="JSON again and again"),
    ],
)
def test_split(text, lines):
    assert [(line, Grid.parse(puzzle)) for line, puzzle in split(text)] == [
        (line, FOUR) for line in lines
    ]


def test_full_lists_of_rows_that_might_as_well_be_json():
    full = Grid.parse("1234341221434321").format("prolog")
    assert list(split(f"{full}\n\n{full}")) == [(1, full), (6, full)]


def test_what_follows_json_is_json():
    pieces = split(f'{{\n"grid": "{LINE}"}} x')
    assert Grid.parse(next(pieces)[1]) == FOUR
    with pytest.raises(InvalidPuzzle, match="this is not JSON: Expecting value: line 2 column"):
        next(pieces)


@pytest.mark.parametrize("number", [16, 81, 82, 256])
def test_split_is_not_misled_by_the_number_of_lines(number):
    assert len(list(split(f"{CLASSIC}\n" * number))) == number


def test_sixteen_rows_of_sixteen_are_one_grid():
    ((line, text),) = split(f"{'.' * 16}\n" * 16)
    assert (line, Grid.parse(text).size) == (1, 16)
    assert len(list(split(f"{'.' * 16}\n" * 16, box=(2, 2)))) == 16


@pytest.mark.parametrize("bad", ["1.2", "?" * 81, LINE[:-1]])
@pytest.mark.parametrize("at", range(4))
def test_bad_lines_among_good_ones_stand_alone(bad, at):
    lines = [CLASSIC] * 3
    lines.insert(at, bad)
    assert list(split("\n".join(lines))) == list(enumerate(lines, 1))


def test_lines_of_other_boxes():
    line = str(SIX)
    found = list(split(f"{line}\n" * 36, box=(2, 3)))
    assert [number for number, _ in found] == list(range(1, 37))
    assert {text for _, text in found} == {line}


def test_a_line_of_blanks_is_an_empty_puzzle():
    assert list(split(f"{CLASSIC}\n{' ' * 81}\n")) == [(1, CLASSIC), (2, " " * 81)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the text is empty; expected a puzzle"),
        (" \n\n", "the text is empty; expected a puzzle"),
        ("# one\n% two\n\n", "the text has only comments; expected a puzzle"),
    ],
)
def test_nothing_to_split(text, complaint):
    with pytest.raises(InvalidPuzzle) as caught:
        list(split(text))
    assert str(caught.value) == complaint


def test_our_own_problems_are_read():
    problems = ENCODING.parent.parent / "prolog" / "sudoku" / "problems.pl"
    text = problems.read_text()
    grids = [Puzzle.parse(puzzle) for _, puzzle in split(text)]
    assert len(grids) == text.count("\nproblem(") - 1
    assert str(grids[0].grid).startswith("2...9...1")
