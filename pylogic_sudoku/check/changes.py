"""Small changes of a program: another number, operator or variable, a goal dropped or called.

A change with which a faulty program has the right answers shows where its fault is likely to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, pairwise
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?P<skip>/\*.*?\*/|%[^\n]*|\s+)|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
    r"|(?P<number>\d+)|(?P<variable>[_A-Z]\w*)|(?P<name>[a-z]\w*)"
    r"|(?P<sign>[-+*/\\^<>=~:.?@#&$]+|.)",
    re.DOTALL,
)


class _Language(NamedTuple):
    alike: tuple[tuple[str, ...], ...]
    """Signs that are easily taken for each other."""
    before: tuple[str, ...]
    """Signs behind which a variable may be wrong by one."""
    true: str
    """A goal that holds."""
    skipped: tuple[str, ...]
    """The beginnings of what is no clause."""


_LANGUAGES = {
    ".pl": _Language(
        (
            ("#=", "#\\=", "#<", "#>", "#=<", "#>="),
            ("=:=", "=\\=", "<", ">", "=<", ">="),
            ("==", "\\==", "=", "\\="),
            ("+", "-", "*"),
        ),
        ("..", "is", "#=", "="),
        "true",
        (":-",),
    ),
    ".lp": _Language(
        (("=", "!=", "<", ">", "<=", ">="), ("+", "-", "*")),
        ("..", "=", "!=", "<", ">", "<=", ">="),
        "#true",
        ("#show", "#defined", "#include", "#program", "#project", "#external", "#script"),
    ),
}

_NECKS = (":-", ":~")
APART = 6
"""Variables of a statement that are told apart, at most."""
VARIABLES = 20
"""Variables of a clause beyond which none is exchanged for another."""
CALLS = 20
"""Calls of a predicate that are added to a clause, at most."""


class Change(NamedTuple):
    """A change of one place in a text."""

    rank: int
    """The less, the likelier: 1 for a token, 2 for a goal or literal, 3 for a variable."""
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


def changes(text: str, suffix: str = ".pl", numbers: Sequence[str] = ()) -> Iterator[Change]:
    """Yield the changes of a program, in the order of the text.

    The suffix is that of its file. A number of an ASP program may stand for one of `numbers`.
    """
    language = _LANGUAGES[suffix]
    clauses = list(_clauses(text))
    idle = _idle(clauses) if suffix == ".pl" else {}
    for clause in clauses:
        if text.startswith(language.skipped, clause[0].start):
            continue
        names = (each.text for each in clause if each.kind == "variable" and each.text != "_")
        variables = list(dict.fromkeys(names))
        edits = [*_of_tokens(clause, variables, language), *_of_goals(clause, language.true)]
        if suffix == ".lp":
            edits += _of_statement(clause, variables, numbers)
        edits += _of_calls(clause, variables, idle)
        for rank, start, end, new in edits:
            yield Change(rank, text.count("\n", 0, start) + 1, start, end, new)


def _clauses(text: str) -> Iterator[list[_Token]]:
    """Yield the tokens of each clause, and of each directive."""
    tokens: list[_Token] = []
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "skip":
            continue
        tokens.append(_Token(str(match.lastgroup), match[0], match.start()))
        end = "]" if tokens[0].text == ":~" else "."
        if match[0] == end and not text[match.end() : match.end() + 1].strip():
            yield tokens
            tokens = []


_Edit = tuple[int, int, int, str]


def _of_tokens(clause: list[_Token], variables: list[str], language: _Language) -> Iterator[_Edit]:
    for before, token in pairwise([clause[0], *clause]):
        where = token.start, token.end
        if token.kind == "number":
            for step in (1, -1):
                number = int(token.text) + step
                yield 1, *where, str(number) if number >= 0 else f"({number})"
        elif token.kind == "variable":
            if before.text in language.before:
                yield 1, *where, f"({token.text}-1)"
                yield 1, *where, f"({token.text}+1)"
            if before.text == "..":
                yield 1, *where, f"(2*{token.text})"
            for other in variables if len(variables) <= VARIABLES else ():
                if other != token.text:
                    yield 3, *where, other
        for group in language.alike:
            if token.text in group:
                for other in group:
                    if other != token.text:
                        yield 1, *where, other


def _of_goals(clause: list[_Token], true: str) -> Iterator[_Edit]:
    """Drop a goal, or exchange two adjacent arguments."""
    parts = _parts(clause)
    if len(parts) > 1:
        for first, after in parts:
            if first < after:
                yield 2, clause[first].start, clause[after - 1].end, true
    yield from _exchanged(clause)


def _parts(clause: list[_Token]) -> list[tuple[int, int]]:
    """The goals of a body: the first token of each, and the one after it."""
    neck = next((at for at, token in enumerate(clause) if token.text in _NECKS), None)
    if neck is None:
        return []
    depth, begin, parts = 0, neck + 1, list[tuple[int, int]]()
    for at, token in enumerate(clause[begin:], begin):
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        elif depth == 0 and token.text in (",", ";", "->", "."):
            parts.append((begin, at))
            begin = at + 1
    return parts


def _of_statement(
    clause: list[_Token], variables: list[str], numbers: Sequence[str]
) -> Iterator[_Edit]:
    """Drop a statement of ASP, negate a literal or not, tell variables apart, set a number."""
    if clause[0].text != "#":
        yield 2, clause[0].start, clause[-1].end, ""
    parts = _parts(clause)
    for first, _ in parts:
        token = clause[first]
        if token.text == "not":
            yield 2, token.start, token.end, ""
        elif token.kind == "name":
            yield 2, token.start, token.start, "not "
    for token in clause:
        if token.kind == "number":
            yield from ((2, token.start, token.end, each) for each in numbers if each != token.text)
    if parts:
        end = clause[parts[-1][1] - 1].end
        for one, two in combinations(variables[:APART], 2):
            yield from ((3, end, end, f"; {one} {sign} {two}") for sign in ("!=", "<"))


def _idle(clauses: list[list[_Token]]) -> dict[str, int]:
    """The predicates of a Prolog program that no other one calls, with their arities."""
    named, called = dict[str, int](), set[str]()
    for clause in clauses:
        if clause[0].kind == "name" and clause[1].text == "(":
            named.setdefault(clause[0].text, _arity(clause))
        called |= {each.text for each in clause[1:] if each.text != clause[0].text}
    return {name: arity for name, arity in named.items() if name not in called}


def _arity(clause: list[_Token]) -> int:
    """The number of arguments of the head that begins a clause."""
    depth, arity = 0, 1
    for token in clause[1:]:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        arity += depth == 1 and token.text == ","
        if depth == 0:
            break
    return arity


def _of_calls(clause: list[_Token], variables: list[str], idle: dict[str, int]) -> Iterator[_Edit]:
    """Call, at the end of a body, a predicate that nothing calls."""
    parts = _parts(clause)
    if not parts or len(variables) > VARIABLES:
        return
    end = clause[parts[-1][1] - 1].end
    for name, arity in idle.items():
        if name != clause[0].text:
            for some in islice(combinations(variables, arity), CALLS):
                yield 2, end, end, f", {name}({','.join(some)})"


def _exchanged(clause: list[_Token]) -> Iterator[_Edit]:
    """Exchange two simple arguments: X,Y becomes Y,X."""
    for at in range(1, len(clause) - 3):
        before, one, comma, two, after = clause[at - 1 : at + 4]
        simple = {one.kind, two.kind} <= {"variable", "number", "name"}
        if simple and comma.text == "," and before.text in ("(", ",") and after.text in (")", ","):
            yield 2, one.start, two.end, f"{two.text},{one.text}"
