"""Explanations: why a digit is forced, why another is impossible, what is wrong with a puzzle.

Each answer is an `Explanation`: text, JSON and a picture, and a claim that an engine can check.
"""

from .ambiguity import Ambiguity, ambiguity
from .conflicts import Clash, Solvable, conflicts
from .explanation import Explanation
from .rating import Rating, rate
from .rules import Rule
from .step import Step
from .steps import Steps, hint, steps
from .why import Forced, Given, Open, why
from .why_not import Removal, why_not

__all__ = [
    "Ambiguity",
    "Clash",
    "Explanation",
    "Forced",
    "Given",
    "Open",
    "Rating",
    "Removal",
    "Rule",
    "Solvable",
    "Step",
    "Steps",
    "ambiguity",
    "conflicts",
    "hint",
    "rate",
    "steps",
    "why",
    "why_not",
]
