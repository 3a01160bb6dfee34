"""Every target of the Makefile finds the tools of .venv; fresh roots; quick and slow cases; the
reproductions that `make host` runs.

The first test runs the recipes with tools that only say what their PATH is.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import conftest
import pytest
from helpers.processes import ended
from host import defects

import try_targets

ROOT = Path(__file__).resolve().parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = " ".join(re.findall(r"^([a-z][a-z -]*):(?!=)", MAKEFILE, re.MULTILINE)).split()
WITHOUT_TOOLS = {"help", "check", "install", "setup", "wasm", "clean"}


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_has_the_tools_on_its_path(tmp_path, target):
    folder = tmp_path / "check out"
    tools = folder / ".venv" / "bin"
    tools.mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("python", "pylogic-sudoku", "ruff", "mypy", "lint-imports"):
        (tools / name).write_text('#!/bin/sh\necho "PATH of a tool: $PATH"\n')
        (tools / name).chmod(0o755)
    done = ended("make", "PYTHON=true", target, cwd=folder, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    paths = re.findall(r"^PATH of a tool: (.*)$", done.stdout, re.MULTILINE)
    assert bool(paths) == (target not in WITHOUT_TOOLS)
    assert {*paths} <= {f"{tools}:/usr/bin:/bin"}


# === Fresh roots ==================================================================================


@pytest.mark.parametrize("namespaces", [True, False])
def test_a_target_is_made_with_and_without_namespaces(monkeypatch, tmp_path, namespaces):
    """Refuse namespaces, as the kernel does where a process was only put by chroot; verify it."""
    commands = []
    monkeypatch.setattr(try_targets, "run", lambda *command: commands.append(command))
    try_targets.make(tmp_path, "demo", [], namespaces)
    ((first, *_, inside),) = commands
    assert inside.endswith("exec make demo")
    assert inside.startswith(try_targets.NO_NAMESPACES) == (not namespaces)
    assert first == ("unshare" if namespaces else "chroot")


def test_without_a_compiler_pip_installs_the_wheel_and_both_engines_are_asked(
    monkeypatch, tmp_path
):
    commands, wheel = [], tmp_path / "mine-py3-none-any.whl"
    wheel.touch()
    (tmp_path / "root" / "home" / try_targets.USER).mkdir(parents=True)
    monkeypatch.setattr(try_targets, "run", lambda *command: commands.append(command[-1]))
    monkeypatch.setattr(try_targets, "run_quietly", lambda *command: None)
    try_targets.attempt_without_compiler(tmp_path / "root", wheel)
    assert commands[0] == "cd && ! command -v cc gcc clang swipl"
    assert "install" in commands[2]
    assert f"'./{wheel.name}[wasm]'" in commands[2]
    assert "-b all" in commands[3]
    monkeypatch.setattr(try_targets, "ROOT", tmp_path)
    with pytest.raises(try_targets.Failed, match="make wheel"):
        try_targets.built_wheel()


# === The cases that run after each change =========================================================


@pytest.mark.parametrize("first", [0, 1])
def test_of_three_engines_each_kind_has_one_and_each_engine_a_third_of_the_kinds(first):
    class Item:
        def __init__(self, *values):
            self.nodeid = f"test[{'-'.join(values)}]"
            self.callspec = SimpleNamespace(_idlist=values)
            self.slow = False

        def get_closest_marker(self, name):
            return pytest.mark.one_in(3, first).mark

        def add_marker(self, name):
            self.slow = name == "slow"

    engines = ["clingo", "prolog", "sat"]
    items = [Item(kind, engine) for kind in "abcdef" for engine in engines]
    conftest.pytest_collection_modifyitems(items)
    quick = [item.callspec._idlist for item in items if not item.slow]
    assert quick == [(kind, engines[(first - i) % 3]) for i, kind in enumerate("abcdef")]


# === The reproductions of defects, which `make host` runs =========================================


@pytest.mark.parametrize("name", defects.REPRODUCTIONS)
def test_a_reproduction_says_where_the_workaround_is(name):
    wrong, where = defects.about(name)
    assert wrong.endswith(".")
    file, what = where.split(" ", 1)
    assert (ROOT / file).is_file()
    assert what.endswith(".")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('present')", "present"),
        ("print('noise'); print('gone')", "gone"),
        ("print('maybe')", "unclear: exit code 0\nmaybe"),
        ("print('gone'); raise SystemExit(3)", "unclear: exit code 3\ngone"),
        ("", "unclear: exit code 0"),
    ],
)
def test_what_a_reproduction_says(text, said):
    assert defects.result("-c", text) == said


def test_a_defect_that_is_gone_is_reported(monkeypatch, capsys):
    some = {"janus_locale": defects.janus_locale}
    monkeypatch.setattr(defects, "REPRODUCTIONS", some)
    monkeypatch.setattr(defects, "result", lambda *command: "gone")
    assert defects.main() == 0
    assert "gone     janus_locale: Importing janus" in (said := capsys.readouterr().out)
    assert "The workaround may go: pylogic_sudoku/running/prolog.py" in said
    monkeypatch.setattr(defects, "result", lambda *command: "unclear: it took over 120 seconds")
    assert defects.main() == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", defects.REPRODUCTIONS)
def test_a_reproduction_is_clear(name):
    if not defects.is_possible(name):
        pytest.skip("no SWI-Prolog as WebAssembly is here")
    assert defects.result(defects.__file__, name) in defects.WORDS
