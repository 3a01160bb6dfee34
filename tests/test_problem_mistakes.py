"""A mistake in a program is told with its file, its line, and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.problems import CLPFD, written

import pylogic_sudoku as pls

Make = Callable[..., pls.Instance]


@pytest.fixture
def make(tmp_path) -> Make:
    """An instance of a problem with these programs."""

    def made(facts: str = "", **files: str) -> pls.Instance:
        return written(tmp_path / "mine", **files).instance(facts)

    return made


# --- Prolog ------------------------------------------------------------------------------

MODEL = "model([q(1)-V]) :- V in 1..3.\n"
EXPECTED = "expected an integer, a name, a text or a term"
NO_DOMAIN = "3: model/1 gives the variable of q(1) no finite domain; write one, such as V in 1..9"
OPEN = (
    "3: model/1 has a variable that is in no pair and has no finite domain, so it is not known"
    " whether its constraints can be met; give it one"
)
NOT_THERE = "if instances have facts of it, name it under input in problem.toml"
NO_PAIR = (
    "expected Name(Arguments...)-Variable, such as queen(3)-V, or Atom #<==> Variable, such as"
    " select(a) #<==> B"
)
NOT_BOOLEAN = (
    "model/1 gives the variable of s(a) #<==> B not just the values 0 and 1; write B in 0..1"
)

# What stands in line 3 of mine.pl, and what the error says after the name of the file.
LIST_OF_PAIRS = "a list of pairs; expected Name(Arguments...)-Variable"
LIST_OF_ATOMS = "a list of atoms without variables; write each as a term, such as queen(1,5)"
REMOVE = "remove one of them, or give one another name"
WRONG = {
    "model(x).": f"3: model/1 gives x instead of {LIST_OF_PAIRS}",
    "model(_).": f"3: model/1 gives _ instead of {LIST_OF_PAIRS}",
    "model([q(1)-V|_]) :- V in 1..2.": (f"3: model/1 gives [q(1)-_|_] instead of {LIST_OF_PAIRS}"),
    "model([q(1)-V,q]) :- V in 1..2.": f"3: model/1 gives q as pair 2; {NO_PAIR}",
    "model([1-V]) :- V in 1..2.": f"3: model/1 gives 1-_ as pair 1; {NO_PAIR}",
    "model([q-1-V]) :- V in 1..2.": f"3: model/1 gives q-1-_ as pair 1; {NO_PAIR}",
    "model([[q]-V]) :- V in 1..2.": f"3: model/1 gives [q]-_ as pair 1; {NO_PAIR}",
    "model([_-V]) :- V in 1..2.": f"3: model/1 gives _-_ as pair 1; {NO_PAIR}",
    "model([q(1)-f(V)]) :- V in 1..2.": f"3: model/1 gives q(1)-f(_) as pair 1; {NO_PAIR}",
    "model([q(_)-V]) :- V in 1..2.": (
        "3: model/1 gives q(_)-_ as pair 1; expected a name without variables"
    ),
    "model([q(1.5)-V]) :- V in 1..2.": (
        f"3: model/1 gives q(1.5)-_ as pair 1, where 1.5 cannot be part of an atom; {EXPECTED}"
    ),
    "model([q(1)-f(2.5)]).": (
        f"3: model/1 gives q(1)-f(2.5) as pair 1, where 2.5 cannot be part of an atom; {EXPECTED}"
    ),
    "model([q(1)-_]).": NO_DOMAIN,
    "model([q(1)-V]) :- V #> 3.": NO_DOMAIN,
    "model([q(1)-V]) :- V in 1..3, W #> V, W * W #= Z + V.": OPEN,
    "model([q(1)-V]) :- V in 1..3, dif(W, V), freeze(W, fail).": OPEN,
    "model([q(1)-V]) :- V in 1..3, p(V).": (
        f"3: there is no predicate p/1, which is called here; {NOT_THERE}"
    ),
    "model([q(1)-V]) :- V in 1..3, maplist(p(V), [1]).": (
        f"3: there is no predicate p/2, which is called here; {NOT_THERE}"
    ),
    "model([q(1)-V]) :- V in 1..3, lists:p(V).": "3: model/1: Unknown procedure: lists:p/1",
    "model([q(1)-V]) :- V in 1..3, _ is x + 1.": (
        "3: is/2: Arithmetic: `x/0' is not a function; expected integers, variables, and +, -, *,"
        " //, mod, rem, abs, min and max of them"
    ),
    "model([s(a)#<==>_]).": f"3: {NOT_BOOLEAN}",
    "model([s(a)#<==>B]) :- B in 0..2.": f"3: {NOT_BOOLEAN}",
    "model([s(a)#<==>2]).": (
        "3: model/1 gives the pair s(a) #<==> 2; expected 0, 1, or a variable that is one of them"
    ),
    "model([B#<==>s(a)]) :- B in 0..1.": f"3: model/1 gives _ #<==> s(a) as pair 1; {NO_PAIR}",
    "model([s(_)#<==>B]) :- B in 0..1.": (
        "3: model/1 gives s(_) #<==> _ as pair 1; expected a name without variables"
    ),
    "model([s(a)#<==>B,t#<==>B,s(a)#<==>C]) :- [B,C] ins 0..1.": (
        "3: model/1 gives two pairs for the atom s(a); give one"
    ),
    "model([s(a)-V,s(a,2)#<==>B]) :- B in 0..1, V in 1..3.": (
        "3: model/1 gives the atom s(a,2) by s(a,2) #<==> B and by s(a)-V, whose variable may have"
        " that value; give one of the pairs"
    ),
    "model([q(1)-V], 1.5) :- V in 1..3.": (
        "3: model/2 gives [1.5] as cost; expected a variable with constraints, or a list of such"
    ),
    "model([q(1)-V], _) :- V in 1..3.": (
        "3: model/2 gives [_] as cost; expected a variable with constraints, or a list of such"
    ),
    "model([q(1)-V], []) :- V in 1..3.": (
        "3: model/2 gives [] as cost; expected a variable with constraints, or a list of such"
    ),
    "answer([q(_)]).": f"3: answer/1 gives [q(_)] instead of {LIST_OF_ATOMS}",
    "answer(q).": f"3: answer/1 gives q instead of {LIST_OF_ATOMS}",
    "answer([1]).": f"3: answer/1 gives [1] instead of {LIST_OF_ATOMS}",
    "answer([q([1.5])]).": (
        f"3: answer/1 gives q([1.5]), where 1.5 cannot be part of an atom; {EXPECTED}"
    ),
    "answer([q(1.5)]).": (
        f"3: answer/1 gives q(1.5), where 1.5 cannot be part of an atom; {EXPECTED}"
    ),
}
ASK = {
    "solve": lambda instance: pls.solve(instance, "prolog"),
    "count": lambda instance: pls.count(instance, "prolog"),
    "solutions": lambda instance: list(pls.solutions(instance, "prolog")),
    "measure": lambda instance: pls.measure(instance, "prolog"),
    "compare": lambda instance: pls.compare(instance, ["prolog"]),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("line", "said"), WRONG.items(), ids=WRONG)
def test_a_wrong_model_is_told_with_its_line(make, line, said):
    instance = make(mine_pl=f"{CLPFD}\n{line}\n")
    for ask in ASK.values():
        with pytest.raises(pls.BackendFailure) as error:
            ask(instance)
        assert str(error.value) == f"SWI-Prolog: mine.pl:{said}"


CLPZ = ":- use_module(library(clpz)).\nanswer([p(X)]) :- X in 1..3, label([X])."
ELSEWHERE = {
    "Scryer": (CLPZ, "mine.pl:1: library(clpz) is of Scryer Prolog: write library(clpfd)\n"),
    "SICStus": (
        f"{CLPFD}answer([p(X)]) :- domain([X], 1, 3), labeling([], [X]).",
        "mine.pl:2: domain/3 is of SICStus Prolog: write Xs ins L..H",
    ),
    "SICStus library": (
        ":- use_module(library(between)).\nanswer([]).",
        "mine.pl:1: library(between) is of SICStus Prolog or Scryer Prolog: leave it out;",
    ),
    "GNU": (
        "answer([p(X)]) :- fd_domain([X], 1, 3), fd_labeling([X]).",
        "mine.pl:1: fd_domain/3 is of GNU Prolog: write Xs ins L..H",
    ),
    "B-Prolog": (
        "answer([p(X)]) :- Xs = [X], Xs :: 1..3, labeling(Xs).",
        "X :: L..H is of B-Prolog, Picat and ECLiPSe: write X in L..H",
    ),
    "B-Prolog names": (
        f"{CLPFD}answer([p(X)]) :- X in 1..3,\n    alldifferent([X]).",
        "mine.pl:3: alldifferent/1 is of B-Prolog or ECLiPSe: write all_different/1",
    ),
    "Picat": (
        "import cp.\nmain => X :: 1..3, solve([X]), println(X).",
        "this is Picat, another language: write :- use_module(library(clpfd)) instead of import cp",
    ),
    "ECLiPSe": (
        ":- lib(ic).\nanswer([]).",
        "mine.pl:1: lib/1 is of ECLiPSe: write :- use_module(library(clpfd))",
    ),
    "no operators": (
        "answer([p(X)]) :- X in 1..3, X #= 2.",
        "the program uses operators of library(clpfd): put :- use_module(library(clpfd)). at the",
    ),
}


@pytest.mark.parametrize(("text", "said"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_what_other_prolog_systems_have_is_named_with_what_to_write(make, text, said):
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(make(mine_pl=text), "prolog")
    assert said in f"{error.value}\n"
    assert str(error.value).count("use_module(library(clpfd))") <= 1


@pytest.mark.parametrize("library", ["chr", "clpr", "clpq"])
def test_a_library_is_there_or_is_named_with_the_cure(make, library):
    instance = make(mine_pl=f":- use_module(library({library})).\nanswer([ok]).")
    try:
        said = str(pls.solve(instance, "prolog"))
    except pls.BackendFailure as error:
        said = str(error)
    missing = (
        f"mine.pl:1: library({library}) is not part of the SWI-Prolog that runs here: install a"
        " whole SWI-Prolog, and set up with SWIPL=path/to/swipl make setup, or do without"
    )
    assert said == "ok." or said.endswith(missing)


def test_what_the_program_throws_is_told(make):
    instance = make(mine_pl="model(_) :- throw(my_error).\n")
    with pytest.raises(
        pls.BackendFailure, match=r"^SWI-Prolog: mine\.pl:1: the program throws my_error$"
    ):
        pls.solve(instance, "prolog")


# What mine.pl is, and what the error says after the path of the file.
BROKEN = {
    f"{CLPFD}model([q(1)-V) :- V in 1..3.": ":2:14: Syntax error: Illegal start of term",
    f"{CLPFD}\nmodel(P) :- P = [q(1)-V, V in 1..3.\n": ":3:35: Syntax error: Operator expected",
    "model([]).\n<<<<<<< HEAD\np(1).\n=======\np(2).\n>>>>>>> mine\n": (
        ":2:1: Syntax error: Operator expected; "
        "a merge conflict has left line 2: keep one of the two sides, and remove the marks"
    ),
    "model(P) :-\n    length(P, 1),\n=======\n    length(P, 2),\n    p(P).\n": (
        ":3:1: Syntax error: Operator expected; "
        "a merge conflict has left line 3: keep one of the two sides, and remove the marks"
    ),
    "model(P) :- P = 'a.\n": ":1:1: Syntax error: End of file in quoted atom",
    'model(P) :-\n\t"äö" = P,\tP = a b.\n': ":2:18: Syntax error: Operator expected",
    "model([]).\n:- include('no/where').\n": ":2: source_sink `'no/where'' does not exist",
    ":- use_module(library(lists)).\nmodel([]).\nm(1).\n:- include(m).\n": (
        ":4: source_sink `m' does not exist"
    ),
    "model([]).\n:- include(\n  'm').\n": ":3: source_sink `m' does not exist",
    "/** usage\n```\n?- model(X).\n```\n*/\nmodel([]).\nfoo(X :- bar.\n": (
        ":7:13: Syntax error: Operator expected"
    ),
    "/*\nimport cp.\nX :: 1..3.\n*/\nmodel(X) :- ok(X) ok(X).   % and then\n": (
        ":5:19: Syntax error: Operator expected"
    ),
    "model(X) :- X = 'a and b' c.\n": ":1:27: Syntax error: Operator expected",
    ":- use_module(library(nowhere)).\nmodel([]).": (
        ":1: source_sink `library(nowhere)' does not exist"
    ),
    ":- p.\nmodel([]).": ":1: catch/3: Unknown procedure: p/0",
    f"{CLPFD}model(A, B, C) :- true.\nmodell(X) :- true.\nother.": (
        ": there is no predicate model/1 or model/2 or answer/1 or answer/2;"
        " there is model/3 and modell/1"
    ),
    "queens(N, Qs) :- true.": (
        ": there is no predicate model/1 or model/2 or answer/1 or answer/2; there is queens/2"
    ),
    "": ": there is no predicate model/1 or model/2 or answer/1 or answer/2",
}


@pytest.mark.parametrize(("text", "said"), BROKEN.items(), ids=map(repr, BROKEN))
def test_a_program_that_does_not_load_is_told_with_its_line(make, text, said):
    instance = make(mine_pl=text)
    for _ in range(2):  # nothing is left of the first try
        with pytest.raises(pls.BackendFailure) as error:
            pls.solve(instance, "prolog")
        file = instance.problem.folder / "mine.pl"
        assert str(error.value).replace(str(file), "") == f"SWI-Prolog: {said}"
    (instance.problem.folder / "mine.pl").write_text(CLPFD + MODEL)
    assert pls.count(instance, "prolog") == 3


def test_operators_without_their_library_are_told(make):
    instance = make(mine_pl=MODEL)
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(instance, "prolog")
    assert str(error.value).endswith(
        "mine.pl:1:22: Syntax error: Operator expected; the program uses operators of"
        " library(clpfd): put :- use_module(library(clpfd)). at the top of the program"
    )


@pytest.mark.parametrize(
    ("goal", "cure"),
    [
        ("V <= 2", "<= is not an operator in Prolog: write =<, and #=< between variables"),
        ("W = '!=', V #!= 2", "#!= is not an operator in Prolog: write #\\="),
        (
            "V #=> 2 % <=",
            "#=> is not an operator in Prolog: write #>=, or #==> for an implication",
        ),
        ("V #> 0 && V #< 3", "&& is not an operator in Prolog: write a comma, and #/\\ between"),
    ],
)
def test_operators_of_other_languages_are_told(make, goal, cure):
    instance = make(mine_pl=f"{CLPFD}model([q(1)-V]) :-\n    V in 1..3, {goal}\n    .\n")
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(instance, "prolog")
    told, said = str(error.value).split("; ", 1)
    assert re.search(r"mine.pl:3:\d+: Syntax error: Operator expected$", told)
    assert said.startswith(cure)


NAMED = (
    "correct its name or its arguments, or name it under input in problem.toml if instances have"
    " facts of it"
)


@pytest.mark.parametrize(
    "goals",
    [
        "W = [min(V)],  % the min(V)\n    min(W)",
        "\\+ member(_, [min(V)])\n    ->  true\n    ;   min(V)",
        "W = min(_),\n    \\+ \\+ ( min(V), W = W )",
        "W = min(_),\n    findall(W, min(V), _)",
        "X = min(Y),\n    setof(X, Y^min(Y), _)",
        "W = min(V),\n    maplist(min, [W])",
        "W = min(V),\n    maplist([X]>>min(X), [W])",
    ],
)
def test_the_line_of_a_missing_predicate_is_that_of_its_call(make, goals):
    """Not of a term or a comment that has its name, in this clause or in another one."""
    labels = "labels(Vs) :- labeling([min(1)], Vs)."
    begin = f"{CLPFD}first_{labels}\nmodel([q-V]) :-\n    V in 1..3,\n    {goals}."
    line = len(begin.splitlines())
    text = f"{begin}\n{labels}\n"
    with pytest.raises(pls.BackendFailure, match=rf"^SWI-Prolog: mine\.pl:{line}: there is no "):
        pls.solve(make("size(3).", mine_pl=text), "prolog")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{CLPFD}model([q-V]) :- V in 1..3, circut([V]).",
            f"circut/1*; there is circuit/1; {NAMED}",
        ),
        (f"{CLPFD}model([q-V]) :- size(V, 3).", f"size/2*; there is size/1; {NAMED}"),
        (f"{CLPFD}model([q-V]) :- sise(V).", f"sise/1*; there is size/1; {NAMED}"),
        (f"{CLPFD}model([q-V]) :- help(1, V).\nhalp(V, V).", f"help/2*; there is halp/2; {NAMED}"),
        (
            "model([q-V]) :- all_distinct([V]).",
            "all_distinct/1*; it is of library(clpfd): write :- use_module(library(clpfd)).",
        ),
        (
            f"{CLPFD}model([q-V]) :- taut(V, _).",
            "taut/2*; it is of library(clpb): write :- use_module(library(clpb)).",
        ),
    ],
)
def test_the_predicate_that_may_be_meant_is_told(make, text, said):
    instance = make("size(3).", mine_pl=text)
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(instance, "prolog")
    assert str(error.value).endswith(
        f"there is no predicate {said.replace('*', ', which is called here')}"
    )
    (message,) = error.value.messages
    assert message.kind == ("no-predicate" if said.endswith(NAMED) else "not-loaded")


# A fact, and what the error says after the name of the file.
FACTS = {
    "size(3).": f"3: size/1 is defined here, and the instance has facts of it; {REMOVE}",
    "model(3).": f"2: model/1 is defined here, and the instance has facts of it; {REMOVE}",
    "write(3).": " write/1 belongs to Prolog, and the instance has facts of it",
    "call(3).": " call/1 belongs to Prolog, and the instance has facts of it",
    "label(3).": " label/1 belongs to library(clpfd), and the instance has facts of it",
}


@pytest.mark.parametrize(("fact", "said"), FACTS.items(), ids=FACTS)
def test_facts_of_a_predicate_that_is_defined_are_refused(make, fact, said):
    instance = make(fact, mine_pl=f"{CLPFD}{MODEL}size(2).\n")
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(instance, "prolog")
    rename = "" if "here" in said else "; give them another name"
    assert str(error.value) == f"SWI-Prolog: mine.pl:{said}{rename}"
    assert pls.count(instance.problem.instance("other(3)."), "prolog") == 3


def test_facts_have_names_that_are_operators_in_prolog(make):
    model = "model([q(1)-V]) :- is(N), op(mod,dynamic), V in 1..N.\n"
    instance = make("is(3). op(mod,dynamic). mod. rem.", mine_pl=CLPFD + model)
    assert pls.count(instance, "prolog") == 3


def test_an_input_without_facts_fails(make):
    text = f"{CLPFD}model([q(1)-V]) :- V in 1..3, ( n(N) -> V #< N ; true ).\n"
    instance = make(mine_pl=text, problem_toml='input = ["n/1"]')
    assert pls.count(instance, "prolog") == 3
    assert pls.count(instance.problem.instance("n(2)."), "prolog") == 1
    instance = make(mine_pl=text, mine_lp="#defined n/1.", problem_toml="")
    assert pls.count(instance, "prolog") == 3


@pytest.mark.parametrize("ask", [pls.propagate, lambda *which: list(pls.trace(*which))])
def test_what_cannot_be_watched_is_told(make, ask):
    with pytest.raises(pls.BackendFailure) as error:
        ask(make(mine_pl="\nanswer([q(1)]).\n"), "prolog")
    assert str(error.value) == (
        "SWI-Prolog: mine.pl:2: answer/1 searches on its own, which cannot be watched; ask a"
        " program with model/1"
    )
    text = f"{CLPFD}model(Pairs) :- V in 1..3, label([V]), Pairs = [q(1)-V].\n"
    with pytest.raises(pls.BackendFailure) as error:
        ask(make(mine_pl=text), "prolog")
    assert str(error.value).startswith("SWI-Prolog: mine.pl:2: ")
    assert "the search begins before it is known what is searched for" in str(error.value)


def test_pairs_that_are_no_outputs_are_told_with_both(make):
    texts = {"mine_lp": "{queen(1,1..3)} = 1.\n#show queen/2.", "mine_pl": f"{CLPFD}{MODEL}"}
    instance = make(**texts)
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(instance, "prolog")
    assert str(error.value) == (
        "SWI-Prolog: mine.pl:2: model/1 gives the pair q(1)-V, an atom of q/2, and answers consist"
        " of queen/2; give one the name and the arguments of the other"
    )
    assert pls.count(instance, "clingo") == 3


# --- clingo and clingcon -----------------------------------------------------------------

# What mine.lp is, and what the error says after "clingo: ", with FILE for its path.
NOT_ASP = {
    "a.\nb :- c d.\n": "parsing failed\nFILE:2:8-9: error: syntax error, unexpected <IDENTIFIER>",
    "a.\n<<<<<<< HEAD\nb.\n=======\nc.\n>>>>>>> mine\n": (
        "parsing failed\nFILE:2:1-2: error: syntax error, unexpected <\n"
        "a merge conflict has left line 2: keep one of the two sides, and remove the marks"
    ),
    "a.\nb :- a, 1\n< 2 < 1 < <.\n": (
        "parsing failed\nFILE:3:11-12: error: syntax error, unexpected <\n"
        "if =< of Prolog is meant, write <= in ASP"
    ),
    "a.\nb(X) :- not a.\n": (
        "grounding stopped because of errors\nFILE:2:1-15: error: unsafe variables in:\n"
        "  b(X):-not a.\nFILE:2:3-4: note: 'X' is unsafe"
    ),
    "a.\nb(X).\n": (
        "grounding stopped because of errors\nFILE:2:1-6: error: unsafe variables in:\n"
        "  b(X).\nFILE:2:3-4: note: 'X' is unsafe"
    ),
}


@pytest.mark.parametrize(
    ("body", "cure"),
    [
        ("X =< 2", "if =< of Prolog is meant, write <= in ASP"),
        ("X \\= 2", r"if \= of Prolog is meant, write != in ASP"),
        ("X =\\= 2", r"if \+ or =\= of Prolog is meant, write not or != in ASP"),
        ("\\+ b(X)", r"if \+ or =\= of Prolog is meant, write not or != in ASP"),
        ("X #>= 2", "if #< or #= of library(clpfd) is meant, write < or = in ASP"),
    ],
)
def test_operators_of_prolog_are_told_in_asp(make, body, cure):
    instance = make(mine_lp=f"p(1..3). b(1).\nq(X) :- p(X), {body}.\n")
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(instance)
    assert str(error.value).endswith(f"\n{cure}")
    (message, *_) = error.value.messages
    assert (message.line, message.cure) == (2, cure)


@pytest.mark.parametrize(
    ("rule", "cure"),
    [
        ("1 { q(X,Y) : p(X) : p(Y) } 1.", ": is used as in gringo 3 here: write one : in each"),
        (":- not 3 #sum [q(X) : p(X) = X] 3.", "[ is used as in gringo 3 here: write braces"),
        (":- p(X), { q(X) : p(X), X =:= 1 }.", "if =:= of Prolog is meant, write = in ASP"),
        ("q([1]).", "ASP has no lists: write a fact for each element"),
    ],
)
def test_signs_of_gringo_3_are_told_from_those_of_prolog(make, rule, cure):
    instance = make(mine_lp=f"p(1..3). b(1).\n{rule}\n")
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(instance)
    (message, *_) = error.value.messages
    assert message.line == 2
    assert message.cure.startswith(cure)


@pytest.mark.parametrize(
    ("shows", "write"),
    [
        ("% #show at(X).\n#show b(X,Y).", "#show b/2."),
        ("#show -b(X).", "#show -b/1."),
        ("#show b/1.", "#show at/2."),
        ("", "#show at/2."),
    ],
)
def test_hide_is_no_longer_needed_beside_the_show_of_the_program(make, shows, write):
    instance = make(mine_lp=f"b(1).\n#hide.\n{shows}\n")
    with pytest.raises(pls.BackendFailure, match="since #show hides all else") as error:
        pls.solve(instance)
    assert f" write {write} for atoms that are shown" in error.value.messages[0].cure


@pytest.mark.parametrize(("text", "said"), NOT_ASP.items(), ids=map(repr, NOT_ASP))
def test_what_clingo_says_has_the_line(make, text, said):
    instance = make(mine_lp=text)
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(instance)
    file = instance.problem.folder / "mine.lp"
    assert re.sub(r"\s*$", "", str(error.value).replace(str(file), "FILE")) == f"clingo: {said}"


def told(error: pytest.ExceptionInfo[pls.SudokuError], file: Path) -> str:
    return str(error.value).replace(str(file), "FILE")


def test_an_output_that_the_program_has_nowhere_is_told(make):
    toml = 'output = ["r/2"]'
    instance = make(mine_lp="{q(1,1..3)} = 1. -s.", mine_pl=CLPFD + MODEL, problem_toml=toml)
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(instance)
    assert told(error, instance.problem.folder / "mine.lp") == (
        "FILE: no rule has r/2 as its head, and answers consist of such atoms; there is -s/0, q/2"
    )
    with pytest.raises(pls.BackendFailure, match=r"an atom of q/2, and answers consist of r/2;"):
        pls.solve(instance, "prolog")
    instance = make(mine_lp="{q(1,1..3)} = 1. #show q/1.", problem_toml="")
    with pytest.raises(pls.BackendFailure, match=r"no rule has q/1 as its head"):
        pls.solve(instance)
    assert str(pls.solve(instance.problem.instance("q(7)."))) == "q(7)."


def test_what_is_shown_may_be_a_term_unless_it_is_watched(make):
    text = "{q(1..2)} = 1. #show. #show r(X) : q(X)."
    instance = make(mine_lp=text, mine_other_lp=text.replace("r(X)", "r(3-X)"))
    assert {str(each) for each in pls.solutions(instance)} == {"r(1).", "r(2)."}
    assert pls.compare(instance, ["clingo:*"], limit=1).agree
    for ask in (pls.propagate, lambda which: list(pls.trace(which))):
        with pytest.raises(pls.BackendFailure) as error:
            ask(instance)
        assert told(error, instance.problem.folder / "mine.lp") == (
            "FILE: #show has a term, which is not watched; name a predicate instead: #show queen/2."
        )


def test_what_the_pairs_are_says_what_answers_are(make):
    instance = make(
        mine_lp="{q(1,1..3)} = 1. help(1..9).",
        mine_pl=f"{CLPFD}model([q(1)-V,own(1)-W]) :- V in 1..3, W #= V + 1.",
    )
    assert {str(each) for each in pls.solutions(instance)} == {f"q(1,{n})." for n in (1, 2, 3)}
    instance = make(mine_pl=CLPFD + MODEL.replace("q(", "r("))
    with pytest.raises(pls.BackendFailure, match=r"no rule has r/2 as its head, .* help/1, q/2$"):
        pls.solve(instance)


def test_a_question_to_clingo_runs_no_program_of_prolog(make, tmp_path):
    mark = tmp_path / "mark"
    text = f":- open('{mark}', write, S), close(S).\nmodel([q(1)-V]) :- repeat, V = 4, fail."
    instance = make(mine_lp="{q(1,1..3)} = 1. help(1..9).", mine_pl=text)
    assert {str(each) for each in pls.solutions(instance)} == {f"q(1,{n})." for n in (1, 2, 3)}
    assert not mark.exists()
    # Without pairs in its text, answers consist of all that clingo shows.
    instance = make(mine_lp="{q(1,1..3)} = 1.", mine_pl="model(_) :- repeat, fail.")
    assert pls.count(instance) == 3


def test_values_that_prolog_does_not_have_are_told(make):
    for text, value in (("a(#inf).", "#inf"), ("a(#sup).", "#sup")):
        instance = make(mine_lp=text)
        with pytest.raises(pls.BackendFailure) as error:
            pls.solve(instance)
        assert told(error, instance.problem.folder / "mine.lp") == (
            f"FILE: {value} is not a value that both engines have"
        )


def test_clingcon_says_what_it_does_not_take(make):
    text = "&dom{1..3} = q(1). &show{q(1)}."
    for what in ("minimize", "maximize"):
        instance = make(mine_lp=f"{text} &{what}{{q(1)}}.")
        with pytest.raises(pls.BackendFailure) as error:
            pls.solve(instance, "clingcon")
        assert told(error, instance.problem.folder / "mine.lp") == (
            "FILE: &minimize and &maximize are not taken, since not all best answers can be found;"
            " write #minimize about atoms"
        )
    instance = make(mine_lp=text, problem_toml='output = ["r/2"]')
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(instance, "clingcon")
    assert told(error, instance.problem.folder / "mine.lp") == (
        "FILE: the variables stand for q/2, and answers consist of r/2"
    )
    instance = make(mine_lp="&dom{1..3} = q(1)\n&show{q(1)}.", problem_toml="")
    with pytest.raises(pls.BackendFailure, match=r"mine\.lp:2:6-7: error: syntax error"):
        pls.solve(instance, "clingcon")


def test_an_error_has_the_line_of_the_goal(make):
    text = f"""{CLPFD}model([q(1)-V]) :-
    help(L, V),
    label(L).
help(L, V) :-
    true,
    L = [V],
    L ins 1..N,
    N > 3.
"""
    with pytest.raises(
        pls.BackendFailure, match=r"^SWI-Prolog: mine\.pl:8: Arguments are not suff"
    ):
        pls.solve(make(mine_pl=text), "prolog")
    text = "answer([q(1)]) :-\n    p(2).\np(X) :-\n    X > 1,\n    throw(too_large(X)).\n"
    with pytest.raises(pls.BackendFailure, match=r"mine\.pl:5: the program throws too_large\(2\)$"):
        pls.solve(make(mine_pl=text), "prolog")


RAISED = {
    "V < 2": (3, "instantiation-error", "between variables write #<"),
    "V =:= 2": (3, "instantiation-error", "between variables write #="),
    "W is V + 1, W #> 2": (3, "instantiation-error", "between variables write #="),
    "X in 1..N, N = 3": (3, "instantiation-error", "V in L..H needs a known L and H"),
    "X ins 1..3": (3, "instantiation-error", "and Vs ins L..H a list"),
    "X #> 0,\n    label([X])": (4, "instantiation-error", "give each variable a finite domain"),
    "X ins 1..n": (3, "instantiation-error", "V in L..H needs a known L and H"),
    "[X] ins 1..n": (3, "domain-error", "expected integers as in 1..9"),
    "X in foo": (3, "domain-error", "expected integers as in 1..9"),
    "V #= foo(2)": (3, "domain-error", "expected integers, variables, and +"),
    "sum([V], =, 3)": (3, "domain-error", "expected #=, #"),
    "X is 1 / 0": (3, "evaluation-error", "test the divisor before"),
    "X is a + 1": (3, "type-error", "expected integers, variables, and +"),
    "throw(oops)": (3, "thrown", ""),
    "h(V)": (3, "no-predicate", "name it under input in problem.toml"),
    "atom_length(X, 3)": (3, "instantiation-error", "something has no value here"),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("goal", RAISED)
@pytest.mark.parametrize("end", ["", ", true"])
def test_an_error_of_a_goal_has_its_line_and_a_cure(tmp_path, goal, end):
    text = f":- use_module(library(clpfd)).\nmodel([q(1)-V]) :- V in 1..3,\n    {goal}{end}.\n"
    problem = written(tmp_path / "mine", mine_pl=text)
    line, kind, cure = RAISED[goal]
    with pytest.raises(pls.BackendFailure) as caught:
        pls.solve(problem.instance(), "prolog")
    (message,) = caught.value.messages
    assert (message.file, message.line, message.kind) == ("mine.pl", line, kind)
    assert cure in message.cure
    assert bool(message.cure) == bool(cure)
    assert str(caught.value) == f"SWI-Prolog: {message}"


def test_a_cost_without_bounds_is_an_error_with_its_cure(tmp_path):
    text = ":- use_module(library(clpfd)).\nmodel([q(1)-V], Cost) :- V in 1..3, Cost #>= V.\n"
    with pytest.raises(pls.BackendFailure) as caught:
        pls.solve(written(tmp_path / "mine", mine_pl=text).instance(), "prolog")
    (message,) = caught.value.messages
    assert message == (
        "model/2 gives a cost without bounds",
        "no-bound",
        "mine.pl",
        2,
        None,
        "give it both, such as Cost in 0..100",
    )


def test_one_of_several_costs_without_bounds_is_named(make):
    text = f"{CLPFD}model([q(1)-V], [V, Cost, 3]) :- V in 1..3, Cost #>= V.\n"
    with pytest.raises(pls.BackendFailure, match="model/2 gives cost 2 of 3 without bounds"):
        pls.solve(make(mine_pl=text), "prolog")


def test_the_line_is_that_of_a_goal_at_the_end_of_a_clause(tmp_path):
    """The frame of such a clause has gone when the goal runs."""
    text = (
        ":- use_module(library(clpfd)).\n"
        "model([q(1)-V]) :-\n    V in 1..3,\n    maplist(small, [V]),\n    V #> 1.\n"
        "small(V) :-\n    V \\== 7,\n    V < 2.\n"
    )
    with pytest.raises(pls.BackendFailure, match=r"mine\.pl:8: </2: Arguments"):
        pls.solve(written(tmp_path / "mine", mine_pl=text).instance(), "prolog")


HUGE = "answer([far(X)]) :- X is 10 ** 5000 + 7.\n"


def test_an_answer_is_written_with_all_digits_of_a_number(make):
    (answer,) = pls.solutions(make(mine_pl=HUGE), "prolog")
    assert str(answer) == f"far(1{'0' * 4999}7)."


def test_a_number_that_no_json_holds_is_an_error_of_the_command(tmp_path, command):
    folder = written(tmp_path / "mine", mine_pl=HUGE).folder
    code, out, _ = command("solve", "-p", folder, "-b", "prolog")
    assert (code, len(out.strip())) == (0, len("far().") + 5001)
    code, out, err = command("solve", "-p", folder, "-b", "prolog", "-f", "json")
    assert code == 3
    words = "an answer has a number of more than 4300 digits, which is too large for JSON; choose"
    assert words in out
    assert words in err
