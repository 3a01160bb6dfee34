"""Questions to the reference of a problem, each in a process of its own.

So nothing that a program of the problem does ends the grader, or keeps it waiting: grounding cannot
be interrupted, and an engine may die.
"""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ParamSpec, TypeVar

import clingo

from ..engines import engine_for
from ..engines.clingo.instances import ClingoInstances, least_cost
from ..engines.process import Limits, run
from ..errors import SudokuError, counted
from ..explain.lines import Refusal
from ..explain.refusal import refusal
from ..explain.statements import Definitions, definitions
from ..problem import Answer, Instance, Signature

P = ParamSpec("P")
T = TypeVar("T")

_UNDEFINED = re.compile(r"info: [a-z]+ undefined:\n(.*)", re.DOTALL)
_CONSTANT = re.compile(r'"(?:\\.|[^"\\])*"|(?<!\w)(_*[a-z]\w*)(?![\w(])', re.ASCII)
"""A text in quotes, or a name without arguments."""
_MAIN = (
    "import sys; sys.path.append(sys.argv.pop(1))\n"  # where the package is not installed
    "from pylogic_sudoku.check.asking import main; main(*sys.argv[1:])"
)


def judged(
    program: str, facts: Instance, answers: Sequence[Answer], seconds: float
) -> tuple[list[bool], str]:
    """Return for each answer whether a program of the problem has it.

    If not all could be judged, there are the first ones only, and the reason.
    """
    results, why = _asked(seconds, _judgements, program, facts, answers)
    if not why:
        return results, ""
    left = counted(len(answers) - len(results), "answer")
    return results, f"the reference, {program}, could not judge {left}: {why}"


def refused(facts: Instance, answer: Answer, backend: str, seconds: float) -> Refusal | None:
    """Return why a program of the problem refuses the answer; None if that is not known in time."""
    results, _ = _asked(seconds, _refusals, facts, answer, backend, seconds)
    return results[0] if results else None


def defined(
    path: Path, facts: Instance, answer: Answer, outputs: frozenset[Signature], seconds: float
) -> Definitions:
    """Return the atoms that a reference defines with an answer; none if that takes too long."""
    results, _ = _asked(seconds, _definitions, path, facts, answer, outputs)
    return results[0] if results else {}


def unset_constants(paths: Sequence[Path], facts: Instance, seconds: float) -> list[str]:
    """Return the constants with which programs for clingo compute, and that nothing sets.

    clingo takes them for names, with which nothing can be computed.
    """
    if not paths:
        return []
    results, _ = _asked(seconds, _names_computed_with, paths, facts)
    return list(dict.fromkeys(results))


def _judgements(program: str, facts: Instance, answers: Sequence[Answer]) -> Iterator[bool]:
    engine = engine_for(program, facts)
    if not isinstance(engine, ClingoInstances) or not engine.outputs:
        yield from (engine.confirms(facts, each) for each in answers)
        return
    ground = engine.fresh(facts)  # once for all answers
    best = ground.first() if ground.optimizes else None
    for each in answers:
        cost = least_cost(ground, each)
        yield cost is not None and (best is None or best.cost == cost)


def _refusals(facts: Instance, answer: Answer, backend: str, seconds: float) -> Iterator[Refusal]:
    yield refusal(facts, answer, backend, seconds)


def _definitions(
    path: Path, facts: Instance, answer: Answer, outputs: frozenset[Signature]
) -> Iterator[Definitions]:
    yield definitions(path, facts, answer, outputs)


def _names_computed_with(paths: Sequence[Path], facts: Instance) -> Iterator[str]:
    names: list[str] = []

    def note(_code: object, message: str) -> None:
        if found := _UNDEFINED.search(message):
            names.extend(filter(None, _CONSTANT.findall(found[1])))

    for path in paths:
        control = clingo.Control(logger=note)
        control.add("base", [], facts.text)
        control.load(str(path))
        control.ground()
    yield from names


def _asked(
    seconds: float, question: Callable[P, Iterator[T]], *args: P.args, **more: P.kwargs
) -> tuple[list[T], str]:
    """Return what the function yields in a process of its own, and why that is not all of it."""
    with TemporaryDirectory(prefix="pylogic-sudoku-") as name:
        folder = Path(name)
        request, written = folder / "request", folder / "results"
        request.write_bytes(pickle.dumps((question, args, more)))
        written.touch()
        command = [sys.executable, "-P", "-c", _MAIN, str(Path(__file__).parents[2])]
        command += [str(request), str(written)]
        ended = run(command, Limits(seconds, 0), folder, folder / "errors")
        results: list[T] = []
        with written.open("rb") as file:
            try:
                while (found := pickle.load(file)) is not None:
                    if isinstance(found, str):
                        return results, found
                    results += found
                return results, ""
            except (EOFError, pickle.UnpicklingError):  # it was stopped
                pass
    if ended.code is None:
        return results, f"it needs more than {seconds:g} s"
    last = ended.errors.strip().splitlines()[-1:]
    return results, ": ".join([f"its process ended with code {ended.code}", *last])


def main(request: str, results: str) -> None:
    """Answer the question in a file: write lists of results, and then None, or why it ends."""
    question, args, more = pickle.loads(Path(request).read_bytes())
    with open(results, "wb", buffering=0) as out:
        why = None
        try:
            for each in question(*args, **more):
                out.write(pickle.dumps([each]))
        except MemoryError:
            why = "out of memory"
        except (SudokuError, RuntimeError, ValueError, ArithmeticError) as error:
            why = str(error) or type(error).__name__
        out.write(pickle.dumps(why))
