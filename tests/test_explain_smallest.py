"""Sets of minimum size: what is known if there is no time to find one."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

import pytest
from helpers.puzzles import CLASSIC

import pylogic_sudoku as pls
from pylogic_sudoku.explain import _cores

CLASH = f"{CLASSIC[:-1]}1"


@pytest.fixture
def late(monkeypatch):
    """Let time run out after some improvements."""
    real = _cores.Question.narrow

    def cut(number):
        def narrow(question, core):
            yield from islice(real(question, core), number)
            raise pls.SolveTimeout("clingo", 1.0)

        monkeypatch.setattr(_cores.Question, "narrow", narrow)

    return cut


def known(answer):
    return answer.smallest, answer.least, len(answer.core.members)


@pytest.mark.parametrize("number", [0, 1, 12])
def test_without_time_it_is_the_best_set_so_far_and_a_bound(late, number):
    late(number)
    answer = pls.why(CLASSIC, "r5c2", smallest=True)
    some = pls.why(CLASSIC, "r5c2")
    smallest, least, size = known(answer)
    assert not smallest
    assert (least > 1) == (number > 1)
    assert least < size <= len(some.core.members)
    said = "Time ran out: there may be a smaller set"
    said += f", though none with fewer than {least} members." if least > 1 else "."
    assert answer.text().endswith(said)
    assert answer.to_json()["least"] == least
    assert not answer.to_json()["smallest"]
    answer.verify()


def test_the_bound_is_checked(late):
    late(12)
    answer = pls.why(CLASSIC, "r5c2", smallest=True)
    with pytest.raises(pls.Disagreement, match="no fewer than"):
        replace(answer, core=replace(answer.core, least=answer.least + 1)).verify()


def test_without_time_a_clash_is_the_best_so_far(late):
    late(1)
    answer = pls.conflicts(CLASH, smallest=True)
    assert not answer.smallest
    assert "Time ran out: there may be a smaller set" in answer.text()
    answer.verify()


def test_progress_is_told():
    told = []
    answer = pls.why(CLASSIC, "r5c2", True, "house", progress=told.append)
    assert answer.smallest
    assert told[:2] == ["looking for a solution", "looking for another solution"]
    assert told[2] == "looking for rules and givens that force r5c2 = 2"
    bounds = "looking for a set of minimum size of {} to {} members"
    numbers = [tuple(map(int, re.findall(r"\d+", each))) for each in told[3:]]
    assert told[3:] == [bounds.format(*each) for each in numbers]
    assert numbers[-1] == (answer.least, answer.least) == (len(answer.core.members),) * 2
    least, most = zip(*numbers, strict=True)
    assert (list(least), list(most)) == (sorted(least), sorted(most, reverse=True))
    assert len(set(told)) == len(told) > 1
    clashes = []
    clash = pls.conflicts(CLASH, True, progress=clashes.append)
    assert clashes[-1] == bounds.format(clash.least, clash.least)


def test_without_smallest_nothing_is_known():
    answer = pls.why(CLASSIC, "r5c2")
    assert known(answer)[:2] == (False, 0)
    assert "Time ran out" not in answer.text()
