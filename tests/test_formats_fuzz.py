"""Random text: it gives a puzzle or InvalidPuzzle, never anything else."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest
from helpers.format_texts import EXACT, with_singles
from helpers.puzzles import CLASSIC
from hypothesis import given, settings
from hypothesis import strategies as st

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import FORMATS, parse, split

BOXES = [None, (2, 3), (2, 2), (1, 1)]
GRIDS = [
    Grid.parse("1..4.....3......"),
    Grid.parse("1....6" + "." * 24 + "6....1", box=(2, 3)),
    Grid.parse(CLASSIC),
    Grid((16, *range(16), 0, 10, *[0] * 237), (4, 4)),
]
# Pieces that mean something to one reader or another.
WORDS = [
    "[",
    "]",
    "[[",
    "]]",
    "[|",
    "|]",
    "|",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "'",
    '"',
    "\\",
    ",",
    ";",
]
WORDS += ["#C2x3 boxes\n", "#C2x2 boxes\n", "# format: hex\n", "# format: pencil\n"]
WORDS += ["# not given: r1c1, r9c9\n", '<game box="2x3" data="']
WORDS += ["<opensudoku>", "</opensudoku>", '<game data="', '"/>', "<!DOCTYPE a [", "&a;", "&#10;"]
WORDS += [
    "initial(1,1,1).",
    "sudoku(1,1,5)",
    "4294967297",
    "1+1",
    "2**2",
    "..",
    ":-",
    "#const dim=2.",
]
WORDS += [
    "Answer: 1\n",
    "UNSATISFIABLE\n",
    '{"Call":',
    '"Witnesses"',
    '{"grid":',
    "null",
    "array2d(",
]
WORDS += [
    "puzzle\n",
    "quizzes,solutions\n",
    "[Puzzle]\n",
    "Grid 1\n",
    "#A ",
    "%",
    "%*",
    "*%",
    "/*",
    "*/",
]
WORDS += [
    "1..4.....3......",
    "---",
    "*---*",
    "-",
    "+",
    "*",
    "_",
    ".",
    "0",
    "36",
    "37",
    "\u2550",
    "\u2502",
]
WORDS += [
    ":0000:x:+1..4.....3......:123:::",
    "https://www.sudokuwiki.org/sudoku.htm?bd=",
    "| 123 |",
    "|---|:-:|\n",
    ".---.---.\n",
    "4x4 (2x2) SUDOKU PUZZLE\n",
    "\n> ",
    "```\n",
    "[code]\n",
    "\t\t\t",
    ";",
    "0123456789ABCDEF",
    "g",
    "\u00a0",
    "\uff11",
]
WORDS += [" ", "\t", "\n", "\n\n", "\r\n", "\r", "\f", "\0", "\ufeff", "\udc80", "\u0665", "\u00e9"]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """The output of a writer, with a few pieces removed, inserted, doubled or moved."""
    grid = draw(st.sampled_from(GRIDS))
    text = grid.format(draw(st.sampled_from(sorted(FORMATS))))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        to = draw(st.integers(at, min(len(text), at + 30)))
        middle = draw(
            st.one_of(
                st.just(""), st.sampled_from(WORDS), st.just(text[at:to] * 2), st.text(max_size=3)
            )
        )
        text = text[:at] + middle + text[to:]
    return text


TEXTS = st.one_of(
    mutated(),
    st.lists(st.sampled_from(WORDS), max_size=30).map("".join),
    st.lists(mutated(), max_size=3).map("\n".join),
    st.text(max_size=60),
)


@settings(deadline=None, max_examples=200)
@given(TEXTS, st.sampled_from(BOXES))
def test_any_text_is_a_grid_or_an_invalid_puzzle(text, box):
    with suppress(InvalidPuzzle):
        grid = Grid.parse(text, box=box)
        assert isinstance(grid, Grid)
        assert {Grid.parse(grid.format(name), box=grid.box) for name in EXACT} == {grid}
        assert Grid.parse(grid.format("hex"), "hex", grid.box) == grid
        assert Grid.parse(grid.format("pencil"), "pencil", grid.box) == with_singles(grid)


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
@settings(deadline=None, max_examples=100)
@given(text=TEXTS, box=st.sampled_from(BOXES))
def test_so_it_is_in_a_format_of_a_given_name(format, text, box):
    with suppress(InvalidPuzzle):
        assert isinstance(Grid.parse(text, format, box), Grid)
    with suppress(InvalidPuzzle):
        for line, piece in split(text, box, format):
            assert line > 0
            with suppress(InvalidPuzzle):
                assert isinstance(parse(piece, format, box), Grid)


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.sampled_from(BOXES))
def test_a_text_holds_the_same_puzzles_whole_and_line_by_line(text, box):
    def found(lines: object) -> list[tuple[int, str]] | str:
        try:
            return list(split(lines, box))
        except InvalidPuzzle as error:
            return str(error)

    assert found(text) == found(io.StringIO(text, newline=None))


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
