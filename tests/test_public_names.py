"""The dotted names that users know, which stay when the modules behind them move."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

import pylogic_sudoku as pls
from pylogic_sudoku import aio, check, coverage, draw, rules, techniques

ROOT = Path(__file__).parents[1]
RECORD = Path(__file__).with_suffix(".txt")
"""One name a line; a name leaves it only with a line in CHANGELOG.md."""

USED = re.compile(r"\b(?:pls|pylogic_sudoku)((?:\.[A-Za-z]\w*)+)")
IMPORTED = re.compile(r"from (pylogic_sudoku[\w.]*) import \(?([\w, ]+)")


def used() -> set[str]:
    """The names in the documentation, the playground, and of the commands."""
    found = set()
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    files += [*(ROOT / "docs").rglob("*.ipynb"), *(ROOT / "playground").glob("*.js")]
    for file in files:
        text = file.read_text(encoding="utf-8")
        found |= {f"pylogic_sudoku{name}" for name in USED.findall(text)}
        for module, names in IMPORTED.findall(text):
            found |= {f"{module}.{name}" for name in re.findall(r"\w+", names)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found | {place.replace(":", ".") for place in project["scripts"].values()}


def offered() -> set[str]:
    """The names that the package and its public modules export."""
    modules = (pls, aio, check, coverage, draw, rules, techniques)
    return {f"{each.__name__}.{name}" for each in modules for name in each.__all__}


def test_all_names_that_are_used_or_offered_are_recorded():
    assert used() | offered() <= {*RECORD.read_text(encoding="utf-8").split()}


@pytest.mark.parametrize("name", RECORD.read_text(encoding="utf-8").split())
def test_a_public_name_is_there(name):
    parts = name.split(".")
    thing = importlib.import_module(parts[0])
    for at, part in enumerate(parts[1:], 2):
        try:
            thing = getattr(thing, part)
        except AttributeError:
            thing = importlib.import_module(".".join(parts[:at]))


@pytest.mark.parametrize(
    ("older", "name"), {"Backend": "SudokuEngine", "SudokuError": "LogicError"}.items()
)
def test_an_older_name_is_the_same_class(older, name):
    assert getattr(pls, older) is getattr(pls, name)
    assert getattr(pls, name).__name__ == name
