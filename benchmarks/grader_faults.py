"""Count how often the grader names the line of a fault planted in a program for a problem.

    python -m benchmarks.grader_faults [--seed N] [--faults 50] [--engine ENGINE] [-v] [NAME ...]

The faults are those of `pair_faults`. Each changed program is graded like a submission, on the
instances of the problem's folder. A fault counts if the program runs and fails on some instance;
the line is right if it is that of the change, or of the statement or goal that the change is in. A
goal that is dropped has no line: any of its clause is right. If the program without it only has
extra answers, it is right as well to name no line, and to say in the words of the reference what
they break. Last, the right programs are graded: in these no line may be named.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from pylogic_sudoku.check import Verdict, grade
from pylogic_sudoku.problem.folder import Problem, bundled

from .pair_faults import ENGINES, Fault, planted, statements

TIMEOUT = 10.0
"""Seconds for an instance."""


def graded(program: Path, problem: Problem) -> list[Verdict]:
    """The verdicts on a program."""
    return list(grade(program, (), problem=problem, timeout=TIMEOUT, limit=500))


def lines(verdicts: list[Verdict]) -> list[int]:
    """The lines that are named, the most likely first: of the first verdict that names some.

    If none does, those of the errors with which the program cannot be loaded.
    """
    for verdict in verdicts:
        if verdict.diagnosis and verdict.diagnosis.places:
            return list(dict.fromkeys(place.line for place in verdict.diagnosis.places))
    errors = (each for verdict in verdicts for each in verdict.errors)
    return list(dict.fromkeys(each.line for each in errors if each.line))


def place_of(fault: Fault, named: list[int]) -> int | None:
    """The place of the fault's line among those named, from 0; None if it is not there."""
    right = clause_of(fault) if fault.kind == "dropped" else fault.lines
    return next((at for at, line in enumerate(named) if line in right), None)


def clause_of(fault: Fault) -> range:
    """The lines of the statement or clause that the fault is in."""
    text = fault.path.read_text(encoding="utf-8")
    for tokens in statements(fault.path):
        if tokens[0].start <= fault.start < tokens[-1].end:
            ends = (tokens[0].start, tokens[-1].start)
            first, last = (text.count("\n", 0, at) + 1 for at in ends)
            return range(first, last + 1)
    return fault.lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=50, help="faults that count, of each engine")
    parser.add_argument("--engine", action="append", choices=ENGINES.values())
    parser.add_argument("-v", action="store_true", help="print each verdict that fails")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the problems, else all")
    asked = parser.parse_args()
    problems = [each for each in bundled() if not asked.names or each.name in asked.names]
    by_name = {problem.name: problem for problem in problems}
    with TemporaryDirectory() as place:
        for engine in asked.engine or ENGINES.values():
            count: Counter[str] = Counter()
            for fault in planted(problems, [engine], asked.seed):
                if count["counted"] == asked.faults:
                    break
                judge(fault, by_name[fault.problem], Path(place), count, asked.v)
            print(
                f"{engine}: {count['counted']} faults; the line is named first in {count['first']},"
                f" anywhere in {count['anywhere']}; beside them {count['error']} programs that do"
                f" not run, and {count['equal']} that pass every instance"
            )
    for problem in problems:
        for name, path in problem.paths.items():
            if not name.startswith("clingcon"):
                found = lines(graded(path, problem))
                print(f"{problem.name}, {name}: {found}" if found else "", end="\n" * bool(found))


def judge(fault: Fault, problem: Problem, place: Path, count: Counter[str], talk: bool) -> None:
    """Grade a program with a fault, and count the outcome."""
    program = place / fault.path.name
    program.write_text(fault.text, encoding="utf-8")
    verdicts = graded(program, problem)
    failed = [each for each in verdicts if not each.passed]
    named = lines(verdicts)
    if not failed:
        kind = "equal"
    elif not named and all(each.way == "error" for each in failed):
        kind = "error"
    else:
        kind = "counted"
    at = place_of(fault, named) if kind == "counted" else None
    first = failed[0] if failed else None
    if fault.kind == "dropped" and first and first.way == "wrong" and not first.missing:
        at = 0 if first.rule and not named else at
    count[kind] += 1
    count["first"] += at == 0
    count["anywhere"] += at is not None
    if kind == "counted" and (talk or at != 0):
        assert first is not None
        print(f"{fault}\n  {first.way} on {first.instance}: lines {named}, not {[*fault.lines]}")
        print(f"  {first.rule} {first.diagnosis.summary if first.diagnosis else first.message}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
