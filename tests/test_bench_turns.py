"""The race in one process, puzzle by puzzle; and processor time instead of the clock."""

from __future__ import annotations

import pytest
from helpers.bench_fakes import fakes, noting
from helpers.oracle import dig, full_grid

from benchmarks.race.measure import measure
from benchmarks.race.report import notes
from benchmarks.race.sets import PuzzleSet
from benchmarks.race.turns import in_turns

SMALL = PuzzleSet("small", tuple(dig(full_grid((2, 2), seed), 6, seed) for seed in range(6)))


def race(*names: str, seconds: float = 20.0, cpu: bool = False, way=in_turns):
    result = way(SMALL, fakes(*names), 2, seconds, cpu=cpu)
    return [result.of(name) for name in names]


def log(note) -> list[list[str]]:
    """Puzzle, contestant and process of each answer, but for the warm-up."""
    lines = [line.split() for line in note.read_text().splitlines()]
    return [line for line in lines if line[0] != str(SMALL.warm_up)]


def test_everyone_solves_everything_in_rounds():
    for row in race("honest", "only-solves"):
        assert [len(times) for times in row.rounds] == [3, 3]
        assert all(seconds > 0 for times in row.rounds for seconds in times)
        assert (row.done, row.note, row.wrong) == (6, "", "")
        assert row.version


def test_in_turns_all_share_a_process_and_each_puzzle_is_solved_by_all_before_the_next(tmp_path):
    names = {"a", "b", "c"}
    in_turns(SMALL, noting(tmp_path / "note", *names), rounds=2)
    answers = log(tmp_path / "note")
    assert len({process for _, _, process in answers}) == 1
    turns = [answers[start : start + 3] for start in range(0, len(answers), 3)]
    assert len(turns) == 6
    assert all(len({puzzle for puzzle, _, _ in turn}) == 1 for turn in turns)
    orders = [tuple(name for _, name, _ in turn) for turn in turns]
    assert all(set(order) == names for order in orders)
    assert len(set(orders)) > 1


def test_the_order_is_the_same_in_each_run(tmp_path):
    for run in ("one", "two"):
        in_turns(SMALL, noting(tmp_path / run, "a", "b", "c"), rounds=2)
    one, two = ([line[:2] for line in log(tmp_path / run)] for run in ("one", "two"))
    assert one == two


def test_otherwise_each_has_a_process_of_its_own(tmp_path):
    measure(SMALL, noting(tmp_path / "note", "a", "b"), rounds=2)
    answers = log(tmp_path / "note")
    assert len({(name, process) for _, name, process in answers}) == 2
    assert len({process for _, _, process in answers}) == 2


def test_the_set_has_a_name_of_its_own():
    result = in_turns(SMALL, fakes("honest", "absent"), 1)
    assert result.puzzles.name == "small, in turns"
    absent = "not installed: no module of that name"
    assert list(notes([result])) == [f"small, in turns: without absent ({absent})"]


def test_who_cannot_share_a_process_is_left_out():
    together, honest = race("together", "honest")
    assert (together.note, together.rounds) == ("needs a process of its own", [])
    assert honest.done == 6
    (together,) = race("together", way=measure)
    assert (together.done, together.note) == (6, "")


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
    first, other, last = race("only-solves", name, "honest", seconds=10)
    assert other.note == note
    assert other.done == 1
    assert [(row.done, row.note, row.wrong) for row in (first, last)] == [(6, "", "")] * 2


def test_wrong_answers_are_seen():
    honest, wrong, denies = race("honest", "wrong", "denies")
    assert not honest.wrong
    assert wrong.wrong.startswith("wrong on ")
    assert denies.wrong.endswith("no solution")


def test_who_is_slow_does_fewer_puzzles():
    slow, honest = race("slow", "honest", seconds=25)
    assert (slow.done, honest.done) == (3, 6)


@pytest.mark.slow
@pytest.mark.parametrize("way", [measure, in_turns])
def test_processor_time_is_not_the_clock_but_counts_the_work_of_other_processes(way):
    busy, slow = race("busy", "slow", seconds=25, cpu=True, way=way)
    assert slow.done == 6  # by the clock they take longer
    assert min(seconds for times in busy.rounds for seconds in times) >= 0.05


def test_without_the_clock_several_processes_cannot_be_timed():
    (together,) = race("together", cpu=True, way=measure)
    assert together.note == "works in other processes, whose processor time is not known"
