"""Who takes part."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from .engines import (
    BareClingo,
    ClassicProlog,
    ClingoProcess,
    FreshClingo,
    Ours,
    Parallel,
    SymbolsOnly,
)
from .peers import Z3, Cpmpy, OrTools, PySudoku, PySwip, PythonConstraint
from .solver import Contestant

__all__ = ["OURS", "contestants"]

OURS = ("clingo", "prolog")
"""Those that the others are held against."""


def contestants(jobs: int, clingo_options: Sequence[str] = ()) -> tuple[Contestant, ...]:
    """All of them; those with several processes have `jobs`, each set of options is one more."""
    many = f"solve_many in {jobs} processes"
    return (
        Contestant("clingo", partial(Ours, backend="clingo"), "clingo", "our engine in one thread"),
        Contestant(
            "prolog", partial(Ours, backend="prolog"), "janus-swi", "our engine in one thread"
        ),
        Contestant("clingo-jobs", partial(Parallel, backend="clingo", jobs=jobs), "clingo", many),
        Contestant(
            "prolog-jobs", partial(Parallel, backend="prolog", jobs=jobs), "janus-swi", many
        ),
        Contestant(
            "clingo-bare",
            BareClingo,
            "clingo",
            "our program and options in a loop: ground once, givens as assumptions, symbols made"
            " grids",
        ),
        *(
            Contestant(
                f"clingo-bare {options.removeprefix('--configuration=')}",
                partial(BareClingo, options=options.split()),
                "clingo",
                f"the same loop with {options} instead of our options",
            )
            for options in clingo_options
        ),
        Contestant(
            "clingo-symbols",
            SymbolsOnly,
            "clingo",
            "the same loop as clingo-bare, but the symbols are only read",
        ),
        Contestant(
            "clingo-fresh", FreshClingo, "clingo", "pairwise.lp, a fresh Control a puzzle, defaults"
        ),
        Contestant(
            "clingo-process",
            ClingoProcess,
            "clingo",
            "sudoku.lp, python -m clingo a puzzle, defaults",
        ),
        Contestant(
            "prolog-classic",
            ClassicProlog,
            "janus-swi",
            "classic_sudoku.pl: 27 all_distinct, label row by row",
        ),
        Contestant(
            "ortools",
            OrTools,
            "ortools",
            "CP-SAT, a model a puzzle, AllDifferent, one worker; no linear relaxation, symmetry"
            " or probing",
        ),
        Contestant("cpmpy", Cpmpy, "cpmpy", "on ortools with the same settings"),
        Contestant("z3", Z3, "z3-solver", "bit vectors, Distinct, solver for QF_FD"),
        Contestant("py-sudoku", PySudoku, "py-sudoku", "solve()"),
        Contestant("pyswip", PySwip, "pyswip", "its example: library(bounds), leftmost cell first"),
        Contestant(
            "python-constraint",
            PythonConstraint,
            "python-constraint2",
            "AllDifferentConstraint, BacktrackingSolver with forward checking",
        ),
    )
