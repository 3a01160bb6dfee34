"""The command line: reads arguments, asks the api, prints.

Answers go to standard output, all else to standard error.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from time import perf_counter
from typing import NamedTuple, NoReturn

import click

from .. import _api as api
from .. import formats
from .._compare import compare
from .._output import PIPE_CLOSED, OutputLost, watch
from ..engines import backends, get
from ..engines.prolog import swipl as toplevel
from ..engines.signals import heed_stops, stopped
from ..errors import Disagreement, SudokuError
from ..grid import Box, Grid
from ._printing import Printer
from ._run import (
    BOX,
    EXIT_CODES,
    Run,
    Whole,
    exit_code,
    message_of,
    on_puzzles,
    output_format,
    say,
)
from ._tables import print_table
from ._values import Source
from .check import check
from .compare import compare as compare_many
from .convert import convert
from .explain import explain
from .serve import serve
from .show import show

Seconds = dict[str, float]
"""By the name of an engine."""


class _Commands(click.Group):
    """The commands, in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not ctx.resilient_parsing:
            _refuse_repeated(click.Context(command, ctx, name), rest)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> object:
        """An error that names a file is about one that we cannot write (or read)."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.filename is None:
                raise
            raise OutputLost.of_file(error) from None


def _refuse_repeated(context: click.Context, arguments: list[str]) -> None:
    """UsageError for an option that is given twice, or two that exclude each other.

    click itself would take the last one.
    """
    parser = context.command.make_parser(context)
    _, _, order = parser.parse_args(list(arguments))
    given: dict[str | None, click.Option] = {}
    for option in order:
        if not isinstance(option, click.Option) or option.multiple:
            continue
        earlier = given.get(option.name)
        given[option.name] = option
        if earlier is option and not option.is_flag:
            raise click.UsageError(f"{' / '.join(option.opts)} is given twice", context)
        if earlier not in (None, option):
            raise click.UsageError(f"{earlier.opts[0]} does not go with {option.opts[0]}", context)


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


@click.command(epilog=EXIT_CODES)
@on_puzzles
@click.option("-q", "--quiet", is_flag=True, help="No note on more solutions.")
@click.option("--time", "timed", is_flag=True, help="Report each engine's version and time.")
@output_format(*formats.FORMATS, default="pretty", help="How the solutions are written.")
@click.option(
    "-n",
    "number",
    type=Whole(0),
    help="How many solutions; 0 for all. Without it, one and, up to 9x9, a note if there are more.",
)
@click.option("--removable", is_flag=True, help="With -f facts: mark each fact for asplain.")
def solve(run: Run, number: int | None, timed: bool, quiet: bool, removable: bool) -> NoReturn:
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
    printer = Printer(run.form, removable)

    def tell(where: str, grid: Grid, answer: Iterator[Grid | _End]) -> None:
        solutions: list[Grid] = []
        end = _End({}, False)
        for part in answer:
            if isinstance(part, _End):
                end = part
                continue
            if run.form == "json" or not solutions:  # else they would fill the memory
                solutions.append(part)
            if run.form != "json":
                click.echo(printer.piece(part))
        if run.form == "json":
            rows = [solution.rows for solution in solutions]
            run.print_json(where, grid, solutions=rows, seconds=end.seconds)
        if not solutions:
            run.no_solution(where, grid)
        if end.more:
            say(f"{where}: there are more solutions; -n 0 finds all, -q drops this note")
        if timed:
            _tell_times(end.seconds)

    limit = 1 if number is None else number or None
    look = number is None and not quiet and run.form != "json"
    ask = partial(_solve, engines=run.engines, limit=limit, timeout=run.timeout, look=look)
    try:
        run.each(ask, tell)
    except SystemExit:
        if end := printer.end():
            click.echo(end)
        raise


class _End(NamedTuple):
    """What is known when the solutions of a puzzle have been found."""

    seconds: Seconds
    more: bool
    """True if there are more solutions than were asked for; False also if nobody looked."""


def _solve(
    grid: Grid, engines: tuple[str, ...], limit: int | None, timeout: float | None, look: bool
) -> Iterator[Grid | _End]:
    """The solutions, one engine's as it finds them, and then an `_End`.

    The look for one more solution is left out if it could take long: up to 9x9 it takes no
    longer than the first solution.
    """
    look = look and grid.size <= 9
    if len(engines) > 1:
        comparison = compare(grid, engines, limit, timeout)
        comparison.check()
        solutions = sorted(comparison.solutions, key=lambda grid: grid.digits)
        yield from solutions[:limit]
        more = look and bool(solutions)
        with suppress(SudokuError):
            more = more and (len(solutions) > 1 or api.count(grid, engines[0], 2, timeout) > 1)
        yield _End(comparison.timings, more)
    else:
        (engine,) = engines
        start = perf_counter()
        most = None if limit is None else limit + look
        found = api.solutions(grid, engine, most, timeout)
        yield from islice(found, limit)
        seconds = {engine: perf_counter() - start}
        more = False
        with suppress(SudokuError):
            more = look and next(found, None) is not None
        yield _End(seconds, more)


def _tell_times(timings: Seconds) -> None:
    for name, seconds in timings.items():
        engine = get(name)
        title = name if engine.engine == name else f"{name} ({engine.engine})"
        say(f"{title} {engine.version()}: {seconds * 1000:.1f} ms")
    if len(timings) > 1:
        say(f"All {len(timings)} engines agree.")


@click.command(epilog=EXIT_CODES)
@on_puzzles
@output_format("text", "json", help="A number a puzzle, or a JSON object.")
@click.option("--limit", type=Whole(1), help="Stop counting here.")
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


@click.command()
@BOX
@click.argument("puzzle", required=False, type=Source())
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


@click.command()
def doctor() -> NoReturn:
    """Report which engines are here and how to get missing ones.

    Exit code 3 if an engine is missing.
    """
    infos = backends()
    rows = [
        (info.name, info.engine, info.version, "ready" if info.available else "missing")
        for info in infos
    ]
    print_table(("backend", "engine", "version", "state"), rows)
    for label, value in toplevel.places().items():
        click.echo(f"{label}: {value}")
    missing = [info for info in infos if not info.available]
    for info in missing:
        click.echo(f"\n{info.name}: {info.why}\n{info.cure}")
    sys.exit(3 if missing else 0)


@click.command()
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


# First the questions about puzzles, as --help lists them.
for _command in (solve, count, explain, show, convert, compare_many, check):
    cli.add_command(_command)
for _command in (prolog, serve, doctor, completion):
    cli.add_command(_command)


@heed_stops()
def main() -> NoReturn:
    """The entry point: every error becomes a message and an exit code."""
    watch()
    try:
        code = _run()
        sys.stdout.flush()
    except OutputLost as lost:
        number = stopped()
        code = 128 + number if number else lost.code  # a terminal that has gone takes no output
        if code == lost.code != PIPE_CLOSED:
            with suppress(OutputLost):
                say(f"Error: {lost}")
    sys.exit(code)


def _run() -> int | str | None:
    """The exit code of the command that the arguments name."""
    try:
        result = cli.main(prog_name="pylogic-sudoku", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except SystemExit as ended:
        return ended.code
    except click.ClickException as error:
        error.show()
        return 2
    except SudokuError as error:
        say(f"Error: {message_of(error)}")
        return exit_code(error)
    except (click.Abort, KeyboardInterrupt):
        return _stopped()


def _stopped() -> int:
    """The exit code after a signal, whose number is added to 128."""
    number = stopped() or signal.SIGINT
    say("Interrupted." if number == signal.SIGINT else "Terminated.")
    return 128 + number
