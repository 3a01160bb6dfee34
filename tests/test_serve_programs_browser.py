"""The panel with the programs on the page."""

from __future__ import annotations

import json
import re

import pytest
from helpers.browsing import board, sized
from helpers.doing import paste, press
from helpers.panels import programs_shown, ran, verdict
from helpers.puzzles import SMALL
from helpers.screens import fits, reloaded
from playwright.sync_api import expect

from pylogic_sudoku.files import resource
from pylogic_sudoku.page.schema import KILLER

pytestmark = pytest.mark.slow


GENERATE = "{ sudoku(X,Y,N) : digit(N) } = 1 :- cell(X,Y)."


def edit(card, old, new):
    text = card.get_by_role("textbox")
    before = text.input_value()
    assert old in before
    text.fill(before.replace(old, new))


def files(card):
    return card.get_by_role("combobox", name="File").locator("option").all_inner_texts()


def test_a_changed_program_runs_on_the_puzzle(visit):
    page = visit(SMALL, "2x2")
    asp, _ = programs_shown(page)
    assert asp.get_by_role("textbox").input_value() == resource("encodings/sudoku.lp").read_text()
    ran(asp, "It agrees with clingo: both find the only solution.")
    edit(asp, GENERATE, GENERATE.replace(" :", "", 1))
    ran(asp, "The program does not run to its end.")
    line = resource("encodings/sudoku.lp").read_text().splitlines().index(GENERATE) + 1
    asp.get_by_role("button", name=f"Go to sudoku.lp, line {line}").click()
    selected = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
    assert asp.get_by_role("textbox").evaluate(selected) == GENERATE.replace(" :", "", 1)
    assert files(asp)[0] == "sudoku.lp (changed)"
    asp.get_by_role("button", name="Undo changes").click()
    ran(asp, "It agrees with clingo")


def test_wrong_answers_and_missing_solutions_are_shown_on_the_board(visit):
    page = visit(SMALL, "2x2")
    asp, prolog = programs_shown(page)
    edit(prolog, "sudoku_houses(Rows, Shape, Houses),", "Houses = Rows,")
    ran(prolog, "answers are not solutions: ")
    prolog.get_by_role("button", name="Show the wrong answer").click()
    assert re.fullmatch("[1-4]{16}", board(page))
    press(page, "Close")
    assert board(page) == SMALL
    edit(asp, "#show sudoku/3.", "#show sudoku/3.\n:- sudoku(1,2,3).")
    ran(asp, "1 solution that clingo finds is missing.")
    asp.get_by_role("button", name="Show the missing solution").click()
    assert board(page) == "4312124324313124"


def test_the_panel_follows_the_puzzle_and_keeps_changes(visit):
    page = visit(SMALL, "2x2")
    asp, prolog = programs_shown(page)
    assert files(asp) == ["sudoku.lp", "houses.lp"]
    edit(asp, GENERATE, f"{GENERATE} ")
    paste(page, json.dumps(KILLER))
    sized(page, 4)
    expect(asp.get_by_role("group", name="This puzzle as facts")).to_contain_text("killer_cage")
    expect(prolog.get_by_role("group", name="This puzzle as a goal")).to_contain_text("killer_cage")
    expect(prolog.get_by_role("group", name="Command")).to_contain_text("program prolog --open '{")
    assert files(asp)[:3] == ["sudoku.lp (changed)", "houses.lp", "rules/sums.lp"]
    asp.get_by_role("combobox", name="File").select_option("rules/sums.lp")
    expect(asp.get_by_role("textbox")).to_have_value(re.compile("kind\\(killer_cage\\)"))
    ran(asp, "the same 48 solutions")


def test_everything_can_be_copied(visit, browser):
    page = visit(SMALL, "2x2", permissions=["clipboard-read", "clipboard-write"])
    for card in programs_shown(page):
        for button, holder in (
            ("Copy file", card.get_by_role("textbox")),
            ("Copy puzzle", card.get_by_role("group", name=re.compile("^This puzzle"))),
            ("Copy command", card.get_by_role("group", name="Command")),
        ):
            ran(card, "Copied.", button)
            shown = holder.evaluate("e => e.value ?? e.textContent")
            assert page.evaluate("navigator.clipboard.readText()") == shown


def test_a_running_program_is_stopped(visit):
    page = visit("." * 16, "2x2")
    _, prolog = programs_shown(page)
    edit(prolog, "weighted_labeling(Cells).", "repeat, fail.")
    ran(prolog, "Running …")
    ran(prolog, "Stopped.", "Stop")


def test_a_server_that_runs_no_programs_shows_them(visit):
    page = visit(SMALL, "2x2")

    def closed(route):
        route.fulfill(json=route.fetch().json() | {"programs": False})

    page.route("**/api", closed)
    reloaded(page)
    asp, _ = programs_shown(page)
    expect(page.get_by_text("This server does not run changed programs.")).to_be_visible()
    expect(asp.get_by_role("button", name="Run on this puzzle")).to_be_hidden()


def test_nothing_scrolls_sideways_on_a_phone(visit):
    page = visit(SMALL, "2x2", viewport={"width": 320, "height": 640})
    programs_shown(page)
    press(page, "Solve")
    verdict(page, "They agree: there is one solution.")
    fits(page)
