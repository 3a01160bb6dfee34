"""Accepted limits, timeouts and numbers of jobs: the same for every question."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
from helpers.puzzles import EMPTY, TWO
from helpers.puzzles import SMALL as ONE

import pylogic_sudoku as pls


def found(comparison: pls.Comparison | None) -> int:
    assert comparison is not None
    return len(comparison.solutions)


CLASH = pls.conflicts("11" + "." * 14)
# Each question by name: what it answers as a number, given options.
LIMITED = {
    "solutions": lambda **options: len(list(pls.solutions(TWO, **options))),
    "count": lambda **options: pls.count(TWO, **options),
    "candidate_counts": lambda **options: max(pls.candidate_counts(TWO, **options).values()),
    "compare": lambda **options: found(pls.compare(TWO, **options)),
    "cross_check": lambda **options: found(next(pls.cross_check([TWO], **options)).comparison),
    "ambiguity": lambda **options: len(pls.ambiguity(TWO, **options).solutions or ()),
}
TIMED = {
    **LIMITED,
    "solve": lambda **options: str(pls.solve(ONE, **options)),
    "is_unique": lambda **options: pls.is_unique(ONE, **options),
    "candidates": lambda **options: len(pls.candidates(ONE, **options)),
    "redundant": lambda **options: pls.redundant(ONE, **options).solution,
    "solve_many": lambda **options: list(pls.solve_many([ONE], **options)),
    "why": lambda **options: pls.why(ONE, "r1c2", **options).text(),
    "why_not": lambda **options: pls.why_not(ONE, "r2c1", 2, **options).givens,
    "Removal.all": lambda **options: len(list(pls.why_not(ONE, "r2c1", 2).all(**options))),
    "conflicts": lambda **options: pls.conflicts(TWO, **options).puzzle,
    "Clash.all": lambda **options: len(list(pls.conflicts("11..." + "." * 11).all(**options))),
    "Clash.certificate": lambda **options: CLASH.certificate(**options).claim,
    "Certificate.verify": lambda **options: CLASH.certificate().verify(**options),
    "steps": lambda **options: len(list(pls.steps(ONE, **options))),
    "hint": lambda **options: str(pls.hint(ONE, **options)),
    "rate": lambda **options: str(pls.rate(ONE, **options)),
}
LARGE = [2**31, 2**32 + 1, 2**63, 2**80, 10**400]


def by_name(questions):
    return pytest.mark.parametrize("ask", questions.values(), ids=questions)


@pytest.mark.one_in(3)
@by_name(TIMED)
def test_a_timeout_may_be_any_number_over_0_however_large(ask):
    expected = ask()
    numbers = [1e18, inf, 600, 2.5e2, Fraction(6001, 10), np.int64(600), np.float32(600)]
    for timeout in (*LARGE, *numbers):
        assert ask(timeout=timeout) == expected, timeout


@pytest.mark.one_in(3)
@by_name(TIMED)
def test_a_timeout_that_is_not_a_number_over_0_is_refused(ask):
    for timeout in (0, -1, -inf, nan, np.float64(nan), -(2**80)):
        with pytest.raises(ValueError, match=r"^timeout must be over 0 seconds, not "):
            ask(timeout=timeout)
    for timeout in ("5", True, [5], 5j, np.array([5, 6])):
        with pytest.raises(TypeError, match=r"^timeout must be a number of seconds or None, not "):
            ask(timeout=timeout)


@by_name(LIMITED)
def test_a_limit_may_be_any_whole_number_however_large(ask):
    for limit in (None, *LARGE, np.int64(3), np.uint8(3)):
        assert ask(limit=limit) == 2, limit


@by_name(LIMITED)
def test_a_limit_that_is_not_a_whole_number_is_refused(ask):
    for limit in ("5", True, False, 2.5, 2.0, nan, inf, 1e18, [5]):
        with pytest.raises(TypeError, match=r"^limit must be a whole number or None, not "):
            ask(limit=limit)


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("solutions", 0),
        ("count", 0),
        ("candidate_counts", 1),
        ("compare", 1),
        ("cross_check", 1),
        ("ambiguity", 2),
    ],
)
def test_a_limit_that_is_too_small_is_refused(name, least):
    for limit in (least - 1, -(2**80), np.int64(-1)):
        with pytest.raises(ValueError, match=f"^limit must be {least} or more, or None, not "):
            LIMITED[name](limit=limit)


def test_large_limits_count_as_none_in_both_engines_and_in_a_long_search(backend):
    """Numbers too large for a machine word reach neither engine."""
    for limit in LARGE:
        assert pls.count("." * 16, backend, limit=limit) == 288
        assert next(pls.solutions(EMPTY, backend, limit=limit)) is not None
        with pytest.raises(pls.SolveTimeout):
            pls.count(EMPTY, backend, limit=limit, timeout=0.05)
    assert pls.count("." * 16, backend, limit=np.int64(3)) == 3


def test_numbers_are_refused_at_the_call_and_not_on_the_way():
    for wrong in ({"limit": 0}, {"limit": "5"}, {"timeout": nan}, {"jobs": 0}):
        with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
            pls.cross_check([], **wrong)
    for wrong in ({"limit": -1}, {"timeout": "5"}):
        with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
            pls.solutions(TWO, **wrong)


@pytest.mark.parametrize("ask", [pls.solve_many, pls.cross_check])
def test_a_number_of_jobs_that_cannot_be_meant_is_refused(ask):
    for jobs in (0, -1, 1001, 2**32, 2**80):
        says = "must be 1 or more" if jobs < 1 else "must be 1000 or less"
        with pytest.raises(ValueError, match=rf"^jobs {says}"):
            ask([TWO], jobs=jobs)
    for jobs in (2.0, nan, True, "5"):
        with pytest.raises(TypeError, match=r"^jobs must be a whole number"):
            ask([TWO], jobs=jobs)


def test_numpy_counts_jobs_too_and_an_executor_may_have_any_number_of_them():
    with ThreadPoolExecutor(1) as executor:
        for jobs in (np.int64(1), np.int64(2), 2**32):
            assert list(pls.solve_many([ONE], jobs=jobs, executor=executor)) == [pls.solve(ONE)]
    assert [found(check.comparison) for check in pls.cross_check([TWO], jobs=np.int8(1))] == [2]


def test_numpy_counts_cells_and_digits_too():
    assert pls.why(ONE, (np.int64(1), np.uint8(2))) == pls.why(ONE, (1, 2))
    assert pls.why_not(ONE, (np.int64(2), 1), np.int64(2)) == pls.why_not(ONE, "r2c1", 2)


@pytest.mark.parametrize("wrong", [True, 0, 5, 1.0, "1", None, np.int64(5), 2**80], ids=repr)
def test_what_is_not_a_cell_or_a_digit_is_refused_before_an_engine_is_asked(wrong):
    with pytest.raises(pls.InvalidPuzzle, match="not a digit of this puzzle; expected 1 to 4"):
        pls.why_not(ONE, "r2c1", wrong)
    for cell in ((wrong, 1), (1, wrong)):
        with pytest.raises(pls.InvalidPuzzle, match="not a cell of a 4x4 grid"):
            pls.why(ONE, cell)
