"""Random conjunctions of clpfd, and their solutions by trying all assignments.

A constraint is a tuple: its name and its arguments. `MEANINGS` has the truth of each as the manual
of SWI-Prolog defines it, in plain Python. An expression without a value, such as ``1 // 0``, makes
the comparison around it false. No engine is asked here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import prod
from random import Random
from types import MappingProxyType
from typing import Any

VARIABLES = "ABCDE"
"""The names of variables; a variable is the place of its name."""

Values = Sequence[int]
Part = Any
"""A number, a text, or a tuple of parts: ``("var", 0)``, ``("+", Part, Part)``, ``("#=<", …)``."""


class NoValue(ArithmeticError):
    """The expression has no value."""


def _quotient(left: int, right: int) -> int:
    if right == 0:
        raise NoValue
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def _remainder(left: int, right: int) -> int:
    return left - right * _quotient(left, right)


def _floored(left: int, right: int) -> int:
    if right == 0:
        raise NoValue
    return left // right


def _modulo(left: int, right: int) -> int:
    return left - right * _floored(left, right)


OPERATIONS: Mapping[str, Callable[..., int]] = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "//": _quotient,
        "rem": _remainder,
        "div": _floored,
        "mod": _modulo,
        "min": min,
        "max": max,
        "abs": abs,
    }
)
COMPARISONS: Mapping[str, Callable[[int, int], bool]] = MappingProxyType(
    {
        "#=": operator.eq,
        "#\\=": operator.ne,
        "#<": operator.lt,
        "#=<": operator.le,
        "#>": operator.gt,
        "#>=": operator.ge,
    }
)
CONNECTIVES: Mapping[str, Callable[..., bool]] = MappingProxyType(
    {
        "#/\\": lambda left, right: left and right,
        "#\\/": lambda left, right: left or right,
        "#\\": lambda left, right: left != right,
        "#==>": lambda left, right: not left or right,
        "#<==>": operator.eq,
    }
)


def value(part: Part, values: Values) -> int:
    """The value of an expression; NoValue if it has none."""
    if isinstance(part, int):
        return part
    name, *arguments = part
    if name == "var":
        variable: int = arguments[0]
        return values[variable]
    return OPERATIONS[name](*(value(each, values) for each in arguments))


def holds(constraint: Part, values: Values) -> bool:
    """True if the values satisfy the constraint."""
    name, *arguments = constraint
    if name in COMPARISONS:
        try:
            return COMPARISONS[name](*(value(each, values) for each in arguments))
        except NoValue:
            return False
    if name in CONNECTIVES:
        return CONNECTIVES[name](*(holds(each, values) for each in arguments))
    if name == "not":
        return not holds(arguments[0], values)
    if name == "in":
        variable, ranges = arguments
        return any(low <= values[variable[1]] <= high for low, high in ranges)
    return MEANINGS[name](values, *arguments)


def _of(variables: Sequence[Part], values: Values) -> tuple[int, ...]:
    return tuple(value(each, values) for each in variables)


def _different(values: Values, variables: Part) -> bool:
    taken = _of(variables, values)
    return len({*taken}) == len(taken)


def _scalar_product(values: Values, weights: Part, variables: Part, name: str, sum_: Part) -> bool:
    total = sum(w * v for w, v in zip(weights, _of(variables, values), strict=True))
    return COMPARISONS[name](total, value(sum_, values))


def _tuples_in(values: Values, variables: Part, relation: Part) -> bool:
    return _of(variables, values) in relation


def _element(values: Values, place: Part, variables: Part, found: Part) -> bool:
    at, taken = value(place, values), _of(variables, values)
    return 1 <= at <= len(taken) and taken[at - 1] == value(found, values)


def _cardinality(values: Values, variables: Part, pairs: Part) -> bool:
    taken = _of(variables, values)
    counts = {key: value(count, values) for key, count in pairs}
    return {*taken} <= {*counts} and all(taken.count(key) == n for key, n in counts.items())


def _circuit(values: Values, variables: Part) -> bool:
    taken, at, seen = _of(variables, values), 0, set()
    while at not in seen:
        seen.add(at)
        if not 1 <= taken[at] <= len(taken):
            return False
        at = taken[at] - 1
    return at == 0 and len(seen) == len(taken)


def _cumulative(values: Values, tasks: Part, limit: int) -> bool:
    placed = [(value(start, values), duration, used) for start, duration, used in tasks]
    times = {at for start, duration, _ in placed for at in range(start, start + duration)}
    return all(
        sum(used for start, length, used in placed if start <= at < start + length) <= limit
        for at in times
    )


def _automaton(values: Values, variables: Part, accepting: Part, arcs: Part) -> bool:
    """The first node is the source."""
    at = {"s"}
    for each in _of(variables, values):
        at = {target for source, label, target in arcs if source in at and label == each}
    return bool(at & {*accepting})


def _lexicographic(values: Values, lists: Part) -> bool:
    return all(left <= right for left, right in pairwise(_of(each, values) for each in lists))


def _chain(values: Values, variables: Part, name: str) -> bool:
    return all(COMPARISONS[name](*each) for each in pairwise(_of(variables, values)))


MEANINGS: Mapping[str, Callable[..., bool]] = MappingProxyType(
    {
        "all_distinct": _different,
        "all_different": _different,
        "scalar_product": _scalar_product,
        "tuples_in": _tuples_in,
        "element": _element,
        "global_cardinality": _cardinality,
        "circuit": _circuit,
        "cumulative": _cumulative,
        "automaton": _automaton,
        "lex_chain": _lexicographic,
        "chain": _chain,
    }
)


# --- as Prolog reads them -------------------------------------------------------------------------


def written(part: Part) -> str:
    """An expression or a constraint as Prolog reads it."""
    if isinstance(part, int | str):
        return f"({part})" if isinstance(part, int) and part < 0 else str(part)
    name, *arguments = part
    if name == "var":
        return VARIABLES[arguments[0]]
    if name == "not":
        return f"#\\ ({written(arguments[0])})"
    if name == "in":
        variable, ranges = arguments
        domain = " \\/ ".join(f"({low})..({high})" for low, high in ranges)
        return f"{written(variable)} in {domain}"
    if name in ("min", "max", "abs"):
        return f"{name}({', '.join(map(written, arguments))})"
    if name in OPERATIONS or name in COMPARISONS or name in CONNECTIVES:
        left, right = (
            written(each) if isinstance(each, int) or each[0] == "var" else f"({written(each)})"
            for each in arguments
        )
        return f"{left} {name} {right}"
    return WRITTEN[name](*arguments)


def _list(parts: Sequence[Part]) -> str:
    return f"[{', '.join(map(written, parts))}]"


def _written_tasks(tasks: Part, limit: int) -> str:
    terms = (
        f"task({written(start)}, {duration}, _, {used}, {at})"
        for at, (start, duration, used) in enumerate(tasks)
    )
    return f"cumulative([{', '.join(terms)}], [limit({limit})])"


def _written_automaton(variables: Part, accepting: Part, arcs: Part) -> str:
    nodes = ["source(s)", *(f"sink({each})" for each in accepting)]
    edges = ", ".join(f"arc({source}, {label}, {target})" for source, label, target in arcs)
    return f"automaton({_list(variables)}, [{', '.join(nodes)}], [{edges}])"


WRITTEN: Mapping[str, Callable[..., str]] = MappingProxyType(
    {
        "all_distinct": lambda variables: f"all_distinct({_list(variables)})",
        "all_different": lambda variables: f"all_different({_list(variables)})",
        "scalar_product": lambda weights, variables, name, total: (
            f"scalar_product({_list(weights)}, {_list(variables)}, {name}, {written(total)})"
        ),
        "tuples_in": lambda variables, relation: (
            f"tuples_in([{_list(variables)}], [{', '.join(map(_list, relation))}])"
        ),
        "element": lambda place, variables, found: (
            f"element({written(place)}, {_list(variables)}, {written(found)})"
        ),
        "global_cardinality": lambda variables, pairs: (
            f"global_cardinality({_list(variables)}, "
            f"[{', '.join(f'{written(key)}-{written(count)}' for key, count in pairs)}])"
        ),
        "circuit": lambda variables: f"circuit({_list(variables)})",
        "cumulative": _written_tasks,
        "automaton": _written_automaton,
        "lex_chain": lambda lists: f"lex_chain([{', '.join(map(_list, lists))}])",
        "chain": lambda variables, name: f"chain({_list(variables)}, {name})",
    }
)


# --- conjunctions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Conjunction:
    """Constraints over variables with domains."""

    domains: tuple[tuple[int, int], ...]
    constraints: tuple[Part, ...]

    @property
    def variables(self) -> str:
        """The list of the variables, as Prolog reads it."""
        return f"[{', '.join(VARIABLES[: len(self.domains)])}]"

    @property
    def goals(self) -> tuple[str, ...]:
        """The domains, then the constraints, as Prolog reads them."""
        domains = (
            f"{VARIABLES[at]} in ({low})..({high})" for at, (low, high) in enumerate(self.domains)
        )
        return (*domains, *map(written, self.constraints))

    @property
    def text(self) -> str:
        """A query for the prompt, whose answers are the solutions."""
        goals = ",\n   ".join((*self.goals, f"label({self.variables})"))
        return f"?- {goals}.\n"

    def answers(self) -> frozenset[tuple[int, ...]]:
        """All assignments that satisfy all constraints."""
        places = product(*(range(low, high + 1) for low, high in self.domains))
        return frozenset(
            each for each in places if all(holds(one, each) for one in self.constraints)
        )

    def smaller(self) -> Iterator[Conjunction]:
        """The conjunctions that are one step smaller."""
        for at in range(len(self.domains) if len(self.domains) > 1 else 0):
            if not _mentions(self.constraints, at):
                rest = (*self.domains[:at], *self.domains[at + 1 :])
                yield Conjunction(rest, _without_variable(self.constraints, at))
        for at in range(len(self.constraints)):
            rest = (*self.constraints[:at], *self.constraints[at + 1 :])
            yield replace(self, constraints=rest)
        for at, (low, high) in enumerate(self.domains):
            for narrow in ((low + 1, high), (low, high - 1)) if low < high else ():
                yield replace(self, domains=(*self.domains[:at], narrow, *self.domains[at + 1 :]))
        for at, constraint in enumerate(self.constraints):
            for each in _simpler(constraint):
                yield replace(
                    self,
                    constraints=(*self.constraints[:at], each, *self.constraints[at + 1 :]),
                )


def _mentions(part: Part, variable: int) -> bool:
    return part == ("var", variable) or (
        isinstance(part, tuple) and any(_mentions(each, variable) for each in part)
    )


def _without_variable(part: Part, variable: int) -> Part:
    """The part with later variables renamed, since this one, which is not in it, goes."""
    if not isinstance(part, tuple):
        return part
    if part[:1] == ("var",):
        return ("var", part[1] - (part[1] > variable))
    return tuple(_without_variable(each, variable) for each in part)


def _simpler(part: Part) -> Iterator[Part]:
    """Parts of the same kind, with one operation less or a smaller list."""
    name, *arguments = part
    if name == "not" or name in CONNECTIVES:
        yield from arguments
        for at, each in enumerate(arguments):
            for other in _simpler(each):
                yield (name, *arguments[:at], other, *arguments[at + 1 :])
    elif name in COMPARISONS or name in OPERATIONS:
        for at, each in enumerate(arguments):
            if isinstance(each, tuple) and each[0] != "var":
                for other in (*each[1:], *_simpler(each)):
                    yield (name, *arguments[:at], other, *arguments[at + 1 :])
    elif name in ("tuples_in", "automaton"):
        rows = arguments[-1]
        for at in range(len(rows) if len(rows) > 1 else 0):
            yield (name, *arguments[:-1], (*rows[:at], *rows[at + 1 :]))
    elif name in ("all_distinct", "all_different", "chain", "cumulative", "lex_chain"):
        items = arguments[0]
        for at in range(len(items) if len(items) > 2 else 0):
            yield (name, (*items[:at], *items[at + 1 :]), *arguments[1:])


MOST_ASSIGNMENTS = 700
KINDS = (*MEANINGS, "compared", "connected", "connected", "in")


def random_conjunction(rng: Random) -> Conjunction:
    """A conjunction of one to three constraints, small enough to try all assignments."""
    while True:
        domains = tuple(
            (low, low + rng.randint(0, 5))
            for low in (rng.randint(-2, 2) for _ in range(rng.randint(2, len(VARIABLES))))
        )
        if prod(high - low + 1 for low, high in domains) <= MOST_ASSIGNMENTS:
            break
    several = rng.randint(1, 3)
    return Conjunction(domains, tuple(_constraint(rng, domains) for _ in range(several)))


def _constraint(rng: Random, domains: Sequence[tuple[int, int]]) -> Part:
    kind = rng.choice(KINDS)
    count = len(domains)

    def some(least: int = 2) -> Part:
        return tuple(
            ("var", rng.randrange(count)) for _ in range(rng.randint(least, max(least, count)))
        )

    def number() -> int:
        return rng.randint(-2, 4)

    def one() -> Part:
        return ("var", rng.randrange(count)) if rng.random() < 0.8 else number()

    if kind == "compared":
        return (rng.choice(tuple(COMPARISONS)), _expression(rng, count), _expression(rng, count))
    if kind == "connected":
        return _connected(rng, count, 2)
    if kind == "in":
        return _domain(rng, count)
    if kind in ("all_distinct", "all_different", "circuit"):
        return (kind, some())
    if kind == "scalar_product":
        variables = some()
        weights = tuple(number() for _ in variables)
        return (kind, weights, variables, rng.choice(tuple(COMPARISONS)), one())
    if kind == "tuples_in":
        variables = some()
        rows = {tuple(number() for _ in variables) for _ in range(rng.randint(1, 8))}
        return (kind, variables, tuple(sorted(rows)))
    if kind == "element":
        return (kind, ("var", rng.randrange(count)), (*some(), number()), one())
    if kind == "global_cardinality":
        keys = rng.sample(range(-2, 5), rng.randint(2, 5))
        return (kind, some(), tuple((key, one()) for key in keys))
    if kind == "cumulative":
        # The manual wants positive durations; cumulative/2 fails without a word otherwise.
        tasks = tuple((start, rng.randint(1, 3), rng.randint(0, 2)) for start in some(1))
        return (kind, tasks, rng.randint(1, 3))
    if kind == "automaton":
        nodes = ("s", "t", "u")
        arcs = {(rng.choice(nodes), number(), rng.choice(nodes)) for _ in range(rng.randint(2, 8))}
        accepting = tuple(sorted(rng.sample(nodes, rng.randint(1, 2))))
        return (kind, some(1), accepting, tuple(sorted(arcs)))
    if kind == "lex_chain":
        width = rng.randint(1, 2)
        lists = tuple(
            tuple(("var", rng.randrange(count)) for _ in range(width))
            for _ in range(rng.randint(2, 3))
        )
        return (kind, lists)
    return ("chain", some(), rng.choice(("#<", "#=<", "#>", "#>=")))


def _expression(rng: Random, count: int, depth: int = 2) -> Part:
    if depth == 0 or rng.random() < 0.3:
        return ("var", rng.randrange(count)) if rng.random() < 0.75 else rng.randint(-3, 4)
    name = rng.choice(tuple(OPERATIONS))
    arguments = 1 if name == "abs" else 2
    return (name, *(_expression(rng, count, depth - 1) for _ in range(arguments)))


def _connected(rng: Random, count: int, depth: int) -> Part:
    if depth == 0 or rng.random() < 0.2:
        if rng.random() < 0.15:
            return _domain(rng, count)
        left, right = (_expression(rng, count, 1) for _ in range(2))
        return (rng.choice(tuple(COMPARISONS)), left, right)
    if rng.random() < 0.2:
        return ("not", _connected(rng, count, depth - 1))
    name = rng.choice(tuple(CONNECTIVES))
    return (name, _connected(rng, count, depth - 1), _connected(rng, count, depth - 1))


def _domain(rng: Random, count: int) -> Part:
    starts = sorted(rng.sample(range(-2, 6), rng.randint(1, 2)))
    return (
        "in",
        ("var", rng.randrange(count)),
        tuple((low, low + rng.randint(0, 1)) for low in starts),
    )
