"""The command line: reads arguments, asks the api, prints.

Answers go to standard output, all else to standard error.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import count as count_from
from time import perf_counter
from typing import NoReturn

import click

from . import api, formats, toplevel
from .arguments import BOX, EXIT_CODES, Run, exit_code, on_puzzles, output_format, say
from .backends import backends, get
from .backends.interrupts import heed_stops, stopped
from .commands.bench import bench
from .commands.check import check
from .commands.compare import compare as compare_many
from .commands.explain import explain
from .commands.serve import serve
from .commands.show import show
from .compare import compare
from .errors import Disagreement, SudokuError
from .grid import Box, Grid

PIPE_CLOSED = 141

Seconds = dict[str, float]
"""By the name of an engine."""


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> object:
        """Ends quietly where whoever read our output has seen enough."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The flush at exit must not complain either.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(PIPE_CLOSED)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.version_option(None, "-V", "--version", package_name="pylogic-sudoku")
def cli() -> None:
    """Sudoku on two logic engines, SWI-Prolog and clingo.

    \b
    pylogic-sudoku solve 1..4.....3......
    pylogic-sudoku solve -b all --time puzzle.txt
    pylogic-sudoku COMMAND --help
    """


@cli.command(epilog=EXIT_CODES)
@on_puzzles
@click.option("--time", "timed", is_flag=True, help="Tell each engine's version and time.")
@output_format(*formats.FORMATS, default="pretty", help="How the solutions are written.")
@click.option(
    "-n",
    "number",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="How many solutions; 0 for all.",
)
@click.option("--removable", is_flag=True, help="With -f facts: mark each fact for asplain.")
def solve(run: Run, number: int, timed: bool, removable: bool) -> NoReturn:
    """Solve puzzles.

    PUZZLE is a puzzle, a file with one or many, or - for standard input.

    \b
    pylogic-sudoku solve 1..4.....3......               the first solution found
    pylogic-sudoku solve -n 0 -f line 1..4.....3......  all of them, one a line
    pylogic-sudoku solve -b all --time puzzles.txt      by every engine, compared
    pylogic-sudoku solve --jobs 4 -f line puzzles.txt   by four processes, in the same order
    pylogic-sudoku solve --box 2x3 -f json -            from standard input, as JSON
    """
    if removable and run.form != "facts":
        raise click.UsageError("--removable goes with -f facts alone")
    printed = count_from()

    def tell(where: str, grid: Grid, answer: Iterator[Grid | Seconds]) -> None:
        solutions: list[Grid] = []
        seconds: Seconds = {}
        for part in answer:
            if isinstance(part, dict):
                seconds = part
                continue
            if run.form == "json" or not solutions:  # else they would fill the memory
                solutions.append(part)
            if run.form != "json":
                if run.form != "line" and next(printed):
                    click.echo()
                click.echo(part.format(run.form, removable=removable))
        if run.form == "json":
            rows = [solution.rows for solution in solutions]
            run.print_json(where, grid, solutions=rows, seconds=seconds)
        if not solutions:
            run.no_solution(where, grid)
        if timed:
            _tell_times(seconds)

    ask = partial(_solve, engines=run.engines, limit=number or None, timeout=run.timeout)
    run.each(ask, tell)


def _solve(
    grid: Grid, engines: tuple[str, ...], limit: int | None, timeout: float | None
) -> Iterator[Grid | Seconds]:
    """The solutions, one engine's as it finds them, and at the end each engine's seconds."""
    if len(engines) > 1:
        comparison = compare(grid, engines, limit, timeout)
        comparison.check()
        yield from sorted(comparison.solutions, key=lambda grid: grid.cells)[:limit]
        yield comparison.timings
    else:
        (engine,) = engines
        start = perf_counter()
        yield from api.solutions(grid, engine, limit, timeout)
        yield {engine: perf_counter() - start}


def _tell_times(timings: Seconds) -> None:
    for name, seconds in timings.items():
        engine = get(name)
        title = name if engine.engine == name else f"{name} ({engine.engine})"
        say(f"{title} {engine.version()}: {seconds * 1000:.1f} ms")
    if len(timings) > 1:
        say(f"All {len(timings)} engines agree.")


@cli.command(epilog=EXIT_CODES)
@on_puzzles
@output_format("text", "json", help="A number a puzzle, or a JSON object.")
@click.option("--limit", type=click.IntRange(min=1), help="Stop counting here.")
def count(run: Run, limit: int | None) -> NoReturn:
    """Count the solutions of puzzles, one number a line.

    PUZZLE is a puzzle, a file with one or many, or - for standard input.

    \b
    pylogic-sudoku count 1..4............
    pylogic-sudoku count --limit 2 puzzles.txt    1 means: exactly one solution
    pylogic-sudoku count --jobs 4 puzzles.txt     by four processes, in the order of the file
    """

    def tell(where: str, grid: Grid, answer: Iterator[tuple[int, Seconds]]) -> None:
        ((found, seconds),) = answer
        if run.form == "json":
            run.print_json(where, grid, count=found, seconds=seconds)
        else:
            click.echo(found)
        if not found:
            run.no_solution(where, grid)

    run.each(partial(_count, engines=run.engines, limit=limit, timeout=run.timeout), tell)


def _count(
    grid: Grid, engines: tuple[str, ...], limit: int | None, timeout: float | None
) -> Iterator[tuple[int, Seconds]]:
    """The number of solutions that all engines find, and each engine's seconds."""
    counts: dict[str, int] = {}
    seconds: Seconds = {}
    for engine in engines:
        start = perf_counter()
        counts[engine] = api.count(grid, engine, limit, timeout)
        seconds[engine] = perf_counter() - start
    if len(set(counts.values())) > 1:
        raise Disagreement(grid, counts)
    yield counts[engines[0]], seconds


@cli.command()
@BOX
@click.argument("puzzle", required=False)
def prolog(puzzle: str | None, box: Box | None) -> NoReturn:
    """Open SWI-Prolog with the program loaded.

    \b
    pylogic-sudoku prolog
    ?- problem(1, Rows), sudoku(Rows), print_grid(Rows).
    pylogic-sudoku prolog 1..4.....3......
    ?- puzzle(Rows), sudoku(Rows), print_grid(Rows).
    """
    if puzzle is None:
        toplevel.run(None)
    for _, grid in Run((puzzle,), box=box).puzzles():
        toplevel.run(grid)
    sys.exit(2)


@cli.command()
def doctor() -> NoReturn:
    """Tell which engines are here and how to get missing ones.

    Exit code 3 if an engine is missing.
    """
    from rich.console import Console
    from rich.table import Table

    infos = backends()
    table = Table("backend", "engine", "version", "state")
    for info in infos:
        state = "ready" if info.available else "missing"
        table.add_row(info.name, info.engine, info.version, state)
    Console(color_system=None if os.environ.get("NO_COLOR") else "auto").print(table)
    for label, value in toplevel.places().items():
        click.echo(f"{label}: {value}")
    missing = [info for info in infos if not info.available]
    for info in missing:
        click.echo(f"\n{info.name}: {info.why}\n{info.cure}")
    sys.exit(3 if missing else 0)


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a script for completion in your shell.

    \b
    bash:  eval "$(pylogic-sudoku completion bash)"   in ~/.bashrc
    zsh:   eval "$(pylogic-sudoku completion zsh)"    in ~/.zshrc
    fish:  pylogic-sudoku completion fish > ~/.config/fish/completions/pylogic-sudoku.fish
    """
    from click.shell_completion import BashComplete, FishComplete, ZshComplete

    made = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}[shell]
    click.echo(made(cli, {}, "pylogic-sudoku", "_PYLOGIC_SUDOKU_COMPLETE").source())


cli.add_command(bench)
cli.add_command(check)
cli.add_command(compare_many)
cli.add_command(explain)
cli.add_command(serve)
cli.add_command(show)


@heed_stops()
def main() -> NoReturn:
    """The entry point: every error becomes a message and an exit code."""
    try:
        result = cli.main(prog_name="pylogic-sudoku", standalone_mode=False)
        sys.stdout.flush()
        code = result if isinstance(result, int) else 0
    except click.ClickException as error:
        error.show()
        code = 2
    except SudokuError as error:
        say(f"Error: {error}")
        code = exit_code(error)
    except (click.Abort, KeyboardInterrupt):
        code = _stopped()
    except OSError:
        if not stopped():
            raise
        code = _stopped()  # nothing can be written when the terminal has gone
    sys.exit(code)


def _stopped() -> int:
    """The exit code after a signal, whose number is added to 128."""
    number = stopped() or signal.SIGINT
    with suppress(OSError):
        say("Interrupted." if number == signal.SIGINT else "Terminated.")
    return 128 + number
