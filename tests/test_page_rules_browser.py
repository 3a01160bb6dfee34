"""Rules beyond plain sudoku on the page, in a real headless Chromium."""

from __future__ import annotations

import json
import re

import pytest
from helpers.browsing import (
    board,
    cell,
    counted,
    described,
    fits,
    message,
    phone,
    role_cells,
    valued,
)
from helpers.doing import drag, keys, paste, press, typed
from helpers.panels import TITLES, choice, hint, program, solve, verdict
from helpers.programs import resource
from helpers.ruled import KILLER, SMALL_KILLER, SOLUTION, THERMOMETER_SOLUTION, THERMOMETERS
from playwright.sync_api import expect

from pylogic_sudoku import Puzzle
from pylogic_sudoku.rules import KINDS

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
    """Change the puzzle, and choose this kind of rule if there is one."""
    press(page, "Puzzles", "Change this puzzle")
    if kind:
        page.locator(f"[data-kind={kind}]").click()


def search(page, name):
    """Type the name, as a person does, and press Enter."""
    page.locator("#rule-search").press_sequentially(name)
    page.keyboard.press("Enter")


def refused(page, text):
    page.get_by_role("alert").filter(has_text=text).wait_for()


def test_solve_a_pasted_killer(visit):
    page = visit()
    for form in ("fpuzzles-link", "json"):
        paste(page, KILLER.format(form))
        listed(page, len(KILLER.rules))
        assert rules(page)[0] == "killer cage (sum 16) at r1c1, r2c1 and r2c2"
        assert board(page) == "." * 81
        if form == "fpuzzles-link":
            press(page, "Undo")
            listed(page, 0)
    solve(page)
    verdict(page, "Both agree: there is one solution.")
    assert board(page) == SOLUTION
    press(page, "Fill in")
    message(page, "Solved: every row, column and box holds every digit once, and every rule holds.")


def test_a_full_grid_that_breaks_a_rule_is_not_solved(visit):
    page = visit(EMPTY, "2x2")
    pasted(page, Puzzle("213434121243432.", rules=THERMOMETERS.rules[:1]))
    press(page, "Puzzles", "Change this puzzle")
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
    press(page, "Puzzles", "Change this puzzle", f"Remove: {CAGE}")
    listed(page, 5)
    assert CAGE not in rules(page)
    press(page, "Undo")
    listed(page, 6)
    assert CAGE in rules(page)


def test_programs_show_the_lines_of_a_rule_and_why_another_one_is_in_view(visit):
    page = visit()
    teaches = program(page, "Prolog").locator(".teaches")
    expect(teaches).to_have_text(re.compile("^The rules are stated once"))
    pasted(page, KILLER)
    expect(teaches).to_have_text(
        re.compile(r"^prolog:classic cannot solve puzzles with rules\. This is sudoku\. ")
    )

    def shows(name, line):
        for side in TITLES:
            chosen = choice(page, side).locator("option:checked")
            expect(chosen).to_have_text(re.compile(f"sudoku / rules/{name}"))
            marked = program(page, side).locator(".lines > .new").first
            expect(marked).to_have_text(re.compile(line))
            expect(marked).to_be_in_viewport()

    shows("sums", r"^(kind|rule)\(killer_cage\b")
    for side in TITLES:
        choice(page, side).select_option(label="sudoku")
    page.locator("#rule-list button").first.click()
    shows("sums", r"^(kind|rule)\(killer_cage\b")


def test_every_kind_of_rule_has_its_lines_in_both_languages():
    for folder, start in (("encodings/rules/*.lp", "kind({})"), ("prolog/rules/*.pl", "rule({},")):
        pattern = resource(folder)
        lines = "".join(f"\n{path.read_text()}" for path in pattern.parent.glob(pattern.name))
        for kind in KINDS:
            assert f"\n{start.format(kind)}" in lines, kind


def test_a_link_with_an_unknown_rule_says_so(visit):
    page = visit(EMPTY, "2x2")
    pasted(page, SMALL_KILLER)
    page.goto(page.url.replace("killer_cage", "fogofwar"))
    message(page, "no rule 'fogofwar' here")


def test_draw_a_thermometer_and_solve(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page, "thermometer")
    for number, rule in enumerate(THERMOMETERS.rules, 1):
        drag(page, *map(str, rule.cells))
        valued(page, "#rule-fields input >> nth=0", " ".join(map(str, rule.cells)))
        press(page, "Add: thermometer")
        listed(page, number)
    assert rules(page) == [str(rule) for rule in THERMOMETERS.rules]
    message(page, f"Added: {THERMOMETERS.rules[-1]}.")
    press(page, "Play it")
    solve(page)
    verdict(page, "Both agree: there is one solution.")
    assert board(page) == THERMOMETER_SOLUTION


def test_a_drag_goes_back_along_a_line_but_not_in_a_cage(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page, "thermometer")
    way = ("r1c1", "r2c2", "r2c3", "r2c2")
    drag(page, *way)
    valued(page, "#rule-fields input >> nth=0", "r1c1 r2c2")
    page.locator("[data-kind=killer_cage]").click()
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
    press(page, "Add: killer cage")
    refused(page, "killer cage: sum is 'x'; expected a whole number")
    page.get_by_role("textbox", name="sum (optional)").fill("5")
    press(page, "Add: killer cage")
    listed(page, 1)
    assert page.locator("#rule-error").inner_text() == ""
    assert rules(page) == [CAGE]
    valued(page, "#rule-fields input >> nth=0", "")
    assert board(page) == EMPTY


def test_an_arrow_takes_two_selections(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page, "arrow")
    press(page, "Add: arrow")
    refused(page, "arrow: the field 'circle' is missing")
    cell(page, "r1c1").click()
    message(page, "circle: r1c1")
    drag(page, "r1c2", "r2c3", "r2c4")
    press(page, "Add: arrow")
    listed(page, 1)
    [found] = json.loads(page.evaluate("localStorage['pylogic-sudoku']"))[0][0].split("rules=")[1:]
    assert "circle" in found
    assert "arm r1c2, r2c3 and r2c4" in rules(page)[0]


def test_rules_for_the_whole_grid_are_found_by_their_names(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page)
    page.locator("#rule-names option[value*='anti-knight']").wait_for(state="attached")
    search(page, "anti-knight (whole grid)")
    listed(page, 1)
    search(page, "diagonal / (whole grid)")
    listed(page, 2)
    search(page, "disjoint groups (whole grid)")
    listed(page, 6)
    assert rules(page)[1] == "different (diagonal) at r1c4, r2c3, r3c2 and r4c1"
    search(page, "disjoint groups (whole grid)")  # once more removes nothing unless it is confirmed
    page.get_by_text("The puzzle has this already.").wait_for()
    listed(page, 6)
    press(page, "Remove disjoint groups")
    listed(page, 2)
    press(page, "Undo")
    listed(page, 6)
    search(page, "German whispers")
    page.get_by_role("button", name="Add: whispers").wait_for()
    search(page, "king")
    listed(page, 7)
    valued(page, "#rule-search", "")
    search(page, "X-sudoku")  # the name of a kind, X, is its beginning
    listed(page, 8)


def test_a_name_of_several_kinds_offers_them(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page)
    search(page, "kropki")
    page.locator("#rule-about").get_by_role("button", name="kropki, black dot").click()
    page.get_by_role("button", name="Add: ratio").wait_for()
    assert page.locator("#rule-search").evaluate("e => e === document.activeElement")
    search(page, "diagonal")
    offered = page.locator("#rule-about button")
    names = ["X-sudoku, both diagonals", "diagonal /", "diagonal \\"]
    assert offered.all_inner_texts() == [f"{name} (whole grid)" for name in names]
    offered.nth(1).click()
    listed(page, 1)
    search(page, "miracle")
    refused(page, "it is 'anti_knight', 'anti_king', and 'negative' with differences [1]")


def test_ranges_of_cells_and_rules_that_make_no_sense(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page, "killer_cage")
    cells = page.get_by_role("textbox", name="cells", exact=True)
    for text, total, complaint in (
        ("r1c1-r1c2", "99", "expected a sum of 3 to 7 for 2 cells"),
        ("r1c1-r1c5", "", "r1c5 is not a cell of a 4x4 grid"),
    ):
        cells.fill(text)
        page.get_by_role("textbox", name="sum (optional)").fill(total)
        press(page, "Add: killer cage")
        refused(page, complaint)
    cells.fill("r1c1 - r2c2")
    described(page, "row 2, column 1: empty, chosen")
    page.get_by_role("textbox", name="sum (optional)").fill("10")
    press(page, "Add: killer cage")
    listed(page, 1)
    assert rules(page) == ["killer cage (sum 10) at r1c1, r1c2, r2c1 and r2c2"]
    cells.fill("r1c1-r2c2")
    page.get_by_role("textbox", name="sum (optional)").fill("10")
    press(page, "Add: killer cage")
    refused(page, "The puzzle has this rule already.")


def test_the_usual_kinds_are_buttons(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page)
    usual = "Cage Thermometer Arrow Dots XV Palindrome Whispers Sandwich"
    assert page.locator("#rule-kinds button").all_inner_texts() == usual.split()
    assert page.locator("#rule-names option[value='pair table']").count() == 0  # it has parts


def test_rules_by_keyboard_only(visit):
    page = visit(EMPTY, "2x2")
    set_rules(page)
    page.locator("[data-kind=killer_cage]").focus()
    page.keyboard.press("Enter")
    cell(page, "r1c1").focus()
    keys(page, "Enter", "ArrowRight", "Enter", "ArrowDown", "Enter")
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


def test_hint_and_why_name_the_rule(visit):
    page = visit(EMPTY, "2x2")
    pasted(page, THERMOMETERS)
    cell(page, "r1c1").click()
    press(page, "Why?")
    message(page, "r1c1 is 2, because of")
    page.get_by_text("The whole reason").click()
    message(page, "thermometer at")
    assert role_cells(page, "target") == 1
    press(page, "Close")
    hint(page)
    message(page, "thermometer")
