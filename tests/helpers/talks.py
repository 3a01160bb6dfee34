"""A small problem with all that coverage needs: talks, each of which gets a slot of its own."""

from __future__ import annotations

from pathlib import Path

TALKS = """\
% One room.
#defined before/2.
{ at(T,1..N) } = 1 :- talk(T), slots(N).
:- at(T,S), at(U,S), T < U.
:- before(T,U), at(T,S),
   at(U,R), S >= R.
#show at/2.
"""
TALKS_PL = """\
:- use_module(library(clpfd)).
:- dynamic before/2.

model(Pairs) :-
    slots(N),
    findall(at(T)-_, talk(T), Pairs),
    pairs_values(Pairs, Slots), Slots ins 1..N,
    all_distinct(Slots),
    findall(T-U, before(T, U), Orders),
    maplist(in_order(Pairs), Orders).

in_order(Pairs, T-U) :-
    ( memberchk(at(T)-S, Pairs), memberchk(at(U)-R, Pairs) ),
    S #< R.
"""
DESCRIBED = """\
{ slots(1..2) } = 1.
{ talk(ada;bob) }.
{ before(T,U) : talk(T), talk(U), T < U }.
#show slots/1.
#show talk/1.
#show before/2.
"""
INSTANCES = {
    "two": "slots(2). talk(ada). talk(bob).",
    "order": "slots(3). talk(ada). talk(bob). before(bob,ada).",
}


def folder(place: Path, programs: dict[str, str], instances: dict[str, str]) -> Path:
    """Write the problem into a new folder."""
    made = place / "talks"
    (made / "instances").mkdir(parents=True)
    for name, text in programs.items():
        (made / name).write_text(text, encoding="utf-8")
    for name, text in instances.items():
        (made / "instances" / f"{name}.lp").write_text(text, encoding="utf-8")
    return made
