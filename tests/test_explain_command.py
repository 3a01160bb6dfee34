"""The command `explain`, as people run it."""

from __future__ import annotations

import json
import sys
from itertools import islice
from subprocess import CompletedProcess
from xml.etree import ElementTree

import pytest
from helpers.command_line import run
from helpers.puzzles import PRINTED, SMALL
from helpers.puzzles import TWO as SEVERAL

from pylogic_sudoku import SolveTimeout, hint, rate, steps, steps_to, why, why_not

NONE = "1.....1....2.21."
PUZZLE = list(PRINTED)[-1]


def explain(*arguments: object, stdin: str = "") -> CompletedProcess[str]:
    return run("explain", *arguments, stdin=stdin)


def answers(*arguments: object) -> list[dict]:
    """What is printed as JSON."""
    done = explain(*arguments[:-1], "-f", "json", arguments[-1])
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_why():
    done = explain("why", "r2c1", SMALL)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(why(SMALL, "r2c1").text() + "\n\nWhy r2c1 is 1\n")
    assert "┏━━━┯━━━┳━━━┯━━━┓" in done.stdout  # its picture


def test_why_at_another_detail_and_smallest():
    (answer,) = answers("why", "r2c1", "--detail", "house", "--smallest", SMALL)
    assert answer["smallest"] is True
    assert {rule["rule"][0] for rule in answer["rules"]} == {"house"}
    assert answer["where"] == "puzzle 1"


def test_a_late_digit_is_explained_by_a_set_and_on_request_by_steps(tmp_path):
    done = explain("why", "r1c7", PUZZLE)
    assert done.stdout.startswith("r1c7 is 9, because:\n")
    said = "puzzle 1: `explain steps --to r1c7` shows the steps to this digit\n"
    assert done.stderr == said
    assert explain("why", "r5c5", PUZZLE).stderr == ""  # its set is small
    way = steps_to(PUZZLE, "r1c7")
    steps = [f"{number}. {step}" for number, step in enumerate(way, 1)]
    done = explain("steps", "--to", "r1c7", PUZZLE)
    assert done.stdout.splitlines() == [*steps, "r1c7 is 9."]
    explain("steps", "--to", "r1c7", "-o", tmp_path / "steps.html", PUZZLE)
    page = (tmp_path / "steps.html").read_text(encoding="utf-8")
    assert page.count("<svg ") == len(way) == 2
    assert "<p>2 steps. r1c7 is 9.</p>" in page
    (given,) = answers("steps", "--to", "r1c1", PUZZLE)
    assert given["answer"] == "given"


@pytest.mark.parametrize("form", ["text", "json", "html", "txt"])
def test_steps_found_before_time_runs_out_are_shown(command, monkeypatch, tmp_path, form):
    late = SolveTimeout("clingo", 10)
    late.doing = "looking for pairs at step 3"

    def some(*arguments, **_named):
        yield from islice(steps(*arguments), 2)
        raise late

    monkeypatch.setattr("pylogic_sudoku.techniques.steps", some)
    path = tmp_path / f"steps.{form}"
    options = ["-o", path] if form in ("html", "txt") else ["-f", form]
    code, out, err = command("explain", "steps", *options, SMALL)
    said = "clingo gave no answer within 10 s, while looking for pairs at step 3"
    assert (code, err) == (4, f"puzzle 1: {said}\n")
    out = path.read_text(encoding="utf-8") if path.exists() else out
    first, second = islice(steps(SMALL), 2)
    if form == "json":
        found = [json.loads(line) for line in out.splitlines()]
        assert [each.get("text") for each in found] == [str(first), str(second), None]
        assert found[2]["error"] == said
    elif form == "html":
        assert out.count("<svg ") == 2
        assert f"<p>2 steps. {said}.</p>" in out
    else:
        assert out.startswith(f"1. {first}\n2. {second}\n")


def test_smallest_has_a_time_limit_of_its_own(command, monkeypatch):
    limits = []

    def asked(*_arguments, timeout, **_named):
        limits.append(timeout)
        return why(SMALL, "r2c1")

    monkeypatch.setattr("pylogic_sudoku.explain.why", asked)
    for options in (["--smallest"], ["--smallest", "-t", "5"], []):
        assert command("explain", "why", "r2c1", *options, SMALL)[0] == 0
    assert limits == [60, 5, None]


def test_why_not():
    (answer,) = answers("why-not", "r2c1", "2", SMALL)
    assert len(answer["remove"]) == len(why_not(SMALL, "r2c1", 2).givens) == 1
    everything = answers("why-not", "r2c1", "2", "--all", SMALL)
    assert len(everything) == len(list(why_not(SMALL, "r2c1", 2).all()))


def test_conflicts():
    done = explain("conflicts", NONE)
    assert done.returncode == 1
    assert done.stderr.startswith("puzzle 1: no solution")
    assert done.stdout.startswith("The puzzle has no solution, because these givens clash:\n")
    every = answers("conflicts", "--all", NONE)
    sets = {tuple(given["cell"] for given in answer["givens"]) for answer in every}
    assert len(sets) == len(every) >= 1
    fewest = answers("conflicts", "--smallest", NONE)[0]
    assert len(fewest["givens"]) == min(map(len, sets))


def test_ambiguity():
    (answer,) = answers("ambiguity", SEVERAL)
    assert (answer["solutions"], len(answer["extra"])) == (2, 1)


def test_steps_hint_and_rate():
    done = explain("steps", SMALL)
    way = list(steps(SMALL))
    numbered = [f"{number}. {step}" for number, step in enumerate(way, 1)]
    assert done.stdout.splitlines() == [*numbered, "The puzzle is solved."]
    *data, last = answers("steps", SMALL)
    assert [step["text"] for step in data] == list(map(str, way))
    assert last == {"where": "puzzle 1", "outcome": "The puzzle is solved."}
    assert explain("hint", SMALL).stdout.startswith(f"{hint(SMALL)}\n")
    assert explain("rate", SMALL).stdout == f"{rate(SMALL)}\n"
    assert answers("rate", SMALL)[0]["level"] == "easy"


@pytest.mark.parametrize(
    ("puzzle", "question", "code"),
    [(SMALL, "step", 0), (SEVERAL, "ambiguity", 0), (NONE, "conflicts", 1)],
)
def test_without_a_question_it_is_the_one_that_fits(puzzle, question, code):
    done = explain("-f", "json", puzzle)
    assert done.returncode == code
    assert json.loads(done.stdout.splitlines()[0])["question"] == question


def test_asplain():
    options = ["--prune", "CHANGES", "--cost-encoding", "penalize-removed"]
    done = explain("graph", "sudoku(3,2,1)", *options, "1.....1....2.2..")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Givens that go: none.\nThe graph has ")
    (answer,) = answers("graph", "sudoku(1,1,4)", *options, "1.....1....2.2..")
    assert answer["foil"][0][0] == 4
    assert [given["cell"] for given in answer["remove"]] == ["r1c1"]


def test_pictures(tmp_path):
    explain("why", "r2c1", "-o", tmp_path / "why.svg", SMALL)
    text = (tmp_path / "why.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "r2c1 is 1" in text


def test_a_page_has_room_for_all_steps(tmp_path):
    file = tmp_path / "steps.html"
    assert explain("steps", "-o", file, SMALL).returncode == 0
    page = file.read_text(encoding="utf-8")
    way = list(steps(SMALL))
    assert page.count("<svg ") == len(way)
    assert all(f"<figcaption>{step}</figcaption>" in page for step in way)
    assert f"<title>12 steps: {rate(SMALL)}. The puzzle is solved.</title>" in page
    assert "12. full house: " in page


def test_what_cannot_be_drawn_is_told_before_the_work(command, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    monkeypatch.setattr("pylogic_sudoku.explain.ambiguity", None)
    ended, output, _ = command("explain", "ambiguity", "-o", tmp_path / "x.png", SMALL)
    assert (ended, output) == (3, "")
