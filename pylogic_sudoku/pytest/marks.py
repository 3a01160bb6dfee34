"""The mark ``logic``: the values of a test's parameters, and its limits while it runs."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Any, NamedTuple

import pytest

from ..engines.command.named import is_command
from ..errors import (
    BackendUnavailable,
    InvalidProblem,
    LogicError,
    SolveTimeout,
    choice,
    listed,
    shown,
)
from ..problem import Instance
from ..problem.folder import Problem
from ..problem.search import split_name
from . import agreement
from .agreement import LIMIT, Limits, Running, located, named_problem

__all__ = ["Later", "Marked", "Runner", "diff_of", "option_limits", "parametrize"]
__all__ += ["skip_if_missing", "start"]

ARGUMENTS = ("instances", "programs", "limit", "timeout")
PARAMETERS = ("instance", "engine", "program")
EXAMPLE = "@pytest.mark.logic('talks')"
PACKAGE = str(Path(__file__).parents[1])

_known = pytest.StashKey[dict[object, "Marked"]]()


class WrongMark(Exception):
    """A mark that cannot be used."""


class Later:
    """An instance of a folder, which is read when its test begins."""

    def __init__(self, instances: Mapping[str, Instance], name: str) -> None:
        self._instances = instances
        self._name = name
        self._read: Instance | None = None

    def read(self) -> None:
        """Read the instance; a test fails if that is not possible."""
        try:
            self._read = self._instances[self._name]
            return
        except LogicError as error:
            message = str(error)
        pytest.fail(message, pytrace=False)

    def take(self) -> Instance:
        """The instance, which is no longer kept here: there may be many large ones."""
        if self._read is None:
            self.read()
        found, self._read = self._read, None
        assert found is not None
        return found

    def __repr__(self) -> str:
        return f"<instance {self._name}>"


class Marked(NamedTuple):
    """The meaning of a mark."""

    problem: Problem
    instances: Mapping[str, Instance]
    names: tuple[str, ...]
    """The names of the instances."""
    programs: tuple[str, ...]
    limits: Limits

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines that have a main program in the folder."""
        return tuple(name for name in self.programs if ":" not in name)


def parametrize(metafunc: pytest.Metafunc, mark: pytest.Mark) -> None:
    """Give the parameters of a test that has the mark their values.

    A fixture of the same name counts instead, and so does a parametrization of the test's own.
    """
    test = metafunc.definition
    marked = _checked(test, mark)
    start(test.config)
    given = {
        name
        for each in test.iter_markers("parametrize")
        for name in _argument_names(each.args[0] if each.args else each.kwargs.get("argnames", ""))
    }
    # pytest has no public way to ask whether a name has a fixture for this test.
    fixtures = getattr(metafunc, "_arg2fixturedefs", {})
    for name in PARAMETERS:
        if name in metafunc.fixturenames and name not in given and name not in fixtures:
            values, ids = _values(marked, name)
            if not values:
                pytest.fail(f"{test.nodeid}: {_without(marked, name)}", pytrace=False)
            metafunc.parametrize(name, values, ids=ids)


def _argument_names(names: Any) -> Iterable[str]:
    return map(str.strip, names.split(",")) if isinstance(names, str) else names


def _values(marked: Marked, name: str) -> tuple[Sequence[object], Sequence[str]]:
    """The values of a parameter, and their ids."""
    if name == "instance":
        return [Later(marked.instances, each) for each in marked.names], marked.names
    values = marked.engines if name == "engine" else marked.programs
    return values, values


def _without(marked: Marked, name: str) -> str:
    """The reason why a parameter has no value, and a remedy."""
    folder = marked.problem.folder
    if name == "instance":
        return f"{folder} has no instances; write their facts into {folder / 'instances'}/NAME.lp"
    programs = listed(marked.programs)
    return f"no engine has a main program in {folder}, just {programs}; use the parameter 'program'"


def _checked(test: pytest.Item, mark: pytest.Mark) -> Marked:
    """The meaning of a mark; the collection of its file fails if it is wrong."""
    try:
        return marked_by(test, mark)
    except (WrongMark, LogicError) as error:
        message = f"{test.nodeid}: @pytest.mark.logic: {error}"
    pytest.fail(message, pytrace=False)


def marked_by(test: pytest.Item, mark: pytest.Mark) -> Marked:
    """The meaning of a mark; WrongMark or InvalidProblem if it has none."""
    for name in mark.kwargs:
        if name not in (*ARGUMENTS, "folder"):
            raise WrongMark(f"there is no argument {name!r}; {choice(name, ARGUMENTS)}")
    named = {"folder": mark.args[0]} if mark.args else {}
    if len(mark.args) > 1 or (mark.args and "folder" in mark.kwargs):
        raise WrongMark(f"it takes one folder, not {shown(mark.args)}; expected {EXAMPLE}")
    arguments = {**mark.kwargs, **named}
    folder = arguments.pop("folder", None)
    if not isinstance(folder, str | Path):
        got = "none" if folder is None else shown(folder)
        raise WrongMark(f"it takes a folder, and has {got}; expected {EXAMPLE}")
    known = test.config.stash.setdefault(_known, {})
    key = test.path.parent, folder, repr(sorted(arguments.items()))
    if key not in known:
        known[key] = _read(test, folder, **arguments)
    return known[key]


def _read(
    test: pytest.Item,
    folder: str | Path,
    instances: object = None,
    programs: object = None,
    limit: object = LIMIT,
    timeout: object = None,
) -> Marked:
    """The problem in a folder, and the chosen ones of its instances and programs."""
    problem = _problem(test, folder)
    there = problem.instances
    limits = option_limits(test.config)._replace(limit=_limit(limit))
    if timeout is not None:
        limits = limits._replace(timeout=_timeout(timeout), source="the mark 'logic'")
    wanted = chosen(programs, tuple(problem.paths), "program", problem)
    if programs is not None:
        limits = limits._replace(programs=wanted)
    return Marked(
        problem, there, chosen(instances, tuple(there), "instance", problem), wanted, limits
    )


def _problem(test: pytest.Item, folder: str | Path) -> Problem:
    """The problem that the mark of a test names."""
    try:
        return named_problem(folder, test.path.parent)
    except InvalidProblem as error:
        raise WrongMark(str(error)) from None


def chosen(given: object, known: tuple[str, ...], kind: str, problem: Problem) -> tuple[str, ...]:
    """The names that are given, where ``*`` stands for any text; all without any.

    A program may have options behind its name, or be a command.
    """
    if given is None:
        return known
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, list | tuple) or not all(isinstance(each, str) for each in names):
        raise WrongMark(f"{kind}s is {shown(given)}; expected a list of names")
    found: dict[str, None] = {}
    for name in names:
        fits = [each for each in known if fnmatchcase(each, name)]
        if kind == "program" and (is_command(name) or split_name(name)[0] in known):
            fits = [name]
        if not fits:
            there = listed(known) or "none"
            raise WrongMark(f"{problem.name} has no {kind} {name!r}; there is {there}")
        found |= dict.fromkeys(fits)
    return tuple(found)


def _limit(value: object) -> int | None:
    if value is None or (isinstance(value, int) and value > 0 and not isinstance(value, bool)):
        return value
    raise WrongMark(f"limit is {shown(value)}; expected a number of answers from 1, or None")


def _timeout(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
        return float(value)
    raise WrongMark(f"timeout is {shown(value)}; expected seconds over 0")


def option_limits(config: pytest.Config) -> Limits:
    """The limits of tests whose mark has none."""
    timeout = config.option.logic_timeout
    return Limits(timeout=timeout, source="--logic-timeout" if timeout else "")


# --- while tests run ---


def start(config: pytest.Config) -> None:
    """Have the tests with the mark watched from now on."""
    if not config.pluginmanager.has_plugin("logic-runner"):
        config.pluginmanager.register(Runner(), "logic-runner")


class Runner:
    """The hooks that run the tests with the mark."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Set the limits of the test."""
        Running.failed, Running.limits = None, option_limits(item.config)
        if (mark := item.get_closest_marker("logic")) and isinstance(item, pytest.Function):
            with suppress(WrongMark, LogicError):  # a test of unittest, whose mark nothing has read
                Running.limits = marked_by(item, mark).limits
        try:
            return (yield)
        finally:
            Running.limits, Running.failed = Limits(), None

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Read the instance of a test that runs.

        A failure while pytest makes the parameter would leave that half made for the next test.
        """
        for value in getattr(getattr(item, "callspec", None), "params", {}).values():
            if isinstance(value, Later):
                value.read()

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(self, request: pytest.FixtureRequest) -> None:
        """Give a test its instance."""
        if isinstance(later := getattr(request, "param", None), Later):
            request.param = later.take()

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, object, object]:
        """Add the details of a false verdict to a failure; hide our own frames in an error."""
        try:
            return (yield)
        except LogicError as error:
            skip_if_missing(pyfuncitem, error)
            if pyfuncitem.get_closest_marker("logic") or _asked_by_us(error.__traceback__):
                _hide_ours(error.__traceback__)
                error.__cause__, error.__suppress_context__ = None, True
            if isinstance(error, SolveTimeout) and error.seconds == Running.limits.timeout:
                _note_once(error)
            raise
        except AssertionError as error:
            failed = Running.failed
            if failed is not None and (repr(failed) in str(error) or not str(error)):
                error.add_note("\n".join(failed.lines(diff_of(pyfuncitem))))
            raise


def skip_if_missing(item: pytest.Item, error: LogicError) -> None:
    """Skip a test whose engine is not installed, if ``--logic-missing skip`` is given."""
    if isinstance(error, BackendUnavailable) and item.config.option.logic_missing == "skip":
        pytest.skip(str(error))


def _note_once(error: SolveTimeout) -> None:
    if not getattr(error, "__notes__", ()):
        located(error, Running.limits)


def _asked_by_us(traceback: TracebackType | None) -> bool:
    """True if `agree` or `holds` has asked what an engine could not answer."""
    codes = (frame.f_code for frame, _ in walk_tb(traceback))
    return any(code.co_filename == agreement.__file__ for code in codes)


def _hide_ours(traceback: TracebackType | None) -> None:
    """End a traceback where it enters this package; its first frame is that of the hook."""
    while traceback and (inner := traceback.tb_next):
        if inner.tb_frame.f_code.co_filename.startswith(PACKAGE):
            traceback.tb_next = None
        traceback = traceback.tb_next


def diff_of(item: pytest.Item) -> Callable[[object, object], list[str]]:
    """A function of two sets: the lines by which pytest shows how they differ."""

    def lines(left: object, right: object) -> list[str]:
        found = item.ihook.pytest_assertrepr_compare(
            config=item.config, op="==", left=left, right=right
        )
        return next(filter(None, found), [])

    return lines
