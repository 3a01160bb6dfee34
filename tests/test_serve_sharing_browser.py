"""Wrong digits, and text that goes out and comes back, in a real headless Chromium."""

from __future__ import annotations

import re
import signal

import pytest
from helpers.browsing import board, cell, described, edited, message, paste, press, sized, valued
from helpers.puzzles import CLASSIC, IMPOSSIBLE, TWO
from helpers.serving import served
from test_formats_shared import pattern

from pylogic_sudoku import formats

pytestmark = pytest.mark.slow


SIX = "6.....324.....3...1.6.5....4....1.6."
SHAPES = [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4)]


def typed(page, **cells):
    for name, digit in cells.items():
        cell(page, name).click()
        page.keyboard.type(str(digit))


def marked(page):
    """The names of the cells that are marked as wrong."""
    return page.evaluate(
        "[...document.querySelectorAll('.cell')].flatMap((cell, at) => cell.getAttribute"
        "('aria-invalid') === 'true' ? [`r${Math.floor(at / 9) + 1}c${at % 9 + 1}`] : [])"
    )


def test_check_and_hint_mark_the_wrong_digits(visit):
    page = visit()
    typed(page, r1c3=4)
    press(page, "Check")
    message(page, "So far so good: your digits lead to a solution.")
    typed(page, r1c4=2, r9c4=6)  # neither breaks a rule yet
    assert marked(page) == []
    press(page, "Check")
    message(page, "r1c4 and r9c4 are wrong: they differ from the only solution.")
    assert marked(page) == ["r1c4", "r9c4"]
    press(page, "Close")
    assert marked(page) == []
    press(page, "Hint")
    message(page, "Erase them, then ask for a step again.")
    page.get_by_role("heading", name="No step leads on from here").wait_for()
    assert marked(page) == ["r1c4", "r9c4"]
    press(page, "Erase them")
    assert board(page) == edited(CLASSIC, r1c3="4")
    press(page, "Hint")
    page.get_by_role("heading", name="Naked single: easy, weight 4").wait_for()


def test_check_at_the_beginning_and_at_the_end(visit):
    page = visit()
    press(page, "Check")
    message(page, "You have filled in nothing yet. The puzzle has a solution.")
    press(page, "Solve")
    press(page, "Fill in")
    press(page, "Check")
    message(page, "Solved: every digit is right.")
    page.reload()
    press(page, "Undo")
    typed(page, r1c3=2)
    press(page, "Steps")
    message(page, "r1c3 is wrong: it differs from the only solution.")


def test_a_wrong_digit_is_seen_on_a_phone(visit):
    page = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    cell(page, "r1c3").tap()
    page.locator("#pad").get_by_role("button", name="1", exact=True).tap()
    page.get_by_role("button", name="Check").tap()
    message(page, "r1c3 is wrong")
    from playwright.sync_api import expect

    both = [cell(page, "r1c3"), page.get_by_role("button", name="Erase it")]
    for each in both:
        expect(each).to_be_in_viewport(ratio=0.9)


def test_with_several_solutions_no_digit_is_blamed_alone(visit):
    page = visit(TWO, "2x2")
    typed(page, r1c3=3, r3c3=3)
    for button in ("Check", "Hint"):
        press(page, button)
        message(page, "The digits in r1c3 and r3c3 do not go together")
        message(page, "any of these digits may be the wrong one")
        assert page.locator("[aria-invalid=true]").count() == 2
        assert page.get_by_role("button", name="Erase them").count() == 0
    page = visit(IMPOSSIBLE)
    for button in ("Check", "Hint", "Why?"):
        press(page, button)
        message(page, "The puzzle has no solution, whatever you fill in.")
    press(page, "Why none?")
    page.get_by_role("list", name="Legend").get_by_role("listitem").first.wait_for()


def test_a_bad_link_says_so(visit):
    page = visit(CLASSIC[:-1])
    message(page, "The link does not hold a puzzle: 3x3 boxes make 81 cells, and it has 80.")
    whole = page.url  # of the puzzle that is shown instead
    for text, says in [
        ("3x3x3", "it does not begin with the shape of the boxes, such as 3x3"),
        ("6x6,1", "grids have 1 to 16 rows here, and this one has 36"),
        (f"2x2,{'.' * 15}7", "r4c4 holds “7”"),
        (f"2x2,{'.' * 16},regions=1", "its regions, marks or rules do not fit the grid"),
    ]:
        page.goto(f"{whole.split('#')[0]}#{text}")
        message(page, says)
        assert page.url == whole
    press(page, "Close")
    page.reload()
    message(page, "51 cells are empty.")


def test_a_failed_paste_opens_the_dialog(visit):
    page = visit()
    paste(page, "5" * 80)
    page.get_by_role("alert").filter(has_text="the line has 80 characters").wait_for()
    valued(page, "#source", "5" * 80)
    page.fill("#source", CLASSIC.replace("5", "."))
    page.locator("#load").click()
    page.locator("#open-dialog").wait_for(state="hidden")
    assert board(page) == CLASSIC.replace("5", ".")


def test_the_dialog_asks_for_the_boxes(visit):
    page = visit()
    paste(page, SIX)
    page.get_by_role("alert").filter(has_text="which boxes this 6x6 grid has").wait_for()
    offered = page.locator("#box option").evaluate_all("all => all.map(each => each.value)")
    assert offered == ["2x3", "3x2", "1x6", "6x1"]
    assert page.evaluate("document.activeElement.id") == "box"
    page.select_option("#box", "3x2")
    page.locator("#load").click()
    sized(page, 6)
    assert (board(page), "#3x2," in page.url) == (SIX, True)
    press(page, "Open…")
    page.fill("#source", f"{SIX}\n{SIX[::-1]}\n")
    page.locator("#load").click()
    page.get_by_role("alert").filter(has_text="which boxes this 6x6 grid has").wait_for()
    page.locator("#load").click()
    page.get_by_role("alert").filter(has_text="holds 2 puzzles").wait_for()
    page.select_option("#which", label="puzzle 2")
    page.locator("#load").click()
    page.locator("#open-dialog").wait_for(state="hidden")
    assert (board(page), "#2x3," in page.url) == (SIX[::-1], True)


@pytest.mark.parametrize("box", SHAPES, ids=str)
def test_paste_reads_all_that_share_offers(visit, box):
    grid = pattern(box, 0.5)
    page = visit(str(grid), f"{box[0]}x{box[1]}")
    press(page, "Share")
    link = page.locator("#link").input_value()
    texts = {"link": link}
    for form in (form for form in formats.FORMATS if form not in ("hex", "pencil")):
        page.locator("#written").evaluate("field => { field.value = ''; }")
        page.select_option("#write-format", form)
        valued(page, "#written", re.compile(r"\S"))
        texts[form] = page.locator("#written").input_value()
    press(page, "Close")
    for form, text in texts.items():
        page.goto(link.split("#")[0] + "#2x2," + "." * 16)
        sized(page, 4)
        paste(page, text)
        page.wait_for_function("link => location.href === link", arg=link)
        assert page.locator("dialog[open]").count() == 0, form


def test_a_pasted_link_brings_digits_and_marks(visit):
    page = visit()
    typed(page, r1c3=4)
    press(page, "Share")
    page.locator("#link-notes").check()
    link = page.locator("#link").input_value()
    press(page, "Close")
    press(page, "Restart")
    assert board(page) == CLASSIC
    paste(page, link)
    described(page, "row 1, column 3: 4")
    assert board(page) == edited(CLASSIC, r1c3="4")
    paste(page, link.replace("3x3,53", "3x3,5"))
    page.get_by_role("alert").filter(has_text="make 81 cells, and it has 80").wait_for()


def test_the_right_digit_crossed_out(visit):
    page = visit()
    cell(page, "r1c3").click()
    press(page, "Cross out")
    page.locator("#pad").get_by_role("button", name="4", exact=True).click()
    for button in ("Check", "Hint"):
        press(page, button)
        message(page, "In r1c3 you have crossed out the only digit that fits.")
    press(page, "Take that back")
    press(page, "Check")
    message(page, "You have filled in nothing yet.")


def test_share_says_what_does_not_come_back(visit):
    page = visit()
    paste(page, '{"grid": ["1..4", "....", "....", "...."], "marks": {"r1c2": "even"}}')
    sized(page, 4)
    press(page, "Share")
    page.select_option("#write-format", "pretty")
    page.get_by_text("This text is for reading: it does not open as the same puzzle.").wait_for()
    page.select_option("#write-format", "line")
    page.get_by_text("which 'line' cannot hold").wait_for()
    valued(page, "#written", "")


def test_a_server_that_stops_during_a_search_is_named(browser):
    with served("--timeout", "600") as (address, process):
        page = browser.new_page()
        page.goto(f"{address}#4x4,{'.' * 256}")
        page.wait_for_selector("#about:not(:empty)")
        with page.expect_request("**/api/steps"):
            press(page, "Steps")
        message(page, "Searching")
        process.send_signal(signal.SIGINT)
        message(page, "Is it still running?")
        assert "JSON" not in page.locator("#text").inner_text()
        page.close()
