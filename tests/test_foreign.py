"""Programs that are not ours: nothing of them is left for the next question, or in this process."""

from __future__ import annotations

import gc
import io
import os
import pickle
import signal
import subprocess
import sys
from uuid import uuid4

import pytest
from helpers.command_line import run
from helpers.problems import CLPFD, written
from helpers.processes import LINUX, MARK, marked, soon
from helpers.puzzles import FOUR

import pylogic_sudoku as pls
from benchmarks import state
from pylogic_sudoku.engines.servers import SERVERS
from pylogic_sudoku.reasons.refusal import refusal
from pylogic_sudoku.rules.own import define
from pylogic_sudoku.running import foreign, forking
from pylogic_sudoku.running import workers as running

QUESTIONS = {
    "solve": pls.solve,
    "solutions": lambda *question: list(pls.solutions(*question)),
    "count": pls.count,
    "propagate": pls.propagate,
    "measure": pls.measure,
    "trace": lambda *question: list(pls.trace(*question)),
    "refusal": lambda instance, backend: refusal(instance, OTHER, backend),
}
OTHER = pls.Answer([pls.Atom("p", (2,))])


# --- nothing is left for the next question ---


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", state.PROGRAMS)
def test_an_answer_does_not_depend_on_the_questions_before(tmp_path, name):
    problem = state.written(tmp_path, name)
    first, second = (problem.instance(f"n({number}).") for number in (1, 2))
    answers = [str(pls.solve(each, "prolog")) for each in (second, first, second, second)]
    assert answers == [state.FRESH, "p(1,0).", state.FRESH, state.FRESH]
    many = pls.solve_many([first, second, second], "prolog")
    assert [str(each) for each in many] == ["p(1,0).", state.FRESH, state.FRESH]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [2, 3])
def test_an_answer_does_not_depend_on_the_process(tmp_path, jobs):
    for name in state.PROGRAMS:
        problem = state.written(tmp_path, name)
        instances = [problem.instance(f"n({1 + number % 2}).") for number in range(8)]
        answers = [str(each) for each in pls.solve_many(instances, "prolog", jobs=jobs)]
        assert answers == ["p(1,0).", state.FRESH] * 4, name


KEEPING = """
:- use_module(library(clpfd)).
:- dynamic seen/1.
sudoku(Rows) :-
    ( seen(_) -> fail ; true ), assertz(seen(yes)),
    length(Rows, N), maplist(same_length(Rows), Rows), append(Rows, Cells), Cells ins 1..N,
    maplist(all_distinct, Rows), transpose(Rows, Columns), maplist(all_distinct, Columns),
    maplist(label, Rows).
"""


def test_a_sudoku_program_of_somebody_else_leaves_nothing(tmp_path):
    (tmp_path / "keeping.pl").write_text(KEEPING)
    backend = f"prolog:{tmp_path}/keeping.pl"
    latin = "1234" + "." * 12
    assert [pls.count(latin, backend) for _ in range(3)] == [24] * 3
    assert list(pls.trace(latin, backend)) == list(pls.trace(latin, backend))


# --- what ends a process ---

ENDS = {
    "at load": "answer([p(1)]). :- halt.",
    "with a code": "answer([p(1)]). :- prolog:halt(3).",
    "in initialization": ":- initialization(main).\nmain :- halt.\nanswer([p(1)]).",
    "in answer": "answer([p(1)]) :- halt.",
    "after an answer": "answer([p(1)]). answer([p(2)]) :- halt.",
    "in model": f"{CLPFD}model([p-X]) :- X in 1..2, halt.",
    "in labeling": f"{CLPFD}model([p-X]) :- X in 1..2, freeze(X, halt).",
    "of a thread": "answer([p(1)]) :- thread_exit(yes).",
    "at once": "answer([p(1)]) :- py_call(os:'_exit'(7)).",
}
HALTS = r"the program ended its process.*: it seems to call halt, .*; remove it$"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("where", ENDS)
def test_halt_is_an_error_of_that_question_alone(tmp_path, where):
    problem = written(tmp_path / "ends", ends_pl=ENDS[where], ends_lp="p(2). #show p/1.")
    instance = problem.instance("n(3).")
    for name in ("solutions", "count"):
        with pytest.raises(pls.BackendFailure, match=HALTS):
            QUESTIONS[name](instance, "prolog")
    assert str(pls.solve(instance, "clingo")) == "p(2)."
    assert pls.count(pls.Problem("queens").instance("size(6)."), "prolog") == 4


@pytest.mark.one_in(5)
@pytest.mark.parametrize("where", ["at load", "in model", "in labeling"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_halt_is_an_error_of_every_question(tmp_path, where, question):
    if question == "propagate" and where == "in labeling":
        return  # which asks for less than a search
    problem = written(tmp_path / "ends", ends_pl=ENDS[where], ends_lp="p(2). #show p/1.")
    instance = problem.instance("n(3).")
    with pytest.raises(pls.BackendFailure, match=HALTS):
        QUESTIONS[question](instance, "prolog")


SUDOKU_ENDS = {
    "at load": "sudoku(_). label.\n:- halt.",
    "in the search": f"""{CLPFD}
        sudoku(R) :- append(R, C), C ins 1..4, last(C, X), freeze(X, halt), label([X]).""",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("question", [each for each in QUESTIONS if each != "refusal"])
@pytest.mark.parametrize("where", SUDOKU_ENDS)
def test_halt_in_a_program_for_sudokus_is_an_error(tmp_path, where, question):
    if question == "propagate" and where == "in the search":
        return  # which asks for less than a search
    (tmp_path / "ends.pl").write_text(SUDOKU_ENDS[where])
    with pytest.raises(pls.BackendFailure, match=HALTS):
        QUESTIONS[question](FOUR, f"prolog:{tmp_path}/ends.pl")
    assert pls.solve(FOUR, "prolog") == pls.solve(FOUR, "clingo")


def test_halt_in_a_rule_of_somebody_else_is_an_error():
    ends = define("ends", prolog="rule(ends, Fields, Grid) :- cells(Fields, Grid, _), halt.")
    with pytest.raises(pls.BackendFailure, match=HALTS):
        pls.solve(pls.Puzzle("." * 16, rules=[ends("r1c1")]), "prolog")
    assert pls.count("." * 16, "prolog") == 288


@pytest.mark.one_in(2)
@pytest.mark.parametrize("command", ["compare", "solve -b prolog", "count -b prolog"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_halt_ends_a_command_with_an_error(tmp_path, command, jobs):
    written(tmp_path / "ends", ends_pl=ENDS["in initialization"], ends_lp="p(2). #show p/1.")
    word, *options = command.split()
    done = run(word, "-p", tmp_path / "ends", *options, "--jobs", jobs, "n(3).")
    assert done.returncode == 3
    assert "it seems to call halt" in done.stderr
    assert "p(" not in done.stdout


SIGNALS = {"KILL": "SIGKILL", "SEGV": "SIGSEGV", "TERM": "SIGTERM", "USR1": "SIGUSR1"}


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_that_a_program_sends_itself_is_an_error(tmp_path, number):
    text = f"""answer([p(1)]) :-
        current_prolog_flag(pid, P), format(atom(A), 'kill -{number} ~w; sleep 5', P), shell(A)."""
    instance = written(tmp_path / "ends", ends_pl=text).instance("n(3).")
    with pytest.raises(pls.BackendFailure, match=f"the program was ended by {SIGNALS[number]}"):
        pls.solve(instance, "prolog")


def test_abort_and_exceptions_at_the_end_are_errors_or_nothing(tmp_path):
    instance = written(tmp_path / "a", a_pl="answer([p(1)]) :- abort.").instance("n(3).")
    with pytest.raises(pls.BackendFailure, match="Execution Aborted"):
        pls.solve(instance, "prolog")
    text = ":- at_halt(throw(x)).\nanswer([p(1)])."
    assert str(pls.solve(written(tmp_path / "b", b_pl=text).instance("n(3)."), "prolog")) == "p(1)."


def test_what_a_program_prints_is_no_answer(tmp_path, capfd):
    text = ":- writeln(loading).\nanswer([p(1)]) :- writeln(hello), format(user_error, 'x~n', [])."
    problem = written(tmp_path / "prints", prints_pl=text)
    assert pls.count(problem.instance("n(3)."), "prolog") == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err.split() == ["loading", "hello", "x"]


# --- helper files ---


def test_an_edited_helper_is_read_anew(tmp_path):
    for directive in ("use_module(help)", "include(help)", "ensure_loaded(help)", "consult(help)"):
        module = ":- module(help, [h/1]).\n" if "module" in directive else ""
        folder = tmp_path / directive.partition("(")[0]
        (folder / "help.pl").parent.mkdir()
        text = f":- {directive}.\nanswer([p(X)]) :- h(X)."
        problem = written(folder, **{f"{folder.name}_pl": text})
        for number in (1, 2, 3):
            (folder / "help.pl").write_text(f"{module}h({number}{'0' * number}).")
            answer = pls.solve(problem.instance("n(1)."), "prolog")
            assert str(answer) == f"p({number}{'0' * number})."


def test_folders_and_programs_may_have_helpers_of_one_name(tmp_path):
    for name, number in (("ha", 1), ("hb", 2)):
        written(
            tmp_path / name,
            **{f"{name}_pl": ":- use_module(help).\nanswer([p(X)]) :- h(X)."},
            help_pl=f":- module(help, [h/1]).\nh({number}).",
        )
    problems = [pls.Problem(tmp_path / name) for name in ("ha", "hb", "ha", "hb")]
    answers = [str(pls.solve(each.instance("n(1)."), "prolog")) for each in problems]
    assert answers == ["p(1).", "p(2)."] * 2
    text = ":- ensure_loaded(plain).\nanswer([p(X)]) :- h(X)."
    problem = written(tmp_path / "two", two_pl=text, two_other_pl=text, plain_pl="h(1).")
    assert pls.compare(problem.instance("n(1)."), ["prolog", "prolog:two_other"]).agree


# --- limits, and the process that forks ---

ENDLESS = "p(0). p(X+1) :- p(X)."


def processes() -> list[str]:
    """The states of the children of the process that forks, with all below them."""
    from pylogic_sudoku.running._limited import descendants

    return [str(each) for each in descendants(os.getpid())]


@pytest.mark.parametrize("ask", [pls.solve, pls.count, pls.propagate, pls.measure])
def test_a_grounding_that_outlives_its_limit_is_killed(tmp_path, clock, ask):
    instance = written(tmp_path / "inf", inf_lp=ENDLESS).instance("n(1).")
    pls.solve(pls.Problem("queens").instance("size(4)."))
    before = set(processes())
    clock.over = True
    with pytest.raises(pls.SolveTimeout):
        ask(instance, timeout=3)
    clock.over = False
    assert soon(lambda: set(processes()) <= before)
    assert pls.count(pls.Problem("queens").instance("size(6).")) == 4


def test_a_closed_search_ends_its_process(tmp_path):
    text = "answer([p(1)]). answer([p(2)]) :- repeat, fail."
    instance = written(tmp_path / "mine", mine_pl=text).instance("n(1).")
    pls.count(pls.Problem("queens").instance("size(4)."), "prolog")
    answers = pls.solutions(instance, "prolog")
    assert str(next(answers)) == "p(1)."
    before = len(processes())
    answers.close()
    gc.collect()
    assert soon(lambda: len(processes()) < before)


SCRIPT = """
import pylogic_sudoku as pls, sys
problem = pls.Problem(sys.argv[1])
try:
    pls.solve(problem.instance("n(1)."), timeout=0.3)
except pls.SolveTimeout as error:
    print(error)
print(pls.count(pls.Problem("queens").instance("size(6)."), "prolog"))
"""


@pytest.mark.parametrize("times", [pytest.param(1), pytest.param(100, marks=pytest.mark.slow)])
def test_a_script_ends_well_after_a_time_limit(tmp_path, times):
    written(tmp_path / "inf", inf_lp=ENDLESS)
    for _ in range(times):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, tmp_path / "inf"], capture_output=True, text=True
        )
        said, number = done.stdout.splitlines()
        assert said.startswith("clingo gave no answer within 0.3 s")
        assert (done.returncode, number, done.stderr) == (0, "4", "")


@pytest.mark.slow
def test_a_time_limit_names_the_grounding(tmp_path):
    instance = written(tmp_path / "inf", inf_lp=ENDLESS).instance("n(1).")
    pls.count(pls.Problem("queens").instance("size(4)."))  # the process that forks is there
    for ask in (pls.solve, pls.count, pls.propagate):
        with pytest.raises(pls.SolveTimeout) as late:
            ask(instance, timeout=1)
        assert str(late.value).startswith("clingo gave no answer within 1 s")
        assert str(late.value).endswith(", while grounding the program")


def test_a_process_that_forks_is_started_again(tmp_path):
    instance = pls.Problem("queens").instance("size(6).")
    for backend, server in SERVERS.items():
        assert pls.count(instance, backend) == 4
        process = server._process
        assert process
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert pls.count(instance, backend) == 4


def test_a_fork_of_this_process_has_a_server_of_its_own():
    instance = pls.Problem("queens").instance("size(6).")
    assert pls.count(instance, "prolog") == 4
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.write(writer, str(pls.count(instance, "prolog")).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    with open(reader) as file:
        assert file.read() == "4"
    os.waitpid(child, 0)
    assert pls.count(instance, "prolog") == 4


def test_the_same_work_is_done_inline(monkeypatch):
    """As in a process that exists for one question."""
    monkeypatch.setattr(running, "inline", True)
    instance = pls.Problem("queens").instance("size(6).")
    assert pls.count(instance, "clingo") == 4
    assert len(list(pls.solutions(instance, "clingo"))) == 4


@pytest.mark.parametrize("engine", ["clingo", "prolog"])
def test_a_question_names_nothing_that_its_child_must_import(tmp_path, monkeypatch, engine):
    """Each new child would import it again; only a refusal, which takes long, may."""
    requests = []

    def message(kind, data):
        packed = forking.message(kind, data)
        requests.append(packed[forking.HEADER.size :])
        return packed

    monkeypatch.setattr(foreign, "message", message)
    (tmp_path / "one.lp").write_text("p(1). #show p/1.")
    (tmp_path / "one.pl").write_text(f"{CLPFD}model([p-X]) :- X in 1..1.")
    instance = pls.Problem(tmp_path).instance()
    asked = {name: ask for name, ask in QUESTIONS.items() if name != "refusal"}
    for ask in (*asked.values(), pls.candidates):
        ask(instance, engine)
    script = """
import pickle, sys
from importlib import import_module
from pylogic_sudoku.running import forking
module, _, name = sys.argv[1].partition(":")
getattr(import_module(module), name)()
here = set(sys.modules)
for request in pickle.load(sys.stdin.buffer):
    pickle.loads(request)
print(*sorted(set(sys.modules) - here))
"""
    command = [sys.executable, "-c", script, SERVERS[engine]._prepare]
    done = subprocess.run(command, input=pickle.dumps(requests), capture_output=True, check=True)
    assert len(requests) > len(asked)
    assert done.stdout.decode().strip() == ""


def test_a_problem_is_read_when_it_is_needed_in_another_process(tmp_path):
    (tmp_path / "one.lp").write_text("p(1). #show p/1.")
    problem = pls.Problem(tmp_path, {"clingo": ["--seed=1"]})
    packed = pickle.dumps(problem)
    (tmp_path / "one.lp").unlink()
    again = pickle.loads(packed)
    assert again == problem
    assert again.chosen_search == problem.chosen_search
    assert not again.paths


def test_only_values_are_read_from_a_child():
    for value in ({1, 2}, (1, "a", None), pls.Atom("p", (1,)), pls.Answer([pls.Atom("p")], [3])):
        assert foreign._Values(io.BytesIO(pickle.dumps(value))).load() == value
    with pytest.raises(pickle.UnpicklingError, match=r"posix\.system is no value"):
        foreign._Values(io.BytesIO(pickle.dumps(os.system))).load()


def test_without_fork_programs_run_in_threads_of_this_process(monkeypatch, clock):
    monkeypatch.setattr(foreign, "FORKS", False)
    queens = pls.Problem("queens")
    instance = queens.instance("size(6).")
    for backend in ("clingo", "prolog"):
        assert len(set(pls.solutions(instance, backend))) == pls.count(instance, backend) == 4
        clock.over = True
        with pytest.raises(pls.SolveTimeout):
            pls.count(queens.instance("size(20)."), backend, timeout=3)
        clock.over = False
    other = pls.Answer([pls.Atom("queen", (row, row)) for row in range(1, 7)])
    assert refusal(instance, other, "clingo").kind == "excluded"


# --- whatever the process that asks is like ---

ASKS = """
import os, signal, socket
import pylogic_sudoku as pls
D = f"/tmp/gone-{{os.getpid()}}"
instance = pls.Problem("queens").instance("size(6).")
{0}
print(pls.count(instance, "clingo"), pls.count(instance, "prolog"))
"""
STATES = {
    "closed output": ("os.dup2(1, 9); os.close(1)", "os.dup2(9, 1)"),
    "closed errors": ("os.close(2)", ""),
    "closed streams": ("os.dup2(1, 9); [os.close(each) for each in (0, 1, 2)]", "os.dup2(9, 1)"),
    "a default timeout": ("socket.setdefaulttimeout(5)", ""),
    "no working directory": ("os.mkdir(D); os.chdir(D); os.rmdir(D)", ""),
    "a blocked signal": ("signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})", ""),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("state", STATES)
def test_the_state_of_the_process_that_asks_does_not_matter(state):
    before, after = STATES[state]
    text = ASKS.format(before).replace("print(", "n = (").rstrip() + f"\n{after}\nprint(*n)\n"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "4 4\n"), done.stderr


def test_a_program_has_the_folder_and_the_environment_of_the_process_that_asks(
    tmp_path, monkeypatch
):
    text = """answer([p(D,E)]) :-
        working_directory(D, D), ( getenv('OF_A_TEST', E) -> true ; E = none )."""
    instance = written(tmp_path / "mine", mine_pl=text).instance("")
    for name, value in (("a", "one"), ("b", "two")):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        monkeypatch.setenv("OF_A_TEST", value)
        assert str(pls.solve(instance, "prolog")) == f'p("{tmp_path / name}/",{value}).'
    monkeypatch.delenv("OF_A_TEST")
    assert str(pls.solve(instance, "prolog")) == f'p("{tmp_path}/b/",none).'


def test_a_file_and_a_thread_of_a_program_are_those_of_each_question(tmp_path):
    (tmp_path / "data").write_text("t(1). t(2). t(3). ")
    text = f""":- dynamic in/1.
        :- open('{tmp_path / "data"}', read, S), assertz(in(S)).
        answer([p(X,Y)]) :- in(S), read(S, t(X)), read(S, t(Y))."""
    instance = written(tmp_path / "mine", mine_pl=text).instance("")
    assert [str(pls.solve(instance, "prolog")) for _ in range(3)] == ["p(1,2)."] * 3
    text = """serve :- thread_get_message(ask(From)), thread_send_message(From, told), serve.
        answer([p(X)]) :-
            thread_self(Me), thread_send_message(server, ask(Me)), thread_get_message(X).
        :- thread_create(serve, _, [alias(server)])."""
    instance = written(tmp_path / "threads", threads_pl=text).instance("")
    assert [str(pls.solve(instance, "prolog", timeout=60)) for _ in range(3)] == ["p(told)."] * 3


def test_what_is_printed_without_an_end_of_line_appears(tmp_path, capfd):
    text = "answer([p(1)]) :- write(begun). answer([p(2)])."
    instance = written(tmp_path / "prints", prints_pl=text).instance("")
    assert pls.count(instance, "prolog") == 2
    assert capfd.readouterr().err == "begun"


@LINUX
def test_what_a_program_has_started_ends_with_it(tmp_path, monkeypatch):
    mark = uuid4().hex
    monkeypatch.setenv(MARK, mark)
    text = "answer([p(1)]) :- shell('sleep 1000 &'), halt."
    instance = written(tmp_path / "starts", starts_pl=text).instance("")
    with pytest.raises(pls.BackendFailure, match=HALTS):
        pls.solve(instance, "prolog")
    assert soon(lambda: not any("sleep" in each for each in marked(mark).values()))
