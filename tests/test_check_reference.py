"""The reference for Prolog in a process of its own: which questions are answered, and how."""

from __future__ import annotations

import json
import re

import pytest
from helpers.programs import prolog, resource

REFERENCE = """\
:- use_module(library(clpfd)).
:- use_module(library(lists)).
order([], []).
order(Items, [Item|Row]) :- select(Item, Items, Others), order(Others, Row).
odd(X) :- X in 1..5, X mod 2 #= 1.
large(X) :- X #> 5.
wide(X) :- between(1, 200, _), numlist(1, 1000, X).
tally(0).
tally(N) :- tally(M), N is M+1.
fault(X, Y) :- member(Y, [1,X]), Y > 0.
thrown :- throw(ball).
endless :- endless.
handle(In) :- stream_property(In, alias(user_input)).
known(X) :- item(X).
"""
MAPPED = """\
mapped(Goal, Xs, Ys) :- maplist(Goal, Xs, Ys).
half(X, Y) :- X is 2*Y.
double(X, Y) :- Y is 2*X.
"""
ASKED = """\
:- initialization((
    pls_reference:request_apart(_, Reference),
    forall(asked(Call, Limit, Shown),
           ( catch(findall(Shown, limit(Limit, pls_reference:reference_call(Reference, Call)), All),
                   Ball, All = Ball),
             ( All = error(Formal, _) -> print(Formal) ; print(All) ), nl )),
    forall(member(Head, [known(_),item(_),append(_,_,_),clause(_,_)]),
           ( pls_reference:reference_defines(Reference, Head) -> print(Head), nl ; true )),
    forall(member(Number, [1,2,0]),
           ( findall(X,
                     pls_reference:with_instance(Reference, Number, Other,
                                                 pls_reference:reference_call(Other, known(X))),
                     All),
             print(All), nl )),
    findall(X, pls_reference:reference_call(Reference, known(X)), Xs),
    print(Xs), nl)).
"""
ALL = "9999"
QUESTIONS = {
    "order([a,b], X)": (ALL, "X", "[[a,b],[b,a]]"),
    "order([A,A], [B,C])": (ALL, "A-B-C", "[_-_-_,_-_-_]"),
    "order([1,2,3,4,5,6], X)": (ALL, "1", str([1] * 720).replace(" ", "")),
    "tally(X)": ("105", "0", str([0] * 105).replace(" ", "")),
    "order([1,2,3,4,5,6,7,8], X)": ("20000", "X", "unknown"),
    "odd(X)": (ALL, "X", "[1,3,5]"),
    "large(X)": (ALL, "X", "unknown"),
    "wide(X)": (ALL, "t", "unknown"),
    "fault(b, X)": ("1", "X", "[1]"),
    "fault(b, Y)": (ALL, "Y", "type_error(evaluable,b/0)"),
    "thrown": (ALL, "t", "ball"),
    "endless": (ALL, "t", "unknown"),
    "handle(X)": (ALL, "X", "unknown"),
    "known(X)": (ALL, "X", "[a]"),
    "item(X)": (ALL, "X", "unknown"),
    "clause(order(_,_), X)": (ALL, "X", "unknown"),
    "system:true": (ALL, "t", "unknown"),
}
"""Calls: the most solutions, what is shown of them, and the outcome."""
CAREFUL = {
    "mapped(double, [1,2], X)": (ALL, "X", "[[2,4]]"),
    "mapped(clause, [order(_,_)], X)": (ALL, "X", "unknown"),
    "mapped([X,Y]>>clause(X,Y), [order(_,_)], Z)": (ALL, "Z", "unknown"),
    "order([open,shut], X)": (ALL, "X", "unknown"),
    "order([a,f(1)], X)": (ALL, "X", "[[a,f(1)],[f(1),a]]"),
}
"""The same of a reference that calls what it is given: no name may be that of a predicate."""


@pytest.mark.parametrize(
    ("text", "asked"),
    [(REFERENCE, QUESTIONS), (REFERENCE + MAPPED, CAREFUL)],
    ids=["plain", "careful"],
)
def test_questions_are_answered_within_limits(tmp_path, text, asked):
    facts = [f"asked({call}, {most}, {shown}).\n" for call, (most, shown, _) in asked.items()]
    (tmp_path / "asked.pl").write_text(
        f":- use_module('{resource('prolog/host/reference.pl')}').\n" + "".join(facts) + ASKED
    )
    others = "facts([item(b),item(c)],[item/1]),facts([],[item/1])"
    request = (
        f"request(none,facts([item(a)],[item/1]),[],reference({json.dumps(text)},[],[{others}])).\n"
    )
    done = prolog(str(tmp_path / "asked.pl"), input=request)
    lines = [*(outcome for _, _, outcome in asked.values()), "known(_)"]
    lines += ["[b,c]", "[]", "[a]", "[a]"]  # of the other instances, and again of the first
    found = [pattern(line) for line in done.stdout.splitlines()]
    assert found == lines, done.stderr


def pattern(line: str) -> str:
    """The line with the names of its variables left out."""
    return re.sub(r"\b_\w+", "_", line)
