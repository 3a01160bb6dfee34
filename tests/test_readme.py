"""Every code block of the README does what it says."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pylogic_sudoku.toplevel import swipl

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


def same(expected: str, printed: str) -> bool:
    """Equal but for times and versions; ``...`` stands for any text."""

    def plain(text: str) -> str:
        text = re.sub(r"\d+(\.\d+)+", "#", text)
        return re.sub(r"(# ?(ms|s)\b.*)", "#", text).strip()

    parts = [re.escape(part.strip()) for part in plain(expected).split("...")]
    return bool(re.fullmatch(r"\s*.*?\s*".join(parts), plain(printed), re.DOTALL))


def test_every_block_is_of_a_kind_that_is_run():
    assert {name for name, _ in BLOCKS} == {"console", "sh", "python", "prolog", "text"}
    assert len(blocks("text")) == 1  # the record of a run that takes many minutes
    tests, page = blocks("sh")
    assert tests == "make test\n"  # which runs this very test
    assert "pylogic-sudoku serve" in page  # which the tests of the page do


def test_python_blocks():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 7) == (0, True)


@pytest.fixture
def checkout(tmp_path):
    """What the commands see of the checkout, in a folder where they may leave files."""
    for name in ("prolog", "encodings", "Makefile", "scripts", "pyproject.toml", ".venv"):
        if (ROOT / name).exists():
            (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


COMMANDS = [
    pytest.param(command, output, id=command.split(" > ")[0])
    for block in blocks("console")
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


def test_commands_were_found():
    assert len(COMMANDS) == 11


def test_commands(checkout):
    """In their order: some need the file that an earlier one has left."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for case in COMMANDS:
        command, output = case.values
        where = ROOT if command.startswith("make") else checkout
        ended = subprocess.run(
            ["bash", "-c", command],
            cwd=where,
            env={**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert same(output, ended.stdout), (command, ended.stdout)


@pytest.mark.parametrize("block", blocks("prolog"))
def test_prolog_session(block):
    sessions = re.findall(r"^\?- (.*\.)\n((?:(?!\?- ).*\n)*)", block, re.MULTILINE)
    assert sessions
    for query, output in sessions:
        ended = subprocess.run(
            [str(swipl()), "-q", str(ROOT / "prolog" / "sudoku.pl")],
            input=query + "\n",
            capture_output=True,
            text=True,
            check=False,
        )
        assert same(output, ended.stdout), (query, ended.stdout)


def test_ci_runs_the_test_command():
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert shutil.which("make")
