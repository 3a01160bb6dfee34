"""The constraint engine: ``prolog/sudoku.pl`` in SWI-Prolog, through janus.

Only this module and `start` know janus. What keeps the bridge reliable:

- Goals are constant and their data comes in inputs, because janus keeps every distinct goal text
  for ever, and text in a goal would be run.
- Prolog is called from threads of our own that stay attached (see `running`), and answers with
  integers, lists and texts only.
- A search for one answer is one call. A search for several is a Prolog engine, opened and
  destroyed explicitly (see ``prolog/bridge.pl``).
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from itertools import chain, count
from typing import TYPE_CHECKING, Any, ClassVar

from ...errors import BackendFailure, BackendUnavailable, InvalidPuzzle
from ...files import resource
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Layout, Placement
from ...rules.clauses import Claim, Clause
from ...rules.demands import Demand
from ...rules.own import clauses_of, module_of
from ..base import Backend, Event, Measurement, has
from ..running import Budget, Workers
from .start import FITTING, import_janus, repairing

if TYPE_CHECKING:
    from ...rules import Rule
    from .. import Program


__all__ = ["PrologBackend", "shape"]


MODULE = "sudoku_program_"
"""How the modules of programs begin."""


class _Prolog:
    """The one Prolog of this process, started on first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread = threading.local()
        self._janus: Any = None
        self._pid = 0
        self._failure: BackendUnavailable | None = None

    def ask(self, goal: str, **inputs: object) -> Any:
        """What the goal, a constant text, binds Answer to. Only for threads that never end."""
        janus = self._attached()
        try:
            result = janus.query_once(goal, inputs)
        except janus.PrologError as error:
            raise BackendFailure(f"SWI-Prolog: {error}") from error
        if not result["truth"]:
            raise BackendFailure(f"SWI-Prolog: {goal} is false")
        answer = result.get("Answer")
        if isinstance(answer, str):
            answer = re.sub(rf"#{MODULE}\w+", "", answer)  # Prolog's name of somebody's file
            raise BackendFailure(f"SWI-Prolog: {answer}")
        return answer

    def runs(self) -> bool:
        """True if Prolog was started in this process, not before a fork."""
        return self._janus is not None and self._pid == os.getpid()

    def _attached(self) -> Any:
        with self._lock:
            if self._failure:
                raise BackendUnavailable(self._failure.why, self._failure.fix)
            if self._janus is None:
                try:
                    self._start()
                except BackendUnavailable as failure:
                    self._failure = failure
                    raise
        if self._pid != os.getpid():
            raise BackendUnavailable(
                "Prolog does not survive a fork, and this process was forked after it started",
                'Start worker processes with multiprocessing.get_context("spawn").',
            )
        if not hasattr(self._thread, "attached"):
            self._janus.attach_engine()
            self._thread.attached = True
        return self._janus

    def _start(self) -> None:
        janus = import_janus()
        bridge = str(resource("prolog/bridge.pl"))
        try:
            janus.query_once("load_files(File, [silent(true)])", {"File": bridge})
            complaints = janus.query_once("sudoku_bridge:load(Answer)", {})["Answer"]
        except janus.PrologError as error:
            raise BackendUnavailable(f"{bridge} does not load: {error}", repairing()) from None
        if complaints:
            raise BackendUnavailable(
                f"{resource('prolog/sudoku.pl')} does not load:\n" + "\n".join(complaints), FITTING
            )
        self._janus, self._pid = janus, os.getpid()


# One for all backend objects: there is only one Prolog in a process.
_prolog = _Prolog()
_workers = Workers("pylogic_sudoku prolog")
_numbers = count(1)


class PrologBackend(Backend):
    """SWI-Prolog on ``prolog/sudoku.pl``, or on another program.

    `stack_limit` is in bytes and applies to each search; exceeding it is a BackendFailure.
    """

    name = "prolog"
    engine = "SWI-Prolog"
    knows = frozenset({"regions", "marks", "rules", "programs"})

    def __init__(self, stack_limit: int = 2**30, program: Program | None = None) -> None:
        self._stack_limit = stack_limit
        self._program = program
        if program:
            self.name, self.knows, self.shapes = program.name, program.knows, program.shapes

    def version(self) -> str:
        number = _flag("current_prolog_flag(version, Answer)")
        return f"{number // 10000}.{number // 100 % 100}.{number % 100}"

    def home(self) -> str:
        """The folder of the SWI-Prolog that runs here; BackendUnavailable if none does."""
        # In a list: a text alone is an error.
        (folder,) = _flag("(current_prolog_flag(home, Home), Answer = [Home])")
        return str(folder)

    def solutions(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Generator[Grid]:
        return _workers.stream(self._search(puzzle), Budget(self.name, timeout))

    def solve(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Grid | None:
        digits = self._answer(_goal("solve"), self._search(puzzle), timeout)
        return Grid(tuple(digits), puzzle.box) if digits else None

    def count(
        self, puzzle: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> int:
        if timeout is not None:
            return super().count(puzzle, limit, timeout)  # which knows how many it found in time
        search = self._search(puzzle, Limit=-1 if limit is None else limit)
        return int(self._answer(_goal("count", ", Limit, Answer"), search, timeout))

    def propagate(
        self, puzzle: Grid | Puzzle, timeout: float | None = None
    ) -> list[set[int]] | None:
        self._must_be_seen()
        sets = self._answer(_goal("left"), self._search(puzzle), timeout)
        digits = range(1, puzzle.size + 1)
        return [{d for d in digits if each >> d & 1} for each in sets] or None

    def measure(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Measurement:
        found = self._answer(_goal("measure"), self._search(puzzle), timeout)
        setup, search, inferences, choices, dead_ends, *digits = found
        known = setup >= 0
        return Measurement(
            Grid(tuple(digits), puzzle.box) if digits else None,
            setup=setup / 1e6 if known else None,
            search=search / 1e6,
            choices=choices if known else None,
            conflicts=dead_ends if known else None,
            inferences=inferences,
        )

    def trace(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Generator[Event]:
        self._must_be_seen()
        events = _Events(puzzle.layout, self._program, **self._inputs(puzzle))
        return _workers.stream(events, Budget(self.name, timeout))

    def _must_be_seen(self) -> None:
        if self._program and "label" not in self._program.text:
            raise BackendUnavailable(
                f"{self.name} does not search by labeling/2, and so shows nothing of its work"
            )

    def consistent(
        self,
        layout: Layout,
        rules: Iterable[tuple[Any, ...]],
        holds: Iterable[tuple[int, int, int]],
        excluded: Iterable[tuple[int, int, int]],
        timeout: float | None = None,
    ) -> bool:
        rules = list(rules)
        demands: dict[str, list[Sequence[Any]]]
        demands = {"Demands": [*rules], "Holds": [*holds], "Excluded": [*excluded]}
        for demand in chain(*demands.values()):
            if not has(layout, demand):
                raise ValueError(f"{layout} has no {demand!r}")
        demands["Demands"] = [rule for rule in rules if rule[0] != "rule"]
        goal = (
            "sudoku_bridge:check"
            "(Number, Shape, Demands, Rules, Holds, Excluded, StackLimit, Answer)"
        )
        lists = {name: list(map(list, each)) for name, each in demands.items()}
        beyond = terms([rule[1] for rule in rules if rule[0] == "rule"])
        search = _Search(layout, None, Rules=beyond, StackLimit=self._stack_limit, **lists)
        return bool(self._answer(goal, search, timeout))

    def first_refused(
        self, claim: Claim, lemmas: Sequence[Clause], timeout: float | None = None
    ) -> int | None:
        goal = (
            "sudoku_bridge:first_refused(Number, Shape, Demands, Rules, RuleClauses, Holds,"
            " Excluded, Solution, Lemmas, StackLimit, Answer)"
        )
        refused = self._answer(goal, self._claim(claim, Lemmas=list(map(list, lemmas))), timeout)
        return refused[0] if refused else None

    def _claim(self, claim: Claim, **inputs: object) -> _Search:
        from ...rules.clauses import clauses_of as rule_clauses

        layout = claim.puzzle.layout
        demands = _all_demands(claim.puzzle) if claim.demands is None else claim.demands
        sorted_out = _sorted_out(demands, layout)
        rules = sorted_out.pop("Rules")
        return _Search(
            layout,
            None,
            Rules=terms(rules),
            RuleClauses=[list(map(list, rule_clauses(rule, layout))) for rule in rules],
            Solution=list(claim.solution.digits) if claim.solution else [],
            StackLimit=self._stack_limit,
            **sorted_out,
            **inputs,
        )

    def _search(self, puzzle: Grid | Puzzle, **inputs: object) -> _Search:
        return _Search(puzzle.layout, self._program, **self._inputs(puzzle), **inputs)

    def _inputs(self, puzzle: Grid | Puzzle) -> dict[str, object]:
        return {
            "Program": _module(self._program),
            "Digits": list(puzzle.digits),
            "Rules": terms(puzzle.layout.rules),
            "Excluded": [list(each) for each in puzzle.excluded],
            "StackLimit": self._stack_limit,
        }

    def _answer(self, goal: str, search: _Search, timeout: float | None) -> Any:
        return _workers.call(
            lambda: search.answer(goal), Budget(self.name, timeout), search.interrupt
        )


def _goal(name: str, more: str = ", Answer") -> str:
    """The goal by which the bridge answers a question about a puzzle."""
    return (
        f"atom_string(Module, Program), sudoku_bridge:{name}(Number, Module, Digits, Shape, Rules,"
        f" Excluded, StackLimit{more})"
    )


def _module(program: Program | None) -> str:
    """The module of a program: a changed file is another one."""
    if program is None:
        return "sudoku"
    digest = blake2b(f"{program.path}\n{program.text}".encode(), digest_size=8).hexdigest()
    return f"{MODULE}{digest}"


def _flag(goal: str) -> Any:
    return _workers.call(lambda: _prolog.ask(goal), Budget("prolog", None), lambda: None)


def _all_demands(puzzle: Grid | Puzzle) -> Iterator[Demand]:
    """All that a puzzle demands."""
    yield ("cells",)
    yield from (("house", house.kind, house.number) for house in puzzle.layout.houses)
    yield from (("rule", rule) for rule in puzzle.layout.rules)
    yield from puzzle.givens
    yield from (("excluded", *placement) for placement in puzzle.excluded)


def _sorted_out(demands: Iterable[Demand], layout: Layout) -> dict[str, list[Any]]:
    """Demands, Rules, Holds and Excluded, as the bridge takes them."""
    found: dict[str, list[Any]] = {"Demands": [], "Rules": [], "Holds": [], "Excluded": []}
    for demand in demands:
        match demand:
            case ("rule", rule):
                found["Rules"].append(rule)
            case ("excluded", *placement):
                found["Excluded"].append(placement)
            case (int(), *_):
                found["Holds"].append(list(demand))
            case _:
                found["Demands"].append(list(demand))
        if not has(layout, demand[1:] if demand[0] == "excluded" else demand):
            raise InvalidPuzzle(f"{demand!r} is not a rule of {layout}")
    return found


@cache
def shape(layout: Layout) -> object:
    """What the bridge calls a shape: the size of a box, or rows of labels."""
    return layout.box if layout.regions is None else layout.labels


def terms(rules: Sequence[Rule]) -> str:
    """The rules as one text for the bridge, a list of Prolog terms; empty if there are none."""
    if not rules:
        return ""
    from ...rules.base import term

    text = f"[{','.join(map(term, rules))}]"
    own = [f"{kind.kind}-{module_of(kind)}" for kind in own_kinds(rules)]
    return f"own([{','.join(own)}],{text})" if own else text


def own_kinds(rules: Sequence[Rule]) -> list[type[Rule]]:
    """The kinds of rules that have clauses of their own."""
    if not rules:
        return []
    from ...rules.base import everything

    found = {type(each) for each in everything(rules)}
    return sorted((kind for kind in found if kind.prolog is not None), key=lambda kind: kind.kind)


class _Search:
    """One search: `next` and `answer` run in a worker, `interrupt` and `close` in any thread.

    `inputs` have the names that they have in the goals.
    """

    def __init__(self, layout: Layout, program: Program | None, **inputs: object) -> None:
        self._program = program
        self._number = next(_numbers)
        self._box = layout.box
        self._inputs = {"Number": self._number, "Shape": shape(layout), **inputs}
        self._own = own_kinds(layout.rules)
        self._open = False
        self._stopped = False
        self._closed = False
        self._lock = threading.Lock()

    def next(self) -> Grid | None:
        """The next solution, or None when there are no more."""
        digits = self._next("search")
        return Grid(tuple(digits), self._box) if digits else None

    def _next(self, kind: str) -> list[Any]:
        """What the engine of the search, or of the trace, has found next; empty at its end."""
        if not self._open:
            self._load()
            self._open = True
            _prolog.ask(_goal(f"{kind}_open", ""), **self._inputs)
        found: list[Any] = _prolog.ask(
            f"sudoku_bridge:{kind}_next(Number, Answer)", Number=self._number
        )
        return found

    def answer(self, goal: str) -> Any:
        """The answer of a goal that needs no engine of its own."""
        try:
            self._load()
            return _prolog.ask(goal, **self._inputs)
        finally:
            self._close()

    def _load(self) -> None:
        """Load the program and the clauses of rules of one's own; Prolog knows what it has."""
        if self._program:
            _prolog.ask(
                "sudoku_bridge:program(Module, File, Text, Answer)",
                Module=self._inputs["Program"],
                File=f"{self._program.path.resolve()}#{self._inputs['Program']}",
                Text=self._program.text,
            )
        for kind in self._own:
            goal = "sudoku_bridge:own_rule(Module, Kind, Text, Answer)"
            text = clauses_of(kind)
            if not text:
                raise BackendFailure(f"SWI-Prolog: the rule {kind.kind} has no clause for Prolog")
            _prolog.ask(goal, Module=module_of(kind), Kind=kind.kind, Text=text)

    def interrupt(self) -> None:
        """Make the running call return soon."""
        _workers.send(self._stop)

    def close(self) -> None:
        """Forget the search."""
        _workers.send(self._close)

    def _stop(self) -> None:
        # It counts before the search begins. After the end, Prolog would never forget it.
        with self._lock:
            if not self._closed:
                self._stopped = True
                _prolog.ask("sudoku_bridge:search_stop(Number)", Number=self._number)

    def _close(self) -> None:
        with self._lock:
            self._closed = True
            # If Prolog does not run, the search has raised that already.
            if (self._open or self._stopped) and _prolog.runs():
                _prolog.ask("sudoku_bridge:search_close(Number)", Number=self._number)


class _Events(_Search):
    """The events of the search for one solution."""

    KINDS: ClassVar[tuple[Any, ...]] = ("", "choice", "implied", "conflict", "back", "solution")

    def next(self) -> Event | None:  # type: ignore[override]
        """The next event, or None when the search is over."""
        found = self._next("trace")
        if not found:
            return None
        number, level, *rest = found
        kind = self.KINDS[number]
        if kind == "solution":
            return Event(kind, level, solution=Grid(tuple(rest[0]), self._box))
        placed, excluded = (
            tuple(Placement(*each) for each in part) for part in (*rest, [], [])[:2]
        )
        return Event(kind, level, placed, excluded)
