"""The commands, each imported on demand."""

from __future__ import annotations

from importlib import import_module

import click

from .output import EXIT_CODES, OutputLost

_COMMANDS = {
    # First the questions about puzzles.
    "solve": "Solve puzzles.",
    "count": "Count the solutions of puzzles, one number a line.",
    "certify": "Prove how many solutions puzzles have: none, one or several.",
    "explain": "Explain puzzles: why, why-not, conflicts, hint, steps and more.",
    "generate": "Make new puzzles, each with exactly one solution.",
    "show": "Draw puzzles, in the terminal or into a file.",
    "convert": "Convert puzzles to another format.",
    "compare": "Compare the engines on puzzles.",
    "merge": "Merge the records of all shares of a run.",
    "problems": "List the problems that come with the package, or show some.",
    "programs": "List the programs of both engines.",
    "program": "Print a program, or open a shell with it loaded.",
    "propagate": "Show what is left of a puzzle before any guess.",
    "trace": "Show how an engine searches, event by event.",
    "check": "Grade ASP or Prolog programs on instances or goals.",
    "class": "Grade the submissions of a class, from a ZIP to marks.",
    "coverage": "Find the parts of a problem's programs that no instance notices.",
    "exercise": "Prepare exercises for `check`.",
    "rules": "List the rules beyond plain sudoku, or show one.",
    "serve": "Serve a page to solve, explain and play puzzles on.",
    "mcp": "Serve solve, propagate, compare, check to agents that program.",
    "doctor": "Report which engines work and how to get the others.",
    "completion": "Print the script that lets a shell complete the commands.",
}
"""The line of --help for each command: the first sentence of its own help."""

_ELSEWHERE = {
    **dict.fromkeys(("solve", "count", "compare", "propagate", "trace"), "questions"),
    **dict.fromkeys(("program", "rules", "doctor", "serve", "mcp", "completion"), "programs"),
    **{"convert": "show", "exercise": "check", "class": "marks"},
}
"""The modules of commands that do not have one of their own name."""


class _Commands(click.Group):
    """The commands, in the order of `_COMMANDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, loaded(name) if name and command else command, rest

    def invoke(self, ctx: click.Context) -> object:
        """An error that names a file is about one that we cannot write (or read)."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.filename is None:
                raise
            raise OutputLost(error) from None


def loaded(name: str) -> click.Command:
    """The command of this name, with its options."""
    module = import_module(f".{_ELSEWHERE.get(name, name)}", __package__)
    command: click.Command = getattr(module, "command", None) or getattr(module, name)
    return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.version_option(None, "-V", "--version", package_name="pylogic-sudoku")
def cli() -> None:
    """One problem, two logics. State a problem in ASP and in Prolog: this runs both, checks that
    they agree, and names the line that is wrong if they do not.

    \b
    pylogic-sudoku solve 1..4.....3......
    pylogic-sudoku solve -b all --time puzzle.txt
    pylogic-sudoku compare -p queens size=6
    pylogic-sudoku explain hint puzzle.txt
    pylogic-sudoku COMMAND --help
    """


for _name, _summary in _COMMANDS.items():  # for --help and for completion that is all they need
    cli.add_command(click.Command(_name, short_help=_summary))


def run() -> object:
    """Run the command that the arguments name; the exit code, if it is a number."""
    try:
        return cli.main(prog_name="pylogic-sudoku", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        raise KeyboardInterrupt from None
