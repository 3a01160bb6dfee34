"""Every kind of rule, in its three languages: Python is the oracle, the engines must agree."""

from __future__ import annotations

import random
import re
from pathlib import Path

import clingo
import pytest
from helpers.oracle import assert_answers, full_grid
from helpers.programs import prolog
from helpers.rule_instances import EVERY, PAIR, TURN, a_rule, example
from helpers.rules import MAKERS, fitting

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, rules
from pylogic_sudoku.engines.sudoku.ground_once import with_rules
from pylogic_sudoku.files import resource
from pylogic_sudoku.rules import KINDS, from_json
from pylogic_sudoku.rules.base import FIELDS, everything, facts
from pylogic_sudoku.rules.own import family

ROOT = Path(__file__).parent.parent
BOXES = [(2, 2)] * 5 + [(2, 3)] * 2 + [(3, 3)]
"""A rule is tested on two grids of each of these box shapes."""
MORE_BOXES = [(2, 2)] * 80 + [(2, 3)] * 50 + [(3, 3)] * 20
"""The same, for the slow tests."""

STEP = [[0, 1, 1]]
"""The arcs of an automaton that accepts the digit 1 alone."""
TWICE = a_rule("different", "r1c1 r1c1")
INDEX = a_rule("index", "r1c1", control="r1c1", value=1)
PROGRAMS = (("encodings", r"^kind\((\w+)\)\.$"), ("prolog", r"^rule\((\w+), "))
"""The folders of the engines, and what the program of a kind has once."""


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def obeys(puzzle: Puzzle, grid: Grid, backend: str) -> bool:
    """True if an engine accepts this grid."""
    found = pls.solve(puzzle.with_(*grid.givens), backend)
    assert found in (None, grid)
    return found is not None


def test_each_kind_has_three_parts_and_a_name_and_nothing_is_there_without_its_kind():
    ours = {kind: made for kind, made in KINDS.items() if made.asp is made.prolog is None}
    for made in ours.values():
        assert made.__doc__
        assert getattr(rules, made.__name__) is made
        assert made.__name__ in rules.__all__
    for programs in PROGRAMS:
        assert _kinds(*programs) == {kind: [family(made)] for kind, made in ours.items()}
    assert ours.keys() == MAKERS.keys()


def test_prolog_asks_for_the_fields_of_each_kind():
    goal = (
        "forall(sudoku_kinds:rule_kind(Kind),"
        " ( sudoku_fields:kind_fields(sudoku_kinds, Kind, Names),"
        " format('~w ~w~n', [Kind,Names]) ))"
    )
    load = "sudoku(_, 2-2, [thermometer(cells=[1-1,1-2])])"
    found = prolog("-q", "-f", "none", "-g", load, "-g", goal, resource("prolog/sudoku.pl")).stdout
    fields = dict(re.findall(r"^(\w+) \[(.*)\]$", found, re.MULTILINE))
    asked = {kind: set(filter(None, names.split(","))) for kind, names in fields.items()}
    asked["little_killer"].discard("weights")  # it is a total
    known = {
        kind: {name for name, field in made.types.items() if field is not FIELDS[str]}
        for kind, made in KINDS.items()
        if made.prolog is None
    }
    assert asked == known


def _kinds(folder: str, first: str) -> dict[str, list[str]]:
    """The files with a program of each kind."""
    found: dict[str, list[str]] = {}
    for path in (ROOT / folder / "rules").iterdir():
        for name in re.findall(first, path.read_text(), re.MULTILINE):
            found.setdefault(name, []).append(path.stem)
    return found


def test_the_oracle_and_the_engines_tell_the_examples_apart(kind, backend):
    puzzle, good, bad = example(kind)
    assert bad.is_solution_of(Grid(puzzle.digits, puzzle.box))
    for grid, expected in ((good, True), (bad, False)):
        assert grid.is_solution_of(puzzle) == obeys(puzzle, grid, backend) == expected


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    "boxes", [BOXES, pytest.param(MORE_BOXES, marks=pytest.mark.slow)], ids=len
)
def test_the_engines_agree_with_the_oracle_on_random_rules(kind, backend, boxes):
    """Both a grid that the rule was made for, and another one."""
    rng = random.Random(kind)
    if backend == "sat":
        boxes = boxes[:: max(3, len(boxes) // 20)]  # to say a rule in clauses may take a second
    seen = {True: 0, False: 0}
    for seed, box in enumerate(boxes):
        made_for = fitting(kind, box, seed) or full_grid(box, seed)
        grids = made_for, full_grid(box, seed + 1_000)
        rule = MAKERS[kind](rng, grids[0])
        puzzle = Puzzle(Grid((0,) * len(grids[0].digits), box), rules=[rule])
        for grid in grids:
            expected = grid.is_solution_of(puzzle)
            seen[expected] += 1
            assert obeys(puzzle, grid, backend) == expected, (rule, grid)
    assert min(seen.values()) >= len(boxes) // 10, seen


@pytest.mark.one_in(6, 3)
@pytest.mark.parametrize("seeds", [[0], pytest.param([1, 2], marks=pytest.mark.slow)], ids=len)
def test_the_engines_find_the_solutions_that_the_oracle_finds(kind, backend, seeds):
    """All 288 grids of 4x4: none is missed, and none is found twice."""
    rng = random.Random(f"{kind} {seeds}")
    for seed in seeds:
        rules = [MAKERS[kind](rng, full_grid((2, 2), seed)) for _ in range(2)]
        puzzle = Puzzle("." * 16, rules=rules)
        assert_answers(puzzle, {grid for grid in EVERY if puzzle.holds(grid)}, backend=backend)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (a_rule("fogofwar"), "no rule 'fogofwar' here; `pylogic-sudoku rules`"),
        (a_rule("termometer"), "no rule 'termometer' here; did you mean 'thermometer'?"),
        (a_rule("kropki"), "'kropki' here; a white dot is 'difference', and a black one 'ratio'"),
        (a_rule("XV"), "no rule 'XV' here; both are 'pair_sum', X with the value 10 and V with 5"),
        (a_rule("German Whispers"), "here; it is 'whispers' with the difference 5"),
        (a_rule("windoku"), "'different' for each window, and pylogic_sudoku.rules.windoku()"),
        (a_rule("X-sudoku"), "for each diagonal, and pylogic_sudoku.rules.diagonals(9) has"),
        (a_rule("knight"), "no rule 'knight' here; it is 'anti_knight'"),
        (a_rule("region_sum_lin"), "did you mean 'region_sum_line'?"),
        (a_rule("KillerCages"), "did you mean 'killer_cage'?"),
        (a_rule("Killer"), "did you mean 'killer_cage' or 'little_killer'?"),
        ({"rule": 5}, "is not a rule"),
        (a_rule("thermometer", "r1c1 x"), "thermometer: cells is 'r1c1 x'; 'x' is not a"),
        (a_rule("thermometer"), "thermometer: the field 'cells' is missing"),
        (a_rule("thermometer", "r1c1 r1c2", fast=True), "unknown field 'fast'"),
        (a_rule("thermometer", ""), "cells"),
        (a_rule("greater", "r1c1"), "expected 2 or more"),
        (a_rule("thermometer", 5), "cells is 5; expected cells such as"),
        (a_rule("thermometer", "r1c1 r1c2", slow=1), "slow is 1; expected true or"),
        (a_rule("killer_cage", "r1c5"), "r1c5 is not a cell of a 4x4 grid"),
        (a_rule("killer_cage", "r1c1", sum="3"), "sum is '3'; expected a whole"),
        (a_rule("thermometer", "r1c1-r1"), "'r1c1-r1' is not a cell; expected such as r1c1, or"),
        (a_rule("thermometer", "r1c1-r1c5"), "r1c5 is not a cell of a 4x4 grid"),
        (TWICE, "a cell is named twice"),
        (a_rule("total", PAIR, sum=3, weights=[1]), "1 weights for 2 cells; expected one"),
        (a_rule("arrow", circle="r1c1", arm=[]), "no cells in its arm"),
        (a_rule("arrow", circle=[], arm="r1c1"), "no cells in its circle"),
        (a_rule("little_killer", "r1c2 r2c4", sum=5), "its cells do not touch"),
        (a_rule("sum_line", "r1c1 r1c2", sum=0), "sum is 0; expected 1 or more"),
        (a_rule("rellik_cage", "r1c1 r1c2", sum=0), "expected 1 or more"),
        (a_rule("rellik_cage", "r1c1 r1c1", sum=3), "a cell is named twice"),
        (a_rule("killer_cage", "r1c1 r1c1", sum=4), "a cell is named twice"),
        (a_rule("killer_cage", PAIR, sum=-8), "the sum is -8; expected 0 or more"),
        (a_rule("sandwich", PAIR, sum=-1), "the sum is -1; expected 0 or more"),
        (a_rule("pair_sum", PAIR, value=-5), "the value is -5; expected 0 or more"),
        (a_rule("sandwich", "r1c1 r1c2 r1c1", sum=2), "a cell is named twice"),
        (
            a_rule("region_sum_line", PAIR, regions=["r1c1 r1c2", "r1c2 r2c2"]),
            "a cell is in two of its regions",
        ),
        (a_rule("region_sum_line", PAIR, regions=["r1c1", []]), "a region without cells"),
        (a_rule("between_line", TURN), "both ends are r1c1; expected two cells"),
        (a_rule("lockout_line", TURN, difference=2), "both ends are r1c1"),
        (a_rule("modular_line", PAIR, modulus=0), "the modulus is 0; expected 1 or more"),
        (a_rule("automaton", [], regex="12"), "automaton: cells are []; expected 1 or more"),
        (a_rule("automaton", PAIR), "expected a regex, or start, accepting and arcs"),
        (a_rule("automaton", PAIR, start=[0], arcs=STEP), "or start, accepting and arcs"),
        (a_rule("automaton", PAIR, start=[2], accepting=[1], arcs=STEP), "start has the state 2"),
        (a_rule("automaton", PAIR, start=[0], accepting=[7], arcs=STEP), "accepting has the state"),
        (
            a_rule("automaton", PAIR, start=[0], accepting=[1], arcs=[[0, 5, 1]]),
            "the arc [0, 5, 1] has no digit from 1 to 4, or 0 for all others",
        ),
        (a_rule("automaton", PAIR, start=[0], accepting=[1], arcs=[[0, 1]]), "an arc is [0, 1]; "),
        (a_rule("automaton", "r1c1", regex="[1-4]5?"), "5 is not a digit from 1 to 4"),
        (a_rule("automaton", PAIR, regex="11", start=[0]), "a regex or an automaton, not both"),
        (a_rule("automaton", PAIR, regex="1|*"), "regex: '*' repeats nothing at character 3 of"),
        (a_rule("automaton", PAIR, regex="1(2"), "this group has no end at character 2 of"),
        (a_rule("automaton", PAIR, regex="12)"), "')' closes nothing at character 3 of '12)'"),
        (a_rule("automaton", PAIR, regex="1[23"), "this set has no end at character 2 of"),
        (a_rule("automaton", PAIR, regex="1[]"), "this set has no digits at character 2 of"),
        (a_rule("automaton", PAIR, regex="[1-]"), "']' is not a digit at character 4 of"),
        (a_rule("automaton", PAIR, regex="[1-"), "expected a digit at the end of '[1-'"),
        (a_rule("automaton", PAIR, regex="[3-1]"), "has its greater end first at character 2 of"),
        (a_rule("automaton", PAIR, regex="10"), "'0' is not a digit at character 2 of '10'"),
        (a_rule("automaton", PAIR, regex="1^"), "'^' is not a digit at character 2 of"),
        (a_rule("automaton", PAIR, regex="1{x}"), "expected a number at character 3 of"),
        (a_rule("automaton", PAIR, regex="1{2;"), "expected '}' at character 4 of '1{2;'"),
        (a_rule("automaton", PAIR, regex="1{3,2}"), "2 is less than 3 at character 2 of"),
        (a_rule("automaton", PAIR, regex="(" * 10**5), "nested too deep"),
        (a_rule("difference", TURN), "expected two different cells, not r1c1 r1c2 r2c2"),
        (a_rule("ratio", "r1c1 r1c1"), "expected two different cells, not r1c1 r1c1"),
        (a_rule("greater", TURN), "a cell is named twice"),
        (a_rule("negative"), "expected differences, ratios or sums"),
        (a_rule("negative", ratios=[0]), "the ratios have 0; expected 1 or more"),
        (a_rule("negative", sums=[5], exempt=["r1c1"]), "expected two different cells, not"),
        (a_rule("pair_table", pairs=[], allowed=[[1, 2]]), "expected a pair of cells"),
        (a_rule("pair_table", pairs=["r1c1 r1c2"], allowed=[]), "a pair of digits or more"),
        (a_rule("pair_table", pairs=["r1c1 r1c2"], allowed=[[1, 5]]), "two digits from 1"),
        (a_rule("clone", PAIR, copies="r2c1"), "expected as many copies as cells, 2, not 1"),
        (a_rule("clone", PAIR, copies="r2c1 r3c1"), "do not have the same shape"),
        (a_rule("clone", PAIR, copies="r1c1 r1c2"), "each cell is its own copy"),
        (a_rule("minimum", ""), "cells"),
        (a_rule("anti_king", "r1c1"), "unknown field 'cells'; expected no fields"),
        (a_rule("same_values", groups=["r1c1"]), "expected two or more groups of cells"),
        (a_rule("same_values", groups=["r1c1", "r1c1 r2c2"]), "different numbers of cells"),
        (a_rule("same_values", groups=["r1c1 r1c1", "r1c1 r2c2"]), "a cell is named twice"),
        (a_rule("contains", "r1c1", digits=[5]), "5 is not a digit from 1 to 4"),
        (a_rule("contains", "r1c1", digits=[]), "expected one digit or more"),
        ({**INDEX, "control": "r1c1 r1c2"}, "the control is r1c1 r1c2; expected one cell"),
        ({**INDEX, "value": 0}, "0 is not a digit from 1 to 4"),
        ({**INDEX, "cells": "r1c1 r1c2 r1c3 r1c4 r2c1"}, "5 cells, but there are 4 digits"),
        (a_rule("counting_circles", "r1c1 r1c1"), "a cell is named twice"),
        (a_rule("look_and_say", PAIR, digits=[1], counts=[1, 2]), "1 digits, but 2 counts"),
        (a_rule("look_and_say", PAIR, digits=[1] * 2, counts=[1] * 2), "a digit is named"),
        (a_rule("count_different", "r1c1", control=""), "control is ''; "),
        (a_rule("any_of", options=[]), "expected one option or more"),
        (a_rule("any_of", options=[[]]), "expected one option or more"),
        (a_rule("any_of", options=[[TWICE]]), "different at r1c1 and r1c1: a cell is named"),
        (a_rule("any_of", options=[["thermometer"]]), "'thermometer' is not a rule"),
    ],
)
def test_a_wrong_rule_is_refused(rule, message):
    with pytest.raises(InvalidPuzzle, match=re.escape(message)):
        Puzzle("." * 16, rules=[rule])


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (a_rule("killer_cage", PAIR, sum=99), "and r1c2: expected a sum of 3 to 7 for 2 cells"),
        (a_rule("killer_cage", PAIR, sum=2), "expected a sum of 3 to 7 for 2 cells"),
        (a_rule("killer_cage", "r1c1-r1c4", sum=9), "expected a sum of 10 for 4 cells"),
        (a_rule("killer_cage", "r1c1-r1c4 r2c1"), "5 cells, but there are 4 digits"),
        (a_rule("killer_cage", PAIR, sum=3), ""),
        (
            a_rule("automaton", PAIR, start=[0], accepting=[1], arcs=STEP),
            r"automaton \(2 states\) at r1c1 and r1c2: it accepts no 2 digits from 1 to 4",
        ),
        (
            a_rule("automaton", PAIR, regex="1"),
            r"automaton \(1\) at r1c1 and r1c2: it accepts no 2",
        ),
        (a_rule("thermometer", "r1c1-r1c4 r2c4"), ""),  # the engines find out
    ],
)
def test_a_rule_that_no_digits_can_obey_is_told_from_a_wrong_one(rule, message):
    puzzle = Puzzle("." * 16, rules=[rule])
    if not message:
        puzzle.rules[0].check_possible(puzzle.layout)
        return
    assert pls.solve(puzzle) is None
    with pytest.raises(InvalidPuzzle, match=message):
        puzzle.rules[0].check_possible(puzzle.layout)


@pytest.mark.parametrize(
    ("cells", "meant"),
    [
        ("r1c1-r1c3", "r1c1 r1c2 r1c3"),
        ("r1c3 - r1c1, r2c1", "r1c3 r1c2 r1c1 r2c1"),
        ("R2C2-R1C1", "r2c2 r2c1 r1c2 r1c1"),
        (["r1c1-r2c2", "r4c4", (3, 3)], "r1c1 r1c2 r2c1 r2c2 r4c4 r3c3"),
        ("r4c4-r4c4", "r4c4"),
    ],
)
def test_a_range_of_cells_is_the_rectangle_from_corner_to_corner(cells, meant):
    assert from_json(a_rule("total", cells, sum=9)) == from_json(a_rule("total", meant, sum=9))


@pytest.mark.one_in(3)
def test_all_families_together_by_hand_tell_the_examples_apart(kind):
    puzzle, *grids = example(kind)
    shape = zip(("-cbox_rows", "-cbox_columns"), puzzle.box, strict=True)
    control = clingo.Control([f"{name}={number}" for name, number in shape])
    for path in (ROOT / "encodings" / "sudoku.lp", *(ROOT / "encodings" / "rules").glob("*.lp")):
        control.load(str(path))
    control.add("\n".join(facts(puzzle.rules)))
    control.ground()
    for grid, obeyed in zip(grids, (True, False), strict=True):
        cells = [
            clingo.Function("sudoku", list(map(clingo.Number, given))) for given in grid.givens
        ]
        assert control.solve([(cell, True) for cell in cells]).satisfiable is obeyed


@pytest.mark.one_in(3)
def test_clingo_gets_the_sections_of_the_kinds_of_a_puzzle_alone_and_says_nothing(kind):
    puzzle, *_ = example(kind)
    kinds = {each.kind for each in everything(puzzle.rules)}
    found = re.findall(PROGRAMS[0][1], with_rules("sudoku", puzzle.layout), re.MULTILINE)
    assert sorted(found) == sorted(kinds)
    assert complaints(with_rules("sudoku", puzzle.layout)) == []


def complaints(program: str, *files: Path) -> list[str]:
    """The messages of clingo when it grounds the program and the files."""
    found: list[str] = []
    control = clingo.Control(logger=lambda _code, message: found.append(message))
    control.add(program)
    for file in files:
        control.load(str(file))
    control.ground()
    return found


@pytest.mark.parametrize("modules", [*sorted({family(made) for made in KINDS.values()}), "*"])
def test_clingo_has_nothing_to_say_about_the_modules_by_hand(modules):
    """It would, if a module were not complete in itself, or if a file of shared/ included one."""
    files = sorted((ROOT / "encodings" / "rules").glob(f"{modules}.lp"))
    assert complaints("", ROOT / "encodings" / "sudoku.lp", *files) == []
