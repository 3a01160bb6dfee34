"""Puzzles as facts of ASP and as lists of rows in Prolog."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from helpers.format_texts import ENCODING, FOUR, SIX, message

from pylogic_sudoku import Grid

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
        ("initial(1,1+1,3*1). #show initial/3.", [(1, 2, 3)]),
        ("initial(1,2,3). initial(1,2,3).", [(1, 2, 3)]),
        ("initial(1,2,3). row(1..9). digit(1;2). name(easy). -initial(1,2,4).", [(1, 2, 3)]),
        ("initial(1,2). initial(1,2,3). initial(1,2,3,4).", [(1, 2, 3)]),
        ("#program base. #defined sudoku/3. initial(1,2,3).", [(1, 2, 3)]),
        ("sudoku(1,2,3) sudoku(4,5,6)\n", [(1, 2, 3), (4, 5, 6)]),
        ("sudoku(1,2,3)\nsudoku(4,5,6) % an answer set", [(1, 2, 3), (4, 5, 6)]),
        ("%* here *% sudoku(1,2,3)", [(1, 2, 3)]),
        ("initial(1,2,0x3). % 4294967296 of them, caf\u00e9", [(1, 2, 3)]),
        ("initial(1,2,3;4,5,6).", [(1, 2, 3), (4, 5, 6)]),
        ("initial(1,(2;3),4+1). % a pool", [(1, 2, 5), (1, 3, 5)]),
        ("initial(4..5,1,2*(1..1)). initial(9..8,1,1).", [(4, 1, 2), (5, 1, 2)]),
        ("initial(1,2,3).\n% \udc80 #include \0\n", [(1, 2, 3)]),
        ("%* see [[rows]] and\nAnswer: 1\n[| 1 |] *% initial(1,2,3).", [(1, 2, 3)]),
        ('initial(1,2,-(-3)). name("caf\u00e9 4294967296. initial(1,1,1)").', [(1, 2, 3)]),
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


def test_a_box_that_is_passed_outweighs_what_facts_say():
    assert Grid.parse("#const dim=3. initial(1,1,1).", box=(2, 2)).box == (2, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("initial(1,1,5).\ninitial(1,1,6).", "line 2: initial(1,1,6), but r1c1 already holds 5"),
        ("initial(1,1,5).\ninitial(1,2,.", "line 2, column 13: syntax error, unexpected ."),
        (
            "initial(1,1,5)\ninitial(1,2,",
            "line 2: 'initial(1,2,' is not an atom; expected one",
        ),
        ("a :- initial(1,1,5).", "line 1: a :- initial(1,1,5). is a rule; expected facts"),
        ("initial(1,1,5).\n:- sudoku(1,1,1).", "line 2: #false :- sudoku(1,1,1). is a rule"),
        ("{ initial(1,1,5) }.", "line 1: { initial(1,1,5) }. is a rule; expected facts"),
        ("not initial(1,1,5).", "line 1: not initial(1,1,5). is a rule; expected facts"),
        ("initial(1,1,5). #external a.", "line 1: #external a. [false] is not a fact"),
        ("initial(1,1,1..9).", "line 1: initial(1,1,(1..9)), but r1c1 already holds 1"),
        ("initial(1,1,1;1,1,2).", "line 1: initial(1,1,1;1,1,2), but r1c1 already holds 1"),
        ("initial(1..37,1,1).", "line 1: initial((1..37),1,1) has 37 numbers in an interval"),
        (
            f"initial(({';'.join(map(str, range(1, 39)))}),1..36,(1..36)).",
            "line 1: initial((1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;"
            "27... stands for more than 46,656 facts",
        ),
        ("initial(1,1..n,1).", "line 1: initial(1,(1..n),1) is not a plain fact"),
        ("initial(1,1,N).", "line 1: initial(1,1,N) is not a plain fact"),
        ("initial(1,1,1/0).", "line 1: initial(1,1,(1/0)) is not a plain fact"),
        ("initial(1,1,n).", "line 1: initial(1,1,n): n stands where a number from 1 up"),
        (
            "initial(1,1,4294967301).",
            "line 1: 4294967301 is over 2147483647, the largest number of clingo",
        ),
        ("\ninitial(1,1,0x100000005).", "line 2: 0x100000005 is over 2147483647"),
        (
            "initial(1,1,65536*65536+5).",
            "line 1: initial(1,1,((65536*65536)+5)): 4294967301 is over 2147483647",
        ),
        (
            f"initial(1,1,{'1+' * 2000}1).",
            "line 1: more than 50 operations make a number; expected 1 to 36",
        ),
        ("initial(1,1,5). \u00e9", "line 1: '\u00e9' is not read; expected facts"),
        ("initial(1,1,\u0665).", "line 1: '\u0665' is not read; expected facts"),
        ("initial(0,1,1).", "line 1: initial(0,1,1): 0 stands where a number from 1 up"),
        ("#const dim=none.", "line 1: none stands where a number from 1 up"),
        ("#const dim=2. initial(1,1,5).", "r1c1 holds 5: over 4, the size of the grid"),
        ("#const dim=2. initial(5,1,1).", "r5c1 holds 1: over 4, the size of the grid"),
        ("#const dim=7.", "a 7x7 box is not possible"),
        ("initial(37,1,1).", "37 is over 36, the largest size of a grid"),
        ("#const n=2. % initial(1,1,1).", "no givens here; expected facts such as initial(1,1,5)."),
        ("% initial(1,1,1).", "the text has only comments; expected a puzzle"),
        ('#include "more.lp". initial(1,1,5).', "line 1: '#include' is not read"),
        ("initial(1,1,5).\n\0initial(1,2,6).", "line 2: '\\x00' is not read; expected facts"),
        ("initial(1,1,5). \udc80", "line 1: '\\udc80' is not read; expected facts"),
    ],
)
def test_facts_that_are_not_a_puzzle(text, complaint, capfd):
    assert message(text).startswith(complaint)
    assert capfd.readouterr() == ("", "")


def test_statements_that_would_overflow_the_parser_are_refused():
    for deep in ("-" * 100_000 + "1", "(1.." * 50_000 + "1" + ")" * 50_000):
        assert message(f"initial(1,1,1).\ninitial(1,2,{deep}).") == (
            "line 2: more than 10,000 operations and brackets before a full stop; expected facts"
        )


def test_long_answer_sets_are_read():
    atoms = " ".join(
        f"sudoku({x},{y},{(x + y) % 36 + 1})" for x in range(1, 37) for y in range(1, 37)
    )
    assert Grid.parse(atoms).size == 36


@pytest.mark.parametrize(
    "grid", [FOUR, SIX, Grid((1, *[0] * 35), (3, 2)), Grid((0,) * 16, (2, 2))], ids=str
)
def test_clingo_takes_the_shape_from_the_facts(grid, tmp_path):
    facts = tmp_path / "given.lp"
    facts.write_text(grid.format("facts"))
    command = [sys.executable, "-m", "clingo", ENCODING, facts, "1", "--outf=2"]
    done = subprocess.run(command, capture_output=True, text=True)
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


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[1,_],[_,A]]", "r2c2 holds 'A'; expected a whole number"),
        ("[[1,_],[_,-1]]", "r2c2 holds '-1'; expected a whole number"),
        ("[[1,_],[_,5]], 1-2", "r2c2 holds 5; expected 1 to 2"),
        ("[[1,_],[_]]", "row 2 has 1 cell, expected 2"),
        ("problem(1, [1,_]).", "no list of rows here; expected [[5,3,_],...]"),
        ("[[1,_],[_,1", "no list of rows here; expected [[5,3,_],...]"),
        ("[[_,1],[1,_]], 9-9.", "a 9x9 box is not possible"),
    ],
)
def test_prolog_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)
