"""Certificates in files: what each line means, what other checkers say, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import dratify
import pytest
from helpers.certificates import BY_HAND, ESCARGOT, PAIR
from helpers.command_line import ROOT
from helpers.jigsaws import jigsaw
from helpers.puzzles import SMALL, TWO

import pylogic_sudoku as pls
from pylogic_sudoku import Certificate, InvalidCertificate, InvalidPuzzle
from pylogic_sudoku.proofs import _files

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


def test_no_comment_can_be_taken_for_clauses(tmp_path):
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
    replace(named, maker=title).save(tmp_path / "a.cnf")
    assert Certificate.read(tmp_path / "a.cnf").puzzle.title == title


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
    for ending in (".cnf", ".json"):
        certificate.save(tmp_path / f"saved{ending}")
        read = Certificate.read(tmp_path / f"saved{ending}")
        assert read == certificate
        read.verify()
    assert Certificate.read(tmp_path / "saved.cnf") == certificate
    assert (tmp_path / "saved.drat").exists() == (certificate.claim != "several")


def test_demands_are_in_the_comments_and_alone_in_the_clauses(tmp_path):
    demands = (("cells",), ("house", "row", 1), ("single", 2, 2), ("excluded", 2, 2, 2))
    part = replace(BY_HAND, demands=demands, lemmas=())
    part.save(tmp_path / "part.cnf")
    assert Certificate.read(tmp_path / "part.cnf") == part
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


def test_a_proof_by_another_program_with_deletions_and_comments(tmp_path):
    BY_HAND.save(tmp_path / "a.cnf")
    (tmp_path / "a.drat").write_text("c by hand\n-29 0\nd -29 0\n-30\n0 -13 0\n\nd -30 0\n0\n")
    read = Certificate.read(tmp_path / "a.drat")
    read.verify()
    assert read == BY_HAND


@pytest.mark.parametrize("solver", ["cadical153", "glucose4"])
def test_a_sat_solver_proves_the_clauses_in_the_file(tmp_path, solver):
    """Its proof has other lemmas than ours, and glucose deletes most of what it knows."""
    pysat = pytest.importorskip("pysat.solvers", reason="pip install python-sat")
    HARD.save(tmp_path / "a.cnf")
    clauses = lines_of(HARD)[1]
    with pysat.Solver(solver, bootstrap_with=clauses, with_proof=True) as other:
        assert not other.solve()
        proof = other.get_proof()
    (tmp_path / "a.drat").write_text("".join(f"{line}\n" for line in proof))
    assert any(line.startswith("d ") for line in proof)
    read = Certificate.read(tmp_path / "a.cnf")
    read.verify()
    assert read.lemmas != HARD.lemmas


@pytest.fixture
def pair(tmp_path):
    """Write the two files of a certificate, with changes, and read them."""

    def read(certificate=BY_HAND, cnf=lambda text: text, drat=lambda text: text):
        for ending, text in (("cnf", cnf(certificate.cnf())), ("drat", drat(certificate.drat()))):
            data = text if isinstance(text, bytes) else text.encode()
            (tmp_path / f"a.{ending}").write_bytes(data)
        return Certificate.read(tmp_path / "a.cnf")

    return read


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        (lambda text: text.replace("\n1 2 3 4 0\n", "\n1 2 3 0\n"), "has a clause that the puzzle"),
        (
            lambda text: text.replace("\n1 2 3 4 0\n", "\n"),
            "390 clauses, but its header says 391: is it cut",
        ),
        (
            lambda text: text.replace("\n-22 0\n", "\n22 0\n"),
            "the puzzle does not have: r2c2 is 2$",
        ),
        (lambda text: text.replace("\n-22 0\n", "\n-25 0\n"), "lacks 1 of .* -22 0: r2c2 is not 2"),
        (lambda text: text.replace("\n-22 0\n", "\n99 0\n"), "that the puzzle does not have: 99$"),
        (lambda text: text + "5 0\n", r"line 435 of the .cnf file has a clause .*: r1c2 is 1$"),
        (lambda text: text + "-22 0\n", "392 clauses, but its header says 391"),
        (lambda text: text + "0\n", "has a clause that the puzzle does not have: a contradiction"),
        (lambda text: text.replace("cnf 64 ", "cnf 65 "), "says 65 variables; the puzzle has 64"),
        (lambda text: text.replace("cnf 64 391", "cnf 64 390"), "but its header says 390"),
        (lambda text: text.replace("p cnf 64 391\n", ""), "is '1 2 3 4 0'; expected 'p cnf ...'"),
        (lambda text: text[: text.index("p cnf")], "is ''; expected 'p cnf ...'"),
        (lambda text: text[:-3], r"line \d+ of the .cnf file ends within a clause|but its header"),
        (lambda text: text[: len(text) // 2], "is it cut short"),
        (lambda text: text.replace("\n-22 0\n", "\n-22 x 0\n"), "has 'x'; expected a number"),
        (lambda text: text.replace("\n-22 0\n", "\n-2" + "2" * 20 + " 0\n"), "expected a number"),
        (lambda text: text.replace("c > ", "c ! "), "no comments 'c > {...}' with the puzzle"),
        (
            lambda text: text.replace('c > {"', "c > {"),
            "the comments 'c > ...' of the .cnf file: t",
        ),
        (
            lambda text: text[: text.rindex("\nc > ")],
            "this is not JSON: .*; expected a certificate",
        ),
        (lambda text: text.replace('"none"', '"unique"'), "the claim is 'unique' with 0"),
        (lambda text: text.replace('"r2c2":[1,3,4]', '"r2c2":[1,3]'), "lacks 1 of the"),
        (lambda text: "", "no comments"),
        (lambda text: "\n" * 10, "no comments"),
        (lambda text: text.encode() + b"\xff\xfe", r"a.cnf is not text \(byte 0xff at"),
    ],
)
def test_other_clauses_than_the_puzzles_are_refused(pair, changed, complaint):
    assert changed(BY_HAND.cnf()) != BY_HAND.cnf()
    with pytest.raises(InvalidCertificate, match=complaint) as error:
        pair(cnf=changed)
    assert "a.cnf: " in str(error.value)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        (lambda text: text[:-2], "the .drat file does not end with the line 0: is it cut short"),
        (lambda text: text[:-5], "line 3 of the .drat file ends within a clause: is it cut short"),
        (lambda text: "", "the .drat file does not end with the line 0"),
        (lambda text: text + "1 0\n", "line 5 of the .drat file: more lemmas after the end"),
        (lambda text: text + text, "line 5 of the .drat file: more lemmas after the end"),
        (lambda text: "65 0\n" + text, "line 1 of the .drat file: no variable 65; the puzzle has"),
        (lambda text: "1 -- 0\n" + text, "line 1 of the .drat file has '--'; expected a number"),
        (lambda text: "e 1 0\n" + text, "line 1 of the .drat file has 'e'; expected a number"),
        (lambda text: b"a\x80\x01\x00", "a.drat is not text .*a binary DRAT proof has to be writt"),
        (lambda text: b"a\x02\x00", "line 1 of the .drat file has .*; expected a number"),
    ],
)
def test_lemmas_that_are_not_whole_are_refused(pair, changed, complaint):
    with pytest.raises(InvalidCertificate, match=complaint):
        pair(drat=changed)


def test_no_cut_of_a_proof_passes(pair):
    text = BY_HAND.drat()
    for end in range(len(text) - 1):
        with pytest.raises(InvalidCertificate, match=r"\.drat file"):
            pair(drat=lambda text, end=end: text[:end])


def test_the_proof_of_another_puzzle_is_refused(pair):
    other = pls.certify(
        "5.....8..1..7.......9....4..23..........6....7.......6..4...5.......8.2...3......"
    )
    read = pair(HARD, drat=lambda _: other.drat())
    with pytest.raises(InvalidCertificate, match=r"lemma \d+ of \d+ does not follow|missing"):
        read.verify()


def test_files_may_begin_with_a_mark_and_have_other_line_ends(pair):
    def changed(text):
        return ("\ufeff" + text).replace("\n", "\r\n")

    assert pair(cnf=changed, drat=changed) == BY_HAND


def test_endings_may_be_in_capitals(tmp_path):
    BY_HAND.save(tmp_path / "A.CNF")
    assert Certificate.read(tmp_path / "A.CNF") == BY_HAND


def test_a_file_that_is_too_long_is_refused(pair, monkeypatch):
    monkeypatch.setattr(_files, "LONGEST", 1000)
    with pytest.raises(InvalidCertificate, match=r"a.cnf has more than 1,000 bytes"):
        pair()


def test_files_that_are_not_there(tmp_path):
    BY_HAND.save(tmp_path / "a.cnf")
    (tmp_path / "a.drat").unlink()
    for name in ("a.cnf", "b.cnf", "b.json"):
        with pytest.raises(FileNotFoundError):
            Certificate.read(tmp_path / name)


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


def test_the_paths_may_be_text(tmp_path):
    BY_HAND.save(str(tmp_path / "a.cnf"))
    assert Certificate.read(str(Path(tmp_path, "a.cnf"))) == BY_HAND
