"""Why, why not, conflicts and ambiguity, compared with every grid and every set of demands.

The puzzles are plain, or have regions and marks, or rules of each kind beyond plain sudoku.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from random import Random

import pytest
from helpers.fakes import Liar
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import EMPTY, PRINTED, REFUTED, SEVERAL
from helpers.ruled import CAGE, KILLER, LINE, TWO_RULES, verified
from helpers.rules import MAKERS
from test_steps import check_simplest, walk

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Placement, Puzzle
from pylogic_sudoku.engines.sudoku import get
from pylogic_sudoku.explain import Clash, Forced, Given, Open, Solvable
from pylogic_sudoku.explain.cell import refute_placement
from pylogic_sudoku.rules import KINDS, Digits, Rule, Thermometer
from pylogic_sudoku.rules.demands import CELLS, exclusions, mark_sentences, rules
from pylogic_sudoku.running.workers import Budget

# The instances and queries of a published example of explaining sudoku.
FOUR = Grid.parse("1.....1....2.2..")
NINE = Grid.parse(
    "...7.96.....631.....9.28.....348....8.....7...76...8..4.597....6273.4....9..56..."
)
ONE = "4......3...13..."
"""4x4 with one solution."""
SMALL = "1112122233343444"
"""Four regions of a 4x4 grid."""


# --- puzzles of 4x4 --------------------------------------------------------------------------


def some_puzzles(number: int) -> list[Grid]:
    """4x4 puzzles with five to nine givens, most of them without a solution."""
    choose = Random(3)
    found = []
    for seed in range(number):
        cells = list(dig(full_grid((2, 2), seed), 5 + seed % 5, seed).digits)
        for at in choose.sample([at for at in range(16) if cells[at]], 2 if seed % 4 else 0):
            cells[at] = choose.randint(1, 4)
        found.append(Grid(tuple(cells), (2, 2)))
    return found


def marked_puzzle(seed: int, kept: int, marked: int, regions: str | None = SMALL) -> Puzzle:
    """A 4x4 puzzle with solutions, and as many givens and marks."""
    choose = Random(seed)
    empty = Puzzle(Grid((0,) * 16, (2, 2)), regions)
    solution = choose.choice(list(all_solutions(empty)))
    cells = choose.sample(solution.cells, kept + marked)
    marks = {cell: {solution[cell], choose.randint(1, 4)} for cell in cells[kept:]}
    return Puzzle(Grid.of([(*c, solution[c]) for c in cells[:kept]], (2, 2)), regions, marks)


def random_puzzle(kind: str, seed: int) -> Puzzle:
    """A 4x4 puzzle with a rule of this kind, perhaps one of another, and a few givens."""
    rng = Random(f"{kind} {seed}")
    grid = full_grid((2, 2), seed)
    kinds = [kind, *rng.sample(sorted(MAKERS), seed % 2)]
    several = [MAKERS[each](rng, grid) for each in kinds]
    givens = rng.sample(grid.givens, rng.randint(2, 4))
    if seed % 3 == 0:  # a digit that is often wrong
        row, column, digit = givens.pop()
        givens.append((row, column, digit % 4 + 1))
    return Puzzle("." * 16, rules=several).with_(*givens)


PLAIN = some_puzzles(12)
NO_GIVENS = [Grid.parse("." * 16), Puzzle("." * 16, SMALL)]
MARKED = [marked_puzzle(seed, 3, 4) for seed in range(4)]
MARKED += [marked_puzzle(seed, 2, 6, None) for seed in range(4)]
SPOILT = [
    puzzle.with_((*Random(seed).choice(puzzle.cells), seed % 4 + 1))
    for seed, puzzle in enumerate(MARKED)
]
"""The same with another digit somewhere: most have no solution."""

OTHER_BOXES = [dig(full_grid(box, 3), 24, 3) for box in ((2, 3), (3, 2))]

OFTEN = {"any_of", "arrow", "contains", "different", "killer_cage", "negative", "region_sum_line"}
OFTEN |= {"anti_knight", "index", "sandwich", "thermometer", "whispers"}
"""Kinds that are always tested; the slow tests have all of them."""


def with_rules(*seeds: int) -> Iterator[object]:
    """For each kind, a parameter that makes puzzles with a rule of it."""
    for kind in sorted(MAKERS):
        marks = [] if kind in OFTEN else [pytest.mark.slow]
        makers = [partial(random_puzzle, kind, seed) for seed in seeds]
        yield pytest.param(makers, marks=marks, id=kind)


def puzzles(*some: Grid | Puzzle) -> Iterator[object]:
    for puzzle in some:
        yield pytest.param([lambda puzzle=puzzle: puzzle], id=repr(puzzle))


# --- every grid and every set ----------------------------------------------------------------


@cache
def every_grid(regions: str | None = None) -> tuple[Grid, ...]:
    """All full grids of 4x4 with these regions, by default the 288 with boxes."""
    return tuple(all_solutions(Puzzle("." * 16, regions)))


def grids_of(puzzle: Grid | Puzzle) -> tuple[Grid, ...]:
    return every_grid(SMALL if puzzle.layout.regions else None)


def demands(puzzle: Grid | Puzzle) -> list[tuple]:
    beyond = [("rule", rule) for rule in dict.fromkeys(puzzle.layout.rules)]
    return [*puzzle.givens, *exclusions(puzzle), *beyond]


def obeys(grid: Grid, demand: tuple) -> bool:
    if demand[0] == "rule":
        return grid.is_solution_of(Puzzle("." * 16, rules=[demand[1]]))
    *excluded, row, column, digit = demand
    return (grid[row, column] == digit) is not bool(excluded)


@cache
def solutions_of(puzzle: Grid | Puzzle) -> list[Grid]:
    if puzzle.size > 4:
        return list(all_solutions(puzzle))
    return [grid for grid in grids_of(puzzle) if all(obeys(grid, d) for d in demands(puzzle))]


def every_clash(puzzle: Grid | Puzzle) -> set[frozenset[tuple]]:
    """The minimal sets of givens, exclusions and rules that no grid obeys."""
    possible = demands(puzzle)
    kept = {frozenset(d for d in possible if obeys(grid, d)) for grid in grids_of(puzzle)}
    found: set[frozenset[tuple]] = set()
    for size in range(len(possible) + 1):
        for chosen in map(frozenset, combinations(possible, size)):
            minimal = not any(less <= chosen for less in found)
            if minimal and not any(chosen <= some for some in kept):
                found.add(chosen)
    return found


def fewest_to_tell_apart(solutions: list[Grid]) -> int:
    placements = sorted({given for grid in solutions for given in grid.givens})
    has = [set(grid.givens) for grid in solutions]
    for size in range(len(placements)):
        for chosen in combinations(placements, size):
            if sum(given.issuperset(chosen) for given in has) == 1:
                return size
    raise AssertionError


# --- the four questions ----------------------------------------------------------------------


def sound(answer: pls.Explanation, question: str) -> None:
    """Engines verify the answer, and its text, JSON, picture and pickle say what it holds."""
    verified(answer)
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert answer.text() == str(answer) == str(answer).strip()
    if getattr(answer, "grids", ()):
        assert answer.text().startswith(f"{answer.short()}\n\n")
        assert "\n" not in answer.short()
    data = json.loads(json.dumps(answer.to_json()))
    assert data["question"] == question
    assert pls.formats.as_puzzle(json.dumps(data["puzzle"])) == answer.puzzle
    for given, said in zip(answer.givens, data.get("givens", ()), strict="givens" in data):
        assert said == {"cell": str(given.cell), "digit": given.digit}
    assert [rule["text"] for rule in data.get("rules", [])] == [*map(str, answer.rules)]
    excluded = [(cell, digit) for cell, gone in data.get("excluded", {}).items() for digit in gone]
    assert excluded == [(str(each.cell), each.digit) for each in sorted(answer.excluded)]
    picture = answer.picture()
    assert picture.to_svg().startswith("<svg")
    assert picture.puzzle in (None, answer.puzzle)
    marked = {highlight.role: highlight.cells for highlight in picture.highlights}
    if "cell" in data:
        assert marked["target"] == (answer.cell,)
        assert data["cell"] == str(answer.cell)
        assert data["cell"] in picture.to_text()
    if "reason" in marked:
        assert picture.grid[answer.cell] == answer.digit
        matter = (*answer.givens, *answer.excluded)
        assert {*marked["reason"]} == {placement.cell for placement in matter}
    labels = {highlight.label: highlight.cells for highlight in picture.highlights}
    for rule in (rule.beyond for rule in answer.rules if rule.beyond):
        assert labels[str(rule)] == tuple(dict.fromkeys(rule.cells_used()))


def check_why(puzzle: Grid | Puzzle, cell: pls.Cell, detail: str, smallest: bool = False) -> None:
    solutions = solutions_of(puzzle)
    if not solutions:
        with pytest.raises(pls.NoSolution):
            pls.why(puzzle, cell, detail=detail)
        return
    answer = pls.why(puzzle, cell, smallest=smallest, detail=detail)
    sound(answer, "why")
    assert answer.puzzle == puzzle
    digits = {grid[cell] for grid in solutions}
    expected = Given if puzzle[cell] else Forced if len(digits) == 1 else Open
    assert isinstance(answer, expected), (puzzle, cell)
    assert set(answer.rules) <= set(rules(puzzle.layout, detail))
    assert set(answer.givens) <= set(puzzle.givens)
    assert set(answer.excluded) <= set(getattr(puzzle, "excluded", ()))
    if len(digits) == 1:
        assert digits == {answer.digit}
        assert answer.smallest or (expected is Forced and not smallest)
        if puzzle.layout.rules:
            assert not {"filled", "single", "cells"} & {rule[0] for rule in answer.rules}
    else:
        assert (answer.digit, answer.rules, answer.givens) == (None, (), ())
        assert set(answer.solutions) <= set(solutions)
        assert len({*answer.digits}) == 2 == len({grid[cell] for grid in answer.solutions})


@pytest.mark.one_in(4)
@pytest.mark.parametrize("makers", [*puzzles(*MARKED[2:6], *OTHER_BOXES), *with_rules(1, 2, 3)])
def test_why(makers):
    for seed, make in enumerate(makers, 1):
        puzzle = make()
        cells = puzzle.cells[:: puzzle.size // 3]
        if puzzle.layout.rules:
            empty = [cell for cell in puzzle.cells if not puzzle[cell]]
            cells = Random(seed).sample(empty, 2)
        for number, cell in enumerate(cells, seed):
            smallest = cell.row == 3 and not puzzle.layout.rules
            check_why(puzzle, cell, ("rule", "house")[number % 2], smallest)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("makers", [*puzzles(*NO_GIVENS, *PLAIN, *SPOILT), *with_rules(0, 1)])
def test_the_fewest_givens_that_must_go(makers):
    for make in makers:
        puzzle = make()
        choose = Random(repr(puzzle))
        kept = solutions_of(puzzle.without(*puzzle.givens))
        for cell, digit in [(choose.choice(puzzle.cells), choose.randint(1, 4)) for _ in range(3)]:
            sets = {
                frozenset(given for given in puzzle.givens if not obeys(grid, given))
                for grid in kept
                if grid[cell] == digit
            }
            if not sets:
                with pytest.raises(pls.NoSolution, match=rf"{cell} cannot be {digit} whichever"):
                    pls.why_not(puzzle, cell, digit)
                mus = refute_placement(puzzle, Placement(*cell, digit), Budget("clingo", None))
                assert mus.members
                for engine in ("clingo", "prolog"):
                    mus.verify(puzzle, engine)
                continue
            fewest = min(map(len, sets))
            answer = pls.why_not(puzzle, cell, digit)
            sound(answer, "why_not")
            assert answer.picture().title == f"What {cell} = {digit} takes"
            struck = [(each.role, each.candidates) for each in answer.picture().highlights[1:]]
            assert struck == [("removed", answer.givens)] * bool(answer.givens)
            every = list(answer.all())
            for found in (answer, *every):
                assert len(found.givens) == fewest
                assert found.witness[cell] == digit
                assert {g for g in puzzle.givens if not obeys(found.witness, g)} == {*found.givens}
                assert found.witness.is_solution_of(puzzle.without(*found.givens))
            assert len(every) == len({frozenset(found.givens) for found in every})
            assert {frozenset(found.givens) for found in every} == {
                gone for gone in sets if len(gone) == fewest
            }


@pytest.mark.one_in(4, 3)
@pytest.mark.parametrize("makers", [*puzzles(*PLAIN, *SPOILT), *with_rules(3, 6)])
def test_every_minimal_clash_once(makers):
    for make in makers:
        puzzle = make()
        expected = every_clash(puzzle)
        assert bool(expected) == (not solutions_of(puzzle))
        answer, fewest = pls.conflicts(puzzle), pls.conflicts(puzzle, smallest=True)
        for found in (answer, fewest):
            sound(found, "conflicts")
            assert isinstance(found, Clash if expected else Solvable)
        every = list(answer.all())
        assert len(every) == len(expected)
        assert {frozenset(map(tuple, found.mus.members)) for found in every} == expected
        assert {frozenset(found.mus.members) for found in fewest.all()} == expected
        if expected:
            assert frozenset(answer.mus.members) in expected
            assert len(fewest.mus.members) == min(map(len, expected))
        for found in () if puzzle.layout.rules else every:
            found.verify()
            cells = {cell for high in found.picture().highlights for cell in high.cells}
            assert cells == {placement.cell for placement in (*found.givens, *found.excluded)}


def test_some_puzzles_clash_and_some_do_not():
    assert {type(pls.conflicts(puzzle)) for puzzle in PLAIN} == {Clash, Solvable}
    assert max(len(every_clash(puzzle)) for puzzle in PLAIN) > 3


OPEN = ["1.....1....2.2..", "12..34......4321", "1..4............", SEVERAL, "1234" + "." * 12]
OPEN = [*map(Grid.parse, OPEN), marked_puzzle(1, 1, 1), marked_puzzle(9, 1, 2)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("makers", [*puzzles(*OPEN), *with_rules(1, 2)])
def test_the_fewest_extra_givens(makers):
    for make in makers:
        puzzle = make()
        solutions = solutions_of(puzzle)
        if not solutions:
            with pytest.raises(pls.NoSolution):
                pls.ambiguity(puzzle)
            continue
        answer = pls.ambiguity(puzzle)
        sound(answer, "ambiguity")
        assert set(answer.solutions) == set(solutions)
        assert set(answer.cells) == {
            cell for cell in puzzle.cells if len({grid[cell] for grid in solutions}) > 1
        }
        assert sum(all(obeys(grid, extra) for extra in answer.extra) for grid in solutions) == 1
        if not puzzle.layout.rules:
            answer.verify("prolog")
            answer.verify("sat")
            assert answer.smallest
            assert len(answer.extra) == fewest_to_tell_apart(solutions)
            few = pls.ambiguity(puzzle, 2)
            sound(few, "ambiguity")
            assert (few.smallest, few.cells) == (len(solutions) <= 2, answer.cells)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("makers", [*puzzles(*MARKED), *with_rules(2)])
def test_steps_are_right_and_go_as_far_as_anything_is_sure(makers):
    puzzle = makers[0]()
    if solutions := solutions_of(puzzle):
        for step in walk(puzzle, solutions):
            verified(step)
            if not puzzle.layout.rules:
                check_simplest(step)


# --- a rule alone ----------------------------------------------------------------------------


def rules_alone(kind: str) -> Iterator[tuple[Rule, Grid]]:
    """A rule and a full grid, which need be no sudoku: the two of the example, and random ones."""
    fields, good, bad = KINDS[kind].example[:3]
    for text in (good, bad):
        yield KINDS[kind](**fields), Grid.parse(text.replace(" ", ""))
    rng = Random(kind)
    for seed in range(12):
        grid = full_grid((2, 2), seed)
        rule = MAKERS[kind](rng, grid)
        digits = list(grid.digits)
        for at in rng.sample(range(16), rng.choice([1, 4, 16])):
            digits[at] = rng.randint(1, 4)
        yield rule, Grid(tuple(digits), (2, 2))


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(MAKERS))
def test_a_rule_alone_means_the_same_to_every_engine_and_the_oracle(kind):
    """Also on grids that break the houses: explanations switch houses off and keep the rules."""
    answers = set()
    for rule, grid in rules_alone(kind):
        layout = Puzzle(Grid((0,) * len(grid.digits), grid.box), rules=[rule]).layout
        expected = rule.holds(Digits(grid.digits, layout))
        answers.add(expected)
        for engine in ("clingo", "prolog", "sat"):
            found = get(engine).consistent(layout, [CELLS, ("rule", rule), *grid.givens])
            assert found is expected, (engine, rule, grid)
    assert answers == {True, False}


def test_a_rule_that_is_not_demanded_may_be_broken(backend):
    wrong = [(1, 1, 3), (1, 2, 4)]
    layout = TWO_RULES.layout
    assert get(backend).consistent(layout, [CELLS, *wrong])
    assert get(backend).consistent(layout, [("rule", LINE), *wrong])
    assert not get(backend).consistent(layout, [("rule", CAGE), *wrong])
    # It makes every cell hold one digit.
    assert get(backend).consistent(layout, [(1, 1, 1), (1, 1, 2)])
    assert not get(backend).consistent(layout, [("rule", LINE), (1, 1, 1), (1, 1, 2)])


# --- why: its wording -------------------------------------------------------------------


def test_regions_are_named_by_number():
    answers = [pls.why(MARKED[0], cell) for cell in MARKED[0].cells]
    assert any("region" in str(answer) for answer in answers)
    assert not any("box" in str(answer) for answer in answers)


def test_equal_marks_share_a_sentence():
    excluded = [Placement(1, 2, 4), Placement(3, 1, 2), Placement(1, 2, 2), Placement(3, 1, 4)]
    assert list(mark_sentences(excluded)) == ["r1c2 and r3c1 may not hold 2 or 4 (marks)"]


def test_the_rules_of_a_puzzle_are_listed_once():
    layout = Puzzle("." * 16, rules=[CAGE, LINE, CAGE]).layout
    assert [rule for rule in rules(layout) if rule.beyond] == [("rule", CAGE), ("rule", LINE)]
    assert (len(rules(layout, "house")), len(rules(layout))) == (12 + 2, 2 * 12 * 4 + 2)


# --- why not -----------------------------------------------------------------------------------


def test_the_published_queries():
    four = pls.why_not(FOUR, "r3c2", 1)
    assert four.givens == ()
    assert str(four).startswith("r3c2 can be 1: no given has to go.")
    nine = pls.why_not(NINE, "r2c2", 2)
    assert nine.givens == ((8, 2, 2),)
    assert "if r8c2 = 2 is removed" in str(nine)
    assert [found.givens for found in nine.all()] == [((8, 2, 2),)]
    for explanation in (four, nine):
        explanation.verify()


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("box", "fewest"), [((2, 3), 9), ((3, 3), 11), ((4, 4), 7)], ids=str)
def test_full_grids(box, fewest):
    full = full_grid(box, 1)
    explanation = pls.why_not(full, "r1c1", full.digits[0] % full.size + 1)
    assert explanation.witness.is_solution_of(full.without(*explanation.givens))
    assert len(explanation.givens) == fewest
    if full.size < 16:
        explanation.verify()


def test_a_mark_stays():
    puzzle = Puzzle(Grid((0,) * 16, (2, 2)), marks={"r1c3": [3]})
    with pytest.raises(pls.NoSolution, match="r1c3 cannot be 2 whichever givens go: its mark"):
        pls.why_not(puzzle, "r1c3", 2)


@pytest.mark.slow
def test_why_not_names_the_rules_if_no_given_is_to_blame():
    with pytest.raises(pls.NoSolution) as raised:
        pls.why_not(TWO_RULES, "r1c1", 3)
    assert str(raised.value) == f"r1c1 cannot be 3 whichever givens go: {CAGE}"
    with pytest.raises(pls.NoSolution) as raised:
        pls.why_not(TWO_RULES.with_((4, 4, 1)), "r1c4", 1)
    assert str(raised.value) == (
        f"r1c4 cannot be 1 whichever givens go: row 1 holds every digit once; {CAGE}"
    )
    # r5c5 is 4 in the only solution.
    mus = refute_placement(KILLER, Placement(5, 5, 9), Budget("clingo", None))
    assert any(rule.beyond for rule in mus.rules)
    mus.verify(KILLER)


# --- conflicts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("smallest", [False, True])
def test_clashes_of_9x9(smallest, backend):
    explanation = pls.conflicts(REFUTED, smallest=smallest)
    assert explanation.smallest is smallest
    assert not Grid.parse(REFUTED).duplicates()
    if backend == "clingo" or not smallest:
        explanation.verify(backend)
    assert not pls.count(Grid.of(explanation.givens, (3, 3)), limit=1)


def test_time_runs_out_before_the_first_question():
    with pytest.raises(pls.SolveTimeout, match=r"while looking for all solutions, up to 1,000$"):
        pls.ambiguity("." * 81, timeout=1e-9)


def test_some_clash_by_givens_and_marks_together():
    clashes = [clash for puzzle in SPOILT for clash in pls.conflicts(puzzle).all()]
    both = next(each for each in clashes if each.givens and each.excluded)
    assert str(both).startswith("The puzzle has no solution, because these givens and marks clash:")
    assert all(f"  {line}" in str(both).splitlines() for line in mark_sentences(both.excluded))


# --- ambiguity ---------------------------------------------------------------------------------


def test_too_many_solutions_to_be_sure():
    answer = pls.ambiguity(EMPTY)
    assert (answer.smallest, answer.extra, len(answer.cells)) == (False, (), 81)
    assert str(answer) == "The puzzle has at least 1,001 solutions, which differ in 81 cells."
    answer.verify()
    assert pls.ambiguity(FOUR, limit=3).smallest is False
    assert pls.ambiguity(FOUR, limit=4).smallest is True


def test_nothing_is_open_in_a_proper_puzzle():
    explanation = pls.ambiguity(next(iter(PRINTED)))
    assert (explanation.cells, explanation.extra) == ((), ())
    assert str(explanation) == "Nothing is open: the puzzle has one solution."
    explanation.verify()


# --- what is wrong is noticed -----------------------------------------------------------------

NOTHING = tuple((frozenset(),) * 4 for _ in range(4))
WRONG = {
    "why, a rule": (
        lambda: pls.why(TWO_RULES, "r2c2"),
        lambda mus: [
            {"members": tuple(each for each in mus.members if each != ("rule", LINE))},
            {"members": (*mus.members, next(each for each in mus.soft if each not in mus.members))},
        ],
    ),
    "why, a mark": (
        lambda: pls.why(MARK, "r1c3"),
        lambda mus: [
            {"members": mus.members[:-1]},
            {"members": (*mus.members, ("excluded", 1, 1, 1))},
        ],
    ),
    "why, smallest": (
        lambda: pls.why(ONE, "r2c1", smallest=True),
        lambda mus: [
            {"correction_sets": ()},
            {"correction_sets": ((mus.members[0],),) * 2},
            {"correction_sets": ((mus.soft[0],),)},
            {"least": mus.least + 1},
        ],
    ),
    "conflicts": (
        lambda: pls.conflicts("11.2" + "." * 12),
        lambda mus: [{"members": mus.members[:1]}, {"members": (*mus.members, (1, 4, 2))}],
    ),
    "conflicts, none": (
        lambda: pls.conflicts(FOUR),
        lambda _: [{"solution": full_grid((2, 2), 1)}],
    ),
    "why, given": (lambda: pls.why(FOUR, "r1c1"), lambda _: [{"digit": 3}]),
    "why, open": (
        lambda: pls.why(Grid.parse(SEVERAL), "r4c1"),
        lambda answer: [{"solutions": answer.solutions[:1] * 2}],
    ),
    "why_not": (
        lambda: pls.why_not(NINE, "r2c2", 2),
        lambda answer: [
            {"digit": 3},
            {"givens": ()},
            {"givens": (*answer.givens, NINE.givens[0])},
            {"givens": NINE.givens},
            {"witness": full_grid((3, 3), 1)},
        ],
    ),
    "ambiguity": (
        lambda: pls.ambiguity(FOUR),
        lambda answer: [
            {"extra": answer.extra[:1]},
            {"extra": (*answer.extra, (1, 2, 4))},
            {"solutions": answer.solutions[1:]},
            {"candidates": NOTHING},
            {"candidates": NOTHING, "solutions": None},
            {"at_least": 5, "solutions": None},
        ],
    ),
}
"""A right answer, and changes of it, or of its MUS, that make it wrong."""


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_noticed(name):
    make, changes = WRONG[name]
    answer = make()
    verified(answer)
    mus = getattr(answer, "mus", None)
    for change in changes(mus or answer):
        wrong = {"mus": replace(mus, **change)} if mus else change
        with pytest.raises(pls.Disagreement):
            replace(answer, **wrong).verify()


def test_an_engine_that_cannot_check_says_so():
    with pytest.raises(pls.BackendUnavailable, match=r"liar.*\n.*clingo or prolog"):
        pls.why(ONE, "r2c1").verify(Liar([]))


# --- what all of them have ---------------------------------------------------------------

MARK = Puzzle("." * 16, marks={"r1c3": [3]})
UP_AND_DOWN = [Thermometer("r1c1 r1c2"), Thermometer("r1c2 r1c1")]

TEXTS = {
    "why by a mark": (
        lambda: pls.why(MARK, "r1c3"),
        "r1c3 is 3, because:\n"
        "  r1c3 must hold a digit\n"
        "  r1c3 may not hold 1, 2 or 4 (mark)\n"
        "None of these can be spared: 1 rule and 3 excluded digits.",
    ),
    "why by nothing": (
        lambda: pls.why(Grid.parse(".", box=(1, 1)), "r1c1", True, "house"),
        "r1c1 is 1, because:\n  every cell holds one digit\nNothing else is needed.",
    ),
    "conflicts of givens": (
        lambda: pls.conflicts("11" + "." * 14),
        "The puzzle has no solution, because these givens clash:\n"
        "  r1c1 = 1 and r1c2 = 1\n"
        "  r1c1 and r1c2 both hold 1 (row 1, box 1)\n"
        "None of these can be spared: 2 givens.",
    ),
    "conflicts of marks": (
        lambda: pls.conflicts(Puzzle("." * 16, marks={"r1c1": [1], "r1c4": [1]})),
        "The puzzle has no solution, because these marks clash:\n"
        "  r1c1 and r1c4 may not hold 2, 3 or 4 (marks)\n"
        "None of these can be spared: 6 excluded digits.",
    ),
    "conflicts of one mark": (
        lambda: pls.conflicts(Puzzle(Grid.parse(".", box=(1, 1)), marks={"r1c1": []})),
        "The puzzle has no solution, because one mark alone rules it out:\n"
        "  r1c1 may not hold 1 (mark)\n"
        "Nothing else is needed.",
    ),
    # Region 1 is row 1 but for r1c4, and r2c4: so r1c4 and r2c4 hold the same digit.
    "conflicts of regions": (
        lambda: pls.conflicts(Puzzle("." * 16, "1112222133334444")),
        "The puzzle has no solution whatever its givens: its regions allow no grid.",
    ),
    "conflicts of rules": (
        lambda: pls.conflicts(Puzzle("." * 16, rules=UP_AND_DOWN)),
        "The puzzle has no solution, because these rules clash:\n"
        "  thermometer at r1c1 and r1c2\n"
        "  thermometer at r1c2 and r1c1\n"
        "None of these can be spared: 2 rules.",
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_text_names_all_that_matters(name):
    make, text = TEXTS[name]
    answer = make()
    assert str(answer) == text
    sound(answer, name.split()[0])
