"""The results of a run, as tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean, median, quantiles
from typing import Any

from pylogic_sudoku.errors import counted
from pylogic_sudoku.files import save

from .worker import Question

Records = Sequence[dict[str, Any]]
Where = tuple[str, str]
"""A family and a group."""

TABLES: dict[str, dict[Where, str]] = {
    "Instances made from seeds": {
        ("sudoku", "made, easy"): "made, easy",
        ("sudoku", "made, minimal"): "made, minimal",
        ("sudoku", "made, hard"): "made, hard",
        ("sudoku", "made, 16x16"): "made, 16x16",
        ("sudoku", "made, 25x25"): "made, 25x25",
        ("jigsaw", "made"): "made jigsaw",
        ("killer", "made"): "made killer",
        ("futoshiki", "9x9"): "Futoshiki 9x9",
        ("quasigroup", "order 20, 42 % holes"): "quasigroup 20",
        ("quasigroup", "order 30, 42 % holes"): "quasigroup 30",
    },
    "Published instances": {
        ("sudoku", "newspaper"): "newspaper",
        ("sudoku", "17 clues"): "17 clues",
        ("sudoku", "hard"): "hard",
        ("sudoku", "16x16"): "16x16",
        ("jigsaw", "published layouts"): "jigsaw",
        ("killer", "published"): "killer",
    },
}
"""The groups of the tables, by the origin of their instances; the charts have all."""
COLUMNS = {where: name for columns in TABLES.values() for where, name in columns.items()}
APART: tuple[Where, ...] = tuple(
    ("sudoku", name) for name in ("made, minimal", "made, hard", "17 clues", "hard")
)
"""The groups whose work is taken apart."""
ASKED: dict[Question, str] = {
    "one": "One solution",
    "unique": "Is it the only one?",
    "all": "All, up to 1,000",
    "stream": "Is it the only one? In a stream of puzzles",
}
BEGIN, END = "<!-- study: begin -->", "<!-- study: end -->"


@dataclass
class Result:
    """The result of a contestant on a question in a group."""

    limit: float
    by_number: dict[int, float] = field(default_factory=dict)
    """Seconds of the processor for each instance, by its number in the group; twice the limit if
    it did not finish."""
    done: int = 0
    work: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, record: dict[str, Any]) -> None:
        """Count a record."""
        number = record["number"]
        if record["status"] == "done":
            self.done += 1
            self.by_number[number] = record["seconds"]
            for name in ("setup", "propagation", "search", "choices", "conflicts", "left"):
                if name in record:
                    self.work[name].append(record[name])
        else:
            self.by_number[number] = 2 * self.limit

    @property
    def times(self) -> list[float]:
        """The times of all instances."""
        return [*self.by_number.values()]

    @property
    def par2(self) -> float:
        """The mean time, in which what was not finished counts as twice the limit."""
        return fmean(self.times)

    @property
    def middle(self) -> float:
        """The median time; infinite if fewer than half were finished."""
        found = median(self.times)
        return found if found < 2 * self.limit else float("inf")

    def __str__(self) -> str:
        part = "" if self.done == len(self.times) else f" ({self.done}/{len(self.times)})"
        return f"{seconds(self.par2)}{part}" if self.done else "out of time"


Results = dict[tuple[Where, str, Question], Result]


def results(head: dict[str, Any], records: Records) -> Results:
    """For each group, contestant and question, what was found."""
    found: Results = {}
    for record in records:
        if record["status"] == "refused":
            continue
        key = (record["family"], record["group"]), record["contestant"], record["question"]
        found.setdefault(key, Result(head["seconds"])).add(record)
    return found


def seconds(number: float) -> str:
    """A time with two or three figures and its unit."""
    if number >= 0.9995:
        return f"{number:.3g} s" if number < 99.95 else f"{number:.0f} s"
    return f"{1000 * number:.2g} ms" if number < 0.0995 else f"{1000 * number:.0f} ms"


def tables(head: dict[str, Any], records: Records) -> str:
    """All tables in Markdown, with a paragraph on how they were made."""
    found = results(head, records)
    parts = [_how(head, records, found)]
    for question, title in ASKED.items():
        parts.append(f"### {title}")
        for origin, groups in TABLES.items():
            columns = [where for where in groups if any(key[0] == where for key in found)]
            if columns:
                parts += [f"{origin}:", _by_group(head, found, question, columns)]
    if ahead := _ahead(head, found):
        parts += ["### Which paradigm is ahead", ahead]
    for where in APART:
        if any(key[0] == where for key in found):
            parts += [f"### The work on one {COLUMNS[where]} puzzle", _apart(head, found, where)]
    return "\n\n".join(parts)


def _how(head: dict[str, Any], records: Records, found: Results) -> str:
    instances = {(r["family"], r["group"], r["number"]) for r in records}
    checked = sum(r.get("solutions", 0) for r in records)
    versions = {each["version"] for each in head["contestants"].values()}
    names = {
        version: [name for name, each in head["contestants"].items() if each["version"] == version]
        for version in versions
    }
    solvers = "; ".join(
        f"{version} ({names[version][0].partition(':')[0]})" for version in sorted(versions)
    )
    return (
        f"{len(instances):,} instances, {len(records):,} records, {checked:,} solutions, each of"
        f" them checked; no two contestants disagreed. Limit: {head['seconds']:g} s a question."
        f" Processor time on {head['machine']}, {counted(head['jobs'], 'job')} at a time;"
        f" Python {head['python']}, package {head['package']}, solvers {solvers}."
    )


def _by_group(
    head: dict[str, Any], found: Results, question: Question, columns: Sequence[Where]
) -> str:
    asked = {
        where: max(len(r.times) for key, r in found.items() if key[0] == where) for where in columns
    }
    rows = []
    best = {
        where: min(
            (r.par2 for (w, _, q), r in found.items() if (w, q) == (where, question)), default=0
        )
        for where in columns
    }
    for name, contestant in head["contestants"].items():
        row = [f"{name} ({contestant['paradigm']})"]
        for where in columns:
            result = found.get((where, name, question))
            text = str(result) if result else "-"
            row.append(f"**{text}**" if result and result.par2 == best[where] else text)
        rows.append(row)
    heads = [f"{COLUMNS[where]} ({asked[where]})" for where in columns]
    return _table(["contestant", *heads], rows)


def _ahead(head: dict[str, Any], found: Results) -> str:
    """The ratio of the best constraint program's time to that of the best answer set program.

    Empty unless both took part.
    """
    rows = []
    for (where, name), (question, title) in product(COLUMNS.items(), ASKED.items()):
        best: dict[str, tuple[str, Result]] = {}
        for paradigm in ("CLP", "ASP"):
            asked = [
                (each, found[where, each, question])
                for each, contestant in head["contestants"].items()
                if contestant["paradigm"] == paradigm and (where, each, question) in found
            ]
            if asked:
                best[paradigm] = min(asked, key=lambda each: each[1].par2)
        if len(best) < 2:
            continue
        (clp, one), (asp, other) = best["CLP"], best["ASP"]
        pairs = [
            one.by_number[number] / other.by_number[number]
            for number in sorted(one.by_number.keys() & other.by_number.keys())
        ]
        if pairs:
            low, high = interval(pairs)
            ahead = "ASP" if low > 1 else "CLP" if high < 1 else "-"
            ratio = f"{median(pairs):.2g} ({low:.2g} to {high:.2g})"
            rows.append([name, title, clp, asp, str(len(pairs)), ratio, ahead])
    if not rows:
        return ""
    heads = ["group", "question", "best CLP", "best ASP", "instances", "CLP / ASP", "ahead"]
    return (
        "For each instance, the time of the best constraint program is divided by that of the best"
        " answer set program. Here is the median of these ratios, with a 95 % interval from 2,000"
        " bootstrap samples of the instances; where the interval holds 1, neither is ahead. A time"
        " limit counts twice.\n\n" + _table(heads, rows)
    )


def interval(numbers: Sequence[float], samples: int = 2_000) -> tuple[float, float]:
    """A 95 % interval of the median, from samples with replacement; the same each time.

    This is the percentile bootstrap (Efron, "Bootstrap methods: another look at the jackknife",
    1979).
    """
    chance = Random("bootstrap")
    medians = sorted(median(chance.choices(numbers, k=len(numbers))) for _ in range(samples))
    return medians[round(0.025 * (samples - 1))], medians[round(0.975 * (samples - 1))]


def _apart(head: dict[str, Any], found: Results, where: Where) -> str:
    rows = []
    for name in head["contestants"]:
        one, knows = found.get((where, name, "one")), found.get((where, name, "left"))
        if not one:
            continue
        row = [name]
        for part in ("setup", "propagation", "search"):
            row.append(seconds(median(one.work[part])) if one.work[part] else "-")
        row.append(_spread(one.times, 2 * one.limit))
        row.append(f"{fmean(knows.work['left']):.0f}" if knows and knows.work["left"] else "-")
        for part in ("choices", "conflicts"):
            row.append(f"{median(one.work[part]):,.0f}" if one.work[part] else "-")
        rows.append(row)
    heads = ["contestant", "set-up", "propagation", "search", "all: median (quartiles)"]
    return _table([*heads, "candidates left", "choices", "dead ends"], rows)


def _spread(times: Sequence[float], late: float) -> str:
    def text(number: float) -> str:
        return "out of time" if number >= late else seconds(number)

    if len(times) < 2:
        return text(times[0])
    low, middle, high = quantiles(times, n=4, method="inclusive")
    return f"{text(middle)} ({text(low)} to {text(high)})"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_page(page: Path, head: dict[str, Any], records: Records) -> None:
    """Put the tables between the two marks of a page."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page} lacks the lines {BEGIN} and {END}")
    save(page, f"{before}{BEGIN}\n\n{tables(head, records)}\n\n{END}{after}")
