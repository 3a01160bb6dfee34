"""Documents of f-puzzles and SudokuPad: what each part means, and what is refused."""

from __future__ import annotations

import json

import pytest

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle
from pylogic_sudoku.formats._lzstring import compress


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
        (
            {"littlekillersum": [{"cell": "R0C3", "direction": "DL", "value": 3}]},
            "r1c2 and r2c1",
        ),
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


def test_a_region_of_eight_cells_is_refused():
    rows = [[{} for _ in range(9)] for _ in range(9)]
    rows[0][0]["region"] = 1
    with pytest.raises(InvalidPuzzle, match=r"the region of r1c[12] has (8|10) cells, expected 9"):
        Puzzle.parse(json.dumps({"size": 9, "grid": rows}))


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
