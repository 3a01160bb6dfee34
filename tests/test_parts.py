"""The part of each module: core, sudoku or a door; `make lint` runs the script itself."""

from __future__ import annotations

import pytest

import parts

TABLE = {"engines": "core", "engines.sudoku.sat": "sudoku", "cli": "doors", "__init__": "doors"}


@pytest.mark.parametrize(
    ("module", "part"),
    [
        ("pylogic_sudoku", "doors"),
        ("pylogic_sudoku.engines", "core"),
        ("pylogic_sudoku.engines.clingo.ground_per_question", "core"),
        ("pylogic_sudoku.engines.sudoku.sat", "sudoku"),
        ("pylogic_sudoku.new", None),
        ("pylogic_sudoku.cli_more", None),
    ],
)
def test_the_longest_name_in_the_table_counts(module, part):
    assert parts.part_of(module, TABLE) == part


def test_what_is_wrong_with_the_table_is_said(monkeypatch, capsys):
    table = parts.table()
    assert table.pop("files") == "core"
    table["gone"] = "sudoku"
    monkeypatch.setattr(parts, "table", lambda: table)
    assert parts.main() == 1
    err = capsys.readouterr().err
    assert "pylogic_sudoku.files has no part" in err
    assert "tool.parts names gone, but there is no such module" in err


def test_an_import_from_the_core_to_sudoku_is_refused(monkeypatch, capsys):
    table = parts.table()
    assert table.pop("engines.sudoku") == "sudoku"  # so it belongs to the core, as engines do
    monkeypatch.setattr(parts, "table", lambda: table)
    assert parts.main() == 1
    out = capsys.readouterr().out
    assert "pylogic_sudoku.engines.sudoku.choice -> pylogic_sudoku.puzzle\n" in out
