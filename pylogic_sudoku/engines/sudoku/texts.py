"""The text that runs one puzzle by hand: what people read, paste and change.

`program_text` has the files of a program, and the puzzle as facts or as a goal. A `Program` of
`engines` is a single file, whatever the puzzle.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ...files import INCLUDE, resource
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Layout
from ...rules.own import families, helpers, ours
from .. import Program
from ..prolog.swipl import quoted
from .ground_once import with_rules
from .prompt import prolog_goal
from .puzzles import vocabulary

_IMPORT = re.compile(r"^:- use_module\('([^']+)'", re.MULTILINE)
_PLAIN = (
    *("sudoku.pl", "sudoku/house.pl", "sudoku/propagator.pl", "sudoku/search.pl"),
    "sudoku/grid.pl",
)
"""The Prolog files that solve a plain sudoku."""
_RULED = (
    "rules/rule.pl",
    "rules/kinds.pl",
    "rules/implied.pl",
    "rules/shared.pl",
    "rules/automata.pl",
)
"""Those that every rule needs too."""


class ProgramText(NamedTuple):
    """The text that an engine runs on a puzzle."""

    files: dict[str, str]
    """Its text: the name of each file in ``encodings/`` or ``prolog/``, what matters most first."""
    puzzle: str
    """The puzzle as facts, or as a goal."""


def program_text(program: Program, puzzle: Grid | Puzzle) -> ProgramText:
    """The text that runs if this program, one of ours, solves the puzzle."""
    if program.engine == "clingo":
        return ProgramText(_asp_files(program, puzzle.layout), _asp_facts(program, puzzle))
    files = _prolog_files(program, puzzle.layout)
    return ProgramText(files, prolog_goal(puzzle, _arity(program)))


def asp_text(puzzle: Grid | Puzzle) -> str:
    """The whole program for clingo as one text: encoding, modules of rules, and facts."""
    plain = replace(puzzle.to_puzzle(), rules=())
    facts = plain.format("facts")
    return f"{with_rules('sudoku', puzzle.layout)}\n% The puzzle.\n{facts}\n"


def prolog_text(puzzle: Grid | Puzzle) -> str:
    """The program for Prolog as one text: it loads ours, and solution/1 solves the puzzle."""
    ours = quoted(str(resource("prolog/sudoku_prompt.pl")))
    return f":- use_module({ours}).\n\n{prolog_goal(puzzle)}"


def _asp_files(program: Program, layout: Layout) -> dict[str, str]:
    """The files of ``encodings/`` that clingo reads for this layout, each before what it
    includes."""
    folder = resource("encodings").resolve()
    texts: dict[str, str] = {}

    def add(path: Path) -> None:
        name = path.relative_to(folder).as_posix()
        if name not in texts:
            texts[name] = path.read_text(encoding="utf-8")
            for included in INCLUDE.findall(texts[name]):
                add((path.parent / included).resolve())

    add(program.path.resolve())
    for name in families(layout.rules):
        add(folder / f"rules/{name}.lp")
    return texts


def _asp_facts(program: Program, puzzle: Grid | Puzzle) -> str:
    """The puzzle in the words of the program."""
    facts = puzzle.format("facts").replace("initial(", f"{vocabulary(program)[0]}(")
    sized = "#const subgrid_size" in program.text
    return f"#const subgrid_size={puzzle.box[0]}. [override]\n{facts}" if sized else facts


def _prolog_files(program: Program, layout: Layout) -> dict[str, str]:
    """The files of ``prolog/`` that solve puzzles of this layout."""
    folder = resource("prolog").resolve()
    own = program.path.resolve()
    if program.name == "prolog":
        names = dict.fromkeys(_PLAIN)
    else:
        imported = [(own.parent / f"{name}.pl").resolve() for name in _IMPORT.findall(program.text)]
        names = dict.fromkeys(path.relative_to(folder).as_posix() for path in (own, *imported))
    kinds = ours(layout.rules)
    if kinds:
        names |= dict.fromkeys(_RULED[:2])
        names |= dict.fromkeys(f"rules/{name}.pl" for name in families(layout.rules))
        for kind in kinds:
            names |= dict.fromkeys(name.removeprefix("prolog/") for name in helpers(kind))
        names |= dict.fromkeys(_RULED[2:])
    return {name: (folder / name).read_text(encoding="utf-8") for name in names}


def _arity(program: Program) -> int:
    """The number of arguments of its sudoku: the rows, the shape, the rules."""
    return max(map(int, re.findall(r"\bsudoku/([1-3])\b", program.text)))
