"""Trouble: engines that disagree, or that contradict themselves, and the smallest puzzle for it.

Engines that agree may share a mistake. But if a puzzle is changed, it is known without an engine
what becomes of its solutions, and the answers of each engine must show that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._api import at_most
from ._compare import Answer, Comparison, compare
from ._layout import Cell
from ._symmetry import Symmetry
from ._variants import Change, changed, parts, with_only
from .engines import Backend
from .engines.budget import LONGEST, Budget, seconds
from .errors import BackendUnavailable, InvalidPuzzle, SudokuError, shown
from .formats import as_puzzle, parse
from .grid import Grid, Placement
from .puzzle import Mark, Puzzle

__all__ = ["QUESTIONS", "SHRINKING", "Trouble", "trouble_with", "written"]

AnyPuzzle = Grid | Puzzle
Backends = Sequence[str | Backend]

SHRINKING = 60.0
"""Seconds; nearly all trouble is as small as possible by then."""
QUESTIONS = 20
"""One question gets a twentieth of the time, so that a few slow ones do not use it up."""
ENOUGH = 50
"""The most solutions to ask for while shrinking, if so many are enough to show the trouble."""


def written(puzzle: AnyPuzzle) -> str | dict[str, Any]:
    """The puzzle as JSON has it beside its box: a line, or an object if a line cannot hold it."""
    plain = as_puzzle(puzzle)
    if isinstance(plain, Grid):
        return str(plain)
    return {key: part for key, part in plain.to_json().items() if key not in ("title", "author")}


@dataclass(frozen=True, slots=True, repr=False)
class Trouble:
    """A puzzle on which the engines disagree, or on which some contradict themselves.

    It is a frozen, hashable value; two are equal if they ask the same. `replay` asks again.
    """

    puzzle: AnyPuzzle
    change: Change | None
    """What was done to the puzzle, if some engines' answers before and after it do not fit
    together: a symmetry, or a given, mark or rule that was added. None if the engines disagree."""
    answers: dict[str, tuple[str, ...]] = field(compare=False)
    """By engine, in words, its answer to the puzzle, and to the changed one."""
    wrong: tuple[str, ...] = ()
    """The engines that contradict themselves; if they disagree, the one that stands alone."""
    limit: int | None = None
    """The most solutions that each engine was asked for; None for all."""

    @property
    def changed(self) -> AnyPuzzle | None:
        """What the change makes of the puzzle; None if there is no change."""
        return None if self.change is None else changed(self.puzzle, self.change)

    @property
    def summary(self) -> str:
        """What is wrong, in one sentence."""
        who = " and ".join(self.wrong)
        if self.change is None:
            return f"the engines disagree{who and f': {who} stands alone'}"
        if isinstance(self.change, Symmetry):
            return f"{who}: with {self.change}, the solutions are not those carried over"
        return f"{who}: with {self.change} added, the solutions are not those that obey it"

    def replay(
        self, backends: Backends | None = None, timeout: float | None = None
    ) -> Trouble | None:
        """The trouble as it is now, after the engines were asked again; None if it is gone.

        `backends` are names or objects; None means the engines that were asked. `timeout` is in
        seconds, over 0, for each engine and puzzle; None means no limit. Raises what `compare`
        raises.
        """
        return _look(self.puzzle, self.change, self._engines(backends), self.limit, timeout)

    def shrunk(self, backends: Backends | None = None, timeout: float = SHRINKING) -> Trouble:
        """A smallest trouble within this one: no given, mark or rule can be left out.

        `backends` are as for `replay`. `timeout` is in seconds, over 0, for all questions together,
        and a twentieth of it for each; if it runs out, the smallest so far is returned. Raises
        BackendUnavailable, and ValueError or TypeError for an impossible timeout.
        """
        return [self, *self.shrinking(backends, timeout)][-1]

    def shrinking(
        self, backends: Backends | None = None, timeout: float = SHRINKING
    ) -> Iterator[Trouble]:
        """Ever smaller trouble, as it is found; the last one is what `shrunk` returns."""
        return _shrinking(self, self._engines(backends), timeout)

    def _engines(self, backends: Backends | None) -> Backends:
        return tuple(self.answers) if backends is None else backends

    def to_json(self) -> dict[str, Any]:
        """Its record in a file: `from_json` reads it, and `Puzzle.parse` reads the puzzle in it."""
        found: dict[str, Any] = {"trouble": self.summary, "box": list(self.puzzle.box)}
        found["puzzle"] = written(self.puzzle)
        if (after := self.changed) is not None:
            found |= {"change": _change_to_json(self.change), "changed": written(after)}
        found["wrong"] = list(self.wrong)
        found["answers"] = {name: list(said) for name, said in self.answers.items()}
        return found | {"limit": self.limit}

    @classmethod
    def from_json(cls, value: Any) -> Trouble:
        """The trouble that `to_json` wrote; InvalidPuzzle, with what is wrong, if it is not one."""
        try:
            asked = {"box": value["box"], "puzzle": value["puzzle"]}
            puzzle = as_puzzle(parse(json.dumps(asked), "json"))
            change = None
            if value.get("change") is not None:
                change = _change_of_json(value["change"], puzzle.size)
                changed(puzzle, change)
            answers = {str(name): tuple(map(str, said)) for name, said in value["answers"].items()}
            if not answers:
                raise ValueError("no engine was asked")
            limit = at_most(value["limit"], least=1)
            return cls(puzzle, change, answers, tuple(map(str, value["wrong"])), limit)
        except KeyError as missing:
            raise InvalidPuzzle(f"this is not a record of trouble: {missing} is missing") from None
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise InvalidPuzzle(f"this is not a record of trouble: {error}") from None

    def __str__(self) -> str:
        lines = [f"{self.summary}:", self.puzzle.format("pretty")]
        if (after := self.changed) is not None:
            lines += [f"with {self.change}:", after.format("pretty")]
        lines += [f"{name}: {'; then '.join(said)}" for name, said in self.answers.items()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Trouble: {self.summary:.150}>"


def _change_to_json(change: Any) -> Any:
    match change:
        case Placement():
            return {"given": {str(change.cell): change.digit}}
        case Mark():
            return {"mark": {str(change.cell): sorted(change.digits)}}
        case Symmetry():
            return change.to_json()
    return {"rule": change.to_json()}


def _change_of_json(value: Any, size: int) -> Change:
    match value:
        case {"given": given}:
            ((cell, digit),) = given.items()
            return Placement(*Cell.of(cell, size), digit)
        case {"mark": mark}:
            ((cell, digits),) = mark.items()
            return Mark(Cell.of(cell, size), frozenset(digits))
        case {"rule": rule}:
            from .rules import from_json

            return from_json(rule)
        case {"digits": digits, "rows": rows, "columns": columns, "transposed": bool(transposed)}:
            return Symmetry(tuple(digits), tuple(rows), tuple(columns), transposed)
    raise ValueError(f"the change is {shown(value)}; expected a symmetry, given, mark or rule")


# --- asking -------------------------------------------------------------------------------


def _look(
    puzzle: AnyPuzzle,
    change: Change | None,
    backends: Backends,
    limit: int | None,
    timeout: float | None,
) -> Trouble | None:
    """The trouble with the puzzle and the change, if there is any."""
    before = compare(puzzle, backends, limit, timeout)
    if change is None or before.outcome == "disagree":
        return trouble_with(None, limit, before)
    return trouble_with(
        change, limit, before, compare(changed(puzzle, change), backends, limit, timeout)
    )


def trouble_with(change: Change | None, limit: int | None, *asked: Comparison) -> Trouble | None:
    """The trouble with a puzzle, or with a puzzle before and after a change."""
    for each in asked:
        if each.outcome == "disagree":
            alone = (each.alone,) if each.alone else ()
            return Trouble(each.puzzle, None, _said(each), alone, limit)
    if change is None:
        return None
    before, after = asked
    wrong = tuple(
        name
        for name, answer in before.answers.items()
        if not _fits(change, after.puzzle, answer, after.answers[name])
    )
    return Trouble(before.puzzle, change, _said(before, after), wrong, limit) if wrong else None


def _said(*asked: Comparison) -> dict[str, tuple[str, ...]]:
    return {name: tuple(str(each.answers[name]) for each in asked) for name in asked[0].answers}


def _fits(change: Change, puzzle: AnyPuzzle, before: Answer, after: Answer) -> bool:
    """True if one engine may answer so before and after the change, which made this puzzle."""
    if before.timed_out or after.timed_out:
        return True
    if isinstance(change, Symmetry):
        images = {change.moved(grid.digits) for grid in before.solutions}
        if before.complete and after.complete:
            return images == {grid.digits for grid in after.solutions}
        return len(images) == len(after.solutions)
    if not before.complete:
        return len(before.solutions) >= len(after.solutions)
    try:
        return after.solutions == {one for one in before.solutions if one.is_solution_of(puzzle)}
    except InvalidPuzzle:  # a rule of one's own that Python cannot check
        return after.solutions <= before.solutions


# --- shrinking ----------------------------------------------------------------------------


def _shrinking(trouble: Trouble, backends: Backends, timeout: float) -> Iterator[Trouble]:
    budget = Budget("shrinking", timeout)
    each = (seconds(timeout) or LONGEST) / QUESTIONS

    def ask(puzzle: AnyPuzzle, change: Change | None, limit: int | None) -> Trouble | None:
        try:
            return budget.spend(
                lambda left: _look(puzzle, change, backends, limit, min(each, left or each))
            )
        except BackendUnavailable:
            raise
        except (SudokuError, ValueError):  # ValueError: no such change is possible there
            return None

    if trouble.limit is None and (found := ask(trouble.puzzle, trouble.change, ENOUGH)):
        trouble = found
    size = len(parts(trouble.puzzle))
    progress = True
    while progress and budget.left != 0.0:
        size = max(1, size // 2)
        at, progress = 0, size > 1
        while at < len(kept := parts(trouble.puzzle)):
            less = with_only(trouble.puzzle, kept[:at] + kept[at + size :])
            if found := ask(less, trouble.change, trouble.limit):
                trouble, progress = found, True
                yield trouble
            else:
                at += size
        if not progress and isinstance(trouble.change, Symmetry):
            simpler = (ask(trouble.puzzle, one, trouble.limit) for one in trouble.change.simpler())
            if found := next(filter(None, simpler), None):
                trouble, progress = found, True
                yield trouble
