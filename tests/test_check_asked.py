"""The line of a Prolog program, by the values that an answer wants of the call that asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pylogic_sudoku.check import explain
from pylogic_sudoku.problem.folder import Problem

pytestmark = pytest.mark.usefixtures("unhurried")

PROGRAM = """\
:- use_module(library(clpfd)).
:- use_module(library(lists)).

tower(N, Floors) :-
    length(Floors, N),
    Floors ins 1..N,
    all_distinct(Floors),
    ends(Floors, N),
    label(Floors).

ends([First|Floors], N) :-
    last(Floors, Last),
    First + Last #= N + 1.
"""
ADAPTER = """\
answer(Atoms) :-
    size(N),
    tower(N, Floors),
    findall(at(I,Floor), nth1(I, Floors, Floor), Atoms).
"""
CHANGED = "the mistake is likely to be in line"


@pytest.fixture
def exercise(tmp_path: Path) -> Problem:
    """An exercise of programs with constraints, for which findall/3 makes the atoms."""
    folder = tmp_path / "tower"
    folder.mkdir()
    (folder / "tower.pl").write_text(f"{PROGRAM}\n:- include(adapter).\n", "utf-8")
    (folder / "adapter.pl").write_text(ADAPTER, "utf-8")
    (folder / "problem.toml").write_text('output = ["at/2"]\ninput = ["size/1"]\n', "utf-8")
    return Problem(folder)


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        (
            "    length(Floors, N),",
            "    M is N-1,\n    length(Floors, M),",
            "    M is N-1,",
            CHANGED,
        ),
        (
            "all_distinct(Floors)",
            "all_apart(Floors)",
            "    all_apart(Floors),",
            "does not run: mine.pl:7: there is no predicate all_apart/1",
        ),
        ("label(Floors)", "label(Floors), !", "    label(Floors), !.", "keeps another answer"),
        (
            "    last(Floors, Last),\n",
            "    last(Floors, Last),\n    Last = 4,\n",
            None,
            "excludes it",
        ),
        ("1..N", "2..N", "    Floors ins 2..N,", "excludes it"),
        (
            "    ends(Floors, N)",
            "    ends(Floors, [N,N])",
            "    ends(Floors, [N,N]),",
            "raises an error: Domain error",
        ),
    ],
    ids=["plain", "unknown", "cut", "value", "constraint", "call"],
)
def test_the_goal_is_named_that_loses_the_values(exercise, tmp_path, old, new, line, words):
    text = PROGRAM.replace(old, new)
    assert text != PROGRAM
    program = tmp_path / "program" / "mine.pl"
    program.parent.mkdir()
    program.write_text(text, "utf-8")
    found = explain(program, "size(4).", problem=exercise, timeout=60)
    first = text.splitlines()[found.places[0].line - 1]
    assert first == (line or "    Last = 4,")
    assert words in found.summary


@pytest.mark.slow
def test_values_that_two_calls_give_are_no_reason_to_name_none(exercise, tmp_path):
    adapter = ADAPTER.replace("tower(N, Floors)", "tower(N, Some), same(Some, Floors)")
    (exercise.folder / "adapter.pl").write_text(adapter, "utf-8")
    text = PROGRAM.replace("1..N", "2..N") + "\nsame(Floors, Floors).\n"
    program = tmp_path / "program" / "mine.pl"
    program.parent.mkdir()
    program.write_text(text, "utf-8")
    reference = PROGRAM + "\nsame(Floors, Floors).\n\n:- include(adapter).\n"
    (exercise.folder / "tower.pl").write_text(reference, "utf-8")
    found = explain(program, "size(4).", problem=exercise, timeout=60)
    assert (found.kind, found.places[0].line) == ("constraint", 6)


TABLED = """\
:- use_module(library(clpfd)).
:- table sums/2.
sums(0, 0).
sums(N, Sum) :-
    N #> 0,
    M #= N-1,
    sums(M, Most),
    Sum #= Most+N.
"""
ENDLESS = TABLED.replace("    N #> 0,\n    M", "    sums(N, Sum),\n    M")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (TABLED.replace("sums(0, 0).", ""), [5, 7]),
        (ENDLESS, []),
    ],
    ids=["no base", "endless without its table"],
)
def test_predicates_with_tables_are_run_by_their_clauses(tmp_path, text, lines):
    folder, program = tmp_path / "sums", tmp_path / "program" / "mine.pl"
    folder.mkdir()
    (folder / "sums.pl").write_text(f"{TABLED}\n:- include(adapter).\n", "utf-8")
    (folder / "adapter.pl").write_text("answer([sum(S)]) :- most(N), sums(N, S).\n", "utf-8")
    (folder / "problem.toml").write_text('output = ["sum/1"]\ninput = ["most/1"]\n', "utf-8")
    program.parent.mkdir()
    program.write_text(text, "utf-8")
    found = explain(program, "most(3).", problem=folder, timeout=60)
    assert [place.line for place in found.places] == lines
