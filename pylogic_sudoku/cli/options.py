"""The options of the commands, each defined once, and the types of their values."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..engines import BUILT_IN, names
from ..engines.running import LONGEST
from ..errors import BackendUnavailable, InvalidPuzzle
from ..formats import FORMATS, READ_ONLY
from ..puzzle.cells import Box, checked_box
from ..questions import MAX_THREADS
from ..questions.many import MAX_JOBS
from . import Run

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


Option = Callable[[Any], Any]

MAX_WHOLE = 2**31 - 1
"""The largest number that every engine and every system can take."""


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number from `least` to `most`."""

    name = "number"

    def __init__(self, least: int, most: int = MAX_WHOLE) -> None:
        self.least = least
        self.most = most

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        with suppress(ValueError):
            if self.least <= int(value) <= self.most:
                return int(value)
        self.fail(f"{value!r} is not a whole number from {self.least} to {self.most}", param, ctx)


class Seconds(click.ParamType):  # type: ignore[type-arg]
    """A time limit that an engine can be given."""

    name = "seconds"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        with suppress(ValueError):
            if 0 < float(value) <= LONGEST:
                return float(value)
        self.fail(f"{value!r} is not a number of seconds over 0 and up to {LONGEST}", param, ctx)


class BoxShape(click.ParamType):  # type: ignore[type-arg]
    """Rows and columns of a box, such as 2x3."""

    name = "RxC"

    def convert(self, value: Any, param: Any, ctx: Any) -> Box:
        try:
            rows, columns = map(int, str(value).lower().split("x"))
        except ValueError:
            self.fail(
                f"{value!r} is not a box shape; expected rows x columns, such as 2x3", param, ctx
            )
        try:
            return checked_box((rows, columns))
        except InvalidPuzzle as error:
            self.fail(str(error), param, ctx)


class BackendName(click.ParamType):  # type: ignore[type-arg]
    """The name of an engine, or one of the `others`."""

    name = "engine"

    def __init__(self, *others: str) -> None:
        self._others = others

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        # Of a built-in one, the engine says what it lacks. To look for others takes 20 ms.
        if ":" in str(value):
            self._check_program(str(value), param, ctx)
        elif value not in BUILT_IN and value not in (known := (*names(), *self._others)):
            self.fail(f"{value!r} is not one of {', '.join(known)}", param, ctx)
        return str(value)

    def _check_program(self, name: str, param: Any, ctx: Any) -> None:
        from ..engines import is_pattern, matching, program_named

        if is_pattern(name) and "all" in self._others:
            if not matching(name):
                self.fail(f"no program is called {name}; see: pylogic-sudoku programs", param, ctx)
            return
        try:
            program_named(name)
        except BackendUnavailable as error:
            self.fail(f"{error.why}. {error.fix}".rstrip(), param, ctx)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        known = [*names(), *self._others]
        if ":" in incomplete:
            from ..engines import programs

            known += [each.name for each in programs()]
        return [CompletionItem(name) for name in known if name.startswith(incomplete)]


class Source(click.ParamType):  # type: ignore[type-arg]
    """A puzzle, or a file with puzzles: the shell offers files."""

    name = "text"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        return str(value)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


# --- puzzles ------------------------------------------------------------------------------

BOX = click.option(
    "--box", type=BoxShape(), help="Box shape, if the text leaves it open (6x6, 8x8, ...)."
)
FROM = click.option(
    "--from",
    "source_format",
    type=click.Choice([*FORMATS, *READ_ONLY]),
    metavar="FORMAT",
    help="Format of the input, if detection is wrong.",
)


def _own_rules(_context: Any, parameter: Any, files: tuple[Path, ...]) -> tuple[Path, ...]:
    if files:
        from ..rules.own import define_files

        try:
            define_files(list(files))
        except InvalidPuzzle as error:
            raise click.BadParameter(str(error), param=parameter) from None
    return files


RULE = click.option(
    "--rule",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    callback=_own_rules,
    expose_value=False,
    is_eager=True,
    metavar="FILE",
    help="A rule of your own, named as its files x.lp and x.pl; may be repeated.",
)
PUZZLES = click.argument("puzzle", nargs=-1, required=True, type=Source())


# --- engines ------------------------------------------------------------------------------


def backend(help: str, *others: str) -> Option:
    """The option that chooses the engine."""
    return click.option(
        *("-b", "--backend"),
        type=BackendName(*others),
        default="clingo",
        show_default=True,
        help=help,
    )


def _all_of(_context: Any, _parameter: Any, values: tuple[str, ...]) -> tuple[str, ...]:
    return names() if "all" in values else tuple(dict.fromkeys(values))


BACKENDS = click.option(
    *("-b", "--backend", "engines"),
    type=BackendName("all"),
    multiple=True,
    default=("all",),
    show_default=True,
    callback=_all_of,
    help="An engine or a program; can be repeated. all: every engine that is installed;"
    " 'prolog:*': every program of Prolog.",
)


def timeout(
    help: str = "Time limit for each puzzle and engine.", default: float | None = None
) -> Option:
    """The option that limits the time."""
    return click.option(
        *("-t", "--timeout"),
        type=Seconds(),
        default=default,
        show_default=default is not None,
        metavar="SECONDS",
        help=help,
    )


TIMEOUT = timeout()


def limit(help: str, default: int | None = None) -> Option:
    """The option that limits how many solutions an engine is asked for; 0 for all."""
    return click.option(
        *("-n", "--limit"),
        type=Whole(0),
        default=default,
        show_default=default is not None,
        metavar="NUMBER",
        help=help,
    )


JOBS = click.option(
    "--jobs",
    type=Whole(1, MAX_JOBS),
    default=1,
    show_default=True,
    help="Processes that share the puzzles.",
)
THREADS = click.option(
    "--threads",
    type=Whole(1, MAX_THREADS),
    default=1,
    show_default=True,
    help="Threads of clingo that share the search of a hard puzzle.",
)


def on_puzzles(command: Callable[..., NoReturn]) -> Callable[..., Any]:
    """Add the arguments that choose puzzles and engines; the command gets them as a `Run`."""

    @wraps(command)
    def wrapped(
        puzzle: tuple[str, ...],
        source_format: str | None,
        box: Box | None,
        backend: str,
        timeout: float | None,
        jobs: int,
        threads: int,
        form: str,
        **options: Any,
    ) -> NoReturn:
        engines = names() if backend == "all" else (backend,)
        run = Run(puzzle, source_format, box, form, engines, timeout, jobs, threads)
        command(run, **options)

    engine = backend(
        "clingo, prolog, sat, or all: ask all that are installed; fail if they differ.", "all"
    )
    decorated: Callable[..., Any] = wrapped
    for option in (THREADS, JOBS, BOX, RULE, FROM, TIMEOUT, engine, PUZZLES):
        decorated = option(decorated)
    return decorated


# --- output -------------------------------------------------------------------------------


def output_format(*choices: str, default: str | None = "text", help: str) -> Option:
    """The option that chooses the format in which answers are printed."""
    if many := len(choices) > 5:
        help = f"{help} FORMAT is {', '.join(choices[:-1])} or {choices[-1]}."
    return click.option(
        *("-f", "--format", "form"),
        type=click.Choice(choices),
        default=default,
        show_default=default is not None,
        metavar="FORMAT" if many else None,
        help=help,
    )


def _output(help: str, **more: Any) -> Option:
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option("-o", "--output", type=kind, metavar="FILE", help=help, **more)


OUTPUT = _output("Write to a file; without it, to standard output.")


def picture() -> Option:
    """The option that names the file of a picture."""
    from ..draw import SUFFIXES

    endings = ", ".join(SUFFIXES)

    def checked(_context: Any, parameter: Any, path: Path | None) -> Path | None:
        if path is not None and path.suffix.lower() not in SUFFIXES:
            message = f"{path.name!r} should end in one of {endings}"
            raise click.BadParameter(message, param=parameter)
        return path

    return _output(f"Write to a file; its ending is the format: {endings}.", callback=checked)
