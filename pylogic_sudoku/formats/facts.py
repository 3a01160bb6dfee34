"""Puzzles as atoms: facts for clingo, and answer sets as clingo prints them.

Plain facts are read in bulk, all others with clingo's own parser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby, product
from math import prod
from operator import add, mul, sub
from typing import TYPE_CHECKING, Any

from ..errors import InvalidPuzzle
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import MAX_SIZE, Box, Cell, checked_box, square_box, usual_box
from .text import CODE, DEEPEST, Content, Head, strip_comments, without_comments

if TYPE_CHECKING:
    from ..rules import Rule


ATOMS = ("initial", "sudoku", "numberAt", "given", "clue", "cell")
"""Names of the facts that are read as givens."""

RULES = ("region", "excluded")
"""``region(R,X,Y)``: the cell is in region R; ``excluded(X,Y,N)``: it does not hold N."""

SHAPE = ("box_rows", "box_columns", "dim", "subgrid_size")
"""Names for the box shape; the last two are the side of a square box."""

NAMES = ATOMS + RULES + SHAPE

LARGEST = 2**31 - 1
"""clingo's numbers have 32 bits, and larger ones wrap around silently."""

ANSWER = re.compile(r"Answer: \d+\b")
_STATUS = re.compile(rf"^(?:clingo version |{ANSWER.pattern}|(?:UN)?SATISFIABLE\b)", re.MULTILINE)
_NAMED = re.compile(
    rf"\b(?:{'|'.join(ATOMS + RULES)}|box_rows)\s*\(\s*[^\[\s]|#const\b|"
    r"\brule\(\s*\d+\s*,\s*[a-z]\w*\s*\)"
)
_NUMBER = re.compile(r"(?<!\w)(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|\d{10,})")


def too_large(text: str) -> re.Match[str] | None:
    """The first number in the text that is too large for clingo."""
    for match in _NUMBER.finditer(text):
        word = match.group()
        base = {"0x": 16, "0o": 8, "0b": 2}.get(word[:2], 10)
        digits = (word if base == 10 else word[2:]).lstrip("0")
        if len(digits) > 32 or (digits and int(digits, base) > LARGEST):
            return match
    return None


def is_answer(head: Head) -> bool:
    """True for the output of clingo, such as ``Answer: 1``, and for atoms without full stops."""
    return _STATUS.search(head.content) is not None or (are_facts(head) and "." not in head.code)


def are_facts(head: Head) -> bool:
    """True if a given, a region or a box shape is there, and no list of rows."""
    return _NAMED.search(head.code) is not None and not re.search(r"\[\s*\[", head.code)


class Givens:
    """The contents of facts: givens, regions, excluded digits, and the box shape."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], int] = {}
        self._regions: dict[int, list[tuple[int, int]]] = {}
        self._excluded: dict[tuple[int, int], set[int]] = {}
        self._shape: dict[str, int] = {}
        self.rules = RuleFacts()

    def add(self, name: str, terms: Sequence[int | str], where: Callable[[], str]) -> None:
        """Add a fact, whose name is one of `NAMES`; `where` says where it is and what it is."""
        numbers = []
        for number in terms:
            if not isinstance(number, int) or number < 1:
                raise InvalidPuzzle(
                    f"{where()}: {number} stands where a number from 1 up is expected"
                )
            if number > LARGEST:
                raise InvalidPuzzle(
                    f"{where()}: {number} is over {LARGEST}, the largest number of clingo"
                )
            numbers.append(number)
        if name in SHAPE:
            self._shape[name] = numbers[0]
            return
        x, y, n = numbers
        if name == "region":
            self._regions.setdefault(x, []).append((y, n))
            return
        if name == "excluded":
            self._excluded.setdefault((x, y), set()).add(n)
            return
        if self._cells.setdefault((x, y), n) != n:
            raise InvalidPuzzle(f"{where()}, but r{x}c{y} already holds {self._cells[x, y]}")

    def puzzle(self, box: Box | None) -> Grid | Puzzle:
        """A Grid, or with regions or excluded digits a Puzzle.

        The box shape is `box`, else as stated in the facts, else one that fits them.
        """
        cells, regions, excluded = self._cells, self._regions.values(), self._excluded
        if not (cells or regions or excluded or self._shape or self.rules):
            raise InvalidPuzzle(f"no givens here; expected facts such as {ATOMS[0]}(1,1,5).")
        if len(regions) > MAX_SIZE:
            raise InvalidPuzzle(f"there are {len(regions)} regions, expected 1 to {MAX_SIZE}")
        if regions:
            box = usual_box(len(regions))
        box = box or self._stated_box() or self._fitting_box()
        size = box[0] * box[1]
        for x, y, n in self._triples():
            if max(x, y, n) > size:
                holds = "holds" if cells.get((x, y)) == n else "does not hold"
                raise InvalidPuzzle(f"r{x}c{y} {holds} {n}: over {size}, the size of the grid")
        grid = Grid.of([(x, y, n) for (x, y), n in cells.items()], box)
        if not regions and not excluded and not self.rules:
            return grid
        every = set(range(1, size + 1))
        marks = [(Cell(*cell), every - digits) for cell, digits in excluded.items()]
        return Puzzle(grid, list(regions) or None, marks, self.rules.rules())

    def _triples(self) -> list[tuple[int, int, int]]:
        """Row, column and digit of every given and every excluded digit."""
        excluded = [(x, y, n) for (x, y), digits in self._excluded.items() for n in digits]
        return [(x, y, n) for (x, y), n in self._cells.items()] + excluded

    def _stated_box(self) -> Box | None:
        shape = self._shape
        if not shape:
            return None
        side = shape.get("dim", shape.get("subgrid_size", 3))
        return checked_box((shape.get("box_rows", side), shape.get("box_columns", side)))

    def _fitting_box(self) -> Box:
        """The square of a full grid of this many facts, else the smallest from 3x3 up."""
        largest = max(map(max, self._triples()), default=1)
        if len(self._cells) == largest * largest > 1:
            return square_box(largest)
        sides = (side for side in range(3, MAX_SIZE) if side * side >= largest)
        side = next(sides, MAX_SIZE)
        if side * side > MAX_SIZE:
            raise InvalidPuzzle(f"{largest} is over {MAX_SIZE}, the largest size of a grid")
        return side, side


# --- rules as facts, those of ``encodings/rules.lp`` ---

RULE_FACTS = {("rule", 2), ("on", 5), ("value", 4), ("option", 2), ("option", 3)}
"""Names and numbers of arguments."""


class RuleFacts:
    """The facts of rules: their kinds, cells, numbers and alternatives."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._values: dict[str, dict[str, dict[int, Any]]] = {}
        self._options: dict[str, dict[int, list[str]]] = {}
        self._read: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def add(self, name: str, terms: Sequence[int | str], where: Callable[[], str]) -> None:
        """Add a fact with these arguments: numbers, and other terms as text."""
        rule, *rest = terms
        key = str(rule)
        if name == "rule":
            if self._kinds.setdefault(key, str(rest[0])) != str(rest[0]):
                raise InvalidPuzzle(f"{where()}, but rule {key} is {self._kinds[key]}")
            return
        if name == "option":
            number = _number(rest[0], where)
            parts = self._options.setdefault(key, {}).setdefault(number, [])
            parts += map(str, rest[1:])
            return
        part, *numbers = rest
        values = [_number(each, where) for each in numbers]
        place = self._values.setdefault(key, {}).setdefault(str(part), {})
        value = values[1] if name == "value" else (values[1], values[2])
        if place.setdefault(values[0], value) != value:
            raise InvalidPuzzle(f"{where()}, but there is another such fact")

    def rules(self) -> list[Rule]:
        """The rules in the order of the facts, without those that are parts of others."""
        for key in [*self._values, *self._options]:
            self._kind(key)
        within = {
            part
            for options in self._options.values()
            for parts in options.values()
            for part in parts
        }
        found = [self._rule(key, ()) for key in self._kinds if key not in within]
        if left := self._kinds.keys() - self._read:
            raise InvalidPuzzle(f"rule {min(left)} is an alternative of itself")
        return found

    def _kind(self, key: str) -> str:
        if key not in self._kinds:
            raise InvalidPuzzle(f"rule {key} has no kind; expected a fact rule({key},...)")
        return self._kinds[key]

    def _rule(self, key: str, above: tuple[str, ...]) -> Rule:
        from ..rules import KINDS, from_json
        from ..rules.base import no_rule

        kind = self._kind(key)
        if key in above or len(above) > DEEPEST:
            raise InvalidPuzzle(f"rule {key} is an alternative of itself, or too deep in others")
        self._read.add(key)
        known = KINDS.get(kind)
        if known is None:
            raise InvalidPuzzle(f"rule {key}: {no_rule(kind)}")
        fields: dict[str, Any] = {}
        values = dict(self._values.get(key, {}))
        for name in known.types:
            found = self._field(name, known.types[name], values, key, above)
            if found is not None:
                fields[name] = found
        if values:
            raise InvalidPuzzle(f"rule {key}: {kind} has no {next(iter(values))}")
        if key in self._options and "options" not in known.types:
            raise InvalidPuzzle(f"rule {key}: {kind} has no options")
        return from_json({"rule": kind, **fields})

    def _field(
        self, name: str, field: Any, values: dict[str, Any], key: str, above: tuple[str, ...]
    ) -> Any:
        """The value of a field, taken from the values; None if there are no facts of it."""
        from ..puzzle.cells import Cells
        from ..rules.base import FIELDS, Groups, NumberGroups, Numbers, Options

        if field is FIELDS[Options]:
            options = self._options.get(key, {})
            return [
                [self._rule(part, (*above, key)) for part in options[at]] for at in sorted(options)
            ]
        if field in (FIELDS[Groups], FIELDS[NumberGroups]):
            groups = sorted(
                (int(part[len(name) + 2 : -1]), part)
                for part in values
                if part.startswith(f"({name},") and part[len(name) + 2 : -1].isdecimal()
            )
            if groups and [at for at, _ in groups] != list(range(1, len(groups) + 1)):
                raise InvalidPuzzle(f"rule {key}: a group of {name} is missing")
            return [_in_order(values.pop(part), part, key) for _, part in groups] or None
        if name not in values:
            return None
        found = _in_order(values.pop(name), name, key)
        if field in (FIELDS[Cells], FIELDS[Numbers]):
            return found
        if len(found) != 1:
            raise InvalidPuzzle(f"rule {key}: {name} has {len(found)} values; expected one")
        return bool(found[0]) if field is FIELDS[bool] else found[0]


def _in_order(found: dict[int, Any], name: str, key: str) -> list[Any]:
    if sorted(found) != list(range(1, len(found) + 1)):
        raise InvalidPuzzle(f"rule {key}: {name} is not numbered from 1 to {len(found)}")
    return [found[at] for at in sorted(found)]


def _number(term: int | str, where: Callable[[], str]) -> int:
    if not isinstance(term, int):
        raise InvalidPuzzle(f"{where()}: {term} stands where a number is expected")
    return term


# --- facts, with full stops ---

_TERM = r"\s*(?:\d{1,9}|_*[a-z]\w*)\s*"
_FACT = re.compile(rf"\s*(_*[a-z]\w*)(?:\(({_TERM}(?:[,;]{_TERM})*)\))?\s*\.(?!\.)", re.ASCII)
"""A fact whose arguments are numbers and names; a pool of such arguments stands for several."""
_KNOWN = {*NAMES, *(name for name, _ in RULE_FACTS)}
_STATEMENT = re.compile(r"\s*((?:[^.]++|\.\.)*+)\.?(?:\s*\[[a-z\s]*\])?")
"""Any statement, with what may stand behind its full stop: ``#const dim=2. [override]``."""
_OPERATION = re.compile(r"[-+*/\\^?&~|(]|\.\.")
_MAX_OPERATIONS = 10_000
"""In one statement: clingo's parser overflows its stack on terms nested 100,000 deep."""
_FOREIGN = re.compile(r"#include\b|[^\1-\x7f]")
_MAX_FACTS = MAX_SIZE**3
"""Facts that one statement may stand for: no grid has more candidates."""


def split_facts(lines: Iterable[str], _box: Box | None) -> Iterator[tuple[int, str]]:
    """All facts together, since they are about one puzzle."""
    yield 1, "\n".join(lines)


def read_facts(text: str, box: Box | None) -> Grid | Puzzle:
    """The puzzle whose givens are facts such as ``initial(X,Y,N)``: row X, column Y holds N.

    ``region(R,X,Y)`` puts the cell in region R, and ``excluded(X,Y,N)`` excludes N from the cell.
    Rules beyond these are facts ``rule``, ``on``, ``value`` and ``option``.
    Comments, ``#const``, ``#show``, intervals, pools, several facts on a line, and atoms without
    full stops (an answer set) are read; facts of other names are ignored. Nothing is grounded: a
    rule with a body is an error. The box shape is `box`, else what constants say, else that of a
    full grid of this many facts, else the smallest square from 3x3 up.
    """
    code = re.sub(CODE, lambda part: part[0] if part[0][0] == '"' else _blank(part), text)
    bare = re.sub(CODE, _blank, code)
    if bare.strip() and "." not in bare:
        return read_answer(text, box)
    if unreadable := _FOREIGN.search(bare):
        raise InvalidPuzzle(f"{_line(unreadable)}: {unreadable[0]!r} is not read; expected facts")
    givens = Givens()
    rest = _take_plain(bare, code, givens)
    if rest.strip():
        if number := too_large(bare):
            raise InvalidPuzzle(
                f"{_line(number)}: {number[0][:20]} is over {LARGEST}, the largest number of clingo"
            )
        for statement in _parse_with_clingo(rest):
            _take(statement, givens)
    return givens.puzzle(box)


def _blank(part: re.Match[str]) -> str:
    """As many blanks and lines as the part has."""
    return "\n".join(" " * len(line) for line in part[0].split("\n"))


def _line(found: re.Match[str], group: int | str = 0) -> str:
    return f"line {found.string.count(chr(10), 0, found.start(group)) + 1}"


def _take_plain(bare: str, code: str, givens: Givens) -> str:
    """Add the plain facts, and return the rest of the code in its place.

    clingo's parser makes a tree of each statement, for Python: that takes 100 times as long.
    `bare` is the code without its strings.
    """
    rest: list[str] = []
    read: set[str] = set()
    at = done = 0
    while at < len(bare):
        fact = _FACT.match(bare, at)
        if fact and (fact[0] in read or _is_taken(fact, givens)):
            read.add(fact[0])
            at = fact.end()
            continue
        statement = _STATEMENT.match(bare, at)
        assert statement
        _refuse_deep(statement)
        rest += _blanks(bare, done, at), code[at : statement.end()]
        at = done = statement.end()
    return "".join(rest)


def _blanks(text: str, begin: int, end: int) -> str:
    """Lines and blanks that take the place of a part of the text."""
    last = text.rfind("\n", begin, end)
    return "\n" * text.count("\n", begin, end) + " " * (end - max(begin, last + 1))


def _is_taken(fact: re.Match[str], givens: Givens) -> bool:
    """Add the fact, or ignore one of another name; False if clingo has to read it."""
    name = fact[1]
    if name not in _KNOWN:
        return name != "not"
    for arguments in dict.fromkeys((fact[2] or "").split(";")):
        words = [word.strip() for word in arguments.split(",")]
        numbers = [word for word in words if word.isdecimal()]
        if name in NAMES and len(numbers) < len(words):
            return False
        terms = [int(word) if word in numbers else word for word in words]
        _add(name, terms, lambda: f"{_line(fact, 1)}: {_short(fact[0].strip()[:-1])}", givens)
    return True


def _add(name: str, terms: Sequence[int | str], where: Callable[[], str], givens: Givens) -> None:
    """Add a fact; one of another name is ignored."""
    if (name, len(terms)) in RULE_FACTS:
        givens.rules.add(name, terms, where)
    elif name in NAMES and len(terms) == (1 if name in SHAPE else 3):
        givens.add(name, terms, where)


def _refuse_deep(statement: re.Match[str]) -> None:
    text = statement[1]
    if len(text) > _MAX_OPERATIONS < len(_OPERATION.findall(text)):
        raise InvalidPuzzle(
            f"{_line(statement, 1)}: more than {_MAX_OPERATIONS:,} operations and brackets before"
            " a full stop; expected facts"
        )


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
        from ..rules.base import facts

        lines += facts(puzzle.rules)
    return lines


def _parse_with_clingo(text: str) -> list[Any]:
    """The statements of the text as clingo's parser has them."""
    import clingo.ast

    # In an error message clingo may cut a character in two, which ends the process.
    text = text.encode("ascii", "replace").decode("ascii").replace("\0", "?")
    messages: list[str] = []
    statements: list[Any] = []
    try:
        clingo.ast.parse_string(
            text, statements.append, logger=lambda _code, message: messages.append(message)
        )
    except RuntimeError:
        raise InvalidPuzzle(_plain("".join(messages))) from None
    return statements


def _plain(message: str) -> str:
    """clingo's message without its name for the text: ``line 2, column 5: ...``."""
    first = next(iter(message.splitlines()), "clingo cannot read this")
    return re.sub(r"^<string>:(\d+):(\d+)[-\d:]*: error: ", r"line \1, column \2: ", first)


def _take(statement: Any, givens: Givens) -> None:
    """Add the contents of a statement; InvalidPuzzle if it is not a fact."""
    from clingo.ast import ASTType

    where = f"line {statement.location.begin.line}"
    kind = statement.ast_type
    if kind == ASTType.Definition:
        if statement.name in SHAPE:
            values = _Values(where, statement.value).of(statement.value)
            givens.add(statement.name, values, lambda: where)
    elif kind == ASTType.Rule:
        head = statement.head
        if statement.body or head.ast_type != ASTType.Literal or head.sign:
            raise InvalidPuzzle(f"{where}: {_short(statement)} is a rule; expected facts")
        if head.atom.ast_type == ASTType.SymbolicAtom:
            _take_atom(head.atom.symbol, where, givens)
    elif kind not in (ASTType.Program, ASTType.ShowSignature, ASTType.Defined, ASTType.Comment):
        raise InvalidPuzzle(
            f"{where}: {_short(statement)} is not a fact; expected facts such as initial(1,1,5)."
        )


def _take_atom(atom: Any, where: str, givens: Givens) -> None:
    """Add the facts that an atom stands for: several if it has intervals or pools."""
    from clingo.ast import ASTType

    if atom.ast_type == ASTType.Pool:
        for each in atom.arguments:
            _take_atom(each, where, givens)
    elif atom.ast_type == ASTType.Function and (
        atom.name in NAMES or (atom.name, len(atom.arguments)) in RULE_FACTS
    ):
        for terms in _Values(where, atom).of_each(atom.arguments):
            _add(atom.name, terms, lambda: f"{where}: {_short(atom)}", givens)


class _Values:
    """The values of terms, computed here because clingo's numbers would wrap around."""

    def __init__(self, where: str, within: Any) -> None:
        self._where = where
        self._within = within

    def of_each(self, terms: Iterable[Any], depth: int = 0) -> list[tuple[int | str, ...]]:
        """Every choice of one value for each term."""
        values = [self.of(term, depth) for term in terms]
        if prod(map(len, values)) > _MAX_FACTS:
            raise self._wrong(f"stands for more than {_MAX_FACTS:,} facts")
        return list(product(*values))

    def of(self, term: Any, depth: int = 0) -> list[int | str]:
        """The values of a term, each once: numbers, and other symbols as text."""
        from clingo import SymbolType
        from clingo.ast import ASTType, BinaryOperator, UnaryOperator

        if depth > DEEPEST:
            raise InvalidPuzzle(
                f"{self._where}: more than {DEEPEST} operations make a number; expected 1 to 36"
            )
        kind = term.ast_type
        if kind == ASTType.SymbolicTerm:
            symbol = term.symbol
            return [symbol.number if symbol.type == SymbolType.Number else str(symbol)]
        found: Iterable[int | str]
        if kind == ASTType.Pool:
            found = chain.from_iterable(self.of(each, depth + 1) for each in term.arguments)
        elif kind == ASTType.Function and not term.external:
            parts = self.of_each(term.arguments, depth + 1)
            found = (f"{term.name}({','.join(map(str, values))})" for values in parts)
        elif kind == ASTType.Interval:
            bounds = self._numbers([term.left, term.right], depth)
            found = chain.from_iterable(self._interval(*pair) for pair in bounds)
        elif kind == ASTType.UnaryOperation and term.operator_type == UnaryOperator.Minus:
            found = (-number for (number,) in self._numbers([term.argument], depth))
        elif kind == ASTType.BinaryOperation and (
            work := {
                BinaryOperator.Plus: add,
                BinaryOperator.Minus: sub,
                BinaryOperator.Multiplication: mul,
            }.get(term.operator_type)
        ):
            found = (work(*pair) for pair in self._numbers([term.left, term.right], depth))
        else:
            raise self._wrong("is not a plain fact; expected numbers")
        return list(dict.fromkeys(found))

    def _numbers(self, terms: Iterable[Any], depth: int) -> Iterator[tuple[int, ...]]:
        for values in self.of_each(terms, depth + 1):
            if not all(isinstance(value, int) for value in values):
                raise self._wrong("is not a plain fact; expected numbers")
            yield values  # type: ignore[misc]

    def _interval(self, first: int, last: int) -> range:
        if last - first >= MAX_SIZE:
            raise self._wrong(f"has {last - first + 1:,} numbers in an interval, over {MAX_SIZE}")
        return range(first, last + 1)

    def _wrong(self, what: str) -> InvalidPuzzle:
        return InvalidPuzzle(f"{self._where}: {_short(self._within)} {what}")


def _short(part: Any) -> str:
    text = str(part).strip()
    return text if len(text) <= 80 else f"{text[:80]}..."


# --- answer sets ---

_WORD = re.compile(r'(?:"(?:\\.|[^"\\])*"?|[^\s"])+')
_ATOM = re.compile(rf"({'|'.join(NAMES)})\((.*)\)", re.DOTALL)
_BEGIN = re.compile(rf"({'|'.join(NAMES)})\(")
_RULE = re.compile(r"rule\(\d+,[a-z]\w*\)\Z")
_PLAIN = re.compile(r"(\w+)\((\d{1,4}),(\d{1,4}),(\d{1,4})\)", re.ASCII)
_CELL = re.compile(rf"(?<![-\w])(?:{'|'.join(ATOMS)})\(\s*(\d+)\s*,\s*(\d+)\s*,")


def read_answer(text: str, box: Box | None) -> Grid | Puzzle:
    """The first answer set in the output of clingo, or a text of atoms alone.

    Atoms of other names, and everything else that clingo prints, are ignored.
    """
    lines = without_comments(text).splitlines()
    first = next((at for at, line in enumerate(lines) if ANSWER.match(line)), None)
    if first is None:
        if (status := re.search(r"^(UNSATISFIABLE|UNKNOWN)\b", text, re.MULTILINE)) is not None:
            raise InvalidPuzzle(f"there is no answer set here: clingo says {status[1]}")
        bare = strip_comments(text, CODE)
        # Atoms that people type may contain blanks.
        bare = re.sub(r"(?<=[(,])[ \t]+|[ \t]+(?=[,)])", "", bare)
        lines, first = ["", *bare.splitlines()], 0
        numbered = enumerate(lines[1:], 1)
    else:
        numbered = enumerate(lines[first + 1 : first + 2], first + 2)
    givens = Givens()
    for number, line in numbered:
        for word in _WORD.findall(line):
            _take_word(word, f"line {number}: ", givens)
    return givens.puzzle(box)


def _take_word(word: str, where: str, givens: Givens) -> None:
    """Add the atom if its name is one of `NAMES`."""
    if (plain := _PLAIN.fullmatch(word)) is not None and plain[1] in ATOMS + RULES:
        numbers = int(plain[2]), int(plain[3]), int(plain[4])
        givens.add(plain[1], numbers, lambda: where + word)
        return
    named = _BEGIN.match(word)
    if named is None:
        if _RULE.match(word):
            raise InvalidPuzzle(f"{where}rules are read from facts, which end with full stops")
        return
    atom = _ATOM.fullmatch(word)
    if atom is None:
        raise InvalidPuzzle(
            f"{where}{word[:80]!r} is not an atom; expected one such as sudoku(1,1,5)"
        )
    terms = _terms(atom[2])
    if len(terms) != (1 if atom[1] in SHAPE else 3):
        return
    for term in terms:
        if not re.fullmatch(r"\d+", term, re.ASCII):
            raise InvalidPuzzle(
                f"{where}{word[:80]}: {term[:80]} stands where a number from 1 up is expected"
            )
    if (number := too_large(atom[2])) is not None:
        raise InvalidPuzzle(
            f"{where}{number.group()[:20]} is over {LARGEST}, the largest number of clingo"
        )
    givens.add(atom[1], list(map(int, terms)), lambda: f"{where}{word[:80]}")


def _terms(text: str) -> list[str]:
    """The arguments of an atom; commas within brackets and strings do not separate them."""
    terms, depth = [""], 0
    for part in re.findall(r'"(?:\\.|[^"\\])*"?|[(),]|[^(),"]+', text):
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "," and depth == 0:
            terms.append("")
        else:
            terms[-1] += part
    return terms


def split_answers(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Each answer set; without clingo's headings, a repeated cell begins the next."""
    header = start = 0
    block: list[str] = []
    cells: set[tuple[str, str]] = set()
    status = ""
    is_content = Content()
    for number, line in enumerate(lines, 1):
        if not is_content(line) and line.strip():
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
    return " ".join(_atoms(grid))


def needs_shape(puzzle: Grid | Puzzle) -> bool:
    """True if the givens alone would not show the shape of the grid."""
    largest = max(map(max, puzzle.givens), default=0)
    return puzzle.box != (3, 3) or len(puzzle.givens) == largest**2 < len(puzzle.digits)


def _atoms(grid: Grid) -> list[str]:
    shape = [f"box_rows({grid.box[0]})", f"box_columns({grid.box[1]})"]
    givens = [f"sudoku({x},{y},{n})" for x, y, n in grid.givens]
    # clingo's own answer sets have no shape; nor do ours if the atoms show it.
    shown = 1 < grid.size and len(givens) == len(grid.digits) and grid.box[0] == grid.box[1]
    return [*(shape if needs_shape(grid) and not shown else ()), *givens]


def witnesses(value: dict[str, Any]) -> list[list[str]]:
    """The answer sets that clingo's JSON holds: those of its last call."""
    try:
        found = [witness["Value"] for witness in value["Call"][-1].get("Witnesses", ())]
        if all(isinstance(atom, str) for atoms in found for atom in atoms):
            return [list(atoms) for atoms in found]
    except (TypeError, LookupError, AttributeError):
        pass
    raise InvalidPuzzle(
        'this is not what clingo --outf=2 prints: expected "Call", whose last element has'
        ' "Witnesses", each with a list of atoms as "Value"'
    )


def read_witness(value: dict[str, Any], box: Box | None) -> Grid | Puzzle:
    """The first answer set of clingo's JSON."""
    found = witnesses(value)
    if not found:
        raise InvalidPuzzle(f"there is no answer set here: clingo says {value.get('Result')}")
    givens = Givens()
    for number, atom in enumerate(found[0], 1):
        _take_word(atom, f"atom {number}: ", givens)
    return givens.puzzle(box)


def write_clingo(grid: Grid) -> str:
    """The one answer set as ``clingo --outf=2`` prints it."""
    value = {
        "Call": [{"Witnesses": [{"Value": _atoms(grid)}]}],
        "Result": "SATISFIABLE",
        "Models": {"Number": 1, "More": "unknown"},
    }
    return json.dumps(value, indent=1)
