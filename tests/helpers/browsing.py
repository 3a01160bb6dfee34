"""The page as a person sees it in a browser, on screens of any size, and its accessibility."""

from __future__ import annotations

import re
from time import monotonic

from playwright.sync_api import expect

from helpers.processes import PATIENCE

SHIFTS = """new Promise(resolve => {
    let sum = 0;
    const add = each => sum += each.hadRecentInput ? 0 : each.value;
    new PerformanceObserver(list => list.getEntries().forEach(add))
        .observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => setTimeout(() => resolve(sum)));
})"""
"""The sum of all layout shifts that no input caused."""


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
    expect(page.locator(field)).to_have_value(value)


def counted(page, elements, number):
    expect(page.locator(elements)).to_have_count(number)


def role_cells(page, role):
    return page.locator(f".role-{role}.cell, .cell:has(.mark-{role})").count()


def fits(page):
    """Assert that nothing is wider than the window: nothing scrolls sideways."""
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window == page.viewport_size["width"]


def phone(width, height):
    """The settings of a context that is a phone."""
    return {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}


def reloaded(page):
    page.reload()
    page.wait_for_selector("main:not([aria-busy])")


def faults(page):
    """Faults of accessibility that axe finds, each with the first elements that have it."""
    from axe_playwright_python.sync_playwright import Axe

    rules = {"label-content-name-mismatch": {"enabled": True}}  # beyond its usual ones
    found = Axe().run(page, options={"rules": rules}).response["violations"]
    return [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found]
