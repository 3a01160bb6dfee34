"""The page about the techniques says what the package knows."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from pylogic_sudoku.techniques import TECHNIQUES

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture
def made(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import techniques

    yield techniques
    sys.modules.pop("techniques")


def test_the_table_is_up_to_date(made):
    page = made.PAGE.read_text(encoding="utf-8")
    assert made.updated(page) == page, "run python docs/techniques.py"


@pytest.mark.slow
def test_the_pictures_are_up_to_date(made):
    images = made.images()
    assert {*made.IMAGES.iterdir()} == {*images}
    for path, image in images.items():
        assert path.read_text(encoding="utf-8") == image, "run python docs/techniques.py"
        assert f"(images/techniques/{path.name})" in made.PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_pictures_show_steps_that_hold(made):
    for step in made.steps():
        step.verify("prolog")


def test_every_technique_is_described():
    page = (DOCS / "techniques.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (\w+) \| (\d+) \| (.*) \|$", page, re.M)
    assert [row[0] for row in rows] == [technique.name for technique in TECHNIQUES.values()]
    for name, *_, text in rows:
        assert re.fullmatch(r"[A-Z].{15,}\.", text), name
