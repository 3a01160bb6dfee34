"""Prolog programs that leave something behind, each with what it must answer regardless.

Every program is asked with ``n(1).`` and then with ``n(2).``; an answer says what it found from
before. By hand, in a swipl of its own for each instance, it finds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pylogic_sudoku as pls

FRESH = "p(2,0)."
"""The answer to ``n(2).`` if nothing is left of ``n(1).``"""

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "assertz": """
  :- dynamic seen/1.
  answer([p(N,C)]) :- n(N), aggregate_all(count, seen(_), C), assertz(seen(N)).""",
        "assertz_without_dynamic": """
  answer([p(N,C)]) :- n(N), ( catch(seen(_), _, fail) -> C = 1 ; C = 0 ), assertz(seen(N)).""",
        "memo": """
  :- dynamic known/1.
  answer([p(N,C)]) :- n(N), cost(X), C is N - X.
  cost(X) :- known(X), !.
  cost(X) :- n(X), assertz(known(X)).""",
        "assertz_in_user": """
  answer([p(N,C)]) :-
      n(N), ( catch(user:left_behind, _, fail) -> C = 1 ; C = 0 ), assertz(user:left_behind).""",
        "retract": """
  :- dynamic first/0.
  first.
  answer([p(N,C)]) :- n(N), ( retract(first) -> C = 0 ; C = 1 ).""",
        "recorded": """
  answer([p(N,C)]) :- n(N), aggregate_all(count, recorded(seen, _), C), recordz(seen, N).""",
        "nb_setval": """
  answer([p(N,C)]) :- n(N), ( nb_current(left, C) -> true ; C = 0 ), nb_setval(left, N).""",
        "nb_setval_at_load": """
  :- nb_setval(left, 0).
  answer([p(N,C)]) :- n(N), nb_getval(left, C), nb_setval(left, N).""",
        "flag": """
  answer([p(N,C)]) :- n(N), flag(left, C, C + 1).""",
        "gensym": """
  answer([p(N,C)]) :- n(N), gensym(g, G), atom_concat(g, A, G), atom_number(A, I), C is I - 1.""",
        "op": """
  answer([p(N,C)]) :-
      n(N), ( current_op(700, xfx, ===>) -> C = 1 ; C = 0 ), op(700, xfx, user:(===>)).""",
        "prolog_flag": """
  answer([p(N,C)]) :-
      n(N), ( current_prolog_flag(left_behind, C) -> true ; C = 0 ),
      create_prolog_flag(left_behind, N, []).""",
        "clpfd_flag": """
  :- use_module(library(clpfd)).
  model([p(N)-C]) :-
      n(N), ( current_prolog_flag(clpfd_monotonic, true) -> C #= 1 ; C #= 0 ),
      set_prolog_flag(clpfd_monotonic, true).""",
        "tabling": """
  :- table best/1.
  best(X) :- n(X).
  answer([p(N,C)]) :- n(N), best(X), C is N - X.""",
        "module": """
  answer([p(N,C)]) :-
      n(N), ( current_module(left_behind) -> C = 1 ; C = 0 ), assertz(left_behind:here).""",
        "helper": """
  :- use_module(keeps).
  answer([p(N,C)]) :- n(N), kept(C), keep.""",
        "folder": """
  answer([p(N,C)]) :-
      n(N), working_directory(D, '/'), ( D == '/' -> C = 1 ; C = 0 ).""",
        "environment": """
  answer([p(N,C)]) :-
      n(N), ( getenv('LEFT_BEHIND', _) -> C = 1 ; C = 0 ), setenv('LEFT_BEHIND', yes).""",
        "stream": """
  answer([p(N,C)]) :-
      n(N), ( stream_property(_, alias(left_behind)) -> C = 1 ; C = 0 ),
      ( C == 0 -> open_null_stream(S), set_stream(S, alias(left_behind)) ; true ).""",
        "queue": """
  answer([p(N,C)]) :-
      n(N), catch(( message_queue_create(left_behind), C = 0 ), _, C = 1 ).""",
        "expansion": """
  answer([p(N,C)]) :-
      n(N), ( clause(user:term_expansion(left, _), true) -> C = 1 ; C = 0 ),
      assertz(user:term_expansion(left, right)).""",
    }
)
HELPERS = {
    "keeps": """
        :- module(keeps, [kept/1, keep/0]).
        :- dynamic left/1.
        left(0).
        kept(X) :- left(X).
        keep :- retract(left(X)), Y is X + 1, assertz(left(Y))."""
}


def problem(folder: Path, name: str) -> pls.Problem:
    """The folder of a problem with one of these programs."""
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{name}.pl").write_text(PROGRAMS[name], encoding="utf-8")
    if name == "helper":
        for helper, text in HELPERS.items():
            (place / f"{helper}.pl").write_text(text, encoding="utf-8")
    (place / "problem.toml").write_text('output = ["p/2"]\ninput = ["n/1"]\n', encoding="utf-8")
    return pls.Problem(place)
