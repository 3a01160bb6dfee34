"""The command ``check`` on one program and on those of a class: what is printed, exit codes."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import check_programs as programs
from helpers import command_line
from helpers.processes import ended
from helpers.puzzles import SEVERAL
from helpers.small_programs import FOUR, PROGRAMS, RIGHT, SLOW, UNIQUE, WRONG

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.check import exercise as _typical
from pylogic_sudoku.check.exercise import MISTAKES
from pylogic_sudoku.check.grading import Grader
from pylogic_sudoku.problem.folder import Problem

KEPT, LOST = pls.solutions(SEVERAL)
LATIN = programs.RIGHT.replace(programs.BOXES, "")


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return command_line.run("check", *arguments, cwd=cwd)


def without_times(text: str) -> str:
    return re.sub(r" +\d+ ms$", " N ms", text, flags=re.MULTILINE)


@pytest.fixture(scope="module", autouse=True)
def mistakes():
    """One typical wrong program, of the many that test_check_init.py is about."""
    lost = tuple(each for each in MISTAKES if each.words == "some solutions are lost")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_typical, "MISTAKES", lost)
        yield


@pytest.fixture(scope="module")
def exercise(tmp_path_factory) -> Path:
    """A folder as a teacher makes it: a puzzle with two solutions, and one with none."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "puzzles.txt").write_text(f"# for the course\n{SEVERAL}\n{'1' * 2}{'.' * 79}\n")
    done = command_line.run("exercise", "solutions", ".", "puzzles.txt", cwd=folder)
    assert done.returncode == 0
    assert done.stdout == "instances/ex001.lp\ninstances/ex002.lp\n"
    assert done.stderr.splitlines() == [
        "These typical wrong programs pass:",
        "  some solutions are lost (ASP); add a puzzle with many solutions",
    ]
    x, y, n = next(given for given in LOST.givens if given not in KEPT.givens)
    for name, text in {
        "right.lp": programs.RIGHT,
        "latin.lp": LATIN,
        "lost.lp": programs.RIGHT + f":- sudoku({x},{y},{n}).\n",
        "unsafe.lp": programs.RIGHT + "free(X) :- not sudoku(X,1,1).\n",
        "right.pl": programs.PROLOG,
    }.items():
        (folder / name).write_text(text)
    return folder


def grade(exercise: Path, name: str, *more: object) -> subprocess.CompletedProcess[str]:
    return run("-e", name, "-i", "instances", "-s", "solutions", "-t", "60", *more, cwd=exercise)


def test_exercise_files(exercise):
    instance = (exercise / "instances" / "ex001.lp").read_text()
    assert instance.startswith("% puzzles.txt, line 2\ninitial(1,2,3). initial(1,3,9).")
    assert Grid.parse(instance) == Grid.parse(SEVERAL)
    several, none = (
        json.loads((exercise / "solutions" / f"ex00{number}.json").read_text()) for number in (1, 2)
    )
    assert (several["Result"], none["Result"]) == ("SATISFIABLE", "UNSATISFIABLE")
    assert several["Models"] == {"Number": 2, "More": "no"}
    values = [set(witness["Value"]) for witness in several["Call"][-1]["Witnesses"]]
    assert [len(value) for value in values] == [81, 81]
    assert all("sudoku(1,2,3)" in value for value in values)


def test_clingo_itself_writes_references(exercise, tmp_path):
    for number in ("1", "2"):
        clingo = [sys.executable, "-m", "clingo", "0", "--outf=2"]
        output = ended(*clingo, "right.lp", f"instances/ex00{number}.lp", cwd=exercise).stdout
        (tmp_path / f"ex00{number}.json").write_text(output)
    done = run("-e", "right.lp", "-i", "instances", "-s", tmp_path, cwd=exercise)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "SUCCESS")


DRAWN = "".join(f"        {line}\n" for line in LOST.format("pretty").splitlines())
PRINTED = {
    "right.lp": "ex001        success N ms\nex002        success N ms\n2 of 2 passed\nSUCCESS\n",
    "right.pl": "ex001        success N ms\nex002        success N ms\n2 of 2 passed\nSUCCESS\n",
    "lost.lp": f"""\
ex001        failure N ms
    missing: 1 of the reference solutions, such as
{DRAWN}    the program loses the solution: lost.lp, line 9 excludes it
        lost.lp, line 9: `:- sudoku(4,1,6).` forbids r4c1 = 6
ex002        success N ms
not counted: 1 instance without solutions, since the program passes none that has some
0 of 2 passed
FAILURE
""",
    "unsafe.lp": """\
ex001        error N ms
    unsafe.lp:9:1-30: error: unsafe variables in:
      free(X):-not sudoku(X,1,1).
    unsafe.lp:9:6-7: note: 'X' is unsafe
ex002        error N ms
    not run: the program itself is at fault, as said before
0 of 2 passed
FAILURE
""",
}


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_printed(exercise, name):
    done = grade(exercise, name)
    assert (done.returncode, done.stderr) == (0 if "right" in name else 1, "")
    assert without_times(done.stdout) == PRINTED[name]


def test_rule_that_an_extra_answer_breaks(exercise):
    done = grade(exercise, "latin.lp", "--limit", "5")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert re.fullmatch(r"    extra: at least [345] \(5 answers until then\), such as", lines[1])
    assert re.fullmatch(r" {8}r\dc\d and r\dc\d both hold \d \(box \d\)", lines[-7])
    assert lines[-6] == "    no constraint of the program is about boxes"


def test_json(exercise):
    done = grade(exercise, "lost.lp", "-f", "json")
    first, second, last = map(json.loads, done.stdout.splitlines())
    facts = {"instance": "ex001", "outcome": "failure", "extra": 0, "missing": 1, "graded": True}
    assert facts.items() <= first.items()
    assert Grid.from_rows(first["missing_grid"]) == LOST
    facts = {"instance": "ex002", "outcome": "success", "missing_grid": None}
    assert facts.items() <= second.items()
    assert (first["points"], first["worth"], second["points"], second["worth"]) == (0, 1, None, 1)
    counts = {"instances": 2, "passed": 0, "points": 0, "worth": 2, "not_graded": 0}
    outcomes = {"failure": 1, "success": 1}
    assert last == {"verdict": "FAILURE", **counts, **outcomes}


FORGED = r"""
sudoku(_) :-
    forall(member(S, [user_output, user_error]), format(S, "~nex001   success~nSUCCESS~n", [])),
    throw('\e[2J\nSUCCESS\n').
"""


@pytest.mark.parametrize(("name", "text"), [("my.pl", FORGED), ("my.lp", '"\nSUCCESS\n".')])
def test_output_of_a_program_is_not_a_verdict(exercise, write_program, name, text):
    done = grade(exercise, write_program(text, name))
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert [line.split()[1] for line in lines[:-2] if line[0] != " "] == ["error", "error"]
    assert lines[-2:] == ["0 of 2 passed", "FAILURE"]
    assert "\033" not in done.stdout


def test_bad_puzzle_among_those_for_an_exercise(tmp_path):
    done = command_line.run("exercise", "solutions", "new", "1..4............", "1..", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "new/instances/ex001.lp\n")
    assert "puzzle 2: " in done.stderr


def test_vocabulary_of_an_exercise(tmp_path):
    words = ("--vocabulary", "hint,place")
    done = command_line.run("exercise", "solutions", "new", *words, SEVERAL, cwd=tmp_path)
    assert done.returncode == 0
    assert "hint(1,2,3)." in (tmp_path / "new" / "instances" / "ex001.lp").read_text()
    assert "place(1,2,3)" in (tmp_path / "new" / "solutions" / "ex001.json").read_text()
    mine = programs.RIGHT.replace("initial", "hint").replace("sudoku", "place")
    (tmp_path / "my.lp").write_text(mine)
    done = run("-e", "my.lp", "-i", "new/instances", "-s", "new/solutions", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "SUCCESS")


# === Many programs at once: tables and reports, processes, the time for the whole run =============

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """Puzzles, and what students have handed in."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "puzzles.txt").write_text(f"{UNIQUE}\n{FOUR}\n")
    (folder / "submissions").mkdir()
    for name in ("right.lp", "wrong.lp", "broken.lp", "right.pl", "wrong.pl"):
        (folder / "submissions" / name).write_text(PROGRAMS[name])
    (folder / "submissions" / "notes.txt").write_text("not a program")
    (folder / "submissions" / "another.lp").write_text(WRONG + "% mine\n")
    return folder


@pytest.fixture
def check(command, course, monkeypatch):
    monkeypatch.chdir(course)
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: object):
        return command("check", *arguments)

    return run


@pytest.mark.parametrize(
    "arguments",
    [
        "-e submissions puzzles.txt",
        "-e submissions/*.[lp][pl] -i puzzles.txt",
        "-e submissions/another.lp {} puzzles.txt",
        "-e submissions/another.lp -i puzzles.txt {}",
    ],
    ids=["a folder", "a pattern", "as a shell expands it", "with -i"],
)
def test_ways_to_name_programs(arguments, check, monkeypatch):
    names = ["another.lp", "broken.lp", "right.lp", "right.pl", "wrong.lp", "wrong.pl"]
    asked = []

    def each(_self, paths, found, *_others):
        yield from ()
        asked.append((paths, found))

    monkeypatch.setattr(Grader, "each", each)
    check(*arguments.format(" ".join(f"submissions/{name}" for name in names[1:])).split())
    ((paths, found),) = asked
    assert [path.name for path in paths] == names
    assert [each.name for each in found] == ["puzzles-1", "puzzles-2"]


@pytest.mark.slow
def test_a_table_of_all_programs_and_what_they_share(check, course):
    code, output, errors = check(
        *("-e", "submissions", "puzzles.txt"),
        *("--report", "html=class.html", "--report", "csv=class.csv"),
        *("--report", "gradescope={}.json"),
    )
    assert (code, errors) == (1, "")
    assert "│ right.lp   │ success   │ success   │ 2/2    │" in output
    assert "│ wrong.pl   │ failure   │ failure   │ 0/2    │" in output
    lines = output.splitlines()
    at = lines.index("3 programs: a digit is twice in a box (puzzles-1, puzzles-2)")
    assert lines[at + 1] == "    another.lp, wrong.lp, wrong.pl"
    assert lines[-2:] == ["2 of 6 programs passed", "FAILURE"]
    with (course / "class.csv").open() as file:
        table = {row["program"]: row["passed"] for row in csv.DictReader(file)}
    assert table == {
        **{"another.lp": "0", "broken.lp": "0", "right.lp": "2"},
        **{"right.pl": "2", "wrong.lp": "0", "wrong.pl": "0"},
    }
    assert "<img" in (course / "class.html").read_text()
    assert json.loads((course / "wrong.lp.json").read_text())["score"] == 0


def test_instances_at_fault_are_no_mistakes_of_programs(check, tmp_path):
    instance, page = tmp_path / "a.lp", tmp_path / "class.html"
    instance.write_text("initial(1,1")
    _, output, _ = check("-e", "submissions", "-i", instance, "--report", f"html={page}")
    assert f"a: not graded: {instance}: line 1: " in output.replace("\n", " ")
    assert "programs: not graded" not in output
    assert f"<li>a: not graded: {instance}: line 1" in page.read_text()


def test_an_exercise_without_instances(check, tmp_path):
    (tmp_path / "exercise.toml").touch()
    code, _, errors = check("-e", "submissions/right.lp", "-i", tmp_path)
    assert code == 2
    assert f"{tmp_path / 'instances'}: cannot be read: No such file" in errors


def test_programs_with_one_name_are_told_apart(check, course):
    for student in ("ann", "bob"):
        (course / student).mkdir(exist_ok=True)
        (course / student / "sudoku.lp").write_text(RIGHT)
    code, output, _ = check("-e", "ann/sudoku.lp", "-e", "bob/sudoku.lp", "-f", "json", UNIQUE)
    assert code == 0
    *found, last = map(json.loads, output.splitlines())
    assert [each["program"] for each in found] == ["ann/sudoku.lp", "bob/sudoku.lp"]
    assert last["programs"] == 2


@pytest.mark.slow
def test_two_processes_say_the_same_as_one(check):
    programs = [part for each in ("right.lp", "wrong.pl") for part in ("-e", f"submissions/{each}")]
    one, two = (
        check(*programs, "puzzles.txt", "--no-times", "-f", "json", "--jobs", jobs)
        for jobs in (1, 2)
    )
    assert one == two


@pytest.mark.slow
def test_a_program_has_a_time_for_all_instances(tmp_path):
    """One that never ends takes no time from the one after it."""
    paths = [tmp_path / "a.lp", tmp_path / "b.lp"]
    for path, text in zip(paths, (SLOW, RIGHT), strict=True):
        path.write_text(text)
    grader = Grader(timeout=100, total=4, memory=100_000)  # not out of memory before that
    instances = list(grader.instances([UNIQUE, FOUR], None))
    slow, right = (list(verdicts) for _, verdicts in grader.each(paths, instances, None))
    assert [verdict.outcome for verdict in slow] == ["timeout", "timeout"]
    assert slow[1].message == "not run: the time for all instances is over"
    assert [verdict.outcome for verdict in right] == ["success", "success"]


def test_a_program_that_cannot_be_read_stops_no_other(tmp_path):
    (tmp_path / "b.lp").write_text(RIGHT)
    grader = Grader()
    instances = list(grader.instances(UNIQUE, None))
    paths = [tmp_path / "gone.lp", tmp_path / "b.lp"]
    (gone,), (right,) = (list(verdicts) for _, verdicts in grader.each(paths, instances, None))
    assert gone.outcome == "error"
    assert "gone.lp: cannot be read: No such file or directory" in gone.message
    assert right.passed


def test_no_instances_at_all():
    with pytest.raises(InvalidPuzzle, match="there are no instances"):
        Grader().instances([], None)


def test_a_folder_for_each_student(tmp_path):
    files = {
        "all/Ada_17_assignsubmission_file_/sudoku.lp": RIGHT,
        "all/Bob_18_assignsubmission_file_/mine.lp": WRONG,
        "all/__MACOSX/Bob_18/._mine.lp": "no program",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "q.txt").write_text("1..4.....3......")
    done = run("-e", "all", "q.txt", "--report", "csv=a.csv", cwd=tmp_path)
    assert done.returncode == 1
    with (tmp_path / "a.csv").open() as file:
        table = {row["program"]: row["passed"] for row in csv.DictReader(file)}
    assert table == {
        "Ada_17_assignsubmission_file_/sudoku.lp": "1",
        "Bob_18_assignsubmission_file_/mine.lp": "0",
    }


@pytest.mark.slow
def test_one_line_for_each_instance_if_it_should_be_brief(tmp_path):
    for name, text in {"a.lp": RIGHT, "b.lp": WRONG}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "q.txt").write_text("1..4.....3......")
    one = run("-e", "b.lp", "--brief", "--no-times", "q.txt", cwd=tmp_path).stdout.splitlines()
    assert (len(one), one[0].split()[:3]) == (3, ["q", "failure", "extra:"])
    both = run("-e", "a.lp", "-e", "b.lp", "--brief", "--no-times", "q.txt", cwd=tmp_path)
    first, second, *_ = both.stdout.splitlines()
    assert first.split() == ["a.lp", "q", "success"]
    assert second.split()[:4] == ["b.lp", "q", "failure", "extra:"]


# --- a class with students who have no program ---


def test_students_without_a_program_have_a_row_with_the_reason(check, tmp_path):
    for name in ("ann/a.lp", "bob/latin.lp.txt", "cid/notes/read.me", "eve/e.lp"):
        (tmp_path / "class" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "class" / name).write_text(RIGHT)
    (tmp_path / "class" / "dan").mkdir()
    table = tmp_path / "class.csv"
    code, out, err = check("-e", tmp_path / "class", UNIQUE, "--report", f"csv={table}")
    assert (code, err) == (1, "")
    ends = "the name of a program ends in .lp, or in .pl for Prolog"
    rows = [list(row.values()) for row in csv.DictReader(table.open())]
    assert rows == [
        ["ann/a.lp", "1", "1", "success", ""],
        ["bob", "0", "1", "error", f"there is no program, but latin.lp.txt: {ends}"],
        ["cid", "0", "1", "error", f"there is no program, but notes: {ends}"],
        ["dan", "0", "1", "error", "there is no program: the folder is empty"],
        ["eve/e.lp", "1", "1", "success", ""],
    ]
    assert "2 of 5 programs passed" in out


def test_a_file_with_the_wrong_name_among_programs_has_a_row(check, tmp_path):
    for name in ("ann.lp", "bob.lp.txt", "notes.txt"):
        (tmp_path / name).write_text(RIGHT)
    code, out, _ = check("-e", tmp_path, UNIQUE, "-f", "json")
    rows = [json.loads(line) for line in out.splitlines()[:-1]]
    assert code == 1
    assert [(row["program"], row["outcome"], row["points"]) for row in rows] == [
        ("ann.lp", "success", 1),
        ("bob.lp.txt", "error", 0),
    ]
    assert rows[1]["message"].startswith("it is not graded: the name of a program ends in .lp")
    assert check("-e", tmp_path / "bob.lp.txt", UNIQUE)[0] == 0, "it was named"


def test_a_class_without_any_program_is_a_mistake_of_the_caller(check, tmp_path):
    for name in ("ann", "bob"):
        (tmp_path / "class" / name).mkdir(parents=True)
    code, _, err = check("-e", tmp_path / "class", UNIQUE)
    assert (code, "there are no programs" in " ".join(err.replace("│", " ").split())) == (2, True)


# --- problems ---


@pytest.mark.one_in(2)
@pytest.mark.parametrize("here", [True, False])
def test_a_file_in_a_folder_of_instances_is_one(check, tmp_path, monkeypatch, here):
    queens = Problem("queens")
    (tmp_path / "my.pl").write_text(queens.path("prolog").read_text())
    if here:
        (tmp_path / "instances").mkdir()
        (tmp_path / "instances" / "6.lp").write_text("size(6).")
    monkeypatch.chdir(tmp_path)
    report = tmp_path / "all.junit"
    words = ("-p", "queens", "-e", "my.pl", "size=8", "instances/6.lp")
    code, out, err = check(*words, "--report", f"junit={report}")
    assert (code, err) == (0, "")
    assert [line.split()[:2] for line in out.splitlines()[:2]] == [
        ["size=8", "success"],
        ["6", "success"],
    ]
    assert f'<testsuites name="{queens.title}"' in report.read_text()


def test_the_only_program_of_a_problem_is_the_reference(check, tmp_path):
    (tmp_path / "told" / "instances").mkdir(parents=True)
    (tmp_path / "told" / "told.pl").write_text("answer([told(N)]) :- hides(N).\n")
    (tmp_path / "told" / "instances" / "a.lp").write_text("hides(1).\n")
    (tmp_path / "told" / "problem.toml").write_text('output = ["told/1"]\n')
    words = ("-p", tmp_path / "told", "-e", tmp_path / "told" / "told.pl")
    assert check(*words)[::2] == (0, "")
    code, _, err = check(*words, "--against", "clingo")
    assert (code, "no program for clingo" in err) == (2, True)


@pytest.mark.slow
def test_a_constant_that_nothing_sets_is_a_warning_to_the_teacher(check, tmp_path):
    folder = tmp_path / "walk"
    (folder / "instances").mkdir(parents=True)
    (folder / "walk.lp").write_text(
        "{ at(T) : T = 1..limit } = 1. at(f(limit)) :- at(limit+1). :- not at(1). #show at/1.\n"
    )
    (folder / "instances" / "a.lp").write_text("here.\n")
    (folder / "instances" / "b.lp").write_text("here. #const limit=3.\n")
    (folder / "instances" / "c.lp").write_text("here. #const limit=0.\n")
    (tmp_path / "none.lp").write_text("{ at(1) }. :- at(1). :- not at(1). #show at/1.\n")
    _, out, err = check("-p", folder, "-e", tmp_path / "none.lp")
    assert [line.split()[:2] for line in out.splitlines() if line[0] != " "][:3] == [
        ["a", "success"],
        ["b", "failure"],
        ["c", "success"],
    ]
    assert err == (
        "Warning: a: the reference has no answer, and nothing sets limit; expected #const in the"
        " instance or in the program.\n"
    )
