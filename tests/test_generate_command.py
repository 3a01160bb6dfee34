"""The command that makes puzzles: its options, its seed, and how it ends."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess

import pytest
from helpers.command_line import MODULE, ROOT, environment, invoke
from helpers.oracle import full_grid
from helpers.processes import terminal

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle

SMALL = ("--box", "2x2", "--seed", "1")


def made(*arguments):
    """The lines that the command prints; it must end well, without a word."""
    done = invoke("generate", *arguments)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_it_prints_the_puzzles_of_the_seed():
    puzzles = [str(puzzle) for puzzle in pls.generate(5, seed=7)]
    assert made("-n", "5", "--seed", "7") == puzzles
    assert made("-n", "5", "--seed", "8") != puzzles
    assert made("-n", "5", "--seed", "7", "--jobs", "2") == puzzles


def test_a_seed_that_is_drawn_is_told():
    done = invoke("generate", "-n", "2")
    (seed,) = re.fullmatch(r"--seed (\d+) makes the same puzzles again\n", done.stderr).groups()
    assert done.stdout.splitlines() == made("-n", "2", "--seed", seed)
    assert invoke("generate").stderr != done.stderr


def test_the_options_say_what_the_puzzles_are():
    for line in made("-n", "3", "--seed", "1", "--minimal", "--givens", "20-26"):
        puzzle = Grid.parse(line)
        assert 20 <= len(puzzle.givens) <= 26
        assert pls.is_unique(puzzle)
        fewer = (puzzle.without(given[:2]) for given in puzzle.givens)
        assert not any(map(pls.is_unique, fewer))
    (line,) = made("--symmetry", "rotation", "--seed", "1")
    assert [*map(bool, Grid.parse(line).digits)] == [*map(bool, Grid.parse(line).digits)][::-1]
    (line,) = made("--givens", "30", "--seed", "1", "--symmetry", "none")
    assert len(Grid.parse(line).givens) == 30
    (line,) = made("--level", "easy", "--seed", "1", "-t", "60", "--tries", "50")
    assert pls.rate(line).level == "easy"


def test_boxes_regions_and_a_solution(tmp_path):
    (line,) = made("--box", "2x3", "--seed", "1")
    assert len(line) == 36
    solution = full_grid((2, 3), 4)
    file = tmp_path / "solution.txt"
    file.write_text(str(solution))
    for source in (solution, file):
        (line,) = made("--box", "2x3", "--solution", source, "--seed", "1")
        assert pls.solve(Grid.parse(line, box=(2, 3))) == solution
    labels = "11122 11322 43332 44355 44555"
    file.write_text(labels.replace(" ", "\n"))
    for source in (labels, file):
        (line,) = made("--regions", source, "--seed", "1")
        puzzle = pls.formats.parse(line)
        assert puzzle.regions == Puzzle("." * 25, labels).regions
        assert pls.is_unique(puzzle)


@pytest.mark.parametrize("form", ["json", "facts", "pretty"])
def test_rules_are_laid_and_written(form):
    text = "\n".join(made("--rule", "killer_cage", "--rule", "thermometer", "-f", form, *SMALL))
    if form == "pretty":
        assert "killer cage (sum" in text
    else:
        puzzle = pls.formats.parse(text)
        assert {rule.kind for rule in puzzle.rules} <= {"killer_cage", "thermometer"}
        assert pls.count(puzzle, "prolog", limit=2) == 1


def test_formats():
    lines = made("-n", "2", "-f", "json", *SMALL)
    assert [json.loads(line)["box"] for line in lines] == [[2, 2]] * 2
    assert made("--certify", "-b", "prolog", *SMALL) == made(*SMALL)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--givens", "5-3"], "'5-3' is not a whole number, or two such as 22-26"),
        (["--givens", "easy"], "'easy' is not a whole number, or two such as 22-26"),
        (["--givens", "16"], "givens must be 17 or more"),
        (["--rule", "sandwich"], "'sandwich' is not one of 'killer_cage', 'thermometer'"),
        (["--symmetry", "round"], "'round' is not one of 'none', 'rotation'"),
        (["--rule", "arrow", "-f", "line"], "-f line holds a grid alone; use -f json"),
        (["-n", "2", "-f", "facts"], "a file of the format facts holds one puzzle"),
        (["--regions", "1122", "--box", "2x2"], "box and regions exclude each other"),
        (["--regions", "1122 1122 3344 3333"], "the region of r3c1 has 6 cells, expected 4"),
        (["--solution", "1234341221434322", "--seed", "1"], "must be a full grid that keeps"),
        (["--solution", "1..4.....3......"], "must be a full grid, but it has empty cells"),
    ],
)
def test_a_request_that_makes_no_sense(command, arguments, message):
    code, printed, said = command("generate", *arguments)
    assert (code, printed) == (2, "")
    assert message in said
    assert "--seed" not in said


def test_a_request_that_cannot_be_met_ends_with_what_was_tried(command):
    arguments = ("-n", "5", "--givens", "17", "--tries", "2", "--seed", "1")
    code, printed, said = command("generate", *arguments)
    assert (code, printed) == (1, "")
    assert re.match(r"Error: no .*2 puzzles tried.*2 with too many givens", said)


# --- without end -----------------------------------------------------------------------------


def test_it_prints_each_puzzle_at_once_until_ctrl_c():
    with subprocess.Popen(
        [*MODULE, "generate", "-n", "0", "--seed", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        lines = [process.stdout.readline().strip() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        _, error = process.communicate()
    assert (process.returncode, error) == (130, "\nInterrupted.\n")
    assert lines == [str(puzzle) for puzzle in pls.generate(3, seed=1)]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_closed_pipe_ends_it_quietly(jobs):
    command = shlex.join([*MODULE, "generate", "-n", "0", "--seed", "1", "--jobs", jobs])
    done = subprocess.run(
        ["bash", "-c", f"{command} | head -n 2; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        env=environment(),
        cwd=ROOT,
    )
    assert done.stdout.splitlines()[2:] == ["141"]
    assert done.stderr == ""


def test_progress_is_shown_in_a_terminal_if_puzzles_are_not():
    line = shlex.join([*MODULE, "generate", "-n", "3", "--seed", "1"])
    child = terminal(
        "bash", "-c", f"{line} > /dev/null", env=environment(TERM="xterm"), cwd=str(ROOT)
    )
    shown = child.read().decode()
    assert "3/3" in shown or "/s" in shown or "0:00:0" in shown
