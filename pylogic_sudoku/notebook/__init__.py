"""What ``%load_ext pylogic_sudoku`` brings: cells of a notebook that run on a puzzle."""

from ._answers import Answers
from ._magics import CellFailed, load

__all__ = ["Answers", "CellFailed", "load"]
