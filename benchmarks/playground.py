"""How soon the playground answers, and how long each engine takes in the browser.

    python benchmarks/playground.py [FOLDER]

FOLDER is what `make playground` has built, site/playground if none is given. A headless Chromium
opens it from a server on this machine, each time with a new profile. An answer is timed from the
opening of the page to the row of the first engine and to that of the last; Solve is pressed as soon
as it is there. Beside the time by the clock, to which other work on the machine adds, is that of
the processors, all processes of the browser together (on Linux). The time of a puzzle is what
the page shows: of the first question of a visit, and the median of those after it.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))
from helpers.playground import hosted
from helpers.programs import needed, resource

from playground import compressed
from pylogic_sudoku import Puzzle

VISITS = 7
AGAIN = 15
PUZZLES = {
    "easy": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "17 clues": "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "hard": "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
}
"""The last one is known as AI Escargot."""
ROWS = "#engine-rows tr.answered"
ASK = """async ([puzzle, engine]) => {
  const { answer } = await import("./answerer.js");
  const { signal } = new AbortController();
  const { solutions, seconds } = await answer("/solve", { puzzle, engine, limit: 1 }, signal);
  if (solutions.length !== 1) throw new Error("no solution");
  return seconds;
}"""


@contextmanager
def new_profile(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    try:
        yield context.new_page()
    finally:
        context.close()


def processor_time() -> float:
    """The seconds of all processes that this one has started, and that still run."""
    table = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        table[int(entry.parent.name)] = int(fields[1]), int(fields[11]) + int(fields[12])
    ours = {os.getpid()}
    while more := {pid for pid, (parent, _) in table.items() if parent in ours} - ours:
        ours |= more
    return sum(table[pid][1] for pid in ours if pid in table) / os.sysconf("SC_CLK_TCK")


def answers(page: Page, address: str) -> list[tuple[float, float]]:
    """Open the page and press Solve; seconds by clock and processor to each answer."""
    start, used = perf_counter(), processor_time()
    page.goto(address, wait_until="commit")
    page.locator("#engine-rows tr.ready").first.wait_for()
    page.locator("#solve").click()
    found = []
    for number in range(2):
        page.locator(ROWS).nth(number).wait_for()
        found.append((perf_counter() - start, processor_time() - used))
    return found


def report(title: str, visits: Sequence[Sequence[tuple[float, float]]]) -> None:
    for engine, times in zip(("first", "last"), zip(*visits, strict=True), strict=True):
        clock, processor = (list(each) for each in zip(*times, strict=True))
        print(
            f"{title}, {engine} answer".ljust(34),
            f"{statistics.median(clock):5.2f} s  ({min(clock):.2f} to {max(clock):.2f});",
            f"{statistics.median(processor):.2f} s of processors",
        )


def solved(browser: Browser, address: str, line: str, engine: str) -> list[float]:
    """The seconds of one question after the other in a new profile."""
    with new_profile(browser) as page:
        page.goto(address)
        page.locator("#engine-rows tr.ready").first.wait_for()
        question = [Puzzle.parse(line).to_json(), engine]
        return [page.evaluate(ASK, question) for _ in range(AGAIN + 1)]


def main() -> None:
    folder = Path(*sys.argv[1:]) if sys.argv[1:] else resource("site/playground")
    if not (folder / "index.html").exists():
        sys.exit(f"{folder} is not the playground: run make playground")
    print("compressed size".ljust(34), f"{compressed(folder) / 1e6:5.2f} MB")
    with hosted(folder) as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=needed("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        visits = []
        for _ in range(VISITS):
            with new_profile(browser) as page:
                first = answers(page, address)
                page.evaluate("navigator.serviceWorker.ready.then(() => null)")
                visits.append((first, answers(page, f"{address}?again")))
        for title, each in zip(
            ("first visit", "second visit"), zip(*visits, strict=True), strict=True
        ):
            report(title, each)
        for engine in ("clingo", "prolog"):
            for name, line in PUZZLES.items():
                first, *more = (
                    seconds * 1000 for seconds in solved(browser, address, line, engine)
                )
                warm = statistics.median(more)
                print(f"{engine}, {name}".ljust(34), f"{first:5.0f} ms, then {warm:.0f} ms")
        browser.close()


if __name__ == "__main__":
    main()
