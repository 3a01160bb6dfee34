"""A class that hands in programs for a problem, in two languages, with cheats among them.

    python -m benchmarks.classroom [-p PROBLEM] [-n STUDENTS] [-j JOBS] [--seed N] [--keep FOLDER]

A third of the class hands in right programs; three try to get the points without one; the others
hand in programs with a fault, those of `pair_faults`. ASP and Prolog take turns. The exercise is
the one that ``exercise new -p`` makes. The class is graded by one ``check``, with every report. The
exit code is 0 if the right programs pass, and no other one does.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from pylogic_sudoku.problem.folder import Problem

from .pair_faults import planted

COMMAND = [sys.executable, "-m", "pylogic_sudoku"]
REPORTS = {
    "gradescope": "gradescope-{}.json",
    "coderunner": "coderunner-{}.json",
    "junit": "class.xml",
    "csv": "class.csv",
    "html": "class.html",
    "json": "class.jsonl",
}
"""The formats of reports, and the names of their files; {} is that of a program."""
ENGINES = {"lp": "clingo", "pl": "prolog"}
TIMEOUT = 5
"""Seconds for an instance."""


def handed_in(
    problem: Problem, folder: Path, students: int, seed: int
) -> Iterator[tuple[str, str]]:
    """The names of files, and the programs in them."""
    endings = cycle(ENGINES)
    right = students // 3
    for number, ending in zip(range(right), endings, strict=False):
        text = problem.paths[ENGINES[ending]].read_text(encoding="utf-8")
        yield f"right{number:02}.{ending}", text
    faults = {
        ending: (each.text for each in planted([problem], [engine], seed) if not each.reason)
        for ending, engine in ENGINES.items()
    }
    for number, ending in zip(range(right, students - 3), endings, strict=False):
        yield f"wrong{number:02}.{ending}", next(faults[ending])
    yield from cheats(folder)


def cheats(folder: Path) -> Iterator[tuple[str, str]]:
    """Programs that want the points without an answer: they read ours, or write the reports."""
    yield "cheat_includes.lp", f"#include {json.dumps(str(folder / 'week/week.lp'))}.\n"
    yield "cheat_loads.pl", f":- consult('{folder / 'week/week.pl'}').\n"
    forged = json.dumps({"score": 100, "output": "SUCCESS"})
    files = [folder / "reports" / name.format("cheat_forges") for name in REPORTS.values()]
    writes = (f":- open('{file}', write, S), write(S, '{forged}'), close(S).\n" for file in files)
    yield "cheat_forges.pl", f"{''.join(writes)}answer([]).\n:- initialization(halt(0)).\n"


def check(folder: Path, jobs: int) -> bool:
    """Grade the class, and print what came out; True if the right programs pass, and no other."""
    reports = folder / "reports"
    written = (f"--report={kind}={reports / name}" for kind, name in REPORTS.items())
    command = ["check", "-e", folder / "class", "-i", folder / "week", "--jobs", jobs]
    limit = ("--timeout", TIMEOUT)
    start = perf_counter()
    done = subprocess.run(
        [*COMMAND, *map(str, (*command, *limit)), *written], capture_output=True, text=True
    )
    seconds = perf_counter() - start
    print(done.stdout + done.stderr)
    for kind, name in REPORTS.items():
        sizes = [each.stat().st_size for each in reports.glob(name.replace("{}", "*"))]
        print(f"report {kind}: {len(sizes)} files, {sum(sizes):,} bytes")
    lines = (reports / REPORTS["json"]).read_text(encoding="utf-8").splitlines()
    results = [json.loads(line) for line in lines]
    graded = [each for each in results if "instance" in each]
    failed = {each["program"] for each in graded if each["outcome"] != "success"}
    print(f"{seconds:.1f} s for the class")
    programs = {each["program"] for each in graded}
    return programs - failed == {each for each in programs if each.startswith("right")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-p", "--problem", default="queens")
    parser.add_argument("-n", "--students", type=int, default=30)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the exercise and the reports")
    asked = parser.parse_args()
    problem = Problem(asked.problem)
    with TemporaryDirectory() if asked.keep is None else nullcontext(asked.keep) as place:
        folder = Path(place).resolve()
        made = ["exercise", "new", str(folder / "week"), "-p", asked.problem]
        subprocess.run([*COMMAND, *made], check=True, stdout=subprocess.DEVNULL)
        (folder / "class").mkdir()
        (folder / "reports").mkdir()
        for name, text in handed_in(problem, folder, asked.students, asked.seed):
            (folder / "class" / name).write_text(text, encoding="utf-8")
        sys.exit(0 if check(folder, asked.jobs) else 1)


if __name__ == "__main__":
    main()
