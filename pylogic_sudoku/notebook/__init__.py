"""``%load_ext pylogic_sudoku``: notebook cells that run a program on a puzzle."""

from ._answers import Answers
from ._magics import CellFailed, load

__all__ = ["Answers", "CellFailed", "load"]
