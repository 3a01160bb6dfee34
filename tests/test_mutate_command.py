"""``compare --mutate`` and ``--replay``: trouble is reported, shrunk, saved and asked again."""

from __future__ import annotations

import json
import re
import textwrap
from functools import partial
from itertools import islice
from pathlib import Path

import pytest
from helpers.command_line import environment
from helpers.command_line import run as run_command
from helpers.fakes import Planted
from helpers.oracle import dig, full_grid
from test_cross_check import figures, records

from pylogic_sudoku import Puzzle, engines
from pylogic_sudoku.rules import Thermometer

PUZZLES = [dig(full_grid((2, 2), seed), 6, seed) for seed in range(8)]


def loses_a_corner(puzzle, found):
    """None, if the last 2x2 box begins with a 4 and any cell is empty."""
    return () if puzzle.digits[10] == 4 and 0 in puzzle.digits else found


@pytest.fixture
def plant(monkeypatch):
    """Let there be a third engine with this fault."""

    def planted(fault, name="planted"):
        monkeypatch.setitem(engines._made, name, Planted(fault, name))
        monkeypatch.setattr(engines, "_others", lambda: {name: ""})

    return planted


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.txt").write_text("".join(f"{puzzle}\n" for puzzle in PUZZLES))
    return tmp_path


BOTH = ("-b", "clingo", "-b", "planted")


def found_files() -> list[str]:
    return sorted(path.name for path in Path().glob("trouble*"))


def test_a_fault_is_reported_shrunk_saved_and_asked_again(command, plant):
    plant(loses_a_corner)
    code, out, err = command("compare", "--mutate", 9, *BOTH, "p.txt")
    assert code == 5
    assert found_files() == ["trouble-1.json"]  # all of it is the same in the end
    assert "  shrunk to 1 given: pylogic-sudoku compare --replay trouble-1.json\n" in err
    assert "Traceback" not in err
    assert re.search(r"│ [1-9]\d+ +│ [1-9] +│", out)

    text = Path("trouble-1.json").read_text()
    saved = json.loads(text)
    assert saved["trouble"] == "the engines disagree"
    assert (saved["puzzle"], saved["box"]) == ("..........4.....", [2, 2])
    assert saved["answers"]["planted"] == ["0 solutions"]
    assert saved["answers"]["clingo"][0].startswith("at least 50 solutions, such as ")
    assert '\n "puzzle": "..........4.....",\n' in text

    code, out, err = command("compare", "--replay", "trouble-1.json")
    assert (code, err) == (5, "")
    assert ". . | 4 ." in out
    assert "planted: 0 solutions\n" in out
    assert out.endswith("The trouble is still there.\n")
    alone = ("compare", "--replay", "trouble-1.json", "-t", 9, "-b", "clingo")
    code, out, err = command(*alone)
    assert (code, out) == (2, "")
    assert "-b clingo needs another -b to be compared with" in err
    code, out, err = command(*alone, "-b", "prolog")
    assert (code, err) == (0, "")
    assert out.endswith("That was the trouble; it is gone.\n")
    plant(lambda _puzzle, found: found)
    assert command("compare", "--replay", "trouble-1.json")[0] == 0

    # The puzzle of the file is one for every command.
    code, out, _ = command("count", "trouble-1.json", "-b", "planted")
    assert (code, out) == (0, "72\n")


def test_what_only_a_variant_shows(command, plant):
    """The engine is asked alone, and so contradicts only itself."""
    plant(lambda _puzzle, found: (grid for grid in found if grid.digits[0] != 1))
    Path("p.txt").write_text(f"{PUZZLES[1]}\n")
    assert command("compare", "-b", "planted", "p.txt")[0] == 2
    code, out, err = command("compare", "--mutate", 9, "-b", "planted", "p.txt")
    assert (code, figures(out)[0], figures(out)[-1]) == (5, 1, 0)
    assert err.startswith("p.txt, line 1: a variant: planted: with ")
    assert "  shrunk to 1 given: " in err
    saved = json.loads(Path("trouble-1.json").read_text())
    assert saved["wrong"] == ["planted"]
    assert saved["change"].keys() == {"digits", "rows", "columns", "transposed"}
    code, out, _ = command("compare", "--replay", "trouble-1.json")
    assert code == 5
    assert "; then " in out
    assert "swapped:\n" in out


def test_no_trouble(command):
    code, out, err = command("compare", "--mutate", 3, "--json", "log", "p.txt")
    assert (code, err, found_files()) == (0, "", [])
    found, summary = records(Path("log"))
    assert [record["variants"] for record in found] == [3] * 8
    assert (summary["variants"], summary["trouble"]) == (24, 0)
    assert out.count("variants") == 1
    code, out, _ = command("compare", "--resume", "log", "--mutate", 3, "p.txt")
    assert code == 0
    assert "variants" in out
    assert "variants" not in command("compare", "p.txt")[1]


def test_records_remember_trouble(command, plant):
    plant(loses_a_corner)
    ask = ("compare", "--mutate", 9, *BOTH)
    code, out, _ = command(*ask, "--fail-fast", "--json", "log", "p.txt")
    assert code == 5
    found, summary = records(Path("log"))
    assert 0 < len(found) < 8
    assert found[-1]["trouble"] == "trouble-1.json"
    assert summary["trouble"] == 1
    # The rest has no trouble, but what was there before counts.
    plant(lambda _puzzle, found: found)
    code, out, _ = command(*ask, "--resume", "log", "p.txt")
    assert (code, figures(out)[0]) == (5, 8)


def test_no_file_is_overwritten(command, plant):
    plant(loses_a_corner)
    Path("trouble-1.json").write_text("mine")
    Path("other").mkdir()
    assert command("compare", "--mutate", 9, *BOTH, "p.txt")[0] == 5
    assert found_files() == ["trouble-1.json", "trouble-2.json"]
    assert Path("trouble-1.json").read_text() == "mine"
    assert command("compare", "--mutate", 9, "--save-trouble", "other", *BOTH, "p.txt")[0] == 5
    assert found_files() == ["trouble-1.json", "trouble-2.json"]
    assert Path("other/trouble-1.json").exists()


def test_with_no_variants_a_disagreement_is_shrunk(command, plant):
    plant(loses_a_corner)
    Path("p.txt").write_text("12..34....4.4321")
    code, _, err = command("compare", "--mutate", 0, *BOTH, "p.txt")
    assert code == 5
    assert "the engines disagree" in err
    assert found_files() == ["trouble-1.json"]


def test_ctrl_c_keeps_the_smallest_so_far(command, plant):
    asked = []

    def stopped(puzzle, found):
        asked.append(puzzle)
        if len(asked) == 5:
            raise KeyboardInterrupt
        return loses_a_corner(puzzle, found)

    plant(stopped)
    Path("p.txt").write_text("12343412214343..")
    code, out, err = command("compare", "--mutate", 0, *BOTH, "--json", "log", "p.txt")
    assert (code, figures(out)[-1]) == (130, 1)
    assert records(Path("log"))[0][0]["trouble"] == "trouble-1.json"
    assert err.endswith("Interrupted.\n")
    saved = json.loads(Path("trouble-1.json").read_text())
    left = sum(map(str.isdigit, saved["puzzle"]))
    assert 1 < left < 14
    assert f"shrunk to {left} givens: " in err


def test_rules_and_marks_are_in_the_file(command, plant):
    plant(lambda puzzle, found: islice(found, 1 if isinstance(puzzle, Puzzle) else None))
    engines._made["planted"].knows = frozenset({"regions", "marks", "rules"})
    puzzle = Puzzle("1" + "." * 15, marks={"r2c2": "even"}, rules=[Thermometer("r4c1 r4c2")])
    Path("p.json").write_text(json.dumps(puzzle.to_json()))
    code, _, err = command("compare", "--mutate", 0, *BOTH, "p.json")
    assert code == 5
    assert "shrunk to 1 rule: " in err
    assert command("compare", "--replay", "trouble-1.json")[0] == 5
    saved = Puzzle.parse(Path("trouble-1.json").read_text())
    assert saved.rules == puzzle.rules


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--replay", "none.json"], "Error: none.json cannot be read: No such file or directory\n"),
        (["--replay", "p.txt"], "Error: p.txt: this is not JSON: "),
        (
            ["--replay", "empty.json"],
            "Error: empty.json: this is not a record of trouble: 'box' is",
        ),
        (["--replay", "p.txt", "p.txt"], "--replay FILE goes with -b, -t and --rule alone"),
        (["--replay", "p.txt", "--json", "log"], "--replay FILE goes with -b, -t and --rule alone"),
        ([], "Missing argument 'FILE...'."),
        (["--seed", "1", "p.txt"], "--seed goes with --mutate"),
        (["--save-trouble", ".", "p.txt"], "--save-trouble goes with --mutate"),
        (["--mutate", "1", "--save-trouble", "none", "p.txt"], "none/trouble.json: No such"),
    ],
)
def test_what_cannot_be_done_is_said(command, arguments, message):
    Path("empty.json").write_text("{}")
    code, out, err = command("compare", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_an_engine_that_is_gone_is_missing(command, plant):
    plant(loses_a_corner)
    command("compare", "--mutate", 0, *BOTH, "-b", "prolog", "12..34....4.4321")
    saved = Path("trouble-1.json").read_text().replace("planted", "gone")
    Path("trouble-1.json").write_text(saved)
    code, _, err = command("compare", "--replay", "trouble-1.json")
    assert (code, "gone" in err) == (3, True)


PLUGIN = """
    from pylogic_sudoku.engines.clingo import ClingoBackend

    class Planted(ClingoBackend):
        name = engine = "planted"

        def solutions(self, puzzle, timeout=None):
            if puzzle.digits[10] != 4 or 0 not in puzzle.digits:
                yield from super().solutions(puzzle, timeout)
    """


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_engine_of_another_package_in_several_processes(tmp_path, jobs):
    about = tmp_path / "planted-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1\n")
    entry = "[pylogic_sudoku.backends]\nplanted = planted:Planted\n"
    (about / "entry_points.txt").write_text(entry)
    (tmp_path / "planted.py").write_text(textwrap.dedent(PLUGIN))
    run = partial(run_command, "compare", env=environment(tmp_path), cwd=tmp_path)
    done = run("--jobs", jobs, "--mutate", 6, "--json", "log", *BOTH, "p.txt")
    assert done.returncode == 5
    assert found_files() == ["trouble-1.json"]
    found, _ = records(Path("log"))
    assert len(found) == 8
    assert all(record["variants"] == 6 or "trouble" in record for record in found)
    again = run("--replay", "trouble-1.json")
    assert (again.returncode, again.stderr) == (5, "")
