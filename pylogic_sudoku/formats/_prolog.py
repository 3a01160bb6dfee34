"""Puzzles as Prolog has them: a list of rows, perhaps with its shape and rules behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from .._layout import checked_box, checked_regions, usual_box
from ..errors import InvalidPuzzle, shown
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ._cells import numbers_of
from ._text import Head

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["has_list", "read_prolog", "split_prolog", "write_prolog"]

_LIST = r"\[\s*\[[^\[\]]*\](?:[\s,]*\[[^\[\]]*\])*\s*\]"
_ROWS = re.compile(_LIST)
"""A list of rows."""
_BOX = re.compile(r"\s*,\s*(\d{1,2})\s*-\s*(\d{1,2})\b")
_REGIONS = re.compile(rf"\s*,\s*regions\(\s*({_LIST})\s*\)")
_RULES = re.compile(r"\s*,\s*(?=\[\s*[a-z\]])")
_VARIABLE = re.compile(r"\b_\w*")
_COMMENT = re.compile(r"""(?s)'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|/\*.*?(?:\*/|\Z)|%[^\n]*""")
"""A comment, or a quoted text, in which nothing is one."""
_TOKEN = re.compile(r"\s*(?:(\d+)|([a-z]\w*)|([\[\](),=-]))", re.ASCII)
_DEEPEST = 50


class _Found(NamedTuple):
    """A list of rows in a text, with the shape and the rules behind it."""

    start: int
    end: int
    rows: str
    box: tuple[str, str] | None
    regions: str | None
    rules: list[dict[str, Any]]


def has_list(head: Head) -> bool:
    """True if there is a list."""
    return "[" in head.content


def _bare(text: str) -> str:
    """The text without comments; its line numbers stay the same."""
    return _COMMENT.sub(
        lambda part: "\n" * part[0].count("\n") if part[0][0] in "%/" else part[0], text
    )


def _is_open(text: str) -> bool:
    """True if the text ends within a comment in /* and */."""
    last = ""
    for match in _COMMENT.finditer(text):
        last = match[0]
    return last.startswith("/*") and not (len(last) > 3 and last.endswith("*/"))


def _found(text: str) -> Iterator[_Found]:
    """Every list of rows: ``[[1,_],[_,1]], 1-2, [killer_cage(cells=[1-1],sum=1)]``."""
    at = 0
    while rows := _ROWS.search(text, at):
        at = rows.end()
        box, regions, rules = None, None, []
        if shape := _BOX.match(text, at):
            box, at = (shape[1], shape[2]), shape.end()
        elif shape := _REGIONS.match(text, at):
            regions, at = shape[1], shape.end()
        if shape and (listed := _RULES.match(text, at)):
            terms = _Terms(text, listed.end())
            rules, at = terms.rules(), terms.at
        yield _Found(rows.start(), at, rows.group(), box, regions, rules)


def _cells(rows: str) -> list[list[str]]:
    found = re.findall(r"\[([^\[\]]*)\]", rows)
    return [[word.strip() for word in row.split(",")] for row in found]


def read_prolog(text: str, box: Box | None) -> Grid | Puzzle:
    """The first list of rows in the text: ``[[5,3,_],...]`` with ``_`` for an empty cell.

    Its box shape may follow, or its regions, and then its rules.
    """
    found = next(_found(_bare(text)), None)
    if found is None:
        raise InvalidPuzzle("no list of rows here; expected [[5,3,_],...]")
    if box is None and found.box:
        box = checked_box(tuple(map(int, found.box)))
    regions = None
    if found.regions:
        regions = checked_regions(_cells(found.regions))
        box = usual_box(len(regions))
    grid = Grid.from_rows(numbers_of(_cells(found.rows), _VARIABLE.fullmatch), box)
    return Puzzle(grid, regions, rules=found.rules) if regions or found.rules else grid


class _Terms:
    """Rules as terms, such as ``thermometer(cells=[1-1,1-2],slow=true)``, while they are read."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.depth = 0

    def next(self) -> tuple[str, str]:
        """What kind of token is here, and the token."""
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            rest = self.text[self.at : self.at + 20].strip()
            raise InvalidPuzzle(f"the rules: {rest!r} stands where a term is expected")
        self.at = match.end()
        number, name, mark = match.groups()
        return ("number", number) if number else ("name", name) if name else (mark, mark)

    def peek(self) -> str:
        """The kind of the next token, and nothing at the end of the text."""
        match = _TOKEN.match(self.text, self.at)
        return (match[3] or "") if match else ""

    def expect(self, mark: str) -> None:
        kind, token = self.next()
        if kind != mark:
            raise InvalidPuzzle(f"the rules: {token!r} stands where {mark!r} is expected")

    def rules(self) -> list[dict[str, Any]]:
        """A list of rules as JSON has them."""
        rules = self.list()
        for rule in rules:
            if not isinstance(rule, dict):
                raise InvalidPuzzle(f"the rules: {shown(rule)} is not a rule")
        return rules

    def list(self) -> list[Any]:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise InvalidPuzzle("the rules: too many lists in lists")
        self.expect("[")
        found: list[Any] = []
        if self.peek() == "]":
            self.next()
        else:
            while True:
                found.append(self.value())
                kind, token = self.next()
                if kind == "]":
                    break
                if kind != ",":
                    raise InvalidPuzzle(f"the rules: {token!r} stands where ']' is expected")
        self.depth -= 1
        return found

    def value(self) -> Any:
        """A list, a number, a cell, true or false, or a rule."""
        if self.peek() == "[":
            return self.list()
        kind, token = self.next()
        if kind == "-":
            return -self.number()
        if kind == "(":
            value = self.value()
            self.expect(")")
            return value
        if kind == "number":
            if self.peek() != "-":
                return _int(token)
            self.next()
            return [_int(token), self.number()]
        if kind != "name":
            raise InvalidPuzzle(f"the rules: {token!r} stands where a term is expected")
        if token in ("true", "false"):
            return token == "true"
        return self.rule(token)

    def number(self) -> int:
        kind, token = self.next()
        if kind != "number":
            raise InvalidPuzzle(f"the rules: {token!r} stands where a number is expected")
        return _int(token)

    def rule(self, name: str) -> dict[str, Any]:
        """The fields of a term."""
        found: dict[str, Any] = {"rule": name}
        if self.peek() != "(":
            return found
        self.next()
        while True:
            kind, field = self.next()
            if kind != "name":
                raise InvalidPuzzle(f"{name}: {field!r} stands where a field is expected")
            self.expect("=")
            found[field] = self.value()
            kind, token = self.next()
            if kind == ")":
                return found
            if kind != ",":
                raise InvalidPuzzle(f"{name}: {token!r} stands where ')' is expected")


def _int(token: str) -> int:
    if len(token) > 9:
        raise InvalidPuzzle(f"the rules: {token[:20]} is too large a number")
    return int(token)


def split_prolog(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every list of rows, with its shape and rules if stated; all as one if there is none."""
    found = False
    kept: list[str] = []
    depth = 0
    number = 0
    comment = ""
    for number, line in enumerate(lines, 1):
        text = comment + line
        bare = _bare(text)
        comment = "/*" if "/*" in text and _is_open(text) else ""
        kept.append(bare)
        depth += bare.count("[") - bare.count("]")
        # An open list may continue in the next line; a comma may precede the shape or the rules.
        if depth <= 0 and not bare.rstrip().endswith((",", "-", "(")) and bare.strip():
            for piece in _lists(kept, number):
                found = True
                yield piece
            kept, depth = [], 0
    rest = list(_lists(kept, number))
    yield from rest
    if not (found or rest):
        yield 1, "\n".join(kept) or "[]"


def _lists(lines: list[str], last: int) -> Iterator[tuple[int, str]]:
    text = "\n".join(lines)
    for each in _found(text):
        line = last + 1 - len(lines) + text.count("\n", 0, each.start)
        yield line, text[each.start : each.end]


def write_prolog(puzzle: Grid | Puzzle) -> str:
    """The list of rows; of a puzzle with more, also its shape and its rules.

    These are the arguments of sudoku/3.
    """
    if isinstance(puzzle, Grid):
        return _listed(puzzle.rows)
    if puzzle.marks:
        raise InvalidPuzzle("this puzzle has marks, which 'prolog' cannot hold")
    if puzzle.is_plain:
        return _listed(puzzle.grid.rows)
    return ", ".join([_listed(puzzle.grid.rows), _shape(puzzle), _terms(puzzle.rules)])


def _listed(rows: Iterable[Iterable[int]]) -> str:
    texts = ("[" + ",".join(str(digit or "_") for digit in row) + "]" for row in rows)
    return "[" + ",\n ".join(texts) + "]"


def _shape(puzzle: Puzzle) -> str:
    if puzzle.regions is None:
        return "{}-{}".format(*puzzle.box)
    return f"regions({_listed(puzzle.to_json()['regions'])})"


def _terms(rules: tuple[Rule, ...]) -> str:
    from ..rules._rule import term

    return "[" + ",\n ".join(map(term, rules)) + "]"
