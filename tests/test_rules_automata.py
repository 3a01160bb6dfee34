"""Lines that an automaton accepts: expressions, automata in several forms, and their texts."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest
from helpers.oracle import assert_answers, full_grid
from helpers.rule_instances import EVERY, a_rule

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, InvalidPuzzle, Puzzle, rules
from pylogic_sudoku.puzzle.cells import Layout
from pylogic_sudoku.rules import Automaton, Digits

LINE = "r1c1 r1c2 r1c3 r1c4"
EXPRESSIONS = [
    *("1234", "....", "[12]{2}[34]*", "(12|34)+", "(1|2|3.)*", ".*12.*", "([^1]1?)+", "1?2?3?4?.?"),
    *(
        "(1?2?){2}.{2}",
        "((1|2)*|3)*",
        "(.{2}){2}",
        "[1-3]{3,}.",
        "[^23-4]+|4{4}",
        "(|1)(|2)..",
        "1{0}.",
    ),
    *(
        "(12?){2,3}",
        "((1*2*)*3*)*",
        "(1{2}){2}",
        "[^1]{1,2}[^2]+",
        "(1.|.1){1,}",
        "1**2+?3{1}{2}4*",
    ),
]


def accepted(regex: str, length: int) -> set[tuple[int, ...]]:
    """The words of this length that the rule accepts."""
    cells = rules.row(1, 4)[:length]
    layout = Layout((2, 2))
    try:
        rule = Automaton(cells, regex)
        rule.check(layout)
    except InvalidPuzzle:
        return set()
    words = product(range(1, 5), repeat=length)
    return {word for word in words if rule.holds(Digits((*word, *[0] * (16 - length)), layout))}


def matching(regex: str, length: int) -> set[tuple[int, ...]]:
    """Those that match, in Python's own expressions."""
    known = re.compile(regex.replace("**", "*").replace("+?", "*").replace("{1}{2}", "{2}"))
    words = product(range(1, 5), repeat=length)
    return {word for word in words if known.fullmatch("".join(map(str, word)))}


@pytest.mark.parametrize("regex", EXPRESSIONS)
def test_an_expression_accepts_what_it_accepts_in_python(regex):
    for length in range(1, 5):
        assert accepted(regex, length) == matching(regex, length)


def expression(rng: random.Random, depth: int) -> str:
    """Some expression, of less and less depth."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["1", "2", "3", ".", "[12]", "[^2]", "[^1-3]"])
    one, other = expression(rng, depth - 1), expression(rng, depth - 1)
    most = rng.randint(1, 3)
    forms = [
        "{0}{1}",
        "{0}{1}",
        "({0}|{1})",
        "({0})*",
        "({0})?",
        "({0})+",
        "({0}|){1}",
        "({0}){{1,}}",
    ]
    forms.append(f"({{0}}){{{{{rng.randint(0, most)},{most}}}}}")
    return rng.choice(forms).format(one, other)


def test_random_expressions_accept_what_they_accept_in_python():
    rng = random.Random(1)
    for _ in range(300):
        regex = expression(rng, 4)
        length = rng.randint(1, 4)
        assert accepted(regex, length) == matching(regex, length), regex


def test_repetitions_are_counted_and_not_copied():
    """Only states that a line reaches are made."""
    rule = Automaton("r1c1 r1c2 r1c3", "((.{0,100000}){0,100000}){0,100000}")
    assert len(rule.arcs) < 20
    long = Automaton(rules.row(1, 9), ".*5.{6}")
    assert long.holds(Digits(full_grid((3, 3), 1).digits, Layout((3, 3)))) is not None


def test_digits_over_9_are_letters_and_blanks_are_ignored():
    grid = full_grid((3, 4), 1)
    cells = sorted(rules.row(1, 12), key=lambda cell: grid[cell])[9:]
    puzzle = Puzzle(grid.without(*cells), rules=[Automaton(cells, " a [B-b] (c|1)\n")])
    assert puzzle.rules[0] == Automaton(cells, "a[B-b](c|1)")
    assert pls.solve(puzzle) == pls.solve(puzzle, "prolog") == grid


SUM = [(at, digit, (at + digit) % 3) for at in range(3) for digit in range(1, 5)]
GUESS = [(0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 0, 1), (1, 2, 2), (2, 0, 2), (2, 3, 2), (2, 3, 1)]
AUTOMATA = [
    a_rule("automaton", "r1c1 r2c3 r4c4", start=[0], accepting=[0], arcs=SUM),
    a_rule("automaton", "r1c1 r2c3 r4c4", start=[0, 0, 2], accepting=[1, 1], arcs=SUM + SUM),
    a_rule("automaton", "r1c1 r2c3 r4c4 r3c2", start=[0], accepting=[1, 2], arcs=GUESS),
    a_rule("automaton", "r1c1 r2c3 r1c1 r3c2", start=[0], accepting=[2], arcs=GUESS),
    a_rule("automaton", "r1c1", start=[-5], accepting=[7], arcs=[(-5, 2, 7), (7, 1, -5)]),
    a_rule("automaton", "r1c1 r1c2 r1c1", regex="(1|2.|.)*"),
    a_rule("automaton", "r2c2 r3c3 r2c2", regex="(.)*[12](1|4)"),
]


@pytest.mark.one_in(6, 4)
@pytest.mark.parametrize("rule", AUTOMATA)
def test_each_solution_is_found_once_however_many_ways_lead_to_it(rule, backend):
    two = a_rule("contains", "r1c1", digits=[2])
    for each in (rule, a_rule("any_of", options=[[rule], [two]])):
        puzzle = Puzzle("." * 16, rules=[each])
        expected = {grid for grid in EVERY if puzzle.holds(grid)}
        assert 0 < len(expected)
        assert_answers(puzzle, expected, backend=backend)


def test_in_words_it_is_its_name_its_expression_or_its_size():
    assert str(Automaton("r1c1 r1c2", "1.")) == "automaton (1.) at r1c1 and r1c2"
    named = Automaton("r1c1 r1c2", "1.", name="One")
    assert str(named) == "automaton (One, 1.) at r1c1 and r1c2"
    given = named.to_json()
    assert given == a_rule("automaton", ["r1c1", "r1c2"], regex="1.", name="One")
    assert rules.from_json(given) == named
    arcs = Automaton("r1c1", start=[0], accepting=[1], arcs=[(0, 1, 1)])
    assert str(arcs) == "automaton (2 states) at r1c1"


def test_a_rule_that_is_broken_early_is_known_with_cells_empty():
    puzzle = Puzzle("21" + "." * 14, rules=[Automaton(LINE, "[12]{2}..|2.*")])
    assert list(rules.base.broken_rules(puzzle)) == []
    assert list(rules.base.broken_rules(puzzle.with_(r1c1=3))) == [*puzzle.rules]


def test_others_are_the_digits_that_no_arc_from_the_same_state_names():
    arcs = [(0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 4, 2)]
    rule = Automaton("r1c1 r1c2", start=[0], accepting=[1], arcs=arcs)
    found = {(a, b) for a, b in product(range(1, 5), repeat=2) if holds(rule, a, b)}
    assert found == {(1, 2), (1, 3), (1, 4), *product((2, 3, 4), (1, 2, 3))}


def holds(rule: rules.Rule, *digits: int) -> bool:
    return rule.holds(Digits((*digits, *[0] * (16 - len(digits))), Layout((2, 2))))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".Regex~WzEy~R1C1", ".Regex: automaton: regex: this set has no end at character 1 of"),
        (".Regex~*~R1C1", ".Regex: the expression '*' is not in base 64"),
        (".Regex~WzEyXSozLj8", ".Regex: there are no cells"),
        (".Regex~WzEyXSozLj8~X", ".Regex: 'X' is not a cell of the grid"),
        (".NFA~!~R1C1", ".NFA: the automaton '!' is not in base 64"),
        (".NFA~~R1C1", ".NFA: the automaton ends too soon"),
        (".NFA~____~R1C1", ".NFA: the automaton has the format 3; expected 0 or 1"),
        (".NFA~RNPsPw3j~R1C1", ".NFA: the automaton ends too soon"),
        (".NFA~RNPsPw3jAA", ".NFA: there are no cells"),
        (".NFA~RNPsPw3jAA~R1C1~R0C1", ".NFA: R0C1 is not a cell of a 9x9 grid"),
    ],
)
def test_wrong_automata_of_iss_are_refused(text, message):
    with pytest.raises(InvalidPuzzle, match=re.escape(message)):
        Puzzle.parse(text)


@pytest.mark.parametrize("text", [".Regex~MTI~R1C1", ".NFA~RNPsPw3jAA~R1C1~-~R1C2"])
def test_automata_of_iss_that_accept_nothing_have_no_solution(text, own_engine):
    puzzle = Puzzle.parse(text)
    assert pls.solve(puzzle, own_engine) is None
    (alone,) = pls.conflicts(puzzle).members
    assert str(alone).startswith("automaton")
    assert Puzzle.parse(puzzle.format("facts")) == puzzle


def test_automata_of_iss_have_their_names():
    puzzle = Puzzle.parse(".NFA~RNPsPw3jAA~R1C1~_A%20sum~R1C2~R1C3~~R4C4~_B~R7C7")
    assert isinstance(puzzle, Puzzle)
    assert [(str(each.cells[0]), each.name) for each in puzzle.rules] == [
        *(("r1c1", ""), ("r1c2", "A sum"), ("r4c4", "A sum"), ("r7c7", "B"))
    ]
    assert pls.solve(Puzzle(Grid.parse("." * 81), rules=puzzle.rules)) is not None
