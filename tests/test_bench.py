"""The race: who takes part, what is timed and checked, and how everything ends."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from helpers.bench_fakes import fakes, hanging
from helpers.oracle import all_solutions, dig, full_grid
from helpers.processes import LINUX, PATIENCE, soon
from helpers.puzzles import CLASSIC

from benchmarks.race.measure import Result, SetResult, measure
from benchmarks.race.peers import contestants
from benchmarks.race.report import CLAIMS, Claim, as_json, notes, table, verdicts
from benchmarks.race.sets import MADE, PuzzleSet
from benchmarks.race.turns import IN_TURNS
from pylogic_sudoku import Grid

FOURS = tuple(dig(full_grid((2, 2), seed), 6, seed) for seed in range(6))
SMALL = PuzzleSet("small", FOURS)
FIRST_ROW = Grid.parse("1234............")
NUMBER = 12
"""Solutions of that."""


def race(*names: str, puzzles: PuzzleSet = SMALL, rounds: int = 2, seconds: float = 20.0):
    result = measure(puzzles, fakes(*names), rounds, seconds)
    return [result.of(name) for name in names]


def enumeration(task: str = "enumerate", limit: int | None = None) -> PuzzleSet:
    return PuzzleSet("grids", (FIRST_ROW,), task, limit, limit or NUMBER)


def test_everyone_solves_everything_in_rounds():
    for row in race("honest", "only-solves"):
        assert [len(times) for times in row.rounds] == [3, 3]
        assert all(seconds > 0 for times in row.rounds for seconds in times)
        assert (row.done, row.note, row.wrong) == (6, "", "")
        assert row.version


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("absent", "not installed: no module of that name"),
        ("unavailable", "no module of that name"),
        ("limited", "9x9 only"),
    ],
)
def test_who_cannot_take_part_is_skipped_with_the_reason(name, note):
    honest, other = race("honest", name)
    assert honest.done == 6
    assert (other.note, other.rounds) == (note, [])
    result = SetResult(SMALL, [honest, other])
    assert list(notes([result])) == [f"small: without {name} ({note})"]


def test_tasks_that_a_contestant_does_not_have():
    honest, other = race("honest", "only-solves", puzzles=enumeration())
    assert (honest.done, other.note) == (2, "cannot enumerate")
    honest, other = race("honest", "only-solves", puzzles=enumeration("count"))
    assert (honest.done, other.note) == (2, "cannot count without enumerating")


def test_enumeration_up_to_a_limit():
    (honest,) = race("honest", puzzles=enumeration(limit=5))
    assert (honest.done, honest.wrong) == (2, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "puzzles", "said"),
    [
        ("wrong", SMALL, "wrong on "),
        ("denies", SMALL, "no solution"),
        ("wrong", enumeration(), "11 solutions, not 12"),
        ("repeats", enumeration(), "1 solutions, not 12"),
        ("wrong", enumeration("count"), "13 solutions, not 12"),
    ],
)
def test_wrong_answers_are_seen(name, puzzles, said):
    honest, other = race("honest", name, puzzles=puzzles)
    assert not honest.wrong
    assert said in other.wrong
    assert any("WRONG" in note for note in notes([SetResult(puzzles, [honest, other])]))


def test_none_is_right_if_there_is_no_solution():
    impossible = PuzzleSet("impossible", (Grid.parse("11.............."),))
    honest, _ = race("honest", "denies", puzzles=impossible)
    assert (honest.done, honest.wrong) == (1, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("dies", "its process died (exit code 7)"),
        ("breaks", "broke: RuntimeError: said the engine"),
        ("hangs", "stopped, no answer within 10 s"),
    ],
)
def test_who_fails_costs_only_itself(name, note):
    other, honest = race(name, "honest", seconds=10)
    assert other.note == note
    assert (honest.done, honest.note) == (6, "")


def test_who_is_slow_does_fewer_puzzles():
    slow, honest = race("slow", "honest", seconds=25)
    assert (slow.note, slow.wrong) == ("", "")
    assert (slow.done, honest.done) == (4, 6)
    cells = list(table([SetResult(SMALL, [slow, honest])]).columns[2].cells)
    assert cells == ["4 of 6", "6"]


def gone(process: int) -> bool:
    """Whether it has ended, or at least does nothing more."""
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.slow
@LINUX
def test_nothing_is_left_running(tmp_path):
    note = tmp_path / "processes"
    measure(SMALL, [hanging(note)], seconds=10)
    processes = [int(number) for number in note.read_text().split()]
    assert len(processes) == 2
    assert soon(lambda: all(map(gone, processes)))


def test_ratios_are_of_the_puzzles_that_both_did():
    ours = Result("ours", rounds=[[1, 1, 10], [2, 2, 2], [1, 1, 1]])
    slow = Result("slow", rounds=[[3, 3], [2], []])
    assert slow.times(ours) == 2  # the median of 6/2 and 2/2
    assert ours.times(slow) == pytest.approx((2 / 6 + 1) / 2)
    assert slow.times(Result("idle", rounds=[[]])) is None
    assert ours.seconds == [4, 2, 1]
    assert slow.done == 3


def result(name: str, **seconds: float) -> SetResult:
    rows = [Result(one.replace("_", "-"), rounds=[[time]]) for one, time in seconds.items()]
    return SetResult(PuzzleSet(name, FOURS[:1]), rows)


def test_claims():
    results = [result("a", ours=1, other=9, other_too=20), result("b", ours=3, other=2)]
    claims = (
        Claim("a", "ours", "other", faster=9),
        Claim("a", "ours", "other*", faster=10),
        Claim("b", "ours", "other", longer=1.5),
        Claim("b", "ours", "other", longer=1.4),
        Claim("b", "ours", "nobody", longer=1),
        Claim("c", "ours", "other", longer=1),
    )
    found = [(str(verdict), verdict.kept) for verdict in verdicts(results, claims)]
    assert found == [
        ("a: ours 9.0 times as fast as other (at least 9)", True),
        ("a: ours 9.0 times as fast as other (at least 10)", False),
        ("a: ours 20.0 times as fast as other-too (at least 10)", True),
        ("b: ours 1.50 times the time of other (at most 1.5)", True),
        ("b: ours 1.50 times the time of other (at most 1.4)", False),
    ]


def test_json_has_all_figures():
    (row,) = as_json([result("a", clingo=1, prolog=4)], [], rounds=1)["sets"]
    clingo, prolog = row["contestants"]
    assert (row["set"], row["task"], row["box"], row["puzzles"]) == ("a", "solve", (2, 2), 1)
    assert (prolog["median"], prolog["rounds"], prolog["puzzles"]) == (4, [4], 1)
    assert prolog["ratios"] == {"clingo": 4, "prolog": 1}
    assert clingo["ratios"] == {"clingo": 1, "prolog": 0.25}


@pytest.mark.slow
def test_charts_of_sets_and_of_growth(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from benchmarks.race.chart import save

    steps = [
        SetResult(PuzzleSet(f"{what} = {number}", FOURS[:1], growth=(what, number)), rows)
        for what in ("n", "puzzles", "solutions")
        for number, rows in ((1, result("", clingo=2, z3=9).results), (4, []))
    ]
    results = [result("one", clingo=1, prolog_jobs=0.5, z3=300), result("none"), *steps]
    save(results, tmp_path / "chart.svg")
    drawn = (tmp_path / "chart.svg").read_text()
    for text in ("one", "prolog-jobs", "growth with solutions", "seconds for all"):
        assert f"<!-- {text} -->" in drawn
    save(results, tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


EVERYONE = contestants(2, ["--configuration=crafty"])
NINE = PuzzleSet("nine", (Grid.parse(CLASSIC),))


def test_contestants_have_names_of_their_own():
    assert len({contestant.name for contestant in EVERYONE}) == len(EVERYONE) == 20
    assert all(contestant.settings for contestant in EVERYONE)


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_claims_are_about_contestants_and_sets_that_there_are(claim):
    names = [contestant.name for contestant in EVERYONE]
    assert claim.ours in names
    assert any(fnmatchcase(name, claim.other) for name in names)
    files = ("random-10k", "17-clue", "hard-375")
    assert claim.puzzles.removesuffix(IN_TURNS) in (*files, *MADE)
    assert (claim.faster is None) != (claim.longer is None)


def takes_part(contestant, puzzles: PuzzleSet) -> bool:
    """True if it did everything right, False if it cannot; skips where it is not installed."""
    (row,) = measure(puzzles, [contestant], rounds=1, seconds=PATIENCE).results
    if row.note.startswith("not installed"):
        pytest.skip(f"{contestant.name} is {row.note}")
    assert not row.wrong
    unfit = ("9x9 only", "only enumerates", "cannot enumerate", "cannot count without enumerating")
    assert row.note in ("", *unfit)
    return bool(row.done)


COUNT = {"clingo", "prolog", "sat", "clingo-bare", "clingo-bare crafty", "clingo-process"} | {
    *("python-sat cadical195", "python-sat glucose4")
}
ENUMERATE = {*COUNT, "clingo-fresh", "clingo-symbols", "ortools", "cpmpy", "python-constraint"}


@pytest.mark.slow
@pytest.mark.parametrize("contestant", EVERYONE, ids=lambda contestant: contestant.name)
def test_every_contestant_that_is_installed_answers_right(contestant):
    assert takes_part(contestant, NINE) is (contestant.name != "clingo-symbols")
    assert takes_part(contestant, enumeration()) is (contestant.name in ENUMERATE)
    assert takes_part(contestant, enumeration("count")) is (contestant.name in COUNT)


def test_the_enumeration_is_as_documented():
    assert len(set(all_solutions(FIRST_ROW))) == NUMBER


@pytest.mark.slow
def test_our_own_contestants_answer_right():
    ours = [
        one for one in EVERYONE if one.name in ("clingo", "prolog", "clingo-jobs", "clingo-bare")
    ]
    result = measure(NINE, ours, rounds=1, seconds=PATIENCE)
    assert [(row.done, row.note, row.wrong) for row in result.results] == [(1, "", "")] * 4
