"""Answers that a reference does not list, judged by a program of the problem.

That program runs in a process of its own, so that nothing it does ends the grader: its grounding
cannot be interrupted, and its engine may die. It is ground once for all answers.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ..engines import engine_for
from ..engines.clingo.instances import ClingoInstances, least_cost
from ..engines.process import Limits, run
from ..errors import SudokuError, counted
from ..problem import Answer, Instance

_JUDGE = (
    "import sys; sys.path.append(sys.argv.pop(1))\n"  # where the package is not installed
    "from pylogic_sudoku.check.judging import main; main(*sys.argv[1:])"
)


def judged(
    program: str, facts: Instance, answers: Sequence[Answer], seconds: float
) -> tuple[list[bool], str]:
    """Return for each answer whether a program of the problem has it.

    If not all could be judged, there are the first ones only, and the reason.
    """
    with TemporaryDirectory(prefix="pylogic-sudoku-") as name:
        folder = Path(name)
        request, written = folder / "request", folder / "results"
        request.write_bytes(pickle.dumps((program, facts, tuple(answers))))
        written.touch()
        command = [sys.executable, "-P", "-c", _JUDGE, str(Path(__file__).parents[2])]
        command += [str(request), str(written)]
        ended = run(command, Limits(seconds, 0), folder, folder / "errors")
        lines = written.read_text(encoding="utf-8").splitlines()
    results: list[bool] = []
    reason = ""
    for line in lines:
        with suppress(ValueError):  # the last line of a process that was stopped
            match json.loads(line):
                case bool(accepted):
                    results.append(accepted)
                case str(text):
                    reason = text
    if len(results) == len(answers):
        return results, ""
    if not reason and ended.code is None:
        reason = f"it needs more than {seconds:g} s"
    elif not reason:
        last = ended.errors.strip().splitlines()[-1:]
        reason = ": ".join([f"its process ended with code {ended.code}", *last])
    left = counted(len(answers) - len(results), "answer")
    return results, f"the reference, {program}, could not judge {left}: {reason}"


def main(request: str, results: str) -> None:
    """Write a line of JSON for each answer in a file: true or false, or a text for an error."""
    program, facts, answers = pickle.loads(Path(request).read_bytes())
    with Path(results).open("w", encoding="utf-8") as out:
        try:
            for accepted in _judgements(program, facts, answers):
                print(json.dumps(accepted), file=out, flush=True)
        except MemoryError:
            print(json.dumps("out of memory"), file=out)
        except (SudokuError, RuntimeError, ValueError, OverflowError) as error:
            print(json.dumps(str(error)), file=out)


def _judgements(program: str, facts: Instance, answers: Sequence[Answer]) -> Iterator[bool]:
    engine = engine_for(program, facts)
    if not isinstance(engine, ClingoInstances) or not engine.outputs:
        yield from (engine.confirms(facts, each) for each in answers)
        return
    ground = engine.fresh(facts)
    best = ground.first() if ground.optimizes else None
    for each in answers:
        cost = least_cost(ground, each)
        yield cost is not None and (best is None or best.cost == cost)
