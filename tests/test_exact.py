"""Programs on which an engine by itself has wrong answers have the right ones on every road."""

from __future__ import annotations

import random

import pytest
from helpers.oracle import all_solutions, assert_answers
from helpers.problems import CLPFD, written
from helpers.programs import need_sandbox
from helpers.puzzles import TWO
from helpers.serving import asked

import pylogic_sudoku as pls
from benchmarks.fuzz.conjunctions import Conjunction
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.check import grade
from pylogic_sudoku.mcp import Tools
from pylogic_sudoku.questions.comparison import instances_by_size
from pylogic_sudoku.reasons.refusal import refusal
from pylogic_sudoku.rules import LockoutLine, define

SLOW = pytest.mark.slow

# --- tuples_in/2 of library(clpfd): a tuple that is in no row ---

REPEATED = "tuples_in([[A,A]], [[0,1],[2,0]])"
"""By itself, A is 0."""
POSTED = "[A,B] ins 0..3, A + B #= 3, tuples_in([[A,B]], [[1,1],[1,3]])"
"""By itself, A is 1 and B is 2."""
ROWS = """
{ p(1,0..3) } = 1. { p(2,0..3) } = 1.
:- p(1,A), p(2,B), (A,B) != (1,1), (A,B) != (1,3).
:- p(1,A), p(2,B), A+B != 3.
#show p/2.
"""
NONE = [
    pytest.param(f"[A,B] ins 0..3, B #= A, {REPEATED}", id="repeated"),
    pytest.param(POSTED, id="posted"),
    pytest.param(f"[A,B] ins 0..3, T #<==> {REPEATED}, T = 1", id="reified"),
]
"""Goals without an answer."""
SUDOKU_PL = """
:- use_module(library(clpfd)).
sudoku(Rows) :-
    append(Rows, Cells), Cells ins 1..4,
    Rows = [[A1,B1,C1,D1],[A2,B2,C2,D2],[A3,B3,C3,D3],[A4,B4,C4,D4]],
    transpose(Rows, Columns),
    append([Rows, Columns, [[A1,B1,A2,B2],[C1,D1,C2,D2],[A3,B3,A4,B4],[C3,D3,C4,D4]]], Houses),
    maplist(all_distinct, Houses),
    A1 + B1 #= 5,
    tuples_in([[A1,B1]], [[1,2],[1,3]]),
    label(Cells).
"""
"""No grid."""


@pytest.mark.parametrize("goal", NONE)
def test_a_tuple_of_an_answer_is_a_row(tmp_path, goal):
    program = f"{CLPFD}model([p(1)-A, p(2)-B]) :- {goal}.\n"
    problem = written(tmp_path / "tuples", tuples_pl=program)
    assert pls.count(problem.instance(""), "prolog") == 0


def test_a_tuple_of_the_best_answer_is_a_row(tmp_path):
    program = f"{CLPFD}model([p(1)-A, p(2)-B], A) :- {POSTED}.\n"
    problem = written(tmp_path / "tuples", tuples_pl=program)
    assert pls.solve(problem.instance(""), "prolog") is None


def test_rows_give_the_answers_of_clingo(tmp_path):
    program = f"{CLPFD}model([p(1)-A, p(2)-B]) :- {POSTED.replace('#= 3', '#= 4')}.\n"
    rows = ROWS.replace("!= 3", "!= 4")
    problem = written(tmp_path / "tuples", tuples_lp=rows, tuples_pl=program)
    answers = [list(pls.solutions(problem.instance(""), each)) for each in ("clingo", "prolog")]
    assert [[str(each) for each in some] for some in answers] == [["p(1,1). p(2,3)."]] * 2


def test_a_tuple_of_a_grid_is_a_row(tmp_path):
    program = tmp_path / "mine.pl"
    program.write_text(SUDOKU_PL, "utf-8")
    assert pls.count(Grid.parse("." * 16), f"prolog:{program}") == 0


def test_a_tuple_of_a_custom_rule_is_a_row():
    clause = """
rule(rows, Fields, Grid) :-
    cells(Fields, Grid, [A,B]),
    A + B #= 5,
    tuples_in([[A,B]], [[1,2],[1,3]]).
"""
    puzzle = Puzzle("." * 16, rules=[define("rows", prolog=clause)("r1c1 r1c2")])
    assert pls.count(puzzle, "prolog") == 0


def test_a_graded_program_has_rows_as_tuples(tmp_path):
    problem = written(tmp_path / "tuples", tuples_lp=ROWS)
    mine = tmp_path / "mine.pl"
    mine.write_text(f"{CLPFD}model([p(1)-A, p(2)-B]) :- {POSTED}.\n", "utf-8")
    (found,) = grade(mine, [""], problem=problem)
    assert found.passed
    assert not found.answers


def test_a_graded_sudoku_has_rows_as_tuples(tmp_path):
    mine = tmp_path / "mine.pl"
    goals = f"Rows = [[A,B|_]|_], {POSTED}, maplist(maplist(=(1)), Others)"
    mine.write_text(f"{CLPFD}sudoku(Rows) :- Rows = [_|Others], {goals}.\n", "utf-8")
    instance = tmp_path / "impossible.lp"
    instance.write_text(Grid.parse("............11..").format("facts"), "utf-8")
    (found,) = grade(mine, instance)
    assert found.passed
    assert not found.answers


# --- quotients by negative numbers in library(clpfd), whose solutions were lost ---

A, B, C = (("var", at) for at in range(3))
SIGNS = (-4, -3, -2, -1, 1, 2, 3)
LOST = [
    Conjunction(((0, 3), (0, 0), (0, 0)), (("#\\=", -1, ("div", A, -2)),)),
    Conjunction(((0, 9), (0, 0), (0, 0)), (("#\\=", ("//", A, -3), -1), ("#=", A, 6))),
]
"""By itself, clpfd has not all of their solutions."""


def random_division(rng: random.Random) -> Conjunction:
    """A comparison with a quotient or a remainder of small numbers, one in three reified."""
    starts = [rng.randint(-7, 3) for _ in range(3)]
    domains = tuple((low, low + rng.randint(0, 6)) for low in starts)
    by = rng.choice((*SIGNS, B))
    divided = (rng.choice(("//", "div", "mod", "rem")), rng.choice((A, rng.randint(-9, 9))), by)
    value = rng.choice((C, rng.randint(-3, 3)))
    compared = (rng.choice(("#=", "#\\=", "#<", "#>=")), value, divided)
    held = rng.choice((("not", compared), ("#<==>", ("#=", C, 1), compared), compared))
    hole = ("#\\=", rng.choice((A, B, C)), rng.randint(-2, 2))
    return Conjunction(domains, tuple(rng.sample((held, hole), 2)))


def divisions(cases: list[Conjunction]) -> str:
    """A program whose answers are the solutions of all cases."""
    goals = (
        f"answer([p({at},A,B,C)]) :- {', '.join(case.goals)}, label({case.variables}).\n"
        for at, case in enumerate(cases)
    )
    return CLPFD + "".join(goals)


@pytest.mark.parametrize("cases", [100, pytest.param(3000, marks=SLOW)])
def test_divisions_have_the_solutions_of_all_values(tmp_path, cases):
    rng = random.Random(cases)
    every = [*LOST, *(random_division(rng) for _ in range(cases))]
    problem = written(tmp_path / "divisions", divisions_pl=divisions(every))
    found = [str(each) for each in pls.solutions(problem.instance(""), "prolog")]
    expected = [
        f"p({at},{a},{b},{c})." for at, case in enumerate(every) for a, b, c in case.answers()
    ]
    assert sorted(found) == sorted(expected)


@SLOW
def test_a_graded_program_divides_by_negative_numbers(tmp_path):
    text = "{ p(0..3) } = 1. :- p(1..2). #show p/1.\n"
    problem = written(tmp_path / "divided", divided_lp=text)
    mine = tmp_path / "mine.pl"
    mine.write_text(f"{CLPFD}model([p-A]) :- A in 0..3, -1 #\\= A div -2.\n", "utf-8")
    (found,) = grade(mine, [""], problem=problem)
    assert found.passed
    assert found.answers == 2


# --- lockout lines, which were stated by tuples_in/2 ---

LOCKED_OUT = [
    ((2, 2), "....4..1..13....", "r2c2 r1c3 r2c1 r4c4"),
    ((1, 4), "..1..2...1......", "r4c1 r3c3 r2c3 r4c2"),
]


@pytest.mark.parametrize(("box", "text", "line"), LOCKED_OUT, ids=[1, 2])
def test_a_lockout_line_has_no_digit_of_its_ends(box, text, line):
    puzzle = Puzzle(Grid.parse(text, box=box), rules=[LockoutLine(line, difference=1)])
    assert not [grid for grid in all_solutions(puzzle.grid) if puzzle.holds(grid)]
    assert pls.count(puzzle, "prolog") == 0


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(10, 3000), marks=SLOW)], ids=len)
@pytest.mark.parametrize("box", [(2, 2), (1, 4), (4, 1)])
def test_lockout_lines_have_the_grids_of_the_oracle(box, seeds):
    full = list(all_solutions(Grid.parse("." * 16, box=box)))
    for seed in seeds:
        rng = random.Random(f"{box} {seed}")
        grid = rng.choice(full)
        line = rng.sample(grid.cells, rng.randint(2, 5))
        if rng.random() < 0.2:
            line.insert(1, rng.choice(line))  # a cell may be there twice
        givens = [(*cell, grid[cell]) for cell in rng.sample(grid.cells, rng.randint(2, 4))]
        rule = LockoutLine(line, difference=rng.randint(1, 2))
        puzzle = Puzzle(Grid.parse("." * 16, box=box).with_(*givens), rules=[rule])
        expected = {each for each in full if puzzle.holds(each)}
        assert_answers(puzzle, expected, backend="prolog")


# --- clingo's simplifications: atoms that only derive each other ---

CIRCLE = "c :- f, not 1 { not f }.  f :- c.  f :- e.  { e }.\n"
"""Its answers are {} and {e,f,c}; by its default, clingo also has {f,c}."""
SHOWN = f"{CIRCLE}p(0) :- not f.  p(1) :- f, not e.  p(2) :- e.\n#show p/1.\n"
P = [pls.Atom("p", (number,)) for number in range(3)]
RIGHT = {pls.Answer([P[0]]), pls.Answer([P[2]])}
CHOICE = "{ p(0); p(2) } = 1.\n#show p/1.\n"
GRIDS = f"""
digit(1..4).
{{ x(X,Y,N) : digit(N) }} = 1 :- digit(X), digit(Y).
:- x(X,Y,N), x(X,B,N), Y != B.
:- x(X,Y,N), x(A,Y,N), X != A.
:- x(X,Y,N), x(A,B,N), (X,Y) != (A,B), (X-1)/2 = (A-1)/2, (Y-1)/2 = (B-1)/2.
:- initial(X,Y,N), not x(X,Y,N).
sudoku(X,Y,N) :- x(X,Y,N).
{CIRCLE}
"""


@pytest.fixture
def circle(tmp_path) -> pls.Problem:
    return written(tmp_path / "circle", circle_lp=SHOWN)


def test_a_program_has_its_answers(circle):
    instance = circle.instance("")
    assert set(pls.solutions(instance, "clingo")) == RIGHT
    assert (pls.count(instance, "clingo"), pls.candidates(instance, "clingo")) == (2, {P[0], P[2]})
    assert next(iter(pls.solve_many([instance], "clingo"))) in RIGHT


def test_an_answer_that_is_none_is_not_confirmed(tmp_path):
    prolog = "answer([p(0)]).\nanswer([p(1)]).\nanswer([p(2)]).\n"
    problem = written(tmp_path / "circle", circle_lp=SHOWN, circle_pl=prolog)
    found = pls.compare(problem.instance(""), limit=None)
    assert found.answers["clingo"].solutions == RIGHT
    assert found.answers["prolog"].solutions == RIGHT | {pls.Answer([P[1]])}
    assert refusal(problem.instance(""), pls.Answer([P[1]]), "clingo").lines


def test_instances_are_the_answers_of_their_program(tmp_path):
    problem = written(tmp_path / "circle", circle_lp=CHOICE, instances_lp=SHOWN)
    assert {str(each) for each in instances_by_size(problem)} == {"p(0).", "p(2)."}


def test_a_program_on_a_puzzle_has_its_answers(tmp_path):
    program = tmp_path / "mine.lp"
    first = "digit(1,2) :- not f.  digit(1,3) :- c, not e.  digit(1,4) :- e.\n"
    program.write_text(f"{GRIDS}{first}:- digit(1,N), not x(1,1,N).\n", "utf-8")
    puzzle = Grid.parse("....1.....1.....")
    expected = {grid for grid in all_solutions(puzzle) if grid[1, 1] in (2, 4)}
    assert set(pls.solutions(puzzle, f"clingo:{program}")) == expected
    assert pls.count(puzzle, f"clingo:{program}") == len(expected) == 12
    assert pls.candidates(puzzle, f"clingo:{program}")[0][0] == {2, 4}


def test_a_graded_sudoku_has_its_answers(tmp_path):
    program = tmp_path / "mine.lp"
    program.write_text(f"{GRIDS}sudoku(1,1,4) :- c, not e.\n", "utf-8")
    instance = tmp_path / "two.lp"
    instance.write_text(Grid.parse(TWO).format("facts"), "utf-8")
    (found,) = grade(program, instance)
    assert (found.passed, found.answers) == (True, 2)


@pytest.mark.parametrize(("mine", "theirs"), [(SHOWN, CHOICE), (CHOICE, SHOWN)])
def test_a_graded_program_has_its_answers(tmp_path, mine, theirs):
    problem = written(tmp_path / "circle", circle_lp=theirs)
    program = tmp_path / "mine.lp"
    program.write_text(mine, "utf-8")
    (found,) = grade(program, [""], problem=problem)
    assert (found.passed, found.answers) == (True, 2)


def test_an_agent_gets_the_answers():
    found = Tools("auto").solve(program=SHOWN)
    assert {str(each["atoms"]) for each in found["answers"]} == {"[['p', 0]]", "[['p', 2]]"}


@pytest.fixture
def page(request):
    """The JSON API of a server that runs these programs."""
    need_sandbox()
    return request.getfixturevalue("strangers")


@pytest.mark.slow
def test_the_page_has_the_answers(page):
    found = asked(page, "solve", texts={"clingo": SHOWN}, limit=9)
    assert {tuple(each["atoms"]) for each in found["solutions"]} == {("p(0)",), ("p(2)",)}


@pytest.mark.slow
def test_the_page_runs_a_changed_program(page):
    files = {"programs/cardinality.lp": f"{GRIDS}sudoku(1,1,4) :- c, not e.\n"}
    found = asked(page, "run", puzzle=TWO, engine="clingo:cardinality", files=files)
    assert (found["outcome"], len(found["grids"]), found["wrong"]) == ("success", 2, 0)
