"""Reasons why an ASP program for a problem loses an answer, or has a wrong one: its lines.

`main` runs in a process of its own, since the program is foreign; only it imports this module.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import IO, Any, cast

from clingo.ast import ASTType, parse_string

from ..engines.clingo.instances import ClingoInstances
from ..problem import Answer
from ..problem.atoms import Signature, from_lists
from ..problem.folder import Problem, read_instance
from ..reasons.mentions import unrelated
from ..reasons.relaxed import Statement, nodes_in, read, signature
from ..reasons.statements import refused
from ..running import child
from ..running.workers import Budget


def main(program: str, results: str) -> None:
    """Do the job in the input, and write JSON lists, one per line.

    ::

        ["refusal", kind, together, why, rows]   as in reasons/lines.py
        ["unrelated", text]           predicates that no statement relates, and the reference does
        ["similar", rows]             the statement that is about the same as one of the reference
        ["nothing"]                   nothing is known
        ["failed", kind, text]        kind: "memory" or "clingo"

    A row has the fields of a `Place`; its file is empty if it is the program itself.
    """
    child.main(program, results, _explain)


def _explain(job: dict[str, Any], program: str, instance: str, out: IO[str]) -> None:
    outputs = frozenset((name, arity) for name, arity in job["outputs"])
    text = Path(instance).read_text(encoding="utf-8")
    posed = read_instance(cast(Problem, None), text, "instance")
    statements = read(program, "", outputs, logger=lambda *_: None)
    if not job["allow_scripts"] and any(each.ast.ast_type == ASTType.Script for each in statements):
        return
    if broken := job.get("broken"):
        inputs = frozenset(fact.signature for fact in posed.facts)
        wanted = Counter({(name, arity): number for name, arity, number in job["related"]})
        if words := unrelated(wanted, statements, inputs | outputs):
            child.write(out, "unrelated", words)
            return
        if similar_statement := _similar(statements, broken, inputs | outputs):
            file, number, _ = similar_statement.place
            row = _row(program, file, number, similar_statement.text)
            child.write(out, "similar", [row])
            return
    if (lost := job.get("lost")) is None:
        child.write(out, "nothing")
        return
    options = [part for each in job["constants"] for part in ("-c", each)]
    engine = ClingoInstances("clingo", Path(program), outputs, options)
    known = {
        (name, arity): frozenset(map(from_lists, atoms)) for name, arity, atoms in job["known"]
    }
    answer = Answer(map(from_lists, lost))
    refusal = refused(engine, posed, answer, Budget("clingo", None), known)
    rows = [_row(program, *line) for line in refusal.lines]
    kind = refusal.kind
    child.write(out, "refusal", kind, refusal.together, refusal.why, rows)


def _row(program: str, file: str, number: int, text: str) -> list[Any]:
    return ["" if file == Path(program).name else file, number, 0, text, ""]


def _similar(
    statements: list[Statement], broken: str, base: frozenset[Signature]
) -> Statement | None:
    """Return the constraint, or the choice, that is about the same as one of the reference."""
    wanted: list[Any] = []
    try:
        parse_string(broken, wanted.append, logger=lambda *_: None)
    except RuntimeError:
        return None
    reference = Statement(0, wanted[-1], False, frozenset())
    if not (reference.is_constraint or reference.is_choice):
        return None
    features = _features(reference)
    about = Counter({name: n for name, n in features.items() if isinstance(name, tuple)})
    if not set(about) & base:
        return None
    best: tuple[float, Statement] | None = None
    for each in statements:
        if each.ours or each.is_constraint != reference.is_constraint:
            continue
        if not (each.is_constraint or each.is_choice):
            continue
        own = _features(each)
        if {name for name in own if isinstance(name, tuple)} != set(about):
            continue
        shared = sum((own & features).values()) / sum((own | features).values())
        if best is None or shared > best[0]:
            best = shared, each
    return best[1] if best and best[0] >= LIKE else None


LIKE = 0.5
"""The least overlap of the features of two constraints that makes them similar."""


def _features(statement: Statement) -> Counter[Any]:
    """Count the parts of a statement: its predicates, its operators, and everything else in it."""
    features: Counter[Any] = Counter()
    for part in (*statement.body, *([statement.ast.head] if statement.is_choice else ())):
        for node in nodes_in(part):
            if node.ast_type == ASTType.SymbolicAtom:
                features[signature(node.symbol)] += 1
            elif node.ast_type == ASTType.Comparison:
                features.update(f"compares {guard.comparison}" for guard in node.guards)
            elif node.ast_type in (ASTType.BinaryOperation, ASTType.UnaryOperation):
                features[f"{node.ast_type} {node.operator_type}"] += 1
            elif node.ast_type in (ASTType.Aggregate, ASTType.BodyAggregate):
                features[str(node.ast_type)] += 1
    return features
