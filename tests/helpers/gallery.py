"""The encodings of the gallery: what each takes and gives, and a small loop that runs them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import clingo

from helpers.programs import resource
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.files import encoding as text_of

Answer = frozenset[str]
"""The atoms that an answer set shows."""


class Encoding(NamedTuple):
    """A file in ``encodings/`` and its vocabulary."""

    name: str
    given: str = "initial"
    answer: str = "sudoku"
    also_given: str | None = None
    """Another predicate that givens may have."""
    square: bool = False
    """True if boxes must be as high as wide."""

    @property
    def path(self) -> Path:
        return resource(f"encodings/{self.file}.lp")

    @property
    def file(self) -> str:
        """Its name below ``encodings/``."""
        folders = {"sudoku": "", "one_puzzle": "", "explain": "explaining/"}
        return f"{folders.get(self.name, 'programs/')}{self.name}"

    @property
    def program(self) -> str:
        """Its text, with what it includes."""
        return text_of(self.file)

    def claims(self, box: tuple[int, int]) -> bool:
        return not self.square or box[0] == box[1]

    def options(self, box: tuple[int, int]) -> list[str]:
        """Options for the shape of the boxes; none if the program starts with that one."""
        if box == (3, 3):
            return []
        if self.square:
            return ["-c", f"subgrid_size={box[0]}"]
        return ["-c", f"box_rows={box[0]}", "-c", f"box_columns={box[1]}"]

    def givens(self, puzzle: Grid | Puzzle) -> str:
        facts = [f"{self.given}{tuple(placement)}." for placement in puzzle.givens]
        facts += [f"excluded{tuple(placement)}." for placement in puzzle.excluded]
        for number, region in enumerate(puzzle.layout.regions or (), 1):
            facts += [f"region({number},{x},{y})." for x, y in region]
        return " ".join(facts)

    def shown(self, grid: Grid) -> Answer:
        """The answer set that this full grid is."""
        return frozenset(f"{self.answer}({x},{y},{n})" for x, y, n in grid.givens)


ENCODINGS = (
    Encoding("sudoku", also_given="sudoku"),
    Encoding("pairwise", given="sudoku"),
    Encoding("numbered_box", given="numberAt", answer="numberAt"),
    Encoding("subgrid_labels", square=True),
    Encoding("cardinality"),
)
EXPLAIN = Encoding("explain")
"""For asplain; it must be told the shape of the boxes, and shows the givens, too."""


def answers(
    program: str, facts: str = "", options: Sequence[str] = (), limit: int = 0
) -> tuple[list[Answer], list[str]]:
    """Every answer set of the program and the facts (0: no limit), and what clingo grumbled."""
    grumbles: list[str] = []
    control = clingo.Control(
        [*options, str(limit)], logger=lambda _code, message: grumbles.append(message)
    )
    control.add("base", [], program)
    control.add("base", [], facts)
    control.ground()
    with control.solve(yield_=True) as handle:
        return [frozenset(map(str, model.symbols(shown=True))) for model in handle], grumbles


# --- what is wrong with givens, in any vocabulary, on a 4x4 grid -------------------------

SMALL = (2, 2)
WRONG = {
    "twice in a row": "{0}(1,1,3). {0}(1,4,3).",
    "twice in a column": "{0}(1,1,3). {0}(4,1,3).",
    "twice in a box": "{0}(1,1,3). {0}(2,2,3).",
    "twice in a box, the other way": "{0}(3,4,3). {0}(4,3,3).",
    "two in a cell": "{0}(1,1,3). {0}(1,1,4).",
    "no such row": "{0}(5,1,3).",
    "no such cell": "{0}(5,5,3).",
    "row 0": "{0}(0,1,3).",
    "no such column": "{0}(1,5,3).",
    "column 0": "{0}(1,0,3).",
    "no such digit": "{0}(1,1,5).",
    "digit 0": "{0}(1,1,0).",
    "no number": "{0}(1,1,three).",
}
