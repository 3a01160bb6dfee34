"""The command `certify`, as people run it: proofs printed, saved and checked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from dataclasses import replace

import pytest
from helpers.certificates import BY_HAND, ESCARGOT, PAIR
from helpers.command_line import MODULE, environment, invoke, run
from helpers.processes import soon, terminal
from helpers.puzzles import SMALL, TWO

import pylogic_sudoku as pls
from pylogic_sudoku import Certificate
from pylogic_sudoku.commands import certify as module

NONE = "11.............."
SEVENTEEN = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- proofs -----------------------------------------------------------------------------------


def test_text_is_for_people(command):
    code, out, err = command("certify", SMALL, TWO)
    texts = [str(pls.certify(puzzle)) for puzzle in (SMALL, TWO)]
    assert (code, out, err) == (0, "\n\n".join(texts) + "\n", "")


def test_a_puzzle_without_solution_is_proved_and_reported(command):
    code, out, err = command("certify", NONE)
    assert (code, out) == (1, f"{pls.certify(NONE)}\n")
    assert err.startswith("puzzle 1: no solution; r1c1 and r1c2 both hold 1")


def test_json_is_a_certificate_a_line(command):
    code, out, _ = command("certify", "-f", "json", "-b", "clingo", SMALL, TWO, ESCARGOT)
    found = [Certificate.from_json(line) for line in out.splitlines()]
    assert code == 0
    assert [each.claim for each in found] == ["unique", "several", "unique"]
    assert all(each.maker == pls.certify(SMALL).maker for each in found)
    for each in found:
        each.verify()


def test_it_is_the_same_with_two_jobs(folder):
    (folder / "some.txt").write_text("\n".join([SMALL, "12345", TWO, NONE, SMALL]))
    alone = run("certify", "-f", "json", "some.txt", cwd=folder)
    shared = run("certify", "-f", "json", "--jobs", 2, "some.txt", cwd=folder)
    assert (alone.returncode, alone.stdout) == (shared.returncode, shared.stdout)
    claims = [json.loads(line).get("claim") for line in alone.stdout.splitlines()]
    assert claims == ["unique", None, "several", "none", "unique"]
    assert "some.txt, line 2: " in alone.stderr


def test_files_by_ending(folder, command):
    for name in ("a.cnf", "a.json", "a.pl", "a.txt", "a.jsonl"):
        assert command("certify", "-o", name, SMALL) == (0, "", "")
    found = pls.certify(SMALL)
    texts = {path.name: path.read_text() for path in folder.iterdir()}
    assert texts == {
        "a.cnf": found.cnf(),
        "a.drat": found.drat(),
        "a.json": f"{json.dumps(found.to_json())}\n",
        "a.jsonl": f"{json.dumps(found.to_json())}\n",
        "a.pl": f"{found.prolog()}\n",
        "a.txt": f"{found}\n",
    }


def test_several_certificates_in_a_file(folder, command):
    assert command("certify", "-o", "a.jsonl", SMALL, TWO) == (0, "", "")
    assert [json.loads(line)["claim"] for line in (folder / "a.jsonl").open()] == [
        "unique",
        "several",
    ]
    assert command("certify", "-o", "a.txt", SMALL, TWO) == (0, "", "")
    assert (folder / "a.txt").read_text() == f"{pls.certify(SMALL)}\n\n{pls.certify(TWO)}\n"
    assert command("certify", "-o", "a.jsonl", TWO) == (0, "", "")
    assert (folder / "a.jsonl").read_text().count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["-o", "a.json", SMALL, SMALL], "-o FILE.json (unlike .jsonl and .txt) takes one puzzle"),
        (["-o", "a.cnf", SMALL, SMALL], "-o FILE.cnf (unlike .jsonl and .txt) takes one puzzle"),
        (["-f", "prolog", SMALL, SMALL], "-f prolog takes one puzzle, but there are several"),
        (["-o", "a.svg", SMALL], "a.svg should end in one of .cnf, .json, .jsonl, .pl, .txt"),
        (["-f", "json", "-o", "a.pl", SMALL], "-f json does not go with -o a.pl"),
        (["-o", "nowhere/a.json", SMALL], "nowhere/a.json: No such file or directory"),
        (["-b", "python", SMALL], "-b python goes with --check"),
        (["-b", "all", SMALL], "-b all goes with --check"),
        (["-b", "gurobi", SMALL], "'gurobi' is not one of clingo, prolog"),
        (["--check", "-o", "a.json", "b.json"], "--from, --box, -f and -o do not go with --check"),
        (["--check", "-f", "json", "b.json"], "--from, --box, -f and -o do not go with --check"),
        (["--check", "b.json"], "b.json: cannot be read: No such file or directory"),
        (["--check", os.devnull], f"{os.devnull}: the text is empty; expected certificates"),
        (["--check", "."], ".: cannot be read: Is a directory"),
        (
            ["--check", "a.pl"],
            "a.pl: is checked at the swipl prompt: ?- check_certificate('a.pl').",
        ),
    ],
)
def test_bad_usage(folder, command, arguments, complaint):
    code, out, err = command("certify", *arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert list(folder.iterdir()) == []


def test_no_file_is_overwritten_that_is_read(folder, command):
    (folder / "a.drat").write_text(SMALL)
    code, _, err = command("certify", "-o", "a.cnf", "a.drat")
    assert (code, (folder / "a.drat").read_text()) == (2, SMALL)
    assert "a.drat is read as input" in err


@pytest.mark.parametrize("engine", ["prolog", "sat"])
def test_an_engine_that_does_not_prove(command, engine):
    code, out, err = command("certify", "-b", engine, SMALL)
    assert (code, out) == (3, "")
    assert f"the {engine} engine cannot prove its answers" in err
    assert "Choose clingo." in err


def test_out_of_time(command):
    code, out, err = command("certify", "-t", "0.000001", ESCARGOT, SMALL)
    assert (code, out) == (4, "")
    assert "puzzle 1: clingo gave no answer within 1e-06 s" in err


def test_a_wrong_proof_is_never_printed(command, monkeypatch):
    lies = replace(BY_HAND, lemmas=BY_HAND.lemmas[1:])
    monkeypatch.setattr(module, "prove", lambda *_: lies)
    code, out, err = command("certify", SMALL)
    assert (code, out) == (3, "")
    assert err == (
        "puzzle 1: the proof by clingo is wrong: the 2 lemmas follow, but do not lead to a"
        " contradiction: lemmas are missing\n"
    )


def test_a_rule_that_clauses_do_not_reach(command):
    rule = {"rule": "x_sum", "cells": [f"r1c{column}" for column in range(1, 10)], "sum": 20}
    puzzle = json.dumps({"grid": ["." * 9] * 9, "rules": [rule]})
    code, out, err = command("certify", puzzle, SMALL)
    assert code == 3
    assert out == f"{pls.certify(SMALL)}\n"
    assert err.startswith("puzzle 1: X-sum ")
    assert "clauses cannot say this rule" in err


# --- checks -----------------------------------------------------------------------------------


def test_what_is_proved_is_said(folder, command):
    pls.certify(SMALL).save("a.json")
    pls.certify(TWO).save("b.json")
    BY_HAND.save("c.json")
    maker = pls.certify(SMALL).maker
    code, out, err = command("certify", "--check", "a.json", "b.json", "c.json")
    said = f"{SMALL} has exactly one solution (0 lemmas by {maker}, checked by Python)"
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"a.json, line 1: {said}",
        f"b.json, line 1: {TWO} has more than one solution"
        f" (0 lemmas by {maker}, checked by Python)",
        f"c.json, line 1: {PAIR!r} has no solution (3 lemmas by a person, checked by Python)",
    ]


def test_many_are_checked_from_a_pipe_by_two_processes():
    made = run("certify", "-f", "json", SMALL, TWO, ESCARGOT, SEVENTEEN)
    done = run("certify", "--check", "--jobs", 2, "-", stdin=made.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        f"standard input, line {number}" for number in (1, 2, 3, 4)
    ]
    assert SEVENTEEN in lines[3]


def test_two_solutions_are_looked_at_by_python_whatever_is_asked(folder, command):
    pls.certify(TWO).save("a.json")
    _, out, _ = command("certify", "--check", "-b", "all", "a.json")
    assert out.endswith(", checked by Python)\n")


@pytest.mark.parametrize(
    ("checkers", "names"), [("prolog", "prolog"), ("all", "Python and prolog")]
)
def test_other_checkers(folder, command, checkers, names):
    BY_HAND.save("a.json")
    code, out, err = command("certify", "--check", "-b", checkers, "a.json")
    assert (code, err) == (0, "")
    assert out.endswith(f"has no solution (3 lemmas by a person, checked by {names})\n")


def test_an_engine_that_does_not_check(folder, command):
    BY_HAND.save("a.json")
    code, out, err = command("certify", "--check", "-b", "clingo", "a.json")
    assert (code, out) == (3, "")
    assert "the clingo engine cannot check certificates" in err


def test_refused_certificates(folder, command):
    replace(BY_HAND, lemmas=BY_HAND.lemmas[1:]).save("a.json")
    BY_HAND.save("b.cnf")
    (folder / "c.json").write_text("[")
    (folder / "d.jsonl").write_text(f"{{}}\n{json.dumps(BY_HAND.to_json())}\n")
    code, out, err = command("certify", "--check", "a.json", "b.cnf", "c.json", "d.jsonl")
    assert code == 1
    assert (
        out
        == f"d.jsonl, line 2: {PAIR!r} has no solution (3 lemmas by a person, checked by Pyt"
        + ("hon)\n")
    )
    lines = err.splitlines()
    assert lines[0].startswith("a.json, line 1: refused by Python: the 2 lemmas follow, but do not")
    assert lines[1].startswith("b.cnf, line 1: this is not JSON")
    assert lines[2].startswith("c.json, line 1: this is not JSON")
    assert lines[3] == ('d.jsonl, line 1: {} is not a certificate; expected a key "certificate"')
    assert len(lines) == 4


def test_checkers_that_differ(folder, command, monkeypatch):
    BY_HAND.save("a.json")
    verify = Certificate.verify

    def lying(self, backend=None, timeout=None):
        verify(self, None, timeout)
        if backend:
            raise pls.InvalidCertificate("lemma 1 of 3 does not follow")

    monkeypatch.setattr(Certificate, "verify", lying)
    code, out, err = command("certify", "--check", "-b", "all", "a.json")
    assert (code, out) == (5, "")
    assert "the engines disagree" in err
    assert "Python: it is right; prolog: lemma 1 of 3 does not follow" in err


def test_a_check_out_of_time(folder, command):
    pls.certify(ESCARGOT).save("a.json")
    code, out, err = command("certify", "--check", "-t", "0.000001", "a.json")
    assert (code, out) == (4, "")
    assert "Python gave no answer within 1e-06 s" in err


# --- ends -------------------------------------------------------------------------------------


def test_help_has_examples_and_exit_codes():
    done = invoke("certify", "--help")
    assert "pylogic-sudoku certify --check -b all proofs.jsonl" in done.output
    assert "no solution, or a certificate is refused" in done.output


def test_a_terminal_shows_how_far_it_is(folder):
    command, *arguments = [*MODULE, "certify", "-o", "a.jsonl", SMALL, TWO]
    child = terminal(command, *arguments, env=environment(), cwd=str(folder), encoding="utf-8")
    assert "2/2" in child.read()
    child.wait()
    assert (folder / "a.jsonl").read_text().count("\n") == 2


def test_a_closed_pipe_ends_it():
    read, write = os.pipe()
    os.close(read)
    made = subprocess.run(
        [*MODULE, "certify", "-f", "json", *[SMALL] * 3],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        check=False,
    )
    os.close(write)
    assert (made.returncode, made.stderr) == (141, "")


def test_ctrl_c_keeps_what_has_been_written(folder):
    line = [*MODULE, "certify", "-o", "a.jsonl", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        line, stdin=pipe, stderr=pipe, text=True, env=environment(), cwd=folder
    ) as process:
        process.stdin.write(f"{SEVENTEEN}\n{ESCARGOT}\n")
        process.stdin.flush()
        written = folder / "a.jsonl"
        assert soon(lambda: written.exists() and written.read_text().count("\n") == 2)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read().strip() == "Interrupted."
    assert [json.loads(each)["claim"] for each in written.open()] == ["unique", "unique"]
