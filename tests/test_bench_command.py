"""The race, run as people run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest
from helpers.processes import PATIENCE, terminal

ROOT = Path(__file__).resolve().parent.parent
RACE = [sys.executable, "-m", "benchmarks.race"]
PUZZLES = "1..4.....3......\n4..1.....3......\n"


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "fours.txt"
    path.write_text(PUZZLES)
    return path


def run(*arguments: object, hidden: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What the command does; packages of the folder `hidden` stand before those installed."""
    path = os.pathsep.join(map(str, filter(None, (hidden, ROOT))))
    done = subprocess.run(
        [*RACE, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def hidden(tmp_path) -> Path:
    """A folder that makes some packages look as if they were not installed."""
    for name in ("ortools", "matplotlib"):
        package = tmp_path / "hidden" / name
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(f"raise ModuleNotFoundError('No module named {name}')")
    return tmp_path / "hidden"


def test_list():
    done = run("--list", "--clingo-option=--configuration=crafty")
    assert done.returncode == 0
    for name in ("clingo", "prolog-classic", "ortools", "6x6-grids", "clingo-bare crafty"):
        assert name in done.stdout


@pytest.mark.slow
def test_a_race_with_json(file, tmp_path, hidden):
    log = tmp_path / "log.json"
    chosen = ["--contestant", "clingo", "--contestant", "ortools", "--contestant", "prolog-classic"]
    done = run(*chosen, "-r", 2, "--json", log, file, hidden=hidden)
    assert (done.returncode, done.stderr) == (0, "")
    assert "fours" in done.stdout
    assert "without ortools (not installed: No module named ortools)" in done.stdout
    assert "without prolog-classic (9x9 only)" in done.stdout
    figures = json.loads(log.read_text())
    assert figures["settings"] == {"rounds": 2, "timeout": 5, "jobs": os.cpu_count(), "cpu": False}
    (one,) = figures["sets"]
    clingo, ortools, _ = sorted(one["contestants"], key=lambda row: row["name"] != "clingo")
    assert (clingo["puzzles"], len(clingo["rounds"])) == (2, 2)
    assert clingo["ratios"] == {"clingo": 1}
    assert ortools["puzzles"] == 0


@pytest.mark.slow
def test_both_ways_of_timing(file, tmp_path):
    log = tmp_path / "log.json"
    chosen = ["--contestant=clingo", "--contestant=clingo-bare", "-r", 1, "--json", log]
    done = run(*chosen, "--turns", "--cpu", file, "6x6-count")
    assert (done.returncode, done.stderr) == (0, "")
    assert "milliseconds of processor time" in done.stdout
    figures = json.loads(log.read_text())
    assert figures["settings"]["cpu"] is True
    assert [one["set"] for one in figures["sets"]] == ["fours", "fours, in turns", "6x6-count"]
    assert all(row["median"] for one in figures["sets"] for row in one["contestants"])


@pytest.mark.slow
def test_claims_are_checked(tmp_path):
    """Whatever comes out, the exit code says the same as the lines."""
    done = run("--contestant=clingo", "--contestant=clingo-bare", "-r", 1, "--check", "6x6-count")
    kept = done.stdout.count("kept: 6x6-count: clingo")
    broken = done.stdout.count("BROKEN: 6x6-count: clingo")
    assert kept + broken == 1
    assert done.returncode == broken


@pytest.mark.slow
def test_chart(file, tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    chart = tmp_path / "chart.svg"
    done = run("--contestant", "clingo", "-r", 1, "--chart", chart, file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "fours" in chart.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--contestant", "nobody"], 2, "no contestant 'nobody'; expected one of clingo, prolog"),
        (["--chart", "chart.txt"], 2, "chart.txt does not end in .svg or .png or .pdf"),
        (["nowhere.txt"], 2, "nowhere.txt is not a file, a folder, or one of the sets easy"),
        (["--chart", "chart.svg"], 2, "pip install -r benchmarks/requirements.txt"),
        (["--json", "puzzles.txt"], 2, "puzzles.txt does not end in .json"),
        (["--box", "3"], 2, "'' is not a whole number over 0"),
        (["--json", "nowhere/log.json"], 2, "nowhere/log.json: No such file or directory"),
        (["-t", "nan"], 2, "'nan' is not a number of seconds"),
    ],
)
def test_mistakes_are_reported_before_the_race(arguments, code, said, hidden):
    done = run(*arguments, hidden=hidden)
    assert done.returncode == code
    assert said in done.stderr
    assert done.stdout == ""


def test_a_file_that_cannot_be_read(tmp_path):
    file = tmp_path / "bad.txt"
    file.write_text("1..4.....3......\n1..4.....9......\n")
    done = run(file)
    assert done.returncode == 2
    assert f"{file}, line 2" in done.stderr


@pytest.mark.slow
def test_an_interrupted_race_reports_what_it_has(file):
    """Ctrl-C at a terminal, which reaches all processes of its group."""
    arguments = ["--contestant", "clingo", "-r", "1000", "-t", "600", str(file), "6x6-count"]
    child = terminal(
        *RACE,
        *arguments,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
        cwd=ROOT,
        encoding="utf-8",
        dimensions=(50, 120),
    )
    child.expect("6x6-count: round")
    child.sendintr()
    child.expect(r"fours .*│ clingo")
    assert "6x6-count" not in child.after
    child.expect("Interrupted")
    child.expect(pexpect.EOF)
    assert "Traceback" not in child.before
    child.close()
    assert child.exitstatus == 130
