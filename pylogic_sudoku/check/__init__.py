"""The grader compares any ASP or Prolog program with solutions known to be right.

>>> from pylogic_sudoku.check import grade
>>> for verdict in grade("my.lp", "instances", "solutions"):  # doctest: +SKIP
...     print(verdict.instance, verdict.outcome)
>>> assert grade("my.lp", "puzzles.txt")  # doctest: +SKIP

The command ``pylogic-sudoku check`` prints these verdicts; ``docs/grading.md`` says more.
"""

from ._exercise import Exercise
from ._grading import Grader, Verdicts, grade
from ._instances import VOCABULARIES, Vocabulary, vocabulary_of
from ._process import Bounds
from ._result import Report, Result
from ._verdict import Outcome, Points, Verdict

__all__ = ["VOCABULARIES", "Bounds", "Exercise", "Grader", "Outcome", "Points", "Report", "Result"]
__all__ += ["Verdict", "Verdicts", "Vocabulary", "grade", "vocabulary_of"]
