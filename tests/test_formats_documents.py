"""Puzzles in documents: JSON, XML, CSV and the documents of other pages."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import pairwise

import pytest
from helpers.format_texts import FOUR, LINE, SIX, SOLUTIONS, message, pieces
from hypothesis import given
from hypothesis import strategies as st

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle
from pylogic_sudoku.formats import _lzstring, split
from pylogic_sudoku.formats._lzstring import compress, decompress


def document(size: int = 4, **more: object) -> str:
    return json.dumps({"size": size, "grid": [[{} for _ in range(size)]] * size, **more})


def rules(size: int = 4, **more: object) -> list[str]:
    return [str(rule) for rule in Puzzle.parse(document(size, **more)).rules]


def test_cells_hold_givens_and_marks():
    cells = [{"value": 1, "given": True}, {"value": 2}, {"givenPencilMarks": [3, 4]}, {}]
    text = json.dumps({"size": 4, "grid": [cells, *[[{}] * 4] * 3], "odd": [{"cell": "R2C1"}]})
    puzzle = Puzzle.parse(text)
    assert str(puzzle.grid) == "1" + "." * 15
    assert list(map(str, puzzle.marks)) == ["r1c3 in {3, 4}", "r2c1 in {1, 3}"]


def test_a_cell_without_region_keeps_that_of_its_box():
    rows = [[{} for _ in range(4)] for _ in range(4)]
    rows[1][1], rows[1][2] = {"region": 1}, {"region": 0}
    puzzle = Puzzle.parse(json.dumps({"size": 4, "grid": rows}))
    assert [str(cell) for cell in puzzle.regions[0]] == ["r1c1", "r1c2", "r2c1", "r2c3"]


def test_a_cell_may_be_in_no_region():
    rows = [[{"region": None} for _ in range(4)] for _ in range(4)]
    assert Puzzle.parse(json.dumps({"size": 4, "grid": rows})).box == (1, 4)
    for cell in rows[3]:
        cell["region"] = 7
    puzzle = Puzzle.parse(json.dumps({"size": 4, "grid": rows}))
    assert (puzzle.box, [rule.name for rule in puzzle.rules]) == ((1, 4), ["region"])


@pytest.mark.parametrize(
    ("clue", "expected"),
    [
        ({"killercage": [{"cells": ["R1C1", "R1C2"], "value": "3"}]}, "killer cage (sum 3)"),
        ({"killercage": [{"cells": ["R1C1", "R1C2"]}]}, "killer cage at r1c1 and r1c2"),
        ({"whispers": [{"lines": [["R1C1", "R1C2"]]}]}, "whispers (difference 2)"),
        ({"thermometer": [{"lines": [["R1C1", "R1C2"]]}]}, "thermometer at r1c1 and r1c2"),
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
        (document(killercage=[{"cells": ["R1C5"]}]), "'killercage': R1C5 is not a cell of a 4x4"),
        (document(killercage=[{"cells": ["x"]}]), "'killercage': 'x' is not a cell"),
        (document(killercage=[{"cells": ["R1C1"], "value": "DR5"}]), "the value is 'DR5'"),
        (document(killercage={}), "^no error$|expected a list of objects"),
        (document(thermometer=[{"lines": [["R1C1"]]}]), "thermometer: cells are"),
        (document(thermometer=[{}]), "'thermometer': lines are None"),
        (document(sandwichsum=[{"cell": "R1C1", "value": 3}]), "R1C1 is not beside a 4x4 grid"),
        (document(littlekillersum=[{"cell": "R0C0", "direction": "X"}]), "direction 'X'"),
        (document(xv=[{"cells": ["R1C1", "R1C2"], "value": "Q"}]), "the value is 'Q'"),
        (json.dumps({"size": 5, "grid": [[{}] * 4] * 4}), "'size' is 5, but there are 4 rows"),
        (json.dumps({"grid": [[{}] * 4] * 3}), "row 1 of 'grid' has 4 cells, expected 3"),
        (json.dumps({"grid": [[{}, 1], [{}, {}]]}), "r1c2 is 1; expected an object"),
        (json.dumps({"grid": [[{"region": "a"}]]}), "the region of r1c1 is 'a'"),
        ('{"grid": [[{}]', "this is not JSON"),
        ("fpuz" + compress("[1, 2]"), "expected a JSON object"),
        ("fpuz" + compress("no JSON at all"), "this is not JSON"),
        ("fpuzN4IgzglgXgpiBcBOA", "the compressed data end too early"),
        ("https://www.f-puzzles.com/?id=yhkyz63b", "only a name that its site knows"),
        ("https://f-puzzles.com/?load=%%%%%%%%%%%%%%%%%%%%%", "not a character of compressed"),
    ],
)
def test_bad_documents_and_links_are_refused(text, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(text)


# --- SudokuPad --------------------------------------------------------------------------

BOXES = [[[r + i, c + j] for i in (0, 1) for j in (0, 1)] for r in (0, 2) for c in (0, 2)]
ANSWER = "1234341221434321"


def pad(**more: object) -> dict[str, object]:
    cells = [[{} for _ in range(4)] for _ in range(4)]
    cells[0][0] = {"value": 1}
    return {"cells": cells, "regions": BOXES, **more}


def zipped(value: str) -> str:
    return "scl" + compress(value)


def test_a_zipped_document():
    text = (
        "{ce:[[{v:1},,,],[,,,],[,,{'pencilMarks':[1,4]},],[,,,]],re:" + json.dumps(BOXES)
        + ",ca:[{ce:[[0,1],[0,2]],v:5,sum:5,unique:t},{v:'title: It\\'s one'}],"
        + "metadata:{author:'A',solution:'" + ANSWER + "'},settings:f}"
    )  # fmt: skip
    for found in (zipped(text), f"https://sudokupad.app/{zipped(text)}"):
        puzzle = Puzzle.parse(found)
        assert (str(puzzle.grid), puzzle.box) == ("1" + "." * 15, (2, 2))
        assert list(map(str, puzzle.rules)) == ["killer cage (sum 5) at r1c2 and r1c3"]
        assert (puzzle.title, puzzle.author) == ("It's one", "A")
        assert list(map(str, puzzle.marks)) == ["r3c3 in {1, 4}"]


def test_the_same_document_in_every_form():
    text = json.dumps(pad())
    wanted = Puzzle(Grid.parse("1" + "." * 15))
    for form in (text, zipped(text), "ctc" + compress(text), "fpuz" + compress(text)):
        assert Puzzle.parse(form) == wanted
    assert Puzzle.parse(json.dumps(pad(regions=[]))).box == (1, 4)


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
        ({"lines": [{"wayPoints": [[0, 0]]}]}, "this document draws 1 line, and does not say"),
        ({"overlays": [{}, {}]}, "this document draws 2 overlays"),
        ({"foglight": [[0, 0]]}, "no rule 'foglight' here"),
        ({"global": ["antitaxi"]}, "no rule 'antitaxi' here"),
        ({"cages": [{"cells": [[0, 1]], "value": "A"}]}, "the cage at r1c2 is only drawn"),
        ({"cages": [{"value": "what is this"}]}, "a cage has no cells"),
        ({"cages": [{"cells": [[0, 4]], "sum": 3}]}, "is not a cell of a 4x4 grid"),
        ({"regions": [[[0, 0]]]}, "the region of r1c1 has 1 cell, expected 4"),
        ({"cells": []}, "'cells' is \\[\\]"),
        ({"metadata": {"solution": "2134341212434321"}}, "the solution in the document breaks"),
    ],
)
def test_what_is_only_drawn_or_wrong_is_refused(more, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        Puzzle.parse(json.dumps(pad(**more)), "scl")


@pytest.mark.parametrize("text", ["{ce:[[{v:1}", "{ce 1}", "[1]", "{a:]", "{" * 99, "{a:b", ""])
def test_damaged_documents_of_sudokupad_are_refused(text):
    with pytest.raises(InvalidPuzzle, match=r"not a document of SudokuPad|'cells' is|only a name"):
        Puzzle.parse("scl" + compress(text), "scl")


def test_chess_of_sudokupad():
    puzzle = Puzzle.parse(json.dumps(pad(antiknight=True, metadata={"antiking": True})))
    assert [rule.kind for rule in puzzle.rules] == ["anti_knight", "anti_king"]


# === Puzzles in files of data: JSON, MiniZinc, tables and OpenSudoku's XML ========================

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


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"grid": [[1', "this is not JSON: "),
        ("{'grid': [[1]]}", "this is not JSON: "),
        ("{}", 'expected a key "grid" in the JSON object, not []'),
        ('{"rows": [[1]]}', "expected a key \"grid\" in the JSON object, not ['rows']"),
        ('{"grid": 5}', "the puzzle is 5; expected a list of rows"),
        ('{"grid": [[1]], "regoins": 5}', "unknown key 'regoins'; expected box, grid, regions, "),
        ('{"grid": [[1]], "box": "3x3"}', "a box shape is two whole numbers"),
        ("[[Infinity]]", "r1c1 holds inf; expected a whole number"),
        ("[[{}]]", "r1c1 holds {}; expected a whole number"),
        ('[{"a": 1}]', "row 1 is {'a': 1}; expected a list, which has an order"),
        ("[[" + "9" * 5000 + "]]", "this JSON is not read: it holds a number of thousands of"),
        ('{"grid": ' + "[" * 100_000, "this JSON is not read: it holds"),
    ],
)
def test_json_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


def test_json_lines():
    one, two = json.dumps(FOUR.rows), json.dumps({"puzzle": FOUR.rows, "box": [2, 2]})
    assert pieces(f"\n{one}\n\n{two}\n") == [(2, LINE), (4, LINE)]
    assert [line for line, _ in split(f"{one}\nbad\n{two}")] == [1, 2, 3]


def test_a_json_list_of_puzzles():
    text = json.dumps([{"grid": FOUR.rows}, {"puzzle": LINE}], indent=1)
    assert pieces(text) == [(1, LINE), (1, LINE)]


# --- MiniZinc ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[|1,0,0,4|0,0,0,0|0,3,0,0|0,0,0,0|]",
        "% by hand\nS=2;\nstart=[|\n1,_,_,4,|\n_,_,_,_,|\n_,3,_,_,|\n_,_,_,_,|];\n",
        "puzzle = [| 1, <>, <>, 4 | 0,0,0,0 | 0,3,0,0 | 0,0,0,0 |]; /* [| 9 |] */",
        "/* [|9|] */ int: n = 4;\narray[1..n, 1..n] of int: p = array2d(1..n, 1..n,\n"
        "[1,_,_,4, % row 1\n _,_,_,_, _,3,_,_, _,_,_,_]);",
    ],
)
def test_dzn(text):
    assert Grid.parse(text) == FOUR


def test_each_array_of_a_dzn_file_has_its_box_shape():
    array = SIX.format("dzn").partition("\n")[2].partition("\n")[2]
    text = f"box_rows = 2;\n{array}\nbox_columns = 3;\n{array}"
    assert [(line, Grid.parse(piece)) for line, piece in split(text)] == [(2, SIX), (9, SIX)]
    assert Grid.parse(text, box=(3, 2)).box == (3, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[|1,2|3|]", "row 2 has 1 cell, expected 2 as there are 2 rows"),
        ("[|1,x|2,1|]", "r1c2 holds 'x'; expected a whole number"),
        ("[|1,-1|2,1|]", "r1c2 holds '-1'; expected a whole number"),
        ("x = array2d(1..2, 1..2, [1,2,3]);", "the array has 3 numbers; expected 81 for 9x9"),
        ("x = array2d(1..0, 1..0, []);", "the array has 0 numbers; expected 81 for 9x9"),
        ("[||]", "row 1 has 0 cells, expected 1"),
        (f"[|{'|'.join(['0,0,0,0,0,0'] * 6)}|]", "a 6x6 grid leaves its box shape open"),
    ],
)
def test_dzn_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


# --- tables -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(f"quizzes,solutions\n{LINE},x\n{LINE},y\n", [2, 3], id="quizzes"),
        pytest.param(f"id,Puzzle,solution,clues\n7,{LINE},z,3\n", [2], id="by name"),
        pytest.param(f'"id";"puzzle"\r\n"7";"{LINE}"\r\n', [2], id="semicolons and quotes"),
        pytest.param(f"puzzle\tsolution\n{LINE}\t{LINE}", [2], id="tabs"),
        pytest.param(f"{LINE},{SOLUTIONS[0]}\n{LINE},{SOLUTIONS[1]}", [1, 2], id="no heading"),
        pytest.param(f"puzzle\n{LINE}\n\npuzzle\n{LINE}\n", [2, 5], id="joined tables"),
    ],
)
def test_csv(text, lines):
    assert Grid.parse(text) == FOUR
    assert pieces(text) == [(line, LINE) for line in lines]


def test_a_table_of_grids_that_leave_their_shape_open():
    text = f"puzzle\n{SIX}\n{SIX}"
    assert [Grid.parse(piece, box=(2, 3)) for _, piece in split(text)] == [SIX, SIX]
    assert message(text).startswith("a 6x6 grid leaves its box shape open")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("quizzes,solutions\n", "the table has no rows; expected a puzzle in each"),
        ("quizzes,solutions\n1.2,x", "the line has 3 characters; expected 81 for 9x9"),
        ('puzzle,x\n"' + "1" * 200_000, "line 2: field larger than field limit (131072)"),
    ],
)
def test_csv_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


def test_a_row_without_a_puzzle_stands_alone():
    assert list(split(f"puzzle,x\n{LINE},1\n,2\n")) == [(2, LINE), (3, ",2")]


# --- OpenSudoku -------------------------------------------------------------------------


def game(data: str) -> str:
    return f'<game created="5" data="{data}"/>'


@pytest.mark.parametrize(
    "text",
    [
        f"<opensudoku>{game(LINE)}</opensudoku>",
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- two -->\n<opensudoku version="2">\n'
        f'<name>n</name><folder name="f">{game(LINE)}</folder></opensudoku>\n',
        f"<opensudoku2>{game(LINE)}</opensudoku2>",
    ],
)
def test_opensudoku(text):
    assert Grid.parse(text) == FOUR
    assert [piece for _, piece in pieces(text)] == [LINE]


def test_every_game_has_its_line():
    text = f"<opensudoku>\n{game(LINE)}\n{game('bad')}{game(LINE)}\n</opensudoku>"
    found = list(split(text))
    assert [line for line, _ in found] == [2, 3, 3]
    assert message(found[1][1]).startswith("the line has 3 characters")


@pytest.mark.parametrize(
    ("version", "marks"), [("1", "-"), ("1", "1,2,"), ("2", "0|"), ("3", "12")]
)
def test_of_a_saved_game_the_givens_are_read(version, marks):
    cells = "".join(f"{digit}|{marks}|{int(digit in '02')}|" for digit in "1204000003000000")
    assert Grid.parse(f"<opensudoku>{game(f'version: {version}&#10;{cells}')}</opensudoku>") == FOUR


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<opensudoku>", "this is not XML: no element found: line 2, column 0"),
        ("<opensudoku></game>", "this is not XML: mismatched tag: line 1, column 14"),
        ("<opensudoku/>", "there is no <game> in the <opensudoku>"),
        ("<svg/>", "the root is <svg>; expected <opensudoku>"),
        ("<opensudoku><game/></opensudoku>", "the line has 0 characters"),
        ("<opensudoku>&a;</opensudoku>", "this is not XML: undefined entity: line 1, column 12"),
        ("<opensudoku>\udc80</opensudoku>", "this is not XML: "),
        (
            f"<opensudoku>{game('version: 9&#10;1|')}</opensudoku>",
            "a game saved as 'version: 9' is",
        ),
    ],
)
def test_xml_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


def test_an_entity_bomb_is_refused_before_it_is_one():
    names = "abcdefgh"
    bomb = "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise(names))
    text = f'\n<!DOCTYPE x [<!ENTITY a "0">{bomb}]>\n<opensudoku>{game("&h;")}</opensudoku>'
    assert message(text) == "line 2: <!DOCTYPE> is not read"
    with pytest.raises(InvalidPuzzle, match="line 2: <!DOCTYPE> is not read"):
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
    assert compress(text) == base
    assert decompress(base) == text


@given(st.text(st.characters(exclude_categories=["Cs"])) | st.text("ab", max_size=300))
def test_every_text_survives(text):
    assert decompress(compress(text)) == text


@given(st.text(st.sampled_from(_lzstring.ALPHABET), max_size=80))
def test_any_data_are_read_or_refused(data):
    with suppress(InvalidPuzzle):
        assert isinstance(decompress(data), str)


def test_what_an_address_does_to_data():
    text = "".join(map(chr, range(32, 400)))
    base = compress(text)
    assert "+" in base
    assert "/" in base
    assert decompress(base.replace("+", " ")) == text
    assert decompress(base.replace("+", "-").replace("/", "_").rstrip("=")) == text


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ("N4IgzglgXgpi", "end too early"),
        ("", "end too early"),
        ("N4Ig!", "'!' is not a character of compressed data"),
        ("////", "damaged"),
    ],
)
def test_damaged_data_are_refused(data, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        decompress(data)


def test_a_short_code_for_an_endless_text_is_refused(monkeypatch):
    monkeypatch.setattr(_lzstring, "LONGEST", 1000)
    with pytest.raises(InvalidPuzzle, match="more than 1,000 characters"):
        decompress(compress("a" * 1001))
