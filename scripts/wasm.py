#!/usr/bin/env python3
"""Put SWI-Prolog as WebAssembly into the package, as pylogic_sudoku/_wasm/, from its npm package.

    make wasm

The version is that of the playground, in playground/package.json. `make wheel` builds a wheel with
it.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import playground
from machine import SetupError, StepFailed, alone_in, last_output, say

ROOT = Path(__file__).resolve().parent.parent
INTO = ROOT / "pylogic_sudoku" / "_wasm"
OURS = ROOT / "playground" / "answers" / "memory.js"
NOTICE = """\
This folder holds SWI-Prolog as WebAssembly, unchanged, from swipl-wasm {version} of npm, which is
under {licence}; memory.js is of pylogic-sudoku. Its terms are the first below, then those of its
parts. Of the libraries in swipl-web.data, clpr and clpq are under the GNU General Public License;
nothing of pylogic-sudoku loads them.
"""


def files() -> list[Path]:
    """Return the files of the npm package that Prolog needs."""
    folder, names = playground.ENGINES["swipl"]
    return [playground.PACKAGES / "node_modules" / folder / name for name in names]


def state() -> str:
    """Return what the folder is made from, as text."""
    return playground.wanted() + OURS.read_text(encoding="utf-8")


def is_made() -> bool:
    mark = INTO / "made-from.txt"
    return mark.is_file() and mark.read_text(encoding="utf-8") == state()


def fill() -> None:
    """Make the folder anew, unless it is complete."""
    if is_made():
        return
    playground.LOG.parent.mkdir(exist_ok=True)
    with alone_in(playground.PACKAGES.parent):
        playground.install()
    shutil.rmtree(INTO, ignore_errors=True)
    INTO.mkdir(parents=True)
    for file in (*files(), OURS):
        shutil.copy(file, INTO / file.name)
    (INTO / "NOTICES.txt").write_text(notices(), encoding="utf-8")
    (INTO / "made-from.txt").write_text(state(), encoding="utf-8")


def notices() -> str:
    """Return the terms of all that the folder holds."""
    package = playground.PACKAGES / "node_modules" / "swipl-wasm"
    about = json.loads((package / "package.json").read_text(encoding="utf-8"))
    (terms,) = list(package.glob("LICEN[CS]E*"))[:1]
    parts = [
        NOTICE.format(version=about["version"], licence=about["license"]),
        terms.read_text(encoding="utf-8"),
        (playground.SOURCE / "notices.txt").read_text(encoding="utf-8"),
    ]
    return f"\n{'-' * 80}\n\n".join(parts)


def main() -> int:
    playground.LOG.unlink(missing_ok=True)
    try:
        fill()
    except SetupError as error:
        if isinstance(error, StepFailed):
            say(f"\n{last_output(playground.LOG)}\n")
        say(str(error))
        return 1
    size = sum(file.stat().st_size for file in INTO.iterdir())
    say(f"{INTO.relative_to(ROOT)}: {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
