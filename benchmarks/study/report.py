"""The results of a run, as tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from random import Random
from statistics import fmean, median, quantiles
from typing import Any, NamedTuple

from pylogic_sudoku.errors import counted
from pylogic_sudoku.files import save

from .families import PROBLEM
from .ingredients import (
    CLASP,
    DISTINCT,
    EVERY,
    EXPERIMENT,
    GROUPS,
    LABELING,
    LAZY,
    NO_RESTART,
    PAIRS,
    PLAIN,
    WEIGHTS,
)
from .worker import Question

Records = Sequence[dict[str, Any]]
Where = tuple[str, str]
"""A family and a group."""

TABLES: dict[str, dict[Where, str]] = {
    "Instances made from seeds": {
        ("sudoku", "made, easy"): "made, easy",
        ("sudoku", "made, minimal"): "made, minimal",
        ("sudoku", "made, extreme"): "made, extreme",
        ("sudoku", "made, 16x16"): "made, 16x16",
        ("sudoku", "made, 25x25"): "made, 25x25",
        ("sudoku", "made, hard"): "made, hard (16x16, 25x25)",
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
APART: tuple[Where, ...] = tuple(("sudoku", name) for name in ("made, minimal", "17 clues", "hard"))
"""The groups whose work is taken apart."""
ASKED: dict[Question, str] = {
    "one": "One solution, cold",
    "unique": "Is it the only one? Cold",
    "stream": "Is it the only one? Warm",
    "all": "All, up to 1,000",
}
"""A contestant is cold if nothing is prepared, and warm if it has just solved such a puzzle.

Whoever keeps nothing is never warm, so its cold time stands there, too.
"""
BRINGS = {
    "clasp: learning, with pairs": ((PAIRS, PLAIN), (PAIRS, CLASP)),
    "clasp: learning, with every digit": ((EVERY, PLAIN), (EVERY, CLASP)),
    "clasp: every digit, no learning": ((PAIRS, PLAIN), (EVERY, PLAIN)),
    "clasp: every digit, learning": ((PAIRS, CLASP), (EVERY, CLASP)),
    "clpfd: every digit": ((PAIRS, LABELING), (EVERY, LABELING)),
    "clpfd: all at once instead": ((EVERY, LABELING), (DISTINCT, LABELING)),
    "clpfd: weights, with every digit": ((EVERY, LABELING), (EVERY, WEIGHTS)),
}
"""Pairs of statement and search: the time of the first is divided by that of the second."""
CHANGED = 1.5
"""A ratio of two times that is at least this counts as a clear difference."""
BEGIN, END = "<!-- study: begin -->", "<!-- study: end -->"


@dataclass
class Result:
    """The result of a contestant on a question in a group."""

    limit: float
    by_number: dict[int, float] = field(default_factory=dict)
    """Seconds of the processor for each instance, by its number in the group; twice the limit if
    it did not finish."""
    late: set[int] = field(default_factory=set)
    """The numbers of those that it did not finish."""
    done: int = 0
    work: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    trees: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Choices and dead ends for each instance that it finished, if it counts them."""

    def add(self, record: dict[str, Any]) -> None:
        """Count a record."""
        number = record["number"]
        if record["status"] == "done":
            self.done += 1
            self.by_number[number] = record["seconds"]
            for name in ("setup", "propagation", "search", "choices", "conflicts", "left"):
                if name in record:
                    self.work[name].append(record[name])
            if "choices" in record and "conflicts" in record:
                self.trees[number] = record["choices"], record["conflicts"]
        else:
            self.by_number[number] = 2 * self.limit
            self.late.add(number)

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
    warm = {where for where, _, question in found if question == "stream"}
    for where, name, question in list(found):
        if where in warm and question == "unique":
            stream = found.get((where, name, "stream"))
            if not stream or not stream.done:  # it keeps nothing, so it is the same question
                found[where, name, "stream"] = found[where, name, question]
    return found


def seconds(number: float) -> str:
    """A time with two or three figures and its unit."""
    if number >= 0.9995:
        return f"{number:.3g} s" if number < 99.95 else f"{number:.0f} s"
    return f"{1000 * number:.2g} ms" if number < 0.0995 else f"{1000 * number:.0f} ms"


Run = tuple[dict[str, Any], Records]
"""The head of a file, and its records."""


def tables(run: Run, repeat: Run | None = None) -> str:
    """All tables in Markdown."""
    return "\n\n".join([times(run), ratios(run, repeat), learning(run, repeat)])


def times(run: Run) -> str:
    """The tables of times, with a paragraph on how they were made."""
    head, records = run
    found = results(head, records)
    sections = {
        title: "\n\n".join(
            f"{origin}:\n\n{_by_group(head, found, question, columns)}"
            for origin, groups in TABLES.items()
            if (columns := [where for where in groups if _has(found, where, question)])
        )
        for question, title in ASKED.items()
    }
    sections["Bundled problems"] = _of_problems(head, found)
    return "\n\n".join([_how(head, records, found), *_parts(sections)])


def ratios(run: Run, repeat: Run | None = None) -> str:
    """The tables that compare times, and those of the work on one puzzle.

    With a repeat, which has other seeds, they say which orders have changed.
    """
    head, records = run
    found = results(head, records)
    again = results(*repeat) if repeat else {}
    sections = {
        "Which paradigm is ahead": _ahead(head, found, again),
        "Orders with the other seed": _orders(head, found, again) if again else "",
    }
    for where in APART:
        if _has(found, where, "one"):
            sections[f"The work on one {COLUMNS[where]} puzzle"] = _apart(head, found, where)
    return "\n\n".join(_parts(sections))


def learning(run: Run, repeat: Run | None = None) -> str:
    """The tables of the experiment: statements by searches, and what each ingredient brings."""
    found = results(*run)
    again = results(*repeat) if repeat else {}
    sections = {
        "Search trees without learning": _trees(found),
        "Statements and searches": _experiment(found),
        "Worth of each ingredient": _brings(found, again),
    }
    return "\n\n".join(_parts(sections))


def _parts(sections: dict[str, str]) -> list[str]:
    return [f"### {title}\n\n{text}" for title, text in sections.items() if text]


def _has(found: Results, where: Where, question: Question) -> bool:
    """True if somebody was asked the question in this group."""
    return any(key[0] == where and key[2] == question for key in found)


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
        f" Seed: {head.get('seed', 'none')}."
    )


def _by_group(
    head: dict[str, Any], found: Results, question: Question, columns: Sequence[Where]
) -> str:
    asked = {
        where: max(len(r.times) for key, r in found.items() if key[0] == where) for where in columns
    }
    rows = []
    apart = {name for name, each in head["contestants"].items() if each.get("ingredient")}
    best = {
        where: min(
            r.par2
            for (w, name, q), r in found.items()
            if (w, q) == (where, question) and name not in apart
        )
        for where in columns
    }
    for name, contestant in head["contestants"].items():
        if name in apart or not any((where, name, question) in found for where in columns):
            continue
        row = [f"{name} ({contestant['paradigm']})"]
        for where in columns:
            result = found.get((where, name, question))
            text = str(result) if result else "-"
            row.append(f"**{text}**" if result and result.par2 == best[where] else text)
        rows.append(row)
    heads = [f"{COLUMNS[where]} ({asked[where]})" for where in columns]
    return _table(["contestant", *heads], rows)


def _of_problems(head: dict[str, Any], found: Results) -> str:
    """The times of the programs of each problem, for all answers."""
    rows = []
    for problem in sorted({where[1] for where, _, _ in found if where[0] == PROBLEM}):
        where = (PROBLEM, problem)
        times = {
            name: result
            for name in head["contestants"]
            if (result := found.get((where, name, "all")))
        }
        if not times:
            continue
        number = max(len(result.times) for result in times.values())
        main = [str(times.pop(name, "-")) for name in ("clingo", "prolog")]
        others = ", ".join(f"{name} {result}" for name, result in times.items())
        rows.append([f"{problem} ({number})", *main, others])
    if not rows:
        return ""
    heads = ["problem", "clingo", "prolog", "other programs"]
    return "All answers, up to 1,000, of each instance of the problem's folder, cold.\n\n" + _table(
        heads, rows
    )


def _ahead(head: dict[str, Any], found: Results, again: Results) -> str:
    """The ratio of the best constraint program's time to that of the best answer set program.

    Empty unless both took part.
    """
    rows = []
    for (where, name), (question, title) in product(COLUMNS.items(), ASKED.items()):
        best: dict[str, str] = {}
        for paradigm in ("CLP", "ASP"):
            asked = [
                each
                for each, contestant in head["contestants"].items()
                if contestant["paradigm"] == paradigm
                and not contestant.get("ingredient")
                and (where, each, question) in found
            ]
            if asked:
                best[paradigm] = min(asked, key=lambda each: found[where, each, question].par2)
        if len(best) < 2:
            continue
        clp, asp = (best[paradigm] for paradigm in ("CLP", "ASP"))
        keys = (where, clp, question), (where, asp, question)
        if ratio := _ratio(found, *keys):
            row = [name, title, clp, asp, str(ratio.pairs), str(ratio), ratio.verdict("CLP", "ASP")]
            if again:
                row.append(f"{_ratio(again, *keys) or '-'}")
            rows.append(row)
    if not rows:
        return ""
    heads = ["group", "question", "best CLP", "best ASP", "instances", "CLP / ASP", "ahead"]
    return (
        "For each instance, the time of the best constraint program is divided by that of the best"
        " answer set program. Here is the median of these ratios, with a 95 % interval from 2,000"
        " bootstrap samples of the instances; where the interval holds 1, neither is ahead. A time"
        " limit counts twice. Instances on which both were out of time are left out; > and < stand"
        " where one of them was on most.\n\n"
        + _table([*heads, "with the other seed"] if again else heads, rows)
    )


class Ratio(NamedTuple):
    """The median of the ratios of two times, instance by instance."""

    middle: float
    low: float
    high: float
    pairs: int
    bound: str = ""
    """``">"`` or ``"<"`` if one of the two was out of time on most instances."""

    def verdict(self, one: str, other: str) -> str:
        """The name of the one that takes less time; ``"-"`` if the interval holds 1."""
        return other if self.low > 1 else one if self.high < 1 else "-"

    def __str__(self) -> str:
        low, middle, high = (f"{number:.2g}" for number in (self.low, self.middle, self.high))
        middle, low, high = (
            f"{round(float(text)):,}" if "e" in text else text for text in (middle, low, high)
        )
        spread = "" if low == high else f" ({low} to {high})"
        return f"{self.bound}{' ' if self.bound else ''}{middle}{spread}"


Key = tuple[Where, str, Question]


def _ratio(found: Results, one: Key, other: Key) -> Ratio | None:
    """The ratio of the times of two results, where at least one of them was in time.

    None if there is no such instance.
    """
    if one not in found or other not in found:
        return None
    mine, theirs = found[one], found[other]
    numbers = mine.by_number.keys() & theirs.by_number.keys() - (mine.late & theirs.late)
    pairs = [mine.by_number[number] / theirs.by_number[number] for number in sorted(numbers)]
    if not pairs:
        return None
    late = [2 * len(each.late & numbers) > len(numbers) for each in (mine, theirs)]
    bound = ">" if late[0] else "<" if late[1] else ""
    return Ratio(median(pairs), *interval(pairs), len(pairs), bound)


def _orders(head: dict[str, Any], found: Results, again: Results) -> str:
    """The number of pairs of contestants that are in another order in the repeat."""
    pairs = changed = clearly = 0
    for (where, question), (one, other) in product(
        sorted({(where, question) for where, _, question in found if question != "left"}),
        combinations(head["contestants"], 2),
    ):
        keys = (where, one, question), (where, other, question)
        if not all(key in found and key in again and found[key].done for key in keys):
            continue
        before, after = (run[keys[0]].par2 / run[keys[1]].par2 for run in (found, again))
        pairs += 1
        if (before < 1) != (after < 1):
            changed += 1
            clearly += min(max(each, 1 / each) for each in (before, after)) >= CHANGED
    share = f"{changed / (pairs or 1):.1%}"
    return (
        f"Of {pairs:,} pairs of contestants to which both runs put the same question in the same"
        f" group, {changed:,} ({share}) are in another order with the other seed. In {clearly:,} of"
        f" these, one takes at least {CHANGED:g} times as long as the other in both runs."
    )


def _trees(found: Results) -> str:
    """The size of the two searches that step back once at a time, before the ratio of their times.

    Medians over the instances that both finished; empty if there is none.
    """
    rows = []
    for (where, group), statement in product(GROUPS.items(), (PAIRS, EVERY)):
        keys: list[Key] = [
            (where, EXPERIMENT[statement][search], "one") for search in (LABELING, PLAIN)
        ]
        if not all(key in found for key in keys):
            continue
        one, other = (found[key].trees for key in keys)
        if both := sorted(one.keys() & other.keys()):
            sizes = [
                f"{median(tree[number][part] for number in both):,.0f}"
                for part in (0, 1)
                for tree in (one, other)
            ]
            times = [
                median(found[keys[0]].by_number[n] / found[keys[1]].by_number[n] for n in both)
            ]
            rows.append([f"{group} ({len(both)})", statement, *sizes, f"{times[0]:.2g}"])
    if not rows:
        return ""
    heads = ["group", "statement", "choices: labeling", "clasp", "dead ends: labeling", "clasp"]
    return (
        "Both step back once at a time, but a labeling takes a cell with the fewest digits left,"
        " and clasp the first open atom. So their trees come before their times. Medians for one"
        " solution, over the instances that both finished.\n\n"
        + _table([*heads, "time: labeling / clasp"], rows)
    )


def _experiment(found: Results) -> str:
    """A table for each group, by statement and search."""
    parts = []
    searches = (LABELING, WEIGHTS, PLAIN, NO_RESTART, CLASP, LAZY)
    for where, name in GROUPS.items():
        if not _has(found, where, "unique"):
            continue
        rows = []
        for statement, by_search in EXPERIMENT.items():
            names = [by_search.get(search, "") for search in searches]
            times = [found.get((where, name, "unique")) for name in names]
            rows.append([statement, *(str(each) if each else "-" for each in times)])
        number = max(len(r.times) for key, r in found.items() if key[0] == where)
        parts += [f"{name} ({number}):", _table(["statement", *searches], rows)]
    return "\n\n".join(parts)


def _brings(found: Results, again: Results) -> str:
    """Medians of ratios for each change of statement or search."""
    groups = {where: name for where, name in GROUPS.items() if _has(found, where, "one")}
    rows = []
    for title, pair in BRINGS.items():
        one, other = (EXPERIMENT[statement][search] for statement, search in pair)
        row = [title]
        for where in groups:
            keys: tuple[Key, Key] = (where, one, "unique"), (where, other, "unique")
            both = [_ratio(run, *keys) for run in (found, again) if run]
            row.append("; ".join(str(each) if each else "-" for each in both))
        rows.append(row)
    return _table(["times as fast by", *groups.values()], rows) if groups else ""


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
    for name, contestant in head["contestants"].items():
        one, knows = found.get((where, name, "one")), found.get((where, name, "left"))
        if not one or contestant.get("ingredient"):
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


def write_page(page: Path, made: str) -> None:
    """Put text between the two marks of a page."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page} lacks the lines {BEGIN} and {END}")
    save(page, f"{before}{BEGIN}\n\n{made}\n\n{END}{after}")
