"""SWI-Prolog as WebAssembly: the same answers, and nothing left of a question, however it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.problems import CLPFD, queens, written
from helpers.processes import LINUX, interrupted, run, soon
from helpers.puzzles import FOUR

import pylogic_sudoku as pls
from benchmarks import state
from pylogic_sudoku.cli import options
from pylogic_sudoku.engines import registry
from pylogic_sudoku.engines.prolog import hosts, swipl
from pylogic_sudoku.engines.prolog.search import Search
from pylogic_sudoku.problem.folder import bundled
from pylogic_sudoku.running import children, prolog, wasm
from pylogic_sudoku.running.notices import collected
from pylogic_sudoku.running.wasm import ISOLATES, Isolate

WASM = "prolog-wasm"
HERE = pytest.mark.skipif(
    not wasm.is_installed(), reason=f"no SWI-Prolog as WebAssembly here: {wasm.installing()}"
)
BOUND = CLPFD + "model([p-X]) :- X in 1..2.\n"


@pytest.fixture
def ended():
    """Processes that are there no more."""
    yield
    ISOLATES.end()


def ask(tmp_path: Path, text: str, name: str = "mine") -> pls.Instance:
    return written(tmp_path / name, **{f"{name}_pl": CLPFD + text}).instance("")


# --- answers ---


@HERE
def test_it_gives_all_answers_to_an_instance_each_once():
    board = pls.Problem("queens").instance("size(6).")
    found = list(pls.solutions(board, WASM))
    assert (len(found), set(found)) == (4, queens(6))
    assert pls.count(board, WASM) == 4
    assert pls.count(board, WASM, limit=3) == 3
    assert pls.solve(board, WASM) in queens(6)
    assert pls.compare(board, ["clingo", WASM], None).agree


@HERE
def test_a_long_count_has_no_answer_twice():
    assert pls.count("." * 16, WASM) == 288


@HERE
def test_it_knows_marks_and_rules_of_sudokus():
    assert str(pls.solve(FOUR, WASM)) == str(pls.solve(FOUR))
    puzzle = pls.Puzzle(pls.Grid.parse("." * 16), rules=[pls.rules.AntiKnight()])
    assert pls.compare(puzzle, ["clingo", WASM], None).agree


@HERE
def test_it_shows_its_work_and_says_why_it_refuses():
    board = pls.Problem("queens").instance("size(4).")
    assert pls.measure(board, WASM).solution in queens(4)
    assert pls.propagate(board, WASM) == pls.propagate(board, "prolog")
    assert list(pls.trace(board, WASM)) == list(pls.trace(board, "prolog"))
    asked = (board, pls.Answer([pls.Atom("queen", (1, 1))]))
    refusal = pls.refusal(*asked, WASM)
    assert str(refusal).replace(WASM, "prolog") == str(pls.refusal(*asked, "prolog"))


@HERE
def test_large_integers_and_texts_arrive_as_they_are(tmp_path):
    text = "model([p(\"a 'b' é\\n\", f(x))-X]) :- X #= 10^30.\n"
    instance = ask(tmp_path, text)
    (answer,) = pls.solutions(instance, WASM)
    assert answer == pls.solve(instance, "prolog")
    assert 10**30 in next(iter(answer)).arguments


@HERE
def test_a_program_loads_files_beside_it(tmp_path):
    instance = ask(tmp_path, ":- include(more).\nmodel([p-X]) :- more(X).\n")
    more = tmp_path / "mine" / "more.pl"
    for values in ("1..2", "1..5"):
        more.write_text(f"more(X) :- X in {values}.\n")
        assert pls.count(instance, WASM) == int(values[-1])


# A queue of messages needs threads.
@HERE
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", [each for each in state.PROGRAMS if each != "queue"])
def test_an_answer_does_not_depend_on_the_questions_before(tmp_path, name):
    problem = state.written(tmp_path, name)
    first, second = (problem.instance(f"n({number}).") for number in (1, 2))
    answers = [str(pls.solve(each, WASM)) for each in (second, first, second, second)]
    assert answers == [state.FRESH, "p(1,0).", state.FRESH, state.FRESH]


@HERE
@pytest.mark.slow
@pytest.mark.parametrize("name", [each.name for each in bundled()])
def test_it_agrees_on_every_bundled_problem(name):
    problem = pls.Problem(name)
    for instance in list(problem.instances.values())[:3]:
        for program in [each for each in problem.paths if each.startswith("prolog")]:
            engines = [program, program.replace("prolog", WASM)]
            assert pls.compare(instance, engines, limit=20).agree, (instance, program)


# --- what ends, and what is left ---

FOUND = "answer([p(3)], 3).\n"
HUGE = "huge(N, A) :- N > 0, _ is A*A mod 7, M is N-1, huge(M, A).\n"  # there is no heartbeat in it


@pytest.fixture
def late(clock, monkeypatch):
    """Let the time of a search be over as soon as it has found the answer p(3)."""
    improve = Search.improve

    def improve_to_the_end(search, what, data):
        improve(search, what, data)
        clock.over = clock.over or data[0] == [3]

    monkeypatch.setattr(Search, "improve", improve_to_the_end)
    return clock


def process() -> subprocess.Popen[bytes]:
    """The only process, which waits for a question."""
    assert soon(lambda: len(ISOLATES._idle) == 1 and not ISOLATES._lent)
    return ISOLATES._idle[0]._process


@HERE
@pytest.mark.parametrize(
    ("then", "stays"),
    [("repeat, fail", True), ("A is 7**(7**8), huge(2000, A)", False)],
    ids=["a loop", "a computation"],
)
def test_a_search_ends_with_its_time(tmp_path, late, then, stays):
    ISOLATES.end()
    assert pls.count(ask(tmp_path, BOUND), WASM) == 2
    before = process()
    late.over = False
    with pytest.raises(pls.SolveTimeout) as caught:
        pls.solve(ask(tmp_path, f"{FOUND}answer([p(1)], 1) :- {then}.\n{HUGE}"), WASM, timeout=1)
    assert caught.value.best == pls.Answer([pls.Atom("p", (3,))])
    late.over = False
    assert soon(lambda: not ISOLATES._lent)
    assert (before.poll() is None) == stays
    assert pls.count(ask(tmp_path, BOUND), WASM) == 2
    assert (process() is before) == stays


@HERE
@pytest.mark.slow
def test_ctrl_c_stops_a_search_and_the_next_question_is_answered(tmp_path):
    ask(tmp_path, "answer([p(3)], 3).\nanswer([p(1)], 1) :- repeat, fail.\n", "endless")
    ask(tmp_path, BOUND)
    done = interrupted(f"""
        from pylogic_sudoku.engines.prolog.search import Search
        improve = Search.improve
        def hear(search, *told):
            improve(search, *told)
            os.write(1, b"ready\\n")
        Search.improve = hear
        try:
            pls.solve(pls.Problem({str(tmp_path / "endless")!r}).instance(""), "{WASM}")
        except KeyboardInterrupt as error:
            print(error.best)
        print(pls.count(pls.Problem({str(tmp_path / "mine")!r}).instance(""), "{WASM}"))
    """)
    assert (done.returncode, done.stdout, done.stderr) == (0, "p(3).\n2\n", "")


@HERE
@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "model(_) :- length(L, 100_000_000), L = [p-1|_].\n",
        "model([p-X]) :- f(X).\nf(X) :- f(Y), X is Y+1.\n",
        "model(_) :- numlist(1, 300_000, L), g(0, L).\n"
        "g(N, L) :- M is N+1, assertz(h(M, L)), g(M, L).\n:- dynamic h/2.\n",
    ],
    ids=["stack", "recursion", "heap"],
)
def test_a_program_without_memory_is_an_error_of_one_question(tmp_path, text):
    with pytest.raises(pls.BackendFailure):
        pls.solve(ask(tmp_path, text), WASM)
    assert pls.count(ask(tmp_path, BOUND), WASM) == 2


@HERE
@pytest.mark.slow
def test_a_program_that_halts_is_an_error_of_one_question(tmp_path):
    with pytest.raises(pls.BackendFailure, match="it seems to call halt"):
        pls.solve(ask(tmp_path, "model(_) :- halt.\n"), WASM)
    assert pls.count(ask(tmp_path, BOUND), WASM) == 2


@HERE
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "call",
    [
        "X := 'Math'.max(1, 2)",
        'X := eval("1+1")',
        'X := tell(eval("cells[0] = 1"), 1, 1)',
        'window[ask] := "broken", X = 1',
        'js_run_script("globalThis.ask = () => 1"), X = 2, fail',
    ],
)
def test_a_program_does_not_reach_javascript(tmp_path, call):
    text = f":- use_module(library(wasm)).\nanswer([p(X)]) :- catch(({call}), _, fail).\n"
    assert pls.solve(ask(tmp_path, text), WASM) is None
    assert pls.count(ask(tmp_path, BOUND), WASM) == 2


@HERE
def test_a_file_that_is_missing_is_named(tmp_path):
    with pytest.raises(pls.BackendFailure, match=r"mine\.pl:2: .*`missing' does not exist"):
        pls.solve(ask(tmp_path, ":- use_module(missing).\nmodel([p-1]).\n"), WASM)


@HERE
def test_it_holds_no_library_under_the_gpl(tmp_path):
    text = ":- use_module(library(clpr)).\nmodel([p-1]).\n"
    with pytest.raises(pls.BackendFailure, match=r"library\(clpr\) is not part of the SWI-Prolog"):
        pls.solve(ask(tmp_path, text), WASM)


@HERE
def test_it_runs_other_programs_of_sudoku(tmp_path):
    assert str(pls.solve(FOUR, f"{WASM}:first_fail")) == str(pls.solve(FOUR))
    own = tmp_path / "own.pl"
    own.write_text("sudoku(Rows, _) :- sudoku(Rows).\nsudoku(_) :- fail.\n")
    assert pls.solve(FOUR, f"{WASM}:{own}") is None


@HERE
def test_what_a_program_prints_is_no_answer(tmp_path, capsys):
    assert pls.count(ask(tmp_path, "model([p-1]) :- writeln(hello).\n"), WASM) == 1
    out, err = capsys.readouterr()
    assert (out, "hello" in err) == ("", True)


@HERE
@pytest.mark.slow
def test_searches_can_be_open_at_the_same_time(ended):
    board = pls.Problem("queens").instance("size(6).")
    pairs = zip(pls.solutions(board, WASM), pls.solutions(board, WASM), strict=True)
    assert {one for one, other in pairs if one == other} == queens(6)


@HERE
@LINUX
@pytest.mark.slow
def test_a_fork_has_processes_of_its_own():
    done = run(f"""
        import warnings
        warnings.simplefilter("ignore")  # about threads and forks
        from pylogic_sudoku.running.wasm import ISOLATES
        print(pls.count("." * 16, "{WASM}"), flush=True)
        if (child := os.fork()) == 0:
            print(pls.count("." * 16, "{WASM}"), flush=True)
            ISOLATES.end()
            os._exit(0)
        os.waitpid(child, 0)
        print(pls.count("." * 16, "{WASM}"), len(ISOLATES._idle))
    """)
    assert (done.returncode, done.stdout) == (0, "288\n288\n288 1\n"), done.stderr


@HERE
@LINUX
@pytest.mark.slow
def test_its_processes_end_with_this_one():
    done = run(f"""
        from pylogic_sudoku.running.wasm import ISOLATES
        print(pls.count("." * 16, "{WASM}"))
        print(ISOLATES._idle[0]._process.pid, flush=True)
        os._exit(0)
    """)
    number, pid = done.stdout.split()
    assert number == "288"
    assert soon(lambda: not Path(f"/proc/{pid}").exists())


# --- where it answers for the native one ---


def test_prolog_is_the_native_one_where_that_is_installed():
    assert not hosts.is_wasm("prolog")
    assert hosts.is_wasm(WASM)


@pytest.fixture
def alone(monkeypatch):
    """No native Prolog, and that as WebAssembly."""
    monkeypatch.delitem(sys.modules, "janus_swi", raising=False)
    monkeypatch.setattr(hosts, "is_installed", lambda: False)
    monkeypatch.setattr(prolog, "is_installed", lambda: False)
    monkeypatch.setattr(wasm, "is_installed", lambda: True)
    hosts._tell.cache_clear()
    yield
    hosts._tell.cache_clear()


def test_without_a_native_one_prolog_is_this_one_and_says_so_once(alone):
    with collected() as told:
        assert hosts.search_class("prolog:mine.pl").__name__ == "WasmSearch"
        assert hosts.search_class("prolog").__name__ == "WasmSearch"
        assert hosts.is_wasm("prolog")
    (message,) = told
    assert "prolog is SWI-Prolog as WebAssembly" in message.text


@HERE
def test_questions_to_prolog_are_then_answered_by_it(alone, tmp_path):
    board = pls.Problem("queens").instance("size(6).")
    with collected() as told:
        comparison = pls.compare(board, limit=None)
        assert pls.compare("." * 16, limit=3).agree
    assert (comparison.agree, [*comparison.answers]) == (True, ["clingo", "prolog"])
    assert len(told) == 1
    assert hosts.version("prolog", True) == hosts.version(WASM, True)
    assert pls.count(ask(tmp_path, BOUND), f"prolog:{tmp_path / 'mine' / 'mine.pl'}") == 2


def test_the_grader_needs_no_other(alone, monkeypatch):
    monkeypatch.setattr(children, "swipl", lambda: None)
    children.check_prolog()
    monkeypatch.setattr(wasm, "is_installed", lambda: False)
    with pytest.raises(pls.BackendUnavailable, match="there is no swipl here"):
        children.check_prolog()


def test_doctor_then_names_it(alone, monkeypatch):
    def none():
        raise pls.BackendUnavailable("none")

    monkeypatch.setattr(swipl.search, "home", none)
    assert swipl.details()["SWI-Prolog"] == f"{wasm.DATA} (as WebAssembly)"


def test_all_engines_are_then_without_a_second_one(alone, monkeypatch):
    installed = {name: each._replace(needs="") for name, each in registry.BUILT_IN.items()}
    monkeypatch.setattr(registry, "BUILT_IN", installed)
    assert registry.built_in() == ["clingo", "prolog", "sat"]
    monkeypatch.setattr(prolog, "is_installed", lambda: True)
    assert registry.built_in() == ["clingo", "prolog", "sat", WASM]


def test_all_engines_of_a_problem_are_two_of_prolog(monkeypatch):
    assert options._mains(pls.Problem("queens"))[:2] == ("clingo", "prolog")
    monkeypatch.setattr(options, "built_in", lambda: ["clingo", "prolog", "sat", WASM])
    assert options._mains(pls.Problem("queens")) == ("clingo", "prolog", WASM)
    assert options._mains(pls.Problem("sudoku"))[-1] == WASM


def test_where_it_is_not_installed_the_error_has_the_remedy(monkeypatch, tmp_path):
    monkeypatch.setattr(wasm, "DATA", tmp_path)
    with pytest.raises(pls.BackendUnavailable) as caught:
        Isolate()
    assert "make wasm" in caught.value.fix
    (tmp_path / "swipl-web.wasm").touch()
    assert "[wasm]" in wasm.installing()


# --- the process, without V8 ---

PRETENDED = """
import json, sys, os
given = json.loads(sys.stdin.readline())
print(json.dumps([0, {}]), flush=True)
for line in sys.stdin:
    number, function, *arguments = json.loads(line)
    if function == "die":
        os._exit(3)
    if function == "ask":
        print(json.dumps([number, "told", [[7, "better", 1]]]), flush=True)
        outcome = {"answer": arguments, "told": [[7, "bound", 2]]}
    else:
        outcome = {"broken": "halt"} if function == "halt" else True
    print(json.dumps([number, outcome]), flush=True)
"""


@pytest.fixture
def isolate(monkeypatch, tmp_path):
    script = tmp_path / "isolate.py"
    script.write_text(PRETENDED)
    monkeypatch.setattr(wasm, "_SCRIPT", script)
    monkeypatch.setattr(wasm, "is_installed", lambda: True)
    made = Isolate()
    yield made
    made.end()


def test_an_answer_comes_after_what_the_search_has_found(isolate):
    heard = []
    isolate.hears = lambda *told: heard.append(told)
    outcome = isolate.ask("goal", {"Text": "é"})
    assert outcome["answer"] == ['{"goal": "goal", "inputs": {"Text": "\\u00e9"}}']
    assert heard == [(7, "better", 1), (7, "bound", 2)]


@pytest.mark.parametrize(("call", "why"), [("halt", "call halt"), ("die", "has ended")])
def test_a_process_that_breaks_is_not_used_again(isolate, call, why):
    assert isolate.call("keep", "") is True
    with pytest.raises(pls.BackendFailure, match=why):
        isolate.call(call)
    assert not isolate.lives
    assert isolate._process.returncode is not None


def test_the_road_needs_no_posix_system():
    hidden = "fcntl", "resource", "pwd", "grp", "termios"
    code = f"""
        for name in {hidden}:
            sys.modules[name] = None
        del os.fork
        from pylogic_sudoku.engines.prolog import hosts, wasm
        print(hosts.search_class("{WASM}").__name__)
        if {wasm.is_installed()}:
            print(pls.count("." * 16, "{WASM}"))
            print(pls.count(pls.Problem("queens").instance("size(6)."), "{WASM}"))
    """
    done = run(code)
    assert done.stdout.split() == ["WasmSearch", *["288", "4"] * wasm.is_installed()], done.stderr


def test_the_process_imports_nothing_of_the_package():
    text = Path(wasm._SCRIPT).read_text()
    assert "pylogic_sudoku" not in text
    done = subprocess.run(
        [sys.executable, "-I", "-S", wasm._SCRIPT],
        input=b'{"path": [], "data": "", "prolog": "", "megabytes": 1}\n',
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"py_mini_racer" in done.stdout
