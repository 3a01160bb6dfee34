"""Questions about a reference: answers that it does not list, its constants, and ``check.lp``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import clingo

from ..engines import engine_for
from ..engines.clingo.instances import ClingoInstances
from ..engines.clingo.session import EXACT, ground, loadable
from ..engines.servers import SERVERS
from ..errors import BackendFailure, LogicError, SolveTimeout, counted
from ..problem import Answer, Instance
from ..running.process import Limits
from ..running.workers import Budget
from .cases import Case
from .programs import Submission
from .tasks import Found


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
    except LogicError as error:
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


def adapted_answers(
    program: Submission[Any, Answer], instance: Case, question: Any, limit: int, seconds: float
) -> Found[Answer]:
    """Return the answers of a reference that runs as a submission does, with ``adapter.pl``.

    SolveTimeout if it does not end, BackendFailure for what it raises.
    """
    most = limit + 1 if limit else 0
    run = program.run(instance, question, most, Limits(seconds, _MEMORY))
    if run.stopped == "timeout":
        raise SolveTimeout("prolog", seconds)
    faults = [str(each.fault) for each in run.answers if each.fault]
    if run.stopped or faults:
        why = " ".join(filter(None, [run.ending, run.message, *faults[:1]]))
        raise BackendFailure(f"{instance.name}: the reference, {program.path.name}: {why}")
    answers = sorted((each.value for each in run.answers), key=sorted)
    complete = not limit or len(answers) <= limit
    return Found(answers[: limit or None], complete, ("prolog",), program.path.name)


_MEMORY = 2048
"""Megabytes for a reference that runs as a submission does."""
_UNDEFINED = re.compile(r"info: [a-z]+ undefined:\n(.*)", re.DOTALL)
_CONSTANT = re.compile(r'"(?:\\.|[^"\\])*"|(?<!\w)(_*[a-z]\w*)(?![\w(])', re.ASCII)
"""A text in quotes, or a name without arguments."""


def unset_constants(paths: Sequence[Path], facts: Instance, seconds: float) -> list[str]:
    """Return the constants with which programs for clingo compute, and that nothing sets.

    clingo takes them for names, with which nothing can be computed. None if that is not known.
    """
    if not paths:
        return []
    try:
        names = SERVERS["clingo"].call(
            Budget("clingo", seconds), _names_computed_with, paths, facts.text
        )
    except LogicError:
        return []
    return list(dict.fromkeys(names))


def _names_computed_with(paths: Sequence[Path], text: str) -> list[str]:
    names: list[str] = []

    def note(_code: object, message: str) -> None:
        if found := _UNDEFINED.search(message):
            names.extend(filter(None, _CONSTANT.findall(found[1])))

    for path in paths:
        control = clingo.Control(logger=note)
        control.add("base", [], text)
        with loadable(path) as name:
            control.load(name)
        control.ground()
    return names


def violated(path: Path, facts: str, seconds: float) -> str:
    """Return the texts of ``violated(Text)`` that a program derives from facts, in order.

    SolveTimeout or BackendFailure if that is not known.
    """
    return str(SERVERS["clingo"].call(Budget("clingo", seconds), _violated, path, facts))


def _violated(path: Path, facts: str) -> str:
    try:
        control = ground(facts, [EXACT, "--warn=none"], path)
        with control.solve(yield_=True) as handle:
            model = handle.model()
            atoms = model.symbols(atoms=True) if model else ()
    except RuntimeError as error:
        raise BackendFailure(str(error)) from None
    reasons = (each.arguments[0] for each in sorted(atoms) if each.match("violated", 1))
    return "; ".join(
        each.string if each.type == clingo.SymbolType.String else str(each) for each in reasons
    )
