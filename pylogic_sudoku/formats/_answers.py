"""Answer sets as clingo prints them, and as its JSON (``--outf=2``) holds them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import InvalidPuzzle
from ..grid import Box, Grid
from ._givens import ATOMS, CODE, LARGEST, SHAPE, Givens, too_large

__all__ = ["ANSWER", "read_answer", "read_witness", "split_answers"]
__all__ += ["witnesses", "write_answer", "write_clingo"]

ANSWER = re.compile(r"Answer: \d+\b")
_WORD = re.compile(r'(?:"(?:\\.|[^"\\])*"?|[^\s"])+')
_ATOM = re.compile(rf"({'|'.join(ATOMS + SHAPE)})\((.*)\)", re.DOTALL)
_PLAIN = re.compile(r"(\w+)\((\d{1,4}),(\d{1,4}),(\d{1,4})\)", re.ASCII)
_GIVEN = re.compile(rf"(?<![-\w])(?:{'|'.join(ATOMS)})\(\s*(\d+)\s*,\s*(\d+)\s*,")


def read_answer(text: str, box: Box | None) -> Grid:
    """The first answer set in what clingo printed, or the atoms that are the text.

    Atoms of other names are passed over; so is all else that clingo prints.
    """
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if ANSWER.match(line)), None)
    if first is None:
        if (status := re.search(r"^(UNSATISFIABLE|UNKNOWN)\b", text, re.MULTILINE)) is not None:
            raise InvalidPuzzle(f"there is no answer set here: clingo says {status[1]}")
        bare = CODE.sub(lambda part: _shortened(part.group()), text)
        # Atoms that people wrote may have blanks within.
        bare = re.sub(r"(?<=[(,])[ \t]+|[ \t]+(?=[,)])", "", bare)
        lines, first = ["", *bare.splitlines()], 0
        numbered = enumerate(lines[1:], 1)
    else:
        numbered = enumerate(lines[first + 1 : first + 2], first + 2)
    givens = Givens()
    for number, line in numbered:
        for word in _WORD.findall(line):
            _take(word, f"line {number}: ", givens)
    return givens.grid(box)


def _shortened(part: str) -> str:
    """A string as it is, and a comment as its line ends."""
    return part if part.startswith('"') else "\n" * part.count("\n")


def _take(word: str, where: str, givens: Givens) -> None:
    """Adds the atom if it is a given or a box shape."""
    if (plain := _PLAIN.fullmatch(word)) is not None and plain[1] in ATOMS:
        givens.add(plain[1], [int(plain[2]), int(plain[3]), int(plain[4])], where + word)
        return
    named = re.match(rf"({'|'.join(ATOMS + SHAPE)})\(", word)
    if named is None:
        return
    atom = _ATOM.fullmatch(word)
    if atom is None:
        raise InvalidPuzzle(f"{where}{word[:80]!r} is no atom; expected one such as sudoku(1,1,5)")
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
    givens.add(atom[1], list(map(int, terms)), f"{where}{word[:80]}")


def _terms(text: str) -> list[str]:
    """The arguments of an atom; commas within brackets and strings part none."""
    terms, depth = [""], 0
    for part in re.findall(r'"(?:\\.|[^"\\])*"?|[(),]|[^(),"]+', text):
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "," and depth == 0:
            terms.append("")
        else:
            terms[-1] += part
    return terms


def split_answers(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Each answer set; without clingo's headings, a cell that comes again begins the next."""
    header = start = 0
    block: list[str] = []
    cells: set[tuple[str, str]] = set()
    status = ""
    for number, line in enumerate(lines, 1):
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
            new = set(_GIVEN.findall(line))
            if block and (cells & new or not line.strip()):
                yield start, "\n".join(block)
                block, cells = [], set()
            if new:
                start = start if block else number
                block.append(line)
                cells |= new
    if block:
        yield start, "\n".join(block)
    elif not start:
        raise InvalidPuzzle(f"there is no answer set here{status or '; expected atoms'}")


def write_answer(grid: Grid) -> str:
    """The atoms that clingo would print: sudoku/3, and the box shape where it must be told."""
    return " ".join(_atoms(grid))


def _atoms(grid: Grid) -> list[str]:
    from ._facts import needs_shape

    shape = [f"box_rows({grid.box[0]})", f"box_columns({grid.box[1]})"]
    givens = [f"sudoku({x},{y},{n})" for x, y, n in grid.givens]
    # clingo's own answer sets say no shape: neither do ours where the atoms do.
    told = 1 < grid.size and len(givens) == len(grid.digits) and grid.box[0] == grid.box[1]
    return [*(shape if needs_shape(grid) and not told else ()), *givens]


def witnesses(value: dict[str, Any]) -> list[list[str]]:
    """The answer sets that clingo's JSON holds: those of its last call."""
    try:
        found = [witness["Value"] for witness in value["Call"][-1].get("Witnesses", ())]
        if all(isinstance(atom, str) for atoms in found for atom in atoms):
            return [list(atoms) for atoms in found]
    except (TypeError, LookupError, AttributeError):
        pass
    raise InvalidPuzzle('this is not what clingo --outf=2 prints: expected "Call", "Witnesses"')


def read_witness(value: dict[str, Any], box: Box | None) -> Grid:
    """The first answer set of clingo's JSON."""
    found = witnesses(value)
    if not found:
        raise InvalidPuzzle(f"there is no answer set here: clingo says {value.get('Result')}")
    givens = Givens()
    for number, atom in enumerate(found[0], 1):
        _take(atom, f"atom {number}: ", givens)
    return givens.grid(box)


def write_clingo(grid: Grid) -> str:
    """The one answer set as ``clingo --outf=2`` prints it."""
    value = {
        "Call": [{"Witnesses": [{"Value": _atoms(grid)}]}],
        "Result": "SATISFIABLE",
        "Models": {"Number": 1, "More": "unknown"},
    }
    return json.dumps(value, indent=1)
