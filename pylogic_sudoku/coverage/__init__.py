"""Coverage of logic programs by instances: which parts of them would nobody miss?

>>> from pylogic_sudoku.coverage import cover
>>> print(cover("queens", programs=["clingo"]).summary)
queens: 5 of 5 parts noticed by 5 instances

The command ``pylogic-sudoku coverage`` prints it; see ``docs/testing.md``.
"""

from __future__ import annotations

from .edits import Edit
from .plan import Coverage, Plan, ProgramCoverage, cover, plan_of
from .trials import Trial

__all__ = ["Coverage", "Edit", "Plan", "ProgramCoverage", "Trial", "cover", "plan_of"]
