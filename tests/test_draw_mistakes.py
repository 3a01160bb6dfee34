"""Marks in pictures: each mistake is marked, none hides another, and outlines have no gaps."""

from __future__ import annotations

import re
from collections import Counter

from pylogic_sudoku import Grid, why
from pylogic_sudoku.draw import Picture, mistakes
from pylogic_sudoku.draw._looks import TINTS, frame, rim
from pylogic_sudoku.grid import Cell

PUZZLE = Grid.parse("4......3...13...")
WRONG = Grid.parse("3111111111111414")


def drawn(answer: Grid) -> str:
    return Picture(answer, PUZZLE, None, mistakes(answer, PUZZLE)).to_svg()


def strokes(svg: str, role: str) -> list[tuple[float, str]]:
    """The width and the path of each shape of the role."""
    found = re.findall(rf'<path fill="none" stroke="{TINTS[role].ink}"([^>]*)/>', svg)
    return [
        (float(re.search(r'stroke-width="([^"]+)"', each)[1]), re.search(r' d="([^"]+)"', each)[1])
        for each in found
    ]


def test_a_cell_that_lost_its_given_is_marked():
    answer = Grid.parse("3241142323144132")
    (lost,) = (each for each in mistakes(answer, PUZZLE) if each.label.startswith("not the given"))
    assert (1, 1) in lost.cells
    looks = Picture(answer, PUZZLE, None, (lost,)).looks()
    assert looks[0].role == "difference"


def test_kinds_of_mistakes_have_swatches_that_differ():
    roles = [each.role for each in mistakes(WRONG, PUZZLE)]
    assert roles == ["difference", "conflict"]
    swatches = re.findall(r'<path fill="(#\w+)" d="M\S+ \S+h15v15h-15z"/>', drawn(WRONG))
    assert swatches == [TINTS[role].ground for role in roles]


def test_both_mistakes_in_one_cell_are_marked():
    """r2c4 is twice in its row, and not the 3 that is given there: the small 3 shows that."""
    cell, small = (220.0, 84.0, 40.0), (231.0, 95.0, 13.0)
    svg = drawn(WRONG)
    assert frame(cell) in svg
    grounds = re.findall(r'<path fill="(#\w+)" d="([^"]+)"/>', svg)
    last = [fill for fill, d in grounds if frame(cell) in d or frame(small) in d]
    assert last == [TINTS["conflict"].ground, TINTS["difference"].ground]


def test_many_conflicts_are_no_wall_of_red():
    """If most cells clash, their frames are thin; a few clashing cells have thick ones."""
    thin, _ = strokes(drawn(WRONG), "conflict")
    few = Grid.parse("4412000000000000")
    thick, _ = strokes(drawn(few), "conflict")
    assert thin[0] < thick[0]
    assert thin[1].count("M") == 2 * 15
    assert thick[1].count("M") == 2 * 2


def test_the_outline_of_a_bent_region_has_no_gaps():
    """Every end of a line is the end of another one."""

    def square(at):
        return at % 4 * 40.0, at // 4 * 40.0, 40.0

    bent = [Cell(1, 1), Cell(2, 1), Cell(2, 2), Cell(3, 2), Cell(3, 3), Cell(1, 2)]
    ends = Counter()
    for line in re.findall(r"M([^M]+)", rim(bent, 4, square)):
        at = [float(each) for each in re.match(r"(\S+?) ([\d.-]+)", line).groups()]
        ends[tuple(at)] += 1
        for way, to in re.findall(r"([HV])([\d.-]+)", line):
            at["HV".index(way)] = float(to)
        ends[tuple(at)] += 1
    assert {*ends.values()} == {2}


def test_houses_that_look_alike_have_one_line_in_the_legend():
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    houses = [
        each
        for each in why(puzzle, "r5c5", grain="house").picture().highlights
        if each.role == "house"
    ]
    assert [each.label for each in houses] == ["row 5 and column 5", ""]
