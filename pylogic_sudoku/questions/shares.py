"""A long run in several shares, on any machines, and one result of all their records.

A `Share` is the K-th of N. It says which items of the whole run it has, so each machine is given
all of them, and takes its own. What it finds goes into a record: a line for the whole run, and one
for each item. `merged` puts the records of all shares together, or says what is missing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import counted, listed, shortened

__all__ = ["FORM", "InvalidRecords", "Merged", "Share", "Sharing", "digest", "head_of", "merged"]

FORM = 1
"""The number of the form that records have; another form has another number."""
NAMED = 3
"""Items that a message names, at most."""


class InvalidRecords(ValueError):
    """Records that are not those of all shares of one run; the message has a line for each flaw."""


class Share(NamedTuple):
    """The K-th of N shares of the items of a run.

    The items are sorted by the SHA-256 of their keys and dealt in turn, as cards are. So the shares
    differ by one item at most, neighbours (which are often alike) go to different ones, and neither
    the machine nor the order of the items matters.

    >>> Share.parse("2/3").positions(["a", "b", "c", "d"])
    [0]
    >>> [len(Share(number, 3).positions(["a", "b", "c", "d"])) for number in (1, 2, 3)]
    [2, 1, 1]
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Share:
        """Read ``K/N``; ValueError unless 1 <= K <= N."""
        first, slash, last = text.partition("/")
        if slash and first.isascii() and first.isdigit() and last.isascii() and last.isdigit():
            share = cls(int(first), int(last))
            if 1 <= share.number <= share.of:
                return share
        raise ValueError(f"{text!r} is not a share; expected K/N with K from 1 to N, such as 2/8")

    def positions(self, keys: Sequence[str]) -> list[int]:
        """Return the positions of the items of this share, in order; `keys` are those of all."""
        dealt = sorted(range(len(keys)), key=lambda at: (digest(keys[at]), at))
        return sorted(dealt[self.number - 1 :: self.of])

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def digest(*texts: str) -> str:
    """Return a number in hexadecimal digits that only these texts have."""
    joined = sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogateescape")
        joined.update(b"%d:%b" % (len(data), data))
    return joined.hexdigest()


class Sharing:
    """The record of one share, written line by line."""

    def __init__(
        self,
        share: Share,
        command: str,
        question: Mapping[str, Any],
        items: Sequence[tuple[str, str]],
        write: Callable[[str], object],
    ) -> None:
        """Write the head.

        Args:
            share: The share.
            command: The name of the command, which merges the records, too.
            question: What all shares must have in common, as JSON: whom they ask, and the limits.
            items: The key and the name of each item of the whole run, in order.
            write: A function that takes a line.
        """
        self._write = write
        self.positions = share.positions([key for key, _ in items])
        """The positions of the items of this share among all items."""
        self._line(**head_of(share, command, question, items))

    def add(self, position: int, **record: Any) -> None:
        """Write what was found of an item."""
        self._line(item=position, **record)

    def _line(self, **fields: Any) -> None:
        self._write(json.dumps(fields, default=str))


def head_of(
    share: Share, command: str, question: Mapping[str, Any], items: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """Return the head of a record; the arguments are those of `Sharing`."""
    keys = [key for key, _ in items]
    return {
        "form": FORM,
        "shard": str(share),
        "command": command,
        "question": question,
        "items": len(items),
        "order": digest(*keys),
        "share": [[at, shortened(items[at][1], 100)] for at in share.positions(keys)],
    }


class Merged(NamedTuple):
    """The records of all shares of a run."""

    command: str
    question: dict[str, Any]
    records: list[dict[str, Any]]
    """The findings on each item, in the order of a run without shares."""


class _Record(NamedTuple):
    """The record of a share."""

    file: str
    head: dict[str, Any]
    found: list[dict[str, Any]]

    @property
    def share(self) -> Share:
        return Share.parse(self.head["shard"])

    @property
    def names(self) -> dict[int, str]:
        return dict(self.head["share"])


def merged(files: Iterable[str | Path], *, once: bool = True) -> Merged:
    """Put the records of all shares of a run together.

    Args:
        files: The records, in any order.
        once: True if each item has one line; False if it may have any number, so that only shares
            can be missing.

    Raises:
        InvalidRecords: If a share or an item is missing or there twice, or if the shares are not
            those of one run. The message says which.
        OSError: If a file cannot be read.
    """
    records = [_read(Path(file)) for file in files]
    if not records:
        raise InvalidRecords("there is no record to merge")
    first, *others = records
    flaws = [flaw for other in others for flaw in _differences(first, other)]
    if flaws:
        raise InvalidRecords("\n".join(flaws))
    flaws = _lacking_shares(records)
    flaws += [flaw for each in records for flaw in _lacking(each, once)]
    if flaws:
        raise InvalidRecords("\n".join(flaws))
    found = sorted((one for each in records for one in each.found), key=lambda one: one["item"])
    return Merged(first.head["command"], first.head["question"], found)


def _read(file: Path) -> _Record:
    """Read a record; a last line that was cut off is left out."""
    wrong = InvalidRecords(
        f"{file} is not a record of a share; expected what a command with --shard K/N has written"
    )
    try:
        text = file.read_text(encoding="utf-8")
        head, *found = map(json.loads, text[: text.rfind("\n") + 1].splitlines())
        record = _Record(str(file), head, found)
        if head["form"] != FORM:
            raise InvalidRecords(f"{file} is a record of another version; run all shares again")
        known = record.share, record.names, head["command"], head["items"], head["order"]
        if not known or not isinstance(head["question"], dict):
            raise wrong
        for each in found:
            if not isinstance(each["item"], int):
                raise wrong
    except InvalidRecords:
        raise
    except (ValueError, KeyError, TypeError):
        raise wrong from None
    return record


def _differences(first: _Record, other: _Record) -> list[str]:
    """The reasons why two records are not of the same run."""
    if first.head["command"] != other.head["command"]:
        return [
            f"{other.file} is by {other.head['command']}, but {first.file} by"
            f" {first.head['command']}"
        ]
    flaws = []
    if first.share.of != other.share.of:
        flaws.append(
            f"{other.file} is share {other.share}, but {first.file} is share {first.share}:"
            " all must be of the same number"
        )
    mine, its = first.head["question"], other.head["question"]
    for name in dict.fromkeys((*mine, *its)):
        one, two = mine.get(name), its.get(name)
        if isinstance(one, dict) and isinstance(two, dict):
            unlike = [each for each in {**one, **two} if one.get(each) != two.get(each)]
            if unlike:
                flaws.append(f"{other.file} has other {name} than {first.file}: {_few(unlike)}")
        elif one != two:
            flaws.append(f"{other.file} has {name} {_shown(two)}, but {first.file} {_shown(one)}")
    numbers = [each.head["items"] for each in (other, first)]
    if numbers[0] != numbers[1]:
        of = f"{counted(numbers[0], 'item')}, but {first.file} one of {numbers[1]}"
        flaws.append(f"{other.file} is a share of {of}")
    elif first.head["order"] != other.head["order"]:
        flaws.append(f"{other.file} has other items than {first.file}, or in another order")
    return flaws


def _shown(value: object) -> str:
    return "none" if value is None else shortened(json.dumps(value), 60)


def _few(names: Sequence[str]) -> str:
    """The first names, and the number of the others."""
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    return listed([*names[:NAMED], *more])


def _lacking_shares(records: Sequence[_Record]) -> list[str]:
    """Lines on the shares that are missing, and on those that are there twice."""
    of = records[0].share.of
    there = Counter(each.share.number for each in records)
    flaws = [
        f"share {number}/{of} is there {counted(times, 'time')}:"
        f" {listed([each.file for each in records if each.share.number == number])}"
        for number, times in sorted(there.items())
        if times > 1
    ]
    if missing := [f"{number}/{of}" for number in range(1, of + 1) if number not in there]:
        verb = "is" if len(missing) == 1 else "are"
        more = "" if len(missing) <= 20 else f" and {len(missing) - 20} more"
        flaws.append(f"{', '.join(missing[:20])}{more} {verb} missing")
    return flaws


def _lacking(record: _Record, once: bool) -> list[str]:
    """Lines on the items of a record that are missing, there twice, or those of another share."""
    there = Counter(each["item"] for each in record.found)
    names = record.names
    missing = [name for at, name in names.items() if at not in there]
    twice = [names[at] for at, times in there.items() if times > 1 and at in names]
    others = [str(at) for at in there if at not in names]
    flaws = []
    if missing and once:
        flaws.append(
            f"{record.file}: share {record.share} was stopped before {_few(missing)}; run it again"
        )
    if twice and once:
        flaws.append(f"{record.file}: {_few(twice)} is there twice")
    if others:
        flaws.append(f"{record.file}: share {record.share} has no item {_few(others)}")
    return flaws
