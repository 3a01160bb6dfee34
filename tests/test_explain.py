"""Why a cell holds its digit: sets of rules and givens that force it, checked by both engines."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from itertools import chain, combinations, product
from random import Random

import numpy as np
import pytest
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import COUNTS, IMPOSSIBLE, PRINTED, SEVERAL, SMALL, TWO

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku._demands import cell_rules, rules, said
from pylogic_sudoku.engines import get
from pylogic_sudoku.explain import Forced, Given, Open, SudokuRule
from pylogic_sudoku.grid import Layout

PUZZLE = list(PRINTED)[3]
TINY = Layout((1, 2))


# --- consistent: the check behind every claim -------------------------------------------


def obeys(cells: dict[tuple[int, int], set[int]], rule: tuple, layout: Layout) -> bool:
    """The rules again in plain Python: `cells` has the digits of each cell."""
    match rule:
        case ("filled", row, column):
            return len(cells[row, column]) > 0
        case ("single", row, column):
            return len(cells[row, column]) < 2
        case ("somewhere" | "once" as name, kind, number, digit):
            house = next(each for each in layout.houses if each[:2] == (kind, number))
            found = [cell for cell in house.cells if digit in cells[cell]]
            return len(found) > 0 if name == "somewhere" else len(found) < 2
        case ("house", kind, number):
            parts = [(name, kind, number, d) for name in ("somewhere", "once") for d in (1, 2)]
            return all(obeys(cells, part, layout) for part in (*parts, *cell_rules(layout)))
    raise AssertionError(rule)


def every_grid() -> list[dict[tuple[int, int], set[int]]]:
    """All sets of placements in a 2x2 grid: 256, most of which break every rule."""
    places = list(product((1, 2), repeat=2))
    sets = [set(), {1}, {2}, {1, 2}]
    return [dict(zip(places, chosen, strict=True)) for chosen in product(sets, repeat=4)]


def test_consistent_is_what_trying_every_grid_says(backend):
    choose = Random(7)
    placements = list(product((1, 2), repeat=3))
    grids = every_grid()
    engine = get(backend)
    answers = set()
    for size in [*range(12)] * 8:
        chosen = choose.sample(rules(TINY), size) + choose.sample(rules(TINY, "house"), size % 3)
        marked = choose.sample(placements, 3)
        holds, lacks = marked[: size % 3], marked[2:]
        expected = any(
            all(obeys(grid, rule, TINY) for rule in chosen)
            and all(digit in grid[row, column] for row, column, digit in holds)
            and not any(digit in grid[row, column] for row, column, digit in lacks)
            for grid in grids
        )
        asked = [tuple(rule) for rule in chosen]
        assert engine.consistent(TINY, asked, holds, lacks) is expected, (asked, holds, lacks)
        answers.add(expected)
    assert answers == {True, False}


def test_consistent_sees_a_placement_that_must_and_must_not_be(backend):
    assert not get(backend).consistent(Layout((2, 2)), [], [(1, 1, 1)], [(1, 1, 1)])
    assert get(backend).consistent(Layout((2, 2)), [], [(1, 1, 1), (1, 1, 2)], [(1, 1, 3)])


@pytest.mark.parametrize("demand", [("once", "row", 5, 1), ("twice", "row", 1, 1), (1, 1, 5)])
def test_consistent_knows_its_demands(demand):
    rules_and_holds = ([demand], []) if isinstance(demand[0], str) else ([], [demand])
    with pytest.raises(ValueError, match=r"a grid with 2x2 boxes has no \("):
        get("clingo").consistent(Layout((2, 2)), *rules_and_holds, [])


def test_an_engine_that_cannot_check_says_so():
    from helpers.fakes import Liar

    explanation = pls.why(SMALL, "r2c1")
    with pytest.raises(pls.BackendUnavailable, match=r"liar.*\n.*clingo or prolog or sat"):
        explanation.verify(Liar([]))


# --- forced cells ------------------------------------------------------------------------

BOXES = [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2), (3, 3)]


def puzzle_of(box: tuple[int, int]) -> Grid:
    """A puzzle with one solution, and few cells that are empty."""
    solution = full_grid(box, 3)
    puzzle = dig(solution, len(solution.digits) * 2 // 3, 3)
    assert list(all_solutions(puzzle)) == [solution]
    return puzzle


@pytest.mark.slow
@pytest.mark.parametrize("grain", ["rule", "house"])
@pytest.mark.parametrize("box", BOXES, ids=str)
def test_every_cell_of_a_puzzle_is_explained(box, grain):
    puzzle = puzzle_of(box)
    (solution,) = all_solutions(puzzle)
    kinds = set()
    for at, (digit, given) in enumerate(zip(solution.digits, puzzle.digits, strict=True)):
        cell = at // puzzle.size + 1, at % puzzle.size + 1
        explanation = pls.why(puzzle, cell, grain=grain)
        kinds.add(type(explanation))
        assert (explanation.cell, explanation.digit) == (cell, digit)
        assert isinstance(explanation, Given) == (given > 0)
        explanation.verify()
        if not given:
            assert set(explanation.givens) <= set(puzzle.givens)
            assert set(explanation.rules) <= set(rules(Layout(box), grain))
            assert not explanation.smallest
    assert Forced in kinds or puzzle.size == 1


@pytest.mark.slow
@pytest.mark.parametrize(("box", "keep"), [((4, 4), 240), ((5, 5), 610)], ids=str)
def test_large_grids(box, keep):
    puzzle = dig(full_grid(box, 2), keep, 2)
    at = puzzle.digits.index(0)
    explanation = pls.why(puzzle, (at // puzzle.size + 1, at % puzzle.size + 1))
    assert explanation.digit == full_grid(box, 2).digits[at]
    explanation.verify()


@pytest.mark.parametrize("grain", ["rule", "house"])
def test_each_engine_verifies_what_clingo_explains(backend, grain):
    for cell in ("r1c2", "r2c1", "r4c4"):
        pls.why(SMALL, cell, grain=grain).verify(backend)
    pls.why(PUZZLE, "r5c5", grain=grain).verify(backend)


def smallest_size(puzzle: Grid, target: tuple[int, int, int], most: int) -> int:
    """The size of the smallest explanation, by trying every set in every 2x2 grid."""
    sets = [
        frozenset(i for i, grid in enumerate(every_grid()) if obeys(grid, rule, TINY))
        for rule in rules(TINY)
    ]
    sets += [
        frozenset(i for i, grid in enumerate(every_grid()) if digit in grid[row, column])
        for row, column, digit in puzzle.givens
    ]
    row, column, digit = target
    others = frozenset(i for i, g in enumerate(every_grid()) if digit not in g[row, column])
    for size in range(most + 1):
        for chosen in combinations(sets, size):
            if not others.intersection(*chosen):
                return size
    raise AssertionError


@pytest.mark.parametrize("target", [(1, 2, 2), (2, 1, 2), (2, 2, 1)])
def test_smallest_is_what_trying_every_set_says(target):
    puzzle = Grid((1, 0, 0, 0), TINY.box)
    explanation = pls.why(puzzle, target[:2], smallest=True)
    explanation.verify()
    assert explanation.smallest
    assert len(explanation.rules) + len(explanation.givens) == smallest_size(puzzle, target, 4)


@pytest.mark.parametrize("grain", ["rule", "house"])
def test_smallest_is_no_larger_and_its_proof_is_checked(grain, backend):
    some = pls.why(SMALL, "r1c4", grain=grain)
    fewest = pls.why(SMALL, "r1c4", smallest=True, grain=grain)
    assert len(fewest.core.members) <= len(some.core.members)
    fewest.verify(backend)


def test_smallest_at_the_grain_of_houses():
    explanation = pls.why(PUZZLE, "r5c5", smallest=True, grain="house")
    explanation.verify()
    # Row and column leave one digit for it.
    assert set(explanation.rules) == {("house", "row", 5), ("house", "column", 5)}
    assert len(explanation.givens) == 8


def test_what_is_wrong_is_noticed():
    explanation = pls.why(SMALL, "r2c1")
    core = explanation.core
    extra = next(rule for rule in core.maybe if rule not in core.members)
    for members in (core.members[1:], (*core.members, extra)):
        with pytest.raises(pls.Disagreement):
            replace(explanation, core=replace(core, members=members)).verify()
    fewest = pls.why(SMALL, "r2c1", smallest=True).core
    for met in ((), ((fewest.members[0],),) * 2, ((core.maybe[0],),)):
        with pytest.raises(pls.Disagreement):
            replace(explanation, core=replace(fewest, met=met)).verify()
    with pytest.raises(pls.Disagreement):
        replace(pls.why(SMALL, "r1c1"), digit=3).verify()
    opened = pls.why(Grid.parse(SEVERAL), "r4c1")
    with pytest.raises(pls.Disagreement):
        replace(opened, solutions=opened.solutions[:1] * 2).verify()


# --- other cells -------------------------------------------------------------------------


def test_a_given_is_its_own_reason():
    explanation = pls.why(SMALL, "r1c1")
    assert str(explanation) == "r1c1 is 4 because it is given."
    explanation.verify()


def test_a_cell_that_is_not_forced_has_two_solutions():
    explanation = pls.why(SEVERAL, "r4c1")
    assert isinstance(explanation, Open)
    assert set(explanation.solutions) == set(all_solutions(Grid.parse(SEVERAL)))
    assert sorted(explanation.digits) == [3, 6]
    explanation.verify()
    # Its neighbour is forced all the same.
    assert isinstance(pls.why(SEVERAL, "r1c1"), Forced | Given)


def test_of_several_solutions_the_cells_that_differ_are_open():
    puzzle = Grid.parse(TWO)
    solutions = list(all_solutions(puzzle))
    for cell in puzzle.cells:
        kind = type(pls.why(puzzle, cell, grain="house"))
        assert (kind is Open) == (len({grid[cell] for grid in solutions}) == 2)


@pytest.mark.parametrize("puzzle", [IMPOSSIBLE, "11" + "." * 14])
def test_without_a_solution_nothing_follows(puzzle):
    with pytest.raises(pls.InvalidPuzzle, match=r"no solution.*ask for its conflicts"):
        pls.why(puzzle, "r3c1")


# --- what people type and read -----------------------------------------------------------


@pytest.mark.parametrize("cell", ["r2c1", "R2C1", " r2c1 ", (2, 1), [2, 1], np.array([2, 1])])
def test_cells_as_people_write_them(cell):
    assert pls.why(SMALL, cell).cell == (2, 1)


@pytest.mark.parametrize(
    ("cell", "kind", "sizes"),
    [("r1c1", Given, (0, 1, True)), ("r2c1", Forced, (4, 3, False)), ("r1c3", Open, (0, 0, True))],
)
def test_every_answer_to_why_has_rules_and_givens(cell, kind, sizes):
    answer = pls.why("............3..." if kind is Open else SMALL, cell)
    assert type(answer) is kind
    assert (len(answer.rules), len(answer.givens), answer.smallest) == sizes
    assert (answer.digit is None) is (kind is Open)


@pytest.mark.parametrize("cell", ["r5c1", "r0c1", "c1r1", "", "r1", 3, (1,), (1, 2, 3), None])
def test_not_a_cell(cell):
    with pytest.raises(
        pls.InvalidPuzzle, match=r"is not a cell of a 4x4 grid; expected (r1c1 to r4c4|a row and a)"
    ):
        pls.why(SMALL, cell)


def test_wrong_grain_and_timeout():
    with pytest.raises(ValueError, match="'rule' or 'house', not 'clause'"):
        pls.why(SMALL, "r2c1", grain="clause")
    with pytest.raises(ValueError, match="timeout must be over 0"):
        pls.why(SMALL, "r2c1", timeout=0)


def test_text_groups_what_belongs_together():
    assert list(
        said(
            [
                *(("once", kind, 1, digit) for digit in (2, 11) for kind in ("box", "row")),
                ("somewhere", "row", 3, 8),
                ("somewhere", "row", 3, 1),
                ("single", 3, 2),
                ("single", 1, 4),
                ("filled", 1, 1),
                *(("house", "box", number) for number in (3, 1, 2)),
            ]
        )
    ) == [
        "row 1 and box 1 each hold 2 and 11 only once",
        "row 3 must hold a 1 and an 8",
        "r1c4 and r3c2 each hold only one digit",
        "r1c1 must hold a digit",
        "boxes 1, 2 and 3 each hold every digit once",
    ]
    assert str(SudokuRule(("once", "column", 2, 7))) == "column 2 holds 7 only once"


def test_text_names_every_rule_and_given():
    explanation = pls.why(SMALL, "r2c1")
    first, *lines, last = str(explanation).split("\n")
    assert first == "r2c1 is 1, because:"
    number, givens = len(explanation.rules), len(explanation.givens)
    assert last == f"None of these can be spared: {number} rules and {givens} givens."
    assert "; ".join(line.strip() for line in lines).startswith("; ".join(said(explanation.rules)))
    assert all(
        f"r{row}c{column} = {digit}" in lines[-1] for row, column, digit in explanation.givens
    )
    fewest = str(pls.why(SMALL, "r2c1", smallest=True)).split("\n")[-1]
    assert fewest.startswith("No explanation needs fewer: ")


@pytest.mark.parametrize(
    ("puzzle", "cell"), [(SMALL, "r2c1"), (SMALL, "r1c1"), (SEVERAL, "r4c1")], ids=str
)
def test_json_and_pickle(puzzle, cell):
    explanation = pls.why(puzzle, cell)
    data = json.loads(json.dumps(explanation.to_json()))
    assert (data["question"], data["cell"]) == ("why", cell)
    grid = Grid.parse(puzzle)
    assert data["puzzle"] == {"box": list(grid.box), "grid": grid.to_json()}
    if isinstance(explanation, Forced):
        assert [SudokuRule(rule["rule"]) for rule in data["rules"]] == list(explanation.rules)
        assert [given["digit"] for given in data["givens"]] == [d for *_, d in explanation.givens]
    assert pickle.loads(pickle.dumps(explanation)) == explanation


@pytest.mark.parametrize(
    ("puzzle", "cell"), [(SMALL, "r2c1"), (SMALL, "r1c1"), (SEVERAL, "r4c1"), (PUZZLE, "r5c5")]
)
def test_picture_shows_what_matters(puzzle, cell):
    explanation = pls.why(puzzle, cell)
    picture = explanation.picture()
    assert picture.puzzle in (None, explanation.puzzle)
    marked = {highlight.role: highlight.cells for highlight in picture.highlights}
    assert marked["target"] == (explanation.cell,)
    if isinstance(explanation, Forced):
        assert picture.grid[explanation.cell] == explanation.digit
        assert {picture.grid[at] for at in marked["reason"]} == {
            digit for *_, digit in explanation.givens
        }
    assert cell in picture.to_text()
    assert picture.to_svg().startswith("<svg")


def test_counts_of_rules():
    for box in BOXES:
        n = box[0] * box[1]
        assert len(set(rules(Layout(box)))) == 2 * n * n + 6 * n * n
        assert len(set(rules(Layout(box), "house"))) == 3 * n
        assert all(str(rule) for rule in chain(rules(Layout(box)), rules(Layout(box), "house")))


def test_known_puzzles_with_several_solutions_keep_their_word():
    for puzzle, number in COUNTS.items():
        if number > 1 and len(puzzle) == 81:
            pls.why(puzzle, (9, 9), grain="house", timeout=60).verify()
