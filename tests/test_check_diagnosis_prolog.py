"""Why a Prolog program loses a solution: the goal, its line, and the calls that lead there."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.check import VOCABULARIES
from pylogic_sudoku.check.cases import Case
from pylogic_sudoku.check.grids import KINDS, violated_kinds, without
from pylogic_sudoku.check.sudoku import PrologProgram
from pylogic_sudoku.formats import as_grid
from pylogic_sudoku.running.process import Limits

PUZZLE = as_grid("4......3...13...")
SOLUTION = pls.solve(PUZZLE)
LIMITS = Limits(60, 1024)

RIGHT = """\
:- use_module(library(clpfd)).

sudoku(Rows) :-
    append(Rows, Cells),
    Cells ins 1..4,
    maplist(all_distinct, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Columns),
    Rows = [A,B,C,D],
    boxes(A, B),
    boxes(C, D),
    label(Cells).

boxes([], []).
boxes([A,B|Upper], [C,D|Lower]) :-
    all_distinct([A,B,C,D]),
    boxes(Upper, Lower).
"""
LAST = "    label(Cells).\n"


def made(text: str, folder: Path) -> PrologProgram:
    file = folder / "main.pl"
    file.write_text(text, "utf-8")
    return PrologProgram(file, VOCABULARIES["initial"])


def explained(text: str, folder: Path, puzzle: Grid = PUZZLE, limits: Limits = LIMITS):
    instance = Case("puzzle", Path("puzzle.lp"), puzzle.format("facts"), puzzle)
    return made(text, folder).explain(instance, puzzle, SOLUTION, limits)


def changed(old: str, new: str, text: str = RIGHT) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


def line_of(piece: str, text: str) -> int:
    return text[: text.index(piece)].count("\n") + 1


# --- the goal that fails, through whatever calls it -----------------------------------------

GOALS = {
    "a bound": ("    Cells ins 1..3,", "Cells ins 1..3"),
    "maplist, of the file's predicate": (
        "    maplist(small, Cells),\n\n%\nsmall(N) :-\n    N #< 4.",
        "N #< 4",
    ),
    "a lambda": ("    maplist([N]>>(\n        N #< 9,\n        N #< 4), Cells),", "N #< 4"),
    "forall": ("    forall(\n        member(N, Cells),\n        N < 4),", "N < 4"),
    "foldl": (
        "    foldl(least, Cells, 9, _),\n\n%\nleast(N, S0, S) :-\n    S is min(S0, N),\n    S > 1.",
        "S > 1",
    ),
    "phrase": (
        "    phrase(small, Cells),\n\n%\n"
        "small --> [].\nsmall -->\n    [N],\n    { N < 4 },\n    small.",
        "N < 4",
    ),
    "findall": (
        "    findall(N, (member(N, Cells), N > 4), Some),\n    Some = [_|_],",
        "Some = [_|_]",
    ),
    "call with more arguments": (
        "    Small = #>(4),\n    maplist(call(Small), Cells),",
        "Small = #>(4)",
    ),
    "negation": (
        "    \\+ large(Cells),\n\n%\nlarge(Cells) :-\n    member(N, Cells),\n    N > 3.",
        "N > 3",
    ),
    "then": ("    (   Cells = [_|_]\n    ->  Cells = [1|_]\n    ;   true\n    ),", "Cells = [1|_]"),
    "else": ("    (   Cells = []\n    ->  true\n    ;   Cells = [1|_]\n    ),", "Cells = [1|_]"),
    "after a cut": (
        "    first(Cells),\n\n%\nfirst([N|_]) :-\n    !,\n    N > 4.\nfirst(_).",
        "N > 4",
    ),
    "the alternative that got furthest": (
        "    (   Cells = [1|_]\n    ;   Cells = [_,_|_],\n        Cells = [_,7|_]\n    ),",
        "Cells = [_,7|_]",
    ),
}


def with_goal(goal: str) -> str:
    """Return the program with a goal before its last one, and with clauses below."""
    goal, _, clauses = goal.partition("\n\n%\n")
    return changed(LAST, f"{goal}\n{LAST}", RIGHT) + f"\n{clauses}\n"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("goal", "fails"), GOALS.values(), ids=GOALS)
def test_the_goal_that_fails_is_named(tmp_path, goal, fails):
    text = with_goal(goal)
    found = explained(text, tmp_path)
    assert found.kind == "goal", found
    first = found.places[0]
    assert (first.file, first.line, first.text) == ("main.pl", line_of(fails, text), fails)


def test_a_wrong_call_is_named_before_the_goal_that_fails_in_it(tmp_path):
    found = explained(changed("boxes(C, D)", "boxes(C, C)"), tmp_path)
    more = "the mistake is more likely in line 11"
    assert found.summary == f"the program loses a solution in line 16; {more}"
    assert [(place.line, place.column, place.text) for place in found.places] == [
        (11, 5, "boxes(C, C)"),
        (16, 5, "all_distinct([A,B,C,D])"),
    ]
    a, b, *_ = SOLUTION.rows[2]
    assert found.places[1].words == f"fails: all_distinct([{a},{b},{a},{b}])"


CHANGES = {
    "number": ("    Most is 4-1,\n    Cells ins 1..Most,", "Most is 4-1", "Cells ins 1..Most"),
    "number in a call": (
        "    small(Cells, 3),\n\n%\nsmall(Some, Most) :-\n    Some ins 1..Most.",
        "small(Cells, 3)",
        "Some ins 1..Most",
    ),
    "operator": ("    Most is 8//4,\n    Cells ins 1..Most,", "Most is 8//4", "Cells ins 1..Most"),
    "list": (
        "    rest(Cells, Some),\n    full(Some),\n\n%\nrest([_|Some], Some).\n"
        "full(Some) :-\n    Number is 4*4,\n    length(Some, Number).",
        "rest([_|Some], Some).",
        "length(Some, Number)",
    ),
    "order": (
        "    less(1, 5, Most),\n    Cells ins 1..Most,\n\n%\nless(A, B, C) :-\n    plus(C, B, A).",
        "less(1, 5, Most)",
        "Cells ins 1..Most",
    ),
    "variable": (
        "    pairs(Rows, Pairs),\n    maplist(apart, Pairs),\n\n%\n"
        "pairs([], []).\npairs([[A,B|_]|Rows], [A-A|Pairs]) :-\n    B > 0,\n"
        "    pairs(Rows, Pairs).\napart(A-B) :-\n    dif(A, B).",
        "pairs([[A,B|_]|Rows], [A-A|Pairs]) :-",
        "dif(A, B)",
    ),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("goal", "named", "fails"), CHANGES.values(), ids=CHANGES)
def test_the_line_where_a_small_change_helps_comes_before_the_goal_that_fails(
    tmp_path, goal, named, fails
):
    text = with_goal(goal)
    found = explained(text, tmp_path)
    first, *others = found.places
    assert (first.line, first.text) == (line_of(named, text), named), found
    assert fails in [place.text for place in others]
    assert first.words == "with a small change here, the program accepts this solution"
    assert f"more likely in line {first.line}" in found.summary


def test_a_change_that_lets_wrong_grids_pass_is_not_meant(tmp_path):
    text = changed("    maplist(all_distinct, Rows),", "    maplist(all_distinct, [Cells|Rows]),")
    found = explained(text, tmp_path)
    assert found.places[0].line == line_of("[Cells|Rows]", text)
    text = changed("all_distinct([A,B,C,D])", "all_distinct([A,B,C,A])")
    assert explained(text, tmp_path).places[0].line == line_of("[A,B,C,A]", text)


@pytest.mark.slow
def test_changes_that_take_too_long_leave_what_was_found(tmp_path):
    goal = "    wait(4),\n    fail,\n\n%\nwait(4) :- !.\nwait(_) :- thread_get_message(never)."
    found = explained(with_goal(goal), tmp_path, limits=Limits(3, 1024))
    assert [(place.text, place.words) for place in found.places] == [("fail", "fails: fail")]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("boxes([A,B|Upper], [C,D|Lower])", "boxes([A,B|Upper], [C,A|Lower])", 15),
        ("boxes([], []).\n", "", 16),
        ("boxes([], []).\n", "boxes([_], []).\n", 14),
        ("boxes([], []).\n", "boxes([], [_]).\n", 14),
    ],
    ids=["head", "no end", "first", "second"],
)
def test_a_call_that_matches_no_clause(tmp_path, old, new, line):
    found = explained(changed(old, new), tmp_path)
    assert found.places[0].line == line, found
    assert any("matches no clause" in place.words for place in found.places)


# --- what is not a failure -----------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("old", "new", "kind", "line", "summary"),
    [
        (LAST, "    true.\n", "unbound", 3, "the program ends with "),
        (LAST, "    label(Cells),\n    !.\n", "goal", 13, "keeps another answer"),
        (LAST, "    once(label(Cells)).\n", "goal", 12, "keeps another answer"),
        (LAST, "    (   label(Cells)\n    ->  true\n    ).\n", "goal", 12, "keeps another answer"),
        ("transpose(Rows", "transpose(4, Rows", "error", 7, "raises an error in line 7: "),
        ("boxes(C, D)", "N is A, boxes(C, N)", "error", 11, "raises an error in line 11: "),
        ("boxes(Upper, L", "boxes([A,B|Upper], [C,D|L", "loop", 17, "no end in line 17"),
        ("boxes(Upper, Lower)", "boxes(U, [_|U]), Lower=Upper", "loop", 17, "no end in line 17"),
    ],
    ids=["no label", "cut", "once", "if", "unknown", "no number", "same", "deeper"],
)
def test_what_is_not_a_failing_goal_is_told_apart(tmp_path, old, new, kind, line, summary):
    text = changed(old, new)
    if kind == "loop" and "Lower)" not in new:
        text = text.replace("[C,D|Lower).", "[C,D|Lower]).")
    empty = as_grid("." * 16)  # which has other solutions before this one
    found = explained(text, tmp_path, empty)
    assert found.kind == kind, found
    assert summary in found.summary
    assert found.places[0].line == line


@pytest.mark.parametrize("puzzle", [PUZZLE, as_grid("." * 16)], ids=["one solution", "all"])
def test_no_line_of_a_right_program_is_named(tmp_path, puzzle):
    found = explained(RIGHT, tmp_path, puzzle)
    assert (found.kind, found.places) in (("none", ()), ("slow", ()))


def test_a_program_may_change_its_facts_and_look_at_what_is_bound(tmp_path):
    first = "    append(Rows, Cells),\n"
    text = changed(
        first, f"{first}    include(var, Cells, [_|_]),\n    \\+ seen(_),\n    assertz(seen(1)),\n"
    )
    found = explained(f"{text}\n:- dynamic seen/1.\n", tmp_path)
    assert (found.kind, found.places) == ("none", ())


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("goals", "kind", "words"),
    [
        ("Ring = [Ring], Ring = 3", "goal", "fails: a term that holds itself"),
        ("true = false", "goal", "fails: true=false"),
        ("fail", "goal", "fails: fail"),
        ("maplist(true, [1])", "error", "raises an error: true(1)"),
    ],
)
def test_terms_that_are_hard_to_write_are_written(tmp_path, goals, kind, words):
    found = explained(changed(LAST, f"    {goals},\n{LAST}"), tmp_path)
    assert (found.kind, found.places[0].words, found.places[0].text) == (
        *(kind, words),
        goals.rpartition("Ring], ")[2],
    )


def test_time_that_is_over_is_said(tmp_path):
    text = changed(LAST, f"    thread_get_message(never),\n{LAST}")
    found = explained(text, tmp_path, limits=Limits(0.3, 1024))
    assert found.kind == "stopped"
    assert found.summary == "the time for the explanation is over"


def test_a_program_cannot_write_the_explanation(tmp_path):
    write = (
        "    current_prolog_flag(argv, As), append(_, [File,sudoku|_], As),\n"
        '    open(File, append, S), writeln(S, \'["diagnosis","goal",[[1]],7]\'), close(S),\n'
        "    halt.\n"
    )
    assert explained(changed(LAST, write), tmp_path).kind == "stopped"


# --- houses that are never mentioned ----------------------------------------------------------


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 2), (3, 3)])
@pytest.mark.parametrize("kind", KINDS)
def test_grids_without_a_kind_of_house_keep_every_other_one(box, kind):
    grids = without(kind, box)
    assert grids
    empty = Grid((0,) * (box[0] * box[1]) ** 2, box)
    assert all(violated_kinds(grid, empty) == [kind] for grid in grids)
    for pair in combinations(range(len(empty.digits)), 2):
        cells = {empty.cells[at] for at in pair}
        if [each.kind for each in empty.houses if cells <= set(each.cells)] == [kind]:
            assert any(grid.digits[pair[0]] == grid.digits[pair[1]] for grid in grids)


PARTS = {
    "row": "    maplist(all_distinct, Rows),\n",
    "column": "    maplist(all_distinct, Columns),\n",
    "box": "    boxes(A, B),\n    boxes(C, D),\n",
    "one box": "    boxes(A, B),\n",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("left_out", [*KINDS, "one box"])
def test_a_kind_of_house_is_never_mentioned_exactly_if_it_is_left_out(tmp_path, kind, left_out):
    program = made(changed(PARTS[left_out], ""), tmp_path)
    wrong = without(kind, (2, 2))[0]
    instance = Case("puzzle", Path("puzzle.lp"), "", PUZZLE)
    found = program.unmentioned(instance, PUZZLE, wrong, LIMITS)
    never = kind == left_out
    assert found.kind == ("house" if never else "none")
    assert found.summary == (f"no constraint of the program is about {KINDS[kind]}" * never)


def test_a_clause_is_where_prolog_has_read_it(tmp_path):
    """In a file that the program includes, and not where a condition leaves it out."""
    begin, boxes = RIGHT.split("boxes([], []).\n")
    (tmp_path / "part.pl").write_text(
        f":- if(false).\nboxes(_, _).\n:- endif.\nboxes([], []).\n{boxes}".replace(
            "    all_distinct", "    A #> 3,\n    all_distinct"
        ),
        encoding="utf-8",
    )
    found = explained(f"{begin}:- include(part).\n", tmp_path)
    assert found.kind == "goal"
    assert [place[:2] for place in found.places] == [
        ("part.pl", 6),
        ("part.pl", 8),
        ("main.pl", 10),
    ]
