"""Certificates that Prolog makes and checks, against the checker in plain Python."""

from __future__ import annotations

from itertools import islice, pairwise
from random import Random

import pytest
from helpers.jigsaws import KEEP, jigsaw
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import IMPOSSIBLE, PRINTED, SEVERAL
from helpers.rules import MAKERS
from test_prolog_bridge import SHARED, wait_for_closed_searches

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku._clauses import Claim, Clause, literal
from pylogic_sudoku._demands import rules
from pylogic_sudoku.engines.prolog import PrologBackend, shape
from pylogic_sudoku.grid import Layout
from pylogic_sudoku.proofs._checking import first_refused
from pylogic_sudoku.rules import Thermometer

PROLOG = PrologBackend()
HARD = Grid.parse(
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
)
BOXES = [(2, 2), (2, 3), (3, 2), (1, 5), (3, 3), (2, 4), (1, 1)]


def proved(puzzle: Grid | Puzzle) -> pls.Certificate:
    """Prolog's certificate, which both checkers accept."""
    certificate = pls.certify(puzzle, "prolog")
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
        puzzle = dig(solution, len(solution.digits) * (seed + 3) // 8, seed)
        found = list(islice(all_solutions(puzzle), 2))
        certificate = proved(puzzle)
        assert len(certificate.solutions) == len(found)
        assert len(found) == 2 or certificate.solutions == tuple(found)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [4, 5, 6])
def test_proofs_for_regions_and_marks(size, seed):
    puzzle = jigsaw(size, KEEP[size], seed, marked=size)
    found = set(islice(all_solutions(puzzle), 2))
    certificate = proved(puzzle)
    assert len(certificate.solutions) == len(found)
    assert len(found) == 2 or set(certificate.solutions) == found


def test_every_claim():
    several, none = proved(Grid.parse(SEVERAL)), proved(Grid.parse(IMPOSSIBLE))
    assert (several.claim, several.lemmas, none.claim) == ("several", (), "none")
    for text, solution in PRINTED.items():
        certificate = proved(Grid.parse(text))
        assert certificate.solutions == (Grid.parse(solution),)
        assert certificate.maker.startswith("SWI-Prolog ")


def test_a_puzzle_that_needs_many_lemmas():
    certificate = proved(HARD)
    assert certificate.claim == "unique"
    assert len(certificate.lemmas) > 50


def test_another_solution_than_the_one_that_the_claim_names():
    puzzle = Grid.parse(SEVERAL)
    first, second = all_solutions(puzzle)
    assert PROLOG.prove(Claim(puzzle, first)) == ((first, second), ())
    solution = Grid.parse(PRINTED[next(iter(PRINTED))])
    proof = PROLOG.prove(Claim(Grid.parse(next(iter(PRINTED))), solution))
    assert proof.solutions == (solution,)


@pytest.mark.parametrize("maker", ["clingo", "prolog"])
def test_the_same_verdict_on_tampered_lemmas(maker):
    choose = Random(7)
    certificate = pls.certify(HARD, maker)
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
    solutions, lemmas = PROLOG.prove(claim)
    assert (solutions, first_refused(claim, lemmas)) == ((), None)
    assert PROLOG.first_refused(claim, lemmas) is None


def test_demands_that_do_not_contradict_each_other():
    claim = Claim(HARD, demands=(("cells",), ("house", "row", 1), (1, 1, 8)))
    with pytest.raises(pls.Disagreement, match="they do not"):
        PROLOG.prove(claim)
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
    obeying = [grid for grid in all_solutions(RISING.grid) if grid.is_solution_of(RISING)]
    puzzle = RISING.with_((4, 4, obeying[0][4, 4]), (4, 3, obeying[0][4, 3]))
    expected = {grid for grid in obeying if grid.is_solution_of(puzzle)}
    found, lemmas = PROLOG.prove(Claim(puzzle))
    assert set(found) <= expected
    assert len(found) == min(2, len(expected))
    assert len(found) == 2 or first_refused(Claim(puzzle, found[0]), lemmas) is None


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
    with pytest.raises(pls.BackendFailure, match="the clause does not follow from the rule"):
        PROLOG.prove(Claim(RISING))


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


@pytest.mark.parametrize(
    "kind", ["anti_king", "killer_cage", "global_entropy", "thermometer", "zipper_line", "clone"]
)
def test_rules_of_every_sort_in_clauses(kind):
    """Prolog's own clauses say the same as those that Python makes."""
    solution = full_grid((2, 2), 3)
    rule = MAKERS[kind](Random(3), solution)
    puzzle = Puzzle(dig(solution, 4, 3), rules=[rule])
    expected = {grid for grid in all_solutions(puzzle.grid) if grid.is_solution_of(puzzle)}
    certificate = proved(puzzle)
    assert set(certificate.solutions) <= expected
    assert len(certificate.solutions) == min(2, len(expected))


def pigeons(holes: int) -> Claim:
    """More rows than columns are to hold a 1: no short proof of this is known without new words."""
    layout = Layout((4, 4))
    demands = [
        *(("somewhere", "row", number, 1) for number in range(1, holes + 2)),
        *(("once", "column", number, 1) for number in range(1, holes + 1)),
        *(("excluded", row, column, 1) for row in range(1, 17) for column in range(holes + 1, 17)),
    ]
    return Claim(Grid((0,) * 256, layout.box), demands=tuple(demands))


def test_a_proof_and_a_check_stop_in_time():
    few = pigeons(3)
    assert first_refused(few, PROLOG.prove(few).lemmas) is None
    certificate = proved(HARD)
    claim = Claim(HARD, certificate.solutions[0])
    for _ in range(3):
        with pytest.raises(pls.SolveTimeout):
            PROLOG.prove(pigeons(15), timeout=0.05)
        with pytest.raises(pls.SolveTimeout):
            PROLOG.first_refused(claim, certificate.lemmas[:1] * 20_000, timeout=0.05)
    wait_for_closed_searches()
    assert proved(HARD).claim == "unique"


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the puzzle collections are not in the repository")
@pytest.mark.parametrize("name", ["17-clue", "random-10k", "hard-375"])
def test_published_puzzles(name):
    lines = (SHARED / "corpora" / f"{name}.txt").read_text("utf-8").split()
    for line in lines[: 20 if name == "hard-375" else 100]:
        assert proved(Grid.parse(line)).claim == "unique"
