#!/usr/bin/env python3
"""Count the imports that run the wrong way: from the core to sudoku, or to a door.

    python scripts/parts.py

Imports for type checkers alone do not count, since they load nothing.

The core is what any problem needs and knows no cell; sudoku stands on it; doors know both. The
table in pyproject.toml, under tool.parts, says to which part a module belongs: the longest name
there that it starts with counts.

A module whose name is in a string is imported, too, and no tool for imports sees it; "?" is one
whose name is known only at run time. Those that must be are under tool.parts.strings, each with the
reason.

The exit code is 1 if there are such imports, if a string is not listed or a listed one is gone, if
a module has no part, or if a name stands for no module.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import grimp

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "pylogic_sudoku"
BELOW = {"core": {"core"}, "sudoku": {"core", "sudoku"}, "doors": {"core", "sudoku", "doors"}}
"""The parts that a module of each part may import."""
ANY = "?"
"""A module whose name is known only at run time."""
_IMPORT = ("import_module", "__import__")
_NAME = re.compile(rf"\b{PACKAGE}(?:\.\w+)+")


def settings() -> dict[str, Any]:
    """The section tool.parts of pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section: dict[str, Any] = tomllib.loads(text)["tool"]["parts"]
    return section


def table() -> dict[str, str]:
    """The part of each name."""
    section = settings()
    return {name: part for part in BELOW for name in section[part]}


def short(module: str) -> str:
    """The name of a module in the table."""
    return module.removeprefix(PACKAGE).lstrip(".") or "__init__"


def part_of(module: str, parts: dict[str, str]) -> str | None:
    """The part of a module: that of the longest name in the table that it starts with."""
    name = short(module)
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


def source(module: str) -> Path:
    """The file of a module."""
    path = ROOT / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def named_in(text: str, module: str, modules: Collection[str]) -> set[str]:
    """The modules that strings in the text of a module name; `ANY` if it imports by another name.

    Docstrings do not count.
    """
    tree = ast.parse(text)
    known = {"__name__": module}
    for each in tree.body:
        match each:
            case ast.Assign([ast.Name(name)], ast.Constant(str(value))):
                known[name] = value

    def told(node: ast.AST) -> str:
        match node:
            case ast.Constant(str(value)):
                return value
            case ast.Name(name):
                return known.get(name, ANY)
            case ast.FormattedValue(value):
                return told(value)
            case ast.JoinedStr(values):
                return "".join(map(told, values))
            case ast.BinOp(left, ast.Add(), right):
                return told(left) + told(right)
        return ANY

    docstrings = {each.value for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), [given, *_]) if (
                name in _IMPORT
            ):
                found |= {ANY} if ANY in told(given) else set()
            case ast.Constant() | ast.JoinedStr() | ast.BinOp() if node not in docstrings:
                for name in _NAME.findall(told(node)):
                    while name not in modules:
                        name = name.rpartition(".")[0]
                    found.add(name)
    return found - {PACKAGE}


def wrong_strings(parts: dict[str, str]) -> set[str]:
    """The same pairs for modules that are named by strings, as ``module -> other``."""
    modules = grimp.build_graph(PACKAGE, cache_dir=None).modules
    return {
        f"{short(module)} -> {other if other == ANY else short(other)}"
        for module in modules
        for other in named_in(source(module).read_text(encoding="utf-8"), module, modules)
        if (other == ANY and part_of(module, parts) == "core")
        or (other != ANY and part_of(other, parts) not in BELOW[part_of(module, parts) or "doors"])
    }


def main() -> int:
    parts = table()
    modules = grimp.build_graph(PACKAGE).modules
    names = {*map(short, modules)}
    faults = [
        f"{each} has no part: name it in pyproject.toml, tool.parts"
        for each in sorted(modules)
        if part_of(each, parts) is None
    ]
    faults += [
        f"tool.parts names {each}, but there is no such module" for each in sorted({*parts} - names)
    ]
    strings, listed = wrong_strings(parts), settings()["strings"]
    faults += [
        f"{each} by a string: import it, or list it in pyproject.toml, tool.parts.strings, with the"
        " reason"
        for each in sorted(strings - {*listed})
    ]
    faults += [f"tool.parts.strings has {each}, which is gone" for each in {*listed} - strings]
    pairs = wrong_pairs(parts)
    for module, other in pairs:
        print(f"{module} -> {other}")
    sizes = Counter(part_of(each, parts) for each in modules)
    print(*(f"{part}: {sizes[part]} modules" for part in BELOW), sep=", ", end=". ")
    print(f"Pairs that run the wrong way: {len(pairs)}, and {len(strings)} by strings.")
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    return 1 if faults or pairs else 0


if __name__ == "__main__":
    sys.exit(main())
