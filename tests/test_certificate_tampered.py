"""Certificates that were tampered with: all checkers give the same verdict, and a true one."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from itertools import islice
from shutil import which

import dratify
import pytest
from helpers.oracle import all_solutions

from benchmarks.certificates.checkers import refusal
from benchmarks.certificates.tampering import WAYS, judged, tampered
from pylogic_sudoku import Grid
from pylogic_sudoku.proofs import Certificate, certify
from pylogic_sudoku.proofs._certificate import claim_of
from pylogic_sudoku.proofs._checking import first_refused

PUZZLES = (
    ".28..3.6..75....14......5.....7..2...8......3.57.2......1..8.3....4..7...3.27....",
    ".....49..2......46....98.31.1.6.......75.....6...1...25.........9....8....3..7.9.",
    "...1..5.75...2.....86..72...4.87..6......3...1.....4......3.9..3...5..4....7.9..5",
    ".5..9.48...27...35...8.6.7....96.5.......5..9..3.......6...3..2..4......2......1.",
    "...4....5.9.62...1..6...2..2..3.5..78.........159...2..5......9.3.1.4..6......71.",
)
"""Made for these tests: one solution, no given can be removed, and proofs of 10 to 19 lemmas."""

CHECKERS = ("python", "prolog", "dratify")

NEVER_CERTIFIED = {"changed given", "dropped given", "another grid", "no grid", "truncated"}
"""Here every given is needed; and so is the last lemma, with which clingo's search ended."""


@pytest.fixture(scope="module")
def made() -> list[Certificate]:
    return [certify(puzzle) for puzzle in PUZZLES]


@lru_cache
def two_solutions(puzzle: Grid) -> tuple[Grid, ...]:
    return tuple(islice(all_solutions(puzzle), 2))


def check(made: list[Certificate], checkers: tuple[str, ...], number: int, seed: int) -> None:
    """Tamper so often: the checkers must stop at the same lemma, and accept nothing untrue."""
    accepted: Counter[str] = Counter()
    for each in tampered(made, number, seed):
        verdict = judged(each, checkers, two_solutions)
        case = f"{verdict}: {each.certificate.to_json()}"
        assert verdict.agreed, case
        assert not verdict.untrue, case
        assert not (verdict.certified and verdict.way in NEVER_CERTIFIED), case
        accepted[verdict.way] += None in verdict.refused.values()
    assert set(accepted) == set(WAYS)
    assert 0 < accepted.total() < number / 2


def test_all_checkers_stop_at_the_same_lemma_and_accept_nothing_untrue(made):
    check(made, CHECKERS, len(WAYS), seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_they_do_so_with_many_more(made, seed):
    check(made, CHECKERS, 100, seed)


@pytest.mark.slow
# It is in few systems, so this test is skipped even where no other program may be missing.
@pytest.mark.skipif(not which("drat-trim"), reason="drat-trim is not installed")
def test_drat_trim_stops_there_too(made):
    check(made, ("python", "drat-trim"), 40, seed=6)


def test_the_certificates_are_accepted_before_anybody_tampers(made):
    for certificate in made:
        assert certificate.solutions == two_solutions(certificate.puzzle)
        for name in CHECKERS:
            assert refusal(certificate, name) is None


@pytest.mark.slow
def test_rat_makes_no_difference(made):
    """dratify could accept a lemma that does not follow, if no solution is lost with it."""
    for _, certificate in tampered(made, 50, seed=7):
        formula = dratify.parse_dimacs(certificate.cnf())
        with_rat = dratify.check_proof(formula, certificate.drat(), engine="python")
        number = first_refused(claim_of(certificate), certificate.lemmas)
        assert with_rat.ok == (number is None)
        assert with_rat.failed_step == (-1 if number is None else number + 1)


def test_a_file_that_ends_too_early_is_refused(made):
    certificate = min(made, key=lambda one: len(one.lemmas))
    formula = dratify.parse_dimacs(certificate.cnf())
    text = certificate.drat()
    complete = len(text.rstrip())
    places = random.Random(8).sample(range(complete), 4)
    for end in (0, complete - 1, *places):
        assert not accepted(formula, text[:end])


def accepted(formula: dratify.CNF, proof: str) -> bool:
    try:
        return dratify.check_proof(formula, proof, engine="python").ok
    except ValueError:  # a lemma without its end
        return False
