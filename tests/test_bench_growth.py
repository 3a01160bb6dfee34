"""The benchmarks of growth and of the start: what they measure, and that a run can go on."""

from __future__ import annotations

import json
import subprocess
from signal import SIGXCPU

import pytest

from benchmarks import footprint, growth
from benchmarks.growth import Point

SMALL = [
    Point("puzzles", "clingo", "1 process", 30),
    Point("puzzles", "clingo", "2 processes", 30),
    Point("sizes", "prolog", "a third given", 6),
    Point("solutions", "clingo", "6x6", 20),
]


def test_the_work_is_that_of_the_page():
    found = {what: [each for each in growth.points() if each.what == what] for what in growth.AXES}
    decades = {10**exponent for exponent in range(2, 7)}
    clingo = [each for each in found["puzzles"] if each.engine == "clingo"]
    assert {(each.kind, each.n) for each in clingo} == {
        (kind, n) for kind in ("1 process", "2 processes") for n in decades
    }
    assert {each.n for each in found["sizes"]} == {4, 6, 8, 9, 12, 15, 16, 20, 25, 30, 36}
    assert {(each.engine, each.n) for each in found["solutions"]} == {
        (engine, n) for engine in ("clingo", "prolog") for n in decades
    }


@pytest.mark.parametrize(("size", "box"), [(4, (2, 2)), (12, (3, 4)), (36, (6, 6))])
def test_a_third_of_a_full_grid_is_given(size, box):
    grid = growth.grid_of(size, "a third given")
    assert (grid.box, sum(map(bool, grid.digits))) == (box, size**2 // 3)
    assert not grid.duplicates()
    assert growth.grid_of(size, "empty").digits == (0,) * size**2


@pytest.mark.slow
def test_a_run_goes_on_where_it_stopped_and_draws(tmp_path, monkeypatch, capsys):
    file = tmp_path / "growth.json"
    monkeypatch.setattr(growth, "points", lambda: iter(SMALL))
    monkeypatch.setattr(growth, "SHORT", 0)
    growth.measure(file, "puzzles", 10**6)
    assert capsys.readouterr().out.count("\n") == 2
    figures = growth.measure(file, None, 10**6)
    assert capsys.readouterr().out.count("\n") == 2
    assert figures == json.loads(file.read_text())
    assert [Point(*(each[name] for name in Point._fields)) for each in figures] == SMALL
    for each in figures:
        assert each["seconds"] > 0
        assert each["megabytes"] > 10
    one, two, *_ = figures
    assert two["megabytes"] > 2 * one["megabytes"]  # those of its workers are in it
    for what in growth.AXES:
        growth.chart(figures, what, tmp_path / "chart.svg")
        assert "</svg>" in (tmp_path / "chart.svg").read_text()


def test_work_that_takes_too_long_is_said_to(monkeypatch):
    killed = subprocess.CompletedProcess([], -SIGXCPU)
    monkeypatch.setattr(subprocess, "run", lambda *_arguments, **_options: killed)
    point = Point("sizes", "clingo", "empty", 36)
    assert growth.measured(point, "") == {**point._asdict(), "limit": growth.LIMIT}


def test_starts_are_compared_with_those_of_clingo(monkeypatch, capsys):
    monkeypatch.setattr(footprint, "ROUNDS", 1)
    footprint.starts()
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.endswith("times that of clingo")
    assert len(lines) == 8
    for line in lines:
        processor, clock, *ratios = map(float, line[36:].split())
        assert processor > 0 < clock
        assert len(ratios) == 2
        if line.startswith(("import clingo", "python -m clingo")):
            assert ratios == [1, 1]
