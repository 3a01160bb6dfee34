"""Programs that tests run: those of this checkout, and those of the system."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

import pylogic_sudoku as pls
from helpers.processes import ended
from pylogic_sudoku.draw import require
from pylogic_sudoku.running import wasm
from pylogic_sudoku.running.prolog import swipl
from pylogic_sudoku.running.sandbox import sandbox

WASM = ["prolog-wasm"] if wasm.is_installed() else []
"""Another engine of sudokus and instances, where `make wasm` has been run."""
PROGRAMS = {
    "dot": ("dot",),
    "git": ("git",),
    "chromium": ("chromium", "chromium-browser", "google-chrome", "chrome"),
}
CURES = {
    "dot": "Graphviz is missing: apt install graphviz, or brew install graphviz",
    "git": "git is missing: apt install git, or brew install git",
    "chromium": "Chromium is missing: apt install chromium, or brew install chromium",
}


def resource(name: str) -> Path:
    """Return the path of ``prolog/...`` or ``encodings/...`` in this checkout."""
    return Path(__file__).resolve().parents[2] / name


def needed(name: str) -> str:
    """Return the path of a program of the system; without it skip the test, or fail in CI."""
    found = next(filter(None, map(shutil.which, PROGRAMS[name])), None)
    if found is None:
        missing(CURES[name])
    return found


def missing(cure: str) -> NoReturn:
    """Skip the test, with what would let it run; fail it in CI, where nothing may be missing."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(cure)


NO_SANDBOX = "no sandbox"
"""The value of CI where the system refuses every sandbox, and nothing else may be missing."""


def need_sandbox() -> None:
    """Skip a test of what a sandbox forbids if this system has none, or fail it as `missing`."""
    if (best := sandbox()).level == "plain":
        no_sandbox(best.missing)


def no_sandbox(why: str) -> NoReturn:
    if os.environ.get("CI") == NO_SANDBOX:
        pytest.skip(f"no sandbox: {why}")
    missing(f"no sandbox: {why}")


def without_warning(text: str) -> str:
    """Return what a command printed except the line that says that there is no sandbox."""
    return re.sub(r"(?m)^No sandbox: .*\n", "", text)


def need_library_for(suffix: str) -> None:
    """As `needed`, for pictures with this suffix, some of which the system's cairo draws."""
    try:
        require(suffix.lower())
    except pls.BackendUnavailable as error:
        missing(str(error))


def clingo(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run clingo alone, with files and options."""
    return ended(sys.executable, "-m", "clingo", *arguments, input=stdin)


def prolog(*arguments: object, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run swipl alone; the settings are those of `subprocess.run`."""
    return ended(swipl(), "-t", "halt", *arguments, **settings)
