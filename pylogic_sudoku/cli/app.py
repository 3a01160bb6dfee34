"""The commands, each imported on demand."""

from __future__ import annotations

from importlib import import_module

import click

from .output import EXIT_CODES, OutputLost

_SECTIONS = {
    "Ask both engines": {
        "compare": "Compare the answers of the engines, and their times.",
        "solve": "Solve puzzles, or instances of a problem.",
        "count": "Count the solutions, one number a line.",
        "propagate": "Show what is left of a puzzle before any guess.",
        "trace": "Show how an engine searches, event by event.",
        "problems": "List the problems that come with the package, or show some.",
        "programs": "List the programs of both engines.",
        "program": "Print a program, or open a shell with it loaded.",
        "serve": "Serve a page to solve, explain and play puzzles on.",
    },
    "Test and grade programs": {
        "check": "Grade ASP or Prolog programs on instances or goals.",
        "exercise": "Prepare exercises for `check`.",
        "class": "Grade the submissions of a class, from a ZIP to marks.",
        "coverage": "Find the parts of a problem's programs that no instance notices.",
    },
    "Explain and make puzzles": {
        "explain": "Explain puzzles: why, why-not, conflicts, hint, steps and more.",
        "certify": "Prove how many solutions puzzles have: none, one or several.",
        "generate": "Make new puzzles, each with exactly one solution.",
        "rules": "List the rules beyond plain sudoku, or show one.",
        "show": "Draw puzzles, in the terminal or into a file.",
        "convert": "Convert puzzles to another format.",
    },
    "Set up": {
        "doctor": "Report which engines work and how to get the others.",
        "completion": "Print the script that lets a shell complete the commands.",
        "merge": "Merge the records of all shares of a run.",
        "mcp": "Serve tools that run logic programs to agents.",
    },
}
"""The sections of --help: each command, and the first sentence of its own help."""

_ELSEWHERE = {
    **dict.fromkeys(("solve", "count", "compare", "propagate", "trace"), "questions"),
    **dict.fromkeys(("program", "rules", "doctor", "serve", "mcp", "completion"), "programs"),
    **{"convert": "show", "exercise": "check", "class": "marks"},
}
"""The modules of commands that do not have one of their own name."""


class _Commands(click.Group):
    """The commands, in the order of `_SECTIONS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for commands in _SECTIONS.values() for name in commands]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.list_commands(ctx)))
        for section, commands in _SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), text) for name, text in commands.items()])

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
    they agree, and names the line that is wrong if they do not. A folder `map` has the programs
    map.lp and map.pl; sudoku is built in.

    \b
    pylogic-sudoku compare -p map "region(be;nl). border(be,nl)."
    pylogic-sudoku check -p queens -e queens.lp size=6
    pylogic-sudoku solve -b all --time 1..4.....3......
    pylogic-sudoku explain hint puzzle.txt
    pylogic-sudoku COMMAND --help
    """


for _commands in _SECTIONS.values():
    for _name, _summary in _commands.items():  # all that --help and completion need
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
