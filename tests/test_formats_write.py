"""Writing each format and reading it again: streams, limits, and any text at all."""

from __future__ import annotations

import gc
import io
import json
import os
import re
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, islice
from pathlib import Path

import pytest
from helpers.format_texts import CLASSIC, EXACT, FOUR, SIX, SOLUTIONS, message
from hypothesis import given
from hypothesis import strategies as st

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle
from pylogic_sudoku.formats import FORMATS, HOLD_RULES, READ_ONLY, parse, read_puzzles, split

BOXES = [(r, c) for r in range(1, 37) for c in range(1, 37) if r * c <= 36]
MANY_BOXES = [(r, c) for r, c in BOXES if 16 < r * c < 36]

# These say the box shape; the others leave it open where boxes need not be square.
SHAPELY = {"facts", "answer", "clingo", "json", "dzn", "sdk", "opensudoku"}


# --- round trips ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "boxes",
    [sorted({*BOXES} - {*MANY_BOXES}), MANY_BOXES],
    ids=["small and largest", "between"],
)
def test_every_box_shape_is_written_and_read(boxes):
    for box in boxes:
        n = box[0] * box[1]
        grid = Grid(tuple(digit % (n + 1) for digit in range(n * n)), box)
        for format in EXACT:
            text = grid.format(format)
            assert Grid.parse(text, box=box) == grid, format
            if n <= 9:  # the others take long
                assert Grid.parse(text, format, box) == grid, format
                drawn = format == "pretty" and min(box) > 1
                if format in SHAPELY or drawn or 1 < box[0] == box[1]:
                    assert Grid.parse(text) == grid, format
        assert len({*map(len, grid.format("pencil").splitlines())}) == 1


@pytest.mark.parametrize("filled", [[], [0], [0, 1, 9, 10], range(4), [0, 10, 20, 30]], ids=str)
def test_few_facts_keep_their_shape(filled):
    """Those of a smaller grid would be the same."""
    grid = Grid(tuple(1 if cell in filled else 0 for cell in range(81)), (3, 3))
    assert Grid.parse(grid.format("facts")) == grid


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("line", "1..4.....3......"),
        ("rows", "1..4\n....\n.3..\n...."),
        ("pretty", "1 . | . 4\n. . | . .\n----+----\n. 3 | . .\n. . | . ."),
        (
            "facts",
            "#const box_rows=2. [override] #const box_columns=2. [override]\n"
            "initial(1,1,1). initial(1,4,4).\n"
            "initial(3,2,3).",
        ),
        ("prolog", "[[1,_,_,4],\n [_,_,_,_],\n [_,3,_,_],\n [_,_,_,_]]"),
        (
            "json",
            '{"box": [2, 2], "grid": [[1, null, null, 4], [null, null, null, null],'
            " [null, 3, null, null], [null, null, null, null]]}",
        ),
        ("sdk", "1..4\n....\n.3..\n...."),
        ("answer", "box_rows(2) box_columns(2) sudoku(1,1,1) sudoku(1,4,4) sudoku(3,2,3)"),
        ("csv", "puzzle\n1..4.....3......"),
        ("hex", "0..3.....2......"),
        ("ss", "*-----*\n|1.|.4|\n|..|..|\n|--+--|\n|.3|..|\n|..|..|\n*-----*"),
        (
            "dzn",
            "S = 2;\nstart = [| 1,0,0,4\n         | 0,0,0,0\n         | 0,3,0,0\n"
            "         | 0,0,0,0 |];",
        ),
        (
            "opensudoku",
            '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'
            '  <game data="1004000003000000"/>\n</opensudoku>',
        ),
        (
            "pencil",
            ".----------.-----------.\n"
            "| 1    +2  | 23    4   |\n"
            "| 234  24  | 123   123 |\n"
            ":----------+-----------:\n"
            "| 24   3   | 124   12  |\n"
            "| 24   124 | 1234  123 |\n"
            "'----------'-----------'",
        ),
    ],
)
def test_how_each_format_looks(format, text):
    assert FOUR.format(format) == text


def test_wide_numbers_stand_in_columns():
    grid = Grid((10, *[0] * 254, 9), (4, 4))
    rows = grid.format("rows").splitlines()
    assert (rows[0], rows[-1]) == ("10" + "  ." * 15, " ." + "  ." * 14 + "  9")
    assert grid.format("pretty").splitlines()[0] == "10  .  .  . |" + "  .  .  .  . |" * 2 + (
        "  .  .  .  ."
    )


def test_an_unknown_format_is_reported():
    with pytest.raises(ValueError, match="no format 'yaml'; choose one of line, rows, pretty"):
        Grid.parse("1", format="yaml")


def test_every_format_has_its_row_in_the_documentation():
    text = (Path(__file__).resolve().parent.parent / "docs" / "formats.md").read_text()
    documented = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert documented == [*FORMATS, *READ_ONLY]


# === However large a text is, it is read whole; input that cannot be text is refused at once ======

FACTS = [f"initial({x},{y},{n})." for x, y, n in Grid.parse(CLASSIC).givens]
SLOW = pytest.mark.slow
NUL = "line 1 holds NUL characters, as text in UTF-16 does: save it as UTF-8"


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\n".join(FACTS * 2_500), id="facts, one a line"),
        pytest.param(" ".join(FACTS * 2_500), id="facts on one line"),
        pytest.param("\n" * 1_100_000 + "\n".join(FACTS), id="blank lines", marks=SLOW),
        pytest.param("%*" + "5 3\n" * 300_000 + "*%" + "\n".join(FACTS), id="a comment"),
        pytest.param(f'note("{"x" * 1_100_000}"). {" ".join(FACTS)}', id="a string", marks=SLOW),
        pytest.param(
            "\n".join(f"edge({k},{k + 1})." for k in range(70_000)) + "\n".join(FACTS),
            id="facts of another name",
            marks=SLOW,
        ),
    ],
)
def test_more_than_a_million_characters_of_facts(text, tmp_path):
    file = tmp_path / "given.lp"
    file.write_text(text)
    assert len(text) > 1_000_000
    assert Grid.parse(text) == Grid.parse(CLASSIC)
    assert list(read_puzzles(file)) == [Grid.parse(CLASSIC)]


@pytest.mark.slow
def test_one_long_line_holds_a_puzzle_or_many():
    assert Grid.parse(CLASSIC + " " * 1_100_000 + "by hand") == NINE
    assert message("5" * 1_100_000).startswith("the line has 1100000 characters; expected 81")
    rows = Grid.parse(CLASSIC).rows
    line = json.dumps([{"grid": rows}] * 4_000)
    assert len(line) > 1_000_000
    assert sum(1 for _ in split(line)) == 4_000


def test_no_more_is_read_of_a_line_than_shows_that_it_is_not_text(tmp_path):
    file = tmp_path / "long.txt"
    with file.open("wb") as zeros:
        zeros.truncate(50_000_000)
    with file.open("rb", buffering=0) as raw, open(raw.fileno(), closefd=False) as lines:
        with pytest.raises(InvalidPuzzle, match=NUL):
            list(read_puzzles(lines))
        assert raw.tell() < 2_000_000


# === Files of many puzzles, read line by line: where each begins, and that no more is kept ========

NINE = Grid.parse(CLASSIC)
ANSWER = Grid.parse(SOLUTIONS[0])

# The text before all puzzles, that of each, and that after all.
MANY = {
    "line": ("", f"{CLASSIC}\n", ""),
    "rows": ("", NINE.format("rows") + "\n\n", ""),
    "pretty": ("", NINE.format("pretty") + "\n\n", ""),
    "sdk": ("", "#C a comment\n" + NINE.format("sdk") + "\n", ""),
    "answer": ("clingo version 5\n", f"Answer: 1\n{NINE.format('answer')}\n", "SATISFIABLE\n"),
    "prolog": ("% all\n", f"problem(1, {NINE.format('prolog')}).\n", ""),
    "json": ("", NINE.format("json") + "\n", ""),
    "csv": ("quizzes,solutions\n", f"{CLASSIC},x\n", ""),
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


def endless(format: str) -> Iterator[tuple[int, str]]:
    """The lines of a file without end, each with the number of the puzzle that it belongs to."""
    before, each, _ = MANY[format]
    for number in count():
        for line in (each if number else before).splitlines(keepends=True):
            yield number, line


@pytest.mark.parametrize("format", MANY)
def test_a_puzzle_is_there_before_the_next_is_read(format):
    taken = [0]
    puzzles = read_puzzles(taken.append(number) or line for number, line in endless(format))
    assert list(islice(puzzles, 200)) == [NINE] * 200
    assert taken[-1] <= 202


def held() -> int:
    """The bytes that are in use, without garbage that waits to be collected."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.slow
@pytest.mark.parametrize("format", MANY)
def test_memory_does_not_grow_with_the_file(format):
    puzzles = read_puzzles(line for _, line in endless(format))
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


def test_several_6x6_lines_ask_for_the_box_shape():
    text = f"{SIX}\n" * 3
    assert [line for line, _ in split(text)] == [1, 2, 3]
    asks = "^line 1: a 6x6 grid leaves its box shape open: choose 1x6,"
    with pytest.raises(InvalidPuzzle, match=asks):
        list(read_puzzles(io.StringIO(text)))
    assert list(read_puzzles(io.StringIO(text), box=(2, 3))) == [SIX] * 3


def test_an_error_names_the_file(tmp_path):
    file = tmp_path / "bad.csv"
    file.write_text("puzzle,x\n1.2,3\n")
    said = f"^{re.escape(str(file))}, line 2: the line has 3 characters"
    for source in (file, os.fspath(file)):
        with pytest.raises(InvalidPuzzle, match=said):
            list(read_puzzles(source))


@pytest.mark.parametrize(
    ("encoding", "title", "complaint"),
    [
        ("utf-16", "f\u00fcr M\u00fcller", "this is not text in UTF-8 (UTF-16): save it as UTF-8"),
        ("utf-16-le", "title", NUL),
        ("latin-1", "f\u00fcr", "this is not text in UTF-8 (byte 0xfc is not UTF-8): save it as"),
    ],
)
def test_a_file_that_is_not_utf_8_says_how_to_save_it(encoding, title, complaint, tmp_path):
    file = tmp_path / "bad.txt"
    file.write_bytes(f"# {title}\n{CLASSIC}\n".encode(encoding))
    with pytest.raises(InvalidPuzzle, match=re.escape(f"{file}: {complaint}")):
        list(read_puzzles(file))
    refused = pytest.raises(InvalidPuzzle, match=f"^{re.escape(complaint)}")
    with file.open(encoding="utf-8") as lines, refused:
        list(split(lines))


@pytest.mark.parametrize(
    ("source", "error", "complaint"),
    [
        *((each, TypeError, "expected a path or lines of text, not ") for each in (None, 81, b"p")),
        *(
            ([CLASSIC, each], TypeError, "^line 2 is .*; expected text")
            for each in (CLASSIC.encode(), [5, 3], NINE, 1, None)
        ),
        ("\0", InvalidPuzzle, "cannot be read: embedded null"),
        ("none.txt", FileNotFoundError, "none.txt"),
    ],
)
def test_what_is_not_a_file_or_lines_of_text_is_refused(source, error, complaint):
    with pytest.raises(error, match=complaint):
        list(read_puzzles(source))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ends_of_lines_and_marks_of_editors(end, tmp_path):
    file = tmp_path / "marked.txt"
    file.write_bytes(f"\ufeff{CLASSIC}{end}{CLASSIC}".encode())
    assert list(read_puzzles(file)) == [NINE, NINE]


@given(
    st.lists(st.sampled_from([FOUR, NINE, ANSWER]), min_size=1, max_size=5),
    st.sampled_from(EXACT),
)
def test_what_is_written_one_after_another_is_split_again(grids, format):
    if format in ("facts", "dzn", "opensudoku"):  # which are one document
        grids = grids[:1]
    text = "\n\n".join(grid.format(format) for grid in grids)
    assert list(read_puzzles(io.StringIO(text))) == grids


# === Random text: it gives a puzzle or InvalidPuzzle, and what is read survives a round trip ======

NAMES = st.none() | st.sampled_from([*FORMATS, *READ_ONLY])
SOME_BOXES = st.sampled_from([None, (2, 3), (2, 2), (1, 1)])
GRIDS = [
    FOUR,
    SIX,
    NINE,
    Grid((16, *range(16), 0, 10, *[0] * 237), (4, 4)),
]
RULED = Puzzle(
    GRIDS[0],
    regions="1112122233343444",
    marks={"r1c2": "even"},
    rules=[
        {"rule": "killer_cage", "cells": ["r1c1", "r1c2"], "sum": 3},
        {"rule": "any_of", "options": [[{"rule": "anti_knight"}], [{"rule": "anti_king"}]]},
    ],
)
WRITTEN = [grid.format(name) for grid in GRIDS for name in FORMATS]
WRITTEN += [RULED.format(name) for name in ("json", "facts")]
WRITTEN += [Puzzle(GRIDS[0], rules=RULED.rules[:1]).format(name) for name in HOLD_RULES]
WRITTEN += [  # what others write
    'clingo version 5.8.0\nSolving...\nAnswer: 1\nsudoku(1,1,1) a("b c")\nSATISFIABLE\n',
    "#const dim=2. % a comment\n%* more *% given(1,2,3). #show clue/3. row(1..4).\n",
    "quizzes,solutions\n1..4.....3......,1234341221434321\n",
    "#A an author\n#C2x2 boxes\n[Puzzle]\n1..4\n....\n.3..\n....\n[State]\n1..4\n",
    "Grid 01\n1..4\n....\n.3..\n....\nGrid 02\n....\n....\n.3..\n....\n",
    "```\n| a | b | c | d |\n|---|:-:|---|---|\n" + "| 1 |   |   | 4 |\n" * 4 + "```\n",
    "sclN4IgDghgFgLgniAXAYQDQgB4HsCuANgKZICMAvuUA",
    ".Shape~4x4.~R1C1_1_2.Or.Thermo~R1C1~R1C2.Cage~3~R1C1~R1C2.End.Skyscraper~C2~2~3",
    "3x3::k:1024:1024" + ":1" * 79,
    "................AAABABBBCCCDCDDD",
    '<!DOCTYPE a [<!ENTITY b "c">]><opensudoku><game data="1..4.....3......"/></opensudoku>',
]
# Pieces that mean something to one reader or another.
PIECES = """[ ] [[ | ( ) { } < > ' " \\ , ; : % %* *% /* */ # - + * _ . .. 0 36 1+1 2**2
    4294967297 initial(1,1,1). sudoku(1,1,5) :- {"grid": null "&a;" --- *---* [code]
    \u2502 \uff11 \u0665 \udc80 \u00e9 g 0123456789ABCDEF"""
WORDS = [*PIECES.split(), *" \n\r\f\0\ufeff\u00a0", "\t\t", "\n\n", "\r\n", "Answer: 1\n"]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """The output of some program, with a few pieces removed, inserted or doubled."""
    text = draw(st.sampled_from(WRITTEN))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        to = draw(st.integers(at, min(len(text), at + 30)))
        new = st.sampled_from(["", text[at:to] * 2]) | st.sampled_from(WORDS) | st.text(max_size=3)
        text = text[:at] + draw(new) + text[to:]
    return text


TEXTS = (
    mutated()
    | st.lists(st.sampled_from(WORDS), max_size=30).map("".join)
    | st.lists(mutated(), max_size=3).map("\n".join)
    | st.text(max_size=60)
)


@given(TEXTS, NAMES, SOME_BOXES)
def test_any_text_is_a_puzzle_that_survives_a_round_trip_or_invalid(text, name, box):
    with suppress(InvalidPuzzle):
        puzzle = Puzzle.parse(text, name, box)
        assert {Puzzle.parse(puzzle.format(each), each) for each in ("json", "facts")} == {puzzle}
    with suppress(InvalidPuzzle):
        grid = Grid.parse(text, name, box)
        assert {Grid.parse(grid.format(each), box=grid.box) for each in EXACT} == {grid}


@given(TEXTS, NAMES, SOME_BOXES)
def test_a_text_holds_the_same_puzzles_whole_and_line_by_line(text, name, box):
    def found(lines: object) -> list[tuple[int, str]] | str:
        try:
            return list(split(lines, box, name))
        except InvalidPuzzle as error:
            return str(error)

    pieces = found(text)
    assert pieces == found(io.StringIO(text, newline=None))
    for line, piece in pieces if isinstance(pieces, list) else ():
        assert line > 0
        with suppress(InvalidPuzzle):
            parse(piece, name, box)


# --- texts of hostile length ------------------------------------------------------------

LONG = 50_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "[" * LONG + "]" * LONG,
        "[[],[" * LONG,
        "/*\n" * LONG + "[[1])",
        "/**/" * LONG + "[[1])",
        "%*\n" * LONG + "initial(1,1,",
        '"a\\' * LONG,
        '"a\\' * LONG + " sudoku(1,1,",
        "sudoku(" * LONG,
        "sudoku(1,1," + "f(" * LONG + ")" * LONG + ")",
        "initial(1,1," + "f(" * 4000 + ")" * 4000 + ").",
        "*-" * LONG + "\n1\n2",
        "#\n" * LONG + "?",
    ],
    ids=range(12),
)
def test_long_texts_are_refused_in_a_time_that_grows_with_their_length(text):
    # Time is held by the limit of the whole test run: a square of this length takes minutes.
    with pytest.raises(InvalidPuzzle):
        Grid.parse(text)
    with pytest.raises(InvalidPuzzle):
        list(map(Grid.parse, (piece for _, piece in split(text))))
