"""Atoms: givens as facts name them, and answer sets as clingo prints them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from .._layout import checked_box, square_box, usual_box
from ..errors import InvalidPuzzle
from ..grid import MAX_SIZE, Box, Cell, Grid
from ..puzzle import Puzzle
from ._rule_facts import RuleFacts
from ._text import CODE, Content, Head, without_comments

__all__ = ["ATOMS", "LARGEST", "SHAPE", "Givens", "are_atoms", "are_facts", "is_printed"]
__all__ += [
    "NAMES",
    "RULES",
    "needs_shape",
    "read_answer",
    "read_witness",
    "split_answers",
    "too_large",
    "witnesses",
]
__all__ += ["write_answer", "write_clingo"]

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


def is_printed(head: Head) -> bool:
    """True for the output of clingo, such as ``Answer: 1``."""
    return _STATUS.search(head.content) is not None


def are_facts(head: Head) -> bool:
    """True if there are atoms, with full stops."""
    return are_atoms(head) and "." in head.code


def are_atoms(head: Head) -> bool:
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
        bare = re.sub(CODE, lambda part: _shortened(part.group()), text)
        # Atoms that people type may contain blanks.
        bare = re.sub(r"(?<=[(,])[ \t]+|[ \t]+(?=[,)])", "", bare)
        lines, first = ["", *bare.splitlines()], 0
        numbered = enumerate(lines[1:], 1)
    else:
        numbered = enumerate(lines[first + 1 : first + 2], first + 2)
    givens = Givens()
    for number, line in numbered:
        for word in _WORD.findall(line):
            _take(word, f"line {number}: ", givens)
    return givens.puzzle(box)


def _shortened(part: str) -> str:
    """A string unchanged; a comment reduced to its line ends."""
    return part if part.startswith('"') else "\n" * part.count("\n")


def _take(word: str, where: str, givens: Givens) -> None:
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
    raise InvalidPuzzle('this is not what clingo --outf=2 prints: expected "Call", "Witnesses"')


def read_witness(value: dict[str, Any], box: Box | None) -> Grid | Puzzle:
    """The first answer set of clingo's JSON."""
    found = witnesses(value)
    if not found:
        raise InvalidPuzzle(f"there is no answer set here: clingo says {value.get('Result')}")
    givens = Givens()
    for number, atom in enumerate(found[0], 1):
        _take(atom, f"atom {number}: ", givens)
    return givens.puzzle(box)


def write_clingo(grid: Grid) -> str:
    """The one answer set as ``clingo --outf=2`` prints it."""
    value = {
        "Call": [{"Witnesses": [{"Value": _atoms(grid)}]}],
        "Result": "SATISFIABLE",
        "Models": {"Number": 1, "More": "unknown"},
    }
    return json.dumps(value, indent=1)
