"""Rules, links and mistakes in pictures."""

from __future__ import annotations

import math
import random
import re
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from helpers.documents import light
from helpers.pictures import SVG, Element, Point, contrast, rim, sides, texts, traced
from helpers.puzzles import PRINTED
from helpers.rule_instances import example
from helpers.rules import MAKERS

from pylogic_sudoku import Grid, Placement, Puzzle, is_unique, why
from pylogic_sudoku.draw import PARTS, Highlight, Link, Picture, mistakes, pencil_marks, svg
from pylogic_sudoku.draw.pen import DARK, LIGHT, PAGE, Room, outline
from pylogic_sudoku.draw.rules import DRAWN, LINES, SIDE, Rules
from pylogic_sudoku.draw.scene import TINTS
from pylogic_sudoku.rules import KINDS, Rule, disjoint_groups
from pylogic_sudoku.rules.demands import SudokuRule
from pylogic_sudoku.techniques.step import Step
from pylogic_sudoku.techniques.step import picture as picture_of

ROOT = Path(__file__).parent.parent
CLUES = list(PRINTED)[-1]


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def of(kind: str, *fields: Any, **named: Any) -> Rule:
    return KINDS[kind](*fields, **named)


def nine(*rules: Rule) -> Puzzle:
    return Puzzle(CLUES, rules=rules)


def pieces(*rules: Rule, side: float = SIDE) -> Element:
    """These rules alone, on a 9x9 grid."""
    return ElementTree.fromstring(Rules(rules, 9, side).svg())


def room(puzzle: Puzzle) -> Room:
    return Rules(puzzle.rules, puzzle.size).room


def places(element: Element, x: float = 0, y: float = 0) -> list[Point]:
    """Every point of paths and texts, with the width of what is drawn there."""
    move = re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", "translate(0 0)"))
    x, y = x + float(move[1]), y + float(move[2])
    found: list[Point] = []
    if element.tag == SVG + "path":
        half = float(element.get("stroke-width", 1 if element.get("stroke") else 0)) / 2
        for a, b in traced(element.get("d")):
            found += [(x + a - half, y + b - half), (x + a + half, y + b + half)]
    elif element.tag == SVG + "text" and element.get("font-size"):
        size = float(element.get("font-size"))
        wide = 0.56 * size * len(element.text)
        part = {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor")]
        left, low = x + float(element.get("x")) - part * wide, y + float(element.get("y"))
        found += [(left, low - 0.72 * size), (left + wide, low)]
    for child in element:
        found += places(child, x, y)
    return found


def assert_complete(image: str) -> Element:
    """Well-formed, without strange numbers, and all of it within the picture."""
    root = ElementTree.fromstring(image)
    assert not re.search(r"\b(nan|inf|None)\b|e[-+]\d", image)
    _, _, width, height = map(float, root.get("viewBox").split())
    for x, y in places(root):
        assert -0.01 <= x <= width + 0.01, x
        assert -0.01 <= y <= height + 0.01, y
    names = {name for element in root.iter() for name in element.attrib}
    assert not names & {"id", "class", "style"}
    return root


def drawn(root: Element, kind: str) -> list[Element]:
    return root.findall(f".//{SVG}g[@data-rule='{kind}']")


@pytest.mark.one_in(3)
def test_every_kind_is_drawn_within_the_picture(kind):
    puzzle, good, _ = example(kind)
    highlights = (Highlight("a row", "house", tuple((1, at) for at in range(1, good.size + 1))),)
    (rule,) = puzzle.rules
    for picture in (
        Picture(puzzle.grid, puzzle),
        Picture(good, puzzle, None, highlights, "title"),
        Picture(puzzle.grid, puzzle, pencil_marks(puzzle), highlights),
    ):
        root = assert_complete(picture.to_svg())
        assert str(rule) in root.find(SVG + "desc").text
        if any(True for _ in rule.cells_used()) and kind != "negative":
            assert {each.find(SVG + "title").text for each in drawn(root, kind)} == {str(rule)}
        else:
            assert any(text.startswith(rule.title) for text in texts(root))
    rng = random.Random(kind)
    for _ in range(5):
        several = nine(*(MAKERS[kind](rng, Grid.parse(PRINTED[CLUES])) for _ in range(3)))
        assert_complete(several.to_svg())
        assert_complete(several.to_svg(pencil_marks(several)))


def test_kinds_without_a_drawing_are_said():
    rule = of("pair_table", [["r1c1", "r1c2"], ["r5c5", "r5c6"]], [[1, 2], [2, 1]])
    assert rule.kind not in DRAWN
    root = assert_complete(nine(rule).to_svg())
    (group,) = drawn(root, "pair_table")
    assert texts(group) == ["a"]
    (path,) = group.findall(SVG + "path")
    assert path.get("d").count("M") == 2  # around each pair
    said = texts(root)
    assert " ".join(said[said.index("a", said.index("a") + 1) + 1 :]) == str(rule)


def test_cells_are_where_the_module_says():
    for side in (10, 40):
        stem = pieces(of("thermometer", "r2c3 r2c4"), side=side).findall(".//path")[0]
        assert traced(stem.get("d")) == [(2.5 * side, 1.5 * side), (3.5 * side, 1.5 * side)]
    assert Rules((), 9).svg() == ""


def test_a_cage_is_outlined_around_its_label():
    first, second = pieces(
        of("killer_cage", "r1c1 r1c2 r2c2", sum=12), of("killer_cage", "r5c5 r6c6")
    ).findall(".//g[@data-rule]")
    (text,) = first.findall("text")
    assert text.text == "12"
    points = traced(first.find("path").get("d"))
    assert len(points) == 7  # six corners, one of them open
    assert 0 < float(text.get("x")) < points[0][0] < SIDE  # the label ends before the line begins
    assert float(text.get("y")) < points[-1][1] < SIDE
    assert second.findall("text") == []


@pytest.mark.parametrize("seed", range(20))
def test_an_outline_is_closed_and_goes_around_its_cells(seed):
    rng = random.Random(seed)
    cells = rng.sample(Grid.parse(CLUES).cells, rng.randint(1, 40))
    assert sides(outline(cells, 10, 0), (0, 0), 10) == rim(cells)
    loops = re.findall("M[^M]+", outline(cells, 10, 1))
    for loop in map(traced, loops):
        assert loop[0] == loop[-1]
        for one, other in pairwise(loop):  # its sides are level or upright, so it has no gaps
            assert sum(a != b for a, b in zip(one, other, strict=True)) == 1
    assert all(0 < x < 90 and 0 < y < 90 for loop in loops for x, y in traced(loop))


OUTSIDE = {
    "left": [(3, at) for at in range(1, 10)],
    "right": [(3, at) for at in range(9, 0, -1)],
    "top": [(at, 3) for at in range(1, 10)],
    "bottom": [(at, 3) for at in range(9, 0, -1)],
}


@pytest.mark.parametrize("side", OUTSIDE)
@pytest.mark.parametrize("clue", ["sandwich", "x_sum", "skyscraper", "hidden_skyscraper"])
def test_clues_outside_enlarge_the_picture_on_their_side(clue, side):
    rule = of(clue, OUTSIDE[side], 9)
    found = room(nine(rule))
    assert {name for name, width in found._asdict().items() if width > 0} == {side}
    level = side in ("left", "right")
    plain = ElementTree.fromstring(Grid.parse(CLUES).to_svg()).get("width")
    large = assert_complete(nine(rule).to_svg()).get("width")
    assert float(large) == pytest.approx(float(plain) + (getattr(found, side) if level else 0))
    (text,) = pieces(rule).iter("text")
    x, y = float(text.get("x")) / SIDE, float(text.get("y")) / SIDE
    assert text.text == "9"
    assert {"left": x < 0, "right": x > 9, "top": y < 0, "bottom": y > 9}[side]
    assert 2 < (y if level else x) < 3


def test_clues_and_labels_at_one_place_stand_apart():
    rules = [of("sandwich", OUTSIDE["top"], 9), of("x_sum", OUTSIDE["top"], 8)]
    ys = [float(text.get("y")) for text in pieces(*rules).iter("text")]
    assert ys[1] < ys[0] - 20 < -20
    assert room(nine(*rules)).top > room(nine(rules[0])).top
    rules = [of("killer_cage", "r5c5 r5c6", sum=9), of("total", "r5c5 r6c5", 8)]
    labels = pieces(*rules, of("sum_line", "r5c5 r4c4")).iter("text")
    assert len({(text.get("x"), text.get("y")) for text in labels}) == 3


@pytest.mark.parametrize(
    ("cells", "sum", "side"),
    [
        ("r1c2 r2c1", 11, {"top"}),
        ("r2c1 r1c2", 11, {"left"}),
        ("r9c3 r8c4 r7c5 r6c6 r5c7 r4c8 r3c9", 11, {"bottom"}),
        ("r1c1 r2c2 r3c3 r4c4 r5c5 r6c6 r7c7 r8c8 r9c9", 45, {"top", "left"}),
    ],
)
def test_a_little_killer_points_along_its_diagonal(cells, sum, side):
    rule = of("little_killer", cells, sum)
    found = room(nine(rule))
    assert {name for name, width in found._asdict().items() if width > 0} == side
    arrow, _ = pieces(rule).iter("path")
    (x, y), (a, b) = traced(arrow.get("d"))
    first, second, *_ = rule.cells
    way = second.column - first.column, second.row - first.row
    assert (math.copysign(1, a - x), math.copysign(1, b - y)) == way
    corner = max(abs(a - (first.column - 0.5) * SIDE), abs(b - (first.row - 0.5) * SIDE))
    assert corner < 0.6 * SIDE  # it ends at the cell's corner


def test_dots_show_only_values_that_are_not_usual():
    root = pieces(
        of("difference", "r1c1 r1c2"),
        of("difference", "r1c3 r1c4", 4),
        of("ratio", "r2c1 r3c1"),
        of("pair_sum", "r5c5 r5c6", 10),
        of("pair_sum", "r6c5 r6c6", 5),
        of("pair_sum", "r7c5 r7c6", 8),
    )
    assert [text.text for text in root.iter("text")] == ["4", "X", "V", "8"]
    dots = [path.get("fill") for path in root.iter("path")][:3]
    assert dots == [LIGHT["white"], LIGHT["white"], LIGHT["black"]]


def test_a_sign_opens_to_the_greater_cell():
    root = pieces(of("greater", "r1c1 r1c2 r2c2"))
    first, _, second, _ = (traced(path.get("d")) for path in root.iter("path"))
    assert first[1][0] > first[0][0] == pytest.approx(first[2][0])
    assert second[1][1] > second[0][1] == pytest.approx(second[2][1])


def test_a_diagonal_is_a_line_and_an_extra_region_is_shaded():
    down = of("different", [(at, at) for at in range(1, 10)], name="diagonal")
    up = of("different", [(at, 10 - at) for at in range(9, 0, -1)])
    area = of("different", [(row, column) for row in (2, 3, 4) for column in (2, 3, 4)])
    groups = pieces(down, up, area).findall(".//g[@data-layer]")
    assert [group.get("data-layer") for group in groups] == ["ground", "line"]
    lines = [traced(path.get("d")) for path in groups[1].iter("path")]
    assert lines[:2] == [[(0, 0), (360, 360)], [(0, 360), (360, 0)]]
    (shade,) = groups[0].iter("path")
    assert shade.get("fill") == LIGHT["grey"]


def test_lines_differ_without_colour():
    def colourless(kind: str) -> str:
        rule = of(kind, "r1c1 r1c2 r1c3")
        image = re.sub(r"<title>.*?</title>", "", Rules([rule], 9).layer("line"))
        return re.sub(r"#[0-9a-f]{6}|data-rule=\"\w+\"", "", image)

    for one, other in combinations(LINES, 2):
        assert colourless(one) != colourless(other), (one, other)


def test_a_legend_names_each_kind_once():
    kinds = ("renban", "renban", "whispers", "whispers")
    lines = [of(kind, f"r{row}c1 r{row}c2") for row, kind in enumerate(kinds, 1)]
    said = texts(assert_complete(nine(*lines, of("whispers", "r5c1 r5c2", 4)).to_svg()))
    legend = [text for text in said if not text.isdigit()]
    assert legend == ["whispers", "whispers (difference 4)", "renban"]


def test_contrast_of_the_colours():
    for colours, digits in (
        (LIGHT, (svg.GIVEN, svg.FILLED, svg.SMALL)),
        (DARK, (DARK["ink"], "#a5adbd", "#8db6ff", "#74d6ab")),
    ):
        pale = [name for name in colours if f"{name}-rim" in colours]
        assert len(pale) == 8
        for name in pale:
            assert min(contrast(digit, colours[name]) for digit in digits) >= 4.5, name
            assert contrast(colours[f"{name}-rim"], colours["paper"]) >= 3, name
        assert contrast(colours["ink"], colours["paper"]) > 10
    assert set(LIGHT) == set(DARK) == set(PAGE)
    style = (ROOT / "pylogic_sudoku/page/static/style.css").read_text()
    for name, colour in DARK.items():
        assert f"--rule-{name}: {colour};" in style
    thermometer = Rules([of("thermometer", "r1c1 r1c2")], 9, SIDE, PAGE)
    assert 'fill="var(--rule-grey, ' in thermometer.svg()


def test_labels_are_above_the_pencil_marks():
    puzzle = nine(*(of("killer_cage", [(row, 3), (row, 4)], sum=11) for row in (1, 2)))
    root = assert_complete(puzzle.to_svg(pencil_marks(puzzle)))
    label = drawn(root, "killer_cage")[0].find(SVG + "text")
    moved = next(each for each in root if each.get("transform"))
    top = float(moved.get("transform")[:-1].split()[1])
    marks = next(each for each in root.iter(SVG + "g") if each.get("font-size") == "11")
    highest = min(float(mark.get("y")) for mark in marks) - 0.72 * 11
    assert top < top + float(label.get("y")) <= highest


def test_rules_are_below_the_text_of_a_picture():
    rules = of("killer_cage", "r1c1 r1c2", sum=8), of("thermometer", "r2c1 r3c1")
    picture = Picture(Grid.parse(CLUES), nine(*rules))
    assert picture.to_text().splitlines()[-2:] == [
        "killer cage (sum 8) at r1c1 and r1c2",
        "thermometer at r2c1 and r3c1",
    ]
    assert picture.to_text(rules=False) == Picture(Grid.parse(CLUES)).to_text()
    assert nine(*rules).format("pretty") == picture.to_text()


def test_an_arrow_is_above_a_wide_line():
    rules = [of("arrow", ["r1c1"], ["r1c2", "r1c3"]), of("renban", "r1c1 r1c2 r1c3")]
    layer = ElementTree.fromstring(Rules(rules, 9).layer("line"))
    assert [group.get("data-rule") for group in layer] == ["renban", "arrow"]


def test_the_picture_of_the_documentation_is_new_and_its_puzzle_has_one_solution():
    images = ROOT / "docs" / "images"
    puzzle = Puzzle.parse((images / "rules.json").read_text())
    assert puzzle.to_svg() + "\n" == light(images / "rules.svg")
    assert is_unique(puzzle)


def test_disjoint_groups_are_said():
    groups = [of("different", cells, name="disjoint group") for cells in disjoint_groups((3, 3))]
    assert Rules(groups, 9).svg() == ""
    assert "disjoint groups" in texts(assert_complete(nine(*groups).to_svg()))


def test_a_quadruple_is_a_circle_at_the_corner_of_its_cells():
    quadruple = of("contains", "r3c4 r3c5 r4c4 r4c5", [1, 2, 3])
    root = pieces(quadruple)
    assert [text.text for text in root.iter("text")] == ["1 2", "3"]
    (circle,) = root.iter("path")
    xs, ys = zip(*traced(circle.get("d"))[1:], strict=True)
    assert ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2) == (4 * SIDE, 3 * SIDE)


def test_a_numbered_room_is_a_clue_outside_and_another_index_is_said():
    row = [(2, at) for at in range(1, 10)]
    outside = of("index", ["r2c1"], row, 7)
    assert room(nine(outside)).left > 0
    assert "numbered room" in texts(assert_complete(nine(outside).to_svg()))
    inside = of("index", ["r2c5"], row, 5)
    assert room(nine(inside)) == Room(0, 0, 0, 0)
    assert [text.text for text in pieces(inside).iter("text")] == ["a"]


# === Chains in pictures: lines from candidate to candidate, and the same in words =================

EXAMPLE = Grid.parse(CLUES)
EMPTY = Grid.parse("." * 81)


def node(text: str) -> tuple[Placement, ...]:
    return tuple(Placement(*map(int, re.findall(r"\d", each))) for each in text.split())


CHAIN = tuple(map(node, ("r1c2=5", "r1c7=5", "r4c7=5", "r4c2=5")))
GROUPED = (*CHAIN[:2], node("r4c7=5 r5c7=5"), node("r6c9=5"))


def links(*nodes: tuple[Placement, ...]) -> tuple[Link, ...]:
    return tuple(Link(a, b, at % 2 == 0) for at, (a, b) in enumerate(pairwise(nodes)))


def drawn_links(
    picture: Picture,
) -> dict[bool, list[tuple[tuple[float, float], tuple[float, float]]]]:
    """The two ends of every line that is drawn solid, and of every line drawn dashed."""
    found: dict[bool, list] = {True: [], False: []}
    for path in ElementTree.fromstring(picture.to_svg()).iter(SVG + "path"):
        curves = re.findall(r"M(\S+) (\S+)Q\S+ \S+ (\S+) (\S+?)(?=M|$)", path.get("d"))
        for x, y, a, b in curves:
            ends = (float(x), float(y)), (float(a), float(b))
            found[path.get("stroke-dasharray") is None].append(ends)
    return found


def centres(picture: Picture) -> dict[Placement, tuple[float, float]]:
    """The centre of each small digit of a 9x9 grid with all of them."""
    root = ElementTree.fromstring(picture.to_svg())
    marks = [
        (float(text.get("x")), float(text.get("y")) - 0.36 * 11, int(text.text))
        for group in root.iter(SVG + "g")
        if group.get("font-size") == "11" and len(group) != 18  # numbers of rows and columns
        for text in group
    ]
    xs, ys, _ = zip(*marks, strict=True)
    third = (max(xs) - min(xs)) / 26

    def line(at: float, first: float) -> int:
        return 1 + round((at - first) / third) // 3

    return {Placement(line(y, min(ys)), line(x, min(xs)), digit): (x, y) for x, y, digit in marks}


@pytest.mark.parametrize("nodes", [CHAIN, GROUPED])
def test_strong_links_are_solid_and_weak_links_dashed_from_candidate_to_candidate(nodes):
    picture = Picture(EMPTY, None, pencil_marks(EMPTY), (), "a chain", links(*nodes))
    where = centres(picture)
    found = drawn_links(picture)
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


def test_groups_have_an_outline_and_nodes_need_no_pencil_marks():
    for nodes, outlines in ((CHAIN, 0), (GROUPED, 2)):
        picture = Picture(EMPTY, None, pencil_marks(EMPTY), (), "", links(*nodes))
        assert picture.to_svg().count("stroke-linejoin") == outlines
    picture = Picture(EMPTY, None, None, (), "", links(*CHAIN))
    assert {look.marks[5] for look in picture.looks() if 5 in look.marks} == {"reason"}
    assert sum(len(each) for each in drawn_links(picture).values()) == 3


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


def test_each_role_of_a_step_has_a_look_of_its_own_and_they_take_turns():
    names = [f"part {at}" for at in range(10, 10 + len(PARTS) + 2)]
    roles = tuple((name, node(f"r{at}c1=5")) for at, name in enumerate(names, 1))
    highlights = picture_of(step("ALS-XZ", roles=roles)).highlights[1:]
    assert [each.role for each in highlights] == [*PARTS, *PARTS[:2]]
    assert [each.candidates for each in highlights] == [where for _, where in roles]
    named = picture_of(step("ALS-XZ", roles=(("set a", node("r1c1=5")),))).highlights[1]
    assert (named.label, named.role) == ("set A", "a")


def test_what_a_step_removes_is_struck_out_even_if_it_has_a_part():
    picture = picture_of(step("AIC", chain=(*CHAIN, node("r9c9=5")), roles=(("x", CHAIN[0]),)))
    assert picture.looks()[80].marks[5] == "removed"
    why = next(each for each in picture.highlights if each.label == "why")
    assert {*why.candidates} == {each for nodes in CHAIN[1:] for each in nodes}


def test_houses_that_must_hold_a_digit_and_those_that_they_cross_differ():
    marks = pencil_marks(EMPTY)
    rows = tuple(SudokuRule(("at_least_once", "row", number, 5)) for number in range(1, 10))
    columns = tuple(SudokuRule(("at_most_once", "column", number, 5)) for number in (1, 9))
    every, rows = rows, (rows[1], rows[5])

    def houses(truths, links, **parts):
        fish = Step(EMPTY, EMPTY, marks, "X-wing", truths, links, None, node("r9c9=5"), **parts)
        found = picture_of(fish).highlights
        return [(each.role, each.label, {*each.cells}) for each in found if each.cells]

    across = [{(row, at) for at in range(1, 10)} for row in (2, 6)]
    down = [{(at, column) for at in range(1, 10)} for column in (1, 9)]
    assert houses(rows, columns) == [
        ("house", "row 2 and row 6", across[0]),
        ("house", "", across[1]),
        ("cover", "column 1 and column 9", down[0]),
        ("cover", "", down[1]),
    ]
    assert [each[0] for each in houses((), columns)] == ["house", "house"]
    assert houses(rows, columns, chain=CHAIN) == []  # the links show them
    assert houses(every, ()) == []


# === Marks in pictures: each mistake is marked, none hides another, and outlines have no gaps =====

PUZZLE = Grid.parse("4......3...13...")
WRONG = Grid.parse("3111111111111414")


def with_mistakes(answer: Grid) -> str:
    return Picture(answer, PUZZLE, None, mistakes(answer, PUZZLE)).to_svg()


def strokes(svg: str, role: str) -> list[tuple[float, str]]:
    """The width and the path of each shape of the role."""
    found = re.findall(rf'<path fill="none" stroke="{TINTS[role].ink}"[^>]*/>', svg)
    shapes = map(ElementTree.fromstring, found)
    return [(float(each.get("stroke-width")), each.get("d")) for each in shapes]


def test_both_mistakes_in_one_cell_are_marked():
    """r2c4 is twice in its row, and not the 3 that is given there: the small 3 shows that."""
    roles = [each.role for each in mistakes(WRONG, PUZZLE)]
    assert roles == ["difference", "conflict"]
    looks = Picture(WRONG, PUZZLE, None, mistakes(WRONG, PUZZLE)).looks()
    assert (looks[7].role, looks[7].marks) == ("conflict", {3: "difference"})
    assert looks[0].marks == {4: "difference"}
    grounds = re.findall(r'<path fill="(#\w+)" d="[^"]+"/>', with_mistakes(WRONG))
    wanted = [TINTS[role].ground for role in ("difference", "conflict", "difference")]
    assert grounds[:3] == wanted  # cells, and small digits above them


def test_many_conflicts_are_no_wall_of_red():
    """If most cells clash, their frames are thin; a few clashing cells have thick ones."""
    thin, _ = strokes(with_mistakes(WRONG), "conflict")
    few = Grid.parse("4412000000000000")
    thick, _ = strokes(with_mistakes(few), "conflict")
    assert thin[0] < thick[0]
    assert thin[1].count("M") == 2 * 15
    assert thick[1].count("M") == 2 * 2


def test_houses_that_look_alike_have_one_line_in_the_legend():
    highlights = why(EXAMPLE, "r5c5", detail="house").picture().highlights
    houses = [each.label for each in highlights if each.role == "house"]
    assert houses == ["row 5 and column 5", ""]
