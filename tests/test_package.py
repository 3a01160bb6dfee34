"""The promises of the package as a whole."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import rlcompleter
from importlib.metadata import version
from pathlib import Path

import pytest
from helpers.processes import run
from IPython.core.completer import IPCompleter, provisionalcompleter

import pylogic_sudoku as pls
from pylogic_sudoku import errors

PACKAGES = ["aio", "check", "coverage", "draw", "explain", "rules", "techniques"]
MODULES = [
    found.name
    for found in pkgutil.walk_packages(pls.__path__, "pylogic_sudoku.")
    if "._" not in found.name and not found.name.startswith("pylogic_sudoku.cli")
]
ROOMS = {f"pylogic_sudoku.{name}" for name in ("aio", "check", "draw", "engines", "errors")}
ROOMS |= {f"pylogic_sudoku.{name}" for name in ("explain", "formats", "making", "proofs", "puzzle")}
ROOMS |= {f"pylogic_sudoku.{name}" for name in ("questions", "rules", "techniques")}


def test_import_loads_no_engine_and_nothing_slow():
    slow = {"clingo", "janus_swi", "click", "rich", "urllib.request", "multiprocessing", "asyncio"}
    slow |= {"numpy", "importlib.metadata", *(f"pylogic_sudoku.{name}" for name in PACKAGES)}
    ended = run(f"dir(pls); print(sorted({slow!r} & set(sys.modules)))")
    assert (ended.stdout, ended.stderr) == ("[]\n", "")


@pytest.mark.parametrize("name", MODULES)
def test_a_public_module_is_found_under_its_name_and_documented(name):
    module = importlib.import_module(name)
    parent, _, last = name.rpartition(".")
    assert getattr(importlib.import_module(parent), last) is module
    assert module.__doc__
    assert hasattr(module, "__all__") or name not in ROOMS
    for public in getattr(module, "__all__", ()):
        thing = getattr(module, public)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), public


def test_dir_has_the_public_names_and_no_others():
    public = [name for name in dir(pls) if not name.startswith("_")]
    assert public == sorted({*pls.__all__, *PACKAGES})
    assert {"__doc__", "__file__", "__version__"} < set(dir(pls))
    assert all(hasattr(pls, name) for name in dir(pls))


def test_the_tab_key_offers_the_public_names_and_no_others():
    public = {f"pls.{name}" for name in (*pls.__all__, *PACKAGES)}
    plain = rlcompleter.Completer({"pls": pls}).attr_matches("pls.")
    assert {name.rstrip("()") for name in plain} == public
    for jedi in (False, True):
        completer = IPCompleter(namespace={"pls": pls}, global_namespace={}, use_jedi=jedi)
        with provisionalcompleter():
            offered = {found.text.removeprefix(".") for found in completer.completions("pls.", 4)}
        assert offered == {name.removeprefix("pls.") for name in public}


def test_exported_names():
    assert sorted(pls.__all__) == list(pls.__all__)
    assert all(hasattr(pls, name) for name in pls.__all__)
    assert set(errors.__all__) <= set(pls.__all__)
    for name in pls.__all__:
        if inspect.isclass(getattr(pls, name)) or inspect.isfunction(getattr(pls, name)):
            assert inspect.getdoc(getattr(pls, name)), name


def test_version():
    assert pls.__version__ == version("pylogic-sudoku")


def test_an_unknown_name():
    with pytest.raises(AttributeError, match="no_such_name"):
        pls.no_such_name  # noqa: B018


def test_error_tree():
    for name in {*errors.__all__} - {"Message", "ProgramWarning"}:
        assert issubclass(getattr(pls, name), pls.SudokuError)
    assert issubclass(pls.InvalidPuzzle, ValueError)
    assert issubclass(pls.SolveTimeout, TimeoutError)
    assert not issubclass(pls.BackendUnavailable, ValueError)
    assert issubclass(pls.ProgramWarning, UserWarning)


def test_backends_lists_the_engines():
    clingo, prolog = pls.backends()[:2]
    assert (clingo.name, clingo.engine, clingo.available) == ("clingo", "clingo", True)
    assert (prolog.name, prolog.engine, prolog.available) == ("prolog", "SWI-Prolog", True)
    assert all(info.version and info.why is None and info.fix is None for info in (clingo, prolog))


ERRORS = {"InvalidPuzzle", "NoSolution", "BackendUnavailable"}
"""The command line shows these too; it checks for itself what raises ValueError and TypeError."""
PYTHON = re.compile(r"\bNone\b|\w\(\)|\bpls\.|\b(box|limit|timeout|smallest)=|\bread_\w+")


def test_a_message_with_a_remedy_in_python_has_one_for_the_command_line_too():
    messages = []
    for file in Path(pls.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ERRORS:
                parts = (part.value for part in ast.walk(call) if isinstance(part, ast.Constant))
                messages.append("".join(part for part in parts if isinstance(part, str)))
    pythonic = [message for message in messages if PYTHON.search(message)]
    assert len(messages) > 40
    assert [message for message in pythonic if not re.search(r"--\w|\bfile\b", message)] == []


def test_unknown_backend_names_the_known_ones():
    with pytest.raises(pls.BackendUnavailable, match=r"'foo'.*\n.*clingo, prolog"):
        pls.solve("1..4............", backend="foo")


def test_no_pattern_repeats_a_group_possessively():
    """Python before 3.11.5, Debian 12's too, reads on after a failed part of such a group."""
    for file in Path(pls.__file__).parent.rglob("*.py"):
        found = re.search(r"""(?<!\\)\)(?:[*+?]|\{[\d,{}]*\})\+(?!\()""", file.read_text())
        assert not found, f"{file}: {found}; an atomic group (?>(?:...)*) does the same"


MOST_USED = [
    "solve",
    "solutions",
    "count",
    "is_unique",
    "candidates",
    "solve_many",
    "compare",
    "cross_check",
    "propagate",
    "trace",
    "measure",
    "why",
    "why_not",
    "conflicts",
    "ambiguity",
    "steps",
    "hint",
    "rate",
    "generate",
    "refusal",
    "Problem",
    "Grid",
    "Puzzle",
]


@pytest.mark.parametrize("name", MOST_USED)
def test_what_is_used_most_has_an_example(name):
    assert ">>> " in inspect.getdoc(getattr(pls, name))
