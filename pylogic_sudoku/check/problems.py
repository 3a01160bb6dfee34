"""Any problem as what programs are graded on: a folder with programs that state it, and instances.

The right answers are those of the folder's own programs, or of files that clingo wrote. A program
for Prolog may define another predicate of the exercise instead of ``model/1``; ``adapter.pl`` in
the folder turns that into answers.
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

from ..engines import engine_for
from ..engines.base import ProblemEngine
from ..engines.command.named import is_command
from ..errors import (
    BackendFailure,
    InvalidProblem,
    InvalidPuzzle,
    LogicError,
    SolveTimeout,
    cost_text,
    listed,
)
from ..problem import Answer, Atom, Fact, Instance, Signature
from ..problem.atoms import from_lists, from_symbol, to_lists
from ..problem.folder import (
    Problem,
    instance_files,
    read_instance,
    whole_text,
)
from ..problem.written import read_output, reading
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
from ..running.sandbox import TRUSTED, Sandbox
from .cases import Case, is_there, name_apart
from .changes import Change, changes
from .comments import comment_on_refusal
from .diagnosis import MOST_PLACES, Diagnosis, Place, places_of, printable
from .explained import LOSES, explained, is_sure, led_by
from .judging import (
    adapted_answers,
    judged,
    no_reference,
    not_known,
    open_words,
    parts_of_reference,
    unset_constants,
    violated,
)
from .loops import loop_in
from .programs import Attempt, Fault, Submission
from .tasks import Task, found_by
from .verdict import Reference

_FACTS = Path("facts.lp")
"""The name of an instance that is given as facts."""
_CONSTANT = re.compile(r"#const\s+([a-z]\w*)")
_SIZE = re.compile(r"\w+\((\d+)\)$")
"""A number with a name, such as ``size(8)``."""
SECONDS = 5.0
"""Time to find out which constraint of the reference a wrong answer breaks."""
MOST_FACTS = 1000
"""Facts of one predicate that may be added to see what makes an answer wrong."""
PASSING = 3
"""Instances that the program passes, the last ones, in which its helpers are compared."""
LOADING = 60.0
"""Time to load the teacher's file: Prolog itself starts in seconds on a busy machine."""
_TASKS = ["host/grading"]
_ANSWERS = re.compile(r"^(?:model|answer)\(", re.MULTILINE)
"""The definition of what a program without an adapter must have."""


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


@dataclass(frozen=True)
class Answers(Reference[Posed, Answer]):
    """The right answers to an instance; if there are costs, the best ones."""

    @property
    def cost(self) -> tuple[int, ...]:
        """The cost of the best answers; empty if there are no costs."""
        return next((each.cost for each in self.solutions), ())

    def is_wrong(self, answer: Attempt[Answer]) -> bool:
        return super().is_wrong(answer) or self._costs_another(answer.value)

    def _costs_another(self, value: Answer) -> bool:
        return bool(value.cost and self.cost and value.cost != self.cost)

    def refuted(self, values: Sequence[Answer], seconds: float) -> tuple[set[Answer], str]:
        program = next(iter(self.question.problem.references), None)
        if program is None:
            end = monotonic() + seconds
            wrong = {
                each for each in values if monotonic() < end and _violated(self.question, each)
            }
            left = len(values) - len(wrong)
            return wrong, not_known(self.question.problem, left, self.source) if left else ""
        accepted, why = judged(program, self.question.facts, values, seconds)
        return {value for value, right in zip(values, accepted, strict=False) if not right}, why

    def first(self, values: Iterable[Answer]) -> Answer | None:
        return min(values, key=lambda answer: (len(answer), sorted(answer)), default=None)

    @property
    def asked(self) -> Instance:
        return self.question.facts

    def beside(self, passed: Sequence[Posed]) -> Answers:
        passing = tuple(each.facts for each in passed[-PASSING:])
        return replace(self, question=replace(self.question, passing=passing))

    def worst(self, extra: Sequence[Attempt[Answer]]) -> tuple[Attempt[Answer], Fault | None]:
        value = self.first(each.value for each in extra)
        answer = next(each for each in extra if each.value == value)
        return answer, answer.fault or self._fault(answer.value)

    def _fault(self, value: Answer) -> Fault | None:
        """The fault of an answer in the teacher's words; None if there are none."""
        if value in self.solutions:
            message = f"its cost is {cost_text(self.cost)}, and not {cost_text(value.cost)}"
            return Fault(message, "the cost is wrong")
        words = _violated(self.question, value)
        if words:
            return Fault(words, words)
        reason = _refused(self.question, value)
        if reason is None:
            return None
        if reason.kind == "cost":
            return Fault(reason.why, "an answer is not the best one")
        if reason.kind == "excluded" and reason.lines:
            path = self.question.problem.path(reason.backend)
            first = reason.lines[0]
            words = comment_on_refusal(path, reason) if first.file == path.name else ""
            return Fault(words, words) if words else None
        if reason.kind == "underived":
            if reason.atom is None:
                return None
            words = f"{reason.atom} cannot be in an answer"
            return Fault(words, "an atom cannot be in an answer")
        return None


def _refused(question: Posed, value: Answer) -> Refusal | None:
    """The refusal of an answer by the reference, if possible that for clingo; None if unknown."""
    programs = question.problem.references
    backend = "clingo" if "clingo" in programs else next(iter(programs), None)
    if backend is None:
        return None
    try:
        return refusal(question.facts, value, backend, SECONDS)
    except LogicError:
        return None


def _violated(question: Posed, value: Answer) -> str:
    """The texts that ``check.lp`` of the folder derives from an answer; empty if there are none.

    Empty if that takes too long, too. InvalidProblem if clingo cannot read the file.
    """
    path = question.problem.folder / "check.lp"
    if not path.is_file():
        return ""
    facts = "".join(f"{atom}.\n" for atom in sorted(value))
    try:
        return violated(path, question.facts.text + facts, SECONDS)
    except SolveTimeout:
        return ""
    except BackendFailure as error:
        raise InvalidProblem(f"{path}: {' '.join(str(error).split())}") from None


# --- the programs ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProblemProgram(Submission[Posed, Answer]):
    """A program for a problem."""

    def read(self, question: Posed, *parts: Any) -> Attempt[Answer]:
        costs, atoms = parts
        if not all(isinstance(each, int) for each in costs):
            raise TypeError(costs)
        return Attempt(Answer(map(_atom, atoms), costs))

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


_TOO_LARGE: int = 10**4300


@lru_cache(4096)
def _is_value(text: str) -> bool:
    """True for the text of a term of ASP without arithmetic."""
    try:
        return str(clingo.parse_term(text, logger=lambda *_: None)) == text
    except (RuntimeError, RecursionError):
        return False


def _atom(lists: Any) -> Any:
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
    reason = _refused(posed, wrong) if "clingo" in posed.problem.references else None
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
            if not _is_value(str(atom)):
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
        return self._child(files, "explain", posed, atoms, _oracle(posed))

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


# --- a problem as a task -----------------------------------------------------------------------


@dataclass(frozen=True)
class ProblemTask(Task[Posed, Answer, ProblemProgram]):
    """A problem as what programs are graded on."""

    problem: Problem
    constants: tuple[str, ...] = ()
    allow_scripts: bool = False

    def gather(self, sources: Any) -> Iterator[Case]:
        """Return the instances: files, folders, names, or facts; without any, the problem's own."""
        several = [sources] if isinstance(sources, str | Path) else list(sources or ())
        if not several:
            several = list(self.problem.instances)
        instances = [each for source in several for each in self._of_source(source)]
        if not instances:
            raise InvalidPuzzle(
                f"{self.problem.folder} has no instances; expected files in its folder instances,"
                " or facts such as size=8"
            )
        return name_apart(iter(instances))

    def _of_source(self, source: str | Path) -> Iterator[Case]:
        path = Path(source)
        if (
            isinstance(source, str)
            and not is_there(source)
            and source not in self.problem.instances
        ):
            facts = self.problem.instance(source)
            yield Case(facts.name or source, _FACTS, facts.text)
            return
        if isinstance(source, str) and source in self.problem.instances:
            path = self.problem.instance_paths[source]
        if path.is_dir():
            inside = path / "instances"
            for each in instance_files(inside if inside.is_dir() else path):
                yield Case(each.stem, each, _text(each))
        else:
            yield Case(path.stem, path, _text(path))

    def for_clingo(self, path: Path, sandbox: Sandbox, alone: bool) -> ProblemProgram:
        return AspProblemProgram(path, self.constants, self.allow_scripts, sandbox=sandbox)

    def for_prolog(self, path: Path, sandbox: Sandbox) -> ProblemProgram:
        if adapter := adapter_of(self.problem):
            check_adapter(adapter)
        return PrologProblemProgram(path, sandbox=sandbox)

    def secrets(self, program: Path) -> Iterator[Path]:
        own, folder = program.parent.resolve(), self.problem.folder
        if own != folder and folder not in own.parents:
            yield folder
            return
        # The folder as a whole is the program's own.
        yield from parts_of_reference(self.problem, program)
        yield from (folder / name for name in ("check.lp", "solutions"))

    def engine(self, name: str) -> ProblemEngine:
        return engine_for(name, self.problem.instance(""))

    def solve(self, instance: Case, against: str, limit: int, timeout: float) -> Answers:
        facts = self._facts(instance)
        who = self.engines(against)
        adapted = [each for each in who if self._is_adapted(each)]
        plain = [each for each in who if each not in adapted]
        posed = Posed(facts, self.problem.outputs)
        founds = []
        for each in adapted:
            program = self.for_prolog(self.problem.path(each), TRUSTED)
            founds.append(adapted_answers(program, instance, posed, limit, timeout))
        if plain:
            founds.insert(0, found_by(plain, facts, limit, timeout, lambda answer: sorted(answer)))
        found = founds[0]
        for other in founds[1:]:
            if found.complete and other.complete and {*other.answers} != {*found.answers}:
                raise BackendFailure(f"{instance.name}: {found.source} and {other.source} differ")
        answers = found.answers
        costs = {each.cost for each in answers}
        if len(costs) > 1:
            raise BackendFailure(f"{instance.name}: the best answers have several costs: {costs}")
        if any(map(_is_too_large, (*answers, *costs))):
            words = "the reference has an answer with a number of more than 4300 digits"
            raise BackendFailure(f"{instance.name}: {words}, which is too large")
        outputs = self.problem.outputs or _signatures(answers)
        reference = _reference(facts, outputs, answers, found.complete, found.source)
        if answers:
            return reference
        paths = [facts.problem.path(name) for name in found.by if not is_command(name)]
        unset = unset_constants([each for each in paths if each.suffix == ".lp"], facts, SECONDS)
        words = f"{instance.name}: the reference has no answer, and nothing sets {listed(unset)}"
        more = "; expected #const in the instance or in the program"
        return replace(reference, warning=words + more) if unset else reference

    def _is_adapted(self, name: str) -> bool:
        """True for a reference of which ``adapter.pl`` makes answers, as of the submissions."""
        if is_command(name):
            return False
        path = self.problem.path(name)
        if path.suffix != ".pl" or adapter_of(self.problem) is None:
            return False
        return not _ANSWERS.search(path.read_text(encoding="utf-8", errors="replace"))

    def read(self, instance: Case, file: Path, limit: int) -> Answers:
        facts = self._facts(instance)
        outputs = self.problem.outputs
        with reading(file):
            answers, complete = _answers_in(file, outputs, limit)
        reference = _reference(facts, outputs or _signatures(answers), answers, complete, str(file))
        if complete or self.problem.references:
            return reference
        return replace(reference, warning=open_words(self.problem))

    def _facts(self, instance: Case) -> Instance:
        return read_instance(self.problem, instance.text, str(instance.path), instance.name)

    def engines(self, against: str) -> tuple[str, ...]:
        """The names of the programs that decide; InvalidPuzzle if the problem has none."""
        known = self.problem.references
        if against == "all" and known:
            return tuple(known)
        if against in known or against not in ("all", "clingo"):
            return (against,)
        if not known:
            raise no_reference(self.problem)
        return (next(iter(known)),)


def _is_too_large(value: Any) -> bool:
    """True if a number in it has more digits than Python writes."""
    if isinstance(value, int):
        return abs(value) >= _TOO_LARGE
    if isinstance(value, Atom):
        value = value.arguments
    return not isinstance(value, str) and any(map(_is_too_large, value))


EXACTLY = "Atoms"
"""The key in recorded answers for atoms as lists, as `Atom.to_json`, if ASP has no such atoms."""


def written(answer: Answer) -> dict[str, Any]:
    """Return an answer as clingo writes a witness; as lists, too, if it has no such atoms."""
    texts = [str(atom) for atom in sorted(answer)]
    witness: dict[str, Any] = {"Value": texts}
    if answer.cost:
        witness["Costs"] = list(answer.cost)
    if not all(map(_is_value, texts)):
        witness[EXACTLY] = [atom.to_json() for atom in sorted(answer)]
    return witness


def _parsed(text: str) -> Atom:
    return from_symbol(clingo.parse_term(text))


FEW = 200
"""Answers that a program with a change is compared with, at most."""


def _reference(
    facts: Instance,
    outputs: frozenset[Signature],
    solutions: Iterable[Answer],
    complete: bool,
    source: str,
) -> Answers:
    answers = frozenset(solutions)
    right = answers if complete and len(answers) <= FEW else None
    return Answers(Posed(facts, outputs, right), answers, complete, source)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidPuzzle(f"{path}: cannot be read: {error}") from None


def _signatures(answers: Iterable[Answer]) -> frozenset[Signature]:
    return frozenset(atom.signature for answer in answers for atom in answer)


def _answers_in(
    file: Path, outputs: frozenset[Signature], limit: int
) -> tuple[frozenset[Answer], bool]:
    """The answers in what ``clingo --outf=2`` wrote, the best ones, and whether they are all."""
    output, values, complete = read_output(file, limit, ("SATISFIABLE", "OPTIMUM FOUND"))
    answers = []
    for number, value in enumerate(values):
        witness = output["Call"][-1]["Witnesses"][number]
        costs, exact = witness.get("Costs", []), witness.get(EXACTLY)
        if not isinstance(costs, list) or not all(type(each) is int for each in costs):
            raise InvalidPuzzle(f'witness {number + 1}: "Costs" must be a list of integers')
        try:
            atoms = list(map(_parsed, value) if exact is None else map(_atom, exact))
        except (TypeError, RuntimeError, ValueError):
            key = "Value" if exact is None else EXACTLY
            raise InvalidPuzzle(
                f'witness {number + 1}: "{key}" has something other than an atom'
            ) from None
        mine = (each for each in atoms if not outputs or each.signature in outputs)
        answers.append(Answer(mine, costs))
    best = min((each.cost for each in answers), default=())
    models = output.get("Models")
    # Unless asked for all of them (--opt-mode=optN), clingo stops at the first optimum.
    if best and isinstance(models, dict):
        complete = complete and "Optimal" in models
    return frozenset(each for each in answers if each.cost == best), complete
