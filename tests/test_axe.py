"""Faults of accessibility that a program can find, on the page and on the playground."""

from __future__ import annotations

import pytest
from helpers.browsing import cell, message, sized
from helpers.doing import paste, press
from helpers.panels import programs_shown, ran
from helpers.puzzles import CLASSIC, SMALL
from helpers.screens import faults, fits

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(request, address):
    """That of the server, or of the playground if a test says so."""
    return request.getfixturevalue("playground_address") if request.param else address


def hinted(page):
    press(page, "Hint")
    page.get_by_role("button", name="Do it").wait_for()


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
    cell(page, "r1c4").click()
    press(page, "Why not …?")
    page.locator("#pad").get_by_role("button", name="1", exact=True).click()
    page.locator("#legend li").first.wait_for()


def mistaken(page):
    page.locator(".cell:not(.given)").first.click()
    for digit in "1234":
        page.keyboard.press(digit)
        if page.locator(".cell.wrong").count():
            return


def setting_rules(page):
    press(page, "Set the puzzle")
    page.get_by_text("Add rules:").click()
    page.locator("#rule-kind option:nth-child(4)").wait_for(state="attached")
    page.select_option("#rule-kind", index=3)


def solved(page):
    press(page, "Solve")
    message(page, "only solution")


def reference(page):
    page.goto(f"{page.url.split('#')[0]}api.html")
    page.get_by_text("POST /api/solve").wait_for()
    assert page.locator("section").count() >= 10


def licences(page):
    page.goto(f"{page.url.split('#')[0]}licences.html")
    page.get_by_role("heading", name="Inside").wait_for()


def program_with_a_mistake(page):
    asp, _ = programs_shown(page)
    asp.get_by_role("textbox").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type('a(X) :- b(, "text", 12). % comment\n')
    ran(asp, "The program does not run to its end.")
    fits(page)


BOTH = {
    "start": lambda page: None,
    "solved": solved,
    "programs": programs_shown,
    "open": lambda page: press(page, "Open…"),
    "share": lambda page: press(page, "Share"),
}
PLAYGROUND = BOTH | {"licences": licences, "program": program_with_a_mistake}
SERVER = BOTH | {
    "hint": hinted,
    "steps": steps_shown,
    "why": why_shown,
    "scrolling": why_shown_in_text_that_scrolls,
    "why not": why_not_shown,
    "a mistake": mistaken,
    "rules": setting_rules,
    "new": lambda page: press(page, "New"),
    "reference": reference,
}
DOINGS = [*((False, doing) for doing in SERVER), *((True, doing) for doing in PLAYGROUND)]
NAMES = [f"{doing} in the playground" if where else doing for where, doing in DOINGS]
LOOKS = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}},
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("address", "doing"), DOINGS, indirect=["address"], ids=NAMES)
def test_axe_finds_nothing(visit, doing, look):
    page = visit(SMALL, "2x2", **LOOKS[look])
    (SERVER | PLAYGROUND)[doing](page)
    assert faults(page) == []
