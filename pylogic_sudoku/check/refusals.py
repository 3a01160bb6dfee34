"""Reasons why an ASP program for a problem loses an answer, or has a wrong one: its lines.

`main` runs in a process of its own, since the program is foreign; only it imports this module.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import IO, Any, cast

from clingo.ast import ASTType, parse_string

from ..engines.clingo.instances import ClingoInstances
from ..problem import Answer, Atom
from ..problem.atoms import Signature, from_lists
from ..problem.folder import Problem, read_instance
from ..reasons.lines import Line
from ..reasons.mentions import misnamed, uncycled, unjoined, unrelated
from ..reasons.numbers import TooLarge, too_large
from ..reasons.relaxed import Statement, nodes_in, read, signature
from ..reasons.statements import Definitions, derivers, refusals, refused
from ..running import child
from ..running.workers import Budget


def main(program: str, results: str) -> None:
    """Do the job in the input, and write JSON lists, one per line, the best one last.

    ::

        ["refusal", kind, together, why, rows]   as in reasons/lines.py
        ["unrelated", text]           what no statement is about, and one of the reference is
        ["similar", rows]             the statement that is about the same as one of the reference
        ["blame", "extra", text, rows]
                                      the statements that allow a wrong answer, and why
        ["blame", "likely", text, rows]
                                      those that may lose an answer, and why
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
    options = [part for each in job["constants"] for part in ("-c", each)]
    engine = ClingoInstances("clingo", Path(program), outputs, options)
    numbers = list(too_large(statements))
    broken = job.get("broken")
    reference = _parsed(broken, outputs) if broken else None
    base = outputs | {fact.signature for fact in posed.facts}
    wanted = Counter({(name, arity): number for name, arity, number in job.get("related", ())})
    unsaid = _unsaid(wanted, reference, statements, base)
    if guess := misnamed(statements, frozenset(map(tuple, job["inputs"])) | outputs):
        renamed = guess.renamed
        joined = unsaid and not _unsaid(wanted, reference, renamed(statements), base)
        words = f"{unsaid}; {guess.words}" if joined else guess.words
        how = "extra" if job.get("lost") is None else "likely"
        child.write(out, "blame", how, words, [row(program, guess.statement.line)])
        for of, mended in (("lost", (True, False)), ("wrong", (False, True))):
            answer = Answer(map(from_lists, job.get(of) or ()))
            if joined or (of in job and refusals(engine, posed, answer, renamed) == mended):
                return
    if broken:
        similar = _similar(statements, reference, base)
        if number := next((each for each in numbers if _is_of(each, similar)), None):
            child.write(out, "blame", "extra", number.words, [row(program, number.line)])
            return
        if unsaid:
            child.write(out, "unrelated", unsaid)
            return
        if similar:
            child.write(out, "similar", [row(program, similar.line)])
            return
    known = Definitions(*(_extensions(job.get(of, ())) for of in ("known", "guessed")))
    if impossible := job.get("impossible"):
        wrong, atom = Answer(map(from_lists, job["wrong"])), from_lists(impossible)
        if lines := derivers(engine, posed, wrong, atom, known):
            rows = [row(program, line) for line in lines]
            here = lines[0].words == f"derives {atom}"
            words = f"this line derives {atom}" if here else f"{atom} follows from this line"
            child.write(out, "blame", "extra", words, rows)
            return
    if (lost := job.get("lost")) is not None:
        cost = job["cost"]
        if cost and not broken and not any(map(_minimizes, statements)):
            words = "the program has neither #minimize nor #maximize"
            child.write(out, "blame", "extra", words, [])
            return
        answer = Answer(map(from_lists, lost), cost)
        refusal = refused(engine, posed, answer, Budget("clingo", None), known)
        rows = [row(program, line) for line in refusal.lines]
        if refusal.kind != "accepted":
            child.write(out, "refusal", refusal.kind, refusal.together, refusal.why, rows)
            return
    if numbers:
        child.write(out, "blame", "extra", numbers[0].words, [row(program, numbers[0].line)])
        return
    if guess is None:
        child.write(out, "nothing")


def _extensions(rows: list[Any]) -> dict[Signature, frozenset[Atom]]:
    return {(name, arity): frozenset(map(from_lists, atoms)) for name, arity, atoms in rows}


def _minimizes(statement: Statement) -> bool:
    return bool(statement.ast.ast_type == ASTType.Minimize)


def _is_of(number: TooLarge, statement: Statement | None) -> bool:
    """True if the number is in the statement."""
    return statement is not None and number.line.text == statement.text


def _parsed(statement: str, outputs: frozenset[Signature]) -> Statement | None:
    """The statement of the reference; None if it cannot be read by itself."""
    parsed: list[Any] = []
    try:
        parse_string(statement, parsed.append, logger=lambda *_: None)
    except RuntimeError:
        return None
    return Statement(0, parsed[-1], False, outputs)


def _unsaid(
    wanted: Counter[Signature],
    reference: Statement | None,
    statements: list[Statement],
    base: frozenset[Signature],
) -> str:
    """Words about what no statement of the program is about; empty if nothing is known."""
    if reference is not None and reference.is_edge:
        return uncycled(wanted, statements, base)
    words = unrelated(wanted, statements, base)
    if words or reference is None or not reference.is_constraint:
        return words
    return unjoined(reference, statements, base)


def row(program: str, line: Line) -> list[Any]:
    """The fields of a `Place`."""
    file = "" if line.file == Path(program).name else line.file
    return [file, line.number, line.column, line.text, line.words]


def _similar(
    statements: list[Statement], reference: Statement | None, base: frozenset[Signature]
) -> Statement | None:
    """Return the constraint, or the choice, that is about the same as one of the reference."""
    if reference is None:
        return None
    if reference.is_edge:
        return next((each for each in statements if each.is_edge and not each.ours), None)
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
