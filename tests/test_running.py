"""One package runs programs that are not ours: fork server, limits and sandbox are nowhere else."""

from __future__ import annotations

import ast
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.problems import written
from helpers.processes import soon

import parts
import pylogic_sudoku as pls
from pylogic_sudoku.check import grade
from pylogic_sudoku.running import process, runs
from pylogic_sudoku.running._limited import NO_NAMESPACES
from pylogic_sudoku.running.process import Ended, Limits, limits_memory

PACKAGE = Path(__file__).parents[1] / "pylogic_sudoku"
ROOM = PACKAGE / "running"
OF_PROCESSES = {"resource", "subprocess", "_limited", "_namespaces"}
"""Modules that start processes, or limit them."""
CALLS = {"fork", "execv", "killpg", "setrlimit", "setuid", "Popen"}
REPLACING = {("engines/prolog/swipl.py", "execv")}
"""Calls elsewhere: the toplevel takes the place of the command, for its own user."""


def outside() -> dict[str, ast.Module]:
    """The modules of the other packages."""
    files = (file for file in PACKAGE.rglob("*.py") if ROOM not in file.parents)
    return {
        file.relative_to(PACKAGE).as_posix(): ast.parse(file.read_text(encoding="utf-8"))
        for file in files
    }


def imported(tree: ast.Module) -> set[str]:
    """The modules that are imported, each without its package."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").rpartition(".")[2])
            names |= {each.name for each in node.names if each.name.startswith("_")}
    return names


def test_no_other_room_starts_or_limits_a_process():
    modules = outside()
    assert {name for name, tree in modules.items() if imported(tree) & OF_PROCESSES} == set()
    called = {
        (name, node.attr)
        for name, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in CALLS
    }
    assert called == REPLACING


def test_no_other_room_names_a_script_that_a_child_runs():
    scripts = {file.name for file in ROOM.glob("*.py")} - {"__init__.py", "prolog.py"}
    named = {
        (name, script)
        for name, tree in outside().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for script in scripts
        if node.value == script or "sys.argv" in node.value
    }
    assert "child.py" in scripts
    assert {name for name, _ in named} <= {"explain/graph.py"}  # whose child runs asplain


def test_the_room_knows_no_engine_and_no_cell():
    table = parts.table()
    for file in ROOM.glob("*.py"):
        assert parts.part_of(f"pylogic_sudoku.running.{file.stem}", table) == "core"
        words = file.read_text(encoding="utf-8").lower().replace("pylogic_sudoku", "")
        words = words.replace("pylogic-sudoku", "").replace("sudokuerror", "")
        assert "sudoku" not in words, file.name
        assert "grid" not in words, file.name


PROGRAM = """\
:- use_module(library(clpfd)).
{head} :- V in 1..3, V #> 1.
"""
SLIPS = {
    "no library": lambda text: text.partition("\n")[2],
    "the library too late": lambda text: "\n".join(reversed(text.splitlines())) + "\n",
    "a dot is missing": lambda text: f"helper(X) :- X = 1\n{text}",
    "another language": lambda text: text.replace("#> 1", "#!= 1"),
    "another Prolog": lambda text: text.replace("clpfd", "clpz"),
    "a syntax error": lambda text: text.replace("1..3,", "1..3,,"),
    "a module": lambda text: f":- module(mine, []).\n{text.partition(chr(10))[2]}",
}
CURE = "library(clpfd): put :- use_module(library(clpfd)). at the top of the program"
CURES = {
    "no library": f"the program uses operators of {CURE}",
    "the library too late": (
        "the program uses operators of library(clpfd) before line 2, which loads it: put that line"
        " at the top of the program"
    ),
    "a dot is missing": "",
    "another language": ("#!= is not an operator in Prolog: write #\\="),
    "another Prolog": "library(clpz) is of Scryer Prolog: write library(clpfd)",
    "a syntax error": "",
    "a module": f"the program uses operators of {CURE}",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_alike_in_a_grade_of_both_and_by_a_question(tmp_path, slip):
    """Prolog prints the errors of a sudoku's program; those of others are messages with cures."""
    heads = {"sudoku": "sudoku([[V|_]|_])", "problem": "model([q(1)-V])"}
    texts = {name: SLIPS[slip](PROGRAM.format(head=head)) for name, head in heads.items()}
    mine = tmp_path / "mine.pl"
    mine.write_text(texts["sudoku"], encoding="utf-8")
    [verdict] = grade(mine, ["4......3...13..."])
    first, *rest = verdict.message.splitlines()
    assert (first if CURES[slip] else "") == CURES[slip]
    errors = [each for each in (first, *rest) if "Syntax error" in each]
    problem = written(tmp_path / "problem", problem_pl=PROGRAM.format(head="model([q(1)-V])"))
    mine.write_text(texts["problem"], encoding="utf-8")
    [graded] = grade(mine, [""], problem=problem)
    (tmp_path / "problem" / "problem.pl").write_text(texts["problem"], encoding="utf-8")
    with pytest.raises(pls.BackendFailure) as error:
        pls.solve(pls.Problem(tmp_path / "problem").instance(""), "prolog")
    for said in (graded.message, str(error.value)):
        assert CURES[slip] in said
        lines = [each for each in said.splitlines() if "Syntax error" in each]
        assert len(lines) == len(errors)
        assert ("library(clpfd)" in said) == ("library(clpfd)" in CURES[slip])


def test_answers_that_repeat_are_no_grids(tmp_path):
    problem = written(tmp_path / "picks", picks_lp="{ pick(1..2) } = 1.\n#show pick/1.\n")
    mine = tmp_path / "mine.lp"
    twice = "{ pick(1..2) } = 1.\n{ free }.\n#show pick/1.\n#show other(X) : pick(X), free.\n"
    mine.write_text(twice, encoding="utf-8")
    [verdict] = grade(mine, [""], problem=problem)
    assert verdict.passed
    words = "4 answers, but only 2 different answers: answer sets with the same output differ in"
    assert words in verdict.message
    assert "grid" not in verdict.message


@pytest.mark.parametrize(
    ("code", "errors", "failed", "has_begun", "lacks"),
    [
        (1, "terminate called: std::bad_alloc", None, True, True),
        (0, "", ("memory", ""), True, True),
        (1, "anything", None, False, limits_memory()),
        (NO_NAMESPACES, "anything", None, False, False),
        (1, "bwrap: no", None, False, False),
        (1, "anything", None, True, False),
        (1, "anything", ("raised", "out of memory"), True, False),
    ],
)
def test_a_program_lacks_memory_whatever_our_words_are(code, errors, failed, has_begun, lacks):
    with runs.opened(Limits(1.0, 64)) as files:
        if has_begun:
            files.results.touch()
        seen = {"output": runs.Output(), "full": lambda: False, "failed": failed, "said": []}
        flags = dict.fromkeys(("spoilt", "ended", "wrong", "ready"), False)
        output = runs._conclude(SimpleNamespace(**seen, **flags), Ended(code, 0.1, errors), files)
    assert (output.stopped, output.lacks_memory) == ("error", lacks)
    assert (output.message == "out of memory (the limit is 64 MB)") == lacks


def test_the_time_of_a_program_is_not_that_of_judging_it(tmp_path, monkeypatch):
    """The program ends while its first answers are judged, which takes a hundred seconds."""
    now = [0.0]
    monkeypatch.setattr(process, "perf_counter", lambda: now[0])

    def judge() -> bool:
        soon(lambda: process.WATCHING not in {each.name for each in threading.enumerate()})
        now[0] += 100
        return False

    ended = process.run(["true"], Limits(1000, 0), tmp_path, tmp_path / "errors", judge)
    assert ended.seconds < 100 <= now[0]
