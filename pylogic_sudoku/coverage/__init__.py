"""Coverage of logic programs by instances: the parts of them that no instance would miss.

>>> from pylogic_sudoku.coverage import cover
>>> print(cover("queens", programs=["clingo"]).summary)
queens: 5 of 5 parts noticed by 5 instances

The command ``pylogic-sudoku coverage`` prints it; see ``docs/testing.md``.
"""

from __future__ import annotations

from .cobertura import as_cobertura
from .edits import Edit
from .html import as_html
from .plan import Plan, cover, plan_of
from .result import Coverage, ProgramCoverage
from .trials import Trial

__all__ = ["Coverage", "Edit", "Plan", "ProgramCoverage", "Trial", "as_cobertura", "as_html"]
__all__ += ["cover", "plan_of"]
