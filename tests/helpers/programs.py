"""Programs of the system that some tests need, and that no package of Python's brings."""

from __future__ import annotations

import os
import shutil

import pytest

PROGRAMS = {
    "dot": ("dot",),
    "chromium": ("chromium", "chromium-browser", "google-chrome", "chrome"),
}
CURES = {
    "dot": "Graphviz is missing: apt install graphviz, or brew install graphviz",
    "chromium": "Chromium is missing: apt install chromium, or brew install chromium",
}


def needed(name: str) -> str:
    """Its path. Without it a test is skipped, with the cure; where CI is set, it fails."""
    found = next(filter(None, map(shutil.which, PROGRAMS[name])), None)
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(CURES[name])
    return found
