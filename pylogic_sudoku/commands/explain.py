"""The command ``explain``: why a digit, why not another, what is wrong, what comes next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import click

from .. import _api as api
from .. import explain as ask
from .._output import check_output
from .._saving import save
from ..draw import Picture, pages
from ..explain import PRUNINGS, Clash, Foil, Grain, asplain
from ..grid import Box, Grid
from ._pictures import OUTPUT, for_one_file, print_picture
from ._run import BOX, EXIT_CODES, FROM, PUZZLES, TIMEOUT, Run, output_format
from ._values import Source

Answer = ask.Explanation | ask.Rating | str

QUESTIONS = {
    "conflicts": "Which givens clash, if there is no solution?",
    "ambiguity": "What do several solutions leave open, and what would settle it?",
    "steps": "What is the way to the solution?",
    "hint": "What is the next step?",
    "rate": "How hard is it for a person?",
}


def _placement(_context: Any, parameter: Any, value: str | None) -> tuple[str, int] | None:
    if value is None:
        return None
    cell, _, digit = value.partition("=")
    with suppress(ValueError):
        return cell, int(digit)
    raise click.BadParameter(
        f"{value!r} is not a cell and a digit, such as r3c2=5", param=parameter
    )


def _questions(command: Any) -> Any:
    for name, text in reversed(QUESTIONS.items()):
        option = click.option(f"--{name}", "question", flag_value=name, help=text)
        command = option(command)
    return command


@click.command(epilog=EXIT_CODES)
@FROM
@BOX
@TIMEOUT
@OUTPUT
@output_format(
    *("text", "json", "svg", "html", "facts"),
    help="How the answer is printed; json is one object a line, facts are the puzzle itself.",
)
@click.option("--all", "every", is_flag=True, help="With --why-not, --conflicts: every answer.")
@click.option(
    "--smallest",
    is_flag=True,
    help="With --cell, --conflicts: of minimum size.",
)
@click.option(
    "--grain",
    type=click.Choice(["rule", "house"]),
    default="rule",
    show_default=True,
    help="With --cell: reasons such as 'row 3 must hold a 5', or whole houses.",
)
@_questions
@click.option(
    "--removable", is_flag=True, help="With -f facts: mark givens as removable for asplain."
)
@click.option(
    "--cost-encoding",
    multiple=True,
    metavar="NAME",
    help="For asplain: such as penalize-removed.",
)
@click.option("--dynamic-tags", multiple=True, metavar="FILE", type=Source(), help="For asplain.")
@click.option("--prune", multiple=True, type=click.Choice(PRUNINGS), help="For asplain.")
@click.option(
    "--asplain",
    "query",
    metavar="QUERY",
    help='A graph by asplain: why not "sudoku(3,2,1)"? -o FILE.svg draws it.',
)
@click.option(
    "--why-not",
    metavar="CELL=DIGIT",
    callback=_placement,
    help="Which givens must go so that r3c2=5 is possible?",
)
@click.option("--cell", metavar="CELL", help="Why does r3c2 hold its digit?")
@PUZZLES
def explain(
    puzzle: tuple[str, ...],
    source_format: str | None,
    box: Box | None,
    timeout: float | None,
    output: Path | None,
    form: str,
    removable: bool,
    query: str | None,
    prune: tuple[str, ...],
    dynamic_tags: tuple[str, ...],
    cost_encoding: tuple[str, ...],
    **asked: Any,
) -> NoReturn:
    """Explain puzzles: why, why not, what is wrong, what is next.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. Without a question the
    command answers --steps; if there is no solution, --conflicts; if there are several,
    --ambiguity.

    \b
    pylogic-sudoku explain --cell r2c1 4......3...13...
    pylogic-sudoku explain --why-not r2c1=2 4......3...13...
    pylogic-sudoku explain --conflicts --smallest -o clash.svg puzzle.txt
    pylogic-sudoku explain --steps -f html puzzle.txt > steps.html
    pylogic-sudoku explain --asplain "sudoku(3,2,1)" --prune CHANGES -o graph.svg puzzle.txt
    """
    if (
        sum(
            value is not None
            for value in (query, asked["cell"], asked["why_not"], asked["question"])
        )
        > 1
    ):
        raise click.UsageError("one question at a time")
    check_output(output, *puzzle, *dynamic_tags, *cost_encoding)
    run = Run(puzzle, source_format, box, form, timeout=timeout)
    options = {"prune": prune, "dynamic_tags": dynamic_tags, "cost_encoding": cost_encoding}
    if removable and form != "facts":
        raise click.UsageError("--removable goes with -f facts")
    if form == "facts":
        if output:
            raise click.UsageError("-o does not go with -f facts; use convert -f facts -o FILE")
        for _, grid in run.puzzles():
            click.echo(grid.format("facts", removable=removable))
        run.end()
    if query is not None:
        _foils(run, query, output, options)
    if any(options.values()):
        raise click.UsageError("--prune, --dynamic-tags and --cost-encoding go with --asplain")
    form = output.suffix.lower()[1:] if output else form

    def tell(where: str, grid: Grid, answers: Iterator[Answer]) -> None:
        answers = _telling_of_a_clash(run, where, grid, answers)
        if form == "json":
            for answer in answers:
                click.echo(json.dumps({"where": where, **_json(answer)}))
        elif form in ("text", "txt"):
            _print(answers, asked["question"] != "hint", output)
        else:
            _draw(list(answers), form, output)

    if output:
        for where, grid in for_one_file(run):
            with run.costing_only_itself(where):
                tell(where, grid, _answers(grid, timeout, **asked))
        run.end()
    run.each(partial(_answers, timeout=timeout, **asked), tell)


def _foils(
    run: Run, query: str, output: Path | None, options: dict[str, tuple[str, ...]]
) -> NoReturn:
    """What asplain says of each puzzle, which ends the command."""
    for where, grid in for_one_file(run) if output else run.puzzles():
        with run.costing_only_itself(where):
            foil = asplain(grid, query, output, timeout=run.timeout, **options)
            if run.form == "json":
                run.print_json(where, grid, **_foil(foil))
            elif foil:
                click.echo(str(foil))
            if foil is None:
                run.no_solution(where, grid)
    run.end()


def _answers(
    grid: Grid,
    timeout: float | None,
    cell: str | None,
    why_not: tuple[str, int] | None,
    question: str | None,
    every: bool,
    smallest: bool,
    grain: Grain,
) -> Iterator[Answer]:
    """The answers to the question that the options ask."""
    if cell:
        yield ask.why(grid, cell, smallest, grain, timeout)
        return
    if why_not:
        removal = ask.why_not(grid, *why_not, timeout)
        yield from removal.all(timeout) if every else [removal]
        return
    if question is None:
        number = api.count(grid, limit=2, timeout=timeout)
        question = ("conflicts", "steps", "ambiguity")[number]
    match question:
        case "conflicts":
            found = ask.conflicts(grid, smallest, timeout)
            yield from found.all(timeout) if every and isinstance(found, Clash) else [found]
        case "ambiguity":
            yield ask.ambiguity(grid, timeout=timeout)
        case "steps":
            way = ask.steps(grid, timeout)
            yield from way
            yield way.outcome()
        case "hint":
            way = ask.steps(grid, timeout)
            yield next(way, None) or way.outcome()
        case "rate":
            yield ask.rate(grid, timeout)


def _telling_of_a_clash(
    run: Run, where: str, grid: Grid, answers: Iterator[Answer]
) -> Iterator[Answer]:
    """The answers; afterwards, where they were about it, that there is no solution."""
    clash = False
    for answer in answers:
        clash = clash or isinstance(answer, Clash)
        yield answer
    if clash:
        run.no_solution(where, grid)


def _json(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, ask.Explanation):
        return answer.to_json()
    return {"outcome": answer} if isinstance(answer, str) else asdict(answer)


def _foil(foil: Foil | None) -> dict[str, Any]:
    """A foil as JSON has it."""
    if foil is None:
        return {"question": "asplain", "foil": None}
    return foil.to_json()


def _print(answers: Iterable[Answer], numbered: bool, output: Path | None) -> None:
    """Prints the answers as they come, or writes them to the file."""
    if output:
        parts = _parts(answers, numbered)
        texts = (part if isinstance(part, str) else part.to_text() for part in parts)
        save(output, "".join(f"{text}\n" for text in texts))
        return
    for part in _parts(answers, numbered):
        if isinstance(part, str):
            click.echo(part)
        else:
            print_picture(part)


def _parts(answers: Iterable[Answer], numbered: bool) -> Iterator[str | Picture]:
    """Steps by number, where they are `numbered`, and anything else with its picture."""
    for number, answer in enumerate(answers, 1):
        if numbered and isinstance(answer, ask.Step):
            yield f"{number}. {answer}"
        else:
            yield str(answer)
            if isinstance(answer, ask.Explanation):
                yield ""
                yield answer.picture()


def _draw(answers: list[Answer], form: str, output: Path | None) -> None:
    drawn = [answer for answer in answers if isinstance(answer, ask.Explanation)]
    if form == "html":
        text = pages((str(answer), answer.picture()) for answer in drawn)
        if output:
            save(output, f"{text}\n")
        else:
            click.echo(text)
        return
    if len(drawn) != 1:
        raise click.UsageError(f"{len(drawn)} answers cannot go into one picture; use -f html")
    (picture,) = (answer.picture() for answer in drawn)
    if output:
        picture.save(output)
    else:
        click.echo(picture.to_svg())
