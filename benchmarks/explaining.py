"""The time that explanations take, compared with CPMpy and asplain within one run.

    python benchmarks/explaining.py [why-not] [why] [smallest] [asplain] [--cells N] [--smallest N]

Needs benchmarks/requirements.txt. *why* explains N cells (0 for all 58) of the puzzle of CPMpy's
quickstart, with CPMpy's constraints: 27 houses, and the givens. *smallest* explains the
N cells with the smallest explanations. CPMpy has a minute for each cell. All but *asplain*, which
is what runs if nothing is named, take about three minutes. *asplain* takes a few minutes more; it
needs the extra [asplain] and Graphviz.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku.files import install_command, resource

QUICKSTART = pls.Grid.parse(
    "...2.5....9....73...2..9.6.2.....4.9....7....6.9.....1.8.4..1...63....8....6.8..."
)
"""The puzzle of ``examples/quickstart_sudoku.ipynb`` of CPMpy."""


# The instances and queries of asplain's sudoku example.
FOUR = pls.Grid.parse("1.....1....2.2..")
NINE = pls.Grid.parse(
    "...7.96.....631.....9.28.....348....8.....7...76...8..4.597....6273.4....9..56..."
)
QUERIES = ((FOUR, (3, 2), 1), (FOUR, (1, 1), 2), (NINE, (2, 2), 2))

QUESTIONS = ("why-not", "why", "smallest", "asplain")
PATIENCE = 60.0
"""The time limit of CPMpy for a cell, in seconds."""


class Run(NamedTuple):
    seconds: float
    size: int


def ours(row: int, column: int, smallest: bool) -> Run:
    """The time and the size of our explanation."""
    start = perf_counter()
    explanation = pls.why(QUICKSTART, (row, column), smallest=smallest, detail="house")
    seconds = perf_counter() - start
    explanation.verify()
    return Run(seconds, len(explanation.rules) + len(explanation.givens))


def cpmpys(row: int, column: int, smallest: int) -> Run:
    """The same for CPMpy, on the same constraints; the clock starts after its model is made."""
    import cpmpy
    from cpmpy.tools.explain import mus, smus

    cells = cpmpy.intvar(1, 9, shape=(9, 9), name="cell")
    soft = [
        cpmpy.AllDifferent([cells[row - 1, column - 1] for row, column in house.cells])
        for house in QUICKSTART.houses
    ]
    soft += [cells[r - 1, c - 1] == digit for r, c, digit in QUICKSTART.givens]
    solution = pls.solve(QUICKSTART)
    assert solution is not None
    hard = [cells[row - 1, column - 1] != solution.rows[row - 1][column - 1]]
    start = perf_counter()
    found = (smus if smallest else mus)(soft, hard)
    return Run(perf_counter() - start, len(found))


def patiently(row: int, column: int, smallest: bool) -> Run | None:
    """CPMpy's run in a process of its own; None if it takes too long."""
    command = [sys.executable, __file__, "--cpmpy", str(row), str(column), str(int(smallest))]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=PATIENCE + 10
        )
    except subprocess.TimeoutExpired:
        return None
    seconds, size = done.stdout.split()
    return Run(float(seconds), int(size)) if float(seconds) <= PATIENCE else None


def empty_cells() -> list[pls.Cell]:
    return [cell for cell in QUICKSTART.cells if not QUICKSTART[cell]]


def explained(number: int, smallest: bool) -> None:
    """Explain every cell, and ask CPMpy about some: evenly, or those with the smallest sets."""
    runs = {cell: ours(*cell, smallest) for cell in empty_cells()}
    seconds, sizes = zip(*runs.values(), strict=True)
    name = "why(smallest=True)" if smallest else "why"
    print(f"{name}, all {len(runs)} cells: {sum(seconds):.2f} s", end="")
    print(f", median {statistics.median(seconds):.3f} s, worst {max(seconds):.2f} s", end="")
    print(f", sizes {min(sizes)} to {max(sizes)}")
    cells = sorted(runs, key=lambda cell: runs[cell].size) if smallest else [*runs]
    step = 1 if smallest or not number else max(1, len(cells) // number)
    chosen = cells[::step][: number if smallest else number or None]
    compared(name, "smus" if smallest else "mus", chosen, smallest)


def compared(ours_is: str, theirs_is: str, cells: list[pls.Cell], smallest: bool) -> None:
    """Print one line for each cell, and the totals over the cells that CPMpy has finished."""
    pairs = []
    for cell in cells:
        us, them = ours(*cell, smallest), patiently(*cell, smallest)
        print(f"  {cell} {us.seconds:8.4f} s {us.size:3}   {theirs_is}", end=" ")
        if them is None:
            print(f"not within {PATIENCE:g} s")
            continue
        print(f"{them.seconds:8.3f} s {them.size:3} {them.seconds / us.seconds:6.0f} x", flush=True)
        assert not smallest or them.size == us.size, "one of them is not the smallest"
        pairs.append((us.seconds, them.seconds))
    if pairs:
        total, theirs = (sum(side) for side in zip(*pairs, strict=True))
        print(f"{ours_is} beside {theirs_is}, {len(pairs)} cells:", end=" ")
        print(f"{total:.3f} s and {theirs:.2f} s, {theirs / total:.0f} times faster")


def why_not() -> None:
    for puzzle, cell, digit in QUERIES:
        times = []
        for _ in range(9):
            start = perf_counter()
            explanation = pls.why_not(puzzle, cell, digit)
            times.append(perf_counter() - start)
        explanation.verify()
        print(f"sudoku({cell[0]},{cell[1]},{digit}) of {puzzle.size}x{puzzle.size}:", end=" ")
        print(f"{statistics.median(times) * 1e3:.1f} ms (first {times[0] * 1e3:.1f})", end=", ")
        print(f"{len(explanation.givens)} givens removed")


def asplain() -> None:
    """Print the time of asplain for the same queries, on our annotated encoding."""
    encoding = resource("encodings/explaining/explain.lp")
    if importlib.util.find_spec("asplain") is None or not encoding.exists():
        print(f"asplain: not installed ({install_command('asplain')}), or no encoding")
        return
    for puzzle, (row, column), digit in QUERIES:
        query = f"sudoku({row},{column},{digit})"
        with tempfile.TemporaryDirectory() as folder:
            instance = Path(folder) / "instance.lp"
            instance.write_text(puzzle.format("facts", removable=True))
            files = str(encoding), str(instance)
            command = [sys.executable, "-m", "asplain", *files, "--query", query]
            start = perf_counter()
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            seconds = perf_counter() - start
        said = f"it failed: {done.stderr[-300:].strip()}" if done.returncode else f"{seconds:.1f} s"
        print(f"asplain, {query} of {puzzle.size}x{puzzle.size}: {said}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("questions", nargs="*", metavar="QUESTION")
    parser.add_argument("--cells", type=int, default=8, metavar="N", help="0 for all")
    parser.add_argument("--smallest", type=int, default=2, metavar="N")
    parser.add_argument("--cpmpy", type=int, nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.cpmpy:
        print(*cpmpys(*asked.cpmpy))
        return
    questions = asked.questions or QUESTIONS[:-1]
    if unknown := {*questions} - {*QUESTIONS}:
        parser.error(f"{unknown.pop()!r} is not one of {', '.join(QUESTIONS)}")
    pls.why(QUICKSTART, "r1c1", detail="house")  # grounds
    if "why-not" in questions:
        why_not()
    if "why" in questions:
        explained(asked.cells, smallest=False)
    if "smallest" in questions:
        explained(asked.smallest, smallest=True)
    if "asplain" in questions:
        asplain()


if __name__ == "__main__":
    main()
