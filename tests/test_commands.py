"""Engines that are commands: which run, what they get, and how their output is read."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.command_line import run
from helpers.documents import ROOT, files
from helpers.problems import QUEENS_CLINGCON, QUEENS_LP, QUEENS_PL, queens, written
from helpers.processes import soon

import pylogic_sudoku as pls
from pylogic_sudoku import Answer, Atom
from pylogic_sudoku.engines.command.named import command_named, configuration, is_command
from pylogic_sudoku.engines.command.printed import AtomReader, Output
from pylogic_sudoku.engines.registry import BUILT_IN
from pylogic_sudoku.engines.sudoku import names
from pylogic_sudoku.running.prolog import swipl

CLINGO = f"exec:{shlex.quote(sys.executable)} -m clingo {{program}} {{instance}} {{limit}} --outf=2"
CHOICE = "{ p(1..2) }. #show p/1."
P1, P2 = Atom("p", (1,)), Atom("p", (2,))


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """The user's own configuration, which is empty."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "pylogic-sudoku" / "config.toml"


@pytest.fixture
def board(tmp_path) -> pls.Instance:
    problem = written(tmp_path / "queens", queens_lp=QUEENS_LP, queens_pl=QUEENS_PL)
    return problem.instance("size=6")


Script = Callable[[str], str]


@pytest.fixture
def script(tmp_path) -> Script:
    """The name of an engine that is a script in Python, which gets the limit and the facts."""

    def made(code: str) -> str:
        file = tmp_path / "solver.py"
        file.write_text(f"import os, signal, sys\n{code}\nsys.stdout.flush()\n")
        return f"exec:{shlex.quote(sys.executable)} -IS {file} {{limit}} {{instance}}"

    return made


@pytest.fixture
def choice(tmp_path) -> pls.Instance:
    """An instance whose answers are subsets of two atoms."""
    return written(tmp_path / "choice", choice_lp=CHOICE).instance("")


def json_of(*answers: str, result: str = "SATISFIABLE", more: str = "no", **models: object) -> str:
    """The JSON of clingo for answers, each as atoms, and perhaps costs after a colon."""
    witnesses = []
    for each in answers:
        atoms, colon, costs = each.partition(":")
        witness: dict[str, object] = {"Value": atoms.split()}
        witnesses.append({**witness, "Costs": [*map(int, costs.split())]} if colon else witness)
    counts = {"Number": len(answers), "More": more, **models}
    return json.dumps({"Call": [{"Witnesses": witnesses}], "Result": result, "Models": counts})


# --- the questions -----------------------------------------------------------------------


def test_the_answers_of_a_command_are_those_of_plain_python(board):
    expected = queens(6)
    found = list(pls.solutions(board, CLINGO))
    assert len(found) == len(expected)
    assert set(found) == expected
    assert pls.solve(board, CLINGO) in expected
    assert pls.candidates(board, CLINGO) == frozenset().union(*expected)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 1, 3, 4, 5])
def test_a_limit_is_kept(board, limit):
    assert pls.count(board, CLINGO, limit) == min(limit, 4)
    assert len(list(pls.solutions(board, CLINGO, limit))) == min(limit, 4)


@pytest.mark.parametrize("limit", [2, None])
def test_engines_agree_with_a_command(board, limit):
    found = pls.compare(board, ["clingo", CLINGO], limit)
    assert found.agree
    assert found.answers[CLINGO].complete == (limit is None)


def test_a_command_without_an_answer_stands_alone(board):
    none = "exec:false {instance}"
    found = pls.compare(board, ["clingo", "exec:sh -c 'exit 20' {instance}", "prolog"], None)
    assert found.alone == "exec:sh -c 'exit 20' {instance}"
    assert "stands alone" in str(found)
    (reasons,) = (found.refusals[found.alone],)
    assert "a command does not say why" in str(reasons[min(reasons, key=str)])
    with pytest.raises(pls.BackendFailure, match=r"exit code 1$"):
        pls.solve(board, none)


@pytest.mark.parametrize("limit", [1, None])
def test_one_of_three_stands_alone_on_an_instance(tmp_path, limit):
    problem = written(
        tmp_path / "mine",
        mine_lp="1 { p(1..4) } 1. #minimize { |2*X-5|,X : p(X) }. #show p/1.",
        other_lp="1 { p(1..4) } 1. #minimize { |2*X-3|,X : p(X) }. #show p/1.",
    )
    names = ["clingo", "clingo:other", "clingo --configuration=frumpy"]
    found = pls.compare(problem.instance(""), names, limit)
    assert found.alone == "clingo:other"
    with pytest.raises(pls.Disagreement, match="clingo:other stands alone"):
        found.check()
    options = [word for name in names for word in ("-b", name)]
    limited = ("-n", limit or 0)
    done = run("compare", "-p", problem.folder, *options, *limited, "")
    assert done.returncode == 5
    assert "the engines disagree: clingo:other stands alone" in done.stdout
    assert "clingo:other stands alone: 1 instance" in done.stdout
    done = run("solve", "-p", problem.folder, *options, "-n", 0, "")
    assert done.returncode == 5
    assert "clingo:other stands alone" in done.stderr


def test_an_answer_is_confirmed_by_constraints(tmp_path):
    text = '1 { at(a,red); at("B","red x") } 1. { q }. #show at/2. #show q/0.'
    problem = written(tmp_path / "mine", mine_lp=text)
    instance = problem.instance("")
    [engine] = [pls.engines.choice.engine_for(CLINGO, instance)]
    assert not engine.enumerates(instance)
    right = Answer([Atom("at", ("B", "red x"))])
    wrong = [
        Answer([Atom("at", ("a", "red")), *right]),
        Answer([]),
        Answer([Atom("at", ("a", "blue"))]),
        Answer([Atom("r", (1,))]),
        Answer([Atom("at", ("a", Atom("[]", (1,))))]),
    ]
    assert engine.confirms(instance, Answer([Atom("at", ("a", "red"))]))
    assert engine.rejected(instance, [right, *wrong]) == {*wrong}


@pytest.mark.parametrize(
    "program",
    ["{ p(1..2) }. #minimize { X : p(X) }. #show p/1.", "{ q(1..2) }. #show p(X) : q(X)."],
)
def test_other_answers_are_enumerated(tmp_path, program):
    instance = written(tmp_path / "mine", mine_lp=program).instance("")
    engine = pls.engines.choice.engine_for(CLINGO, instance)
    assert engine.enumerates(instance)
    assert engine.with_limit(1) is engine


@pytest.mark.parametrize("ask", [pls.propagate, pls.measure, pls.trace])
def test_a_command_does_not_show_its_work(board, ask):
    with pytest.raises(pls.BackendUnavailable, match=r"exec:.* cannot show its (work|search)"):
        list(ask(board, CLINGO))


def test_a_command_solves_sudokus():
    assert str(pls.solve("4......3...13...", CLINGO)) == "4312124324313124"
    six = pls.Grid.parse("1....." + "." * 30, box=(2, 3))
    assert pls.count(six, CLINGO, 3) == 3
    assert all(each.is_solution_of(six) for each in pls.solutions(six, CLINGO, 3))
    jigsaw = pls.Puzzle(
        pls.Grid.parse("1......3........"), regions="1112132233243444", marks={"r4c1": "even"}
    )
    assert pls.compare(jigsaw, ["clingo", CLINGO]).agree


def test_a_sudoku_is_filled(script):
    for atoms, why in [
        ("sudoku(1,1,1)", "it leaves r1c2 open"),
        ("sudoku(1,1,1) sudoku(1,1,2)", "two digits in r1c1"),
        ("sudoku(1,1,9)", "row, column and digit from 1 to 4"),
    ]:
        with pytest.raises(pls.BackendFailure, match=why):
            pls.solve("." * 16, script(f"print({atoms!r})"))


# --- what a command gets -----------------------------------------------------------------


def test_a_command_gets_the_files_and_the_limit(tmp_path, board):
    show = 'exec:sh -c \'echo "$@" >&2; cat "$3" >&2; exit 9\' sh {program} {limit} {instance}'
    with pytest.raises(pls.BackendFailure) as caught:
        pls.count(board, show, 7)
    program, limit, instance = str(caught.value).split("exit code 9: ")[1].splitlines()[0].split()
    assert (program, limit) == (str(tmp_path / "queens" / "queens.lp"), "7")
    assert str(caught.value).endswith("\nsize(6).")
    assert not os.path.exists(instance)


def test_a_program_may_be_named(board):
    words = "sh {program:prolog} {instance:prolog}"
    show = f'exec:sh -c \'(echo "$1"; cat "$2") >&2; exit 9\' {words}'
    with pytest.raises(pls.BackendFailure) as caught:
        pls.solve(board, show)
    first, second = str(caught.value).split("exit code 9: ")[1].splitlines()
    assert first == str(board.problem.folder / "queens.pl")
    assert second == "size(6)."
    command = command_named(show)
    assert command is not None
    assert command.program == "prolog"
    assert command.reads_prolog
    assert command.filled("a b", "c", 0)[-2:] == ["a b", "c"]
    with pytest.raises(pls.InvalidProblem, match="no program prolog:other"):
        pls.solve(board, "exec:cat {program:prolog:other} {instance}")


def test_what_the_program_does_not_show_is_shown(tmp_path):
    problem = written(
        tmp_path / "mine",
        mine_lp="{ p(1) }. q(X) :- p(X). #show p/1.",
        problem_toml='output = ["q/1"]',
    )
    assert pls.compare(problem.instance(""), ["clingo", CLINGO]).agree


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("exec", "behind a colon"),
        ("exec:", "nothing behind the colon"),
        ("exec:clingo {program}", "{instance} is missing"),
        ("exec:clingo '{instance}", "no closing quotation"),
        ("exec:clingo {instance:asp}", "expected {instance} or {instance:prolog}"),
        ("exec:clingo {program:a} {program:b} {instance}", "several {program}"),
        ("exec:clingo {instance} \x1b[2K", "cannot be printed"),
    ],
)
def test_a_command_that_cannot_be_read_is_refused(board, text, why):
    for puzzle in (board, "." * 16):
        with pytest.raises(pls.BackendUnavailable) as caught:
            pls.solve(puzzle, text)
        assert why in str(caught.value)
    done = run("solve", "-b", text, "." * 16)
    assert done.returncode == 2
    assert why in done.stderr


def test_a_missing_command_is_named(board):
    for puzzle in (board, "." * 16):
        with pytest.raises(pls.BackendUnavailable, match="there is no command nosuchsolver"):
            pls.compare(puzzle, ["clingo", "exec:nosuchsolver {instance}"])


def test_no_shell_reads_a_command(tmp_path, script, choice):
    solver = script("print(sys.argv[3:], file=sys.stderr); sys.exit(9)")
    with pytest.raises(pls.BackendFailure) as caught:
        pls.solve(choice, f"{solver} '$HOME' ; touch {tmp_path}/made > x")
    assert f"['$HOME', ';', 'touch', '{tmp_path}/made', '>', 'x']" in str(caught.value)
    assert not (tmp_path / "made").exists()


# --- what it prints ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (json_of("p(1)", "p(1) p(2)"), 30),
        (json.dumps(json.loads(json_of("p(1)", "p(1) p(2)")), indent=2), 0),
        ("p(1). \np(1). p(2).\n", 0),
        ("p(1).\r\np(1).p(2).", 0),
        ("p(1)\np(1..2).\n", 30),
        ("{p(1)}\n{p(1), p(2)}\n", 0),
        (' { p(1),q("a, b}") }\r\n{p(1), f((1,2)), p(2)}', 30),
    ],
)
def test_output_is_read_in_any_parts(script, choice, text, code):
    expected = {Answer([P1]), Answer([P1, P2])}
    assert (
        set(pls.solutions(choice, script(f"print({text!r}, end=''); sys.exit({code})"))) == expected
    )
    for step in (1, 7, len(text)):
        output = Output()
        parts = [text[at : at + step].encode() for at in range(0, len(text), step)]
        printed = [each for part in parts for each in output.feed(part)]
        printed += output.end(code)
        assert len(printed) == 2
        assert not output.ending(code).more


def test_no_answer_is_told_by_the_exit_code(script, choice):
    assert list(pls.solutions(choice, script("sys.exit(20)"))) == []
    assert list(pls.solutions(choice, script("pass"))) == []
    assert list(pls.solutions(choice, script("print()"))) == [Answer()]
    assert list(pls.solutions(choice, script("print('{}')"))) == [Answer()]
    assert pls.solve(choice, script(f"print({json_of(result='UNSATISFIABLE')!r})")) is None


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("print('no luck', file=sys.stderr); sys.exit(65)", "exit code 65: no luck"),
        ("os.kill(os.getpid(), 9)", "ended by signal 9"),
        ("print('clingo version 5'); print('Answer: 1')", "--outf=2"),
        ("""print('{"Call": [')""", "not the JSON of clingo"),
        ("""print('{"Call": [{"Witnesses": [3]}]}')""", "not the JSON of clingo"),
        (
            f"print({json_of(result='SATISFIABLE', Number=3)!r})",
            "found 3 answers, and printed none",
        ),
        (f"print({json_of('p(1)', more='yes')!r})", "printed 1 answer, and there may be more"),
        ("print('p(1)'); sys.exit(10)", "printed 1 answer, and there may be more"),
        ("print('{p(1), größe}')", "where atoms are expected"),
        ("print('{p(1)')", "where atoms are expected"),
        ("print('größe')", "where atoms are expected"),
        ("print('p(99999999999)')", "where atoms are expected"),
    ],
)
def test_a_failure_is_explained(script, choice, code, why):
    with pytest.raises(pls.BackendFailure) as caught:
        list(pls.solutions(choice, script(code)))
    assert why in str(caught.value)
    assert str(caught.value).startswith("exec:")


def test_a_set_in_braces_is_an_answer(script, choice):
    instance = pls.Problem(choice.problem.folder).instance("")
    atoms = ['q("a, b}",(1,2))', "-r", "p(f(1),2)"]
    reader = AtomReader(())
    output = Output()
    (printed,) = [*output.feed(f"{{{', '.join(atoms)}}}\n".encode()), *output.end(0)]
    assert printed.atoms == atoms
    assert [str(each) for each in reader.atoms(printed.atoms)] == atoms
    assert pls.count(instance, script("print('{p(1)}\\n{p(2), p(1)}\\n{}')")) == 3


def test_answers_are_projected_and_distinct(script, choice):
    printed = script("print('p(1). q(1).\\np(1). q(2).\\np(2).')")
    assert list(pls.solutions(choice, printed)) == [Answer([P1]), Answer([P2])]


def test_a_limit_counts_distinct_answers(script, choice):
    solver = script(
        "answers = ['p(1). q.', 'p(1).', 'p(2).']\n"
        "print('\\n'.join(answers[: int(sys.argv[1]) or None]))"
    )
    assert pls.count(choice, solver, 2) == 2
    assert pls.count(choice, solver, 5) == 2


def test_clingcons_variables_are_atoms(script, choice):
    value = json_of("__csp(p,1)", "__csp(at(a),2)")
    instance = pls.Problem(choice.problem.folder).instance("")
    assert next(iter(pls.solutions(instance, script(f"print({value!r})")))) == {P1}


BETTER = ("p(1) p(2):2", "p(1):1", "p(1):1", "p(2):1")


def test_only_proved_optima_count(script, tmp_path):
    instance = written(tmp_path / "mine", mine_lp=CHOICE).instance("")

    def printing(*answers: str, **more: object) -> str:
        return script(f"print({json_of(*answers, **more)!r})")  # type: ignore[arg-type]

    best = list(pls.solutions(instance, printing(*BETTER, result="OPTIMUM FOUND", Optimal=2)))
    assert best == [{P1}, {P2}]
    assert {each.cost for each in best} == {(1,)}
    one = printing(*BETTER[:2], result="OPTIMUM FOUND", Optimal=1)
    assert pls.solve(instance, one) == {P1}
    with pytest.raises(pls.BackendFailure, match="add --opt-mode=optN"):
        list(pls.solutions(instance, one))
    assert list(pls.solutions(instance, f"{one} --opt-mode=optN")) == [{P1}]
    with pytest.raises(pls.BackendFailure, match="proved none"):
        list(pls.solutions(instance, printing(*BETTER[:2], result="SATISFIABLE", more="yes")))


def test_a_command_finds_all_best_answers(tmp_path):
    text = "1 { p(1..4) }. #minimize { |2*X-5|,X : p(X) }. #show p/1."
    instance = written(tmp_path / "mine", mine_lp=text).instance("")
    command = f"{CLINGO} --opt-mode=optN"
    assert pls.count(instance, command) == 2
    assert pls.compare(instance, ["clingo", command], 1).agree


# --- its end -----------------------------------------------------------------------------


def test_time_that_runs_out_leaves_the_answers_so_far(script, choice, clock):
    text = json_of("p(1)", "p(2)")
    cut = text[: text.rindex("p(2)") + 2]
    answers = pls.solutions(
        choice, script(f"print({cut!r}, flush=True); signal.pause()"), timeout=5
    )
    assert next(answers) == {P1}
    clock.over = True
    with pytest.raises(pls.SolveTimeout):
        next(answers)


def test_a_late_optimum_has_the_best_answer_so_far(script, choice, clock, monkeypatch):
    from pylogic_sudoku.running.workers import Budget

    improve = Budget.improve

    def told(budget: Budget, best: object, bound: object) -> None:
        improve(budget, best, bound)  # type: ignore[arg-type]
        clock.over = True

    monkeypatch.setattr(Budget, "improve", told)
    text = json_of("p(1):1")
    code = f"print({text[: text.index(']}]')]!r} + ']}}', flush=True); signal.pause()"
    with pytest.raises(pls.SolveTimeout) as caught:
        pls.solve(choice, script(code), timeout=5)
    assert caught.value.best == {P1}
    assert caught.value.best.cost == (1,)


def test_its_children_end_with_it(script, choice, tmp_path):
    lives = tmp_path / "lives"
    solver = script(
        "child = os.fork()\n"
        "if child == 0:\n    signal.pause()\n"
        f"open({str(lives)!r}, 'w').write(str(child))\n"
        "print('p(1)', flush=True); signal.pause()"
    )
    answers = pls.solutions(choice, solver)
    assert next(answers) == {P1}
    answers.close()  # type: ignore[attr-defined]
    child = int(lives.read_text())
    assert soon(lambda: not _lives(child))


def test_a_child_that_is_left_behind_does_not_hold_it(script, choice):
    solver = script("if os.fork() == 0:\n    signal.pause()\nprint('p(1)')")
    assert list(pls.solutions(choice, solver)) == [{P1}]


def _lives(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


# --- who may name a command --------------------------------------------------------------


def suggested(folder: Path, command: str) -> pls.Problem:
    text = f"[commands]\nold = {json.dumps(command)}\n"
    return written(folder, talks_lp=CHOICE, problem_toml=text)


def test_a_short_name_is_in_the_users_configuration(board, home):
    home.parent.mkdir(parents=True)
    home.write_text(f"[commands]\nold-clingo = {json.dumps(CLINGO.removeprefix('exec:'))}\n")
    assert configuration() == home
    assert is_command("old-clingo")
    assert pls.compare(board, ["clingo", "old-clingo"]).agree
    assert str(pls.solve("4......3...13...", "old-clingo")) == "4312124324313124"
    done = run(
        "solve",
        "-p",
        "queens",
        "-b",
        "old-clingo",
        "4",
        env={"XDG_CONFIG_HOME": str(home.parents[1])},
    )
    assert done.returncode == 0, done.stderr


def test_doctor_lists_commands_and_runs_none(home, tmp_path):
    home.parent.mkdir(parents=True)
    ran = tmp_path / "ran"
    commands = {"old": f"touch {ran} {{instance}}", "gone": "/not/there {program} {instance}"}
    lines = [f"{name} = {json.dumps(text)}\n" for name, text in commands.items()]
    home.write_text("".join(["[commands]\n", *lines]))
    done = run("doctor", env={"XDG_CONFIG_HOME": str(home.parents[1])})
    assert done.returncode == 0, done.stderr
    told = f"Commands of {home}, each an engine for -b:\n"
    assert told + "".join(f"  {each}: {commands[each]}\n" for each in commands) in done.stdout
    assert not ran.exists()


def test_doctor_tells_of_a_wrong_configuration(home):
    home.parent.mkdir(parents=True)
    home.write_text("[command]\n")
    done = run("doctor", env={"XDG_CONFIG_HOME": str(home.parents[1])})
    assert f"{home}: there is no setting 'command'; expected [commands]\nCorrect" in done.stdout


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[commands", "Correct the file"),
        ("[command]\nx = 'y'", "there is no setting 'command'"),
        ("[commands]\nx = 3", "expected a table of texts"),
        ("commands = 3", "expected a table of texts"),
        ("[commands]\nclingo = 'x {instance}'", "'clingo' cannot be the name"),
        ("[commands]\nsat = 'x {instance}'", "sat is the name of an engine"),
        ("[commands]\n'a b' = 'x {instance}'", "'a b' cannot be the name"),
    ],
)
def test_a_wrong_configuration_is_explained(board, home, text, why):
    home.parent.mkdir(parents=True)
    home.write_text(text)
    with pytest.raises(pls.BackendUnavailable) as caught:
        pls.solve(board, "mine")
    assert why in str(caught.value)
    assert str(home) in str(caught.value)


def test_a_folder_only_suggests_a_command(tmp_path, home):
    touch = f"touch {tmp_path}/ran {{instance}}"
    problem = suggested(tmp_path / "talks", touch)
    assert problem.commands == {"old": touch}
    assert not is_command("old")
    with pytest.raises(pls.BackendUnavailable) as caught:
        pls.solve(problem.instance(""), "old")
    done = run("solve", "-p", problem.folder, "-b", "old", "")
    assert done.returncode == 2
    for message in (str(caught.value), done.stderr):
        assert f"suggests the command old: {touch}" in message
        assert shlex.quote(f"exec:{touch}") in message
        assert str(home) in message
    assert not (tmp_path / "ran").exists()
    home.parent.mkdir(parents=True)
    own = "sh -c 'echo \"p(1).\"' {instance}"
    home.write_text(f"[commands]\nold = {json.dumps(own)}\n")
    assert pls.solve(problem.instance(""), "old") == {P1}  # the user's own, not the folder's


def test_nobody_else_asks_a_command(tmp_path, home):
    ran = tmp_path / "ran"
    problem = suggested(tmp_path / "talks", f"touch {ran} {{instance}}")
    home.parent.mkdir(parents=True)
    home.write_text(f"[commands]\nmine = 'touch {ran} {{instance}}'\n")
    assert "exec" not in (*BUILT_IN, *names())
    assert [each.name for each in pls.backends()] == [*BUILT_IN]
    assert list(problem.paths) == ["clingo"]
    for options in (("-b", "all"), ("-b", "all", "-b", "clingo"), ()):
        done = run("solve", "-p", problem.folder, *options, "")
        assert done.returncode == 0, done.stderr
    assert not ran.exists()


@pytest.mark.parametrize("engine", ["exec:touch ran {instance}", "mine"])
def test_the_page_asks_no_command(client, home, tmp_path, monkeypatch, engine):
    monkeypatch.chdir(tmp_path)
    home.parent.mkdir(parents=True)
    home.write_text("[commands]\nmine = 'touch ran {instance}'\n")
    puzzle = {"puzzle": "." * 16, "engine": engine}
    instance = {"problem": "queens", "instance": "size(4).", "engine": engine}
    for question in ("solve", "count"):
        for body in (puzzle, instance):
            answer = client.post(f"/api/{question}", json=body)
            assert answer.status_code in (400, 404, 422), answer.text
    assert not (tmp_path / "ran").exists()


def test_an_exercise_names_no_command(tmp_path, home):
    home.parent.mkdir(parents=True)
    home.write_text("[commands]\nmine = 'touch ran {instance}'\n")
    program = tmp_path / "mine.lp"
    program.write_text(CHOICE)
    for name in ("exec:touch ran {instance}", "mine"):
        written(
            tmp_path / "talks",
            talks_lp=CHOICE,
            exercise_toml=f'problem = "."\nagainst = {json.dumps(name)}',
        )
        done = run("check", "-p", tmp_path / "talks", "-e", program, "")
        assert done.returncode == 2
        assert "only the command line can name a command" in done.stderr


# --- at the command line -----------------------------------------------------------------


def test_the_commands_take_a_command(tmp_path, board):
    folder = board.problem.folder
    assert run("count", "-p", folder, "-b", CLINGO, "size=6").stdout == "4\n"
    done = run("compare", "-p", folder, "-b", CLINGO, "-b", "clingo", "size=6", "-f", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[0])["counts"] == {CLINGO: 4, "clingo": 4}
    none = "exec:sh -c 'exit 20' {instance}"
    done = run("compare", "-p", folder, "-b", none, "-b", "clingo", "size=6", "-f", "lines")
    assert done.returncode == 5
    assert "a command does not say why" in done.stdout


@pytest.mark.slow
def test_check_takes_a_command(tmp_path, board):
    program = tmp_path / "mine.lp"
    program.write_text(QUEENS_LP)
    words = ("check", "-p", board.problem.folder, "-e", program, "size=4", "--against")
    done = run(*words, CLINGO)
    assert done.returncode == 0, done.stderr + done.stdout
    done = run(*words, "exec:sh -c 'exit 20' {instance}")
    assert done.returncode == 1, done.stderr + done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("program", ["prolog", "clingcon"])
def test_programs_in_other_languages(tmp_path, program):
    problem = written(
        tmp_path / "queens",
        queens_lp=QUEENS_LP,
        queens_pl=QUEENS_PL,
        queens_clingcon_lp=QUEENS_CLINGCON,
    )
    adapter, python = tmp_path / "asfacts.pl", shlex.quote(sys.executable)
    adapter.write_text(files(ROOT / "docs" / "witnesses.md")["mine/asfacts.pl"])
    commands = {
        "prolog": f"exec:{swipl()} {adapter} {{program:prolog}} {{instance:prolog}}",
        "clingcon": f"exec:{python} -m clingcon {{program:clingcon}} {{instance}} 0 --outf=2",
    }
    found = pls.compare(problem.instance("size=6"), ["clingo", commands[program]], 3)
    assert found.agree
