"""Puzzles as atoms: facts for clingo, and answer sets as clingo prints them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain, groupby, product
from math import inf, isqrt, prod
from operator import add, and_, inv, mul, neg, or_, sub, xor
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidPuzzle
from ..problem.text import LARGEST, too_large
from ..problem.written import witnesses
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import MAX_SIZE, Box, checked_box, square_box, usual_box
from .text import CODE, DEEPEST, Head, Uncommented, in_line, without_comments

if TYPE_CHECKING:
    from ..rules import Rule


ATOMS = ("initial", "sudoku", "numberAt", "given", "clue", "cell")
"""Names of the facts that are read as givens."""

SHAPE = ("box_rows", "box_columns", "dim", "subgrid_size")
"""Names for the box shape; the last two are the side of a square box."""


class _Kind(NamedTuple):
    """A kind of fact."""

    name: str
    key: int
    """The number of arguments that identify a fact; two with the same ones must be equal."""
    terms: tuple[int, ...] = ()
    """Places of arguments that may be any term; the others are numbers."""
    least: float = 1


_KINDS: dict[tuple[str, int], _Kind] = {
    **{(name, 3): _Kind("initial", 2) for name in ATOMS},
    **{(name, 1): _Kind(name, 0) for name in SHAPE},
    ("region", 3): _Kind("region", 3),  # region(R,X,Y): the cell is in region R
    ("excluded", 3): _Kind("excluded", 3),  # excluded(X,Y,N): the cell does not hold N
    # The facts of rules are those of encodings/rules.lp.
    ("rule", 2): _Kind("rule", 1, (0, 1)),
    ("on", 5): _Kind("on", 3, (0, 1)),
    ("value", 4): _Kind("value", 3, (0, 1), -inf),
    ("option", 2): _Kind("option", 2, (0,)),
    ("option", 3): _Kind("option", 3, (0, 2)),
}
"""The facts that are read, by name and number of arguments."""

_PLAIN = {name for name, _ in _KINDS} - {"rule", "on", "value", "option"}
"""The names of those that are read from answer sets, too."""

ANSWER = re.compile(r"Answer: \d+\b")
_OTHER = re.compile(
    r"(?<![-\w])(_*[a-z]\w*)\((?:\s*\d+\s*,){2}\s*\d+\s*\)(?=\s*(?:\.(?!\.)|\Z|\s))"
)
"""The name of a fact or an atom with three numbers."""
_GIVEN = re.compile(rf"\b(?:{'|'.join(ATOMS)}|region|excluded|rule)\s*\(")
_ATOMS = re.compile(
    r"(?>(?:\s*-?_*[a-z]\w*\((?>(?:[^()\[\]]|\([^()\[\]]*\))*)\)\s*\.?\s*)+)", re.ASCII
)
"""Facts or atoms, and nothing else."""
_STATUS = re.compile(rf"^(?:clingo version |{ANSWER.pattern}|(?:UN)?SATISFIABLE\b)", re.MULTILINE)
_NAMED = re.compile(
    rf"\b(?:{'|'.join(ATOMS)}|region|excluded|box_rows)\s*\(\s*[^\[\s]|#const\b|"
    r"\brule\(\s*\d+\s*,\s*[a-z]\w*\s*\)"
)


def looks_like(head: Head) -> Iterator[str]:
    """The formats of this module that the text looks like.

    Facts are a given, a region or a box shape without a list of rows; an answer set is what clingo
    prints, such as ``Answer: 1``, or atoms without full stops.
    """
    named = _NAMED.search(head.code) or _ATOMS.fullmatch(head.code)
    facts = named and not re.search(r"\[\s*\[", head.code)
    if _STATUS.search(head.content) or (facts and "." not in head.code):
        yield "answer"
    if facts:
        yield "facts"


class Facts:
    """The contents of facts: givens, regions, excluded digits, the box shape and rules."""

    def __init__(self, code: str = "") -> None:
        """`code` is the text of all atoms; if no given has a known name, another name is it."""
        named = _GIVEN.search(code)
        self._others = [] if named else sorted({*_OTHER.findall(code)} - _PLAIN)
        self._alias = self._others[0] if len(self._others) == 1 else ""
        self._by_kind: dict[str, dict[tuple[Any, ...], tuple[Any, ...]]] = {
            kind.name: {} for kind in _KINDS.values()
        }
        """By the name of a kind, its keys, each with the other arguments."""
        self.texts: dict[str, dict[str, str]] = {}
        """By the number of a rule and the name of a field: texts for people."""

    def add(self, name: str, terms: Sequence[str], where: str) -> None:
        """Add an atom; ignore it if no fact has its name and number of arguments.

        `where` is its text, for messages.
        """
        name = "initial" if name == self._alias else name
        if (kind := _KINDS.get((name, len(terms)))) is None:
            return
        values = tuple(
            term if at in kind.terms else _number(term, kind.least, where)
            for at, term in enumerate(terms)
        )
        key, others = values[: kind.key], values[kind.key :]
        if (before := self._by_kind[kind.name].setdefault(key, others)) != others:
            arguments = ",".join(map(str, key + before))
            raise InvalidPuzzle(f"{where}, but {kind.name}({arguments}) is there, too")

    def puzzle(self, box: Box | None) -> Grid | Puzzle:
        """A Grid, or with regions or excluded digits a Puzzle.

        The box shape is `box`, else as stated in the facts, else one that fits them.
        """
        if not any(self._by_kind.values()):
            raise InvalidPuzzle(self._nothing())
        givens = [(*cell, *digit) for cell, digit in self._by_kind["initial"].items()]
        excluded = self._by_kind["excluded"]
        regions: dict[int, list[tuple[int, int]]] = {}
        for region, x, y in self._by_kind["region"]:
            regions.setdefault(region, []).append((x, y))
        if len(regions) > MAX_SIZE:
            raise InvalidPuzzle(f"there are {len(regions)} regions, expected 1 to {MAX_SIZE}")
        if regions:
            box = usual_box(len(regions))
        box = box or self._stated_box() or _fitting_box(givens, excluded)
        size = box[0] * box[1]
        for x, y, n in (*givens, *excluded):
            if max(x, y, n) > size:
                holds = "does not hold" if (x, y, n) in excluded else "holds"
                raise InvalidPuzzle(f"r{x}c{y} {holds} {n}: over {size}, the size of the grid")
        grid = Grid.of(givens, box)
        if not (regions or excluded or self._by_kind["rule"]):
            return grid
        marks = dict.fromkeys(((x, y) for x, y, _ in excluded), frozenset(range(1, size + 1)))
        for x, y, n in excluded:
            marks[x, y] -= {n}
        return Puzzle(grid, list(regions.values()) or None, marks, self._rules())

    def knows(self, name: str, terms: int = 3) -> bool:
        """True for the name of a fact; with this number of arguments, if it has several forms."""
        return (name, terms) in _KINDS or name in _PLAIN or name == self._alias

    def _nothing(self) -> str:
        """The message if no facts are found."""
        message = f"no givens here; expected facts such as {ATOMS[0]}(1,1,5)."
        if not self._others:
            return message
        names = ", ".join(f"{name}/3" for name in self._others[:5])
        return f"{message} Of {names}, at most one can be the givens; call them {', '.join(ATOMS)}"

    def _stated_box(self) -> Box | None:
        shape = {name: self._by_kind[name][()][0] for name in SHAPE if self._by_kind[name]}
        side = shape.get("dim", shape.get("subgrid_size", 3))
        box = shape.get("box_rows", side), shape.get("box_columns", side)
        return checked_box(box) if shape else None

    def _rules(self) -> list[Rule]:
        """The rules in the order of the facts, without those that are parts of others."""
        fields: dict[str, dict[str, dict[int, dict[int, Any]]]] = {}
        for (rule, part, at), value in (
            *self._by_kind["on"].items(),
            *self._by_kind["value"].items(),
        ):
            group = re.fullmatch(_GROUP, part, re.ASCII)
            name, number = group.groups() if group else (part, 0)
            places = fields.setdefault(rule, {}).setdefault(name, {}).setdefault(int(number), {})
            places[at] = value if len(value) == 2 else value[0]
        options: dict[str, dict[int, list[str]]] = {}
        for rule, number, *part in self._by_kind["option"]:
            options.setdefault(rule, {}).setdefault(number, []).extend(part)
        kinds = {rule: kind for (rule,), (kind,) in self._by_kind["rule"].items()}
        parts = set(chain.from_iterable(chain.from_iterable(map(dict.values, options.values()))))
        if unknown := {*fields, *options, *parts, *self.texts} - kinds.keys():
            rule = min(unknown)
            raise InvalidPuzzle(f"rule {rule} has no kind; expected a fact rule({rule},...)")
        built: dict[str, Rule | None] = {}

        def rule_of(key: str, depth: int = 0) -> Rule:
            from ..rules import KINDS, from_json

            if key not in built and depth < DEEPEST:
                built[key] = None  # until its alternatives are there
                document: dict[str, Any] = {"rule": kinds[key], **self.texts.get(key, {})}
                if key in options:
                    each = (parts for _, parts in sorted(options[key].items()))
                    document["options"] = [[rule_of(part, depth + 1) for part in ps] for ps in each]
                types = KINDS[kinds[key]].types if kinds[key] in KINDS else {}
                try:
                    for name, groups in fields.get(key, {}).items():
                        document[name] = _field(types.get(name), name, groups)
                    built[key] = from_json(document)
                except InvalidPuzzle as error:
                    raise InvalidPuzzle(f"rule {key}: {error}") from None
            if (rule := built.get(key)) is None:
                raise InvalidPuzzle(f"rule {key} is an alternative of itself, or too deep")
            return rule

        rules = {key: rule_of(key) for key in kinds}
        return [rule for key, rule in rules.items() if key not in parts]


def _fitting_box(givens: list[Any], excluded: Iterable[Any]) -> Box:
    """The square of a full grid of this many givens, else the smallest from 3x3 up."""
    largest = max(map(max, (*givens, *excluded)), default=1)
    if len(givens) == largest * largest > 1:
        return square_box(largest)
    side = max(3, isqrt(largest - 1) + 1)
    if side * side > MAX_SIZE:
        raise InvalidPuzzle(f"{largest} is over {MAX_SIZE}, the largest size of a grid")
    return side, side


_GROUP = r"\((\w+),(\d+)\)"
"""The name of one of the groups that a field has: ``(pairs,3)`` is the third."""


def _field(field: Any, name: str, groups: dict[int, dict[int, Any]]) -> Any:
    """The value of a field in facts, in the form that JSON has."""
    from ..puzzle.cells import Cells
    from ..rules.base import FIELDS, Groups, NumberGroups, Numbers

    several = field in (FIELDS[Groups], FIELDS[NumberGroups])
    lists = [[group[at] for at in sorted(group)] for _, group in sorted(groups.items())]
    expected = {*range(1, len(groups) + 1)} if several else {0}
    if groups.keys() != expected or any(max(each) > len(each) for each in groups.values()):
        raise InvalidPuzzle(f"{name} is not numbered from 1 up")
    if several or field is None:
        return lists
    if field in (FIELDS[Cells], FIELDS[Numbers]):
        return lists[0]
    if len(lists[0]) != 1:
        raise InvalidPuzzle(f"{name} has {len(lists[0])} values; expected one")
    return bool(lists[0][0]) if field is FIELDS[bool] else lists[0][0]


# --- atoms ---

_TERM = re.compile(r"(?:[^,()]+|\((?:[^()]|\([^()]*\))*\))+")
"""An argument, in which others may be in brackets: ``(pairs,3)``."""


def _terms(arguments: str, where: str) -> list[str]:
    """The arguments of an atom that clingo has printed."""
    bare = "".join(arguments.split())
    terms = _TERM.findall(bare)
    if ";" in bare or ",".join(terms) != bare:
        raise InvalidPuzzle(f"{where} is not an atom; expected one such as sudoku(1,1,5)")
    return terms


def _number(term: str, least: float, where: str) -> int:
    if wrong := too_large(term):
        raise InvalidPuzzle(
            f"{where}: {wrong[:20]} is over {LARGEST}, the largest number of clingo"
        )
    if not re.fullmatch(r"-?\d+", term, re.ASCII) or int(term) < least:
        wanted = "a number from 1 up" if least == 1 else "a number"
        raise InvalidPuzzle(f"{where}: {_short(term)} stands where {wanted} is expected")
    return int(term)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:80]}..."


# --- facts, with full stops ---

_ARGUMENT = r"\s*(?:-?\d{1,9}|_*[a-z]\w*|\([a-z]\w*,\d{1,9}\))\s*"
_FACT = re.compile(rf"(_*[a-z]\w*)\(({_ARGUMENT}(?>(?:,{_ARGUMENT})*))\)\s*\.", re.ASCII)
"""A fact whose arguments are numbers and names."""
_FACTS = re.compile(
    rf"(?>(?:\s*(?!not\b)_*[a-z]\w*+(?>(?:\({_ARGUMENT}(?>(?:,{_ARGUMENT})*)\))?)\s*\.(?!\.))+)",
    re.ASCII,
)
"""Such facts, one after another: clingo's parser takes 100 times as long."""
_STATEMENT = re.compile(r"\s*((?>(?:[^.]++|\.\.)*))(\.?)(?:\s*\[[a-z\s]*\])?")
"""Any statement, with the brackets after its full stop: ``#const dim=2. [override]``."""
_CONSTANT = re.compile(r"#const\s+(\w+)\s*=\s*(\d{1,9})\s*", re.ASCII)
_NAMES = re.compile(r"#const\s+(\w+)", re.ASCII)
_IGNORED = re.compile(r"#(?:show|program|defined)\b")
_FOREIGN = re.compile(r"#include\b|[^\1-\x7f]")
_OPERATION = re.compile(r"[-+*/\\^?&~|(]|\.\.")
_MAX_OPERATIONS = 10_000
"""In one statement: clingo's parser overflows its stack on terms nested 100,000 deep."""
_MAX_FACTS = MAX_SIZE**3
"""The most facts that one statement may state: no grid has more candidates."""


def split_facts(lines: Iterable[str], _box: Box | None) -> Iterator[tuple[int, str]]:
    """All facts together, since they are about one puzzle."""
    yield 1, "\n".join(lines)


def read_facts(text: str, box: Box | None) -> Grid | Puzzle:
    """The puzzle whose givens are facts such as ``initial(X,Y,N)``: row X, column Y holds N.

    ``region(R,X,Y)`` puts the cell in region R, and ``excluded(X,Y,N)`` excludes N from the cell.
    Rules beyond these are facts ``rule``, ``on``, ``value`` and ``option``. Comments, ``#const``,
    ``#show``, intervals, pools, arithmetic, several facts on a line, and atoms without full stops
    (an answer set) are read; facts of other names are ignored, unless givens have one other name,
    such as ``x(1,1,5)``. Nothing is grounded: a rule with a body is an error. The box shape is
    `box`, else what constants say, else that of a full grid of this many facts, else the smallest
    square from 3x3 up.
    """
    code = re.sub(CODE, _blank, text)
    if code.strip() and "." not in code:
        return read_answer(text, box)
    if unreadable := _FOREIGN.search(code):
        with in_line(_line(code, unreadable.start())):
            raise InvalidPuzzle(f"{unreadable[0]!r} is not read; expected facts")
    facts = Facts(code)
    for found in re.finditer(_TEXT, code):
        content = re.match(r'"((?:\\.|[^"\\\n])*)', text[found.start(3) :])
        known = re.sub(r"\\(.)", _unescaped, content[1]) if content else ""
        facts.texts.setdefault(found[1], {})[found[2]] = known
    constants: dict[str, Any] = dict.fromkeys(_NAMES.findall(code))
    if rest := _take_plain(code, facts, constants):
        _take_parsed(rest, facts, constants)
    return facts.puzzle(box)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _take_plain(code: str, facts: Facts, constants: dict[str, Any]) -> list[tuple[int, str]]:
    """Add the plain facts, and return the other statements, each with the number of its line."""
    rest: list[tuple[int, str]] = []
    at, line = 0, 1
    while at < len(code):
        if run := _FACTS.match(code, at):
            for fact in dict.fromkeys(_FACT.findall(run[0])):
                terms = "".join(fact[1].split())
                arguments = _TERM.findall(terms)
                where = f"{fact[0]}({terms})"
                if constants and not constants.keys().isdisjoint(arguments):
                    rest.append((line, f"{where}."))
                    continue
                try:
                    facts.add(fact[0], arguments, where)
                except InvalidPuzzle:
                    begin = run[0].find(f"{fact[0]}({fact[1]})")
                    with in_line(line + run[0].count("\n", 0, begin)):
                        raise
            line += run[0].count("\n")
            at = run.end()
            continue
        statement = _STATEMENT.match(code, at)
        assert statement
        text, begin = statement[1].strip(), line + code.count("\n", at, statement.start(1))
        constant = _CONSTANT.fullmatch(text)
        with in_line(begin):
            if constant and statement[2]:
                constants[constant[1]] = int(constant[2])
                if constant[1] in SHAPE:
                    facts.add(constant[1], [constant[2]], _short(text))
            elif text and not (statement[2] and _IGNORED.match(text)):
                _refuse(text, statement[2], _short(text))
                rest.append((begin, statement[0].strip()))
        line += code.count("\n", at, statement.end())
        at = statement.end()
    return rest


def _refuse(text: str, stop: str, about: str) -> None:
    """Raise InvalidPuzzle for what clingo's parser need not see: rules, numbers too large."""
    if stop and re.search(r":-|^not\b|^[^#]*\{", text):
        raise InvalidPuzzle(f"{about}{stop} is a rule; expected facts")
    if wrong := too_large(text):
        raise InvalidPuzzle(
            f"{about}: {wrong[:20]} is over {LARGEST}, the largest number of clingo"
        )
    if len(text) > _MAX_OPERATIONS < len(_OPERATION.findall(text)):
        raise InvalidPuzzle(
            f"{about}: more than {_MAX_OPERATIONS:,} operations and brackets before a full stop;"
            " expected facts"
        )
    if not stop:
        raise InvalidPuzzle(f"{about} is not a fact; expected facts such as initial(1,1,5).")


def _take_parsed(rest: list[tuple[int, str]], facts: Facts, constants: dict[str, Any]) -> None:
    """Add the facts of statements that clingo parses; InvalidPuzzle unless each is a fact."""
    import clingo.ast
    from clingo.ast import ASTType

    text, lines = "", 1
    parts: list[str] = []
    for line, statement in rest:
        parts.append("\n" * max(line - lines, 0) + statement)
        lines = max(line, lines) + statement.count("\n")
    text = " ".join(parts)
    messages: list[str] = []
    statements: list[Any] = []
    with suppress(RuntimeError):
        clingo.ast.parse_string(
            text, statements.append, logger=lambda _code, message: messages.append(message)
        )
    if messages:
        number = re.match(r"<string>:(\d+):", messages[0])
        line = int(number[1]) if number else 1
        wrong = [each for at, each in rest if at <= line][-1]
        with in_line(line):
            raise InvalidPuzzle(
                f"{_short(wrong)} is not a fact; expected facts such as initial(1,1,5)."
            )
    for each in statements:
        if each.ast_type == ASTType.Definition:
            constants[each.name] = each.value
    for each in statements:
        with in_line(each.location.begin.line):
            _take_statement(each, _short(_source(text, each.location)), facts, constants)


def _take_statement(each: Any, where: str, facts: Facts, constants: dict[str, Any]) -> None:
    """Add the facts of a statement; InvalidPuzzle unless it is a fact."""
    from clingo.ast import ASTType

    if each.ast_type == ASTType.Definition:
        if each.name in SHAPE:
            for value in _Values(where, constants).of(each.value):
                facts.add(each.name, [value], where)
    elif each.ast_type == ASTType.Rule:
        head = each.head
        if each.body or head.ast_type != ASTType.Literal or head.sign:
            raise InvalidPuzzle(f"{where}. is a rule; expected facts")
        if head.atom.ast_type == ASTType.SymbolicAtom:
            _take_atom(head.atom.symbol, where, facts, constants)
    elif each.ast_type not in (ASTType.Program, ASTType.ShowSignature, ASTType.Defined):
        raise InvalidPuzzle(f"{where}. is not a fact; expected facts such as initial(1,1,5).")


def _source(text: str, location: Any) -> str:
    """The part of the text at this place of clingo's parser, without its full stop."""
    begin, end = location.begin, location.end
    lines = text.split("\n")[begin.line - 1 : end.line]
    lines[-1] = lines[-1][: end.column - 1]
    lines[0] = lines[0][begin.column - 1 :]
    return "\n".join(lines).removesuffix(".")


def _take_atom(atom: Any, where: str, facts: Facts, constants: dict[str, Any]) -> None:
    """Add the facts of an atom: several if it has intervals or pools."""
    from clingo.ast import ASTType

    if atom.ast_type == ASTType.Pool:
        for each in atom.arguments:
            _take_atom(each, where, facts, constants)
    elif atom.ast_type == ASTType.Function and facts.knows(atom.name, len(atom.arguments)):
        for terms in _Values(where, constants).of_each(atom.arguments):
            facts.add(atom.name, terms, where)


class _Values:
    """The values of terms, as text; computed here because clingo's numbers would wrap around."""

    def __init__(self, where: str, constants: dict[str, Any]) -> None:
        self._where = where
        self._constants = constants

    def of_each(self, terms: Iterable[Any], depth: int = 0) -> list[tuple[str, ...]]:
        """Every choice of one value for each term."""
        values = [self.of(term, depth) for term in terms]
        if prod(map(len, values)) > _MAX_FACTS:
            raise InvalidPuzzle(f"{self._where} stands for more than {_MAX_FACTS:,} facts")
        return list(product(*values))

    def of(self, term: Any, depth: int = 0) -> list[str]:
        """The values of a term, each once."""
        from clingo import SymbolType
        from clingo.ast import ASTType, UnaryOperator

        if isinstance(term, int):
            return [str(term)]
        if depth > DEEPEST:
            raise InvalidPuzzle(f"{self._where}: more than {DEEPEST} operations make a number")
        texts: Iterable[str]
        kind = term.ast_type
        if kind == ASTType.SymbolicTerm:
            symbol = term.symbol
            plain = symbol.type == SymbolType.Function and not symbol.arguments
            if plain and self._constants.get(symbol.name) is not None:
                return self.of(self._constants[symbol.name], depth + 1)
            return [str(symbol)]
        if kind == ASTType.Pool:
            texts = chain.from_iterable(self.of(each, depth + 1) for each in term.arguments)
        elif kind == ASTType.Function and not term.external:
            if not term.arguments and self._constants.get(term.name) is not None:
                return self.of(self._constants[term.name], depth + 1)
            parts = self.of_each(term.arguments, depth + 1)
            texts = (f"{term.name}({','.join(values)})" for values in parts)
        elif kind == ASTType.Interval:
            bounds = self._numbers([term.left, term.right], depth)
            texts = chain.from_iterable(self._interval(*pair) for pair in bounds)
        elif kind == ASTType.UnaryOperation:
            numbers = self._numbers([term.argument], depth)
            work: dict[Any, Callable[[int], int]] = {
                UnaryOperator.Minus: neg,
                UnaryOperator.Absolute: abs,
                UnaryOperator.Negation: inv,
            }
            texts = (str(work[term.operator_type](number)) for (number,) in numbers)
        elif kind == ASTType.BinaryOperation:
            pairs = self._numbers([term.left, term.right], depth)
            texts = (str(self._computed(term.operator_type, *pair)) for pair in pairs)
        else:
            raise InvalidPuzzle(f"{self._where} is not a plain fact; expected numbers")
        return list(dict.fromkeys(texts))

    def _computed(self, operator: int, left: int, right: int) -> int:
        """The value of an operation, as clingo has it: division rounds towards zero."""
        from clingo.ast import BinaryOperator as Op

        quotient = {Op.Division, Op.Modulo}
        small = abs(left) <= LARGEST and 0 <= right <= 31
        if (operator in quotient and right == 0) or (operator == Op.Power and not small):
            raise InvalidPuzzle(f"{self._where} has no value; expected numbers")
        work: dict[Any, Callable[[int, int], int]] = {
            Op.Plus: add,
            Op.Minus: sub,
            Op.Multiplication: mul,
            Op.Division: lambda one, other: int(Fraction(one, other)),
            Op.Modulo: lambda one, other: one - other * int(Fraction(one, other)),
            Op.Power: pow,
            Op.And: and_,
            Op.Or: or_,
            Op.XOr: xor,
        }
        return work[operator](left, right)

    def _numbers(self, terms: Iterable[Any], depth: int) -> Iterator[tuple[int, ...]]:
        for values in self.of_each(terms, depth + 1):
            if not all(re.fullmatch(r"-?\d+", value) for value in values):
                raise InvalidPuzzle(f"{self._where} is not a plain fact; expected numbers")
            yield tuple(map(int, values))

    def _interval(self, first: int, last: int) -> Iterable[str]:
        if last - first >= MAX_SIZE:
            raise InvalidPuzzle(
                f"{self._where} has {last - first + 1:,} numbers in an interval, over {MAX_SIZE}"
            )
        return map(str, range(first, last + 1))


_TEXT = r'(?<!\w)text\(\s*(\d+)\s*,\s*([a-z]\w*)\s*,\s*("" *)\)\s*\.'
"""A text of a rule, of which only the quotes are left."""


def _unescaped(escape: re.Match[str]) -> str:
    return "\n" if escape[1] == "n" else escape[1]


def _blank(part: re.Match[str]) -> str:
    """As many blanks and lines as the part has; of a string, the quotes are left."""
    blanks = "\n".join(" " * len(line) for line in part[0].split("\n"))
    return f'""{blanks[2:]}' if part[0][0] == '"' else blanks


def write_facts(puzzle: Grid | Puzzle) -> str:
    """A fact for each given, a line for each row, under the box shape if it is needed."""
    rows = (row for _, row in groupby(puzzle.givens, lambda given: given.row))
    lines = (" ".join(f"initial({x},{y},{n})." for x, y, n in row) for row in rows)
    return "\n".join([*_rules(puzzle), *lines])


def write_removable(puzzle: Grid | Puzzle) -> str:
    """The same, a line for each given, under the comment that lets asplain remove it.

    A square box has its side as ``dim`` too, for asplain's own example and our ``explain.lp``.
    """
    rows, columns = puzzle.box
    dim = [f"#const dim={rows}."] if rows == columns else []
    facts = [f"% @removable\ninitial({x},{y},{n})." for x, y, n in puzzle.givens]
    return "\n".join(dim + _rules(puzzle) + facts)


def _rules(puzzle: Grid | Puzzle) -> list[str]:
    """Lines with the box shape if it is needed, the regions, what marks exclude, and rules."""
    lines: list[str] = []
    if needs_shape(puzzle):
        names = zip(("box_rows", "box_columns"), puzzle.box, strict=True)
        lines.append(" ".join(f"#const {name}={value}. [override]" for name, value in names))
    for number, region in enumerate(puzzle.layout.regions or (), 1):
        lines.append(" ".join(f"region({number},{x},{y})." for x, y in region))
    for _, excluded in groupby(puzzle.excluded, lambda each: each.cell):
        lines.append(" ".join(f"excluded({x},{y},{n})." for x, y, n in excluded))
    if puzzle.rules:
        from ..rules.base import facts, texts

        lines += chain(facts(puzzle.rules), texts(puzzle.rules))
    return lines


# --- answer sets ---

_RULE = re.compile(r"rule\(\d+,[a-z]\w*\)\Z")
_CELL = re.compile(rf"(?<![-\w])(?:{'|'.join(ATOMS)})\(\s*(\d+)\s*,\s*(\d+)\s*,")


def read_answer(text: str, box: Box | None) -> Grid | Puzzle:
    """The first answer set in the output of clingo, or a text of atoms alone.

    Atoms of other names, and everything else that clingo prints, are ignored.
    """
    code = re.sub(CODE, _blank, without_comments(text))
    # Atoms that people type may contain blanks.
    bare = re.sub(r"(?<=[(,])[ \t]+|[ \t]+(?=[,)])", "", code)
    lines = list(enumerate(bare.splitlines(), 1))
    if answer_line := next((number for number, line in lines if ANSWER.match(line)), None):
        lines = lines[answer_line : answer_line + 1]
    elif status := re.search(r"^(UNSATISFIABLE|UNKNOWN)\b", text, re.MULTILINE):
        raise InvalidPuzzle(f"there is no answer set here: clingo says {status[1]}")
    facts = Facts(" ".join(line for _, line in lines))
    for number, line in lines:
        with in_line(number):
            for word in line.split():
                _take_word(word, facts)
    return facts.puzzle(box)


def _take_word(word: str, facts: Facts) -> None:
    """Add the atom if its name is one of `_PLAIN`."""
    name, bracket, rest = word.partition("(")
    if bracket and facts.knows(name):
        about = _short(word)
        if rest[-1:] != ")":
            raise InvalidPuzzle(f"{about} is not an atom; expected one such as sudoku(1,1,5)")
        facts.add(name, _terms(rest[:-1], about), about)
    elif _RULE.match(word):
        raise InvalidPuzzle("rules are read from facts, which end with full stops")


def split_answers(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Each answer set; without clingo's headings, a repeated cell begins the next."""
    header = start = 0
    block: list[str] = []
    cells: set[tuple[str, str]] = set()
    status = ""
    uncommented = Uncommented()
    for number, line in enumerate(lines, 1):
        if line.strip() and not uncommented(line).strip():
            continue
        if ANSWER.match(line):
            header = number
        elif header:
            # Only the line that follows a heading holds atoms.
            if header == number - 1:
                start = start or number
                yield header, f"Answer: 1\n{line}"
        elif line.startswith(("UNSATISFIABLE", "UNKNOWN")):
            status = f": clingo says {line.strip()}"
        else:
            new = set(_CELL.findall(re.sub(CODE, " ", line)))
            if block and (cells & new or not line.strip()):
                yield start, "\n".join(block)
                block, cells = [], set()
            if new or "box_rows(" in line:
                start = start if block else number
                block.append(line)
                cells |= new
    if block:
        yield start, "\n".join(block)
    elif not start:
        raise InvalidPuzzle(f"there is no answer set here{status or '; expected atoms'}")


def write_answer(grid: Grid) -> str:
    """The atoms that clingo would print: sudoku/3, and the box shape if it is needed."""
    return " ".join(atoms(grid))


def atoms(grid: Grid) -> list[str]:
    """The atoms of a grid as clingo would print them."""
    shape = [f"box_rows({grid.box[0]})", f"box_columns({grid.box[1]})"]
    givens = [f"sudoku({x},{y},{n})" for x, y, n in grid.givens]
    # clingo's own answer sets have no shape; nor do ours if the atoms show it.
    shown = 1 < grid.size and len(givens) == len(grid.digits) and grid.box[0] == grid.box[1]
    return [*(shape if needs_shape(grid) and not shown else ()), *givens]


def needs_shape(puzzle: Grid | Puzzle) -> bool:
    """True if the givens alone would not show the shape of the grid."""
    largest = max(map(max, puzzle.givens), default=0)
    return puzzle.box != (3, 3) or len(puzzle.givens) == largest**2 < len(puzzle.digits)


def read_witness(value: dict[str, Any], box: Box | None) -> Grid | Puzzle:
    """The first answer set of clingo's JSON."""
    answers = witnesses(value)
    if not answers:
        raise InvalidPuzzle(f"there is no answer set here: clingo says {value.get('Result')}")
    facts = Facts()
    for number, atom in enumerate(answers[0], 1):
        try:
            _take_word(re.sub(CODE, '""', atom), facts)
        except InvalidPuzzle as error:
            raise InvalidPuzzle(f"atom {number}: {error}") from None
    return facts.puzzle(box)
