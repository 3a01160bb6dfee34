"""Explanations: why a digit is forced, why another is impossible, what is wrong with a puzzle.

Each answer is an `Explanation`: text, JSON and a picture, and a claim that an engine can check.
"""

from .ambiguity import ambiguity
from .conflicts import conflicts
from .explanation import Explanation
from .rating import Rating, rate
from .step import Step
from .steps import Steps, hint, steps
from .why import why
from .why_not import why_not

__all__ = [
    "Explanation",
    "Rating",
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
