"""Our two checkers on small random clauses, which know nothing of sudoku.

Three others know the right answer: a few lines that propagate without any cleverness, dratify, and
all 256 assignments.
"""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from collections.abc import Iterable
from types import SimpleNamespace

import pytest
from dratify import CNF, DRATChecker, from_dimacs
from helpers.programs import resource

from pylogic_sudoku._clauses import Clause
from pylogic_sudoku.engines.prolog.swipl import swipl
from pylogic_sudoku.proofs._checking import first_refused

SIZE = 2
VARIABLES = range(1, SIZE**3 + 1)
ALL = (1 << (1 << len(VARIABLES))) - 1
"""A set of assignments is an integer: bit a for assignment a, whose bit v - 1 is variable v."""


def assignments(literal: int) -> int:
    """Those in which the literal is true."""
    bit = abs(literal) - 1
    where = sum(1 << each for each in range(1 << len(VARIABLES)) if each >> bit & 1)
    return where if literal > 0 else ALL ^ where


TRUE_IN = {each: assignments(each) for one in VARIABLES for each in (one, -one)}


def models(clauses: Iterable[Clause]) -> int:
    """The assignments in which every clause has a true literal."""
    found = ALL
    for clause in clauses:
        some = 0
        for literal in clause:
            some |= TRUE_IN[literal]
        found &= some
    return found


def refuted(clauses: Iterable[Clause], true: set[int]) -> bool:
    """True if unit propagation from these true literals makes a clause false."""
    true = set(true)
    while True:
        before = len(true)
        for clause in clauses:
            if true.intersection(clause):
                continue
            open_ = {literal for literal in clause if -literal not in true}
            if not open_ or any(-literal in true for literal in true):
                return True
            if len(open_) == 1:
                true |= open_
        if any(-literal in true for literal in true):
            return True
        if len(true) == before:
            return False


def plainly(clauses: list[Clause], lemmas: list[Clause]) -> int | None:
    """What `first_refused` is to return."""
    known = list(clauses)
    for number, lemma in enumerate(lemmas):
        if refuted(known, set()):
            return None
        if not refuted(known, {-literal for literal in lemma}):
            return number
        known.append(lemma)
    return None if refuted(known, set()) else len(lemmas)


def ours(clauses: list[Clause], lemmas: list[Clause], chance: random.Random) -> int | None:
    """By the checker, with the clauses as rules, as facts and as "not this grid"."""
    one, other = sorted(chance.choices(range(len(clauses) + 1), k=2))
    claim = SimpleNamespace(
        demands=(),
        puzzle=SimpleNamespace(size=SIZE),
        rules=lambda: clauses[:one],
        facts=lambda: clauses[one:other],
        another=lambda: clauses[other:],
    )
    return first_refused(claim, lemmas)


def by_dratify(clauses: list[Clause], lemmas: list[Clause]) -> int | None:
    formula = CNF(len(VARIABLES))
    for clause in clauses:
        formula.add_dimacs(clause)
    steps = [("a", tuple(map(from_dimacs, lemma))) for lemma in (*lemmas, ())]
    result = DRATChecker(formula, check_rat=False).check(steps)
    return None if result.ok else result.failed_step - 1


def by_prolog(cases: Iterable[tuple[list[Clause], list[Clause]]]) -> list[int | None]:
    """By ``prolog/sudoku/proof.pl``, in one process for all cases."""
    given = "".join(f"case({list(map(list, c))}, {list(map(list, m))}).\n" for c, m in cases)
    goal = (
        "forall(case(Clauses, Lemmas), (claim(1-2, [], Clauses, Claim),"
        " first_refused(Claim, Lemmas, Number), writeln(Number)))"
    )
    program, goals = resource("prolog/sudoku/proof.pl"), ("-g", "[user]", "-g", goal, "-t", "halt")
    ended = subprocess.run(
        [str(swipl()), "--on-error=status", *goals, str(program)],
        input=given,
        capture_output=True,
        text=True,
        check=True,
    )
    return [None if line == "none" else int(line) for line in ended.stdout.split()]


def a_clause(chance: random.Random, longest: int) -> Clause:
    """Perhaps empty, with a literal twice, or with a variable and its negation."""
    length = chance.randint(0 if chance.random() < 0.02 else 1, longest)
    return tuple(chance.choice((1, -1)) * chance.choice(VARIABLES) for _ in range(length))


def a_case(seed: int) -> tuple[list[Clause], list[Clause]]:
    """Clauses, and lemmas most of which are true in all their models."""
    chance = random.Random(seed)
    longest = chance.choice((2, 3, 3, 4))
    clauses = [a_clause(chance, longest) for _ in range(chance.randint(10, 15 * longest))]
    if chance.random() < 0.8:  # otherwise a short clause often ends it at once
        clauses = [clause for clause in clauses if len(set(clause)) > 1]
    possible = models(clauses)
    tried = (a_clause(chance, 4) for _ in range(50))
    lemmas = [each for each in tried if not possible & ~models([each]) or chance.random() < 0.01]
    lemmas += chance.choices([*clauses, *lemmas, ()], k=chance.randint(0, 3))
    chance.shuffle(lemmas)
    return clauses, lemmas


def check(seeds: range) -> Counter[str]:
    """Compare all answers to these cases; how often each kind of answer was right."""
    ends: Counter[str] = Counter()
    cases = [a_case(seed) for seed in seeds]
    prolog = by_prolog(cases)
    for seed, (clauses, lemmas), prolog_says in zip(seeds, cases, prolog, strict=True):
        case = f"case {seed}: {clauses}, {lemmas}"
        expected = plainly(clauses, lemmas)
        assert ours(clauses, lemmas, random.Random(seed)) == expected, case
        assert prolog_says == expected, case
        assert by_dratify(clauses, lemmas) == expected, case
        accepted = lemmas[:expected]
        if expected is None:
            assert not models(clauses), case
            ends["at once" if refuted(clauses, set()) else "proved"] += 1
        else:
            assert not models(clauses) & ~models(accepted), case
            ends["not enough" if expected == len(lemmas) else "refused"] += 1
    return ends


def test_both_checkers_decide_like_plain_propagation_and_dratify():
    ends = check(range(400))
    assert set(ends) == {"at once", "proved", "not enough", "refused"}
    assert min(ends.values()) > 20


def test_a_literal_may_stand_twice_in_a_clause():
    once, twice, both = [(4,), (5,)], [(4, 4), (5, 5)], [(-4, -5)]
    for seed in range(20):
        assert ours([*once, *both], [], random.Random(seed)) is None
        assert ours([*twice, *both], [], random.Random(seed)) is None
    assert by_prolog([([*once, *both], []), ([*twice, *both], [])]) == [None, None]


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1, 11))
def test_they_do_so_in_many_more_cases(start):
    check(range(1000 * start, 1000 * (start + 1)))
