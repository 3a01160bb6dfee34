"""Random text: it gives a puzzle or InvalidPuzzle, and what is read survives a round trip."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest
from helpers.format_texts import EXACT, with_singles
from helpers.puzzles import CLASSIC
from hypothesis import given, settings
from hypothesis import strategies as st

from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle
from pylogic_sudoku.formats import FORMATS, HOLD_RULES, READ_ONLY, parse, split

NAMES = st.none() | st.sampled_from([*FORMATS, *READ_ONLY])
BOXES = st.sampled_from([None, (2, 3), (2, 2), (1, 1)])
GRIDS = [
    Grid.parse("1..4.....3......"),
    Grid.parse("1....6" + "." * 24 + "6....1", box=(2, 3)),
    Grid.parse(CLASSIC),
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
    "#const dim=2. % a comment\n%* more *% given(1,1+1,3*1). #show clue/3. row(1..4).\n",
    "quizzes,solutions\n1..4.....3......,1234341221434321\n",
    "#A an author\n#C2x2 boxes\n[Puzzle]\n1..4\n....\n.3..\n....\n[State]\n1..4\n",
    "Grid 01\n1..4\n....\n.3..\n....\nGrid 02\n....\n....\n.3..\n....\n",
    "int: n = 4; /* x */ p = array2d(1..n, 1..n, [1,_,_,4, _,<>,0,0, 0,3,0,0, 0,0,0,0]);",
    '<!DOCTYPE a [<!ENTITY b "c">]><opensudoku><game data="1..4.....3......"/></opensudoku>',
    "```\n| a | b | c | d |\n|---|:-:|---|---|\n" + "| 1 |   |   | 4 |\n" * 4 + "```\n",
    "{ce:[[{v:1},,,],[,,,],[,,,],[,,,]],re:[],ca:[{ce:[[0,1],[0,2]],v:5,unique:t}]}",
    "sclN4IgDghgFgLgniAXAYQDQgB4HsCuANgKZICMAvuUA",
    ".Shape~4x4.~R1C1_1_2.Or.Thermo~R1C1~R1C2.Cage~3~R1C1~R1C2.End.Skyscraper~C2~2~3",
    "3x3::k:1024:1024" + ":1" * 79,
    "................AAABABBBCCCDCDDD",
]
# Pieces that mean something to one reader or another.
PIECES = """[ ] [[ [| | ( ) { } < > ' " \\ , ; : % %* *% /* */ # - + * _ . .. 0 36 1+1 2**2
    4294967297 initial(1,1,1). sudoku(1,1,5) :- array2d( {"grid": null "&a;" --- *---* [code]
    \u2502 \uff11 \u0665 \udc80 \u00e9 g 0123456789ABCDEF"""
WORDS = [*PIECES.split(), *" \n\r\f\0\ufeff\u00a0", "\t\t", "\n\n", "\r\n", "Answer: 1\n"]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """What some program writes, with a few pieces removed, inserted or doubled."""
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


@settings(deadline=None, max_examples=300)
@given(TEXTS, NAMES, BOXES)
def test_any_text_is_a_puzzle_that_survives_a_round_trip_or_invalid(text, name, box):
    with suppress(InvalidPuzzle):
        puzzle = Puzzle.parse(text, name, box)
        assert {Puzzle.parse(puzzle.format(each), each) for each in ("json", "facts")} == {puzzle}
    with suppress(InvalidPuzzle):
        grid = Grid.parse(text, name, box)
        assert {Grid.parse(grid.format(each), box=grid.box) for each in EXACT} == {grid}
        assert Grid.parse(grid.format("hex"), "hex", grid.box) == grid
        assert Grid.parse(grid.format("pencil"), "pencil", grid.box) == with_singles(grid)


@settings(deadline=None, max_examples=300)
@given(TEXTS, NAMES, BOXES)
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
