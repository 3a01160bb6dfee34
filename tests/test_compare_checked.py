"""Comparisons in which the time of an engine runs out: it checks what the others found."""

from __future__ import annotations

import json
import pickle
import textwrap

import pytest
from helpers.command_line import environment, spawned
from helpers.fakes import Liar, Slow
from helpers.puzzles import TWO
from test_cross_check import figures, records

import pylogic_sudoku as pls
from pylogic_sudoku import Puzzle
from pylogic_sudoku.engines.prolog import PrologBackend
from pylogic_sudoku.rules import KillerCage, Thermometer

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
    assert (comparison.outcome, comparison.agree, comparison.late) == ("checked", False, ("slow",))
    answer = comparison.answers["slow"]
    assert (len(answer.solutions), answer.complete, answer.timed_out) == (finds, False, True)
    assert comparison.answers["clingo"].complete is (limit is None)
    assert sorted(map(str, comparison.solutions)) == BOTH
    comparison.check()
    assert str(comparison) == (
        "checked: slow did not finish in time, but accepts the 2 solutions that clingo found;"
        " only clingo can know whether there are more"
    )
    assert "checked" in repr(comparison)
    assert "timed_out=True" in repr(answer)
    assert "when its time ran out" in str(answer)
    assert pickle.loads(pickle.dumps(comparison)).outcome == "checked"


def test_two_slow_engines_check_what_another_found():
    comparison = pls.compare(TWO, ("clingo", Slow(BOTH), Impatient()), timeout=9)
    assert str(comparison).startswith(
        "checked: slow and impatient did not finish in time, but accept the 2 solutions that clingo"
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
    assert (comparison.outcome, comparison.late) == ("checked", ("slow", "impatient"))
    assert len(comparison.solutions) == finds
    assert str(comparison) == (
        f"checked: slow and impatient did not finish in time, but all accept {found} that was"
        " found; there may be more"
    )
    comparison.check()


def test_if_no_engine_finishes_a_wrong_grid_is_a_disagreement():
    comparison = pls.compare(TWO, (Slow([WRONG], finds=1), Impatient()), timeout=9)
    assert comparison.outcome == "disagree"


def test_engines_that_finish_agree():
    comparison = pls.compare(TWO)
    assert (comparison.outcome, comparison.late) == ("agree", ())
    assert str(comparison) == "the engines agree: 2 solutions"


def test_prolog_checks_a_grid_by_all_its_rules():
    puzzle = Puzzle("." * 16, rules=RULES)
    (check,) = pls.cross_check([puzzle], ("clingo", Impatient()), limit=None, timeout=60)
    assert check.comparison.outcome == "checked"
    assert len(check.comparison.solutions) == pls.count(puzzle) > 0
    # A grid that breaks one of the rules is rejected, though clingo was not told of that rule.
    for spared in range(3):
        fewer = Puzzle("." * 16, rules=[rule for rule in RULES if rule != RULES[spared]])
        wrong = next(grid for grid in pls.solutions(fewer) if not puzzle.holds(grid))
        assert Impatient().solve(puzzle.with_(*wrong.givens)) is None


# --- the commands ------------------------------------------------------------------------

PLUGIN = """
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
    about = tmp_path / "slow-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[pylogic_sudoku.backends]\nslow = slow:Slow\n")
    (tmp_path / "slow.py").write_text(textwrap.dedent(PLUGIN))
    return environment(tmp_path)


def test_compare_tells_the_three_apart(tmp_path, slow):
    log, path = tmp_path / "log.jsonl", tmp_path / "puzzles.txt"
    path.write_text(TWO)
    done = spawned("compare", "--json", log, "-t", 9, path, env=slow)
    assert (done.returncode, figures(done.stdout)) == (0, [1, 0, 0, 0, 1, 0, 0, 0])
    assert done.stderr == (
        f"{path}, line 1: checked: slow did not finish in time, but accepts the 2 solutions that"
        " clingo, prolog and sat found; only clingo, prolog and sat can know whether"
        " there are more\n"
    )
    (record,), summary = records(log)
    assert (record["outcome"], record["late"]) == ("checked", ["slow"])
    assert record["counts"] == {"clingo": 2, "prolog": 2, "sat": 2, "slow": 0}
    assert (summary["checked"], summary["timed out"], summary["disagreement"]) == (1, 0, 0)

    # The grids of the second begin with a 3, which it rejects, and those of the third with a 4,
    # which it has no time for.
    path.write_text("\n".join([TWO, "34..12......4321", "4" + "." * 15]))
    log.unlink()
    done = spawned("compare", "--json", log, "-n", 1, "-t", 9, path, env=slow)
    assert (done.returncode, figures(done.stdout)) == (5, [3, 0, 0, 0, 1, 1, 0, 1])
    found, _ = records(log)
    assert [each["outcome"] for each in found] == ["checked", "disagreement", "timed out"]
    path.write_text("4" + "." * 15)
    assert spawned("compare", "-n", 1, "-t", 9, path, env=slow).returncode == 4


def test_solve_says_who_knows(slow):
    def solve(*options):
        return spawned("solve", "-b", "all", "-t", 9, *options, TWO, env=slow)

    done = solve("-n", "0", "-f", "line", "--time")
    assert (done.returncode, done.stdout.split()) == (0, BOTH)
    assert "puzzle 1: checked: slow did not finish in time" in done.stderr
    assert "agree" not in done.stderr
    (answer,) = map(json.loads, solve("-f", "json", "-n", "0").stdout.splitlines())
    assert answer["checked"].startswith("checked: slow")
