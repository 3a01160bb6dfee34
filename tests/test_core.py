"""A question about any problem loads no module that knows a cell."""

from __future__ import annotations

import sys

import pytest
from helpers.processes import ended

import parts

BEGIN = """
import sys
import pylogic_sudoku as pls
six = pls.Problem("queens").instance("size(6).")
line = pls.Answer([pls.Atom("queen", (row, row)) for row in range(1, 7)])
"""
END = """
print(*(name for name in sys.modules if name.startswith("pylogic_sudoku")))
"""
QUESTIONS = {
    "solve": "assert pls.solve(six, NAME)",
    "count": "assert pls.count(six, NAME) == 4",
    "candidates": "assert len(pls.candidates(six, NAME)) == 24",
    "propagate": "assert len(pls.propagate(six, NAME)) == 36",
    "trace": "assert list(pls.trace(six, NAME))",
    "many": "assert all(pls.solve_many([six], NAME))",
    "refusal": "assert pls.refusal(six, line, NAME).lines",
    "compare": "assert pls.compare(six, (NAME, 'clingo:queens', 'prolog:queens')[:1]).agree",
}


def loaded(code: str) -> list[str]:
    """The modules of the package that a program loads in a process of its own."""
    return ended(sys.executable, "-c", f"{BEGIN}{code}{END}").stdout.split()


@pytest.mark.parametrize("name", ["clingo", "prolog"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_about_queens_loads_no_module_of_sudoku(question, name):
    table, _ = parts.table()
    modules = loaded(QUESTIONS[question].replace("NAME", repr(name)))
    assert "pylogic_sudoku.engines.problems" in modules
    assert [each for each in modules if parts.part_of(each, table) != "core"] == ["pylogic_sudoku"]


def test_a_puzzle_loads_them():
    modules = loaded("assert pls.solve('4......3...13...')")
    assert {"pylogic_sudoku.puzzle", "pylogic_sudoku.engines.sudoku"} <= {*modules}


def test_prolog_loads_none_of_its_files_either(tmp_path):
    """Which the program itself sees: it answers with what is loaded beside it."""
    folder = tmp_path / "seen"
    folder.mkdir()
    (folder / "seen.pl").write_text(
        "answer(Atoms) :-\n"
        "    findall(file(Name), ( source_file(File), file_base_name(File, Name) ), Atoms).\n",
        encoding="utf-8",
    )
    (folder / "problem.toml").write_text('output = ["file/1"]\n', encoding="utf-8")
    code = f"print(*pls.solve(pls.Problem({str(folder)!r}).instance(''), 'prolog'))\n"
    files = ended(sys.executable, "-c", f"{BEGIN}{code}").stdout
    assert "bridge" in files
    assert "instances.pl" in files
    assert [each for each in files.split() if "sudoku" in each or "rule" in each] == []
