"""Engines with a planted fault: it is found, and shrunk to the smallest puzzle that shows it."""

from __future__ import annotations

import json
from itertools import islice
from types import SimpleNamespace

import pytest
from helpers.fakes import Planted, Slow
from helpers.jigsaws import jigsaw
from helpers.oracle import all_solutions, dig, full_grid

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Mark, Placement, Puzzle, Symmetry, Trouble
from pylogic_sudoku._trouble import _fits
from pylogic_sudoku._variants import changed, parts, with_only
from pylogic_sudoku.engines.clingo import ClingoBackend
from pylogic_sudoku.rules import KINDS, KillerCage, Thermometer

SMALL = [dig(full_grid((2, 2), seed), 6, seed) for seed in range(12)]


def right(_puzzle, found):
    return found


def loses_a_corner(puzzle, found):
    """None, if the last 2x2 box begins with a 4 and any cell is empty."""
    return () if puzzle.digits[10] == 4 and 0 in puzzle.digits else found


def counts_wrongly(puzzle, found):
    """No more than one, if a digit 4 is given."""
    return islice(found, 1) if 4 in puzzle.digits else found


def ignores_columns(puzzle, _found):
    """Columns 3 and 4 may hold any digits; one of them alone follows from the other houses."""
    houses = [house for house in puzzle.layout.offsets if house[1] - house[0] != 4 or house[0] < 2]
    less = {"layout": SimpleNamespace(offsets=houses), "digits": puzzle.digits}
    less |= {"box": puzzle.box, "size": 4, "excluded": (), "duplicates": tuple}
    for grid in all_solutions(SimpleNamespace(**less)):
        if all(len({grid.digits[at] for at in house}) == 4 for house in houses):
            yield grid


def ignores_marks(puzzle, _found):
    return all_solutions(puzzle.grid if isinstance(puzzle, Puzzle) else puzzle)


def hates_one_corner(_puzzle, found):
    """A solution with a 1 in the first cell is lost."""
    return (grid for grid in found if grid.digits[0] != 1)


class Ruleless(ClingoBackend):
    """clingo, which forgets a rule of one kind."""

    name = "ruleless"

    def solutions(self, puzzle, timeout=None):
        kept = (part for part in parts(puzzle) if not isinstance(part, Thermometer))
        return super().solutions(with_only(puzzle, kept), timeout)


def first_trouble(puzzles, backends, number=6, **options):
    """The first trouble there is, and a smallest one within it."""
    found = next(
        each.trouble for each in pls.probe(puzzles, backends, number, **options) if each.trouble
    )
    return found, found.shrunk(backends)


def assert_smallest(trouble, backends):
    """It is there, but not if any part is left out."""
    assert trouble.replay(backends).summary == trouble.summary
    for part in parts(trouble.puzzle):
        kept = [each for each in parts(trouble.puzzle) if each != part]
        less = Trouble(with_only(trouble.puzzle, kept), trouble.change, {}, (), trouble.limit)
        assert less.replay(backends) is None


@pytest.mark.parametrize(
    ("fault", "smallest"),
    [
        pytest.param(loses_a_corner, "..........4.....", id="a given"),
        pytest.param(ignores_columns, "................", id="columns"),
    ],
)
def test_a_fault_of_one_engine_is_shrunk(fault, smallest):
    backends = ("clingo", Planted(fault))
    found, small = first_trouble(SMALL, backends)
    assert (found.summary, small.summary) == ("the engines disagree",) * 2
    assert (str(small.puzzle), small.change) == (smallest, None)
    assert_smallest(small, backends)
    assert small.replay(("clingo", "prolog")) is None


def test_a_wrong_count_is_shrunk_to_one_given():
    backends = ("clingo", Planted(counts_wrongly))
    _, small = first_trouble(SMALL, backends)
    assert [given.digit for given in small.puzzle.givens] == [4]
    assert small.answers["planted"][0].startswith("1 solution, such as ")
    assert small.answers["clingo"][0].startswith("at least 50 solutions, such as ")


def test_a_mark_is_shrunk_to_alone():
    puzzle = jigsaw(5, 12, 3, marked=3)
    backends = (Planted(ignores_marks), Planted(right, "right"))
    some = Puzzle(puzzle.grid, marks={mark.cell: mark.digits for mark in puzzle.marks})
    _, small = first_trouble([some], backends)
    assert [type(part) for part in parts(small.puzzle)] == [Mark]


def test_a_rule_is_shrunk_to_alone():
    rules = [KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2"), Thermometer("r4c3 r4c4")]
    backends = ("clingo", Ruleless())
    _, small = first_trouble([Puzzle("1" + "." * 15, rules=rules)], backends)
    (rule,) = parts(small.puzzle)
    assert rule in rules[1:]
    assert_smallest(small, backends)


@pytest.mark.parametrize("number", [1, 2])
def test_a_shared_fault_breaks_a_relation(number):
    """The engines agree about every puzzle, and yet there is trouble."""
    backends = tuple(Planted(hates_one_corner, name) for name in ("one", "two")[:number])
    assert all(each.comparison.agree for each in pls.cross_check(SMALL, backends))
    found, small = first_trouble(SMALL, backends)
    assert found.wrong == small.wrong == ("one", "two")[:number]
    assert isinstance(small.change, Symmetry)
    assert len(small.puzzle.givens) == 1
    assert_smallest(small, backends)
    assert small.replay(("clingo",)) is None
    # Only one thing is done, and little of it.
    assert str(small.change).count("swapped") + small.change.transposed == 1


def test_a_part_that_is_added_shows_a_fault_that_is_symmetric():
    """With a single given more, there is one solution less than there should be."""

    def few(puzzle, found):
        return islice(found, 1, None) if len(puzzle.givens) % 2 else found

    backends = (Planted(few),)
    found, small = first_trouble(SMALL, backends, number=9)
    assert isinstance(found.change, Placement)
    assert "added, the solutions are not those that obey it" in found.summary
    assert_smallest(small, backends)


def test_engines_that_are_right_have_no_trouble():
    jigsaws = [jigsaw(5, 10, seed, marked=2) for seed in range(3)]
    cages = Puzzle("." * 16, rules=[KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2")])
    for limit in (None, 2):
        probes = list(pls.probe([*SMALL[:4], *jigsaws, cages], number=6, limit=limit))
        assert [(each.trouble, each.error, len(each.variants)) for each in probes] == [
            (None, None, 6)
        ] * 8


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind, rule in KINDS.items() if rule.asp is None])
def test_engines_know_every_rule_in_its_variants(kind):
    made = KINDS[kind]
    good = Grid.parse(made.example.good)
    givens = good.givens[:: 7 if good.size == 4 else 3]
    puzzle = Puzzle(Grid.of(givens, good.box), rules=[made(**made.example.fields)])
    (each,) = pls.probe([puzzle], number=6, limit=100, timeout=60)
    assert (each.trouble, each.error, len(each.variants)) == (None, None, 6)


# --- limits, time and errors --------------------------------------------------------------


def test_counts_up_to_a_limit_are_compared_rightly():
    """An added given may take the count from the limit to less; more is trouble."""
    puzzle = Grid.parse("1" + "." * 15)
    for limit in (1, 2, 11, 12, 71, 72, 73):
        (each,) = pls.probe([puzzle], ("clingo", Planted(right)), 9, limit)
        assert (each.trouble, len(each.variants)) == (None, 9)


SOME = sorted(all_solutions(EMPTY := Grid((0,) * 16, (2, 2))), key=str)[:200:20]
"""Ten grids: of each four, the first digit is 1, then 2, then 3."""
SWAPPED = Symmetry((2, 1, 3, 4), (1, 2, 3, 4), (1, 2, 3, 4))
FIRST = Placement(1, 1, 1)


def answer(grids, complete=True, late=False):
    return pls.Answer(frozenset(grids), complete, 0.0, late)


@pytest.mark.parametrize(
    ("change", "before", "after", "fits"),
    [
        pytest.param(SWAPPED, answer(SOME), answer(map(SWAPPED, SOME)), True, id="images"),
        pytest.param(SWAPPED, answer(SOME), answer(SOME), False, id="no images"),
        pytest.param(SWAPPED, answer(SOME, False), answer(SOME, False), True, id="limits"),
        pytest.param(SWAPPED, answer(SOME, False), answer(SOME[1:]), False, id="limit, fewer"),
        pytest.param(SWAPPED, answer(SOME[1:]), answer(SOME, False), False, id="limit, more"),
        pytest.param(SWAPPED, answer(SOME), answer((), False, True), True, id="no time after"),
        pytest.param(SWAPPED, answer((), False, True), answer(SOME), True, id="no time before"),
        pytest.param(FIRST, answer(SOME), answer(SOME[:4]), True, id="those that obey"),
        pytest.param(FIRST, answer(SOME), answer(SOME[:3]), False, id="fewer than obey"),
        pytest.param(FIRST, answer(SOME), answer(SOME[:5]), False, id="more than obey"),
        pytest.param(FIRST, answer(SOME[1:]), answer(SOME, False), False, id="many more"),
        pytest.param(FIRST, answer(SOME, False), answer(SOME, False), True, id="both many"),
        pytest.param(FIRST, answer(SOME, False), answer(SOME[:2]), True, id="fewer than many"),
        pytest.param(FIRST, answer(SOME), answer((), False, True), True, id="no time for it"),
    ],
)
def test_how_answers_fit_together(change, before, after, fits):
    assert _fits(change, changed(EMPTY, change), before, after) is fits


def test_a_time_out_is_not_trouble():
    puzzle = SMALL[0]
    answer = str(next(all_solutions(puzzle)))

    class Sometimes(Slow):
        def solutions(self, asked, timeout=None):
            return super().solutions(asked, timeout) if asked != puzzle else iter_of(self.answers)

    def iter_of(answers):
        yield from answers

    (each,) = pls.probe([puzzle], (Sometimes([answer]),), 6, timeout=9)
    assert (each.comparison.outcome, each.variants, each.trouble, each.error) == (
        "agree",
        (),
        None,
        None,
    )


def test_an_engine_that_breaks_on_a_variant_is_an_error_of_that_puzzle():
    def breaks(puzzle, found):
        if puzzle != SMALL[0]:
            raise pls.BackendFailure("out of order")
        return found

    (each,) = pls.probe(SMALL[:1], (Planted(breaks),), 6)
    assert each.comparison.agree
    assert isinstance(each.error, pls.BackendFailure)
    assert "out of order" in str(each.error)
    one, other = pls.probe([SMALL[1], SMALL[0]], (Planted(breaks),), 0)
    assert (one.comparison, str(one.error)) == (None, "out of order")
    assert other.comparison.agree
    with pytest.raises(pls.BackendUnavailable):
        next(pls.probe(SMALL, ("none-such",)))
    with pytest.raises(pls.InvalidPuzzle):
        next(pls.probe(["12"]))


def test_what_was_shrunk_so_far_is_kept_when_time_runs_out():
    backends = ("clingo", Planted(loses_a_corner))
    found = next(each.trouble for each in pls.probe(SMALL, backends) if each.trouble)
    assert found.shrunk(backends, timeout=1e-9) == found
    *_, last = found.shrinking(backends)
    assert last == found.shrunk(backends)


def test_the_same_seed_asks_the_same_whatever_the_number_of_jobs():
    one, two = (list(pls.probe(SMALL[:4], jobs=jobs, number=4)) for jobs in (1, 2))
    assert [each.variants for each in one] == [each.variants for each in two]
    other = pls.probe(SMALL[:4], number=4, seed=1)
    assert [each.variants for each in one] != [each.variants for each in other]
    with pytest.raises(TypeError):
        pls.probe(SMALL, number=None)


# --- files --------------------------------------------------------------------------------

CHANGES = [
    None,
    Placement(1, 2, 3),
    Mark(Cell := pls.Cell(1, 2), frozenset({1, 4})),
    Thermometer("r2c1 r2c2"),
    Symmetry((2, 1, 3, 4), (1, 2, 3, 4), (1, 2, 4, 3), True),
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_json_holds_all_of_it(change):
    for puzzle in (Grid.parse("1" + "." * 15), Puzzle("1" + "." * 15, marks={"r2c2": "odd"})):
        trouble = Trouble(
            puzzle, change, {"clingo": ("1 solution",)}, ("clingo",) * bool(change), 50
        )
        written = json.dumps(trouble.to_json())
        again = Trouble.from_json(json.loads(written))
        assert (again, again.answers) == (trouble, trouble.answers)
        assert hash(trouble)
        assert pls.Puzzle.parse(written) == (
            puzzle if isinstance(puzzle, Puzzle) else Puzzle(puzzle)
        )


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        ({"puzzle": "12"}, "not a record of trouble"),
        ({"puzzle": None}, "not a record of trouble"),
        ({"change": {"digits": [1]}}, "the change is"),
        ({"change": {"given": {"r1c1": 5}}}, "r1c1 has a digit already"),
        ({"change": {"given": {"r9c1": 5}}}, "r9c1"),
        ({"change": {"given": {"r1c2": 5}}}, "r1c2 holds 5"),
        ({"change": {"rule": {"rule": "none"}}}, "no rule"),
        (
            {"change": {"digits": [1], "rows": [1], "columns": [1], "transposed": True}},
            "not a symm",
        ),
        ({"answers": ["clingo"]}, "not a record of trouble"),
        ({"answers": {}}, "no engine"),
        ({"limit": 0}, "limit must be 1 or more"),
    ],
)
def test_json_of_something_else_is_refused(spoilt, why):
    good = Trouble(Grid.parse("1" + "." * 15), None, {"clingo": ("1",)}, (), 50).to_json()
    with pytest.raises(pls.InvalidPuzzle, match=why):
        Trouble.from_json(good | spoilt)
    for key in good.keys() - {"trouble"}:
        with pytest.raises(pls.InvalidPuzzle, match=f"'{key}' is missing"):
            Trouble.from_json({name: value for name, value in good.items() if name != key})
    for other in (None, [], "x", 5):
        with pytest.raises(pls.InvalidPuzzle, match="not a record of trouble"):
            Trouble.from_json(other)
