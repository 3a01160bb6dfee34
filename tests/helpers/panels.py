"""The parts of the page beside the board: both programs, what they answer, the list of steps."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from helpers.browsing import board, message
from helpers.doing import press

TITLES = {"ASP": "ASP, clingo", "Prolog": "Prolog, clpfd"}


def said(page, side):
    """The answer of a side, "ASP" or "Prolog", with its buttons."""
    return page.get_by_role("group", name=f"Answer of {side}")


def engine_says(page, side, *texts):
    for text in texts:
        expect(said(page, side)).to_contain_text(text)


def answered(page, says):
    """Both sides say this."""
    for side in TITLES:
        engine_says(page, side, says)


def verdict(page, text):
    expect(page.locator("#verdict-text")).to_have_text(text)


def tab(page, name):
    """Show this part beside the board, or on a phone below it."""
    page.locator("#tabs").get_by_role("button", name=name, exact=True).click()


def solve(page):
    press(page, "Solve with both")


def hint(page):
    """Ask for a hint, for its cells, and for the digit or the step."""
    press(page, "Hint")
    for more in (r"Show the cells?", r"Show the (digit|step)"):
        page.locator("#actions").get_by_role("button", name=re.compile(more)).click()
    page.get_by_role("button", name="Do it").wait_for()


def program(page, side):
    """The part with the program of a side."""
    return page.get_by_role("region", name=TITLES[side])


def editor(page, side):
    return program(page, side).get_by_role("textbox")


def choice(page, side):
    """The choice of the program of a side."""
    return program(page, side).get_by_role("combobox")


def edit(page, side, old, new):
    """Change the program in view."""
    before = editor(page, side).input_value()
    assert old in before
    editor(page, side).fill(before.replace(old, new))


def shown(page, side, name):
    """Press one of the buttons of what a side says."""
    said(page, side).get_by_role("button", name=name).click()


def chosen(page):
    """The number of the step that is marked in the list, 0 if there is none."""
    lines = page.locator("#walk-list [aria-selected=true]")
    return int(lines.inner_text().split(".")[0]) if lines.count() else 0


def reached(page, way, number):
    """True if the list marks this step of the way, and the board shows its position."""
    step = way[number - 1]
    page.locator(f"#step-{number}[aria-selected=true]").wait_for()
    message(page, step.text())
    technique = step.technique[0].upper() + step.technique[1:]
    page.get_by_role("heading", name=f"{technique}: {step.level}", exact=True).wait_for()
    assert board(page) == "".join(str(digit or ".") for digit in step.grid.digits)
    return chosen(page) == number


def walked(page, way, *keys):
    """Press each key, given with the number of the step that it leads to."""
    for each in keys:
        key, number = each.split()
        page.keyboard.press(key)
        assert reached(page, way, int(number)), each
