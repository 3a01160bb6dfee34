"""The goals of a Prolog program that keep an answer out."""

from __future__ import annotations

from ..engines.prolog.instances import PrologInstances
from ..engines.running import Budget
from ..problem import Answer, Instance
from .lines import Line, Refusal


def refused(engine: PrologInstances, instance: Instance, answer: Answer, budget: Budget) -> Refusal:
    """Explain why Prolog's program refuses the answer."""
    kind, together, why, found = budget.spend(lambda left: engine.refusal(instance, answer, left))
    lines = (Line(engine.path.name, number, text) for number, text in found)
    if kind == "unfound":
        return _accepted(engine, instance, answer, tuple(lines), budget)
    return Refusal(engine.name, kind, tuple(dict.fromkeys(lines)), together, why)


def _accepted(
    engine: PrologInstances,
    instance: Instance,
    answer: Answer,
    lines: tuple[Line, ...],
    budget: Budget,
) -> Refusal:
    """Why an answer that every goal accepts is none: it costs too much, or is not found."""
    return Refusal(engine.name, "unfound", lines)
