"""The command ``certify``: answers with proofs, and checks of such proofs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import BinaryIO, NoReturn

import click

from .. import formats
from ..engines import Verifier, get, names
from ..errors import (
    BackendFailure,
    Disagreement,
    InvalidCertificate,
    InvalidPuzzle,
    SudokuError,
    counted,
)
from ..files import append_to, write_all
from ..proofs import CLAIMS, Certificate
from ..proofs import certify as prove
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box
from ..questions.many import stream_in_order
from . import Run
from .options import (
    BOX,
    FROM,
    JOBS,
    OUTPUT,
    PUZZLES,
    RULE,
    TIMEOUT,
    BackendName,
    CommandAndGroup,
    Source,
    backend,
    output_format,
    printing,
)
from .output import EXIT_CODES, check_output, patient, progress

_FORMS = {".cnf": "cnf", ".json": "json", ".jsonl": "json", ".pl": "prolog", ".txt": "text"}
"""What is written to a file, by the ending of its name."""

_MANY = (".jsonl", ".txt")
"""The endings of files for several certificates."""


@click.command("certify", epilog=EXIT_CODES)
@RULE
@BOX
@FROM
@JOBS
@TIMEOUT
@OUTPUT
@output_format("text", "json", "prolog", help="How certificates are printed; json: one a line.")
@backend("The engine that proves.")
@PUZZLES
def make(
    puzzle: tuple[str, ...],
    backend: str,
    form: str,
    output: Path | None,
    timeout: float | None,
    jobs: int,
    source_format: str | None,
    box: Box | None,
) -> NoReturn:
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
    _check_files(output, puzzle)
    form, many = _form(output, form)
    run = Run(puzzle, source_format, box, "text" if output else form, timeout=timeout, jobs=jobs)
    ask = partial(_proved, engine=backend, timeout=timeout)
    with _writer(output, form) as write, _progress(run.number_of_puzzles, output) as advance:

        def show(where: str, asked: Grid | Puzzle, answer: Iterator[Certificate]) -> None:
            (certificate,) = answer
            write(certificate)
            advance()
            if certificate.claim == "none":
                run.no_solution(where, asked)

        if many:
            run.each(ask, show)
        else:
            option = f"-o FILE{output.suffix} (unlike .jsonl and .txt)" if output else "-f prolog"
            for where, asked in run.puzzles(True, option):
                with run.reporting(where):
                    show(where, asked, patient(ask(asked), where))
    run.end()


certify = CommandAndGroup(make, "[check] [OPTIONS] PUZZLE...")


def _progress(
    total: Callable[[], int | None], output: Path | None = None
) -> AbstractContextManager[Callable[[], None]]:
    """A progress bar, unless the answers on the terminal show the progress."""
    return nullcontext(lambda: None) if output is None and sys.stdout.isatty() else progress(total)


# --- proofs -------------------------------------------------------------------------------


def _proved(puzzle: Grid | Puzzle, engine: str, timeout: float | None) -> Generator[Certificate]:
    """The certificate, which plain Python has checked."""
    certificate = prove(puzzle, engine, timeout)
    try:
        certificate.verify(timeout=timeout)
    except InvalidCertificate as error:
        raise BackendFailure(f"the proof by {engine} is wrong: {error}") from None
    yield certificate


def _check_files(output: Path | None, sources: tuple[str, ...]) -> None:
    """Fail before any work if one of the files to be written cannot be."""
    check_output(output, *sources)
    if output is not None and output.suffix.lower() == ".cnf":
        check_output(output.with_suffix(".drat"), *sources)


def _form(output: Path | None, form: str) -> tuple[str, bool]:
    """What is written, and if there may be several; UsageError if the file has another ending."""
    if output is None:
        return form, form != "prolog"
    suffix = output.suffix.lower()
    if suffix not in _FORMS:
        raise click.UsageError(f"{output} should end in one of {', '.join(_FORMS)}")
    if form not in ("text", _FORMS[suffix]):
        raise click.UsageError(f"-f {form} does not go with -o {output}")
    return _FORMS[suffix], suffix in _MANY


@contextmanager
def _writer(output: Path | None, form: str) -> Iterator[Callable[[Certificate], None]]:
    """The function that prints a certificate, or writes it to the file at once."""
    if output is None:
        yield _pieces(form, click.echo)
    elif output.suffix.lower() not in _MANY:
        yield lambda certificate: certificate.save(output)
    else:
        with append_to(output, "wb") as file:
            yield _pieces(form, partial(_append, file, output))


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


def _append(file: BinaryIO, path: Path, text: str) -> None:
    try:
        write_all(file, f"{text}\n".encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


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
@click.option(
    *("-b", "--backend"),
    type=BackendName("python", "all"),
    default="python",
    show_default=True,
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
    run = Run(file, timeout=timeout, jobs=jobs)
    ask = partial(_checked, checkers=_checkers(backend), timeout=timeout)
    items = stream_in_order(ask, _sources(file), jobs)
    with closing(items) as answers, _progress(lambda: None) as advance:
        for (where, _), answer in answers:
            with run.reporting(where):
                click.echo(f"{where}: {next(patient(answer, where))}")
            advance()
    run.end()


def _checkers(name: str) -> tuple[str | None, ...]:
    """The engines that check; None is plain Python."""
    if name != "all":
        return (None if name == "python" else name,)
    return (None, *(each for each in names() if isinstance(get(each), Verifier)))


def _sources(sources: tuple[str, ...]) -> Iterator[Found]:
    for name in sources:
        path = Path(name)
        try:
            if name == "-":
                yield from _texts("standard input", sys.stdin)
            elif path.suffix.lower() == ".pl":
                yield (
                    name,
                    InvalidPuzzle(
                        f"is checked at the swipl prompt: ?- check_certificate('{name}')."
                    ),
                )
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
