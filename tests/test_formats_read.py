"""What other programs write, read on small samples: one section a format."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import FORMATS, split

ENCODING = Path(__file__).resolve().parent.parent / "encodings" / "sudoku.lp"

LINE = "1..4.....3......"
FOUR = Grid.parse(LINE)
SIX = Grid.parse("1....6" + "." * 24 + "6....1", box=(2, 3))
SOLUTIONS = ["1234341223414123", "1234341243212143", "1234342143122143"]


def message(text: str, **options: object) -> str:
    with pytest.raises(InvalidPuzzle) as caught:
        Grid.parse(text, **options)
    return str(caught.value)


def pieces(text: str, **options: object) -> list[tuple[int, str]]:
    """Where each puzzle of the text stands, and the puzzle as a line."""
    return [(line, str(Grid.parse(piece))) for line, piece in split(text, **options)]


# --- Simple Sudoku, SudoCue and others that have rows -------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("*-----*\n|1.|.4|\n|..|..|\n|--+--|\n|.3|..|\n|..|..|\n*-----*", id="ss"),
        pytest.param(
            ".-----.-----.\n| 1 . | . 4 |\n| . . | . . |\n:-----+-----:\n| . 3 | . . |\n"
            "| . . | . . |\n'-----'-----'",
            id="forum",
        ),
        pytest.param("#AAn author\n#DA description\n#LEasy\n1..4\n....\n.3..\n....", id="sdk"),
        pytest.param("[Puzzle]\n1..4\n....\n.3..\n....\n", id="section"),
        pytest.param("[Puzzle]\n1..4\n....\n.3..\n....\n[State]\n1234\n", id="sections"),
        pytest.param("Grid 01\n1004\n0000\n0300\n0000", id="title"),
        pytest.param("1,0,0,4\n0,0,0,0\n0,3,0,0\n0,0,0,0", id="commas"),
        pytest.param("1,,,4\n,,,\n,3,,\n,,,", id="commas and nothing between"),
    ],
)
def test_rows_of_other_programs(text):
    assert Grid.parse(text) == FOUR
    assert [piece for _, piece in pieces(text)] == [LINE]


def test_a_comment_of_ours_tells_the_box_shape_of_an_sdk_file():
    text = "#C2x3 boxes\n1....6\n......\n......\n......\n......\n6....1"
    assert SIX.format("sdk") == text
    assert Grid.parse(text) == SIX
    assert Grid.parse(text, box=(3, 2)).box == (3, 2)
    assert message("#C9x9 boxes\n" + text).startswith("a 9x9 box is not possible")


def test_the_frame_tells_the_box_shape_of_an_ss_file():
    assert Grid.parse(SIX.format("ss")) == SIX
    ten = Grid((10, *[0] * 143), (3, 4))
    assert ten.format("ss").splitlines()[:2] == [
        f"*{'-' * 35}*",
        "|10  .  .  .| .  .  .  .| .  .  .  .|",
    ]
    assert Grid.parse(ten.format("ss")) == ten


def test_titled_grids_are_told_apart():
    rows = FOUR.format("rows")
    assert pieces(f"Grid 01\n{rows}\nGrid 02\n{rows}\n") == [(2, LINE), (7, LINE)]


def test_only_the_puzzle_of_an_sdk_file_is_one():
    rows = FOUR.format("rows")
    assert pieces(f"[Puzzle]\n{rows}\n[State]\n{rows}\n[Puzzle]\n{rows}") == [(2, LINE), (12, LINE)]


# --- answer sets ------------------------------------------------------------------------

CLINGO = """\
clingo version 5.8.0
Reading from sudoku.lp ...
Solving...
Answer: 1 (Time: 0.002s)
sudoku(1,1,1) sudoku(1,2,2) name("a) b. sudoku(1,1,9)") sudoku(2,1,2) sudoku(2,2,1)
Optimization: 4
Answer: 2
sudoku(1,1,2) sudoku(1,2,1) -sudoku(1,1,1) sudoku(2,1,1) sudoku(2,2,2)
SATISFIABLE

Models       : 2
Calls        : 1
Time         : 0.003s (Solving: 0.00s 1st Model: 0.00s Unsat: 0.00s)
"""


def test_all_that_clingo_prints():
    assert Grid.parse(CLINGO, box=(1, 2)).rows == ((1, 2), (2, 1))
    found = [(line, Grid.parse(text, box=(1, 2)).rows) for line, text in split(CLINGO)]
    assert found == [(4, ((1, 2), (2, 1))), (7, ((2, 1), (1, 2)))]


@pytest.mark.parametrize("quiet", ["--verbose=0", "--verbose=1", "--outf=2"])
def test_clingo_itself(quiet):
    facts = FOUR.format("facts")
    command = [sys.executable, "-m", "clingo", str(ENCODING), "-", "0", quiet]
    done = subprocess.run(command, input=facts, capture_output=True, text=True)
    assert sorted(line for _, line in pieces(done.stdout)) == SOLUTIONS
    assert str(
        Grid.parse(done.stdout if quiet != "--verbose=0" else done.stdout.split("\n")[0])
    ) in (SOLUTIONS)


@pytest.mark.parametrize("quiet", ["--verbose=0", "--verbose=1", "--outf=2"])
def test_clingo_finds_none(quiet):
    facts = Grid.parse("11..............").format("facts")
    command = [sys.executable, "-m", "clingo", str(ENCODING), "-", "0", quiet]
    done = subprocess.run(command, input=facts, capture_output=True, text=True)
    assert message(done.stdout) == "there is no answer set here: clingo says UNSATISFIABLE"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("sudoku(1,1,1) sudoku(1,2,2)\n", [1], id="one"),
        pytest.param("sudoku(1,1,1)\nsudoku(1,2,2)\n", [1], id="an atom a line"),
        pytest.param("sudoku(1,1,1)\nsudoku(1,1,2)\n", [1, 2], id="a cell comes again"),
        pytest.param("sudoku(1,1,1)\n\nsudoku(1,2,2)\n", [1, 3], id="blank line between"),
        pytest.param("% two\nsudoku(1,1,1) \nsudoku(1,1,1)\nSATISFIABLE", [2, 3], id="status"),
    ],
)
def test_atoms_alone(text, lines):
    found = list(split(text))
    assert [line for line, _ in found] == lines
    assert {Grid.parse(piece).rows[0][0] for _, piece in found} <= {0, 1, 2}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("sudoku(1,1,5)\nsudoku(1,a,5)", "line 2: sudoku(1,a,5): a stands where a number"),
        ("sudoku(1,(1,2),5)", "line 1: sudoku(1,(1,2),5): (1,2) stands where a number"),
        ("sudoku(1,1,0) a", "line 1: sudoku(1,1,0): 0 stands where a number from 1 up"),
        ("sudoku(1,1,4294967301) a", "line 1: 4294967301 is over 2147483647, the largest number"),
        ("sudoku(1,1,5) sudoku(1,1,6)", "line 1: sudoku(1,1,6), but r1c1 already holds 5"),
        ("sudoku(1,1,5", "line 1: 'sudoku(1,1,5' is no atom; expected one such as sudoku(1,1,5)"),
        ("Answer: 1\na b c\nSATISFIABLE", "no givens here; expected facts such as initial(1,1,5)."),
        ("UNKNOWN\n", "there is no answer set here: clingo says UNKNOWN"),
    ],
)
def test_answer_sets_that_are_no_puzzle(text, complaint):
    format = "answer" if text.startswith("UNKNOWN") else None
    assert message(text, format=format).startswith(complaint)


def test_full_square_answer_sets_say_no_shape():
    assert Grid.parse("1221", box=(1, 2)).format("answer").startswith("box_rows(1) box_columns(2) ")
    assert Grid.parse(SOLUTIONS[0]).format("answer").startswith("sudoku(1,1,1) sudoku(1,2,2) ")


# --- clingo's JSON ----------------------------------------------------------------------


def witnesses(*answers: list[str], **more: object) -> str:
    calls = [{"Witnesses": [{"Value": ["sudoku(9,9,9)"]}]}]
    calls.append({"Witnesses": [{"Time": 0.1, "Value": atoms} for atoms in answers]})
    return json.dumps({"Solver": "clingo", "Call": calls, **more}, indent=2)


def test_the_witnesses_of_the_last_call():
    text = witnesses(["sudoku(1,1,5)", 'a("b c")'], ["given(1,2,6)", "dim(2)"])
    assert Grid.parse(text).givens == ((1, 1, 5),)
    first, second = split(text)
    assert (first[0], Grid.parse(first[1]).givens) == (1, ((1, 1, 5),))
    assert (second[0], Grid.parse(second[1], box=(3, 3)).givens) == (1, ((1, 2, 6),))


def test_how_we_write_it():
    assert json.loads(Grid.parse("1221", box=(2, 1)).format("clingo")) == {
        "Call": [
            {
                "Witnesses": [
                    {
                        "Value": [
                            "box_rows(2)",
                            "box_columns(1)",
                            "sudoku(1,1,1)",
                            "sudoku(1,2,2)",
                            "sudoku(2,1,2)",
                            "sudoku(2,2,1)",
                        ]
                    }
                ]
            }
        ],
        "Result": "SATISFIABLE",
        "Models": {"Number": 1, "More": "unknown"},
    }


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"Call": []}', 'this is not what clingo --outf=2 prints: expected "Call", "Witnesses"'),
        ('{"Call": [{"Witnesses": [{"Value": [1]}]}]}', "this is not what clingo --outf=2 prints"),
        ('{"Call": [{"Witnesses": [3]}]}', "this is not what clingo --outf=2 prints"),
        ('{"Call": 5}', "this is not what clingo --outf=2 prints"),
        (witnesses(["sudoku(1,1,5)", "cell(x,1,1)"]), "atom 2: cell(x,1,1): x stands where"),
        (witnesses(["a"]), "no givens here"),
        (
            witnesses(Result="UNSATISFIABLE"),
            "there is no answer set here: clingo says UNSATISFIABLE",
        ),
    ],
)
def test_clingo_json_that_is_no_puzzle(text, complaint):
    assert message(text).startswith(complaint)


# --- JSON -------------------------------------------------------------------------------


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
        ("[|1,2|3|]", "row 2 has 1 cells, expected 2 as there are 2 rows"),
        ("[|1,x|2,1|]", "r1c2 holds 'x'; expected a whole number"),
        ("[|1,-1|2,1|]", "r1c2 holds '-1'; expected a whole number"),
        ("x = array2d(1..2, 1..2, [1,2,3]);", "the array has 3 numbers; expected 81 for 9x9"),
        ("x = array2d(1..0, 1..0, []);", "the array has 0 numbers; expected 81 for 9x9"),
        ("[||]", "row 1 has 0 cells, expected 1"),
        (f"[|{'|'.join(['0,0,0,0,0,0'] * 6)}|]", "a 6x6 grid leaves its box shape open"),
    ],
)
def test_dzn_that_is_no_puzzle(text, complaint):
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
def test_csv_that_is_no_puzzle(text, complaint):
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
        ("<opensudoku>", "this is no XML: no element found: line 2, column 0"),
        ("<opensudoku></game>", "this is no XML: mismatched tag: line 1, column 14"),
        ("<opensudoku/>", "there is no <game> in the <opensudoku>"),
        ("<svg/>", "the root is <svg>; expected <opensudoku>"),
        ("<opensudoku><game/></opensudoku>", "the line has 0 characters"),
        ("<opensudoku>&a;</opensudoku>", "this is no XML: undefined entity: line 1, column 12"),
        ("<opensudoku>\udc80</opensudoku>", "this is no XML: "),
        (
            f"<opensudoku>{game('version: 9&#10;1|')}</opensudoku>",
            "a game saved as 'version: 9' is not read; expected a line",
        ),
    ],
)
def test_xml_that_is_no_puzzle(text, complaint):
    assert message(text).startswith(complaint)


def test_an_entity_bomb_is_refused_before_it_is_one():
    names = "abcdefgh"
    bomb = "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise(names))
    text = f'\n<!DOCTYPE x [<!ENTITY a "0">{bomb}]>\n<opensudoku>{game("&h;")}</opensudoku>'
    assert message(text) == "line 2: <!DOCTYPE> is not read"
    with pytest.raises(InvalidPuzzle, match="line 2: <!DOCTYPE> is not read"):
        list(split(text))


# --- texts of hostile length ------------------------------------------------------------

LONG = 50_000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * LONG + "]" * LONG, id="lists"),
        pytest.param("[[],[" * LONG, id="lists in a list"),
        pytest.param("[|" * LONG, id="arrays"),
        pytest.param("array2d(" * LONG + "[", id="array2d"),
        pytest.param("/*\n" * LONG + "array2d([1])", id="comments of MiniZinc"),
        pytest.param("%*\n" * LONG + "initial(1,1,", id="comments of clingo"),
        pytest.param('"a\\' * LONG, id="quotes"),
        pytest.param('"a\\' * LONG + " sudoku(1,1,", id="quotes in an answer set"),
        pytest.param("sudoku(" * LONG, id="atoms"),
        pytest.param("sudoku(1,1," + "f(" * LONG + ")" * LONG + ")", id="nested atoms"),
        pytest.param("initial(1,1," + "f(" * 4000 + ")" * 4000 + ").", id="nested facts"),
        pytest.param("<opensudoku>" + "<a>" * LONG, id="elements"),
        pytest.param("*-" * LONG + "\n1\n2", id="rules"),
        pytest.param("#\n" * LONG + "?", id="line comments"),
    ],
)
def test_long_texts_are_refused_in_a_time_that_grows_with_their_length(text):
    # Time is held by the limit of the whole test run: a square of this length takes minutes.
    with pytest.raises(InvalidPuzzle):
        Grid.parse(text)
    with pytest.raises(InvalidPuzzle):
        list(map(Grid.parse, (piece for _, piece in split(text))))


def test_every_format_has_its_row_in_the_documentation():
    text = (Path(__file__).resolve().parent.parent / "docs" / "formats.md").read_text()
    documented = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert documented == list(FORMATS)
