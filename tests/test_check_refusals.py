"""The line of a small ASP program that loses an answer, or has a wrong one."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import clingo
import pytest
from helpers.problems import written
from helpers.processes import PATIENCE

from pylogic_sudoku.check import problem_programs, refusals, repairs
from pylogic_sudoku.check.explained import explained as diagnosed
from pylogic_sudoku.problem import Answer
from pylogic_sudoku.problem.atoms import from_symbol, to_lists
from pylogic_sudoku.reasons.blame import Blame
from pylogic_sudoku.reasons.relaxed import Relaxed, read
from pylogic_sudoku.running.process import Ended, Limits


@pytest.fixture
def explained(tmp_path, monkeypatch):
    """Explains a lost answer of a program, or a wrong one, and returns what is written last."""
    monkeypatch.setattr(problem_programs, "SECONDS", PATIENCE)

    def explain(
        reference: str,
        program: str,
        facts: str,
        lost: str = "",
        wrong: str = "",
        constants: tuple[str, ...] = (),
    ) -> Any:
        problem = written(tmp_path / "problem", problem_lp=reference)
        posed = problem_programs.Posed(problem.instance(facts), problem.outputs)
        job: dict[str, Any] = {"outputs": sorted(posed.outputs), "constants": constants}
        job["allow_scripts"] = False
        job["inputs"] = sorted({fact.signature for fact in posed.facts.facts})
        if lost:
            answer = answer_of(lost)
            job |= {"lost": list(map(to_lists, answer)), "cost": answer.cost}
            job |= problem_programs._definitions(posed, answer)
        if wrong:
            job |= problem_programs._broken(posed, answer_of(wrong))
        mine, instance = tmp_path / "my.lp", tmp_path / "instance.lp"
        mine.write_text(program)
        instance.write_text(facts)
        out = io.StringIO()
        refusals._explain(job, str(mine), str(instance), out)
        return json.loads(out.getvalue().splitlines()[-1])

    return explain


def answer_of(text: str) -> Answer:
    """The answer of a text such as ``a(1) b(2); 7``, with its cost."""
    atoms, _, cost = text.partition(";")
    return Answer(map(from_symbol, map(clingo.parse_term, atoms.split())), map(int, cost.split()))


def changed(program: str, old: str, new: str) -> str:
    assert program.count(old) == 1
    return program.replace(old, new)


def lines(row: Any) -> list[int]:
    """The lines in a row that was written."""
    return [each[1] for each in row[-1]]


# --- words about each line ---

QUEENS = """\
#const width = 3.
column(1..4).
{ queen(R,C) : column(C) } = 1 :- size(N), R = 1..N.
:- queen(R,C), queen(S,C), R < S.
attack(R,S) :- queen(R,C), queen(S,D), R < S, |R-S| = |C-D|.
:- attack(R,S).
covered(C) :- queen(_,C).
:- column(C), not covered(C).
#show queen/2.
"""
BOARD = "size(4)."
PLACED = "queen(1,2) queen(2,4) queen(3,1) queen(4,3)"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "queen(S,C), R < S",
            "queen(S,C), R <= S",
            [(4, "forbids queen(1,2) beside itself: R=1, C=2, S=1")],
        ),
        (
            ":- attack(R,S).",
            ":- queen(R,C), queen(R+1,D), |C-D| < width.",
            [(6, "forbids queen(1,2) beside queen(2,4): R=1, C=2, D=4"), (1, "")],
        ),
        (
            ":- attack(R,S).",
            ":- queen(R,C), not column(C+2).",
            [(6, "forbids queen(2,4), as nothing derives column(6): R=2, C=4")],
        ),
        ("= 1 :-", "= 2 :-", [(3, "counts 1 in the braces where N=4, R=1")]),
        (
            "R = 1..N",
            "R = 1..N-1",
            [(3, "derives queen(R,C) only with R in 1..3")],
        ),
        (
            "column(1..4)",
            "column(1..3)",
            [
                (2, "derives column(N) for N in 1..3"),
                (3, "derives queen(2,4) only if column(4) holds, which nothing derives"),
            ],
        ),
        ("covered(C) :-", "-queen(2,4).\ncovered(C) :-", [(7, "derives -queen(2,4)")]),
        (
            "|R-S| = |C-D|",
            "|R-S| < |C-D|",
            [
                (5, "derives attack(1,2), attack(2,3), attack(3,4)"),
                (6, "forbids attack(1,2): R=1, S=2"),
            ],
        ),
        (
            "covered(C) :- queen(_,C).",
            "covered(C) :- queen(R,C), R < 4.",
            [
                (7, "does not hold; without it, the rule would derive covered(3)"),
                (7, "derives covered(N) for N in 1, 2, 4"),
                (8, "demands covered(3), which nothing derives: C=3"),
            ],
        ),
    ],
)
def test_each_line_is_told_with_its_effect(explained, old, new, told):
    row = explained(QUEENS, changed(QUEENS, old, new), BOARD, PLACED)
    assert [(each[1], each[4]) for each in row[-1]][: len(told)] == told


def test_columns_count_characters(explained):
    reference = 'name("äöü"). { on(1..2) } = 1.\n#show on/1.\n'
    program = reference.replace("= 1.", "= 1. :- on(1), name(_).")
    row = explained(reference, program, "", "on(1)")
    assert row[-1][0][1:4] == [1, program.index(":-") + 1, ":- on(1), name(_)."]


def test_of_several_rules_that_one_is_named_that_may_derive_what_is_lacking(explained):
    reference = """\
{ on(X) : X = 1..4 } = 2.
side(low,1..2). side(high,3..4).
:- side(S,_), not { on(X) : side(S,X) } = 1.
#show on/1.
"""
    program = changed(reference, " side(high,3..4).", "\nside(high,3..3).")
    row = explained(reference, program, "", "on(1) on(4)")
    assert lines(row)[:2] == [3, 4]


def test_a_rule_that_calls_itself_is_named_before_its_base(explained):
    reference = """\
reach(X,Y) :- edge(X,Y).
reach(X,Z) :- reach(X,Y), edge(Y,Z).
{ pick(X) : edge(X,_) } = 1.
:- pick(X), not reach(X,d).
#show pick/1.
"""
    program = changed(reference, "edge(Y,Z).", "edge(Z,Y).")
    row = explained(reference, program, "edge(a,b). edge(b,c). edge(c,d).", "pick(a)")
    assert lines(row) == [2, 1, 4]


def test_a_hidden_atom_that_nothing_can_derive_leads_to_its_rule(explained):
    reference = """\
{ digit(1..4) } = 1.
{ carry(0..1) } = 1.
:- digit(D), carry(C), D != 3*C.
#show digit/1.
"""
    program = changed(reference, "carry(0..1)", "carry(0..0)")
    row = explained(reference, program, "", "digit(3)")
    assert row[:4] == ["refusal", "underived", 1, "no rule derives carry(1)"]
    assert [each[1:5:3] for each in row[-1]] == [
        [2, "does not derive carry(1)"],
        [3, ""],
    ]


# --- costs ---

SHIFTS = """\
{ start(J,0..7) } = 1 :- job(J,_).
:- start(I,S), start(J,T), job(I,D), I < J, job(J,E), T < S+D, S < T+E.
end(J,S+D) :- start(J,S), job(J,D).
last(M) :- M = #max { E : end(_,E) }.
#minimize { M@2 : last(M) }.
#minimize { S@1,J : start(J,S) }.
#show start/2.
"""
JOBS = "job(a,2). job(b,3)."


@pytest.mark.parametrize(
    ("old", "new", "cost", "first"),
    [
        ("end(J,S+D)", "end(J,S)", "2 2", [3, 5]),
        ("#max", "#sum", "7 2", [4, 5]),
        ("M@2", "-M@2", "-5 2", [5]),
        ("S@1,J", "2*S@1,J", "5 4", [6]),
    ],
)
def test_a_wrong_cost_is_followed_to_its_rule(explained, old, new, cost, first):
    row = explained(SHIFTS, changed(SHIFTS, old, new), JOBS, "start(a,0) start(b,2); 5 2")
    assert row[:2] == ["refusal", "cost"]
    assert row[3] == f"its cost is {', '.join(cost.split())} here, and not 5, 2"
    assert lines(row)[: len(first)] == first


def test_a_change_that_gives_right_answers_another_cost_is_no_repair(tmp_path):
    text = "{ pick(1..3) } = 1.\n#minimize { 2*X : pick(X) }.\n#show pick/1.\n"
    mine, instance = tmp_path / "my.lp", tmp_path / "instance.lp"
    mine.write_text(text)
    instance.write_text("")
    at = text.index("2*X")
    edits = [[at, at + 1, new] for new in ("3", "1", "0")]
    job = {"outputs": [("pick", 1)], "constants": (), "allow_scripts": False, "edits": edits}
    out = io.StringIO()
    repairs._try(job | {"right": [([["pick", 1]], [1])]}, str(mine), str(instance), out)
    assert json.loads(out.getvalue()) == ["repaired", 1]


def test_a_program_that_minimizes_nothing_is_told_so(explained):
    program = "\n".join(each for each in SHIFTS.splitlines() if "#min" not in each)
    answers = "start(a,0) start(b,2); 5 2", "start(a,1) start(b,3); 6 4"
    row = explained(SHIFTS, program, JOBS, *answers)
    assert row == ["blame", "extra", "the program has neither #minimize nor #maximize", []]


def test_a_bound_that_is_too_small_is_named(explained):
    other = "limit(4).\n:- last(M), limit(L), M > L.\n#show"
    row = explained(SHIFTS, changed(SHIFTS, "#show", other), JOBS, "start(a,0) start(b,2); 5 2")
    assert row[:4] == ["refusal", "excluded", 1, ""]
    assert lines(row)[:2] == [8, 7]


# --- hidden atoms ---

HOUSES = """\
{ pos(P,1..4) } = 1 :- person(P).
:- pos(P,N), pos(Q,N), P < Q.
:- pos(a,N), pos(b,M), N > M.
:- pos(b,N), pos(c,M), N > M.
:- pos(c,N), pos(d,M), N > M.
:- pos(a,N), pos(d,M), M - N != 3.
first(P) :- pos(P,1).
#show first/1.
"""
PEOPLE = "person(a;b;c;d)."


@pytest.mark.parametrize(
    ("old", "new", "first"),
    [
        ("M - N != 3", "M - N != 2", [6]),
        ("pos(b,M), N > M", "pos(b,M), N < M", [3]),
        ("pos(P,1..4)", "pos(P,1..3)", [1]),
    ],
)
def test_what_a_reference_chooses_tells_one_of_many_constraints(explained, old, new, first):
    row = explained(HOUSES, changed(HOUSES, old, new), PEOPLE, "first(a)")
    assert row[0] == "refusal"
    assert lines(row)[: len(first)] == first
    assert row[2] == 1


# --- cycles ---

ORDER = """\
{ before(X,Y); before(Y,X) } = 1 :- conflict(X,Y).
#edge (X,Y) : before(X,Y).
#show before/2.
"""
CONFLICTS = "conflict(1,2). conflict(2,3). conflict(1,3)."


def test_an_edge_statement_that_excludes_an_answer_is_named(explained):
    program = changed(
        ORDER,
        "#edge (X,Y) : before(X,Y).",
        "#edge (X,Y) : before(X,Y), Y < 3.\n#edge (3,3) : before(3,1).",
    )
    row = explained(ORDER, program, CONFLICTS, "before(2,1) before(3,2) before(3,1)")
    assert row[:3] == ["refusal", "excluded", 1]
    assert lines(row)[0] == 3


@pytest.mark.parametrize(
    ("new", "row"),
    [
        (
            "",
            [
                "unrelated",
                "no constraint and no #edge statement is about before/2, which may form a cycle",
            ],
        ),
        (
            "#edge (X,Y) : before(X,Y), X < 3.\n",
            ["similar", [["", 2, 1, "#edge (X,Y) : before(X,Y), X < 3.", ""]]],
        ),
        (":- before(X,Y), before(Y,X).\n", ["nothing"]),
    ],
)
def test_a_cycle_that_nothing_forbids_is_told(explained, new, row):
    program = changed(ORDER, "#edge (X,Y) : before(X,Y).\n", new)
    assert explained(ORDER, program, CONFLICTS, wrong="before(1,2) before(2,3) before(3,1)") == row


# --- disjunctions, and atoms that no answer has ---

COLOURS = """\
#const k = 3.
{ col(X,1..k) } = 1 :- node(X).
:- edge(X,Y), col(X,C), col(Y,C).
#show col/2.
"""
PATH = "node(1..3). edge(1,2). edge(2,3)."


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("col(X,1) ; col(X,2) :- node(X).", 2),
        ("col(X,C) : C = 1..2 :- node(X).", 2),
        ("{ col(X,1..k-1) } = 1 :- node(X).", 2),
    ],
)
def test_the_domain_is_named_that_lacks_an_atom(explained, head, line):
    program = changed(COLOURS, "{ col(X,1..k) } = 1 :- node(X).", head)
    row = explained(COLOURS, program, PATH, "col(1,1) col(2,2) col(3,3)")
    assert row[:2] == ["refusal", "underived"]
    assert lines(row)[0] == line


def test_the_constant_of_a_domain_follows_it(explained):
    program = changed(COLOURS, "k = 3", "k = 2")
    row = explained(COLOURS, program, PATH, "col(1,1) col(2,2) col(3,3)")
    assert lines(row) == [2, 1]


def test_a_disjunction_is_told_from_a_choice(explained):
    choice = "{ on(1..2) }.\n:- not on(1), not on(2).\n#show on/1.\n"
    row = explained(choice, "on(1) ; on(2).\n#show on/1.\n", "", "on(1) on(2)")
    assert row[:2] == ["refusal", "underived"]
    assert row[3].startswith("a disjunction derives no more atoms than it needs")
    assert lines(row) == [1]


def test_the_line_that_derives_an_impossible_atom_is_named(explained):
    program = changed(COLOURS, "1..k", "0..k")
    row = explained(COLOURS, program, PATH, wrong="col(1,0) col(2,1) col(3,2)")
    assert row[:3] == ["blame", "extra", "this line derives col(1,0)"]
    assert lines(row) == [2]


# --- numbers that clingo has not ---

SUM = """\
{ pick(X) : item(X,_) } = 2.
:- #sum { W,X : pick(X), item(X,W) } > 1000.
#show pick/1.
"""
ITEMS = "item(a,1). item(b,2). item(c,2000)."
TOO_LARGE = "is too large for clingo, whose integers end at 2147483647"


@pytest.mark.parametrize(
    ("new", "words", "line"),
    [
        ("> 3000000000.", f"3000000000 {TOO_LARGE}", 2),
        ("> 99999*30000.", f"(99999*30000) {TOO_LARGE}", 2),
        ("> much.\n#const much = 3000000000.", f"3000000000 {TOO_LARGE}", 3),
    ],
)
def test_a_number_beyond_32_bits_is_named(explained, new, words, line):
    row = explained(SUM, changed(SUM, "> 1000.", new), ITEMS, "pick(a) pick(b)")
    assert (row[1], row[3]) == ("excluded", words)
    assert lines(row)[0] == line


def test_such_a_number_is_named_that_allows_an_answer(explained):
    program = changed(SUM, "> 1000.", "> 10000000000.")
    row = explained(SUM, program, ITEMS, wrong="pick(a) pick(c)")
    assert row[:3] == ["blame", "extra", f"10000000000 {TOO_LARGE}"]
    assert lines(row) == [2]


# --- what no constraint is about ---

LATIN = """\
{ at(R,C,1..n) } = 1 :- R = 1..n, C = 1..n.
:- at(R,C,V), at(R,D,V), C < D.
:- at(R,C,V), at(S,C,V), R < S.
:- given(R,C,V), not at(R,C,V).
#show at/3.
"""
GIVEN = "#const n = 2. given(1,1,1)."
TWICE = "at(1,1,1) at(1,2,2) at(2,1,1) at(2,2,2)"


def test_givens_that_no_constraint_is_about_are_told(explained):
    program = changed(LATIN, ":- given(R,C,V), not at(R,C,V).\n", "")
    row = explained(LATIN, program, GIVEN, wrong="at(1,1,2) at(1,2,1) at(2,1,1) at(2,2,2)")
    assert row == ["unrelated", "no constraint relates given/3 and at/3"]


COLUMNS = (
    "no constraint is about two atoms of at/3 with only the second and third arguments in common"
)


@pytest.mark.parametrize(
    "rows",
    [
        ":- at(R,C,V), at(R,D,V), C < D.\n",
        ":- R = 1..n, V = 1..n, not { at(R,C,V) } = 1.\n",
    ],
)
def test_columns_that_no_constraint_is_about_are_told(explained, rows):
    program = changed(LATIN, ":- at(R,C,V), at(S,C,V), R < S.\n", "")
    program = changed(program, ":- at(R,C,V), at(R,D,V), C < D.\n", rows)
    row = explained(LATIN, program, GIVEN, wrong=TWICE)
    assert row == ["unrelated", COLUMNS]


@pytest.mark.parametrize(
    "columns",
    [
        ":- at(R,C,V), at(S,D,V), C = D, R + 1 < S.\n",
        ":- C = 1..n, V = 1..n, { at(R,C,V) } > 3.\n",
        "twice(R,S,C) :- at(R,C,V), at(S,C,V), R < S.\n:- twice(R,S,C), R + 1 < S.\n",
        ":- at(R,C,V), at(S,C,W), V = W, R + 1 < S.\n",
        ":- at(R,C,V), #count { S : at(S,C,V) } > 2.\n",
    ],
)
def test_a_constraint_that_may_be_about_columns_is_no_missing_one(explained, columns):
    program = changed(LATIN, ":- at(R,C,V), at(S,C,V), R < S.\n", columns)
    row = explained(LATIN, program, GIVEN, wrong=TWICE)
    assert row[0] != "unrelated"


TOTAL = """\
{ pick(1..N) } = 1 :- n(N).
good(X) :- X = 1..N, n(N),
    X \\ 2 = 0.
total(S) :- S = #sum { X : good(X) }.
#show pick/1.
#show total/1.
"""


def test_what_is_wrong_behind_a_wrong_atom_comes_before_the_line_that_derives_it(explained):
    mine = changed(TOTAL, "X \\ 2 = 0", "X > 0")
    found = explained(TOTAL, mine, "n(4).", lost="pick(1) total(6)", wrong="pick(1) total(10)")
    assert found[:3] == ["blame", "extra", "total(10) follows from this line"]
    assert lines(found) == [2, 4]


def test_the_literal_that_keeps_a_rule_of_several_lines_from_an_atom_is_named(explained):
    mine = changed(TOTAL, "X \\ 2 = 0", "X \\ 2 = 0, X > 2")
    reference = TOTAL.replace("#show total/1", "#show good/1")
    found = explained(
        reference,
        mine.replace("#show total/1", "#show good/1"),
        "n(4).",
        lost="pick(1) good(2) good(4)",
    )
    assert found[:4] == ["refusal", "underived", 1, "no rule derives good(2)"]
    assert lines(found)[:2] == [3, 2]


CONSTANT = """\
#const n = 2.
{ q(1..4) } = 1.
"""
BELOW = "ok :- q(X),\n  X != 1,\n  X < n.\n:- not ok.\n"


@pytest.mark.parametrize(
    ("rules", "lost", "told"),
    [
        (BELOW, "q(3)", [(5, "does not hold; without it, the rule would derive ok"), (6, "")]),
        (
            "ok(S) :- q(X), X < 3, S = 1..2.\n:- not ok(n).\n",
            "q(3)",
            [(3, "does not hold; without it, the rule would derive ok(2)"), (4, "ok(2)")],
        ),
        (
            "size(n).\nlow(1..2).\nat(X) :- q(X), size(n), low(X).\n",
            "q(3) at(3)",
            [(4, "low(N)"), (5, "derives at(3) only if low(3) holds, which nothing derives")],
        ),
        (
            "at(1) :- q(X).\nat(n) :- q(X), X < 3.\n",
            "q(3) at(1) at(2)",
            [(4, "derives no at/1"), (2, "derives no at/1")],
        ),
        ("at(2).\n-at(n) :- q(3).\n", "q(3) at(2)", [(4, "derives -at(2)")]),
    ],
)
@pytest.mark.parametrize("given", ["program", "option"])
def test_a_constant_has_its_value_in_each_line(explained, rules, lost, told, given):
    program, constants = CONSTANT + rules + "#show q/1.\n#show at/1.\n", ()
    if given == "option":
        program, constants = changed(program, "n = 2", "n = 7"), ("n=2",)
    row = explained("#show q/1. #show at/1.", program, "", lost, constants=constants)
    for (line, words), each in zip(told, row[-1], strict=False):
        assert (each[1], words in each[4]) == (line, True), row


def test_the_literals_of_a_rule_are_judged_once_and_with_the_atoms_that_it_uses(
    tmp_path, monkeypatch
):
    program, outputs = tmp_path / "my.lp", frozenset([("q", 1)])
    program.write_text(CONSTANT + "many(1..99).\n" + BELOW)
    relaxed = Relaxed(read(str(program), "", outputs), [clingo.parse_term("q(3)")], outputs)
    blame = Blame(relaxed, relaxed.to_blame())
    texts = []
    add = clingo.Control.add

    def adding(control, name, parameters, text):
        texts.append(text)
        return add(control, name, parameters, text)

    monkeypatch.setattr(clingo.Control, "add", adding)
    assert blame.refusal("clingo").lines[0].number == 6
    assert len([text for text in texts if "q(3)" in text]) == 1
    assert not [text for text in texts if "many" in text]


NAMES = """\
{ place(X,1..2) } = 1 :- n(X).
near(X,Y) :- place(X,P), place(Y,P), X < Y.
:- near(1,2).
#show place/2.
"""


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [("near(X,Y) :-", "next(X,Y) :-", 2), (":- near(1,2)", ":- nearby(1,2)", 2)],
)
def test_a_predicate_under_another_name_is_named(explained, old, new, line):
    wrong = "place(1,1) place(2,1)"
    found = explained(NAMES, changed(NAMES, old, new), "n(1..2).", wrong=wrong)
    assert found[:2] == ["blame", "extra"]
    assert "is one of them meant to be the other?" in found[2]
    assert lines(found) == [line]


def test_a_predicate_that_the_instance_may_lack_is_not_another_one(explained):
    mine = changed(NAMES, ":- near(1,2)", "#defined wall/2.\n:- wall(1,2)")
    found = explained(NAMES, mine, "n(1..2).", wrong="place(1,1) place(2,1)")
    assert "meant" not in str(found)


OPTIONAL = """\
{ place(X,1..2) } = 1 :- n(X).
stat(X,N) :- n(X), N = #count { P : place(X,P) }.
:- place(X,P), blocked(X,P).
:- place(1,2).
#show place/2.
"""
BARE = "{ place(X,1..2) } = 1 :- n(X).\n#show place/2.\n"


def test_a_guess_about_two_names_hides_no_line_that_excludes_the_answer(explained):
    found = explained(BARE, OPTIONAL, "n(1..2).", lost="place(1,2) place(2,1)")
    assert found[:2] == ["refusal", "excluded"]
    assert lines(found)[0] == 4


def test_a_guess_about_two_names_hides_no_line_that_derives_what_it_must_not(explained):
    mine = changed(OPTIONAL, "1..2", "1..3").replace(":- place(1,2).", "")
    found = explained(BARE, mine, "n(1..2).", wrong="place(1,3) place(2,2)")
    assert found[:3] == ["blame", "extra", "this line derives place(1,3)"]
    assert lines(found)[0] == 1


def test_a_guess_about_two_names_hides_no_predicate_without_a_constraint(explained):
    reference = BARE + ":- place(1,P), place(2,P).\n"
    mine = OPTIONAL.replace(":- place(1,2).", "")
    found = explained(reference, mine, "n(1..2).", wrong="place(1,1) place(2,1)")
    missing = "no constraint is about two atoms of place/2 with only the second argument in common"
    assert found[2].startswith(missing)


def test_another_name_that_loses_an_answer_is_named(explained):
    rules = "same(X,Y) :- place(X,P), place(Y,P), X < Y.\n:- {}(1,2).\n"
    mine = BARE + rules.format("not alike")
    reference = BARE + rules.format("not same")
    found = explained(reference, mine, "n(1..2).", lost="place(1,1) place(2,1)")
    assert found[:2] == ["blame", "likely"]
    assert "nothing derives alike/2, and nothing uses same/2" in found[2]
    assert lines(found) == [3]


def test_a_guess_about_two_names_is_told_if_nothing_else_is_known(explained):
    mine = OPTIONAL.replace(":- place(1,2).", "")
    assert (
        "meant to be the other"
        in explained(BARE, mine, "n(1..2).", lost="place(1,2) place(2,1)")[2]
    )


def test_a_statement_that_is_like_the_missing_one_is_told_as_a_guess():
    row = ["", 2, 1, ":- a.", ""]
    found = diagnosed([["similar", [row]]], Ended(0, 1.0, ""), Limits(1, 9), "my.lp")
    assert found.summary.startswith("a statement like this one should exclude the answer; look")
    assert found.summary in (Path(__file__).parents[1] / "docs" / "why.md").read_text("utf-8")
