"""Sudoku on two logic engines: SWI-Prolog and the answer set solver clingo.

>>> import pylogic_sudoku as pls
>>> pls.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
Grid.parse('534678912672195348198342567859761423426853791713924856961537284287419635345286179')

Importing the package imports no engine and none of its own modules: a module is imported with the
first use of a name in it, and an engine starts when it is first asked.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import aio as aio
    from . import check as check
    from . import draw as draw
    from . import explain as explain
    from . import rules as rules
    from . import techniques as techniques
    from ._api import PuzzleLike, candidates, count, is_unique, solutions, solve
    from ._batch import SolvedPuzzles, solve_many
    from ._compare import Answer, Comparison, CrossCheck, compare, cross_check
    from ._work import Trace, measure, propagate, trace
    from .engines import Backend, BackendInfo, backends
    from .engines.base import Event, Measurement
    from .engines.programs import Program, programs
    from .errors import (
        BackendFailure,
        BackendUnavailable,
        Disagreement,
        InvalidCertificate,
        InvalidPuzzle,
        NoSolution,
        NotGenerated,
        SolveTimeout,
        SudokuError,
    )
    from .explain import (
        Ambiguity,
        Clash,
        Explanation,
        Forced,
        Given,
        Open,
        Rating,
        Removal,
        Solvable,
        Step,
        Steps,
        SudokuRule,
        Walk,
        ambiguity,
        conflicts,
        hint,
        rate,
        steps,
        why,
        why_not,
    )
    from .formats import read_puzzles
    from .grid import Candidates, Cell, Duplicate, Grid, House, Placement
    from .making import MadePuzzles, Tally, generate
    from .proofs import Certificate, certify
    from .puzzle import Mark, Puzzle
    from .rules import Rule

    __version__: str

__all__ = [
    "Ambiguity",
    "Answer",
    "Backend",
    "BackendFailure",
    "BackendInfo",
    "BackendUnavailable",
    "Candidates",
    "Cell",
    "Certificate",
    "Clash",
    "Comparison",
    "CrossCheck",
    "Disagreement",
    "Duplicate",
    "Event",
    "Explanation",
    "Forced",
    "Given",
    "Grid",
    "House",
    "InvalidCertificate",
    "InvalidPuzzle",
    "MadePuzzles",
    "Mark",
    "Measurement",
    "NoSolution",
    "NotGenerated",
    "Open",
    "Placement",
    "Program",
    "Puzzle",
    "PuzzleLike",
    "Rating",
    "Removal",
    "Rule",
    "Solvable",
    "SolveTimeout",
    "SolvedPuzzles",
    "Step",
    "Steps",
    "SudokuError",
    "SudokuRule",
    "Tally",
    "Trace",
    "Walk",
    "ambiguity",
    "backends",
    "candidates",
    "certify",
    "compare",
    "conflicts",
    "count",
    "cross_check",
    "generate",
    "hint",
    "is_unique",
    "measure",
    "programs",
    "propagate",
    "rate",
    "read_puzzles",
    "solutions",
    "solve",
    "solve_many",
    "steps",
    "trace",
    "why",
    "why_not",
]

if not TYPE_CHECKING:  # a type checker that saw `__getattr__` would accept any name
    # Packages that are imported when they are first used. `serve` and `notebook` are not among
    # them, since they need more than a plain installation has.
    _PACKAGES = ("aio", "check", "draw", "explain", "rules", "techniques")
    _MODULES = ("engines", "errors", "formats", "grid", "puzzle")
    _HOMES = {
        "_api": "PuzzleLike candidates count is_unique solutions solve",
        "_batch": "SolvedPuzzles solve_many",
        "_compare": "Answer Comparison CrossCheck compare cross_check",
        "_work": "Trace measure propagate trace",
        "engines": "Backend BackendInfo backends",
        "engines.base": "Event Measurement",
        "engines.programs": "Program programs",
        "errors": "BackendFailure BackendUnavailable Disagreement InvalidCertificate InvalidPuzzle"
        " NoSolution NotGenerated SolveTimeout SudokuError",
        "formats": "read_puzzles",
        "grid": "Candidates Cell Duplicate Grid House Placement",
        "making": "MadePuzzles Tally generate",
        "proofs": "Certificate certify",
        "puzzle": "Mark Puzzle",
        "rules": "Rule",
    }
    _HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

    def __getattr__(name):
        from importlib import import_module

        # The version is only in pyproject.toml; reading it takes longer than all other imports.
        if name == "__version__":
            found = import_module("importlib.metadata").version("pylogic-sudoku")
        elif name in _PACKAGES or name in _MODULES:
            found = import_module(f"{__name__}.{name}")
        elif name in __all__:  # most of the names without a home here belong to explanations
            found = getattr(import_module(f"{__name__}.{_HOME.get(name, 'explain')}"), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found  # the next access does not come here
        return found

    def __dir__():
        special = [name for name in globals() if name.startswith("__")]
        return sorted({*special, *__all__, *_PACKAGES, "__version__"})


def load_ipython_extension(shell: object) -> None:
    """Add the cell magics: ``%load_ext pylogic_sudoku`` in IPython and Jupyter calls this."""
    from .notebook import load

    load(shell)
