"""Explanations: why a digit is forced, why another is impossible, what is wrong with a puzzle.

Each answer is an `Explanation`: text, JSON and a picture, and a claim that an engine can check.
`asplain` answers a question as a graph, a `Foil`.
"""

from ..rules.demands import Detail, SudokuRule
from .answer import Explanation, Mus
from .cell import Forced, Given, Open, Removal, why, why_not
from .faults import Ambiguity, Clash, Solvable, ambiguity, conflicts
from .graph import PRUNINGS, Foil, asplain, cost_encodings
from .redundancy import Redundancy, redundant

__all__ = [
    "PRUNINGS",
    "Ambiguity",
    "Clash",
    "Detail",
    "Explanation",
    "Foil",
    "Forced",
    "Given",
    "Mus",
    "Open",
    "Redundancy",
    "Removal",
    "Solvable",
    "SudokuRule",
    "ambiguity",
    "asplain",
    "conflicts",
    "cost_encodings",
    "redundant",
    "why",
    "why_not",
]
