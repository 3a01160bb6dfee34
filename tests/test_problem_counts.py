"""Counts, candidates and answers of clingo, beside an enumeration that reads every atom."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from helpers import small_asp
from helpers.problems import written
from helpers.processes import interrupted

import pylogic_sudoku as pls
from pylogic_sudoku.engines import foreign, running
from pylogic_sudoku.problem.atoms import signature_of

LIMITS = (None, 1, 2, 5)


def agrees(folder: Path, text: str, *outputs: str) -> int:
    """Compare every question with the enumeration; return the number of answers."""
    toml = f"output = {json.dumps(outputs)}" if outputs else ""
    instance = written(folder, mine_lp=text, problem_toml=toml).instance()
    expected = small_asp.answers(text, {*map(signature_of, outputs)})
    counts = Counter(atom for answer in expected for atom in answer)
    found = [(frozenset(map(str, each)), each.cost) for each in pls.solutions(instance)]
    assert len(found) == len(expected)
    assert dict(found) == expected
    assert {str(atom) for atom in pls.candidates(instance)} == {*counts}
    for limit in LIMITS:
        assert pls.count(instance, limit=limit) == min(len(expected), limit or len(expected))
        each = pls.candidate_counts(instance, limit=limit)
        assert {str(atom): n for atom, n in each.items()} == {
            atom: min(n, limit or n) for atom, n in counts.items()
        }
    assert pls.count(instance, timeout=60) == len(expected)
    return len(expected)


CASES = {
    "outputs beside a term": (("a/1",), "{a(1..3)}. #show a(X+1) : a(X). :- a(1), a(2).", 6),
    "outputs beside another predicate": (("a/1",), "{a(1..2)}. {b(1..2)}. #show b/1.", 4),
    "a term for two reasons": ((), "{a(1..2)}. #show t : a(1). #show t : a(2).", 4),
    "a term as an atom": ((), "{a(1..2)}. {b}. #show a(1) : b.", 6),
    "the best, beside a term": (
        ("a/1",),
        "1 {a(1..3)} 1. {b}. #minimize {1 : a(3); 1@2 : a(2), b}. #show a(9) : b.",
        2,
    ),
    "the best, and hidden choices": (
        (),
        "1 {a(1..3)}. {h(1..3)}. #minimize {X : a(X)}. #show a/1.",
        1,
    ),
    "several levels": (
        (),
        "1 {a(1..4)} 2. #minimize {1@2,X : a(X)}. #maximize {X/2@1,X : a(X)}. #show a/1.",
        1,
    ),
    "no answer": ((), "{a}. :- a. :- not a. #show a/0.", 0),
    "a fact beside a choice": ((), "a(1). {a(2)}. #show a/1.", 2),
}


@pytest.mark.parametrize(("outputs", "text", "number"), CASES.values(), ids=CASES)
def test_every_question_agrees_with_an_enumeration(tmp_path, outputs, text, number):
    assert agrees(tmp_path / "mine", text, *outputs) == number


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(8, 120), marks=pytest.mark.slow)])
def test_every_question_of_a_random_program_agrees_with_an_enumeration(tmp_path, seeds):
    for seed in seeds:
        random = Random(seed)
        text, outputs = small_asp.program(random), random.choice(small_asp.OUTPUTS)
        agrees(tmp_path / str(seed), text, *outputs)


def test_the_same_holds_without_a_process_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "inline", True)
    for number, (outputs, text, _) in enumerate(CASES.values()):
        agrees(tmp_path / str(number), text, *outputs)


# --- limits, and the end of a search ---

MANY = "{a(1..40)}. #show a/1."
BEST = "{a(1..40)}. #minimize {0,X : a(X)}. #show a/1."


@pytest.mark.parametrize("forks", [foreign.FORKS, False])
def test_time_runs_out_of_a_count_which_says_how_far_it_was(tmp_path, monkeypatch, clock, forks):
    monkeypatch.setattr(foreign, "FORKS", forks)
    for name, text in {"many": MANY, "best": BEST}.items():
        instance = written(tmp_path / name, mine_lp=text).instance()
        for ask in (pls.count, pls.candidate_counts):
            clock.over = True
            with pytest.raises(pls.SolveTimeout):
                ask(instance, limit=None, timeout=3)
            clock.over = False
        assert pls.count(instance, limit=3) == 3


@pytest.mark.parametrize("forks", [foreign.FORKS, False])
def test_ctrl_c_ends_a_count(tmp_path, forks):
    written(tmp_path / "many", mine_lp=MANY)
    ended = interrupted(
        f"""
        from pylogic_sudoku.engines import foreign
        foreign.FORKS = {forks}
        instance = pls.Problem({str(tmp_path / "many")!r}).instance()

        def work():  # as the child does, which `ready` does not see
            while True:
                pass

        threading.Thread(target=work, daemon=True).start()
        for ask in (pls.count, pls.candidate_counts):
            assert pls.count(instance, limit=3) == 3
            try:
                ready()
                ask(instance, limit=None)
            except KeyboardInterrupt:
                print("ended")
        """,
        times=2,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ended\n" * 2, "")
