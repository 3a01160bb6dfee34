"""Every target of the Makefile finds the tools of .venv; the reproductions that `make host` runs.

The first test runs the recipes with tools that only say what their PATH is.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from helpers.processes import ended
from host import defects

ROOT = Path(__file__).resolve().parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = " ".join(re.findall(r"^([a-z][a-z -]*):(?!=)", MAKEFILE, re.MULTILINE)).split()
WITHOUT_TOOLS = {"help", "check", "install", "setup", "clean"}


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
    assert "The workaround may go: pylogic_sudoku/engines/prolog/start.py" in said
    monkeypatch.setattr(defects, "result", lambda *command: "unclear: it took over 120 seconds")
    assert defects.main() == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", defects.REPRODUCTIONS)
def test_a_reproduction_is_clear(name):
    assert defects.result(defects.__file__, name) in defects.WORDS
