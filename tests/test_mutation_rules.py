"""Each statement of the encodings of rules dropped or changed: small puzzles must notice it.

Of 1788 mutants 1480 are noticed; each of the others has a reason, which is below. An instance has a
rule of some kind and one of another, and a puzzle: those of its solutions that obey the rules in
Python must be the answers, each once.
"""

from __future__ import annotations

import faulthandler
import fnmatch
import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import clingo
import pytest
from helpers.jigsaws import REGIONS
from helpers.mutants import (
    Mutant,
    Size,
    TooLarge,
    alone,
    closure,
    mutants_of_file,
    why_equivalent,
)
from helpers.oracle import all_solutions, full_grid
from helpers.programs import resource
from helpers.rules import MAKERS, fitting

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines.clingo.program import EXACT, encoding, regions
from pylogic_sudoku.rules import (
    AntiKnight,
    Arrow,
    BetweenLine,
    Contains,
    KillerCage,
    LockoutLine,
    Lunchbox,
    Palindrome,
    RegionSumLine,
    RellikCage,
    Rule,
    SameValues,
    Sandwich,
    SumLine,
)
from pylogic_sudoku.rules._rule import facts

ENCODINGS = resource("encodings/rules.lp").parent
SECTIONS = sorted((ENCODINGS / "rules").glob("*.lp"))
FILES = [ENCODINGS / "rules.lp", *sorted((ENCODINGS / "kernels").glob("*.lp")), *SECTIONS]
KIND = re.compile(r"^kind\(([\w;]+)\)\.", re.MULTILINE)

EVERY = tuple(all_solutions(Grid.parse("." * 16)))
"""All 288 grids of 4x4."""
MOST_SEEDS = 32
"""The number of instances of a kind, if few kinds run a file."""
MOST = 10
"""How many times as many rules a mutant may ground to as the program itself, and 10,000 more."""


@cache
def sections() -> dict[str, Path]:
    """For each kind, the file with its section."""
    return {
        kind: path
        for path in SECTIONS
        for kinds in KIND.findall(path.read_text())
        for kind in kinds.split(";")
    }


class Instance(NamedTuple):
    """Rules, a grid with some givens, and those of its solutions that obey the rules."""

    rules: tuple[Rule, ...]
    grid: Grid | Puzzle
    obeying: frozenset[Grid]


def kinds_in(rule: Rule) -> set[str]:
    nested = [part for option in getattr(rule, "options", ()) for part in option]
    return {rule.kind}.union(*map(kinds_in, nested))


@cache
def files_of(instance: Instance) -> tuple[Path, ...]:
    kinds = set().union(*map(kinds_in, instance.rules))
    found = set(chain(*(closure(sections()[kind]) for kind in kinds)))
    return tuple(path for path in FILES if path in found)


@cache
def instance(kind: str, seed: int) -> Instance:
    """A rule of this kind, and one of any kind, which is obeyed by the grid that they are for."""
    rng = random.Random(f"{kind} {seed}")
    box = (2, 3) if seed % 4 == 1 else (2, 2)
    made_for = fitting(kind, box, seed) or full_grid(box, seed)
    empty = Grid((0,) * len(made_for.digits), box)
    rules = [MAKERS[kind](rng, made_for)]
    for _ in range(5 * (seed % 4 > 0)):  # mostly one that the grid obeys
        if made_for.is_solution_of(Puzzle(empty, rules=rules)):
            break
        rules = [MAKERS[kind](rng, made_for)]
    for _ in range(60):
        decoy = MAKERS[rng.choice(sorted(MAKERS))](rng, made_for)
        if made_for.is_solution_of(Puzzle(empty, rules=[decoy])):
            rules.insert(rng.randint(0, 1), decoy)
            break
    return of(rules, empty if box == (2, 2) else with_some_solutions(made_for, rng))


def with_some_solutions(grid: Grid, rng: random.Random) -> Grid:
    """Givens of this grid that leave 2 to 60 solutions, so that some are nearly the grid."""
    kept = rng.sample(grid.givens, len(grid.givens) // 3)
    while True:
        puzzle = Grid.of(kept, grid.box)
        if sum(1 for _ in islice(all_solutions(puzzle), 61)) < 61:
            return puzzle
        kept.append(rng.choice([given for given in grid.givens if given not in kept]))


def of(rules: list[Rule], grid: Grid | Puzzle) -> Instance:
    """The rules, and all solutions of the grid."""
    areas = grid.layout.regions
    puzzle = Puzzle(Grid((0,) * len(grid.digits), grid.box), areas, rules=rules)
    grids = all_solutions(grid) if grid.givens or areas else EVERY
    return Instance(tuple(rules), grid, frozenset(g for g in grids if g.is_solution_of(puzzle)))


KNIGHTS = [
    "325461614235146352253614532146461523",
    "542316361254136425254631425163613542",
    "463512215364351246642135124653536421",
    "625413314562541326263145136254452631",
]
"""Grids of 6x6 in which digits are repeated by one of the moves of a knight alone."""

SELDOM_DRAWN = [
    Contains("r1c1 r2c2 r3c3", [1, 2], exactly=True),
    Contains("r1c1 r2c2", [1, 1], exactly=True),
    BetweenLine("r2c2 r3c3 r4c4"),
    BetweenLine("r2c2 r3c3 r3c4"),
    LockoutLine("r2c2 r3c3 r4c4", difference=1),
    LockoutLine("r2c2 r3c3 r3c4", difference=2),
    LockoutLine("r1c1 r1c2 r1c3", difference=2),
    Palindrome("r1c1 r1c2 r2c2 r3c3 r4c3 r4c4"),
    SameValues(["r2c2", "r3c3"]),
    KillerCage("r2c2 r3c2 r3c3"),
    *(RellikCage("r1c1 r1c2 r1c3", total) for total in range(3, 9)),
    *(SumLine("r1c1 r1c2 r2c2 r2c1", total, loop=True) for total in range(3, 8)),
    *(SumLine("r1c1 r1c2 r1c3 r1c4", total) for total in (3, 4, 5, 7)),
    *(SumLine("r1c1 r1c2 r1c3 r2c3 r2c2 r2c1", total, loop=True) for total in (4, 5, 7)),
    SumLine("r2c2 r3c3", 8),
    *(Sandwich("r1c1 r1c2 r1c3", total) for total in (0, 2, 3)),
    *(Sandwich("r1c1 r2c3 r3c2 r4c4", total) for total in (0, 2, 3, 4)),
    *(Lunchbox("r2c2 r3c2 r3c3", total) for total in range(4)),
    *(Lunchbox("r2c2 r3c3 r3c2", total) for total in range(4)),
]
"""Rules that the makers make seldom or never."""


@cache
def extras() -> tuple[Instance, ...]:
    """Instances of those, and with larger grids of what shows only there."""
    twelve = full_grid((3, 4), 1)
    found = [of([rule], Grid.parse("." * 16)) for rule in SELDOM_DRAWN]
    for digit in (9, 10, 11):  # the number in a circle of two cells ends in one digit
        last = next(cell for cell in twelve.cells if twelve[cell] == digit)
        first = next(cell for cell in twelve.cells if twelve[cell] == 1)
        total, arm = 10 + twelve[last], []
        for cell in sorted(twelve.cells, key=lambda cell: -twelve[cell]):
            if cell not in (first, last) and twelve[cell] <= total:
                arm.append(cell)
                total -= twelve[cell]
        found.append(of([Arrow((first, last), arm)], twelve))
    twelfth = next(cell for cell in twelve.cells if twelve[cell] == 12)
    parts = [next(cell for cell in twelve.cells if twelve[cell] == digit) for digit in (5, 7)]
    found.append(of([Arrow([twelfth], parts)], twelve))
    found.append(of([RegionSumLine("r1c2 r1c3 r2c3 r2c2")], Puzzle("." * 16, REGIONS[4])))
    rng = random.Random(1)
    for box in ((1, 5), (2, 4)):  # thirds that are not equal
        grid = full_grid(box, 1)
        for _ in range(4):
            line = MAKERS["entropic_line"](rng, grid)
            found.append(of([line], with_some_solutions(grid, rng)))
    found += [of([AntiKnight()], Grid.parse(text, box=(2, 3))) for text in KNIGHTS]
    return tuple(found)


def noticed(mutated: Path, text: str, instance: Instance) -> bool:
    """True if not exactly those grids are accepted that obey the rules, each once."""
    size = Size()
    size.most = MOST * ground_size(instance) + 10_000
    try:
        control = ground(mutated, text, instance, size)
    except (RuntimeError, TooLarge):
        return True
    control.configuration.solve.models = len(instance.obeying) + 1
    assumed = [(sudoku(*given), True) for given in instance.grid.givens]
    with control.solve(assumptions=assumed, yield_=True) as handle:
        found = [read(model, instance.grid.box) for model in handle]
    return len(found) != len(instance.obeying) or set(found) != instance.obeying


def sudoku(*arguments: int) -> clingo.Symbol:
    return clingo.Function("sudoku", list(map(clingo.Number, arguments)))


def read(model: clingo.Model, box: tuple[int, int]) -> Grid:
    digits = [0] * (box[0] * box[1]) ** 2
    for symbol in model.symbols(shown=True):
        x, y, n = (argument.number for argument in symbol.arguments)
        digits[(x - 1) * box[0] * box[1] + y - 1] = n
    return Grid(tuple(digits), box)


def ground(mutated: Path, text: str, instance: Instance, size: Size) -> clingo.Control:
    rows, columns = instance.grid.box
    control = clingo.Control(
        [EXACT, f"-cbox_rows={rows}", f"-cbox_columns={columns}"], logger=lambda *_: None
    )
    control.register_observer(size)
    control.add("base", [], encoding("sudoku"))
    for path in files_of(instance):
        control.add("base", [], text if path == mutated else alone(path))
    control.add("base", [], "\n".join((*facts(instance.rules), *regions(instance.grid.layout))))
    control.ground()
    return control


@cache
def ground_size(instance: Instance) -> int:
    size = Size()
    ground(ENCODINGS, "", instance, size)
    return size.rules


def instances(path: Path, mutant: Mutant) -> Iterator[Instance]:
    """Those that run the file: first and most of the kinds that the statement names, if any."""
    kinds = [kind for kind, section in sections().items() if path in closure(section)]
    named = [kind for kind in kinds if re.search(rf"\b{kind}\b", mutant.statement)] or kinds
    for some in (named, [kind for kind in kinds if kind not in named]):
        for seed in range(max(3, MOST_SEEDS // len(some or kinds))):
            for kind in some:
                yield instance(kind, seed)
    for extra in extras():
        if path in files_of(extra):
            yield extra


# What the instances cannot notice: why, and patterns of the names of such mutants.
GUIDES = "it follows from the houses, the sums or another statement, and only guides a search"
ORDER = "it says the same of two cells, parts or moves in the other order, or in both"
HALVES = "as many digits as cells: one half follows from the other"
UNASKED = "only rules of this kind have such fields, or nobody asks what it says of others"
NOWHERE = "there is no such cell, digit or set, or it does not matter there"
ANYWAY = "another condition or statement says it, too"
FREE = "only explanations make rules free, and their own tests compare every set"
EQUIVALENT: dict[str, list[str]] = {
    GUIDES: [
        *("few_sets(*", "longest(K)*", "set(L+1,*", "choice(R,G)*", "in(N,M)*>= 1", "fits(R,G,M)*"),
        *("broken(R) :- choice(R,G)*", "boxed(*", "uses(R,*", "combination(R,*", "least*"),
        *("alone(*", "sum_reaches(*", "broken(R) :- | dropped", "broken(R) :- | {*(S-B) -> *"),
        *("broken(R) :- cells(R,Part,*", "broken(R) :- filling(*", "broken(R) :- fits(*"),
        *("gap(*", "broken(R) :- gap(*", ":- reaches(X,Y,*", "broken(R) :- link(*", "possible(R)*"),
    ],
    ORDER: [
        *("broken(R) :- move(*DX)", "broken(R) :- move(*DY)", "total(R,(P,Q),0)*"),
        *("link(*(X,Y) < (A,B)*", "broken(R) :- | *(X,Y) < (A,B)*"),
    ],
    HALVES: [
        *("broken(R) :- | {*= 0 -> [<>]=", "not_renban(*", "broken(R) :- rule(R,sandwich)*<="),
    ],
    UNASKED: [
        *("* | without rule(*", "* | without link(*", "* | without thirds(_)"),
        *("* | without towers(R)", "* | without border(R,I)", "rising(R, at_least)*"),
        *("* | without value(R,value,1,V)", "start(R,* | without possible(R)"),
    ],
    NOWHERE: [
        *("renban(*", "ok(ratio(V)*", "related(*ratios*", "tall(R,I+1,K)*", "past(*"),
        *("first(R,I)*", "pair(*(L/2) -> L", "pair(*on(*", "pair(*(I+1) -> *", "move(R,N,D,N-D)*"),
        *("pair(R,(pairs,K)*1 -> 2", "some(*without (S+N) <= V", "some(* | (S+N) -> *"),
        *("start(R,0..V-1)* | (V-1) -> V", "start(R,0..V-1)* | (V-1) -> (V+1)"),
        *("part(R,L+1-I,* | *>= (L+1)", "part(R,L+1-I,* | (L+1) -> L"),
    ],
    ANYWAY: [
        *("*without on(R,cells,I,_,_) after the colon", "*without digit(N) after the colon"),
        *("broken(R) :- | *without G*", "broken(R) :- | G > 1*"),
        *("broken(R) :- | *before the colon", "start(R,0..V-1)* | 0 -> 1"),
    ],
    FREE: [":- rule(R,_), not alternative(R)*"],
}
SURVIVORS = {
    **{"rules": 2, "kernels/combinations": 53, "kernels/different": 10, "kernels/order": 14},
    **{"kernels/pairs": 7, "kernels/sums": 65, "kernels/thirds": 3, "rules/counts": 10},
    **{"rules/lines": 31, "rules/outside": 42, "rules/pairs": 29, "rules/sets": 13},
    **{"rules/sums": 29},
}
"""How many there are of each file."""


def name_of(path: Path) -> str:
    return path.relative_to(ENCODINGS).with_suffix("").as_posix()


def is_noticed(path: Path, mutant: Mutant) -> bool:
    return any(noticed(path, mutant.program, each) for each in instances(path, mutant))


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_mutant_of_the_rules_is_noticed(path):
    faulthandler.cancel_dump_traceback_later()  # this may take longer than a test
    alive = [mutant for mutant in mutants_of_file(path) if not is_noticed(path, mutant)]
    assert [mutant.name for mutant in alive if why_equivalent(mutant, EQUIVALENT) is None] == []
    assert len(alive) == SURVIVORS[name_of(path)], [mutant.name for mutant in alive]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_some_mutants_are_noticed_and_what_is_right_is_not(path):
    some = [mutant for mutant in mutants_of_file(path) if not why_equivalent(mutant, EQUIVALENT)]
    assert is_noticed(path, some[0])
    assert is_noticed(path, some[-1])
    for each in islice(instances(path, some[0]), 3):
        assert not noticed(path, alone(path), each)


def test_each_reason_is_about_some_mutant():
    names = [mutant.name for path in FILES for mutant in mutants_of_file(path)]
    for pattern in chain(*EQUIVALENT.values()):
        assert fnmatch.filter(names, pattern), pattern
