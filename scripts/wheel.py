#!/usr/bin/env python3
"""Build wheels with SWI-Prolog inside into dist/: one for any platform, one for each Python named.

    make wheel
    make wheel PYTHONS="python3.12 python3.13"

The wheel for any platform, py3-none-any, has SWI-Prolog as WebAssembly, for mini-racer; npm fetches
it. For the others SWI-Prolog is built once, from the source that set-up uses. auditwheel finds out
which Linux systems a wheel runs on; wheels for older ones need an older system to build on, such as
an image of manylinux.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import wasm
from machine import SetupError, StepFailed, last_output, run, say

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "build" / "wheel.log"
HOOK = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}


def build(python: str, out: Path, for_any: bool = False) -> Path:
    """Return the new wheel for this Python, or for any platform, which this Python builds."""
    new = ROOT / "build" / "new-wheel"
    shutil.rmtree(new, ignore_errors=True)
    settings = HOOK | ({"PYLOGIC_SUDOKU_INSIDE": "wasm"} if for_any else {})
    run([python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", new, ROOT], LOG, **settings)
    (built,) = new.glob("*.whl")
    if sys.platform == "linux" and not for_any:
        repaired = new / "repaired"
        run([sys.executable, "-m", "auditwheel", "repair", "-w", repaired, built], LOG)
        (built,) = repaired.glob("*.whl")
    out.mkdir(exist_ok=True)
    return built.replace(out / built.name)


def main(pythons: list[str]) -> int:
    LOG.parent.mkdir(exist_ok=True)
    LOG.unlink(missing_ok=True)
    for python in [None, *(pythons or [sys.executable])]:
        if python:
            say(f"Building a wheel for {python}; the first one takes 1 to 5 minutes")
        elif wasm.is_made() or shutil.which("npm"):
            say("Building a wheel for any platform")
        else:
            say("No wheel for any platform: npm is not here, which fetches WebAssembly")
            continue
        try:
            wheel = build(python or sys.executable, ROOT / "dist", for_any=not python)
        except SetupError as error:
            if isinstance(error, StepFailed):
                say(f"\n{last_output(LOG)}\n")
            say(f"{error}\nThe full output is in {LOG.relative_to(ROOT)}")
            return 1
        say(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
