"""The grader compares any ASP or Prolog program with solutions known to be right.

>>> from pylogic_sudoku.check import grade
>>> for verdict in grade("my.lp", "instances", "solutions"):  # doctest: +SKIP
...     print(verdict.instance, verdict.outcome)
>>> assert grade("my.lp", "puzzles.txt")  # doctest: +SKIP

The command ``pylogic-sudoku check`` prints these verdicts; see ``docs/grading.md``.
"""

from .diagnosis import Diagnosis, Place
from .exercise import Exercise
from .grading import Grader, Verdicts, explain, grade
from .instances import VOCABULARIES, Vocabulary, vocabulary_of
from .reports import Report, Result
from .verdict import Outcome, Verdict

__all__ = ["VOCABULARIES", "Diagnosis", "Exercise", "Grader", "Outcome", "Place"]
__all__ += ["Report", "Result", "Verdict", "Verdicts", "Vocabulary", "explain"]
__all__ += ["grade", "vocabulary_of"]
