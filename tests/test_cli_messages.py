"""Error messages of the command line: where, what to do, and in its own words."""

from __future__ import annotations

import re

import pytest
from helpers.command_line import FOUR, invoke
from helpers.fakes import Liar
from helpers.puzzles import CLASSIC

import pylogic_sudoku as pls

SIX = "1" + "." * 35
NONE = "11.............."
LINES = f"{FOUR}\n{FOUR}\n"

MESSAGES = [
    (["solve", SIX], "open: choose 1x6, 2x3, 3x2 or 6x1, for example --box 2x3\n"),
    (["solve", "-f", "json", SIX], "choose 1x6, 2x3, 3x2 or 6x1, for example --box 2x3\n"),
    (["solve", "." * 25], "choose 1x5 or 5x1, for example --box 1x5\n"),
    (["prolog", SIX], "for example --box 2x3\n"),
    (["solve", "--box", "2,3", SIX], "'2,3' is not a box shape; expected rows x columns, such as"),
    (["solve", "--box", "6x7", SIX], "a 6x7 box is not possible: rows x columns must be 1 to 36"),
    (["solve", "--box", "0x1", SIX], "a 0x1 box is not possible"),
    (["solve", f"--box={10**24}x2", SIX], f"a {10**24}x2 box is not possible"),
    (["solve", LINES], "several puzzles; expected one"),
    (["solve", '[["a"]]'], "r1c1 holds 'a'; expected a whole number, or 0 for an empty"),
    (["solve", '{"box":[2],"grid":[[1]]}'], "a box shape is two whole numbers, rows and columns, "),
    (["solve", '{"grid":5}'], "the puzzle is 5; expected a list of rows"),
    (["solve", "[5,[1]]"], "row 1 is 5; expected a list of cells"),
    (["explain", "--cell", "1,2", FOUR], "'1,2' is "),
    (["explain", "--cell", "r9c9", FOUR], " cell of a 4x4 grid; expected r1c1 to r4c4\n"),
    (["explain", "--why-not", "1,2=3", FOUR], " cell of a 4x4 grid; expected r1c1 to r4c4\n"),
    (["explain", "--why-not", "r1c2", FOUR], "is not a cell and a digit, such as r3c2=5"),
    (["explain", "--steps", NONE], "ask for its conflicts"),
    (["explain", "--cell", "r1c3", NONE], "ask for its conflicts"),
    (["explain", "--ambiguity", NONE], "ask for its conflicts"),
    (
        ["explain", "--rate", "." * 81],
        "several solutions, so it has no rating; ask for its ambiguity",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), MESSAGES)
def test_messages_name_options_and_not_what_python_has(arguments, message):
    done = invoke(*arguments)
    assert done.exit_code in (1, 2)
    assert message in done.output
    assert not re.search(r"\w\(\)|\w=\(|\bNone\b|pair|sequence|frozenset", done.output)


def test_engines_that_differ_show_a_solution_of_each():
    liar = Liar(["1234341221434321"])
    with pytest.raises(pls.Disagreement) as caught:
        pls.compare(FOUR, ["clingo", liar]).check()
    assert str(caught.value) == (
        f"the engines disagree on {FOUR}: clingo: 3 solutions, such as 1234341223414123;"
        " liar: 1 solution, such as 1234341221434321"
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["solv", FOUR], "No such command 'solv'. Did you mean 'solve'?"),
        (["nothing-like-it"], "No such command 'nothing-like-it'."),
        (["solve", "-f", "nosuch", FOUR], "'nosuch' is not one of 'line', 'rows', 'pretty'"),
        (["solve"], "Missing argument 'PUZZLE...'."),
        (["solve", "--tim", FOUR], "No such option"),
    ],
)
def test_usage_that_is_wrong(arguments, complaint):
    done = invoke(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert "--help' for help." in done.stderr


def test_literals_and_files_are_distinguished_in_their_order(tmp_path):
    file = tmp_path / "two.txt"
    file.write_text(LINES)
    done = invoke("count", FOUR, str(file), "none.txt", FOUR)
    assert (done.exit_code, done.stdout) == (2, "3\n" * 4)
    assert done.stderr == "none.txt: there is no such file\n"


# --- puzzles, files, and neither ---------------------------------------------------------

LINK = "https://www.sudokuwiki.org/sudoku.htm?bd="


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (
            "puzzles",
            "puzzles: there is no such file, and as a puzzle it cannot be read: the table",
        ),
        (
            "README",
            "README: there is no such file, and as a puzzle it cannot be read: the line has",
        ),
        ("17-clue", "17-clue: there is no such file, and as a puzzle it cannot be read: the line"),
        ("README.md", "README.md: there is no such file, and as a puzzle it cannot be read: "),
        ("none.txt", "none.txt: there is no such file\n"),
        ("a/b", "a/b: there is no such file\n"),
        (".", ".: cannot be read: Is a directory\n"),
        ("", "puzzle 1: the text is empty; expected a puzzle\n"),
        (" ", "puzzle 1: the text is empty; expected a puzzle\n"),
        ("1.2", "puzzle 1: the line has 3 characters; expected 81 for 9x9"),
        ("https://f-puzzles.com/?load=N4Ig", "puzzle 1: this link has no puzzle in it"),
    ],
)
def test_what_is_neither_a_puzzle_nor_a_file(source, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = invoke("convert", "-f", "line", source)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(complaint)


@pytest.mark.parametrize(
    "source", [CLASSIC, LINK + CLASSIC, f":0000:x:{CLASSIC}:::", "xx..." * 3 + "x"]
)
def test_a_puzzle_is_not_taken_for_a_file(source):
    assert invoke("convert", "-f", "line", source).stdout.rstrip() in (CLASSIC, "." * 16)


def test_a_file_of_any_name_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("puzzles", "README", CLASSIC):
        (tmp_path / name).write_text(f"{CLASSIC}\n")
        assert invoke("count", "-f", "json", name).stdout.startswith(f'{{"where": "{name}, line 1"')
