"""The shared parts of the commands on puzzles: sources, answers, and the end of a run."""

from __future__ import annotations

import atexit
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from io import BufferedReader
from itertools import islice
from textwrap import shorten
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from .. import formats
from .. import questions as api
from ..engines import comparable, engine_for
from ..engines.base import Measurement
from ..errors import (
    BackendFailure,
    BackendUnavailable,
    Disagreement,
    InvalidProblem,
    InvalidPuzzle,
    LogicError,
    Message,
    ProgramWarning,
    SolveTimeout,
    caused,
    cost_text,
    listed,
)
from ..problem import Answer, Instance
from ..problem.atoms import Written
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, OpenShape
from ..questions.many import stream_in_order
from ..running.workers import heed_stops, stopped
from .output import (
    PIPE_CLOSED,
    OutputLost,
    Pace,
    SolutionPrinter,
    echo,
    patient,
    print_soon,
    say,
    usage_error,
    waiting,
    watch,
)

if TYPE_CHECKING:
    from ..problem.folder import Problem

T = TypeVar("T")
AnyPuzzle = Any
"""A `Grid`, a `Puzzle`, or an `Instance` where a command takes a problem."""
Unreadable = InvalidPuzzle | InvalidProblem
Text = tuple[str, str, str | AnyPuzzle | InvalidPuzzle]
"""Where a puzzle is, the name of its file or "", and its text, itself, or why there is none."""


# The first of these that a run over many puzzles has met is its exit code.
_BY_WEIGHT = (5, 3, 2, 4, 1, 0)


def _weight(code: int) -> int:
    """The place of the code; a code of somebody else's error comes before all of ours."""
    return _BY_WEIGHT.index(code) if code in _BY_WEIGHT else -1


def message_of(error: Exception) -> str:
    """The message of the error; of the ways to give a box shape, only the option."""
    return _with_options(str(error), error)


def _with_options(message: str, error: Exception) -> str:
    """The words of an error with only the option of the ways to give a box shape."""
    cause: BaseException = error  # which may be another one behind a place
    while not isinstance(cause, OpenShape):
        if (below := cause.__cause__ or cause.__context__) is None:
            return message
        cause = below
    return message.replace(cause.ways, cause.option)


def reported(where: str, error: LogicError) -> str:
    """The fault of the puzzle there, as a line."""
    place, words = formats.located(where, error)
    return f"{place}: {_with_options(words, error)}"


def located_errors(error: LogicError) -> list[str]:
    """The messages of an error that have a file, as compilers print them."""
    return [each.located("error") for each in error.messages if each.file]


class _NoSource(InvalidPuzzle):
    """A file or text that holds no puzzles at all, so that none of its puzzles is missing."""


@dataclass
class Run:
    """The state of one command: its input, how it is answered, and the exit code so far."""

    puzzle: tuple[str, ...]
    source_format: str | None = None
    box: Box | None = None
    form: str = "pretty"
    timeout: float | None = None
    jobs: int = 1
    problem: Problem | None = None
    """If there is one, each `puzzle` is an instance of it; all in its folder if there is none."""
    constants: dict[str, str] = field(default_factory=dict)
    """Values of constants that all instances have."""

    def __post_init__(self) -> None:
        self.instances: Iterable[Instance] | None = None
        """Those to ask about, instead of the ones that the arguments name."""
        self._dealt: list[tuple[str, AnyPuzzle | Unreadable]] | None = None
        """The puzzles of the share, once they are read."""
        self._codes = {0}
        self._warned: list[Message] = []
        self._usual = warnings.showwarning
        warnings.showwarning = self._warn  # type: ignore[assignment]
        self.unread: Callable[[], object] = int
        """Called in place of an answer to a puzzle that cannot be read."""

    def _warn(self, warning: Warning | str, *others: Any, **named: Any) -> None:
        """Show a warning, that of a program as `show_warning` does."""
        if isinstance(warning, ProgramWarning):
            self.show_warning(warning.message)
        else:
            self._usual(warning, *others, **named)

    def show_warning(self, message: Message) -> None:
        """Show a warning about a program; the next JSON object has it, too."""
        if self.form == "lines" and message.file:
            echo(message.located("warning"))
        else:
            place = message.place and f"{message.place}: "
            say(f"{place}warning: {message.words}")
        self._warned.append(message)

    def each(
        self,
        ask: Callable[[AnyPuzzle], Iterator[T]],
        show: Callable[[str, AnyPuzzle, Iterator[T]], None],
        only_one: str = "",
    ) -> None:
        """Show the answer for each puzzle, in order; see `answers`."""
        with closing(self.answers(ask, only_one)) as answers:
            for where, puzzle, answer in answers:
                with self.reporting(where):
                    show(where, puzzle, answer)

    def answers(
        self, ask: Callable[[AnyPuzzle], Iterator[T]], only_one: str = ""
    ) -> Generator[tuple[str, AnyPuzzle, Iterator[T]]]:
        """Each puzzle in order, with its place and the parts of its answer as they arrive.

        With several jobs `ask` is called in another process, and so must be picklable. A puzzle
        that cannot be read is reported in its turn. If there may be `only_one`, which is the name
        of the option that requires it, several are a UsageError.
        """
        puzzles = self._single(only_one) if only_one else self._read()
        with (
            waiting(f"reading {'instances' if self.problem else 'puzzles'}") as turn_to,
            closing(stream_in_order(partial(_answer_parts, ask), puzzles, self.jobs)) as answers,
        ):
            pace = Pace(self.number_of_puzzles)
            for done, ((where, puzzle), answer) in enumerate(answers):
                doing = f"{pace.at(done)}{where}"
                turn_to(doing)
                if isinstance(puzzle, Unreadable):
                    if not isinstance(puzzle, _NoSource):
                        self.unread()
                    self.fail(where, puzzle)
                else:
                    if unread := getattr(puzzle, "unread", ()):
                        say(f"{where}: not read, and perhaps rules: {_shortened(unread)}")
                    yield where, puzzle, patient(answer, doing)

    def puzzles(self, only_one: str = "") -> Iterator[tuple[str, AnyPuzzle]]:
        """The place of each readable puzzle, and the puzzle; as `answers`, without a question."""
        return (
            (where, puzzle) for where, puzzle, _ in self.answers(lambda _puzzle: iter(()), only_one)
        )

    @contextmanager
    def reporting(self, where: str) -> Iterator[None]:
        """Report an error in one puzzle and continue; BackendUnavailable propagates."""
        try:
            yield
        except BackendUnavailable:
            raise
        except LogicError as error:
            self.fail(where, error)

    @property
    def code(self) -> int:
        """The exit code of the worst that has happened."""
        return min(self._codes, key=_weight)

    def end(self) -> NoReturn:
        """End the command with the exit code of the worst that has happened."""
        sys.exit(self.code)

    def print_json(self, where: str, puzzle: AnyPuzzle, **answer: object) -> None:
        """Print the answer for one puzzle as a JSON object on one line."""
        self._print_json(where=where, **puzzle.fields(), **answer)

    def _print_json(self, **fields: object) -> None:
        """Print an object with what programs were warned of since the last one."""
        import json

        try:
            text = json.dumps(fields | self.warned())
        except ValueError:  # which no reader of JSON in Python would take, either
            raise BackendFailure(
                "an answer has a number of more than 4300 digits, which is too large for JSON;"
                " choose -f text or -f line"
            ) from None
        echo(text)

    def warned(self) -> dict[str, object]:
        """Return the warnings about programs since the last call, as fields of JSON."""
        warned = self.warnings()
        return {"warnings": [each.to_json() for each in warned]} if warned else {}

    def warnings(self) -> list[Message]:
        """Return the warnings about programs since the last call."""
        warned, self._warned = self._warned, []
        return warned

    def no_solution(self, where: str, puzzle: AnyPuzzle) -> None:
        """Report that there is no solution, with the reason if it is plain."""
        self._codes.add(1)
        say("; ".join(filter(None, (f"{where}: no solution", puzzle.flaw()))))

    def fail(self, where: str, error: LogicError, **answer: object) -> None:
        """Report what is wrong with the puzzle there, and remember the exit code.

        In JSON, the `answer` is what is known nevertheless.
        """
        self.report(where, error)
        if self.form == "json":
            number = error.found if isinstance(error, SolveTimeout) else None
            fields: dict[str, object] = {} if number is None else {"at_least": number}
            if isinstance(error, SolveTimeout) and error.best is not None and not answer:
                fields |= {"best": error.best.to_json(), **not_proved(error)}
            self._print_json(where=where, **answer, **fields, **error_fields(error))

    def report(self, where: str, error: LogicError) -> None:
        """Say what is wrong with the puzzle there, and remember the exit code."""
        self.remember(error)
        placed = located_errors(error) if self.form == "lines" else []
        for line in placed:
            echo(line)
        if not placed:
            say(reported(where, error))

    def remember(self, error: LogicError) -> None:
        """Let the command end with the exit code of this error, or of a worse one."""
        self.remember_code(error.exit_code)

    def remember_code(self, code: int) -> None:
        """Let the command end with this exit code, or with a worse one."""
        self._codes.add(code)

    def all_puzzles(self) -> list[tuple[str, AnyPuzzle | Unreadable]]:
        """The place of each puzzle and the puzzle, or the reason why there is none."""
        return list(self._read())

    def ask_about(self, puzzles: list[tuple[str, AnyPuzzle | Unreadable]]) -> None:
        """Let these be the puzzles of the run, of those that `all_puzzles` has returned."""
        self._dealt = puzzles

    def number_of_puzzles(self) -> int | None:
        """The number of puzzles, readable or not; None for standard input."""
        if self._dealt is not None:
            return len(self._dealt)
        if "-" in self.puzzle:
            return None
        if self.problem:
            return None if self.instances else len(self.puzzle or self.problem.instances)
        return sum(not isinstance(text, InvalidPuzzle) for _, _, text in self._texts())

    def _single(self, option: str) -> Iterator[tuple[str, AnyPuzzle | Unreadable]]:
        """Yield the only puzzle; UsageError, which names the option, before a second one."""
        only_puzzle: list[tuple[str, AnyPuzzle | Unreadable]] = []
        for where, puzzle in self._read():
            if isinstance(puzzle, Unreadable):
                yield where, puzzle
            elif only_puzzle:
                raise usage_error(f"{option} takes one puzzle, but there are several")
            else:
                only_puzzle.append((where, puzzle))
        yield from only_puzzle

    def _read(self) -> Iterator[tuple[str, AnyPuzzle | Unreadable]]:
        if self._dealt is not None:
            yield from self._dealt
            return
        if self.problem:
            yield from self._instances(self.problem)
            return
        for where, file, text in self._texts():
            try:
                yield where, self._parse(text, file) if isinstance(text, str) else text
            except InvalidPuzzle as error:
                yield where, error

    def _instances(self, problem: Problem) -> Iterator[tuple[str, Instance | InvalidProblem]]:
        if self.instances is not None:
            for each in self.instances:
                if self.constants:
                    each = problem.instance(each.name or str(each), self.constants)
                yield f"{problem.name}, {each.label}", each
            return
        for which in self.puzzle or problem.instances or ("",):
            text = sys.stdin.read() if which == "-" else which
            try:
                instance = problem.instance(text, self.constants)
                if which != "-" and not instance.name:  # a fact that is typed is meant
                    problem.must_read(instance)
                yield f"{problem.name}, {instance.label}", instance
            except InvalidProblem as error:
                yield problem.name, error

    def _parse(self, text: str, name: str = "") -> AnyPuzzle:
        return formats.parse(text, self.source_format, self.box, name)

    def _texts(self) -> Iterator[Text]:
        for number, source in enumerate(self.puzzle, 1):
            name = {"-": "standard input"}.get(source, source)
            try:
                if source == "-":
                    with _standard_input() as lines:
                        yield from self._split(name, lines)
                elif os.path.exists(source):
                    with formats.opened(source) as lines:
                        yield from self._split(source, lines)
                elif formats.names_file(source):
                    raise InvalidPuzzle("there is no such file")
                else:
                    yield self._literal(number, source)
            except InvalidPuzzle as error:
                yield name, "", caused(_NoSource(error), error)
            except OSError as error:
                yield name, "", _NoSource(f"cannot be read: {error.strerror or error}")

    def _literal(self, number: int, text: str) -> Text:
        """The puzzle that is given itself; if it cannot be read, it may be the name of a file."""
        try:
            return f"puzzle {number}", "", self._parse(text)
        except InvalidPuzzle as error:
            if not _WORD.fullmatch(text):
                return f"puzzle {number}", "", error
            why = f"there is no such file, and as a puzzle it cannot be read: {error}"
            return text, "", caused(InvalidPuzzle(why), error)

    def _split(self, name: str, lines: Iterable[str]) -> Iterator[Text]:
        for line, puzzle in formats.split(lines, self.box, self.source_format, name):
            yield formats.begin(name, line), name, puzzle


@contextmanager
def _standard_input() -> Iterator[Iterable[str]]:
    """The lines of standard input, which gzip may have compressed."""
    raw = getattr(sys.stdin, "buffer", None)
    if isinstance(raw, BufferedReader) and raw.peek(2)[:2] == formats.GZIP:
        with formats.unpacked(raw) as lines:
            yield lines
    else:
        yield sys.stdin


def puzzle_in(option: str, source: str, box: Box | None) -> AnyPuzzle:
    """The first puzzle that an option gives, itself or in a file; InvalidPuzzle otherwise."""
    where, puzzle = next(Run((source,), box=box)._read())
    if isinstance(puzzle, InvalidPuzzle):
        raise InvalidPuzzle(": ".join((option, *formats.located(where, puzzle)))) from puzzle
    return puzzle


def _answer_parts(
    ask: Callable[[AnyPuzzle], Iterator[T]], item: tuple[str, AnyPuzzle | Unreadable]
) -> Generator[T]:
    """The parts of the answer for one puzzle; nothing for one that cannot be read."""
    _, puzzle = item
    if not isinstance(puzzle, Unreadable):
        yield from ask(puzzle)


def _shortened(unread: Iterable[str]) -> str:
    """Return the parts of a puzzle that are not read, in one line."""
    return listed([shorten(each, 120, placeholder=" ...") for each in unread])


_WORD = re.compile(r"[\w.+~-]*[^\W\d_]{2}[\w.+~-]*")
"""A word that may be the name of a file: it has two adjacent letters."""


# --- what the command ``solve`` does, without click ---


def solve(
    run: Run,
    engines: tuple[str, ...] = ("clingo",),
    limit: int | None = None,
    threads: int = 1,
    timed: bool = False,
    stats: bool = False,
) -> None:
    """Solve the puzzles of a run; its options have the meaning that ``solve --help`` gives them."""
    as_json = run.form == "json"

    def show(where: str, puzzle: AnyPuzzle, answer: Iterator[_Part]) -> None:
        solutions: list[Grid | Answer | Written] = []
        end = _End({}, False, "", {})
        try:
            for part in answer:
                if isinstance(part, _End):
                    end = part
                    continue
                if as_json or not solutions:  # else they would fill the memory
                    solutions.append(part)
                if as_json:
                    continue
                if isinstance(part, Answer | Written):
                    print_soon(_with_cost(part))
                else:
                    # Regions are drawn, if the puzzle has any, instead of boxes.
                    drawn = run.form == "pretty" and puzzle.regions
                    write(puzzle, Puzzle(part, drawn) if drawn else part)
        except (LogicError, KeyboardInterrupt) as stop:
            best, proved = getattr(stop, "best", None), getattr(stop, "proved", None)
            if proved is not None and not solutions:
                known = {"solutions": [proved.to_json()], "proved": True}
                if not as_json:
                    echo(_with_cost(proved))
            elif best is not None and not solutions:
                known = {"solutions": [best.to_json()], **not_proved(stop)}
                if not as_json:
                    echo(_with_cost(best, ", not proved"))
            elif as_json and costs_of(solutions):
                known = {"solutions": as_rows(solutions), "proved": True}
            else:
                known = {}
            if known and isinstance(stop, LogicError):
                run.fail(where, stop, **puzzle.to_json(), **known)
                return
            if known and as_json:
                run.print_json(where, puzzle, **known)
            stopped = isinstance(stop, BackendUnavailable | KeyboardInterrupt)
            if not (as_json or solutions or stopped):
                write(puzzle, None)
            raise
        if as_json:
            note: dict[str, object] = {"confirmed": end.confirmed} if end.confirmed else {}
            if costs_of(solutions):
                note["proved"] = True
            if stats:
                note["stats"] = {name: work.stats for name, work in end.work.items()}
                chosen = {name: list(work.chosen) for name, work in end.work.items() if work.chosen}
                note |= {"search": chosen} if chosen else {}
            rows = as_rows(solutions)
            run.print_json(where, puzzle, solutions=rows, seconds=end.seconds, **note)
        elif not solutions:
            write(puzzle, None)
        if not solutions:
            run.no_solution(where, puzzle)
        if end.more:
            say(f"{where}: there are more solutions; -n 0 finds all, -n 1 drops this note")
        if end.confirmed:
            say(f"{where}: {end.confirmed}")
        for name, work in end.work.items():
            say(f"{name}: {work}")
        if timed:
            _print_times(end.seconds, agree=not end.confirmed, puzzle=puzzle)

    look = limit is None and not as_json
    most = 1 if limit is None else limit or None
    ask: Callable[[AnyPuzzle], Iterator[_Part]]
    if stats:
        ask = partial(_measured, engines=engines, timeout=run.timeout)
    else:
        ask = partial(_solve, engines=engines, limit=most, timeout=run.timeout)
        ask = partial(ask, look=look, threads=threads, as_text=not as_json)
    with SolutionPrinter(run.form) as printer:
        write: Callable[[Any, Any], object] = printer.solution
        if run.problem:
            write = _no_answer if run.form == "line" else _nothing
        if not as_json:
            run.unread = partial(write, None, None) if run.problem else printer.unread
        run.each(ask, show)


def _nothing(*_arguments: object) -> None:
    pass


def as_rows(solutions: Iterable[Any]) -> list[Any]:
    """The solutions as JSON: answers, or the rows of grids."""
    return [each.to_json() if isinstance(each, Answer) else each.rows for each in solutions]


def costs_of(solutions: Iterable[Any]) -> tuple[int, ...]:
    """The costs of the best answers; empty if nothing is minimized."""
    return next((getattr(each, "cost", ()) for each in solutions), ())


def error_fields(error: LogicError) -> dict[str, object]:
    """An error as fields of JSON."""
    messages = [each.to_json() for each in error.messages]
    return {"error": message_of(error), **({"messages": messages} if messages else {})}


def not_proved(found: Any) -> dict[str, Any]:
    """The standing of a best answer so far as JSON, with the bound of its costs if one is known."""
    return {"proved": False, **({"bound": list(found.bound)} if found.bound else {})}


def _no_answer(*_arguments: object) -> None:
    """Print an empty line, so that lines pair with instances."""
    echo()


def _with_cost(answer: Answer | Written, remark: str = "") -> str:
    """The answer as facts, and its cost as a comment, in the language of both engines."""
    cost = f"  % cost {cost_text(answer.cost)}{remark}" if answer.cost else ""
    return f"{answer}{cost}"


class _End(NamedTuple):
    """The state of a puzzle once its solutions have been found."""

    seconds: dict[str, float]
    """By engine name."""
    more: bool
    """True if there are more solutions than requested; False if none was looked for."""
    confirmed: str
    """The common knowledge of several engines, if they were compared and some did not finish."""
    work: dict[str, Measurement[Any]]
    """By engine name, if it was measured."""


def _solve(
    puzzle: AnyPuzzle,
    engines: tuple[str, ...],
    limit: int | None,
    timeout: float | None,
    look: bool,
    threads: int,
    as_text: bool = False,
) -> Iterator[_Part]:
    """The solutions, those of a single engine as it finds them, and then an `_End`.

    With `as_text`, the answers of a single engine to an instance are texts.

    With `look`, it looks for one more solution, but only up to 9x9, where that takes no longer
    than the first solution; for larger puzzles it could take long.
    """
    look = look and puzzle.is_quick
    engines = comparable(engines, puzzle)
    more, confirmed = False, ""
    if len(engines) > 1:
        from ..questions.comparison import compare

        those = [engine_for(name, puzzle).with_threads(threads) for name in engines]
        comparison = compare(puzzle, those, limit, timeout)
        comparison.check()
        solutions = sorted(comparison.solutions, key=_order)
        yield from solutions[:limit]
        if not comparison.finished:  # there may be more, as if a single engine had been asked
            raise SolveTimeout(engines[0], timeout or 0.0)
        more, seconds = look and bool(solutions), comparison.timings
        with suppress(LogicError):
            if more and len(solutions) == 1:
                more = api.count(puzzle, comparison.finished[0], 2, timeout, threads) > 1
        confirmed = str(comparison) if comparison.outcome == "confirmed" else ""
    else:
        (engine,) = engines
        start = perf_counter()
        most = None if limit is None else limit + look
        find = api.written if as_text and puzzle.has_atoms else api.solutions
        stream = find(puzzle, engine, most, timeout, threads)
        yield from islice(stream, limit)
        seconds = {engine: perf_counter() - start}
        with suppress(LogicError):
            more = look and next(stream, None) is not None
    yield _End(seconds, more, confirmed, {})


_Part = Grid | Answer | Written | _End
"""A part of an answer."""


def _order(solution: Grid | Answer) -> Any:
    return str(solution) if isinstance(solution, Answer) else solution.digits


def _measured(
    puzzle: AnyPuzzle, engines: tuple[str, ...], timeout: float | None
) -> Iterator[Grid | Answer | _End]:
    """A solution if there is one, and the work of each engine for the one that it found."""
    work: dict[str, Measurement[Any]] = {}
    seconds: dict[str, float] = {}
    for name in comparable(engines, puzzle):
        start = perf_counter()
        work[name] = api.measure(puzzle, name, timeout)
        seconds[name] = perf_counter() - start
    solutions = {name: each.solution for name, each in work.items()}
    grids = [each for each in solutions.values() if isinstance(each, Grid)]
    wrong = not all(grid.is_solution_of(puzzle) for grid in grids)
    if wrong or len({each is None for each in solutions.values()}) > 1:
        raise Disagreement(
            puzzle, {name: int(each is not None) for name, each in solutions.items()}
        )
    yield from (each for each in [next(iter(solutions.values()))] if each is not None)
    yield _End(seconds, False, "", work)


def _print_times(timings: dict[str, float], agree: bool, puzzle: AnyPuzzle) -> None:
    for name, seconds in timings.items():
        engine = engine_for(name, puzzle)
        title = name if engine.engine == name else f"{name} ({engine.engine})"
        say(f"{title} {engine.version()}: {seconds * 1000:.1f} ms")
    if len(timings) > 1 and agree:
        say("Both engines agree." if len(timings) == 2 else f"All {len(timings)} engines agree.")


# --- how the command line starts and ends ---
#
# Answers go to standard output, everything else to standard error. To import click takes as long as
# to solve a puzzle, so the simplest call does without: puzzles to solve and no options.


def main() -> NoReturn:
    """The entry point: every error becomes a message and an exit code."""
    atexit.register(_end_as_stopped)  # the first one that is registered is the last one called
    try:
        with heed_stops():
            _main()
    except KeyboardInterrupt:  # a signal before `_run` could take it, or after
        sys.exit(_stopped())


def _end_as_stopped() -> None:
    """After a signal, end by its exit code.

    Python ends by SIGINT instead if KeyboardInterrupt has passed through exec() of a text, which
    dataclasses call.
    """
    if number := stopped():
        os._exit(128 + number)


def _main() -> NoReturn:
    watch()
    try:
        code = _run()
        sys.stdout.flush()
    except OutputLost as lost:
        number = stopped()
        code = 128 + number if number else lost.code  # a closed terminal takes no output
        if code == lost.code != PIPE_CLOSED:
            with suppress(OutputLost):
                say(f"Error: {lost}")
    if sys.argv[1:2] == ["solve"] and "multiprocessing" not in sys.modules:
        sys.stderr.flush()  # no process or file is left: the system frees the memory, and faster
        os._exit(code if isinstance(code, int) else 1)
    sys.exit(code)


def _run() -> int | str | None:
    """The exit code of the command that the arguments name."""
    try:
        if puzzles := _only_puzzles(sys.argv[1:]):
            run = Run(puzzles)
            solve(run)
            run.end()
        from . import app

        result = app.run()
        return result if isinstance(result, int) else 0
    except SystemExit as ended:
        return ended.code
    except LogicError as error:
        say(f"Error: {message_of(error)}")
        return error.exit_code
    except KeyboardInterrupt:
        return _stopped()


def _only_puzzles(arguments: list[str]) -> tuple[str, ...]:
    """The puzzles and files to solve, if the arguments are only ``solve`` and these; else none."""
    command, *puzzles = arguments or [""]
    options = any(each.startswith("-") and each != "-" for each in puzzles)
    return tuple(puzzles) if command == "solve" and not options else ()


def _stopped() -> int:
    """The exit code after a signal: 128 plus its number."""
    number = stopped() or signal.SIGINT
    say("Interrupted." if number == signal.SIGINT else "Terminated.")
    return 128 + number
