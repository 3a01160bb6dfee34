"""Each goal of the clauses of rules dropped or changed: small puzzles must notice it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, islice, product

import pytest
from helpers.mutants import shares, why_equivalent
from helpers.oracle import full_grid
from helpers.own_rules import SEARCHED, fields, listed, own_rules, with_clauses
from helpers.programs import resource
from helpers.prolog_mutants import mutants_of_program, prolog
from helpers.rule_instances import (
    OBEYED_BY_NONE,
    ONCE_WRONG,
    Instance,
    extras,
    instance,
    kinds_in,
    of,
)
from helpers.rules import MAKERS

from pylogic_sudoku import Cell, Grid
from pylogic_sudoku.engines.sudoku.prolog import shape
from pylogic_sudoku.rules import (
    AnyOf,
    Contains,
    Difference,
    Different,
    KillerCage,
    LockoutLine,
    LookAndSay,
    ModularLine,
    PairTable,
    Palindrome,
    Ratio,
    RegionSumLine,
    RellikCage,
    Rule,
    Sandwich,
    SumLine,
    Total,
    Whispers,
    column,
    from_json,
    row,
)
from pylogic_sudoku.rules.base import Digits, term

EMPTY, SIX = Grid((0,) * 16, (2, 2)), Grid((0,) * 36, (2, 3))


FEW = Grid.parse("." * 15 + "3")
"""A grid with a quarter of all solutions."""

SOME_KINDS = {
    "alternatives": ["any_of"],
    "rule": ["any_of", "difference", "killer_cage", "thermometer", "total"],
}
"""Kinds that need all of a file which has no clause for a kind."""


def kinds_of(file: str) -> list[str]:
    """The kinds with a clause in this file; all, if it has none."""
    text = resource(f"prolog/rules/{file}.pl").read_text()
    return (
        SOME_KINDS.get(file) or re.findall(r"^rule\((\w+),", text, re.MULTILINE) or sorted(MAKERS)
    )


@cache
def checks(file: str) -> tuple[str, ...]:
    """Goals of the puzzles that need this file, of wrong rules, and of custom rules."""
    if file == "fields":
        return tuple(fields())
    kinds = kinds_of(file)
    others = 1 if file in SOME_KINDS else 3
    found = [
        *of_kinds(kinds, others),
        *in_houses(kinds),
        *around_cages(kinds),
        *lockouts(kinds),
        *errors(),
        *listed(),
    ]
    if file in SOME_KINDS:
        found += [*own_rules(), *fields(), *full_grids(kinds[0])]
    return tuple(found)


def full_grids(kind: str) -> Iterator[str]:
    """A full grid is refused when the rules are posted: no cell of it wakes them up later."""
    for seed in range(4):
        each = instance(kind, seed)
        box = each.grid.box
        for grid in {full_grid(box, other) for other in range(8)} - set(each.obeying):
            if not each.grid.layout.regions:
                posted = f"sudoku_rules(Rows, {box[0]}-{box[1]}, {terms_of(each.rules)})"
                yield f"Rows = {prolog(grid.rows)}, \\+ {posted}"


def of_kinds(kinds: list[str], others: int) -> Iterator[str]:
    for kind in MAKERS:  # a file may have what those of other files use
        for seed in range(16 if kind in kinds and len(kinds) < len(MAKERS) else others):
            yield from goals(instance(kind, seed))
    for each in (*extras(), *more_extras(), *overlapping()):
        if set().union(*map(kinds_in, each.rules)).intersection(kinds):
            yield from goals(each)


@cache
def goals(each: Instance) -> tuple[str, ...]:
    return (finds(each), *alone(each))


def finds(each: Instance) -> str:
    """Exactly those grids are found that obey the rules, and posting them leaves no choice."""
    if each.grid == EMPTY and len(each.obeying) > 100:  # to find all of these takes long
        each = of(list(each.rules), FEW)
    layout = each.grid.layout
    form = f"regions({shape(layout)})" if layout.regions else "{}-{}".format(*layout.box)
    return (
        f"Shape = {form}, Rows = {prolog(each.grid.rows)}, Rules = {terms_of(each.rules)},"
        f" mutation:finds(({SEARCHED}), Rows, {prolog(sorted(g.rows for g in each.obeying))})"
    )


def terms_of(rules: Iterable[Rule]) -> str:
    """As the engine writes them, but without fields that have their defaults."""
    return f"[{','.join(map(term_of, rules))}]"


def term_of(rule: Rule) -> str:
    text = term(rule)
    for name, value in rule.defaults.items():
        if getattr(rule, name) == value:
            text = re.sub(rf",{name}={value}(?=[,)])", "", text)
    return text


WIDE = {"minimum", "maximum", "negative", "global_entropy"}
WIDE |= {"anti_knight", "anti_king", "anti_taxicab"}
"""Kinds that constrain other cells than those that they name."""
INEXACT = {"count_different", "counting_circles", "lunchbox", "nabner", "renban"}
"""Kinds that leave more digits than the cells can have, even in a grid without other rules."""


def obeying(rule: Rule, cells: list[Cell], grid: Grid) -> list[list[int]]:
    """The digits of these cells with which a rule is obeyed, in a grid where digits may repeat."""
    found = []
    for digits in product(range(1, grid.size + 1), repeat=len(cells)):
        filled = dict(zip(cells, digits, strict=True))
        if rule.holds(Digits([filled.get(cell, 1) for cell in grid.cells], grid.layout)):
            found.append(list(digits))
    return found


def leaves(posted: str, cells: str, found: list[list[int]]) -> str:
    """Posting leaves the cells exactly those digits that they have in what is found."""
    left = [sorted(set(digits)) for digits in zip(*found, strict=True)]
    return (
        f"( {posted} -> maplist(sudoku_search:digits_left, {cells}, Left) ; Left = [] ),"
        f" Left == {left}"
    )


def alone(each: Instance) -> Iterator[str]:
    """The first rule by itself, in a grid where digits may repeat, if it has few cells."""
    rule = each.rules[0]
    cells = sorted(set(rule.cells_used()))
    elsewhere = WIDE.intersection(kinds_in(rule))
    if each.grid.box != (2, 2) or len(cells) > 5 or each.grid.layout.regions or elsewhere:
        return
    found = obeying(rule, cells, EMPTY)
    places = ",".join(f"{row}-{column}" for row, column in cells)
    posted = f"mutation:cells_alone({terms_of([rule])}, [{places}], Cells)"
    yield f"mutation:finds(({posted}, label(Cells)), Cells, {found})"
    if rule.kind not in INEXACT and len(set(rule.cells_used())) == len(list(rule.cells_used())):
        yield leaves(posted, "Cells", found)


def in_houses(kinds: list[str]) -> Iterator[str]:
    """Sums see that cells of a house are different: they leave exactly the digits that can be."""
    line, box = row(1, 6), [Cell(r, c) for r, c in product((1, 2), (1, 2, 3))]
    some: list[Rule] = [
        Total(cells, total)
        for cells in (line[:3], box[2:5], column(2, 6)[3:])
        for total in (6, 7, 14)
    ]
    some += [Total([*line[1:3], *column(6, 6)[3:5]], total) for total in (6, 7, 21)]
    some.append(KillerCage(box[2:5], 7))
    for rule in some:
        if rule.kind not in kinds:
            continue
        cells = list(rule.cells_used())
        pairs = [
            (a, b)
            for a, b in combinations(range(len(cells)), 2)
            if cells[a].row == cells[b].row
            or cells[a].column == cells[b].column
            or {cells[a], cells[b]} <= {*box}
        ]
        found = [
            digits
            for digits in obeying(rule, cells, SIX)
            if all(digits[a] != digits[b] for a, b in pairs)
        ]
        places = ",".join(f"{r}-{c}" for r, c in cells)
        posted = f"sudoku_rules(Rows, 2-3, [{term(rule)}])"
        at = f"maplist(mutation:cell_at(Rows), [{places}], Cells)"
        yield f"Rows = {prolog(SIX.rows)}, " + leaves(f"{posted}, {at}", "Cells", found)


def around_cages(kinds: list[str]) -> Iterator[str]:
    """The cells beside a cage do not hold a digit that it needs, and no digit is in it twice."""
    if "killer_cage" not in kinds:
        return
    # Written by hand, a cage may name a cell twice: the digit counts twice.
    posted = "mutation:cells_alone([killer_cage(cells=[1-1,1-1,2-3],sum=4)], [1-1,2-3], Cells)"
    yield f"mutation:finds(({posted}, label(Cells)), Cells, [[1,2]])"
    for cells, total in product(("r1c1 r2c3", "r1c1 r2c3 r4c4"), range(2, 13)):
        yield from alone(of([KillerCage(cells, total)], EMPTY))
    line = row(1, 4)
    for total in range(3, 8):
        rule = KillerCage(line[:2], total)
        found = [[grid[cell] for cell in line] for grid in of([rule], EMPTY).obeying]
        posted = f"sudoku_rules(Rows, 2-2, [{term(rule)}]), Rows = [Row|_]"
        yield f"{ROWS}, " + leaves(posted, "Row", found)


OR = " \\/ "


def lockouts(kinds: list[str]) -> Iterator[str]:
    """The ends of a lockout line keep a digit only if all cells between them can be outside."""
    if "lockout_line" not in kinds:
        return
    yield "\\+ ( C0 in 2..4, sudoku_shared:locked_out(C0, 1, [C0], 1) )"  # the same cell
    rng = random.Random(1)
    for inner, least in product((0, 1, 1, 2, 2, 2), (1, 2, 3)):
        domains = [rng.sample(range(1, 7), rng.randint(2, 4)) for _ in range(2 + inner)]
        found = [
            digits
            for digits in product(*domains)
            if abs(digits[0] - digits[1]) >= least
            and not any(min(digits[:2]) <= each <= max(digits[:2]) for each in digits[2:])
        ]
        cells = [f"C{number}" for number in range(len(domains))]
        goals = [
            f"{cell} in {OR.join(map(str, digits))}"
            for cell, digits in zip(cells, map(sorted, domains), strict=True)
        ]
        goals.append(f"sudoku_shared:locked_out(C0, C1, [{','.join(cells[2:])}], {least})")
        yield leaves(", ".join(goals), f"[{','.join(cells)}]", found)


def runs(size: int, lengths: Iterable[int]) -> list[tuple[Cell, ...]]:
    """Cells side by side in a row or column."""
    return [
        line(n, size)[start : start + length]
        for line in (row, column)
        for n in range(1, size + 1)
        for length in lengths
        for start in range(size - length + 1)
    ]


def obeyed(rules: Iterable[Rule], full: Grid) -> Iterator[Instance]:
    """The first six of the rules that the grid obeys, with its digits over 3."""
    some = Grid.of([given for given in full.givens if given.digit > 3], full.box)
    found = (rule for rule in rules if rule.holds(Digits(full.digits, full.layout)))
    yield from (of([rule], some) for rule in islice(found, 6))


@cache
def overlapping() -> tuple[Instance, ...]:
    """Cages that share cells, from two grids of 4x4 and one of 6x6."""
    rng, found = random.Random(1), []
    for box, seed, number in (((2, 2), 1, 8), ((2, 2), 2, 8), ((2, 3), 1, 4)):
        full = full_grid(box, seed)
        every = runs(full.size, range(2, full.size))
        for _ in range(number):
            cages = [
                KillerCage(run, sum(full[cell] for cell in run)) for run in rng.sample(every, 8)
            ]
            some = Grid.of([given for given in full.givens if given.digit > 4], box)
            found.append(of(cages, some))
    return tuple(found)


WITH_DEFAULTS = {
    **{Whispers: [2], LockoutLine: [3], SumLine: [3, 4], ModularLine: [3]},
    **{Difference: [2], Ratio: [2]},
}
"""Rules that have a value by default, and how many cells they are tried with."""


@cache
def more_extras() -> tuple[Instance, ...]:
    """Instances of features that only some grids, large ones or rules that nobody can obey show."""
    # Of a loop with the sum of a million, a mutant makes a set of 10**12 bits, which ends Prolog.
    small = [each | {"sum": 100} if each.get("loop") else each for each in OBEYED_BY_NONE]
    found = [of([rule], EMPTY) for rule in map(from_json, (*small, *ONCE_WRONG))]
    # A rule of an option that has options itself, which are refuted in a trial of that option.
    top = row(1, 4)
    nested = [
        AnyOf([[KillerCage([a, b], 3)], [KillerCage([a, b], 7)]]) for a, b in (top[:2], top[2:])
    ]
    found.append(of([AnyOf([[each] for each in nested])], EMPTY))
    # Two cells that are one: 2 follows from either, but not from itself.
    pair = PairTable([["r2c2", "r3c3"]], [[1, 2], [2, 3]])
    same = Palindrome("r2c2 r3c3")
    found += [of(rules, EMPTY) for rules in ([pair, same], [same, pair])]
    for make, lengths in WITH_DEFAULTS.items():
        found += obeyed(map(make, runs(6, lengths)), full_grid((2, 3), 1))
    longer = (run for run in reversed(runs(6, (2, 3, 4))) if len(run) > 2)
    found += obeyed(map(RegionSumLine, longer), full_grid((3, 2), 1))
    large = full_grid((4, 4), 1)
    holes = Grid.of([given for given in large.givens if given.digit not in (1, 16)], (4, 4))
    first, second = row(1, 16), row(2, 16)
    block = [*first[:4], *second[:4]]
    for cells in (block[:5], first[3:9], [*first[:6], *second[10:]]):
        digits = [large[cell] for cell in cells]
        if len({*digits}) == len(digits):
            found += [of([rule], holes) for rule in (KillerCage(cells, sum(digits)),)]
            found += [of([Different(cells)], holes), of([RellikCage(cells, 3)], holes)]
        found.append(of([Total(cells, sum(digits))], holes))
        found.append(of([Total(cells, sum(digits) * 2000, [2000] * len(cells))], holes))
    one = large.cells[0]
    twin = next(
        cell
        for cell in reversed(large.cells)
        if large[cell] == large[one] and cell not in (*first, *column(1, 16), *block)
    )
    found.append(of([KillerCage([one, twin], 2 * large[one])], holes))
    found += [of([rule], holes) for rule in (KillerCage([one, twin]), RellikCage([one, twin], 3))]
    found.append(of([Different(first)], holes))
    spread = [*first[:8], *second[8:], *first[8:10]]
    digits = [large[cell] for cell in spread]
    times = Counter(digits)
    found.append(of([Contains(spread, digits, exactly=True)], holes))
    found.append(of([Contains(spread, sorted(digits)[:-1])], holes))
    found.append(of([Contains(spread, sorted(digits)[:-1], exactly=True)], holes))
    without = [cell for cell in (*first, *second) if large[cell] != 16][:17]
    found += [
        of([Contains(without, [large[cell] for cell in without], exactly=each)], holes)
        for each in (False, True)
    ]
    digits = [large[cell] for cell in without]
    others = [digit for digit in digits if digit != 2]
    found.append(of([Contains(without, others, exactly=True)], holes))
    found.append(of([Contains(spread, sorted({large[cell] for cell in spread}))], holes))
    digits = [large[cell] for cell in spread]
    found.append(of([LookAndSay(spread, list(times), list(times.values()))], holes))
    for line in (first, second, spread[:16]):
        places = [large[cell] for cell in line]
        ends = sorted((places.index(1), places.index(16))) if {1, 16} <= {*places} else (0, 1)
        total = sum(places[ends[0] + 1 : ends[1]])
        found += [of([Sandwich(line, each)], holes) for each in (total, total + 1)]
    return tuple(found)


WRONG = [
    ("fogofwar(cells=[1-1])", "existence_error(rule, fogofwar)"),
    ("thermometer", "domain_error(fields_with(cells), [])"),
    ("thermometer(cells=[1-1,1-2], slow=maybe)", "type_error(boolean, maybe)"),
    ("thermometer(cells=[1-1,1-2], slow=_)", "instantiation_error"),
    ("thermometer(cells=[1-1,1-2], slw=true)", "unknown_field(thermometer, slw, [cells,slow])"),
    ("little_killer(cells=[1-1,2-2])", "domain_error(fields_with(sum), _)"),
    ("killer_cage(cells=[1-1,1-5], sum=3)", "type_error(between(1, 4), 5)"),
    ("killer_cage(cells=[1-1,5-1], sum=3)", "type_error(between(1, 4), 5)"),
    ("killer_cage(cells=[r1c1], sum=3)", "domain_error(cell, r1c1)"),
    ("thermometer(cells=[_])", "domain_error(cell, _)"),
    ("thermometer(cells=1-1)", "type_error(list, 1-1)"),
    ("total(cells=1-1, sum=1)", "type_error(list, 1-1)"),
    ("total(cells=[1-1], sum=1, weights=[x])", "type_error(integer, x)"),
    ("total(cells=[1-1], sum=1, weights=1)", "type_error(_, 1)"),
    ("total(cells=[1-1], sum=x)", "type_error(integer, x)"),
    ("region_sum_line(cells=[a])", "domain_error(cell, a)"),
    ("region_sum_line(cells=[5-1])", "type_error(between(1, 4), 5)"),
    ("region_sum_line(cells=[1-1], regions=[[5-1]])", "type_error(between(1, 4), 5)"),
    ("zipper_line(cells=[a])", "domain_error(cell, a)"),
    ("zipper_line(cells=[5-1])", "type_error(between(1, 4), 5)"),
    ("sum_line(cells=[1-1], sum=0)", "type_error(positive_integer, 0)"),
    ("rellik_cage(cells=[1-1], sum= -1)", "type_error(nonneg, -1)"),
    *(
        (f"{kind}(cells=[1-1,1-2], {field}=x)", "type_error(integer, x)")
        for kind, field in [
            *(("killer_cage", "sum"), ("sandwich", "sum"), ("lunchbox", "sum"), ("x_sum", "sum")),
            *(("skyscraper", "value"), ("hidden_skyscraper", "value")),
        ]
    ),
    ("hidden_skyscraper(cells=[1-1,1-2], value=_)", "instantiation_error"),
    ("17", "type_error(callable, 17)"),
    ("user:17", "type_error(callable, 17)"),
    ("user:none(cells=[1-1])", "existence_error(rule, none)"),
]
"""Rules that Prolog refuses, and the errors."""
NEAR, NONE = "did you mean {}?", "there is no clause rule(Kind, Fields, Grid) for it"
NO_KIND = [
    ("thermometr", "rule(fogofwar, _, _)", NEAR.format("thermometer")),
    ("user:thermometr", "rule(fogofwar, _, _)", NEAR.format("thermometer")),
    ("fogsofwar", "rule(fogofwar, _, _)", NEAR.format("fogofwar")),
    ("fogs", "rule(fogofwar, _, _)", NONE),
    ("own:fogofwar", "own:rule(tall, _, _), rule(_, none, _)", NONE),
]
"""Rules of kinds that there are not, a clause for another one, and what the error says."""
UNHEARD_OF = [
    f"{kind}(cells=[1-1,1-2,1-3], {field}={value})"
    for kind, field in [
        *(("killer_cage", "sum"), ("sandwich", "sum"), ("lunchbox", "sum"), ("x_sum", "sum")),
        *(("skyscraper", "value"), ("hidden_skyscraper", "value")),
    ]
    for value in (" -9", " -3", " -2", " -1", 10**12)
]
"""Rules that nobody can obey, in Prolog."""
ROWS = f"Rows = {prolog(EMPTY.rows)}"


def errors() -> Iterator[str]:
    for rule, error in WRONG:
        yield f"{ROWS}, mutation:raises(sudoku_rules(Rows, 2-2, [{rule}]), {error})"
    thermometer = "thermometer(cells=[1-1,1-2])"
    yield (
        f"{ROWS}, mutation:raises(sudoku_rules(Rows, 2-2, {thermometer}),"
        f" type_error(list, {thermometer}))"
    )
    for rules in ("", "rellik_cage(cells=[1-1,1-2], sum=11)"):  # which says nothing
        yield f"{ROWS}, sudoku_rules(Rows, 2-2, [{rules}])"
    for rule in UNHEARD_OF:
        yield f"{ROWS}, \\+ sudoku_rules(Rows, 2-2, [{rule}])"
    for rule, clause, text in NO_KIND:
        refused = f"sudoku_rules(Rows, 2-2, [{rule}]), existence_error(rule, _), '{text}'"
        yield with_clauses(clause, f"{ROWS}, mutation:raises({refused})")


# What the checks cannot notice: why, and patterns of the names of such mutants.
GUIDES = "it only prunes, or spares work: the answers are the same"
AGAIN = "a propagator that has nothing left to do is run in vain, or checks what is known"
SYMMETRIC = "the other cell of the pair says it, too"
NOWHERE = "there is no such digit, state or set, or it does not matter there"
LIMIT = "any limit near this one will do"
EQUIVALENT: dict[str, list[str]] = {
    GUIDES: [
        "*any_of(*",
        *("*run_propagator(accepted(* | turn(*", "*run_propagator(accepted(* | Turn==later*"),
        *("reachable(* | Last=\\=0*", "* | Next=\\=0 -> true", "* | Keep=\\=0 -> *"),
        *(
            "see_house(*",
            "* | *see_house(*",
            "* | post_implied(*",
            "rule(sandwich,*different_places(*",
        ),
        *("rule(sandwich,* | Size=<12-> ... -> fail-> ...", "different_places(*"),
        *(
            "digit_moves(*",
            "*run_propagator(equal_sums(* | turn(*",
            "*run_propagator(* | Turn==later*",
        ),
        *("subset_tables_if_small(*", "prune_part(*"),
        "prune_parts(*",
        *("*run_propagator(digit_pair(* | integer(O*", "see(*", "parts(*", "house_around(*"),
        *("subset_tables(* | nb_*", "subset_tables(* | arg(*", "subset_tables(* | *fail-> ..."),
        *("known_tables(* | *fail-> ...", "unlike(*", "rule(sum_line,* | Sum=<Length*Size -> true"),
        *("post_implied(*", "summed_cage(*", "area(*", "leftover(*", "take_cage(*"),
        *("one_way(* | Determinate*", "*run_propagator(alternatives(* | *Open*"),
        "*run_propagator(alternatives(* | Ways=[_|_] -> true",
        *(
            "*run_propagator(alternatives(* | *(2,way(*",
            "*run_propagator(alternatives(* | Number=*",
        ),
        *("post_clause(* | Module* -> true", "must_have_fields(* | Given*==?? -> true"),
        *("kind_fields(sudoku_kinds,*", "kind_fields(Module,* | *-> ... -> fail-> ..."),
        "kind_fields(Module,* | assertz(*",
    ],
    AGAIN: [
        *("*clpfd:kill(State) -> true", "*run_propagator(accepted(* | ground(Cells)-> *"),
        "*run_propagator(accepted(* | reachable(*",
        "*run_propagator(equal_sums(* | ground(Sums)*",
        "*run_propagator(equal_sums(* | foldl(total,Again,*",
    ],
    SYMMETRIC: ["cells_apart(*", "taxicab(*"],
    NOWHERE: [
        *(
            "region_of(*+(Column-1)//Width -> *-(Column-1)//Width",
            "sum_parts(*",
            *("part_sums(*possible_sums(1,*", "third_move(*", "holds_thirds(*,129)"),
        ),
        *("* | Others is *-1) -> *-2)", "*union_of(*,1,O*Kept)"),
        *("lockout(* | first_ends(*", "first_ends(*max(1,*"),
        *("step*(Set-1) -> *(Set-2)", "backward(*Here,1,Keep)"),
        *("ones(* | Count=<0 -> Count<0", "repeated(*", "rule(lunchbox,* | findall(*"),
        *(
            "*Width is *",
            "* | Room is *",
            "set_between(* | Good=0*",
            "set_between_move(* | After is *",
        ),
        *("rule(skyscraper,* | More is *", "skyscraper_move(* | Higher is *"),
        *("rule(*Sum>=0 -> *", "rule(*Value>=0 -> *", "rule(*Value=<Length -> *"),
        *("clue_sum(*Sum>=0 -> *", "clue_sum(*Sum=<Size*Size -> *"),
        "*post_propagator(*One+Other)",
        "close_pairs(*between(2,Length,M)*",
        *("subset_tables(* | All is *", "subset_tables(* | Most is *(Size+2)*"),
        *("add_digit(* | maplist(=(0),Zeros)*", "piece_move(* | Left>=0 -> true"),
        "way(* | Waits=true -> true",
    ],
    LIMIT: ["*20000*", "*Size=<12 -> *", "*Size=<Largest -> *"],
    "a later goal raises the same error": ["rule(zipper_line,* | cells(*"],
    "puzzles without rules are spared work": ["post_rules(* | Rules==*-> ... -> fail-> ..."],
}
SURVIVORS: dict[str, int | tuple[int, ...]] = {
    **{"alternatives": 9, "counts": 6, "fields": 5, "implied": (13, 14, 14), "kinds": 0},
    **{"lines": 1, "outside": 32, "pairs": 0, "rule": (4, 4), "sets": 10, "shared": (19, 15)},
    **{"sums": (12, 12, 12), "automata": (8, 8, 11)},
}
"""The greatest number for each file, or for each share of it."""
FOLDER = resource("prolog/rules/rule.pl").parent
FILES = sorted(FOLDER.glob("*.pl"))


@pytest.mark.slow
@pytest.mark.parametrize("share", shares(FOLDER, FILES, SURVIVORS))
def test_every_mutant_of_the_clauses_of_rules_is_noticed(share, tmp_path):
    judged = mutants_of_program(
        *("prolog/sudoku_prompt.pl", f"rules/{share.path.name}", []),
        *(checks(share.path.stem), tmp_path, f"{share.first}/{share.step}"),
    )
    alive = [mutant for mutant in judged if not mutant.noticed]
    assert [mutant.name for mutant in alive if not why_equivalent(mutant, EQUIVALENT)] == []
    assert len(alive) <= share.survivors
    assert [mutant.name for mutant in judged if mutant.check == "none"] == []
