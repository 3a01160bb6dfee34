"""The encoding whose answers are puzzles with one solution, beside a count in plain Python."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from helpers.gallery import answers
from helpers.oracle import all_solutions

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines.clingo.program import encoding

EMPTY = Grid.parse("." * 16)


def made(givens: int, facts: str = "", limit: int = 0, *options: str) -> list[tuple[Grid, Grid]]:
    """Puzzles with their solutions."""
    options = ("-cbox_rows=2", "-cbox_columns=2", f"-cgivens={givens}", *options)
    found, grumbles = answers(encoding("unique_by_rule"), facts, options, limit)
    assert grumbles == []
    return [(read("initial", atoms), read("sudoku", atoms)) for atoms in found]


def read(name: str, atoms: frozenset[str], box: tuple[int, int] = (2, 2)) -> Grid:
    found = (re.fullmatch(rf"{name}\((\d),(\d),(\d)\)", atom) for atom in atoms)
    return Grid.of([tuple(map(int, each.groups())) for each in found if each], box)


def unique_puzzles(givens: int, *with_cells: int) -> set[Grid]:
    """All 4x4 puzzles with one solution, which no other solution has; with these cells given."""
    seen: dict[tuple, int] = {}
    solutions = [*all_solutions(EMPTY)]
    for chosen in combinations({*range(16)} - {*with_cells}, givens - len(with_cells)):
        cells = (*with_cells, *chosen)
        for grid in solutions:
            puzzle = (cells, tuple(grid.digits[cell] for cell in cells))
            seen[puzzle] = seen.get(puzzle, 0) + 1
    found = (dict(zip(*puzzle, strict=True)) for puzzle, number in seen.items() if number == 1)
    return {Grid(tuple(digits.get(cell, 0) for cell in range(16)), (2, 2)) for digits in found}


@pytest.mark.parametrize("givens", [4, 5, 8, 15, 16])
def test_its_answers_have_one_solution(givens):
    for seed in range(3):
        random = ("--rand-freq=1", "--sign-def=rnd", f"--seed={seed}")
        for puzzle, solution in made(givens, "", 20, *random):
            assert len(puzzle.givens) == givens
            assert [*all_solutions(puzzle)] == [solution]


def test_the_givens_that_are_asked_for_are_there():
    """Every puzzle of 4 givens with these two."""
    found = [puzzle for puzzle, _ in made(4, "initial(1,1,1). initial(2,3,2).")]
    assert len(found) == len({*found})
    assert {*found} == {
        puzzle for puzzle in unique_puzzles(4, 0, 6) if puzzle[1, 1] == 1 and puzzle[2, 3] == 2
    }


def test_givens_that_clash_have_no_answer():
    assert made(4, "initial(1,1,1). initial(1,2,1).") == []


@pytest.mark.slow
@pytest.mark.parametrize("givens", [0, 1, 2, 3])
def test_fewer_than_4_givens_have_no_answer(givens):
    assert made(givens) == []
    assert not unique_puzzles(givens)


def test_fewer_than_4_givens_have_no_answer_with_the_first_in_the_corner():
    """As good as all: another cell and digit are the same by symmetry."""
    assert made(3, "initial(1,1,1).") == []


@pytest.mark.slow
def test_it_finds_every_puzzle_of_4_givens():
    found = [puzzle for puzzle, _ in made(4)]
    assert len(found) == len({*found}) == 25_728
    assert {*found} == unique_puzzles(4)


@pytest.mark.slow
def test_it_makes_9x9_puzzles():
    (atoms,), _ = answers(encoding("unique_by_rule"), "", ["-cgivens=36"], 1)
    puzzle, solution = (read(name, atoms, (3, 3)) for name in ("initial", "sudoku"))
    assert len(puzzle.givens) == 36
    assert [*pls.solutions(puzzle, "prolog", limit=2)] == [solution]
