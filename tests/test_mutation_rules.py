"""Each statement of the rules' encodings dropped or changed: small puzzles must notice it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import clingo
import pytest
from helpers.mutants import Mutant, judged, mutants_of_encoding
from helpers.oracle import all_solutions, full_grid
from helpers.programs import resource
from helpers.rules import MAKERS, fitting

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines.clingo.program import EXACT, encoding
from pylogic_sudoku.rules import Arrow, Contains, Rule
from pylogic_sudoku.rules._rule import facts

ENCODINGS = resource("encodings/rules.lp").parent
SECTIONS = sorted((ENCODINGS / "rules").glob("*.lp"))
FILES = [ENCODINGS / "rules.lp", *sorted((ENCODINGS / "kernels").glob("*.lp")), *SECTIONS]
INCLUDE = re.compile(r'^#include "([^"]+)"\.$', re.MULTILINE)
KIND = re.compile(r"^kind\(([\w;]+)\)\.", re.MULTILINE)

EVERY = tuple(all_solutions(Grid.parse("." * 16)))
"""All 288 grids of 4x4."""
MOST_SEEDS = 32
"""The number of instances of a kind, if few kinds run a file."""
MOST = 10
"""How many times as many rules a mutant may ground to as the program itself, and 10,000 more."""


@cache
def closure(path: Path) -> set[Path]:
    """The file and what it includes."""
    found = {path}
    for name in INCLUDE.findall(path.read_text()):
        found = found | closure((path.parent / name).resolve())
    return found


@cache
def sections() -> dict[str, Path]:
    """For each kind, the file with its section."""
    return {
        kind: path
        for path in SECTIONS
        for kinds in KIND.findall(path.read_text())
        for kind in kinds.split(";")
    }


@cache
def alone(path: Path) -> str:
    """The text of a file without what it includes."""
    return INCLUDE.sub("", path.read_text())


class TooLarge(Exception):
    """The mutant grounds to far more rules than the program, perhaps without end."""


class Size(clingo.Observer):
    rules = 0
    most = 10**9

    def rule(self, *_: object) -> None:
        self.rules += 1
        if self.rules > self.most:
            raise TooLarge


class Instance(NamedTuple):
    """Rules, a grid with some givens, and those of its solutions that obey the rules."""

    rules: tuple[Rule, ...]
    grid: Grid
    obeying: frozenset[Grid]


def kinds_in(rule: Rule) -> set[str]:
    nested = [part for option in getattr(rule, "options", ()) for part in option]
    return {rule.kind}.union(*map(kinds_in, nested))


@cache
def files_of(instance: Instance) -> tuple[Path, ...]:
    kinds = set().union(*map(kinds_in, instance.rules))
    found = set().union(*(closure(sections()[kind]) for kind in kinds))
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


def of(rules: list[Rule], grid: Grid) -> Instance:
    """The rules, and all solutions of the grid."""
    puzzle = Puzzle(Grid((0,) * len(grid.digits), grid.box), rules=rules)
    grids = all_solutions(grid) if grid.givens else EVERY
    return Instance(tuple(rules), grid, frozenset(g for g in grids if g.is_solution_of(puzzle)))


@cache
def extras() -> tuple[Instance, ...]:
    """What is seldom drawn."""
    twelve = full_grid((3, 4), 1)
    found = []
    for digit in (9, 10, 11):  # the number in a circle of two cells ends in one digit
        last = next(cell for cell in twelve.cells if twelve[cell] == digit)
        first = next(cell for cell in twelve.cells if twelve[cell] == 1)
        total, arm = 10 + twelve[last], []
        for cell in sorted(twelve.cells, key=lambda cell: -twelve[cell]):
            if cell not in (first, last) and twelve[cell] <= total:
                arm.append(cell)
                total -= twelve[cell]
        found.append(of([Arrow((first, last), arm)], twelve))
    empty = Grid((0,) * 16, (2, 2))
    found.append(of([Contains("r1c1 r2c2 r3c3", [1, 2], exactly=True)], empty))
    found.append(of([Contains("r1c1 r2c2", [1, 1], exactly=True)], empty))
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
    control.add("base", [], "\n".join(facts(instance.rules)))
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


def mutants(path: Path) -> Iterator[Mutant]:
    seen = {alone(path)}
    for mutant in mutants_of_encoding(alone(path)):
        # That one says what is `#defined` is noticed by a test that clingo has nothing to say.
        if mutant.program not in seen and not mutant.name.startswith("#defined"):
            seen.add(mutant.program)
            yield mutant


EQUIVALENT: dict[str, str] = {}


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_mutant_of_the_rules_is_noticed(path):
    killed, alive = [], []
    for mutant in mutants(path):
        dead = any(noticed(path, mutant.program, each) for each in instances(path, mutant))
        (killed if dead else alive).append(mutant.name)
    judged(killed, alive, EQUIVALENT)
