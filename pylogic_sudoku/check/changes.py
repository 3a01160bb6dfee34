"""Small changes of a program: another number, operator or variable, a goal dropped or called.

A change with which a faulty program has the right answers shows where its fault is likely to be.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, pairwise
from typing import NamedTuple

_PROLOG = re.compile(
    r"(?P<skip>/\*.*?\*/|%[^\n]*|\s+)"
    r"|(?P<text>\"(?:\\.|[^\"\\])*\"|0'(?:\\.|''|[^\\])|'(?:\\.|[^'\\])*')"
    r"|(?P<number>\d+)|(?P<variable>[_A-Z]\w*)|(?P<name>[a-z]\w*)"
    r"|(?P<end>\.(?=[\s%]|\Z))|(?P<sign>[-+*/\\^<>=~:.?@#&$]+|.)",
    re.DOTALL,
)
_ASP = re.compile(
    r"(?P<skip>%\*.*?\*%|%[^\n]*|\s+)|(?P<text>\"(?:\\.|[^\"\\])*\")"
    r"|(?P<number>\d+)|(?P<variable>_*[A-Z][\w']*|_(?![\w']))|(?P<name>_*[a-z][\w']*)"
    r"|(?P<sign>:-|:~|!=|<>|<=|>=|==|\.\.|\*\*|[^.])|(?P<end>\.)",
    re.DOTALL,
)


class _Language(NamedTuple):
    tokens: re.Pattern[str]
    alike: tuple[tuple[str, ...], ...]
    """Signs that are easily taken for each other."""
    same: dict[str, str]
    """Other ways to write some of them."""
    before: tuple[str, ...]
    """Signs behind which a variable may be wrong by one."""
    true: str
    """A goal that holds."""
    negation: str
    nothing: tuple[str, str]
    """Two terms, each of which may be meant where the other one stands."""
    skipped: tuple[str, ...]
    """The beginnings of what is no clause."""


_LANGUAGES = {
    ".pl": _Language(
        _PROLOG,
        (
            ("#=", "#\\=", "#<", "#>", "#=<", "#>="),
            ("=:=", "=\\=", "<", ">", "=<", ">="),
            ("==", "\\==", "=", "\\="),
            ("+", "-", "*"),
        ),
        {},
        ("..", "is", "#=", "="),
        "true",
        "\\+",
        ("[]", "nil"),
        (":-",),
    ),
    ".lp": _Language(
        _ASP,
        (("=", "!=", "<", ">", "<=", ">="), ("+", "-", "*")),
        {"==": "=", "<>": "!="},
        ("..", "=", "==", "!=", "<>", "<", ">", "<=", ">="),
        "#true",
        "not",
        ("#inf", "#sup"),
        ("#show", "#defined", "#include", "#program", "#project", "#external", "#script"),
    ),
}

_SCRIPT = re.compile(r"^#script\b.*?#end\s*\.", re.DOTALL | re.MULTILINE)
_NECKS = (":-", ":~", "-->", "=>")
_BETWEEN = (",", ";", "->", "*->")
APART = 6
"""Variables of a statement that are told apart, at most."""
VARIABLES = 20
"""Variables of a clause beyond which none is exchanged for another."""
OTHERS = 8
"""Other numbers, or names, of a program that one of it becomes, at most."""
CALLS = 20
"""Calls of a predicate that are added to a clause, at most."""


KINDS = {
    "number": "another number",
    "bound": "an interval that ends elsewhere",
    "comparison": "another comparison",
    "sign": "another sign of arithmetic",
    "empty": "another empty list, or extreme",
    "arguments": "two arguments exchanged",
    "order": "two goals exchanged",
    "negation": "a literal negated, or no longer",
    "goal": "a goal or literal left out",
    "statement": "a statement or clause left out",
    "choice": "a choice without its bound",
    "list": "the end of a list",
    "variable": "another variable",
    "name": "another predicate",
    "added": "a goal or literal added",
}
"""The kinds of changes, in words."""


class Change(NamedTuple):
    """A change of one place in a text."""

    rank: int
    """The less, the likelier: 1 for a token, 2 for a goal or literal, 3 for a variable,
    another number or name of the program, or a clause."""
    line: int
    start: int
    end: int
    new: str
    kind: str = ""
    """One of `KINDS`; of `removable`, ``"statement"``, ``"clause"`` or ``"goal"``."""


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
    clauses = list(_clauses(text, language))
    idle = _idle(clauses)
    named = _named(clauses, suffix)
    tokens = chain.from_iterable(clauses)
    known = sorted({int(each.text) for each in tokens if each.kind == "number"})
    for clause in clauses:
        if text.startswith(language.skipped, clause[0].start):
            continue
        names = (each.text for each in clause if each.kind == "variable" and each.text != "_")
        variables = list(dict.fromkeys(names))
        edits = [*_of_tokens(clause, variables, known, language), *_of_goals(clause, language)]
        edits += _of_names(clause, named, suffix)
        if suffix == ".lp":
            edits += _of_statement(clause, variables, numbers)
        else:
            edits += _of_clause(clause, text, variables, idle)
        yield from (_change(text, *edit) for edit in edits)


def removable(text: str, suffix: str = ".pl") -> Iterator[Change]:
    """Yield the statements of an ASP program, or the clauses and goals of a Prolog program.

    Each as the change that leaves it out. Directives and what ASP only declares are left alone.
    """
    language = _LANGUAGES[suffix]
    for clause in _clauses(_SCRIPT.sub(_blank, text) if suffix == ".lp" else text, language):
        if text.startswith((*language.skipped, "#const", "#heuristic", "&show"), clause[0].start):
            continue
        kind = "statement" if suffix == ".lp" else "clause"
        yield _change(text, 2, clause[0].start, clause[-1].end, "", kind)
        if suffix == ".pl":
            true = "[]" if _is_grammar(clause) else language.true
            for first, after in _nested(clause, _parts(clause)):
                end = clause[after - 1].end
                if text[clause[first].start : end] != true:
                    yield _change(text, 2, clause[first].start, end, true, "goal")


def weaker_choices(text: str) -> Iterator[Change]:
    """Yield the choices of an ASP program, each as the change that drops its upper bound."""
    language = _LANGUAGES[".lp"]
    for clause in _clauses(_SCRIPT.sub(_blank, text), language):
        neck = _neck(clause)
        head = clause[: len(clause) - 1 if neck is None else neck]
        braces = [at for at in _outside(clause, 0, len(head)) if clause[at].text == "}"]
        if clause[0].text != "&" and braces and braces[0] + 1 < len(head):
            start, end = clause[braces[0]].end, head[-1].end
            yield _change(text, 2, start, end, "", "choice")


def _change(text: str, rank: int, start: int, end: int, new: str, kind: str) -> Change:
    return Change(rank, text.count("\n", 0, start) + 1, start, end, new, kind)


def _blank(match: re.Match[str]) -> str:
    """Blanks in the place of a text."""
    return re.sub(r"[^\n]", " ", match[0])


def _nested(clause: list[_Token], parts: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The goals of a body, within brackets, too."""
    for first, after in parts:
        if first < after and clause[first].text == "(" and clause[after - 1].text == ")":
            yield from _nested(clause, _split(clause, first + 1, after - 1))
        elif first < after:
            yield first, after


def _clauses(text: str, language: _Language) -> Iterator[list[_Token]]:
    """Yield the tokens of each clause, and of each directive."""
    tokens: list[_Token] = []
    for match in language.tokens.finditer(text):
        if match.lastgroup == "skip":
            continue
        tokens.append(_Token(str(match.lastgroup), match[0], match.start()))
        if match[0] == "]" if tokens[0].text == ":~" else match.lastgroup == "end":
            yield tokens
            tokens = []


_Edit = tuple[int, int, int, str, str]
"""Rank, place, text and kind of a change."""


def _of_tokens(
    clause: list[_Token], variables: list[str], known: Sequence[int], language: _Language
) -> Iterator[_Edit]:
    for before, token in pairwise([clause[0], *clause]):
        where = token.start, token.end
        if token.kind == "number":
            own = int(token.text)
            for number in (own + 1, own - 1):
                yield 1, *where, str(number) if number >= 0 else f"({number})", "number"
            at = bisect_left(known, own)
            around = known[max(0, at - OTHERS) : at + OTHERS]
            others = sorted((abs(each - own), each) for each in around if abs(each - own) > 1)
            yield from ((3, *where, str(number), "number") for _, number in others[:OTHERS])
        elif token.kind == "variable":
            if before.text in language.before:
                yield 1, *where, f"({token.text}-1)", "bound"
                yield 1, *where, f"({token.text}+1)", "bound"
            if before.text == "..":
                yield 1, *where, f"(2*{token.text})", "bound"
            for other in variables if len(variables) <= VARIABLES else ():
                if other != token.text:
                    yield 3, *where, other, "variable"
        elif before.text + token.text == language.nothing[0]:
            yield 1, before.start, token.end, language.nothing[1], "empty"
        elif token.text == language.nothing[1]:
            yield 1, *where, language.nothing[0], "empty"
        sign = language.same.get(token.text, token.text)
        for group in language.alike:
            if sign in group:
                kind = "sign" if "+" in group else "comparison"
                yield from ((1, *where, other, kind) for other in group if other != sign)


def _of_goals(clause: list[_Token], language: _Language) -> Iterator[_Edit]:
    """Drop a goal, assert what is negated, or exchange two adjacent arguments."""
    for parts, true in _bodies(clause, language.true):
        for first, after in parts:
            if first < after:
                token = clause[first]
                if len(parts) > 1:
                    yield 2, token.start, clause[after - 1].end, true, "goal"
                if token.text == language.negation:
                    yield 2, token.start, token.end, "", "negation"
    yield from _exchanged(clause)


def _bodies(
    clause: list[_Token], true: str = "true"
) -> Iterator[tuple[list[tuple[int, int]], str]]:
    """Yield the goals of a body, and of braces in that of a grammar rule, and what holds there."""
    parts = _parts(clause)
    yield parts, "[]" if _is_grammar(clause) else true
    for first, after in parts if _is_grammar(clause) else ():
        if clause[first].text == "{" and clause[after - 1].text == "}":
            yield _split(clause, first + 1, after - 1), true


def _parts(clause: list[_Token]) -> list[tuple[int, int]]:
    """The goals of a body: the first token of each, and the one after it."""
    neck = _neck(clause)
    if neck is None:
        return []
    ends = (at for at, token in enumerate(clause) if token.kind == "end")
    return _split(clause, neck + 1, next(ends, len(clause) - 1))


def _is_grammar(clause: list[_Token]) -> bool:
    neck = _neck(clause)
    return neck is not None and clause[neck].text == "-->"


def _neck(clause: list[_Token]) -> int | None:
    """The place of what is between a head and its body."""
    return next((at for at in _outside(clause, 0, len(clause)) if clause[at].text in _NECKS), None)


def _split(clause: list[_Token], begin: int, end: int) -> list[tuple[int, int]]:
    """The goals between two places."""
    places = [at for at in _outside(clause, begin, end) if clause[at].text in _BETWEEN]
    return list(zip([begin, *(at + 1 for at in places)], [*places, end], strict=True))


def _outside(clause: list[_Token], begin: int, end: int) -> Iterator[int]:
    """The places of tokens that are in no brackets."""
    depth = 0
    for at in range(begin, end):
        depth += (clause[at].text in ("(", "[", "{")) - (clause[at].text in (")", "]", "}"))
        if depth == 0:
            yield at


def _of_statement(
    clause: list[_Token], variables: list[str], numbers: Sequence[str]
) -> Iterator[_Edit]:
    """Drop a statement of ASP, negate a literal, tell variables apart, set a number."""
    if clause[0].text != "#":
        yield 2, clause[0].start, clause[-1].end, "", "statement"
    parts = _parts(clause)
    for first, _ in parts:
        token = clause[first]
        if token.kind == "name" and token.text != "not":
            yield 2, token.start, token.start, "not ", "negation"
    for token in clause:
        if token.kind == "number":
            others = [each for each in numbers if each != token.text]
            yield from ((2, token.start, token.end, each, "number") for each in others)
    if parts:
        end = clause[parts[-1][1] - 1].end
        for one, two in combinations(variables[:APART], 2):
            yield from ((3, end, end, f"; {one} {sign} {two}", "added") for sign in ("!=", "<"))


def _named(clauses: list[list[_Token]], suffix: str) -> dict[int, list[str]]:
    """The predicates by their numbers of arguments: of ASP all, of Prolog those with clauses."""
    found: dict[int, dict[str, None]] = {}
    for clause in clauses:
        for at in _calls(clause) if suffix == ".lp" else _calls(clause[:2]):
            found.setdefault(_arity(clause[at:]), {})[clause[at].text] = None
    return {arity: list(names) for arity, names in found.items()}


def _calls(tokens: list[_Token]) -> Iterator[int]:
    """The places of names with arguments."""
    for at, (token, bracket) in enumerate(pairwise(tokens)):
        if token.kind == "name" and bracket.text == "(" and bracket.start == token.end:
            yield at


def _of_names(clause: list[_Token], named: dict[int, list[str]], suffix: str) -> Iterator[_Edit]:
    """Another predicate of the program with as many arguments, in ASP in a head, too."""
    for at in _calls(clause):
        token = clause[at]
        others = [each for each in named.get(_arity(clause[at:]), ()) if each != token.text]
        for name in others[:OTHERS] if at or suffix == ".lp" else ():
            yield 3, token.start, token.end, name, "name"


class _Idle(NamedTuple):
    """A predicate that no other one calls."""

    name: str
    arity: int
    in_grammar: bool
    """True if rules of a grammar define it."""


def _idle(clauses: list[list[_Token]]) -> list[_Idle]:
    """The predicates of a Prolog program that no other one calls."""
    named, called = dict[str, _Idle](), set[str]()
    for clause in clauses:
        name = clause[0].text
        if clause[0].kind == "name" and clause[1].text == "(":
            named.setdefault(name, _Idle(name, _arity(clause), _is_grammar(clause)))
        called |= {each.text for each in clause[1:] if each.text != name}
    return [each for name, each in named.items() if name not in called]


def _arity(clause: list[_Token]) -> int:
    """The number of arguments of the term with which tokens begin."""
    depth, arity = 0, 1
    for token in clause[1:]:
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        arity += depth == 1 and token.text == ","
        if depth == 0:
            break
    return arity


def _of_clause(
    clause: list[_Token], text: str, variables: list[str], idle: list[_Idle]
) -> Iterator[_Edit]:
    """Drop a clause, exchange goals, end a list in another way, or call what nothing calls."""
    yield 3, clause[0].start, clause[-1].end, "", "statement"
    for bar, rest, close in zip(clause, clause[1:], clause[2:], strict=False):
        if rest.kind == "variable" and close.text == "]" and bar.text in (",", "|"):
            yield 1, bar.start, bar.end, "|" if bar.text == "," else ",", "list"
    for parts, _ in _bodies(clause):
        for (first, comma), (begin, after) in pairwise(parts):
            if first < comma and begin < after and clause[comma].text == ",":
                (one, end), (two, last) = (
                    (clause[at].start, clause[past - 1].end)
                    for at, past in ((first, comma), (begin, after))
                )
                exchanged = f"{text[two:last]}{text[end:two]}{text[one:end]}"
                yield 3, one, last, exchanged, "order"
    parts, in_grammar = _parts(clause), _is_grammar(clause)
    if parts and len(variables) <= VARIABLES:
        end = clause[parts[-1][1] - 1].end
        for each in idle:
            if each.name != clause[0].text and each.in_grammar <= in_grammar:
                form = ", {}({})" if each.in_grammar == in_grammar else ", {{{}({})}}"
                for some in islice(combinations(variables, each.arity), CALLS):
                    yield 2, end, end, form.format(each.name, ",".join(some)), "added"


def _exchanged(clause: list[_Token]) -> Iterator[_Edit]:
    """Exchange two simple arguments: X,Y becomes Y,X."""
    for at in range(1, len(clause) - 3):
        before, one, comma, two, after = clause[at - 1 : at + 4]
        simple = {one.kind, two.kind} <= {"variable", "number", "name"}
        if simple and comma.text == "," and before.text in ("(", ",") and after.text in (")", ","):
            yield 2, one.start, two.end, f"{two.text},{one.text}", "arguments"
