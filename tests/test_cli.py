"""The commands that solve and count puzzles."""

from __future__ import annotations

import json
import re

import pytest
from helpers.command_line import FOUR, PUZZLE, SOLUTION, invoke, run
from helpers.puzzles import EMPTY

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.commands._solving import _solve

FOUR_SOLUTIONS = {"1234341223414123", "1234341243212143", "1234342143122143"}
NONE = "11.............."
SIX = "1....6" + "." * 24 + "6....1"


# --- solve ------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
def test_solve(backend):
    done = run("solve", "-b", backend, PUZZLE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == Grid.parse(SOLUTION).format("pretty") + "\n"


@pytest.mark.parametrize("format", ["line", "rows", "sdk", "prolog"])
def test_solve_writes_every_format(format):
    done = run("solve", "-n", "2", "-f", format, PUZZLE, FOUR)
    first, *more = done.stdout.split("\n" if format == "line" else "\n\n")[:3]
    assert first == Grid.parse(SOLUTION).format(format)
    found = {str(Grid.parse(text)) for text in more}
    assert len(found) == 2
    assert found < FOUR_SOLUTIONS
    assert (done.returncode, done.stderr) == (0, "")


def test_solve_n_0_gives_all_solutions():
    done = run("solve", "-n", "0", "-f", "line", FOUR, "-b", "all")
    assert done.stdout.splitlines() == sorted(FOUR_SOLUTIONS)
    assert (done.returncode, done.stderr) == (0, "")


def test_solve_a_file_of_many_with_bad_lines_among_them(tmp_path):
    file = tmp_path / "many.txt"
    file.write_text(f"# puzzles\n{PUZZLE}\n{PUZZLE[:-1]}\n{SOLUTION}\n?{PUZZLE[1:]}\n{PUZZLE}\n")
    done = run("solve", "-f", "line", file)
    assert done.stdout.splitlines() == [SOLUTION] * 3
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"{file}, line 3: the line has 80 characters; expected 81 for 9x9 (16 for 4x4,"
        " 256 for 16x16, or n * n with the box shape given)",
        f"{file}, line 5: unknown character '?' at position 1 (r1c1); expected 1 to 9,"
        " or one of .0_*xX- for an empty cell",
    ]


@pytest.mark.parametrize(("options", "piped"), [([], False), (["--jobs", "2"], True)])
def test_in_a_collection_equal_errors_are_counted_and_not_repeated(tmp_path, options, piped):
    lines = [PUZZLE, PUZZLE[:-1], f"?{PUZZLE[1:]}", PUZZLE[:30]] * 30
    file = tmp_path / "many.txt"
    text = "\n".join([*lines, f"{PUZZLE[:-1]}?", PUZZLE])
    file.write_text(text)
    source = "standard input" if piped else file
    arguments = ["-qf", "line", *options, "-" if piped else file]
    done = run("solve", *arguments, stdin=text if piped else "")
    assert done.stdout.splitlines() == [SOLUTION] * 31
    assert done.returncode == 2
    short, unknown = "the line has 80 characters; expected 81", "unknown character '?'"
    *first, more_short, more_unknown = done.stderr.splitlines()
    assert [each.partition(":")[0] for each in first] == [
        f"{source}, line {number}" for number in (2, 3, 4, 6, 7, 11)
    ]
    assert more_short.startswith(f'... and 57 more like "{short}')
    assert more_unknown.startswith(f'... and 28 more like "{unknown}')
    records = run("count", "-f", "json", *options, file).stdout.splitlines()
    assert ["error" in json.loads(record) for record in records] == [
        *[False, True, True, True] * 30,
        True,
        False,
    ]


PROSE = ["It was a dark and stormy night;", "the rain fell in torrents, except 12 times."]


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve"],
        ["solve", "-f", "json", "--jobs", "2"],
        ["count"],
        ["certify"],
        ["explain", "--rate"],
        ["explain", "-o", "steps.txt", "--steps"],
        ["show"],
        ["convert", "-f", "line"],
        ["compare"],
        ["check", "--make-solutions", "folder"],
    ],
)
@pytest.mark.parametrize("puzzles", [0, 1])
def test_after_20_failures_without_a_puzzle_the_rest_is_not_read(
    command, monkeypatch, tmp_path, arguments, puzzles
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pylogic_sudoku.check._typical.MISTAKES", ())  # none to run
    file = tmp_path / "prose.txt"
    file.write_text("\n\n".join([*[PUZZLE] * puzzles, *PROSE * 30]))
    code, _, err = command(*arguments, file)
    hopeless = f"{file}: this is not a collection of puzzles: none of its first 20 pieces is one"
    assert (hopeless in err.splitlines()) == (not puzzles)
    assert len(err.splitlines()) < 20
    assert code == 2


def test_solve_json_is_one_object_a_puzzle(tmp_path):
    file = tmp_path / "many.txt"
    file.write_text(f"{FOUR}\nbad\n{NONE}\n")
    done = run("solve", "-n", "0", "-f", "json", "-b", "all", file)
    solved, bad, unsolvable = map(json.loads, done.stdout.splitlines())

    assert solved["where"] == f"{file}, line 1"
    assert Grid.parse(json.dumps(solved["puzzle"])) == Grid.parse(FOUR)
    assert [str(Grid.from_rows(rows)) for rows in solved["solutions"]] == sorted(FOUR_SOLUTIONS)
    assert set(solved["seconds"]) == {"clingo", "prolog", "sat"}
    assert bad["where"] == f"{file}, line 2"
    assert bad["error"].startswith("the line has 3 characters")
    assert (unsolvable["where"], unsolvable["solutions"]) == (f"{file}, line 3", [])
    assert done.returncode == 2


def test_solve_from_standard_input_and_other_sources_in_order(tmp_path):
    file = tmp_path / "given.lp"
    file.write_text(Grid.parse(PUZZLE).format("facts"))
    rows = Grid.parse(SOLUTION).format("pretty")
    done = run("solve", "-qf", "line", "12343421........", file, "-", stdin=f"\ufeff{rows}\n")
    assert done.stdout.splitlines()[1:] == [SOLUTION, SOLUTION]
    assert done.stdout.startswith("12343421")
    assert (done.returncode, done.stderr) == (0, "")


def test_solve_with_a_box():
    done = run("solve", "--box", "2X3", "-f", "json", SIX, "-b", "all")
    told = json.loads(done.stdout)
    puzzle = Grid.parse(SIX, box=(2, 3))
    assert told["puzzle"]["box"] == [2, 3]
    assert Grid.from_rows(told["solutions"][0], box=(2, 3)).is_solution_of(puzzle)


def test_from_names_the_format_if_detection_is_wrong(tmp_path):
    file = tmp_path / "rows.txt"
    file.write_text(f"{FOUR} sudoku(1,1) of the book\n{FOUR}\n")
    assert run("count", file).returncode == 2
    done = run("count", "--from", "line", file)
    assert (done.returncode, done.stdout, done.stderr) == (0, "3\n3\n", "")


def test_solve_tells_versions_and_times():
    done = run("solve", "-b", "all", "--time", "-f", "line", PUZZLE)
    assert (done.returncode, done.stdout) == (0, f"{SOLUTION}\n")
    clingo, prolog, sat, agree = done.stderr.splitlines()
    assert re.fullmatch(r"clingo \d+\.\d+\.\d+: \d+\.\d ms", clingo)
    assert re.fullmatch(r"prolog \(SWI-Prolog\) \d+\.\d+\.\d+: \d+\.\d ms", prolog)
    assert re.fullmatch(r"sat \(CaDiCaL\) 1\.9\.5 \(python-sat [\w.]+\): \d+\.\d ms", sat)
    assert agree == "All 3 engines agree."


# --- whether there are more solutions ----------------------------------------------------


NOTE = "there are more solutions; -n 0 finds all, -q drops this note\n"


@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_solve_says_that_there_are_more_solutions(backend, jobs):
    done = invoke("solve", "-b", backend, "-f", "line", "--jobs", jobs, FOUR, PUZZLE, EMPTY)
    assert (done.exit_code, done.stdout.count("\n")) == (0, 3)
    assert done.stderr == f"puzzle 1: {NOTE}puzzle 3: {NOTE}"


@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
@pytest.mark.parametrize(
    "arguments",
    [["-q"], ["--quiet"], ["-n", "1"], ["-n", "2"], ["-f", "json"], ["--box", "2x5", "." * 100]],
)
def test_solve_says_nothing_if_nobody_wants_to_know(backend, arguments):
    done = invoke("solve", "-b", backend, *arguments, *([] if "--box" in arguments else [FOUR]))
    assert (done.exit_code, done.stderr) == (0, "")


class Slow(pls.Backend):
    """Gives one solution and fails at the next."""

    name = engine = "slow"

    def __init__(self, error: type[Exception]) -> None:
        self.error = error

    def version(self):
        return "1"

    def solutions(self, puzzle, timeout=None):
        yield pls.solve(puzzle)
        raise self.error("slow", 1)


@pytest.mark.parametrize("error", [pls.SolveTimeout, pls.BackendFailure])
def test_a_failed_look_for_more_leaves_the_answer_alone(error):
    first, end = _solve(pls.Grid.parse(FOUR), (Slow(error),), 1, 1.0, look=True, threads=1)
    assert first == pls.solve(FOUR)
    assert end.more is False


@pytest.mark.parametrize(("puzzle", "look"), [(EMPTY, False), ("." * 256, True)])
def test_solve_looks_for_more_only_if_that_is_quick_and_wanted(puzzle, look):
    found = list(_solve(pls.Grid.parse(puzzle), (Slow(AssertionError),), 1, None, look, 1))
    assert len(found) == 2


# --- count ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("command", ["solve -n 0 -f line", "solve -n 0 -f json", "count"])
@pytest.mark.parametrize(
    "backend",
    [*(pytest.param(each, marks=pytest.mark.slow) for each in ("clingo", "prolog")), "all"],
)
def test_jobs_change_neither_the_answers_nor_their_order(tmp_path, command, backend):
    lines = [FOUR, NONE, "foo", "12..34......4321", FOUR] * 15
    (tmp_path / "puzzles.txt").write_text("\n".join(lines))
    arguments = [*command.split(), "-b", backend, "puzzles.txt"]
    alone, shared = run(*arguments, cwd=tmp_path), run(*arguments, "--jobs", "2", cwd=tmp_path)
    seconds = r'"seconds": {[^}]*}|^.*no solution.*\n|^.*the line has.*\n'
    assert re.sub(seconds, "", shared.stdout) == re.sub(seconds, "", alone.stdout)
    assert sorted(shared.stderr.splitlines()) == sorted(alone.stderr.splitlines())
    assert shared.returncode == alone.returncode == 2
    assert alone.stdout.count("\n") >= 4 * 15


@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
def test_count(backend):
    done = run("count", "-b", backend, FOUR, "." * 16, NONE, PUZZLE)
    assert done.stdout.split() == ["3", "288", "0", "1"]
    assert done.stderr == "puzzle 3: no solution; r1c1 and r1c2 both hold 1 (row 1, box 1)\n"
    assert done.returncode == 1


def test_count_stops_at_a_limit():
    done = run("count", "--limit", "7", "-f", "json", "-b", "all", EMPTY, FOUR)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["count"] for answer in told] == [7, 3]
    assert [answer["where"] for answer in told] == ["puzzle 1", "puzzle 2"]
    assert done.returncode == 0
