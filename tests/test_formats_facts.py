"""Facts of clingo and Prolog, answers of clingo, and files of other programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product

import pytest
from helpers.format_texts import CLASSIC, ENCODING, FOUR, LINE, SIX, SOLUTIONS, message, pieces
from helpers.programs import clingo

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, read_puzzles
from pylogic_sudoku.formats import as_puzzle, split

# --- facts ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["initial", "sudoku", "numberAt", "given", "clue", "cell"])
def test_every_name_of_a_given(name):
    grid = Grid.parse(f"{name}(1,1,5). {name}(2,3,8).\n{name}( 9, 9, 9 ).")
    assert (grid.box, grid.givens) == ((3, 3), ((1, 1, 5), (2, 3, 8), (9, 9, 9)))


@pytest.mark.parametrize(
    ("text", "givens"),
    [
        ("initial(1,2,3). % initial(4,5,6).", [(1, 2, 3)]),
        ("%* initial(4,5,6).\n*% initial(1,2,3).", [(1, 2, 3)]),
        ("initial(1,2,3). #show initial/3.", [(1, 2, 3)]),
        ("initial(1..2,3,4). initial(3,1,1).", [(1, 3, 4), (2, 3, 4), (3, 1, 1)]),
        ("initial(1,2,3). row(1..9). digit(1;2). name(easy). -initial(1,2,4).", [(1, 2, 3)]),
        ("initial(1,2). initial(1,2,3). initial(1,2,3,4).", [(1, 2, 3)]),
        ("#program base. #defined sudoku/3. initial(1,2,3).", [(1, 2, 3)]),
        ("sudoku(1,2,3) sudoku(4,5,6)\n", [(1, 2, 3), (4, 5, 6)]),
        ("%* here *% sudoku(1,2,3)\nsudoku(4,5,6) % an answer set", [(1, 2, 3), (4, 5, 6)]),
        ("initial(1,2,3). % 4294967296 of them, caf\u00e9", [(1, 2, 3)]),
        ("initial(1,2,3).\n% \udc80 #include \0\n", [(1, 2, 3)]),
        ("%* see [[rows]] and\nAnswer: 1\n[| 1 |] *% initial(1,2,3).", [(1, 2, 3)]),
        ('cell("a, b",2) cell((1,"x")) initial(1,2,3)', [(1, 2, 3)]),
        ('cell("a. b",2). cell(-1,f(x,#inf)). initial(1,2,3).', [(1, 2, 3)]),
        ("initial(1,(2;4),3).", [(1, 2, 3), (1, 4, 3)]),
        ("initial(1,2,3;4,5,6).", [(1, 2, 3), (4, 5, 6)]),
        ("\ninitial(0x1,1+1,9/3).", [(1, 2, 3)]),
        ("initial(|-1|,7\\5,(3;3)).", [(1, 2, 3)]),
        (
            "#const r=1. initial(r,r+1,r*3). #const two=r+1. initial(4,two**2,6).",
            [(1, 2, 3), (4, 4, 6)],
        ),
        ("initial(1,2,3) . initial(4,\n5\n,6).", [(1, 2, 3), (4, 5, 6)]),
        ("x(1,2,3). x(4,5,6). x(9,9,1).", [(1, 2, 3), (4, 5, 6), (9, 9, 1)]),
        ("in(1, 2, 3).\nin( 4, 5, 6 ).", [(1, 2, 3), (4, 5, 6)]),
        ("% givens\nin(1,2,3) in(4,5,6)", [(1, 2, 3), (4, 5, 6)]),
        ("hint(1,2,3). row(1..9).", [(1, 2, 3)]),
        ('initial(1,2,3). name("caf\u00e9 4294967296. initial(1,1,1)").', [(1, 2, 3)]),
    ],
)
def test_facts(text, givens):
    grid = Grid.parse(text)
    assert (grid.box, list(grid.givens)) == ((3, 3), givens)


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("initial(1,1,1).", (3, 3)),
        ("initial(10,1,1).", (4, 4)),
        ("initial(1,17,1).", (5, 5)),
        ("initial(1,1,36).", (6, 6)),
        ("#const dim=2. initial(1,1,1).", (2, 2)),
        ("subgrid_size(2). initial(1,1,1).", (2, 2)),
        ("#const box_rows=2. #const box_columns=3. initial(1,1,1).", (2, 3)),
        ("#const box_rows=3. [override]\n#const box_columns=2. [override]", (3, 2)),
        ("box_rows(3). box_columns(2). initial(1,1,1).", (3, 2)),
        (Grid.parse("1234342143122143").format("facts").partition("\n")[2], (2, 2)),
    ],
)
def test_facts_say_the_shape(text, box):
    assert Grid.parse(text).box == box
    assert Grid.parse("#const dim=3. initial(1,1,1).", box=(2, 2)).box == (2, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("initial(1,1,5).\ninitial(1,1,6).", "line 2: initial(1,1,6), but initial(1,1,5) is there"),
        ("initial(1,1,5).\ninitial(1,2,.", "line 2: initial(1,2,. is not a fact; expected facts"),
        ("initial(1,1,5)\ninitial(1,2,", "line 2: initial(1,2, is not an atom; expected one"),
        ("a :- initial(1,1,5).", "line 1: a :- initial(1,1,5). is a rule; expected facts"),
        ("initial(1,1,5).\n:- sudoku(1,1,1).", "line 2: :- sudoku(1,1,1). is a rule"),
        ("{ initial(1,1,5) }.", "line 1: { initial(1,1,5) }. is a rule; expected facts"),
        ("not initial(1,1,5).", "line 1: not initial(1,1,5). is a rule; expected facts"),
        ("initial(1,1,5). #external a.", "line 1: #external a. is not a fact"),
        ("initial(1,1,1..9).", "line 1: initial(1,1,1..9), but initial(1,1,1) is there, too"),
        (
            "initial(1,1,1..900).",
            "line 1: initial(1,1,1..900) has 900 numbers in an interval, over",
        ),
        ("initial(1,1,1;1,1,2).", "line 1: initial(1,1,1;1,1,2), but initial(1,1,1) is there, too"),
        ("initial(1,(1,1).", "line 1: initial(1,(1,1). is not a fact; expected facts such as"),
        ("initial(1,1..n,1).", "line 1: initial(1,1..n,1) is not a plain fact; expected numbers"),
        ("initial(1,1,1/0).", "line 1: initial(1,1,1/0) has no value; expected numbers"),
        ("initial(1,1,2**99).", "line 1: initial(1,1,2**99) has no value; expected numbers"),
        ("initial(1,1,2147483647*3).", "line 1: initial(1,1,2147483647*3): 6442450941 is over 21"),
        (
            "initial(1..36,1..36,1..36;2).",
            "line 1: initial(1..36,1..36,1..36;2), but initial(1,1,1)",
        ),
        (
            "#const n=m. #const m=n. initial(1,1,n).",
            "line 1: initial(1,1,n): more than 50 operations",
        ),
        ("initial(1,1,n).", "line 1: initial(1,1,n): n stands where a number from 1 up is"),
        ("initial(1,1,4294967301).", "line 1: initial(1,1,4294967301): 4294967301 is over 2147"),
        (f"initial(1,1,{'1+' * 2000}1).", f"line 1: initial(1,1,{'1+' * 34}...: more than 50 "),
        ("initial(1,1,5). \u00e9", "line 1: '\u00e9' is not read; expected facts"),
        ("initial(1,1,\u0665).", "line 1: '\u0665' is not read; expected facts"),
        ("initial(0,1,1).", "line 1: initial(0,1,1): 0 stands where a number from 1 up"),
        ("#const dim=none.", "line 1: #const dim=none: none stands where a number from 1 up"),
        ("#const dim=2. initial(1,1,5).", "r1c1 holds 5: over 4, the size of the grid"),
        ("#const dim=2. initial(5,1,1).", "r5c1 holds 1: over 4, the size of the grid"),
        ("#const dim=7.", "a 7x7 box is not possible"),
        ("initial(37,1,1).", "37 is over 36, the largest size of a grid"),
        ("#const n=2. % initial(1,1,1).", "no givens here; expected facts such as initial(1,1,5)."),
        ("edge(1,2). node(3).", "no givens here; expected facts such as initial(1,1,5)."),
        (
            "x(1,1,2). y(1,1,2).",
            "no givens here; expected facts such as initial(1,1,5). Of x/3, y/3",
        ),
        ("% initial(1,1,1).", "the text has only comments; expected a puzzle"),
        ('#include "more.lp". initial(1,1,5).', "line 1: '#include' is not read"),
        ("initial(1,1,5).\n\0initial(1,2,6).", "line 2: '\\x00' is not read; expected facts"),
    ],
)
def test_facts_that_are_not_a_puzzle(text, complaint, capfd):
    assert message(text).startswith(complaint)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ("initial(1,1,5).\ninitial(1,2,x).", "line 2: initial(1,2,x)"),
        ("Answer: 1\nsudoku(1,1,1)\nAnswer: 2\nsudoku(1,1,x)\n", "line 4: sudoku(1,1,x)"),
    ],
)
def test_the_line_of_a_fact_is_said_once(lines, place):
    with pytest.raises(InvalidPuzzle, match=rf"^{re.escape(place)}: x stands where"):
        list(read_puzzles(lines.splitlines()))


def test_numbers_that_are_deep_or_long_are_refused():
    for deep, problem in (
        ("-" * 100_000 + "1", ": more than 10,000 operations"),
        ("(1.." * 50_000 + "1" + ")" * 50_000, ": more than 10,000 operations"),
        ("-" * 9_000 + "1", ": more than 50 operations"),
    ):
        said = message(f"initial(1,1,1).\ninitial(1,2,{deep}).")
        assert said.startswith(f"line 2: initial(1,2,{deep[:68]}...{problem}")


@pytest.mark.parametrize(
    "grid", [FOUR, SIX, Grid((1, *[0] * 35), (3, 2)), Grid((0,) * 16, (2, 2))], ids=str
)
def test_clingo_takes_the_shape_from_the_facts(grid, tmp_path):
    facts = tmp_path / "given.lp"
    facts.write_text(grid.format("facts"))
    done = clingo(ENCODING, facts, "1", "--outf=2")
    assert done.stderr == ""
    (witness,) = json.loads(done.stdout)["Call"][0]["Witnesses"]
    assert Grid.parse(" ".join(witness["Value"]), box=grid.box).is_solution_of(grid)


# --- prolog -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[[1,_,_,4],[_,_,_,_],[_,3,_,_],[_,_,_,_]]",
        "[[1,_,_,4],\n [_,_,_,_],\n [_,3,_,_],\n [_,_,_,_]].\n",
        "[ [1, _, _G12, 4], [_1, _2, _3, _4], [_Cell, 3, _, _], [_, _, _, _] ]",
        "problem(1, [[1,_,_,4],[_,_,_,_],[_,3,_,_],[_,_,_,_]]).",
        "problem(1, [[1,_,_,4],  % the first row\n[_,_,_,_],[_,3,_,_],[_,_,_,_]]).",
        "problem(four, [[1,_,_,4],[_,_,_,_],[_,3,_,_],[_,_,_,_]], 2-2).",
        "?- Puzzle = [[1,_,_,4],[_,_,_,_],[_,3,_,_],[_,_,_,_]], sudoku(Puzzle).",
    ],
)
def test_prolog(text):
    assert Grid.parse(text) == FOUR


def test_prolog_may_say_the_box_shape():
    rows = SIX.format("prolog")
    assert Grid.parse(f"problem(six, {rows}, 2-3).") == SIX
    assert Grid.parse(f"problem(six, {rows}, 2-3).", box=(3, 2)).box == (3, 2)


# === The output of clingo, read as puzzles: text and JSON =========================================

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
    answers = clingo(ENCODING, "-", "0", quiet, stdin=FOUR.format("facts")).stdout
    assert sorted(line for _, line in pieces(answers)) == SOLUTIONS
    first = answers.partition("\n")[0] if quiet == "--verbose=0" else answers
    assert str(Grid.parse(first)) in SOLUTIONS
    none = clingo(ENCODING, "-", "0", quiet, stdin="#const dim=2. initial(1,1..2,1).").stdout
    assert message(none) == "there is no answer set here: clingo says UNSATISFIABLE"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("sudoku(1,1,1) sudoku(1,2,2)\n", [1]),
        ("sudoku(1,1,1)\nsudoku(1,2,2)\n", [1]),
        ("sudoku(1,1,1)\nsudoku(1,1,2)\n", [1, 2]),  # a cell comes again
        ("sudoku(1,1,1)\n\nsudoku(1,2,2)\n", [1, 3]),
        ("% two\nsudoku(1,1,1) \nsudoku(1,1,1)\nSATISFIABLE", [2, 3]),
    ],
)
def test_atoms_alone(text, lines):
    found = list(split(text))
    assert [line for line, _ in found] == lines
    assert {Grid.parse(piece).rows[0][0] for _, piece in found} <= {0, 1, 2}


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


# === Output of other programs, and text pasted from spreadsheets, forums and browsers =============

NINE = Grid.parse(CLASSIC)
ROWS = [CLASSIC[at : at + 9] for at in range(0, 81, 9)]
PY_SUDOKU = """
---------------------------
4x4 (2x2) SUDOKU PUZZLE
Difficulty: 0.50
---------------------------
+-----+-----+
| 1   |   4 |
|     |     |
+-----+-----+
|   3 |     |
|     |     |
+-----+-----+

"""
# py-sudoku says width x height: boxes of 3 columns and 2 rows.
PY_SUDOKU_6 = """6x6 (3x2) SUDOKU PUZZLE
+-------+-------+
| 1     |     6 |
|       |       |
+-------+-------+
|       |       |
|       |       |
+-------+-------+
|       |       |
| 6     |     1 |
+-------+-------+
"""


# --- frames, tables, spreadsheets -------------------------------------------------------


def test_what_py_sudoku_prints():
    assert Grid.parse(PY_SUDOKU) == FOUR
    assert pieces(PY_SUDOKU * 3) == [(5, LINE), (18, LINE), (31, LINE)]
    assert Grid.parse(PY_SUDOKU_6) == SIX


def test_large_grids_of_py_sudoku_have_wide_cells():
    rule = "+-------------" * 4 + "+\n"
    row = "|          16 " + "|             " * 2 + "|  3          |\n"
    blank = "|             " * 4 + "|\n"
    text = rule + (row + blank * 3 + rule) + (blank * 4 + rule) * 3
    grid = Grid.parse(text)
    assert (grid.box, grid.givens) == ((4, 4), ((1, 4, 16), (1, 13, 3)))


def pasted() -> Iterator[str]:
    """The same puzzle from spreadsheets, tables, forums, other keyboards and other programs."""
    for separator, empty in product(["\t", ",", ", "], ["", "0"]):
        yield separator.join(empty if cell == "." else cell for cell in CLASSIC)
    for separator, more in product("\t,;", (0, 1)):
        lines = [separator.join(row).replace(".", "") for row in ROWS]
        yield "\n".join(line + separator * more for line in lines)
    yield "\n".join("\t".join(row).replace(".", "").rstrip("\t") for row in ROWS)
    yield CLASSIC.translate({ord(digit): ord(digit) + 0xFEE0 for digit in "123456789."})
    yield CLASSIC.replace(".", "\u00a0")
    yield "\r\n".join("\u2007".join(row) for row in ROWS)


@pytest.mark.parametrize("text", [*pasted()])
def test_what_people_paste(text):
    assert Grid.parse(text) == Grid.parse(f"\ufeff{text}") == NINE
    found = list(split(f"# two\n{text}\n\n{text}\n"))
    assert [line for line, _ in found] == [2, text.count("\n") + 4]
    assert [Grid.parse(piece) for _, piece in found] == [NINE, NINE]


def of_programs() -> Iterator[str]:
    """The same puzzle as programs and other sites have it."""
    lists = [list(row) for row in NINE.rows]
    rows = "".join(f"    {row},\n" for row in lists)
    braces = "".join(f"  {{{', '.join(map(str, row))}}}, // row\n" for row in lists)
    strings = "".join(f'  "{row}",\n' for row in ROWS)
    yield f"board = [\n{rows}]"
    yield f"[\n{rows}]\n"
    yield f"board = [  # mine\n{rows.replace('],', '],  # row')}]\nprint(solve(board))"
    yield f"grid = {[[digit or None for digit in row] for row in lists]}"
    yield f"GRID = {NINE.rows}"
    yield "[" + "\n ".join(f"[{' '.join(map(str, row))}]" for row in lists) + "]"
    yield "array([" + ",\n       ".join(map(str, lists)) + "])"
    yield f"// by hand\nint grid[9][9] = {{\n{braces}}};\n"
    yield "int[][] b = {{" + "},{".join(",".join(map(str, row)) for row in lists) + "}};"
    yield f"char *rows[] = {{\n{strings}}};"
    yield f"rows = [\n{strings}]"
    yield f"rows = [\n{strings}]".replace('"', "'")
    yield json.dumps(ROWS)
    yield json.dumps([CLASSIC])
    yield json.dumps([list(row) for row in ROWS])
    yield f">>> print(grid)\n>>> # {CLASSIC}\n>>> {CLASSIC}".replace(">>> print(grid)\n", "")
    cells = ",\n".join(",  ".join(str(digit or "_") for digit in row) for row in lists)
    yield f"% 0\nx = array2d(1..n, 1..n, [   \n% row\n{cells}\n]);\n\nn = 9;\n"
    yield "start=[|\n" + ",|\n".join(",".join(map(str, row)) for row in lists) + ",|];"
    yield f":0000:x:{CLASSIC}:::"
    yield f":0100:12:{CLASSIC.replace('.', '+1', 1)}:315::"
    yield f"https://www.sudokuwiki.org/sudoku.htm?bd={CLASSIC.replace('.', '0')}"
    yield f"https://example.org/play?x=1&puzzle={CLASSIC}&y=2"
    yield f"0000183b305c {CLASSIC.replace('.', '0')}  1.2"
    yield f"1. {CLASSIC}"
    yield f"#12) {CLASSIC} by hand".removeprefix("#")
    for empty in ".0":
        each = {
            digit: "".join(d if d == digit else empty for d in "123456789") for digit in CLASSIC
        }
        yield "".join("123456789" if digit == "." else each[digit] for digit in CLASSIC)


@pytest.mark.parametrize("text", [*of_programs()])
def test_what_programs_and_other_sites_have(text):
    assert Grid.parse(text) == NINE
    ((_, piece),) = split(text)
    assert Grid.parse(piece) == NINE
    assert [as_puzzle(each) for each in read_puzzles(text.splitlines())] == [NINE]


def test_letters_from_a_and_x_for_empty_cells():
    letters = "ABCDEFGHIJKLMNOP"
    grid = Grid((*range(1, 17), *[0] * 240), (4, 4))
    for empty in ".x":
        assert Grid.parse(letters + empty * 240) == grid
        assert Grid.parse(letters.lower() + empty * 240) == grid
    assert Grid.parse("A" + "x" * 624).givens == ((1, 1, 1),)
    assert Grid.parse("a" + "x" * 624).givens[:2] == ((1, 1, 1), (1, 2, 24))


def test_games_of_ksudoku():
    digits = "".join("_" if cell == "." else chr(ord("a") + int(cell) - 1) for cell in CLASSIC)
    for shift in (0, 1):
        values = "".join(chr(ord(cell) + shift) if cell != "_" else cell for cell in digits)
        text = (
            "<!DOCTYPE ksudoku>\n<ksudoku>\n <game>\n  <puzzle>\n"
            f'   <graph type="sudoku" order="9"/>\n   <values>{values}</values>\n'
            "  </puzzle>\n </game>\n</ksudoku>\n"
        )
        assert Grid.parse(text) == NINE
        assert list(read_puzzles(text.splitlines())) == [NINE]
    unclear = text.replace(values, "bcd" + "_" * 78)
    assert message(unclear).startswith("in this game of KSudoku, nothing shows which letter is 1")


def test_game_ids_of_solo():
    assert Grid.parse("2x3:1d6x6d1").box == (2, 3)
    crossed = Puzzle.parse("2x2x:1b4e3f")
    assert [rule.name for rule in crossed.rules] == ["diagonal", "diagonal"]
    assert str(crossed.grid) == "1..4.....3......"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("3x3:9a1d", "this game ID of Solo has 7 cells; expected 81 for 9x9"),
        ("9j:a5b,c3d", "this game ID of Solo has 4 cells; expected 81 for 9x9"),
        ("3x3k:a5b,c3d", "this game ID of Solo has 1 part behind its cells; expected 2 for 3x3k"),
        ("3x3#1234567", "this is a random seed of Solo"),
        ("r2c1", "r2c1 is the name of a cell, not a puzzle"),
        ("p cnf 81 5\n1 2 0", "these are clauses (DIMACS CNF)"),
        ("solve(Rows) :- length(Rows, 9).", "this is a program without a puzzle in it"),
        ("<table><tr><td>9</td></tr></table>", "this is HTML, which is not read: copy the text"),
    ],
)
def test_texts_of_other_kinds_are_named(text, complaint):
    assert message(text).startswith(complaint)
    assert len(message(text)) < 200


def test_rows_of_tabs_alone_are_rows_within_a_grid_only():
    assert Grid.parse("1\t\t\t4\n\t\t\t\n\t3\t\t\n\t\t\t") == FOUR
    assert Grid.parse("\t\t\t\n\t1\t\t\n\t\t\t\n4\t\t\t\n").givens == ((2, 2, 1), (4, 1, 4))
    rows = FOUR.format("rows")
    assert pieces(f"{rows}\n\t\n{rows}") == [(1, LINE), (6, LINE)]
    assert [piece for _, piece in pieces(f"\t\n{rows}\n\n \t\n")] == [LINE]
    assert [Grid.parse(piece) for _, piece in split(f"\t\n{CLASSIC}\n\t\n{CLASSIC}")] == [NINE] * 2


def test_numbers_of_a_spreadsheet_are_not_taken_apart():
    # Eight numbers of two digits look like sixteen cells.
    row = "10\t\t12\t\t13\t\t14\t\t15\t\t16\t\t11\t\t10\t"
    grid = Grid.parse("\n".join([row] + ["\t" * 15] * 15))
    assert grid.rows[0] == (10, 0, 12, 0, 13, 0, 14, 0, 15, 0, 16, 0, 11, 0, 10, 0)
    text = "\n".join([" ".join(row.split())] + [". " * 16] * 15)
    assert message(text).startswith("row 1 has 8 cells, but the grid has 16 rows")


def test_a_digit_of_another_script_is_none():
    assert message("\u0665" + CLASSIC[1:]).startswith("unknown character '\u0665' at position 1")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[1,_],[_,A]]", "r2c2 holds 'A'; expected a whole number"),
        ("[[1,_],[_,-1]]", "r2c2 holds '-1'; expected a whole number"),
        ("[[1,_],[_,5]], 1-2", "r2c2 holds 5; expected 1 to 2"),
        ("[[1,_],[_]]", "row 2 has 1 cell, but the grid has 2 rows"),
        ("problem(1, [1,_]).", "no list of rows here; expected [[5,3,_],...]"),
        ("[[1,_],[_,1", "no list of rows here; expected [[5,3,_],...]"),
        ("[[_,1],[1,_]], 9-9.", "a 9x9 box is not possible"),
        ("sudoku(1,1,5)\nsudoku(1,a,5)", "line 2: sudoku(1,a,5): a stands where a number"),
        ("sudoku(1,(1,2),5)", "line 1: sudoku(1,(1,2),5): (1,2) stands where a number"),
        ("sudoku(1,1,4294967301) a", "line 1: sudoku(1,1,4294967301): 4294967301 is over"),
        ("sudoku(1,1,5) sudoku(1,1,6)", "line 1: sudoku(1,1,6), but initial(1,1,5) is there"),
        ("sudoku(1,1,5", "line 1: sudoku(1,1,5 is not an atom; expected one such as sudoku"),
        ("Answer: 1\na b c\nSATISFIABLE", "no givens here; expected facts such as initial(1,1,5)."),
        ("clingo version 5\nUNKNOWN\n", "there is no answer set here: clingo says UNKNOWN"),
        ('{"Call": []}', 'this is not what clingo --outf=2 prints: expected "Call", whose last'),
        ('{"Call": [{"Witnesses": [{"Value": [1]}]}]}', "this is not what clingo --outf=2 prints"),
        ('{"Call": [{"Witnesses": [3]}]}', "this is not what clingo --outf=2 prints"),
        ('{"Call": 5}', "this is not what clingo --outf=2 prints"),
        (witnesses(["sudoku(1,1,5)", "cell(x,1,1)"]), "atom 2: cell(x,1,1): x stands where"),
        (witnesses(["a"]), "no givens here"),
        (witnesses(Result="UNSATISFIABLE"), "there is no answer set here: clingo says UNSAT"),
        ("https://f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA", "the compressed data end too early"),
        (
            "https://www.sudokuwiki.org/sudoku.htm?bd=S9B0123",
            "only links with the puzzle in them are read",
        ),
    ],
)
def test_text_of_other_programs_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


# --- pencil marks -----------------------------------------------------------------------


def test_pencil_marks_are_recognized_by_their_number():
    text = NINE.format("pencil")
    found = Grid.parse(text)
    assert found == Grid.parse(text, "pencil")
    assert all(digit in (0, other) for digit, other in zip(NINE.digits, found.digits, strict=True))
    assert [line for line, _ in split(f"{text}\n\n{text}")] == [1, 15]
    assert Grid.parse("1 23 23 4\n234 124 123 123\n24 3 124 12\n24 124 1234 123") == FOUR


def test_a_slip_of_the_pen_is_not_a_pencil_mark():
    text = "1 2 3 4\n3 4 1 2\n2 13 4 3\n4 3 2 1"
    assert message(text) == (
        "13 is over 4 at r3c2; expected 1 to 4, or one of .0_*xX- for an empty cell (pencil marks?"
        " give format 'pencil')"
    )
    assert Grid.parse(text, "pencil").rows[2] == (2, 0, 4, 3)


@pytest.mark.parametrize("word", ["11", "10", "1?", "15"])
def test_pencil_marks_are_digits_and_each_is_there_once(word):
    text = FOUR.format("pencil").replace("234 ", f"{word} ", 1)
    assert message(text, format="pencil").startswith(f"unknown marks '{word}' at r2c1; expected 1")


def test_pencil_marks_of_large_grids_are_letters_and_of_no_digit_a_dot():
    grid = Grid((16, *[0] * 255), (4, 4))
    text = grid.format("pencil")
    assert text.splitlines()[1].split()[:3] == ["|", "G", "123456789ABCDEF"]
    assert Grid.parse(text) == grid
    grid = Grid.parse("123....4........")
    assert grid.format("pencil").splitlines()[1].split() == ["|", "1", "2", "|", "3", ".", "|"]
