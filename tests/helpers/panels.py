"""The parts of the page beside the board: the engines, the programs, the list of steps."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from helpers.browsing import board, message


def engine_says(page, engine, *texts):
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=engine))
    for text in texts:
        expect(row).to_contain_text(text)


def verdict(page, text):
    expect(page.locator("#verdict-text")).to_have_text(text)


def answered(page, says):
    """The engines of the page, clingo and SWI-Prolog at least, say this."""
    for engine in ("clingo", "SWI-Prolog"):
        engine_says(page, engine, says)


def programs_shown(page):
    """Open the panel; return its parts for clingo and for SWI-Prolog."""
    page.get_by_text("The programs that run on this puzzle").click()
    page.get_by_role("textbox", name="sudoku.lp").wait_for()
    names = (re.compile(f"for {engine}$") for engine in ("clingo", "SWI-Prolog"))
    return [page.get_by_role("region", name=name) for name in names]


def ran(part, text, button="Run on this puzzle"):
    """Press the button in the part, and wait for what the part says."""
    part.get_by_role("button", name=button).click()
    expect(part.get_by_role("status").filter(has_text=text)).to_be_visible()


def chosen(page):
    """The number of the step that is marked in the list, 0 if there is none."""
    lines = page.locator("#walk-list [aria-selected=true]")
    return int(lines.inner_text().split(".")[0]) if lines.count() else 0


def reached(page, way, number):
    """Whether the list marks this step of the way, and the board shows its position."""
    step = way[number - 1]
    page.locator(f"#step-{number}[aria-selected=true]").wait_for()
    message(page, step.text())
    technique = step.technique[0].upper() + step.technique[1:]
    page.get_by_role("heading", name=f"{technique}: {step.level}, weight {step.weight}").wait_for()
    assert board(page) == "".join(str(digit or ".") for digit in step.grid.digits)
    return chosen(page) == number


def walked(page, way, *keys):
    """Press each key, given with the number of the step that it leads to."""
    for each in keys:
        key, number = each.split()
        page.keyboard.press(key)
        assert reached(page, way, int(number)), each
