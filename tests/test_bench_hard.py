"""``benchmarks/hard``: its puzzles are made from seeds, and its race counts right."""

from __future__ import annotations

import pytest

import pylogic_sudoku as pls
from benchmarks.hard import __main__ as race
from benchmarks.hard import making
from pylogic_sudoku import Grid


@pytest.mark.slow
def test_a_dug_puzzle_has_one_solution():
    puzzle = making.dug((4, 4), 0, rounds=1)
    assert puzzle == making.dug((4, 4), 0, rounds=1) != making.dug((4, 4), 1, rounds=1)
    assert pls.is_unique(puzzle)
    assert len(puzzle.givens) < 110


PUZZLES = [grid for _, grid in race.grids([race.GRIDS])]


def test_the_stored_puzzles_are_distinct():
    assert len(set(PUZZLES)) == len(PUZZLES) == 42


@pytest.mark.parametrize(
    "number", [*range(1, 4), *(pytest.param(each, marks=pytest.mark.slow) for each in range(4, 43))]
)
def test_a_stored_puzzle_has_one_solution(number):
    assert pls.is_unique(PUZZLES[number - 1])


def test_all_contestants_solve_and_count(tmp_path, capsys):
    file = tmp_path / "small.txt"
    file.write_text("4......3...13...\n12..34......4321\n")
    race.race([file], limit=600, threads=1)
    *lines, clingo, counted, cadical, also, sat, too, loading = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert clingo.startswith("clingo: solved 2 of 2, median")
    assert counted.startswith("clingo: counted to two 2 of 2, median")
    assert cadical.startswith("CaDiCaL: solved 2 of 2, median")
    assert also.startswith("CaDiCaL: counted to two 2 of 2, median")
    assert sat.startswith("sat: solved 2 of 2, median")
    assert too.startswith("sat: counted to two 2 of 2, median")
    assert loading.startswith("CaDiCaL: of these, loading takes")


def test_a_contestant_that_is_out_of_time_has_no_time():
    hard = Grid.parse(race.GRIDS.read_text().split()[-1])
    assert race.cadical(hard, 0.01, []) == (None, None)
    for name in ("clingo", "sat"):
        assert race.engine(name, hard, 0.01, 1) == (None, None)
