"""Certificates in files: what each line means, what other checkers say, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace

import dratify
import pytest
from helpers.certificates import BY_HAND, ESCARGOT, PAIR
from helpers.command_line import ROOT
from helpers.jigsaws import jigsaw
from helpers.puzzles import SMALL, TWO

import pylogic_sudoku as pls
from pylogic_sudoku import Certificate, InvalidCertificate, InvalidPuzzle

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


def test_the_clauses_are_numbered_by_row_column_and_digit():
    comments, clauses = lines_of(UNIQUE)
    assert "c Variable 16 * (row - 1) + 4 * (column - 1) + digit: the cell holds the digit." in (
        comments
    )
    assert clauses[0] == [1, 2, 3, 4]
    units = [clause for clause in clauses if len(clause) == 1]
    assert units == [[16 * (r - 1) + 4 * (c - 1) + d] for r, c, d in UNIQUE.puzzle.givens]
    (solution,) = UNIQUE.solutions
    assert clauses[-1] == [-(16 * (r - 1) + 4 * (c - 1) + d) for r, c, d in solution.givens]


@pytest.mark.parametrize("certificate", [UNIQUE, BY_HAND, SEVERAL], ids=lambda each: each.claim)
def test_the_comments_say_which_clause_says_what(certificate):
    comments, clauses = lines_of(certificate)
    contents = [re.fullmatch(r"c Clauses? (\d+)( to \d+)?: (.*)", line) for line in comments]
    parts = [(int(each[1]), int((each[2] or each[1])[-4:]), each[3]) for each in contents if each]
    assert [first for first, _, _ in parts] == [1, *(last + 1 for _, last, _ in parts[:-1])]
    assert parts[-1][1] == len(clauses)
    titles = {title: clauses[first - 1 : last] for first, last, title in parts}
    assert len(titles["every cell holds one digit"]) == 16 * 7
    assert titles["row 2 holds every digit once"][0] == [17, 21, 25, 29]
    if certificate is BY_HAND:
        excluded = [[-22], [-25], [-26], [-47], [-48], [-63], [-64]]
        assert titles["the marks, which exclude digits"] == excluded
    elif certificate is UNIQUE:
        assert len(titles["that the grid is not the solution above"]) == 1
    else:
        assert len(titles["the givens"]) == len(certificate.puzzle.givens)


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
    """drat-trim finds "cnf 9 9" anywhere, and a comment between clauses may end the proof."""
    title = "c cnf 1 1 0 p cnf 1 1"
    puzzle = pls.Puzzle(SMALL, marks={"r1c2": {3}}, title=title)
    named = replace(UNIQUE, puzzle=puzzle, maker=f"{title}\n0")
    lines = named.cnf().splitlines()
    header = lines.index("p cnf 64 392")
    assert all(line[0] == "c" for line in lines[:header])
    words = " ".join(lines[:header]).split()
    assert {word for word in words if word.endswith("cnf")} == {"FILE.cnf"}
    assert max(map(len, lines)) < 1000


def test_names_of_other_languages_are_written_in_ascii():
    puzzle = pls.Puzzle(SMALL, marks={"r1c2": {3}}, title="Zürich “½” ┃")
    certificate = replace(UNIQUE, puzzle=puzzle)
    assert certificate.cnf().isascii()
    assert json.loads(json.dumps(certificate.to_json()))["puzzle"]["title"] == puzzle.title


# --- what is read -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "certificate",
    [UNIQUE, SEVERAL, BY_HAND, HARD, pls.certify(jigsaw(6, 8, 1)), pls.certify(jigsaw(5, 3, 2, 4))],
    ids=repr,
)
def test_what_is_saved_is_read(certificate, tmp_path):
    certificate.save(tmp_path / "saved.json")
    read = Certificate.read(str(tmp_path / "saved.json"))
    assert read == certificate
    read.verify()
    certificate.save(tmp_path / "saved.cnf")
    assert (tmp_path / "saved.cnf").read_text() == certificate.cnf()
    assert (tmp_path / "saved.drat").exists() == (certificate.claim != "several")


def test_demands_are_in_the_comments_and_alone_in_the_clauses():
    demands = (("cells",), ("house", "row", 1), ("single", 2, 2), ("excluded", 2, 2, 2))
    part = replace(BY_HAND, demands=demands, lemmas=())
    comments, clauses = lines_of(part)
    assert len(clauses) == 16 * 7 + 28 + 1  # the clauses of the single cell are among the first
    assert "c   row 1 holds every digit once" in comments


def test_other_endings(tmp_path):
    UNIQUE.save(tmp_path / "a.txt")
    UNIQUE.save(tmp_path / "a.pl")
    assert (tmp_path / "a.txt").read_text() == f"{UNIQUE}\n"
    assert (tmp_path / "a.pl").read_text() == f"{UNIQUE.prolog()}\n"
    with pytest.raises(ValueError, match=r"'a.doc' should end in one of .cnf, .json, .pl, .txt"):
        UNIQUE.save(tmp_path / "a.doc")
    with pytest.raises(OSError, match=r"No such file or directory: .*nowhere/a.drat"):
        UNIQUE.save(tmp_path / "nowhere" / "a.cnf")


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("a.json", b"[", "a.json: this is not JSON"),
        ("a.json", b"\xff\xfe", r"a.json: this is not text \(byte 0xff at 0\)"),
        ("a.json", b"{\0", r"a.json: this is not text \(byte 0x00 at 1\)"),
        ("a.cnf", b"c a proof\np cnf 64 0\n", "a.cnf: this is not JSON"),
    ],
)
def test_what_is_not_a_certificate_is_refused(tmp_path, name, data, complaint):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InvalidCertificate, match=complaint):
        Certificate.read(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        Certificate.read(tmp_path / "b.json")


def test_a_device_without_end_is_refused():
    with pytest.raises(InvalidCertificate, match=r"/dev/zero: this is not text \(byte 0x00 at 0\)"):
        Certificate.read("/dev/zero")


def test_the_file_may_begin_with_a_mark(tmp_path):
    (tmp_path / "a.json").write_text("\ufeff" + json.dumps(BY_HAND.to_json()), "utf-8")
    assert Certificate.read(tmp_path / "a.json") == BY_HAND


# --- Prolog -----------------------------------------------------------------------------------


def test_prolog_terms():
    lines = BY_HAND.prolog().splitlines()
    assert lines[0] == "% A certificate: that a sudoku has no solution. Made by a person."
    assert "?- check_certificate('FILE.pl')." in lines[2]
    assert "".join(lines[4:]).replace(" ", "") == (
        "puzzle([[_,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]],2-2,"
        "[2-2=2,2-3=1,2-3=2,3-4=3,3-4=4,4-4=3,4-4=4])."
        "claim(none)."
        r"lemma([2-4\=1]).lemma([2-4\=2]).lemma([1-4\=1])."
        "end."
    )


def test_prolog_terms_of_the_other_claims():
    assert "claim(unique([[4,3,1,2]," in UNIQUE.prolog()
    assert "claim(several([[1,2,3,4]," in SEVERAL.prolog()
    found = pls.certify(jigsaw(6, 8, 1)).prolog()
    assert re.search(r"regions\(\[\[1, 1,", found)


def test_prolog_checks_the_file_by_itself(tmp_path):
    from pylogic_sudoku.engines.prolog.swipl import swipl

    jigsaws = [pls.certify(jigsaw(6, 8, 1)), pls.certify(jigsaw(5, 3, 2, marked=4))]
    wrong = replace(BY_HAND, lemmas=BY_HAND.lemmas[1:])
    found = [BY_HAND, UNIQUE, SEVERAL, HARD, *jigsaws, wrong]
    for number, certificate in enumerate(found):
        certificate.save(tmp_path / f"{number}.pl")
    goal = (
        f"forall(between(0, {len(found) - 1}, N), ("
        " format(atom(File), '~w.pl', [N]),"
        " catch(( check_certificate(File), Said = proved ), Error,"
        "       ( Error = error(Formal, _), functor(Formal, Said, _) )),"
        " print(Said), nl ))"
    )
    done = subprocess.run(
        [str(swipl()), "-g", goal, "-t", "halt", str(ROOT / "prolog" / "sudoku.pl")],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.split() == ["proved"] * 6 + ["invalid_certificate"]


def test_what_prolog_terms_cannot_hold():
    puzzle = pls.Puzzle("." * 16, rules=[pls.rules.AntiKnight()])
    with pytest.raises(
        InvalidPuzzle, match="about rules beyond plain sudoku, which 'prolog' canno"
    ):
        Certificate(puzzle, (), (), "nobody").prolog()
    with pytest.raises(InvalidPuzzle, match="about only some demands, which 'prolog' cannot hold"):
        Certificate(PAIR, (), (), "nobody", (("cells",),)).prolog()
