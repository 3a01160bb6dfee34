"""An engine that is not to be trusted."""

from __future__ import annotations

import pylogic_sudoku as pls


class Liar(pls.Backend):
    """Says what it is told to."""

    name = "liar"
    engine = "liar"

    def __init__(self, answers: list[str]) -> None:
        self.answers = [pls.Grid.parse(answer) for answer in answers]

    def version(self) -> str:
        return "1"

    def solutions(self, puzzle, timeout=None):
        for answer in self.answers:
            if puzzle.digits.count(0) or puzzle == answer:
                yield answer
