"""Screens of any size, and whether the page suits them and those who cannot see it."""

from __future__ import annotations


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
