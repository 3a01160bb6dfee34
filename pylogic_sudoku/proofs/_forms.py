"""Certificates as people read them, as JSON, and as Prolog terms."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .._clauses import Clause, Demand, placement
from .._demands import (
    all_rules,
    cell_rules,
    exclusions,
    in_words,
    is_placement,
    rules,
    said,
    said_marks,
)
from ..errors import InvalidCertificate, InvalidPuzzle, counted, shown
from ..explain._explanation import shown as drawn
from ..formats import as_puzzle, parse
from ..formats._lists import loaded
from ..grid import Grid, Placement
from ..puzzle import Puzzle

if TYPE_CHECKING:
    from ._certificate import Certificate

__all__ = ["CLAIMS", "about", "demands_of", "from_json", "to_json", "to_prolog", "to_text"]

VERSION = 1
"""Of the JSON; another one is not read."""

CLAIMS = {
    "none": "no solution",
    "unique": "exactly one solution",
    "several": "more than one solution",
}

_KEYS: dict[str, type | tuple[type, ...]] = {
    "certificate": int,
    "claim": str,
    "puzzle": dict,
    "solutions": list,
    "lemmas": list,
    "maker": str,
    "demands": (list, type(None)),
}


# --- for people ---------------------------------------------------------------------------


def to_text(certificate: Certificate) -> str:
    """The certificate as a person reads it."""
    return "\n".join([*about(certificate), *_proof(certificate)])


def about(certificate: Certificate) -> Iterator[str]:
    """The puzzle and the claim, line by line."""
    puzzle = certificate.puzzle
    yield f"This puzzle has {CLAIMS[certificate.claim]}:"
    yield from (f"  {line}" for line in puzzle.format("pretty").splitlines())
    for number, solution in enumerate(certificate.solutions, 1):
        yield f"Solution {number}:" if len(certificate.solutions) > 1 else "The solution:"
        yield from drawn(solution, puzzle).splitlines()
    if certificate.demands is not None:
        yield "Of its givens, marks and rules, these are enough:"
        yield from (f"  {sentence}" for sentence in _sentences(certificate.demands))


def _sentences(demands: tuple[Demand, ...]) -> Iterator[str]:
    givens = [each for each in demands if is_placement(each)]
    if givens:
        yield in_words(givens)
    excluded = [each[1:] for each in demands if each[0] == "excluded"]
    yield from said_marks(Placement(*each) for each in excluded)
    yield from said(each for each in demands if each[0] != "excluded" and not is_placement(each))


def _proof(certificate: Certificate) -> Iterator[str]:
    if certificate.claim == "several":
        yield f"Both grids obey all rules; that is the proof. Found by {certificate.maker}."
        return
    other = "another solution" if certificate.solutions else "a solution"
    number = counted(len(certificate.lemmas), "lemma")
    yield f"Suppose that there were {other}. Proof by {certificate.maker}, {number}:"
    width = len(str(len(certificate.lemmas)))
    for at, lemma in enumerate(certificate.said(), 1):
        yield f"  {at:{width}}. {lemma}"
    yield "  From this, unit propagation leads to a contradiction."


# --- JSON ---------------------------------------------------------------------------------


def to_json(certificate: Certificate) -> dict[str, Any]:
    """The certificate as numbers, texts, lists and dicts."""
    puzzle = certificate.puzzle
    found: dict[str, Any] = {
        "certificate": VERSION,
        "claim": certificate.claim,
        "puzzle": (puzzle if isinstance(puzzle, Puzzle) else Puzzle(puzzle)).to_json(),
        "solutions": [solution.to_json() for solution in certificate.solutions],
        "lemmas": [list(lemma) for lemma in certificate.lemmas],
        "maker": certificate.maker,
    }
    if certificate.demands is not None:
        found["demands"] = list(map(_as_json, certificate.demands))
    return found


def from_json(value: Any) -> dict[str, Any]:
    """The fields of a certificate; InvalidCertificate, which says where, if it is not one.

    `value` is an object or its text.
    """
    try:
        fields = _checked(_loaded(value) if isinstance(value, str) else value)
        puzzle = _puzzle(fields["puzzle"])
        solutions = tuple(_solutions(fields["solutions"], puzzle))
        demands = _demands(fields.get("demands"), puzzle)
    except InvalidPuzzle as error:
        raise InvalidCertificate(str(error)) from None
    if not fields["maker"].isprintable():
        raise InvalidCertificate(
            f"the maker is {shown(fields['maker'])}; expected one line of text"
        )
    claims = list(CLAIMS)
    if len(solutions) >= len(claims) or fields["claim"] != claims[len(solutions)]:
        raise InvalidCertificate(
            f"the claim is {shown(fields['claim'])} with"
            f" {counted(len(solutions), 'solution')}; expected 'none' with 0, 'unique' with 1 or"
            " 'several' with 2"
        )
    lemmas = tuple(_lemma(number, each) for number, each in enumerate(fields["lemmas"], 1))
    return {
        "puzzle": puzzle,
        "solutions": solutions,
        "lemmas": lemmas,
        "maker": fields["maker"],
        "demands": demands,
    }


def _loaded(text: str) -> Any:
    try:
        return loaded(text)
    except InvalidPuzzle as error:
        raise InvalidCertificate(f"{error}; expected a certificate as JSON") from None


def _checked(value: Any) -> dict[str, Any]:
    """The object, if it has our keys and each value has its type."""
    if not isinstance(value, Mapping) or "certificate" not in value:
        raise InvalidCertificate(
            f'{shown(value)} is not a certificate; expected a key "certificate"'
        )
    if value["certificate"] != VERSION or isinstance(value["certificate"], bool):
        raise InvalidCertificate(
            f"the version is {shown(value['certificate'])}; this program reads {VERSION}"
        )
    fields = dict(value)
    for key in fields:
        if key not in _KEYS:
            raise InvalidCertificate(f"unknown key {shown(key)}; expected {', '.join(_KEYS)}")
    for key, kind in _KEYS.items():
        if key not in fields and key != "demands":
            raise InvalidCertificate(f"the key {key!r} is missing")
        if not isinstance(fields.get(key), kind):
            raise InvalidCertificate(f"{key!r} is {shown(fields[key])}, which has the wrong type")
    return fields


def _puzzle(value: dict[str, Any]) -> Grid | Puzzle:
    if "grid" not in value or "puzzle" in value:
        raise InvalidCertificate(f'the puzzle is {shown(value)}; expected "box" and "grid"')
    return as_puzzle(parse(json.dumps(value), "json"))


def _solutions(value: list[Any], puzzle: Grid | Puzzle) -> Iterator[Grid]:
    for number, rows in enumerate(value, 1):
        try:
            yield Grid.from_rows(rows, puzzle.box)
        except InvalidPuzzle as error:
            raise InvalidCertificate(f"solution {number}: {error}") from None


def _lemma(number: int, value: Any) -> Clause:
    if isinstance(value, list) and all(type(each) is int for each in value):
        return tuple(value)
    raise InvalidCertificate(f"lemma {number} is {shown(value)}; expected a list of whole numbers")


def _demands(value: list[Any] | None, puzzle: Grid | Puzzle) -> tuple[Demand, ...] | None:
    if value is None:
        return None
    known = {json.dumps(_as_json(each)): each for each in demands_of(puzzle)}
    found = []
    for number, each in enumerate(value, 1):
        if (demand := known.get(json.dumps(each))) is None:
            raise InvalidCertificate(
                f"demand {number} is {shown(each)}, which the puzzle does not have"
            )
        found.append(demand)
    return tuple(found)


def _as_json(demand: Demand) -> Any:
    return demand[1].to_json() if demand[0] == "rule" else list(demand)


def demands_of(puzzle: Grid | Puzzle) -> Iterable[Demand]:
    """All that the puzzle demands, at every grain."""
    layout = puzzle.layout
    some = (*all_rules(layout), *rules(layout), *cell_rules(layout))
    return map(tuple, (*some, *puzzle.givens, *exclusions(puzzle)))


# --- Prolog -------------------------------------------------------------------------------

_HEAD = """\
% A certificate: that a sudoku has {claim}. Made by {maker}.
% To check it at the prompt of swipl prolog/prompt.pl:
%     ?- check_certificate('FILE.pl').
% Givens by row, the shape of the boxes or regions, and the digits that marks exclude:"""


def to_prolog(certificate: Certificate) -> str:
    """The certificate as terms, one after another, that Prolog can read."""
    puzzle = certificate.puzzle
    if puzzle.layout.rules or certificate.demands is not None:
        what = "rules beyond plain sudoku" if puzzle.layout.rules else "only some demands"
        raise InvalidPuzzle(
            f"this certificate is about {what}, which 'prolog' cannot hold; use 'json'"
        )
    n = puzzle.size
    excluded = ", ".join(f"{row}-{column}={digit}" for row, column, digit in puzzle.excluded)
    claim = ", ".join(_rows(solution) for solution in certificate.solutions)
    return "\n".join(
        [
            _HEAD.format(
                claim=CLAIMS[certificate.claim], maker=" ".join(certificate.maker.split())
            ),
            f"puzzle({_rows(puzzle)},\n       {_shape(puzzle)},\n       [{excluded}]).",
            f"claim({certificate.claim}({claim}))." if claim else "claim(none).",
            *(f"lemma([{', '.join(_literals(n, lemma))}])." for lemma in certificate.lemmas),
            "end.",
        ]
    )


def _rows(grid: Grid | Puzzle) -> str:
    rows = (grid.grid if isinstance(grid, Puzzle) else grid).format("prolog")
    return rows.replace("\n ", "\n        ")


def _shape(puzzle: Grid | Puzzle) -> str:
    regions = isinstance(puzzle, Puzzle) and puzzle.to_json().get("regions")
    return f"regions({json.dumps(regions)})" if regions else "{}-{}".format(*puzzle.box)


def _literals(size: int, lemma: Clause) -> Iterator[str]:
    for each in lemma:
        row, column, digit = placement(size, each)
        yield f"{row}-{column}{'=' if each > 0 else chr(92) + '='}{digit}"
