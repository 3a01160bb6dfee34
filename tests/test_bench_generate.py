"""The benchmark of making puzzles."""

from __future__ import annotations

import json
import sys

import pytest

import pylogic_sudoku as pls
from benchmarks.generate import __main__ as bench
from benchmarks.generate import qqwing
from benchmarks.generate.checking import fault_of
from benchmarks.generate.spread import spread, table


def test_the_spread_of_numbers_of_givens():
    shares = {22: 38, 23: 171, 24: 353, 25: 313, 26: 107, 27: 18}
    found = spread([number for number, times in shares.items() for _ in range(times)])
    assert (found["puzzles"], found["givens"]) == (1000, shares)
    assert found["mean"] == pytest.approx(24.334)
    assert found["z"] == pytest.approx((24.334 - 24.38) / (1.12 * (1 / 1000 + 1e-6) ** 0.5))
    assert found["p"] == pytest.approx(0.194, abs=0.001)
    assert (found["shape_chi_square"] < 15, found["shape_freedom"]) == (True, 5)
    assert "22         38    3.80%   0.003%  0.00092" in table(found)
    assert spread([26, 27] * 500)["p"] < 1e-9


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_a_puzzle_that_is_not_right_is_found(backend):
    (puzzle,) = pls.generate(minimal=True, seed=1, box=(2, 2))
    assert fault_of(puzzle, backend) == ""
    assert fault_of(puzzle.without(puzzle.givens[0]), backend) == "not unique"
    solution = pls.solve(puzzle)
    empty = next(cell for cell in puzzle.cells if not puzzle[cell])
    more = puzzle.with_((*empty, solution[empty]))
    assert "is not needed" in fault_of(more, backend)


def test_a_file_that_cannot_be_written_is_told_before_the_work(monkeypatch, capsys):
    monkeypatch.setattr(bench, "race", None)
    monkeypatch.setattr(sys, "argv", ["generate", "--json", "nowhere/made.json"])
    with pytest.raises(SystemExit) as ended:
        bench.main()
    assert ended.value.code == 2
    assert "nowhere/made.json: No such file or directory" in capsys.readouterr().err


def test_the_benchmark_does_without_qqwing(monkeypatch, tmp_path, capsys):
    file = tmp_path / "made.json"
    arguments = ["generate", "--puzzles", "100", "--json", str(file)]
    monkeypatch.setattr(sys, "argv", arguments)
    monkeypatch.setattr(qqwing, "program", lambda: None)
    assert bench.main() == 0
    assert "qqwing is not installed" in capsys.readouterr().out
    assert json.loads(file.read_text())["puzzles"] == 100
