"""Coverage and mutants at the end of a session of pytest."""

from __future__ import annotations

import pytest
from helpers.talks import DESCRIBED, INSTANCES, TALKS, folder
from test_pytest_plugin import session

TEST = "\n\n@logic\ndef test_it(instance):\n    assert instance\n"
SECTION = "logic coverage"


def test_nothing_is_measured_unless_it_is_asked_for(tmp_path):
    folder(tmp_path, {"talks.lp": TALKS}, INSTANCES)
    printed = session(tmp_path, "-q", test=TEST)
    assert SECTION not in printed


@pytest.mark.slow
def test_the_folders_of_tests_are_measured_at_the_end(tmp_path):
    made = folder(tmp_path, {"talks.lp": TALKS}, INSTANCES)
    printed = session(tmp_path, "-q", "--logic-cov", test=TEST)
    assert "talks: 3 of 3 parts noticed by 2 instances" in printed
    assert printed.endswith("exit code 0\n")
    (made / "instances" / "order.lp").unlink()
    printed = session(tmp_path, "-q", "--logic-cov", "-n", "2")
    assert f"= {SECTION} =" in printed
    assert printed.count("talks: 2 of 3 parts noticed by 1 instance\n") == 1
    assert "talks/talks.lp:5: :- before(T,U), at(T,S), at(U,R), S >= R." in printed


@pytest.mark.slow
def test_folders_without_python_and_mutants(tmp_path):
    programs = {"talks.lp": TALKS, "instances.lp": DESCRIBED}
    folder(tmp_path, programs, {"two": INSTANCES["two"]})
    printed = session(tmp_path, "-q", "--logic", "--logic-cov", "--logic-mutants=4")
    assert "talks: 2 of 3 parts noticed by 1 instance\n" in printed
    assert "  program  file      mutants  killed  late  survived  equivalent  unknown" in printed
    printed = session(tmp_path, "-q", "--logic", "--logic-mutants", "4")
    assert "parts noticed" not in printed
    assert "talks.lp        4" in printed


@pytest.mark.slow
def test_a_folder_may_be_named_and_may_be_wrong(tmp_path):
    folder(tmp_path, {"talks.lp": TALKS}, INSTANCES)
    test = "\n\ndef test_other():\n    pass\n"
    arguments = ("--logic-cov=talks", "--logic-cov=nothing")
    printed = session(tmp_path, "-q", *arguments, test=test)
    assert "talks: 3 of 3 parts noticed by 2 instances" in printed
    assert "nothing: there is no problem 'nothing'" in printed
    assert printed.endswith("exit code 0\n")
    printed = session(tmp_path, "-q", "--logic-cov")
    assert "nothing to measure: no test is about a folder" in printed
    printed = session(tmp_path, "-q", "--logic-cov", "-k", "none_such")
    assert "not measured, since the session did not run to its end" in printed
    printed = session(tmp_path, "--logic-mutants=x")
    assert "'x' is not a number of mutants; expected 100" in printed
