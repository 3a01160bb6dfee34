#!/usr/bin/env python3
"""Count the imports that run the wrong way: from the core to sudoku, or to a door.

    python scripts/parts.py

Imports for type checkers alone do not count, since they load nothing.

The core is what any problem needs and knows no cell; sudoku stands on it; doors know both. The
table in pyproject.toml, under tool.parts, says to which part a module belongs: the longest name
there that it starts with counts.

The exit code is 1 if there are such imports, if a module has no part, or if a name stands for no
module.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "pylogic_sudoku"
BELOW = {"core": {"core"}, "sudoku": {"core", "sudoku"}, "doors": {"core", "sudoku", "doors"}}
"""The parts that a module of each part may import."""


def table() -> dict[str, str]:
    """The part of each name."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["parts"]
    return {name: part for part in BELOW for name in settings[part]}


def part_of(module: str, parts: dict[str, str]) -> str | None:
    """The part of a module: that of the longest name in the table that it starts with."""
    name = module.removeprefix(PACKAGE).lstrip(".") or "__init__"
    while name not in parts and "." in name:
        name = name.rpartition(".")[0]
    return parts.get(name)


def wrong_pairs(parts: dict[str, str]) -> list[tuple[str, str]]:
    """The pairs of modules, the first of which imports the second and should not know it."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None, exclude_type_checking_imports=True)
    return [
        (module, other)
        for module in sorted(graph.modules)
        for other in sorted(graph.find_modules_directly_imported_by(module))
        if part_of(other, parts) not in BELOW[part_of(module, parts) or "doors"]
    ]


def main() -> int:
    parts = table()
    modules = grimp.build_graph(PACKAGE).modules
    names = {each.removeprefix(PACKAGE).lstrip(".") or "__init__" for each in modules}
    faults = [
        f"{each} has no part: name it in pyproject.toml, tool.parts"
        for each in sorted(modules)
        if part_of(each, parts) is None
    ]
    faults += [
        f"tool.parts names {each}, but there is no such module" for each in sorted({*parts} - names)
    ]
    pairs = wrong_pairs(parts)
    for module, other in pairs:
        print(f"{module} -> {other}")
    sizes = Counter(part_of(each, parts) for each in modules)
    print(*(f"{part}: {sizes[part]} modules" for part in BELOW), sep=", ", end=". ")
    print(f"Pairs that run the wrong way: {len(pairs)}.")
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    return 1 if faults or pairs else 0


if __name__ == "__main__":
    sys.exit(main())
