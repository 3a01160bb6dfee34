"""Faults of accessibility that a program can find, on the page and on the playground."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.browsing import cell, faults, fits, sized
from helpers.doing import paste, press
from helpers.panels import hint, shown, solve, tab, verdict
from helpers.processes import PATIENCE
from helpers.puzzles import CLASSIC, SMALL

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(request, address):
    """The address of the server, or of the playground."""
    return request.getfixturevalue("playground_address") if request.param else address


def steps_shown(page):
    press(page, "Steps")
    page.locator("#step-12").wait_for()


def steps_to_shown(page):
    paste(page, CLASSIC)
    sized(page, 9)
    why_shown(page, "r1c3")
    press(page, "Steps to it")
    page.locator("#step-4").click()
    page.locator("#step-4[aria-selected=true]").wait_for()


def why_shown(page, name="r1c4"):
    cell(page, name).click()
    press(page, "Why?")
    page.locator(".cell.role-target").first.wait_for()


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


def a_wrong_answer(page):
    press(page, "Lessons")
    page.get_by_text("Lesson 1 of 5").wait_for()  # what was asked before is dropped
    solve(page)
    verdict(page, "Neither program is right yet. The board shows an answer of ASP.")
    shown(page, "ASP", "Show the wrong answer")
    page.locator("#legend li").first.wait_for()
    fits(page)


def tabs(page):
    """On a phone, each part in its turn."""
    for each in page.locator("#tabs button").all():
        if each.is_visible():
            each.click()
            assert faults(page) == []


def watched(page):
    tab(page, "Search")
    press(page, "Step")
    page.locator(".tree li").first.wait_for()
    page.get_by_role("slider", name="Event of Prolog").fill("4")


def licences(page):
    page.goto(f"{page.url.split('#')[0]}licences.html")
    page.get_by_role("heading", name="Inside").wait_for()


BOTH = [lambda page: None, solved, tabs, a_wrong_answer, lambda page: press(page, "Share")]
PLAYGROUND = [*BOTH, licences]
SERVER = [
    *BOTH,
    *(hint, steps_shown, steps_to_shown, why_shown, why_not_shown),
    *(mistaken, watched, lambda page: press(page, "Puzzles"), lambda page: press(page, "Help")),
    setting_rules,  # the last, as that mode survives a reload
]
LOOKS = {
    "dark": {"color_scheme": "dark"},
    "light on a phone": {"viewport": {"width": 390, "height": 844}},
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("address", [False, True], indirect=True, ids=["server", "playground"])
def test_axe_finds_nothing(visit, request, look):
    page = visit(SMALL, "2x2", **LOOKS[look])
    start = page.url
    for doing in PLAYGROUND if request.node.callspec.params["address"] else SERVER:
        doing(page)
        assert faults(page) == [], doing
        page.goto("about:blank")  # so that the page starts anew
        page.goto(start)
        page.wait_for_selector("main:not([aria-busy])")


# --- the site of the documentation ---------------------------------------------------------------

WIDE = "<div class=md-content><pre style='width: 9em; overflow: auto'><code>TEXT</code></pre></div>"
CODE = "<style>code { display: block; overflow: auto }</style>" + WIDE


def test_the_keyboard_reaches_code_that_scrolls_even_if_the_theme_forbids_it(browser):
    page = browser.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.set_content(CODE.replace("TEXT", "b" * 99))
    page.add_script_tag(path=Path(__file__).parent.parent / "docs" / "site.js")
    page.evaluate("dispatchEvent(new Event('load'))")
    page.wait_for_selector("code[tabindex='0']")
    page.evaluate("document.querySelector('code').removeAttribute('tabindex')")
    page.wait_for_selector("code[tabindex='0']")
    page.set_content(CODE.replace("TEXT", "a"))
    page.add_script_tag(path=Path(__file__).parent.parent / "docs" / "site.js")
    page.evaluate("dispatchEvent(new Event('load'))")
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.locator("code[tabindex]").count() == 0
    page.close()
