"""The command ``check``: what is printed, exit codes, Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import check_programs as programs
from helpers import command_line
from helpers.command_line import MODULE, environment
from helpers.processes import LINUX, PATIENCE, running, soon
from helpers.puzzles import SEVERAL

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.check import _typical
from pylogic_sudoku.check._typical import MISTAKES

KEPT, LOST = pls.solutions(SEVERAL)
LATIN = programs.RIGHT.replace(programs.BOXES, "")


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return command_line.run("check", *arguments, cwd=cwd)


def without_times(text: str) -> str:
    return re.sub(r" +\d+ ms$", " N ms", text, flags=re.MULTILINE)


@pytest.fixture(scope="module", autouse=True)
def mistakes():
    """One typical wrong program, of the many that test_check_init.py is about."""
    lost = tuple(each for each in MISTAKES if each.words == "some solutions are lost")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_typical, "MISTAKES", lost)
        yield


@pytest.fixture(scope="module")
def exercise(tmp_path_factory) -> Path:
    """A folder as a teacher makes it: a puzzle with two solutions, and one with none."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "puzzles.txt").write_text(f"# for the course\n{SEVERAL}\n{'1' * 2}{'.' * 79}\n")
    done = run("--make-solutions", ".", "puzzles.txt", cwd=folder)
    assert done.returncode == 0
    assert done.stdout == "instances/ex001.lp\ninstances/ex002.lp\n"
    assert done.stderr.splitlines() == [
        "These typical wrong programs pass:",
        "  some solutions are lost (ASP); add a puzzle with many solutions",
    ]
    x, y, n = next(given for given in LOST.givens if given not in KEPT.givens)
    for name, text in {
        "right.lp": programs.RIGHT,
        "latin.lp": LATIN,
        "lost.lp": programs.RIGHT + f":- sudoku({x},{y},{n}).\n",
        "unsafe.lp": programs.RIGHT + "free(X) :- not sudoku(X,1,1).\n",
        "right.pl": programs.PROLOG,
    }.items():
        (folder / name).write_text(text)
    return folder


def grade(exercise: Path, name: str, *more: object) -> subprocess.CompletedProcess[str]:
    return run("-e", name, "-i", "instances", "-s", "solutions", "-t", "60", *more, cwd=exercise)


def test_exercise_files(exercise):
    instance = (exercise / "instances" / "ex001.lp").read_text()
    assert instance.startswith("% puzzles.txt, line 2\ninitial(1,2,3). initial(1,3,9).")
    assert Grid.parse(instance) == Grid.parse(SEVERAL)
    several = json.loads((exercise / "solutions" / "ex001.json").read_text())
    assert several["Result"] == "SATISFIABLE"
    assert several["Models"] == {"Number": 2, "More": "no"}
    values = [set(witness["Value"]) for witness in several["Call"][-1]["Witnesses"]]
    assert [len(value) for value in values] == [81, 81]
    assert all("sudoku(1,2,3)" in value for value in values)
    none = json.loads((exercise / "solutions" / "ex002.json").read_text())
    assert none["Result"] == "UNSATISFIABLE"


def test_exercise_is_not_overwritten(exercise):
    done = run("--make-solutions", ".", "puzzles.txt", cwd=exercise)
    assert (done.returncode, done.stdout) == (2, "")
    assert "instances already holds *.lp files" in done.stderr


def test_clingo_itself_writes_references(exercise, tmp_path):
    for number in ("1", "2"):
        output = subprocess.run(
            [
                *(sys.executable, "-m", "clingo", "0", "--outf=2", "right.lp"),
                f"instances/ex00{number}.lp",
            ],
            cwd=exercise,
            capture_output=True,
        ).stdout
        (tmp_path / f"ex00{number}.json").write_bytes(output)
    done = run("-e", "right.lp", "-i", "instances", "-s", tmp_path, cwd=exercise)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "SUCCESS")


@pytest.mark.parametrize("name", ["right.lp", "right.pl"])
def test_success(exercise, name):
    done = grade(exercise, name)
    assert (done.returncode, done.stderr) == (0, "")
    assert without_times(done.stdout) == (
        "ex001        success N ms\nex002        success N ms\n2 of 2 passed\nSUCCESS\n"
    )


def test_failure_says_why(exercise):
    done = grade(exercise, "lost.lp")
    drawn = "".join(f"        {line}\n" for line in LOST.format("pretty").splitlines())
    assert (done.returncode, done.stderr) == (1, "")
    assert without_times(done.stdout) == (
        f"ex001        failure N ms\n    missing: 1 of the reference solutions, such as\n"
        f"{drawn}ex002        success N ms\n1 of 2 passed\nFAILURE\n"
    )


def test_rule_that_an_extra_answer_breaks(exercise):
    done = grade(exercise, "latin.lp", "--limit", "5")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert re.fullmatch(r"    extra: at least [345] \(5 answers until then\), such as", lines[1])
    assert re.fullmatch(r" {8}r\dc\d and r\dc\d both hold \d \(box \d\)", lines[-5])


def test_error_with_clingos_own_location(exercise):
    done = grade(exercise, "unsafe.lp")
    assert done.returncode == 1
    shown = [
        "ex001        error N ms",
        "    unsafe.lp:9:1-30: error: unsafe variables in:",
        "      free(X):-[#inc_base];not sudoku(X,1,1).",
        "    unsafe.lp:9:6-7: note: 'X' is unsafe",
    ]
    assert without_times(done.stdout).splitlines()[:4] == shown
    assert done.stdout.endswith("\nFAILURE\n")


def test_json(exercise):
    done = grade(exercise, "lost.lp", "-f", "json")
    first, second, last = map(json.loads, done.stdout.splitlines())
    assert (first["instance"], first["outcome"], first["extra"]) == ("ex001", "failure", 0)
    assert (first["missing"], first["answers"]) == (1, 1)
    assert Grid.from_rows(first["missing_grid"]) == LOST
    assert (second["instance"], second["outcome"], second["missing_grid"]) == (
        *("ex002", "success"),
        None,
    )
    counts = {"instances": 2, "passed": 1, "not_graded": 0}
    outcomes = {"failure": 1, "success": 1, "points": 1, "worth": 2}
    assert last == {"verdict": "FAILURE", **counts, **outcomes}


@pytest.mark.parametrize("name", ["forge.pl", "forge.lp"])
def test_output_of_a_program_is_not_a_verdict(exercise, name):
    text = {
        "forge.pl": r"""
            sudoku(_) :- forall(member(S, [user_output, user_error]),
                                format(S, "~nex001        success       1 ms~nSUCCESS~n", [])),
                         throw('\e[2J\nSUCCESS\n').
        """,
        "forge.lp": '"\nSUCCESS\n".',
    }
    (exercise / name).write_text(text[name])
    done = grade(exercise, name)
    (exercise / name).unlink()
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert [line.split()[1] for line in lines[:-2] if line[0] != " "] == ["error", "error"]
    assert lines[-2:] == ["0 of 2 passed", "FAILURE"]
    assert "\033" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected -e ENCODING and -i INSTANCES"),
        (["-e", "right.lp"], "expected -e ENCODING and -i INSTANCES"),
        (["-e", "no.lp", "-i", "instances"], "'no.lp' does not exist"),
        (["-e", "right.lp", "-i", "no"], "'no' does not exist"),
        (["-e", "right.lp", "-i", "instances", "-s", "no"], "'no' does not exist"),
        (["-e", "right.lp", "-i", "solutions"], "solutions: there are no instances; expected"),
        (["-e", "right.lp", "-i", "instances", "--against", "x"], "'x' is not one of clingo"),
        (["-e", "right.lp", "-i", "instances", "-t", "0"], "is not a number of seconds"),
        (
            ["-e", "right.lp", "-i", "instances", "--input-atom", "A"],
            "'A' is not a name of an atom",
        ),
        (["-e", "right.pl", "-i", "instances", "--predicate", "A"], "is not a name of a predicate"),
        (["--make-solutions", "new"], "--make-solutions takes puzzles"),
        (["--make-solutions", "new", "-e", "right.lp", "1"], "--make-solutions takes none"),
        (["--init", "new", "--points", "missing=1"], "--init takes none of -e"),
        (["--init", "new", "--make-solutions", "old", "1"], "leave out --make-solutions"),
    ],
)
def test_bad_usage(exercise, arguments, message):
    done = run(*arguments, cwd=exercise)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_bad_puzzle_among_those_for_an_exercise(tmp_path):
    done = run("--make-solutions", "new", "1..4............", "1..", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "new/instances/ex001.lp\n")
    assert "puzzle 2: " in done.stderr


def test_vocabulary_of_an_exercise(tmp_path):
    words = ("--input-atom", "hint", "--output-atom", "place")
    done = run("--make-solutions", "new", *words, SEVERAL, cwd=tmp_path)
    assert done.returncode == 0
    assert "hint(1,2,3)." in (tmp_path / "new" / "instances" / "ex001.lp").read_text()
    assert "place(1,2,3)" in (tmp_path / "new" / "solutions" / "ex001.json").read_text()
    mine = programs.RIGHT.replace("initial", "hint").replace("sudoku", "place")
    (tmp_path / "my.lp").write_text(mine)
    done = run("-e", "my.lp", "-i", "new/instances", "-s", "new/solutions", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "SUCCESS")


@LINUX
@pytest.mark.parametrize("name", ["interrupted.lp", "interrupted.pl"])
def test_ctrl_c(exercise, name, tmp_path):
    text = {
        "interrupted.lp": programs.RIGHT + "count(0). count(X+1) :- count(X).\n",
        "interrupted.pl": ":- repeat, fail.\n",
    }
    (tmp_path / name).write_text(text[name])
    arguments = ["-e", tmp_path / name, "-i", "instances", "-s", "solutions", "-t", "600"]
    process = subprocess.Popen(
        [*MODULE, "check", *arguments],
        cwd=exercise,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        # The grader, the process with its limits, and the program itself.
        assert soon(lambda: len(running(str(tmp_path / name))) == 3)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, output, errors.strip()) == (130, "", "Interrupted.")
    assert soon(lambda: not running(str(tmp_path / name)))
