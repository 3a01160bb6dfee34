"""Programs that state a problem, in ASP and in Prolog, as strangers submit them.

A program for Prolog may define another predicate of the exercise instead of ``model/1``;
``adapter.pl`` in the folder turns that into answers. What a program is asked is a `Posed`.
"""

from __future__ import annotations

import json
import os
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from math import prod
from pathlib import Path
from time import monotonic
from typing import Any

import clingo

from ..errors import InvalidProblem, LogicError
from ..problem import Answer, Atom, Fact, Instance, Signature
from ..problem.atoms import from_lists, from_symbol, to_lists
from ..problem.folder import Problem, whole_text
from ..reasons.blame import Extensions
from ..reasons.lines import Refusal, first_of
from ..reasons.mentions import related, unrelated_words
from ..reasons.refusal import refusal
from ..reasons.relaxed import read
from ..reasons.statements import definitions
from ..running.children import by_prolog, check_prolog, solving, working
from ..running.process import Ended, Limits
from ..running.prolog import swipl
from ..running.runs import Child, Files, ask, opened
from ..running.sandbox import TRUSTED, is_sealed
from .cases import Case
from .changes import Change, changes
from .diagnosis import MOST_PLACES, Diagnosis, Place, places_of, printable
from .explained import LOSES, explained, is_sure, led_by
from .judging import judged
from .loops import loop_in
from .programs import Attempt, Fault, Submission

_CONSTANT = re.compile(r"#const\s+([a-z]\w*)")
_SIZE = re.compile(r"\w+\((\d+)\)$")
"""A number with a name, such as ``size(8)``."""
SECONDS = 5.0
"""Time to find out which constraint of the reference a wrong answer breaks."""
MOST_FACTS = 1000
"""Facts of one predicate that may be added to see what makes an answer wrong."""
LOADING = 60.0
"""Time to load the teacher's file: Prolog itself starts in seconds on a busy machine."""
_TASKS = ["host/grading"]


@dataclass(frozen=True)
class Posed:
    """An instance, and the predicates that answers consist of."""

    facts: Instance
    outputs: frozenset[Signature]
    right: frozenset[Answer] | None = None
    """All right answers, if they are known and few."""
    passing: tuple[Instance, ...] = ()
    """Instances that the program passes, and whose reader may see them."""

    @property
    def problem(self) -> Problem:
        """The problem of the instance."""
        return self.facts.problem


def adapter_of(problem: Problem) -> Path | None:
    """The file that makes answers of what a program for Prolog defines, if there is one."""
    path = problem.folder / "adapter.pl"
    return path if path.is_file() else None


def check_adapter(path: Path) -> None:
    """InvalidProblem if there is something wrong with the file itself, which is the teacher's."""
    if swipl() is not None:
        _adapter_rows(path, path.stat().st_mtime_ns)


def called_by(adapter: Path) -> Iterator[tuple[Signature, str]]:
    """The predicates that programs must have for the teacher's file, with modes: ``p(+X, -Y)``."""
    for name, arity, text in _adapter_rows(adapter, adapter.stat().st_mtime_ns)[0]:
        yield (name, arity), text


def provided_by(adapter: Path) -> Iterator[tuple[Signature, int]]:
    """The predicates that the teacher's file has, with the number of facts; 0 if it has rules."""
    for name, arity, facts in _adapter_rows(adapter, adapter.stat().st_mtime_ns)[1]:
        if (name, arity) not in _OF_GRADER:
            yield (name, arity), facts


_OF_GRADER = {("answer", 1), ("model", 1), ("model", 2)}
"""The predicates that the grader calls."""


@lru_cache(16)
def _adapter_rows(
    path: Path, _changed: int
) -> tuple[list[tuple[str, int, str]], list[tuple[str, int, int]]]:
    with opened(Limits(LOADING, 1024)) as files:
        child = by_prolog(files, path, _TASKS, "pls_grading:adapter", "")
        lines, _ = ask(files, child, TRUSTED)
    complaints = lines[0][1] if lines else [f"{path}: it does not end when it is loaded"]
    if complaints:
        raise InvalidProblem("\n".join(complaints))
    calls, defines = lines[1][1], lines[2][1]
    return [tuple(each) for each in calls], [tuple(each) for each in defines]


def refused(question: Posed, value: Answer, seconds: float = SECONDS) -> Refusal | None:
    """The refusal of an answer by the reference, if possible that for clingo; None if unknown."""
    programs = question.problem.references
    backend = "clingo" if "clingo" in programs else next(iter(programs), None)
    if backend is None:
        return None
    try:
        return refusal(question.facts, value, backend, seconds)
    except LogicError:
        return None


# --- the programs ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProblemProgram(Submission[Posed, Answer]):
    """A program for a problem."""

    def read(self, question: Posed, *parts: Any) -> Attempt[Answer]:
        costs, atoms = parts
        if not all(isinstance(each, int) for each in costs):
            raise TypeError(costs)
        return Attempt(Answer(map(atom_of, atoms), costs))

    def explain(self, instance: Case, question: Posed, lost: Answer, limits: Limits) -> Diagnosis:
        return self._diagnose(instance, question, limits, lost=lost)

    def explain_wrong(
        self,
        instance: Case,
        question: Posed,
        wrong: Attempt[Answer],
        lost: Answer | None,
        right: Answer | None,
        limits: Limits,
    ) -> Diagnosis | None:
        # A right answer may have another cost here.
        asked = lost
        if lost is None and right is not None and right.cost:
            asked = right
        diagnosis = self._diagnose(instance, question, limits, lost=asked, wrong=wrong.value)
        if lost is None and diagnosis.kind == "cost":
            words = diagnosis.summary.replace(
                LOSES["answer"], "the program misjudges a right answer", 1
            )
            return replace(diagnosis, summary=words)
        return diagnosis if diagnosis.kind != "none" else None

    def _diagnose(
        self,
        instance: Case,
        question: Posed,
        limits: Limits,
        lost: Answer | None = None,
        wrong: Answer | None = None,
    ) -> Diagnosis:
        with opened(limits) as files:
            child = self._question(files, question, lost, wrong)
            lines, ended = ask(files, child, self.sandbox)
        diagnosis = self._diagnosis(lines, ended, limits, question, wrong)
        seconds_left = limits.seconds - diagnosis.seconds
        if question.right is None or seconds_left < 0.5 or is_sure(diagnosis):
            return diagnosis
        return self._repaired(question, replace(limits, seconds=seconds_left), diagnosis)

    def _repaired(
        self,
        question: Posed,
        limits: Limits,
        diagnosis: Diagnosis,
        within: Container[int] | None = None,
    ) -> Diagnosis:
        """The diagnosis, led by the line where a small change makes the program right.

        Changes are tried `within` these lines, or in any.
        """
        # Prolog counts the characters of the file as it is, and a line may end in two.
        text = self.path.read_bytes().decode("utf-8-sig", errors="replace")
        if len(text) > CHANGED:
            return diagnosis
        named = [place.line for place in diagnosis.places]

        def likely(change: Change) -> tuple[int, int, int]:
            if change.line in named:
                return change.rank, named.index(change.line), 0
            away = min((abs(change.line - line) for line in named), default=0)
            return change.rank, len(named), away

        all_changes = self._changes(text, question)
        some = (each for each in all_changes if within is None or each.line in within)
        tried = sorted(some, key=likely)[:CHANGES]
        with opened(limits) as files:
            child = self._trial(files, question, tried, is_known=bool(named))
            lines, ended = ask(files, child, self.sandbox)
        diagnosis = replace(diagnosis, seconds=diagnosis.seconds + ended.seconds)
        passing = [tried[number].line for number in _indices(lines, len(tried))]
        if not passing:
            return diagnosis
        # A line that is named already, and that a change mends, is right whatever else helps.
        counts = Counter(passing)
        number = max(counts, key=lambda line: (line in named[:1], counts[line]))
        others = [each for each in counts if each != number and counts[each] >= counts[number]]
        (place,) = self._places([["", number, 0, text.split("\n")[number - 1], _CHANGED]])
        led = led_by(diagnosis, place, f"the mistake is likely to be in line {number}")
        if not others:
            return led
        noun = "line" if len(others) == 1 else "lines"
        alike = f"; about as likely: {noun} {first_of(list(map(str, sorted(others))))}"
        return replace(led, summary=led.summary + alike)

    @abstractmethod
    def _changes(self, text: str, question: Posed) -> Iterator[Change]:
        """Yield the small changes of the program's text."""

    @abstractmethod
    def _trial(self, files: Files, posed: Posed, tried: Sequence[Change], is_known: bool) -> Child:
        """Return the child that writes which changes make the program right.

        It may make less effort if a line is known without them.
        """

    @abstractmethod
    def _question(
        self, files: Files, posed: Posed, lost: Answer | None, wrong: Answer | None
    ) -> Child:
        """Return the child that writes why an answer is lost, or a wrong one allowed."""

    def _diagnosis(
        self, lines: list[Any], ended: Ended, limits: Limits, posed: Posed, wrong: Answer | None
    ) -> Diagnosis:
        """The diagnosis in what the explaining process has written."""
        return explained(lines, ended, limits, printable(self.path.name))

    def _places(self, rows: list[Any]) -> tuple[Place, ...]:
        """The places that the explaining process has written."""
        return places_of(rows, printable(self.path.name))


TOO_LARGE: int = 10**4300
"""The least number with more digits than Python writes."""


@lru_cache(4096)
def is_value(text: str) -> bool:
    """True for the text of a term of ASP without arithmetic."""
    try:
        return str(clingo.parse_term(text, logger=lambda *_: None)) == text
    except (RuntimeError, RecursionError):
        return False


def atom_of(lists: Any) -> Any:
    """The atom that a program has written; TypeError if it is none."""
    _check_value(lists)
    if not isinstance(lists, list) or not lists[0]:
        raise TypeError(lists)
    return from_lists(lists)


def _check_value(value: Any) -> None:
    if isinstance(value, list):
        if not value or not isinstance(value[0], str):
            raise TypeError(value)
        for each in value[1:]:
            _check_value(each)
    elif isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError(value)


@dataclass(frozen=True, slots=True)
class AspProblemProgram(ProblemProgram):
    """A program for clingo; its answers are the atoms of the output predicates."""

    constants: tuple[str, ...] = ()
    allow_scripts: bool = False

    tells_lines = True

    def child(self, files: Files, instance: Case, question: Posed, most: int) -> Child:
        job = self._job(files, question) | {"limit": most}
        return solving(files, self.path, self.sandbox, job)

    def _question(
        self, files: Files, posed: Posed, lost: Answer | None, wrong: Answer | None
    ) -> Child:
        job = self._job(files, posed)
        if lost is not None:
            job["lost"], job["cost"] = list(map(to_lists, lost)), lost.cost
            job |= _definitions(posed, lost)
        if wrong is not None:
            job |= _broken(posed, wrong)
        return working(files, self.path, self.sandbox, job, f"{__package__}.refusals")

    def _changes(self, text: str, question: Posed) -> Iterator[Change]:
        sizes = {found[1] for each in question.facts.facts if (found := _SIZE.match(each.text))}
        constants = [name for name, _ in question.facts.constants] + _CONSTANT.findall(text)
        return changes(text, ".lp", sorted({*sizes, *constants}))

    def _trial(self, files: Files, posed: Posed, tried: Sequence[Change], is_known: bool) -> Child:
        right = [(list(map(to_lists, answer)), answer.cost) for answer in posed.right or ()]
        edits = [[each.start, each.end, each.new] for each in tried]
        job = self._job(files, posed) | {"right": right, "edits": edits}
        return working(files, self.path, self.sandbox, job, f"{__package__}.repairs")

    def _job(self, files: Files, posed: Posed) -> dict[str, Any]:
        files.hold(Path("instance.lp"), posed.facts.text)
        inputs = {fact.signature for fact in posed.facts.facts} | posed.problem.inputs
        return {
            "inputs": sorted(inputs),
            "outputs": sorted(posed.outputs),
            "constants": self.constants,
            "allow_scripts": self.allow_scripts,
        }


def _definitions(posed: Posed, answer: Answer) -> dict[str, Any]:
    """The extensions of the reference's own predicates with an answer."""
    path = posed.problem.references.get("clingo")
    if path is None:
        return {"known": [], "guessed": []}
    known = definitions(path, posed.facts, answer, posed.outputs, SECONDS)

    def rows(of: Extensions) -> list[Any]:
        return [[*name, list(map(to_lists, atoms))] for name, atoms in of.items()]

    return {"known": rows(known.defined), "guessed": rows(known.guessed)}


def _broken(posed: Posed, wrong: Answer) -> dict[str, Any]:
    """The statement of the reference for clingo that refuses an answer; nothing if none does.

    With it come the predicates of the instance and the answers that it relates. Or the atom of the
    answer that no answer can have.
    """
    reason = refused(posed, wrong) if "clingo" in posed.problem.references else None
    if reason is not None and reason.atom is not None:
        return {"impossible": to_lists(reason.atom), "wrong": list(map(to_lists, wrong))}
    if reason is None or reason.kind != "excluded" or not reason.lines:
        return {}
    statements = read(str(posed.problem.path(reason.backend)), "", posed.outputs)
    base = {fact.signature for fact in posed.facts.facts} | posed.outputs
    # What a definition lacks comes before the statement that demands it.
    of = {each.line[:3]: each for each in statements if not each.is_plain}
    found = (of[line[:3]] for line in reason.lines if line[:3] in of)
    broken = next(found, None) if reason.together == 1 else None
    if broken is None:
        return {"broken": reason.lines[0].text, "related": []}
    about = [[*name, n] for name, n in related(broken, statements, base).items()]
    return {"broken": broken.text, "related": about}


def _unrelated(apart: set[Signature], posed: Posed, wrong: Answer) -> str:
    """Words about the predicates that the reference relates to refuse an answer; empty if unknown.

    Some must be `apart`: predicates of the instance that the program relates to no answer.
    """
    apart = apart & {fact.signature for fact in posed.facts.facts}
    if not apart:
        return ""
    if "clingo" in posed.problem.references:
        about = _broken(posed, wrong).get("related", ())
        wanted = Counter({(name, arity): number for name, arity, number in about})
    else:
        wanted = Counter([*_needed(posed, apart, wrong), *sorted(posed.outputs)])
    said = {name: wanted[name] for name in wanted if name in apart or name in posed.outputs}
    if apart.isdisjoint(said) or posed.outputs.isdisjoint(said):
        return ""
    return unrelated_words(Counter(said))


def _needed(posed: Posed, names: set[Signature], wrong: Answer) -> list[Signature]:
    """The predicates whose facts make an answer wrong.

    It would be right without their facts, or with all that the values of instance and answer allow.
    """
    program = next(iter(posed.problem.references), None)
    if program is None:
        return []
    needed: list[Signature] = []
    end = monotonic() + SECONDS
    for name in sorted(names):
        others = tuple(fact for fact in posed.facts.facts if fact.signature != name)
        for facts in ((), _all_facts(name, posed.facts, wrong)):
            seconds_left = end - monotonic()
            if seconds_left <= 0:
                return needed
            changed = replace(posed.facts, facts=(*others, *facts))
            accepted, _ = judged(program, changed, [wrong], seconds_left)
            if accepted == [True]:
                needed.append(name)
                break
    return needed


def _all_facts(predicate: Signature, instance: Instance, answer: Answer) -> tuple[Fact, ...]:
    """The facts of a predicate with any values of its kinds; none if they are many."""
    name, _ = predicate
    atoms = [from_symbol(clingo.parse_term(fact.text)) for fact in instance.facts]
    values = dict.fromkeys(value for atom in (*atoms, *sorted(answer)) for value in atom.arguments)
    own = (atom.arguments for atom in atoms if atom.signature == predicate)
    kinds = [set(map(type, column)) for column in zip(*own, strict=True)]
    columns = [[value for value in values if type(value) in each] for each in kinds]
    if prod(map(len, columns)) > MOST_FACTS:
        return ()
    return tuple(Fact(str(Atom(name, row)), predicate) for row in product(*columns))


@dataclass(frozen=True, slots=True)
class PrologProblemProgram(ProblemProgram):
    """A program for SWI-Prolog with ``model/1``, ``model/2`` or ``answer/1``, or for an adapter."""

    tells_lines = False

    def read(self, question: Posed, *parts: Any) -> Attempt[Answer]:
        answer = ProblemProgram.read(self, question, *parts)
        # Of programs for Prolog alone, answers are what Prolog has.
        languages = {path.suffix for path in question.problem.references.values()}
        for atom in answer.value if languages != {".pl"} else ():
            if not is_value(str(atom)):
                words = f"{atom} is not an atom of ASP; compute numbers with is/2"
                return Attempt(answer.value, Fault(words, "an argument is not a value"))
        return answer

    def check_engine(self) -> None:
        check_prolog()

    def child(self, files: Files, instance: Case, question: Posed, most: int) -> Child:
        return self._child(files, "grade", question, str(most))

    def _question(
        self, files: Files, posed: Posed, lost: Answer | None, wrong: Answer | None
    ) -> Child:
        atoms = "none" if lost is None else _lists(lost)
        return self._child(
            files, "explain", posed, atoms, "" if is_sealed(self.sandbox) else _oracle(posed)
        )

    def _changes(self, text: str, question: Posed) -> Iterator[Change]:
        return changes(text)

    def _trial(self, files: Files, posed: Posed, tried: Sequence[Change], is_known: bool) -> Child:
        right = ",".join(map(_lists, posed.right or ()))
        edits = ",".join(
            f"edit({each.rank},{each.start},{each.end},{prolog_text(each.new)})" for each in tried
        )
        limits = "[50_000,1_000_000]" if is_known else "[50_000,1_000_000,10_000_000]"
        return self._child(files, "repair", posed, f"repair([{right}],[{edits}],{limits})")

    def explain_loop(self, instance: Case, question: Posed, limits: Limits) -> Diagnosis | None:
        with opened(limits) as files:
            child = self._child(files, "loop", question, "none")
            lines, ended = ask(files, child, self.sandbox)
        loop = loop_in(lines, ended, printable(self.path.name))
        if loop is None:
            return None
        # A variable that a clause has once may be why it loops; so those of the slice are named.
        named = {place.line for place in loop.places}
        more = (place for place in self._singles(lines) if place.line not in named)
        loop = replace(loop, places=(*loop.places, *more)[:MOST_PLACES])
        seconds_left = limits.seconds - loop.seconds
        if loop.kind != "loop" or question.right is None or seconds_left < 0.5:
            return loop
        # Whatever mends it is in a line of the slice, or between them.
        limits = replace(limits, seconds=seconds_left)
        slice_ = range(min(named), max(named) + 1) if named else ()
        return self._repaired(question, limits, loop, slice_)

    def _diagnosis(
        self, lines: list[Any], ended: Ended, limits: Limits, posed: Posed, wrong: Answer | None
    ) -> Diagnosis:
        found = ProblemProgram._diagnosis(self, lines, ended, limits, posed, wrong)
        # A search that does not find a right answer, or its costs, may be misled by a wrong one.
        unexplained = found.kind in ("none", "unfound", "cost")
        if wrong is not None and (unexplained or (found.kind == "too many" and not found.reason)):
            words = _unrelated(_apart(lines), posed, wrong)
            if words and unexplained:
                found = Diagnosis("too many", words, seconds=found.seconds)
            elif words:
                found = replace(found, summary=f"{words}; {found.summary}")
        return self._with_singles(found, lines)

    def _with_singles(self, diagnosis: Diagnosis, lines: list[Any]) -> Diagnosis:
        """The diagnosis with the variables that a clause has only once.

        They lead where no goal refuses an answer for sure.
        """
        guessed = any(line[:2] == ["blame", "likely"] for line in lines)
        is_known = diagnosis.kind == "constraint" or is_sure(diagnosis)
        singles = list(islice(self._singles(lines), MOST_SINGLES))
        if is_known and not guessed:
            named = {each.line for each in diagnosis.places}
            more = [each for each in singles if each.line not in named]
            kept = diagnosis.places[: MOST_PLACES - len(more)]
            return replace(diagnosis, places=(*kept, *more))
        for place in singles:
            diagnosis = led_by(diagnosis, place, f"{place.words}, see line {place.line}")
        return diagnosis

    def _singles(self, lines: list[Any]) -> Iterator[Place]:
        text = self.path.read_text(encoding="utf-8-sig", errors="replace").split("\n")
        for line in lines:
            if line[:1] == ["singles"]:
                with suppress(ValueError, TypeError, OverflowError):
                    for begin, name in line[1]:
                        once = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
                        rows = range(max(int(begin), 1), len(text) + 1)
                        row = next((each for each in rows if once.search(text[each - 1])), 0)
                        if row:
                            words = f"{name} occurs only once in its clause"
                            yield from self._places([["", row, 0, text[row - 1], words]])

    def _child(self, files: Files, task: str, posed: Posed, first: str, last: str = "") -> Child:
        adapter = "none"
        if path := adapter_of(posed.problem):
            # A copy, since another user may not reach the file.
            text = path.read_text(encoding="utf-8")
            adapter = files.pass_on(path, "adapter", text)
        parts = [first, _facts(posed.facts), _predicates(posed.outputs)]
        request = f"request({','.join([*parts, last] if last else parts)})"
        goal = f"pls_grading:{task}"
        return by_prolog(files, self.path, _TASKS, goal, request, adapter)


MOST_SINGLES = 3
"""Variables that a clause has only once, and that are named."""
CHANGES = 1200
"""Changes of a program that are tried, at most."""
CHANGED = 30_000
"""Characters of a program that may be changed: larger ones would take the grader too long."""
_CHANGED = "with a small change here, the program has the right answers to this instance"


def _apart(lines: list[Any]) -> set[Signature]:
    """The predicates of the instance that a Prolog program relates to no answer, if known."""
    with suppress(ValueError, TypeError):
        rows = (line[1] for line in lines if len(line) == 2 and line[0] == "apart")
        return {(str(name), int(arity)) for name, arity in next(rows, ())}
    return set()


def _indices(lines: list[Any], number: int) -> list[int]:
    """The numbers, below this one, of changes that are written to be right."""
    repaired = [line[1] for line in lines if len(line) == 2 and line[0] == "repaired"]
    return [each for each in repaired if isinstance(each, int) and 0 <= each < number]


def _oracle(posed: Posed) -> str:
    """The reference for Prolog, with all right answers, as Prolog reads it; empty if unknown.

    It needs a process of its own, by fork.
    """
    path = posed.problem.references.get("prolog")
    if path is None or posed.right is None or not hasattr(os, "fork"):
        return ""
    right = ",".join(map(_lists, posed.right))
    passing = ",".join(_facts(each) for each in posed.passing)
    return f"reference({prolog_text(whole_text(path))},[{right}],[{passing}])"


def _facts(instance: Instance) -> str:
    """The facts of an instance and the predicates of all instances, as Prolog reads them."""
    facts = ",".join(fact.text for fact in instance.clauses)
    inputs = {fact.signature for fact in instance.clauses} | instance.problem.inputs
    return f"facts([{facts}],{_predicates(inputs)})"


def _lists(answer: Answer) -> str:
    """The atoms of an answer as Prolog reads them: lists, with texts in quotes."""
    return prolog_text(list(map(to_lists, sorted(answer))))


def prolog_text(value: Any) -> str:
    """A text, or lists of texts, as Prolog reads them: it knows no half of a character."""
    return json.dumps(value, ensure_ascii=False)


def _predicates(signatures: Iterable[Signature]) -> str:
    return "[" + ",".join(f"{_quoted(name)}/{arity}" for name, arity in sorted(signatures)) + "]"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
