"""Hints, steps, reasons and Check in the playground are those of Python."""

from __future__ import annotations

import json

import pytest
from helpers.browsing import board, message, press
from helpers.jigsaws import REAL, jigsaw
from helpers.oracle import dig, full_grid
from helpers.playground_steps import placement, placements, step
from helpers.positions import labelled, positions
from helpers.puzzles import CLASSIC, COUNTS, IMPOSSIBLE, PRINTED, SMALL, TWO
from test_playground_browser import asked

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Placement
from pylogic_sudoku.engines import checker
from pylogic_sudoku.serve import _checking as checking
from pylogic_sudoku.serve._explained import explained
from pylogic_sudoku.serve._questions import Source
from pylogic_sudoku.techniques._addition import every_placement, standing

SIX = dig(full_grid((2, 3), 5), 14, 2)
SIXTEEN = dig(full_grid((4, 4), 3), 140, 7)
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
"""Its digits need many steps, and Prolog takes long for the reason of one."""


@pytest.fixture(scope="module")
def address(playground_address):
    return playground_address


@pytest.fixture(scope="module")
def tab(browser, address):
    """One page for many questions."""
    page = browser.new_page()
    page.goto(address)
    yield page
    page.close()


def steps(tab, puzzle, **options):
    return asked(tab, "steps", puzzle, **{"limit": 300, **options})


def same(answers, theirs):
    """Each answer is the step of Python, and its words and its marks follow from the step alone."""
    for answer, their in zip(answers, theirs, strict=True):
        mine = step(answer, their.puzzle)
        assert (mine.technique, mine.weight) == (their.technique, their.weight)
        shown = json.loads(json.dumps(explained(mine)))
        for path in [*shown.pop("links"), *answer["links"]]:
            path.pop("path")  # ours are simpler
        lines = [part.pop("rim") for part in shown["highlights"]]
        assert [bool(part.pop("rim")) for part in answer["highlights"]] == [*map(bool, lines)]
        assert {key: answer[key] for key in shown} == shown
        mine.adds_up() or mine.verify()


@pytest.mark.parametrize(
    "puzzle",
    [
        Grid.parse(SMALL),
        SIX,
        jigsaw(6, 9, 4, 2),
        pytest.param(Grid.parse(CLASSIC), marks=pytest.mark.slow),
        pytest.param(REAL, marks=pytest.mark.slow),
    ],
    ids=["4x4", "6x6", "jigsaw with marks", "9x9", "jigsaw"],
)
def test_the_way_is_that_of_python(tab, puzzle):
    answer = steps(tab, puzzle)
    way = pls.steps(puzzle).walk()
    same(answer["steps"], way)
    assert answer["outcome"] == way.outcome
    assert answer["stopped"] is None
    rating = way.rating
    assert answer["rating"] == (
        rating and {"level": rating.level, "number": rating.number, "hardest": rating.hardest}
    )


@pytest.mark.slow
def test_a_hint_for_a_large_grid(tab):
    (first,) = steps(tab, SIXTEEN, limit=1)["steps"]
    same([first], [pls.hint(SIXTEEN)])


@pytest.mark.slow
@pytest.mark.parametrize("line", [*PRINTED][1:3])
def test_ratings_are_those_of_python(tab, line):
    answer = steps(tab, Grid.parse(line))
    rating = pls.rate(line)
    assert answer["rating"] == {
        "level": rating.level,
        "number": rating.number,
        "hardest": rating.hardest,
    }


KNOWN = [each for each in positions() if isinstance(each.grid, Grid)]
STUCK = labelled(
    """minimal set |
    89 123456789 123456789 123456789 123456789 123456789 123456789 123456789 58
    123456789 123456789 123456789 123456789 123456789 123456789 123456789 49 123456789
    123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789
    123456789 123456789 123456789 123456789 123456789 27 123456789 123456789 123456789
    123456789 123456789 123456789 123456789 123 123456789 123456789 123456789 35
    123456789 123456789 123456789 15 123456789 123456789 123456789 45 123456789
    123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789
    123456789 69 123456789 123456789 123456789 67 123456789 123456789 123456789
    123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789
    |"""
)
"""A position in which no technique applies."""


def gone(position):
    """The candidates that are not left, though no digit rules them out."""
    left = standing(position.candidates)
    return [
        {"cell": str(each.cell), "digit": each.digit}
        for each in sorted(every_placement(9))
        if each not in left and not position.grid[each.cell]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("position", KNOWN, ids=str)
def test_techniques_are_found_and_told_as_by_python(tab, position):
    puzzle = position.grid
    removed = gone(position)
    (first,) = steps(tab, puzzle, limit=1, removed=removed)["steps"]
    away = [(*placement(each),) for each in removed]
    same([first], [pls.hint(puzzle, removed=away)])
    assert first["explanation"]["technique"] == position.technique


@pytest.mark.slow
def test_where_no_technique_leads_on_the_answer_says_so(tab):
    answer = steps(tab, STUCK.grid, removed=gone(STUCK))
    assert (answer["steps"], answer["stopped"], answer["rating"]) == ([], None, None)
    assert answer["outcome"].startswith("The playground knows no technique that leads on: ")


def test_several_solutions_leave_nothing_sure(tab):
    answer = steps(tab, Grid.parse(TWO))
    assert answer["outcome"] == pls.steps(TWO).walk().outcome


@pytest.mark.slow
def test_no_step_for_a_puzzle_without_a_solution(visit):
    page = visit(IMPOSSIBLE)
    press(page, "Hint")
    message(page, "The puzzle has no solution, whatever you fill in.")


def forces(puzzle, houses, givens, target):
    engine = checker("clingo")
    demands = [("cells",), *houses]
    return not engine.consistent(puzzle.layout, demands, givens, [target])


@pytest.mark.parametrize(
    ("puzzle", "cell"),
    [
        (Grid.parse(SMALL), "r1c4"),
        (jigsaw(4, 4, 2), None),
        pytest.param(Grid.parse(CLASSIC), "r1c7", marks=pytest.mark.slow),
        pytest.param(Grid.parse(HARD), "r8c2", marks=pytest.mark.slow),
    ],
)
def test_why_is_a_set_without_a_redundant_member(tab, puzzle, cell):
    where = cell or next(str(each) for each in puzzle.cells if not puzzle[each])
    answer = asked(tab, "why", puzzle, cell=where)
    data = answer["explanation"]
    if data["answer"] != "forced":
        assert data["answer"] == "not forced"
        assert all(
            Grid.from_rows(rows, puzzle.box).is_solution_of(puzzle) for rows in data["solutions"]
        )
        return
    target = Placement(*placement({"cell": where, "digit": data["digit"]}))
    houses = [tuple(rule["rule"]) for rule in data["rules"]]
    givens = placements(data["givens"])
    assert set(givens) <= set(puzzle.givens)
    assert forces(puzzle, houses, givens, target)
    for spared in houses:
        assert not forces(puzzle, [each for each in houses if each != spared], givens, target)
    for spared in givens:
        assert not forces(puzzle, houses, [each for each in givens if each != spared], target)


def test_reasons_are_those_of_python(tab):
    puzzle = Grid.parse(SMALL)
    answer = asked(tab, "why", puzzle, cell="r1c1")
    assert answer["short"] == pls.why(puzzle, "r1c1").short()
    removal = asked(tab, "why-not", puzzle, cell="r2c1", digit=2)["explanation"]
    assert len(removal["remove"]) == 1
    witness = Grid.from_rows(removal["witness"], puzzle.box)
    assert witness[2, 1] == 2
    assert witness.is_solution_of(puzzle.without(*placements(removal["remove"])))
    clash = asked(tab, "conflicts", Grid.parse("1.....1....2.2.3"))
    assert clash["short"].splitlines()[:2] == [
        "The puzzle has no solution, because these givens clash:",
        "  r2c3 = 1, r3c4 = 2 and r4c4 = 3",
    ]
    assert asked(tab, "conflicts", puzzle)["explanation"]["answer"] == "no clash"
    open_ = asked(tab, "ambiguity", Grid.parse(TWO))
    theirs = pls.ambiguity(TWO)
    assert open_["explanation"]["cells"] == theirs.to_json()["cells"]
    assert len(open_["explanation"]["extra"]) == len(theirs.extra) == 1
    assert open_["candidates"] == explained(theirs)["candidates"]


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line, number in COUNTS.items() if number > 1])
def test_what_several_solutions_leave_open(tab, line):
    answer = asked(tab, "ambiguity", Grid.parse(line))["explanation"]
    theirs = pls.ambiguity(line)
    assert answer["cells"] == theirs.to_json()["cells"]
    extra = placements(answer["extra"])
    assert pls.count(Grid.parse(line).with_(*extra)) == 1
    if answer["smallest"]:
        assert (answer["solutions"], len(extra)) == (COUNTS[line], len(theirs.extra))


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line, number in COUNTS.items() if not number])
def test_what_clashes_is_without_a_redundant_member(tab, line):
    answer = asked(tab, "conflicts", Grid.parse(line))["explanation"]
    clash = placements(answer["givens"])
    empty = Grid.parse("." * 81)
    assert pls.solve(empty.with_(*clash)) is None
    for spared in clash:
        assert pls.solve(empty.with_(*(each for each in clash if each != spared))) is not None


def entered(puzzle, digits):
    """The rows of the puzzle with these digits, by the names of their cells."""
    whole = puzzle.with_(*(placement({"cell": name, "digit": digits[name]}) for name in digits))
    return whole.to_json()


@pytest.mark.parametrize(
    ("line", "digits", "removed"),
    [
        (SMALL, {}, []),
        (SMALL, {"r1c4": 2}, []),
        (SMALL, {"r1c4": 1, "r1c2": 3}, []),
        (SMALL, {"r1c4": 2}, [("r1c3", 1), ("r1c2", 1)]),
        (TWO, {"r1c3": 3}, []),
        (TWO, {"r1c3": 1}, []),
        (TWO, {"r1c3": 3, "r1c4": 3}, []),
        ("................", {"r1c1": 1, "r2c2": 1, "r4c4": 2}, []),
        ("1.....1....2.2.3", {"r1c2": 2}, []),
    ],
)
def test_digits_are_checked_as_by_the_server(tab, line, digits, removed):
    puzzle = Grid.parse(line)
    entries = entered(puzzle, digits)
    marks = [{"cell": cell, "digit": digit} for cell, digit in removed]
    mine = asked(tab, "check", puzzle, entries=entries, removed=marks)
    assert mine == checking.check(Source(line), entries, removed, 60)


def test_the_page_shows_hints_and_steps_and_reasons(visit):
    page = visit(SMALL, "2x2")
    press(page, "Hint")
    message(page, str(pls.hint(SMALL)))
    press(page, "Do it")
    assert board(page)[3] == "2"
    press(page, "Steps")
    page.get_by_role("heading", name="11 steps: easy").wait_for()
    press(page, "Check")
    message(page, "So far so good: your digits lead to a solution.")
