"""What can go wrong between Python and Prolog, and must not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from helpers.jigsaws import KEEP, jigsaw
from helpers.oracle import all_solutions
from helpers.processes import run, soon
from helpers.programs import resource
from helpers.puzzles import EMPTY, PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku._resources import install_command
from pylogic_sudoku.engines import prolog
from pylogic_sudoku.engines.budget import Budget
from pylogic_sudoku.engines.prolog import PrologBackend, _prolog, _workers
from pylogic_sudoku.engines.threads import Workers
from pylogic_sudoku.rules import KINDS, define

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
ISS = SHARED / "corpora" / "variants" / "iss-half.jsonl"
FIRST, ANSWER = next(iter(PRINTED.items()))


@pytest.fixture
def endless() -> Iterator[pls.Puzzle]:
    """A puzzle with a rule that Prolog never has posted."""
    known = dict(KINDS)
    made = define("endless", prolog="rule(endless, _, _) :- repeat, fail.")
    yield pls.Puzzle("." * 16, rules=[made()])
    KINDS.clear()
    KINDS.update(known)


def ask(goal: str, **inputs: object) -> object:
    """A goal in the Prolog of this process."""
    return _workers.call(lambda: _prolog.ask(goal, **inputs), Budget("prolog", None), lambda: None)


def searches() -> object:
    """How many searches are open or stopped."""
    goal = "(sudoku_bridge:search(_, _) ; sudoku_bridge:stopped(_))"
    return ask(f"aggregate_all(count, {goal}, Answer)")


def wait_for_closed_searches() -> None:
    # Searches are closed by another thread.
    assert soon(lambda: searches() == 0), "engines were left open"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [4, 5, 6])
def test_regions_and_marks(size, seed):
    puzzle = jigsaw(size, KEEP[size], seed, marked=size)
    expected = set(all_solutions(puzzle))
    found = list(pls.solutions(puzzle, "prolog"))
    assert (len(found), set(found)) == (len(expected), expected)
    assert pls.solve(puzzle, "prolog") in expected
    assert pls.count(puzzle, "prolog") == len(expected)
    candidates = [{grid.digits[at] for grid in expected} for at in range(size**2)]
    assert list(chain(*pls.candidates(puzzle, "prolog"))) == candidates


def test_marks_without_regions_and_marked_givens():
    odd = pls.Puzzle(pls.Grid.parse("1" + "." * 15), marks={"r1c1": "odd", "r1c2": {3, 4}})
    assert pls.count(odd, "prolog") == len(list(all_solutions(odd))) == 48
    assert pls.solve(pls.Puzzle(odd.grid, marks={"r1c1": "even"}), "prolog") is None


def iss(name: str) -> tuple[pls.Puzzle, str]:
    """A published puzzle of 9x9 cells, and its recorded solution."""
    for line in ISS.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["name"] == name:
            break
    puzzle = record["puzzle"]
    up = 1 - puzzle["min"]
    allowed = {cell: [digit + up for digit in each] for cell, each in puzzle["allowed"].items()}
    givens = {cell: each[0] for cell, each in allowed.items() if len(each) == 1}
    marks = {cell: each for cell, each in allowed.items() if len(each) > 1}
    grid = pls.Grid.parse("." * 81).with_(**givens)
    solution = "".join(str(int(digit) + up) for digit in record["solution"])
    return pls.Puzzle(grid, puzzle["regions"], marks), solution


@pytest.mark.skipif(not ISS.is_file(), reason="the puzzle collections are not in the repository")
@pytest.mark.parametrize(
    "name", ["Classic sudoku, hard", "Pencilmark sudoku 2", "0-indexed: Jigsaw"]
)
def test_published_puzzles_have_the_recorded_solution(name):
    puzzle, solution = iss(name)
    assert list(map(str, pls.solutions(puzzle, "prolog"))) == [solution]


def test_every_engine_is_destroyed():
    for _ in range(5):
        assert pls.count("." * 16, "prolog") == 288
        assert next(pls.solutions(EMPTY, "prolog")) is not None
        assert len(list(pls.solutions("." * 16, "prolog", limit=3))) == 3
        with pytest.raises(pls.SolveTimeout):
            pls.count(EMPTY, "prolog", timeout=0.01)
    wait_for_closed_searches()
    engines = ask("aggregate_all(count, current_engine(_), Answer)")
    assert engines == 0
    assert ask("aggregate_all(count, sudoku_bridge:stopped(_), Answer)") == 0


def test_goal_texts_are_constant(monkeypatch):
    """Janus keeps every distinct goal text for ever."""
    ask("true")  # starts Prolog
    janus, goals = _prolog._janus, []

    def recorded(goal, inputs):
        goals.append(goal)
        return query_once(goal, inputs)

    query_once = janus.query_once
    monkeypatch.setattr(janus, "query_once", recorded)
    for puzzle in [*PRINTED, "." * 16, "1"]:
        pls.solve(puzzle, "prolog")
        pls.count(puzzle, "prolog", limit=3)
        list(pls.solutions(puzzle, "prolog", limit=2))
        with pytest.raises(pls.SolveTimeout):
            pls.count(EMPTY, "prolog", timeout=0.05)
        wait_for_closed_searches()
    predicates = {goal.partition("(")[0] for goal in goals}
    assert len(set(goals)) == len(predicates)
    assert predicates >= {
        "sudoku_bridge:solve",
        "sudoku_bridge:count",
        "sudoku_bridge:search_open",
        "sudoku_bridge:search_next",
        "sudoku_bridge:search_stop",
        "sudoku_bridge:search_close",
    }


def test_one_solution_is_one_call(monkeypatch):
    ask("true")  # starts Prolog
    goals = []
    query_once = _prolog._janus.query_once

    def recorded(goal, inputs):
        goals.append(goal)
        return query_once(goal, inputs)

    monkeypatch.setattr(_prolog._janus, "query_once", recorded)
    assert str(pls.solve(FIRST, "prolog")) == ANSWER
    assert len(goals) == 1


def test_a_stopped_search_leaves_its_thread_as_it_was(endless):
    before = ask("current_prolog_flag(stack_limit, Answer)")
    for _ in range(3):
        with pytest.raises(pls.SolveTimeout):
            pls.solve(endless, "prolog", timeout=0.05)
        assert str(pls.solve(FIRST, "prolog")) == ANSWER
    wait_for_closed_searches()
    assert ask("current_prolog_flag(stack_limit, Answer)") == before


def test_stack_overflow_is_an_error_and_the_next_call_works():
    tiny = PrologBackend(stack_limit=2**20)
    for _ in range(3):
        with pytest.raises(pls.BackendFailure, match="Stack limit"):
            tiny.solve(pls.Grid.parse("." * 256))
        with pytest.raises(pls.BackendFailure, match="Stack limit"):
            tiny.count(pls.Grid.parse("." * 256))
        assert str(pls.solve(FIRST, "prolog")) == ANSWER


def test_malformed_digits_are_an_error_and_not_an_answer():
    with pytest.raises(pls.BackendFailure, match="list"):
        ask(
            "sudoku_bridge:solve(-1, Digits, 2-2, '', [], 100000000, Answer)",
            Digits=tuple([0] * 16),
        )


def test_text_is_data():
    assert ask("atom_length(Text, Answer)", Text="halt. :- shell(ls)") == 18


def test_failing_and_raising_goals_leave_nothing_behind():
    for _ in range(3):
        with pytest.raises(pls.BackendFailure, match="is false"):
            ask("fail")
        with pytest.raises(pls.BackendFailure, match="no_such_predicate"):
            ask("no_such_predicate(Answer)")
        assert ask("Answer is 6 * 7") == 42


@pytest.mark.parametrize(
    "config",
    [
        ":- format(user_error, 'MY CONFIG~n', []).",
        ":- set_prolog_flag(clpfd_monotonic, true).",
        ":- set_prolog_flag(occurs_check, error).",
        ":- set_prolog_flag(double_quotes, atom). user:goal_expansion(labeling(_, _), fail).",
        ":- halt(3).",
        ":- this is no Prolog",
    ],
)
def test_users_init_file_changes_nothing(tmp_path, config):
    folder = tmp_path / "swi-prolog"
    folder.mkdir()
    (folder / "init.pl").write_text(config + "\n")
    ended = run("print(pls.solve(PUZZLE, 'prolog'))", XDG_CONFIG_HOME=str(tmp_path))
    assert (ended.stdout, ended.stderr, ended.returncode) == (f"{ANSWER}\n", "", 0)


def test_broken_prolog_is_unavailable_and_clingo_still_works(tmp_path):
    ended = run(
        """
        for _ in range(2):
            try:
                pls.solve(PUZZLE, "prolog")
            except pls.BackendUnavailable as error:
                print("cure:", bool(error.cure), "SWI_HOME_DIR" in error.cure)
        print(pls.solve(PUZZLE))
        print([info.available for info in pls.backends()])
        """,
        SWI_HOME_DIR=str(tmp_path),
    )
    expected = f"cure: True True\ncure: True True\n{ANSWER}\n[True, False, True]\n"
    assert (ended.stdout, ended.stderr, ended.returncode) == (expected, "", 0)


def test_missing_janus_is_unavailable_with_the_cure():
    ended = run(
        """
        import importlib.util
        find = importlib.util.find_spec
        importlib.util.find_spec = lambda name, *rest: None if name == "janus_swi" else find(name)
        try:
            pls.solve(PUZZLE, "prolog")
        except pls.BackendUnavailable as error:
            print(error)
        print(pls.solve(PUZZLE))
        """
    )
    assert "needs janus-swi" in ended.stdout
    assert f"then: {install_command('prolog')}\n" in ended.stdout
    assert ended.stdout.endswith(f"{ANSWER}\n")
    assert ended.stderr == ""


def test_program_that_does_not_load_is_named(tmp_path):
    shutil.copytree(resource("prolog"), tmp_path / "prolog")
    program = tmp_path / "prolog" / "sudoku.pl"
    program.write_text(program.read_text() + "\nthis is a syntax error.\n")
    ended = run(
        f"""
        from pathlib import Path
        from pylogic_sudoku.engines import prolog
        prolog.resource = lambda name: Path({str(tmp_path)!r}) / name
        try:
            pls.solve(PUZZLE, "prolog")
        except pls.BackendUnavailable as error:
            print(error)
        """
    )
    assert "sudoku.pl does not load" in ended.stdout
    assert "Syntax error: Operator expected" in ended.stdout
    assert ended.stderr == ""


def test_janus_that_the_user_imported_is_shared():
    ended = run(
        """
        import janus_swi
        janus_swi.query_once("assertz(mine(1))")
        outer = janus_swi.query("member(X, [1, 2, 3])")
        print(next(outer)["X"], pls.solve(PUZZLE, "prolog"), next(outer)["X"])
        print(janus_swi.query_once("mine(X)")["X"])
        """
    )
    assert (ended.stdout, ended.stderr) == (f"1 {ANSWER} 2\n1\n", "")


def test_host_keeps_its_locale():
    ended = run(
        """
        import locale
        before = locale.setlocale(locale.LC_ALL)
        pls.solve(PUZZLE, "prolog")
        print(locale.setlocale(locale.LC_ALL) == before, f"{1.5:n}")
        """,
        LC_ALL="C.UTF-8",
    )
    assert (ended.stdout, ended.stderr) == ("True 1.5\n", "")


def test_first_use_in_a_thread_that_ends():
    ended = run(
        """
        for _ in range(3):
            thread = threading.Thread(target=lambda: print(pls.count("." * 16, "prolog")))
            thread.start()
            thread.join()
        print(pls.solve(PUZZLE, "prolog"))
        """
    )
    assert (ended.stdout, ended.stderr) == (f"288\n288\n288\n{ANSWER}\n", "")


def test_a_full_grid_is_the_first_puzzle_of_a_thread(monkeypatch):
    """As when a comparison has a grid confirmed while the first thread closes its search."""
    ask("true")  # Prolog is loaded in another thread
    monkeypatch.setattr(prolog, "_workers", Workers("pylogic_sudoku prolog"))
    assert str(pls.solve(ANSWER, "prolog")) == ANSWER
    assert str(pls.solve(FIRST, "prolog")) == ANSWER


LEAK = """
    import os

    def resident():
        return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    grid = pls.Grid.parse({puzzle!r})
    for number in range({calls}):
        pls.solve(grid, {backend!r})
        if number == max(1000, {calls} // 10):  # Prolog's tables grow until then
            before = resident()
    print(resident() - before)
    """
needs_proc = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="resident memory is read from Linux's /proc"
)


@pytest.mark.slow
@needs_proc
def test_memory_is_flat(backend):
    calls = 10_000 if backend == "clingo" else 4_000
    ended = run(LEAK.format(puzzle="1..4.....3......", calls=calls, backend=backend))
    assert int(ended.stdout) < 5_000_000, ended.stderr


@needs_proc
@pytest.mark.slow
def test_memory_is_flat_over_100_000_calls(backend):
    ended = run(LEAK.format(puzzle="1234341221434321", calls=100_000, backend=backend))
    assert int(ended.stdout) < 5_000_000, ended.stderr
