"""One room runs programs that are not ours: fork server, limits and sandbox are nowhere else."""

from __future__ import annotations

import ast
from pathlib import Path

from helpers.problems import written

import parts
from pylogic_sudoku.check import grade

PACKAGE = Path(__file__).parents[1] / "pylogic_sudoku"
ROOM = PACKAGE / "running"
OF_PROCESSES = {"resource", "subprocess", "_limited", "_namespaces"}
"""Modules that start processes, or limit them."""
CALLS = {"fork", "execv", "killpg", "setrlimit", "setuid", "Popen"}
REPLACING = {("engines/prolog/swipl.py", "execv")}
"""Calls elsewhere: the toplevel takes the place of the command, for its own user."""


def outside() -> dict[str, ast.Module]:
    """The modules of the other rooms."""
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
