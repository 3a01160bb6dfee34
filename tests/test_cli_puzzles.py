"""Puzzles with regions and marks at the command line, as our own JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.command_line import FOUR, invoke

import pylogic_sudoku as pls
from pylogic_sudoku.commands import prolog as prolog_module

REGIONS = ["1112", "1222", "3343", "4344"]
GRID = pls.Grid.of([(1, 1, 1), (3, 3, 4)], (2, 2))
PUZZLE = pls.Puzzle(GRID, REGIONS, {"r1c2": "odd", "r4c4": "even"}, title="A/jigsaw.txt")
SOLUTION = pls.Grid.parse("1324423121433412")
OPEN = pls.Puzzle(GRID, REGIONS)
NONE = PUZZLE.with_(r1c2=4)
SAME = PUZZLE.with_(r1c3=1)
TEXT = json.dumps(PUZZLE.to_json())


def called(*arguments: object, stdin: str = "") -> tuple[int, str, str]:
    done = invoke(*arguments, stdin=stdin)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def lines(*puzzles: pls.Puzzle) -> str:
    return "".join(json.dumps(puzzle.to_json()) + "\n" for puzzle in puzzles)


@pytest.fixture
def many(tmp_path: Path) -> Path:
    file = tmp_path / "many.jsonl"
    file.write_text(lines(PUZZLE, OPEN, NONE))
    return file


@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
def test_solve(backend):
    ask = ("solve", "-b", backend, "-f", "line", "-n", 2)
    assert called(*ask, TEXT) == (0, f"{SOLUTION}\n", "")
    assert called(*ask, "--from", "json", "-", stdin=TEXT) == (0, f"{SOLUTION}\n", "")


def test_solutions_are_drawn_with_their_regions():
    out = called("solve", "-n", 0, lines(OPEN), FOUR)[1].rstrip("\n").split("\n\n")
    drawn = {pls.Puzzle(grid, REGIONS).format("pretty") for grid in pls.solutions(OPEN)}
    plain = {grid.format("pretty") for grid in pls.solutions(FOUR)}
    assert set(out) == drawn | plain
    assert len(out) == len(drawn) + 3


def test_the_json_of_an_answer_has_the_whole_puzzle():
    code, out, _ = called("solve", "-f", "json", TEXT)
    told = json.loads(out)
    assert (code, told.pop("solutions")) == (0, [list(map(list, SOLUTION.rows))])
    assert pls.Puzzle.parse(json.dumps(told)) == PUZZLE
    assert told["puzzle"]["title"] == PUZZLE.title


@pytest.mark.parametrize("jobs", [1, 2])
def test_count_and_compare_take_json_lines(many, tmp_path, jobs):
    number = pls.count(OPEN)
    assert number > 1
    code, out, err = called("count", "-b", "all", "--jobs", jobs, many)
    assert (code, out) == (1, f"1\n{number}\n0\n")
    assert err == f"{many}, line 3: no solution\n"
    log = tmp_path / "log.jsonl"
    code, out, err = called("compare", "--jobs", jobs, "--json", log, many)
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in log.read_text().splitlines()][:-1]
    assert [record["outcome"] for record in records] == ["unique", "several", "none"]
    found = [pls.Puzzle.parse(json.dumps(record["puzzle"])) for record in records]
    assert found == [PUZZLE, OPEN, NONE]
    worst = out.partition("worst for clingo: ")[2].splitlines()[0]
    assert worst.startswith(f"{many}, line ") or pls.Grid.parse(worst) in found


def test_a_title_alone_leaves_a_puzzle_a_line(tmp_path):
    titled = pls.Puzzle(pls.Grid.parse(FOUR), title="Plain")
    log = tmp_path / "log"
    assert called("compare", "--json", log, json.dumps(titled.to_json()))[0] == 0
    assert json.loads(log.read_text().splitlines()[0])["puzzle"] == FOUR
    code, out, _ = called("convert", "-f", "json", json.dumps(titled.to_json()))
    assert (code, json.loads(out)["title"]) == (0, "Plain")
    assert called("show", json.dumps(titled.to_json()))[1].startswith("Plain\n")


def test_disagreements_are_reported_with_the_puzzle(monkeypatch):
    class Liar(pls.Backend):
        name = engine = "liar"
        knows = frozenset({"regions", "marks"})

        def version(self):
            return "1"

        def solutions(self, puzzle, timeout=None):
            yield SOLUTION.relabelled([2, 1, 4, 3])

    from pylogic_sudoku import engines

    monkeypatch.setitem(engines._made, "prolog", Liar())
    code, _, err = called("compare", TEXT)
    assert code == 5
    pasted = err.partition("solve -n 0 -b all '")[2].partition("'\n")[0]
    assert pls.Puzzle.parse(pasted) == PUZZLE
    assert "swipl" not in err


def test_convert():
    assert called("convert", "-f", "json", TEXT) == (0, f"{TEXT}\n", "")
    code, out, _ = called("convert", "-f", "facts", TEXT)
    assert (code, pls.Puzzle.parse(out)) == (0, PUZZLE)
    code, out, err = called("convert", "-f", "line", "-", stdin=lines(PUZZLE))
    assert (code, out) == (2, "")
    assert "standard input, line 1: this puzzle has regions and marks, which 'line' cannot" in err
    assert called("convert", "-f", "line", "-", stdin=f"{TEXT}\n[[1]]")[1] == "1\n"


def test_show(tmp_path):
    shown = called("show", "--pencil-marks", TEXT)[1]
    assert (
        shown
        == pls.draw.Picture(
            GRID, PUZZLE, pls.draw.pencil_marks(PUZZLE), title=PUZZLE.title
        ).to_text()
        + "\n"
    )
    solved = called("show", "--solve", "--candidates", "--highlight", "region 2", TEXT)
    assert (solved[0], solved[2]) == (0, "")
    file = tmp_path / "x.svg"
    assert called("show", "-o", file, "--highlight", "r1c1,box 1", TEXT)[0] == 2
    assert called("show", "-o", file, TEXT) == (0, "", "")
    assert file.read_text() == PUZZLE.to_svg() + "\n"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (["--cell", "r1c2"], "r1c2"),
        (["--why-not", "r1c2=1"], "r1c1"),
        (["--steps"], "solved"),
        (["--hint"], "r"),
        (["--rate"], ""),
        ([], "solved"),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_explain(question, words, form):
    code, out, err = called("explain", "-f", form, *question, TEXT)
    assert (code, err) == (0, "")
    assert words in out
    if form == "json":
        assert all(json.loads(line)["where"] == "puzzle 1" for line in out.splitlines())


def test_explain_what_is_wrong_and_what_is_open():
    code, out, err = called("explain", json.dumps(SAME.to_json()))
    assert (code, bool(out)) == (1, True)
    assert err == ("puzzle 1: no solution; r1c1 and r1c3 both hold 1 (row 1, region 1)\n")
    assert called("explain", json.dumps(OPEN.to_json()))[0] == 0


def test_prolog_gets_the_puzzle(monkeypatch):
    started = []
    monkeypatch.setattr(prolog_module.swipl, "run", started.append)
    called("prolog", TEXT)
    called("prolog", "--from", "line", FOUR)
    assert started == [PUZZLE, pls.Grid.parse(FOUR)]


def test_an_engine_that_knows_no_regions_is_not_asked(monkeypatch):
    class Plain(pls.Backend):
        name = engine = "plain"

        def version(self):
            return "1"

        def solutions(self, puzzle, timeout=None):
            raise AssertionError

    from pylogic_sudoku import engines

    monkeypatch.setitem(engines._made, "prolog", Plain())
    code, out, err = called("count", "-b", "prolog", TEXT)
    assert (code, out) == (3, "")
    assert "plain cannot solve puzzles with regions and marks" in err
