"""Watching both searches on the page, in a real headless Chromium."""

from __future__ import annotations

import re

import pytest
from helpers.browsing import cell, counted, fits, phone, until
from helpers.panels import choice, tab
from helpers.puzzles import SMALL
from playwright.sync_api import expect

import pylogic_sudoku as pls

pytestmark = pytest.mark.slow

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
BACKENDS = {"ASP": "clingo", "Prolog": "prolog:classic"}


@pytest.fixture(scope="module")
def events():
    return {side: list(pls.trace(HARD, backend)) for side, backend in BACKENDS.items()}


def opened(page):
    """The page, on which the searches can be watched."""
    tab(page, "Search")
    return page


def search(page, side):
    return page.locator("#trace").get_by_role("region", name=side)


def drive(page, name):
    return page.locator("#trace").get_by_role("button", name=name, exact=True)


def slider(page, side):
    return search(page, side).get_by_role("slider")


def digits(page, side):
    """The digits on the board of a side, as a line."""
    return page.evaluate(
        """svg => [...svg.querySelectorAll("rect")].map(rect => {
            const next = rect.nextElementSibling;
            return next.matches("text.given, text.found") ? next.textContent : ".";
        }).join("")""",
        search(page, side).locator("svg.searched").element_handle(),
    )


def held(puzzle, events):
    """The digits that hold after these events, from what they say of placements alone."""
    grid = pls.Grid.parse(puzzle)
    before = [grid]
    for event in events:
        if event.kind == "choice":
            before[event.level :] = [grid]
        elif event.kind == "back":
            grid = before[event.level + 1]
        for placed in event.placed:
            grid = grid.with_(placed)
    return f"{grid:line}"


def test_both_searches_are_stepped_through(visit, events):
    page = opened(visit(HARD))
    drive(page, "Step").click()
    for side, found in events.items():
        kinds = [event.kind for event in found]
        choices, conflicts = (kinds.count(kind) for kind in ("choice", "conflict"))
        said = f"{len(found)} events: {choices} choices and {conflicts} conflict"
        expect(search(page, side)).to_contain_text(said)
        expect(search(page, side).get_by_role("status")).to_have_text(re.compile(r"^1\. "))
        assert slider(page, side).get_attribute("max") == str(len(found))
        counted(page, f"#trace section[aria-label='{side}'] .tree li", len(found))
    drive(page, "Back").click()
    for side in events:
        expect(search(page, side).get_by_role("status")).to_have_text("Before the search.")
        assert digits(page, side) == HARD
        for at in (1, 7, len(events[side]) // 2, len(events[side])):
            slider(page, side).fill(str(at))
            assert digits(page, side) == held(HARD, events[side][:at])
            current = search(page, side).locator("[aria-current=step]")
            assert current.get_attribute("value") == str(at)
        expect(search(page, side).get_by_role("status")).to_contain_text("A solution.")
        assert digits(page, side) == f"{pls.solve(HARD):line}"


def test_every_event_is_told_in_words(visit, events):
    page = opened(visit(HARD))
    drive(page, "Step").click()
    for side, found in events.items():
        lines = search(page, side).locator(".tree li")
        expect(lines).to_have_count(len(found))
        for line, event in zip(lines.all_inner_texts(), found, strict=True):
            for row, column, digit in event.placed[:6]:
                assert f"r{row}c{column} = {digit}" in line
            if event.kind == "choice":
                for row, column, digit in event.excluded:
                    assert f"r{row}c{column} is not {digit}" in line
            starts = {"implied": "Follows", "conflict": "Conflict", "back": "Back to"}
            assert line.startswith(starts.get(event.kind, ""))


def test_the_keyboard_alone_plays(visit):
    page = opened(visit(SMALL, "2x2"))
    drive(page, "Play").focus()
    page.keyboard.press("Enter")
    for side in BACKENDS:
        expect(search(page, side).get_by_role("status")).to_contain_text("A solution.")
    expect(drive(page, "Play")).to_be_visible()  # it has stopped by itself
    slider(page, "Prolog").focus()
    page.keyboard.press("Home")
    expect(search(page, "Prolog").get_by_role("status")).to_have_text("Before the search.")
    page.keyboard.press("ArrowRight")
    expect(search(page, "Prolog").get_by_role("status")).to_contain_text("1. ")
    expect(slider(page, "Prolog")).to_have_attribute("aria-valuetext", re.compile("^1 of "))
    expect(search(page, "ASP").get_by_role("status")).to_contain_text("A solution.")


def test_playing_is_paused(visit):
    page = opened(visit(HARD))
    drive(page, "Play").click()
    until(page, lambda: int(slider(page, "ASP").input_value()) > 2)
    drive(page, "Pause").click()
    at = slider(page, "ASP").input_value()
    drive(page, "Step").click()
    expect(slider(page, "ASP")).to_have_value(str(int(at) + 1))


def test_another_program_has_another_search(visit):
    page = opened(visit(HARD))
    tab(page, "Programs")
    choice(page, "Prolog").select_option(label="different")
    tab(page, "Search")
    drive(page, "Step").click()
    expect(search(page, "Prolog")).to_contain_text("The first 2,000 of 3,702 events")
    tab(page, "Programs")
    choice(page, "Prolog").select_option(label="bits")
    tab(page, "Search")
    expect(search(page, "Prolog").locator(".tree li")).to_have_count(0)
    drive(page, "Step").click()
    said = "prolog:bits does not search by labeling/2"
    expect(search(page, "Prolog").get_by_role("status")).to_contain_text(said)
    expect(search(page, "ASP").get_by_role("status")).to_contain_text("2. ")
    tab(page, "Programs")
    cell(page, "r1c2").click()
    page.keyboard.press("1")  # what a person fills in does not change the puzzle
    tab(page, "Search")
    expect(search(page, "ASP").get_by_role("status")).to_contain_text("2. ")


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (820, 1180)])
def test_all_of_a_search_is_in_view_on_a_small_laptop_or_a_tablet(visit, width, height):
    page = visit(HARD, viewport={"width": width, "height": height})
    opened(page)
    drive(page, "Step").click()
    for side in BACKENDS:
        expect(search(page, side).get_by_role("status")).to_contain_text("1. ")
        for part in (".searched", ".tree", ".told", ".slider", ".count"):
            expect(search(page, side).locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator("#verdict")).to_be_in_viewport(ratio=1)
    expect(page.locator("#board")).to_be_hidden()
    tab(page, "Programs")
    expect(page.locator("#board")).to_be_in_viewport(ratio=1)


def test_on_a_phone(visit):
    page = visit(HARD, reduced_motion="reduce", **phone(390, 844))
    opened(page)
    drive(page, "Step").tap()
    expect(search(page, "Prolog").get_by_role("status")).to_contain_text("1. ")
    fits(page)
