"""Explanations: why a digit is forced, why another is impossible, what is wrong with a puzzle.

Each answer is an `Explanation`: text, JSON and a picture, and a claim that an engine can check.
"""

from ._ambiguity import Ambiguity, ambiguity
from ._conflicts import Clash, Solvable, conflicts
from ._explanation import Explanation
from ._rating import Rating, rate
from ._rules import Rule
from ._step import Step
from ._steps import Steps, hint, steps
from ._why import Forced, Given, Open, why
from ._why_not import Removal, why_not

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
