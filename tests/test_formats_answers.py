"""The output of clingo, read as puzzles: text and JSON."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from helpers.format_texts import ENCODING, FOUR, SOLUTIONS, message, pieces

from pylogic_sudoku import Grid
from pylogic_sudoku.formats import split

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
        (
            "sudoku(1,1,5",
            "line 1: 'sudoku(1,1,5' is not an atom; expected one such as sudoku(1,1,5)",
        ),
        ("Answer: 1\na b c\nSATISFIABLE", "no givens here; expected facts such as initial(1,1,5)."),
        ("UNKNOWN\n", "there is no answer set here: clingo says UNKNOWN"),
    ],
)
def test_answer_sets_that_are_not_a_puzzle(text, complaint):
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
def test_clingo_json_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)
