"""The grader compares any ASP or Prolog program with solutions known to be right.

>>> from pylogic_sudoku.check import grade
>>> for verdict in grade("my.lp", "instances", "solutions"):  # doctest: +SKIP
...     print(verdict.instance, verdict.outcome)
>>> assert grade("my.lp", "puzzles.txt")  # doctest: +SKIP

The command ``pylogic-sudoku check`` prints these verdicts; see ``docs/grading.md``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .cases import VOCABULARIES, Vocabulary, vocabulary_of
from .diagnosis import Diagnosis, Place
from .grading import Grader, Verdicts, explain, grade
from .results import Report, Result
from .verdict import Outcome, Verdict

if TYPE_CHECKING:
    from .exercise import Exercise as Exercise
    from .marks import Marks as Marks
    from .marks import mark_class as mark_class

__all__ = ["VOCABULARIES", "Diagnosis", "Exercise", "Grader", "Outcome", "Place"]
__all__ += ["Report", "Result", "Verdict", "Verdicts", "Vocabulary", "explain"]
__all__ += ["Marks", "grade", "mark_class", "vocabulary_of"]

if not TYPE_CHECKING:  # a type checker that saw `__getattr__` would accept any name

    def __getattr__(name):
        """A name that few need, loaded when it is first used; `Exercise` is about sudoku."""
        if name in ("Marks", "mark_class"):
            from . import marks

            return getattr(marks, name)
        if name != "Exercise":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(f"{__name__}.exercise").Exercise
