"""Certificates in files, and the command that makes and checks them."""

from __future__ import annotations

import json
import signal
import subprocess
from dataclasses import replace

import dratify
import pytest
from helpers.certificates import BY_HAND, ESCARGOT, PAIR, write
from helpers.command_line import ROOT, run, started
from helpers.jigsaws import jigsaw
from helpers.processes import soon
from helpers.programs import prolog
from helpers.puzzles import SMALL, TWO

import pylogic_sudoku as pls
from pylogic_sudoku import Certificate, InvalidPuzzle
from pylogic_sudoku.cli import certify as module
from pylogic_sudoku.errors import listed

NONE = "11.............."
SEVENTEEN = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- proofs -----------------------------------------------------------------------------------


def test_a_puzzle_without_solution_is_proved_and_reported(command):
    code, out, err = command("certify", NONE)
    assert (code, out) == (1, f"{pls.certify(NONE)}\n")
    assert err.startswith("puzzle 1: no solution; r1c1 and r1c2 both hold 1")


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
    write(pls.certify(SMALL), "a.json")
    write(pls.certify(TWO), "b.json")
    write(BY_HAND, "c.json")
    maker = pls.certify(SMALL).maker
    code, out, err = command("certify", "check", "a.json", "b.json", "c.json")
    said = f"{SMALL} has exactly one solution (0 lemmas by {maker}, checked by Python)"
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"a.json, line 1: {said}",
        f"b.json, line 1: {TWO} has more than one solution"
        f" (0 lemmas by {maker}, checked by Python)",
        f"c.json, line 1: {PAIR!r} has no solution (3 lemmas by a person, checked by Python)",
    ]


@pytest.mark.slow
def test_many_are_checked_from_a_pipe_by_two_processes():
    made = run("certify", "-f", "json", SMALL, TWO, ESCARGOT, SEVENTEEN)
    done = run("certify", "check", "--jobs", 2, "-", stdin=made.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [
        f"standard input, line {number}" for number in (1, 2, 3, 4)
    ]
    assert SEVENTEEN in lines[3]


PROLOGS = [each.name for each in pls.backends() if each.available and "prolog" in each.name]
ALL = ["Python", *PROLOGS]


@pytest.mark.parametrize(("checkers", "names"), [("prolog", "prolog"), ("all", listed(ALL))])
def test_other_checkers(folder, command, checkers, names):
    """Two solutions are looked at by Python, whatever is asked."""
    write(BY_HAND, "a.json")
    write(pls.certify(TWO), "b.json")
    code, out, err = command("certify", "check", "-b", checkers, "a.json", "b.json")
    assert (code, err) == (0, "")
    assert f"has no solution (3 lemmas by a person, checked by {names})\nb.json, " in out
    assert out.endswith(", checked by Python)\n")


def test_refused_certificates(folder, command):
    write(replace(BY_HAND, lemmas=BY_HAND.lemmas[1:]), "a.json")
    (folder / "b.cnf").write_text(BY_HAND.cnf())
    (folder / "c.json").write_text("[")
    (folder / "d.jsonl").write_text(f"{{}}\n{json.dumps(BY_HAND.to_json())}\n")
    code, out, err = command("certify", "check", "a.json", "b.cnf", "c.json", "d.jsonl")
    assert code == 1
    proved = f"{PAIR!r} has no solution (3 lemmas by a person, checked by Python)"
    assert out == f"d.jsonl, line 2: {proved}\n"
    lines = err.splitlines()
    assert lines[0].startswith("a.json, line 1: refused by Python: the 2 lemmas follow, but do not")
    assert lines[1].startswith("b.cnf, line 1: this is not JSON")
    assert lines[2].startswith("c.json, line 1: this is not JSON")
    assert lines[3] == ('d.jsonl, line 1: {} is not a certificate; expected a key "certificate"')
    assert len(lines) == 4


def test_checkers_that_differ(folder, command, monkeypatch):
    write(BY_HAND, "a.json")
    verify = Certificate.verify

    def lying(self, backend=None, timeout=None):
        verify(self, None, timeout)
        if backend:
            raise pls.InvalidCertificate("lemma 1 of 3 does not follow")

    monkeypatch.setattr(Certificate, "verify", lying)
    code, out, err = command("certify", "check", "-b", "all", "a.json")
    assert (code, out) == (5, "")
    assert "the engines disagree" in err
    assert "Python: it is right; prolog: lemma 1 of 3 does not follow" in err


# --- ends -------------------------------------------------------------------------------------


def test_ctrl_c_keeps_what_has_been_written(folder):
    pipe = subprocess.PIPE
    with started("certify", "-o", "a.jsonl", "-", stdin=pipe, cwd=folder) as process:
        process.stdin.write(f"{SEVENTEEN}\n{ESCARGOT}\n")
        process.stdin.flush()
        written = folder / "a.jsonl"
        assert soon(lambda: written.exists() and written.read_text().count("\n") == 2)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read().strip() == "Interrupted."
    assert [json.loads(each)["claim"] for each in written.open()] == ["unique", "unique"]


# === Certificates in files: what each line means, what other checkers say, and what is refused ====

UNIQUE = pls.certify(SMALL)
SEVERAL = pls.certify(TWO)
HARD = pls.certify(ESCARGOT)


def lines_of(certificate: Certificate) -> tuple[list[str], list[list[int]]]:
    """The comments and the clauses of the file, read without our reader."""
    lines = certificate.cnf().splitlines()
    header = next(number for number, line in enumerate(lines) if line.startswith("p "))
    clauses = [list(map(int, line.split())) for line in lines[header + 1 :]]
    assert all(line[0] == "c" for line in lines[:header])
    assert all(clause.pop() == 0 for clause in clauses)
    assert lines[header] == f"p cnf {certificate.puzzle.size**3} {len(clauses)}"
    return lines[:header], clauses


# --- what is written --------------------------------------------------------------------------


def test_the_clauses_have_as_many_models_as_the_puzzle_has_solutions():
    """By a SAT solver; the clauses of "several" exclude no grid, and 288 grids are 4x4."""
    pysat = pytest.importorskip("pysat.solvers", reason="pip install python-sat")
    empty = pls.certify("." * 16)
    for certificate, models in ((SEVERAL, 2), (UNIQUE, 0), (BY_HAND, 0), (empty, 288)):
        with pysat.Cadical153(bootstrap_with=lines_of(certificate)[1]) as solver:
            assert sum(1 for _ in solver.enum_models()) == models


def test_lemmas_are_a_line_each_and_0_is_the_end():
    assert BY_HAND.drat() == "-29 0\n-30 0\n-13 0\n0\n"
    assert UNIQUE.drat() == "0\n"
    assert SEVERAL.drat() == ""


@pytest.mark.parametrize("certificate", [UNIQUE, BY_HAND, HARD], ids=repr)
def test_another_checker_accepts_the_files(certificate):
    formula = dratify.parse_dimacs(certificate.cnf(), strict=True)
    assert dratify.check_proof(formula, certificate.drat()).ok
    without = [*certificate.drat().splitlines()][: len(certificate.lemmas) // 3]
    if certificate is not UNIQUE:
        assert not dratify.check_proof(formula, "\n".join([*without, "0"])).ok


def test_no_comment_can_be_taken_for_clauses():
    """drat-trim finds "cnf 9 9" anywhere, and a comment between clauses may end the proof.

    Names of other languages are written in ASCII.
    """
    title = "c cnf 1 1 0 p cnf 1 1 Zürich “½” ┃"
    puzzle = pls.Puzzle(SMALL, marks={"r1c2": {3}}, title=title)
    named = replace(UNIQUE, puzzle=puzzle, maker=f"{title}\n0")
    lines = named.cnf().splitlines()
    header = lines.index("p cnf 64 392")
    assert all(line[0] == "c" for line in lines[:header])
    words = " ".join(lines[:header]).split()
    assert {word for word in words if word.endswith("cnf")} == {"FILE.cnf"}
    assert max(map(len, lines)) < 1000
    assert named.cnf().isascii()
    assert json.loads(json.dumps(named.to_json()))["puzzle"]["title"] == title


def test_demands_are_in_the_comments_and_alone_in_the_clauses():
    demands = (("cells",), ("house", "row", 1), ("single", 2, 2), ("excluded", 2, 2, 2))
    part = replace(BY_HAND, demands=demands, lemmas=())
    comments, clauses = lines_of(part)
    assert len(clauses) == 16 * 7 + 28 + 1  # the clauses of the single cell are among the first
    assert "c   row 1 holds every digit once" in comments
    number = "c Variable 16 * (row - 1) + 4 * (column - 1) + digit: the cell holds the digit."
    assert number in comments


# --- Prolog -----------------------------------------------------------------------------------


def test_prolog_terms():
    lines = BY_HAND.prolog().splitlines()
    assert lines[0] == "% A certificate: that a sudoku has no solution. Made by a person."
    assert "?- check_certificate('FILE.pl')." in lines[2]
    assert "".join(lines[5:]).replace(" ", "") == (
        "certificate([[_,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]],2-2,"
        r"[2-2=2,2-3=1,2-3=2,3-4=3,3-4=4,4-4=3,4-4=4],none([[2-4\=1],[2-4\=2],[1-4\=1]]))."
    )
    assert lines[-3:] == [r"  [2-4\=1],", r"  [2-4\=2],", r"  [1-4\=1]]))."]


def test_prolog_checks_the_file_by_itself(tmp_path):
    jigsaws = [pls.certify(jigsaw(6, 8, 1)), pls.certify(jigsaw(5, 3, 2, marked=4))]
    wrong = replace(BY_HAND, lemmas=BY_HAND.lemmas[1:])
    found = [BY_HAND, UNIQUE, SEVERAL, HARD, *jigsaws, wrong]
    for number, certificate in enumerate(found):
        (tmp_path / f"{number}.pl").write_text(certificate.prolog())
    goal = (
        f"forall(between(0, {len(found) - 1}, N), ("
        " format(atom(File), '~w.pl', [N]),"
        " catch(( check_certificate(File), Said = proved ), Error,"
        "       ( Error = error(Formal, _), functor(Formal, Said, _) )),"
        " print(Said), nl ))"
    )
    done = prolog("-g", goal, ROOT / "prolog" / "sudoku_prompt.pl", cwd=tmp_path)
    assert done.stdout.split() == ["proved"] * 6 + ["invalid_certificate"]


def test_what_prolog_terms_cannot_hold():
    puzzle = pls.Puzzle("." * 16, rules=[pls.rules.AntiKnight()])
    with pytest.raises(
        InvalidPuzzle, match="about rules beyond plain sudoku, which 'prolog' canno"
    ):
        Certificate(puzzle, (), (), "nobody").prolog()
    with pytest.raises(InvalidPuzzle, match="about only some demands, which 'prolog' cannot hold"):
        Certificate(PAIR, (), (), "nobody", (("cells",),)).prolog()
