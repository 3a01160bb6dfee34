"""Every target of the Makefile finds the tools of .venv, whatever PATH its user has.

This runs the recipes with tools that only say what their PATH is; scripts/try_targets.py runs the
targets for real, in a clean clone.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import try_targets

ROOT = Path(__file__).resolve().parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = " ".join(re.findall(r"^([a-z][a-z -]*):(?!=)", MAKEFILE, re.MULTILINE)).split()
WITHOUT_TOOLS = {"help", "check", "install", "setup", "clean"}


def test_every_target_is_tried_but_the_tests():
    tried = try_targets.targets(MAKEFILE)
    assert {*tried, *try_targets.TESTS} == {*TARGETS}
    assert (tried[0], tried[-1]) == ("demo", "clean")


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_has_the_tools_on_its_path(tmp_path, target):
    folder = tmp_path / "check out"
    tools = folder / ".venv" / "bin"
    tools.mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("python", "pylogic-sudoku", "ruff", "mypy"):
        (tools / name).write_text('#!/bin/sh\necho "PATH of a tool: $PATH"\n')
        (tools / name).chmod(0o755)
    done = subprocess.run(
        ["make", "PYTHON=true", target],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    paths = re.findall(r"^PATH of a tool: (.*)$", done.stdout, re.MULTILINE)
    assert bool(paths) == (target not in WITHOUT_TOOLS)
    assert {*paths} <= {f"{tools}:/usr/bin:/bin"}
