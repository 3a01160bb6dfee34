"""Any problem as what programs are graded on: a folder with programs that state it, and instances.

The right answers are those of the folder's own programs, or of files that clingo wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import clingo

from ..engines import engine_for
from ..engines.base import ProblemEngine
from ..engines.command.named import is_command
from ..errors import BackendFailure, InvalidProblem, InvalidPuzzle, SolveTimeout, cost_text, listed
from ..problem import Answer, Atom, Instance, Signature
from ..problem.atoms import from_symbol
from ..problem.folder import Problem, instance_files, read_instance
from ..problem.written import read_output, reading
from ..running.sandbox import TRUSTED, Sandbox
from .cases import Case, is_there, name_apart
from .comments import comment_on_refusal
from .judging import (
    adapted_answers,
    judged,
    no_reference,
    not_judged,
    not_known,
    open_words,
    parts_of_reference,
    unset_constants,
    violated,
)
from .problem_programs import (
    SECONDS,
    TOO_LARGE,
    AspProblemProgram,
    Posed,
    ProblemProgram,
    PrologProblemProgram,
    adapter_of,
    atom_of,
    check_adapter,
    is_value,
    refused,
)
from .programs import Attempt, Fault
from .tasks import Task, found_by
from .verdict import Reference

_FACTS = Path("facts.lp")
"""The name of an instance that is given as facts."""
PASSING = 3
"""Instances that the program passes, the last ones, in which its helpers are compared."""
_ANSWERS = re.compile(r"^(?:model|answer)\(", re.MULTILINE)
"""The definition of what a program without an adapter must have."""


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
        reason = refused(self.question, value)
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


class AnswersOfAnyCost(Answers):
    """Some right answers to an instance, without their costs: others may be within the constraints.

    A program need not have all of them, since it may minimize something else.
    """

    def lacking(self, values: Set[Answer]) -> frozenset[Answer]:
        return frozenset() if values else self.solutions

    def refuted(self, values: Sequence[Answer], seconds: float) -> tuple[set[Answer], str]:
        if not self.question.problem.references:
            return super().refuted(values, seconds)
        end = monotonic() + seconds
        kinds = {}
        for value in values:
            left = min(end - monotonic(), SECONDS)
            reason = refused(self.question, Answer(value), left) if left > 0 else None
            kinds[value] = reason.kind if reason else "unknown"
        number = [*kinds.values()].count("unknown")
        doubt = not_judged(number, self.source) if number else ""
        return {value for value in values if kinds[value] in ("excluded", "underived")}, doubt


def of_any_cost(right: Answers, name: str) -> Answers:
    """Return the right answers without their costs; InvalidPuzzle if they have none."""
    if not right.solutions:
        return right
    if not right.cost:
        raise InvalidPuzzle(
            f"{name}: costs = false is for an optimum, and the right answers have no cost; leave it"
            " out, since they are compared without costs anyway"
        )
    question = replace(right.question, right=None)
    solutions = frozenset(map(Answer, right.solutions))
    return AnswersOfAnyCost(question, solutions, False, right.source, right.warning)


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


# --- a problem as a task -----------------------------------------------------------------------


@dataclass(frozen=True)
class ProblemTask(Task[Posed, Answer, ProblemProgram]):
    """A problem as what programs are graded on."""

    problem: Problem
    constants: tuple[str, ...] = ()
    allow_scripts: bool = False
    costs: bool = True
    """False if answers of any cost are right that are within the constraints."""

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
        right = self._solved(instance, against, limit, timeout)
        return right if self.costs else of_any_cost(right, instance.name)

    def _solved(self, instance: Case, against: str, limit: int, timeout: float) -> Answers:
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
        if not self.costs:
            reference = of_any_cost(reference, instance.name)
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
        return abs(value) >= TOO_LARGE
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
    if not all(map(is_value, texts)):
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
            atoms = list(map(_parsed, value) if exact is None else map(atom_of, exact))
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
