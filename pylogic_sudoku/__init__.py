"""Sudoku on two logic engines: SWI-Prolog's clpfd and the answer set solver clingo.

>>> import pylogic_sudoku as pls
>>> pls.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
Grid.parse('534678912672195348198342567859761423426853791713924856961537284287419635345286179')

Importing the package imports no engine; an engine starts when it is first asked.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .api import Puzzle, candidates, count, is_unique, solutions, solve

# From here on the name is the function; `pylogic_sudoku.backends.clingo` is still imported as such.
from .backends import Backend, BackendInfo, backends
from .batch import SolvedPuzzles, solve_many
from .compare import Comparison, CrossCheck, compare, cross_check
from .errors import (
    BackendFailure,
    BackendUnavailable,
    Disagreement,
    InvalidPuzzle,
    NoSolution,
    SolveTimeout,
    SudokuError,
)
from .formats import read_puzzles
from .grid import Conflict, Grid, House

if TYPE_CHECKING:
    from . import check as check
    from .explain import (
        Explanation,
        Rating,
        Step,
        Steps,
        ambiguity,
        conflicts,
        hint,
        rate,
        steps,
        why,
        why_not,
    )

__all__ = [
    "Backend",
    "BackendFailure",
    "BackendInfo",
    "BackendUnavailable",
    "Comparison",
    "Conflict",
    "CrossCheck",
    "Disagreement",
    "Explanation",
    "Grid",
    "House",
    "InvalidPuzzle",
    "NoSolution",
    "Puzzle",
    "Rating",
    "SolveTimeout",
    "SolvedPuzzles",
    "Step",
    "Steps",
    "SudokuError",
    "ambiguity",
    "backends",
    "candidates",
    "compare",
    "conflicts",
    "count",
    "cross_check",
    "hint",
    "is_unique",
    "rate",
    "read_puzzles",
    "solutions",
    "solve",
    "solve_many",
    "steps",
    "why",
    "why_not",
]


def __getattr__(name: str) -> Any:
    # The version stands in pyproject.toml only; reading it takes longer than all other imports.
    if name == "__version__":
        from importlib.metadata import version

        return version("pylogic-sudoku")
    if name == "check":  # the grader, which few programs need either
        return import_module(".check", __name__)
    # Explanations are a package of their own, and few programs ask for any.
    if name in __all__:
        from . import explain

        return getattr(explain, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """Called by ``%load_ext pylogic_sudoku`` in IPython and Jupyter: adds the cell magics."""
    from .notebook import load

    load(shell)
