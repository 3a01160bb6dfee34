"""The techniques of people: their names, how hard they are, and where each applies.

>>> import pylogic_sudoku as pls
>>> pls.techniques.TECHNIQUES["xy_wing"].name
'XY-wing'
"""

from ._find import find
from ._table import TECHNIQUES, Technique

__all__ = ["TECHNIQUES", "Technique", "find"]
