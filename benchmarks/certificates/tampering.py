"""Certificates that were tampered with: every checker must stop at the same lemma."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from pylogic_sudoku import Grid, Placement, Puzzle, solutions
from pylogic_sudoku.proofs import Certificate
from pylogic_sudoku.rules.clauses import Clause

from .checkers import CHECKERS, refusal


class Tampered(NamedTuple):
    """A certificate that was changed after the engine made it, and how."""

    way: str
    certificate: Certificate


class Judged(NamedTuple):
    """What the checkers say of such a certificate."""

    way: str
    refused: dict[str, int | None]
    """For each the first lemma that it refuses, or None; see `CHECKERS`."""
    certified: bool
    """True if the whole certificate passes, solutions included."""
    untrue: bool
    """True if anything that was accepted is wrong."""

    @property
    def agreed(self) -> bool:
        """True if all stop at the same lemma, or none does."""
        return len(set(self.refused.values())) == 1


def tampered(made: Sequence[Certificate], number: int, seed: int) -> Iterator[Tampered]:
    """So many certificates, each one of `made` with one change, all ways in turn.

    Each of `made` has two lemmas or more, and not all have the same solution.
    """
    chance = random.Random(seed)
    ways = list(WAYS.items())
    for place in range(number):
        way, change = ways[place % len(ways)]
        one = chance.choice(made)
        other = chance.choice([each for each in made if each.solutions != one.solutions])
        yield Tampered(way, change(one, other, chance))


def judged(
    tampered: Tampered,
    checkers: Sequence[str],
    two_solutions: Callable[[Grid | Puzzle], Iterable[Grid]] | None = None,
) -> Judged:
    """What these checkers say of the proof, and plain Python of the whole.

    `two_solutions` knows the truth: up to two solutions; without it, Prolog does.
    """
    certificate = tampered.certificate
    refused = {name: CHECKERS[name](certificate, None) for name in checkers}
    certified = refusal(certificate, "python") is None
    untrue = False
    if certified or None in refused.values():
        ask = two_solutions or partial(solutions, backend="prolog", limit=2)
        found, claimed = set(ask(certificate.puzzle)), set(certificate.solutions)
        # Only the proof says that the solution is the only one.
        untrue = found != claimed if certified else not found <= claimed
    return Judged(tampered.way, refused, certified, untrue)


def table(all_judged: Sequence[Judged]) -> Iterator[str]:
    """The lines of a table: for each way how many there are, and what became of them."""
    columns: dict[str, Callable[[Judged], bool]] = {
        "number": lambda _each: True,
        "proofs": lambda each: None in each.refused.values(),
        "certified": lambda each: each.certified,
        "differ": lambda each: not each.agreed,
        "untrue": lambda each: each.untrue,
    }
    yield f"{'':18}" + "".join(f"{heading:>10}" for heading in columns)
    for way in (*WAYS, "all"):
        some = [each for each in all_judged if way in (each.way, "all")]
        counts = (sum(map(is_one, some)) for is_one in columns.values())
        yield f"{way:18}" + "".join(f"{count:10,}" for count in counts)


Change = Callable[[Certificate, Certificate, random.Random], Certificate]


def _in_a_lemma(change: Callable[[Clause, int], Clause]) -> Change:
    """The change to the literals of one lemma, at one place."""

    def changed(one: Certificate, _other: Certificate, chance: random.Random) -> Certificate:
        lemmas = list(one.lemmas)
        at = chance.randrange(len(lemmas))
        lemmas[at] = change(lemmas[at], chance.randrange(len(lemmas[at])))
        return replace(one, lemmas=tuple(lemmas))

    return changed


def _swapped(lemmas: tuple[Clause, ...], one: int, other: int) -> tuple[Clause, ...]:
    between = lemmas[one + 1 : other]
    return (*lemmas[:one], lemmas[other], *between, lemmas[one], *lemmas[other + 1 :])


def _among_lemmas(
    change: Callable[[tuple[Clause, ...], int, int], tuple[Clause, ...]],
) -> Change:
    """The change to the lemmas, at two different places in order."""

    def changed(one: Certificate, _other: Certificate, chance: random.Random) -> Certificate:
        places = sorted(chance.sample(range(len(one.lemmas)), 2))
        return replace(one, lemmas=change(one.lemmas, *places))

    return changed


def _changed_given(one: Certificate, _other: Certificate, chance: random.Random) -> Certificate:
    row, column, digit = chance.choice(one.puzzle.givens)
    digit = chance.choice([each for each in range(1, one.puzzle.size + 1) if each != digit])
    return replace(one, puzzle=one.puzzle.with_(Placement(row, column, digit)))


def _dropped_given(one: Certificate, _other: Certificate, chance: random.Random) -> Certificate:
    return replace(one, puzzle=one.puzzle.without(chance.choice(one.puzzle.givens).cell))


WAYS: dict[str, Change] = {
    "flipped literal": _in_a_lemma(lambda each, at: (*each[:at], -each[at], *each[at + 1 :])),
    "dropped literal": _in_a_lemma(lambda each, at: each[:at] + each[at + 1 :]),
    "dropped lemma": _among_lemmas(lambda lemmas, at, _: lemmas[:at] + lemmas[at + 1 :]),
    "swapped lemmas": _among_lemmas(_swapped),
    "truncated": _among_lemmas(lambda lemmas, at, _: lemmas[:at]),
    "changed given": _changed_given,
    "dropped given": _dropped_given,
    "another grid": lambda one, other, _: replace(one, solutions=other.solutions),
    "no grid": lambda one, _, __: replace(one, solutions=()),
    "another proof": lambda one, other, _: replace(one, lemmas=other.lemmas),
}
