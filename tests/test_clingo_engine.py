"""What is particular to the clingo engine: it grounds once a shape and breaks cleanly."""

from __future__ import annotations

import pytest
from helpers.puzzles import EMPTY, PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines.clingo import program
from pylogic_sudoku.engines.clingo.engine import ClingoBackend

FIRST, ANSWER = next(iter(PRINTED.items()))


@pytest.fixture
def grounded(monkeypatch):
    """The box shapes that were grounded, in order."""
    shapes = []

    def counted(text, layout, *options):
        shapes.append(layout.box)
        return real(text, layout, *options)

    real = program.grounded
    monkeypatch.setattr(program, "grounded", counted)
    return shapes


def test_a_shape_is_grounded_once(grounded):
    engine = ClingoBackend()
    for _ in range(3):
        for puzzle in (FIRST, "." * 16):
            grid = Grid.parse(puzzle)
            assert engine.solve(grid)
            assert engine.count(grid, limit=2)
            assert len(list(engine.solutions(Grid.parse(ANSWER)))) == 1
            assert engine.candidates(grid)
    assert grounded == [(3, 3), (2, 2)]


def test_each_open_enumeration_has_a_program_until_it_ends(grounded):
    engine = ClingoBackend()
    for _ in range(2):
        readers = [engine.solutions(Grid.parse("." * 16)) for _ in range(3)]
        assert all(next(reader) for reader in readers)
        for reader in readers:
            assert len(list(reader)) == 287
    assert grounded == [(2, 2)] * 3


def test_an_interrupted_program_is_not_used_again(grounded):
    engine = ClingoBackend()
    for _ in range(3):
        with pytest.raises(pls.SolveTimeout):
            engine.count(Grid.parse(EMPTY), timeout=0.05)
        assert str(engine.solve(Grid.parse(FIRST))) == ANSWER
    # The last solve had to ground anew.
    assert grounded == [(3, 3)] * 4


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("digit(1..", "syntax error"), ("digit(X).", "unsafe variables"), ("a(1/0).", "")],
)
def test_broken_encoding_is_told_and_not_printed(monkeypatch, capfd, text, complaint):
    monkeypatch.setattr(program, "encoding", lambda _name: text)
    if complaint:
        with pytest.raises(pls.BackendFailure, match=complaint):
            ClingoBackend().solve(Grid.parse(FIRST))
    else:
        assert ClingoBackend().count(Grid.parse("1")) == 1  # only a warning
    assert capfd.readouterr() == ("", "")


def test_short_questions_are_answered_in_the_callers_thread(monkeypatch):
    engine = ClingoBackend()
    engine.solve(Grid.parse(FIRST))  # grounds

    def never(*_arguments):
        raise AssertionError("a worker was asked")

    monkeypatch.setattr(engine._workers, "call", never)
    assert str(engine.solve(Grid.parse(FIRST))) == ANSWER
    assert engine.count(Grid.parse(FIRST)) == 1
    assert engine.count(Grid.parse(EMPTY), limit=150) == 150
    with pytest.raises(AssertionError, match="a worker"):
        engine.count(Grid.parse(EMPTY))
    assert str(engine.solve(Grid.parse(FIRST))) == ANSWER
