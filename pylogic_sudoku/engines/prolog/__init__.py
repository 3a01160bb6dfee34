"""The constraint engine: ``prolog/sudoku.pl`` in SWI-Prolog, through janus.

Only this module and `start` know janus. What keeps the bridge reliable:

- Goals are constant and their data comes in inputs, because janus keeps every distinct goal text
  for ever, and text in a goal would be run.
- Prolog is called from threads of our own that stay attached (see `running`), and answers with
  integers, lists and texts only.
- A search for one answer is one call. A search for several is a Prolog engine, opened and
  destroyed explicitly (see ``prolog/host/bridge.pl``).
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Generator, Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING, Any

from ...errors import BackendFailure, BackendUnavailable
from ...files import resource
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Box, Layout, Placement
from ..base import Backend, Event, Measurement, checked_demands
from ..running import Budget, Workers
from .start import FITTING, import_janus, repairing

if TYPE_CHECKING:  # the modules of rules take longer to import than a puzzle to solve
    from ...rules import Rule
    from ...rules.clauses import Claim, Clause
    from ...rules.demands import Demand
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
        bridge = str(resource("prolog/host/bridge.pl"))
        try:
            janus.query_once("load_files(File, [silent(true)])", {"File": bridge})
            complaints = janus.query_once(_LOAD, {"Part": "sudoku"})["Answer"]
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
        return self._stream(self._search("solution", puzzle), timeout)

    def solve(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Grid | None:
        digits = self._answer(self._search("solution", puzzle), timeout)
        return Grid(tuple(digits), puzzle.box) if digits else None

    def count(
        self, puzzle: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> int:
        if timeout is not None:
            return super().count(puzzle, limit, timeout)  # which knows how many it found in time
        search = self._search("count", puzzle, Limit=-1 if limit is None else limit)
        return int(self._answer(search, timeout))

    def propagate(
        self, puzzle: Grid | Puzzle, timeout: float | None = None
    ) -> list[set[int]] | None:
        self._must_be_seen()
        sets = self._answer(self._search("left", puzzle), timeout)
        digits = range(1, puzzle.size + 1)
        return [{d for d in digits if each >> d & 1} for each in sets] or None

    def measure(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Measurement:
        found = self._answer(self._search("measure", puzzle), timeout)
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
        return self._stream(self._search("trace", puzzle), timeout)

    def _must_be_seen(self) -> None:
        if self._program and "label" not in self._program.text:
            raise BackendUnavailable(
                f"{self.name} does not search by labeling/2, and so shows nothing of its work"
            )

    def consistent(
        self, layout: Layout, demands: Iterable[Demand], timeout: float | None = None
    ) -> bool:
        search = self._about("consistent", layout, checked_demands(layout, demands))
        return bool(self._answer(search, timeout))

    def first_refused(
        self, claim: Claim, lemmas: Sequence[Clause], timeout: float | None = None
    ) -> int | None:
        from ...rules.clauses import clauses_of
        from ...rules.demands import all_rules, exclusions

        layout = claim.puzzle.layout
        named: Iterable[Demand] | None = claim.demands
        if named is None:
            named = (*all_rules(layout), *claim.puzzle.givens, *exclusions(claim.puzzle))
        demands = checked_demands(layout, named)
        rules = (demand[1] for demand in demands if demand[0] == "rule")
        search = self._about(
            "first_refused",
            layout,
            demands,
            RuleClauses=[list(map(list, clauses_of(rule, layout))) for rule in rules],
            Solution=list(claim.solution.digits) if claim.solution else [],
            Lemmas=list(map(list, lemmas)),
        )
        refused = self._answer(search, timeout)
        return refused[0] if refused else None

    def _about(
        self, question: str, layout: Layout, demands: Iterable[Demand], **inputs: object
    ) -> _Search:
        """A question about demands."""
        from ...rules.demands import sorted_out

        rules, holds, excluded = sorted_out(demands)
        inputs |= {
            "Demands": [list(rule) for rule in rules if rule.beyond is None],
            "Rules": terms([rule.beyond for rule in rules if rule.beyond is not None]),
            "Holds": list(map(list, holds)),
            "Excluded": list(map(list, excluded)),
            "StackLimit": self._stack_limit,
        }
        return _Search(question, layout, None, inputs)

    def _search(self, question: str, puzzle: Grid | Puzzle, **inputs: object) -> _Search:
        """A question about a puzzle."""
        inputs |= {
            "Program": _module(self._program),
            "Digits": list(puzzle.digits),
            "Rules": terms(puzzle.layout.rules),
            "Excluded": [list(each) for each in puzzle.excluded],
            "StackLimit": self._stack_limit,
        }
        return _Search(question, puzzle.layout, self._program, inputs)

    def _stream(self, search: _Search, timeout: float | None) -> Generator[Any]:
        return _workers.stream(search.items(), Budget(self.name, timeout), search.interrupt)

    def _answer(self, search: _Search, timeout: float | None) -> Any:
        return _workers.call(search.answer, Budget(self.name, timeout), search.interrupt)


_PUZZLE = "puzzle(Program, Digits, Shape, Rules, Excluded)"
_DEMANDS = "demands(Shape, Demands, Rules, Holds, Excluded)"
_QUESTIONS = {
    **{name: f"{name}({_PUZZLE})" for name in ("solution", "left", "measure", "trace")},
    "count": f"count({_PUZZLE}, Limit)",
    "consistent": f"consistent({_DEMANDS})",
    "first_refused": f"first_refused({_DEMANDS}, RuleClauses, Solution, Lemmas)",
}
"""The questions to ``prolog/host/bridge.pl``; names in capitals are inputs of the goal."""
_LOAD = "sudoku_bridge:load(Part, Answer)"
_PARTS = {
    **dict.fromkeys(("left", "measure", "trace"), ("sudoku/trace",)),
    "consistent": ("sudoku/consistent",),
    "first_refused": ("sudoku/consistent", "sudoku/proof"),
}
"""The files of ``prolog/`` that a question needs besides ``sudoku.pl``."""
_LOADED = "sudoku_bridge:loaded(Module, File, Text, Kind, Answer)"


def _module(program: Program | None) -> str:
    """The module of a program: a changed file is another one."""
    if program is None:
        return "sudoku"
    digest = blake2b(f"{program.path}\n{program.text}".encode(), digest_size=8).hexdigest()
    return f"{MODULE}{digest}"


def _flag(goal: str) -> Any:
    return _workers.call(lambda: _prolog.ask(goal), Budget("prolog", None), lambda: None)


@lru_cache(256)
def shape(layout: Layout) -> object:
    """What the bridge calls a shape: the size of a box, or rows of labels."""
    return layout.box if layout.regions is None else layout.labels


def terms(rules: Sequence[Rule]) -> str:
    """The rules as one text for the bridge, a list of Prolog terms; empty if there are none."""
    if not rules:
        return ""
    from ...rules.base import term
    from ...rules.own import module_of

    modules = {kind.kind: module_of(kind) for kind in own_kinds(rules)}
    return f"[{','.join(term(each, modules) for each in rules)}]"


def own_kinds(rules: Sequence[Rule]) -> list[type[Rule]]:
    """The kinds of rules that have clauses of their own."""
    if not rules:
        return []
    from ...rules.base import everything

    found = {type(each) for each in everything(rules)}
    return sorted((kind for kind in found if kind.prolog is not None), key=lambda kind: kind.kind)


class _Search:
    """One search: `items` or `answer` runs in a worker, `interrupt` in any thread.

    `inputs` have the names that they have in the goals.
    """

    def __init__(
        self, question: str, layout: Layout, program: Program | None, inputs: dict[str, object]
    ) -> None:
        self._name = question
        self._question = _QUESTIONS[question]
        self._read = _event if question == "trace" else _solution
        self._program = program
        self._number = next(_numbers)
        self._layout = layout
        self._inputs = inputs | {"Number": self._number, "Shape": shape(layout)}
        self._open = False
        self._stopped = False
        self._closed = False
        self._lock = threading.Lock()

    def items(self) -> Generator[Any]:
        """The solutions or events; it may be closed in any thread."""
        try:
            self._load()
            self._open = True
            goal = f"sudoku_bridge:search_open(Number, StackLimit, {self._question})"
            _prolog.ask(goal, **self._inputs)
            goal = "sudoku_bridge:search_next(Number, Answer)"
            while found := _prolog.ask(goal, Number=self._number):
                yield self._read(found, self._layout.box)
        finally:
            _workers.send(self._close)

    def answer(self) -> Any:
        """The first answer, which needs no engine of its own."""
        try:
            self._load()
            goal = f"sudoku_bridge:answer(Number, StackLimit, {self._question}, Answer)"
            return _prolog.ask(goal, **self._inputs)
        finally:
            self._close()

    def _load(self) -> None:
        """Load what the question needs, the program and the clauses of rules, as Prolog has not."""
        for part in _PARTS.get(self._name, ()):
            if complaints := _prolog.ask(_LOAD, Part=part):
                raise BackendFailure("SWI-Prolog: " + "\n".join(complaints))
        if self._program:
            module = str(self._inputs["Program"])
            path = f"{self._program.path.resolve()}#{module}"
            _prolog.ask(_LOADED, Module=module, File=path, Text=self._program.text, Kind="")
        if self._layout.rules:
            # Before the search, as that may be stopped at any time.
            _prolog.ask("once(sudoku_rule:rule_kind(_))")
        if not (kinds := own_kinds(self._layout.rules)):
            return
        from ...rules.own import module_of

        for kind in kinds:
            text, module = kind.prolog, module_of(kind)
            if not text:
                raise BackendFailure(f"SWI-Prolog: the rule {kind.kind} has no clause for Prolog")
            file = f"{kind.kind}-{module}.pl"
            _prolog.ask(_LOADED, Module=module, File=file, Text=text, Kind=kind.kind)

    def interrupt(self) -> None:
        """Make the running call return soon."""
        _workers.send(self._stop)

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


def _solution(digits: list[int], box: Box) -> Grid:
    return Grid(tuple(digits), box)


_KINDS: tuple[Any, ...] = ("", "choice", "implied", "conflict", "back", "solution")


def _event(found: list[Any], box: Box) -> Event:
    number, level, *rest = found
    kind = _KINDS[number]
    if kind == "solution":
        return Event(kind, level, solution=_solution(rest[0], box))
    placed, excluded = (tuple(Placement(*each) for each in part) for part in (*rest, [], [])[:2])
    return Event(kind, level, placed, excluded)
