"""Grade programs for five projects of a course by the instances and solutions that it publishes.

    python -m benchmarks.potsdam CHECKOUTS [-t SECONDS] [NAME ...]

CHECKOUTS is a folder with checkouts of the repositories potassco-asp-course/project-NAME, each
under the name NAME or project-NAME. Our program for each project is graded twice against the
recorded solutions: in a folder that has nothing but them, and in one with the program itself as
the reference. Then a fault is planted in it, and the first instance on which it fails is printed
with the lines that are named.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from pylogic_sudoku.check import Verdict, grade

HERE = Path(__file__).parent


class Project(NamedTuple):
    """The question of a project, and a fault to plant in our program for it."""

    outputs: str
    """The predicates of answers."""
    limit: int
    """The most answers that are asked for: its own test asks for one where it says so here."""
    right: str
    wrong: str
    """The text that stands in place of the right one."""


PROJECTS = {
    "binairo": Project("select/3", 1, "select(X,Y+1,V), select(X,Y+2,V)", "select(X,Y+1,V)"),
    "propositional": Project("for/3", 0, "is(I,(or;and)), is(I+1,neg)", "is(I+1,neg)"),
    "robots": Project("at/3 assign/3", 0, "at(Q,B,T), at(Q,A,T+1)", "at(Q,A,T+1)"),
    "seeknumbers": Project("path/4", 0, "mark(A,B), N > 0", "mark(A,B), N > 1"),
    "shifts": Project("shift/4", 0, r"(T-1) \ M + 1)", r"T \ M + 1)"),
}


def checkout(folder: Path, name: str) -> Path:
    """The folder ``asp`` of a project."""
    places = [folder / each / "asp" for each in (name, f"project-{name}")]
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise SystemExit(f"there is neither {places[0]} nor {places[1]}")
    return found


def problem(folder: Path, name: str, text: str) -> Path:
    """A folder for the problem; if there is a text, that of the program is its reference."""
    folder.mkdir()
    outputs = ", ".join(f'"{each}"' for each in PROJECTS[name].outputs.split())
    (folder / "problem.toml").write_text(f"output = [{outputs}]\n")
    if text:
        (folder / f"{name}.lp").write_text(text)
    return folder


def graded(text: str, name: str, asp: Path, reference: bool, timeout: float) -> Iterator[Verdict]:
    """The verdicts on a program, those of the smallest instances first."""
    with TemporaryDirectory() as place:
        own = (HERE / f"{name}.lp").read_text(encoding="utf-8")
        folder = problem(Path(place, "problem"), name, own if reference else "")
        program = Path(place, "submission.lp")
        program.write_text(text, encoding="utf-8")
        instances = sorted((asp / "instances").glob("*.lp"))
        limit = PROJECTS[name].limit
        settings = {"problem": folder, "timeout": timeout, "limit": limit}
        verdicts = grade(program, instances, asp / "solutions", **settings)
        with closing(verdicts):
            yield from verdicts


def report(name: str, asp: Path, timeout: float) -> bool:
    """Print how the right program does, and where the fault in it shows; True if all is well."""
    project = PROJECTS[name]
    text = (HERE / f"{name}.lp").read_text(encoding="utf-8")
    good = True
    for reference in (False, True):
        start = perf_counter()
        verdicts = list(graded(text, name, asp, reference, timeout))
        ways = Counter(str(each.outcome) for each in verdicts)
        said = ", ".join(f"{number} {outcome}" for outcome, number in ways.items())
        beside = "beside our program" if reference else "by recorded solutions"
        print(f"{name}: right, {beside}: {said}, {perf_counter() - start:.0f} s", flush=True)
        for each in verdicts:
            if not each.passed:
                print(f"  {each.instance}: {each.outcome} {each.message}")
        good &= set(ways) <= {"success", "timeout"}
    assert text.count(project.right) == 1, name
    line = text.count("\n", 0, text.index(project.right)) + 1
    wrong = text.replace(project.right, project.wrong)
    verdict = next(each for each in graded(wrong, name, asp, True, timeout) if not each.passed)
    found = verdict.diagnosis
    named = [place.line for place in found.places] if found else []
    print(
        f"{name}: a fault in line {line} fails on {verdict.instance} ({verdict.way}), lines {named}"
    )
    print(
        f"  {' '.join(filter(None, [verdict.rule, found.summary if found else verdict.message]))}"
    )
    return good and named[:1] == [line]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("-t", "--timeout", type=float, default=180, help="seconds for an instance")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the projects, else all")
    asked = parser.parse_args()
    names = asked.names or list(PROJECTS)
    well = [report(name, checkout(asked.checkouts, name), asked.timeout) for name in names]
    sys.exit(0 if all(well) else 1)


if __name__ == "__main__":
    main()
