"""Puzzles as atoms: facts for clingo, and answer sets as clingo prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, product
from math import inf, isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidPuzzle
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import MAX_SIZE, Box, checked_box, square_box, usual_box
from .text import CODE, DEEPEST, Head, Uncommented, without_comments

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
    """How many of its first arguments identify a fact; two with the same ones must be equal."""
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

LARGEST = 2**31 - 1
"""clingo's numbers have 32 bits, and larger ones wrap around silently."""

ANSWER = re.compile(r"Answer: \d+\b")
_STATUS = re.compile(rf"^(?:clingo version |{ANSWER.pattern}|(?:UN)?SATISFIABLE\b)", re.MULTILINE)
_NAMED = re.compile(
    rf"\b(?:{'|'.join(ATOMS)}|region|excluded|box_rows)\s*\(\s*[^\[\s]|#const\b|"
    r"\brule\(\s*\d+\s*,\s*[a-z]\w*\s*\)"
)


def too_large(text: str) -> str | None:
    """The first number in the text that is too large for clingo."""
    numbers = re.findall(r"(?<!\w)\d{10,}", text, re.ASCII)
    return next((each for each in numbers if len(each) > 10 or int(each) > LARGEST), None)


def looks_like(head: Head) -> Iterator[str]:
    """The formats of this module that the text looks like.

    Facts are a given, a region or a box shape without a list of rows; an answer set is what clingo
    prints, such as ``Answer: 1``, or atoms without full stops.
    """
    facts = _NAMED.search(head.code) and not re.search(r"\[\s*\[", head.code)
    if _STATUS.search(head.content) or (facts and "." not in head.code):
        yield "answer"
    if facts:
        yield "facts"


class Facts:
    """What facts say: givens, regions, excluded digits, the box shape and rules."""

    def __init__(self) -> None:
        self._found: dict[str, dict[tuple[Any, ...], tuple[Any, ...]]] = {
            kind.name: {} for kind in _KINDS.values()
        }
        """By the name of a kind, its keys, each with the other arguments."""

    def add(self, name: str, arguments: str, where: str) -> None:
        """Add an atom unless its name or the number of its arguments is one of no fact.

        `where` says where it is and what it is.
        """
        bare = "".join(arguments.split())
        terms = _TERM.findall(bare)
        if ";" in bare or ",".join(terms) != bare:
            raise InvalidPuzzle(f"{where} is not an atom; expected one such as sudoku(1,1,5)")
        if (kind := _KINDS.get((name, len(terms)))) is None:
            return
        for each in product(*map(_spread, terms)):
            values = tuple(
                term if at in kind.terms else _number(term, kind.least, where)
                for at, term in enumerate(each)
            )
            key, others = values[: kind.key], values[kind.key :]
            if (before := self._found[kind.name].setdefault(key, others)) != others:
                said = ",".join(map(str, key + before))
                raise InvalidPuzzle(f"{where}, but {kind.name}({said}) is there, too")

    def puzzle(self, box: Box | None) -> Grid | Puzzle:
        """A Grid, or with regions or excluded digits a Puzzle.

        The box shape is `box`, else as stated in the facts, else one that fits them.
        """
        if not any(self._found.values()):
            raise InvalidPuzzle(f"no givens here; expected facts such as {ATOMS[0]}(1,1,5).")
        givens = [(*cell, *digit) for cell, digit in self._found["initial"].items()]
        excluded = self._found["excluded"]
        regions: dict[int, list[tuple[int, int]]] = {}
        for region, x, y in self._found["region"]:
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
        if not (regions or excluded or self._found["rule"]):
            return grid
        marks = dict.fromkeys(((x, y) for x, y, _ in excluded), frozenset(range(1, size + 1)))
        for x, y, n in excluded:
            marks[x, y] -= {n}
        return Puzzle(grid, list(regions.values()) or None, marks, self._rules())

    def _stated_box(self) -> Box | None:
        shape = {name: self._found[name][()][0] for name in SHAPE if self._found[name]}
        side = shape.get("dim", shape.get("subgrid_size", 3))
        box = shape.get("box_rows", side), shape.get("box_columns", side)
        return checked_box(box) if shape else None

    def _rules(self) -> list[Rule]:
        """The rules in the order of the facts, without those that are parts of others."""
        fields: dict[str, dict[str, dict[int, dict[int, Any]]]] = {}
        for (rule, part, at), value in (*self._found["on"].items(), *self._found["value"].items()):
            group = re.fullmatch(_GROUP, part, re.ASCII)
            name, number = group.groups() if group else (part, 0)
            places = fields.setdefault(rule, {}).setdefault(name, {}).setdefault(int(number), {})
            places[at] = value if len(value) == 2 else value[0]
        options: dict[str, dict[int, list[str]]] = {}
        for rule, number, *part in self._found["option"]:
            options.setdefault(rule, {}).setdefault(number, []).extend(part)
        kinds = {rule: kind for (rule,), (kind,) in self._found["rule"].items()}
        parts = set(chain.from_iterable(chain.from_iterable(map(dict.values, options.values()))))
        if unknown := {*fields, *options, *parts} - kinds.keys():
            rule = min(unknown)
            raise InvalidPuzzle(f"rule {rule} has no kind; expected a fact rule({rule},...)")
        built: dict[str, Rule | None] = {}

        def rule_of(key: str, depth: int = 0) -> Rule:
            from ..rules import KINDS, from_json

            if key not in built and depth < DEEPEST:
                built[key] = None  # until its alternatives are there
                found: dict[str, Any] = {"rule": kinds[key]}
                if key in options:
                    each = (parts for _, parts in sorted(options[key].items()))
                    found["options"] = [[rule_of(part, depth + 1) for part in ps] for ps in each]
                types = KINDS[kinds[key]].types if kinds[key] in KINDS else {}
                try:
                    for name, groups in fields.get(key, {}).items():
                        found[name] = _field(types.get(name), name, groups)
                    built[key] = from_json(found)
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
    """What facts say about a field, as JSON has it."""
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


def _spread(term: str) -> Iterable[str]:
    """Each number of an interval such as ``1..9``, or the term."""
    ends = re.fullmatch(r"(\d{1,2})\.\.(\d{1,2})", term, re.ASCII)
    return map(str, range(int(ends[1]), int(ends[2]) + 1)) if ends else (term,)


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

_KNOWN = {name for name, _ in _KINDS}
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
    ``#show``, several facts on a line, and atoms without full stops (an answer set) are read; facts
    of other names are ignored. Intervals such as ``1..9`` are read. Nothing is computed: a rule
    with a body is an error, and so are ``1+1`` and ``1;2``. The box shape is `box`, else what
    constants say, else that of a full grid of this many facts, else the smallest square from 3x3
    up.
    """
    code = re.sub(CODE, _blank, text)
    if code.strip() and "." not in code:
        return read_answer(text, box)
    if unreadable := _FOREIGN.search(code):
        where = f"line {code.count(chr(10), 0, unreadable.start()) + 1}"
        raise InvalidPuzzle(f"{where}: {unreadable[0]!r} is not read; expected facts")
    facts = Facts()
    line, counted = 1, 0
    for statement in _STATEMENT.finditer(code):
        line += code.count("\n", counted, statement.start(1))
        counted = statement.start(1)
        _take(statement[1].strip(), statement[2], f"line {line}", facts)
    return facts.puzzle(box)


def _blank(part: re.Match[str]) -> str:
    """As many blanks and lines as the part has; of a string, the quotes are left."""
    blanks = "\n".join(" " * len(line) for line in part[0].split("\n"))
    return f'""{blanks[2:]}' if part[0][0] == '"' else blanks


def _take(text: str, stop: str, where: str, facts: Facts) -> None:
    """Add the facts of a statement; InvalidPuzzle if it is not one that is read or ignored."""
    atom = _ATOM.fullmatch(text)
    about = f"{where}: {_short(text)}"
    if atom and stop and atom[2] in _KNOWN and atom[3] and not atom[1]:
        facts.add(atom[2], atom[3], about)
    elif constant := _CONSTANT.match(text):
        if constant[1] in SHAPE:
            facts.add(constant[1], text[constant.end() :], about)
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
    if found := next((number for number, line in lines if ANSWER.match(line)), None):
        lines = lines[found : found + 1]
    elif status := re.search(r"^(UNSATISFIABLE|UNKNOWN)\b", text, re.MULTILINE):
        raise InvalidPuzzle(f"there is no answer set here: clingo says {status[1]}")
    facts = Facts()
    for number, line in lines:
        for word in line.split():
            _take_word(word, f"line {number}", facts)
    return facts.puzzle(box)


def _take_word(word: str, where: str, facts: Facts) -> None:
    """Add the atom if its name is one of `_PLAIN`."""
    name, bracket, rest = word.partition("(")
    if bracket and name in _PLAIN:
        about = f"{where}: {_short(word)}"
        if rest[-1:] != ")":
            raise InvalidPuzzle(f"{about} is not an atom; expected one such as sudoku(1,1,5)")
        facts.add(name, rest[:-1], about)
    elif _RULE.match(word):
        raise InvalidPuzzle(f"{where}: rules are read from facts, which end with full stops")


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
    facts = Facts()
    for number, atom in enumerate(found[0], 1):
        _take_word(re.sub(CODE, '""', atom), f"atom {number}", facts)
    return facts.puzzle(box)
