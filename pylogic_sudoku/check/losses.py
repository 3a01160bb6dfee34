"""Reasons why an ASP program for sudoku loses a solution or accepts a wrong grid.

`main` runs in a process of its own, since the program is foreign; only it imports this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import IO, Any

from clingo.ast import ASTType
from clingo.symbol import Function, Number, Symbol

from ..reasons.blame import Blame
from ..reasons.lines import Refusal
from ..reasons.numbers import too_large
from ..reasons.relaxed import Relaxed, Statement, read, signature
from ..running import child
from .refusals import row
from .shapes import ByShapes, InGrid, Shapes

Placements = Sequence[tuple[int, int, int]]
"""A grid: row, column and digit of each cell."""


def main(program: str, results: str) -> None:
    """Do the job in the input, and write JSON lists, one per line.

    ::

        ["empty"]                          the program has no answer at all
        ["refusal", kind, together, why, rows]   as in check/refusals.py
        ["accepts", kind]                  all grids that are wrong only in this kind of house
        ["failed", kind, text]             kind: "memory" or "clingo"
    """
    child.main(program, results, _explain)


def _explain(job: dict[str, Any], program: str, instance: str, out: IO[str]) -> None:
    """Write why the program refuses a grid, or which kinds of houses it never mentions.

    Of `job["grids"]`, those under a kind of house are right except for such houses.
    """
    outputs = frozenset({(job["atom"], 3)})
    statements = read(program, instance, outputs)
    if not job["allow_scripts"] and any(each.ast.ast_type == ASTType.Script for each in statements):
        return
    options = [part for each in job["constants"] for part in ("-c", each)]
    given = (job["given"], 3)
    without_givens = [
        each
        for each in statements
        if not (each.ours and any(signature(term) == given for term, _ in each.heads))
    ]

    def relaxed(statements: Sequence[Statement], grid: Placements) -> Relaxed:
        atoms = [Function(job["atom"], list(map(Number, cell))) for cell in grid]
        return Relaxed(statements, atoms, outputs, options, job["allow_scripts"])

    for kind, grids in job["grids"].items():
        if kind:
            if not any(relaxed(without_givens, grid).excludes for grid in grids):
                child.write(out, "accepts", kind)
            continue
        loss = relaxed(statements, grids[0])
        # First, so that a reason that is known in time is never given with half of the summary.
        if not loss.answers_something(without_givens):
            child.write(out, "empty")
        shapes = Shapes(job["box"], job["houses"], map(_placement, loss.answer))
        refusal = _refusal(loss, shapes, job["atom"])
        rows = [row(program, line) for line in refusal.lines]
        child.write(out, "refusal", refusal.kind, refusal.together, refusal.why, rows)


def _refusal(relaxed: Relaxed, shapes: Shapes, name: str) -> Refusal:
    """The reason why the program does not have the solution."""
    sets = relaxed.to_blame()
    if [] in sets:
        return Refusal("clingo", "unknown", why="it has no answer even without its constraints")
    if sets:
        blame = Blame(relaxed, sets, partial(ByShapes, shapes), partial(InGrid, shapes))
        refusal = blame.refusal("clingo")
        for number in too_large(relaxed.statements):
            refusal = number.blamed(refusal)
        return refusal
    if hiding := _hiding(relaxed.statements, name):
        words = f"does not show {name}/3"
        lines = tuple(each.line._replace(words=words) for each in hiding)
        return Refusal("clingo", "underived", lines, why=f"no statement shows {name}/3")
    if not relaxed.is_founded:
        return Refusal("clingo", "underived", *Blame(relaxed, sets).unfounded())
    return Refusal("clingo", "accepted", why="no statement of the program excludes the solution")


def _hiding(statements: Sequence[Statement], name: str) -> list[Statement]:
    """Return the #show statements of the program, if they hide its answers."""
    shows = [each for each in statements if each.shows is not None]
    if any((name, 3) == each.shows for each in shows):
        return []
    return [each for each in shows if not each.ours]


def _placement(atom: Symbol) -> tuple[int, int, int]:
    row, column, digit = (each.number for each in atom.arguments)
    return row, column, digit
