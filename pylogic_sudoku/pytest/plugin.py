"""The pytest plugin: its options, its mark, its fixtures.

pytest loads this module in every project, so it imports next to nothing of the package. A test with
the mark ``logic``, the option ``--logic`` or the fixture `logic_snapshot` loads the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .stash import FOLDER, FOLDERS, OUTPUT, folders, narrowed, roots, told

if TYPE_CHECKING:
    from .snapshots import Snapshot

MARK = (
    "logic(folder, *, instances=None, programs=None, limit=50, timeout=None): the test is about"
    " the programs in a folder. Its parameter 'instance' takes each instance of the folder,"
    " 'engine' each engine that the folder has a program for, 'program' each program."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("logic", "logic programs")
    group.addoption(
        "--logic",
        action="store_true",
        help="collect folders with programs and instances, too: one test for each instance and"
        " each pair of programs",
    )
    group.addoption(
        "--logic-timeout",
        type=_seconds,
        metavar="SECONDS",
        help="time limit of each program, unless the mark 'logic' has one",
    )
    group.addoption(
        "--logic-missing",
        choices=("fail", "skip"),
        default="fail",
        help="what a test does whose engine is not installed: fail (the default), or skip",
    )
    group.addoption(
        "--logic-update",
        action="store_true",
        help="write the snapshots of logic_snapshot, and remove those that no test uses",
    )

    group.addoption(
        "--logic-cov",
        action="append",
        nargs="?",
        const="",
        metavar="FOLDER",
        help="at the end, list the lines of logic programs that no instance notices: those of the"
        " folders of the tests, or of FOLDER, which may be repeated",
    )
    group.addoption(
        "--logic-mutants",
        type=_number,
        nargs="?",
        const=100,
        metavar="NUMBER",
        help="at the end, try small changes of these programs: 100 of each folder, or NUMBER; 0 is"
        " all",
    )


def _number(text: str) -> int:
    from argparse import ArgumentTypeError

    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"{text!r} is not a number of mutants; expected 100")
    return int(text)


def _seconds(text: str) -> float:
    from argparse import ArgumentTypeError

    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise ArgumentTypeError(f"{text!r} is not a time limit; expected seconds over 0: 10")
    return seconds


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARK)
    config.stash[told] = {}
    roots.append(config.rootpath)


def pytest_unconfigure() -> None:
    del roots[-1:]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if mark := metafunc.definition.get_closest_marker("logic"):
        from .marks import parametrize

        parametrize(metafunc, mark)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Keep pytest from snapshots: it takes each ``test*.txt`` for a doctest."""
    return True if collection_path.name == FOLDER else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix not in (".lp", ".pl") or not parent.config.option.logic:
        return None
    from .folders import collected

    return collected(file_path, parent)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Watch tests without the mark, too, if one of them can call `agree` or `holds`."""
    if _measures(session.config):
        from .measuring import note

        note(session)
    if "pylogic_sudoku.pytest.agreement" in sys.modules:
        from .marks import start

        start(session.config)
    if any((folder / FOLDER).is_dir() for folder in {each.path.parent for each in session.items}):
        from .snapshots import keeper_of

        keeper_of(session)


def _measures(config: pytest.Config) -> bool:
    """True if something is to be measured at the end."""
    return config.option.logic_cov is not None or config.option.logic_mutants is not None


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Measure in the first process, once all tests have run."""
    if _measures(session.config) and not hasattr(session.config, "workeroutput"):
        from .measuring import measure

        measure(session.config, exitstatus)


def pytest_deselected(items: list[pytest.Item]) -> None:
    for item in items[:1]:
        item.config.stash[narrowed] = True


@pytest.fixture
def logic_snapshot(request: pytest.FixtureRequest) -> Snapshot:
    """Compare a value with the one that is stored beside the test: ``logic_snapshot(value)``.

    ``pytest --logic-update`` stores it.
    """
    from .snapshots import of_test

    return of_test(request)


@pytest.fixture
def logic_timeout(request: pytest.FixtureRequest) -> float | None:
    """The time limit of the mark ``logic``, or that of ``--logic-timeout``, in seconds; or None."""
    mark = request.node.get_closest_marker("logic")
    seconds: float | None = mark.kwargs.get("timeout") if mark else None
    if seconds is None:
        seconds = request.config.option.logic_timeout
    return seconds


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Take over what a process of xdist has to tell."""
    output = getattr(node, "workeroutput", {})
    node.config.stash.setdefault(folders, set()).update(output.get(FOLDERS, ()))
    given = output.get(OUTPUT, {})
    for fate, names in given.items():
        node.config.stash[told].setdefault(fate, []).extend(names)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    for line in _summary(config, exitstatus):
        terminalreporter.write_line(line)
    if _measures(config):
        from .measuring import report

        report(terminalreporter, config)


def _summary(config: pytest.Config, exitstatus: int) -> Iterator[str]:
    if fates := config.stash[told]:
        from .snapshots import summary

        yield from summary(fates)
    if config.option.logic and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        from .folders import nothing_found

        yield from nothing_found(config)
