"""The choice of an engine for a question, whatever it is about.

`engine_for` is the engine of a name for an instance of any problem, or a sudoku, and `comparable`
turns names and patterns into names. A question names the module that chooses: `choice` for an
instance, `sudoku.choice` for a sudoku. `specs` lists the engines; other packages add one by an
entry point.

A *program* is a file that states sudoku, or another problem, for an engine: see `programs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ..errors import shown
from .base import Engine, ProblemEngine
from .program import (
    Program,
    describe,
    is_pattern,
    matches,
    matching,
    program_named,
    program_names,
    programs,
)
from .specs import BUILT_IN, EngineSpec

if TYPE_CHECKING:
    from ..problem import Instance
    from ..puzzle import Grid, Puzzle
    from ..question import Question
    from .sudoku.base import SudokuEngine

__all__ = ["BUILT_IN", "EngineSpec", "Program", "comparable", "describe", "engine_for"]
__all__ += ["is_pattern", "matches", "matching", "no_engine", "program_named", "program_names"]
__all__ += ["programs"]

AnyEngine = Engine[Any, Any, Any]
EngineT = TypeVar("EngineT", bound=str | AnyEngine)


@overload
def engine_for(backend: str | AnyEngine, question: Instance) -> ProblemEngine: ...
@overload
def engine_for(backend: str | AnyEngine, question: Grid | Puzzle) -> SudokuEngine: ...
@overload
def engine_for(backend: str | AnyEngine, question: Question) -> AnyEngine: ...
def engine_for(backend: str | AnyEngine, question: Question) -> AnyEngine:
    """The engine, if it knows all that the puzzle needs; BackendFailure otherwise.

    For an instance it is the engine with the problem's program; InvalidProblem if there is none.
    """
    engine: AnyEngine = import_module(question.choice).engine_for(backend, question)
    return engine


def comparable(engines: Sequence[EngineT], question: Question) -> tuple[EngineT, ...]:
    """The engines to compare on a puzzle or an instance, each once.

    ``"prolog:*"`` stands for all programs of Prolog that can solve it; BackendFailure if none can,
    BackendUnavailable if there are none. An optional engine that cannot is left out, unless fewer
    than two would remain.
    """
    chosen: tuple[EngineT, ...] = import_module(question.choice).comparable(engines, question)
    return chosen


def no_engine(value: object) -> TypeError:
    """The error for what is neither an engine nor the name of one."""
    return TypeError(
        f"the backend is {shown(value)}; expected an engine or its name, such as 'clingo'"
    )
