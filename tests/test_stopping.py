"""Ctrl-C, the end of the program, and forks, in a search; no process is left behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count, product
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from helpers import check_programs as programs
from helpers.command_line import MODULE, environment
from helpers.processes import LINUX, MARK, PATIENCE, interrupted, left_of, marked, run, soon
from helpers.puzzles import EMPTY

import pylogic_sudoku as pls
from pylogic_sudoku.running import process
from pylogic_sudoku.running.workers import Budget, Workers

ASK = (
    "pls.count(EMPTY, **HOW)",
    "list(None for _ in pls.solutions(EMPTY, **HOW))",
    "pls.candidates(pls.Grid((0,) * 30**2, (5, 6)), **HOW)",
)
OWN = "from pylogic_sudoku.engines.sudoku import ground_once as once; once.BRIEF = once.HARD = 0"
HOW = {name: ("", {"backend": name}) for name in ("clingo", "prolog", "sat")}
HOW["clingo, hard"], HOW["two threads"] = (OWN, {"threads": 1}), (OWN, {"threads": 2})
HOW["sat, hard"] = (
    "from pylogic_sudoku.engines.sudoku import sat; sat.HARD = 0",
    {"backend": "sat"},
)


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize(("first", "how"), HOW.values(), ids=HOW)
def test_ctrl_c_stops_every_search_and_leaves_the_engine_usable(first, how):
    ended = interrupted(
        f"""
        {first}
        HOW = {how}
        pls.solve(PUZZLE, **HOW)
        for ask in ({", ".join(f"lambda: {question}" for question in ASK)}):
            try:
                ready()
                ask()
            except KeyboardInterrupt:
                pass
            print(pls.solve(PUZZLE, **HOW) is not None, pls.count("." * 16, **HOW))
        """,
        times=len(ASK),
    )
    assert ended.stdout == "True 288\n" * len(ASK)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.one_in(3, 1)
def test_uncaught_ctrl_c_ends_the_program_as_usual(backend):
    ended = interrupted(f"ready(); pls.count(EMPTY, {backend!r})")
    assert ended.stderr.rstrip().endswith("KeyboardInterrupt")
    assert ended.returncode != 0


@pytest.mark.one_in(3, 1)
def test_program_ends_quietly_with_enumerations_open(backend):
    ended = run(
        f"""
        begun, well_on = (pls.solutions(EMPTY, {backend!r}) for _ in range(2))
        next(begun)
        for _ in range(50):
            next(well_on)
        print("end")
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


@pytest.mark.one_in(3, 2)
def test_program_ends_quietly_with_a_search_running_in_a_thread(backend):
    ended = run(
        f"""
        pls.solve(PUZZLE, {backend!r})
        threading.Thread(target=pls.count, args=(EMPTY, {backend!r}), daemon=True).start()
        ready().join()
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ready\n", "")


@pytest.mark.one_in(3, 1)
def test_forked_process(backend):
    """clingo and CaDiCaL go on in the child; Prolog cannot, and says what to do instead."""
    ended = run(
        f"""
        import os
        pls.solve(PUZZLE, {backend!r})
        child = os.fork()
        if child == 0:
            try:
                print(pls.count("." * 16, {backend!r}), flush=True)
            except pls.BackendUnavailable as error:
                print(error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        print(pls.count("." * 16, {backend!r}))
        """,
        PYTHONWARNINGS="ignore",  # newer Pythons warn of any fork of a process with threads
    )
    child, parent = ended.stdout.rsplit("\n", 2)[0:2]
    assert child == "288" if backend != "prolog" else '("spawn")' in child
    assert (parent, ended.stderr) == ("288", "")


def test_a_fork_in_the_middle_of_a_search_ends_it_in_the_child():
    ended = run(
        """
        import os
        from pylogic_sudoku.running.workers import Budget, Workers

        go_on = threading.Event()

        def search():
            yield "first"
            go_on.wait()
            yield "second"

        found = Workers("test").stream(search(), Budget("test", None), lambda: None)
        next(found)
        child = os.fork()
        if child == 0:
            try:
                next(found)
            except pls.BackendFailure as error:
                print(error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        go_on.set()
        print(next(found))
        """,
        PYTHONWARNINGS="ignore",
    )
    child = "this process was forked in the middle of a search\n"
    assert (ended.stdout, ended.stderr) == (f"{child}second\n", "")


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.mark.parametrize("by", ["2", "1, ThreadPoolExecutor(1)"])
def test_a_signal_that_does_not_wake_the_caller_ends_its_wait_for_other_processes(by):
    """Another thread takes it here; it is the same if it comes just before the wait."""
    ended = run(
        f"""
        from concurrent.futures import ThreadPoolExecutor
        from signal import SIGINT, pthread_kill
        from pylogic_sudoku.questions.many import map_in_order
        caller = threading.get_ident()

        def waits():
            frame = sys._current_frames()[caller]
            names = frame.f_code.co_name, frame.f_back.f_code.co_name
            return names == ("select", "wait") or names[1] == "result"

        def send():
            while not waits():
                os.sched_yield()
            pthread_kill(threading.get_ident(), SIGINT)

        threading.Thread(target=send, daemon=True).start()
        try:
            next(map_in_order(time.sleep, [1000] * 3, {by}))
        except KeyboardInterrupt:
            print("ended", flush=True)
            os._exit(0)  # a thread of somebody's executor would go on
        """
    )
    assert (ended.stdout, ended.stderr) == ("ended\n", "")


def test_ctrl_c_while_an_enumeration_is_closed_comes_a_moment_later():
    done = []

    def search():
        try:
            yield from count(1)
        finally:
            signal.raise_signal(signal.SIGINT)
            done.append("closed")

    found = Workers("test").stream(search(), Budget("clingo", None), lambda: None)
    next(found)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  the moment is part of it
        found.close()
        done.append("went on")
        threading.Event().wait(PATIENCE)
        done.append("waited")
    assert done == ["closed", "went on"]


ABANDONED = {
    "solutions": "pls.solutions('.' * 16)",
    "conflicts": "pls.conflicts('11' + '.' * 14).all()",
    "why_not": "pls.why_not('1..4.....3......', 'r1c1', 2).all()",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("search", ABANDONED.values(), ids=ABANDONED)
def test_a_search_in_a_garbage_cycle_leaves_the_engine_usable(search):
    """The collector may free clingo's control first, as it finalizes a cycle in any order."""
    ended = run(
        f"""
        import gc
        def abandon():
            found = {search}
            next(found)
            cycle = [found]
            cycle.append(cycle)
        for _ in range(20):
            abandon()
            gc.collect()
            assert pls.count("." * 16) == 288
            assert len(pls.conflicts("11" + "." * 14).givens) == 2
        print("end")
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


# === No process is left behind, however its parent ends ===========================================

ROUNDS = int(os.environ.get("ROUNDS", "20"))
SEED = int(os.environ.get("SEED", "1"))
LATEST = 4.0
"""Seconds after the start of a command within which the signal comes."""
ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)

SLEEPS = "#script(python)\nimport subprocess\nsubprocess.Popen(['sleep', '1000'])\n#end.\n"
CELL = f"""
from helpers.shells import Shell
Shell().magics["%s"]("{EMPTY} -n 0", '''%s''')
"""
WORKERS = f"""
import pylogic_sudoku as pls
if __name__ == "__main__":
    for check in pls.cross_check(["{EMPTY}"] * 3, limit=None, jobs=2):
        print(check)
"""


@pytest.fixture
def commands(tmp_path) -> dict[str, list[str]]:
    """Everything that starts processes and runs for more than a minute."""

    def file(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    puzzles = file("puzzles.txt", f"{EMPTY}\n" * 9)
    many = file("many.txt", f"{EMPTY}\n" * 9999)
    givens = file("ex001.lp", "initial(1,1,1).")
    endless = programs.RIGHT + "count(0). count(X+1) :- count(X).\n"
    cell = CELL % ("clingo", f"{programs.RIGHT}\ncount(0). count(X+1) :- count(X).")
    check = [*MODULE, "check", "-t", "600", "-i", givens]
    two = [part for name in "ab" for part in ("-e", file(f"{name}.lp", endless))]
    race = [sys.executable, "-m", "benchmarks.race", "-t", "600", "--puzzles", "9999"]
    script = [sys.executable, file("workers.py", WORKERS)]
    asplain = [*MODULE, "explain", "graph", "sudoku(1,1,2)", *["1" + "." * 80] * 50]
    jobs = ["--jobs", "2", puzzles]
    return {
        "count": [*MODULE, "count", *jobs],
        "count by Prolog": [*MODULE, "count", "-b", "prolog", *jobs],
        "solve": [*MODULE, "solve", "-n", "0", *jobs],
        "solve by Prolog": [*MODULE, "solve", "-n", "0", "-b", "prolog", *jobs],
        "compare": [*MODULE, "compare", "-n", "0", *jobs],
        "serve": [*MODULE, "serve", "--port", "0"],
        "check": [*check, "--allow-scripts", "-e", file("my.lp", SLEEPS + endless)],
        "check two": [*check, "--jobs", "2", *two],
        "check Prolog": [*check, "-e", file("my.pl", ":- repeat, fail.")],
        "race": [*race, "--contestant=clingo*", many],
        "race by Prolog": [*race, "--contestant=prolog*", many],
        "asplain": asplain,
        "script": script,
        "cell": [sys.executable, file("clingo_cell.py", cell)],
        "Prolog cell": [sys.executable, file("cell.py", CELL % ("prolog", ":- repeat, fail."))],
    }


def how_it_ends(
    command: list[str], end: Callable[[subprocess.Popen[str], str], object], **settings: object
) -> tuple[int, str, dict[int, str]]:
    """Its exit code, its messages, and the processes it leaves when it is ended like this.

    The processes have the mark that `end` is given.
    """
    mark, pipe = str(uuid4()), subprocess.PIPE
    env = environment(Path(__file__).parent, **{MARK: mark})
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=pipe, text=True, env=env, **settings
    ) as process:
        try:
            end(process, mark)
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            left = left_of(mark)
    return process.returncode, errors, left


def at_work(process: subprocess.Popen[str], mark: str) -> int:
    """The id of the process, once it has started others."""
    assert soon(lambda: len(marked(mark)) > 2)
    return process.pid


@LINUX
@pytest.mark.slow
@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_command_that_is_ended_at_a_random_moment_leaves_nothing(commands, number):
    """A hundred rounds: ROUNDS=100 python -m pytest -m slow tests/test_stopping.py"""
    chance = random.Random(f"{SEED} {number}")
    cycle, place = divmod(number, len(commands))
    name = list(commands)[place]
    sent = ENDS[(cycle + place) % len(ENDS)]
    moment = chance.uniform(0, LATEST)

    def end(process: subprocess.Popen[str], mark: str) -> None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        print(f"{name}, {sent.name} after {moment:.2f} s to one of {len(marked(mark))} processes")
        process.send_signal(sent)

    code, errors, left = how_it_ends(commands[name], end)
    assert left == {}
    assert code in (-sent, 128 + sent)
    if sent != signal.SIGKILL:
        assert errors.strip() in ("", "Terminated.")  # the newline is for ^C; click writes it


@LINUX
@pytest.mark.parametrize("moment", ["watch", "_run"])
@pytest.mark.parametrize("sent", SIGNALS)
def test_a_signal_before_the_command_runs_ends_it_in_order(moment, sent):
    end = f"lambda: os.kill(os.getpid(), {sent:d})"
    ended = run(f"import os\nfrom pylogic_sudoku import cli\ncli.{moment} = {end}\ncli.main()")
    said = "Interrupted." if sent == signal.SIGINT else "Terminated."
    assert (ended.returncode, ended.stderr.strip()) == (128 + sent, said)


@pytest.mark.one_in(4)
@LINUX
@pytest.mark.parametrize(
    ("name", "sent"),
    [
        *product(("count", "check", "script"), (signal.SIGTERM, signal.SIGKILL)),
        *product(("solve by Prolog", "cell"), (signal.SIGHUP, signal.SIGKILL)),
    ],
)
def test_all_processes_end_with_the_one_that_started_them(commands, name, sent):
    code, errors, left = how_it_ends(
        commands[name], lambda process, mark: os.kill(at_work(process, mark), sent)
    )
    assert left == {}
    if sent != signal.SIGKILL and commands[name][1:3] == MODULE[1:]:
        assert (code, errors) == (128 + sent, "\nTerminated.\n")
    else:
        assert code == -sent


@pytest.mark.one_in(2)
@LINUX
@pytest.mark.parametrize(
    ("name", "to"),
    [
        *product(("count", "solve"), (os.killpg,)),
        *product(("check", "check Prolog"), (os.killpg, os.kill)),
        pytest.param("check two", os.kill, marks=pytest.mark.slow),
    ],
)
def test_ctrl_c_leaves_neither_processes_nor_files(commands, name, to, tmp_path, monkeypatch):
    """A terminal sends it to the workers too, which must print nothing."""
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    ended = how_it_ends(
        commands[name],
        lambda process, mark: to(at_work(process, mark), signal.SIGINT),
        start_new_session=True,
    )
    assert ended == (130, "\nInterrupted.\n", {})
    assert list(temporary.iterdir()) == []


def test_a_stop_is_not_lost_where_python_ignores_exceptions():
    """A callback of a weak reference is such a place; imports have some."""
    ended = run(
        """
        import signal, weakref
        from pylogic_sudoku.running.workers import heed_stops, stopped
        class Module: pass
        module = Module()
        reference = weakref.ref(module, lambda _: signal.raise_signal(signal.SIGTERM))
        with heed_stops():
            try:
                del module
                for _ in range(10**8):
                    pass
                print("lost")
            except KeyboardInterrupt:
                print("stopped by", stopped())
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "stopped by 15\n", "")


class Interrupting(list[Any]):
    """Idle threads: Ctrl-C comes when one of them has just been taken."""

    def pop(self, *_: Any) -> Any:
        thread = super().pop()
        signal.raise_signal(signal.SIGINT)
        return thread


def test_ctrl_c_while_a_thread_is_taken_loses_neither_thread_nor_search():
    workers, ended = Workers("test"), []
    assert workers.call(lambda: 1, Budget("test", None), lambda: None) == 1
    assert soon(lambda: len(workers._idle) == 1)
    workers._idle = Interrupting(workers._idle)
    with pytest.raises(KeyboardInterrupt):
        workers.call(lambda: ended.append(True), Budget("test", None), lambda: None)
    assert soon(lambda: len(workers._idle) == 1)
    assert ended == [True]


def test_a_trace_ends_even_if_clingo_ends_without_a_word():
    from pylogic_sudoku.engines.clingo import ground_per_question
    from pylogic_sudoku.engines.clingo.instances import ClingoInstances

    class Silent:
        """A control that does not say when it has finished."""

        def __init__(self, control: Any) -> None:
            self._control = control

        def solve(self, *, on_finish: Any, **options: Any) -> Any:
            return self._control.solve(**options)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._control, name)

    queens = pls.Problem("queens")
    engine = ClingoInstances("clingo", queens.path("clingo"), queens.outputs)

    def make() -> Any:
        program = engine.grounding(queens.instance("size(4)."))()
        program.control = Silent(program.control)
        return program

    events = list(ground_per_question.events(ground_per_question.session_here(), make))
    assert events[-1].kind == "solution"


def test_a_group_is_killed_only_while_its_number_is_its_own(tmp_path, monkeypatch):
    """Once a process has been waited for, another one may have its number."""
    killed = []
    monkeypatch.setattr(os, "killpg", lambda group, _number: killed.append(group))
    for seconds, code in ((100, 3), (0.0, None)):
        command = [sys.executable, "-c", "import sys; sys.stdin.read(); sys.exit(3)"]
        ended = process.run(command, process.Limits(seconds, 0), tmp_path, tmp_path / "errors")
        assert ended.code == code
    assert len(killed) == 2
    done = process.started([sys.executable, "-c", ""])
    done.wait()
    process.kill(done)
    assert len(killed) == 2
