"""What the commands on puzzles share: where puzzles come from, their answers, how a run ends."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import chain, islice
from typing import NoReturn, TypeVar

from .. import formats
from .._batch import stream_in_order
from ..errors import (
    BackendFailure,
    BackendUnavailable,
    Disagreement,
    InvalidCertificate,
    InvalidPuzzle,
    NoSolution,
    NotGenerated,
    SolveTimeout,
    SudokuError,
)
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ._output import echo, say, usage_error
from ._waiting import patient

__all__ = ["EXIT_CODES", "Run", "exit_code", "message_of"]

T = TypeVar("T")
AnyPuzzle = Grid | Puzzle
Text = tuple[str, str, str | InvalidPuzzle]
"""Where a puzzle is, the name of its file or "", and its text or the reason why there is none."""

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
    if isinstance(error, NoSolution | InvalidCertificate | NotGenerated):
        return 1
    if isinstance(error, Disagreement):
        return 5
    if isinstance(error, SolveTimeout):
        return 4
    return 3 if isinstance(error, BackendUnavailable | BackendFailure) else 2


def message_of(error: SudokuError) -> str:
    """The message of the error; of the ways to give a box shape, only the option."""
    return re.sub(r"by Grid\.from_rows.* or --box", "--box", str(error))


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
        threads: int = 1,
    ) -> None:
        self.form = form
        self.engines = engines
        self.timeout = timeout
        self.jobs = jobs
        self.threads = threads
        self._sources = sources
        self._format = source_format
        self._box = box
        self._codes = {0}
        self._alike: dict[str, tuple[str, int]] = {}
        """By the text without its details: the first such error, and their number."""

    def each(
        self,
        ask: Callable[[AnyPuzzle], Iterator[T]],
        show: Callable[[str, AnyPuzzle, Iterator[T]], None],
    ) -> None:
        """Show the answer for each puzzle, in order; see `answers`."""
        with closing(self.answers(ask, self._read())) as answers:
            for where, puzzle, answer in answers:
                with self.reporting(where):
                    show(where, puzzle, answer)

    def answers(
        self,
        ask: Callable[[AnyPuzzle], Iterator[T]],
        puzzles: Iterable[tuple[str, AnyPuzzle | InvalidPuzzle]],
    ) -> Generator[tuple[str, AnyPuzzle, Iterator[T]]]:
        """Where each puzzle is, the puzzle, and the parts of its answer as they come, in order.

        With several jobs `ask` is called in another process, and so must be picklable. A puzzle
        that cannot be read is reported in its turn.
        """
        with closing(stream_in_order(partial(_asked, ask), puzzles, self.jobs)) as answers:
            try:
                for (where, puzzle), answer in answers:
                    if isinstance(puzzle, InvalidPuzzle):
                        self.fail(where, puzzle)
                    else:
                        yield where, puzzle, patient(answer, where)
            finally:
                self._say_how_many_more()

    @contextmanager
    def reporting(self, where: str) -> Iterator[None]:
        """Report an error in one puzzle and continue; BackendUnavailable propagates."""
        try:
            yield
        except BackendUnavailable:
            raise
        except SudokuError as error:
            self.fail(where, error)

    def end(self) -> NoReturn:
        """End the command with the exit code of the worst that has happened."""
        self._say_how_many_more()
        sys.exit(next(code for code in _BY_WEIGHT if code in self._codes))

    def puzzles(
        self, only_one: bool = False, option: str = "-o"
    ) -> Iterator[tuple[str, AnyPuzzle]]:
        """Where each readable puzzle is, and the puzzle; the others are reported.

        With `only_one`, UsageError, which names the option, if there are several.
        """
        found = self._readable()
        if only_one:
            first = list(islice(found, 2))
            if len(first) > 1:
                raise usage_error(f"{option} takes one puzzle, but there are several")
            found = chain(first)
        return found

    def _readable(self) -> Iterator[tuple[str, AnyPuzzle]]:
        try:
            for where, puzzle in self._read():
                if isinstance(puzzle, InvalidPuzzle):
                    self.fail(where, puzzle)
                else:
                    yield where, puzzle
        finally:
            self._say_how_many_more()

    def print_json(self, where: str, puzzle: AnyPuzzle, **answer: object) -> None:
        """Print the answer for one puzzle as a JSON object on one line."""
        import json

        whole = puzzle if isinstance(puzzle, Puzzle) else Puzzle(puzzle)
        echo(json.dumps({"where": where, "puzzle": whole.to_json(), **answer}))

    def no_solution(self, where: str, puzzle: AnyPuzzle) -> None:
        """Report that there is no solution, with the reason if it is plain."""
        self._codes.add(1)
        why = "".join(f"; {duplicate}" for duplicate in puzzle.duplicates()[:1])
        say(f"{where}: no solution{why}")

    def fail(self, where: str, error: SudokuError) -> None:
        """Report what is wrong with the puzzle there, and remember the exit code."""
        self.remember(error)
        message = message_of(error)
        if self._is_to_be_said(error, message):
            say(f"{where}: {message}")
        if self.form == "json":
            import json

            fields: dict[str, object] = {"where": where, "error": message}
            if isinstance(error, SolveTimeout) and error.found is not None:
                fields["at_least"] = error.found
            echo(json.dumps(fields))

    def _is_to_be_said(self, error: SudokuError, message: str) -> bool:
        """False, and counted, if `SHOWN` similar errors about the input have been printed."""
        if not isinstance(error, InvalidPuzzle) or isinstance(error, NoSolution):
            return True  # this is the answer for the puzzle
        kind = _DETAIL.sub("…", message)
        first, number = self._alike.get(kind, (message, 0))
        self._alike[kind] = first, number + 1
        return number < SHOWN

    def _say_how_many_more(self) -> None:
        """Count the errors that were not printed."""
        for first, number in self._alike.values():
            if number > SHOWN:
                say(f'... and {number - SHOWN:,} more like "{first}"')
        self._alike.clear()

    def remember(self, error: SudokuError) -> None:
        """Let the command end with the exit code of this error, or of a worse one."""
        self._codes.add(exit_code(error))

    def number_of_puzzles(self) -> int | None:
        """How many puzzles there will be, readable or not; None for standard input."""
        if "-" in self._sources:
            return None
        texts = chain.from_iterable(texts for _, texts in self._sources_read())
        return sum(isinstance(text, str) for _, _, text in texts)

    def _read(self) -> Iterator[tuple[str, AnyPuzzle | InvalidPuzzle]]:
        for name, texts in self._sources_read():
            failed, hopeless = 0, True
            for where, file, text in texts:
                found = self._parsed(text, file)
                yield where, found
                failed, hopeless = failed + 1, hopeless and isinstance(found, InvalidPuzzle)
                if hopeless and failed == HOPELESS:
                    reason = f"none of its first {HOPELESS} pieces is one"
                    yield name, InvalidPuzzle(f"this is not a collection of puzzles: {reason}")
                    break

    def _parse(self, text: str, name: str = "") -> AnyPuzzle:
        return formats.parse(text, self._format, self._box, name)

    def _parsed(self, text: str | InvalidPuzzle, name: str) -> AnyPuzzle | InvalidPuzzle:
        try:
            return text if isinstance(text, InvalidPuzzle) else self._parse(text, name)
        except InvalidPuzzle as error:
            return error

    def _sources_read(self) -> Iterator[tuple[str, Iterator[Text]]]:
        """The name of each source, and its texts."""
        for number, source in enumerate(self._sources, 1):
            name = {"-": "standard input"}.get(source, source)
            yield name, self._texts(number, source, name)

    def _texts(self, number: int, source: str, name: str) -> Iterator[Text]:
        try:
            if source == "-":
                yield from self._split(name, sys.stdin)
            elif os.path.exists(source):
                with open(source, encoding="utf-8") as lines:
                    yield from self._split(source, lines)
            elif formats.names_file(source):
                raise InvalidPuzzle("there is no such file")
            else:
                if _WORD.fullmatch(source):
                    self._refuse_word(source)
                yield f"puzzle {number}", "", source
        except InvalidPuzzle as error:
            yield name.strip() or f"puzzle {number}", "", error
        except OSError as error:
            yield name, "", InvalidPuzzle(f"cannot be read: {error.strerror or error}")

    def _refuse_word(self, word: str) -> None:
        """InvalidPuzzle, which says that there is no such file, unless the word is a puzzle."""
        try:
            self._parse(word)
        except InvalidPuzzle as error:
            raise InvalidPuzzle(
                f"there is no such file, and as a puzzle it cannot be read: {error}"
            ) from None

    def _split(self, name: str, lines: Iterable[str]) -> Iterator[tuple[str, str, str]]:
        for line, puzzle in formats.split(lines, self._box, self._format, name):
            yield f"{name}, line {line}", name, puzzle


def _asked(
    ask: Callable[[AnyPuzzle], Iterator[T]], item: tuple[str, AnyPuzzle | InvalidPuzzle]
) -> Generator[T]:
    """The answer for one puzzle as it comes; nothing for one that cannot be read."""
    _, puzzle = item
    if not isinstance(puzzle, InvalidPuzzle):
        yield from ask(puzzle)


SHOWN = 3
"""Errors that differ only in numbers and quotations are counted after this many."""
HOPELESS = 20
"""The rest of a source is not read after this many failures without a puzzle."""

_DETAIL = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")
_WORD = re.compile(r"[\w.+~-]*[^\W\d_]{2}[\w.+~-]*")
"""What may be the name of a file: a word with two adjacent letters."""
