"""What the command ``solve`` does, without click."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from time import perf_counter
from typing import NamedTuple, NoReturn

from .. import _api as api
from ..engines import asked, get
from ..engines.base import Measurement
from ..errors import Disagreement, SolveTimeout, SudokuError
from ..grid import Grid
from ..puzzle import Puzzle
from ._output import Printer, echo, say
from ._run import Run

__all__ = ["solve"]


def solve(
    run: Run,
    limit: int | None = None,
    timed: bool = False,
    quiet: bool = False,
    stats: bool = False,
) -> NoReturn:
    """Solve the puzzles of a run; its options have the meaning that ``solve --help`` gives them."""
    printer = Printer(run.form)

    def show(where: str, puzzle: Grid | Puzzle, answer: Iterator[Grid | _End]) -> None:
        solutions: list[Grid] = []
        end = _End({}, False)
        for part in answer:
            if isinstance(part, _End):
                end = part
                continue
            if run.form == "json" or not solutions:  # else they would fill the memory
                solutions.append(part)
            if run.form != "json":
                for piece in printer.pieces(_drawn(part, puzzle) if run.form == "pretty" else part):
                    echo(piece)
        if run.form == "json":
            rows = [solution.rows for solution in solutions]
            note: dict[str, object] = {"checked": end.checked} if end.checked else {}
            if stats:
                note["stats"] = {name: work.stats for name, work in (end.work or {}).items()}
            run.print_json(where, puzzle, solutions=rows, seconds=end.seconds, **note)
        if not solutions:
            run.no_solution(where, puzzle)
        if end.more:
            say(f"{where}: there are more solutions; -n 0 finds all, -q drops this note")
        if end.checked:
            say(f"{where}: {end.checked}")
        for name, work in (end.work or {}).items():
            say(f"{name}: {work}")
        if timed:
            _print_times(end.seconds, agree=not end.checked)

    most = 1 if limit is None else limit or None
    look = limit is None and not quiet and run.form != "json"
    ask: Callable[[Grid | Puzzle], Iterator[Grid | _End]] = partial(
        _solve,
        engines=run.engines,
        limit=most,
        timeout=run.timeout,
        look=look,
        threads=run.threads,
    )
    if stats:
        ask = partial(_measured, engines=run.engines, timeout=run.timeout)
    try:
        run.each(ask, show)
    finally:
        for piece in printer.end():
            echo(piece)
    run.end()


def _drawn(solution: Grid, puzzle: Grid | Puzzle) -> Grid | Puzzle:
    """What is drawn for a solution: regions, if the puzzle has any, instead of boxes."""
    regions = puzzle.regions if isinstance(puzzle, Puzzle) else None
    return Puzzle(solution, regions) if regions else solution


class _End(NamedTuple):
    """What is known when the solutions of a puzzle have been found."""

    seconds: dict[str, float]
    """By engine name."""
    more: bool
    """True if there are more solutions than were asked for; False also if nobody looked."""
    checked: str = ""
    """What several engines know, if they were compared and not all of them finished."""
    work: Mapping[str, Measurement] | None = None
    """By engine name, if it was measured."""


def _solve(
    puzzle: Grid | Puzzle,
    engines: tuple[str, ...],
    limit: int | None,
    timeout: float | None,
    look: bool,
    threads: int,
) -> Iterator[Grid | _End]:
    """The solutions, those of a single engine as it finds them, and then an `_End`.

    With `look`, it looks for one more solution, but only up to 9x9, where that takes no longer
    than the first solution; for larger puzzles it could take long.
    """
    look = look and puzzle.size <= 9
    engines = asked(engines, puzzle)
    if len(engines) > 1:
        from .._compare import compare

        those = [get(name).with_threads(threads) for name in engines]
        comparison = compare(puzzle, those, limit, timeout)
        comparison.check()
        solutions = sorted(comparison.solutions, key=lambda grid: grid.digits)
        yield from solutions[:limit]
        more = look and bool(solutions)
        if not comparison.finished:  # there may be more, as if a single engine had been asked
            raise SolveTimeout(engines[0], timeout or 0.0)
        first = comparison.finished[0]
        with suppress(SudokuError):
            if more and len(solutions) == 1:
                more = api.count(puzzle, first, 2, timeout, threads) > 1
        checked = str(comparison) if comparison.outcome == "checked" else ""
        yield _End(comparison.timings, more, checked)
    else:
        (engine,) = engines
        start = perf_counter()
        most = None if limit is None else limit + look
        found = api.solutions(puzzle, engine, most, timeout, threads)
        yield from islice(found, limit)
        seconds = {engine: perf_counter() - start}
        more = False
        with suppress(SudokuError):
            more = look and next(found, None) is not None
        yield _End(seconds, more)


def _measured(
    puzzle: Grid | Puzzle, engines: tuple[str, ...], timeout: float | None
) -> Iterator[Grid | _End]:
    """A solution if there is one, and the work of each engine for the one that it found."""
    from .._work import measure

    work: dict[str, Measurement] = {}
    seconds: dict[str, float] = {}
    for name in asked(engines, puzzle):
        start = perf_counter()
        work[name] = measure(puzzle, name, timeout)
        seconds[name] = perf_counter() - start
    found = {name: each.solution for name, each in work.items()}
    wrong = [grid for grid in found.values() if grid and not grid.is_solution_of(puzzle)]
    if wrong or len({grid is None for grid in found.values()}) > 1:
        raise Disagreement(puzzle, {name: int(grid is not None) for name, grid in found.items()})
    yield from filter(None, [next(iter(found.values()))])
    yield _End(seconds, False, work=work)


def _print_times(timings: dict[str, float], agree: bool) -> None:
    for name, seconds in timings.items():
        engine = get(name)
        title = name if engine.engine == name else f"{name} ({engine.engine})"
        say(f"{title} {engine.version()}: {seconds * 1000:.1f} ms")
    if len(timings) > 1 and agree:
        say("Both engines agree." if len(timings) == 2 else f"All {len(timings)} engines agree.")
