"""Counts, candidates and answers of clingo, beside an enumeration that reads every atom."""

from __future__ import annotations

import json
import pickle
import socket
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from helpers import small_asp
from helpers.problems import CLPFD, written
from helpers.processes import PATIENCE, interrupted

import pylogic_sudoku as pls
from pylogic_sudoku import questions
from pylogic_sudoku.problem.atoms import signature_of
from pylogic_sudoku.running import foreign, forking
from pylogic_sudoku.running import workers as running

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
        from pylogic_sudoku.running import foreign
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


# --- answers on their way ---

PROGRAMS = {
    "values": {"mine_pl": 'model([q(1)-V,r(a)-W,s-x,t-"y"]) :- [V,W] ins -1..2.'},
    "a variable twice": {"mine_pl": "model([q(1)-V,q(2)-W,q(3)-V]) :- [V,W] ins 1..2."},
    "two models": {"mine_pl": "model([q(V)-1]) :- V = 3.\nmodel([q(1)-V]) :- V in 1..2."},
    "not all output": {
        "mine_pl": "model([q(1)-V,r-W]) :- [V,W] ins 1..3, V #< W.",
        "problem_toml": 'output = ["q/2"]',
    },
    "one name twice": {"mine_pl": "model([q(1)-V,q(1)-W]) :- [V,W] ins 1..3."},
    "costs": {"mine_pl": "model([q(1)-V,q(2)-W], C) :- [V,W] ins 1..3, C #= max(V, W)."},
    "its own search": {
        "mine_pl": 'answer([q(X),h(Y),q(f("a",[X]))]) :- member(X, [1,a,(1,2)]), member(Y, [1,2]).',
        "problem_toml": 'output = ["q/1"]',
    },
    "subsets": {
        "mine_pl": "model([s(1) #<==> B,s(2) #<==> C,s(3) #<==> 0,s(4) #<==> 1,q-V]) :-"
        " [B,C] ins 0..1, V in 1..2, B #=< C."
    },
    "no atom": {"mine_pl": "answer([])."},
    "no answer": {"mine_pl": "model([q-V]) :- V in 1..2, V #> 2."},
    "atoms": {"mine_lp": '{q(1..3); r(a); r("b c"); q((1,2))}. #show q/1. #show r/1.'},
    "best atoms": {"mine_lp": "1 {q(1..3)}. {h}. #minimize {1 : q(X)}. #show q/1."},
}


@pytest.mark.parametrize("files", PROGRAMS.values(), ids=PROGRAMS)
def test_answers_are_the_same_on_every_way(tmp_path, monkeypatch, files):
    """As values, as texts, and, in threads of this process, one by one."""
    files = {name: CLPFD * name.endswith("pl") + text for name, text in files.items()}
    instance = written(tmp_path / "mine", **files).instance()
    backend = "clingo" if "mine_lp" in files else "prolog"
    found = [(str(each), each.cost) for each in pls.solutions(instance, backend)]
    texts = [(str(each), each.cost) for each in questions.written(instance, backend)]
    monkeypatch.setattr(foreign, "FORKS", False)
    threads = [(str(each), each.cost) for each in pls.solutions(instance, backend)]
    assert len(found) == len({*found}) == pls.count(instance, backend)
    assert sorted(found) == sorted(texts) == sorted(threads)


def test_answers_that_prolog_finds_fast_arrive_before_the_next_one(tmp_path):
    text = "answer([q(X)]) :- between(1, 300, X).\nanswer([q(0)]) :- repeat, fail."
    instance = written(tmp_path / "mine", mine_pl=text).instance()
    with closing(pls.solutions(instance, "prolog")) as answers:
        assert {str(each) for each in islice(answers, 300)} == {f"q({n})." for n in range(1, 301)}


def test_items_that_are_found_fast_arrive_before_the_next_one():
    ours, theirs = socket.socketpair()
    arrived = threading.Event()

    def items() -> Generator[int]:
        yield from range(300)
        assert arrived.wait(PATIENCE)

    thread = threading.Thread(target=forking._stream, args=(theirs, items()))
    thread.start()
    found: list[int] = []
    while len(found) < 300:
        header = forking._bytes(ours, forking.HEADER.size)
        assert header
        length, kind = forking.HEADER.unpack(header)
        data = pickle.loads(forking._bytes(ours, length) or b"")
        if kind == b"i":
            found += data
        else:
            ours.sendall(forking.message(b"n", None))
    arrived.set()
    thread.join()
    assert found == [*range(300)]
