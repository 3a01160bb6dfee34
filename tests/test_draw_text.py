"""Pictures in a terminal: aligned, legible without colour, and equally aligned with colour."""

from __future__ import annotations

import re
import unicodedata

import pytest
from helpers.oracle import dig, full_grid
from helpers.puzzles import PRINTED

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.draw import ROLES, Highlight, Picture, difference, pencil_marks
from pylogic_sudoku.draw._text import MARKERS, in_ascii

SHAPES = [(1, 1), (2, 2), (2, 3), (3, 2), (1, 5), (3, 3), (2, 5), (4, 4), (5, 5)]
EXAMPLE, ANSWER = map(Grid.parse, list(PRINTED.items())[-1])
FOUR = Grid.parse("1..4.....3......")
CODES = re.compile(r"\033\[([\d;]*)m")


def split(line: str) -> list[str]:
    """The cells of a line of a picture."""
    return re.sub("[┃│]", " ", line).split()


@pytest.mark.parametrize("box", SHAPES)
def test_full_grids_are_aligned_and_can_be_read_back(box):
    grid = full_grid(box, 1)
    lines = Picture(grid).to_text().splitlines()
    assert len({len(line) for line in lines}) == 1
    rows = [line for line in lines if line.startswith("┃")]
    assert [split(row) for row in rows] == [[str(digit) for digit in row] for row in grid.rows]
    ends = {tuple(match.end() for match in re.finditer(r"\d+", row)) for row in rows}
    assert len(ends) == 1  # units stand under units
    assert len([line for line in lines if "━" in line]) == grid.size // box[0] + 1
    assert rows[0].count("┃") == grid.size // box[1] + 1


@pytest.mark.parametrize("box", SHAPES)
def test_pencil_marks_are_aligned(box):
    n = box[0] * box[1]
    puzzle = dig(full_grid(box, 1), n, 2)
    picture = Picture(puzzle, candidates=pencil_marks(puzzle))
    header, *rows = picture.to_text().splitlines()
    assert header.split() == [str(number) for number in range(1, n + 1)]
    named = len(str(n)) + 1
    assert [row[:named].strip() for row in rows if row[:named].strip()] == header.split()
    lines = [row[named:] for row in rows]
    assert len({len(line) for line in lines}) == 1
    shown: list[list[str]] = [[] for _ in puzzle.digits]
    row = -1
    for line in lines:
        if line.startswith("┃"):
            for column, cell in enumerate(re.split("[┃│]", line)[1:-1]):
                shown[row * n + column] += cell.split()
        else:
            row += 1
    for cell, digits in enumerate(shown):
        marks = [str(each) for each in sorted(picture.candidates[cell // n][cell % n])]
        assert digits == ([str(puzzle.digits[cell])] if puzzle.digits[cell] else marks)


def test_sizes_fit_a_terminal():
    def width(box: tuple[int, int], marks: bool = False) -> int:
        grid = full_grid(box, 1) if not marks else Grid((0,) * (box[0] * box[1]) ** 2, box)
        candidates = pencil_marks(grid) if marks else None
        return max(map(len, Picture(grid, candidates=candidates).to_text().splitlines()))

    assert width((3, 3)) == 37
    assert width((3, 3), marks=True) <= 80
    assert width((4, 4)) <= 80
    assert width((5, 5)) <= 110


def test_every_role_has_a_marker_and_a_line_in_the_legend():
    assert list(MARKERS) == list(ROLES)
    assert len(set(MARKERS.values())) == len(ROLES)
    highlights = tuple(
        Highlight(f"the {role}", role, ((1 + at // 9, 1 + at % 9),))
        for at, role in enumerate(ROLES)
    )
    lines = Picture(ANSWER, EXAMPLE, None, highlights, "A title").to_text().splitlines()
    assert lines[0] == "A title"
    assert lines[1].split() == [str(column) for column in range(1, 10)]
    assert lines[3].startswith("1 ┃*5*│!3!│x4x┃~6~│a7a│b8b┃c9c│d1d│e2e┃")
    assert [line.split() for line in lines[-13:]] == [[MARKERS[r], "the", r] for r in ROLES]


def weights(character: str) -> dict[str, bool]:
    """Return which of the lines of a box-drawing character are heavy, from its Unicode name."""
    words = unicodedata.name(character).removeprefix("BOX DRAWINGS ").split()
    ways = {"VERTICAL": ("UP", "DOWN"), "HORIZONTAL": ("LEFT", "RIGHT")}
    found, waiting = {}, []
    if words[0] in ("HEAVY", "LIGHT"):  # as in HEAVY VERTICAL AND LEFT
        words = [*words[1:], words[0]]
    for word in words:  # as in UP HEAVY AND RIGHT DOWN LIGHT
        if word in ("HEAVY", "LIGHT"):
            found |= dict.fromkeys(waiting, word == "HEAVY")
            waiting = []
        elif word != "AND":
            waiting += ways.get(word, (word,))
    return found


def test_every_crossing_of_borders_fits_its_lines():
    regions = "AAAAAABBBCCCDEAABBCCDDEAFBBCCDEEFFGBHCDDEFFGBHCDDEEFGGHHDIEFFGGHHIIEFGGGHHHIIIIII"
    rows = Picture(EXAMPLE, Puzzle(EXAMPLE, regions)).to_text().splitlines()
    sides = {"UP": (-1, 0), "DOWN": (1, 0), "LEFT": (0, -1), "RIGHT": (0, 1)}
    for y in range(0, len(rows), 2):
        for x in range(0, len(rows[0]), 4):
            for side, heavy in weights(rows[y][x]).items():
                line = rows[y + sides[side][0]][x + sides[side][1]]
                assert heavy == (line in "━┃"), rows[y][x]
    assert {len(weights(each)) for row in rows[2:-2:2] for each in row[4:-4:4]} == {4}


def test_odd_and_even_cells_have_brackets():
    puzzle = Puzzle(FOUR, marks={"r1c1": "odd", "r1c2": "even", "r2c1": {1, 2, 4}})
    lines = Picture(FOUR, puzzle).to_text().splitlines()
    assert lines[1:6] == [
        "┃     │[   ]┃     │     ┃",
        "┃ (1) │[   ]┃     │  4  ┃",
        "┠─────┼─────╂─────┼─────┨",
        "┃ 1 2 │     ┃     │     ┃",
        "┃   4 │     ┃     │     ┃",
    ]
    assert lines[-2:] == ["( ) odd", "[ ] even"]
    marked = Picture(FOUR, puzzle, highlights=(Highlight("", "target", ((1, 1),)),)).to_text()
    assert "*1*" in marked


def test_marked_pencil_marks():
    highlights = (
        Highlight("2 or 3", "reason", ((1, 3),), ((1, 3, 2),)),
        Highlight("", "removed", (), ((1, 2, 3), (1, 3, 3))),
    )
    picture = Picture(FOUR, candidates=pencil_marks(FOUR), highlights=highlights)
    assert picture.to_text().splitlines()[:4] == [
        "     1     2     3     4",
        "  ┏━━━━━┯━━━━━┳━━━━━┯━━━━━┓",
        "  ┃     │   2 ┃  +2+│     ┃",
        "1 ┃  1  │x3   ┃x3  +│  4  ┃",
    ]
    assert picture.to_text().splitlines()[-1] == "   +  2 or 3"


def test_difference_shows_both_digits():
    other = Grid((*ANSWER.digits[:2], 6, 4, 0, *ANSWER.digits[5:]), (3, 3))
    picture = Picture(ANSWER, highlights=(difference(ANSWER, other),))
    assert picture.to_text().splitlines()[2] == "1 ┃ 5  │ 3  │ 4~6┃ 6~4│~7~ │ 8  ┃ 9  │ 1  │ 2  ┃"
    large = full_grid((4, 4), 1)
    lines = Picture(large, highlights=(difference(large, full_grid((4, 4), 2)),)).to_text()
    frame = [line for line in lines.splitlines() if "┃" in line or "━" in line]
    assert len({len(line) for line in frame}) == 1


@pytest.mark.parametrize("marks", [None, pencil_marks(EXAMPLE)])
def test_colour_changes_no_character(marks):
    highlights = tuple(
        Highlight(f"the {role}", role, ((1 + at // 9, 1 + at % 9),))
        for at, role in enumerate(ROLES)
    )
    picture = Picture(EXAMPLE, None, marks, highlights, "title")
    coloured = picture.to_text(color=True)
    assert CODES.sub("", coloured) == picture.to_text()
    assert "\033" not in picture.to_text()
    codes = CODES.findall(coloured)
    assert codes[1::2] == ["0"] * (len(codes) // 2)  # every colour ends before the next begins


def test_givens_are_bold_and_the_others_are_not():
    text = Picture(ANSWER, EXAMPLE).to_text(color=True)
    found = re.findall(r"\033\[(\d+)m *(\d) *\033\[0m", text)
    assert [int(digit) for _, digit in found] == list(ANSWER.digits)
    assert [code == "1" for code, _ in found] == [bool(given) for given in EXAMPLE.digits]


def test_empty_cells_of_large_grids_can_be_counted():
    puzzle = dig(full_grid((4, 4), 1), 100, 1)
    assert Picture(puzzle).to_text().count("·") == 156


def test_ascii_for_those_who_have_nothing_else():
    for grid in (ANSWER, dig(full_grid((4, 4), 1), 100, 1)):
        text = Picture(grid, candidates=pencil_marks(grid)).to_text()
        plain = in_ascii(text)
        assert plain.isascii()
        assert [len(line) for line in plain.splitlines()] == [len(x) for x in text.splitlines()]


def test_labels_and_titles_cannot_command_the_terminal():
    highlights = (Highlight("a\033[2Jb\nc", "target", ((1, 1),)),)
    text = Picture(FOUR, None, None, highlights, "\033]0;x\007t").to_text()
    assert text.splitlines()[0] == "]0;x t"
    assert text.splitlines()[-1] == "   *  a [2Jb c"
