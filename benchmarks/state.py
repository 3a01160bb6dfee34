"""Check that no question to a program of a problem leaves anything behind, and what that costs.

    python -m benchmarks.state
    python -m benchmarks.state --cost

Each bundled problem, and programs in Prolog that leave something behind on purpose, are asked about
an instance alone, after another one, and in other processes; all answers must be the same. With
``--cost``, questions whose engines work in this process, as they did once, take turns with those
that have a process of their own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from types import MappingProxyType
from typing import Any

import pylogic_sudoku as pls
from pylogic_sudoku.problem.folder import bundled
from pylogic_sudoku.running import workers as running

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


def written(folder: Path, name: str) -> pls.Problem:
    """The folder of a problem with one of these programs."""
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{name}.pl").write_text(PROGRAMS[name], encoding="utf-8")
    if name == "helper":
        for helper, text in HELPERS.items():
            (place / f"{helper}.pl").write_text(text, encoding="utf-8")
    (place / "problem.toml").write_text('output = ["p/2"]\ninput = ["n/1"]\n', encoding="utf-8")
    return pls.Problem(place)


def of_bundled(problem: pls.Problem, engine: str) -> str:
    """The instances whose answers depend on the questions before, or "" if there are none."""
    instances = list(problem.instances.values())
    alone = [_answers(each, engine) for each in instances]
    rows: dict[str, list[Any]] = {
        "after others": [_answers(each, engine) for each in reversed(instances)][::-1],
        "in other processes": list(pls.solve_many(instances * 2, engine, jobs=2)),
    }
    for how, answers in rows.items():
        for number, answer in enumerate(answers):
            expected = alone[number % len(instances)]
            if (answer not in expected) if how.startswith("in") else (answer != expected):
                return f"{instances[number % len(instances)].label} differs {how}"
    return ""


def _answers(instance: pls.Instance, engine: str) -> frozenset[Any]:
    """Up to a hundred answers; None among them if there is none."""
    return frozenset(islice(pls.solutions(instance, engine), 100)) or frozenset([None])


def of_program(problem: pls.Problem) -> str:
    """The same for one of the programs that leave something behind."""
    first, second = (problem.instance(f"n({number}).") for number in (1, 2))
    answers = [str(pls.solve(each, "prolog")) for each in (second, first, second, second)]
    many = [str(each) for each in pls.solve_many([first, second] * 4, "prolog", jobs=2)]
    expected = [FRESH, "p(1,0).", FRESH, FRESH], ["p(1,0).", FRESH] * 4
    return "" if (answers, many) == expected else f"{answers}, {many}"


def check() -> int:
    """Print a line for each program; return the number of those that leave something behind."""
    wrong = 0
    for problem in bundled():
        for engine in problem.paths:
            if engine != "clingcon":
                found = of_bundled(problem, engine)
                print(f"{problem.name:14} {engine:24} {found or 'the same'}", flush=True)
                wrong += bool(found)
    with TemporaryDirectory() as folder:
        for name in PROGRAMS:
            found = of_program(written(Path(folder), name))
            print(f"{name:14} {'left on purpose':24} {found or 'the same'}", flush=True)
            wrong += bool(found)
    return wrong


# --- the cost ---


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _in_turns(work: Callable[[], object], times: int) -> tuple[float, float]:
    """The medians of the seconds in this process, and in one for each question."""
    seconds: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(times):
        for inline in (True, False):
            running.inline = inline
            seconds[inline].append(_seconds(work))
    running.inline = False
    return median(seconds[True]), median(seconds[False])


def cost(engine: str) -> None:
    """Print the medians of both ways, in turns."""
    for name in ("queens", "zebra", "colouring", "futoshiki"):
        instance = next(iter(pls.Problem(name).instances.values()))
        pls.solve(instance, engine)
        here, there = _in_turns(partial(pls.solve, instance, engine), 51)
        print(f"{engine:7} {name:16} {here * 1e3:6.1f} ms -> {there * 1e3:6.1f} ms", flush=True)
    queens = pls.Problem("queens")
    sizes = [queens.instance(f"size({4 + number % 5}).") for number in range(1_000)]
    works = {
        "1,000 instances": lambda: sum(1 for _ in pls.solve_many(sizes, engine)),
        "10,000 answers": lambda: sum(
            1 for _ in pls.solutions(queens.instance("size(12)."), engine, 10_000)
        ),
    }
    for name, work in works.items():
        here, there = _in_turns(work, 3)
        ratio = there / here
        print(f"{engine:7} {name:16} {here:6.2f} s  -> {there:6.2f} s : {ratio:.2f}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--cost", action="store_true", help="measure the time of both ways")
    if parser.parse_args().cost:
        for engine in ("clingo", "prolog"):
            cost(engine)
        return 0
    wrong = check()
    print(f"{wrong} programs leave something behind")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
