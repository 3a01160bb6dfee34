"""The Prolog program on its own: its PlUnit tests, and the repository as a pack."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.processes import run
from helpers.programs import prolog, resource

ROOT = Path(__file__).parent.parent
PARTS = ["grid", "house", "propagator", "search"]
"""The files that sudoku.pl needs for a plain puzzle."""
ALONE = "forall(source_file(File), \\+ sub_atom(File, _, _, 0, '/prolog/sudoku.pl'))"
INTERNALS = ["make_propagator/2", "init_propagator/2", "trigger_once/1", "kill/1", "push_queue/2"]


def swipl_run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A swipl that fails on any error or warning."""
    return prolog("--on-error=status", "--on-warning=status", *arguments)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "tests").glob("*.plt")))
def test_plunit(name):
    ended = swipl_run("-g", "run_tests", str(ROOT / "tests" / name))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "tests passed" in ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("name", "goal"),
    [
        *[(f"sudoku/{part}.pl", f"check, {ALONE}") for part in PARTS],
        ("sudoku.pl", "check"),
        (
            "host/bridge.pl",
            "forall(member(Part, [sudoku,'sudoku/trace','sudoku/consistent','sudoku/proof',"
            " 'sudoku/questions','host/questions','host/refusal','host/watch']),"
            " pls_bridge:load(Part, [])), check",
        ),
    ],
)
def test_program_has_no_undefined_predicate_and_no_part_loads_the_whole(name, goal):
    ended = swipl_run("-g", goal, str(resource(f"prolog/{name}")))
    assert ended.returncode == 0, ended.stderr


def test_a_file_of_the_host_is_one_idea_of_at_most_900_lines():
    files = sorted(resource("prolog/host").glob("*.pl"))
    lengths = {path.name: len(path.read_text().splitlines()) for path in files}
    assert {"refusal.pl", "switched.pl"} <= lengths.keys()
    assert {name: lines for name, lines in lengths.items() if lines > 900} == {}


def test_a_module_has_one_global_at_most():
    """It is called as the module is, and holds what cannot be passed along."""
    glob = re.compile(r"\b(?:n?b_(?:set|get)val|nb_current|current|with_current)\(([a-z]\w*)")
    found = {}
    for path in sorted(resource("prolog").rglob("*.pl")):
        text = path.read_text(encoding="utf-8")
        if names := {*glob.findall(text)}:
            module = re.search(r"^:- module\((\w+)", text)
            assert module
            assert names == {module[1]}, path
            found[path.stem] = module[1]
    assert found.keys() == {
        *("alternatives", "asked", "attempts", "automata", "bridge", "interpreter", "raised"),
        *("slices", "watch"),
    }


def test_the_host_calls_only_what_a_module_exports():
    """The name of another module is before a clause that it asks for, and where one is made."""
    comments = re.compile(r"/\*.*?\*/|%.*?$", re.DOTALL | re.MULTILINE)
    calls = []
    for path in sorted(resource("prolog/host").glob("*.pl")):
        code = comments.sub("", path.read_text(encoding="utf-8"))
        own = re.search(r"^:- module\((\w+)", code)
        assert own
        code = re.sub(r":(?:base|use_module)\(", "(", code)
        found = re.findall(r"^(.*?)\b((?:pls|sudoku)_\w+):[a-z]\w*\(", code, re.MULTILINE)
        calls += [(path.name, name) for before, name in found if before and name != own[1]]
    assert calls == []


@pytest.mark.parametrize("missing", INTERNALS)
def test_missing_internals_of_clpfd_are_named(missing):
    goal = f"use_module(library(clpfd)), abolish(clpfd:{missing}), use_module('sudoku.pl')"
    ended = prolog("-g", goal, cwd=resource("prolog"))
    assert re.search(
        rf"library\(clpfd\) of SWI-Prolog 9\S* does not have {missing}, which", ended.stderr
    )


def test_missing_internals_of_clpfd_make_the_engine_unavailable():
    ended = run(
        """
        import janus_swi
        janus_swi.query_once("use_module(library(clpfd)), abolish(clpfd:kill/1)")
        try:
            pls.solve(PUZZLE, "prolog")
        except pls.BackendUnavailable as error:
            print(error.why, error.fix, sep="\\n")
        print(pls.solve(PUZZLE))
        """
    )
    assert "does not have kill/1, which this program needs" in ended.stdout
    assert "The program works with SWI-Prolog 9.1.12 to 10.1.12" in ended.stdout
    assert (len(ended.stdout.splitlines()[-1]), ended.stderr) == (81, "")


def test_a_pack_adds_no_library_with_a_common_name():
    names = {path.name for path in resource("prolog").glob("*.pl")}
    assert names == {"sudoku.pl", "sudoku_asp.pl", "sudoku_prompt.pl"}


def test_pack_installs_from_a_checkout(tmp_path):
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for name in ("pack.pl", "Makefile"):
        shutil.copy(ROOT / name, checkout)
    shutil.copytree(ROOT / "prolog", checkout / "prolog")
    ended = prolog(
        "-q",
        *("-g", "pack_install('.', [interactive(false), register(false)])"),
        *("-g", "use_module(library(sudoku_prompt))"),
        *("-g", "problem(small, Rows), sudoku(Rows), print_grid(Rows)"),
        cwd=checkout,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
        },
    )
    assert ended.stdout.endswith("4 3 | 1 2\n1 2 | 4 3\n----+----\n2 4 | 3 1\n3 1 | 2 4\n"), (
        ended.stdout + ended.stderr
    )
    assert not re.search("error|warning", ended.stderr, re.IGNORECASE), ended.stderr
    assert (tmp_path / "data" / "swi-prolog" / "pack" / "pylogic_sudoku").is_dir()
