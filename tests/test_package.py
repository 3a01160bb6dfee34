"""What the package as a whole promises."""

from __future__ import annotations

import inspect
from importlib.metadata import version

import pytest
from fakes import Liar
from processes import run

import pylogic_sudoku as pls
from pylogic_sudoku import errors


def test_import_loads_no_engine_and_nothing_slow():
    slow = {"clingo", "janus_swi", "click", "rich", "urllib.request", "multiprocessing", "asyncio"}
    ended = run(f"print(sorted({slow!r} & set(sys.modules)))")
    assert (ended.stdout, ended.stderr) == ("[]\n", "")


def test_exported_names():
    assert sorted(pls.__all__) == list(pls.__all__)
    assert all(hasattr(pls, name) for name in pls.__all__)
    assert set(errors.__all__) <= set(pls.__all__)
    for name in pls.__all__:
        if inspect.isclass(getattr(pls, name)) or inspect.isfunction(getattr(pls, name)):
            assert inspect.getdoc(getattr(pls, name)), name


def test_version():
    assert pls.__version__ == version("pylogic-sudoku")
    with pytest.raises(AttributeError, match="no_such_name"):
        pls.no_such_name  # noqa: B018


def test_error_tree():
    for name in errors.__all__:
        assert issubclass(getattr(pls, name), pls.SudokuError)
    assert issubclass(pls.InvalidPuzzle, ValueError)
    assert issubclass(pls.SolveTimeout, TimeoutError)
    assert not issubclass(pls.BackendUnavailable, ValueError)


def test_backends_tells_what_is_here():
    clingo, prolog = pls.backends()[:2]
    assert (clingo.name, clingo.engine, clingo.available) == ("clingo", "clingo", True)
    assert (prolog.name, prolog.engine, prolog.available) == ("prolog", "SWI-Prolog", True)
    assert all(info.version and info.why is None and info.cure is None for info in (clingo, prolog))


def test_unknown_backend_names_the_known_ones():
    with pytest.raises(pls.BackendUnavailable, match=r"'foo'.*\n.*clingo, prolog"):
        pls.solve("1", backend="foo")


def test_comparison_of_agreeing_engines():
    comparison = pls.compare("1..4............")
    assert comparison.agree
    assert len(comparison.solutions) == 24
    assert set(comparison.timings) == {"clingo", "prolog"}
    assert all(answer.complete for answer in comparison.answers.values())
    comparison.check()


def test_comparison_under_a_limit_checks_instead_of_expecting():
    comparison = pls.compare("1..4............", limit=3)
    assert comparison.agree
    assert all(len(answer.solutions) == 3 for answer in comparison.answers.values())


PUZZLE = "12..34......4321"
RIGHT = ["1234341221434321", "1243341221344321"]
WRONG = "1243341221434321"


@pytest.mark.parametrize("limit", [None, 2])
@pytest.mark.parametrize(
    ("answers", "clingo_rejects", "liar_rejects"),
    [
        pytest.param(RIGHT, [], [], id="all right"),
        pytest.param(RIGHT[:1], [], RIGHT[1:], id="one missing"),
        pytest.param([], [], RIGHT, id="none found"),
        pytest.param([RIGHT[0], WRONG], [WRONG], [RIGHT[1]], id="one wrong"),
    ],
)
def test_comparison_names_the_grids_that_differ(limit, answers, clingo_rejects, liar_rejects):
    comparison = pls.compare(PUZZLE, ("clingo", Liar(answers)), limit)
    assert {name: sorted(map(str, grids)) for name, grids in comparison.rejected.items()} == {
        "clingo": clingo_rejects,
        "liar": liar_rejects,
    }
    assert comparison.agree is (answers == RIGHT)
    if answers != RIGHT:
        with pytest.raises(pls.Disagreement, match=PUZZLE.replace(".", r"\.")):
            comparison.check()
