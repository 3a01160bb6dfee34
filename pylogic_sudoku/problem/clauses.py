"""Facts in the syntax of Prolog: quoted atoms, lists, pairs such as ``a-b``.

A program for Prolog may have any of these. An instance with a list, or with an operator between
two values, has no text for clingo.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from ..errors import number_text
from . import Fact
from .atoms import DEEPEST, TOO_DEEP, Atom, quoted
from .facts import EXAMPLE, not_facts
from .text import must_be_text

_TOKEN = re.compile(
    r"""(?P<gap>\s+|%[^\n]*|/\*.*?\*/)
    |(?P<number>\d+(?!\.?\w))
    |(?P<name>[^\W\d_A-Z]\w*|\[\]|\{\})
    |(?P<variable>[^\W\d]\w*)
    |(?P<quoted>'(?:''|\\.|[^'\\])*'|"(?:""|\\.|[^"\\])*")
    |(?P<end>\.(?=\s|%|\Z))
    |(?P<symbol>[-+*/\\^<>=~:.?@\#&$]+)
    |(?P<mark>[()\[\],|;!])""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPED = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "`": "`", "\n": "", "s": " "}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]+)\\|(.))|''|\"\"", re.DOTALL)
_BETWEEN = {"=": 700, ":": 200, "-": 500, "+": 500, "*": 400, "/": 400, "->": 650, "^": 200}
"""Operators between two values with their priorities, which the terms of facts have."""
_PLAIN = re.compile(r"[a-z]\w*", re.ASCII)
_TO_THE_RIGHT = (":", "^", "->")


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


@lru_cache(256)
def read_clauses(text: str, where: str) -> tuple[Fact, ...]:
    """The facts of a text of Prolog, each once; `where` is the text's name.

    InvalidProblem says in which line there is something else: a rule, a directive, a variable.
    """
    must_be_text(text, where)
    reader = _Reader(text, where)
    facts = []
    while reader.now.kind != "":
        facts.append(reader.fact())
    return tuple(dict.fromkeys(facts))


class _Reader:
    """Tokens of a text, one after the other."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where = text, where
        self._tokens = self._each()
        self.now = next(self._tokens)

    def _each(self) -> Iterator[_Token]:
        place = 0
        while place < len(self.text):
            found = _TOKEN.match(self.text, place)
            if found is None:
                part = re.split(r"[\s,()]", self.text[place : place + 20])[0]
                self.refuse(f"{part or self.text[place]} is not a value that answers have", place)
            if found.lastgroup != "gap":
                yield _Token(str(found.lastgroup), found[0], place)
            place = found.end()
        while True:
            yield _Token("", "", len(self.text))

    def refuse(self, words: str, place: int) -> NoReturn:
        line = self.text[:place].rstrip().count("\n") + 1
        raise not_facts(words, line, self.where, EXAMPLE)

    def take(self) -> _Token:
        token, self.now = self.now, next(self._tokens)
        return token

    def expect(self, text: str) -> None:
        if self.now.text != text:
            found = self.now.text or "the end of the text"
            self.refuse(f"{found} stands where {text} should", self.now.place)
        self.take()

    def fact(self) -> Fact:
        """The next fact."""
        start = self.now.place
        if self.now.text in (":-", "?-"):
            self.refuse("a directive is not run", start)
        term = self._term(999, 0)
        if self.now.text in (":-", "-->"):
            self.refuse("there is a rule", self.now.place)
        if self.now.kind != "end":
            self.expect(".")
        self.take()
        if isinstance(term, str):
            term = Atom(term)
        if not isinstance(term, Atom) or not _PLAIN.fullmatch(term.name):
            self.refuse("a fact needs a plain name such as size", start)
        return Fact(_written(term) if term.arguments else term.name, term.signature)

    def _term(self, most: int, depth: int) -> Any:
        """The next term with operators of this priority at most."""
        if depth > DEEPEST:
            self.refuse(TOO_DEEP, self.now.place)
        left = self._one(depth)
        while (priority := _BETWEEN.get(self.now.text, 1200)) <= most:
            if self.now.kind != "symbol":
                break
            name = self.take().text
            right = self._term(priority if name in _TO_THE_RIGHT else priority - 1, depth + 1)
            left = Atom(name, (left, right))
        return left

    def _one(self, depth: int) -> Any:
        token = self.take()
        if token.kind == "number":
            return int(token.text)
        if token.text == "-" and self.now.kind == "number" and self.now.place == token.place + 1:
            return -int(self.take().text)
        if token.text == "(":
            parts = self._several(")", depth)
            return tuple(parts) if len(parts) > 1 else parts[0]
        if token.text == "[":
            return Atom("[]", tuple(self._several("]", depth)))
        if token.text == "[]":
            return Atom("[]")
        if token.kind == "variable" or (token.kind == "name" and token.text[0].isupper()):
            self.refuse(f"{token.text} is a variable, and facts have values", token.place)
        if token.kind in ("quoted", "name"):
            name = _unquoted(token.text) if token.kind == "quoted" else token.text
            if self.now.text == "(" and self.now.place == token.place + len(token.text):
                if not _PLAIN.fullmatch(name):
                    self.refuse(f"{token.text} with arguments is not a value", token.place)
                self.take()
                return Atom(name, tuple(self._several(")", depth)))
            return name
        self.refuse(f"{token.text or 'the end of the text'} is not a value", token.place)

    def _several(self, end: str, depth: int) -> list[Any]:
        """The terms up to the closing bracket."""
        terms = [self._term(999, depth + 1)]
        while self.now.text == ",":
            self.take()
            terms.append(self._term(999, depth + 1))
        if self.now.text == "|" and end == "]":
            self.take()
            place = self.now.place
            rest = self._term(999, depth + 1)
            if not isinstance(rest, Atom) or rest.name != "[]":
                self.refuse("a list must have an end", place)
            terms += rest.arguments
        self.expect(end)
        return terms


def _written(value: Any) -> str:
    """The text of a value for both languages; a list, or an operator, is for Prolog alone."""
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else quoted(value)
    if isinstance(value, int):
        return number_text(value)
    parts = ",".join(map(_written, value if isinstance(value, tuple) else value.arguments))
    if isinstance(value, tuple):
        return f"({parts})"
    return f"[{parts}]" if value.name == "[]" else f"{value.name}({parts})"


def _unquoted(text: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        return _ESCAPED.get(match[2], match[0]) if match[2] else match[0][0]

    return _ESCAPE.sub(replaced, text[1:-1])
