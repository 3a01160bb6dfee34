"""How often the grader names the wrong line of a Prolog program that has one.

    python benchmarks/faults_prolog.py [unseen] [-v]

Each program of ``faults_prolog.toml`` is graded, and each solution that it loses is explained. The
right programs are explained too, and must name no line.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from pylogic_sudoku import Grid, solutions
from pylogic_sudoku.check import VOCABULARIES
from pylogic_sudoku.check.diagnosis import Diagnosis
from pylogic_sudoku.check.exercise import prolog
from pylogic_sudoku.check.instances import Instance
from pylogic_sudoku.check.programs import PrologProgram
from pylogic_sudoku.engines.process import Limits

HERE = Path(__file__).parent
PROGRAMS = HERE.parent / "prolog/programs"
NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FOUR = "1...............", "4......3...13..."
LIMITS = Limits(10, 1024)


def program(name: str) -> str:
    """Return a right program with sudoku/1."""
    if name == "exercise":
        return prolog((3, 3))
    if name == "tutorial":
        cells = json.loads((HERE.parent / "docs/tutorial.ipynb").read_text("utf-8"))["cells"]
        texts = ("".join(cell["source"]) for cell in cells)
        return next(each for each in texts if "side_by_side(Upper" in each).partition("\n")[2]
    text = (PROGRAMS / f"{name}.pl").read_text("utf-8")
    text = text.replace("'../sudoku/", f"'{PROGRAMS.parent}/sudoku/")
    if name != "classic":
        text = re.sub(r"\[sudoku/2.*\]", "[sudoku/1]", text, count=1)
        text += "\nsudoku(Rows) :- sudoku(Rows, 3-3).\n"
    return text


def wrong_lines(old: str, new: str, text: str) -> range:
    """Return the lines of a program that are wrong; if text is missing, those of its clause."""
    at = text.index(old)
    first = text.count("\n", 0, at) + 1
    return range(first, first + new.count("\n") + 1)


def clause_lines(text: str, line: int) -> range:
    """Return the lines of the paragraph around a line."""
    lines = ["", *text.split("\n"), ""]
    first = last = line
    while lines[first - 1].strip():
        first -= 1
    while lines[last].strip():
        last += 1
    return range(first, last + 1)


def explained(file: Path, puzzle: Grid) -> tuple[bool, float, list[Diagnosis]]:
    """Return whether the program loses a solution, the time of grading, and why it does."""
    made = PrologProgram(file, VOCABULARIES["initial"])
    instance = Instance("puzzle", Path("puzzle.lp"), puzzle.format("facts"), puzzle)
    start = perf_counter()
    run = made.run(instance, puzzle, 1000, LIMITS)
    seconds = perf_counter() - start
    found = {each.grid for each in run.answers}
    lost = [each for each in solutions(puzzle, limit=100) if each not in found]
    if not run.exhausted and not run.stopped:  # it has more than a thousand answers
        lost = []
    return bool(lost), seconds, [made.explain(instance, puzzle, each, LIMITS) for each in lost[:1]]


def main() -> None:
    chosen = "unseen" if "unseen" in sys.argv else "faults"
    rows = tomllib.loads((HERE / "faults_prolog.toml").read_text("utf-8"))[chosen]
    losing = first = 0
    grading: list[float] = []
    explaining: list[float] = []
    with TemporaryDirectory() as folder:
        for _, name, old, new in rows:
            right = program(name)
            assert old in right, (name, old)
            file = Path(folder) / f"{name}.pl"
            text = right.replace(old, new, 1)
            file.write_text(text, "utf-8")
            lines = wrong_lines(old, new, right)
            if len(new) < len(old) // 2:
                lines = clause_lines(text, lines[0])
            for puzzle in puzzles(name):
                loses, seconds, why = explained(file, puzzle)
                if loses:
                    break
            if not loses:
                print(f"{name:12} {old.strip()!r} -> {new.strip()!r}: loses nothing")
                continue
            losing += 1
            named = bool(why[0].places) and why[0].places[0].line in lines
            first += named
            grading.append(seconds)
            explaining.append(why[0].seconds)
            print(f"{'ok' if named else '--'} {name:12} {old.strip()!r} -> {new.strip()!r}")
            if not named or "-v" in sys.argv:
                print(f"      line {lines[0]} is wrong; {seconds:.2f} s, {why[0].seconds:.2f} s")
                print("      " + f"{why[0].kind}: {why[0]}".replace("\n", "\n      "))
        silent = 0
        for name in sorted({row[1] for row in rows}):
            file = Path(folder) / f"{name}.pl"
            file.write_text(program(name), "utf-8")
            for puzzle in puzzles(name):
                solution = next(iter(solutions(puzzle)))
                instance = Instance("puzzle", Path("puzzle.lp"), puzzle.format("facts"), puzzle)
                made = PrologProgram(file, VOCABULARIES["initial"])
                why_right = made.explain(instance, puzzle, solution, LIMITS)
                silent += not why_right.places
                if why_right.places:
                    print(f"{name}: right, but {why_right}")
    print(f"{first} of {losing} faulty programs that lose answers: the wrong line is named first")
    print(f"{silent} right programs: no line is named")
    print(f"grading:    median {median(grading):.2f} s, longest {max(grading):.2f} s")
    print(f"explaining: median {median(explaining):.2f} s, longest {max(explaining):.2f} s")


def puzzles(name: str) -> Iterator[Grid]:
    texts = FOUR if name == "tutorial" else (NINE, "." + NINE[1:-6] + "." * 6)
    return map(Grid.parse, texts)


if __name__ == "__main__":
    main()
