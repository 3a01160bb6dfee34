"""The page about the techniques says what the package knows."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pylogic_sudoku.techniques import TECHNIQUES

DOCS = Path(__file__).parent.parent / "docs"


def test_the_table_is_up_to_date(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import techniques

    page = techniques.PAGE.read_text(encoding="utf-8")
    assert techniques.updated(page) == page, "run python docs/techniques.py"
    sys.modules.pop("techniques")


def test_every_technique_is_described():
    page = (DOCS / "techniques.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?)¹? \| (\w+) \| (\d+) \| ([\d.]+) \| (.*) \|$", page, re.M)
    assert [row[0] for row in rows] == [technique.name for technique in TECHNIQUES.values()]
    for name, *_, text in rows:
        assert re.fullmatch(r"[A-Z].{15,}\.", text), name


def test_those_that_assume_one_solution_are_marked():
    page = (DOCS / "techniques.md").read_text(encoding="utf-8")
    marked = {*re.findall(r"^\| (.+?)¹ \|", page, re.M)}
    assert marked == {each.name for each in TECHNIQUES.values() if each.assumes_unique}
