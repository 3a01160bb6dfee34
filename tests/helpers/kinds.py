"""Every kind of puzzle, small enough for the oracle: what each question is asked about."""

from __future__ import annotations

from functools import cache

from helpers.jigsaws import KEEP, REGIONS, jigsaw
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import COUNTS, PRINTED
from helpers.ruled import SMALL_KILLER, THERMOMETERS, TWO_RULES
from pylogic_sudoku import Grid, Puzzle

LATIN = {(1, 1): 1, (1, 2): 2, (2, 1): 2, (1, 3): 12, (1, 4): 576}
"""The number of Latin squares of the sizes of these boxes, which add nothing to them."""
FULL = next(iter(PRINTED.values()))
PUZZLES = {
    **{f"printed {number}": Grid.parse(each) for number, each in enumerate(PRINTED, 1)},
    **{f"{COUNTS[each]} in {each}": Grid.parse(each) for each in list(COUNTS)[:-1]},
    "all 4x4 grids": Grid.parse("." * 16),
    "boxes of 2x3": dig(full_grid((2, 3), 1), 12, 1),
    "boxes of 3x2": dig(full_grid((3, 2), 1), 12, 1),
    **{f"boxes of {r}x{c}": Grid((0,) * (r * c) ** 2, (r, c)) for r, c in LATIN},
    "givens that clash": Grid.parse("55" + "." * 79),
    "a full grid": Grid.parse(FULL),
    "a wrong full grid": Grid.parse(FULL[:-1] + "5"),
    **{f"jigsaw {n}x{n}": jigsaw(n, KEEP[n], 0) for n in REGIONS},
    **{f"jigsaw {n}x{n} with marks": jigsaw(n, KEEP[n], 0, marked=n) for n in REGIONS},
    "jigsaw with one solution": jigsaw(6, 12, 1),
    "jigsaw with marks and one solution": jigsaw(5, 6, 0, marked=5),
    "boxes of 3x4": full_grid((3, 4), 1).without("r1c1", "r1c2", "r12c12"),
    "killer": SMALL_KILLER,
    "thermometers": THERMOMETERS,
    "two rules": TWO_RULES,
}


@cache
def known(puzzle: Grid | Puzzle) -> list[Grid]:
    """Its solutions, by the oracle and the rules as Python says them."""
    return [grid for grid in all_solutions(puzzle) if grid.is_solution_of(puzzle)]
