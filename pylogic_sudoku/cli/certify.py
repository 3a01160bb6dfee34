"""The command ``certify``: answers with proofs, and checks of such proofs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import click

from ..engines.sudoku import get, names
from ..errors import (
    BackendFailure,
    Disagreement,
    InvalidCertificate,
    InvalidPuzzle,
    counted,
    listed,
)
from ..files import save
from ..proofs import CLAIMS, Certificate
from ..proofs import certify as prove
from ..puzzle import Grid
from . import AnyPuzzle, Run
from . import options as opt
from .output import EXIT_CODES, check_output, exit_codes, printing_to, progress

_TEXTS: dict[str, Callable[[Certificate], str]] = {
    "text": str,
    "json": lambda certificate: json.dumps(certificate.to_json()),
    "prolog": Certificate.prolog,
    "cnf": lambda certificate: certificate.cnf().rstrip(),
}

_ALONE = ("prolog", "cnf")
"""Formats whose files hold one certificate."""


@opt.command("certify", epilog=EXIT_CODES)
@opt.on_puzzles(opt.JOBS, opt.TIMEOUT)
@opt.output_file()
@opt.output_format(*_TEXTS, help="How certificates are written; json: one a line.")
@opt.backend("The engine that proves.")
def make(run: Run, backend: str, output: Path | None) -> None:
    """Prove how many solutions puzzles have: none, one or several.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. A certificate can be
    checked without the engine that found it, and plain Python has checked it before it is printed.
    -o FILE.cnf also writes FILE.drat, for any checker of DRAT proofs.

    \b
    pylogic-sudoku certify 4......3...13...
    pylogic-sudoku certify -o proof.cnf puzzle.txt
    pylogic-sudoku certify --jobs 2 -o proofs.jsonl puzzles.txt
    pylogic-sudoku certify check -b all proofs.jsonl
    """
    opt.check_ending(output)
    form, first = run.form, True
    alone = f"-f {form}" if form in _ALONE else ""
    drat = output.with_suffix(".drat") if output and form == "cnf" else None
    check_output(drat, *opt.files_read())
    run.form = "text" if output else form  # a file has certificates and no errors
    shown = output is None and sys.stdout.isatty()

    def show(where: str, puzzle: AnyPuzzle, answer: Iterator[Certificate]) -> None:
        nonlocal first
        (certificate,) = answer
        click.echo("\n" * (form == "text" and not first) + _TEXTS[form](certificate))
        if drat and certificate.claim != "several":
            save(drat, certificate.drat())
        first = False
        advance()
        if certificate.claim == "none":
            run.no_solution(where, puzzle)

    with printing_to(output, *opt.files_read()), progress(run.number_of_puzzles, shown) as advance:
        run.each(partial(_proved, engine=backend, timeout=run.timeout), show, alone)


certify = opt.CommandAndGroup(make, "[check] [OPTIONS] PUZZLE...")


# --- proofs -------------------------------------------------------------------------------


def _proved(puzzle: AnyPuzzle, engine: str, timeout: float | None) -> Generator[Certificate]:
    """The certificate, which plain Python has checked."""
    certificate = prove(puzzle, engine, timeout)
    try:
        certificate.verify(timeout=timeout)
    except InvalidCertificate as error:
        raise BackendFailure(f"the proof by {engine} is wrong: {error}") from None
    yield certificate


# --- checks -------------------------------------------------------------------------------


class _Certificates(Run):
    """A run over certificates: the texts themselves, since the processes that check read them."""

    def _parse(self, text: str, name: str = "") -> Any:
        if not name:
            raise InvalidPuzzle("expected a file with certificates")
        return text


@certify.command(
    "check",
    epilog=exit_codes("some certificate is refused"),
)
@opt.JOBS
@opt.TIMEOUT
@opt.printing
@opt.option(
    *("-b", "--backend", "engines"),
    type=opt.BackendName("python", "all"),
    multiple=True,
    default=("python",),
    help="The engine that checks: python, prolog, or all of them; may be repeated.",
)
@click.argument("file", nargs=-1, required=True, type=opt.Source())
def check(
    file: tuple[str, ...], engines: tuple[str, ...], timeout: float | None, jobs: int
) -> NoReturn:
    """Check certificates, and print a line for each.

    FILE holds certificates as JSON, one or many; - is standard input.

    \b
    pylogic-sudoku certify check proofs.jsonl
    pylogic-sudoku certify -f json 4......3...13... | pylogic-sudoku certify check -b all -
    """
    run = _Certificates(file, source_format="json", jobs=jobs)

    def show(where: str, _text: Any, answer: Iterator[str]) -> None:
        click.echo(f"{where}: {next(answer)}")
        advance()

    with progress(lambda: None, sys.stdout.isatty()) as advance:
        run.each(partial(_checked, checkers=_checkers(engines), timeout=timeout), show)
    run.end()


def _checkers(engines: tuple[str, ...]) -> tuple[str | None, ...]:
    """The engines that check; None is plain Python."""
    able = [each for each in names() if get(each).can("first_refused")]
    every = chain.from_iterable(("python", *able) if name == "all" else (name,) for name in engines)
    return tuple(None if name == "python" else name for name in dict.fromkeys(every))


def _checked(text: Any, checkers: tuple[str | None, ...], timeout: float | None) -> Generator[str]:
    """Check a certificate, and return in words what it proves."""
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
        f" ({lemmas} by {certificate.maker}, checked by {listed(verdicts)})"
    )


def _verdict(
    certificate: Certificate, checker: str | None, timeout: float | None
) -> InvalidCertificate | None:
    """The reason why the checker refuses it; None if it does not."""
    try:
        certificate.verify(checker, timeout)
    except InvalidCertificate as error:
        return error
    return None
