"""The command ``explain``: why a digit, why not another, what is wrong, what comes next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Literal, NoReturn

import click

from .. import explain as ask
from .. import questions as api
from .. import techniques
from ..draw import Picture, pages
from ..draw.picture import require
from ..draw.svg import Slide
from ..errors import SolveTimeout
from ..explain import PRUNINGS, Foil, asplain
from ..files import save
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box
from ..techniques.way import SOLVED, Walk, line, page_of
from . import Run
from .options import (
    BOX,
    FROM,
    PUZZLES,
    RULE,
    TIMEOUT,
    Source,
    output_format,
    picture,
)
from .output import EXIT_CODES, check_output, patient, print_picture, say, waiting

Answer = ask.Explanation | techniques.Rating | str

WIDTH = 23
"""Enough for most techniques; the steps are printed as they are found."""

LARGE = 24
"""A set with more members is harder to read than the steps to the digit."""

WAY = "cell --steps"

PATIENCE = 60.0
"""Seconds for a set of minimum size, if no time limit is given."""

NO_PICTURE = "this answer has no picture; use -f text or json"

QUESTIONS = {
    "conflicts": "Which givens clash, if there is no solution?",
    "ambiguity": "What do several solutions leave open, and what would settle it?",
    "steps": "Which steps lead to the solution? With --cell: to its digit?",
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
@RULE
@BOX
@TIMEOUT
@picture()
@output_format(
    *("text", "json", "svg", "html"),
    help="How the answer is printed; json is one object a line.",
)
@click.option("--all", "every", is_flag=True, help="With --why-not or --conflicts: every answer.")
@click.option(
    "--smallest",
    is_flag=True,
    help="With --cell or --conflicts: a set of minimum size, or the best within a minute or -t.",
)
@click.option(
    "--grain",
    type=click.Choice(["rule", "house"]),
    default="rule",
    show_default=True,
    help="With --cell: reasons such as 'row 3 must hold a 5', or whole houses.",
)
@click.option("--list", "as_list", is_flag=True, help="With --steps: one line a step.")
@_questions
@click.option(
    "--cost-encoding",
    multiple=True,
    metavar="NAME",
    help="Cost encoding for asplain, such as penalize-removed.",
)
@click.option(
    "--dynamic-tags", multiple=True, metavar="FILE", type=Source(), help="Tag file for asplain."
)
@click.option(
    "--prune", multiple=True, type=click.Choice(PRUNINGS), help="What asplain cuts from the graph."
)
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
    query: str | None,
    prune: tuple[str, ...],
    dynamic_tags: tuple[str, ...],
    cost_encoding: tuple[str, ...],
    **asked: Any,
) -> NoReturn:
    """Explain puzzles: why, why not, what is wrong, what is next.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. Without a question, the
    command answers --steps if there is one solution, --conflicts if there is none, and --ambiguity
    if there are several.

    \b
    pylogic-sudoku explain --cell r2c1 4......3...13...
    pylogic-sudoku explain --cell r2c1 --smallest 4......3...13...
    pylogic-sudoku explain --cell r2c1 --steps 4......3...13...
    pylogic-sudoku explain --why-not r2c1=2 4......3...13...
    pylogic-sudoku explain --conflicts --smallest -o clash.svg puzzle.txt
    pylogic-sudoku explain --steps -f html puzzle.txt > steps.html
    pylogic-sudoku explain --steps --list puzzle.txt
    pylogic-sudoku explain --asplain "sudoku(3,2,1)" --prune CHANGES -o graph.svg puzzle.txt
    """
    about = {"asplain": query, "cell": asked["cell"], "why-not": asked["why_not"]}
    questions = [name for name, value in about.items() if value is not None]
    questions += [asked["question"]] if asked["question"] else []
    if questions == ["cell", "steps"]:
        questions = [WAY]
    if len(questions) > 1:
        raise click.UsageError("one question at a time")
    for option, given, fitting in (
        ("--all", asked["every"], ("why-not", "conflicts")),
        ("--smallest", asked["smallest"], ("cell", "conflicts")),
        ("--grain house", asked["grain"] == "house", ("cell",)),
        ("--list", asked["as_list"], ("steps", WAY)),
    ):
        if given and not {*fitting}.issuperset(questions):
            if questions == [WAY]:
                raise click.UsageError(f"{option} does not go with --steps")
            raise click.UsageError(f"{option} goes with --{' or --'.join(fitting)}")
    if asked["as_list"] and form != "text":
        raise click.UsageError(f"--list is text, so it does not go with -f {form}")
    check_output(output, *puzzle, *dynamic_tags, *cost_encoding)
    run = Run(puzzle, source_format, box, form, timeout=timeout)
    options = {"prune": prune, "dynamic_tags": dynamic_tags, "cost_encoding": cost_encoding}
    if query is not None:
        _foils(run, query, output, options)
    if any(options.values()):
        raise click.UsageError("--prune, --dynamic-tags and --cost-encoding go with --asplain")
    if output:
        require(output.suffix.lower())
        suffix = output.suffix.lower()[1:]
        if form not in ("text", suffix):
            raise click.UsageError(f"-f {form} does not go with -o {output}, which is {suffix}")
        form = suffix

    if asked["question"] == "rate" and form not in ("text", "txt", "json"):
        raise click.UsageError(NO_PICTURE)
    numbered = asked["question"] != "hint"

    def show(where: str, puzzle: Grid | Puzzle, answers: Iterator[Answer]) -> None:
        answers = _reporting_a_clash(run, where, puzzle, answers)
        if form == "json":
            for answer in answers:
                click.echo(json.dumps({"where": where, **_json(answer)}))
        elif form == "text":
            for part in _parts(_noting(where, answers), numbered, asked["as_list"]):
                if isinstance(part, str):
                    click.echo(part)
                else:
                    print_picture(part, rules=False)
        else:
            found, late = _in_time(answers)
            if output and form == "txt":
                _write(_parts(found, numbered, asked["as_list"]), output)
            else:
                _draw(found, form, output)
            if late:
                raise late

    if output:
        for where, found in run.puzzles(only_one=True):
            with run.reporting(where):
                show(where, found, patient(_answers(found, timeout, **asked), where))
    else:
        run.each(partial(_answers, timeout=timeout, **asked), show)
    run.end()


def _foils(
    run: Run, query: str, output: Path | None, options: dict[str, tuple[str, ...]]
) -> NoReturn:
    """Print asplain's answer for each puzzle, and end the command."""
    for where, puzzle in run.puzzles(only_one=output is not None):
        with run.reporting(where):
            with waiting(f"{where}: asking asplain"):
                foil = asplain(puzzle, query, output, timeout=run.timeout, **options)
            if run.form == "json":
                run.print_json(where, puzzle, **_foil(foil))
            elif foil:
                click.echo(str(foil))
            if foil is None:
                run.no_solution(where, puzzle)
    run.end()


def _answers(
    puzzle: Grid | Puzzle,
    timeout: float | None,
    cell: str | None,
    why_not: tuple[str, int] | None,
    question: str | None,
    every: bool,
    smallest: bool,
    grain: Literal["rule", "house"],
    as_list: bool,
) -> Iterator[Answer]:
    """The answers to the question that the options choose."""
    timeout = timeout or (PATIENCE if smallest else None)
    if cell:
        way = techniques.steps_to(puzzle, cell, timeout) if question else None
        if way:
            yield from way
            yield way.outcome
        else:
            yield ask.why(puzzle, cell, smallest, grain, timeout)
        return
    if why_not:
        removal = ask.why_not(puzzle, *why_not, timeout)
        yield from removal.all(timeout) if every else [removal]
        return
    if question is None:
        number = api.count(puzzle, limit=2, timeout=timeout)
        question = ("conflicts", "steps", "ambiguity")[number]
    match question:
        case "conflicts":
            found = ask.conflicts(puzzle, smallest, timeout)
            yield from found.all(timeout) if every and isinstance(found, ask.Clash) else [found]
        case "ambiguity":
            yield ask.ambiguity(puzzle, timeout=timeout)
        case "steps":
            steps = techniques.steps(puzzle, timeout)
            yield from steps
            yield steps.outcome()
        case "hint":
            steps = techniques.steps(puzzle, timeout)
            yield next(steps, None) or steps.outcome()
        case "rate":
            yield techniques.rate(puzzle, timeout)


def _in_time(answers: Iterator[Answer]) -> tuple[list[Answer], SolveTimeout | None]:
    """The answers; if time runs out after some, these, a sentence that says so, and the error."""
    found: list[Answer] = []
    try:
        found.extend(answers)
    except SolveTimeout as error:
        if not found:
            raise
        return [*found, f"{error}."], error
    return found, None


def _reporting_a_clash(
    run: Run, where: str, puzzle: Grid | Puzzle, answers: Iterator[Answer]
) -> Iterator[Answer]:
    """The answers; if one of them is a clash, report afterwards that there is no solution."""
    clash = False
    for answer in answers:
        clash = clash or isinstance(answer, ask.Clash)
        yield answer
    if clash:
        run.no_solution(where, puzzle)


def _noting(where: str, answers: Iterator[Answer]) -> Iterator[Answer]:
    """The answers; after a set that is too large to read, a note that there are steps."""
    for answer in answers:
        yield answer
        if isinstance(answer, ask.Forced) and len(answer.core.members) > LARGE:
            say(f"{where}: --cell {answer.cell} --steps shows the steps that lead to this digit")


def _json(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, ask.Explanation):
        return answer.to_json()
    return {"outcome": answer} if isinstance(answer, str) else asdict(answer)


def _foil(foil: Foil | None) -> dict[str, Any]:
    """A foil as JSON."""
    if foil is None:
        return {"question": "asplain", "foil": None}
    return foil.to_json()


def _write(parts: Iterable[str | Picture], output: Path) -> None:
    texts = (part if isinstance(part, str) else part.to_text(rules=False) for part in parts)
    save(output, "".join(f"{text}\n" for text in texts))


def _parts(answers: Iterable[Answer], numbered: bool, as_list: bool) -> Iterator[str | Picture]:
    """Steps, with numbers if `numbered` or in lines, and any other answer with its picture."""
    for number, answer in enumerate(answers, 1):
        if as_list and isinstance(answer, techniques.Step):
            yield f"{number:3}. {line(answer, WIDTH)}"
        elif numbered and isinstance(answer, techniques.Step):
            yield f"{number}. {answer}"
        else:
            yield str(answer)
            if isinstance(answer, ask.Explanation):
                yield ""
                yield answer.picture()


def _shown(answer: ask.Explanation) -> Slide | tuple[str, Picture]:
    return (
        page_of(answer) if isinstance(answer, techniques.Step) else (str(answer), answer.picture())
    )


def _head(answers: list[Answer]) -> str:
    """How many steps there are, and how hard they are, if they are those of one puzzle."""
    steps = [answer for answer in answers if isinstance(answer, techniques.Step)]
    outcome = answers[-1]
    if not isinstance(outcome, str) or len(steps) != len(answers) - 1:
        return ""
    return f"{Walk(tuple(steps), outcome, outcome == SOLVED).head}. {outcome}"


def _draw(answers: list[Answer], form: str, output: Path | None) -> None:
    drawn = [answer for answer in answers if isinstance(answer, ask.Explanation)]
    if not drawn:
        raise click.UsageError(NO_PICTURE)
    if form == "html":
        text = pages(map(_shown, drawn), _head(answers))
        if output:
            save(output, f"{text}\n")
        else:
            click.echo(text)
        return
    if len(drawn) != 1:
        html = "-o FILE.html" if output else "-f html"
        raise click.UsageError(f"{len(drawn)} answers cannot go into one picture; use {html}")
    (picture,) = (answer.picture() for answer in drawn)
    if output:
        picture.save(output)
    else:
        click.echo(picture.to_svg())
