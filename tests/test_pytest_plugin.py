"""The pytest plugin, mostly in sessions of their own: what they collect, run and print."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from helpers.documents import ROOT
from helpers.problems import CLPFD, written
from helpers.processes import ended
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

import pylogic_sudoku as pls
from pylogic_sudoku.pytest import Agreement, agree, holds, instances
from pylogic_sudoku.pytest import snapshots as _snapshots
from pylogic_sudoku.pytest.agreement import Limits, Running
from pylogic_sudoku.questions.comparison import EngineResult

TALKS_LP = """\
% One room: give each talk a slot of its own.
#defined before/2.
{ at(T,1..N) } = 1 :- talk(T), slots(N).
:- at(T,S), at(U,S), T < U.
:- before(T,U), at(T,S), at(U,R), S >= R.
#show at/2.
"""
TALKS_PL = """\
:- use_module(library(clpfd)).
model(Pairs) :-
    slots(N),
    findall(at(T)-_, talk(T), Pairs),
    pairs_values(Pairs, Slots),
    Slots ins 1..N,
    all_distinct(Slots),
    findall(T-U, before(T, U), Orders),
    maplist(in_order(Pairs), Orders).
in_order(Pairs, T-U) :-
    memberchk(at(T)-S, Pairs),
    memberchk(at(U)-R, Pairs),
    S #< R.
"""
NEXT_PL = TALKS_PL.replace("S #< R", "S + 1 #= R")
THREE = "slots(3). talk(ada). talk(bob). talk(cleo). before(ada,cleo)."
TWO = "slots(2). talk(ada;bob)."
ALL = """\
{ slots(1..3) } = 1.
{ talk(a;b;c) }.
{ before(T,U) : talk(T), talk(U), T < U }.
#show slots/1. #show talk/1. #show before/2.
"""
HEAD = """\
import pytest
import pylogic_sudoku as pls
from pylogic_sudoku.pytest import agree, holds
logic = pytest.mark.logic("talks")
"""


PLUGIN = "pylogic_sudoku.pytest.plugin"


@pytest.fixture
def talks(tmp_path) -> pls.Problem:
    """The problem `talks` with two instances, in the folder of the tests."""
    folder = tmp_path / "talks"
    problem = written(folder, talks_lp=TALKS_LP, talks_pl=TALKS_PL)
    (folder / "instances").mkdir()
    (folder / "instances" / "two.lp").write_text(TWO)
    (folder / "instances" / "three.lp").write_text(THREE)
    return problem


def session(folder: Path, *arguments: object, test: str = "", name: str = "test_mine.py") -> str:
    """Run pytest with the plugin in a folder, where such a test may be; all that it prints."""
    if test:
        (folder / name).write_text(HEAD + test)
    plugin = ["-p", PLUGIN]  # a virtual environment may be older than the entry point
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    # pytest prints more where CI is set.
    inherited = [each for each in os.environ if each != "CI" and "PYTEST" not in each]
    environment = {each: os.environ[each] for each in inherited}
    command = [sys.executable, "-m", "pytest", *plugin, "--color=no", *arguments]
    done = ended(*command, cwd=folder, env={**environment, "PYTHONPATH": path})
    return f"{done.stdout}{done.stderr}exit code {done.returncode}\n"


def fates(printed: str) -> dict[str, str]:
    """The fate of each test of a session with ``-v``."""
    return dict(re.findall(r"^(\S.*?::.*?) (PASSED|FAILED|ERROR)\b", printed, re.M))


# --- loading ---


def test_the_plugin_imports_nothing_until_it_is_asked():
    code = """
import sys, pytest
before = {*sys.modules}
import pylogic_sudoku.pytest.plugin
print(*sorted({*sys.modules} - before))
"""
    assert ended(sys.executable, "-c", code, cwd=ROOT).stdout.split() == [
        "pylogic_sudoku",
        "pylogic_sudoku.pytest",
        "pylogic_sudoku.pytest.plugin",
        "pylogic_sudoku.pytest.stash",
    ]


STRANGER = """
import sys
import pytest

NAMES = ("", ".pytest", ".pytest.plugin", ".pytest.stash")

@pytest.fixture
def engine():
    return "mine"

@pytest.fixture
def snapshot():
    return "theirs"

@pytest.mark.parametrize("instance", [1, 2])
def test_others(instance, engine, snapshot):
    assert (engine, snapshot) == ("mine", "theirs")
    ours = {name for name in sys.modules if name.startswith("pylogic_sudoku")}
    assert ours == {f"pylogic_sudoku{name}" for name in NAMES}
    assert not {"clingo", "janus_swi", "hypothesis"} & {*sys.modules}
"""


def test_it_does_nothing_in_a_project_that_does_not_ask(talks, tmp_path):
    (tmp_path / "test_other.py").write_text(STRANGER)
    printed = session(tmp_path, "-p", "no:hypothesispytest", "--strict-markers")
    assert "2 passed" in printed
    lines = [line for line in printed.splitlines() if not line.startswith("plugins: ")]
    assert not [line for line in lines if "logic" in line]


@pytest.mark.slow
def test_it_tells_of_itself(tmp_path):
    printed = session(tmp_path, "--markers")
    assert "@pytest.mark.logic(folder, *, instances=None, programs=None" in printed
    printed = session(tmp_path, "--fixtures")
    assert "logic_snapshot" in printed
    assert "logic_timeout" in printed
    assert not re.search(r"^(instance|engine|program|snapshot)\b", printed, re.M)


def test_it_is_registered_by_an_entry_point():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}
    assert not [each for each in project["dependencies"] if "pytest" in each]
    extra = " ".join(project["optional-dependencies"]["pytest"])
    assert "pytest" in extra
    assert "hypothesis" in extra


# --- the mark ---

PARAMETERS = """
import unittest

@logic
def test_instance(instance):
    assert agree(instance)

@logic
def test_engine(instance, engine):
    assert pls.count(instance, engine) in (2, 3)

@logic
def test_program(program):
    assert program

@pytest.mark.logic("talks", instances="t*e", programs=["clingo", "prolog:*"])
def test_some(instance, program):
    pass

@pytest.fixture
def answers(instance, engine):
    return list(pls.solutions(instance, engine))

@logic
def test_a_fixture_of_the_project(answers):
    assert len(answers) in (2, 3)

@logic
@pytest.mark.parametrize("engine", ["mine"])
def test_a_value_of_the_test(engine):
    assert engine == "mine"

class TestOfUnittest(unittest.TestCase):
    pytestmark = pytest.mark.logic("nowhere")

    def test_it(self):
        pass

class TestFixture:
    @pytest.fixture
    def engine(self):
        return "fixture"

    @logic
    def test_wins(self, engine, instance):
        assert engine == "fixture"
"""


@pytest.mark.slow
def test_parameters_and_their_ids(talks, tmp_path):
    (talks.folder / "talks_next.pl").write_text(NEXT_PL)
    printed = session(tmp_path, "-v", test=PARAMETERS)
    names = [name.partition("::")[2] for name in fates(printed)]
    assert names == [
        "test_instance[two]",
        "test_instance[three]",
        "test_engine[two-clingo]",
        "test_engine[two-prolog]",
        "test_engine[three-clingo]",
        "test_engine[three-prolog]",
        "test_program[clingo]",
        "test_program[prolog]",
        "test_program[prolog:talks_next]",
        "test_some[three-clingo]",
        "test_some[three-prolog:talks_next]",
        "test_a_fixture_of_the_project[two-clingo]",
        "test_a_fixture_of_the_project[two-prolog]",
        "test_a_fixture_of_the_project[three-clingo]",
        "test_a_fixture_of_the_project[three-prolog]",
        "test_a_value_of_the_test[mine]",
        "TestOfUnittest::test_it",
        "TestFixture::test_wins[two]",
        "TestFixture::test_wins[three]",
    ]
    assert {*fates(printed).values()} == {"PASSED"}


COMMANDS = """
COMMAND = "exec:" + sys.executable + " -m clingo {program} {instance} {limit} --outf=2"
NONE = "exec:sh -c 'exit 20' {instance}"
FRUMPY = "clingo --configuration=frumpy"

@pytest.mark.logic("talks", instances="two", programs=["clingo", COMMAND, FRUMPY])
def test_agree(instance):
    assert agree(instance)

@pytest.mark.logic("talks", instances="two")
def test_differ(instance):
    assert agree(instance, "clingo", NONE, "prolog")
"""


def test_programs_may_be_commands(talks, tmp_path):
    printed = session(tmp_path, "-v", test=f"import sys\n{COMMANDS}")
    assert [*fates(printed).values()] == ["PASSED", "FAILED"]
    assert "talks, two: the engines disagree: exec:sh -c 'exit 20' {instance} stands" in printed


WRONG = {
    "logic()": r"it takes a folder, and has none; expected @pytest.mark.logic\('talks'\)",
    "logic(5)": r"it takes a folder, and has 5",
    "logic('talks', 'more')": r"it takes one folder, not \('talks', 'more'\)",
    "logic('talk')": r"there is no problem 'talk'; .*it was looked for in ",
    "logic('talks', instance='two')": r"there is no argument 'instance'; did you mean 'instances'",
    "logic('talks', instances=['ten'])": r"talks has no instance 'ten'; there is two and three",
    "logic('talks', instances=3)": r"instances is 3; expected a list of names",
    "logic('talks', programs='sat')": r"talks has no program 'sat'; there is clingo and prolog",
    "logic('talks', limit=0)": r"limit is 0; expected a number of answers from 1, or None",
    "logic('talks', timeout='1')": r"timeout is '1'; expected seconds over 0",
    "logic('bare')": r"bare has no instances; write their facts into .*/bare/instances/NAME.lp",
}


def test_a_wrong_mark_says_what_to_write(talks, tmp_path):
    written(tmp_path / "bare", bare_lp=TALKS_LP)
    for number, mark in enumerate(WRONG):
        test = f"@pytest.mark.{mark}\ndef test_it(instance): pass\n"
        (tmp_path / f"test_{number}.py").write_text(HEAD + test)
    printed = session(tmp_path)
    assert printed.endswith("exit code 2\n")
    assert "Traceback" not in printed
    assert str(ROOT / "pylogic_sudoku") not in printed
    parts = re.split(r"_+ ERROR collecting test_(\d+)\.py _+", printed)
    for number, text in zip(parts[1::2], parts[2::2], strict=True):
        assert re.search(list(WRONG.values())[int(number)], text), text
    assert len(parts) == 2 * len(WRONG) + 1


def test_an_instance_that_cannot_be_read_fails_its_own_item(talks, tmp_path):
    (talks.folder / "instances" / "wrong.lp").write_text("slots(3).\n{ talk(ada) }.")
    printed = session(tmp_path, "-v", test="@logic\ndef test_it(instance): pass\n")
    assert [*fates(printed).values()] == ["PASSED", "PASSED", "ERROR"]
    assert re.search(r"^\S*wrong.lp:2: \{ talk\(ada\) \}\. is not a fact", printed, re.M)
    assert str(ROOT / "pylogic_sudoku") not in printed


def test_an_error_of_agree_hides_the_package_without_the_mark_too(talks, tmp_path):
    test = """\
def test_agree():
    assert agree(pls.Problem("talks").instance("two"), "prolog:next")
def test_solve():
    pls.solve(pls.Problem("talks").instance("two"), "prolog:next")
"""
    printed = session(tmp_path, "--tb=short", test=test)
    told = re.split(r"(?m)^_+ test_\w+ _+$", printed.partition("short test summary")[0])
    assert len(re.findall("has no program prolog:next; there is clingo, prolog", printed)) == 2
    assert [str(ROOT / "pylogic_sudoku") in each for each in told] == [False, False, True]


def test_instances_that_cannot_be_read_fail_each_test_of_theirs_alike(talks, tmp_path):
    for name in "ab":
        (talks.folder / "instances" / f"{name}.lp").write_text("{ talk(ada) }.")
    test = """\
@logic
def test_it(instance, engine): pass
@pytest.mark.skip(reason="later")
@logic
def test_skipped(instance): pass
"""
    printed = session(tmp_path, "-v", test=test)
    assert sorted(fates(printed).values()) == ["ERROR"] * 4 + ["PASSED"] * 4
    assert len(re.findall(r"(?m)^\S*/[ab]\.lp:1: .* is not a fact", printed)) == 4
    assert "4 skipped" in printed
    assert "AssertionError" not in printed


# --- agree and holds ---

FAILING = """
@logic
def test_all(instance, program):
    assert agree(instance, program)

def starts_early(answer):
    at = dict(answer.values("at"))
    assert at["ada"] == 1
    return True

@logic
def test_property(instance):
    assert holds(instance, "prolog", starts_early)

@logic
def test_no_engine(instance):
    pls.solve(instance, "nothing")

@logic
def test_none(instance):
    assert holds(instance, "clingo", lambda answer: None)

@logic
def test_not_about_it(instance):
    assert not agree(instance, "prolog:talks_next")
    assert 1 == 2

def test_without_the_mark():
    three = pls.Problem("talks").instance("three")
    assert agree(three, "prolog:talks_next")
"""


def test_failures_say_all(talks, tmp_path):
    (talks.folder / "talks_next.pl").write_text(NEXT_PL)
    (talks.folder / "talks_halt.pl").write_text(f"{CLPFD}model(_) :- halt.")
    printed = session(tmp_path, "-v", "-k", "three or without", test=FAILING)
    assert fates(printed) == {
        "test_mine.py::test_all[three-clingo]": "PASSED",
        "test_mine.py::test_all[three-prolog]": "PASSED",
        "test_mine.py::test_all[three-prolog:talks_halt]": "FAILED",
        "test_mine.py::test_all[three-prolog:talks_next]": "FAILED",
        "test_mine.py::test_property[three]": "FAILED",
        "test_mine.py::test_no_engine[three]": "FAILED",
        "test_mine.py::test_none[three]": "FAILED",
        "test_mine.py::test_not_about_it[three]": "FAILED",
        "test_mine.py::test_without_the_mark": "FAILED",
    }
    sections = re.split(r"^_+ (test_\w+)\S* _+$", printed, flags=re.M)
    said = {}
    for name, text in zip(sections[1::2], sections[2::2], strict=True):
        said[name] = said.get(name, "") + text
    for name in ("test_all", "test_without_the_mark"):
        assert DIFFERENCE in said[name]
        assert EXTRA in said[name]
    assert "it seems to call halt" in said["test_all"]
    assert PROPERTY in said["test_property"]
    assert "there is no backend 'nothing'" in said["test_no_engine"]
    assert str(ROOT / "pylogic_sudoku") not in said["test_no_engine"]
    assert "returned None for <Answer: at(ada,1)" in said["test_none"]
    assert "return True or False, also after asserts" in said["test_none"]
    assert "the engines disagree" not in said["test_not_about_it"]


DIFFERENCE = """\
E       talks, three: the engines disagree
E         instance: slots(3). talk(ada). talk(bob). talk(cleo). before(ada,cleo).
E         clingo: 3 solutions
E         prolog:talks_next: 2 solutions
E         clingo has at(ada,1). at(bob,2). at(cleo,3)
E         prolog:talks_next refuses it: talks_next.pl:13 fails: S + 1 #= R
E         clingo == prolog:talks_next:
"""
EXTRA = """\
E           Extra items in the left set:
E           'at(ada,1). at(bob,2). at(cleo,3).'
"""
PROPERTY = """\
E       talks, three: 1 of 3 answers of prolog lacks the property
E         instance: slots(3). talk(ada). talk(bob). talk(cleo). before(ada,cleo).
E         the smallest one: at(ada,2). at(bob,1). at(cleo,3)
E           assert 2 == 1
"""


def test_none_is_no_limit(talks, monkeypatch):
    monkeypatch.setattr(Running, "limits", Limits(limit=1, timeout=100))
    instance = talks.instance(THREE)
    assert not agree(instance).comparison.answers["clingo"].complete
    assert agree(instance, limit=None, timeout=None).comparison.answers["clingo"].complete


WITHOUT = """
import sys
sys.modules["clingcon"] = None
"""


@pytest.mark.slow
@pytest.mark.parametrize("folders", [True, False])
def test_a_missing_engine_fails_a_test_or_skips_it(talks, tmp_path, folders):
    (talks.folder / "talks_clingcon.lp").write_text("&sum{x} > 0. &show{x}.\n")
    (tmp_path / "conftest.py").write_text(WITHOUT)
    test = '@logic\ndef test_it(instance): assert agree(instance, "clingcon")\n'
    where = ["--logic", "-k", "clingcon", "talks"] if folders else ["test_mine.py"]
    printed = session(tmp_path, *where, test=test)
    assert "2 failed" in printed
    assert re.search(r"clingcon.*install", printed)
    printed = session(tmp_path, "-rs", "--logic-missing", "skip", *where)
    assert "2 skipped" in printed
    assert re.search(r"SKIPPED.*clingcon", printed)


def test_a_folder_with_a_slip_in_its_name_is_found(talks, tmp_path):
    test = '@pytest.mark.logic("talk")\ndef test_it(instance): pass\n'
    assert "did you mean 'talks'?" in session(tmp_path, test=test)


def test_instances_and_the_mark_look_for_a_folder_in_the_same_places(talks, tmp_path):
    beside = tmp_path / "tests"
    beside.mkdir()
    talks.folder.rename(beside / "talks")
    test = """
from hypothesis import given, settings
from pylogic_sudoku.pytest import instances
@settings(deadline=None, max_examples=1)
@given(instances("talks"))
def test_random(instance): pass
@logic
def test_it(instance): pass
"""
    assert "3 passed" in session(tmp_path, "tests", test=test, name="tests/test_mine.py")


def test_agree_chooses_programs(talks):
    (talks.folder / "talks_next.pl").write_text(NEXT_PL)
    three = talks.instance("three")
    both = agree(three)
    assert both
    assert [*both.comparison.answers] == ["clingo", "prolog"]
    assert str(both).splitlines()[0] == "talks, three: the engines agree: 3 solutions"
    assert [*agree(three, "prolog").comparison.answers] == ["clingo", "prolog"]
    assert [*agree(three, "clingo").comparison.answers] == ["clingo"]
    assert not agree(three, "prolog", "prolog:talks_next")
    assert agree(three, limit=1).comparison.answers["clingo"].number == "at least 1 solution"


def test_agree_takes_two_programs_and_an_instance(tmp_path):
    alone = written(tmp_path / "alone", alone_lp=TALKS_LP)
    with pytest.raises(pls.InvalidProblem, match="has one program, clingo; two are needed"):
        agree(alone.instance(TWO))
    with pytest.raises(TypeError, match="agree takes an instance, not 'two'"):
        agree("two")  # type: ignore[arg-type]


def test_a_large_difference_has_no_diff(talks, monkeypatch):
    (talks.folder / "talks_next.pl").write_text(NEXT_PL)
    verdict = agree(talks.instance("three"), "prolog:talks_next")
    lines = [*verdict.lines(lambda left, right: ["", str(len(left)), str(len(right))])]
    assert lines[-3:] == ["  clingo == prolog:talks_next:", "    3", "    2"]
    monkeypatch.setattr("pylogic_sudoku.pytest.agreement.SMALL", 2)
    assert len([*verdict.lines(lambda left, right: [""])]) == len(lines) - 3


def test_holds_counts_and_finds_the_smallest(talks):
    three = talks.instance("three")
    assert str(holds(three, "clingo", len)) == (
        "talks, three: each of 3 answers of clingo has the property"
    )
    none = holds(three, "clingo", lambda answer: False)
    assert not none
    assert len(none.lacking) == none.number == 3
    assert [*none.lines()][-1] == "  the smallest one: at(ada,1). at(bob,2). at(cleo,3)"
    assert holds(three, "clingo", len, limit=2).number == 2


ENDLESS = f"{CLPFD}answer([at(ada,1)]) :- repeat, fail."


def test_a_time_limit_says_where_it_is_from(talks, monkeypatch, clock):
    monkeypatch.setattr(Running, "limits", Limits(timeout=9, source="the mark 'logic'"))
    clock.over = True
    with pytest.raises(pls.SolveTimeout) as late:
        holds(talks.instance("three"), "clingo", len)
    assert late.value.__notes__ == ["the limit of 9 s is that of the mark 'logic'"]
    with pytest.raises(pls.SolveTimeout) as late:
        agree(talks.instance("three"), timeout=8)
    assert late.value.__notes__ == ["the limit of 8 s is that of the argument timeout"]


def test_a_program_that_is_late_does_not_agree(talks):
    three = talks.instance("three")
    answers = frozenset(pls.solutions(three))
    results = {
        "clingo": EngineResult(answers, True, 0.1),
        "prolog": EngineResult(frozenset[pls.Answer](), False, 9.0, timed_out=True),
    }
    comparison = pls.Comparison(three, results, {"clingo": frozenset(), "prolog": frozenset()})
    assert comparison.outcome == "confirmed"
    late = Agreement(comparison, Limits(timeout=9, source="the mark 'logic'"))
    assert not late
    assert str(late).splitlines() == [
        "talks, three: confirmed: prolog did not finish in time, but every engine accepts what was"
        " found: 3 solutions; only clingo can know whether there are more",
        f"  instance: {THREE}",
        "  clingo: 3 solutions",
        "  prolog: 0 solutions when its time ran out",
        "  the limit of 9 s is that of the mark 'logic'",
    ]


TIMES = """
@pytest.mark.logic("talks", timeout=6)
def test_mark(instance, logic_timeout):
    assert logic_timeout == 6
    assert agree(instance)

@logic
def test_option(instance, logic_timeout):
    assert logic_timeout == 5
    pls.solve(instance, "prolog", timeout=logic_timeout)
"""


@pytest.mark.slow
def test_a_program_without_an_end_fails_in_time(talks, tmp_path):
    (talks.folder / "talks.pl").write_text(ENDLESS)
    printed = session(tmp_path, "--logic", "--logic-timeout=5", "-k", "three", test=TIMES)
    assert "3 failed" in printed
    assert printed.count("the limit of 5 s is that of --logic-timeout") == 2
    assert printed.count("the limit of 6 s is that of the mark 'logic'") == 1


def test_a_time_limit_must_be_one(tmp_path):
    printed = session(tmp_path, "--logic-timeout", "-1")
    assert "'-1' is not a time limit; expected seconds over 0: 10" in printed
    assert printed.endswith("exit code 4\n")


# --- folders without Python ---


def test_folders_are_collected(talks, tmp_path):
    (talks.folder / "talks_next.pl").write_text(NEXT_PL)
    (talks.folder / "talks_halt.pl").write_text(f"{CLPFD}model(_) :- halt.")
    written(tmp_path / "alone" / "instances", one_lp="slots(1).")
    written(tmp_path / "alone", alone_lp=TALKS_LP)
    printed = session(tmp_path, "--logic", "-v", ".", "--junitxml=said.xml")
    assert fates(printed) == {
        "alone/alone.lp::one::clingo": "PASSED",
        "talks/talks.lp::two::clingo = prolog": "PASSED",
        "talks/talks.lp::two::clingo = prolog:talks_halt": "FAILED",
        "talks/talks.lp::two::clingo = prolog:talks_next": "PASSED",
        "talks/talks.lp::three::clingo = prolog": "PASSED",
        "talks/talks.lp::three::clingo = prolog:talks_halt": "FAILED",
        "talks/talks.lp::three::clingo = prolog:talks_next": "FAILED",
    }
    assert DIFFERENCE.replace("E       ", "") in printed
    assert "Traceback" not in printed
    xml = (tmp_path / "said.xml").read_text()
    assert 'classname="talks.talks.lp.three" name="clingo = prolog:talks_next"' in xml
    assert "talks_next.pl:13 fails" in xml

    one = "talks/talks.lp::three::clingo = prolog"
    assert fates(session(tmp_path, "--logic", "-v", one)) == {one: "PASSED"}
    failed = session(tmp_path, "--logic", "-v", "--lf", "-x")
    assert fates(failed) == {"talks/talks.lp::two::clingo = prolog:talks_halt": "FAILED"}
    program = session(tmp_path, "--logic", "-v", "talks/talks_next.pl", "-m", "logic")
    assert [*fates(program)] == [
        f"talks/talks_next.pl::{name}::clingo = prolog:talks_next" for name in ("two", "three")
    ]


def test_without_the_option_nothing_is_collected(talks, tmp_path):
    assert session(tmp_path).endswith("exit code 5\n")


def test_folders_that_have_nothing_to_compare_are_named(tmp_path):
    written(tmp_path / "bare", bare_lp=TALKS_LP)
    written(tmp_path / "facts" / "instances", one_lp="slots(1).")
    printed = session(tmp_path, "--logic")
    assert "--logic: no folder has programs and instances; expected FOLDER/NAME.lp" in printed
    assert re.search(
        r"--logic: \S*bare has no instances; write \S*bare/instances/NAME\.lp", printed
    )
    assert re.search(r"--logic: \S*facts has instances and no program; write \S*facts\.lp", printed)
    assert printed.endswith("exit code 5\n")


MANY = """
import sys
from pathlib import Path

def pytest_collection_finish(session):
    started = {name for name in sys.modules if name.startswith("pylogic_sudoku.engines.clingo.")}
    started |= {"janus_swi", "pylogic_sudoku.engines.prolog.instances"} & {*sys.modules}
    Path("seen").write_text(f"{len(session.items)} {sorted(started)}")
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("folders", [True, False])
def test_a_thousand_items_start_no_engine(talks, tmp_path, folders):
    for number in range(998):
        (talks.folder / "instances" / f"i{number}.lp").write_text(TWO)
    (tmp_path / "conftest.py").write_text(MANY)
    test = "@logic\ndef test_it(instance): pass\n"
    session(tmp_path, "--co", "-q", *(["--logic", "talks"] if folders else []), test=test)
    assert (tmp_path / "seen").read_text() == "1000 []"


# --- with other plugins ---

BOTH = """
@logic
def test_stays(instance, engine, logic_snapshot):
    logic_snapshot(pls.solutions(instance, engine))
    logic_snapshot(pls.count(instance, engine), name="number")
"""


def test_snapshots_are_written_compared_and_told(talks, tmp_path):
    first = session(tmp_path, "-k", "three-clingo", test=BOTH)
    folder = tmp_path / "__logic__" / "test_mine"
    path = folder / "test_stays[three-clingo].txt"
    assert f"there is no snapshot {path} yet; pytest --logic-update writes it:" in first
    assert str(ROOT / "pylogic_sudoku") not in first
    assert "1 failed" in first

    update = session(tmp_path, "--logic-update")
    assert "4 passed" in update
    assert "logic snapshots: 8 files written" in update
    assert path.read_text() == (
        "3 answers\n"
        "at(ada,1). at(bob,2). at(cleo,3).\n"
        "at(ada,1). at(bob,3). at(cleo,2).\n"
        "at(ada,2). at(bob,1). at(cleo,3).\n"
    )
    assert (folder / "test_stays[three-clingo]@number.txt").read_text() == "3\n"

    (talks.folder / "talks.pl").write_text(NEXT_PL)
    (folder / "test_gone.txt").write_text("1\n")
    (folder / "test_stays[two-clingo]@old.txt").write_text("1\n")
    again = session(tmp_path)
    assert "1 failed, 3 passed" in again
    assert (
        "E       -3 answers\nE       -at(ada,1). at(bob,2). at(cleo,3).\nE       +2 answ" in again
    )
    assert "logic snapshots: 2 files unused; pytest --logic-update removes them" in again
    assert "  __logic__/test_mine/test_gone.txt\n" in again

    removed = session(tmp_path, "--logic-update")
    assert "logic snapshots: 2 files removed" in removed
    assert "logic snapshots: 2 files written" in removed
    assert len([*folder.iterdir()]) == 8


@pytest.mark.slow
def test_snapshots_are_no_doctests_whatever_is_in_them(tmp_path):
    test = """\
def test_text(logic_snapshot):
    logic_snapshot(">>> 1 / 0")
def test_latin(logic_snapshot):
    logic_snapshot("f\\xfcr")
"""
    session(tmp_path, "--logic-update", test=test)
    (latin,) = tmp_path.glob("__logic__/*/test_latin.txt")
    (text,) = tmp_path.glob("__logic__/*/test_text.txt")
    assert session(tmp_path, "-q").endswith("exit code 0\n")
    latin.write_bytes(b"f\xfcr\n")
    text.write_text("<<<<<<< HEAD\n>>> 1 / 0\n=======\n2\n>>>>>>> mine\n")
    printed = session(tmp_path, "-q", "--tb=short")
    assert "2 failed" in printed
    assert "E   -f\N{REPLACEMENT CHARACTER}r" in printed
    assert "E   ->>>>>>> mine" in printed


@pytest.mark.slow
def test_snapshots_of_a_file_that_is_gone_are_told(tmp_path):
    gone = tmp_path / "__logic__" / "test_gone" / "test_it.txt"
    gone.parent.mkdir(parents=True)
    gone.write_text("1\n")
    printed = session(tmp_path, test="def test_it(): pass\n")
    assert "logic snapshots: 1 file unused; pytest --logic-update removes them" in printed
    assert f"  {gone.relative_to(tmp_path)}\n" in printed
    assert "logic snapshots: 1 file removed" in session(tmp_path, "--logic-update")
    assert not gone.exists()


@pytest.mark.slow
def test_the_processes_of_xdist_tell_of_their_snapshots(talks, tmp_path):
    folder = tmp_path / "__logic__" / "test_mine"
    update = session(tmp_path, "--logic-update", "-n", 2, test=BOTH)
    assert "4 passed" in update
    assert "logic snapshots: 8 files written" in update
    (folder / "test_gone.txt").write_text("1\n")
    (folder / "test_stays[two-clingo]@old.txt").write_text("1\n")
    again = session(tmp_path, "-n", 2)
    assert "4 passed" in again
    assert "logic snapshots: 2 files unused; pytest --logic-update removes them" in again
    assert "logic snapshots" not in session(tmp_path, "-n", 2, "-k", "three-clingo")


def test_the_text_of_a_snapshot():
    queen = pls.Atom("queen", (1, 2))
    one, two = pls.Answer([queen], [3]), pls.Answer()
    text = "2 answers\n% no atom\nqueen(1,2).  % cost 3\n"
    for value in ([one, two], {one, two}, iter([two, one]), (two, one)):
        assert _snapshots.text_of(value) == text
    assert _snapshots.text_of(one) == "queen(1,2).  % cost 3\n"
    assert _snapshots.text_of("any\ntext") == "any\ntext\n"
    assert _snapshots.text_of({"b": 1, "a": {3, 1, 2}}) == "{'a': {1, 2, 3}, 'b': 1}\n"
    assert _snapshots.text_of(two for _ in range(10_001)).startswith("10001 answers\n")


def test_names_of_snapshots_are_names_of_files():
    stem = _snapshots.stem_of
    assert stem("tests/test_a.py::TestB::test_c[three-clingo]") == "TestB.test_c[three-clingo]"
    long, other = stem("a.py::t[prolog:x/y]"), stem("a.py::t[prolog:x?y]")
    assert re.fullmatch(r"t\[prolog_x_y\]-[0-9a-f]{8}", long)
    assert long != other
    assert len(stem(f"a.py::{'t' * 500}")) < 200


def test_two_snapshots_of_a_test_need_two_names(tmp_path):
    class Keeper:
        update = True

        def tell(self, fate, path):
            pass

    snapshot = _snapshots.Snapshot(Keeper(), tmp_path, "mine")
    assert snapshot(1)
    assert snapshot(2)
    assert snapshot(3, "third")
    with pytest.raises(ValueError, match="two snapshots called 'third'"):
        snapshot(4, "third")
    with pytest.raises(ValueError, match="cannot be part of the name"):
        snapshot(4, "a/b")
    assert [path.name for path in snapshot.files()] == ["mine.txt", "mine@2.txt", "mine@third.txt"]


@pytest.mark.slow
def test_it_works_beside_xdist_and_hypothesis(talks, tmp_path):
    (talks.folder / "instances.lp").write_text(ALL)
    (talks.folder / "talks_next.pl").write_text(NEXT_PL)
    test = """
from hypothesis import given, settings
from pylogic_sudoku.pytest import instances

@logic
@settings(deadline=None, derandomize=True)
@given(instances("talks"))
def test_random(instance):
    assert agree(instance, "prolog:talks_next")

@logic
@settings(deadline=None, max_examples=3)
@given(some=instances("talks"))
def test_each_engine(engine, some):
    pls.solve(some, engine)
"""
    printed = session(tmp_path, "-v", "-n", 2, "--logic", test=test)
    assert "2 failed, 5 passed" in printed
    smallest = r"before\(.,.\)\. slots\(3\)\. talk\(.\)\. talk\(.\)\."
    assert re.search(rf"test_random\(\n.*instance=<Instance of talks: {smallest}>", printed)
    assert "prolog:talks_next refuses it: talks_next.pl:13 fails" in printed


# --- instances for Hypothesis ---

LONG = settings(deadline=None, max_examples=120, derandomize=True, database=None)


@pytest.fixture
def described(talks) -> pls.Problem:
    """The same problem with a program of its instances."""
    (talks.folder / "instances.lp").write_text(ALL)
    return talks


def test_instances_of_a_program_are_all_that_it_describes(described):
    from pylogic_sudoku.questions.comparison import instances_by_size

    pool = {*instances_by_size(described)}
    seen = set()

    @LONG
    @given(instances(described))
    def look(instance):
        assert instance in pool
        seen.add(instance)

    look()
    assert len(seen) > len(pool) / 2


@pytest.mark.parametrize(
    ("wanted", "smallest"),
    [
        (lambda facts: True, "slots(1)."),
        (lambda facts: "slots(2)" in facts, "slots(2)."),
        (lambda facts: len(facts) > 3, "slots(1). talk(a). talk(b). talk(c)."),
        (
            lambda facts: any("before" in each for each in facts),
            "before(a,b). slots(1). talk(a). talk(b).",
        ),
    ],
)
def test_instances_shrink_to_the_smallest(described, wanted, smallest):
    found = find(
        instances(described), lambda x: wanted({each.text for each in x.facts}), settings=LONG
    )
    assert len(found.facts) == smallest.count(".")
    assert str(found).count("slots(2)") == smallest.count("slots(2)")


@pytest.mark.slow
def test_instances_shrink_to_the_smallest_that_differs(described):
    (described.folder / "talks_next.pl").write_text(NEXT_PL)
    programs = ("clingo", "prolog:talks_next")
    known: dict[pls.Instance, bool] = {}

    def differ(instance):
        if instance not in known:
            known[instance] = not agree(instance, *programs)
        return known[instance]

    found = find(instances(described), differ, settings=LONG)
    smallest = pls.smallest_difference(described, programs)
    assert len(found.facts) == len(smallest.puzzle.facts)


def test_most_leaves_out_larger_instances(described):
    with pytest.raises(NoSuchExample):
        find(instances(described, most=3), lambda x: len(x.facts) > 1, settings=LONG)


def test_instances_from_those_in_the_folder(talks):
    """One fact of slots/1 up to the largest; talks; pairs of talks that are there."""
    texts = set()

    @LONG
    @given(instances(talks))
    def look(instance):
        facts = [each.text for each in instance.facts]
        (slots,) = [each for each in facts if each.startswith("slots(")]
        assert slots in {"slots(0)", "slots(1)", "slots(2)", "slots(3)"}
        for one, other in re.findall(r"before\((\w+),(\w+)\)", str(instance)):
            assert {f"talk({one})", f"talk({other})"} <= {*facts}
        assert instance == talks.instance(str(instance))
        texts.update(facts)

    look()
    assert {"talk(ada)", "talk(bob)", "talk(cleo)", "before(ada,cleo)", "slots(3)"} <= texts


def test_instances_with_types(described):
    types = {"slots/1": range(2, 5), "talk/1": ["x"], "before/2": ("talk/1", st.just("y"))}
    found = find(instances(described, types), lambda x: len(x.facts) == 3, settings=LONG)
    assert str(found) == "before(x,y). slots(2). talk(x)."
    several = instances(described, types, single=["talk/1"])
    found = find(several, lambda x: str(x).count("slots") == 2, settings=LONG)
    assert str(found) == "slots(2). slots(3). talk(x)."


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ({"slot/1": [1]}, "talks takes no slot/1; did you mean 'slots/1'?"),
        ({"slots": [1]}, "types: 'slots' is not a predicate; expected a name and a number"),
        ({"before/2": ["a"]}, r"types: before/2 is \['a'\]; expected a tuple of 2 types"),
        ({"slots/1": 3}, "types: slots/1 has 3; expected a range, a list of values"),
        ({"slots/1": "before/2"}, "types: slots/1: before/2 cannot be a type"),
        ({"before/2": ("node/1", "talk/1")}, "types: before/2 needs a type of node/1"),
        ({"slots/1": "talk/1", "talk/1": "slots/1"}, "types: slots/1 and talk/1 are types of each"),
    ],
)
def test_wrong_types(talks, types, message):
    with pytest.raises(pls.InvalidProblem, match=message):
        find(instances(talks, types), bool, settings=LONG)


def test_instances_need_something_to_be_made_of(tmp_path):
    bare = written(tmp_path / "bare", bare_lp=TALKS_LP)
    with pytest.raises(pls.InvalidProblem, match=r"has neither instances\.lp nor"):
        find(instances(bare), bool, settings=LONG)
    (bare.folder / "instances.lp").write_text(
        "{ slots(1) }. :- slots(1). :- not slots(1). #show slots/1."
    )
    with pytest.raises(pls.InvalidProblem, match=r"instances\.lp has no answer, so no instance"):
        find(instances(bare), bool, settings=LONG)
    with pytest.raises(pls.InvalidProblem, match="there is no problem 'quens'"):
        instances("quens")
