"""Published puzzles with rules, if their collection is there beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle, formats

FOLDER = Path(__file__).resolve().parent.parent.parent / "shared" / "corpora" / "variants"

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the puzzle collections are not part of the repository"
)

IN_THE_TEXT = {"The ARt of Sashimi", "Digit Sum Arrows", "XVXV - Episode 4: Renban"}
IN_THE_TEXT |= {"Scatterplot", "WackyWavingInflatableTubeMan!"}
"""Puzzles with a rule that stands only in the text of their documents."""


def content(name: str) -> list[str]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


@pytest.mark.slow
def test_every_document_of_f_puzzles_is_read_and_has_one_solution():
    read = 0
    for record in map(json.loads, content("fpuzzles.jsonl")):
        puzzle = Puzzle.parse(json.dumps(record["fpuzzles"]))
        text = any(title in record["name"] for title in IN_THE_TEXT)
        read += 1
        for form in ("json", "fpuzzles", "fpuzzles-link"):
            assert Puzzle.parse(puzzle.format(form)).format("fpuzzles") == puzzle.format("fpuzzles")
        found = list(pls.solutions(puzzle, limit=2))
        if record["solution"]:
            assert puzzle.holds(Grid.parse(record["solution"]))
        assert text or len(found) == 1, record["name"]
        assert text or record["solution"] in (None, str(found[0]))
    assert read == 37


def test_every_killer_is_read_and_its_answer_obeys_it():
    answers = 0
    for line in content("killers.txt"):
        puzzle, words = Puzzle.parse(line), line.split()
        assert {rule.kind for rule in puzzle.rules} <= {"killer_cage", "different"}
        if len(words) > 1 and len(words[1]) == 81:
            answers += 1
            assert puzzle.holds(Grid.parse(words[1]))
    assert answers == 15


def test_layouts_of_jigsaws_are_read():
    layouts = content("jigsaw-layouts.txt")
    assert len(layouts) == 776
    for layout in layouts[::9]:
        assert Puzzle.parse(layout, "jigsaw") == Puzzle.parse("." * 81 + layout)
        assert formats.detect(layout) == ("jigsaw" if layout[0].isalpha() else "line")
