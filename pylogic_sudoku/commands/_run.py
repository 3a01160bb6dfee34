"""What the commands share: their arguments, where puzzles come from, how a run ends."""

from __future__ import annotations

import json
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from .. import formats
from .._api import PROCESSES
from .._batch import stream_in_order
from ..engines import names
from ..errors import (
    BackendFailure,
    BackendUnavailable,
    Disagreement,
    InvalidPuzzle,
    NoSolution,
    SolveTimeout,
    SudokuError,
)
from ..grid import Box, Grid
from ._values import BackendName, BoxShape, Seconds, Source, Whole

__all__ = [
    "BOX",
    "EXIT_CODES",
    "FROM",
    "JOBS",
    "PUZZLES",
    "TIMEOUT",
    "BackendName",
    "Run",
    "Seconds",
    "Whole",
    "exit_code",
    "message_of",
    "on_puzzles",
    "output_format",
    "say",
]

T = TypeVar("T")

EXIT_CODES = """\b
Exit codes:
  0    done
  1    some puzzle has no solution
  2    bad usage or bad input
  3    an engine is missing or broke
  4    out of time
  5    the engines disagree
  6    the output cannot be written
  130  interrupted (143 by TERM, 129 by HUP)"""

# The first of these that a run over many puzzles has met is its exit code.
_BY_WEIGHT = (5, 3, 2, 4, 1, 0)


def exit_code(error: SudokuError) -> int:
    """The exit code that an error means."""
    if isinstance(error, NoSolution):
        return 1
    if isinstance(error, Disagreement):
        return 5
    if isinstance(error, SolveTimeout):
        return 4
    return 3 if isinstance(error, BackendUnavailable | BackendFailure) else 2


def message_of(error: SudokuError) -> str:
    """The message of the error; of the ways to give a box shape, only the option."""
    return re.sub(r"by Grid\.from_rows.* or --box", "--box", str(error))


def say(message: str) -> None:
    """Prints to standard error."""
    click.echo(message, err=True)


BOX = click.option(
    "--box", type=BoxShape(), help="Box shape if the text leaves it open (6x6, 8x8, ...)."
)
FROM = click.option(
    "--from",
    "source_format",
    type=click.Choice(list(formats.FORMATS)),
    metavar="FORMAT",
    help="Format of the input, if detection is wrong.",
)
TIMEOUT = click.option(
    "-t",
    "--timeout",
    type=Seconds(),
    metavar="SECONDS",
    help="Time for each puzzle and engine.",
)
JOBS = click.option(
    "--jobs",
    type=Whole(1, PROCESSES),
    default=1,
    show_default=True,
    help="Processes that share the puzzles.",
)
PUZZLES = click.argument("puzzle", nargs=-1, required=True, type=Source())
_OPTIONS = (
    JOBS,
    BOX,
    FROM,
    TIMEOUT,
    click.option(
        "-b",
        "--backend",
        type=BackendName("all"),
        default="clingo",
        show_default=True,
        help="clingo, prolog, or all: ask every engine, and fail if they differ.",
    ),
    PUZZLES,
)


def output_format(*choices: str, default: str = "text", help: str) -> Callable[[Any], Any]:
    """The option for the form in which answers are printed."""
    if many := len(choices) > 5:
        help = f"{help} FORMAT is {', '.join(choices[:-1])} or {choices[-1]}."
    return click.option(
        "-f",
        "--format",
        "form",
        type=click.Choice(choices),
        default=default,
        show_default=True,
        metavar="FORMAT" if many else None,
        help=help,
    )


def on_puzzles(command: Callable[..., NoReturn]) -> Callable[..., Any]:
    """Gives a command the arguments that say which puzzles, as a `Run`."""

    @wraps(command)
    def wrapped(
        puzzle: tuple[str, ...],
        source_format: str | None,
        box: Box | None,
        backend: str,
        timeout: float | None,
        jobs: int,
        form: str,
        **options: Any,
    ) -> NoReturn:
        engines = names() if backend == "all" else (backend,)
        command(Run(puzzle, source_format, box, form, engines, timeout, jobs), **options)

    decorated: Callable[..., Any] = wrapped
    for option in _OPTIONS:
        decorated = option(decorated)
    return decorated


class Run:
    """The state of one command: its input, its engines, and the exit code so far."""

    def __init__(
        self,
        sources: tuple[str, ...],
        source_format: str | None = None,
        box: Box | None = None,
        form: str = "pretty",
        engines: tuple[str, ...] = (),
        timeout: float | None = None,
        jobs: int = 1,
    ) -> None:
        self.form = form
        self.engines = engines
        self.timeout = timeout
        self._jobs = jobs
        self._sources = sources
        self._format = source_format
        self._box = box
        self._codes = {0}

    def each(
        self,
        ask: Callable[[Grid], Iterator[T]],
        tell: Callable[[str, Grid, Iterator[T]], None],
    ) -> NoReturn:
        """Tells what each puzzle was answered, in order, then ends the command.

        `ask` gives an answer part by part; what is told of a part need not wait for the next. With
        several processes it is called in another one, and so must be picklable.
        """
        asked: deque[tuple[str, Grid | InvalidPuzzle]] = deque()

        def puzzles() -> Iterator[Grid | InvalidPuzzle]:
            for where, puzzle in self._read():
                asked.append((where, puzzle))
                yield puzzle

        with closing(stream_in_order(partial(_parts, ask), puzzles(), self._jobs)) as answers:
            for answer in answers:
                where, puzzle = asked.popleft()
                with self.costing_only_itself(where):
                    if isinstance(puzzle, InvalidPuzzle):
                        raise puzzle
                    tell(where, puzzle, answer)
        self.end()

    @contextmanager
    def costing_only_itself(self, where: str) -> Iterator[None]:
        """Report an error in one puzzle and continue; BackendUnavailable propagates."""
        try:
            yield
        except BackendUnavailable:
            raise
        except SudokuError as error:
            self.fail(where, error)

    def end(self) -> NoReturn:
        """Ends the command with the exit code of the worst that has happened."""
        sys.exit(next(code for code in _BY_WEIGHT if code in self._codes))

    def puzzles(self) -> Iterator[tuple[str, Grid]]:
        """Every puzzle that can be read, and where it stands."""
        for where, grid in self._read():
            if isinstance(grid, InvalidPuzzle):
                self.fail(where, grid)
            else:
                yield where, grid

    def print_json(self, where: str, grid: Grid, **answer: object) -> None:
        """Prints the answer for one puzzle as one JSON object on a line."""
        rows = [[digit or None for digit in row] for row in grid.rows]
        click.echo(json.dumps({"where": where, "box": grid.box, "puzzle": rows, **answer}))

    def no_solution(self, where: str, grid: Grid) -> None:
        """Says so, with the reason where it can be seen."""
        self._codes.add(1)
        why = "".join(f"; {conflict}" for conflict in grid.duplicates()[:1])
        say(f"{where}: no solution{why}")

    def fail(self, where: str, error: SudokuError) -> None:
        """Says what is wrong with the puzzle there, and remembers the exit code."""
        self.remember(error)
        message = message_of(error)
        say(f"{where}: {message}")
        if self.form == "json":
            told: dict[str, object] = {"where": where, "error": message}
            if isinstance(error, SolveTimeout) and error.found is not None:
                told["at_least"] = error.found
            click.echo(json.dumps(told))

    def remember(self, error: SudokuError) -> None:
        """Lets the command end with the exit code of this error, or of a worse one."""
        self._codes.add(exit_code(error))

    def number_of_puzzles(self) -> int | None:
        """How many puzzles there will be, readable or not; None for standard input."""
        if "-" in self._sources:
            return None
        return sum(isinstance(text, str) for _, text in self._texts())

    def _read(self) -> Iterator[tuple[str, Grid | InvalidPuzzle]]:
        for where, text in self._texts():
            try:
                if isinstance(text, InvalidPuzzle):
                    raise text
                yield where, formats.parse(text, self._format, self._box)
            except InvalidPuzzle as error:
                yield where, error

    def _texts(self) -> Iterator[tuple[str, str | InvalidPuzzle]]:
        for number, source in enumerate(self._sources, 1):
            name = {"-": "standard input"}.get(source, source)
            try:
                if source == "-":
                    yield from self._split(name, sys.stdin)
                elif _exists(source):
                    with open(source, encoding="utf-8") as lines:
                        yield from self._split(source, lines)
                elif _named_like_a_file(source):
                    raise InvalidPuzzle("there is no such file")
                else:
                    if _WORD.fullmatch(source):
                        self._refuse_word(source)
                    yield f"puzzle {number}", source
            except InvalidPuzzle as error:
                yield name.strip() or f"puzzle {number}", error
            except OSError as error:
                yield name, InvalidPuzzle(f"cannot be read: {error.strerror or error}")

    def _refuse_word(self, word: str) -> None:
        """Says that there is no such file if the word is not a puzzle either."""
        try:
            formats.parse(word, self._format, self._box)
        except InvalidPuzzle as error:
            raise InvalidPuzzle(
                f"there is no such file, and as a puzzle it cannot be read: {error}"
            ) from None

    def _split(self, name: str, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
        for line, puzzle in formats.split(lines, self._box, self._format):
            yield f"{name}, line {line}", puzzle


def _parts(ask: Callable[[Grid], Iterator[T]], puzzle: Grid | InvalidPuzzle) -> Iterator[T]:
    """The answer as it comes."""
    if isinstance(puzzle, InvalidPuzzle):
        raise puzzle
    yield from ask(puzzle)


_WORD = re.compile(r"[\w.+~-]*[^\W\d_]{2}[\w.+~-]*")
"""What may be the name of a file: a word with two letters side by side."""


def _exists(source: str) -> bool:
    try:
        return bool(source) and Path(source).exists()
    except OSError:  # many a puzzle is too long for a file name
        return False


def _named_like_a_file(source: str) -> bool:
    return not re.search(r"\n|^\s*https?:", source) and (
        "/" in source or Path(source).suffix[1:].lower() in formats.SUFFIXES
    )
