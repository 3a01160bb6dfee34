"""A certificate as a value: what it claims, what verifies, and what people and programs read."""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from random import Random
from shutil import which

import pytest
from helpers.certificates import BY_HAND, ESCARGOT, PAIR
from helpers.fakes import Liar
from helpers.jigsaws import jigsaw
from helpers.kinds import PUZZLES, known
from helpers.oracle import all_solutions
from helpers.processes import run
from helpers.puzzles import CLASSIC, SMALL, TWO
from helpers.ruled import SMALL_KILLER, THERMOMETERS

import pylogic_sudoku as pls
from benchmarks.certificates.checkers import CHECKERS, refusal
from pylogic_sudoku import Certificate, Grid, InvalidCertificate, Puzzle
from pylogic_sudoku.explain import Clash, Forced, conflicts, why
from pylogic_sudoku.rules import KillerCage
from pylogic_sudoku.rules.demands import all_rules, rules

KINDS = PUZZLES | {"marks": PAIR, "hard": pls.Grid.parse(ESCARGOT)}


@pytest.fixture(scope="module", params=list(KINDS))
def certificate(request) -> Certificate:
    return pls.certify(KINDS[request.param])


def test_the_proof_by_hand_needs_each_of_its_lemmas():
    BY_HAND.verify()
    for number in range(3):
        lemmas = BY_HAND.lemmas[:number] + BY_HAND.lemmas[number + 1 :]
        with pytest.raises(InvalidCertificate, match="the 2 lemmas follow, but do not lead to a"):
            replace(BY_HAND, lemmas=lemmas).verify()


@pytest.mark.slow
def test_the_claim_and_its_solutions_are_those_of_the_puzzle():
    """Other tests check that the lemmas prove it: those of files, and of altered certificates."""
    for name, puzzle in PUZZLES.items():
        found, solutions = pls.certify(puzzle), known(puzzle)
        assert found.claim == ("none", "unique", "several")[min(2, len(solutions))], name
        assert {*found.solutions} <= {*solutions}
        assert len(found.solutions) == min(2, len(solutions))


# --- what is refused --------------------------------------------------------------------------


UNIQUE = pls.certify(SMALL)
SEVERAL = pls.certify(TWO)
OTHER = pls.solve("1234............")


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        (replace(BY_HAND, lemmas=((5,), *BY_HAND.lemmas)), "lemma 1 of 4 does not .* r1c2 is 1$"),
        (replace(BY_HAND, lemmas=((-29,), (30,))), "lemma 2 of 2 does not follow: r2c4 is 2$"),
        (replace(BY_HAND, lemmas=()), "the clauses do not lead to a contradiction: lemmas are mis"),
        (replace(BY_HAND, lemmas=BY_HAND.lemmas[:1]), "the lemma follows, but does not lead to a"),
        *(
            (replace(BY_HAND, lemmas=((-29, each),)), "lemma 1 is .*; expected variables, .* 64$")
            for each in (65, 0, True, -29.0, "-29")
        ),
        (replace(UNIQUE, puzzle=pls.Grid.parse(TWO)), "solution 1 is not a solution of the puzzle"),
        (replace(UNIQUE, solutions=(OTHER,)), "solution 1 is not a solution of the puzzle"),
        (replace(UNIQUE, solutions=(pls.solve("." * 81),)), "solution 1 is not a solution of the"),
        (replace(UNIQUE, solutions=(pls.Grid.parse(SMALL),)), "solution 1 is not a solution of"),
        (replace(UNIQUE, solutions=()), "the clauses do not lead to a contradiction"),
        (replace(SEVERAL, solutions=SEVERAL.solutions[:1]), "the clauses do not lead to a contr"),
        (replace(SEVERAL, solutions=SEVERAL.solutions[:1] * 2), "two solutions are the same grid"),
        (replace(BY_HAND, demands=((1, 1, 1), (1, 2, 1))), r"demand 1 is \[1, 1, 1\], which the"),
        (replace(BY_HAND, demands=(("excluded", 1, 1, 1),)), "demand 1 is .*, which the puzzle"),
        (replace(BY_HAND, demands=(("cells",),)), "lemma 1 of 3 does not follow: r2c4 is not 1$"),
    ],
)
def test_what_proves_nothing_is_refused(wrong, where):
    with pytest.raises(InvalidCertificate, match=where):
        wrong.verify()


def test_no_given_of_anybody_elses_makes_a_puzzle_unsolvable():
    """Otherwise the demands of a certificate could say what the puzzle does not."""
    givens = tuple(pls.Grid.parse("11..............").givens)
    rules = tuple(("house", house.kind, house.number) for house in PAIR.houses)
    made_up = Certificate(pls.Grid.parse(SMALL), (), (), "a liar", (*rules, *givens))
    with pytest.raises(InvalidCertificate, match=r"demand 13 is .*1\], which the puzzle does"):
        made_up.verify()


def test_a_certificate_has_two_solutions_at_most():
    with pytest.raises(ValueError, match="up to two solutions, not 3"):
        replace(SEVERAL, solutions=(*SEVERAL.solutions, OTHER))


def test_a_check_has_a_time_limit():
    with pytest.raises(pls.SolveTimeout, match="Python gave no answer within 1e-06 s"):
        BY_HAND.verify(timeout=1e-6)


def test_checking_in_python_imports_no_engine():
    text = json.dumps(BY_HAND.to_json())
    done = run(
        f"""
        pls.Certificate.from_json({text!r}).verify()
        print([name for name in ("clingo", "janus_swi", "pysat") if name in sys.modules])
        """
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


# --- values, texts, JSON -----------------------------------------------------------------------


@pytest.mark.one_in(3)
def test_it_can_be_copied_and_compared_and_json_has_all_of_it(certificate):
    assert pickle.loads(pickle.dumps(certificate)) == copy.deepcopy(certificate) == certificate
    certificate.verify()
    text = json.dumps(certificate.to_json())
    assert Certificate.from_json(text) == Certificate.from_json(json.loads(text)) == certificate


def test_repr_is_short():
    assert repr(BY_HAND) == "<Certificate: none, 3 lemmas by a person>"


def test_text():
    assert str(replace(UNIQUE, maker="clingo", lemmas=((-5, 12), (1,)))) == (
        "This puzzle has exactly one solution:\n"
        "  4 . | . .\n"
        "  . . | . 3\n"
        "  ----+----\n"
        "  . . | . 1\n"
        "  3 . | . .\n"
        "The solution:\n"
        "  4 3 | 1 2\n"
        "  1 2 | 4 3\n"
        "  ----+----\n"
        "  2 4 | 3 1\n"
        "  3 1 | 2 4\n"
        "Suppose that there were another solution. Proof by clingo, 2 lemmas:\n"
        "  1. r1c2 is not 1 or r1c3 is 4\n"
        "  2. r1c1 is 1\n"
        "  From this, unit propagation leads to a contradiction."
    )


def test_text_of_several_solutions():
    """The documents show that of a puzzle without a solution."""
    lines = str(replace(SEVERAL, maker="clingo")).splitlines()
    assert (lines[0], lines[-1]) == (
        "This puzzle has more than one solution:",
        "Both grids obey all rules; that is the proof. Found by clingo.",
    )
    assert {"Solution 1:", "Solution 2:"} <= {*lines}


DEMANDS = (
    ("cells",),
    *(("house", *house) for house in (("row", 1), ("row", 2), ("column", 4), ("box", 2))),
    *(("excluded", *each) for each in PAIR.excluded),
)
OF_DEMANDS = replace(BY_HAND, demands=DEMANDS)


def test_demands_are_said_kept_and_enough():
    OF_DEMANDS.verify()
    assert Certificate.from_json(json.dumps(OF_DEMANDS.to_json())) == OF_DEMANDS
    text = str(OF_DEMANDS)
    assert "Of its givens, marks and rules, these are enough:\n" in text
    assert "  rows 1 and 2, column 4 and box 2 each hold every digit once\n" in text
    assert "  r2c2 may not hold 2 (mark)\n" in text
    fewer = replace(OF_DEMANDS, demands=tuple(each for each in DEMANDS if each[1:] != ("box", 2)))
    with pytest.raises(InvalidCertificate, match="follow, but do not lead to a contradiction"):
        fewer.verify()


def test_a_rule_beyond_plain_sudoku_survives_json():
    rule = pls.rules.AntiKnight()
    puzzle = pls.Puzzle("." * 16, rules=[rule])
    kept = Certificate(puzzle, (), (), "nobody", (("cells",), ("rule", rule)))
    assert kept.to_json()["demands"] == [["cells"], {"rule": "anti_knight"}]
    assert Certificate.from_json(kept.to_json()) == kept


GOOD = BY_HAND.to_json()
NOT_THERE = "which the puzzle does not have"


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("", "this is not JSON"),
        ("[" * 100_000, "this JSON is not read"),
        ("3", "3 is not a certificate; expected"),
        ({}, '{} is not a certificate; expected a key "certificate"'),
        (GOOD | {"certificate": 2}, "the key 'certificate' is 2; expected 1, the version"),
        (GOOD | {"certificate": True}, "the key 'certificate' is True"),
        (GOOD | {"colour": 1}, "the key 'colour' is 1; expected one of certificate, claim,"),
        ({key: GOOD[key] for key in GOOD if key != "lemmas"}, "the key 'lemmas' is missing"),
        (GOOD | {"maker": 1}, "the key 'maker' is 1; expected one line of text"),
        (GOOD | {"maker": "a\n\x1b[31mb"}, "the key 'maker' is .*; expected one line of text"),
        (GOOD | {"lemmas": "none"}, "the key 'lemmas' is 'none'; expected a list"),
        (GOOD | {"lemmas": [[1], 2]}, "lemma 2 is 2; expected variables, which are 1 to 64"),
        (GOOD | {"lemmas": [[True]]}, r"lemma 1 is \[True\]; expected"),
        (GOOD | {"claim": "unique"}, "the claim is 'unique' with 0 solutions"),
        (GOOD | {"solutions": [[]]}, "solution 1: there are 0 rows; expected"),
        (
            GOOD | {"solutions": SEVERAL.to_json()["solutions"] * 2},
            "the key 'solutions' is .*; expected up to two grids",
        ),
        (GOOD | {"solutions": ["1234"]}, "solution 1: .*'1234'; expected a list of rows"),
        (GOOD | {"puzzle": {}}, "the key 'puzzle' is {}; expected an object with"),
        (GOOD | {"puzzle": 3}, "the key 'puzzle' is 3; expected an object with"),
        (GOOD | {"puzzle": GOOD["puzzle"] | {"x": 1}}, "unknown key 'x'; expected box, grid"),
        (GOOD | {"puzzle": GOOD["puzzle"] | {"marks": {"r9c9": [1]}}}, "the marks"),
        (GOOD | {"demands": 3}, "the key 'demands' is 3; expected a list"),
        (GOOD | {"demands": [["cells"], ["row", 1]]}, f"demand 2 is .*, {NOT_THERE}"),
        (GOOD | {"demands": [["house", "row", 5]]}, f"demand 1 is .*, {NOT_THERE}"),
        (GOOD | {"demands": [[1, 1, 1]]}, rf"demand 1 is \[1, 1, 1\], {NOT_THERE}"),
        (GOOD | {"demands": [{"rule": "anti_knight"}]}, f"demand 1 is .*, {NOT_THERE}"),
    ],
)
def test_json_that_is_not_a_certificate(value, complaint):
    text = value if isinstance(value, str) else json.dumps(value)
    with pytest.raises(InvalidCertificate, match=complaint):
        Certificate.from_json(text)


def test_a_rule_that_no_grid_obeys_is_a_proof_in_itself():
    """It is the empty clause, in whatever language the checker takes clauses."""
    puzzle = pls.Puzzle("." * 16, rules=[KillerCage("r1c2 r1c3 r1c4", sum=100)])
    certificate = pls.certify(puzzle)
    assert (certificate.claim, certificate.lemmas) == ("none", ())
    for checker in (None, "prolog"):
        certificate.verify(checker)


# === Certificates of explanations: from what they name alone, the opposite is refuted =============

JIGSAW = jigsaw(5, 8, 1, marked=4)
EXPLAINED = {
    "classic": CLASSIC,
    "small": SMALL,
    "jigsaw": JIGSAW,
    "killer": SMALL_KILLER,
    "thermometers": THERMOMETERS,
}
CLASHES = {
    "givens of one house": "11..............",
    "givens that leave no place": "1.....1....2.2.3",
    "a mark": Puzzle("1...............", marks={"r1c1": {2}}),
    "marks": Puzzle("." * 16, marks={"r1c1": {2}, "r1c2": {2}}),
    "a rule": SMALL_KILLER.with_(r1c1=1, r1c2=2),
    "a jigsaw": JIGSAW.without(*JIGSAW.cells).with_(r1c1=1, r1c2=1),
}


def forced(puzzle: object, detail: str = "rule") -> list[Forced]:
    """The explanations of the first cells that are forced and not given."""
    cells = why(puzzle, "r1c1").puzzle.cells[:12]
    found = (why(puzzle, cell, detail=detail) for cell in cells)
    return [each for each in found if isinstance(each, Forced)][:2]


def checked(explanation: Forced | Clash) -> Certificate:
    """The certificate holds, and not without any one of the members, none of which is redundant."""
    certificate = explanation.certificate()
    for checker in (None, "prolog"):
        certificate.verify(checker)
    mus = explanation.mus
    assert (certificate.claim, certificate.puzzle) == ("none", explanation.refuted)
    assert set(certificate.demands) == {*mus.hard, *mus.members}
    assert Certificate.from_json(json.dumps(certificate.to_json())) == certificate
    for member in mus.members:
        others = tuple(demand for demand in certificate.demands if demand != member)
        with pytest.raises(pls.InvalidCertificate):
            replace(certificate, demands=others).verify()
    return certificate


@pytest.mark.slow
@pytest.mark.parametrize("detail", ["rule", "house"])
@pytest.mark.parametrize("puzzle", EXPLAINED.values(), ids=EXPLAINED)
def test_certificates_of_why(puzzle, detail):
    explanations = forced(puzzle, detail)
    assert explanations
    for each in explanations:
        certificate = checked(each)
        opposite = (*each.cell, each.digit)
        assert ("excluded", *opposite) in certificate.demands
        marks = [*getattr(each.puzzle, "excluded", ()), opposite]
        assert certificate.puzzle.excluded == tuple(sorted(marks))
        assert not list(pls.solutions(certificate.puzzle))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("smallest", [False, True])
@pytest.mark.parametrize("puzzle", CLASHES.values(), ids=CLASHES)
def test_certificates_of_conflicts(puzzle, smallest):
    clash = conflicts(puzzle, smallest=smallest)
    assert checked(clash).puzzle == clash.puzzle


def test_every_clash():
    clashes = list(conflicts("1.1...2.......2.").all())
    assert len({checked(clash).demands for clash in clashes}) == len(clashes) == 2


def test_a_cell_that_a_mark_settles():
    puzzle = Puzzle("." * 16, marks={"r1c3": [3]})
    assert checked(why(puzzle, "r1c3")).lemmas == ()


def test_demands_that_do_not_contradict():
    for answer in (*forced(SMALL), conflicts("11..............")):
        wrong = replace(answer, mus=replace(answer.mus, members=answer.mus.members[1:]))
        with pytest.raises(pls.Disagreement):
            wrong.certificate()


def test_an_engine_that_cannot_prove():
    clash = conflicts("11..............")
    for engine in (Liar([]), "prolog"):
        with pytest.raises(pls.BackendUnavailable, match="cannot prove"):
            clash.certificate(engine)


# === Certificates that were tampered with: all checkers give the same verdict, and a true one =====

MINIMAL = (
    ".28..3.6..75....14......5.....7..2...8......3.57.2......1..8.3....4..7...3.27....",
    ".....49..2......46....98.31.1.6.......75.....6...1...25.........9....8....3..7.9.",
    "...1..5.75...2.....86..72...4.87..6......3...1.....4......3.9..3...5..4....7.9..5",
    ".5..9.48...27...35...8.6.7....96.5.......5..9..3.......6...3..2..4......2......1.",
    "...4....5.9.62...1..6...2..2..3.5..78.........159...2..5......9.3.1.4..6......71.",
)
"""Made for these tests: one solution, no given can be removed, and proofs of 10 to 19 lemmas."""

ALL = ("python", "prolog", "dratify")


def changed(
    one: Certificate, other: Certificate, chance: Random
) -> Iterator[tuple[str, Certificate]]:
    """The certificate with one change, in each way."""
    at, later = sorted(chance.sample(range(len(one.lemmas)), 2))
    before, lemma, after = one.lemmas[:at], one.lemmas[at], one.lemmas[at + 1 :]
    place = chance.randrange(len(lemma))
    swapped = list(one.lemmas)
    swapped[at], swapped[later] = swapped[later], swapped[at]
    proofs = {
        "flipped literal": (*before, (*lemma[:place], -lemma[place], *lemma[place + 1 :]), *after),
        "dropped literal": (*before, lemma[:place] + lemma[place + 1 :], *after),
        "dropped lemma": before + after,
        "swapped lemmas": tuple(swapped),
        "truncated": before,
        "another proof": other.lemmas,
    }
    yield from ((way, replace(one, lemmas=lemmas)) for way, lemmas in proofs.items())
    row, column, digit = chance.choice(one.puzzle.givens)
    wrong = (row, column, digit % one.puzzle.size + 1)
    yield "changed given", replace(one, puzzle=one.puzzle.with_(wrong))
    yield "dropped given", replace(one, puzzle=one.puzzle.without((row, column)))
    yield "another grid", replace(one, solutions=other.solutions)
    yield "no grid", replace(one, solutions=())


NEVER_CERTIFIED = {"changed given", "dropped given", "another grid", "no grid", "truncated"}
"""Here every given is needed; and so is the last lemma, with which clingo's search ended."""


@pytest.fixture(scope="module")
def made() -> list[Certificate]:
    return [pls.certify(puzzle) for puzzle in MINIMAL]


@lru_cache
def two_solutions(puzzle: Grid) -> tuple[Grid, ...]:
    return tuple(islice(all_solutions(puzzle), 2))


def check_tampered(
    made: list[Certificate], checkers: tuple[str, ...], number: int, seed: int
) -> None:
    """Tamper so often: the checkers must stop at the same lemma, and accept nothing untrue."""
    chance, proved = Random(seed), Counter[str]()
    for one, other in (chance.sample(made, 2) for _ in range(number)):
        for way, wrong in changed(one, other, chance):
            refused = {name: CHECKERS[name](wrong, None) for name in checkers}
            assert len({*refused.values()}) == 1, (way, refused, wrong.to_json())
            proved[way] += None in refused.values()
            certified = refusal(wrong, "python") is None
            assert not (certified and way in NEVER_CERTIFIED), wrong.to_json()
            if certified or None in refused.values():
                found, claimed = {*two_solutions(wrong.puzzle)}, {*wrong.solutions}
                # Only the proof says that the solution is the only one.
                assert found == claimed if certified else found <= claimed, (way, wrong.to_json())
    assert 0 < proved.total() < number * len(proved) / 2


@pytest.mark.parametrize(
    ("number", "seed"),
    [(1, 1), *(pytest.param(10, seed, marks=pytest.mark.slow) for seed in range(2, 6))],
)
def test_all_checkers_stop_at_the_same_lemma_and_accept_nothing_untrue(made, number, seed):
    check_tampered(made, ALL, number, seed)


@pytest.mark.slow
# It is in few systems, so this test is skipped even where no other program may be missing.
@pytest.mark.skipif(
    not which("drat-trim"), reason="drat-trim is not on the PATH: few systems package it"
)
def test_drat_trim_stops_there_too(made):
    check_tampered(made, ("python", "drat-trim"), 4, seed=6)


def test_our_checkers_take_any_demands_alike():
    """Most of them, with facts from which much follows, of 2x2 boxes and of regions."""
    follows = Counter[bool]()
    for seed in range(12):
        chance, puzzle = Random(seed), (PAIR, JIGSAW)[seed % 2]
        every = (rules, all_rules)[seed % 4 // 2](puzzle.layout)
        few = chance.sample(every, 4 * len(every) // 5)
        facts = [("excluded", *each) for each in puzzle.excluded] + list(puzzle.givens)
        some = replace(BY_HAND, puzzle=puzzle, demands=(*few, *facts))
        for _ in range(15):
            literals = chance.sample(range(1, puzzle.size**3 + 1), chance.randint(1, 3))
            lemma = tuple(chance.choice((1, -1)) * each for each in literals)
            wanted = replace(some, lemmas=(lemma,))
            refused, same = (CHECKERS[name](wanted, None) for name in ("python", "prolog"))
            assert refused == same, (few, lemma)
            follows[refused != 0] += 1
    assert min(follows.values()) > 30, follows


def test_the_certificates_are_accepted_before_anybody_tampers(made):
    for certificate in made:
        assert certificate.solutions == two_solutions(certificate.puzzle)
        for name in ALL:
            assert refusal(certificate, name) is None


def test_a_certificate_is_saved_and_read(tmp_path):
    made = pls.certify("4......3...13...")
    for name, text in {
        "a.json": json.dumps(made.to_json()),
        "a.pl": made.prolog(),
        "a.txt": made.text(),
        "a.cnf": made.cnf(),
    }.items():
        made.save(tmp_path / name)
        assert (tmp_path / name).read_text() == f"{text.rstrip()}\n"
    assert (tmp_path / "a.drat").read_text() == made.drat()
    assert pls.Certificate.read(tmp_path / "a.json") == made
    with pytest.raises(ValueError, match=r"should end in one of \.json, \.cnf, \.pl, \.txt"):
        made.save(tmp_path / "a.svg")
    (tmp_path / "b.json").write_text("{}")
    with pytest.raises(pls.InvalidCertificate, match=r"b\.json: "):
        pls.Certificate.read(tmp_path / "b.json")
