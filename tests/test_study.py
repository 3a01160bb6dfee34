"""The study of all programs: its instances, its checks, and what it makes of records."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from benchmarks.study import report
from benchmarks.study.contestants import PLAIN, contestants, ingredients
from benchmarks.study.families import groups, latin_square, random_regions
from benchmarks.study.run import Plan, Study, _check, read
from pylogic_sudoku import (
    BackendFailure,
    Disagreement,
    Grid,
    Puzzle,
    count,
    generate,
    programs,
    rate,
)

EMPTY = Grid((0,) * 16, (2, 2))
ONE = Grid.parse("1234341221434321")
OTHER = Grid.parse("1234341223414123")
HEAD = {"seconds": 10, "contestants": {"a": {}, "b": {}}}


def record(contestant: str, seconds: float, number: int = 0, status: str = "done") -> dict:
    """A record of the study."""
    where = {"family": "sudoku", "group": "hard", "number": number, "question": "one"}
    return {**where, "contestant": contestant, "status": status, "seconds": seconds}


def test_every_program_and_every_outsider_takes_part():
    names = [each.name for each in contestants()]
    assert names[: len(programs())] == [program.name for program in programs()]
    others = {"sat", "OR-tools", "Z3", "Glucose"} | {each.name for each in ingredients()}
    assert set(names[len(programs()) :]) == others


def test_a_search_without_an_ingredient_finds_the_same_and_lacks_it():
    puzzle = next(generate(seed="hard", level="extreme"))
    [whole] = [each for each in contestants() if each.name == "clingo:pairwise"]
    expected = whole.solutions(puzzle, 2, 60)
    for each in ingredients():
        assert each.solutions(puzzle, 2, 60) == expected
        assert each.first(puzzle, 60).solution == expected[0]
    plain = next(each for each in ingredients() if each.paradigm == PLAIN)
    assert plain.first(puzzle, 60).conflicts > whole.first(puzzle, 60).conflicts
    with pytest.raises(BackendFailure):
        plain.first(Puzzle("." * 16, regions="1112122233434344"), 60)


@pytest.mark.parametrize("n", [2, 5, 8])
def test_latin_squares_are_latin_and_come_again(n):
    square = latin_square(n, Random(n))
    assert square.is_solution_of(square.without(*square.cells))
    assert square == latin_square(n, Random(n))


def test_instances_made_from_seeds_are_as_promised(tmp_path):
    made = {(group.family, group.name): group for group in groups()}
    futoshiki = next(made["futoshiki", "5x5"].puzzles(tmp_path))
    assert (futoshiki.size, count(futoshiki, limit=2)) == (5, 1)
    holes = next(made["quasigroup", "order 20, 42 % holes"].puzzles(tmp_path))
    assert (holes.box, holes.digits.count(0)) == ((1, 20), 168)
    jigsaw = next(made["jigsaw", "made"].puzzles(tmp_path))
    assert (jigsaw.size, len(set(jigsaw.regions)), count(jigsaw, limit=2)) == (9, 9, 1)
    killer = next(made["killer", "made"].puzzles(tmp_path))
    assert ({rule.kind for rule in killer.rules}, count(killer, limit=2)) == ({"killer_cage"}, 1)
    hard = next(made["sudoku", "made, hard"].puzzles(tmp_path))
    assert rate(hard).level == "extreme"


def test_every_family_needs_no_collection(tmp_path):
    def without_files(group):
        try:
            return next(group.puzzles(tmp_path)) is not None
        except OSError:
            return False

    made = [group for group in groups() if group.name == "made" or without_files(group)]
    assert {group.family for group in made} == {group.family for group in groups()}
    every = {where for columns in report.TABLES.values() for where in columns}
    assert every <= {(group.family, group.name) for group in groups()}
    seeds = report.TABLES["Instances made from seeds"]
    assert set(seeds) <= {(group.family, group.name) for group in made}


@pytest.mark.parametrize("n", [4, 6, 9])
def test_random_regions_are_connected_and_come_again(n):
    regions = random_regions(n, Random(n))
    assert sorted(Counter(regions).values()) == [n] * n
    assert regions == random_regions(n, Random(n)) != random_regions(n, Random(n + 1))
    cells = {
        label: {divmod(i, n) for i in range(n * n) if regions[i] == label} for label in set(regions)
    }
    for region in cells.values():
        reached = {min(region)}
        for _ in range(n):
            near = {
                (r + a, c + b) for r, c in reached for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))
            }
            reached |= near & region
        assert reached == region


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("one", {"a": (ONE.with_(r1c1=2),)}),
        ("all", {"b": (ONE, OTHER), "a": (ONE, ONE)}),
        ("all", {"b": (ONE, OTHER), "a": (ONE,)}),
        ("unique", {"b": (ONE,), "a": (ONE, OTHER)}),
        ("one", {"b": (ONE,), "a": ()}),
    ],
    ids=["not a solution", "twice", "one is missing", "one more", "none"],
)
def test_an_answer_that_is_wrong_stops_the_study(question, answers):
    with pytest.raises(Disagreement, match="a"):
        _check(EMPTY, "a", question, answers)


def test_different_first_solutions_are_no_disagreement():
    _check(EMPTY, "a", "one", {"b": (ONE,), "a": (OTHER,)})


@pytest.mark.slow
def test_a_study_that_was_stopped_goes_on(tmp_path):
    file = tmp_path / "records.jsonl"
    small = [group for group in groups() if (group.family, group.name) == ("futoshiki", "5x5")]
    ours = [each for each in contestants() if each.name == "clingo"]

    def run(instances: int) -> list[int]:
        plan = Plan(small, ours, tmp_path, 10, 5, instances, 1)
        Study(plan, file, lambda _what: None).run()
        return [each["number"] for each in read(file)[1] if each["question"] == "one"]

    assert run(1) == [0]
    with file.open("a") as out:
        out.write('{"cut off')
    assert run(2) == [0, 1]


def test_a_line_that_is_cut_off_is_not_a_record(tmp_path):
    file = tmp_path / "records.jsonl"
    file.write_text(f'{json.dumps(HEAD)}\n{json.dumps(record("a", 1))}\n{{"family": "su')
    assert read(file) == (HEAD, [record("a", 1)])


def test_what_is_not_finished_counts_as_twice_the_limit():
    records = [record("a", 1), record("a", 10, 1, "timeout"), record("a", 3, 2)]
    found = report.results(HEAD, records)[("sudoku", "hard"), "a", "one"]
    assert (found.par2, found.middle, str(found)) == (8, 3, "8 s (2/3)")


def test_the_best_of_both_paradigms_are_compared_in_pairs():
    head = {
        **HEAD,
        "contestants": {
            "a": {"paradigm": "ASP"},
            "b": {"paradigm": "CLP"},
            "slow": {"paradigm": "CLP"},
        },
    }
    records = [
        each
        for number in range(10)
        for each in (
            record("a", 1 + number, number),
            record("b", 2 * (1 + number), number),
            record("slow", 9, number, "timeout"),
        )
    ]
    lines = report._ahead(head, report.results(head, records)).splitlines()
    assert lines[-1] == "| hard | One solution | b | a | 10 | 2 (2 to 2) | ASP |"


def test_an_interval_of_the_median_holds_it_and_comes_again():
    numbers = [1.0, 1.1, 0.9, 5.0, 1.2, 0.8, 1.0, 1.3, 0.7, 1.1]
    low, high = report.interval(numbers)
    assert min(numbers) <= low <= 1.05 <= high <= max(numbers)
    assert report.interval(numbers) == (low, high)
    assert report.interval([3.0]) == (3.0, 3.0)


def test_tables_go_between_the_marks_of_a_page(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"Before\n{report.BEGIN}\nold\n{report.END}\nAfter\n")
    head = {
        **{"seconds": 10, "machine": "one", "jobs": 1, "python": "3", "package": "0"},
        "contestants": {"a": {"paradigm": "ASP", "version": "5"}},
    }
    report.write_page(page, head, [record("a", 0.0123)])
    text = page.read_text()
    assert "| a (ASP) | **12 ms** |" in text
    assert text.startswith("Before\n")
    assert text.endswith("After\n")
    assert "\nold\n" not in text
