"""Comparing the engines, on one puzzle or instance or on many."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape
from itertools import combinations, islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar, overload

from ..engines import AnyEngine, comparable, engine_for
from ..engines.base import Engine, not_found
from ..errors import (
    BackendFailure,
    BackendUnavailable,
    Disagreement,
    InvalidProblem,
    InvalidPuzzle,
    LogicError,
    SolveTimeout,
    cost_text,
    counted,
    listed,
    shortened,
    shown,
)
from ..problem import Answer, Fact, Instance
from ..question import Question, as_question, several
from ..running.workers import checked_timeout
from . import checked_limit
from .many import checked_jobs, map_in_order, readable

if TYPE_CHECKING:
    from ..formats import PuzzleLike
    from ..problem.folder import Problem
    from ..puzzle import Grid, Puzzle
    from ..reasons.lines import Refusal

Outcome = Literal["agree", "disagree", "confirmed"]
Q = TypeVar("Q", bound=Question)
A = TypeVar("A", bound="Grid | Answer")


@dataclass(frozen=True, slots=True)
class EngineResult(Generic[A]):
    """The solutions that one engine found."""

    solutions: frozenset[A]
    complete: bool
    """True if these are all solutions; False if the engine was stopped, at the limit or because its
    time ran out."""
    seconds: float
    timed_out: bool = False
    """True if its time ran out; `solutions` are those that it found in time."""
    first: float | None = field(default=None, compare=False)
    """Seconds until the first solution; None if there is none."""
    best: A | None = field(default=None, compare=False)
    """Of an optimum whose time ran out: the best answer so far, which `solutions` lack, since it is
    not proved that none is better."""
    bound: tuple[int, ...] | None = field(default=None, compare=False)
    """Of such an optimum: costs, if it is known that no answer costs less."""

    @property
    def cost(self) -> tuple[int, ...]:
        """The cost of the best answers to an instance; empty if nothing is minimized."""
        return next((getattr(each, "cost", ()) for each in self.solutions), ())

    @property
    def bests(self) -> tuple[A, ...]:
        """The best answer so far, if there is one, even one without atoms."""
        return () if self.best is None else (self.best,)

    @property
    def number(self) -> str:
        """The number of solutions in words, with their cost."""
        if isinstance(self.best, Answer):
            costs = cost_text(self.best.cost)
            return f"an answer of cost {costs}, not proved to be the best, when its time ran out"
        number = counted(len(self.solutions), "solution")
        number += f" of cost {listed(self.cost)}" if self.cost else ""
        stopped = " when its time ran out" * self.timed_out
        least = "at least " * (not self.complete and not self.timed_out)
        return f"{least}{number}{stopped}"

    def __str__(self) -> str:
        first = min(map(str, self.solutions), default="")
        return f"{self.number}{first and f', such as {first}'}"

    def __repr__(self) -> str:
        content = f"solutions={len(self.solutions)}, complete={self.complete}"
        stopped = ", timed_out=True" * self.timed_out
        return f"<EngineResult: {content}, seconds={self.seconds:.3g}{stopped}>"


@dataclass(frozen=True, slots=True)
class Comparison(Generic[Q, A]):
    """The results of the engines on one puzzle or instance, by engine name."""

    puzzle: Q
    """A `Grid`, a `Puzzle` or an `Instance`."""
    answers: dict[str, EngineResult[A]] = field(hash=False)
    rejected: dict[str, frozenset[A]] = field(hash=False)
    """By engine, the solutions that others give and that it rejects."""
    refusals: Mapping[str, Mapping[A, Refusal]] = field(
        default_factory=dict, hash=False, compare=False, repr=False
    )
    """By engine, the reason for each answer that it rejects, smaller answers first. A reason is
    looked for when it is first read. Of sudokus there are none."""

    @property
    def outcome(self) -> Outcome:
        """``"agree"``, ``"disagree"`` or ``"confirmed"``.

        They agree if no engine rejects another's solution, and all counts and costs are the same.
        If the time of some engine ran out, but it accepts every solution that the others found,
        these solutions are confirmed. Only the engines that finished can then tell that there are
        no more; if none finished, there may be more.
        """
        finished = [answer for answer in self.answers.values() if not answer.timed_out]
        counts = {len(answer.solutions) for answer in finished}
        costs = {answer.cost for answer in finished if answer.solutions}
        if len(counts) > 1 or len(costs) > 1 or any(self.rejected.values()):
            return "disagree"
        return "confirmed" if self.timed_out else "agree"

    @property
    def agree(self) -> bool:
        """True if the outcome is ``"agree"``: all engines finished, and found the same."""
        return self.outcome == "agree"

    @property
    def timed_out(self) -> tuple[str, ...]:
        """The names of the engines whose time ran out."""
        return tuple(name for name, answer in self.answers.items() if answer.timed_out)

    @property
    def finished(self) -> tuple[str, ...]:
        """The names of the engines that finished, or stopped at the limit."""
        return tuple(name for name in self.answers if name not in self.timed_out)

    @property
    def solutions(self) -> frozenset[A]:
        """Every solution that at least one engine gave."""
        return frozenset().union(*(answer.solutions for answer in self.answers.values()))

    @property
    def only(self) -> dict[str, frozenset[A]]:
        """By engine, the solutions that it gives and that another one rejects.

        A best answer so far is one of them if it is better than the best of another engine.
        """
        rejected = frozenset().union(*self.rejected.values())
        return {
            name: rejected & answer.solutions.union(answer.bests)
            for name, answer in self.answers.items()
        }

    @property
    def differences(self) -> tuple[str, ...]:
        """For each engine, its smallest solution that another one rejects, and the reasons."""
        smallest: dict[A, list[str]] = {}
        for name, only in self.only.items():
            if only:
                smallest.setdefault(min(only, key=by_size), []).append(name)
        sentences: list[str] = []
        for solution, names in smallest.items():
            against = [other for other, given in self.rejected.items() if solution in given]
            fact = f"{_have(names)} {shortened(solution_text(solution))}"
            if self.refusals:
                sentences += (fact, *(str(self.refusals[each][solution]) for each in against))
            else:
                sentences.append(f"{fact}, but not {listed(against, 'or')}")
        return tuple(sentences)

    @property
    def alone(self) -> str | None:
        """The engine that differs from two or more others, which agree; None if there is none."""
        return odd_one_out(list(self.answers), self._same)

    @property
    def _costless(self) -> str:
        """The engines whose answers have no cost, if those of others have one, in words."""
        found = {name: each.cost for name, each in self.answers.items() if each.solutions}
        without = [name for name, cost in found.items() if not cost]
        others = [name for name, cost in found.items() if cost]
        if not (without and others):
            return ""
        return f"the answers of {listed(others)} have a cost, those of {listed(without)} have none"

    def _same(self, one: str, other: str) -> bool:
        """True if neither of two engines contradicts the other."""
        answers = self.answers[one], self.answers[other]
        counts = {len(answer.solutions) for answer in answers if not answer.timed_out}
        costs = {answer.cost for answer in answers if answer.solutions and not answer.timed_out}
        return len(counts) < 2 and len(costs) < 2 and self.rejected[one] == self.rejected[other]

    @property
    def timings(self) -> dict[str, float]:
        """By engine, the seconds until its last solution, or until it was stopped."""
        return {name: answer.seconds for name, answer in self.answers.items()}

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {len(each.solutions)}" for name, each in self.answers.items())
        return f"<Comparison: {self.outcome}, solutions: {counts}>"

    def __str__(self) -> str:
        return "; ".join((self.summary, *(self.differences if self.refusals else ())))

    @property
    def summary(self) -> str:
        """The outcome in words, without the differences."""
        number = counted(len(self.solutions), "solution")
        if self.outcome == "agree":
            complete = all(answer.complete for answer in self.answers.values())
            return f"the engines agree: {'' if complete else 'at least '}{number}"
        if self.outcome == "disagree":
            alone = f": {self.alone} stands alone" if self.alone else ""
            costless = self._costless and f": {self._costless}"
            return f"the engines disagree{alone}{costless}"
        slow, others = listed(self.timed_out), listed(self.finished)
        known = f"only {others} can know whether there are more" if others else "there may be more"
        if others and any(answer.bests for answer in self.answers.values()):
            known = f"only {_have(self.finished)} proved that none is better"
        return (
            f"confirmed: {slow} did not finish in time, but every engine accepts what was found:"
            f" {number}; {known}"
        )

    def _repr_html_(self) -> str:
        """Their common answer, a line for each engine, and the only solution."""
        lines = (
            f"<tr><th scope=row>{escape(name)}</th>"
            f"<td>{escape(answer.number)}</td>"
            f"<td>{answer.seconds * 1e3:,.1f} ms</td></tr>"
            for name, answer in self.answers.items()
        )
        pictures = self.puzzle.pictures(self.solutions)
        table = f"<table>{''.join(lines)}</table>"
        from ..notebook import html_part

        return html_part(f"{self}", *(pictures if len(pictures) == 1 else ())) + table

    def check(self) -> None:
        """Raise an error if the engines disagree; not if the outcome is ``"confirmed"``.

        Raises:
            Disagreement: If the engines disagree.
        """
        if self.outcome == "disagree":
            costless = filter(None, [self._costless])
            reasons = (*costless, *self.differences)
            error = Disagreement(self.puzzle, self.answers, self.alone, reasons)
            error.refusals = self.refusals
            raise error


def _have(names: Sequence[str]) -> str:
    """The beginning of a sentence about these engines."""
    return f"{listed(names)} {'has' if len(names) == 1 else 'have'}"


class Refusals(Mapping[Any, "Refusal"]):
    """The reasons of one engine for rejecting answers, by answer: found as they are read.

    `timeout` is for each of them.
    """

    def __init__(
        self, instance: Instance, backend: str, rejected: Iterable[Answer], timeout: float | None
    ) -> None:
        self.instance = instance
        self.backend = backend
        self._timeout = timeout
        self._known: dict[Answer, Refusal | None] = dict.fromkeys(rejected)

    def __getitem__(self, answer: Answer) -> Refusal:
        known = self._known[answer]
        if known is None:
            known = self._known[answer] = self._look_for(answer)
        return known

    def _look_for(self, answer: Answer) -> Refusal:
        from ..reasons.refusal import Refusal, refusal

        try:
            return refusal(self.instance, answer, self.backend, self._timeout)
        except LogicError as error:
            return Refusal(self.backend, "unknown", why=f"the reason is not known: {error}")

    def __iter__(self) -> Iterator[Answer]:
        return iter(self._in_order)

    @cached_property
    def _in_order(self) -> list[Answer]:
        return sorted(self._known, key=by_size)

    def __len__(self) -> int:
        return len(self._known)

    def __repr__(self) -> str:
        return f"<Refusals: {self.backend}, {counted(len(self), 'answer')}>"


def by_size(solution: Grid | Answer) -> tuple[int, str]:
    """A key by which small answers come first."""
    return (len(solution) if isinstance(solution, Answer) else 0), str(solution)


def solution_text(solution: Grid | Answer) -> str:
    """A solution within a sentence."""
    return str(solution).removesuffix(".") or "the answer without atoms"


def odd_one_out(engines: Sequence[str], same: Callable[[str, str], bool]) -> str | None:
    """The engine that differs from all others, if these are two or more and do not differ."""
    for engine in engines:
        others = [other for other in engines if other != engine]
        agree = all(same(*pair) for pair in combinations(others, 2))
        if len(others) > 1 and agree and not any(same(engine, other) for other in others):
            return engine
    return None


@overload
def compare(
    puzzle: Instance,
    backends: Sequence[str | AnyEngine] = ("clingo", "prolog"),
    limit: int | None = 50,
    timeout: float | None = None,
) -> Comparison[Instance, Answer]: ...
@overload
def compare(
    puzzle: PuzzleLike,
    backends: Sequence[str | AnyEngine] = ("clingo", "prolog"),
    limit: int | None = 50,
    timeout: float | None = None,
) -> Comparison[Grid | Puzzle, Grid]: ...
def compare(
    puzzle: PuzzleLike | Instance,
    backends: Sequence[str | AnyEngine] = ("clingo", "prolog"),
    limit: int | None = 50,
    timeout: float | None = None,
) -> Comparison[Any, Any]:
    """The solutions that each engine finds, and where they differ.

    With a limit, two engines may rightly find different solutions. So an engine must confirm each
    solution of the others that it has not found itself: given that grid, it must return it. A
    program with a search of its own, such as ``answer/1``, confirms by continuing that search,
    within its first limit.

    An engine whose time runs out must confirm each solution of the others in the same way, which
    takes no search: the rules are checked on the full grid. Then the outcome is ``"confirmed"``,
    even if no engine finished. In an optimization it must have the best answers of the others at
    their cost; that its own best answer so far (`EngineResult.best`) costs more is no difference,
    but that it costs less is one. A program with a search of its own that is late can confirm
    nothing but that best answer.

    A disagreement is an answer, not an error; `Comparison.check` makes it one.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, nested rows, or an `Instance` of a
            `Problem`.
        backends: Names of engines, or backend objects; for an instance, programs of its problem.
            ``"prolog:*"`` stands for all programs of Prolog that can solve the puzzle; see
            `programs`. With ``("clingo", "prolog", "sat")`` there is a majority, and
            `Comparison.alone` names the engine that differs from all others.
        limit: The most solutions that each engine is asked for, 1 or more, and 50 unless it is
            given, as in the command; None means all.
        timeout: In seconds, over 0, for the search of each engine and once more for all that it
            must confirm; None means no limit.

    Raises:
        SolveTimeout: If the time of an engine runs out and there is no solution to confirm, if it
            does not confirm them in time, or if it is the only engine.
        InvalidPuzzle: If the input is not a puzzle.
        BackendUnavailable: If an engine cannot be used here.
        BackendFailure: If an engine breaks, for instance if it gives the same solution twice.
        ValueError: If the limit or the timeout is out of range, or if `backends` is empty or two of
            them have the same name.
        TypeError: If the timeout is not a number, the limit is not whole, or `backends` is not a
            list of engines.

    >>> comparison = compare("12..34......4321")
    >>> comparison.outcome, len(comparison.solutions)
    ('agree', 2)
    """
    limit, timeout = checked_limit(limit, least=1), checked_timeout(timeout)
    backends = _several(backends)
    question = as_question(puzzle)
    engines = [engine_for(backend, question) for backend in comparable(backends, question)]
    answers: dict[str, EngineResult[Any]] = {}
    searches: dict[str, Generator[Any]] = {}
    with ExitStack() as opened:
        for engine in engines:
            own, rest = begun(engine, question, limit, timeout)
            opened.enter_context(closing(rest))
            answers[engine.name] = own
            if not (own.complete or own.timed_out) and engine.enumerates(question, timeout):
                searches[engine.name] = rest
            else:
                rest.close()
        solutions = frozenset[Any]().union(*(each.solutions for each in answers.values()))
        timed_out = any(each.timed_out for each in answers.values())
        if timed_out and (len(answers) == 1 or not solutions) and not _refuted(answers):
            raise _out_of_time(answers, timeout)
        rejected = {}
        for engine in engines:
            others = solutions - answers[engine.name].solutions
            search = searches.get(engine.name)
            given = _rejected(engine, question, answers, others, search, timeout)
            rejected[engine.name] = given | _better(answers[engine.name], answers)
    refusals = {
        name: Refusals(question, name, given, timeout)
        for name, given in rejected.items()
        if question.has_atoms
    }
    return Comparison(question, answers, rejected, refusals)


def _rejected(
    engine: AnyEngine,
    question: Any,
    answers: Mapping[str, EngineResult[Any]],
    others: frozenset[Any],
    search: Generator[Any] | None,
    timeout: float | None,
) -> frozenset[Any]:
    """Those of the answers of others that an engine rejects.

    `search` is its own if it has to be continued.
    """
    own = answers[engine.name]
    if own.complete:
        return others
    if own.timed_out:
        return _rejected_late(engine, question, answers, others, timeout)
    if search:
        return not_found(others, search)
    return engine.rejected(question, others, timeout)


def _rejected_late(
    engine: AnyEngine,
    question: Any,
    answers: Mapping[str, EngineResult[Any]],
    others: frozenset[Any],
    timeout: float | None,
) -> frozenset[Any]:
    """The same for an engine whose time has run out: it has no time for its own search again."""
    own = answers[engine.name]
    others -= frozenset(
        each for each in others for best in own.bests if (each, each.cost) == (best, best.cost)
    )
    if others and engine.enumerates(question, timeout):
        if _refuted(answers) or _differ(answers):  # which is the news
            return frozenset()
        raise _out_of_time({engine.name: own}, timeout)
    if any(each.cost for each in answers.values()):
        return engine.lacks(question, others, timeout)
    return engine.rejected(question, others, timeout)


def _differ(answers: Mapping[str, EngineResult[Any]]) -> bool:
    """True if two engines have found all answers, and not the same."""
    return len({each.solutions for each in answers.values() if each.complete}) > 1


def _better(own: EngineResult[Any], answers: Mapping[str, EngineResult[Any]]) -> frozenset[Any]:
    """The best answers so far of other engines that one has proved impossible: they cost less."""
    if own.timed_out:
        return frozenset()
    bests = [best for each in answers.values() for best in each.bests]
    return frozenset(best for best in bests if not own.solutions or best.cost < own.cost)


def _refuted(answers: Mapping[str, EngineResult[Any]]) -> bool:
    """True if some engine has proved that a best answer so far of another one is impossible."""
    return any(_better(own, answers) for own in answers.values())


def _out_of_time(answers: Mapping[str, EngineResult[Any]], timeout: float | None) -> SolveTimeout:
    """The error for engines of which none has an answer in time, with the best one so far."""
    late = {name: answer for name, answer in answers.items() if answer.timed_out}
    bests = {name: best.cost for name, each in late.items() for best in each.bests}
    name = min(bests, key=bests.__getitem__, default=next(iter(late)))
    error = SolveTimeout(name, timeout or 0.0)
    error.best, error.bound = late[name].best, late[name].bound
    return error


def _several(backends: Any) -> list[str | AnyEngine]:
    """The engines to compare; TypeError for what is not a list of them, ValueError for a wrong one.

    Of two with one name, the answers could not be told apart.
    """
    example = "expected a list of them, such as ['clingo', 'prolog']"
    if isinstance(backends, str | Engine) or not isinstance(backends, Iterable):
        raise TypeError(f"backends is {shown(backends)}; {example}")
    engines = list(backends)
    for each in engines:
        if not isinstance(each, str | Engine):
            raise TypeError(f"{shown(each)} is not an engine; {example}")
    if not engines:
        raise ValueError(f"there are no backends; {example}")
    by_name: dict[str, str | AnyEngine] = {}
    for each in engines:
        name = each if isinstance(each, str) else each.name
        if by_name.setdefault(name, each) != each:
            raise ValueError(f"two backends are called {name!r}; give each a name of its own")
    return engines


def answer_of(
    engine: Engine[Q, A, Any], question: Q, limit: int | None, timeout: float | None
) -> EngineResult[A]:
    """Collect the answers of the engine, up to the limit and until its time runs out."""
    result, search = begun(engine, question, limit, timeout)
    search.close()
    return result


def begun(
    engine: Engine[Q, A, Any], question: Q, limit: int | None, timeout: float | None
) -> tuple[EngineResult[A], Generator[A]]:
    """The same with the search, which goes on behind the limit; it is to be closed."""
    engine.version()  # starts the engine, which does not count as the puzzle's time
    start = perf_counter()
    distinct: set[A] = set()
    timed_out = False
    first = best = bound = None
    search = engine.with_limit(limit).solutions(question, timeout)
    try:
        for solution in islice(search, limit):
            first = first or perf_counter() - start
            if solution in distinct:  # sets alone would not show it
                raise BackendFailure(f"{engine.name} gave the same solution twice: {solution}")
            distinct.add(solution)
    except SolveTimeout as error:
        timed_out = True
        best, bound = error.best, error.bound
    except BaseException:
        search.close()
        raise
    passed = perf_counter() - start
    complete = not timed_out and (limit is None or len(distinct) < limit)
    result = EngineResult(frozenset(distinct), complete, passed, timed_out, first, best, bound)
    return result, search


def instances_by_size(problem: Problem) -> Iterator[Instance]:
    """The instances of a problem, those with few facts first; then, those with small numbers.

    They are the answers of the ASP program ``instances.lp`` in its folder, found as they are asked
    for; without such a file, those of the folder ``instances``.
    """
    path = problem.folder / "instances.lp"
    if not path.is_file():
        yield from sorted(problem.instances.values(), key=_size)
        return
    from ..engines.clingo.instances import answers_by_size

    for answer in answers_by_size(path, problem):
        yield Instance(problem, tuple(Fact(str(atom), atom.signature) for atom in sorted(answer)))


_NUMBER = re.compile(r'"(?:\\.|[^"\\])*"|(?<!\w)(\d+)')


def _size(instance: Instance) -> tuple[int, int]:
    """The number of facts, and the sum of the numbers in them without their signs."""
    numbers = _NUMBER.findall(" ".join(fact.text for fact in instance.facts))
    return len(instance.facts), sum(map(int, filter(None, numbers)))


class SmallestSearch(NamedTuple):
    """The end of a search for the smallest instance on which programs differ; ``str`` tells it."""

    difference: Comparison[Instance, Answer] | None
    """The comparison on that instance; None if no difference was found."""
    tried: int
    """The number of instances that were compared."""
    late: int
    """On how many of those without a difference the time of an engine ran out."""
    more: bool
    """True if there are instances that were not tried, since `tries` allowed no more."""

    def __str__(self) -> str:
        return ending(self.tried, self.late, self.difference is not None, self.more)


def ending(tried: int, late: int, differs: bool, more: bool, tries: str = "tries") -> str:
    """The number of instances that were tried, and the reason why no more were, in words.

    `tries` is the name of the parameter or the option that limits them.
    """
    number = counted(tried, "instance")
    unknown = f"; time ran out on {late} of them" if late else ""
    if differs:
        return f"{number} tried: the last one is the smallest on which they differ{unknown}"
    reason = f"{tries} allows no more" if more else "there are no more"
    return f"{number} tried, and {reason}: no difference{unknown}"


def smallest_search(
    problem: Problem,
    backends: Sequence[str | AnyEngine] = ("clingo", "prolog"),
    tries: int | None = 1_000,
    limit: int | None = None,
    timeout: float | None = None,
) -> SmallestSearch:
    """The search for the smallest instance on which the programs of a problem differ, at its end.

    `smallest_difference` has only the difference. An instance on which no engine answers in time is
    one of the late ones.

    Args:
        problem: A `Problem`.
        backends: Names of programs of the problem, or backend objects.
        tries: How many instances are tried, those with few facts first, and of these those with
            small numbers; None means all.
        limit: The most answers that each program is asked for, 1 or more; None means all.
        timeout: In seconds, over 0, for each program and instance, and once more to confirm; None
            means no limit.

    Raises:
        InvalidPuzzle: If an instance cannot be read.
        BackendUnavailable: If an engine cannot be used here.
        BackendFailure: If an engine breaks, for instance if it gives the same answer twice.
        ValueError: If a number is out of range, or if `backends` is empty or two of them have the
            same name.
        TypeError: If a number is of another type, `problem` is no `Problem`, or `backends` is not a
            list of engines.
    """
    from ..problem.folder import Problem

    if not isinstance(problem, Problem):
        raise TypeError(
            f"{shown(problem)} is not a problem; expected one, such as Problem('queens')"
        )
    difference = None
    tried = late = 0
    untried = instances_by_size(problem)
    for instance in islice(untried, checked_limit(tries)):
        tried += 1
        try:
            comparison = compare(instance, backends, limit, timeout)
        except SolveTimeout:
            late += 1
            continue
        late += comparison.outcome == "confirmed"
        if comparison.outcome == "disagree":
            difference = comparison
            break
    more = difference is None and next(untried, None) is not None
    return SmallestSearch(difference, tried, late, more)


def smallest_difference(
    problem: Problem,
    backends: Sequence[str | AnyEngine] = ("clingo", "prolog"),
    tries: int | None = 1_000,
    limit: int | None = None,
    timeout: float | None = None,
) -> Comparison[Instance, Answer] | None:
    """The comparison on the smallest instance on which the programs of a problem differ.

    None if no difference was found; `smallest_search` has the reason.

    Args:
        problem: A `Problem`.
        backends: Names of programs of the problem, or backend objects.
        tries: How many instances are tried, those with few facts first, and of these those with
            small numbers; None means all.
        limit: The most answers that each program is asked for, 1 or more; None means all.
        timeout: In seconds, over 0, for each program and instance, and once more to confirm; None
            means no limit.

    Raises:
        InvalidPuzzle: If an instance cannot be read.
        BackendUnavailable: If an engine cannot be used here.
        BackendFailure: If an engine breaks, for instance if it gives the same answer twice.
        ValueError: If a number is out of range, or if `backends` is empty or two of them have the
            same name.
        TypeError: If a number is of another type, `problem` is no `Problem`, or `backends` is not a
            list of engines.
    """
    return smallest_search(problem, backends, tries, limit, timeout).difference


class CrossCheck(NamedTuple):
    """The result for one puzzle of many: a comparison, or an error instead."""

    puzzle: Question
    comparison: Comparison[Any, Any] | None
    error: LogicError | None

    def __repr__(self) -> str:
        return f"<CrossCheck: {self.error or self.comparison!r:.150}>"


def cross_check(
    puzzles: Iterable[PuzzleLike | Instance],
    backends: Sequence[str | AnyEngine] = ("clingo", "prolog"),
    limit: int | None = 50,
    timeout: float | None = None,
    jobs: int | None = None,
) -> Generator[CrossCheck]:
    """Compare the engines on many puzzles, in order, lazily; `compare` does it for one.

    If a puzzle breaks an engine, or no engine answers in time, its `CrossCheck` has the error, and
    the next puzzle follows.

    Args:
        puzzles: Puzzles or instances, each as for `compare`.
        backends: Names of engines, or backend objects, as for `compare`.
        limit: The most solutions of a puzzle that are compared, 1 or more; None means all.
        timeout: In seconds, over 0, for each engine and puzzle, and once more to confirm; None
            means no limit.
        jobs: The number of processes that share the work. They are spawned, so a script that uses
            them needs ``if __name__ == "__main__":``.

    Raises:
        InvalidPuzzle: If a puzzle cannot be read. Raised while iterating.
        BackendUnavailable: If an engine cannot be used here. Raised while iterating.
        ValueError: At once, if a number is out of range, or if `backends` is empty or two of them
            have the same name.
        TypeError: At once, if a number is of another type, or `backends` is not a list of engines.

    >>> puzzles = ["4......3...13...", "12..34......4321", "11.............."]
    >>> [len(check.comparison.solutions) for check in cross_check(puzzles)]
    [1, 2, 0]
    """
    limit, timeout = checked_limit(limit, least=1), checked_timeout(timeout)
    backends = _several(backends)
    ask = partial(compare, backends=backends, limit=limit, timeout=timeout)
    readable_puzzles = map(readable, several(puzzles, "cross_check"))
    return _checks(map_in_order(ask, readable_puzzles, checked_jobs(jobs)))


def _checks(
    outcomes: Generator[tuple[Any, Comparison[Any, Any] | LogicError]],
) -> Generator[CrossCheck]:
    with closing(outcomes):
        for puzzle, outcome in outcomes:
            if isinstance(outcome, InvalidPuzzle | InvalidProblem | BackendUnavailable):
                raise outcome
            if isinstance(outcome, LogicError):
                yield CrossCheck(puzzle, None, outcome)
            else:
                yield CrossCheck(puzzle, outcome, None)
