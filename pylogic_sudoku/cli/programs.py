"""The commands ``programs`` and ``program``; ``rules``, ``doctor`` and ``serve``."""

from __future__ import annotations

import json
import os
import re
import sys
import webbrowser
from collections.abc import Iterable
from threading import Thread
from typing import NoReturn, cast

import click
from click.shell_completion import get_completion_class

from .. import engines
from ..engines.command.named import configuration, short_names
from ..engines.prolog import swipl
from ..engines.sudoku import BackendInfo, backends, prompt
from ..engines.sudoku.texts import asp_text, prolog_text
from ..errors import BackendUnavailable
from ..files import checkout, install_command
from ..problem.folder import Problem
from ..puzzle.cells import Box
from ..running.sandbox import NATIVE, Choice, describe
from ..running.sandbox import sandbox as sandbox_of
from . import Run, message_of
from . import options as opt
from .output import print_table, say


@opt.command()
@opt.problem("Another problem, whose programs are listed; see `problems --help`.")
@opt.printing
def programs(problem: Problem | None) -> None:
    """List the programs of both engines.

    A program states sudoku for an engine. Give its NAME in place of an engine: -b prolog:classic;
    or a file of your own: -b prolog:my.pl, -b clingo:my.lp.

    \b
    pylogic-sudoku programs
    pylogic-sudoku compare -b 'prolog:*' -b 'clingo:*' 4......3...13...
    pylogic-sudoku programs -p queens
    """
    if problem:
        from .problems import list_programs

        return list_programs(problem)
    for each in engines.programs():
        beyond = ", ".join(sorted(each.knows))
        takes = each.shapes + (f"; {beyond}" if beyond else "")
        click.echo(f"{each.name}: {each.paradigm}; {takes}")
        click.echo(click.wrap_text(each.teaches, 78, "    ", "    "))


# --- program ---


@opt.command()
@opt.PROBLEM
@opt.CONSTANTS
@opt.FROM
@opt.RULE
@opt.BOX
@opt.printing
@opt.flag("--open", "opened", help="With prolog: open a shell with it loaded.")
@click.argument("name", type=opt.BackendName("asp"))
@click.argument("puzzle", required=False, type=opt.PuzzleSource())
def program(
    name: str,
    puzzle: str | None,
    opened: bool,
    box: Box | None,
    source_format: str | None,
    problem: Problem | None,
    constants: tuple[tuple[str, str], ...],
) -> NoReturn:
    """Print a program, or open a shell with it loaded.

    NAME is asp, prolog, or one that `programs` lists, which is printed as it is. With PUZZLE, asp
    and prolog print one text that runs on it. For asp, that is the encoding, the sections of the
    rules, and facts; with rules such as cages, give clingo the option --eq=0 too. For prolog it is
    puzzle/3 and solution/1, which load the program. With -p, it is a program of that problem, and
    the facts of INSTANCE follow; clingo needs --eq=0 for some programs.

    \b
    pylogic-sudoku program asp 1..4.....3...... | python -m clingo - 2
    pylogic-sudoku program prolog 1..4.....3...... -o my.pl
    pylogic-sudoku program prolog:classic
    pylogic-sudoku program prolog --open 1..4.....3......
    pylogic-sudoku program prolog -p queens --open 8

    \b
    ?- problem(1, Rows), sudoku(Rows), print_grid(Rows).
    ?- puzzle(Rows), sudoku(Rows), print_grid(Rows).
    ?- puzzle(Rows, Shape, Rules), sudoku(Rows, Shape, Rules).
    """
    values = opt.chosen_constants(problem, constants)
    if problem:
        from .problems import print_program

        print_program(problem, "clingo" if name == "asp" else name, puzzle, opened, values)
        sys.exit(0)
    if name == "sat":
        raise click.BadParameter(
            "sat has no program: it solves clauses, which `certify -o x.cnf PUZZLE` writes; choose"
            " asp, prolog or a NAME that `pylogic-sudoku programs` lists",
            param_hint="NAME",
        )
    name = "clingo" if name == "asp" else name
    if opened and name != "prolog":
        raise click.UsageError("--open goes with prolog: no other program has a shell")
    if puzzle is None:
        if opened:
            prompt.run(None)
        click.echo(engines.program_named(name).text, nl=False)
        sys.exit(0)
    if name not in ("clingo", "prolog"):
        raise click.UsageError(f"PUZZLE goes with asp and prolog; solve -b {name} runs this one")
    for _, question in Run((puzzle,), source_format, box).puzzles():
        if opened:
            prompt.run(question)
        click.echo(asp_text(question) if name == "clingo" else prolog_text(question), nl=False)
        sys.exit(0)
    sys.exit(2)


# --- rules ---


@opt.command()
@opt.printing
@click.argument("kind", required=False, type=opt.RuleName())
def rules(kind: str | None) -> None:
    """List the rules beyond plain sudoku, or show one.

    KIND is a name from the list, such as thermometer, or a common name, such as kropki. The
    command shows how to write the rule, and its programs in ASP and in Prolog. Puzzles state rules
    in JSON and in many formats of other programs; `convert --help` lists them.

    \b
    pylogic-sudoku rules
    pylogic-sudoku rules thermometer
    """
    from ..rules import KINDS
    from ..rules.base import no_rule, term, usual_name
    from ..rules.own import asp_module, asp_shared, family, helpers, meaning, prolog_clause

    if kind is None:
        return _list_rules(sorted(KINDS))
    name = kind.lower().replace("-", "_").replace(" ", "_")
    if name not in KINDS:
        usual = usual_name(kind)
        if not usual:
            raise no_rule(kind)
        click.echo(click.wrap_text(f"{kind}: {usual}.", 78) + "\n")
        kinds = [each for each in re.findall(r"'(\w+)'", usual) if each in KINDS]
        if len(kinds) > 1:
            return _list_rules(kinds)
        (name,) = kinds
    rule_class = KINDS[name]
    example = rule_class(**rule_class.example.fields)
    click.echo(click.wrap_text(meaning(rule_class), 78))
    click.echo("\nFields:" if rule_class.types else "\nIt has no fields.")
    for name, field in rule_class.types.items():
        optional = "; may be left out" if name in rule_class.defaults else ""
        click.echo(f"    {name}: {field.expected}{optional}")
    click.echo(f"\nIn JSON:\n    {json.dumps(example.to_json())}")
    click.echo(f"In Prolog:\n    {term(example)}")
    name = family(rule_class)
    _show(
        f"ASP: encodings/rules/{name}.lp", asp_module(rule_class.kind), asp_shared(rule_class.kind)
    )
    _show(
        f"Prolog: prolog/rules/{name}.pl", prolog_clause(rule_class.kind), helpers(rule_class.kind)
    )


def _list_rules(kinds: Iterable[str]) -> None:
    from ..rules import KINDS
    from ..rules.own import meaning

    for name in kinds:
        fields = ", ".join(KINDS[name].types)
        click.echo(f"{name}({fields})" if fields else name)
        click.echo(click.wrap_text(meaning(KINDS[name]), 78, "    ", "    "))


def _show(title: str, program: str, used: dict[str, list[str]]) -> None:
    """Print a program, and by file the predicates that others say."""
    click.echo(f"\n% --- {title} ---\n\n{program}", nl=False)
    if used:
        click.echo("\n% It uses:")
    for file, names in used.items():
        click.echo(click.wrap_text(", ".join(names), 78, f"%   {file}: ", "%      "))


# --- doctor ---


@opt.command()
@opt.printing
def doctor() -> NoReturn:
    """Report which engines work and how to get the others.

    It lists the commands of your configuration, and does not run them. Exit code 3 if an engine is
    missing; the optional ones need not be there.

    \b
    pylogic-sudoku doctor
    pylogic-sudoku doctor -o report.txt
    """
    infos = backends()
    rows = [(info.name, info.engine, info.version, _state(info)) for info in infos]
    print_table(("backend", "engine", "version", "state"), rows)
    for label, value in swipl.details().items():
        click.echo(f"{label}: {value}")
    missing = [info for info in infos if not info.available]
    for info in missing:
        click.echo(f"\n{info.name}: {info.why}\n{info.fix}")
    _list_commands()
    sys.exit(3 if any(not info.optional for info in missing) else 0)


def _list_commands() -> None:
    """Print the short names of commands, with the commands, and the file that has them."""
    try:
        commands = short_names()
    except BackendUnavailable as error:
        click.echo(f"\n{message_of(error)}")
        return
    if commands:
        click.echo(f"\nCommands of {configuration()}, each an engine for -b:")
    for name, command in commands.items():
        click.echo(f"  {name}: {command}")


def _state(info: BackendInfo) -> str:
    if info.available:
        return "ready"
    return "missing, optional" if info.optional else "missing"


# --- completion ---


@opt.command()
@opt.printing
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, /, shell: str) -> None:
    """Print the script that lets a shell complete the commands.

    \b
    eval "$(pylogic-sudoku completion bash)"  # in ~/.bashrc; for zsh in ~/.zshrc
    pylogic-sudoku completion fish > ~/.config/fish/completions/pylogic-sudoku.fish
    """
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    name = "pylogic-sudoku"
    variable = f"_{name}_complete".replace("-", "_").upper()
    click.echo(completion_class(context.find_root().command, {}, name, variable).source())


# --- serve ---


def _token(text: str) -> str:
    """Return a token that addresses and cookies hold as it is; ValueError for another one."""
    if re.fullmatch(r"[\w.~-]*", text, re.ASCII):
        return text
    raise ValueError(f"{text!r} is not a token; expected letters, digits, and . ~ _ -")


@opt.command()
@opt.option("--sandbox", type=click.Choice(NATIVE), default="require", help=opt.SANDBOX_HELP)
def mcp(sandbox: str) -> None:
    """Serve tools that run logic programs to agents.

    The tools are load, solve, propagate, compare and check. They speak the Model Context Protocol
    over standard input and output: name this command in the settings of the agent. Programs run in
    a sandbox, with limits.
    """
    from ..mcp import server

    server(cast(Choice, sandbox)).run()


@opt.command()
@opt.option("--host", default="127.0.0.1", help="Address to listen on.")
@opt.option(
    "--port", type=opt.whole(0, 65535), default=8000, help="Port to listen on; 0: any free one."
)
@opt.flag("--open", "browse", help="Open the page in a browser.")
@opt.timeout("Time limit for each question.", default=10.0)
@click.option(
    "--run-programs/--no-run-programs",
    default=None,
    help="Whether the page runs programs that were changed there."
    "  [default: only for you, and only if no other machine can reach the page]",
)
@opt.option("--sandbox", type=click.Choice(NATIVE), default="auto", help=opt.SANDBOX_HELP)
@opt.option(
    "--token",
    type=opt.Value("TEXT", _token),
    help="A token in the address; empty for none.  [default: a random one if other machines can"
    " reach the page, or with --run-programs]",
)
@opt.several(
    *("--allow-host", "hosts"),
    metavar="NAME",
    help="Another host name that the page goes by; may be repeated.",
)
@opt.several(
    *("--bound", "bounds"),
    metavar="NAME=NUMBER",
    help="Set a bound on what the page accepts, such as size=25; docs/page.md lists them. May"
    " be repeated.",
)
@opt.option(
    "--docs",
    type=click.Path(exists=True, file_okay=False),
    help="The folder of the built documentation, to which the page links.  [default: site of the"
    " checkout, once make docs has built it]",
)
@opt.flag("--verbose", help="Log every request.")
def serve(
    host: str,
    port: int,
    browse: bool,
    timeout: float,
    run_programs: bool | None,
    sandbox: Choice,
    token: str | None,
    hosts: tuple[str, ...],
    bounds: tuple[str, ...],
    docs: str | None,
    verbose: bool,
) -> NoReturn:
    """Serve a page to solve, explain and play puzzles on.

    Only this machine can reach it, unless --host says otherwise. Ctrl-C stops it.

    \b
    pylogic-sudoku serve --open
    pylogic-sudoku serve --host 0.0.0.0 --port 8080  # for everyone on the network
    """
    _set(bounds)
    os.environ["PYLOGIC_SUDOKU_SANDBOX"] = sandbox
    rights = None if run_programs is False else sandbox_of(sandbox)
    try:
        from ..page.app import Server
    except ModuleNotFoundError as error:
        raise BackendUnavailable(
            f"the page needs {error.name}, which is not installed",
            f"Install it: {install_command('serve')}",
        ) from None
    try:
        site = docs or _built_site()
        server = Server(host, port, timeout, verbose, run_programs, token, hosts, site)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise click.UsageError(f"cannot listen at {host}, port {port}: {why}") from None
    click.echo(server.address)
    sys.stdout.flush()
    anyone = "with this address" if "token=" in server.address else "who can reach this machine"
    if not server.loopback:
        say(f"Everyone {anyone} can use it.")
    if rights and (run_programs or server.loopback) and (missing := describe(rights)):
        say(missing)
    if browse:
        Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
    server.run()
    sys.exit(0)


def _built_site() -> str | None:
    """The folder of the documentation that `make docs` has built; None if there is none."""
    folder = checkout()
    site = os.path.join(folder, "site") if folder else ""
    return site if os.path.exists(os.path.join(site, "index.html")) else None


def _set(bounds: tuple[str, ...]) -> None:
    """Put the bounds where the page and its processes read them; UsageError for a wrong one."""
    for text in bounds:
        match = re.fullmatch(r"([a-z]+)=([1-9]\d{0,8})", text, re.ASCII)
        if match is None:
            raise click.UsageError(f"--bound {text}: expected NAME=NUMBER, such as size=25")
        os.environ[f"PYLOGIC_SUDOKU_BOUND_{match[1]}"] = match[2]
    from ..page import BOUNDS  # it reads them

    for name in (text.partition("=")[0] for text in bounds):
        if name not in BOUNDS:
            raise click.UsageError(f"--bound {name}: choose one of {', '.join(BOUNDS)}")
