"""The command line, run as people and scripts run it: real processes, streams and signals."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from pylogic_sudoku import Grid

ROOT = Path(__file__).resolve().parent.parent
MODULE = [sys.executable, "-m", "pylogic_sudoku"]
SCRIPT = shutil.which("pylogic-sudoku", path=str(Path(sys.executable).parent))

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
FOUR = "1..4.....3......"
FOUR_SOLUTIONS = {"1234341223414123", "1234341243212143", "1234342143122143"}
NONE = "11.............."
SIX = "1....6" + "." * 24 + "6....1"
EMPTY = "." * 81
"""A search for all solutions of this does not end."""


def environment(*folders: Path, **settings: str) -> dict[str, str]:
    inherited = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    path = os.pathsep.join(map(str, (*folders, ROOT)))
    return {**inherited, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **settings}


def run(
    *arguments: object, stdin: str = "", env: dict[str, str] | None = None, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Runs the command; whatever happens, it must not show a traceback."""
    done = subprocess.run(
        [*MODULE, *map(str, arguments)],
        input=stdin,
        env=env or environment(),
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
    )
    assert "Traceback" not in done.stderr
    return done


@contextmanager
def start(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*MODULE, *arguments], stdout=pipe, stderr=pipe, text=True, env=environment()
    ) as process:
        try:
            yield process
        finally:
            process.kill()


# --- solve ------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
def test_solve(backend):
    done = run("solve", "-b", backend, PUZZLE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == Grid.parse(SOLUTION).format("pretty") + "\n"


@pytest.mark.parametrize("format", ["line", "rows", "facts", "prolog"])
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


def test_solve_json_is_one_object_a_puzzle(tmp_path):
    file = tmp_path / "many.txt"
    file.write_text(f"{FOUR}\nbad\n{NONE}\n")
    done = run("solve", "-n", "0", "-f", "json", "-b", "all", file)
    solved, bad, unsolvable = map(json.loads, done.stdout.splitlines())

    assert solved["where"] == f"{file}, line 1"
    assert Grid.parse(json.dumps({"grid": solved["puzzle"], "box": solved["box"]})) == (
        Grid.parse(FOUR)
    )
    assert [str(Grid.from_rows(rows)) for rows in solved["solutions"]] == sorted(FOUR_SOLUTIONS)
    assert set(solved["seconds"]) == {"clingo", "prolog"}
    assert bad["where"] == f"{file}, line 2"
    assert bad["error"].startswith("the line has 3 characters")
    assert (unsolvable["where"], unsolvable["solutions"]) == (f"{file}, line 3", [])
    assert done.returncode == 2


def test_solve_from_standard_input_and_other_sources_in_order(tmp_path):
    file = tmp_path / "given.lp"
    file.write_text(Grid.parse(PUZZLE).format("facts"))
    rows = Grid.parse(SOLUTION).format("pretty")
    done = run("solve", "-f", "line", "12343421........", file, "-", stdin=f"\ufeff{rows}\n")
    assert done.stdout.splitlines()[1:] == [SOLUTION, SOLUTION]
    assert done.stdout.startswith("12343421")
    assert (done.returncode, done.stderr) == (0, "")


def test_solve_with_a_box():
    done = run("solve", "--box", "2X3", "-f", "json", SIX, "-b", "all")
    told = json.loads(done.stdout)
    puzzle = Grid.parse(SIX, box=(2, 3))
    assert told["box"] == [2, 3]
    assert Grid.from_rows(told["solutions"][0], box=(2, 3)).is_solution_of(puzzle)


def test_from_names_the_format_where_detection_is_wrong(tmp_path):
    file = tmp_path / "rows.txt"
    file.write_text(f"{FOUR} sudoku(1,1) of the book\n{FOUR}\n")
    assert run("count", file).returncode == 2
    done = run("count", "--from", "line", file)
    assert (done.returncode, done.stdout, done.stderr) == (0, "3\n3\n", "")


def test_solve_tells_versions_and_times():
    done = run("solve", "-b", "all", "--time", "-f", "line", PUZZLE)
    assert (done.returncode, done.stdout) == (0, f"{SOLUTION}\n")
    clingo, prolog, agree = done.stderr.splitlines()
    assert re.fullmatch(r"clingo \d+\.\d+\.\d+: \d+\.\d ms", clingo)
    assert re.fullmatch(r"prolog \(SWI-Prolog\) \d+\.\d+\.\d+: \d+\.\d ms", prolog)
    assert agree == "All 2 engines agree."


# --- count ------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["solve -n 0 -f line", "solve -n 0 -f json", "count"])
@pytest.mark.parametrize("backend", ["clingo", "prolog", "all"])
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


def test_ctrl_c_ends_all_jobs_at_once(tmp_path):
    (tmp_path / "puzzles.txt").write_text(f"{PUZZLE}\n" * 100_000)
    command = f"solve -b prolog --jobs 2 -f line {tmp_path / 'puzzles.txt'}"
    terminal = pexpect.spawn(MODULE[0], [*MODULE[1:], *command.split()], env=environment())
    terminal.expect(SOLUTION)
    terminal.sendintr()
    terminal.expect("Interrupted.", timeout=10)
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130
    assert b"Traceback" not in terminal.before


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


# --- exit codes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["solve"], "Missing argument 'PUZZLE...'"),
        (["solve", "-b", "gurobi", FOUR], "'gurobi' is none of clingo, prolog, all"),
        (["solve", "--box", "2", FOUR], "'2' is no box shape; expected rows x columns"),
        (["solve", "-t", "0", FOUR], "'0' is no number of seconds; expected one over 0"),
        (["solve", "-t", "nan", FOUR], "'nan' is no number of seconds"),
        (["solve", "1234"], "puzzle 1: a 2x2 grid leaves its box shape open"),
        (["solve", "nowhere/puzzle.txt"], "nowhere/puzzle.txt: there is no such file"),
        (["solve", "tests"], "tests: cannot be read: "),
        (["count", "--from", "json", FOUR], "puzzle 1: this is no JSON"),
        (["prolog", "1234"], "puzzle 1: a 2x2 grid leaves its box shape open"),
    ],
)
def test_bad_usage_and_bad_input(arguments, complaint):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_out_of_time(backend):
    done = run("count", "-t", "0.5", "-b", backend, EMPTY, FOUR)
    assert (done.returncode, done.stdout) == (4, "3\n")
    assert done.stderr == f"puzzle 1: {backend} gave no answer within 0.5 s\n"


PLUGINS = """
from pylogic_sudoku import Backend, BackendUnavailable, Grid

class Liar(Backend):
    name = engine = "liar"
    def version(self):
        return "6.6.6"
    def solutions(self, puzzle, timeout=None):
        yield Grid(puzzle.cells[::-1], puzzle.box)

class Broken(Backend):
    name = engine = "broken"
    def version(self):
        raise BackendUnavailable("the broken engine is not here", "Get a whole one.")
    def solutions(self, puzzle, timeout=None):
        raise BackendUnavailable("the broken engine is not here", "Get a whole one.")
        yield
"""


@pytest.fixture
def plugin(tmp_path):
    """Installs an engine in a folder, as another package would; returns the environment."""

    def install(name: str) -> dict[str, str]:
        about = tmp_path / "an_engine-1.0.dist-info"
        about.mkdir()
        (tmp_path / "an_engine.py").write_text(PLUGINS)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: an-engine\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(
            f"[pylogic_sudoku.backends]\n{name} = an_engine:{name.capitalize()}\n"
        )
        return environment(tmp_path)

    return install


def test_engines_that_disagree(plugin):
    env = plugin("liar")
    alone = run("solve", "-b", "liar", "-f", "line", SOLUTION, env=env)
    assert (alone.returncode, alone.stdout) == (0, f"{SOLUTION[::-1]}\n")

    for command in (["solve"], ["count", "--limit", "2"]):
        done = run(*command, "-b", "all", FOUR, "-f", "json", env=env)
        assert done.returncode == 5
        assert done.stderr.startswith(f"puzzle 1: the engines disagree on {FOUR}: clingo: ")
        assert "disagree" in json.loads(done.stdout)["error"]


def test_an_engine_that_is_missing(plugin):
    env = plugin("broken")
    done = run("solve", "-b", "broken", FOUR, env=env)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "Error: the broken engine is not here\nGet a whole one.\n"

    done = run("doctor", env=env)
    assert done.returncode == 3
    assert re.search(r"broken .* missing", done.stdout)
    assert done.stdout.endswith("\nbroken: the broken engine is not here\nGet a whole one.\n")


# --- interrupts and closed pipes --------------------------------------------------------


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_ctrl_c_ends_an_endless_search(backend):
    with start("count", "-b", backend, FOUR, EMPTY) as process:
        assert process.stdout.readline() == "3\n"
        time.sleep(0.3)  # by now it counts on, and will not say so
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "\nInterrupted.\n")


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_a_reader_that_has_seen_enough_is_no_error(backend):
    with start("solve", "-n", "0", "-f", "line", "-b", backend, EMPTY) as process:
        assert Grid.parse(process.stdout.readline()).is_solution_of(Grid.parse(EMPTY))
        process.stdout.close()
        assert process.wait(timeout=20) == 141
        assert process.stderr.read() == ""


# --- help, doctor, completion -----------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "example"),
    [
        ([], "pylogic-sudoku solve -b all --time puzzle.txt"),
        (["solve"], "pylogic-sudoku solve -n 0 -f line 1..4.....3......"),
        (["count"], "pylogic-sudoku count --limit 2 puzzles.txt"),
        (["prolog"], "?- puzzle(Rows), sudoku(Rows), print_grid(Rows)."),
        (["doctor"], "Exit code 3 if an engine is missing."),
        (["completion"], 'eval "$(pylogic-sudoku completion bash)"'),
    ],
)
def test_help_has_examples(command, example):
    done = run(*command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert example in done.stdout
    if command in ([], ["solve"], ["count"]):
        assert "130  interrupted" in done.stdout


def test_doctor_tells_of_both_engines():
    done = run("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"clingo .* clingo .* \d+\.\d+\.\d+ .* ready", done.stdout)
    assert re.search(r"prolog .* SWI-Prolog .* \d+\.\d+\.\d+ .* ready", done.stdout)
    for label in ("Python: ", "swipl: ", "Prolog program: ", "ASP encoding: "):
        (line,) = (line for line in done.stdout.splitlines() if line.startswith(label))
        assert Path(line.removeprefix(label).split("(")[-1].rstrip(")")).exists()
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("settings", "styled"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_doctor_styles_its_table_only_for_terminals_that_want_it(settings, styled):
    command, *arguments = [*MODULE, "doctor"]
    terminal = pexpect.spawn(
        command, arguments, env=environment(**settings), cwd=str(ROOT), encoding="utf-8"
    )
    out = terminal.read()
    terminal.close()
    assert ("\x1b" in out, terminal.exitstatus) == (styled, 0)


def test_completion_script_is_good_bash():
    script = run("completion", "bash").stdout
    assert "_PYLOGIC_SUDOKU_COMPLETE=bash_complete" in script
    checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("pylogic-sudoku so", ["solve"]),
        ("pylogic-sudoku solve --t", ["--timeout", "--time"]),
        ("pylogic-sudoku solve -b p", ["prolog"]),
        ("pylogic-sudoku count -f ", ["text", "json"]),
    ],
)
def test_completion(words, offered):
    cursor = str(len(words.split(" ")) - 1)
    done = run(
        env=environment(
            _PYLOGIC_SUDOKU_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=cursor
        )
    )
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == set(offered)


def test_the_installed_script_is_the_same_command(tmp_path):
    assert SCRIPT is not None, "make setup installs it"
    solve = [SCRIPT, "solve", "-f", "line", PUZZLE]
    done = subprocess.run(solve, capture_output=True, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{SOLUTION}\n".encode(), b"")
    done = subprocess.run([SCRIPT, "--version"], capture_output=True, cwd=tmp_path)
    assert re.fullmatch(rb"pylogic-sudoku, version \d+\.\d+\.\d+\n", done.stdout)
