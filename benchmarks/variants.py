"""Published puzzles with rules: how many each engine solves, and how fast.

They are read from the collections, in the forms that they are published in. With ``--iss`` and a
checkout of the Interactive Sudoku Solver, that solver and clingo take turns at the puzzles which
it publishes and at the killers, and CP-SAT at those whose rules `peers` states. Both are warm: the
least of several times counts, in seconds of the processor, until two solutions are found or none is
left. A puzzle is ground, or built, anew each time. One that is late counts as the limit for every
solver: how far it runs beyond the limit depends on how busy the machine is. A family is the puzzles
whose rules are of one kind.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from operator import attrgetter
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle
from pylogic_sudoku.engines.sudoku.clingo import ClingoBackend
from pylogic_sudoku.rules import KINDS

from .peers import Asked, Iss, Refused, by_cp_sat

BACKENDS = ("clingo", "prolog")
FOLDER = Path(__file__).resolve().parents[2] / "shared" / "corpora" / "variants"
"""Beside the checkout; it is not part of the repository."""


class Published(NamedTuple):
    """A puzzle, with the solution that was published with it if there is one."""

    name: str
    puzzle: Puzzle
    solution: Grid | None


class Unread(NamedTuple):
    """A puzzle that we cannot hold, and why."""

    name: str
    reason: str


class _Beyond(Exception):
    """We have nothing for this."""


def published(folder: Path = FOLDER) -> Iterator[Published | Unread]:
    """The puzzles of ``iss-half.jsonl``: rules as objects, and the allowed digits of cells."""
    with (folder / "iss-half.jsonl").open(encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            try:
                puzzle = _puzzle(record["puzzle"])
                yield Published(record["name"], puzzle, _grid(record["solution"], puzzle))
            except (_Beyond, InvalidPuzzle) as error:
                yield Unread(record["name"], str(error))


def _puzzle(record: Mapping[str, Any]) -> Puzzle:
    n = record["rows"]
    if (record["cols"], record["min"], record["max"]) != (n, 1, n):
        raise _Beyond(
            f"{n} rows, {record['cols']} columns, digits {record['min']} to {record['max']}"
        )
    if not record["latin"]:
        raise _Beyond("digits may repeat in a row or column")
    regions, marks = record["regions"], record["allowed"]
    if regions is not None and len(regions) != n:
        raise _Beyond(f"{len(regions)} regions in a grid of {n} rows")
    givens = {cell: digits[0] for cell, digits in marks.items() if len(digits) == 1}
    grid = Grid((0,) * (n * n), (1, n)).with_(**givens)  # without regions, the boxes are the rows
    more = {cell: digits for cell, digits in marks.items() if cell not in givens}
    return Puzzle(grid, regions, more, [_rule(each) for each in record["rules"]])


def _rule(record: Mapping[str, Any]) -> dict[str, Any]:
    """The same rule in our JSON."""
    fields = dict(record)
    kind = fields["rule"]
    if kind == "count_of":
        return {
            "rule": "look_and_say",
            "cells": fields["cells"],
            "digits": [fields["digit"]],
            "counts": [fields["count"]],
        }
    if kind == "regex":
        return {"rule": "automaton", "cells": fields["cells"], "regex": fields["pattern"]}
    if kind == "negative":
        pairs = {"difference": "differences", "ratio": "ratios", "sum": "sums"}
        found: dict[str, Any] = {"rule": kind, "exempt": fields["except"]}
        for what, value in fields["of"]:
            found.setdefault(pairs[what], []).append(value)
        return found
    if kind == "any_of":
        options = [[_rule(each) for each in option] for option in fields["options"]]
        return {"rule": kind, "options": options}
    if kind not in KINDS:
        raise _Beyond(f"no rule {kind}")
    return fields


def _grid(digits: str | None, puzzle: Puzzle) -> Grid | None:
    if not digits or len(digits) != len(puzzle.digits):
        return None
    if puzzle.size > 9:  # A is 1
        return Grid(tuple(ord(letter) - ord("A") + 1 for letter in digits), puzzle.box)
    return Grid(Grid.parse(digits, box=puzzle.box).digits, puzzle.box)


def killers(folder: Path = FOLDER) -> Iterator[Published | Unread]:
    """The puzzles of ``killers.txt``, in the short and the long text form."""
    name = ""
    for line in (folder / "killers.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            name = line[1:].strip()
        elif line.strip():
            text, *solution = line.split()
            try:
                puzzle = Puzzle.parse(text, "killer")
                yield Published(name, puzzle, _grid("".join(solution[:1]), puzzle))
            except InvalidPuzzle as error:
                yield Unread(name, str(error))


def jigsaws(folder: Path = FOLDER) -> Iterator[tuple[str, bool, Puzzle]]:
    """The layouts of ``jigsaw-layouts.txt``: a heading, whether a grid exists, and an empty one."""
    heading = ""
    for line in (folder / "jigsaw-layouts.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.split()[-1]
        elif line.strip():
            exists = "INVALID" not in heading
            yield heading, exists, Puzzle("." * len(line.strip()), regions=line.strip())


# --- the command ---------------------------------------------------------------------------------


def main() -> int:
    """Print the figures; the exit code is 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.variants", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=FOLDER, help="the folder of the puzzles")
    parser.add_argument("-t", "--timeout", type=float, default=10, metavar="SECONDS")
    parser.add_argument("-b", "--backend", action="append", choices=BACKENDS)
    parser.add_argument("--iss", type=Path, metavar="CHECKOUT", help="compare with this solver")
    options = parser.parse_args()
    if not options.corpus.is_dir():
        parser.error(f"no folder {options.corpus}")
    if options.iss:
        return beside_iss(options.iss, options.corpus, options.timeout)
    wrong = 0
    for title, found in (
        ("published puzzles", list(published(options.corpus))),
        ("hard killers", list(killers(options.corpus))),
    ):
        puzzles = [each for each in found if isinstance(each, Published)]
        unread = Counter(each.reason for each in found if isinstance(each, Unread))
        print(f"\n{title}: {len(puzzles)} of {len(found)} are read whole")
        for reason, number in unread.most_common():
            print(f"  {number} not: {reason}")
        for backend in options.backend or BACKENDS:
            wrong += solved(puzzles, backend, options.timeout)
    for backend in options.backend or BACKENDS:
        wrong += layouts(options.corpus, backend, options.timeout)
    return 1 if wrong else 0


def solved(puzzles: Iterable[Published], backend: str, limit: float) -> int:
    """Print what an engine finds out about the puzzles; how often it was wrong."""
    times: list[float] = []
    names: dict[str, list[str]] = {"out of time": [], "wrong": []}
    counts: Counter[int] = Counter()
    checked: list[bool] = []
    for name, puzzle, solution in puzzles:
        start = perf_counter()
        try:
            found = list(pls.solutions(puzzle, backend, limit=2, timeout=limit))
        except pls.SolveTimeout:
            names["out of time"].append(name)
        else:
            times.append(perf_counter() - start)
            counts[len(found)] += 1
            proper = [grid for grid in found if grid.is_solution_of(puzzle)]
            if proper != found or (solution is not None and found[1:] == [] != found != [solution]):
                names["wrong"].append(name)
        if solution is not None:
            full = puzzle.with_(*solution.givens)
            checked.append(pls.solve(full, backend, timeout=60) == solution)
    middle = 1000 * median(times or [0])
    print(
        f"  {backend}: {counts[1]} have one solution, {counts[2]} several, {counts[0]} none, in"
        f" {limit:g} s each; {len(names['out of time'])} ran out of time; median {middle:.0f} ms\n"
        f"    {sum(checked)} of {len(checked)} recorded solutions are accepted;"
        f" {len(names['wrong'])} wrong answers"
    )
    for what, those in names.items():
        if those:
            print(f"    {what}: {', '.join(those)}")
    return len(names["wrong"]) + checked.count(False)


RUNS, ENOUGH = 5, 5.0
"""Runs of a puzzle, and the seconds after which there is no other one, as of ISS."""
BUSY = 4
"""Seconds that a second of the processor may take."""


def beside_iss(checkout: Path, folder: Path, limit: float) -> int:
    """Print what both find and how long it takes them; how often they differ."""
    iss = Iss(checkout, limit)
    texts = [(each["name"], each["input"]) for each in iss.published if each["input"][0] == "."]
    hard = [line for line in (folder / "killers.txt").read_text("utf-8").splitlines() if line]
    named = zip(hard[::2], hard[1::2], strict=True)
    wrong = 0
    try:
        for title, form, puzzles in (
            ("published puzzles", "iss", texts),
            ("hard killers", "killer", [(name[2:], line.split()[0]) for name, line in named]),
        ):
            print(f"\n{title}", flush=True)
            wrong += _compared(iss, form, puzzles, limit)
    finally:
        iss.close()
    return 1 if wrong else 0


class _Row(NamedTuple):
    name: str
    family: str
    ours: Asked
    theirs: Asked
    cp_sat: Asked | None


def _compared(iss: Iss, form: str, texts: Iterable[tuple[str, str]], limit: float) -> int:
    rows: list[_Row] = []
    unread = 0
    refused: dict[str, str] = {}
    for name, text in texts:
        try:
            puzzle = Puzzle.parse(text, form)
        except InvalidPuzzle:
            unread += 1
            continue
        try:
            peer = iss.ask(text)
        except Refused as error:
            refused[name] = str(error)
            continue
        row = _Row(name, _family(puzzle), _ours(puzzle, limit), peer, by_cp_sat(puzzle, limit))
        rows.append(row)
        print("  " + "  ".join([f"{name[:32]:32}", *map(_shown, row[2:])]), flush=True)
    print(f"{len(rows)} are read whole, {unread} not. {_sums(rows)}")
    for family in sorted({row.family for row in rows}):
        members = [row for row in rows if row.family == family]
        print(f"  {family} ({len(members)}): {_sums(members)}")
    for name, why in refused.items():
        print(f"  ISS refuses {name}: {why}")
    print("  late, clingo:", ", ".join(r.name for r in rows if r.ours.found is None) or "none")
    print("  late, ISS:", ", ".join(r.name for r in rows if r.theirs.found is None) or "none")
    both = [(row.ours.seconds, row.cp_sat.seconds) for row in rows if row.cp_sat]
    print(
        f"  with CP-SAT, {len(both)}: clingo {sum(one for one, _ in both):.1f} s, CP-SAT"
        f" {sum(other for _, other in both):.1f} s"
    )
    differing = [
        row.name
        for row in rows
        if len({each.found for each in row[2:] if each and each.found is not None}) > 1
    ]
    print("  they differ on:", ", ".join(differing) or "none")
    return len(differing)


def _sums(rows: Sequence[_Row]) -> str:
    """The seconds of both in these puzzles, the ratio of the sums, and the median of the ratios."""
    ours = sum(row.ours.seconds for row in rows)
    theirs = sum(row.theirs.seconds for row in rows)
    middle = median(row.ours.seconds / row.theirs.seconds for row in rows)
    return (
        f"clingo {ours:.2f} s, ISS {theirs:.2f} s; ratio {ours / theirs:.2f}, median {middle:.2f}"
    )


def _family(puzzle: Puzzle) -> str:
    kinds = sorted({rule.kind for rule in puzzle.layout.rules})
    return kinds[0] if len(kinds) == 1 else "several kinds" if kinds else "no rules"


def _ours(puzzle: Puzzle, limit: float) -> Asked:
    """The least of several questions, each to an engine that has ground nothing yet.

    On a busy machine the seconds of the processor, which have the limit, take longer.
    """
    asked = Asked(None, inf)
    spent = 0.0
    for _ in range(RUNS):
        start = process_time()
        try:
            found = ClingoBackend().count(puzzle, limit=2, timeout=BUSY * limit)
        except pls.SolveTimeout:
            return Asked(None, limit)
        seconds = process_time() - start
        if seconds > limit:
            return Asked(None, limit)
        asked = min(asked, Asked(found, seconds), key=attrgetter("seconds"))
        spent += asked.seconds
        if spent > ENOUGH:
            break
    return asked


def _shown(asked: Asked | None) -> str:
    if asked is None:
        return "-"
    return f"{'late' if asked.found is None else asked.found:>4} {asked.seconds:7.3f}"


def layouts(folder: Path, backend: str, limit: float) -> int:
    """Print which layouts of a jigsaw have a grid; how many answers were wrong."""
    found: dict[str, Counter[str]] = {}
    for heading, exists, puzzle in jigsaws(folder):
        tally = found.setdefault(heading, Counter())
        try:
            has_one = pls.solve(puzzle, backend, timeout=limit) is not None
        except pls.SolveTimeout:
            tally["out of time"] += 1
        else:
            tally["right" if has_one == exists else "wrong"] += 1
    print(f"\njigsaw layouts, with or without a grid, {backend}:")
    for heading, tally in found.items():
        print(f"  {heading}: {', '.join(f'{number} {what}' for what, number in tally.items())}")
    return sum(tally["wrong"] for tally in found.values())


if __name__ == "__main__":
    sys.exit(main())
