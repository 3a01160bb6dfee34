"""Common mistakes at the command line, and the messages about them.

Every row is a command, run in a folder with the files of `files`. It prints nothing, says the words
on standard error, ends with the exit code, and leaves all files as they were.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command_line import FOUR
from helpers.puzzles import EMPTY, IMPOSSIBLE, SEVERAL

ZEROS = "0.0.2.3.4.5.6.7." + "." * 240
ROW = "53..7...."
SIX = "." * 36


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """One of each kind of file that people give by mistake."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "empty.txt").touch()
    (folder / "comments.txt").write_text("# nothing here yet\n")
    (folder / "four.txt").write_text(f"{FOUR}\n")
    (folder / "utf16.txt").write_bytes(f"{EMPTY}\n".encode("utf-16"))
    (folder / "latin1.txt").write_bytes(f"# r\xe4tsel\n{EMPTY}\n".encode("latin-1"))
    (folder / "eight.txt").write_text(f"{ROW}\n" * 8)
    (folder / "ragged.txt").write_text(f"{ROW}\n" * 8 + "53..7...\n")
    (folder / "broken.json").write_text('{"grid": [[1, 2')
    (folder / "other.json").write_text('{"name": "a puzzle"}')
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "binary.dat").write_bytes(bytes(range(256)))
    (folder / "thesis.txt").write_text("Chapter 1\n")
    (folder / "wrong.lp").write_text("sudoku(1,1,1")
    (folder / "fine.lp").write_text("sudoku(1,1,1).")
    (folder / "nothing").mkdir()
    (folder / "instances").mkdir()
    (folder / "instances" / "one.lp").write_text("initial(1,1,1). #const dim=2.")
    return folder


TABLE = [
    # The puzzle
    ("solve", 2, "Missing argument 'PUZZLE...'"),
    (["solve", ""], 2, "puzzle 1: the text is empty; expected a puzzle"),
    (["solve", " "], 2, "puzzle 1: the text is empty; expected a puzzle"),
    ("solve puzzles", 2, "puzzles: there is no such file"),
    ("solve README", 2, "README: there is no such file"),
    ("solve nowhere/puzzle.txt", 2, "nowhere/puzzle.txt: there is no such file"),
    ("solve nothing", 2, "nothing: cannot be read: Is a directory"),
    ("solve empty.txt", 2, "empty.txt: the text is empty; expected a puzzle"),
    ("solve comments.txt", 2, "the text has only comments; expected a puzzle"),
    ("solve utf16.txt", 2, "save it as UTF-8"),
    ("solve latin1.txt", 2, "save it as UTF-8"),
    ("solve binary.dat", 2, "binary.dat: this is not text in UTF-8"),
    (f"solve {EMPTY[1:]}", 2, "80 characters"),
    (f"solve {EMPTY}.", 2, "82 characters"),
    (f"solve A{EMPTY[1:]}", 2, "unknown character 'A' at position 1 (r1c1)"),
    ("solve 4......3...13..7", 2, "7 is over 4 at position 16 (r4c4)"),
    ("solve eight.txt", 2, "there are 8 rows of 9 cells: 1 row is missing"),
    ("solve ragged.txt", 2, "row 9 has 8 cells, expected 9"),
    ("solve broken.json", 2, "broken.json, line 1: this is not JSON"),
    ("solve other.json", 2, 'expected a key "grid" in the JSON object'),
    ("solve deep.json", 2, "deep.json, line 1: this JSON is not read: it holds"),
    (f"solve {ZEROS}", 2, "hex"),
    (f"solve --from json {FOUR}", 2, "this is not JSON"),
    (f"solve --from numbers {FOUR}", 2, "'numbers' is not one of 'line', 'rows'"),
    ("solve /dev/zero", 2, "/dev/zero: line 1 holds NUL characters"),
    # The box
    (f"solve {SIX}", 2, "choose 1x6, 2x3, 3x2 or 6x1, for example --box 2x3"),
    (f"solve --box 2 {SIX}", 2, "expected rows x columns, such as 2x3"),
    (f"solve --box 0x6 {SIX}", 2, "a 0x6 box is not possible"),
    (f"solve --box 2x3 {EMPTY}", 2, "81 characters"),
    # The options
    (f"solve -b gurobi {FOUR}", 2, "not one of clingo, prolog, sat, all"),
    (f"solve -b clingo -b prolog {FOUR}", 2, "-b / --backend is given twice"),
    (f"solve -t 0 {FOUR}", 2, "is not a number of seconds over 0"),
    (f"solve -t nan {FOUR}", 2, "is not a number of seconds over 0"),
    (f"solve -t soon {FOUR}", 2, "is not a number of seconds over 0"),
    (f"solve -n -1 {FOUR}", 2, "'-1' is not a whole number from 0"),
    (f"solve -n two {FOUR}", 2, "'two' is not a whole number from 0"),
    (f"solve --jobs 0 {FOUR}", 2, "'0' is not a whole number from 1 to 1000"),
    (f"solve --jobs 4294967296 {FOUR}", 2, "is not a whole number from 1 to 1000"),
    (f"solve -f crossword {FOUR}", 2, "'crossword' is not one of 'line', 'rows'"),
    (f"convert -f line --removable {FOUR}", 2, "-f facts"),
    (f"count --limit -1 {FOUR}", 2, "'-1' is not a whole number from 0"),
    (f"solv {FOUR}", 2, "No such command 'solv'. Did you mean 'solve'?"),
    # No answer
    ("solve 11..............", 1, "no solution; r1c1 and r1c2 both hold 1"),
    (f"solve {IMPOSSIBLE}", 1, "no solution"),
    (f"count -t 0.2 {EMPTY}", 4, "at least"),
    # Explanations
    (f"explain --cell r10c1 {SEVERAL}", 2, "not a cell of a 9x9 grid; expected r1c1 to r9c9"),
    (f"explain --cell corner {SEVERAL}", 2, "'corner' is not a cell of a 9x9 grid"),
    (f"explain --why-not r1c1 {SEVERAL}", 2, "is not a cell and a digit, such as r3c2=5"),
    (
        f"explain --why-not r1c1=10 {SEVERAL}",
        2,
        "10 is not a digit of this puzzle; expected 1 to 9",
    ),
    (f"explain --rate {SEVERAL}", 2, "several solutions, so it has no rating"),
    ("explain --rate 11..............", 1, "no solution"),
    (f"explain --steps --all {FOUR}", 2, "--all goes with --why-not or --conflicts"),
    (f"explain --rate --grain house {FOUR}", 2, "--grain house goes with --cell"),
    (f"explain --steps -f svg {FOUR}", 2, "cannot go into one picture; use -f html"),
    (f"explain --steps -o x.svg {FOUR}", 2, "cannot go into one picture; use -o FILE.html"),
    (f"explain --steps -f json -o x.txt {FOUR}", 2, "-f json does not go with -o x.txt"),
    # Files to write
    (f"show -o picture.bmp {FOUR}", 2, "should end in one of .svg, .png"),
    (f"show -o nowhere/picture.svg {FOUR}", 2, "nowhere/picture.svg: No such file or directory"),
    (f"show --highlight middle {FOUR}", 2, "expected r1c1 (to r4c4)"),
    ("compare --json four.txt four.txt", 2, "four.txt is read as input"),
    ("compare --json nowhere/log four.txt", 2, "nowhere/log: No such file or directory"),
    ("compare --json thesis.txt four.txt", 2, "thesis.txt: it exists and is not empty"),
    ("convert -f line -o four.txt four.txt", 2, "four.txt is read as input"),
    ("convert four.txt", 2, "give -f FORMAT, or -o FILE"),
    # The grader
    ("check -e nowhere.lp -i instances", 2, "'nowhere.lp' does not exist, or has no programs"),
    ("check -e fine.lp -i nothing", 2, "nothing: there are no instances"),
    ("check -e fine.lp", 2, "expected -e ENCODING and -i INSTANCES"),
    ("check -e fine.lp -i instances -c foo", 2, "'foo' is not a constant; expected NAME=VALUE"),
    ("check -e fine.lp -i instances -s instances", 2, "instances: there are no solutions"),
    # The rest
    ("prolog 1234", 2, "choose 1x2 or 2x1, for example --box 1x2"),
    ("completion csh", 2, "'csh' is not one of 'bash', 'zsh', 'fish'"),
    ("serve --port 70000", 2, "'70000' is not a whole number from 0 to 65535"),
    ("serve --host nowhere.invalid", 2, "cannot listen at nowhere.invalid, port 8000"),
    # Options of old are options that there are not
    ("compare --resume thesis.txt four.txt", 2, "No such option '--resume'"),
    ("compare --mutate 5 four.txt", 2, "No such option '--mutate'"),
    ("compare --seed 5 four.txt", 2, "No such option '--seed'"),
    ("compare --replay thesis.txt", 2, "No such option '--replay'"),
    (f"explain --rate --scale se {FOUR}", 2, "No such option '--scale'"),
    (f"explain --steps --assume-unique {FOUR}", 2, "No such option '--assume-unique'"),
    (f"explain --cell r1c2 --reading steps {FOUR}", 2, "No such option '--reading'"),
    ("generate --technique XY-wing", 2, "No such option '--technique'"),
    ("generate --rating 1-5", 2, "No such option '--rating'"),
    (f"certify -b prolog {FOUR}", 3, "the prolog engine cannot prove its answers"),
]


@pytest.mark.parametrize(("typed", "code", "words"), TABLE)
def test_wrong_input(files, command, monkeypatch, typed, code, words):
    monkeypatch.chdir(files)
    before = contents(files)
    ended, output, errors = command(*(typed.split() if isinstance(typed, str) else typed))
    assert (ended, output) == (code, "")
    assert words in errors
    assert "Traceback" not in errors
    assert contents(files) == before


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_table_is_not_short():
    assert len(TABLE) >= 60
