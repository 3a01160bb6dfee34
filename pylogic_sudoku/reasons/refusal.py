"""Reasons why a program does not have an answer that another program has.

`refusal` names the lines of the program that exclude the answer. For clingo they come from
`statements` next door, for Prolog from ``prolog/host/refusal.pl``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engines import engine_for
from ..engines.clingo.instances import ClingoInstances
from ..engines.command.instances import CommandInstances
from ..engines.prolog.instances import PrologInstances
from ..engines.registry import able
from ..errors import BackendFailure, shown
from ..problem import Answer, Instance
from ..running.workers import Budget
from .lines import Line, Refusal

if TYPE_CHECKING:
    from ..engines.base import ProblemEngine

__all__ = ["Line", "Refusal", "refusal"]


def refusal(
    instance: Instance,
    answer: Answer,
    backend: str | ProblemEngine,
    timeout: float | None = None,
) -> Refusal:
    """Explain why a program of the instance's problem does not have an answer.

    >>> from pylogic_sudoku import Atom, Problem
    >>> both = Answer([Atom("queen", (1, 1)), Atom("queen", (2, 2))])
    >>> found = refusal(Problem("queens").instance("size(2)."), both, "clingo")
    >>> [(line.file, line.number, line.words) for line in found.lines]
    [('queens.lp', 26, 'counts 2 in the braces where N=2, D=0')]

    Args:
        instance: An instance of a `Problem`.
        answer: An `Answer`, which another of its programs has.
        backend: The name of the program, such as ``"prolog"``, or an engine.
        timeout: In seconds, over 0, for all of it; None means no limit.

    Raises:
        SolveTimeout: If the time is used up before the answer is known.
        BackendUnavailable: If the engine cannot be used here.
        BackendFailure: If the engine breaks, or cannot answer the question.
        InvalidProblem: If there is no such program.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.
    """
    if not isinstance(instance, Instance):
        raise TypeError(f"{shown(instance)} is not an instance of a problem")
    if not isinstance(answer, Answer):
        raise TypeError(
            f"{shown(answer)} is not an Answer; expected one, such as"
            " Answer([Atom('queen', (1, 5))])"
        )
    engine = engine_for(backend, instance)
    budget = Budget(engine.name, timeout)
    if isinstance(engine, PrologInstances):
        from .goals import refused as of_goals

        return of_goals(engine, instance, answer, budget)
    if isinstance(engine, ClingoInstances):
        from .statements import refused as of_statements

        return of_statements(engine, instance, answer, budget)
    if isinstance(engine, CommandInstances):
        return Refusal(engine.name, "unknown", why="a command does not say why")
    raise BackendFailure(
        f"{engine.name} cannot say why it refuses an answer; choose {able('refusal')}"
    )
