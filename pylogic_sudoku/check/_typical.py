"""Typical wrong programs, as changes of a right one: an exercise should tell each from it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..errors import SudokuError
from ..grid import Box, Grid
from ._grading import Grader
from ._instances import Instance

__all__ = ["MISTAKES", "Caught", "asp", "prolog", "right_programs", "typical"]

ASP = {
    "cells": "{ sudoku(X,Y,N) : digit(N) } = 1 :- digit(X), digit(Y).",
    "givens": ":- initial(X,Y,N), not sudoku(X,Y,N).",
    "rows": ":- sudoku(X,Y,N), sudoku(X,Z,N), Y < Z.",
    "columns": ":- sudoku(X,Y,N), sudoku(Z,Y,N), X < Z.",
    "boxes": ":- sudoku(X,Y,N), sudoku(A,B,N), (X,Y) < (A,B),\n"
    "   (X-1)/high = (A-1)/high, (Y-1)/wide = (B-1)/wide.",
}
"""The parts of a right program, to which a mistake makes changes."""
_TITLES = {
    "cells": "each cell holds one digit",
    "givens": "givens",
    "rows": "no digit is twice in a row",
    "columns": "no digit is twice in a column",
    "boxes": "no digit is twice in a box",
    "more": "more",
}


def asp(box: Box, **changes: str) -> str:
    """Return a program for clingo; an empty part is left out."""
    rows, columns = box
    parts = {**ASP, **changes}
    text = "\n".join(f"% {_TITLES[name]}\n{part}" for name, part in parts.items() if part)
    head = f"#const high={rows}. #const wide={columns}.\ndigit(1..high*wide).\n"
    return f"{head}\n{text}\n\n#show sudoku/3.\n"


PROLOG = {
    "domain": "    Cells ins 1..{size},",
    "rows": "    maplist(all_distinct, Rows),",
    "columns": "    transpose(Rows, Columns),\n    maplist(all_distinct, Columns),",
    "boxes": "    boxes(Rows, Boxes),\n    maplist(all_distinct, Boxes),",
    "label": "    label(Cells).",
}
_PROLOG = """\
:- use_module(library(clpfd)).

sudoku(Rows) :-
    append(Rows, Cells),
{body}

boxes([], []).
boxes(Rows, Boxes) :-
    length(Band, {high}),
    append(Band, Below, Rows),
    transpose(Band, Columns),
    stacks(Columns, Here),
    boxes(Below, There),
    append(Here, There, Boxes).

stacks([], []).
stacks(Columns, [Box|Boxes]) :-
    length(Some, {wide}),
    append(Some, Right, Columns),
    append(Some, Box),
    stacks(Right, Boxes).
"""


def prolog(box: Box, **changes: str) -> str:
    """Return a program for SWI-Prolog; an empty part is left out."""
    rows, columns = box
    body = "\n".join(part for part in {**PROLOG, **changes}.values() if part)
    size = rows * columns
    return _PROLOG.format(body=body.format(size=size, stacks=rows), high=rows, wide=columns)


class Mistake(NamedTuple):
    """A typical wrong program."""

    words: str
    language: str
    changes: dict[str, str]
    """The parts of a right program that it has otherwise, or that it lacks."""
    cure: str
    """A kind of puzzle that tells it from a right program."""
    wrong: Callable[[Box], bool] = bool
    """True for a box shape with which it is a mistake."""
    one_size: bool = False
    """True if it is a mistake only if there are puzzles of several shapes."""

    def program(self, box: Box) -> str:
        """Return the program for boxes of this shape."""
        return (asp if self.language == "ASP" else prolog)(box, **self.changes)

    def applies(self, shapes: set[Box]) -> bool:
        """True if it is a mistake in an exercise with boxes of these shapes."""
        return any(map(self.wrong, shapes)) and not (self.one_size and len(shapes) < 2)


LOOSE = "a puzzle with several solutions"
ANY = "a puzzle with few givens"

_FIRST_BOXES = """\
    boxes(Rows, Boxes),
    length(Some, {stacks}),
    append(Some, _, Boxes),
    maplist(all_distinct, Some),"""


def _oblong(box: Box) -> bool:
    return box[0] != box[1]


def _three_high(box: Box) -> bool:
    """True for three boxes or more in a column: of two, the columns imply the lower one."""
    return box[1] > 2


def _box(limit: str) -> str:
    return ASP["boxes"][:-1] + f", {limit}."


_TURNED = """\
:- sudoku(X,Y,N), sudoku(A,B,N), (X,Y) < (A,B),
   (X-1)/wide = (A-1)/wide, (Y-1)/high = (B-1)/high."""
_EACH = {
    "rows": ":- digit(X), digit(N), not sudoku(X,_,N).",
    "columns": ":- digit(Y), digit(N), not sudoku(_,Y,N).",
    "boxes": "",
}

MISTAKES = (
    Mistake("givens are ignored", "ASP", {"givens": ""}, ANY),
    Mistake("rows are forgotten", "ASP", {"rows": ""}, LOOSE),
    Mistake("columns are forgotten", "ASP", {"columns": ""}, LOOSE),
    Mistake("boxes are forgotten", "ASP", {"boxes": ""}, LOOSE),
    Mistake(
        "only the boxes in the first rows count",
        "ASP",
        {"boxes": _box("X <= high")},
        LOOSE,
        wrong=_three_high,
    ),
    Mistake(
        # One less would be right: the columns and the other boxes imply a box that is alone.
        "the last four boxes are forgotten",
        "ASP",
        {"boxes": _box("(X-1)/high < wide-2") + "\n" + _box("(Y-1)/wide < high-2")},
        LOOSE,
        wrong=lambda box: min(box) > 2,
    ),
    Mistake("only the first box counts", "ASP", {"boxes": _box("X <= high, Y <= wide")}, ANY),
    Mistake(
        "a cell may be empty",
        "ASP",
        {"cells": "{ sudoku(X,Y,N) : digit(N) } 1 :- digit(X), digit(Y)."},
        ANY,
    ),
    Mistake(
        "a cell may hold several digits",
        "ASP",
        {"cells": "1 { sudoku(X,Y,N) : digit(N) } :- digit(X), digit(Y).", **_EACH},
        ANY,
    ),
    Mistake(
        "rows and columns are swapped",
        "ASP",
        {"givens": ":- initial(X,Y,N), not sudoku(Y,X,N)."},
        ANY,
    ),
    Mistake(
        "some solutions are lost",
        "ASP",
        {"more": ":- sudoku(1,1,N), sudoku(high*wide,high*wide,M), N > M."},
        "a puzzle with many solutions",
    ),
    Mistake("boxes are turned", "ASP", {"boxes": _TURNED}, LOOSE, wrong=_oblong),
    Mistake("only one size works", "ASP", {}, "puzzles of another size", one_size=True),
    Mistake("rows are forgotten", "Prolog", {"rows": ""}, LOOSE),
    Mistake("columns are forgotten", "Prolog", {"columns": ""}, LOOSE),
    Mistake("boxes are forgotten", "Prolog", {"boxes": ""}, LOOSE),
    Mistake(
        "only the boxes in the first rows count",
        "Prolog",
        {"boxes": _FIRST_BOXES},
        LOOSE,
        wrong=_three_high,
    ),
    Mistake("the cells are not labelled", "Prolog", {"label": "    true."}, LOOSE),
    Mistake(
        "only the first solution is found", "Prolog", {"label": "    once(label(Cells))."}, LOOSE
    ),
)


class Caught(NamedTuple):
    """A typical wrong program, and the instances on which it fails."""

    mistake: str
    """What is wrong with it, such as ``columns are forgotten``."""
    language: str
    """``ASP`` or ``Prolog``."""
    instances: tuple[str, ...]
    """None if it passes as a right program."""
    cure: str
    """A kind of puzzle that would tell it from a right program."""

    def __str__(self) -> str:
        where = ", ".join(self.instances) or f"NOT CAUGHT; add {self.cure}"
        return f"{self.mistake} ({self.language}): {where}"


def typical(
    instances: Path, solutions: Path, grader: Grader, first: bool = False
) -> Iterator[Caught]:
    """Yield each typical wrong program with the instances that catch it.

    With `first`, it is run only until an instance catches it. Instances with rules beyond plain
    sudoku take no part.
    """
    found = [each for each in grader.instances(instances, solutions) if _is_plain(each, grader)]
    most = max(map(len, _solutions(found, solutions, grader)), default=0)
    grader = replace(grader, limit=1 + most)
    shapes = {each.name: each.puzzle(grader.vocabulary).box for each in found}
    for mistake in MISTAKES:
        if mistake.applies(set(shapes.values())):
            yield _tried(mistake, found, shapes, solutions, grader, first)


def _is_plain(instance: Instance, grader: Grader) -> bool:
    try:
        puzzle = instance.puzzle(grader.vocabulary)
    except SudokuError:
        return False
    return not getattr(puzzle, "rules", ())


def _solutions(
    instances: list[Instance], folder: Path, grader: Grader
) -> Iterator[frozenset[Grid]]:
    for instance in instances:
        with suppress(SudokuError):
            yield grader.reference(instance, folder).solutions


def _tried(
    mistake: Mistake,
    found: list[Instance],
    shapes: dict[str, Box],
    solutions: Path,
    grader: Grader,
    first: bool,
) -> Caught:
    failed: list[str] = []
    largest = max(shapes.values(), key=lambda box: box[0] * box[1])
    with TemporaryDirectory(prefix="pylogic-sudoku-") as folder:
        for box in dict.fromkeys(shapes.values()):
            file = Path(folder) / f"{box[0]}x{box[1]}.{'lp' if mistake.language == 'ASP' else 'pl'}"
            file.write_text(
                _in_words_of(mistake.program(largest if mistake.one_size else box), grader)
            )
            own = [each for each in found if shapes[each.name] == box]
            program = grader.program(file, alone=False)
            for verdict in grader.verdicts(program, own, solutions):
                if not verdict.passed:
                    failed.append(verdict.instance)
                    if first:
                        break
    order = {name: number for number, name in enumerate(shapes)}
    names = tuple(sorted(failed, key=lambda name: order[name]))
    return Caught(mistake.words, mistake.language, names, mistake.cure)


def _in_words_of(text: str, grader: Grader) -> str:
    """Return the program with the atoms or the predicate that the exercise wants."""
    if ":- use_module" in text:
        return re.sub(r"^sudoku\(", f"{grader.predicate}(", text, flags=re.MULTILINE)
    given, solution = grader.vocabulary
    names = {"initial": given, "sudoku": solution}
    text = re.sub(r"\b(initial|sudoku)(?=[(/])", lambda match: names[match[1]], text)
    if given == solution:  # then the givens are facts of the solution itself
        text = re.sub(r"^% givens\n.*\n", "", text, flags=re.MULTILINE)
    return text


def right_programs(box: Box, grader: Grader) -> dict[str, str]:
    """Return a right program in each language, by the name of its file."""
    return {
        "sudoku.lp": _in_words_of(asp(box), grader),
        "sudoku.pl": _in_words_of(prolog(box), grader),
    }
