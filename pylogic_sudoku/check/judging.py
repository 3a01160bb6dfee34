"""Questions about a reference: whether there is one, answers that it does not list, its constants.

And what ``check.lp`` finds in an answer.
"""

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
from ..errors import BackendFailure, InvalidPuzzle, LogicError, SolveTimeout, counted, listed
from ..problem import Answer, Instance
from ..problem.folder import Problem, template_words, with_loaded
from ..running.process import Limits
from ..running.workers import Budget
from .cases import Case
from .programs import Submission
from .tasks import Found


def open_words(problem: Problem) -> str:
    """The warning that the recorded answers to some instances are not all."""
    judge, unknown = "nothing judges", "an answer that is not recorded"
    if (problem.folder / "check.lp").is_file():
        judge, unknown = "only check.lp judges", "an answer that it does not refuse"
    return (
        f"{problem.folder}: some recorded answers are not all, and {judge} others: {unknown} is not"
        f" graded. {judges(problem)}"
    )


def judges(problem: Problem) -> str:
    """The words on what would judge answers that are not recorded."""
    return (
        f"Add a right program, {problem.name}.lp or {problem.name}.pl, a check.lp that derives"
        " violated(Text) from a wrong answer, or all answers"
    )


def no_reference(problem: Problem) -> InvalidPuzzle:
    """The error that nothing says what is right, with the place for it."""
    begun = list(filter(None, map(template_words, problem.paths.values())))
    if not begun:
        return InvalidPuzzle(
            f"{problem.folder} has no program that says what is right; expected one, or a folder of"
            " solutions"
        )
    name = f"{problem.name}{next(iter(problem.paths.values())).suffix}"
    recorded = (
        "the solutions into cases.pl"
        if problem.cases
        else (f"recorded answers into {problem.folder / 'solutions'}, as clingo writes them")
    )
    return InvalidPuzzle(
        f"{problem.folder}: {listed(begun)}, so it looks like a template for students. Put the"
        f" right program there, as {name}, and the template elsewhere; or {recorded}"
    )


def parts_of_reference(problem: Problem, program: Path) -> Iterator[Path]:
    """Yield the files of the programs in a folder, except those of this one.

    A program that is none of the main ones may not load a part of these either.
    """
    paths = problem.paths
    mains = [path for name, path in paths.items() if ":" not in name]
    files = dict.fromkeys(paths.values())
    for path in mains:
        files |= dict.fromkeys(with_loaded(path))
    own = {program.resolve()}
    if program.resolve() in mains:
        own.update(with_loaded(program))
    yield from (each for each in files if each not in own)


def not_known(problem: Problem, number: int, source: str) -> str:
    """Return the reason why a program with this number of other answers is not graded."""
    answers = "1 answer is" if number == 1 else f"{number} answers are"
    return (
        f"it is not known whether {answers} right: {source} has not all answers. {judges(problem)}"
    )


def not_judged(number: int, source: str) -> str:
    """Return the reason why a program is not graded with answers that no reference could judge."""
    return f"{source} could not judge {counted(number, 'answer')} in time, or cannot say why"


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
