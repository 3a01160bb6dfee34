"""Engines compared: cross_check, differences that are checked, and a majority against one."""

from __future__ import annotations

import json
import pickle
import re
import signal
from itertools import cycle, islice

import pytest
from helpers.command_line import COMMANDS, invoke, run, started
from helpers.fakes import Liar, Planted, Slow
from helpers.processes import PATIENCE, soon
from helpers.programs import WASM
from helpers.puzzles import COUNTS, EMPTY, PRINTED, REFUTED, SMALL, TWO
from helpers.small_programs import WRONG as LATIN

import pylogic_sudoku as pls
from pylogic_sudoku import Puzzle
from pylogic_sudoku.engines.sudoku import choice
from pylogic_sudoku.engines.sudoku.prolog import PrologBackend
from pylogic_sudoku.questions import comparison as _compare
from pylogic_sudoku.rules import KillerCage, Thermometer

MIXED = [*PRINTED, *list(COUNTS)[:4], "1.....1....2.2..", REFUTED, "11.............."]
NUMBERS = [1] * 4 + [2, 3, 4, 10] + [4, 0, 0]


@pytest.fixture
def late_if_empty(monkeypatch, clock):
    """There is no time for the empty grid, and all the time for other puzzles."""

    def answer(engine, puzzle, *arguments):
        clock.over = not any(puzzle.digits)
        return real(engine, puzzle, *arguments)

    real = _compare.begun
    monkeypatch.setattr(_compare, "begun", answer)


@pytest.mark.parametrize("jobs", [None, 2])
def test_cross_check_answers_in_order(jobs):
    checks = list(pls.cross_check(MIXED, jobs=jobs))
    assert [str(check.puzzle) for check in checks] == MIXED
    assert [len(check.comparison.solutions) for check in checks] == NUMBERS
    assert all(check.comparison.agree and check.error is None for check in checks)


def test_cross_check_is_lazy():
    checks = pls.cross_check(cycle(MIXED))
    assert len(list(islice(checks, 3))) == 3


def test_missing_engines_are_raised():
    with pytest.raises(pls.BackendUnavailable):
        next(pls.cross_check(MIXED, backends=("clingo", "none-such")))


@pytest.mark.parametrize("jobs", [None, 2])
def test_an_unreadable_puzzle_is_raised_in_its_turn(jobs):
    checks = pls.cross_check([MIXED[0]] * 3 + ["12"], jobs=jobs)
    assert [next(checks).comparison.agree for _ in range(3)] == [True] * 3
    with pytest.raises(pls.InvalidPuzzle):
        next(checks)


# --- the command ------------------------------------------------------------------------


@pytest.fixture
def beside(monkeypatch):
    """Lets these engines be there beside ours."""

    def add(*more: pls.SudokuEngine) -> None:
        made = {each.name: each for each in more}
        monkeypatch.setattr(choice, "names", lambda: ("clingo", "prolog", "sat", *made))
        monkeypatch.setattr("pylogic_sudoku.cli.options.names", choice.names)
        monkeypatch.setattr(choice, "_engines", choice._engines | made)

    return add


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
    """The first table that was printed: the number of each outcome that it has."""
    head, row = (re.search(rf"^{edge}.*", table, re.MULTILINE)[0] for edge in "┃│")
    return dict(
        zip(
            re.findall(r"[a-z](?:[a-z ]*[a-z])?", head),
            map(int, re.findall(r"\d+", row)),
            strict=True,
        )
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("jobs", [1, 2])
def test_table_and_records(collection, tmp_path, jobs):
    log = tmp_path / "log.jsonl"
    done = compare("--jobs", jobs, "--json", log, collection)
    assert (done.returncode, done.stderr) == (0, "")
    assert figures(done.stdout) == {
        "puzzles": 11,
        "unique": 4,
        "several": 5,
        "none": 2,
        "disagree": 0,
    }
    found, summary = records(log)
    assert [record["puzzle"] for record in found] == MIXED
    assert [record["counts"] for record in found] == [
        dict.fromkeys(("clingo", "prolog", "sat", *WASM), n) for n in NUMBERS
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
    assert (code, figures(out)) == (2, {"puzzles": 2, "unique": 1, "timed out": 1, "disagree": 0})
    assert re.search(r"line 2: the line has 3 characters", err)
    assert re.search(r"line 3: \w+ gave no answer within 60 s", err)
    path.write_text(EMPTY)
    assert command("compare", "-n", "0", "-t", "60", "--jobs", "1", path)[0] == 4


def test_disagreements_can_be_pasted(collection, tmp_path, beside):
    log = tmp_path / "log.jsonl"
    beside(Planted(lambda puzzle, _: [pls.Grid(puzzle.digits[::-1], puzzle.box)], "liar"))
    done = compare("--json", log, collection)
    assert (done.returncode, figures(done.stdout)["disagree"]) == (5, 11)
    assert done.stderr == ""
    first = done.stdout.split("puzzles.txt, line 2")[0]
    assert f"liar has {MIXED[0][::-1]}, but not clingo" in first
    assert f"clingo has {PRINTED[MIXED[0]]}, but not liar\n" in first
    assert first.split("\n")[0].endswith(": the engines disagree: liar stands alone")
    assert f"pylogic-sudoku solve -n 0 -b all --box 3x3 '{MIXED[0]}'\n" in first
    assert records(log)[0][0]["only"]["liar"] == [MIXED[0][::-1]]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_prints_what_was_done(tmp_path, jobs):
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join([*[SMALL] * 192, *[EMPTY] * 2, SMALL]))
    log = tmp_path / "log.jsonl"
    with started("compare", "-n", 0, "--jobs", jobs, "--json", log, path) as process:
        assert soon(lambda: log.exists() and log.read_text().count("\n") >= 128)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    done = len(records(log)[0])
    assert done >= 128
    assert (process.returncode, list(figures(output).values())[:2]) == (130, [done, done])
    assert errors == "\nInterrupted.\n"


# === Comparisons: who is right, who stands alone, and who checks when its time is over ============

RIGHT = ["1234341221434321", "1243341221344321"]
WRONG = "1243341221434321"
RULES = [KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2"), KillerCage("r3c2 r4c2", sum=5)]


class Impatient(PrologBackend):
    """Prolog, whose time is always over before it finds anything: it can only check."""

    name = "impatient"

    def solutions(self, puzzle, timeout=None):
        raise pls.SolveTimeout(self.name, timeout)
        yield


def named(name: str, made: pls.SudokuEngine) -> pls.SudokuEngine:
    made.name = name
    return made


def said(*answers: list[str] | pls.SudokuEngine, limit: int | None = None) -> pls.Comparison:
    """Compare engines a, b, ... that give these grids, or real engines."""
    made = (each if isinstance(each, pls.SudokuEngine) else Liar(each) for each in answers)
    return pls.compare(TWO, [*map(named, "abcd", made)], limit, timeout=9)


AGREE, DIFFER, ALONE = "the engines agree: 2 solutions", "the engines disagree", " stands alone"


def late(slow: str, number: int, others: str = "") -> str:
    """The message about solutions confirmed by engines that found no time to search."""
    known = f"only {others} can know whether there are more" if others else "there may be more"
    found = f"{number} solution{'s' * (number != 1)}"
    accepted = f"every engine accepts what was found: {found}"
    return f"confirmed: {slow} did not finish in time, but {accepted}; {known}"


@pytest.mark.parametrize(
    ("engines", "sentence"),
    [
        pytest.param([RIGHT, RIGHT], AGREE, id="two agree"),
        pytest.param([RIGHT, RIGHT, RIGHT], AGREE, id="all agree"),
        pytest.param([RIGHT, RIGHT[:1], RIGHT], f"{DIFFER}: b{ALONE}", id="one lacks a grid"),
        pytest.param([[*RIGHT, WRONG], RIGHT, RIGHT], f"{DIFFER}: a{ALONE}", id="a wrong one"),
        pytest.param([RIGHT, RIGHT, [RIGHT[0], WRONG]], f"{DIFFER}: c{ALONE}", id="same number"),
        pytest.param([[], RIGHT, RIGHT], f"{DIFFER}: a{ALONE}", id="one has none"),
        pytest.param([RIGHT, [], []], f"{DIFFER}: a{ALONE}", id="the majority may be wrong"),
        pytest.param([RIGHT, RIGHT[:1], []], DIFFER, id="three opinions"),
        pytest.param([RIGHT, RIGHT[:1]], DIFFER, id="two engines"),
        pytest.param([RIGHT, RIGHT, [], []], DIFFER, id="two against two"),
        pytest.param([RIGHT, [], RIGHT, RIGHT], f"{DIFFER}: b{ALONE}", id="one of four"),
        pytest.param([RIGHT, RIGHT[:1], Slow(RIGHT)], f"{DIFFER}: b{ALONE}", id="a late witness"),
        pytest.param([RIGHT, RIGHT, Slow(RIGHT[:1])], f"{DIFFER}: c{ALONE}", id="rejected late"),
        pytest.param([RIGHT, Slow(RIGHT[:1])], DIFFER, id="the slow one rejects a grid"),
        pytest.param([RIGHT, Slow([*RIGHT, WRONG], 3)], DIFFER, id="the slow one is wrong"),
        pytest.param([[WRONG], Slow(RIGHT)], DIFFER, id="the slow one rejects a wrong one"),
        pytest.param([[], Slow(RIGHT, finds=1)], DIFFER, id="a grid against no solution"),
        pytest.param([Slow([WRONG], 1), Impatient()], DIFFER, id="nobody finishes, one is wrong"),
        pytest.param([RIGHT, Slow(RIGHT)], late("b", 2, "a"), id="a slow one checks"),
        pytest.param([RIGHT, Slow(RIGHT, 1)], late("b", 2, "a"), id="it found one"),
        pytest.param([RIGHT, Slow(RIGHT), Impatient()], late("b and c", 2, "a"), id="two check"),
        pytest.param([RIGHT, RIGHT, Slow(RIGHT)], late("c", 2, "a and b"), id="two finish"),
        pytest.param([Slow(RIGHT, 1), Impatient()], late("a and b", 1), id="nobody finishes"),
        pytest.param([Slow(RIGHT, 2), Impatient()], late("a and b", 2), id="two grids"),
    ],
)
def test_what_a_comparison_says(engines, sentence):
    comparison = said(*engines)
    assert str(comparison) == sentence
    again = pickle.loads(pickle.dumps(comparison))
    outcome = {"the engines agree": "agree", DIFFER: "disagree"}.get(sentence.partition(":")[0])
    assert comparison.outcome == again.outcome == (outcome or "confirmed")
    assert comparison.agree is (outcome == "agree")
    assert outcome or "confirmed" in repr(comparison)
    by_name = dict(zip("abcd", engines, strict=False))
    slow = tuple(name for name, each in by_name.items() if isinstance(each, pls.SudokuEngine))
    assert comparison.timed_out == slow
    for name in slow:
        answer = comparison.answers[name]
        assert (answer.complete, answer.timed_out) == (False, True)
        assert "timed_out=True" in repr(answer)
        assert "when its time ran out" in str(answer)
    if outcome != "disagree":
        comparison.check()
        return
    alone = sentence.partition(": ")[2].removesuffix(ALONE) or None
    with pytest.raises(pls.Disagreement) as caught:
        comparison.check()
    assert (comparison.alone, caught.value.alone) == (alone, alone)
    assert pickle.loads(pickle.dumps(caught.value)).alone == alone
    assert str(caught.value).startswith(f"the engines disagree on {TWO}: a: ")
    assert str(caught.value).endswith(f"; {alone}{ALONE}") == (alone is not None)


@pytest.mark.parametrize("limit", [None, 2])
@pytest.mark.parametrize(
    ("answers", "right_rejects", "liar_rejects"),
    [
        pytest.param(RIGHT, [], [], id="all right"),
        pytest.param(RIGHT[:1], [], RIGHT[1:], id="one missing"),
        pytest.param([], [], RIGHT, id="none found"),
        pytest.param([RIGHT[0], WRONG], [WRONG], [RIGHT[1]], id="one wrong"),
    ],
)
def test_the_grids_that_differ_are_named(limit, answers, right_rejects, liar_rejects):
    comparison = said(RIGHT, answers, limit=limit)
    found = {name: sorted(map(str, grids)) for name, grids in comparison.rejected.items()}
    assert found == {"a": right_rejects, "b": liar_rejects}
    assert comparison.answers["a"].complete is (limit is None)
    assert str(comparison.answers["a"]).endswith(f"2 solutions, such as {RIGHT[0]}")


def test_a_limit_checks_instead_of_expecting():
    comparison = pls.compare("1..4............", limit=3)
    assert comparison.agree
    assert all(len(answer.solutions) == 3 for answer in comparison.answers.values())


def test_a_comparison_has_the_limit_of_the_command_unless_it_is_given():
    comparison = pls.compare("." * 16)
    found = [len(answer.solutions) for answer in comparison.answers.values()]
    assert (found, comparison.agree) == ([50, 50], True)
    assert re.fullmatch(r"the engines agree: at least (5\d|[6-9]\d|100) solutions", str(comparison))
    (checked,) = pls.cross_check(["." * 16])
    assert len(checked.comparison.answers["clingo"].solutions) == 50
    default = {each.name: each.default for each in COMMANDS["compare"].params}["limit"]
    assert default == 50
    everything = pls.compare("." * 16, limit=None)
    assert str(everything) == "the engines agree: 288 solutions"


def _raised(backends) -> None:
    for checked in pls.cross_check([TWO], backends):
        raise checked.error


A_LIST = "expected a list of them, such as ['clingo', 'prolog']"


@pytest.mark.parametrize(
    ("backends", "error", "says"),
    [
        ([], ValueError, f"there are no backends; {A_LIST}"),
        ("clingo", TypeError, f"backends is 'clingo'; {A_LIST}"),
        (None, TypeError, f"backends is None; {A_LIST}"),
        (["clingo", 3], TypeError, f"3 is not an engine; {A_LIST}"),
        (choice.get("clingo"), TypeError, A_LIST),
        ([Liar(RIGHT), Liar([WRONG])], ValueError, "two backends are called"),
        (["clingo", "nope"], pls.BackendUnavailable, "there is no backend 'nope'"),
        (["prolog:zzz*"], pls.BackendUnavailable, "no program is called 'prolog:zzz*'"),
        (["clingo", "prolog:class*"], pls.BackendFailure, "no program 'prolog:class*' can solve"),
    ],
)
def test_what_is_no_list_of_engines_is_refused(backends, error, says):
    with pytest.raises(error, match=re.escape(says)):
        pls.compare(TWO, backends)
    with pytest.raises(error, match=re.escape(says)):
        _raised(backends)


def test_one_engine_may_be_named_twice():
    assert list(pls.compare(TWO, ["clingo", "clingo", "prolog"]).answers) == ["clingo", "prolog"]


def test_an_engine_that_gives_a_solution_twice_is_broken():
    with pytest.raises(pls.BackendFailure, match=r"^b gave the same solution twice: 1234"):
        said(RIGHT, [*RIGHT, RIGHT[0]])


@pytest.mark.parametrize(
    ("puzzle", "engines"),
    [
        pytest.param(TWO, [Slow(RIGHT, finds=1)], id="the only engine"),
        pytest.param(TWO, [Slow(RIGHT), Impatient()], id="every engine, without a grid"),
        pytest.param(TWO, ["clingo", Slow(RIGHT, stuck=True)], id="it cannot even check"),
        pytest.param("11" + "." * 14, ["clingo", Slow([])], id="there is nothing to check"),
    ],
)
def test_without_anything_checked_it_timed_out(puzzle, engines):
    with pytest.raises(pls.SolveTimeout, match="slow gave no answer within 9 s"):
        pls.compare(puzzle, engines, timeout=9)
    (check,) = pls.cross_check([puzzle], engines, timeout=9)
    assert check.comparison is None
    assert isinstance(check.error, pls.SolveTimeout)


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


def test_compare_tells_the_three_apart(tmp_path, beside):
    log, path = tmp_path / "log.jsonl", tmp_path / "puzzles.txt"
    path.write_text(TWO)
    beside(Slow(RIGHT))
    done = compare("--json", log, "-t", 9, path)
    assert (done.returncode, figures(done.stdout)) == (
        0,
        {"puzzles": 1, "confirmed": 1, "disagree": 0},
    )
    assert done.stderr == f"{path}, line 1: {late('slow', 2, 'clingo, prolog and sat')}\n"
    (record,), summary = records(log)
    assert (record["outcome"], record["timed_out"]) == ("confirmed", ["slow"])
    assert record["counts"] == {"clingo": 2, "prolog": 2, "sat": 2, "slow": 0}
    assert (summary["confirmed"], summary["timed out"], summary["disagreement"]) == (1, 0, 0)

    path.write_text("\n".join([TWO, "34..12......4321"]))  # only solutions of the first
    log.unlink()
    done = compare("--json", log, "-n", 1, "-t", 9, path)
    assert (done.returncode, figures(done.stdout)) == (
        5,
        {"puzzles": 2, "confirmed": 1, "disagree": 1},
    )
    found, _ = records(log)
    assert [each["outcome"] for each in found] == ["confirmed", "disagreement"]
    beside(Slow(RIGHT, stuck=True))
    assert compare("-n", 1, "-t", 9, path).returncode == 4


def test_solve_says_who_knows(beside):
    def solve(*options):
        return run("solve", "-b", "all", "-t", 9, *options, TWO)

    beside(Slow(RIGHT))

    done = solve("-n", "0", "-f", "line", "--time")
    assert (done.returncode, done.stdout.split()) == (0, RIGHT)
    assert "puzzle 1: confirmed: slow did not finish in time" in done.stderr
    assert "agree" not in done.stderr
    (answer,) = map(json.loads, solve("-f", "json", "-n", "0").stdout.splitlines())
    assert answer["confirmed"].startswith("confirmed: slow")


# --- who stands alone, by the commands --------------------------------------------------


@pytest.fixture
def three(beside):
    """Our engines, one that agrees with them, and one that does not."""
    beside(named("second", Liar(RIGHT)), named("third", Liar([WRONG])))


def test_the_command_names_it(three, tmp_path):
    log = tmp_path / "log"
    done = invoke("compare", "--json", str(log), TWO, TWO)
    assert done.exit_code == 5
    for line in (
        "puzzle 2: the engines disagree: third stands alone",
        f"    third has {WRONG}, but not clingo or prolog or sat or second",
        f"    clingo has {RIGHT[0]}, but not third",
        f"    second has {RIGHT[1]}, but not third",
    ):
        assert f"{line}\n" in done.stdout
    assert "\nthird stands alone: 2 puzzles\n" in done.stdout
    *found, last = map(json.loads, log.read_text().splitlines())
    assert [record["alone"] for record in found] == ["third", "third"]
    assert last["summary"]["alone"] == {"third": 2}


def test_other_commands_name_it(three):
    for command in ("solve", "count"):
        done = invoke(command, "-f", "json", "-b", "all", *["-n", "0"] * (command == "solve"), TWO)
        assert done.exit_code == 5
        assert done.stderr.startswith(f"puzzle 1: the engines disagree on {TWO}: clingo: ")
        assert done.stderr.endswith("; third stands alone\n")
        assert "disagree" in json.loads(done.stdout)["error"]


def test_a_run_stops_at_the_first_difference_if_it_should(tmp_path):
    (tmp_path / "latin.lp").write_text(LATIN)
    (tmp_path / "many.txt").write_text("\n".join([TWO, SMALL, "." * 16, SMALL]))
    engines = ("-b", "clingo", "-b", f"clingo:{tmp_path / 'latin.lp'}")
    for option, number in ((["--fail-fast"], 2), ([], 4)):
        log = tmp_path / f"{number}.jsonl"
        done = run("compare", *engines, *option, "-n", 0, "--json", log, tmp_path / "many.txt")
        *records, last = map(json.loads, log.read_text().splitlines())
        assert (done.returncode, len(records), last["summary"]["puzzles"]) == (5, number, number)


def test_a_difference_between_two_that_finish_is_told_though_a_third_one_is_late():
    class Late(Liar):
        def solutions(self, puzzle, timeout=None):
            raise pls.SolveTimeout(self.name, 1.0)
            yield

        def enumerates(self, question, timeout=None):
            return True

    found = Liar(RIGHT), Liar(RIGHT[:1]), Late([])
    for name, each in zip("abc", found, strict=True):
        each.name = name
    assert pls.compare("." * 16, found, timeout=1).outcome == "disagree"
