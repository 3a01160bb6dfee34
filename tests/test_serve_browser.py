"""The page as people use it, in a real headless Chromium."""

from __future__ import annotations

import json
import re

import pytest
from helpers.browsing import (
    board,
    cell,
    described,
    edited,
    message,
    paste,
    press,
    role_cells,
    sized,
    valued,
)
from helpers.puzzles import COUNTS, IMPOSSIBLE, PRINTED, SMALL, TWO

PUZZLE, SOLUTION = list(PRINTED.items())[-1]
MANY = next(puzzle for puzzle, number in COUNTS.items() if number == 125)


def test_solve(visit):
    page = visit()
    assert board(page) == PUZZLE
    press(page, "Solve")
    message(page, "The only solution.")
    assert board(page) == SOLUTION
    press(page, "Close")
    assert board(page) == PUZZLE
    press(page, "Solve")
    press(page, "Fill in")
    message(page, "Solved: every row, column and box holds every digit once.")


@pytest.mark.slow
def test_all_solutions_one_by_one(visit):
    page = visit(MANY)
    press(page, "Solve")
    message(page, "Solution 1 of at least ")  # 3 or more, as the engines list different ones
    seen = {board(page)}
    for number in range(2, 31):
        press(page, "Next")
        message(page, f"Solution {number} of")
        seen.add(board(page))
    assert len(seen) == 30
    press(page, "Previous")
    message(page, "Solution 29 of")
    assert board(page) in seen


@pytest.mark.slow
def test_no_solution(visit):
    page = visit(IMPOSSIBLE)
    press(page, "Solve")
    message(page, "There is no solution.")


def test_edit_undo_redo_by_keyboard(visit):
    page = visit()
    cell(page, "r1c3").click()
    page.keyboard.type("4")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("6")
    assert board(page) == edited(PUZZLE, r1c3="4", r1c4="6")
    page.keyboard.press("Delete")
    assert board(page) == edited(PUZZLE, r1c3="4")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert board(page) == edited(PUZZLE, r1c3="4")
    page.keyboard.press("Control+Shift+z")
    assert board(page) == edited(PUZZLE, r1c3="4", r1c4="6")
    press(page, "Restart")
    assert board(page) == PUZZLE
    press(page, "Undo")
    assert board(page) == edited(PUZZLE, r1c3="4", r1c4="6")


@pytest.mark.slow
def test_givens_stay_until_the_puzzle_is_set(visit):
    page = visit()
    cell(page, "r1c1").click()
    page.keyboard.type("7")
    message(page, "r1c1 is a given.")
    assert board(page) == PUZZLE
    press(page, "Set the puzzle")
    cell(page, "r1c1").click()
    page.keyboard.type("1")
    assert board(page) == edited(PUZZLE, r1c1="1")
    assert page.url.endswith(edited(PUZZLE, r1c1="1"))


def test_mistakes_show_at_once(visit):
    page = visit()
    cell(page, "r1c3").click()
    page.keyboard.type("5")
    message(page, "r1c1 and r1c3 both hold 5 (row 1, box 1).")
    assert page.locator("[aria-invalid=true]").count() == 2
    page.keyboard.press("Backspace")
    assert page.locator("[aria-invalid=true]").count() == 0
    message(page, "51 cells are empty.")


@pytest.mark.slow
def test_pencil_marks(visit):
    page = visit()
    page.select_option("#pencil", "rules")
    assert cell(page, "r1c3").inner_text().split() == ["1", "2", "4"]
    cell(page, "r1c4").click()
    page.keyboard.type("2")
    assert cell(page, "r1c3").inner_text().split() == ["1", "4"]
    press(page, "Undo")
    page.select_option("#pencil", "exact")
    page.locator(".pencil").first.wait_for()
    assert cell(page, "r1c3").inner_text().split() == ["4"]


@pytest.mark.slow
def test_reload_keeps_everything(visit):
    page = visit()
    cell(page, "r1c3").click()
    page.keyboard.type("4")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("6")
    page.reload()
    page.wait_for_selector("#about:not(:empty)")
    assert board(page) == edited(PUZZLE, r1c3="4", r1c4="6")
    press(page, "Undo")
    assert board(page) == edited(PUZZLE, r1c3="4")
    press(page, "Redo")
    assert board(page) == edited(PUZZLE, r1c3="4", r1c4="6")


@pytest.mark.slow
def test_a_link_carries_the_puzzle(visit):
    page = visit(TWO, "2x2")
    press(page, "Share")
    link = page.locator("#link").input_value()
    assert link == page.url
    valued(page, "#written", TWO)
    page.select_option("#write-format", "prolog")
    valued(page, "#written", re.compile(r"^\[\[1,2,_,_\]"))
    other = visit()
    other.goto(link)  # another puzzle in the same tab
    sized(other, 4)
    assert board(other) == TWO
    other.goto(link.replace("2x2", "3x3"))  # no puzzle of that shape
    assert board(other) == TWO


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        TWO,
        "1 2 . .\n3 4 . .\n. . . .\n4 3 2 1",
        "[[1,2,_,_],[3,4,_,_],[_,_,_,_],[4,3,2,1]]",
        '{"grid": [[1,2,0,0],[3,4,0,0],[0,0,0,0],[4,3,2,1]]}',
    ],
)
def test_open_a_text(visit, text):
    page = visit()
    press(page, "Open…")
    page.fill("#source", text)
    page.locator("#load").click()
    sized(page, 4)
    assert board(page) == TWO


@pytest.mark.slow
def test_open_a_file_of_several(visit):
    page = visit()
    press(page, "Open…")
    content = f"{PUZZLE}\n{SOLUTION}\n{MANY}\n".encode()
    page.set_input_files("#file", {"name": "a.txt", "mimeType": "text/plain", "buffer": content})
    valued(page, "#source", re.compile(r"\d"))
    page.locator("#load").click()
    page.get_by_role("alert").filter(has_text="holds 3 puzzles").wait_for()
    page.select_option("#which", label="puzzle 3")
    page.locator("#load").click()
    page.locator("dialog").first.wait_for(state="hidden")
    assert board(page) == MANY


def test_open_says_what_is_wrong(visit):
    page = visit()
    press(page, "Open…")
    page.fill("#source", "<img src=x onerror=alert(1)>")
    with page.expect_response("**/api/read") as refused:
        page.locator("#load").click()
    assert refused.value.status == 422
    page.get_by_role("alert").filter(has_text=re.compile(r"\w")).wait_for()
    assert page.locator("dialog[open] img").count() == 0


@pytest.mark.slow
def test_paste_anywhere(visit):
    page = visit()
    paste(page, TWO)
    sized(page, 4)
    assert board(page) == TWO


@pytest.mark.slow
@pytest.mark.parametrize("example", ["9x9, jigsaw", "9x9, odd and even"])
def test_examples_with_regions_and_marks_have_one_solution(visit, example):
    page = visit()
    press(page, "Open…")
    page.select_option("#examples", example)
    press(page, "Solve")
    message(page, "The only solution.")
    message(page, "They agree: there is one solution.")
    assert sorted(board(page)) == sorted("123456789" * 9)
    press(page, "Fill in")
    block = "region" if example == "9x9, jigsaw" else "box"
    message(page, f"Solved: every row, column and {block} holds every digit once.")


REGIONS = "1112122233343444"
JIGSAW = {
    "box": [2, 2],
    "grid": [[1, None, None, 4], [None] * 4, [None, None, None, 3], [None] * 4],
    "regions": [[int(label) for label in REGIONS[at : at + 4]] for at in range(0, 16, 4)],
    "marks": {"r1c2": [2, 4], "r2c3": [1, 4], "r4c1": [1, 3]},
    "title": "Small, but hard",
    "author": "A. B.",
}


def test_a_jigsaw_with_marks(visit):
    page = visit()
    paste(page, json.dumps(JIGSAW))
    sized(page, 4)
    page.get_by_text("Small, but hard by A. B.").wait_for()
    described(page, "row 1, column 1, region 1: 1, given")
    described(page, "row 1, column 2, region 1, even: empty")
    described(page, "row 4, column 1, region 3, odd: empty")
    described(page, "row 2, column 3, region 2, 1 or 4: empty")
    assert [page.locator(f".mark.{kind}").count() for kind in ("odd", "even", "digits")] == [1] * 3
    assert page.locator(".ends-right").count() + page.locator(".ends-below").count() == 12
    classes = [cell(page, name).get_attribute("class").split() for name in ("r1c3", "r1c2")]
    assert ["ends-right" in each for each in classes] == [True, False]
    page.select_option("#pencil", "rules")
    described(page, "row 4, column 1, region 3, odd: empty, may be 3")
    cell(page, "r2c1").click()
    page.keyboard.type("1")
    message(page, "r1c1 and r2c1 both hold 1 (column 1, region 1).")
    press(page, "Undo")
    cell(page, "r1c2").click()
    page.keyboard.type("3")
    message(page, "r1c2 holds 3, but must be even.")
    assert page.locator("[aria-invalid=true]").count() == 1
    press(page, "Undo")
    press(page, "Solve")
    message(page, "The only solution.")
    assert board(page) == "1234431221433421"


@pytest.mark.slow
def test_links_and_reloads_keep_regions_and_marks(visit):
    page = visit()
    paste(page, json.dumps(JIGSAW))
    sized(page, 4)
    cell(page, "r4c4").click()
    page.keyboard.type("1")
    page.reload()
    page.wait_for_selector("#about:not(:empty)")
    assert board(page) == "1..4.......3...1"
    described(page, "row 2, column 3, region 2, 1 or 4: empty")
    press(page, "Share")
    valued(page, "#write-format", "json")
    valued(page, "#written", re.compile("regions"))
    assert json.loads(page.locator("#written").input_value()) == JIGSAW
    link = page.locator("#link").input_value()
    other = visit()
    other.goto(link)
    sized(other, 4)
    described(other, "row 1, column 2, region 1, even: empty")
    described(other, "row 2, column 3, region 2, 1 or 4: empty")
    other.get_by_text("Small, but hard by A. B.").wait_for()
    for right, wrong in [(REGIONS, "2" + REGIONS[1:]), ("r4c1", "r5c1"), ("r2c3:14", "r2c3:15")]:
        assert right in link
        other.goto(link.replace(right, wrong).replace("1..4", "...."))  # not a puzzle
        assert board(other) == "1..4.......3...."


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["4x4", "6x6", "9x9", "12x12", "16x16"])
def test_set_a_puzzle_of_any_size(visit, shape):
    n = int(shape.split("x")[0])
    page = visit("1" + "." * 15)
    press(page, "New")
    press(page, shape)
    sized(page, n)
    cell(page, "r1c1").filter(has_not_text="1").wait_for()  # the new grid, if it is 4x4 too
    page.keyboard.type(str(n))
    cell(page, "r1c2").click()
    page.keyboard.type("3")
    assert [cell(page, name).inner_text() for name in ("r1c1", "r1c2")] == [str(n), "3"]
    press(page, "Play")
    press(page, "Solve")
    message(page, "Solution 1 of")
    digits = page.evaluate("[...document.querySelectorAll('.cell')].map(c => +c.textContent)")
    assert sorted(digits[:n]) == [*range(1, n + 1)]


@pytest.mark.slow
def test_digits_over_nine(visit):
    page = visit("." * 256, "4x4")
    cell(page, "r1c1").click()
    page.keyboard.type("1")
    page.keyboard.type("6")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("C")
    assert [cell(page, name).inner_text() for name in ("r1c1", "r1c2")] == ["16", "12"]
    press(page, "Undo")
    press(page, "Undo")
    assert [cell(page, name).inner_text() for name in ("r1c1", "r1c2")] == ["", ""]


def test_touch_at_phone_width(visit):
    page = visit(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark"
    )
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1] == 390
    sizes = page.evaluate(
        "[...document.querySelectorAll('button:enabled, .cell')].filter(e => e.offsetParent)"
        ".map(e => Math.min(e.offsetWidth, e.offsetHeight))"
    )
    assert min(sizes) >= 32
    cell(page, "r1c3").tap()
    page.locator("#pad").get_by_role("button", name="4", exact=True).tap()
    assert board(page) == edited(PUZZLE, r1c3="4")
    page.get_by_role("button", name="Erase").tap()
    assert board(page) == PUZZLE
    page.get_by_role("button", name="Solve").tap()
    message(page, "The only solution")
    assert board(page) == SOLUTION


def test_cells_and_controls_have_names(visit):
    page = visit()
    assert page.get_by_role("gridcell").count() == 81
    page.get_by_role("gridcell", name="row 1, column 1: 5, given", exact=True).wait_for()
    page.get_by_role("gridcell", name="row 1, column 3: empty", exact=True).wait_for()
    assert page.locator("[tabindex='0']:visible").count() == 1
    for role in ("button", "combobox"):
        for control in page.get_by_role(role).all():
            name = control.evaluate("e => e.textContent || e.labels?.[0]?.textContent || ''")
            assert name.strip()


@pytest.mark.slow
def test_the_reference_shows_every_question(visit, address):
    page = visit()
    page.goto(f"{address}api.html")
    page.get_by_text("POST /api/solve").wait_for()
    assert page.locator("section").count() >= 10


@pytest.mark.slow
def test_hints_to_the_end(visit):
    page = visit(SMALL, "2x2")
    press(page, "Hint")
    page.get_by_role("list", name="Legend").get_by_text("goes here").wait_for()
    assert role_cells(page, "target") == 1
    press(page, "Do it")
    assert board(page).count(".") == SMALL.count(".") - 1
    press(page, "Hint")
    for _ in range(SMALL.count(".") - 2):
        press(page, "Next step")
        page.locator("#board[aria-busy=false]").wait_for()
    press(page, "Do it")
    assert board(page) == "4312124324313124"
    press(page, "Hint")
    message(page, "The puzzle is solved.")


@pytest.mark.slow
def test_why_there_is_no_solution(visit):
    page = visit(IMPOSSIBLE)
    press(page, "Solve")
    press(page, "Why none?")
    page.get_by_role("list", name="Legend").get_by_role("listitem").first.wait_for()
    assert role_cells(page, "removed") + role_cells(page, "conflict") > 1
