"""The list of steps on the page, in a real headless Chromium."""

from __future__ import annotations

import json

import pytest
from helpers.browsing import board, cell, message, press, role_cells
from helpers.puzzles import SMALL

import pylogic_sudoku as pls
from pylogic_sudoku.serve._explained import explained

pytestmark = pytest.mark.slow


WAY = pls.steps(SMALL).walk()


def walking(page):
    """The number of the step that is marked in the list."""
    return int(page.locator("#walk-list [aria-selected=true]").inner_text().split(".")[0])


def reached(page, number):
    page.locator(f"#step-{number}[aria-selected=true]").wait_for()
    step = WAY[number - 1]
    message(page, step.text())
    technique = step.technique[0].upper() + step.technique[1:]
    page.get_by_role("heading", name=f"{technique}: {step.level}, weight {step.weight}").wait_for()
    assert board(page) == "".join(str(digit or ".") for digit in step.grid.digits)
    return number == walking(page)


def test_walk_by_keys_and_by_clicks(visit):
    page = visit(SMALL, "2x2")
    press(page, "Steps")
    assert reached(page, 1)
    head = page.get_by_role("heading", name=f"12 steps: {WAY.rating}")
    head.wait_for()
    lines = [" ".join(line.split()) for line in page.locator("#walk-list li").all_inner_texts()]
    known = zip(str(WAY).splitlines()[1:-1], WAY, strict=True)
    assert lines == [f"{line} {step.level} {step.weight}" for line, step in known]
    for key, number in [
        ("ArrowDown", 2),
        ("ArrowDown", 3),
        ("ArrowUp", 2),
        ("ArrowUp", 1),
        ("ArrowUp", 1),
        ("End", 12),
        ("ArrowDown", 12),
        ("PageUp", 2),
        ("Home", 1),
    ]:
        page.keyboard.press(key)
        assert reached(page, number)
    page.locator("#step-7").click()
    assert reached(page, 7)
    press(page, "Next step")
    assert reached(page, 8)
    press(page, "Do it")
    assert not page.locator("#walk").is_visible()
    placed = sum(1 for step in WAY[:8] if step.placed)
    assert board(page).count(".") == SMALL.count(".") - placed


def test_the_list_goes_when_something_else_comes(visit):
    page = visit(SMALL, "2x2")
    for leave in ("Escape", "Close", "Hint", "Solve", "digit"):
        press(page, "Steps")
        page.locator("#step-12").wait_for()
        if leave == "Escape":
            page.keyboard.press(leave)
        elif leave == "digit":
            cell(page, "r1c4").click()
            page.keyboard.type("2")
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
    page.get_by_role("heading", name=f"12 steps: {WAY.rating}").wait_for()
    assert known == [*range(12)]
    assert [len(body["taken"]) for body in asked[1:]] == [*range(1, 12)]
    lines = page.locator("#walk-list li").all_inner_texts()
    assert [int(line.split(".")[0]) for line in lines] == [*range(1, 13)]
    assert walking(page) == 1


def test_walk_on_a_phone(visit):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = visit(SMALL, "2x2", **phone)
    page.get_by_role("button", name="Steps").tap()
    page.locator("#step-5").tap()
    assert reached(page, 5)
    assert page.locator("#step-5").bounding_box()["height"] >= 32
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    boxes = [page.locator(each).bounding_box() for each in ("#board", "#walk-list", "#message")]
    assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)
    assert boxes[1]["y"] + boxes[1]["height"] < 844  # the board and the list are seen together


def chained():
    """An answer with one step that has a chain and parts."""
    empty = pls.Grid.parse("." * 81)
    marks = pls.draw.pencil_marks(empty)
    nodes = [[(1, 2, 5)], [(1, 7, 5)], [(4, 7, 5), (5, 7, 5)], [(6, 9, 5)]]
    chain = tuple(tuple(pls.Placement(*each) for each in node) for node in nodes)
    roles = (("pivot", (pls.Placement(9, 9, 1),)), ("set B", (pls.Placement(9, 8, 1),)))
    removed = (pls.Placement(6, 2, 5),)
    step = pls.Step(empty, empty, marks, "minimal set", (), (), None, removed, chain, roles)
    return {"steps": [explained(step)], "outcome": "", "stopped": "time", "rating": None}


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
