"""One look for each role: the page and the terminal have the colours and shapes of pictures."""

from __future__ import annotations

import colorsys
import re
from pathlib import Path

import pytest
from helpers.colours import contrast

from pylogic_sudoku import serve
from pylogic_sudoku.draw import ROLES, _text
from pylogic_sudoku.draw._looks import DARK, TINTS, Tint, swatch

STATIC = Path(serve.__file__).parent / "static"
LIGHT_PAGE, DARK_PAGE = "#ffffff", "#1b2029"


def declared(name: str, tints: dict[str, Tint]) -> dict[str, str]:
    """The colours that a style sheet declares, for light pages or for dark ones as these tints."""
    found = re.findall(
        r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", (STATIC / name).read_text()
    )
    return {variable: light if tints is TINTS else dark for variable, light, dark in found}


@pytest.mark.parametrize("tints", [TINTS, DARK])
def test_the_page_has_the_colours_of_pictures(tints):
    inks = {role: tint.ink for role, tint in tints.items()}
    grounds = {f"{role}-back": tint.ground for role, tint in tints.items()}
    assert declared("roles.css", tints) == inks | grounds


def test_the_page_has_the_shapes_of_pictures():
    shapes = re.findall(r'^  ([a-z]+): "(.+)",$', (STATIC / "roles.js").read_text(), re.MULTILINE)
    assert shapes == [(role, swatch(role, (7, 7, 14))) for role in ROLES]


def test_the_page_prefers_the_same_role_in_a_cell_with_several():
    styles = (STATIC / "roles.css").read_text()
    found = re.findall(r"^:is\(\.role-([a-z]+), \.mark-\1\b", styles, re.MULTILINE)
    assert found == list(reversed(ROLES))  # the last rule counts


@pytest.mark.parametrize(("tints", "page"), [(TINTS, LIGHT_PAGE), (DARK, DARK_PAGE)])
def test_shapes_and_digits_are_legible_on_their_ground(tints, page):
    texts = declared("style.css", tints)
    for ground, ink in tints.values():
        assert min(contrast(ink, ground), contrast(ink, page)) >= 4.5
        for text in ("ink", "soft", "entry", "found"):
            assert contrast(texts[text], ground) >= 4.5


def hue(colour: tuple[int, int, int]) -> float:
    return 360 * colorsys.rgb_to_hsv(*(part / 255 for part in colour))[0]


def test_the_terminal_has_the_hues_of_pictures():
    """The colours from 16 on are a cube with these levels, for red, green and blue."""
    levels = (0, 95, 135, 175, 215, 255)
    assert set(_text._GROUNDS) == set(ROLES)
    assert len(set(_text._GROUNDS.values())) == len(ROLES)
    for role, ground in _text._GROUNDS.items():
        if role == "cover":  # grey
            continue
        cube = ground - 16
        shown = levels[cube // 36], levels[cube // 6 % 6], levels[cube % 6]
        drawn = tuple(int(TINTS[role].ground[at : at + 2], 16) for at in (1, 3, 5))
        apart = abs(hue(shown) - hue(drawn))
        assert min(apart, 360 - apart) <= 30, role
        assert contrast("#000000", "#{:02x}{:02x}{:02x}".format(*shown)) >= 7
