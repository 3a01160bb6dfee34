#!/usr/bin/env python3
"""Report which defects of SWI-Prolog, janus and clingo are still there: make host.

Each file beside this one whose name begins with swipl, janus or clingo is a reproduction of one
defect that our code works around. It prints `present` or `gone`. Its docstring says what is wrong,
and then where the workaround is. If a defect is gone in every version that we support, the
workaround can go, and the reproduction with it.

The exit code is 1 if a reproduction says neither, and 0 otherwise.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORDS = ("present", "gone")
SECONDS = 120


def reproductions() -> list[Path]:
    engines = ("clingo", "janus", "swipl")
    return sorted(each for name in engines for each in HERE.glob(f"{name}_*.py"))


def about(file: Path) -> tuple[str, str]:
    """What is wrong, and where the workaround is."""
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    wrong, _, where = text.partition("\n\nWorkaround: ")
    return " ".join(wrong.split()), " ".join(where.split())


def result(file: Path) -> str:
    """`present`, `gone`, or what the reproduction said instead."""
    try:
        done = subprocess.run(
            [sys.executable, file],
            env={**os.environ, **prolog()},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"unclear: it took over {SECONDS} seconds"
    lines = done.stdout.split("\n")[-2:-1]
    if done.returncode == 0 and lines and lines[0] in WORDS:
        return lines[0]
    return f"unclear: exit code {done.returncode}\n{done.stdout}{done.stderr}".rstrip()


def prolog() -> dict[str, str]:
    """The environment in which `import janus_swi` finds the Prolog inside the package, if any."""
    from pylogic_sudoku.engines.prolog.start import INSIDE, home

    inside = home()
    if inside is None:
        return {}
    path = os.pathsep.join([str(INSIDE), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {"PYTHONPATH": path, "SWI_HOME_DIR": str(inside)}


def main() -> int:
    files = reproductions()
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(result, files))
    for file, said in zip(files, results, strict=True):
        wrong, where = about(file)
        print(f"{said:8} {file.stem}: {wrong}")
        if said == "gone":
            print(f"         The workaround may go: {where}")
            if os.environ.get("GITHUB_ACTIONS"):
                print(f"::warning::{file.stem} is gone here; the workaround may go: {where}")
    counts = ", ".join(f"{results.count(word)} {word}" for word in WORDS)
    unclear = sum(said not in WORDS for said in results)
    print(f"{counts}, {unclear} unclear")
    return 1 if unclear else 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parents[1]))
    sys.exit(main())
