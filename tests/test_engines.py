"""Every engine by itself: what it finds, what it refuses, and searches that end early."""

from __future__ import annotations

import gc
import pickle
import threading

import pytest
from helpers.fakes import Slow
from helpers.jigsaws import REAL, REAL_ANSWER, REGIONS
from helpers.kinds import LATIN, PUZZLES, known
from helpers.oracle import all_solutions, assert_answers, dig, full_grid
from helpers.puzzles import (
    COUNTS,
    EMPTY,
    IMPOSSIBLE,
    LOOSE,
    LOOSE_ANSWER,
    PRINTED,
    SEVERAL,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines import engine_for
from pylogic_sudoku.engines.sudoku import get

# === What every engine must answer: one body, run for each of them ===============================


FIRST = next(iter(PRINTED))


def test_the_oracle_finds_what_others_found():
    for puzzle, answer in PRINTED.items():
        assert known(Grid.parse(puzzle)) == [Grid.parse(answer)]
    for puzzle, number in list(COUNTS.items())[:-1]:
        assert len(known(Grid.parse(puzzle))) == number
    assert len(known(PUZZLES["all 4x4 grids"])) == 288
    for (r, c), number in LATIN.items():
        assert len(known(PUZZLES[f"boxes of {r}x{c}"])) == number
    assert PRINTED[FIRST][-1] != "5"
    assert not known(PUZZLES["a wrong full grid"])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_every_question_has_the_answer_of_the_oracle(backend, puzzle):
    assert_answers(puzzle, known(puzzle), backend=backend)


def test_a_puzzle_that_is_hard_to_refute_has_no_solution(backend):
    assert pls.solve(IMPOSSIBLE, backend) is None


def test_loose_puzzle_has_the_printed_answer_among_many(backend):
    assert len(set(pls.solutions(LOOSE, backend, limit=50))) == 50
    assert pls.count(LOOSE, backend, limit=50) == 50
    assert str(pls.solve(LOOSE_ANSWER, backend)) == LOOSE_ANSWER
    assert Grid.parse(LOOSE_ANSWER).is_solution_of(Grid.parse(LOOSE))


@pytest.mark.parametrize("box", [(1, 5), (5, 1)])
def test_latin_squares_that_are_too_many_to_list(backend, box):
    empty = Grid((0,) * 25, box)
    assert pls.count(empty, backend, limit=1000) == 1000
    assert pls.solve(empty, backend).is_solution_of(empty)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("box", [(2, 4), (4, 2), (2, 5), (3, 4), (4, 4), (5, 5)])
def test_larger_grids(backend, box):
    grid = full_grid(box, 2)
    puzzle = dig(grid, len(grid.digits) * 2 // 3, 2)
    assert pls.solve(puzzle, backend).is_solution_of(puzzle)
    assert pls.solve(grid, backend) == grid


@pytest.mark.slow
def test_largest_grid(backend):
    grid = full_grid((6, 6), 3)
    puzzle = dig(grid, 1200, 3)
    assert pls.solve(puzzle, backend).is_solution_of(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("box", [(2, 3), (3, 2)])
def test_all_6x6_grids_with_the_first_row_fixed(backend, box):
    puzzle = Grid(tuple(range(1, 7)) + (0,) * 30, box)
    assert pls.count(puzzle, backend) == 39_168  # times 720 orders: 28,200,960 grids


SHAPES = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)]


@st.composite
def puzzles(draw):
    """Puzzles dug from full grids, some with a digit changed: one, many or no solutions."""
    box = draw(st.sampled_from(SHAPES))
    n = box[0] * box[1]
    least = {4: 0, 6: 8, 8: 28, 9: 26}[n]
    grid = full_grid(box, draw(st.integers(0, 10**6)))
    puzzle = dig(grid, draw(st.integers(least, n * n - 1)), draw(st.integers(0, 10**6)))
    if draw(st.booleans()):
        cell = draw(st.integers(0, n * n - 1))
        digit = draw(st.integers(1, n))
        puzzle = Grid((*puzzle.digits[:cell], digit, *puzzle.digits[cell + 1 :]), box)
    return puzzle


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(puzzles())
def test_engines_and_oracle_find_the_same_set(puzzle):
    """Sets of up to 100 solutions; of larger ones the number is compared up to there."""
    limit = 100
    expected = set()
    for solution in all_solutions(puzzle):
        expected.add(solution)
        if len(expected) == limit:
            break
    comparison = pls.compare(puzzle, limit=limit)
    assert comparison.agree
    if len(expected) < limit:
        assert comparison.solutions == expected
    else:
        assert all(len(answer.solutions) == limit for answer in comparison.answers.values())
        assert all(solution.is_solution_of(puzzle) for solution in comparison.solutions)


# --- regions and marks -------------------------------------------------------------------


def test_clingo_knows_regions_and_marks():
    assert get("clingo").knows == {"regions", "marks", "rules", "programs"}


def test_a_real_jigsaw(backend):
    (solution,) = pls.solutions(REAL, backend)
    assert str(solution) == REAL_ANSWER
    assert pls.solve(REAL.with_(r1c2=2), backend) is None


def test_marks_on_boxes_and_marks_that_clash_with_givens(backend):
    printed = Grid.parse(PRINTED[FIRST])
    parity = {
        c: "odd" if d % 2 else "even" for c, d in zip(printed.cells, printed.digits, strict=True)
    }
    puzzle = Puzzle(Grid.parse(FIRST), marks=parity)
    assert list(pls.solutions(puzzle, backend)) == [printed]
    assert pls.count(Puzzle(printed, marks={"r1c1": [printed["r1c1"] % 9 + 1]}), backend) == 0
    assert pls.solve(Puzzle(Grid.parse(EMPTY), marks={"r1c1": []}), backend) is None
    assert pls.solve(FIRST, backend) == printed  # no mark is left behind


class Plain(pls.SudokuEngine):
    """An engine that knows plain grids alone."""

    name = engine = "plain"

    def version(self):
        return "1"

    def solutions(self, puzzle, timeout=None):
        raise AssertionError("it was asked")


@pytest.mark.parametrize(
    "ask", [pls.solve, pls.count, pls.is_unique, pls.candidates, pls.solutions]
)
def test_an_engine_is_not_asked_what_it_does_not_know(ask):
    marked = Puzzle(Grid.parse("." * 16), marks={"r1c1": "odd"})
    regions = Puzzle(marked.grid, REGIONS[4], marked.marks)
    with pytest.raises(pls.BackendFailure, match="plain cannot solve puzzles with marks; choose"):
        ask(marked, Plain())
    with pytest.raises(pls.BackendFailure, match=r"with regions and marks; .* clingo or prolog"):
        ask(regions, Plain())
    assert engine_for(Plain(), Puzzle(marked.grid)).name == "plain"


def test_an_engine_that_cannot_check_says_so(backend):
    assert get(backend).can("consistent")
    assert not Plain().can("consistent")
    with pytest.raises(pls.BackendUnavailable, match="plain engine cannot check explanations"):
        Plain().consistent(Grid.parse("." * 16).layout, [])


# === What every engine must do with searches: side by side, left alone, and stopped ==============


def test_limit_of_nothing(backend):
    assert list(pls.solutions(EMPTY, backend, limit=0)) == []
    assert pls.count(EMPTY, backend, limit=0) == 0


def test_open_enumerations_interleave(backend):
    small = set(pls.solutions("." * 16, backend))
    readers = [pls.solutions("." * 16, backend) for _ in range(3)]
    endless = pls.solutions(EMPTY, backend)
    seen = [set() for _ in readers]
    while len(seen[0]) < 288:
        for reader, grids in zip(readers, seen, strict=True):
            grids.add(next(reader))
        if len(seen[0]) % 32 == 0:
            assert next(endless).is_solution_of(Grid.parse(EMPTY))
            assert pls.solve(FIRST, backend) is not None
    assert all(grids == small for grids in seen)
    assert [next(reader, None) for reader in readers] == [None] * 3


def test_enumeration_is_read_and_closed_in_other_threads(backend):
    found = pls.solutions("." * 16, backend)
    seen = [next(found)]

    def read():
        seen.extend(next(found) for _ in range(100))

    for _ in range(2):
        thread = threading.Thread(target=read)
        thread.start()
        thread.join()
    assert len(set(seen)) == 201
    thread = threading.Thread(target=found.close)
    thread.start()
    thread.join()
    assert pls.count("." * 16, backend) == 288


def test_many_threads_at_once(backend):
    answers = []

    def work():
        for puzzle, number in list(COUNTS.items())[:3]:
            answers.append(pls.count(puzzle, backend) == number)
            answers.append(len(list(pls.solutions(puzzle, backend))) == number)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 36


def test_abandoned_enumerations_are_let_go(backend):
    for _ in range(10):
        found = pls.solutions(EMPTY, backend)
        next(found)
        del found
    gc.collect()
    assert str(pls.solve(FIRST, backend)) == PRINTED[FIRST]


def test_unread_enumeration_costs_nothing(backend):
    pls.solutions(EMPTY, backend)
    assert pls.count("." * 16, backend) == 288


@pytest.mark.parametrize(
    "ask",
    [
        lambda backend: pls.count(EMPTY, backend, timeout=0.05),
        lambda backend: sum(1 for _ in pls.solutions(EMPTY, backend, timeout=0.05)),
    ],
    ids=["count", "solutions"],
)
def test_time_limit_ends_an_endless_search(backend, ask):
    for _ in range(2):
        with pytest.raises(pls.SolveTimeout, match=f"{backend} gave no answer within 0.05 s"):
            ask(backend)
        assert pls.count("." * 16, backend) == 288
        assert str(pls.solve(FIRST, backend)) == PRINTED[FIRST]


def test_time_limit_of_candidates_is_for_all_of_them(backend):
    with pytest.raises(pls.SolveTimeout, match=r"within 0.0001 s"):
        pls.candidates(Grid((0,) * 36**2, (6, 6)), backend, timeout=0.0001)


def test_a_count_out_of_time_knows_how_far_it_came(backend):
    found, timeout = 0, 0.1
    while not found:  # a busy machine has not even started an engine in a short time
        with pytest.raises(pls.SolveTimeout) as caught:
            pls.count(EMPTY, backend, timeout=timeout)
        found, timeout = caught.value.found, 2 * timeout
    assert pls.count("." * 16, backend, timeout=60) == 288
    assert pls.count("." * 16, backend, timeout=60, limit=77) == 77


def test_every_backend_counts_so_far():
    slow = Slow(list(map(str, pls.solutions(EMPTY, limit=3))), finds=3)
    with pytest.raises(pls.SolveTimeout, match="at least 3 solutions so far") as caught:
        pls.count(EMPTY, slow, timeout=1)
    assert pickle.loads(pickle.dumps(caught.value)).found == 3
    with pytest.raises(pls.SolveTimeout, match=r"within 1 s$"):
        list(pls.solutions(EMPTY, slow, timeout=1))


def test_time_limit_counts_only_the_engine(backend, clock):
    found = pls.solutions("." * 16, backend, timeout=5)
    for _ in range(3):
        next(found)
        clock.now += 60  # while nobody waits for the engine
    assert len(list(found)) == 285


def test_solutions_found_before_the_time_limit_are_not_lost(backend, clock):
    found = pls.solutions(EMPTY, backend, timeout=60)
    seen = [next(found)]
    clock.over = True
    with pytest.raises(pls.SolveTimeout):
        seen.extend(found)
    assert all(grid.is_solution_of(Grid.parse(EMPTY)) for grid in seen)


def test_backend_objects_of_ones_own(own_engine):
    assert str(pls.solve(FIRST, own_engine)) == PRINTED[FIRST]
    assert own_engine.version() in {info.version for info in pls.backends()}
    assert next(iter(pls.solutions(SEVERAL, own_engine))).is_solution_of(Grid.parse(SEVERAL))


@pytest.mark.parametrize("wrong", [None, 5, ["clingo"]])
@pytest.mark.parametrize("ask", [pls.solve, pls.count, pls.propagate, pls.trace, pls.certify])
def test_what_is_no_backend_is_a_type_error(ask, wrong):
    instance = pls.Problem("queens").instance("size(4).")
    for question in ["1" + "." * 15, *([instance] if ask is pls.solve else [])]:
        with pytest.raises(TypeError, match=r"^the backend is .*; expected an engine or its name"):
            ask(question, wrong)
