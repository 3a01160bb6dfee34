"""The command ``explain``: why a digit, why not another, what is wrong, what comes next."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click

from .. import explain as ask
from .. import questions as api
from .. import techniques
from ..draw import Picture, pages, require
from ..draw.svg import Slide
from ..engines import comparable
from ..errors import SolveTimeout
from ..explain import PRUNINGS, asplain
from ..files import save
from ..problem import Answer as ProblemAnswer
from ..problem.facts import read_answer
from ..puzzle.cells import Cell
from ..reasons.refusal import Refusal, refusal
from ..techniques.way import SOLVED, Walk, page_of
from . import AnyPuzzle, Run
from . import options as opt
from .output import EXIT_CODES, check_output, print_picture, printing_to, say, waiting

Answer = ask.Explanation | techniques.Rating | str

WRITTEN = (".txt", ".json", ".jsonl")
"""The endings of files that are not pictures."""

LARGE = 24
"""A set with more members is harder to read than the steps to the digit."""

SMALLEST_TIMEOUT = 60.0
"""Seconds for a set of minimum size, if no time limit is given."""


def _cell(text: str) -> str:
    """The name of a cell; which cells there are depends on the puzzle."""
    try:
        return str(Cell.of(text, opt.MAX_WHOLE))
    except IndexError:
        why = "is not a cell, such as r3c2; it comes before the puzzles"
        raise ValueError(f"{text!r} {why}") from None


CELL_NAME = opt.Value("cell", _cell)


# --- the questions: each takes a puzzle and a time limit, and answers part by part -----------


def fitting(puzzle: AnyPuzzle, timeout: float | None) -> Iterator[Answer]:
    """Explain puzzles: why, why-not, conflicts, hint, steps and more.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. Without a question, the
    command answers `steps` if there is one solution, `conflicts` if there is none, and `ambiguity`
    if there are several. The question is first, then its cell, then its options and puzzles.

    \b
    pylogic-sudoku explain 4......3...13...
    pylogic-sudoku explain why r2c1 4......3...13...
    pylogic-sudoku explain why-not r2c1 2 4......3...13...
    pylogic-sudoku explain steps -o steps.html puzzle.txt
    pylogic-sudoku explain refusal -p queens "queen(1,1). queen(2,2)." size=2
    """
    number = api.count(puzzle, limit=2, timeout=timeout)
    if number == 0:
        yield from conflicts(puzzle, timeout)
    elif number == 1:
        yield from steps(puzzle, timeout)
    else:
        yield from ambiguity(puzzle, timeout)


def why(
    puzzle: AnyPuzzle,
    timeout: float | None,
    cell: str,
    smallest: bool,
    detail: Literal["rule", "house"],
) -> Iterator[Answer]:
    """Say why CELL holds its digit.

    The answer is a set of rules and givens that force it. CELL comes before PUZZLE, as in `grep
    PATTERN FILE`, so that several puzzles can follow.

    \b
    pylogic-sudoku explain why r2c1 4......3...13...
    pylogic-sudoku explain why r2c1 --smallest -o why.svg 4......3...13...
    """
    limit = _patience(timeout, smallest)
    yield ask.why(puzzle, cell, smallest=smallest, detail=detail, timeout=limit)


def why_not(
    puzzle: AnyPuzzle, timeout: float | None, cell: str, digit: int, every: bool
) -> Iterator[Answer]:
    """Say which givens must go so that CELL can hold DIGIT.

    \b
    pylogic-sudoku explain why-not r2c1 2 4......3...13...
    pylogic-sudoku explain why-not r2c1 2 --all -f json puzzles.txt
    """
    removal = ask.why_not(puzzle, cell, digit, timeout=timeout)
    yield from removal.all(timeout) if every else [removal]


def conflicts(
    puzzle: AnyPuzzle, timeout: float | None, smallest: bool = False, every: bool = False
) -> Iterator[Answer]:
    """Say which givens clash, if there is no solution.

    \b
    pylogic-sudoku explain conflicts 1.....1....2.21.
    pylogic-sudoku explain conflicts --smallest -o clash.svg 1.....1....2.21.
    """
    timeout = _patience(timeout, smallest)
    answer = ask.conflicts(puzzle, smallest=smallest, timeout=timeout)
    yield from answer.all(timeout) if every and isinstance(answer, ask.Clash) else [answer]


def _patience(timeout: float | None, smallest: bool) -> float | None:
    return timeout or (SMALLEST_TIMEOUT if smallest else None)


def ambiguity(puzzle: AnyPuzzle, timeout: float | None) -> Iterator[Answer]:
    """Say what several solutions leave open, and what would settle it.

    \b
    pylogic-sudoku explain ambiguity 1..4.....3......
    pylogic-sudoku explain ambiguity -o open.svg 1..4.....3......
    """
    yield ask.ambiguity(puzzle, timeout=timeout)


def redundant(puzzle: AnyPuzzle, timeout: float | None, minimal: bool) -> Iterator[Answer]:
    """Say which givens, marks and rules are not needed for the only solution.

    The parts of a puzzle in which nothing is redundant are in the answer as JSON, too.

    \b
    pylogic-sudoku explain redundant 4......3.4.13...
    pylogic-sudoku explain redundant --minimal -f json puzzles.txt
    """
    yield ask.redundant(puzzle, minimal, timeout)


def steps(puzzle: AnyPuzzle, timeout: float | None, cell: str | None = None) -> Iterator[Answer]:
    """Show the steps that lead to the solution, or to one digit.

    Each step is printed as it is found.

    \b
    pylogic-sudoku explain steps 4......3...13...
    pylogic-sudoku explain steps --to r2c1 4......3...13...
    pylogic-sudoku explain steps -o steps.html puzzle.txt
    """
    if cell is None:
        steps = techniques.steps(puzzle, timeout)
        yield from steps
        yield steps.outcome()
    elif way := techniques.steps_to(puzzle, cell, timeout):
        yield from way
        yield way.outcome
    else:  # it is a given, or open
        yield ask.why(puzzle, cell, timeout=timeout)


def hint(puzzle: AnyPuzzle, timeout: float | None) -> Iterator[Answer]:
    """Show the next step.

    \b
    pylogic-sudoku explain hint 4......3...13...
    pylogic-sudoku explain hint -o hint.svg 4......3...13...
    """
    steps = techniques.steps(puzzle, timeout)
    yield next(steps, None) or steps.outcome()


def rate(puzzle: AnyPuzzle, timeout: float | None) -> Iterator[Answer]:
    """Say how hard the puzzle is for a person.

    \b
    pylogic-sudoku explain rate 4......3...13...
    pylogic-sudoku explain rate -f json puzzles.txt
    """
    yield techniques.rate(puzzle, timeout)


# --- their commands ---------------------------------------------------------------------------

CELL = click.argument("cell", type=CELL_NAME)
SMALLEST = opt.flag(
    "--smallest",
    help="A set of minimum size, or the best that is found within a minute or within -t.",
)
MINIMAL = opt.flag(
    "--minimal", help="Find a puzzle with the same solution in which nothing is redundant, too."
)
EVERY = opt.flag("--all", "every", help="Every answer, not only the first.")
DETAIL = opt.option(
    "--detail",
    type=click.Choice(["rule", "house"]),
    default="rule",
    help="Reasons such as 'row 3 must hold a 5', or whole houses.",
)


PRINTING = (
    opt.TIMEOUT,
    opt.picture(".json", ".jsonl"),
    opt.output_format("text", "json", help="How the answers are printed; json: an object a line."),
)


def _no_problem(_context: Any, _parameter: Any, problem: Any) -> None:
    if problem is not None:
        raise click.UsageError(
            "this question is about sudokus; of another problem, ask why programs refuse an answer:"
            " explain refusal -p PROBLEM ANSWER [INSTANCE]..."
        )


NO_PROBLEM = opt.option(
    *("-p", "--problem", "_problem"),
    type=opt.Value("PROBLEM", str),
    hidden=True,
    expose_value=False,
    callback=_no_problem,
    help="Another problem, which is refused.",
)


def _command(question: Callable[..., Iterator[Answer]], *options: opt.Option) -> click.Command:
    """The command that asks the question."""

    def command(run: Run, **more: Any) -> None:
        _answer(run, question, **more)

    name = "explain" if question is fitting else question.__name__.replace("_", "-")
    asking = opt.on_puzzles(*options, *PRINTING, NO_PROBLEM)
    return opt.command(name, help=question.__doc__, epilog=EXIT_CODES)(asking(command))


explain = opt.CommandAndGroup(_command(fitting), "[QUESTION] [OPTIONS] PUZZLE...")
for _each in (
    _command(why, CELL, SMALLEST, DETAIL),
    _command(why_not, CELL, click.argument("digit", type=opt.whole(1)), EVERY),
    _command(conflicts, SMALLEST, EVERY),
    _command(ambiguity),
    _command(redundant, MINIMAL),
    _command(
        steps,
        opt.option("--to", "cell", type=CELL_NAME, help="Only the steps to the digit of CELL."),
    ),
    _command(hint),
    _command(rate),
):
    explain.add_command(_each)


@explain.command("graph", epilog=EXIT_CODES)
@click.argument("query")
@opt.on_puzzles(
    NO_PROBLEM,
    opt.TIMEOUT,
    opt.picture(),
    opt.output_format("text", "json", help="How the answers are printed; json: an object a line."),
)
@opt.several("--cost-encoding", metavar="NAME", help="Such as penalize-removed; may be repeated.")
@opt.several("--dynamic-tags", metavar="FILE", type=opt.Source(), help="Tag file; may be repeated.")
@opt.several("--prune", type=click.Choice(PRUNINGS), help="May be repeated.")
def graph(run: Run, output: Path | None, query: str, **options: tuple[str, ...]) -> None:
    """Explain why QUERY does not hold, as a graph made by asplain.

    QUERY is an atom such as "sudoku(3,2,1)": row, column and digit. -o FILE draws the graph.

    \b
    pylogic-sudoku explain graph "sudoku(3,2,1)" --prune CHANGES 1.....1....2.2..
    pylogic-sudoku explain graph "sudoku(1,1,4)" -f json 1.....1....2.2..
    """
    check_output(output, *opt.files_read(), *options["cost_encoding"])
    for where, puzzle in run.puzzles("-o" if output else ""):
        with run.reporting(where):
            with waiting(f"{where}: asking asplain"):
                foil = asplain(puzzle, query, output, timeout=run.timeout, **options)
            if run.form == "json":
                known = foil.to_json() if foil else {"question": "asplain", "foil": None}
                run.print_json(where, puzzle, **known)
            elif foil:
                click.echo(str(foil))
            if foil is None:
                run.no_solution(where, puzzle)


@explain.command("refusal", epilog=EXIT_CODES)
@opt.output_format("text", "json", help="How the answers are printed; json: an object a line.")
@opt.printing
@click.argument("answer", type=opt.Value("answer", partial(read_answer, where="ANSWER")))
@opt.on_puzzles(opt.NO_SUDOKU, opt.BACKENDS, opt.TIMEOUT)
def refused(run: Run, engines: tuple[str, ...], answer: ProblemAnswer) -> None:
    """Say why programs refuse an answer: the lines that exclude it.

    ANSWER is facts, or atoms as clingo prints them; `compare -p` finds some that a program refuses.
    INSTANCE is a name, a file or facts; without any, all in the folder of the problem are asked.

    \b
    pylogic-sudoku explain refusal -p queens "queen(1,1). queen(2,2)." size=2
    pylogic-sudoku explain refusal -p queens -b prolog "queen(1,1) queen(2,2)" size=2
    """

    def show(where: str, instance: AnyPuzzle, found: Iterator[Refusal]) -> None:
        if run.form == "json":
            known = {each.backend: each.to_json() for each in found}
            run.print_json(where, instance, answer=answer.to_json(), refusals=known)
            return
        for each in found:
            click.echo(f"{where}: {each}")

    run.each(partial(_refusals, answer=answer, engines=engines, timeout=run.timeout), show)


def _refusals(
    instance: AnyPuzzle, answer: ProblemAnswer, engines: tuple[str, ...], timeout: float | None
) -> Iterator[Refusal]:
    return (refusal(instance, answer, each, timeout) for each in comparable(engines, instance))


# --- how the answers are printed and drawn ------------------------------------------------


def _answer(
    run: Run, question: Callable[..., Iterator[Answer]], output: Path | None, **options: Any
) -> None:
    """Answer the question for each puzzle."""
    check_output(output, *opt.files_read())
    picture = output if output and output.suffix.lower() not in WRITTEN else None
    if picture:
        require(picture.suffix.lower())

    def show(where: str, puzzle: AnyPuzzle, answers: Iterator[Answer]) -> None:
        answers = _noting(run, where, puzzle, answers)
        if picture:
            _draw(answers, picture)
        elif run.form == "json":
            for answer in answers:
                click.echo(json.dumps({"where": where, **_json(answer)}))
        else:
            for number, answer in enumerate(answers, 1):
                if isinstance(answer, techniques.Step) and question is not hint:
                    click.echo(f"{number}. {answer}")
                else:
                    click.echo(str(answer))
                    if isinstance(answer, ask.Explanation):
                        click.echo()
                        print_picture(answer.picture(), rules=False)

    with printing_to(None if picture else output):
        answered = partial(question, timeout=run.timeout, **options)
        run.each(answered, show, only_one="-o" if picture else "")


def _noting(run: Run, where: str, puzzle: AnyPuzzle, answers: Iterator[Answer]) -> Iterator[Answer]:
    """The answers; a note after a text too large to read, and a report after a clash."""
    clash = False
    for answer in answers:
        yield answer
        match answer:
            case ask.Clash():
                clash = True
            case ask.Forced() if run.form == "text" and len(answer.mus.members) > LARGE:
                say(f"{where}: `explain steps --to {answer.cell}` shows the steps to this digit")
    if clash:
        run.no_solution(where, puzzle)


def _json(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, ask.Explanation):
        return answer.to_json()
    return {"outcome": answer} if isinstance(answer, str) else asdict(answer)


def _draw(answers: Iterator[Answer], file: Path) -> None:
    """Draw the answers into the file; if time runs out after some, these, and raise the error."""
    so_far: list[Answer] = []
    late: SolveTimeout | None = None
    try:
        so_far.extend(answers)
    except SolveTimeout as error:
        if not so_far:
            raise
        late = error
        so_far.append(f"{error}.")
    drawn = [answer for answer in so_far if isinstance(answer, ask.Explanation)]
    if not drawn:
        raise click.UsageError("this answer has no picture; use -f text or json")
    if file.suffix.lower() == ".html":
        save(file, f"{pages(map(_shown, drawn), _head(so_far))}\n")
    elif len(drawn) == 1:
        drawn[0].picture().save(file)
    else:
        raise click.UsageError(f"{len(drawn)} answers cannot go into one picture; use -o FILE.html")
    if late:
        raise late


def _shown(answer: ask.Explanation) -> Slide | tuple[str, Picture]:
    if isinstance(answer, techniques.Step):
        return page_of(answer)
    return str(answer), answer.picture()


def _head(answers: list[Answer]) -> str:
    """The number of steps and their difficulty, if they belong to one puzzle."""
    steps = tuple(each for each in answers if isinstance(each, techniques.Step))
    outcome = answers[-1]
    if not isinstance(outcome, str) or len(steps) != len(answers) - 1:
        return ""
    return f"{Walk(steps, outcome, outcome == SOLVED).head}. {outcome}"
