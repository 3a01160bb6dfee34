"""Strings of ISS, killers and jigsaws: what each means, and what is refused."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, formats

SMALL = ".Shape~4x4"


def rules(text: str) -> list[str]:
    return list(map(str, Puzzle.parse(SMALL + text).rules))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".Thermo~R1C1~R1C2", ["thermometer at r1c1 and r1c2"]),
        (".Cage~3~R1C1~R1C2", ["killer cage (sum 3) at r1c1 and r1c2"]),
        (".Cage~0~R1C1~R1C2", ["killer cage at r1c1 and r1c2"]),
        (".Whisper~2~R1C1~R1C2", ["whispers (difference 2) at r1c1 and r1c2"]),
        (".Modular~1~R1C1~R1C2", []),
        (".NoBoxes", []),
        (".SearchPriority~1~R1C1", []),
        (
            ".BlackDot~R1C1~R1C2~R2C2~R4C4",
            ["ratio at r1c1 and r1c2", "ratio at r1c2 and r2c2"],
        ),
        (".V~R1C1~R1C2", ["pair sum (value 5) at r1c1 and r1c2"]),
        (".GreaterThan~R1C2~R1C1", ["greater at r1c2 and r1c1"]),
        (".LittleKiller~7~R2C1", ["little killer (sum 7) at r2c1, r3c2 and r4c3"]),
        (".LittleKiller~7~R1C3", ["little killer (sum 7) at r1c3, r2c2 and r3c1"]),
        (".LittleKiller~7~R3C4", ["little killer (sum 7) at r3c4, r2c3 and r1c2"]),
        (".LittleKiller~7~R4C2", ["little killer (sum 7) at r4c2, r3c3 and r2c4"]),
        (".Sandwich~2~R1", ["sandwich (sum 2) at r1c1, r1c2, r1c3 and r1c4"]),
        (
            ".Skyscraper~C2~2~3",
            [
                "skyscraper (value 2) at r1c2, r2c2, r3c2 and r4c2",
                "skyscraper (value 3) at r4c2, r3c2, r2c2 and r1c2",
            ],
        ),
        (".XSum~R1~~5", ["X-sum (sum 5) at r1c4, r1c3, r1c2 and r1c1"]),
        (".Diagonal~1", ["different (diagonal) at r1c4, r2c3, r3c2 and r4c1"]),
        (
            ".PillArrow~2~R1C2~R1C1~R2C1~R3C1~R4C1",
            ["arrow at circle r1c1 and r1c2; arm r2c1, r3c1 and r4c1"],
        ),
    ],
)
def test_constraints_become_rules(text, expected):
    assert rules(text) == expected


@pytest.mark.parametrize(
    ("text", "kind", "fields"),
    [
        (".Sum~0_=_1_-1~R1C1~R2C2", "total", {"sum": 0, "weights": (1, -1)}),
        (".EqualSum~R1C1~-~R2C2~R3C3", "total", {"sum": 0, "weights": (1, -1, -1)}),
        (".SumLine~5~R1C1~R1C2~LOOP", "sum_line", {"sum": 5, "loop": True}),
        (".NumberedRoom~C1~3~", "index", {"control": ((1, 1),), "value": 3}),
        (".Indexing~C~R2C3", "index", {"control": ((2, 3),), "value": 3}),
        (".Quad~R1C1~1~2", "contains", {"digits": (1, 2), "exactly": False}),
        (".ContainExact~1_1~R1C1~R2C2", "contains", {"digits": (1, 1), "exactly": True}),
        (".LookAndSay~1203~R1C1~R2C2", "look_and_say", {"digits": (2, 3), "counts": (1, 0)}),
        (".SameValues~2~R1C1~R2C2", "same_values", {"groups": (((1, 1),), ((2, 2),))}),
        (".AntiConsecutive", "negative", {"differences": (1,)}),
        (
            ".PairX~AgC~_name~R1C1~R1C2~~R2C2~R2C3",
            "pair_table",
            {"allowed": ((3, 4), (4, 2)), "pairs": (((1, 1), (1, 2)),)},
        ),
    ],
)
def test_what_the_fields_hold(text, kind, fields):
    rule = Puzzle.parse(SMALL + text).rules[0]
    assert rule.kind == kind
    assert {name: getattr(rule, name) for name in fields} == fields


def test_givens_marks_and_regions():
    puzzle = Puzzle.parse(SMALL + ".~R1C1_1~R1C2_2_3.~R1C2_3_4.~R2C1_1_2")
    assert (puzzle.grid["r1c1"], puzzle.grid["r1c2"]) == (1, 3)
    assert list(map(str, puzzle.marks)) == ["r2c1 in {1, 2}"]
    labels = "1112122233343444"
    assert Puzzle.parse(f"{SMALL}.NoBoxes.Jigsaw~{labels}").regions is not None
    both = Puzzle.parse(f"{SMALL}.Jigsaw~4x4~{labels}")
    assert (both.regions, len(both.rules)) == (None, 4)
    assert Puzzle.parse(SMALL + ".NoBoxes").box == (1, 4)
    assert Puzzle.parse(".AntiKnight").box == (3, 3)
    assert Puzzle.parse(".Shape~16x16.Cage~3~RaCg~RgC1").rules[0].cells == ((10, 16), (16, 1))


def test_marks_exempt_from_strict_rules():
    puzzle = Puzzle.parse(SMALL + ".StrictKropki.WhiteDot~R1C1~R1C2.StrictXV.V~R2C1~R2C2")
    first, second = [rule for rule in puzzle.rules if rule.kind == "negative"]
    assert (first.differences, first.ratios, first.exempt) == ((1,), (2,), (((1, 1), (1, 2)),))
    assert (second.sums, second.exempt) == ((5, 10), (((2, 1), (2, 2)),))


def test_sets_of_the_whole_grid():
    kinds = [(rule.name, len(rule.cells)) for rule in Puzzle.parse(".Windoku.DisjointSets").rules]
    assert kinds == [("windoku", 9)] * 4 + [("disjoint group", 9)] * 9


def test_alternatives():
    text = ".Or.~R1C1_1.And.Thermo~R1C1~R1C2.~R4C4_1_2.End.Cage~3~R3C1~R3C2.End"
    (rule,) = Puzzle.parse(SMALL + text).rules
    assert [[each.kind for each in option] for option in rule.options] == [
        ["contains"],
        ["thermometer", "any_of"],
        ["killer_cage"],
    ]


def test_links_lines_and_several_strings():
    text = SMALL + ".Thermo~R1C1~R1C2"
    puzzle = Puzzle.parse(text)
    link = f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={quote(text)}&mode=x"
    assert Puzzle.parse(link) == puzzle
    assert Puzzle.parse(text.replace(".T", "\n .T")) == puzzle
    lines = f"# one\n{text}\n\n{link}\n{link}\n{SMALL}\n.Thermo~R1C1~R1C2\n"
    assert list(formats.read_puzzles(lines.splitlines())) == [puzzle] * 4


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (".Fog~R1C1", "no rule 'Fog' here; of the constraints of ISS"),
        (".Regex~AB~R1C1", "no rule 'Regex' here"),
        (SMALL + ".Thermo~R1C1~R1C5", r"\.Thermo: R1C5 is not a cell of a 4x4 grid"),
        (SMALL + ".Thermo", r"\.Thermo: there are no cells"),
        (SMALL + ".Cage~x~R1C1", r"\.Cage: 'x' stands where a whole number"),
        (SMALL + ".WhiteDot~R1C1~R3C3", "none of the cells are neighbours"),
        (SMALL + ".LittleKiller~3~R2C2", "R2C2 is not where such a line starts"),
        (SMALL + ".~R1C1_5", "is not a cell with digits from 1 to 4"),
        (SMALL + ".~R1C1_1~R1C1_2", "r1c1 can hold no digit"),
        (SMALL + ".Or.~R1C1_1", r"\.Or has no \.End"),
        (SMALL + ".End", r"\.End has no \.Or"),
        (SMALL + ".Or.Windoku.End", r"may not stand within \.Or"),
        (SMALL + ".Quad~R4C4~1", "not the upper left cell of four"),
        (SMALL + ".Jigsaw~111", "the regions: 3 labels"),
        (SMALL + ".Pair~!~_x~R1C1~R1C2", "the table has the character '!'"),
        (".Shape~4x6.Thermo~R1C1~R1C2", "'4x6' is not a square"),
        (".Shape~9x9~0-8.Thermo~R1C1~R1C2", "digits 0-8 are not read"),
        (".Shape~9x9~~Raw", "'Raw' is not read"),
    ],
)
def test_bad_strings_are_refused(text, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(text)


# --- killers ----------------------------------------------------------------------------

SHORT = "3<" + "".join("6<" for _ in range(3)) + "0" + ("9<" * 4 + "0") * 8
LONG = "3x3:{}:k:" + ":".join([str(3 * 256 + 1)] * 2 + ["7"] * 79)


def test_a_killer_of_characters():
    puzzle = Puzzle.parse(SHORT)
    assert str(puzzle.rules[0]) == "killer cage (sum 3) at r1c1 and r1c2"
    assert str(puzzle.rules[4]) == "killer cage at r1c9"
    assert len(puzzle.rules) == 5 * 9
    assert Puzzle.parse(f"{SHORT} a name") == puzzle
    assert list(formats.read_puzzles([f"{SHORT}\n"] * 2)) == [puzzle] * 2


def test_a_killer_whose_first_cell_points_to_the_right():
    text = ">3" + SHORT[2:]
    assert Puzzle.parse(text) == Puzzle.parse(SHORT)
    assert list(formats.read_puzzles([f"{text}\n"])) == [Puzzle.parse(SHORT)]


def test_all_eight_directions():
    for sign, cell in {"^": 1, "v": 19, "`": 0, "'": 2, ",": 18, ".": 20, "<": 9, ">": 11}.items():
        line = ["0"] * 81
        line[10], line[40], line[41] = sign, "<", "<"
        line[39] = "<"
        line[38] = "0"
        line[cell] = "A"
        (cage,) = [rule for rule in Puzzle.parse("".join(line)).rules if rule.sum == 10]
        assert len(cage.cells) == 2


def test_killers_of_numbers():
    puzzle = Puzzle.parse(LONG.format(""))
    assert list(map(str, puzzle.rules)) == ["killer cage (sum 3) at r1c1 and r1c2"]
    assert len(Puzzle.parse(LONG.format("d")).rules) == 3
    cue = "SumoCueV1=3+0" + "=0" * 79
    assert str(Puzzle.parse(cue).rules[0]) == "killer cage (sum 3) at r1c1 and r1c2"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<" + SHORT[1:], "'<' in r1c1 points out of the grid"),
        ("><" + SHORT[2:], "the arrows from r1c1 on lead back to r1c1"),
        ("3x3::k:1:2", "this killer has 2 numbers; expected 81"),
        ("SumoCueV1=3", "expected 81"),
    ],
)
def test_bad_killers_are_refused(text, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(text, "killer")


# --- jigsaws ----------------------------------------------------------------------------

LABELS = "AABBABBBCCCDCDDD".replace("AABBABBB", "AAABABBB")


def test_jigsaws():
    givens = "1..4.....3......"
    puzzle = Puzzle(Grid.parse(givens), LABELS)
    assert puzzle.regions is not None
    assert Puzzle.parse(givens + LABELS) == Puzzle.parse(givens + LABELS, "jigsaw") == puzzle
    assert Puzzle.parse(LABELS) == Puzzle("." * 16, LABELS)
    digits = LABELS.translate(str.maketrans("ABCD", "1234"))
    assert Puzzle.parse(digits).is_plain  # which could be the digits of a grid
    assert Puzzle.parse(digits, "jigsaw") == Puzzle("." * 16, LABELS)
    assert list(formats.read_puzzles([givens + LABELS])) == [puzzle]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1" * 31, "31 characters; expected 162"),
        ("." * 16 + "A" * 16, "1 different label"),
        ("." * 16 + "AAAA" + LABELS[4:], "the region of r1c1 has"),
    ],
)
def test_bad_jigsaws_are_refused(text, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(text, "jigsaw")
