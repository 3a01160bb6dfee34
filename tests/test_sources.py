"""What the commands treat as a puzzle, as a file, or as neither."""

from __future__ import annotations

import pytest
from helpers.puzzles import CLASSIC

from pylogic_sudoku.commands._run import Run

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
        ("https://f-puzzles.com/?load=N4Ig", "puzzle 1: this link is not read; expected"),
    ],
)
def test_what_is_neither_a_puzzle_nor_a_file(source, complaint, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert list(Run((source,)).puzzles()) == []
    assert capsys.readouterr().err.startswith(complaint)


@pytest.mark.parametrize(
    "source", [CLASSIC, LINK + CLASSIC, f":0000:x:{CLASSIC}:::", "xx..." * 3 + "x"]
)
def test_a_puzzle_is_not_taken_for_a_file(source):
    ((where, grid),) = Run((source,)).puzzles()
    assert where == "puzzle 1"
    assert str(grid) in (CLASSIC, "." * 16)


def test_a_file_of_any_name_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("puzzles", "README", CLASSIC):
        (tmp_path / name).write_text(f"{CLASSIC}\n")
        assert [where for where, _ in Run((name,)).puzzles()] == [f"{name}, line 1"]
