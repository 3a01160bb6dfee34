"""Why and why not on the page, in a real headless Chromium."""

from __future__ import annotations

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from helpers.browsing import board, cell, counted, described, message, press, role_cells
from helpers.puzzles import CLASSIC

import pylogic_sudoku as pls

pytestmark = pytest.mark.slow


LATE, EARLY = "r1c3", "r5c5"


@pytest.fixture(scope="module")
def address():
    """A server with more patience, so that a slow machine finds the steps too."""
    from helpers.serving import served

    with served("--timeout", "600") as (address, _):
        yield address


@pytest.fixture(scope="module")
def answer():
    return pls.why(CLASSIC, LATE)


@pytest.fixture(scope="module")
def way(answer):
    return answer.steps()


@pytest.fixture
def asked(visit, way):
    """The page with the list of steps to the digit of one cell."""

    def open(**options):
        page = visit(CLASSIC, **options)
        cell(page, LATE).click()
        press(page, "Why?")
        message(page, "r1c3 is 4, because:")
        assert not page.locator("#walk").is_visible()
        press(page, "Steps to it")
        page.locator(f"#step-{len(way)}").wait_for()
        return page

    return open


def chosen(page):
    """The number of the chosen step, 0 if there is none."""
    lines = page.locator("#walk-list [aria-selected=true]")
    return int(lines.inner_text().split(".")[0]) if lines.count() else 0


def reached(page, way, number):
    """Whether the board shows the position of this step, or the set if it is 0."""
    if number:
        step = way[number - 1]
        message(page, step.text())
        shown = "".join(str(digit or ".") for digit in step.grid.digits)
    else:
        message(page, "None of these can be spared")
        shown = CLASSIC[:2] + "4" + CLASSIC[3:]
    assert board(page) == shown
    return chosen(page) == number


def test_a_late_digit_is_explained_by_steps_through_which_one_can_walk(asked, way):
    page = asked()
    steps = len(way)
    page.get_by_role("heading", name=f"{steps} steps lead to {LATE} = 4").wait_for()
    assert page.locator("#walk-list li").count() == steps
    assert page.locator("#walk-end").inner_text() == "r1c3 is 4."
    assert reached(page, way, 0)
    assert role_cells(page, "target") == 1
    assert role_cells(page, "reason") > 8
    for key, number in [
        ("ArrowDown", 1),
        ("ArrowDown", 2),
        ("ArrowUp", 1),
        ("ArrowUp", 0),
        ("ArrowUp", 0),
        ("End", steps),
        ("ArrowDown", steps),
        ("Home", 1),
    ]:
        page.keyboard.press(key)  # the list has the focus
        assert reached(page, way, number)
    page.locator("#step-4").click()
    assert reached(page, way, 4)
    press(page, "Next step")
    assert reached(page, way, 5)
    press(page, "Do it")
    assert board(page).count(".") == CLASSIC.count(".") - 5


def test_after_the_list_the_page_is_as_before(asked):
    page = asked()
    press(page, "Close")
    assert not page.locator("#walk").is_visible()
    press(page, "Steps")
    page.locator("#step-1").wait_for()


def test_a_small_set_stays_as_it_is(visit):
    page = visit(CLASSIC)
    cell(page, EARLY).click()
    press(page, "Why?")
    message(page, "r5c5 is 5, because:")
    message(page, "None of these can be spared: 9 rules and 8 givens.")
    assert not page.locator("#walk").is_visible()
    assert role_cells(page, "reason") == 8


def test_a_long_search_shows_its_seconds_and_can_be_stopped(visit):
    page = visit(CLASSIC)
    page.route("**/api/steps-to", lambda route: None)  # it is never answered
    cell(page, LATE).click()
    press(page, "Why?")
    press(page, "Steps to it")
    page.get_by_text(re.compile(r"^Searching … \d+ s$")).wait_for()
    press(page, "Stop")
    page.locator("#text .clock").wait_for(state="detached")
    assert board(page) == CLASSIC


@pytest.mark.parametrize("ending", ["Stop", "Close"])
def test_further_steps_can_be_stopped(visit, ending):
    page = visit(CLASSIC)
    asked = []

    def answer(route):
        asked.append(route.request)
        if len(asked) == 1:
            body = json.loads(route.request.post_data)
            # The first step; the others never come.
            route.continue_(post_data=json.dumps({**body, "soon": 0}))

    page.route("**/api/steps", answer)
    press(page, "Steps")
    page.locator("#walk-end").get_by_text(re.compile(r"^Searching … \d+ s$")).wait_for()
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name=ending, exact=True).click()
    assert len(asked) == 2
    if ending == "Stop":
        page.locator("#walk-end").get_by_text("Stopped.").wait_for()


def test_steps_to_a_digit_on_a_phone(asked, way):
    page = asked(viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
    page.locator("#step-2").tap()
    assert reached(page, way, 2)
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_in_the_set_and_in_the_list(asked, colours):
    page = asked(color_scheme=colours)
    assert Axe().run(page).response["violations"] == []
    page.locator("#step-4").click()
    page.locator("#step-4[aria-selected=true]").wait_for()
    assert Axe().run(page).response["violations"] == []


def test_why_not_strikes_the_givens_that_must_go(visit):
    page = visit(CLASSIC)
    cell(page, LATE).click()
    press(page, "Why not …?")
    message(page, "Which digit do you doubt in r1c3?")
    page.locator("#pad").get_by_role("button", name="7", exact=True).click()
    said = "r1c3 can be 7 once r1c5 = 7 and r3c3 = 8 are no longer given"
    message(page, f"{said}; removing fewer givens is not enough.")
    assert page.locator("#text").inner_text().startswith(said)
    assert "│" not in page.locator("#text").inner_text()  # the board shows the grid
    counted(page, ".cell .beside.mark-removed", 2)
    assert role_cells(page, "target") == 1
    for name, old in (("r1c5", "7"), ("r3c3", "8")):
        here = cell(page, name)
        assert here.locator(".mark-removed").inner_text().strip() == old
        held = here.locator(".digit").inner_text()
        assert held != old
        row, column = name[1], name[3]
        described(page, f"row {row}, column {column}: {held}, {old} beside it")  # and not given
    described(page, "row 1, column 1: 5, given")
    page.keyboard.press("Escape")
    assert board(page) == CLASSIC
