"""The search for differences, and the smallest case of each."""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from .conjunctions import random_conjunction
from .contestants import Case, Contestant, Workers, verdict
from .programs import FRAGMENTS, random_program

__all__ = ["Difference", "Share", "case_of", "smallest", "tried"]

SHOWN = 3
"""The differences of one contestant and kind that are made small in a share, at most."""
STEPS = 600
"""The most cases that are asked to make one difference small."""


def case_of(kind: str, seed: int, number: int) -> Case:
    """The case of this number; the same for ever."""
    rng = Random(f"{kind}/{seed}/{number}")
    if kind == "asp":
        return random_program(rng, FRAGMENTS[number % len(FRAGMENTS)])
    return random_conjunction(rng)


@dataclass(frozen=True)
class Difference:
    """A contestant that is wrong, and the smallest case found on which it is."""

    contestant: str
    verdict: str
    number: int
    text: str
    right: list[list[Any]]
    reply: Any


@dataclass
class Share:
    """The cases from one number up to another, and the contestants that are wrong."""

    first: int
    last: int
    wrong: dict[str, dict[str, int]] = field(default_factory=dict)
    """By contestant: how many cases by verdict."""
    found: list[Difference] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The share as a line of a record."""
        return asdict(self)

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> Share:
        """The share of a line of a record."""
        found = [Difference(**each) for each in line["found"]]
        return cls(line["first"], line["last"], line["wrong"], found)


def smallest(case: Case, is_wrong: Callable[[Case], bool], steps: int = STEPS) -> Case:
    """A case that is wrong while none that is a step smaller is, or the last after some steps."""
    while True:
        for smaller in case.smaller():
            steps -= 1
            if steps < 0:
                return case
            if is_wrong(smaller):
                case = smaller
                break
        else:
            return case


def shape(text: str) -> str:
    """The text of a case without names and numbers; of a query, the constraints in it."""
    if text.startswith("?-"):
        words = {*re.findall(r"[a-z_]{3,}|#[^\s\w(]+|//", text)}
        return " ".join(sorted(words - {"label"}))
    names: dict[str, str] = {}
    text = re.sub(r"\b[a-f]\b", lambda match: names.setdefault(match[0], f"x{len(names)}"), text)
    return re.sub(r"(?<!x)-?\b\d+", "N", text)


def tried(
    kind: str,
    seed: int,
    numbers: range,
    asked: Sequence[Contestant],
    seconds: float,
    workers: Workers,
) -> Share:
    """Ask all contestants about all cases of a share."""
    share = Share(numbers.start, numbers.stop)
    made_small: Counter[tuple[str, str]] = Counter()
    for number in numbers:
        case = case_of(kind, seed, number)
        right = case.answers()
        for contestant in asked:
            said = verdict(workers.ask(contestant, case, seconds), right)
            if not said:
                continue
            name = workers.name(contestant)
            counts = share.wrong.setdefault(name, {})
            counts[said] = counts.get(said, 0) + 1
            made_small[name, said] += 1
            if made_small[name, said] <= SHOWN:
                small = smallest(case, _still(said, contestant, seconds, workers))
                share.found.append(
                    Difference(
                        name,
                        said,
                        number,
                        small.text,
                        sorted(map(list, small.answers())),
                        workers.ask(contestant, small, seconds),
                    )
                )
    return share


def _still(
    said: str, contestant: Contestant, seconds: float, workers: Workers
) -> Callable[[Case], bool]:
    """True of a case on which the contestant is wrong in the same way."""

    def is_wrong(case: Case) -> bool:
        return verdict(workers.ask(contestant, case, seconds), case.answers()) == said

    return is_wrong


# --- in a pool ------------------------------------------------------------------------------------

_workers = Workers()


def start() -> None:
    """Leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def share_of(
    kind: str, seed: int, numbers: range, asked: Sequence[Contestant], seconds: float
) -> Share:
    """Like `tried`, with the processes of this one."""
    return tried(kind, seed, numbers, asked, seconds, _workers)


def shares(done: Sequence[Share], size: int) -> Iterator[range]:
    """The numbers of the shares that are not done, without end."""
    had = {(share.first, share.last) for share in done}
    first = 0
    while True:
        if (first, first + size) not in had:
            yield range(first, first + size)
        first += size
