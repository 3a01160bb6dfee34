"""The time for a class whose programs are edits of a planner, and that of judging beside running.

    python -m benchmarks.class_graded [-n STUDENTS] [-j JOBS] [--judged STUDENTS]

The exercise is ``couriers/``: steps on a grid, with 7 instances. A sixth of the class hands in the
program itself; the others hand in edits of it, and some of these are right. The command ``class``
grades them. Then each program is run and judged once more, in this process, for the times of each
instance. On a busy machine only the ratios mean something. The exit code is 0 if the program
itself passes, and no instance takes longer to judge than to run.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from pylogic_sudoku.check import Grader
from pylogic_sudoku.check.changes import changes
from pylogic_sudoku.check.verdict import judge
from pylogic_sudoku.problem.folder import Problem
from pylogic_sudoku.running.process import Limits

EXERCISE = Path(__file__).parent / "couriers"
TIMEOUT = 60
"""Seconds for an instance; a busy machine is slow."""


class Times(NamedTuple):
    """The seconds of all programs on an instance."""

    instance: str
    running: float = 0.0
    judging: float = 0.0
    answers: int = 0

    @property
    def ratio(self) -> float:
        """The time of judging as a part of that of running."""
        return self.judging / self.running if self.running else 0.0


def handed_in(students: int) -> Iterator[tuple[str, str]]:
    """The names of the students, and their programs; the edits are spread over the program."""
    text = (EXERCISE / "couriers.lp").read_text(encoding="utf-8")
    edits = sorted(changes(text, ".lp"), key=lambda each: (each.start, each.end, each.new))
    right = max(students // 6, 1)
    for number in range(right):
        yield f"right{number:02}", text
    for number in range(students - right):
        each = edits[number * len(edits) // (students - right)]
        yield f"edit{number:02}", text[: each.start] + each.new + text[each.end :]


def graded(folder: Path, jobs: int) -> tuple[float, dict[str, str]]:
    """The seconds of the command, and the outcome of each student."""
    marks = folder.parent / "marks.csv"
    command = [sys.executable, "-m", "pylogic_sudoku", "class", str(folder), "-p", str(EXERCISE)]
    command += ["--jobs", str(jobs), "--timeout", str(TIMEOUT), "--csv", str(marks)]
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = perf_counter() - start
    with marks.open(encoding="utf-8") as file:
        return seconds, {row["id"]: row["outcome"] for row in csv.DictReader(file)}


def times_of(programs: list[Path]) -> list[Times]:
    """The times of these programs on each instance."""
    grader = Grader(problem=Problem(EXERCISE), timeout=TIMEOUT)
    found = []
    for instance in grader.instances((), None):
        right = grader.reference(instance, None)
        times = Times(instance.name)
        for path in programs:
            program = grader.program(path, alone=False)
            limits = Limits(TIMEOUT, grader.memory)
            run = program.run(instance, right.question, grader.limit, limits, right.is_wrong)
            start = perf_counter()
            judge(instance.name, run, right)
            seconds = perf_counter() - start
            times = times._replace(
                running=times.running + run.seconds,
                judging=times.judging + seconds,
                answers=times.answers + len(run.answers),
            )
        found.append(times)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print the times; 1 if a right program fails, or judging takes longer than running."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-n", "--students", type=int, default=60)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--judged", type=int, help="programs whose times are taken; usually all")
    asked = parser.parse_args(arguments)
    with TemporaryDirectory() as place:
        folder = Path(place).resolve() / "class"
        for name, text in handed_in(asked.students):
            (folder / name).mkdir(parents=True)
            (folder / name / "couriers.lp").write_text(text, encoding="utf-8")
        seconds, outcomes = graded(folder, asked.jobs)
        programs = sorted(folder.glob("*/couriers.lp"), reverse=True)  # right ones first
        number = asked.judged or len(programs)
        rows = times_of(programs[:: max(len(programs) // number, 1)][:number])
    passed = [name for name, outcome in outcomes.items() if outcome == "success"]
    print(f"{len(outcomes)} programs, {len(passed)} right: {seconds:.1f} s for the class")
    print(f"{'instance':10} {'answers':>8} {'running':>8} {'judging':>8} {'ratio':>6}")
    for each in rows:
        print(
            f"{each.instance:10} {each.answers:8} {each.running:8.2f} {each.judging:8.2f}"
            f" {each.ratio:6.2f}"
        )
    is_slow = any(each.ratio > 1 for each in rows)
    lost = [name for name in outcomes if name.startswith("right") and name not in passed]
    return 1 if is_slow or lost else 0


if __name__ == "__main__":
    sys.exit(main())
