"""Proofs that clingo writes are checked: of puzzles of ours, and of random clauses."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.command_line import environment
from helpers.jigsaws import REAL
from helpers.kinds import PUZZLES, known
from helpers.processes import interrupted, run, soon
from helpers.programs import prolog, resource
from helpers.puzzles import EMPTY, IMPOSSIBLE, SMALL, TWO

import pylogic_sudoku as pls
from pylogic_sudoku.engines.sudoku import Proof, get, prover
from pylogic_sudoku.engines.sudoku.clingo import ClingoBackend
from pylogic_sudoku.proofs.checker import first_refused
from pylogic_sudoku.rules import CountingCircles
from pylogic_sudoku.rules.clauses import Claim, Clause
from pylogic_sudoku.running.process import Limits
from pylogic_sudoku.running.workers import Stopped, stop_event

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."

# Twelve rows of a 16x16 grid hold the digit 1 in eleven columns, and no column holds it twice: to
# see that this is impossible, clasp would need hours.
PIGEONS = Claim(
    pls.Grid((0,) * 256, (4, 4)),
    demands=(
        *(("at_least_once", "row", row, 1) for row in range(1, 13)),
        *(("at_most_once", "column", column, 1) for column in range(1, 12)),
        *(("excluded", row, column, 1) for row in range(1, 13) for column in range(12, 17)),
    ),
)


@pytest.fixture
def proving(tmp_path, monkeypatch) -> Iterator[Callable[[Callable[[], object]], None]]:
    """Call a function once, in another thread, when a process has begun a proof."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    threads = []

    def then(function: Callable[[], object]) -> None:
        begun = partial(soon, lambda: list(tmp_path.glob("*/lemmas")))
        threads.append(threading.Thread(target=lambda: begun() and function()))
        threads[-1].start()

    yield then
    for thread in threads:
        thread.join()


def images(number: int) -> list[str]:
    """A hard puzzle with its digits renamed, which changes the course of the search."""
    found = []
    for seed in range(number):
        digits = list("123456789")
        random.Random(seed).shuffle(digits)
        found.append(HARD.translate(str.maketrans("123456789", "".join(digits))))
    return found


def proof_of(puzzle: object) -> Proof:
    """The proof, which must follow from clauses that know nothing of clingo."""
    claim = Claim(pls.Grid.parse(puzzle) if isinstance(puzzle, str) else puzzle)
    proof = get("clingo").prove(claim)
    if len(proof.solutions) < 2:
        claim = claim._replace(solution=next(iter(proof.solutions), None))
        assert first_refused(claim, proof.lemmas) is None
    else:
        assert proof.lemmas == ()
    return proof


# --- what is proved ---------------------------------------------------------------------


NUMBERS = {
    pls.Grid.parse(HARD): 1,
    pls.Grid.parse(IMPOSSIBLE): 0,
    pls.Grid.parse(EMPTY): 2,
    REAL: 1,
}
"""Of the solutions of puzzles that are too much for the oracle."""


@pytest.mark.one_in(4)
@pytest.mark.parametrize("puzzle", [*PUZZLES.values(), *NUMBERS], ids=repr)
def test_a_puzzle_has_no_solution_one_or_two_that_differ(puzzle):
    found = proof_of(puzzle).solutions
    number = NUMBERS[puzzle] if puzzle in NUMBERS else len(known(puzzle))
    assert len(found) == len(set(found)) == min(2, number)
    assert all(solution.is_solution_of(puzzle) for solution in found)


def test_a_rule_that_clauses_cannot_say_is_refused_before_any_search(monkeypatch):
    circles = CountingCircles([f"r{row}c{column}" for row in (1, 2, 3) for column in range(1, 10)])
    puzzle = pls.Puzzle("." * 81, rules=[circles])
    clingo = ClingoBackend()
    monkeypatch.setattr(clingo, "_two", None)
    with pytest.raises(pls.BackendFailure, match="clauses cannot say this rule"):
        clingo.prove(Claim(puzzle))


@pytest.mark.slow
@pytest.mark.one_in(6, 3)
@pytest.mark.parametrize(
    "configuration", ["frumpy", "tweety", "trendy", "crafty", "jumpy", "handy"]
)
def test_all_lemmas_follow_whatever_the_configuration(monkeypatch, configuration):
    """Each but frumpy has settings, which the prover changes, with which some do not follow."""
    search = [f"--configuration={configuration}", *prover.SEARCH[1:]]
    monkeypatch.setattr(prover, "SEARCH", search)
    assert sum(len(proof_of(puzzle).lemmas) for puzzle in images(8)) > 100


def test_a_log_that_lacks_a_lemma_is_an_error(monkeypatch):
    lemmas = prover._lemmas
    monkeypatch.setattr(prover, "_lemmas", lambda log: list(lemmas(log))[1:])
    with pytest.raises(pls.BackendFailure, match="lacks a lemma"):
        get("clingo").prove(Claim(pls.Grid.parse(HARD)))


def test_demands_that_can_be_met_are_not_refuted():
    claim = Claim(pls.Grid.parse(SMALL), demands=(("filled", 1, 1), ("at_most_once", "row", 1, 3)))
    with pytest.raises(pls.Disagreement):
        get("clingo").prove(claim)


@pytest.mark.slow
def test_an_empty_grid_of_36x36_has_several_solutions():
    assert len(proof_of(pls.Grid((0,) * 36**2, (6, 6))).solutions) == 2


# --- many callers, time limits, and the end ----------------------------------------------


@pytest.mark.slow
def test_many_threads_at_once():
    puzzles = [SMALL, TWO, IMPOSSIBLE, HARD] * 4
    with ThreadPoolExecutor(8) as pool:
        found = [len(proof.solutions) for proof in pool.map(proof_of, puzzles)]
    assert found == [1, 2, 0, 1] * 4


def test_a_time_limit_ends_the_search():
    clingo = ClingoBackend()
    with pytest.raises(pls.SolveTimeout, match="within 0"):
        clingo.prove(PIGEONS, 0.3)
    assert len(clingo.prove(Claim(pls.Grid.parse(SMALL))).solutions) == 1


def test_the_limit_is_for_solving_and_proving_together(monkeypatch, clock):
    def two(_puzzle, timeout):
        clock.now += timeout
        return ()

    clingo = ClingoBackend()
    monkeypatch.setattr(clingo, "_two", two)
    with pytest.raises(pls.SolveTimeout):
        clingo.prove(Claim(pls.Grid.parse(SMALL)), 60)


def test_a_thread_that_is_told_to_stop(proving):
    stop, context = threading.Event(), copy_context()
    context.run(stop_event.set, stop)
    proving(stop.set)
    for claim in (PIGEONS, Claim(pls.Grid.parse(SMALL))):
        with pytest.raises(Stopped):
            context.run(get("clingo").prove, claim)


def test_ctrl_c_ends_a_proof_and_leaves_the_engine_usable(tmp_path):
    ended = interrupted(
        f"""
        from pylogic_sudoku.engines.sudoku import get
        from pylogic_sudoku.rules.clauses import Claim
        pigeons = Claim(pls.Grid((0,) * 256, (4, 4)), demands={PIGEONS.demands})
        try:
            ready("*/lemmas")
            get("clingo").prove(pigeons)
        except KeyboardInterrupt:
            print(pls.certify("." * 16).claim)
        """,
        TMPDIR=str(tmp_path),
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "several\n", "")


def test_the_error_is_that_of_clingo(monkeypatch):
    monkeypatch.setattr(prover, "SEARCH", ["--configuration=none-such"])
    with pytest.raises(pls.BackendFailure, match=r"^clingo: Could not open .*none-such"):
        get("clingo").prove(Claim(pls.Grid.parse(SMALL)))


def test_a_process_that_breaks_is_an_error_and_the_next_one_works(monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(prover, "Limits", lambda seconds, _megabytes: Limits(seconds, 10))
        with pytest.raises(pls.BackendFailure, match=r"^clingo: ."):
            get("clingo").prove(Claim(pls.Grid.parse(SMALL)))
    assert len(proof_of(SMALL).solutions) == 1


# --- processes --------------------------------------------------------------------------


def test_nothing_is_left_and_nothing_is_said(tmp_path):
    code = "pls.certify(PUZZLE); pls.certify('.' * 16); print('end')"
    ended = run(code, TMPDIR=str(tmp_path), PYTHONDEVMODE="1")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")
    assert list(tmp_path.iterdir()) == []


def test_modules_in_the_folder_of_the_user_are_not_taken(tmp_path):
    for name in ("clingo", "json", "queue", "threading"):
        Path(tmp_path, f"{name}.py").write_text("raise SystemExit('a stray module')\n")
    code = "import pylogic_sudoku as pls; print(pls.certify('.' * 16).claim)"
    command = [sys.executable, "-P", "-c", code]
    ended = subprocess.run(
        command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.stderr) == ("several\n", "")


# === Our two checkers on small random clauses, which know nothing of sudoku =======================

# A few lines that propagate without any cleverness know the right answer.

SIZE = 2
VARIABLES = range(1, SIZE**3 + 1)


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
    """The expected result of `first_refused`."""
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
        rule_clauses=lambda: tuple(clauses[:one]),
        facts=lambda: clauses[one:other],
        another=lambda: clauses[other:],
    )
    return first_refused(claim, lemmas)


def by_prolog(cases: Iterable[tuple[list[Clause], list[Clause]]]) -> list[int | None]:
    """By ``prolog/sudoku/proof.pl``, in one process for all cases."""
    given = "".join(f"case({list(map(list, c))}, {list(map(list, m))}).\n" for c, m in cases)
    goal = (
        "forall(case(Clauses, Lemmas), (claim(1-2, [], Clauses, Claim),"
        " first_refused(Claim, Lemmas, Number), writeln(Number)))"
    )
    goals = ("-g", "[user]", "-g", goal)
    program = resource("prolog/sudoku/proof.pl")
    ended = prolog("--on-error=status", *goals, program, input=given)
    assert ended.returncode == 0, ended.stderr
    return [None if line == "none" else int(line) for line in ended.stdout.split()]


def a_clause(chance: random.Random, longest: int) -> Clause:
    """Perhaps empty, with a literal twice, or with a variable and its negation."""
    length = chance.randint(0 if chance.random() < 0.02 else 1, longest)
    return tuple(chance.choice((1, -1)) * chance.choice(VARIABLES) for _ in range(length))


def a_case(seed: int) -> tuple[list[Clause], list[Clause]]:
    """Clauses, and lemmas most of which follow."""
    chance = random.Random(seed)
    longest = chance.choice((2, 3, 3, 4))
    clauses = [a_clause(chance, longest) for _ in range(chance.randint(10, 15 * longest))]
    if chance.random() < 0.8:  # otherwise a short clause often ends it at once
        clauses = [clause for clause in clauses if len(set(clause)) > 1]
    tried = (a_clause(chance, 4) for _ in range(50))
    lemmas = [each for each in tried if plainly(clauses, [each]) != 0 or chance.random() < 0.01]
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
        if expected is None:
            ends["at once" if refuted(clauses, set()) else "proved"] += 1
        else:
            ends["not enough" if expected == len(lemmas) else "refused"] += 1
    return ends


def test_both_checkers_decide_like_plain_propagation():
    ends = check(range(400))
    assert set(ends) == {"at once", "proved", "not enough", "refused"}
    assert min(ends.values()) > 20
