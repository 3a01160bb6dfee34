"""Explanations: why a digit is forced, why another is impossible, what is wrong with a puzzle.

Each answer is an `Explanation`: text, JSON and a picture, and a claim that an engine can check.
`asplain` answers a question as a graph, a `Foil`.
"""

from .._demands import Grain, SudokuRule
from ._ambiguity import Ambiguity, ambiguity
from ._asplain import PRUNINGS, Foil, asplain, cost_encodings
from ._conflicts import Clash, Solvable, conflicts
from ._cores import Core
from ._explanation import Explanation
from ._forced import Forced
from ._step import Step
from ._steps import Steps, hint, rate, steps
from ._walk import Rating, Walk
from ._why import Given, Open, why
from ._why_not import Removal, why_not

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
    "Rating",
    "Removal",
    "Solvable",
    "Step",
    "Steps",
    "SudokuRule",
    "Walk",
    "ambiguity",
    "asplain",
    "conflicts",
    "cost_encodings",
    "hint",
    "rate",
    "steps",
    "why",
    "why_not",
]
