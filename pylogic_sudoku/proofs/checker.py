"""Proofs checked in plain Python: each lemma must follow by unit propagation.

This is reverse unit propagation (RUP; Goldberg and Novikov, 2003), the part of DRAT that clause
learning needs: assume that a lemma is false, propagate, and a clause must become false. The clauses
are those that `Claim` builds from the puzzle, so nothing in a proof is taken on trust.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from ..rules.clauses import Claim, Clause


def first_refused(
    claim: Claim, lemmas: Sequence[Clause], pause: Callable[[int], object] = lambda _number: None
) -> int | None:
    """The number, from 0, of the first lemma that does not follow; None if they prove the claim.

    If each follows but all together do not lead to a contradiction, it is the number of lemmas.
    `pause` is called before each lemma, with its number; what it raises ends the check.
    """
    state = Propagation(_prepared(claim.puzzle.size, claim.rule_clauses()))
    for clause in (*claim.facts(), *claim.another()):
        state.add(clause)
    for number, lemma in enumerate(lemmas):
        pause(number)
        if state.contradiction:
            return None
        if not state.follows(lemma):
            return number
        state.add(lemma)
    return None if state.contradiction else len(lemmas)


class _Prepared:
    """Clauses, with what follows from each literal by those of two literals."""

    def __init__(self, size: int, clauses: tuple[Clause, ...]) -> None:
        self.variables = size**3
        literals = 2 * self.variables + 1  # indexed by literal: the negative ones from the end
        self.implied: list[list[int]] = [[] for _ in range(literals)]
        self.longer: list[Clause] = []
        self.shorter: list[Clause] = []
        for clause in clauses:
            if len(clause) == 2 and clause[0] != clause[1]:
                one, other = clause
                self.implied[-one].append(other)
                self.implied[-other].append(one)
            else:
                (self.longer if len(clause) > 2 else self.shorter).append(clause)


_prepared = lru_cache(8)(_Prepared)


class Propagation:
    """Unit propagation over clauses that grow in number, with two watched literals for each."""

    def __init__(self, prepared: _Prepared) -> None:
        self._implied = prepared.implied
        size = 2 * prepared.variables + 1
        self._true = [False] * size
        self._watched: list[list[list[int]]] = [[] for _ in range(size)]
        self._trail: list[int] = []
        self.contradiction = False
        """True if propagation alone makes a clause false."""
        for clause in (*prepared.longer, *prepared.shorter):
            self.add(clause)

    def add(self, clause: Clause) -> None:
        """Add a clause for good, and propagate."""
        if self.contradiction:
            return
        true = self._true
        open_ = [each for each in dict.fromkeys(clause) if not true[-each]]
        if any(true[each] or -each in open_ for each in open_):
            return
        if len(open_) > 1:
            self._watched[open_[0]].append(open_)
            self._watched[open_[1]].append(open_)
        else:
            self.contradiction = not (open_ and self._assign(open_[0]))

    def follows(self, clause: Clause) -> bool:
        """True if propagation refutes that the clause is false."""
        before = len(self._trail)
        refuted = not all(self._assign(-each) for each in clause)
        for each in self._trail[before:]:
            self._true[each] = False
        del self._trail[before:]
        return refuted

    def _assign(self, literal: int) -> bool:
        """Make the literal true, with all that follows; False if a clause becomes false."""
        true, trail, implied, watched = self._true, self._trail, self._implied, self._watched
        if true[literal]:
            return True
        if true[-literal]:
            return False
        true[literal] = True
        at = len(trail)
        trail.append(literal)
        while at < len(trail):
            literal = trail[at]
            at += 1
            for other in implied[literal]:
                if not true[other]:
                    if true[-other]:
                        return False
                    true[other] = True
                    trail.append(other)
            false = -literal
            if not watched[false]:
                continue
            clauses, watched[false] = watched[false], []
            for number, clause in enumerate(clauses):
                # The two watched literals are first, the false one second.
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if not true[first]:
                    for place in range(2, len(clause)):
                        other = clause[place]
                        if not true[-other]:
                            clause[1], clause[place] = other, false
                            watched[other].append(clause)
                            break
                    else:
                        watched[false].append(clause)
                        if true[-first]:
                            watched[false] += clauses[number + 1 :]
                            return False
                        true[first] = True
                        trail.append(first)
                    continue
                watched[false].append(clause)
        return True
