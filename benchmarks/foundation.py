"""How much the package adds to its engines: ratios within one run.

    python benchmarks/foundation.py [FOLDER]

FOLDER has 17-clue.txt, random-10k.txt and hard-375.txt, one 9x9 puzzle a line. What is compared
takes turns, and the ratios are medians of the rounds; absolute times are the machine's of the day.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import clingo

import pylogic_sudoku as pls
from pylogic_sudoku.resources import resource

ROUNDS = 5
HERE = Path(__file__).resolve().parent
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def corpus(folder: Path, name: str, number: int) -> list[str]:
    lines = (folder / name).read_text(encoding="ascii").split()
    return [line.replace("0", ".") for line in lines[:number]]


def side_by_side(
    ours: Callable[[str], object],
    other: Callable[[str], object],
    puzzles: list[str],
    rounds: int = ROUNDS,
) -> tuple[float, float, float]:
    """Median seconds a puzzle of both, and the median of the ratios ours / other."""
    times: list[tuple[float, float]] = []
    for _ in range(rounds):
        pair = []
        for solve in (ours, other):
            start = perf_counter()
            for puzzle in puzzles:
                solve(puzzle)
            pair.append((perf_counter() - start) / len(puzzles))
        times.append((pair[0], pair[1]))
    first, second = (statistics.median(column) for column in zip(*times, strict=True))
    return first, second, statistics.median(a / b for a, b in times)


def bare_clingo() -> Callable[[str], list[int]]:
    """A loop as one writes it by hand: ground once, givens as assumptions, symbols read."""
    control = clingo.Control(["--configuration=frumpy"])
    control.load(str(resource("encodings/sudoku.lp")))
    control.ground()
    literal: dict[tuple[int, str], int] = {}
    place: dict[clingo.Symbol, tuple[int, int]] = {}
    for atom in control.symbolic_atoms.by_signature("sudoku", 3):
        x, y, digit = (argument.number for argument in atom.symbol.arguments)
        literal[9 * (x - 1) + y - 1, str(digit)] = atom.literal
        place[atom.symbol] = 9 * (x - 1) + y - 1, digit

    def solve(puzzle: str) -> list[int]:
        givens = [literal[cell, digit] for cell, digit in enumerate(puzzle) if digit != "."]
        cells = [0] * 81
        with control.solve(assumptions=givens, yield_=True) as handle:
            model = handle.model()
            assert model is not None
            for symbol in model.symbols(shown=True):
                cell, digit = place[symbol]
                cells[cell] = digit
        return cells

    return solve


def plain_prolog() -> Callable[[str], list[int]]:
    """The yardstick program, in the same Prolog."""
    pls.solve(PUZZLE, "prolog")
    import janus_swi

    janus_swi.query_once("load_files(File, [])", {"File": str(HERE / "plain.pl")})

    def solve(puzzle: str) -> list[int]:
        digits = [0 if character == "." else int(character) for character in puzzle]
        answer = janus_swi.query_once("plain:plain(Digits, Answer)", {"Digits": digits})["Answer"]
        return list(answer)

    return solve


def engines(folder: Path) -> None:
    print(f"{'':34}{'ours':>10}{'other':>10}{'ratio':>8}")
    bare, plain = bare_clingo(), plain_prolog()
    for title, other, backend, name, number, rounds in (
        ("clingo / bare loop, 17-clue", bare, "clingo", "17-clue.txt", 5000, ROUNDS),
        ("clingo / bare loop, random-10k", bare, "clingo", "random-10k.txt", 5000, ROUNDS),
        ("clingo / bare loop, hard-375", bare, "clingo", "hard-375.txt", 375, ROUNDS),
        ("prolog / plain program, random-10k", plain, "prolog", "random-10k.txt", 200, 3),
        ("prolog / plain program, 17-clue", plain, "prolog", "17-clue.txt", 200, 3),
        ("prolog / plain program, hard-375", plain, "prolog", "hard-375.txt", 50, 1),
    ):
        puzzles = corpus(folder, name, number)
        for puzzle in puzzles[:20]:
            solution = pls.solve(puzzle, backend)
            assert solution is not None
            assert list(solution.cells) == other(puzzle)
        ours, theirs, ratio = side_by_side(
            lambda puzzle, backend=backend: pls.solve(puzzle, backend), other, puzzles, rounds
        )
        times = 1 / ratio if backend == "prolog" else ratio
        meaning = f"{times:.2f} x faster" if backend == "prolog" else f"{times:.2f} x the time"
        print(f"{title:34}{ours * 1e6:8.0f}us{theirs * 1e6:8.0f}us  {meaning}")


def processes() -> None:
    """Whole processes, and what an import brings along."""

    def seconds(*command: str) -> float:
        start = perf_counter()
        subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
        return perf_counter() - start

    nothing, imported, solved = (
        statistics.median(seconds(*command) for _ in range(9))
        for command in (
            ("-c", "pass"),
            ("-c", "import pylogic_sudoku"),
            ("-m", "pylogic_sudoku", "solve", "-b", "clingo", PUZZLE),
        )
    )
    loaded = subprocess.run(
        [
            *(sys.executable, "-c"),
            "import sys, pylogic_sudoku; print({'clingo', 'janus_swi'} & {*sys.modules} or 'none')",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    print(f"import pylogic_sudoku: {(imported - nothing) * 1e3:.0f} ms; engines loaded: {loaded}")
    print(f"pylogic-sudoku solve -b clingo, the whole process: {solved:.2f} s")


def memory() -> None:
    """Growth of resident memory over 10,000 solves of an easy puzzle, after the first 1,000."""

    def resident() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    for backend in ("clingo", "prolog"):
        for _ in range(1_000):
            pls.solve(PUZZLE, backend)
        before = resident()
        for _ in range(9_000):
            pls.solve(PUZZLE, backend)
        grown = (resident() - before) / 1e6
        print(f"10,000 solves by {backend}: {grown:+.1f} MB after the first 1,000")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent / "shared" / "corpora")
    if not (folder / "17-clue.txt").exists():
        sys.exit(f"{folder} has no 17-clue.txt; {__doc__}")
    for info in pls.backends():
        print(f"{info.name}: {info.engine} {info.version}")
    engines(folder)
    processes()
    memory()


if __name__ == "__main__":
    main()
