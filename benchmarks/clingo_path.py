"""Where the clingo engine spends its microseconds, and what its settings gain.

    python benchmarks/clingo_path.py [FOLDER OF PUZZLES]

All variants take turns within one run, in processor time, so other work on the machine disturbs
little; compare figures of one table only. The folder holds 17-clue.txt, random-10k.txt,
hard-375.txt, top-95.txt and 16x16-sample.txt; 25x25 puzzles are generated.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

import clingo

import pylogic_sudoku as pls
from pylogic_sudoku.engines import get
from pylogic_sudoku.engines.clingo.program import OPTIONS, Program, encoding

ROUNDS = 5
FORGET = "--forget-on-step=varScores,signs,lemmaScores,lemmas"
CONFIGURATIONS = ("frumpy", "crafty", "handy", "jumpy", "trendy", "tweety", "auto")


def puzzles(folder: Path) -> dict[str, list[pls.Grid]]:
    """The sets, each small enough for many settings."""
    sizes = {"17-clue": 1000, "random-10k": 1000, "hard-375": 375, "top-95": 95, "16x16-sample": 8}
    sets = {
        name: list(islice(pls.read_puzzles((folder / f"{name}.txt").open()), number))
        for name, number in sizes.items()
    }
    sets["25x25"] = [dug(seed) for seed in range(3)]
    return sets


def dug(seed: int) -> pls.Grid:
    """A 25x25 puzzle with one solution: a full grid, emptied cell by cell at random."""
    shuffle = random.Random(seed).shuffle
    side, n = 5, 25
    digits, cells = list(range(1, n + 1)), list(range(n * n))
    shuffle(digits)
    shuffle(cells)
    full = [
        digits[(row % side * side + row // side + column) % n]
        for row in range(n)
        for column in range(n)
    ]
    kept = list(full)
    for batch in range(0, 350, 10):
        tried = list(kept)
        for cell in cells[batch : batch + 10]:
            tried[cell] = 0
        if pls.is_unique(pls.Grid(tuple(tried), (side, side))):
            kept = tried
    return pls.Grid(tuple(kept), (side, side))


def control(box: pls.grid.Box, *options: str) -> tuple[clingo.Control, list[list[int]]]:
    """The encoding, ground with these options, and the literal of each cell and digit."""
    shape = (f"-cbox_rows={box[0]}", f"-cbox_columns={box[1]}")
    made = clingo.Control([*options, *shape])
    made.add("base", [], encoding("sudoku"))
    made.ground()
    n = box[0] * box[1]
    literals = [[0] * (n + 1) for _ in range(n * n)]
    for atom in made.symbolic_atoms.by_signature("sudoku", 3):
        x, y, digit = (argument.number for argument in atom.symbol.arguments)
        literals[(x - 1) * n + y - 1][digit] = atom.literal
    return made, literals


def seconds(work: Callable[[Any], object], items: Iterable[Any]) -> float:
    """The mean time of one piece of work."""
    items = list(items)
    start = process_time()
    for item in items:
        work(item)
    return (process_time() - start) / len(items)


def medians(works: dict[str, Callable[[], float]], rounds: int = ROUNDS) -> dict[str, float]:
    """The median time of each; every round measures all of them once."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(work())
    return {name: statistics.median(each) for name, each in times.items()}


def path(grids: list[pls.Grid]) -> None:
    """The time of each step from text to answer."""
    program = Program(grids[0].layout)
    texts = [str(grid) for grid in grids]
    models: list[Any] = []

    def model(grid: pls.Grid) -> None:
        with program._solve(grid) as handle:
            handle.model()

    def symbols(grid: pls.Grid) -> None:
        with program._solve(grid) as handle:
            models.append(program._shown(handle.model()))

    def plain(grid: pls.Grid) -> None:
        program.control.solve(assumptions=program._assumptions(grid))

    program._settings.models = 1
    engine = get("clingo")
    taken = medians(
        {
            "text to Grid": lambda: seconds(pls.Grid.parse, texts),
            "assumptions from the Grid": lambda: seconds(program._assumptions, grids),
            "Control.solve, no model read": lambda: seconds(plain, grids),
            "the same by a handle, with its model": lambda: seconds(model, grids),
            "and its symbols looked up": lambda: seconds(symbols, grids),
            "and made into a Grid (program.first)": lambda: seconds(program.first, grids),
            "the engine's solve": lambda: seconds(engine.solve, grids),
            "pls.solve of a Grid": lambda: seconds(pls.solve, grids),
            "pls.solve of text": lambda: seconds(pls.solve, texts),
        }
    )
    print(
        "\na puzzle on its way through the package, microseconds (from Control.solve on, each line"
    )
    print("includes those above it)")
    for name, each in taken.items():
        print(f"{name:45}{each * 1e6:8.0f}")


def first_model(made: clingo.Control, literals: list[list[int]]) -> Callable[[pls.Grid], None]:
    def solve(grid: pls.Grid) -> None:
        given = [literals[cell][digit] for cell, digit in enumerate(grid.digits) if digit]
        with made.solve(assumptions=given, yield_=True) as handle:
            assert handle.model()

    return solve


def configurations(sets: dict[str, list[pls.Grid]]) -> None:
    """Microseconds per puzzle of each set; all sets of a shape share one Control."""
    print(f"\n{'first model, microseconds':34}" + "".join(f"{name:>14}" for name in sets))
    pos = "--sign-def=pos"
    variants = {name: (f"--configuration={name}",) for name in CONFIGURATIONS}
    variants |= {f"{name}, forgetting": (*variants[name], FORGET) for name in ("frumpy", "crafty")}
    variants |= {"frumpy, digits first": ("--configuration=frumpy", pos)}
    variants |= {
        f"{name}, both": (f"--configuration={name}", FORGET, pos) for name in CONFIGURATIONS[:-1]
    }
    variants |= {
        f"frumpy, both, {option}": ("--configuration=frumpy", FORGET, pos, option)
        for option in (
            "--stats=0",
            "--project=show",
            "--restarts=no",
            "--heuristic=Vsids",
            "--heuristic=Vmtf",
            "--sat-prepro=2",
            "--eq=0",
        )
    }
    made = {
        (name, box): first_model(*control(box, *options))
        for name, options in variants.items()
        for box in {grids[0].box for grids in sets.values()}
    }
    works = {
        (name, title): lambda name=name, grids=grids: seconds(made[name, grids[0].box], grids)
        for title, grids in sets.items()
        for name in variants
    }
    taken = medians(works, 3)
    for name in variants:
        print(f"{name:34}" + "".join(f"{taken[name, each] * 1e6:14.0f}" for each in sets))


def long_run(folder: Path) -> None:
    """Whether the thousandth puzzle takes longer than the first."""
    grids = list(pls.read_puzzles((folder / "17-clue.txt").open()))
    print(f"\n{'17-clue, all in one Control':34}" + "".join(f"{at:>10}" for at in range(0, 49, 7)))
    for options in (
        ("--configuration=frumpy",),
        ("--configuration=crafty",),
        OPTIONS,
    ):
        solve = first_model(*control((3, 3), *options))
        taken = [
            seconds(solve, grids[start : start + 7000]) for start in range(0, len(grids), 7000)
        ]
        print(f"{' '.join(options)[16:50]:34}" + "".join(f"{each * 1e6:10.0f}" for each in taken))


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/corpora")
    if not (folder / "17-clue.txt").exists():
        sys.exit(f"{folder} has no 17-clue.txt; {__doc__}")
    sets = puzzles(folder)
    path(sets["17-clue"])
    configurations(sets)
    long_run(folder)


if __name__ == "__main__":
    main()
