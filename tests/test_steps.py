"""The way to the solution: each step is right and the simplest, and the last one is the end."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from helpers import technique_oracle
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import CLASSIC as EASY
from helpers.puzzles import COUNTS, IMPOSSIBLE, PRINTED
from helpers.symmetry import grids, symmetries
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.draw import Highlight
from pylogic_sudoku.techniques._table import LEVELS, RANK, TECHNIQUES

HARD, _, MIDDLING, _ = PRINTED
"""HARD needs more than MIDDLING, which needs no technique that is harder than a wing."""
SEVERAL = [puzzle for puzzle, count in COUNTS.items() if count > 1][::-1]
SEVERAL.sort(key=lambda puzzle: COUNTS[puzzle] == 125)  # the steps of that one take long
NAMES = [technique.name for technique in TECHNIQUES.values()]


def walk(puzzle, solutions=None) -> list[pls.Step]:
    """All steps, after a check that each leads to the next and that no solution is lost.

    `solutions` are all solutions, if they are known.
    """
    way = pls.steps(puzzle)
    taken = list(way)
    for before, after in pairwise([*taken, way]):
        placed = {before.placed} if before.placed else set()
        assert set(after.grid.givens) == set(before.grid.givens) | placed
        lost = {
            (x, y, digit)
            for x, row in enumerate(before.candidates, 1)
            for y, digits in enumerate(row, 1)
            for digit in digits - after.candidates[x - 1][y - 1]
        }
        assert placed | set(before.removed) <= lost
        if before.removed:
            assert lost == set(before.removed)
    for solution in solutions or ():
        assert way.grid.digits == tuple(
            here and there for here, there in zip(way.grid.digits, solution.digits, strict=True)
        )
        for step in taken:
            assert not set(step.removed) & set(solution.givens)
            assert step.placed is None or step.placed in solution.givens
    # Each cell is filled in, or still has what it holds in some solution, and no more.
    for row, shown, possible in zip(
        way.grid.rows, way.candidates, pls.candidates(puzzle), strict=True
    ):
        for digit, marks, digits in zip(row, shown, possible, strict=True):
            assert digits == ({digit} if digit else marks)
    return taken


@cache
def taken(puzzle: str) -> list[pls.Step]:
    return list(pls.steps(puzzle))


@cache
def minimal_set() -> pls.Step:
    """The step of a hard puzzle if no technique but singles and locked candidates is known."""
    way = pls.steps(HARD)
    way._techniques = []
    return next(step for step in way if step.technique == "minimal set")


def check_simplest(step: pls.Step) -> None:
    """Check that the technique in plain Python finds the step, and that no easier one does."""
    marks = technique_oracle.position(step)
    filled = step.puzzle.with_(*step.grid.givens)
    for name in NAMES:
        find = technique_oracle.TECHNIQUES.get(name)
        found = set(find(filled, marks)) - {frozenset()} if find else None
        if name == step.technique:
            assert found is None or technique_oracle.what(step) in found
            return
        assert not found, f"{name} before {step}"


def slow(puzzles, quick):
    """The puzzles; all but the first `quick` are marked as slow."""
    marks = pytest.mark.slow
    return [*puzzles[:quick], *(pytest.param(puzzle, marks=marks) for puzzle in puzzles[quick:])]


@pytest.mark.parametrize("puzzle", slow(sorted(PRINTED, key=MIDDLING.__ne__), 1))
def test_from_the_givens_to_the_solution(puzzle):
    for step in walk(puzzle, [Grid.parse(PRINTED[puzzle])]):
        check_simplest(step)
        step.verify()


def test_an_easy_puzzle_takes_what_it_takes():
    assert pls.rate(EASY).techniques == {"full house": 21, "naked single": 30}


def test_without_techniques_there_are_minimal_sets():
    assert minimal_set().technique == "minimal set"


@pytest.mark.parametrize("puzzle", slow(SEVERAL, 3))
def test_several_solutions(puzzle):
    """Until nothing more is sure, and not a step less."""
    taken = walk(puzzle, list(all_solutions(Grid.parse(puzzle))) if len(puzzle) < 20 else None)
    for step in taken:
        check_simplest(step)
    way = pls.steps(puzzle)
    assert way.outcome() == f"{Grid.parse(puzzle).digits.count(0)} empty cells left."
    assert len(list(way)) == len(taken)
    empty = way.grid.digits.count(0)
    assert way.outcome() == (
        f"Nothing more is sure: {empty} empty cells left, as there are several solutions."
    )
    assert next(way, None) is None


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2), (1, 4), (2, 4), (2, 5)], ids=str)
def test_other_shapes(box):
    solution = full_grid(box, 7)
    puzzle = dig(solution, len(solution.digits) * 45 // 100, 7)
    for step in walk(puzzle, [solution] if pls.is_unique(puzzle) else None):
        check_simplest(step)
        step.verify()


@pytest.mark.slow
def test_16x16():
    solution = full_grid((4, 4), 2)
    puzzle = dig(solution, 160, 2)
    assert pls.is_unique(puzzle)
    assert len(walk(puzzle, [solution])) >= 256 - 160


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(grids())
def test_steps_of_any_puzzle(puzzle):
    assume(pls.solve(puzzle) is not None)
    for step in walk(puzzle, list(pls.solutions(puzzle, limit=20))[:1]):
        check_simplest(step)


@settings(max_examples=1, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_step_of_an_image_loses_its_solution(data):
    puzzle, solution = Grid.parse(MIDDLING), Grid.parse(PRINTED[MIDDLING])
    move = data.draw(symmetries(puzzle))
    walk(move(puzzle), [move(solution)])


@pytest.mark.parametrize("puzzle", slow([MIDDLING, HARD], 1))
def test_the_same_puzzle_has_the_same_steps(puzzle):
    assert list(pls.steps(puzzle)) == taken(puzzle)


# --- what is asked ----------------------------------------------------------------------------


def test_steps_are_found_as_they_are_asked_for():
    way = pls.steps(HARD)
    first = next(way)
    assert first == pls.hint(HARD)
    assert way.grid.digits.count(0) == way.puzzle.digits.count(0) - 1
    assert iter(way) is way


def test_a_filled_grid_needs_no_hint():
    solution = pls.solve(EASY)
    assert pls.hint(solution) is None
    assert pls.steps(solution).outcome() == "The puzzle is solved."


def test_nothing_is_sure_of_an_empty_grid():
    assert pls.hint("." * 81) is None


@pytest.mark.parametrize("puzzle", ["11..............", IMPOSSIBLE])
@pytest.mark.parametrize("ask", [pls.steps, pls.hint, pls.rate])
def test_no_solution(puzzle, ask):
    with pytest.raises(pls.InvalidPuzzle, match=r"no solution.*ask for its conflicts"):
        ask(puzzle)


def test_wrong_arguments():
    with pytest.raises(pls.InvalidPuzzle):
        pls.steps("no puzzle")
    with pytest.raises(ValueError, match="timeout"):
        pls.steps(EASY, timeout=0)


def test_time_limit():
    with pytest.raises(pls.SolveTimeout):
        list(pls.steps(HARD, timeout=1e-9))
    assert len(list(pls.steps(EASY, timeout=60))) == 51


def test_what_is_found_before_time_runs_out_is_kept(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("pylogic_sudoku.engines.budget.perf_counter", lambda: now[0])

    def progress(what):
        if what.endswith("at step 4"):
            now[0] += 100

    walk = pls.steps(EASY, timeout=60, progress=progress).walk()
    assert [*walk] == taken(EASY)[:3]
    said = "while looking for singles and locked candidates at step 4"
    assert (walk.solved, walk.outcome) == (False, f"clingo gave no answer within 60 s, {said}.")
    with pytest.raises(pls.SolveTimeout, match=f"{said}$"):
        pls.rate(EASY, timeout=60, progress=progress)


def test_after_ctrl_c_the_steps_go_on(monkeypatch):
    from pylogic_sudoku.engines.clingo.techniques import _Program

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    way = pls.steps(EASY)
    first = next(way)
    with monkeypatch.context() as patched:
        patched.setattr(_Program, "answers", interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(way)
    assert [first, *way] == taken(EASY)


# --- explanations -----------------------------------------------------------------------------


def test_both_engines_check_every_step(backend):
    puzzle = dig(full_grid((2, 3), 1), 12, 5)
    taken = walk(puzzle)
    assert taken
    for step in taken:
        step.verify(backend)


def test_both_engines_check_a_minimal_set(backend):
    step = minimal_set()
    step.verify(backend)
    with pytest.raises(pls.Disagreement):
        replace(step, must=step.must[1:]).verify(backend)


@pytest.fixture(params=slow([MIDDLING, HARD], 1))
def steps_by_technique(request) -> dict[str, pls.Step]:
    """The first step by each, and a minimal set."""
    several = [*taken(request.param), minimal_set()]
    return {step.technique: step for step in reversed(several)}


def test_wrong_steps_are_noticed(steps_by_technique):
    for technique, step in steps_by_technique.items():
        rng = random.Random(1)
        concerned = {placement[:2] for placement in (step.placed, *step.removed) if placement}
        marks = technique_oracle.position(step)
        cell = rng.choice(sorted(marks.keys() - concerned))
        wrong = (*cell, min(marks[cell]))
        lies = [
            replace(step, must=()),
            replace(step, placed=wrong) if step.placed else replace(step, removed=(wrong,)),
            replace(step, candidates=tuple((frozenset(),) * 9 for _ in range(9))),
        ]
        if technique == "minimal set":
            lies.append(replace(step, most=(*step.most, next(pls.steps(EASY)).must[0])))
        for lie in lies:
            with pytest.raises(pls.Disagreement):
                lie.verify()


def test_json(steps_by_technique):
    for technique, step in steps_by_technique.items():
        data = json.loads(json.dumps(step.to_json()))
        assert data["technique"] == technique
        assert data["text"] == str(step)
        assert [tuple(rule) for rule in data["rules"]] == list(step.rules)
        assert bool(data["placed"]) != bool(data["removed"])
    data = pls.hint(EASY).to_json()
    assert data["placed"] == {"cell": "r5c5", "digit": 5}
    assert data["candidates"][4][4] == [5]
    assert data["grid"] == Grid.parse(EASY).to_json()


def test_picture(steps_by_technique):
    for step in steps_by_technique.values():
        picture = step.picture()
        assert (picture.grid, picture.puzzle) == (step.grid, step.puzzle)
        first, *_ = picture.highlights
        if step.placed:
            label, cell = f"{step.placed.digit} goes here", step.placed.cell
            assert first == Highlight(label, "target", (cell,), (step.placed,))
        else:
            assert (first.role, set(first.candidates)) == ("removed", set(step.removed))
        assert picture.to_svg().startswith("<svg")


# --- ratings ------------------------------------------------------------------------------------


def test_rating():
    rating = pls.rate(EASY)
    assert rating == pls.Rating(
        "easy", 51 * 4, "naked single", {"full house": 21, "naked single": 30}
    )
    assert str(rating) == "easy (204, naked single)"
    assert pls.rate(pls.solve(EASY)) == pls.Rating("easy", 0, None, {})


@pytest.mark.parametrize("puzzle", slow(["." * 16, "." * 81, *SEVERAL], 4))
def test_a_puzzle_with_several_solutions_has_no_rating(puzzle):
    with pytest.raises(pls.InvalidPuzzle, match=r"several solutions.*no rating.*ambiguity"):
        pls.rate(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "level"), [(MIDDLING, "hard"), (HARD, "extreme")])
def test_the_number_is_the_sum_of_the_weights(puzzle, level):
    rating = pls.rate(puzzle)
    weight = {each.name: each.weight for each in TECHNIQUES.values()}
    assert rating.number == sum(
        weight[step.technique] * (len(step.rules) if step.technique == "minimal set" else 1)
        for step in taken(puzzle)
    )
    assert rating.level == level
    assert sum(rating.techniques.values()) == len(taken(puzzle))
    assert list(rating.techniques) == [name for name in NAMES if name in rating.techniques]


def test_a_high_number_raises_the_level(monkeypatch):
    monkeypatch.setitem(LEVELS, "easy", 203)
    assert pls.rate(EASY).level == "medium"


def test_techniques_are_in_order():
    assert list(RANK.values()) == list(range(len(TECHNIQUES)))
