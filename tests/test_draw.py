"""Pictures: as SVG, parsed again, in a terminal, and in files."""

from __future__ import annotations

import colorsys
import re
import sys
import unicodedata
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from helpers.oracle import dig, full_grid
from helpers.pictures import SVG, contrast, rim, sides, traced
from helpers.programs import need_library_for
from helpers.puzzles import PRINTED, SEVERAL

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku import page as serve
from pylogic_sudoku.draw import (
    ROLES,
    SUFFIXES,
    Highlight,
    Link,
    Picture,
    Sheet,
    difference,
    in_ascii,
    pencil_marks,
    svg,
)
from pylogic_sudoku.draw.scene import ROLE_LOOKS, TINTS, swatch
from pylogic_sudoku.files import install_command

SHAPES = [(1, 1), (2, 2), (2, 3), (3, 2), (1, 5), (3, 3), (2, 5), (4, 4), (5, 5)]
EXAMPLE, ANSWER = map(Grid.parse, list(PRINTED.items())[-1])


class Text(NamedTuple):
    text: str
    bold: bool
    fill: str
    size: float


class Drawn:
    """The lines and texts of an SVG image."""

    def __init__(self, image: str, n: int = 9) -> None:
        self.root = ElementTree.fromstring(image)
        assert self.root.tag == SVG + "svg"
        paths = self.root.findall(f"{SVG}path[@stroke='{svg.GIVEN}'][@stroke-width='3']")
        thin, thick = self.root.find(f"{SVG}path[@stroke='{svg.LINE}']"), paths[0]
        corners = traced(thick.get("d"))
        self.left, self.top = min(x for x, _ in corners), min(y for _, y in corners)
        self.side = (max(x for x, _ in corners) - self.left) / n
        origin = self.left, self.top
        self.thick = sides(thick.get("d"), origin, self.side)
        self.thin = sides(thin.get("d"), origin, self.side) - self.thick
        self.texts = [
            (float(text.get("x")), float(text.get("y")), self._text(group, text))
            for group in self.root.iter(SVG + "g")
            for text in group
        ]

    @staticmethod
    def _text(group, text) -> Text:
        bold = group.get("font-weight") == "bold"
        return Text(text.text, bold, group.get("fill"), float(group.get("font-size")))

    def cells(self, n: int) -> dict[int, list[Text]]:
        """The texts of each cell; a text stands in it with its whole height."""
        side = self.side
        found: dict[int, list[Text]] = {}
        for x, y, text in self.texts:
            column, row = (x - self.left) / side, (y - 0.36 * text.size - self.top) / side
            if 0 < row < n and 0 < column < n:
                assert self.top < y - 0.72 * text.size
                assert y <= self.top + (int(row) + 1) * side
                found.setdefault(int(row) * n + int(column), []).append(text)
        return found


def with_marks(box: tuple[int, int]) -> Picture:
    puzzle = dig(full_grid(box, 1), box[0] * box[1], 2)
    return Picture(puzzle, candidates=pencil_marks(puzzle))


@pytest.mark.parametrize("box", SHAPES)
def test_puzzle_and_solution_in_one_picture(box):
    solution = full_grid(box, 1)
    puzzle = dig(solution, len(solution.digits) // 2, 2)
    cells = Drawn(solution.to_svg(puzzle), solution.size).cells(solution.size)
    assert {cell: [text.text for text in texts] for cell, texts in cells.items()} == {
        cell: [str(digit)] for cell, digit in enumerate(solution.digits)
    }
    for cell, ((_, bold, fill, _),) in cells.items():
        assert (bold, fill) == ((True, svg.GIVEN) if puzzle.digits[cell] else (False, svg.FILLED))


JIGSAW = Puzzle(
    EXAMPLE,
    "AAAAAABBBCCCDEAABBCCDDEAFBBCCDEEFFGBHCDDEFFGBHCDDEEFGGHHDIEFFGGHHIIEFGGGHHHIIIIII",
    {"r1c1": "odd", "r1c4": "even", "r9c9": "odd", "r5c5": "even", "r9c1": {1, 2, 4}, "r2c2": 7},
)


@pytest.mark.parametrize(
    "picture",
    [
        *(Picture(puzzle.grid, puzzle) for puzzle in [JIGSAW]),
        *(Picture(full_grid(box, 1)) for box in SHAPES),
        # The boxes of the grid do not matter with regions.
        *(Picture(grid, JIGSAW) for grid in (Grid.parse("." * 81, box=(1, 9)), ANSWER)),
    ],
    ids=repr,
)
def test_lines_are_thick_around_boxes_and_regions_and_thin_within(picture):
    n = picture.grid.size
    drawn = Drawn(picture.to_svg(), n)
    blocks = [
        rim(house.cells) for house in picture.layout.houses if house.kind in ("box", "region")
    ]
    assert drawn.thick == rim(picture.grid.cells).union(*blocks)
    assert len(drawn.thick | drawn.thin) == 2 * n * (n + 1)


def test_odd_is_a_circle_and_even_a_square():
    drawn = Drawn(JIGSAW.to_svg())
    (path,) = drawn.root.findall(f"{SVG}path[@fill='{svg.PARITY}']")

    def cells(shape: str) -> set[tuple[int, int]]:
        """Where shapes begin: a circle on the left, and a square above it."""
        starts = re.findall(rf"M(\S+) (\S+?){shape}", path.get("d"))
        places = [(float(y) - drawn.top, float(x) - drawn.left) for x, y in starts]
        return {(1 + int(y // drawn.side), 1 + int(x // drawn.side)) for y, x in places}

    assert (cells("a"), cells("h")) == ({(1, 1), (9, 9)}, {(1, 4), (5, 5)})
    assert svg.PARITY not in EXAMPLE.to_svg()


def test_other_marks_are_small_digits_and_all_are_described():
    drawn = Drawn(JIGSAW.to_svg())
    texts = drawn.cells(9)
    assert [(text.text, text.size) for text in texts[72]] == [("1", 11), ("2", 11), ("4", 11)]
    assert [text.text for text in texts[10]] == ["7"]
    lines = drawn.root[1].text.splitlines()[9:]
    assert lines[0] == "Region 1: r1c1, r1c2, r1c3, r1c4, r1c5, r1c6, r2c6, r2c7, r3c6"
    marks = "r1c1: odd/r1c4: even/r2c2: one of 7/r5c5: even/r9c1: one of 1, 2, 4/r9c9: odd"
    assert lines[9:] == marks.split("/")
    assert Picture(EXAMPLE, JIGSAW).described == "Sudoku 9x9 with 30 givens"


@pytest.mark.parametrize("box", SHAPES)
def test_pencil_marks_stand_in_their_cells(box):
    picture = with_marks(box)
    n = picture.grid.size
    cells = Drawn(picture.to_svg(), n).cells(n)
    for cell, digit in enumerate(picture.grid.digits):
        marks = [str(each) for each in sorted(picture.candidates[cell // n][cell % n])]
        assert [text.text for text in cells.get(cell, [])] == ([str(digit)] if digit else marks)


def test_marks_of_a_digit_stand_in_one_place_and_apart():
    empty = Grid.parse("." * 81)
    drawn = Drawn(Picture(empty, candidates=pencil_marks(empty)).to_svg())
    side = drawn.side
    places = {
        (text.text, round((x - drawn.left) % side, 3), round((y - drawn.top) % side, 3))
        for x, y, text in drawn.texts
        if x > drawn.left and y > drawn.top  # or it is the number of a row or column
    }
    assert len(places) == 9
    for (_, x, y), (_, a, b) in combinations(places, 2):
        assert max(abs(x - a), abs(y - b)) >= 11


def test_pencil_marks_are_the_digits_that_clash_with_nothing():
    for text in (SEVERAL, str(EXAMPLE)):
        grid = Grid.parse(text)
        for cell, marks in enumerate(digits for row in pencil_marks(grid) for digits in row):
            before, after = grid.digits[:cell], grid.digits[cell + 1 :]
            assert marks == {
                digit
                for digit in range(1, 10)
                if not grid.digits[cell]
                and not Grid((*before, digit, *after), grid.box).duplicates()
            }


def test_contrast_by_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    grounds = [svg.PAPER, svg.PARITY, *(tint.ground for tint in svg.TINTS.values())]
    for text in (svg.GIVEN, svg.FILLED, svg.SMALL):
        assert min(contrast(text, ground) for ground in grounds) >= 4.5
    assert contrast(svg.LINE, svg.PAPER) >= 3


def test_roles_differ_without_colour():
    def colourless(role: str, **where) -> str:
        image = Picture(EXAMPLE, highlights=(Highlight("", role, **where),)).to_svg()
        return re.sub("#[0-9a-f]{6}|<desc>.*</desc>", "", image, flags=re.DOTALL)

    for where in ({"cells": ((1, 1),)}, {"candidates": ((1, 3, 1), (1, 3, 4))}):
        assert len({colourless(role, **where) for role in ROLES}) == len(ROLES)


def test_a_highlight_is_drawn_at_its_cell_and_at_its_candidate():
    def middles(**where) -> set[tuple[float, float]]:
        found = (Highlight("", "target", **where),)
        drawn = Drawn(Picture(EXAMPLE, None, pencil_marks(EXAMPLE), found).to_svg())
        ground = drawn.root.find(f"{SVG}path[@fill='{svg.TINTS['target'].ground}']").get("d")
        side = drawn.side
        return {
            (
                round((x + wide / 2 - drawn.left) / side, 2),
                round((y + wide / 2 - drawn.top) / side, 2),
            )
            for x, y, wide in (
                map(float, each) for each in re.findall(r"M(\S+) (\S+)h(\S+)v", ground)
            )
        }

    assert middles(cells=((1, 1), (9, 9))) == {(0.5, 0.5), (8.5, 8.5)}
    # r1c3 may hold 1, 2 and 4: three marks a row, the 4 stands in the second at the left
    ((x, y),) = middles(candidates=((1, 3, 4),))
    assert (x, y) == (pytest.approx(2.2, abs=0.02), pytest.approx(0.5))
    # the digit that a cell holds is the cell
    assert middles(candidates=((1, 1, 5),)) == {(0.5, 0.5)}


def test_where_cells_have_several_roles_the_first_is_drawn():
    both = tuple(Highlight(role, role, ((1, 5),)) for role in reversed(ROLES))
    for number in range(1, len(ROLES) + 1):
        assert Picture(EXAMPLE, highlights=both[:number]).looks()[4].role == both[number - 1].role


def test_difference_shows_both_digits():
    other = Grid((*ANSWER.digits[:2], 6, 4, 0, *ANSWER.digits[5:]), (3, 3))
    found = difference(ANSWER, other, "theirs")
    cells, theirs = ((1, 3), (1, 4), (1, 5)), ((1, 3, 6), (1, 4, 4))
    assert found == Highlight("theirs", "difference", cells, theirs)
    drawn = Drawn(Picture(ANSWER, EXAMPLE, None, (found,)).to_svg()).cells(9)
    shown = {cell: [text.text for text in texts] for cell, texts in drawn.items()}
    assert (shown[2], shown[3], shown[4]) == (["4", "6"], ["6", "4"], ["7"])
    assert all(len(texts) == 1 for cell, texts in shown.items() if cell not in (2, 3))
    assert difference(ANSWER, ANSWER).cells == ()
    # What an empty cell lacks is drawn in its middle.
    lacking = Drawn(Picture(EXAMPLE, highlights=(difference(EXAMPLE, ANSWER),)).to_svg()).cells(9)
    assert [int(lacking[cell][0].text) for cell in range(81)] == list(ANSWER.digits)
    assert lacking[0][0].size > lacking[2][0].size > 11


def test_legend_and_title_are_whole_escaped_and_within_the_picture():
    label = "a < b & c > d, " * 12
    image = Picture(
        Grid.parse("1..4.....3......"),
        highlights=(Highlight(label, "reason", ((1, 1),)), Highlight("", "target", ((1, 2),))),
        title='<"title"> & more\x00\x1b[31m\ud800 of it\nhere',
    ).to_svg()
    drawn = Drawn(image, 4)
    width, height = map(float, drawn.root.get("viewBox").split()[2:])
    lines = [text.text for _, _, text in drawn.texts if text.size == 13]
    assert " ".join(lines).split() == label.split()
    assert all(0 < x < width and 0 < y < height - 2 for x, y, _ in drawn.texts)
    assert max(len(line) for line in lines) * 7.2 < width
    # nothing for what has no label
    assert len(drawn.root.findall(f"{SVG}path[@fill='{svg.TINTS['target'].ground}']")) == 1
    assert drawn.root[0].text == '<"title"> & more [31m of it here'


def test_screen_readers_get_the_answer():
    here = Highlight("here", "target", ((1, 3),), ((1, 4, 6),))
    root = Drawn(Picture(ANSWER, EXAMPLE, None, (here,)).to_svg()).root
    assert root.get("role") == "img"
    assert [child.tag for child in root[:2]] == [SVG + "title", SVG + "desc"]
    assert root[0].text == "Sudoku 9x9 with 30 givens and its solution"
    lines = root[1].text.splitlines()
    assert (lines[0], lines[9:]) == ("Row 1: 5 3 4 6 7 8 9 1 2", ["here: r1c3, 6 in r1c4"])
    assert Drawn(EXAMPLE.to_svg()).root[1].text.startswith("Row 1: 5 3 . . 7 . . . .\n")


def test_many_small_pictures_may_stand_on_one_page():
    image = Picture(ANSWER, EXAMPLE, None, EVERY_ROLE, "title").to_svg()
    names = {name for element in ElementTree.fromstring(image).iter() for name in element.attrib}
    assert not names & {"id", "class", "style"}
    assert not re.search(r"<style|url\(", image)
    assert len(ANSWER.to_svg(EXAMPLE)) < 4_500
    assert len(Picture(EXAMPLE, candidates=pencil_marks(EXAMPLE)).to_svg()) < 9_000


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"puzzle": Grid.parse("." * 16)}, "9x9 with 3x3 boxes and 4x4 with 2x2 boxes"),
        ({"candidates": ((frozenset(),),)}, "9 rows of 9 sets of digits"),
        ({"candidates": ((frozenset({10}),) * 9,) * 9}, "digits from 1 to 9"),
        ({"highlights": (Highlight("x", "hint"),)}, "no role 'hint'; one of target"),
        ({"highlights": (Highlight("x", "target", ((1, 10),)),)}, "'x' is about (1, 10)"),
        ({"highlights": (Highlight("x", "target", (), ((1, 1, 10),)),)}, "about (1, 1, 10)"),
        ({"highlights": (Highlight("x", "target", ((1, 1, 1),)),)}, "expected (row, column), each"),
        ({"highlights": (Highlight("x", "target", (), ((1, 1),)),)}, "(row, column, digit), each"),
        ({"puzzle": Puzzle("." * 16, "1112122233343444")}, "the grids differ in shape"),
        ({"links": (Link(((1, 1, 1),), ((1, 10, 1),), True),)}, "a link is about (1, 10, 1)"),
        ({"links": (Link(((1, 1, 1),), (), True),)}, "one of them is empty"),
    ],
)
def test_parts_that_do_not_fit_are_reported(parts, message):
    with pytest.raises(pls.InvalidPuzzle, match=re.escape(message)):
        Picture(EXAMPLE, **parts)


def test_grids_show_themselves_in_notebooks():
    assert EXAMPLE._repr_svg_() == EXAMPLE.to_svg() == Picture(EXAMPLE)._repr_svg_()
    highlights = (Highlight("x", "target", ((1, 1),)),)
    picture = Picture(ANSWER, EXAMPLE, pencil_marks(ANSWER), highlights, "T")
    assert ANSWER.to_svg(EXAMPLE, pencil_marks(ANSWER), highlights, "T") == picture.to_svg()


@pytest.mark.parametrize("n", [3, 4, 9, 25])
def test_rows_and_columns_have_numbers_if_they_fit(n):
    box = {3: (1, 3), 4: (2, 2), 9: (3, 3), 25: (5, 5)}[n]
    drawn = Drawn(Grid((0,) * n * n, box).to_svg(), n)
    side = drawn.side
    names = [str(number) for number in range(1, n + 1)] if n > 3 else []
    above = [(x, text.text) for x, y, text in drawn.texts if y < drawn.top]
    beside = [(y, text.text) for x, y, text in drawn.texts if x < drawn.left]
    assert [name for _, name in above] == [name for _, name in beside] == names
    for at, ((x, _), (y, _)) in enumerate(zip(above, beside, strict=True)):
        assert x == pytest.approx(drawn.left + (at + 0.5) * side)
        assert y == pytest.approx(drawn.top + (at + 0.5) * side, abs=6)


# === Pictures in a terminal: aligned, legible without colour, and equally aligned with colour =====

FOUR = Grid.parse("1..4.....3......")
CODES = re.compile(r"\033\[([\d;]*)m")


@pytest.mark.parametrize("box", SHAPES)
def test_full_grids_are_aligned_and_can_be_read_back(box):
    grid = full_grid(box, 1)
    lines = Picture(grid).to_text().splitlines()
    assert len({len(line) for line in lines}) == 1
    rows = [line for line in lines if line.startswith("┃")]
    assert [re.findall(r"\d+", row) for row in rows] == [list(map(str, row)) for row in grid.rows]
    ends = {tuple(match.end() for match in re.finditer(r"\d+", row)) for row in rows}
    assert len(ends) == 1  # units stand under units
    down, across = box if 1 not in box else (grid.size, grid.size)  # there are no boxes
    assert len([line for line in lines if "━" in line]) == grid.size // down + 1
    assert rows[0].count("┃") == grid.size // across + 1


@pytest.mark.parametrize("box", SHAPES)
def test_pencil_marks_are_aligned(box):
    picture = with_marks(box)
    puzzle, n = picture.grid, picture.grid.size
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


@pytest.mark.parametrize(
    ("box", "marks", "most"),
    [((3, 3), False, 37), ((3, 3), True, 80), ((4, 4), False, 80), ((5, 5), False, 110)],
)
def test_sizes_fit_a_terminal(box, marks, most):
    empty = Grid((0,) * (box[0] * box[1]) ** 2, box)
    picture = (
        Picture(empty, candidates=pencil_marks(empty)) if marks else Picture(full_grid(box, 1))
    )
    assert max(map(len, picture.to_text().splitlines())) <= most


EVERY_ROLE = tuple(
    Highlight(f"the {role}", role, ((1 + at // 9, 1 + at % 9),)) for at, role in enumerate(ROLES)
)


def test_every_role_has_a_marker_and_a_line_in_the_legend():
    markers = {role: look.marker for role, look in ROLE_LOOKS.items()}
    assert len(set(markers.values())) == len(ROLES)
    lines = Picture(ANSWER, EXAMPLE, None, EVERY_ROLE, "A title").to_text().splitlines()
    assert lines[0] == "A title"
    assert lines[1].split() == [str(column) for column in range(1, 10)]
    assert lines[3].startswith("1 ┃*5*│!3!│x4x┃~6~│a7a│b8b┃c9c│d1d│e2e┃")
    assert [line.split() for line in lines[-13:]] == [[markers[r], "the", r] for r in ROLES]


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
    rows = Picture(EXAMPLE, Puzzle(EXAMPLE, JIGSAW.regions)).to_text().splitlines()
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


def test_difference_shows_both_digits_in_a_terminal():
    other = Grid((*ANSWER.digits[:2], 6, 4, 0, *ANSWER.digits[5:]), (3, 3))
    picture = Picture(ANSWER, highlights=(difference(ANSWER, other),))
    assert picture.to_text().splitlines()[2] == "1 ┃ 5  │ 3  │ 4~6┃ 6~4│~7~ │ 8  ┃ 9  │ 1  │ 2  ┃"
    large = full_grid((4, 4), 1)
    lines = Picture(large, highlights=(difference(large, full_grid((4, 4), 2)),)).to_text()
    frame = [line for line in lines.splitlines() if "┃" in line or "━" in line]
    assert len({len(line) for line in frame}) == 1


@pytest.mark.parametrize("marks", [None, pencil_marks(EXAMPLE)])
def test_colour_changes_no_character(marks):
    picture = Picture(EXAMPLE, None, marks, EVERY_ROLE, "title")
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


def test_ascii_for_those_who_have_nothing_else():
    large = dig(full_grid((4, 4), 1), 100, 1)
    assert Picture(large).to_text().count("·") == 156  # so that empty cells can be counted
    for grid in (ANSWER, large):
        text = Picture(grid, candidates=pencil_marks(grid)).to_text()
        plain = in_ascii(text)
        assert plain.isascii()
        assert [len(line) for line in plain.splitlines()] == [len(x) for x in text.splitlines()]


def test_labels_and_titles_cannot_command_the_terminal():
    highlights = (Highlight("a\033[2Jb\nc", "target", ((1, 1),)),)
    text = Picture(FOUR, None, None, highlights, "\033]0;x\007t").to_text()
    assert text.splitlines()[0] == "]0;x t"
    assert text.splitlines()[-1] == "   *  a [2Jb c"


# === Pictures as files: SVG, PNG, PDF, HTML and text ==============================================


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files(tmp_path, suffix):
    need_library_for(suffix)
    picture = Picture(ANSWER, EXAMPLE, title="A & B")
    path = tmp_path / f"picture{suffix.upper()}"
    picture.save(path)
    written = path.read_bytes()
    if suffix == ".png":
        width, height = map(float, re.search(r'"0 0 (\S+) (\S+)"', picture.to_svg()).groups())
        assert written.startswith(b"\x89PNG")
        sides = [int.from_bytes(written[at : at + 4], "big") for at in (16, 20)]
        assert sides == [2 * width, 2 * height]
    elif suffix == ".pdf":
        assert written.startswith(b"%PDF")
        assert b"/Font" in written  # text is text there too
    else:
        made = {".svg": picture.to_svg, ".html": picture.to_html, ".txt": picture.to_text}[suffix]
        assert written.decode() == made() + "\n"


def test_html_is_a_page_with_the_picture():
    picture = Picture(ANSWER, EXAMPLE, title="A & B")
    page = picture.to_html()
    assert page.startswith("<!DOCTYPE html>")
    assert "<title>A &amp; B</title>" in page
    assert page.count(picture.to_svg()) == 1
    assert not re.search(r"(src|href)=|@import|url\(", page)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"'picture.gif'.*\.svg, \.png, \.pdf, \.html, \.txt"):
        Picture(EXAMPLE).save(tmp_path / "picture.gif")


def test_png_and_pdf_say_what_they_need(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(pls.BackendUnavailable, match=re.escape(install_command("draw"))):
        Picture(EXAMPLE).save(tmp_path / "picture.png")
    (tmp_path / "cairosvg.py").write_text('raise OSError("no library called cairo was found")')
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "cairosvg")
    with pytest.raises(pls.BackendUnavailable, match=r"no library called cairo(.|\n)*libcairo2"):
        Picture(EXAMPLE).save(tmp_path / "picture.pdf")
    assert not list(tmp_path.glob("picture.*"))


# === One look for each role: the page and the terminal have the colours and shapes of pictures ====

STATIC = Path(serve.__file__).parent / "static"


def declared(name: str) -> dict[str, tuple[str, str]]:
    """The colours that a style sheet declares, for light pages and for dark ones."""
    found = re.findall(
        r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", (STATIC / name).read_text()
    )
    return {variable: both for variable, *both in found}


def test_the_page_has_the_colours_the_shapes_and_the_order_of_pictures():
    looks = {role: (look.light, look.dark) for role, look in ROLE_LOOKS.items()}
    inks = {role: [tint.ink for tint in both] for role, both in looks.items()}
    grounds = {f"{role}-back": [tint.ground for tint in both] for role, both in looks.items()}
    assert declared("roles.css") == inks | grounds
    shapes = re.findall(r'^  ([a-z]+): "(.+)",$', (STATIC / "roles.js").read_text(), re.MULTILINE)
    assert shapes == [(role, swatch(role, (7, 7, 14))) for role in ROLES]
    styles = (STATIC / "roles.css").read_text()
    found = re.findall(r"^:is\(\.role-([a-z]+), \.mark-\1\b", styles, re.MULTILINE)
    assert found == list(reversed(ROLES))  # the last rule counts


def test_shapes_and_digits_are_legible_on_their_ground():
    texts = declared("style.css")
    for look in ROLE_LOOKS.values():
        for at, page in enumerate(("#ffffff", "#1b2029")):
            ground, ink = look[at]
            assert min(contrast(ink, ground), contrast(ink, page)) >= 4.5
            for text in ("ink", "soft", "entry", "found"):
                assert contrast(texts[text][at], ground) >= 4.5


def hue(colour: tuple[int, int, int]) -> float:
    return 360 * colorsys.rgb_to_hsv(*(part / 255 for part in colour))[0]


def test_the_terminal_has_the_hues_of_pictures():
    """The colours from 16 on are a cube with these levels, for red, green and blue."""
    levels = (0, 95, 135, 175, 215, 255)
    assert len({look.palette for look in ROLE_LOOKS.values()}) == len(ROLES)
    for role, look in ROLE_LOOKS.items():
        if role == "cover":  # grey
            continue
        cube = look.palette - 16
        shown = levels[cube // 36], levels[cube // 6 % 6], levels[cube % 6]
        drawn = tuple(int(TINTS[role].ground[at : at + 2], 16) for at in (1, 3, 5))
        apart = abs(hue(shown) - hue(drawn))
        assert min(apart, 360 - apart) <= 30, role
        assert contrast("#000000", "#{:02x}{:02x}{:02x}".format(*shown)) >= 7


# === Sheets to print ==============================================================================

SHEET = [Grid.parse(f"{digit}..............{digit % 4 + 1}") for digit in (1, 2, 3, 4)] + [
    Grid.parse("." * 36, box=(2, 3)),
]


@pytest.fixture
def sheet():
    return Sheet([Picture(grid) for grid in SHEET])


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    """The place of each picture on a sheet."""
    places = re.findall(r'<svg [^>]*x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"', svg)
    return [tuple(map(float, each)) for each in places]


@pytest.mark.parametrize("number", [1, 2, 5, 12, 37])
def test_a_sheet_has_every_picture_on_a_page_of_a4(number):
    svg = Sheet([Picture(SHEET[at % 5]) for at in range(number)]).to_svg()
    ElementTree.fromstring(svg)
    placed = boxes(svg)
    assert len(placed) == number
    assert all(x >= 36 and x + width <= 595 - 35.9 for x, _, width, _ in placed)
    assert all(y >= 36 and y + height <= 842 - 35.9 for _, y, _, height in placed)
    for (x, y, width, height), (u, v, _, _) in combinations(placed, 2):
        assert u >= x + width or v >= y + height or x >= u + width
    assert re.findall(r">(\d+)</text>\n<svg", svg) == [str(at) for at in range(1, number + 1)]


def test_a_sheet_as_a_page_and_as_text(sheet):
    html = sheet.to_html()
    captions = re.findall("<figcaption>(.*?)</figcaption>", html)
    assert captions == ["1", "2", "3", "4", "5"]
    assert html.count("<svg") == 5
    assert "@page { size: A4" in html
    text = sheet.to_text()
    assert text.startswith("1\n┏")
    assert "\n\n5\n┏" in text
    assert text.endswith(sheet.pictures[-1].to_text())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_sheet_is_saved_in_every_format(sheet, tmp_path, suffix):
    file = tmp_path / f"sheet{suffix}"
    sheet.save(file)
    starts = dict(zip(SUFFIXES, [b"<svg", b"\x89PNG", b"%PDF", b"<!DOCTYPE", b"1\n"], strict=True))
    assert file.read_bytes().startswith(starts[suffix])


def test_a_sheet_needs_a_picture():
    with pytest.raises(ValueError, match="a sheet needs a picture"):
        Sheet([])
