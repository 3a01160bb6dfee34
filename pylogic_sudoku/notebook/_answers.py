"""What the program of a cell answers: a sequence of grids that shows itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from ..check._answers import Answer, broken_rule
from ..check._programs import Run
from ..draw import Picture, mistakes
from ..grid import Grid

__all__ = ["Answers"]

MOST_PICTURES = 6


class Answers(Sequence[Grid]):
    """Every different grid that the program of a cell gave, right or wrong, in its order.

    A grid is empty where the program says nothing.
    """

    def __init__(self, puzzle: Grid, run: Run) -> None:
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
        """The pictures as text."""
        parts = [self._summary()]
        for picture, said in self._shown():
            parts += [picture.to_text(), said, ""]
        return "\n".join([*parts, self._run.message]).strip()

    def _repr_html_(self) -> str:
        width = "" if len(self) == 1 else ";width:220px"
        figures = (
            f'<figure style="margin:0{width}">{_fitting(picture.to_svg())}'
            f"<figcaption>{escape(said)}</figcaption></figure>"
            for picture, said in self._shown()
        )
        row = f'<div style="display:flex;flex-wrap:wrap;gap:16px">{"".join(figures)}</div>'
        printed = f"<pre>{escape(self._run.message)}</pre>" if self._run.message else ""
        return f"<p>{escape(self._summary())}</p>{row}{printed}"

    def _summary(self) -> str:
        number = len(self)
        if not number:
            return "No answer."
        said = "1 answer" if number == 1 else f"{number} answers"
        said += ", and there are no others." if self.exhausted else "; -n 0 finds all there are."
        if self._run.found > number:
            said += f" They were found {self._run.found} times: {self._run.again}."
        if number > MOST_PICTURES:
            said += f" Here are {MOST_PICTURES} of them."
        return said

    def _shown(self) -> Iterator[tuple[Picture, str]]:
        for answer in self._run.answers[:MOST_PICTURES]:
            broken = broken_rule(answer, self.puzzle)
            said = f"Not a solution: {broken}." if broken else "A solution."
            yield Picture(answer.grid, self.puzzle, None, mistakes(answer.grid, self.puzzle)), said


def _fitting(svg: str) -> str:
    """The image, made smaller where its place is."""
    return svg.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)
