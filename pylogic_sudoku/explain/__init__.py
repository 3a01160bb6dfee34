"""Explanations: why a digit is forced, why another is impossible, what is wrong with a puzzle.

Each answer is an `Explanation`: text, JSON and a picture, and a claim that an engine can check.
`asplain` answers a question as a graph, a `Foil`.
"""

from ..rules.demands import Grain, SudokuRule
from .answer import Explanation
from .cell import Forced, Given, Open, Removal, why, why_not
from .faults import Ambiguity, Clash, Solvable, ambiguity, conflicts
from .graph import PRUNINGS, Foil, asplain, cost_encodings
from .mus import Core

__all__ = [
    "PRUNINGS",
    "Ambiguity",
    "Clash",
    "Core",
    "Explanation",
    "Foil",
    "Forced",
    "Given",
    "Grain",
    "Open",
    "Removal",
    "Solvable",
    "SudokuRule",
    "ambiguity",
    "asplain",
    "conflicts",
    "cost_encodings",
    "why",
    "why_not",
]
