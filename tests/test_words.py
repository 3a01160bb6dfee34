"""The words of docstrings, comments, messages and documents, which CONTRIBUTING.md asks for."""

from __future__ import annotations

import ast
import re
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("benchmarks", "docs", "encodings", "playground", "problems", "prolog", "pylogic_sudoku")
ENDINGS = {".py", ".pl", ".lp", ".js", ".css", ".html", ".md", ".toml"}
FILES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "Makefile", "pack.pl")),
    *(
        path
        for name in (*FOLDERS, "scripts", "tests")
        for path in sorted((ROOT / name).rglob("*"))
        if path.suffix in ENDINGS and "node_modules" not in path.parts
    ),
]


def rows() -> list[list[str]]:
    """For each row of the table, the words that it is about."""
    _, _, words = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Words\n")
    table = re.findall(r"^\| (.*) \| .* \|$", words.partition("\n## ")[0], re.MULTILINE)
    return [re.findall("`([^`]+)`", row) for row in table if "`" in row]


BEGINNINGS, *others = rows()
PHRASES = [*chain(*others)]
BEGINNING = re.compile(rf"\s*({'|'.join(BEGINNINGS)})\b")
PHRASE = re.compile(rf"\b({'|'.join(PHRASES)})\b", re.IGNORECASE)


def docstrings(tree: ast.AST) -> list[ast.Constant]:
    """Those of modules, classes and functions, and the strings after values."""
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def test_the_table_has_words():
    assert BEGINNINGS[:2] == ["What", "How"]
    assert PHRASES[0].split() == ["also", "if"]
    assert len(FILES) > 500


@pytest.mark.parametrize("path", [ROOT / name for name in (*FOLDERS, "scripts", "tests")])
def test_docstrings_begin_with_a_noun_or_a_verb(path):
    found = [
        f"{file.relative_to(ROOT)}:{each.lineno}: {each.value.strip().splitlines()[0]}"
        for file in path.rglob("*.py")
        if "node_modules" not in file.parts
        for each in docstrings(ast.parse(file.read_text(encoding="utf-8")))
        if BEGINNING.match(each.value)
    ]
    assert found == []


def test_no_text_has_these_words():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if PHRASE.search(line)
    ]
    assert found == []
