"""Coverage of logic programs by instances: the parts of them that no instance would miss.

>>> from pylogic_sudoku.coverage import cover
>>> print(cover("queens", programs=["clingo"]).summary)
queens: 4 of 5 parts noticed by 5 instances

The command ``pylogic-sudoku coverage`` prints it; see ``docs/testing.md``.
"""

from __future__ import annotations

from .cobertura import as_cobertura
from .edits import Edit
from .html import as_html
from .mutants import Mutants, ProgramMutants, mutate
from .plan import Plan, cover, plan_of
from .pool import Pool
from .result import Coverage, ProgramCoverage
from .suggestions import Suggestion, suggest
from .trials import Trial

__all__ = ["Coverage", "Edit", "Mutants", "Plan", "Pool", "ProgramCoverage"]
__all__ += ["ProgramMutants", "Suggestion", "Trial", "as_cobertura", "as_html", "cover", "mutate"]
__all__ += ["plan_of", "suggest"]
