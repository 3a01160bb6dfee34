"""Whole exercises: what is made, and whether it works where it goes to."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from base64 import b64encode
from pathlib import Path

import pytest
import yaml
from helpers import platforms
from helpers.processes import LINUX, ended
from jsonschema import Draft202012Validator

from pylogic_sudoku import Puzzle
from pylogic_sudoku.check import Exercise, Vocabulary, grade, sudoku
from pylogic_sudoku.check import exercise as exercises
from pylogic_sudoku.check.exercise import (
    MISTAKES,
    PUZZLES,
    program_text,
    uncaught,
    write_exercise,
)
from pylogic_sudoku.check.grading import Grader
from pylogic_sudoku.files import resource
from pylogic_sudoku.rules import KillerCage

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
RIGHT = program_text("ASP", (3, 3), Grader())
NO_BOXES = program_text("ASP", (3, 3), Grader(), boxes="")


def few(monkeypatch, *words: str) -> None:
    """Let these be the only typical wrong programs."""
    some = tuple(each for each in MISTAKES if each.words in words)
    monkeypatch.setattr(exercises, "MISTAKES", some)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """An exercise of our five puzzles, without the run of the typical wrong programs."""
    folder = tmp_path_factory.mktemp("courses") / "my-course"
    exercise = Exercise(folder)
    for remark, text in PUZZLES.items():
        exercise.add(text, remark)
    write_exercise(exercise, Grader())
    return folder


def files(folder: Path) -> list[str]:
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


def test_what_is_made(made):
    names = [f"ex00{number}" for number in range(1, 6)]
    assert files(made) == sorted(
        [
            *(f"instances/{name}.lp" for name in names),
            *(f"solutions/{name}.json" for name in names),
            *("README.md", "exercise.toml", "pack.sh", "coderunner/template.py"),
            *("gradescope/run_autograder", "gradescope/setup.sh"),
            *("reference/sudoku.lp", "reference/sudoku.pl"),
            *("student/README.md", "student/sudoku.lp", "student/exercise/exercise.toml"),
            "student/.github/workflows/check.yml",
            *(f"student/exercise/instances/{name}.lp" for name in names[:3]),
        ]
    )
    for file in files(made):
        assert "@" not in (made / file).read_text().replace("@v", ""), file


def test_students_get_nothing_that_is_hidden(made):
    for file in files(made / "student"):
        text = (made / "student" / file).read_text()
        assert "ex004" not in text, file
        assert "ex005" not in text, file
    readme = (made / "student" / "README.md").read_text()
    assert "has 3 of them; 2 more are hidden" in readme
    assert 'hidden = ["ex004", "ex005"]' in (made / "exercise.toml").read_text()


@pytest.mark.slow
def test_the_reference_is_right_and_the_start_runs_and_is_wrong(made):
    for name in ("sudoku.lp", "sudoku.pl"):
        assert grade(made / "reference" / name, made / "instances", made / "solutions", timeout=60)
    first = next(iter(grade(made / "student" / "sudoku.lp", made / "instances" / "ex001.lp")))
    assert first.way == "wrong"


def test_the_start_for_prolog_runs_and_is_wrong(tmp_path):
    exercise = Exercise(tmp_path)
    exercise.add("4......3...13...")
    words = Grader(predicate="solve", vocabulary=Vocabulary("hint", "place"))
    write_exercise(exercise, words, "prolog")
    start = tmp_path / "student" / "sudoku.pl"
    (verdict,) = grade(start, tmp_path / "instances", predicate="solve")
    assert verdict.way == "wrong"
    assert 'predicate = "solve"' in (tmp_path / "exercise.toml").read_text()
    assert "swi-prolog" in (tmp_path / "student/.github/workflows/check.yml").read_text()
    right = grade(
        tmp_path / "reference/sudoku.lp", tmp_path / "instances", vocabulary=words.vocabulary
    )
    assert right, str(right)


# --- where it goes to ---------------------------------------------------------------------


def add_command(folder: Path, *options: str) -> None:
    """Put the command pylogic-sudoku, with more options, into this folder."""
    folder.mkdir(parents=True)
    command = folder / "pylogic-sudoku"
    more = " ".join(options)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pylogic_sudoku "$@" {more}\n')
    command.chmod(0o755)


@pytest.fixture
def packed(made, tmp_path) -> Path:
    folder = tmp_path / "packed"
    shutil.copytree(made, folder)
    (folder / "grader-1.0-py3-none-any.whl").write_bytes(b"not really a wheel")
    subprocess.run(["sh", "pack.sh"], cwd=folder, check=True, capture_output=True)
    return folder


def test_without_a_wheel_of_the_grader_there_is_nothing_for_gradescope(made, tmp_path):
    folder = tmp_path / "packed"
    shutil.copytree(made, folder)
    done = subprocess.run(["sh", "pack.sh"], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "put a wheel of the grader here" in done.stderr
    assert {file.name for file in folder.glob("*.zip")} == {"exercise.zip"}


GRADER = "root" if os.geteuid() == 0 else ""
FORGING = """\
cd {root}
echo '{report}' > {file}
for each in /proc/[0-9]*; do
  if [ "$(readlink $each/cwd)" = {root} ] && tr '\\0' ' ' < $each/cmdline | grep -q 'check -e'; then
    kill -9 ${{each#/proc/}}
  fi
done
sleep 100
"""


def forging(root: Path, file: str, report: str) -> str:
    """Return a submission that writes the report and kills the grader, whose folder is `root`.

    Without a sandbox its user has the rights to do so: `GRADER`, the one who grades.
    """
    script = FORGING.format(root=root.resolve(), file=file, report=report)
    return f":- shell('echo {b64encode(script.encode()).decode()} | base64 -d | sh').\n"


@pytest.mark.slow
def test_gradescope_finds_its_layout_and_its_results(packed, tmp_path):
    root = tmp_path / "autograder"
    for name in ("source", "submission/deep", "results"):
        (root / name).mkdir(parents=True)
    add_command(root / "venv" / "bin", "--sandbox off")
    with zipfile.ZipFile(packed / "autograder.zip") as archive:
        modes = {each.filename: each.external_attr >> 16 for each in archive.infolist()}
        archive.extractall(root / "source")
    assert modes["run_autograder"] & 0o111, "it can be run"
    assert modes["setup.sh"] & 0o111
    assert (root / "source" / "grader-1.0-py3-none-any.whl").exists()
    shutil.copy(root / "source" / "run_autograder", root)

    def run() -> dict:
        environment = {**ENVIRONMENT, "AUTOGRADER": str(root), "SUBMITTER": GRADER}
        subprocess.run(["bash", root / "run_autograder"], env=environment, capture_output=True)
        content = json.loads((root / "results" / "results.json").read_text())
        Draft202012Validator(platforms.GRADESCOPE).validate(content)
        return content

    assert run()["score"] == 0
    assert "There is no program" in run()["output"]
    (root / "submission" / "deep" / "mine.lp").write_text(NO_BOXES)
    content = run()
    assert [test["max_score"] for test in content["tests"]] == [1] * 5
    names = [test["name"] for test in content["tests"][3:]]
    assert names == [f"hidden {number}: an answer is wrong" for number in (1, 2)]
    (root / "submission" / "deep" / "mine.lp").write_text(RIGHT)
    assert run()["score"] == 5
    (root / "submission" / "deep" / "mine.lp").unlink()
    forged = '{"score": 5, "tests": []}'
    attack = forging(root, "results/results.json", forged)
    (root / "submission" / "deep" / "mine.pl").write_text(attack)
    assert "The grader failed" in run()["output"]
    (root / "submission" / "deep" / "mine.pl").unlink()
    (root / "results" / "results.json").unlink()
    (root / "results" / "results.json").symlink_to(root / "source" / "exercise.toml")
    assert "There is no program" in run()["output"]
    assert "title" in (root / "source" / "exercise.toml").read_text()


@pytest.mark.slow
def test_coderunner_runs_its_template(packed, tmp_path):
    folder = tmp_path / "jobe"
    folder.mkdir()
    shutil.copy(packed / "exercise.zip", folder)
    template = (packed / "coderunner" / "template.py").read_text()
    # What Twig does with the answer of a student.
    placeholder = "{{ STUDENT_ANSWER | e('py') }}"
    assert placeholder in template
    answer = RIGHT.replace("\\", "\\\\").replace('"', '\\"')
    (folder / "prog.py").write_text(template.replace(placeholder, answer))

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "prog.py"]
        done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
        Draft202012Validator(platforms.CODERUNNER).validate(json.loads(done.stdout))
        return done

    done = run()
    assert (done.stderr, json.loads(done.stdout)["fraction"]) == ("", 1)
    (folder / "exercise.zip").unlink()
    with zipfile.ZipFile(folder / "exercise.zip", "w") as archive:
        archive.writestr("exercise.toml", "color = 1")
    run()


@pytest.mark.slow
@LINUX
def test_coderunner_publishes_no_report_of_a_submission(packed, tmp_path):
    folder = tmp_path / "jobe"
    folder.mkdir()
    shutil.copy(packed / "exercise.zip", folder)
    template = (packed / "coderunner" / "template.py").read_text()
    forged = json.dumps({"fraction": 1})
    answer = forging(folder, "result.json", forged)
    template = template.replace('"sudoku.lp"', '"sudoku.pl"')
    template = template.replace('"--no-times"', f'"--no-times", "--sandbox=off", "--user={GRADER}"')
    template = template.replace("{{ STUDENT_ANSWER | e('py') }}", answer)
    (folder / "prog.py").write_text(template)
    (folder / "result.json").write_text(forged)  # of another submission
    done = ended(sys.executable, "prog.py", cwd=folder, env=ENVIRONMENT)
    assert json.loads(done.stdout)["fraction"] == 0, done.stdout


@pytest.mark.slow
def test_the_workflow_for_github_checks_the_program(made, tmp_path):
    student = tmp_path / "student"
    shutil.copytree(made / "student", student)
    workflow = yaml.safe_load((student / ".github/workflows/check.yml").read_text())
    *_, step = workflow["jobs"]["check"]["steps"]
    add_command(tmp_path / "tools")
    path = f"{tmp_path / 'tools'}{os.pathsep}{os.environ['PATH']}"
    environment = {**ENVIRONMENT, "PATH": path}
    done = ended("bash", "-e", "-c", step["run"], cwd=student, env=environment)
    assert done.returncode == 1
    assert done.stdout.endswith("FAILURE\n")


def test_the_scripts_are_for_bash(made):
    for file in files(made):
        text = (made / file).read_text()
        if text.startswith("#!"):
            shell = "bash" if "bash" in text.splitlines()[0] else "sh"
            assert os.access(made / file, os.X_OK)
            assert not subprocess.run([shell, "-n", made / file], capture_output=True).stderr
    template = (made / "coderunner" / "template.py").read_text()
    compile(template, "template.py", "exec")


# --- typical wrong programs ---------------------------------------------------------------


def test_each_typical_program_is_what_it_says():
    box, grader = (2, 3), Grader()
    right = {program_text(language, box, grader) for language in ("ASP", "Prolog")}
    wrong = [each for each in MISTAKES if each.wrong(box)]
    texts = [program_text(each.language, box, grader, **each.changes) for each in wrong]
    assert len(set(texts)) == len(texts)
    assert not right & set(texts)
    assert len(set(map(str, MISTAKES))) == len(MISTAKES)


@pytest.mark.slow
def test_our_puzzles_catch_every_typical_program(made):
    assert len(MISTAKES) > 15
    assert list(uncaught(made / "instances", made / "solutions", Grader())) == []


@pytest.mark.slow
def test_what_puzzles_cannot_tell_apart_passes(tmp_path, monkeypatch):
    """With one solution, the first is all; in boxes of 2x2, columns imply the lower ones."""
    words = ("only the first solution is found", "boxes are forgotten")
    few(monkeypatch, *words, "only the boxes in the first rows count")
    exercise = Exercise(tmp_path, limit=50)
    exercise.add("4......3...13...")
    found = uncaught(exercise.instances, exercise.solutions, Grader(limit=50))
    assert list(map(str, found)) == ["only the first solution is found (Prolog)"]


def test_a_program_without_its_last_boxes_is_right():
    """The columns and the boxes above imply them, so no exercise can tell it from a right one."""
    right = program_text("ASP", (2, 2), Grader())
    text = right.replace(
        "(Y-1)/wide = (B-1)/wide.", "(Y-1)/wide = (B-1)/wide, (X-1)/high < wide-1."
    )
    assert text != right
    (verdict,) = grade(text, "................", limit=0)
    assert (verdict.outcome, verdict.answers) == ("success", 288)


def test_an_exercise_with_rules_has_no_reference_program(command, tmp_path):
    killer = Puzzle("1" + "." * 15, rules=[KillerCage("r1c1 r1c2", sum=3)])
    folder = tmp_path / "killer"
    code, _, errors = command("exercise", "new", folder, killer.format("json"))
    assert (code, errors) == (0, "")
    assert "reference" not in (folder / "README.md").read_text()
    assert not (folder / "reference").exists()
    text = program_text("ASP", (2, 2), Grader())
    (verdict,) = grade(text, folder / "instances", folder / "solutions")
    assert (verdict.way, verdict.rule) == ("wrong", f"{killer.rules[0]} is violated")


@pytest.mark.parametrize("name", ["README.md", "pack.sh", "student", "reference"])
def test_nothing_of_the_user_is_replaced(command, tmp_path, name):
    (tmp_path / name).write_text("mine")
    code, output, errors = command("exercise", "new", tmp_path)
    assert (code, output) == (2, "")
    assert errors == f"Error: {tmp_path} already holds {name}; give a new folder\n"
    assert [path.name for path in tmp_path.iterdir()] == [name], "nothing was begun"


@pytest.mark.slow
def test_those_that_pass_are_said_when_an_exercise_is_made(command, tmp_path, monkeypatch):
    few(monkeypatch, "only the first solution is found", "rows are forgotten")
    code, output, errors = command("exercise", "solutions", tmp_path / "made", "4......3...13...")
    assert (code, output) == (0, f"{tmp_path / 'made/instances/ex001.lp'}\n")
    assert errors.splitlines() == [
        "These typical wrong programs pass:",
        "  only the first solution is found (Prolog); add a puzzle with several solutions",
    ]
    code, output, errors = command("exercise", "new", tmp_path / "whole", "1..4.....3......")
    assert (code, errors) == (0, "")
    assert str(tmp_path / "whole/exercise.toml") in output.splitlines()


def test_gradescope_asks_for_another_image_where_python_is_too_old(tmp_path):
    setup = Path(exercises.__file__).with_name("templates") / "exercise/gradescope/setup.sh"
    old = '#!/bin/sh\n[ "$1" = --version ] && echo Python 3.10.12 || exit 1\n'
    for name, script in {"apt-get": "#!/bin/sh\n", "python3": old}.items():
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", setup], env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("This image has Python 3.10.12, and the grader needs 3.11")


def test_gradescope_leaves_open_only_what_runs_a_submission(tmp_path):
    """The last lines of its set-up, on a copy of our programs."""
    templates = Path(exercises.__file__).with_name("templates") / "exercise"
    lines = (templates / "gradescope" / "setup.sh").read_text().splitlines()
    begin = next(at for at, line in enumerate(lines) if line.startswith('chmod -R go= "$package"'))
    for name in ("encodings", "prolog", "problems"):
        shutil.copytree(resource(name), tmp_path / name)
    (tmp_path / "check" / "templates").mkdir(parents=True)
    script = "\n".join(["set -e", f"package='{tmp_path}'", *lines[begin:]])
    subprocess.run(["bash", "-c", script], check=True)
    files = [*tmp_path.rglob("*.lp"), *tmp_path.rglob("*.pl")]
    readable = {path for path in files if path.stat().st_mode & 0o004}
    tasks = {name for names in sudoku._TASKS.values() for name in names}
    needed = {
        *resource("prolog/host").glob("*.pl"),
        *(resource(f"prolog/{name}.pl") for name in tasks),
    }
    assert readable == {tmp_path / path.relative_to(resource("prolog").parent) for path in needed}
    assert all(path.parent.stat().st_mode & 0o001 for path in readable)
