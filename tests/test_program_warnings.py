"""Whatever the engines find strange in a program is told once, with its place."""

import json
import os
import subprocess
import sys
import warnings
from contextlib import closing

import pytest
from helpers.command_line import invoke, spawned
from helpers.problems import written

import pylogic_sudoku as pls
from pylogic_sudoku.problem.folder import bundled
from pylogic_sudoku.running import notices

ASP = """\
{ at(T,1..N) } = 1 :- talk(T), slots(N).
:- befor(T,U), at(T,S), at(U,R), S >= R.
late(1/N) :- slots(N).
#show at/2.
"""
PROLOG = """\
model(Pairs) :- slots(N), findall(at(T)-_, talk(T), Pairs), foo(Foo), domains(N, Pairs).
foo(1).
domains(N, Pairs) :- pairs_values(Pairs, Slots), Slots ins 1..N.
foo(2).
:- fail.
:- use_module(library(clpfd)).
"""
FACTS = "slots(0). talk(ada)."
UNDEFINED = "atom does not occur in any rule head: befor(T,U)"


@pytest.fixture
def talks(tmp_path):
    source = ":- use_module(library(clpfd)).\n" + PROLOG.rpartition(":-")[0]
    return written(tmp_path / "talks", talks_lp=ASP, talks_pl=source)


def told(question, *arguments):
    """The messages of the warnings while something is asked."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        question(*arguments)
    assert {each.category for each in caught} <= {pls.ProgramWarning}
    for each in caught:
        assert (each.filename, each.lineno) == (
            each.message.message.file,
            each.message.message.line,
        )
    return [each.message.message for each in caught]


def test_clingo_is_heard_with_its_places(talks):
    messages = told(pls.solve, talks.instance(FACTS))
    path = str(talks.path("clingo"))
    assert [(each.kind, each.file, each.line, each.column, each.text) for each in messages] == [
        ("atom-undefined", path, 2, 4, UNDEFINED),
        ("operation-undefined", path, 3, 6, "operation undefined: (1/N)"),
    ]
    assert all(each.cure for each in messages)


@pytest.mark.parametrize(
    ("function", "cure"),
    [
        ("max", "#max of nothing is #inf; give it a least element, as #max { 0; ... }"),
        ("min", "#min of nothing is #sup; give it a largest element, as #min { 9; ... }"),
    ],
)
def test_the_cost_of_nothing_has_its_own_cure(tmp_path, function, cure):
    text = (
        f"{{ p(1) }}. #show p/1. c(C) :- C = #{function} {{ X : p(X) }}. #minimize {{ C : c(C) }}."
    )
    (message,) = told(pls.solve, written(tmp_path / "mine", mine_lp=text).instance())
    assert message.cure == cure


def test_prolog_is_heard_with_its_places(talks):
    messages = told(pls.solve, talks.instance(FACTS), "prolog")
    path = str(talks.path("prolog"))
    assert [(each.kind, each.file, each.line, each.text) for each in messages] == [
        ("singletons", path, 2, "Singleton variables: [Foo]"),
        ("discontiguous", path, 5, "Clauses of foo/1 are not together in the source-file"),
        ("goal-failed", path, 6, "Goal (directive) failed: fail"),
    ]
    assert all(each.cure for each in messages)


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_each_is_told_once_until_the_file_changes(talks, backend):
    instance = talks.instance(FACTS)
    first = told(pls.solve, instance, backend)
    assert first
    assert told(pls.count, instance, backend) == []
    assert told(lambda: list(pls.solutions(instance, backend))) == []
    path = talks.path(backend)
    path.write_text(f"{path.read_text()}% changed\n")
    os.utime(path, (1, 1))
    assert told(pls.solve, talks.instance("slots(0). talk(bob)."), backend) == first


def test_a_stream_warns_before_its_first_answer(talks):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with closing(pls.solutions(talks.instance("slots(2). talk(ada)."))) as found:
            assert next(found)
            assert caught


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_a_warning_may_be_an_error(talks, backend):
    instance = talks.instance("slots(2). talk(ada).")
    with warnings.catch_warnings():
        warnings.simplefilter("error", pls.ProgramWarning)
        with pytest.raises(pls.ProgramWarning):
            pls.solve(instance, backend)
    assert pls.count(instance, backend) == 2


def test_an_input_of_the_problem_may_be_missing(tmp_path):
    problem = written(tmp_path / "talks", talks_lp=ASP.replace("late(1/N) :- slots(N).", ""))
    (problem.folder / "instances").mkdir()
    (problem.folder / "instances" / "one.lp").write_text("slots(1). talk(ada). befor(ada,bob).")
    assert told(pls.solve, problem.instance("slots(1).")) == []
    (problem.folder / "instances" / "one.lp").write_text("slots(1).")
    assert [each.text for each in told(pls.solve, problem.instance("slots(1)."))] == [
        "atom does not occur in any rule head: talk(T)",
        UNDEFINED,
    ]


def test_the_command_says_it_on_standard_error(talks):
    done = invoke("solve", "-p", talks.folder, "-b", "all", "slots(1). talk(ada).")
    assert (done.exit_code, done.stdout) == (0, "at(ada,1).\n")
    lp, pl = talks.path("clingo"), talks.path("prolog")
    lines = done.stderr.splitlines()
    assert sorted(line.partition(";")[0] for line in lines) == [
        f"{lp}:2:4: warning: {UNDEFINED}",
        f"{pl}:2: warning: Singleton variables: [Foo]",
        f"{pl}:5: warning: Clauses of foo/1 are not together in the source-file",
        f"{pl}:6: warning: Goal (directive) failed: fail",
    ]
    assert all("; " in line for line in lines)


def test_json_has_it_once(talks):
    two = ("slots(1). talk(ada).", "slots(1). talk(bob).")
    done = invoke("solve", "-p", talks.folder, "-f", "json", *two)
    first, second = map(json.loads, done.stdout.splitlines())
    assert "warnings" not in second
    (warning,) = first["warnings"]
    assert warning == {
        "text": UNDEFINED,
        "kind": "atom-undefined",
        "file": str(talks.path("clingo")),
        "line": 2,
        "column": 4,
        "cure": warning["cure"],
        "message": f"{talks.path('clingo')}:2:4: {UNDEFINED}; {warning['cure']}",
    }


def test_several_processes_say_it_once(talks):
    three = (f"slots(1). talk({name})." for name in ("ada", "bob", "cleo"))
    done = spawned("solve", "-p", talks.folder, "--jobs", 2, *three)
    assert done.stdout == "at(ada,1).\nat(bob,1).\nat(cleo,1).\n"
    assert [line.partition(";")[0] for line in done.stderr.splitlines()] == [
        f"{talks.path('clingo')}:2:4: warning: {UNDEFINED}"
    ]


@pytest.mark.parametrize(
    ("ending", "text", "fields"),
    [
        ("lp", "p(1).\np(X) :- q(Y.\n", ("syntax", 2, 12)),
        ("lp", "p(X) :- not q(X).\n", ("unsafe", 1, 1)),
        ("lp", "p(1).\n#hide.\n", ("syntax", 2, 1)),
        ("pl", "model([]).\nmodel(X) :- X = [.\n", ("syntax-error", 2, 18)),
        ("pl", ":- use_module(library(nowhere)).\nmodel([]).\n", ("existence-error", 1, None)),
    ],
)
def test_an_error_has_fields(tmp_path, ending, text, fields):
    problem = written(tmp_path / "mine", **{f"mine_{ending}": text})
    backend = "clingo" if ending == "lp" else "prolog"
    with pytest.raises(pls.BackendFailure) as caught:
        pls.solve(problem.instance(), backend)
    first = caught.value.messages[0]
    assert (first.kind, first.line, first.column) == fields
    assert first.file == str(problem.path(backend))
    assert "\n" not in first.text
    assert first.text.split()[0] in str(caught.value)
    done = invoke("solve", "-p", problem.folder, "-b", backend, "-f", "json")
    (said,) = map(json.loads, done.stdout.splitlines())
    assert said["messages"] == [each.to_json() for each in caught.value.messages]


@pytest.mark.parametrize("problem", [each.name for each in bundled()])
def test_our_own_programs_give_no_cause(problem):
    known = pls.Problem(problem)
    instance = next(iter(known.instances.values()))
    for name in known.paths:
        assert told(pls.solve, instance, name) == []


def test_nobody_can_print_a_message_that_breaks_its_reader():
    long = "9" * 5000
    said = f"x.lp:{long}:1: error: a\nWarning: x.pl:{long}:\nx.lp:2:1-3: error: b\n  c\n"
    assert [*notices.printed(said)] == [("error", pls.Message("b c", "error", "x.lp", 2, 1))]


def test_a_column_counts_characters_and_a_word_is_sought_in_the_file_that_is_named():
    texts = {"x.lp": 'n("äö"). a :- X is 1.', "y.lp": "b."}
    for file, column, cure in (("x.lp", 17, "write = instead of Prolog's is"), ("y.lp", 19, "")):
        said = f"{file}:1:19-21: error: syntax error, unexpected <IDENTIFIER>\n"
        ((_, message),) = notices.printed(said, texts.__getitem__)
        assert (message.file, message.column, message.cure) == (file, column, cure)


def test_all_that_clingo_has_printed_is_read(tmp_path):
    """It writes an empty line after each message."""
    program = tmp_path / "x.lp"
    program.write_text("a :- b.\nc :- d.\ne(X) :- X = 1/0.\n:- f.\ng(X).\nh(X).\n")
    said = subprocess.run(
        [sys.executable, "-m", "clingo", str(program)], capture_output=True, text=True
    ).stderr
    found = [(kind, each.line) for kind, each in notices.printed(said)]
    assert found == [("warning", 3), ("error", 5), ("error", 6)]
    program.write_text("a :- b.\nc :- d.\ne(X) :- X = 1/0.\n:- f.\n")
    said = subprocess.run(
        [sys.executable, "-m", "clingo", str(program)], capture_output=True, text=True
    ).stderr
    found = [(kind, each.kind, each.line) for kind, each in notices.printed(said)]
    undefined = ("warning", "atom-undefined")
    assert sorted(found) == [
        (*undefined, 1),
        (*undefined, 2),
        (*undefined, 4),
        ("warning", "operation-undefined", 3),
    ]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Clauses of a/1 are not together in the source-file", "discontiguous"),
        ("Redefined static procedure a/1", "redefined-procedure"),
        ("Goal (directive) failed: user:fail", "goal-failed"),
        ("Singleton variables: [X]", "singletons"),
    ],
)
def test_what_prolog_has_printed_has_its_kind_and_cure(words, kind):
    ((_, message),) = notices.printed(f"Warning: /tmp/x.pl:3:\nWarning:    {words}\n")
    assert (message.kind, message.line) == (kind, 3)
    assert message.cure
