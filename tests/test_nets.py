"""Forcing chains and nets: all candidates that looking ahead refutes, and what they rest on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers import nets_oracle, technique_oracle
from helpers.puzzles import PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku.grid import candidate_rows
from pylogic_sudoku.techniques import find

HARD = next(iter(PRINTED))
CLOSED = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""A puzzle in which hardly any candidate is refuted by singles alone."""
SHAPES = [(2, 2), (2, 3), (3, 3), 5]


def rows(puzzle, marks):
    return candidate_rows([marks.get(tuple(cell), ()) for cell in puzzle.cells], puzzle.size)


def after_singles(puzzle: str) -> pls.Steps:
    """The position in which no single and no locked candidates are left."""
    way = pls.steps(puzzle)
    way._techniques = []
    for step in way:
        if step.technique == "minimal set":
            break
    return way


def nets(puzzle, candidates) -> list[pls.Step]:
    found = [find(puzzle, candidates, name) for name in ("forcing chain", "forcing net")]
    return found[0] + found[1]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_all_that_singles_refute_is_found(shape):
    for seed in range(2):
        puzzle, left = technique_oracle.random_position(shape, seed, 30, 20)
        marks = {}
        for row, column, digit in left:
            marks.setdefault((row, column), set()).add(digit)
        found = {step.removed for step in nets(puzzle, rows(puzzle, marks))}
        expected = {
            ((*cell, digit),)
            for cell, digits in marks.items()
            for digit in digits
            if nets_oracle.refuted(puzzle, marks, *cell, digit)
        }
        assert found == expected


def test_each_net_is_proved_and_minimal(backend):
    way = after_singles(HARD)
    found = sorted(nets(way.grid, way.candidates), key=lambda step: len(step.rules))
    for step in (*found[:2], found[len(found) // 2]):
        step.verify(backend)
        for must in step.must:
            rest = tuple(rule for rule in step.must if rule != must)
            with pytest.raises(pls.Disagreement):
                replace(step, must=rest).verify(backend)
        for most in step.most:
            rest = tuple(rule for rule in step.most if rule != most)
            with pytest.raises(pls.Disagreement):
                replace(step, most=rest).verify(backend)


def test_a_net_is_told_in_order():
    step = chain()
    assert step.removed == dict(step.roles)["supposed"]
    text = step.text()
    where = [text.index(f"{each.cell} is {each.digit}") for each in dict(step.roles)["follows"]]
    assert where == sorted(where)
    assert text.startswith(f"If {step.removed[0].cell} were {step.removed[0].digit}, then ")
    assert text.endswith(f"; so {step.removed[0].digit} goes from {step.removed[0].cell}.")


def chain() -> pls.Step:
    way = after_singles(HARD)
    return next(
        step for step in find(way.grid, way.candidates, "forcing chain") if len(step.must) > 2
    )


def test_in_a_chain_each_consequence_follows_from_one_other():
    way = after_singles(HARD)
    for name, expected in (("forcing chain", True), ("forcing net", False)):
        for step in find(way.grid, way.candidates, name):
            assert is_chain(step) is expected, step


def is_chain(step: pls.Step) -> bool:
    marks = technique_oracle.position(step)
    houses = [{(x, y) for x, y in house.cells} for house in step.puzzle.houses]
    held = [*step.removed]
    for rule, follows in zip(step.must, dict(step.roles).get("follows", ()), strict=False):
        cells = [rule[1:]] if rule[0] == "filled" else house(step, rule)
        digits = marks[rule[1:]] if rule[0] == "filled" else {rule[3]}
        others = {(*c, d) for c in cells for d in digits if d in marks.get(c, ())} - {(*follows,)}
        if not any(all(clash(each, other, houses) for other in others) for each in held):
            return False
        held.append(follows)
    return True


def house(step: pls.Step, rule) -> list[tuple[int, int]]:
    return next([(x, y) for x, y in h.cells] for h in step.puzzle.houses if h[:2] == rule[1:3])


def clash(one, other, houses) -> bool:
    """True if the two candidates cannot both hold."""
    (*cell, digit), (*there, value) = one, other
    if cell == there:
        return digit != value
    both = {tuple(cell), tuple(there)}
    return digit == value and any(both <= house for house in houses)


def test_what_propagation_does_not_refute_is_a_minimal_set():
    way = after_singles(CLOSED)
    assert len(nets(way.grid, way.candidates)) < 10
    with pytest.raises(ValueError, match="found by `steps`"):
        find(way.grid, way.candidates, "minimal set")
