"""The command ``certify``: answers with proofs, and checks of such proofs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

import click

from .. import formats
from ..engines import get, names
from ..errors import (
    BackendFailure,
    Disagreement,
    InvalidCertificate,
    InvalidPuzzle,
    SudokuError,
    counted,
)
from ..files import append_to
from ..proofs import CLAIMS, Certificate
from ..proofs import certify as prove
from ..puzzle import Grid
from ..questions.many import stream_in_order
from . import AnyPuzzle, Run
from .options import (
    BOX,
    FROM,
    JOBS,
    RULE,
    TIMEOUT,
    BackendName,
    CommandAndGroup,
    Source,
    backend,
    on_puzzles,
    option,
    output_file,
    output_format,
    printing,
)
from .output import EXIT_CODES, check_output, patient, progress

_FORMS = {".cnf": "cnf", ".json": "json", ".jsonl": "json", ".pl": "prolog", ".txt": "text"}
"""What is written to a file, by the ending of its name."""

_MANY = (".jsonl", ".txt")
"""The endings of files for several certificates."""


@click.command("certify", epilog=EXIT_CODES)
@on_puzzles(RULE, BOX, FROM, JOBS, TIMEOUT)
@output_file()
@output_format("text", "json", "prolog", help="How certificates are printed; json: one a line.")
@backend("The engine that proves.")
def make(run: Run, backend: str, output: Path | None) -> None:
    """Prove how many solutions puzzles have: none, one or several.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. A certificate can be
    checked without the engine that found it, and plain Python has checked it before it is printed.
    -o FILE.cnf also writes FILE.drat, for any checker of DRAT proofs. A file that ends in .jsonl or
    .txt can hold several certificates.

    \b
    pylogic-sudoku certify 4......3...13...
    pylogic-sudoku certify -o proof.cnf puzzle.txt
    pylogic-sudoku certify --jobs 2 -o proofs.jsonl puzzles.txt
    pylogic-sudoku certify check -b all proofs.jsonl
    """
    check_output(output, *run.puzzle)
    if output is not None and output.suffix.lower() == ".cnf":
        check_output(output.with_suffix(".drat"), *run.puzzle)
    form, only_one = _form(output, run.form)
    run.form = "text" if output else form
    shown = output is None and sys.stdout.isatty()
    with _writer(output, form) as write, progress(run.number_of_puzzles, shown) as advance:

        def show(where: str, puzzle: AnyPuzzle, answer: Iterator[Certificate]) -> None:
            (certificate,) = answer
            write(certificate)
            advance()
            if certificate.claim == "none":
                run.no_solution(where, puzzle)

        run.each(partial(_proved, engine=backend, timeout=run.timeout), show, only_one)


certify = CommandAndGroup(make, "[check] [OPTIONS] PUZZLE...")


# --- proofs -------------------------------------------------------------------------------


def _proved(puzzle: AnyPuzzle, engine: str, timeout: float | None) -> Generator[Certificate]:
    """The certificate, which plain Python has checked."""
    certificate = prove(puzzle, engine, timeout)
    try:
        certificate.verify(timeout=timeout)
    except InvalidCertificate as error:
        raise BackendFailure(f"the proof by {engine} is wrong: {error}") from None
    yield certificate


def _form(output: Path | None, form: str) -> tuple[str, str]:
    """What is written, and the option by which there may be only one; "" if there may be several.

    UsageError if the file has another ending.
    """
    if output is None:
        return form, "-f prolog" if form == "prolog" else ""
    suffix = output.suffix.lower()
    if suffix not in _FORMS:
        raise click.UsageError(f"{output} should end in one of {', '.join(_FORMS)}")
    if form not in ("text", _FORMS[suffix]):
        raise click.UsageError(f"-f {form} does not go with -o {output}")
    only_one = "" if suffix in _MANY else f"-o FILE{output.suffix} (unlike .jsonl and .txt)"
    return _FORMS[suffix], only_one


@contextmanager
def _writer(output: Path | None, form: str) -> Iterator[Callable[[Certificate], None]]:
    """The function that prints a certificate, or writes it to the file at once."""
    if output is None:
        yield _pieces(form, click.echo)
    elif output.suffix.lower() not in _MANY:
        yield lambda certificate: certificate.save(output)
    else:
        with append_to(output, "wb") as file:
            yield _pieces(form, lambda text: file.write(f"{text}\n".encode()))


def _pieces(form: str, put: Callable[[str], object]) -> Callable[[Certificate], None]:
    """The function that writes one certificate after another, a blank line between texts."""
    gap = ""

    def write(certificate: Certificate) -> None:
        nonlocal gap
        if form == "json":
            put(json.dumps(certificate.to_json()))
        elif form == "prolog":
            put(certificate.prolog())
        else:
            put(f"{gap}{certificate}")
            gap = "\n"

    return write


# --- checks -------------------------------------------------------------------------------

Found = tuple[str, str | SudokuError]
"""Where a certificate is, and its text or why it cannot be read."""


@certify.command(
    "check",
    epilog=EXIT_CODES.replace("some puzzle has no solution", "some certificate is refused"),
)
@JOBS
@TIMEOUT
@printing
@option(
    *("-b", "--backend"),
    type=BackendName("python", "all"),
    default="python",
    help="The engine that checks: python, prolog, or all of them.",
)
@click.argument("file", nargs=-1, required=True, type=Source())
def check(file: tuple[str, ...], backend: str, timeout: float | None, jobs: int) -> NoReturn:
    """Check certificates, and print a line for each.

    FILE holds certificates as JSON, one or many; - is standard input.

    \b
    pylogic-sudoku certify check proofs.jsonl
    pylogic-sudoku certify -f json 4......3...13... | pylogic-sudoku certify check -b all -
    """
    run = Run(file)
    ask = partial(_checked, checkers=_checkers(backend), timeout=timeout)
    items = stream_in_order(ask, _sources(file), jobs)
    with closing(items) as answers, progress(lambda: None, sys.stdout.isatty()) as advance:
        for (where, _), answer in answers:
            with run.reporting(where):
                click.echo(f"{where}: {next(patient(answer, where))}")
            advance()
    run.end()


def _checkers(name: str) -> tuple[str | None, ...]:
    """The engines that check; None is plain Python."""
    if name != "all":
        return (None if name == "python" else name,)
    return (None, *(each for each in names() if get(each).can("first_refused")))


def _sources(sources: tuple[str, ...]) -> Iterator[Found]:
    for name in sources:
        path = Path(name)
        try:
            if name == "-":
                yield from _texts("standard input", sys.stdin)
            elif path.suffix.lower() == ".pl":
                prompt = f"is checked at the swipl prompt: ?- check_certificate('{name}')."
                yield name, InvalidPuzzle(prompt)
            else:
                with open(path, encoding="utf-8") as lines:
                    yield from _texts(name, lines)
        except OSError as error:
            yield name, InvalidPuzzle(f"cannot be read: {error.strerror}")


def _texts(name: str, lines: Iterable[str]) -> Iterator[Found]:
    """The text of each certificate in a file of JSON."""
    try:
        for line, text in formats.split(lines, format="json"):
            yield f"{name}, line {line}", text
    except InvalidPuzzle as error:
        yield name, InvalidPuzzle(str(error).replace("expected a puzzle", "expected certificates"))


def _checked(
    source: Found, checkers: tuple[str | None, ...], timeout: float | None
) -> Generator[str]:
    """What the certificate proves, in words."""
    _, text = source
    if isinstance(text, SudokuError):
        raise text
    certificate = Certificate.from_json(text)
    verdicts = {each or "Python": _verdict(certificate, each, timeout) for each in checkers}
    if len({verdict is None for verdict in verdicts.values()}) > 1:
        answers = {name: verdict or "it is right" for name, verdict in verdicts.items()}
        raise Disagreement(certificate.puzzle, answers)
    for name, verdict in verdicts.items():
        if verdict:
            raise InvalidCertificate(f"refused by {name}: {verdict}")
    puzzle = certificate.puzzle
    lemmas = counted(len(certificate.lemmas), "lemma")
    if certificate.claim == "several":  # nothing is refuted: no engine was asked
        verdicts = {"Python": None}
    yield (
        f"{puzzle if isinstance(puzzle, Grid) else repr(puzzle)} has {CLAIMS[certificate.claim]}"
        f" ({lemmas} by {certificate.maker}, checked by {' and '.join(verdicts)})"
    )


def _verdict(
    certificate: Certificate, checker: str | None, timeout: float | None
) -> InvalidCertificate | None:
    """Why the checker refuses it; None if it does not."""
    try:
        certificate.verify(checker, timeout)
    except InvalidCertificate as error:
        return error
    return None
