"""Engines compared: cross_check, differences that are checked, and a majority against one."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import subprocess
import sys
from itertools import cycle, islice

import pytest
from helpers.command_line import invoke, run, spawned
from helpers.fakes import LIAR, Liar, Slow, installed
from helpers.processes import PATIENCE, soon
from helpers.puzzles import COUNTS, EMPTY, PRINTED, REFUTED, SMALL, TWO

import pylogic_sudoku as pls
from pylogic_sudoku import Puzzle, engines
from pylogic_sudoku.engines.prolog import PrologBackend
from pylogic_sudoku.questions import comparison as _compare
from pylogic_sudoku.rules import KillerCage, Thermometer

MIXED = [*PRINTED, *list(COUNTS)[:4], "1.....1....2.2..", REFUTED, "11.............."]
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


def test_disagreements_can_be_pasted(collection, tmp_path):
    log = tmp_path / "log.jsonl"
    env = installed(tmp_path, "liar", LIAR)
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


# === Comparisons in which the time of an engine runs out: it checks what the others found =========

BOTH = ["1234341221434321", "1243341221344321"]
WRONG = "1243341221434321"
RULES = [KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2"), KillerCage("r3c2 r4c2", sum=5)]


class Impatient(PrologBackend):
    """Prolog, whose time is always over before it finds anything: it can only check."""

    name = "impatient"

    def solutions(self, puzzle, timeout=None):
        raise pls.SolveTimeout(self.name, timeout)
        yield


@pytest.mark.parametrize("limit", [None, 2])
@pytest.mark.parametrize("finds", [0, 1])
def test_a_slow_engine_checks_what_another_found(limit, finds):
    comparison = pls.compare(TWO, ("clingo", Slow(BOTH, finds)), limit, timeout=9)
    assert (comparison.outcome, comparison.agree) == ("confirmed", False)
    assert comparison.timed_out == ("slow",)
    answer = comparison.answers["slow"]
    assert (len(answer.solutions), answer.complete, answer.timed_out) == (finds, False, True)
    assert comparison.answers["clingo"].complete is (limit is None)
    assert sorted(map(str, comparison.solutions)) == BOTH
    comparison.check()
    assert str(comparison) == (
        "confirmed: slow did not finish in time, but accepts the 2 solutions that clingo found;"
        " only clingo can know whether there are more"
    )
    assert "confirmed" in repr(comparison)
    assert "timed_out=True" in repr(answer)
    assert "when its time ran out" in str(answer)
    assert pickle.loads(pickle.dumps(comparison)).outcome == "confirmed"


def test_two_slow_engines_check_what_another_found():
    comparison = pls.compare(TWO, ("clingo", Slow(BOTH), Impatient()), timeout=9)
    assert str(comparison).startswith(
        "confirmed: slow and impatient did not finish in time, but accept the 2 solutions that"
        " clingo"
    )


@pytest.mark.parametrize(
    "engines",
    [
        pytest.param(("clingo", Slow(BOTH[:1])), id="the slow one rejects a grid"),
        pytest.param(("clingo", Slow([*BOTH, WRONG], finds=3)), id="the slow one is wrong"),
        pytest.param((Liar([WRONG]), Slow(BOTH)), id="the slow one rejects a wrong one"),
        pytest.param(("clingo", Liar(BOTH[:1]), Slow(BOTH)), id="two that finish differ"),
    ],
)
def test_a_slow_engine_can_disagree(engines):
    comparison = pls.compare(TWO, engines, timeout=9)
    assert (comparison.outcome, comparison.agree) == ("disagree", False)
    assert str(comparison).startswith("the engines disagree")
    with pytest.raises(pls.Disagreement):
        comparison.check()


def test_grids_against_no_solution_are_a_disagreement():
    comparison = pls.compare("11" + "." * 14, ("clingo", Slow(BOTH, finds=1)), timeout=9)
    assert comparison.outcome == "disagree"


@pytest.mark.parametrize(
    ("puzzle", "engines"),
    [
        pytest.param(TWO, [Slow(BOTH, finds=1)], id="the only engine"),
        pytest.param(TWO, [Slow(BOTH), Impatient()], id="every engine, without a grid"),
        pytest.param(TWO, ["clingo", Slow(BOTH, stuck=True)], id="it cannot even check"),
        pytest.param("11" + "." * 14, ["clingo", Slow([])], id="there is nothing to check"),
    ],
)
def test_without_anything_checked_it_timed_out(puzzle, engines):
    with pytest.raises(pls.SolveTimeout, match="slow gave no answer within 9 s"):
        pls.compare(puzzle, engines, timeout=9)
    (check,) = pls.cross_check([puzzle], engines, timeout=9)
    assert check.comparison is None
    assert isinstance(check.error, pls.SolveTimeout)


@pytest.mark.parametrize(("finds", "found"), [(1, "the solution"), (2, "each of the 2 solutions")])
def test_if_no_engine_finishes_each_checks_what_another_found(finds, found):
    comparison = pls.compare(TWO, (Slow(BOTH, finds), Impatient()), timeout=9)
    assert (comparison.outcome, comparison.timed_out) == ("confirmed", ("slow", "impatient"))
    assert len(comparison.solutions) == finds
    assert str(comparison) == (
        f"confirmed: slow and impatient did not finish in time, but all accept {found} that was"
        " found; there may be more"
    )
    comparison.check()


def test_if_no_engine_finishes_a_wrong_grid_is_a_disagreement():
    comparison = pls.compare(TWO, (Slow([WRONG], finds=1), Impatient()), timeout=9)
    assert comparison.outcome == "disagree"


def test_engines_that_finish_agree():
    comparison = pls.compare(TWO)
    assert (comparison.outcome, comparison.timed_out) == ("agree", ())
    assert set(comparison.timings) == {"clingo", "prolog"}
    assert str(comparison) == "the engines agree: 2 solutions"


def test_prolog_checks_a_grid_by_all_its_rules():
    puzzle = Puzzle("." * 16, rules=RULES)
    (check,) = pls.cross_check([puzzle], ("clingo", Impatient()), limit=None, timeout=60)
    assert check.comparison.outcome == "confirmed"
    assert len(check.comparison.solutions) == pls.count(puzzle) > 0
    # A grid that breaks one of the rules is rejected, though clingo was not told of that rule.
    for spared in range(3):
        fewer = Puzzle("." * 16, rules=[rule for rule in RULES if rule != RULES[spared]])
        wrong = next(grid for grid in pls.solutions(fewer) if not puzzle.holds(grid))
        assert Impatient().solve(puzzle.with_(*wrong.givens)) is None


# --- the commands ------------------------------------------------------------------------

SLOW_PLUGIN = """
    import pylogic_sudoku as pls

    class Slow(pls.Backend):
        name = engine = "slow"
        knows = frozenset({"regions", "marks", "rules"})

        def version(self):
            return "1"

        def solutions(self, puzzle, timeout=None):
            if 0 in puzzle.digits or puzzle.digits[0] == 4:
                raise pls.SolveTimeout("slow", timeout or 0)
            if puzzle.digits[0] != 3:
                yield pls.Grid(puzzle.digits, puzzle.box)
    """


@pytest.fixture
def slow(tmp_path):
    """The environment in which the command has a slow engine too."""
    return installed(tmp_path, "slow", SLOW_PLUGIN)


def test_compare_tells_the_three_apart(tmp_path, slow):
    log, path = tmp_path / "log.jsonl", tmp_path / "puzzles.txt"
    path.write_text(TWO)
    done = spawned("compare", "--json", log, "-t", 9, path, env=slow)
    assert (done.returncode, figures(done.stdout)) == (0, [1, 0, 0, 0, 1, 0, 0, 0])
    assert done.stderr == (
        f"{path}, line 1: confirmed: slow did not finish in time, but accepts the 2 solutions that"
        " clingo, prolog and sat found; only clingo, prolog and sat can know whether"
        " there are more\n"
    )
    (record,), summary = records(log)
    assert (record["outcome"], record["timed_out"]) == ("confirmed", ["slow"])
    assert record["counts"] == {"clingo": 2, "prolog": 2, "sat": 2, "slow": 0}
    assert (summary["confirmed"], summary["timed out"], summary["disagreement"]) == (1, 0, 0)

    # The grids of the second begin with a 3, which it rejects, and those of the third with a 4,
    # which it has no time for.
    path.write_text("\n".join([TWO, "34..12......4321", "4" + "." * 15]))
    log.unlink()
    done = spawned("compare", "--json", log, "-n", 1, "-t", 9, path, env=slow)
    assert (done.returncode, figures(done.stdout)) == (5, [3, 0, 0, 0, 1, 1, 0, 1])
    found, _ = records(log)
    assert [each["outcome"] for each in found] == ["confirmed", "disagreement", "timed out"]
    path.write_text("4" + "." * 15)
    assert spawned("compare", "-n", 1, "-t", 9, path, env=slow).returncode == 4


def test_solve_says_who_knows(slow):
    def solve(*options):
        return spawned("solve", "-b", "all", "-t", 9, *options, TWO, env=slow)

    done = solve("-n", "0", "-f", "line", "--time")
    assert (done.returncode, done.stdout.split()) == (0, BOTH)
    assert "puzzle 1: confirmed: slow did not finish in time" in done.stderr
    assert "agree" not in done.stderr
    (answer,) = map(json.loads, solve("-f", "json", "-n", "0").stdout.splitlines())
    assert answer["confirmed"].startswith("confirmed: slow")


# === Three engines or more: who stands alone, by the function and by the command ==================

BY_TWO = "12..34......4321"
RIGHT = ["1234341221434321", "1243341221344321"]


def named(name: str, made: pls.Backend) -> pls.Backend:
    made.name = name
    return made


def said(**answers: list[str] | pls.Backend) -> pls.Comparison:
    backends = [
        named(name, answer if isinstance(answer, pls.Backend) else Liar(answer))
        for name, answer in answers.items()
    ]
    return pls.compare(BY_TWO, backends)


@pytest.mark.parametrize(
    ("answers", "alone"),
    [
        pytest.param({"a": RIGHT, "b": RIGHT, "c": RIGHT}, None, id="all agree"),
        pytest.param({"a": RIGHT, "b": RIGHT[:1], "c": RIGHT}, "b", id="one lacks a grid"),
        pytest.param({"a": [*RIGHT, WRONG], "b": RIGHT, "c": RIGHT}, "a", id="one has a wrong one"),
        pytest.param({"a": RIGHT, "b": RIGHT, "c": [RIGHT[0], WRONG]}, "c", id="same number"),
        pytest.param({"a": [], "b": RIGHT, "c": RIGHT}, "a", id="one has none"),
        pytest.param({"a": RIGHT, "b": [], "c": []}, "a", id="the majority may be wrong"),
        pytest.param({"a": RIGHT, "b": RIGHT[:1], "c": []}, None, id="three opinions"),
        pytest.param({"a": RIGHT, "b": RIGHT[:1]}, None, id="two engines"),
        pytest.param(
            {"a": RIGHT, "b": RIGHT, "c": [], "d": []}, None, id="two against two"
        ),
        pytest.param({"a": RIGHT, "b": [], "c": RIGHT, "d": RIGHT}, "b", id="one of four"),
        pytest.param({"a": RIGHT, "b": RIGHT[:1], "c": Slow(RIGHT)}, "b", id="confirmed in time"),
        pytest.param({"a": RIGHT, "b": RIGHT, "c": Slow(RIGHT[:1])}, "c", id="rejected late"),
        pytest.param({"a": RIGHT, "b": RIGHT, "c": Slow(RIGHT)}, None, id="confirmed"),
    ],
)  # fmt: skip
def test_who_stands_alone(answers, alone):
    comparison = said(**answers)
    assert comparison.alone == alone
    text = f"the engines disagree: {alone} stands alone"
    assert (str(comparison) == text) == (alone is not None)


def test_an_engine_that_gives_a_solution_twice_is_broken():
    with pytest.raises(pls.BackendFailure, match=r"^b gave the same solution twice: 1234"):
        said(a=RIGHT, b=[*RIGHT, RIGHT[0]])


def test_the_error_names_it_too():
    with pytest.raises(pls.Disagreement) as caught:
        said(a=RIGHT, b=RIGHT, c=[]).check()
    assert caught.value.alone == "c"
    assert str(caught.value).endswith("; c: 0 solutions; c stands alone")
    assert pickle.loads(pickle.dumps(caught.value)).alone == "c"
    with pytest.raises(pls.Disagreement) as caught:
        said(a=RIGHT, c=[]).check()
    assert caught.value.alone is None
    assert str(caught.value).endswith("; c: 0 solutions")


# --- the commands ------------------------------------------------------------------------


@pytest.fixture
def three(monkeypatch):
    """clingo, one that agrees with it, and one that does not."""
    monkeypatch.setattr(engines, "names", lambda: ("clingo", "second", "third"))
    monkeypatch.setattr("pylogic_sudoku.cli.options.names", engines.names)
    made = {"second": named("second", Liar(RIGHT)), "third": named("third", Liar([WRONG]))}
    monkeypatch.setattr(engines, "_made", engines._made | made)


def test_the_command_names_it(three, tmp_path):
    log = tmp_path / "log"
    done = invoke("compare", "--json", str(log), BY_TWO, BY_TWO)
    assert done.exit_code == 5
    for line in (
        "puzzle 2: the engines disagree: third stands alone",
        f"    only third has {WRONG}",
        f"    clingo has {RIGHT[0]}, but not third",
        f"    second has {RIGHT[1]}, but not third",
    ):
        assert f"{line}\n" in done.stderr
    assert "\nthird stands alone: 2 puzzles\n" in done.stdout
    *found, last = map(json.loads, log.read_text().splitlines())
    assert [record["alone"] for record in found] == ["third", "third"]
    assert last["summary"]["alone"] == {"third": 2}


def test_two_of_them_have_no_majority(three):
    done = invoke("compare", "-b", "clingo", "-b", "third", BY_TWO)
    assert (done.exit_code, done.stderr.splitlines()[0]) == (5, "puzzle 1: the engines disagree")
    assert "stands alone" not in done.stdout + done.stderr
    done = invoke("compare", "-b", "clingo", "-b", "second", BY_TWO)
    assert (done.exit_code, done.stderr) == (0, "")


def test_all_counts_more_than_a_name(three):
    done = invoke("compare", "-b", "clingo", "-b", "all", BY_TWO)
    assert "third stands alone" in done.stdout


def test_other_commands_name_it(three):
    for command in ("solve", "count"):
        done = invoke(command, "-b", "all", *["-n", "0"] * (command == "solve"), BY_TWO)
        assert done.exit_code == 5
        assert done.stderr.endswith("; third stands alone\n")
