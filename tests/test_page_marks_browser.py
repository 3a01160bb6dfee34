"""Additions to the board, and puzzles sent out and returned, in a real headless Chromium."""

from __future__ import annotations

import re
import signal

import pytest
from helpers.browsing import board, cell, described, message, phone, reloaded, sized, until, valued
from helpers.doing import edited, keys, paste, press, typed
from helpers.panels import hint
from helpers.puzzles import CLASSIC, EMPTY, IMPOSSIBLE, LOOSE, PRINTED, REFUTED, SMALL, TWO
from helpers.serving import served
from playwright.sync_api import expect
from test_formats_shared import pattern

import pylogic_sudoku as pls

pytestmark = pytest.mark.slow


PUZZLE = list(PRINTED)[-1]
HINTS = pls.steps(LOOSE)
FIRST, SECOND = next(HINTS), next(HINTS)


def name(page, place):
    return cell(page, place).get_attribute("aria-label").split(": ", 1)[1]


def pad(page, label):
    return page.locator("#pad").get_by_role("button", name=label, exact=True)


def test_notes_by_keys_and_by_the_button(visit):
    page = visit()
    cell(page, "r1c3").click()
    keys(page, "x", "4", "1")
    assert name(page, "r1c3") == "empty, may be 1, 4"
    assert board(page) == PUZZLE
    keys(page, "4")
    assert name(page, "r1c3") == "empty, may be 1"
    keys(page, "2")
    pad(page, "4").click()
    assert name(page, "r1c3") == "empty, may be 1, 2, 4"
    assert page.get_by_role("button", name="Notes").get_attribute("aria-pressed") == "true"
    page.keyboard.press("Delete")
    assert name(page, "r1c3") == "empty"
    press(page, "Undo")
    assert name(page, "r1c3") == "empty, may be 1, 2, 4"
    page.keyboard.press("x")
    page.keyboard.type("4")  # the notes are there again when the digit goes
    assert name(page, "r1c3") == "4"
    page.keyboard.press("Delete")
    assert name(page, "r1c3") == "empty, may be 1, 2, 4"
    press(page, "Notes")
    typed(page, r1c1=4)
    message(page, "r1c1 already holds a digit.")


def test_marks_over_nine(visit):
    page = visit("." * 255 + "1", "4x4")
    cell(page, "r1c1").click()
    keys(page, "x", "2", "c", "a", "g")
    assert name(page, "r1c1") == "empty, may be 2, 10, 12, 16"


def test_marks_are_kept_and_shared(visit):
    page = visit()
    cell(page, "r1c3").click()
    keys(page, "x", "1", "2", "x", "ArrowRight", "6")
    reloaded(page)
    assert name(page, "r1c3") == "empty, may be 1, 2"
    press(page, "Undo", "Undo")
    assert name(page, "r1c3") == "empty, may be 1"
    keys(page, "Control+y", "Control+y")
    press(page, "Share")
    assert page.locator("#link").input_value() == page.url  # the puzzle alone
    page.get_by_label("with my digits and notes").check()
    link = page.locator("#link").input_value()
    press(page, "Close", "Puzzles", "Start over")
    assert board(page) == PUZZLE
    paste(page, link)
    described(page, "row 1, column 3: empty, may be 1, 2")
    paste(page, link.replace("3x3,53", "3x3,5"))
    page.get_by_role("alert").filter(has_text="does not hold a puzzle").wait_for()
    press(page, "Close")
    other = visit("." * 16, "2x2")
    other.goto(link)
    sized(other, 9)
    assert name(other, "r1c3") == "empty, may be 1, 2"
    assert board(other) == edited(PUZZLE, r1c4="6")
    press(other, "Puzzles", "Start over")
    assert name(other, "r1c3") == "empty"
    assert board(other) == PUZZLE
    notes = "pencil=r0c3:1.r1c3:x.r1c4:1.r2c2:12,corner=r1c9:1,colour=r1c9:2"
    page.goto(link.replace("pencil=r1c3:12", notes).replace(edited(PUZZLE, r1c4="6"), PUZZLE))
    described(page, "row 2, column 2: empty, may be 1, 2")  # what does not fit is left out
    assert [name(page, each) for each in ("r1c3", "r1c9")] == ["empty", "empty"]


def test_do_it_keeps_what_a_hint_removes(visit):
    page = visit(LOOSE)
    hint(page)
    message(page, FIRST.text())
    press(page, "Do it")
    gone = FIRST.removed[0]
    may = re.search(r"may be ([\d, ]+)", name(page, str(gone.cell)))[1].split(", ")
    assert str(gone.digit) not in may  # the pencil marks are shown, without it
    hint(page)
    message(page, SECOND.text())
    press(page, "Close", "Undo")
    hint(page)
    message(page, FIRST.text())


def test_what_was_crossed_out_is_possible_again_when_a_digit_goes(visit):
    page = visit(f"{SMALL},...1............,gone=r1c2:2", "2x2")
    assert name(page, "r1c2") == "empty, may be 3"
    cell(page, "r1c4").click()
    page.keyboard.press("Delete")
    assert name(page, "r1c2") == "empty"
    press(page, "Undo")
    assert "2" not in name(page, "r1c2")


def test_another_site_gets_the_puzzle_and_gives_it_back(visit):
    page = visit()
    press(page, "Share")
    link = page.get_by_role("link", name="Open at SudokuPad")
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noreferrer")
    address = link.get_attribute("href")
    assert str(pls.Grid.parse(address)) == PUZZLE
    page.keyboard.press("Escape")
    paste(page, SMALL)
    sized(page, 4)
    paste(page, address)
    sized(page, 9)
    assert board(page) == PUZZLE


def test_the_board_is_printed_without_the_dialog(visit):
    page = visit()
    closed = "!document.querySelector('dialog[open]')"
    page.evaluate(f"window.print = () => {{ window.printed = {closed} }}")
    press(page, "Share", "Print")
    assert page.evaluate("window.printed")


# === Wrong digits, and text that goes out and comes back, in a real headless Chromium =============

SIX = "6.....324.....3...1.6.5....4....1.6."
SHAPES = [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4)]


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
    page.get_by_role("heading", name="Naked single: easy", exact=True).wait_for()


SOLUTION = PRINTED[CLASSIC]
TOGETHER = "Your digits do not go together: no solution has them all."
CHECKED = [
    ("3x3", CLASSIC, edited(EMPTY, r1c3="4"), "So far so good"),
    ("3x3", CLASSIC, SOLUTION, "Solved: every digit is right."),
    ("3x3", CLASSIC, edited(SOLUTION, r1c3="1", r9c7="2"), "r1c3 and r9c7 are wrong: they differ"),
    ("3x3", CLASSIC, edited(EMPTY, r1c3="1", r1c4="6"), "r1c3 is wrong: it differs"),
    ("3x3", REFUTED, edited(EMPTY, r1c1="1"), "The puzzle has no solution"),
    ("2x2", TWO, "..3...1.........", "So far so good"),
    ("2x2", TWO, "..33............", TOGETHER),
    ("2x2", TWO, "..3.......3.....", TOGETHER),
    ("2x2", TWO, "..3.....1.......", "r3c1 is wrong: no solution has this digit there."),
    ("2x2", f"{TWO},gone=r1c3:34", "", "nothing yet"),
]
"""Puzzles with digits that are filled in, and what Check says."""


def test_what_check_says(visit):
    page = visit()
    start = page.url.split("#")[0]
    for box, puzzle, entries, says in CHECKED:
        page.goto(f"{start}#{box},{puzzle}{entries and ','}{entries}")
        press(page, "Check")
        message(page, says)
        press(page, "Close")


def test_check_leads_to_what_setters_ask(visit):
    page = visit("4......3.4.13...", "2x2")
    press(page, "Check")
    message(page, "The puzzle has a solution.")
    press(page, "Redundant?")
    message(page, "The puzzle still has only one solution without this:", "r3c2 = 4")
    press(page, "Close")
    page = visit(TWO, "2x2")
    press(page, "Check")
    press(page, "Count by digit")
    message(page, "The small digits are those that a solution has in the cell.")
    page.get_by_text("Solutions with each digit, up to 10").click()
    message(page, "r1c3: 3 (1) and 4 (1)", "r3c4: 3 (1) and 4 (1)")
    assert cell(page, "r1c3").get_attribute("aria-label").endswith("3, 4")


@pytest.mark.parametrize("late", [1, 2])
def test_what_check_says_when_time_runs_out(visit, late):
    page = visit(TWO, "2x2")
    typed(page, r1c3=3, r1c4=3)
    asked = []

    def answer(route):
        asked.append(route.request.url)
        if len(asked) < late:
            route.continue_()
        else:
            route.fulfill(json={"solutions": [], "stopped": "time", "seconds": 9})

    page.route("**/api/solve", answer)
    press(page, "Check")
    message(page, "Not known: time ran out")
    assert len(asked) == late


def test_a_wrong_digit_is_seen_on_a_phone(visit):
    page = visit(**phone(360, 740))
    cell(page, "r1c3").tap()
    page.locator("#pad").get_by_role("button", name="1", exact=True).tap()
    page.get_by_role("button", name="Check").tap()
    message(page, "r1c3 is wrong")
    both = [cell(page, "r1c3"), page.get_by_role("button", name="Erase it")]
    for each in both:
        expect(each).to_be_in_viewport(ratio=0.9)


def test_what_has_no_solution_is_said_whatever_is_asked(visit):
    page = visit(TWO, "2x2")
    typed(page, r1c3=3, r3c3=3)
    press(page, "Hint")
    message(page, TOGETHER, "any digit may be the wrong one")
    assert page.get_by_role("button", name="Erase them").count() == 0
    page = visit(IMPOSSIBLE)
    for button in ("Check", "Hint", "Why?"):
        press(page, button)
        message(page, "The puzzle has no solution, whatever you fill in.")
    press(page, "Why none?")
    page.get_by_role("list", name="Legend").get_by_role("listitem").first.wait_for()


def test_a_bad_link_says_so(visit):
    page = visit(CLASSIC[:-1])
    message(page, "The link does not hold a puzzle")
    whole = page.url  # of the puzzle that is shown instead
    for text in ("3x3x3", "6x6,1", f"2x2,{'.' * 15}7", f"2x2,{'.' * 16},regions=1"):
        press(page, "Close")
        page.goto(f"{whole.split('#')[0]}#{text}")
        message(page, "The link does not hold a puzzle")
        assert page.url == whole
    press(page, "Close")
    page.reload()
    assert not page.locator("#message").is_visible()


def test_a_failed_paste_opens_the_dialog(visit):
    page = visit()
    paste(page, "5" * 80)
    page.get_by_role("alert").filter(has_text="the line has 80 characters").wait_for()
    valued(page, "#source", "5" * 80)
    page.fill("#source", CLASSIC.replace("5", "."))
    page.locator("#load").click()
    page.locator("#puzzles-dialog").wait_for(state="hidden")
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
    press(page, "Puzzles")
    page.fill("#source", f"{SIX}\n{SIX[::-1]}\n")
    page.locator("#load").click()
    page.get_by_role("alert").filter(has_text="which boxes this 6x6 grid has").wait_for()
    page.locator("#load").click()
    page.get_by_role("alert").filter(has_text="holds 2 puzzles").wait_for()
    page.select_option("#which", label="puzzle 2")
    page.locator("#load").click()
    page.locator("#puzzles-dialog").wait_for(state="hidden")
    assert (board(page), "#2x3," in page.url) == (SIX[::-1], True)


def test_paste_reads_all_that_share_offers(visit):
    page = visit()
    for rows, columns in SHAPES:
        link = f"{page.url.split('#')[0]}#{rows}x{columns},{pattern((rows, columns), 0.5)}"
        page.goto(link)
        sized(page, rows * columns)
        press(page, "Share")
        texts = [page.locator("#link").input_value()]
        for form in ("line", "facts", "prolog", "json"):
            page.locator("#written").evaluate("field => { field.value = ''; }")
            page.select_option("#write-format", form)
            valued(page, "#written", re.compile(r"\S"))
            texts.append(page.locator("#written").input_value())
        press(page, "Close")
        for text in texts:
            page.goto(link.split("#")[0] + "#2x2," + "1" + "." * 15)
            until(page, lambda: board(page) == "1" + "." * 15)
            paste(page, text)
            page.wait_for_function("link => location.href === link", arg=link)
            assert page.locator("dialog[open]").count() == 0, text


def test_share_says_what_does_not_come_back(visit):
    page = visit()
    paste(page, '{"grid": ["1..4", "....", "....", "...."], "marks": {"r1c2": "even"}}')
    sized(page, 4)
    press(page, "Share")
    page.select_option("#write-format", "line")
    page.get_by_text("which 'line' cannot hold").wait_for()
    valued(page, "#written", "")


def test_a_server_that_stops_during_a_search_is_named(browser):
    with served("--timeout", "600") as (address, process):
        page = browser.new_page()
        page.goto(f"{address}#4x4,{'.' * 256}")
        page.wait_for_selector("main:not([aria-busy])")
        with page.expect_request("**/api/steps"):
            press(page, "Steps")
        message(page, "Searching")
        process.send_signal(signal.SIGINT)
        message(page, "Is it still running?")
        assert "JSON" not in page.locator("#text").inner_text()
        page.close()
