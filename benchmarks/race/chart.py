"""The result as a picture: rows of dots for each set."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib import import_module
from math import ceil, floor, inf, log10
from pathlib import Path
from statistics import median
from typing import Any

from .measure import Result, SetResult
from .solvers import OURS

FORMATS = (".svg", ".png", ".pdf")
BLUE, ORANGE = "#0072B2", "#D55E00"
"""Of our engines and of the others; people who are colour-blind can distinguish them."""


def require() -> Any:
    """Return matplotlib's figures; ImportError if it is not installed."""
    # On a slow machine it would say that it builds its font cache.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    import_module("matplotlib").use("agg")
    return import_module("matplotlib.figure")


def save(results: Sequence[SetResult], path: Path) -> None:
    """Write the chart in the format of its suffix (one of `FORMATS`)."""
    figures = require()
    panels = len(results)
    columns = min(2, panels)
    rows = ceil(panels / columns)
    most = max(len(_shown(result)) for result in results)
    figure = figures.Figure(
        figsize=(7 * columns, rows * max(4.0, 1.2 + 0.3 * most)), layout="constrained"
    )
    axes = iter(figure.subplots(rows, columns, squeeze=False).flat)
    for result in results:
        _dots(next(axes), result)
    for unused in axes:
        unused.set_axis_off()
    figure.savefig(path, dpi=150)


def _shown(result: SetResult) -> list[Result]:
    return [row for row in result.results if row.done and not row.wrong]


def _dots(axes: Any, result: SetResult) -> None:
    """Draw a dot for the median, a line for the range; a logarithmic axis has no base for bars."""
    rows = sorted(_shown(result), key=lambda row: -median(row.seconds))
    lowest, highest = inf, 0.0
    for place, row in enumerate(rows):
        low, middle, high = (1e3 * figure(row.seconds) for figure in (min, median, max))
        lowest, highest = min(lowest, low), max(highest, high)
        ours = row.contestant.removesuffix("-jobs") in (*OURS, "sat")
        color = BLUE if ours else ORANGE
        axes.plot([low, high], [place, place], color=color, linewidth=2)
        axes.plot([middle], [place], color=color, marker="o" if ours else "s", markersize=8)
        text = f"{middle:,.3g}" if middle < 1000 else f"{middle:,.0f}"
        axes.annotate(
            text, (high, place), (8, 0), textcoords="offset points", va="center", fontsize=9
        )
    axes.set_yticks(range(len(rows)), [row.contestant for row in rows])
    axes.set_ylim(-0.8, len(rows) - 0.2)
    axes.set_xscale("log")
    if rows:
        axes.set_xlim(10 ** floor(log10(lowest)), 10 ** ceil(log10(3 * highest)))
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.grid(axis="x", alpha=0.4)
    axes.grid(axis="y", alpha=0.2)
    axes.spines[["top", "right"]].set_visible(False)
    unit = "for each puzzle" if result.puzzles.task == "solve" else "for all"
    axes.set_xlabel(f"milliseconds {unit}: median and range of the rounds")
    axes.set_title(result.puzzles.name, loc="left", fontweight="bold")
