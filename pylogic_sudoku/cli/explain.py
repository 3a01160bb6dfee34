"""The command ``explain``: why a digit, why not another, what is wrong, what comes next."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import partial, wraps
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

import click

from .. import explain as ask
from .. import questions as api
from .. import techniques
from ..draw import Picture, pages, require
from ..draw.svg import Slide
from ..errors import SolveTimeout
from ..explain import PRUNINGS, Foil, asplain
from ..files import save
from ..puzzle.cells import Box, Cell
from ..techniques.way import SOLVED, Walk, line, page_of
from . import AnyPuzzle, Run
from .options import (
    BOX,
    FROM,
    MAX_WHOLE,
    OUTPUT,
    PUZZLES,
    RULE,
    TIMEOUT,
    CommandAndGroup,
    Source,
    Whole,
    output_format,
    picture,
)
from .output import (
    EXIT_CODES,
    check_output,
    patient,
    print_picture,
    printing_to,
    say,
    waiting,
)

Answer = ask.Explanation | techniques.Rating | str

WIDTH = 23
"""Enough for most techniques; the steps are printed as they are found."""

LARGE = 24
"""A set with more members is harder to read than the steps to the digit."""

SMALLEST_TIMEOUT = 60.0
"""Seconds for a set of minimum size, if no time limit is given."""

PICTURES = (".svg", ".png", ".pdf", ".html")
NO_PICTURE = "this answer has no picture; use -f text or json"

Ask = Callable[..., Iterator[Answer]]
"""Takes a puzzle and a time limit, and answers a question part by part."""


class CellName(click.ParamType):  # type: ignore[type-arg]
    """The name of a cell; which cells there are depends on the puzzle."""

    name = "cell"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        try:
            return str(Cell.of(str(value), MAX_WHOLE))
        except IndexError:
            self.fail(f"{value!r} is not a cell, such as r3c2; it comes before the puzzles")


class Question(NamedTuple):
    """A question that the command line asks, and what is special about its answers."""

    ask: Ask
    numbered: bool = True
    """Steps have numbers."""
    as_list: bool = False
    """One line a step."""
    drawn: bool = True
    """There are pictures."""


def asking(*forms: str) -> Callable[[Callable[..., Question]], Callable[..., NoReturn]]:
    """Add what all questions take, and answer the question that the command returns.

    `forms` are the formats of the answers beyond text and JSON.
    """

    def decorated(command: Callable[..., Question]) -> Callable[..., NoReturn]:
        @wraps(command)
        def wrapped(
            puzzle: tuple[str, ...],
            source_format: str | None,
            box: Box | None,
            timeout: float | None,
            output: Path | None,
            form: str,
            **options: Any,
        ) -> NoReturn:
            question = command(**options)
            run = Run(puzzle, source_format, box, form, timeout=timeout)
            _answer(run, question, output, puzzle)

        kinds = output_format(
            *("text", "json", *forms), help="How the answers are printed; json: an object a line."
        )
        place = picture(".json", ".jsonl") if forms else OUTPUT
        added: Callable[..., NoReturn] = wrapped
        for option in (kinds, place, TIMEOUT, BOX, RULE, FROM, PUZZLES):
            added = option(added)
        return added

    return decorated


DRAWN = asking("svg", "html")
"""For questions whose answers have pictures."""

SMALLEST = click.option(
    "--smallest",
    is_flag=True,
    help="A set of minimum size, or the best that is found within a minute or within -t.",
)
EVERY = click.option("--all", "every", is_flag=True, help="Every answer, not only the first.")
CELL = click.argument("cell", type=CellName())


@click.command("explain", epilog=EXIT_CODES)
@DRAWN
def fitting() -> Question:
    """Explain puzzles: why, why not, what is wrong, what is next.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. Without a question, the
    command answers `steps` if there is one solution, `conflicts` if there is none, and `ambiguity`
    if there are several. A question comes first, then its cell, then its options and puzzles.

    \b
    pylogic-sudoku explain 4......3...13...
    pylogic-sudoku explain why r2c1 4......3...13...
    pylogic-sudoku explain why-not r2c1 2 4......3...13...
    pylogic-sudoku explain steps -o steps.html puzzle.txt
    """
    return Question(_fitting)


def _fitting(puzzle: AnyPuzzle, timeout: float | None) -> Iterator[Answer]:
    number = api.count(puzzle, limit=2, timeout=timeout)
    if number == 0:
        yield from _conflicts(puzzle, timeout)
    elif number == 1:
        yield from _steps(puzzle, timeout)
    else:
        yield from _ambiguity(puzzle, timeout)


explain = CommandAndGroup(fitting, "[QUESTION] [OPTIONS] PUZZLE...")


@explain.command("why", epilog=EXIT_CODES)
@CELL
@SMALLEST
@click.option(
    "--detail",
    type=click.Choice(["rule", "house"]),
    default="rule",
    show_default=True,
    help="Reasons such as 'row 3 must hold a 5', or whole houses.",
)
@DRAWN
def why(cell: str, smallest: bool, detail: Literal["rule", "house"]) -> Question:
    """Say why CELL holds its digit.

    The answer is a set of rules and givens that force it. CELL comes before PUZZLE, as in `grep
    PATTERN FILE`, so that several puzzles can follow.

    \b
    pylogic-sudoku explain why r2c1 4......3...13...
    pylogic-sudoku explain why r2c1 --smallest -o why.svg 4......3...13...
    """

    def answer(puzzle: AnyPuzzle, timeout: float | None) -> Iterator[Answer]:
        limit = _patience(timeout, smallest)
        yield ask.why(puzzle, cell, smallest=smallest, detail=detail, timeout=limit)

    return Question(answer)


@explain.command("why-not", epilog=EXIT_CODES)
@CELL
@click.argument("digit", type=Whole(1))
@EVERY
@DRAWN
def why_not(cell: str, digit: int, every: bool) -> Question:
    """Say which givens must go so that CELL can hold DIGIT.

    \b
    pylogic-sudoku explain why-not r2c1 2 4......3...13...
    pylogic-sudoku explain why-not r2c1 2 --all -f json puzzles.txt
    """

    def answer(puzzle: AnyPuzzle, timeout: float | None) -> Iterator[Answer]:
        removal = ask.why_not(puzzle, cell, digit, timeout=timeout)
        yield from removal.all(timeout) if every else [removal]

    return Question(answer)


@explain.command("conflicts", epilog=EXIT_CODES)
@SMALLEST
@EVERY
@DRAWN
def conflicts(smallest: bool, every: bool) -> Question:
    """Say which givens clash, if there is no solution.

    \b
    pylogic-sudoku explain conflicts 1.....1....2.21.
    pylogic-sudoku explain conflicts --smallest -o clash.svg 1.....1....2.21.
    """
    return Question(partial(_conflicts, smallest=smallest, every=every))


def _conflicts(
    puzzle: AnyPuzzle, timeout: float | None, smallest: bool = False, every: bool = False
) -> Iterator[Answer]:
    timeout = _patience(timeout, smallest)
    found = ask.conflicts(puzzle, smallest=smallest, timeout=timeout)
    yield from found.all(timeout) if every and isinstance(found, ask.Clash) else [found]


def _patience(timeout: float | None, smallest: bool) -> float | None:
    return timeout or (SMALLEST_TIMEOUT if smallest else None)


@explain.command("ambiguity", epilog=EXIT_CODES)
@DRAWN
def ambiguity() -> Question:
    """Say what several solutions leave open, and what would settle it.

    \b
    pylogic-sudoku explain ambiguity 1..4.....3......
    pylogic-sudoku explain ambiguity -o open.svg 1..4.....3......
    """
    return Question(_ambiguity)


def _ambiguity(puzzle: AnyPuzzle, timeout: float | None) -> Iterator[Answer]:
    yield ask.ambiguity(puzzle, timeout=timeout)


@explain.command("steps", epilog=EXIT_CODES)
@click.option("--list", "as_list", is_flag=True, help="One line a step, as text.")
@click.option(
    "--to", "cell", type=CellName(), metavar="CELL", help="Only the steps to the digit of CELL."
)
@DRAWN
def steps(as_list: bool, cell: str | None) -> Question:
    """Show the steps that lead to the solution, or to one digit.

    Each step is printed as it is found.

    \b
    pylogic-sudoku explain steps --list 4......3...13...
    pylogic-sudoku explain steps --to r2c1 4......3...13...
    pylogic-sudoku explain steps -o steps.html puzzle.txt
    """
    return Question(partial(_steps, cell=cell), as_list=as_list)


def _steps(puzzle: AnyPuzzle, timeout: float | None, cell: str | None = None) -> Iterator[Answer]:
    if cell is None:
        steps = techniques.steps(puzzle, timeout)
        yield from steps
        yield steps.outcome()
    elif way := techniques.steps_to(puzzle, cell, timeout):
        yield from way
        yield way.outcome
    else:  # it is a given, or open
        yield ask.why(puzzle, cell, timeout=timeout)


@explain.command("hint", epilog=EXIT_CODES)
@DRAWN
def hint() -> Question:
    """Show the next step.

    \b
    pylogic-sudoku explain hint 4......3...13...
    pylogic-sudoku explain hint -o hint.svg 4......3...13...
    """
    return Question(_hint, numbered=False)


def _hint(puzzle: AnyPuzzle, timeout: float | None) -> Iterator[Answer]:
    steps = techniques.steps(puzzle, timeout)
    yield next(steps, None) or steps.outcome()


@explain.command("rate", epilog=EXIT_CODES)
@asking()
def rate() -> Question:
    """Say how hard the puzzle is for a person.

    \b
    pylogic-sudoku explain rate 4......3...13...
    pylogic-sudoku explain rate -f json puzzles.txt
    """
    return Question(_rate, drawn=False)


def _rate(puzzle: AnyPuzzle, timeout: float | None) -> Iterator[Answer]:
    yield techniques.rate(puzzle, timeout)


@explain.command("graph", epilog=EXIT_CODES)
@click.argument("query")
@PUZZLES
@FROM
@RULE
@BOX
@TIMEOUT
@picture()
@output_format("text", "json", help="How the answers are printed; json: an object a line.")
@click.option(
    "--cost-encoding",
    multiple=True,
    metavar="NAME",
    help="Cost encoding, such as penalize-removed; may be repeated.",
)
@click.option(
    "--dynamic-tags",
    multiple=True,
    metavar="FILE",
    type=Source(),
    help="Tag file; may be repeated.",
)
@click.option(
    "--prune",
    multiple=True,
    type=click.Choice(PRUNINGS),
    metavar="PART",
    help=f"What is cut from the graph: {', '.join(PRUNINGS)}. May be repeated.",
)
def graph(
    puzzle: tuple[str, ...],
    source_format: str | None,
    box: Box | None,
    timeout: float | None,
    output: Path | None,
    form: str,
    query: str,
    **options: tuple[str, ...],
) -> NoReturn:
    """Draw why there is not QUERY, as a graph by asplain.

    QUERY is an atom such as "sudoku(3,2,1)": row, column and digit. -o FILE draws the graph.

    \b
    pylogic-sudoku explain graph "sudoku(3,2,1)" --prune CHANGES 1.....1....2.2..
    pylogic-sudoku explain graph "sudoku(1,1,4)" -f json 1.....1....2.2..
    """
    check_output(output, *puzzle, *options["dynamic_tags"], *options["cost_encoding"])
    run = Run(puzzle, source_format, box, form, timeout=timeout)
    for where, found in run.puzzles(only_one=output is not None):
        with run.reporting(where):
            with waiting(f"{where}: asking asplain"):
                foil = asplain(found, query, output, timeout=run.timeout, **options)
            if form == "json":
                run.print_json(where, found, **_foil(foil))
            elif foil:
                click.echo(str(foil))
            if foil is None:
                run.no_solution(where, found)
    run.end()


# --- how the answers are printed and drawn ------------------------------------------------


def _answer(
    run: Run, question: Question, output: Path | None, sources: tuple[str, ...]
) -> NoReturn:
    """Answer the question for each puzzle, and end the command."""
    check_output(output, *sources)
    _, numbered, as_list, drawn = question
    form = run.form = _form(run.form, output) if drawn else run.form
    if not drawn and output and output.suffix.lower() in PICTURES:
        raise click.UsageError(NO_PICTURE)
    if as_list and form not in ("text", "txt"):
        raise click.UsageError(f"--list is text, so it does not go with {form}")

    def show(where: str, puzzle: AnyPuzzle, answers: Iterator[Answer]) -> None:
        answers = _reporting_a_clash(run, where, puzzle, answers)
        if form == "json":
            for answer in answers:
                click.echo(json.dumps({"where": where, **_json(answer)}))
        elif form == "text":
            for part in _parts(_noting(where, answers), numbered, as_list):
                if isinstance(part, str):
                    click.echo(part)
                else:
                    print_picture(part, rules=False)
        else:
            found, late = _in_time(answers)
            if output and form == "txt":
                _write(_parts(found, numbered, as_list), output)
            else:
                _draw(found, form, output)
            if late:
                raise late

    answered = partial(question.ask, timeout=run.timeout)
    one = output is not None and drawn and form != "json"
    with printing_to(None if one else output):
        if one:
            for where, puzzle in run.puzzles(only_one=True):
                with run.reporting(where):
                    show(where, puzzle, patient(answered(puzzle), where))
        else:
            run.each(answered, show)
    run.end()


def _form(form: str, output: Path | None) -> str:
    """The format, which is that of the file if there is one; UsageError if they differ."""
    if output is None:
        return form
    ending = output.suffix.lower().removeprefix(".")
    written = "json" if form == "json" and ending in ("json", "jsonl") else ending
    if form not in ("text", written):
        raise click.UsageError(f"-f {form} does not go with -o {output}, which is {ending}")
    if written != "json":
        require(output.suffix.lower())
    return written


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
    run: Run, where: str, puzzle: AnyPuzzle, answers: Iterator[Answer]
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
        if isinstance(answer, ask.Forced) and len(answer.mus.members) > LARGE:
            say(f"{where}: `explain steps --to {answer.cell}` shows the steps to this digit")


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
