"""The command ``problems``, and what ``programs`` and ``program`` do with a problem."""

from __future__ import annotations

import json
from textwrap import shorten
from typing import Any

import click

from ..engines import describe
from ..engines.program import head
from ..engines.prolog import swipl
from ..problem import Instance
from ..problem.folder import Problem, bundled
from ..problem.text import read_text
from . import options as opt


@opt.command()
@click.argument("named", nargs=-1, type=opt.ProblemName(), metavar="[NAME]...")
@opt.output_format("text", "json", help="A text, or a JSON object a line.")
@opt.printing
def problems(named: tuple[Problem, ...], form: str) -> None:
    """List the problems that come with the package, or show some.

    A problem is a folder with a program for each engine, and instances. NAME, as that of -p, is one
    of the list, or a folder of your own. With -p, an instance is a file, a name in the folder
    instances, or facts: 'size(8).', or size=8 for short. Without any, all in that folder are asked.

    \b
    pylogic-sudoku problems
    pylogic-sudoku problems futoshiki
    pylogic-sudoku compare -p queens
    pylogic-sudoku solve -p queens size=8
    pylogic-sudoku propagate -p futoshiki -b clingo -b prolog 5
    """
    for problem in named or bundled():
        if form == "json":
            click.echo(json.dumps(_described(problem)))
        else:
            click.echo(f"{problem.name}: {problem.title}")
            if named:
                _show(problem)


def _show(problem: Problem) -> None:
    """Print the programs and instances of a problem, each with what its head says of it."""
    click.echo("    programs:")
    for name, path in problem.paths.items():
        program = describe(name, path)
        _print_item(name, program.teaches or program.title)
    click.echo("    instances:")
    for name, instance in problem.instances.items():
        text = read_text(problem.instance_paths[name])
        _print_item(name, head(text)[0] or shorten(str(instance), 60, placeholder=" …"))


def _print_item(name: str, text: str) -> None:
    click.echo(click.wrap_text(f"{name}: {text}", 78, " " * 8, " " * 12))


def _described(problem: Problem) -> dict[str, Any]:
    return {
        "problem": problem.name,
        "title": problem.title,
        "programs": {name: str(path) for name, path in problem.paths.items()},
        "instances": list(problem.instances),
    }


def list_programs(problem: Problem) -> None:
    """Print each program of a problem, and what it teaches."""
    for name, path in problem.paths.items():
        program = describe(name, path)
        click.echo(f"{name}: {program.title}")
        if program.teaches:
            click.echo(click.wrap_text(program.teaches, 78, "    ", "    "))


def print_program(
    problem: Problem, name: str, which: str | None, opened: bool, constants: dict[str, str]
) -> None:
    """Print a program of a problem, with the facts of an instance if one is named."""
    path = problem.path(name)
    facts = which or ("" if constants else None)
    instance = None if facts is None else problem.instance(facts, constants)
    if opened:
        if path.suffix != ".pl":
            raise click.UsageError("--open goes with prolog: no other program has a shell")
        swipl.run_problem(path, instance or Instance(problem, ()))
    click.echo(read_text(path), nl=False)
    if instance:
        text = swipl.instance_text(instance) if path.suffix == ".pl" else instance.text
        click.echo(f"\n% The instance.\n{text}", nl=False)
