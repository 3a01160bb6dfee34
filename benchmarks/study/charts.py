"""The results of a run, as five pictures that can be read on a phone and in grey."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from math import inf, isinf
from pathlib import Path
from statistics import fmean
from typing import Any

from .families import MIDDLE, PEAK
from .ingredients import CLASP, EVERY, EXPERIMENT, GROUPS, LABELING, PAIRS, PLAIN
from .report import COLUMNS, Records, Results, Where, results

GREY = "#7d828c"
"""Text and lines that can be read on white and on black."""
LOOKS = {
    "ASP": ("#2f7ed8", "o"),
    "CLP": ("#d9722e", "s"),
    "Prolog": ("#b59b00", "^"),
    "SAT": ("#2a9d6f", "D"),
    "CP": ("#9a5fc4", "P"),
    "SMT": ("#c2487f", "X"),
}
"""Colour and marker of a paradigm; the marker alone is enough."""
FOLLOWED = ("clingo", "clingo:pairwise", "prolog", "prolog:first_fail", "sat", "OR-tools", "Z3")
"""The lines of the charts of growth and of the phase transition."""
KNOWING: tuple[Where, ...] = (("sudoku", "17 clues"), ("sudoku", "made, minimal"))
"""The groups of the chart of candidates, the first one that a run has."""
INGREDIENTS = {
    "neither": (PAIRS, PLAIN, "#7d828c", "o"),
    "every digit": (EVERY, PLAIN, "#d9722e", "s"),
    "learning": (PAIRS, CLASP, "#9a5fc4", "D"),
    "both": (EVERY, CLASP, "#2f7ed8", "P"),
    "neither, clpfd": (PAIRS, LABELING, "#7d828c", "o"),
    "every digit, clpfd": (EVERY, LABELING, "#d9722e", "s"),
}
"""Statement, search, colour and marker of the points of the chart of ingredients; clpfd's are
hollow, the others are clasp's."""
DASHES = ("-", "--", "-.", ":")


def draw(folder: Path, head: dict[str, Any], records: Records) -> None:
    """Write the five charts, ``study-*.svg``, into the folder; ImportError without matplotlib."""
    # On a slow machine it would say that it builds its font cache.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    matplotlib: Any = import_module("matplotlib")
    matplotlib.use("agg")
    figures: Any = import_module("matplotlib.figure")
    found = results(head, records)
    style = dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), GREY
    )
    own = {"svg.hashsalt": "study", "font.size": 13, "grid.color": GREY, "grid.alpha": 0.35}
    charts: dict[str, Callable[..., None]] = {
        "families": _families,
        "growth": partial(
            _lines,
            followed=FOLLOWED,
            pattern=rf"order (\d+), {PEAK} % holes",
            across=f"order of a quasigroup with {PEAK} % holes",
        ),
        "knowing": _knowing,
        "ingredients": _ingredients,
        "transition": partial(
            _lines,
            followed=FOLLOWED,
            pattern=rf"order {MIDDLE}, (\d+) % holes",
            across=f"percent of holes in a quasigroup of order {MIDDLE}",
        ),
    }
    folder.mkdir(exist_ok=True)
    with matplotlib.rc_context({**style, **own}):
        for name, chart in charts.items():
            figure = figures.Figure(figsize=(7.5, 6), layout="constrained")
            axes = figure.subplots()
            axes.spines[["top", "right"]].set_visible(False)
            axes.grid(alpha=0.35)
            chart(axes, head, found)
            file = folder / f"study-{name}.svg"
            figure.savefig(file, transparent=True, metadata={"Date": None})


def _families(axes: Any, head: dict[str, Any], found: Results) -> None:
    """The best of each paradigm in each group of the table."""
    columns = [where for where in COLUMNS if any(key[0] == where for key in found)]
    for paradigm, (color, marker) in LOOKS.items():
        names = [n for n, each in head["contestants"].items() if each["paradigm"] == paradigm]
        best = [_best(found, where, names) for where in columns]
        places = [(number, place) for place, number in enumerate(best) if number < inf]
        if places:
            axes.scatter(
                *zip(*places, strict=True),
                color=color,
                marker=marker,
                s=90,
                label=paradigm,
                alpha=0.85,
                linewidths=0,
            )
    axes.set_yticks(range(len(columns)), [COLUMNS[where] for where in columns])
    axes.invert_yaxis()
    _time(axes.xaxis, axes.set_xscale)
    axes.set_xlabel("one solution, PAR-2, best of each paradigm")
    axes.figure.legend(loc="outside upper center", ncols=6, frameon=False, handletextpad=0.1)


def _ingredients(axes: Any, head: dict[str, Any], found: Results) -> None:
    """The time without and with propagation of every digit, and without and with learning."""
    groups = [
        where
        for where in GROUPS
        if any((where, name, "unique") in found for name in head["contestants"])
    ]
    for number, (label, looks) in enumerate(INGREDIENTS.items()):
        statement, search, color, marker = looks
        apart = 0.08 * (number - (len(INGREDIENTS) - 1) / 2)
        results = [found.get((where, EXPERIMENT[statement][search], "unique")) for where in groups]
        points = [(each.par2, place + apart) for place, each in enumerate(results) if each]
        if points:
            axes.scatter(
                *zip(*points, strict=True),
                label=label,
                marker=marker,
                edgecolors=color,
                facecolors="none" if search == LABELING else color,
                linewidths=2,
                s=90,
                alpha=0.85,
            )
    axes.set_yticks(range(len(groups)), [GROUPS[where] for where in groups])
    axes.invert_yaxis()
    _time(axes.xaxis, axes.set_xscale)
    late = 2 * head["seconds"]
    axes.set_xlabel(f"two solutions or a proof, PAR-2 ({late:g} s: out of time)")
    axes.figure.legend(loc="outside upper center", ncols=3, frameon=False, handletextpad=0.1)


def _best(found: Results, where: Where, names: Sequence[str]) -> float:
    answers = [found[where, n, "one"] for n in names if (where, n, "one") in found]
    return min((answer.par2 for answer in answers if answer.done), default=inf)


def _lines(
    axes: Any,
    head: dict[str, Any],
    found: Results,
    followed: Sequence[str],
    pattern: str,
    across: str,
) -> None:
    """The median time by the number in the names of groups that match, which is `across`.

    A line for each contestant that is followed, with its name at the end.
    """
    ends: list[tuple[float, float, str, str]] = []
    ticks: set[int] = set()
    for number, name in enumerate(each for each in followed if each in head["contestants"]):
        points = sorted(
            (int(match[1]), result.middle)
            for (where, who, question), result in found.items()
            if (who, question) == (name, "one") and (match := re.fullmatch(pattern, where[1]))
        )
        points = [(x, y) for x, y in points if not isinf(y)]
        if not points:
            continue
        ticks.update(x for x, _ in points)
        color, marker = LOOKS[head["contestants"][name]["paradigm"]]
        dashes = DASHES[number % len(DASHES)]
        axes.plot(*zip(*points, strict=True), color=color, marker=marker, linestyle=dashes)
        ends.append((*points[-1], name, color))
    _time(axes.yaxis, axes.set_yscale)
    axes.set_xlabel(across)
    axes.set_ylabel("one solution, median")
    axes.set_xticks(sorted(ticks))
    axes.margins(x=0.05)
    _name(axes, ends)


def _name(axes: Any, ends: list[tuple[float, float, str, str]], right: bool = True) -> None:
    """Write the names beside the ends of lines, so far apart that they can be read."""
    axes.figure.draw_without_rendering()
    gap = 16.0  # points of the screen
    to_screen, below = axes.transData.transform, -inf
    for x, y, name, color in sorted(ends, key=lambda end: end[1]):
        at = to_screen((x, y))[1] * 72 / axes.figure.dpi
        place = max(at, below + gap)
        below = place
        axes.annotate(
            name,
            (x, y),
            (10 if right else -10, place - at),
            textcoords="offset points",
            color=color,
            ha="left" if right else "right",
            va="center",
            annotation_clip=False,
        )


def _knowing(axes: Any, head: dict[str, Any], found: Results) -> None:
    """The candidates left by propagation and the time of the answer, on puzzles of few givens."""
    asked = [where for where in KNOWING if any(key[0] == where for key in found)]
    if not asked:
        return
    where = asked[0]
    ends = []
    for name, contestant in head["contestants"].items():
        one, knows = found.get((where, name, "one")), found.get((where, name, "left"))
        if not (one and knows and one.done and knows.work["left"]):
            continue
        color, marker = LOOKS[contestant["paradigm"]]
        x, y = fmean(knows.work["left"]), one.par2
        axes.scatter([x], [y], color=color, marker=marker, s=90, alpha=0.85, linewidths=0)
        ends.append((x, y, name, color))
    _time(axes.yaxis, axes.set_yscale)
    axes.margins(x=0.45)
    axes.set_xlabel(f"candidates that propagation leaves of 729 ({COLUMNS[where]}, mean)")
    axes.set_ylabel("one solution, PAR-2")
    columns = sorted({round(x) for x, *_ in ends})
    for column in columns:
        _name(axes, [end for end in ends if round(end[0]) == column], right=column != columns[0])


def _time(axis: Any, set_scale: Any) -> None:
    """A logarithmic axis of seconds, in words."""
    set_scale("log")

    def words(value: float, _place: int) -> str:
        return f"{value:g} s" if value >= 1 else f"{1000 * value:g} ms"

    axis.set_major_formatter(words)
    axis.set_minor_formatter(lambda _value, _place: "")
