"""What we promise about our speed: ratios, each of two contestants on one set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from .measure import SetResult

__all__ = ["CLAIMS", "Claim", "Verdict", "verdicts"]


class Claim(NamedTuple):
    """`slow` takes at least, or `ours` at most, so many times the time of the other."""

    puzzles: str
    """The name of the set."""
    ours: str
    other: str
    """A name; with ``*`` in it, all that are like it."""
    faster: float | None = None
    """At least so many times as fast as the other."""
    longer: float | None = None
    """At most so many times the time of the other."""


class Verdict(NamedTuple):
    """What came of a claim."""

    claim: Claim
    other: str
    ratio: float
    """How many times as fast, or how many times the time."""
    kept: bool

    def __str__(self) -> str:
        ours, faster, longer = self.claim.ours, self.claim.faster, self.claim.longer
        said = (
            f"{self.ratio:.1f} times as fast as {self.other} (at least {faster:g})"
            if faster
            else f"{self.ratio:.2f} times the time of {self.other} (at most {longer:g})"
        )
        return f"{self.claim.puzzles}: {ours} {said}"


CLAIMS = (
    Claim("17-clue", "clingo", "ortools", faster=10),
    Claim("17-clue", "clingo", "clingo-fresh", faster=30),
    Claim("17-clue", "clingo", "clingo-bare", longer=1.2),
    Claim("hard-375", "clingo", "ortools", faster=5),
    Claim("hard-375", "clingo", "clingo-bare*", longer=1.2),
    Claim("random-10k", "prolog", "prolog-classic", faster=3),
    Claim("17-clue", "prolog", "prolog-classic", faster=3),
    Claim("hard-375", "prolog", "prolog-classic", faster=2),
    Claim("6x6-grids", "clingo", "clingo-symbols", longer=1.5),
    Claim("6x6-count", "clingo", "clingo-bare", longer=1.1),
)


def verdicts(results: Sequence[SetResult], claims: Sequence[Claim] = CLAIMS) -> Iterator[Verdict]:
    """A verdict for every claim, and everyone it names, that was measured."""
    for claim in claims:
        for result in results:
            ours = result.of(claim.ours)
            if result.puzzles.name != claim.puzzles or ours is None:
                continue
            for other in result.results:
                ratio = other.times(ours)
                if ratio and fnmatchcase(other.contestant, claim.other):
                    if claim.faster:
                        yield Verdict(claim, other.contestant, ratio, ratio >= claim.faster)
                    elif claim.longer:
                        yield Verdict(claim, other.contestant, 1 / ratio, 1 / ratio <= claim.longer)
