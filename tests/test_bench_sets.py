"""The puzzles of a race: made from a seed, or read from files."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import pylogic_sudoku as pls
from benchmarks.race.sets import (
    MADE,
    constructed,
    dug,
    growth_sets,
    image,
    made_set,
    read_sets,
    trivial,
)
from pylogic_sudoku import Grid

BOXES = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 5)]


@pytest.mark.parametrize("box", BOXES)
def test_constructed_grids_and_their_images_are_solutions(box):
    full = constructed(box)
    empty = Grid((0,) * len(full.digits), box)
    assert full.is_solution_of(empty)
    images = [image(full, random.Random(seed)) for seed in range(3)]
    assert all(other.is_solution_of(empty) for other in images)
    assert image(full, random.Random(1)) == images[1]
    assert full.is_solution_of(trivial(box))
    assert trivial(box).digits.count(0) == full.size


def test_an_image_keeps_what_makes_a_puzzle():
    puzzle = Grid.parse("1....6" + "." * 24 + "6....1", box=(2, 3))
    other = image(puzzle, random.Random(5))
    assert other != puzzle
    assert sorted(Counter(other.digits).values()) == sorted(Counter(puzzle.digits).values())
    assert pls.count(other) == pls.count(puzzle)


@pytest.mark.parametrize(("box", "givens"), [((2, 2), 8), ((2, 3), 20), ((3, 3), 36)])
def test_dug_puzzles_have_one_solution_and_as_many_givens_as_asked_for(box, givens):
    chance = random.Random(3)
    full = image(constructed(box), chance)
    puzzle = dug(full, givens, chance)
    assert list(pls.solutions(puzzle, limit=2)) == [full]
    assert len(puzzle.givens) == givens


def test_dug_to_the_end_no_given_can_be_taken_away():
    puzzle = dug(constructed((2, 3)), 0, random.Random(4))
    assert pls.is_unique(puzzle)
    for cell in (cell for cell, given in enumerate(puzzle.digits) if given):
        less = Grid((*puzzle.digits[:cell], 0, *puzzle.digits[cell + 1 :]), puzzle.box)
        assert not pls.is_unique(less)


@pytest.mark.parametrize(
    ("name", "box", "givens"),
    [("easy", (3, 3), 32), ("minimal", (3, 3), None), ("diabolical", (3, 3), None)],
)
def test_made_sets(name, box, givens):
    puzzles = made_set(name, 7).puzzles
    assert puzzles == made_set(name, 7).puzzles
    assert len(set(puzzles)) == 7
    assert all(puzzle.box == box and pls.is_unique(puzzle) for puzzle in puzzles)
    assert givens in (None, *(len(puzzle.givens) for puzzle in puzzles))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "box", "givens"), [("16x16", (4, 4), 112), ("25x25", (5, 5), 320)]
)
def test_large_made_sets(name, box, givens):
    for puzzle in made_set(f"made-{name}", 2).puzzles:
        assert (puzzle.box, len(puzzle.givens)) == (box, givens)
        assert pls.is_unique(puzzle)


def test_enumerations_expect_what_there_is():
    for name, task in (("6x6-grids", "enumerate"), ("6x6-count", "count")):
        made = made_set(name, 200)
        assert (made.task, made.limit) == (task, None)
        assert made.expected == pls.count(made.puzzles[0]) == 39_168
        assert made.rounds(3) == [made.puzzles] * 3


def test_every_made_set_says_what_it_is():
    assert all(MADE.values())


@pytest.mark.parametrize(("number", "rounds"), [(10, 5), (7, 3), (2, 5)])
def test_rounds_share_the_puzzles(number, rounds):
    puzzles = made_set("diabolical", number)
    shares = puzzles.rounds(rounds)
    assert len(shares) == min(number, rounds)
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    assert Counter(puzzle for share in shares for puzzle in share) == Counter(puzzles.puzzles)


@pytest.mark.slow
def test_growth():
    grown = {}
    for puzzles in growth_sets(1, 100):
        what, step = puzzles.growth
        grown.setdefault(what, []).append(step)
        if what == "n":
            assert puzzles.puzzles[0].size == step
        elif what == "puzzles":
            assert len(puzzles.puzzles) == step
            assert "ortools" not in puzzles.only
        else:
            assert (puzzles.task, puzzles.limit, puzzles.expected) == ("enumerate", step, step)
    assert grown == {
        "n": [4, 9, 16, 25],
        "puzzles": [1, 10, 100],
        "solutions": [1, 10, 100, 1_000, 10_000, 39_168],
    }


def test_files_are_sets_a_box_shape_each(tmp_path):
    (tmp_path / "mixed.txt").write_text("1..4.....3......\n" + "." * 81 + "\n4..1.....3......\n")
    (tmp_path / "one.txt").write_text("1...............\n")
    (tmp_path / "README.md").write_text("no puzzles")
    sets = list(read_sets(str(tmp_path), 10, None))
    assert [made.name for made in sets] == ["mixed 2x2", "mixed 3x3", "one"]
    assert [len(made.puzzles) for made in sets] == [2, 1, 1]


def test_of_a_large_file_the_same_puzzles_are_drawn_each_time(tmp_path):
    file = tmp_path / "many.txt"
    file.write_text("".join(f"{'.' * cell}1{'.' * (15 - cell)}\n" for cell in range(16)))
    (first,) = read_sets(str(file), 5, (2, 2))
    (second,) = read_sets(str(file), 5, (2, 2))
    assert first == second
    assert len(set(first.puzzles)) == 5


def test_a_folder_without_puzzles(tmp_path):
    with pytest.raises(pls.InvalidPuzzle, match="no files that end in"):
        list(read_sets(str(tmp_path), 1, None))
