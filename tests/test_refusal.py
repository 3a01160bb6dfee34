"""Why a program refuses an answer: the line of each planted fault."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from itertools import combinations, permutations, product

import pytest
from helpers.problems import written

import pylogic_sudoku as pls
from pylogic_sudoku.engines import engine_for
from pylogic_sudoku.errors import SolveTimeout
from pylogic_sudoku.problem import Answer, Atom, Instance
from pylogic_sudoku.problem.folder import Problem
from pylogic_sudoku.reasons.refusal import Line, Refusal, refusal

# --- right programs, and an oracle for each that knows no engine ---------------------------

QUEENS_LP = """\
{ queen(R,C) : C = 1..N } = 1 :- size(N), R = 1..N.
:- queen(R,C), queen(S,C), R < S.
attack(R,C,S,D) :- queen(R,C), queen(S,D), R < S, |R-S| = |C-D|.
:- attack(R,C,S,D).
#show queen/2.
"""
QUEENS_PL = """\
:- use_module(library(clpfd)).
model(Pairs) :-
    size(N),
    findall(queen(R)-_, between(1, N, R), Pairs),
    columns(Pairs, Columns),
    Columns ins 1..N,
    safe(Columns).

columns([], []).
columns([_-C|Pairs], [C|Cs]) :- columns(Pairs, Cs).

safe([]).
safe([Q|Qs]) :-
    apart(Qs, Q, 1),
    safe(Qs).

apart([], _, _).
apart([Q|Qs], Q0, D) :-
    Q #\\= Q0,
    abs(Q - Q0) #\\= D,
    D1 #= D + 1,
    apart(Qs, Q0, D1).
"""
COLOURS_LP = """\
link(X,Y) :- edge(X,Y).
link(X,Y) :- edge(Y,X).
node(X) :- link(X,Y).
{ colour(X,1..3) } = 1 :- node(X).
:- link(X,Y), colour(X,C), colour(Y,C).
#show colour/2.
"""
COLOURS_PL = """\
:- use_module(library(clpfd)).
model(Pairs) :-
    setof(X, Y^(edge(X, Y) ; edge(Y, X)), Nodes),
    maplist([X,colour(X)-_]>>true, Nodes, Pairs),
    maplist([_-C]>>(C in 1..3), Pairs),
    findall(X-Y, edge(X, Y), Edges),
    maplist(differ(Pairs), Edges).

differ(Pairs, X-Y) :-
    memberchk(colour(X)-A, Pairs),
    memberchk(colour(Y)-B, Pairs),
    A #\\= B.
"""
SQUARE_LP = """\
#const n = 3.
cell(1..n,1..n).
{ square(R,C,V) : V = 1..n*n } = 1 :- cell(R,C).
:- V = 1..n*n, not { square(R,C,V) } = 1.
total(n*(n*n+1)/2) :- go.
:- total(T), R = 1..n, not #sum { V,C : square(R,C,V) } = T.
:- total(T), C = 1..n, not #sum { V,R : square(R,C,V) } = T.
:- total(T), not #sum { V,C : square(C,C,V) } = T.
:- total(T), not #sum { V,C : square(n+1-C,C,V) } = T.
#show square/3.
"""
SQUARE_PL = """\
:- use_module(library(clpfd)).
model(Pairs) :-
    go,
    Values = [A,B,C,D,E,F,G,H,I],
    findall(square(R,K), (between(1, 3, R), between(1, 3, K)), Keys),
    Values ins 1..9,
    all_distinct(Values),
    Lines = [[A,B,C],[D,E,F],[G,H,I],[A,D,G],[B,E,H],[C,F,I],[A,E,I],[C,E,G]],
    maplist(line, Lines),
    maplist([Key,Value,Key-Value]>>true, Keys, Values, Pairs).

line(Line) :-
    sum(Line, #=, 15).
"""
SACK_LP = """\
{ take(I,0..1) } = 1 :- item(I,_,_).
:- limit(L), #sum { W,I : take(I,1), item(I,W,_) } > L.
#maximize { V,I : take(I,1), item(I,_,V) }.
#show take/2.
"""
SACK_PL = """\
:- use_module(library(clpfd)).
model(Pairs, Cost) :-
    limit(L),
    findall(I-W-V, item(I, W, V), Items),
    maplist([I-_-_,take(I)-_]>>true, Items, Pairs),
    maplist([_-T]>>(T in 0..1), Pairs),
    foldl(packed(Pairs), Items, 0-0, Weight-Value),
    Weight #=< L,
    Cost #= -Value.

packed(Pairs, I-W-V, W0-V0, (W0 + T*W)-(V0 + T*V)) :-
    memberchk(take(I)-T, Pairs).
"""
GRAPH = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]
ITEMS = {"a": (2, 3), "b": (3, 4), "c": (4, 6), "d": (1, 1)}
LIMIT = 6


def queens(size: int) -> set[frozenset[Atom]]:
    boards = (enumerate(columns, 1) for columns in permutations(range(1, size + 1)))
    return {
        frozenset(Atom("queen", queen) for queen in board)
        for board in map(list, boards)
        if all(abs(r - s) != abs(c - d) for (r, c), (s, d) in combinations(board, 2))
    }


def colourings() -> set[frozenset[Atom]]:
    nodes = sorted({node for edge in GRAPH for node in edge})
    colours = (dict(zip(nodes, each, strict=True)) for each in product((1, 2, 3), repeat=4))
    return {
        frozenset(Atom("colour", pair) for pair in each.items())
        for each in colours
        if all(each[x] != each[y] for x, y in GRAPH)
    }


def squares() -> set[frozenset[Atom]]:
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    return {
        frozenset(Atom("square", (at // 3 + 1, at % 3 + 1, v)) for at, v in enumerate(values))
        for values in permutations(range(1, 10))
        if all(sum(values[at] for at in line) == 15 for line in lines)
    }


def sacks() -> set[frozenset[Atom]]:
    def total(taken: dict[str, int], what: int) -> int:
        return sum(ITEMS[item][what] for item in taken if taken[item])

    chosen = [dict(zip(ITEMS, each, strict=True)) for each in product((0, 1), repeat=4)]
    fitting = [each for each in chosen if total(each, 0) <= LIMIT]
    best = max(total(each, 1) for each in fitting)
    return {
        frozenset(Atom("take", pair) for pair in each.items())
        for each in fitting
        if total(each, 1) == best
    }


PROBLEMS: dict[str, tuple[str, str, str, Callable[[], set[frozenset[Atom]]]]] = {
    "queens": (QUEENS_LP, QUEENS_PL, "size(6).", lambda: queens(6)),
    "colours": (
        COLOURS_LP,
        COLOURS_PL,
        " ".join(f"edge({x},{y})." for x, y in GRAPH),
        colourings,
    ),
    "square": (SQUARE_LP, SQUARE_PL, "go.", squares),
    "sack": (
        SACK_LP,
        SACK_PL,
        f"limit({LIMIT}). " + " ".join(f"item({i},{w},{v})." for i, (w, v) in ITEMS.items()),
        sacks,
    ),
}


@pytest.fixture
def planted(tmp_path):
    """Writes a problem in which one program has one text in place of another."""

    def write(name: str, backend: str, old: str = "", new: str = "") -> Instance:
        lp, pl, facts, _ = PROBLEMS[name]
        texts = {"clingo": lp, "prolog": pl}
        assert texts[backend].count(old) == 1 or not old
        texts[backend] = texts[backend].replace(old, new) if old else texts[backend]
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.lp").write_text(texts["clingo"])
        (folder / f"{name}.pl").write_text(texts["prolog"])
        return Problem(folder).instance(facts)

    return write


def lost(instance: Instance, backend: str) -> list[Answer]:
    """Answers that a program lacks, in order."""
    wanted = PROBLEMS[instance.problem.name][3]()
    found = set(engine_for(backend, instance).solutions(instance))
    return sorted(map(Answer, wanted - found), key=str)


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_right_programs_have_all_answers_and_refuse_none(planted, name, backend):
    instance = planted(name, backend)
    wanted = PROBLEMS[name][3]()
    assert set(engine_for(backend, instance).solutions(instance)) == wanted
    one = Answer(min(wanted, key=sorted))
    assert str(refusal(instance, one, backend)) == f"{backend} has it"


EXCLUDED = [
    ("queens", "clingo", "R < S.", "R <= S."),
    ("queens", "clingo", "= 1 :-", "= 2 :-"),
    ("colours", "clingo", "1..3) } = 1", "1..3) } = 2"),
    ("colours", "clingo", "colour(Y,C).", "not colour(Y,C)."),
    ("square", "clingo", "{ V,C : square(R,C,V) } = T", "{ V,C : square(R,C,V) } < T"),
    ("square", "clingo", "not { square(R,C,V) } = 1", "not { square(R,C,V) } = 2"),
    ("square", "clingo", "n+1-C", "n-C"),
    ("sack", "clingo", "> L.", ">= L."),
    ("queens", "prolog", "1..N,\n    safe", "2..N,\n    safe"),
    ("queens", "prolog", r"Q #\= Q0,", "Q #> Q0,"),
    ("queens", "prolog", r"abs(Q - Q0) #\= D", "abs(Q - Q0) #> D"),
    ("queens", "prolog", "abs(Q - Q0)", "abs(Q + Q0)"),
    ("queens", "prolog", "    safe(Columns).", "    Columns = [2|_],\n    safe(Columns)."),
    ("colours", "prolog", "C in 1..3", "C in 1..2"),
    ("colours", "prolog", r"A #\= B", "A #< B"),
    ("square", "prolog", "#=, 15", "#=, 16"),
    ("square", "prolog", "Values ins 1..9", "Values ins 1..8"),
    ("square", "prolog", "all_distinct(Values),", "all_distinct(Values), A #> 4,"),
    ("sack", "prolog", "Weight #=< L", "Weight #< L"),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "backend", "old", "new"), EXCLUDED)
def test_a_goal_or_a_statement_that_excludes_an_answer_comes_first(
    planted, name, backend, old, new
):
    instance = planted(name, backend, old, new)
    text = instance.problem.path(backend).read_text()
    line = text.count("\n", 0, text.index(new)) + 1
    answers = lost(instance, backend)
    assert answers
    for answer in answers[:3]:
        found = refusal(instance, answer, backend)
        assert (found.kind, found.lines[0].number) == ("excluded", line), str(found)
        assert found.together == 1


@pytest.mark.parametrize(
    ("name", "backend", "old", "new", "atoms"),
    [
        ("queens", "clingo", "C = 1..N }", "C = 1..N-1 }", "queen("),
        ("queens", "clingo", "R = 1..N.", "R = 2..N.", "queen(1,"),
        ("colours", "clingo", "1..3)", "1..2)", "colour("),
        ("sack", "clingo", "0..1)", "1..1)", "take("),
        ("sack", "clingo", "0..1)", "0)", "take("),
    ],
)
def test_the_rule_that_should_derive_an_atom_comes_first(planted, name, backend, old, new, atoms):
    instance = planted(name, backend, old, new)
    line = instance.problem.path(backend).read_text()
    for answer in lost(instance, backend)[:3]:
        found = refusal(instance, answer, backend)
        assert (found.kind, found.lines[0].number) == (
            "underived",
            line.count("\n", 0, line.index(new)) + 1,
        )
        assert f"refuses it: no rule derives {atoms}" in str(found)


@pytest.mark.parametrize(
    ("name", "old", "new", "number"),
    [
        ("queens", "|R-S| = |C-D|", "|R-S| >= |C-D|", 3),
        ("colours", "link(X,Y) :- edge(Y,X).", "link(X,Y) :- edge(Y,X), X != d.", 2),
        ("colours", "link(X,Y) :- edge(Y,X).", "link(X,X) :- edge(Y,X).", 2),
        ("square", "n*(n*n+1)/2", "n*(n*n+1)/3", 5),
        ("square", "cell(1..n,1..n)", "cell(1..n,2..n)", 2),
    ],
)
def test_a_definition_that_is_wrong_is_among_the_lines(planted, name, old, new, number):
    instance = planted(name, "clingo", old, new)
    for answer in lost(instance, "clingo")[:3]:
        found = refusal(instance, answer, "clingo")
        assert number in [each.number for each in found.lines], str(found)


def test_a_definition_that_several_statements_use_comes_first(planted):
    instance = planted("square", "clingo", "n*(n*n+1)/2", "n*(n*n+1)/3")
    found = refusal(instance, lost(instance, "clingo")[0], "clingo")
    total = "total(n*(n*n+1)/3) :- go."
    assert found.lines[0] == Line("square.lp", 5, total, 1, "derives total(N) for N = 10")


PICKED = """\
{ pick(X) : X = 1..4 } = 2.
ok(K) :-
    kind(K),
    apart,
    not both(K).
apart :- pick(X), pick(Y), X < Y,
    Y > X + K, least(K).
least(2).
both(K) :- pick(K), pick(K+1).
kind(1..2).
:- kind(K), not ok(K).
"""


@pytest.mark.parametrize(
    ("chosen", "line", "text"),
    [((1, 3), 7, "Y > (X+K)"), ((2, 3), 7, "Y > (X+K)"), ((1, 2), 5, "not both(K)")],
)
def test_the_literal_is_named_that_keeps_a_rule_from_what_is_demanded(tmp_path, chosen, line, text):
    program = PICKED.replace("least(2)", "least(0)") if chosen == (1, 2) else PICKED
    problem = written(tmp_path / "picked", picked_lp=program + "#show pick/1.\n")
    answer = Answer(Atom("pick", (each,)) for each in chosen)
    reason = refusal(problem.instance(""), answer, "clingo")
    assert reason.kind == "excluded"
    assert (reason.lines[0].number, reason.lines[0].text) == (line, text)


def test_goals_that_refuse_only_together_are_named_together(planted):
    instance = planted("queens", "prolog", "D1 #= D + 1", "D1 #= D + 2")
    found = [refusal(instance, answer, "prolog") for answer in lost(instance, "prolog")]
    assert found
    for each in found:
        assert each.kind == "excluded"
        assert 22 in [line.number for line in each.lines]


@pytest.mark.parametrize(
    ("old", "new", "why", "number"),
    [
        ("between(1, N, R)", "between(2, N, R)", "model gives no pair for queen(1)", 4),
        ("between(1, N, R)", "between(0, N, R)", "model gives a pair for queen(0)", 4),
    ],
)
def test_a_pair_that_is_missing_or_too_much_is_named(planted, old, new, why, number):
    instance = planted("queens", "prolog", old, new)
    found = refusal(instance, lost(instance, "prolog")[0], "prolog")
    assert (found.kind, found.lines[0].number) == ("underived", number)
    assert str(found).startswith(f"prolog refuses it: {why}")


def test_the_domain_that_excludes_a_name_is_named(planted):
    instance = planted("queens", "prolog", "", "")
    answer = pls.Answer(pls.Atom("queen", (r, "left")) for r in range(1, 7))
    assert (found := refusal(instance, answer, "prolog")).kind == "excluded"
    assert "Columns ins 1..N" in str(found)


def test_a_goal_without_constraints_that_fails_is_named(planted):
    new = "    nth0(0, Columns, First), label(Columns), First mod 2 =:= 1,\n    safe(Columns)."
    instance = planted("queens", "prolog", "    safe(Columns).", new)
    answers = lost(instance, "prolog")
    assert {next(iter(answer.values("queen")))[1] for answer in answers} == {2, 4}
    for answer in answers:
        found = refusal(instance, answer, "prolog")
        assert str(found) == "prolog refuses it: queens.pl:7 fails: First mod 2 =:= 1"


@pytest.mark.parametrize("keeps", ["once(label(Columns))", "label(Columns), !"])
def test_an_answer_that_is_accepted_and_not_found_is_told_apart(planted, keeps):
    instance = planted("queens", "prolog", "    safe(Columns).", f"    safe(Columns), {keeps}.")
    answers = lost(instance, "prolog")
    assert len(answers) == 3
    for answer in answers:
        found = refusal(instance, answer, "prolog")
        assert str(found) == (
            "prolog accepts it in full, but does not find it when it searches;"
            " look at queens.pl:7: label(Columns)"
        )


def test_the_cost_is_the_reason_if_there_are_better_answers(planted):
    instance = planted("sack", "prolog", "Weight #=< L", "Weight #=< L + 2")
    (answer,) = lost(instance, "prolog")
    assert str(refusal(instance, answer, "prolog")) == (
        "prolog refuses it: its cost is -9, and the best is -11"
    )


def test_the_cost_is_the_reason_for_clingo_too(planted):
    instance = planted("sack", "clingo", "> L.", "> L+2.")
    (answer,) = lost(instance, "clingo")
    found = refusal(instance, answer, "clingo")
    assert (found.kind, found.lines[0].number) == ("cost", 3)
    assert "its cost is -9, and the best is -11" in str(found)


def test_atoms_that_only_derive_each_other_are_told(tmp_path):
    folder = tmp_path / "circle"
    folder.mkdir()
    (folder / "circle.lp").write_text("a :- b.\nb :- a.\n#show a/0.\n#show b/0.\n")
    instance = Problem(folder).instance("")
    found = refusal(instance, Answer([Atom("a"), Atom("b")]), "clingo")
    assert (found.kind, [each.number for each in found.lines]) == ("underived", [1, 2])
    assert "its atoms are derived only from each other" in str(found)


def test_a_text_may_be_a_string_in_the_program(tmp_path):
    folder = tmp_path / "names"
    folder.mkdir()
    (folder / "names.lp").write_text(
        '{ chosen("red";"blue") } = 1.\n:- chosen("red").\n#show chosen/1.\n'
    )
    found = refusal(Problem(folder).instance(""), Answer([Atom("chosen", ("red",))]), "clingo")
    assert str(found) == 'clingo refuses it: names.lp:2 excludes it: :- chosen("red").'


def test_the_call_that_no_clause_fits_is_told(tmp_path):
    problem = written(tmp_path / "few", few_pl="answer([p(1)]).\nanswer([p(2)]).\n")
    found = refusal(problem.instance(""), Answer([Atom("p", (3,))]), "prolog")
    assert found.kind == "excluded"
    assert found.why == "no clause of answer/1 fits answer([_])"
    assert [each.number for each in found.lines] == [1, 2]


GUESSED = """\
answer(Atoms) :-
    size(N),
    numlist(1, N, Rows),
    permutation(Rows, Columns),
    safe(Columns),
    maplist([R,C,queen(R,C)]>>true, Rows, Columns, Atoms).

safe([]).
safe([Q|Qs]) :-
    apart(Qs, Q, 1),
    safe(Qs).

apart([], _, _).
apart([Q|Qs], Q0, D) :-
    abs(Q - Q0) =\\= D,
    D1 is D + 1,
    apart(Qs, Q0, D1).
"""


@pytest.mark.parametrize(
    ("old", "new", "number"),
    [
        ("abs(Q - Q0)", "abs(Q + Q0)", 15),
        ("safe(Columns),", "safe(Columns), Columns \\= [2|_],", 5),
    ],
)
def test_a_program_without_constraints_names_the_goal_that_fails(tmp_path, old, new, number):
    folder = tmp_path / "queens"
    folder.mkdir()
    (folder / "queens.pl").write_text(GUESSED.replace(old, new))
    (folder / "problem.toml").write_text('output = ["queen/2"]\ninput = ["size/1"]\n')
    instance = Problem(folder).instance("size=6")
    answers = lost(instance, "prolog")
    assert answers
    for answer in answers:
        found = refusal(instance, answer, "prolog")
        assert (found.kind, found.lines[0].number) == ("excluded", number), str(found)


TASKS = """\
:- use_module(library(clpfd)).
{asked} :-
    findall(D, task(_, D), Ds),
    same_length(Ds, Begins),
    same_length(Ds, Ends),
    Begins ins 0..9,
    ends(Begins, Ds, Ends),
    findall(A-B, before(A, B), Order),
    maplist(in_order(Begins, Ends), Order){last}.

ends([], [], []).
ends([Begin|Begins], [D|Ds], [End|Ends]) :-
    End #= Begin + D,
    ends(Begins, Ds, Ends).

in_order(Begins, Ends, A-B) :-
    element(A, Ends, EndA),
    element(B, Begins, BeginB),
    EndA #< BeginB.
"""
SUMMED = """\
:- use_module(library(clpfd)).
answer([x(X), y(Y)]) :-
    [X,Y] ins 1..9,
    apart(X, Y),
    Y #> X,
    label([X,Y]).
apart(X, Y) :-
    D #= Y - X,
    near(D).
near(D) :- most(M), Max is M-1, D in 0..Max.
"""
LATE = """\
:- use_module(library(clpfd)).
answer(Atoms) :-
    size(N),
    length(Xs, N),
    Max is N-1,
    Xs ins 1..Max,
    all_different(Xs),
    label(Xs),
    atoms(Xs, 1, Atoms).
atoms([], _, []).
atoms([X|Xs], I, [x(I,X)|Atoms]) :-
    J is I+1,
    atoms(Xs, J, Atoms).
"""
BUILT = """\
answer(Atoms) :-
    size(N),
    numlist(2, N, Ns),
    permutation(Ns, Xs),
    Xs \\= [3,2|_],
    atoms(Xs, 1, Atoms).
atoms([], _, []).
atoms([X|Xs], I, [x(I,X)|Atoms]) :-
    J is I+1,
    atoms(Xs, J, Atoms).
"""
LUCKY = """\
answer([x(X)]) :-
    digit(X),
    (   X > 3
    ;   lucky(X)
    ).
digit(3). digit(4).
"""
OTHER = """\
:- use_module(library(clpfd)).
answer([x(X)]) :-
    X in 1..3,
    Y #= X + 1,
    Y #> 5,
    label([X,Y]).
answer([name(L)]) :-
    size(N),
    numlist(1, N, Ns),
    maplist(name, Ns, L).
name(1, one).
name(2, two).
"""
ORDERED = [Atom("x", (1, 2)), Atom("x", (2, 1)), Atom("x", (3, 3))]


@pytest.mark.parametrize(
    ("text", "facts", "atoms", "named"),
    [
        pytest.param(
            TASKS.format(
                asked="model(Pairs)",
                last=",\n    findall(x(T), task(T, _), Ts), pairs_keys_values(Pairs, Ts, Begins)",
            ),
            "task(1,2). task(2,1). before(1,2).",
            [Atom("x", (1, 0)), Atom("x", (2, 2))],
            ["EndA #< BeginB"],
            id="what relates is named before what fetches, and what defines",
        ),
        pytest.param(
            TASKS.format(asked="answer([x(Begins)])", last=", label(Begins)"),
            "task(1,2). task(2,1). before(1,2).",
            [Atom("x", (Atom("[]", (0, 2)),))],
            ["EndA #< BeginB"],
            id="so it is where the program searches itself",
        ),
        pytest.param(
            SUMMED,
            "most(3).",
            [Atom("x", (1,)), Atom("y", (4,))],
            ["D in 0..Max", "D #= Y - X"],
            id="a domain is a line like any other",
        ),
        pytest.param(
            LATE,
            "size(3).",
            ORDERED,
            ["Xs ins 1..Max", "Max is N-1"],
            id="so it is where the atoms come after the search",
        ),
        pytest.param(
            BUILT,
            "size(3).",
            ORDERED,
            ["permutation(Ns, Xs)", "numlist(2, N, Ns)", "size(N)"],
            id="what builds the atoms comes last",
        ),
        pytest.param(
            OTHER,
            "size(3).",
            [Atom("name", (Atom("[]", ("one", "two", "three")),))],
            ["maplist(name, Ns, L)"],
            id="a clause for other atoms is not to blame",
        ),
        pytest.param(LUCKY, "lucky(7).", [Atom("x", (3,))], ["X > 3"], id="a fact is fetched"),
    ],
)
def test_of_several_goals_the_likeliest_one_comes_first(tmp_path, text, facts, atoms, named):
    inputs = 'input = ["task/2", "before/2", "size/1", "most/1", "lucky/1"]'
    problem = written(tmp_path / "mine", mine_pl=text, problem_toml=inputs)
    found = refusal(problem.instance(facts), Answer(atoms), "prolog")
    assert found.kind == "excluded"
    assert [line.text for line in found.lines[: len(named)]] == named, found.lines


SUM = """\
answer([sum(S)]) :-
    findall(X, item(X), Xs),
    sum(Xs, S).
sum([X|Xs], S) :-
    sum(Xs, S0),
    S is S0+X.
"""


@pytest.mark.parametrize(
    ("text", "atom", "why", "numbers"),
    [
        (SUM, Atom("sum", (7,)), "no clause of sum/2 fits sum([],_)", [4, 5]),
        (SUM + "sum(nil, 0).\n", Atom("sum", (7,)), "no clause of sum/2 fits sum([],_)", [7, 4]),
        (
            SUM.replace("sum([", "total([").replace("sum(Xs, S)", "maplist(name, Xs, S)")
            + "name(3, three).\nname(5, five).\n",
            Atom("sum", (Atom("[]", ("three", "four")),)),
            "no clause of name/2 fits name(4,_)",
            [3, 7],
        ),
    ],
)
def test_the_call_within_a_program_that_no_clause_fits_is_told(tmp_path, text, atom, why, numbers):
    problem = written(tmp_path / "mine", mine_pl=text, problem_toml='input = ["item/1"]')
    found = refusal(problem.instance("item(3). item(4)."), Answer([atom]), "prolog")
    assert (found.kind, found.why) == ("excluded", why)
    assert [each.number for each in found.lines[:2]] == numbers, found.lines


def test_it_ends_when_the_time_is_up(tmp_path):
    folder = tmp_path / "endless"
    folder.mkdir()
    (folder / "endless.pl").write_text("model([p-V]) :- repeat, V = 1, fail.\n")
    (folder / "problem.toml").write_text('output = ["p/1"]\n')
    instance = Problem(folder).instance("")
    with pytest.raises(SolveTimeout):
        refusal(instance, Answer([Atom("p", (1,))]), "prolog", timeout=0.5)


def test_a_refusal_is_json(planted):
    instance = planted("queens", "clingo", "= 1 :-", "= 2 :-")
    found = refusal(instance, lost(instance, "clingo")[0], "clingo")
    text = "{ queen(R,C) : C = 1..N } = 2 :- size(N), R = 1..N."
    assert found.to_json() == {
        "backend": "clingo",
        "kind": "excluded",
        "lines": [{"file": "queens.lp", "line": 1, "text": text}],
        "together": 1,
        "text": f"clingo refuses it: queens.lp:1 excludes it: {text}",
    }
    words = "counts 1 in the braces where N=6, R=1"
    assert found == Refusal("clingo", "excluded", (Line("queens.lp", 1, text, 1, words),))


# --- the reasons of a comparison ---

DIFFERENT = {
    "mine_lp": "{ q(1..3) } = 1.\n:- q(1).\n#show q/1.",
    "mine_pl": ":- use_module(library(clpfd)).\nmodel([q-V]) :-\n    V in 1..3,\n    V #\\= 3.",
}


def test_a_comparison_has_a_reason_for_each_answer_that_is_rejected(tmp_path):
    comparison = pls.compare(written(tmp_path / "mine", **DIFFERENT).instance())
    refused = {
        name: {str(answer): (each.kind, each.lines[0].number) for answer, each in reasons.items()}
        for name, reasons in comparison.refusals.items()
    }
    assert refused == {"clingo": {"q(1).": ("excluded", 2)}, "prolog": {"q(3).": ("excluded", 4)}}
    assert str(comparison) == (
        "the engines disagree; clingo has q(3); prolog refuses it: mine.pl:4 fails: V #\\= 3;"
        " prolog has q(1); clingo refuses it: mine.lp:2 excludes it: :- q(1)."
    )
    with pytest.raises(pls.Disagreement) as raised:
        comparison.check()
    error = pickle.loads(pickle.dumps(raised.value))
    assert "clingo: 2 solutions; prolog: 2 solutions; clingo has q(3); prolog refuses" in str(error)
    assert "q(2)" not in str(error)
    assert error.refusals["clingo"][Answer([Atom("q", (1,))])].kind == "excluded"


def test_a_reason_is_looked_for_when_it_is_read(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "pylogic_sudoku.reasons.refusal.refusal",
        lambda _instance, answer, name, _timeout: (
            asked.append(str(answer)) or Refusal(name, "unknown")
        ),
    )
    comparison = pls.compare(written(tmp_path / "mine", **DIFFERENT).instance())
    assert [*map(str, comparison.refusals["clingo"])] == ["q(1)."]
    assert asked == []
    for _ in range(2):
        assert [each.kind for each in comparison.refusals["clingo"].values()] == ["unknown"]
    assert asked == ["q(1)."]


def test_a_reason_that_cannot_be_found_is_unknown(tmp_path):
    lp = "&dom{1..2} = q. &show{q}."
    instance = written(
        tmp_path / "mine", mine_clingcon_lp=lp, mine_pl=DIFFERENT["mine_pl"]
    ).instance()
    comparison = pls.compare(instance, ["prolog", "clingcon"])
    assert comparison.agree
    (tmp_path / "mine" / "mine_clingcon.lp").write_text(lp.replace("1..2", "2..2"))
    (reason,) = pls.compare(instance, ["prolog", "clingcon"]).refusals["clingcon"].values()
    assert (reason.kind, reason.lines) == ("unknown", ())
    assert "clingcon cannot say why it refuses an answer" in str(reason)


def test_sudokus_have_no_reasons():
    comparison = pls.compare("12..34......4321")
    assert comparison.refusals == {}


def test_an_atom_that_no_rule_derives_is_a_field(tmp_path):
    problem = written(tmp_path / "mine", mine_lp="1 { p(1..2) } 1. #show p/1.")
    why = pls.refusal(problem.instance(), pls.Answer([Atom("p", (3,))]), "clingo")
    assert (why.kind, why.atom) == ("underived", Atom("p", (3,)))
    assert why.to_json()["atom"] == ["p", 3]
    why = pls.refusal(problem.instance(), pls.Answer([Atom("p", (2**31,))]), "clingo")
    assert (why.kind, why.atom) == ("underived", Atom("p", (2**31,)))
    why = pls.refusal(problem.instance(), pls.Answer(), "clingo")
    assert why.atom is None
    assert "atom" not in why.to_json()
