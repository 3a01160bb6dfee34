"""How quickly the page answers many requests at once, with and without endless ones under way.

    python benchmarks/page.py [FILE]

FILE has 9x9 puzzles, one a line; without it, those of the test suite. The page runs in a
process of its own and is asked from threads of this one, so the figures include connection, HTTP,
JSON, queue and engine.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from threading import Barrier
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from helpers.puzzles import EMPTY, PRINTED
from helpers.serving import ask, served

AT_ONCE = 50
ROUNDS = 20


def seconds_each(address: str, puzzles: Sequence[str], engine: str) -> list[float]:
    """Ask for a solution of every puzzle at the same moment; the seconds that each took."""
    together = Barrier(len(puzzles))

    def solve(puzzle: str) -> float:
        together.wait()
        start = perf_counter()
        status, answer = ask(address, "solve", puzzle=puzzle, engine=engine)
        seconds = perf_counter() - start
        assert (status, len(answer["solutions"])) == (200, 1), answer
        return seconds

    with ThreadPoolExecutor(len(puzzles)) as clients:
        return list(clients.map(solve, puzzles))


def report(title: str, seconds: list[float]) -> None:
    p95 = statistics.quantiles(seconds, n=20)[-1]
    figures = (statistics.median(seconds), p95, max(seconds))
    print(title.ljust(34), *(f"{figure * 1000:8.0f}" for figure in figures))


def main() -> None:
    puzzles = Path(sys.argv[1]).read_text().split() if sys.argv[1:] else list(PRINTED)
    at_once = list(islice(cycle(puzzles), AT_ONCE))
    print(f"{AT_ONCE} solves at once, {ROUNDS} times".ljust(34), "  median      p95    worst  (ms)")
    with served("--timeout", "5") as (address, _):
        for engine in ("clingo", "prolog"):
            seconds_each(address, at_once, engine)
            rounds = (seconds_each(address, at_once, engine) for _ in range(ROUNDS))
            report(engine, [each for seconds in rounds for each in seconds])
        with ThreadPoolExecutor(10) as endless:
            body = {"puzzle": EMPTY, "limit": 10**9}
            cut_off = [endless.submit(ask, address, "count", **body) for _ in range(10)]
            rounds = (seconds_each(address, at_once, "clingo") for _ in range(ROUNDS))
            report("clingo, 10 endless under way", [s for seconds in rounds for s in seconds])
            running = sum(not each.done() for each in cut_off)
            print(f"{running} of the 10 endless ones still waiting or running then;", end=" ")
            stopped = [each.result()[1].get("stopped") for each in cut_off]
            print(f"{stopped.count('time')} cut off in the end")


if __name__ == "__main__":
    main()
