"""Options of all commands, and what the command line says about itself."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete
from helpers.command_line import (
    COMMANDS,
    FOUR,
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

from pylogic_sudoku.cli.options import Seconds, Whole

# === The options of all commands: their letters, options given twice, completion by a shell ======


SINGLE = [
    (name, option)
    for name, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, click.Option) and not option.multiple and not option.is_flag
]


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_that_counts_once_cannot_be_given_twice(name):
    for command, option in SINGLE:
        if command == name:
            first, last = option.opts[0], option.opts[-1]
            done = invoke(name, first, "1", FOUR, last, "1")
            assert (done.exit_code, done.stdout) == (2, "")
            assert f"Error: {' / '.join(option.opts)} is given twice\n" in done.stderr
            assert done.stderr.startswith(f"Usage: cli {name} ")


def test_all_commands_but_a_few_have_such_options():
    assert set(COMMANDS) - {name for name, _ in SINGLE} == {
        "completion",
        "doctor",
        "programs",
        "rules",
    }


def test_a_letter_means_the_same_in_every_command():
    meanings: dict[str, set[str]] = {}
    for command in COMMANDS.values():
        for option in command.params:
            for letter in (each for each in option.opts if len(each) == 2):
                meanings.setdefault(letter, set()).add(max(option.opts, key=len))
    assert {letter: long for letter, (long, *more) in meanings.items() if not more} == {
        **{"-b": "--backend", "-f": "--format", "-n": "--limit", "-o": "--output"},
        **{"-q": "--quiet", "-t": "--timeout", "-c": "--const", "-e": "--encoding"},
        **{"-i": "--instances", "-s": "--solutions"},
    }
    assert all(len(names) == 1 for names in meanings.values()), meanings


@pytest.mark.parametrize("long", ["--backend", "--format", "--limit", "--output", "--timeout"])
def test_an_option_has_the_same_letter_in_every_command(long):
    found = [option for command in COMMANDS.values() for option in command.params]
    assert len({tuple(option.opts) for option in found if long in option.opts}) == 1


@pytest.mark.parametrize(
    ("command", "one", "other"),
    [("explain", "--steps", "--hint"), ("show", "--candidates", "--pencil-marks")],
)
def test_one_of_two_questions_is_not_dropped(command, one, other):
    done = invoke(command, one, other, FOUR)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"Error: {one} does not go with {other}\n" in done.stderr


@pytest.mark.parametrize("abbreviated", ["-n=2", "--lim", "--time-limit", "--possible", "--cand"])
def test_options_are_not_abbreviated_and_old_ones_are_gone(abbreviated):
    for command in ("solve", "show"):
        assert invoke(command, abbreviated, "2", FOUR).exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "--highlight", "row 1", "--highlight", "3", FOUR],
        ["solve", "--time", "--time", "-f", "line", FOUR],
        ["count", "--", FOUR],
    ],
)
def test_other_options_may_be_given_twice(arguments):
    assert invoke(*arguments).exit_code == 0


def test_help_lists_the_questions_first():
    listed = invoke("--help").stdout.partition("Commands:\n")[2]
    names = [line.split()[0] for line in listed.partition("\n\n")[0].splitlines()]
    assert names == list(COMMANDS)
    assert names[:4] == ["solve", "count", "certify", "explain"]
    assert names[-6:] == ["rules", "asp", "prolog", "serve", "doctor", "completion"]
    assert "..." not in listed  # each says what it does in a line


# --- completion by a shell -----------------------------------------------------------------


def completed(words: str, monkeypatch) -> str:
    """The completions of the last word."""
    parts = words.split(" ")
    monkeypatch.setenv("COMP_WORDS", " ".join(["pylogic-sudoku", *parts]))
    monkeypatch.setenv("COMP_CWORD", str(len(parts)))
    return BashComplete(cli, {}, "pylogic-sudoku", "_PYLOGIC_SUDOKU_COMPLETE").complete()


@pytest.mark.parametrize(
    "words",
    [
        "solve puz",
        "solve -b all puzzles.txt puz",
        "count --limit 2 ",
        "explain --steps ./puz",
        "show puz",
        "show --solution puz",
        "show --difference puz",
        "prolog puz",
        "compare puz",
        "check --make-solutions folder puz",
        "check -e my",
        "explain --dynamic-tags my",
    ],
)
def test_a_shell_completes_the_names_of_files_with_puzzles(words, monkeypatch):
    assert completed(words, monkeypatch) == f"file,{words.split(' ')[-1]}"


# --- numbers -----------------------------------------------------------------------------

NUMBERS = [
    (name, max(option.opts, key=len), option.type)
    for name, command in COMMANDS.items()
    for option in command.params
    if isinstance(option.type, Whole | Seconds)
]
MAY_BE_0 = {(name, "--limit") for name in ("solve", "count", "compare", "check", "trace")}
MAY_BE_0 |= {("serve", "--port"), ("generate", "--limit"), ("generate", "--seed")}
WRONG = ["-1", str(10**24), str(2**63), "1e18", "nan", "inf", "-inf", "text", "", "9" * 5000]


def test_every_number_has_limits_of_ours():
    theirs = click.types._NumberParamTypeBase
    for name, command in COMMANDS.items():
        assert not [one for one in command.params if isinstance(one.type, theirs)], name
    assert {("solve", "--limit"), ("serve", "--port"), ("check", "--memory")} < {
        (name, option) for name, option, _ in NUMBERS
    }


@pytest.mark.parametrize(("command", "option", "kind"), NUMBERS)
def test_a_wrong_number_is_a_usage_error(command, option, kind):
    for value in WRONG + ["0"] * ((command, option) not in MAY_BE_0):
        done = invoke(command, option, value)
        assert (done.exit_code, done.stdout) == (2, ""), value
        range_of = (
            f"whole number from {kind.least} to {kind.most}"
            if isinstance(kind, Whole)
            else "number of seconds over 0 and up to 1000000"
        )
        assert f"{value!r} is not a {range_of}" in done.stderr


@pytest.mark.parametrize(("command", "option"), sorted(MAY_BE_0))
def test_some_numbers_may_be_0(command, option):
    sources = [] if command in ("serve", "generate") else [FOUR]
    made = COMMANDS[command].make_context(command, [option, "0", *sources])
    assert 0 in made.params.values()


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "-f", "line", "-n", str(2**31 - 1)],
        ["count", "--limit", str(2**31 - 1)],
        ["count", "-t", "1000000"],
    ],
)
def test_the_largest_numbers_work(backend, arguments):
    done = invoke(*arguments, "-b", backend, FOUR)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.count("\n") == (3 if "solve" in arguments else 1)


# === What the command line says about itself: help, doctor, completion, and the installed script =


SCRIPT = shutil.which("pylogic-sudoku", path=str(Path(sys.executable).parent))


@pytest.mark.parametrize(
    ("command", "example"),
    [
        ([], "pylogic-sudoku solve -b all --time puzzle.txt"),
        (["solve"], "pylogic-sudoku solve -n 0 -f line 1..4.....3......"),
        (["count"], "pylogic-sudoku count -n 2 puzzles.txt"),
        (["prolog"], "?- puzzle(Rows), sudoku(Rows), print_grid(Rows)."),
        (["certify"], "pylogic-sudoku certify --check -b all proofs.jsonl"),
        (["certify"], "no solution, or a certificate is refused"),
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
    ("terminal_type", "settings", "styled"),
    [
        ("xterm-256color", {}, True),
        ("xterm-256color", {"NO_COLOR": "1"}, False),
        ("dumb", {}, False),
    ],
)
def test_doctor_styles_its_table_only_for_terminals_that_want_it(terminal_type, settings, styled):
    env = environment(TERM=terminal_type, **settings)
    child = terminal(*MODULE, "doctor", env=env, cwd=str(ROOT), encoding="utf-8")
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
        ("pylogic-sudoku solve -b prolog:d", ["prolog:different", "prolog:dual"]),
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
