"""Goals as what programs in Prolog are graded on: all solutions of each case of a file.

``cases.pl`` in the folder of an exercise has the cases, as facts that a teacher writes, or a file
``*.plt`` has tests of plunit, which are read as cases where they are plain. The solutions stand in
the case, or the reference program in the folder has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from ..engines import engine_for
from ..engines.base import ProblemEngine
from ..engines.command.named import is_command
from ..errors import BackendFailure, InvalidProblem, InvalidPuzzle, counted, listed
from ..problem.folder import Problem
from ..question import Question
from ..running.children import by_prolog, check_prolog
from ..running.process import Limits
from ..running.runs import Child, Files, ask, opened, text_of
from ..running.sandbox import TRUSTED, Sandbox
from .cases import Case, apart
from .diagnosis import Diagnosis
from .judging import no_reference, parts_of_reference
from .posing import Posing, posed
from .problem_programs import LOADING, adapter_of, check_adapter, prolog_text
from .programs import PROLOG_FILES, Attempt, Fault, Output, Submission
from .tasks import Task
from .verdict import Reference

INFERENCES = 10_000_000
"""Inferences for all solutions of a goal, unless its case says otherwise."""
_TASKS = ["host/goals"]
_SHORT = 80
"""Characters of a goal that a sentence shows."""


@dataclass(frozen=True, order=True)
class Solution:
    """A solution of a goal, as Prolog's prompt prints it; variants have the same text."""

    text: str
    number: int = 1
    """Its place, if solutions are in order; otherwise how often it has come until now."""
    thrown: bool = False
    """True for an error instead of a solution."""

    def __str__(self) -> str:
        return f"throws {self.text}" if self.thrown else self.text

    def to_json(self) -> str:
        """The text."""
        return str(self)


@dataclass(frozen=True)
class Goal(Question):
    """A goal with the solutions that it should have."""

    has_atoms: ClassVar[bool] = True  # they are not grids, at least

    name: str
    text: str
    """The goal, as Prolog reads it."""
    line: int = 0
    """The line of its case."""
    kind: Literal["solutions", "error", "reference"] = "reference"
    """The kind of `expected`: solutions, an error, or nothing because the reference has them."""
    expected: tuple[str, ...] = ()
    counting: Literal["", "set", "ordered"] = ""
    first: int = 0
    """The number of solutions that are asked for; 0 for all."""
    inferences: int = INFERENCES
    choice_points: Literal["", "det", "nondet"] = ""
    """The treatment of a choice point after the last solution: by default it is mentioned."""
    calls: tuple[tuple[str, tuple[str, ...], bool], ...] = ()
    """The predicates that it calls: the name, the mode of each argument, and True for one of a
    library."""
    warning: str = ""
    """Remarks on the file of the cases."""

    def __str__(self) -> str:
        return self.text

    @property
    def about(self) -> str:
        return f" of {self.text}" if len(self.text) <= _SHORT else ""

    def lacking(self, number: int) -> str:
        if self.kind == "error":
            return f"an error{self.about}"
        return f"{counted(number, 'solution')}{self.about}"

    def lines(self, answer: Solution) -> list[str]:
        return [str(answer)] if answer.text else []

    def to_json(self) -> dict[str, Any]:
        """The goal, and the name of its case."""
        return {"case": self.name, "goal": self.text}

    def fields(self) -> dict[str, Any]:
        return self.to_json()

    def solutions(self, texts: Iterable[str]) -> list[Solution]:
        """Return these texts as solutions, in their order."""
        number = self.numbering()
        return [Solution(each, number(each)) for each in texts]

    def numbering(self) -> Callable[[str], int]:
        """Return a function that numbers solutions as they come."""
        if self.counting == "set":
            return lambda _text: 1
        seen = Counter[str]()

        def number(text: str) -> int:
            key = "" if self.counting == "ordered" else text
            seen[key] += 1
            return seen[key]

        return number

    @property
    def source(self) -> str:
        """The case as a fact of a file of cases."""
        parts = [_atom(self.name), self.text if _is_argument(self.text) else f"({self.text})"]
        options = [self.counting, f"first({self.first})" if self.first else "", self.choice_points]
        if self.inferences != INFERENCES:
            options.append(f"inferences({self.inferences})")
        options = list(filter(None, options))
        if self.kind == "error":
            name = "throws"
            parts += self.expected
        elif self.kind == "solutions" and not self.expected:
            name = "fails"
            options = [each for each in options if each.startswith("inferences")]
        else:
            name = "case"
            solutions = ", ".join(f"({each})" if ", " in each else each for each in self.expected)
            parts.append("_" if self.kind == "reference" else f"[{solutions}]")
        if options:
            parts.append(f"[{', '.join(options)}]")
        return f"{name}({', '.join(parts)}).\n"


def _atom(name: str) -> str:
    if re.fullmatch(r"[a-z]\w*", name, re.ASCII):
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


_QUOTED = re.compile(r"'(?:\\.|''|[^'\\])*'|\"(?:\\.|\"\"|[^\"\\])*\"", re.DOTALL)


def _is_argument(text: str) -> bool:
    """True for one term in the usual form, which needs no brackets as an argument."""
    plain = re.sub(r"^a?\w*", "", _QUOTED.sub("a", text))
    while plain != (shorter := re.sub(r"[(\[{][^()\[\]{}]*[)\]}]", "", plain)):
        plain = shorter
    return not plain


# --- the file of the cases -----------------------------------------------------------------------


def goals_of(problem: Problem) -> tuple[Goal, ...]:
    """Return the cases of a problem, each under a name of its own.

    Remarks on what cannot be read as a case are with the first one.

    Raises:
        InvalidProblem: If the file has mistakes, which are named with their lines.
    """
    path = problem.cases
    return _goals_in(path, path.stat().st_mtime_ns) if path else ()


@lru_cache(16)
def _goals_in(path: Path, _changed: int) -> tuple[Goal, ...]:
    check_prolog()
    with opened(Limits(LOADING, 1024)) as files:
        child = by_prolog(files, path, _TASKS, "pls_goals:cases", "")
        rows, ended = ask(files, child, TRUSTED)
    wrong = [f"{path}:{line}: {text}" for kind, line, text, *_ in rows if kind == "complaint"]
    if not wrong and (ended.code != 0 or not rows):
        wrong = [f"{path}: " + (ended.errors.strip() or "there is no case")]
    if wrong:
        raise InvalidProblem("\n".join(wrong))
    skipped = [f"{path}:{line}: {text}" for kind, line, text, *_ in rows if kind == "skipped"]
    goals = [_goal(*each) for kind, *each in rows if kind == "case"]
    if not goals:
        raise InvalidProblem(f"{path}: there is no case; expected case(Name, Goal, Solutions)")
    names = apart(each.name for each in goals)
    goals = [replace(goal, name=name) for goal, name in zip(goals, names, strict=True)]
    if skipped:
        goals[0] = replace(goals[0], warning=f"not read as a case: {'; '.join(skipped)}")
    return tuple(goals)


def _goal(
    name: str,
    line: int,
    text: str,
    kind: Any,
    expected: Any,
    options: list[list[Any]],
    calls: list[tuple[str, list[str], bool]],
) -> Goal:
    """The goal in a row that Prolog has written."""
    known: dict[str, Any] = {each: (value or [True])[0] for each, *value in options}
    return Goal(
        name,
        text,
        line,
        kind,
        () if kind == "reference" else tuple([expected] if kind == "error" else expected),
        counting="set" if "set" in known else "ordered" if "ordered" in known else "",
        first=known.get("first", 0),
        inferences=known.get("inferences", INFERENCES),
        calls=tuple((each, tuple(modes), of_library) for each, modes, of_library in calls),
        choice_points="det" if "det" in known else "nondet" if "nondet" in known else "",
    )


# --- the programs --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GoalProgram(Submission[Goal, Solution]):
    """A program for SWI-Prolog whose predicates goals call."""

    noun: ClassVar[str] = "solution"
    tells_lines = True

    problem: Problem | None = None
    """The folder of the cases; its ``adapter.pl`` is loaded above the program."""

    def check_engine(self) -> None:
        check_prolog()

    def _flaw(self) -> str:
        if self.path.suffix.lower() not in PROLOG_FILES:
            return f"it is not a program in Prolog: expected a file *{PROLOG_FILES[0]}"
        return Submission._flaw(self)

    def child(self, files: Files, instance: Case, question: Goal, most: int) -> Child:
        adapter = "none"
        if self.problem and (path := adapter_of(self.problem)):
            # A copy, since another user may not reach the file.
            adapter = files.pass_on(path, "adapter", path.read_text("utf-8"))
        number = min(question.first, most or question.first) or most
        repeated = "once" if question.counting == "set" else "all"
        expected = "error" if question.kind == "error" else "solutions"
        parts = [prolog_text(question.text), number, question.inferences, repeated, expected]
        request = f"request({','.join(map(str, parts))})"
        return by_prolog(files, self.path, _TASKS, "pls_goals:grade", request, adapter)

    def reader(self, question: Goal) -> Callable[..., Attempt[Solution]]:
        number = question.numbering()

        def read(text: object, *thrown: object) -> Attempt[Solution]:
            if thrown:
                return Attempt(Solution(text_of(text), thrown=True))
            return Attempt(Solution(text_of(text), number(text_of(text))))

        return read

    def read(self, question: Goal, *parts: Any) -> Attempt[Solution]:
        return self.reader(question)(*parts)

    def run(
        self,
        instance: Case,
        question: Goal,
        most: int,
        limits: Limits,
        wrong: Callable[[Attempt[Solution]], bool] = lambda _answer: False,
    ) -> Output[Solution]:
        output = Submission.run(self, instance, question, most, limits, wrong)
        if question.kind == "error":
            output.answers = _of_pattern(instance.path, question, output.answers)
        if output.remarks and question.choice_points == "det":
            (words,) = output.remarks
            fault = Fault(words, "a choice point is left")
            output.answers.append(Attempt(Solution(""), fault))
        if output.remarks and (question.choice_points or question.first > 1):
            output.remarks = []
        # A program that cannot be loaded has not got the goal, which may be hidden.
        if output.stopped and not output.flawed:
            output.message = f"{output.message}\nthe goal is {question}".strip()
        return output

    def explain(self, instance: Case, question: Goal, lost: Solution, limits: Limits) -> Diagnosis:
        with self._posing(question, [lost], limits) as posing:
            if posing is None:
                return Diagnosis("none", "")
            answer = posing.answers[lost.text]
            return posing.program.explain(instance, posing.question, answer, limits)

    def explain_wrong(
        self,
        instance: Case,
        question: Goal,
        wrong: Attempt[Solution],
        lost: Solution | None,
        right: Solution | None,
        limits: Limits,
    ) -> Diagnosis | None:
        if wrong.value is None or wrong.value.text in question.expected:
            return None  # it comes too often, or in another place
        several = [each for each in (wrong.value, lost, right) if each is not None]
        with self._posing(question, several, limits) as posing:
            if posing is None:
                return None
            loses, has = (posing.answers[each.text] if each else None for each in (lost, right))
            extra = Attempt(posing.answers[wrong.value.text])
            return posing.program.explain_wrong(
                instance, posing.question, extra, loses, has, limits
            )

    def explain_loop(self, instance: Case, question: Goal, limits: Limits) -> Diagnosis | None:
        with self._posing(question, [], limits) as posing:
            if posing is None:
                return None
            return posing.program.explain_loop(instance, posing.question, limits)

    def _posing(
        self, question: Goal, solutions: Sequence[Solution], limits: Limits
    ) -> AbstractContextManager[Posing | None]:
        """The program with the question of a goal; None if these are no values, or errors."""
        if (
            self.problem is None
            or question.kind == "error"
            or any(each.thrown for each in solutions)
        ):
            return nullcontext()
        right = None if question.first else question.expected
        texts = [each.text for each in solutions]
        return posed(self.path, self.sandbox, self.problem, question.text, right, texts, limits)


def _of_pattern(
    path: Path, question: Goal, answers: list[Attempt[Solution]]
) -> list[Attempt[Solution]]:
    """The answers, where an error of the form that is expected is the expected one."""
    texts = [each.value.text for each in answers if each.value.thrown]
    if not texts or texts == list(question.expected):
        return answers
    request = f"request({prolog_text(question.expected[0])},{prolog_text(texts)})"
    with opened(Limits(LOADING, 1024)) as files:
        child = by_prolog(files, path, _TASKS, "pls_goals:matching", request)
        rows, _ = ask(files, child, TRUSTED)
    matching = rows[0][1] if rows else []
    right = {text for text, is_right in zip(texts, matching, strict=False) if is_right}
    expected = Attempt(Solution(question.expected[0], thrown=True))
    return [expected if each.value.text in right else each for each in answers]


# --- the cases as a task -------------------------------------------------------------------------


@dataclass(frozen=True)
class GoalAnswers(Reference[Goal, Solution]):
    """The solutions that a goal should have."""

    instance: ClassVar[str] = "goal"
    answer: ClassVar[str] = "solution"

    @property
    def number(self) -> str:
        return "an error" if self.question.kind == "error" else super().number

    def refuted(self, values: Sequence[Solution], seconds: float) -> tuple[set[Solution], str]:
        return set(), "not all solutions are known"

    def first(self, values: Iterable[Solution]) -> Solution | None:
        def order(each: Solution) -> Any:
            place = each.number if self.question.counting == "ordered" else 0
            return place, len(each.text), each

        return min(values, key=order, default=None)

    @property
    def asked(self) -> Goal:
        return self.question

    def worst(self, extra: Sequence[Attempt[Solution]]) -> tuple[Attempt[Solution], Fault | None]:
        value = self.first(each.value for each in extra)
        answer = next(each for each in extra if each.value == value)
        return answer, answer.fault or self._fault(answer.value)

    def _fault(self, value: Solution) -> Fault | None:
        if value.thrown:
            expected = next(iter(self.solutions), None)
            words = f"it should throw {expected.text}" if expected else "it should fail"
            return Fault(words, "another error is thrown")
        if self.question.kind == "error":
            return Fault("it should throw an error", "there is a solution, and no error")
        if not self.solutions:
            return Fault("it should fail", "a goal succeeds that should fail")
        if self.question.counting == "ordered":
            right = next((each for each in self.solutions if each.number == value.number), None)
            words = f"solution {value.number} should be {right.text}" if right else ""
            return Fault(words, "a solution is in another place") if words else None
        times = sum(each.text == value.text for each in self.solutions)
        if times:
            often = "once" if times == 1 else f"{times} times"
            return Fault(f"it should come {often}", "a solution comes too often")
        return None


@dataclass(frozen=True)
class GoalTask(Task[Goal, Solution, GoalProgram]):
    """The cases of a folder as what programs are graded on."""

    problem: Problem
    constants: tuple[str, ...] = ()
    allow_scripts: bool = False

    def gather(self, sources: Any) -> Iterator[Case]:
        """Return the cases, or those with these names; the folder itself means all."""
        several = [sources] if isinstance(sources, str | Path) else list(sources or ())
        goals = {each.name: each for each in goals_of(self.problem)}
        path = self.problem.cases
        assert path is not None
        names = [str(each) for each in several if Path(each).resolve() != self._inside(each)]
        for name in names:
            if name not in goals:
                raise InvalidPuzzle(f"{path} has no case {name!r}; there is {listed(goals)}")
        for goal in [goals[name] for name in names] or goals.values():
            yield Case(goal.name, path, goal.source, goal)

    def _inside(self, source: str | Path) -> Path | None:
        """The path of a source that means all cases; None for any other."""
        path = Path(source).resolve()
        known = (self.problem.folder, self.problem.cases)
        return path if path in known else None

    def for_clingo(self, path: Path, sandbox: Sandbox, alone: bool) -> GoalProgram:
        if alone and path.exists():
            cases = self.problem.cases
            raise ValueError(f"{path} is not a program in Prolog, and {cases} has goals")
        return GoalProgram(path, sandbox=sandbox)

    def for_prolog(self, path: Path, sandbox: Sandbox) -> GoalProgram:
        if adapter := adapter_of(self.problem):
            check_adapter(adapter)
        return GoalProgram(path, self.problem, sandbox=sandbox)

    def secrets(self, program: Path) -> Iterator[Path]:
        own, folder = program.parent.resolve(), self.problem.folder
        if own != folder and folder not in own.parents:
            yield folder
            return
        yield from parts_of_reference(self.problem, program)
        yield from filter(None, (self.problem.cases, adapter_of(self.problem)))

    def check_engines(self, against: str) -> None:
        if is_command(against):
            raise ValueError(
                f"{self.problem.cases} has goals, and only our own SWI-Prolog can be asked a goal,"
                f" not a command ({against}). Name a program of the folder for Prolog, such as"
                " prolog, or write the solutions in the cases"
            )
        check_prolog()

    def engines(self, against: str) -> tuple[str, ...]:
        return ("prolog",) if against in ("clingo", "all") else (against,)

    def engine(self, name: str) -> ProblemEngine:
        return engine_for(name, self.problem.instance(""))

    def solve(self, instance: Case, against: str, limit: int, timeout: float) -> GoalAnswers:
        """Return the solutions of a goal, which the reference must have too if there is one."""
        goal: Goal = instance.question
        if not self.problem.references:
            if goal.kind == "reference" and self.problem.paths:
                raise no_reference(self.problem)
            if goal.kind == "reference":
                raise InvalidProblem(
                    f"{instance.path}:{goal.line}: nothing says what the solutions of {goal} are;"
                    " write them there, or add a reference program to the folder"
                )
            return _answers(goal, [], str(instance.path))
        path = self.problem.path(self.engines(against)[0])
        program = replace(self.for_prolog(path, TRUSTED), sandbox=TRUSTED)
        asked = goal
        if goal.kind == "reference":
            asked = replace(goal, choice_points="nondet")
        run = program.run(instance, asked, limit + 1 if limit else 0, Limits(timeout, 2048))
        if goal.kind == "reference" and run.stopped == "error" and run.messages:
            # An error may be what the goal is for.
            thrown = replace(asked, kind="error", expected=("",))
            again = program.run(instance, thrown, 0, Limits(timeout, 2048))
            errors = [each.value.text for each in again.answers if each.value.thrown]
            if errors and len(again.answers) == 1 and not again.stopped:
                return _answers(replace(goal, kind="error", expected=(errors[0],)), [], path.name)
        where = f"{instance.path}:{goal.line}: the reference"
        if run.stopped:
            why = " ".join(filter(None, [run.ending, run.message])) or run.stopped
            raise BackendFailure(f"{where}: {why} ({goal})")
        if limit and len(run.answers) > limit:
            raise BackendFailure(
                f"{where} has more than {counted(limit, 'solution')} of {goal}; write first(N) in"
                " the case, or raise limit"
            )
        found = [each.value for each in run.answers]
        if goal.kind == "reference":
            return _answers(goal, [each.text for each in found], path.name)
        right = _answers(goal, [], str(instance.path))
        faults = [str(each.fault) for each in run.answers if each.fault]
        if faults or set(found) != right.solutions:
            has = faults or [str(each) for each in found] or ["no solution"]
            raise BackendFailure(f"{where} has {'; '.join(has[:5])}, not what the case says")
        return right

    def read(self, instance: Case, file: Path, limit: int) -> GoalAnswers:
        raise InvalidPuzzle(f"{file}: the solutions of goals are in {self.problem.cases}")


def _answers(goal: Goal, texts: Sequence[str], source: str) -> GoalAnswers:
    """The solutions that a case has, or that these texts are; the goal is asked with them."""
    if goal.kind == "error":
        solutions = [Solution(goal.expected[0], thrown=True)]
    else:
        if goal.kind == "reference":
            goal = replace(goal, kind="solutions", expected=tuple(texts))
        solutions = goal.solutions(goal.expected)
    return GoalAnswers(goal, frozenset(solutions), True, source, goal.warning)
