"""Imports, by name: of `import pylogic_sudoku`, and of runs of the command line."""

from __future__ import annotations

import ast
import pickle
import pydoc
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
from helpers.command_line import FOUR, PUZZLE, cli, environment, run
from helpers.processes import ended
from helpers.processes import run as python

import pylogic_sudoku as pls
from pylogic_sudoku.cli.app import loaded
from pylogic_sudoku.formats import _ALL

ENTRY = """
import os, sys
def end(code):
    ours = {name for name in sys.modules if name.startswith("pylogic_sudoku.")}
    print(*sorted(name.removeprefix("pylogic_sudoku.") for name in ours), file=sys.stderr)
    print(*sorted({name.split(".")[0] for name in {*sys.modules} - before - ours}), file=sys.stderr)
os._exit = end
before = {*sys.modules}
from pylogic_sudoku.__main__ import main
try:
    main()
except SystemExit as ended:
    end(ended.code)
"""
VALUES = {"errors", "puzzle", "puzzle.cells", "question"}
READING = {*(f"formats{part}" for part in ("", ".rows", ".text"))}
ASKING = {
    "questions",
    "engines",
    "engines.base",
    "engines.program",
    "running",
    "running.workers",
    "files",
}
ASKING |= {
    "engines.registry",
    "errors",
    "problem",
    "problem.atoms",
    "problem.languages",
    "question",
}
SUDOKU = {"engines.sudoku", "engines.sudoku.base", "engines.sudoku.choice"}
SHARED = {"__main__", "cli", "cli.output", "questions.many"} | VALUES | READING | ASKING
CLINGO = {f"engines.clingo{part}" for part in ("", ".decoding", ".session", ".ground_per_question")}
CLINGO |= SUDOKU | {"engines.sudoku.clingo", "engines.sudoku.ground_once"}
SLOW = {"click", "csv", "difflib", "json", "multiprocessing", "pathlib", "rich", "shutil"}
SLOW |= {"asyncio", "janus_swi", "numpy", "pysat", "subprocess", "tempfile", "urllib"}


def imported(*arguments: str) -> tuple[set[str], set[str]]:
    """The imports of a run of the command: our modules, and the other packages."""
    done = ended(sys.executable, "-c", ENTRY, *arguments, env=environment())
    *_, ours, others = done.stderr.splitlines()
    return set(ours.split()), set(others.split())


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("", set()),
        ("dir(pls)", set()),
        ("pls.SudokuError", {"errors"}),
        ("pls.Grid", VALUES),
        ("pls.solve", ASKING),
    ],
)
def test_a_name_imports_what_it_needs(code, modules):
    ended = python(f"{code}\nprint(*(name for name in sys.modules if 'pylogic_sudoku.' in name))")
    assert ended.stderr == ""
    assert {name.partition(".")[2] for name in ended.stdout.split()} == modules


def test_prolog_loads_for_a_sudoku_what_that_needs():
    code = f"""
import sys
pls.solve({PUZZLE!r}, "prolog")
print(*(name for name in sys.modules if "pylogic_sudoku." in name))
print(*{{"_hashlib", "array", "pickle", "socket"}} & set(sys.modules))
import janus_swi
files = [found["File"] for found in janus_swi.query("source_file(File)")]
print(*(file.rpartition("/")[2] for file in files if "/prolog/host/" in file))
late = "aggregate", "solution_sequences", "when"
print(*(name for name in late if any(file.endswith(f"/library/{{name}}.pl") for file in files)))
"""
    ended = python(code)
    assert ended.stderr == ""
    modules, others, host, late = ended.stdout.split("\n")[:4]
    prolog = {*(f"engines.prolog{part}" for part in ("", ".hosts", ".search")), "running.prolog"}
    prolog |= SUDOKU | {"engines.sudoku.prolog"}
    assert {name.partition(".")[2] for name in modules.split()} == (
        VALUES | READING | ASKING | prolog
    )
    assert (set(others.split()), set(late.split())) == (set(), set())
    assert set(host.split()) == {"bridge.pl", "loading.pl"}


def test_help_imports_no_command():
    ours, others = imported("--help")
    assert ours == SHARED | {"cli.app"}
    assert not others & {"clingo", "janus_swi", "rich", "multiprocessing", "subprocess"}


def test_a_puzzle_to_solve_imports_one_engine_and_one_reader():
    ours, others = imported("solve", PUZZLE)
    assert ours == SHARED | CLINGO
    assert not others & SLOW
    assert "clingo" in others


def test_solve_with_options_imports_click_and_its_own_options():
    ours, others = imported("solve", "-n", "1", "-f", "line", PUZZLE)
    assert ours == SHARED | CLINGO | {
        *("cli.app", "cli.options", "cli.questions", "questions.comparison")
    }
    assert not others & {"rich", "janus_swi", "multiprocessing", "importlib_metadata"}


@pytest.mark.parametrize(
    ("sources", "stdin"),
    [
        pytest.param([PUZZLE], "", id="a puzzle"),
        pytest.param([FOUR, PUZZLE, "1..4............"], "", id="several"),
        pytest.param(["-"], f"{FOUR}\n{PUZZLE}\n", id="standard input"),
        pytest.param(["11" + "." * 14, FOUR], "", id="no solution"),
        pytest.param(["no-such-file.txt", "123", FOUR], "", id="bad input"),
        pytest.param([""], "", id="nothing"),
    ],
)
def test_solve_without_options_does_what_it_does_with_them(sources, stdin):
    quick, usual = (run("solve", *more, *sources, stdin=stdin) for more in ([], ["--jobs", "1"]))
    assert quick.stdout == usual.stdout
    assert quick.stderr == usual.stderr
    assert quick.returncode == usual.returncode


def test_the_list_of_commands_has_the_first_sentence_of_each():
    for name in cli.commands:
        command = loaded(name)
        assert command.name == name
        assert cli.commands[name].short_help == command.get_short_help_str(100)


def test_each_function_of_a_format_exists():
    for form in _ALL.values():
        module = import_module(f"pylogic_sudoku.formats.{form.module}")
        for name in filter(None, (form.read, form.write, form.split)):
            assert callable(getattr(module, name))


# --- names that are looked up when they are first used ---------------------------------------


def _imports_for_types() -> dict[str, str]:
    """The module of each name that a type checker sees in the package; "" for a module."""
    tree = ast.parse(Path(pls.__file__).read_text(encoding="utf-8"))
    block = next(each for each in tree.body if isinstance(each, ast.If))
    assert ast.unparse(block.test) == "TYPE_CHECKING"
    found = {}
    for each in block.body:
        if isinstance(each, ast.ImportFrom):
            module, names = each.module or "", [alias.name for alias in each.names]
            if names == ["*"]:
                names = import_module(f"pylogic_sudoku.{module}").__all__
            found |= dict.fromkeys(names, module)
    return found


def test_type_checkers_and_python_find_a_name_in_the_same_module():
    found = _imports_for_types()
    packages = {"aio", "check", "coverage", "draw", "explain", "rules", "techniques"}
    assert set(found) == {*pls.__all__, *packages}
    for name, module in found.items():
        home = import_module(f"pylogic_sudoku.{module or name}")
        assert getattr(pls, name) is (getattr(home, name) if module else home)


def test_help_in_python_shows_the_names():
    text = pydoc.plain(pydoc.render_doc(pls))
    assert re.search(r"\bsolve\(\s*puzzle: 'PuzzleLike", text)  # newer Pythons break the line
    assert "class Grid" in text


def test_values_are_pickled_under_their_old_names():
    grid = pickle.dumps(pls.Grid.parse(FOUR))
    assert b"pylogic_sudoku.puzzle" in grid
    loaded = python(f"import pickle; print(repr(pickle.loads({grid!r})))")
    assert loaded.stdout == f"Grid.parse({FOUR!r})\n"
    assert pickle.loads(pickle.dumps(pls.solve)) is pls.solve


def test_all_names_at_once():
    ended = python("from pylogic_sudoku import *; print(solve('4......3...13...'), Walk.__name__)")
    assert (ended.stdout, ended.stderr) == ("4312124324313124 Walk\n", "")


def test_modules_that_were_there_without_an_import_still_are():
    ended = python("print(pls.errors.SudokuError is pls.SudokuError, pls.formats.detect('1..4'))")
    assert (ended.stdout, ended.stderr) == ("True line\n", "")
