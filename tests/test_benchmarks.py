"""Each script that measures runs once, on little work, and gives the figures that it promises."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from helpers.command_line import MODULE, environment
from helpers.processes import ended
from helpers.programs import needed
from helpers.puzzles import LOOSE_ANSWER

from benchmarks import pair_faults, road, strangers, strangers_faults, students_lines, variants
from benchmarks.peers import Asked
from pylogic_sudoku import Puzzle
from pylogic_sudoku.problem import folder
from pylogic_sudoku.running import wasm

ROOT = Path(__file__).resolve().parent.parent
SMALL = "4......3...13...\n12..34......4321\n"
BOXES = [
    [f"r{row + i}c{column + j}" for i in (0, 1) for j in (0, 1)]
    for row in (1, 3)
    for column in (1, 3)
]
SINGLES = ":".join(f"{256 * int(digit) + cage}" for cage, digit in enumerate(LOOSE_ANSWER))
"""A killer in which each cell is a cage."""
SHARED = {  # published puzzles with rules, in the forms of the collections
    "iss-half.jsonl": json.dumps(
        {
            "name": "small",
            "solution": "1234341221434321",
            "puzzle": {
                **{"rows": 4, "cols": 4, "min": 1, "max": 4, "latin": True, "regions": BOXES},
                "allowed": {"r2c1": [3], "r3c1": [2], "r3c4": [3]},
                "rules": [{"rule": "thermometer", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"]}],
            },
        }
    ),
    "nine.txt": f"{LOOSE_ANSWER[:60]:.<81}\n",
    "killers.txt": f"# small\n3x3::k:{SINGLES}\n",
    "pairs/pick/pick.lp": "{ a(1..N) } = 1 :- size(N).\n#show a/1.\n",
    "pairs/pick/instances/one.lp": "size(2).\n",
    "jigsaw-layouts.txt": "# EASY_JIGSAW_LAYOUTS\n1122112233443344\n",
}
BINAIRO = ["0011", "1100", "0101", "1010"]
"""The rows of an answer."""
CELLS = [(x, y, value) for y, row in enumerate(BINAIRO, 1) for x, value in enumerate(row, 1)]
COURSE = {  # a project of a course, as it is published
    "binairo/asp/instances/one.lp": "grid(4).\nfilled(X,Y,V) :- is(X,Y,V).\n"
    + "".join(f"is({x},{y},{value}).\n" for x, y, value in CELLS),
    "binairo/asp/solutions/one.json": json.dumps(
        {
            "Call": [{"Witnesses": [{"Value": [f"select({x},{y},{v})" for x, y, v in CELLS]}]}],
            "Result": "SATISFIABLE",
            "Models": {"Number": 1, "More": "yes"},
        }
    ),
}
OUT = "figures.json"
RUNS = {
    "fuzz": (
        ["asp", "--cases", "25", "--option=--eq=0"],
        ["asp: 25 cases, contestants: 1", "clingo"],
        set(),
    ),
    "grader_faults": (
        ["--faults", "2", "--engine", "clingo", "queens"],
        ["clingo: 2 faults; the line is named first in"],
        set(),
    ),
    "page_lines": (
        ["--faults", "1"],
        ["clingo: 1 mistakes, the same lines for 1", "prolog: 1 mistakes, the same lines for 1"],
        set(),
    ),
    "students_lines": (
        ["--labels"],
        ["30 programs, 43 right lines, 0 complaints"],
        set(),
    ),
    "race": (
        ["--contestant=clingo", "-r", "1", "--json", OUT, "small.txt"],
        ["milliseconds for each puzzle", "small"],
        {"settings", "sets"},
    ),
    "certificates": (
        ["--check=python", "--check=prolog", "--jobs=2", "--json", OUT, "small.txt"],
        ["2 certificates: 1 unique, 1 several", "refused: none", "lemmas", "ms checked by prolog"],
        {"puzzle", "claim", "lemmas", "bytes", "seconds", "refused"},
    ),
    "steps": (
        ["--verify", "small.txt"],
        ["small.txt: 1 puzzles", "naked single", "wrong: 0"],
        set(),
    ),
    "endings": (
        ["--runs=1", "solve_many", "interrupt"],
        [
            "solve_many   an empty environment   0 of 1",
            "interrupt    beside busy processes  0 of 1",
        ],
        set(),
    ),
    "long_run": (["nine.txt", "clingo", "3", "--many"], ["3 of 3 right"], set()),
    "encodings": (["nine.txt"], ["nine: medians over 1 puzzles", "subgrid_labels.lp"], set()),
    "state": (
        [],
        ["queens         prolog                   the same", "0 programs leave something behind"],
        set(),
    ),
    "bundled": (["--sudokus", "nine.txt"], ["2 questions by both roads, 0 differences"], set()),
    "coverage": (
        ["--mutants=4", "pairs"],
        ["pick                       1         1/1         0/0           0", "all   "],
        set(),
    ),
    "classroom": (
        ["-n", "6"],
        ["program: cheat_includes.lp", "2 of 6 programs passed", "report gradescope: 6 files"],
        set(),
    ),
    "class_graded": (
        ["-n", "3", "--judged", "1"],
        ["3 programs, ", " s for the class", "corner           20 ", "late              0 "],
        set(),
    ),
    "potsdam": (
        [".", "binairo"],
        [
            "binairo: right, by recorded solutions: 1 success",
            "binairo: right, beside our program: 1 success",
            "a fault in line 7 fails on one (nothing), lines [7]",
        ],
        set(),
    ),
    "road": (
        ["--small", "--turns=1", "--write", OUT, "--expect", OUT, "count", "clingo solve", "all"],
        ["clingo count", "prolog count", "clingo solve > file", "compare all", "2 found"],
        {"clingo count", "compare all"},
    ),
    "turns": (
        [str(ROOT), "--corpora=.", "--turns=1", "-q", "import"],
        ["processor time, medians", "new/old in pairs", "import  "],
        set(),
    ),
    "grading": (["-n", "1", "-r", "1"], ["as usual", "each of 5 runs"], set()),
    "explaining": (["why-not"], ["sudoku(3,2,1) of 4x4:", "1 givens removed"], set()),
    "study": (
        [OUT, "--family=futoshiki", "--program=clingo", "--program=prolog", "--instances=1"],
        ["5 instances, 30 records, 20 solutions", "| prolog (CLP) |", "### One solution, cold"],
        {"family", "group", "number", "contestant", "question", "status", "seconds", "solutions"},
    ),
    "wasm": (
        ["--problem=queens", "--seconds=1", "small.txt"],
        [
            "small: 2 questions, 0 differences",
            "problems: 10 questions, 0 differences",
            "repeat, fail       SolveTimeout after 1",
            "facts without end  BackendFailure after",
            "the next question right after",
        ],
        set(),
    ),
    "variants": (
        ["--corpus", "."],
        [
            "published puzzles: 1 of 1",
            "hard killers: 1 of 1",
            "1 have one",
            "1 of 1 recorded",
            "1 right",
        ],
        set(),
    ),
}


def test_a_late_puzzle_counts_as_the_limit():
    puzzle = Puzzle("." * 16, rules=[{"rule": "renban", "cells": "r1c1 r1c2"}])
    assert variants._ours(puzzle, 1e-9) == (None, 1e-9)
    rows = [
        variants._Row(name, variants._family(puzzle), Asked(1, ours), Asked(1, theirs), None)
        for name, ours, theirs in (("a", 1, 2), ("b", 3, 2), ("c", 4, 1))
    ]
    assert {row.family for row in rows} == {"renban"}
    assert variants._sums(rows) == "clingo 8.00 s, ISS 5.00 s; ratio 1.60, median 1.50"


ELSEWHERE = ("faults", "goals_graded", "pair_faults", "strangers", "strangers_faults")
"""Scripts that other tests run."""


def test_no_script_is_forgotten():
    scripts = {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
    scripts |= {path.parent.name for path in (ROOT / "benchmarks").glob("*/__main__.py")}
    assert {*RUNS, *ELSEWHERE} == scripts


@pytest.mark.slow
@pytest.mark.parametrize("name", [*RUNS, *ELSEWHERE])
def test_a_script_says_what_it_takes(name, tmp_path):
    done = ended(*MODULE[:2], f"benchmarks.{name}", "--help", env=environment(), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.lower().startswith("usage: ")
    assert done.stdout.count("\n") > 5


def test_reasons_are_about_faults_that_can_be_planted():
    planted = pair_faults.planted(folder.bundled(), pair_faults.ENGINES.values(), 1)
    known = pair_faults.reasons()
    assert {*known.values()} == {fault.reason for fault in planted if fault.reason}
    possible = {re.sub(r":\d+", "", str(fault), count=1) for fault in planted}
    assert known.keys() <= possible


def test_a_figure_that_got_worse_is_named():
    accepted = {"a": {"time": 2.0, "memory": 1.0}, "b": None, "c": {"time": 1.0, "memory": 1.0}}
    better = {"time": 2.1, "memory": 0.5}
    assert road.worse("a", better, accepted) == road.worse("b", None, accepted) == []
    assert road.worse("a", {"time": 2.7, "memory": 1.5}, accepted) == [
        "a: time 2.7, accepted 2.0",
        "a: memory 1.5, accepted 1.0",
    ]
    assert road.worse("c", None, accepted) == ["c takes over 60 s"]
    assert road.worse("d", better, accepted) == ["d has no accepted figures"]
    known = json.loads((ROOT / "benchmarks/road.json").read_text())
    assert known.keys() == road.ROWS.keys()


QUICK = {"encodings", "explaining", "long_run", "steps"}
MARKS = {each: [pytest.mark.slow] for each in RUNS if each not in QUICK}
MARKS["wasm"].append(
    pytest.mark.skipif(
        not wasm.is_installed(), reason=f"no SWI-Prolog as WebAssembly here: {wasm.installing()}"
    )
)


@pytest.mark.parametrize("name", [pytest.param(each, marks=MARKS.get(each, [])) for each in RUNS])
def test_a_script_runs_and_gives_its_figures(name, tmp_path):
    arguments, said, keys = RUNS[name]
    one = SMALL.splitlines()[0] if name == "steps" else SMALL
    for file, text in {"small.txt": one, **SHARED, **COURSE}.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    done = ended(*MODULE[:2], f"benchmarks.{name}", *arguments, env=environment(), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for text in said:
        assert text in done.stdout
    if keys:
        text = (tmp_path / OUT).read_text()
        try:
            figures = json.loads(text)
        except ValueError:  # a record in each line
            figures = json.loads(text.splitlines()[-1])
        assert keys <= set(figures[-1] if isinstance(figures, list) else figures)


STRANGERS = {
    "pick.lp": "{ a(1..3) } = 1.\n#minimize { X : a(X) }.\n#show a/1.\n",
    "size.lp": '#include "more.lp".\n{ b(1..N) } = 1 :- size(N).\n',
    "size_1.lp": "size(2).\n",
    "more.lp": "{ c }.\n",
    "old.lp": "a(1).\n#hide.\n",
    "old.lp4": "a(1).\n#show a/1.\n",
    "many.lp": "{ a(1..7) }.\n",
    "twice.lp": 'a(red).\na("red").\n',
    "go.pl": ":- use_module(helper).\n:- hello.\n",
    "helper.pl": ":- module(helper, [hello/0]).\nhello :- format('hello~n').",
    "own.pl": "answer([own]).\n",
    "reads.pl": ":- use_module(library(nowhere_at_all)).\n",
}


@pytest.fixture
def checkout(tmp_path):
    """A repository with programs in one folder, which its work tree has no more, and its commit."""
    return committed(tmp_path, STRANGERS)


def committed(tmp_path, files):
    def git(*words):
        who = ("-c", "user.name=a", "-c", "user.email=a@b.invalid")
        done = ended(needed("git"), *who, *words, cwd=tmp_path, env=environment())
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    (tmp_path / "asp").mkdir()
    for name, text in files.items():
        (tmp_path / "asp" / name).write_text(text)
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        git(*words)
    shutil.rmtree(tmp_path / "asp")
    return f"{tmp_path}:asp", f"{git('rev-parse', 'HEAD')[:12]}:asp"


def test_programs_of_strangers_have_the_answers_of_plain_engines(
    checkout, tmp_path, monkeypatch, capfd
):
    place, name = checkout
    accepted, file = tmp_path / "accepted.json", tmp_path / "figures.json"
    accepted.write_text(json.dumps({name: {"others": {"twice.lp": "refused"}, "ratio": 1000}}))
    options = ["--turns=1", "--answers=100", f"--write={file}", f"--expect={accepted}"]
    monkeypatch.setattr("sys.argv", ["strangers", place, *options])
    assert strangers.main() == 1
    text = capfd.readouterr().out
    assert text.startswith(f"{name}: 11 programs\n")
    assert "  6 same, 1 differs, 1 refused, 0 late, 3 open\n" in text
    assert "  twice.lp: refused: " in text
    assert "  many.lp: open: over 100 answers\n" in text
    assert (
        "  old.lp: open: clingo alone: old.lp:2:1-6: error: lexer error, unexpected #hide" in text
    )
    assert "  own.pl: differs: 2 answers\n" in text
    assert "  reads.pl: open: " in text
    assert text.endswith(f"worse: {name}: own.pl differs, accepted: same\n")
    figures = json.loads(file.read_text())[name]
    assert (figures["programs"], figures["others"]["own.pl"]) == (11, "differs")


def test_a_checkout_of_strangers_has_accepted_figures():
    before = {"others": {"a.lp": "refused", "b.lp": "open"}, "ratio": 2.0}
    better = {"others": {"b.lp": "open", "c.lp": "open"}, "ratio": 2.5}
    worse = {"others": {"a.lp": "late", "b.lp": "refused"}, "ratio": 2.7}
    assert strangers.worse("x", better, {"x": before}) == []
    assert strangers.worse("x", worse, {"x": before}) == [
        "x: a.lp late, accepted: refused",
        "x: b.lp refused, accepted: open",
        "x: ratio 2.7, accepted: 2.0",
    ]
    assert strangers.worse("y", better, {"x": before}) == ["y has no accepted figures"]


@pytest.mark.filterwarnings("ignore::pylogic_sudoku.ProgramWarning")
def test_labels_of_lines_are_about_the_programs():
    known = students_lines.labels()
    files = {each.file: each for each in known}
    there = {
        f"{path.parent.parent.name}/{path.stem}"
        for path in students_lines.STUDENTS.glob("*/programs/*.pl")
    }
    assert len(known) == 30
    assert files.keys() == there
    assert {path.split("/")[0] for path in there} == students_lines.ORACLES.keys()
    kinds = Counter(each.helpers for each in known)
    assert kinds == {"same": 15, "other": 10, "none": 5}
    assert [each.file for each in known if not each.ends] == [
        "sorting/marek",
        "relatives/jakob",
        "totals/timo",
    ]
    for each in known:
        before = each.text.split("\n")
        assert all(before[line - 1].strip() != text.strip() for line, text in each.mends)
        assert len(set(each.right)) == len(each.right) > 0
        assert each.helpers == (
            "other" if each.named else "same" if students_lines.shared(each) else "none"
        )
    two = [files["sorting/oskar"], files["trees/paul"]]
    assert students_lines.check_labels(two) == 0


def test_a_line_is_right_first_or_among_others():
    assert [students_lines.outcome(named, [3, 4]) for named in ([], [4, 1], [1, 2, 3], [1, 2])] == [
        "none",
        "first",
        "among",
        "misleading",
    ]


PLANTED = {
    "fib.pl": """fib(0, 1).
fib(1, 1).
fib(N, F) :-
    N > 1,
    A is N-1,
    B is N-2,
    fib(A, C),
    fib(B, D),
    F is C+D.
""",
    "pick.lp": """item(1..4).
{ pick(X) } :- item(X).
near(X,Y) :- item(X), item(Y), Y = X+1.
:- near(X,Y), pick(X), pick(Y).
:- not pick(4).
#show pick/1.
""",
}


@pytest.fixture
def patient(monkeypatch):
    """Time enough for every answer, however busy the machine is."""
    monkeypatch.setattr(strangers_faults, "SECONDS", 20.0)
    monkeypatch.setattr(strangers_faults, "LIMITS", strangers_faults.LIMITS._replace(seconds=20.0))


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
@pytest.mark.filterwarnings("ignore::pylogic_sudoku.ProgramWarning")
def test_a_line_named_in_a_program_of_a_stranger_is_right_if_an_edit_of_it_is(tmp_path):
    place, _ = committed(tmp_path, PLANTED)
    source = strangers.checkout(place)
    found = {each.engine: each for each in strangers_faults.subjects(source, tmp_path / "work")}
    assert {each.program.name for each in found.values()} == PLANTED.keys()
    judge = strangers_faults.Judge(tmp_path)
    for engine, kind, old, right, wrong in (
        ("prolog", "goal", "B is N-2", [4, 5, 6, 7, 8], []),
        ("prolog", "clause", "fib(1, 1).", [1, 2, 3, 9], []),
        ("clingo", "goal", "pick(X)", [4, 3], [1, 2, 5]),
        ("clingo", "name", "item", [2], [4, 5]),
        ("clingo", "clause", ":- not pick(4).", [2, 4, 5], [1, 3]),
    ):
        subject = found[engine]
        planted = (
            strangers_faults.Fault(edit, subject.text)
            for edit in strangers_faults.edits(subject.program)
        )
        fault = next(each for each in planted if (each.edit.kind, each.lost) == (kind, old))
        assert strangers_faults.undone(fault, subject.program.suffix) == (kind == "name")
        assert subject.answers(fault.text) != subject.right
        lines = [*right, *wrong]
        assert [line for line in lines if judge.is_right(subject, fault, line)] == right


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
@pytest.mark.filterwarnings("ignore::pylogic_sudoku.ProgramWarning")
def test_faults_in_programs_of_strangers_are_counted(tmp_path, monkeypatch, capfd):
    place, _ = committed(tmp_path, PLANTED)
    monkeypatch.setattr("sys.argv", ["strangers_faults", place, "--faults", "2"])
    strangers_faults.main()
    text = capfd.readouterr().out
    assert "clingo: 1 programs, 2 faults, " in text
    assert "prolog: 1 programs, 2 faults, " in text
    assert text.count("explaining: median ") == 2
