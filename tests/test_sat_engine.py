"""The SAT engine: what is special about it; the tests of all engines say the rest."""

from __future__ import annotations

import sys
import threading
from importlib.util import find_spec
from itertools import count
from math import inf

import pytest
from helpers.command_line import invoke
from helpers.fakes import Liar
from helpers.kinds import PUZZLES, known
from helpers.oracle import assert_answers
from helpers.processes import PATIENCE
from helpers.programs import WASM
from helpers.puzzles import PRINTED, TWO
from helpers.puzzles import SMALL as UNIQUE
from helpers.ruled import SMALL_KILLER, SMALL_SOLUTION

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle, engines
from pylogic_sudoku.engines import registry
from pylogic_sudoku.engines.sudoku import choice
from pylogic_sudoku.engines.sudoku import sat as engine
from pylogic_sudoku.engines.sudoku.sat import HardSolver, LayoutSolver, SatBackend
from pylogic_sudoku.files import install_command
from pylogic_sudoku.puzzle.cells import Layout
from pylogic_sudoku.rules import KINDS, KillerCage, define

EMPTY = "." * 16


@pytest.fixture
def sat() -> SatBackend:
    return SatBackend()


def only_solver(sat: SatBackend, puzzle: Grid | Puzzle) -> LayoutSolver:
    (found,) = sat._shelf(puzzle.layout).idle
    return found


# --- one solver for many puzzles ---------------------------------------------------------


def test_nothing_of_one_puzzle_is_left_for_the_next(sat):
    marked = Puzzle(EMPTY, marks={"r1c1": {2}})
    for _ in range(3):
        assert sat.count(Grid.parse(EMPTY)) == 288
        assert sat.count(marked) == 72
        assert sat.solve(Grid.parse("11" + "." * 14)) is None
        assert sat.candidates(Grid.parse(TWO)) == pls.candidates(TWO)
        opened = sat.solutions(Grid.parse(EMPTY))
        assert len({next(opened) for _ in range(5)}) == 5
        opened.close()
        assert sat.count(Grid.parse(EMPTY), limit=7) == 7
    assert len(set(sat.solutions(Grid.parse(EMPTY)))) == 288
    assert sat._shelf.cache_info().currsize == 1


def test_a_solver_is_used_again_until_it_is_worn(sat, monkeypatch):
    grid = Grid.parse(UNIQUE)
    sat.solve(grid)
    first = only_solver(sat, grid)
    assert sat.count(grid) == 1
    assert only_solver(sat, grid) is first
    monkeypatch.setattr(engine, "WORN", 20)
    assert sat.count(Grid.parse(EMPTY)) == 288
    assert sat._shelf(grid.layout).idle == []
    assert sat.solve(grid)
    assert only_solver(sat, grid) is not first


def test_the_solvers_of_old_layouts_are_forgotten(sat):
    for digit in range(40):
        cells = [(digit // 4 % 4 + 1, digit % 4 + 1)]
        extra = KillerCage([*cells, (cells[0][0] % 4 + 1, cells[0][1])], digit // 16 + 4)
        sat.solve(Puzzle(EMPTY, rules=[extra]))
    assert sat._shelf.cache_info().currsize == 32


@pytest.mark.one_in(2)
@pytest.mark.parametrize("ask", ["count", "candidates"])
def test_a_search_out_of_time_leaves_a_sound_solver(sat, ask, monkeypatch, clock):
    def answers(self, *arguments):
        for answer in real(self, *arguments):
            yield answer
            clock.over = True
            assert self.stop.wait(PATIENCE)

    real = LayoutSolver.answers
    monkeypatch.setattr(LayoutSolver, "answers", answers)
    large = Grid((0,) * 16**2, (4, 4))
    with pytest.raises(pls.SolveTimeout):
        getattr(sat, ask)(large, timeout=60)
    solution = sat.solve(large)
    assert solution
    assert solution.is_solution_of(large)


def test_signals_reach_a_search_that_ends_in_pieces(sat, monkeypatch):
    monkeypatch.setattr(engine, "CONFLICTS", 1)
    for puzzle, solution in list(PRINTED.items())[:3]:
        assert str(sat.solve(Grid.parse(puzzle))) == solution
        assert sat.count(Grid.parse(puzzle)) == 1


# --- rules that clauses cannot say -------------------------------------------------------


@pytest.fixture
def whole():
    """A custom rule in Python alone, as far as this engine knows."""
    known = dict(KINDS)

    def holds(rule, digits):
        asked.append([digits[cell] for cell in rule.cells])
        return sum(digits[cell] for cell in rule.cells) == rule.values[0]

    asked: list[list[int]] = []
    made = define("whole", asp="kind(whole).", holds=holds)
    yield made, asked
    KINDS.clear()
    KINDS.update(known)


def test_such_a_rule_is_checked_and_learned_once(sat, whole, monkeypatch):
    monkeypatch.setattr("pylogic_sudoku.rules.clauses.MAX_TRIED", 0)
    made, asked = whole
    cells = [(row, row) for row in (1, 2, 3, 4)]
    puzzle = Puzzle(EMPTY, rules=[made(cells, [11])])
    expected = {
        grid for grid in pls.solutions(EMPTY) if sum(grid.rows[row][row] for row in range(4)) == 11
    }
    assert set(sat.solutions(puzzle)) == expected
    first = len(asked)
    assert first > len(expected)
    (learned,) = sat._shelf(puzzle.layout).learned.values()
    assert learned
    del asked[:]
    assert sat.count(puzzle) == len(expected) == len(asked)  # no broken grid is met again
    assert sat.candidates(puzzle) == SatBackend().candidates(puzzle)
    assert sat.consistent(puzzle.layout, [("cells",), (1, 1, 1), (2, 2, 1)])
    rule = ("rule", puzzle.rules[0])
    corner = [(n, n, 1) for n in (1, 2, 3)]
    assert not sat.consistent(puzzle.layout, [rule, *corner])
    assert sat.consistent(puzzle.layout, [("cells",), *corner])
    assert sat.consistent(puzzle.layout, [rule, (1, 1, 3), (2, 2, 3), (3, 3, 3)])


def test_a_rule_that_is_no_python_is_refused(sat, whole):
    made = define("program", asp="kind(program).")
    puzzle = Puzzle(EMPTY, rules=[made("r1c1")])
    with pytest.raises(pls.BackendFailure, match=r"sat cannot .* not written in Python; choose"):
        pls.solve(puzzle, "sat")
    for ask in (sat.solve, sat.count, sat.candidates):
        with pytest.raises(pls.BackendFailure, match="this rule is not written in Python"):
            ask(puzzle)
    assert engines.comparable(("clingo", "prolog", "sat"), puzzle) == ("clingo", "prolog")
    assert engines.comparable(("sat",), puzzle) == ("sat",)
    assert engines.comparable(("clingo", "sat"), puzzle) == ("clingo", "sat")
    assert engines.comparable(("clingo", "prolog", "sat"), Grid.parse(EMPTY))[2:] == ("sat",)


def test_an_error_in_a_rule_leaves_a_sound_solver(sat, whole, monkeypatch):
    monkeypatch.setattr("pylogic_sudoku.rules.clauses.MAX_TRIED", 0)
    made, _ = whole
    puzzle = Puzzle(EMPTY, rules=[made("r1c1", [])])  # no number to compare with
    for _ in range(2):
        with pytest.raises(IndexError):
            sat.count(puzzle)
    assert sat.count(Grid.parse(EMPTY)) == 288


def test_an_explanation_is_checked(whole):
    explanation = pls.why(UNIQUE, "r2c1")
    explanation.verify("sat")
    with pytest.raises(ValueError, match="has no"):
        choice.get("sat").consistent(Layout((2, 2)), [("at_most_once", "row", 5, 1)])


# --- hard puzzles ------------------------------------------------------------------------


@pytest.fixture
def own(monkeypatch) -> list[HardSolver]:
    """The solvers that were made for one hard question."""
    made = []
    real = HardSolver.__init__

    def noted(self, *inputs):
        made.append(self)
        real(self, *inputs)

    monkeypatch.setattr(HardSolver, "__init__", noted)
    return made


@pytest.fixture
def hard(monkeypatch, own) -> list[HardSolver]:
    """The same, if every question is hard."""
    monkeypatch.setattr(engine, "HARD", 0)
    return own


@pytest.mark.one_in(6)
@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
def test_every_question_has_the_same_answer_if_it_is_hard(sat, hard, puzzle):
    assert_answers(puzzle, known(puzzle), backend=sat)
    assert len(hard) == 7


def test_a_hard_question_about_rules_has_the_same_answer(sat, hard):
    layout = SMALL_KILLER.layout
    rules = [("cells",), *(("rule", rule) for rule in SMALL_KILLER.layout.rules)]
    given = (1, 1, int(SMALL_SOLUTION[0]))
    assert sat.consistent(layout, [*rules, given])
    assert sat.consistent(layout, [(1, 1, 1), (1, 1, 2), (1, 2, 1)])
    assert not sat.consistent(layout, [*rules, given, ("excluded", *given)])
    assert len(hard) == 3


def test_such_rules_are_learned_for_hard_questions_too(sat, hard, whole, monkeypatch):
    monkeypatch.setattr("pylogic_sudoku.rules.clauses.MAX_TRIED", 0)
    made, asked = whole
    puzzle = Puzzle(EMPTY, rules=[made([(1, 1), (2, 2)], [5])])
    number = sat.count(puzzle)
    assert len(asked) > number > 0
    del asked[:]
    assert sat.count(puzzle) == len(asked) == number
    assert len(hard) == 2


def test_a_question_of_many_conflicts_is_hard(sat, own, monkeypatch):
    monkeypatch.setattr(engine, "CONFLICTS", 81)  # one at a time
    monkeypatch.setattr(engine, "HARD", 2)
    line, answer = list(PRINTED.items())[1]
    assert list(map(str, sat.solutions(Grid.parse(line)))) == [answer]
    assert len(own) == 1


@pytest.mark.parametrize("after", [0, 1, 5, 287])
def test_no_answer_comes_twice_if_a_later_one_is_hard(sat, own, monkeypatch, after):
    def hard_later(self, assumed):
        if type(self) is LayoutSolver and next(asked) == after:
            raise engine.Hard
        return real(self, assumed)

    real = LayoutSolver.solve
    monkeypatch.setattr(LayoutSolver, "solve", hard_later)
    asked = count()
    solutions = list(sat.solutions(Grid.parse(EMPTY)))
    assert len(solutions) == len(set(solutions)) == 288
    asked = count()
    assert sat.count(Grid.parse(EMPTY)) == 288
    assert len(own) == 2


def test_with_many_answers_it_goes_on_as_it_is(sat, own, monkeypatch):
    monkeypatch.setattr(engine, "CONFLICTS", 1)
    monkeypatch.setattr(engine, "HARD", 2)
    grid = Grid.parse(EMPTY)
    with sat.borrowed(grid, threading.Event()) as borrowed:
        answers = borrowed.answers(engine.assumptions(grid), engine.negated)
        for _ in range(3):
            next(answers)
            assert borrowed.max_conflicts == 2
        next(answers)
        assert borrowed.max_conflicts == inf
        answers.close()
    with sat.borrowed(grid, threading.Event()) as borrowed:
        assert borrowed.max_conflicts == 2


def test_a_time_limit_holds_for_a_hard_question(sat, hard, monkeypatch, clock):
    def answers(self, *arguments):
        for answer in real(self, *arguments):
            yield answer
            clock.over = True

    real = HardSolver.answers
    monkeypatch.setattr(HardSolver, "answers", answers)
    with pytest.raises(pls.SolveTimeout) as caught:
        sat.count(Grid.parse("." * 81), timeout=60)
    assert caught.value.found > 0
    assert sat.count(Grid.parse(EMPTY)) == 288
    assert len(hard) == 2


@pytest.mark.slow
def test_an_empty_grid_is_not_hard_because_it_is_large(sat, own):
    assert sat.solve(Grid((0,) * 25**2, (5, 5)))
    assert sat.solve(Grid.parse(next(iter(PRINTED))))
    assert own == []


# --- it is optional ----------------------------------------------------------------------


@pytest.fixture
def missing(monkeypatch):
    """As if python-sat were not installed."""
    there = find_spec
    monkeypatch.setattr(registry, "find_spec", lambda name: name != "pysolvers" and there(name))
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    for name in [
        name for name in sys.modules if name.startswith("pylogic_sudoku.engines.sudoku.sat")
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(choice, "_engines", {})


def test_without_it_the_others_are_all(missing):
    assert "sat" not in choice.names()
    with pytest.raises(pls.BackendUnavailable) as caught:
        pls.solve(UNIQUE, "sat")
    assert caught.value.fix == f"Install it: {install_command('sat')}"
    with pytest.raises(pls.BackendUnavailable, match="Choose one of clingo, prolog"):
        pls.solve(UNIQUE, "none-such")
    with pytest.raises(pls.BackendUnavailable, match=r"Choose clingo or prolog\."):
        pls.why(UNIQUE, "r2c1").verify(Liar([]))


def test_without_it_the_commands_say_so(missing, command):
    done = invoke("doctor")
    assert done.exit_code == 0
    assert "missing, optional" in done.stdout
    assert "\nsat: the sat engine needs python-sat, which cannot be imported: " in done.stdout
    code, out, err = command("solve", "-b", "sat", UNIQUE)
    assert (code, out) == (3, "")
    assert f"Install it: {install_command('sat')}\n" in err
    done = invoke("solve", "-b", "all", "--time", UNIQUE)
    assert done.exit_code == 0
    agree = "All 3 engines agree." if WASM else "Both engines agree."
    assert done.stderr.endswith(f"{agree}\n")


def test_with_it_doctor_lists_it():
    info = pls.backends()[2]
    assert (info.name, info.engine, info.available, info.optional) == ("sat", "CaDiCaL", True, True)
    assert [each.optional for each in pls.backends()[:2]] == [False, False]
    done = invoke("solve", "-b", "all", "--time", UNIQUE)
    assert done.stderr.endswith(f"All {3 + len(WASM)} engines agree.\n")
    assert "\nsat (CaDiCaL) " in done.stderr
