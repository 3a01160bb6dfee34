"""Programs for Prolog that do not end: the smallest part that does not, and its cause."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.processes import PATIENCE

from pylogic_sudoku.check import VOCABULARIES, grade
from pylogic_sudoku.check.cases import Case
from pylogic_sudoku.check.diagnosis import Diagnosis
from pylogic_sudoku.check.loops import loop_in
from pylogic_sudoku.check.problem_programs import Posed
from pylogic_sudoku.check.problems import ProblemTask
from pylogic_sudoku.check.sudoku import PrologProgram
from pylogic_sudoku.formats import as_grid
from pylogic_sudoku.problem.folder import Problem
from pylogic_sudoku.running.process import Ended, Limits
from pylogic_sudoku.running.sandbox import sandbox

pytestmark = pytest.mark.usefixtures("unhurried")

QUEENS = Problem("queens")
LIMITS = Limits(PATIENCE, 2048)


def loop_of(path: Path, size: int = 4) -> Diagnosis | None:
    """The loop of a program, however long the search for it takes."""
    task = ProblemTask(QUEENS)
    (instance,) = task.gather(f"size={size}")
    posed = Posed(QUEENS.instance(f"size={size}"), QUEENS.outputs)
    return task.program(path, sandbox("off"), alone=True).explain_loop(instance, posed, LIMITS)


class Loop(NamedTuple):
    """A program, and what is found in it; its first line is line 1."""

    program: str
    summary: str
    """After "the program does not end", or "seems not to end"."""
    lines: list[int]
    """Of the goals that are named, the cause first."""
    kind: str = "loop"


SURE = "the program does not end: "
GUESS = "the program seems not to end: "
MAY = "the program does not end in time, but may only be slow"

LOOPS = {
    "recursion on the left": Loop(
        """\
next(1, 2).
reach(X, X).
reach(X, Z) :-
    reach(X, Y),
    next(Y, Z).
answer([queen(X,X)]) :-
    reach(1, X),
    X > 1.
""",
        f"{SURE}reach/2 calls itself with the same arguments in line 4; only lines 4 and 7 matter",
        [4, 7],
    ),
    "a circle in the facts": Loop(
        """\
next(1, 2).
next(2, 1).
reach(X, X).
reach(X, Z) :-
    next(X, Y),
    reach(Y, Z).
answer([queen(1,1)]) :-
    reach(1, 3).
""",
        f"{SURE}reach/2 calls itself with the same arguments in line 6;"
        " only lines 5, 6 and 8 matter",
        [5, 6, 8],
    ),
    "the list again": Loop(
        """\
largest([], L, L).
largest([X|Xs], L0, L) :-
    L1 is max(X, L0),
    largest([X|Xs], L1, L).
answer([queen(L,L)]) :-
    largest([2,3], 1, L).
""",
        f"{SURE}largest/3 calls itself with the same arguments in line 4;"
        " only lines 3, 4 and 6 matter",
        [4, 3, 6],
    ),
    "two predicates": Loop(
        """\
even(0).
even(N) :-
    odd(N).
odd(N) :-
    even(N),
    N > 0.
answer([queen(1,1)]) :-
    even(7).
""",
        f"{SURE}even/1 calls itself with the same arguments by lines 3 and 5;"
        " only lines 3, 5 and 8 matter",
        [5, 3, 8],
    ),
    "a lost base case": Loop(
        """\
count(N) :-
    N1 is N-1,
    count(N1).
answer([queen(1,1)]) :-
    count(5).
""",
        f"{GUESS}count/1 calls itself deeper and deeper in line 3, and so does each of its clauses;"
        " only lines 2, 3 and 5 matter",
        [3, 2, 5],
    ),
    "a step backwards": Loop(
        """\
count(0).
count(N) :-
    N1 is N+1,
    count(N1),
    true.
answer([queen(1,1)]) :-
    count(5).
""",
        f"{GUESS}count/1 calls itself deeper and deeper in line 4; only lines 3, 4 and 7 matter",
        [3, 4, 7],
    ),
    "the length of no list": Loop(
        """\
answer([queen(N,N)]) :-
    length(List, N),
    sum_list(List, 3).
""",
        f"{SURE}length(List, N) in line 2 has no last answer",
        [2],
    ),
    "repeat": Loop(
        """\
answer([queen(N,N)]) :-
    member(N, [1,2]),
    repeat,
    N > 2.
""",
        f"{SURE}repeat in line 3 has no last answer; only lines 2 and 3 matter",
        [3, 2],
    ),
    "numbers without end": Loop(
        """\
answer([queen(N,N)]) :-
    between(1, inf, N),
    N*N =:= 17.
""",
        f"{SURE}between(1, inf, N) in line 2 has no last answer",
        [2],
    ),
    "in all answers of another goal": Loop(
        """\
answer([queen(N,N)]) :-
    findall(X,
            ( member(X, [1]),
              repeat ),
            List),
    length(List, N).
""",
        f"{SURE}repeat in line 4 has no last answer; only lines 2-4 matter",
        [4, 2, 3],
    ),
    "a misspelt variable, and one of a clause that does not matter": Loop(
        """\
len([], 0).
len([_|T],
    N) :-
    len(Tail, M),
    N is M+1.
other(X, _).
answer([queen(N,N)]) :-
    len([a], N),
    N > 3.
""",
        f"{SURE}len/2 calls itself with the same arguments in line 4; only lines 4 and 8 matter",
        [4, 8, 2],
    ),
    "numbers without end, in a condition": Loop(
        """\
answer([queen(N,N)]) :-
    (   between(1, inf, N),
        N < 0
    ->  true
    ;   N = 1
    ).
""",
        f"{GUESS}between(1, inf, N) in line 2 has no last answer; only lines 2 and 3 matter",
        [2, 3],
    ),
    "where everything is caught": Loop(
        """\
answer([queen(1,1)]) :-
    catch(again(1), _, true).
again(X) :-
    again(X).
""",
        f"{SURE}again/1 calls itself with the same arguments in line 4; only lines 2 and 4 matter",
        [4, 2, 2],
    ),
    "orders, one by one": Loop(
        """\
taken(X, [X|T], T).
taken(X, [Y|T], [Y|R]) :-
    taken(X, T, R).
order([], []).
order(L, [X|P]) :-
    taken(X, L, R),
    order(R, P).
up([_]).
up([A,B|T]) :-
    A > B,
    up([B|T]).
answer([queen(1,1)]) :-
    numlist(1, 14, L),
    order(L, P),
    up(P).
""",
        f"{MAY}; only lines 3, 6, 7, 13 and 14 matter",
        [14, 3, 6, 7, 13],
        "slow",
    ),
    "numbers, one by one": Loop(
        """\
:- use_module(library(clpfd)).
answer([queen(X,X)]) :-
    X in 1..100000000,
    label([X]),
    X mod 7 =:= 8.
""",
        f"{MAY}; only lines 3 and 4 matter",
        [4, 3],
        "slow",
    ),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", LOOPS)
def test_the_smallest_slice_is_named_and_its_cause_first(write_program, name):
    loop = LOOPS[name]
    found = loop_of(write_program(loop.program, "my.pl"))
    assert found is not None
    assert (found.kind, found.summary) == (loop.kind, loop.summary)
    assert [place.line for place in found.places] == loop.lines


# --- a slice does nothing that the program does not ---------------------------------------------

WALK = """\
next(1, 2).
next(2, 1).
next(3, 4).
walk(A, B) :- next(A, C), walk(C, B).
walk(A, A).
either(1, 1).
either(3, 3).
"""
"""A walk from 3 ends, one from 1 does not."""
ENDS = {
    "all answers": ("a(A) :- findall(X, next(3, X), L), length(L, N), nth0(N, [1,3], A).", ""),
    "a condition": ("a(A) :- ( next(3, 4) -> B = 3 ; true ), either(B, A).", ""),
    "a negation": ("a(A) :- ( \\+ next(3, _) ; B = 3 ), either(B, A).", ""),
    "a cut": ("a(3) :- next(3, _), !.\na(1).", ""),
    "once": (
        "good(3) :- next(3, _).\ngood(1).",
        "a(A) :- once(( member(A, [3,1]), good(A) )).\n",
    ),
    "the first answer": (
        "large(N) :- N > 150.",
        "a(3) :- nat(N), large(N), !.\nnat(0).\nnat(N) :- nat(M), N is M+1.\n",
    ),
}
"""Places that decide where the walk begins, and the rest. Points of the first fail first."""


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", ENDS)
def test_a_program_that_ends_has_no_loop(write_program, name):
    decides, rest = ENDS[name]
    text = f"{WALK}{decides}\n{rest}answer([queen(A,A)]) :- a(A), walk(A, 9)."
    assert loop_of(write_program(text, "my.pl")) is None


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", ENDS)
def test_a_slice_does_nothing_that_the_program_does_not(write_program, name):
    """A point that fails in front of what decides would lead to a walk without end."""
    decides, rest = ENDS[name]
    text = f"""\
{decides}
later :-
    again(1).
again(X) :-
    again(X).
answer([queen(1,1)]) :-
    a(A), walk(A, 9).
answer([queen(1,1)]) :-
    later.
{rest}{WALK}"""
    found = loop_of(write_program(text, "my.pl"))
    assert found is not None
    assert found.summary.startswith(f"{SURE}again/1 calls itself with the same arguments")
    assert [place.text for place in found.places] == ["again(X)", "again(1)", "later"]


def test_a_search_that_is_ours_is_no_loop(write_program):
    model = """\
:- use_module(library(clpfd)).
model([queen(1)-X,queen(2)-Y]) :-
    [X,Y] ins 1..100000000,
    X #\\= Y.
"""
    assert loop_of(write_program(model, "my.pl")) is None


# --- the grader ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_search_has_its_own_time(write_program):
    """The run has had too little even to begin."""
    path = write_program(LOOPS["recursion on the left"].program, "my.pl")
    (found,) = grade(path, ["size=4"], problem=QUEENS, timeout=0.01)
    assert found.way == "timeout"
    assert found.diagnosis is not None
    assert [place.line for place in found.diagnosis.places] == [4, 7]


SUDOKU = """\
sudoku(Rows) :-
    maplist(filled, Rows),
    maplist(different, Rows).

filled([]).
filled([D|Ds]) :-
    between(1, 4, D),
    filled(Ds).

different([]).
different([D|Ds]) :-
    \\+ member(D, Ds),
    different([D|Ds]).
"""


@pytest.mark.parametrize(
    ("head", "line", "lines"),
    [
        ("", 13, "2, 3, 7, 8, 12 and 13"),
        (":- module(mine, [sudoku/1]).\n", 14, "3, 4, 8, 9, 13 and 14"),
    ],
    ids=["user", "module"],
)
def test_programs_for_sudoku_are_sliced_too(tmp_path, head, line, lines):
    path = tmp_path / "main.pl"
    path.write_text(head + SUDOKU, "utf-8")
    puzzle = as_grid("1234341221434321")
    instance = Case("puzzle", Path("puzzle.lp"), puzzle.format("facts"), puzzle)
    found = PrologProgram(path, VOCABULARIES["initial"]).explain_loop(instance, puzzle, LIMITS)
    assert found is not None
    assert found.summary == (
        f"{SURE}different/1 calls itself with the same arguments in line {line};"
        f" only lines {lines} matter"
    )
    assert (found.places[0].line, found.places[0].text) == (line, "different([D|Ds])")


def test_what_a_program_writes_is_no_loop():
    ended = Ended(0, 0.0, "")
    good = ["loop", "sure", "p/0 calls itself", [["", 1, 1, "p", ""]]]
    bad = [["loop"], ["loop", "what", "", []], ["loop", "sure", "", [["", "one", 1, "p", ""]]], [1]]
    assert loop_in(bad, ended, "my.pl") is None
    found = loop_in([*bad, good], ended, "my.pl")
    assert found is not None
    assert str(found) == "the program does not end: p/0 calls itself\nmy.pl, line 1: `p`"
