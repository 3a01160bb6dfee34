"""Points: for ways of failing, for instances, from a file; hidden instances."""

from __future__ import annotations

import json
from dataclasses import fields
from itertools import islice
from pathlib import Path

import pytest
from helpers.small_programs import FOUR, GRID, LOOSE, NARROW, RIGHT, SLOW, UNIQUE, WRONG

from pylogic_sudoku import Grid, InvalidPuzzle, solutions, solve
from pylogic_sudoku.check import Bounds, Grader, Points, Verdict, grade
from pylogic_sudoku.check._answers import alike
from pylogic_sudoku.check._exercise import _KINDS, settings_in
from pylogic_sudoku.check._result import Marker

TABLE = Points(10, wrong=0.1, nothing=0.2, missing=0.3, symmetric=0.4, timeout=0.5, error=0.6)


@pytest.mark.parametrize(
    ("text", "puzzle", "way", "points"),
    [
        (RIGHT, UNIQUE, "", 10),
        (WRONG, FOUR, "wrong", 1),
        (RIGHT + ":- sudoku(1,1,4).\n", UNIQUE, "nothing", 2),
        (RIGHT + ":- sudoku(2,3,2).\n", FOUR, "missing", 3),
        # The digits can be exchanged in an empty grid, so each solution has a twin that begins
        # with 2; those of a puzzle with givens have none.
        (NARROW, LOOSE, "symmetric", 4),
        (SLOW, UNIQUE, "timeout", 5),
        (RIGHT + "a :- b\nc.", UNIQUE, "error", 6),
    ],
)
def test_each_way_of_failing_has_its_points(program, text, puzzle, way, points):
    timeout = 0.3 if way == "timeout" else 100
    (verdict,) = grade(program(text), puzzle, timeout=timeout)
    assert verdict.way == way
    assert TABLE.earned(verdict) == points
    assert TABLE.worth(verdict) == 10


def test_solutions_are_alike_only_if_the_puzzle_is_kept():
    one, two = Grid.parse("1234341221434321"), Grid.parse("2134342112434312")
    assert alike([two], [one], Grid.parse(LOOSE))
    assert not alike([two], [one], Grid.parse("1..............."[::-1]))
    turned = Grid(tuple(one.digits[::-1]), one.box)
    assert alike([turned], [one], Grid.parse(LOOSE))
    assert not alike([two, turned], [], Grid.parse(LOOSE))
    assert alike([], [], Grid.parse(LOOSE))


def test_any_number_of_solutions_is_compared():
    """Each of a thousand, turned, mirrored and with other digits, beside one that is alone."""
    empty = Grid.parse("." * 81)
    found = list(islice(solutions(empty), 1000))
    turned = [Grid(tuple(10 - digit for digit in grid.digits[::-1]), (3, 3)) for grid in found]
    assert alike(turned, found, empty)
    assert not alike([*turned, solve("12" + "." * 77 + "21")], found, empty)


def test_an_instance_at_fault_is_worth_nothing():
    verdict = Verdict("a", "error", 0, graded=False, way="error")
    assert (TABLE.earned(verdict), TABLE.worth(verdict)) == (0, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wrong", "'wrong' does not set points; expected NAME=NUMBER"),
        ("wrong=x", "'wrong=x' does not set points"),
        ("wrong=2", "wrong = 2.0: expected a part from 0 to 1"),
        ("wrong=nan", "expected a part from 0 to 1"),
        ("instance=-1", "instance = -1.0: expected points, 0 or more"),
        ("ex001=inf", "ex001 = inf: expected points, 0 or more"),
    ],
)
def test_impossible_points(text, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        Points().with_([text])


# --- exercise.toml ------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path) -> Path:
    """An exercise with three instances, of which the second is hidden."""
    (tmp_path / "instances").mkdir()
    for number, puzzle in enumerate((UNIQUE, FOUR, LOOSE), 1):
        facts = Grid.parse(puzzle).format("facts") if puzzle != LOOSE else "#const dim=2."
        (tmp_path / "instances" / f"ex{number}.lp").write_text(facts)
    (tmp_path / "exercise.toml").write_text(
        'title = "Week 3"\ntimeout = 60\n\n[points]\ninstance = 10\nwrong = 0.5\n'
        "[instances.ex2]\nhidden = true\npoints = 20\n"
    )
    return tmp_path


def test_settings_are_read(folder):
    found = settings_in(folder)
    assert found is not None
    assert (found.title, found.options, found.solutions) == ("Week 3", {"timeout": 60}, None)
    assert found.points == Points(10, wrong=0.5, instances={"ex2": 20}, hidden=frozenset({"ex2"}))
    assert settings_in(folder / "instances") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = ", "Invalid value"),
        ("color = 1", "'color' is not known; the names are title,"),
        ("timeout = 'x'", "timeout = 'x': expected a number"),
        ("timeout = true", "timeout = True: expected a number"),
        ("constants = 'x'", "expected a list of texts"),
        ("constants = [1]", "expected a list of texts"),
        ("timeout = -1", "timeout must be over 0 seconds, not -1"),
        ("total = 0", "total must be over 0 seconds, not 0"),
        ("allow_scripts = true", "'allow_scripts' is not known"),
        ("deadline = 3", "'deadline' is not known"),
        ("memory = 2.5", "memory = 2.5: expected a whole number"),
        ("vocabulary = 'x'", "there is no vocabulary 'x'"),
        ("points = 3", r"points should be a table, \[points\]"),
        ("[bounds]\noutput = 0", "output = 0: expected a whole number from 1 to 1,000,000"),
        ("[bounds]\nspeed = 1", "bounds: 'speed' is not known; the names are output, atoms,"),
        ("[points]\nhard = 3", "points: 'hard' is not known"),
        ("[points]\nwrong = 3", "wrong = 3: expected a part from 0 to 1"),
        ("[points]\nwrong = 'x'", "wrong = 'x': expected a part"),
        ("[instances.ex1]\nhide = true", "instances.ex1: expected points or hidden, not 'hide'"),
        ("[instances.ex1]\nhidden = 1", "instances.ex1: hidden is true or false"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_name(folder, text, message):
    (folder / "exercise.toml").write_text(text)
    with pytest.raises(InvalidPuzzle, match=rf"exercise\.toml: .*{message}"):
        settings_in(folder)


def test_the_file_sets_all_but_rights_and_what_belongs_to_one_run():
    names = {each.name for each in fields(Grader)}
    assert names - _KINDS.keys() == {"allow_scripts", "bounds", "format", "box", "deadline"}
    assert _KINDS.keys() - names == {"title", "input_atom", "output_atom"}
    assert all(f"`{name}`" in Grader.__doc__ for name in names)


def test_bounds_are_read(folder, command, program):
    with (folder / "exercise.toml").open("a") as file:
        file.write("[bounds]\nlines = 1\n")
    assert settings_in(folder).bounds == Bounds(lines=1)
    broken = program(RIGHT + "a(X) :- not b.\n")
    for options, number in (((), 1), (("--bound", "lines=2"), 2)):
        _, output, _ = command("check", "-e", broken, "-i", folder, *options)
        shown = output.splitlines()[1 : 2 + number]
        assert shown[-1] == f"    ... and {3 - number} more lines"


def test_the_command_uses_the_file(command, folder, program):
    file = program(WRONG)
    code, output, _ = command("check", "-e", file, "-i", folder, "--no-times")
    lines = output.splitlines()
    assert code == 1
    assert lines[0] == "ex1          failure  5/10 points"
    at = lines.index("hidden 1     failure  10/20 points")
    assert lines[at + 1] == "    a hidden instance: an answer is wrong"
    assert lines[-2:] == ["0 of 3 passed, points: 20/40", "FAILURE"]
    code, output, _ = command(
        "check", "-e", file, "-i", folder, "--show-hidden", "--points", "wrong=0"
    )
    assert "ex2          failure" in output
    assert "both hold" in output.partition("ex3")[0]
    assert "points: 0/40" in output
    assert command("check", "-e", file, "-i", folder, "--points", "ex9=1")[0] == 2


def test_hidden_instances_in_json_and_reports(command, folder, program, tmp_path):
    file = program(GRID + "#show sudoku/3.")
    target = tmp_path / "results.json"
    code, output, _ = command(
        *("check", "-e", file, "-i", folder, "-f", "json", "--report", f"gradescope={target}")
    )
    assert code == 1
    _, second, _, last = map(json.loads, output.splitlines())
    assert (second["instance"], second["hidden"], second["points"]) == ("hidden 1", True, 10)
    assert (second["extra_grid"], second["rule"], second["message"]) == (None, "", "")
    assert (last["points"], last["worth"]) == (20, 40)
    tests = json.loads(target.read_text())["tests"]
    assert [test["score"] for test in tests] == [5, 10, 5]
    assert "ex2" not in output + target.read_text()


def test_without_times_two_runs_print_the_same(command, folder, program):
    file = program(WRONG)
    options = ("--no-times", "-f", "json")
    runs = {command("check", "-e", file, "-i", folder, *options) for _ in range(2)}
    assert len(runs) == 1


def test_a_fault_of_the_program_is_told_if_the_first_instance_is_hidden(program):
    puzzles = [UNIQUE, FOUR]
    verdicts = grade(program(RIGHT + "a :- b\nc."), puzzles).all
    assert verdicts[1].message.endswith("see puzzle-1")
    marker = Marker(Points(hidden=frozenset({"puzzle-1"})))
    first, second = marker.results("my.lp", verdicts)
    said = "my.lp:8:1-2: error: syntax error, unexpected <IDENTIFIER>"
    assert said in first.words
    assert second.words == "not run: the program itself is at fault, see hidden 1"
