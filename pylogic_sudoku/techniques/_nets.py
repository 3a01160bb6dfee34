"""Candidates that are refuted by looking ahead: forcing chains and forcing nets.

Suppose that a candidate holds. What shares a rule with it that is met at most once goes; a rule
that must be met and has one candidate left is met by that candidate; and so on. If in the end a
rule that must be met has no candidate left, the supposition is wrong. If each consequence follows
from one other, these are chains, else a net.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from .._demands import SudokuRule, cell_rules, rules
from ..grid import Layout, Placement
from ._addition import meeting
from ._table import Found

__all__ = ["Net", "Nets"]

MUST = ("filled", "somewhere")

TRIED = 12
"""How many nets the simplest is chosen from: those of the fewest rounds."""


class Net(NamedTuple):
    """How a candidate is refuted; none of its rules is redundant."""

    technique: str
    candidate: Placement
    forced: tuple[tuple[SudokuRule, Placement], ...]
    """What must hold if the candidate does, in order, each with the rule that it alone can meet."""
    broken: SudokuRule
    """The rule that nothing can meet then."""
    links: tuple[SudokuRule, ...]
    """The rules that rule out everything else, as they are met at most once."""

    def found(self) -> Found:
        """The step."""
        roles: list[tuple[str, tuple[Placement, ...]]] = [("supposed", (self.candidate,))]
        if self.forced:
            roles.append(("follows", tuple(placement for _, placement in self.forced)))
        gone = (self.candidate,)
        return Found(self.technique, self.must, self.links, None, gone, roles=tuple(roles))

    @property
    def must(self) -> tuple[SudokuRule, ...]:
        """The rules that must be met, in the order in which they are used; the broken one last."""
        return (*(rule for rule, _ in self.forced), self.broken)


class Nets:
    """The nets of one position."""

    def __init__(self, layout: Layout, left: Collection[Placement]) -> None:
        plain = layout._replace(rules=())
        self._candidates = sorted(left)
        number = {candidate: bit for bit, candidate in enumerate(self._candidates)}
        self._bit = number
        self._must: dict[SudokuRule, int] = {}
        self._most: dict[SudokuRule, int] = {}
        self._rules_of: list[list[SudokuRule]] = [[] for _ in number]
        for rule in dict.fromkeys((*cell_rules(plain), *rules(plain))):
            found = [number[each] for each in meeting(rule, plain) if each in number]
            mask = sum(1 << bit for bit in found)
            if rule[0] in MUST:
                # A rule without candidates is met by a filled cell.
                if found:
                    self._must[rule] = mask
            elif len(found) > 1:
                self._most[rule] = mask
                for bit in found:
                    self._rules_of[bit].append(rule)
        self._others = [
            _together(self._most[rule] for rule in several) & ~(1 << bit)
            for bit, several in enumerate(self._rules_of)
        ]

    def refuting(self, candidates: Iterable[Placement]) -> Iterator[Net]:
        """A minimal net for each of the candidates that has one, the fewest rounds first."""
        runs = [_Run(self, self._bit[candidate], self._must) for candidate in candidates]
        refuted = (run for run in runs if run.broken is not None)
        for run in sorted(refuted, key=lambda run: (run.rounds, run.start)):
            yield self._minimal(run)

    def simplest(self, candidates: Iterable[Placement]) -> Net | None:
        """A net with few rules, if there is one; a chain rather than a net."""
        found = islice(self.refuting(candidates), TRIED)
        return min(
            found,
            key=lambda net: (net.technique, len(net.must), len(net.links), net.candidate),
            default=None,
        )

    def _minimal(self, run: _Run) -> Net:
        """What is left of it if no rule is redundant."""
        start, must = run.start, run.used()
        for rule in sorted(must, reverse=True):
            fewer = [each for each in must if each != rule]
            again = _Run(self, start, {each: self._must[each] for each in fewer})
            if again.broken is not None:
                must = again.used()
                run = again
        return self._told(run, self._candidates[start])

    def _told(self, run: _Run, candidate: Placement) -> Net:
        assert run.broken is not None
        forced = run.trace()
        held = [run.start, *(bit for _, bit in forced)]
        links = self._links(run, held, forced)
        chains = all(
            self._by_one(run, rule, bit, held[: number + 1])
            for number, (rule, bit) in enumerate(forced)
        )
        return Net(
            "forcing_chain" if chains else "forcing_net",
            candidate,
            tuple((rule, self._candidates[bit]) for rule, bit in forced),
            run.broken,
            tuple(sorted(links)),
        )

    def _by_one(self, run: _Run, rule: SudokuRule, bit: int, held: list[int]) -> bool:
        """True if one of those that hold rules out all that could meet the rule otherwise."""
        others = self._must[rule] & ~(1 << bit)
        return any(not others & ~self._seen(each) for each in held)

    def _seen(self, bit: int) -> int:
        """What cannot hold beside this candidate."""
        return self._others[bit]

    def _links(
        self, run: _Run, held: list[int], forced: list[tuple[SudokuRule, int]]
    ) -> set[SudokuRule]:
        """Few rules by which all goes that must."""
        assert run.broken is not None
        when = {bit: number for number, bit in enumerate(held)}
        gone: dict[int, int] = {}
        for rule, bit in (*forced, (run.broken, -1)):
            for other in _bits(self._must[rule]):
                if other != bit:
                    latest = when.get(bit, len(held))
                    gone[other] = min(latest, gone.get(other, latest))
        choices = {
            other: {
                rule
                for rule in self._rules_of[other]
                for each in _bits(self._most[rule])
                if each != other and when.get(each, len(held)) < latest
            }
            for other, latest in gone.items()
        }
        links: set[SudokuRule] = set()
        while open_ := [several for several in choices.values() if not several & links]:
            found = [rule for several in open_ for rule in sorted(several)]
            links.add(max(found, key=found.count))
        for rule in sorted(links):
            if all(several & (links - {rule}) for several in choices.values()):
                links.remove(rule)
        return links


class _Run:
    """What follows from one candidate, round by round."""

    def __init__(self, nets: Nets, start: int, must: Mapping[SudokuRule, int]) -> None:
        self.start = start
        self.broken: SudokuRule | None = None
        self.rounds = 0
        self._nets = nets
        self._must = must
        self._forced: dict[int, SudokuRule] = {}
        self._round: dict[int, int] = {start: 0}
        self._seen = {start: nets._seen(start)}
        dead, number = self._seen[start], 0
        while self.broken is None:
            number += 1
            new: list[int] = []
            for rule, mask in must.items():
                alive = mask & ~dead
                if not alive:
                    self.broken = rule
                    break
                if not alive & (alive - 1) and (bit := alive.bit_length() - 1) not in self._round:
                    self._round[bit] = number
                    self._forced[bit] = rule
                    new.append(bit)
            if not new:
                break
            self.rounds = number
            for bit in new:
                self._seen[bit] = nets._seen(bit)
                dead |= self._seen[bit]

    def trace(self) -> list[tuple[SudokuRule, int]]:
        """What the broken rule rests on, in order."""
        assert self.broken is not None
        wanted: dict[int, SudokuRule] = {}
        open_ = [*self._reasons(self.broken, -1, wanted)]
        while open_:
            bit = open_.pop()
            if bit != self.start and bit not in wanted:
                wanted[bit] = self._forced[bit]
                open_ += self._reasons(self._forced[bit], bit, wanted)
        return sorted(((rule, bit) for bit, rule in wanted.items()), key=self._when)

    def used(self) -> list[SudokuRule]:
        """The rules that must be met for that."""
        assert self.broken is not None
        return list(dict.fromkeys([*(rule for rule, _ in self.trace()), self.broken]))

    def _when(self, forced: tuple[SudokuRule, int]) -> tuple[int, int]:
        return self._round[forced[1]], forced[1]

    def _reasons(
        self, rule: SudokuRule, bit: int, wanted: Mapping[int, SudokuRule]
    ) -> Iterator[int]:
        """What rules out all that could meet the rule but `bit`; those known already, first."""
        latest = self._round.get(bit, len(self._round) + 1)
        others = self._must[rule] & ~(1 << bit if bit >= 0 else 0)
        before = [each for each, number in self._round.items() if number < latest]
        before.sort(key=lambda each: (each != self.start and each not in wanted, self._round[each]))
        for each in before:
            if others & self._seen.get(each, 0):
                yield each
                others &= ~self._seen[each]


def _together(masks: Iterable[int]) -> int:
    every = 0
    for mask in masks:
        every |= mask
    return every


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
