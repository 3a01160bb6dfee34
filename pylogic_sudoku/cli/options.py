"""The options of the commands, each defined once, and the types of their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from functools import partial, wraps
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

from ..engines import is_pattern, matching, program_named, programs
from ..engines.program import matches
from ..engines.registry import BUILT_IN, built_in, spec_of
from ..engines.sudoku import names
from ..errors import BackendUnavailable, InvalidProblem
from ..formats import FORMATS, READ_ONLY
from ..puzzle.cells import Box, checked_box
from ..questions import MAX_THREADS
from ..questions.many import MAX_JOBS
from ..running.workers import LONGEST
from . import Run, message_of
from .output import printing_to, say

T = TypeVar("T")
Option = Callable[[Any], Any]

OF_A_RUN = [field.name for field in fields(Run)]

MAX_WHOLE = 2**31 - 1
"""The largest number that every engine and every system can take."""


# --- the types of values ------------------------------------------------------------------


@contextmanager
def refusing(parameter: Any = None) -> Iterator[None]:
    """A wrong use of the command line, of this option if there is one, for a ValueError."""
    try:
        yield
    except ValueError as error:
        raise click.BadParameter(message_of(error), param=parameter) from None


class Value(click.ParamType):  # type: ignore[type-arg]
    """A parameter that `read` makes from a text; its ValueError names the mistake in the text."""

    def __init__(self, name: str, read: Callable[[Any], Any]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        with refusing(param):
            return self._read(value)


SANDBOX_HELP = "Require a sandbox, or use none."
GRADING_HELP = "auto, require, wasm or off."


def whole(least: int, most: int = MAX_WHOLE) -> Value:
    """A whole number from `least` to `most`."""

    def read(text: Any) -> int:
        with suppress(ValueError):
            if least <= int(text) <= most:
                return int(text)
        raise ValueError(f"{text!r} is not a whole number from {least} to {most}")

    return Value("number", read)


def _seconds(text: Any) -> float:
    with suppress(ValueError):
        if 0 < float(text) <= LONGEST:
            return float(text)
    raise ValueError(f"{text!r} is not a number of seconds over 0 and up to {LONGEST}")


def _box(text: Any) -> Box:
    try:
        rows, columns = map(int, text.lower().split("x"))
    except ValueError:
        expected = "rows x columns, such as 2x3"
        raise ValueError(f"{text!r} is not a box shape; expected {expected}") from None
    return checked_box((rows, columns))


SECONDS = Value("seconds", _seconds)
BOX_SHAPE = Value("RxC", _box)


class BackendName(click.ParamType):  # type: ignore[type-arg]
    """The name of an engine or a program, or one of the `others`."""

    name = "engine"

    def __init__(self, *others: str) -> None:
        self._others = others

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        problem = ctx and ctx.params.get("problem")
        if value not in self._others and self._is_command(value, problem, param, ctx):
            return str(value)
        if problem and value not in self._others:
            if not _is_default(ctx, param):  # of which `_chosen` makes a program that there is
                with refusing(param):
                    _program_of(problem, value)
            return str(value)
        if " -" in value:
            from ..problem.search import split_name  # which other names do without

            with refusing(param):
                base, options = split_name(value)
            if options:
                return self.convert(base, param, ctx) and str(value)
        # A built-in engine reports what it lacks. Looking for others takes 20 ms.
        if ":" not in value:
            if value not in (*BUILT_IN, *self._others) and spec_of(value) is None:
                known = (*names(), *self._others)
                more = [each.name for each in programs() if each.name.endswith(f":{value}")]
                hint = f"; did you mean {' or '.join(more)}?" if more else ""
                if "asp" in self._others:
                    hint = hint or "; `pylogic-sudoku programs` lists the programs"
                self.fail(f"{value!r} is not one of {', '.join(known)}{hint}", param, ctx)
        elif is_pattern(value) and "all" in self._others:
            if not matching(value):
                self.fail(f"no program is called {value}; see: pylogic-sudoku programs", param, ctx)
        else:
            try:
                program_named(value)
            except BackendUnavailable as error:
                self.fail(f"{error.why}. {error.fix}".rstrip(), param, ctx)
        return str(value)

    def _is_command(self, value: str, problem: Any, param: Any, ctx: Any) -> bool:
        """True for a command; fails for one that cannot be read, or that only a folder suggests."""
        if value in BUILT_IN or (":" in value and not value.startswith("exec:")):
            return False
        from ..engines.command.named import command_named  # which other names do without

        try:
            return command_named(value, problem) is not None
        except BackendUnavailable as error:
            self.fail(f"{error.why}\n{error.fix}", param, ctx)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        if problem := ctx.params.get("problem"):
            known = dict.fromkeys((*problem.paths, *_mains(problem)))
            return _completions(incomplete, known, self._others)
        return _completions(
            incomplete,
            names(),
            self._others,
            (each.name for each in programs() if ":" in incomplete),
        )


def _completions(incomplete: str, *names: Iterable[str]) -> list[CompletionItem]:
    """The names that begin like this, for a shell."""
    return [CompletionItem(name) for name in chain(*names) if name.startswith(incomplete)]


def _program_of(problem: Any, name: str) -> None:
    """ValueError if the problem has no such program."""
    if not is_pattern(name):
        problem.path(name)
    elif not any(matches(each, name, problem.name) for each in problem.paths):
        raise ValueError(
            f"{problem.name} has no program {name}; there is {', '.join(problem.paths)}"
        )


Source = click.Path
"""A text that may be the name of a file: the shell offers files."""


class PuzzleSource(Source):
    """A puzzle, or with -p an instance: the shell offers files, and those of the problem."""

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        problem = ctx.params.get("problem")
        instances = _completions(incomplete, problem.instances if problem else ())
        return instances + super().shell_complete(ctx, param, incomplete)


def option(*names: str, default: Any = None, **more: Any) -> Option:
    """An option whose help states the default, if it has one."""
    return click.option(*names, default=default, show_default=default not in (None, ""), **more)


def flag(*names: str, help: str) -> Option:
    """An option without a value."""
    return click.option(*names, is_flag=True, help=help)


def several(*names: str, help: str, **more: Any) -> Option:
    """An option that may be given several times."""
    return click.option(*names, multiple=True, help=help, **more)


def _problem(where: str) -> Any:
    from ..problem.folder import Problem

    return Problem(where)


class ProblemName(Value):
    """The folder of a problem, or the name of a bundled one."""

    def __init__(self) -> None:
        super().__init__("PROBLEM", _problem)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        from ..problem.folder import bundled

        ours = _completions(incomplete, (each.name for each in bundled()))
        return ours + click.Path(file_okay=False).shell_complete(ctx, param, incomplete)


class RuleName(click.ParamType):  # type: ignore[type-arg]
    """The name of a kind of rule, which the command looks up."""

    name = "kind"

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        from ..rules import KINDS

        return _completions(incomplete, sorted(KINDS))


def problem(help: str, **more: Any) -> Option:
    """The option that names a problem."""
    # While other options are read, click has a value of its own for one without a default.
    default = {} if more.get("required") else {"default": None}
    more |= {"type": ProblemName(), "is_eager": True, "help": help}
    return click.option("-p", "--problem", **default, **more)


PROBLEM = problem("Ask another problem about each INSTANCE. `problems --help` says more.")
NO_SUDOKU = problem("Another problem; see `problems --help`.", required=True)
"""For a question that there is about other problems only."""


def _search(text: str) -> tuple[str, tuple[str, ...]]:
    from ..problem.search import split_choice  # which a puzzle does without

    return split_choice(text)


SEARCH = several(
    "--search",
    type=Value("NAME=OPTIONS", _search),
    help="With -p: how an engine or a program searches, such as prolog=ffc,bisect or"
    " clingo=--configuration=handy; may be repeated.",
)


def _constant(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise ValueError(f"{text!r} is not a constant; expected n=8")
    return name, value


CONSTANTS = several(
    *("-c", "--const", "constants"),
    type=Value("NAME=VALUE", _constant),
    metavar="NAME=VALUE",
    help="With -p: the value of a constant, which may be repeated for others.",
)


# --- puzzles ------------------------------------------------------------------------------


def _of_sudokus(context: Any, parameter: Any, value: T) -> T:
    """The value of an option that a problem does not have; UsageError if there is one."""
    if value and context.params.get("problem"):
        raise click.UsageError(
            f"{parameter.opts[0]} is about sudokus, and -p names another problem"
        )
    return value


BOX = option(
    "--box",
    type=BOX_SHAPE,
    callback=_of_sudokus,
    help="Rows and columns of a box, if a text leaves them open.",
)
FROM = option(
    *("--from", "source_format"),
    type=click.Choice([*FORMATS, *READ_ONLY]),
    metavar="FORMAT",
    callback=_of_sudokus,
    help="Format of the input, if detection is wrong.",
)


def _own_rules(context: Any, parameter: Any, files: tuple[str, ...]) -> None:
    if _of_sudokus(context, parameter, files):
        from ..rules.own import define_files

        with refusing(parameter):
            define_files([Path(file) for file in files])


RULE = several(
    "--rule",
    metavar="RULE",
    type=Source(),
    callback=_own_rules,
    expose_value=False,
    help="Your own rule, x.lp or x.pl; may be repeated.",
)


# --- engines ------------------------------------------------------------------------------


def backend(help: str, *others: str) -> Option:
    """The option that chooses the engine."""
    return option(
        *("-b", "--backend"),
        type=BackendName(*others),
        default="clingo",
        callback=lambda context, parameter, value: _chosen(context, parameter, (value,))[0],
        help=help,
    )


def is_given(name: str) -> bool:
    """True if this parameter of the command that runs was given."""
    source = click.get_current_context().get_parameter_source(name)
    return source not in (click.core.ParameterSource.DEFAULT, None)


def _is_default(context: Any, parameter: Any) -> bool:
    source = context.get_parameter_source(parameter.name)
    return bool(source is click.core.ParameterSource.DEFAULT)


def _chosen(context: Any, parameter: Any, values: tuple[str, ...]) -> tuple[str, ...]:
    """The values; by default the first program of the problem, if there is one without clingo."""
    problem = context.params.get("problem")
    default = _is_default(context, parameter)
    if problem and default and values == ("clingo",) and "clingo" not in problem.paths:
        return (next(iter(problem.paths)),)
    return values


def _all_of(context: Any, least: int, values: tuple[str, ...]) -> tuple[str, ...]:
    """The names, each once; ``all`` means every installed engine outside `_EXTRA`.

    If fewer than `least` are, it means every engine, so that a missing one is an error. Of a
    problem, ``all`` is the main program of each engine.
    """
    problem = context.params.get("problem")
    every = partial(_mains, problem) if problem else partial(_installed, least)
    each = chain.from_iterable(every() if name == "all" else (name,) for name in values)
    return tuple(dict.fromkeys(each))


def _mains(problem: Any) -> tuple[str, ...]:
    mains = [name for name in problem.paths if ":" not in name and name not in _EXTRA]
    mains += (name for name in built_in() if BUILT_IN[name].runs_as in {*mains} - {name})
    return tuple(dict.fromkeys(mains))


def _installed(least: int) -> tuple[str, ...]:
    from ..running.prolog import is_installed

    others = tuple(name for name in names() if name != "prolog")
    if is_installed() or len(others) < least:
        return names()
    from ..running.wasm import stands_in

    if stands_in():
        return names()
    say("prolog is not installed, so it is not asked; `pylogic-sudoku doctor` says how to get it")
    return others


def backends(default: str, help: str, least: int = 1) -> Option:
    """The option that chooses one engine or several."""
    return option(
        *("-b", "--backend", "engines"),
        type=BackendName("all"),
        multiple=True,
        default=(default,),
        callback=lambda context, parameter, values: _all_of(
            context, least, _chosen(context, parameter, values)
        ),
        help=help,
    )


_EXTRA = [name for name, each in BUILT_IN.items() if not each.in_all]
"""The engines that ``all`` does without."""
_ONE_OR_ALL = (
    "An engine or a program; may be repeated. all: every installed engine but"
    f" {' and '.join(_EXTRA)}"
)
ENGINES = backends("clingo", f"{_ONE_OR_ALL}. Several must agree.")
BACKENDS = backends("all", f"{_ONE_OR_ALL}; 'prolog:*': every program of Prolog.", least=2)


def timeout(
    help: str = "Time limit for each puzzle and engine.", default: float | None = None
) -> Option:
    """The option that limits the time."""
    return option("-t", "--timeout", type=SECONDS, default=default, help=help)


TIMEOUT = timeout()


def limit(help: str, default: int | None = None) -> Option:
    """The option that limits the solutions of an engine; 0 for all."""
    return option("-n", "--limit", type=whole(0), default=default, help=help)


def processes(help: str) -> Option:
    """The option that shares the work."""
    return option("--jobs", type=whole(1, MAX_JOBS), default=1, help=help)


JOBS = processes("Processes that share the puzzles.")


def _share(text: str) -> Any:
    from ..questions.shares import Share  # which a run without shares does without

    return Share.parse(text)


SHARD = click.option(
    *("--shard", "share"),
    type=Value("K/N", _share),
    metavar="K/N",
    help="Do the K-th of N shares; `merge` merges their output.",
)
_FOR_MERGE = ("form", "log", "reports", "brief", "suggests")
"""Options that are about the result of all shares."""
_OF_WHOLE = ("fail_fast", "smallest", "tries", "record", "csv_file", "pages")
"""Options that are about a run as a whole."""


def check_shard() -> None:
    """UsageError for an option that a share cannot have."""
    context = click.get_current_context()
    for each in context.command.params:
        if each.name in (*_FOR_MERGE, *_OF_WHOLE) and is_given(each.name):
            advice = ": give it to `merge`" if each.name in _FOR_MERGE else ""
            raise click.UsageError(f"{each.opts[0]} does not go with --shard{advice}")


_OUTSIDE = (
    *("share", "output", "jobs", "puzzle", "puzzles", "programs", "problem"),
    *("submissions", "students"),
)
"""Parameters in which shares of a run may differ, or which their items show."""


def question_of_run() -> dict[str, Any]:
    """The options of the running command that all its shares must have in common."""
    from .. import __version__

    context = click.get_current_context()
    known = {
        str(each.name): context.params[each.name]
        for each in context.command.params
        if each.name in context.params and each.name not in (*_OUTSIDE, *_FOR_MERGE, *_OF_WHOLE)
    }
    given = {name: value for name, value in known.items() if value not in (None, (), False)}
    problem = context.params.get("problem")
    named = {"problem": problem.name} if problem else {}
    return {"version": __version__, **named, **given}


THREADS = option(
    "--threads",
    type=whole(1, MAX_THREADS),
    default=1,
    help="Threads of clingo that share the search of a hard puzzle.",
)


# --- output -------------------------------------------------------------------------------

ENDINGS = {
    **{f".{name}": name for name in ("ss", "sdk", "csv", "json", "dzn", "opensudoku")},
    **{".txt": "line", ".sdm": "line", ".lp": "facts", ".pl": "prolog", ".jsonl": "json"},
    **{".cnf": "cnf", ".html": "html", ".xml": "cobertura"},
}
"""The format of a file, by the ending of its name."""


def output_format(*choices: str, default: str | None = "text", help: str) -> Option:
    """The option that chooses the format in which answers are printed.

    Without it the ending of -o FILE chooses, if it is that of one of the formats.
    """

    def chosen(context: Any, parameter: Any, value: str | None) -> str | None:
        # click processes what is given before what is not, so the file is known here.
        source = context.get_parameter_source(parameter.name)
        output = context.params.get("output")
        if source in (click.core.ParameterSource.DEFAULT, None) and output is not None:
            form = ENDINGS.get(Path(output).suffix.lower())
            return form if form in choices else value
        return value

    if many := len(choices) > 2:
        help = f"{help} FORMAT is {', '.join(choices[:-1])} or {choices[-1]}."
    return click.option(
        *("-f", "--format", "form"),
        type=click.Choice(choices),
        default=default,
        show_default=default is not None,
        callback=chosen,
        metavar="FORMAT" if many else None,
        help=help,
    )


def output_file(help: str = "Write the answers to a file.", **more: Any) -> Option:
    """The option that names the file to be written."""
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option("-o", "--output", type=kind, metavar="FILE", help=help, **more)


_PLAIN_TEXT = ("", ".txt", ".log", ".out", ".md")
"""Endings of files that may hold any text; that of a device or a pipe is empty."""


def check_ending(output: Path | None) -> None:
    """BadParameter unless the ending of the file is that of something that the command writes.

    With -f, that option decides, whatever the ending is.
    """
    context = click.get_current_context()
    options = {each.name: each for each in context.command.params}
    source = context.get_parameter_source("form")
    if output is None or (form := output.suffix.lower()) in _PLAIN_TEXT:
        return
    if source not in (click.core.ParameterSource.DEFAULT, None):
        return
    choices = getattr(getattr(options.get("form"), "type", None), "choices", ())
    endings = [each for each, name in ENDINGS.items() if name in choices]
    if context.params.get("share"):
        endings = [".jsonl"]  # a record
    if context.command.name == "program":
        endings = [".pl" if context.params["name"].startswith("prolog") else ".lp"]
    if form not in endings:
        hint = ", or another one with -f" if choices else ""
        hint = "; --json FILE writes a record of each puzzle" if "log" in options else hint
        names = ", ".join(dict.fromkeys((*endings, *_PLAIN_TEXT[1:])))
        raise click.BadParameter(
            f"{output.name!r} should end in one of {names}{hint}", param=options["output"]
        )


def printing(command: Callable[..., T]) -> Callable[..., T]:
    """Add -o FILE: the output of the command is written to the file."""

    @wraps(command)
    def wrapped(*context: Any, output: Path | None, **options: Any) -> T:
        check_ending(output)
        with printing_to(output, *files_read()):
            return command(*context, **options)

    added: Callable[..., T] = output_file()(wrapped)
    return added


def files_read() -> Iterator[str]:
    """The puzzles, files and folders that the running command reads: none may be overwritten."""
    context = click.get_current_context()
    for parameter in context.command.params:
        if isinstance(parameter.type, click.Path) and parameter.name != "output":
            value = context.params.get(parameter.name or "") or ()
            yield from map(str, value if isinstance(value, tuple) else (value,))


def picture(*others: str) -> Option:
    """The option that names the file of a picture; others than pictures may end in `others`."""
    from ..draw import SUFFIXES

    endings = ", ".join((*SUFFIXES, *others))

    def checked(_context: Any, parameter: Any, path: Path | None) -> Path | None:
        if path is not None and path.suffix.lower() not in (*SUFFIXES, *others):
            message = f"{path.name!r} should end in one of {endings}"
            raise click.BadParameter(message, param=parameter)
        return path

    return output_file(
        f"Write the answers to a file; its ending is the format: {endings}.", callback=checked
    )


# --- commands -----------------------------------------------------------------------------


def with_options(*options: Option) -> Option:
    """Add these options, in this order."""

    def decorated(command: Any) -> Any:
        for each in reversed(options):
            command = each(command)
        return command

    return decorated


def on_puzzles(
    *options: Option, required: bool = True
) -> Callable[[Callable[..., None]], Callable[..., NoReturn]]:
    """Add these options, those on reading puzzles, and PUZZLE...; the command gets a `Run`.

    An option that is not a field of `Run` is passed to the command as it is.
    """
    of_problems = PROBLEM in options or NO_SUDOKU in options

    def decorated(command: Callable[..., None]) -> Callable[..., NoReturn]:
        @wraps(command)
        def wrapped(**values: Any) -> NoReturn:
            _check_problem(values, required)
            if of_problems:
                _choose(values)
            run = Run(**{name: values.pop(name) for name in OF_A_RUN if name in values})
            command(run, **values)
            run.end()

        needed = required and not of_problems
        metavar = "PUZZLE..." if required else None
        puzzles = click.argument(
            "puzzle", nargs=-1, required=needed, type=PuzzleSource(), metavar=metavar
        )
        more = (SEARCH, CONSTANTS) if of_problems else ()
        reading = () if NO_SUDOKU in options else (FROM, RULE, BOX)
        all_options = (*options, *more, *reading, puzzles)
        added: Callable[..., NoReturn] = with_options(*all_options)(wrapped)
        return added

    return decorated


def _check_problem(values: dict[str, Any], required: bool) -> None:
    """UsageError if there is neither a puzzle nor a problem, or an option is not about problems."""
    problem = values.get("problem")
    context = click.get_current_context()
    options = {each.name: each for each in context.command.params}
    if required and "problem" in values and not problem and not values["puzzle"]:
        raise click.MissingParameter(ctx=context, param=options["puzzle"])
    if not problem:
        return
    form = values.get("form", "text")
    if form not in ("text", "facts", "line", "lines", "json") and is_given("form"):
        raise click.UsageError(
            f"-f {form} writes sudokus; of a problem, choose facts, line or json"
        )


def _choose(values: dict[str, Any]) -> None:
    """Let the problem have the search and the constants that were given, if there are any."""
    problem, search = values["problem"], values.pop("search")
    values["constants"] = chosen_constants(values["problem"], values["constants"])
    if search and not problem:
        raise click.UsageError("--search goes with -p PROBLEM")
    if search:
        from ..problem.folder import Problem

        choices: dict[str, tuple[str, ...]] = {}
        for name, chosen in search:
            choices[name] = (*choices.get(name, ()), *chosen)
        try:
            values["problem"] = Problem(problem.folder, choices)
        except InvalidProblem as error:
            raise click.UsageError(f"--{error}") from None


def chosen_constants(problem: Any, constants: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The constants by name; UsageError for one that is given twice, or without a problem."""
    if constants and not problem:
        raise click.UsageError("-c goes with -p PROBLEM")
    for name, _ in constants:
        if [each for each, _ in constants].count(name) > 1:
            raise click.UsageError(f"-c {name} is given twice")
    return dict(constants)


class Usage(click.Command):
    """A command whose usage has a line for problems, too, if it takes -p.

    A wrong use shows the line that was meant.
    """

    @property
    def takes_problems(self) -> bool:
        """True if -p turns its PUZZLE into an INSTANCE."""
        names = {each.name for each in self.params}
        return "problem" in names and not names.isdisjoint(("puzzle", "puzzles"))

    @property
    def takes_puzzles(self) -> bool:
        """True unless -p is required."""
        return not any(each.name == "problem" and each.required for each in self.params)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self._write_usage(ctx, formatter, self.takes_puzzles, self.takes_problems)

    def get_usage(self, ctx: click.Context) -> str:
        formatter = ctx.make_formatter()
        meant = self.takes_problems and bool(ctx.params.get("problem") or not self.takes_puzzles)
        self._write_usage(ctx, formatter, of_puzzles=not meant, of_problems=meant)
        return formatter.getvalue().rstrip("\n")

    def _write_usage(
        self,
        ctx: click.Context,
        formatter: click.HelpFormatter,
        of_puzzles: bool,
        of_problems: bool,
    ) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        if of_puzzles:
            formatter.write_usage(ctx.command_path, pieces)
        if of_problems:
            pieces = re.sub(r"\[?PUZZLE\]?", "[INSTANCE]", pieces)
            prefix = " " * len("Usage: ") if of_puzzles else None
            formatter.write_usage(ctx.command_path, f"-p PROBLEM {pieces}", prefix)


class Command(Usage):
    """A command that refuses an option given twice if only one value can count.

    click itself would take the last one and ignore the others without a word.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            _, _, order = self.make_parser(ctx).parse_args(args=list(args))
            for each in dict.fromkeys(order):
                if not isinstance(each, click.Option) or each.multiple or order.count(each) == 1:
                    continue
                if not each.is_flag or each.secondary_opts:  # to repeat a flag is harmless
                    ctx.fail(f"{' / '.join((*each.opts, *each.secondary_opts))} is given twice")
        return super().parse_args(ctx, args)


def command(name: str | None = None, **more: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make such a command of a function; the arguments are those of `click.command`."""
    return click.command(name, cls=Command, **more)


class Group(click.Group):
    """A group of such commands."""

    command_class = Command


class _Unnamed(click.Context):
    """The context of a command that is called by the name of its group."""

    @property
    def command_path(self) -> str:
        return super().command_path.rstrip()


class CommandAndGroup(Group):
    """A group whose command `alone` is meant if the first word is none of the others."""

    def __init__(self, alone: click.Command, metavar: str) -> None:
        """The help is that of all; `metavar` follows the name in the usage."""
        super().__init__(
            alone.name,
            help=alone.help,
            epilog=alone.epilog,
            options_metavar=None,
            subcommand_metavar=metavar,
        )
        self.alone = alone
        alone.context_class = _Unnamed

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = not args or args[0] in (*self.commands, "-h", "--help")
        return super().parse_args(ctx, args if named else ["", *args])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) if cmd_name else self.alone

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        self.alone.format_options(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        completions = super().shell_complete(ctx, incomplete)
        completions += self.alone.shell_complete(ctx, incomplete)
        return completions or self.alone.params[-1].shell_complete(ctx, incomplete)
