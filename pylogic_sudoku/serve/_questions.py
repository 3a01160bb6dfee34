"""What the page can ask: plain functions from plain data to plain data.

They run in processes of their own (see `_lanes`), so arguments and answers are pickled, and the
last argument of each is its time limit in seconds. In the answers, cells are named ``r1c1`` and
grids are rows with None for an empty cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple

from .. import _api as api
from .. import explain as explanations
from .. import formats
from .._demands import as_cell
from ..engines import able, backends
from ..engines.budget import Budget
from ..errors import InvalidPuzzle, SolveTimeout
from ..explain._walk import rated
from ..explain._way import way_to
from ..grid import Box, Grid, Placement
from ..puzzle import Puzzle
from . import _programs, _rules
from ._bounds import PUZZLES, SIZE
from ._explained import explained

__all__ = ["Source", "candidates", "confirm", "count", "engines", "explain", "placements"]
__all__ += ["programs", "read", "rule_sets", "rules", "run", "solve", "start", "steps"]
__all__ += ["steps_to", "write"]

Answer = dict[str, Any]


class Source(NamedTuple):
    """The text of one puzzle, and its format and box shape if they are known."""

    text: str
    form: str | None = None
    box: Box | None = None

    def parse(self) -> Puzzle:
        """Return the puzzle; InvalidPuzzle if there is none, or if it is too large."""
        try:
            puzzle = Puzzle.parse(self.text, self.form, self.box)
        except RecursionError:
            raise InvalidPuzzle("the puzzle holds too many rules within rules") from None
        if puzzle.size > SIZE:
            raise InvalidPuzzle(
                f"the page takes grids up to {SIZE}x{SIZE}, this one is {puzzle.size}x{puzzle.size}"
            )
        _rules.check(puzzle.rules)
        return puzzle


def placements(named: Iterable[tuple[str, int]], puzzle: Puzzle) -> tuple[Placement, ...]:
    """Digits in cells that are given by name; InvalidPuzzle unless the puzzle has these cells."""
    return tuple(Placement(*as_cell(name, puzzle), digit) for name, digit in named)


def start() -> None:
    """Start every engine that is here, so that the first question does not wait for it."""
    engines(0)
    api.solve("." * 81)


def engines(_timeout: float) -> list[Answer]:
    """Every engine, and why one cannot be used."""
    return [info._asdict() for info in backends()]


def read(text: str, form: str | None, box: Box | None, _timeout: float) -> Answer:
    """The first puzzles of a text of one or many."""
    try:
        found = [Source(text, form, box).parse()]
        more = False
    except InvalidPuzzle as error:
        try:
            with closing(formats.split(text, box, form)) as pieces:  # type: ignore[type-var]
                texts = [piece for _, piece in islice(pieces, PUZZLES + 1)]
        except InvalidPuzzle:
            raise error from None
        if len(texts) < 2:
            raise
        found = [Source(piece, form, box).parse() for piece in texts[:PUZZLES]]
        more = len(texts) > PUZZLES
    return {"puzzles": [puzzle.to_json() for puzzle in found], "more": more}


def write(source: Source, form: str, _timeout: float) -> Answer:
    """The puzzle as text, and whether reading the text gives the same puzzle."""
    puzzle = source.parse()
    # Only json has a title; in other formats a plain puzzle is what its grid is.
    text, same = formats.shared(puzzle if form == "json" else formats.as_puzzle(puzzle), form)
    return {"text": text, "same": same}


def rules(source: Source, _timeout: float) -> Answer:
    """The rules beyond plain sudoku: in words, which the digits break, and drawn."""
    return _rules.shown(source.parse())


def rule_sets(source: Source, _timeout: float) -> Answer:
    """Rules for the whole grid of the puzzle that a person switches on together."""
    return {"sets": _rules.sets(source.parse())}


def solve(source: Source, engine: str, limit: int, timeout: float) -> Answer:
    """Solutions up to `limit`; those found so far if time runs out."""
    puzzle = source.parse()
    able(engine, puzzle).version()  # starts the engine, which does not count as the puzzle's time
    start = perf_counter()
    found: list[Grid] = []
    stopped = None
    try:
        # One more than asked for shows whether these are all.
        for solution in api.solutions(puzzle, engine, limit + 1, timeout):
            if len(found) == limit:
                stopped = "limit"
            else:
                found.append(solution)
    except SolveTimeout:
        stopped = "time"
    seconds = perf_counter() - start
    solutions = [solution.to_json() for solution in found]
    return {"solutions": solutions, "stopped": stopped, "seconds": seconds}


def confirm(source: Source, engine: str, grids: list[Any], timeout: float) -> Answer:
    """Those of the full grids that the engine rejects; they are solutions of other engines.

    Given a full grid as a puzzle, it must find that very grid, as in `compare`.
    """
    puzzle = source.parse()
    judge = able(engine, puzzle)
    budget = Budget(engine, timeout)

    def accepts(grid: Grid) -> bool:
        kept = all(
            given in (0, digit) for given, digit in zip(puzzle.digits, grid.digits, strict=True)
        )
        full = puzzle.with_(*grid.givens)
        return kept and budget.spend(lambda left: judge.solve(full, left)) == grid

    others = [Grid.from_rows(rows, puzzle.box) for rows in grids]
    return {"rejected": [other.to_json() for other in others if not accepts(other)]}


def programs(source: Source, _timeout: float) -> Answer:
    """The programs that run on the puzzle."""
    return _programs.programs(source.parse())


def run(source: Source, engine: str, files: dict[str, str], place: str, timeout: float) -> Answer:
    """What a program with changed files answers, and whether that is right.

    The folder `place` holds its files while it runs.
    """
    return _programs.run(source.parse(), engine, files, place, timeout)


def count(source: Source, engine: str, limit: int, timeout: float) -> Answer:
    """The number of solutions up to `limit`; of those found so far if time runs out."""
    puzzle = source.parse()
    able(engine, puzzle).version()  # starts the engine, as in `solve`
    start = perf_counter()
    stopped = None
    try:
        found = api.count(puzzle, engine, limit + 1, timeout)
        if found > limit:
            found, stopped = limit, "limit"
    except SolveTimeout as error:
        found, stopped = error.found or 0, "time"
    return {"count": found, "stopped": stopped, "seconds": perf_counter() - start}


def candidates(source: Source, engine: str, timeout: float) -> Answer:
    """For every cell the digits that it has in some solution."""
    rows = api.candidates(source.parse(), engine, timeout)
    return {"candidates": [[sorted(digits) for digits in row] for row in rows]}


def explain(kind: str, source: Source, about: tuple[Any, ...], timeout: float) -> Answer:
    """The answer of the function of `explain` with this name."""
    return explained(getattr(explanations, kind)(source.parse(), *about, timeout=timeout))


def steps(
    source: Source,
    limit: int,
    removed: list[tuple[str, int]],
    soon: float | None,
    taken: list[tuple[str, int]],
    timeout: float,
) -> Answer:
    """Steps to the solution, up to `limit`; those so far after `soon` seconds, or if time runs out.

    The rating, if they solve the puzzle, is that of the steps `taken` before and of these.
    """
    start = perf_counter()
    found: list[explanations.Step] = []
    stopped = None
    solved = False
    try:
        puzzle = source.parse()
        gone = placements(removed, puzzle)
        way = explanations.steps(puzzle, timeout, gone)
        for step in way:
            found.append(step)
            if len(found) == limit or (soon is not None and perf_counter() - start >= soon):
                stopped = "limit"
                break
        outcome = way.outcome()
        solved = 0 not in way.grid.digits
    except SolveTimeout as error:
        stopped, outcome = "time", f"{error}."
    return {
        "steps": [explained(step) for step in found],
        "outcome": outcome,
        "stopped": None if solved else stopped,
        "rating": asdict(rated([*taken, *(step.weighed for step in found)])) if solved else None,
    }


def steps_to(source: Source, cell: str, timeout: float) -> Answer:
    """The steps that lead to the digit of a cell; none if it is given, or not forced."""
    puzzle = source.parse()
    where = as_cell(cell, puzzle)
    way = way_to(formats.as_puzzle(puzzle), where, timeout)
    outcome = way.outcome if way else f"No step leads to {where}: it is given, or not forced."
    found = [explained(step) for step in way or ()]
    return {"steps": found, "outcome": outcome, "stopped": None, "rating": None}
