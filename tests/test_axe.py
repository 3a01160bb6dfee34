"""Faults of accessibility that a program can find, on the page and on the playground."""

from __future__ import annotations

import pytest
from helpers.browsing import cell, sized
from helpers.doing import paste, press
from helpers.panels import hint, solve, verdict
from helpers.puzzles import CLASSIC, SMALL
from helpers.screens import faults

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(request, address):
    """That of the server, or of the playground if a test says so."""
    return request.getfixturevalue("playground_address") if request.param else address


def steps_shown(page):
    press(page, "Steps")
    page.locator("#step-12").wait_for()


def why_shown(page, name="r1c4"):
    cell(page, name).click()
    press(page, "Why?")
    page.locator(".cell.role-target").first.wait_for()


def why_shown_in_text_that_scrolls(page):
    paste(page, CLASSIC)
    sized(page, 9)
    why_shown(page, "r1c3")


def why_not_shown(page):
    why_shown(page)
    press(page, "Why not …?")
    page.locator("#actions").get_by_role("button", name="1", exact=True).click()
    page.locator("#legend li").first.wait_for()


def mistaken(page):
    page.locator(".cell:not(.given)").first.click()
    for digit in "1234":
        page.keyboard.press(digit)
        if page.locator(".cell.wrong").count():
            return


def setting_rules(page):
    press(page, "Puzzles", "Change this puzzle")
    page.locator("[data-kind=killer_cage]").click()


def solved(page):
    solve(page)
    verdict(page, "Both agree: there is one solution.")


def tabs(page):
    """On a phone, each part in its turn."""
    for tab in page.locator("#tabs button").all():
        if tab.is_visible():
            tab.click()
            assert faults(page) == []


def watched(page):
    explain = page.locator("#tabs").get_by_role("button", name="Explain")
    if explain.is_visible():
        explain.click()
    page.get_by_text("Watch both search").click()
    press(page, "Step")
    page.locator(".tree li").first.wait_for()


def reference(page):
    page.goto(f"{page.url.split('#')[0]}api.html")
    page.get_by_text("POST /api/solve").wait_for()
    assert page.locator("section").count() >= 10


def licences(page):
    page.goto(f"{page.url.split('#')[0]}licences.html")
    page.get_by_role("heading", name="Inside").wait_for()


BOTH = {
    "start": lambda page: None,
    "solved": solved,
    "tabs": tabs,
    "share": lambda page: press(page, "Share"),
}
PLAYGROUND = BOTH | {"licences": licences}
SERVER = BOTH | {
    "hint": hint,
    "puzzles": lambda page: press(page, "Puzzles"),
    "help": lambda page: press(page, "Help"),
    "steps": steps_shown,
    "why": why_shown,
    "scrolling": why_shown_in_text_that_scrolls,
    "why not": why_not_shown,
    "a mistake": mistaken,
    "rules": setting_rules,
    "watched": watched,
    "reference": reference,
}
DOINGS = [*((False, doing) for doing in SERVER), *((True, doing) for doing in PLAYGROUND)]
NAMES = [f"{doing} in the playground" if where else doing for where, doing in DOINGS]
LOOKS = {
    "dark": {"color_scheme": "dark"},
    "light on a phone": {"viewport": {"width": 390, "height": 844}},
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("address", "doing"), DOINGS, indirect=["address"], ids=NAMES)
def test_axe_finds_nothing(visit, doing, look):
    page = visit(SMALL, "2x2", **LOOKS[look])
    (SERVER | PLAYGROUND)[doing](page)
    assert faults(page) == []
