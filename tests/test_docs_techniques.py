"""The page about the techniques says what the package knows."""

from __future__ import annotations

import re

import pytest

import techniques
from pylogic_sudoku.techniques import TECHNIQUES


def test_the_table_is_up_to_date():
    page = techniques.PAGE.read_text(encoding="utf-8")
    assert techniques.updated(page) == page, "run python docs/techniques.py"


@pytest.mark.slow
def test_the_pictures_are_up_to_date():
    images = techniques.images()
    assert {*techniques.IMAGES.iterdir()} == {*images}
    for path, image in images.items():
        assert path.read_text(encoding="utf-8") == image, "run python docs/techniques.py"
        assert f"(images/techniques/{path.name})" in techniques.PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_pictures_show_steps_that_hold():
    for step in techniques.steps():
        step.verify("prolog")


def test_every_technique_is_described():
    page = techniques.PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (\w+) \| (\d+) \| (.*) \|$", page, re.M)
    assert [row[0] for row in rows] == [technique.name for technique in TECHNIQUES.values()]
    for name, *_, text in rows:
        assert re.fullmatch(r"[A-Z].{15,}\.", text), name
