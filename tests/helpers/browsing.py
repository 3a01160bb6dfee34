"""What a person sees and does on the page in a browser."""

from __future__ import annotations

import re
from time import monotonic

from helpers.processes import PATIENCE


def board(page):
    """Return the digits on the board as a line."""
    return page.evaluate(
        "[...document.querySelectorAll('.cell')].map(cell =>"
        " cell.querySelector('.pencil, .notes') ? '.' : cell.textContent || '.').join('')"
    )


def cell(page, name):
    row, column = map(int, re.findall(r"\d+", name))
    return page.locator("#board .row").nth(row - 1).locator(".cell").nth(column - 1)


PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text", text);
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
  document.body.dispatchEvent(event);
}"""


def paste(page, text):
    page.evaluate(PASTE, text)


def until(page, true):
    """Wait, while the page goes on, until it becomes true."""
    end = monotonic() + PATIENCE
    while not true():
        assert monotonic() < end
        page.wait_for_timeout(10)


def described(page, name):
    page.get_by_role("gridcell", name=name, exact=True).wait_for()


def drag(page, *names):
    """Press the mouse in a cell, and move it from one cell to the next."""
    for name in names:
        box = cell(page, name).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if name == names[0]:
            page.mouse.down()
    page.mouse.up()


def message(page, text):
    page.get_by_role("status").filter(has_text=text).first.wait_for()


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def sized(page, n):
    page.wait_for_selector(f"#board[aria-rowcount='{n}']")


def valued(page, field, value):
    from playwright.sync_api import expect

    expect(page.locator(field)).to_have_value(value)


def counted(page, elements, number):
    from playwright.sync_api import expect

    expect(page.locator(elements)).to_have_count(number)


def edited(line, **cells):
    """Return the line with other digits in cells of a 9x9 grid."""
    digits = list(line)
    for name, digit in cells.items():
        row, column = map(int, re.findall(r"\d+", name))
        digits[9 * (row - 1) + column - 1] = digit
    return "".join(digits)


def role_cells(page, role):
    return page.locator(f".role-{role}.cell, .cell:has(.mark-{role})").count()


def fits(page):
    """Nothing is wider than the window, so nothing scrolls sideways."""
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window


def phone(width, height):
    """The settings of a context that is a phone."""
    return {
        "viewport": {"width": width, "height": height},
        "has_touch": True,
        "is_mobile": True,
    }


def answered(page, says):
    """The engines of the page, clingo and SWI-Prolog at least, say this."""
    for engine in ("clingo", "SWI-Prolog"):
        engine_says(page, engine, says)


def engine_says(page, engine, *texts):
    from playwright.sync_api import expect

    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=engine))
    for text in texts:
        expect(row).to_contain_text(text)


def verdict(page, text):
    from playwright.sync_api import expect

    expect(page.locator("#verdict-text")).to_have_text(text)


def faults(page):
    """Faults of accessibility that axe finds, each with the first elements that have it."""
    from axe_playwright_python.sync_playwright import Axe

    rules = {"label-content-name-mismatch": {"enabled": True}}  # beyond its usual ones
    found = Axe().run(page, options={"rules": rules}).response["violations"]
    return [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found]


# --- the panel with the programs ---------------------------------------------------------


def programs_shown(page):
    """Open it; return the parts for clingo and for SWI-Prolog."""
    page.get_by_text("The programs that run on this puzzle").click()
    page.get_by_role("textbox", name="sudoku.lp").wait_for()
    names = (re.compile(f"for {engine}$") for engine in ("clingo", "SWI-Prolog"))
    return [page.get_by_role("region", name=name) for name in names]


def ran(part, text, button="Run on this puzzle"):
    """Press the button in the part, and wait for what the part says."""
    from playwright.sync_api import expect

    part.get_by_role("button", name=button).click()
    expect(part.get_by_role("status").filter(has_text=text)).to_be_visible()


# --- the list of steps -------------------------------------------------------------------


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
