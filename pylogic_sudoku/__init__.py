"""One problem, two logics: clingo and SWI-Prolog; sudoku is the worked example.

State a problem in ASP and in Prolog: this runs both, checks that they agree, and names the line
that is wrong if they do not.

>>> import pylogic_sudoku as pls
>>> pls.solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
Grid.parse('534678912672195348198342567859761423426853791713924856961537284287419635345286179')

Importing the package imports no engine and none of its own modules: a module is imported with the
first use of a name in it, and an engine starts when it is first asked.
"""

from typing import TYPE_CHECKING

# ruff: noqa: F403
if TYPE_CHECKING:  # a star stands for a module all of whose exported names are exported here, too
    from . import aio as aio
    from . import check as check
    from . import coverage as coverage
    from . import draw as draw
    from . import explain as explain
    from . import rules as rules
    from . import techniques as techniques
    from .engines import Program as Program
    from .engines import programs as programs
    from .engines.base import Event as Event
    from .engines.base import Measurement as Measurement
    from .engines.base import ProblemEngine as ProblemEngine
    from .engines.registry import EngineSpec as EngineSpec
    from .engines.sudoku import BackendInfo as BackendInfo
    from .engines.sudoku import SudokuEngine as SudokuEngine
    from .engines.sudoku import backends as backends
    from .engines.sudoku.base import Backend as Backend
    from .errors import *
    from .explain import Ambiguity as Ambiguity
    from .explain import Clash as Clash
    from .explain import Explanation as Explanation
    from .explain import Forced as Forced
    from .explain import Given as Given
    from .explain import Open as Open
    from .explain import Redundancy as Redundancy
    from .explain import Removal as Removal
    from .explain import Solvable as Solvable
    from .explain import SudokuRule as SudokuRule
    from .explain import ambiguity as ambiguity
    from .explain import conflicts as conflicts
    from .explain import redundant as redundant
    from .explain import why as why
    from .explain import why_not as why_not
    from .formats import PuzzleLike as PuzzleLike
    from .formats import read_puzzles as read_puzzles
    from .making import *
    from .problem import Answer as Answer
    from .problem import Atom as Atom
    from .problem import Instance as Instance
    from .problem import Remaining as Remaining
    from .problem.folder import Problem as Problem
    from .proofs import *
    from .puzzle import Grid as Grid
    from .puzzle import Mark as Mark
    from .puzzle import Puzzle as Puzzle
    from .puzzle.cells import Candidates as Candidates
    from .puzzle.cells import Cell as Cell
    from .puzzle.cells import Duplicate as Duplicate
    from .puzzle.cells import House as House
    from .puzzle.cells import Placement as Placement
    from .questions import *
    from .questions.comparison import Comparison as Comparison
    from .questions.comparison import CrossCheck as CrossCheck
    from .questions.comparison import EngineResult as EngineResult
    from .questions.comparison import SmallestSearch as SmallestSearch
    from .questions.comparison import compare as compare
    from .questions.comparison import cross_check as cross_check
    from .questions.comparison import smallest_difference as smallest_difference
    from .questions.comparison import smallest_search as smallest_search
    from .questions.many import SolvedPuzzles as SolvedPuzzles
    from .questions.many import solve_many as solve_many
    from .reasons.lines import Refusal as Refusal
    from .reasons.refusal import refusal as refusal
    from .rules import Rule as Rule
    from .techniques import Rating as Rating
    from .techniques import Step as Step
    from .techniques import Steps as Steps
    from .techniques import Walk as Walk
    from .techniques import hint as hint
    from .techniques import rate as rate
    from .techniques import steps as steps
    from .techniques import steps_to as steps_to

    __version__: str

if not TYPE_CHECKING:  # a type checker that saw `__getattr__` would accept any name
    # Packages that are imported when they are first used. `page` and `mcp` are not among them,
    # since they need more than a plain installation has.
    _PACKAGES = ("aio", "check", "coverage", "draw", "explain", "rules", "techniques")
    _MODULES = ("engines", "errors", "formats")
    _HOMES = {
        "engines": "Program programs",
        "engines.sudoku": "BackendInfo SudokuEngine backends",
        "engines.sudoku.base": "Backend",
        "engines.registry": "EngineSpec",
        "engines.base": "Event Measurement ProblemEngine",
        "errors": "BackendFailure BackendUnavailable Disagreement InvalidCertificate InvalidProblem"
        " InvalidPuzzle LogicError Message NoSolution NotGenerated ProgramWarning SolveTimeout"
        " SudokuError",
        "explain": "Ambiguity Clash Explanation Forced Given Open Redundancy Removal Solvable"
        " SudokuRule ambiguity conflicts redundant why why_not",
        "reasons.lines": "Refusal",
        "reasons.refusal": "refusal",
        "formats": "PuzzleLike read_puzzles",
        "making": "MadePuzzles generate",
        "problem": "Answer Atom Instance Remaining",
        "problem.folder": "Problem",
        "proofs": "Certificate certify",
        "puzzle.cells": "Candidates Cell Duplicate House Placement",
        "puzzle": "Grid Mark Puzzle",
        "questions.comparison": "Comparison CrossCheck EngineResult SmallestSearch"
        " compare cross_check smallest_difference smallest_search",
        "questions.many": "SolvedPuzzles solve_many",
        "questions": "Trace candidate_counts candidates count is_unique measure propagate solutions"
        " solve trace",
        "rules": "Rule",
        "techniques": "Rating Step Steps Walk hint rate steps steps_to",
    }
    _HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
    __all__ = sorted(_HOME)

    def __getattr__(name):
        from importlib import import_module

        # The version is only in pyproject.toml; reading it takes longer than all other imports.
        if name == "__version__":
            value = import_module("importlib.metadata").version("pylogic-sudoku")
        elif name in _PACKAGES or name in _MODULES:
            value = import_module(f"{__name__}.{name}")
        elif name in _HOME:
            value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value  # the next access bypasses this function
        return value

    def __dir__():
        special = [name for name in globals() if name.startswith("__")]
        return sorted({*special, *__all__, *_PACKAGES, "__version__"})


def load_ipython_extension(shell: object) -> None:
    """Add the cell magics: ``%load_ext pylogic_sudoku`` in IPython and Jupyter calls this."""
    from .cli.magics import load

    load(shell)
