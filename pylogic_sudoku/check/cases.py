"""The instances that a program is graded on, and the atoms that it reads and shows.

A `Task` knows where instances come from, and what their text asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import tee
from pathlib import Path
from typing import Any, NamedTuple


class Vocabulary(NamedTuple):
    """The names of the atoms that a program reads and shows.

    Those of a program for sudoku have row, column and digit.
    """

    given: str
    solution: str


VOCABULARIES = {
    "initial": Vocabulary("initial", "sudoku"),
    "sudoku": Vocabulary("sudoku", "sudoku"),
    "numberAt": Vocabulary("numberAt", "numberAt"),
}


def vocabulary_of(words: str | Vocabulary) -> Vocabulary:
    """Return the vocabulary of this name, or of two atoms such as ``hint,place``.

    ValueError for what is neither.
    """
    if isinstance(words, str):
        given, comma, solution = words.partition(",")
        if not comma and words not in VOCABULARIES:
            raise ValueError(
                f"there is no vocabulary {words!r}; choose one of {', '.join(VOCABULARIES)}, or"
                " two atoms such as hint,place"
            )
        words = Vocabulary(given, solution) if comma else VOCABULARIES[words]
    for atom in words:
        if not re.fullmatch(r"_*[a-z]\w*", atom, re.ASCII):
            raise ValueError(f"{atom!r} is not a name of an atom; expected a name such as initial")
    return words


class Case(NamedTuple):
    """An instance that a program is graded on: the facts that it gets."""

    name: str
    path: Path
    text: str
    question: Any = None
    """Anything else that its task knows, such as its puzzle, or why the text cannot be read."""


def is_there(text: str) -> bool:
    """True if this is a file or folder."""
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):  # too long for a name, or with a null character
        return False


def name_apart(instances: Iterator[Case]) -> Iterator[Case]:
    """Yield the instances; a name that is repeated gets a number."""
    several, named = tee(instances)
    for each, name in zip(several, apart(each.name for each in named), strict=True):
        yield each._replace(name=name)


def apart(names: Iterable[str]) -> Iterator[str]:
    """Yield the names; one that is repeated gets a number."""
    used: set[str] = set()
    for each in names:
        name, number = each, 1
        while name in used:
            number += 1
            name = f"{each} ({number})"
        used.add(name)
        yield name
