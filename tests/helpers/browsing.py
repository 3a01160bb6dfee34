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
