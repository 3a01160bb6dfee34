"""Small changes of a Prolog program: another number, operator or variable, a goal dropped.

A change with which a faulty program has the right answers shows where its fault is likely to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?P<skip>/\*.*?\*/|%[^\n]*|\s+)|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
    r"|(?P<number>\d+)|(?P<variable>[_A-Z]\w*)|(?P<name>[a-z]\w*)"
    r"|(?P<sign>[-+*/\\^<>=~:.?@#&$]+|.)",
    re.DOTALL,
)
_ALIKE = (
    ("#=", "#\\=", "#<", "#>", "#=<", "#>="),
    ("=:=", "=\\=", "<", ">", "=<", ">="),
    ("==", "\\==", "=", "\\="),
    ("+", "-", "*"),
)


VARIABLES = 20
"""Variables of a clause beyond which none is exchanged for another."""


class Change(NamedTuple):
    """A change of one place in a text."""

    rank: int
    """The less, the likelier: 1 for a token, 2 for a goal, 3 for a variable."""
    line: int
    start: int
    end: int
    new: str


class _Token(NamedTuple):
    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def changes(text: str) -> Iterator[Change]:
    """Yield the changes of a program, in the order of the text."""
    for clause in _clauses(text):
        variables = dict.fromkeys(
            each.text for each in clause if each.kind == "variable" and each.text != "_"
        )
        for rank, start, end, new in (*_of_tokens(clause, list(variables)), *_of_goals(clause)):
            yield Change(rank, text.count("\n", 0, start) + 1, start, end, new)


def _clauses(text: str) -> Iterator[list[_Token]]:
    """Yield the tokens of each clause; not those of directives."""
    tokens: list[_Token] = []
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "skip":
            continue
        tokens.append(_Token(str(match.lastgroup), match[0], match.start()))
        if match[0] == "." and not text[match.end() : match.end() + 1].strip():
            if tokens[0].text != ":-":
                yield tokens
            tokens = []


_Edit = tuple[int, int, int, str]


def _of_tokens(clause: list[_Token], variables: list[str]) -> Iterator[_Edit]:
    for before, token in pairwise([clause[0], *clause]):
        where = token.start, token.end
        if token.kind == "number":
            for step in (1, -1):
                number = int(token.text) + step
                yield 1, *where, str(number) if number >= 0 else f"({number})"
        elif token.kind == "variable":
            if before.text in ("..", "is", "#=", "="):
                yield 1, *where, f"({token.text}-1)"
                yield 1, *where, f"({token.text}+1)"
            if before.text == "..":
                yield 1, *where, f"(2*{token.text})"
            for other in variables if len(variables) <= VARIABLES else ():
                if other != token.text:
                    yield 3, *where, other
        for group in _ALIKE:
            if token.text in group:
                for other in group:
                    if other != token.text:
                        yield 1, *where, other


def _of_goals(clause: list[_Token]) -> Iterator[_Edit]:
    """Drop a goal, or exchange two adjacent arguments."""
    body = next((at for at, token in enumerate(clause) if token.text == ":-"), None)
    depth, begin, parts = 0, 0, list[tuple[int, int]]()
    for at, token in enumerate(clause):
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        elif body is not None and at > body and depth == 0 and token.text in (",", ";", "->", "."):
            parts.append((begin, at))
        if body is not None and at >= body and depth == 0 and token.text in (":-", ",", ";", "->"):
            begin = at + 1
    if len(parts) > 1:
        for first, after in parts:
            if first < after:
                yield 2, clause[first].start, clause[after - 1].end, "true"
    yield from _exchanged(clause)


def _exchanged(clause: list[_Token]) -> Iterator[_Edit]:
    """Exchange two simple arguments: X,Y becomes Y,X."""
    for at in range(1, len(clause) - 3):
        before, one, comma, two, after = clause[at - 1 : at + 4]
        simple = {one.kind, two.kind} <= {"variable", "number", "name"}
        if simple and comma.text == "," and before.text in ("(", ",") and after.text in (")", ","):
            yield 2, one.start, two.end, f"{two.text},{one.text}"
