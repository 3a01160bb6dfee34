"""Types are exact: what the documents do with answers passes mypy, and a wrong name does not."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from helpers.documents import ROOT, blocks
from mypy import api

PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]

WRONG = """\
import pylogic_sudoku as pls
pls.solv("1")
pls.why("1", "r1c1").rule
answer = pls.conflicts("1")
answer.solution.rows
assert isinstance(answer, pls.Solvable)
answer.solution.rows
"""

pytestmark = pytest.mark.slow  # mypy reads the whole package, and numpy's types


def program(page: Path) -> str:
    """All Python of a page, sessions and programs, as one program."""
    return "\n".join(
        doctest.script_from_examples(block) if block.startswith(">>> ") else block
        for block in blocks(page, "python")
    )


@pytest.fixture(scope="module")
def complaints(tmp_path_factory) -> list[str]:
    """What mypy says about the documents and the wrong program."""
    folder = tmp_path_factory.mktemp("programs")
    texts = {page.stem.lower(): program(page) for page in PAGES} | {"wrong": WRONG}
    files = [folder / f"{name}_program.py" for name, text in texts.items() if text]
    assert len(files) > 8
    for file in files:
        file.write_text(texts[file.stem.removesuffix("_program")], encoding="utf-8")
    said, errors, _ = api.run(
        [
            "--strict",
            "--no-pretty",
            "--allow-redefinition",  # at a prompt, names are bound again
            "--disable-error-code=import-untyped",
            "--untyped-calls-exclude=distributed",
            f"--cache-dir={folder / 'cache'}",
            *map(str, files),
        ]
    )
    assert not errors
    return [line.replace(f"{folder}/", "") for line in said.splitlines()[:-1]]


def test_the_python_of_the_documents_passes_mypy(complaints):
    assert [line for line in complaints if not line.startswith("wrong_program.py")] == []


def test_a_wrong_name_does_not_pass(complaints):
    wrong = [line for line in complaints if line.startswith("wrong_program.py")]
    found = {(int(line.split(":")[1]), line.rpartition("  ")[2]) for line in wrong}
    assert found == {(2, "[attr-defined]"), (3, "[union-attr]"), (5, "[union-attr]")}
    assert wrong[0].endswith(
        'error: Module has no attribute "solv"; maybe "solve"?  [attr-defined]'
    )
