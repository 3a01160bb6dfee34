"""What a person sees on the page in a browser."""

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


def until(page, true):
    """Wait, while the page goes on, until it becomes true."""
    end = monotonic() + PATIENCE
    while not true():
        assert monotonic() < end
        page.wait_for_timeout(10)


def described(page, name):
    page.get_by_role("gridcell", name=name, exact=True).wait_for()


def message(page, *texts):
    """Wait until the page says each of these texts somewhere."""
    for text in texts:
        page.get_by_role("status").filter(has_text=text).first.wait_for()


def sized(page, n):
    page.wait_for_selector(f"#board[aria-rowcount='{n}']")


def valued(page, field, value):
    from playwright.sync_api import expect

    expect(page.locator(field)).to_have_value(value)


def counted(page, elements, number):
    from playwright.sync_api import expect

    expect(page.locator(elements)).to_have_count(number)


def role_cells(page, role):
    return page.locator(f".role-{role}.cell, .cell:has(.mark-{role})").count()
