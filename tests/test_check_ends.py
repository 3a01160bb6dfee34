"""However a run of ``check`` ends, what is graded is printed and written, and nothing is late."""

from __future__ import annotations

import csv
import errno
import json
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from helpers.command_line import MODULE, environment
from helpers.programs import without_warning
from helpers.small_programs import FOUR, LOOSE, RIGHT, UNIQUE, WRONG

from pylogic_sudoku import BackendUnavailable
from pylogic_sudoku.check import grading as _grading
from pylogic_sudoku.check.cases import Case
from pylogic_sudoku.check.programs import Output
from pylogic_sudoku.check.sudoku import AspProgram
from pylogic_sudoku.cli import check as command_line
from pylogic_sudoku.running import workers as signals

PUZZLES = (UNIQUE, FOUR, LOOSE)
RUNS: dict[tuple[str, Case], Output] = {}
"""The answers of the programs: here only their treatment matters."""


@pytest.fixture
def check(command, tmp_path, monkeypatch):
    """Runs the command on the programs in a folder, where a.lp is right and b.lp is wrong."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    # A second signal within a second is ignored: the last one may be that of another test.
    monkeypatch.setattr(signals._stop, "_last", float("-inf"))
    Path("all").mkdir()
    Path("all", "a.lp").write_text(RIGHT)
    Path("all", "b.lp").write_text(WRONG)
    run = AspProgram.run

    def kept(program, instance, *arguments):
        key = program.path.read_text(), instance
        RUNS[key] = RUNS.get(key) or run(program, instance, *arguments)
        return RUNS[key]

    monkeypatch.setattr(AspProgram, "run", kept)

    def called(*arguments: object, programs: str = "all"):
        return command("check", "-e", programs, *arguments, *PUZZLES)

    return called


def printed(check, capsys, code: object, *options: object, **settings: str) -> str:
    """The output of the command until it ends with this exit code, or this error of ours."""
    if code is KeyError:
        with pytest.raises(KeyError):
            check(*options, **settings)
        return capsys.readouterr().out
    found, output, _ = check(*options, **settings)
    assert found == code
    return output


def reports(*texts: str) -> list[str]:
    """The options for these reports."""
    return [part for text in texts for part in ("--report", text)]


@pytest.fixture
def stop(monkeypatch):
    """Let something happen in place of the verdict after this number."""

    def after(number: int, happens) -> None:
        judge, left = _grading.judge, iter(range(number))

        def judged(*arguments):
            if next(left, None) is None:
                happens()
            return judge(*arguments)

        monkeypatch.setattr(_grading, "judge", judged)

    return after


def tail(output: str) -> list[str]:
    return output.splitlines()[-2:]


# --- before the work ------------------------------------------------------------------------


@pytest.mark.slow
def test_missing_folders_are_made(check):
    asked = reports("gradescope=out/{}/results.json", "csv=out/tables/class.csv")
    code, _, errors = check(*asked)
    assert (code, errors) == (1, "")
    found = sorted(str(path) for path in Path("out").rglob("*.*") if path.is_file())
    assert found == ["out/a.lp/results.json", "out/b.lp/results.json", "out/tables/class.csv"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("folder", "folder: Is a directory"),
        ("file/class.html", "file/class.html: Not a directory"),
        ("file/{}/class.html", "file/a.lp: Not a directory"),
        ("folder/{}", "folder/b.lp: Is a directory"),
        ("x" * 300 + ".html", ".html: File name too long"),
        ("busy", "busy: Text file busy"),
        ("all/{}", "all/a.lp is read as input"),
        ("other.html", "two reports would be written to other.html"),
        ("{}.html", "two reports would be written to a.lp.html"),
    ],
)
def test_a_report_that_cannot_be_written_is_told_before_any_work(
    check, monkeypatch, target, message
):
    Path("folder", "b.lp").mkdir(parents=True)
    Path("file").write_text("as it was")
    shutil.copy(shutil.which("sleep"), "busy")
    monkeypatch.setattr(_grading.Grader, "each", None)
    asked = reports("html=other.html", "html=a.lp.html", f"html={target}")
    busy = subprocess.Popen([Path("busy").absolute(), "600"])
    try:
        code, output, errors = check(*asked)
    finally:
        busy.kill()
        busy.wait()
    assert (code, output) == (2, "")
    assert message in errors
    assert Path("file").read_text() == "as it was"
    assert not list(Path().rglob("*.html")), "what was tried is not there"


# --- reports that fail ----------------------------------------------------------------------


@pytest.mark.slow
def test_a_report_that_fails_keeps_neither_the_table_nor_another_from_us(check, monkeypatch):
    save = command_line.save

    def saved(path, text):
        if path == "lost.html":
            raise OSError(errno.ENOSPC, "No space left on device", path)
        if path == "broken.json":
            raise RuntimeError("a fault of ours")
        save(path, text)

    monkeypatch.setattr(command_line, "save", saved)
    asked = reports("html=lost.html", "csv=/dev/full", "json=broken.json", "text=class.txt")
    code, output, errors = check(*asked)
    assert code == 6
    assert "│ a.lp    │ success  │" in output
    assert tail(output) == ["1 of 2 programs passed", "FAILURE"]
    assert tail(Path("class.txt").read_text()) == tail(output)
    assert errors.splitlines() == [
        "Error: /dev/full: No space left on device",
        "Error: RuntimeError: a fault of ours",
        "Error: lost.html: No space left on device",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("programs", "incomplete"),
    [("all", []), ("all/a.lp", ["INCOMPLETE: stopped (standard output"])],
)
def test_results_that_cannot_be_printed_are_written(check, programs, incomplete):
    """A table comes after all the work; lines come as the work proceeds, which ends with them."""
    arguments = [*MODULE, "check", "-e", programs, "--report", "csv=class.csv", *PUZZLES]
    with open("/dev/full", "w") as full:
        done = subprocess.run(arguments, stdout=full, stderr=-1, text=True, env=environment())
    assert done.returncode == 6
    said = "Error: standard output cannot be written: No space left on device\n"
    assert without_warning(done.stderr) == said
    rows = Path("class.csv").read_text().splitlines()
    assert rows[1].startswith("a.lp,")
    assert [row.partition(" cannot")[0] for row in rows if "INCOMPLETE" in row] == incomplete


def test_a_signal_that_comes_while_a_report_is_written_does_not_stop_it(check, monkeypatch):
    write, once = command_line.write, iter([True])

    def interrupted(*arguments):
        if next(once, False):
            signal.raise_signal(signal.SIGTERM)
        return write(*arguments)

    monkeypatch.setattr(command_line, "write", interrupted)
    code, output, _ = check("--report", "csv=class.csv", "--report", "text=class.txt")
    assert (code, tail(output)) == (143, ["1 of 2 programs passed", "FAILURE"])
    assert tail(Path("class.txt").read_text()) == tail(output)
    assert len(Path("class.csv").read_text().splitlines()) == 3


# --- a run that is stopped ------------------------------------------------------------------


def signalled(number: int):
    return lambda: signal.raise_signal(number)


def failing(error: Exception):
    def fail() -> None:
        raise error

    return fail


STOPS = pytest.mark.parametrize(
    ("happens", "code", "why"),
    [
        (signalled(signal.SIGINT), 130, "interrupted"),
        (signalled(signal.SIGTERM), 143, "interrupted"),
        (signalled(signal.SIGHUP), 129, "interrupted"),
        (failing(BackendUnavailable("it has gone", "Get it.")), 3, "stopped (it has gone)"),
        (failing(KeyError("x")), KeyError, "stopped by an internal error (KeyError)"),
    ],
    ids=["INT", "TERM", "HUP", "an engine", "a fault of ours"],
)


@pytest.mark.one_in(4)
@STOPS
def test_what_is_graded_of_a_class_is_shown_and_written(check, capsys, stop, happens, code, why):
    """Of the second program, one of three instances."""
    stop(4, happens)
    asked = reports("csv=class.csv", "json=class.jsonl", "gradescope={}.json")
    output = printed(check, capsys, code, *asked)
    note = f"INCOMPLETE: {why} after 1 of 2 programs"
    assert "│ b.lp    │ failure  │ not run  │ not run  │ 0/3    │" in output
    assert tail(output) == [f"{note}; 1 of 2 programs passed", "INCOMPLETE"]
    rows = list(csv.reader(Path("class.csv").read_text().splitlines()))
    assert [row[:6] for row in rows[1:]] == [
        ["a.lp", "3", "3", "success", "success", "success"],
        ["b.lp", "0", "3", "failure", "not run", "not run"],
        [note],
    ]
    *records, last = map(json.loads, Path("class.jsonl").read_text().splitlines())
    assert [each["way"] for each in records] == ["", "", "", "wrong", "stopped", "stopped"]
    assert (last["verdict"], last["not_run"]) == ("INCOMPLETE", 2)
    whole, part = (json.loads(Path(f"{name}.lp.json").read_text()) for name in "ab")
    assert whole["output"] == "3 of 3 passed", "this program is graded to its end"
    assert part["output"] == f"{note}; 0 of 3 passed"
    assert part["tests"][1]["output"] == f"<p>not run: {why}</p>"


@STOPS
def test_what_is_graded_of_one_program_is_shown_and_written(
    check, capsys, stop, happens, code, why
):
    stop(1, happens)
    asked = reports("text=one.txt", "coderunner=one.json")
    output = printed(check, capsys, code, *asked, programs="all/a.lp")
    summary = f"INCOMPLETE: {why} after 1 of 3 instances; 1 of 3 passed"
    words = [line.split()[0] for line in output.splitlines()]
    assert words == ["puzzle-1", "INCOMPLETE:", "INCOMPLETE"]
    assert tail(output) == [summary, "INCOMPLETE"]
    assert Path("one.txt").read_text() == output
    assert json.loads(Path("one.json").read_text())["fraction"] == round(1 / 3, 6)


def test_a_run_that_is_stopped_before_the_first_verdict_writes_nothing(check, stop):
    Path("class.csv").write_text("of yesterday")
    stop(0, signalled(signal.SIGINT))
    code, output, errors = check("--report", "csv=class.csv")
    assert (code, output, errors) == (130, "", "\nInterrupted.\n")
    assert Path("class.csv").read_text() == "of yesterday"
