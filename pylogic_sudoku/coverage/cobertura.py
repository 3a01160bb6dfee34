"""A coverage in the XML of Cobertura, which editors and CI services show beside the text."""

from __future__ import annotations

import os
from pathlib import Path
from time import time
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from .lines import hits
from .result import Coverage

__all__ = ["as_cobertura"]

HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
"""


def as_cobertura(coverage: Coverage) -> str:
    """The report; the names of files are relative to the current folder, if they are below it."""
    by_file = {file: hits(file, program) for program in coverage.programs for file in program.files}
    every = [number for lines in by_file.values() for number in lines.values()]
    source = _source(coverage.problem.folder)
    root = Element("coverage", _totals(every) | _NONE | {"timestamp": str(int(time()))})
    SubElement(SubElement(root, "sources"), "source").text = str(source)
    packages = SubElement(root, "packages")
    rates = {"line-rate": _rate(every), "branch-rate": "0", "complexity": "0"}
    package = SubElement(packages, "package", {"name": coverage.problem.name, **rates})
    classes = SubElement(package, "classes")
    for file, lines in by_file.items():
        rates["line-rate"] = _rate(list(lines.values()))
        name = os.path.relpath(file, source)
        each = SubElement(classes, "class", {"name": file.name, "filename": name, **rates})
        SubElement(each, "methods")
        listed = SubElement(each, "lines")
        for number, times in lines.items():
            SubElement(listed, "line", {"number": str(number), "hits": str(times)})
    indent(root)
    return HEAD + tostring(root, encoding="unicode") + "\n"


_NONE = {"branches-covered": "0", "branches-valid": "0", "branch-rate": "0", "complexity": "0"}


def _source(folder: Path) -> Path:
    """The current folder, or the problem's own if that is elsewhere."""
    here = Path.cwd()
    return here if folder.is_relative_to(here) else folder


def _totals(every: list[int]) -> dict[str, str]:
    from importlib.metadata import version

    return {
        "lines-valid": str(len(every)),
        "lines-covered": str(sum(map(bool, every))),
        "line-rate": _rate(every),
        "version": version("pylogic-sudoku"),
    }


def _rate(numbers: list[int]) -> str:
    return f"{sum(map(bool, numbers)) / len(numbers):.4g}" if numbers else "1"
