"""The constraint engine: ``prolog/sudoku.pl`` in SWI-Prolog, through janus.

Only this module and `start_prolog` know janus. What keeps the bridge up:

- Prolog is called by constant goals with the data in their inputs (janus keeps every distinct
  goal text for ever, and text in a goal would be run), from threads of our own that stay
  attached (see `workers`), and answers with integers, lists and texts only.
- Each search is a Prolog engine, opened and destroyed explicitly (see ``prolog/bridge.pl``).
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Generator, Iterable, Sequence
from typing import Any

from ..._resources import resource
from ...errors import BackendFailure, BackendUnavailable
from ...grid import Grid, Layout
from ...puzzle import Puzzle
from ..base import Backend
from ..budget import Budget
from ..threads import Workers
from .start import REPAIR, import_janus

__all__ = ["PrologBackend"]


class _Prolog:
    """The one Prolog of this process, started when it is first asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread = threading.local()
        self._janus: Any = None
        self._pid = 0
        self._failure: BackendUnavailable | None = None

    def ask(self, goal: str, **inputs: object) -> Any:
        """What the goal, a constant text, binds Answer to. For threads that never end only."""
        janus = self._attached()
        try:
            result = janus.query_once(goal, inputs)
        except janus.PrologError as error:
            raise BackendFailure(f"SWI-Prolog: {error}") from None
        if not result["truth"]:
            raise BackendFailure(f"SWI-Prolog: {goal} is false")
        answer = result.get("Answer")
        if isinstance(answer, str):
            raise BackendFailure(f"SWI-Prolog: {answer}")
        return answer

    def runs(self) -> bool:
        """True if Prolog was started in this very process."""
        return self._janus is not None and self._pid == os.getpid()

    def _attached(self) -> Any:
        with self._lock:
            if self._failure:
                raise BackendUnavailable(self._failure.why, self._failure.cure)
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
            raise BackendUnavailable(f"{bridge} does not load: {error}", REPAIR) from None
        if complaints:
            raise BackendUnavailable(
                f"{resource('prolog/sudoku.pl')} does not load:\n" + "\n".join(complaints)
            )
        self._janus, self._pid = janus, os.getpid()


# One for all backend objects: there is only one Prolog in a process.
_prolog = _Prolog()
_workers = Workers("pylogic_sudoku prolog")
_numbers = itertools.count(1)


class PrologBackend(Backend):
    """SWI-Prolog with library(clpfd) on ``prolog/sudoku.pl``.

    `stack_limit` is in bytes and holds for one search; one that needs more is a BackendFailure.
    """

    name = "prolog"
    engine = "SWI-Prolog"

    def __init__(self, stack_limit: int = 2**30) -> None:
        self._stack_limit = stack_limit

    def version(self) -> str:
        number = _workers.call(
            lambda: _prolog.ask("current_prolog_flag(version, Answer)"),
            Budget(self.name, None),
            interrupt=lambda: None,
        )
        return f"{number // 10000}.{number // 100 % 100}.{number % 100}"

    def solutions(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Generator[Grid]:
        search = _Search(puzzle.layout, self._stack_limit, Digits=list(puzzle.digits))
        return _workers.stream(search, Budget(self.name, timeout))

    def count(
        self, puzzle: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> int:
        if timeout is not None:
            return super().count(puzzle, limit, timeout)  # which knows how far it came
        return int(
            self._answer(
                "sudoku_bridge:search_count(Number, Digits, BoxRows, BoxColumns, StackLimit,"
                " Limit, Answer)",
                _Search(
                    puzzle.layout,
                    self._stack_limit,
                    Digits=list(puzzle.digits),
                    Limit=-1 if limit is None else limit,
                ),
                timeout,
            )
        )

    def consistent(
        self,
        layout: Layout,
        rules: Iterable[tuple[str | int, ...]],
        holds: Iterable[tuple[int, int, int]],
        lacks: Iterable[tuple[int, int, int]],
        timeout: float | None = None,
    ) -> bool:
        rules, holds, lacks = list(rules), list(holds), list(lacks)
        for demand in (*rules, *holds, *lacks):
            if not _has(layout, demand):
                raise ValueError(f"{layout} has no {demand!r}")
        return bool(
            self._answer(
                "sudoku_bridge:search_consistent(Number, BoxRows, BoxColumns, StackLimit,"
                " Rules, Holds, Lacks, Answer)",
                _Search(
                    layout,
                    self._stack_limit,
                    Rules=list(map(list, rules)),
                    Holds=list(map(list, holds)),
                    Lacks=list(map(list, lacks)),
                ),
                timeout,
            )
        )

    def reason(
        self, puzzle: Grid | Puzzle, cell: tuple[int, int], timeout: float | None = None
    ) -> tuple[int, list[tuple[str | int, ...]]] | None:
        """The digit that a cell (row and column, from 1) has to hold, and what forces it.

        That is a minimal set of rules on houses, such as ``("house", "row", 3)``, and of givens,
        such as ``(1, 2, 5)``. None if the cell is a given or may hold several digits, and if
        there is no solution. ValueError if the grid has no such cell.
        """
        row, column = cell
        if not _has(puzzle.layout, ("filled", row, column)):
            raise ValueError(f"a {puzzle.size}x{puzzle.size} grid has no cell {cell!r}")
        found = self._answer(
            "sudoku_bridge:search_reason(Number, Digits, BoxRows, BoxColumns, StackLimit,"
            " Row, Column, Answer)",
            _Search(
                puzzle.layout,
                self._stack_limit,
                Digits=list(puzzle.digits),
                Row=row,
                Column=column,
            ),
            timeout,
        )
        if not found:
            return None
        digit, elements = found
        return digit, [
            tuple(numbers) if name == "given" else ("house", name, *numbers)
            for name, *numbers in elements
        ]

    def _answer(self, goal: str, search: _Search, timeout: float | None) -> Any:
        return _workers.call(
            lambda: search.answer(goal), Budget(self.name, timeout), search.interrupt
        )


_KINDS = ("row", "column", "box")
_NUMBERS_AFTER: dict[tuple[str, ...], int] = {
    ("filled",): 2,
    ("single",): 2,
    **{(name, kind): 2 for name in ("somewhere", "once") for kind in _KINDS},
    **{("house", kind): 1 for kind in _KINDS},
    ("cells",): 0,
    (): 3,
}
"""How many numbers a rule has after its words; a placement has no words."""


def _has(layout: Layout, demand: Sequence[str | int]) -> bool:
    """Whether there is this rule or placement in a grid with boxes of this shape."""
    words = tuple(part for part in demand if isinstance(part, str))
    numbers = demand[len(words) :]
    return len(numbers) == _NUMBERS_AFTER.get(words) and all(
        number in range(1, layout.size + 1) for number in numbers
    )


class _Search:
    """One Prolog engine: `next` and `answer` run in a worker, `stop` and `close` in any thread.

    `data` are the inputs of the goal by the names that they have in it.
    """

    def __init__(self, layout: Layout, stack_limit: int, **data: object) -> None:
        self._number = next(_numbers)
        self._box = layout.box
        self._inputs = {
            "Number": self._number,
            "BoxRows": layout.box[0],
            "BoxColumns": layout.box[1],
            "StackLimit": stack_limit,
            **data,
        }
        self._open = False
        self._closed = False
        self._lock = threading.Lock()

    def next(self) -> Grid | None:
        """The next solution, or None when there are no more."""
        if not self._open:
            self._open = True
            _prolog.ask(
                "sudoku_bridge:search_open(Number, Digits, BoxRows, BoxColumns, StackLimit)",
                **self._inputs,
            )
        found: list[int] = _prolog.ask(
            "sudoku_bridge:search_next(Number, Answer)", Number=self._number
        )
        return Grid(tuple(found), self._box) if found else None

    def answer(self, goal: str) -> Any:
        """The one answer of another goal."""
        try:
            return _prolog.ask(goal, **self._inputs)
        finally:
            self._close()

    def interrupt(self) -> None:
        """Makes the running call return soon."""
        _workers.send(self._stop)

    def close(self) -> None:
        """Forgets the engine."""
        _workers.send(self._close)

    def _stop(self) -> None:
        # Before the engine is opened this counts, after it is closed it would be left behind.
        with self._lock:
            if not self._closed:
                _prolog.ask("sudoku_bridge:search_stop(Number)", Number=self._number)

    def _close(self) -> None:
        with self._lock:
            self._closed = True
            if _prolog.runs():  # if not, the search has raised that already
                _prolog.ask("sudoku_bridge:search_close(Number)", Number=self._number)
