"""Unusual rules, the rules that digits break, and the cells of diagonals and clues."""

from __future__ import annotations

from pathlib import Path

import clingo
import pytest
from helpers.oracle import assert_answers, full_grid
from helpers.rule_instances import EVERY, OBEYED_BY_NONE, ONCE_WRONG, PAIR, a_rule, example

import pylogic_sudoku as pls
from pylogic_sudoku import InvalidPuzzle, Puzzle, rules
from pylogic_sudoku.draw import mistakes
from pylogic_sudoku.engines.sudoku.ground_once import grounded, with_rules
from pylogic_sudoku.rules import KINDS, KillerCage, Thermometer
from pylogic_sudoku.rules.base import broken_rules
from pylogic_sudoku.rules.own import families

SLOW = pytest.mark.slow
ROOT = Path(__file__).parent.parent


@pytest.mark.one_in(6)
@pytest.mark.parametrize("rule", ONCE_WRONG, ids=lambda rule: rule["rule"])
def test_all_grids_of_an_unusual_rule(rule, backend):
    puzzle = Puzzle("." * 16, rules=[rule])
    assert_answers(puzzle, {grid for grid in EVERY if puzzle.holds(grid)}, backend=backend)


MISSED_BY_HAND = [
    a_rule("killer_cage", "r4c4 r3c4 r4c3", sum=8),
    a_rule("ratio", "r4c4 r4c3", value=4),
    a_rule("pair_sum", "r3c2 r1c1", value=4),
    a_rule("killer_cage", "r3c3 r3c2", sum=3),
    a_rule("entropic_line", "r2c1 r1c2"),
]
LINES = [
    [a_rule("lockout_line", "r2c1 r1c1 r2c2", difference=2)],
    [a_rule("between_line", "r3c4 r3c3 r2c3"), a_rule("renban", "r4c3 r3c2 r4c2 r4c1")],
    [a_rule("sandwich", "r1c2 r1c4 r1c1 r4c4", sum=2)],
]
ROWS = [
    [a_rule("hidden_skyscraper", "r3c1 r3c2 r3c3 r3c4", value=2)],
    [a_rule("look_and_say", "r1c4 r1c3 r1c2 r1c1", digits=[4], counts=[3])],
]
FOUND_TWICE = [
    a_rule("pair_sum", "r4c3 r3c1", value=6),
    a_rule("any_of", options=LINES),
    a_rule("thermometer", "r3c4 r4c3 r4c4"),
    a_rule("any_of", options=ROWS),
]


@pytest.mark.parametrize(
    ("givens", "rules", "number"),
    [({"r1c3": 1, "r3c3": 2, "r4c3": 4}, MISSED_BY_HAND, 2), ({}, FOUND_TWICE, 5)],
    ids=["missed by hand", "found twice"],
)
def test_clingo_finds_every_solution_once(givens, rules, number):
    """With its usual simplifications it does not, on some programs with definitions and sums."""
    puzzle = Puzzle("." * 16, rules=rules).with_(**givens)
    expected = {grid for grid in EVERY if grid.is_solution_of(puzzle)}
    assert len(expected) == number
    assert_answers(puzzle, expected)
    control = clingo.Control(["0"])
    control.add(puzzle.format("facts"))
    for file in ("sudoku", *(f"rules/{name}" for name in families(puzzle.rules))):
        control.load(str(ROOT / "encodings" / f"{file}.lp"))
    control.ground()
    models = []
    control.solve(on_model=lambda model: models.append(str(model)))
    assert len(models) == len(set(models)) == number


def test_facts_by_hand_may_name_a_cell_of_a_cage_twice():
    """Its digit counts twice: 1 + 1 + 2 are 4. Python refuses such a cage."""
    control = clingo.Control(["0", "-c", "box_rows=2", "-c", "box_columns=2", "--eq=0"])
    control.add("rule(1,killer_cage). on(1,cells,(1;2),1,1). on(1,cells,3,1,2). value(1,sum,1,4).")
    for file in ("sudoku", "rules/sums"):
        control.load(str(ROOT / "encodings" / f"{file}.lp"))
    control.ground()
    models = []
    control.solve(on_model=lambda model: models.append(str(model)))
    expected = [grid for grid in EVERY if (grid["r1c1"], grid["r1c2"]) == (1, 2)]
    assert len(models) == len(set(models)) == len(expected) == 24
    assert all({"sudoku(1,1,1)", "sudoku(1,2,2)"} <= {*model.split()} for model in models)


def test_prolog_has_room_for_large_numbers_in_each_thread():
    """A sandwich keeps sets of sets of digits: on a 12x12 grid, numbers above a kilobyte."""
    grid = full_grid((3, 4), 1)
    row = rules.row(1, 12)
    middle = [grid[cell] for cell in row]
    first, last = sorted((middle.index(1), middle.index(12)))
    sandwich = rules.Sandwich(row, sum(middle[first + 1 : last]))
    puzzle = Puzzle(grid.without(*row), rules=[sandwich])
    assert pls.solve(puzzle, "prolog") == grid
    assert list(pls.solutions(puzzle, "prolog")) == [grid]


@pytest.mark.parametrize("box", [(2, 3), (3, 4), (4, 4), (5, 5), (5, 6), (6, 6)], ids=str)
def test_clingo_lists_sets_only_where_its_32_bits_hold_them(box):
    """16**8 and 36**16 are 0 in 32 bits, and so is 2**32, by which sets are numbered."""
    rows, columns = box
    n = rows * columns
    control = clingo.Control(["-c", f"box_rows={rows}", "-c", f"box_columns={columns}"])
    control.load(str(ROOT / "encodings" / "shared" / "combinations.lp"))
    control.add(f"digit(1..{n}).")
    control.ground()
    listed = {atom.symbol for atom in control.symbolic_atoms.by_signature("few_sets", 1)}
    few = [length for length in range(n + 1) if n <= 10 or (n < 32 and n**length <= 70_000)]
    assert listed == {clingo.Function("few_sets", [clingo.Number(each)]) for each in {0, *few}}


@pytest.mark.parametrize(
    "weights", [(1, 1, 1, 1), (1, 1, 1, -1), (2, 2, 2, 1), (-2, -2, -2, 3)], ids=str
)
def test_clingo_has_all_solutions_of_sums_at_the_ends_of_their_range(weights):
    """Three of the cells share a box, and only the sets of digits are there that have room."""
    cells = "r1c1 r1c2 r2c1 r3c3"
    sums = {
        grid: sum(weight * grid[cell] for weight, cell in zip(weights, cells.split(), strict=True))
        for grid in EVERY
    }
    least, most = min(sums.values()), max(sums.values())
    for total in (least - 1, least, least + 1, (least + most) // 2, most - 1, most, most + 1):
        rule = a_rule("total", cells, sum=total, weights=weights)
        expected = {grid for grid in EVERY if sums[grid] == total}
        assert_answers(Puzzle("." * 16, rules=[rule]), expected)
        puzzle = Puzzle("." * 16, rules=[a_rule("any_of", options=[[rule], [rule]])])
        assert pls.count(puzzle) == len(expected)


def test_clingo_grounds_no_set_of_digits_for_which_a_sum_has_no_room():
    """Beside a 1, three cells of a box have 6 or 7 of a sum of 8: two sets of 84."""
    puzzle = Puzzle("." * 81, rules=[a_rule("little_killer", "r1c1 r2c2 r3c3 r4c4", sum=8)])
    control = grounded(with_rules("sudoku", puzzle.layout), puzzle.layout)
    assert len([*control.symbolic_atoms.by_signature("fits", 3)]) == 2


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("backend", ["clingo", "prolog", pytest.param("sat", marks=SLOW)])
def test_a_cage_with_digits_above_31(backend):
    grid = full_grid((4, 8), 1)
    cells = sorted(rules.row(1, 32), key=lambda cell: grid[cell])[-2:]
    puzzle = Puzzle(grid.without(*cells), rules=[rules.KillerCage(cells, sum=63)])
    assert pls.solve(puzzle, backend) == grid


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rule", OBEYED_BY_NONE, ids=lambda rule: rule["rule"])
def test_a_rule_that_no_grid_obeys_may_be_one_of_several_options(rule, backend):
    assert pls.solve(Puzzle("." * 16, rules=[rule]), backend) is None
    pair = a_rule("thermometer", PAIR)
    puzzle = Puzzle("." * 16, rules=[a_rule("any_of", options=[[rule, pair], [pair]])])
    assert pls.count(puzzle, backend) == 144


@pytest.mark.parametrize("rule", OBEYED_BY_NONE, ids=lambda rule: rule["rule"])
def test_a_rule_that_no_grid_obeys_is_named(rule):
    puzzle = Puzzle("." * 16, rules=[rule])
    clash = pls.conflicts(puzzle)
    assert ("rule", puzzle.rules[0]) in clash.mus.members
    assert len(clash.mus.members) > 1 or "one rule alone rules it out" in str(clash)
    clash.verify("prolog")


def test_an_option_outside_the_grid_is_refused():
    options = [[a_rule("killer_cage", "r5c1")], [a_rule("thermometer", PAIR)]]
    with pytest.raises(InvalidPuzzle, match="r5c1 is not a cell of a 4x4 grid"):
        Puzzle("." * 16, rules=[a_rule("any_of", options=options)])


def test_any_of_in_words():
    cage, line = rules.KillerCage("r1c1 r1c2", sum=3), rules.Thermometer("r1c1 r1c2")
    assert str(rules.AnyOf([[cage], [line]])) == (
        "killer cage (sum 3) at r1c1 and r1c2 or thermometer at r1c1 and r1c2"
    )
    assert str(rules.AnyOf([[cage, line], [rules.AnyOf([[line], [cage]])]])) == (
        "(killer cage (sum 3) at r1c1 and r1c2, and thermometer at r1c1 and r1c2)"
        " or (thermometer at r1c1 and r1c2 or killer cage (sum 3) at r1c1 and r1c2)"
    )


# === The rules that digits break, and the places of messages ======================================


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_those_of_the_oracle_and_none_with_cells_empty_that_may_be_right(kind):
    puzzle, *grids = example(kind)
    right, wrong = map(puzzle.with_grid, grids)
    assert list(broken_rules(right)) == []
    assert list(broken_rules(wrong)) == [*puzzle.rules]
    for cell in right.cells:
        assert list(broken_rules(right.without(cell))) == []
    assert list(broken_rules(right.without(*right.cells))) == []


def test_mistakes_mark_the_cells_of_broken_rules():
    puzzle = Puzzle("." * 16, rules=[Thermometer("r1c1 r1c2"), KillerCage("r4c3 r4c4", sum=3)])
    (found,) = mistakes(puzzle.with_(r1c1=2, r1c2=1, r4c3=1).grid, puzzle)
    assert (found.label, found.role) == ("broken: thermometer at r1c1 and r1c2", "conflict")
    assert found.cells == ((1, 1), (1, 2))
    labels = [each.label for each in mistakes(puzzle.with_(r4c3=1, r4c4=3).grid, puzzle)]
    assert labels == ["broken: killer cage (sum 3) at r4c3 and r4c4"]
    assert mistakes(puzzle.with_(r1c1=1, r1c2=2, r4c3=1).grid, puzzle) == ()


# === The cells of diagonals, extra regions and clues beside the grid ==============================


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (rules.row(2, 3), "r2c1 r2c2 r2c3"),
        (rules.row(2, 3, reverse=True), "r2c3 r2c2 r2c1"),
        (rules.column(3, 3), "r1c3 r2c3 r3c3"),
        (rules.column(3, 3, reverse=True), "r3c3 r2c3 r1c3"),
        (rules.diagonals(3)[0], "r1c1 r2c2 r3c3"),
        (rules.diagonals(3)[1], "r1c3 r2c2 r3c1"),
        (rules.diagonal_from((0, 0), "DR", 3), "r1c1 r2c2 r3c3"),
        (rules.diagonal_from((4, 2), "ur", 3), "r3c3"),
        (rules.diagonal_from((2, 4), "UL", 3), "r1c3"),
        (rules.diagonal_from((2, 0), "DR", 3), "r3c1"),
        (rules.edge_line((0, 1), 3), "r1c1 r2c1 r3c1"),
        (rules.edge_line((4, 1), 3), "r3c1 r2c1 r1c1"),
        (rules.edge_line((1, 0), 3), "r1c1 r1c2 r1c3"),
        (rules.edge_line((1, 4), 3), "r1c3 r1c2 r1c1"),
        (rules.windoku(4)[0], "r2c2 r2c3 r3c2 r3c3"),
    ],
)
def test_cells_come_in_the_order_in_which_they_are_seen(cells, expected):
    assert " ".join(map(str, cells)) == expected


@pytest.mark.parametrize("box", [(2, 3), (3, 3)])
def test_disjoint_groups_share_out_the_grid(box):
    groups = rules.disjoint_groups(box)
    n = box[0] * box[1]
    assert [len(group) for group in groups] == [n] * n
    assert len({cell for group in groups for cell in group}) == n * n
    for group in groups:
        assert len({((row - 1) % box[0], (column - 1) % box[1]) for row, column in group}) == 1


def test_nonconsecutive_is_a_negative_rule():
    assert rules.nonconsecutive() == rules.Negative(differences=[1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rules.row(0, 4), "0 is not a row or column from 1 to 4"),
        (lambda: rules.windoku(6), "square boxes"),
        (lambda: rules.diagonal_from((0, 1), "D", 4), "expected one of UL, UR, DL, DR"),
        (lambda: rules.diagonal_from((0, 1), "UL", 4), "sees no cell"),
        (lambda: rules.diagonal_from((2, 2), "UL", 4), "not beside a 4x4 grid"),
        (lambda: rules.edge_line((0, 0), 4), "not beside a 4x4 grid"),
        (lambda: rules.edge_line("r1c1", 4), "expected its row and column"),
    ],
)
def test_what_is_not_beside_the_grid_is_refused(make, message):
    with pytest.raises(InvalidPuzzle, match=message):
        make()
