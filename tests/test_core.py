"""A question about any problem, and a grade, load no module that knows a cell."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from helpers.processes import ended
from helpers.programs import resource

import parts
import pylogic_sudoku as pls

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

PROGRAMS = {
    "asp": """
{ queen(R,1..N) } = 1 :- R = 1..N, size(N).
:- queen(R,C), queen(S,C), R < S.
:- queen(R,C), queen(S,D), R < S, |C-D| = S-R.
:- queen(1,2).
#show queen/2.
""",
    "prolog": """
:- use_module(library(clpfd)).
model([queen(1)-A, queen(2)-B, queen(3)-C, queen(4)-D]) :-
    [A,B,C,D] ins 1..4,
    A #\\= 2,
    all_distinct([A,B,C,D]),
    maplist([X-Y-K]>>(abs(X-Y) #\\= K), [A-B-1, B-C-1, C-D-1, A-C-2, B-D-2, A-D-3]).
""",
}
"""Programs for queens that lose an answer by their fifth line."""
GRADES = {
    "grade": """
from pylogic_sudoku.check import grade
from pylogic_sudoku.check.reports import FORMATS, write
from pylogic_sudoku.check.results import Report, mark
for program in PROGRAMS.values():
    [verdict] = grade(program, "size(4).", problem="queens")
    assert (verdict.way, verdict.diagnosis.places[0].line) == ("missing", 5)
    report = Report((mark("mine", verdict),), "Queens")
    assert all(write(report, form) for form in FORMATS)
""",
    "exercise": """
from pathlib import Path
from tempfile import TemporaryDirectory
from pylogic_sudoku.check import Grader
from pylogic_sudoku.check.folder import settings_in
from pylogic_sudoku.check.handout import make_exercise
with TemporaryDirectory() as name:
    folder = Path(name, "new")
    assert all(each.is_file() for each in make_exercise(folder, six.problem, Grader()))
    assert settings_in(folder).solutions
""",
    "mcp": """
from pylogic_sudoku.mcp import Tools
tools, instance = Tools("auto"), "size(4)."
for language, program in PROGRAMS.items():
    assert len(tools.solve(instance, program, language, "queens")["answers"]) == 1
    assert len(tools.propagate(instance, program, language, "queens")["atoms"]) == 15
    mine, ours = {"text": program, "language": language}, {"language": "asp"}
    assert tools.compare([mine, ours], [instance], "queens")["why"]["places"][0]["line"] == 5
    [result] = tools.check("queens", program, language, [instance])["results"]
    assert result["diagnosis"]["places"][0]["line"] == 5
""",
    "processes": "from pylogic_sudoku.check import refusals, watching",
}


def loaded(code: str) -> list[str]:
    """The modules of the package that a program loads in a process of its own."""
    return ended(sys.executable, "-c", f"{BEGIN}{code}{END}").stdout.split()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["clingo", "prolog"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_about_queens_loads_no_module_of_sudoku(question, name):
    table = parts.table()
    modules = loaded(QUESTIONS[question].replace("NAME", repr(name)))
    assert "pylogic_sudoku.engines.choice" in modules
    assert [each for each in modules if parts.part_of(each, table) != "core"] == ["pylogic_sudoku"]


@pytest.mark.one_in(4, 3)
@pytest.mark.parametrize("task", GRADES)
def test_a_grade_of_queens_loads_no_module_of_sudoku(task):
    table = parts.table()
    modules = loaded(f"PROGRAMS = {PROGRAMS!r}\n{GRADES[task]}")
    assert "pylogic_sudoku.check.reports" in modules
    assert [each for each in modules if parts.part_of(each, table) != "core"] == ["pylogic_sudoku"]


def test_a_grade_of_a_puzzle_loads_them():
    modules = loaded("from pylogic_sudoku.check import Exercise, Grader; Grader().task")
    assert {"pylogic_sudoku.check.exercise", "pylogic_sudoku.check.sudoku"} <= {*modules}


def test_a_puzzle_loads_them():
    modules = loaded("assert pls.solve('4......3...13...')")
    assert {"pylogic_sudoku.puzzle", "pylogic_sudoku.engines.sudoku"} <= {*modules}


def test_no_room_looks_which_question_it_has():
    places = ("cli/*.py", "questions/*.py", "engines/**/*.py", "page/*.py", "aio.py", "mcp.py")
    asked = re.compile(r"isinstance\([^)]*\bInstance\b|case Instance\b")
    files = [file for place in places for file in Path(pls.__file__).parent.glob(place)]
    assert len(files) > 50
    assert [file.name for file in files if asked.search(file.read_text())] == []


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


def test_no_file_of_the_host_names_sudoku():
    """But for the package's own name."""
    comments = re.compile(r"/\*.*?\*/|%.*?$", re.DOTALL | re.MULTILINE)
    files = sorted(resource("prolog/host").glob("*.pl"))
    codes = {path.name: comments.sub("", path.read_text(encoding="utf-8")) for path in files}
    assert {"bridge.pl", "questions.pl"} <= codes.keys()
    assert [
        name for name, code in codes.items() if "sudoku" in code.replace("pylogic_sudoku", "")
    ] == []
