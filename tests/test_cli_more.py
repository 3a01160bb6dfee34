"""`solve` shows one solution and says if there are more."""

from __future__ import annotations

import pytest
from helpers.command_line import FOUR, invoke
from helpers.puzzles import EMPTY, PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku.commands.solve import _solve

UNIQUE = next(iter(PRINTED))
NOTE = "there are more solutions; -n 0 finds all, -q drops this note\n"


def solve(*arguments: str):
    return invoke("solve", *arguments)


@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_solve_says_that_there_are_more_solutions(backend, jobs):
    done = solve("-b", backend, "-f", "line", "--jobs", jobs, FOUR, UNIQUE, EMPTY)
    assert (done.exit_code, done.stdout.count("\n")) == (0, 3)
    assert done.stderr == f"puzzle 1: {NOTE}puzzle 3: {NOTE}"


@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
@pytest.mark.parametrize(
    "arguments",
    [["-q"], ["--quiet"], ["-n", "1"], ["-n", "2"], ["-f", "json"], ["--box", "2x5", "." * 100]],
)
def test_solve_says_nothing_where_nobody_wants_to_know(backend, arguments):
    done = solve("-b", backend, *arguments, *([] if "--box" in arguments else [FOUR]))
    assert (done.exit_code, done.stderr) == (0, "")


class Slow(pls.Backend):
    """Gives one solution and fails at the next."""

    name = engine = "slow"

    def __init__(self, error: type[Exception]) -> None:
        self.error = error

    def version(self):
        return "1"

    def solutions(self, puzzle, timeout=None):
        yield pls.solve(puzzle)
        raise self.error("slow", 1)


@pytest.mark.parametrize("error", [pls.SolveTimeout, pls.BackendFailure])
def test_a_look_for_more_that_fails_leaves_the_answer_alone(error):
    first, end = _solve(pls.Grid.parse(FOUR), (Slow(error),), 1, 1.0, look=True)
    assert first == pls.solve(FOUR)
    assert end.more is False


@pytest.mark.parametrize(("puzzle", "look"), [(EMPTY, False), ("." * 256, True)])
def test_no_search_is_made_that_may_take_long_or_that_nobody_wants(puzzle, look):
    found = list(_solve(pls.Grid.parse(puzzle), (Slow(AssertionError),), 1, None, look))
    assert len(found) == 2
