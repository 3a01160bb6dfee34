"""The grader: anybody's ASP or Prolog program, compared with solutions known to be right.

>>> from pylogic_sudoku.check import grade
>>> for verdict in grade("my.lp", "instances", "solutions"):  # doctest: +SKIP
...     print(verdict.instance, verdict.outcome)

The command ``pylogic-sudoku check`` prints these verdicts; ``docs/grading.md`` says more.
"""

from ._exercise import Exercise
from ._grading import grade
from ._instances import VOCABULARIES, Vocabulary, vocabulary_of
from ._verdict import Outcome, Verdict

__all__ = ["VOCABULARIES", "Exercise", "Outcome", "Verdict", "Vocabulary", "grade", "vocabulary_of"]
