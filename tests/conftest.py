"""One test body for every engine: tests ask for `backend` and run once for each.

An engine that is missing fails its tests, it does not skip them: half of this package is the
comparison.
"""

import signal

import pytest

import pylogic_sudoku as pls

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would the
# processes that they start; some tests are about just that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=["clingo", "prolog"])
def backend(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def engine(backend: str) -> pls.Backend:
    """A backend object of the test's own, which shares nothing with others but the process."""
    from pylogic_sudoku.backends import get

    return type(get(backend))()
