"""Changes of an ASP program for a problem with which it has the right answers.

`main` runs in a process of its own, since the program is foreign; only it imports this module.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import IO, Any, cast

from clingo.ast import ASTType

from ..engines.clingo.instances import ClingoInstances
from ..errors import LogicError
from ..problem import Answer, Instance
from ..problem.atoms import from_lists
from ..problem.folder import Problem, read_instance
from ..reasons.relaxed import read
from ..running import child

CONFLICTS = 1000
"""The conflicts after which a changed program is given up."""
MORE = 40
"""Changes that are tried after the first one that helps."""


def main(program: str, results: str) -> None:
    """Do the job in the input, and write JSON lists, one per line.

    ::

        ["repaired", number]          with this change the program has the right answers
        ["failed", kind, text]        kind: "memory" or "clingo"
    """
    child.main(program, results, _try)


def _try(job: dict[str, Any], program: str, instance: str, out: IO[str]) -> None:
    outputs = frozenset((name, arity) for name, arity in job["outputs"])
    statements = read(program, "", outputs, logger=lambda *_: None)
    # A part that is included is sought beside the file, and a script may do anything.
    if {each.file for each in statements} - {Path(program).name} or any(
        each.ast.ast_type == ASTType.Script for each in statements
    ):
        return
    posed = read_instance(
        cast(Problem, None), Path(instance).read_text(encoding="utf-8"), "instance"
    )
    right = {Answer(map(from_lists, atoms), cost) for atoms, cost in job["right"]}
    costs = {each.cost for each in right if each.cost}
    text = Path(program).read_bytes().decode("utf-8-sig", errors="replace")
    changed = Path(instance).with_name("changed.lp")
    options = [part for each in job["constants"] for part in ("-c", each)]
    options.append(f"--solve-limit={CONFLICTS}")
    engine = ClingoInstances("clingo", changed, outputs, options)
    last = len(job["edits"])
    for number, (start, end, new) in enumerate(job["edits"]):
        if number > last:
            return
        changed.write_text(text[:start] + new + text[end:], encoding="utf-8", newline="")
        with suppress(LogicError, RuntimeError):
            if _has(engine, posed, right, costs):
                child.write(out, "repaired", number)
                last = min(last, number + MORE)


def _has(
    engine: ClingoInstances, posed: Instance, right: set[Answer], costs: set[tuple[int, ...]]
) -> bool:
    """True if the answers of a program are these, with one of the costs if there are any."""
    program = engine.grounding(posed)()
    found: set[Answer] = set()
    with program.search() as handle:
        while (answer := program.read(handle)) is not None:
            if answer not in right or (costs and answer.cost not in costs):
                return False
            found.add(answer)
            handle.resume()
        return found == right and bool(handle.get().exhausted)
