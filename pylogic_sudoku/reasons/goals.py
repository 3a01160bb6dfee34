"""The goals of a Prolog program that keep an answer out."""

from __future__ import annotations

from ..engines.prolog.instances import PrologInstances
from ..errors import cost_text
from ..problem import Answer, Instance
from ..running.workers import Budget
from .lines import Line, Refusal


def refused(engine: PrologInstances, instance: Instance, answer: Answer, budget: Budget) -> Refusal:
    """Explain why Prolog's program refuses the answer."""
    kind, together, why, rows = budget.spend(
        lambda seconds_left: engine.refusal(instance, answer, seconds_left)
    )
    own = engine.path.name
    lines: dict[tuple[str, int, str], Line] = {}
    for file, number, column, text, _ in rows:
        lines.setdefault((file, number, text), Line(file or own, number, text, column))
    if kind == "unfound" and why:
        best = budget.spend(lambda seconds_left: engine.solve(instance, seconds_left))
        if best is not None and cost_text(best.cost) != why:
            words = f"its cost is {why}, and the best is {cost_text(best.cost)}"
            return Refusal(engine.name, "cost", why=words)
        why = ""
    if kind == "unfound" and budget.spend(
        lambda seconds_left: engine.confirms(instance, answer, seconds_left)
    ):
        return Refusal(engine.name, "accepted")
    return Refusal(engine.name, kind, tuple(lines.values()), together, why)
