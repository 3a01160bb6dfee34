"""Answers that a reference does not list, judged by a program of the problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial

from ..engines import engine_for
from ..engines.clingo.instances import ClingoInstances
from ..engines.running import Budget
from ..errors import SolveTimeout, SudokuError, counted
from ..problem import Answer, Instance


def judged(
    program: str, facts: Instance, answers: Sequence[Answer], seconds: float
) -> tuple[list[bool], str]:
    """Return for each answer whether a program of the problem has it.

    If not all could be judged, there are the first ones only, and the reason.
    """
    results: list[bool] = []
    try:
        for accepted in _judgements(program, facts, answers, seconds):
            results.append(accepted)
    except SolveTimeout:
        reason = f"it needs more than {seconds:g} s"
    except SudokuError as error:
        reason = str(error)
    else:
        return results, ""
    left = counted(len(answers) - len(results), "answer")
    return results, f"the reference, {program}, could not judge {left}: {reason}"


def _judgements(
    program: str, facts: Instance, answers: Sequence[Answer], seconds: float
) -> Iterator[bool]:
    engine = engine_for(program, facts)
    if isinstance(engine, ClingoInstances) and engine.outputs:
        with closing(engine.confirm_each(facts, answers, seconds)) as confirmations:
            yield from confirmations
        return
    budget = Budget(engine.name, seconds)
    for answer in answers:
        yield budget.spend(partial(engine.confirms, facts, answer))
