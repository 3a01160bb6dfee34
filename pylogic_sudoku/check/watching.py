"""The foreign program for a problem, at work: what it knows before it guesses, and its search.

`main` runs in a process of its own, since the program is foreign; only it imports this module.
"""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, cast

from clingo import Control
from clingo.ast import parse_files

from ..engines.base import ProblemEngine
from ..engines.clingo.instances import ClingoInstances
from ..engines.clingo.session import loadable
from ..engines.prolog.instances import PrologInstances
from ..errors import LogicError, Message
from ..problem import Signature
from ..problem.folder import Problem, read_instance
from ..questions import to_json
from ..running import child, notices


def main(program: str, results: str) -> None:
    """Do the job in the input, and write JSON lists, one per line.

    ::

        ["atoms", [text, ...], [text, ...]]
                                      those that are left before a guess, and those of them that are
                                      certain; nulls for a contradiction
        ["event", {...}]              an event of the search, as in `questions.to_json`
        ["number", number, whole]     how many events there are, and whether these are all
        ["message", severity, [...]]  about the program, as in ``prolog/host/loading.pl``
        ["failed", kind, text]        kind: "memory", "refused", "clingo" or "engine"

    The job has the `outputs` and `inputs`, the files that are `visible`, and the most `events`
    of a search, null for what is known before it; at most `counted` events are counted. A job that
    just `loads` an ASP program writes nothing but messages.
    """
    child.main(program, results, _watch)


def _watch(job: dict[str, Any], program: str, instance: str, out: IO[str]) -> None:
    outputs, inputs = (frozenset(map(_signature, job[name])) for name in ("outputs", "inputs"))
    text = Path(instance).read_text(encoding="utf-8")
    notices.send = partial(_say, out, "warning")
    problem = cast(Problem, SimpleNamespace(inputs=inputs, name="problem"))
    posed = read_instance(problem, text, "instance")
    engine: ProblemEngine
    if program.endswith(".lp"):
        parse_files([program], lambda each: child.check(each, False, job["visible"]))
        if job.get("loads"):
            with loadable(Path(program)) as path:
                control = Control()
                control.load(path)
                control.ground([])  # of no part, but clingo looks for variables that are unsafe
            return
        engine = ClingoInstances("clingo", Path(program), outputs)
    else:
        engine = PrologInstances("prolog", Path(program), outputs)
    try:
        if job["events"] is None:
            remaining = engine.propagate(posed)
            texts = (None, None) if remaining is None else remaining.texts()
            child.write(out, "atoms", *texts)
            return
        number = 0
        with closing(engine.trace(posed)) as events:
            for event in events:
                if number == job["counted"]:
                    child.write(out, "number", number, False)
                    return
                number += 1
                if number <= job["events"]:
                    child.write(out, "event", to_json(event))
        child.write(out, "number", number, True)
    except LogicError as error:
        for message in error.messages:
            _say(out, "error", message)
        child.write(out, "failed", "engine", str(error))


def _say(out: IO[str], severity: str, message: Message) -> None:
    text, kind, file, line, column, cure = message
    fields = [kind, file, line or 0, column or 0, text, cure]
    child.write(out, "message", severity, fields)


def _signature(pair: Any) -> Signature:
    name, arity = pair
    return str(name), int(arity)
