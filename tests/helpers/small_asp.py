"""Small random programs for clingo, and their answers as clingo alone enumerates them."""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Any

import clingo

from pylogic_sudoku.problem import Signature

SHOWS = (
    "",
    "#show.",
    "#show a/1.",
    "#show a/1. #show b/1.",
    "#show t(X) : a(X).",
    "#show t(X) : a(X). #show b/1.",
    "#show c : a(1), not b(1). #show a/1.",
    "#show t(1) : a(1). #show t(1) : b(1).",
    "#show t(X) : a(X), b(X). #show t(X+1) : b(X), not c.",
    "#show a(X) : b(X).",
    "#show b(X+1) : a(X). #show a/1.",
)
OUTPUTS: tuple[tuple[str, ...], ...] = ((), (), ("a/1",), ("a/1", "b/1"), ("c/0", "a/1"))
"""The lists of outputs in a problem.toml; none leaves it to the program."""
_SOMETIMES = (
    "q(X) :- a(X), not b(X).",
    "d ; q(9) :- c.",
    "q(7).",
    "#external e(1..2). a(3) :- e(1).",
    "-a(X) :- b(X).",
    "x(X) :- a(X), not y(X). y(X) :- a(X), not x(X).",
)
_LITERALS = ("a(1)", "a(3)", "b(1)", "c", "not a(1)", "not b(2)", "not c", "a(X), b(X)")
_COSTS = (
    "#minimize {{ {0}@{1},X : a(X) }}.",
    "#maximize {{ {0}@{1},X : b(X) }}.",
    "#minimize {{ {0}@{1} : c }}.",
    ":~ a(X), b(Y), X < Y. [{0}@{1},X,Y]",
    "#minimize {{ {0}@{1} : z }}. #defined z/0.",
)


def program(random: Random) -> str:
    """A program with choices, constraints, perhaps costs, and a way of showing its answers."""
    rules = ["{ a(1..3); b(1..2); c }."]
    rules += [each for each in _SOMETIMES if random.random() < 0.3]
    for _ in range(random.randint(0, 3)):
        rules.append(f":- {', '.join(random.sample(_LITERALS, random.randint(1, 3)))}.")
    if random.random() < 0.5:
        for _ in range(random.randint(1, 3)):
            rules.append(
                random.choice(_COSTS).format(random.choice((-1, 1, 2)), random.randint(0, 2))
            )
    return "\n".join((*rules, random.choice(SHOWS)))


class _Sees(clingo.Observer):
    costs = False

    def minimize(self, priority: int, literals: Any) -> None:
        self.costs = True


def answers(text: str, outputs: Collection[Signature]) -> dict[frozenset[str], tuple[int, ...]]:
    """Each answer, and its costs; of models that are shown alike there is one."""
    control = clingo.Control(["--eq=0", "--opt-mode=optN", "0"])
    observer = _Sees()
    control.register_observer(observer)
    control.add(text)
    control.ground()
    found = {}
    with control.solve(yield_=True) as handle:
        for model in handle:
            if observer.costs and not model.optimality_proven:
                continue
            symbols = model.symbols(atoms=True) if outputs else model.symbols(shown=True)
            atoms = frozenset(
                str(each)
                for each in symbols
                if not outputs
                or (("-", "")[each.positive] + each.name, len(each.arguments)) in outputs
            )
            found[atoms] = tuple(model.cost) if observer.costs else ()
    return found
