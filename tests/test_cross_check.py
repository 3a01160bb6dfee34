"""The engines compared on whole collections, by the function and by the command."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from itertools import cycle, islice

import pytest
from helpers.command_line import environment, run, spawned
from helpers.fakes import Liar
from helpers.processes import PATIENCE, soon
from helpers.puzzles import COUNTS, EMPTY, PRINTED, SMALL

import pylogic_sudoku as pls
from pylogic_sudoku import _compare

MIXED = [*PRINTED, *list(COUNTS)[:4], "1.....1....2.2..", list(COUNTS)[7], "11.............."]
NUMBERS = [1] * 4 + [2, 3, 4, 10] + [4, 0, 0]


@pytest.fixture
def late_if_empty(monkeypatch, clock):
    """There is no time for the empty grid, and all the time for other puzzles."""

    def answer(puzzle, *arguments):
        clock.over = not any(puzzle.digits)
        return real(puzzle, *arguments)

    real = _compare._answer
    monkeypatch.setattr(_compare, "_answer", answer)


@pytest.mark.parametrize("jobs", [None, 2])
def test_cross_check_answers_in_order(jobs):
    checks = list(pls.cross_check(MIXED, jobs=jobs))
    assert [str(check.puzzle) for check in checks] == MIXED
    assert [len(check.comparison.solutions) for check in checks] == NUMBERS
    assert all(check.comparison.agree and check.error is None for check in checks)


def test_cross_check_is_lazy():
    checks = pls.cross_check(cycle(MIXED))
    assert len(list(islice(checks, 3))) == 3


@pytest.mark.slow
def test_a_puzzle_that_takes_too_long_costs_only_itself(late_if_empty):
    checks = list(pls.cross_check(["1" + "." * 15, EMPTY], limit=None, timeout=60))
    assert checks[0].comparison.agree
    assert checks[1].comparison is None
    assert isinstance(checks[1].error, pls.SolveTimeout)


def test_missing_engines_and_unreadable_puzzles_are_raised():
    with pytest.raises(pls.BackendUnavailable):
        next(pls.cross_check(MIXED, backends=("clingo", "none-such")))
    with pytest.raises(pls.InvalidPuzzle):
        next(pls.cross_check(["12"]))


@pytest.mark.parametrize("jobs", [None, 2])
def test_an_unreadable_puzzle_is_raised_in_its_turn(jobs):
    checks = pls.cross_check([MIXED[0]] * 3 + ["12"], jobs=jobs)
    assert [next(checks).comparison.agree for _ in range(3)] == [True] * 3
    with pytest.raises(pls.InvalidPuzzle):
        next(checks)


def test_disagreement_names_the_grids_of_each():
    right = ["1234341221434321", "1243341221344321"]
    wrong = "1243341221434321"
    liar = Liar([right[0], wrong])
    (check,) = pls.cross_check(["12..34......4321"], backends=("clingo", liar))
    only = {name: [str(grid) for grid in grids] for name, grids in check.comparison.only.items()}
    assert only == {"clingo": [right[1]], "liar": [wrong]}


# --- the command ------------------------------------------------------------------------


def compare(*arguments):
    return run("compare", *arguments)


@pytest.fixture
def collection(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join(MIXED) + "\n")
    return path


def records(path):
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if "number" in line], lines[-1].get("summary")


def figures(table):
    """The numbers in the first table that was printed."""
    row = next(line for line in table.splitlines() if re.search(r"\d", line))
    return [int(number) for number in re.findall(r"\d+", row)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_table_and_records(collection, tmp_path, jobs):
    log = tmp_path / "log.jsonl"
    done = compare("--jobs", jobs, "--json", log, collection)
    assert (done.returncode, done.stderr) == (0, "")
    assert figures(done.stdout) == [11, 4, 5, 2, 0, 0, 0, 0]
    found, summary = records(log)
    assert [record["puzzle"] for record in found] == MIXED
    assert [record["counts"] for record in found] == [
        dict.fromkeys(("clingo", "prolog", "sat"), n) for n in NUMBERS
    ]
    assert found[4]["where"] == f"{collection}, line 5"
    expected = {"puzzles": 11, "unique": 4, "several": 5, "none": 2, "timed out": 0}
    assert summary.items() >= expected.items()
    for times in summary["seconds"].values():
        assert 0 < times["median"] <= times["p95"] <= times["worst"]
        assert times["worst puzzle"] in MIXED


@pytest.mark.slow
def test_bad_lines_and_slow_puzzles_are_reported_and_counted(tmp_path, command, late_if_empty):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{MIXED[0]}\nfoo\n{EMPTY}\n")
    code, out, err = command("compare", "-n", "0", "-t", "60", "--jobs", "1", path)
    assert (code, figures(out)) == (2, [2, 1, 0, 0, 0, 1, 0, 0])
    assert re.search(r"line 2: the line has 3 characters", err)
    assert re.search(r"line 3: \w+ gave no answer within 60 s", err)
    path.write_text(EMPTY)
    assert command("compare", "-n", "0", "-t", "60", "--jobs", "1", path)[0] == 4


PLUGIN = """
    import pylogic_sudoku as pls

    class Liar(pls.Backend):
        name = engine = "liar"

        def version(self):
            return "1"

        def solutions(self, puzzle, timeout=None):
            yield pls.Grid(puzzle.digits[::-1], puzzle.box)
    """


def test_disagreements_can_be_pasted(collection, tmp_path):
    about = tmp_path / "liar-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: liar\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[pylogic_sudoku.backends]\nliar = liar:Liar\n")
    (tmp_path / "liar.py").write_text(textwrap.dedent(PLUGIN))
    log = tmp_path / "log.jsonl"
    env = environment(tmp_path)
    done = spawned("compare", "--json", log, collection, env=env)
    assert (done.returncode, figures(done.stdout)[-1]) == (5, 11)
    first = done.stderr.split("puzzles.txt, line 2")[0]
    assert f"only liar has {MIXED[0][::-1]}\n" in first
    assert f"clingo has {PRINTED[MIXED[0]]}, but not liar\n" in first
    assert first.split("\n")[0].endswith(": the engines disagree: liar stands alone")
    assert f"pylogic-sudoku solve -n 0 -b all --box 3x3 '{MIXED[0]}'\n" in first
    assert "echo 'initial(1,1,2). initial(1,5,9)." in first
    assert "?- Rows = [[2,_,_,_,9,_,_,_,1]," in first
    assert records(log)[0][0]["only"]["liar"] == [MIXED[0][::-1]]

    stopped = spawned("compare", "--fail-fast", collection, env=env)
    assert (stopped.returncode, figures(stopped.stdout)[0]) == (5, 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_prints_what_was_done(tmp_path, jobs):
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join([*[SMALL] * 192, *[EMPTY] * 2, SMALL]))
    log = tmp_path / "log.jsonl"
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "pylogic_sudoku", "compare", "-n", "0"),
            *("--jobs", str(jobs), "--json", str(log), str(path)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    ) as process:
        try:
            assert soon(lambda: log.exists() and log.read_text().count("\n") >= 128)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    done = len(records(log)[0])
    assert done >= 128
    assert (process.returncode, figures(output)[:2]) == (130, [done, done])
    assert errors == "\nInterrupted.\n"


def test_a_record_that_cannot_be_written_is_reported():
    done = compare("--json", "/no/such/folder/log.jsonl", MIXED[0])
    assert (done.returncode, done.stderr) == (
        2,
        "Error: /no/such/folder/log.jsonl: No such file or directory\n",
    )
