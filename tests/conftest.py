"""One test body for every engine: tests ask for `backend` and run once for each.

An engine that is missing fails its tests, it does not skip them: half of this package is the
comparison.
"""

import gc
import importlib
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from helpers.processes import PATIENCE
from helpers.programs import without_warning
from hypothesis import settings

import pylogic_sudoku as pls
from pylogic_sudoku.rules import KINDS

# Their asserts, like those of the tests, say what they found.
pytest.register_assert_rewrite("helpers.command_line", "helpers.mutants", "helpers.oracle")

# A reproduction of a defect runs when it is imported, and one of them forks, which may hang here.
collect_ignore = ["host"]

# A shell that starts the tests in the background has them ignore Ctrl-C, and nohup the end of the
# terminal, and so would the processes that they start; some tests are about just that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


settings.register_profile("quick", deadline=None, max_examples=30)
settings.register_profile("long", deadline=None, max_examples=300)


@pytest.fixture(autouse=True)
def same_limits() -> Iterator[None]:
    """Fail a test that limits the memory of this process: no browser would start any more."""
    if sys.platform == "win32":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    yield
    after = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, before)
    assert after == before


class Everywhere:
    """Fixtures of the examples in docstrings, too, which are not below this folder."""

    @pytest.fixture(autouse=True)
    def same_rules(self) -> Iterator[None]:
        """Forget the kinds of rules that a test defines: some tests go through all kinds."""
        with patch.dict(KINDS):
            yield


def pytest_configure(config: pytest.Config) -> None:
    """Let Hypothesis try fewer examples after each change."""
    config.pluginmanager.register(Everywhere())
    settings.load_profile("quick" if config.getoption("markexpr") == "not slow" else "long")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage, and never look at what is collected again.

    Half a million objects stay to the end of the process. To search them over and over for garbage
    takes nearly as long as to make them.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()  # what is garbage now is freed now, and not after clingo is gone
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow the cases of a test that its mark `one_in` leaves to the long run.

    Of the values along one axis, `one_in(3)` takes those at 0, 3 and so on, and `one_in(3, 1)`
    those at 1, 4 and so on. With two axes, such as kinds and three engines, each kind is taken with
    another engine than its neighbour.
    """
    axes: dict[tuple[str, int], list[str]] = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("one_in"):
            number, place = mark.args[0], -sum(mark.args[1:])
            for axis, value in enumerate(item.callspec._idlist):  # type: ignore[attr-defined]
                values = axes[item.nodeid.partition("[")[0], axis]
                if value not in values:
                    values.append(value)
                place += values.index(value)
            if place % number:
                item.add_marker("slow")


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One process more than there are processors: a test that waits leaves its own to another."""
    return 1 + (yield)


@pytest.fixture(params=["clingo", "prolog", "sat"])
def backend(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def own_engine(backend: str) -> pls.SudokuEngine:
    """A backend object of the test's own, which shares nothing with others but the process."""
    from pylogic_sudoku.engines.sudoku import get

    return type(get(backend))()


class Clock:
    """The clock of the engines' time limits, which goes on only as a test says.

    Once `over` is True, every search under way is out of time, and so is each that begins.
    """

    now = 0.0
    over = False

    def __call__(self) -> float:
        self.now += 1e9 * self.over  # at each look, since a limit counts from the look before
        return self.now


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("pylogic_sudoku.running.workers.perf_counter", clock)
    return clock


@pytest.fixture
def command(monkeypatch, capsys) -> Iterator[Callable[..., tuple[object, str, str]]]:
    """Runs the command line in this process: exit code, standard output, standard error."""
    from pylogic_sudoku.__main__ import main
    from pylogic_sudoku.running.workers import STOPS

    handlers = {number: signal.getsignal(number) for number in STOPS}

    def called(*arguments: object) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["pylogic-sudoku", *map(str, arguments)])
        monkeypatch.setattr(os, "_exit", sys.exit)  # or the tests would end, too
        with pytest.raises(SystemExit) as ended:
            main()
        output, errors = capsys.readouterr()
        return ended.value.code, output, without_warning(errors)

    yield called
    for number, handler in handlers.items():
        signal.signal(number, handler)  # the command may have changed what Ctrl-C does


# --- for the tests of the page in a browser ----------------------------------------------

CHROMIUM = """--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync
    --disable-background-networking --disable-component-update"""


@pytest.fixture(scope="session")
def client():
    """The JSON API in this process."""
    from starlette.testclient import TestClient

    from pylogic_sudoku.page.app import Door, make_app

    app = make_app(PATIENCE, Door(frozenset({"localhost", "127.0.0.1"})))
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        yield client


@pytest.fixture(scope="session")
def strangers():
    """The JSON API of a server that runs everybody's programs."""
    from starlette.testclient import TestClient

    from pylogic_sudoku.page.app import make_app

    with TestClient(make_app(PATIENCE, programs_of="everybody")) as client:
        yield client


@pytest.fixture(scope="module")
def browser():
    from helpers.programs import needed
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE)
    program = needed("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM.split())
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address():
    from helpers.serving import served

    with served("--timeout", str(PATIENCE)) as (address, _):
        yield address


@pytest.fixture(scope="session")
def playground(tmp_path_factory) -> Path:
    """The folder of the playground, built once for all processes of the tests."""
    from helpers.playground import built

    base = tmp_path_factory.getbasetemp()
    return built(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture
def playground_script():
    """scripts/playground.py as a module."""
    return importlib.import_module("playground")


@pytest.fixture(scope="module")
def playground_address(playground) -> Iterator[str]:
    """The playground on a server; a module whose `address` this is has `visit` open it."""
    from helpers.playground import hosted

    with hosted(playground) as (address, _):
        yield address


@pytest.fixture
def visit(browser, address):
    """Open the page, with a puzzle, as somebody new; whatever happens, nothing may go wrong."""
    from helpers.puzzles import PRINTED

    contexts, wrong = [], []

    def said(message):
        # What the server refuses shows there too, though the page expects it.
        if message.type == "error" and "status of 422" not in message.text:
            wrong.append(message.text)

    def asked(request):
        if not request.url.startswith(address):
            wrong.append(request.url)

    def opened(line=list(PRINTED)[-1], box="3x3", **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", said)
        page.on("pageerror", lambda error: wrong.append(error))
        page.on("request", asked)
        page.goto(f"{address}#{box},{line}")
        page.wait_for_selector("main:not([aria-busy])")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


# --- for the tests of the grader ---------------------------------------------------------


@pytest.fixture(scope="module")
def exercise(tmp_path_factory) -> Path:
    from helpers.grading import PUZZLES
    from helpers.puzzles import COUNTS

    from pylogic_sudoku.check import Exercise

    folder = tmp_path_factory.mktemp("exercise")
    made = Exercise(folder)
    for puzzle in PUZZLES:
        made.add(puzzle, f"a puzzle with {COUNTS.get(puzzle, 1)} solutions")
    return folder


@pytest.fixture
def patient(monkeypatch) -> None:
    """A program with wrong answers goes on to its end, so that they can be counted."""
    from helpers.grading import set_grace

    set_grace(monkeypatch, PATIENCE)


@pytest.fixture
def unhurried(monkeypatch) -> None:
    """An explanation goes on to its end, however busy the machine is."""
    from pylogic_sudoku.check import grading

    for limit in ("SECONDS", "LOOP_SECONDS"):
        monkeypatch.setattr(grading, limit, PATIENCE)


@pytest.fixture
def write_program(tmp_path) -> Callable[..., Path]:
    def write(text: str, name: str = "my.lp") -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return write
