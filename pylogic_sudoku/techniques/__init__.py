"""The techniques of people: their names, how hard they are, and where each applies.

>>> import pylogic_sudoku as pls
>>> pls.techniques.TECHNIQUES["xy_wing"].name
'XY-wing'
"""

from .step import Step
from .table import TECHNIQUES, Technique
from .way import Rating, Steps, Walk, find, hint, rate, steps, steps_to

__all__ = ["TECHNIQUES", "Rating", "Step", "Steps", "Technique", "Walk", "find", "hint", "rate"]
__all__ += ["steps", "steps_to"]
