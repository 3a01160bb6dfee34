"""However large a text is, it is read whole; input that cannot be text is refused at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

import pytest
from helpers.format_texts import CLASSIC, message
from helpers.processes import PATIENCE

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import parse, read_puzzles, split

FACTS = [f"initial({x},{y},{n})." for x, y, n in Grid.parse(CLASSIC).givens]
NUL = "line 1 holds NUL characters, as text in UTF-16 does: save it as UTF-8"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\n".join(FACTS * 2_500), id="facts, one a line"),
        pytest.param(" ".join(FACTS * 2_500), id="facts on one line"),
        pytest.param("\n" * 1_100_000 + "\n".join(FACTS), id="blank lines"),
        pytest.param("%*" + "5 3\n" * 300_000 + "*%" + "\n".join(FACTS), id="a comment"),
        pytest.param(f'note("{"x" * 1_100_000}"). {" ".join(FACTS)}', id="a string"),
        pytest.param(
            "\n".join(f"edge({k},{k + 1})." for k in range(70_000)) + "\n".join(FACTS),
            id="facts of another name",
        ),
        pytest.param(
            "initial(" + ";".join(fact[8:-2] for fact in FACTS * 6_000) + ").", id="a pool"
        ),
    ],
)
def test_more_than_a_million_characters_of_facts(text, tmp_path):
    file = tmp_path / "given.lp"
    file.write_text(text)
    assert len(text) > 1_000_000
    assert Grid.parse(text) == Grid.parse(CLASSIC)
    assert list(read_puzzles(file)) == [Grid.parse(CLASSIC)]


def test_one_long_line_holds_a_puzzle_or_many():
    assert parse(CLASSIC + " " * 1_100_000 + "by hand") == Grid.parse(CLASSIC)
    assert message("5" * 1_100_000).startswith("the line has 1100000 characters; expected 81")
    rows = Grid.parse(CLASSIC).rows
    line = json.dumps([{"grid": rows}] * 8_000)
    assert len(line) > 1_000_000
    assert sum(1 for _ in split(line)) == 8_000


def test_a_device_without_end_is_refused():
    with pytest.raises(InvalidPuzzle) as caught:
        list(read_puzzles("/dev/zero"))
    assert str(caught.value) == f"/dev/zero: {NUL}"


def test_no_more_is_read_of_a_line_than_shows_that_it_is_not_text(tmp_path):
    file = tmp_path / "long.txt"
    with file.open("wb") as zeros:
        zeros.truncate(50_000_000)
    with file.open("rb", buffering=0) as raw, open(raw.fileno(), closefd=False) as lines:
        with pytest.raises(InvalidPuzzle, match=NUL):
            list(read_puzzles(lines))
        assert raw.tell() < 2_000_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in its folders")
def test_a_named_pipe_is_read_as_it_is_written(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    more = threading.Event()

    def write() -> None:
        with pipe.open("w") as lines:
            lines.write(f"{CLASSIC}\n")
            lines.flush()
            more.wait(PATIENCE)
            lines.write(f"{CLASSIC}\n")

    writer = threading.Thread(target=write)
    writer.start()
    puzzles = read_puzzles(pipe)
    assert str(next(puzzles)) == CLASSIC
    more.set()
    assert list(map(str, puzzles)) == [CLASSIC]
    writer.join()


def test_standard_input_without_end_is_refused():
    with open("/dev/zero", "rb") as zeros:
        done = subprocess.run(
            [sys.executable, "-m", "pylogic_sudoku", "count", "-"],
            stdin=zeros,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, f"standard input: {NUL}\n")
