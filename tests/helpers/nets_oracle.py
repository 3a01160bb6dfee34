"""Looking ahead in plain Python: which candidates a few easy steps refute, and by which rules.

A position is as in ``technique_oracle``. Here cells and houses are filled in one by one, as a
person would with a pencil, until nothing changes.
"""

from __future__ import annotations

from helpers.technique_oracle import Position


def refuted(grid, marks: Position, x: int, y: int, digit: int) -> bool:
    """True if singles alone lead from this digit in this cell to a contradiction."""
    digits = {cell: set(several) for cell, several in marks.items()}
    houses = [[(a, b) for a, b in house.cells if (a, b) in marks] for house in grid.houses]
    needed = [{d for cell in house for d in marks[cell]} for house in houses]
    todo, done = [((x, y), digit)], set()
    while todo:
        cell, digit = todo.pop()
        if (cell, digit) in done:
            continue
        done.add((cell, digit))
        digits[cell] &= {digit}
        for house in houses:
            if cell in house:
                for other in house:
                    if other != cell:
                        digits[other].discard(digit)
        for house, wanted in zip(houses, needed, strict=True):
            for each in wanted:
                where = [other for other in house if each in digits[other]]
                if not where:
                    return True
                if len(where) == 1:
                    todo.append((where[0], each))
        for other, left in digits.items():
            if not left:
                return True
            if len(left) == 1:
                todo.append((other, *left))
    return False
