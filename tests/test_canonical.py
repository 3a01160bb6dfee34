"""The canonical form, beside the least of all images, and for grids with many symmetries."""

from __future__ import annotations

import random
from itertools import product

import pytest
from helpers.images import images, least_image, random_symmetry
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import CLASSIC

from pylogic_sudoku import Grid
from pylogic_sudoku._canonical import _Search
from pylogic_sudoku._symmetry import Symmetry

SMALL = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (2, 2)]

MOST_CANONICAL = Grid.parse(
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
)
"""The full grid with the most automorphisms: 648, not counting those that transpose it."""


def to_canonical(grid: Grid) -> Symmetry:
    """A symmetry that carries the grid to its canonical form."""
    search, n = _Search(grid), grid.size
    place = {line: at % n + 1 for at, line in enumerate(search.order)}
    names = dict(zip(search.read(search.order), search.best, strict=True))
    unused = (digit for digit in range(1, n + 1) if digit not in names.values())
    return Symmetry(
        tuple(names.get(digit) or next(unused) for digit in range(1, n + 1)),
        tuple(place[line] for line in range(n)),
        tuple(place[line] for line in range(n, 2 * n)),
        transposed=search.order[0] >= n,
    )


def random_cells(box, rng):
    """Cells that may break all rules."""
    n, share = box[0] * box[1], rng.random()
    return Grid(tuple(rng.randint(1, n) if rng.random() < share else 0 for _ in range(n * n)), box)


def random_puzzle(box, rng):
    n = box[0] * box[1]
    return dig(full_grid(box, rng.randrange(10**6)), rng.randint(0, n * n), rng.randrange(10**6))


@pytest.mark.parametrize("box", SMALL, ids=str)
@pytest.mark.parametrize("make", [random_cells, random_puzzle])
def test_it_is_the_least_of_all_images(make, box):
    rng = random.Random(str(box))
    for _ in range(12):
        grid = make(box, rng)
        assert grid.canonical() == least_image(grid), grid


@pytest.mark.slow
@pytest.mark.parametrize("box", [(2, 3), (3, 2), (1, 5), (5, 1)], ids=str)
@pytest.mark.parametrize("make", [random_cells, random_puzzle])
def test_it_is_the_least_of_all_images_of_larger_grids(make, box):
    rng = random.Random(str(box))
    for _ in range(40):
        grid = make(box, rng)
        assert grid.canonical() == least_image(grid), grid


def test_every_4x4_image_has_the_same_canonical_form():
    grid = Grid.parse("1..4..2.4....3..")
    assert {Grid(tuple(cells), grid.box).canonical() for cells in images(grid)} == {
        least_image(grid)
    }


def kinds_of_grids():
    """Grids of all densities, and of all numbers of automorphisms."""
    (solution,) = all_solutions(Grid.parse(CLASSIC))
    yield Grid.parse(CLASSIC)
    yield from (solution, MOST_CANONICAL, full_grid((3, 3), 1))
    for keep in (0, 1, 2, 3, 4, 5, 8, 17, 25, 40, 60, 80):
        yield dig(solution, keep, keep)
        yield dig(MOST_CANONICAL, keep, keep)
    yield Grid.of([(n, n, n) for n in range(1, 10)], (3, 3))
    yield Grid.of([(n, n, 1) for n in range(1, 10)], (3, 3))
    yield Grid((7,) * 81, (3, 3))
    for box in [(2, 3), (3, 2), (2, 4), (4, 2), (1, 5), (1, 6), (2, 5), (3, 4)]:
        n = box[0] * box[1]
        yield from (full_grid(box, 2), dig(full_grid(box, 1), n * n // 3, 1))
    for box in [(4, 4), (6, 6), (8, 2), (1, 16)]:
        yield Grid((0,) * (box[0] * box[1]) ** 2, box)
    yield Grid.of([(at, at, at) for at in range(1, 17)], (4, 4))


@pytest.mark.parametrize("grid", [*kinds_of_grids()], ids=lambda grid: f"{grid.box} {grid}"[:40])
def test_images_have_the_same_canonical_form(grid):
    rng = random.Random(1)
    found = grid.canonical()
    for _ in range(3):
        assert random_symmetry(grid.box, rng)(grid).canonical() == found
    assert found.canonical() == found


@pytest.mark.parametrize("grid", [*kinds_of_grids()], ids=lambda grid: f"{grid.box} {grid}"[:40])
def test_a_symmetry_leads_there(grid):
    symmetry = to_canonical(grid)
    assert symmetry.keeps(grid.layout)
    assert symmetry(grid) == grid.canonical()


def test_the_4x4_grids_are_of_two_kinds():
    assert {grid.canonical() for grid in all_solutions(Grid.parse("." * 16))} == {
        Grid.parse("1234341221434321"),
        Grid.parse("1234341223414123"),
    }


@pytest.mark.slow
def test_the_6x6_grids_are_of_49_kinds():
    """Symmetries carry each grid to one that starts like this and has its other rows in order."""
    start = Grid((1, 2, 3, 4, 5, 6, 4, 5, 6, *[0] * 27), (2, 3))
    found = []
    for grid in all_solutions(start):
        column = [row[0] for row in grid.rows]
        if column[2] < column[3] and column[4] < column[5] and column[2] < column[4]:
            found.append(grid)
    assert len({grid.canonical() for grid in found}) == 49
    assert len({grid.transposed().canonical() for grid in found}) == 49


def test_a_puzzle_with_a_given_less_is_of_another_kind():
    grid = Grid.parse(CLASSIC)
    fewer = {grid.without(given[:2]).canonical() for given in grid.givens}
    assert grid.canonical() not in fewer


def test_box_shapes_are_kept():
    for box in product((1, 2, 3), repeat=2):
        assert full_grid(box, 1).canonical().box == box
