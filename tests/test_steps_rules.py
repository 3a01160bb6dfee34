"""Steps of puzzles with rules beyond plain sudoku."""

from __future__ import annotations

from itertools import chain

from helpers.oracle import dig, full_grid
from helpers.ruled import KILLER, SMALL_KILLER
from test_explain_rules import CAGE, LINE, TWO_RULES, verified

import pylogic_sudoku as pls
from pylogic_sudoku import Puzzle
from pylogic_sudoku.engines import get
from pylogic_sudoku.engines.clingo.rulebook import Session
from pylogic_sudoku.rules import KillerCage, Maximum, Minimum


def test_a_step_names_the_rule_that_it_needs():
    step = pls.hint(TWO_RULES)
    assert step.technique == ("one rule" if step.rules[0].beyond == LINE else "cage combinations")
    assert " this goes: " in str(step)
    assert [rule.beyond in (CAGE, LINE) for rule in step.rules] == [True]
    assert step.weight == 50
    assert step.to_json()["rules"] == [step.rules[0].beyond.to_json()]
    labels = [highlight.label for highlight in step.picture().highlights]
    assert str(step.rules[0].beyond) in labels
    verified(step)


def test_a_killer_is_solved_step_by_step():
    grid = full_grid((2, 3), 5)
    cages = [grid.cells[at : at + 3] for at in range(0, 36, 3)]
    several = [KillerCage(cells, sum=sum(grid[cell] for cell in cells)) for cells in cages]
    puzzle = Puzzle(dig(grid, 9, 23), rules=several)
    assert list(pls.solutions(puzzle, limit=2)) == [grid]
    way = pls.steps(puzzle)
    taken = list(way)
    assert way.grid == grid
    assert {"cage combinations", "naked single"} <= {step.technique for step in taken}
    assert any(rule.beyond for rule in chain(*(step.rules for step in taken)))
    for step in taken:
        if any(rule.beyond for rule in step.rules):
            verified(step)
    assert pls.rate(puzzle).number == sum(step.weight for step in taken)


def test_the_first_hint_asks_few_questions(monkeypatch):
    """The rules of a killer are asked together, and no technique that cannot apply."""
    asked = []
    ask = Session.ask

    def counting(self, *arguments):
        asked.append(arguments)
        return ask(self, *arguments)

    monkeypatch.setattr(Session, "ask", counting)
    step = pls.hint(KILLER)
    assert len(step.removed) >= 12
    assert len(asked) < 30
    verified(step)


def test_rules_that_name_no_common_cell_may_be_linked():
    """Each removal follows from the one rule that is named, whatever others say of its cells."""
    puzzle = Puzzle("." * 16, rules=[Minimum("r1c1"), Maximum("r1c3")])  # r1c2 is between them
    taken = list(pls.steps(puzzle))
    assert taken[0].technique == "one rule"
    for step in taken:
        if any(rule.beyond for rule in step.rules):
            verified(step)


def test_one_rule_comes_before_pairs():
    """It weighs less."""
    way = [(step.technique, len(step.rules)) for step in pls.steps(SMALL_KILLER)]
    pairs = [at for at, (name, _) in enumerate(way) if name.endswith("pair")]
    assert way.index(("cage combinations", 1)) < min(pairs, default=len(way))


def test_in_an_explanation_a_cell_that_holds_one_digit_reaches_no_more():
    """Said of the cells that hold one digit, it helps the search; of others it would be wrong."""
    layout = Puzzle("." * 16, rules=[CAGE]).layout
    two = [(1, 1, 1), (1, 1, 2)]
    engine = get("clingo")
    assert engine.consistent(layout, [("filled", 1, 1)], two, [])
    assert not engine.consistent(layout, [("single", 1, 1)], two, [])
