"""Figures of a search, and the smallest cases as reports that a maintainer could take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .search import Difference, Share, shape

__all__ = ["distinct", "lines", "write_reports"]


def distinct(found: Sequence[Difference]) -> list[tuple[Difference, list[str]]]:
    """The smallest case of each shape, with all who are wrong on one of it."""
    kept: dict[tuple[str, str], tuple[Difference, list[str]]] = {}
    for each in sorted(found, key=lambda each: (len(each.text), each.text, each.contestant)):
        _, names = kept.setdefault((shape(each.text), each.verdict), (each, []))
        if each.contestant not in names:
            names.append(each.contestant)
    return list(kept.values())


def lines(kind: str, done: Sequence[Share], asked: Sequence[str]) -> list[str]:
    """The figures: cases, contestants with what they did wrong, and the smallest cases."""
    cases = sum(share.last - share.first for share in done)
    said = [f"{kind}: {cases:,} cases, contestants: {len(asked)}"]
    for name in asked:
        counts: dict[str, int] = {}
        for share in done:
            for words, number in share.wrong.get(name, {}).items():
                counts[words] = counts.get(words, 0) + number
        each = ", ".join(f"{words} {number}" for words, number in sorted(counts.items()))
        said.append(f"  {name}: {each or 'all right'}")
    for difference, names in distinct([each for share in done for each in share.found]):
        said += ["", f"{difference.verdict}: {'; '.join(names)}  (case {difference.number})"]
        said += [f"    {line}" for line in difference.text.splitlines()]
        said.append(f"    right: {_shown(difference.right)}")
        said.append(f"    given: {_shown(difference.reply)}")
    return said


def _shown(answers: Any) -> str:
    if not isinstance(answers, list):
        return "nothing" if answers is None else str(answers)
    most = 8
    texts = ["{" + ", ".join(map(str, each)) + "}" for each in answers[:most]]
    more = [f"and {len(answers) - most} more"] if len(answers) > most else []
    return " ".join([*texts, *more]) or "none"


def write_reports(folder: Path, done: Sequence[Share]) -> list[Path]:
    """Write a file for each smallest case, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, (each, names) in enumerate(
        distinct([each for share in done for each in share.found]), 1
    ):
        name = re.sub(r"\W+", "-", f"{number:03} {each.verdict} {each.contestant}").strip("-")
        path = folder / f"{name}.md"
        path.write_text(_report(each, names), encoding="utf-8")
        written.append(path)
    return written


def _report(each: Difference, names: Sequence[str]) -> str:
    engine, version, *options = each.contestant.split()
    if engine == "clingo":
        ask = " ".join(("clingo 0 --opt-mode=optN", *options, "program.lp"))
        how = f"`{ask}` on this program:"
        why = (
            "The right answers are the sets of atoms that satisfy the rules, and whose reduct has "
            "no smaller model, found by trying all sets."
        )
    else:
        how = f"Solutions of this query, with the options {options} for `labeling/2`:"
        why = "The right solutions are found by trying all values of the domains."
    return (
        f"# {engine} {version}: {each.verdict}\n\n{how}\n\n```\n{each.text}```\n\n"
        f"expected: {_shown(each.right)}\n\ngiven: {_shown(each.reply)}\n\n{why}\n\n"
        f"Wrong in the same way: {'; '.join(names)}.\n"
    )
