"""Look for text that is neither read nor refused properly, guided by the code it reaches.

    python -m pip install atheris
    python fuzz/formats.py -max_total_time=300

Every text must give puzzles or InvalidPuzzle; a puzzle that was read must be read again from every
format that can hold it; and a text must hold the same puzzles whether it comes whole or line by
line. A text that breaks this is written to a file here (or to FOLDER, with
-artifact_prefix=FOLDER/), and `python fuzz/formats.py FILE` tries it again. Further arguments are
those of libFuzzer.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import suppress
from io import StringIO
from itertools import islice
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["pylogic_sudoku", "json", "csv"]):
    from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle
    from pylogic_sudoku.formats import FORMATS, READ_ONLY, parse, split

NAMES = (None, *FORMATS, *READ_ONLY)
BOXES = (None, (2, 3), (2, 2), (1, 1), (4, 4))

GRIDS = (
    Grid.parse("1..4.....3......"),
    Grid.parse("1....6" + "." * 24 + "6....1", box=(2, 3)),
    Grid.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"),
    Grid((16, *range(16), 0, 10, *[0] * 237), (4, 4)),
)
MORE = (
    'clingo version 5.8.0\nReading from stdin\nSolving...\nAnswer: 1\nsudoku(1,1,1) a("b c")\n'
    "Answer: 2\nsudoku(1,1,2)\nSATISFIABLE\n\nModels : 2\n",
    "UNSATISFIABLE\n",
    "#const dim=2. % a comment\n%* more *% given(1,1+1,3*1). #show clue/3. row(1..4).\n",
    "quizzes,solutions\n1..4.....3......,1234341221434321\n",
    "[Puzzle]\n1..4\n....\n.3..\n....\n[State]\n1..4\n",
    "#A an author\n#C2x2 boxes\n1..4\n....\n.3..\n....\n",
    "#C2x2 boxes\n# format: hex\n0..3.....2......\n",
    "# format: pencil\n# not given: r1c1\n1 23 23 4\n23 14 1 2\n2 3 4 1\n4 12 3 2\n",
    "<opensudoku><game box='2x2' data='1..4.....3......'/></opensudoku>",
    "Grid 01\n1..4\n....\n.3..\n....\nGrid 02\n....\n....\n.3..\n....\n",
    "int: n = 4; /* x */ p = array2d(1..n, 1..n, [1,_,_,4, _,<>,0,0, 0,3,0,0, 0,0,0,0]);",
    "problem(six, [[1,_],[_,1]], 1-2).\nproblem(1, [[1]]).",
    '[{"grid": ["1..4", "....", ".3..", "...."], "box": [2, 2]}, {"puzzle": null}]',
    "<opensudoku version='2'><folder name='x'><game data='version: 1 1|-|0|4|1,|1|'/></folder>"
    "</opensudoku>",
    '<!DOCTYPE a [<!ENTITY b "c">]><opensudoku>&b;</opensudoku>',
    ":0000:x:1..+4.....3......:123:::",
    f"https://www.sudokuwiki.org/sudoku.htm?bd={'0' * 81}",
    "4x4 (2x2) SUDOKU PUZZLE\nDifficulty: 0.50\n----------\n+-----+-----+\n| 1   |   4 |\n|     |"
    "     |\n+-----+-----+\n|   3 |     |\n|     |     |\n+-----+-----+\n",
    "> 1\t\t\t4\n> \t\t\t\n> \t3\n> \t\t\n",
    "```\n| a | b | c | d |\n|---|:-:|---|---|\n" + "| 1 |   |   | 4 |\n" * 4 + "```\n",
    '[["1", ".", "", "4"], ["....", null]]',
    '{"grid": "................", "regions": "1112122233343444", "marks": {"r1c1": "odd"}}',
    '{"size": 4, "grid": [[{"value": 1, "given": true}, {}, {}, {"region": 1}], [{}, {}, {}, {}],'
    ' [{}, {}, {}, {}], [{}, {}, {}, {}]], "killercage": [{"cells": ["R1C1"], "value": "1"}]}',
    "{ce:[[{v:1},,,],[,,,],[,,,],[,,,]],re:[],ca:[{ce:[[0,1],[0,2]],v:5,unique:t}]}",
    "sclN4IgDghgFgLgniAXAYQDQgB4HsCuANgKZICMAvuUA",
    ".Shape~4x4.~R1C1_1_2.Or.Thermo~R1C1~R1C2.Cage~3~R1C1~R1C2.End.Skyscraper~C2~2~3",
    "9" + "<" * 8 + "3x3::k:1024:1024" + ":1" * 79,
    "................AAABABBBCCCDCDDD",
    "[[1,_],[_,1]], 1-2, [killer_cage(cells=[1-1,1-2],sum=3), any_of(options=[[anti_knight]])]",
    "rule(1,any_of). option(1,1). option(1,1,2). rule(2,total). on(2,cells,1,1,1).",
    "initial(1,1,1). region(1,1,1). region(1,1,2). region(2,2,1). region(2,2,2). excluded(2,2,1).",
)


def check(data: bytes) -> None:
    """Raise AssertionError if a text is read wrongly; its first two bytes choose format and box."""
    if len(data) < 2:
        return
    format, box = NAMES[data[0] % len(NAMES)], BOXES[data[1] % len(BOXES)]
    text = data[2:].decode("utf-8", "surrogateescape")
    with suppress(InvalidPuzzle):
        puzzle = Puzzle.parse(text, format, box)
        for name in ("json", "facts"):
            if (same := Puzzle.parse(puzzle.format(name), name)) != puzzle:
                raise AssertionError(f"{puzzle!r} is read from {name} as {same!r}")
    with suppress(InvalidPuzzle):
        grid = Grid.parse(text, format, box)
        for name in FORMATS:
            named = name if name in ("hex", "pencil") else None
            again = Grid.parse(grid.format(name), named, grid.box)
            # Pencil marks that are single are read as givens.
            kept = all(
                new == old or not old for new, old in zip(again.digits, grid.digits, strict=True)
            )
            if again != grid and not (name == "pencil" and kept):
                raise AssertionError(f"{grid!r} is read from {name} as {again!r}")
    with suppress(InvalidPuzzle):
        pieces = list(islice(split(text, box, format), 50))
        streamed = list(islice(split(StringIO(text, newline=None), box, format), 50))
        if pieces != streamed:
            raise AssertionError(f"{pieces} of the text, but {streamed} of its lines")
        for number, piece in pieces:
            if number < 1 or not piece:
                raise AssertionError(f"piece {piece!r} at line {number}")
            with suppress(InvalidPuzzle):
                parse(piece, format, box)


def seeds(folder: Path) -> None:
    """Write a corpus to begin with: the output of our writers, and text for our readers only."""
    texts = [(name, grid.format(name)) for name in FORMATS for grid in GRIDS]
    texts += [(name, text) for text in MORE for name in (None, "facts", "answer")]
    for number, (name, text) in enumerate(texts):
        for choice in {0, NAMES.index(name)}:
            content = bytes((choice, number % 2)) + text.encode()
            (folder / f"{number}-{choice}").write_bytes(content)


def main() -> None:
    """Fuzz until interrupted."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = sys.argv
        if not any(Path(argument).is_file() for argument in arguments[1:]):
            seeds(Path(folder))
            arguments = [*arguments, "-max_len=2000", "-timeout=20", folder]
        atheris.Setup(arguments, check)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
