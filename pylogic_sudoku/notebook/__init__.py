"""What ``%load_ext pylogic_sudoku`` brings: cells of a notebook that run on a puzzle."""

from .answers import Answers
from .magics import CellFailed, load

__all__ = ["Answers", "CellFailed", "load"]
