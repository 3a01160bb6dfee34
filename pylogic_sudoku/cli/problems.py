"""The command ``problems``, and what ``programs`` and ``program`` do with a problem."""

from __future__ import annotations

import json
from typing import Any

import click

from ..engines import describe
from ..engines.prolog import swipl
from ..problem import Instance
from ..problem.folder import Problem, bundled
from ..problem.text import read_text
from . import options as opt


@opt.command()
@opt.output_format("text", "json", help="A paragraph for each problem, or a JSON object a line.")
@opt.printing
def problems(form: str) -> None:
    """List the problems that come with the package.

    A problem is a folder with a program for each engine, and instances. -p takes its NAME, or a
    folder of your own. With -p, an instance is a file, a name in the folder
    instances, or facts: 'size(8).', or size=8 for short. Without any, all in that folder are asked.

    \b
    pylogic-sudoku problems
    pylogic-sudoku compare -p queens
    pylogic-sudoku solve -p queens size=8
    pylogic-sudoku propagate -p futoshiki -b clingo -b prolog 5
    """
    for problem in bundled():
        if form == "json":
            click.echo(json.dumps(_described(problem)))
            continue
        click.echo(f"{problem.name}: {problem.title}")
        click.echo(f"    programs: {', '.join(problem.paths)}")
        click.echo(f"    instances: {', '.join(problem.instances)}")
        for name, path in problem.paths.items():
            if ":" not in name and (teaches := describe(name, path).teaches):
                click.echo(click.wrap_text(f"{name}: {teaches}", 78, "    ", "        "))


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


def print_program(problem: Problem, name: str, which: str | None, opened: bool) -> None:
    """Print a program of a problem, with the facts of an instance if one is named."""
    path = problem.path(name)
    instance = None if which is None else problem.instance(which)
    if opened:
        if path.suffix != ".pl":
            raise click.UsageError("--open goes with prolog: no other program has a shell")
        swipl.run_problem(path, instance or Instance(problem, ()))
    click.echo(read_text(path), nl=False)
    if instance:
        text = swipl.instance_text(instance) if path.suffix == ".pl" else instance.text
        click.echo(f"\n% The instance.\n{text}", nl=False)
