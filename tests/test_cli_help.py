"""What the command line says about itself: help, doctor, completion, and the installed script."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from helpers.command_line import (
    COMMANDS,
    MODULE,
    PUZZLE,
    ROOT,
    SOLUTION,
    cli,
    environment,
    invoke,
    run,
)
from helpers.processes import terminal

SCRIPT = shutil.which("pylogic-sudoku", path=str(Path(sys.executable).parent))


@pytest.mark.parametrize(
    ("command", "example"),
    [
        ([], "pylogic-sudoku solve -b all --time puzzle.txt"),
        (["solve"], "pylogic-sudoku solve -n 0 -f line 1..4.....3......"),
        (["count"], "pylogic-sudoku count -n 2 puzzles.txt"),
        (["prolog"], "?- puzzle(Rows), sudoku(Rows), print_grid(Rows)."),
        (["doctor"], "Exit code 3 if an engine is missing;"),
        (["completion"], 'eval "$(pylogic-sudoku completion bash)"'),
    ],
)
def test_help_has_examples(command, example):
    done = run(*command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert example in done.stdout
    if command in ([], ["solve"], ["count"]):
        assert "130  interrupted" in done.stdout


def test_doctor_reports_both_engines():
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
    child = terminal(
        *MODULE, "doctor", env=environment(**settings), cwd=str(ROOT), encoding="utf-8"
    )
    out = child.read()
    child.close()
    assert ("\x1b" in out, child.exitstatus) == (styled, 0)


def test_completion_script_is_good_bash():
    script = run("completion", "bash").stdout
    assert "_PYLOGIC_SUDOKU_COMPLETE=bash_complete" in script
    checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("pylogic-sudoku so", ["solve"]),
        ("pylogic-sudoku solve --ti", ["--timeout", "--time"]),
        ("pylogic-sudoku solve -b p", ["prolog"]),
        ("pylogic-sudoku count -f ", ["text", "json"]),
    ],
)
def test_completion(words, offered):
    cursor = str(len(words.split(" ")) - 1)
    shell = {"_PYLOGIC_SUDOKU_COMPLETE": "bash_complete"}
    done = run(env={**shell, "COMP_WORDS": words, "COMP_CWORD": cursor})
    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == set(offered)


def test_the_installed_script_is_the_same_command(tmp_path):
    assert SCRIPT is not None, "make setup installs it"
    solve = [SCRIPT, "solve", "-f", "line", PUZZLE]
    done = subprocess.run(solve, capture_output=True, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{SOLUTION}\n".encode(), b"")
    done = subprocess.run([SCRIPT, "--version"], capture_output=True, cwd=tmp_path)
    assert re.fullmatch(rb"pylogic-sudoku, version \d+\.\d+\.\d+\n", done.stdout)


# --- terminals of any width ------------------------------------------------------------------


@pytest.mark.parametrize("columns", ["1", "40", "200"])
def test_help_fits_the_terminal(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    for command in (cli, *COMMANDS.values()):
        text = command.get_help(click.Context(command, max_content_width=100))
        examples = re.compile(r"pylogic-sudoku |\?- |\[\w+\|")  # which click leaves alone
        prose = [line for line in text.splitlines() if not examples.search(line)]
        least = 50 + len("  ")  # click's own
        assert max(map(len, prose)) <= min(max(int(columns), least), 100), command.name


@pytest.mark.parametrize("columns", ["1", "40", "80"])
def test_tables_are_readable_at_any_width(columns):
    env = {"COLUMNS": columns}
    told = invoke("doctor", env=env).stdout
    told += invoke("compare", "4......3...13...", env=env).stdout
    for whole in ("backend", "SWI-Prolog", "disagree", "timed out", "median", "p95"):
        assert whole in told
    assert "…" not in told
    tables = [line for line in told.splitlines() if "┃" in line or "│" in line]
    assert max(map(len, tables), default=0) <= int(columns)
    assert bool(tables) == (columns != "1")


def test_without_a_command_there_is_help():
    done = run()
    assert done.returncode == 2
    assert "Commands:\n  solve " in done.stdout + done.stderr


def test_rules_shows_a_rule_in_all_languages():
    done = invoke("rules", "killer-cage")
    assert done.exit_code == 0
    for line in (
        "    sum: a whole number, or nothing; may be left out",
        '    {"rule": "killer_cage", "cells": ["r1c1", "r1c2", "r2c2"], "sum": 7}',
        "    killer_cage(cells=[1-1,1-2,2-2],sum=7)",
        "kind(killer_cage).",
        "rule(killer_cage, Fields, Grid) :-",
        "%   prolog/rules/rule.pl: cells, get, grid_size",
    ):
        assert line in done.output.splitlines()


def test_rules_suggests_the_nearest_name():
    done = run("rules", "sandwhich")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: no rule 'sandwhich' here; did you mean 'sandwich'?\n"
