"""Each statement of the encodings of rules dropped or changed: small puzzles must notice it.

Each mutant that is not noticed has a reason, which is below. An instance has a rule of some kind
and one of another, and a puzzle: those of its solutions that obey the rules in Python must be the
answers, each once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import clingo
import pytest
from helpers.mutants import Mutant, OfFiles, Share, Size, TooLarge, alone, closure, shares
from helpers.programs import resource
from helpers.rule_instances import Instance, extras, instance, kinds_in

from pylogic_sudoku import Grid
from pylogic_sudoku.engines.clingo.session import EXACT
from pylogic_sudoku.engines.sudoku.ground_once import encoding, regions
from pylogic_sudoku.rules.base import facts

ENCODINGS = resource("encodings/rules.lp").parent
MODULES = sorted((ENCODINGS / "rules").glob("*.lp"))
FILES = [ENCODINGS / "rules.lp", *sorted((ENCODINGS / "shared").glob("*.lp")), *MODULES]
KIND = re.compile(r"^kind\(([\w;]+)\)\.", re.MULTILINE)

MAX_SEEDS = 32
"""The number of instances of a kind, if few kinds run a file."""


@cache
def modules() -> dict[str, Path]:
    """For each kind, the file with its module."""
    return {
        kind: path
        for path in MODULES
        for kinds in KIND.findall(path.read_text())
        for kind in kinds.split(";")
    }


@cache
def files_of(instance: Instance) -> tuple[Path, ...]:
    kinds = set().union(*map(kinds_in, instance.rules))
    found = set(chain(*(closure(modules()[kind]) for kind in kinds)))
    return tuple(path for path in FILES if path in found)


def noticed(mutated: Path, text: str, instance: Instance) -> bool:
    """True if not exactly those grids are accepted that obey the rules, each once."""
    try:
        control = ground(mutated, text, instance, Size(ground_size(instance)))
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
    kinds = [kind for kind, module in modules().items() if path in closure(module)]
    named = [kind for kind in kinds if re.search(rf"\b{kind}\b", mutant.statement)] or kinds
    for some in (named, [kind for kind in kinds if kind not in named]):
        for seed in range(max(3, MAX_SEEDS // len(some or kinds))):
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
SOFT = "only explanations make rules soft, and their own tests compare every set"
EQUIVALENT: dict[str, list[str]] = {
    GUIDES: [
        *(
            "few_sets(*",
            "longest(K)*",
            "set(L+1,*",
            "choice(R,G)*",
            "in(N,M)*>= 1",
            "listed(R) :- *",
        ),
        *("{ fits(R,G,M)*1*", ":- fits(R,G,M), uses(*dropped", "term(*without not listed(R)"),
        ":- alternative(R)*without alternative(R)",
        *("violated(R) :- choice(R,G)*", "boxed(*", "uses(R,*", "combination(R,*", "least*"),
        # Which sets are never ground.
        *("room(*", "spans(*"),
        *("alone(*", "sum_reaches(*", "violated(R) :- | dropped", "violated(R) :- | {*(S-B) -> *"),
        *("violated(R) :- cells(R,Part,*", "violated(R) :- filling(*", "violated(R) :- fits(*"),
        *(
            "gap(*",
            "violated(R) :- gap(*",
            ":- reaches(X,Y,*",
            "violated(R) :- link(*",
            "possible(R)*",
        ),
        *("before(R,I+1,T)*without before(*", "after(R,I,S)*without after(*"),
        # Which houses are taken off a sum, and which sums are added up.
        *("fills(*", "fullest(*", "off(*", "long(*", "left(*without not long(*"),
        *("weighs(*without V != 0", "goes(*", "together(*", "follows(*", "total(R,together(D)*"),
        *(
            "one_way(*",
            "step(R,S,N,*",
            "violated(R) :- one_way(*",
            "pair(*near(L)) :- *",
            "ok(near(L)*",
        ),
    ],
    ORDER: [
        *("violated(R) :- move(*DX)", "violated(R) :- move(*DY)", "total(R,(P,Q),0)*"),
        *("link(*(X,Y) < (A,B)*", "violated(R) :- | *(X,Y) < (A,B)*"),
    ],
    HALVES: [
        *("violated(R) :- | {*= 0 -> [<>]=", "not_renban(*", "violated(R) :- rule(R,sandwich)*<="),
    ],
    UNASKED: [
        *("* | without rule(*", "* | without relation(*", "* | without thirds(_)"),
        *("* | without towers(R)", "* | without border(R,I)", "rising(R, at_least)*"),
        *("* | without value(R,value,1,V)", "start(R,* | without possible(R)"),
    ],
    NOWHERE: [
        *("renban(*", "ok(ratio(V)*", "tall(R,I+1,K)*", "past(*"),
        *("first(R,I)*", "pair(*(L/2) -> L", "pair(*on(*", "pair(*(I+1) -> *", "move(R,N,D,N-D)*"),
        *("pair(R,(pairs,K)*1 -> 2", "some(*without (S+N) <= V", "some(* | (S+N) -> *"),
        *("start(R,0..V-1)* | (V-1) -> V", "start(R,0..V-1)* | (V-1) -> (V+1)"),
        *("part(R,L+1-I,* | *>= (L+1)", "part(R,L+1-I,* | (L+1) -> L"),
    ],
    ANYWAY: [
        *("*without on(R,cells,I,_,_) after the colon", "*without digit(N) after the colon"),
        *("violated(R) :- | *without G*", "violated(R) :- | G > 1*"),
        *("violated(R) :- | *before the colon", "base(*before the colon"),
        "start(R,0..V-1)*without value(R,loop,1,1)",
        *("weighs(*before the colon", "left(*W before the colon", "start(R,0..V-1)* | 0 -> 1"),
    ],
    SOFT: [":- rule(R,_), not alternative(R)*", "explained :- soft(_).*"],
}
SURVIVORS: dict[str, int | tuple[int, ...]] = {
    **{"rules": 1, "shared/combinations": (9, 6, 6, 6, 6, 8, 6), "shared/different": 7},
    **{
        "shared/order": (7, 9),
        "shared/pairs": 6,
        "shared/sums": (12, 15, 16, 16, 13, 16, 14, 15, 14),
    },
    **{"shared/thirds": 0, "rules/counts": 5, "rules/lines": (9, 4, 8, 7)},
    **{"rules/outside": (13, 11, 11), "rules/pairs": 8, "rules/sets": 11},
    **{"rules/sums": (9, 12, 12, 16, 17, 17, 17, 13)},
}
"""The number of each file, or of each share of it, except those of rules that nobody asks about."""


@pytest.fixture(params=shares(ENCODINGS, FILES, SURVIVORS))
def share(request: pytest.FixtureRequest) -> Share:
    return request.param


@pytest.fixture(params=FILES, ids=lambda path: path.relative_to(ENCODINGS).as_posix())
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


class TestRules(OfFiles):
    files = FILES
    equivalent, uncounted = EQUIVALENT, UNASKED
    instances, noticed = staticmethod(instances), staticmethod(noticed)
