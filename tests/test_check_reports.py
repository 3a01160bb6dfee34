"""Reports for platforms: each is as the platform's documents want it, and says the same."""

from __future__ import annotations

import csv
import json
import re
from base64 import b64decode
from io import StringIO
from xml.etree import ElementTree

import pytest
from helpers import platforms
from helpers.small_programs import FOUR, LOOSE, NARROW, PROGRAMS, UNIQUE
from jsonschema import Draft202012Validator

from pylogic_sudoku import Grid, Puzzle, solutions
from pylogic_sudoku.check import Points, Report, Verdict, grade
from pylogic_sudoku.check._answers import Answer, Reference, broken_rule, read_answer
from pylogic_sudoku.check._programs import Run
from pylogic_sudoku.check._result import Marker
from pylogic_sudoku.check._verdict import judge
from pylogic_sudoku.check.reports import CLASS, FORMATS, write
from pylogic_sudoku.rules import KillerCage

PUZZLES = [UNIQUE, FOUR]
POINTS = Points(instance=10, wrong=0.25, hidden=frozenset({"puzzle-2"}))
MOST = {"slow.lp": 0.3, "slow.pl": 0.3}
"""Seconds for programs that never end; the others may take long if the machine is busy."""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    found = {}
    for name, text in PROGRAMS.items():
        (folder / name).write_text(text)
        found[name] = grade(folder / name, PUZZLES, timeout=MOST.get(name, 100)).all
    return found


@pytest.fixture(scope="module")
def report(verdicts):
    def made(*names: str, times: bool = True) -> Report:
        marker = Marker(POINTS, times)
        results = [each for name in names for each in marker.results(name, verdicts[name])]
        return Report(tuple(results), "Sudoku & logic")

    return made


EVERY = pytest.mark.parametrize("name", PROGRAMS)


def checked(schema: dict, text: str):
    """The content of a report in JSON that the schema accepts."""
    content = json.loads(text)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(content)
    return content


def test_the_programs_fail_as_they_should(verdicts):
    outcomes = {"right": "success", "wrong": "failure", "slow": "timeout", "broken": "error"}
    for name, found in verdicts.items():
        assert {verdict.outcome for verdict in found} == {outcomes[name.partition(".")[0]]}, name


@EVERY
def test_gradescope(report, name):
    made = report(name)
    content = checked(platforms.GRADESCOPE, write(made, "gradescope"))
    assert content["score"] == made.points == sum(test["score"] for test in content["tests"])
    assert [test["max_score"] for test in content["tests"]] == [10, 10]
    first, hidden = content["tests"]
    assert first["status"] == ("passed" if name.startswith("right") else "failed")
    assert hidden["name"].startswith("hidden 1: ")
    assert {test["visibility"] for test in content["tests"]} == {"visible"}


def test_gradescope_shows_the_wrong_grid(report):
    first, hidden = json.loads(write(report("wrong.lp"), "gradescope"))["tests"]
    (data,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', first["output"])
    svg = b64decode(data).decode()
    ElementTree.fromstring(svg)
    rule = re.search(r"r\dc\d and r\dc\d both hold \d \(box \d\)", first["output"])
    assert rule
    assert rule[0] in svg
    assert "img" not in hidden["output"]
    assert hidden["output"] == "<p>a hidden instance: an answer is wrong</p>"


@EVERY
def test_junit(report, name):
    text = write(report(name), "junit")
    root = ElementTree.fromstring(text)
    platforms.check_junit(root)
    assert root.tag == "testsuites"
    assert root.attrib["name"] == "Sudoku & logic"
    (suite,) = root.findall("testsuite")
    cases = suite.findall("testcase")
    assert [case.attrib["name"] for case in cases] == ["puzzle-1", "hidden 1"]
    for tag, count in {"failure": "failures", "error": "errors"}.items():
        assert len(root.findall(f".//{tag}")) == int(suite.attrib[count])
    assert not root.findall(".//failure") or not name.startswith(("right", "broken"))


@EVERY
def test_coderunner(report, name):
    content = checked(platforms.CODERUNNER, write(report(name), "coderunner"))
    header, *rows = content["testresults"]
    shown = [title for title in header if title not in ("iscorrect", "ishidden")]
    assert len(content["columnformats"]) == len(shown)
    assert all(len(row) == len(header) for row in rows)
    correct = [row[header.index("iscorrect")] for row in rows]
    assert correct == [int(name.startswith("right"))] * 2
    assert content["fraction"] == {"right": 1, "wrong": 0.25}.get(name.partition(".")[0], 0)
    drawn = "<svg" in rows[0][header.index("What is wrong")]
    assert drawn == name.startswith("wrong")
    assert "<svg" not in rows[1][header.index("What is wrong")]


# --- one result, the same words -----------------------------------------------------------


@pytest.mark.parametrize("form", ["gradescope", "junit", "coderunner", "html", "text"])
def test_every_report_has_the_same_words(report, form):
    made = report("wrong.pl")
    text = write(made, form).replace("\\n", "\n")
    for line in made.results[0].words.splitlines():
        for part in re.split(r"(?<=such as) ", line):
            assert part in text


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_of_a_hidden_instance_is_told(verdicts, form):
    marker = Marker(Points(hidden=frozenset({"puzzle-1", "puzzle-2"})))
    for name, found in verdicts.items():
        results = marker.results(name, found)
        text = write(Report(tuple(results)), form)
        assert "puzzle-1" not in text
        assert not re.search(r"r\dc\d|<svg|<img|initial\(|\d \d \| \d \d", text), (form, name)


def cut_off(number: int) -> Verdict:
    """The verdict on a program that the clock stops after so many answers, each of them twice."""
    grids = sorted(solutions(LOOSE), key=str)[: number + 1]
    first, *others = (Answer(grid, None) for grid in grids)
    steady = "stopped while searching"
    run = Run(
        stopped="timeout",
        seconds=number,
        answers=tuple(others),
        found=2 * number,
        again="they differ in more/0",
        ending=f"{steady}; {number} answers until then",
        steady=steady,
    )
    reference = Reference(Grid.parse(LOOSE), frozenset({first.grid}), True, "prolog")
    return judge("puzzle-1", run, reference)


@pytest.mark.parametrize("form", FORMATS)
def test_without_times_a_report_is_always_the_same(form):
    """A slow machine finds fewer answers before the end; then only numbers differ."""
    with_times, without = (
        [
            write(Report(tuple(Marker(POINTS, times).results("a.lp", [cut_off(number)]))), form)
            for number in (7, 9)
        ]
        for times in (True, False)
    )
    assert without[0] == without[1]
    assert " ms" not in without[0]
    assert "time=" not in without[0]
    if form != "csv":  # which has no messages
        assert with_times[0] != with_times[1]
        for steady in (
            "stopped while searching",
            "answers come again: they differ in more/0",
            "some of them break no rule of sudoku, but prolog lacks them: is it complete?",
        ):
            assert steady in without[0]
        for counted in (
            "stopped while searching; 7 answers until then",
            "at least 14 answers, but only 7 different grids: they differ in more/0",
            "7 of them break no rule of sudoku, but prolog lacks them: is it complete?",
        ):
            assert counted in with_times[0]


@pytest.mark.parametrize("form", FORMATS)
def test_words_of_a_program_do_no_harm(report, form, tmp_path):
    file = tmp_path / "=2+3<b>.pl"
    file.write_text(r"sudoku(_) :- throw('\e[2J</td><script>alert(1)</script>]]>&').")
    (verdict,) = grade(file, UNIQUE).all
    made = Report(tuple(Marker(Points()).results(file.name, [verdict])))
    text = write(made, form)
    assert "\x1b" not in text
    if form in ("html", "gradescope", "coderunner"):
        assert "<script" not in text
    if form == "junit":
        ElementTree.fromstring(text)
    if form == "csv":
        (row,) = list(csv.reader(StringIO(text)))[1:]
        assert row[0] == "'=2+3<b>.pl"


def test_a_report_on_one_program_cannot_hold_two(report):
    made = report("right.lp", "wrong.lp")
    for form in FORMATS:
        if form in CLASS:
            assert write(made, form)
        else:
            with pytest.raises(ValueError, match="one program, but there are 2"):
                write(made, form)
    with pytest.raises(ValueError, match="there is no report 'x'; choose one of gradescope,"):
        write(made, "x")


# --- what is not complete -----------------------------------------------------------------

NOTE = "interrupted after 2 of 3 instances"


@pytest.mark.parametrize(
    "form", ["gradescope", "junit", "coderunner", "csv", "html", "json", "text"]
)
def test_an_incomplete_report_says_so_and_is_no_success(verdicts, form):
    rest = Verdict("puzzle-3", "error", 0, message="not run: interrupted", way="stopped")
    results = Marker(Points(10, error=1)).results("right.lp", [*verdicts["right.lp"], rest])
    made = Report(tuple(results), incomplete=NOTE)
    text = write(made, form)
    assert "INCOMPLETE" in text
    assert NOTE in text
    assert (made.passed, made.verdict, made.points, made.worth) == (False, "INCOMPLETE", 20, 30)
    if form == "junit":
        root = ElementTree.fromstring(text)
        platforms.check_junit(root)
        assert (root.attrib["tests"], root.attrib["errors"]) == ("4", "2")
        assert [each.attrib["message"] for each in root.iter("error")] == ["not run", NOTE]
    if form == "coderunner":
        assert checked(platforms.CODERUNNER, text)["fraction"] == round(20 / 30, 6)
    if form == "gradescope":
        content = checked(platforms.GRADESCOPE, text)
        assert [test["score"] for test in content["tests"]] == [10, 10, 0]
    if form == "html":
        assert "not run</td>" in text


# --- many programs ------------------------------------------------------------------------


def test_csv_has_a_row_for_each_program(report):
    rows = list(csv.DictReader(StringIO(write(report(*PROGRAMS), "csv"))))
    assert [row["program"] for row in rows] == list(PROGRAMS)
    assert rows[0] == {
        **{"program": "right.lp", "points": "20", "of": "20", "passed": "2"},
        **{"puzzle-1": "success", "hidden 1": "success", "mistakes": ""},
    }
    assert rows[1]["mistakes"] == "a digit is twice in a box; an answer is wrong"
    assert rows[1]["points"] == "5"


RIGHT = "1234341221434321"
JIGSAW = "AABBAABBCCDDCCDD"


@pytest.mark.parametrize(
    ("puzzle", "cells", "mistake"),
    [
        (LOOSE, "", "no digit is shown"),
        (LOOSE, "1", "a cell is empty"),
        (LOOSE, "15", "an atom is outside the grid"),
        ("2...............", RIGHT, "a given is not kept"),
        (LOOSE, "1134341221434321", "a digit is twice in a row"),
        (LOOSE, "1234341212434321", "a digit is twice in a column"),
        (LOOSE, "1234214334124321", "a digit is twice in a box"),
        (Puzzle(LOOSE, regions=JIGSAW), "1234214334124321", "a digit is twice in a box"),
        (Puzzle(LOOSE, marks={"r1c1": "even"}), RIGHT, "a mark is ignored"),
        (Puzzle(LOOSE, rules=[KillerCage("r1c1 r1c2", 7)]), RIGHT, "killer cage is broken"),
    ],
)
def test_each_kind_of_mistake_has_its_words(puzzle, cells, mistake):
    puzzle = Grid.parse(puzzle) if isinstance(puzzle, str) else puzzle
    placements = [(at // 4 + 1, at % 4 + 1, int(digit)) for at, digit in enumerate(cells)]
    fault = broken_rule(read_answer(placements, puzzle), puzzle)
    assert (fault.mistake, fault.empty) == (mistake, mistake.endswith(("empty", "shown")))
    assert bool(fault.duplicate) == ("twice" in mistake)


def test_a_cell_with_two_digits_is_a_mistake_of_its_own():
    puzzle = Grid.parse(LOOSE)
    fault = broken_rule(read_answer([(1, 1, 2), (1, 1, 3)], puzzle), puzzle)
    assert (str(fault), fault.mistake) == ("r1c1 holds both 2 and 3", "a cell holds two digits")


def test_html_has_what_programs_share(report):
    page = write(report(*PROGRAMS), "html")
    assert page.count('<th scope="row">') == len(PROGRAMS)
    assert "a digit is twice in a box (puzzle-1): 2 programs: wrong.lp, wrong.pl" in page
    assert "the same mistakes on every instance: wrong.lp, wrong.pl" in page
    assert "Sudoku &amp; logic" in page
    assert "2 of 8 programs passed" in page


def test_the_picture_marks_the_broken_rule_alone(report):
    first, _ = report("wrong.lp").results
    assert first.picture
    conflict, house = first.picture.highlights
    assert (conflict.role, house.role) == ("conflict", "house")
    assert len(conflict.cells) == 2
    assert set(conflict.cells) < set(house.cells)
    assert house.label.startswith("box ")
    assert conflict.label == first.verdict.rule


def test_a_missing_solution_has_a_picture(tmp_path):
    file = tmp_path / "narrow.lp"
    file.write_text(NARROW)
    (verdict,) = grade(file, LOOSE).all
    (result,) = Marker(Points()).results("narrow.lp", [verdict])
    assert result.picture
    assert result.picture.title == "a missing solution"
    assert result.words.startswith("missing: 72 of the reference solutions, such as\n")
