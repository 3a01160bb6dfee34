"""The study of all programs: its instances, its checks, and what it makes of records."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from benchmarks.study import report
from benchmarks.study.__main__ import PAGES, main
from benchmarks.study.contestants import contestants
from benchmarks.study.families import PROBLEM, groups, latin_square, random_regions
from benchmarks.study.ingredients import EXPERIMENT, ingredients
from benchmarks.study.run import ENOUGH, GIVE_UP, Plan, Study, _check, _check_all, read
from benchmarks.study.worker import Ask, _answer
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
from pylogic_sudoku.problem.folder import bundled

PUZZLES = [
    Grid.parse(text)
    for text in (
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    )
]
"""Both need a search by any propagation of a single house."""
MADE = ("5x5", "made, easy", "made, minimal", "made, 16x16", "order 10, 42 % holes")
EMPTY = Grid((0,) * 16, (2, 2))
ONE = Grid.parse("1234341221434321")
OTHER = Grid.parse("1234341223414123")
HEAD = {"seconds": 10, "contestants": {"a": {}, "b": {}}}


def record(contestant: str, seconds: float, number: int = 0, status: str = "done") -> dict:
    """A record of the study."""
    where = {"family": "sudoku", "group": "hard", "number": number, "question": "one"}
    return {**where, "contestant": contestant, "status": status, "seconds": seconds}


def everyone() -> dict:
    """All contestants, by name."""
    return {each.name: each for each in contestants()}


def test_every_program_and_every_outsider_takes_part():
    names = list(everyone())
    assert names[: len(programs())] == [program.name for program in programs()]
    boxed = {name for problem in bundled() for name in problem.paths}
    others = {"sat", "clingcon", "OR-tools", "Z3", "Glucose", *boxed}
    assert set(names) == {*names[: len(programs())], *others, *(e.name for e in ingredients())}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("problem", bundled(), ids=lambda problem: problem.name)
def test_bundled_programs_take_part_by_being_there(problem):
    known = everyone()
    asked = {name for name, each in known.items() if each.takes_part(PROBLEM, problem.name)}
    assert asked == set(problem.paths)
    [instance] = islice(problem.instances.values(), 1)
    answers: dict = {}
    for name in asked:
        one = _answer(known, Ask(name, "one", instance, 60))
        every = _answer(known, Ask(name, "all", instance, 60))
        assert (one.status, every.status) == ("done", "done"), (one.why, every.why)
        answers.setdefault("one", {})[name] = one.solutions
        answers.setdefault("all", {})[name] = every.solutions
        _check(instance, name, "all", answers["all"])
    _check_all(instance, answers)


@pytest.mark.slow
def test_a_program_with_another_search_finds_the_same():
    puzzle = next(generate(seed="hard", level="extreme"))
    expected = everyone()["clingo:pairwise"].solutions(puzzle, 2, 60)
    for each in ingredients():
        assert each.solutions(puzzle, 2, 60) == expected
        assert each.first(puzzle, 60).solution == expected[0]


@pytest.mark.slow
@pytest.mark.parametrize("program", ["clingo:pairwise", "clingcon"])
def test_without_learning_there_are_more_dead_ends(program):
    known = everyone()
    whole, plain = known[program], known[f"{program}, no learning"]
    conflicts = [
        [each.first(puzzle, 60).conflicts for puzzle in PUZZLES] for each in (whole, plain)
    ]
    assert 0 < sum(conflicts[0]) < sum(conflicts[1]) / 2


def test_a_program_with_another_search_takes_what_its_own_takes():
    with pytest.raises(BackendFailure, match="regions"):
        everyone()["clingo:pairwise, no learning"].first(
            Puzzle("." * 16, regions="1112122233434344"), 60
        )


def test_statements_of_the_experiment_know_more_from_one_to_the_next():
    known = everyone()
    for puzzle in PUZZLES:
        left = [
            known[f"prolog{name}"].left(puzzle, 60) for name in (":different", "", ":first_fail")
        ]
        assert left == sorted(left, reverse=True)
    assert {name for by_search in EXPERIMENT.values() for name in by_search.values()} <= set(known)


@pytest.mark.parametrize("n", [2, 5, 8])
def test_latin_squares_are_latin_and_come_again(n):
    square = latin_square(n, Random(n))
    assert square.is_solution_of(square.without(*square.cells))
    assert square == latin_square(n, Random(n))


@pytest.mark.slow
def test_instances_made_from_seeds_are_as_promised(tmp_path):
    made = {(group.family, group.name): group for group in groups()}
    futoshiki = next(made["futoshiki", "5x5"].instances(tmp_path))
    assert (futoshiki.size, count(futoshiki, limit=2)) == (5, 1)
    holes = next(made["quasigroup", "order 20, 42 % holes"].instances(tmp_path))
    assert (holes.box, holes.digits.count(0)) == ((1, 20), 168)
    jigsaw = next(made["jigsaw", "made"].instances(tmp_path))
    assert (jigsaw.size, len(set(jigsaw.regions)), count(jigsaw, limit=2)) == (9, 9, 1)
    killer = next(made["killer", "made"].instances(tmp_path))
    assert ({rule.kind for rule in killer.rules}, count(killer, limit=2)) == ({"killer_cage"}, 1)
    extreme = next(made["sudoku", "made, extreme"].instances(tmp_path))
    assert rate(extreme).level == "extreme"
    hard = next(made["sudoku", "made, hard"].instances(tmp_path))
    assert hard.size in (16, 25)


@pytest.mark.slow
def test_another_seed_makes_other_instances_and_the_same_seed_the_same(tmp_path):
    def first(seed):
        return {
            (group.family, group.name): next(group.instances(tmp_path))
            for group in groups(seed)
            if group.family != PROBLEM and "published" not in group.name and group.name in MADE
        }

    assert first("a") == first("a")
    other = first("b")
    assert len(other) == len(MADE)
    assert all(instance != other[name] for name, instance in first("a").items())


@pytest.mark.slow
def test_every_family_needs_no_collection(tmp_path):
    def without_files(group):
        try:
            return next(group.instances(tmp_path)) is not None
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


def test_an_answer_that_is_not_one_of_all_stops_the_study():
    answers = {"one": {"a": (OTHER,)}, "all": {"b": (ONE,)}}
    with pytest.raises(Disagreement, match="a"):
        _check_all(EMPTY, answers)
    _check_all(EMPTY, {**answers, "all": {"b": (ONE, OTHER)}})


def test_different_first_solutions_are_no_disagreement():
    _check(EMPTY, "a", "one", {"b": (ONE,), "a": (OTHER,)})


@pytest.mark.slow
def test_a_study_that_was_stopped_goes_on(tmp_path):
    file = tmp_path / "records.jsonl"
    small = [group for group in groups() if (group.family, group.name) == ("futoshiki", "5x5")]
    ours = [each for each in contestants() if each.name == "clingo"]

    def run(instances: int) -> list[int]:
        plan = Plan(small, ours, tmp_path, 10, 5, instances, 1, "study")
        Study(plan, file, lambda _what: None).run()
        return [each["number"] for each in read(file)[1] if each["question"] == "one"]

    assert run(1) == [0]
    with file.open("a") as out:
        out.write('{"cut off')
    assert run(2) == [0, 1]


@pytest.fixture
def two_groups(tmp_path):
    """A study of two groups."""
    small = {each.name: each for each in groups() if each.family == "quasigroup"}
    easy, hard = small["order 10, 42 % holes"], small["order 15, 42 % holes"]
    plan = Plan([easy, hard], [], tmp_path, 10, 5, 60, 1, "study")
    return Study(plan, tmp_path / "records.jsonl", lambda _what: None), easy, hard


def test_every_group_has_its_instances_before_any_has_more(two_groups):
    study, easy, hard = two_groups
    study._spent[hard] = 1e6
    asked = [study._next()[0] for _ in range(2 * ENOUGH + 5)]
    assert Counter(asked[: 2 * ENOUGH]) == {easy: ENOUGH, hard: ENOUGH}
    assert set(asked[2 * ENOUGH :]) == {easy}


def test_whoever_fails_in_an_easier_group_is_not_asked_in_a_harder_one(two_groups):
    study, easy, hard = two_groups
    late = {"contestant": "a", "question": "one", "status": "timeout"}
    for _ in range(GIVE_UP):
        assert not study._is_hopeless(hard, "a", "one")
        study._count(easy, late)
    assert study._is_hopeless(hard, "a", "one")
    assert not study._is_hopeless(hard, "b", "one")
    study._count(hard, {"contestant": "b", "question": "one", "status": "timeout"})
    assert not study._is_hopeless(easy, "b", "one")


def test_records_may_be_compressed(tmp_path):
    text = f"{json.dumps(HEAD)}\n{json.dumps(record('a', 1))}\n"
    with lzma.open(tmp_path / "records.jsonl.xz", "wt") as file:
        file.write(text)
    assert read(tmp_path / "records.jsonl.xz") == (HEAD, [record("a", 1)])


@pytest.mark.slow
def test_the_pages_hold_the_tables_of_the_records():
    here = Path(report.__file__).parent
    run, repeat = (read(here / f"{name}.jsonl.xz") for name in ("records", "repeat"))
    made = report.times(run), report.ratios(run, repeat), report.learning(run, repeat)
    for file, text in zip(PAGES, made, strict=True):
        page = file.read_text(encoding="utf-8")
        assert page.split(report.BEGIN)[1].split(report.END)[0].strip() == text.strip(), file


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([], "exists: add --resume"),
        (["--resume", "--seed", "b"], "has seed a, not b"),
        (["--resume", "--seed", "a", "--limit", "3"], "has seconds 10, not 3.0"),
        (["--minutes", "0", "--docs", "none"], "there is no folder none/images"),
    ],
)
def test_records_of_another_study_are_not_gone_on_with(
    tmp_path, monkeypatch, capsys, options, says
):
    file = tmp_path / "records.jsonl"
    file.write_text(f"{json.dumps({**HEAD, 'seed': 'a'})}\n")
    monkeypatch.setattr("sys.argv", ["study", str(file), *options])
    with pytest.raises(SystemExit):
        main()
    assert says in capsys.readouterr().err
    assert file.read_text().count("\n") == 1


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
    found = report.results(head, records)
    lines = report._ahead(head, found, {}).splitlines()
    assert lines[-1] == "| hard | One solution, cold | b | a | 10 | 2 | ASP |"
    again = report.results(head, [{**each, "seconds": 1} for each in records])
    lines = report._ahead(head, found, again).splitlines()
    assert lines[-1] == "| hard | One solution, cold | b | a | 10 | 2 | ASP | 1 |"
    # Nobody knows how slow the third one is, so a and b are the only pair.
    assert "Of 1 pairs" in report._orders(head, found, again)
    assert ", 1 (100.0%) are in another order" in report._orders(head, found, again)
    assert ", 0 (0.0%) are in another order" in report._orders(head, found, found)


def test_two_searches_without_learning_show_their_trees_before_their_times():
    records = [
        {**record(name, seconds * (1 + number), number), "choices": choices, "conflicts": 1}
        for name, seconds, choices in (("prolog, first fail", 3, 8), ("clingo, no learning", 1, 90))
        for number in range(3)
    ]
    records += [record("prolog, first fail", 1, 3), record("clingo, no learning", 1, 3, "timeout")]
    lines = report._trees(report.results(HEAD, records)).splitlines()
    assert lines[-1] == "| sudoku, hard (3) | pairs and every digit | 8 | 90 | 1 | 1 | 3 |"
    assert report._trees(report.results(HEAD, records[:3])) == ""


def test_whoever_keeps_nothing_is_as_fast_in_a_stream():
    asked = [
        {**record(name, seconds, status=status), "question": question}
        for name, question, seconds, status in (
            ("a", "unique", 2, "done"),
            ("a", "stream", 1, "done"),
            ("b", "unique", 3, "done"),
            ("b", "stream", 0, "refused"),
        )
    ]
    found = report.results(HEAD, asked)
    where = ("sudoku", "hard")
    assert [found[where, name, "stream"].par2 for name in "ab"] == [1, 3]
    assert not [key for key in report.results(HEAD, asked[::2]) if key[2] == "stream"]


def test_a_ratio_says_that_it_is_a_bound_and_leaves_out_what_nobody_knows():
    late = [record("a", 10, number, "timeout") for number in range(3)]
    mine = [record("b", 2, 0), record("b", 4, 1), record("b", 10, 2, "timeout")]
    found = report.results(HEAD, late + mine)
    keys = [((("sudoku", "hard"), name, "one")) for name in "ab"]
    assert str(report._ratio(found, *keys)) == "> 7.5 (5 to 10)"
    assert str(report._ratio(found, *reversed(keys))).startswith("< 0.15")
    assert report._ratio(report.results(HEAD, late + mine[2:]), *keys) is None
    quick = [record("b", 0.01, number) for number in range(3)]
    assert str(report._ratio(report.results(HEAD, late + quick), *keys)) == "> 2,000"


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
    report.write_page(page, report.tables((head, [record("a", 0.0123)])))
    text = page.read_text()
    assert "| a (ASP) | **12 ms** |" in text
    assert text.startswith("Before\n")
    assert text.endswith("After\n")
    assert "\nold\n" not in text


def shares_of_study(tmp_path):
    """The files of two shares of a short run."""
    files = [tmp_path / f"{number}.jsonl" for number in (1, 2)]
    command = ["--family", "problem", "--program", "clingo", "--instances", "1", "--jobs", "1"]
    for number, file in enumerate(files, 1):
        minutes = ["--minutes", "0.5", "--limit", "1", "--shard", f"{number}/2"]
        assert main([str(file), *command, *minutes]) == 0
    return files


@pytest.mark.slow
def test_shares_of_the_study_are_merged(tmp_path, capsys):
    files = shares_of_study(tmp_path)
    for number, order in enumerate((files, files[::-1])):
        out = tmp_path / f"all-{number}.jsonl"
        assert main([str(out), "--merge", *map(str, order)]) == 0
    assert out.read_bytes() == (tmp_path / "all-0.jsonl").read_bytes()
    head, records = read(out)
    assert head.keys() == Study(plan_of_nobody(), tmp_path / "none", print)._head().keys()
    there = [{each["group"] for each in read(file)[1]} for file in files]
    assert not there[0] & there[1]
    names = [each.name for each in groups("study") if each.family == PROBLEM]
    assert list(dict.fromkeys(each["group"] for each in records)) == names
    assert abs(len(there[0]) - len(there[1])) <= 1
    with pytest.raises(SystemExit):
        main([str(tmp_path / "more.jsonl"), "--merge", str(files[1])])
    assert "1/2 is missing" in capsys.readouterr().err


def plan_of_nobody() -> Plan:
    return Plan([], [], Path(), 1, 0, 1, 1, "study")


def test_a_share_that_cannot_be_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path / "x.jsonl"), "--shard", "3/2"])
    assert "'3/2' is not a share" in capsys.readouterr().err
