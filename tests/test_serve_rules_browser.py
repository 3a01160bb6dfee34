"""Rules beyond plain sudoku on the page, in a real headless Chromium."""

from __future__ import annotations

import json
import re

import pytest
from helpers.browsing import board, cell, counted, described, message, role_cells, sized, valued
from helpers.doing import drag, keys, paste, press, typed
from helpers.ruled import KILLER, SMALL_KILLER, SOLUTION, THERMOMETER_SOLUTION, THERMOMETERS
from helpers.screens import fits, phone, reloaded

from pylogic_sudoku import Puzzle

pytestmark = pytest.mark.slow


EMPTY = "." * 16
CAGE = "killer cage (sum 5) at r1c1 and r1c2"


def rules(page):
    """The rules in the list, in words."""
    return page.locator("#rule-list li > button:first-child").all_inner_texts()


def listed(page, number):
    counted(page, "#rule-list li", number)


def pasted(page, puzzle):
    paste(page, puzzle.format("json"))
    listed(page, len(puzzle.rules))


def set_rules(page, kind=""):
    """Open the form for rules, of this kind if there is one."""
    press(page, "Set the puzzle")
    page.get_by_text("Add rules").click()
    if kind:
        page.select_option("#rule-kind", kind)


def refused(page, text):
    page.get_by_role("alert").filter(has_text=text).wait_for()


@pytest.mark.parametrize("form", ["fpuzzles-link", "json"])
def test_solve_a_pasted_killer(visit, form):
    page = visit()
    paste(page, KILLER.format(form))
    listed(page, len(KILLER.rules))
    assert rules(page)[0] == "killer cage (sum 16) at r1c1, r2c1 and r2c2"
    assert board(page) == "." * 81
    press(page, "Solve")
    message(page, "The only solution.", "They agree: there is one solution.")
    assert board(page) == SOLUTION
    press(page, "Fill in")
    message(page, "Solved: every row, column and box holds every digit once, and every rule holds.")


def test_a_full_grid_that_breaks_a_rule_is_not_solved(visit):
    page = visit(EMPTY, "2x2")
    pasted(page, Puzzle("213434121243432.", rules=THERMOMETERS.rules[:1]))
    press(page, "Set the puzzle")
    typed(page, r1c1=1, r1c2=1)
    message(page, "Broken: thermometer at r1c2 and r1c1.")
    assert page.locator("#rule-list .broken").inner_text() == "broken"
    page.keyboard.type("2")
    message(page, "Broken: thermometer at r1c2 and r1c1.")
    assert page.locator("[aria-invalid=true]").count() >= 2
    press(page, "Undo", "Undo", "Undo")
    page.locator("#rule-list .broken").wait_for(state="detached")


def test_a_rule_of_the_list_marks_its_cells_and_can_be_removed(visit):
    page = visit(EMPTY, "2x2")
    pasted(page, SMALL_KILLER)
    rule = page.get_by_role("button", name=CAGE, exact=True)
    rule.click()
    assert rule.get_attribute("aria-pressed") == "true"
    assert role_cells(page, "house") == 2
    described(page, "row 1, column 1: empty, in the rule")
    rule.click()
    assert role_cells(page, "house") == 0
    assert page.get_by_role("button", name="Remove", exact=False).count() == 0
    press(page, "Set the puzzle", f"Remove: {CAGE}")
    listed(page, 5)
    assert CAGE not in rules(page)
    press(page, "Undo")
    listed(page, 6)
    assert CAGE in rules(page)


def test_links_and_reloads_keep_rules(visit):
    page = visit(EMPTY, "2x2")
    pasted(page, SMALL_KILLER)
    typed(page, r1c1=4)
    reloaded(page)
    listed(page, 6)
    assert board(page)[0] == "4"
    press(page, "Share")
    valued(page, "#write-format", "json")
    valued(page, "#written", re.compile("killer_cage"))
    assert Puzzle.parse(page.locator("#written").input_value()) == SMALL_KILLER
    link = page.locator("#link").input_value()
    other = visit()
    other.goto(link)
    sized(other, 4)
    listed(other, 6)
    assert rules(other)[0] == CAGE
    other.goto(link.replace("killer_cage", "fogofwar"))
    message(other, "no rule 'fogofwar' here")


def test_draw_a_thermometer_and_solve(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page, "thermometer")
    for number, rule in enumerate(THERMOMETERS.rules, 1):
        drag(page, *map(str, rule.cells))
        valued(page, "#rule-fields input >> nth=0", " ".join(map(str, rule.cells)))
        press(page, "Add the rule")
        listed(page, number)
    assert rules(page) == [str(rule) for rule in THERMOMETERS.rules]
    message(page, f"Added: {THERMOMETERS.rules[-1]}.")
    press(page, "Play", "Solve")
    message(page, "The only solution.")
    assert board(page) == THERMOMETER_SOLUTION


def test_a_drag_goes_back_along_a_line_but_not_in_a_cage(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page, "thermometer")
    way = ("r1c1", "r2c2", "r2c3", "r2c2")
    drag(page, *way)
    valued(page, "#rule-fields input >> nth=0", "r1c1 r2c2")
    page.select_option("#rule-kind", "killer_cage")
    drag(page, *way)
    valued(page, "#rule-fields input >> nth=0", "r1c1 r2c2 r2c3")
    page.keyboard.down("Control")
    drag(page, "r4c4", "r4c3")
    page.keyboard.up("Control")
    valued(page, "#rule-fields input >> nth=0", "r1c1 r2c2 r2c3 r4c4 r4c3")


def test_a_cage_with_its_sum_from_mouse_to_enter(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page, "killer_cage")
    drag(page, "r1c1", "r1c2")
    page.keyboard.type("9999999999")
    page.keyboard.press("Enter")
    refused(page, "killer cage: sum: 9999999999 is too large a number for a rule")
    assert rules(page) == []
    page.get_by_role("textbox", name="sum (optional)").fill("x")
    press(page, "Add the rule")
    refused(page, "killer cage: sum is 'x'; expected a whole number")
    page.get_by_role("textbox", name="sum (optional)").fill("5")
    press(page, "Add the rule")
    listed(page, 1)
    assert page.locator("#rule-error").inner_text() == ""
    assert rules(page) == [CAGE]
    valued(page, "#rule-fields input >> nth=0", "")
    assert board(page) == EMPTY


def test_an_arrow_takes_two_selections(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page, "arrow")
    press(page, "Add the rule")
    refused(page, "arrow: the field 'circle' is missing")
    cell(page, "r1c1").click()
    message(page, "circle: r1c1; now arm")
    drag(page, "r1c2", "r2c3", "r2c4")
    press(page, "Add the rule")
    listed(page, 1)
    [found] = json.loads(page.evaluate("localStorage['pylogic-sudoku']"))[0].split("rules=")[1:]
    assert "circle" in found
    assert "arm r1c2, r2c3 and r2c4" in rules(page)[0]


def test_rules_for_the_whole_grid_have_a_tick(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page)
    page.get_by_role("checkbox", name="anti-knight").check()
    listed(page, 1)
    page.get_by_role("checkbox", name="diagonal /").check()
    listed(page, 2)
    page.get_by_role("checkbox", name="disjoint groups").check()
    listed(page, 6)
    assert rules(page)[1] == "different (diagonal) at r1c4, r2c3, r3c2 and r4c1"
    page.get_by_role("checkbox", name="disjoint groups").uncheck()
    listed(page, 2)
    press(page, "Undo")
    listed(page, 6)
    assert page.get_by_role("checkbox", name="disjoint groups").is_checked()
    page.get_by_role("checkbox", name="anti-knight").uncheck()
    listed(page, 5)
    press(page, "New", "9x9")
    page.get_by_role("checkbox", name="windoku").check()
    listed(page, 4)


def test_rules_by_keyboard_only(visit):
    page = visit(EMPTY, "2x2")
    page.get_by_role("button", name="Set the puzzle").focus()
    keys(page, "Enter", "Tab")
    page.keyboard.press("Enter")  # opens the form
    page.locator("#rule-kind").focus()
    page.keyboard.type("killer")
    cell(page, "r1c1").focus()
    keys(page, "Shift+ArrowRight", "Shift+ArrowDown")
    message(page, "cells: r1c1, r1c2, r2c2")
    described(page, "row 2, column 2: empty, chosen")
    keys(page, "ArrowRight", "Enter")
    message(page, "cells: r1c1, r1c2, r2c2, r2c3")
    page.keyboard.press("Enter")
    message(page, "cells: r1c1, r1c2, r2c2")
    page.get_by_role("textbox", name="sum (optional)").focus()
    keys(page, "7", "Enter")
    listed(page, 1)
    assert rules(page) == ["killer cage (sum 7) at r1c1, r1c2 and r2c2"]
    page.get_by_role("button", name="Remove").focus()
    page.keyboard.press("Enter")
    page.locator("#rules").wait_for(state="hidden")


def test_touch_draws_a_line_at_phone_width(visit):
    page = visit(EMPTY, "2x2", **phone(320, 700))
    set_rules(page, "thermometer")
    assert page.locator("#board").evaluate("e => getComputedStyle(e).touchAction") == "none"
    fits(page)
    client = page.context.new_cdp_session(page)

    def touch(kind, *names):
        points = []
        for name in names:
            box = cell(page, name).bounding_box()
            points.append({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2})
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    cell(page, "r1c1").scroll_into_view_if_needed()
    touch("touchStart", "r1c1")
    touch("touchMove", "r2c2")
    touch("touchMove", "r2c4")
    touch("touchEnd")
    valued(page, "#rule-fields input >> nth=0", "r1c1 r2c2 r2c3 r2c4")


def test_kinds_with_parts_are_left_to_json(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page)
    page.get_by_text(re.compile("For .*pair table.*: paste the puzzle as JSON.")).wait_for()
    assert page.locator("#rule-kind option[value=pair_table]").count() == 0
    assert page.locator("#rule-kind option[value=killer_cage]").count() == 1


def test_the_drawing_is_behind_the_digits(visit):
    page = visit(EMPTY, "2x2")
    pasted(page, Puzzle("1" + "." * 15, rules=SMALL_KILLER.rules))
    counted(page, "svg.drawing [data-rule]", 6)
    order = page.evaluate(
        "() => [...document.querySelectorAll('.digit, svg.drawing')]"
        ".map(e => [getComputedStyle(e).zIndex, getComputedStyle(e).position])"
    )
    assert ["1", "relative"] in order
    assert ["auto", "absolute"] in order
    assert page.locator("svg.drawing:not(.links)").get_attribute("aria-hidden") == "true"


def test_hint_why_and_why_not_name_the_rule(visit):
    page = visit(EMPTY, "2x2")
    pasted(page, THERMOMETERS)
    cell(page, "r1c1").click()
    press(page, "Why?")
    message(page, "r1c1 is 2, because:", "thermometer at")
    assert role_cells(page, "target") == 1
    press(page, "Close", "Hint")
    page.get_by_role("list", name="Legend").get_by_role("listitem").first.wait_for()
    message(page, "thermometer")
    press(page, "Close", "Why not …?")
    page.locator("#pad").get_by_role("button", name="4", exact=True).click()
    message(page, "r1c1 cannot be 4 whichever givens go")
