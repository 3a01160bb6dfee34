"""Three engines or more: who stands alone, by the function and by the command."""

from __future__ import annotations

import json
import pickle

import pytest
from helpers.command_line import invoke
from helpers.fakes import Liar, Slow

import pylogic_sudoku as pls
from pylogic_sudoku import engines

TWO = "12..34......4321"
RIGHT = ["1234341221434321", "1243341221344321"]
WRONG = "1243341221434321"


def named(name: str, made: pls.Backend) -> pls.Backend:
    made.name = name
    return made


def said(**answers: list[str] | pls.Backend) -> pls.Comparison:
    backends = [
        named(name, answer if isinstance(answer, pls.Backend) else Liar(answer))
        for name, answer in answers.items()
    ]
    return pls.compare(TWO, backends)


@pytest.mark.parametrize(
    ("answers", "alone"),
    [
        pytest.param({"a": RIGHT, "b": RIGHT, "c": RIGHT}, None, id="all agree"),
        pytest.param({"a": RIGHT, "b": RIGHT[:1], "c": RIGHT}, "b", id="one lacks a grid"),
        pytest.param({"a": [*RIGHT, WRONG], "b": RIGHT, "c": RIGHT}, "a", id="one has a wrong one"),
        pytest.param({"a": RIGHT, "b": RIGHT, "c": [RIGHT[0], WRONG]}, "c", id="same number"),
        pytest.param({"a": [], "b": RIGHT, "c": RIGHT}, "a", id="one has none"),
        pytest.param({"a": RIGHT, "b": [], "c": []}, "a", id="the majority may be wrong"),
        pytest.param({"a": RIGHT, "b": RIGHT[:1], "c": []}, None, id="three opinions"),
        pytest.param({"a": RIGHT, "b": RIGHT[:1]}, None, id="two engines"),
        pytest.param(
            {"a": RIGHT, "b": RIGHT, "c": [], "d": []}, None, id="two against two"
        ),
        pytest.param({"a": RIGHT, "b": [], "c": RIGHT, "d": RIGHT}, "b", id="one of four"),
        pytest.param({"a": RIGHT, "b": RIGHT[:1], "c": Slow(RIGHT)}, "b", id="confirmed late"),
        pytest.param({"a": RIGHT, "b": RIGHT, "c": Slow(RIGHT[:1])}, "c", id="rejected late"),
        pytest.param({"a": RIGHT, "b": RIGHT, "c": Slow(RIGHT)}, None, id="checked"),
    ],
)  # fmt: skip
def test_who_stands_alone(answers, alone):
    comparison = said(**answers)
    assert comparison.alone == alone
    text = f"the engines disagree: {alone} stands alone"
    assert (str(comparison) == text) == (alone is not None)


def test_an_engine_that_gives_a_solution_twice_is_broken():
    with pytest.raises(pls.BackendFailure, match=r"^b gave the same solution twice: 1234"):
        said(a=RIGHT, b=[*RIGHT, RIGHT[0]])


def test_the_error_names_it_too():
    with pytest.raises(pls.Disagreement) as caught:
        said(a=RIGHT, b=RIGHT, c=[]).check()
    assert caught.value.alone == "c"
    assert str(caught.value).endswith("; c: 0 solutions; c stands alone")
    assert pickle.loads(pickle.dumps(caught.value)).alone == "c"
    with pytest.raises(pls.Disagreement) as caught:
        said(a=RIGHT, c=[]).check()
    assert caught.value.alone is None
    assert str(caught.value).endswith("; c: 0 solutions")


# --- the commands ------------------------------------------------------------------------


@pytest.fixture
def three(monkeypatch):
    """clingo, one that agrees with it, and one that does not."""
    monkeypatch.setattr(engines, "names", lambda: ("clingo", "second", "third"))
    monkeypatch.setattr("pylogic_sudoku.commands._options.names", engines.names)
    made = {"second": named("second", Liar(RIGHT)), "third": named("third", Liar([WRONG]))}
    monkeypatch.setattr(engines, "_made", engines._made | made)


def test_the_command_names_it(three, tmp_path):
    log = tmp_path / "log"
    done = invoke("compare", "--json", str(log), TWO, TWO)
    assert done.exit_code == 5
    for line in (
        "puzzle 2: the engines disagree: third stands alone",
        f"    only third has {WRONG}",
        f"    clingo has {RIGHT[0]}, but not third",
        f"    second has {RIGHT[1]}, but not third",
    ):
        assert f"{line}\n" in done.stderr
    assert "\nthird stands alone: 2 puzzles\n" in done.stdout
    *found, last = map(json.loads, log.read_text().splitlines())
    assert [record["alone"] for record in found] == ["third", "third"]
    assert last["summary"]["alone"] == {"third": 2}


def test_two_of_them_have_no_majority(three):
    done = invoke("compare", "-b", "clingo", "-b", "third", TWO)
    assert (done.exit_code, done.stderr.splitlines()[0]) == (5, "puzzle 1: the engines disagree")
    assert "stands alone" not in done.stdout + done.stderr
    done = invoke("compare", "-b", "clingo", "-b", "second", TWO)
    assert (done.exit_code, done.stderr) == (0, "")


def test_all_counts_more_than_a_name(three):
    done = invoke("compare", "-b", "clingo", "-b", "all", TWO)
    assert "third stands alone" in done.stdout


@pytest.mark.parametrize("options", [["-b", "clingo"], ["-b", "clingo", "-b", "clingo"]])
def test_one_engine_is_not_enough(options):
    done = invoke("compare", *options, TWO)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Error: -b clingo needs another -b to be compared with\n" in done.stderr


def test_other_commands_name_it(three):
    for command in ("solve", "count"):
        done = invoke(command, "-b", "all", *["-n", "0"] * (command == "solve"), TWO)
        assert done.exit_code == 5
        assert done.stderr.endswith("; third stands alone\n")
