"""Puzzles made on demand: by the library, by the command, and with rules."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice, pairwise
from random import Random

import pytest
from helpers.command_line import invoke
from helpers.fakes import Liar
from helpers.oracle import all_solutions, full_grid

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.making import dig as digging
from pylogic_sudoku.making.request import SYMMETRIES, groups
from pylogic_sudoku.making.rules import LAID, lay
from pylogic_sudoku.puzzle.cells import neighbours, touch
from pylogic_sudoku.rules import KillerCage

JIGSAW = "11122 11322 43332 44355 44555"
FIRST = "3.4.91.6...8.4...1.6.......5...32.......7..2....4..8...76.1...4..5....9.2.1.....3"
GIVENS = {22: 2, 23: 6, 24: 16, 25: 15, 26: 6, 27: 3, 28: 2}
SHAPES = [{"box": (2, 2)}, {"box": (2, 3)}, {"box": (1, 5)}, {"regions": JIGSAW}]


def texts(**wanted) -> list[str]:
    return [str(puzzle) for puzzle in pls.generate(**wanted)]


def is_unique(puzzle: pls.Grid | pls.Puzzle) -> bool:
    """By the oracle, which knows no engine."""
    return len(list(islice(all_solutions(puzzle), 2))) == 1


def is_minimal(puzzle: pls.Grid | pls.Puzzle) -> bool:
    return not any(is_unique(puzzle.without(given)) for given in puzzle.givens)


def pattern(puzzle: pls.Grid | pls.Puzzle) -> list[list[bool]]:
    return [[digit > 0 for digit in row] for row in puzzle.rows]


# --- what every puzzle is ---


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shape", [*SHAPES, pytest.param({}, marks=pytest.mark.slow)], ids=str)
@pytest.mark.parametrize("minimal", [False, True])
def test_every_puzzle_has_one_solution_and_no_given_too_many(shape, minimal, backend):
    for puzzle in pls.generate(10 if "regions" in shape else 2, minimal, seed="unique", **shape):
        assert is_unique(puzzle)
        assert pls.is_unique(puzzle, backend)
        assert not minimal or is_minimal(puzzle)


def test_each_group_of_givens_goes_in_its_turn_if_it_can():
    """With single cells and with pairs, even if some number of givens must remain."""
    solutions = list(all_solutions(pls.Grid((0,) * 16, (2, 2))))
    for number, symmetry in enumerate([None, "rotation"] * 8):
        grid = full_grid((2, 2), number)
        order = list(groups(4, symmetry))
        Random(number).shuffle(order)

        def another(kept, grid=grid):
            for other in solutions:
                cells = enumerate(zip(grid.digits, other.digits, strict=True))
                differs = sum(1 << cell for cell, (one, two) in cells if one != two)
                if differs and not differs & kept:
                    return differs
            return 0

        for least in (0, 6, 7):
            kept = sum(order)
            for group in order:
                left = kept & ~group
                kept = left if left.bit_count() >= least and not another(left) else kept
            assert digging.dig(order, least, another) == kept


def test_givens_about_which_a_question_stays_open_remain():
    """A question that is open excludes only the removal that it is about."""
    open_ = 0b0011

    def another(kept: int) -> int | None:
        return None if not kept & open_ else 0

    assert digging.dig([1, 2, 4, 8], 0, another) == 2
    assert digging.dig([2, 1, 4, 8], 0, another) == 1


def test_a_hard_question_about_laid_cages_is_left_open(monkeypatch):
    """Each puzzle has one solution, however few conflicts there may be; minimal ones ask on."""
    kept = {}
    for conflicts in (1, digging.CONFLICTS):
        monkeypatch.setattr(digging, "CONFLICTS", conflicts)
        puzzle = next(pls.generate(seed=1, rules=["killer_cage"]))
        assert pls.count(puzzle, limit=2) == 1
        kept[conflicts] = len(puzzle.givens)
        minimal = next(pls.generate(seed=1, box=(2, 3), minimal=True, rules=["killer_cage"]))
        for cell in [given.cell for given in minimal.givens]:
            assert pls.count(minimal.without(cell), limit=2) == 2
    assert kept[1] > kept[digging.CONFLICTS]


@pytest.mark.slow
def test_killers_of_12x12_are_made():
    """Each question is short; to ask on would take minutes for some."""
    asked: list[int] = []

    class Counting(digging._Program):
        def another(self, digits, kept):
            found = super().another(digits, kept)
            asked.append(int(self.control.statistics["solving"]["solvers"]["conflicts"]))
            return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(digging, "_Program", Counting)
        puzzle = next(pls.generate(seed=1, box=(3, 4), rules=["killer_cage"]))
    assert len(puzzle.givens) < 36
    assert {rule.kind for rule in puzzle.layout.rules} == {"killer_cage"}
    assert len(asked) > 10
    assert max(asked) < 1.1 * digging.CONFLICTS


def test_every_full_grid_is_made():
    layout, random = pls.Grid((0,) * 16, (2, 2)).layout, Random(1)
    assert len({digging.full_grid(layout, random) for _ in range(3000)}) == 288


def test_a_layout_without_a_full_grid_is_reported():
    rules = [KillerCage("r1c1 r1c2", sum=3), KillerCage("r2c1 r2c2", sum=3)]
    made = pls.generate(box=(2, 2), rules=rules)
    with pytest.raises(pls.NoSolution, match="no full grid that keeps all rules"):
        next(made)


# --- how many givens, and where ---


def test_the_number_of_givens():
    assert {len(puzzle.givens) for puzzle in pls.generate(3, givens=30, seed=1)} == {30}
    found = [len(puzzle.givens) for puzzle in pls.generate(30, givens=(30, 32), seed=1)]
    assert set(found) == {30, 31, 32}
    (few,) = pls.generate(givens=22, seed=1, minimal=True)
    assert len(few.givens) == 22
    assert max(len(puzzle.givens) for puzzle in pls.generate(20, seed=1)) == 27


def images(rows: list[list[bool]]) -> dict[str, list[list[bool]]]:
    turned = [list(column) for column in zip(*rows, strict=True)]
    found = {"flip": rows[::-1], "diagonal": turned, "mirror": [row[::-1] for row in rows]}
    found |= {"quarter": [row[::-1] for row in turned], "rotation": found["mirror"][::-1]}
    return found | {"antidiagonal": found["quarter"][::-1]}


PARTS = {"mirrors": ["mirror", "flip"], "diagonals": ["diagonal", "antidiagonal"]}
PARTS["full"] = [*images([])]


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("shape", [{"box": (2, 3)}, {"regions": JIGSAW}, {}], ids=str)
def test_the_pattern_of_givens_is_symmetric(symmetry, shape):
    for puzzle in pls.generate(2, seed=1, symmetry=symmetry, **shape):
        for name in PARTS.get(symmetry, [symmetry]):
            assert images(pattern(puzzle))[name] == pattern(puzzle)
        assert is_unique(puzzle)


def test_no_given_of_a_minimal_symmetric_puzzle_can_go():
    told = []
    for puzzle in pls.generate(
        3, True, seed=1, symmetry="mirror", box=(2, 3), progress=told.append
    ):
        assert is_minimal(puzzle)
        assert pattern(puzzle) == images(pattern(puzzle))["mirror"]
    assert int(told[-1].split()[4]) > 3  # full grids: a given of a pair may be one too many


# --- the same order, the same puzzles ---


def test_a_seed_makes_the_same_puzzles():
    first = texts(n=5, seed=7, box=(2, 3))
    assert first == texts(n=5, seed=7, box=(2, 3)) == texts(n=5, seed="7", box=(2, 3))
    assert first[:3] == texts(n=3, seed=7, box=(2, 3))
    assert not {*first} & {*texts(n=5, seed=8, box=(2, 3))}
    assert texts(box=(2, 3)) != texts(box=(2, 3))


@pytest.mark.slow
def test_these_puzzles_are_made_on_every_machine():
    """Of 50 minimal puzzles; the mean is about 24.4, as in other programs that dig."""
    made = list(pls.generate(50, True, seed=1))
    assert str(made[0]) == FIRST
    assert dict(sorted(Counter(len(puzzle.givens) for puzzle in made).items())) == GIVENS


def test_an_executor_makes_the_same_puzzles():
    alone = texts(n=30, seed=1, box=(2, 3), minimal=True)
    with ThreadPoolExecutor(3) as threads:
        assert texts(n=30, seed=1, box=(2, 3), minimal=True, executor=threads) == alone


def test_puzzles_are_made_when_they_are_asked_for():
    told = []
    made = pls.generate(None, seed=1, box=(2, 2), progress=told.append)
    assert told == []
    first = list(islice(made, 3))
    tries = ["1 full grid", "2 full grids", "3 full grids"]
    assert told[1::2] == [f"{n} made, {tried} tried" for n, tried in enumerate(tries, 1)]
    assert {*told[::2]} == {"removing givens from full grid 1"}
    made.close()
    assert list(made) == []
    assert [str(puzzle) for puzzle in first] == texts(n=3, seed=1, box=(2, 2))


@pytest.mark.parametrize("rules", [(), ("killer_cage",)])
def test_no_two_puzzles_are_equal_unless_they_may_be(rules):
    """Of 2x2 cells there are few."""
    wanted = {"seed": 1, "box": (1, 2), "minimal": True, "rules": rules}
    every = texts(n=50, distinct=False, **wanted)
    number = len(set(every))
    assert texts(n=number, **wanted) == [*dict.fromkeys(every)]
    assert number < len(every)


@pytest.mark.parametrize("jobs", [None, pytest.param(2, marks=pytest.mark.slow)])
def test_there_may_be_no_further_puzzle(jobs):
    made = pls.generate(None, True, seed=1, box=(1, 2), jobs=jobs)
    found = []
    with pytest.raises(pls.NotGenerated, match=r"300 puzzles in a row .* earlier") as caught:
        found.extend(iter(partial(next, made), None))
    assert len(found) == len(set(found)) == 8
    assert caught.value.index == len(found)
    assert list(made) == []


@pytest.mark.parametrize("rules", [(), ("killer_cage",), ("thermometer",)], ids=str)
@pytest.mark.parametrize("box", [(2, 2), (2, 3)], ids=str)
def test_every_puzzle_has_the_solution_asked_for(box, rules):
    solution = full_grid(box, 5)
    for puzzle in pls.generate(2, seed=1, rules=rules, solution=solution, certify=True):
        assert [*pls.solutions(puzzle, "prolog", limit=2)] == [solution]
        assert tuple({rule.kind for rule in puzzle.layout.rules}) == rules
        if rules:
            fewer = (puzzle.without(given[:2]) for given in puzzle.givens)
            assert not any(map(pls.is_unique, fewer))


# --- how hard ---


@pytest.mark.parametrize(
    ("level", "minimal"),
    [
        ("easy", False),
        pytest.param("easy", True, marks=pytest.mark.slow),
        pytest.param("medium", False, marks=pytest.mark.slow),
        pytest.param("hard", False, marks=pytest.mark.slow),
        pytest.param("unfair", True, marks=pytest.mark.slow),
        pytest.param("extreme", True, marks=pytest.mark.slow),
    ],
)
def test_the_level(level, minimal):
    (puzzle,) = pls.generate(1, minimal, seed=3, level=level)
    assert pls.rate(puzzle).level == level
    assert is_unique(puzzle)
    assert not minimal or is_minimal(puzzle)


# --- what cannot be made ---


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"givens": 18}, r"10 puzzles tried within the limit of tries \(\d with 2\d givens, "),
        ({"givens": 5, "box": (2, 2), "symmetry": "full"}, r"[1-9] with \d+ givens\)"),
        (
            {"givens": (80, 80), "minimal": True},
            r"\(\d with 2\d givens, ",
        ),
        ({"level": "extreme", "box": (2, 2)}, "10 easy"),
    ],
)
def test_an_order_that_cannot_be_met_ends_with_what_was_tried(wanted, message):
    made = pls.generate(2, seed=1, tries=10, **wanted)
    for index in range(2):
        with pytest.raises(pls.NotGenerated, match=message) as caught:
            next(made)
        assert caught.value.index == index
    with pytest.raises(StopIteration):
        next(made)


def test_a_time_limit_ends_the_search():
    with pytest.raises(pls.NotGenerated, match=r"tried within the limit of 0\.05 s"):
        next(pls.generate(givens=17, seed=1, timeout=0.05, tries=None))


@pytest.mark.parametrize(
    ("wanted", "error", "message"),
    [
        ({"n": -1}, ValueError, "n must be 0 or more"),
        ({"seed": 1.5}, TypeError, "seed must be a whole number, text or None, not 1.5"),
        *(
            ({"givens": each}, ValueError, "givens must be a whole number from 17 to 81 in a grid")
            for each in (16, 82, (30, 20), "30", (1, 2, 3))
        ),
        ({"symmetry": "spiral"}, ValueError, "symmetry must be None, 'rotation', .* 'full'"),
        ({"level": "eassy"}, ValueError, "level must be None, 'easy', .* 'extreme'"),
        ({"box": (0, 3)}, pls.InvalidPuzzle, "0x3 box"),
        ({"box": (2, 2), "regions": JIGSAW}, ValueError, "box and regions exclude each other"),
        ({"regions": "1111"}, pls.InvalidPuzzle, "the region of r1c1 has 4 cells, expected 2"),
        ({"rules": [{"rule": "spell"}]}, pls.InvalidPuzzle, "spell"),
        ({"rules": ["kropki"]}, pls.InvalidPuzzle, "no rule 'kropki' here; a white dot is"),
        ({"rules": ["windoku"], "box": (2, 3)}, pls.InvalidPuzzle, "2x3 boxes has no rules"),
        ({"solution": "1" * 16}, pls.InvalidPuzzle, "solution must be a full grid that keeps"),
        ({"solution": "1..4" * 4}, pls.InvalidPuzzle, "it has empty cells"),
        ({"tries": 0}, ValueError, "tries must be 1 or more"),
        ({"jobs": 0}, ValueError, "jobs must be 1 or more"),
        ({"timeout": 0}, ValueError, "timeout must be over 0"),
        ({"backend": "foo"}, pls.BackendUnavailable, "foo"),
    ],
)
def test_an_order_that_makes_no_sense_is_refused_at_once(wanted, error, message):
    with pytest.raises(error, match=message):
        pls.generate(**wanted)


# --- who says that the solution is unique ---


@pytest.mark.parametrize("certify", [False, True])
def test_an_engine_that_finds_another_solution_is_heard(certify):
    liar = Liar(["1234341221434321", "1234341243212143"])
    with pytest.raises(pls.Disagreement, match="liar: several solutions"):
        next(pls.generate(seed=1, box=(2, 2), backend=liar, certify=certify))


def test_both_engines_certify(monkeypatch):
    from pylogic_sudoku.engines.sudoku import get

    asked = []
    for name in ("clingo", "prolog"):
        engine = get(name)

        def count(*arguments, engine=engine, ask=engine.count):
            asked.append(engine.name)
            return ask(*arguments)

        monkeypatch.setattr(engine, "count", count)
    assert len(texts(n=2, seed=1, box=(2, 2), certify=True)) == 2
    assert asked == ["clingo", "prolog"] * 2
    texts(seed=1, box=(2, 2), backend="prolog")
    assert asked[4:] == ["prolog"]


# === The command that makes puzzles: its options, its seed, and how it ends =======================

SMALL = ("--box", "2x2", "--seed", "1")
SOLUTION = "1234341221434321"


def made(*arguments):
    """The lines that the command prints; it must end well, without a word."""
    done = invoke("generate", *arguments)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_a_seed_that_is_drawn_is_told():
    done = invoke("generate", "2")
    (seed,) = re.fullmatch(r"--seed (\d+) makes the same puzzles again\n", done.stderr).groups()
    assert done.stdout.splitlines() == made("2", "--seed", seed)
    assert invoke("generate").stderr != done.stderr


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ("5", {"n": 5}),
        ("5 --jobs 2", {"n": 5}),
        ("3 --minimal --givens 20-26", {"n": 3, "minimal": True, "givens": (20, 26)}),
        ("--symmetry rotation", {"symmetry": "rotation"}),
        ("--level easy -t 60 --tries 50", {"level": "easy", "timeout": 60, "tries": 50}),
        ("--box 2x3", {"box": (2, 3)}),
        ("--box 2x2 --certify -b prolog", {"box": (2, 2)}),
        (f"--box 2x2 --solution {SOLUTION}", {"solution": SOLUTION}),
    ],
)
def test_it_prints_the_puzzles_that_the_library_makes(options, wanted):
    assert made("--seed", "1", *options.split()) == texts(seed=1, **wanted)
    assert made("--seed", "2", *options.split()) != texts(seed=1, **wanted)


def test_regions_and_a_solution_may_be_in_files(tmp_path):
    file = tmp_path / "solution.txt"
    file.write_text(SOLUTION)
    assert made("--box", "2x2", "--solution", file, "--seed", "1") == texts(
        solution=SOLUTION, seed=1
    )
    file.write_text(JIGSAW.replace(" ", "\n"))
    for source in (JIGSAW, file):
        assert made("--regions", source, "--seed", "1") == texts(regions=JIGSAW, seed=1)


@pytest.mark.parametrize("form", ["json", "facts", "pretty"])
def test_rules_are_laid_and_written(form):
    text = "\n".join(made("--kind", "killer_cage", "--kind", "thermometer", "-f", form, *SMALL))
    if form == "pretty":
        assert "killer cage (sum" in text
    else:
        puzzle = pls.formats.parse(text)
        assert {rule.kind for rule in puzzle.rules} <= {"killer_cage", "thermometer"}
        assert pls.count(puzzle, "prolog", limit=2) == 1


CAGE = {"rule": "killer_cage", "cells": "r1c1-r1c2", "sum": 3}
LINE = "thermometer at r2c1, r2c2 and r2c3"


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (json.dumps(CAGE), ["killer cage (sum 3) at r1c1 and r1c2"]),
        (json.dumps({"grid": "." * 16, "rules": [CAGE]}), ["killer cage (sum 3) at r1c1 and r1c2"]),
        ("thermometer(cells=[2-1,2-2,2-3])", [LINE]),
        ("[anti_knight, thermometer(cells=[2-1,2-2,2-3])].  % two\n", ["anti-knight", LINE]),
        ('["anti-knight", {"rule": "thermometer", "cells": ["r2c1-r2c3"]}]', ["anti-knight", LINE]),
        ("anti-knight", ["anti-knight"]),
    ],
)
def test_rules_are_names_or_texts_or_in_files(text, rules, tmp_path):
    file = tmp_path / "rules.json"
    file.write_text(text)
    for source in (text, file):
        (printed,) = made("--rule", source, "--seed", "1", "--box", "2x2")
        puzzle = Puzzle.parse(printed)
        assert list(map(str, puzzle.rules)) == rules
        assert pls.count(puzzle, "prolog", limit=2) == 1


def test_several_rules_and_kinds_together(tmp_path):
    (tmp_path / "low.lp").write_text(
        "kind(low). violated(R) :- rule(R,low), sudoku(1,1,N), N > 2.\n"
    )
    options = "--rule", "anti_knight", "--kind", "ratio", "--rule", "low"
    (printed,) = made(*options, "--rule", tmp_path / "low.lp", "--seed", "1", "--box", "2x2")
    puzzle = Puzzle.parse(printed)
    assert [rule.kind for rule in puzzle.rules[:2]] == ["anti_knight", "low"]
    assert {rule.kind for rule in puzzle.rules[2:]} == {"ratio"}
    assert pls.count(puzzle, limit=2) == 1
    assert pls.solve(puzzle)[1, 1] < 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rule", "kropki"], "no rule 'kropki' here; a white dot is 'difference', and a black"),
        (["--rule", "sandwich"], "'sandwich' needs cells and sum"),
        (["--rule", "no/rules.json"], "no/rules.json: there is no such file"),
        (["--rule", "no.lp"], "cannot be read"),
        (["--rule", "anti_knight("], "is not a list of terms such as killer_cage(cells="),
        (["--rule", "[anti_knight] [x]"], "the rules end before '[x]'"),
        (["--rule", '{"grid": 3}'], "no rules here; expected a name, or JSON such as"),
        (["--rule", "[]"], "no rules here"),
        (["--rule", '{"rule": "anti_knight", "x": 1}'], "anti-knight: unknown field 'x'"),
        (["--rule", json.dumps({**CAGE, "sum": 99})], "expected a sum of 3 to 17 for 2 cells"),
        (["--rule", "anti_knight", "-f", "line"], "-f line holds a grid alone; use -f json"),
        (["--givens", "5-3"], "'5-3' is not a whole number, or two such as 22-26"),
        (["--givens", "easy"], "'easy' is not a whole number, or two such as 22-26"),
        (["--kind", "sandwich"], "'sandwich' is not one of 'killer_cage', 'thermometer'"),
        (["--symmetry", "round"], "'round' is not one of 'rotation'"),
        (["--kind", "arrow", "-f", "line"], "-f line holds a grid alone; use -f json"),
        (["2", "-f", "facts"], "a file of the format facts holds one puzzle"),
        (["--regions", "1122 1122 3344 3333"], "the region of r3c1 has 6 cells, expected 4"),
        (["--solution", "1234341221434322", "--seed", "1"], "must be a full grid that keeps"),
    ],
)
def test_a_request_that_makes_no_sense(command, arguments, message):
    code, printed, said = command("generate", *arguments)
    assert (code, printed) == (2, "")
    assert message in said
    assert "--seed" not in said


def test_a_request_that_cannot_be_met_ends_with_what_was_tried(command):
    arguments = ("5", "--givens", "17", "--tries", "2", "--seed", "1")
    code, printed, said = command("generate", *arguments)
    assert (code, printed) == (1, "")
    assert re.match(r"Error: no .*2 puzzles tried.*1 with 2. givens, 1 with 2. givens", said)


def test_rating_counts_towards_the_time_limit(monkeypatch, clock):
    def rank(*_arguments):
        clock.now += 60
        return digging.RANKS["extreme"]

    monkeypatch.setattr(digging, "_rank", rank)
    made = pls.generate(seed=1, level="easy", tries=None, timeout=60)
    with pytest.raises(pls.NotGenerated, match=r"within the limit of 60 s"):
        next(made)


# === Rules that are laid over a full grid: what they look like, and puzzles with them =============

BOX_SHAPES = [(2, 2), (1, 5), (2, 3), (3, 3), (3, 4)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", LAID)
@pytest.mark.parametrize("box", BOX_SHAPES, ids=str)
def test_the_solution_obeys_what_is_laid_over_it(kind, box):
    """Cages cover the grid, and lines share no cell; dots may."""
    solution = full_grid(box, 1)
    empty = Grid((0,) * len(solution.digits), box)
    for seed in range(10):
        rules = lay([kind], solution, random.Random(seed))
        assert {rule.kind for rule in rules} <= {kind}
        assert solution.is_solution_of(Puzzle(empty, rules=rules))
        assert rules == lay([kind], solution, random.Random(seed))
        several = [[*rule.cells_used()] for rule in rules]
        if kind == "killer_cage":
            assert sorted(chain(*several)) == sorted(solution.cells)
            assert all(2 <= len(cells) <= 5 and is_joined(cells) for cells in several)
        elif kind in ("thermometer", "arrow", "whispers"):
            assert len({*chain(*several)}) == len([*chain(*several)])
            assert all(3 <= len(cells) <= 6 for cells in several)
            assert all(touch(*pair) for cells in several for pair in pairwise(cells))
    if box == (3, 3):
        assert len(rules) > 4
        assert rules != lay([kind], solution, random.Random(10))


def is_joined(cells):
    found = {cells[0]}
    for _ in cells:
        found |= {cell for cell in cells if any(neighbours(cell, each) for each in found)}
    return found == {*cells}


def test_another_kind_is_refused_by_its_name():
    refused = r"'sandwich' needs cells and sum; .* killer_cage, .* or ratio"
    with pytest.raises(ValueError, match=refused):
        pls.generate(rules=["sandwich"])
    with pytest.raises(TypeError, match=r"must be a list, such as \['arrow'\]"):
        pls.generate(rules="arrow")


@pytest.mark.parametrize(
    ("name", "box", "kinds"),
    [
        ("anti_knight", (2, 2), ["anti_knight"]),
        ("Knight", (2, 2), ["anti_knight"]),
        ("X-sudoku", (2, 3), ["different"] * 2),
        ("diagonal", (2, 3), ["different"] * 2),
        ("diagonal /", (2, 3), ["different"]),
        ("hyper", (2, 2), ["different"]),
        ("disjoint groups", (2, 2), ["different"] * 4),
        ("nonconsecutive", (2, 3), ["negative"]),
    ],
)
def test_rules_for_the_whole_grid_have_names(name, box, kinds):
    puzzle = next(pls.generate(seed=1, box=box, rules=[name]))
    assert [rule.kind for rule in puzzle.rules] == kinds
    assert pls.count(puzzle, "prolog", limit=2) == 1


def test_each_puzzle_has_a_grid_and_rules_of_its_own():
    one, other = pls.generate(2, seed=1, rules=["killer_cage"], box=(2, 3))
    assert one.rules != other.rules
    assert pls.solve(one) != pls.solve(other)


def test_rules_of_ones_own_come_before_those_that_are_laid_one_kind_after_another():
    own = pls.rules.Different(pls.rules.diagonals(4)[0])
    kinds = ["ratio", "thermometer", "ratio"]
    (puzzle,) = pls.generate(seed=2, box=(2, 2), rules=[own, *kinds])
    assert puzzle.rules[0] == own
    laid = [rule.kind for rule in puzzle.rules[1:]]
    assert laid == sorted(laid)
    assert {*laid} == {*kinds}
    assert pls.count(puzzle, "prolog", limit=2) == 1
