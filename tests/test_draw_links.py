"""Chains in pictures: lines from candidate to candidate, and the same in words."""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist
from xml.etree import ElementTree

import pytest

from pylogic_sudoku import Grid, Placement
from pylogic_sudoku._demands import SudokuRule
from pylogic_sudoku.draw import PARTS, Link, Picture, pencil_marks
from pylogic_sudoku.explain._step import Step
from pylogic_sudoku.explain._step_picture import picture as picture_of

EXAMPLE = Grid.parse(
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
EMPTY = Grid.parse("." * 81)
SVG = "{http://www.w3.org/2000/svg}"


def node(text: str) -> tuple[Placement, ...]:
    return tuple(Placement(*map(int, re.findall(r"\d", each))) for each in text.split())


CHAIN = tuple(map(node, ("r1c2=5", "r1c7=5", "r4c7=5", "r4c2=5")))
GROUPED = (*CHAIN[:2], node("r4c7=5 r5c7=5"), node("r6c9=5"))


def links(*nodes: tuple[Placement, ...]) -> tuple[Link, ...]:
    return tuple(Link(a, b, at % 2 == 0) for at, (a, b) in enumerate(pairwise(nodes)))


def drawn(picture: Picture) -> dict[bool, list[tuple[tuple[float, float], tuple[float, float]]]]:
    """The two ends of every line that is drawn solid, and of every line drawn dashed."""
    found: dict[bool, list] = {True: [], False: []}
    for path in ElementTree.fromstring(picture.to_svg()).iter(SVG + "path"):
        curves = re.findall(r"M(\S+) (\S+)Q\S+ \S+ (\S+) (\S+?)(?=M|$)", path.get("d"))
        for x, y, a, b in curves:
            ends = (float(x), float(y)), (float(a), float(b))
            found[path.get("stroke-dasharray") is None].append(ends)
    return found


def places(picture: Picture) -> dict[Placement, tuple[float, float]]:
    """The centre of each small digit of a 9x9 grid with all of them."""
    root = ElementTree.fromstring(picture.to_svg())
    marks = [
        (float(text.get("x")), float(text.get("y")) - 0.36 * 11, int(text.text))
        for group in root.iter(SVG + "g")
        if group.get("font-size") == "11" and len(group) != 18  # numbers of rows and columns
        for text in group
    ]
    left, top = min(each[0] for each in marks), min(each[1] for each in marks)
    right = max(each[0] for each in marks)
    third = (right - left) / 26
    return {
        Placement(1 + round((y - top) / third) // 3, 1 + round((x - left) / third) // 3, digit): (
            x,
            y,
        )
        for x, y, digit in marks
    }


@pytest.mark.parametrize("nodes", [CHAIN, GROUPED])
def test_strong_links_are_solid_and_weak_links_dashed_from_candidate_to_candidate(nodes):
    picture = Picture(EMPTY, None, pencil_marks(EMPTY), (), "a chain", links(*nodes))
    where = places(picture)
    found = drawn(picture)
    assert len(where) == 729
    for strong in (True, False):
        wanted = [link for link in picture.links if link.strong is strong]
        assert len(found[strong]) == len(wanted)
        for (start, end), link in zip(found[strong], wanted, strict=True):
            assert min(dist(start, where[each]) for each in link.start) < 12
            assert min(dist(end, where[each]) for each in link.end) < 12


def test_lines_pass_beside_large_digits():
    nodes = node("r4c2=5"), node("r4c8=5")
    picture = Picture(EXAMPLE, None, pencil_marks(EMPTY), (), "", links(*nodes))
    text = picture.to_svg()
    path = re.search(r'd="M(\S+) (\S+)Q(\S+) (\S+) (\S+) (\S+)"', text)
    assert path
    x, y, bend, down, *_ = map(float, path.groups())
    assert abs(y - down) > 20  # the 6 of r4c5 is in the way
    assert abs(bend - x) > 20


def test_a_group_has_an_outline():
    plain = Picture(EMPTY, None, pencil_marks(EMPTY), (), "", links(*CHAIN)).to_svg()
    grouped = Picture(EMPTY, None, pencil_marks(EMPTY), (), "", links(*GROUPED)).to_svg()
    assert "stroke-linejoin" not in plain
    assert grouped.count("stroke-linejoin") == 2


def test_nodes_are_drawn_even_if_they_are_not_among_the_pencil_marks():
    picture = Picture(EMPTY, None, None, (), "", links(*CHAIN))
    assert {look.marks[5] for look in picture.looks() if 5 in look.marks} == {"reason"}
    assert sum(len(each) for each in drawn(picture).values()) == 3


def test_a_chain_is_said_in_words():
    picture = Picture(EMPTY, None, pencil_marks(EMPTY), (), "", links(*GROUPED))
    assert picture.to_text().splitlines()[-3:] == [
        "   =  at least one of the two holds",
        "   -  at most one of the two holds",
        "  chain: r1c2 5 = r1c7 5 - r4c7,r5c7 5 = r6c9 5",
    ]
    root = ElementTree.fromstring(picture.to_svg())
    chain = "Chain: r1c2 5 = r1c7 5 - r4c7,r5c7 5 = r6c9 5"
    assert root[1].text.splitlines()[-1] == chain
    legend = [text.text for text in root.iter(SVG + "text") if text.text.startswith("at ")]
    assert legend == ["at least one of the two holds", "at most one of the two holds"]
    two = Picture(EMPTY, links=(*links(*CHAIN[:2]), *links(*CHAIN[2:])))
    assert two.to_text().splitlines()[-2:] == [
        "  chain: r1c2 5 = r1c7 5",
        "  chain: r4c7 5 = r4c2 5",
    ]


# --- of steps ---


def step(technique: str, **parts) -> Step:
    marks = pencil_marks(EMPTY)
    removed = node("r9c9=5")
    return Step(EMPTY, EMPTY, marks, technique, (), (), None, removed, **parts)


def test_the_links_of_a_step_are_those_of_its_chain():
    assert picture_of(step("AIC", chain=CHAIN)).links == links(*CHAIN)
    assert picture_of(step("X-wing")).links == ()


def test_each_role_of_a_step_has_a_look_of_its_own():
    roles = (("set a", node("r1c1=5")), ("set b", node("r2c1=5")))
    highlights = picture_of(step("ALS-XZ", roles=roles)).highlights[1:]
    found = [(each.label, each.role, each.candidates) for each in highlights]
    assert found == [("set A", "a", node("r1c1=5")), ("set B", "b", node("r2c1=5"))]


def test_with_more_roles_than_looks_they_take_turns():
    names = [f"part {at}" for at in range(10, 10 + len(PARTS) + 2)]
    roles = tuple((name, node(f"r{at}c1=5")) for at, name in enumerate(names, 1))
    highlights = picture_of(step("ALS-XZ", roles=roles)).highlights
    assert [each.role for each in highlights[1:]] == [*PARTS, *PARTS[:2]]


def test_what_a_step_removes_is_struck_out_even_if_it_has_a_part():
    picture = picture_of(step("AIC", chain=(*CHAIN, node("r9c9=5")), roles=(("x", CHAIN[0]),)))
    assert picture.looks()[80].marks[5] == "removed"
    why = next(each for each in picture.highlights if each.label == "why")
    assert {*why.candidates} == {each for nodes in CHAIN[1:] for each in nodes}


def test_houses_that_must_hold_a_digit_and_those_that_they_cross_differ():
    rows = [SudokuRule(("somewhere", "row", number, 5)) for number in (2, 6)]
    columns = [SudokuRule(("once", "column", number, 5)) for number in (1, 9)]

    def houses(must, most, **parts):
        marks = pencil_marks(EMPTY)
        fish = Step(EMPTY, EMPTY, marks, "X-wing", must, most, None, node("r9c9=5"), **parts)
        found = picture_of(fish).highlights
        return [(each.role, each.label, {*each.cells}) for each in found if each.cells]

    def line(at):
        return {(row, column) for row in range(1, 10) for column in range(1, 10) if at(row, column)}

    across = [line(lambda row, _, at=at: row == at) for at in (2, 6)]
    down = [line(lambda _, column, at=at: column == at) for at in (1, 9)]
    assert houses(tuple(rows), tuple(columns)) == [
        ("house", "row 2 and row 6", across[0]),
        ("house", "", across[1]),
        ("cover", "column 1 and column 9", down[0]),
        ("cover", "", down[1]),
    ]
    assert [each[0] for each in houses((), tuple(columns))] == ["house", "house"]
    assert houses(tuple(rows), tuple(columns), chain=CHAIN) == []  # the links show them
    many = [SudokuRule(("somewhere", "row", number, 5)) for number in range(1, 10)]
    assert houses(tuple(many), ()) == []
