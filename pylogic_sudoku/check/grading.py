"""Programs graded on instances: a verdict for each, of one program or of many."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import BackendFailure, BackendUnavailable, InvalidPuzzle, LogicError
from ..problem.folder import Problem
from ..questions import checked_limit, checked_whole
from ..questions.many import checked_jobs, stream_in_order
from ..running.process import MAX_OUTPUT, Limits
from ..running.sandbox import CHOICES, Choice, Sandbox, sandbox
from ..running.workers import checked_timeout
from .cases import VOCABULARIES, Case, Vocabulary, vocabulary_of
from .diagnosis import MOST_PLACES, Diagnosis, Place, plain
from .goals import GoalTask
from .loops import SECONDS as LOOP_SECONDS
from .problems import ProblemTask
from .programs import (
    Attempt,
    Output,
    Q,
    Submission,
    V,
    checked_constants,
    program_file,
)
from .reports import part, write
from .results import Report, mark
from .tasks import Task
from .verdict import (
    AT_FAULT,
    REFERENCE_TIMEOUT,
    Reference,
    Verdict,
    Way,
    check_folder,
    checked_points,
    first_line,
    judge,
)

if TYPE_CHECKING:
    from ..puzzle.cells import Box
    from .puzzles import Source

_SUDOKU = "pylogic_sudoku.check.sudoku"
"""The module with the task of programs without a problem. It is loaded when one is graded."""

Known = dict[str, Reference[Any, Any] | LogicError]
"""For each instance, by name, its solutions, or the reason why there are none."""
LEAST = 0.05
"""Seconds that must be left of the time for all instances, or the program is not started."""

_MISSING = ("no-predicate", "not-loaded")
"""Messages about a call of a predicate that is not there, which is why the program fails."""
TRIES = 2
"""Instances that are tried of each way of failing, if the first ones have no explanation."""
SECONDS = 10.0
"""Time for an explanation, if the limit of the program is not shorter."""


def grade(
    program: str | Path,
    instances: Source | Sequence[Source],
    reference: str | Path | None = None,
    **settings: Any,
) -> Verdicts:
    """Return the verdicts on the program, one for each instance, as soon as it is known.

    They are an iterator that is true if every verdict is a success, so ``assert grade(...)`` works.
    An error in one instance becomes its verdict.

    Each run has a process of its own, in a sandbox where the system has one: on other systems a
    Prolog program, or an ASP program with `allow_scripts`, has all rights of its user.

    Args:
        program: A file for clingo, or for SWI-Prolog if its name ends in ``.pl``, ``.pro`` or
            ``.prolog``; a text of several lines is a program itself, and one for Prolog if it
            mentions ``:- use_module`` or defines the predicate.
        instances: A folder of ``*.lp`` files with givens as facts, a file of puzzles in any known
            format, a puzzle, or a list of these.
        reference: A folder with the output of ``clingo --outf=2`` for each instance, under the same
            name with ``.json``; without it, an engine solves the instances.
        settings: The fields of `Grader`, such as ``limit`` and ``timeout``.

    Raises:
        ValueError: For a mistake in the arguments.
        InvalidPuzzle: If a file or folder cannot be used.
        BackendUnavailable: If an engine is missing.
    """
    grader = Grader(**settings)
    path, text_folder = program_file(program, grader.predicate)
    submission = grader.program(path)
    submission.check()
    folder = None if reference is None else Path(reference)
    instance_stream = grader.instances(instances, folder)
    verdicts = grader.verdicts(submission, instance_stream, folder)
    return Verdicts(verdicts, text_folder, grader.title)


def explain(
    program: str | Path, instance: Source, reference: str | Path | None = None, **settings: Any
) -> Diagnosis:
    """Return why the program loses a solution of this instance, or what is wrong with an answer.

    The program is graded first; its kind is ``none`` for a success. An explanation that takes too
    long has the kind ``stopped``.

    Args:
        program: A file or a text, as for `grade`.
        instance: A file or a puzzle, as for `grade`, but a single one.
        reference: A folder of solutions, as for `grade`.
        settings: The fields of `Grader`, such as ``limit`` and ``timeout``.

    Raises:
        ValueError: If there are several instances, or for another mistake in the arguments.
        InvalidPuzzle: If a file or folder cannot be used.
        BackendUnavailable: If an engine is missing.
    """
    verdicts = grade(program, instance, reference, **settings)
    verdict = next(verdicts)
    if next(verdicts, None) is not None:
        verdicts.close()
        raise ValueError(f"{instance} holds several instances; expected one")
    return _in_full(verdict)


class Verdicts(Iterator[Verdict]):
    """The verdicts on a program, one for each instance; true if every one is a success.

    Each is yielded as soon as it is known. Its truth, its text and its HTML wait for all of them,
    and can be used at any time: ``verdicts = grade(...)`` and ``assert verdicts, verdicts``.
    """

    def __init__(
        self, verdicts: Generator[Verdict], folder: object = None, title: str = "Sudoku"
    ) -> None:
        self._coming = verdicts
        self._folder = folder  # the folder of a program that was given as text
        self._title = title
        self._verdicts: list[Verdict] = []
        self._next = 0

    def __next__(self) -> Verdict:
        if self._next == len(self._verdicts):
            self._verdicts.append(next(self._coming))
        self._next += 1
        return self._verdicts[self._next - 1]

    def __bool__(self) -> bool:
        """True if every verdict is a success."""
        return all(verdict.passed for verdict in self.all)

    def __str__(self) -> str:
        """Return what the command prints."""
        return write(self._report(), "text")

    __repr__ = __str__  # what pytest shows of a failed assertion

    def _repr_html_(self) -> str:
        return part(self._report())

    @property
    def all(self) -> tuple[Verdict, ...]:
        """All verdicts, even those that were read before."""
        self._verdicts += self._coming
        return tuple(self._verdicts)

    def close(self) -> None:
        """End the program that is running, and grade no more."""
        self._coming.close()

    def _report(self) -> Report:
        return Report(tuple(mark("program", each) for each in self.all), self._title)


@dataclass(frozen=True, slots=True)
class Grader:
    """The settings of grading: those of `grade`, of ``check``, and of ``exercise.toml``.

    Args:
        against: The engine that solves the instances if there is no reference, or ``"all"`` for all
            engines, which must agree.
        limit: How many different answers are compared; 0 for all.
        timeout: Seconds for each instance.
        total: Seconds for all instances of one program; None for no limit.
        memory: Megabytes for a program.
        predicate: The predicate of a Prolog program.
        vocabulary: The atoms of an ASP program: a name such as ``"sudoku"``, two atoms such as
            ``"hint,place"``, or a `Vocabulary`.
        constants: Constants for clingo, each ``name=value``.
        allow_scripts: True to run ``#script`` blocks, which may do anything.
        sandbox: ``"auto"`` for the best that this system has, ``"require"`` to run no program
            without one, ``"wasm"`` for Prolog as WebAssembly, which has no rights on any system,
            and no scripts; ``"off"`` for none.
        allow_read: Folders and files that programs may read, in addition to their own folder.
        user: The user as whom programs run, if root grades.
        max_output: Megabytes of answers, of messages, and of any file that a program writes.
        hidden: Instances that students see as numbers only. Of each way of failing, the first
            instance is explained, and the first of those that are not hidden; the second if the
            first shows nothing.
        points: Points for a success, by the name of the instance; ``"instance"`` sets those of all
            others, 1 by default; a way of failing, such as ``"missing"``, sets the part of them
            that it still earns, 0 by default.
        costs: False to grade an optimum without costs: each answer within the constraints of the
            reference is right, whatever a program minimizes, and one is enough.
        format: The name of the format of the puzzles, as for `Grid.parse`.
        box: The box shape of the puzzles, as for `Grid.parse`.
        problem: The problem that programs state: a `Problem`, its folder, or the name of one that
            comes with the package; if the folder has ``cases.pl``, programs are graded on its
            goals. Without a problem, it is sudoku, which alone has a `predicate`, a
            `vocabulary`, a `format` and a `box`.

    Raises:
        ValueError: For values that cannot be.
        TypeError: For values of another type.
    """

    against: str = "clingo"
    limit: int = 925
    timeout: float = 100
    total: float | None = None
    memory: int = 2048
    predicate: str = "sudoku"
    vocabulary: Vocabulary = VOCABULARIES["initial"]
    constants: Sequence[str] = ()
    allow_scripts: bool = False
    sandbox: Choice = "auto"
    allow_read: Sequence[str | Path] = ()
    user: str = ""
    max_output: int = MAX_OUTPUT
    hidden: Sequence[str] = ()
    points: Mapping[str, float] = field(default_factory=dict)
    costs: bool = True
    format: str | None = None
    box: Box | None = None
    problem: Problem | None = None

    def __post_init__(self) -> None:
        texts = dict.fromkeys(("against", "predicate", "sandbox", "user"), str)
        for name, kind in {**texts, "vocabulary": str | Vocabulary}.items():
            if not isinstance(value := getattr(self, name), kind):
                raise TypeError(f"{name} must be a text, not {value!r}")
        if self.problem is not None and not isinstance(self.problem, Problem):
            object.__setattr__(self, "problem", Problem(self.problem))
        if not isinstance(self.costs, bool):
            raise TypeError(f"costs must be true or false, not {self.costs!r}")
        if not self.costs and (self.problem is None or self.problem.cases):
            of = "sudoku has" if self.problem is None else "goals have"
            raise ValueError(
                f"costs = false is for a problem that minimizes something; {of} no cost"
            )
        if self.sandbox not in CHOICES:
            raise ValueError(f"sandbox must be one of {', '.join(CHOICES)}, not {self.sandbox!r}")
        if self.sandbox == "wasm" and self.allow_scripts:
            raise ValueError("sandbox wasm is for Prolog: it cannot hold scripts of clingo")
        if isinstance(self.allow_read, str | Path):
            object.__setattr__(self, "allow_read", [self.allow_read])
        checked_limit(self.limit)
        for name in ("timeout", "total"):
            checked_timeout(getattr(self, name), name)
        checked_whole("memory", self.memory, 1)
        checked_whole("max_output", self.max_output, 1, 10**6)  # systems take no larger files
        if not isinstance(self.hidden, list | tuple):
            raise TypeError(f"hidden must be a list of instances, not {self.hidden!r}")
        object.__setattr__(self, "points", checked_points(self.points))
        if not re.fullmatch(r"[a-z]\w*", self.predicate):
            raise ValueError(
                f"{self.predicate!r} is not a name of a predicate; expected a name such as sudoku"
            )
        object.__setattr__(self, "constants", checked_constants(self.constants))
        object.__setattr__(self, "vocabulary", vocabulary_of(self.vocabulary))

    @property
    def task(self) -> Task[Any, Any, Submission[Any, Any]]:
        """The subject of the programs: sudoku, or the problem."""
        if self.problem is not None:
            given = self.problem, tuple(self.constants), self.allow_scripts
            return GoalTask(*given) if self.problem.cases else ProblemTask(*given, self.costs)
        scripts, constants = self.allow_scripts, tuple(self.constants)
        task: Task[Any, Any, Submission[Any, Any]] = import_module(_SUDOKU).Sudoku(
            self.vocabulary, self.predicate, constants, scripts, self.format, self.box
        )
        return task

    @property
    def title(self) -> str:
        """The title of a report, unless an exercise has one."""
        return "Sudoku" if self.problem is None else self.problem.title

    def program(self, path: Path, alone: bool = True) -> Submission[Any, Any]:
        """Return the program in a file.

        Args:
            path: The file.
            alone: True if it is the only program, so that settings of no effect on it are mistakes.

        Raises:
            ValueError: If it is `alone` and a setting has no effect on it.
        """
        return self.task.program(path, self.rights(), alone)

    def _hiding(
        self, program: Submission[Q, V], instances: Iterable[Case], folder: Path | None
    ) -> Submission[Q, V]:
        secret = self.task.secrets(program.path)
        return hiding(program, instances, folder, secret)

    def rights(self) -> Sandbox:
        """Return what programs may do.

        Raises:
            BackendUnavailable: If a sandbox is required and there is none.
        """
        return sandbox(self.sandbox, self.allow_read, self.user)

    def instances(self, sources: Source | Sequence[Source], folder: Path | None) -> Iterator[Case]:
        """Return the instances; an error if these or the reference cannot be used at all."""
        if folder and self.against != "clingo":
            raise ValueError("expected a folder of solutions or an engine, not both")
        if folder:
            check_folder(folder)
        else:
            self.task.check_engines(self.against)
        return self.task.gather(sources)

    def each(
        self,
        paths: Sequence[Path],
        instances: Sequence[Case],
        folder: Path | None,
        jobs: int = 1,
        absent: Mapping[Path, str] = MappingProxyType({}),
        alone: bool | None = None,
        unnamed: bool = False,
    ) -> Generator[tuple[Path, Iterator[Verdict]]]:
        """Yield each program with its verdicts, in order.

        Args:
            paths: The files of the programs.
            instances: The instances, in order.
            folder: A folder of solutions; None to let an engine solve the instances.
            jobs: The number of processes that share several programs.
            absent: Paths without a program, each with the reason, which is its error.
            alone: True if a file that cannot be read is an error of the run, False if it is one of
                the program; None means that it depends on whether there is just one.
            unnamed: True to leave the folder of a program out of messages.
        """
        checked_jobs(jobs)
        alone = len(paths) == 1 if alone is None else alone
        programs: list[Submission[Any, Any] | Absent] = []
        rights: Sandbox | None = None  # found out once: that may start both engines
        for path in paths:
            if path in absent:
                programs.append(Absent(path, absent[path]))
                continue
            rights = rights or self.rights()
            submission = self.task.program(path, rights, alone)
            submission = self._hiding(submission, instances, folder)
            submission = replace(submission, unnamed=path.parent if unnamed else None)
            if alone:
                submission.check()
            else:
                submission.check_engine()
            programs.append(submission)
        with TemporaryDirectory(prefix="pylogic-sudoku-", ignore_cleanup_errors=True) as place:
            known: Known = {}
            jobs = min(jobs, len(programs)) or 1
            if jobs > 1:  # solved once, for all processes
                for instance in instances:
                    self._solved(instance, folder, known)
            ask = partial(
                self.verdicts, instances=instances, folder=folder, known=known, place=place
            )
            with closing(stream_in_order(ask, programs, jobs)) as answers:
                for program, verdicts in answers:
                    yield program.path, verdicts

    def reference(self, instance: Case, folder: Path | None) -> Reference[Any, Any]:
        """Return the right answers to an instance.

        Args:
            instance: The instance.
            folder: A folder of solutions; None to let an engine solve the instance.

        Raises:
            LogicError: If the right answers are not known.
        """
        if folder is not None:
            return self.task.read(instance, folder / f"{instance.name}.json", self.limit)
        timeout = max(REFERENCE_TIMEOUT, self.timeout)
        return self.task.solve(instance, self.against, self.limit, timeout)

    def _solved(
        self, instance: Case, folder: Path | None, known: Known
    ) -> Reference[Any, Any] | LogicError:
        if instance.name not in known:
            try:
                known[instance.name] = self.reference(instance, folder)
            except BackendUnavailable:
                raise
            except LogicError as error:
                known[instance.name] = error
            except (ArithmeticError, ValueError, RecursionError, MemoryError) as error:
                known[instance.name] = BackendFailure(f"the reference: {error}")
        return known[instance.name]

    def verdicts(
        self,
        program: Submission[Any, Any] | Absent,
        instances: Iterable[Case],
        folder: Path | None,
        known: Known | None = None,
        place: str | None = None,
    ) -> Generator[Verdict]:
        """Yield the verdicts on one program; each instance is read and solved in its turn.

        Args:
            program: The program, as `program` returns it.
            instances: The instances, in order.
            folder: A folder of solutions; None to let an engine solve the instances.
            known: The right answers so far, by the name of the instance; new ones are kept there
                for other programs.
            place: The folder for temporary files; None for the usual one.
        """
        if isinstance(program, Absent):
            yield from (_not_run(instance, program.why) for instance in instances)
            return
        known = {} if known is None else known
        unreadable, at_fault = "", False
        try:
            program.check()
        except InvalidPuzzle as error:
            unreadable = str(error)
        seconds_left = self.total or inf
        explained: set[tuple[Way, bool]] = {("", False), ("", True)}
        unexplained = Counter[tuple[Way, bool]]()
        passed: list[Any] = []
        for instance in instances:
            program = self._hiding(program, [instance], folder)
            if unreadable:
                yield _not_run(instance, unreadable)
                continue
            if at_fault:
                yield Verdict(instance.name, "error", 0, message=AT_FAULT, at_fault=True)
                continue
            right = self._solved(instance, folder, known)
            if isinstance(right, LogicError):
                yield _not_run(instance, f"not graded: {right}", "ungraded")
                continue
            if seconds_left < LEAST:
                message = "not run: the time for all instances is over"
                yield _not_run(instance, message, "timeout")
                continue
            limits = Limits(min(self.timeout, seconds_left), self.memory, place, self.max_output)
            run, verdict = run_and_judge(program, instance, right, self.limit, limits)
            seconds_left -= run.seconds
            at_fault = run.flawed
            hidden = instance.name in self.hidden
            if verdict.passed and not hidden:
                passed.append(right.question)
            # A visible one represents the hidden ones after it, but not the reverse.
            if explained.isdisjoint({(verdict.way, False), (verdict.way, hidden)}):
                # Most of the time is left to the other instances.
                limits = replace(limits, seconds=min(limits.seconds, max(LEAST, seconds_left / 10)))
                why = reason(program, instance, run, verdict, right.beside(passed), limits)
                seconds_left -= why.seconds if why else 0
                # Another instance may show what this one does not, but not many have the time.
                unexplained[verdict.way, hidden] += why is None
                if why is not None or unexplained[verdict.way, hidden] == TRIES:
                    explained.add((verdict.way, hidden))
                verdict = replace(verdict, diagnosis=why)
            yield verdict


class Absent(NamedTuple):
    """A student without a program."""

    path: Path
    why: str


def hiding(
    program: Submission[Q, V],
    instances: Iterable[Case],
    folder: Path | None,
    more: Iterable[Path] = (),
) -> Submission[Q, V]:
    """Return the program without a view of the solutions, the other instances, and `more`."""
    paths = [*_secrets(program.path, instances, folder), *more]
    secret = {os.path.realpath(each) for each in paths}
    if secret <= set(program.sandbox.hidden):
        return program
    return replace(program, sandbox=program.sandbox.hiding(secret))


def _secrets(program: Path, instances: Iterable[Case], folder: Path | None) -> Iterator[Path]:
    """Yield what it must not read: solutions, other instances, the rest of an exercise.

    Next to the program, these are files; its folder as a whole is its own.
    """
    own = program.parent.resolve()
    if folder and folder.resolve() == own:
        yield from own.glob("*.json")
    elif folder:
        yield folder
    visited: set[Path] = set()
    for path in (instance.path for instance in instances):
        if not path.is_file():
            continue
        place = path.parent.resolve()
        if place == own or place in own.parents:
            yield path
        elif place not in visited:
            yield place
        exercise = place.parent
        if place not in visited and (exercise / "exercise.toml").is_file():
            yield from (exercise, exercise / "reference", exercise / "solutions")
        visited.add(place)


def _not_run(instance: Case, message: str, way: Way = "error") -> Verdict:
    """Return the verdict on an instance on which the program was not run."""
    error = first_line(message) if way == "error" else ""
    return Verdict(instance.name, way, 0, message=message, error=error)


def run_and_judge(
    program: Submission[Q, V],
    instance: Case,
    reference: Reference[Q, V],
    limit: int,
    limits: Limits,
) -> tuple[Output[V], Verdict]:
    """Run a program on one instance for up to `limit` answers, 0 for all, and judge its answers."""
    # One more answer than the limit, if only that can show a surplus.
    most = limit + (reference.complete and 0 < limit == len(reference.solutions))
    run = program.run(instance, reference.question, most, limits, reference.is_wrong)
    return run, judge(instance.name, run, reference, max(REFERENCE_TIMEOUT, limits.seconds))


# --- why a program fails: the question to ask after each verdict ---


def reason(
    program: Submission[Q, V],
    instance: Case,
    run: Output[V],
    verdict: Verdict,
    reference: Reference[Q, V],
    limits: Limits,
) -> Diagnosis | None:
    """Return why the program fails.

    None for a success, and for an error or a wrong answer if nothing more is known. It takes
    `SECONDS` at most, and no longer than the limits; if that is not enough, the kind is
    ``stopped``. Whether a program ends that ran out of time is asked in another `LOOP_SECONDS`.
    """
    names_line = verdict.way == "error" and (
        # clingo's messages name the line, those of a running Prolog program only at times.
        program.tells_lines
        or verdict.at_fault
        or any(each.kind in _MISSING and each.line for each in verdict.errors)
    )
    if verdict.passed or not verdict.graded or names_line:
        return None
    limits = replace(limits, seconds=min(limits.seconds, SECONDS))
    question = reference.question
    answers = {answer.value for answer in run.answers if not answer.fault}
    lost = reference.first(reference.lacking(answers))
    if verdict.way == "wrong":
        lost = lost if run.exhausted else None
        right = reference.first(reference.solutions)
        wrong: Attempt[Any] = Attempt(verdict.extra_answer, verdict.fault)
        return program.explain_wrong(instance, question, wrong, lost, right, limits)
    loop = None
    if verdict.way == "timeout" or run.lacks_memory:
        # The search for it has its own time: a loop is found soon, however short the run was.
        own = replace(limits, seconds=LOOP_SECONDS)
        loop = program.explain_loop(instance, question, own)
        if loop and (loop.kind == "loop" or lost is None):
            return loop
    if lost is None and verdict.way == "error":
        return None
    if lost is None:
        return Diagnosis("slow", f"the program finds every {reference.answer}, but does not stop")
    diagnosis = program.explain(instance, question, lost, limits)
    if loop and not diagnosis.places:
        return loop
    if verdict.way == "error" and not diagnosis.places and diagnosis.kind != "stopped":
        return None
    if verdict.way == "timeout" and diagnosis.kind == "none":
        end = run.ending or "out of time"
        words = f"the program excludes no {reference.answer}, but is slow: {end}"
        return replace(diagnosis, kind="slow", summary=words)
    return diagnosis


def _in_full(verdict: Verdict) -> Diagnosis:
    """Return the diagnosis of a verdict with everything in the verdict itself."""
    diagnosis = verdict.diagnosis
    if verdict.passed:
        return Diagnosis("none", "the program has every solution, and no other answer")
    if verdict.way == "error":
        first = first_line(plain(verdict.message))
        places = tuple(
            Place(each.file, each.line, each.column or 0, "", each.words)
            for each in verdict.errors[:MOST_PLACES]
            if each.line
        )
        return diagnosis or Diagnosis("error", f"the program does not run: {first}", places)
    if verdict.way == "wrong":
        words = f"an answer is wrong: {verdict.rule}" if verdict.rule else "an answer is wrong"
        if diagnosis is None:
            return Diagnosis("too many", words)
        return replace(diagnosis, summary=f"{words}; {diagnosis.summary}")
    return diagnosis or Diagnosis("stopped", verdict.message)
