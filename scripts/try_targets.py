#!/usr/bin/env python3
"""Run every target of the Makefile once, in a clean clone and with a bare environment.

    python3 scripts/try_targets.py
    python3 scripts/try_targets.py demo wheel

The clone is that of the last commit, in a temporary folder whose name has a space. The environment
is HOME, where caches and the settings of registries are, and a PATH with the programs of the
system. The Python that runs this is the one that set-up gets. Without arguments, all targets run
except those that run the tests, which have a run of their own; `clean` is the last.

Each line says how long a target took. A target fails if its exit code says so, or if it leaves a
changed file, or one that git does not ignore. The whole output is in build/targets/.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from machine import StepFailed, last_output, output_of, run, say

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "targets"
TESTS = {"test", "test-all", "pytest"}
# Enough to see that it runs; so short a race shows nothing else, and its promises are not checked.
# The puzzles of the race lie beside the checkout.
SETTINGS = [
    *("PUZZLES=5", "RACE=--rounds 1 -t 1"),
    f"CORPORA={ROOT.parent / 'shared' / 'corpora'}",
]


def targets(makefile: str) -> list[str]:
    """Return the targets to try, in order: what the README begins with, then all others."""
    (names,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    tried = [name for name in names.split() if name not in TESTS]
    return sorted(tried, key=lambda name: (name == "clean", name != "demo"))


def bare() -> list[str]:
    """Return the environment, as arguments of `env`."""
    path = os.defpath
    for tool in ("make", "cc", "npm", "dot"):
        found = shutil.which(tool)
        if found and not shutil.which(tool, path=path):
            path += os.pathsep + str(Path(found).parent)
    return [f"HOME={Path.home()}", f"PATH={path}"]


def attempt(target: str, clone: Path, log: Path) -> None:
    """Make this target; StepFailed says what went wrong."""
    settings = [f"PYTHON={os.path.realpath(sys.executable)}", *SETTINGS]
    run(["env", "-i", *bare(), "make", "-C", clone, target, *settings], log)
    left = output_of(["git", "-C", clone, "status", "--porcelain"])
    if left:
        raise StepFailed(f"It leaves files:\n{left.rstrip()}")


def main(chosen: list[str]) -> int:
    failed = False
    shutil.rmtree(LOGS, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="clean clone ") as folder:
        clone = Path(folder) / "pylogic_sudoku"
        run(["git", "clone", "--quiet", ROOT, clone], LOGS / "clone.log")
        for target in chosen or targets((clone / "Makefile").read_text(encoding="utf-8")):
            begin = time.monotonic()
            log = LOGS / f"{target}.log"
            try:
                attempt(target, clone, log)
                problem = ""
            except StepFailed as error:
                problem = f"\n{last_output(log)}\n{error}"
            word = "FAILED" if problem else "ok"
            say(f"{target:12} {word:6} {time.monotonic() - begin:4.0f} s{problem}")
            failed = failed or bool(problem)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
