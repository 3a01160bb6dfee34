"""Prolog's share in explanations: explain/4, checked by clingo, and its checks of ours."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import IMPOSSIBLE, PRINTED, SEVERAL
from test_prolog_bridge import ask, wait_for_closed_searches

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku._demands import rules
from pylogic_sudoku.engines import get
from pylogic_sudoku.engines.prolog import PrologBackend, shape, terms
from pylogic_sudoku.grid import Cell, Layout
from pylogic_sudoku.rules import Different, KillerCage, Thermometer
from pylogic_sudoku.rules._rule import term

PROLOG = PrologBackend()
NEWSPAPER = Grid.parse(list(PRINTED)[3])
JIGSAW = Puzzle(Grid.parse("12.........3...."), regions="1112122233343444")
SHAPES = [(2, 2), (2, 3), (3, 2), (1, 4)]

EXPLAIN = """
    sudoku_bridge:(digits_rows(Digits, _, _Rows), shape(Shape, _Shape)),
    sudoku_explain:explain(_Rows, _Shape, cell(Row,Column), because(_Digit, _Elements)),
    maplist(=.., _Elements, _Lists),
    Answer = [_Digit,_Lists]
"""


def reason(puzzle: Grid | Puzzle, cell: tuple[int, int]) -> tuple[int, list] | None:
    """The digit that the cell must hold, with houses and givens that force it."""
    inputs = {"Digits": list(puzzle.digits), "Shape": shape(puzzle.layout)}
    found = ask(f"({EXPLAIN} -> true ; Answer = [])", **inputs, Row=cell[0], Column=cell[1])
    if not found:
        return None
    digit, elements = found
    return digit, [
        tuple(numbers) if name == "given" else ("house", name, *numbers)
        for name, *numbers in elements
    ]


def forced(puzzle: Grid, cell: tuple[int, int], digit: int, elements: tuple, engine: str) -> bool:
    """Whether, for the engine, these houses and givens leave no other digit."""
    houses = [element for element in elements if element[0] == "house"]
    givens = [element for element in elements if element[0] != "house"]
    assert set(givens) <= set(puzzle.givens)
    absent = [(*cell, digit)]
    return not get(engine).consistent(puzzle.layout, [("cells",), *houses], givens, absent)


def is_minimal_reason(puzzle: Grid, cell: tuple[int, int], engine: str = "clingo") -> bool:
    """Whether, for the engine, Prolog's reason forces the digit and nothing is redundant."""
    digit, elements = reason(puzzle, cell)
    fewer = combinations(elements, len(elements) - 1)
    return forced(puzzle, cell, digit, elements, engine) and not any(
        forced(puzzle, cell, digit, some, engine) for some in fewer
    )


@pytest.mark.slow
@pytest.mark.parametrize("box", SHAPES, ids=str)
def test_clingo_agrees_with_every_reason(box):
    solution = full_grid(box, 5)
    puzzle = dig(solution, len(solution.digits) * 5 // 8, 5)
    assert list(all_solutions(puzzle)) == [solution]
    for cell, given, digit in zip(puzzle.cells, puzzle.digits, solution.digits, strict=True):
        if given:
            assert reason(puzzle, cell) is None
        else:
            assert reason(puzzle, cell)[0] == digit
            assert is_minimal_reason(puzzle, cell)


def test_clingo_agrees_with_every_reason_in_a_jigsaw():
    first, *others = all_solutions(JIGSAW)
    forced_cells = [
        cell
        for cell in JIGSAW.cells
        if not JIGSAW[cell] and all(other[cell] == first[cell] for other in others)
    ]
    assert forced_cells
    for cell in JIGSAW.cells:
        assert (reason(JIGSAW, cell) is not None) == (cell in forced_cells)
    assert all(is_minimal_reason(JIGSAW, cell) for cell in forced_cells)


@pytest.mark.parametrize("cell", [(1, 4), (3, 6), (7, 5), (9, 1)])
def test_clingo_agrees_with_reasons_in_a_newspaper_puzzle(cell):
    assert is_minimal_reason(NEWSPAPER, cell)


@pytest.mark.parametrize("grain", ["house", "rule"])
@pytest.mark.parametrize("cell", [(1, 4), (2, 2), (3, 6), (7, 5)])
def test_prolog_agrees_with_the_explanations_of_clingo(cell, grain):
    pls.why(NEWSPAPER, cell, grain=grain).verify("prolog")


def test_prolog_agrees_if_clingo_needs_search():
    pls.why(next(iter(PRINTED)), (1, 4), grain="house").verify("prolog")


def test_prolog_agrees_with_itself():
    assert is_minimal_reason(NEWSPAPER, (1, 4), "prolog")


@pytest.mark.parametrize("seed", range(4))
def test_the_engines_agree_on_random_rules(seed):
    """Rules of both grains, alone and mixed; half of them with more placements than they allow."""
    choose = Random(seed)
    layouts = [Layout((2, 2)), Layout((1, 3)), Layout((2, 1)), JIGSAW.layout]
    answers = []
    for case in range(40):
        layout = choose.choice(layouts)
        fine, coarse = rules(layout), [("cells",), *rules(layout, "house")]
        pool = [fine, coarse, fine + coarse * 6][case % 3]
        chosen = choose.sample(pool, choose.randint(1, min(len(pool), 40)))
        holds, excluded = (
            [
                tuple(choose.choices(range(1, layout.size + 1), k=3))
                for _ in range(choose.randint(0, most))
            ]
            for most in (3, 3 * layout.size)
        )
        asked = ([tuple(rule) for rule in chosen], holds, excluded)
        answers.append(PROLOG.consistent(layout, *asked))
        assert get("clingo").consistent(layout, *asked) is answers[-1], (layout, asked)
    assert set(answers) == {True, False}


def test_no_reason_if_nothing_is_forced():
    puzzle = Grid.parse(SEVERAL)
    first, second = all_solutions(puzzle)
    cell = next(cell for cell in puzzle.cells if first[cell] != second[cell])
    assert reason(puzzle, cell) is None
    assert reason(Grid.parse(IMPOSSIBLE), Cell(1, 1)) is None


@pytest.mark.parametrize(
    "demand",
    [
        *[("filled", 0, 1), ("single", 1, 5), ("once", "row", 5, 1), ("once", "line", 1, 1)],
        *[("twice", "row", 1, 1), ("house", "box", 1, 1), ("cells", 1), ()],
        ("house", "region", 1),
    ],
)
def test_rules_that_the_grid_does_not_have(demand):
    with pytest.raises(ValueError, match=r"a grid with 2x2 boxes has no \("):
        PROLOG.consistent(Layout((2, 2)), [demand], [], [])


def test_a_jigsaw_has_no_boxes():
    with pytest.raises(ValueError, match="a 4x4 grid with regions has no"):
        PROLOG.consistent(JIGSAW.layout, [("house", "box", 1)], [], [])


@pytest.mark.parametrize("placements", [([(1, 1, 5)], []), ([], [(1, 0, 1)])])
def test_placements_that_the_grid_does_not_have(placements):
    with pytest.raises(ValueError, match="boxes has no"):
        PROLOG.consistent(Layout((2, 2)), [], *placements)


def test_a_check_stops_in_time_and_leaves_nothing_behind():
    layout = Layout((5, 5))
    with pytest.raises(pls.SolveTimeout):
        PROLOG.consistent(layout, rules(layout), [], [], timeout=0.01)
    wait_for_closed_searches()
    assert PROLOG.consistent(Layout((2, 2)), rules(Layout((2, 2))), [], [])


# --- rules beyond plain sudoku -----------------------------------------------------------

RULES = [KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2"), KillerCage("r3c2 r4c2", sum=4)]
KILLER = Puzzle("." * 12 + "2...", rules=RULES)

WITH_RULES = """
    sudoku_bridge:(digits_rows(Digits, _, _Rows), rules(Terms, _Rules)),
    sudoku_explain:explain(_Rows, 2-2, _Rules, cell(Row,Column), _Reason),
    ( _Reason = because(_Digit, _Elements)
    -> findall(_Text, ( member(_Element, _Elements), term_to_atom(_Element, _Text) ), _Texts),
       Answer = [_Digit|_Texts]
    ;  Answer = [] )
"""


def test_a_reason_has_rules_of_the_puzzle():
    """Every reason is checked by clingo: it forces the digit, and nothing in it is redundant."""
    rule_of = {term(rule): ("rule", rule) for rule in RULES}
    used = set()
    for cell in KILLER.cells:
        if KILLER[cell]:
            continue
        inputs = {"Digits": list(KILLER.digits), "Terms": terms(RULES)}
        answer = ask(WITH_RULES, **inputs, Row=cell.row, Column=cell.column)
        forced_here = isinstance(pls.why(KILLER, cell), pls.Forced)
        assert bool(answer) is forced_here
        if not answer:
            continue
        digit, *texts = answer
        elements = []
        for text in texts:
            name, _, numbers = text.rstrip(")").partition("(")
            if text in rule_of:
                elements.append(rule_of[text])
                used.add(text)
            elif name == "given":
                elements.append(tuple(map(int, numbers.split(","))))
            else:
                elements.append(("house", name, int(numbers)))

        def consistent(some, cell=cell, digit=digit):
            rules = [("cells",), *(each for each in some if isinstance(each[0], str))]
            givens = [each for each in some if not isinstance(each[0], str)]
            return get("clingo").consistent(KILLER.layout, rules, givens, [(*cell, digit)])

        assert not consistent(elements)
        assert all(consistent(some) for some in combinations(elements, len(elements) - 1))
    assert len(used) >= 2


def test_candidates_heed_the_rules():
    goal = """
        sudoku_bridge:(digits_rows(Digits, _, _Rows), rules(Terms, _Rules)),
        sudoku_explain:candidates(_Rows, 2-2, _Rules, Answer)
    """
    found = ask(goal, Digits=list(KILLER.digits), Terms=terms(RULES))
    exact = pls.candidates(KILLER)
    assert all(
        exact[row][column] <= set(found[row][column]) for row in range(4) for column in range(4)
    )
    assert all(set(digits) <= {1, 2} for digits in found[0][:2])


@pytest.mark.parametrize("rule", [KillerCage("r1c1", sum=1), Different("r1c1 r4c4"), ("rule",)])
def test_rules_that_the_puzzle_does_not_have(rule, backend):
    demand = rule if isinstance(rule, tuple) else ("rule", rule)
    with pytest.raises(ValueError, match="a grid with 2x2 boxes and 3 rules has no"):
        get(backend).consistent(KILLER.layout, [demand], [], [])
