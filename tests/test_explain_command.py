"""The command `explain`, as people run it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from itertools import islice
from subprocess import CompletedProcess
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from helpers.command_line import run
from helpers.puzzles import PRINTED, SMALL
from helpers.puzzles import TWO as SEVERAL

import pylogic_sudoku as pls
from pylogic_sudoku import SolveTimeout, hint, rate, steps, steps_to, why

NONE = "1.....1....2.21."
PUZZLE = list(PRINTED)[-1]


def explain(*arguments: object, stdin: str = "") -> CompletedProcess[str]:
    return run("explain", *arguments, stdin=stdin)


def answers(*arguments: object) -> list[dict]:
    """The output as JSON."""
    done = explain(*arguments[:-1], "-f", "json", arguments[-1])
    return [json.loads(line) for line in done.stdout.splitlines()]


def all_steps(puzzle: str, cell: str | None = None) -> Iterable[object]:
    way = steps_to(puzzle, cell) if cell else steps(puzzle).walk()
    return [*way, way.outcome]


class Asked(NamedTuple):
    puzzle: str
    right: Callable[[str], Iterable[object]]
    """The right answers."""
    every: bool = True
    """True if all of them are wanted, False for any one."""


SPARE_GIVEN = "4......3.4.13..."
ASKED = {
    "why r2c1": Asked(SMALL, lambda puzzle: [why(puzzle, "r2c1")]),
    "why r2c1 --detail house --smallest": Asked(
        SMALL, lambda puzzle: [why(puzzle, "r2c1", smallest=True, detail="house")]
    ),
    "why-not r2c1 2": Asked(SMALL, lambda puzzle: pls.why_not(puzzle, "r2c1", 2).all(), False),
    "why-not r2c1 2 --all": Asked(SMALL, lambda puzzle: pls.why_not(puzzle, "r2c1", 2).all()),
    "conflicts": Asked(NONE, lambda puzzle: pls.conflicts(puzzle).all(), False),
    "conflicts --all": Asked(NONE, lambda puzzle: pls.conflicts(puzzle).all()),
    "ambiguity": Asked(SEVERAL, lambda puzzle: [pls.ambiguity(puzzle)]),
    "redundant": Asked(SPARE_GIVEN, lambda puzzle: [pls.redundant(puzzle)]),
    "redundant --minimal": Asked(SPARE_GIVEN, lambda puzzle: [pls.redundant(puzzle, minimal=True)]),
    "steps": Asked(SMALL, all_steps),
    "steps --to r1c7": Asked(PUZZLE, lambda puzzle: all_steps(puzzle, "r1c7")),
    "steps --to r1c1": Asked(PUZZLE, lambda puzzle: [why(puzzle, "r1c1")]),
    "hint": Asked(SMALL, lambda puzzle: [hint(puzzle)]),
    "rate": Asked(SMALL, lambda puzzle: [rate(puzzle)]),
    # Without a question it is the one that fits.
    "-t 60": Asked(SMALL, all_steps),
    "-t 61": Asked(SEVERAL, lambda puzzle: [pls.ambiguity(puzzle)]),
    "-t 62": Asked(NONE, lambda puzzle: pls.conflicts(puzzle).all(), False),
}
"""By what is asked."""


@pytest.mark.parametrize("words", ASKED)
def test_what_is_asked_is_answered_in_text_in_json_and_in_pictures(tmp_path, words):
    puzzle, right, every = ASKED[words]
    known = {}
    for each in right(puzzle):
        drawn = isinstance(each, pls.Explanation)
        found = each.to_json() if drawn else {"outcome": each}
        found = asdict(each) if isinstance(each, pls.Rating) else found
        known[str(each)] = json.loads(json.dumps({"where": "puzzle 1", **found})), drawn
    done = explain(*words.split(), puzzle)
    assert done.returncode == (1 if puzzle == NONE else 0)
    assert done.stderr.startswith("puzzle 1: no solution" if puzzle == NONE else "")
    texts = [text for text in known if text in done.stdout]
    assert len(texts) == (len(known) if every else 1)
    data = answers(*words.split(), puzzle)
    assert len(data) == len(texts)
    assert all(each in [found for found, _ in known.values()] for each in data)
    pictures = sum(known[text][1] for text in texts)
    file = tmp_path / "page.html"
    drawn = explain(*words.split(), "-o", file, puzzle)
    assert drawn.returncode == (done.returncode if pictures else 2)
    assert not pictures or file.read_text(encoding="utf-8").count("<svg ") == pictures


def test_an_answer_has_its_picture_and_steps_have_numbers(tmp_path):
    done = explain("why", "r2c1", SMALL)
    assert done.stdout.startswith(f"{why(SMALL, 'r2c1')}\n\nWhy r2c1 is 1\n")
    assert "┏━━━┯━━━┳━━━┯━━━┓" in done.stdout
    explain("why", "r2c1", "-o", tmp_path / "why.svg", SMALL)
    text = (tmp_path / "why.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "r2c1 is 1" in text
    way = [f"{number}. {step}" for number, step in enumerate(steps(SMALL), 1)]
    assert explain("steps", SMALL).stdout.splitlines() == [*way, "The puzzle is solved."]
    explain("steps", "-o", tmp_path / "steps.html", SMALL)
    page = (tmp_path / "steps.html").read_text(encoding="utf-8")
    assert all(f"<figcaption>{step}</figcaption>" in page for step in steps(SMALL))
    assert f"<title>12 steps: {rate(SMALL)}. The puzzle is solved.</title>" in page
    assert "12. full house: " in page
    explain("steps", "--to", "r1c7", "-o", tmp_path / "steps.html", PUZZLE)
    assert "<p>2 steps. r1c7 is 9.</p>" in (tmp_path / "steps.html").read_text(encoding="utf-8")


def test_a_smallest_clash_has_the_fewest_givens():
    (answer,) = answers("conflicts", "--smallest", NONE)
    fewest = min(len(each.givens) for each in pls.conflicts(NONE).all())
    assert (answer["smallest"], len(answer["givens"])) == (True, fewest)


def test_a_large_set_is_explained_by_steps_on_request():
    said = "puzzle 1: `explain steps --to r1c7` shows the steps to this digit\n"
    assert explain("why", "r1c7", PUZZLE).stderr == said
    assert explain("why", "r5c5", PUZZLE).stderr == ""  # its set is small


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


@pytest.mark.slow
def test_asplain():
    options = ["--prune", "CHANGES", "--cost-encoding", "penalize-removed"]
    done = explain("graph", "sudoku(3,2,1)", *options, "1.....1....2.2..")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Givens that go: none.\nThe graph has ")
    (answer,) = answers("graph", "sudoku(1,1,4)", *options, "1.....1....2.2..")
    assert answer["foil"][0][0] == 4
    assert [given["cell"] for given in answer["remove"]] == ["r1c1"]


def test_what_cannot_be_drawn_is_told_before_the_work(command, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    monkeypatch.setattr("pylogic_sudoku.explain.ambiguity", None)
    ended, output, _ = command("explain", "ambiguity", "-o", tmp_path / "x.png", SMALL)
    assert (ended, output) == (3, "")
