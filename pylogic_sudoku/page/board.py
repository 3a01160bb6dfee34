"""Drawings for the page: the rules of a puzzle, its board as an image, and explanations on it.

It also has the reader of puzzles, `parse`, and the kinds of rules that the page can set.
"""

from __future__ import annotations

import inspect

from ..draw import Highlight, Picture
from ..draw.pen import PAGE, outline
from ..draw.rules import Rules
from ..draw.scene import Spot, link_paths, mark_columns
from ..errors import InvalidPuzzle
from ..explain import Explanation, Forced
from ..puzzle import Puzzle
from ..puzzle.cells import Box, Candidates, Cell
from ..rules import KINDS, Cells, Numbers, Options, Rule
from ..rules.base import FIELDS, broken_rules
from ..rules.whole import whole_grid
from ..techniques import Step
from ..techniques.way import effect, line
from . import CELLS, DEPTH, RULES, SIZE
from .schema import Added, Answer


def parse(text: str, form: str | None = None, box: Box | None = None) -> Puzzle:
    """The one puzzle of a text; InvalidPuzzle if there is none, or if it is too large."""
    try:
        puzzle = Puzzle.parse(text, form, box)
    except RecursionError:
        raise InvalidPuzzle("the puzzle holds too many rules within rules") from None
    if puzzle.size > SIZE:
        raise InvalidPuzzle(
            f"the page takes grids up to {SIZE}x{SIZE}, this one is {puzzle.size}x{puzzle.size}"
        )
    check(puzzle.rules)
    return puzzle


SIDE = 40
"""The width of a cell in the drawings."""


# --- rules beyond plain sudoku ------------------------------------------------------------

_INPUTS = {
    FIELDS[Cells]: "cells",
    FIELDS[Numbers]: "numbers",
    FIELDS[int]: "number",
    FIELDS[int | None]: "number",
    FIELDS[bool]: "flag",
    FIELDS[str]: "text",
}
"""The input for a field of each type; the page has none for the others."""


def check(rules: tuple[Rule, ...]) -> None:
    """InvalidPuzzle for too many rules, rules nested too deep, or rules on too many cells."""
    number, level = 0, list(rules)
    for _ in range(DEPTH):
        number += len(level)
        level = [
            part
            for rule in level
            for name, field in rule.types.items()
            if field is FIELDS[Options]
            for option in getattr(rule, name)
            for part in option
        ]
    if level:
        raise InvalidPuzzle(f"the page takes rules within rules up to {DEPTH} deep")
    if number > RULES:
        raise InvalidPuzzle(f"the page takes up to {RULES} rules, this puzzle has {number}")
    cells = sum(1 for rule in rules for _ in rule.cells_used())
    if cells > CELLS:
        raise InvalidPuzzle(f"the page takes rules on up to {CELLS} cells, these name {cells}")


def kinds() -> list[Answer]:
    """Every kind of rule, with the fields that a person enters, and `text`, what it means.

    It is not `settable` on the page if it needs a field of another type.
    """
    answers = []
    for kind, rule_class in sorted(KINDS.items(), key=lambda of: of[1].title.lower()):
        fields = [
            {
                "name": name,
                "type": _INPUTS.get(field),
                "required": name not in rule_class.defaults,
                "default": rule_class.defaults.get(name) or None,
            }
            for name, field in rule_class.types.items()
        ]
        answers.append(
            {
                "kind": kind,
                "title": rule_class.title,
                "text": " ".join((inspect.getdoc(rule_class) or "").split("\n\n")[0].split()),
                "line": rule_class.line,
                "settable": all(field["type"] for field in fields if field["required"]),
                "fields": [field for field in fields if field["type"]],
            }
        )
    return answers


def rule_sets(puzzle: Puzzle, _timeout: float) -> Answer:
    """`sets` of rules for the whole grid that belong together, such as those of a diagonal.

    Only those that this grid can have.
    """
    sets = sorted(whole_grid(puzzle.layout).items(), key=lambda each: each[0].lower())
    answers = [
        {"title": title, "rules": [rule.to_json() for rule in rules]} for title, rules in sets
    ]
    return {"sets": answers}


def rules(puzzle: Puzzle, _timeout: float, *, added: Added = 0) -> Answer:
    """The `rules` beyond plain sudoku in words, with their cells, and which the digits break.

    `svg` draws them behind the digits with the colours of the page: a <g>, in which a cell is 40
    wide and the grid begins at (0, 0). `room` says how far clues reach out of the grid at each
    side, in cells; `labels` whether some cell has a label in its upper left corner.

    `added` is the number of new rules, the last ones; it is an error if no digits can obey one.
    """
    for rule in puzzle.rules[max(0, len(puzzle.rules) - added) :]:
        rule.check_possible(puzzle.layout)
    broken = set(broken_rules(puzzle))
    drawing = Rules(puzzle.rules, puzzle.size, SIDE, PAGE)
    shown = [
        {
            "text": str(rule),
            "cells": [str(cell) for cell in dict.fromkeys(rule.cells_used())],
            "broken": rule in broken,
        }
        for rule in puzzle.rules
    ]
    room = {side: width / SIDE for side, width in drawing.room._asdict().items()}
    return {"rules": shown, "svg": drawing.svg(), "room": room, "labels": drawing.labels}


# --- explanations: text, data, and what to mark on the board ------------------------------

ROOM = {"": (0.06, 0.06, 0.06), "large": (0.02, 0.02, 0.02), "labelled": (0.17, 0.06, 0.03)}
"""The room that a cell leaves around its pencil marks: above, at the sides and below, as a part of
its side. The same numbers are in board.css."""


def describe(explanation: Explanation) -> Answer:
    """An explanation to read (`short` is without full grids), to work with, and to see.

    That of a step has its `effect`, that of a digit that is forced its `reasons`, line by line.

    `grid`, `candidates` and `highlights` are to be shown, and `links` for the links of a chain, as
    paths of SVG: a strong one says that at least one of the two holds, else at most one.
    """
    picture = explanation.picture()
    paths = link_paths(picture.links, _spots(picture), SIDE / 6) if picture.links else []
    return {
        "title": line(explanation) if isinstance(explanation, Step) else picture.described,
        "text": explanation.text(),
        "short": explanation.short(),
        **({"effect": effect(explanation)} if isinstance(explanation, Step) else {}),
        **({"reasons": explanation.reasons()} if isinstance(explanation, Forced) else {}),
        "explanation": explanation.to_json(),
        "grid": picture.grid.to_json(),
        "candidates": sorted_marks(picture.candidates),
        "highlights": list(map(_highlight, picture.highlights)),
        "links": [
            {"strong": each.strong, "path": path}
            for each, path in zip(picture.links, paths, strict=True)
        ],
        "stopped": None,
    }


def sorted_marks(rows: Candidates | None) -> list[list[list[int]]] | None:
    """Rows of cells, and for each cell its digits in order."""
    return None if rows is None else [[sorted(digits) for digits in row] for row in rows]


def _highlight(highlight: Highlight) -> Answer:
    cells = [Cell(*cell) for cell in highlight.cells]
    framed = highlight.role in ("house", "cover") and cells
    return {
        "label": highlight.label,
        "role": highlight.role,
        "cells": list(map(str, cells)),
        "candidates": [[str(Cell(*place)), digit] for *place, digit in highlight.candidates],
        "rim": outline(cells, SIDE, 3 * SIDE / 40) if framed else None,
    }


def _spots(picture: Picture) -> dict[tuple[int, int, int], Spot]:
    """The place of each digit on the board; a cell is as wide as in the drawing of the rules."""
    n = picture.grid.size
    labelled = picture.layout.rules and Rules(picture.layout.rules, n, SIDE).labels
    above, beside, below = ROOM["labelled" if labelled else "large" if n > 9 else ""]
    columns = mark_columns(n)
    rows = -(-n // columns)
    wide, high = (1 - 2 * beside) / columns, (1 - above - below) / rows
    spots: dict[tuple[int, int, int], Spot] = {}
    for cell, look in zip(picture.grid.cells, picture.looks(), strict=True):
        left, top = (cell.column - 1) * SIDE, (cell.row - 1) * SIDE
        if look.digit:
            spots[*cell, look.digit] = left + SIDE / 2, top + SIDE / 2, 0.3 * SIDE
        for digit in look.marks:
            down, right = divmod(digit - 1, columns)
            x, y = beside + (right + 0.5) * wide, above + (down + 0.5) * high
            spots[*cell, digit] = left + x * SIDE, top + y * SIDE, SIDE / 8
    return spots
