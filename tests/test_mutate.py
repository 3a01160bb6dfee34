"""Variants of puzzles: what follows about their solutions, by an oracle that knows no engine."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
from helpers.jigsaws import jigsaw
from helpers.oracle import all_solutions, dig, full_grid
from helpers.ruled import SMALL_KILLER, THERMOMETERS

from pylogic_sudoku import Grid, Mark, Placement, Puzzle, Symmetry
from pylogic_sudoku._layout import Cell, Layout
from pylogic_sudoku._variants import changed, parts, variants, with_only
from pylogic_sudoku.rules import KINDS, AnyOf, Digits, KillerCage, Thermometer, define

SEEDS = range(6)
LEAST = {4: 6, 5: 9, 6: 16}
"""Givens with which the oracle is fast."""


def boxed(box, seed):
    """A puzzle with boxes: one, several or no solutions."""
    n = box[0] * box[1]
    puzzle = dig(full_grid(box, seed), LEAST[n] + seed % 4, seed)
    if seed % 4 == 0:
        cell = random.Random(seed).choice(puzzle.cells)
        puzzle = puzzle.with_((*cell, seed % n + 1))
    if seed % 3 == 0:
        return Puzzle(puzzle, marks={"r1c1": "even", "r2c3": [1, 2, 4]})
    return puzzle


def jigsawed(size, seed):
    return jigsaw(size, LEAST[size] + seed % 3, seed, marked=seed % 3)


PUZZLES = [
    *(pytest.param(boxed, box, id=str(box)) for box in ((2, 2), (1, 4), (4, 1), (2, 3), (3, 2))),
    *(pytest.param(jigsawed, size, id=f"jigsaw {size}x{size}") for size in (4, 5, 6)),
]


def solutions(puzzle):
    return {grid.digits for grid in all_solutions(puzzle)}


@pytest.mark.parametrize(("make", "shape"), PUZZLES)
def test_an_image_has_the_solutions_carried_over(make, shape):
    different = 0
    for seed in SEEDS:
        puzzle = make(shape, seed)
        before = solutions(puzzle)
        images = [one for one in variants(puzzle, 6, seed, None) if one.puzzle == puzzle]
        for _, symmetry, image in images:
            if isinstance(symmetry, Symmetry):
                assert solutions(image) == {symmetry.moved(digits) for digits in before}
                assert symmetry.inverse(image) == puzzle
                different += image != puzzle and bool(before)
    assert different > 2


@pytest.mark.parametrize(("make", "shape"), PUZZLES)
def test_with_a_part_more_the_solutions_are_those_that_obey_it(make, shape):
    kinds = set()
    for seed in SEEDS:
        puzzle = make(shape, seed)
        known = next(all_solutions(puzzle), None)
        for less, part, more in variants(puzzle, 6, seed, known):
            if isinstance(part, Symmetry):
                continue
            assert puzzle in (less, more)
            assert len(parts(more)) == len(parts(less)) + 1
            at = part.cell.offset(puzzle.size)
            allowed = part.digits if isinstance(part, Mark) else {part.digit}
            assert solutions(more) == {each for each in solutions(less) if each[at] in allowed}
            kinds.add((type(part), more == puzzle))
    both = set(product((Placement,), (True, False)))
    assert kinds >= both
    if make is jigsawed:
        assert (Mark, True) in kinds


def test_the_moves_do_what_they_say():
    grid = Grid.from_rows([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]])
    same = Symmetry.identity(4)
    expected = {
        "nothing changed": (same, "1234341221434321"),
        "the digits 1 and 2 swapped": (replace(same, digits=(2, 1, 3, 4)), "2134342112434312"),
        "the rows 1 2 3 4 made 3 4 1 2": (replace(same, rows=(3, 4, 1, 2)), "2143432112343412"),
        "the rows 1 and 2 swapped": (replace(same, rows=(2, 1, 3, 4)), "3412123421434321"),
        "the columns in reverse order": (replace(same, columns=(4, 3, 2, 1)), "4321214334121234"),
        "transposed": (replace(same, transposed=True), "1324241331424231"),
        "the rows 3 and 4 swapped, transposed": (
            replace(same, rows=(1, 2, 4, 3), transposed=True),
            "1342243131244213",
        ),
    }
    for words, (symmetry, line) in expected.items():
        assert (str(symmetry), str(symmetry(grid))) == (words, line)
    wide = Grid((5, *[0] * 35), (2, 3))
    turned = replace(Symmetry.identity(6), transposed=True, columns=(3, 1, 2, 4, 5, 6))(wide)
    assert (turned.box, turned.givens) == ((3, 2), (Placement(3, 1, 5),))


def test_what_would_not_keep_the_houses_is_refused():
    same = Symmetry.identity(4)
    moved = replace(same, rows=(1, 3, 2, 4))
    with pytest.raises(ValueError, match=r"the rows 2 and 3 swapped: not a symmetry of a grid"):
        moved(Grid((0,) * 16, (2, 2)))
    with pytest.raises(ValueError, match="a grid with 2x3 boxes"):
        same(Grid((0,) * 36, (2, 3)))
    assert moved(jigsaw(4, 2, 1)).size == 4  # its regions move along
    with pytest.raises(ValueError, match="are not the numbers from 1 to 4"):
        Symmetry((1, 2, 3, 3), same.rows, same.columns)
    with pytest.raises(ValueError, match="r1c1 has a digit already"):
        changed(Grid.parse("1" + "." * 15), Placement(1, 1, 2))


# --- rules --------------------------------------------------------------------------------


def turns(size):
    same = Symmetry.identity(size)
    order = (same.rows, same.rows[::-1])
    for rows, columns, transposed in product(order, order, (False, True)):
        yield Symmetry(same.digits, rows, columns, transposed)


@pytest.mark.parametrize("kind", [kind for kind, rule in KINDS.items() if rule.asp is None])
def test_a_turned_rule_says_the_same_about_a_turned_grid(kind):
    example = KINDS[kind].example
    good, bad = Grid.parse(example.good), Grid.parse(example.bad)
    puzzle = Puzzle(Grid((0,) * len(good.digits), good.box), rules=[KINDS[kind](**example.fields)])
    for turn in turns(good.size):
        assert turn.keeps(puzzle.layout)
        image = turn(puzzle)
        (rule,) = image.rules
        rule.check(image.layout)
        assert rule.holds(Digits(turn.moved(good.digits), image.layout))
        assert not rule.holds(Digits(turn.moved(bad.digits), image.layout))
        assert turn.inverse(image) == puzzle


def test_rules_are_turned_and_mirrored_but_no_more():
    layout = THERMOMETERS.layout
    same = Symmetry.identity(4)
    assert all(turn.keeps(layout) for turn in turns(4))
    assert not replace(same, digits=(2, 1, 3, 4)).keeps(layout)
    assert not replace(same, rows=(2, 1, 3, 4)).keeps(layout)
    found = list(variants(SMALL_KILLER, 30, 1, None))
    images = {one.change for one in found if isinstance(one.change, Symmetry)}
    assert images <= set(turns(4))
    assert len(images) > 3
    dropped = [one for one in found if one.changed == SMALL_KILLER]
    assert {one.change for one in dropped} <= set(SMALL_KILLER.rules)
    assert dropped


def test_a_rule_of_ones_own_stays_where_it_is():
    first = define("first_row", asp="kind(first_row). broken(R) :- rule(R,first_row).")
    for rule in (first(), AnyOf([[first()], [KillerCage("r1c1 r1c2", sum=3)]])):
        layout = Layout((2, 2), None, (rule,))
        assert not Symmetry.identity(4).keeps(layout)
        found = list(variants(Puzzle("." * 16, rules=[rule]), 9, 1, None))
        assert found
        assert not [one for one in found if isinstance(one.change, Symmetry)]


# --- variants -----------------------------------------------------------------------------


def test_the_same_seed_has_the_same_variants_each_once():
    puzzle = jigsaw(6, 8, 1, marked=2)
    one, again, other = (list(variants(puzzle, 9, seed, None)) for seed in (1, 1, 2))
    assert one == again != other
    beside = [each.beside(puzzle) for each in one]
    assert len({*beside, puzzle}) == 10


@pytest.mark.parametrize(
    ("puzzle", "number"),
    [
        pytest.param(Grid((0,), (1, 1)), 1, id="empty 1x1: only its digit can be added"),
        pytest.param(Grid((1,), (1, 1)), 1, id="full 1x1: only its digit can be dropped"),
    ],
)
def test_there_may_be_fewer(puzzle, number):
    assert len(list(variants(puzzle, 9, 1, None))) == number
    assert list(variants(puzzle, 0, 1, None)) == []


def test_parts_make_the_puzzle_again():
    for puzzle in (
        Grid.parse("1..4.....3......"),
        jigsaw(5, 6, 1, marked=2),
        SMALL_KILLER,
        Puzzle("1" + "." * 15, marks={"r1c2": "odd"}, rules=[Thermometer("r2c1 r2c2")]),
    ):
        assert with_only(puzzle, parts(puzzle)) == puzzle
        assert with_only(puzzle, ()).layout.regions == puzzle.layout.regions
        assert not parts(with_only(puzzle, ()))
    assert Cell(1, 1) not in parts(SMALL_KILLER)
