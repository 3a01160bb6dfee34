"""Planted mistakes, and the lines that the page and the grader name for them.

    python -m benchmarks.page_lines [--seed N] [--faults 14] [-v]

Each mistake is one change in one program of a bundled problem, as in `pair_faults`. The changed
program is graded on the problem's instances until one shows the mistake, and the page is asked
about the same program and instance by its API. The exit code is 1 if the lines are not the same.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from starlette.testclient import TestClient

# The page's processes import this file by its path, so the import is absolute.
from benchmarks.pair_faults import ENGINES, Fault, planted
from pylogic_sudoku.check import Diagnosis, explain
from pylogic_sudoku.page.app import make_app
from pylogic_sudoku.problem.folder import Problem, bundled

TIMEOUT = 20.0
"""Seconds for a question."""


class Named(NamedTuple):
    """The lines named for a mistake on an instance, the most likely first."""

    fault: Fault
    instance: str
    checked: list[int]
    page: list[int]

    def __str__(self) -> str:
        same = "same" if self.checked == self.page else "DIFFERENT"
        right = "right" if set(self.checked[:1]) & set(self.fault.lines) else "another line"
        lines = f"check {self.checked}, page {self.page}"
        return f"{same}, {right}: {self.fault} on {self.instance}: {lines}"


def _file(problem: Problem, instance: str) -> Path:
    return problem.folder / "instances" / f"{instance}.lp"


def graded(fault: Fault, problem: Problem, folder: Path) -> tuple[str, Diagnosis] | None:
    """The first instance that shows the mistake with a line, and the grader's diagnosis."""
    program = folder / fault.path.name
    program.write_text(fault.text, encoding="utf-8")
    for name in problem.instances:
        found = explain(program, _file(problem, name), problem=problem.name, timeout=TIMEOUT)
        if found.places:
            return name, found
        if found.kind == "stopped":
            return None
    return None


def named(client: Any, fault: Fault, problem: Problem, folder: Path) -> Named | None:
    """The lines for a mistake, by the grader and by the page; None if no instance shows any."""
    if (found := graded(fault, problem, folder)) is None:
        return None
    name, diagnosis = found
    engine = ENGINES[fault.path.suffix]
    body = {
        "problem": problem.name,
        "instance": _file(problem, name).read_text(encoding="utf-8"),
        "engine": engine,
        "texts": {engine: fault.text},
    }
    answer = client.post("/api/blame", json=body).json()
    places = (answer.get("diagnosis") or {}).get("places", [])
    if not places:  # the page shows the error of the program itself
        places = client.post("/api/solve", json=body | {"limit": 1}).json().get("messages", [])
    checked = (each.line for each in diagnosis.places if Path(each.file).name == fault.path.name)
    page = (each["line"] for each in places if each["line"])
    return Named(fault, name, list(dict.fromkeys(map(int, checked))), list(dict.fromkeys(page)))


def mistakes(client: Any, seed: int, most: int) -> Iterator[Named]:
    """Mistakes, up to `most` of either language."""
    problems = {each.name: each for each in bundled()}
    left = Counter(dict.fromkeys(ENGINES.values(), most))
    with TemporaryDirectory() as folder:
        for fault in planted(problems.values(), ENGINES.values(), seed):
            engine = ENGINES[fault.path.suffix]
            if left[engine] and (
                one := named(client, fault, problems[fault.problem], Path(folder))
            ):
                left[engine] -= 1
                yield one
            if not +left:
                return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=14, help="of each language")
    parser.add_argument("-v", action="store_true", help="print each mistake")
    asked = parser.parse_args()
    same: Counter[str] = Counter()
    number: Counter[str] = Counter()
    with TestClient(make_app(TIMEOUT, programs_of="everybody")) as client:
        for each in mistakes(client, asked.seed, asked.faults):
            engine = ENGINES[each.fault.path.suffix]
            number[engine] += 1
            same[engine] += each.checked == each.page
            if asked.v or each.checked != each.page:
                print(each, flush=True)
    for engine, count in number.items():
        print(f"{engine}: {count} mistakes, the same lines for {same[engine]}")
    sys.exit(number != same)


if __name__ == "__main__":
    main()
