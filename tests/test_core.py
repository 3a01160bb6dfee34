"""A question about any problem loads no module that knows a cell."""

from __future__ import annotations

import sys
from pathlib import Path

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


PROLOG = {
    "solve": {"instances.pl"},
    "count": {"instances.pl"},
    "propagate": {"instances.pl", "watch.pl"},
    "trace": {"instances.pl", "watch.pl"},
    "measure": {"instances.pl", "watch.pl"},
    "refusal": {"instances.pl", "refusal.pl"},
}
"""Files that Prolog has loaded for a question, among others."""


@pytest.mark.parametrize("question", PROLOG)
def test_prolog_loads_none_of_its_files_either(question, tmp_path):
    """The program itself sees it: it writes down what is loaded beside it."""
    folder = tmp_path / "seen"
    folder.mkdir()
    (folder / "seen.pl").write_text(
        f"""\
:- use_module(library(clpfd)).
model([here-Here]) :-
    Here in 1..2,
    open('{tmp_path}/files', append, Stream),
    forall(source_file(File), format(Stream, "~w~n", [File])),
    close(Stream).
""",
        encoding="utf-8",
    )
    (folder / "problem.toml").write_text('output = ["here/1"]\n', encoding="utf-8")
    more = ", pls.Answer([pls.Atom('here', (3,))])" if question == "refusal" else ""
    ended(
        sys.executable,
        "-c",
        f"import pylogic_sudoku as pls\nseen = pls.Problem({str(folder)!r}).instance('')\n"
        f"asked = pls.{question}(seen{more}, 'prolog')\n"
        f"print(list(asked) if {question!r} == 'trace' else asked)\n",
    )
    files = {Path(line) for line in (tmp_path / "files").read_text().splitlines()}
    ours = {path for path in files if path.parts[-3:-1] == ("prolog", "host")}
    assert PROLOG[question] | {"bridge.pl"} <= {path.name for path in ours}
    assert [path for path in files if {"sudoku", "rules", "sudoku.pl"} & {*path.parts}] == []
