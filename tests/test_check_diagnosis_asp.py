"""The grader names the statement of an ASP program that loses a solution."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from helpers import check_programs as programs
from helpers.processes import PATIENCE

import pylogic_sudoku as pls
from benchmarks import faults
from pylogic_sudoku.check import Diagnosis, Grader, explain, grade, losses
from pylogic_sudoku.running.process import Ended, Limits
from pylogic_sudoku.running.runs import opened

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
RIGHT = programs.RIGHT


def said(text: str, puzzle: str = UNIQUE, **options: object) -> Diagnosis:
    return explain(text, puzzle, timeout=PATIENCE, **options)


def lines(diagnosis: Diagnosis) -> list[int]:
    return [place.line for place in diagnosis.places]


# --- constraints, and bounds of choices ------------------------------------------------------


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        (
            programs.SHOW,
            ":- sudoku(X,Y,N), sudoku(X,Z,N), Y<=Z.",
            8,
            "forbids r1c1 = 5 beside itself: X=1, Y=1, N=5, Z=1",
        ),
        (
            "not sudoku(X,Y,N)",
            "not sudoku(Y,X,N)",
            3,
            "demands r2c1 = 3, where the solution has 6: X=1, Y=2, N=3",
        ),
        ("} = 1 :- digit(X)", "} = 2 :- digit(X)", 2, "counts 1 in the braces where X=1, Y=1"),
        (
            programs.SHOW,
            "sudoku(X,Y,N+1) :- initial(X,Y,N), N < 9.",
            8,
            "derives r1c1 = 6, where the solution has 5: X=1, Y=1, N=5",
        ),
        (programs.SHOW, "-sudoku(9,9,9).", 8, "derives -sudoku(9,9,9)"),
        (
            programs.SHOW,
            ":- #sum { N,Y : sudoku(1,Y,N) } < 46.",
            8,
            "counts 45 in the braces",
        ),
        (
            programs.SHOW,
            "1 { on ; off } 1. :- on, sudoku(1,1,5). :- off, sudoku(1,2,3).",
            8,
            "forbids r1c1 = 5",
        ),
        (
            "{ sudoku(X,Y,N) : digit(N) } = 1 :- digit(X), digit(Y).",
            "#const last=9. sudoku(X,Y,N) : digit(N), N<last :- digit(X), digit(Y).",
            2,
            "derives sudoku(row,column,digit) only with digit in 1..8",
        ),
    ],
    ids=["beside", "given", "bound", "rule", "negation", "sum", "choice", "disjunction"],
)
def test_a_statement_that_excludes_the_solution(old, new, line, words):
    text = RIGHT.replace(old, new)
    found = said(text)
    assert (found.places[0].line, found.places[0].words) == (line, words)
    assert found.places[0].text in text.splitlines()[line - 1]
    assert found.places[0].column >= 1


def test_what_a_statement_says_is_on_one_line_and_without_comments(write_program, tmp_path):
    (tmp_path / "parts.lp").write_text(
        '\nseen("%").\n:- sudoku(1,1,N),  % no five\n   N = 5.  %* more *% :- sudoku(1,2,4).\n'
    )
    file = write_program('#include "parts.lp".\n' + RIGHT, "main.lp")
    (place,) = said(str(file)).places
    assert place[:4] == ("parts.lp", 3, 1, ":- sudoku(1,1,N), N = 5.")


@pytest.mark.slow
def test_two_statements_that_exclude_the_solution_together():
    both = "1 { on ; off } 1.\n:- on, sudoku(1,1,5).\n:- off, sudoku(1,2,3).\n"
    found = said(RIGHT + both)
    assert [(place.line, place.words) for place in found.places] == [
        (10, "forbids r1c1 = 5"),
        (11, "forbids r1c2 = 3"),
        (9, "counts 0 in the braces"),
    ]


# --- what nothing derives, and definitions ---------------------------------------------------


def test_an_atom_that_nothing_derives_is_followed_to_its_definition():
    found = said(RIGHT.replace("digit(1..9).", "size(8).\ndigit(1..N) :- size(N)."))
    assert found.summary.endswith("no rule derives sudoku(1,7,9)")
    assert lines(found)[0] == 1
    assert found.places[0].words == "derives size(N) for N = 8"


@pytest.mark.slow
def test_a_definition_is_named_before_the_constraint_that_uses_it():
    boxes = (
        "box(X,Y,(X-1)/3+(Y-1)/3) :- digit(X), digit(Y).\n"
        ":- box(X,Y,B), box(V,W,B), sudoku(X,Y,N), sudoku(V,W,N), (X,Y) < (V,W).\n"
    )
    found = said(RIGHT.replace(programs.BOXES, boxes))
    assert lines(found) == [6, 7]
    assert found.places[0].words == "puts r1c4 and r4c1 together, which share no house"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("user", "definition"),
    [
        ("cell(X,X), cell(Y,Y), seen(X)", "cell(X) :- digit(X). seen(X) :- digit(X), cell(X)."),
        ("dgit(X), digit(Y), seen(X)", "seen(X) :- digit(X)."),
    ],
    ids=["number", "name"],
)
def test_a_predicate_with_a_wrong_name_or_number_of_arguments(user, definition):
    found = said(RIGHT.replace(":- digit(X), digit(Y).", f":- {user}, digit(Y).") + definition)
    assert lines(found)[0] == 2
    assert "which nothing derives" in found.places[-1].words


@pytest.fixture
def written(tmp_path):
    """Explains a program in this process, and returns the lines that it writes."""

    def explain(text: str) -> Any:
        program = Grader().program(tmp_path / "my.lp")
        (instance,) = Grader().instances(UNIQUE, None)
        program.path.write_text(text)
        solution = next(pls.solutions(UNIQUE))
        with opened(Limits(PATIENCE, 2048)) as files:
            grid = pls.Grid.parse(UNIQUE)
            program._question(files, instance, grid, {"": [solution]})
            job, (_, facts) = json.loads(files.first), json.loads(files.held)
        instance_file, out = tmp_path / "instance.lp", io.StringIO()
        instance_file.write_text(facts)
        losses._explain(job, str(program.path), str(instance_file), out)
        return [json.loads(line) for line in out.getvalue().splitlines()]

    return explain


@pytest.mark.parametrize(
    ("old", "new", "why", "told"),
    [
        (
            programs.SHOW,
            "full :- fixed, sudoku(1,1,N), N > 5. fixed.\n:- not full.",
            "",
            [(8, "N > 5", "does not hold; without it, the rule would derive full")],
        ),
        (
            programs.SHOW,
            ":- #sum { N,Y : sudoku(1,Y,N) } > 3000000000.",
            "3000000000 is too large for clingo, whose integers end at 2147483647",
            [(8, ":- #sum { N,Y : sudoku(1,Y,N) } > 3000000000.", "")],
        ),
        (
            "digit(1..9).",
            "#const last = 8. digit(1..last).",
            "no rule derives sudoku(1,7,9)",
            [(1, "digit(1..last).", "derives digit(N) for N in 1..8")],
        ),
        (
            "{ sudoku(X,Y,N) : digit(N) } = 1 :- digit(X), digit(Y).",
            "sudoku(X,Y,N) :- copy(X,Y,N). copy(X,Y,N) :- sudoku(X,Y,N).",
            "its atoms are derived only from each other",
            [(2, "sudoku(X,Y,N) :- copy(X,Y,N).", "")],
        ),
    ],
    ids=["literal", "32 bits", "constant", "each other"],
)
def test_sudoku_has_what_any_problem_has(written, old, new, why, told):
    assert programs.RIGHT.count(old) == 1
    *_, row = written(programs.RIGHT.replace(old, new + (old if old == programs.SHOW else "")))
    assert (row[0], row[3]) == ("refusal", why)
    assert [(each[1], each[3], each[4]) for each in row[4]][: len(told)] == told


@pytest.mark.slow
def test_statements_that_hide_the_answers():
    found = said(RIGHT.replace("#show sudoku/3", "#show digit/1"))
    assert (found.kind, lines(found)) == ("underived", [8])
    assert found.summary.endswith("no statement shows sudoku/3")


@pytest.mark.slow
def test_answers_of_another_predicate():
    text = RIGHT.replace("sudoku", "cell").replace(
        "#show cell/3", "#show sudoku(X,Y,N) : cell(X,Y,N), X < 9"
    )
    found = said(text)
    assert lines(found)[0] == 8
    assert "only with row in 1..8" in found.places[0].words


def test_a_reason_is_never_told_before_it_is_known_whether_there_is_an_answer(written):
    assert [each[0] for each in written(RIGHT + ":- sudoku(1,1,_).")] == ["empty", "refusal"]
    assert [each[0] for each in written(RIGHT + ":- sudoku(1,1,5).")] == ["refusal"]


def test_an_explanation_that_is_ended_keeps_what_it_knows(tmp_path):
    program = Grader().program(tmp_path / "my.lp")
    ended = Ended(None, 2.0, "")
    found = program._diagnosis([["empty"]], ended, Limits(2.0, 2048))
    assert found.kind == "stopped"
    assert found.summary.startswith("the program has no answer at all; ")


# --- kinds -----------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("text", "kind", "summary"),
    [
        (RIGHT, "none", "the program has every solution, and no other answer"),
        (RIGHT + ":- sudoku(1,1,5).", "constraint", "the program loses the solution: "),
        (RIGHT + ":- sudoku(1,1,_).", "unsatisfiable", "the program has no answer at all: "),
        (RIGHT.replace(programs.BOXES, ""), "house", "an answer is wrong: "),
        (
            RIGHT.replace("} = 1 :- digit(X), digit(Y)", "} :- digit(X), digit(Y)")
            .replace(programs.ROWS, ":- sudoku(X,Y,N), sudoku(X,Z,N), Y < Z.\n")
            .replace(programs.COLUMNS, ":- sudoku(X,Y,N), sudoku(Z,Y,N), X < Z.\n")
            .replace(programs.BOXES, ""),
            "too many",
            "an answer is wrong: ",
        ),
        (RIGHT + "a b.", "error", "the program does not run: "),
    ],
)
def test_kinds(text, kind, summary):
    found = said(text)
    assert found.kind == kind
    assert found.summary.startswith(summary)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "words"),
    [(programs.ROWS, "rows"), (programs.COLUMNS, "columns"), (programs.BOXES, "boxes")],
)
def test_houses_that_the_program_never_mentions(part, words):
    (verdict,) = grade(RIGHT.replace(part, ""), UNIQUE, timeout=PATIENCE)
    assert verdict.diagnosis.summary == f"no constraint of the program is about {words}"
    few = part.replace(" not {", " N < 3, not {")
    (verdict,) = grade(RIGHT.replace(part, few), UNIQUE, timeout=PATIENCE)
    assert verdict.way == "wrong"
    assert verdict.diagnosis is None, "it mentions some of them"


def test_a_program_that_is_merely_slow():
    pigeons = "{ in(P,H) : H = 1..12 } = 1 :- P = 1..13. :- in(P,H), in(Q,H), P < Q."
    (verdict,) = grade(RIGHT + f":- not hard. hard. {pigeons}", UNIQUE, timeout=0.3)
    assert verdict.way == "timeout"
    assert verdict.diagnosis.kind in ("slow", "stopped")
    assert not verdict.diagnosis.places


def test_an_explanation_that_runs_out_of_time_leaves_the_verdict(monkeypatch):
    monkeypatch.setattr("pylogic_sudoku.check.grading.SECONDS", 0.01)
    (verdict,) = grade(RIGHT + ":- sudoku(1,1,5).", UNIQUE, timeout=PATIENCE)
    assert verdict.way == "nothing"
    assert verdict.diagnosis.kind == "stopped"
    assert "time" in verdict.diagnosis.summary


@pytest.mark.parametrize(
    ("changed", "way"),
    [
        (RIGHT + ":- sudoku(1,1,5).", "nothing"),
        (RIGHT.replace("not sudoku(X,Y,N)", "not sudoku(X,Y,_)"), "wrong"),
    ],
)
def test_no_explanation_is_dropped_because_the_machine_is_busy(monkeypatch, changed, way):
    monkeypatch.setattr("pylogic_sudoku.check.grading.SECONDS", 0.01)
    (verdict,) = grade(changed, UNIQUE, timeout=PATIENCE)
    assert (verdict.way, verdict.diagnosis.kind) == (way, "stopped")
    assert verdict.diagnosis.summary == "the time for the explanation is over"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hidden", "explained"),
    [
        ([], ["ex001"]),
        (["ex001", "ex002"], ["ex001", "ex003"]),
        (["ex002"], ["ex001"]),
    ],
    ids=["none is hidden", "the first are hidden", "a later one is hidden"],
)
def test_the_first_instance_of_each_way_that_students_see_is_explained(
    write_program, exercise, hidden, explained
):
    file = write_program(RIGHT + ":- sudoku(1,1,_).\n")
    folders = exercise / "instances", exercise / "solutions"
    found = grade(file, *folders, hidden=hidden)
    assert [verdict.instance for verdict in found if verdict.diagnosis] == explained


def test_several_instances_are_refused():
    with pytest.raises(ValueError, match="several instances"):
        explain(RIGHT, [UNIQUE, UNIQUE])


def test_a_script_is_not_run(tmp_path):
    mark = tmp_path / "ran"
    script = f"#script (python)\nopen({str(mark)!r}, 'w')\n#end.\n"
    assert said(RIGHT + script).kind == "error"
    assert not mark.exists()


# --- definitions in many styles ---------------------------------------------------------------

CELLS = programs.CHOICE + programs.GIVENS
BLOCKS = """\
block(0,1..3,1..3). block(1,1..3,4..6). block(2,1..3,7..9).
block(3,4..6,1..3). block(5,4..6,7..9). block(6,7..9,1..3). block(7,7..9,4..6). block(8,7..9,7..9).
block(4,4..6,4..6).
:- block(B,X,Y), block(B,V,W), sudoku(X,Y,N), sudoku(V,W,N), (X,Y) < (V,W).
"""
STYLES = {
    "facts": (BLOCKS, "4..6,4..6", "4..7,4..6", 6),
    "their constraint": (BLOCKS, "<", "<=", 7),
    "detectors": (
        "clash :- sudoku(X,Y,N), sudoku(X,Z,N), Y < Z.\n"
        "clash :- sudoku(X,Y,N), sudoku(Z,Y,N), X < Z.\n:- clash.\n",
        *("X < Z", "X <= Z", 5),
    ),
    "what must be": (
        "in_row(X,N) :- sudoku(X,Y,N).\n:- digit(X), digit(N), not in_row(X,N).\n",
        *("Y,N).", "Y,N), Y < 9.", 4),
    ),
    "corners": (
        "corner(1;4;7). off(0..2).\n"
        ":- corner(A), corner(B), digit(N), not 1 { sudoku(A+I,B+J,N) : off(I), off(J) } 1.\n",
        *("4;7", "4;8", 4),
    ),
    "bands": (
        "band(X,(X-1)/3) :- digit(X).\n:- band(X,A), band(V,A), band(Y,B), band(W,B),"
        " sudoku(X,Y,N), sudoku(V,W,N), (X,Y) < (V,W).\n",
        *("(X-1)/3", "X/3", 4),
    ),
    "sums": (
        "total(45).\n:- digit(X), total(T), not #sum { N,Y : sudoku(X,Y,N) } = T.\n",
        *("45", "44", 4),
    ),
    "peers": (
        "peer(X,Y,V,W) :- digit(X), digit(Y), digit(V), digit(W), (X,Y) != (V,W),\n"
        "   (X-1)/3 = (V-1)/3, (Y-1)/3 = (W-1)/3.\n"
        ":- peer(X,Y,V,W), sudoku(X,Y,N), sudoku(V,W,N).\n",
        *("= (W-1)/3", "= W/3", 4),
    ),
    "numbered cells": (
        "pos((X-1)*9+Y,X,Y) :- digit(X), digit(Y).\n"
        ":- pos(P,X,Y), pos(Q,X,Z), P < Q, sudoku(X,Y,N), sudoku(X,Z,N).\n",
        *("P < Q", "P <= Q", 5),
    ),
    "copies": (
        "cell(X,Y,N) :- sudoku(X,Y,N).\n:- cell(X,Y,N), cell(X,Z,N), Y < Z.\n",
        *("Y < Z", "Y <= Z", 5),
    ),
}


@pytest.mark.one_in(8, 4)
@pytest.mark.parametrize("style", STYLES)
def test_the_wrong_line_is_named_first_in_any_style(style, tmp_path):
    text, old, new, line = STYLES[style]
    solution = next(pls.solutions(UNIQUE))
    made = Grader().program(tmp_path / "my.lp")
    (instance,) = Grader().instances(UNIQUE, None)
    for change, expected in (("", None), (new, line)):
        made.path.write_text(CELLS + (text.replace(old, change, 1) if change else text))
        found = made.explain(instance, pls.Grid.parse(UNIQUE), solution, Limits(PATIENCE, 2048))
        assert (lines(found) or [None])[0] == expected


# --- the measure -----------------------------------------------------------------------------

CHOSEN = [fault for fault in faults.faults() if fault.language == "asp"]


@pytest.mark.slow
@pytest.mark.parametrize("step", [9, 1])
def test_the_wrong_line_is_named_first(step, tmp_path):
    lost = [row for row in faults.rows(CHOSEN[::step], tmp_path, faults.of_sudoku) if row.found]
    first = [row for row in lost if row.first]
    assert len(first) >= 0.9 * len(lost), [row for row in lost if not row.first]


@pytest.mark.slow
def test_the_wrong_line_is_named_first_on_the_road_of_any_problem(tmp_path):
    measure = faults.of_problem(tmp_path)
    by_adapter = next(fault for fault in faults.faults() if fault.language == "prolog")
    lost = [row for row in faults.rows([*CHOSEN[:3], by_adapter], tmp_path, measure) if row.found]
    assert [row.first for row in lost] == [True, True, True, True]


@pytest.mark.slow
def test_no_line_of_a_right_program_is_named(tmp_path):
    assert faults.blamed_though_right(CHOSEN, tmp_path) == []
