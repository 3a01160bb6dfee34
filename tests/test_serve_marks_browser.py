"""What a person adds to the board of the page, in a real headless Chromium."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from helpers.browsing import (
    board,
    cell,
    described,
    drag,
    edited,
    message,
    paste,
    press,
    role_cells,
    sized,
)
from helpers.puzzles import LOOSE, PRINTED, SMALL

import pylogic_sudoku as pls

pytestmark = pytest.mark.slow


PUZZLE = list(PRINTED)[-1]
HINTS = pls.steps(LOOSE)
FIRST, SECOND = next(HINTS), next(HINTS)


def name(page, place):
    return cell(page, place).get_attribute("aria-label").split(": ", 1)[1]


def pad(page, label):
    return page.locator("#pad").get_by_role("button", name=label, exact=True)


def test_marks_by_keys_and_modes(visit):
    page = visit()
    cell(page, "r1c3").click()
    page.keyboard.press("Shift+Digit4")
    page.keyboard.press("Shift+Digit1")
    page.keyboard.press("Control+Digit2")
    assert name(page, "r1c3") == "empty, corner marks 1, 4, centre mark 2"
    assert board(page) == PUZZLE
    page.keyboard.press("Shift+Digit4")
    assert name(page, "r1c3") == "empty, corner mark 1, centre mark 2"
    page.keyboard.press("x")
    page.keyboard.type("2")
    pad(page, "4").click()
    assert name(page, "r1c3") == "empty, corner marks 1, 2, 4, centre mark 2"
    press(page, "Centre")
    cell(page, "r1c3").click()
    page.keyboard.type("1")
    assert name(page, "r1c3") == "empty, corner marks 1, 2, 4, centre marks 1, 2"
    assert page.get_by_role("button", name="Centre").get_attribute("aria-pressed") == "true"
    page.keyboard.press("Delete")  # the marks of this mode, then the others
    assert name(page, "r1c3") == "empty, corner marks 1, 2, 4"
    page.keyboard.press("Delete")
    assert name(page, "r1c3") == "empty"
    press(page, "Undo")
    assert name(page, "r1c3") == "empty, corner marks 1, 2, 4"
    page.keyboard.press("z")
    page.keyboard.type("4")  # the marks are there again when the digit goes
    assert name(page, "r1c3") == "4"
    page.keyboard.press("Delete")
    assert name(page, "r1c3") == "empty, corner marks 1, 2, 4"
    cell(page, "r1c1").click()
    page.keyboard.press("Shift+Digit4")
    message(page, "r1c1 already holds a digit.")


def test_several_cells_at_once(visit):
    page = visit()
    assert page.get_by_role("grid").get_attribute("aria-multiselectable") == "true"
    drag(page, "r1c7", "r1c8", "r1c9", "r2c9")
    assert page.locator("[role=gridcell][aria-selected=true]").count() == 4
    page.keyboard.press("Control+Digit8")
    cells = ["r1c7", "r1c8", "r1c9", "r2c9"]
    assert {name(page, each) for each in cells} == {"empty, centre mark 8"}
    cell(page, "r9c1").click()
    assert page.locator("[role=gridcell][aria-selected=true]").count() == 1
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+Digit3")
    assert {name(page, f"r9c{each}") for each in (1, 2, 3)} == {"empty, corner mark 3"}
    cell(page, "r4c2").click()
    cell(page, "r4c7").click(modifiers=["Control"])
    cell(page, "r9c1").click(modifiers=["Control"])
    cell(page, "r4c2").click(modifiers=["Control"])  # once more takes it away
    page.keyboard.type("5")
    assert board(page) == edited(PUZZLE, r4c7="5", r9c1="5")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+ArrowUp")
    page.keyboard.press("Control+ArrowUp")
    page.keyboard.press("Control+Space")
    page.keyboard.press("Control+a")
    assert page.locator("[role=gridcell][aria-selected=true]").count() == 81
    page.keyboard.press("Delete")
    assert board(page) == PUZZLE


def test_several_cells_by_touch(visit):
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Several").tap()
    for place in ("r1c3", "r1c4", "r2c2"):
        cell(page, place).tap()
    page.get_by_role("button", name="Corner").tap()
    pad(page, "2").tap()
    assert {name(page, place) for place in ("r1c3", "r1c4", "r2c2")} == {"empty, corner mark 2"}
    cell(page, "r1c4").tap()
    pad(page, "4").tap()
    assert name(page, "r1c4") == "empty, corner mark 2"
    assert name(page, "r2c2") == "empty, corner marks 2, 4"
    page.get_by_role("button", name="Several").tap()
    assert page.locator("[role=gridcell][aria-selected=true]").count() == 1


def test_colours(visit):
    page = visit(SMALL, "2x2")
    cell(page, "r1c1").click()
    page.keyboard.press("v")
    page.keyboard.type("9")  # more colours than digits
    assert name(page, "r1c1").endswith("grey")
    page.keyboard.press("ArrowRight")
    pad(page, "red, 3").click()
    assert name(page, "r1c2").endswith(", red")
    plain, red = (
        cell(page, each).evaluate("each => getComputedStyle(each, '::before').backgroundColor")
        for each in ("r4c4", "r1c2")
    )
    assert plain != red
    assert pad(page, "red, 3").get_attribute("aria-pressed") == "true"
    page.keyboard.type("3")
    assert not name(page, "r1c2").endswith("red")


def test_marks_are_kept_and_shared(visit):
    page = visit()
    cell(page, "r1c3").click()
    for keys in ("Shift+Digit1", "Control+Digit2", "Control+Shift+Digit5", "ArrowRight"):
        page.keyboard.press(keys)
    page.keyboard.type("6")
    page.reload()
    page.wait_for_selector("#about:not(:empty)")
    assert name(page, "r1c3") == "empty, corner mark 1, centre mark 2, purple"
    press(page, "Undo")
    press(page, "Undo")
    assert name(page, "r1c3") == "empty, corner mark 1, centre mark 2"
    press(page, "Redo")
    press(page, "Redo")
    press(page, "Share")
    assert page.locator("#link").input_value() == page.url  # the puzzle alone
    page.get_by_label("with my digits, marks and colours").check()
    link = page.locator("#link").input_value()
    other = visit("." * 16, "2x2")
    other.goto(link)
    sized(other, 9)
    assert name(other, "r1c3") == "empty, corner mark 1, centre mark 2, purple"
    assert board(other) == edited(PUZZLE, r1c4="6")
    press(other, "Restart")
    assert name(other, "r1c3") == "empty"
    assert board(other) == PUZZLE
    broken = link.replace("corner=r1c3:1", "corner=r0c3:1.r1c3:x.r9c9:12").replace("&", "")
    page.goto(broken)
    described(page, "row 1, column 3: empty, centre mark 2, purple")


def test_do_it_keeps_what_a_hint_removes(visit):
    page = visit(LOOSE)
    press(page, "Hint")
    message(page, FIRST.text())
    press(page, "Do it")
    gone = FIRST.removed[0]
    may = re.search(r"may be ([\d, ]+)", name(page, str(gone.cell)))[1].split(", ")
    assert str(gone.digit) not in may  # the pencil marks are shown, without it
    press(page, "Hint")
    message(page, SECOND.text())
    press(page, "Close")
    press(page, "Undo")
    press(page, "Hint")
    message(page, FIRST.text())


def test_crossing_out(visit):
    page = visit()
    cell(page, "r1c3").click()
    page.keyboard.press("r")
    assert name(page, "r1c3") == "empty, may be 1, 2, 4"
    page.keyboard.type("2")
    assert name(page, "r1c3") == "empty, may be 1, 4"
    page.keyboard.type("5")
    message(page, "r1c3 has no such pencil mark to be crossed out.")
    page.keyboard.type("4")
    press(page, "Hint")
    message(page, "In r1c3 you have crossed out the only digit that fits.")
    page.keyboard.type("4")
    assert name(page, "r1c3") == "empty, may be 1, 4"
    press(page, "Hint")
    page.locator("#board[aria-busy=false]").wait_for()
    assert role_cells(page, "target") + role_cells(page, "removed") > 0


def test_the_timer_counts_while_the_page_is_seen(visit, browser):
    page = visit()
    page.clock.install()
    page.reload()
    page.wait_for_selector("#about:not(:empty)")
    page.get_by_role("button", name="Restart").wait_for()
    seconds = "e => e.textContent.split(':').reduce((all, each) => 60 * all + parseInt(each), 0)"
    timer = page.locator("#timer")
    start = timer.evaluate(seconds)
    page.clock.run_for(65_000)
    assert timer.evaluate(seconds) - start >= 64
    press(page, "Pause")
    before = timer.evaluate(seconds)
    page.clock.run_for(30_000)
    assert timer.evaluate(seconds) == before
    assert "paused" in timer.inner_text()
    press(page, "Resume")
    page.clock.run_for(10_000)
    press(page, "Hide time")
    assert not timer.is_visible()
    page.reload()
    assert not timer.is_visible()
    press(page, "Show time")
    assert timer.evaluate(seconds) >= before + 9
    paste(page, SMALL)
    sized(page, 4)
    assert timer.evaluate(seconds) < before


def test_other_sites_get_the_puzzle_and_give_it_back(visit):
    page = visit()
    press(page, "Share")
    links = page.locator("#sites a")
    links.nth(2).wait_for()
    found = {each.inner_text(): each.get_attribute("href") for each in links.all()}
    assert list(found) == ["SudokuWiki", "f-puzzles", "SudokuPad"]
    assert parse_qs(urlsplit(found["SudokuWiki"]).query)["bd"] == [PUZZLE.replace(".", "0")]
    for link in found.values():
        assert str(pls.Grid.parse(link)) == PUZZLE
    for each in links.all():
        assert (each.get_attribute("target"), each.get_attribute("rel")) == ("_blank", "noreferrer")
    page.keyboard.press("Escape")
    for link in found.values():
        paste(page, SMALL)
        sized(page, 4)
        paste(page, link)
        sized(page, 9)
        assert board(page) == PUZZLE
    cage = {"rule": "killer_cage", "cells": ["r1c1", "r1c2"]}
    killer = {"grid": [[None] * 4] * 4, "rules": [cage]}
    paste(page, json.dumps(killer))
    sized(page, 4)
    press(page, "Share")
    page.locator("#sites-not").filter(has_text="SudokuWiki takes plain 9x9 puzzles only").wait_for()


def test_the_board_as_a_picture(visit):
    page = visit()
    cell(page, "r1c3").click()
    page.keyboard.press("Shift+Digit1")
    page.keyboard.press("Control+Shift+Digit5")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("6")
    press(page, "Share")
    with page.expect_download() as saved:
        press(page, "Save as SVG")
    assert saved.value.suggested_filename == "sudoku.svg"
    svg = saved.value.path().read_text()
    assert svg.startswith("<svg")
    assert "Row 1: 5 3 . 6 7" in svg
    assert '#e4d5ff" d=' in svg
    with page.expect_download() as saved:
        press(page, "Save as PNG")
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_an_explanation_and_paper(visit):
    page = visit()
    closed = "!document.querySelector('dialog[open]')"
    page.evaluate(f"window.print = () => {{ window.printed = {closed} }}")
    press(page, "Hint")
    page.get_by_role("list", name="Legend").get_by_text("goes here").wait_for()
    press(page, "Share")
    with page.expect_download() as saved:
        press(page, "Save as SVG")
    assert "goes here" in saved.value.path().read_text()
    press(page, "Print")
    assert page.evaluate("window.printed")
