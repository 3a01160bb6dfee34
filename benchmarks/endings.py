"""Count programs that never end although they stop reading from processes at work.

    python -m benchmarks.endings
    python -m benchmarks.endings --runs 20 solve_many fork

Each program begins to read answers from two processes and then ends, in one of several ways. It
hangs if it is still there after a minute. All run in three environments: this one, an empty one,
and this one beside a busy process for each processor.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 60
HEAD = """\
import os, signal, sys, threading
from itertools import repeat
import pylogic_sudoku as pls
PUZZLE = "4......3...13..."
"""
PROGRAMS = {
    "solve_many": "answers = pls.solve_many(repeat(PUZZLE), jobs=2); next(answers)",
    "cross_check": "answers = iter(pls.cross_check(repeat(PUZZLE), jobs=2)); next(answers)",
    "generate": "made = iter(pls.generate(1000, box=(2, 2), jobs=2)); next(made)",
    "thread": """\
begun = threading.Event()
def ask():
    for _ in pls.solve_many(repeat(PUZZLE), jobs=2):
        begun.set()
threading.Thread(target=ask, daemon=True).start()
begun.wait()""",
    "fork": """\
answers = pls.solve_many(repeat(PUZZLE), jobs=2)
next(answers)
child = os.fork()
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
next(answers)""",
    "interrupt": """\
threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
try:
    for _ in pls.solve_many(repeat(PUZZLE), jobs=2):
        pass
except KeyboardInterrupt:
    pass""",
}


@contextmanager
def busy() -> Iterator[None]:
    """Run a busy process for each processor."""
    command = [sys.executable, "-c", "while True: pass"]
    loops = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for each in loops:
            each.kill()
            each.wait()


def ends(code: str, environ: dict[str, str]) -> bool:
    """True if the program ends in time, with exit code 0 and nothing to say."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", HEAD + code], env=environ, capture_output=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return False
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("programs", nargs="*", help=f"some of {', '.join(PROGRAMS)}")
    parser.add_argument("--runs", type=int, default=200)
    chosen = parser.parse_args()
    bad = 0

    def count(where: str, environ: dict[str, str]) -> None:
        nonlocal bad
        for name in chosen.programs or PROGRAMS:
            failed = sum(not ends(PROGRAMS[name], environ) for _ in range(chosen.runs))
            print(f"{name:12} {where:22} {failed} of {chosen.runs}", flush=True)
            bad += failed

    here = {**os.environ, "PYTHONWARNINGS": "ignore"}  # of a fork with threads
    count("this environment", here)
    count("an empty environment", {"PYTHONWARNINGS": "ignore"})
    with busy():
        count("beside busy processes", here)
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
