"""Puzzles as atoms: facts for clingo, and answer sets as clingo prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, product
from math import prod
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

Value = int | str
"""The value of an argument: a number, or any other term as text."""

LARGEST = 2**31 - 1
"""clingo's numbers have 32 bits, and larger ones wrap around silently."""

ANSWER = re.compile(r"Answer: \d+\b")
_STATUS = re.compile(rf"^(?:clingo version |{ANSWER.pattern}|(?:UN)?SATISFIABLE\b)", re.MULTILINE)
_NAMED = re.compile(
    rf"\b(?:{'|'.join(ATOMS + RULES)}|box_rows)\s*\(\s*[^\[\s]|#const\b|"
    r"\brule\(\s*\d+\s*,\s*[a-z]\w*\s*\)"
)


def too_large(text: str) -> str | None:
    """The first number in the text that is too large for clingo."""
    numbers = re.findall(r"(?<!\w)\d{10,}", text, re.ASCII)
    return next((each for each in numbers if len(each) > 10 or int(each) > LARGEST), None)


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

    def add(self, name: str, terms: Sequence[Value], where: str) -> None:
        """Add a fact, whose name is one of `NAMES`; `where` says where it is and what it is."""
        if wrong := [each for each in terms if not isinstance(each, int) or each < 1]:
            raise InvalidPuzzle(
                f"{where}: {_short(str(wrong[0]))} stands where a number from 1 up is expected"
            )
        numbers: Any = terms
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
            raise InvalidPuzzle(f"{where}, but r{x}c{y} already holds {self._cells[x, y]}")

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

_GROUP = re.compile(r"\((\w+),(\d+)\)", re.ASCII)
"""The name of one of the groups that a field has: ``(pairs,3)`` is the third."""


class RuleFacts:
    """The facts of rules: their kinds, cells, numbers and alternatives."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._values: dict[str, dict[str, dict[int, dict[int, Any]]]] = {}
        """By rule and field, the number of the group (0 if it has none), and the place in it."""
        self._options: dict[str, dict[int, list[str]]] = {}
        self._read: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def add(self, name: str, terms: Sequence[Value], where: str) -> None:
        """Add a fact with these arguments: numbers, and other terms as text."""
        rule, *rest = terms
        key = str(rule)
        if name == "rule":
            if self._kinds.setdefault(key, str(rest[0])) != str(rest[0]):
                raise InvalidPuzzle(f"{where}, but rule {key} is {self._kinds[key]}")
            return
        if name == "option":
            number = _number(rest[0], where)
            parts = self._options.setdefault(key, {}).setdefault(number, [])
            parts += map(str, rest[1:])
            return
        part, *numbers = rest
        at, *values = [_number(each, where) for each in numbers]
        group = _GROUP.fullmatch(str(part))
        field = self._values.setdefault(key, {}).setdefault(group[1] if group else str(part), {})
        value = values[0] if name == "value" else tuple(values)
        if field.setdefault(int(group[2]) if group else 0, {}).setdefault(at, value) != value:
            raise InvalidPuzzle(f"{where}, but there is another such fact")

    def rules(self) -> list[Rule]:
        """The rules in the order of the facts, without those that are parts of others."""
        for key in [*self._values, *self._options]:
            self._kind(key)
        options = chain.from_iterable(each.values() for each in self._options.values())
        within = set(chain.from_iterable(options))
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

        kind = self._kind(key)
        if key in above or len(above) > DEEPEST:
            raise InvalidPuzzle(f"rule {key} is an alternative of itself, or too deep in others")
        self._read.add(key)
        types = KINDS[kind].types if kind in KINDS else {}
        fields: dict[str, Any] = {"rule": kind}
        if options := self._options.get(key):
            below = (*above, key)
            found = ([self._rule(part, below) for part in options[at]] for at in sorted(options))
            fields["options"] = list(found)
        try:
            for name, groups in self._values.get(key, {}).items():
                fields[name] = _field(types.get(name), name, groups)
            return from_json(fields)
        except InvalidPuzzle as error:
            raise InvalidPuzzle(f"rule {key}: {error}") from None


def _field(field: Any, name: str, groups: dict[int, dict[int, Any]]) -> Any:
    """What facts say about a field, as JSON has it."""
    from ..puzzle.cells import Cells
    from ..rules.base import FIELDS, Groups, NumberGroups, Numbers

    for found in groups.values():
        if sorted(found) != list(range(1, len(found) + 1)):
            raise InvalidPuzzle(f"{name} is not numbered from 1 to {len(found)}")
    lists = [[groups[at][each] for each in sorted(groups[at])] for at in sorted(groups)]
    several = field in (FIELDS[Groups], FIELDS[NumberGroups])
    if sorted(groups) != (list(range(1, len(groups) + 1)) if several else [0]):
        wrong = "a group is missing" if several else "it has no groups"
        raise InvalidPuzzle(f"{name}: {wrong}")
    if several or field is None:
        return lists
    if field in (FIELDS[Cells], FIELDS[Numbers]):
        return lists[0]
    if len(lists[0]) != 1:
        raise InvalidPuzzle(f"{name} has {len(lists[0])} values; expected one")
    return bool(lists[0][0]) if field is FIELDS[bool] else lists[0][0]


def _number(term: Value, where: str) -> int:
    if not isinstance(term, int):
        raise InvalidPuzzle(f"{where}: {_short(term)} stands where a number is expected")
    return term


# --- atoms, whose arguments may stand for several ---

_NUMBERS = re.compile(r"(-?\d+)(?:\.\.(-?\d+))?", re.ASCII)
_MAX_FACTS = MAX_SIZE**3
"""Facts that one atom may stand for: no grid has more candidates."""


def _add(name: str, text: str, where: str, givens: Givens) -> None:
    """Add the facts of an atom with these arguments, which may be intervals, or several in a pool.

    Those of another name or with another number of arguments are ignored.
    """
    for each in _split(text, ";", where):
        terms = ["".join(term.split()) for term in _split(each, ",", where)]
        if (name, len(terms)) in RULE_FACTS:
            add = givens.rules.add
        elif name in NAMES and len(terms) == (1 if name in SHAPE else 3):
            add = givens.add
        else:
            continue
        values = [_values(term, where) for term in terms]
        if prod(map(len, values)) > _MAX_FACTS:
            raise InvalidPuzzle(f"{where} stands for more than {_MAX_FACTS:,} facts")
        for fact in product(*values):
            add(name, fact, where)


def _split(text: str, mark: str, where: str) -> list[str]:
    """What is between the marks that are in no brackets."""
    if "(" not in text and ")" not in text:
        return text.split(mark)
    found, depth = [""], 0
    for piece in re.split(f"([(){mark}])", text):
        depth += (piece == "(") - (piece == ")")
        if depth < 0:
            raise InvalidPuzzle(f"{where} is not an atom; expected one such as sudoku(1,1,5)")
        if piece == mark and not depth:
            found.append("")
        else:
            found[-1] += piece
    return found


def _values(term: str, where: str) -> Sequence[Value]:
    """The numbers that a term stands for; any other term as it is."""
    numbers = _NUMBERS.fullmatch(term)
    if numbers is None:
        return [term]
    if wrong := too_large(term):
        raise InvalidPuzzle(
            f"{where}: {wrong[:20]} is over {LARGEST}, the largest number of clingo"
        )
    first = int(numbers[1])
    many = int(numbers[2] or first) - first + 1
    if many > MAX_SIZE:
        raise InvalidPuzzle(f"{where} has {many:,} numbers in an interval, over {MAX_SIZE}")
    return range(first, first + many)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:80]}..."


# --- facts, with full stops ---

_KNOWN = {*NAMES, *(name for name, _ in RULE_FACTS)}
_STATEMENT = re.compile(r"\s*((?:[^.]++|\.\.)*+)(\.?)(?:\s*\[[a-z\s]*\])?")
"""Any statement, with what may stand behind its full stop: ``#const dim=2. [override]``."""
_ATOM = re.compile(r"(-?)\s*(_*[a-z][\w']*)\s*(?:\((.*)\)\s*)?", re.ASCII | re.DOTALL)
_CONSTANT = re.compile(r"#const\s+(\w+)\s*=", re.ASCII)
_IGNORED = re.compile(r"#(?:show|program|defined)\b")
_FOREIGN = re.compile(r"#include\b|[^\1-\x7f]")


def split_facts(lines: Iterable[str], _box: Box | None) -> Iterator[tuple[int, str]]:
    """All facts together, since they are about one puzzle."""
    yield 1, "\n".join(lines)


def read_facts(text: str, box: Box | None) -> Grid | Puzzle:
    """The puzzle whose givens are facts such as ``initial(X,Y,N)``: row X, column Y holds N.

    ``region(R,X,Y)`` puts the cell in region R, and ``excluded(X,Y,N)`` excludes N from the cell.
    Rules beyond these are facts ``rule``, ``on``, ``value`` and ``option``. Comments, ``#const``,
    ``#show``, intervals, pools, several facts on a line, and atoms without full stops (an answer
    set) are read; facts of other names are ignored. Nothing is computed: a rule with a body is an
    error, and so is ``1+1``. The box shape is `box`, else what constants say, else that of a full
    grid of this many facts, else the smallest square from 3x3 up.
    """
    code = re.sub(CODE, _blank, text)
    if code.strip() and "." not in code:
        return read_answer(text, box)
    if unreadable := _FOREIGN.search(code):
        where = f"line {code.count(chr(10), 0, unreadable.start()) + 1}"
        raise InvalidPuzzle(f"{where}: {unreadable[0]!r} is not read; expected facts")
    givens = Givens()
    line, counted = 1, 0
    for statement in _STATEMENT.finditer(code):
        line += code.count("\n", counted, statement.start(1))
        counted = statement.start(1)
        _take(statement[1].strip(), statement[2], f"line {line}", givens)
    return givens.puzzle(box)


def _blank(part: re.Match[str]) -> str:
    """As many blanks and lines as the part has; of a string, the quotes are left."""
    blanks = "\n".join(" " * len(line) for line in part[0].split("\n"))
    return f'""{blanks[2:]}' if part[0][0] == '"' else blanks


def _take(text: str, stop: str, where: str, givens: Givens) -> None:
    """Add the facts of a statement; InvalidPuzzle if it is not one that is read or ignored."""
    atom = _ATOM.fullmatch(text)
    about = f"{where}: {_short(text)}"
    if atom and stop and atom[2] in _KNOWN and atom[3] and not atom[1]:
        _add(atom[2], atom[3], about, givens)
    elif constant := _CONSTANT.match(text):
        if constant[1] in SHAPE:
            _add(constant[1], text[constant.end() :], about, givens)
    elif stop and re.search(r":-|^not\b|^[^#]*\{", text):
        raise InvalidPuzzle(f"{about}{stop} is a rule; expected facts")
    elif text and not (stop and (atom or _IGNORED.match(text))):
        raise InvalidPuzzle(f"{about}{stop} is not a fact; expected facts such as initial(1,1,5).")


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


# --- answer sets ---

_WORD = re.compile(r'(?:"(?:\\.|[^"\\])*"?|[^\s"])+')
_RULE = re.compile(r"rule\(\d+,[a-z]\w*\)\Z")
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
            _take_word(word, f"line {number}", givens)
    return givens.puzzle(box)


def _take_word(word: str, where: str, givens: Givens) -> None:
    """Add the atom if its name is one of `NAMES`."""
    name, bracket, rest = re.sub(CODE, '""', word).partition("(")
    if bracket and name in NAMES:
        about = f"{where}: {_short(word)}"
        if rest[-1:] != ")":
            raise InvalidPuzzle(f"{about} is not an atom; expected one such as sudoku(1,1,5)")
        _add(name, rest[:-1], about, givens)
    elif _RULE.match(word):
        raise InvalidPuzzle(f"{where}: rules are read from facts, which end with full stops")


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
    shape = [f"box_rows({grid.box[0]})", f"box_columns({grid.box[1]})"]
    givens = [f"sudoku({x},{y},{n})" for x, y, n in grid.givens]
    # clingo's own answer sets have no shape; nor do ours if the atoms show it.
    shown = 1 < grid.size and len(givens) == len(grid.digits) and grid.box[0] == grid.box[1]
    return " ".join([*(shape if needs_shape(grid) and not shown else ()), *givens])


def needs_shape(puzzle: Grid | Puzzle) -> bool:
    """True if the givens alone would not show the shape of the grid."""
    largest = max(map(max, puzzle.givens), default=0)
    return puzzle.box != (3, 3) or len(puzzle.givens) == largest**2 < len(puzzle.digits)


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
        _take_word(atom, f"atom {number}", givens)
    return givens.puzzle(box)
