"""The program that draws the answers of a problem: ``draw.lp`` in its folder.

It reads the facts of an instance and the atoms of an answer, and shows a picture in the words of
clingraph: ``node/1``, ``edge/1``, ``attr/4`` and their like. `Drawing` makes a problem of it, so it
is asked as any other program is.
"""

from __future__ import annotations

from pathlib import Path

from . import Signature
from .folder import Problem, declared

DRAWS = "draw.lp"
"""The file in the folder of a problem."""


class Drawing(Problem):
    """A problem whose answers are pictures of the answers to another one.

    An instance has the facts of the other problem's, and the atoms of an answer.

    >>> drawing = Drawing(Problem("queens"))
    >>> import pylogic_sudoku as pls
    >>> picture = pls.solve(drawing.instance("size(1). queen(1,1)."))
    >>> assert picture
    >>> picture.values("node")
    [((1, 1),)]

    Raises:
        InvalidProblem: If the folder of the other problem has no ``draw.lp``.
    """

    def __init__(self, drawn: Problem) -> None:
        self._drawn = drawn
        super().__init__(drawn.folder)
        self.path("clingo")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Drawing) and self._drawn == other._drawn

    def __hash__(self) -> int:
        return hash((DRAWS, self._drawn))

    @property
    def paths(self) -> dict[str, Path]:
        """The program, which is for clingo."""
        path = self.folder / DRAWS
        return {"clingo": path} if path.is_file() else {}

    @property
    def outputs(self) -> frozenset[Signature]:
        """The predicates that the program shows."""
        return declared(self.folder / DRAWS).shown

    @property
    def inputs(self) -> frozenset[Signature]:
        """The predicates of the instances and the answers of the other problem."""
        return self._drawn.inputs | self._drawn.outputs
