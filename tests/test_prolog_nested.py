"""Questions to Prolog within each other, and at once, leave each other alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.programs import prolog, resource

SCRIPT = r"""
:- use_module('HOST/bridge', []).
:- forall(member(Part, ['host/questions','host/refusal','host/watch']), pls_bridge:load(Part, [])).
:- use_module(library(thread), [concurrent_maplist/3]).
:- use_module(library(yall)).

:- dynamic asking/1.

%   A program calls this while it is asked about.

within :-
    (   retract(asking(Kind))
    ->  forall(ask(Kind, inner, _), true),
        assertz(asking(Kind))
    ;   true
    ).

text(outer, ":- use_module(library(clpfd)).
model([q(1)-V,q(2)-W]) :-
    [V,W] ins 1..4,
    user:within,
    V #< W,
    user:within,
    W #\\= 4,
    labeling([ff], [V,W]),
    user:within.
").
text(inner, ":- use_module(library(clpfd)).
model([p(1)-V,p(2)-W,p(3)-X]) :-
    [V,W,X] ins 0..1,
    V #= W,
    W #\\= X.
").
text(wrong, "
model(Pairs) :-
    user:within,
    catch(user:within, _, true),
    atom_length(Pairs, _),
    true.
").
text(caught, "
model([]) :-
    true,
    true,
    true,
    atom_length(_, _),
    true.
").

:- forall(text(Name, Text),
          ( format(string(File), "/~w.pl#~w", [Name,Name]),
            pls_bridge:loaded(Name, File, Text, problem, [[],_]),
            string_concat(Name, "_switched", Copy),
            string_concat(File, "_switched", CopyFile),
            pls_switched:prepared(Copy, CopyFile, Text, []) )).

instance(Name, instance(Program, "facts([],[])", "[]", [])) :-
    atom_string(Name, Program).

question(plain, Name, refusal(Posed, Atoms)) :-
    atom_concat(Name, '_switched', Copy),
    instance(Copy, Posed),
    refused(Name, Atoms).
question(plain, Name, Question) :-
    instance(Name, Posed),
    member(Question, [solution(Posed), count(Posed, -1), costs(Posed, [[]])]).
question(watched, Name, left(Posed)) :-
    instance(Name, Posed).

refused(outer, [["q",1,2],["q",2,4]]).
refused(inner, [["p",1,0],["p",2,1],["p",3,1]]).

ask(Kind, Name, Answers) :-
    findall(Answer,
            ( question(Kind, Name, Question),
              findall(Answer0, pls_bridge:question(Question, Answer0), Answer) ),
            Answers0),
    (   Kind == watched
    ->  instance(Name, Posed),
        engine_create(Event, pls_bridge:question(trace(Posed), Event), Engine),
        events(Engine, Events)
    ;   Events = []
    ),
    instance(caught, Caught),
    catch(pls_bridge:question(solution(Caught), _), pls_wrong(_), true),
    Answers = [Events|Answers0].

events(Engine, Events) :-
    (   engine_next(Engine, Event)
    ->  Events = [Event|More],
        events(Engine, More)
    ;   Events = []
    ).

both(Kind, Goal, Alone, Nested) :-
    retractall(asking(_)),
    findall(Goal, Goal, Alone),
    assertz(asking(Kind)),
    findall(Goal, Goal, Nested).

nested(Kind) :-
    both(Kind, ask(Kind, outer, _), Alone, Nested),
    Alone = [ask(_, _, [Events|Answers])],
    length(Events, Number),
    format("~d events, ~q~n", [Number,Answers]),
    ( Alone == Nested -> writeln(same) ; format("~q~n", [Nested]) ).

places :-
    instance(wrong, Posed),
    both(plain, catch(pls_bridge:question(solution(Posed), _), pls_wrong(_), true), Alone, Nested),
    Alone = [catch(_, pls_wrong([_,File,Line|_]), _)],
    format("~w:~d~n", [File,Line]),
    ( Alone =@= Nested -> writeln(same) ; format("~q~n", [Nested]) ).

at_once :-
    retractall(asking(_)),
    findall(Name, ( between(1, 4, _), member(Name, [outer,inner]) ), Names),
    maplist(ask(plain), Names, Alone),
    concurrent_maplist(ask(plain), Names, AtOnce),
    ( Alone == AtOnce -> writeln(same) ; format("~q~n~q~n", [Alone,AtOnce]) ).

%   A search that another one has interrupted is still the one that is stopped.

pls_bridge:asked(stopped_after(Question), []) :-
    pls_bridge:answer(2, 100_000_000, Question, _),
    pls_bridge:search_stop(1),
    forall(between(1, 10_000_000, _), true).

stopped :-
    instance(inner, Posed),
    pls_bridge:answer(1, 100_000_000, stopped_after(solution(Posed)), Answer),
    format("~w~n", [Answer]).
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    path: Path = tmp_path_factory.mktemp("nested") / "script.pl"
    path.write_text(SCRIPT.replace("HOST", str(resource("prolog/host"))), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("goal", "lines"),
    [
        (
            "nested(plain)",
            [
                '0 events, [[[excluded,1,"",[["",7,5,"W #\\\\= 4",""],["",6,5,"user:within",""],'
                '["",5,5,"V #< W",""],["",4,5,"user:within",""],'
                '["",3,5,"[V,W] ins 1..4",""],["",8,5,"labeling([ff], [V,W])",""],'
                '["",9,5,"user:within",""]]]],[[[],[[q,1,1],[q,2,2]]],[[],[[q,1,1],[q,2,3]]],'
                "[[],[[q,1,2],[q,2,3]]]],[3],[[[[]]]]]",
                "same",
            ],
        ),
        (
            "nested(watched)",
            ["6 events, [[[[[q,1,1],[q,1,2],[q,2,2],[q,2,3]],[]]]]", "same"],
        ),
        ("places", ["wrong.pl:5", "same"]),
        ("at_once", ["same"]),
        ("stopped", ["Unknown message: pls_stopped"]),
    ],
)
def test_questions_leave_each_other_alone(script, goal, lines):
    ended = prolog("-g", goal, "-t", "halt", str(script))
    assert (ended.stdout.splitlines(), ended.stderr) == (lines, "")
