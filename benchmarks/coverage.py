"""The parts of programs that the instances of their problems notice, and the mutants they kill.

    python -m benchmarks.coverage [--mutants N] [--seed N] [--jobs N] [-v] [CHECKOUT ...]

The bundled problems are measured, or those in a CHECKOUT: a folder whose folders are problems, or
PATH@COMMIT:FOLDER as for `strangers`, and each program for clingo there is a problem of its own.
Programs of strangers that have no answer, too many, or come to no end are left out.

A row has the ASP statements that are noticed and those that there are, the clauses and goals of
Prolog, those of both that are noticed by time alone, and the mutants that are killed, of those that
are not equivalent. With -v, each part that is missed is printed, with the smallest instance that
notices it, and each mutant that survives.
"""

from __future__ import annotations

import argparse
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from pylogic_sudoku.coverage import Coverage, Mutants, suggest
from pylogic_sudoku.coverage.mutants import judged, sampled
from pylogic_sudoku.coverage.plan import covered, plan_of
from pylogic_sudoku.errors import LogicError
from pylogic_sudoku.problem.folder import Problem, bundled

from .strangers import ASP, as_problem, cases, checkout, extract

MUTANTS = 100
"""Mutants of a problem, in all of its programs."""
HEADINGS = ("problem", "programs", "statements", "goals", "late", "mutants", "equivalent", "s")


class Row(NamedTuple):
    """The figures of a problem."""

    name: str
    programs: int
    parts: Counter[tuple[str, bool]]
    """The parts by language, and whether they are noticed."""
    late: int
    killed: int
    survived: int
    equivalent: int
    seconds: float

    @property
    def cells(self) -> list[str]:
        """The texts of the row."""
        asp, prolog = (
            f"{self.parts[ending, True]}/{self.parts[ending, True] + self.parts[ending, False]}"
            for ending in (".lp", ".pl")
        )
        mutants = f"{self.killed}/{self.killed + self.survived}"
        numbers = (self.late, mutants, self.equivalent, f"{self.seconds:.0f}")
        return [self.name, str(self.programs), asp, prolog, *map(str, numbers)]


def row_of(coverage: Coverage, mutants: Mutants, seconds: float) -> Row:
    """The figures of a problem; a part in two programs counts once for each."""
    parts = Counter(
        (trial.edit.file.suffix, trial.is_noticed)
        for program in coverage.programs
        for trial in program.trials
    )
    return Row(
        coverage.problem.name,
        len(coverage.programs),
        parts,
        len(coverage.late),
        sum(len(each.killed) + len(each.late) for each in mutants.programs),
        len(mutants.survived),
        sum(len(each.equivalent) for each in mutants.programs),
        seconds,
    )


def measured(problem: Problem, number: int, seed: int, jobs: int, talk: bool) -> Row:
    """Measure a problem, and print what is missed if `talk`."""
    start = perf_counter()
    plan = plan_of(problem)
    with closing(plan.run(jobs)) as trials:
        found = list(trials)
    sample = sampled(plan, number, seed)
    with closing(sample.run(jobs)) as trials:
        mutants = judged(sample, list(trials), jobs=jobs)
    row = row_of(covered(plan, found), mutants, perf_counter() - start)
    if talk:
        missed = [each for each in found if each[1].verdict == "missed"]
        for each in suggest(plan, missed, jobs=jobs):
            print(f"{each.trial.edit.shown}\n    {each}")
        for each in mutants.survived:
            print(f"mutant: {each.trial.edit.shown}\n    {each}")
        for trial in (trial for one in mutants.programs for trial in one.unknown):
            print(f"unknown: {trial.edit.shown}")
        for each in (each for one in mutants.programs for each in one.undecided):
            print(f"unknown: {each.trial.edit.shown}\n    {each}")
        for pool in mutants.differences:
            print(pool.difference)
    return row


def problems(texts: Sequence[str], place: Path) -> Iterator[Problem]:
    """The problems that the arguments name, or the bundled ones without any."""
    if not texts:
        yield from bundled()
    for number, text in enumerate(texts):
        folder = Path(text).expanduser()
        if folder.is_dir():
            own = [folder, *sorted(each for each in folder.iterdir() if each.is_dir())]
            yield from (Problem(each) for each in own if (each / "instances").is_dir())
            continue
        extract(checkout(text), place / f"source_{number}")
        for case in cases(place / f"source_{number}", []):
            if case.program.suffix in ASP:
                problem = as_problem(case, place / f"problems_{number}")
                instances = problem.folder / "instances"
                instances.mkdir()
                name = case.instance or Path("own.lp")
                if case.instance:
                    shutil.copyfile(case.instance, instances / f"{name.stem}.lp")
                else:
                    (instances / name).write_text("", encoding="utf-8")
                yield Problem(problem.folder)


def print_row(cells: Sequence[str]) -> None:
    """Print a row of the table."""
    print("".join(f"{each:<16}" if not at else f"{each:>12}" for at, each in enumerate(cells)))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mutants", type=int, default=MUTANTS, help="of a problem")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-v", action="store_true", help="print what is missed")
    parser.add_argument("--only", action="append", metavar="NAME", help="this problem, not all")
    parser.add_argument("checkouts", nargs="*", metavar="CHECKOUT")
    asked = parser.parse_args()
    rows: list[Row] = []
    if not asked.v:
        print_row(HEADINGS)
    with TemporaryDirectory() as place:
        for problem in problems(asked.checkouts, Path(place)):
            if asked.only and problem.name not in asked.only:
                continue
            try:
                rows.append(measured(problem, asked.mutants, asked.seed, asked.jobs, asked.v))
            except LogicError as error:
                print(f"{problem.name}: left out: {str(error)[:80]}", flush=True)
                continue
            if not asked.v:
                print_row(rows[-1].cells)
    if asked.v:
        print_row(HEADINGS)
        for row in rows:
            print_row(row.cells)
    if rows:
        parts: Counter[tuple[str, bool]] = Counter()
        for row in rows:
            parts.update(row.parts)
        total = Row(
            "all",
            sum(row.programs for row in rows),
            parts,
            sum(row.late for row in rows),
            sum(row.killed for row in rows),
            sum(row.survived for row in rows),
            sum(row.equivalent for row in rows),
            sum(row.seconds for row in rows),
        )
        print_row(total.cells)


if __name__ == "__main__":
    main()
