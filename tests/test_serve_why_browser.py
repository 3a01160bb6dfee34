"""Why and why not on the page, in a real headless Chromium."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from helpers.browsing import board, cell, counted, described, message, press, role_cells
from helpers.puzzles import CLASSIC

import pylogic_sudoku as pls
from pylogic_sudoku.serve._explained import explained_why

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
    return pls.why(CLASSIC, LATE, reading="steps")


@pytest.fixture
def asked(visit, answer):
    """The page with the list of steps to the digit of one cell."""

    def open(**options):
        page = visit(CLASSIC, **options)
        cell(page, LATE).click()
        press(page, "Why?")
        page.locator(f"#step-{len(answer.way)}").wait_for()
        return page

    return open


def chosen(page):
    """The number of the chosen step, 0 if there is none."""
    lines = page.locator("#walk-list [aria-selected=true]")
    return int(lines.inner_text().split(".")[0]) if lines.count() else 0


def reached(page, answer, number):
    """Whether the board shows the position of this step, or all digits if it is 0."""
    if number:
        step = answer.way[number - 1]
        message(page, step.text())
        grid = step.grid
    else:
        message(page, answer.short())
        grid = answer.picture().grid
    assert board(page) == "".join(str(digit or ".") for digit in grid.digits)
    return chosen(page) == number


def test_a_late_digit_is_explained_by_steps_through_which_one_can_walk(asked, answer):
    page = asked()
    steps = len(answer.way)
    page.get_by_role("heading", name=f"{steps} steps lead to {LATE} = {answer.digit}").wait_for()
    assert page.locator("#walk-list li").count() == steps
    assert reached(page, answer, 0)
    assert role_cells(page, "target") == 1
    assert role_cells(page, "reason") == steps - 1
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
        assert reached(page, answer, number)
    page.locator("#step-4").click()
    assert reached(page, answer, 4)
    press(page, "Next step")
    assert reached(page, answer, 5)
    press(page, "Do it")
    assert board(page).count(".") == CLASSIC.count(".") - 5


def test_the_set_is_behind_a_fold(asked):
    page = asked()
    fold = page.locator("#why-set")
    assert not page.locator("#why-text").is_visible()
    assert re.fullmatch(
        r"The set behind it: \d+ rules and \d+ givens", fold.locator("summary").inner_text()
    )
    fold.locator("summary").focus()
    page.keyboard.press("Space")
    page.get_by_text("None of these can be spared").wait_for()
    page.get_by_text("givens that matter").wait_for()
    assert board(page) == CLASSIC[:2] + "4" + CLASSIC[3:]
    page.locator("#step-3").click()
    page.locator("#step-3[aria-selected=true]").wait_for()
    assert page.locator("#why-text").is_visible()
    fold.locator("summary").click()
    page.get_by_text("digits that come first").wait_for()
    press(page, "Close")
    assert not fold.is_visible()
    press(page, "Steps")
    page.locator("#step-1").wait_for()
    assert not fold.is_visible()


def test_a_small_set_stays_as_it_is(visit):
    page = visit(CLASSIC)
    cell(page, EARLY).click()
    press(page, "Why?")
    message(page, "r5c5 is 5, because:")
    message(page, "None of these can be spared: 9 rules and 8 givens.")
    assert not page.locator("#walk").is_visible()
    assert role_cells(page, "reason") == 8


def test_without_time_for_the_steps_the_page_says_so(visit, answer):
    page = visit(CLASSIC)
    late = explained_why(replace(answer, way=None))
    page.route("**/api/why", lambda route: route.fulfill(json=late))
    cell(page, LATE).click()
    press(page, "Why?")
    message(page, "r1c3 is 4, because:")
    message(page, "There was no time to find the steps that lead there.")
    assert not page.locator("#walk").is_visible()


def test_steps_to_a_digit_on_a_phone(asked, answer):
    page = asked(viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
    page.locator("#step-2").tap()
    assert reached(page, answer, 2)
    assert page.locator("#why-set summary").bounding_box()["height"] >= 44
    page.locator("#why-set summary").tap()
    page.get_by_text("None of these can be spared").wait_for()
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_in_the_list_and_behind_the_fold(asked, colours):
    page = asked(color_scheme=colours)
    page.locator("#why-set summary").click()
    page.get_by_text("givens that matter").wait_for()
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
