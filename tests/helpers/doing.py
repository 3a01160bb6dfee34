"""The actions of a person on the page in a browser."""

from __future__ import annotations

import re

from helpers.browsing import cell

PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text", text);
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
  document.body.dispatchEvent(event);
}"""


def paste(page, text):
    page.evaluate(PASTE, text)


def drag(page, *names):
    """Press the mouse in a cell, and move it from one cell to the next."""
    for name in names:
        box = cell(page, name).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if name == names[0]:
            page.mouse.down()
    page.mouse.up()


def press(page, *names):
    """Click these buttons, one after the other."""
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()


def keys(page, *names):
    """Press these keys, one after the other."""
    for name in names:
        page.keyboard.press(name)


def typed(page, **digits):
    """Type a digit into each of these cells."""
    for name, digit in digits.items():
        cell(page, name).click()
        page.keyboard.type(str(digit))


def edited(line, **cells):
    """Return the line with other digits in cells of a 9x9 grid."""
    digits = list(line)
    for name, digit in cells.items():
        row, column = map(int, re.findall(r"\d+", name))
        digits[9 * (row - 1) + column - 1] = digit
    return "".join(digits)
