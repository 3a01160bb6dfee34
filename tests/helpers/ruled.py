"""Puzzles with rules beyond plain sudoku and without givens; all but the last have one solution."""

from __future__ import annotations

from pylogic_sudoku import Cell, Explanation, Grid, Puzzle
from pylogic_sudoku.rules import KillerCage, Thermometer


def killer(solution: str, cages: str) -> Puzzle:
    """The killer with these cages, a letter for each cell."""
    grid = Grid.parse(solution)
    found: dict[str, list[Cell]] = {label: [] for label in cages.replace(" ", "")}
    for cell, label in zip(grid.cells, cages.replace(" ", ""), strict=True):
        found[label].append(cell)
    rules = [KillerCage(cells, sum=sum(grid[cell] for cell in cells)) for cells in found.values()]
    return Puzzle("." * len(grid.digits), rules=rules, title=f"Killer {grid.size}x{grid.size}")


SMALL_SOLUTION = "4132231434211243"
SMALL_KILLER = killer(SMALL_SOLUTION, "AABC DDBC EDBC EEEF")

SOLUTION = "874623915263951748591784632457836291129547863386219574648392157715468329932175486"
KILLER = killer(
    SOLUTION,
    "ABBCCCDEE AAFCGDDHH IIFJGKKHH LLFJMMKKN OLPPQQQNN OOPPRRQSN OTTUURSSV WWTUXXXSV WYYZZZaaV",
)

THERMOMETER_SOLUTION = "2143341212344321"
THERMOMETERS = Puzzle(
    "." * 16,
    rules=[
        Thermometer(cells)
        for cells in (
            *("r1c2 r1c1", "r1c4 r1c3", "r2c3 r3c2 r2c1"),
            *("r3c3 r2c2", "r4c2 r4c1", "r4c4 r4c3"),
        )
    ],
    title="Thermometers",
)

CAGE, LINE = KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2")
TWO_RULES = Puzzle("." * 16, rules=[CAGE, LINE])


def verified(answer: Explanation) -> None:
    """Verify by both engines if there are rules, which each says in its own way, or few cells."""
    answer.verify("clingo")
    if answer.puzzle.layout.rules or answer.puzzle.size < 5:
        answer.verify("prolog")
