"""The command line: its commands, and how it ends.

Answers go to standard output, everything else to standard error.
"""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from typing import NoReturn

import click

from ..engines.signals import heed_stops, stopped
from ..errors import SudokuError
from ._output import PIPE_CLOSED, OutputLost, say, watch
from ._run import EXIT_CODES, exit_code, message_of
from .asp import asp
from .certify import certify
from .check import check
from .compare import compare
from .convert import convert
from .count import count
from .doctor import doctor
from .explain import explain
from .generate import command as generate
from .prolog import prolog
from .rules import rules
from .serve import serve
from .show import show
from .solve import solve


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
for _command in (solve, count, certify, explain, generate, show, convert, compare, check):
    cli.add_command(_command)
for _command in (rules, asp, prolog, serve, doctor, completion):
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
        code = 128 + number if number else lost.code  # a closed terminal takes no output
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
    """The exit code after a signal: 128 plus its number."""
    number = stopped() or signal.SIGINT
    say("Interrupted." if number == signal.SIGINT else "Terminated.")
    return 128 + number
