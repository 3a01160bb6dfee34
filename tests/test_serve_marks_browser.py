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
    assert name(page, "r1c3") == "empty, may be 1, 4"
    assert board(page) == PUZZLE
    page.keyboard.press("Shift+Digit4")
    assert name(page, "r1c3") == "empty, may be 1"
    page.keyboard.press("x")
    page.keyboard.type("2")
    pad(page, "4").click()
    assert name(page, "r1c3") == "empty, may be 1, 2, 4"
    assert page.get_by_role("button", name="Mark").get_attribute("aria-pressed") == "true"
    page.keyboard.press("Delete")
    assert name(page, "r1c3") == "empty"
    press(page, "Undo")
    assert name(page, "r1c3") == "empty, may be 1, 2, 4"
    page.keyboard.press("z")
    page.keyboard.type("4")  # the marks are there again when the digit goes
    assert name(page, "r1c3") == "4"
    page.keyboard.press("Delete")
    assert name(page, "r1c3") == "empty, may be 1, 2, 4"
    press(page, "Mark")
    cell(page, "r1c1").click()
    page.keyboard.type("4")
    message(page, "r1c1 already holds a digit.")


def test_marks_over_nine(visit):
    page = visit("." * 255 + "1", "4x4")
    cell(page, "r1c1").click()
    for key in ("Shift+Digit1", "Shift+Digit6", "Shift+Digit2", "x", "c", "1", "0"):
        page.keyboard.press(key)
    assert name(page, "r1c1") == "empty, may be 2, 10, 12, 16"


def test_several_cells_at_once(visit):
    page = visit()
    assert page.get_by_role("grid").get_attribute("aria-multiselectable") == "true"
    drag(page, "r1c7", "r1c8", "r1c9", "r2c9")
    assert page.locator("[role=gridcell][aria-selected=true]").count() == 4
    page.keyboard.press("Shift+Digit8")
    cells = ["r1c7", "r1c8", "r1c9", "r2c9"]
    assert {name(page, each) for each in cells} == {"empty, may be 8"}
    cell(page, "r9c1").click()
    assert page.locator("[role=gridcell][aria-selected=true]").count() == 1
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+Digit3")
    assert {name(page, f"r9c{each}") for each in (1, 2, 3)} == {"empty, may be 3"}
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
    page.get_by_role("button", name="Mark").tap()
    pad(page, "2").tap()
    assert {name(page, place) for place in ("r1c3", "r1c4", "r2c2")} == {"empty, may be 2"}
    cell(page, "r1c4").tap()
    pad(page, "4").tap()
    assert name(page, "r1c4") == "empty, may be 2"
    assert name(page, "r2c2") == "empty, may be 2, 4"
    page.get_by_role("button", name="Several").tap()
    assert page.locator("[role=gridcell][aria-selected=true]").count() == 1


def test_marks_are_kept_and_shared(visit):
    page = visit()
    cell(page, "r1c3").click()
    for keys in ("Shift+Digit1", "Shift+Digit2", "ArrowRight"):
        page.keyboard.press(keys)
    page.keyboard.type("6")
    page.reload()
    page.wait_for_selector("#about:not(:empty)")
    assert name(page, "r1c3") == "empty, may be 1, 2"
    press(page, "Undo")
    press(page, "Undo")
    assert name(page, "r1c3") == "empty, may be 1"
    press(page, "Redo")
    press(page, "Redo")
    press(page, "Share")
    assert page.locator("#link").input_value() == page.url  # the puzzle alone
    page.get_by_label("with my digits and marks").check()
    link = page.locator("#link").input_value()
    other = visit("." * 16, "2x2")
    other.goto(link)
    sized(other, 9)
    assert name(other, "r1c3") == "empty, may be 1, 2"
    assert board(other) == edited(PUZZLE, r1c4="6")
    press(other, "Restart")
    assert name(other, "r1c3") == "empty"
    assert board(other) == PUZZLE
    notes = "pencil=r0c3:1.r1c3:x.r1c4:1.r2c2:12,corner=r1c9:1,colour=r1c9:2"
    page.goto(link.replace("pencil=r1c3:12", notes).replace(edited(PUZZLE, r1c4="6"), PUZZLE))
    described(page, "row 2, column 2: empty, may be 1, 2")  # what does not fit is left out
    assert [name(page, each) for each in ("r1c3", "r1c9")] == ["empty", "empty"]


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
    page.keyboard.press("ArrowRight")
    page.keyboard.type("6")
    press(page, "Share")
    with page.expect_download() as saved:
        press(page, "Save as SVG")
    assert saved.value.suggested_filename == "sudoku.svg"
    svg = saved.value.path().read_text()
    assert svg.startswith("<svg")
    assert "Row 1: 5 3 . 6 7" in svg
    assert svg.count(">1</text>") == PUZZLE.count("1") + 3  # of a row, of a column, and the mark
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
