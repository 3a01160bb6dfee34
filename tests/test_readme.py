"""Every code block of the README does what it says."""

from __future__ import annotations

import doctest
import shutil

import pytest
from helpers.documents import (
    BLOCK,
    ROOT,
    blocks,
    check_commands,
    check_prolog_session,
    commands,
    text_of,
)

README = ROOT / "README.md"


def test_every_block_is_of_a_kind_that_is_run():
    kinds = {name for name, _ in BLOCK.findall(text_of(README))}
    assert kinds == {"console", "sh", "python", "prolog", "text"}
    assert len(blocks(README, "text")) == 1  # the record of a run that takes many minutes
    tests, page = blocks(README, "sh")
    assert tests == "make test\n"  # which runs this very test
    assert "pylogic-sudoku serve" in page  # which the tests of the page do


def test_python_blocks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert (failed, tried > 7) == (0, True)


def test_commands_were_found():
    assert len(commands(README)) == 11


def test_commands(tmp_path):
    assert "`mkdir mine`" in text_of(README)
    check_commands([("mkdir mine", ""), *commands(README)], tmp_path)


@pytest.mark.parametrize("block", blocks(README, "prolog"))
def test_prolog_session(block):
    check_prolog_session(block)


def test_ci_runs_the_test_command():
    assert "make test" in text_of(ROOT / ".ci" / "run")
    assert shutil.which("make")
