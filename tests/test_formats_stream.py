"""Files of many puzzles, read line by line: where each begins, and that no more is kept."""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from itertools import count, islice

import pytest
from helpers.format_texts import EXACT
from helpers.puzzles import CLASSIC
from helpers.puzzles import FOUR as LINE
from hypothesis import given, settings
from hypothesis import strategies as st

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import read_puzzles, split

FOUR = Grid.parse(LINE)
NINE = Grid.parse(CLASSIC)
SIX = Grid.parse("1....6" + "." * 24 + "6....1", box=(2, 3))
ANSWER = Grid.parse("1234341223414123")

# The text before all puzzles, that of each, and that after all.
MANY = {
    "line": ("", f"{CLASSIC}\n", ""),
    "rows": ("", NINE.format("rows") + "\n\n", ""),
    "pretty": ("", NINE.format("pretty") + "\n\n", ""),
    "ss": ("", NINE.format("ss") + "\n\n", ""),
    "sdk": ("", "#C a comment\n" + NINE.format("sdk") + "\n", ""),
    "answer": ("clingo version 5\n", f"Answer: 1\n{NINE.format('answer')}\n", "SATISFIABLE\n"),
    "prolog": ("% all\n", f"problem(1, {NINE.format('prolog')}).\n", ""),
    "json": ("", NINE.format("json") + "\n", ""),
    "csv": ("quizzes,solutions\n", f"{CLASSIC},x\n", ""),
    "opensudoku": ("<opensudoku>\n", f'<game data="{CLASSIC}"/>\n', "</opensudoku>\n"),
}


@pytest.mark.parametrize("format", MANY)
@pytest.mark.parametrize("named", [True, False], ids=["named", "detected"])
def test_many_puzzles_of_a_format(format, named, tmp_path):
    before, each, after = MANY[format]
    file = tmp_path / "many"
    file.write_text(before + each * 100 + after)
    grids = read_puzzles(file, format=format if named else None)
    assert list(grids) == [NINE] * 100
    first = (before + each).count("\n", 0, len(before)) + 1 + (format == "sdk")
    lines = [line for line, _ in split(file.read_text(), format=format if named else None)]
    assert lines == list(range(first, first + 100 * each.count("\n"), each.count("\n")))


@pytest.mark.parametrize("format", MANY)
def test_a_puzzle_is_there_before_the_next_is_read(format):
    """These files are endless."""
    before, each, _ = MANY[format]
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        yield from before.splitlines(keepends=True)
        for number in count(1):
            taken = number
            yield from each.splitlines(keepends=True)

    puzzles = read_puzzles(endless())
    assert list(islice(puzzles, 200)) == [NINE] * 200
    assert taken <= 202


def held() -> int:
    """The bytes that are in use, without garbage that waits to be collected."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.slow
@pytest.mark.parametrize("format", MANY)
def test_memory_does_not_grow_with_the_file(format):
    before, each, _ = MANY[format]

    def lines() -> Iterator[str]:
        yield from before.splitlines(keepends=True)
        while True:
            yield from each.splitlines(keepends=True)

    puzzles = read_puzzles(lines())
    list(islice(puzzles, 100))
    tracemalloc.start()
    try:
        for _ in islice(puzzles, 100):
            pass
        settled = held()
        for _ in islice(puzzles, 1000):
            pass
        assert held() - settled < 50_000
    finally:
        tracemalloc.stop()


def test_a_line_is_read_as_soon_as_it_comes():
    taken: list[int] = []

    def lines() -> Iterator[str]:
        for number in count(1):
            taken.append(number)
            yield f"{CLASSIC}\n"

    assert next(read_puzzles(lines())) == NINE
    assert taken == [1]


def test_endless_short_lines_are_not_rows():
    def lines() -> Iterator[str]:
        while True:
            yield LINE

    assert list(islice(read_puzzles(lines()), 500)) == [FOUR] * 500


def test_several_6x6_lines_ask_for_the_box_shape():
    text = f"{SIX}\n" * 3
    assert [line for line, _ in split(text)] == [1, 2, 3]
    with pytest.raises(InvalidPuzzle) as caught:
        list(read_puzzles(io.StringIO(text)))
    assert str(caught.value).startswith("line 1: a 6x6 grid leaves its box shape open: choose 1x6,")
    assert list(read_puzzles(io.StringIO(text), box=(2, 3))) == [SIX] * 3


@pytest.mark.parametrize("number", [35, 37, 72, 100])
def test_lines_of_a_size_that_is_not_a_square_are_lines_however_many(number):
    assert len(list(split(f"{SIX} by hand\n" * number))) == number


def test_an_error_says_where():
    lines = ["# a file", CLASSIC, "", "1.2"]
    puzzles = read_puzzles(lines)
    assert next(puzzles) == NINE
    with pytest.raises(InvalidPuzzle, match=r"line 4: the line has 3 characters"):
        next(puzzles)


def test_an_error_names_the_file(tmp_path):
    file = tmp_path / "bad.csv"
    file.write_text("puzzle,x\n1.2,3\n")
    for source in (file, os.fspath(file)):
        with pytest.raises(InvalidPuzzle) as caught:
            list(read_puzzles(source))
        assert str(caught.value).startswith(f"{file}, line 2: the line has 3 characters")


@pytest.mark.parametrize(
    ("encoding", "title", "complaint"),
    [
        ("utf-16", "f\u00fcr M\u00fcller", "this is not text in UTF-8 (UTF-16): save it as UTF-8"),
        (
            "utf-16-le",
            "title",
            "line 1 holds NUL characters, as text in UTF-16 does: save it as UTF-8",
        ),
        (
            "latin-1",
            "f\u00fcr M\u00fcller",
            "this is not text in UTF-8 (byte 0xfc is not UTF-8): save it as UTF-8",
        ),
    ],
)
def test_a_file_that_is_not_utf_8_says_how_to_save_it(encoding, title, complaint, tmp_path):
    file = tmp_path / "bad.txt"
    file.write_bytes(f"# {title}\n{CLASSIC}\n".encode(encoding))
    with pytest.raises(InvalidPuzzle) as caught:
        list(read_puzzles(file))
    assert str(caught.value) == f"{file}: {complaint}"
    with file.open(encoding="utf-8") as lines, pytest.raises(InvalidPuzzle) as caught:
        list(split(lines))
    assert str(caught.value) == complaint


@pytest.mark.parametrize("lines", [[], [""], ["\n", " \n"]])
def test_no_lines_are_no_puzzles(lines):
    with pytest.raises(InvalidPuzzle) as caught:
        list(read_puzzles(lines))
    assert str(caught.value) == "the text is empty; expected a puzzle"


@pytest.mark.parametrize("source", [None, 81, b"puzzle.txt"])
def test_what_is_neither_a_path_nor_lines_is_refused(source):
    with pytest.raises(TypeError, match="expected a path or lines of text, not "):
        list(read_puzzles(source))


@pytest.mark.parametrize("line", [CLASSIC.encode(), [5, 3], NINE, 1, None])
def test_lines_that_are_not_text_are_refused(line):
    with pytest.raises(TypeError, match=r"^line 2 is .*; expected text"):
        list(read_puzzles([CLASSIC, line]))


def test_a_name_that_no_file_can_have_is_not_a_puzzle():
    with pytest.raises(InvalidPuzzle, match="cannot be read: embedded null"):
        list(read_puzzles("\0"))


def test_a_missing_file_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        list(read_puzzles(tmp_path / "none.txt"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ends_of_lines_and_marks_of_editors(end, tmp_path):
    file = tmp_path / "marked.txt"
    file.write_bytes(f"\ufeff{CLASSIC}{end}{CLASSIC}".encode())
    assert list(read_puzzles(file)) == [NINE, NINE]


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.sampled_from([FOUR, NINE, ANSWER]), min_size=1, max_size=5),
    st.sampled_from(EXACT),
)
def test_what_is_written_one_after_another_is_split_again(grids, format):
    # Facts and MiniZinc's data are one puzzle a text, and XML has one root.
    if format in ("facts", "clingo", "opensudoku"):
        grids = grids[:1]
    text = "\n\n".join(grid.format(format) for grid in grids)
    assert list(read_puzzles(io.StringIO(text))) == grids


def test_the_command_line_reads_no_more_than_it_answers(tmp_path):
    """Standard input that stays open: the first answer comes before its end."""
    command = [sys.executable, "-m", "pylogic_sudoku", "solve", "-f", "line", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{CLASSIC}\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith("534678912")
        process.stdin.write("1.2\n")
        process.stdin.close()
        assert process.wait() == 2
