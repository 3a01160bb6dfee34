"""Instances and references that the grader is given: as people have them, and broken ones."""

from __future__ import annotations

import json

import check_programs as programs
import pytest

from pylogic_sudoku import Grid
from pylogic_sudoku.check import grade


def test_folder_with_other_files_and_in_the_order_of_numbers(program, tmp_path):
    folder = tmp_path / "instances"
    folder.mkdir()
    for name in ("ex10.lp", "ex9.lp", "ex1.lp"):
        (folder / name).write_text("% puzzle\r\ninitial(1,1,5). initial(1,2,3).\r\n")
    for name in ("README.md", ".hidden.lp", "ex2.lp~", "ex2.txt"):
        (folder / name).write_text("not for you")
    (folder / "sub.lp").mkdir()
    (folder / "marked.lp").write_bytes(b"\xef\xbb\xbf% caf\xe9\r\ninitial(1,1,5).\r\n")
    (folder / "none.lp").write_text("% nothing is given\n")
    found = list(grade(program(programs.RIGHT), folder, limit=5))
    assert [(verdict.instance, verdict.outcome) for verdict in found] == [
        (name, "success") for name in ("ex1", "ex9", "ex10", "marked", "none")
    ]


def test_small_grids_and_boxes_that_are_not_square(program, tmp_path):
    folder = tmp_path / "instances"
    folder.mkdir()
    (folder / "four.lp").write_text(
        "#const box_rows=2. [override] #const box_columns=2. [override] initial(1,1,1)."
    )
    (folder / "six.lp").write_text(
        "#const box_rows=2. [override] initial(1,1,1). initial(3,3,6). initial(6,6,1)."
    )
    text = """
        #const box_rows=3.
        #const box_columns=3.
        #const size=box_rows*box_columns.
        digit(1..size).
        { sudoku(X,Y,N) : digit(N) } = 1 :- digit(X), digit(Y).
        :- initial(X,Y,N), not sudoku(X,Y,N).
        :- sudoku(X,Y,N), sudoku(X,Z,N), Y < Z.
        :- sudoku(X,Y,N), sudoku(Z,Y,N), X < Z.
        :- sudoku(X,Y,N), sudoku(A,B,N), (X,Y) < (A,B),
           (X-1)/box_rows = (A-1)/box_rows, (Y-1)/box_columns = (B-1)/box_columns.
    """
    found = list(grade(program(text), folder))
    assert [(v.instance, v.outcome) for v in found] == [("four", "success"), ("six", "success")]
    assert found[0].answers > 1


def test_size_that_only_the_reference_tells(program, tmp_path):
    (tmp_path / "four.lp").write_text("initial(1,1,1). initial(2,3,1).\n")
    cells = Grid.parse("1234341221434321").givens
    value = [f"sudoku({x},{y},{n})" for x, y, n in cells]
    output = {"Call": [{"Witnesses": [{"Value": value}]}], "Result": "SATISFIABLE"}
    (tmp_path / "four.json").write_text(json.dumps(output))
    text = programs.PAIRWISE.replace("9", "4").replace("/3", "/2").replace("3", "2")
    file = program(
        text.replace("sudoku(X,Y,N) : value(N)", "sudoku(X,Y,N) : value(N)")
        + (":- initial(X,Y,N), not sudoku(X,Y,N).")
    )
    (verdict,) = grade(file, tmp_path / "four.lp", tmp_path)
    assert verdict.outcome == "failure"
    assert verdict.extra_grid is not None
    assert verdict.extra_grid.size == 4
    assert (verdict.missing, verdict.rule) == (0, ""), "it is right, and the reference is not"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no such file"),
        ("{", "this is no JSON that can be read"),
        ("[]", 'expected what clingo --outf=2 writes, with "Result"'),
        ('{"Result": "UNKNOWN"}', "not 'UNKNOWN'"),
        ('{"Result": "SATISFIABLE"}', 'expected "Call", whose last element has "Witnesses"'),
        ('{"Result": "SATISFIABLE", "Call": [{"Witnesses": []}]}', '"Witnesses" is empty'),
        (
            '{"Result": "SATISFIABLE", "Call": [{"Witnesses": [{"Value": ["sudoku(1,1,2)"]}]}]}',
            "witness 1 is no solution of ex001.lp",
        ),
    ],
)
def test_broken_references(program, exercise, tmp_path, text, message):
    if text is not None:
        (tmp_path / "ex001.json").write_text(text)
    (verdict,) = grade(program(programs.RIGHT), exercise / "instances" / "ex001.lp", tmp_path)
    assert verdict.outcome == "error"
    assert str(tmp_path / "ex001.json") in verdict.message
    assert message in verdict.message


def test_reference_of_another_instance(program, exercise, tmp_path):
    (tmp_path / "ex001.json").write_text((exercise / "solutions" / "ex004.json").read_text())
    (verdict,) = grade(program(programs.RIGHT), exercise / "instances" / "ex001.lp", tmp_path)
    assert verdict.outcome == "error"
    assert "witness 1 is no solution of ex001.lp: r1c" in verdict.message
    assert "is given there" in verdict.message


def test_broken_instance(program, tmp_path):
    (tmp_path / "ex.lp").write_text("initial(1,1,5).\ninitial(1,1,6).\n")
    (verdict,) = grade(program(programs.RIGHT), tmp_path / "ex.lp")
    assert verdict.outcome == "error"
    assert f"{tmp_path / 'ex.lp'}: line 2" in verdict.message
