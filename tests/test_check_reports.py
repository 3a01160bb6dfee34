"""Reports for platforms: each is as the platform's documents want it; ``exercise.toml``."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
from base64 import b64decode
from dataclasses import replace
from html import unescape
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from helpers import npm, platforms
from helpers.small_programs import FOUR, LOOSE, NARROW, PROGRAMS, RIGHT, UNIQUE, WRONG
from jsonschema import Draft7Validator, Draft202012Validator

from pylogic_sudoku import Answer, Atom, Grid, InvalidPuzzle, Problem, Puzzle
from pylogic_sudoku.check import Report, Verdict, grade
from pylogic_sudoku.check.cases import Case
from pylogic_sudoku.check.diagnosis import Diagnosis, Place
from pylogic_sudoku.check.explained import explained
from pylogic_sudoku.check.folder import Settings, settings_in
from pylogic_sudoku.check.grading import reason
from pylogic_sudoku.check.programs import Fault, Output
from pylogic_sudoku.check.reports import FORMATS, Format, part, streamed, write
from pylogic_sudoku.check.results import mark
from pylogic_sudoku.check.sudoku import Solutions, read_answer, violated_rule
from pylogic_sudoku.check.verdict import judge
from pylogic_sudoku.errors import Message
from pylogic_sudoku.files import resource
from pylogic_sudoku.rules import KillerCage
from pylogic_sudoku.running.process import Ended, Limits

PUZZLES = [UNIQUE, FOUR]
HIDDEN = ("puzzle-2",)
HOLDING_MANY = [name for name, each in FORMATS.items() if each.holds_many]
TIMEOUTS = {"slow.lp": 0.3, "slow.pl": 0.3}
"""Seconds for programs that never end; the others may take long if the machine is busy."""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    found = {}
    for name, text in PROGRAMS.items():
        (folder / name).write_text(text)
        found[name] = grade(folder / name, PUZZLES, timeout=TIMEOUTS.get(name, 100)).all
    return found


def marked(name: str, verdicts, hidden=HIDDEN, times: bool = True) -> Report:
    """A report on one program."""
    results = (mark(name, verdict, hidden, times=times) for verdict in verdicts)
    return Report(tuple(results), "Sudoku & logic")


@pytest.fixture(scope="module")
def report(verdicts):
    def made(*names: str) -> Report:
        reports = [marked(name, verdicts[name]) for name in names]
        return replace(reports[0], results=tuple(each for one in reports for each in one.results))

    return made


def checked(schema: dict, text: str):
    """The content of a report in JSON that the schema accepts."""
    content = json.loads(text)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(content)
    return content


@pytest.mark.slow
def test_the_programs_fail_as_they_should(verdicts):
    outcomes = {"right": "success", "wrong": "failure", "slow": "timeout", "broken": "error"}
    for name, found in verdicts.items():
        assert {verdict.outcome for verdict in found} == {outcomes[name.partition(".")[0]]}, name


@pytest.mark.one_in(10)
@pytest.mark.parametrize("name", PROGRAMS)
def test_each_platform_accepts_its_report(report, name):
    made, kind = report(name), name.partition(".")[0]
    right = kind == "right"
    content = checked(platforms.GRADESCOPE, write(made, "gradescope"))
    assert content["score"] == 2 * right == sum(test["score"] for test in content["tests"])
    assert [test["max_score"] for test in content["tests"]] == [1, 1]
    first, hidden = content["tests"]
    assert first["status"] == ("passed" if right else "failed")
    assert hidden["name"].startswith("hidden 1: ")
    assert {test["visibility"] for test in content["tests"]} == {"visible"}

    root = ElementTree.fromstring(write(made, "junit"))
    platforms.check_junit(root)
    assert (root.tag, root.attrib["name"]) == ("testsuites", "Sudoku & logic")
    (suite,) = root.findall("testsuite")
    assert [case.attrib["name"] for case in suite.findall("testcase")] == ["puzzle-1", "hidden 1"]
    failing = {"wrong": "failures", "slow": "failures", "broken": "errors"}.get(kind)
    for tag, count in {"failure": "failures", "error": "errors"}.items():
        number = 2 * (count == failing)
        assert (len(root.findall(f".//{tag}")), int(suite.attrib[count])) == (number, number)

    content = checked(platforms.CODERUNNER, write(made, "coderunner"))
    header, *rows = content["testresults"]
    shown = [title for title in header if title not in ("iscorrect", "ishidden")]
    assert len(content["columnformats"]) == len(shown)
    assert all(len(row) == len(header) for row in rows)
    assert [row[header.index("iscorrect")] for row in rows] == [int(right)] * 2
    assert content["fraction"] == right
    drawn = ["<img" in row[header.index("What is wrong")] for row in rows]
    assert drawn == [kind == "wrong", False]


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


LOSS = Diagnosis(
    "goal",
    "the program loses a solution in line 7",
    (Place("my.pl", 7, 5, "A < B", "fails: 5<3"), Place("my.pl", 3, 5, "p(A, B)", "calls p(5,3)")),
    0.25,
)


@pytest.fixture(scope="module")
def lost(verdicts) -> Report:
    """A report on a program that loses a solution of both instances; the second is hidden."""
    found = (replace(each, diagnosis=LOSS) for each in verdicts["right.lp"])
    return marked("my.pl", [replace(each, way="missing", missing=1) for each in found], times=False)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("form", sorted({*FORMATS} - {"csv", "lines", "sarif"}))
def test_every_report_points_at_the_line_unless_the_instance_is_hidden(lost, form):
    written = write(lost, form)
    shown = unescape(written).replace("\\n", "\n")
    pieces = ["A < B", "fails: 5<3", "p(A, B)", "calls p(5,3)", LOSS.summary]
    pieces += ['"line": 7', '"line": 3'] if form == "json" else [p.where for p in LOSS.places]
    assert [piece for piece in pieces if shown.count(piece) != 1] == []
    assert sorted(pieces, key=shown.index)[0] == LOSS.summary
    assert "0.25" not in shown


def test_lines_are_those_that_compilers_print(lost):
    place = Message("odd", "singletons", "p/my.pl", 2, cure="mend it")
    warned = (replace(lost.results[0], path="p/my.pl", warnings=(place, place)),)
    assert write(replace(lost, results=warned * 2), "lines").splitlines() == [
        "p/my.pl:2:1: warning: odd; mend it",
        f"p/my.pl:7:{LOSS.places[0].column or 1}: error: {LOSS.summary}",
        f"p/my.pl:3:{LOSS.places[1].column or 1}: note: {LOSS.places[1].words}",
    ]
    assert write(marked("a.lp", [Verdict("b", "", 0)]), "lines") == ""


def test_code_scanning_gets_the_same_lines(lost):
    place = Message("odd", "singletons", "p/my.pl", 2, cure="mend it")
    warned = (replace(lost.results[0], path="p/my.pl", warnings=(place, place)),)
    made = replace(lost, results=warned * 2)
    content = checked(platforms.SARIF, write(made, "sarif"))
    (run,) = content["runs"]
    assert [each["id"] for each in run["tool"]["driver"]["rules"]] == ["engine", "missing", "note"]
    found = [
        (
            each["level"],
            each["message"]["text"],
            each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            each["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for each in run["results"]
    ]
    assert found == [
        ("warning", "odd; mend it", "p/my.pl", 2),
        ("error", LOSS.summary, "p/my.pl", 7),
        ("note", LOSS.places[1].words, "p/my.pl", 3),
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_has_a_report_for_code_scanning(report, name):
    content = checked(platforms.SARIF, write(report(name), "sarif"))
    assert bool(content["runs"][0]["results"]) == (not name.startswith("right"))


@pytest.mark.slow
def test_the_published_schema_accepts_a_report_for_code_scanning(report, tmp_path):
    schema = npm.file(tmp_path, "@microsoft/jest-sarif", "sarif-2.1.0-rtm.5.json")
    validator = Draft7Validator(json.loads(schema))
    assert not list(validator.iter_errors(json.loads(write(report(*PROGRAMS), "sarif"))))
    broken = json.loads(write(report("wrong.lp"), "sarif"))
    broken["runs"][0]["results"][0]["level"] = "fatal"
    assert list(validator.iter_errors(broken))


def test_lines_name_files_as_the_user_does(lost, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for file in ("a b/my.pl", "a b/sub/part.pl", "a b/one/two.pl", "a b/other/two.pl"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    files = {
        "": "a b/my.pl",
        "my.pl": "a b/my.pl",
        "part.pl": "a b/sub/part.pl",
        "two.pl": "a b/my.pl",
        str(tmp_path / "a b/sub/part.pl"): "a b/sub/part.pl",
        "/elsewhere/part.pl": "/elsewhere/part.pl",
    }
    said = [Message("odd", file=file, line=3) for file in files]
    result = replace(lost.results[0], path="a b/my.pl", warnings=tuple(said), diagnosis=None)
    found = [(message.file, message.line) for _, message in result.remarks()]
    lines = [None if file == "two.pl" else 3 for file in files]  # two files have this name
    assert found == [*zip(files.values(), lines, strict=True), ("a b/my.pl", None)]


def test_lines_tell_how_a_program_fails_if_the_reason_is_not_known(lost):
    stopped = Diagnosis("stopped", "the time is over")
    (said,) = replace(lost.results[0], diagnosis=stopped).remarks()
    assert said == ("error", Message("puzzle-1: solutions are missing", file="my.pl"))


def test_a_notebook_points_at_the_line(lost):
    assert part(lost).count("<b>my.pl, line 7</b>") == 1


def test_a_program_cannot_fake_a_line_of_a_report(lost):
    trick = ["blame", "fails", "", [["my.pl", 1, 1, "p\nSUCCESS", "\x1b[2Jfails"]]]
    why = explained([trick], Ended(0, 1.0, ""), Limits(1, 1), "my.pl", "solution")
    shown = replace(lost.results[0], diagnosis=why).text
    assert shown.splitlines()[-1] == "    my.pl, line 1: `p SUCCESS` ?[2Jfails"


# --- one result, the same words -----------------------------------------------------------


@pytest.mark.parametrize("form", sorted({*FORMATS} - {"csv", "json", "lines", "sarif"}))
def test_every_report_has_the_same_words(report, form):
    made = report("wrong.pl")
    text = write(made, form).replace("\\n", "\n")
    for said in made.results[0].parts():
        assert all(piece in text for piece in (*said.words.splitlines(), said.rule))


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_of_a_hidden_instance_is_told(verdicts, form):
    for name, found in verdicts.items():
        text = write(marked(name, found, ("puzzle-2", "puzzle-1")), form)
        assert "puzzle-1" not in text
        assert not re.search(r"r\dc\d|<svg|<img|initial\(|\d \d \| \d \d", text), (form, name)


@pytest.mark.parametrize("form", FORMATS)
def test_times_can_be_left_out(verdicts, form):
    text = write(marked("wrong.lp", verdicts["wrong.lp"], times=False), form)
    assert " ms" not in text
    assert "time" not in re.sub("timeout|time_limit", "", text) or form != "junit"
    assert text == write(marked("wrong.lp", verdicts["wrong.lp"], times=False), form)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("form", FORMATS)
def test_words_of_a_program_do_no_harm(report, form, tmp_path):
    file = tmp_path / "=2+3<b>.pl"
    file.write_text(r"sudoku(_) :- throw('\e[2J</td><script>alert(1)</script>]]>&').")
    text = write(marked(file.name, grade(file, UNIQUE)), form)
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
        if FORMATS[form].holds_many:
            assert write(made, form)
        else:
            with pytest.raises(ValueError, match="one program, but there are 2"):
                write(made, form)
    with pytest.raises(ValueError, match="there is no report 'x'; choose one of text,"):
        write(made, "x")


# --- what is not complete -----------------------------------------------------------------

NOTE = "interrupted after 2 of 3 instances"


@pytest.mark.parametrize("form", FORMATS)
def test_an_incomplete_report_says_so_and_is_no_success(verdicts, form):
    rest = Verdict("puzzle-3", "stopped", 0, message="not run: interrupted")
    results = marked("right.lp", [*verdicts["right.lp"], rest])
    made = replace(results, incomplete=NOTE)
    text = write(made, form)
    assert "INCOMPLETE" in text
    assert NOTE in text
    assert (made.passed, made.verdict, made.score) == (False, "INCOMPLETE", "2/3")
    if form == "junit":
        root = ElementTree.fromstring(text)
        platforms.check_junit(root)
        assert (root.attrib["tests"], root.attrib["errors"]) == ("4", "2")
        assert [each.attrib["message"] for each in root.iter("error")] == ["not run", NOTE]
    if form == "coderunner":
        assert checked(platforms.CODERUNNER, text)["fraction"] == round(2 / 3, 6)
    if form == "gradescope":
        content = checked(platforms.GRADESCOPE, text)
        assert [test["score"] for test in content["tests"]] == [1, 1, 0]
    if form == "html":
        assert "not run</td>" in text


# --- many programs ------------------------------------------------------------------------


def test_csv_has_a_row_for_each_program(report):
    rows = list(csv.DictReader(StringIO(write(report(*PROGRAMS), "csv"))))
    assert [row["program"] for row in rows] == list(PROGRAMS)
    assert rows[0] == {
        **{"program": "right.lp", "passed": "2", "of": "2"},
        **{"puzzle-1": "success", "hidden 1": "success", "mistakes": ""},
    }
    assert rows[1]["mistakes"] == "a digit is twice in a box; an answer is wrong"


SOLVED = "1234341221434321"
JIGSAW = "AABBAABBCCDDCCDD"


@pytest.mark.parametrize(
    ("puzzle", "cells", "mistake"),
    [
        (LOOSE, "", "no digit is shown"),
        (LOOSE, "1", "a cell is empty"),
        (LOOSE, "15", "an atom is outside the grid"),
        (LOOSE, "2", "a cell holds two digits"),
        ("2...............", SOLVED, "a given is not kept"),
        (LOOSE, "1134341221434321", "a digit is twice in a row"),
        (LOOSE, "1234341212434321", "a digit is twice in a column"),
        (LOOSE, "1234214334124321", "a digit is twice in a box"),
        (Puzzle(LOOSE, regions=JIGSAW), "1234214334124321", "a digit is twice in a box"),
        (Puzzle(LOOSE, marks={"r1c1": "even"}), SOLVED, "a mark is ignored"),
        (Puzzle(LOOSE, rules=[KillerCage("r1c1 r1c2", 7)]), SOLVED, "killer cage is violated"),
    ],
)
def test_each_kind_of_mistake_has_its_words(puzzle, cells, mistake):
    puzzle = Grid.parse(puzzle) if isinstance(puzzle, str) else puzzle
    placements = [(at // 4 + 1, at % 4 + 1, int(digit)) for at, digit in enumerate(cells)]
    placements += [(1, 1, 3)] * ("two digits" in mistake)
    fault = violated_rule(read_answer(placements, puzzle), puzzle)
    assert (fault.mistake, fault.empty) == (mistake, mistake.endswith(("empty", "shown")))
    assert bool(fault.duplicate) == ("twice" in mistake)


def test_html_has_what_programs_share(report):
    page = write(report(*PROGRAMS), "html")
    assert page.count('<th scope="row">') == len(PROGRAMS)
    assert "2 programs: a digit is twice in a box (puzzle-1)<br>wrong.lp, wrong.pl" in page
    assert "Sudoku &amp; logic" in page
    assert "2 of 8 programs passed" in page


def test_the_picture_marks_the_broken_rule_alone(report):
    first, _ = report("wrong.lp").results
    (picture,) = (each.picture for each in first.parts() if each.picture)
    conflict, house = picture.highlights
    assert (conflict.role, house.role) == ("conflict", "house")
    assert len(conflict.cells) == 2
    assert set(conflict.cells) < set(house.cells)
    assert house.label.startswith("box ")
    assert conflict.label == first.rule


def test_a_missing_solution_has_a_picture(write_program):
    (result,) = marked("narrow.lp", grade(write_program(NARROW), LOOSE)).results
    missing, *_ = result.parts()
    assert missing.picture.title == "a missing solution"
    assert missing.words == "missing: 72 of the reference solutions, such as"


def test_an_instance_at_fault_does_not_count():
    made = marked("a.lp", [UNGRADED, Verdict("b", "", 0)])
    assert (made.score, made.summary) == ("1/1", "1 of 2 passed, 1 not graded")
    assert [test["max_score"] for test in json.loads(write(made, "gradescope"))["tests"]] == [0, 1]
    assert (made.passed, made.verdict) == (False, "NOT GRADED")
    failed = marked("a.lp", [UNGRADED, Verdict("b", "timeout", 0)])
    assert failed.verdict == "FAILURE"


UNGRADED = Verdict("a", "ungraded", 0, message="not graded: the reference fails")


@pytest.mark.parametrize("form", FORMATS)
def test_every_report_says_what_is_not_graded_and_why(form):
    made = marked("a.lp", [UNGRADED, Verdict("b", "", 0)])
    assert "not graded: the reference fails" in unescape(write(made, form))
    hidden = marked("a.lp", [UNGRADED, Verdict("b", "", 0)], hidden=("a",))
    written = unescape(write(hidden, form))
    assert ("not graded" in written, "the reference fails" in written) == (True, False)


def test_what_is_not_graded_is_neither_a_failure_nor_a_success():
    made = marked("a.lp", [UNGRADED])
    (case,) = ElementTree.fromstring(write(made, "junit")).iter("testcase")
    assert [each.tag for each in case] == ["skipped"]
    first, last = map(json.loads, write(made, "json").splitlines())
    assert (first["outcome"], first["way"], first["graded"]) == ("not graded", "ungraded", False)
    assert (last["verdict"], last["not_graded"], last["passed"]) == ("NOT GRADED", 1, 0)
    assert '<td class="ungraded">? not graded</td>' in write(made, "html")
    assert next(iter(csv.DictReader(StringIO(write(made, "csv")))))["a"] == "not graded"


# --- exercise.toml ------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path) -> Path:
    """An exercise with three instances. The second one is hidden."""
    (tmp_path / "instances").mkdir()
    for number, puzzle in enumerate((UNIQUE, FOUR, LOOSE), 1):
        facts = Grid.parse(puzzle).format("facts") if puzzle != LOOSE else "#const dim=2."
        (tmp_path / "instances" / f"ex{number}.lp").write_text(facts)
    (tmp_path / "exercise.toml").write_text('title = "Week 3"\ntimeout = 60\nhidden = ["ex2"]\n')
    return tmp_path


def test_settings_are_read(folder):
    found = settings_in(folder)
    options = {"timeout": 60, "hidden": ["ex2"]}
    assert found == Settings(folder / "instances", None, "Week 3", options)
    assert settings_in(folder / "instances") == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = ", "Invalid value"),
        ("color = 1", "'color' is not known; the names are title, description,"),
        ("description = 3", "description must be a text, not 3"),
        ("title = 1", "title must be a text, not 1"),
        ("timeout = 'x'", "timeout must be a number of seconds"),
        ("timeout = true", "timeout must be a number of seconds"),
        ("constants = 'x'", "'x' is not a constant; expected NAME=VALUE"),
        ("constants = [1]", r"constants must be texts such as dim=3, not \[1\]"),
        ("against = 1", "against must be a text, not 1"),
        ("predicate = 1", "predicate must be a text, not 1"),
        ("timeout = -1", "timeout must be over 0 seconds, not -1"),
        ("total = 0", "total must be over 0 seconds, not 0"),
        ("allow_scripts = true", "'allow_scripts' is not known"),
        ("box = 3", "'box' is not known"),
        ("memory = 2.5", "memory must be a whole number, not 2.5"),
        ("vocabulary = 'x'", "there is no vocabulary 'x'"),
        ("max_output = 0", "max_output must be 1 or more, not 0"),
        ("hidden = 'ex1'", "hidden must be a list of instances, not 'ex1'"),
        ("hidden = ['ex9']", "hidden: there is no instance 'ex9'"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_name(folder, text, message):
    (folder / "exercise.toml").write_text(text)
    with pytest.raises(InvalidPuzzle, match=rf"exercise\.toml: .*{message}"):
        settings_in(folder)


def test_the_command_uses_the_file(command, folder, write_program):
    file = write_program(WRONG)
    code, output, _ = command("check", "-e", file, "-i", folder, "--no-times")
    lines = output.splitlines()
    assert code == 1
    assert lines[0] == "ex1          failure"
    at = lines.index("hidden 1     failure")
    assert lines[at + 1] == "    a hidden instance: an answer is wrong"
    assert lines[-2:] == ["0 of 3 passed", "FAILURE"]
    code, output, _ = command("check", "-e", file, "-i", folder, "--show-hidden")
    assert "ex2          failure" in output
    assert "both hold" in output.partition("ex3")[0]


def test_a_fault_of_the_program_is_told_if_the_first_instance_is_hidden(write_program):
    verdicts = grade(write_program(RIGHT + "a :- b\nc."), [UNIQUE, FOUR])
    first, second = marked("my.lp", verdicts, ("puzzle-1",)).results
    assert "my.lp:8:1-2: error: syntax error, unexpected <IDENTIFIER>" in first.text
    assert second.text == "not run: the program itself is at fault, as said before"


# === Points: of instances, of ways of failing; and instances without solutions ====================

NONE = "11.............."
"""A puzzle without a solution."""
POINTS = {"instance": 10, "puzzle-2": 20, "wrong": 0.25}


def with_points(name: str, verdicts, points=POINTS) -> Report:
    results = (mark(name, verdict, points=points) for verdict in verdicts)
    return Report(tuple(results), with_points=True)


@pytest.mark.parametrize(
    ("name", "points", "fraction"),
    [("right.lp", [10, 20], 1), ("wrong.lp", [2.5, 5], 0.25), ("broken.lp", [0, 0], 0)],
)
def test_every_report_has_the_points(verdicts, name, points, fraction):
    made = with_points(name, verdicts[name])
    assert ([each.points for each in made.results], made.points) == (points, sum(points))
    assert (made.worth, made.fraction) == (30, fraction)
    content = checked(platforms.GRADESCOPE, write(made, "gradescope"))
    assert (content["score"], [test["score"] for test in content["tests"]]) == (sum(points), points)
    assert [test["max_score"] for test in content["tests"]] == [10, 20]
    content = checked(platforms.CODERUNNER, write(made, "coderunner"))
    header, *rows = content["testresults"]
    shown = [f"{made.results[at].points:g}/{worth}" for at, worth in enumerate((10, 20))]
    assert [row[header.index("Points")] for row in rows] == shown
    assert content["fraction"] == fraction
    root = ElementTree.fromstring(write(made, "junit"))
    platforms.check_junit(root)
    properties = {each.attrib["name"]: each.attrib["value"] for each in root.iter("property")}
    assert properties == {"points": f"{sum(points):g}", "worth": "30"}
    (row,) = csv.DictReader(StringIO(write(made, "csv")))
    assert (row["points"], row["worth"]) == (f"{sum(points):g}", "30")
    score = f"{sum(points):g}/30"
    assert f"points: {score}" in write(made, "text")
    assert f"{shown[0]} points" in write(made, "text").splitlines()[0]
    html = write(made, "html")
    assert f"points: {score}" in html
    assert f">{score}</td>" in html
    *records, last = map(json.loads, write(made, "json").splitlines())
    assert [each["points"] for each in records] == points
    assert (last["points"], last["worth"]) == (sum(points), 30)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ({"wrong": 2}, "points: wrong is 2; expected a part from 0 to 1"),
        ({"instance": -1}, "points: instance is -1; expected 0 or more"),
        ({"ex1": float("inf")}, "points: ex1 is inf; expected 0 or more"),
        ({"ex1": float("nan")}, "points: ex1 is nan; expected 0 or more"),
        ({"ex1": "3"}, "points: ex1 must be a number, not '3'"),
        ({"ex1": True}, "points: ex1 must be a number, not True"),
        ([1], "points must be a table of names and numbers, not [1]"),
    ],
)
def test_points_that_cannot_be(points, message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        grade(RIGHT, UNIQUE, points=points)


@pytest.mark.slow
def test_points_of_an_exercise_and_of_a_run(folder, command, write_program):
    with (folder / "exercise.toml").open("a") as file:
        file.write("[points]\ninstance = 10\nex2 = 20\nwrong = 0.5\n")
    wrong = write_program(WRONG)
    code, output, _ = command("check", "-e", wrong, "-i", folder, "--no-times")
    assert (code, output.splitlines()[0]) == (1, "ex1          failure  5/10 points")
    assert "hidden 1     failure  10/20 points" in output
    assert output.splitlines()[-2] == "0 of 3 passed, points: 20/40"
    more = ("--points", "wrong=0", "--points", "ex1=1")
    _, output, _ = command("check", "-e", wrong, "-i", folder, *more)
    assert output.splitlines()[-2] == "0 of 3 passed, points: 0/31"
    code, _, errors = command("check", "-e", wrong, "-i", folder, "--points", "ex9=1")
    assert (code, "there is no instance 'ex9'" in errors) == (2, True)
    code, _, errors = command("check", "-e", wrong, "-i", folder, "--points", "ex9")
    assert (code, "'ex9' does not set points; expected NAME=NUMBER" in errors) == (2, True)
    with (folder / "exercise.toml").open("a") as file:
        file.write("ex9 = 3\n")
    with pytest.raises(InvalidPuzzle, match="points: there is no instance 'ex9'"):
        settings_in(folder)


NEVER = "digit(1).\n:- 1=1.\n"
"""A program without any answer."""
HOLLOW = "not counted: 2 instances without solutions, since the program passes none that has some"


def counted(text: str, *puzzles: str) -> Report:
    return marked("my.lp", grade(text, list(puzzles)), hidden=())


def test_a_program_that_never_answers_earns_nothing():
    made = counted(NEVER, UNIQUE, NONE, FOUR, NONE)
    assert [each.outcome for each in made.results] == ["failure", "success", "failure", "success"]
    assert (made.points, made.score, made.summary) == (0, "0/4", "0 of 4 passed")
    assert HOLLOW in write(made, "text")
    assert json.loads(write(made, "gradescope"))["score"] == 0
    assert json.loads(write(made, "coderunner"))["fraction"] == 0
    assert HOLLOW in json.loads(write(made, "coderunner"))["epiloguehtml"]
    (row,) = csv.DictReader(StringIO(write(made, "csv")))
    assert (row["passed"], row["of"]) == ("0", "4")
    assert ">0/4</td>" in write(made, "html")


@pytest.mark.slow
def test_an_instance_without_solutions_counts_if_another_one_is_passed_or_there_is_no_other():
    assert counted(RIGHT, UNIQUE, NONE).score == "2/2"
    assert counted(f"{RIGHT}:- initial(1,1,1).", UNIQUE, NONE, FOUR).score == "2/3"
    assert counted(NEVER, NONE).score == "1/1"


@pytest.mark.slow
def test_each_program_of_a_class_counts_for_itself():
    lazy, right = (grade(text, [UNIQUE, NONE]).all for text in (NEVER, RIGHT))
    results = [mark("lazy.lp", each) for each in lazy] + [mark("right.lp", each) for each in right]
    made = Report(tuple(results))
    assert {name: one.score for name, one in made.programs.items()} == {
        "lazy.lp": "0/2",
        "right.lp": "2/2",
    }
    assert (made.points, made.worth) == (2, 4)


# --- the formats ------------------------------------------------------------------------------


def test_a_new_format_is_one_class(command, tmp_path, write_program):
    command("check", "--help")  # which has the names of the formats from now on

    class Counts(Format):
        name = "counts"
        ending = "txt"

        def text(self, report: Report) -> str:
            return f"{report.successes}/{len(report.results)}"

    try:
        made = marked("p", [Verdict("i", "", 1), Verdict("j", "missing", 1)], ())
        assert write(made, "counts") == "1/2\n"
        target = tmp_path / "counts.txt"
        command("check", "-e", write_program(WRONG), UNIQUE, "--report", f"counts={target}")
        assert target.read_text() == "0/1\n"
        _, _, error = command("check", "-e", write_program(WRONG), UNIQUE, "--report", "count=x")
        assert f"a FORMAT of {', '.join(FORMATS)}" in " ".join(error.split())
        assert [*FORMATS][-1] == "counts"
    finally:
        del FORMATS["counts"]


def test_formats_are_those_that_the_documentation_and_the_help_name(command):
    teaching = (Path(__file__).parent.parent / "docs" / "teaching.md").read_text(encoding="utf-8")
    table = teaching.partition("| format | for |")[2].partition("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines()[2:]]
    assert sorted(re.findall(r"`(\w+)`", "".join(rows))) == sorted(FORMATS)
    said = " ".join(command("check", "--help")[1].split())
    *others, last = streamed()
    whole = [each for each in FORMATS if each not in streamed()]
    assert f"A report: as for -f, or {', '.join(whole)}." in said
    assert f"FORMAT is {', '.join(others)} or {last}." in said
    assert {each.ending for each in FORMATS.values()} == {
        *("txt", "json", "html", "xml", "csv", "sarif"),
    }


# --- one verdict for sudoku and for any other problem -----------------------------------------

INSTANCE = Problem("queens").instance("size(2).")
SURPLUS = Answer([Atom("queen", (1, 2))])
_NULL = {"missing_grid": None, "extra_grid": None, "missing_answer": None, "extra_answer": None}


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [(Grid.parse(UNIQUE), Grid.parse(FOUR), "grid"), (INSTANCE, SURPLUS, "answer")],
)
def test_a_verdict_has_one_field_each_for_its_question_and_answers(question, answer, kind):
    facts = {"missing": 1, "extra": 1, "exhausted": True, "question": question}
    verdict = Verdict("i", "wrong", 7, 2, missing_answer=answer, extra_answer=answer, **facts)
    old = {"missing_grid": answer, "extra_grid": answer} if kind == "grid" else {}
    names = ("missing_grid", "extra_grid")
    assert {name: getattr(verdict, name) for name in names} == dict.fromkeys(names) | old
    of_sudoku = kind == "grid"
    assert verdict.puzzle == (question if of_sudoku else None)
    assert verdict.facts == ("" if of_sudoku else "size(2).")
    assert replace(verdict, at_fault=True).flawed
    assert not verdict.flawed
    written = write(marked("p", [verdict], times=False), "json").splitlines()[0]
    answers = _NULL | {f"missing_{kind}": answer.to_json(), f"extra_{kind}": answer.to_json()}
    begin = {"instance": "i", "outcome": "failure", "way": "wrong", "answers": 2}
    middle = {"missing": 1, "extra": 1} | answers | {"rule": "", "message": ""}
    end = {"exhausted": True, "graded": True, "diagnosis": None, "program": "p", "hidden": False}
    assert written == json.dumps(begin | middle | end | {"points": 0, "worth": 1})


@pytest.mark.parametrize(
    ("question", "answer", "words", "below"),
    [
        (INSTANCE, SURPLUS, " for size(2)", ["queen(1,2)."]),
        (INSTANCE, Answer([]), " for size(2)", ["no atom"]),
        (INSTANCE, Answer([], (3, 1)), " for size(2)", ["no atom   cost 3, 1"]),
        (Problem("queens").instance("size(1..12)."), SURPLUS, "", ["queen(1,2)."]),
        (Grid.parse(FOUR), Grid.parse("0" * 16), "", []),
    ],
)
def test_a_wrong_answer_in_words(question, answer, words, below):
    verdict = Verdict("i", "wrong", 1, 2, extra=1, extra_answer=answer, question=question)
    (result,) = marked("p", [replace(verdict, exhausted=True)]).results
    lines = [f"extra: 1 of 2 answers{words}, such as", *(f"    {line}" for line in below)]
    assert result.text.splitlines() == lines
    lacks = replace(verdict, way="missing", extra_answer=None, missing_answer=answer, missing=2)
    (result,) = marked("p", [lacks]).results
    number = f"2 answers{words}" if question.has_atoms else "2 of the reference solutions"
    lines[0] = f"missing: {number}, such as"
    assert result.text.splitlines() == lines


@pytest.mark.parametrize("words", ["no place at all", "/x/my.lp:1:1-2: error: as it was"])
def test_a_mistake_is_the_first_error_whatever_the_words_of_the_message(words):
    placed = Message("an error", "", "my.lp", 3)
    run = Output("error", message=f"{words}\nmore", messages=[placed])
    assert verdict_on(run).error == "an error"
    assert verdict_on(replace(run, messages=[Message("an error")])).error == words
    assert verdict_on(replace(run, notes=["a note"])).error == "a note"
    assert verdict_on(replace(run, ending="too much")).error == "too much"
    assert verdict_on(Output("error")).error == "an error"


def test_a_program_at_fault_has_its_mistake_once_whatever_is_told_of_the_rest(
    write_program, monkeypatch
):
    monkeypatch.setattr("pylogic_sudoku.check.grading.AT_FAULT", "the same again")
    found = grade(write_program("sudoku(1,\n", "broken.lp"), PUZZLES).all
    assert [each.at_fault for each in found] == [True, True]
    assert [each.message for each in found][1:] == ["the same again"]
    for hidden in ([], ["puzzle-1"], ["puzzle-2"]):
        mistakes = [each.mistake for each in marked("p", found, hidden).results]
        assert mistakes == ["syntax error, unexpected EOF", ""]


@pytest.mark.parametrize("lacks", [True, False])
def test_a_program_that_lacks_memory_is_asked_for_its_loop_whatever_the_words(lacks):
    loop = Diagnosis("loop", "it does not end")
    program = SimpleNamespace(tells_lines=False, explain_loop=lambda *_: loop)
    run = Output("error", message="anything", lacks_memory=lacks)
    case, right = Case("i", Path("i.lp"), ""), frozenset[Grid]()
    reference = Solutions(Grid.parse(UNIQUE), right, True, "a file")
    why = reason(program, case, run, verdict_on(run), reference, Limits(1.0, 64))
    assert why == (loop if lacks else None)


def verdict_on(run: Output) -> Verdict:
    return judge("i", run, Solutions(Grid.parse(UNIQUE), frozenset(), True, "a file"))


# --- characters that do not show themselves ----------------------------------------------------

CONTROL = "\x1b[2J\x07\u202egnorw\u2066\ud800\x00\x85"


def test_control_characters_of_a_program_reach_no_report():
    answer = Answer([Atom("a", (CONTROL,))])
    fault = Fault(f"rule {CONTROL}", f"mistake {CONTROL}")
    wrong = Verdict(f"i{CONTROL}", "wrong", 1, 1, extra=1, fault=fault)
    verdict = replace(wrong, extra_answer=answer, question=Problem("queens").instance(""))
    errors = Verdict("b", "error", 1, message=f"{CONTROL}\nerror {CONTROL}")
    made = marked(f"p{CONTROL}.lp", [verdict, errors], hidden=())
    written = "".join(unescape(write(made, form)) for form in FORMATS if form != "json")
    assert not {*CONTROL} - {*"[2Jgnorw"} & {*written}
    assert 'a("?[2J' in written
    platforms.check_junit(ElementTree.fromstring(write(made, "junit")))
    assert write(made, "json").isascii()
    first = json.loads(write(made, "json").splitlines()[0])
    assert first["extra_answer"] == {"atoms": [["a", CONTROL]]}, "data is exact"


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["lp", "pl"])
def test_a_class_is_graded_though_names_and_answers_have_control_characters(
    tmp_path, command, ending
):
    text = {"lp": 'queen(1,"{}"). #show queen/2.', "pl": 'answer([queen(1,"{}")]).'}[ending]
    (folder := tmp_path / "class").mkdir()
    for name in ("\x1b[2Ja", "\x1b[2Jb", "\u202ea"):
        (folder / f"{name}.{ending}").write_text(text.format("\x1b[31mSUCCESS\x1b[0m"))
    right = resource(f"problems/queens/queens.{ending}")
    shutil.copy(right, os.fsencode(folder) + b"/m\xfcller." + ending.encode())
    shutil.copy(right, folder / f"right.{ending}")
    reports = [
        part for form in HOLDING_MANY for part in ("--report", f"{form}={tmp_path}/all.{form}")
    ]
    code, out, err = command("check", "-p", "queens", "-e", folder, "size=4", *reports)
    assert (code, err) == (1, "")
    written = out + "".join((tmp_path / f"all.{form}").read_text() for form in HOLDING_MANY)
    assert not {"\x1b", "\u202e"} & {*written}
    rows = csv.DictReader(StringIO((tmp_path / "all.csv").read_text()))
    assert {row["program"]: row["size=4"] for row in rows} == {
        f"?[2Ja.{ending}": "failure",
        f"?[2Jb.{ending}": "failure",
        f"?a.{ending}": "failure",
        f"m?ller.{ending}": "error",
        f"right.{ending}": "success",
    }
    root = ElementTree.parse(tmp_path / "all.junit").getroot()
    assert len(root.findall("testsuite")) == 5
    assert "is not UTF-8, which engines need; rename it" in written


# --- what a report must not say ------------------------------------------------------------------

NOISY = """\
{ queen(I,1..N) } = 1 :- size(N), I = 1..N.
:- queen(I,J), queen(K,J), I < K.
:- queen(I,J), queen(K,L), I < K, |I-K| = |J-L|.
:- queen(I,J), #sum { J : queen(I,J) } < 0.
#show queen/2.
"""
TUPLE = "global variable in tuple of aggregate element"


@pytest.mark.slow
@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize(
    ("old", "new", "way", "is_told"),
    [
        ("", "", "", False),
        ("I < K, |", "I < K, K < 3, |", "wrong", False),
        ("< 0", "< 3", "nothing", True),
    ],
)
def test_a_variable_of_an_aggregate_is_told_if_it_may_be_the_mistake(
    tmp_path, command, old, new, way, is_told
):
    file = tmp_path / "my.lp"
    file.write_text(NOISY.replace(old, new, 1), "utf-8")
    _, text, _ = command("check", "-p", "queens", "-e", file, "size=5")
    _, record, _ = command("check", "-p", "queens", "-e", file, "size=5", "-f", "json")
    assert json.loads(record.splitlines()[0])["way"] == way
    assert (TUPLE in text, TUPLE in record) == (is_told, is_told)


SECRETS = """\
% Pick one
% Input: size(N).  SECRETHEAD
% Output: pick(X).

#const secretconst = 4141.
% Nothing odd is picked.
secretodd(X) :- X = 1..N, size(N), X \\ 2 = 1.  % SECRETSIDE
{ pick(X) : X = 1..N } = 1 :- size(N).
:- pick(X), secretodd(X).
:- pick(X), X > secretconst.

% SECRETFOOT
#show pick/1.
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [
        "{ pick(X) : X = 1..N } = 1 :- size(N). #show pick/1.",
        "pick(2). #show pick/1.",
        "{ pick(X) : X = 1..N } = 1 :- size(N), N < 0. #show pick/1.",
        "pick(X :- size(X).",
        "pick(X) :- sise(X). #show pick/1.",
    ],
)
def test_no_report_gives_the_reference_away(tmp_path, command, program):
    folder = tmp_path / "pick"
    (folder / "instances").mkdir(parents=True)
    (folder / "pick.lp").write_text(SECRETS, "utf-8")
    (folder / "instances" / "six.lp").write_text("size(6).\n", "utf-8")
    file = tmp_path / "my.lp"
    file.write_text(program, "utf-8")
    forms = [each for each in FORMATS if each not in streamed()]
    reports = [f"--report={form}={tmp_path / form}.report" for form in forms]
    code, text, errors = command("check", "-p", folder, "-e", file, *reports)
    assert code == 1, errors
    _, record, _ = command("check", "-p", folder, "-e", file, "-f", "json")
    _, lines, _ = command("check", "-p", folder, "-e", file, "-f", "lines")
    texts = [text, record, lines, *((tmp_path / f"{form}.report").read_text() for form in forms)]
    assert len(texts) == 3 + len(forms)
    for each in texts:
        assert not re.search("secret|4141|[^y]pick[.]lp", each, re.IGNORECASE), each
