"""Many puzzles at once: in this process, in several of ours, and in executors of others."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from itertools import count, cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from helpers.fakes import Planted
from helpers.processes import run
from helpers.puzzles import EMPTY, PRINTED, REFUTED

import pylogic_sudoku as pls
from pylogic_sudoku.questions import many
from pylogic_sudoku.questions.many import BATCH, MAX_PARTS, map_in_order, stream_in_order

PUZZLES = [*PRINTED, REFUTED, "11.............."] * 20
ANSWERS = [*PRINTED.values(), "None", "None"] * 20


@pytest.fixture(scope="module")
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(3) as executor:
        yield executor


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.fixture(scope="module")
def cluster() -> Iterator[Executor]:
    import dask
    from distributed import Client, LocalCluster

    # One death is enough; else Dask would try the same work on three more workers.
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    shape = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with (
        LocalCluster(**shape, dashboard_address=None, silence_logs="CRITICAL") as local,
        Client(local) as client,
    ):
        # Functions of this file are to be found there too.
        client.run(sys.path.append, os.path.dirname(__file__))
        yield client.get_executor()


@pytest.fixture(scope="module")
def loky() -> Iterator[Executor]:
    from loky import get_reusable_executor

    executor = get_reusable_executor(2)
    yield executor
    executor.shutdown(kill_workers=True)


@pytest.fixture(params=["threads", "processes", "cluster", "loky"])
def executor(request: pytest.FixtureRequest) -> Executor:
    """Of the standard library, and of other packages: work leaves the process, or the machine."""
    return request.getfixturevalue(request.param)


@pytest.fixture(
    params=["one process", "two processes", "loky", pytest.param("cluster", marks=pytest.mark.slow)]
)
def where(request: pytest.FixtureRequest) -> dict[str, object]:
    """Where the work is done, as an argument of `solve_many`."""
    if "process" in request.param:
        return {"jobs": 2 if "two" in request.param else None}
    return {"jobs": 2, "executor": request.getfixturevalue(request.param)}


@pytest.mark.slow
def test_any_executor_will_do(executor, backend):
    answers = pls.solve_many(PUZZLES[:60], backend, executor=executor)
    assert [str(answer) for answer in answers] == ANSWERS[:60]


def test_a_bad_puzzle_costs_only_itself(where):
    answers = pls.solve_many([PUZZLES[0], "foo", PUZZLES[1]], **where)
    assert str(next(answers)) == ANSWERS[0]
    with pytest.raises(pls.InvalidPuzzle) as caught:
        next(answers)
    assert caught.value.index == 1
    assert str(next(answers)) == ANSWERS[1]
    with pytest.raises(StopIteration):
        next(answers)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_solve_many_answers_in_order(backend, jobs):
    answers = pls.solve_many(PUZZLES[:24], backend, jobs)
    assert [str(answer) for answer in answers] == ANSWERS[:24]


@pytest.mark.parametrize("ask", [pls.solve_many, lambda one: list(pls.cross_check(one))])
@pytest.mark.parametrize(
    ("one", "complaint"),
    [
        (PUZZLES[0], "takes several puzzles, not '2.*pass a list of puzzles, or read_puzzles"),
        (PUZZLES[0].encode(), "takes several puzzles, not b'2"),
        (pls.Grid.parse(PUZZLES[0]), "takes several puzzles, not Grid.parse"),
        (Path("many.txt"), r"takes puzzles, not a path: pass read_puzzles\('many.txt'\)"),
    ],
)
def test_one_puzzle_is_not_many(ask, one, complaint):
    with pytest.raises(TypeError, match=complaint):
        ask(one)


@pytest.mark.slow
def test_a_slow_puzzle_costs_only_itself(own_engine, clock):
    class Slow(type(own_engine)):
        def solve(self, puzzle, timeout=None):
            clock.over = not any(puzzle.digits)
            return (
                self.count(puzzle, None, timeout) if clock.over else super().solve(puzzle, timeout)
            )

    answers = pls.solve_many([PUZZLES[0], EMPTY, PUZZLES[1]], Slow(), timeout=60)
    assert str(next(answers)) == ANSWERS[0]
    with pytest.raises(pls.SolveTimeout) as caught:
        next(answers)
    assert caught.value.index == 1
    assert str(next(answers)) == ANSWERS[1]


@pytest.mark.parametrize("jobs", [None, 2])
def test_endless_puzzles_are_read_only_as_far_as_needed(jobs):
    read = []

    def endless():
        for puzzle in cycle(PUZZLES):
            read.append(puzzle)
            yield puzzle

    answers = pls.solve_many(endless(), jobs=jobs)
    assert [str(answer) for answer in islice(answers, 20)] == ANSWERS[:20]
    assert len(read) <= 20 + (jobs or 0) * 4 * BATCH
    answers.close()


@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_map_in_order_pairs_each_item_with_its_outcome(jobs):
    assert list(map_in_order(abs, range(-100, 0), jobs)) == [(-n, n) for n in range(100, 0, -1)]
    assert list(map_in_order(abs, [], jobs)) == []


def refuses_seven(number: int) -> int:
    if number == 7:
        raise pls.BackendFailure("not 7")
    return number


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_ours_is_an_outcome_and_so_is_what_cannot_be_read(jobs):
    bad = pls.InvalidPuzzle("no puzzle")
    outcomes = [outcome for _, outcome in map_in_order(refuses_seven, [6, 7, bad, 8], jobs)]
    assert list(map(str, outcomes)) == ["6", "not 7", "no puzzle", "8"]
    assert list(map(type, outcomes)) == [int, pls.BackendFailure, pls.InvalidPuzzle, int]


def dies_of_seven(number: int) -> int:
    if number % 100 == 7:
        os._exit(1)
    return number


@pytest.mark.slow
def test_a_process_that_dies_costs_only_the_item_it_died_of():
    results = [(n, str(result)) for n, result in map_in_order(dies_of_seven, range(150), 2)]
    died = "the process that worked on it died"
    assert results == [(n, died if n in (7, 107) else str(n)) for n in range(150)]


def test_what_a_borrowed_executor_did_before_it_broke_is_not_lost():
    class Full(ThreadPoolExecutor):
        left = 3

        def submit(self, function, /, *arguments):
            if not self.left:
                raise RuntimeError("no more, please")
            self.left -= 1
            return super().submit(function, *arguments)

    with Full(1) as executor:
        found = [outcome for _, outcome in map_in_order(abs, range(6), 1, executor)]
    assert found[:3] == [0, 1, 2]
    lost = "the executor could not do it: RuntimeError('no more, please')"
    assert [*map(str, found[3:])] == [lost] * 3


def process_of(_puzzle: object) -> int:
    return os.getpid()


@pytest.mark.one_in(2)
def test_the_work_is_done_elsewhere(where):
    if where["jobs"]:
        found = {pid for _, pid in map_in_order(process_of, range(100), *where.values())}
        assert found
        assert os.getpid() not in found


@pytest.mark.slow
def test_a_time_limit_holds_there_too(executor):
    answers = pls.solve_many(["." * 36 * 36], timeout=0.01, executor=executor)
    with pytest.raises(pls.SolveTimeout):
        next(answers)


@pytest.mark.slow
def test_a_worker_of_dask_that_dies_costs_only_the_item_it_died_of(cluster):
    results = [result for _, result in map_in_order(dies_of_seven, range(20), 2, cluster)]
    assert isinstance(results[7], pls.BackendFailure)
    assert str(results[7]).startswith("the executor could not do it: KilledWorker")
    assert results[:7] + results[8:] == [n for n in range(20) if n != 7]


# === Our own worker processes: whole answers, errors, deaths, and what cannot be sent =============


def outcomes(function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
    return [outcome for _, outcome in map_in_order(function, items, 2)]


def numbers_up_to(number: int) -> Iterator[int]:
    yield from range(number)


def numbers_from(number: int) -> Iterator[int]:
    yield from count(number)


@pytest.mark.parametrize("processes", [1, 2])
def test_answers_come_in_order(processes):
    numbers = [3, 0, MAX_PARTS, MAX_PARTS + 1, 1]  # the fourth is worked out here
    answers = stream_in_order(numbers_up_to, numbers, processes)
    assert [list(parts) for _, parts in answers] == [list(range(n)) for n in numbers]


@pytest.mark.slow
def test_what_is_not_read_of_an_answer_is_passed_over():
    firsts = [next(parts) for _, parts in stream_in_order(numbers_up_to, [300] * 10, 2)]
    assert firsts == [0] * 10


def test_an_endless_answer_is_worked_out_only_as_far_as_it_is_read():
    with closing(stream_in_order(numbers_from, [5], 2)) as answers:
        _, parts = next(answers)
        assert list(islice(parts, MAX_PARTS, MAX_PARTS + 2)) == [MAX_PARTS + 5, MAX_PARTS + 6]


# --- errors and deaths ------------------------------------------------------------------

GRID = pls.Grid.parse("." * 16)
OURS = [
    pls.SolveTimeout("clingo", 2.5),
    pls.Disagreement(GRID, {"clingo": 1, "prolog": 2}),
    pls.BackendUnavailable("it is not here", "Get it."),
    pls.InvalidPuzzle("the line has 3 characters"),
]


def part_and_error(number: int) -> Iterator[int]:
    yield number
    raise OURS[number]


def test_our_errors_arrive_with_their_type_and_attributes():
    for number, (_, parts) in enumerate(stream_in_order(part_and_error, range(len(OURS)), 2)):
        assert next(parts) == number
        with pytest.raises(pls.SudokuError) as caught:
            next(parts)
        assert type(caught.value) is type(OURS[number])
        assert str(caught.value) == str(OURS[number])
        assert vars(caught.value) == vars(OURS[number])


class Odd(Exception):
    """An error that cannot be unpickled."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(f"{first} and {second}")


def odd(_item: int) -> None:
    raise Odd(1, 2)


def test_other_errors_say_where_they_were_raised():
    (outcome,) = outcomes((1).__truediv__, [0])
    assert str(outcome).startswith("the executor could not do it: ZeroDivisionError(")
    assert outcome.__cause__.__notes__[0].startswith("In a worker process:\nTraceback")
    assert [*map(str, outcomes(odd, [0]))] == ["Odd: 1 and 2"]


def dies_once(note: Path) -> str:
    try:
        note.touch(exist_ok=False)
    except FileExistsError:
        return note.name
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_an_item_whose_process_was_killed_is_tried_again(tmp_path):
    notes = [tmp_path / str(number) for number in range(5)]
    for note in (notes[0], *notes[2:]):
        note.touch()
    assert outcomes(dies_once, notes) == ["0", "1", "2", "3", "4"]


# --- what cannot be sent ----------------------------------------------------------------


def give_a_function(_item: int) -> object:
    return lambda: None


@pytest.mark.slow
def test_what_cannot_be_sent_is_reported_and_costs_only_itself():
    (lost,) = map(str, outcomes(give_a_function, [0]))
    assert "the answer cannot be sent: " in lost
    lost, found = outcomes(str, [lambda: None, 1])
    assert re.search("the executor could not do it: .*(pickle|local object)", str(lost))
    assert found == "1"
    with pytest.raises(pls.BackendFailure, match=r"could not do it: .*call cannot be sent"):
        next(pls.solve_many(["." * 16], Planted(lambda *_: []), jobs=2))


def test_a_backend_that_a_worker_cannot_find_is_reported():
    ended = run(
        """
        class Mine(pls.SudokuEngine):
            name = engine = "mine"
            def version(self):
                return "1"
            def solutions(self, puzzle, timeout=None):
                yield puzzle
        try:
            list(pls.solve_many(["." * 16], Mine(), jobs=2))
        except pls.BackendFailure as error:
            print(error)
        """
    )
    assert "Can't get attribute 'Mine'" in ended.stdout
    assert ended.stderr == ""


# --- scripts ----------------------------------------------------------------------------

SCRIPT = """
import pylogic_sudoku as pls
answers = pls.{call}
print(*answers)
"""


@pytest.mark.parametrize(
    "call", ['solve_many(["4......3...13..."], jobs=2)', "cross_check(['.' * 16], jobs=2)"]
)
def test_a_script_without_its_main_guard_says_so_once(tmp_path, call):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(call=call))
    ended = run(f"import os; os.execv(sys.executable, [sys.executable, {str(script)!r}])")
    assert (ended.returncode, ended.stdout) == (1, ""), ended.stderr
    assert ended.stderr.count("Traceback") == 1
    *_, last = ended.stderr.splitlines()
    assert last.startswith("pylogic_sudoku.questions.many.NotStarted: a worker process ended")
    assert last.endswith('put what it does under `if __name__ == "__main__":`')


def test_a_program_ends_quietly_with_workers_at_work():
    ended = run(
        """
        answers = pls.solve_many((PUZZLE for _ in iter(int, 1)), jobs=2)
        print(next(answers) is not None)
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "True\n", "")


def test_no_thread_hands_out_the_work():
    """One that Python froze in the middle, when it ended, would hold what the end waits for."""
    before = threading.enumerate()
    with closing(pls.solve_many(PUZZLES, jobs=2)) as answers:
        next(answers)
        assert threading.enumerate() == before


def test_python_ends_although_a_thread_still_asks():
    ended = run(
        """
        from itertools import repeat
        begun = threading.Event()
        def ask():
            for _ in pls.solve_many(repeat(PUZZLE), jobs=2):
                begun.set()
        threading.Thread(target=ask, daemon=True).start()
        begun.wait()
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@pytest.mark.slow
def test_a_fork_that_ends_leaves_the_workers_to_its_parent():
    ended = run(
        """
        import os
        answers = pls.solve_many([PUZZLE] * 1000, jobs=2)
        next(answers)
        child = os.fork()
        if child == 0:
            answers.close()
            os._exit(0)
        os.waitpid(child, 0)
        print(len(list(answers)))
        """,
        PYTHONWARNINGS="ignore",
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "999\n", "")


def test_ctrl_c_is_not_lost_if_nobody_reads_the_answer_that_it_ends(monkeypatch):
    def stopped(*_arguments):
        yield 1, ([], None)
        stop = KeyboardInterrupt()
        stop.item = 2
        raise stop

    monkeypatch.setattr(many, "_by", stopped)
    items = stream_in_order(iter, [1, 2], 2)
    assert next(items)[0] == 1
    assert next(items)[0] == 2
    with pytest.raises(KeyboardInterrupt):
        next(items)
