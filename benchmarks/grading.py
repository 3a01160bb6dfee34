"""Seconds that a class takes to grade, at each level of the sandbox.

    python -m benchmarks.grading [-n STUDENTS] [-j JOBS] [-r ROUNDS] [OPTION...]

A class is as many right programs as there are students, every second one in Prolog, on the five
puzzles of ``exercise new``. Each OPTION is one of ``check`` to compare with the usual ones, such as
``--sandbox=off``. The ways take turns, and the fastest round of each counts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from pylogic_sudoku.check import Grader
from pylogic_sudoku.check.exercise import program_text

COMMAND = [sys.executable, "-m", "pylogic_sudoku"]


def main() -> None:
    """Grade the class in each way and print the seconds, whole and for each run."""
    asked = argparse.ArgumentParser()
    asked.add_argument("-n", "--students", type=int, default=30)
    asked.add_argument("-j", "--jobs", type=int, default=1)
    asked.add_argument("-r", "--rounds", type=int, default=3)
    known, options = asked.parse_known_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(
            [*COMMAND, "exercise", "new", folder / "week"], check=True, capture_output=True
        )
        programs = folder / "class"
        programs.mkdir()
        for number in range(known.students):
            language, ending = (("ASP", "lp"), ("Prolog", "pl"))[number % 2]
            text = program_text(language, (3, 3), Grader())
            (programs / f"student{number:03}.{ending}").write_text(text, encoding="utf-8")
        best = dict.fromkeys(["", *options], inf)
        for _ in range(known.rounds):
            for option in best:
                best[option] = min(best[option], _seconds(folder, known.jobs, option))
    runs = 5 * known.students
    for option, seconds in best.items():
        each = 1000 * seconds / runs
        print(f"{option or 'as usual':20} {seconds:7.2f} s, {each:6.1f} ms for each of {runs} runs")


def _seconds(folder: Path, jobs: int, option: str) -> float:
    """Return the seconds of one run of ``check``."""
    command = [*COMMAND, "check", "-e", folder / "class", "-i", folder / "week", "--jobs", jobs]
    start = perf_counter()
    subprocess.run(
        [*map(str, command), *filter(None, [option])],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return perf_counter() - start


if __name__ == "__main__":
    main()
