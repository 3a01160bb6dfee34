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
    assert kinds == {"console", "python", "prolog"}


def test_python_blocks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert (failed, tried > 7) == (0, True)


def test_commands(tmp_path):
    assert len(commands(README)) > 7
    check_commands(commands(README), tmp_path)


@pytest.mark.parametrize("block", blocks(README, "prolog"))
def test_prolog_session(block):
    check_prolog_session(block)


def test_the_pictures_are_small():
    images = list((ROOT / "docs" / "images").iterdir())
    assert len(images) > 2
    assert all(image.stat().st_size < 80_000 for image in images)


def test_ci_runs_the_test_command():
    assert "make test" in text_of(ROOT / ".ci" / "run")
    assert shutil.which("make")
