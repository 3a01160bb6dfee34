"""Lists of steps, why and why not on the page, in a real headless Chromium."""

from __future__ import annotations

import json
import re

import pytest
from helpers.browsing import board, cell, counted, described, fits, message, phone, role_cells
from helpers.doing import edited, press, typed
from helpers.panels import chosen, reached, walked
from helpers.puzzles import CLASSIC, SMALL

import pylogic_sudoku as pls
from pylogic_sudoku.page.board import describe

pytestmark = pytest.mark.slow


WAY = pls.steps(SMALL).walk()


def test_walk_by_keys_and_by_clicks(visit):
    page = visit(SMALL, "2x2")
    press(page, "Steps")
    assert reached(page, WAY, 1)
    head = page.get_by_role("heading", name=f"12 steps: {WAY.rating.level}", exact=True)
    head.wait_for()
    assert not page.locator("#walk .weight").first.is_visible()
    page.get_by_text("How hard each step is").click()
    numbers = f"Rating: {WAY.rating.number}. Hardest step: {WAY.rating.hardest}."
    page.get_by_text(numbers).wait_for()
    page.locator("#walk-list").focus()
    lines = [" ".join(line.split()) for line in page.locator("#walk-list li").all_inner_texts()]
    known = zip(str(WAY).splitlines()[1:-1], WAY, strict=True)
    assert lines == [f"{line} {step.level} {step.weight}" for line, step in known]
    walked(page, WAY, "ArrowDown 2", "ArrowDown 3", "ArrowUp 2", "ArrowUp 1", "ArrowUp 1")
    walked(page, WAY, "End 12", "ArrowDown 12", "PageUp 2", "Home 1")
    page.locator("#step-7").click()
    assert reached(page, WAY, 7)
    press(page, "Next step")
    assert reached(page, WAY, 8)
    press(page, "Do it")
    assert not page.locator("#walk").is_visible()
    placed = sum(1 for step in WAY[:8] if step.placed)
    assert board(page).count(".") == SMALL.count(".") - placed


def test_the_list_goes_when_something_else_comes(visit):
    page = visit(SMALL, "2x2")
    for leave in ("Escape", "Close", "Hint", "Why?", "digit"):
        press(page, "Steps")
        page.locator("#step-12").wait_for()
        if leave == "Escape":
            page.keyboard.press(leave)
        elif leave == "digit":
            typed(page, r1c4=2)
        else:
            press(page, leave)
        page.locator("#walk").wait_for(state="hidden")
    page.locator("#walk-list li").first.wait_for(state="hidden")


def test_steps_are_listed_as_they_are_found(visit):
    """Each answer holds one step, and the next question begins after it."""
    page = visit(SMALL, "2x2")
    known, asked = [], []

    def one_step(route):
        body = json.loads(route.request.post_data)
        known.append(page.locator("#walk-list li").count())
        asked.append(body)
        route.continue_(post_data=json.dumps({**body, "soon": 0}))

    page.route("**/api/steps", one_step)
    press(page, "Steps")
    page.get_by_role("heading", name=f"12 steps: {WAY.rating.level}", exact=True).wait_for()
    assert known == [*range(12)]
    assert [len(body["taken"]) for body in asked[1:]] == [*range(1, 12)]
    lines = page.locator("#walk-list li").all_inner_texts()
    assert [int(line.split(".")[0]) for line in lines] == [*range(1, 13)]
    assert chosen(page) == 1


def test_walk_on_a_phone(visit):
    page = visit(SMALL, "2x2", **phone(390, 844))
    page.get_by_role("button", name="Steps").tap()
    page.locator("#step-5").tap()
    assert reached(page, WAY, 5)
    assert page.locator("#step-5").bounding_box()["height"] >= 32
    fits(page)
    boxes = [page.locator(each).bounding_box() for each in ("#board", "#message", "#walk-list")]
    assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)
    assert boxes[1]["y"] + boxes[1]["height"] < 844  # the board and the step are seen together


def chained():
    """An answer with one step that has a chain and parts."""
    empty = pls.Grid.parse("." * 81)
    marks = pls.draw.pencil_marks(empty)
    nodes = [[(1, 2, 5)], [(1, 7, 5)], [(4, 7, 5), (5, 7, 5)], [(6, 9, 5)]]
    chain = tuple(tuple(pls.Placement(*each) for each in node) for node in nodes)
    roles = (("pivot", (pls.Placement(9, 9, 1),)), ("set B", (pls.Placement(9, 8, 1),)))
    removed = (pls.Placement(6, 2, 5),)
    step = pls.Step(empty, empty, marks, "minimal set", (), (), None, removed, chain, roles)
    return {
        "steps": [describe(step)],
        "outcome": "",
        "stopped": "time",
        "rating": None,
    }


def test_chains_run_from_candidate_to_candidate(visit):
    page = visit()
    page.route("**/api/steps", lambda route: route.fulfill(json=chained()))
    press(page, "Steps")
    page.get_by_role("heading", name="1 step so far").wait_for()
    assert page.locator("svg.links path.strong").count() == 2
    assert page.locator("svg.links path.weak").count() == 1
    legend = page.locator("#legend").inner_text()
    assert "at least one of the two holds" in legend
    assert "at most one of the two holds" in legend
    assert [role_cells(page, role) for role in ("a", "b", "removed")] == [1, 1, 1]
    ends = page.evaluate(
        """[...document.querySelectorAll("svg.links path")].map(path => {
            const at = part => path.getPointAtLength(path.getTotalLength() * part);
            const shown = point => point.matrixTransform(path.getScreenCTM());
            return [shown(at(0)), shown(at(1))].map(({x, y}) => [x, y]);
        })"""
    )
    names = [("r1c2", "r1c7"), ("r1c7", "r4c7"), ("r5c7", "r6c9")]
    for line, cells in zip(ends, names, strict=True):
        for (x, y), name in zip(line, cells, strict=True):
            mark = cell(page, name).locator(".pencil span").nth(4).bounding_box()
            middle = mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2
            assert abs(x - middle[0]) < mark["width"]
            assert abs(y - middle[1]) < mark["width"]
    press(page, "Close")
    assert page.locator("svg.links path").count() == 0


# === Why and why not on the page, in a real headless Chromium =====================================

LATE, EARLY = "r1c3", "r5c5"
SENTENCE = "r1c3 is 4: this takes "


@pytest.fixture(scope="module")
def way():
    return pls.steps_to(CLASSIC, LATE)


@pytest.fixture
def asked(visit, way):
    """The page with the list of steps to the digit of one cell."""

    def open(**options):
        page = visit(CLASSIC, **options)
        cell(page, LATE).click()
        press(page, "Why?")
        message(page, SENTENCE)
        assert not page.locator("#walk").is_visible()
        press(page, "Steps to it")
        page.locator(f"#step-{len(way)}").wait_for()
        return page

    return open


def the_set(page):
    """Before the first step the page shows the set of reasons."""
    message(page, SENTENCE)
    assert board(page) == edited(CLASSIC, r1c3="4")
    assert chosen(page) == 0


def test_a_late_digit_is_explained_by_steps_through_which_one_can_walk(asked, way):
    page = asked()
    steps = len(way)
    page.get_by_role("heading", name=f"{steps} steps lead to {LATE} = 4").wait_for()
    assert page.locator("#walk-list li").count() == steps
    assert page.locator("#walk-end").inner_text() == "r1c3 is 4."
    the_set(page)
    assert role_cells(page, "target") == 1
    assert role_cells(page, "reason") > 12
    walked(page, way, "ArrowDown 1", "ArrowDown 2", "ArrowUp 1")  # the list has the focus
    for _ in range(2):
        page.keyboard.press("ArrowUp")
        the_set(page)
    walked(page, way, f"End {steps}", f"ArrowDown {steps}", "Home 1")
    page.locator("#step-4").click()
    assert reached(page, way, 4)
    press(page, "Next step")
    assert reached(page, way, 5)
    press(page, "Do it")
    assert board(page).count(".") == CLASSIC.count(".") - 5


def test_a_small_set_stays_as_it_is_and_what_its_text_names_lights_up(visit):
    page = visit(CLASSIC)
    cell(page, EARLY).click()
    press(page, "Why?")
    message(page, "r5c5 is 5, because of 8 givens, row 5 and column 5.")
    assert not page.locator("#walk").is_visible()
    assert role_cells(page, "reason") == 8
    whole = page.get_by_text("No explanation needs fewer: 2 rules and 8 givens.")
    assert not whole.is_visible()
    page.get_by_text("The whole reason").click()
    whole.wait_for()
    for name, cells in (("r5c5", [EARLY]), ("row 5", [f"r5c{column}" for column in range(1, 10)])):
        page.locator("#text .place").get_by_text(name, exact=True).first.hover()
        counted(page, ".cell.lit", len(cells))
        for each in cells:
            assert "lit" in cell(page, each).get_attribute("class")
    page.mouse.move(0, 0)
    counted(page, ".cell.lit", 0)


def test_a_hint_first_says_where_to_look(visit):
    page = visit(CLASSIC)
    press(page, "Hint")
    page.get_by_role("heading", name="Naked single: easy", exact=True).wait_for()
    message(page, "Look at box 5.")
    assert (role_cells(page, "house"), role_cells(page, "target")) == (9, 0)
    assert board(page) == CLASSIC
    press(page, "Show the cell")
    message(page, "Look at r5c5.")
    assert role_cells(page, "target") == 1
    assert board(page) == CLASSIC
    press(page, "Show the digit")
    message(page, "r5c5 is 5, as no other digit is left for it.")
    assert board(page) == edited(CLASSIC, r5c5="5")  # large, as other digits are
    press(page, "Do it")
    assert board(page) == edited(CLASSIC, r5c5="5")


def test_where_no_technique_helps_a_hint_offers_a_cell(visit):
    page = visit(CLASSIC)
    page.route("**/api/steps", lambda route: route.fulfill(json=chained()))
    press(page, "Hint")
    message(page, "No technique leads on.")
    assert not page.get_by_role("heading", name="Minimal set").is_visible()
    press(page, "Show a cell")
    message(page, "r6c2 is 1: no other digit is in a solution.")
    assert board(page) == edited(CLASSIC, r6c2="1")
    press(page, "Do it")
    assert board(page) == edited(CLASSIC, r6c2="1")


def test_steps_to_a_digit_that_took_too_long_are_listed(visit, way):
    page = visit(CLASSIC)
    late = {
        "steps": [describe(step) for step in way[:2]],
        "outcome": "clingo gave no answer within 10 s.",
        "stopped": "time",
        "rating": None,
    }
    page.route("**/api/steps-to", lambda route: route.fulfill(json=late))
    cell(page, LATE).click()
    press(page, "Why?", "Steps to it")
    page.get_by_role("heading", name=f"2 steps so far; none fills {LATE} yet").wait_for()
    assert page.locator("#walk-list li").count() == 2
    assert page.locator("#walk-end").inner_text() == late["outcome"]


def test_a_long_search_shows_its_seconds_and_can_be_stopped(visit):
    page = visit(CLASSIC)
    page.route("**/api/steps-to", lambda route: None)  # it is never answered
    cell(page, LATE).click()
    press(page, "Why?", "Steps to it")
    page.get_by_text(re.compile(r"^Searching … \d+ s$")).wait_for()
    press(page, "Stop")
    page.locator("#text .clock").wait_for(state="detached")
    assert board(page) == CLASSIC


def test_further_steps_can_be_stopped(visit):
    page = visit(CLASSIC)
    asked = []

    def answer(route):
        asked.append(route.request)
        if len(asked) == 1:
            body = json.loads(route.request.post_data)
            # The first step; the others never come.
            route.continue_(post_data=json.dumps({**body, "soon": 0}))

    page.route("**/api/steps", answer)
    for ending in ("Stop", "Close"):
        asked.clear()
        press(page, "Steps")
        page.locator("#walk-end").get_by_text(re.compile(r"^Searching … \d+ s$")).wait_for()
        with page.expect_event("requestfailed"):
            press(page, ending)
        assert len(asked) == 2
        if ending == "Stop":
            page.locator("#walk-end").get_by_text("Stopped.").wait_for()


def test_why_not_strikes_the_givens_that_must_go(visit):
    page = visit(CLASSIC)
    cell(page, LATE).click()
    press(page, "Why?", "Why not …?")
    message(page, "Which digit do you doubt in r1c3?")
    page.locator("#pad").get_by_role("button", name="7", exact=True).click()
    held = "r1c3 cannot be 7: r1c5 is 7, in the same row."
    said = "r1c3 can be 7 if r1c5 = 7 and r3c3 = 8 are removed"
    message(page, f"{said}; removing fewer givens is not enough.")
    assert page.locator("#text").inner_text().split("\n")[0] == held
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
