"""How time and memory grow with the work: puzzles, the size of a grid, solutions.

    python benchmarks/growth.py FILE.json [--charts FOLDER] [--only puzzles|sizes|solutions]

Each figure is of a process of its own: processor time, of its workers too, from the first question
to the last answer, and the most memory that it and its workers had. A point that is in FILE.json is
not measured again, so a run that was stopped goes on, and charts can be drawn again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from resource import RLIMIT_CPU, RUSAGE_CHILDREN, RUSAGE_SELF, getrusage, setrlimit
from signal import SIGXCPU
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku.files import check_target

sys.path.append(str(Path(__file__).parent.parent))
from benchmarks.race.chart import require
from benchmarks.race.sets import constructed, image, made_set

LIMIT = 30
"""Seconds of the processor for a grid of some size; the other work ends by itself."""
SHORT = 5
"""Seconds below which a figure is the median of three."""
DIFFERENT = 10_000
"""Different puzzles in a file; a longer one has them again and again."""
BOXES = ((2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5), (5, 5), (5, 6), (6, 6))
EMPTY_6X6 = pls.Grid((0,) * 36, (2, 3))
"""It has 28,200,960 solutions."""


class Point(NamedTuple):
    """One piece of work."""

    what: str
    engine: str
    kind: str
    """How many processes, or how much of the grid is given."""
    n: int


def points() -> Iterator[Point]:
    """Everything that is measured, the largest work last."""
    for exponent in (2, 3, 4, 5, 6):
        for processes in ("1 process", "2 processes"):
            yield Point("puzzles", "clingo", processes, 10**exponent)
            if exponent < 6:
                yield Point("puzzles", "prolog", processes, 10**exponent)
    for rows, columns in BOXES:
        for given in ("empty", "a third given"):
            for engine in ("clingo", "prolog"):
                yield Point("sizes", engine, given, rows * columns)
    for exponent in (2, 3, 4, 5, 6):
        yield Point("solutions", "clingo", "6x6", 10**exponent)
        yield Point("solutions", "prolog", "6x6", 10**exponent)


# --- in a process of its own -----------------------------------------------------------------


def grid_of(size: int, kind: str) -> pls.Grid:
    """An empty grid of this size, or one with a third of the cells of a full one."""
    box = next(box for box in BOXES if box[0] * box[1] == size)
    if kind == "empty":
        return pls.Grid((0,) * size**2, box)
    chance = random.Random(size)
    full = image(constructed(box), chance)
    given = {*chance.sample(range(size**2), size**2 // 3)}
    return pls.Grid(tuple(d if at in given else 0 for at, d in enumerate(full.digits)), box)


def megabytes(process: int | str) -> float:
    """The most memory that a process has had so far."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise OSError(f"the system does not say how much memory process {process} has had")


def work(point: Point, file: str) -> float:
    """Do it; the memory of its workers."""
    if point.what == "sizes":
        assert pls.solve(grid_of(point.n, point.kind), point.engine) is not None
    elif point.what == "solutions":
        found = pls.solutions(EMPTY_6X6, point.engine, limit=point.n)
        assert sum(1 for _ in found) == point.n
    else:
        with open(file) as lines:
            puzzles = pls.read_puzzles(islice(lines, point.n))
            answers = pls.solve_many(puzzles, point.engine, int(point.kind[0]))
            assert sum(next(answers) is not None for _ in range(point.n)) == point.n
            return sum(megabytes(worker.pid or 0) for worker in multiprocessing.active_children())
    return 0.0


def processor() -> float:
    """Seconds of the processor that this process has had, and its workers that have ended."""
    used = (getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def one(point: Point, file: str) -> None:
    """Do one piece of work, and print its figures."""
    pls.solve("1", point.engine)  # the start of an engine is not part of what grows
    if point.what == "sizes":
        setrlimit(RLIMIT_CPU, (LIMIT, LIMIT + 1))
    before, start = processor(), perf_counter()
    workers = work(point, file)
    for process in multiprocessing.active_children():
        process.terminate()
        process.join()  # only then does its time count here
    figures = {
        "seconds": round(processor() - before, 4),
        "clock": round(perf_counter() - start, 4),
        "megabytes": round(megabytes("self") + workers, 1),
    }
    print(json.dumps(figures))


# --- all of it ---------------------------------------------------------------------------------


def write_puzzles(path: Path, number: int) -> None:
    """Write so many puzzles with 32 givens, one a line."""
    lines = [f"{puzzle}\n" for puzzle in made_set("easy", min(number, DIFFERENT)).puzzles]
    with path.open("w") as file:
        for start in range(0, number, len(lines)):
            file.writelines(lines[: number - start])


def measured(point: Point, file: str) -> dict[str, Any]:
    """The figures of a point: medians of three if it is short; without any if it takes too long."""
    command = [sys.executable, __file__, "--one", json.dumps(point), file]
    found: list[dict[str, float]] = []
    while len(found) < (3 if not found or found[0]["seconds"] < SHORT else 1):
        ended = subprocess.run(command, stdout=subprocess.PIPE)
        if ended.returncode == -SIGXCPU:
            return {**point._asdict(), "limit": LIMIT}
        ended.check_returncode()
        found.append(json.loads(ended.stdout))
    figures = {name: median(each[name] for each in found) for name in found[0]}
    return {**point._asdict(), **figures, "rounds": len(found)}


def measure(path: Path, only: str | None, most: int) -> list[dict[str, Any]]:
    """All figures: those that are in the file, and the others, which are added to it."""
    known: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    done = {Point(*(each[name] for name in Point._fields)) for each in known}
    todo = [point for point in points() if point not in done and point.n <= most]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "puzzles.txt")
        wanted = [point for point in todo if only in (None, point.what)]
        write_puzzles(file, max((each.n for each in wanted if each.what == "puzzles"), default=1))
        for point in wanted:
            known.append(measured(point, str(file)))
            print(*(f"{value}" for value in known[-1].values()), flush=True)
            path.write_text("[\n" + ",\n".join(map(json.dumps, known)) + "\n]\n")
    return known


# --- charts ------------------------------------------------------------------------------------

GREY = "#7d828c"
"""Text and lines that can be read on white and on black."""
COLORS = {"clingo": "#2f7ed8", "prolog": "#d9722e"}
AXES = {
    "puzzles": "puzzles",
    "sizes": "rows of the grid",
    "solutions": "solutions of an empty 6x6 grid",
}


def chart(figures: list[dict[str, Any]], what: str, path: Path) -> None:
    """Draw the time and the memory of one kind of work, side by side."""
    drawing, matplotlib = require(), import_module("matplotlib")
    style = dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), GREY
    )
    own = {"svg.hashsalt": "growth", "font.size": 11, "grid.color": GREY, "grid.alpha": 0.35}
    with matplotlib.rc_context({**style, **own}):
        figure = drawing.Figure(figsize=(9, 4), layout="constrained")
        time, memory = figure.subplots(1, 2)
        rows = [each for each in figures if each["what"] == what and "seconds" in each]
        for name in dict.fromkeys((each["engine"], each["kind"]) for each in rows):
            line = sorted((e["n"], e) for e in rows if (e["engine"], e["kind"]) == name)
            _line(time, [(n, each["seconds"]) for n, each in line], *name)
            _line(memory, [(n, each["megabytes"]) for n, each in line], *name)
        for axes, title in ((time, "processor time, seconds"), (memory, "most memory, megabytes")):
            _finish(axes, what, title)
        time.set_yscale("log")
        time.yaxis.set_major_formatter("{x:,g}")
        memory.set_ylim(0, 1.1 * max(each["megabytes"] for each in rows))
        figure.legend(
            *time.get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False
        )
        figure.savefig(path, transparent=True, metadata={"Date": None})


def _line(axes: Any, values: list[tuple[int, float]], engine: str, kind: str) -> None:
    first = kind in ("1 process", "empty", "6x6")
    axes.plot(
        *zip(*values, strict=True),
        color=COLORS[engine],
        marker="o" if first else "s",
        linestyle="-" if first else "--",
        markerfacecolor=COLORS[engine] if first else "none",
        label=f"{engine}, {kind}" if kind != "6x6" else engine,
    )


def _finish(axes: Any, what: str, title: str) -> None:
    axes.set_title(title, fontsize=11)
    axes.set_xlabel(AXES[what])
    axes.grid(axis="y")
    axes.spines[["top", "right"]].set_visible(False)
    if what == "sizes":
        axes.set_xticks([4, 9, 16, 25, 36])
    else:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:,.0f}")


def main() -> None:
    """Measure what is missing, and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--charts", type=Path, metavar="FOLDER")
    parser.add_argument("--only", choices=tuple(AXES))
    parser.add_argument("--most", type=int, default=10**6, help="leave out larger numbers")
    options = parser.parse_args()
    try:
        check_target(options.file)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    figures = measure(options.file, options.only, options.most)
    if options.charts:
        for what in dict.fromkeys(each["what"] for each in figures if "seconds" in each):
            chart(figures, what, options.charts / f"growth-{what}.svg")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(Point(*json.loads(sys.argv[2])), sys.argv[3])
    else:
        main()
