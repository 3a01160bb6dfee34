#!/usr/bin/env python3
"""Build wheels with SWI-Prolog inside, one for each Python that is named, into dist/.

    make wheel
    make wheel PYTHONS="python3.12 python3.13"

SWI-Prolog is built once, from the source that set-up uses. auditwheel finds out which Linux
systems a wheel runs on; wheels for older ones need an older system to build on, such as an image
of manylinux.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from machine import SetupError, StepFailed, last_output, run, say

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "build" / "wheel.log"
HOOK = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}


def build(python: str, out: Path) -> Path:
    """Return the new wheel for this Python."""
    new = ROOT / "build" / "new-wheel"
    shutil.rmtree(new, ignore_errors=True)
    run([python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", new, ROOT], LOG, **HOOK)
    (built,) = new.glob("*.whl")
    if sys.platform == "linux":
        repaired = new / "repaired"
        run([sys.executable, "-m", "auditwheel", "repair", "-w", repaired, built], LOG)
        (built,) = repaired.glob("*.whl")
    out.mkdir(exist_ok=True)
    return built.replace(out / built.name)


def main(pythons: list[str]) -> int:
    LOG.parent.mkdir(exist_ok=True)
    LOG.unlink(missing_ok=True)
    for python in pythons or [sys.executable]:
        say(f"Building a wheel for {python}; the first one takes 1 to 5 minutes")
        try:
            wheel = build(python, ROOT / "dist")
        except SetupError as error:
            if isinstance(error, StepFailed):
                say(f"\n{last_output(LOG)}\n")
            say(f"{error}\nThe full output is in {LOG.relative_to(ROOT)}")
            return 1
        say(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
