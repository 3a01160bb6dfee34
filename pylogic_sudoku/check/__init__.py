"""The grader compares any ASP or Prolog program with solutions known to be right.

>>> from pylogic_sudoku.check import grade
>>> for verdict in grade("my.lp", "instances", "solutions"):  # doctest: +SKIP
...     print(verdict.instance, verdict.outcome)

The command ``pylogic-sudoku check`` prints these verdicts; ``docs/grading.md`` says more.
"""

from ._exercise import Exercise
from ._grading import Outcome, Verdict, grade
from ._instances import VOCABULARIES, Vocabulary, vocabulary_of

__all__ = ["VOCABULARIES", "Exercise", "Outcome", "Verdict", "Vocabulary", "grade", "vocabulary_of"]
