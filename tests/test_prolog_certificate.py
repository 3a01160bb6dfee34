"""Certificates that Prolog checks, against the checker in plain Python."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from helpers.jigsaws import KEEP, jigsaw
from helpers.oracle import dig, full_grid
from helpers.puzzles import IMPOSSIBLE, PRINTED
from test_prolog_bridge import SHARED, wait_for_closed_searches

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku._clauses import Claim, Clause, literal
from pylogic_sudoku._demands import rules
from pylogic_sudoku.engines import get
from pylogic_sudoku.engines.prolog import PrologBackend, shape
from pylogic_sudoku.grid import Layout
from pylogic_sudoku.proofs._checking import first_refused
from pylogic_sudoku.rules import Thermometer

PROLOG = PrologBackend()
HARD = Grid.parse(
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
)
BOXES = [(2, 2), (2, 3), (3, 2), (1, 5), (3, 3), (2, 4), (1, 1)]


def accepted(puzzle: Grid | Puzzle) -> pls.Certificate:
    """The certificate of the puzzle, which both checkers accept."""
    certificate = pls.certify(puzzle)
    certificate.verify()
    certificate.verify("prolog")
    return certificate


def tampered(lemmas: tuple[Clause, ...], choose: Random) -> list[Clause]:
    """The lemmas with one change."""
    changed = [list(lemma) for lemma in lemmas]
    number = choose.randrange(len(changed))
    match choose.choice(["drop", "flip", "shorten", "cut", "shuffle", "repeat"]):
        case "drop":
            del changed[number]
        case "flip":
            changed[number][choose.randrange(len(changed[number]))] *= -1
        case "shorten":
            del changed[number][choose.randrange(len(changed[number]))]
        case "cut":
            del changed[number:]
        case "shuffle":
            choose.shuffle(changed)
        case "repeat":
            changed.insert(number, changed[number])
    return [tuple(lemma) for lemma in changed]


@pytest.mark.parametrize("box", BOXES, ids=str)
def test_proofs_for_every_box_shape(box):
    for seed in range(3):
        solution = full_grid(box, seed)
        accepted(dig(solution, len(solution.digits) * (seed + 3) // 8, seed))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [4, 5, 6])
def test_proofs_for_regions_and_marks(size, seed):
    accepted(jigsaw(size, KEEP[size], seed, marked=size))


def test_a_puzzle_without_solution_and_one_that_needs_many_lemmas():
    assert accepted(Grid.parse(IMPOSSIBLE)).claim == "none"
    hard = accepted(HARD)
    assert hard.claim == "unique"
    assert len(hard.lemmas) > 50


def test_the_same_verdict_on_tampered_lemmas():
    choose = Random(7)
    certificate = pls.certify(HARD)
    claim = Claim(HARD, certificate.solutions[0])
    verdicts = []
    for _ in range(8):
        lemmas = tampered(certificate.lemmas, choose)
        verdicts.append(first_refused(claim, lemmas))
        assert PROLOG.first_refused(claim, lemmas) == verdicts[-1]
    assert None in verdicts
    assert len(set(verdicts)) > 3


def random_claim(choose: Random, layout: Layout, case: int) -> Claim:
    """Some of the rules, with placements that hold and some that are excluded."""
    fine, coarse = rules(layout), [("cells",), *rules(layout, "house")]
    pool = [fine, coarse, fine + coarse * 6][case % 3]
    demands = choose.sample(pool, choose.randint(0, min(len(pool), 60)))
    for most, words in ((3, ()), (layout.size**2, ("excluded",))):
        for _ in range(choose.randint(0, most)):
            demands.append((*words, *choose.choices(range(1, layout.size + 1), k=3)))
    solution = full_grid(layout.box, 1) if layout.regions is None and case % 5 == 0 else None
    grid = Grid((0,) * layout.size**2, layout.box)
    return Claim(
        Puzzle(grid, layout.regions and shape(layout)), solution, tuple(map(tuple, demands))
    )


@pytest.mark.parametrize("seed", range(4))
def test_propagation_is_that_of_the_checker_in_python(seed):
    """Random lemmas for random parts of the rules: the same one is refused first."""
    choose = Random(seed)
    layouts = [Layout((2, 2)), Layout((1, 3)), Layout((2, 3)), jigsaw(4, 2, 1).layout]
    verdicts = set()
    for case in range(40):
        layout = choose.choice(layouts)
        claim = random_claim(choose, layout, case)
        variables = range(1, layout.size**3 + 1)
        lemmas = [
            tuple(each * choose.choice([1, -1]) for each in choose.choices(variables, k=length))
            for length in choose.choices([0, 1, 2, 3, 6], [1, 2, 6, 6, 6], k=6)
        ]
        verdicts.add(first_refused(claim, lemmas))
        assert PROLOG.first_refused(claim, lemmas) == first_refused(claim, lemmas), (claim, lemmas)
    assert {None, 0, 1} <= verdicts


@pytest.mark.parametrize("grain", ["house", "rule"])
@pytest.mark.parametrize("cell", [(1, 4), (2, 2), (7, 5)])
def test_proofs_of_explanations(cell, grain):
    puzzle = Grid.parse(next(iter(PRINTED)))
    core = pls.why(puzzle, cell, grain=grain).core
    claim = Claim(puzzle, demands=tuple(map(tuple, (*core.sure, *core.members))))
    assert PROLOG.first_refused(claim, get("clingo").prove(claim).lemmas) is None


def test_demands_that_do_not_contradict_each_other():
    claim = Claim(HARD, demands=(("cells",), ("house", "row", 1), (1, 1, 8)))
    assert PROLOG.first_refused(claim, []) == first_refused(claim, []) == 0


@pytest.mark.parametrize("demand", [("once", "line", 1, 1), ("filled", 0, 1), (1, 1, 10), ("x",)])
def test_a_demand_that_the_grid_does_not_have(demand):
    with pytest.raises(pls.InvalidPuzzle, match="is not a rule of"):
        PROLOG.first_refused(Claim(HARD, demands=(demand,)), [])


@pytest.mark.parametrize("lemma", [(0,), (1, 730), (-730,)])
def test_a_literal_that_the_grid_does_not_have(lemma):
    with pytest.raises(pls.BackendFailure, match="literal"):
        PROLOG.first_refused(Claim(HARD), [(1,), lemma])


RISING = Puzzle(Grid.parse("." * 16), rules=[Thermometer(["r1c1", "r1c2", "r2c2"])])
CLAUSES = [
    tuple(-literal(4, (row, column, digit)) for (row, column), digit in ((low, a), (high, b)))
    for low, high in pairwise(RISING.rules[0].cells)
    for a in range(1, 5)
    for b in range(1, a + 1)
]


def with_clauses(monkeypatch: pytest.MonkeyPatch, clauses: list[Clause]) -> None:
    monkeypatch.setattr("pylogic_sudoku.rules._clauses.clauses_of", lambda *_: iter(clauses))


def test_clauses_of_a_rule(monkeypatch):
    with_clauses(monkeypatch, CLAUSES)
    assert PROLOG.first_refused(Claim(RISING.with_((1, 1, 4))), []) is None
    assert PROLOG.first_refused(Claim(RISING.with_((1, 1, 1))), []) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        (-literal(4, (1, 1, 1)), -literal(4, (1, 2, 2))),
        (-literal(4, (3, 1, 1)),),
        (literal(4, (1, 1, 2)),),
        (),
    ],
)
def test_a_clause_that_does_not_follow_from_its_rule(monkeypatch, wrong):
    with_clauses(monkeypatch, [*CLAUSES, wrong])
    with pytest.raises(pls.BackendFailure, match="the clause does not follow from the rule"):
        PROLOG.first_refused(Claim(RISING), [])


@pytest.mark.parametrize(
    "right",
    [
        (-literal(4, (1, 1, 3)),),  # two digits more have no room
        (literal(4, (1, 1, 1)), literal(4, (1, 1, 2))),
        (-literal(4, (1, 1, 2)), literal(4, (2, 2, 4))),
        (-literal(4, (1, 1, 1)), -literal(4, (1, 1, 2))),
    ],
)
def test_a_clause_that_follows_from_its_rule(monkeypatch, right):
    with_clauses(monkeypatch, [right])
    assert PROLOG.first_refused(Claim(RISING), []) == 0


def test_a_check_stops_in_time():
    certificate = accepted(HARD)
    claim = Claim(HARD, certificate.solutions[0])
    for _ in range(3):
        with pytest.raises(pls.SolveTimeout):
            PROLOG.first_refused(claim, certificate.lemmas[:1] * 20_000, timeout=0.05)
    wait_for_closed_searches()
    assert accepted(HARD).claim == "unique"


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the puzzle collections are not in the repository")
@pytest.mark.parametrize("name", ["17-clue", "random-10k", "hard-375"])
def test_published_puzzles(name):
    lines = (SHARED / "corpora" / f"{name}.txt").read_text("utf-8").split()
    for line in lines[: 20 if name == "hard-375" else 100]:
        assert accepted(Grid.parse(line)).claim == "unique"
