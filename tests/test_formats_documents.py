"""Puzzles in documents: JSON, XML, CSV and the documents of other pages."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import pairwise
from urllib.parse import quote
from xml.etree.ElementTree import XMLPullParser

import pytest
from helpers.format_texts import FOUR, LINE, SIX, SOLUTIONS, message, pieces
from hypothesis import given
from hypothesis import strategies as st

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, formats, read_puzzles
from pylogic_sudoku.formats import links, split
from pylogic_sudoku.formats.links import compress, decompress
from pylogic_sudoku.rules import KillerCage


def document(size: int = 4, **more: object) -> str:
    return json.dumps({"size": size, "grid": [[{} for _ in range(size)]] * size, **more})


def rules(size: int = 4, **more: object) -> list[str]:
    return [str(rule) for rule in Puzzle.parse(document(size, **more)).rules]


def test_cells_hold_givens_marks_and_regions():
    cells = [{"value": 1, "given": True}, {"value": 2}, {"givenPencilMarks": [3, 4]}, {}]
    text = json.dumps({"size": 4, "grid": [cells, *[[{}] * 4] * 3], "odd": [{"cell": "R2C1"}]})
    puzzle = Puzzle.parse(text)
    assert str(puzzle.grid) == "1" + "." * 15
    assert list(map(str, puzzle.marks)) == ["r1c3 in {3, 4}", "r2c1 in {1, 3}"]
    # A cell without a region keeps that of its box; one whose region is null is in none.
    rows = [[{} for _ in range(4)] for _ in range(4)]
    rows[1][1], rows[1][2] = {"region": 1}, {"region": 0}
    puzzle = Puzzle.parse(json.dumps({"grid": rows}))
    assert [str(cell) for cell in puzzle.regions[0]] == ["r1c1", "r1c2", "r2c1", "r2c3"]
    rows = [[{"region": None} for _ in range(4)] for _ in range(4)]
    assert Puzzle.parse(json.dumps({"grid": rows})).box == (1, 4)
    rows[3] = [{"region": 7}] * 4
    puzzle = Puzzle.parse(json.dumps({"grid": rows}))
    assert (puzzle.box, [rule.name for rule in puzzle.rules]) == ((1, 4), ["region"])


@pytest.mark.parametrize(
    ("clue", "expected"),
    [
        ({"killercage": [{"cells": ["R1C1", "R1C2"], "value": "3"}]}, "killer cage (sum 3)"),
        ({"whispers": [{"lines": [["R1C1", "R1C2"]]}]}, "whispers (difference 2)"),
        ({"sandwichsum": [{"cell": "R1C5", "value": "0"}]}, "r1c4, r1c3, r1c2 and r1c1"),
        ({"xv": [{"cells": ["R1C1", "R1C2"], "value": "V"}]}, "pair sum (value 5)"),
        ({"difference": [{"cells": ["R1C1", "R1C2"]}]}, "difference"),
        ({"littlekillersum": [{"cell": "R0C3", "direction": "DL", "value": 3}]}, "r1c2 and r2c1"),
        ({"diagonal+": True}, "r1c4, r2c3, r3c2 and r4c1"),
        ({"nonconsecutive": True}, "negative"),
    ],
)
def test_clues_become_rules(clue, expected):
    (rule,) = rules(**clue)
    assert expected in rule


def test_each_line_of_an_arrow_is_an_arrow():
    arrow = {"cells": ["R2C2"], "lines": [["R2C2", "R1C1"], ["R2C2", "R2C3", "R2C4"]]}
    first, second = Puzzle.parse(document(arrow=[arrow])).rules
    assert (first.circle, len(first.arm)) == (second.circle, 1)
    assert [str(cell) for cell in second.arm] == ["r2c3", "r2c4"]


def test_clues_without_a_number_and_drawings_say_nothing():
    drawn = {name: [{"cells": ["R1C1"]}] for name in ("cage", "line", "rectangle", "text")}
    nothing = {"sandwichsum": [{"cell": "R1C0"}], "arrow": [{"cells": ["R1C1"], "lines": []}]}
    assert Puzzle.parse(document(**drawn, **nothing, antiknight=False)).is_plain


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (document(fogofwar=[{"cells": ["R1C1"]}]), "no rule 'fogofwar' here"),
        (document(negative=["odd"]), "no rule 'odd' here"),
        (document(killercage=[{"cells": ["R1C5"]}]), "'killercage': 'R1C5' is not a cell of a 4x4"),
        (document(killercage=[{"cells": ["x"]}]), "'killercage': 'x' is not a cell"),
        (document(killercage=[{"cells": ["R1C1"], "value": "DR5"}]), "the value is 'DR5'"),
        (document(thermometer=[{"lines": [[]]}]), "'thermometer': cells are"),
        (document(thermometer=[{}]), "'thermometer': lines are None"),
        (
            document(sandwichsum=[{"cell": "R1C1", "value": 3}]),
            "cell 'R1C1' means nothing here; expected such as cell 'R0C4'",
        ),
        (document(littlekillersum=[{"cell": "R0C0", "direction": "X"}]), "direction 'X'"),
        (document(xv=[{"cells": ["R1C1", "R1C2"], "value": "Q"}]), "value 'Q' means nothing here"),
        (json.dumps({"size": 5, "grid": [[{}] * 4] * 4}), "'size' is 5, but there are 4 rows"),
        (json.dumps({"grid": [[{}] * 4] * 3}), "row 1 has 4 cells, but the grid has 3 rows"),
        (json.dumps({"grid": [[{}, 1], [{}, {}]]}), "r1c2 is 1; expected an object"),
        (json.dumps({"grid": [[{"region": "a"}]]}), "the region of r1c1 is 'a'"),
        ('{"grid": [[{}]', "this is not JSON"),
        ("fpuz" + compress("[1, 2]"), "expected a JSON object"),
        ("fpuzN4IgzglgXgpiBcBOA", "the compressed data end too early"),
        ("https://www.f-puzzles.com/?id=yhkyz63b", "a name that only their site knows"),
        ("https://f-puzzles.com/?load=%%%%%%%%%%%%%%%%%%%%%", "not a character of compressed"),
        ("https://sudokupad.app/abc123", "only links with the puzzle in them are read"),
        ("https://sudokupad.app/sclN4IgDghgFgLgniAXAYQDQgB4", "the compressed data end too early"),
    ],
)
def test_bad_documents_and_links_are_refused(text, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(text)


# --- SudokuPad --------------------------------------------------------------------------

BOXES = [[[r + i, c + j] for i in (0, 1) for j in (0, 1)] for r in (0, 2) for c in (0, 2)]


def pad(**more: object) -> dict[str, object]:
    cells = [[{} for _ in range(4)] for _ in range(4)]
    cells[0][0] = {"value": 1}
    return {"cells": cells, "regions": BOXES, **more}


def test_a_document_of_sudokupad_in_every_form():
    text = (
        "{ce:[[{v:1},,,],[,,,],[,,{'givenPencilMarks':[1,4]},],[,,,]],re:" + json.dumps(BOXES)
        + ",ca:[{ce:[[0,1],[0,2]],v:5,sum:5,unique:t},{v:'title: It\\'s one'}],"
        + "metadata:{author:'A',solution:'1234341221434321'},settings:f}"
    )  # fmt: skip
    for found in ("scl" + compress(text), "https://sudokupad.app/scl" + compress(text)):
        puzzle = Puzzle.parse(found)
        assert (str(puzzle.grid), puzzle.box) == ("1" + "." * 15, (2, 2))
        assert list(map(str, puzzle.rules)) == ["killer cage (sum 5) at r1c2 and r1c3"]
        assert (puzzle.title, puzzle.author) == ("It's one", "A")
        assert list(map(str, puzzle.marks)) == ["r3c3 in {1, 4}"]
    text = json.dumps(pad())
    for form in (text, *(name + compress(text) for name in ("scl", "ctc", "fpuz"))):
        assert Puzzle.parse(form) == Puzzle(Grid.parse("1" + "." * 15))
    assert Puzzle.parse(json.dumps(pad(regions=[]))).box == (1, 4)
    puzzle = Puzzle.parse(json.dumps(pad(antiknight=True, metadata={"antiking": True})))
    assert [rule.kind for rule in puzzle.rules] == ["anti_knight", "anti_king"]


@pytest.mark.parametrize(
    ("cage", "expected"),
    [
        ({"cells": [[0, 1], [0, 2]], "value": "5"}, ["killer cage (sum 5) at r1c2 and r1c3"]),
        (
            {"cells": [[0, 1], [0, 2]], "sum": 5, "unique": False},
            ["total (sum 5) at r1c2 and r1c3"],
        ),
        ({"cells": [[0, 1], [1, 2]], "unique": True}, ["killer cage at r1c2 and r2c3"]),
        ({"cells": [[0, column] for column in range(4)], "unique": True, "hidden": True}, []),
    ],
)
def test_cages(cage, expected):
    assert list(map(str, Puzzle.parse(json.dumps(pad(cages=[cage]))).rules)) == expected


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"lines": [{"wayPoints": [[0, 0]]}]}, "this document draws 1 line, and does not state"),
        ({"overlays": [{}, {}]}, "this document draws 2 overlays"),
        ({"foglight": [[0, 0]]}, "no rule 'foglight' here"),
        ({"global": ["antitaxi"]}, "no rule 'antitaxi' here"),
        ({"cages": [{"cells": [[0, 1]], "value": "A"}]}, "the cage at r1c2 is only drawn"),
        ({"cages": [{"value": "what is this"}]}, "a cage has no cells"),
        ({"cages": [{"cells": [[0, 4]], "sum": 3}]}, "are not cells of a 4x4 grid"),
        ({"regions": [[[0, 0]]]}, "the region of r1c1 has 1 cell, expected 4"),
        ({"cells": []}, "there are 0 rows"),
        ({"metadata": {"solution": "2134341212434321"}}, "the solution in the document breaks"),
    ],
)
def test_what_is_only_drawn_or_wrong_is_refused(more, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(json.dumps(pad(**more)), "scl")


@pytest.mark.parametrize(
    "text", ["{ce:[[{v:1}", "{ce 1}", "[1 2]", "[1]", "{a:]", "{" * 99, "{a:b"]
)
def test_damaged_documents_of_sudokupad_are_refused(text):
    with pytest.raises(InvalidPuzzle, match=r"not a document of SudokuPad|'cells' is|no rule"):
        Puzzle.parse("scl" + compress(text), "scl")


# === Puzzles in files of data: JSON, tables and OpenSudoku's XML ==================================

# --- json -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        [[1, 0, 0, 4], [0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]],
        [[1, None, None, 4], [None] * 4, [None, 3, None, None], [None] * 4],
        {"grid": [[1, 0, 0, 4], [0] * 4, [0, 3, 0, 0], [0] * 4]},
        {"grid": [[1, 0, 0, 4], [0] * 4, [0, 3, 0, 0], [0] * 4], "box": [2, 2], "title": ""},
        {"grid": [[1, 0, 0, 4], [0] * 4, [0, 3, 0, 0], [0] * 4], "box": None},
        {"grid": "1..4.....3......"},
        {"grid": "1__4_____3______"},
        {"grid": ["1..4", "....", ".3..", "...."]},
        ["1..4", "____", "_3__", "____"],
        "1..4.....3......",
        [["1", "", ".", "4"], ["0"] * 4, ["_", "3", " ", None], [float("nan"), 0.0, 0, "-"]],
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_json(value, indent):
    assert Grid.parse(json.dumps(value, indent=indent)) == FOUR


def test_json_lines_and_a_list_of_puzzles():
    one, two = json.dumps(FOUR.rows), json.dumps({"puzzle": FOUR.rows, "box": [2, 2]})
    assert pieces(f"\n{one}\n\n{two}\n") == [(2, LINE), (4, LINE)]
    assert [line for line, _ in split(f"{one}\nbad\n{two}")] == [1, 2, 3]
    text = json.dumps([{"grid": FOUR.rows}, {"puzzle": LINE}], indent=1)
    assert pieces(text) == [(1, LINE), (1, LINE)]


# --- tables -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"quizzes,solutions\n{LINE},x\n{LINE},y\n", [2, 3]),
        (f"id,Puzzle,solution,clues\n7,{LINE},z,3\n", [2]),
        (f'"id";"puzzle"\r\n"7";"{LINE}"\r\n', [2]),
        (f"puzzle\tsolution\n{LINE}\t{LINE}", [2]),
        (f"{LINE},{SOLUTIONS[0]}\n{LINE},{SOLUTIONS[1]}", [1, 2]),  # no heading
        (f"puzzle\n{LINE}\n\npuzzle\n{LINE}\n", [2, 5]),  # joined tables
    ],
)
def test_csv(text, lines):
    assert Grid.parse(text) == FOUR
    assert pieces(text) == [(line, LINE) for line in lines]


def test_rows_of_a_table_may_leave_their_shape_open_or_have_no_puzzle():
    text = f"puzzle\n{SIX}\n{SIX}"
    assert [Grid.parse(piece, box=(2, 3)) for _, piece in split(text)] == [SIX, SIX]
    assert message(text).startswith("a 6x6 grid leaves its box shape open")
    assert list(split(f"puzzle,x\n{LINE},1\n,2\n")) == [(2, LINE), (3, ",2")]


# --- OpenSudoku -------------------------------------------------------------------------


def game(data: str) -> str:
    return f'<game created="5" data="{data}"/>'


def test_opensudoku():
    for text in (
        f"<opensudoku>{game(LINE)}</opensudoku>",
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- two -->\n<opensudoku version="2">\n'
        f'<name>n</name><folder name="f">{game(LINE)}</folder></opensudoku>\n',
        f"<opensudoku2>{game(LINE)}</opensudoku2>",
    ):
        assert Grid.parse(text) == FOUR
        assert [piece for _, piece in pieces(text)] == [LINE]
    found = list(split(f"<opensudoku>\n{game(LINE)}\n{game('bad')}{game(LINE)}\n</opensudoku>"))
    assert [line for line, _ in found] == [2, 3, 3]
    assert message(found[1][1]).startswith("the line has 3 characters")


@pytest.mark.parametrize(
    ("version", "marks"),
    [("1", "-"), ("1", "1,2,"), ("2", "0|"), ("3", "12"), ("4", "0|0"), ("5", "1|2")],
)
def test_of_a_saved_game_the_givens_are_read(version, marks):
    cells = "".join(f"{digit}|{marks}|{int(digit in '02')}|" for digit in "1204000003000000")
    assert Grid.parse(f"<opensudoku>{game(f'version: {version}&#10;{cells}')}</opensudoku>") == FOUR


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"grid": [[1', "this is not JSON: "),
        ('{"rows": [[1]]}', "expected a key \"grid\" in the JSON object, not ['rows']"),
        ('{"grid": 5}', "the puzzle is 5; expected a list of rows"),
        ('{"grid": [[1]], "regoins": 5}', "unknown key 'regoins'; expected box, grid, regions, "),
        ('{"grid": [[1]], "box": "3x3"}', "a box shape is two whole numbers"),
        ("[[Infinity]]", "r1c1 holds inf; expected a whole number"),
        ("[[{}]]", "r1c1 holds {}; expected a whole number"),
        ('[{"a": 1}]', "row 1 is {'a': 1}; expected a list of cells"),
        ("[[" + "9" * 5000 + "]]", "this JSON is not read: it holds a number of thousands of"),
        ('{"grid": ' + "[" * 100_000, "this JSON is not read: it holds"),
        ("quizzes,solutions\n", "the table has no rows; expected a puzzle in each"),
        ("quizzes,solutions\n1.2,x", "the line has 3 characters; expected 81 for 9x9"),
        ('puzzle,x\n"' + "1" * 200_000, "line 2: field larger than field limit (131072)"),
        ("<opensudoku>", "this is not XML: no element found: line 2, column 0"),
        ("<opensudoku></game>", "this is not XML: mismatched tag: line 1, column 14"),
        ("<opensudoku/>", "there is no <game> in the <opensudoku>"),
        ("<svg/>", "this is a picture (SVG), which is not read"),
        ("<rss/>", "this is XML of another kind, <rss>; expected <opensudoku> or <ksudoku>"),
        ("<instance format='XCSP3'><variables/></instance>", "this is an instance of XCSP3, a"),
        ("<!DOCTYPE html>\n<p>53..7", "this is HTML, which is not read: copy the text"),
        ("<td>5</td><td>3</td>", "this is HTML, which is not read: copy the text"),
        ("<opensudoku><game/></opensudoku>", "the line has 0 characters"),
        ("<opensudoku>&a;</opensudoku>", "this is not XML: undefined entity: line 1, column 12"),
        ("<opensudoku>\udc80</opensudoku>", "this is not XML: "),
        (f"<opensudoku>{game('version: 9&#10;1|')}</opensudoku>", "a game that OpenSudoku has"),
    ],
)
def test_a_document_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


def test_a_row_that_cannot_be_split_has_its_own_line(tmp_path):
    path = tmp_path / "many.csv"
    path.write_text(f"puzzle,note\n{'.' * 16},a\n{'.' * 16},{'x' * 200_000}\n")
    puzzles = read_puzzles(path)
    assert next(puzzles).size == 4
    with pytest.raises(InvalidPuzzle) as error:
        next(puzzles)
    assert str(error.value) == f"{path}, line 3: field larger than field limit (131072)"


def test_events_that_expat_defers_are_read(monkeypatch):
    """Some versions of expat give all events of a short document when it is closed."""

    class Deferring(XMLPullParser):
        closed = False

        def close(self) -> None:
            super().close()
            self.closed = True

        def read_events(self):
            return super().read_events() if self.closed else iter(())

    monkeypatch.setattr("xml.etree.ElementTree.XMLPullParser", Deferring)
    text = f"<opensudoku>\n{game(LINE)}\n{game(LINE)}\n</opensudoku>"
    assert Grid.parse(text) == FOUR
    assert list(read_puzzles(text.splitlines())) == [FOUR, FOUR]


def test_an_entity_bomb_is_refused_before_it_is_one():
    names = "abcdefgh"
    bomb = "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise(names))
    text = f'\n<!DOCTYPE x [<!ENTITY a "0">{bomb}]>\n<opensudoku>{game("&h;")}</opensudoku>'
    assert message(text) == "<!ENTITY> is not read"
    with pytest.raises(InvalidPuzzle, match="<!ENTITY> is not read"):
        list(split(text))


# === lz-string's compression: what the original writes, every text, and data that are damaged =====

ORIGINAL = {
    "": "Q===",
    "a": "IZA=",
    "aa": "IbI=",
    "a" * 20: "IY1/kA==",
    '{"size":9}': "N4IgzglgXgpiBcBOAvkA",
    "ünïcødé €": "D8Ow9wxgHwJglwAkDUEQ",
    "😀 smile 😀😀": "rwbgA9gEDOC2CWA2BTMpRA==",
    "\0\1": "AAQCA===",
}
"""Texts, and what version 1.5 of the JavaScript library makes of them."""


@pytest.mark.parametrize(("text", "base"), ORIGINAL.items())
def test_the_same_as_the_original(text, base):
    assert decompress(base) == text
    assert not (text and text.isascii()) or compress(text) == base


@given(st.text(st.characters(max_codepoint=127), min_size=1) | st.text("ab", min_size=1))
def test_every_text_survives(text):
    assert decompress(compress(text)) == text


@given(st.text(st.sampled_from(links.ALPHABET), max_size=80))
def test_any_data_are_read_or_refused(data):
    with suppress(InvalidPuzzle):
        assert isinstance(decompress(data), str)


def test_what_an_address_does_to_data():
    text = "".join(map(chr, range(128))) * 9
    base = compress(text)
    assert {"+", "/"} <= {*base}
    for changed in (base.replace("+", " "), base.translate({43: "-", 47: "_"}).rstrip("=")):
        assert decompress(changed) == text


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ("N4IgzglgXgpi", "end too early"),
        ("", "end too early"),
        ("N4Ig!", "'!' is not a character of compressed data"),
        ("////", "damaged"),
        (compress("a" * 1001), "more than 1,000 characters"),
    ],
)
def test_damaged_data_and_short_codes_for_endless_texts_are_refused(data, complaint, monkeypatch):
    monkeypatch.setattr(links, "LONGEST", 1000)
    with pytest.raises(InvalidPuzzle, match=complaint):
        decompress(data)


# === Strings of ISS, killers and jigsaws: what each means, and what is refused ====================

SMALL = ".Shape~4x4"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".Thermo~R1C1~R1C2", ["thermometer at r1c1 and r1c2"]),
        (".Cage~3~R1C1~R1C2", ["killer cage (sum 3) at r1c1 and r1c2"]),
        (".Cage~0~R1C1~R1C2", ["killer cage at r1c1 and r1c2"]),
        (".Whisper~2~R1C1~R1C2", ["whispers (difference 2) at r1c1 and r1c2"]),
        (".Modular~1~R1C1~R1C2.NoBoxes.SearchPriority~1~R1C1", []),
        (".BlackDot~R1C1~R1C2~R2C2~R4C4", ["ratio at r1c1 and r1c2", "ratio at r1c2 and r2c2"]),
        (".V~R1C1~R1C2", ["pair sum (value 5) at r1c1 and r1c2"]),
        (".GreaterThan~R1C2~R1C1", ["greater at r1c2 and r1c1"]),
        (".LittleKiller~7~R2C1", ["little killer (sum 7) at r2c1, r3c2 and r4c3"]),
        (".LittleKiller~7~R1C3", ["little killer (sum 7) at r1c3, r2c2 and r3c1"]),
        (".LittleKiller~7~R3C4", ["little killer (sum 7) at r3c4, r2c3 and r1c2"]),
        (".LittleKiller~7~R4C2", ["little killer (sum 7) at r4c2, r3c3 and r2c4"]),
        (".Sandwich~2~R1", ["sandwich (sum 2) at r1c1, r1c2, r1c3 and r1c4"]),
        (".Skyscraper~C2~2~", ["skyscraper (value 2) at r1c2, r2c2, r3c2 and r4c2"]),
        (".XSum~R1~~5", ["X-sum (sum 5) at r1c4, r1c3, r1c2 and r1c1"]),
        (".Diagonal~1", ["different (diagonal) at r1c4, r2c3, r3c2 and r4c1"]),
        (".PillArrow~2~R1C2~R1C1~R2C1", ["arrow at circle r1c1 and r1c2; arm r2c1"]),
        (".Sum~0_=_1_-1~R1C1~R2C2", ["total (sum 0, weights 1, -1) at r1c1 and r2c2"]),
        (".EqualSum~R1C1~-~R2C2", ["total (sum 0, weights 1, -1) at r1c1 and r2c2"]),
        (".SumLine~5~R1C1~R1C2~LOOP", ["sum line (sum 5, loop) at r1c1 and r1c2"]),
        (".NumberedRoom~R1~3~", ["index (value 3) at control r1c1; r1c1, r1c2, r1c3 and r1c4"]),
        (".Indexing~C~R2C3", ["index (value 3) at control r2c3; r2c1, r2c2, r2c3 and r2c4"]),
        (".Quad~R1C1~1~2", ["contains (digits 1, 2) at r1c1, r1c2, r2c1 and r2c2"]),
        (".ContainExact~1_1~R1C1~R2C2", ["contains (digits 1, 1, exactly) at r1c1 and r2c2"]),
        (".LookAndSay~12~R1C1~R2C2", ["look and say (digits 2, counts 1) at r1c1 and r2c2"]),
        (".SameValues~2~R1C1~R2C2", ["same values at groups r1c1 / r2c2"]),
        (".AntiConsecutive", ["negative constraint (differences 1)"]),
        (
            ".PairX~AgC~_name~R1C1~R1C2~~R2C2",
            ["pair table (allowed 3, 4 / 4, 2) at pairs r1c1 and r1c2"],
        ),
    ],
)
def test_constraints_become_rules(text, expected):
    assert list(map(str, Puzzle.parse(SMALL + text).rules)) == expected


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


def test_rules_of_several_constraints():
    puzzle = Puzzle.parse(SMALL + ".StrictKropki.WhiteDot~R1C1~R1C2.StrictXV.V~R2C1~R2C2")
    first, second = [rule for rule in puzzle.rules if rule.kind == "negative"]
    assert (first.differences, first.ratios, first.exempt) == ((1,), (2,), (((1, 1), (1, 2)),))
    assert (second.sums, second.exempt) == ((5, 10), (((2, 1), (2, 2)),))
    kinds = [(rule.name, len(rule.cells)) for rule in Puzzle.parse(".Windoku.DisjointSets").rules]
    assert kinds == [("windoku", 9)] * 4 + [("disjoint group", 9)] * 9
    text = ".Or.~R1C1_1.And.Thermo~R1C1~R1C2.~R4C4_1_2.End.Cage~3~R3C1~R3C2.End"
    (rule,) = Puzzle.parse(SMALL + text).rules
    kinds = [[each.kind for each in option] for option in rule.options]
    assert kinds == [["contains"], ["thermometer", "any_of"], ["killer_cage"]]


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
        (SMALL + ".Thermo~R1C1~R1C5", r"\.Thermo: R1C5 is not a cell of a 4x4 grid"),
        (SMALL + ".Thermo", r"\.Thermo: there are no cells"),
        (SMALL + ".Cage~x~R1C1", r"\.Cage: an argument is 'x'; expected a whole number"),
        (SMALL + ".WhiteDot~R1C1~R3C3", "none of the cells are neighbours"),
        (SMALL + ".LittleKiller~3~R2C2", "r2c2 is not where such a line starts"),
        (SMALL + ".~R1C1_5", "is not a cell with digits from 1 to 4"),
        (SMALL + ".~R1C1_1~R1C1_2", "r1c1 can hold no digit"),
        (SMALL + ".Or.~R1C1_1", r"\.Or has no \.End"),
        (SMALL + ".End", r"\.End has no \.Or"),
        (SMALL + ".Or.NoBoxes.End", r"may not stand within \.Or"),
        (SMALL + ".Quad~R4C4~1", "not the upper left cell of four"),
        (SMALL + ".Jigsaw~111", "the regions: 3 labels"),
        (SMALL + ".Pair~!~_x~R1C1~R1C2", "the table has the character '!'"),
        (".Shape~4x6.Thermo~R1C1~R1C2", "4x6 is not read; expected a square"),
        (".Shape~9x9~0-8.Thermo~R1C1~R1C2", "9x9~0-8 is not read"),
        (".Shape~9x9~~Raw", "9x9~~Raw is not read"),
    ],
)
def test_bad_strings_are_refused(text, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(text)


# --- killers ----------------------------------------------------------------------------

SHORT = "3<" + "".join("6<" for _ in range(3)) + "0" + ("9<" * 4 + "0") * 8
LONG = "3x3:{}:k:" + ":".join([str(3 * 256 + 1)] * 2 + ["7"] * 79)


def test_killers():
    puzzle = Puzzle.parse(SHORT)
    assert str(puzzle.rules[0]) == "killer cage (sum 3) at r1c1 and r1c2"
    assert str(puzzle.rules[4]) == "killer cage at r1c9"
    assert len(puzzle.rules) == 5 * 9
    for text in (SHORT, f"{SHORT} a name", ">3" + SHORT[2:]):
        assert Puzzle.parse(text) == puzzle
        assert list(formats.read_puzzles([f"{text}\n"] * 2)) == [puzzle] * 2
    puzzle = Puzzle.parse(LONG.format(""))
    assert list(map(str, puzzle.rules)) == ["killer cage (sum 3) at r1c1 and r1c2"]
    assert len(Puzzle.parse(LONG.format("d")).rules) == 3


def test_killers_of_sumocue():
    """A cage of one cell is a given, and a sum of 0 says nothing."""
    text = "SumoCueV1=3+0=5" + "=0" * 77 + "=12"
    puzzle = Puzzle.parse(text)
    cages = ["killer cage (sum 3) at r1c1 and r1c2", "killer cage (sum 12) at r9c9"]
    assert (list(map(str, puzzle.rules)), puzzle.grid) == (cages, Grid.of([(1, 3, 5)], (3, 3)))
    wrapped = "SumoCueV1\n=3+0=5\n" + "=0" * 77 + "\n=12"
    assert Puzzle.parse(wrapped) == puzzle
    assert list(formats.read_puzzles([*wrapped.split("\n"), "# next", text])) == [puzzle] * 2
    assert [rule.kind for rule in Puzzle.parse(text.replace("V1", "V1D")).rules] == [
        *["different"] * 2, *["killer_cage"] * 2,
    ]  # fmt: skip
    labels = "".join(f"{(row // 2 + column) % 9}" for row in range(9) for column in range(9))
    with pytest.raises(InvalidPuzzle, match="the region of r1c1 has"):
        Puzzle.parse("SumoCueV1" + "".join(f"=0J{0 if each == '1' else each}" for each in labels))
    jigsaw = Puzzle.parse("SumoCueV1=3J0+0J1" + "".join(f"=0J{each}" for each in labels[2:]))
    assert jigsaw == Puzzle("." * 81, labels, rules=[KillerCage("r1c1 r1c2", 3)])


@pytest.mark.parametrize(
    ("sign", "cell"),
    [("^", 1), ("v", 19), ("`", 0), ("'", 2), (",", 18), (".", 20), ("<", 9), (">", 11)],
)
def test_all_eight_directions(sign, cell):
    """The arrow in r2c2 points to the cell that has the sum."""
    line = ["0"] * 81
    line[10], line[cell], line[39:42] = sign, "A", "<<<"
    (cage,) = [rule for rule in Puzzle.parse("".join(line)).rules if rule.sum == 10]
    assert {10, cell} == {each.offset(9) for each in cage.cells}


@pytest.mark.parametrize(
    ("text", "format", "complaint"),
    [
        ("<" + SHORT[1:], "killer", "the arrows from r1c1 do not lead to a sum"),
        ("><" + SHORT[2:], "killer", "the arrows from r1c1 do not lead to a sum"),
        ("?" + SHORT[1:], "killer", "the arrows from r1c1 do not lead to a sum"),
        ("3x3::k:1:2", "killer", "this killer has 2 numbers; expected 81"),
        ("SumoCueV1=3", "killer", "this killer has 1 cell; expected 81"),
        ("SumoCueV1=0" + "+1" * 80, "killer", "r1c2 is in the cage of cell 1, which has no sum"),
        ("SumoCueV1=0J1" + "=0" * 80, "killer", "r1c2 has no region; expected such as J0"),
        ("SumoCueV1=3?4", "killer", r"'\?4' in SumoCue's text"),
        ("3<6<", "killer", "this killer has 4 characters; expected 81"),
        ("1" * 31, "jigsaw", "31 characters; expected 162"),
        ("." * 16 + "A" * 16, "jigsaw", "the region of r1c1 has 16 cells"),
        ("." * 16 + "AAAABABBBCCCDCDD", "jigsaw", "the region of r1c1 has"),
    ],
)
def test_bad_killers_and_jigsaws_are_refused(text, format, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(text, format)


# --- jigsaws ----------------------------------------------------------------------------

LABELS = "AAABABBBCCCDCDDD"


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
