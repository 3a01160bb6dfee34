"""Redundant parts of puzzles and the solutions of each candidate, against plain Python."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest
from helpers.oracle import all_solutions as grids_of
from helpers.oracle import dig, full_grid
from helpers.puzzles import CLASSIC, EMPTY
from helpers.ruled import CAGE, SMALL_KILLER, SMALL_SOLUTION, THERMOMETERS
from test_explain_sets import SMALL, marked_puzzle

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines.sudoku import get
from pylogic_sudoku.explain import Ambiguity, Redundancy
from pylogic_sudoku.rules import Thermometer
from pylogic_sudoku.rules.demands import in_words

SPARE = Grid.parse("4......3.4.13...")
"""It has one solution; r3c2 = 4 is redundant."""


def all_solutions(puzzle: Grid | Puzzle) -> Iterator[Grid]:
    """The solutions that obey the rules, too, in plain Python."""
    return (grid for grid in grids_of(puzzle) if grid.is_solution_of(puzzle))


def unique(puzzle: Grid | Puzzle) -> bool:
    return len(list(islice(all_solutions(puzzle), 2))) == 1


def without_each(puzzle: Grid | Puzzle):
    """Each given, digit that a mark excludes, and rule, with the puzzle that lacks it."""
    for given in puzzle.givens:
        yield tuple(given), puzzle.without(given)
    if isinstance(puzzle, Puzzle):
        every = set(range(1, puzzle.size + 1))
        for mark in puzzle.marks:
            for digit in sorted(every - mark.digits):
                marks = {each.cell: each.digits for each in puzzle.marks}
                marks[mark.cell] = mark.digits | {digit}
                left = {cell: digits for cell, digits in marks.items() if digits != every}
                rest = Puzzle(puzzle.grid, puzzle.regions, left, puzzle.rules)
                yield ("excluded", *mark.cell, digit), rest
        for rule in puzzle.rules:
            kept = [each for each in puzzle.rules if each != rule]
            yield ("rule", rule), Puzzle(puzzle.grid, puzzle.regions, puzzle.marks, kept)


def with_digits(puzzle: Puzzle, number: int, seed: int) -> Puzzle:
    """The puzzle, whose solution is the only one, with some of its digits as givens."""
    (solution,) = all_solutions(puzzle)
    return puzzle.with_(*dig(solution, number, seed).givens)


PUZZLES = {
    **{f"plain, {seed}": dig(full_grid((2, 2), seed), 5 + seed % 7, seed) for seed in range(14)},
    **{f"marks, {seed}": marked_puzzle(seed, 5, 4) for seed in range(6)},
    "spare": SPARE,
    "minimal": SPARE.without("r3c2"),
    "1x1": Grid((1,), (1, 1)),
    "6x6": dig(full_grid((2, 3), 2), 20, 2),
    "solution": Grid.parse(SMALL_SOLUTION),
    "killer": SMALL_KILLER,
    "killer with givens": with_digits(SMALL_KILLER, 4, 1),
    "thermometers": THERMOMETERS,
    "thermometers with givens": with_digits(THERMOMETERS, 3, 2),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_what_is_redundant_and_what_remains(puzzle):
    answer = pls.redundant(puzzle, minimal=True)
    if not unique(puzzle):
        assert isinstance(answer, Ambiguity)
        assert len(answer.cells) > 1
        return
    assert isinstance(answer, Redundancy)
    parts = dict(without_each(puzzle))
    assert {*answer.members} == {part for part, rest in parts.items() if unique(rest)}
    assert [answer.solution] == list(all_solutions(puzzle)) == list(all_solutions(answer.remainder))
    kept = dict(without_each(answer.remainder))
    assert kept.keys() <= parts.keys()
    assert not any(unique(rest) for rest in kept.values())
    assert {*answer.omitted} == parts.keys() - kept.keys()
    answer.verify("clingo")
    answer.verify("prolog")
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert pls.redundant(puzzle) == replace(answer, remainder=None)
    data = json.loads(json.dumps(answer.to_json()))
    assert Puzzle.from_json(data["remainder"]) == answer.remainder.to_puzzle()
    number = len(data["givens"]) + len(data["rules"]) + sum(map(len, data["excluded"].values()))
    assert number == len(answer.members)


def test_all_of_a_kind_are_there():
    """Some puzzles have something redundant of each kind, and some have nothing."""
    found = [pls.redundant(puzzle) for puzzle in PUZZLES.values()]
    found = [each for each in found if isinstance(each, Redundancy)]
    for part in ("givens", "excluded", "rules"):
        assert any(getattr(each, part) for each in found), part
    assert any(not each.members for each in found)


def test_it_is_said_in_words():
    answer = pls.redundant(SPARE)
    assert str(answer).splitlines() == [
        "The puzzle still has only one solution without this:",
        "  r3c2 = 4",
    ]
    assert repr(answer) == "<Redundancy: The puzzle still has only one solution without this:>"
    answer = pls.redundant(SPARE.with_((3, 3, 3)), minimal=True)
    first, members, second, omitted = str(answer).splitlines()
    assert first == "The puzzle still has only one solution without any one of these:"
    assert members == f"  {in_words(answer.givens)}"
    assert second in ("Together, this can be left out:", "Together, these can be left out:")
    assert omitted == f"  {in_words(part for part in answer.omitted)}"
    marked = Puzzle(SPARE.without("r3c2"), marks={"r1c2": [3]}, rules=[Thermometer("r2c1 r1c2")])
    text = str(pls.redundant(marked, minimal=True))
    assert "r1c2 may not hold 1, 2 or 4 (mark)" in text
    nothing = "without any given, the puzzle has several solutions."
    assert str(pls.redundant(SPARE.without("r3c2"))) == f"Nothing is redundant: {nothing}"


def test_rules_are_kept_rather_than_givens():
    (solution,) = all_solutions(SMALL_KILLER)
    remainder = pls.redundant(SMALL_KILLER.with_grid(solution), minimal=True).remainder
    assert not remainder.givens
    assert remainder.rules


def test_equal_rules_are_one():
    twice = Puzzle(SMALL_KILLER.grid, rules=[*SMALL_KILLER.rules, SMALL_KILLER.rules[0]])
    assert pls.redundant(twice, True).members == pls.redundant(SMALL_KILLER, True).members


def test_without_a_solution_nothing_is_redundant():
    with pytest.raises(pls.NoSolution, match="ask for its conflicts"):
        pls.redundant("11..............")


def test_questions_do_not_disturb_each_other():
    """A question leaves nothing behind in the rules that are kept."""
    for _ in range(3):
        assert pls.redundant(SPARE).givens == ((3, 2, 4),)
        assert pls.conflicts(SPARE).solution == pls.solve(SPARE)
        assert pls.why(SPARE, "r2c1").digit == pls.solve(SPARE)[2, 1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"members": ()},
        {"members": ((3, 2, 4), (1, 1, 4))},
        {"remainder": SPARE},
        {"remainder": Grid.parse("." * 16)},
    ],
)
def test_a_wrong_answer_is_refused(backend, wrong):
    right = pls.redundant(SPARE, minimal=True)
    with pytest.raises(pls.Disagreement):
        replace(right, **wrong).verify(backend)


def test_a_picture_marks_what_is_redundant():
    answer = pls.redundant(SPARE.with_((3, 3, 3)), minimal=True)
    first, second = answer.picture().highlights
    assert {*first.cells} == {each.cell for each in answer.givens}
    assert {*second.cells} == {each[:2] for each in answer.omitted}
    rules = pls.redundant(with_digits(THERMOMETERS, 3, 2)).picture().highlights
    assert {each.role for each in rules} >= {"house"}


# --- the number of solutions of each candidate -----------------------------------------------


COUNTED = {
    "none": Grid.parse("11.............."),
    "one": SPARE,
    "several": Grid.parse("12..3.......4..."),
    "4x4": Grid.parse("." * 16),
    "6x6": dig(full_grid((2, 3), 5), 12, 1),
    "jigsaw": Puzzle("1" + "." * 15, regions=SMALL, marks={"r2c2": [1, 2, 3]}),
    "rules": Puzzle("." * 16, rules=[CAGE, Thermometer("r2c1 r2c2")]),
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("puzzle", COUNTED.values(), ids=COUNTED)
def test_each_candidate_is_counted(backend, puzzle):
    right: Counter[pls.Placement] = Counter()
    for solution in all_solutions(puzzle):
        right.update(solution.givens)
    everything = dict(sorted(right.items()))
    assert pls.candidate_counts(puzzle, backend, None) == everything
    assert [*pls.candidate_counts(puzzle, backend)] == [*everything]
    some = {*right.values()}
    for limit in {1, *some, *(number + 1 for number in some)} if len(some) < 9 else (1, 3, 20):
        capped = {each: min(number, limit) for each, number in right.items()}
        assert pls.candidate_counts(puzzle, backend, limit) == capped, limit


@pytest.mark.slow
def test_a_long_search_counts_them_exactly():
    """More solutions than are found in the caller's thread, and in the program of the layout."""
    loose = Grid.parse(CLASSIC).without(*Grid.parse(CLASSIC).givens[:7])
    right: Counter[pls.Placement] = Counter()
    number = 0
    for solution in pls.solutions(loose):
        right.update(solution.givens)
        number += 1
    assert number > 1_000
    assert pls.candidate_counts(loose, limit=None) == right
    for limit in (5, 400):
        capped = {each: min(number, limit) for each, number in right.items()}
        assert pls.candidate_counts(loose, limit=limit) == capped
        assert pls.candidate_counts(loose, limit=limit, threads=2) == capped
    assert {*pls.candidate_counts(EMPTY).values()} == {10}


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_atoms_are_counted(backend):
    instance = pls.Problem("queens").instance("size(6).")
    right = Counter(atom for answer in pls.solutions(instance) for atom in answer)
    assert pls.candidate_counts(instance, backend, None) == right
    assert pls.candidate_counts(instance, backend, 1) == dict.fromkeys(right, 1)


def test_the_least_limit_is_one():
    with pytest.raises(ValueError, match="limit must be 1 or more"):
        pls.candidate_counts(SPARE, limit=0)


def test_clingo_counts_in_one_search(monkeypatch):
    """An engine without a search of its own for this asks for each candidate."""
    engine = get("clingo")
    monkeypatch.setattr(type(engine), "count", None)
    assert set(engine.candidate_counts(SPARE).values()) == {1}


# --- at the command line ---------------------------------------------------------------------


def test_the_command_counts_by_candidate(command):
    ended, output, _ = command("count", "--by-candidate", "12..3.......4...")
    assert ended == 0
    lines = output.splitlines()
    assert len(lines) == 12  # given cells have none
    assert lines[0] == "r1c3: 3 (3), 4 (3)"
    assert "r3c3: 1 (1), 3 (2), 4 (3)" in lines
    _, output, _ = command("count", "--by-candidate", "-n", 2, "-b", "all", "12..3.......4...")
    assert "r3c3: 1 (1), 3 (2), 4 (2)" in output.splitlines()
    _, output, _ = command("count", "--by-candidate", "-f", "json", "12..3.......4...")
    found = json.loads(output)["candidates"]
    assert {"cell": "r3c3", "digit": 3, "count": 2} in found
    _, output, _ = command("count", "--by-candidate", "-p", "queens", "4")
    assert output.splitlines()[0] == "queen(1,2): 1"
    ended, output, _ = command("count", "--by-candidate", "11..............")
    assert (ended, output) == (1, "")
