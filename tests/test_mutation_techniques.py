"""Each statement of the programs of techniques dropped or changed: small positions must notice it.

Of 1661 mutants 1581 are noticed; each of the others has a reason, which is below. A mutant must
have the same answer sets as the program, each as often: what goes, and why. A test of its own shows
that the program is right there: plain Python finds the same, and clingo proves the reasons.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import clingo
import pytest
from helpers import technique_oracle
from helpers.mutants import Mutant, OfFiles, Share, Size, TooLarge, alone, closure, shares
from helpers.programs import resource
from helpers.technique_oracle import by_cell, few_digits, random_position

from pylogic_sudoku import Placement, Puzzle
from pylogic_sudoku.engines.sudoku.ground_once import regions
from pylogic_sudoku.puzzle.cells import candidates_of
from pylogic_sudoku.techniques import TECHNIQUES
from pylogic_sudoku.techniques.position import LONGEST, step_in
from pylogic_sudoku.techniques.step import Step
from pylogic_sudoku.techniques.table import AT_ONCE

FILES = sorted(resource("encodings/techniques/sets.lp").parent.glob("*.lp"))
CONFLICTS = 20_000
"""A mutant that needs more of them is noticed, too: the programs need a few."""


CHAINS = ("chains", "grouped_chains")


class Instance(NamedTuple):
    """A program and a position."""

    program: str
    position: Callable[..., tuple[Puzzle, frozenset[Placement]]]
    shape: tuple[int, int] | int
    seed: int
    share: int
    extra: int
    more: str = ""
    """Other facts, or constants."""


def technique(name: str) -> str:
    return f"#const technique = {name}. [override]"


def longest(number: int) -> str:
    return f"#const longest = {number}. [override]"


def drawn(program: str, *arguments: object) -> Instance:
    return Instance(program, random_position, *arguments)  # type: ignore[arg-type]


def few(program: str, *arguments: object) -> Instance:
    return Instance(program, few_digits, *arguments)  # type: ignore[arg-type]


def one_digit(program: str, *arguments: object) -> Instance:
    return Instance(program, of_one_digit, *arguments)  # type: ignore[arg-type]


def broken(program: str, *arguments: object) -> Instance:
    return Instance(program, without_some, *arguments)  # type: ignore[arg-type]


def of_one_digit(*arguments: Any) -> tuple[Puzzle, frozenset[Placement]]:
    puzzle, left = random_position(*arguments)
    return puzzle, frozenset(each for each in left if each.digit == 1)


def without_some(*arguments: Any) -> tuple[Puzzle, frozenset[Placement]]:
    """Two thirds of the candidates, so that probably there is no solution."""
    puzzle, left = random_position(*arguments)
    rng = random.Random(1)
    return puzzle, frozenset(each for each in sorted(left) if rng.randrange(3))


DIFFERENT = "different(0,X,X) :- digit(X). different(1,1,2). different(1,2,1). different(1,3,4)."
"""A full set of different cells, and one that is not full."""
WORTH = "worth(2,1..3,5). worth(3,2,4). worth(3..5,3..4,5). worth(3..6,6,2..6)."
"""All candidates of a position but one."""

BATTERY = [
    drawn("singles", (2, 2), 85, 60, 46),
    drawn("singles", 5, 1, 40, 40),
    drawn("singles", (2, 2), 85, 60, 46, DIFFERENT),
    drawn("singles", (3, 2), 44, 40, 30, DIFFERENT),
    drawn("locked", (2, 2), 85, 60, 46),
    drawn("locked", 5, 1, 40, 40),
    drawn("locked", (2, 2), 0, 40, 46, DIFFERENT),
    drawn("sets", 4, 281, 37, 54),
    drawn("sets", (3, 2), 232, 41, 60),
    drawn("sets", 4, 235, 73, 25),
    drawn("sets", 4, 54, 3, 33),
    drawn("sets", (3, 2), 218, 27, 55),
    drawn("sets", 4, 54, 3, 33, DIFFERENT),
    drawn("sets", (3, 2), 218, 27, 55, technique("hidden_pair")),
    drawn("sets", (3, 2), 218, 27, 55, technique("locked")),
    broken("sets", 4, 526, 13, 41),
    drawn("fish", (2, 2), 278, 28, 52),
    drawn("fish", 4, 359, 39, 41),
    drawn("fish", 5, 23, 41, 57),
    drawn("fish", 4, 381, 39, 52),
    drawn("fish", 4, 301, 43, 32),
    drawn("fish", 5, 23, 41, 57, technique("sashimi_x_wing")),
    drawn("fish", 5, 23, 41, 57, "outside(1,2,3)."),
    drawn("fish", (2, 3), 59, 25, 44, technique("finned_x_wing")),
    few("wings", (2, 2), 28, 4, 20),
    few("wings", (3, 3), 556, 4, 50),
    few("wings", 4, 497, 4, 60),
    drawn("wings", 4, 232, 14, 48),
    few("wings", 4, 205, 4, 50),
    few("wings", (2, 3), 211, 3, 35),
    drawn("turbot", (2, 2), 188, 36, 40),
    drawn("turbot", 4, 207, 5, 37),
    drawn("turbot", (2, 2), 355, 12, 51),
    drawn("turbot", 4, 200, 29, 28),
    drawn("turbot", 6, 194, 37, 18),
    drawn("turbot", (2, 4), 223, 47, 35),
    drawn("turbot", (2, 2), 166, 16, 21),
    drawn("turbot", (2, 2), 327, 38, 37),
    one_digit("turbot", 4, 849, 3, 62),
    drawn("colours", 4, 235, 55, 25),
    drawn("colours", (2, 2), 193, 24, 43),
    drawn("colours", 4, 253, 38, 59),
    drawn("colours", (2, 2), 239, 35, 15),
    drawn("colours", (2, 2), 284, 34, 44),
    drawn("colours", 4, 321, 21, 58),
    few("als", 4, 317, 3, 50),
    drawn("als", (1, 5), 258, 58, 37),
    drawn("als", (2, 2), 238, 42, 54),
    few("als", (1, 5), 130, 3, 20),
    drawn("als", (2, 3), 198, 53, 39),
    drawn("als", 5, 445, 45, 40),
    few("als", 5, 451, 3, 67),
    few("als", 6, 427, 3, 22),
    drawn("als", (2, 5), 857, 76, 45),
    drawn("als", (2, 5), 536, 73, 54),
    few("als", (3, 3), 871, 3, 66),
    few("als", (5, 2), 873, 3, 60),
    drawn("chains", (3, 2), 44, 73, 19, longest(3)),
    few("chains", 4, 99, 4, 20, longest(3)),
    drawn("chains", (2, 4), 214, 61, 16, longest(3)),
    drawn("chains", (3, 2), 44, 73, 19),
    one_digit("chains", (3, 3), 585, 15, 32, longest(3)),
    drawn("chains", (3, 2), 44, 73, 19, WORTH),
    drawn("chains", (2, 4), 627, 43, 28, longest(4)),
    few("chains", (3, 3), 800, 3, 28, longest(5)),
    one_digit("grouped_chains", 6, 519, 11, 41, longest(2)),
    one_digit("grouped_chains", (2, 3), 524, 10, 56, longest(3)),
    one_digit("grouped_chains", (3, 2), 530, 16, 55, longest(2)),
    one_digit("grouped_chains", 6, 556, 22, 56, longest(3)),
    drawn("grouped_chains", (2, 2), 156, 43, 29, longest(3)),
    few("grouped_chains", (3, 2), 20, 3, 20, longest(4)),
    few("grouped_chains", 5, 37, 3, 50, longest(3)),
    few("grouped_chains", 4, 99, 4, 50, longest(2)),
    few("grouped_chains", (3, 2), 20, 3, 20),
]
"""The cheapest first."""


@cache
def position(instance: Instance) -> tuple[Puzzle, frozenset[Placement]]:
    _, make, *arguments, _ = instance
    return make(*arguments)


def path_of(instance: Instance) -> Path:
    return next(path for path in FILES if path.stem == instance.program)


class Answers(NamedTuple):
    sets: Counter[frozenset[clingo.Symbol]]
    """The shown atoms of each answer set, and the number of those that show the same."""
    projected: int
    """The number if those with the same effect count once, for programs that say so."""
    lengths: frozenset[clingo.Symbol]
    """The lengths that a question may name."""


def answers(
    instance: Instance, size: Size, mutated: Path | None = None, text: str = "", models: int = 0
) -> Answers:
    control = ground(instance, size, mutated, text)
    control.configuration.solve.models = models
    control.configuration.solve.solve_limit = f"{CONFLICTS},umax"
    with control.solve(yield_=True) as handle:
        found = Counter(frozenset(model.symbols(shown=True)) for model in handle)
        if handle.get().interrupted:
            raise TooLarge
    control.configuration.solve.project = "auto"
    with control.solve(yield_=True) as handle:
        projected = sum(1 for _ in handle)
    lengths = control.symbolic_atoms.by_signature("length", 1)
    return Answers(found, projected, frozenset(atom.symbol for atom in lengths))


def ground(
    instance: Instance, size: Size, mutated: Path | None = None, text: str = ""
) -> clingo.Control:
    puzzle, left = position(instance)
    rows, columns = puzzle.grid.box
    control = clingo.Control(
        [f"-cbox_rows={rows}", f"-cbox_columns={columns}"], logger=lambda *_: None
    )
    control.register_observer(size)
    for path in closure(path_of(instance)):
        control.add("base", [], text if path == mutated else alone(path))
    facts = [f"candidate{tuple(each)}." for each in sorted(left)]
    control.add("base", [], "\n".join((*facts, *regions(puzzle.layout), instance.more)))
    control.ground()
    return control


@cache
def expected(instance: Instance) -> tuple[Answers, int]:
    """The answer sets of the program itself, and the number of its ground rules."""
    size = Size()
    return answers(instance, size), size.rules


def noticed(mutated: Path, text: str, instance: Instance) -> bool:
    """True if the answer sets are not those of the program, or a search for them does not end."""
    right, rules = expected(instance)
    try:
        found = answers(instance, Size(rules), mutated, text, right.sets.total() + 1)
    except (RuntimeError, TooLarge):
        return True
    return found != right


def instances(path: Path, _mutant: Mutant) -> Iterator[Instance]:
    """Those that run the file."""
    return (each for each in BATTERY if path in closure(path_of(each)))


# What the instances cannot notice: why, and patterns of the names of such mutants.
GUIDES = "it only keeps the ground program small, or guides the search"
ORDER = "it says the same of two things in the other order, or in both"
NOWHERE = "there is no such cell, digit, node or number, or nothing goes there"
INJECTIVE = "other numbers for the digits, but no two sets of digits get the same"
STRONG = "a strong link is a weak one, too"
EQUIVALENT: dict[str, list[str]] = {
    GUIDES: [
        *("more(*K < Most", "more(*K <= Most", "some(*Held <= (Most+1)", "some(*M), *1 -> 2"),
        *("holds(A,N,T)*| without T != none", "shared(*| without size(*"),
        *("seen(N,(none,*| without place(*", "linked(N,T,(none,*| without place(*"),
        *("covers(R,P,N)*| without linked(P)", "#heuristic*", "size(*| without not beside(P)"),
        *("overlap(*| without linked([PQ])", "part(*| without linked(P)", "*| without index(I)"),
        *("way(0,P)*| without direct", "crossing(*| without not way(Area)"),
        *("meets(*| without wanted(*", "must_meet(*| dropped"),
        *(":- truth(R), technique(T)*| dropped", "from(A,I)*| without place(*"),
        *("gone(W,E)*without tip(W,P)", "gone(W,E)*without sees(P,E)"),
        *("left(Kind,*| without*line(*", "within(*| without open(*"),
        *("way(*without not known((I-2),Q)", "*without linked(Q)*"),
    ],
    ORDER: [
        *("double(*| N < M -> N > M", ":- first(*(A,B) > (X,Y)", "wing(xyz_wing,*A < B -> A > B"),
    ],
    NOWHERE: [
        *("largest(Rows-1)*(Rows-1) -> [R(]*", "largest(Rows-1)*Rows >= (*", "largest(4)*>= 9"),
        *("largest(4)*without (*", "#const longest*8 -> 9", "gone(one*K <= L"),
        *("*| ([IK]\\2) = 0 -> ([IK]\\2) <= 0", "*\\2) = 1 -> *\\2) >= 1", "goes(P,Q,*P <= Q"),
        *("inside(P,Q,*P <= Q", "restricted(*A <= B", "two(R)*<=", "in(group(G,N),*without all(*"),
        *("{ technique(T) *} = 1. | {*= 1 -> <=", "{ technique(T) : known*{*= 1 -> >="),
        *("{ technique(T) : known*{*= 1 -> without", "{ [fadl]*= 1 -> <="),
        *("{ place(*= 1 -> <=", "across(p*without line(*", "meets(*without across(L,_)"),
        *(
            "meets(*without not line(A)*",
            "line(L) :- across(L,_). | dropped",
            "pair(*<=",
            "wing(xy_wing,*A <= B",
        ),
        *("full(different,I)*>=",),
    ],
    INJECTIVE: [
        *("masks(*without N before*", "masks(*(N-1) -> N", "masks(*(N-1) -> (N+1)"),
    ],
    STRONG: [
        *("{ visits(I,Q) : weak*without (I\\2) = 0", "{ visits(I,Q) : weak*>= 0"),
        *("way(I,Q)*without (I\\2) = 1", "way(I,Q)*(I\\2) = 1 -> (I\\2) <= 1"),
    ],
}
SURVIVORS: dict[str, int | tuple[int, ...]] = {
    **{"als": 17, "alternating": 29, "chains": 1, "colours": 1, "fish": 6, "grouped_chains": 5},
    **{"locked": 1, "sets": 12, "sets_of_cells": 1, "sight": 2, "singles": 0, "step": 0},
    **{"truths_and_links": 0, "turbot": 2, "wings": 4},
}
"""The number for each file."""


@pytest.fixture(params=shares(FILES[0].parent, FILES, SURVIVORS))
def share(request: pytest.FixtureRequest) -> Share:
    return request.param


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


class TestTechniques(OfFiles):
    files, equivalent = FILES, EQUIVALENT
    instances, noticed = staticmethod(instances), staticmethod(noticed)


# --- what is right ---


def number(instance: Instance) -> int:
    """The most strong links of a chain, if the instance says it."""
    return int("".join(filter(str.isdigit, instance.more)) or 0)


def in_plain_python(key: str, instance: Instance) -> set[Any]:
    """The effects of the steps by a technique; by chains, of as many links as are allowed."""
    puzzle, left = position(instance)
    marks = by_cell(left)
    if key in technique_oracle.CHAINS:
        found = technique_oracle.CHAINS[key](puzzle, marks, number(instance))
    else:
        found = technique_oracle.TECHNIQUES[TECHNIQUES[key].name](puzzle, marks)
    return {*found} - {frozenset()}


@pytest.mark.slow
@pytest.mark.parametrize("program", sorted({each.program for each in BATTERY} - {*AT_ONCE}))
def test_the_program_is_right_in_these_positions(program):
    for instance in BATTERY:
        plain = not (instance.position is without_some or instance.more or program in LONGEST)
        if instance.program != program or not (plain or "longest" in instance.more):
            continue
        if number(instance) > 4:
            continue  # plain Python also finds AICs that are direct from their greater end only
        puzzle, left = position(instance)
        found = defaultdict[str, set[Any]](set)
        for answer in expected(instance)[0].sets:
            (key,) = (each.arguments[0].name for each in answer if each.name == "technique")
            at = puzzle, puzzle, candidates_of(left, puzzle.size), TECHNIQUES[key].name
            step = step_in(answer, partial(Step, *at), ())
            found[key].add(frozenset(map(tuple, step.removed)))
            step.verify("clingo")
        keys = [key for key, each in TECHNIQUES.items() if each.program == program]
        assert found == {key: gone for key in keys if (gone := in_plain_python(key, instance))}
