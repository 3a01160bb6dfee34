"""Small changes of a program."""

from __future__ import annotations

import pytest

from pylogic_sudoku.check.changes import changes

PROLOG = """\
good(X, []) :-
    low(X),
    \\+ odd(X, 7).
low(1).
low(20).
all([X|Xs]) :- high(X), all(Xs).
pair([X,Y], Y) :- high(X).
even(X) :- 0 is X mod 2.
"""


def changed(text: str, suffix: str) -> dict[str, tuple[int, int]]:
    """The rank and the line of each change, by the text with it."""
    return {
        text[: each.start] + each.new + text[each.end :]: (each.rank, each.line)
        for each in changes(text, suffix)
    }


@pytest.mark.parametrize(
    ("old", "new", "rank", "line"),
    [
        ("7", "8", 1, 3),
        ("7", "6", 1, 3),
        ("20", "7", 3, 5),
        ("[]", "nil", 1, 1),
        ("\\+ odd", " odd", 2, 3),
        ("low(X)", "true", 2, 2),
        ("low(X),\n    \\+ odd(X, 7)", "\\+ odd(X, 7),\n    low(X)", 3, 2),
        ("7).\n", "7), even(X).\n", 2, 3),
        ("low(20).", "", 3, 5),
        ("odd(X, 7)", "pair(X, 7)", 3, 3),
        ("[X|Xs]", "[X,Xs]", 1, 6),
        ("[X,Y]", "[X|Y]", 1, 7),
    ],
)
def test_a_prolog_program_is_changed_in_small_ways(old, new, rank, line):
    assert PROLOG.count(old) == 1
    assert changed(PROLOG, ".pl")[PROLOG.replace(old, new)] == (rank, line)


def test_what_is_called_is_not_called_again():
    assert not any("X mod 2, low(X)" in text for text in changed(PROLOG, ".pl"))


def test_a_number_is_set_to_those_of_the_program_that_are_near_it():
    text = "".join(f"p({number}).\n" for number in range(0, 40, 2))
    tried = [each.new for each in changes(text) if each.line == 11 and each.rank == 3 and each.new]
    assert tried == ["18", "22", "16", "24", "14", "26", "12", "28"]


def test_an_asp_program_keeps_its_negations_but_for_one():
    text = ":- a(X), not b(X).\n"
    assert changed(text, ".lp")[":- a(X),  b(X).\n"] == (2, 1)
    assert changed(text, ".lp")[":- not a(X), not b(X).\n"] == (2, 1)
    assert changed(text, ".lp")[":- b(X), not b(X).\n"] == (3, 1)
    assert changed("a(1).\n" + text, ".lp")["b(1).\n" + text] == (3, 1)


@pytest.mark.parametrize("sign", ["!=", "<>", "=", "==", "<", "<="])
@pytest.mark.parametrize("written", [":- p(X,Y), X {} Y.\n", ":- p(X,Y), X{}-Y.\n"])
def test_a_comparison_of_asp_becomes_each_other_one(sign, written):
    found = changed(written.format(sign), ".lp")
    others = {"=", "!=", "<", ">", "<=", ">="} - {sign, {"==": "=", "<>": "!="}.get(sign)}
    for other in others:
        assert found[written.format(other)] == (1, 1)
    assert not any("!" in text.replace("!=", "") for text in found)


@pytest.mark.parametrize(
    ("suffix", "text", "old", "new"),
    [
        (".lp", "%* a(1).\n:- b, c. *%\n:- b, c(2).\n", "2", "3"),
        (".lp", "{ b }.% all\nc.:- b,c.\n", ":- b,c.", ""),
        (".lp", ":~ p'(X). [X@1]% a cost\n:- q'(1).\n", ":- q'(1).", ""),
        (".lp", "a :- N =#count{ X : p(X) }, _q(3), N > 1.\n", "_q(3)", "#true"),
        (".pl", "a(X) :- X = 0'a, b(X).% all\nc(Y, 'd').\n", "b(X)", "true"),
        (".pl", "a(X) :- X = 0'a, b(X).% all\nc(Y, 'd').\n", "c(Y, 'd').", ""),
        (".pl", "a(X) :- X = 0'', b(X, 7).\n", "7", "8"),
    ],
)
def test_the_tokens_are_those_of_the_language(suffix, text, old, new):
    assert text.count(old) == 1
    assert text.replace(old, new) in changed(text, suffix)


def test_what_is_in_a_comment_of_asp_is_no_statement():
    found = changed("%* a(1).\n:- b, c. *%\n:- b, c(2).\n", ".lp")
    assert {line for _, line in found.values()} == {3}


GRAMMAR = """\
s(X) --> [a], t, [b].
t --> \\+ [c], { X = 1, high(X) }, u(X).
low(X) :- high(X), clause((a :- b), X).
p(X), X > 1 => q(X), r(X).
fact((a :- b, c)).
"""


@pytest.mark.parametrize(
    ("old", "new", "rank", "line"),
    [
        ("[a], t", "[], t", 2, 1),
        ("t, [b]", "[], [b]", 2, 1),
        ("[a], t", "t, [a]", 3, 1),
        ("\\+ [c]", " [c]", 2, 2),
        ("{ X = 1, high(X) }", "[]", 2, 2),
        ("X = 1, ", "true, ", 2, 2),
        ("X = 1, high(X) ", "high(X), X = 1 ", 3, 2),
        ("{ X = 1, high(X) }, u(X)", "u(X), { X = 1, high(X) }", 3, 2),
        ("u(X).", "u(X), s(X).", 2, 2),
        ("u(X).", "u(X), {low(X)}.", 2, 2),
        ("q(X), r(X)", "r(X), q(X)", 3, 4),
        ("r(X).", "true.", 2, 4),
    ],
)
def test_a_rule_of_a_grammar_and_one_with_an_arrow_are_changed_goal_by_goal(old, new, rank, line):
    assert GRAMMAR.count(old) == 1
    assert changed(GRAMMAR, ".pl")[GRAMMAR.replace(old, new)] == (rank, line)


def test_what_is_in_brackets_is_no_body():
    found = changed(GRAMMAR, ".pl")
    assert GRAMMAR.replace("(a :- b, c)", "(a :- true, c)") not in found
    assert GRAMMAR.replace("high(X), clause", "true, clause") in found
    assert GRAMMAR.replace("clause((a :- b), X).", "clause((a :- b), X), s(X).") not in found
