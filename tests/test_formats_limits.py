"""Input that is too long or endless is refused before it fills the memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import chain, repeat

import pytest
from helpers.format_texts import CLASSIC, message
from helpers.processes import PATIENCE

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import _text as text
from pylogic_sudoku.formats import read_puzzles, split

LONG_LINE = "line 1 has more than 1,000,000 characters"


def test_a_device_without_end_is_refused():
    with pytest.raises(InvalidPuzzle) as caught:
        list(read_puzzles("/dev/zero"))
    assert str(caught.value) == f"/dev/zero: {LONG_LINE}"


def test_no_more_is_read_of_a_long_line_than_shows_that_it_is_long(tmp_path):
    file = tmp_path / "long.txt"
    file.write_text("5" * 50_000_000)
    with file.open(encoding="utf-8") as lines, pytest.raises(InvalidPuzzle, match=LONG_LINE):
        list(split(lines))
    with file.open("rb", buffering=0) as raw, open(raw.fileno(), closefd=False) as lines:
        with pytest.raises(InvalidPuzzle, match=LONG_LINE):
            list(split(lines))
        assert raw.tell() < 11_000_000


@pytest.mark.parametrize("begin", ["5", ".", " 1 2", "sudoku(1,1,1) ", "a,"])
def test_a_long_line_is_refused_as_text_too(begin):
    line = begin * (1_000_001 // len(begin) + 1)
    assert message(line) == LONG_LINE
    assert message(f"\n{line}\n") == LONG_LINE.replace("1", "2", 1)
    with pytest.raises(InvalidPuzzle, match=LONG_LINE):
        list(split([line]))


def test_a_long_line_of_json_holds_many_puzzles():
    rows = Grid.parse(CLASSIC).rows
    line = json.dumps([{"grid": rows}] * 5000)
    assert 1_000_000 < len(line) < 10_000_000
    assert sum(1 for _ in split(line)) == 5000
    assert message("[" * 10_000_001) == "line 1 has more than 10,000,000 characters"


def test_facts_are_not_read_by_the_million():
    assert message("initial(1,1,1).\n" * 70_000) == (
        "there are more than 1,000,000 characters of facts"
    )


@pytest.mark.parametrize(
    "line", ["\n", "#\n", "[\n", "<a>\n", "initial(1,1,1).\n", '"\n'], ids=str.strip
)
@pytest.mark.parametrize("format", [None, "json", "prolog"])
def test_lines_without_end_that_never_are_a_puzzle(line, format, monkeypatch):
    monkeypatch.setattr(text, "LONGEST_PUZZLE", 1_000_000)
    with pytest.raises(InvalidPuzzle):
        list(read_puzzles(repeat(line), format=format))


def test_the_limit_is_for_each_puzzle_and_not_for_the_file(monkeypatch):
    monkeypatch.setattr(text, "LONGEST_PUZZLE", 1000)
    assert sum(1 for _ in split(repeat(CLASSIC, 1000))) == 1000
    lines: Iterator[str] = chain(repeat(CLASSIC, 3), repeat("#"))
    found = split(lines)
    assert [next(found)[0] for _ in range(3)] == [1, 2, 3]
    with pytest.raises(InvalidPuzzle, match=r"^line 51: no puzzle ends within 1,000 characters$"):
        next(found)


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
    assert (done.returncode, done.stderr) == (2, f"standard input: {LONG_LINE}\n")
