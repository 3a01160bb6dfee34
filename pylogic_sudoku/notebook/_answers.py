"""The answers of a cell's program: a sequence of grids that a notebook displays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from ..check._answers import Answer, broken_rule
from ..check._programs import Run
from ..draw import Picture, mistakes
from ..errors import counted
from ..grid import Grid
from ..puzzle import Puzzle

__all__ = ["Answers"]

MOST_PICTURES = 6


class Answers(Sequence[Grid]):
    """Every different grid that the cell's program gave, right or wrong, in the order found.

    A grid is empty where the program gives no digit.
    """

    def __init__(self, puzzle: Grid | Puzzle, run: Run) -> None:
        self.puzzle = puzzle
        self.exhausted = run.exhausted
        """True if the program has no other answers."""
        self._run = run

    def __len__(self) -> int:
        return len(self._run.answers)

    def __getitem__(self, index: Any) -> Any:
        found = self._run.answers[index]
        return found.grid if isinstance(found, Answer) else tuple(each.grid for each in found)

    def __repr__(self) -> str:
        """Return the pictures as text."""
        parts = [self._summary()]
        for picture, caption in self._shown():
            parts += [picture.to_text(), caption, ""]
        return "\n".join([*parts, self._run.message]).strip()

    def _repr_html_(self) -> str:
        width = "" if len(self) == 1 else ";width:260px"
        figures = (
            f'<figure style="margin:0{width}">{_fitting(picture.to_svg())}'
            f"<figcaption>{escape(caption)}</figcaption></figure>"
            for picture, caption in self._shown()
        )
        row = f'<div style="display:flex;flex-wrap:wrap;gap:16px">{"".join(figures)}</div>'
        printed = f"<pre>{escape(self._run.message)}</pre>" if self._run.message else ""
        return f"<p>{escape(self._summary())}</p>{row}{printed}"

    def _summary(self) -> str:
        number = len(self)
        if not number:
            return "No answer."
        text = counted(number, "answer")
        text += ", and there are no others." if self.exhausted else "; -n 0 finds all."
        if self._run.found > number:
            were = "It was" if number == 1 else "They were"
            text += f" {were} found {self._run.found} times: {self._run.again}."
        if number > MOST_PICTURES:
            text += f" Here are {MOST_PICTURES} of them."
        return text

    def _shown(self) -> Iterator[tuple[Picture, str]]:
        for answer in self._run.answers[:MOST_PICTURES]:
            broken = broken_rule(answer, self.puzzle)
            caption = f"Not a solution: {broken}." if broken else "A solution."
            marked = mistakes(answer.grid, self.puzzle)
            yield Picture(answer.grid, self.puzzle, None, marked), caption


def _fitting(svg: str) -> str:
    """Return the image, which shrinks with its container."""
    return svg.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)
