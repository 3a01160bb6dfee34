"""Certificates of explanations: from what they name alone, the opposite is refuted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from helpers.fakes import Liar
from helpers.jigsaws import jigsaw
from helpers.puzzles import CLASSIC, SMALL, TWO
from helpers.ruled import SMALL_KILLER, THERMOMETERS

import pylogic_sudoku as pls
from pylogic_sudoku import Certificate, Puzzle
from pylogic_sudoku.explain import Clash, Forced, Open, conflicts, why

JIGSAW = jigsaw(5, 8, 1, marked=4)
PUZZLES = {
    "classic": CLASSIC,
    "small": SMALL,
    "jigsaw": JIGSAW,
    "killer": SMALL_KILLER,
    "thermometers": THERMOMETERS,
}
CLASHES = {
    "givens of one house": "11..............",
    "givens that leave no place": "1.....1....2.2.3",
    "a mark": Puzzle("1...............", marks={"r1c1": {2}}),
    "marks": Puzzle("." * 16, marks={"r1c1": {2}, "r1c2": {2}}),
    "a rule": SMALL_KILLER.with_(r1c1=1, r1c2=2),
    "a jigsaw": JIGSAW.without(*JIGSAW.cells).with_(r1c1=1, r1c2=1),
}


def forced(puzzle: object, grain: str = "rule") -> list[Forced]:
    """The explanations of the first cells that are forced and not given."""
    cells = why(puzzle, "r1c1").puzzle.cells[:12]
    found = (why(puzzle, cell, grain=grain) for cell in cells)
    return [each for each in found if isinstance(each, Forced)][:2]


def check(explanation: Forced | Clash) -> Certificate:
    """The certificate holds, and not without any one of the members, none of which is redundant."""
    certificate = explanation.certificate()
    for checker in (None, "prolog"):
        certificate.verify(checker)
    core = explanation.core
    assert (certificate.claim, certificate.puzzle) == ("none", explanation.refuted)
    assert set(certificate.demands) == {*core.sure, *core.members}
    assert Certificate.from_json(json.dumps(certificate.to_json())) == certificate
    for member in core.members:
        others = tuple(demand for demand in certificate.demands if demand != member)
        with pytest.raises(pls.InvalidCertificate):
            replace(certificate, demands=others).verify()
    return certificate


@pytest.mark.slow
@pytest.mark.parametrize("grain", ["rule", "house"])
@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_why(puzzle, grain):
    explanations = forced(puzzle, grain)
    assert explanations
    for each in explanations:
        certificate = check(each)
        opposite = (*each.cell, each.digit)
        assert ("excluded", *opposite) in certificate.demands
        marks = [*getattr(each.puzzle, "excluded", ()), opposite]
        assert certificate.puzzle.excluded == tuple(sorted(marks))
        assert not list(pls.solutions(certificate.puzzle))


@pytest.mark.parametrize("smallest", [False, True])
@pytest.mark.parametrize("puzzle", CLASHES.values(), ids=CLASHES)
def test_conflicts(puzzle, smallest):
    clash = conflicts(puzzle, smallest=smallest)
    assert check(clash).puzzle == clash.puzzle


def test_every_clash():
    clashes = list(conflicts("1.1...2.......2.").all())
    assert len({check(clash).demands for clash in clashes}) == len(clashes) == 2


def test_a_cell_that_a_mark_settles():
    puzzle = Puzzle("." * 16, marks={"r1c3": [3]})
    assert check(why(puzzle, "r1c3")).lemmas == ()


def test_two_solutions_of_a_cell_that_is_open():
    answer = why(TWO, "r1c3")
    assert isinstance(answer, Open)
    certificate = answer.certificate()
    certificate.verify()
    assert (certificate.claim, certificate.solutions) == ("several", answer.solutions)
    assert certificate.demands is None


def test_demands_that_do_not_contradict():
    for answer in (*forced(SMALL), conflicts("11..............")):
        wrong = replace(answer, core=replace(answer.core, members=answer.core.members[1:]))
        with pytest.raises(pls.Disagreement):
            wrong.certificate()


def test_a_time_limit_and_an_engine_that_cannot_prove():
    clash = conflicts("11..............")
    for timeout, error in ((0, ValueError), ("1", TypeError)):
        with pytest.raises(error):
            clash.certificate(timeout=timeout)
    for engine in (Liar([]), "prolog"):
        with pytest.raises(pls.BackendUnavailable, match="cannot prove"):
            clash.certificate(engine)
