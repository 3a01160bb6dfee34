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


@pytest.mark.slow
def test_what_is_wrong_with_the_table_is_said(monkeypatch, capsys):
    table = parts.table()
    assert table.pop("files") == "core"
    table["gone"] = "sudoku"
    monkeypatch.setattr(parts, "table", lambda: table)
    assert parts.main() == 1
    err = capsys.readouterr().err
    assert "pylogic_sudoku.files has no part" in err
    assert "tool.parts names gone, but there is no such module" in err


@pytest.mark.slow
def test_an_import_from_the_core_to_sudoku_is_refused(monkeypatch, capsys):
    table = parts.table()
    assert table.pop("engines.sudoku") == "sudoku"  # so it belongs to the core, as engines do
    monkeypatch.setattr(parts, "table", lambda: table)
    assert parts.main() == 1
    out = capsys.readouterr().out
    assert "pylogic_sudoku.engines.sudoku.choice -> pylogic_sudoku.puzzle\n" in out


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('import_module("pylogic_sudoku.puzzle.cells")', {"puzzle.cells"}),
        ('PLACE = "pylogic_sudoku.engines.sudoku.sat:SatBackend"', {"engines.sudoku.sat"}),
        (
            'HERE = "pylogic_sudoku.engines"\nPLACE = f"{HERE}.sudoku.sat:SatBackend"',
            {"engines.sudoku.sat", "engines"},
        ),
        ('HERE = "pylogic_sudoku"\nimport_module(HERE + ".formats")', {"formats"}),
        (
            'def __getattr__(name):\n    return import_module(f"{__name__}.sudoku").get',
            {"engines.sudoku"},
        ),
        ('RUN = "from pylogic_sudoku.check.losses import main; main()"', {"check.losses"}),
        ("importlib.import_module(name)", {"?"}),
        ('import_module(f"pylogic_sudoku.{name}")', {"?"}),
        ('"""Of `pylogic_sudoku.rules`."""\nraise TypeError("no pylogic_sudoku.Grid")', set()),
    ],
)
def test_a_string_that_names_a_module_is_seen(text, named):
    modules = parts.grimp.build_graph("pylogic_sudoku").modules
    found = parts.named_in(text, "pylogic_sudoku.engines", modules)
    assert {each if each == parts.ANY else parts.short(each) for each in found} == named


@pytest.mark.slow
@pytest.mark.one_in(2)
@pytest.mark.parametrize("listed", [True, False])
def test_a_string_that_names_a_module_of_sudoku_is_refused_unless_it_is_listed(
    monkeypatch, capsys, listed
):
    section = parts.settings()
    strings = section["strings"]
    assert strings.pop("engines.registry -> engines.sudoku.sat") == "BUILT_IN"
    strings |= (
        {"engines.registry -> engines.sudoku.sat": "x", "mcp -> puzzle": "x"} if listed else {}
    )
    monkeypatch.setattr(parts, "settings", lambda: section)
    assert parts.main() == 1
    err = capsys.readouterr().err
    if listed:
        assert err == "tool.parts.strings has mcp -> puzzle, which is gone\n"
    else:
        assert err.startswith(
            "engines.registry -> engines.sudoku.sat by a string: import it, or list"
        )
