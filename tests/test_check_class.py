"""Many programs at once: tables and reports, processes, the time for the whole run."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.processes import LINUX, PATIENCE, running, soon
from helpers.small_programs import FOUR, PROGRAMS, RIGHT, SLOW, UNIQUE, WRONG

from pylogic_sudoku import InvalidPuzzle
from pylogic_sudoku.check._grading import Grader

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """Puzzles, and what students have handed in."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "puzzles.txt").write_text(f"{UNIQUE}\n{FOUR}\n")
    (folder / "submissions").mkdir()
    for name in ("right.lp", "wrong.lp", "broken.lp", "right.pl", "wrong.pl"):
        (folder / "submissions" / name).write_text(PROGRAMS[name])
    (folder / "submissions" / "notes.txt").write_text("not a program")
    (folder / "submissions" / "another.lp").write_text(WRONG + "% mine\n")
    return folder


@pytest.fixture
def check(command, course, monkeypatch):
    monkeypatch.chdir(course)
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: object):
        return command("check", *arguments)

    return run


@pytest.mark.parametrize(
    "arguments",
    [
        ["-e", "submissions", "puzzles.txt"],
        ["-e", "submissions/*", "-i", "puzzles.txt"],
        ["-e", *(f"submissions/{name}" for name in ("a.lp", "b.lp")), "puzzles.txt"],
        ["-e", *(f"submissions/{name}" for name in ("a.lp", "b.lp")), "-i", "puzzles.txt"],
    ],
    ids=["a folder", "a pattern", "as a shell expands it", "with -i"],
)
def test_ways_to_name_programs(arguments, course):
    from pylogic_sudoku.commands._grading import _program_files, _sorted_out

    programs = tuple(arguments[1:2])
    rest = arguments[2:]
    instances = rest.pop(rest.index("-i") + 1) if "-i" in rest else None
    others = tuple(each for each in rest if each != "-i")
    programs, sources = _sorted_out(programs, instances and str(course / instances), others)
    assert [Path(source).name for source in sources] == ["puzzles.txt"]
    if "a.lp" in str(arguments):
        assert programs == ("submissions/a.lp", "submissions/b.lp")
        return
    found = _program_files((str(course / programs[0].replace("/*", "/*.[lp][pl]")),))
    names = ["another.lp", "broken.lp", "right.lp", "right.pl", "wrong.lp", "wrong.pl"]
    assert [path.name for path in found] == names


def test_a_table_of_all_programs_and_what_they_share(check, course):
    code, output, errors = check(
        *("-e", "submissions", "puzzles.txt", "--points", "instance=5"),
        *("--report", "html=class.html", "--report", "csv=class.csv"),
        *("--report", "gradescope={}.json"),
    )
    assert (code, errors) == (1, "")
    assert "│ right.lp   │ success   │ success   │ 10/10  │" in output
    assert "│ wrong.pl   │ failure   │ failure   │ 0/10   │" in output
    lines = output.splitlines()
    at = lines.index("3 programs: a digit is twice in a box (puzzles-1, puzzles-2)")
    assert lines[at + 1] == "    another.lp, wrong.lp, wrong.pl"
    assert "the same mistakes on every instance: another.lp, wrong.lp, wrong.pl" in lines
    assert lines[-2:] == ["2 of 6 programs passed", "FAILURE"]
    with (course / "class.csv").open() as file:
        table = {row["program"]: row["points"] for row in csv.DictReader(file)}
    assert table == {
        **{"another.lp": "0", "broken.lp": "0", "right.lp": "10"},
        **{"right.pl": "10", "wrong.lp": "0", "wrong.pl": "0"},
    }
    assert "<svg" in (course / "class.html").read_text()
    assert json.loads((course / "wrong.lp.json").read_text())["score"] == 0


def test_instances_at_fault_are_no_mistakes_of_programs(check, tmp_path):
    instance, page = tmp_path / "a.lp", tmp_path / "class.html"
    instance.write_text("initial(1,1")
    _, output, _ = check("-e", "submissions", "-i", instance, "--report", f"html={page}")
    assert f"a: not graded: {instance}: line 1: " in output.replace("\n", " ")
    assert "programs: not graded" not in output
    assert f"<li>a: not graded: {instance}: line 1" in page.read_text()


def test_an_exercise_without_instances(check, tmp_path):
    (tmp_path / "exercise.toml").touch()
    code, _, errors = check("-e", "submissions/right.lp", "-i", tmp_path)
    assert code == 2
    assert f"{tmp_path / 'instances'}: cannot be read: No such file" in errors


def test_programs_with_one_name_are_told_apart(check, course):
    for student in ("ann", "bob"):
        (course / student).mkdir(exist_ok=True)
        (course / student / "sudoku.lp").write_text(RIGHT)
    code, output, _ = check("-e", "ann/sudoku.lp", "-e", "bob/sudoku.lp", "-f", "json", UNIQUE)
    assert code == 0
    *found, last = map(json.loads, output.splitlines())
    assert [each["program"] for each in found] == ["ann/sudoku.lp", "bob/sudoku.lp"]
    assert last["programs"] == 2


def test_puzzles_of_any_kind_are_instances(check):
    six = "123456456123231564564231312645645312"
    code, output, errors = check(
        *("-e", "submissions/right.lp", "puzzles.txt", UNIQUE, "--no-times"),
    )
    assert (code, errors) == (0, "")
    assert [line.split()[0] for line in output.splitlines()[:3]] == [
        *("puzzles-1", "puzzles-2", "puzzle-2"),
    ]
    code, _, errors = check("-e", "submissions/right.lp", six)
    assert code == 2
    assert "leaves its box shape open" in errors
    code, _, errors = check("-e", "submissions/right.lp", "nothere.txt")
    assert code == 2
    assert "nothere.txt: there is no such file" in errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-e", "submissions", "--report", "x=y", UNIQUE], "expected FORMAT=FILE, and a FORMAT of"),
        (["-e", "submissions", "--report", "html", UNIQUE], "expected FORMAT=FILE"),
        (
            ["-e", "submissions", "--report", "gradescope=a.json", UNIQUE],
            "is for one program; {} in",
        ),
        (
            ["-e", "submissions/right.lp", "submissions/wrong.lp", "submissions/right.pl"],
            "give the",
        ),
        (["-e", "submissions/right.lp", "-i", "puzzles.txt", UNIQUE], "with -i, expected programs"),
        (["-e", "no*.lp", UNIQUE], "'no*.lp' does not exist, or has no programs"),
        (["-e", "submissions/right.lp", "--points", "x", UNIQUE], "'x' does not set points"),
        (["-e", "submissions", "--report", "dodona=a.jsonl", UNIQUE], "and a FORMAT of"),
    ],
)
def test_bad_usage(check, arguments, message):
    code, output, errors = check(*arguments)
    assert (code, output) == (2, "")
    assert message in errors


def test_two_processes_say_the_same_as_one(check):
    programs = [part for each in ("right.lp", "wrong.pl") for part in ("-e", f"submissions/{each}")]
    one, two = (
        check(*programs, "puzzles.txt", "--no-times", "-f", "json", "--jobs", jobs)
        for jobs in (1, 2)
    )
    assert one == two


@pytest.mark.slow
def test_the_time_for_the_whole_run_is_shared_equally(tmp_path):
    """A program that never ends takes no time from the one after it."""
    for name, text in {"a.lp": SLOW, "b.lp": RIGHT}.items():
        (tmp_path / name).write_text(text)
    grader = Grader(timeout=100, deadline=40, memory=100_000)  # not out of memory before that
    instances = list(grader.instances([UNIQUE, FOUR], None))
    found = {
        path.name: list(verdicts)
        for path, verdicts in grader.each([tmp_path / "a.lp", tmp_path / "b.lp"], instances, None)
    }
    assert [verdict.outcome for verdict in found["a.lp"]] == ["timeout", "timeout"]
    assert found["a.lp"][1].message == "not run: the time for all instances is over"
    assert [verdict.outcome for verdict in found["b.lp"]] == ["success", "success"]


def test_a_program_that_cannot_be_read_stops_no_other(tmp_path):
    (tmp_path / "b.lp").write_text(RIGHT)
    grader = Grader()
    instances = list(grader.instances(UNIQUE, None))
    paths = [tmp_path / "gone.lp", tmp_path / "b.lp"]
    (gone,), (right,) = (list(verdicts) for _, verdicts in grader.each(paths, instances, None))
    assert gone.outcome == "error"
    assert "gone.lp: cannot be read: No such file or directory" in gone.message
    assert right.passed


def test_no_instances_at_all():
    with pytest.raises(InvalidPuzzle, match="there are no instances"):
        Grader().instances([], None)


@LINUX
@pytest.mark.slow
def test_ctrl_c_leaves_neither_processes_nor_files(tmp_path, course):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for name in ("a.lp", "b.lp"):
        (tmp_path / name).write_text(SLOW)
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "pylogic_sudoku", "check", "--jobs", "2", "-t", "600"),
            *("-e", str(tmp_path / "*.lp"), str(course / "puzzles.txt")),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert soon(lambda: clingo_runs(tmp_path / "a.lp") and clingo_runs(tmp_path / "b.lp"))
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, output, errors.strip()) == (130, "", "Interrupted.")
    assert soon(lambda: not clingo_runs(tmp_path / "a.lp") and not clingo_runs(tmp_path / "b.lp"))
    assert list(temporary.iterdir()) == []


def clingo_runs(program: Path) -> bool:
    return any("_run_clingo" in command for command in running(str(program)))
