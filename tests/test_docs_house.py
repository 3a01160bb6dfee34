"""The rooms of the package: picture and paragraphs in inside.md are those of the contract."""

from __future__ import annotations

import re

import pytest
from helpers.documents import ROOT, text_of

import house

SIZE = r"([\d,]+) lines"


def test_each_room_of_the_contract_has_one_paragraph_in_the_order_of_the_floors():
    rooms = [room for floor in house.floors() for room in floor]
    assert list(house.ideas()) == rooms
    page = text_of(ROOT / "docs" / "inside.md")
    assert len(re.findall(r"^\*\*`\w+(?:/|\.py)`: ", page, re.M)) == len(rooms)


def test_each_room_is_there_and_no_other_is():
    files = {path.stem for path in house.PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    folders = {path.parent.name for path in house.PACKAGE.glob("*/__init__.py")}
    assert {room for floor in house.floors() for room in floor} == files | folders


def test_the_picture_is_up_to_date():
    """All but the lines, which are about right: otherwise each change would draw it anew."""
    shown, true = text_of(house.PICTURE), house.picture()
    assert re.sub(SIZE, "", shown) == re.sub(SIZE, "", true), "run python docs/house.py"
    for said, now in zip(*(re.findall(SIZE, text) for text in (shown, true)), strict=True):
        was, is_ = (int(each.replace(",", "")) for each in (said, now))
        assert abs(was - is_) <= 20 + is_ / 4, "run python docs/house.py"


def test_an_arrow_goes_down_and_says_nothing_twice():
    level = {room: at for at, floor in enumerate(house.floors()) for room in floor}
    arrows = house.arrows()
    assert all(level[one] < level[other] for one, other in arrows)
    assert {room for pair in arrows for room in pair} == set(level)
    followed = {(a, d) for a, b in arrows for c, d in arrows if b == c}
    assert not followed & set(arrows)


@pytest.mark.parametrize("document", ["docs/inside.md", "CONTRIBUTING.md"])
def test_the_files_that_are_named_are_there(document):
    names = re.findall(r"`([\w/]+/(?:[\w.]+\.(?:py|pl|lp|js|md))?)`", text_of(ROOT / document))
    names += re.findall(r"`(\w+\.(?:py|pl|lp|js))`", text_of(ROOT / document))
    folders = (ROOT, *(ROOT / name for name in ("pylogic_sudoku", "prolog", "encodings", "docs")))
    for name in names:
        found = any((folder / name).exists() for folder in folders)
        assert found or ("/" not in name and any(ROOT.glob(f"[!.]*/**/{name}"))), name
