"""Goals of Prolog about custom rules, about fields, and about what the prompt lists.

They are for mutation tests: each is true, and false or an error if a part of the program is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from helpers.prolog_mutants import prolog
from helpers.rule_instances import EVERY
from pylogic_sudoku import Cell, Grid, Puzzle
from pylogic_sudoku.rules import (
    AntiTaxicab,
    AnyOf,
    Contains,
    Greater,
    KillerCage,
    LockoutLine,
    Ratio,
    Rule,
    Total,
)
from pylogic_sudoku.rules.base import term

SEARCHED = (
    "mutation:only(sudoku_rules(Rows, Shape, Rules)),"
    " sudoku_search:weighted_labeling(Rows, Shape, Rules)"
)
EMPTY = Grid((0,) * 16, (2, 2))
SOME = Grid.parse("1234" + "." * 12)
"""A grid with twelve solutions."""


def with_clauses(clauses: str, goal: str, module: str = "user") -> str:
    """The goal is true while these clauses, parted by commas, are there."""
    return f"mutation:with_clauses({module}:[{clauses}], ({goal}))"


def found_by(rules: str, found: list[Grid], grid: Grid = SOME) -> str:
    """Exactly these grids are found, and posting the rules leaves no choice."""
    return (
        f"Shape = 2-2, Rows = {prolog(grid.rows)}, Rules = [{rules}],"
        f" mutation:finds(({SEARCHED}), Rows, {prolog(sorted(each.rows for each in found))})"
    )


def solutions(grid: Grid, obeyed: Callable[[Grid], bool] = lambda _: True) -> list[Grid]:
    """Those of the grid that obey."""
    return [each for each in EVERY if each.is_solution_of(grid) and obeyed(each)]


# --- rules that can be obeyed in several ways ---------------------------------------------

UP = {
    "a disjunction": "( A #< B ; B #< C )",
    "a choice among cells": "member(X-Y, [A-B,B-C]), X #< Y",
    "a search": "A #< B #\\/ B #< C, label([A,B,C])",
    "goals that wait": "freeze(A, ( A #< B ; B #< C ))",
    "goals that wait for two cells": "when(( nonvar(A), nonvar(B) ), ( A #< B ; B #< C ))",
    "a choice, and goals that wait": "( freeze(A, A #< B) ; freeze(B, B #< C) )",
    "a choice, one of goals that wait": "( B #< C ; freeze(A, A #< B) )",
    "an answer that comes twice": "member(_, [a,b]), A #< B #\\/ B #< C",
    "a choice point with nothing behind it": "( A #< B #\\/ B #< C ; fail )",
    "no choice": "A #< B #\\/ B #< C",
    "three ways": "( A #< B ; B #< C ; A #< B, B #< C )",
}
"""Ways to write that the digits increase somewhere in three cells."""


def up(grid: Grid, *places: int) -> bool:
    a, b, c = (grid[Cell(*divmod(place, 10))] for place in places or (23, 24, 32))
    return a < b or b < c


def own_rules() -> Iterator[str]:
    clause = "(rule(up, F, G) :- cells(F, G, [A,B,C]), {})"
    one, other = "up(cells=[2-3,2-4,3-2])", "up(cells=[3-2,2-1,2-2])"
    found = solutions(SOME, up)
    both = [each for each in found if up(each, 32, 21, 22)]
    for body in UP.values():
        own = clause.format(body)
        yield with_clauses(own, found_by(one, found))
        yield with_clauses(own, found_by(f"{one}, {other}", both))
        yield with_clauses(own, found_by(f"{other}, user:{one}", both))
        for full in solutions(SOME):
            yield with_clauses(own, found_by(one, [full] if up(full) else [], full))
    # Each is posted as soon as no other is possible, whatever else there is.
    pairs = "(rule(two, F, G) :- cells(F, G, [A,B]), ( A #= 1, B #= 2 ; A #= 3, B #= 4 ))"
    posted = "Rows = [[A,B,C|_]|_], sudoku_rules(Rows, 2-2, [two(cells=[1-1,1-2])])"
    yield with_clauses(pairs, f"C = 1, {posted}, A-B == 3-4")
    yield with_clauses(pairs, f"{posted}, var(A), C = 1, A-B == 3-4")
    yield with_clauses(pairs, f"{posted}, var(A), \\+ A = 2")
    yield with_clauses(pairs, f"{posted}, A = 1, B == 2, get_attr(C, clpfd, _)")
    yield with_clauses(pairs, "\\+ sudoku_rules([[_,1|_],_,_,_], 2-2, [two(cells=[1-1,1-2])])")
    # What the grid refutes at once is no way; a copy with the candidates alone would not see it.
    less = "(rule(less, F, G) :- cells(F, G, [A,B]), ( A #< B ; A = 4, B = 4 ))"
    posted = "Rows = [[A|_]|_], sudoku_rules(Rows, 2-2, [less(cells=[1-1,1-2])])"
    yield with_clauses(less, f"{posted}, fd_sup(A, 3)")
    # A goal that waits for a cell, and that a rule wakes, keeps its answers.
    one = "(rule(one, F, G) :- cells(F, G, [A]), ( A #= 1 ; fail ))"
    waits = "freeze(A, member(B, [3,4])), sudoku_rules([[A,B|_]|_], 2-2, [one(cells=[1-1])])"
    yield with_clauses(one, f"findall(A-B, ({waits}), Pairs), Pairs == [1-3,1-4]")
    # Fields that are not given yet get their values.
    either = "(rule(either, F, G) :- cells(F, G, [A]), get(value, F, V), member(V, [1,2]), A #= V)"
    values = "findall(V, sudoku_rules([[V|_],_,_,_], 2-2, [either(cells=[1-1], value=V)]), Vs)"
    yield with_clauses(either, f"{values}, Vs == [1,2]")
    # A clause of a module, and one that says nothing.
    tall = "(rule(tall, F, G) :- cells(F, G, [A]), grid_shape(G, Size-_), A = Size)"
    for module in ("user", "mutation"):
        rule = "tall" if module == "user" else "mutation:tall"
        posted = f"Rows = [[A|_]|_], sudoku_rules(Rows, 2-2, [{rule}(cells=[1-1])]), A == 2"
        yield with_clauses(tall, posted, module)
    yield with_clauses("(rule(free, _, _) :- true)", found_by("free", solutions(SOME)))
    yield with_clauses("(rule(none, _, _) :- fail)", found_by("none", []))


# --- fields -------------------------------------------------------------------------------

FIELDS = {
    "killer_cage": "cells,sum",
    "little_killer": "cells,sum,weights",
    "arrow": "arm,circle",
    "anti_knight": "",
    "thermometer": "cells,slow",
    "region_sum_line": "cells,regions",
    "any_of": "options",
    "negative": "differences,exempt,ratios,sums",
}
"""Those of some kinds."""

ASKED = {
    "get(a, F, _), get(b, F, _, 1), cells(F, G, _), cells(d, F, G, _), sudoku_rule:flag(e, F)": (
        "a,b,cells,d,e"
    ),
    "memberchk(b=_, F), ( member(a=1, F) ; \\+ memberchk(a=_-_, F) )": "a,b",
    "two_of(F, G)": "o,p",
    "user:two_of(F, G), mutation:two_of(F, G)": "o,p",
    "two_of(F, G), last_of(x, F), last_of(y, F)": "o,p,q",
    "( get(a, F, X) -> get(b, F, X) ; get(c, F, X) )": "a,b,c",
    "forall(get(a, F, X), get(b, F, X)), findall(X, get(c, F, X), _)": "a,b,c",
    "X = true, forall(X, get(a, F, _))": "a",
    "setof(X, Y^get(a, F, X-Y), _)": "a",
    "catch(get(a, F, _), _, get(b, F, _))": "a,b",
    "again(3, F)": "n",
    "G = G, true": "",
}
"""Bodies of a clause, and the fields for which they ask."""

HELPERS = """
    (two_of(F, _) :- get(o, F, _), get(p, F, _)),
    (last_of(x, F) :- get(q, F, _)),
    (last_of(z, _)),
    (again(0, _)),
    (again(N, F) :- get(n, F, _), M is N-1, again(M, F)),
    (apart([F|_]) :- F = (_=_)),
    (apart(_-[F|_]) :- F = (_=_)),
    nothing_of(_)
"""

OPAQUE = [
    "F = [_|_]",
    "forall(member(X, F), X = (_=_))",
    "maplist(=(_), F)",
    "N = a, get(N, F, _, 1)",
    "length(F, _)",
    "apart(F)",
    "apart(1-F)",
    "nothing_of(1-F)",
    "print_message(silent, F)",
    "memberchk(_=F, [_=F])",
    "member(a=F, [a=F])",
    "memberchk(a=_, [b=1|F])",
    "memberchk(_=1, F)",
    "findall(get(a, F, _), true, _)",
    "N = a, get(N, F, _)",
    "H = two_of, Goal =.. [H,F,G], ( call(Goal) ; true )",
    "( true ; nowhere(F) )",
    "memberchk(X, F), X = (_=_)",
]
"""Bodies that do anything else with the fields, so that all names may be fields."""


MEANT = {
    "unknown_field(killer_cage, summ, [cells,sum])": (
        "killer_cage has no field summ; did you mean sum? (its fields: cells, sum)"
    ),
    "unknown_field(killer_cage, zzz, [cells,sum])": (
        "killer_cage has no field zzz (its fields: cells, sum)"
    ),
    "unknown_field(anti_knight, zzz, [])": "anti_knight has no field zzz; it has none",
    "duplicate_field(killer_cage, sum)": "killer_cage has two fields sum",
}
"""Errors, and their messages."""


def fields() -> Iterator[str]:
    """Fields that a kind does not have are refused, and those that it may have are not."""
    yield "sudoku_rules(_, 2-2, [thermometer(cells=[1-1,1-2])])"  # which loads what follows
    for kind, names in FIELDS.items():
        given = ",".join(f"{name}=1" for name in filter(None, names.split(",")))
        have = f"sudoku_fields:must_have_fields(sudoku_kinds, {kind}, [{{}}])"
        for _ in range(2):  # the second time its fields are known already
            error = f"unknown_field({kind}, zzz, [{names}])"
            yield f"mutation:raises({have.format('zzz=1')}, {error}), {have.format(given)}"
            for name in filter(None, names.split(",")):
                twice = have.format(f"{given},{name}=2")
                yield f"mutation:raises({twice}, duplicate_field({kind}, {name}))"
        yield have.format('zzz="the text of a name, which is for people"')
        for field in ("a", "_", "_=1", "1=1", "f(x)=1"):
            error = "type_error(rule_field, _), 'write Name=Value'"
            yield f"mutation:raises({have.format(field)}, {error})"
    have, clauses = "sudoku_fields:must_have_fields({}, kind, [{}])", "(rule(kind, F, G) :- {}), {}"
    for body, names in ASKED.items():
        for module in ("user", "mutation"):
            refused = f"{have.format(module, 'zzz=1')}, unknown_field(kind, zzz, [{names}])"
            goal = f"mutation:raises({refused}), {have.format(module, '')}"
            yield with_clauses(clauses.format(body, HELPERS), goal, module)
    for body in OPAQUE:
        yield with_clauses(clauses.format(body, HELPERS), have.format("user", "zzz=1,yyy=2"))
    two = "(rule(kind, F, _) :- get(a, F, _)), (rule(kind, F, _) :- get(b, F, _))"
    refused = f"mutation:raises({have.format('user', 'zzz=1')}, unknown_field(kind, zzz, [a,b]))"
    yield with_clauses(two, refused)
    # Predicates and kinds of a module that have the names of others.
    clauses = "(rule(kind, F, _) :- member(a=1, F)), (member(X, F) :- get(q, F, X))"
    refused = f"mutation:raises({have.format('own', 'zzz=1')}, unknown_field(kind, zzz, [q]))"
    yield with_clauses(clauses, refused, "own")
    refused = (
        "sudoku_fields:must_have_fields({}, nabner, [zzz=1]), unknown_field(nabner, zzz, [{}])"
    )
    goal = (
        f"mutation:raises({refused.format('own', 'a')}),"
        f" mutation:raises({refused.format('sudoku_kinds', 'cells')})"
    )
    yield with_clauses("(rule(nabner, F, _) :- get(a, F, _))", goal, "own")
    for error, text in MEANT.items():
        yield f'findall(Text, mutation:says({error}, Text), Texts), Texts == ["{text}\n"]'


# --- what the prompt lists ----------------------------------------------------------------

PLAIN = "every_digit/1"
LISTED: list[tuple[list[Rule], str]] = [
    ([], PLAIN),
    ([KillerCage("r1c1 r1c2", 5)], f"{PLAIN}, different/3"),
    ([KillerCage("r1c1 r1c2 r2c1", 6), Ratio("r3c3 r3c4")], f"{PLAIN}, different/3, digit_pair/4"),
    ([Total("r1c1 r2c2 r3c3", 6)], f"{PLAIN}, different/3, equal_sums/3"),
    ([LockoutLine("r4c1 r3c3 r3c2", 1)], f"{PLAIN}, locked_out/4"),
    ([AntiTaxicab()], f"{PLAIN}, different/3, post_propagator/2"),
    ([Contains("r1c1 r2c2 r3c3", [1, 2])], f"{PLAIN}, accepted/4, different/3"),
    ([AnyOf([[Greater("r2c1 r3c3")], [Greater("r3c1 r4c3")]])], "post_alternatives/2"),
]
"""Rules, and goals that are listed for them among others."""


def listed() -> Iterator[str]:
    """The goals that the prompt lists for the cells have these solutions; no goal comes twice."""
    for rules, goals in LISTED:
        grid = Grid.parse("12" + "." * 14, box=(2, 2))
        puzzle = Puzzle(grid, rules=rules)
        solutions = [each for each in EVERY if each.is_solution_of(puzzle)]
        posted = f"sudoku_rules(Rows, 2-2, [{', '.join(map(term, rules))}])"
        rows = prolog(sorted(each.rows for each in solutions))
        copied = f"mutation:listed({posted}, Rows, Goals, Copy), subset([{goals}], Goals)"
        searched = "sudoku_search:weighted_labeling(Copy, 2-2, [])"
        yield (f"Rows = {prolog(grid.rows)}, mutation:finds(({copied}, {searched}), Copy, {rows})")
    for sum_, found in (("5", "[[1,4],[2,3],[3,2],[4,1]]"), ("7", "[[3,4],[4,3]]")):
        posted = f"Cells ins 1..4, sudoku_automata:different(Cells, 4, {sum_})"
        copied = f"mutation:listed(({posted}), Cells, Goals, Copy), Goals == [different/3,(in)/2]"
        yield f"Cells = [_,_], mutation:finds(({copied}, label(Copy)), Copy, {found})"
