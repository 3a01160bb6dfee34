"""Options of all commands, and what the command line says about itself."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import click
import pytest
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
    started,
)
from helpers.processes import ended, terminal
from helpers.programs import WASM
from helpers.small_programs import PROLOG, RIGHT
from helpers.small_programs import WRONG as LATIN

from pylogic_sudoku.check import Exercise
from pylogic_sudoku.check.exercise import write_exercise
from pylogic_sudoku.check.grading import Grader
from pylogic_sudoku.cli import magics
from pylogic_sudoku.cli.app import loaded
from pylogic_sudoku.engines.sudoku import choice
from pylogic_sudoku.problem.folder import Problem
from pylogic_sudoku.rules import base

# === The options of all commands: their names, options given twice, completion by a shell ========


OPTIONS = [
    (name, option)
    for name, command in (COMMANDS | {"%%clingo": magics.clingo, "%%prolog": magics.prolog}).items()
    for option in command.params
    if isinstance(option, click.Option)
]

MEANINGS = {
    # A letter stands for one long name, and a long name for one kind of value.
    "-b": "--backend",
    "-c": "--const",
    "-e": "--encoding",
    "-f": "--format",
    "-i": "--instances",
    "-n": "--limit",
    "-o": "--output",
    "-p": "--problem",
    "-q": "--quiet",
    "-s": "--solutions",
    "-t": "--timeout",
}

SAME = {
    # What the help of an option is about, if its words differ from command to command.
    "--backend": "engine|clingo, prolog",
    "--brief": "one line for each instance",
    "--box": "rows and columns of a box",
    "--const": "constant",
    "--format": "how|format|json",
    "--jobs": "processes that",
    "--json": "file",
    "--limit": "most|how many solutions|stop counting",
    "--no-times": "nothing that differs from run to run",
    "--minimal": "no given can be removed|nothing is redundant",
    "--open": "open",
    "--problem": "another problem",
    "--report": "a report",
    "--rule": "rule",
    "--sandbox": "require",
    "--output": "file",
    "--seed": "seed",
    "--smallest": "smallest|minimum",
    "--solution": "solution",
    "--suggest": "smallest instance",
    "--timeout": "time limit",
    "--tries": "tr(y|ies)",
}
"""A pattern for each option with several helps, which all of them match."""


def kind_of(option: click.Option) -> object:
    """The type of its value: nothing, a number, a file …; choices may differ."""
    if option.is_flag:
        return "flag"
    choices = isinstance(option.type, click.Choice)
    return option.type.name, "" if choices else option.metavar


def by_name() -> dict[str, list[click.Option]]:
    """The options of all commands by each of their names."""
    found: dict[str, list[click.Option]] = {}
    for _, option in OPTIONS:
        for name in (*option.opts, *option.secondary_opts):
            found.setdefault(name, []).append(option)
    return found


def test_a_letter_stands_for_one_option_and_is_there_wherever_that_is():
    found = {name: options for name, options in by_name().items() if len(name) == 2}
    assert {name: max(options[0].opts, key=len) for name, options in found.items()} == MEANINGS
    for letter, long in MEANINGS.items():
        assert all(set(each.opts) == {letter, long} for each in by_name()[letter])
        assert len(by_name()[long]) == len(by_name()[letter])


@pytest.mark.parametrize("name", sorted(by_name()))
def test_an_option_means_the_same_in_every_command(name):
    options = by_name()[name]
    assert len({kind_of(each) for each in options}) == 1
    helps = {each.help.partition("  [")[0].lower() for each in options}
    if len(helps) > 1:
        long = max(options[0].opts, key=len)
        assert all(re.search(SAME[long], text) for text in helps), helps


def test_each_pattern_for_what_an_option_means_is_needed():
    several = {name for name, each in by_name().items() if len({one.help for one in each}) > 1}
    assert {name for name in several if len(name) > 2} == {*SAME}


VALUES = {"-e": "my.lp", "-i": ".", "-s": ".", "--box": "2x2", "--to": "r1c1", "--rule": "x.lp"}
"""Values for options that do not take a number."""


def twice(option: click.Option) -> list[str]:
    """The option twice, with all names that it has."""
    names = [*option.opts, *option.secondary_opts]
    value = [] if option.is_flag else [VALUES.get(names[0], "1")]
    return [names[0], *value, names[-1], *value]


@pytest.mark.parametrize(
    ("name", "option"), OPTIONS, ids=[f"{name} {each.opts[-1]}" for name, each in OPTIONS]
)
def test_an_option_given_twice_is_repeatable_a_flag_or_an_error(name, option):
    if option.is_flag and not option.secondary_opts:
        return  # it says the same again
    if option.multiple:
        assert re.search("(?i)may be repeated|a report", option.help), option.help
        return
    command = COMMANDS.get(name) or getattr(magics, name.removeprefix("%%"))
    with pytest.raises(click.UsageError) as refused:
        command.make_context(name, twice(option))
    names = " / ".join((*option.opts, *option.secondary_opts))
    assert refused.value.format_message() == f"{names} is given twice"


@pytest.mark.parametrize(
    "arguments",
    [
        ["count", "-n", "1", FOUR, "--limit", "2"],
        ["explain", "rate", "-f", "json", "-f", "text", FOUR],
        ["check", "-e", "my.lp", "-i", ".", "-i", "..", "-s", "."],
        ["serve", "--run-programs", "--no-run-programs"],
        ["show", "-b", "prolog", "-b", "clingo", FOUR],
        ["exercise", "new", "week3", "--total", "1", "--total", "2"],
    ],
)
def test_the_command_line_refuses_an_option_given_twice(arguments):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is given twice" in done.stderr


def test_a_flag_may_be_given_twice():
    assert run("solve", "--time", "--time", "-f", "line", FOUR).returncode == 0


def test_each_engine_that_is_named_is_asked():
    several = ["-b", "prolog", "-b", "clingo:pairwise", "-b", "prolog"]
    for command, named in (("solve", ["-f", "json"]), ("count", ["-f", "json"])):
        done = invoke(command, *several, *named, FOUR)
        assert list(json.loads(done.stdout)["seconds"]) == ["prolog", "clingo:pairwise"]
    more = invoke("count", "-b", "all", "-b", "clingo:pairwise", "-f", "json", FOUR)
    assert list(json.loads(more.stdout)["seconds"]) == [*choice.names(), "clingo:pairwise"]


def test_an_engine_that_differs_is_an_error_of_solve_as_of_compare(tmp_path):
    (tmp_path / "wrong.lp").write_text(LATIN)
    for command in ("solve", "count", "compare"):
        done = run(
            command, "-b", "clingo", "-b", f"clingo:{tmp_path / 'wrong.lp'}", "-n", "0", FOUR
        )
        assert done.returncode == 5, command


# --- files to write ----------------------------------------------------------------------

SILENT = {"serve", "mcp", "exercise new", "exercise solutions"}
"""They print no answer: an address, the names of files."""


def test_each_command_that_prints_an_answer_writes_it_to_a_file():
    assert set(COMMANDS) - {name for name, one in OPTIONS if one.name == "output"} == SILENT


PRINTING = {
    "solve": ["-n", "0", FOUR],
    "count": [FOUR, "1..4"],
    "certify check": ["proofs.jsonl"],
    "compare": [FOUR],
    "programs": [],
    "program": ["asp", FOUR],
    "rules": ["thermometer"],
    "propagate": [FOUR],
    "trace": ["-b", "prolog", FOUR],
    "explain": ["-f", "json", FOUR],
    "explain steps": ["-f", "json", "4......3...13..."],
    "explain rate": ["-f", "json", "4......3...13..."],
    "generate": ["2", "--box", "2x2", "--seed", "1"],
}


@pytest.mark.parametrize("name", PRINTING)
def test_a_file_gets_what_would_be_printed(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("proofs.jsonl").write_text(invoke("certify", "-f", "json", FOUR).stdout)
    arguments = [*name.split(), *PRINTING[name]]
    there = Path("answer.json" if "json" in arguments else "answer")
    there.write_text("old")
    printed, written = invoke(*arguments), invoke(*arguments, "-o", there)
    assert (written.exit_code, written.stdout) == (printed.exit_code, "")
    assert times_apart(there.read_text()) == times_apart(printed.stdout) != ""
    assert written.stderr == printed.stderr


def times_apart(text: str) -> str:
    return re.sub(r"\d+\.\d+|[\s─━]", "", text)


@pytest.mark.parametrize("command", ["count", "convert"])
def test_a_run_without_an_answer_leaves_the_file_as_it_was(tmp_path, command):
    target = tmp_path / "x.csv"
    target.write_text("old")
    assert invoke(command, "-o", target, "1..4").exit_code == 2
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.csv"]


def test_help_lists_the_questions_to_both_engines_first():
    _, *sections = invoke("--help").stdout.partition("Options:\n")[2].split("\n\n")[:5]
    titles = [section.partition(":\n")[0] for section in sections]
    assert titles == [
        "Ask both engines",
        "Test and grade programs",
        "Explain and make puzzles",
        "Set up",
    ]
    lines = [line for section in sections for line in section.splitlines()[1:]]
    assert [line.split()[0] for line in lines] == list(cli.commands)
    assert list(cli.commands)[:3] == ["compare", "solve", "count"]
    assert len({line.index(line.split()[1]) for line in lines}) == 1  # one column


# --- numbers -----------------------------------------------------------------------------

NUMBERS = [
    (name, max(option.opts, key=len), option.type)
    for name, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, click.Option) and option.type.name in ("number", "seconds")
]
ASKING = ("solve", "count", "compare", "check", "class", "coverage")
ASKING += ("exercise new", "exercise solutions")
MAY_BE_0 = {(name, "--limit") for name in ASKING}
MAY_BE_0 |= {
    ("compare", "--tries"),
    *(("coverage", option) for option in ("--mutants", "--seed", "--tries")),
    ("serve", "--port"),
    ("trace", "--events"),
    ("generate", "--seed"),
}
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
        needed = ["-p", "queens"] if command in ("coverage", "explain refusal") else []
        done = invoke(*command.split(), *needed, option, value)
        assert (done.exit_code, done.stdout) == (2, ""), value
        ranges = {"number": "whole number from", "seconds": "number of seconds over 0 and up to"}
        assert f"{value!r} is not a {ranges[kind.name]} " in done.stderr


@pytest.mark.parametrize(("command", "option"), sorted(MAY_BE_0))
def test_some_numbers_may_be_0(command, option):
    sources = [] if command in ("serve", "generate") else ["folder", FOUR]
    sources = ["-p", "queens"] if command == "coverage" else sources
    sources = ["."] if command == "class" else sources
    made = COMMANDS[command].make_context(command, [option, "0", *sources])
    assert 0 in made.params.values()


# === What the command line says about itself: help, doctor, completion, and the installed script =


SCRIPT = shutil.which("pylogic-sudoku", path=str(Path(sys.executable).parent))


@pytest.mark.parametrize(
    ("command", "codes"),
    [
        ("solve", "130 interrupted (143 by TERM, 129 by HUP)."),
        ("certify check", "1 some certificate is refused"),
        ("generate", "1 no puzzle meets the request"),
        ("check", "1 FAILURE"),
        ("doctor", "Exit code 3 if an engine is missing;"),
    ],
)
def test_help_says_what_an_exit_code_means(command, codes):
    done = run(*command.split(), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert codes in re.sub(r"\s+", " ", done.stdout)


def test_doctor_reports_both_engines():
    done = run("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"clingo .* clingo .* \d+\.\d+\.\d+ .* ready", done.stdout)
    assert re.search(r"prolog .* SWI-Prolog .* \d+\.\d+\.\d+ .* ready", done.stdout)
    for label in ("Python: ", "swipl: ", "Prolog program: ", "ASP encoding: "):
        (line,) = (line for line in done.stdout.splitlines() if line.startswith(label))
        assert Path(line.removeprefix(label).split("(")[-1].rstrip(")")).exists()
    assert "\x1b" not in done.stdout


@pytest.mark.one_in(3)
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
    script = run(env={"_PYLOGIC_SUDOKU_COMPLETE": "bash_source"}).stdout
    assert "_PYLOGIC_SUDOKU_COMPLETE=bash_complete" in script
    checked = ended("bash", "-n", input=script)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("pylogic-sudoku so", ["solve"]),
        ("pylogic-sudoku solve --ti", ["--timeout", "--time"]),
        ("pylogic-sudoku solve -b p", ["prolog", *WASM]),
        ("pylogic-sudoku solve -b prolog:d", ["prolog:different", "prolog:dual"]),
        ("pylogic-sudoku count -f ", ["text", "json"]),
        ("pylogic-sudoku explain wh", ["why", "why-not"]),
        ("pylogic-sudoku explain --ti", ["--timeout"]),
        ("pylogic-sudoku explain steps --t", ["--to", "--timeout"]),
        ("pylogic-sudoku certify ch", ["check"]),
        ("pylogic-sudoku exercise ", ["new", "solutions"]),
        ("pylogic-sudoku program a", ["asp"]),
        # Of other problems
        ("pylogic-sudoku solve -p ze", ["zebra", "ze"]),
        ("pylogic-sudoku problems ze", ["zebra", "ze"]),
        ("pylogic-sudoku count -p zebra fe", ["fewer_clues", "fe"]),
        ("pylogic-sudoku compare -p queens -b prolog", ["prolog", *WASM, "prolog:queens_dual"]),
        ("pylogic-sudoku compare -p queens -b a", ["all"]),
        ("pylogic-sudoku program -p queens prolog:", ["prolog:queens_dual"]),
        ("pylogic-sudoku solve -p nowhere -b cl", ["clingo"]),
        ("pylogic-sudoku rules therm", ["thermometer"]),
        # The names of files
        ("pylogic-sudoku solve -b all puzzles.txt puz", ["puz"]),
        ("pylogic-sudoku explain puz", ["puz"]),
        ("pylogic-sudoku explain why r1c1 ./puz", ["./puz"]),
        ("pylogic-sudoku certify check puz", ["puz"]),
        ("pylogic-sudoku show --solution puz", ["puz"]),
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
    done = ended(*solve, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{SOLUTION}\n", "")
    done = ended(SCRIPT, "--version", cwd=tmp_path)
    assert re.fullmatch(r"pylogic-sudoku, version \d+\.\d+\.\d+\n", done.stdout)


# --- help: a screen, and examples that work ---------------------------------------------------

LINES = 44
HELP = ["", *COMMANDS, "exercise"]


def help_of(name: str) -> str:
    """The help of a command as a terminal of 100 columns shows it."""
    command = cli if name == "" else loaded(name) if " " not in name else COMMANDS[name]
    settings = {"terminal_width": 98, "help_option_names": ["-h", "--help"]}  # click leaves two
    return command.get_help(click.Context(command, info_name=f"pylogic-sudoku {name}", **settings))


@pytest.mark.parametrize("name", HELP)
def test_help_is_one_screen(name):
    headings = 6 if name == "" else 0  # the sections of all commands
    assert len(help_of(name).splitlines()) <= LINES + headings


SOLVABLE = "4......3...13..."


@pytest.fixture(scope="module")
def workplace(tmp_path_factory) -> Path:
    """A folder with all files that the examples use."""
    folder = tmp_path_factory.mktemp("workplace")
    for name, text in {
        "puzzle.txt": PUZZLE,
        "puzzles.txt": f"{SOLVABLE}\n{SOLVABLE}\n",
        "more.sdk": "4...\n...3\n...1\n3...\n",
        "my.lp": RIGHT,
        "my.pl": PROLOG,
        "submissions/one.lp": RIGHT,
        "roster.csv": "id,name\none,Ann\n",
        "queens.lp": Problem("queens").path("clingo").read_text(),
        "map/map.lp": "{ colour(R,1..3) } = 1 :- region(R).\n"
        ":- border(R,S), colour(R,C), colour(S,C).\n#show colour/2.\n",
        "map/map.pl": ":- use_module(library(clpfd)).\n"
        "model([colour(be)-A, colour(nl)-B]) :- [A, B] ins 1..3, A #\\= B.\n",
        ".config/fish/completions/empty": "",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    with ZipFile(folder / "submissions.zip", "w") as archive:
        archive.write(folder / "submissions" / "one.lp", "one.lp")
    made = Exercise(folder / "exercise")
    made.add(SOLVABLE)
    write_exercise(made, Grader())
    for name in ("instances", "solutions"):
        (folder / name).symlink_to(folder / "exercise" / name)
    assert invoke("certify", "-o", folder / "proofs.jsonl", SOLVABLE).exit_code == 0
    return folder


def examples(text: str) -> list[str]:
    """The lines that people may type, without those that stand for others."""
    lines = [line.strip() for line in text.splitlines() if "pylogic-sudoku " in line]
    return [line for line in lines if not re.match(r"Usage: |.* (COMMAND|\[OPTIONS\])", line)]


def code_of(example: str) -> set[int]:
    """The exit codes of a command that does what it should."""
    if "clingo -" in example:
        return {0, 10, 30}
    # A puzzle has conflicts, and some mutants survive two instances.
    return {1} if re.search("conflicts|--mutants", example) else {0}


SLOW = {
    "certify",
    "certify check",
    "check",
    "class",
    "compare",
    "explain graph",
    "exercise new",
    "generate",
}
SLOW |= {"coverage", "problems", "program", "programs"}
"""Commands whose examples take a second."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name in HELP
        if name not in ("serve", "mcp")
    ],
)
def test_help_has_examples_that_work(name, workplace, tmp_path, monkeypatch):
    # The typical wrong programs run in test_check_init.py.
    monkeypatch.setattr("pylogic_sudoku.check.exercise.MISTAKES", ())
    here = shutil.copytree(workplace, tmp_path / "here", symlinks=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = environment(PATH=path, HOME=str(here))
    lines = examples(help_of(name))
    assert len(lines) > 1
    for line in lines:
        words = shlex.split(line, comments=True)
        if words[0] == "pylogic-sudoku" and not re.search("[|<>&$*;]|--open", line):
            done = run(*words[1:], cwd=here)
        else:
            # Our own shell is bash: of what is for zsh, only our part is run.
            typed = line.replace("eval ", "echo ") if "zsh" in line else line
            done = ended("bash", "-c", typed, cwd=here, env=env, stdin=subprocess.DEVNULL)
        assert done.returncode in code_of(line), (line, done.stdout, done.stderr)


@pytest.mark.slow
def test_the_examples_of_serve_work():
    lines = examples(help_of("serve"))
    assert len(lines) > 1
    for line in lines:
        words = re.sub(r"--port \S+", "", line.partition(" #")[0]).split()[1:]
        own = environment(BROWSER="true")
        with started(*words, "--port", 0, env=own) as process:
            assert process.stdout.readline().startswith("http://"), line
            process.send_signal(signal.SIGINT)
            process.communicate()


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
    for whole in ("backend", "SWI-Prolog", "disagree", "unique", "median", "p95"):
        assert whole in told
    assert "…" not in told
    tables = [line for line in told.splitlines() if "┃" in line or "│" in line]
    assert max(map(len, tables), default=0) <= int(columns)
    # Times of many digits make a list of a table at 40 columns.
    assert bool(tables) == (columns == "80") or columns == "40"


def test_without_a_command_there_is_help():
    done = run()
    assert done.returncode == 2
    assert "Ask both engines:\n  compare " in done.stdout + done.stderr


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


def test_rules_knows_usual_names():
    kropki = invoke("rules", "kropki").output.splitlines()
    assert kropki[0] == "kropki: a white dot is 'difference', and a black one 'ratio'."
    assert [line for line in kropki[2:] if line[:1].strip()] == [
        "difference(cells, value)",
        "ratio(cells, value)",
    ]
    german = invoke("rules", "German whispers").output
    assert german.startswith("German whispers: it is 'whispers' with the difference 5.\n\n")
    assert german.endswith(invoke("rules", "whispers").output)
    assert "no rule 'fogofwar' here" in str(invoke("rules", "fogofwar").exception)


@pytest.mark.parametrize("name", base._USUAL)
def test_each_usual_name_leads_to_a_rule(name):
    done = invoke("rules", name)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_is_that_of_click(shell):
    asked = subprocess.run(
        MODULE, env=environment(_PYLOGIC_SUDOKU_COMPLETE=f"{shell}_source"), capture_output=True
    )
    printed = run("completion", shell).stdout
    assert "_PYLOGIC_SUDOKU_COMPLETE" in printed
    assert asked.stdout.decode().strip() in ("", printed.strip())
