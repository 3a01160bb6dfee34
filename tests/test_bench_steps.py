"""The benchmark of steps."""

from __future__ import annotations

import json

from helpers.puzzles import CLASSIC

from benchmarks import steps as bench


def test_the_ways_are_counted_and_confirmed(tmp_path, capsys):
    puzzles, records = tmp_path / "puzzles.txt", tmp_path / "ways.json"
    puzzles.write_text(f"{CLASSIC}\n")
    assert bench.main(["--verify", "--json", str(records), str(puzzles)]) == 0
    out = capsys.readouterr().out
    (way,) = map(json.loads, records.read_text().splitlines())
    steps = sum(way["techniques"].values())
    assert f"puzzles.txt: 1 puzzles, {steps} steps" in out
    assert f"{'naked single':32}{way['techniques']['naked single']:8}" in out
    assert "minimal sets: 0.00% of the steps; 1 puzzles need none" in out
    assert (
        f"proved by addition: {way['added']}; confirmed by Prolog: {way['asked']}; wrong: 0" in out
    )
    assert way["added"] + way["asked"] == steps


def test_a_wrong_step_is_counted(monkeypatch, tmp_path, capsys):
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{CLASSIC}\n")
    solve = bench.pls.solve
    monkeypatch.setattr(
        bench.pls, "solve", lambda text: solve(text).relabelled([2, 1, *range(3, 10)])
    )
    assert bench.main(["--verify", str(puzzles)]) == 1
    assert "but the solution differs" in capsys.readouterr().out
